// What follows from the document's choice: the division, made on a worker, and the changes of the choice.
#include <algorithm>
#include <utility>

#include <QUndoCommand>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "engine/annotators/annotator.h"
#include "engine/explain/explain.h"
#include "engine/flow/flow_memory.h"
#include "engine/flow/reported_division.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

/// Swaps one choice for another, and what is opened next begins with.
class ChoiceCommand : public QUndoCommand {
public:
    ChoiceCommand(Document& document, FlowChoice after, UsualBackends usual, const QString& name)
        : QUndoCommand(name + QLatin1Char('\n') + without_keys(name)), document_(document), before_(document.choice()),
          after_(std::move(after)), usual_before_(document.usualBackends()), usual_after_(std::move(usual)) {}
    ~ChoiceCommand() override {
        document_.jobs_.release(
            std::make_shared<std::pair<FlowChoice, FlowChoice>>(std::move(before_), std::move(after_)));
    }
    void undo() override { document_.applyChoice(before_, usual_before_); }
    void redo() override { document_.applyChoice(after_, usual_after_); }

private:
    Document& document_;
    FlowChoice before_, after_;
    UsualBackends usual_before_, usual_after_;
};

/// What the flow gives, made on a worker.
struct DividedModule {
    Result<FlowResult> flow;
    NamedModulePtr named;  ///< of the flow's input; null where it is the module that was named before
    RefusedMergesPtr refused;
    RuleCountsPtr counts;
    RefusedAtLinePtr at_line;
    RuleFaultsPtr faults;
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

/// The backend whose file in Python refused a call in a decision, and where; no line where it was none.
std::pair<int, int> refusing_line(const Decision& decision, const std::vector<BackendPtr>& backends) {
    const auto line_in = [&](size_t backend, const std::string& place) {
        return std::pair(int(backend), backends[backend]->running ? own_line(*backends[backend], place) : 0);
    };
    if (decision.kind == DecisionKind::RuleFailed && decision.backend >= 0 &&
        size_t(decision.backend) < backends.size())
        return line_in(size_t(decision.backend), decision.detail.text());
    if (decision.kind != DecisionKind::PatternRefused || decision.detail.values.empty()) return {-1, 0};
    for (size_t i = 0; i < backends.size(); ++i)
        if (decision.rule.starts_with(backends[i]->name + ".")) return line_in(i, decision.detail.values.front().name);
    return {-1, 0};
}

bool asks_annotators(const std::vector<BackendPtr>& backends) {
    return std::any_of(backends.begin(), backends.end(), [](const BackendPtr& each) { return each->running; });
}

RuleFaultsPtr rule_faults(const FlowResult& flow, const FlowOptions& options) {
    FlowExplainer explainer(flow, options.backends);
    explainer.set_cancel(options.cancel);
    return std::make_shared<const std::vector<RuleFault>>(explainer.rule_faults());
}

Problem problem_of(const RuleFault& fault, const std::vector<BackendPtr>& backends) {
    const std::string_view annotator = backends[size_t(fault.backend)]->annotator;
    const std::string file(fault.line ? annotator.substr(kPythonAnnotator.size()) : std::string_view());
    return {
        Severity::Warning, fault_text(fault, false), QString::fromStdString(file), {uint32_t(fault.line), 1}, ExprId()};
}

RefusedAtLinePtr refused_at_line(const FlowResult& flow, const std::vector<BackendPtr>& backends) {
    auto refused = std::make_shared<RefusedAtLine>();
    if (!asks_annotators(backends)) return refused;
    for (const Decision& decision : flow.log.decisions()) {
        if (!decision.subject.valid()) continue;
        const std::pair<int, int> place = refusing_line(decision, backends);
        if (place.second == 0) continue;
        (*refused)[place].push_back(decision.subject);
    }
    for (auto& [_, calls] : *refused) {  // several patterns may ask about one call
        std::sort(calls.begin(), calls.end());
        calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    }
    return refused;
}

}  // namespace

void Document::changeChoice(FlowChoice choice, const QString& name) {
    UsualBackends usual = choice.reported ? usual_backends_ : usualWith(choice.backends);
    pushChoice(std::move(choice), std::move(usual), name);
}

/// Of a project or a lesson they are its own, and what it leaves as it is was not chosen.
UsualBackends Document::usualWith(const std::vector<BackendPtr>& now) const {
    const bool as_before = open_.file.own_backends || now == choice().backends;
    return as_before ? usual_backends_ : usual_backends_.after(now);
}

void Document::pushChoice(FlowChoice choice, UsualBackends usual, const QString& name) {
    // A rewritten module has expressions of its own: what was said of the others does not fit them.
    if (!choice.rewrites_as(this->choice())) {
        choice.overrides.clear();
        choice.groups.clear();
        if (choice.reported && !choice.reported->by_expression.empty()) choice.reported = nullptr;
    }
    push(new ChoiceCommand(*this, std::move(choice), std::move(usual), name));
}

void Document::push(QUndoCommand* command) {
    if (open_.divided_step > undo_stack_.index())
        open_.divided_step = OpenedState::kNoStep;  // it can't be gone back to
    undo_stack_.push(command);
}

void Document::applyChoice(const FlowChoice& choice, const UsualBackends& usual) {
    open_.content.choice = choice;
    usual_backends_ = usual;
    ++revision_;
    emit choiceChanged();
    if (!going_back_) startFlow();
}

void Document::cancelFlow() {
    if (running_.flow) jobs_.cancel(std::exchange(running_.flow, 0));
}

/// What asked for the division is taken back: else the choice would tell of one that is not there.
void Document::flowCancelled() {
    running_.flow = 0;
    if (open_.divided_step == undo_stack_.index()) return;
    going_back_ = true;
    if (open_.divided_step == OpenedState::kNoStep) stopDividing();
    else undo_stack_.setIndex(open_.divided_step);
    going_back_ = false;
    open_.divided_revision = revision_;
    open_.divided_step = undo_stack_.index();
    emit flowChanged();
}

/// There is no division to go back to, as after opening or an edit: its switches go off. What was given by hand stays.
void Document::stopDividing() {
    const ModulePtr before = shownModule();
    forgetDivision();
    setProblems(Problems::Flow, {});
    const FlowChoice now = choice();
    FlowChoice choice = now;
    choice.annotate = choice.merge = choice.partition = false;
    if (!open_.content.isRewritten()) choice = choice.after_rewriting();
    const bool asked = now.annotate || now.merge || now.partition || !now.rewrites_as(choice);
    // A step of its own can be undone; but it would take what can be redone.
    if (asked && undo_stack_.canRedo()) applyChoice(choice, usual_backends_);
    else if (asked) push(new ChoiceCommand(*this, std::move(choice), usual_backends_, tr("stop dividing")));
    forgetPlacesOf(before);
}

FlowChoice Document::choiceOnBase() const {
    return open_.content.isRewritten() ? choice().after_rewriting() : choice();
}

void Document::startFlow() {
    cancelFlow();
    if (!isOpen()) return;
    if (!open_.content.divides()) {
        open_.division = {};
        open_.divided_revision = revision_;
        setProblems(Problems::Flow, {});
        emit flowChanged();
        return;
    }
    running_.flow = jobs_.start<DividedModule>(
        tr("Dividing the graph"), this,
        [module = open_.content.base(), choice = choiceOnBase(), annotated = annotated(), named = open_.content.named,
         memory = open_.flow_memory](const JobContext& context) {
            const FlowOptions options = flow_options(choice, annotated, context.cancel);
            DividedModule result{memory->run(module, options), {}, {}, {}, {}, {}};
            if (!result.flow) return result;
            result.refused = refused_merges(*result.flow);
            result.counts = rule_counts(*result.flow);
            result.at_line = refused_at_line(*result.flow, choice.backends);
            if (asks_annotators(choice.backends)) result.faults = rule_faults(*result.flow, options);
            if (!named || named->module != result.flow->input)
                result.named = std::make_shared<NamedModule>(result.flow->input);
            return result;
        },
        [this, revision = revision_](DividedModule result) { acceptFlow(revision, std::move(result)); });
}

void Document::acceptFlow(quint64 revision, DividedModule result) {
    if (revision != revision_) return;
    running_.flow = 0;
    open_.divided_revision = revision;
    open_.divided_step = undo_stack_.index();
    if (!result.flow) {
        forgetDivision();
        setProblems(Problems::Flow, {problem_of(result.flow.error())});
        emit flowChanged();
        emit flowFailed(QString::fromStdString(result.flow.error().to_string()));
        return;
    }
    const ModulePtr before = shownModule();
    if (choice().rewrites() && result.flow->stage("simplified")) open_.content.rewritten() = result.flow->input;
    DocumentDivision made{freed_on_worker(std::make_unique<const FlowResult>(std::move(*result.flow))), result.refused,
                          result.counts, result.at_line, result.faults};
    const DocumentDivision old = std::exchange(open_.division, std::move(made));
    if (result.named) jobs_.release(std::exchange(open_.content.named, result.named));
    std::vector<Problem> problems;
    for (const std::string& warning : open_.division.flow->warnings)
        problems.push_back({Severity::Warning, shown_message(warning), QString(), {}, ExprId()});
    if (result.faults)
        for (const RuleFault& fault : *result.faults) problems.push_back(problem_of(fault, choice().backends));
    setProblems(Problems::Flow, std::move(problems));
    forgetPlacesOf(before);
    emit flowChanged();
    jobs_.release(std::make_shared<DocumentDivision>(old));
}

void Document::forgetDivision() {
    jobs_.release(std::make_shared<DocumentDivision>(std::exchange(open_.division, {})));
}

/// Where another module is shown now, ids of the one before name other expressions.
void Document::forgetPlacesOf(const ModulePtr& before) {
    if (shownModule() == before) return;
    if (!bookmarks().empty()) {
        open_.content.bookmarks.clear();
        emit bookmarksChanged();
    }
    if (!selection().empty()) {
        open_.content.selection.clear();
        emit selectionChanged();
    }
}

void Document::giveToBackend(const std::vector<ExprId>& expressions, std::optional<int> backend) {
    if (!isOpen() || expressions.empty()) return;
    FlowChoice choice = this->choice();
    const bool first = !choice.active(annotated());
    const std::string given_to = choice.backend_name(backend.value_or(-1));
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
    FlowChoice choice = this->choice();
    UsualBackends usual = open_.file.own_backends ? usual_backends_ : UsualBackends{true, backends};
    choice.backends = std::move(backends);
    choice.reported = nullptr;
    if (isOpen()) pushChoice(std::move(choice), std::move(usual), tr("choose backends"));
    else applyChoice(choice, usual);
}

void Document::setBackendsOfThis(std::vector<BackendPtr> backends, const QString& name) {
    FlowChoice choice = this->choice();
    choice.backends = std::move(backends);
    choice.reported = nullptr;
    pushChoice(std::move(choice), usual_backends_, name);
}

void Document::replaceBackend(const BackendPtr& before, const BackendPtr& now) {
    FlowChoice choice = this->choice();
    const auto place = std::find(choice.backends.begin(), choice.backends.end(), before);
    if (place == choice.backends.end()) return;
    *place = now;
    UsualBackends usual = usual_backends_;
    std::replace(usual.backends.begin(), usual.backends.end(), before, now);
    applyChoice(choice, usual);
}

}  // namespace partita
