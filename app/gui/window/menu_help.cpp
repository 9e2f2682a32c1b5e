#include "app/gui/window/menu_help.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QMessageBox>

#include "app/gui/diff/diff_page.h"
#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/help_window.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/operator_sheet.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"

namespace partita {

Command HelpMenu::menu() {
    return {
        "help-menu",
        tr("&Help"),
        {Command("help", tr("&Help"), {QKeySequence::HelpContents}, tr("How to use Partita"), [this] { showHelp(); })
             .withIcon("help"),
         Command("operator-sheet", tr("About the &operator"), {tr("?")},
                 tr("What the selected operator computes, its attributes, shapes and names; follows the selection"),
                 [this] { showOperator(); })
             .unless([this] {
                 return OperatorSheet::selected_call(parts_.document).valid() ? QString()
                                                                              : tr("Select an operator first");
             }),
         Command("lessons", tr("&Lessons"), {Qt::Key_F2}, tr("Small graphs with steps and questions"),
                 [this] { parts_.panels.enter(&parts_.panels.lessons()); }),
         Command("lesson-next", tr("Next &page of the lesson"), {tr("Alt+PgDown")}, {},
                 [this] { parts_.panels.lessons().next(); })
             .unless(needs(&CommandReasons::lesson)),
         Command("lesson-back", tr("Page &before"), {tr("Alt+PgUp")}, {}, [this] { parts_.panels.lessons().back(); })
             .unless(needs(&CommandReasons::lesson)),
         Command("lesson-check", tr("Chec&k the answer"), {tr("Alt+Return")},
                 tr("Hold the answer to the page's question against the right one"),
                 [this] { parts_.panels.lessons().check(); })
             .unless([this] {
                 return parts_.panels.lessons().asksQuestion() ? QString() : tr("This page asks no question");
             }),
         Command("lesson-new", tr("Ne&w lesson from this graph"), {},
                 tr("Write a lesson: text, the graph as it is now, questions by pointing at it"),
                 [this] { newLesson(); })
             .unless(needs(&CommandReasons::module))
             .belowLine(),
         Command("lesson-edit", tr("&Edit the lesson"), {},
                 tr("The lesson that is open, or that is being written; one that ships is edited as a copy"),
                 [this] { editLesson(); })
             .unless(needs(&CommandReasons::lessonToEdit)),
         Command("lessons-folder", tr("Open the lessons' &folder"), {},
                 tr("Where lessons of your own are put; they are read again whenever they are saved"),
                 [this] { parts_.panels.lessons().openFolder(); }),
         Command("commands", tr("&Commands…"), {tr("Ctrl+Shift+P")}, tr("Find and run any command"),
                 [this] { openCommandPalette(); }),
         Command("about", tr("&About Partita"), {}, {}, [this] { showAbout(); }).belowLine()}};
}

void HelpMenu::showOperator() {
    auto* sheet = parts_.window.findChild<OperatorSheet*>();
    if (!sheet) sheet = new OperatorSheet(parts_.document, &parts_.window);
    sheet->show();
    sheet->raise();
    sheet->activateWindow();
}

void HelpMenu::newLesson() {
    parts_.panels.enter(&parts_.panels.lessonEditor());
    parts_.panels.lessonEditor().begin();
}

void HelpMenu::editLesson() {
    const QString file = parts_.panels.lessons().lessonFile();
    parts_.panels.enter(&parts_.panels.lessonEditor());
    if (file.isEmpty()) return;
    parts_.panels.lessons().leave();  // who writes it is no learner: no question keeps commands away
    parts_.panels.lessonEditor().edit(file);
}

void HelpMenu::openCommandPalette() {
    QList<QAction*> all = parts_.commands.all();
    for (const QDockWidget* dock : parts_.panels.docks()) all << dock->toggleViewAction();
    all.removeIf([](const QAction* command) {
        return !command->isVisible() || command->objectName() == QLatin1String("commands");
    });
    auto* dialog = new CommandPalette(all, &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->adjustSize();
    dialog->move(parts_.window.mapToGlobal(QPoint((parts_.window.width() - dialog->width()) / 2, 90)));
    dialog->show();
}

/// At what is being worked in.
void HelpMenu::showHelp() {
    HelpTopic topic = parts_.panels.topicAt(QApplication::focusWidget());
    if (topic == HelpTopic::FirstMinutes && qobject_cast<DiffPage*>(parts_.pages.currentWidget()))
        topic = HelpTopic::Comparing;
    show_help(&parts_.window, topic);
}

void HelpMenu::showAbout() {
    const auto text_of = [](const char* name) {
        QFile file(QStringLiteral(":/help/%1.md").arg(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QMessageBox box(&parts_.window);
    box.setWindowTitle(tr("About Partita"));
    box.setIconPixmap(parts_.window.windowIcon().pixmap(64));
    box.setDetailedText(text_of("changes") + QLatin1Char('\n') + text_of("licences"));
    box.setText(tr("<h3>Partita %1</h3><p>See how a neural-network graph is divided among compilers, change the "
                   "division, and run the result.</p>"
                   "<p>Built with Qt %2, Graphviz and oneDNN.</p>")
                    .arg(QStringLiteral(PARTITA_VERSION), QString::fromLatin1(qVersion())));
    box.exec();
}

}  // namespace partita
