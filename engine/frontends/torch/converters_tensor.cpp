// Views, slices, joins, indexing and what makes tensors, of ATen. Views are treated as copies: the graphs are
// functional.
#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/torch/call.h"

namespace partita::torch {

namespace {

using onnx::integer_attribute;

ExprId data_of(Call& c) {
    for (std::string_view name : {"self", "input", "tensor", "x", "src"})
        if (c.is_tensor(name)) return c.tensor(name);
    return c.tensor("self");
}

// --- shapes -----------------------------------------------------------------------------------------------------

/// The same elements in the shape of the result. (A view in another type does not convert.)
Exprs view(Call& c) { return {c.build.reshape(data_of(c), c.result_shape())}; }

ExprId permuted(Call& c, ExprId x, const Integers& axes) {
    Integers same(axes.size(), 0);
    std::iota(same.begin(), same.end(), 0);
    return axes == same ? x : c.build.transpose(x, axes);
}
Exprs permute(Call& c) {
    const ExprId x = data_of(c);
    Integers axes = c.integers("dims");
    const int64_t rank = c.build.rank(x);
    if (int64_t(axes.size()) != rank) throw Fault{"its dims don't fit its dimensions", {}};
    for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
    return {permuted(c, x, axes)};
}
Exprs swap_axes(Call& c, int64_t a, int64_t b, int64_t rank) {
    Integers axes(size_t(rank), 0);
    std::iota(axes.begin(), axes.end(), 0);
    if (rank > 1) std::swap(axes[size_t(a)], axes[size_t(b)]);
    return {permuted(c, data_of(c), axes)};
}
Exprs transpose(Call& c) {
    const int64_t rank = c.build.rank(data_of(c));
    return swap_axes(c, c.axis("dim0", 0, rank), c.axis("dim1", 1, rank), rank);
}
Exprs transpose_matrix(Call& c) {
    const int64_t rank = c.build.rank(data_of(c));
    return swap_axes(c, std::max<int64_t>(rank - 2, 0), std::max<int64_t>(rank - 1, 0), rank);
}

ExprId broadcast(Call& c, ExprId x, const Integers& shape) {
    if (c.build.shape(x) == shape) return x;
    return c.build.call("broadcast_to", {x}, {{"shape", integer_attribute(shape)}});
}
Exprs expand(Call& c) { return {broadcast(c, data_of(c), c.result_shape())}; }
Exprs repeat(Call& c) {
    ExprId x = data_of(c);
    const Integers times = c.integers(c.has("repeats") ? "repeats" : "dims");
    Integers shape = c.build.static_shape(x);
    if (shape.size() < times.size()) shape.insert(shape.begin(), times.size() - shape.size(), 1);
    x = c.build.reshape(x, shape);
    Integers all = times;
    all.insert(all.begin(), shape.size() - times.size(), 1);
    return {c.build.call("tile", {x}, {{"reps", integer_attribute(all)}})};
}
Exprs cast(Call& c) { return {c.build.cast(data_of(c), c.result_dtype())}; }

// --- parts and joins --------------------------------------------------------------------------------------------

Exprs slice(Call& c) {
    const ExprId x = data_of(c);
    const Integers shape = c.build.static_shape(x);
    const int64_t axis = c.axis("dim", 0, int64_t(shape.size())), extent = shape[size_t(axis)];
    const auto place = [&](std::string_view name, int64_t fallback) {
        const int64_t at = c.integer(name, fallback);
        return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent);
    };
    const int64_t begin = place("start", 0), end = std::max(begin, place("end", extent)), step = c.integer("step", 1);
    if (step < 1) throw Fault{"its step must be positive", {}};
    if (begin == 0 && end == extent && step == 1) return {x};
    return {c.build.call("strided_slice", {x},
                         {{"begin", integer_attribute(std::span(&begin, 1))},
                          {"end", integer_attribute(std::span(&end, 1))},
                          {"strides", integer_attribute(std::span(&step, 1))},
                          {"axes", integer_attribute(std::span(&axis, 1))}})};
}
Exprs narrow(Call& c) {
    const ExprId x = data_of(c);
    const int64_t axis = c.axis("dim", 0, c.build.rank(x)), begin = c.integer("start", 0);
    return {c.build.slice(x, axis, begin, begin + c.integer("length", 0))};
}
Exprs select(Call& c) {
    const ExprId x = data_of(c);
    const Integers shape = c.build.static_shape(x);
    const int64_t axis = c.axis("dim", 0, int64_t(shape.size())), extent = shape[size_t(axis)];
    int64_t at = c.integer("index", 0);
    at += at < 0 ? extent : 0;
    if (at < 0 || at >= extent) throw Fault{"its index is out of range", {}};
    return {c.build.reshape(c.build.slice(x, axis, at, at + 1), c.result_shape())};
}

/// Parts along an axis, as many and as long as the file says of the results.
Exprs split(Call& c) {
    const ExprId x = data_of(c);
    const int64_t axis = c.axis("dim", 0, c.build.rank(x));
    Integers sizes;
    for (size_t i = 0; i < c.result_count(); ++i) sizes.push_back(c.result_shape(i)[size_t(axis)]);
    if (sizes.size() == 1) return {x};
    return c.onnx("Split", {x, c.build.integers(sizes)}, {{"axis", axis}}, sizes.size());
}
Exprs unbind(Call& c) {
    const ExprId x = data_of(c);
    const int64_t axis = c.axis("dim", 0, c.build.rank(x));
    Exprs parts;
    for (size_t i = 0; i < c.result_count(); ++i)
        parts.push_back(c.build.reshape(c.build.slice(x, axis, int64_t(i), int64_t(i) + 1), c.result_shape(i)));
    return parts;
}
Exprs parts_to_join(Call& c) {
    Exprs parts;
    for (ExprId part : c.tensors("tensors")) {
        if (!part.valid()) throw Fault{"one of its tensors is missing", {}};
        // An empty vector is left out, as it always was.
        if (c.build.static_shape(part) != Integers{0} || c.result_shape().size() == 1)
            parts.push_back(c.build.cast(part, c.result_dtype()));
    }
    if (parts.empty()) throw Fault{"it joins nothing", {}};
    return parts;
}
Exprs concatenate(Call& c) {
    const Exprs parts = parts_to_join(c);
    return {c.build.concatenate(parts, c.axis("dim", 0, c.build.rank(parts[0])))};
}
Exprs stack(Call& c) {
    const Exprs parts = parts_to_join(c);
    return {
        c.build.call("stack", {c.build.tuple(parts)}, {{"axis", int(c.axis("dim", 0, c.build.rank(parts[0]) + 1))}})};
}

Exprs flip(Call& c) {
    ExprId x = data_of(c);
    const int64_t rank = c.build.rank(x);
    for (int64_t axis : c.integers("dims"))
        x = c.build.call("reverse", {x}, {{"axis", int(axis < 0 ? axis + rank : axis)}});
    return {x};
}
Exprs roll(Call& c) {
    ExprId x = data_of(c);
    const Integers shape = c.build.static_shape(x), shifts = c.integers("shifts"), dims = c.integers("dims");
    const bool flat = dims.empty();
    if (flat) x = c.build.reshape(x, Integers{element_count(shape).value_or(0)});
    for (size_t i = 0; i < shifts.size(); ++i) {
        const int64_t rank = c.build.rank(x), axis = flat ? 0 : dims[i] < 0 ? dims[i] + rank : dims[i];
        const int64_t extent = c.build.static_shape(x)[size_t(axis)];
        const int64_t shift = extent ? (shifts[i] % extent + extent) % extent : 0;
        if (shift == 0) continue;
        const ExprId sides[] = {c.build.slice(x, axis, extent - shift, extent),
                                c.build.slice(x, axis, 0, extent - shift)};
        x = c.build.concatenate(sides, axis);
    }
    return {c.build.reshape(x, shape)};
}

/// Pads, the last dimension first: all begins, then all ends, as ONNX has them. Negative ones cut.
Exprs padded(Call& c, std::string_view mode) {
    const ExprId x = data_of(c);
    const Integers given = c.integers(c.has("pad") ? "pad" : "padding");
    const size_t rank = size_t(c.build.rank(x));
    if (given.size() % 2 || given.size() > 2 * rank) throw Fault{"its pads don't fit its dimensions", {}};
    Integers pads(2 * rank, 0);
    for (size_t i = 0; i < given.size() / 2; ++i) {
        pads[rank - 1 - i] = given[2 * i];
        pads[2 * rank - 1 - i] = given[2 * i + 1];
    }
    const ExprId value = c.build.real(c.real("value", 0), c.build.dtype(x));
    return c.onnx("Pad", {x, c.build.integers(pads), value}, {{"mode", mode}});
}
Exprs pad(Call& c) { return padded(c, "constant"); }
Exprs reflected(Call& c) { return padded(c, "reflect"); }
Exprs replicated(Call& c) { return padded(c, "edge"); }

// --- indexing ---------------------------------------------------------------------------------------------------

Exprs embedding(Call& c) { return c.onnx("Gather", {c.tensor("weight"), c.tensor("indices")}, {{"axis", int64_t(0)}}); }
Exprs index_select(Call& c) {
    const ExprId x = data_of(c);
    return c.onnx("Gather", {x, c.tensor("index")}, {{"axis", c.axis("dim", 0, c.build.rank(x))}});
}
Exprs gather(Call& c) {
    const ExprId x = data_of(c);
    return c.onnx("GatherElements", {x, c.tensor("index")}, {{"axis", c.axis("dim", 0, c.build.rank(x))}});
}
Exprs scatter(Call& c) {
    const ExprId x = data_of(c), index = c.tensor("index");
    const ExprId updates = c.is_tensor("src")
                               ? c.tensor("src")
                               : broadcast(c, c.operand("value", c.build.dtype(x)), c.build.static_shape(index));
    return c.onnx("ScatterElements", {x, index, updates}, {{"axis", c.axis("dim", 0, c.build.rank(x))}});
}
Exprs scatter_add(Call& c) {
    const ExprId x = c.tensor("self");
    return c.onnx("ScatterElements", {x, c.tensor("index"), c.tensor("src")},
                  {{"axis", c.axis("dim", 0, c.build.rank(x))}, {"reduction", std::string_view("add")}});
}

/// Indices for some axes, each of which broadcasts with the others.
struct Indices {
    Integers axes, shape;  ///< which axes, and what they broadcast to
    Exprs tensors;
};
Indices indices_of(Call& c) {
    Indices all;
    const Exprs given = c.tensors("indices");
    for (size_t axis = 0; axis < given.size(); ++axis) {
        if (!given[axis].valid()) continue;
        if (!c.build.dtype(given[axis]).is_integer() || c.build.dtype(given[axis]).is_bool())
            throw Fault{"indices by a mask are not supported: their number is known in a run only", {}};
        const Integers shape = c.build.static_shape(given[axis]);
        if (shape.size() > all.shape.size()) all.shape.insert(all.shape.begin(), shape.size() - all.shape.size(), 1);
        for (size_t i = 0; i < shape.size(); ++i) {
            int64_t& extent = all.shape[all.shape.size() - shape.size() + i];
            if (extent == 1) extent = shape[i];
        }
        all.axes.push_back(int64_t(axis));
        all.tensors.push_back(c.build.cast(given[axis], kInt64));
    }
    if (all.axes.empty()) throw Fault{"it has no indices", {}};
    return all;
}
/// One tensor of places, [shape..., number of axes], for GatherND and ScatterND over the first axes.
ExprId places_of(Call& c, const Indices& indices) {
    Integers apart = indices.shape;
    apart.push_back(1);
    Exprs parts;
    for (ExprId index : indices.tensors) parts.push_back(c.build.reshape(broadcast(c, index, indices.shape), apart));
    return c.build.concatenate(parts, int64_t(apart.size()) - 1);
}
/// The order of axes in which the indexed ones are in front.
Integers indexed_first(const Integers& axes, int64_t rank) {
    Integers order = axes;
    for (int64_t axis = 0; axis < rank; ++axis)
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) order.push_back(axis);
    return order;
}

Exprs index(Call& c) {
    const ExprId x = c.tensor("self");
    const Indices indices = indices_of(c);
    if (indices.axes.size() == 1) return c.onnx("Gather", {x, indices.tensors[0]}, {{"axis", indices.axes[0]}});
    const int64_t rank = c.build.rank(x), count = int64_t(indices.axes.size()), first = indices.axes[0];
    const ExprId y = c.one("GatherND", {permuted(c, x, indexed_first(indices.axes, rank)), places_of(c, indices)});
    // What stands side by side stays in its place, else it goes first.
    if (first == 0 || indices.axes.back() - first != count - 1) return {y};
    const int64_t made = int64_t(indices.shape.size());
    Integers order;
    for (int64_t i = 0; i < first; ++i) order.push_back(made + i);
    for (int64_t i = 0; i < made; ++i) order.push_back(i);
    for (int64_t i = made + first; i < c.build.rank(y); ++i) order.push_back(i);
    return {permuted(c, y, order)};
}
Exprs index_put(Call& c) {
    const ExprId x = c.tensor("self");
    const Indices indices = indices_of(c);
    const Integers shape = c.build.static_shape(x);
    const int64_t count = int64_t(indices.axes.size());
    for (int64_t i = 0; i < count; ++i)
        if (indices.axes[size_t(i)] != i) throw Fault{"only indices of the first axes are supported", {}};
    Integers wanted = indices.shape;
    for (size_t i = size_t(count); i < shape.size(); ++i) wanted.push_back(shape[i]);
    const ExprId values = broadcast(c, c.operand("values", c.build.dtype(x)), wanted);
    const std::string_view reduction = c.flag("accumulate", false) ? "add" : "none";
    return c.onnx("ScatterND", {x, places_of(c, indices), values}, {{"reduction", reduction}});
}

/// Puts `src` where a slice, or one place of an axis, was.
Exprs scattered(Call& c, int64_t axis, int64_t begin, int64_t end, int64_t step) {
    const ExprId x = c.tensor("self");
    const Integers shape = c.build.static_shape(x);
    Integers places, along(shape.size(), 1), part = shape;
    for (int64_t i = begin; i < end; i += step) places.push_back(i);
    along[size_t(axis)] = part[size_t(axis)] = int64_t(places.size());
    if (places.empty()) return {x};
    const ExprId index = broadcast(c, c.build.reshape(c.build.integers(places), along), part);
    return c.onnx("ScatterElements", {x, index, c.build.reshape(c.tensor("src"), part)}, {{"axis", axis}});
}
Exprs slice_scatter(Call& c) {
    const Integers shape = c.build.static_shape(c.tensor("self"));
    const int64_t axis = c.axis("dim", 0, int64_t(shape.size())), extent = shape[size_t(axis)];
    const auto place = [&](std::string_view name, int64_t fallback) {
        const int64_t at = c.integer(name, fallback);
        return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent);
    };
    return scattered(c, axis, place("start", 0), place("end", extent), std::max<int64_t>(c.integer("step", 1), 1));
}
Exprs select_scatter(Call& c) {
    const Integers shape = c.build.static_shape(c.tensor("self"));
    const int64_t axis = c.axis("dim", 0, int64_t(shape.size()));
    int64_t at = c.integer("index", 0);
    at += at < 0 ? shape[size_t(axis)] : 0;
    return scattered(c, axis, at, at + 1, 1);
}

// --- made of nothing --------------------------------------------------------------------------------------------

ExprId filled(Call& c, double value) { return c.filled(value, c.result_dtype(), c.result_shape()); }
Exprs full(Call& c) {
    if (c.is_tensor("fill_value")) return {broadcast(c, c.operand("fill_value", c.result_dtype()), c.result_shape())};
    return {filled(c, c.real("fill_value", 0))};
}
Exprs zeros(Call& c) { return {filled(c, 0)}; }
Exprs ones(Call& c) { return {filled(c, 1)}; }
Exprs fill(Call& c) { return {broadcast(c, c.operand("value", c.result_dtype()), c.result_shape())}; }
Exprs scalar_tensor(Call& c) { return {c.operand("s", c.result_dtype())}; }
Exprs arange(Call& c) {
    const DataType dtype = c.result_dtype();
    const Integers shape = c.result_shape();
    if (shape.size() != 1 || !c.build.may_hold(dtype, shape)) throw Fault{"its result is too large", {}};
    const double start = c.real("start", 0), step = c.real("step", 1);
    Tensor numbers(dtype, shape);
    for (int64_t i = 0; i < shape[0]; ++i) numbers.set(i, start + double(i) * step);
    return {c.build.constant(std::move(numbers))};
}
Exprs triangle(Call& c, bool upper) {
    return c.onnx("Trilu", {data_of(c), c.build.constant(c.integer("diagonal", 0), kInt64)},
                  {{"upper", int64_t(upper)}});
}
Exprs lower_triangle(Call& c) { return triangle(c, false); }
Exprs upper_triangle(Call& c) { return triangle(c, true); }

const ConverterEntry kTensorConverters[] = {
    {"aten._to_copy", cast},
    {"aten._unsafe_view", view},
    {"aten.arange", arange},
    {"aten.cat", concatenate},
    {"aten.chunk", split},
    {"aten.concat", concatenate},
    {"aten.constant_pad_nd", pad},
    {"aten.dropout", cast},
    {"aten.embedding", embedding},
    {"aten.empty", zeros},
    {"aten.expand", expand},
    {"aten.expand_as", expand},
    {"aten.feature_dropout", cast},
    {"aten.fill", fill},
    {"aten.flatten", view},
    {"aten.flip", flip},
    {"aten.full", full},
    {"aten.full_like", full},
    {"aten.gather", gather},
    {"aten.index", index},
    {"aten.index_put", index_put},
    {"aten.index_select", index_select},
    {"aten.lift_fresh_copy", cast},
    {"aten.narrow", narrow},
    {"aten.new_full", full},
    {"aten.new_ones", ones},
    {"aten.new_zeros", zeros},
    {"aten.numpy_T", transpose_matrix},
    {"aten.ones", ones},
    {"aten.ones_like", ones},
    {"aten.permute", permute},
    {"aten.reflection_pad1d", reflected},
    {"aten.reflection_pad2d", reflected},
    {"aten.reflection_pad3d", reflected},
    {"aten.repeat", repeat},
    {"aten.replication_pad1d", replicated},
    {"aten.replication_pad2d", replicated},
    {"aten.replication_pad3d", replicated},
    {"aten.reshape", view},
    {"aten.roll", roll},
    {"aten.scalar_tensor", scalar_tensor},
    {"aten.scatter.src", scatter},
    {"aten.scatter.value", scatter},
    {"aten.scatter_add", scatter_add},
    {"aten.select", select},
    {"aten.select_scatter", select_scatter},
    {"aten.slice", slice},
    {"aten.slice_scatter", slice_scatter},
    {"aten.split", split},
    {"aten.split_with_sizes", split},
    {"aten.squeeze", view},
    {"aten.stack", stack},
    {"aten.t", transpose_matrix},
    {"aten.tensor_split", split},
    {"aten.tile", repeat},
    {"aten.to", cast},
    {"aten.transpose", transpose},
    {"aten.tril", lower_triangle},
    {"aten.triu", upper_triangle},
    {"aten.type_as", cast},
    {"aten.unbind", unbind},
    {"aten.unflatten", view},
    {"aten.unsqueeze", view},
    {"aten.view", view},
    {"aten.view_as", view},
    {"aten.zeros", zeros},
    {"aten.zeros_like", zeros},
    {"dim_order_ops._empty_dim_order", zeros},
    {"dim_order_ops._to_dim_order_copy", cast},
};

}  // namespace

std::span<const ConverterEntry> tensor_converters() { return kTensorConverters; }

}  // namespace partita::torch
