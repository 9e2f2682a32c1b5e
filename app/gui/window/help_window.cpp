#include "app/gui/window/help_window.h"

#include <QDialog>
#include <QFile>
#include <QLocale>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

namespace partita {

namespace {

/// The help in the user's language if there is one, else in English.
QUrl help_page() {
    const QString own = QLocale().name().section(QLatin1Char('_'), 0, 0);
    const bool there = QFile::exists(QStringLiteral(":/help/%1.md").arg(own));
    return QStringLiteral("qrc:/help/%1.md").arg(there ? own : QStringLiteral("en"));
}

/// Tables with one thin line between cells instead of the frames that a page in Markdown gets.
void tidy_tables(QTextBrowser& text) {
    QColor line = text.palette().color(QPalette::Text);
    line.setAlpha(60);
    for (QTextFrame* frame : text.document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderBrush(line);
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(5);
        format.setTopMargin(8);
        format.setBottomMargin(8);
        table->setFormat(format);
    }
}

}  // namespace

void show_help(QWidget* parent) {
    static const QString name = QStringLiteral("help-window");
    if (auto* open = parent->findChild<QDialog*>(name)) {
        open->raise();
        open->activateWindow();
        return;
    }
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Help"));
    dialog->resize(760, 720);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(0, 0, 0, 0);
    auto* text = new QTextBrowser;
    text->document()->setDocumentMargin(20);
    text->setOpenExternalLinks(false);
    QObject::connect(text, &QTextBrowser::sourceChanged, text, [text] { tidy_tables(*text); });
    text->setSource(help_page());  // its links lead to the other pages; Alt+Left goes back
    text->setAccessibleName(QDialog::tr("Help"));
    column->addWidget(text);
    dialog->show();
}

}  // namespace partita
