// What joins the window's parts, and what they do when the document changes.
#include <utility>

#include <QCheckBox>
#include <QFileInfo>
#include <QStackedWidget>

#include "app/gui/diff/diff_page.h"
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
#include "app/gui/window/file_watch.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/missing_backends.h"
#include "app/gui/window/place_links.h"
#include "app/gui/window/places_seen.h"
#include "app/gui/window/presentation.h"
#include "app/gui/window/report_files.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/welcome_page.h"

namespace partita {

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
    connect(pages_, &Pages::contextMenuRequested, this, &MainWindow::showContextMenu);
    connect(pages_, &Pages::resultWanted, this, [this] {
        if (pages_->showsStep()) steps().stop();
        else lessons().endPrediction();
    });
    connect(presentation_, &Presentation::changed, this, [this] {
        applyTheme();
        updateCommands();
    });
}

void MainWindow::connectPanels() {
    connect(panels_, &Panels::told, status_, &StatusLine::tell);
    connect(panels_, &Panels::regionSelected, this, &MainWindow::selectRegion);
    connect(panels_, &Panels::regionsSelected, this, &MainWindow::selectRegions);
    connect(&outline(), &OutlinePanel::functionOpened, pages_, &Pages::openFunction);
    connect(&inspector(), &InspectorPanel::pathShown, pages_, &Pages::showPath);
    connect(&inspector(), &InspectorPanel::functionWanted, this,
            [this](const QString& name) { pages_->openFunction(name, true); });
    connect(&document_, &Document::selectionChanged, pages_, [this] { pages_->showPath({}); });
    connect(&rules(), &RulesPanel::saved, this, &MainWindow::keepBackends);
    connect(&timing(), &TimingPanel::heatToggled, this, &MainWindow::setHeat);
    connect(&panels_->numbers(), &NumbersPanel::heatWanted, this, [this](const auto& heat) {
        pages_->showHeat(heat);
        timing().showHeat(false);
        for (const char* command : {"heat", "regret-heat"}) commands_->update(QLatin1String(command));
    });
    connect(&panels_->numbers(), &NumbersPanel::failed, this,
            [this](const QString& message) { tell(tr("The numbers were not taken"), message); });
    connect(&timing(), &TimingPanel::runWanted, this, &MainWindow::runModule);
    connect(&steps(), &StepsPanel::stepShown, this, &MainWindow::showStep);
    connect(&lessons().prediction(), &PredictionView::shown, this, &MainWindow::showPrediction);
    connect(&lessons().prediction(), &PredictionView::predictingChanged, this, &MainWindow::updateCommands);
    connect(&lessons(), &LessonsPanel::pageChanged, this, [this] {
        presentation_->setPage(lessons().pageText(), lessons().choicesText(), lessons().asksQuestion());
        updateCommands();
    });
}

void MainWindow::connectDocument() {
    connect(&document_, &Document::opened, this, &MainWindow::showOpened);
    connect(&document_, &Document::openFailed, this, [this](const QString& path, const QString& message) {
        when_opened_ = {};
        updateCommands();
        if (!message.isEmpty()) tellNotOpened(path, message);
    });
    connect(&document_, &Document::flowFailed, this, [this](const QString& message) {
        showPanel(&problems());
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
        showPanel(&timing());
        if (timing().heatSwitch().isChecked()) setHeat(true);
        updateCommands();
    });
    connect(&document_, &Document::runFailed, this, [this](const QString& message) {
        updateCommands();
        if (!message.isEmpty()) tell(tr("The run failed"), message);
    });
    connectSaving();
}

void MainWindow::connectSaving() {
    connect(&document_, &Document::projectSaved, this, [this](const QString& path) {
        settings_.remember(path);
        keepRecentFiles();
        updateTitle();
        status_->tell(tr("%1 was written.").arg(path));
    });
    connect(&document_, &Document::projectNotSaved, this, [this](const QString& path, const QString& message) {
        if (!message.isEmpty()) tell_not_written(*this, path, message, [this] { saveAs(); });
    });
    connect(exports_, &Exports::written, this, [this](const QString& path, bool is_foreign) {
        status_->tell(is_foreign ? tr("%1 was written, with operators that TVM does not have; “Lower to Relay's "
                                      "operators first” writes them as Relay's own.")
                                       .arg(path)
                                 : tr("%1 was written.").arg(path));
    });
    connect(&document_, &Document::notKept, this, [this](const QString& message) {
        tell(tr("What is not saved is not kept for a crash"),
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
    if (QFileInfo::exists(document_.path())) {
        settings_.remember(document_.projectPath().isEmpty() ? document_.path() : document_.projectPath());
        keepRecentFiles();
    }
    status_->clearMessage();  // what was told of the module before
    tellBackendsOfItsKind();
    setHeat(false);
    settings_.canvas.grouping = Grouping::Automatic;  // what was chosen was for the file before
    pages_->setCanvasOptions(settings_.canvas);
    const auto [compared, view, reports, place] = std::exchange(when_opened_, {});
    pages_->begin(view);
    updateTitle();
    updateCommands();
    // What lessons lack is not about what was opened.
    if (document_.problems().size() > document_.lessonFaults()) showPanel(&problems());
    pages_->forCurrentView([](GraphView& view) { view.setFocus(); });
    if (!document_.symbolicDimensions().empty() && !document_.dimensionsChosen()) chooseDimensions();
    if (!reports.isEmpty()) report_files_->add(reports);
    if (const QString fault = go_to_place(*this, place); !fault.isEmpty()) status_->tell(fault);
    if (!compared.isEmpty()) pages_->compare()->openFile(DiffSideName::After, compared);
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
    if (edge < 0) return inspector().showEdge({});
    const GraphModelPtr& model = page->view().model();
    const GraphEdge& chosen = model->edges[size_t(edge)];
    if (model->nodes[chosen.to].kind == GraphNodeKind::Group || model->module != document_.shownModule())
        return inspector().showEdge({});  // several values in one
    const ExprId user = model->nodes[chosen.to].expr;
    const std::span<const ExprId> operands = model->module->operands(user);
    if (chosen.argument < operands.size())
        inspector().showEdge(ShownEdge{operands[chosen.argument], user, chosen.argument});
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
    inspector().showGroup(shown.title, shown.difference);
}

void MainWindow::updateCommands() {
    commands_->update();
    status_->count(document_, lessons().prediction().hidesAnswers() || lessons().hidesRegions());
}

Command::Reason MainWindow::needs(QString (MainWindow::*what)() const) const {
    return [this, what] { return (this->*what)(); };
}

QString MainWindow::needsModule() const { return document_.isOpen() ? QString() : tr("Open a module first"); }

QString MainWindow::needsOtherModel() const {
    const auto* tabs = qobject_cast<const QStackedWidget*>(parentWidget());
    return tabs && tabs->count() > 1 ? QString() : tr("There is no other model: File › New tab opens one");
}

QString MainWindow::needsModuleToDivide() const {
    return document_.isOpen() ? lessons().obstacleToDividing() : needsModule();
}

QString MainWindow::needsLesson() const { return lessons().isInLesson() ? QString() : tr("Open a lesson first"); }

QString MainWindow::needsLessonToEdit() const {
    return lessonEditor().draft().isOpen() || !lessons().lessonFile().isEmpty() ? QString() : needsLesson();
}

QString MainWindow::needsHiddenQuestion() const {
    if (!presentation_->isOn()) return tr("In a presentation the question of a lesson is hidden");
    return lessons().asksQuestion() ? QString() : tr("This page asks no question");
}

QString MainWindow::needsGraph() const {
    if (!document_.isOpen()) return needsModule();
    return pages_->current() ? QString() : tr("A comparison is shown: go to the tab of a graph first");
}

QString MainWindow::needsSelection() const {
    if (!document_.isOpen()) return needsModule();
    return document_.selection().empty() ? tr("Select operators first") : QString();
}

QString MainWindow::needsTwoNodes() const {
    if (pages_->current() && pages_->current()->pathShown()) return {};  // then the same key takes it back
    if (!document_.isOpen() || document_.selection().empty()) return needsSelection();
    return document_.selection().size() < 2 ? tr("Select two nodes") : QString();
}

QString MainWindow::needsOwnAnnotations() const {
    return document_.annotated() ? tr("The file carries its annotations already") : QString();
}

QString MainWindow::needsOperators() const {
    if (!document_.isOpen() || document_.selection().empty()) return needsSelection();
    if (!document_.hasSelectedOperators()) return tr("Parameters and constants go to no backend");
    return needsOwnAnnotations();
}

QString MainWindow::needsBackends() const {
    if (!document_.isOpen()) return needsModule();
    if (document_.annotated()) return needsOwnAnnotations();
    if (QString asked = lessons().obstacleToDividing(); !asked.isEmpty()) return asked;
    return document_.choice().backends.empty() ? tr("Choose backends first") : QString();
}

QString MainWindow::needsSteps() const {
    QString answers = panels_->obstacleToAnswers();
    if (!answers.isEmpty() || document_.flow()) return answers;
    return tr("Annotate, merge or partition first");
}

QString MainWindow::needsRegionsOfRun() const {
    if (!document_.isOpen()) return needsModule();
    QString answers = panels_->obstacleToAnswers();
    const RunOutcomePtr& run = document_.runOutcome();
    if (!answers.isEmpty() || (run && run->flow && !run->flow->regions.empty())) return answers;
    return tr("Divide the module and run it first");
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
    presentation_->setSentence(state ? steps().sentence() : QString());
    pages_->showStep(subjects, related, state,
                     tr("Step %1 of %2").arg(steps().currentRow() + 1).arg(steps().rowCount()));
}

void MainWindow::showPrediction(const std::shared_ptr<const DecorationInput>& state) {
    if (state && pages_->showsStep()) steps().stop();
    // A lesson goes on by its pages.
    pages_->showPrediction(state, state && !lessons().isInLesson() ? tr("Predicting") : QString());
}

}  // namespace partita
