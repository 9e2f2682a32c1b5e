// Operators that move elements, or make them.
#include <algorithm>
#include <cmath>

#include "engine/frontends/litert/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::litert {

namespace {

/// What the option or the constant says, with one -1 for the rest.
Exprs reshape(NodeContext& n) {
    const ExprId x = n.input(0);
    const bool given = n.has(1) && n.build.value(n.input(1));
    Integers shape = given ? n.known(1) : n.integers("new_shape");
    // The file's shape, where an operator computes it.
    if (!given && (shape.empty() || n.has(1)))
        shape = Integers(n.output_info(0).shape.begin(), n.output_info(0).shape.end());
    const int64_t elements = element_count(n.build.static_shape(x)).value_or(0);
    int64_t rest = elements;
    for (int64_t dim : shape)
        if (dim > 0) rest /= dim;
    for (int64_t& dim : shape)
        if (dim == -1) dim = rest;
    if (element_count(shape) != elements)
        throw Fault{"it makes " + shape_to_string(shape) + " of " + std::to_string(elements) + " elements", {}};
    return {n.build.reshape(x, shape)};
}

Exprs squeeze(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0));
    std::vector<bool> drop(shape.size());
    Integers dims = n.integers("squeeze_dims"), left;
    for (int64_t dim : dims) drop[size_t(n.axis(dim, int64_t(shape.size())))] = true;
    for (size_t i = 0; i < shape.size(); ++i)
        if (!(dims.empty() ? shape[i] == 1 : drop[i])) left.push_back(shape[i]);
    return {n.build.reshape(n.input(0), left)};
}

Exprs expand_dims(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    const int64_t axis = n.axis(n.known_one(1), int64_t(shape.size()) + 1);
    shape.insert(shape.begin() + axis, 1);
    return {n.build.reshape(n.input(0), shape)};
}

Exprs transpose(NodeContext& n) {
    const int64_t rank = n.build.rank(n.input(0));
    Integers axes = n.known(1);
    for (int64_t& axis : axes) axis = n.axis(axis, rank);
    return {n.build.transpose(n.input(0), axes)};
}

Exprs concatenation(NodeContext& n) {
    const int64_t axis = n.axis(n.integer("axis"), n.build.rank(n.input(0)));
    for (ExprId each : n.inputs())
        if (!each.valid()) throw Fault{"an input is missing", {}};
    return {n.build.concatenate(n.inputs(), axis)};
}

Exprs pack(NodeContext& n) {
    for (ExprId each : n.inputs())
        if (!each.valid()) throw Fault{"an input is missing", {}};
    const int64_t axis = n.axis(n.integer("axis"), n.build.rank(n.input(0)) + 1);
    return {n.build.call("stack", {n.build.tuple(n.inputs())}, {{"axis", int(axis)}})};
}

/// The parts of x along an axis, of these sizes.
Exprs parts(NodeContext& n, ExprId x, int64_t axis, const Integers& sizes) {
    Integers places;
    int64_t end = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0) throw Fault{"a part has a negative size", {}};
        end += sizes[i];
        if (i + 1 < sizes.size()) places.push_back(end);
    }
    if (end != n.build.static_shape(x)[size_t(axis)]) throw Fault{"its parts do not come to the whole", {}};
    if (sizes.size() == 1) return {x};
    const ExprId all =
        n.build.call("split", {x}, {{"indices_or_sections", integer_attribute(places)}, {"axis", int(axis)}});
    Exprs made;
    for (uint32_t i = 0; i < sizes.size(); ++i) made.push_back(n.build.projection(all, i));
    return made;
}

Integers equal_parts(NodeContext& n, int64_t extent) {
    const int64_t count = int64_t(n.output_count());
    if (count < 1 || extent % count != 0) throw Fault{"its parts are not equal", {}};
    return Integers(size_t(count), extent / count);
}

Exprs split(NodeContext& n) {
    const ExprId x = n.input(1);
    const Integers shape = n.build.static_shape(x);
    const int64_t axis = n.axis(n.known_one(0), int64_t(shape.size()));
    return parts(n, x, axis, equal_parts(n, shape[size_t(axis)]));
}

Exprs split_by_sizes(NodeContext& n) {
    const ExprId x = n.input(0);
    const Integers shape = n.build.static_shape(x);
    const int64_t axis = n.axis(n.known_one(2), int64_t(shape.size()));
    Integers sizes = n.known(1);
    int64_t rest = shape[size_t(axis)];
    for (int64_t size : sizes) rest -= std::max<int64_t>(size, 0);
    for (int64_t& size : sizes)
        if (size == -1) size = rest;
    return parts(n, x, axis, sizes);
}

Exprs unpack(NodeContext& n) {
    const ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    const int64_t axis = n.axis(n.integer("axis"), int64_t(shape.size()));
    Exprs made = parts(n, x, axis, equal_parts(n, shape[size_t(axis)]));
    shape.erase(shape.begin() + axis);
    for (ExprId& part : made) part = n.build.reshape(part, shape);
    return made;
}

ExprId strided(NodeContext& n, const Integers& begin, const Integers& end, const Integers& strides) {
    Integers axes;
    for (size_t i = 0; i < begin.size(); ++i) axes.push_back(int64_t(i));
    return n.build.call("strided_slice", {n.input(0)},
                        {{"begin", integer_attribute(begin)},
                         {"end", integer_attribute(end)},
                         {"strides", integer_attribute(strides)},
                         {"axes", integer_attribute(axes)}});
}

Exprs slice(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0)), begin = n.known(1), size = n.known(2);
    if (begin.size() != shape.size() || size.size() != shape.size())
        throw Fault{"begin and size have not a number for each dimension", {}};
    Integers end;
    for (size_t i = 0; i < shape.size(); ++i) end.push_back(size[i] == -1 ? shape[i] : begin[i] + size[i]);
    return {strided(n, begin, end, Integers(shape.size(), 1))};
}

/// One dimension of a strided slice, as the masks and the file's numbers say it.
struct SlicedAxis {
    int64_t begin, end, stride;
};

SlicedAxis sliced_axis(int64_t begin, int64_t end, int64_t stride, int64_t extent, bool from_edge, bool to_edge) {
    if (stride == 0) throw Fault{"a stride is 0", {}};
    const int64_t lowest = stride > 0 ? 0 : -1, highest = stride > 0 ? extent : extent - 1;
    const auto inside = [&](int64_t at) { return std::clamp(at < 0 ? at + extent : at, lowest, highest); };
    SlicedAxis made{from_edge ? (stride > 0 ? lowest : highest) : inside(begin),
                    to_edge ? (stride > 0 ? highest : lowest) : inside(end), stride};
    if ((made.end - made.begin) * (stride > 0 ? 1 : -1) < 0) made.end = made.begin;
    // Counted from the end, that is "before the first element".
    if (stride < 0 && made.end == -1) made.end = -1 - extent;
    return made;
}

Exprs strided_slice(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0)), from = n.known(1), to = n.known(2), by = n.known(3);
    if (from.size() != to.size() || by.size() != from.size())
        throw Fault{"begin, end and strides differ in length", {}};
    const auto bit = [&](const char* mask, size_t i) { return i < 32 && (n.integer(mask) >> i & 1) != 0; };
    Integers begin, end, strides, result;
    int64_t added = 0;
    for (size_t i = 0; i < from.size(); ++i) added += bit("new_axis_mask", i) && !bit("ellipsis_mask", i);
    const auto keep = [&](int64_t extent) {
        begin.push_back(0), end.push_back(extent), strides.push_back(1), result.push_back(extent);
    };
    for (size_t i = 0; i < from.size(); ++i) {
        if (bit("ellipsis_mask", i)) {
            const int64_t behind = int64_t(from.size() - i) - 1;
            int64_t added_behind = 0;
            for (size_t k = i + 1; k < from.size(); ++k) added_behind += bit("new_axis_mask", k);
            const int64_t stop = int64_t(shape.size()) - (behind - added_behind);
            while (int64_t(begin.size()) < stop) keep(shape[begin.size()]);
            continue;
        }
        if (bit("new_axis_mask", i)) {
            result.push_back(1);
            continue;
        }
        const int64_t extent = shape[begin.size()];
        if (bit("shrink_axis_mask", i)) {
            const int64_t at = n.axis(from[i], extent);
            begin.push_back(at), end.push_back(at + 1), strides.push_back(1);
            continue;
        }
        const int64_t stop = n.flag("offset") ? from[i] + to[i] : to[i];
        const SlicedAxis axis = sliced_axis(from[i], stop, by[i], extent, bit("begin_mask", i), bit("end_mask", i));
        begin.push_back(axis.begin), end.push_back(axis.end), strides.push_back(axis.stride);
        const int64_t last = axis.end < -1 || (axis.stride < 0 && axis.end == -1 - extent) ? -1 : axis.end;
        const int64_t step = std::abs(axis.stride);
        result.push_back((std::abs(last - axis.begin) + step - 1) / step);
    }
    while (begin.size() < shape.size()) keep(shape[begin.size()]);
    return {n.build.reshape(strided(n, begin, end, strides), result)};
}

AttributeValue pairs(const Integers& list) {
    AttributeValue::List all;
    for (size_t i = 0; i + 1 < list.size(); i += 2) all.push_back(integer_attribute(Integers{list[i], list[i + 1]}));
    return all;
}

Exprs pad(NodeContext& n) {
    const ExprId x = n.input(0);
    const DataType dtype = n.build.dtype(x);
    const bool as_they_are = n.quantized_input(0) && !dtype.is_float();
    ExprId value = n.has(2) ? n.input(2) : ExprId();
    if (!value.valid())
        value = n.build.real(as_they_are ? double(n.input_info(0).quantization.zero_points.at(0)) : 0, dtype);
    return {n.build.call("nn.pad", {x, n.build.reshape(value, {})}, {{"pad_width", pairs(n.known(1))}})};
}

Exprs mirror_pad(NodeContext& n) {
    return {
        n.build.call("nn.mirror_pad", {n.input(0)},
                     {{"mode", n.integer("mode") == 0 ? "REFLECT" : "SYMMETRIC"}, {"pad_width", pairs(n.known(1))}})};
}

Exprs tile(NodeContext& n) { return {n.build.call("tile", {n.input(0)}, {{"reps", integer_attribute(n.known(1))}})}; }

Exprs broadcast_to(NodeContext& n) {
    return {n.build.call("broadcast_to", {n.input(0)}, {{"shape", integer_attribute(n.known(1))}})};
}

Exprs reverse(NodeContext& n) {
    ExprId x = n.input(0);
    for (int64_t axis : n.known(1)) x = n.build.call("reverse", {x}, {{"axis", int(n.axis(axis, n.build.rank(x)))}});
    return {x};
}

Exprs reverse_sequence(NodeContext& n) {
    return {n.build.call("reverse_sequence", {n.input(0), n.input(1)},
                         {{"seq_axis", int(n.integer("seq_dim"))}, {"batch_axis", int(n.integer("batch_dim"))}})};
}

Exprs space_to_depth(NodeContext& n) {
    return {n.build.call("nn.space_to_depth", {n.input(0)},
                         {{"block_size", int(n.integer("block_size"))}, {"layout", "NHWC"}})};
}

Exprs depth_to_space(NodeContext& n) {
    return {n.build.call("nn.depth_to_space", {n.input(0)},
                         {{"block_size", int(n.integer("block_size"))}, {"layout", "NHWC"}, {"mode", "DCR"}})};
}

Exprs space_to_batch(NodeContext& n) {
    const bool as_they_are = n.quantized_input(0) && !n.build.dtype(n.input(0)).is_float();
    const double zero = as_they_are ? double(n.input_info(0).quantization.zero_points.at(0)) : 0;
    return {n.build.call(
        "nn.space_to_batch_nd", {n.input(0)},
        {{"block_shape", integer_attribute(n.known(1))}, {"paddings", pairs(n.known(2))}, {"pad_value", zero}})};
}

Exprs batch_to_space(NodeContext& n) {
    return {n.build.call("nn.batch_to_space_nd", {n.input(0)},
                         {{"block_shape", integer_attribute(n.known(1))}, {"crops", pairs(n.known(2))}})};
}

Exprs gather(NodeContext& n) {
    const int64_t rank = n.build.rank(n.input(0));
    const int64_t batch = n.axis(n.integer("batch_dims"), n.build.rank(n.input(1)) + 1);
    return {n.build.call("take", {n.input(0), n.input(1)},
                         {{"axis", int(n.axis(n.integer("axis"), rank))}, {"batch_dims", int(batch)}})};
}

Exprs embedding_lookup(NodeContext& n) { return {n.build.call("take", {n.input(1), n.input(0)}, {{"axis", 0}})}; }

/// The engine has the components of an index in the first dimension, LiteRT in the last.
ExprId components_first(NodeContext& n, ExprId indices) {
    const int64_t rank = n.build.rank(indices);
    if (rank < 1) throw Fault{"its indices are no list", {}};
    Integers axes = {rank - 1};
    for (int64_t i = 0; i + 1 < rank; ++i) axes.push_back(i);
    return rank == 1 ? indices : n.build.transpose(indices, axes);
}

Exprs gather_nd(NodeContext& n) { return {n.build.call("gather_nd", {n.input(0), components_first(n, n.input(1))})}; }

Exprs scatter_nd(NodeContext& n) {
    const Integers shape = n.known(2);
    const ExprId zeros =
        n.build.call("zeros", {}, {{"shape", integer_attribute(shape)}, {"dtype", n.build.dtype(n.input(1))}});
    return {n.build.call("scatter_nd", {zeros, components_first(n, n.input(0)), n.input(1)}, {{"mode", "add"}})};
}

/// Writes a block where an index says, moved so that it lies inside.
Exprs dynamic_update_slice(NodeContext& n) {
    Builder& b = n.build;
    const Integers whole = b.static_shape(n.input(0)), part = b.static_shape(n.input(1));
    if (whole.size() != part.size() || whole.empty()) throw Fault{"its update does not fit", {}};
    const ExprId start = b.cast(n.input(2), kInt64);
    Exprs components;
    for (size_t i = 0; i < whole.size(); ++i) {
        if (part[i] > whole[i]) throw Fault{"its update does not fit", {}};
        Integers along(part.size(), 1);
        along[i] = part[i];
        const ExprId begin = n.clipped(b.slice(start, 0, int64_t(i), int64_t(i) + 1), 0, double(whole[i] - part[i]));
        const ExprId places = b.reshape(b.add(onnx::counted(b, part[i]), begin), along);
        components.push_back(b.call("broadcast_to", {places}, {{"shape", integer_attribute(part)}}));
    }
    const ExprId indices = b.call("stack", {b.tuple(components)}, {{"axis", 0}});
    return {b.call("scatter_nd", {n.input(0), indices, n.input(1)}, {{"mode", "update"}})};
}

Exprs one_hot(NodeContext& n) {
    const int64_t rank = n.build.rank(n.input(0)) + 1;
    const ExprId on = n.build.reshape(n.input(2), {}), off = n.build.reshape(n.input(3), {});
    return {n.build.call("one_hot", {n.input(0), on, off},
                         {{"depth", int(n.known_one(1))},
                          {"axis", int(n.axis(n.integer("axis"), rank))},
                          {"dtype", n.build.dtype(on)}})};
}

Exprs top_k(NodeContext& n) {
    const ExprId both = n.build.call(
        "topk", {n.input(0)}, {{"k", int(n.known_one(1))}, {"axis", -1}, {"ret_type", "both"}, {"dtype", kInt32}});
    return {n.build.projection(both, 0), n.build.projection(both, 1)};
}

Exprs shape_of(NodeContext& n) {
    return {n.build.integers(n.build.static_shape(n.input(0)), data_type(n.output_info(0).type))};
}

Exprs rank_of(NodeContext& n) { return {n.build.constant(n.build.rank(n.input(0)), kInt32)}; }

Exprs fill(NodeContext& n) {
    return {
        n.build.call("broadcast_to", {n.build.reshape(n.input(1), {})}, {{"shape", integer_attribute(n.known(0))}})};
}

Exprs zeros_like(NodeContext& n) { return {n.build.call("zeros_like", {n.input(0)})}; }

Exprs range(NodeContext& n) {
    constexpr double kMost = 1 << 24;
    double bounds[3];
    for (size_t i = 0; i < 3; ++i) {
        const Tensor* value = n.build.value(n.input(i));
        if (!value || value->size() != 1) throw Fault{"its input " + std::to_string(i) + " is not one constant", {}};
        bounds[i] = value->at(0);
    }
    const double count = std::ceil((bounds[1] - bounds[0]) / bounds[2]);
    if (!(count >= 0 && count <= kMost)) throw Fault{"it has too many elements", {}};
    Tensor tensor(n.build.dtype(n.input(0)), {int64_t(count)});
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, bounds[0] + double(i) * bounds[2]);
    return {n.build.constant(std::move(tensor))};
}

}  // namespace

std::span<const ConverterEntry> shape_converters() {
    using enum Numbers;
    static const ConverterEntry kTable[] = {
        {"BATCH_TO_SPACE_ND", batch_to_space, Moved},
        {"BROADCAST_TO", broadcast_to, Moved},
        {"CONCATENATION", concatenation, Moved},
        {"DEPTH_TO_SPACE", depth_to_space, Moved},
        {"DYNAMIC_UPDATE_SLICE", dynamic_update_slice, Moved},
        {"EMBEDDING_LOOKUP", embedding_lookup, Moved},
        {"EXPAND_DIMS", expand_dims, Moved},
        {"FILL", fill, Moved},
        {"GATHER", gather, Moved},
        {"GATHER_ND", gather_nd, Moved},
        {"MIRROR_PAD", mirror_pad, Moved},
        {"ONE_HOT", one_hot, Moved},
        {"PACK", pack, Moved},
        {"PAD", pad, Moved},
        {"PADV2", pad, Moved},
        {"RANGE", range, Raw},
        {"RANK", rank_of, Raw},
        {"RESHAPE", reshape, Moved},
        {"REVERSE_SEQUENCE", reverse_sequence, Moved},
        {"REVERSE_V2", reverse, Moved},
        {"SCATTER_ND", scatter_nd, Raw},
        {"SHAPE", shape_of, Raw},
        {"SLICE", slice, Moved},
        {"SPACE_TO_BATCH_ND", space_to_batch, Moved},
        {"SPACE_TO_DEPTH", space_to_depth, Moved},
        {"SPLIT", split, Moved},
        {"SPLIT_V", split_by_sizes, Moved},
        {"SQUEEZE", squeeze, Moved},
        {"STRIDED_SLICE", strided_slice, Moved},
        {"TILE", tile, Moved},
        {"TOPK_V2", top_k, Moved},
        {"TRANSPOSE", transpose, Moved},
        {"UNPACK", unpack, Moved},
        {"ZEROS_LIKE", zeros_like, Raw},
    };
    return kTable;
}

}  // namespace partita::litert
