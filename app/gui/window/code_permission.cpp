#include "app/gui/window/code_permission.h"

#include <algorithm>

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSettings>

#include "app/gui/style/foreign_text.h"
#include "engine/annotators/annotator.h"
#include "engine/rules/codegen.h"

namespace partita {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(partita::CodePermission)
};

QString shown(const QString& text) { return shown_name(text).toHtmlEscaped(); }

/// How many letters of code stand on a line: a box is as wide as its longest word, and hides what is beyond the screen.
qsizetype letters_of_line() {
    constexpr qsizetype kMost = 90, kFewest = 30;
    constexpr double kShareOfScreen = 0.75;
    const double letter = QFontMetricsF(QFontDatabase::systemFont(QFontDatabase::FixedFont)).averageCharWidth();
    const double room = kShareOfScreen * QGuiApplication::primaryScreen()->availableSize().width();
    return std::clamp(qsizetype(room / std::max(1.0, letter)), kFewest, kMost);
}

/// Broken after a line's letters, wherever that is.
QString folded(const QString& text) {
    QStringList lines;
    const qsizetype line = letters_of_line();
    for (qsizetype i = 0; i < text.size(); i += line) lines << text.mid(i, line);
    return lines.join(QLatin1Char('\n'));
}

QString question(const BackendDescription& backend, const QString& line, const QString& code) {
    QString file = backend.file.empty() ? Words::tr("the project") : QString::fromStdString(backend.file);
    if (const qsizetype line = letters_of_line(); file.size() > line)
        file = QStringLiteral("…") + file.right(line);  // its end says more
    const QString whole = folded(shown_name(code)).toHtmlEscaped();
    return QStringLiteral("<p>%1</p><pre>%2</pre>")
        .arg(line.arg(shown(QString::fromStdString(backend.name)), shown(file)), whole);
}

QString question_of_codegen(const BackendDescription& backend) {
    const QString codegen = QString::fromStdString(backend.codegen);
    return question(backend,
                    foreign_code(backend.codegen) == ForeignCode::Command
                        ? Words::tr("The backend <b>%1</b> of %2 runs a program:")
                        : Words::tr("The backend <b>%1</b> of %2 loads a library:"),
                    codegen.mid(codegen.indexOf(QLatin1Char(':')) + 1));
}

/// Asks whether it may run. `answered` gets true for Allow, false for `without`; nobody hears of Cancel.
void ask_permission(QWidget* parent, const QString& questions, const QString& without,
                    const std::function<void(bool allowed)>& answered) {
    auto* box = new QMessageBox(QMessageBox::Warning, Words::tr("May it run?"), QString(), QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("code-permission"));
    box->setText(Words::tr("<b>A backend brings code of its own</b>"));
    box->setInformativeText(questions + Words::tr("<p>It can do on this machine whatever you can. Allow it if you "
                                                  "trust where it comes from; you are asked only once.</p>"));
    QPushButton* allow = box->addButton(Words::tr("Allow"), QMessageBox::AcceptRole);
    QPushButton* instead = box->addButton(without, QMessageBox::DestructiveRole);
    allow->setObjectName(QStringLiteral("allow"));
    instead->setObjectName(QStringLiteral("without"));
    box->setDefaultButton(instead);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(box, &QMessageBox::buttonClicked, parent, [=](QAbstractButton* button) {
        if (button == allow || button == instead) answered(button == allow);
    });
    box->open();
}

}  // namespace

void with_permitted_code(QWidget* parent, const std::vector<BackendPtr>& backends,
                         const std::function<void(const QStringList& trusted)>& go) {
    const QStringList trusted = QSettings().value(permits_key()).toStringList();
    QStringList asked;
    QString questions;
    qsizetype letters = 0;
    for (const BackendPtr& backend : backends) {
        const QString codegen = QString::fromStdString(backend->codegen);
        if (foreign_code(backend->codegen) == ForeignCode::None || trusted.contains(codegen) || asked.contains(codegen))
            continue;
        letters += codegen.size();
        if (letters > qsizetype(kLongestForeignCode) && !asked.isEmpty())
            break;  // the box would be higher than the screen; the others are asked for next
        asked << codegen;
        questions += question_of_codegen(*backend);
    }
    if (asked.isEmpty()) return go(trusted);
    ask_permission(parent, questions, Words::tr("Run on default instead"), [=](bool allowed) {
        if (!allowed) return go(trusted);
        QSettings().setValue(permits_key(), trusted + asked);
        with_permitted_code(parent, backends, go);
    });
}

void with_permitted_annotators(QWidget* parent, const std::vector<AnnotatorPermit>& annotators,
                               const std::function<void(bool allowed)>& answered) {
    for (const AnnotatorPermit& permit : annotators) {
        if (is_permitted(permit)) continue;
        const BackendDescription& backend = permit.described;
        const QString questions =
            question(backend, Words::tr("The backend <b>%1</b> of %2 asks a program which calls it takes:"),
                     QString::fromStdString(annotator_command(backend.annotator)));
        return ask_permission(parent, questions, Words::tr("Go without its rules"), [=](bool allowed) {
            if (!allowed) return answered(false);
            give_permit(permit);
            with_permitted_annotators(parent, annotators, answered);
        });
    }
    answered(true);
}

}  // namespace partita
