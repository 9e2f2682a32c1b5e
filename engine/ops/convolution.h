// The geometry of a convolution, plain or transposed, of one to three spatial axes, in any layout: computed once from
// the attributes and the operands' shapes for type relation, kernel, emitter and backends.
//
// Relations as TVM 0.9's (src/relay/op/nn/convolution.cc).
#pragma once

#include <string>

#include "engine/ops/layout.h"
#include "engine/ops/window.h"

namespace partita {

struct ConvolutionGeometry {
    size_t rank = 2;  ///< number of spatial axes
    bool transposed = false;
    int64_t batch = 1;
    int64_t groups = 1;
    int64_t in_channels = 1;
    int64_t out_channels = 1;
    Extents input{1, 1, 1};
    Extents output{1, 1, 1};
    Window window;            ///< its size is the kernel's
    std::string data_axes;    ///< "NCHW": the plain layout of data and result
    std::string kernel_axes;  ///< "OIHW" or "GOIHW": the plain layout of the weight. For a transposed convolution the
                              ///< first axis after G counts input channels, the second output channels of a group
    Layout data_layout, kernel_layout, out_layout;

    /// Returns the weight's sizes along `kernel_axes`.
    std::vector<int64_t> kernel_sizes() const;
    /// Returns the result's sizes along `data_axes`.
    std::vector<int64_t> output_sizes() const;
    bool is_depthwise() const { return groups == in_channels && groups > 1; }
    /// Returns the multiplications for one image.
    double multiplications() const;
};

/// `rank` is the number of spatial axes: 1, 2 or 3.
Result<ConvolutionGeometry> convolution_geometry(const AttributesView& attributes, size_t rank, bool transposed,
                                                 std::span<const int64_t> data, std::span<const int64_t> weight);

}  // namespace partita
