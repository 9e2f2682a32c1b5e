// The main window's commands: menus, toolbar, and what they do.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/window/backends_dialog.h"
#include "app/gui/window/code_permission.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/help_window.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/settings_dialog.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

namespace {

constexpr int kBackendKeys = 9;  ///< keys 1 to 9

/// Commands on single letters and digits belong to the canvas: elsewhere these are text.
bool is_plain_key(const QKeySequence& shortcut) {
    return shortcut.count() == 1 && shortcut[0].keyboardModifiers() == Qt::NoModifier &&
           shortcut[0].key() < Qt::Key_Escape;
}

}  // namespace

QAction* MainWindow::addCommand(QMenu& menu, const QString& name, const QString& text, const QKeySequence& shortcut,
                                const QString& tip, std::function<void()> work, const QString& icon) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    if (text.contains(QLatin1String("(&"))) action->setIconText(without_mnemonic(text));  // Qt would leave the brackets
    action->setProperty("group", without_mnemonic(menu.title()));
    action->setProperty("tip", tip);
    action->setStatusTip(tip);
    if (!icon.isEmpty()) icons_.push_back({action, icon});
    if (is_plain_key(shortcut)) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        pages_->addAction(action);
    } else {
        addAction(action);  // its shortcut counts without the menu bar, too
    }
    menu.addAction(action);
    connect(action, &QAction::triggered, this, std::move(work));
    return action;
}

void MainWindow::buildActions() {
    buildFileActions();
    buildEditActions();
    buildFlowActions();
    buildGraphActions();
    buildViewActions();
    buildHelpActions();
    buildToolBar();
}

void MainWindow::buildFileActions() {
    QMenu& file = *menuBar()->addMenu(tr("&File"));
    addCommand(
        file, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, tr("Open Relay text or ONNX"),
        [this] { chooseFile(); }, QStringLiteral("open"));
    recent_menu_ = file.addMenu(tr("Open &recent"));
    recent_menu_->setObjectName(QStringLiteral("recent"));
    QMenu& samples = *file.addMenu(tr("Open a &sample"));
    for (const Sample& sample : find_samples()) {
        QAction* action = samples.addAction(sample.title, this, [this, path = sample.path] { openFile(path); });
        action->setToolTip(sample.line);
        action->setStatusTip(sample.line);
    }
    samples.setToolTipsVisible(true);
    samples.setEnabled(!samples.isEmpty());
    addCommand(file, QStringLiteral("reload"), tr("Re&load"), QKeySequence::Refresh,
               tr("Read the file again; choices stay with what is still there"), [this] { document_.reload(); })
        ->setShortcut(QKeySequence(tr("Ctrl+R")));
    addCommand(file, QStringLiteral("continue"), tr("&Go on where you left"), QKeySequence(tr("Ctrl+Shift+O")),
               tr("Open the last module with its division"), [this] { openFile(Document::sessionFile()); });
    file.addSeparator();
    addCommand(file, QStringLiteral("save"), tr("&Save the project"), QKeySequence::Save,
               tr("Write what you chose for this module"), [this] { save(); });
    addCommand(file, QStringLiteral("save-as"), tr("Save the project &as…"), QKeySequence(tr("Ctrl+Shift+S")),
               tr("Write what you chose to another file"), [this] { saveAs(); });
    file.addSeparator();
    addCommand(
        file, QStringLiteral("export"), tr("&Export…"), QKeySequence(tr("Ctrl+E")),
        tr("Write Relay text, JSON, SVG, PNG, PDF, DOT or a report"), [this] { chooseExport(); },
        QStringLiteral("export"));
    addCommand(file, QStringLiteral("export-c"), tr("Export as &C…"), QKeySequence(tr("Ctrl+Alt+E")),
               tr("Write C sources, weights and CMakeLists.txt into a folder, to build without Partita"),
               [this] { chooseCExport(); });
    addCommand(file, QStringLiteral("export-onnx"), tr("Export as ONNX &models…"), {},
               tr("Write an ONNX model for each region and a manifest of their connections into a folder"),
               [this] { chooseOnnxExport(); });
    addCommand(file, QStringLiteral("export-report"), tr("Export a &report…"), QKeySequence(tr("Ctrl+Shift+E")),
               tr("Write one page with the picture, what goes where and why, and the times of the last run"),
               [this] { chooseReport(); });
    file.addSeparator();
    addCommand(file, QStringLiteral("dimensions"), tr("&Dimensions of the model…"), {},
               tr("Choose the sizes that the ONNX model leaves open, and read it again"),
               [this] { chooseDimensions(); });
    addCommand(file, QStringLiteral("copy-picture"), tr("Copy &picture"), QKeySequence(tr("Ctrl+Shift+C")),
               tr("Copy the graph as a picture; of a very large one, what the canvas shows of it"), [this] {
                   forCurrentView([](GraphView& view) { QApplication::clipboard()->setImage(view.picture()); });
                   statusBar()->showMessage(tr("The picture is on the clipboard."), 4000);
               });
    addCommand(file, QStringLiteral("print"), tr("Pri&nt…"), QKeySequence::Print, tr("Print the graph of this tab"),
               [this] { printGraph(); });
    file.addSeparator();
    addCommand(file, QStringLiteral("quit"), tr("&Quit"), QKeySequence::Quit, tr("Close the program"),
               [this] { close(); });
}

void MainWindow::buildEditActions() {
    QMenu& edit = *menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.undoStack().createUndoAction(this, tr("&Undo"));
    undo->setObjectName(QStringLiteral("undo"));
    undo->setShortcut(QKeySequence::Undo);
    icons_.push_back({undo, QStringLiteral("undo")});
    QAction* redo = document_.undoStack().createRedoAction(this, tr("&Redo"));
    redo->setObjectName(QStringLiteral("redo"));
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    icons_.push_back({redo, QStringLiteral("redo")});
    for (QAction* command : {undo, redo}) command->setProperty("group", tr("Edit"));
    connect(&document_.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
    addActions({undo, redo});
    edit.addActions({undo, redo});
    edit.addSeparator();
    addCommand(
        edit, QStringLiteral("find"), tr("&Find…"), QKeySequence::Find, tr("Find operators, types, attributes"),
        [this] {
            if (GraphPage* page = currentPage()) page->openSearch();
        },
        QStringLiteral("search"));
    edit.addSeparator();
    addCommand(edit, QStringLiteral("select-all"), tr("Select &all"), QKeySequence::SelectAll,
               tr("Select all operators"), [this] { forCurrentView([](GraphView& view) { view.selectAll(); }); });
    addCommand(edit, QStringLiteral("select-region"), tr("Select the &region"), QKeySequence(Qt::Key_R),
               tr("Select the region of the selected operator"), [this] {
                   const FlowPtr flow = document_.flow();
                   if (!flow || document_.selection().empty()) return;
                   const ExprId id = document_.selection().front();
                   if (id.value < flow->region_of.size()) selectRegion(flow->region_of[id.value]);
               });
    addCommand(edit, QStringLiteral("select-same"), tr("Select the &same operators"), QKeySequence(Qt::Key_S),
               tr("Select all calls of the selected operator"), [this] {
                   GraphPage* page = currentPage();
                   if (!page || !page->view().hasGraph() || page->view().currentNode() < 0) return;
                   const GraphModel& model = *page->view().model();
                   const QString title = model.nodes[size_t(page->view().currentNode())].title;
                   std::vector<uint32_t> nodes;
                   for (uint32_t i = 0; i < model.nodes.size(); ++i)
                       if (model.nodes[i].title == title) nodes.push_back(i);
                   page->view().selectNodes(nodes);
                   document_.setSelection(page->selectedOrigins());
               });
    addCommand(edit, QStringLiteral("select-producers"), tr("Add all &producers"), QKeySequence(Qt::Key_P),
               tr("Select all that the selection depends on"),
               [this] { forCurrentView([](GraphView& view) { view.selectProducers(); }); });
    addCommand(edit, QStringLiteral("select-users"), tr("Add all &users"), QKeySequence(Qt::Key_U),
               tr("Select all that depends on the selection"),
               [this] { forCurrentView([](GraphView& view) { view.selectUsers(); }); });
    edit.addSeparator();
    addCommand(
        edit, QStringLiteral("settings"), tr("Se&ttings…"), QKeySequence(tr("Ctrl+,")), tr("Theme, graph, running"),
        [this] { chooseSettings(); }, QStringLiteral("settings"));
}

void MainWindow::buildFlowActions() {
    QMenu& flow = *menuBar()->addMenu(tr("F&low"));
    const auto add_switch = [&](const QString& name, const QString& text, const QKeySequence& key, const QString& tip,
                                const QString& step, bool FlowChoice::*field, const QString& icon = QString()) {
        QAction* action = addCommand(
            flow, name, text, key, tip, [] {}, icon);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, step, field](bool on) {
            changeChoice(step, [field, on](FlowChoice& choice) { choice.*field = on; });
            const FlowChoice& choice = document_.choice();
            const bool divides = field == &FlowChoice::merge || field == &FlowChoice::partition;
            if (on && divides && document_.isOpen() && !choice.annotate && choice.overrides->empty() &&
                !document_.annotated())
                tellBriefly(
                    tr("Nothing goes to a backend yet: annotate (F6), or give operators to one (keys 1 to 9)."));
        });
    };
    add_switch(QStringLiteral("annotate"), tr("&Annotate"), QKeySequence(Qt::Key_F6),
               tr("Give operators to backends by the backends' rules"), tr("annotate by rules"), &FlowChoice::annotate,
               QStringLiteral("annotate"));
    add_switch(QStringLiteral("merge"), tr("&Merge"), QKeySequence(Qt::Key_F7),
               tr("Merge neighbouring regions of one backend"), tr("merge regions"), &FlowChoice::merge,
               QStringLiteral("merge"));
    add_switch(QStringLiteral("partition"), tr("&Partition"), QKeySequence(Qt::Key_F8),
               tr("Make each region a function of its own"), tr("partition"), &FlowChoice::partition,
               QStringLiteral("partition"));
    addCommand(flow, QStringLiteral("next-pass"), tr("&Next pass"), QKeySequence(Qt::Key_F4),
               tr("Annotate, then merge, then partition"), [this] { nextPass(); });
    addCommand(
        flow, QStringLiteral("whole-flow"), tr("&Whole flow"), QKeySequence(Qt::Key_F9),
        tr("Annotate, merge and partition in one step"),
        [this] {
            changeChoice(tr("whole flow"),
                         [](FlowChoice& choice) { choice.annotate = choice.merge = choice.partition = true; });
        },
        QStringLiteral("flow"));
    addCommand(
        flow, QStringLiteral("reset"), tr("&Start over"), QKeySequence(), tr("Take all passes and assignments back"),
        [this] {
            changeChoice(tr("start over"), [](FlowChoice& choice) {
                choice.annotate = choice.merge = choice.partition = choice.simplify = false;
                choice.overrides.clear();
                choice.groups.clear();
            });
        },
        QStringLiteral("reset"));
    flow.addSeparator();
    add_switch(QStringLiteral("simplify"), tr("S&implify first"), QKeySequence(),
               tr("Simplify inference (batch_norm, dropout) and fold constants; assignments by hand are cleared"),
               tr("simplify"), &FlowChoice::simplify);
    add_switch(QStringLiteral("composite"), tr("Use &composite patterns"), QKeySequence(),
               tr("Match the backends' patterns before annotating"), tr("composite patterns"), &FlowChoice::composite);
    add_switch(QStringLiteral("non-call"), tr("Include &tuples and projections"), QKeySequence(),
               tr("Tuples, projections and references go where their operands go (include_non_call_ops)"),
               tr("include tuples and projections"), &FlowChoice::include_non_call_ops);
    add_switch(QStringLiteral("bind-constants"), tr("&Bind constants"), QKeySequence(),
               tr("Put constant inputs into the sub-functions"), tr("bind constants"), &FlowChoice::bind_constants);
    flow.addSeparator();
    addCommand(
        flow, QStringLiteral("run"), tr("&Run"), QKeySequence(Qt::Key_F5),
        tr("Run the module, measure each region and compare the outputs"), [this] { runModule(); },
        QStringLiteral("run"));
    addCommand(flow, QStringLiteral("compare-regions"), tr("Compare re&gions"), {},
               tr("Run again and hold what each region gives against the same region on default; the first that "
                  "differs is selected"),
               [this] {
                   showPanel(timing_);
                   timing_->compareBoundaries();
               });
    flow.addSeparator();
    addCommand(flow, QStringLiteral("predict"), tr("Predic&t the regions"), QKeySequence(Qt::SHIFT | Qt::Key_F2),
               tr("Mark the regions of the open graph yourself, then compare"), [this] {
                   showPanel(lessons_);
                   lessons_->predictOpenGraph();
                   if (GraphPage* page = currentPage()) page->view().setFocus();
               });
    addCommand(flow, QStringLiteral("mark-region"), tr("Mark as a re&gion"), QKeySequence(Qt::Key_G),
               tr("While predicting: the selected operators are one region"),
               [this] { lessons_->prediction().markSelection(); });
    flow.addSeparator();
    addCommand(flow, QStringLiteral("cancel"), tr("&Cancel"), QKeySequence(tr("Ctrl+.")), tr("Cancel what is running"),
               [this] { jobs_.cancelAll(); });

    backend_menu_ = menuBar()->addMenu(tr("&Backend"));
    QMenu& backend = *backend_menu_;
    for (int i = 0; i <= kBackendKeys; ++i) {
        QAction* action = addCommand(backend, QStringLiteral("backend-%1").arg(i), QString(),
                                     QKeySequence(Qt::Key_0 + i), QString(), [this, i] { giveSelection(i - 1); });
        action->setVisible(false);
        backend_actions_.push_back(action);
    }
    addCommand(
        backend, QStringLiteral("automatic"), tr("Leave to the &rules"), QKeySequence(Qt::Key_A),
        tr("Take back what was given by hand"), [this] { giveSelection(std::nullopt); }, QStringLiteral("automatic"));
    backend.addSeparator();
    addCommand(backend, QStringLiteral("backends"), tr("&Choose backends…"), QKeySequence(tr("Ctrl+B")),
               tr("Which backends, in which order; add one from a file"), [this] { chooseBackends(); });
    addCommand(backend, QStringLiteral("edit-rules"), tr("&Edit rules"), QKeySequence(tr("Ctrl+Shift+R")),
               tr("Change a backend's rules and see at once what moves"), [this] { showPanel(rules_); });
    addCommand(backend, QStringLiteral("coverage"), tr("C&overage"), QKeySequence(tr("Ctrl+Shift+V")),
               tr("What goes where, what keeps the rest away, and what would change that"),
               [this] { showPanel(coverage_); });
}

void MainWindow::buildViewActions() {
    QMenu& view = *menuBar()->addMenu(tr("&View"));
    addCommand(
        view, QStringLiteral("fit"), tr("&Fit"), QKeySequence(Qt::Key_F), tr("Show the whole graph"),
        [this] { lookAround([](GraphView& v) { v.fit(); }); }, QStringLiteral("fit"));
    addCommand(view, QStringLiteral("fit-selection"), tr("Fit the &selection"), QKeySequence(Qt::SHIFT | Qt::Key_F),
               tr("Show the selected operators"), [this] { forCurrentView([](GraphView& v) { v.fitSelection(); }); });
    addCommand(
        view, QStringLiteral("zoom-in"), tr("Zoom &in"), QKeySequence(Qt::Key_Plus), tr("Larger (also Ctrl+wheel)"),
        [this] { lookAround([](GraphView& v) { v.zoomIn(); }); }, QStringLiteral("zoom-in"))
        ->setShortcuts({QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal), QKeySequence(tr("Ctrl++"))});
    addCommand(
        view, QStringLiteral("zoom-out"), tr("Zoom &out"), QKeySequence(Qt::Key_Minus), tr("Smaller (also Ctrl+wheel)"),
        [this] { lookAround([](GraphView& v) { v.zoomOut(); }); }, QStringLiteral("zoom-out"))
        ->setShortcuts({QKeySequence(Qt::Key_Minus), QKeySequence(tr("Ctrl+-"))});
    addCommand(view, QStringLiteral("zoom-actual"), tr("&Actual size"), QKeySequence(tr("Ctrl+0")), tr("One to one"),
               [this] { lookAround([](GraphView& v) { v.zoomToActualSize(); }); });
    addCommand(view, QStringLiteral("compare"), tr("&Compare stages or files"), QKeySequence(tr("Ctrl+D")),
               tr("Two stages of the flow, or two files, side by side with what is different"), [this] { compare(); });
    view.addSeparator();
    QAction* heat = addCommand(
        view, QStringLiteral("heat"), tr("&Heat of the last run"), QKeySequence(Qt::Key_H),
        tr("Colour operators by the time they took"), [] {}, QStringLiteral("heat"));
    heat->setCheckable(true);
    connect(heat, &QAction::triggered, this, &MainWindow::setHeat);
    const auto add_option = [&](const QString& name, const QString& text, const QKeySequence& key,
                                const std::function<bool&(Settings&)>& field) {
        QAction* action = addCommand(view, name, text, key, QString(), [] {});
        action->setCheckable(true);
        action->setChecked(field(settings_));
        connect(action, &QAction::triggered, this, [this, field](bool on) {
            Settings settings = settings_;
            field(settings) = on;
            applySettings(settings);
        });
    };
    add_option(QStringLiteral("weights"), tr("&Weights and constants"), QKeySequence(Qt::Key_W),
               [](Settings& s) -> bool& { return s.canvas.model.show_weights; });
    add_option(QStringLiteral("edge-types"), tr("&Types on edges"), QKeySequence(Qt::Key_T),
               [](Settings& s) -> bool& { return s.canvas.edge_types; });
    add_option(QStringLiteral("minimap"), tr("&Overview"), QKeySequence(Qt::Key_O),
               [](Settings& s) -> bool& { return s.canvas.minimap; });
    add_option(QStringLiteral("edge-widths"), tr("&Widths of edges by bytes"), QKeySequence(),
               [](Settings& s) -> bool& { return s.canvas.edge_widths; });
    buildReadingActions(view);
    view.addSeparator();
    addCommand(view, QStringLiteral("step-forward"), tr("Step forward"), QKeySequence(Qt::Key_F11),
               tr("The next decision of the passes"), [this] {
                   showSteps();
                   steps_->stepForward();
               });
    addCommand(view, QStringLiteral("step-back"), tr("Step back"), QKeySequence(Qt::SHIFT | Qt::Key_F11),
               tr("The decision before"), [this] {
                   showSteps();
                   steps_->stepBack();
               });
    addCommand(view, QStringLiteral("play"), tr("Play or pause the steps"), QKeySequence(Qt::Key_F12),
               tr("Play the decisions of the passes"), [this] {
                   showSteps();
                   steps_->togglePlaying();
               });
    addCommand(view, QStringLiteral("next-breakpoint"), tr("On to the next breakpoint"), QKeySequence(tr("Ctrl+F12")),
               tr("The next decision of a rule with a breakpoint"), [this] {
                   showSteps();
                   steps_->jumpToBreakpoint();
               });
    view.addSeparator();
    panels_menu_ = view.addMenu(tr("&Panels"));
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        dock->toggleViewAction()->setProperty("group", tr("Panels"));
        panels_menu_->addAction(dock->toggleViewAction());
    }
    QAction* full =
        addCommand(view, QStringLiteral("presentation"), tr("&Presentation"), QKeySequence(tr("Ctrl+Shift+F")),
                   tr("The graph alone, in large type and full screen; Esc: back"), [] {});
    full->setCheckable(true);
    connect(full, &QAction::triggered, this, &MainWindow::setPresenting);
}

void MainWindow::buildHelpActions() {
    QMenu& help = *menuBar()->addMenu(tr("&Help"));
    addCommand(
        help, QStringLiteral("help"), tr("&Help"), QKeySequence::HelpContents, tr("How to use Partita"),
        [this] { showHelp(); }, QStringLiteral("help"));
    addCommand(help, QStringLiteral("lessons"), tr("&Lessons"), QKeySequence(Qt::Key_F2),
               tr("Small graphs with steps and questions"), [this] { showPanel(lessons_); });
    addCommand(help, QStringLiteral("commands"), tr("&Commands…"), QKeySequence(tr("Ctrl+Shift+P")),
               tr("Find and run any command"), [this] { openCommandPalette(); });
    help.addSeparator();
    addCommand(help, QStringLiteral("about"), tr("&About Partita"), QKeySequence(), QString(), [this] { showAbout(); });
}

void MainWindow::buildToolBar() {
    tools_ = addToolBar(tr("Tools"));
    tools_->setObjectName(QStringLiteral("tools"));
    tools_->setMovable(false);
    tools_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools_->setIconSize(QSize(18, 18));
    const auto add = [this](const char* name) { tools_->addAction(action(QLatin1String(name))); };
    for (const char* name : {"open", "export"}) add(name);
    tools_->addSeparator();
    for (const char* name : {"undo", "redo"}) {
        add(name);
        static_cast<QToolButton*>(tools_->widgetForAction(action(QLatin1String(name))))
            ->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    tools_->addSeparator();
    for (const char* name : {"annotate", "merge", "partition"}) add(name);
    tools_->addSeparator();
    add("run");
    palette_bar_ = addToolBar(tr("Backends"));
    palette_bar_->setObjectName(QStringLiteral("palette"));
    palette_bar_->setMovable(false);
    palette_bar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    palette_bar_->setIconSize(QSize(16, 16));
    auto* words = new QLabel(tr("Selection to"));
    words->setContentsMargins(6, 0, 4, 0);
    palette_bar_->addWidget(words);
    for (QAction* backend : backend_actions_) palette_bar_->addAction(backend);
    palette_bar_->addAction(action(QStringLiteral("automatic")));
}

void MainWindow::updateBackendActions() {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    for (int i = 0; i < int(backend_actions_.size()); ++i) {
        QAction* action = backend_actions_[size_t(i)];
        const bool exists = i <= int(backends.size());
        action->setVisible(exists);
        if (!exists) continue;
        const QString name = document_.backendName(i - 1);
        action->setText(tr("%1 %2").arg(QString::number(i), as_title(name)));
        action->setIcon(backend_icon(i - 1, theme_));
        action->setProperty("tip", tr("Give the selection to %1").arg(name));
    }
    fitToolBars();
    updateActions();
}

/// A narrow window has two rows of tools: what falls off the end of one is not found.
void MainWindow::fitToolBars() {
    if (!palette_bar_) return;
    const bool too_wide = tools_->sizeHint().width() + palette_bar_->sizeHint().width() > width();
    if (too_wide == toolBarBreak(palette_bar_)) return;
    if (too_wide) insertToolBarBreak(palette_bar_);
    else removeToolBarBreak(palette_bar_);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitToolBars();
    fitToldToRoom();
}

/// Says what can be done now; where something can't, its tooltip says why.
void MainWindow::updateActions() {
    if (!palette_bar_) return;
    const FlowChoice& choice = document_.choice();
    const QString no_module = document_.isOpen() ? QString() : tr("Open a module first");
    const QString no_selection = !no_module.isEmpty()            ? no_module
                                 : document_.selection().empty() ? tr("Select operators first")
                                                                 : QString();
    const QString carries = document_.annotated() ? tr("The file carries its annotations already") : QString();
    const auto set = [this](const char* name, const QString& obstacle) { setObstacle(QLatin1String(name), obstacle); };
    const auto check = [this](const char* name, bool on) {
        if (QAction* action = this->action(QLatin1String(name))) action->setChecked(on);
    };
    const QUndoStack& steps = document_.undoStack();
    action(QStringLiteral("undo"))
        ->setProperty("tip",
                      steps.canUndo() ? tr("Take back: %1").arg(steps.undoText()) : tr("Take the last change back"));
    action(QStringLiteral("redo"))
        ->setProperty("tip", steps.canRedo() ? tr("Make again: %1").arg(steps.redoText())
                                             : tr("Make the change again that was taken back"));
    for (const auto& [name, obstacle] :
         {std::pair{"undo", document_.undoStack().canUndo() ? QString() : tr("Nothing was changed yet")},
          std::pair{"redo", document_.undoStack().canRedo() ? QString() : tr("Nothing was taken back")}})
        set(name, obstacle);
    set("cancel", jobs_.busy() ? QString() : tr("Nothing is running"));
    set("continue", QFileInfo::exists(Document::sessionFile()) ? QString() : tr("There is no earlier session"));
    for (const char* name : {"reload", "save", "save-as", "export", "export-c", "export-onnx", "export-report", "merge",
                             "partition", "simplify", "non-call", "bind-constants", "whole-flow", "next-pass", "reset",
                             "fit", "zoom-in", "zoom-out", "zoom-actual"})
        set(name, no_module);
    const QString no_graph =
        !no_module.isEmpty() || currentPage() ? no_module : tr("A comparison is shown: go to the tab of a graph first");
    for (const char* name : {"copy-picture", "print", "expand-all", "collapse-all", "next-bookmark",
                             "previous-bookmark", "find", "select-all"})
        set(name, no_graph);
    const QString to_annotate = !no_module.isEmpty()      ? no_module
                                : !carries.isEmpty()      ? carries
                                : choice.backends.empty() ? tr("Choose backends first")
                                                          : QString();
    set("annotate", to_annotate);
    set("composite", to_annotate);
    set("open", QString());
    set("dimensions", !no_module.isEmpty()                     ? no_module
                      : document_.symbolicDimensions().empty() ? tr("The module has no open dimensions")
                                                               : QString());
    for (const char* name :
         {"select-region", "select-same", "select-producers", "select-users", "fit-selection", "collapse", "bookmark"})
        set(name, no_selection);
    const bool path_shown = currentPage() && currentPage()->pathShown();  // then the same key takes it back
    set("path", path_shown                         ? QString()
                : !no_selection.isEmpty()          ? no_selection
                : document_.selection().size() < 2 ? tr("Select two nodes")
                                                   : QString());
    const QString to_give = !no_selection.isEmpty()             ? no_selection
                            : !document_.hasSelectedOperators() ? tr("Parameters and constants go to no backend")
                                                                : carries;
    for (QAction* action : backend_actions_) set(qPrintable(action->objectName()), to_give);
    set("automatic", to_give);
    set("predict", no_module);
    set("mark-region", !no_selection.isEmpty()                 ? no_selection
                       : lessons_->prediction().isPredicting() ? QString()
                                                               : tr("Start with Flow › Predict the regions"));
    set("run", !no_module.isEmpty() ? no_module : document_.isRunning() ? tr("A run is going on") : QString());
    const bool has_regions =
        document_.runOutcome() && document_.runOutcome()->flow && !document_.runOutcome()->flow->regions.empty();
    set("compare-regions", !no_module.isEmpty()             ? no_module
                           : !obstacleToAnswers().isEmpty() ? obstacleToAnswers()
                           : has_regions                    ? QString()
                                                            : tr("Divide the module and run it first"));
    set("heat", !no_module.isEmpty() ? no_module : document_.runOutcome() ? QString() : tr("Run the module first"));
    const QString no_answers = obstacleToAnswers();
    set("coverage", no_answers);
    const QString no_steps = !no_answers.isEmpty() ? no_answers
                             : document_.flow()    ? QString()
                                                   : tr("Annotate, merge or partition first");
    for (const char* name : {"step-forward", "step-back", "play", "next-breakpoint"}) set(name, no_steps);
    check("annotate", choice.annotate || document_.annotated());
    check("merge", choice.merge);
    check("partition", choice.partition);
    check("simplify", choice.simplify);
    check("composite", choice.composite);
    check("non-call", choice.include_non_call_ops);
    check("bind-constants", choice.bind_constants);
    QString counts;
    if (document_.isOpen()) {
        counts = tr("%n call(s)", nullptr, document_.summary().calls);
        if (document_.isEdited()) counts += QStringLiteral("  ·  ") + tr("changed by hand");
        if (const FlowPtr flow = document_.flow(); flow && !lessons_->prediction().hidesAnswers())
            counts += QStringLiteral("  ·  ") + tr("%n region(s)", nullptr, int(flow->regions.size()));
        if (!document_.selection().empty())
            counts += QStringLiteral("  ·  ") + tr("%n selected", nullptr, int(document_.selection().size()));
    }
    counts_->setText(counts);
    fitToldToRoom();
    updateGraphActions();
}

void MainWindow::updateTitle() {
    const QString name =
        document_.projectPath().isEmpty() ? document_.title() : QFileInfo(document_.projectPath()).fileName();
    // "[*]" is the place of the mark that something changed, unless it stands there twice.
    const QString title = shown_name(name).replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(document_.isOpen() ? QStringLiteral("%1[*] — Partita").arg(title) : QStringLiteral("Partita"));
    setWindowModified(!document_.projectPath().isEmpty() && document_.isUnsaved());
    setWindowFilePath(document_.path());
}

void MainWindow::updateRecentFiles() {
    welcome_->setRecentFiles(settings_.recent_files);
    recent_menu_->clear();
    for (const QString& path : settings_.recent_files)
        recent_menu_
            ->addAction(as_title(shown_name(QFileInfo(path).fileName())), this, [this, path] { openFile(path); })
            ->setStatusTip(shown_name(path));
    if (!settings_.recent_files.isEmpty()) {
        recent_menu_->addSeparator();
        recent_menu_->addAction(tr("Forget them"), this, [this] {
            settings_.recent_files.clear();
            settings_.save();
            updateRecentFiles();
        });
    }
    recent_menu_->setEnabled(!settings_.recent_files.isEmpty());
}

void MainWindow::forgetRecent(const QString& path) {
    settings_.recent_files.removeAll(path);
    settings_.save();
    updateRecentFiles();
}

/// A file that is gone can be taken from the list of those that were open; it may stand on a disk that comes back.
void MainWindow::tellNotOpened(const QString& path, const QString& message) {
    QMessageBox* box = show_warning(this, tr("%1 was not opened").arg(shown_name(QFileInfo(path).fileName())), message);
    const QString known = QFileInfo(path).absoluteFilePath();
    if (QFileInfo::exists(path) || !settings_.recent_files.contains(known)) return;
    box->setObjectName(QStringLiteral("file-gone"));
    QPushButton* forget = box->addButton(tr("Take it from the list"), QMessageBox::ActionRole);
    forget->setToolTip(tr("The list of recent files offers it no more"));
    connect(forget, &QPushButton::clicked, this, [this, known] { forgetRecent(known); });
}

void MainWindow::changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change) {
    FlowChoice choice = document_.choice();
    change(choice);
    document_.changeChoice(std::move(choice), name);
}

void MainWindow::nextPass() {
    const FlowChoice& choice = document_.choice();
    if (!choice.annotate && !document_.annotated()) return action(QStringLiteral("annotate"))->trigger();
    if (!choice.merge) return action(QStringLiteral("merge"))->trigger();
    if (!choice.partition) return action(QStringLiteral("partition"))->trigger();
    statusBar()->showMessage(tr("All passes were made."), 4000);
}

/// Calls, tuples and projections: parameters and constants go to no backend.
void MainWindow::giveSelection(std::optional<int> backend) {
    const std::vector<ExprId> operators = document_.selectedOperators();
    if (!operators.empty()) document_.giveToBackend(operators, backend);
}

void MainWindow::runModule() {
    if (!document_.isOpen() || document_.isRunning()) return;
    settings_.applyCompiler();
    with_permitted_code(this, document_.backendsThatRun(), [this](const QStringList& trusted) {
        RunRequest request = settings_.run;
        if (timing_->machine()) request.machine = *timing_->machine();
        request.trusted_code = trusted;
        document_.run(request);
    });
}

void MainWindow::chooseFile() {
    const QString folder =
        settings_.recent_files.isEmpty() ? QString() : QFileInfo(settings_.recent_files.first()).path();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a module"), folder, tr("Modules (*.relay *.txt *.onnx *.json *.partita);;All files (*)"));
    if (!path.isEmpty()) openFile(path);
}

bool MainWindow::save() {
    if (document_.projectPath().isEmpty()) return saveAs();
    saveTo(document_.projectPath());
    return true;
}

bool MainWindow::saveAs() {
    if (!document_.isOpen()) return false;
    const QFileInfo file(document_.path());
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the project"), file.dir().filePath(file.completeBaseName() + QStringLiteral(".partita")),
        tr("Projects (*.partita)"));
    if (path.isEmpty()) return false;
    if (!path.endsWith(QLatin1String(".partita"))) path += QStringLiteral(".partita");
    saveTo(path);
    return true;
}

void MainWindow::saveTo(const QString& path) { document_.saveProject(path); }

void MainWindow::chooseBackends() {
    BackendsDialog dialog(document_.choice().backends, settings_.backend_files, this);
    if (dialog.exec() != QDialog::Accepted) return;
    for (const QString& file : dialog.files()) settings_.rememberBackendFile(file);
    document_.setBackends(dialog.chosen());
    keepBackends();
}

/// For the next start. A description that stands in no file and does not ship is lost with the window.
void MainWindow::keepBackends() {
    settings_.backends.clear();
    for (const BackendPtr& backend : document_.usualBackends()) {
        if (!backend->file.empty()) settings_.backends << QString::fromStdString(backend->file);
        else if (builtin_backend(backend->name)) settings_.backends << QString::fromStdString(backend->name);
    }
    settings_.save();
}

void MainWindow::chooseSettings() {
    const QByteArray before = saveState();
    const double type = settings_.text_scale;
    bool other_type = false;
    SettingsDialog dialog(settings_, this);
    connect(&dialog, &SettingsDialog::changed, this, [&, this](const Settings& settings) {
        other_type = other_type || settings.text_scale != type;
        applySettings(settings);
    });
    // Large type made the panels wider, and they would stay so.
    if (dialog.exec() == QDialog::Rejected && other_type)
        QTimer::singleShot(0, this, [this, before] { restoreState(before); });
}

void MainWindow::openCommandPalette() {
    QList<QAction*> commands;
    for (QAction* command : findChildren<QAction*>())
        if (command->property("group").isValid() && command->isVisible() &&
            command->objectName() != QLatin1String("commands"))
            commands << command;
    auto* dialog = new CommandPalette(commands, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->adjustSize();
    dialog->move(mapToGlobal(QPoint((width() - dialog->width()) / 2, 90)));
    dialog->show();
}

void MainWindow::showContextMenu(const QPoint& place) {
    QMenu menu(this);
    addGraphActions(menu);
    if (GraphPage* page = currentPage(); page && page->view().currentEdge() >= 0) {
        menu.exec(place);
        return;
    }
    const bool operators = document_.hasSelectedOperators();
    if (operators) {
        if (!menu.isEmpty()) menu.addSeparator();
        for (QAction* backend : backend_actions_)
            if (backend->isVisible()) menu.addAction(backend);
        menu.addAction(action(QStringLiteral("automatic")));
    }
    menu.addSeparator();
    if (operators) menu.addAction(action(QStringLiteral("select-region")));
    for (const char* name : {"select-same", "select-producers", "select-users"})
        menu.addAction(action(QLatin1String(name)));
    menu.addSeparator();
    for (const char* name : {"collapse", "bookmark", "path"}) menu.addAction(action(QLatin1String(name)));
    menu.addSeparator();
    for (const char* name : {"fit-selection", "fit"}) menu.addAction(action(QLatin1String(name)));
    menu.exec(place);
}

/// At what is being worked in.
void MainWindow::showHelp() {
    const QWidget* focus = QApplication::focusWidget();
    const auto in = [focus](const QWidget* panel) { return focus && (panel == focus || panel->isAncestorOf(focus)); };
    HelpTopic topic = HelpTopic::FirstMinutes;
    if (in(rules_)) topic = HelpTopic::Rules;
    else if (in(timing_)) topic = HelpTopic::Timing;
    else if (in(lessons_)) topic = HelpTopic::Lessons;
    else if (in(inspector_) || in(steps_) || in(coverage_)) topic = HelpTopic::Why;
    else if (qobject_cast<DiffPage*>(pages_->currentWidget())) topic = HelpTopic::Comparing;
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
