// An opened module with a person's choices and what follows from them.
//
// The module is immutable; choices change through the undo stack only, each step with a name; results (flow, run) are
// made by jobs and carry the revision of the choice that they were made from: a result of an older revision is
// dropped, but for a run, which stays and is marked as outdated. Everything that is shown is asked from here.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include "app/gui/document/autosave.h"
#include "app/gui/document/write_order.h"
#include "app/gui/jobs/job_runner.h"
#include "engine/edits/edits.h"
#include "engine/flow/flow_choice.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/run_record.h"
#include "engine/session/named_module.h"

namespace partita {

class LayoutCache;
using FlowPtr = std::shared_ptr<const FlowResult>;

/// Pairs of producer and consumer whose regions must not be merged, because a cycle would close.
using RefusedMerges = std::vector<std::pair<ExprId, ExprId>>;
using RefusedMergesPtr = std::shared_ptr<const RefusedMerges>;

/// How many calls a rule took and refused, or a pattern matched and did not.
struct RuleCount {
    int takes = 0;  ///< of those that were accepted the ones that their backend has in the end
    int accepted = 0, refuses = 0;
};
/// By backend and rule ("ops.add"), and by kAnyBackend and a pattern's name.
using RuleCounts = std::map<std::pair<int, std::string>, RuleCount>;
using RuleCountsPtr = std::shared_ptr<const RuleCounts>;
inline constexpr int kAnyBackend = -1;

struct OpenedDocument;  ///< open_document.h
struct ModuleState;     ///< document_edits.cpp
class FlowMemory;       ///< engine/flow/flow_memory.h
struct DividedModule;   ///< document.cpp

struct Problem {
    Severity severity = Severity::Error;
    QString text;
    QString file;
    SourcePosition position;
    ExprId expr;  ///< of the shown module; may be invalid
};

/// What the engine says of a fault, at no expression; names and text of files are made harmless.
Problem problem_of(const Diagnostic& diagnostic);

/// What a run gave, with the flow whose module was run.
struct RunOutcome {
    FlowPtr flow;  ///< null: the opened module was run as it is
    RunReport report;
    std::optional<RunReport> reference;  ///< of the unpartitioned module, if a comparison was asked for
    quint64 revision = 0;                ///< of the choice that was run
    int threads = 0;
    RunOptions options;                    ///< with which it was run
    RunRecordPtr record;                   ///< what is kept of it
    std::vector<uint32_t> places_by_name;  ///< of the report's regions, in natural order
    std::vector<float>
        heat;  ///< by expression of the module that was shown, as fractions of the longest time; -1 where none is known
};
/// Of the times of a million operators none are copied, or freed on the window's thread.
using RunOutcomePtr = std::shared_ptr<const RunOutcome>;

struct RunRequest {
    bool compare = true;
    int threads = 0;
    int warmup = 1;
    int repeat = 5;
    uint64_t seed = 0;
    MachineLimits machine;  ///< on which it runs; zero where it was not measured
    /// Codegens of descriptions that may run though they are code that the description brings along; see ForeignCode.
    QStringList trusted_code;
};

/// Values of symbolic dimensions by their names.
using Dimensions = std::map<std::string, int64_t>;
/// By the model's absolute path.
using DimensionsByFile = std::map<QString, Dimensions>;
/// An edit of the module that is shown: a pure function, run on a worker.
using ModuleEdit = std::function<EditResult(const Module& module)>;

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(JobRunner& jobs, QObject* parent = nullptr);

    // What is open.
    bool isOpen() const { return module_ != nullptr; }
    bool isOpening() const { return opening_job_ != 0; }
    /// The module's file.
    const QString& path() const { return path_; }
    /// Whether there is something that no project holds yet.
    bool isUnsaved() const {
        return isOpen() && (nowhere_saved_ || !undo_stack_.isClean() || bookmarks_ != saved_bookmarks_);
    }
    /// Whether there is something that no pass makes again: edits, placements and bookmarks.
    bool hasHandwork() const;
    /// The project's file; "" while it was not saved.
    const QString& projectPath() const { return project_path_; }
    QString title() const;
    /// The module as it was read.
    ModulePtr module() const { return module_; }
    /// The module that the canvas shows and that decisions, regions and the selection refer to.
    ModulePtr shownModule() const { return flow_ && flow_->input ? flow_->input : baseModule(); }
    /// The names of the shown module's expressions. Only while a module is open.
    const ExpressionNames& names() const { return named()->names; }
    NamedModulePtr named() const;
    /// Of the module that is shown.
    const ModuleSummary& summary() const;
    bool annotated() const { return annotated_; }
    /// Of an ONNX model: the symbolic dimensions of its inputs, with the values that it was read with.
    const Dimensions& symbolicDimensions() const { return symbolic_dimensions_; }
    /// Whether somebody chose these values: for this file before, or in the project.
    bool dimensionsChosen() const { return dimensions_chosen_; }

    // What was chosen.
    const FlowChoice& choice() const { return choice_; }
    quint64 revision() const { return revision_; }
    QUndoStack& undoStack() { return undo_stack_; }
    JobRunner& jobs() { return jobs_; }
    /// The name of a backend of the choice; -1 gives "default".
    QString backendName(int backend) const;

    // What follows from it.
    /// The backend that the division gives an expression of the shown module; -1 for default or while there is none.
    int backendOf(ExprId expression) const {
        return flow_ && expression.value < flow_->backend_of.size() ? flow_->backend_of[expression.value] : -1;
    }
    FlowPtr flow() const { return flow_; }
    /// Of the flow; null without one.
    const RefusedMergesPtr& refusedMerges() const { return refused_merges_; }
    /// Of the flow; null without one.
    RuleCountsPtr ruleCounts() const { return flow_ ? rule_counts_ : nullptr; }
    /// The module after partitioning, if that was chosen; else null.
    ModulePtr partitioned() const { return flow_ && choice_.partition ? flow_->partitioned : nullptr; }
    /// Those that a run would hand regions to: of the division as it stands, else of those that the file brings along.
    std::vector<BackendPtr> backendsThatRun() const;
    bool flowIsCurrent() const { return flow_revision_ == revision_; }
    /// The last run; null without one.
    const RunOutcomePtr& runOutcome() const { return run_; }
    bool isRunning() const { return run_job_ != 0; }
    /// The times of the last runs, the oldest first; they are kept in the project. Runs of more than kMostKeptTimes
    /// regions and operators are not.
    const std::vector<RunRecordPtr>& runHistory() const { return run_history_; }
    void keepRun(RunRecordPtr record);
    const std::vector<Problem>& problems() const { return problems_; }

    /// Expressions of the shown module that a person marked, in the order of marking.
    const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
    bool isBookmarked(ExprId expression) const;
    void toggleBookmark(ExprId expression);
    /// Layouts of graphs that were shown, for all pages.
    const std::shared_ptr<LayoutCache>& layouts() const { return layouts_; }

    // What is selected: expressions of the shown module.
    const std::vector<ExprId>& selection() const { return selection_; }
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
    void forgetAutosave();
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
    bool isEditing() const { return edit_job_ != 0; }
    /// The module as it was read, before any edit.
    ModulePtr openedModule() const { return opened_; }
    /// Whether the module is another than the one in its file.
    bool isEdited() const { return edited_; }
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
    void setBackends(std::vector<BackendPtr> backends);
    /// What a module that brings none of its own is opened with: the backends that were last in use, but for those of a
    /// project or a lesson.
    const std::vector<BackendPtr>& usualBackends() const { return usual_backends_; }
    /// The symbolic dimensions of ONNX models that are opened next. A project's own come before them.
    void setDimensions(DimensionsByFile dimensions) { dimensions_ = std::move(dimensions); }
    void run(const RunRequest& request);
    /// Adds an entry to the problems.
    void report(const Diagnostic& diagnostic);
    /// What was told of a file that could not be read no longer holds.
    void withdraw(const std::string& file);

signals:
    void openingStarted(const QString& path);
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
    /// The module was changed by hand, or a change was taken back.
    void edited(const QString& name);
    /// `place` is an expression of the shown module; it may be invalid.
    void editRefused(const QString& message, partita::ExprId place);

private:
    friend class ChoiceCommand;
    friend class EditCommand;
    std::shared_ptr<const ModuleState> moduleState() const;
    using StoppableEdit = std::function<EditResult(const Module& module, const CancelToken& cancel)>;
    void startEdit(const QString& name, StoppableEdit edit, bool from_file);
    void acceptEdit(const QString& name, std::shared_ptr<const ModuleState> after, std::vector<ExprId> image);
    void applyModule(const ModuleState& state, const QString& name, std::vector<ExprId> image);
    void applyChoice(const FlowChoice& choice);
    /// What the flow starts from: the opened module, or its simplified form once that was made. Keeping it makes ids,
    /// and with them the picture, stay the same from one choice to the next.
    ModulePtr baseModule() const;
    FlowChoice choiceOnBase() const;
    void tellJournalFault(const QString& message);
    void forgetKept();
    void startOpening(const QString& path, std::function<OpenedDocument(const JobContext&)> work);
    void acceptOpened(const QString& path, OpenedDocument result);
    void startFlow();
    void flowCancelled();
    void stopDividing();
    void forgetPlacesOf(const ModulePtr& before);
    void push(QUndoCommand* command);
    void acceptFlow(quint64 revision, DividedModule result);
    void releaseResults();
    void setProblemsOfFlow(std::vector<Problem> problems);
    void rebuildProblems();

    JobRunner& jobs_;
    QUndoStack undo_stack_;
    std::vector<BackendPtr> usual_backends_;
    bool own_backends_ = false;  ///< a project or a lesson is open

    /// What a project's file will hold, to be written on a worker.
    std::function<Status()> projectWriter(const QString& path, bool recovers = false);

    ModulePtr module_, simplified_, opened_;
    mutable NamedModulePtr named_;  ///< of the shown module
    QString path_, project_path_;
    std::string digest_;   ///< of the module's file as it was read
    std::string unknown_;  ///< members of the project that this version does not know
    Autosave autosave_;
    struct Journal {
        std::mutex lock;
        std::string fault;  ///< of the last write that failed, until it is told
        QString
            recovered;  ///< the file that a crash left behind, until what it holds is kept under this process's name
        std::unique_ptr<QLockFile> recovered_lock;  ///< where it was kept for this start
        void discardRecovered();
    };
    std::shared_ptr<Journal> journal_ = std::make_shared<Journal>();  ///< a worker may outlive the document
    bool journal_fault_told_ = false;
    bool kept_ = false;            ///< for the next start
    bool stands_in_file_ = false;  ///< a lesson does not: there is nothing to go on with
    bool nowhere_saved_ = false;   ///< opened from the journal or the session, with handwork, and not saved since
    std::shared_ptr<WriteOrder> write_order_ = std::make_shared<WriteOrder>();
    Dimensions symbolic_dimensions_;
    bool dimensions_chosen_ = false;
    DimensionsByFile dimensions_;
    bool annotated_ = false;

    FlowChoice choice_;
    quint64 revision_ = 0;
    FlowPtr flow_;
    std::shared_ptr<FlowMemory> flow_memory_;  ///< what changes of the division leave as it was
    quint64 flow_revision_ = 0;
    RefusedMergesPtr refused_merges_;
    RuleCountsPtr rule_counts_;
    RunOutcomePtr run_;
    std::vector<RunRecordPtr> run_history_;
    std::vector<ExprId> selection_;
    std::vector<Bookmark> bookmarks_, saved_bookmarks_;
    std::shared_ptr<LayoutCache> layouts_;

    std::vector<Problem> open_problems_, file_problems_, flow_problems_, run_problems_, problems_;
    static constexpr int kNoStep = -1;
    int divided_step_ = kNoStep;  ///< of the undo stack: whose choice flow_ answers
    bool going_back_ = false;     ///< to that step, so that no flow need be made
    quint64 opening_job_ = 0, flow_job_ = 0, run_job_ = 0, edit_job_ = 0, save_job_ = 0;
    bool edited_ = false;
    struct {
        ModulePtr before, after;
        std::vector<ExprId> image;
    } last_change_;
};

}  // namespace partita
