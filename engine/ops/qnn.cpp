// Ops on quantized tensors. Source: TVM 0.9, src/relay/qnn/op. Kernels compute exactly what TVM's canonicalization to
// integer ops computes; convolution and dense do it by subtracting the zero points first and calling the plain kernel.
#include <algorithm>
#include <cmath>

#include "engine/ops/broadcast.h"
#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/families.h"
#include "engine/ops/layout.h"
#include "engine/ops/qnn_c.h"
#include "engine/ops/quantization.h"
#include "engine/ops/registry.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

// ---- Checks of types ----

bool is_one_of(DataType dtype, std::initializer_list<DataType> list) {
    return std::find(list.begin(), list.end(), dtype) != list.end();
}

/// Requires a scale or zero point: a scalar, or a vector with an element for each channel.
Status require_parameter(const TypeQuery& query, size_t index, DataType dtype, int64_t channels) {
    TypeId type = query.arguments[index];
    const std::string& name = query.attributes.op().inputs[index];
    if (!(query.types.dtype(type) == dtype))
        return error(name + " must be of type " + dtype.to_string() + ", not " + query.types.dtype(type).to_string());
    std::span<const int64_t> shape = query.types.shape(type);
    bool fits = shape.empty() || (shape.size() == 1 && (shape[0] == channels || shape[0] == 1));
    if (!fits)
        return error(name + " must be a scalar or a vector of " + std::to_string(channels) +
                     " elements, not of shape " + shape_to_string(shape));
    return Nothing();
}

Status require_scalar(const TypeQuery& query, size_t index, DataType dtype) {
    TypeId type = query.arguments[index];
    if (query.types.dtype(type) == dtype && query.types.shape(type).empty()) return Nothing();
    return error(query.attributes.op().inputs[index] + " must be a scalar of type " + dtype.to_string() + ", not " +
                 query.types.to_string(type));
}

/// Returns the size of the axis along which scales may vary; 1 for a scalar.
Result<int64_t> channels_along(std::span<const int64_t> shape, int64_t axis) {
    if (shape.empty()) return int64_t(1);
    auto normal = checked_axis(axis, shape.size());
    if (!normal) return normal.error();
    return shape[size_t(*normal)];
}

Result<TypeId> elementwise_type(const TypeQuery& query, DataType dtype, std::initializer_list<DataType> allowed) {
    if (!is_one_of(dtype, allowed))
        return error("the result can't be of type " + (dtype.is_void() ? "void" : dtype.to_string()));
    return checked_tensor(query.types, dtype, shape_copy(query.types, query.arguments[0]));
}

Status require_scale_and_zero(const TypeQuery& query, size_t first) {
    auto channels = channels_along(query.types.shape(query.arguments[0]), query.attributes.integer("axis"));
    if (!channels) return channels.error();
    if (Status scale = require_parameter(query, first, kFloat32, *channels); !scale) return scale;
    return require_parameter(query, first + 1, kInt32, *channels);
}

Result<TypeId> quantize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    DataType dtype = query.types.dtype(query.arguments[0]);
    if (!(dtype == kFloat32)) return error("the data must be float32, not " + dtype.to_string());
    if (Status parameters = require_scale_and_zero(query, 1); !parameters) return parameters.error();
    return elementwise_type(query, query.attributes.dtype("out_dtype"), {kInt8, kUInt8, kInt16, kInt32});
}

Result<TypeId> dequantize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    DataType dtype = query.types.dtype(query.arguments[0]);
    if (!is_one_of(dtype, {kInt8, kUInt8, kInt16, kInt32}))
        return error("the data can't be of type " + dtype.to_string());
    if (Status parameters = require_scale_and_zero(query, 1); !parameters) return parameters.error();
    return elementwise_type(query, kFloat32, {kFloat32});
}

Result<TypeId> requantize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    DataType dtype = query.types.dtype(query.arguments[0]);
    if (!is_one_of(dtype, {kInt8, kUInt8, kInt32, kInt64}))
        return error("the data can't be of type " + dtype.to_string());
    if (Status parameters = require_scale_and_zero(query, 1); !parameters) return parameters.error();
    if (Status scale = require_scalar(query, 3, kFloat32); !scale) return scale.error();
    if (Status zero = require_scalar(query, 4, kInt32); !zero) return zero.error();
    return elementwise_type(query, query.attributes.dtype("out_dtype"), {kInt8, kUInt8, kInt16, kInt32});
}

// ---- quantize, dequantize, requantize ----

/// Calls body(begin, end, channel) for runs of elements of one channel.
template <class Body>
void for_each_channel_run(int64_t size, const ChannelShape& shape, ThreadPool& threads, const Body& body) {
    threads.parallel_for(size, kCostlyGrain * 4, [&](int64_t begin, int64_t end) {
        while (begin < end) {
            int64_t stop = shape.channels == 1 ? end : std::min(end, (begin / shape.inner + 1) * shape.inner);
            body(begin, stop, shape.channel_of(begin));
            begin = stop;
        }
    });
}

Status quantize_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &output = call.outputs[0];
    Quantization to = Quantization::read(call.inputs[1], call.inputs[2]);
    ChannelShape channels = channel_shape(data.shape, call.attributes.integer("axis"), to.channels());
    IntegerRange range = range_of(output.dtype);
    float lowest = float(range.lowest), highest = float(range.highest);
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            for_each_channel_run(output.size(), channels, call.threads,
                                 [&](int64_t begin, int64_t end, size_t channel) {
                                     float scale = to.scale(channel), zero = float(to.zero_point(channel));
                                     for (int64_t i = begin; i < end; ++i) {
                                         float value = std::round(data.as<float>()[i] / scale) + zero;
                                         value = value < highest ? value : highest;
                                         output.as<T>()[i] = saturate<T>(value > lowest ? value : lowest);
                                     }
                                 });
    });
    return Nothing();
}

Status dequantize_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &output = call.outputs[0];
    Quantization from = Quantization::read(call.inputs[1], call.inputs[2]);
    ChannelShape channels = channel_shape(data.shape, call.attributes.integer("axis"), from.channels());
    with_element_type(data.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            for_each_channel_run(
                output.size(), channels, call.threads, [&](int64_t begin, int64_t end, size_t channel) {
                    float scale = from.scale(channel);
                    uint32_t zero = uint32_t(from.zero_point(channel));
                    for (int64_t i = begin; i < end; ++i)
                        output.as<float>()[i] = float(int32_t(uint32_t(data.as<T>()[i]) - zero)) * scale;
                });
    });
    return Nothing();
}

/// Requantizes a tensor of any integer type into one of another, clipped to its range.
void requantize_tensor(const Requantizer& requantizer, const ChannelShape& channels, const TensorView& data,
                       const TensorView& output, ThreadPool& threads) {
    IntegerRange range = range_of(output.dtype);
    with_element_type(data.dtype, [&](auto from_tag) {
        using From = typename decltype(from_tag)::type;
        if constexpr (std::is_integral_v<From>)
            with_element_type(output.dtype, [&](auto to_tag) {
                using To = typename decltype(to_tag)::type;
                if constexpr (std::is_integral_v<To>)
                    for_each_channel_run(
                        output.size(), channels, threads, [&](int64_t begin, int64_t end, size_t channel) {
                            for (int64_t i = begin; i < end; ++i) {
                                int32_t number = requantizer(int32_t(data.as<From>()[i]), channel);
                                output.as<To>()[i] = To(std::clamp(number, range.lowest, range.highest));
                            }
                        });
            });
    });
}

Status requantize_kernel(const KernelCall& call) {
    Quantization from = Quantization::read(call.inputs[1], call.inputs[2]);
    auto requantizer = Requantizer::make(from, *call.inputs[3].as<float>(), *call.inputs[4].as<int32_t>(),
                                         call.attributes.string("rounding"), call.attributes.string("compute_dtype"));
    if (!requantizer) return requantizer.error();
    ChannelShape channels = channel_shape(call.inputs[0].shape, call.attributes.integer("axis"), from.channels());
    requantize_tensor(*requantizer, channels, call.inputs[0], call.outputs[0], call.threads);
    return Nothing();
}

// ---- add, subtract, mul ----

Result<TypeId> binary_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    const char* axes[] = {"lhs_axis", "rhs_axis"};
    for (size_t side : {0, 1}) {
        DataType dtype = query.types.dtype(query.arguments[side]);
        if (!is_one_of(dtype, {kInt8, kUInt8, kInt16, kInt32}))
            return error("the operands can't be of type " + dtype.to_string());
        auto channels = channels_along(query.types.shape(query.arguments[side]), query.attributes.integer(axes[side]));
        if (!channels) return channels.error();
        if (Status scale = require_parameter(query, 2 + 2 * side, kFloat32, *channels); !scale) return scale.error();
        if (Status zero = require_parameter(query, 3 + 2 * side, kInt32, *channels); !zero) return zero.error();
    }
    if (Status scale = require_scalar(query, 6, kFloat32); !scale) return scale.error();
    if (Status zero = require_scalar(query, 7, kInt32); !zero) return zero.error();
    TypeTable& types = query.types;
    DataType left = types.dtype(query.arguments[0]), right = types.dtype(query.arguments[1]);
    if (!(left == right))
        return error("the operands' data types " + left.to_string() + " and " + right.to_string() + " differ");
    auto shape = broadcast_shapes(types.shape(query.arguments[0]), types.shape(query.arguments[1]));
    if (!shape) return shape.error();
    return checked_tensor(types, left, *shape);
}

/// Returns the elements of a tensor in a common quantization, as 32-bit integers.
std::vector<int32_t> requantized_numbers(const Requantizer& requantizer, const ChannelShape& channels,
                                         const TensorView& data, ThreadPool& threads) {
    std::vector<int32_t> numbers(size_t(data.size()));
    requantize_tensor(requantizer, channels, data, {numbers.data(), kInt32, data.shape}, threads);
    return numbers;
}

/// Returns the sum, difference or product of two 32-bit integers, which wraps.
using Combine = int32_t (*)(int32_t left, int32_t right);

/// Combines two tensors of 32-bit integers by broadcasting.
std::vector<int32_t> combined(const std::vector<int32_t>& left, std::span<const int64_t> left_shape,
                              const std::vector<int32_t>& right, std::span<const int64_t> right_shape,
                              const TensorView& output, Combine combine, ThreadPool& threads) {
    std::vector<int32_t> numbers(size_t(output.size()));
    const std::span<const int64_t> shapes[] = {left_shape, right_shape};
    BroadcastPlan plan(output.shape, shapes);
    const BroadcastSteps steps = plan.strides.back();
    for_each_row(plan, threads, kCheapGrain, [&](const BroadcastSteps& offsets, int64_t position, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
            numbers[size_t(position + i)] =
                combine(left[size_t(offsets[0] + i * steps[0])], right[size_t(offsets[1] + i * steps[1])]);
    });
    return numbers;
}

void write_clipped(const std::vector<int32_t>& numbers, int32_t offset, const TensorView& output) {
    IntegerRange range = range_of(output.dtype);
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            for (size_t i = 0; i < numbers.size(); ++i)
                output.as<T>()[i] =
                    T(std::clamp(int32_t(uint32_t(numbers[i]) + uint32_t(offset)), range.lowest, range.highest));
    });
}

template <bool Subtracts>
Status add_kernel(const KernelCall& call) {
    const TensorView& output = call.outputs[0];
    float scale = *call.inputs[6].as<float>();
    int32_t zero = *call.inputs[7].as<int32_t>();
    const char* axes[] = {"lhs_axis", "rhs_axis"};
    std::vector<int32_t> numbers[2];
    for (size_t side : {0, 1}) {
        const TensorView& data = call.inputs[side];
        Quantization from = Quantization::read(call.inputs[2 + 2 * side], call.inputs[3 + 2 * side]);
        auto requantizer = Requantizer::make(from, scale, zero, "None", "None");
        if (!requantizer) return requantizer.error();
        ChannelShape channels = channel_shape(data.shape, call.attributes.integer(axes[side]), from.channels());
        numbers[side] = requantized_numbers(*requantizer, channels, data, call.threads);
    }
    Combine combine = Subtracts ? Combine([](int32_t a, int32_t b) { return int32_t(uint32_t(a) - uint32_t(b)); })
                                : Combine([](int32_t a, int32_t b) { return int32_t(uint32_t(a) + uint32_t(b)); });
    auto result =
        combined(numbers[0], call.inputs[0].shape, numbers[1], call.inputs[1].shape, output, combine, call.threads);
    // Both operands include the output's zero point.
    write_clipped(result, Subtracts ? zero : int32_t(0u - uint32_t(zero)), output);
    return Nothing();
}

Status mul_kernel(const KernelCall& call) {
    const TensorView& output = call.outputs[0];
    Quantization left = Quantization::read(call.inputs[2], call.inputs[3]),
                 right = Quantization::read(call.inputs[4], call.inputs[5]);
    int64_t left_axis = call.attributes.integer("lhs_axis"), right_axis = call.attributes.integer("rhs_axis");
    bool per_channel = left.scales.size() > 1 || right.scales.size() > 1;
    if (per_channel && left_axis != right_axis)
        return error("qnn.mul with scales along different axes is not supported on default");
    const char* axes[] = {"lhs_axis", "rhs_axis"};
    std::vector<int32_t> numbers[2];
    for (size_t side : {0, 1}) {
        const TensorView& data = call.inputs[side];
        Quantization centered = side == 0 ? left : right;
        centered.scales = {1.0f};
        auto requantizer = Requantizer::make(centered, 1.0f, 0, "None", "None");
        if (!requantizer) return requantizer.error();
        ChannelShape channels = channel_shape(data.shape, call.attributes.integer(axes[side]), centered.channels());
        numbers[side] = requantized_numbers(*requantizer, channels, data, call.threads);
    }
    Combine combine = [](int32_t a, int32_t b) { return int32_t(uint32_t(a) * uint32_t(b)); };
    auto products =
        combined(numbers[0], call.inputs[0].shape, numbers[1], call.inputs[1].shape, output, combine, call.threads);
    Quantization product{{}, {0}};
    for (size_t i = 0; i < std::max(left.scales.size(), right.scales.size()); ++i)
        product.scales.push_back(left.scale(i) * right.scale(i));
    auto requantizer =
        Requantizer::make(product, *call.inputs[6].as<float>(), *call.inputs[7].as<int32_t>(), "None", "None");
    if (!requantizer) return requantizer.error();
    requantize_tensor(*requantizer, channel_shape(output.shape, left_axis, product.channels()),
                      {products.data(), kInt32, output.shape}, output, call.threads);
    return Nothing();
}

// ---- concatenate ----

Result<TypeId> concatenate_relation(const TypeQuery& query) {
    const OpRecord& plain = op_registry()[op_registry().find("concatenate")];
    auto fields = tuple_of_tensors(query, 0), scales = tuple_of_tensors(query, 1), zeros = tuple_of_tensors(query, 2);
    for (auto* tuple : {&fields, &scales, &zeros})
        if (!*tuple) return tuple->error();
    if (scales->size() != fields->size() || zeros->size() != fields->size())
        return error("there must be a scale and a zero point for each of the " + std::to_string(fields->size()) +
                     " tensors");
    auto all_scalars = [&](const std::vector<TypeId>& list, DataType dtype) {
        return std::all_of(list.begin(), list.end(), [&](TypeId type) {
            return query.types.dtype(type) == dtype && query.types.shape(type).empty();
        });
    };
    if (!all_scalars(*scales, kFloat32)) return error("the scales must be scalars of type float32");
    if (!all_scalars(*zeros, kInt32)) return error("the zero points must be scalars of type int32");
    for (TypeId field : *fields)
        if (!is_one_of(query.types.dtype(field), {kInt8, kUInt8, kInt32}))
            return error("the tensors can't be of type " + query.types.dtype(field).to_string());
    for (size_t i : {3, 4})
        if (!query.types.is_tensor(query.arguments[i]))
            return error(query.attributes.op().inputs[i] + " must be a scalar");
    if (Status scale = require_scalar(query, 3, kFloat32); !scale) return scale.error();
    if (Status zero = require_scalar(query, 4, kInt32); !zero) return zero.error();
    return plain.relation({query.types, query.arguments.first(1), query.attributes});
}

Status concatenate_kernel(const KernelCall& call) {
    size_t count = (call.inputs.size() - 2) / 3;
    float scale = *call.inputs[3 * count].as<float>();
    int32_t zero = *call.inputs[3 * count + 1].as<int32_t>();
    std::vector<Tensor> requantized;
    std::vector<TensorView> views;
    for (size_t i = 0; i < count; ++i) {
        const TensorView& data = call.inputs[i];
        Quantization from = Quantization::read(call.inputs[count + i], call.inputs[2 * count + i]);
        auto requantizer = Requantizer::make(from, scale, zero, "None", "None");
        if (!requantizer) return requantizer.error();
        requantized.emplace_back(data.dtype, std::vector<int64_t>(data.shape.begin(), data.shape.end()));
        views.push_back({requantized.back().bytes(), data.dtype, data.shape});
        requantize_tensor(*requantizer, {}, data, views.back(), call.threads);
    }
    const OpRecord& plain = op_registry()[op_registry().find("concatenate")];
    return plain.kernel({views, call.outputs, call.attributes, call.threads});
}

// ---- conv2d, dense ----

/// Returns the result type of the plain op for operands of these types, after checking scales and zero points.
Result<TypeId> product_relation(const TypeQuery& query, const char* plain_name, int64_t out_channels) {
    DataType data = query.types.dtype(query.arguments[0]), weight = query.types.dtype(query.arguments[1]);
    DataType result = query.attributes.dtype("out_dtype");
    if (!is_one_of(data, {kInt8, kUInt8, kInt16})) return error("the data can't be of type " + data.to_string());
    if (!is_one_of(weight, {kInt8, kUInt8})) return error("the weight can't be of type " + weight.to_string());
    if (!is_one_of(result, {kInt16, kInt32, kInt64}))
        return error("out_dtype must be int16, int32 or int64, not \"" + result.to_string() + "\"");
    if (Status zero = require_scalar(query, 2, kInt32); !zero) return zero.error();
    if (Status zero = require_parameter(query, 3, kInt32, out_channels); !zero) return zero.error();
    if (Status scale = require_scalar(query, 4, kFloat32); !scale) return scale.error();
    if (Status scale = require_parameter(query, 5, kFloat32, out_channels); !scale) return scale.error();
    const OpRecord& plain = op_registry()[op_registry().find(plain_name)];
    return plain.relation({query.types, query.arguments.first(2), query.attributes});
}

/// Returns the weight's axis of output channels, or -1.
int output_axis(const AttributesView& attributes) {
    auto layout = Layout::parse(attributes.string("kernel_layout"));
    return layout ? layout->position('O') : -1;
}

Result<TypeId> conv2d_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::span<const int64_t> weight = query.types.shape(query.arguments[1]);
    int axis = output_axis(query.attributes);
    if (axis < 0 || size_t(axis) >= weight.size()) return error("kernel_layout must have an axis O of the weight");
    auto layout = Layout::parse(query.attributes.string("kernel_layout"));
    int64_t channels = weight[size_t(axis)];
    int input_axis = layout->position('I');
    // TVM counts the output channels of a grouped convolution as I times O.
    if (query.attributes.integer("groups") > 1 && input_axis >= 0 && size_t(input_axis) < weight.size()) {
        auto product = checked_multiply(channels, weight[size_t(input_axis)]);
        if (!product) return error("the weight has too many channels");
        TypeId scale = query.arguments[5];
        bool fits_plain = query.types.shape(scale).size() == 1 && query.types.shape(scale)[0] == channels;
        if (!fits_plain) channels = *product;
    }
    return product_relation(query, "nn.conv2d", channels);
}

Result<TypeId> dense_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::span<const int64_t> weight = query.types.shape(query.arguments[1]);
    return product_relation(query, "nn.dense", weight.empty() ? 1 : weight[0]);
}

/// Returns a tensor without its zero points, as 32-bit integers: zero padding then means the zero point.
Tensor centered_tensor(const TensorView& data, const TensorView& zero_points, const ChannelShape& channels,
                       ThreadPool& threads) {
    Tensor result(kInt32, std::vector<int64_t>(data.shape.begin(), data.shape.end()));
    const int32_t* zeros = zero_points.as<int32_t>();
    with_element_type(data.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            for_each_channel_run(data.size(), channels, threads, [&](int64_t begin, int64_t end, size_t channel) {
                int32_t zero = zeros[channel];
                int32_t* to = result.data<int32_t>();
                for (int64_t i = begin; i < end; ++i) to[i] = int32_t(uint32_t(data.as<T>()[i]) - uint32_t(zero));
            });
    });
    return result;
}

Status product_kernel(const KernelCall& call, const char* plain_name, int64_t weight_axis) {
    const TensorView &data = call.inputs[0], &weight = call.inputs[1], &output = call.outputs[0];
    ChannelShape by_output = channel_shape(weight.shape, weight_axis, size_t(call.inputs[3].size()));
    Tensor plain_data = centered_tensor(data, call.inputs[2], {}, call.threads);
    Tensor plain_weight = centered_tensor(weight, call.inputs[3], by_output, call.threads);
    Tensor sums(kInt32, std::vector<int64_t>(output.shape.begin(), output.shape.end()));
    const TensorView inputs[] = {{plain_data.bytes(), kInt32, data.shape},
                                 {plain_weight.bytes(), kInt32, weight.shape}};
    const TensorView outputs[] = {{sums.bytes(), kInt32, output.shape}};
    const OpRecord& plain = op_registry()[op_registry().find(plain_name)];
    if (!plain.kernel) return error(std::string(plain_name) + " has no kernel");
    if (Status status = plain.kernel({inputs, outputs, call.attributes, call.threads}); !status) return status;
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
            for (int64_t i = 0; i < output.size(); ++i) output.as<T>()[i] = T(sums.data<int32_t>()[i]);
    });
    return Nothing();
}

Status conv2d_kernel(const KernelCall& call) { return product_kernel(call, "nn.conv2d", output_axis(call.attributes)); }
Status dense_kernel(const KernelCall& call) { return product_kernel(call, "nn.dense", 0); }

// ---- Records ----

OpRecord qnn_op(std::string name, std::string summary, std::vector<std::string> inputs, TypeRelation relation,
                Kernel kernel) {
    OpRecord op;
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = std::move(inputs);
    op.pattern = OpPattern::Opaque;
    op.relation = relation;
    op.kernel = kernel;
    return op;
}

AttributeField axis_field(std::string name = "axis") {
    return integer_field(std::move(name), -1, "the axis along which scales and zero points vary");
}

OpRecord quantize() {
    OpRecord op = qnn_op("qnn.quantize", "Real numbers as quantized ones.",
                         {"data", "output_scale", "output_zero_point"}, quantize_relation, quantize_kernel);
    op.attributes = {required_field("out_dtype", AttributeKind::DType, "the result's data type"), axis_field()};
    op.c_loops = quantize_in_c;
    op.example =
        "fn (%x: Tensor[(2, 3), float32], %s: float32, %z: int32) { qnn.quantize(%x, %s, %z, out_dtype=\"int8\") }";
    return op;
}

OpRecord dequantize() {
    OpRecord op = qnn_op("qnn.dequantize", "Quantized numbers as real ones.",
                         {"data", "input_scale", "input_zero_point"}, dequantize_relation, dequantize_kernel);
    op.attributes = {axis_field()};
    op.c_loops = dequantize_in_c;
    op.example = "fn (%x: Tensor[(2, 3), int8], %s: float32, %z: int32) { qnn.dequantize(%x, %s, %z) }";
    return op;
}

OpRecord requantize() {
    OpRecord op = qnn_op("qnn.requantize", "Quantized numbers in another scale.",
                         {"data", "input_scale", "input_zero_point", "output_scale", "output_zero_point"},
                         requantize_relation, requantize_kernel);
    op.attributes = {axis_field(), string_field("rounding", "None", "\"UPWARD\", \"TONEAREST\" or \"TOEVEN\""),
                     string_field("compute_dtype", "None", "\"int64\", \"float32\" or \"float64\""),
                     optional_field("out_dtype", AttributeKind::DType, kVoid, "the result's data type")};
    op.c_loops = requantize_in_c;
    op.example =
        "fn (%x: Tensor[(2, 3), int32], %s: float32, %z: int32, %t: float32, %y: int32) "
        "{ qnn.requantize(%x, %s, %z, %t, %y, out_dtype=\"int8\") }";
    return op;
}

template <QuantizedBinary which>
Status binary_in_c(const CLoops& loops) {
    return quantized_binary_in_c(loops, which);
}

OpRecord binary(std::string name, std::string summary, Kernel kernel, CLoopsEmitter c_loops) {
    OpRecord op = qnn_op(std::move(name), std::move(summary),
                         {"lhs", "rhs", "lhs_scale", "lhs_zero_point", "rhs_scale", "rhs_zero_point", "output_scale",
                          "output_zero_point"},
                         binary_relation, kernel);
    op.attributes = {axis_field("lhs_axis"), axis_field("rhs_axis")};
    op.c_loops = c_loops;
    op.example = "fn (%x: Tensor[(2, 3), uint8], %y: Tensor[(3), uint8], %s: float32, %z: int32) { " + op.name +
                 "(%x, %y, %s, %z, %s, %z, %s, %z) }";
    return op;
}

OpRecord concatenate() {
    OpRecord op = qnn_op("qnn.concatenate", "Quantized tensors one after the other, in one scale.",
                         {"data", "input_scales", "input_zero_points", "output_scale", "output_zero_point"},
                         concatenate_relation, concatenate_kernel);
    op.attributes = {integer_field("axis", 0, "the axis along which the tensors follow each other")};
    op.c_loops = quantized_concatenate_in_c;
    op.example =
        "fn (%x: Tensor[(1, 3), uint8], %y: Tensor[(2, 3), uint8], %s: float32, %z: int32) "
        "{ qnn.concatenate((%x, %y), (%s, %s), (%z, %z), %s, %z, axis=0) }";
    return op;
}

/// Makes the record of the plain op of the family, with scales and zero points after the operands.
OpRecord product(std::vector<OpRecord> family, const char* plain_name, std::string name, std::string summary,
                 TypeRelation relation, Kernel kernel) {
    OpRecord op = qnn_op(std::move(name), std::move(summary),
                         {"data", "weight", "input_zero_point", "weight_zero_point", "input_scale", "weight_scale"},
                         relation, kernel);
    for (OpRecord& plain : family)
        if (plain.name == plain_name) {
            op.attributes = std::move(plain.attributes);
            op.flops = plain.flops;
        }
    return op;
}

OpRecord conv2d() {
    OpRecord op = product(nn_convolution_ops(), "nn.conv2d", "qnn.conv2d", "Convolution of quantized images.",
                          conv2d_relation, conv2d_kernel);
    op.c_loops = quantized_conv2d_in_c;
    op.example =
        "fn (%x: Tensor[(1, 4, 8, 8), uint8], %w: Tensor[(2, 4, 3, 3), int8], %z: int32, %s: float32) "
        "{ qnn.conv2d(%x, %w, %z, %z, %s, %s, padding=[1, 1, 1, 1], channels=2, kernel_size=[3, 3], "
        "out_dtype=\"int32\") }";
    return op;
}

OpRecord dense() {
    OpRecord op = product(nn_dense_ops(), "nn.dense", "qnn.dense",
                          "Product of a quantized matrix and the transpose of another.", dense_relation, dense_kernel);
    op.c_loops = quantized_dense_in_c;
    op.example =
        "fn (%x: Tensor[(2, 4), uint8], %w: Tensor[(3, 4), int8], %z: int32, %s: float32) "
        "{ qnn.dense(%x, %w, %z, %z, %s, %s, units=3, out_dtype=\"int32\") }";
    return op;
}

}  // namespace

std::vector<OpRecord> qnn_ops() {
    return {quantize(),
            dequantize(),
            requantize(),
            binary("qnn.add", "Sum of two quantized tensors.", add_kernel<false>, binary_in_c<QuantizedBinary::Add>),
            binary("qnn.subtract", "Difference of two quantized tensors.", add_kernel<true>,
                   binary_in_c<QuantizedBinary::Subtract>),
            binary("qnn.mul", "Product of two quantized tensors.", mul_kernel, binary_in_c<QuantizedBinary::Multiply>),
            concatenate(),
            conv2d(),
            dense()};
}

}  // namespace partita
