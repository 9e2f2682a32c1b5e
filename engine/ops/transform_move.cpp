// Ops that move a tensor's elements to other places. Source: TVM 0.9, src/relay/op/tensor/transform.cc.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "engine/ops/layout.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

// ---- transpose ----

/// Returns the operand's axis for each axis of the result.
Result<std::vector<int64_t>> transpose_axes(const AttributesView& attributes, size_t rank) {
    if (attributes.is_none("axes")) {
        std::vector<int64_t> axes(rank);
        std::iota(axes.rbegin(), axes.rend(), 0);
        return axes;
    }
    if (Status integers = require_integers(attributes, "axes"); !integers) return integers.error();
    std::vector<int64_t> given = attributes.integers("axes");
    if (given.size() != rank)
        return error("axes has " + std::to_string(given.size()) + " elements, but the operand has rank " +
                     std::to_string(rank));
    return checked_axes(given, rank);
}

Result<TypeId> transpose_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::vector<int64_t> from = shape_copy(query.types, query.arguments[0]), to;
    auto axes = transpose_axes(query.attributes, from.size());
    if (!axes) return axes.error();
    for (int64_t axis : *axes) to.push_back(from[size_t(axis)]);
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), to);
}

std::vector<TensorCopy> transpose_copies(const CopyQuery& query) {
    auto axes = transpose_axes(query.attributes, query.inputs[0].size());
    std::vector<int64_t> from = row_major_strides(query.inputs[0]), to = row_major_strides(query.outputs[0]);
    StridedCopy copy;
    for (size_t i = 0; i < to.size(); ++i) copy.add_extent(query.outputs[0][i], from[size_t((*axes)[i])], to[i]);
    return {{0, 0, copy}};
}

OpRecord transpose() {
    OpRecord op =
        copies_op<transpose_copies>("transpose", "The dimensions in another order.", {"data"}, transpose_relation);
    op.attributes = {required_field("axes", AttributeKind::IntegerList,
                                    "the operand's axis for each axis of the result; None turns the order round")};
    op.example = "fn (%x: Tensor[(2, 3, 4), float32]) { transpose(%x, axes=[0, 2, 1]) }";
    return op;
}

// ---- broadcast_to, broadcast_to_like ----

std::vector<TensorCopy> broadcast_copies(const CopyQuery& query) {
    std::span<const int64_t> from = query.inputs[0], to = query.outputs[0];
    std::vector<int64_t> from_strides = row_major_strides(from), to_strides = row_major_strides(to);
    StridedCopy copy;
    for (size_t i = 0; i < to.size(); ++i) {
        size_t missing = to.size() - from.size();
        bool stands = i < missing || from[i - missing] == 1;
        copy.add_extent(to[i], stands ? 0 : from_strides[i - missing], to_strides[i]);
    }
    return {{0, 0, copy}};
}

Result<TypeId> broadcast_to_shape(const TypeQuery& query, const std::vector<int64_t>& to) {
    std::vector<int64_t> from = shape_copy(query.types, query.arguments[0]);
    auto common = broadcast_shapes(from, to);
    if (!common || common->size() != to.size() || !std::equal(to.begin(), to.end(), common->begin()))
        return error("the shape " + shape_to_string(from) + " can't be broadcast to " + shape_to_string(to));
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), to);
}

Result<TypeId> broadcast_to_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_integers(query.attributes, "shape"); !integers) return integers.error();
    return broadcast_to_shape(query, query.attributes.integers("shape"));
}

Result<TypeId> broadcast_to_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return broadcast_to_shape(query, shape_copy(query.types, query.arguments[1]));
}

OpRecord broadcast_to() {
    OpRecord op = copies_op<broadcast_copies>(
        "broadcast_to", "The tensor repeated along dimensions of 1 up to a shape.", {"data"}, broadcast_to_relation);
    op.pattern = OpPattern::Broadcast;
    op.attributes = {required_field("shape", AttributeKind::IntegerList, "the result's shape"),
                     optional_field("dtype", AttributeKind::DType, kVoid)};
    op.example = "fn (%x: Tensor[(2, 1), float32]) { broadcast_to(%x, shape=[4, 2, 3]) }";
    return op;
}

OpRecord broadcast_to_like() {
    OpRecord op = copies_op<broadcast_copies>("broadcast_to_like", "The tensor repeated up to the shape of another.",
                                              {"data", "broadcast_type"}, broadcast_to_like_relation);
    op.pattern = OpPattern::Broadcast;
    op.example = "fn (%x: Tensor[(2, 1), float32], %y: Tensor[(4, 2, 3), float32]) { broadcast_to_like(%x, %y) }";
    return op;
}

// ---- repeat, tile ----

Result<TypeId> repeat_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]);
    auto repeats = optional_integer(query.attributes, "repeats");
    if (!repeats || *repeats < 1)
        return error("repeats must be 1 or more, not " + query.attributes["repeats"].to_string());
    auto axis = checked_axis(optional_integer(query.attributes, "axis").value_or(0), shape.size());
    if (!axis) return axis.error();
    auto dim = checked_multiply(shape[size_t(*axis)], *repeats);
    if (!dim) return error("the repeated dimension is too large");
    shape[size_t(*axis)] = *dim;
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), shape);
}

std::vector<TensorCopy> repeat_copies(const CopyQuery& query) {
    std::span<const int64_t> from = query.inputs[0];
    size_t axis = size_t(*normalized_axis(optional_integer(query.attributes, "axis").value_or(0), from.size()));
    int64_t repeats = *optional_integer(query.attributes, "repeats");
    std::vector<int64_t> from_strides = row_major_strides(from), to_strides = row_major_strides(query.outputs[0]);
    StridedCopy copy;
    for (size_t i = 0; i < from.size(); ++i) {
        copy.add_extent(from[i], from_strides[i], to_strides[i] * (i == axis ? repeats : 1));
        if (i == axis) copy.add_extent(repeats, 0, to_strides[i]);
    }
    return {{0, 0, copy}};
}

OpRecord repeat() {
    OpRecord op = copies_op<repeat_copies>("repeat", "Each slice along an axis several times in a row.", {"data"},
                                           repeat_relation);
    op.pattern = OpPattern::Broadcast;
    op.attributes = {required_field("repeats", AttributeKind::Object, "how often each slice stands"),
                     none_field("axis", AttributeKind::Object, "the axis")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { repeat(%x, repeats=2, axis=1) }";
    return op;
}

Result<TypeId> tile_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_integers(query.attributes, "reps"); !integers) return integers.error();
    std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]), reps = query.attributes.integers("reps");
    size_t rank = std::max(shape.size(), reps.size());
    shape.insert(shape.begin(), rank - shape.size(), 1);
    reps.insert(reps.begin(), rank - reps.size(), 1);
    for (size_t i = 0; i < rank; ++i) {
        if (reps[i] < 1) return error("reps must be 1 or more, not " + std::to_string(reps[i]));
        auto dim = checked_multiply(shape[i], reps[i]);
        if (!dim) return error("a repeated dimension is too large");
        shape[i] = *dim;
    }
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), shape);
}

std::vector<TensorCopy> tile_copies(const CopyQuery& query) {
    std::span<const int64_t> to = query.outputs[0];
    std::vector<int64_t> from(query.inputs[0].begin(), query.inputs[0].end());
    from.insert(from.begin(), to.size() - from.size(), 1);
    std::vector<int64_t> from_strides = row_major_strides(from), to_strides = row_major_strides(to);
    StridedCopy copy;
    for (size_t i = 0; i < to.size(); ++i) {
        copy.add_extent(from[i] == 0 ? 0 : to[i] / from[i], 0, from[i] * to_strides[i]);
        copy.add_extent(from[i], from_strides[i], to_strides[i]);
    }
    return {{0, 0, copy}};
}

OpRecord tile() {
    OpRecord op =
        copies_op<tile_copies>("tile", "The whole tensor several times along each axis.", {"data"}, tile_relation);
    op.pattern = OpPattern::Broadcast;
    op.attributes = {required_field("reps", AttributeKind::IntegerList, "how often along each axis")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { tile(%x, reps=[2, 1, 2]) }";
    return op;
}

// ---- reverse ----

Result<TypeId> reverse_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto axis = checked_axis(optional_integer(query.attributes, "axis").value_or(0),
                             query.types.shape(query.arguments[0]).size());
    if (!axis) return axis.error();
    return query.arguments[0];
}

std::vector<TensorCopy> reverse_copies(const CopyQuery& query) {
    std::span<const int64_t> shape = query.inputs[0];
    size_t axis = size_t(*normalized_axis(optional_integer(query.attributes, "axis").value_or(0), shape.size()));
    std::vector<int64_t> strides = row_major_strides(shape);
    StridedCopy copy;
    for (size_t i = 0; i < shape.size(); ++i)
        copy.add_extent(shape[i], i == axis ? -strides[i] : strides[i], strides[i]);
    copy.from_offset = (shape[axis] - 1) * strides[axis];
    return {{0, 0, copy}};
}

OpRecord reverse() {
    OpRecord op =
        copies_op<reverse_copies>("reverse", "The order along an axis turned round.", {"data"}, reverse_relation);
    op.attributes = {none_field("axis", AttributeKind::Object, "the axis; None is 0")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { reverse(%x, axis=1) }";
    return op;
}

// ---- meshgrid ----

Result<TypeId> meshgrid_relation(const TypeQuery& query) {
    auto fields = tuple_of_tensors(query, 0);
    if (!fields) return fields.error();
    if (fields->empty()) return error("expects at least one tensor");
    TypeTable& types = query.types;
    std::vector<int64_t> grid;
    for (TypeId field : *fields) {
        if (!(types.dtype(field) == types.dtype(fields->front()))) return error("the tensors' data types differ");
        std::span<const int64_t> shape = types.shape(field);
        if (shape.size() > 1)
            return error("the tensors must be vectors or scalars, but one has rank " + std::to_string(shape.size()));
        grid.push_back(shape.empty() ? 1 : shape[0]);
    }
    const std::string& indexing = query.attributes.string("indexing");
    if (indexing != "ij" && indexing != "xy") return error("indexing must be \"ij\" or \"xy\"");
    if (indexing == "xy" && grid.size() >= 2) std::swap(grid[0], grid[1]);
    auto type = checked_tensor(types, types.dtype(fields->front()), grid);
    if (!type) return type;
    return types.tuple(std::vector<TypeId>(fields->size(), *type));
}

std::vector<TensorCopy> meshgrid_copies(const CopyQuery& query) {
    bool swapped = query.attributes.string("indexing") == "xy" && query.inputs.size() >= 2;
    std::vector<TensorCopy> copies;
    for (size_t i = 0; i < query.inputs.size(); ++i) {
        size_t axis = swapped && i < 2 ? 1 - i : i;
        std::vector<int64_t> strides = row_major_strides(query.outputs[i]);
        StridedCopy copy;
        for (size_t d = 0; d < strides.size(); ++d) copy.add_extent(query.outputs[i][d], d == axis ? 1 : 0, strides[d]);
        copies.push_back({i, i, copy});
    }
    return copies;
}

OpRecord meshgrid() {
    OpRecord op = copies_op<meshgrid_copies>("meshgrid", "A grid from vectors: for each, its element at every point.",
                                             {"data"}, meshgrid_relation);
    op.attributes = {string_field("indexing", "ij", "\"ij\", or \"xy\", which swaps the first two dimensions")};
    op.example = "fn (%x: Tensor[(2), float32], %y: Tensor[(3), float32]) { meshgrid((%x, %y), indexing=\"xy\") }";
    return op;
}

// ---- layout_transform ----

struct LayoutPair {
    Layout source, target;
    std::string axes;  ///< in the source's order
};

Result<LayoutPair> layouts_of(const AttributesView& attributes) {
    auto source = Layout::parse(attributes.string("src_layout"));
    if (!source) return source.error();
    auto target = Layout::parse(attributes.string("dst_layout"));
    if (!target) return target.error();
    std::string axes;
    for (const LayoutDimension& dimension : source->dimensions())
        if (dimension.block == 0) axes += dimension.axis;
    if (axes.empty()) return error("src_layout must not be empty");
    if (!target->has_axes(axes))
        return error("the layout " + source->text() + " can't become " + target->text() + ": the axes differ");
    return LayoutPair{*source, *target, axes};
}

Result<TypeId> layout_transform_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto layouts = layouts_of(query.attributes);
    if (!layouts) return layouts.error();
    auto sizes = layouts->source.sizes_of(layouts->axes, query.types.shape(query.arguments[0]));
    if (!sizes) return sizes.error();
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]),
                          layouts->target.shape_of(layouts->axes, *sizes));
}

/// A step along one axis: `unit` elements along the axis are `stride` elements in memory.
struct AxisStep {
    int64_t unit = 1;
    int64_t stride = 0;
};

/// Returns the steps of an axis, innermost first.
std::vector<AxisStep> steps_of(const Layout& layout, std::span<const int64_t> shape, char axis) {
    std::vector<int64_t> strides = row_major_strides(shape);
    std::vector<AxisStep> steps;
    int64_t unit = 1;
    for (size_t i = layout.rank(); i-- > 0;) {
        if (layout.dimensions()[i].axis != axis || layout.dimensions()[i].block == 0) continue;
        steps.push_back({unit, strides[i]});
        unit *= layout.dimensions()[i].block;
    }
    steps.push_back({unit, strides[size_t(layout.position(axis))]});
    return steps;
}

int64_t stride_of_unit(const std::vector<AxisStep>& steps, int64_t unit) {
    size_t at = 0;
    while (at + 1 < steps.size() && steps[at + 1].unit <= unit) ++at;
    return unit / steps[at].unit * steps[at].stride;
}

/// Returns the transformation as one copy, or nothing if blocks are padded or do not divide each other.
std::optional<StridedCopy> layout_copy(const LayoutPair& layouts, std::span<const int64_t> from,
                                       std::span<const int64_t> to) {
    struct Extent {
        int64_t extent, from_stride, to_stride;
    };
    std::vector<Extent> extents;
    for (char axis : layouts.axes) {
        int64_t size = from[size_t(layouts.source.position(axis))] * layouts.source.block_of(axis);
        if (size != to[size_t(layouts.target.position(axis))] * layouts.target.block_of(axis)) return std::nullopt;
        std::vector<AxisStep> source = steps_of(layouts.source, from, axis),
                              target = steps_of(layouts.target, to, axis);
        std::vector<int64_t> units;
        for (const AxisStep& step : source) units.push_back(step.unit);
        for (const AxisStep& step : target) units.push_back(step.unit);
        std::sort(units.begin(), units.end());
        units.erase(std::unique(units.begin(), units.end()), units.end());
        units.push_back(size);
        for (size_t i = 0; i + 1 < units.size(); ++i) {
            if (units[i + 1] % units[i] != 0) return std::nullopt;
            extents.push_back(
                {units[i + 1] / units[i], stride_of_unit(source, units[i]), stride_of_unit(target, units[i])});
        }
    }
    // Writing in order costs least.
    std::sort(extents.begin(), extents.end(),
              [](const Extent& a, const Extent& b) { return a.to_stride > b.to_stride; });
    StridedCopy copy;
    for (const Extent& extent : extents) copy.add_extent(extent.extent, extent.from_stride, extent.to_stride);
    return copy;
}

Status layout_transform_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    auto layouts = layouts_of(call.attributes);
    if (!layouts) return layouts.error();
    size_t bytes = output.dtype.bytes();
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        return error("layout_transform of " + output.dtype.to_string() + " is not supported on default");
    if (auto copy = layout_copy(*layouts, input.shape, output.shape)) {
        run_copy(*copy, input.data, output.data, output.dtype.bytes(), call.threads);
        return Nothing();
    }
    std::memset(output.data, 0, output.byte_size());
    convert_layout(input.data, {layouts->source, input.shape}, output.data, {layouts->target, output.shape},
                   output.dtype.bytes(), call.threads);
    return Nothing();
}

Status layout_transform_in_c(const CLoops& loops) {
    auto layouts = layouts_of(loops.attributes);
    if (!layouts) return layouts.error();
    auto copy = layout_copy(*layouts, loops.inputs[0].shape, loops.outputs[0].shape);
    if (!copy) return error("layout_transform with padded blocks can't be generated as C");
    write_copy(*copy, loops.inputs[0].name, loops.outputs[0].name, loops.code, loops.indent);
    return Nothing();
}

OpRecord layout_transform() {
    OpRecord op;
    op.name = "layout_transform";
    op.summary = "The tensor in another layout, such as NCHW16c.";
    op.inputs = {"data"};
    op.pattern = OpPattern::Injective;
    op.attributes = {required_field("src_layout", AttributeKind::String, "the operand's layout"),
                     required_field("dst_layout", AttributeKind::String, "the result's layout")};
    op.relation = layout_transform_relation;
    op.kernel = layout_transform_kernel;
    op.c_loops = layout_transform_in_c;
    op.flops = [](const TypeTable&, std::span<const TypeId>, TypeId, const AttributesView&) { return 0.0; };
    op.example =
        "fn (%x: Tensor[(1, 16, 4, 4), float32]) { layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW8c\") }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_move_ops() {
    return {transpose(), broadcast_to(), broadcast_to_like(), repeat(),
            tile(),      reverse(),      meshgrid(),          layout_transform()};
}

}  // namespace partita
