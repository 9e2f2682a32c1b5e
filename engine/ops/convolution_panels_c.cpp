#include "engine/ops/convolution_panels_c.h"

#include <algorithm>

#include "engine/ops/product_c.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

constexpr int64_t kRows = 8;       ///< output channels of a block: with two vectors each, half of 32 registers
constexpr int64_t kDepth = 256;    ///< of a panel: two vectors for each step are 32 KiB, a level-1 cache
constexpr int64_t kOutputs = 512;  ///< whose sums are on the stack: 64 KiB

class PanelWriter {
public:
    PanelWriter(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                const CZeroPoints& zero_points)
        : loops_(loops), geometry_(geometry), sum_type_(sum_type), zero_points_(zero_points),
          code_(loops.code, loops.indent), data_strides_(row_major_strides(loops.inputs[0].shape)),
          columns_(2 * lane_count(sum_type)), in_group_(geometry.in_channels / geometry.groups),
          out_group_(geometry.out_channels / geometry.groups),
          positions_(geometry.output[0] * geometry.output[1] * geometry.output[2]),
          taps_(geometry.window.size[0] * geometry.window.size[1] * geometry.window.size[2]) {}

    void write() {
        declare_lanes(code_, sum_type_);
        code_.share_among_threads(3);
        code_.open_loop("n", geometry_.batch);
        code_.open_loop("g", geometry_.groups);
        code_.open_loop("tile", (positions_ + columns_ - 1) / columns_);
        code_.line("const int64_t first = tile * " + number(columns_) + ";");
        code_.line("const int64_t count = first + " + number(columns_) + " <= " + number(positions_) + " ? " +
                   number(columns_) + " : " + number(positions_) + " - first;");
        code_.line("lanes panel[" + number(std::min(depth(), kDepth)) + "][2], sums[" +
                   number(std::min(out_group_, kOutputs)) + "][2];");
        if (out_group_ <= kOutputs) {
            write_outputs("0", number(out_group_), out_group_ % kRows);
        } else {
            code_.open("for (int64_t part = 0; part < " + number(out_group_) + "; part += " + number(kOutputs) + ")");
            code_.line("const int64_t outputs = part + " + number(kOutputs) + " <= " + number(out_group_) + " ? " +
                       number(kOutputs) + " : " + number(out_group_) + " - part;");
            write_outputs("part", "outputs", out_group_ % kRows);
            code_.close();
        }
        for (int i = 0; i < 3; ++i) code_.close();
    }

private:
    int64_t depth() const { return in_group_ * taps_; }

    void write_outputs(const std::string& part, const std::string& outputs, int64_t rest) {
        code_.line("memset(sums, 0, sizeof sums);");
        code_.open("for (int64_t begin = 0; begin < " + number(depth()) + "; begin += " + number(kDepth) + ")");
        code_.line("const int64_t depth = begin + " + number(kDepth) + " <= " + number(depth()) + " ? " +
                   number(kDepth) + " : " + number(depth()) + " - begin;");
        write_gather();
        std::string from = part == "0" ? "" : part + " + ";
        code_.line("const " + c_type(loops_.inputs[1].dtype) + " *weight = " + loops_.inputs[1].name + " + (g * " +
                   number(out_group_) + " + " + from + "0) * " + number(depth()) + " + begin;");
        code_.line("int64_t o = 0;");
        code_.open("for (; o + " + number(kRows) + " <= " + outputs + "; o += " + number(kRows) + ")");
        write_block(kRows);
        code_.close();
        if (rest) {
            code_.open("if (o < " + outputs + ")");
            write_block(rest);
            code_.close();
        }
        code_.close();
        write_results(part, outputs);
    }

    void write_block(int64_t rows) {
        code_.line("const " + c_type(loops_.inputs[1].dtype) + " *w = weight + o * " + number(depth()) + ";");
        PanelBlock block{rows, sum_type_, "depth", "panel", "(sums + o)", {}};
        for (int64_t r = 0; r < rows; ++r) {
            std::string scalar = "w[" + (r ? number(r * depth()) + " + k" : std::string("k")) + "]";
            if (!zero_points_.weight.empty()) scalar = "(" + sum_type_ + ")" + scalar + " - " + zero_points_.weight;
            else if (loops_.inputs[1].dtype != kFloat32 || sum_type_ != "float")
                scalar = "(" + sum_type_ + ")" + scalar;
            block.left.push_back(scalar);
        }
        write_panel_block(code_, block);
    }

    void write_results(const std::string& part, const std::string& outputs) {
        code_.open("for (int64_t o = 0; o < " + outputs + "; ++o)");
        std::string result = c_type(loops_.outputs[0].dtype), channel = part == "0" ? "o" : part + " + o";
        code_.line(result + " *to = " + loops_.outputs[0].name + " + (n * " + number(geometry_.out_channels) +
                   " + g * " + number(out_group_) + " + " + channel + ") * " + number(positions_) + " + first;");
        code_.line("const " + sum_type_ + " *from = (const " + sum_type_ + " *)sums[o];");
        code_.line("for (int64_t j = 0; j < count; ++j) to[j] = (" + result + ")from[j];");
        code_.close();
    }

    int64_t stride_of(char axis) const {
        int position = geometry_.data_layout.position(axis);
        return position < 0 ? 0 : data_strides_[size_t(position)];
    }

    /// Writes the rows of the panel, one for each input channel and tap: runs of positions in one row of the result.
    void write_gather() {
        const Window& window = geometry_.window;
        code_.open_loop("k", "0", "depth");
        code_.line("const int64_t c = (begin + k) / " + number(taps_) + ", tap = (begin + k) % " + number(taps_) + ";");
        if (geometry_.rank == 3)
            code_.line("const int64_t kz = tap / " + number(window.size[1] * window.size[2]) + ";");
        if (geometry_.rank > 1)
            code_.line("const int64_t ky = tap / " + number(window.size[2]) + " % " + number(window.size[1]) + ";");
        code_.line("const int64_t shift = tap % " + number(window.size[2]) + " * " + number(window.dilation[2]) +
                   " - " + number(window.pad_before[2]) + ";");
        code_.line("const " + c_type(loops_.inputs[0].dtype) + " *plane = " + loops_.inputs[0].name + " + n * " +
                   number(stride_of('N')) + " + (g * " + number(in_group_) + " + c) * " + number(stride_of('C')) + ";");
        code_.line(sum_type_ + " *row = (" + sum_type_ + " *)panel[k];");
        code_.line("int64_t j = 0, line = first / " + number(geometry_.output[2]) + ", x = first % " +
                   number(geometry_.output[2]) + ";");
        code_.open("for (; j < count; ++line, x = 0)");
        code_.line("const int64_t run = " + number(geometry_.output[2]) + " - x < count - j ? " +
                   number(geometry_.output[2]) + " - x : count - j;");
        if (geometry_.rank == 1) code_.line("(void)line;");
        std::string inside = write_place();
        if (!inside.empty()) code_.line("const int seen = " + inside + ";");
        write_run(!inside.empty());
        code_.line("j += run;");
        code_.close();
        code_.line("for (; j < " + number(columns_) + "; ++j) row[j] = 0;");
        code_.close();
    }

    /// Writes the place of the data for a line of the result; returns the condition that it exists, or "" if it always
    /// does.
    std::string write_place() {
        const Window& window = geometry_.window;
        std::string inside, from = "plane";
        auto locate = [&](const std::string& name, const std::string& line, const std::string& tap, size_t axis,
                          char letter) {
            code_.line("const int64_t " + name + " = " + line + " * " + number(window.stride[axis]) + " + " + tap +
                       " * " + number(window.dilation[axis]) + " - " + number(window.pad_before[axis]) + ";");
            int64_t farthest =
                (geometry_.output[axis] - 1) * window.stride[axis] + window.reach(axis) - 1 - window.pad_before[axis];
            if (window.pad_before[axis] > 0 || farthest >= geometry_.input[axis])
                inside +=
                    (inside.empty() ? "" : " && ") + name + " >= 0 && " + name + " < " + number(geometry_.input[axis]);
            from += " + " + name + " * " + number(stride_of(letter));
        };
        std::string rows = number(geometry_.output[1]);
        if (geometry_.rank == 3) locate("iz", "(line / " + rows + ")", "kz", 0, 'D');
        if (geometry_.rank > 1) locate("iy", geometry_.rank == 3 ? "(line % " + rows + ")" : "line", "ky", 1, 'H');
        from_ = from;
        return inside;
    }

    void write_run(bool may_be_outside) {
        const Window& window = geometry_.window;
        int64_t stride = window.stride[2], step = stride_of('W'), extent = geometry_.input[2];
        int64_t farthest = (geometry_.output[2] - 1) * stride + window.reach(2) - 1 - window.pad_before[2];
        bool padded = window.pad_before[2] > 0 || farthest >= extent;
        std::string zero = "0", last = "run";
        if (may_be_outside && !padded) last = "seen ? run : 0";
        code_.line("const int64_t start = x * " + number(stride) + " + shift;");
        if (padded) {
            std::string up = stride == 1 ? "" : " + " + number(stride - 1),
                        over = stride == 1 ? "" : " / " + number(stride);
            code_.line("int64_t low = start < 0 ? (-start" + up + ")" + over + " : 0;");
            code_.line("int64_t high = start < " + number(extent) + " ? (" + number(extent) + " - start" + up + ")" +
                       over + " : 0;");
            code_.line("if (low > run) low = run;");
            code_.line("if (high > run) high = run;");
            if (may_be_outside) code_.line("if (!seen) high = 0;");
            code_.line("if (high < low) high = low;");
            code_.line("for (int64_t i = 0; i < low; ++i) row[j + i] = 0;");
        } else {
            code_.line("const int64_t low = 0, high = " + last + ";");
        }
        std::string index = stride * step == 1 ? "i" : "i * " + number(stride * step);
        std::string origin = step == 1 ? "start" : "start * " + number(step);
        std::string element = "(" + sum_type_ + ")from[" + origin + " + " + index + "]";
        if (!zero_points_.data.empty()) element += " - " + zero_points_.data;
        code_.line("const " + c_type(loops_.inputs[0].dtype) + " *from = " + from_ + ";");
        code_.line("for (int64_t i = low; i < high; ++i) row[j + i] = " + element + ";");
        if (padded || may_be_outside) code_.line("for (int64_t i = high; i < run; ++i) row[j + i] = 0;");
    }

    const CLoops loops_;
    const ConvolutionGeometry& geometry_;
    const std::string sum_type_;
    const CZeroPoints zero_points_;
    CWriter code_;
    const std::vector<int64_t> data_strides_;
    const int64_t columns_, in_group_, out_group_, positions_, taps_;
    std::string from_;
};

}  // namespace

bool fits_panels(const ConvolutionGeometry& geometry) {
    bool usual = geometry.out_layout.text() == geometry.data_axes &&
                 geometry.kernel_layout.text() == geometry.kernel_axes && geometry.kernel_axes[0] == 'O';
    return usual && geometry.out_channels / geometry.groups >= kRows;
}

void write_convolution_by_panels(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                                 const CZeroPoints& zero_points) {
    PanelWriter(loops, geometry, sum_type, zero_points).write();
}

}  // namespace partita
