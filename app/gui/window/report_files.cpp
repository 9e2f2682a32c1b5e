#include "app/gui/window/report_files.h"

#include <QFileDialog>
#include <QFileInfo>

#include "app/gui/document/document.h"
#include "app/gui/document/show_reports.h"
#include "app/gui/style/foreign_text.h"
#include "engine/session/numbers.h"
#include "engine/session/report_readers.h"
#include "engine/session/reports.h"

namespace partita {

ReportFiles::ReportFiles(Document& document, QWidget& window)
    : QObject(&window), document_(document), window_(window) {}

bool ReportFiles::isFor(const QString& path) {
    return is_numbers_file(path.toStdString()) || is_report_file(path.toStdString());
}

void ReportFiles::add(const QStringList& paths) {
    if (!document_.isOpen()) {
        const QString name = shown_name(QFileInfo(paths.first()).fileName());
        show_warning(&window_, tr("Open the model first"),
                     tr("%1 is what another program said of a model. Open the model, then drop the file on it; or drop "
                        "both together.")
                         .arg(name));
        return;
    }
    std::vector<std::string> files;
    QStringList numbers;
    for (const QString& path : paths) {
        const QString file = QFileInfo(path).absoluteFilePath();
        if (is_numbers_file(file.toStdString())) numbers << file;
        else files.push_back(file.toStdString());
    }
    if (!numbers.isEmpty()) emit numbersGiven(numbers);
    if (files.empty()) return;
    show_reports(document_, files, *this, [this](const Result<std::shared_ptr<const Reports>>& read) {
        if (!read) {
            show_warning(&window_, tr("The report was not taken"), shown_message(read.error().to_string()));
            return;
        }
        size_t rows = 0, matched = 0;
        for (const ReadReport& report : (*read)->read) {
            rows += report.matched.rows - report.matched.inserted_rows;
            matched += report.matched.matched_rows;
        }
        if ((*read)->reported->has_times) emit timesShown();
        emit told(tr("Divided as %1 did: %2 of %3 rows are of operators here; the rest is among the problems.")
                      .arg(shown_name((*read)->reported->program))
                      .arg(matched)
                      .arg(rows));
    });
}

void ReportFiles::choose() {
    const QString folder = QFileInfo(document_.path()).path();
    const QStringList paths =
        QFileDialog::getOpenFileNames(&window_, tr("Open what another program said of the model"), folder,
                                      tr("Profiles, logs, dumps (*.json *.log *.txt *.csv *.etdp);;All files (*)"));
    if (!paths.isEmpty()) add(paths);
}

}  // namespace partita
