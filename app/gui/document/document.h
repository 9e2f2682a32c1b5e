// An opened module with a person's choices and what follows from them.
//
// The module is immutable; choices change through the undo stack only, each step with a name; results (flow, run) are
// made by jobs and carry the revision of the choice that they were made from: a result of an older revision is
// dropped, but for a run, which stays and is marked as outdated. Everything that is shown is asked from here.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "app/gui/document/journal.h"
#include "app/gui/document/opened_state.h"
#include "app/gui/document/usual_backends.h"
#include "app/gui/jobs/job_runner.h"

namespace partita {

class LayoutCache;

struct OpenedDocument;  ///< open_document.h
struct DividedModule;   ///< document_flow.cpp

/// By the model's absolute path.
using DimensionsByFile = std::map<QString, Dimensions>;
/// An edit of the module that is shown: a pure function, run on a worker.
using ModuleEdit = std::function<EditResult(const Module& module)>;

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);

    // What is open.
    bool isOpen() const { return open_.content.module != nullptr; }
    bool isOpening() const { return running_.opening != 0; }
    /// The module's file.
    const QString& path() const { return open_.file.path; }
    /// Whether there is something that no project holds yet.
    bool isUnsaved() const {
        return isOpen() && (open_.file.unsaved || !undo_stack_.isClean() || bookmarks() != open_.file.saved_bookmarks ||
                            inputs() != open_.file.saved_inputs);
    }
    /// Whether there is something that no pass makes again: edits, placements and bookmarks.
    bool hasHandwork() const;
    /// The project's file; "" while it was not saved.
    const QString& projectPath() const { return open_.file.project_path; }
    QString title() const;
    /// The module as it was read.
    ModulePtr module() const { return open_.content.module; }
    /// Its graph as the file states it; null where the file is none, and after an edit.
    const std::shared_ptr<const Graph>& graph() const { return open_.content.graph; }
    /// The module that the canvas shows and that decisions, regions and the selection refer to.
    ModulePtr shownModule() const {
        const FlowPtr& made = open_.division.flow;
        return made && made->input ? made->input : open_.content.base();
    }
    /// What the shown module was simplified or folded from; null if it was not.
    ModulePtr sourceModule() const { return open_.content.isRewritten() ? open_.content.module : nullptr; }
    /// The names of the shown module's expressions. Only while a module is open.
    const ExpressionNames& names() const { return named()->names; }
    NamedModulePtr named() const;
    /// Of the module that is shown.
    const ModuleSummary& summary() const;
    bool annotated() const { return open_.content.annotated; }
    /// Of an ONNX model: the symbolic dimensions of its inputs, with the sizes that it was read with.
    const std::vector<NamedDimension>& symbolicDimensions() const { return open_.file.symbolic_dimensions; }
    /// Whether somebody chose these values: for this file before, or in the project.
    bool dimensionsChosen() const { return open_.file.dimensions_chosen; }

    // What was chosen.
    const FlowChoice& choice() const { return open_.content.choice; }
    quint64 revision() const { return revision_; }
    QUndoStack& undoStack() { return undo_stack_; }
    JobRunner& jobs() { return jobs_; }
    /// The name of a backend of the choice; -1 gives "default".
    QString backendName(int backend) const;

    // What follows from it.
    /// The backend that the division gives an expression of the shown module; -1 for default or while there is none.
    int backendOf(ExprId expression) const {
        const FlowPtr& made = open_.division.flow;
        return made && expression.value < made->backend_of.size() ? made->backend_of[expression.value] : -1;
    }
    FlowPtr flow() const { return open_.division.flow; }
    /// Of the flow; null without one.
    const RefusedMergesPtr& refusedMerges() const { return open_.division.refused_merges; }
    /// Of the flow; null without one.
    RuleCountsPtr ruleCounts() const { return open_.division.rule_counts; }
    RefusedAtLinePtr refusedAtLine() const { return open_.division.refused_at_line; }
    RuleFaultsPtr ruleFaults() const { return open_.division.rule_faults; }
    /// The module after partitioning, if that was chosen; else null.
    ModulePtr partitioned() const {
        return open_.division.flow && choice().partition ? open_.division.flow->partitioned : nullptr;
    }
    /// Those that a run would hand regions to: of the division as it stands, else of those that the file brings along.
    std::vector<BackendPtr> backendsThatRun() const;
    bool flowIsCurrent() const { return open_.divided_revision == revision_; }
    /// Whether the choice is being taken back because the division that it asked for was cancelled.
    bool isGoingBack() const { return going_back_; }
    /// The last run; null without one.
    const RunOutcomePtr& runOutcome() const { return open_.runs.last; }
    bool isRunning() const { return running_.run != 0; }
    /// What the regions of the last run gave, once they were compared; null: not compared.
    const FlowedValuesPtr& flowedValues() const { return open_.runs.flowed; }
    void setFlowedValues(FlowedValuesPtr values);
    const std::vector<RunRecordPtr>& runHistory() const { return open_.runs.records; }
    void keepRun(RunRecordPtr record) { open_.runs.keep(std::move(record)); }
    const std::vector<Problem>& problems() const { return open_.problems.all(); }

    /// How many of the problems are faults of lessons.
    size_t lessonFaults() const { return open_.problems.of(Problems::Lessons).size(); }

    /// Expressions of the shown module that a person marked, in the order of marking.
    const std::vector<Bookmark>& bookmarks() const { return open_.content.bookmarks; }
    bool isBookmarked(ExprId expression) const;
    void toggleBookmark(ExprId expression);
    /// What the person wrote about an expression; "" for nothing.
    const std::string& note(ExprId expression) const;
    /// Marks the expression, too.
    void setNote(ExprId expression, const std::string& note);
    /// Files with values for inputs of @main; the other inputs are made.
    const std::vector<InputFile>& inputs() const { return open_.file.inputs; }
    void setInputs(std::vector<InputFile> inputs);
    /// Layouts of graphs that were shown, for all pages.
    const std::shared_ptr<LayoutCache>& layouts() const { return layouts_; }

    // What is selected: expressions of the shown module.
    const std::vector<ExprId>& selection() const { return open_.content.selection; }
    void setSelection(std::vector<ExprId> selection);
    /// What of the selection can go to a backend: calls, tuples and projections.
    std::vector<ExprId> selectedOperators() const;
    /// Whether there is one: cheap, whatever is selected.
    bool hasSelectedOperators() const;

public slots:
    /// Reads a file on a worker. On failure the document stays as it was.
    void open(const QString& path);
    /// The same with these values for an ONNX model's symbolic dimensions, whatever was chosen before.
    void openWithDimensions(const QString& path, const Dimensions& chosen);
    /// Reads Relay text that stands in no file; `backends` are those to choose from.
    void openText(const QString& text, const QString& title, const std::vector<BackendPtr>& backends);
    void cancelRun();
    /// Writes the choices as a project, on a worker; `projectSaved` or `projectNotSaved` follows.
    void saveProject(const QString& path);
    /// Keeps the choices in a file of the program's own, from which one goes on after a crash or a new start. Written
    /// on a worker.
    void keepSession();

public:
    /// Keeps what was not saved in the autosave journal; where there is nothing unsaved, takes it out.
    void autosave();
    /// Goes on with what a crash left behind: opens it, as unsaved changes of the project that it belonged to.
    void recover(const QString& file) { open(file); }
    /// Takes this process's files out of the journal, for good: before the program ends as it should.
    void forgetAutosave() { journal_.forget(); }
    /// Keeps what is not saved for the next start, which goes on with it without a question. Written at once.
    void keepForNextStart();
    /// Opens what was kept for this start, as unsaved changes of the project that it belonged to. False where there is
    /// nothing.
    bool goOnWithKept();

    /// The file that keepSession writes; it may not exist.
    static QString sessionFile();
    /// The name of the module that it goes on with; "" where there is none, or where telling it takes long.
    static QString sessionTitle();

    /// Changes the shown module: one undo step with a name. `edited` or `editRefused` follows.
    void editModule(const QString& name, ModuleEdit edit);
    /// Reads the module's file again: one undo step; what was chosen goes along with what is still there.
    void reload();
    bool isEditing() const { return running_.edit != 0; }
    /// The module as it was read, before any edit.
    ModulePtr openedModule() const { return open_.content.opened; }
    /// Whether the module is another than the one in its file.
    bool isEdited() const { return open_.content.edited; }
    /// What the last edit, undo or redo made of the name of one of the module's functions.
    QString nameNow(const QString& function) const;
    /// For the last edit, undo or redo, if it led from one module to the other: what became of each expression.
    const std::vector<ExprId>* imagesBetween(const ModulePtr& before, const ModulePtr& after) const;

    /// One undo step.
    void changeChoice(FlowChoice choice, const QString& name);
    /// Gives expressions to a backend by hand (-1: default); no backend takes a person's assignment back.
    void giveToBackend(const std::vector<ExprId>& expressions, std::optional<int> backend);
    /// Keeps them apart from the rest of their region.
    void separateRegion(const std::vector<ExprId>& expressions);
    /// Gives them to the first one's backend and lets them merge. Where that would close a cycle they stay apart.
    void joinRegions(const std::vector<ExprId>& expressions);
    /// What is opened next begins with them, too, unless a project or a lesson is open.
    void setBackends(std::vector<BackendPtr> backends);
    /// What is opened next begins as before.
    void setBackendsOfThis(std::vector<BackendPtr> backends, const QString& name);
    /// Puts `now` where `before` stands, which means the same. No step of undo.
    void replaceBackend(const BackendPtr& before, const BackendPtr& now);
    /// What a module that brings none of its own is opened with: the backends that were last in use, but for those of a
    /// project or a lesson.
    const UsualBackends& usualBackends() const { return usual_backends_; }
    /// Whether the backends are those that a module of its kind begins with, because nobody chose any.
    bool hasBackendsOfItsKind() const;
    /// Whether it is there to be run: an ONNX file, or with weights of its own.
    bool isModel() const { return open_.file.is_model; }
    /// The symbolic dimensions of ONNX models that are opened next. A project's own come before them.
    void setDimensions(DimensionsByFile dimensions) { dimensions_ = std::move(dimensions); }
    void run(const RunRequest& request);
    /// Shows a run of the choice as the last one. `runFinished` follows.
    void acceptRun(RunOutcomePtr run);
    /// Adds an entry to the problems.
    void report(const Diagnostic& diagnostic);
    /// The faults of lessons, which stay whatever is opened.
    void setLessonFaults(const std::vector<Diagnostic>& faults);
    /// What was told of a file that could not be read no longer holds.
    void withdraw(const std::string& file);

signals:
    void opened();
    /// The message is empty if the person cancelled it.
    void openFailed(const QString& path, const QString& message);
    void projectSaved(const QString& path);
    /// The message is empty where somebody cancelled it.
    void projectNotSaved(const QString& path, const QString& message);
    /// The journal can't be written, so that a crash would lose what is unsaved. Said once.
    void notKept(const QString& message);
    void choiceChanged();
    /// The result of the flow changed; null while nothing is chosen.
    void flowChanged();
    void flowFailed(const QString& message);
    void runStarted();
    void runFinished();
    /// The message is empty if the person cancelled it.
    void runFailed(const QString& message);
    void problemsChanged();
    void bookmarksChanged();
    void selectionChanged();
    void inputsChanged();
    void flowedValuesChanged();
    /// The module was changed by hand, or a change was taken back.
    void edited(const QString& name);
    /// `place` is an expression of the shown module; it may be invalid.
    void editRefused(const QString& message, partita::ExprId place);

private:
    friend class ChoiceCommand;
    friend class EditCommand;
    using StoppableEdit = std::function<EditResult(const Module& module, const CancelToken& cancel)>;
    void jobStopped(quint64 id);
    // Opening and keeping.
    void startOpening(const QString& path, std::function<OpenedDocument(const JobContext&)> work);
    void acceptOpened(const QString& path, OpenedDocument result);
    void chooseBackends(OpenedDocument& result, bool goes_on);
    std::function<Status()> projectWriter(const QString& path, bool recovers = false);
    Journal::PrepareWrite journalWriter();
    // Changing.
    void startEdit(const QString& name, StoppableEdit edit, bool from_file);
    void applyModule(const ModuleState& state, const QString& name, std::vector<ExprId> image);
    void applyChoice(const FlowChoice& choice, const UsualBackends& usual);
    void pushChoice(FlowChoice choice, UsualBackends usual, const QString& name);
    UsualBackends usualWith(const std::vector<BackendPtr>& now) const;
    std::string firstCompiler() const;
    void push(QUndoCommand* command);
    // Dividing.
    FlowChoice choiceOnBase() const;
    void startFlow();
    void cancelFlow();
    void flowCancelled();
    void stopDividing();
    void acceptFlow(quint64 revision, DividedModule result);
    void forgetDivision();
    void forgetPlacesOf(const ModulePtr& before);
    // Running.
    void setProblems(Problems::Source source, std::vector<Problem> problems);

    JobRunner& jobs_;
    QUndoStack undo_stack_;
    UsualBackends usual_backends_;
    DimensionsByFile dimensions_;
    OpenedState open_;
    quint64 revision_ = 0;
    Journal journal_;
    std::shared_ptr<LayoutCache> layouts_;
    bool going_back_ = false;  ///< to the step that was divided last, so that no flow need be made
    struct {
        quint64 opening = 0, flow = 0, run = 0, edit = 0, save = 0;
    } running_;  ///< jobs; 0: none
};

}  // namespace partita
