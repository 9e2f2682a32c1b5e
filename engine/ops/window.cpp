#include "engine/ops/window.h"

#include "engine/ops/relations.h"

namespace partita {

Extents to_extents(std::span<const int64_t> values, int64_t filler) {
    Extents extents{filler, filler, filler};
    for (size_t i = 0; i < values.size(); ++i) extents[3 - values.size() + i] = values[i];
    return extents;
}

Result<Window> read_window(const AttributesView& attributes, std::span<const int64_t> size, size_t rank) {
    Window window;
    window.size = to_extents(size, 1);
    auto strides = checked_integers(attributes, "strides", rank, 1);
    if (!strides) return strides.error();
    window.stride = to_extents(*strides, 1);
    auto dilation = checked_integers(attributes, "dilation", rank, 1);
    if (!dilation) return dilation.error();
    window.dilation = to_extents(*dilation, 1);

    size_t sides = attributes.integers("padding").size();
    if (sides != 1 && sides != rank && sides != 2 * rank)
        return error("padding must have 1, " + std::to_string(rank) + " or " + std::to_string(2 * rank) +
                     " elements, not " + std::to_string(sides));
    auto padding = checked_integers(attributes, "padding", sides, 0);
    if (!padding) return padding.error();
    std::vector<int64_t> before, after;
    for (size_t i = 0; i < rank; ++i) {
        before.push_back((*padding)[sides == 1 ? 0 : i]);
        after.push_back((*padding)[sides == 1 ? 0 : sides == rank ? i : rank + i]);
    }
    window.pad_before = to_extents(before, 0);
    window.pad_after = to_extents(after, 0);
    return window;
}

Result<int64_t> window_count(const Window& window, size_t axis, int64_t extent, bool ceil_mode) {
    if (extent == kDynamicDim) return kDynamicDim;
    if (extent > int64_t(1) << 61) return error("the input's extent " + std::to_string(extent) + " is too large");
    int64_t room = extent + window.pad_before[axis] + window.pad_after[axis] - window.reach(axis);
    if (room < 0)
        return error("a window of " + std::to_string(window.reach(axis)) + " does not fit into the padded extent " +
                     std::to_string(extent + window.pad_before[axis] + window.pad_after[axis]));
    return (room + (ceil_mode ? window.stride[axis] - 1 : 0)) / window.stride[axis] + 1;
}

}  // namespace partita
