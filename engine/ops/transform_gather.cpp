// Ops that read or write elements at places given by a tensor of indices. Source: TVM 0.9,
// src/relay/op/tensor/transform.cc. Negative indices count from the end; a run refuses those out of range, except for
// take, whose mode decides.
#include <algorithm>
#include <array>
#include <numeric>

#include "engine/ops/c_writer.h"
#include "engine/ops/data_movement.h"
#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/indexed_c.h"
#include "engine/ops/indices.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

Status require_index_type(const TypeQuery& query, size_t argument) {
    DataType dtype = query.types.dtype(query.arguments[argument]);
    if (dtype.is_integer()) return Nothing();
    return error("the indices must be integers, not " + dtype.to_string());
}

Diagnostic out_of_range(int64_t index, int64_t size) {
    return error("the index " + std::to_string(index) + " is out of range for a dimension of " + std::to_string(size));
}

int64_t product(std::span<const int64_t> dims) {
    return std::accumulate(dims.begin(), dims.end(), int64_t(1), std::multiplies<>());
}

/// Copies blocks of elements: block b of the output comes from block sources[b] of the input.
Status copy_blocks(const KernelCall& call, const std::vector<int64_t>& sources, int64_t block) {
    const TensorView &data = call.inputs[0], &output = call.outputs[0];
    size_t bytes = output.dtype.bytes() * size_t(block);
    int64_t grain = std::max<int64_t>(1, (1 << 17) / std::max<int64_t>(1, int64_t(bytes)));
    call.threads.parallel_for(int64_t(sources.size()), grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            std::copy_n(data.as<char>() + size_t(sources[size_t(i)]) * bytes, bytes,
                        output.as<char>() + size_t(i) * bytes);
    });
    return Nothing();
}

// ---- take ----

struct TakeAxes {
    int64_t axis = 0, batch = 0;
};

/// Returns null if the data is flattened.
Result<std::optional<TakeAxes>> take_axes(const AttributesView& attributes, size_t data_rank, size_t index_rank) {
    auto given = optional_integer(attributes, "axis");
    if (!given) return std::optional<TakeAxes>();
    auto axis = checked_axis(*given, data_rank);
    if (!axis) return axis.error();
    int64_t batch = optional_integer(attributes, "batch_dims").value_or(0);
    if (batch < 0) batch += int64_t(index_rank);
    if (batch < 0 || batch > int64_t(index_rank) || batch > *axis)
        return error("batch_dims must not be above the axis or the indices' rank, but is " + std::to_string(batch));
    return std::optional(TakeAxes{*axis, batch});
}

Result<TypeId> take_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_index_type(query, 1); !integers) return integers.error();
    const std::string& mode = query.attributes.string("mode");
    if (mode != "clip" && mode != "wrap" && mode != "fast")
        return error("mode must be clip, wrap or fast, not \"" + mode + "\"");
    std::vector<int64_t> data = shape_copy(query.types, query.arguments[0]),
                         indices = shape_copy(query.types, query.arguments[1]);
    DataType dtype = query.types.dtype(query.arguments[0]);
    auto axes = take_axes(query.attributes, data.size(), indices.size());
    if (!axes) return axes.error();
    if (!*axes) return checked_tensor(query.types, dtype, indices);
    size_t axis = size_t((*axes)->axis), batch = size_t((*axes)->batch);
    for (size_t i = 0; i < batch; ++i)
        if (data[i] != indices[i] && data[i] != kDynamicDim && indices[i] != kDynamicDim)
            return error("the data's and the indices' dimension " + std::to_string(i) +
                         " differ: " + std::to_string(data[i]) + " and " + std::to_string(indices[i]));
    std::vector<int64_t> shape(data.begin(), data.begin() + int64_t(axis));
    shape.insert(shape.end(), indices.begin() + int64_t(batch), indices.end());
    shape.insert(shape.end(), data.begin() + int64_t(axis) + 1, data.end());
    return checked_tensor(query.types, dtype, shape);
}

Result<int64_t> taken_index(int64_t index, int64_t size, const std::string& mode) {
    if (size == 0) return out_of_range(index, size);
    if (mode == "clip") return std::clamp<int64_t>(index, 0, size - 1);
    if (mode == "wrap") return (index % size + size) % size;
    if (index < 0 || index >= size) return out_of_range(index, size);
    return index;
}

/// Sizes of the loops of a take from data of batch x outer x size x inner elements.
struct TakeLoops {
    int64_t batch = 1, outer = 1, size = 1, taken = 1, inner = 1;
};

TakeLoops take_loops(const std::optional<TakeAxes>& axes, std::span<const int64_t> data,
                     std::span<const int64_t> indices) {
    if (!axes) return {1, 1, product(data), product(indices), 1};
    size_t axis = size_t(axes->axis), batch = size_t(axes->batch);
    return {product(data.first(batch)), product(data.subspan(batch, axis - batch)), data[axis],
            product(indices.subspan(batch)), product(data.subspan(axis + 1))};
}

Status take_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &index_tensor = call.inputs[1];
    auto axes = take_axes(call.attributes, data.shape.size(), index_tensor.shape.size());
    if (!axes) return axes.error();
    TakeLoops loops = take_loops(*axes, data.shape, index_tensor.shape);
    std::vector<int64_t> indices = index_values(index_tensor);
    const std::string& mode = call.attributes.string("mode");
    if (call.outputs[0].size() == 0) return Nothing();
    for (int64_t& index : indices) {
        auto place = taken_index(index, loops.size, mode);
        if (!place) return place.error();
        index = *place;
    }
    std::vector<int64_t> sources;
    sources.reserve(size_t(loops.batch * loops.outer * loops.taken));
    for (int64_t b = 0; b < loops.batch; ++b)
        for (int64_t o = 0; o < loops.outer; ++o)
            for (int64_t t = 0; t < loops.taken; ++t)
                sources.push_back((b * loops.outer + o) * loops.size + indices[size_t(b * loops.taken + t)]);
    return copy_blocks(call, sources, loops.inner);
}

Status take_in_c(const CLoops& loops) {
    auto axes = take_axes(loops.attributes, loops.inputs[0].shape.size(), loops.inputs[1].shape.size());
    if (!axes) return axes.error();
    TakeLoops sizes = take_loops(*axes, loops.inputs[0].shape, loops.inputs[1].shape);
    if (sizes.size == 0) return error("take from an empty axis can't be written in C");
    const std::string& mode = loops.attributes.string("mode");
    std::string in = c_indent(loops.indent), size = number(sizes.size);
    loops.code += in + "for (int64_t b = 0; b < " + number(sizes.batch) + "; ++b)\n" + in + "for (int64_t o = 0; o < " +
                  number(sizes.outer) + "; ++o)\n" + in + "for (int64_t t = 0; t < " + number(sizes.taken) +
                  "; ++t) {\n";
    loops.code +=
        in + "    int64_t index = " + index_in_c(loops.inputs[1], "b * " + number(sizes.taken) + " + t") + ";\n";
    if (mode == "wrap") loops.code += in + "    index = (index % " + size + " + " + size + ") % " + size + ";\n";
    else if (mode == "fast") CWriter(loops.code, loops.indent + 1).refuse_where("index < 0 || index >= " + size);
    else
        loops.code += in + "    index = index < 0 ? 0 : index > " + number(sizes.size - 1) + " ? " +
                      number(sizes.size - 1) + " : index;\n";
    loops.code += in + "    for (int64_t i = 0; i < " + number(sizes.inner) + "; ++i)\n" + in + "        " +
                  loops.outputs[0].name + "[((b * " + number(sizes.outer) + " + o) * " + number(sizes.taken) +
                  " + t) * " + number(sizes.inner) + " + i] = " + loops.inputs[0].name + "[((b * " +
                  number(sizes.outer) + " + o) * " + size + " + index) * " + number(sizes.inner) + " + i];\n" + in +
                  "}\n";
    return Nothing();
}

OpRecord take() {
    OpRecord op = data_movement_op("take", "Slices along an axis, chosen by a tensor of indices.", {"data", "indices"},
                                   take_relation, take_kernel);
    op.attributes = {
        optional_field("batch_dims", AttributeKind::Object, 0, "leading dimensions that data and indices share"),
        none_field("axis", AttributeKind::Object, "the axis; None takes from the flat data"),
        string_field("mode", "clip", "what becomes of indices out of range: clip, wrap or fast")};
    op.c_loops = take_in_c;
    op.example = "fn (%x: Tensor[(4, 3), float32], %i: Tensor[(2), int32]) { take(%x, %i, axis=0) }";
    return op;
}

// ---- gather ----

Result<TypeId> gather_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_index_type(query, 1); !integers) return integers.error();
    std::vector<int64_t> data = shape_copy(query.types, query.arguments[0]),
                         indices = shape_copy(query.types, query.arguments[1]);
    if (data.size() != indices.size())
        return error("the ranks of data and indices differ: " + std::to_string(data.size()) + " and " +
                     std::to_string(indices.size()));
    auto given = optional_integer(query.attributes, "axis");
    if (!given) return error("axis must be given");
    auto axis = checked_axis(*given, data.size());
    if (!axis) return axis.error();
    for (size_t i = 0; i < data.size(); ++i)
        if (int64_t(i) != *axis && indices[i] != data[i] && indices[i] != kDynamicDim && data[i] != kDynamicDim)
            return error("the data's and the indices' dimension " + std::to_string(i) +
                         " differ: " + std::to_string(data[i]) + " and " + std::to_string(indices[i]));
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), indices);
}

Status gather_kernel(const KernelCall& call) {
    const TensorView& data = call.inputs[0];
    size_t axis = size_t(*normalized_axis(*optional_integer(call.attributes, "axis"), data.shape.size()));
    std::vector<int64_t> places = index_values(call.inputs[1]);
    int64_t inner = product(data.shape.subspan(axis + 1)), taken = call.inputs[1].shape[axis], size = data.shape[axis];
    for (size_t i = 0; i < places.size(); ++i) {
        auto index = index_from_end(places[i], size);
        if (!index) return out_of_range(places[i], size);
        int64_t outer = int64_t(i) / inner / taken;
        places[i] = (outer * size + *index) * inner + int64_t(i) % inner;
    }
    return copy_blocks(call, places, 1);
}

OpRecord gather() {
    OpRecord op = data_movement_op("gather", "Elements along an axis, one index for each element of the result.",
                                   {"data", "indices"}, gather_relation, gather_kernel);
    op.attributes = {none_field("axis", AttributeKind::Object, "the axis")};
    op.c_loops = gather_in_c;
    op.example = "fn (%x: Tensor[(2, 3), float32], %i: Tensor[(2, 1), int32]) { gather(%x, %i, axis=1) }";
    return op;
}

// ---- gather_nd ----

Result<TypeId> gather_nd_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_index_type(query, 1); !integers) return integers.error();
    std::vector<int64_t> data = shape_copy(query.types, query.arguments[0]),
                         indices = shape_copy(query.types, query.arguments[1]);
    if (indices.empty() || indices[0] == kDynamicDim) return error("the indices need a first dimension of known size");
    int64_t batch = optional_integer(query.attributes, "batch_dims").value_or(0), coordinates = indices[0];
    if (batch < 0 || batch >= int64_t(indices.size()) || batch + coordinates > int64_t(data.size()))
        return error("indices of " + std::to_string(coordinates) + " coordinates and " + std::to_string(batch) +
                     " batch dimensions do not fit data of rank " + std::to_string(data.size()));
    for (size_t i = 0; i < size_t(batch); ++i)
        if (data[i] != indices[i + 1] && data[i] != kDynamicDim && indices[i + 1] != kDynamicDim)
            return error("the batch dimension " + std::to_string(i) + " of data and indices differs");
    std::vector<int64_t> shape(indices.begin() + 1, indices.end());
    shape.insert(shape.end(), data.begin() + batch + coordinates, data.end());
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), shape);
}

/// Returns the block of a tensor that each tuple of indices names: the coordinates are along the first dimension.
Result<std::vector<int64_t>> block_places(const TensorView& indices, std::span<const int64_t> shape, int64_t batch) {
    int64_t coordinates = indices.shape[0], tuples = product(indices.shape.subspan(1));
    std::vector<int64_t> values = index_values(indices), places(size_t(tuples), 0);
    int64_t batches = product(shape.first(size_t(batch))),
            in_batch = batches == 0 ? 1 : std::max<int64_t>(1, tuples / batches);
    for (int64_t t = 0; t < tuples; ++t) {
        int64_t place = batch == 0 ? 0 : t / in_batch;
        for (int64_t c = 0; c < coordinates; ++c) {
            int64_t size = shape[size_t(batch + c)], given = values[size_t(c * tuples + t)];
            auto index = index_from_end(given, size);
            if (!index) return out_of_range(given, size);
            place = place * size + *index;
        }
        places[size_t(t)] = place;
    }
    return places;
}

Status gather_nd_kernel(const KernelCall& call) {
    const TensorView& data = call.inputs[0];
    int64_t batch = optional_integer(call.attributes, "batch_dims").value_or(0);
    auto places = block_places(call.inputs[1], data.shape, batch);
    if (!places) return places.error();
    return copy_blocks(call, *places, product(data.shape.subspan(size_t(batch + call.inputs[1].shape[0]))));
}

OpRecord gather_nd() {
    OpRecord op = data_movement_op("gather_nd", "Slices, each named by a tuple of indices.", {"data", "indices"},
                                   gather_nd_relation, gather_nd_kernel);
    op.attributes = {
        optional_field("batch_dims", AttributeKind::Object, 0, "leading dimensions that data and indices share"),
        none_field("index_rank", AttributeKind::Object, "the size of a tuple where the indices' shape is unknown")};
    op.c_loops = gather_nd_in_c;
    op.example = "fn (%x: Tensor[(2, 3, 4), float32], %i: Tensor[(2, 5), int32]) { gather_nd(%x, %i) }";
    return op;
}

// ---- adv_index ----

Result<TypeId> adv_index_relation(const TypeQuery& query) {
    auto fields = tuple_of_tensors(query, 0);
    if (!fields) return fields.error();
    if (fields->size() < 2) return error("expects a tuple of the data and one tensor of indices or more");
    std::vector<int64_t> data = shape_copy(query.types, fields->front());
    if (fields->size() - 1 > data.size())
        return error("there are " + std::to_string(fields->size() - 1) + " tensors of indices for data of rank " +
                     std::to_string(data.size()));
    std::vector<int64_t> shape;
    for (size_t i = 1; i < fields->size(); ++i) {
        if (!query.types.dtype((*fields)[i]).is_integer()) return error("the indices must be integers");
        auto common = broadcast_shapes(shape, query.types.shape((*fields)[i]));
        if (!common) return common.error();
        shape = *common;
    }
    shape.insert(shape.end(), data.begin() + int64_t(fields->size()) - 1, data.end());
    return checked_tensor(query.types, query.types.dtype(fields->front()), shape);
}

Status adv_index_kernel(const KernelCall& call) {
    std::span<const int64_t> data = call.inputs[0].shape, result = call.outputs[0].shape;
    size_t count = call.inputs.size() - 1;
    std::span<const int64_t> common = result.first(result.size() - (data.size() - count));
    std::vector<int64_t> places(size_t(product(common)), 0);
    for (size_t axis = 0; axis < count; ++axis) {
        const TensorView& tensor = call.inputs[axis + 1];
        std::vector<int64_t> values = index_values(tensor), strides = row_major_strides(tensor.shape);
        for (size_t p = 0; p < places.size(); ++p) {
            int64_t rest = int64_t(p), at = 0;
            for (size_t d = common.size(); d-- > 0;) {
                int64_t index = rest % common[d];
                rest /= common[d];
                size_t missing = common.size() - tensor.shape.size();
                if (d >= missing && tensor.shape[d - missing] != 1) at += index * strides[d - missing];
            }
            auto index = index_from_end(values[size_t(at)], data[axis]);
            if (!index) return out_of_range(values[size_t(at)], data[axis]);
            places[p] = places[p] * data[axis] + *index;
        }
    }
    return copy_blocks(call, places, product(data.subspan(count)));
}

OpRecord adv_index() {
    OpRecord op = data_movement_op("adv_index", "Slices chosen by tensors of indices that are broadcast to each other.",
                                   {"inputs"}, adv_index_relation, adv_index_kernel);
    op.c_loops = adv_index_in_c;
    op.example = "fn (%x: Tensor[(4, 3), float32], %i: Tensor[(2), int32]) { adv_index((%x, %i)) }";
    return op;
}

// ---- scatter, scatter_add ----

Result<TypeId> scatter_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_index_type(query, 1); !integers) return integers.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]), indices = types.shape(query.arguments[1]),
                             updates = types.shape(query.arguments[2]);
    if (!(types.dtype(query.arguments[0]) == types.dtype(query.arguments[2])))
        return error("the data types of data and updates differ");
    if (!std::equal(indices.begin(), indices.end(), updates.begin(), updates.end()))
        return error("the shapes of indices and updates differ: " + shape_to_string(indices) + " and " +
                     shape_to_string(updates));
    if (data.size() != indices.size()) return error("the ranks of data and indices differ");
    auto axis = checked_axis(optional_integer(query.attributes, "axis").value_or(0), data.size());
    if (!axis) return axis.error();
    for (size_t i = 0; i < data.size(); ++i)
        if (int64_t(i) != *axis && indices[i] != kDynamicDim && data[i] != kDynamicDim && indices[i] > data[i])
            return error("dimension " + std::to_string(i) + " of the indices is larger than the data's");
    return query.arguments[0];
}

void copy_data(const KernelCall& call) {
    std::copy_n(call.inputs[0].as<char>(), call.outputs[0].byte_size(), call.outputs[0].as<char>());
}

template <bool Adds>
Status scatter_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &updates = call.inputs[2], &output = call.outputs[0];
    size_t axis = size_t(*normalized_axis(optional_integer(call.attributes, "axis").value_or(0), data.shape.size()));
    std::vector<int64_t> values = index_values(call.inputs[1]), strides = row_major_strides(data.shape);
    std::vector<int64_t> places(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        auto index = index_from_end(values[i], data.shape[axis]);
        if (!index) return out_of_range(values[i], data.shape[axis]);
        int64_t rest = int64_t(i), place = *index * strides[axis];
        for (size_t d = data.shape.size(); d-- > 0;) {
            if (d != axis) place += rest % updates.shape[d] * strides[d];
            rest /= updates.shape[d];
        }
        places[i] = place;
    }
    copy_data(call);
    bool known = with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (size_t i = 0; i < places.size(); ++i) {
            T& target = output.as<T>()[places[i]];
            if constexpr (Adds) target = wrapping_sum(target, updates.as<T>()[i]);
            else target = updates.as<T>()[i];
        }
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

template <bool Adds>
OpRecord scatter(std::string name, std::string summary) {
    OpRecord op = data_movement_op(std::move(name), std::move(summary), {"data", "indices", "updates"},
                                   scatter_relation, scatter_kernel<Adds>);
    op.pattern = OpPattern::Opaque;
    op.attributes = {optional_field("axis", AttributeKind::Object, 0, "the axis that the indices mean")};
    op.c_loops = [](const CLoops& loops) { return scatter_in_c(loops, Adds); };
    op.example = "fn (%x: Tensor[(2, 3), float32], %i: Tensor[(2, 1), int32], %u: Tensor[(2, 1), float32]) { " +
                 op.name + "(%x, %i, %u, axis=1) }";
    return op;
}

// ---- scatter_nd ----

/// TVM 0.9 has the first two; later versions and ONNX have all.
constexpr std::array<std::string_view, 5> kScatterModes = {"update", "add", "mul", "min", "max"};

/// The smallest and the largest of elements with NaN are NaN, as those of numpy.
template <class T>
T scattered(std::string_view mode, T target, T update) {
    if (mode == "add") return wrapping_sum(target, update);
    if (mode == "mul") return wrapping_product(target, update);
    const auto old = Wide<T>(target), other = Wide<T>(update);
    if (mode == "min") return other < old || other != other ? update : target;
    if (mode == "max") return other > old || other != other ? update : target;
    return update;
}

Result<TypeId> scatter_nd_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_index_type(query, 1); !integers) return integers.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]), indices = types.shape(query.arguments[1]),
                             updates = types.shape(query.arguments[2]);
    if (!(types.dtype(query.arguments[0]) == types.dtype(query.arguments[2])))
        return error("the data types of data and updates differ");
    const std::string& mode = query.attributes.string("mode");
    if (std::find(kScatterModes.begin(), kScatterModes.end(), mode) == kScatterModes.end())
        return error("mode must be update, add, mul, min or max, not \"" + mode + "\"");
    if (indices.empty() || indices[0] == kDynamicDim) return error("the indices need a first dimension of known size");
    if (indices[0] > int64_t(data.size()))
        return error("the indices have more coordinates than the data has dimensions");
    std::vector<int64_t> wanted(indices.begin() + 1, indices.end());
    wanted.insert(wanted.end(), data.begin() + indices[0], data.end());
    bool fits = wanted.size() == updates.size();
    for (size_t i = 0; fits && i < wanted.size(); ++i)
        fits = wanted[i] == updates[i] || wanted[i] == kDynamicDim || updates[i] == kDynamicDim;
    if (!fits)
        return error("the updates must have the shape " + shape_to_string(wanted) + ", not " +
                     shape_to_string(updates));
    return query.arguments[0];
}

Status scatter_nd_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &updates = call.inputs[2], &output = call.outputs[0];
    auto places = block_places(call.inputs[1], data.shape, 0);
    if (!places) return places.error();
    int64_t block = product(data.shape.subspan(size_t(call.inputs[1].shape[0])));
    const std::string& mode = call.attributes.string("mode");
    copy_data(call);
    bool known = with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (size_t p = 0; p < places->size(); ++p)
            for (int64_t i = 0; i < block; ++i) {
                T& target = output.as<T>()[(*places)[p] * block + i];
                target = scattered(mode, target, updates.as<T>()[int64_t(p) * block + i]);
            }
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

OpRecord scatter_nd() {
    OpRecord op = data_movement_op(
        "scatter_nd",
        "Slices, each named by a tuple of indices, set, added to, multiplied, or kept where smaller or larger.",
        {"data", "indices", "updates"}, scatter_nd_relation, scatter_nd_kernel);
    op.pattern = OpPattern::Opaque;
    op.attributes = {required_field("mode", AttributeKind::String, "update, add, mul, min or max")};
    op.c_loops = scatter_nd_in_c;
    op.example =
        "fn (%x: Tensor[(4, 3), float32], %i: Tensor[(1, 2), int32], %u: Tensor[(2, 3), float32]) "
        "{ scatter_nd(%x, %i, %u, mode=\"add\") }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_gather_ops() {
    return {take(),
            gather(),
            gather_nd(),
            adv_index(),
            scatter<false>("scatter", "Elements along an axis set at places that indices give."),
            scatter<true>("scatter_add", "Elements along an axis added to at places that indices give."),
            scatter_nd()};
}

}  // namespace partita
