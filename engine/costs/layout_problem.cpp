// Layouts as variables of a problem of labels. An operator whose layouts differ has a variable for the ways in which it
// may run: backend, layouts it is given, takes and makes. The variable of a value with several users tells its layout
// and those that it is laid out in anew, so that users share what is laid out once.
#include <algorithm>
#include <set>

#include "engine/costs/layout_costs.h"

namespace partita {

namespace {

constexpr size_t kMostWays = 256;    ///< of one operator
constexpr size_t kMostSets = 128;    ///< of layouts of one value
constexpr size_t kMostGiven = 4096;  ///< combinations of an operator's operands that are looked at

/// A way in which an operator may run.
struct Way {
    uint16_t label = 0;
    OperatorLayouts layouts;
    double alone = 0, after = 0;  ///< ms
};

struct Ways {
    std::vector<Way> list;
    bool row_major_only = true;  ///< no variable
    bool is_open = false;        ///< too many: they hold for any layouts that are given, which is a lower bound
    uint32_t variable = 0;
};

class LayoutProblem {
public:
    LayoutProblem(CostProblem& problem, const CostModel& model, const LayoutCosts& layouts)
        : problem_(problem), model_(model), layouts_(layouts), ways_(model.operators().size()),
          reach_(model.values().size(), std::set<LayoutId>{}) {
        for (size_t i = 0; i < reach_.size(); ++i)
            if (model.values()[i].producer < 0) reach_[i].insert(LayoutId(0));
    }

    std::vector<bool> add() {
        std::vector<bool> has_time;
        for (uint32_t op = 0; op < ways_.size(); ++op) {
            find_ways(op);
            has_time.push_back(!ways_[op].row_major_only);
            if (!ways_[op].row_major_only) add_variable(op);
        }
        for (uint32_t value = 0; value < reach_.size(); ++value) add_value(value);
        return has_time;
    }

private:
    /// Goes through all layouts that the operands may have.
    void find_ways(uint32_t op) {
        const CostModel::Operator& record = model_.operators()[op];
        std::vector<uint32_t> values;
        for (const CostModel::Operand& input : record.inputs)
            if (std::find(values.begin(), values.end(), input.value) == values.end()) values.push_back(input.value);
        std::vector<std::vector<LayoutId>> choices;
        for (uint32_t value : values) choices.emplace_back(reach_[value].begin(), reach_[value].end());
        std::vector<size_t> at(values.size());
        for (size_t count = 0; count < kMostGiven; ++count) {
            std::vector<LayoutId> given;
            for (const CostModel::Operand& input : record.inputs) {
                const size_t place = size_t(std::find(values.begin(), values.end(), input.value) - values.begin());
                given.push_back(choices[place][at[place]]);
            }
            add_ways(op, given);
            size_t place = 0;
            while (place < at.size() && ++at[place] == choices[place].size()) at[place++] = 0;
            if (place == at.size()) break;
        }
        Ways& ways = ways_[op];
        if (ways.list.size() > kMostWays) open(ways);
        for (const Way& way : ways.list)
            for (size_t k = 0; k < record.outputs.size(); ++k)
                if (record.outputs[k] >= 0) reach_[size_t(record.outputs[k])].insert(way.layouts.made[k]);
    }

    void add_ways(uint32_t op, const std::vector<LayoutId>& given) {
        for (uint16_t label = 0; label < model_.labels(); ++label) {
            if (!model_.operators()[op].accepted[label]) continue;
            Way way{label, layouts_.layouts_of(op, label, given)};
            way.alone = layouts_.unit(op, label, false, way.layouts);
            way.after = layouts_.unit(op, label, true, way.layouts);
            const auto is_set = [](const std::vector<LayoutId>& list) {
                return std::any_of(list.begin(), list.end(), [](LayoutId layout) { return layout != 0; });
            };
            if (is_set(way.layouts.given) || is_set(way.layouts.taken) || is_set(way.layouts.made))
                ways_[op].row_major_only = false;
            ways_[op].list.push_back(std::move(way));
        }
    }

    /// Keeps the least times of the ways that make the same.
    static void open(Ways& ways) {
        std::vector<Way> kept;
        for (Way& way : ways.list) {
            const auto same = std::find_if(kept.begin(), kept.end(), [&](const Way& other) {
                return other.label == way.label && other.layouts.made == way.layouts.made;
            });
            if (same == kept.end()) {
                kept.push_back(std::move(way));
                continue;
            }
            same->alone = std::min(same->alone, way.alone);
            same->after = std::min(same->after, way.after);
        }
        ways.list = std::move(kept);
        ways.is_open = true;
    }

    void add_variable(uint32_t op) {
        Ways& ways = ways_[op];
        ways.variable = uint32_t(problem_.single.size());
        std::vector<double>& single = problem_.single.emplace_back();
        for (const Way& way : ways.list) single.push_back(way.alone);
        CostProblem::Pair same{op, ways.variable, {}};
        for (uint16_t label = 0; label < model_.labels(); ++label)
            for (const Way& way : ways.list) same.cost.push_back(way.label == label ? 0 : CostProblem::kForbidden);
        problem_.pairs.push_back(std::move(same));
        const int32_t before = model_.operators()[op].before;
        if (before < 0) return;
        CostProblem::Pair after{uint32_t(before), ways.variable, {}};
        for (uint16_t label = 0; label < model_.labels(); ++label)
            for (const Way& way : ways.list) after.cost.push_back(way.label == label ? way.after - way.alone : 0);
        problem_.pairs.push_back(std::move(after));
    }

    bool has_variable(int64_t op) const { return op >= 0 && !ways_[size_t(op)].row_major_only; }

    /// Returns the layout in which a way makes a value.
    LayoutId made(uint32_t op, const Way& way, uint32_t value) const {
        const std::vector<int32_t>& outputs = model_.operators()[op].outputs;
        const size_t place = size_t(std::find(outputs.begin(), outputs.end(), int32_t(value)) - outputs.begin());
        return way.layouts.made[place];
    }

    /// Calls each(given, taken) for the operands of a way that are this value.
    template <class Each>
    void each_use(uint32_t op, const Way& way, uint32_t value, const Each& each) const {
        const std::vector<CostModel::Operand>& inputs = model_.operators()[op].inputs;
        for (size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].value == value) each(way.layouts.given[i], way.layouts.taken[i]);
    }

    /// Returns what a way costs that is given a value in a layout: changes of it, or that it can't be.
    double use_cost(uint32_t op, const Way& way, uint32_t value, LayoutId layout) const {
        double cost = 0;
        std::set<LayoutId> anew;
        each_use(op, way, value, [&](LayoutId given, LayoutId taken) {
            if (given != layout) cost = CostProblem::kForbidden;
            else if (taken != given && anew.insert(taken).second) cost += layouts_.change(value, given, taken);
        });
        return cost;
    }

    void add_value(uint32_t number) {
        const CostModel::Value& value = model_.values()[number];
        if (value.is_result && has_variable(value.producer)) add_result(number);
        std::vector<uint32_t> users;
        for (uint32_t user : value.users)
            if (has_variable(user) && !ways_[user].is_open) users.push_back(user);
        if (users.size() == 1 && value.users.size() == 1) add_single_use(number, users[0]);
        else if (!users.empty()) add_shared(number, users);
    }

    void add_result(uint32_t number) {
        const uint32_t maker = uint32_t(model_.values()[number].producer);
        std::vector<double>& single = problem_.single[ways_[maker].variable];
        for (size_t i = 0; i < ways_[maker].list.size(); ++i)
            single[i] += layouts_.change(number, made(maker, ways_[maker].list[i], number), 0);
    }

    void add_single_use(uint32_t number, uint32_t user) {
        const int32_t maker = model_.values()[number].producer;
        const std::vector<Way>& ways = ways_[user].list;
        if (!has_variable(maker)) {
            for (size_t i = 0; i < ways.size(); ++i)
                problem_.single[ways_[user].variable][i] += use_cost(user, ways[i], number, 0);
            return;
        }
        CostProblem::Pair pair{ways_[size_t(maker)].variable, ways_[user].variable, {}};
        for (const Way& from : ways_[size_t(maker)].list)
            for (const Way& to : ways)
                pair.cost.push_back(use_cost(user, to, number, made(uint32_t(maker), from, number)));
        problem_.pairs.push_back(std::move(pair));
    }

    /// A layout of a value, and those that it is laid out in anew.
    struct LaidOut {
        LayoutId layout;
        std::set<LayoutId> anew;
    };

    std::vector<LaidOut> laid_out(uint32_t number, const std::vector<uint32_t>& users) const {
        std::set<LayoutId> taken_by_any;
        for (uint32_t user : users)
            for (const Way& way : ways_[user].list)
                each_use(user, way, number, [&](LayoutId, LayoutId taken) { taken_by_any.insert(taken); });
        std::vector<LaidOut> sets;
        for (LayoutId layout : reach_[number]) {
            std::vector<LayoutId> others;
            for (LayoutId taken : taken_by_any)
                if (taken != layout) others.push_back(taken);
            if (others.size() >= 7) return {};
            for (size_t bits = 0; bits < size_t(1) << others.size(); ++bits) {
                LaidOut each{layout, {}};
                for (size_t i = 0; i < others.size(); ++i)
                    if (bits >> i & 1) each.anew.insert(others[i]);
                sets.push_back(std::move(each));
            }
        }
        return sets.size() > kMostSets ? std::vector<LaidOut>() : sets;
    }

    void add_shared(uint32_t number, const std::vector<uint32_t>& users) {
        const std::vector<LaidOut> sets = laid_out(number, users);
        if (sets.empty()) return;  // too many: left out, which is a lower bound
        const uint32_t variable = uint32_t(problem_.single.size());
        std::vector<double>& single = problem_.single.emplace_back(sets.size(), 0.0);
        for (size_t i = 0; i < sets.size(); ++i)
            for (LayoutId to : sets[i].anew) single[i] += layouts_.change(number, sets[i].layout, to);
        const int32_t maker = model_.values()[number].producer;
        if (has_variable(maker)) {
            CostProblem::Pair pair{ways_[size_t(maker)].variable, variable, {}};
            for (const Way& way : ways_[size_t(maker)].list)
                for (const LaidOut& set : sets)
                    pair.cost.push_back(made(uint32_t(maker), way, number) == set.layout ? 0 : CostProblem::kForbidden);
            problem_.pairs.push_back(std::move(pair));
        }
        for (uint32_t user : users) {
            CostProblem::Pair pair{variable, ways_[user].variable, {}};
            for (const LaidOut& set : sets)
                for (const Way& way : ways_[user].list) {
                    bool fits = true;
                    each_use(user, way, number, [&](LayoutId given, LayoutId taken) {
                        fits = fits && given == set.layout && (taken == given || set.anew.count(taken) > 0);
                    });
                    pair.cost.push_back(fits ? 0 : CostProblem::kForbidden);
                }
            problem_.pairs.push_back(std::move(pair));
        }
    }

    CostProblem& problem_;
    const CostModel& model_;
    const LayoutCosts& layouts_;
    std::vector<Ways> ways_;                 ///< by operator
    std::vector<std::set<LayoutId>> reach_;  ///< by value: layouts that it may have
};

}  // namespace

std::vector<bool> add_layouts(CostProblem& problem, const CostModel& model, const LayoutCosts& layouts) {
    return LayoutProblem(problem, model, layouts).add();
}

}  // namespace partita
