// Source: TVM 0.9, src/relay/op/nn/pooling.cc and topi/nn/pooling.h.
#include <algorithm>

#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/layout.h"
#include "engine/ops/pooling_c.h"
#include "engine/ops/pooling_kernel.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"
#include "engine/ops/window.h"

namespace partita {

namespace {

constexpr const char* kSpatialAxes[] = {"", "W", "HW", "DHW"};
constexpr const char* kPlainLayouts[] = {"", "NCW", "NCHW", "NCDHW"};

/// Returns the positions of the spatial axes in the layout. They must exist and not be blocked; other axes may be.
Result<std::vector<size_t>> spatial_positions(const AttributesView& attributes, size_t rank, size_t data_rank) {
    auto layout = Layout::parse(attributes.string("layout"));
    if (!layout) return layout.error();
    const std::string& out = attributes.string("out_layout");
    if (!out.empty() && out != layout->text()) return error("out_layout must be the same as layout");
    if (layout->rank() != data_rank)
        return error("layout " + layout->text() + " does not fit data of rank " + std::to_string(data_rank));
    std::vector<size_t> positions;
    for (const char* axis = kSpatialAxes[rank]; *axis; ++axis) {
        int position = layout->position(*axis);
        if (position < 0 || layout->block_of(*axis) != 1)
            return error("layout " + layout->text() + " must have an undivided axis " + std::string(1, *axis));
        positions.push_back(size_t(position));
    }
    return positions;
}

template <size_t rank>
Result<TypeId> pool_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto positions = spatial_positions(query.attributes, rank, data.size());
    if (!positions) return positions.error();
    auto size = checked_integers(query.attributes, "pool_size", rank, 1);
    if (!size) return size.error();
    auto window = read_window(query.attributes, *size, rank);
    if (!window) return window.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t i = 0; i < rank; ++i) {
        int64_t& extent = shape[(*positions)[i]];
        auto count = window_count(*window, 3 - rank + i, extent, query.attributes.boolean("ceil_mode"));
        if (!count) return count.error();
        extent = *count;
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

Result<TypeId> global_pool_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto positions = spatial_positions(query.attributes, 2, data.size());
    if (!positions) return positions.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t position : *positions) shape[position] = 1;
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

template <size_t rank>
Result<TypeId> adaptive_pool_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto positions = spatial_positions(query.attributes, rank, data.size());
    if (!positions) return positions.error();
    size_t given = query.attributes.integers("output_size").size();
    if (given > 1 && given != rank)
        return error("output_size must have no, 1 or " + std::to_string(rank) + " elements, not " +
                     std::to_string(given));
    auto sizes = checked_integers(query.attributes, "output_size", given, 1);
    if (!sizes) return sizes.error();
    std::vector<int64_t> shape(data.begin(), data.end());
    for (size_t i = 0; i < rank && given > 0; ++i) shape[(*positions)[i]] = (*sizes)[given == 1 ? 0 : i];
    return checked_tensor(types, types.dtype(query.arguments[0]), shape);
}

// ---- Kernels ----

/// Returns the data that a window covers along an axis, without the padding.
PoolRange window_range(const Window& window, size_t axis, int64_t index, int64_t extent, bool count_padding) {
    int64_t dilation = window.dilation[axis];
    int64_t start = index * window.stride[axis] - window.pad_before[axis];
    int64_t last = start + (window.size[axis] - 1) * dilation;
    PoolRange range;
    range.step = dilation;
    range.first = start < 0 ? start + (-start + dilation - 1) / dilation * dilation : start;
    int64_t last_inside = std::min(last, extent - 1);
    range.count = range.first > last_inside ? 0 : (last_inside - range.first) / dilation + 1;
    range.divisor = range.count;
    if (count_padding) {
        // Elements that ceil_mode adds at the end do not count.
        int64_t last_counted = std::min(last, extent + window.pad_after[axis] - 1);
        range.divisor = std::max<int64_t>(1, (last_counted - start) / dilation + 1);
    }
    return range;
}

/// Returns the i-th of `count` windows that cover an extent, overlapping if it is not a multiple.
PoolRange covering_range(int64_t index, int64_t count, int64_t extent) {
    int64_t begin = index * extent / count;
    int64_t end = ((index + 1) * extent + count - 1) / count;
    return {begin, 1, end - begin, end - begin};
}

/// Returns the loops over all but the spatial axes; the caller fills in the spatial axes' ranges.
Pooling pooling_over(std::span<const int64_t> data, std::span<const int64_t> result,
                     std::span<const size_t> positions) {
    Pooling pooling;
    std::vector<int64_t> data_strides = row_major_strides(data), result_strides = row_major_strides(result);
    for (size_t position : positions) pooling.axes.push_back({data_strides[position], result_strides[position], {}});
    size_t last_spatial = *std::max_element(positions.begin(), positions.end());
    for (size_t d = last_spatial + 1; d < data.size(); ++d) pooling.inner *= data[d];
    pooling.data_slices = pooling.result_slices = {0};
    for (size_t d = 0; d < last_spatial; ++d) {
        if (std::find(positions.begin(), positions.end(), d) != positions.end()) continue;
        std::vector<int64_t> data_slices, result_slices;
        for (size_t i = 0; i < pooling.data_slices.size(); ++i)
            for (int64_t index = 0; index < data[d]; ++index) {
                data_slices.push_back(pooling.data_slices[i] + index * data_strides[d]);
                result_slices.push_back(pooling.result_slices[i] + index * result_strides[d]);
            }
        pooling.data_slices = std::move(data_slices);
        pooling.result_slices = std::move(result_slices);
    }
    return pooling;
}

template <class T>
Status pool_as(const KernelCall& call, const Pooling& pooling) {
    ConvertedInput<T> data(call.inputs[0], call.threads);
    ConvertedOutput<T> result(call.outputs[0]);
    if (!data.data() || !result.data()) return unsupported_types(call);
    pool(pooling, data.data(), result.data(), call.threads);
    result.store(call.threads);
    return Nothing();
}

Status pool_in_type(const KernelCall& call, const Pooling& pooling) {
    DataType dtype = call.inputs[0].dtype;
    if (call.outputs[0].size() == 0) return Nothing();
    if (dtype == kFloat64) return pool_as<double>(call, pooling);
    if (dtype.is_float()) return pool_as<float>(call, pooling);
    if (dtype.bits < 32) return pool_as<int32_t>(call, pooling);
    if (dtype == kUInt64) return unsupported_types(call);
    return pool_as<int64_t>(call, pooling);
}

template <size_t rank, bool maximum>
Status pool_kernel(const KernelCall& call) {
    std::span<const int64_t> data = call.inputs[0].shape, result = call.outputs[0].shape;
    auto positions = spatial_positions(call.attributes, rank, data.size());
    if (!positions) return positions.error();
    auto window = read_window(call.attributes, call.attributes.integers("pool_size"), rank);
    if (!window) return window.error();
    Pooling pooling = pooling_over(data, result, *positions);
    pooling.maximum = maximum;
    bool count_padding = !maximum && call.attributes.boolean("count_include_pad");
    for (size_t a = 0; a < rank; ++a)
        for (int64_t index = 0; index < result[(*positions)[a]]; ++index)
            pooling.axes[a].ranges.push_back(
                window_range(*window, 3 - rank + a, index, data[(*positions)[a]], count_padding));
    return pool_in_type(call, pooling);
}

/// For global and adaptive pools: the result's extents are the numbers of windows that cover the data.
template <size_t rank, bool maximum>
Status covering_pool_kernel(const KernelCall& call) {
    std::span<const int64_t> data = call.inputs[0].shape, result = call.outputs[0].shape;
    auto positions = spatial_positions(call.attributes, rank, data.size());
    if (!positions) return positions.error();
    Pooling pooling = pooling_over(data, result, *positions);
    pooling.maximum = maximum;
    for (size_t a = 0; a < rank; ++a) {
        int64_t count = result[(*positions)[a]];
        for (int64_t index = 0; index < count; ++index)
            pooling.axes[a].ranges.push_back(covering_range(index, count, data[(*positions)[a]]));
    }
    return pool_in_type(call, pooling);
}

// ---- C ----

template <size_t rank, bool maximum>
Status pool_in_c(const CLoops& loops) {
    auto positions = spatial_positions(loops.attributes, rank, loops.inputs[0].shape.size());
    if (!positions) return positions.error();
    auto window = read_window(loops.attributes, loops.attributes.integers("pool_size"), rank);
    if (!window) return window.error();
    return write_pooling_in_c(
        loops, {maximum, *positions, *window, !maximum && loops.attributes.boolean("count_include_pad")});
}

template <size_t rank, bool maximum>
Status covering_pool_in_c(const CLoops& loops) {
    auto positions = spatial_positions(loops.attributes, rank, loops.inputs[0].shape.size());
    if (!positions) return positions.error();
    return write_pooling_in_c(loops, {maximum, *positions, std::nullopt, false});
}

// ---- Records ----

double element_count_of(const TypeTable& types, TypeId type) {
    double count = 1;
    for (int64_t dim : types.shape(type)) count *= double(dim);
    return count;
}

double pool_flops(const TypeTable& types, std::span<const TypeId>, TypeId result, const AttributesView& attributes) {
    double count = element_count_of(types, result);
    for (int64_t size : attributes.integers("pool_size")) count *= double(size);
    return count;
}

/// For pools whose windows cover the input once.
double covering_pool_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
    return element_count_of(types, arguments[0]);
}

void append_pool_layout(std::vector<AttributeField>& fields, size_t rank) {
    using enum AttributeKind;
    fields.push_back(optional_field("layout", String, kPlainLayouts[rank], "order of the data's dimensions"));
    fields.push_back(optional_field("out_layout", String, "", "order of the result's dimensions; empty: as layout"));
}

OpRecord pool_record(std::string name, std::string summary, std::string example) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = {"data"};
    record.pattern = OpPattern::Complex;
    record.example = std::move(example);
    return record;
}

std::string spatial_words(size_t rank) {
    return std::to_string(rank) + (rank == 1 ? " spatial axis" : " spatial axes");
}

template <size_t rank>
OpRecord window_pool(bool maximum, std::string example) {
    using enum AttributeKind;
    OpRecord record =
        pool_record(std::string("nn.") + (maximum ? "max" : "avg") + "_pool" + std::to_string(rank) + "d",
                    std::string(maximum ? "Maximum" : "Mean") + " of windows over " + spatial_words(rank) + ".",
                    std::move(example));
    record.attributes = {
        required_field("pool_size", IntegerList, "extents of the window"),
        optional_field("strides", IntegerList, repeated(rank, 1), "how far the window moves"),
        optional_field("dilation", IntegerList, repeated(rank, 1), "distance of the window's elements"),
        optional_field("padding", IntegerList, repeated(rank, 0), "padding: one value, one for each axis or each side"),
    };
    append_pool_layout(record.attributes, rank);
    record.attributes.push_back(optional_field("ceil_mode", Bool, false, "whether a last, incomplete window counts"));
    if (!maximum)
        record.attributes.push_back(
            optional_field("count_include_pad", Bool, false, "whether padding counts in the divisor"));
    record.relation = pool_relation<rank>;
    record.kernel = maximum ? pool_kernel<rank, true> : pool_kernel<rank, false>;
    record.c_loops = maximum ? pool_in_c<rank, true> : pool_in_c<rank, false>;
    record.flops = pool_flops;
    return record;
}

OpRecord global_pool(bool maximum) {
    OpRecord record = pool_record(std::string("nn.global_") + (maximum ? "max" : "avg") + "_pool2d",
                                  std::string(maximum ? "Maximum" : "Mean") + " of each channel.",
                                  std::string("fn (%x: Tensor[(1, 3, 4, 5), float32]) { nn.global_") +
                                      (maximum ? "max" : "avg") + "_pool2d(%x) }");
    append_pool_layout(record.attributes, 2);
    record.relation = global_pool_relation;
    record.kernel = maximum ? covering_pool_kernel<2, true> : covering_pool_kernel<2, false>;
    record.c_loops = maximum ? covering_pool_in_c<2, true> : covering_pool_in_c<2, false>;
    record.flops = covering_pool_flops;
    return record;
}

template <size_t rank>
OpRecord adaptive_pool(bool maximum, std::string example) {
    OpRecord record =
        pool_record(std::string("nn.adaptive_") + (maximum ? "max" : "avg") + "_pool" + std::to_string(rank) + "d",
                    std::string(maximum ? "Maximum" : "Mean") +
                        " of as many windows as the result has elements, over " + spatial_words(rank) + ".",
                    std::move(example));
    record.attributes.push_back(optional_field("output_size", AttributeKind::IntegerList, AttributeValue::List(),
                                               "extents of the result; empty: as the data"));
    append_pool_layout(record.attributes, rank);
    record.relation = adaptive_pool_relation<rank>;
    record.kernel = maximum ? covering_pool_kernel<rank, true> : covering_pool_kernel<rank, false>;
    record.c_loops = maximum ? covering_pool_in_c<rank, true> : covering_pool_in_c<rank, false>;
    record.flops = covering_pool_flops;
    return record;
}

}  // namespace

std::vector<OpRecord> nn_pool_ops() {
    return {
        window_pool<1>(true, "fn (%x: Tensor[(1, 2, 9), float32]) { nn.max_pool1d(%x, pool_size=[3], strides=[2]) }"),
        window_pool<2>(true,
                       "fn (%x: Tensor[(1, 2, 7, 7), float32]) "
                       "{ nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1]) }"),
        window_pool<3>(true, "fn (%x: Tensor[(1, 2, 4, 4, 4), float32]) { nn.max_pool3d(%x, pool_size=[2, 2, 2]) }"),
        window_pool<1>(false, "fn (%x: Tensor[(1, 2, 9), float32]) { nn.avg_pool1d(%x, pool_size=[3], strides=[2]) }"),
        window_pool<2>(false,
                       "fn (%x: Tensor[(1, 2, 7, 7), float32]) "
                       "{ nn.avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1]) }"),
        window_pool<3>(false, "fn (%x: Tensor[(1, 2, 4, 4, 4), float32]) { nn.avg_pool3d(%x, pool_size=[2, 2, 2]) }"),
        global_pool(true),
        global_pool(false),
        adaptive_pool<1>(true, "fn (%x: Tensor[(1, 2, 7), float32]) { nn.adaptive_max_pool1d(%x, output_size=[3]) }"),
        adaptive_pool<2>(true,
                         "fn (%x: Tensor[(1, 2, 7, 5), float32]) { nn.adaptive_max_pool2d(%x, output_size=[3, 2]) }"),
        adaptive_pool<3>(
            true, "fn (%x: Tensor[(1, 2, 4, 4, 4), float32]) { nn.adaptive_max_pool3d(%x, output_size=[2, 2, 2]) }"),
        adaptive_pool<1>(false, "fn (%x: Tensor[(1, 2, 7), float32]) { nn.adaptive_avg_pool1d(%x, output_size=[3]) }"),
        adaptive_pool<2>(false,
                         "fn (%x: Tensor[(1, 2, 7, 5), float32]) { nn.adaptive_avg_pool2d(%x, output_size=[3, 2]) }"),
        adaptive_pool<3>(
            false, "fn (%x: Tensor[(1, 2, 4, 4, 4), float32]) { nn.adaptive_avg_pool3d(%x, output_size=[2, 2, 2]) }"),
    };
}

}  // namespace partita
