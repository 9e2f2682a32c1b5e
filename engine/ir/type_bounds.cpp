#include "engine/ir/type_bounds.h"

#include <algorithm>
#include <string>

namespace partita {

namespace {

constexpr uint32_t kDeepestType = 800;
constexpr uint64_t kMostTensorsOfATuple = uint64_t(1) << 20, kMostTensorsOfAFunction = uint64_t(1) << 24;
// Types with few tensors and dimensions do not count: a large module may have many.
constexpr uint64_t kSmallType = 256, kMostInLargeTypes = uint64_t(1) << 25;

}  // namespace

/// Recursion is bounded: the parts of an inferred type have their extents already, a declared type nests as deeply as
/// its text.
TypeBounds::Extent TypeBounds::extent(TypeId type) {
    if (type.value >= extents_.size()) extents_.resize(types_.size());
    if (extents_[type.value].depth) return extents_[type.value];
    Extent sum;
    if (types_.is_tensor(type)) sum = {0, 1, types_.shape(type).size()};
    else
        for (TypeId part : types_.parts(type)) {
            if (!part.valid()) continue;
            const Extent inner = extent(part);
            sum.depth = std::max(sum.depth, inner.depth);
            sum.tensors = std::min(sum.tensors + inner.tensors, kMostTensorsOfAFunction + 1);
            sum.dimensions = std::min(sum.dimensions + inner.dimensions, kMostInLargeTypes + 1);
        }
    ++sum.depth;
    return extents_[type.value] = sum;
}

Status TypeBounds::take(TypeId type) {
    const Extent size = extent(type);
    if (size.depth > kDeepestType)
        return error("the type is nested over " + std::to_string(kDeepestType) + " levels deep");
    const uint64_t most = types_.is_function(type) ? kMostTensorsOfAFunction : kMostTensorsOfATuple;
    if (size.tensors > most) return error("the type holds over " + std::to_string(most) + " tensors");
    if (size.tensors + size.dimensions > kSmallType) in_large_types_ += size.tensors + size.dimensions;
    if (in_large_types_ > kMostInLargeTypes)
        return error("the types of the module hold over " + std::to_string(kMostInLargeTypes) +
                     " tensors and dimensions in all");
    return Nothing();
}

}  // namespace partita
