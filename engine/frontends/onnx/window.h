// The window that a convolution or a pooling moves over its data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

/// kernel_shape, strides, dilations and pads of a node; pads as begins and then ends.
struct Window {
    std::vector<int64_t> kernel, strides, dilations, pads;
    bool ceil_mode = false;

    size_t rank() const { return kernel.size(); }
};

/// Reads a node's window, auto_pad included; Fault where it is not sensible.
Window window_of(NodeContext& n, std::vector<int64_t> kernel, std::span<const int64_t> spatial);

}  // namespace partita::onnx
