#include "engine/frontends/torch/call.h"

#include <algorithm>
#include <unordered_set>

#include "engine/frontends/onnx/expressions.h"

namespace partita::torch {

namespace {

constexpr int64_t kOpset = 23;

/// The category of an element type: what it counts as where types meet.
int category(DataType dtype) { return dtype.is_bool() ? 0 : dtype.is_integer() ? 1 : 2; }

DataType wider(DataType a, DataType b) {
    if (category(a) != category(b)) return category(a) > category(b) ? a : b;
    if (a == b) return a;
    if (category(a) == 2 && a.bits == b.bits) return kFloat32;  // float16 and bfloat16
    if (category(a) == 1 && a.bits == b.bits) return a.bits == 8 ? kInt16 : a.bits == 16 ? kInt32 : kInt64;
    return a.bits > b.bits ? a : b;
}

}  // namespace

const Argument* Call::find(std::string_view name) const {
    for (const NamedArgument& each : node.inputs)
        if (each.name == name) return each.argument.is("none") ? nullptr : &each.argument;
    return nullptr;
}

const Argument& Call::need(std::string_view name) const {
    const Argument* found = find(name);
    if (!found) throw Fault{"its argument " + std::string(name) + " is missing", {}};
    return *found;
}

bool Call::has(std::string_view name) const { return find(name) != nullptr; }

bool Call::is_tensor(std::string_view name) const {
    const Argument* given = find(name);
    return given && (given->is("tensor") || given->is("optional_tensor"));
}

ExprId Call::tensor(std::string_view name) const {
    const Argument& given = need(name);
    const std::vector<std::string_view> names = names_in(given);
    const auto value = names.size() == 1 ? scope_.tensors.find(names[0]) : scope_.tensors.end();
    if (value == scope_.tensors.end()) throw Fault{"its argument " + std::string(name) + " is no tensor", {}};
    return value->second;
}

ExprId Call::optional_tensor(std::string_view name) const { return has(name) ? tensor(name) : ExprId(); }

Exprs Call::tensors(std::string_view name) const {
    const Argument& given = need(name);
    Exprs list;
    const auto add = [&](const JsonValue* tensor) {
        const JsonValue* of = tensor ? tensor->member("name") : nullptr;
        const auto value = of ? scope_.tensors.find(of->text) : scope_.tensors.end();
        list.push_back(value == scope_.tensors.end() ? ExprId() : value->second);
    };
    for (const JsonValue& item : given.value->items) add(given.is("tensors") ? &item : item.member("as_tensor"));
    return list;
}

/// A number, a bool, or a symbolic number.
int64_t Call::number(const JsonValue& value) const {
    if (value.is(JsonValue::Kind::Bool)) return value.boolean;
    if (value.is(JsonValue::Kind::Number)) return whole(value);
    if (const JsonValue* plain = value.member("as_int"); plain && plain->is(JsonValue::Kind::Number))
        return whole(*plain);
    if (const JsonValue* flag = value.member("as_bool"); flag && flag->is(JsonValue::Kind::Bool)) return flag->boolean;
    const JsonValue* name = value.member("as_name");
    const auto known = name ? scope_.numbers.find(name->text) : scope_.numbers.end();
    if (known == scope_.numbers.end())
        throw Fault{"the symbolic number '" + (name ? name->text.substr(0, 200) : "") + "' is not known before the run",
                    {}};
    return known->second;
}

ExprId Call::operand(std::string_view name, DataType dtype) const {
    const Argument& given = need(name);
    if (is_tensor(name)) return build.cast(tensor(name), dtype);
    if (dtype == kInt64 && !given.is("float")) return build.constant(number(*given.value), dtype);
    return build.real(real(name, 0), dtype);
}

int64_t Call::integer(std::string_view name, int64_t fallback) const {
    const Argument* given = find(name);
    return given ? number(*given->value) : fallback;
}

Integers Call::integers(std::string_view name, Integers fallback) const {
    const Argument* given = find(name);
    if (!given) return fallback;
    if (!given->value->is(JsonValue::Kind::Array)) return {number(*given->value)};
    Integers list;
    for (const JsonValue& item : given->value->items) list.push_back(number(item));
    return list;
}

Integers Call::spread(std::string_view name, size_t count, int64_t fallback) const {
    Integers list = integers(name, {fallback});
    if (list.size() == 1) list.resize(count, list[0]);
    if (list.size() != count) throw Fault{"its argument " + std::string(name) + " does not fit its dimensions", {}};
    return list;
}

double Call::real(std::string_view name, double fallback) const {
    const Argument* given = find(name);
    if (!given) return fallback;
    if (const std::optional<double> value = torch::real(*given->value)) return *value;
    if (const JsonValue* plain = given->value->member("as_float"))
        if (const std::optional<double> value = torch::real(*plain)) return *value;
    return double(number(*given->value));
}

std::vector<double> Call::reals(std::string_view name) const {
    std::vector<double> list;
    const Argument* given = find(name);
    if (given)
        for (const JsonValue& item : given->value->items) list.push_back(torch::real(item).value_or(0));
    return list;
}

std::string_view Call::text(std::string_view name, std::string_view fallback) const {
    const Argument* given = find(name);
    return given && given->is("string") ? std::string_view(given->value->text) : fallback;
}

DataType Call::dtype(std::string_view name, DataType fallback) const {
    const Argument* given = find(name);
    if (!given) return fallback;
    const TensorMeta type = element_type(number(*given->value), of_executorch_);
    if (type.dtype.is_void()) throw Fault{"there are no tensors of " + type.name, {}};
    return type.dtype;
}

int64_t Call::axis(std::string_view name, int64_t fallback, int64_t rank) const {
    const int64_t given = integer(name, fallback), most = std::max<int64_t>(rank, 1);
    if (given < -most || given >= most)
        throw Fault{"the axis " + std::to_string(given) + " is out of range for rank " + std::to_string(rank), {}};
    return given < 0 ? given + most : given;
}

const TensorMeta& Call::meta(size_t result) const {
    const auto found = result < results_.size() ? scope_.types->find(results_[result]) : scope_.types->end();
    if (found == scope_.types->end()) throw Fault{"the file does not say the type of its result", {}};
    return found->second;
}

DataType Call::result_dtype(size_t result) const {
    const TensorMeta& type = meta(result);
    if (type.dtype.is_void()) throw Fault{"there are no tensors of " + type.name, {}};
    return type.dtype;
}

Integers Call::result_shape(size_t result) const {
    Integers shape;
    for (const Size& size : meta(result).sizes) {
        const std::optional<int64_t> value = size.expression.empty() ? size.value : value_of(size.expression, symbols_);
        if (value.value_or(-1) < 0) throw Fault{"the shape of its result is not known before the run", {}};
        shape.push_back(*value);
    }
    return shape;
}

Exprs Call::onnx(std::string_view op, Exprs inputs, std::initializer_list<OnnxAttribute> attributes,
                 size_t outputs) const {
    static const onnx::ExternalData no_files;
    onnx::Node made;
    made.op_type = op;
    made.inputs.resize(inputs.size());
    made.outputs.assign(outputs, "y");
    for (const auto& [name, value] : attributes) {
        onnx::Attribute attribute;
        attribute.name = name;
        if (const auto* number = std::get_if<int64_t>(&value)) {
            attribute.type = int32_t(onnx::AttributeType::Int);
            attribute.i = *number;
        } else if (const auto* real = std::get_if<double>(&value)) {
            attribute.type = int32_t(onnx::AttributeType::Float);
            attribute.f = float(*real);
        } else if (const auto* text = std::get_if<std::string_view>(&value)) {
            attribute.type = int32_t(onnx::AttributeType::String);
            attribute.s = *text;
        } else {
            attribute.type = int32_t(onnx::AttributeType::Ints);
            attribute.ints = std::get<Integers>(value);
        }
        made.attributes.push_back(std::move(attribute));
    }
    const onnx::Converter convert = onnx::find_converter("", op);
    if (!convert) throw Fault{"there is no converter of " + std::string(op), {}};
    onnx::NodeContext context(build, made, std::move(inputs), kOpset, no_files, {});
    Exprs results = convert(context);
    if (results.empty()) throw Fault{"a result is missing", {}};
    return results;
}

onnx::NodeContext Call::context() const {
    static const onnx::ExternalData no_files;
    static const onnx::Node no_node;
    return onnx::NodeContext(build, no_node, {}, kOpset, no_files, {});
}

DataType Call::promoted(std::initializer_list<std::string_view> names) const {
    DataType with_axes, without;
    const auto meet = [](DataType& into, DataType dtype) { into = into.is_void() ? dtype : wider(into, dtype); };
    for (std::string_view name : names) {
        const Argument& given = need(name);
        if (is_tensor(name)) {
            const ExprId value = tensor(name);
            meet(build.rank(value) ? with_axes : without, build.dtype(value));
        } else {
            meet(without, given.is("float") || given.is("sym_float") ? kFloat32
                          : given.is("bool") || given.is("sym_bool") ? kBool
                                                                     : kInt64);
        }
    }
    if (with_axes.is_void()) return without;
    return !without.is_void() && category(without) > category(with_axes) ? without : with_axes;
}

ExprId Call::filled(double value, DataType dtype, const Integers& shape) const {
    return build.call("full", {build.real(value, dtype)},
                      {{"shape", onnx::integer_attribute(shape)}, {"dtype", dtype}});
}

Converter find_converter(std::string_view target) {
    static const std::unordered_map<std::string_view, Converter> table = [] {
        std::unordered_map<std::string_view, Converter> made;
        for (const auto family : {math_converters(), layer_converters(), tensor_converters()})
            for (const ConverterEntry& entry : family) made.emplace(entry.op, entry.convert);
        return made;
    }();
    for (std::string_view prefix : {"executorch.exir.dialects.edge.ops.", "torch.ops."})
        if (target.starts_with(prefix)) {
            target.remove_prefix(prefix.size());
            break;
        }
    const auto find = [](std::string_view name) {
        const auto found = table.find(name);
        return found == table.end() ? nullptr : found->second;
    };
    if (const Converter exact = find(target)) return exact;
    const size_t dot = target.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    std::string_view packet = target.substr(0, dot);
    if (const Converter of_packet = find(packet)) return of_packet;
    // Views of the edge dialect copy; all values are functional here.
    if (!packet.ends_with("_copy") || packet.ends_with("_to_copy")) return nullptr;
    packet.remove_suffix(5);
    const std::string with_overload = std::string(packet) + std::string(target.substr(dot));
    const Converter of_overload = find(with_overload);
    return of_overload ? of_overload : find(packet);
}

}  // namespace partita::torch
