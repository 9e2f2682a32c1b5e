#include "engine/costs/place_by_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/costs/pareto.h"
#include "engine/support/number_text.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

constexpr int kMixtures = 4;
constexpr int kRounds = 5;     ///< of solving and trying the answer
constexpr int kTurns = 3;      ///< of the finalists
constexpr double kSurely = 2;  ///< standard errors that a gain must exceed
constexpr size_t kMostOrders = 6;

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

class PlacingByCost {
public:
    PlacingByCost(const PlacementTask& task, CostTable& table, const PlaceOptions& options)
        : task_(task), table_(table), options_(options), measurer_(task, run_options(options), table) {}

    Result<PlacementAnswer> run() {
        if (Status listed = list_candidates(); !listed) return listed.error();
        if (options_.measure_seconds > 0) {
            if (options_.measure_again) forget_operators();
            if (Status measured = measure_parts(); !measured) return measured.error();
            if (Status refined = refine(); !refined) return refined.error();
            if (Status compared = compare_finalists(); !compared) return compared.error();
        } else if (Status solved = solve(); !solved) {
            return solved.error();
        }
        return answer();
    }

private:
    static RunOptions run_options(const PlaceOptions& options) {
        RunOptions run = options.run;
        run.cancel = options.cancel;
        return run;
    }

    /// Lists what is there without a placement: the rules in every order, and each backend alone.
    Status list_candidates() {
        Status status = add_by_rules("rules", task_.flow.backends);
        if (!options_.given.empty()) candidates_.push_back({"given", options_.given});
        candidates_.push_back({"default", Labels(task_.model.operators().size(), 0)});
        for (const BackendDescription& backend : task_.flow.backends)
            if (status) status = add_by_rules(backend.name, {backend});
        std::vector<size_t> order(task_.flow.backends.size());
        std::iota(order.begin(), order.end(), 0);
        for (size_t made = 1; made < kMostOrders && std::next_permutation(order.begin(), order.end()) && status;
             ++made) {
            std::vector<BackendDescription> backends;
            std::string name = "rules:";
            for (size_t place : order) {
                backends.push_back(task_.flow.backends[place]);
                name += (backends.size() > 1 ? "," : "") + backends.back().name;
            }
            status = add_by_rules(name, backends);
        }
        return status;
    }

    Status add_by_rules(const std::string& name, std::vector<BackendDescription> backends) {
        FlowOptions flow = task_.flow;
        flow.backends = std::move(backends);
        Result<Labels> labels = labels_by_rules(task_, flow);
        if (!labels) return labels.error();
        candidates_.push_back({name, std::move(*labels)});
        return Nothing();
    }

    bool time_over() const { return watch_.milliseconds() > 1000 * options_.measure_seconds; }

    Status measure(PlacedCandidate& candidate) {
        if (options_.cancel.cancelled()) return error("cancelled");
        if (options_.progress) {
            const double part = watch_.milliseconds() / (1000 * std::max(options_.measure_seconds, 1e-3));
            options_.progress(std::min(part, 0.99), "measuring " + candidate.name + best_so_far());
        }
        if (options_.measure_again && samples_[candidate.name].empty())
            table_.runs.erase(task_.model.division_key(candidate.labels));
        Result<MeasuredDivision> run = measurer_.run(candidate.labels);
        if (!run) return run.error();
        note(candidate, *run);
        has_measured_ = true;
        return Nothing();
    }

    /// What was measured earlier has been fitted then.
    void fit_crossings() {
        if (has_measured_) partita::fit_crossings(task_.model, measurer_.runs(), table_);
    }

    void note(PlacedCandidate& candidate, const MeasuredDivision& run) {
        candidate.regions = run.regions;
        samples_[candidate.name].push_back(run.ms);
        const std::vector<double>& samples = samples_[candidate.name];
        candidate.measured_ms = *std::min_element(samples.begin(), samples.end());
    }

    void forget_operators() {
        std::set<std::string> keys;
        for (const CostModel::Operator& op : task_.model.operators()) keys.insert(op.key);
        std::erase_if(table_.units, [&](const auto& unit) { return keys.count(unit.first.op) > 0; });
    }

    /// Measures what the table does not know yet.
    Status measure_once(PlacedCandidate& candidate) {
        if (options_.measure_again) return measure(candidate);
        Result<std::optional<MeasuredDivision>> known = measurer_.recall(candidate.labels);
        if (!known) return known.error();
        if (!*known) return measure(candidate);
        note(candidate, **known);
        return Nothing();
    }

    std::string best_so_far() const {
        double best = 0;
        for (const PlacedCandidate& candidate : candidates_)
            if (candidate.measured_ms > 0 && (best == 0 || candidate.measured_ms < best)) best = candidate.measured_ms;
        return best > 0 ? "; the best so far takes " + general_text(best, 3) + " ms" : "";
    }

    /// Measures what the table lacks: default, operators alone on each backend, then whole divisions.
    Status measure_parts() {
        for (PlacedCandidate& candidate : candidates_)
            if (candidate.name == "default")
                if (Status done = measure_once(candidate); !done) return done;
        for (uint16_t backend = 1; backend < task_.model.labels(); ++backend)
            for (Labels& labels : measurer_.islands(backend)) {
                PlacedCandidate island{"operators of " + task_.model.name(backend), std::move(labels)};
                if (time_over()) break;
                if (Status done = measure_once(island); !done) return done;
            }
        for (PlacedCandidate& candidate : candidates_)
            if (candidate.measured_ms == 0 && !(time_over() && candidate.name.starts_with("rules:")))
                if (Status done = measure_once(candidate); !done) return done;
        for (int i = 1; i <= kMixtures && !time_over(); ++i) {
            candidates_.push_back({"mixture " + std::to_string(i), measurer_.mixture(uint64_t(i))});
            if (Status done = measure_once(candidates_.back()); !done) return done;
        }
        fit_crossings();
        return Nothing();
    }

    std::vector<Labels> known() const {
        std::vector<Labels> labels;
        for (const PlacedCandidate& candidate : candidates_) labels.push_back(candidate.labels);
        return labels;
    }

    /// Where a backend has room for some weights only, placements with fewer of them are candidates, too: the flow
    /// leaves out what does least work for each byte, which is not always what costs least.
    Status add_light_placements(std::vector<Labels>& labels) const {
        const auto has_room = [](const BackendDescription& backend) { return backend.limits.weight_bytes > 0; };
        if (std::none_of(task_.flow.backends.begin(), task_.flow.backends.end(), has_room)) return Nothing();
        Result<std::vector<ParetoPoint>> curve = pareto_curve(task_, table_, ParetoGoal::Weights);
        if (!curve) return curve.error();
        for (ParetoPoint& point : *curve) labels.push_back(std::move(point.labels));
        return Nothing();
    }

    Status solve() {
        std::vector<Labels> labels = known();
        if (Status added = add_light_placements(labels); !added) return added;
        Result<BestDivision> best = best_division(task_, table_, labels, options_.solve_seconds, options_.cancel);
        if (!best) return best.error();
        best_ = std::move(*best);
        return Nothing();
    }

    /// Solves, tries the answer, enters what it took into the table, until the answer stays.
    Status refine() {
        for (int round = 1; round <= kRounds; ++round) {
            if (Status solved = solve(); !solved) return solved;
            const bool tried = std::any_of(candidates_.begin(), candidates_.end(), [&](const PlacedCandidate& each) {
                return each.labels == best_.best.labels && each.measured_ms > 0;
            });
            if (tried || (round > 1 && time_over())) break;
            candidates_.push_back({"solution " + std::to_string(round), best_.best.labels});
            if (Status done = measure_once(candidates_.back()); !done) return done;
            fit_crossings();
        }
        return solve();
    }

    /// Runs the two fastest, the rules' and each single backend in turns, so that a busy moment meets all alike.
    Status compare_finalists() {
        std::vector<PlacedCandidate*> finalists;
        std::vector<PlacedCandidate*> by_time;
        for (PlacedCandidate& candidate : candidates_)
            if (candidate.measured_ms > 0) by_time.push_back(&candidate);
        std::sort(by_time.begin(), by_time.end(),
                  [](const auto* a, const auto* b) { return a->measured_ms < b->measured_ms; });
        for (size_t i = 0; i < by_time.size(); ++i)
            if (i < 2 || by_time[i]->name == "rules" || by_time[i]->name == "given") finalists.push_back(by_time[i]);
        if (Status done = take_turns(finalists); !done) return done;
        fastest_ = finalists[0];
        const PlacedCandidate *rules = nullptr, *given = nullptr;
        for (const PlacedCandidate* candidate : finalists) {
            if (candidate->measured_ms < fastest_->measured_ms) fastest_ = candidate;
            if (candidate->name == "rules") rules = candidate;
            if (candidate->name == "given") given = candidate;
        }
        if (given) given_holds_ = !is_better(*fastest_, *given);
        for (const PlacedCandidate* candidate : finalists)
            if (candidate != fastest_) noise_ms_ = std::max(noise_ms_, kSurely * standard_error(*fastest_, *candidate));
        if (rules && !is_better(*fastest_, *rules)) fastest_ = rules;
        return Nothing();
    }

    /// Measures all in turns, or recalls the turns that they took together.
    Status take_turns(const std::vector<PlacedCandidate*>& finalists) {
        const auto turns = [&](const PlacedCandidate* each) -> std::vector<double>& {
            return table_.runs[task_.model.division_key(each->labels)];
        };
        const bool known = !options_.measure_again &&
                           std::all_of(finalists.begin(), finalists.end(),
                                       [&](const auto* each) { return turns(each).size() == size_t(kTurns); });
        for (PlacedCandidate* each : finalists) {
            samples_[each->name].clear();
            if (known) samples_[each->name] = turns(each);
            else turns(each).clear();
        }
        for (int turn = 0; turn < kTurns && !known; ++turn)
            for (PlacedCandidate* each : finalists) {
                const PlacedCandidate* twin =
                    *std::find_if(finalists.begin(), finalists.end(),
                                  [&](const PlacedCandidate* other) { return other->labels == each->labels; });
                if (twin == each)
                    if (Status done = measure(*each); !done) return done;
                if (twin != each) samples_[each->name].push_back(samples_[twin->name].back());
                each->measured_ms = twin->measured_ms;
            }
        return Nothing();
    }

    /// Returns whether the first takes less time than the second by more than the noise.
    bool is_better(const PlacedCandidate& a, const PlacedCandidate& b) const {
        return b.measured_ms - a.measured_ms > kSurely * standard_error(a, b);
    }

    /// Returns the standard error of the difference of two candidates, from their turns.
    double standard_error(const PlacedCandidate& a, const PlacedCandidate& b) const {
        const std::vector<double>&x = samples_.at(a.name), &y = samples_.at(b.name);
        std::vector<double> differences;
        for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) differences.push_back(y[i] - x[i]);
        const double middle = median(differences);
        for (double& difference : differences) difference = std::abs(difference - middle);
        // 1.4826 turns a median deviation into a standard deviation of normal noise.
        return 1.4826 * median(differences) / std::sqrt(double(std::max<size_t>(differences.size(), 1)));
    }

    Result<PlacementAnswer> answer() {
        PlacementAnswer answer;
        answer.noise_ms = noise_ms_;
        answer.given_holds = given_holds_;
        if (Status priced = price_candidates(); !priced) return priced.error();
        if (fastest_) answer.chosen = *fastest_;
        else answer.chosen = {"chosen", best_.best.labels, best_.best.regions, best_.best.price};
        if (Status solved = solve(); !solved) return solved.error();
        answer.bound_ms = std::min(best_.bound, answer.chosen.predicted_ms);
        answer.without_budgets_ms = std::min(best_.without_budgets, answer.bound_ms);
        answer.gap = answer.chosen.predicted_ms > 0
                         ? (answer.chosen.predicted_ms - answer.bound_ms) / answer.chosen.predicted_ms
                         : 0;
        std::vector<double> errors;
        for (const PlacedCandidate& candidate : candidates_)
            if (candidate.measured_ms > 0)
                errors.push_back(std::abs(candidate.predicted_ms - candidate.measured_ms) / candidate.measured_ms);
        answer.error_median = median(errors);
        answer.others = candidates_;
        answer.chosen.name = "chosen";
        if (const PlacedCandidate* given = answer.find("given"); given && !fastest_)
            answer.given_holds = given->predicted_ms <= answer.chosen.predicted_ms * (1 + answer.error_median + 1e-9);
        if (Status added = add_contested(answer); !added) return added.error();
        return answer;
    }

    Status add_contested(PlacementAnswer& answer) const {
        answer.reentries = best_.reentries;
        answer.least_ms = least_costs(task_, table_, answer.reentries, options_.cancel);
        if (options_.cancel.cancelled()) return error("cancelled");
        Result<FlowResult> flow = divide(task_, answer.chosen.labels);
        if (!flow) return flow.error();
        Result<std::vector<FlipCost>> flips =
            contested_operators(task_, table_, task_.model.division_of(*flow), answer.least_ms);
        if (!flips) return flips.error();
        answer.contested = std::move(*flips);
        return Nothing();
    }

    /// Prices the candidates. Those that the flow divides alike are one division: each tells what the one that was
    /// measured last took, in turns with others if it was.
    Status price_candidates() {
        std::vector<CostedDivision> divisions;
        for (PlacedCandidate& candidate : candidates_) {
            Result<PricedDivision> priced = price_division(task_, table_, candidate.labels);
            if (!priced) return priced.error();
            candidate.predicted_ms = priced->price;
            candidate.regions = priced->regions;
            divisions.push_back(std::move(priced->division));
        }
        const auto is_alike = [&divisions](size_t a, size_t b) {
            return divisions[a].labels == divisions[b].labels && divisions[a].regions == divisions[b].regions;
        };
        for (size_t i = 0; i < candidates_.size(); ++i) {
            size_t teller = i;
            for (size_t k = 0; k < candidates_.size(); ++k)
                if (is_alike(i, k) && tells_more(candidates_[k], candidates_[teller])) teller = k;
            candidates_[i].measured_ms = candidates_[teller].measured_ms;
        }
        return Nothing();
    }

    /// Of two candidates of one division: whether the first was measured oftener, or less disturbed.
    bool tells_more(const PlacedCandidate& a, const PlacedCandidate& b) const {
        const auto times = [this](const PlacedCandidate& each) {
            const auto found = samples_.find(each.name);
            return found == samples_.end() ? 0 : found->second.size();
        };
        if (a.measured_ms == 0 || b.measured_ms == 0) return a.measured_ms > 0;
        return times(a) != times(b) ? times(a) > times(b) : a.measured_ms < b.measured_ms;
    }

    const PlacementTask& task_;
    CostTable& table_;
    const PlaceOptions& options_;
    CostMeasurer measurer_;
    Stopwatch watch_;
    bool given_holds_ = true, has_measured_ = false;
    double noise_ms_ = 0;
    std::vector<PlacedCandidate> candidates_;
    std::map<std::string, std::vector<double>> samples_;  ///< by candidate: of its turns
    BestDivision best_;
    const PlacedCandidate* fastest_ = nullptr;
};

}  // namespace

const PlacedCandidate* PlacementAnswer::find(const std::string& name) const {
    const auto found = std::find_if(others.begin(), others.end(),
                                    [&](const PlacedCandidate& candidate) { return candidate.name == name; });
    return found == others.end() ? nullptr : &*found;
}

bool PlacementAnswer::rules_stay() const {
    const PlacedCandidate* rules = find("rules");
    return rules && rules->labels == chosen.labels;
}

Result<PlacementAnswer> place_by_cost(const PlacementTask& task, CostTable& table, const PlaceOptions& options) {
    return PlacingByCost(task, table, options).run();
}

}  // namespace partita
