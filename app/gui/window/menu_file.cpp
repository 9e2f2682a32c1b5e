// The table of commands: File.
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>

#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

Command MainWindow::fileMenu() {
    return {"file", tr("&File"),
            joined({openingCommands(),
                    savingCommands(),
                    exportCommands(),
                    {Command("close-model", tr("&Close the model"), {tr("Ctrl+Shift+W")},
                             tr("Close the tab of this model"), [this] { close(); })
                         .unless(needs(&MainWindow::needsOtherModel))
                         .belowLine(),
                     Command("quit", tr("&Quit"), {tr("Ctrl+Q")}, tr("Close the program"),
                             [this] { window()->close(); })}})};
}

std::vector<Command> MainWindow::openingCommands() {
    const auto no_session = [] {
        return QFileInfo::exists(Document::sessionFile()) ? QString() : tr("There is no earlier session");
    };
    return {
        Command("open", tr("&Open…"), {QKeySequence::Open}, tr("Open Relay text or ONNX"), [this] { chooseFile(); })
            .withIcon("open"),
        Command("new-tab", tr("New &tab"), {QKeySequence::AddTab}, tr("Open another model beside this one"),
                [this] { emit tabWanted({}); }),
        Command("recent", tr("Open &recent"), {}, [this](QMenu& menu) { fillRecent(menu); }).unless([this] {
            return settings_.recent_files.isEmpty() ? tr("No file was opened yet") : QString();
        }),
        Command("samples", tr("Open a &sample"), {}, [this](QMenu& menu) { fillSamples(menu); }),
        Command(
            "reports", tr("Open a report on &it…"), {},
            tr("Show what another program did with this model: a profile, a log or a dump of ONNX Runtime, LiteRT or "
               "ExecuTorch"),
            [this] { report_files_->choose(); })
            .unless(needs(&MainWindow::needsModule)),
        Command("open-link", tr("Open a lin&k…"), {}, tr("Go to the operator that a link of somebody names"),
                [this] { chooseLink(); }),
        Command("reload", tr("Re&load"), {tr("Ctrl+R")},
                tr("Read the file again; choices stay with what is still there"), [this] { document_.reload(); })
            .unless(needs(&MainWindow::needsModule)),
        Command("continue", tr("&Go on where you left"), {tr("Ctrl+Shift+O")},
                tr("Open the last module with its division"), [this] { openFile(Document::sessionFile()); })
            .unless(no_session),
    };
}

std::vector<Command> MainWindow::savingCommands() {
    const auto no_module = needs(&MainWindow::needsModule);
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

std::vector<Command> MainWindow::exportCommands() {
    const auto no_module = needs(&MainWindow::needsModule), no_graph = needs(&MainWindow::needsGraph);
    const auto no_dimensions = [this] {
        return !needsModule().isEmpty()                 ? needsModule()
               : document_.symbolicDimensions().empty() ? tr("The module has no open dimensions")
                                                        : QString();
    };
    return {
        Command("export", tr("&Export…"), {tr("Ctrl+E")}, tr("Write Relay text, JSON, SVG, PNG, PDF, DOT or a report"),
                [this] { exports_->choose(); })
            .withIcon("export")
            .unless(no_module)
            .belowLine(),
        Command("export-c", tr("Export as &C…"), {tr("Ctrl+Alt+E")},
                tr("Write C sources, weights and CMakeLists.txt into a folder, to build without Partita"),
                [this] { exports_->chooseC(); })
            .unless(no_module),
        Command("export-onnx", tr("Export as ONNX &models…"), {},
                tr("Write an ONNX model for each region and a manifest of their connections into a folder"),
                [this] { exports_->chooseOnnx(); })
            .unless(no_module),
        Command("export-report", tr("Export a &report…"), {tr("Ctrl+Shift+E")},
                tr("Write one page with the picture, what goes where and why, and the times of the last run"),
                [this] { exports_->chooseReport(); })
            .unless(no_module),
        Command("export-handout", tr("Export &hand-out"), {}, [this](QMenu& menu) { handouts_->fill(menu); }),
        Command("dimensions", tr("&Dimensions of the model…"), {},
                tr("Choose the sizes that the ONNX model leaves open, and read it again"),
                [this] { chooseDimensions(); })
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

void MainWindow::fillSamples(QMenu& menu) {
    for (const Sample& sample : find_samples()) {
        QAction* action = menu.addAction(sample.title, this, [this, sample] { openFile(sample.path); });
        action->setToolTip(sample.line);
        action->setStatusTip(sample.line);
    }
}

void MainWindow::fillRecent(QMenu& menu) {
    for (const QString& path : settings_.recent_files)
        menu.addAction(as_title(shown_name(QFileInfo(path).fileName())), this, [this, path] { openFile(path); })
            ->setStatusTip(shown_name(path));
    if (settings_.recent_files.isEmpty()) return;
    menu.addSeparator();
    menu.addAction(tr("Forget them"), this, [this] {
        settings_.recent_files.clear();
        keepRecentFiles();
    });
}

void MainWindow::copyPicture() {
    pages_->forCurrentView([](GraphView& view) { QApplication::clipboard()->setImage(view.picture()); });
    status_->showMessage(tr("The picture is on the clipboard."), 4000);
}

}  // namespace partita
