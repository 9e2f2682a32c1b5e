// What a plan tells of its layouts.
#include <set>

#include "engine/backends/dnnl/lowering.h"

namespace partita::onednn {

Lowering::Given Lowering::given_layouts(uint32_t root, Links links) const {
    Given given;
    if (!plan_) return given;
    const auto add = [&](uint32_t step) {
        for (ValueId value : graph_.step_inputs(graph_.steps[step]))
            given[value] = is_known(value) ? "" : layout_text(current(value));
    };
    add(root);
    for (const ChainLink& link : links) {
        for (uint32_t inner : link.inner) add(inner);
        add(link.step);
    }
    return given;
}

std::string Lowering::taken_layout(ValueId value, const Given& given) const {
    if (is_known(value)) return "";
    for (size_t i = taken_.size(); i-- > 0;)
        if (taken_[i].first == value) return layout_text(taken_[i].second);
    return given.at(value);
}

/// Values within a chain are never stored: they count as laid out like the chain's result.
void Lowering::note_layouts(uint32_t root, Links links, const Given& given) {
    if (!plan_ || !graph_.steps[root].op.valid()) return;
    const uint32_t last = links.empty() ? root : links.back().step;
    const std::string between = layout_text(current(graph_.steps[last].first_output));
    std::set<ValueId> inside;
    const auto note = [&](uint32_t number) {
        const FlatStep& step = graph_.steps[number];
        PlanLayouts::Step noted{step.expr, {}, {}, {}};
        for (ValueId value : graph_.step_inputs(step)) {
            const bool is_inside = inside.count(value) > 0;
            noted.given.push_back(is_inside ? between : given.at(value));
            noted.taken.push_back(is_inside ? between : taken_layout(value, given));
        }
        for (ValueId value = step.first_output; value < step.first_output + step.output_count; ++value) {
            noted.made.push_back(links.empty() ? layout_text(current(value)) : between);
            if (!links.empty()) inside.insert(value);
        }
        layouts_.steps.push_back(std::move(noted));
    };
    note(root);
    for (const ChainLink& link : links) {
        for (uint32_t inner : link.inner) note(inner);
        note(link.step);
    }
}

uint32_t Lowering::note_change(ValueId value, const Desc& to, bool is_output) {
    const FlatValue& flat = graph_.values[value];
    PlanLayouts::Change change{
        {}, flat.index, layout_text(current(value)), layout_text(to), module_.types().to_string(flat.type), is_output};
    if (flat.source == FlatValue::Source::Step) {
        change.maker = graph_.steps[flat.index].expr;
        change.number = value - graph_.steps[flat.index].first_output;
    }
    layouts_.changes.push_back(std::move(change));
    return uint32_t(layouts_.changes.size() - 1);
}

}  // namespace partita::onednn
