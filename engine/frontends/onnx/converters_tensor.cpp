// Shapes, indexing and rearranging.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

Exprs shape_of(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    int64_t rank = int64_t(shape.size());
    auto clamp = [&](int64_t value) { return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank); };
    int64_t begin = clamp(n.integer("start", 0)), end = clamp(n.integer("end", rank));
    if (begin >= end) return {n.build.integers({})};
    return {n.build.integers(std::span(shape).subspan(size_t(begin), size_t(end - begin)))};
}

Exprs size_of(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    return {n.build.constant(element_count(shape).value_or(0), kInt64)};
}

Exprs constant(NodeContext& n) {
    if (n.has_attribute("value")) return {n.build.constant(n.tensor("value"))};
    if (n.has_attribute("value_float")) return {n.build.real(n.real("value_float", 0), kFloat32)};
    if (n.has_attribute("value_int")) return {n.build.constant(n.integer("value_int", 0), kInt64)};
    if (n.has_attribute("value_ints")) return {n.build.integers(n.integers("value_ints"))};
    if (n.has_attribute("value_floats")) {
        std::vector<double> values = n.reals("value_floats");
        Tensor tensor(kFloat32, {int64_t(values.size())});
        for (size_t i = 0; i < values.size(); ++i) tensor.data<float>()[i] = float(values[i]);
        return {n.build.constant(std::move(tensor))};
    }
    throw Fault{"a constant of this kind (string or sparse) is not supported", {}};
}

Tensor filled(NodeContext& n, DataType dtype, Integers shape, double value) {
    if (!n.build.may_hold(dtype, shape))
        throw Fault{"a constant of shape " + shape_to_string(shape) + " is too large, or one too many", {}};
    Tensor tensor(dtype, std::move(shape));
    if (dtype == kFloat32) std::fill_n(tensor.data<float>(), tensor.size(), float(value));
    else if (value != 0)
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, value);
    return tensor;
}

Exprs constant_of_shape(NodeContext& n) {
    Tensor value = n.has_attribute("value") ? n.tensor("value") : Tensor(kFloat32, {1});
    if (value.size() != 1) throw Fault{"the value must be one element", {}};
    Tensor tensor = filled(n, value.dtype(), n.known_integers(0), 0);
    const size_t bytes = size_t(value.byte_size());
    for (size_t at = 0; at < tensor.byte_size(); at += bytes)
        std::memcpy(static_cast<char*>(tensor.bytes()) + at, value.bytes(), bytes);
    return {n.build.constant(std::move(tensor))};
}

Exprs eye_like(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    if (shape.size() != 2) throw Fault{"the input must be a matrix", {}};
    DataType dtype =
        n.has_attribute("dtype") ? data_type_of(int32_t(n.integer("dtype", 1))) : n.build.dtype(n.input(0));
    if (dtype.is_void()) throw Fault{"the element type is not supported", {}};
    Tensor tensor = filled(n, dtype, shape, 0);
    int64_t k = std::clamp(n.integer("k", 0), -shape[0], shape[1]);
    for (int64_t row = 0; row < shape[0]; ++row)
        if (row + k >= 0 && row + k < shape[1]) tensor.set(row * shape[1] + row + k, 1);
    return {n.build.constant(std::move(tensor))};
}

/// Returns how many numbers go from start to before limit.
double range_count(int64_t start, int64_t limit, int64_t delta) {
    if (delta > 0 ? start >= limit : start <= limit) return 0;
    const uint64_t distance = delta > 0 ? uint64_t(limit) - uint64_t(start) : uint64_t(start) - uint64_t(limit);
    const uint64_t step = delta > 0 ? uint64_t(delta) : -uint64_t(delta);
    return double((distance - 1) / step + 1);
}

Exprs range(NodeContext& n) {
    const Tensor &start = n.known(0), &limit = n.known(1), &delta = n.known(2);
    if (start.size() != 1 || limit.size() != 1 || delta.size() != 1 || delta.at(0) == 0)
        throw Fault{"start, limit or delta is malformed", {}};
    const bool exact = start.dtype() == kInt64 && limit.dtype() == kInt64 && delta.dtype() == kInt64;
    const double count = exact ? range_count(*start.data<int64_t>(), *limit.data<int64_t>(), *delta.data<int64_t>())
                               : std::ceil((limit.at(0) - start.at(0)) / delta.at(0));
    const int64_t length = count < 0x1p40 ? int64_t(std::max(count, 0.0)) : -1;
    if (!n.build.may_hold(start.dtype(), std::span(&length, 1))) throw Fault{"the range is too long", {}};
    Tensor tensor(start.dtype(), {length});
    for (int64_t i = 0; i < tensor.size(); ++i) {
        if (exact) tensor.data<int64_t>()[i] = *start.data<int64_t>() + i * *delta.data<int64_t>();
        else tensor.set(i, start.at(0) + double(i) * delta.at(0));
    }
    return {n.build.constant(std::move(tensor))};
}

Exprs reshape(NodeContext& n) {
    Integers wanted = n.known_integers(1), shape = n.build.static_shape(n.input(0));
    bool zero_is_zero = n.integer("allowzero", 0);
    int64_t known = 1, inferred = -1;
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == 0 && !zero_is_zero) {
            if (i >= shape.size()) throw Fault{"a 0 in the shape names a dimension that the data does not have", {}};
            wanted[i] = shape[i];
        }
        if (wanted[i] == -1 && inferred < 0) inferred = int64_t(i);
        else if (wanted[i] < 0) throw Fault{"the shape has a negative dimension", {}};
        else if (__builtin_mul_overflow(known, wanted[i], &known)) throw Fault{"the shape is too large", {}};
    }
    int64_t count = element_count(shape).value_or(0);
    if (inferred >= 0) {
        if (known == 0 || count % known) throw Fault{"the -1 in the shape can't be filled in", {}};
        wanted[size_t(inferred)] = count / known;
    } else if (known != count) {
        throw Fault{"a tensor of shape " + shape_to_string(shape) + " can't be reshaped to " + shape_to_string(wanted),
                    {}};
    }
    return {n.build.reshape(n.input(0), wanted)};
}

Exprs transpose(NodeContext& n) {
    const int64_t rank = n.build.rank(n.input(0));
    Integers reversed(static_cast<size_t>(rank));
    for (int64_t i = 0; i < rank; ++i) reversed[size_t(i)] = rank - 1 - i;
    const Integers axes = n.integers("perm", reversed);
    if (rank < 2 && axes == reversed) return {n.input(0)};
    return {n.build.transpose(n.input(0), axes)};
}

Exprs concat(NodeContext& n) {
    Exprs parts;
    for (size_t i = 0; i < n.input_count(); ++i) {
        // Shape arithmetic contains empty parts of rank 1.
        Integers shape = n.build.shape(n.input(i));
        if (n.input_count() == 1 || shape.size() != 1 || shape[0] != 0) parts.push_back(n.input(i));
    }
    if (parts.empty()) return {n.input(0)};
    return {n.build.concatenate(parts, n.axis(n.integer("axis", 0), n.build.rank(parts[0])))};
}

Exprs split(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    int64_t axis = n.axis(n.integer("axis", 0), int64_t(shape.size())), extent = shape[size_t(axis)];
    Integers sizes = n.integers("split");
    if (n.opset() >= 13 && n.has(1)) sizes = n.known_integers(1);
    int64_t parts = n.integer("num_outputs", int64_t(n.output_count()));
    if (sizes.empty()) {
        if (parts < 1 || parts > int64_t(std::max<size_t>(n.output_count(), 1)))
            throw Fault{"num_outputs does not fit the node's " + std::to_string(n.output_count()) + " outputs", {}};
        int64_t size = (extent + parts - 1) / std::max<int64_t>(parts, 1);
        for (int64_t begin = 0; int64_t(sizes.size()) < parts; begin += size)
            sizes.push_back(std::clamp<int64_t>(extent - begin, 0, size));
    }
    Integers boundaries;
    int64_t at = 0;
    bool empty_part = false;
    for (int64_t size : sizes) {
        if (size < 0 || size > extent - at) throw Fault{"the parts do not fit the axis", {}};
        at += size;
        empty_part = empty_part || size == 0;
        boundaries.push_back(at);
    }
    if (at != extent) throw Fault{"the parts do not fill the axis", {}};
    boundaries.pop_back();
    Exprs outputs;
    if (empty_part || boundaries.empty()) {
        for (size_t i = 0; i < sizes.size(); ++i)
            outputs.push_back(
                n.build.slice(x, axis, i ? boundaries[i - 1] : 0, i < boundaries.size() ? boundaries[i] : extent));
        return outputs;
    }
    ExprId tuple =
        n.build.call("split", {x}, {{"indices_or_sections", integer_attribute(boundaries)}, {"axis", int(axis)}});
    for (size_t i = 0; i < sizes.size(); ++i) outputs.push_back(n.build.projection(tuple, uint32_t(i)));
    return outputs;
}

Exprs slice(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x), begins, ends, axes, steps;
    if (n.opset() < 10) {
        begins = n.integers("starts");
        ends = n.integers("ends");
        axes = n.integers("axes");
    } else {
        begins = n.known_integers(1);
        ends = n.known_integers(2);
        if (n.has(3)) axes = n.known_integers(3);
        if (n.has(4)) steps = n.known_integers(4);
    }
    if (axes.empty())
        for (size_t i = 0; i < begins.size(); ++i) axes.push_back(int64_t(i));
    if (steps.empty()) steps.assign(begins.size(), 1);
    if (begins.size() != ends.size() || axes.size() != begins.size() || steps.size() != begins.size())
        throw Fault{"starts, ends, axes and steps differ in length", {}};
    for (size_t i = 0; i < axes.size(); ++i) {
        axes[i] = n.axis(axes[i], int64_t(shape.size()));
        int64_t extent = shape[size_t(axes[i])], step = steps[i];
        if (step == 0) throw Fault{"a step is 0", {}};
        auto from_front = [&](int64_t value) { return value < 0 ? std::max(value, -1 - extent) + extent : value; };
        // A begin before the first element means the first one in both directions, unlike NumPy.
        begins[i] = std::max<int64_t>(0, std::min(from_front(begins[i]), step > 0 ? extent : extent - 1));
        ends[i] = std::clamp<int64_t>(from_front(ends[i]), step > 0 ? 0 : -1, extent);
        if (step > 0) ends[i] = std::max(begins[i], ends[i]);
        else ends[i] = std::min(begins[i], ends[i]);
        // Counted from the end, -1 - extent means "before the first element".
        if (step < 0 && ends[i] == -1) ends[i] = -1 - extent;
    }
    return {n.build.call("strided_slice", {x},
                         {{"begin", integer_attribute(begins)},
                          {"end", integer_attribute(ends)},
                          {"strides", integer_attribute(steps)},
                          {"axes", integer_attribute(axes)}})};
}

Integers axes_of(NodeContext& n, int64_t rank) {
    Integers axes = n.opset() >= 13 ? (n.has(1) ? n.known_integers(1) : Integers()) : n.integers("axes");
    for (int64_t& axis : axes) axis = n.axis(axis, rank);
    std::sort(axes.begin(), axes.end());
    return axes;
}

Exprs squeeze(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0)), axes = axes_of(n, int64_t(shape.size())), rest;
    for (size_t i = 0; i < shape.size(); ++i) {
        bool named = std::binary_search(axes.begin(), axes.end(), int64_t(i));
        if (named && shape[i] != 1) throw Fault{"the axis " + std::to_string(i) + " is not of extent 1", {}};
        if (!(named || (axes.empty() && shape[i] == 1))) rest.push_back(shape[i]);
    }
    return {n.build.reshape(n.input(0), rest)};
}

Exprs unsqueeze(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    size_t added = n.opset() >= 13 ? n.known_integers(1).size() : n.integers("axes").size();
    const Integers axes = axes_of(n, int64_t(shape.size() + added));  // ascending
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) throw Fault{"an axis is repeated", {}};
    for (int64_t axis : axes) {
        shape.insert(shape.begin() + axis, 1);
    }
    return {n.build.reshape(n.input(0), shape)};
}

Exprs expand(NodeContext& n) {
    Integers wanted = n.known_integers(1), shape = n.build.static_shape(n.input(0));
    size_t rank = std::max(wanted.size(), shape.size());
    wanted.insert(wanted.begin(), rank - wanted.size(), 1);
    for (size_t i = 0; i < shape.size(); ++i) {
        int64_t& extent = wanted[rank - shape.size() + i];
        if (extent == 1) extent = shape[i];
    }
    return {n.build.call("broadcast_to", {n.input(0)}, {{"shape", integer_attribute(wanted)}})};
}

Exprs tile(NodeContext& n) {
    Integers times = n.known_integers(1), shape = n.build.static_shape(n.input(0));
    if (times.size() != shape.size()) throw Fault{"there must be a number of repeats for each dimension", {}};
    if (std::find(times.begin(), times.end(), 0) == times.end())
        return {n.build.call("tile", {n.input(0)}, {{"reps", integer_attribute(times)}})};
    // Relay's tile repeats at least once.
    for (size_t i = 0; i < shape.size(); ++i)
        if (times[i] < 0 || __builtin_mul_overflow(shape[i], times[i], &shape[i]))
            throw Fault{"the repeats are invalid", {}};
    return {n.build.constant(filled(n, n.build.dtype(n.input(0)), shape, 0))};
}

Exprs gather(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    int64_t axis = n.axis(n.integer("axis", 0), int64_t(shape.size()));
    ExprId indices = wrapped_indices(n.build, n.input(1), shape[size_t(axis)]);
    // Relay's default mode clamps an index out of range; "fast" refuses it.
    const Tensor* known = n.build.value(indices);
    bool inside = known != nullptr;
    for (int64_t i = 0; inside && i < known->size(); ++i)
        inside = known->at(i) >= 0 && known->at(i) < double(shape[size_t(axis)]);
    return {n.build.call("take", {x, indices}, {{"axis", int(axis)}, {"mode", inside ? "clip" : "fast"}})};
}

/// Gathers elements. Indices may be fewer than the data along the other axes; they then refer to the data's first
/// elements.
Exprs gather_elements(NodeContext& n) {
    ExprId x = n.input(0);
    const Integers shape = n.build.static_shape(x), wanted = n.build.static_shape(n.input(1));
    int64_t axis = n.axis(n.integer("axis", 0), int64_t(shape.size()));
    for (size_t i = 0; i < shape.size() && wanted.size() == shape.size(); ++i)
        if (int64_t(i) != axis && wanted[i] < shape[i]) x = n.build.slice(x, int64_t(i), 0, wanted[i]);
    return {n.build.call("gather", {x, once_wrapped_indices(n.build, n.input(1), {shape[size_t(axis)]})},
                         {{"axis", int(axis)}})};
}

/// Moves index vectors from the last axis, as in ONNX, to the first, as in Relay.
ExprId index_vectors_first(NodeContext& n, ExprId indices) {
    Integers axes{n.build.rank(indices) - 1};
    for (int64_t i = 0; i + 1 < n.build.rank(indices); ++i) axes.push_back(i);
    return axes.size() > 1 ? n.build.transpose(indices, axes) : indices;
}

/// Wraps negative entries of index vectors around the leading axes of `shape`.
ExprId wrapped_index_vectors(NodeContext& n, ExprId indices, const Integers& shape, size_t first_axis) {
    Integers index_shape = n.build.static_shape(indices);
    if (index_shape.empty() || size_t(index_shape.back()) + first_axis > shape.size())
        throw Fault{"the index vectors are too long", {}};
    Integers extents(shape.begin() + int64_t(first_axis), shape.begin() + int64_t(first_axis) + index_shape.back());
    return once_wrapped_indices(n.build, indices, extents);
}

Exprs gather_nd(NodeContext& n) {
    int64_t batch = n.integer("batch_dims", 0);
    ExprId indices =
        wrapped_index_vectors(n, n.input(1), n.build.static_shape(n.input(0)), size_t(std::max<int64_t>(batch, 0)));
    return {n.build.call("gather_nd", {n.input(0), index_vectors_first(n, indices)}, {{"batch_dims", int(batch)}})};
}

/// For each element of `indices` all its coordinates, along a first axis: its own, but along `axis` its value.
ExprId all_coordinates(NodeContext& n, ExprId indices, int64_t axis) {
    const Integers shape = n.build.static_shape(indices);
    Exprs coordinates;
    for (int64_t i = 0; i < int64_t(shape.size()); ++i) {
        if (i == axis) {
            coordinates.push_back(n.build.cast(indices, kInt64));
            continue;
        }
        Integers along(shape.size(), 1);
        along[size_t(i)] = shape[size_t(i)];
        coordinates.push_back(n.build.call("broadcast_to", {n.build.reshape(counted(n.build, shape[size_t(i)]), along)},
                                           {{"shape", integer_attribute(shape)}}));
    }
    return n.build.call("stack", {n.build.tuple(coordinates)}, {{"axis", 0}});
}

Exprs scatter_elements(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    int64_t axis = n.axis(n.integer("axis", 0), int64_t(shape.size()));
    ExprId indices = once_wrapped_indices(n.build, n.input(1), {shape[size_t(axis)]});
    std::string reduction = n.choice("reduction", {"none", "add", "mul", "min", "max"});
    if (reduction == "none") return {n.build.call("scatter", {x, indices, n.input(2)}, {{"axis", int(axis)}})};
    if (reduction == "add") return {n.build.call("scatter_add", {x, indices, n.input(2)}, {{"axis", int(axis)}})};
    return {n.build.call("scatter_nd", {x, all_coordinates(n, indices, axis), n.input(2)}, {{"mode", reduction}})};
}

Exprs scatter_nd(NodeContext& n) {
    std::string reduction = n.choice("reduction", {"none", "add", "mul", "min", "max"});
    const bool sets = reduction == "none";
    ExprId indices = wrapped_index_vectors(n, n.input(1), n.build.static_shape(n.input(0)), 0);
    return {n.build.call("scatter_nd", {n.input(0), index_vectors_first(n, indices), n.input(2)},
                         {{"mode", sets ? std::string("update") : reduction}})};
}

Exprs one_hot(NodeContext& n) {
    const double depth = n.known_number(1);
    if (!(depth >= 1 && depth < double(1 << 30))) throw Fault{"the depth must be one positive number", {}};
    int64_t extent = int64_t(depth), rank = n.build.rank(n.input(0));
    ExprId indices = wrapped_indices(n.build, n.build.cast(n.input(0), kInt64), extent), values = n.input(2);
    DataType dtype = n.build.dtype(values);
    ExprId off = n.build.reshape(n.build.slice(values, 0, 0, 1), {}),
           on = n.build.reshape(n.build.slice(values, 0, 1, 2), {});
    return {n.build.call(
        "one_hot", {indices, on, off},
        {{"depth", int(extent)}, {"axis", int(n.axis(n.integer("axis", -1), rank + 1))}, {"dtype", dtype}})};
}

Exprs top_k(NodeContext& n) {
    ExprId x = n.input(0);
    int64_t k = n.opset() >= 10 ? n.known_integer(1) : n.integer("k", 1);
    int64_t axis = n.axis(n.integer("axis", -1), n.build.rank(x));
    if (k < 0 || k > n.build.static_shape(x)[size_t(axis)]) throw Fault{"k is out of range", {}};
    if (k == 0) {  // of topk it means all
        const ExprId none = n.build.slice(x, axis, 0, 0);
        return {none, n.build.cast(none, kInt64)};
    }
    ExprId pair = n.build.call("topk", {x},
                               {{"k", int(k)},
                                {"axis", int(axis)},
                                {"ret_type", "both"},
                                {"is_ascend", n.integer("largest", 1) == 0},
                                {"dtype", kInt64}});
    return {n.build.projection(pair, 0), n.build.projection(pair, 1)};
}

Exprs triangle(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    if (shape.size() < 2) throw Fault{"the input must be a matrix or a stack of them", {}};
    int64_t k = n.has(1) ? n.known_integer(1) : 0, rows = shape[shape.size() - 2], columns = shape.back();
    bool upper = n.integer("upper", 1);
    Tensor mask = filled(n, kBool, {rows, columns}, 0);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) mask.data<uint8_t>()[i * columns + j] = upper ? j - i >= k : j - i <= k;
    return {n.build.call("where", {n.build.constant(std::move(mask)), x, like(n, x, 0)})};
}

Exprs reverse_sequence(NodeContext& n) {
    ExprId x = n.input(0), lengths = n.input(1);
    int64_t rank = n.build.rank(x), time = n.axis(n.integer("time_axis", 0), rank),
            batch = n.axis(n.integer("batch_axis", 1), rank);
    // Relay clamps a length above the axis. A lookup in a table of valid lengths refuses it instead.
    const ExprId possible = counted(n.build, n.build.static_shape(x)[size_t(time)] + 1);
    lengths = n.build.call("take", {possible, lengths}, {{"axis", 0}, {"mode", "fast"}});
    return {n.build.call("reverse_sequence", {x, lengths}, {{"seq_axis", int(time)}, {"batch_axis", int(batch)}})};
}

/// Converts Compress. The condition must be known, because the shape of the result depends on it.
Exprs compress(NodeContext& n) {
    const Tensor& condition = n.known(1);
    ExprId x = n.input(0);
    int64_t axis = 0;
    if (n.has_attribute("axis")) {
        axis = n.axis(n.integer("axis", 0), n.build.rank(x));
    } else {
        const int64_t flat[] = {element_count(n.build.static_shape(x)).value_or(0)};
        x = n.build.reshape(x, flat);
    }
    Integers kept;
    int64_t extent = n.build.static_shape(x)[size_t(axis)];
    for (int64_t i = 0; i < std::min(condition.size(), extent); ++i)
        if (condition.at(i) != 0) kept.push_back(i);
    return {n.build.call("take", {x, n.build.integers(kept)}, {{"axis", int(axis)}})};
}

Exprs non_zero(NodeContext& n) {
    const Tensor& x = n.known(0);
    std::vector<Integers> found(x.rank());
    for (int64_t i = 0; i < x.size(); ++i) {
        if (x.at(i) == 0) continue;
        int64_t rest = i;
        for (size_t axis = x.rank(); axis-- > 0;) {
            found[axis].push_back(rest % x.shape()[axis]);
            rest /= x.shape()[axis];
        }
    }
    Integers flat;
    for (const auto& axis : found) flat.insert(flat.end(), axis.begin(), axis.end());
    const int64_t of_scalar = x.size() == 1 && x.at(0) != 0;
    const int64_t shape[] = {int64_t(x.rank()), x.rank() ? int64_t(found[0].size()) : of_scalar};
    return {n.build.reshape(n.build.integers(flat), shape)};
}

/// The slices of a known tensor along an axis, by number; without an axis its elements.
class Parts {
public:
    Parts(const Tensor& x, std::optional<int64_t> axis) : x_(x), axis_(axis) {
        if (!axis) return;
        count_ = x.shape()[size_t(*axis)];
        for (int64_t i = 0; i < *axis; ++i) outer_ *= x.shape()[size_t(i)];
        for (size_t i = size_t(*axis) + 1; i < x.rank(); ++i) inner_ *= x.shape()[i];
    }

    int64_t count() const { return count_; }
    /// Compares slices by their elements; NaN is largest.
    bool less(int64_t a, int64_t b) const {
        for (int64_t o = 0; o < outer_; ++o)
            for (int64_t i = 0; i < inner_; ++i) {
                if (less_elements(place(o, a) + i, place(o, b) + i)) return true;
                if (less_elements(place(o, b) + i, place(o, a) + i)) return false;
            }
        return false;
    }
    /// Returns a tensor of the given slices.
    Tensor chosen(const Integers& parts) const {
        Integers shape(x_.shape().begin(), x_.shape().end());
        if (axis_) shape[size_t(*axis_)] = int64_t(parts.size());
        else shape = {int64_t(parts.size())};
        Tensor result(x_.dtype(), shape);
        const size_t bytes = size_t(inner_) * x_.dtype().bytes();
        const char* from = static_cast<const char*>(x_.bytes());
        char* to = static_cast<char*>(result.bytes());
        for (int64_t o = 0; o < outer_; ++o)
            for (int64_t part : parts) to = std::copy_n(from + size_t(place(o, part)) * x_.dtype().bytes(), bytes, to);
        return result;
    }

private:
    bool less_elements(int64_t a, int64_t b) const {
        if (x_.dtype() == kInt64) return x_.data<int64_t>()[a] < x_.data<int64_t>()[b];
        if (x_.dtype() == kUInt64) return x_.data<uint64_t>()[a] < x_.data<uint64_t>()[b];
        const double left = x_.at(a), right = x_.at(b);
        return left < right || (std::isnan(right) && !std::isnan(left));
    }
    int64_t place(int64_t outer, int64_t part) const { return (outer * count_ + part) * inner_; }

    const Tensor& x_;
    std::optional<int64_t> axis_;
    int64_t outer_ = 1, count_ = x_.size(), inner_ = 1;
};

/// Finds unique slices of a known tensor. The shapes of the results depend on its data.
Exprs unique(NodeContext& n) {
    const Tensor& x = n.known(0);
    std::optional<int64_t> axis;
    if (n.has_attribute("axis")) axis = n.axis(n.integer("axis", 0), int64_t(x.rank()));
    const Parts parts(x, axis);
    const auto less = [&](int64_t a, int64_t b) { return parts.less(a, b); };
    std::map<int64_t, int64_t, decltype(less)> place(less);  // by the first slice of each value
    Integers firsts, inverse;
    for (int64_t i = 0; i < parts.count(); ++i)
        if (place.emplace(i, 0).second) firsts.push_back(i);
    if (n.integer("sorted", 1)) std::sort(firsts.begin(), firsts.end(), less);
    for (size_t i = 0; i < firsts.size(); ++i) place[firsts[i]] = int64_t(i);
    Integers counts(firsts.size());
    for (int64_t i = 0; i < parts.count(); ++i) {
        inverse.push_back(place.find(i)->second);
        ++counts[size_t(inverse.back())];
    }
    return {n.build.constant(parts.chosen(firsts)), n.build.integers(firsts), n.build.integers(inverse),
            n.build.integers(counts)};
}

/// The padding of each dimension, all begins, then all ends. Opset 18 can name the axes.
Integers pads_of(NodeContext& n, size_t rank) {
    const Integers given = n.opset() >= 11 ? n.known_integers(1) : n.integers("pads");
    Integers axes, pads(2 * rank, 0);
    if (n.opset() >= 18 && n.has(3)) axes = n.known_integers(3);
    else
        for (size_t i = 0; i < rank; ++i) axes.push_back(int64_t(i));
    if (given.size() != 2 * axes.size()) throw Fault{"pads must have two values for each dimension", {}};
    for (size_t i = 0; i < axes.size(); ++i) {
        const size_t axis = size_t(n.axis(axes[i], int64_t(rank)));
        pads[axis] = given[i];
        pads[axis + rank] = given[i + axes.size()];
    }
    return pads;
}

/// Repeats the data around itself (opset 19).
ExprId wrapped(NodeContext& n, ExprId x, const Integers& pads) {
    const Integers shape = n.build.static_shape(x);
    for (size_t i = 0; i < shape.size(); ++i) {
        const int64_t before = pads[i], after = pads[i + shape.size()], extent = shape[i];
        if (before == 0 && after == 0) continue;
        if (extent < 1 || extent > (1 << 24) || before > (1 << 24) || after > (1 << 24))
            throw Fault{"pads are too large", {}};
        Integers picked;
        for (int64_t k = -before; k < extent + after; ++k) picked.push_back((k % extent + extent) % extent);
        x = n.build.call("take", {x, n.build.integers(picked)}, {{"axis", int(i)}});
    }
    return x;
}

Exprs pad(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    size_t rank = shape.size();
    Integers pads = pads_of(n, rank);
    std::string mode = n.choice("mode", {"constant", "reflect", "edge", "wrap"});
    // Negative padding crops.
    for (size_t i = 0; i < rank; ++i) {
        if (pads[i] >= 0 && pads[i + rank] >= 0) continue;
        int64_t begin = std::max<int64_t>(0, -pads[i]), end = shape[i] - std::max<int64_t>(0, -pads[i + rank]);
        if (begin > end) throw Fault{"pads cut more than there is", {}};
        x = n.build.slice(x, int64_t(i), begin, end);
        pads[i] = std::max<int64_t>(0, pads[i]);
        pads[i + rank] = std::max<int64_t>(0, pads[i + rank]);
    }
    if (mode == "wrap") return {wrapped(n, x, pads)};
    AttributeValue::List width;
    for (size_t i = 0; i < rank; ++i) {
        const int64_t sides[] = {pads[i], pads[i + rank]};
        width.push_back(integer_attribute(sides));
    }
    ExprId value = like(n, x, n.opset() >= 11 ? 0 : n.real("value", 0));
    if (n.opset() >= 11 && n.has(2)) value = n.build.reshape(n.input(2), {});
    return {n.build.call("nn.pad", {x, value}, {{"pad_width", std::move(width)}, {"pad_mode", mode}})};
}

/// Cuts or fills up the named axes to a size, on both sides alike (opset 18).
Exprs center_crop_pad(NodeContext& n) {
    ExprId x = n.input(0);
    const Integers shape = n.build.static_shape(x), wanted = n.known_integers(1);
    const size_t rank = shape.size();
    Integers axes = n.integers("axes");
    if (axes.empty())
        for (int64_t i = 0; i < int64_t(rank); ++i) axes.push_back(i);
    if (axes.size() != wanted.size()) throw Fault{"its shape must have a value for each axis", {}};
    std::vector<std::pair<int64_t, int64_t>> sides(rank);
    for (size_t i = 0; i < axes.size(); ++i) {
        const int64_t axis = n.axis(axes[i], int64_t(rank)), extent = shape[size_t(axis)], more = wanted[i] - extent;
        if (wanted[i] < 0 || wanted[i] > (1 << 30)) throw Fault{"its shape is out of range", {}};
        if (more < 0) x = n.build.slice(x, axis, -more / 2, -more / 2 + wanted[i]);
        else sides[size_t(axis)] = {more / 2, more - more / 2};
    }
    AttributeValue::List width;
    for (const auto& [before, after] : sides) {
        const int64_t both[] = {before, after};
        width.push_back(integer_attribute(both));
    }
    return {n.build.call("nn.pad", {x, like(n, x, 0)},
                         {{"pad_width", std::move(width)}, {"pad_mode", std::string("constant")}})};
}

// --- com.microsoft ----------------------------------------------------------------------------------------------

Exprs expand_dims(NodeContext& n) {
    const int64_t axis = n.axis(n.known_integer(1), n.build.rank(n.input(0)) + 1);
    return {n.build.call("expand_dims", {n.input(0)}, {{"axis", int(axis)}, {"num_newaxis", 1}})};
}

/// The distance of each row of one matrix from each of another.
Exprs distances(NodeContext& n) {
    const bool squared = n.choice("metric", {"sqeuclidean", "euclidean"}) == "sqeuclidean";
    const Integers a = n.build.static_shape(n.input(0)), b = n.build.static_shape(n.input(1));
    if (a.size() != 2 || b.size() != 2) throw Fault{"its operands must be matrices", {}};
    if (a[1] != b[1]) throw Fault{"its operands must have as many columns as each other", {}};
    const int64_t column[] = {a[0], 1, a[1]};
    const ExprId off = n.build.subtract(n.build.reshape(n.input(0), column), n.input(1));
    const ExprId sum = n.build.call("sum", {n.build.multiply(off, off)},
                                    {{"axis", AttributeValue::List{2}}, {"keepdims", false}, {"exclude", false}});
    return {squared ? sum : n.build.call("sqrt", {sum})};
}

Exprs grid_sample_of_onnx(NodeContext& n) { return find_converter("", "GridSample")(n); }

const ConverterEntry kTensorConverters[] = {
    {"CenterCropPad", center_crop_pad},
    {"Compress", compress},
    {"Concat", concat},
    {"Constant", constant},
    {"ConstantOfShape", constant_of_shape},
    {"Expand", expand},
    {"EyeLike", eye_like},
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"GatherND", gather_nd},
    {"NonZero", non_zero},
    {"OneHot", one_hot},
    {"Pad", pad},
    {"Range", range},
    {"Reshape", reshape},
    {"ReverseSequence", reverse_sequence},
    {"Scatter", scatter_elements},
    {"ScatterElements", scatter_elements},
    {"ScatterND", scatter_nd},
    {"Shape", shape_of},
    {"Size", size_of},
    {"Slice", slice},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"TopK", top_k},
    {"Transpose", transpose},
    {"Trilu", triangle},
    {"Unique", unique},
    {"Unsqueeze", unsqueeze},
};

Exprs inverse(NodeContext& n) { return {n.build.call("linalg.inv", {n.input(0)})}; }

/// com.microsoft.UnfoldTensor: overlapping pieces of an axis, each of which becomes the last axis.
Exprs unfold(NodeContext& n) {
    const ExprId data = n.input(0);
    const Integers shape = n.build.static_shape(data);
    const int64_t axis = n.axis(n.integer("dim", -1), int64_t(shape.size()));
    const int64_t size = n.integer("size", 0), step = n.integer("step", 1), extent = shape[size_t(axis)];
    if (size < 1 || size > extent || step < 1)
        throw Fault{"pieces of " + std::to_string(size) + " at steps of " + std::to_string(step) +
                        " can't be taken of an axis of " + std::to_string(extent),
                    {}};
    const int64_t pieces = (extent - size) / step + 1;
    if (!n.build.may_hold(kInt64, Integers{pieces, size})) throw Fault{"its result is too large", {}};
    Tensor places(kInt64, {pieces, size});
    for (int64_t i = 0; i < places.size(); ++i) places.data<int64_t>()[i] = i / size * step + i % size;
    const ExprId taken =
        n.build.call("take", {data, n.build.constant(std::move(places))}, {{"axis", int(axis)}, {"mode", "clip"}});
    Integers order;
    for (int64_t d = 0; d <= int64_t(shape.size()); ++d)
        if (d != axis + 1) order.push_back(d);
    order.push_back(axis + 1);
    return {n.build.transpose(taken, order)};
}

/// Those of the same name are ONNX's.
const ConverterEntry kRuntimeTensorConverters[] = {
    {"CDist", distances},     {"ExpandDims", expand_dims},
    {"GatherND", gather_nd},  {"GridSample", grid_sample_of_onnx},
    {"Inverse", inverse},     {"Pad", pad},
    {"Range", range},         {"Trilu", triangle},
    {"UnfoldTensor", unfold},
};

}  // namespace

std::span<const ConverterEntry> tensor_converters() { return kTensorConverters; }
std::span<const ConverterEntry> runtime_tensor_converters() { return kRuntimeTensorConverters; }

}  // namespace partita::onnx
