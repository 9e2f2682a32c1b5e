// The window of a convolution or a pooling.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

/// kernel_shape, strides, dilations and pads of a node; pads are all begins, then all ends.
struct Window {
    Integers kernel, strides, dilations, pads;
    bool ceil_mode = false;

    size_t rank() const { return kernel.size(); }
};

/// Reads the window of a node, including auto_pad. Throws Fault if it is invalid.
Window window_of(NodeContext& n, Integers kernel, std::span<const int64_t> spatial);
/// Returns the name of the operator for so many spatial dimensions: "nn.conv2d".
std::string with_rank(std::string_view name, size_t rank, std::string_view ending = "");

}  // namespace partita::onnx
