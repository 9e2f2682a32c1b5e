#include "engine/ops/convolution_c.h"

#include <algorithm>
#include <vector>

#include "engine/ops/c_writer.h"
#include "engine/ops/convolution.h"
#include "engine/ops/convolution_panels_c.h"
#include "engine/ops/depthwise_c.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

/// The stride of each axis letter in a tensor of an unblocked layout.
struct AxisStrides {
    const Layout& layout;
    std::vector<int64_t> strides;

    AxisStrides(const Layout& tensor_layout, std::span<const int64_t> shape)
        : layout(tensor_layout), strides(row_major_strides(shape)) {}
    int64_t of(char axis) const { return layout.position(axis) < 0 ? 0 : strides[size_t(layout.position(axis))]; }
};

/// Returns `name * stride`; `name` if the stride is 1.
std::string term(const std::string& name, int64_t stride) { return stride == 1 ? name : name + " * " + number(stride); }

class ConvolutionWriter {
public:
    ConvolutionWriter(const CLoops& loops, const ConvolutionGeometry& geometry, std::string sum_type,
                      CZeroPoints zero_points)
        : loops_(loops), geometry_(geometry), sum_type_(std::move(sum_type)), zero_points_(std::move(zero_points)),
          code_(loops.code, loops.indent), data_(geometry.data_layout, loops.inputs[0].shape),
          weight_(geometry.kernel_layout, loops.inputs[1].shape), result_(geometry.out_layout, loops.outputs[0].shape) {
    }

    void write() {
        code_.share_among_threads(3);
        code_.open_loop("n", geometry_.batch);
        code_.open_loop("o", geometry_.out_channels);
        open_output_loops();
        code_.line(sum_type_ + " row[" + number(geometry_.output[2]) + "] = {0};");
        write_sums();
        code_.open_loop("x", geometry_.output[2]);
        std::string place = "n * " + number(result_.of('N')) + " + o * " + number(result_.of('C')) +
                            rows("z", "y", result_) + " + " + term("x", result_.of('W'));
        code_.line(loops_.outputs[0].name + "[" + place + "] = (" + c_type(loops_.outputs[0].dtype) + ")row[x];");
        code_.close();
        code_.close();
        if (geometry_.rank == 3) code_.close();
        code_.close();
        code_.close();
    }

    /// Writes a transposed convolution: tap k of position y reads input (y + padding - k * dilation) / stride, if that
    /// is an integer.
    void write_transposed() {
        int64_t in_group = geometry_.in_channels / geometry_.groups,
                out_group = geometry_.out_channels / geometry_.groups;
        std::string channel =
            geometry_.groups == 1 ? "c" : "(o / " + number(out_group) + " * " + number(in_group) + " + c)";
        code_.share_among_threads(3);
        code_.open_loop("n", geometry_.batch);
        code_.open_loop("o", geometry_.out_channels);
        open_output_loops();
        code_.open_loop("x", geometry_.output[2]);
        code_.line(sum_type_ + " sum = 0;");
        code_.open_loop("c", in_group);
        if (geometry_.rank == 3) open_source("kz", "iz", "z", 0);
        if (has_rows()) open_source("ky", "iy", "y", 1);
        open_source("kx", "ix", "x", 2);
        std::string place = "n * " + number(data_.of('N')) + " + " + channel + " * " + number(data_.of('C')) +
                            rows("iz", "iy", data_) + " + " + term("ix", data_.of('W'));
        code_.line("sum += (" + sum_type_ + ")" + loops_.inputs[0].name + "[" + place + "] * (" + sum_type_ + ")" +
                   loops_.inputs[1].name + "[" + transposed_weight_place(channel, out_group) + "];");
        for (size_t i = 0; i < geometry_.rank + 1; ++i) code_.close();
        place = "n * " + number(result_.of('N')) + " + o * " + number(result_.of('C')) + rows("z", "y", result_) +
                " + " + term("x", result_.of('W'));
        code_.line(loops_.outputs[0].name + "[" + place + "] = (" + c_type(loops_.outputs[0].dtype) + ")sum;");
        for (int i = geometry_.rank == 3 ? 5 : 4; i > 0; --i) code_.close();
    }

private:
    /// Opens a loop over the taps of an axis; skips taps that read no input.
    void open_source(const char* tap, const char* source, const char* out, size_t axis) {
        const Window& window = geometry_.window;
        code_.open_loop(tap, window.size[axis]);
        code_.line("const int64_t to_" + std::string(tap) + " = " + out + " + " + number(window.pad_before[axis]) +
                   " - " + term(tap, window.dilation[axis]) + ", " + source + " = to_" + tap + " / " +
                   number(window.stride[axis]) + ";");
        code_.line("if (to_" + std::string(tap) + " < 0 || to_" + tap + " % " + number(window.stride[axis]) + " || " +
                   source + " >= " + number(geometry_.input[axis]) + ") continue;");
    }

    /// The first axis of the weight, after G, counts the input's channels, the second the output's in a group.
    std::string transposed_weight_place(const std::string& channel, int64_t out_group) const {
        bool grouped = geometry_.kernel_axes[0] == 'G';
        char first = geometry_.kernel_axes[grouped ? 1 : 0], second = geometry_.kernel_axes[grouped ? 2 : 1];
        std::string place = grouped ? "o / " + number(out_group) + " * " + number(weight_.of('G')) + " + c" : channel;
        return place + " * " + number(weight_.of(first)) + " + o % " + number(out_group) + " * " +
               number(weight_.of(second)) + rows("kz", "ky", weight_) + " + " + term("kx", weight_.of('W'));
    }

    static std::string without(const std::string& zero_point) { return zero_point.empty() ? "" : " - " + zero_point; }
    bool has_rows() const { return geometry_.rank > 1; }

    void open_output_loops() {
        if (geometry_.rank == 3) code_.open_loop("z", geometry_.output[0]);
        code_.open_loop("y", geometry_.output[1]);
    }

    /// Returns ` + z * D + y * H` for the existing axes.
    std::string rows(const std::string& z, const std::string& y, const AxisStrides& strides) const {
        std::string text;
        if (geometry_.rank == 3) text += " + " + z + " * " + number(strides.of('D'));
        if (has_rows()) text += " + " + y + " * " + number(strides.of('H'));
        return text;
    }

    /// Writes `const int64_t NAME = OUT * stride + K * dilation - padding;` and skips places outside.
    void locate(const char* name, const char* out, const char* tap, size_t axis) {
        const Window& window = geometry_.window;
        std::string place = std::string(out) + " * " + number(window.stride[axis]) + " + " + tap + " * " +
                            number(window.dilation[axis]) + " - " + number(window.pad_before[axis]);
        code_.line("const int64_t " + std::string(name) + " = " + place + ";");
        code_.line("if (" + std::string(name) + " < 0 || " + name + " >= " + number(geometry_.input[axis]) +
                   ") continue;");
    }

    void write_sums() {
        int64_t in_group = geometry_.in_channels / geometry_.groups,
                out_group = geometry_.out_channels / geometry_.groups;
        code_.open_loop("c", in_group);
        if (geometry_.rank == 3) {
            code_.open_loop("kz", geometry_.window.size[0]);
            locate("iz", "z", "kz", 0);
        }
        if (has_rows()) {
            code_.open_loop("ky", geometry_.window.size[1]);
            locate("iy", "y", "ky", 1);
        }
        std::string channel =
            geometry_.groups == 1 ? "c" : "(o / " + number(out_group) + " * " + number(in_group) + " + c)";
        code_.line("const " + c_type(loops_.inputs[0].dtype) + " *in = " + loops_.inputs[0].name + " + n * " +
                   number(data_.of('N')) + " + " + channel + " * " + number(data_.of('C')) + rows("iz", "iy", data_) +
                   ";");
        code_.open_loop("kx", geometry_.window.size[2]);
        code_.line("const " + sum_type_ + " w = (" + sum_type_ + ")" + loops_.inputs[1].name + "[" +
                   weight_place(out_group) + "]" + without(zero_points_.weight) + ";");
        write_row();
        code_.close();
        for (size_t i = 1; i < geometry_.rank; ++i) code_.close();
        code_.close();
    }

    std::string weight_place(int64_t out_group) const {
        std::string place;
        if (geometry_.kernel_axes[0] == 'G')
            place = "o / " + number(out_group) + " * " + number(weight_.of('G')) + " + o % " + number(out_group) +
                    " * " + number(weight_.of('O'));
        else place = "o * " + number(weight_.of('O'));
        return place + " + c * " + number(weight_.of('I')) + rows("kz", "ky", weight_) + " + " +
               term("kx", weight_.of('W'));
    }

    /// Adds one tap to the part of the row that reads data.
    void write_row() {
        const Window& window = geometry_.window;
        int64_t stride = window.stride[2];
        code_.line("const int64_t shift = kx * " + number(window.dilation[2]) + " - " + number(window.pad_before[2]) +
                   ";");
        bool padded = window.pad_before[2] > 0 ||
                      (geometry_.output[2] - 1) * stride + window.reach(2) - window.pad_before[2] > geometry_.input[2];
        std::string begin = "0", end = number(geometry_.output[2]);
        if (padded) {
            std::string up = stride == 1 ? "" : " + " + number(stride - 1);
            std::string over = stride == 1 ? "" : " / " + number(stride);
            code_.line("const int64_t first = shift < 0 ? (-shift" + up + ")" + over + " : 0;");
            code_.line("const int64_t room = " + number(geometry_.input[2]) + " - shift;");
            code_.line("const int64_t fit = room > 0 ? (room" + up + ")" + over + " : 0;");
            code_.line("const int64_t last = fit < " + end + " ? fit : " + end + ";");
            begin = "first";
            end = "last";
        }
        int64_t step = data_.of('W');
        std::string index = "x" + (stride == 1 ? std::string() : " * " + number(stride)) + " + shift";
        if (step != 1) index = "(" + index + ") * " + number(step);
        code_.open_loop("x", begin, end);
        std::string element = "(" + sum_type_ + ")in[" + index + "]";
        if (!zero_points_.data.empty()) element = "(" + element + without(zero_points_.data) + ")";
        code_.line("row[x] += w * " + element + ";");
        code_.close();
    }

    const CLoops loops_;
    const ConvolutionGeometry& geometry_;
    std::string sum_type_;
    CZeroPoints zero_points_;
    CWriter code_;
    AxisStrides data_, weight_, result_;
};

/// Returns the type of the sums, with the refusals that both forms share.
Result<std::string> writable_sum_type(const CLoops& loops, const ConvolutionGeometry& geometry) {
    const std::string& name = loops.attributes.op().name;
    if (geometry.data_layout.is_blocked() || geometry.kernel_layout.is_blocked() || geometry.out_layout.is_blocked())
        return error(name + " in a blocked layout can't be written in C");
    std::string sum_type = c_product_type(loops.inputs[0].dtype, loops.inputs[1].dtype, loops.outputs[0].dtype);
    if (sum_type.empty()) return error(name + " of these types can't be written in C");
    return sum_type;
}

}  // namespace

Status write_transposed_convolution_in_c(const CLoops& loops, size_t rank) {
    auto geometry = convolution_geometry(loops.attributes, rank, true, loops.inputs[0].shape, loops.inputs[1].shape);
    if (!geometry) return geometry.error();
    Result<std::string> sum_type = writable_sum_type(loops, *geometry);
    if (!sum_type) return sum_type.error();
    ConvolutionWriter(loops, *geometry, *sum_type, {}).write_transposed();
    return Nothing();
}

Status write_convolution_in_c(const CLoops& loops, size_t rank, const CZeroPoints& zero_points) {
    /// Sums of a row are on the stack.
    constexpr int64_t kLongestRow = 8192;
    auto geometry = convolution_geometry(loops.attributes, rank, false, loops.inputs[0].shape, loops.inputs[1].shape);
    if (!geometry) return geometry.error();
    const std::string& name = loops.attributes.op().name;
    Result<std::string> writable = writable_sum_type(loops, *geometry);
    if (!writable) return writable.error();
    const std::string& sum_type = *writable;
    if (geometry->output[2] > kLongestRow) return error(name + " with rows this long can't be written in C");
    // A depthwise weight of (input channels, multiplier, ...) matches the common one in memory only if O and I are
    // outermost.
    std::vector<int64_t> usual = geometry->kernel_layout.shape_of(geometry->kernel_axes, geometry->kernel_sizes());
    if (!std::equal(usual.begin(), usual.end(), loops.inputs[1].shape.begin(), loops.inputs[1].shape.end()) &&
        !geometry->kernel_layout.text().starts_with("OI"))
        return error(name + " with this depthwise weight can't be written in C");
    std::vector<CTensor> inputs(loops.inputs.begin(), loops.inputs.end());
    inputs[1].shape = usual;
    if (fits_panels(*geometry)) {
        write_convolution_by_panels({inputs, loops.outputs, loops.attributes, loops.code, loops.indent}, *geometry,
                                    sum_type, zero_points);
        return Nothing();
    }
    if (fits_depthwise_planes(*geometry)) {
        write_depthwise_by_planes({inputs, loops.outputs, loops.attributes, loops.code, loops.indent}, *geometry,
                                  sum_type, zero_points);
        return Nothing();
    }
    ConvolutionWriter({inputs, loops.outputs, loops.attributes, loops.code, loops.indent}, *geometry, sum_type,
                      zero_points)
        .write();
    return Nothing();
}

}  // namespace partita
