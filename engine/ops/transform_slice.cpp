// Ops that join tensors or take parts of them. Source: TVM 0.9, src/relay/op/tensor/transform.cc and
// topi/detail/strided_slice.h.
#include <algorithm>
#include <limits>

#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

/// Returns a copy of a block of `extents` elements from a place in the input to one in the output.
StridedCopy block_copy(std::span<const int64_t> extents, std::span<const int64_t> from, std::span<const int64_t> to) {
    std::vector<int64_t> from_strides = row_major_strides(from), to_strides = row_major_strides(to);
    StridedCopy copy;
    for (size_t i = 0; i < extents.size(); ++i) copy.add_extent(extents[i], from_strides[i], to_strides[i]);
    return copy;
}

// ---- concatenate ----

Result<TypeId> concatenate_relation(const TypeQuery& query) {
    auto fields = tuple_of_tensors(query, 0);
    if (!fields) return fields.error();
    if (fields->empty()) return error("expects at least one tensor");
    TypeTable& types = query.types;
    std::vector<int64_t> result = shape_copy(types, fields->front());
    auto axis = checked_axis(query.attributes.integer("axis"), result.size());
    if (!axis) return axis.error();
    int64_t total = 0;
    for (TypeId field : *fields) {
        std::span<const int64_t> shape = types.shape(field);
        if (!(types.dtype(field) == types.dtype(fields->front())))
            return error("the tensors' data types " + types.dtype(fields->front()).to_string() + " and " +
                         types.dtype(field).to_string() + " differ");
        if (shape.size() != result.size())
            return error("the tensors' ranks " + std::to_string(result.size()) + " and " +
                         std::to_string(shape.size()) + " differ");
        for (size_t i = 0; i < shape.size(); ++i) {
            if (int64_t(i) == *axis) continue;
            if (result[i] == kDynamicDim) result[i] = shape[i];
            else if (shape[i] != kDynamicDim && shape[i] != result[i])
                return error("the shapes " + shape_to_string(types.shape(fields->front())) + " and " +
                             shape_to_string(shape) + " differ in dimension " + std::to_string(i));
        }
        int64_t dim = shape[size_t(*axis)];
        if (dim == kDynamicDim || total == kDynamicDim) total = kDynamicDim;
        else if (auto sum = checked_add(total, dim)) total = *sum;
        else return error("the result's dimension is too large");
    }
    result[size_t(*axis)] = total;
    return checked_tensor(types, types.dtype(fields->front()), result);
}

std::vector<TensorCopy> concatenate_copies(const CopyQuery& query) {
    std::span<const int64_t> to = query.outputs[0];
    size_t axis = size_t(*normalized_axis(query.attributes.integer("axis"), to.size()));
    int64_t stride = row_major_strides(to)[axis], position = 0;
    std::vector<TensorCopy> copies;
    for (size_t i = 0; i < query.inputs.size(); ++i) {
        StridedCopy copy = block_copy(query.inputs[i], query.inputs[i], to);
        copy.to_offset = position * stride;
        position += query.inputs[i][axis];
        copies.push_back({i, 0, copy});
    }
    return copies;
}

OpRecord concatenate(std::string name, std::string summary) {
    OpRecord op = copies_op<concatenate_copies>(std::move(name), std::move(summary), {"data"}, concatenate_relation);
    op.attributes = {integer_field("axis", 0, "the axis along which the tensors follow each other")};
    op.example = "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 4), float32]) { concatenate((%x, %y), axis=1) }";
    return op;
}

// ---- stack ----

Result<TypeId> stack_relation(const TypeQuery& query) {
    auto fields = tuple_of_tensors(query, 0);
    if (!fields) return fields.error();
    if (fields->empty()) return error("expects at least one tensor");
    TypeTable& types = query.types;
    std::vector<int64_t> result = shape_copy(types, fields->front());
    for (TypeId field : *fields) {
        std::span<const int64_t> shape = types.shape(field);
        if (!(types.dtype(field) == types.dtype(fields->front()))) return error("the tensors' data types differ");
        bool fits = shape.size() == result.size();
        for (size_t i = 0; fits && i < shape.size(); ++i) {
            if (result[i] == kDynamicDim) result[i] = shape[i];
            fits = shape[i] == kDynamicDim || shape[i] == result[i];
        }
        if (!fits)
            return error("the shapes " + shape_to_string(types.shape(fields->front())) + " and " +
                         shape_to_string(shape) + " differ");
    }
    auto axis = checked_axis(optional_integer(query.attributes, "axis").value_or(0), result.size() + 1);
    if (!axis) return axis.error();
    result.insert(result.begin() + *axis, int64_t(fields->size()));
    return checked_tensor(types, types.dtype(fields->front()), result);
}

std::vector<TensorCopy> stack_copies(const CopyQuery& query) {
    std::span<const int64_t> to = query.outputs[0];
    size_t axis = size_t(*normalized_axis(optional_integer(query.attributes, "axis").value_or(0), to.size()));
    std::vector<int64_t> extents(to.begin(), to.end());
    extents[axis] = 1;
    int64_t stride = row_major_strides(to)[axis];
    std::vector<TensorCopy> copies;
    for (size_t i = 0; i < query.inputs.size(); ++i) {
        StridedCopy copy = block_copy(extents, extents, to);
        copy.to_offset = int64_t(i) * stride;
        copies.push_back({i, 0, copy});
    }
    return copies;
}

OpRecord stack() {
    OpRecord op = copies_op<stack_copies>("stack", "Tensors of one shape along a new axis.", {"data"}, stack_relation);
    op.attributes = {optional_field("axis", AttributeKind::Object, 0, "where the new axis stands")};
    op.example = "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { stack((%x, %y), axis=1) }";
    return op;
}

// ---- split ----

Result<TypeId> split_relation(const TypeQuery& query) {
    constexpr int64_t kMostSections = 1 << 20;
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_integers(query.attributes, "indices_or_sections"); !integers) return integers.error();
    TypeTable& types = query.types;
    std::vector<int64_t> shape = shape_copy(types, query.arguments[0]);
    DataType dtype = types.dtype(query.arguments[0]);
    auto axis = checked_axis(query.attributes.integer("axis"), shape.size());
    if (!axis) return axis.error();
    int64_t dim = shape[size_t(*axis)];
    std::vector<TypeId> fields;
    auto add_field = [&](int64_t size) {
        std::vector<int64_t> part = shape;
        part[size_t(*axis)] = size;
        fields.push_back(types.tensor(dtype, part));
    };
    if (auto sections = optional_integer(query.attributes, "indices_or_sections")) {
        if (*sections < 1 || *sections > kMostSections)
            return error("can't split into " + std::to_string(*sections) + " sections");
        if (dim != kDynamicDim && dim % *sections != 0)
            return error("dimension " + std::to_string(*axis) + " of size " + std::to_string(dim) +
                         " can't be split into " + std::to_string(*sections) + " equal sections");
        for (int64_t i = 0; i < *sections; ++i) add_field(dim == kDynamicDim ? kDynamicDim : dim / *sections);
        return types.tuple(fields);
    }
    if (query.attributes.is_none("indices_or_sections")) return error("indices_or_sections must be given");
    int64_t begin = 0;
    for (int64_t index : query.attributes.integers("indices_or_sections")) {
        if (index <= begin) return error("indices_or_sections must be positive and ascending");
        add_field(index - begin);
        begin = index;
    }
    if (dim != kDynamicDim && begin >= dim)
        return error("the index " + std::to_string(begin) + " of indices_or_sections lies outside dimension " +
                     std::to_string(*axis) + " of size " + std::to_string(dim));
    add_field(dim == kDynamicDim ? kDynamicDim : dim - begin);
    return types.tuple(fields);
}

std::vector<TensorCopy> split_copies(const CopyQuery& query) {
    std::span<const int64_t> from = query.inputs[0];
    size_t axis = size_t(*normalized_axis(query.attributes.integer("axis"), from.size()));
    int64_t stride = row_major_strides(from)[axis], position = 0;
    std::vector<TensorCopy> copies;
    for (size_t i = 0; i < query.outputs.size(); ++i) {
        StridedCopy copy = block_copy(query.outputs[i], from, query.outputs[i]);
        copy.from_offset = position * stride;
        position += query.outputs[i][axis];
        copies.push_back({0, i, copy});
    }
    return copies;
}

OpRecord split() {
    OpRecord op = copies_op<split_copies>("split", "A tuple of parts along an axis.", {"data"}, split_relation);
    op.attributes = {required_field("indices_or_sections", AttributeKind::Object,
                                    "how many equal parts, or a list of where each but the first begins"),
                     integer_field("axis", 0, "the axis that is cut")};
    op.example = "fn (%x: Tensor[(2, 6), float32]) { split(%x, indices_or_sections=[2, 3], axis=1) }";
    return op;
}

// ---- strided_slice ----

/// One axis of a slice: the elements first, first + step, ... of which there are `count`.
struct AxisSlice {
    int64_t first = 0, step = 1, count = 0;
};

int64_t clamped_index(int64_t index, int64_t dim, int64_t step) {
    if (index < 0 && __builtin_add_overflow(index, dim, &index)) index = std::numeric_limits<int64_t>::min();
    return std::clamp(index, step < 0 ? int64_t(-1) : int64_t(0), step < 0 ? dim - 1 : dim);
}

AxisSlice slice_of_axis(int64_t begin, int64_t end, int64_t step, int64_t dim, bool end_is_size) {
    if (end_is_size) {
        step = 1;
        begin = clamped_index(begin, dim, step);
        // A negative size takes the rest.
        if (end < 0 || __builtin_add_overflow(begin, end, &end)) end = dim;
    }
    int64_t first = clamped_index(begin, dim, step), last = clamped_index(end, dim, step);
    int64_t distance = step < 0 ? first - last : last - first;
    uint64_t size = step < 0 ? uint64_t(0) - uint64_t(step) : uint64_t(step);
    return {first, step, distance <= 0 ? 0 : int64_t((uint64_t(distance) + size - 1) / size)};
}

/// Returns a slice for each axis; other axes are taken whole. An unknown dimension gives an unknown count.
Result<std::vector<AxisSlice>> slices_of(const AttributesView& attributes, std::span<const int64_t> shape) {
    for (const char* name : {"begin", "end", "strides", "axes"})
        if (Status integers = require_integers(attributes, name); !integers) return integers.error();
    std::vector<int64_t> begin = attributes.integers("begin"), end = attributes.integers("end");
    std::vector<int64_t> strides = attributes.integers("strides"), axes = attributes.integers("axes");
    const std::string& mode = attributes.string("slice_mode");
    if (mode != "end" && mode != "size") return error("slice_mode must be \"end\" or \"size\", not \"" + mode + "\"");
    if (attributes.is_none("axes")) {
        if (begin.size() > shape.size() || end.size() > shape.size() || strides.size() > shape.size())
            return error("begin, end and strides must not be longer than the operand's rank, " +
                         std::to_string(shape.size()));
        for (size_t i = 0; i < shape.size(); ++i) {
            axes.push_back(int64_t(i));
            if (i >= strides.size()) strides.push_back(1);
            constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
            if (i >= begin.size()) begin.push_back(strides[i] > 0 ? 0 : kFar);
            // For a step backwards the whole axis ends before its first element.
            if (i >= end.size())
                end.push_back(strides[i] < 0 ? std::numeric_limits<int64_t>::min() : mode == "size" ? -1 : kFar);
        }
    } else if (strides.empty()) {
        strides.assign(axes.size(), 1);
    }
    if (axes.size() != begin.size() || axes.size() != end.size() || axes.size() > strides.size())
        return error("axes, begin, end and strides must have one length");
    auto normal = checked_axes(axes, shape.size());
    if (!normal) return normal.error();
    std::vector<AxisSlice> slices;
    for (int64_t dim : shape) slices.push_back({0, 1, dim});
    for (size_t i = 0; i < axes.size(); ++i) {
        size_t axis = size_t((*normal)[i]);
        if (strides[i] == 0) return error("strides must not be 0");
        if (shape[axis] != kDynamicDim)
            slices[axis] = slice_of_axis(begin[i], end[i], strides[i], shape[axis], mode == "size");
    }
    return slices;
}

Result<TypeId> strided_slice_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto slices = slices_of(query.attributes, query.types.shape(query.arguments[0]));
    if (!slices) return slices.error();
    std::vector<int64_t> shape;
    for (const AxisSlice& slice : *slices) shape.push_back(slice.count);
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), shape);
}

std::vector<TensorCopy> strided_slice_copies(const CopyQuery& query) {
    auto slices = slices_of(query.attributes, query.inputs[0]);
    std::vector<int64_t> from = row_major_strides(query.inputs[0]), to = row_major_strides(query.outputs[0]);
    StridedCopy copy;
    for (size_t i = 0; i < from.size(); ++i) {
        const AxisSlice& slice = (*slices)[i];
        copy.add_extent(slice.count, slice.count > 1 ? slice.step * from[i] : 0, to[i]);
        copy.from_offset += slice.first * from[i];
    }
    return {{0, 0, copy}};
}

OpRecord strided_slice() {
    OpRecord op = copies_op<strided_slice_copies>("strided_slice", "Every n-th element between two places along axes.",
                                                  {"data"}, strided_slice_relation);
    op.attributes = {
        required_field("begin", AttributeKind::IntegerList, "the first index along each axis"),
        required_field("end", AttributeKind::IntegerList, "the index before which to stop, or the size"),
        required_field("strides", AttributeKind::IntegerList, "the step; negative goes backwards"),
        string_field("slice_mode", "end", "\"end\", or \"size\" where `end` holds sizes"),
        required_field("axes", AttributeKind::IntegerList, "the axes that are meant; None: the first ones")};
    op.example =
        "fn (%x: Tensor[(4, 6), float32]) { strided_slice(%x, begin=[1, 5], end=[3, 0], strides=[1, -2], axes=None) }";
    return op;
}

// ---- slice_like ----

/// Returns the shape of the first part: as long as the other tensor along `axes` (all if None).
Result<std::vector<int64_t>> slice_like_shape(const AttributesView& attributes, std::span<const int64_t> data,
                                              std::span<const int64_t> like) {
    if (Status integers = require_integers(attributes, "axes"); !integers) return integers.error();
    std::vector<int64_t> shape(data.begin(), data.end()), axes = attributes.integers("axes");
    if (attributes.is_none("axes"))
        for (size_t i = 0; i < std::min(data.size(), like.size()); ++i) axes.push_back(int64_t(i));
    auto normal = checked_axes(axes, data.size());
    if (!normal) return normal.error();
    for (int64_t axis : *normal) {
        if (size_t(axis) >= like.size())
            return error("the axis " + std::to_string(axis) + " is out of range for the second operand's rank " +
                         std::to_string(like.size()));
        int64_t wanted = like[size_t(axis)], there = data[size_t(axis)];
        if (wanted != kDynamicDim && there != kDynamicDim && wanted > there)
            return error("dimension " + std::to_string(axis) + " can't be cut from " + std::to_string(there) + " to " +
                         std::to_string(wanted));
        shape[size_t(axis)] = wanted;
    }
    return shape;
}

Result<TypeId> slice_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto shape = slice_like_shape(query.attributes, query.types.shape(query.arguments[0]),
                                  query.types.shape(query.arguments[1]));
    if (!shape) return shape.error();
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), *shape);
}

std::vector<TensorCopy> slice_like_copies(const CopyQuery& query) {
    return {{0, 0, block_copy(query.outputs[0], query.inputs[0], query.outputs[0])}};
}

OpRecord slice_like() {
    OpRecord op = copies_op<slice_like_copies>("slice_like", "The first part of a tensor, as large as another tensor.",
                                               {"data", "shape_like"}, slice_like_relation);
    op.attributes = {required_field("axes", AttributeKind::IntegerList, "the axes that are cut; None: all")};
    op.example = "fn (%x: Tensor[(4, 6), float32], %y: Tensor[(2, 3), float32]) { slice_like(%x, %y, axes=None) }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_slice_ops() {
    return {concatenate("concatenate", "Tensors one after the other along an axis."), stack(), split(), strided_slice(),
            slice_like()};
}

}  // namespace partita
