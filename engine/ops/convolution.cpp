#include "engine/ops/convolution.h"

#include <algorithm>
#include <utility>

#include "engine/ir/tensor.h"
#include "engine/ops/relations.h"

namespace partita {

namespace {

Result<Layout> layout_with_axes(const std::string& text, std::string_view axes, const char* what) {
    auto layout = Layout::parse(text);
    if (!layout) return layout;
    if (!layout->has_axes(axes))
        return error(std::string(what) + " must be convertible to " + std::string(axes) + ", \"" + text + "\" is not");
    return layout;
}

Status read_layouts(const AttributesView& attributes, ConvolutionGeometry& geometry) {
    static const char* const spatial_axes[] = {"", "W", "HW", "DHW"};
    std::string spatial = spatial_axes[geometry.rank];
    geometry.data_axes = "NC" + spatial;
    // TVM names the axes of a transposed kernel I, O for two dimensions and O, I for one and three, where "O" then
    // means input channels.
    geometry.kernel_axes = (geometry.transposed && geometry.rank == 2 ? "IO" : "OI") + spatial;
    const std::string& kernel_text = attributes.string("kernel_layout");
    if (geometry.groups > 1 && kernel_text.find('G') != kernel_text.npos) geometry.kernel_axes.insert(0, "G");

    auto data = layout_with_axes(attributes.string("data_layout"), geometry.data_axes, "data_layout");
    if (!data) return data.error();
    auto kernel = layout_with_axes(kernel_text, geometry.kernel_axes, "kernel_layout");
    if (!kernel) return kernel.error();
    const std::string& out_text = attributes.string("out_layout");
    auto out = out_text.empty() ? data : layout_with_axes(out_text, geometry.data_axes, "out_layout");
    if (!out) return out.error();
    geometry.data_layout = std::move(*data);
    geometry.kernel_layout = std::move(*kernel);
    geometry.out_layout = std::move(*out);
    return Nothing();
}

/// Sets in_channels, out_channels and the window's size from the weight's sizes alone.
Status read_weight(ConvolutionGeometry& geometry, std::span<const int64_t> sizes, std::optional<int64_t> channels,
                   std::span<const int64_t> kernel_size) {
    bool grouped = geometry.kernel_axes[0] == 'G';
    std::span<const int64_t> channel_sizes = sizes.subspan(grouped ? 1 : 0);
    int64_t first = channel_sizes[0], second = channel_sizes[1];
    auto in_all_groups = [&](int64_t size) { return checked_multiply(size, geometry.groups); };
    std::optional<int64_t> weight_in, weight_out;
    if (geometry.transposed) {
        weight_in = grouped ? in_all_groups(first) : first;
        weight_out = in_all_groups(second);
    } else {
        weight_in = in_all_groups(second);
        weight_out = grouped ? in_all_groups(first) : first;
    }
    if (!weight_in || !weight_out) return error("the weight's shape is too large");
    if (*weight_in != geometry.in_channels && *weight_in != kDynamicDim && geometry.in_channels != kDynamicDim)
        return error("the weight takes " + std::to_string(*weight_in) + " input channels in " +
                     std::to_string(geometry.groups) + (geometry.groups == 1 ? " group" : " groups") +
                     ", but the data has " + std::to_string(geometry.in_channels));
    if (channels && *channels != *weight_out && *weight_out != kDynamicDim)
        return error("channels is " + std::to_string(*channels) + ", but the weight gives " +
                     std::to_string(*weight_out));
    geometry.out_channels = *weight_out;
    std::span<const int64_t> spatial = channel_sizes.subspan(2);
    if (!kernel_size.empty() && !std::equal(kernel_size.begin(), kernel_size.end(), spatial.begin(), spatial.end()))
        return error("kernel_size is " + shape_to_string(kernel_size) + ", but the weight's is " +
                     shape_to_string(spatial));
    geometry.window.size = to_extents(spatial, 1);
    for (int64_t size : spatial)
        if (size < 1 || size > std::numeric_limits<int32_t>::max())
            return error("the kernel's extents must be positive and known, not " + shape_to_string(spatial));
    return Nothing();
}

/// Given kernel_size and channels, the weight must have the shape that follows from them.
Status check_weight(const ConvolutionGeometry& geometry, std::span<const int64_t> weight_sizes,
                    std::span<const int64_t> weight) {
    std::vector<int64_t> expected = geometry.kernel_sizes();
    // A depthwise weight may also be (input channels, multiplier, ...), which is the same in memory.
    bool depthwise = !geometry.transposed && geometry.rank == 2 && geometry.kernel_axes[0] != 'G' &&
                     geometry.is_depthwise() && weight_sizes[0] == geometry.groups;
    if (depthwise) {
        expected[0] = geometry.in_channels;
        expected[1] = geometry.out_channels / geometry.in_channels;
    }
    std::vector<int64_t> shape = geometry.kernel_layout.shape_of(geometry.kernel_axes, expected);
    for (size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != weight[i] && shape[i] != kDynamicDim && weight[i] != kDynamicDim)
            return error("the weight's shape must be " + shape_to_string(shape) +
                         " for these channels, groups and kernel_size, not " + shape_to_string(weight));
    return Nothing();
}

Result<int64_t> transposed_extent(const ConvolutionGeometry& geometry, size_t axis, int64_t output_padding) {
    int64_t extent = geometry.input[axis];
    if (extent == kDynamicDim) return kDynamicDim;
    const Window& window = geometry.window;
    auto spread = checked_multiply(extent - 1, window.stride[axis]);
    if (!spread || *spread > int64_t(1) << 61) return error("the result would be too large");
    int64_t result =
        extent == 0 ? 0
                    : *spread + window.reach(axis) - window.pad_before[axis] - window.pad_after[axis] + output_padding;
    if (result < 0) return error("padding removes more than the result has");
    return result;
}

Status compute_output(const AttributesView& attributes, ConvolutionGeometry& geometry) {
    Extents output_padding{0, 0, 0};
    if (geometry.transposed) {
        auto given = checked_integers(attributes, "output_padding", geometry.rank, 0);
        if (!given) return given.error();
        output_padding = to_extents(*given, 0);
    }
    for (size_t axis = 3 - geometry.rank; axis < 3; ++axis) {
        auto extent = geometry.transposed ? transposed_extent(geometry, axis, output_padding[axis])
                                          : window_count(geometry.window, axis, geometry.input[axis], false);
        if (!extent) return extent.error();
        geometry.output[axis] = *extent;
    }
    return Nothing();
}

}  // namespace

std::vector<int64_t> ConvolutionGeometry::kernel_sizes() const {
    auto of_group = [this](int64_t channels) { return channels == kDynamicDim ? kDynamicDim : channels / groups; };
    bool grouped = kernel_axes[0] == 'G';
    int64_t first = transposed ? in_channels : out_channels;
    int64_t second = transposed ? out_channels : in_channels;
    std::vector<int64_t> sizes;
    if (grouped) sizes.push_back(groups);
    sizes.push_back(grouped ? of_group(first) : first);
    sizes.push_back(of_group(second));
    sizes.insert(sizes.end(), window.size.end() - ptrdiff_t(rank), window.size.end());
    return sizes;
}

std::vector<int64_t> ConvolutionGeometry::output_sizes() const {
    std::vector<int64_t> sizes{batch, out_channels};
    sizes.insert(sizes.end(), output.end() - ptrdiff_t(rank), output.end());
    return sizes;
}

double ConvolutionGeometry::multiplications() const {
    double count = double(out_channels) * double(in_channels) / double(groups);
    const Extents& positions = transposed ? input : output;
    for (size_t axis = 0; axis < 3; ++axis) count *= double(window.size[axis]) * double(positions[axis]);
    return count;
}

Result<ConvolutionGeometry> convolution_geometry(const AttributesView& attributes, size_t rank, bool transposed,
                                                 std::span<const int64_t> data, std::span<const int64_t> weight) {
    ConvolutionGeometry geometry;
    geometry.rank = rank;
    geometry.transposed = transposed;
    geometry.groups = attributes.integer("groups");
    if (geometry.groups < 1 || geometry.groups > std::numeric_limits<int32_t>::max())
        return error("groups must be positive, not " + std::to_string(geometry.groups));
    if (Status layouts = read_layouts(attributes, geometry); !layouts) return layouts.error();

    auto data_sizes = geometry.data_layout.sizes_of(geometry.data_axes, data);
    if (!data_sizes) return data_sizes.error();
    auto weight_sizes = geometry.kernel_layout.sizes_of(geometry.kernel_axes, weight);
    if (!weight_sizes) return weight_sizes.error();
    geometry.batch = (*data_sizes)[0];
    geometry.in_channels = (*data_sizes)[1];
    geometry.input = to_extents(std::span(*data_sizes).subspan(2), 1);
    if (geometry.in_channels != kDynamicDim && geometry.in_channels % geometry.groups != 0)
        return error("the " + std::to_string(geometry.in_channels) + " input channels can't be divided into " +
                     std::to_string(geometry.groups) + " groups");

    auto channels = checked_optional_integer(attributes, "channels");
    if (!channels) return channels.error();
    if (*channels &&
        (**channels < 1 || **channels > std::numeric_limits<int32_t>::max() || **channels % geometry.groups != 0))
        return error("channels must be positive and a multiple of groups, not " + std::to_string(**channels));
    std::vector<int64_t> kernel_size;
    if (!attributes.is_none("kernel_size")) {
        auto given = checked_integers(attributes, "kernel_size", rank, 1);
        if (!given) return given.error();
        kernel_size = *given;
    }
    auto window = read_window(attributes, kernel_size, rank);
    if (!window) return window.error();
    geometry.window = *window;
    if (!kernel_size.empty() && *channels) {
        geometry.out_channels = **channels;
        if (Status matches = check_weight(geometry, *weight_sizes, weight); !matches) return matches.error();
    } else if (Status read = read_weight(geometry, *weight_sizes, *channels, kernel_size); !read) {
        return read.error();
    }
    if (geometry.out_channels != kDynamicDim && geometry.out_channels % geometry.groups != 0)
        return error("the " + std::to_string(geometry.out_channels) + " output channels can't be divided into " +
                     std::to_string(geometry.groups) + " groups");
    if (Status output = compute_output(attributes, geometry); !output) return output.error();
    return geometry;
}

}  // namespace partita
