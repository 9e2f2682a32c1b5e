// Ops along an axis that sort or accumulate elements. Source: TVM 0.9, src/relay/op/algorithm and
// src/relay/op/tensor/transform.cc. Sorting is stable; NaN counts as larger than every number.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/ops/converted.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/indexed_c.h"
#include "engine/ops/indices.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/sorted_c.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

/// A tensor as lines along an axis: element k of line l is at (l / inner) * length * inner + l % inner + k * inner.
struct Lines {
    int64_t count = 1, length = 1, inner = 1;
    int64_t begin(int64_t line, int64_t line_length) const { return line / inner * line_length * inner + line % inner; }
};

Lines lines_along(std::span<const int64_t> shape, int64_t axis) {
    Lines lines;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (int64_t(i) == axis) lines.length = shape[i];
        else lines.count *= shape[i];
        if (int64_t(i) > axis) lines.inner *= shape[i];
    }
    return lines;
}

template <class W>
bool comes_before(W a, W b) {
    if constexpr (std::is_floating_point_v<W>)
        if (a != a || b != b) return a == a;
    return a < b;
}

/// The order of a line's elements.
template <class T>
std::vector<int64_t> sorted_order(const T* line, int64_t length, int64_t stride, bool ascending) {
    std::vector<int64_t> order(static_cast<size_t>(length));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [=](int64_t a, int64_t b) {
        const T x = line[a * stride], y = line[b * stride];
        return ascending ? comes_before(x, y) : comes_before(y, x);
    });
    return order;
}

void copy_in_order(const std::byte* from, int64_t step, std::span<const int64_t> order, std::byte* to, int64_t bytes) {
    for (int64_t index : order) {
        std::memcpy(to, from + index * step, size_t(bytes));
        to += step;
    }
}

void write_indices(std::span<const int64_t> order, const TensorView& indices, int64_t begin, int64_t stride) {
    with_element_type(indices.dtype, [&](auto tag) {
        using I = typename decltype(tag)::type;
        I* to = indices.as<I>() + begin;
        for (int64_t index : order) {
            *to = convert_element<I>(index);
            to += stride;
        }
    });
}

/// Sorts each line and writes its first `keep` elements to the given outputs.
Status sort_lines(const KernelCall& call, int64_t axis, bool ascending, int64_t keep, const TensorView* values,
                  const TensorView* indices) {
    const TensorView& data = call.inputs[0];
    Lines lines = lines_along(data.shape, axis);
    if (lines.length == 0) return Nothing();
    if (indices && !with_element_type(indices->dtype, [](auto) {}))
        return unsupported_element(call.attributes.op(), indices->dtype);
    const int64_t bytes = int64_t(data.dtype.bytes()), step = bytes * lines.inner;
    const bool known = with_exact_type(data.dtype, [&](auto tag) {
        const ConvertedInput<typename decltype(tag)::type> elements(data, call.threads);
        call.threads.parallel_for(
            lines.count, std::max<int64_t>(1, kCostlyGrain / lines.length), [&](int64_t begin, int64_t end) {
                for (int64_t l = begin; l < end; ++l) {
                    const int64_t from = lines.begin(l, lines.length), to = lines.begin(l, keep);
                    const std::vector<int64_t> order =
                        sorted_order(elements.data() + from, lines.length, lines.inner, ascending);
                    const std::span kept = std::span(order).first(size_t(keep));
                    if (values)
                        copy_in_order(data.as<std::byte>() + from * bytes, step, kept,
                                      values->as<std::byte>() + to * bytes, bytes);
                    if (indices) write_indices(kept, *indices, to, lines.inner);
                }
            });
    });
    if (!known) return unsupported_element(call.attributes.op(), data.dtype);
    return Nothing();
}

DataType index_type(const AttributesView& attributes) {
    DataType dtype = attributes.dtype("dtype");
    return dtype.is_void() ? kInt32 : dtype;
}

OpRecord line_op(std::string name, std::string summary, TypeRelation relation, Kernel kernel) {
    OpRecord op;
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = {"data"};
    op.pattern = OpPattern::Opaque;
    op.relation = relation;
    op.kernel = kernel;
    return op;
}

// ---- sort, argsort ----

Result<int64_t> sort_axis(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return checked_axis(query.attributes.integer("axis"), query.types.shape(query.arguments[0]).size());
}

Result<TypeId> sort_relation(const TypeQuery& query) {
    auto axis = sort_axis(query);
    if (!axis) return axis.error();
    return query.arguments[0];
}

Result<TypeId> argsort_relation(const TypeQuery& query) {
    auto axis = sort_axis(query);
    if (!axis) return axis.error();
    return checked_tensor(query.types, index_type(query.attributes), shape_copy(query.types, query.arguments[0]));
}

template <bool WantsIndices>
Status sort_kernel(const KernelCall& call) {
    const TensorView& output = call.outputs[0];
    int64_t axis = *normalized_axis(call.attributes.integer("axis"), output.shape.size());
    return sort_lines(call, axis, call.attributes.boolean("is_ascend"), output.shape[size_t(axis)],
                      WantsIndices ? nullptr : &output, WantsIndices ? &output : nullptr);
}

template <bool WantsIndices>
Status sort_in_c(const CLoops& loops) {
    int64_t axis = *normalized_axis(loops.attributes.integer("axis"), loops.outputs[0].shape.size());
    return write_sorted_lines_in_c(loops, axis, loops.attributes.boolean("is_ascend"),
                                   WantsIndices ? nullptr : &loops.outputs[0],
                                   WantsIndices ? &loops.outputs[0] : nullptr);
}

OpRecord sort_op(std::string name, std::string summary, TypeRelation relation, Kernel kernel, CLoopsEmitter c_loops) {
    OpRecord op = line_op(std::move(name), std::move(summary), relation, kernel);
    op.c_loops = c_loops;
    op.attributes = {integer_field("axis", -1, "the axis"), bool_field("is_ascend", true, "smallest first"),
                     optional_field("dtype", AttributeKind::DType, kVoid, "the type of indices; default: int32")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { " + op.name + "(%x, axis=1, is_ascend=False) }";
    return op;
}

// ---- topk ----

Result<TypeId> topk_relation(const TypeQuery& query) {
    auto axis = sort_axis(query);
    if (!axis) return axis.error();
    TypeTable& types = query.types;
    std::vector<int64_t> shape = shape_copy(types, query.arguments[0]);
    auto k = optional_integer(query.attributes, "k");
    if (!k) return error("k must be an integer");
    int64_t& dim = shape[size_t(*axis)];
    if (*k > dim && dim != kDynamicDim)
        return error("k is " + std::to_string(*k) + ", but the axis has " + std::to_string(dim) + " elements");
    if (*k >= 1) dim = *k;
    TypeId values = types.tensor(types.dtype(query.arguments[0]), shape),
           indices = types.tensor(index_type(query.attributes), shape);
    const std::string& wanted = query.attributes.string("ret_type");
    if (wanted == "values") return values;
    if (wanted == "indices") return indices;
    if (wanted != "both") return error("ret_type must be both, values or indices, not \"" + wanted + "\"");
    const TypeId both[] = {values, indices};
    return types.tuple(both);
}

Status topk_kernel(const KernelCall& call) {
    const TensorView& first = call.outputs[0];
    int64_t axis = *normalized_axis(call.attributes.integer("axis"), first.shape.size());
    const std::string& wanted = call.attributes.string("ret_type");
    const TensorView* values = wanted == "indices" ? nullptr : &first;
    const TensorView* indices = wanted == "both" ? &call.outputs[1] : wanted == "indices" ? &first : nullptr;
    return sort_lines(call, axis, call.attributes.boolean("is_ascend"), first.shape[size_t(axis)], values, indices);
}

Status topk_in_c(const CLoops& loops) {
    int64_t axis = *normalized_axis(loops.attributes.integer("axis"), loops.outputs[0].shape.size());
    const std::string& wanted = loops.attributes.string("ret_type");
    const CTensor* values = wanted == "indices" ? nullptr : &loops.outputs[0];
    const CTensor* indices = wanted == "both" ? &loops.outputs[1] : wanted == "indices" ? &loops.outputs[0] : nullptr;
    return write_sorted_lines_in_c(loops, axis, loops.attributes.boolean("is_ascend"), values, indices);
}

OpRecord topk() {
    OpRecord op = line_op("topk", "The largest or smallest elements along an axis, and where they stand.",
                          topk_relation, topk_kernel);
    op.c_loops = topk_in_c;
    op.attributes = {required_field("k", AttributeKind::Object, "how many; below 1: all"),
                     integer_field("axis", -1, "the axis"), string_field("ret_type", "both", "both, values or indices"),
                     bool_field("is_ascend", false, "the smallest"),
                     optional_field("dtype", AttributeKind::DType, kVoid, "the type of indices; default: int32")};
    op.example = "fn (%x: Tensor[(2, 5), float32]) { topk(%x, k=2, axis=1, dtype=\"int32\") }";
    return op;
}

// ---- cumsum, cumprod ----

Result<TypeId> scan_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::vector<int64_t> shape = shape_copy(types, query.arguments[0]);
    DataType dtype = query.attributes.dtype("dtype");
    if (dtype.is_void()) dtype = types.dtype(query.arguments[0]);
    if (auto axis = optional_integer(query.attributes, "axis")) {
        auto normal = checked_axis(*axis, shape.size());
        if (!normal) return normal.error();
        return checked_tensor(types, dtype, shape);
    }
    std::optional<int64_t> size = 1;
    for (int64_t dim : shape)
        if (size) size = checked_multiply(*size, dim);
    if (!size) return error("the operand has too many elements");
    return checked_tensor(types, dtype, std::vector<int64_t>{*size});
}

template <bool Multiplies>
Status scan_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &output = call.outputs[0];
    auto given = optional_integer(call.attributes, "axis");
    Lines lines{1, data.size(), 1};
    if (given) lines = lines_along(data.shape, *normalized_axis(*given, data.shape.size()));
    bool exclusive = call.attributes.boolean("exclusive");
    if (Status converted = cast_kernel(call); !converted) return converted;
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        call.threads.parallel_for(lines.count, std::max<int64_t>(1, kCheapGrain / std::max<int64_t>(1, lines.length)),
                                  [&](int64_t begin, int64_t end) {
                                      for (int64_t l = begin; l < end; ++l) {
                                          T* element = output.as<T>() + lines.begin(l, lines.length);
                                          T total = T(Wide<T>(Multiplies ? 1 : 0));
                                          for (int64_t k = 0; k < lines.length; ++k, element += lines.inner) {
                                              T next = Multiplies ? wrapping_product(total, *element)
                                                                  : wrapping_sum(total, *element);
                                              *element = exclusive ? total : next;
                                              total = next;
                                          }
                                      }
                                  });
    });
    return Nothing();
}

template <bool Multiplies>
OpRecord scan_op(std::string name, std::string summary) {
    OpRecord op = line_op(std::move(name), std::move(summary), scan_relation, scan_kernel<Multiplies>);
    op.c_loops = [](const CLoops& loops) { return scan_in_c(loops, Multiplies); };
    op.attributes = {
        none_field("axis", AttributeKind::Object, "the axis; None: over the flat data"),
        optional_field("dtype", AttributeKind::DType, kVoid, "the result's data type; default: the data's"),
        bool_field("exclusive", false, "each element counts only those before it")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { " + op.name + "(%x, axis=1) }";
    return op;
}

// ---- reverse_sequence ----

Result<TypeId> reverse_sequence_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::span<const int64_t> data = query.types.shape(query.arguments[0]),
                             lengths = query.types.shape(query.arguments[1]);
    if (!query.types.dtype(query.arguments[1]).is_integer()) return error("the lengths must be integers");
    auto axis = checked_axis(optional_integer(query.attributes, "seq_axis").value_or(1), data.size());
    if (axis) axis = checked_axis(optional_integer(query.attributes, "batch_axis").value_or(0), data.size());
    if (!axis) return axis.error();
    int64_t batch =
        data[size_t(*normalized_axis(optional_integer(query.attributes, "batch_axis").value_or(0), data.size()))];
    if (lengths.size() != 1 || (lengths[0] != batch && lengths[0] != kDynamicDim && batch != kDynamicDim))
        return error("the lengths must be a vector of " + std::to_string(batch) + " elements, not of shape " +
                     shape_to_string(lengths));
    return query.arguments[0];
}

Status reverse_sequence_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &output = call.outputs[0];
    int64_t axis = *normalized_axis(optional_integer(call.attributes, "seq_axis").value_or(1), data.shape.size());
    int64_t batch_axis =
        *normalized_axis(optional_integer(call.attributes, "batch_axis").value_or(0), data.shape.size());
    std::vector<int64_t> lengths = index_values(call.inputs[1]);
    Lines lines = lines_along(data.shape, axis);
    int64_t batch_stride = 1;
    for (size_t i = size_t(batch_axis) + 1; i < data.shape.size(); ++i) batch_stride *= data.shape[i];
    bool known = with_element_size(output.dtype.bytes(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (int64_t l = 0; l < lines.count; ++l) {
            int64_t begin = lines.begin(l, lines.length);
            for (int64_t k = 0; k < lines.length; ++k) {
                int64_t at = begin + k * lines.inner;
                int64_t length = std::clamp<int64_t>(
                    lengths[size_t(at / batch_stride % data.shape[size_t(batch_axis)])], 0, lines.length);
                int64_t source = k < length ? begin + (length - 1 - k) * lines.inner : at;
                output.as<T>()[at] = data.as<T>()[source];
            }
        }
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

OpRecord reverse_sequence() {
    OpRecord op = line_op("reverse_sequence", "The first part of each sequence turned round, as long as its length.",
                          reverse_sequence_relation, reverse_sequence_kernel);
    op.inputs = {"data", "seq_lengths"};
    op.c_loops = reverse_sequence_in_c;
    op.pattern = OpPattern::Injective;
    op.attributes = {optional_field("seq_axis", AttributeKind::Object, 1, "the axis of the sequences"),
                     optional_field("batch_axis", AttributeKind::Object, 0, "the axis of the lengths")};
    op.example =
        "fn (%x: Tensor[(2, 4), float32], %n: Tensor[(2), int32]) { reverse_sequence(%x, %n, seq_axis=1, batch_axis=0) "
        "}";
    return op;
}

// ---- unravel_index ----

Result<TypeId> unravel_index_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    for (size_t i : {0, 1})
        if (!types.dtype(query.arguments[i]).is_integer()) return error("indices and shape must be integers");
    std::vector<int64_t> indices = shape_copy(types, query.arguments[0]), shape = shape_copy(types, query.arguments[1]);
    if (shape.size() != 1) return error("the shape must be a vector, not of rank " + std::to_string(shape.size()));
    if (indices.size() > 1)
        return error("the indices must be a vector or a scalar, not of rank " + std::to_string(indices.size()));
    std::vector<int64_t> result{shape[0]};
    if (!indices.empty()) result.push_back(indices[0]);
    return checked_tensor(types, types.dtype(query.arguments[0]), result);
}

Status unravel_index_kernel(const KernelCall& call) {
    std::vector<int64_t> indices = index_values(call.inputs[0]), shape = index_values(call.inputs[1]);
    const TensorView& output = call.outputs[0];
    for (int64_t dim : shape)
        if (dim <= 0) return error("the shape must not have the dimension " + std::to_string(dim));
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (size_t i = 0; i < indices.size(); ++i) {
            int64_t rest = indices[i];
            for (size_t d = shape.size(); d-- > 0;) {
                output.as<T>()[d * indices.size() + i] = convert_element<T>(rest % shape[d]);
                rest /= shape[d];
            }
        }
    });
    return Nothing();
}

OpRecord unravel_index() {
    OpRecord op = line_op("unravel_index", "The coordinates that flat indices stand for in a shape.",
                          unravel_index_relation, unravel_index_kernel);
    op.inputs = {"data", "shape"};
    op.c_loops = unravel_index_in_c;
    op.pattern = OpPattern::Injective;
    op.example = "fn (%i: Tensor[(3), int32], %s: Tensor[(2), int32]) { unravel_index(%i, %s) }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_sort_ops() {
    return {sort_op("sort", "Elements in order along an axis.", sort_relation, sort_kernel<false>, sort_in_c<false>),
            sort_op("argsort", "Where the elements in order along an axis stand.", argsort_relation, sort_kernel<true>,
                    sort_in_c<true>),
            topk(),
            scan_op<false>("cumsum", "Sums of all elements up to each one along an axis."),
            scan_op<true>("cumprod", "Products of all elements up to each one along an axis."),
            reverse_sequence(),
            unravel_index()};
}

}  // namespace partita
