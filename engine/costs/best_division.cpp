#include "engine/costs/best_division.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "engine/costs/weight_budgets.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

/// Differences below this share of a price are rounding.
constexpr double kRounding = 1e-9;

/// Some of the problem's choices: those that leave the first `fixed` operators as in `best`, and exclude labels of
/// others.
struct Subset {
    CostSolution best;
    uint32_t fixed = 0;
    std::vector<std::pair<uint32_t, uint16_t>> excluded;

    bool operator<(const Subset& other) const { return best.cost > other.best.cost; }  // the cheapest first
};

class Enumerator {
public:
    Enumerator(const CostProblem& problem, uint32_t operators, const CancelToken& cancel)
        : problem_(problem), operators_(operators) {
        limits_.cancel = cancel;
        push({solve(problem_, limits_), 0, {}});
    }

    bool empty() const { return waiting_.empty(); }
    /// Returns a bound for all choices not yet returned.
    double bound() const { return empty() ? CostProblem::kForbidden : waiting_.top().best.bound; }

    /// Returns the cheapest choice that was not returned yet. Prepares the next with `prepare_next`.
    Labels next() {
        last_ = waiting_.top();
        waiting_.pop();
        return {last_.best.labels.begin(), last_.best.labels.begin() + operators_};
    }

    /// Splits what is left beside the last choice by the first operator that differs from it. Returns false if it was
    /// stopped: the bound of the last choice then still holds, but no other.
    bool prepare_next(const std::function<bool()>& stopped) {
        CostProblem part = problem_;
        for (const auto& [op, label] : last_.excluded) part.single[op][label] = CostProblem::kForbidden;
        const std::vector<uint16_t> labels = last_.best.labels;
        for (uint32_t i = 0; i < operators_; ++i) {
            std::vector<double> all = part.single[i];
            if (i >= last_.fixed) {
                if (stopped()) return false;
                part.single[i][labels[i]] = CostProblem::kForbidden;
                Subset rest{solve(part, limits_), i, last_.excluded};
                rest.excluded.emplace_back(i, labels[i]);
                push(std::move(rest));
            }
            // From here on this operator stays as it is.
            std::fill(part.single[i].begin(), part.single[i].end(), CostProblem::kForbidden);
            part.single[i][labels[i]] = all[labels[i]];
        }
        return true;
    }

private:
    void push(Subset subset) {
        if (!subset.best.labels.empty()) waiting_.push(std::move(subset));
    }

    const CostProblem& problem_;
    const uint32_t operators_;
    SolveLimits limits_;
    std::priority_queue<Subset> waiting_;
    Subset last_;
};

}  // namespace

Result<PlacementTask> placement_task(ModulePtr module, FlowOptions flow) {
    flow.by_cost = false;
    if (flow.rewrites()) {
        Result<FlowResult> rewritten = run_flow(module, rewriting_only(flow));
        if (!rewritten) return rewritten.error();
        module = rewritten->input;
        flow.lower = flow.simplify = flow.fold = false;
    }
    flow.log_decisions = false;
    Result<CostModel> model = CostModel::make(module, flow);
    if (!model) return model.error();
    if (model->operators().empty())
        return error("there is nothing to place: the module computes nothing that depends on its inputs");
    return PlacementTask{std::move(module), std::move(flow), std::move(*model)};
}

Result<FlowResult> divide(const PlacementTask& task, const Labels& labels) {
    FlowOptions options = task.flow;
    options.overrides = task.model.overrides_of(labels);
    options.by_cost = true;
    return run_flow(task.module, options);
}

Result<PricedDivision> price_division(const PlacementTask& task, const CostTable& table, const Labels& labels) {
    Result<FlowResult> flow = divide(task, labels);
    if (!flow) return flow.error();
    PricedDivision priced{labels, task.model.division_of(*flow), 0, int(flow->regions.size())};
    priced.price = task.model.price(table, priced.division);
    return priced;
}

Result<Labels> labels_by_rules(const PlacementTask& task, const FlowOptions& flow) {
    Result<FlowResult> result = run_flow(task.module, flow);
    if (!result) return result.error();
    // By names: the flow may have other backends than the task, or another order.
    std::vector<uint16_t> label_of;
    for (const BackendDescription& backend : flow.backends)
        for (uint16_t label = 0; label < task.model.labels(); ++label)
            if (task.model.name(label) == backend.name) label_of.push_back(label);
    Labels labels;
    for (const CostModel::Operator& op : task.model.operators()) {
        const int backend = result->backend_of[op.expr.value];
        labels.push_back(backend < 0 ? 0 : label_of[size_t(backend)]);
    }
    return labels;
}

namespace {

/// Solves, divides, and adds what the division shows until nothing is left that the model did not know.
class BestDivisionSearch {
public:
    BestDivisionSearch(const PlacementTask& task, const CostTable& table, double seconds, const CancelToken& cancel)
        : task_(task), table_(table), seconds_(seconds), cancel_(cancel), model_(task.model.problem(table)),
          budgets_(*task.module, task.flow, task.model) {
        limits_.cancel = cancel;
    }

    Status consider(const Labels& labels) {
        Result<PricedDivision> priced = price_division(task_, table_, labels);
        if (!priced) return priced.error();
        ++answer_.tried;
        last_ = priced->division;
        if (priced->price < answer_.best.price * (1 - kRounding)) answer_.best = std::move(*priced);
        return Nothing();
    }

    Result<BestDivision> run() {
        if (Status learned = learn_reentries(); !learned) return learned.error();
        if (budgets_.any()) answer_.without_budgets = answer_.bound;
        if (!answer_.proved && budgets_.any())
            if (Status done = price_weights(); !done) return done.error();
        if (!answer_.proved)
            if (Status done = try_in_order(); !done) return done.error();
        if (answer_.proved) answer_.bound = answer_.best.price;
        if (cancel_.cancelled()) return error("cancelled");
        answer_.reentries.assign(reentries_.begin(), reentries_.end());
        return std::move(answer_);
    }

private:
    bool stopped() const { return cancel_.cancelled() || watch_.milliseconds() > 1000 * seconds_; }
    bool reaches(double bound) const { return bound >= answer_.best.price * (1 - kRounding); }

    /// Raises the bound by terms for what merging refuses.
    Status learn_reentries() {
        for (;;) {
            problem_ = model_;
            add_reentries(problem_, task_.model, table_, {reentries_.begin(), reentries_.end()});
            const CostSolution solution = solve(problem_, limits_);
            if (cancel_.cancelled()) return error("cancelled");
            if (solution.labels.empty()) return error("no division is possible: every one is forbidden");
            answer_.bound = solution.bound;
            if (Status done = consider({solution.labels.begin(), solution.labels.begin() + operators()}); !done)
                return done;
            answer_.proved = reaches(answer_.bound);
            const size_t before = reentries_.size();
            for (const Reentry& reentry : find_reentries(task_.model, last_)) reentries_.insert(reentry);
            if (answer_.proved || reentries_.size() == before || stopped()) return Nothing();
        }
    }

    /// Raises the bound by what the budgets for weights make dearer, and tries what that shows.
    Status price_weights() {
        std::set<Labels> tried;
        Status status = Nothing();
        budgets_.search(
            problem_, [this](const CostProblem& problem) { return solve(problem, limits_); },
            [&](const WeightBudgets::Priced& priced) {
                answer_.bound = std::max(answer_.bound, priced.bound);
                const bool is_new = task_.model.allows(priced.labels) && tried.insert(priced.labels).second;
                if (is_new) status = consider(priced.labels);
                return status && !stopped() && !reaches(answer_.bound);
            });
        answer_.proved = reaches(answer_.bound);
        return status;
    }

    Status try_in_order() {
        Enumerator choices(problem_, uint32_t(operators()), cancel_);
        if (cancel_.cancelled()) return error("cancelled");
        const double known = answer_.bound;
        while (!choices.empty() && !reaches(answer_.bound = std::max(known, choices.bound()))) {
            if (Status done = consider(choices.next()); !done) return done;
            if (reaches(answer_.bound) || !choices.prepare_next([this] { return stopped(); })) break;
        }
        answer_.proved = choices.empty() || reaches(answer_.bound);
        return Nothing();
    }

    std::ptrdiff_t operators() const { return std::ptrdiff_t(task_.model.operators().size()); }

    const PlacementTask& task_;
    const CostTable& table_;
    const double seconds_;
    const CancelToken& cancel_;
    const CostProblem model_;
    const WeightBudgets budgets_;
    CostProblem problem_;  ///< with the reentries
    std::set<Reentry> reentries_;
    SolveLimits limits_;
    CostedDivision last_;  ///< that the flow made
    BestDivision answer_;
    Stopwatch watch_;
};

}  // namespace

Result<BestDivision> best_division(const PlacementTask& task, const CostTable& table, const std::vector<Labels>& known,
                                   double seconds, const CancelToken& cancel) {
    BestDivisionSearch search(task, table, seconds, cancel);
    for (const Labels& labels : known)
        if (task.model.allows(labels))
            if (Status done = search.consider(labels); !done) return done.error();
    return search.run();
}

}  // namespace partita
