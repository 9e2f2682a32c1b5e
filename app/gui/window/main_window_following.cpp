// What joins the window's parts, and what they do when the document changes.
#include <utility>

#include <QCheckBox>
#include <QFileInfo>
#include <QStackedWidget>

#include "app/gui/editing/fault_bubble.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/numbers/numbers_panel.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/menu_backend.h"
#include "app/gui/window/menu_edit.h"
#include "app/gui/window/menu_file.h"
#include "app/gui/window/menu_flow.h"
#include "app/gui/window/menu_graph.h"
#include "app/gui/window/menu_view.h"
#include "app/gui/window/places_seen.h"
#include "app/gui/window/presentation.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/run_inputs.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/tool_bars.h"

namespace partita {

void MainWindow::connectOpening() {
    connect(opening_, &FileOpening::began, this, &MainWindow::showCentre);
    connect(opening_, &FileOpening::recentFilesChanged, this, &MainWindow::updateRecentFiles);
    ReportFiles& reports = opening_->reports();
    connect(&reports, &ReportFiles::told, status_, &StatusLine::tell);
    connect(&reports, &ReportFiles::numbersGiven, this, [this](const QStringList& files) {
        panels_->show(&panels_->numbers());
        panels_->numbers().add(files);
    });
    connect(&reports, &ReportFiles::timesShown, menus_.view, [this] { menus_.view->setHeat(true); });
    connect(run_inputs_, &RunInputs::told, status_, &StatusLine::tell);
}

void MainWindow::connectPages() {
    connect(pages_, &Pages::made, graph_editor_, &GraphEditor::watch);
    connect(pages_, &Pages::made, this, [this](GraphPage* page) {
        connect(&page->view(), &GraphView::currentEdgeChanged, this, &MainWindow::tellOfEdge);
        connect(&page->view(), &GraphView::selectionEdited, this, &MainWindow::tellOfGroup);
    });
    connect(places_seen_, &PlacesSeen::changed, this, [this] {
        for (const char* id : {"back", "forward"}) commands_->update(QLatin1String(id));
    });
    connect(pages_, &Pages::changed, this, &MainWindow::tellOfEdge);
    connect(pages_, &Pages::changed, this, &MainWindow::updateCommands);
    connect(pages_, &Pages::changed, this, [this] {
        const GraphPage* page = currentPage();
        if (page && page->target().source == PageTarget::Source::Partitioned)
            panels_->code().showRegion(page->target().function);
    });
    connect(pages_, &Pages::contextMenuRequested, menus_.graph, &GraphMenu::showContextMenu);
    connect(pages_, &Pages::resultWanted, this, [this] {
        if (pages_->showsStep()) panels_->steps().stop();
        else panels_->lessons().endPrediction();
    });
    connect(presentation_, &Presentation::changed, this, [this] {
        applyTheme();
        updateCommands();
    });
}

void MainWindow::connectPanels() {
    connect(panels_, &Panels::told, status_, &StatusLine::tell);
    connect(panels_, &Panels::regionSelected, menus_.edit, &EditMenu::selectRegion);
    connect(panels_, &Panels::regionsSelected, menus_.edit, &EditMenu::selectRegions);
    connect(&panels_->outline(), &OutlinePanel::functionOpened, pages_, &Pages::openFunction);
    connect(&panels_->inspector(), &InspectorPanel::pathShown, pages_, &Pages::showPath);
    connect(&panels_->inspector(), &InspectorPanel::functionWanted, this,
            [this](const QString& name) { pages_->openFunction(name, true); });
    connect(&document_, &Document::selectionChanged, pages_, [this] { pages_->showPath({}); });
    connect(&panels_->rules(), &RulesPanel::saved, menus_.backend, &BackendMenu::keepBackends);
    connect(&panels_->timing(), &TimingPanel::heatToggled, menus_.view, &ViewMenu::setHeat);
    connect(&panels_->numbers(), &NumbersPanel::heatWanted, this, [this](const auto& heat) {
        pages_->showHeat(heat);
        panels_->timing().showHeat(false);
        for (const char* command : {"heat", "regret-heat"}) commands_->update(QLatin1String(command));
    });
    connect(&panels_->numbers(), &NumbersPanel::failed, this,
            [this](const QString& message) { show_warning(this, tr("The numbers were not taken"), message); });
    connect(&panels_->timing(), &TimingPanel::runWanted, menus_.flow, &FlowMenu::run);
    connect(&panels_->steps(), &StepsPanel::stepShown, this, &MainWindow::showStep);
    connect(&panels_->lessons().prediction(), &PredictionView::shown, this, &MainWindow::showPrediction);
    connect(&panels_->lessons().prediction(), &PredictionView::predictingChanged, this, &MainWindow::updateCommands);
    connect(&panels_->lessons(), &LessonsPanel::pageChanged, this, [this] {
        presentation_->setPage(panels_->lessons().pageText(), panels_->lessons().choicesText(),
                               panels_->lessons().asksQuestion());
        updateCommands();
    });
}

void MainWindow::connectDocument() {
    connect(&document_, &Document::opened, this, &MainWindow::showOpened);
    connect(&document_, &Document::openFailed, this, &MainWindow::updateCommands);
    connect(&document_, &Document::flowFailed, this, [this](const QString& message) {
        panels_->show(&panels_->problems());
        status_->tell(message);
    });
    connect(&document_, &Document::flowChanged, this, [this] {
        pages_->followDivision();
        updateCommands();
    });
    connect(&document_, &Document::choiceChanged, this, &MainWindow::updateBackends);
    connect(&document_, &Document::selectionChanged, this, &MainWindow::updateCommands);
    connect(&document_, &Document::runStarted, this, &MainWindow::updateCommands);
    connect(&document_, &Document::runFinished, this, [this] {
        panels_->show(&panels_->timing());
        if (panels_->timing().heatSwitch().isChecked()) menus_.view->setHeat(true);
        updateCommands();
    });
    connect(&document_, &Document::runFailed, this, [this](const QString& message) {
        updateCommands();
        if (!message.isEmpty()) show_warning(this, tr("The run failed"), message);
    });
    connectSaving();
}

void MainWindow::connectSaving() {
    connect(&document_, &Document::projectSaved, this, [this](const QString& path) {
        settings_.remember(path);
        opening_->keepRecentFiles();
        updateTitle();
        status_->tell(tr("%1 was written.").arg(path));
    });
    connect(&document_, &Document::projectNotSaved, this, [this](const QString& path, const QString& message) {
        if (!message.isEmpty()) tell_not_written(*this, path, message, [this] { menus_.file->saveAs(); });
    });
    connect(exports_, &Exports::written, this, [this](const QString& path, bool is_foreign) {
        status_->tell(is_foreign ? tr("%1 was written, with operators that TVM does not have; “Lower to Relay's "
                                      "operators first” writes them as Relay's own.")
                                       .arg(path)
                                 : tr("%1 was written.").arg(path));
    });
    connect(&document_, &Document::notKept, this, [this](const QString& message) {
        show_warning(this, tr("What is not saved is not kept for a crash"),
                     tr("%1\n\nThe work goes on; save the project to be sure of it (Ctrl+S).").arg(message));
    });
    connect(&document_.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(&document_, &Document::bookmarksChanged, this, &MainWindow::updateTitle);
    connect(&document_, &Document::inputsChanged, this, &MainWindow::updateTitle);
}

void MainWindow::connectEditing() {
    connect(graph_editor_, &GraphEditor::changed, this, &MainWindow::updateCommands);
    connect(&document_, &Document::edited, this, [this, was_edited = false](const QString&) mutable {
        status_->clearMessage();  // why the edit before was refused
        updateTitle();
        updateCommands();
        const bool read_again =
            was_edited && !document_.isEdited() && document_.undoStack().index() == document_.undoStack().count();
        if (read_again) status_->tell(tr("The file was read again. Undo brings your own changes back."));
        was_edited = document_.isEdited();
    });
    connect(&document_, &Document::editRefused, this, [this](const QString& message, ExprId place) {
        if (graph_editor_->isAsking()) return;  // it stands where it was asked for
        status_->tell(message);
        if (GraphPage* page = currentPage()) FaultBubble::show(*page, place, message, theme_);
    });
}

void MainWindow::showOpened() {
    backend_slots_.clear();  // chosen anew once the choice is told, which follows
    opening_->rememberOpened();
    status_->clearMessage();  // what was told of the module before
    tellBackendsOfItsKind();
    menus_.view->setHeat(false);
    settings_.canvas.grouping = Grouping::Automatic;  // what was chosen was for the file before
    pages_->setCanvasOptions(settings_.canvas);
    pages_->begin(opening_->view());
    updateTitle();
    updateCommands();
    // What lessons lack is not about what was opened.
    if (document_.problems().size() > document_.lessonFaults()) panels_->show(&panels_->problems());
    pages_->forCurrentView([](GraphView& view) { view.setFocus(); });
    opening_->goOn();
}

/// Nobody chose these: which they are, why, and how to get the others.
void MainWindow::tellBackendsOfItsKind() {
    if (!document_.hasBackendsOfItsKind() || document_.choice().backends.size() != 2) return;
    const QString first = document_.backendName(0), second = document_.backendName(1);
    status_->tell(
        document_.isModel()
            ? tr("The backends are %1 and %2, which run a model fastest. As in TVM: Ctrl+Alt+T.").arg(first, second)
            : tr("The backends are %1 and %2, as in TVM. For speed: Ctrl+Alt+S.").arg(first, second));
}

/// The inspector tells of the edge that is chosen on the page in front.
void MainWindow::tellOfEdge() {
    const GraphPage* page = currentPage();
    const int64_t edge = page && page->view().hasGraph() ? page->view().currentEdge() : -1;
    if (edge < 0) return panels_->inspector().showEdge({});
    const GraphModelPtr& model = page->view().model();
    const GraphEdge& chosen = model->edges[size_t(edge)];
    if (model->nodes[chosen.to].kind == GraphNodeKind::Group || model->module != document_.shownModule())
        return panels_->inspector().showEdge({});  // several values in one
    const ExprId user = model->nodes[chosen.to].expr;
    const std::span<const ExprId> operands = model->module->operands(user);
    if (chosen.argument < operands.size())
        panels_->inspector().showEdge(ShownEdge{operands[chosen.argument], user, chosen.argument});
}

/// The inspector tells of the one group that is selected on the page in front.
void MainWindow::tellOfGroup() {
    const GraphPage* page = currentPage();
    if (!page || !page->view().hasGraph()) return;
    const std::vector<uint32_t> selected = page->view().selectedNodes();
    const GraphModel& model = *page->view().model();
    const int32_t group = selected.size() == 1 && model.groups ? model.nodes[selected.front()].group : -1;
    if (group < 0) return;
    const GraphGroup& shown = model.groups->groups[size_t(group)];
    panels_->inspector().showGroup(shown.title, shown.difference);
}

void MainWindow::updateCommands() {
    commands_->update();
    status_->count(document_, panels_->lessons().prediction().hidesAnswers() || panels_->lessons().hidesRegions());
}

QString MainWindow::modelName() const {
    if (!document_.isOpen()) return {};
    const QString project = document_.projectPath();
    return shown_name(project.isEmpty() ? document_.title() : QFileInfo(project).fileName());
}

void MainWindow::updateTitle() {
    // "[*]" is the place of the mark that something changed, unless it stands there twice.
    const QString title = modelName().replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(document_.isOpen() ? QStringLiteral("%1[*] — Partita").arg(title) : QStringLiteral("Partita"));
    setWindowModified(!document_.projectPath().isEmpty() && document_.isUnsaved());
    setWindowFilePath(document_.path());
}

void MainWindow::showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                          const std::shared_ptr<const DecorationInput>& state) {
    if (!state && !pages_->showsStep()) return;
    // In front of people only the decision is marked.
    if (state && presentation_->isOn()) document_.setSelection({});
    presentation_->setSentence(state ? panels_->steps().sentence() : QString());
    pages_->showStep(subjects, related, state,
                     tr("Step %1 of %2").arg(panels_->steps().currentRow() + 1).arg(panels_->steps().rowCount()));
}

void MainWindow::showPrediction(const std::shared_ptr<const DecorationInput>& state) {
    if (state && pages_->showsStep()) panels_->steps().stop();
    // A lesson goes on by its pages.
    pages_->showPrediction(state, state && !panels_->lessons().isInLesson() ? tr("Predicting") : QString());
}

/// Returns the places of the backends in the palette, and keeps them: a backend has its own when others come, go or
/// change places.
std::vector<int> MainWindow::slotsOfBackends() {
    if (!document_.isOpen()) backend_slots_.clear();
    QStringList names;
    for (const BackendPtr& backend : document_.choice().backends) names << QString::fromStdString(backend->name);
    std::vector<int> taken, now;
    for (const QString& name : names)
        if (backend_slots_.contains(name)) taken.push_back(backend_slots_[name]);
    for (const QString& name : names) {
        if (!backend_slots_.contains(name)) {
            int slot = 0;
            while (std::find(taken.begin(), taken.end(), slot) != taken.end()) ++slot;
            taken.push_back(backend_slots_[name] = slot);
        }
        now.push_back(backend_slots_[name]);
    }
    return now;
}

/// Colours are of the theme, and of the backends' places.
void MainWindow::tellColours() {
    pages_->setTheme(theme_);
    panels_->setTheme(theme_);
    presentation_->setTheme(theme_);
}

void MainWindow::updateBackends() {
    if (std::vector<int> now = slotsOfBackends(); now != theme_.backend_slots) {
        theme_.backend_slots = std::move(now);
        tellColours();
    }
    menus_.backend->setIcons();
    updateCommands();
    tool_bars_->fit();
}

}  // namespace partita
