#include "engine/placement/reduced_problem.h"

#include <algorithm>

namespace partita {

namespace {

constexpr double kForbidden = CostProblem::kForbidden;
constexpr int kRounds = 4;  ///< of dropping labels that have become impossible; more find little

}  // namespace

ReducedProblem::ReducedProblem(const CostProblem& problem)
    : given_(problem), leader_(problem.single.size(), -1), following_(problem.single.size()) {
    drop_impossible();
    find_followers();
    number_variables();
    add_costs();
}

/// A label is impossible if it is forbidden alone, or with each label of a neighbour that is possible.
void ReducedProblem::drop_impossible() {
    for (const std::vector<double>& single : given_.single) {
        std::vector<bool>& possible = possible_.emplace_back();
        for (double cost : single) possible.push_back(cost < kForbidden);
    }
    bool changed = true;
    for (int round = 0; round < kRounds && changed; ++round) {
        changed = false;
        for (const CostProblem::Pair& pair : given_.pairs) {
            std::vector<bool>&a = possible_[pair.a], &b = possible_[pair.b];
            std::vector<bool> a_left(a.size()), b_left(b.size());
            for (size_t i = 0; i < a.size(); ++i)
                for (size_t k = 0; k < b.size() && a[i]; ++k)
                    if (b[k] && pair.cost[i * b.size() + k] < kForbidden) a_left[i] = b_left[k] = true;
            changed = changed || a_left != a || b_left != b;
            a = std::move(a_left);
            b = std::move(b_left);
        }
    }
    // A problem without an answer keeps one label of each variable, with its cost.
    for (std::vector<bool>& possible : possible_)
        if (std::find(possible.begin(), possible.end(), true) == possible.end()) possible[0] = true;
}

/// Returns whether one label alone of the first (or second) variable goes with each of the other's.
bool ReducedProblem::follows(const CostProblem::Pair& pair, bool first, std::vector<uint16_t>& label) const {
    const std::vector<bool>& own = possible_[first ? pair.a : pair.b];
    const std::vector<bool>& other = possible_[first ? pair.b : pair.a];
    label.assign(other.size(), 0);
    for (size_t k = 0; k < other.size(); ++k) {
        int count = 0;
        for (size_t i = 0; i < own.size() && other[k]; ++i)
            if (own[i] && pair.cost[first ? i * other.size() + k : k * own.size() + i] < kForbidden) {
                label[k] = uint16_t(i);
                ++count;
            }
        if (other[k] && count != 1) return false;
    }
    return true;
}

/// Variables in groups stay: a group over leaders could be large.
void ReducedProblem::find_followers() {
    std::vector<bool> stays(leader_.size());
    for (const CostProblem::Group& group : given_.groups)
        for (uint32_t variable : group.variables) stays[variable] = true;
    std::vector<uint16_t> label;
    for (const CostProblem::Pair& pair : given_.pairs)
        for (bool first : {true, false}) {
            const uint32_t own = first ? pair.a : pair.b, other = first ? pair.b : pair.a;
            if (stays[own] || leader_[own] >= 0 || leader_[other] >= 0 || !follows(pair, first, label)) continue;
            leader_[own] = other;
            following_[own] = label;
            stays[other] = true;  // others follow it
        }
}

void ReducedProblem::number_variables() {
    variables_.resize(leader_.size());
    for (uint32_t i = 0; i < leader_.size(); ++i) {
        if (leader_[i] >= 0) continue;
        variables_[i].number = uint32_t(reduced_.single.size());
        std::vector<double>& single = reduced_.single.emplace_back();
        for (uint16_t label = 0, count = uint16_t(given_.labels(i)); label < count; ++label) {
            if (!possible_[i][label]) continue;
            variables_[i].labels.push_back(label);
            single.push_back(0);
        }
    }
    for (uint32_t i = 0; i < leader_.size(); ++i) {
        if (leader_[i] < 0) continue;
        const Variable& leader = variables_[size_t(leader_[i])];
        variables_[i].number = leader.number;
        for (uint16_t label : leader.labels) variables_[i].labels.push_back(following_[i][label]);
    }
}

void ReducedProblem::add_costs() {
    for (uint32_t i = 0; i < variables_.size(); ++i) {
        const Variable& variable = variables_[i];
        for (size_t label = 0; label < variable.labels.size(); ++label)
            reduced_.single[variable.number][label] += given_.single[i][variable.labels[label]];
    }
    for (const CostProblem::Pair& pair : given_.pairs) {
        const Variable &a = variables_[pair.a], &b = variables_[pair.b];
        const auto cost = [&](size_t i, size_t k) {
            return pair.cost[a.labels[i] * given_.labels(pair.b) + b.labels[k]];
        };
        if (a.number == b.number) {
            for (size_t i = 0; i < a.labels.size(); ++i) reduced_.single[a.number][i] += cost(i, i);
            continue;
        }
        CostProblem::Pair made{a.number, b.number, {}};
        for (size_t i = 0; i < a.labels.size(); ++i)
            for (size_t k = 0; k < b.labels.size(); ++k) made.cost.push_back(cost(i, k));
        if (std::any_of(made.cost.begin(), made.cost.end(), [](double each) { return each != 0; }))
            reduced_.pairs.push_back(std::move(made));
    }
    for (const CostProblem::Group& group : given_.groups) {
        CostProblem::Group made;
        size_t size = 1;
        for (uint32_t variable : group.variables) {
            made.variables.push_back(variables_[variable].number);
            size *= variables_[variable].labels.size();
        }
        for (size_t i = 0; i < size; ++i) {
            size_t rest = i, stride = 1, at = 0;
            for (size_t k = group.variables.size(); k-- > 0;) {
                const std::vector<uint16_t>& labels = variables_[group.variables[k]].labels;
                at += stride * labels[rest % labels.size()];
                rest /= labels.size();
                stride *= given_.labels(group.variables[k]);
            }
            made.cost.push_back(group.cost[at]);
        }
        reduced_.groups.push_back(std::move(made));
    }
}

std::vector<uint16_t> ReducedProblem::labels(const std::vector<uint16_t>& reduced) const {
    std::vector<uint16_t> labels;
    if (reduced.empty()) return labels;
    for (const Variable& variable : variables_) labels.push_back(variable.labels[reduced[variable.number]]);
    return labels;
}

size_t ReducedProblem::needed(size_t variables) const {
    size_t most = 0;
    for (size_t i = 0; i < variables; ++i) most = std::max<size_t>(most, variables_[i].number + 1u);
    return most;
}

std::vector<std::vector<double>> ReducedProblem::spread(const std::vector<std::vector<double>>& reduced,
                                                        size_t variables) const {
    std::vector<std::vector<double>> costs;
    for (size_t i = 0; i < variables && !reduced.empty(); ++i) {
        std::vector<double> own(given_.labels(uint32_t(i)), kForbidden);
        const Variable& variable = variables_[i];
        for (size_t label = 0; label < variable.labels.size(); ++label) {
            double& least = own[variable.labels[label]];
            least = std::min(least, reduced[variable.number][label]);
        }
        costs.push_back(std::move(own));
    }
    return costs;
}

}  // namespace partita
