#include "samples/network_builder.h"

#include <cassert>

#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"

namespace partita::samples {
namespace {

AttributeValue list(std::initializer_list<int> values) {
    AttributeValue::List items;
    for (int value : values) items.emplace_back(value);
    return items;
}

AttributeValue list(const std::vector<int>& values) {
    AttributeValue::List items;
    for (int value : values) items.emplace_back(value);
    return items;
}

}  // namespace

Convolution square(int channels, int kernel, int stride, int groups) {
    return {channels, kernel, kernel, stride, kernel / 2, kernel / 2, groups};
}

Value NetworkBuilder::input(const std::string& name, std::vector<int64_t> shape, int channels) {
    Value value = parameter(name, std::move(shape));
    value.channels = channels;
    return value;
}

Value NetworkBuilder::parameter(const std::string& name, std::vector<int64_t> shape) {
    parameters_.push_back(module_.add_var(name, module_.types().tensor(kFloat32, shape)));
    return {parameters_.back(), 0};
}

Value NetworkBuilder::scalar(float value) { return {module_.add_constant(Tensor::scalar<float>(kFloat32, value)), 0}; }

Value NetworkBuilder::call(const std::string& op, std::initializer_list<Value> arguments,
                           const Attributes& attributes) {
    OpId id = op_registry().find(op);
    assert(id.valid());
    const OpRecord& record = op_registry()[id];
    AttributeList values = record.default_attributes();
    for (const auto& [name, value] : attributes) {
        int index = record.attribute_index(name);
        assert(index >= 0);
        values[size_t(index)] = value;
    }
    std::vector<ExprId> operands;
    for (const Value& argument : arguments) operands.push_back(argument.expr);
    ExprId callee = module_.add_op(id);
    ExprId made = module_.add_call(callee, operands, module_.add_attributes(std::move(values)));
    return {made, arguments.begin()->channels};
}

Value NetworkBuilder::convolution(const std::string& name, Value data, const Convolution& shape) {
    Value weight = parameter(name + "_weight",
                             {shape.channels, data.channels / shape.groups, shape.kernel_height, shape.kernel_width});
    Value result =
        call("nn.conv2d", {data, weight},
             {{"strides", list({shape.stride, shape.stride})},
              {"padding", list({shape.padding_height, shape.padding_width, shape.padding_height, shape.padding_width})},
              {"groups", shape.groups},
              {"channels", shape.channels},
              {"kernel_size", list({shape.kernel_height, shape.kernel_width})}});
    result.channels = shape.channels;
    return result;
}

Value NetworkBuilder::image_bias(const std::string& name, Value data) {
    return add(data, parameter(name + "_bias", {data.channels, 1, 1}));
}

Value NetworkBuilder::batch_norm(const std::string& name, Value data) {
    Value gamma = parameter(name + "_gamma", {data.channels}), beta = parameter(name + "_beta", {data.channels});
    Value mean = parameter(name + "_moving_mean", {data.channels});
    Value variance = parameter(name + "_moving_var", {data.channels});
    Value all = call("nn.batch_norm", {data, gamma, beta, mean, variance});
    return {module_.add_projection(all.expr, 0), data.channels};
}

Value NetworkBuilder::dropout(Value data) {
    Value both = call("nn.dropout", {data});
    return {module_.add_projection(both.expr, 0), data.channels};
}

Value NetworkBuilder::pool(const std::string& op, Value data, int kernel, int stride, int padding, bool ceiling) {
    return call(op, {data},
                {{"pool_size", list({kernel, kernel})},
                 {"strides", list({stride, stride})},
                 {"padding", list({padding, padding, padding, padding})},
                 {"ceil_mode", ceiling}});
}

Value NetworkBuilder::flatten(Value data, int features) {
    Value result = call("nn.batch_flatten", {data});
    result.channels = features;
    return result;
}

Value NetworkBuilder::dense(const std::string& name, Value data, int units) {
    Value weight = parameter(name + "_weight", {units, data.channels});
    Value result = call("nn.dense", {data, weight}, {{"units", units}});
    result.channels = units;
    return add(result, parameter(name + "_bias", {units}));
}

Value NetworkBuilder::concatenate(const std::vector<Value>& parts) {
    std::vector<ExprId> fields;
    int channels = 0;
    for (const Value& part : parts) {
        fields.push_back(part.expr);
        channels += part.channels;
    }
    Value tuple{module_.add_tuple(fields), channels};
    return call("concatenate", {tuple}, {{"axis", 1}});
}

Value NetworkBuilder::reshape(Value data, std::vector<int> shape) {
    return call("reshape", {data}, {{"newshape", list(shape)}});
}

Value NetworkBuilder::transpose(Value data, std::vector<int> axes) {
    return call("transpose", {data}, {{"axes", list(axes)}});
}

Value NetworkBuilder::layer_norm(const std::string& name, Value data) {
    Value gamma = parameter(name + "_gamma", {data.channels}), beta = parameter(name + "_beta", {data.channels});
    return call("nn.layer_norm", {data, gamma, beta});
}

Value NetworkBuilder::either(Value condition, Value then, Value otherwise) {
    return {module_.add_if(condition.expr, then.expr, otherwise.expr), then.channels};
}

Result<Module> NetworkBuilder::finish(Value result) {
    ExprId function = module_.add_function(parameters_, result.expr);
    module_.set_function("main", function);
    if (Status typed = infer_types(module_); !typed) return typed.error();
    return std::move(module_);
}

}  // namespace partita::samples
