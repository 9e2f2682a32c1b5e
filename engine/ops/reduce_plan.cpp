#include "engine/ops/reduce_plan.h"

#include <algorithm>
#include <numeric>

#include "engine/ops/relations.h"
#include "engine/ops/strided_copy.h"

namespace partita {

StridedWalk::StridedWalk(std::span<const int64_t> extents, std::span<const int64_t> strides)
    : extents_(extents), strides_(strides), index_(extents.size(), 0) {
    for (int64_t extent : extents) count_ *= extent;
}

void StridedWalk::go_to(int64_t step) {
    offset_ = 0;
    for (size_t d = extents_.size(); d-- > 0;) {
        index_[d] = step % extents_[d];
        step /= extents_[d];
        offset_ += index_[d] * strides_[d];
    }
}

void StridedWalk::next() {
    for (size_t d = extents_.size(); d-- > 0;) {
        offset_ += strides_[d];
        if (++index_[d] < extents_[d]) return;
        offset_ -= extents_[d] * strides_[d];
        index_[d] = 0;
    }
}

int64_t ReducePlan::kept_count() const {
    return std::accumulate(kept_extents.begin(), kept_extents.end(), int64_t(1), std::multiplies<>());
}

int64_t ReducePlan::reduced_count() const {
    return std::accumulate(reduced_extents.begin(), reduced_extents.end(), int64_t(1), std::multiplies<>());
}

Result<std::vector<int64_t>> reduced_axes(const AttributesView& attributes, size_t rank) {
    if (Status integers = require_integers(attributes, "axis"); !integers) return integers.error();
    bool exclude = attributes.boolean("exclude");
    std::vector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    if (attributes.is_none("axis") && exclude) return error("exclude needs axis to be given");
    std::vector<int64_t> given = attributes.integers("axis");
    if (given.empty()) return all;
    auto axes = checked_axes(given, rank);
    if (!axes) return axes.error();
    std::sort(axes->begin(), axes->end());
    if (!exclude) return axes;
    std::vector<int64_t> others;
    std::set_difference(all.begin(), all.end(), axes->begin(), axes->end(), std::back_inserter(others));
    return others;
}

std::vector<int64_t> reduced_shape(std::span<const int64_t> shape, std::span<const int64_t> axes, bool keepdims) {
    std::vector<int64_t> result;
    for (size_t i = 0; i < shape.size(); ++i) {
        bool reduced = std::find(axes.begin(), axes.end(), int64_t(i)) != axes.end();
        if (!reduced) result.push_back(shape[i]);
        else if (keepdims) result.push_back(1);
    }
    return result;
}

ReducePlan make_reduce_plan(std::span<const int64_t> shape, std::span<const int64_t> axes) {
    ReducePlan plan;
    std::vector<int64_t> strides = row_major_strides(shape);
    int last_kind = -1;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        bool reduced = std::find(axes.begin(), axes.end(), int64_t(i)) != axes.end();
        auto& extents = reduced ? plan.reduced_extents : plan.kept_extents;
        auto& steps = reduced ? plan.reduced_strides : plan.kept_strides;
        if (last_kind == int(reduced)) {
            extents.back() *= shape[i];
            steps.back() = strides[i];
        } else {
            extents.push_back(shape[i]);
            steps.push_back(strides[i]);
        }
        last_kind = int(reduced);
    }
    return plan;
}

}  // namespace partita
