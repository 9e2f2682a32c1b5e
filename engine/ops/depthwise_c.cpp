#include "engine/ops/depthwise_c.h"

#include <algorithm>

#include "engine/ops/c_writer.h"

namespace partita {

namespace {

constexpr int64_t kLanes = 16;            ///< rows are computed in multiples of this, so that vectors are full
constexpr int64_t kMostElements = 32768;  ///< of a copied plane: 128 KiB of floats
constexpr int64_t kMostTaps = 64;         ///< which are unrolled

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The copy of a plane: rows x phases x width.
struct PlaneShape {
    int64_t rows, phases, width, computed;  ///< computed: elements of a row of the result, including the excess

    explicit PlaneShape(const ConvolutionGeometry& geometry) {
        const Window& window = geometry.window;
        rows = (geometry.output[1] - 1) * window.stride[1] + window.reach(1);
        phases = window.stride[2];
        computed = divide_up(geometry.output[2], kLanes) * kLanes;
        width = computed + (window.reach(2) - 1) / phases;
    }
};

class DepthwiseWriter {
public:
    DepthwiseWriter(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                    const CZeroPoints& zero_points)
        : loops_(loops), geometry_(geometry), window_(geometry.window), shape_(geometry), sum_type_(sum_type),
          zero_points_(zero_points), code_(loops.code, loops.indent) {}

    void write() {
        int64_t multiplier = geometry_.out_channels / geometry_.groups;
        code_.share_among_threads(2);
        code_.open_loop("n", geometry_.batch);
        code_.open_loop("c", geometry_.groups);
        write_copy();
        code_.open_loop("o", "c * " + number(multiplier), "(c + 1) * " + number(multiplier));
        write_rows();
        code_.close();
        code_.close();
        code_.close();
    }

private:
    void write_copy() {
        code_.line(sum_type_ + " plane[" + number(shape_.rows) + "][" + number(shape_.phases) + "][" +
                   number(shape_.width) + "];");
        code_.line("memset(plane, 0, sizeof plane);");
        int64_t top = window_.pad_before[1], last = std::min(geometry_.input[1], shape_.rows - top);
        code_.open_loop("y", "0", number(last));
        code_.line("const " + c_type(loops_.inputs[0].dtype) + " *from = " + loops_.inputs[0].name + " + ((n * " +
                   number(geometry_.groups) + " + c) * " + number(geometry_.input[1]) + " + y) * " +
                   number(geometry_.input[2]) + ";");
        bool used = false;
        for (int64_t phase = 0; phase < shape_.phases; ++phase) used |= write_phase(phase, "y + " + number(top));
        if (!used) code_.line("(void)from;");
        code_.close();
    }

    /// Writes element x of a phase: the datum at column x * stride + phase - padding. Returns false if no datum is
    /// read.
    bool write_phase(int64_t phase, const std::string& row) {
        int64_t shift = phase - window_.pad_before[2], stride = shape_.phases;
        int64_t begin = shift < 0 ? divide_up(-shift, stride) : 0;
        int64_t end =
            std::min(shape_.width, shift < geometry_.input[2] ? divide_up(geometry_.input[2] - shift, stride) : 0);
        if (begin >= end) return false;
        std::string column = stride == 1 ? "x" : "x * " + number(stride);
        if (shift) column += (shift < 0 ? " - " : " + ") + number(std::abs(shift));
        std::string element = "(" + sum_type_ + ")from[" + column + "]";
        if (!zero_points_.data.empty()) element += " - " + zero_points_.data;
        code_.line("for (int64_t x = " + number(begin) + "; x < " + number(end) + "; ++x) plane[" + row + "][" +
                   number(phase) + "][x] = " + element + ";");
        return true;
    }

    void write_rows() {
        int64_t taps = window_.size[1] * window_.size[2];
        code_.line("const " + c_type(loops_.inputs[1].dtype) + " *weight = " + loops_.inputs[1].name + " + o * " +
                   number(taps) + ";");
        for (int64_t tap = 0; tap < taps; ++tap) {
            std::string value = "(" + sum_type_ + ")weight[" + number(tap) + "]";
            if (!zero_points_.weight.empty()) value += " - " + zero_points_.weight;
            code_.line("const " + sum_type_ + " w" + number(tap) + " = " + value + ";");
        }
        code_.open_loop("y", geometry_.output[1]);
        code_.line(sum_type_ + " sums[" + number(shape_.computed) + "];");
        code_.open_loop("x", shape_.computed);
        code_.line(sum_type_ + " sum = 0;");
        for (int64_t tap = 0; tap < taps; ++tap)
            code_.line("sum += w" + number(tap) + " * " + seen(tap / window_.size[2], tap % window_.size[2]) + ";");
        code_.line("sums[x] = sum;");
        code_.close();
        std::string result = c_type(loops_.outputs[0].dtype);
        code_.line(result + " *to = " + loops_.outputs[0].name + " + ((n * " + number(geometry_.out_channels) +
                   " + o) * " + number(geometry_.output[1]) + " + y) * " + number(geometry_.output[2]) + ";");
        code_.line("for (int64_t x = 0; x < " + number(geometry_.output[2]) + "; ++x) to[x] = (" + result +
                   ")sums[x];");
        code_.close();
    }

    std::string seen(int64_t ky, int64_t kx) const {
        int64_t row = ky * window_.dilation[1], column = kx * window_.dilation[2];
        std::string y = window_.stride[1] == 1 ? "y" : "y * " + number(window_.stride[1]);
        if (row) y += " + " + number(row);
        std::string x = column / shape_.phases ? "x + " + number(column / shape_.phases) : "x";
        return "plane[" + y + "][" + number(column % shape_.phases) + "][" + x + "]";
    }

    const CLoops loops_;
    const ConvolutionGeometry& geometry_;
    const Window& window_;
    const PlaneShape shape_;
    const std::string sum_type_;
    const CZeroPoints zero_points_;
    CWriter code_;
};

}  // namespace

bool fits_depthwise_planes(const ConvolutionGeometry& geometry) {
    bool usual = geometry.rank == 2 && geometry.out_layout.text() == geometry.data_axes &&
                 geometry.data_layout.text() == geometry.data_axes &&
                 geometry.kernel_layout.text() == geometry.kernel_axes;
    if (!usual || !geometry.is_depthwise() || geometry.window.size[1] * geometry.window.size[2] > kMostTaps ||
        geometry.window.stride[2] > 8)
        return false;
    for (size_t axis : {1, 2})
        if (geometry.output[axis] > kMostElements || geometry.window.reach(axis) > kMostElements ||
            geometry.window.stride[axis] > kMostElements)
            return false;
    PlaneShape shape(geometry);
    return shape.rows * shape.phases * shape.width <= kMostElements;
}

void write_depthwise_by_planes(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                               const CZeroPoints& zero_points) {
    DepthwiseWriter(loops, geometry, sum_type, zero_points).write();
}

}  // namespace partita
