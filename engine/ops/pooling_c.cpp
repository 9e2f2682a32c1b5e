#include "engine/ops/pooling_c.h"

#include <limits>

#include "engine/ops/c_writer.h"

namespace partita {

namespace {

std::string lowest_of(DataType dtype) {
    if (!dtype.is_float()) return fill_c_template("%l", {}, dtype);
    return c_constant(
        dtype, dtype.bits == 64 ? std::numeric_limits<double>::lowest() : double(std::numeric_limits<float>::lowest()));
}

class PoolingWriter {
public:
    PoolingWriter(const CLoops& loops, const PoolingInC& pooling)
        : loops_(loops), pooling_(pooling), code_(loops.code, loops.indent), rank_(pooling.positions.size()) {
        std::span<const int64_t> data = loops.inputs[0].shape;
        for (size_t d = 0; d < pooling.positions[0]; ++d) outer_ *= data[d];
        for (size_t d = pooling.positions.back() + 1; d < data.size(); ++d) inner_ *= data[d];
    }

    void write() {
        DataType dtype = loops_.inputs[0].dtype;
        std::string type = c_type(dtype);
        std::string sum_type = dtype.is_float() ? type : "int64_t";
        code_.share_among_threads(2);
        code_.open_loop("o", outer_);
        for (size_t a = 0; a < rank_; ++a) code_.open_loop(out(a), result_extent(a));
        code_.open_loop("i", inner_);
        if (pooling_.maximum) {
            code_.line(type + " best = " + lowest_of(dtype) + ";");
        } else {
            code_.line(sum_type + " sum = 0;");
            code_.line("int64_t count = 0;");
        }
        open_window();
        std::string value = loops_.inputs[0].name + "[" + place("o", true) + "]";
        if (pooling_.maximum) {
            code_.line("const " + type + " v = " + value + ";");
            code_.line("best = v > best ? v : best;");
        } else {
            if (!pooling_.count_padding) code_.line("++count;");
            code_.line(dtype.is_float() ? "sum += " + value + ";"
                                        : "sum = (int64_t)((uint64_t)sum + (uint64_t)" + value + ");");
        }
        for (size_t a = 0; a < rank_; ++a) code_.close();
        std::string result =
            pooling_.maximum ? "best" : "(" + type + ")(sum / (" + sum_type + ")(count > 0 ? count : 1))";
        code_.line(loops_.outputs[0].name + "[" + place("o", false) + "] = " + result + ";");
        for (size_t a = 0; a < rank_ + 2; ++a) code_.close();
    }

private:
    static constexpr const char* kOut[] = {"z", "y", "x"};
    static constexpr const char* kIn[] = {"iz", "iy", "ix"};
    static constexpr const char* kTap[] = {"kz", "ky", "kx"};
    std::string out(size_t a) const { return kOut[3 - rank_ + a]; }
    std::string in(size_t a) const { return kIn[3 - rank_ + a]; }
    std::string tap(size_t a) const { return kTap[3 - rank_ + a]; }
    int64_t data_extent(size_t a) const { return loops_.inputs[0].shape[pooling_.positions[a]]; }
    int64_t result_extent(size_t a) const { return loops_.outputs[0].shape[pooling_.positions[a]]; }

    /// Returns the index of an element: ((o * D + z) * H + y) * W + x, times the inner extent.
    std::string place(std::string text, bool data) const {
        for (size_t a = 0; a < rank_; ++a)
            text = "(" + text + ") * " + std::to_string(data ? data_extent(a) : result_extent(a)) + " + " +
                   (data ? in(a) : out(a));
        return inner_ == 1 ? text + " + i" : "(" + text + ") * " + std::to_string(inner_) + " + i";
    }

    void open_window() {
        for (size_t a = 0; a < rank_; ++a) {
            std::string extent = std::to_string(data_extent(a));
            if (!pooling_.window) {
                std::string count = std::to_string(result_extent(a)), round_up = std::to_string(result_extent(a) - 1);
                code_.open_loop(in(a), out(a) + " * " + extent + " / " + count,
                                "((" + out(a) + " + 1) * " + extent + " + " + round_up + ") / " + count);
                continue;
            }
            const Window& window = *pooling_.window;
            size_t axis = 3 - rank_ + a;
            code_.open_loop(tap(a), window.size[axis]);
            code_.line("const int64_t " + in(a) + " = " + out(a) + " * " + std::to_string(window.stride[axis]) + " + " +
                       tap(a) + " * " + std::to_string(window.dilation[axis]) + " - " +
                       std::to_string(window.pad_before[axis]) + ";");
            if (pooling_.count_padding)
                code_.line("if (" + in(a) + " >= " + std::to_string(data_extent(a) + window.pad_after[axis]) +
                           ") continue;");
            else code_.line("if (" + in(a) + " < 0 || " + in(a) + " >= " + extent + ") continue;");
        }
        if (!pooling_.count_padding) return;
        code_.line("++count;");
        for (size_t a = 0; a < rank_; ++a)
            code_.line("if (" + in(a) + " < 0 || " + in(a) + " >= " + std::to_string(data_extent(a)) + ") continue;");
    }

    const CLoops& loops_;
    const PoolingInC& pooling_;
    CWriter code_;
    size_t rank_;
    int64_t outer_ = 1, inner_ = 1;
};

}  // namespace

Status write_pooling_in_c(const CLoops& loops, const PoolingInC& pooling) {
    const std::string& name = loops.attributes.op().name;
    DataType dtype = loops.inputs[0].dtype;
    if (dtype.lanes != 1 || dtype.is_bool() || dtype == kUInt64 || (dtype.is_float() && dtype.bits < 32))
        return error(name + " of " + dtype.to_string() + " can't be written in C");
    for (size_t a = 1; a < pooling.positions.size(); ++a)
        if (pooling.positions[a] != pooling.positions[a - 1] + 1)
            return error(name + " in this layout can't be written in C");
    PoolingWriter(loops, pooling).write();
    return Nothing();
}

}  // namespace partita
