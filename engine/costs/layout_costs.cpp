#include "engine/costs/layout_costs.h"

#include <algorithm>

namespace partita {

namespace {

// A table may come from anyone: what is beyond these is left out. Networks have two or three layouts.
constexpr size_t kMostLayouts = 16;
constexpr size_t kMostRules = 256;  ///< for an operator on a backend

bool all_row_major(const std::vector<LayoutId>& layouts) {
    return std::all_of(layouts.begin(), layouts.end(), [](LayoutId layout) { return layout == 0; });
}

std::string operator_name(const CostModel::Operator& op) { return op.key.substr(0, op.key.find('(')); }

bool all_equal(const std::vector<LayoutId>& layouts) {
    return std::adjacent_find(layouts.begin(), layouts.end(), std::not_equal_to<>()) == layouts.end();
}

}  // namespace

LayoutCosts::LayoutCosts(const CostModel& model, const CostTable& table)
    : model_(model), table_(table), rules_(model.operators().size() * model.labels()), plans_(model.labels()) {
    if (!table.layouts.empty()) read_rules();
}

bool LayoutCosts::number_all(const std::vector<std::string>& layouts, std::vector<LayoutId>& numbers) {
    for (const std::string& layout : layouts) {
        const auto known = numbers_.find(layout);
        if (known == numbers_.end() && names_.size() == kMostLayouts) return false;
        const LayoutId number = known == numbers_.end() ? LayoutId(names_.size()) : known->second;
        if (known == numbers_.end()) {
            numbers_.emplace(layout, number);
            names_.push_back(layout);
        }
        numbers.push_back(number);
    }
    return true;
}

void LayoutCosts::read_rules() {
    for (uint32_t op = 0; op < model_.operators().size(); ++op)
        for (uint16_t label = 0; label < model_.labels(); ++label) {
            const CostModel::Operator& record = model_.operators()[op];
            LayoutKey key{record.key, model_.name(label), {}};
            for (auto at = table_.layouts.lower_bound(key); at != table_.layouts.end(); ++at) {
                const auto& [known, rule] = *at;
                if (known.op != key.op || known.backend != key.backend) break;
                if (known.given.size() != record.inputs.size() || rule.taken.size() != record.inputs.size() ||
                    rule.made.size() != record.outputs.size())
                    continue;  // of another form of the operator
                OperatorLayouts layouts;
                const bool few = rules(op, label).size() < kMostRules && number_all(known.given, layouts.given) &&
                                 number_all(rule.taken, layouts.taken) && number_all(rule.made, layouts.made);
                if (!few) break;
                if (!all_row_major(layouts.taken) || !all_row_major(layouts.made)) any_ = plans_[label] = true;
                const auto [alike, is_new] =
                    by_name_.try_emplace({operator_name(record), label, layouts.given}, layouts);
                const bool same = is_new || (alike->second && alike->second->taken == layouts.taken &&
                                             alike->second->made == layouts.made);
                if (!same) alike->second.reset();
                rules_[op * model_.labels() + label].push_back(std::move(layouts));
            }
        }
}

OperatorLayouts LayoutCosts::layouts_of(uint32_t op, uint16_t label, const std::vector<LayoutId>& given) const {
    for (const OperatorLayouts& rule : rules(op, label))
        if (rule.given == given) return rule;
    return guess(op, label, given);
}

/// From what is nearest: the same operator given other layouts, operators of the same name given the same.
OperatorLayouts LayoutCosts::guess(uint32_t op, uint16_t label, const std::vector<LayoutId>& given) const {
    const CostModel::Operator& record = model_.operators()[op];
    const std::vector<OperatorLayouts>& known = rules(op, label);
    OperatorLayouts made{given, std::vector<LayoutId>(given.size()), std::vector<LayoutId>(record.outputs.size())};
    if (!plans_[label]) return made;
    const auto seen = [&](bool following) {
        return std::any_of(known.begin(), known.end(), [&](const OperatorLayouts& rule) {
            return !all_row_major(rule.given) && all_equal(rule.given) && (rule.taken == rule.given) == following;
        });
    };
    const bool follows = (record.by_element || seen(true)) && !seen(false);
    if (follows && all_equal(given)) return keeping(made);
    const auto alike = by_name_.find({operator_name(record), label, given});
    if (alike != by_name_.end() && alike->second && alike->second->made.size() == made.made.size())
        return *alike->second;
    // Operands that are laid out differently: parts of a concatenation stay as they are; where elements are computed in
    // pairs, default takes rows, and others the layout that some backend chose.
    if (follows && !record.by_element) return keeping(made);
    if (follows && label != 0) {
        made = keeping(made);
        std::fill(made.taken.begin(), made.taken.end(), made.made[0]);
        return made;
    }
    return like(known, made);
}

/// Takes what is given, and makes the first layout of it that is not row-major.
OperatorLayouts LayoutCosts::keeping(OperatorLayouts layouts) {
    layouts.taken = layouts.given;
    for (LayoutId layout : layouts.given)
        if (layout != 0) {
            std::fill(layouts.made.begin(), layouts.made.end(), layout);
            break;
        }
    return layouts;
}

/// Takes and makes what the rule says that has most of the given layouts in common.
OperatorLayouts LayoutCosts::like(const std::vector<OperatorLayouts>& known, OperatorLayouts layouts) {
    size_t most = 0;
    for (const OperatorLayouts& rule : known) {
        size_t common = 1;
        for (size_t i = 0; i < layouts.given.size(); ++i) common += rule.given[i] == layouts.given[i];
        if (common <= most) continue;
        most = common;
        layouts.taken = rule.taken;
        layouts.made = rule.made;
    }
    return layouts;
}

DivisionLayouts LayoutCosts::lay_out(const Labels& labels) const {
    DivisionLayouts all;
    all.of_value.assign(model_.values().size(), 0);
    std::vector<std::vector<LayoutId>> anew(all.of_value.size());
    for (uint32_t op = 0; op < model_.operators().size(); ++op) {
        const CostModel::Operator& record = model_.operators()[op];
        std::vector<LayoutId> given;
        for (const CostModel::Operand& input : record.inputs) given.push_back(all.of_value[input.value]);
        OperatorLayouts layouts = layouts_of(op, labels[op], given);
        for (size_t i = 0; i < record.inputs.size(); ++i) {
            std::vector<LayoutId>& known = anew[record.inputs[i].value];
            const LayoutId to = layouts.taken[i];
            if (to == layouts.given[i] || std::find(known.begin(), known.end(), to) != known.end()) continue;
            known.push_back(to);
            all.changes.push_back({record.inputs[i].value, int32_t(op), to});
        }
        for (size_t k = 0; k < record.outputs.size(); ++k)
            if (record.outputs[k] >= 0) all.of_value[size_t(record.outputs[k])] = layouts.made[k];
        all.operators.push_back(std::move(layouts));
    }
    for (uint32_t value = 0; value < all.of_value.size(); ++value)
        if (model_.values()[value].is_result && all.of_value[value] != 0) all.changes.push_back({value, -1, 0});
    return all;
}

std::string LayoutCosts::text_of(const OperatorLayouts& layouts) const {
    std::vector<std::string> taken, made;
    for (LayoutId layout : layouts.taken) taken.push_back(names_[layout]);
    for (LayoutId layout : layouts.made) made.push_back(names_[layout]);
    return layouts_text(taken, made);
}

double LayoutCosts::unit(uint32_t op, uint16_t label, bool after, const OperatorLayouts& layouts) const {
    return model_.unit(table_, op, label, after, text_of(layouts));
}

double LayoutCosts::change(uint32_t value, LayoutId from, LayoutId to) const {
    if (from == to) return 0;
    const CostModel::Value& record = model_.values()[value];
    return table_.change_ms({record.type, names_[from], names_[to]}, record.mb);
}

}  // namespace partita
