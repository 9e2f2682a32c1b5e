#include "engine/flow/region_names.h"

#include <algorithm>

namespace partita {

ExprId first_operator(const RegionInfo& region, const ExpressionNames& names) {
    ExprId first;
    for (const ExprId id : region.expressions) {
        const uint32_t number = names.number(id);
        if (number > 0 && (!first.valid() || number < names.number(first))) first = id;
    }
    return first;
}

std::string region_name(const RegionInfo& region, const ExpressionNames& names) {
    const ExprId first = first_operator(region, names);
    return first.valid() ? region.backend_name + " #" + std::to_string(names.number(first)) : region.function;
}

std::string region_content(const RegionInfo& region, const ExpressionNames& names) {
    const ExprId first = first_operator(region, names);
    if (!first.valid()) return "";
    const auto calls = std::count_if(region.expressions.begin(), region.expressions.end(),
                                     [&names](ExprId id) { return names.number(id) > 0; });
    return names.callee(first) + (calls > 1 ? " +" + std::to_string(calls - 1) : "");
}

}  // namespace partita
