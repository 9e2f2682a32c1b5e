#include "engine/ops/indexed_c.h"

#include "engine/ops/c_writer.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

std::string text_of(int64_t value) { return std::to_string(value); }

int64_t count_of(std::span<const int64_t> shape) { return element_count(shape).value_or(0); }

/// Returns whether there is nothing to write; then no index may be read.
bool is_empty(const CTensor& tensor) { return count_of(tensor.shape) == 0; }

Status need_elements(const CLoops& loops) {
    if (!is_empty(loops.inputs[0])) return Nothing();
    return error(loops.attributes.op().name + " of an empty tensor can't be written in C");
}

/// Writes `int64_t NAME = INDICES[AT];`, counting from the end if it is negative; refuses it if it is out of range.
void write_index(CWriter& code, const std::string& name, const CTensor& indices, const std::string& at, int64_t size) {
    code.line("int64_t " + name + " = " + index_in_c(indices, at) + ";");
    code.line("if (" + name + " < 0) " + name + " += " + text_of(size) + ";");
    code.refuse_where(name + " < 0 || " + name + " >= " + text_of(size));
}

/// Returns `INDEX / STRIDE % EXTENT * STEP`: the contribution of one coordinate of a flat index to another tensor's
/// offset.
std::string coordinate(const std::string& index, int64_t stride, int64_t extent, int64_t step) {
    return index + " / " + text_of(stride) + " % " + text_of(extent) + " * " + text_of(step);
}

void copy_all(CWriter& code, const CTensor& from, const CTensor& to) {
    code.open_loop("e", count_of(from.shape));
    code.line(to.name + "[e] = " + from.name + "[e];");
    code.close();
}

/// Returns the new value of an element: `update`, or `target` combined with it.
Result<std::string> joined(const CLoops& loops, const std::string& mode, const std::string& target,
                           const std::string& update) {
    DataType dtype = loops.outputs[0].dtype;
    if (mode == "update") return update;
    if (dtype.is_bool() || (dtype.is_float() && dtype.bits == 16))
        return error(loops.attributes.op().name + " of " + dtype.to_string() + " can't be written in C");
    const std::string operands[] = {target, update};
    const std::string is_nan = dtype.is_float() ? " || %b != %b" : "";
    if (mode == "min") return fill_c_template("%b < %a" + is_nan + " ? %b : %a", operands, dtype);
    if (mode == "max") return fill_c_template("%b > %a" + is_nan + " ? %b : %a", operands, dtype);
    std::string sign = mode == "mul" ? " * " : " + ";
    return fill_c_template(dtype.is_float() ? "%a" + sign + "%b" : "(%T)((%U)%a" + sign + "(%U)%b)", operands, dtype);
}

/// Writes `place`, the place of block t that a tuple of indices names; the coordinates are along the first dimension.
void write_place(CWriter& code, const CTensor& indices, std::span<const int64_t> shape, int64_t batch,
                 const std::string& start) {
    int64_t coordinates = indices.shape[0], tuples = count_of(indices.shape.subspan(1));
    code.line("int64_t place = " + start + ";");
    for (int64_t c = 0; c < coordinates; ++c) {
        std::string index = "index" + text_of(c);
        write_index(code, index, indices, text_of(c * tuples) + " + t", shape[size_t(batch + c)]);
        code.line("place = place * " + text_of(shape[size_t(batch + c)]) + " + " + index + ";");
    }
}

}  // namespace

std::string index_in_c(const CTensor& indices, const std::string& at) {
    const std::string element = indices.name + "[" + at + "]";
    if (!(indices.dtype == kUInt64)) return "(int64_t)" + element;
    return "(" + element + " > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)" + element + ")";
}

Status gather_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &indices = loops.inputs[1], &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    if (Status filled = need_elements(loops); !filled) return filled;
    size_t axis = size_t(*normalized_axis(*optional_integer(loops.attributes, "axis"), data.shape.size()));
    std::string inner = text_of(count_of(data.shape.subspan(axis + 1))), taken = text_of(indices.shape[axis]),
                size = text_of(data.shape[axis]);
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", count_of(result.shape));
    write_index(code, "index", indices, "i", data.shape[axis]);
    code.line(result.name + "[i] = " + data.name + "[(i / " + inner + " / " + taken + " * " + size + " + index) * " +
              inner + " + i % " + inner + "];");
    code.close();
    return Nothing();
}

Status gather_nd_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &indices = loops.inputs[1], &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    if (Status filled = need_elements(loops); !filled) return filled;
    int64_t batch = optional_integer(loops.attributes, "batch_dims").value_or(0),
            tuples = count_of(indices.shape.subspan(1));
    int64_t in_batch = std::max<int64_t>(1, tuples / count_of(data.shape.first(size_t(batch))));
    std::string block = text_of(count_of(data.shape.subspan(size_t(batch + indices.shape[0]))));
    CWriter code(loops.code, loops.indent);
    code.open_loop("t", tuples);
    write_place(code, indices, data.shape, batch, batch == 0 ? "0" : "t / " + text_of(in_batch));
    code.open_loop("i", "0", block);
    code.line(result.name + "[t * " + block + " + i] = " + data.name + "[place * " + block + " + i];");
    code.close();
    code.close();
    return Nothing();
}

Status adv_index_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    if (Status filled = need_elements(loops); !filled) return filled;
    size_t count = loops.inputs.size() - 1;
    std::span<const int64_t> common = result.shape.first(result.shape.size() - (data.shape.size() - count));
    std::vector<int64_t> strides = row_major_strides(common);
    std::string block = text_of(count_of(data.shape.subspan(count)));
    CWriter code(loops.code, loops.indent);
    code.open_loop("t", count_of(common));
    code.line("int64_t place = 0;");
    for (size_t axis = 0; axis < count; ++axis) {
        const CTensor& tensor = loops.inputs[axis + 1];
        std::vector<int64_t> steps = row_major_strides(tensor.shape);
        size_t missing = common.size() - tensor.shape.size();
        std::string at = "0";
        for (size_t d = missing; d < common.size(); ++d)
            if (tensor.shape[d - missing] != 1)
                at += " + " + coordinate("t", strides[d], common[d], steps[d - missing]);
        std::string index = "index" + text_of(int64_t(axis));
        write_index(code, index, tensor, at, data.shape[axis]);
        code.line("place = place * " + text_of(data.shape[axis]) + " + " + index + ";");
    }
    code.open_loop("i", "0", block);
    code.line(result.name + "[t * " + block + " + i] = " + data.name + "[place * " + block + " + i];");
    code.close();
    code.close();
    return Nothing();
}

Status scatter_in_c(const CLoops& loops, bool adds) {
    const CTensor &data = loops.inputs[0], &indices = loops.inputs[1], &updates = loops.inputs[2],
                  &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    size_t axis = size_t(*normalized_axis(optional_integer(loops.attributes, "axis").value_or(0), data.shape.size()));
    Result<std::string> value = joined(loops, adds ? "add" : "update", result.name + "[place]", updates.name + "[i]");
    if (!value) return value.error();
    std::vector<int64_t> to = row_major_strides(data.shape), from = row_major_strides(updates.shape);
    CWriter code(loops.code, loops.indent);
    copy_all(code, data, result);
    if (is_empty(updates)) return Nothing();
    code.open_loop("i", count_of(updates.shape));
    write_index(code, "index", indices, "i", data.shape[axis]);
    std::string place = "index * " + text_of(to[axis]);
    for (size_t d = 0; d < to.size(); ++d)
        if (d != axis) place += " + " + coordinate("i", from[d], updates.shape[d], to[d]);
    code.line("const int64_t place = " + place + ";");
    code.line(result.name + "[place] = " + *value + ";");
    code.close();
    return Nothing();
}

Status scatter_nd_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &indices = loops.inputs[1], &updates = loops.inputs[2],
                  &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    std::string block = text_of(count_of(data.shape.subspan(size_t(indices.shape[0]))));
    std::string target = result.name + "[place * " + block + " + i]";
    Result<std::string> value =
        joined(loops, loops.attributes.string("mode"), target, updates.name + "[t * " + block + " + i]");
    if (!value) return value.error();
    CWriter code(loops.code, loops.indent);
    copy_all(code, data, result);
    code.open_loop("t", count_of(indices.shape.subspan(1)));
    write_place(code, indices, data.shape, 0, "0");
    code.open_loop("i", "0", block);
    code.line(target + " = " + *value + ";");
    code.close();
    code.close();
    return Nothing();
}

Status reverse_sequence_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &lengths = loops.inputs[1], &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    size_t rank = data.shape.size();
    size_t sequence = size_t(*normalized_axis(optional_integer(loops.attributes, "seq_axis").value_or(1), rank));
    size_t batch = size_t(*normalized_axis(optional_integer(loops.attributes, "batch_axis").value_or(0), rank));
    std::vector<int64_t> strides = row_major_strides(data.shape);
    std::string longest = text_of(data.shape[sequence]), step = text_of(strides[sequence]);
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", count_of(data.shape));
    code.line("const int64_t k = i / " + step + " % " + longest + ";");
    code.line("int64_t length = " + index_in_c(lengths, coordinate("i", strides[batch], data.shape[batch], 1)) + ";");
    code.line("if (length > " + longest + ") length = " + longest + ";");
    code.line(result.name + "[i] = " + data.name + "[k < length ? i + (length - 1 - 2 * k) * " + step + " : i];");
    code.close();
    return Nothing();
}

Status unravel_index_in_c(const CLoops& loops) {
    const CTensor &indices = loops.inputs[0], &shape = loops.inputs[1], &result = loops.outputs[0];
    if (is_empty(result)) return Nothing();
    std::string count = text_of(count_of(indices.shape));
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", "0", count);
    code.line("int64_t rest = " + index_in_c(indices, "i") + ";");
    code.open("for (int64_t d = " + text_of(shape.shape[0]) + "; d-- > 0;)");
    code.line("const int64_t extent = " + index_in_c(shape, "d") + ";");
    code.refuse_where("extent <= 0");
    code.line(result.name + "[d * " + count + " + i] = (" + c_type(result.dtype) + ")(rest % extent);");
    code.line("rest /= extent;");
    code.close();
    code.close();
    return Nothing();
}

}  // namespace partita
