#include "engine/passes/region_parameters.h"

namespace partita {

ExprId RegionParameters::find(size_t region, ExprId origin) {
    const List& list = lists_[region];
    if (list.count > kFew) return ExprId(of_origin_.at(uint32_t(region), origin.value));
    for (int32_t i = list.first; i >= 0; i = items_[size_t(i)].next)
        if (items_[size_t(i)].parameter.origin == origin) return items_[size_t(i)].parameter.value;
    return ExprId();
}

int32_t RegionParameters::new_item(const Parameter& parameter) {
    const int32_t index = free_;
    if (index < 0) {
        items_.push_back({parameter});
        return int32_t(items_.size() - 1);
    }
    free_ = items_[size_t(index)].next;
    items_[size_t(index)] = {parameter};
    return index;
}

void RegionParameters::add(size_t region, const Parameter& parameter) {
    List& list = lists_[region];
    const int32_t item = new_item(parameter);
    (list.first < 0 ? list.first : items_[size_t(list.last)].next) = item;
    list.last = item;
    if (++list.count <= kFew) return;
    const int32_t from = list.count == kFew + 1 ? list.first : list.last;
    for (int32_t i = from; i >= 0; i = items_[size_t(i)].next) {
        const Parameter& known = items_[size_t(i)].parameter;
        of_origin_.at(uint32_t(region), known.origin.value) = known.value.value;
    }
}

void RegionParameters::release(size_t region) {
    List& list = lists_[region];
    if (list.first < 0) return;
    items_[size_t(list.last)].next = free_;
    free_ = list.first;
    list.first = list.last = -1;
}

}  // namespace partita
