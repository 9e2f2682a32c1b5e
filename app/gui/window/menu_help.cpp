// The table of commands: Help.
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QMessageBox>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/help_window.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/operator_sheet.h"

namespace partita {

Command MainWindow::helpMenu() {
    return {
        "help-menu",
        tr("&Help"),
        {Command("help", tr("&Help"), {QKeySequence::HelpContents}, tr("How to use Partita"), [this] { showHelp(); })
             .withIcon("help"),
         Command("operator-sheet", tr("About the &operator"), {tr("?")},
                 tr("What the selected operator computes, its attributes, shapes and names; follows the selection"),
                 [this] { showOperator(); })
             .unless([this] {
                 return OperatorSheet::selected_call(document_).valid() ? QString() : tr("Select an operator first");
             }),
         Command("lessons", tr("&Lessons"), {Qt::Key_F2}, tr("Small graphs with steps and questions"),
                 [this] { enterPanel(&lessons()); }),
         Command("lesson-next", tr("Next &page of the lesson"), {tr("Alt+PgDown")}, {}, [this] { lessons().next(); })
             .unless(needs(&MainWindow::needsLesson)),
         Command("lesson-back", tr("Page &before"), {tr("Alt+PgUp")}, {}, [this] { lessons().back(); })
             .unless(needs(&MainWindow::needsLesson)),
         Command("lesson-check", tr("Chec&k the answer"), {tr("Alt+Return")},
                 tr("Hold the answer to the page's question against the right one"), [this] { lessons().check(); })
             .unless([this] { return lessons().asksQuestion() ? QString() : tr("This page asks no question"); }),
         Command("lesson-new", tr("Ne&w lesson from this graph"), {},
                 tr("Write a lesson: text, the graph as it is now, questions by pointing at it"),
                 [this] { newLesson(); })
             .unless(needs(&MainWindow::needsModule))
             .belowLine(),
         Command("lesson-edit", tr("&Edit the lesson"), {},
                 tr("The lesson that is open, or that is being written; one that ships is edited as a copy"),
                 [this] { editLesson(); })
             .unless(needs(&MainWindow::needsLessonToEdit)),
         Command("lessons-folder", tr("Open the lessons' &folder"), {},
                 tr("Where lessons of your own are put; they are read again whenever they are saved"),
                 [this] { lessons().openFolder(); }),
         Command("commands", tr("&Commands…"), {tr("Ctrl+Shift+P")}, tr("Find and run any command"),
                 [this] { openCommandPalette(); }),
         Command("about", tr("&About Partita"), {}, {}, [this] { showAbout(); }).belowLine()}};
}

void MainWindow::showOperator() {
    auto* sheet = findChild<OperatorSheet*>();
    if (!sheet) sheet = new OperatorSheet(document_, this);
    sheet->show();
    sheet->raise();
    sheet->activateWindow();
}

void MainWindow::newLesson() {
    enterPanel(&lessonEditor());
    lessonEditor().begin();
}

void MainWindow::editLesson() {
    const QString file = lessons().lessonFile();
    enterPanel(&lessonEditor());
    if (file.isEmpty()) return;
    lessons().leave();  // who writes it is no learner: no question keeps commands away
    lessonEditor().edit(file);
}

void MainWindow::openCommandPalette() {
    QList<QAction*> all = commands_->all();
    for (const QDockWidget* dock : panels_->docks()) all << dock->toggleViewAction();
    all.removeIf([](const QAction* command) {
        return !command->isVisible() || command->objectName() == QLatin1String("commands");
    });
    auto* dialog = new CommandPalette(all, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->adjustSize();
    dialog->move(mapToGlobal(QPoint((width() - dialog->width()) / 2, 90)));
    dialog->show();
}

/// At what is being worked in.
void MainWindow::showHelp() {
    HelpTopic topic = panels_->topicAt(QApplication::focusWidget());
    if (topic == HelpTopic::FirstMinutes && qobject_cast<DiffPage*>(pages_->currentWidget()))
        topic = HelpTopic::Comparing;
    show_help(this, topic);
}

void MainWindow::showAbout() {
    const auto text_of = [](const char* name) {
        QFile file(QStringLiteral(":/help/%1.md").arg(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QMessageBox box(this);
    box.setWindowTitle(tr("About Partita"));
    box.setIconPixmap(windowIcon().pixmap(64));
    box.setDetailedText(text_of("changes") + QLatin1Char('\n') + text_of("licences"));
    box.setText(tr("<h3>Partita %1</h3><p>See how a neural-network graph is divided among compilers, change the "
                   "division, and run the result.</p>"
                   "<p>Built with Qt %2, Graphviz and oneDNN.</p>")
                    .arg(QStringLiteral(PARTITA_VERSION), QString::fromLatin1(qVersion())));
    box.exec();
}

}  // namespace partita
