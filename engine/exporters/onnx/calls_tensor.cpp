// Shapes, indexing and rearranging.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "engine/exporters/onnx/call.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/ops/foreign.h"
#include "engine/support/number_text.h"

namespace partita::onnx_export {

namespace {

std::string reshaped_to_result(Call& c) { return c.reshape(c.in(0), c.result_shape()); }

Names reshape(Call& c) { return {reshaped_to_result(c)}; }

Names squeeze(Call& c) {
    std::vector<int64_t> shape = c.shape(0), axes = c.axes("axis", int64_t(shape.size()));
    if (c.attributes().is_none("axis"))
        for (size_t i = 0; i < shape.size(); ++i)
            if (shape[i] == 1) axes.push_back(int64_t(i));
    if (axes.empty()) return {c.in(0)};
    return {c.node("Squeeze", {c.in(0), c.integers(axes)})};
}

Names expand_dims(Call& c) {
    int64_t axis = c.attributes().integer("axis"), count = c.attributes().integer("num_newaxis");
    if (axis < 0) axis += c.rank(0) + 1;
    std::vector<int64_t> axes;
    for (int64_t i = 0; i < count; ++i) axes.push_back(axis + i);
    if (axes.empty()) return {c.in(0)};
    return {c.node("Unsqueeze", {c.in(0), c.integers(axes)})};
}

Names transpose(Call& c) {
    std::vector<int64_t> axes = c.axes("axes", c.rank(0));
    if (c.attributes().is_none("axes"))
        for (int64_t i = c.rank(0); i-- > 0;) axes.push_back(i);
    if (axes.empty()) return {c.in(0)};
    return {c.node("Transpose", {c.in(0)}, {{"perm", axes}})};
}

/// Transforms between layouts without blocks.
Names layout_transform(Call& c) {
    const std::string &from = c.attributes().string("src_layout"), &to = c.attributes().string("dst_layout");
    std::vector<int64_t> axes;
    for (char axis : to) {
        size_t at = from.find(axis);
        if (at == std::string::npos || from.size() != to.size()) c.refuse("layouts with blocks are not supported");
        axes.push_back(int64_t(at));
    }
    return {c.transpose(c.in(0), axes)};
}

std::string broadcast(Call& c, const std::string& value, const std::vector<int64_t>& shape) {
    return c.node("Expand", {value, c.integers(shape)});
}

Names broadcast_to(Call& c) { return {c.cast(broadcast(c, c.in(0), c.result_shape()), c.dtype(0), c.result_dtype())}; }

Names tile(Call& c) {
    std::vector<int64_t> times = c.attributes().integers("reps"), shape = c.shape(0);
    size_t rank = std::max(times.size(), shape.size());
    std::string x = c.in(0);
    if (shape.size() < rank) {
        shape.insert(shape.begin(), rank - shape.size(), 1);
        x = c.reshape(x, shape);
    }
    times.insert(times.begin(), rank - times.size(), 1);
    return {c.node("Tile", {x, c.integers(times)})};
}

/// Repeats each slice: adds an axis, broadcasts along it and merges it.
Names repeat(Call& c) {
    std::vector<int64_t> shape = c.shape(0), result = c.result_shape();
    std::string x = c.in(0);
    int64_t axis = 0, times = c.attributes().integers("repeats").at(0);
    if (c.attributes().is_none("axis")) {
        shape = {element_count(shape).value_or(0)};
        x = c.reshape(x, shape);
    } else {
        axis = c.axis("axis", int64_t(shape.size()));
    }
    shape.insert(shape.begin() + axis + 1, times);
    x = c.node("Unsqueeze", {x, c.integers(std::vector<int64_t>{axis + 1})});
    return {c.reshape(broadcast(c, x, shape), result)};
}

// --- parts ------------------------------------------------------------------------------------------------------

Names concatenate(Call& c) {
    ExprId tuple = c.argument(0);
    auto parts = c.module().types().parts(c.module().type(tuple));
    int64_t rank = int64_t(c.module().types().shape(parts[0]).size());
    return {c.node("Concat", c.fields(0), {{"axis", c.axis("axis", rank)}})};
}

Names stack(Call& c) {
    int64_t rank = int64_t(c.result_shape().size()), axis = c.axis("axis", rank);
    Names parts;
    for (const std::string& part : Names(c.fields(0)))
        parts.push_back(c.node("Unsqueeze", {part, c.integers(std::vector<int64_t>{axis})}));
    return {c.node("Concat", parts, {{"axis", axis}})};
}

Names split(Call& c) {
    std::vector<int64_t> sizes;
    auto parts = c.module().types().parts(c.module().type(c.expr()));
    int64_t axis = c.axis("axis", c.rank(0));
    for (TypeId part : parts) sizes.push_back(c.module().types().shape(part)[size_t(axis)]);
    if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; })) c.refuse("sizes must be known");
    return c.nodes("Split", {c.in(0), c.integers(sizes)}, sizes.size(), {{"axis", axis}});
}

std::string slice_node(Call& c, const std::string& x, const std::vector<int64_t>& begins,
                       const std::vector<int64_t>& ends, const std::vector<int64_t>& axes,
                       const std::vector<int64_t>& steps) {
    return c.node("Slice", {x, c.integers(begins), c.integers(ends), c.integers(axes), c.integers(steps)});
}

Names strided_slice(Call& c) {
    const AttributesView& a = c.attributes();
    std::vector<int64_t> shape = c.shape(0), begins = a.integers("begin"), ends = a.integers("end"),
                         steps = a.integers("strides"), axes = a.integers("axes");
    bool by_size = a.string("slice_mode") == "size";
    if (a.is_none("axes")) {
        axes.resize(std::max({begins.size(), ends.size(), steps.size()}));
        std::iota(axes.begin(), axes.end(), 0);
    }
    if (by_size) steps.clear();
    constexpr int64_t kFar = INT64_MAX;
    for (size_t i = 0; i < axes.size(); ++i) {
        int64_t extent = shape.at(size_t(axes[i] < 0 ? axes[i] + int64_t(shape.size()) : axes[i]));
        if (i >= steps.size()) steps.push_back(steps.size() == 1 && !a.is_none("axes") ? steps[0] : 1);
        if (i >= begins.size()) begins.push_back(steps[i] > 0 ? 0 : kFar);
        if (i >= ends.size()) ends.push_back(by_size ? -1 : steps[i] < 0 ? INT64_MIN + 1 : kFar);
        if (!by_size) continue;
        int64_t begin = std::clamp<int64_t>(begins[i] < 0 ? begins[i] + extent : begins[i], 0, extent);
        begins[i] = begin;
        ends[i] = ends[i] < 0 ? extent : std::min(extent, begin + std::min(ends[i], extent));
    }
    if (axes.empty()) return {c.in(0)};
    return {slice_node(c, c.in(0), begins, ends, axes, steps)};
}

Names slice_like(Call& c) {
    std::vector<int64_t> result = c.result_shape(), begins(result.size(), 0), axes(result.size()),
                         steps(result.size(), 1);
    std::iota(axes.begin(), axes.end(), 0);
    if (axes.empty()) return {c.in(0)};
    return {slice_node(c, c.in(0), begins, result, axes, steps)};
}

Names reverse(Call& c) {
    int64_t axis = c.attributes().is_none("axis") ? 0 : c.axis("axis", c.rank(0));
    return {slice_node(c, c.in(0), {-1}, {INT64_MIN + 1}, {axis}, {-1})};
}

// --- indices ----------------------------------------------------------------------------------------------------

std::string as_index(Call& c, ExprId indices) {
    DataType dtype = c.dtype_of(indices);
    return c.cast(c.value_of(indices), dtype, dtype == kInt32 ? kInt32 : kInt64);
}

/// Returns the operands of `where(less(i, 0), replaced, i)`; empty for other expressions.
std::span<const ExprId> replaced_below_zero(Call& c, ExprId expr) {
    auto chosen = c.arguments_if(expr, "where");
    if (chosen.size() != 3) return {};
    auto below = c.arguments_if(chosen[0], "less");
    if (below.size() != 2 || below[0] != chosen[2]) return {};
    const Tensor* zero = c.constant_of(below[1]);
    return zero && zero->size() == 1 && zero->at(0) == 0 ? chosen : std::span<const ExprId>();
}

/// Returns the indices in `where(less(i, 0), i + extent, i)`, because ONNX counts negative indices from the end itself.
/// An invalid id for other expressions. The expression may be enclosed in one that keeps the rest below zero out of
/// range.
ExprId unwrapped(Call& c, ExprId expr) {
    auto bound = replaced_below_zero(c, expr);
    if (!bound.empty() && c.constant_of(bound[1])) expr = bound[2];
    auto chosen = replaced_below_zero(c, expr);
    if (chosen.empty()) return {};
    auto sum = c.arguments_if(chosen[1], "add");
    return sum.size() == 2 && sum[0] == chosen[2] && c.constant_of(sum[1]) ? chosen[2] : ExprId();
}

/// Returns whether all indices are known and lie in [0, extent).
bool all_inside(const Tensor* indices, int64_t extent) {
    if (!indices) return false;
    for (int64_t i = 0; i < indices->size(); ++i)
        if (indices->at(i) < 0 || indices->at(i) >= double(extent)) return false;
    return true;
}

/// Returns indices for Gather with the meaning that they have for `take`.
std::string taken_indices(Call& c, int64_t extent) {
    ExprId indices = c.argument(1);
    const std::string& mode = c.attributes().string("mode");
    if (ExprId inner = unwrapped(c, indices); inner.valid()) return as_index(c, inner);
    std::string value = as_index(c, indices);
    if (mode == "fast" || all_inside(c.constant(1), extent)) return value;
    DataType dtype = c.dtype(1) == kInt32 ? kInt32 : kInt64;
    if (mode == "wrap") return c.binary("Mod", value, c.scalar(double(extent), dtype));
    value = c.binary("Max", c.binary("Min", value, c.scalar(double(extent - 1), dtype)), c.scalar(0, dtype));
    return value;
}

/// Takes from each batch by its own indices: GatherND, which takes along the first axis behind those of the batch.
std::string taken_in_batches(Call& c, int64_t batch) {
    const int64_t rank = c.rank(0), axis = c.axis("axis", rank), rest = c.rank(1) - batch;
    std::vector<int64_t> axis_first, back, indices = c.shape(1);
    for (int64_t i = 0; i < rank; ++i)
        if (i != axis) axis_first.push_back(i);
    axis_first.insert(axis_first.begin() + batch, axis);
    for (int64_t i = 0; i < batch; ++i) back.push_back(i);
    for (int64_t i = batch; i < axis; ++i) back.push_back(i + rest);
    for (int64_t i = batch; i < batch + rest; ++i) back.push_back(i);
    for (int64_t i = axis + rest; i < rank + rest - 1; ++i) back.push_back(i);
    indices.push_back(1);
    const ExprId inner = unwrapped(c, c.argument(1));
    const DataType dtype = c.dtype_of(inner.valid() ? inner : c.argument(1)) == kInt32 ? kInt32 : kInt64;
    const std::string places = c.cast(taken_indices(c, c.shape(0)[size_t(axis)]), dtype, kInt64);
    return c.transpose(
        c.node("GatherND", {c.transpose(c.in(0), axis_first), c.reshape(places, indices)}, {{"batch_dims", batch}}),
        back);
}

Names take(Call& c) {
    const AttributesView& a = c.attributes();
    if (!a.is_none("batch_dims"))
        if (const std::vector<int64_t> batch = a.integers("batch_dims"); batch != std::vector<int64_t>{0})
            return {taken_in_batches(c, batch.at(0) < 0 ? batch[0] + c.rank(1) : batch[0])};
    std::vector<int64_t> shape = c.shape(0);
    std::string x = c.in(0);
    int64_t axis = 0;
    if (a.is_none("axis")) {
        shape = {element_count(shape).value_or(0)};
        x = c.reshape(x, shape);
    } else {
        axis = c.axis("axis", int64_t(shape.size()));
    }
    return {c.node("Gather", {x, taken_indices(c, shape[size_t(axis)])}, {{"axis", axis}})};
}

std::string element_indices(Call& c) {
    ExprId inner = unwrapped(c, c.argument(1));
    return as_index(c, inner.valid() ? inner : c.argument(1));
}

Names gather(Call& c) {
    return {c.node("GatherElements", {c.in(0), element_indices(c)}, {{"axis", c.axis("axis", c.rank(0))}})};
}

/// ONNX Runtime adds, multiplies and compares no half floats where it scatters.
void require_reducible(const Call& c, const std::string& reduction) {
    if (reduction != "none" && c.dtype(0) == kFloat16) c.refuse("ONNX Runtime scatters float16 without " + reduction);
}

Names scatter_elements(Call& c, const char* reduction) {
    require_reducible(c, reduction);
    return {c.node("ScatterElements", {c.in(0), element_indices(c), c.in(2)},
                   {{"axis", c.axis("axis", c.rank(0))}, {"reduction", std::string(reduction)}})};
}
Names scatter(Call& c) { return scatter_elements(c, "none"); }
Names scatter_add(Call& c) { return scatter_elements(c, "add"); }

/// Moves index vectors from the first axis, as in Relay, to the last, as in ONNX. Undoes the importer's own
/// transposition.
std::string index_vectors(Call& c) {
    ExprId indices = c.argument(1);
    auto moved = c.arguments_if(indices, "transpose");
    ExprId inner = moved.empty() ? unwrapped(c, indices) : unwrapped(c, moved[0]);
    if (inner.valid()) return c.cast(c.value_of(inner), c.dtype_of(inner), kInt64);
    std::vector<int64_t> order;
    for (int64_t i = 1; i < c.rank(1); ++i) order.push_back(i);
    order.push_back(0);
    return c.cast(c.transpose(c.in(1), order), c.dtype(1), kInt64);
}

Names gather_nd(Call& c) {
    int64_t batch = c.attributes().is_none("batch_dims") ? 0 : c.attributes().integers("batch_dims")[0];
    return {c.node("GatherND", {c.in(0), index_vectors(c)}, {{"batch_dims", batch}})};
}

Names scatter_nd(Call& c) {
    const std::string& mode = c.attributes().string("mode");
    if (mode == "min" || mode == "max") c.refuse("ONNX's operator set 17 has no mode " + mode);
    const std::string reduction = mode == "update" ? "none" : mode;
    require_reducible(c, reduction);
    return {c.node("ScatterND", {c.in(0), index_vectors(c), c.in(2)}, {{"reduction", reduction}})};
}

/// Returns the pair of which `reshape(strided_slice(pair, ...))` selects an element; invalid for other expressions.
ExprId pair_of(Call& c, ExprId element) {
    auto slice = c.arguments_if(element, "reshape");
    auto pair = slice.empty() ? slice : c.arguments_if(slice[0], "strided_slice");
    return !pair.empty() && c.shape_of(pair[0]) == std::vector<int64_t>{2} ? pair[0] : ExprId();
}

/// Returns one tensor with the values for off and on, as ONNX requires.
std::string off_and_on(Call& c) {
    ExprId pair = pair_of(c, c.argument(1));
    if (pair.valid() && pair == pair_of(c, c.argument(2)) && c.dtype_of(pair) == c.result_dtype())
        return c.value_of(pair);
    Names values;
    for (size_t i : {2, 1})
        values.push_back(
            c.node("Unsqueeze", {c.cast(c.in(i), c.dtype(i), c.result_dtype()), c.integers(std::vector<int64_t>{0})}));
    return c.node("Concat", values, {{"axis", int64_t(0)}});
}

Names one_hot(Call& c) {
    ExprId inner = unwrapped(c, c.argument(0));
    ExprId indices = inner.valid() ? inner : c.argument(0);
    std::string places = c.cast(c.value_of(indices), c.dtype_of(indices), kInt64);
    const int64_t depth = c.attributes().integer("depth");
    if (!inner.valid() && !all_inside(c.constant(0), depth)) {
        // Below zero Relay finds nothing, and ONNX counts from the end.
        const std::string below = c.binary("Less", places, c.scalar(0, kInt64));
        places = c.node("Where", {below, c.scalar(double(depth), kInt64), places});
    }
    const bool of_scalar = c.rank(0) == 0;  // ONNX wants an axis at least
    if (of_scalar) places = c.reshape(places, {1});
    const std::string result = c.node("OneHot", {places, c.scalar(double(depth), kInt64), off_and_on(c)},
                                      {{"axis", of_scalar ? -1 : c.attributes().integer("axis")}});
    return {of_scalar ? c.reshape(result, c.result_shape()) : result};
}

// --- order ------------------------------------------------------------------------------------------------------

/// Returns values and int64 indices of the first k along an axis.
Names ordered(Call& c, int64_t k, bool ascending) {
    int64_t axis = c.axis("axis", c.rank(0));
    if (k < 1) k = c.shape(0)[size_t(axis)];
    return c.nodes("TopK", {c.in(0), c.integers(std::vector<int64_t>{k})}, 2,
                   {{"axis", axis}, {"largest", int64_t(!ascending)}, {"sorted", int64_t(1)}});
}

DataType index_dtype(Call& c) {
    DataType dtype = c.attributes().dtype("dtype");
    return dtype.is_void() ? kInt32 : dtype;
}

Names topk(Call& c) {
    const AttributesView& a = c.attributes();
    Names both = ordered(c, a.integers("k").at(0), a.boolean("is_ascend"));
    const std::string& wanted = a.string("ret_type");
    if (wanted == "values") return {both[0]};
    both[1] = c.cast(both[1], kInt64, index_dtype(c));
    if (wanted == "indices") return {both[1]};
    return both;
}

Names sort(Call& c) { return {ordered(c, 0, c.attributes().boolean("is_ascend"))[0]}; }

Names argsort(Call& c) {
    return {c.cast(ordered(c, 0, c.attributes().boolean("is_ascend"))[1], kInt64, index_dtype(c))};
}

Names reverse_sequence(Call& c) {
    // ONNX itself refuses lengths above the axis, so an identity table that only checks them is dropped.
    ExprId lengths = c.argument(1);
    auto table = c.arguments_if(lengths, "take");
    const Tensor* possible = table.size() == 2 ? c.constant_of(table[0]) : nullptr;
    bool is_identity = possible && possible->rank() == 1;
    for (int64_t i = 0; is_identity && i < possible->size(); ++i) is_identity = possible->at(i) == double(i);
    if (is_identity) lengths = table[1];
    // ONNX has the batch and the sequence in the first two axes.
    const int64_t batch = c.axis("batch_axis", c.rank(0)), time = c.axis("seq_axis", c.rank(0));
    std::vector<int64_t> order, back;
    for (int64_t i = 0; i < c.rank(0); ++i) order.push_back(i);
    if (std::max(batch, time) > 1) {
        order = {time, batch};
        for (int64_t i = 0; i < c.rank(0); ++i)
            if (i != time && i != batch) order.push_back(i);
    }
    back.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) back[size_t(order[i])] = int64_t(i);
    const std::string y = c.node(
        "ReverseSequence", {c.transpose(c.in(0), order), c.cast(c.value_of(lengths), c.dtype_of(lengths), kInt64)},
        {{"batch_axis", back[size_t(batch)]}, {"time_axis", back[size_t(time)]}});
    return {c.transpose(y, back)};
}

// --- made tensors -----------------------------------------------------------------------------------------------

Names zeros(Call& c) { return {c.filled(c.result_shape(), 0, c.result_dtype())}; }
Names ones(Call& c) { return {c.filled(c.result_shape(), 1, c.result_dtype())}; }

Names full(Call& c) { return {broadcast(c, c.cast(c.in(0), c.dtype(0), c.result_dtype()), c.result_shape())}; }

Names full_like(Call& c) { return {broadcast(c, c.cast(c.in(1), c.dtype(1), c.result_dtype()), c.result_shape())}; }

Names arange(Call& c) {
    Names limits;
    DataType dtype = c.result_dtype();
    if (dtype == kFloat16 || dtype.bits < 16) c.refuse("ONNX has no range of " + dtype.to_string());
    // Attributes hold the known limits; the arguments are equal to them or unknown.
    const char* known[] = {"start", "stop", "step"};
    for (size_t i = 0; i < 3; ++i) {
        const AttributeValue& value = c.attributes()[known[i]];
        if (const Integer* integer = value.as_integer()) limits.push_back(c.scalar(double(integer->value), dtype));
        else if (const double* real = value.as_double()) limits.push_back(c.scalar(*real, dtype));
        else limits.push_back(c.cast(c.in(i), c.dtype(i), dtype));
    }
    return {c.node("Range", limits)};
}

Names shape_of(Call& c) {
    DataType dtype = index_dtype(c);
    return {c.cast(c.node("Shape", {c.in(0)}), kInt64, dtype)};
}

Names ndarray_size(Call& c) { return {c.cast(c.node("Size", {c.in(0)}), kInt64, index_dtype(c))}; }

Names trilu(Call& c) {
    return {c.node("Trilu", {c.in(0), c.cast(c.in(1), c.dtype(1), kInt64)},
                   {{"upper", int64_t(c.attributes().boolean("upper"))}})};
}

/// Returns the attributes of a foreign operator.
NodeAttributes foreign_attributes_of(Call& c) {
    NodeAttributes attributes;
    const AttributesView view = c.attributes();
    for_each_foreign_attribute(view, [&](const std::string& name, const AttributeValue* value) {
        const auto fault = [&] {
            c.refuse("the attribute " + name + " of " + view.string("op_type") + " was not kept");
        };
        if (!value) fault();
        std::vector<int64_t> integers;
        const AttributeValue::List* list = value->as_list();
        for (size_t i = 0; list && i < list->size() && (*list)[i].as_integer(); ++i)
            integers.push_back((*list)[i].as_integer()->value);
        if (list && !list->empty() && integers.size() == list->size()) attributes.push_back({name, integers});
        else if (value->as_integer()) attributes.push_back({name, value->as_integer()->value});
        else if (value->as_double()) attributes.push_back({name, *value->as_double()});
        else if (value->as_string()) attributes.push_back({name, *value->as_string()});
        else fault();
    });
    return attributes;
}

/// Restores a node from ONNX that Partita does not know.
Names opaque(Call& c) {
    const std::string what = c.attributes().string("op_type");
    if (c.attributes().string("domain") == onnx::kUnreadDomain)
        c.refuse("the values of an " + what + " of another type than numbers are not kept");
    TypeId type = c.module().type(c.expr());
    size_t results = c.module().types().is_tuple(type) ? c.module().types().parts(type).size() : 1;
    Names inputs;
    const std::vector<int64_t> absent = c.attributes().integers("absent");
    for (size_t i = 0; i < c.argument_count(); ++i) {
        while (std::find(absent.begin(), absent.end(), int64_t(inputs.size())) != absent.end()) inputs.emplace_back();
        inputs.push_back(c.in(i));
    }
    return c.nodes_as_given(c.attributes().string("op_type"), std::move(inputs), results, foreign_attributes_of(c),
                            c.attributes().string("domain"), c.attributes().integer("version"));
}

const CallWriterEntry kTensorCallWriters[] = {
    {"arange", arange},
    {"argsort", argsort},
    {"broadcast_to", broadcast_to},
    {"broadcast_to_like", broadcast_to},
    {"concatenate", concatenate},
    {"contrib_reverse_reshape", reshape},
    {"expand_dims", expand_dims},
    {"full", full},
    {"full_like", full_like},
    {"gather", gather},
    {"gather_nd", gather_nd},
    {"layout_transform", layout_transform},
    {"ndarray_size", ndarray_size},
    {"one_hot", one_hot},
    {"ones", ones},
    {"opaque", opaque},
    {"repeat", repeat},
    {"reshape", reshape},
    {"reshape_like", reshape},
    {"reverse", reverse},
    {"reverse_sequence", reverse_sequence},
    {"scatter", scatter},
    {"scatter_add", scatter_add},
    {"scatter_nd", scatter_nd},
    {"shape_of", shape_of},
    {"slice_like", slice_like},
    {"sort", sort},
    {"split", split},
    {"squeeze", squeeze},
    {"stack", stack},
    {"strided_slice", strided_slice},
    {"take", take},
    {"tile", tile},
    {"topk", topk},
    {"transpose", transpose},
    {"trilu", trilu},
    {"zeros", zeros},
};

}  // namespace

std::span<const CallWriterEntry> tensor_call_writers() { return kTensorCallWriters; }

}  // namespace partita::onnx_export
