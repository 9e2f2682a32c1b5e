// Elementwise ops with attributes or of three tensors, and the family as a whole. Source: TVM 0.9,
// src/relay/op/tensor/unary.cc (clip, fixed_point_multiply) and transform.cc (cast, where).
#include "engine/ops/elementwise.h"

#include "engine/ir/narrow_types.h"
#include "engine/ops/broadcast.h"
#include "engine/ops/c_text.h"
#include "engine/ops/c_writer.h"
#include "engine/ops/element_conversions.h"
#include "engine/ops/element_types.h"
#include "engine/ops/families.h"
#include "engine/ops/fixed_point.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

Diagnostic unsupported_element(const OpRecord& op, DataType dtype) {
    return error(op.name + " of " + dtype.to_string() + " is not supported on default");
}

namespace {

bool is_narrow(DataType dtype) { return dtype.is_narrow_float() || dtype.is_narrow_integer(); }

/// Calls `visit` with a function that reads an element of a narrow type by its index.
template <class Visitor>
void with_narrow_reader(const TensorView& tensor, Visitor&& visit) {
    const auto* codes = tensor.as<uint8_t>();
    if (tensor.dtype.is_narrow_float())
        visit([=, dtype = tensor.dtype](int64_t i) { return narrow_to_float(dtype, codes[i]); });
    else if (tensor.dtype.code == DataType::Code::Int) visit([=](int64_t i) { return int(int8_t(codes[i])); });
    else visit([=](int64_t i) { return int(codes[i]); });
}

template <class W>
uint8_t to_narrow(DataType dtype, W value) {
    if (dtype.is_narrow_float()) return float_to_narrow(dtype, double(value));
    return uint8_t(wrapped_to_narrow(dtype, convert<int64_t>(value)));
}

/// Computes write(i) for all elements of the output.
template <class Write>
void for_each_element(const KernelCall& call, Write write) {
    call.threads.parallel_for(call.outputs[0].size(), kCheapGrain, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) write(i);
    });
}

Status cast_to_narrow(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    const auto write_from = [&](auto read) {
        for_each_element(call, [=, to = output.as<uint8_t>(), dtype = output.dtype](int64_t i) {
            to[i] = to_narrow(dtype, read(i));
        });
    };
    if (is_narrow(input.dtype)) return with_narrow_reader(input, write_from), Nothing();
    const bool known = with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        write_from([from = input.as<T>()](int64_t i) { return Wide<T>(from[i]); });
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

Status cast_from_narrow(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    const bool known = with_element_type(output.dtype, [&](auto tag) {
        using To = typename decltype(tag)::type;
        with_narrow_reader(input, [&](auto read) {
            for_each_element(call, [=, to = output.as<To>()](int64_t i) { to[i] = convert_element<To>(read(i)); });
        });
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

}  // namespace

Status cast_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    if (is_narrow(output.dtype)) return cast_to_narrow(call);
    if (is_narrow(input.dtype)) return cast_from_narrow(call);
    for (const TensorView* tensor : {&input, &output})
        if (!with_element_type(tensor->dtype, [](auto) {}))
            return unsupported_element(call.attributes.op(), tensor->dtype);
    convert_elements(ElementCast::between(input.dtype, output.dtype), input.data, output.data, output.size(),
                     call.threads);
    return Nothing();
}

namespace {

// ---- clip ----

/// Converts a bound to the tensor's type, as TVM does.
template <class W>
W clip_bound(double bound) {
    return convert<W>(bound);
}

Status clip_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    double a_min = call.attributes.real("a_min"), a_max = call.attributes.real("a_max");
    bool known = with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using W = Wide<T>;
        const W low = clip_bound<W>(a_min), high = clip_bound<W>(a_max);
        const T* from = input.as<T>();
        T* to = output.as<T>();
        call.threads.parallel_for(output.size(), kCheapGrain, [=](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                W value = W(from[i]);
                value = value > high ? high : value;  // NaN stays NaN
                to[i] = T(value < low ? low : value);
            }
        });
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

std::string clip_bound_in_c(DataType dtype, double bound) {
    std::string text;
    if (dtype.is_bool()) return c_constant(kInt32, int64_t(saturate<int32_t>(bound)));
    with_element_type(dtype, [&](auto tag) {
        using W = Wide<typename decltype(tag)::type>;
        if constexpr (std::is_floating_point_v<W>) text = c_constant(dtype, bound);
        else text = c_constant(dtype, int64_t(clip_bound<W>(bound)));
    });
    return text;
}

std::string clip_element(const CElement& element) {
    DataType dtype = element.operand_dtype;
    const std::string parts[] = {element.operands[0], clip_bound_in_c(dtype, element.attributes.real("a_min")),
                                 clip_bound_in_c(dtype, element.attributes.real("a_max"))};
    // NaN stays NaN; for unsigned integers, "below 0" would cause a warning.
    const bool real = dtype.is_float();
    const std::string upper[] = {fill_c_template(real ? "%a > %c ? %c : %a" : "%a < %c ? %a : %c", parts, dtype),
                                 parts[1]};
    std::string text = fill_c_template(real ? "%a < %b ? %b : %a" : "%a > %b ? %a : %b", upper, dtype);
    if (dtype.is_bool()) return "(uint8_t)((" + text + ") != 0)";
    return "(" + c_type(dtype) + ")(" + text + ")";
}

OpRecord clip() {
    OpRecord op;
    op.name = "clip";
    op.summary = "Each element, but not below a_min and not above a_max.";
    op.inputs = {"data"};
    op.pattern = OpPattern::Elementwise;
    op.attributes = {required_field("a_min", AttributeKind::Double, "the least value of the result"),
                     required_field("a_max", AttributeKind::Double, "the greatest value of the result")};
    op.relation = identity_relation;
    op.kernel = clip_kernel;
    op.c_element = clip_element;
    op.example = "fn (%x: Tensor[(2, 3), float32]) { clip(%x, a_min=0f, a_max=6f) }";
    return op;
}

// ---- cast ----

std::string cast_element(const CElement& element) {
    const std::string& operand = element.operands[0];
    DataType from = element.operand_dtype, to = element.result_dtype;
    if (from == to) return operand;
    if (to.is_bool()) return "(uint8_t)((" + operand + ") != 0)";
    if (from.is_float() && to.is_integer()) return c_saturate(operand, from.bits == 64 ? kFloat64 : kFloat32, to);
    std::string value = from.is_bool() ? "((" + operand + ") != 0)" : "(" + operand + ")";
    return "(" + c_type(to) + ")" + value;
}

Status cast_like_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    const std::string operand = data.name + "[i]";
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", element_count(result.shape).value_or(0));
    code.line(result.name +
              "[i] = " + cast_element({std::span(&operand, 1), data.dtype, result.dtype, loops.attributes}) + ";");
    code.close();
    return Nothing();
}

Result<TypeId> cast_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    DataType dtype = query.attributes.dtype("dtype");
    if (dtype.is_void()) return error("dtype must be given");
    return checked_tensor(query.types, dtype, shape_copy(query.types, query.arguments[0]));
}

Result<TypeId> cast_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return checked_tensor(query.types, query.types.dtype(query.arguments[1]),
                          shape_copy(query.types, query.arguments[0]));
}

OpRecord cast() {
    OpRecord op;
    op.name = "cast";
    op.summary = "The same numbers in another data type.";
    op.inputs = {"data"};
    op.pattern = OpPattern::Elementwise;
    op.attributes = {required_field("dtype", AttributeKind::DType, "the result's data type")};
    op.relation = cast_relation;
    op.kernel = cast_kernel;
    op.c_element = cast_element;
    op.example = "fn (%x: Tensor[(2, 3), float32]) { cast(%x, dtype=\"int8\") }";
    return op;
}

OpRecord cast_like() {
    OpRecord op;
    op.name = "cast_like";
    op.summary = "The same numbers in the data type of another tensor.";
    op.inputs = {"data", "dtype_like"};
    op.pattern = OpPattern::Elementwise;
    op.relation = cast_like_relation;
    op.kernel = cast_kernel;
    op.c_loops = cast_like_in_c;
    op.example = "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(4), int8]) { cast_like(%x, %y) }";
    return op;
}

// ---- where ----

Result<TypeId> where_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    DataType x = types.dtype(query.arguments[1]), y = types.dtype(query.arguments[2]);
    if (!(x == y)) return error("the data types of x and y, " + x.to_string() + " and " + y.to_string() + ", differ");
    auto values = broadcast_shapes(types.shape(query.arguments[1]), types.shape(query.arguments[2]));
    if (!values) return values.error();
    auto shape = broadcast_shapes(types.shape(query.arguments[0]), *values);
    if (!shape) return shape.error();
    return checked_tensor(types, x, *shape);
}

/// Returns the condition as a byte for each element.
Result<std::vector<uint8_t>> condition_bytes(const KernelCall& call) {
    const TensorView& condition = call.inputs[0];
    std::vector<uint8_t> bytes(size_t(condition.size()));
    bool known = with_element_type(condition.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* from = condition.as<T>();
        uint8_t* to = bytes.data();
        for (int64_t i = 0, size = condition.size(); i < size; ++i) to[i] = Wide<T>(from[i]) != Wide<T>(0);
    });
    if (!known) return unsupported_element(call.attributes.op(), condition.dtype);
    return bytes;
}

Status where_kernel(const KernelCall& call) {
    auto condition = condition_bytes(call);
    if (!condition) return condition.error();
    const TensorView &x = call.inputs[1], &y = call.inputs[2], &output = call.outputs[0];
    const std::span<const int64_t> shapes[] = {call.inputs[0].shape, x.shape, y.shape};
    BroadcastPlan plan(output.shape, shapes);
    const BroadcastSteps steps = plan.strides.back();
    bool known = with_element_size(output.dtype.bytes(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        for_each_row(plan, call.threads, kCheapGrain,
                     [&](const BroadcastSteps& offsets, int64_t position, int64_t count) {
                         const uint8_t* test = condition->data() + offsets[0];
                         const T *first = x.as<T>() + offsets[1], *second = y.as<T>() + offsets[2];
                         T* to = output.as<T>() + position;
                         for (int64_t i = 0; i < count; ++i)
                             to[i] = test[i * steps[0]] ? first[i * steps[1]] : second[i * steps[2]];
                     });
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

std::string where_element(const CElement& element) {
    return "((" + element.operands[0] + ") != 0 ? (" + element.operands[1] + ") : (" + element.operands[2] + "))";
}

OpRecord where() {
    OpRecord op;
    op.name = "where";
    op.summary = "Elements of x where the condition is not zero, of y where it is.";
    op.inputs = {"condition", "x", "y"};
    op.pattern = OpPattern::Broadcast;
    op.relation = where_relation;
    op.kernel = where_kernel;
    op.c_element = where_element;
    op.example =
        "fn (%c: Tensor[(2, 1), bool], %x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]) { where(%c, %x, %y) }";
    return op;
}

// ---- fixed_point_multiply ----

Result<TypeId> fixed_point_relation(const TypeQuery& query) {
    auto type = identity_relation(query);
    if (!type) return type;
    DataType dtype = query.types.dtype(*type);
    if (!(dtype == kInt32)) return error("the operand must be int32, not " + dtype.to_string());
    int64_t shift = query.attributes.integer("shift"), multiplier = query.attributes.integer("multiplier");
    if (shift < -kMaxFixedPointShift || shift > kMaxFixedPointShift)
        return error("shift must lie between -31 and 31, but is " + std::to_string(shift));
    if (multiplier < INT32_MIN || multiplier > INT32_MAX)
        return error("multiplier must fit into 32 bits, but is " + std::to_string(multiplier));
    return type;
}

Status fixed_point_kernel(const KernelCall& call) {
    const int32_t* from = call.inputs[0].as<int32_t>();
    int32_t* to = call.outputs[0].as<int32_t>();
    int32_t multiplier = int32_t(call.attributes.integer("multiplier"));
    int shift = int(call.attributes.integer("shift"));
    call.threads.parallel_for(call.outputs[0].size(), kCheapGrain, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = fixed_point_multiply(from[i], multiplier, shift);
    });
    return Nothing();
}

std::string fixed_point_element(const CElement& element) {
    int64_t multiplier = element.attributes.integer("multiplier"), shift = element.attributes.integer("shift");
    std::string left = std::to_string(shift > 0 ? shift : 0);
    int64_t right = 31 + (shift > 0 ? 0 : -shift);
    return "(int32_t)((int64_t)(((uint64_t)(int64_t)(" + element.operands[0] + ") << " + left + ") * (uint64_t)" +
           c_constant(kInt64, multiplier) + " + ((uint64_t)1 << " + std::to_string(right - 1) + ")) >> " +
           std::to_string(right) + ")";
}

OpRecord fixed_point() {
    OpRecord op;
    op.name = "fixed_point_multiply";
    op.summary = "Integers times multiplier / 2^31 * 2^shift, rounded half up.";
    op.inputs = {"data"};
    op.pattern = OpPattern::Elementwise;
    op.attributes = {required_field("multiplier", AttributeKind::Int, "the factor in units of 2^-31"),
                     required_field("shift", AttributeKind::Int, "the power of two that the product is multiplied by")};
    op.relation = fixed_point_relation;
    op.kernel = fixed_point_kernel;
    op.c_element = fixed_point_element;
    op.example = "fn (%x: Tensor[(2, 3), int32]) { fixed_point_multiply(%x, multiplier=1073741824, shift=2) }";
    return op;
}

}  // namespace

std::vector<OpRecord> elementwise_ops() {
    std::vector<OpRecord> ops = unary_ops();
    for (OpRecord& op : binary_ops()) ops.push_back(std::move(op));
    ops.push_back(clip());
    ops.push_back(cast());
    ops.push_back(cast_like());
    ops.push_back(where());
    ops.push_back(fixed_point());
    return ops;
}

}  // namespace partita
