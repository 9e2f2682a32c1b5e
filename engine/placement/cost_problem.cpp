#include "engine/placement/cost_problem.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "engine/placement/reduced_problem.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

constexpr double kInfinity = CostProblem::kForbidden;

/// Costs by the labels of some variables; the last variable of the scope counts fastest.
struct CostFactor {
    std::vector<uint32_t> scope;  ///< sorted
    std::vector<double> cost;
};

/// Joins factors over the union of their scopes, and minimizes variables away.
class Join {
public:
    /// `variable` is in a factor's scope, and `minimum` minimizes it away.
    Join(const CostProblem& problem, uint32_t variable, std::vector<const CostFactor*> factors)
        : problem_(problem), factors_(std::move(factors)) {
        for (const CostFactor* factor : factors_)
            scope_.insert(scope_.end(), factor->scope.begin(), factor->scope.end());
        std::sort(scope_.begin(), scope_.end());
        scope_.erase(std::unique(scope_.begin(), scope_.end()), scope_.end());
        scope_.erase(std::remove(scope_.begin(), scope_.end(), variable), scope_.end());
        scope_.push_back(variable);
    }

    /// Returns the message over the scope without the variable. Costs a visit of each entry for each factor.
    CostFactor minimum() const {
        CostFactor message{{scope_.begin(), scope_.end() - 1}, {}};
        const size_t own = problem_.labels(scope_.back());
        std::vector<std::vector<size_t>> strides = strides_of_factors();
        std::vector<uint16_t> labels(scope_.size());
        std::vector<size_t> at(factors_.size());
        for (bool more = true; more;) {
            double least = kInfinity;
            for (size_t label = 0; label < own; ++label) {
                double sum = 0;
                for (size_t f = 0; f < factors_.size(); ++f)
                    sum += factors_[f]->cost[at[f] + label * strides[f].back()];
                least = std::min(least, sum);
            }
            message.cost.push_back(least);
            more = advance(labels, strides, at);
        }
        return message;
    }

    /// Returns the message over the variables of `kept`, which are in the scope. Costs the same.
    CostFactor onto(std::vector<uint32_t> kept) const {
        size_t size = 1;
        for (uint32_t variable : kept) size *= problem_.labels(variable);
        CostFactor message{std::move(kept), std::vector<double>(size, kInfinity)};
        std::vector<std::vector<size_t>> strides = strides_of_factors();
        strides.push_back(strides_of(message));
        std::vector<uint16_t> labels(scope_.size());
        std::vector<size_t> at(strides.size());
        for (bool more = true; more; more = advance(labels, strides, at))
            for (size_t label = 0; label < problem_.labels(scope_.back()); ++label) {
                double sum = 0;
                for (size_t f = 0; f < factors_.size(); ++f)
                    sum += factors_[f]->cost[at[f] + label * strides[f].back()];
                double& least = message.cost[at.back() + label * strides.back().back()];
                least = std::min(least, sum);
            }
        return message;
    }

private:
    std::vector<std::vector<size_t>> strides_of_factors() const {
        std::vector<std::vector<size_t>> strides;
        for (const CostFactor* factor : factors_) strides.push_back(strides_of(*factor));
        return strides;
    }

    /// By variable of the scope, the distance of two neighbouring labels in the factor's costs.
    std::vector<size_t> strides_of(const CostFactor& factor) const {
        std::vector<size_t> strides(scope_.size(), 0);
        size_t stride = 1;
        for (size_t i = factor.scope.size(); i-- > 0; stride *= problem_.labels(factor.scope[i]))
            strides[size_t(std::find(scope_.begin(), scope_.end(), factor.scope[i]) - scope_.begin())] = stride;
        return strides;
    }

    /// Goes to the next labels of all variables but the last. Returns false after the last ones.
    bool advance(std::vector<uint16_t>& labels, const std::vector<std::vector<size_t>>& strides,
                 std::vector<size_t>& at) const {
        for (size_t i = scope_.size() - 1; i-- > 0;) {
            const size_t count = problem_.labels(scope_[i]);
            const bool carry = ++labels[i] == count;
            for (size_t f = 0; f < at.size(); ++f) {
                if (carry) at[f] -= strides[f][i] * (count - 1);
                else at[f] += strides[f][i];
            }
            if (!carry) return true;
            labels[i] = 0;
        }
        return false;
    }

    const CostProblem& problem_;
    std::vector<const CostFactor*> factors_;
    std::vector<uint32_t> scope_;  ///< the eliminated variable is the last
};

/// Variables in an order of least degree, where eliminating one connects its neighbours.
std::vector<uint32_t> order_of_least_degree(const CostProblem& problem) {
    const size_t count = problem.single.size();
    std::vector<std::vector<uint32_t>> near(count);
    for (const CostProblem::Pair& pair : problem.pairs) {
        near[pair.a].push_back(pair.b);
        near[pair.b].push_back(pair.a);
    }
    for (const CostProblem::Group& group : problem.groups)
        for (uint32_t a : group.variables)
            for (uint32_t b : group.variables)
                if (a != b) near[a].push_back(b);
    std::vector<std::vector<uint32_t>> by_degree;
    const auto enter = [&](uint32_t variable) {
        std::vector<uint32_t>& list = near[variable];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        if (by_degree.size() <= list.size()) by_degree.resize(list.size() + 1);
        by_degree[list.size()].push_back(variable);
    };
    for (uint32_t i = count; i-- > 0;) enter(i);
    std::vector<uint32_t> order;
    for (size_t degree = 0; order.size() < count;) {
        if (by_degree[degree].empty()) {
            ++degree;
            continue;
        }
        const uint32_t variable = by_degree[degree].back();
        by_degree[degree].pop_back();
        if (near[variable].size() != degree) continue;  // entered again with another degree, or done
        order.push_back(variable);
        const std::vector<uint32_t> around = std::exchange(near[variable], {});
        for (uint32_t other : around) {
            std::vector<uint32_t>& list = near[other];
            list.erase(std::remove(list.begin(), list.end(), variable), list.end());
            for (uint32_t neighbour : around)
                if (neighbour != other) list.push_back(neighbour);
            enter(other);
        }
        degree = degree > 0 ? degree - 1 : 0;
    }
    return order;
}

class Eliminator {
public:
    Eliminator(const CostProblem& problem, const SolveLimits& limits) : problem_(problem), limits_(limits) {
        order_ = order_of_least_degree(problem);
        place_.resize(order_.size());
        for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        buckets_.resize(order_.size());
        messages_from_.resize(order_.size());
        constant_from_.resize(order_.size());
        for (uint32_t i = 0; i < problem.single.size(); ++i) add({{i}, problem.single[i]});
        for (const CostProblem::Pair& pair : problem.pairs) add(sorted({{pair.a, pair.b}, pair.cost}));
        for (const CostProblem::Group& group : problem.groups) add(sorted({group.variables, group.cost}));
    }

    CostSolution solve() {
        CostSolution solution;
        for (uint32_t i = 0; i < order_.size(); ++i) {
            if (limits_.cancel.cancelled()) return solution;
            eliminate(order_[i]);
            constant_ += constant_from_[order_[i]];
        }
        if (constant_ == kInfinity) return solution;
        solution.bound = constant_;
        best_ = kInfinity;
        Search search{*this};
        search.run(exact_ ? kInfinity : limits_.seconds);
        if (best_ == kInfinity) return solution;
        solution.labels = best_labels_;
        solution.cost = best_;
        solution.proved = exact_ || search.complete;
        if (solution.proved) solution.bound = solution.cost;
        return solution;
    }

    /// The least cost for each label of the first variables.
    std::vector<std::vector<double>> least_costs(size_t variables) {
        for (uint32_t variable : order_) {
            if (limits_.cancel.cancelled()) return {};
            eliminate(variable);
            constant_ += constant_from_[variable];
            if (!exact_) return {};
        }
        std::vector<std::vector<double>> least;
        for (uint32_t i = 0; i < variables; ++i) least.emplace_back(problem_.labels(i), kInfinity);
        if (constant_ == kInfinity) return least;     // every choice is forbidden
        std::vector<CostFactor> down(order_.size());  // by variable: what the rest of the tree costs beside its bucket
        std::vector<double> elsewhere(order_.size(), 0);  // by variable: the least cost of the other trees
        // From the last bucket back, so that the bucket above is known.
        for (size_t i = order_.size(); i-- > 0;) {
            if (limits_.cancel.cancelled()) return {};
            const uint32_t variable = order_[i];
            if (messages_from_[variable].empty()) {
                elsewhere[variable] = constant_ - constant_from_[variable];
            } else {
                const uint32_t message = messages_from_[variable].front(), above = first_eliminated(factors_[message]);
                elsewhere[variable] = elsewhere[above];
                down[variable] =
                    Join(problem_, above, bucket(above, message, down[above])).onto(factors_[message].scope);
            }
            if (variable >= variables) continue;
            least[variable] = Join(problem_, variable, bucket(variable, kNone, down[variable])).onto({variable}).cost;
            for (double& cost : least[variable]) cost += elsewhere[variable];
        }
        return least;
    }

private:
    static constexpr uint32_t kNone = uint32_t(-1);

    /// Returns the factors of a bucket but one, and what came down to it.
    std::vector<const CostFactor*> bucket(uint32_t variable, uint32_t without, const CostFactor& down) const {
        std::vector<const CostFactor*> factors;
        for (uint32_t factor : buckets_[variable])
            if (factor != without) factors.push_back(&factors_[factor]);
        if (!down.cost.empty()) factors.push_back(&down);
        return factors;
    }

    uint32_t first_eliminated(const CostFactor& factor) const {
        return *std::min_element(factor.scope.begin(), factor.scope.end(),
                                 [&](uint32_t a, uint32_t b) { return place_[a] < place_[b]; });
    }

    /// Returns the factor with its variables, and the costs, in the order of variables.
    CostFactor sorted(CostFactor factor) const {
        std::vector<size_t> from(factor.scope.size());  // by place in the sorted scope
        std::iota(from.begin(), from.end(), 0);
        std::sort(from.begin(), from.end(), [&](size_t a, size_t b) { return factor.scope[a] < factor.scope[b]; });
        std::vector<size_t> strides(from.size(), 1);
        for (size_t i = from.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * problem_.labels(factor.scope[i + 1]);
        CostFactor made{{}, std::vector<double>(factor.cost.size())};
        for (size_t place : from) made.scope.push_back(factor.scope[place]);
        for (size_t i = 0; i < made.cost.size(); ++i) {
            size_t rest = i, source = 0;
            for (size_t k = from.size(); k-- > 0; rest /= problem_.labels(made.scope[k]))
                source += rest % problem_.labels(made.scope[k]) * strides[from[k]];
            made.cost[i] = factor.cost[source];
        }
        return made;
    }

    /// Puts a factor into the bucket of the variable of its scope that is eliminated first.
    uint32_t add(CostFactor factor) {
        const uint32_t owner = first_eliminated(factor);
        factors_.push_back(std::move(factor));
        buckets_[owner].push_back(uint32_t(factors_.size() - 1));
        return uint32_t(factors_.size() - 1);
    }

    void eliminate(uint32_t variable) {
        std::vector<std::vector<const CostFactor*>> groups = mini_buckets(variable);
        exact_ = exact_ && groups.size() == 1;
        for (std::vector<const CostFactor*>& group : groups) {
            CostFactor message = Join(problem_, variable, std::move(group)).minimum();
            if (message.scope.empty()) constant_from_[variable] += message.cost[0];
            else messages_from_[variable].push_back(add(std::move(message)));
        }
    }

    /// Splits a bucket so that no message exceeds the limit: the wide factors first.
    std::vector<std::vector<const CostFactor*>> mini_buckets(uint32_t variable) const {
        std::vector<const CostFactor*> all;
        for (uint32_t factor : buckets_[variable]) all.push_back(&factors_[factor]);
        std::stable_sort(all.begin(), all.end(),
                         [](const CostFactor* a, const CostFactor* b) { return a->scope.size() > b->scope.size(); });
        std::vector<std::vector<const CostFactor*>> groups;
        std::vector<std::vector<uint32_t>> scopes;
        for (const CostFactor* factor : all) {
            size_t into = 0;
            std::vector<uint32_t> joined;
            for (; into < groups.size(); ++into) {
                joined.clear();
                std::set_union(scopes[into].begin(), scopes[into].end(), factor->scope.begin(), factor->scope.end(),
                               std::back_inserter(joined));
                if (entries(joined) <= limits_.entries) break;
            }
            if (into == groups.size()) {
                groups.emplace_back();
                scopes.emplace_back();
                joined = factor->scope;
            }
            groups[into].push_back(factor);
            scopes[into] = joined;
        }
        return groups;
    }

    size_t entries(const std::vector<uint32_t>& scope) const {
        size_t product = 1;
        for (uint32_t variable : scope) {
            product *= problem_.labels(variable);
            if (product > limits_.entries) break;
        }
        return product;
    }

    /// Assigns the variables in the reverse order. What a bucket costs for a label, with the messages in it, is a lower
    /// bound of all that is eliminated before; where no bucket was split it is exact, and the first way down is best.
    struct Search {
        Eliminator& of;
        bool complete = false;
        std::vector<uint16_t> labels = {};

        struct Level {
            std::vector<std::pair<double, uint16_t>> tries;  ///< cost so far and label, the cheapest last
        };

        void run(double seconds) {
            const size_t count = of.order_.size();
            labels.assign(count, 0);
            std::vector<Level> levels;
            Stopwatch watch;
            levels.push_back(expand(count, 0));
            for (uint64_t steps = 0; !levels.empty(); ++steps) {
                if (steps % 1024 == 1023 && stopped(watch, seconds)) return;
                Level& level = levels.back();
                if (level.tries.empty() || level.tries.back().first >= of.best_) {
                    levels.pop_back();
                    continue;
                }
                const size_t depth = count - levels.size();  // index into the order of the variable to assign
                const auto [bound, label] = level.tries.back();
                level.tries.pop_back();
                labels[of.order_[depth]] = label;
                if (depth > 0) {
                    levels.push_back(expand(depth, bound));
                    continue;
                }
                const double cost = of.problem_.cost(labels);
                if (cost < of.best_) {
                    of.best_ = cost;
                    of.best_labels_ = labels;
                }
                if (of.exact_) break;
            }
            complete = true;
        }

        bool stopped(const Stopwatch& watch, double seconds) const {
            return of.best_ < kInfinity && (of.limits_.cancel.cancelled() || watch.milliseconds() > 1000 * seconds);
        }

        /// Lists the labels of the variable before `depth`, with bounds for what they lead to.
        Level expand(size_t depth, double above) {
            const uint32_t variable = of.order_[depth - 1];
            Level level;
            const double root = depth == of.order_.size() ? of.constant_ : above;
            for (uint16_t label = 0, count = uint16_t(of.problem_.labels(variable)); label < count; ++label) {
                const double bound = root + of.rise(variable, label, labels);
                if (bound < kInfinity) level.tries.emplace_back(bound, label);
            }
            std::stable_sort(level.tries.begin(), level.tries.end(),
                             [](const auto& a, const auto& b) { return a.first > b.first; });
            return level;
        }
    };

    /// Returns by how much a label raises the lower bound: what its bucket costs, less what its messages promised.
    double rise(uint32_t variable, uint16_t label, std::vector<uint16_t>& labels) const {
        labels[variable] = label;
        double sum = 0;
        for (uint32_t factor : buckets_[variable]) sum += value(factors_[factor], labels);
        if (sum == kInfinity) return kInfinity;
        for (uint32_t message : messages_from_[variable]) sum -= value(factors_[message], labels);
        return sum - constant_from_[variable];
    }

    double value(const CostFactor& factor, const std::vector<uint16_t>& labels) const {
        size_t at = 0;
        for (uint32_t variable : factor.scope) at = at * problem_.labels(variable) + labels[variable];
        return factor.cost[at];
    }

    const CostProblem& problem_;
    const SolveLimits& limits_;
    std::vector<uint32_t> order_, place_;
    std::deque<CostFactor> factors_;
    std::vector<std::vector<uint32_t>> buckets_;        ///< by variable: factors that it is eliminated from
    std::vector<std::vector<uint32_t>> messages_from_;  ///< by variable: the factors that eliminating it made
    std::vector<double> constant_from_;                 ///< by variable: messages without variables
    double constant_ = 0;                               ///< the sum of these
    bool exact_ = true;
    double best_ = kInfinity;
    std::vector<uint16_t> best_labels_;
};

}  // namespace

double CostProblem::cost(std::span<const uint16_t> labels) const {
    double sum = 0;
    for (size_t i = 0; i < single.size(); ++i) sum += single[i][labels[i]];
    for (const Pair& pair : pairs) sum += pair.cost[labels[pair.a] * this->labels(pair.b) + labels[pair.b]];
    for (const Group& group : groups) {
        size_t at = 0;
        for (uint32_t variable : group.variables) at = at * this->labels(variable) + labels[variable];
        sum += group.cost[at];
    }
    return sum;
}

CostSolution solve(const CostProblem& problem, const SolveLimits& limits) {
    if (problem.single.empty()) return {{}, 0, 0, true};
    const ReducedProblem reduced(problem);
    CostSolution solution = Eliminator(reduced.problem(), limits).solve();
    solution.labels = reduced.labels(solution.labels);
    return solution;
}

std::vector<std::vector<double>> least_costs(const CostProblem& problem, size_t variables, const SolveLimits& limits) {
    if (problem.single.empty()) return {};
    const ReducedProblem reduced(problem);
    return reduced.spread(Eliminator(reduced.problem(), limits).least_costs(reduced.needed(variables)), variables);
}

}  // namespace partita
