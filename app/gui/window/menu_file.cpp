#include "app/gui/window/menu_file.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/save_path.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/file_opening.h"
#include "app/gui/window/handouts.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/print_graph.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/settings.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

Command FileMenu::menu() {
    return {"file", tr("&File"),
            joined({openingCommands(),
                    savingCommands(),
                    exportCommands(),
                    {Command("close-model", tr("&Close the model"), {tr("Ctrl+Shift+W")},
                             tr("Close the tab of this model"), [this] { parts_.window.close(); })
                         .unless(needs(&CommandReasons::otherModel))
                         .belowLine(),
                     Command("quit", tr("&Quit"), {tr("Ctrl+Q")}, tr("Close the program"),
                             [this] { parts_.window.window()->close(); })}})};
}

std::vector<Command> FileMenu::openingCommands() {
    const auto no_session = [] {
        return QFileInfo::exists(Document::sessionFile()) ? QString() : tr("There is no earlier session");
    };
    return {
        Command("open", tr("&Open…"), {QKeySequence::Open}, tr("Open Relay text or ONNX"),
                [this] { parts_.opening.chooseFile(); })
            .withIcon("open"),
        Command("new-tab", tr("New &tab"), {QKeySequence::AddTab}, tr("Open another model beside this one"),
                [this] { emit parts_.window.tabWanted({}); }),
        Command("recent", tr("Open &recent"), {}, [this](QMenu& menu) { fillRecent(menu); }).unless([this] {
            return parts_.settings.recent_files.isEmpty() ? tr("No file was opened yet") : QString();
        }),
        Command("samples", tr("Open a &sample"), {}, [this](QMenu& menu) { fillSamples(menu); }),
        Command(
            "reports", tr("Open a report on &it…"), {},
            tr("Show what another program did with this model: a profile, a log or a dump of ONNX Runtime, LiteRT or "
               "ExecuTorch"),
            [this] { parts_.opening.reports().choose(); })
            .unless(needs(&CommandReasons::module)),
        Command("open-link", tr("Open a lin&k…"), {}, tr("Go to the operator that a link of somebody names"),
                [this] { parts_.opening.chooseLink(); }),
        Command("reload", tr("Re&load"), {tr("Ctrl+R")},
                tr("Read the file again; choices stay with what is still there"), [this] { parts_.document.reload(); })
            .unless(needs(&CommandReasons::module)),
        Command("continue", tr("&Go on where you left"), {tr("Ctrl+Shift+O")},
                tr("Open the last module with its division"),
                [this] { parts_.opening.openFile(Document::sessionFile()); })
            .unless(no_session),
    };
}

std::vector<Command> FileMenu::savingCommands() {
    const auto no_module = needs(&CommandReasons::module);
    return {
        Command("save", tr("&Save the project"), {QKeySequence::Save}, tr("Write what you chose for this module"),
                [this] { save(); })
            .unless(no_module)
            .belowLine(),
        Command("save-as", tr("Save the project &as…"), {tr("Ctrl+Shift+S")},
                tr("Write what you chose to another file"), [this] { saveAs(); })
            .unless(no_module),
    };
}

std::vector<Command> FileMenu::exportCommands() {
    const auto no_module = needs(&CommandReasons::module), no_graph = needs(&CommandReasons::graph);
    const auto no_dimensions = [this] {
        return !parts_.reasons.module().isEmpty()             ? parts_.reasons.module()
               : parts_.document.symbolicDimensions().empty() ? tr("The module has no open dimensions")
                                                              : QString();
    };
    return {
        Command("export", tr("&Export…"), {tr("Ctrl+E")}, tr("Write Relay text, JSON, SVG, PNG, PDF, DOT or a report"),
                [this] { parts_.window.exports().choose(); })
            .withIcon("export")
            .unless(no_module)
            .belowLine(),
        Command("export-c", tr("Export as &C…"), {tr("Ctrl+Alt+E")},
                tr("Write C sources, weights and CMakeLists.txt into a folder, to build without Partita"),
                [this] { parts_.window.exports().chooseC(); })
            .unless(no_module),
        Command("export-onnx", tr("Export as ONNX &models…"), {},
                tr("Write an ONNX model for each region and a manifest of their connections into a folder"),
                [this] { parts_.window.exports().chooseOnnx(); })
            .unless(no_module),
        Command("export-report", tr("Export a &report…"), {tr("Ctrl+Shift+E")},
                tr("Write one page with the picture, what goes where and why, and the times of the last run"),
                [this] { parts_.window.exports().chooseReport(); })
            .unless(no_module),
        Command("export-handout", tr("Export &hand-out"), {},
                [this](QMenu& menu) { parts_.window.handouts().fill(menu); }),
        Command("dimensions", tr("&Dimensions of the model…"), {},
                tr("Choose the sizes that the ONNX model leaves open, and read it again"),
                [this] { parts_.opening.chooseDimensions(); })
            .unless(no_dimensions)
            .belowLine(),
        Command("copy-picture", tr("Copy &picture"), {tr("Ctrl+Shift+C")},
                tr("Copy the graph as a picture; of a very large one, what the canvas shows of it"),
                [this] { copyPicture(); })
            .unless(no_graph),
        Command("print", tr("Pri&nt…"), {QKeySequence::Print}, tr("Print the graph of this tab"),
                [this] { printGraph(); })
            .unless(no_graph),
    };
}

void FileMenu::fillSamples(QMenu& menu) {
    for (const Sample& sample : find_samples()) {
        QAction* action = menu.addAction(sample.title, this, [this, sample] { parts_.opening.openFile(sample.path); });
        action->setToolTip(sample.line);
        action->setStatusTip(sample.line);
    }
}

void FileMenu::fillRecent(QMenu& menu) {
    for (const QString& path : parts_.settings.recent_files)
        menu.addAction(as_title(shown_name(QFileInfo(path).fileName())), this,
                       [this, path] { parts_.opening.openFile(path); })
            ->setStatusTip(shown_name(path));
    if (parts_.settings.recent_files.isEmpty()) return;
    menu.addSeparator();
    menu.addAction(tr("Forget them"), this, [this] {
        parts_.settings.recent_files.clear();
        parts_.opening.keepRecentFiles();
    });
}

void FileMenu::copyPicture() {
    parts_.pages.forCurrentView([](GraphView& view) { QApplication::clipboard()->setImage(view.picture()); });
    parts_.status.showMessage(tr("The picture is on the clipboard."), 4000);
}

bool FileMenu::save() {
    if (parts_.document.projectPath().isEmpty()) return saveAs();
    parts_.document.saveProject(parts_.document.projectPath());
    return true;
}

bool FileMenu::saveAs() {
    if (!parts_.document.isOpen()) return false;
    const QFileInfo file(parts_.document.path());
    const QString path = ask_where_to_save(&parts_.window, tr("Save the project"),
                                           file.dir().filePath(file.completeBaseName() + QStringLiteral(".partita")),
                                           tr("Projects (*.partita)"), QStringLiteral(".partita"), Ending::Always);
    if (path.isEmpty()) return false;
    parts_.document.saveProject(path);
    return true;
}

Theme FileMenu::paperTheme() const {
    Theme paper = make_theme(false, parts_.settings.palette);
    paper.backend_slots = parts_.theme.backend_slots;
    paper.canvas = Qt::white;
    return paper;
}

std::optional<GraphPaper> FileMenu::shownPaper() const {
    GraphPage* page = parts_.pages.current();
    if (!page || !page->view().hasGraph()) return std::nullopt;
    return page->view().paper(paperTheme(), shown_name(parts_.document.title()));
}

void FileMenu::printGraph() {
    GraphPage* page = parts_.pages.current();
    if (!page || !page->view().hasGraph()) return;
    preview_print(parts_.window, page->view().paper(paperTheme(), shown_name(parts_.document.title())),
                  parts_.document.title());
}

}  // namespace partita
