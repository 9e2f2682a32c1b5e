#include "app/gui/document/document.h"

#include <algorithm>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QUndoCommand>

#include "app/gui/document/layout_cache.h"
#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/flow/flow_memory.h"
#include "engine/ops/annotations.h"
#include "engine/runtime/run_record.h"
#include "engine/session/project.h"

namespace partita {

/// Swaps one choice for another.
class ChoiceCommand : public QUndoCommand {
public:
    ChoiceCommand(Document& document, FlowChoice before, FlowChoice after, const QString& name)
        : QUndoCommand(name + QLatin1Char('\n') + without_keys(name)), document_(document), before_(std::move(before)),
          after_(std::move(after)) {}
    ~ChoiceCommand() override {
        document_.jobs_.release(
            std::make_shared<std::pair<FlowChoice, FlowChoice>>(std::move(before_), std::move(after_)));
    }
    void undo() override { document_.applyChoice(before_); }
    void redo() override { document_.applyChoice(after_); }

private:
    Document& document_;
    FlowChoice before_, after_;
};

/// What the flow gives, made on a worker.
struct DividedModule {
    Result<FlowResult> flow;
    NamedModulePtr named;  ///< of the flow's input; null where it is the module that was named before
    RefusedMergesPtr refused;
    RuleCountsPtr counts;
};

namespace {

RefusedMergesPtr refused_merges(const FlowResult& flow) {
    auto refused = std::make_shared<RefusedMerges>();
    for (const Decision& decision : flow.log.decisions())
        if (decision.kind == DecisionKind::WouldCloseCycle) refused->push_back({decision.other, decision.subject});
    return refused;
}

RuleCountsPtr rule_counts(const FlowResult& flow) {
    auto counts = std::make_shared<RuleCounts>();
    auto last = counts->end();
    for (const Decision& decision : flow.log.decisions()) {
        const bool accepts = decision.kind == DecisionKind::Accepted || decision.kind == DecisionKind::PatternMatched;
        const bool refuses = decision.kind == DecisionKind::RuleFailed || decision.kind == DecisionKind::PatternRefused;
        if (!accepts && !refuses) continue;
        const bool pattern = decision.pass == PassKind::Composite;
        // Calls of composites go to their backend by the pattern's name: its matches are counted where they are made.
        if (!pattern && !(decision.pass == PassKind::Place && decision.rule.starts_with("ops."))) continue;
        const int backend = pattern ? kAnyBackend : decision.backend;
        if (last == counts->end() || last->first.first != backend || last->first.second != decision.rule)
            last = counts->try_emplace({backend, decision.rule}).first;
        ++(accepts ? last->second.accepted : last->second.refuses);
        // A limit may have taken it back, or a person have given it to another.
        const int has_it = decision.subject.valid() ? flow.backend_of[decision.subject.value] : -1;
        if (accepts && (pattern ? has_it >= 0 : has_it == backend)) ++last->second.takes;
    }
    return counts;
}

}  // namespace

Problem problem_of(const Diagnostic& diagnostic) {
    return {diagnostic.severity, shown_message(diagnostic.message), QString::fromStdString(diagnostic.file),
            diagnostic.position, ExprId()};
}

Document::Document(JobRunner& jobs, QObject* parent)
    : QObject(parent), jobs_(jobs), flow_memory_(std::make_shared<FlowMemory>()),
      layouts_(std::make_shared<LayoutCache>()) {
    // Where nothing is to be divided the answer is there before the stack has its new index.
    connect(&undo_stack_, &QUndoStack::indexChanged, this, [this](int index) {
        if (flowIsCurrent()) divided_step_ = index;
    });
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id == opening_job_) {
            opening_job_ = 0;
            emit openFailed(path_, QString());
        }
        if (id == run_job_) {
            run_job_ = 0;
            emit runFailed(QString());
        }
        if (id == edit_job_) edit_job_ = 0;
        if (id == save_job_) {
            save_job_ = 0;
            emit projectNotSaved(project_path_, QString());
        }
        if (id == flow_job_) flowCancelled();
    });
}

QString Document::title() const { return path_.isEmpty() ? QString() : QFileInfo(path_).fileName(); }

QString Document::backendName(int backend) const { return shown_name(choice_.backend_name(backend)); }

void Document::open(const QString& path) { openWithDimensions(path, {}); }

void Document::openWithDimensions(const QString& path, const Dimensions& chosen) {
    const std::string compiler = usual_backends_.empty() ? std::string() : usual_backends_.front()->name;
    startOpening(path, [path, compiler, chosen, remembered = dimensions_](const JobContext& context) {
        return open_document(path, compiler, remembered, chosen, context.cancel);
    });
}

void Document::openText(const QString& text, const QString& title, const std::vector<BackendPtr>& backends) {
    startOpening(title, [text, title, backends](const JobContext& context) {
        return read_document(text, title, backends, context.cancel);
    });
}

void Document::startOpening(const QString& path, std::function<OpenedDocument(const JobContext&)> work) {
    if (opening_job_) jobs_.cancel(opening_job_);
    open_problems_.clear();
    emit openingStarted(path);
    opening_job_ =
        jobs_.start<OpenedDocument>(tr("Opening %1").arg(QFileInfo(path).fileName()), this, std::move(work),
                                    [this, path](OpenedDocument result) { acceptOpened(path, std::move(result)); });
}

void Document::acceptOpened(const QString& path, OpenedDocument result) {
    opening_job_ = 0;
    if (!result.opened) {
        open_problems_ = {problem_of(result.opened.error())};
        rebuildProblems();
        emit openFailed(path, QString::fromStdString(result.opened.error().to_string()));
        return;
    }
    if (flow_job_) jobs_.cancel(std::exchange(flow_job_, 0));
    cancelRun();
    releaseResults();
    jobs_.release(std::exchange(module_, result.opened->module));
    jobs_.release(std::exchange(named_, result.named));
    jobs_.release(std::exchange(flow_memory_, std::make_shared<FlowMemory>()));
    path_ = result.module_path;
    const bool recovered = QFileInfo(path).absolutePath() == QFileInfo(Autosave::defaultFolder()).absoluteFilePath();
    project_path_ = path.endsWith(QLatin1String(".partita")) && path != sessionFile() ? path : QString();
    if (recovered) project_path_ = QString::fromStdString(result.recovers);
    digest_ = std::move(result.digest);
    unknown_ = std::move(result.unknown);
    annotated_ = result.annotated;
    symbolic_dimensions_ = result.opened->symbolic_dimensions;
    dimensions_chosen_ = result.dimensions_chosen;
    simplified_ = result.simplified;
    selection_.clear();
    bookmarks_ = saved_bookmarks_ = std::move(result.bookmarks);
    run_history_ = std::move(result.runs);
    undo_stack_.clear();
    if (result.differs) undo_stack_.resetClean();
    if (edit_job_) jobs_.cancel(edit_job_);
    edit_job_ = 0;
    edited_ = result.edited;
    stands_in_file_ = edited_ || QFileInfo::exists(path_);
    opened_ = module_;
    last_change_ = {};
    FlowChoice fresh;
    fresh.backends = usual_backends_;
    const bool goes_on = path == sessionFile() || (recovered && project_path_.isEmpty());
    own_backends_ = result.choice && !goes_on;
    jobs_.release(std::make_shared<FlowChoice>(std::move(choice_)));
    choice_ = result.choice ? std::move(*result.choice) : std::move(fresh);
    choice_.carries_regions = choice_.carries_regions || result.of_module.carries_regions;
    for (const BackendPtr& backend : result.of_module.backends) {
        if (choice_.backend_index(backend->name) >= 0) continue;
        choice_.backends.push_back(backend);
        own_backends_ = true;
    }
    if (!own_backends_) usual_backends_ = choice_.backends;
    nowhere_saved_ = recovered || (path == sessionFile() && hasHandwork());
    ++revision_;
    if (!choice_.active(annotated_)) flow_revision_ = revision_;
    divided_step_ = choice_.active(annotated_) ? kNoStep : 0;
    file_problems_.clear();
    flow_problems_.clear();
    run_problems_.clear();
    for (const Diagnostic& note : result.opened->notes) file_problems_.push_back(problem_of(note));
    rebuildProblems();
    emit opened();
    emit choiceChanged();
    emit selectionChanged();
    emit bookmarksChanged();
    if (choice_.active(annotated_)) startFlow();
    {
        const std::lock_guard<std::mutex> hold(journal_->lock);
        journal_->recovered = recovered ? path : QString();
    }
    autosave();
}

std::function<Status()> Document::projectWriter(const QString& path, bool recovers) {
    // The names are of the shown module; with simplification chosen and not made yet, that is another one.
    NamedModulePtr named = this->named();
    if (named->module != baseModule()) named = nullptr;
    return [named, base = baseModule(), choice = choice_, file = QFileInfo(path).absoluteFilePath().toStdString(),
            module_file = QFileInfo(path_).absoluteFilePath().toStdString(), order = write_order_,
            place = write_order_->next(), bookmarks = bookmarks_, runs = run_history_, digest = digest_,
            unknown = unknown_, dimensions = symbolic_dimensions_,
            recovered = recovers && !project_path_.isEmpty() ? QFileInfo(project_path_).absoluteFilePath().toStdString()
                                                             : std::string(),
            holds_module = edited_ || !QFileInfo::exists(path_)]() -> Status {
        if (holds_module) {
            Result<Project> project = project_with_module(choice, module_file, *base, bookmarks);
            if (!project) return project.error();
            project->runs = runs;
            project->unknown = unknown;
            project->recovers = recovered;
            return order->write(place, file, write_project(*project, file));
        }
        const NamedModulePtr names = named ? named : std::make_shared<NamedModule>(base);
        Project project = project_of(choice, module_file, names->names);
        project.bookmarks = bookmarks;
        project.runs = runs;
        project.module_digest = digest;
        project.dimensions = dimensions;
        project.unknown = unknown;
        project.recovers = recovered;
        return order->write(place, file, write_project(project, file));
    };
}

void Document::saveProject(const QString& path) {
    if (!isOpen()) return;
    save_job_ = jobs_.start<Status>(
        tr("Saving %1").arg(QFileInfo(path).fileName()), this,
        [write = projectWriter(path)](const JobContext&) { return write(); },
        [this, path, revision = revision_, step = undo_stack_.index(), bookmarks = bookmarks_](Status written) {
            if (!written) {
                emit projectNotSaved(path, QString::fromStdString(written.error().to_string()));
                return;
            }
            project_path_ = path;
            if (revision == revision_ && step == undo_stack_.index()) {
                nowhere_saved_ = false;
                saved_bookmarks_ = bookmarks;
                undo_stack_.setClean();
            }
            autosave();
            emit projectSaved(path);
        });
}

QString Document::sessionFile() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session.partita");
}

QString Document::sessionTitle() {
    constexpr qint64 kLongest = 1 << 20;  // read at each start
    QFile file(sessionFile());
    if (file.size() > kLongest || !file.open(QIODevice::ReadOnly)) return {};
    const QString module = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("module")).toString();
    return QFileInfo(module).fileName();
}

void Document::keepSession() {
    if (!isOpen() || !stands_in_file_) return;
    QDir().mkpath(QFileInfo(sessionFile()).path());
    // A help, not a promise: a full disk must not stop the work.
    jobs_.startQuietly([write = projectWriter(sessionFile())] { (void)write(); });
}

void Document::Journal::discardRecovered() {
    QString file;
    std::unique_ptr<QLockFile> claimed;
    {
        const std::lock_guard<std::mutex> hold(lock);
        if (recovered.isEmpty()) return;
        file.swap(recovered);
        claimed.swap(recovered_lock);
    }
    Autosave::discard(file, std::move(claimed));
}

void Document::autosave() {
    forgetKept();  // the program goes on
    std::string fault;
    QString recovered;
    {
        const std::lock_guard<std::mutex> hold(journal_->lock);
        fault.swap(journal_->fault);
        recovered = journal_->recovered;
    }
    if (!fault.empty()) tellJournalFault(QString::fromStdString(fault));
    if (!isUnsaved() && !recovered.isEmpty()) journal_->discardRecovered();
    if (!isUnsaved() || !stands_in_file_) {
        if (!autosave_.exists()) return;
        jobs_.startQuietly([order = write_order_, place = write_order_->next(), file = autosave_.file().toStdString()] {
            order->remove(place, file);
        });
        return;
    }
    const QString file = autosave_.file();
    if (file.isEmpty()) return tellJournalFault(tr("can't write into %1").arg(Autosave::defaultFolder()));
    jobs_.startQuietly([write = projectWriter(file, true), journal = journal_, recovered] {
        const Status written = write();
        bool kept = false;
        {
            const std::lock_guard<std::mutex> hold(journal->lock);
            if (!written) journal->fault = written.error().message;
            // An earlier document's write knows nothing of this one's.
            kept = written && journal->recovered == recovered;
        }
        // Only now: another crash before would have lost it.
        if (kept) journal->discardRecovered();
    });
}

void Document::tellJournalFault(const QString& message) {
    if (!std::exchange(journal_fault_told_, true)) emit notKept(message);
}

void Document::forgetAutosave() {
    if (autosave_.exists()) write_order_->remove(write_order_->next(), autosave_.file().toStdString());
    forgetKept();
}

void Document::forgetKept() {
    if (std::exchange(kept_, false)) write_order_->remove(write_order_->next(), autosave_.keptFile().toStdString());
}

bool Document::goOnWithKept() {
    Autosave::Claimed claimed = Autosave::takeKept();
    if (claimed.file.isEmpty()) return false;
    {
        const std::lock_guard<std::mutex> hold(journal_->lock);
        journal_->recovered_lock = std::move(claimed.lock);
    }
    recover(claimed.file);
    return true;
}

void Document::keepForNextStart() {
    if (!isUnsaved() || !stands_in_file_) return;
    const QString file = autosave_.keptFile();
    // Where it can't be written, what a crash would leave stays.
    try {
        if (file.isEmpty() || !projectWriter(file, true)()) return;
    } catch (const DataLost&) {
        return;
    } catch (const std::bad_alloc&) {
        return;
    }
    forgetAutosave();
    kept_ = true;
    journal_->discardRecovered();
}

NamedModulePtr Document::named() const {
    if (!isOpen()) return nullptr;
    if (!named_ || named_->module != shownModule()) named_ = std::make_shared<NamedModule>(shownModule());
    return named_;
}

const ModuleSummary& Document::summary() const {
    static const ModuleSummary empty;
    const NamedModulePtr shown = named();
    return shown ? shown->summary : empty;
}

void Document::releaseResults() {
    jobs_.release(std::exchange(flow_, nullptr));
    refused_merges_ = nullptr;
    rule_counts_ = nullptr;
    run_ = nullptr;
}

bool Document::hasHandwork() const {
    return edited_ || !choice_.overrides->empty() || !choice_.groups->empty() || !bookmarks_.empty();
}

bool Document::isBookmarked(ExprId expression) const {
    return std::any_of(bookmarks_.begin(), bookmarks_.end(),
                       [expression](const Bookmark& mark) { return mark.expression == expression; });
}

void Document::toggleBookmark(ExprId expression) {
    if (!isOpen() || !expression.valid()) return;
    if (isBookmarked(expression))
        std::erase_if(bookmarks_, [expression](const Bookmark& mark) { return mark.expression == expression; });
    else bookmarks_.push_back({expression, names().name(expression)});
    emit bookmarksChanged();
}

void Document::keepRun(RunRecordPtr record) {
    size_t times = record->report.regions.size();
    for (const RegionTiming& region : record->report.regions) times += region.ops.size();
    if (times > kMostKeptTimes) return;
    if (run_history_.size() == kMostKeptRuns) run_history_.erase(run_history_.begin());
    run_history_.push_back(std::move(record));
}

namespace {

bool can_be_placed(const Module& module, ExprId id) {
    const ExprKind kind = module.kind(id);
    return kind == ExprKind::Call || kind == ExprKind::Tuple || kind == ExprKind::Projection;
}

}  // namespace

std::vector<ExprId> Document::selectedOperators() const {
    std::vector<ExprId> operators;
    const ModulePtr module = shownModule();
    if (module)
        std::copy_if(selection_.begin(), selection_.end(), std::back_inserter(operators),
                     [&](ExprId id) { return can_be_placed(*module, id); });
    return operators;
}

bool Document::hasSelectedOperators() const {
    const ModulePtr module = shownModule();
    return module &&
           std::any_of(selection_.begin(), selection_.end(), [&](ExprId id) { return can_be_placed(*module, id); });
}

void Document::setSelection(std::vector<ExprId> selection) {
    if (selection == selection_) return;
    selection_ = std::move(selection);
    emit selectionChanged();
}

void Document::changeChoice(FlowChoice choice, const QString& name) {
    // The simplified module has expressions of its own: what was said of the others does not fit them.
    if (choice.simplify != choice_.simplify) {
        choice.overrides.clear();
        choice.groups.clear();
    }
    push(new ChoiceCommand(*this, choice_, std::move(choice), name));
}

void Document::push(QUndoCommand* command) {
    if (divided_step_ > undo_stack_.index()) divided_step_ = kNoStep;  // it can't be gone back to
    undo_stack_.push(command);
}

void Document::applyChoice(const FlowChoice& choice) {
    choice_ = choice;
    if (!own_backends_) usual_backends_ = choice.backends;
    ++revision_;
    emit choiceChanged();
    if (!going_back_) startFlow();
}

/// What asked for the division is taken back: else the choice would tell of one that is not there.
void Document::flowCancelled() {
    flow_job_ = 0;
    if (divided_step_ == undo_stack_.index()) return;
    going_back_ = true;
    if (divided_step_ == kNoStep) stopDividing();
    else undo_stack_.setIndex(divided_step_);
    going_back_ = false;
    flow_revision_ = revision_;
    divided_step_ = undo_stack_.index();
    emit flowChanged();
}

/// There is no division to go back to, as after opening or an edit: its switches go off. What was given by hand stays.
void Document::stopDividing() {
    const ModulePtr before = shownModule();
    jobs_.release(std::exchange(flow_, nullptr));
    refused_merges_ = nullptr;
    rule_counts_ = nullptr;
    setProblemsOfFlow({});
    FlowChoice choice = choice_;
    choice.annotate = choice.merge = choice.partition = false;
    choice.simplify = choice.simplify && simplified_;
    const bool asked = choice_.annotate || choice_.merge || choice_.partition || choice_.simplify != choice.simplify;
    // A step of its own can be undone; but it would take what can be redone.
    if (asked && undo_stack_.canRedo()) applyChoice(choice);
    else if (asked) push(new ChoiceCommand(*this, choice_, std::move(choice), tr("stop dividing")));
    forgetPlacesOf(before);
}

ModulePtr Document::baseModule() const { return choice_.simplify && simplified_ ? simplified_ : module_; }

FlowChoice Document::choiceOnBase() const {
    FlowChoice choice = choice_;
    choice.simplify = choice_.simplify && !simplified_;
    return choice;
}

void Document::startFlow() {
    if (flow_job_) jobs_.cancel(flow_job_);
    flow_job_ = 0;
    if (!isOpen()) return;
    if (!choice_.active(annotated_)) {
        flow_ = nullptr;
        flow_revision_ = revision_;
        setProblemsOfFlow({});
        emit flowChanged();
        return;
    }
    flow_job_ = jobs_.start<DividedModule>(
        tr("Dividing the graph"), this,
        [module = baseModule(), choice = choiceOnBase(), annotated = annotated_, named = named_,
         memory = flow_memory_](const JobContext& context) {
            DividedModule result{memory->run(module, flow_options(choice, annotated, context.cancel)), nullptr, nullptr,
                                 nullptr};
            if (result.flow) {
                result.refused = refused_merges(*result.flow);
                result.counts = rule_counts(*result.flow);
            }
            if (result.flow && (!named || named->module != result.flow->input))
                result.named = std::make_shared<NamedModule>(result.flow->input);
            return result;
        },
        [this, revision = revision_](DividedModule result) { acceptFlow(revision, std::move(result)); });
}

void Document::acceptFlow(quint64 revision, DividedModule result) {
    if (revision != revision_) return;
    flow_job_ = 0;
    flow_revision_ = revision;
    divided_step_ = undo_stack_.index();
    if (!result.flow) {
        jobs_.release(std::exchange(flow_, nullptr));
        setProblemsOfFlow({problem_of(result.flow.error())});
        emit flowChanged();
        emit flowFailed(QString::fromStdString(result.flow.error().to_string()));
        return;
    }
    ModulePtr before = shownModule();
    if (choice_.simplify && result.flow->simplified) simplified_ = result.flow->input;
    FlowPtr old = std::exchange(flow_, freed_on_worker(std::make_unique<const FlowResult>(std::move(*result.flow))));
    refused_merges_ = result.refused;
    rule_counts_ = result.counts;
    if (result.named) jobs_.release(std::exchange(named_, result.named));
    std::vector<Problem> problems;
    for (const std::string& warning : flow_->warnings)
        problems.push_back({Severity::Warning, shown_message(warning), QString(), {}, ExprId()});
    setProblemsOfFlow(std::move(problems));
    forgetPlacesOf(before);
    emit flowChanged();
    jobs_.release(std::move(old));
}

/// Where another module is shown now, ids of the one before name other expressions.
void Document::forgetPlacesOf(const ModulePtr& before) {
    if (shownModule() == before) return;
    if (!bookmarks_.empty()) {
        bookmarks_.clear();
        emit bookmarksChanged();
    }
    if (!selection_.empty()) {
        selection_.clear();
        emit selectionChanged();
    }
}

void Document::giveToBackend(const std::vector<ExprId>& expressions, std::optional<int> backend) {
    if (!isOpen() || expressions.empty()) return;
    FlowChoice choice = choice_;
    const bool first = !choice.active(annotated_);
    const std::string given_to = choice_.backend_name(backend.value_or(-1));
    choice.overrides.change([&](HandPlacement& placement) {
        if (backend) placement.give(expressions, given_to);
        else placement.takeBack(expressions);
    });
    if (first && backend) choice.merge = true;  // by hand, one wants to see what belongs together
    const QString name =
        backend ? tr("give %n operator(s) to %1", nullptr, int(expressions.size())).arg(backendName(*backend))
                : tr("leave %n operator(s) to the rules", nullptr, int(expressions.size()));
    changeChoice(std::move(choice), name);
}

void Document::setBackends(std::vector<BackendPtr> backends) {
    FlowChoice choice = choice_;
    choice.backends = std::move(backends);
    if (isOpen()) changeChoice(std::move(choice), tr("choose backends"));
    else applyChoice(choice);
}

void Document::cancelRun() {
    if (run_job_) jobs_.cancel(run_job_);
}

void Document::report(const Diagnostic& diagnostic) {
    file_problems_.push_back(problem_of(diagnostic));
    rebuildProblems();
}

void Document::withdraw(const std::string& file) {
    Diagnostic of_file;
    of_file.file = file;
    const QString gone = problem_of(of_file).file;
    std::erase_if(file_problems_, [&](const Problem& problem) { return !gone.isEmpty() && problem.file == gone; });
    rebuildProblems();
}

void Document::setProblemsOfFlow(std::vector<Problem> problems) {
    flow_problems_ = std::move(problems);
    rebuildProblems();
}

void Document::rebuildProblems() {
    problems_.clear();
    for (const auto* list : {&open_problems_, &file_problems_, &flow_problems_, &run_problems_})
        problems_.insert(problems_.end(), list->begin(), list->end());
    emit problemsChanged();
}

}  // namespace partita
