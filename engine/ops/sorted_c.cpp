#include "engine/ops/sorted_c.h"

#include "engine/ops/c_writer.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

/// A tensor as lines along an axis, as in transform_sort.cpp.
struct CLines {
    int64_t count = 1, length = 1, inner = 1;

    CLines(std::span<const int64_t> shape, int64_t axis) {
        for (size_t i = 0; i < shape.size(); ++i) {
            if (int64_t(i) == axis) length = shape[i];
            else count *= shape[i];
            if (int64_t(i) > axis) inner *= shape[i];
        }
    }
    /// Returns the start of line `l` in a tensor with lines of that length.
    std::string begin(int64_t line_length) const {
        std::string step = std::to_string(inner);
        return "l / " + step + " * " + std::to_string(line_length * inner) + " + l % " + step;
    }
};

class SortWriter {
public:
    SortWriter(const CLoops& loops, const CLines& lines, bool ascending)
        : loops_(loops), lines_(lines), ascending_(ascending), code_(loops.code, loops.indent) {}

    void write(int64_t keep, const CTensor* values, const CTensor* indices) {
        constexpr int64_t kMostOnStack = 4096;
        std::string length = std::to_string(lines_.length), inner = std::to_string(lines_.inner);
        code_.open_loop("l", lines_.count);
        code_.line("const int64_t begin = " + lines_.begin(lines_.length) + ", to = " + lines_.begin(keep) + ";");
        code_.line((lines_.length > kMostOnStack ? "static _Thread_local int64_t order[" : "int64_t order[") + length +
                   "];");
        code_.line("for (int64_t k = 0; k < " + length + "; ++k) order[k] = k;");
        write_heap_sort(length);
        code_.open_loop("k", keep);
        if (values) code_.line(values->name + "[to + k * " + inner + "] = " + element("order[k]") + ";");
        if (indices) code_.line(indices->name + "[to + k * " + inner + "] = (" + c_type(indices->dtype) + ")order[k];");
        code_.close();
        code_.close();
    }

private:
    std::string element(const std::string& place) const {
        return loops_.inputs[0].name + "[begin + " + place + " * " + std::to_string(lines_.inner) + "]";
    }

    /// Writes statements that set `after` to whether the first of two places comes after the second.
    void write_after(const std::string& first, const std::string& second) {
        std::string type = c_type(loops_.inputs[0].dtype);
        code_.line("const " + type + " a = " + element(first) + ", b = " + element(second) + ";");
        auto before = [&](const std::string& x, const std::string& y) {
            if (!loops_.inputs[0].dtype.is_float()) return x + " < " + y;
            return "(!isnan(" + x + ") && (isnan(" + y + ") || " + x + " < " + y + "))";
        };
        std::string later = ascending_ ? before("b", "a") : before("a", "b"),
                    earlier = ascending_ ? before("a", "b") : before("b", "a");
        code_.line("const int after = " + later + " || (!(" + earlier + ") && " + first + " > " + second + ");");
    }

    /// Sorts `order` with Williams' heap sort, which needs no extra memory; places break ties, so that it is stable.
    void write_heap_sort(const std::string& length) {
        code_.open("for (int64_t size = " + length + ", root = size / 2; size > 1;)");
        code_.line("int64_t moved, child;");
        code_.open("if (root > 0)");
        code_.line("moved = order[--root];");
        code_.close();
        code_.open("else");
        code_.line("moved = order[--size];");
        code_.line("order[size] = order[0];");
        code_.close();
        code_.line("int64_t at = root;");
        code_.open("for (; (child = 2 * at + 1) < size; at = child)");
        code_.open("if (child + 1 < size)");
        write_after("order[child + 1]", "order[child]");
        code_.line("child += after;");
        code_.close();
        write_after("order[child]", "moved");
        code_.line("if (!after) break;");
        code_.line("order[at] = order[child];");
        code_.close();
        code_.line("order[at] = moved;");
        code_.close();
    }

    const CLoops& loops_;
    const CLines& lines_;
    bool ascending_;
    CWriter code_;
};

}  // namespace

Status write_sorted_lines_in_c(const CLoops& loops, int64_t axis, bool ascending, const CTensor* values,
                               const CTensor* indices) {
    CLines lines(loops.inputs[0].shape, axis);
    if (lines.length == 0 || lines.count == 0) return Nothing();
    SortWriter(loops, lines, ascending).write(loops.outputs[0].shape[size_t(axis)], values, indices);
    return Nothing();
}

Status scan_in_c(const CLoops& loops, bool multiplies) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    bool narrow = result.dtype.is_float() && result.dtype.bits == 16,
         cut = data.dtype.is_float() && !result.dtype.is_float();
    if (narrow || cut || result.dtype.is_bool())
        return error(loops.attributes.op().name + " of " + data.dtype.to_string() + " as " + result.dtype.to_string() +
                     " can't be written in C");
    int64_t count = element_count(data.shape).value_or(0);
    auto axis = optional_integer(loops.attributes, "axis");
    const int64_t flat[] = {count};
    CLines lines = axis ? CLines(data.shape, *normalized_axis(*axis, data.shape.size())) : CLines(flat, 0);
    if (count == 0) return Nothing();
    const std::string type = c_type(result.dtype), operands[] = {"total", "value"}, sign = multiplies ? " * " : " + ";
    CWriter code(loops.code, loops.indent);
    code.open_loop("l", lines.count);
    code.line("int64_t at = " + lines.begin(lines.length) + ";");
    code.line(type + " total = " + (multiplies ? "1" : "0") + ";");
    code.open("for (int64_t k = 0; k < " + std::to_string(lines.length) +
              "; ++k, at += " + std::to_string(lines.inner) + ")");
    code.line("const " + type + " value = (" + type + ")" + data.name + "[at];");
    code.line("const " + type + " next = " +
              fill_c_template(result.dtype.is_float() ? "%a" + sign + "%b" : "(%T)((%U)%a" + sign + "(%U)%b)", operands,
                              result.dtype) +
              ";");
    code.line(result.name + "[at] = " + (loops.attributes.boolean("exclusive") ? "total;" : "next;"));
    code.line("total = next;");
    code.close();
    code.close();
    return Nothing();
}

}  // namespace partita
