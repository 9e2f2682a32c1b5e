// Ops that make tensors from attributes, scalars or shapes. Source: TVM 0.9, src/relay/op/tensor/transform.cc.
#include <algorithm>
#include <cmath>

#include "engine/ops/c_text.h"
#include "engine/ops/c_writer.h"
#include "engine/ops/data_movement.h"
#include "engine/ops/element_types.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

/// Calls fill(begin, end, pointer) with pointers to the output's elements.
template <class Fill>
Status fill_output(const KernelCall& call, const Fill& fill) {
    const TensorView& output = call.outputs[0];
    bool known = with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        T* to = output.as<T>();
        call.threads.parallel_for(output.size(), kCheapGrain,
                                  [&](int64_t begin, int64_t end) { fill(begin, end, to); });
    });
    if (!known) return unsupported_element(call.attributes.op(), output.dtype);
    return Nothing();
}

/// Returns a tensor's first element in a wide type, as a cast to `to` gives it: for bool, whether it is not zero.
template <class W>
W scalar_of(const TensorView& tensor, DataType to) {
    W value{};
    with_element_type(tensor.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        Wide<T> wide(*tensor.as<T>());
        value = to.is_bool() ? W(wide != 0) : convert<W>(wide);
    });
    return value;
}

// ---- zeros, ones, full, full_like ----

Result<TypeId> shape_attribute_type(const TypeQuery& query, DataType dtype) {
    if (Status integers = require_integers(query.attributes, "shape"); !integers) return integers.error();
    std::vector<int64_t> shape = query.attributes.integers("shape");
    for (int64_t dim : shape)
        if (dim < 0) return error("shape must not have the dimension " + std::to_string(dim));
    return checked_tensor(query.types, dtype, shape);
}

Result<TypeId> init_relation(const TypeQuery& query) {
    DataType dtype = query.attributes.dtype("dtype");
    return shape_attribute_type(query, dtype.is_void() ? kFloat32 : dtype);
}

Result<TypeId> full_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    size_t rank = query.types.shape(query.arguments[0]).size();
    if (rank != 0) return error("the fill value must be a scalar, but has rank " + std::to_string(rank));
    DataType dtype = query.attributes.dtype("dtype");
    return shape_attribute_type(query, dtype.is_void() ? query.types.dtype(query.arguments[0]) : dtype);
}

Result<TypeId> full_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    size_t rank = query.types.shape(query.arguments[1]).size();
    if (rank != 0) return error("the fill value must be a scalar, but has rank " + std::to_string(rank));
    return query.arguments[0];
}

template <int Value>
Status constant_kernel(const KernelCall& call) {
    return fill_output(call, [](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        std::fill(to + begin, to + end, T(Wide<T>(Value)));
    });
}

template <size_t ValueInput>
Status full_kernel(const KernelCall& call) {
    const TensorView& value = call.inputs[ValueInput];
    return fill_output(call, [&](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        std::fill(to + begin, to + end, T(scalar_of<Wide<T>>(value, call.outputs[0].dtype)));
    });
}

template <int Value>
Status constant_in_c(const CLoops& loops) {
    write_fill(loops, std::to_string(Value));
    return Nothing();
}

template <size_t ValueInput>
Status full_in_c(const CLoops& loops) {
    if (!(loops.inputs[ValueInput].dtype == loops.outputs[0].dtype))
        return error("full with a value of another data type can't be generated as C");
    write_fill(loops, loops.inputs[ValueInput].name + "[0]");
    return Nothing();
}

template <int Value>
OpRecord constant_op(std::string name, std::string summary) {
    OpRecord op = data_movement_op(std::move(name), std::move(summary), {}, init_relation, constant_kernel<Value>);
    op.attributes = {required_field("shape", AttributeKind::IntegerList, "the result's shape"),
                     optional_field("dtype", AttributeKind::DType, kVoid, "the result's data type")};
    op.pattern = OpPattern::Elementwise;
    op.c_loops = constant_in_c<Value>;
    op.example = "fn () { " + op.name + "(shape=[2, 3], dtype=\"float32\") }";
    return op;
}

OpRecord full() {
    OpRecord op = data_movement_op("full", "One value in a shape.", {"fill_value"}, full_relation, full_kernel<0>);
    op.attributes = {
        required_field("shape", AttributeKind::IntegerList, "the result's shape"),
        optional_field("dtype", AttributeKind::DType, kVoid, "the result's data type; default: the value's")};
    op.pattern = OpPattern::Elementwise;
    op.c_loops = full_in_c<0>;
    op.example = "fn (%v: float32) { full(%v, shape=[2, 3], dtype=\"float32\") }";
    return op;
}

OpRecord full_like() {
    OpRecord op = data_movement_op("full_like", "One value in the shape and type of a tensor.", {"data", "fill_value"},
                                   full_like_relation, full_kernel<1>);
    op.pattern = OpPattern::Elementwise;
    op.c_loops = full_in_c<1>;
    op.example = "fn (%x: Tensor[(2, 3), float32], %v: float32) { full_like(%x, %v) }";
    return op;
}

// ---- arange ----

/// Returns an attribute that holds a number, or nothing if it holds something else.
std::optional<double> number_attribute(const AttributesView& attributes, std::string_view name) {
    const AttributeValue& value = attributes[name];
    if (const Integer* integer = value.as_integer()) return double(integer->value);
    if (const double* real = value.as_double()) return *real;
    return std::nullopt;
}

/// The length is known if the attributes repeat the three numbers; else it is unknown until the run.
Result<TypeId> arange_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    for (TypeId argument : query.arguments)
        if (!query.types.shape(argument).empty()) return error("start, stop and step must be scalars");
    DataType dtype = query.attributes.dtype("dtype");
    auto start = number_attribute(query.attributes, "start"), stop = number_attribute(query.attributes, "stop");
    auto step = number_attribute(query.attributes, "step");
    if (!start || !stop || !step) return query.types.tensor(dtype, {kDynamicDim});
    double count = std::ceil((*stop - *start) / *step);
    if (const Integer* first = query.attributes["start"].as_integer(), *end = query.attributes["stop"].as_integer(),
        *each = query.attributes["step"].as_integer();
        first && end && each && each->value != 0 && (first->value < end->value) == (each->value > 0)) {
        const uint64_t distance = uint64_t(end->value) - uint64_t(first->value), by = uint64_t(each->value);
        count = each->value > 0 ? double((distance - 1) / by + 1) : double((-distance - 1) / -by + 1);
    }
    if (!(count > 0) || count > 1e15) return error("start, stop and step give no sequence");
    return checked_tensor(query.types, dtype, std::vector<int64_t>{int64_t(count)});
}

Status arange_kernel(const KernelCall& call) {
    if (call.outputs[0].dtype == kInt64 && !call.inputs[0].dtype.is_float() && !call.inputs[2].dtype.is_float()) {
        const auto first = uint64_t(scalar_of<int64_t>(call.inputs[0], call.inputs[0].dtype));
        const auto each = uint64_t(scalar_of<int64_t>(call.inputs[2], call.inputs[2].dtype));
        return fill_output(call, [=](int64_t begin, int64_t end, auto* to) {
            using T = std::remove_pointer_t<decltype(to)>;
            for (int64_t i = begin; i < end; ++i) to[i] = T(int64_t(first + uint64_t(i) * each));
        });
    }
    double start = scalar_of<double>(call.inputs[0], kFloat64), step = scalar_of<double>(call.inputs[2], kFloat64);
    return fill_output(call, [=](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        for (int64_t i = begin; i < end; ++i) to[i] = T(convert<Wide<T>>(start + double(i) * step));
    });
}

Status arange_in_c(const CLoops& loops) {
    const CTensor& result = loops.outputs[0];
    if (result.dtype == kInt64 && !loops.inputs[0].dtype.is_float() && !loops.inputs[2].dtype.is_float()) {
        write_fill(loops, "(int64_t)((uint64_t)" + loops.inputs[0].name + "[0] + (uint64_t)i * (uint64_t)" +
                              loops.inputs[2].name + "[0])");
        return Nothing();
    }
    std::string value =
        "((double)" + loops.inputs[0].name + "[0] + (double)i * (double)" + loops.inputs[2].name + "[0])";
    write_fill(loops, result.dtype.is_float() ? "(" + c_type(result.dtype) + ")" + value
                                              : c_saturate(value, kFloat64, result.dtype));
    return Nothing();
}

OpRecord arange() {
    OpRecord op = data_movement_op("arange", "Numbers from start to before stop.", {"start", "stop", "step"},
                                   arange_relation, arange_kernel);
    op.c_loops = arange_in_c;
    op.attributes = {none_field("start", AttributeKind::Object, "the first number, where it is known"),
                     none_field("stop", AttributeKind::Object, "the end, where it is known"),
                     none_field("step", AttributeKind::Object, "the step, where it is known"),
                     required_field("dtype", AttributeKind::DType, "the result's data type")};
    op.example =
        "fn (%a: float32, %b: float32, %c: float32) { arange(%a, %b, %c, start=0, stop=6, step=2, dtype=\"float32\") }";
    return op;
}

// ---- one_hot ----

struct OneHotShape {
    int64_t outer, depth, inner;
};

OneHotShape one_hot_shape(const AttributesView& attributes, std::span<const int64_t> result) {
    int64_t given = attributes.integer("axis");
    size_t axis = given == -1 ? result.size() - 1 : size_t(given);
    OneHotShape shape{1, result[axis], 1};
    for (size_t i = 0; i < result.size(); ++i)
        if (i != axis) (i < axis ? shape.outer : shape.inner) *= result[i];
    return shape;
}

Result<TypeId> one_hot_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    if (!types.dtype(query.arguments[0]).is_integer()) return error("the indices must be integers");
    for (size_t i : {1, 2})
        if (!types.shape(query.arguments[i]).empty()) return error("on_value and off_value must be scalars");
    int64_t depth = query.attributes.integer("depth"), axis = query.attributes.integer("axis");
    if (depth <= 0) return error("depth must be positive, not " + std::to_string(depth));
    std::vector<int64_t> shape = shape_copy(types, query.arguments[0]);
    if (axis == -1) axis = int64_t(shape.size());
    if (axis < 0 || axis > int64_t(shape.size())) return error("the axis " + std::to_string(axis) + " is out of range");
    shape.insert(shape.begin() + axis, depth);
    DataType dtype = query.attributes.dtype("dtype");
    return checked_tensor(types, dtype.is_void() ? types.dtype(query.arguments[1]) : dtype, shape);
}

Status one_hot_kernel(const KernelCall& call) {
    const TensorView& indices = call.inputs[0];
    OneHotShape shape = one_hot_shape(call.attributes, call.outputs[0].shape);
    std::vector<int64_t> hot(size_t(indices.size()));
    bool known = with_element_type(indices.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (size_t i = 0; i < hot.size(); ++i) hot[i] = convert<int64_t>(Wide<T>(indices.as<T>()[i]));
    });
    if (!known) return unsupported_element(call.attributes.op(), indices.dtype);
    return fill_output(call, [&](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        const DataType dtype = call.outputs[0].dtype;
        const T on = T(scalar_of<Wide<T>>(call.inputs[1], dtype)), off = T(scalar_of<Wide<T>>(call.inputs[2], dtype));
        for (int64_t i = begin; i < end; ++i) {
            int64_t inner = i % shape.inner, depth = i / shape.inner % shape.depth,
                    outer = i / shape.inner / shape.depth;
            to[i] = hot[size_t(outer * shape.inner + inner)] == depth ? on : off;
        }
    });
}

Status one_hot_in_c(const CLoops& loops) {
    const CTensor& result = loops.outputs[0];
    if (!(loops.inputs[1].dtype == result.dtype) || !(loops.inputs[2].dtype == result.dtype))
        return error("one_hot with values of another data type can't be written in C");
    OneHotShape shape = one_hot_shape(loops.attributes, result.shape);
    CWriter code(loops.code, loops.indent);
    code.open_loop("o", shape.outer);
    code.open_loop("d", shape.depth);
    code.open_loop("i", shape.inner);
    const std::string inner = std::to_string(shape.inner), depth = std::to_string(shape.depth);
    code.line(result.name + "[(o * " + depth + " + d) * " + inner + " + i] = (int64_t)" + loops.inputs[0].name +
              "[o * " + inner + " + i] == d ? " + loops.inputs[1].name + "[0] : " + loops.inputs[2].name + "[0];");
    for (int i = 0; i < 3; ++i) code.close();
    return Nothing();
}

OpRecord one_hot() {
    OpRecord op = data_movement_op("one_hot", "For each index a vector that has one value there and another elsewhere.",
                                   {"indices", "on_value", "off_value"}, one_hot_relation, one_hot_kernel);
    op.c_loops = one_hot_in_c;
    op.attributes = {integer_field("depth", 1, "the vectors' length"),
                     integer_field("axis", -1, "where the vectors' axis stands; -1: last"),
                     optional_field("dtype", AttributeKind::DType, kVoid, "the result's data type")};
    op.pattern = OpPattern::Broadcast;
    op.example =
        "fn (%i: Tensor[(3), int32], %a: float32, %b: float32) { one_hot(%i, %a, %b, depth=4, dtype=\"float32\") }";
    return op;
}

// ---- shape_of, ndarray_size ----

DataType dtype_or_int32(const AttributesView& attributes) {
    DataType dtype = attributes.dtype("dtype");
    return dtype.is_void() ? kInt32 : dtype;
}

Result<TypeId> shape_of_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    int64_t rank = int64_t(query.types.shape(query.arguments[0]).size());
    DataType dtype = dtype_or_int32(query.attributes);
    return rank == 0 ? query.types.tensor(dtype, {}) : query.types.tensor(dtype, {rank});
}

Status shape_of_kernel(const KernelCall& call) {
    std::span<const int64_t> shape = call.inputs[0].shape;
    return fill_output(call, [shape](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        for (int64_t i = begin; i < end; ++i) to[i] = T(Wide<T>(shape.empty() ? 0 : shape[size_t(i)]));
    });
}

Result<TypeId> ndarray_size_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return query.types.tensor(dtype_or_int32(query.attributes), {});
}

Status ndarray_size_kernel(const KernelCall& call) {
    int64_t size = call.inputs[0].size();
    return fill_output(call, [size](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        std::fill(to + begin, to + end, T(Wide<T>(size)));
    });
}

Status shape_of_in_c(const CLoops& loops) {
    const CTensor& result = loops.outputs[0];
    std::span<const int64_t> shape = loops.inputs[0].shape;
    CWriter code(loops.code, loops.indent);
    for (size_t i = 0; i < std::max<size_t>(shape.size(), 1); ++i)
        code.line(result.name + "[" + std::to_string(i) + "] = (" + c_type(result.dtype) + ")" +
                  c_constant(kInt64, shape.empty() ? int64_t(0) : shape[i]) + ";");
    return Nothing();
}

Status ndarray_size_in_c(const CLoops& loops) {
    const int64_t size = element_count(loops.inputs[0].shape).value_or(0);
    write_fill(loops, "(" + c_type(loops.outputs[0].dtype) + ")" + c_constant(kInt64, size));
    return Nothing();
}

OpRecord shape_op(std::string name, std::string summary, TypeRelation relation, Kernel kernel, CLoopsEmitter c_loops) {
    OpRecord op = data_movement_op(std::move(name), std::move(summary), {"data"}, relation, kernel);
    op.c_loops = c_loops;
    op.pattern = OpPattern::Opaque;
    op.attributes = {optional_field("dtype", AttributeKind::DType, kVoid, "the result's data type; default: int32")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { " + op.name + "(%x, dtype=\"int32\") }";
    return op;
}

// ---- sequence_mask ----

Result<TypeId> sequence_mask_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::span<const int64_t> data = query.types.shape(query.arguments[0]),
                             lengths = query.types.shape(query.arguments[1]);
    int64_t axis = query.attributes.integer("axis");
    if (axis != 0 && axis != 1) return error("axis must be 0 or 1, not " + std::to_string(axis));
    if (data.size() < 2) return error("the data must have rank 2 or more, not " + std::to_string(data.size()));
    int64_t batch = data[size_t(1 - axis)];
    if (lengths.size() != 1 || (lengths[0] != batch && lengths[0] != kDynamicDim && batch != kDynamicDim))
        return error("the lengths must be a vector of " + std::to_string(batch) + " elements, not of shape " +
                     shape_to_string(lengths));
    return query.arguments[0];
}

Status sequence_mask_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &lengths = call.inputs[1];
    std::vector<double> valid;
    bool known = with_element_type(lengths.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (int64_t i = 0; i < lengths.size(); ++i) valid.push_back(double(Wide<T>(lengths.as<T>()[i])));
    });
    if (!known) return unsupported_element(call.attributes.op(), lengths.dtype);
    bool time_first = call.attributes.integer("axis") == 0;
    double mask = call.attributes.real("mask_value");
    int64_t second = data.shape[1],
            inner = second == 0 ? 1 : std::max<int64_t>(1, data.size() / std::max<int64_t>(1, data.shape[0] * second));
    return fill_output(call, [&](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        const T* from = data.as<T>();
        const T masked = T(convert<Wide<T>>(mask));
        for (int64_t i = begin; i < end; ++i) {
            int64_t row = i / inner / second, column = i / inner % second;
            int64_t time = time_first ? row : column, batch = time_first ? column : row;
            to[i] = double(time) >= valid[size_t(batch)] ? masked : from[i];
        }
    });
}

Status sequence_mask_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    if (element_count(data.shape).value_or(0) == 0) return Nothing();
    std::string mask;
    bool known = with_element_type(result.dtype, [&](auto tag) {
        auto value = convert<Wide<typename decltype(tag)::type>>(loops.attributes.real("mask_value"));
        mask = result.dtype.is_float() ? c_constant(result.dtype, double(value))
                                       : c_constant(result.dtype, int64_t(value));
    });
    if (!known) return unsupported_element(loops.attributes.op(), result.dtype);
    const std::string row = "i / " + std::to_string(element_count(data.shape.subspan(1)).value_or(1));
    const std::string column = "i / " + std::to_string(element_count(data.shape.subspan(2)).value_or(1)) + " % " +
                               std::to_string(data.shape[1]);
    bool time_first = loops.attributes.integer("axis") == 0;
    write_fill(loops, "(double)(" + (time_first ? row : column) + ") >= (double)" + loops.inputs[1].name + "[" +
                          (time_first ? column : row) + "] ? " + mask + " : " + data.name + "[i]");
    return Nothing();
}

OpRecord sequence_mask() {
    OpRecord op = data_movement_op("sequence_mask", "What lies beyond each sequence's length set to a value.",
                                   {"data", "valid_length"}, sequence_mask_relation, sequence_mask_kernel);
    op.c_loops = sequence_mask_in_c;
    op.attributes = {double_field("mask_value", 0, "the value"), integer_field("axis", 0, "the axis of time: 0 or 1")};
    op.example = "fn (%x: Tensor[(4, 2), float32], %n: Tensor[(2), int32]) { sequence_mask(%x, %n, mask_value=-1f) }";
    return op;
}

// ---- trilu, matrix_set_diag ----

Result<TypeId> trilu_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (query.types.shape(query.arguments[0]).size() < 2) return error("the data must have rank 2 or more");
    if (!query.types.shape(query.arguments[1]).empty() || !query.types.dtype(query.arguments[1]).is_integer())
        return error("k must be an integer scalar");
    return query.arguments[0];
}

Status trilu_kernel(const KernelCall& call) {
    const TensorView& data = call.inputs[0];
    int64_t rows = data.shape[data.shape.size() - 2], columns = data.shape.back();
    int64_t k = std::clamp<int64_t>(scalar_of<int64_t>(call.inputs[1], kInt64), -rows - columns, rows + columns);
    bool upper = call.attributes.boolean("upper");
    return fill_output(call, [=, &data](int64_t begin, int64_t end, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        const T* from = data.as<T>();
        for (int64_t i = begin; i < end; ++i) {
            int64_t row = i / columns % rows, column = i % columns;
            bool kept = upper ? column >= row + k : column <= row + k;
            to[i] = kept ? from[i] : T(Wide<T>(0));
        }
    });
}

Status trilu_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    const int64_t rows = data.shape[data.shape.size() - 2], columns = data.shape.back();
    const int64_t matrices = element_count(data.shape.first(data.shape.size() - 2)).value_or(0);
    CWriter code(loops.code, loops.indent);
    code.open_loop("m", matrices);
    code.open_loop("r", rows);
    code.open_loop("c", columns);
    const std::string place = "[(m * " + std::to_string(rows) + " + r) * " + std::to_string(columns) + " + c]";
    // c - r is small: nothing overflows for any k.
    code.line(result.name + place + " = c - r " + (loops.attributes.boolean("upper") ? ">=" : "<=") + " (int64_t)" +
              loops.inputs[1].name + "[0] ? " + data.name + place + " : (" + c_type(result.dtype) + ")0;");
    for (int i = 0; i < 3; ++i) code.close();
    return Nothing();
}

OpRecord trilu() {
    OpRecord op = data_movement_op("trilu", "The upper or lower triangle of matrices, zeros elsewhere.", {"data", "k"},
                                   trilu_relation, trilu_kernel);
    op.c_loops = trilu_in_c;
    op.attributes = {bool_field("upper", true, "the upper triangle, else the lower")};
    op.example = "fn (%x: Tensor[(3, 4), float32], %k: int32) { trilu(%x, %k, upper=False) }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_make_ops() {
    return {constant_op<0>("zeros", "A tensor of zeros."),
            constant_op<1>("ones", "A tensor of ones."),
            full(),
            full_like(),
            arange(),
            one_hot(),
            shape_op("shape_of", "The tensor's shape as a tensor.", shape_of_relation, shape_of_kernel, shape_of_in_c),
            shape_op("ndarray_size", "The number of the tensor's elements.", ndarray_size_relation, ndarray_size_kernel,
                     ndarray_size_in_c),
            sequence_mask(),
            trilu()};
}

}  // namespace partita
