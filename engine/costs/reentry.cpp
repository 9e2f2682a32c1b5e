#include "engine/costs/reentry.h"

#include <algorithm>

namespace partita {

namespace {

/// Finds operators on paths. Operators stand before their users.
class PathFinder {
public:
    PathFinder(const CostModel& model, const CostedDivision& division)
        : division_(division), users_(model.operators().size()), reached_(users_.size()), leads_(users_.size()) {
        for (const CostModel::Value& value : model.values())
            if (value.producer >= 0)
                users_[size_t(value.producer)].insert(users_[size_t(value.producer)].end(), value.users.begin(),
                                                      value.users.end());
    }

    /// Returns an operator on a path between the two that is on another backend than `from`, or -1.
    int64_t between(uint32_t from, uint32_t to) {
        std::fill(reached_.begin() + from, reached_.begin() + to + 1, false);
        std::fill(leads_.begin() + from, leads_.begin() + to + 1, false);
        leads_[to] = reached_[from] = true;
        for (uint32_t op = from; op < to; ++op)
            if (reached_[op])
                for (uint32_t user : users_[op])
                    if (user <= to) reached_[user] = true;
        int64_t found = -1;
        for (uint32_t op = to; op-- > from;) {
            if (!reached_[op]) continue;
            leads_[op] = std::any_of(users_[op].begin(), users_[op].end(),
                                     [&](uint32_t user) { return user <= to && leads_[user]; });
            if (leads_[op] && division_.labels[op] != division_.labels[from]) found = op;
        }
        return found;
    }

private:
    const CostedDivision& division_;
    std::vector<std::vector<uint32_t>> users_;  ///< by operator
    std::vector<bool> reached_, leads_;         ///< from the first, to the last
};

}  // namespace

std::vector<Reentry> find_reentries(const CostModel& model, const CostedDivision& division) {
    PathFinder paths(model, division);
    std::vector<Reentry> found;
    for (uint32_t i = 0; i < model.values().size(); ++i) {
        const CostModel::Value& value = model.values()[i];
        if (value.producer < 0) continue;
        const uint32_t producer = uint32_t(value.producer);
        const uint16_t label = division.labels[producer];
        for (uint32_t user : value.users) {
            const bool crosses =
                label != 0 && division.labels[user] == label && division.regions[user] != division.regions[producer];
            if (!crosses) continue;
            if (const int64_t between = paths.between(producer, user); between >= 0)
                found.push_back({i, user, uint32_t(between)});
        }
    }
    return found;
}

void add_reentries(CostProblem& problem, const CostModel& model, const CostTable& table,
                   std::vector<Reentry> reentries) {
    const size_t count = model.labels();
    std::sort(reentries.begin(), reentries.end());
    uint32_t crosses = 0;  // a variable for each value: whether it crosses to another region of its backend
    for (size_t i = 0; i < reentries.size(); ++i) {
        const Reentry& reentry = reentries[i];
        const CostModel::Value& value = model.values()[reentry.value];
        const uint32_t producer = uint32_t(value.producer);
        if (i == 0 || reentries[i - 1].value != reentry.value) {
            crosses = uint32_t(problem.single.size());
            problem.single.push_back({0, 0});
            CostProblem::Pair pair{producer, crosses, {}};
            for (uint16_t label = 0; label < count; ++label)
                pair.cost.insert(pair.cost.end(), {0, label == 0 ? 0 : model.crossing(table, label, label, value.mb)});
            problem.pairs.push_back(std::move(pair));
        }
        CostProblem::Group group{{producer, reentry.user, reentry.between, crosses}, {}};
        for (uint16_t from = 0; from < count; ++from)
            for (uint16_t to = 0; to < count; ++to)
                for (uint16_t other = 0; other < count; ++other) {
                    const bool holds = from != 0 && from == to && other != from;
                    group.cost.insert(group.cost.end(), {holds ? CostProblem::kForbidden : 0, 0});
                }
        problem.groups.push_back(std::move(group));
    }
}

}  // namespace partita
