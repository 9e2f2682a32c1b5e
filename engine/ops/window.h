// Windows that slide over the spatial axes of a tensor, for convolution and pooling.
#pragma once

#include <array>
#include <string_view>

#include "engine/ops/op.h"

namespace partita {

/// Spatial extents, always (depth, height, width); missing ones are 1 (or 0 for padding).
using Extents = std::array<int64_t, 3>;

struct Window {
    Extents size{1, 1, 1};
    Extents stride{1, 1, 1};
    Extents dilation{1, 1, 1};
    Extents pad_before{0, 0, 0};
    Extents pad_after{0, 0, 0};

    /// Returns the extent of the input that one window covers along an axis.
    int64_t reach(size_t axis) const { return (size[axis] - 1) * dilation[axis] + 1; }
};

/// Assigns the values of the last `rank` axes to (depth, height, width).
Extents to_extents(std::span<const int64_t> values, int64_t filler);

/// Reads strides, dilation and padding for `rank` spatial axes: padding has one value, one for each axis, or one for
/// each side (all befores, then all afters).
Result<Window> read_window(const AttributesView& attributes, std::span<const int64_t> size, size_t rank);

/// Returns the number of windows along an axis: the output's extent. An unknown extent stays unknown. Refuses a window
/// that is larger than the padded input.
Result<int64_t> window_count(const Window& window, size_t axis, int64_t extent, bool ceil_mode);

}  // namespace partita
