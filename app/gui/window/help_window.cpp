#include "app/gui/window/help_window.h"

#include <QDialog>
#include <QFile>
#include <QLocale>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace partita {

namespace {

/// The help in the user's language if there is one, else in English.
QString help_text() {
    for (const QString& language : {QLocale().name().section(QLatin1Char('_'), 0, 0), QStringLiteral("en")}) {
        QFile file(QStringLiteral(":/help/%1.md").arg(language));
        if (file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
    }
    return {};
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
    text->setMarkdown(help_text());
    text->setAccessibleName(QDialog::tr("Help"));
    column->addWidget(text);
    dialog->show();
}

}  // namespace partita
