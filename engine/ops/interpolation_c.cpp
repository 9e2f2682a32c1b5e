#include "engine/ops/interpolation_c.h"

#include <algorithm>

#include "engine/ops/c_writer.h"

namespace partita {

namespace {

class WeightedSumWriter {
public:
    WeightedSumWriter(const CLoops& loops, std::span<const PlainAxis> plain, std::span<const WeightedAxis> weighted,
                      DataType sum_type)
        : data_(loops.inputs[0].name), result_(loops.outputs[0]), plain_(plain), weighted_(weighted),
          sum_type_(sum_type), code_(loops.code, loops.indent) {}

    void write(bool is_copy) {
        code_.open("");
        for (size_t axis = 0; axis < weighted_.size(); ++axis) write_tables(axis, is_copy);
        for (size_t axis = 0; axis < plain_.size(); ++axis) open_plain(axis);
        for (size_t axis = 0; axis < weighted_.size(); ++axis) {
            code_.open_loop("o" + number(axis), int64_t(weighted_[axis].taps.size()));
            target_ += " + o" + number(axis) + " * " + number(weighted_[axis].result_stride);
        }
        const std::string value = is_copy ? copied_element() : write_sums();
        code_.line(result_.name + "[" + target_ + "] = " + value + ";");
        for (size_t axis = 0; axis < plain_.size() + weighted_.size() + 1; ++axis) code_.close();
    }

private:
    template <class Number>
    static std::string number(Number value) {
        return std::to_string(value);
    }

    size_t tap_count(size_t axis) const { return weighted_[axis].taps[0].size(); }

    void write_tables(size_t axis, bool is_copy) {
        std::string offsets, weights;
        for (const std::vector<WeightedAxis::Tap>& taps : weighted_[axis].taps)
            for (const WeightedAxis::Tap& tap : taps) {
                offsets += (offsets.empty() ? "" : ", ") + number(tap.offset);
                weights += (weights.empty() ? "" : ", ") + c_constant(sum_type_, tap.weight);
            }
        code_.line("static const int64_t at" + number(axis) + "[] = {" + offsets + "};");
        if (!is_copy)
            code_.line("static const " + c_type(sum_type_) + " weight" + number(axis) + "[] = {" + weights + "};");
    }

    void open_plain(size_t axis) {
        const std::string index = "p" + number(axis);
        code_.open_loop(index, plain_[axis].extent);
        source_ += " + " + index + " * " + number(plain_[axis].data_stride);
        target_ += " + " + index + " * " + number(plain_[axis].result_stride);
    }

    std::string copied_element() const {
        std::string source = source_;
        for (size_t axis = 0; axis < weighted_.size(); ++axis)
            source += " + at" + number(axis) + "[o" + number(axis) + "]";
        return data_ + "[" + source + "]";
    }

    /// Writes nested loops over the taps of each axis; returns the outermost sum.
    std::string write_sums() {
        const std::string type = c_type(sum_type_), zero = c_constant(sum_type_, 0.0);
        std::string source = source_;
        for (size_t axis = 0; axis < weighted_.size(); ++axis) {
            const std::string tap = "k" + number(axis);
            code_.line(type + " sum" + number(axis) + " = " + zero + ";");
            code_.open_loop(tap, int64_t(tap_count(axis)));
            source += " + at" + number(axis) + "[" + place(axis) + "]";
        }
        for (size_t axis = weighted_.size(); axis-- > 0;) {
            const bool is_last = axis + 1 == weighted_.size();
            const std::string term = is_last ? "(" + type + ")" + data_ + "[" + source + "]" : "sum" + number(axis + 1);
            code_.line("sum" + number(axis) + " += " + term + " * weight" + number(axis) + "[" + place(axis) + "];");
            code_.close();
        }
        return "(" + c_type(result_.dtype) + ")sum0";
    }

    std::string place(size_t axis) const {
        return "o" + number(axis) + " * " + number(tap_count(axis)) + " + k" + number(axis);
    }

    const std::string& data_;
    const CTensor& result_;
    std::span<const PlainAxis> plain_;
    std::span<const WeightedAxis> weighted_;
    DataType sum_type_;
    CWriter code_;
    std::string source_ = "0", target_ = "0";
};

bool copies(const WeightedAxis& axis) {
    return std::all_of(axis.taps.begin(), axis.taps.end(),
                       [](const auto& taps) { return taps.size() == 1 && taps[0].weight == 1; });
}

}  // namespace

Status write_weighted_sums(const CLoops& loops, std::span<const PlainAxis> plain,
                           std::span<const WeightedAxis> weighted, DataType sum_type) {
    const DataType from = loops.inputs[0].dtype, to = loops.outputs[0].dtype;
    const bool is_copy = std::all_of(weighted.begin(), weighted.end(), copies);
    const bool sums_fit = to.is_float() && to.bits >= 32 && to.lanes == 1;
    if (!(from == to) || (!is_copy && !sums_fit))
        return error(loops.attributes.op().name + " of " + from.to_string() + " into " + to.to_string() +
                     " can't be written in C");
    if (std::any_of(weighted.begin(), weighted.end(), [](const WeightedAxis& axis) { return axis.taps.empty(); }))
        return Nothing();
    WeightedSumWriter(loops, plain, weighted, sum_type).write(is_copy);
    return Nothing();
}

}  // namespace partita
