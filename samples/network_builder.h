// Builds a network layer by layer as a module, for the sample models.
//
// Parameters become parameters of @main in the order in which layers request them, the data first. Type inference
// computes the shapes at the end; a layer only needs what cannot be inferred, its number of outputs.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/module.h"

namespace partita::samples {

using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

/// A value and its number of channels (or features).
struct Value {
    ExprId expr;
    int channels = 0;
};

struct Convolution {
    int channels = 0;
    int kernel_height = 1, kernel_width = 1;
    int stride = 1;
    int padding_height = 0, padding_width = 0;
    int groups = 1;
};
/// Returns a convolution with a square kernel, padded so that stride 1 keeps the size.
Convolution square(int channels, int kernel, int stride = 1, int groups = 1);

class NetworkBuilder {
public:
    Value input(const std::string& name, std::vector<int64_t> shape, int channels);
    Value parameter(const std::string& name, std::vector<int64_t> shape);
    Value scalar(float value);
    /// Adds a call of an op of the registry; omitted attributes have their defaults.
    Value call(const std::string& op, std::initializer_list<Value> arguments, const Attributes& attributes = {});

    Value convolution(const std::string& name, Value data, const Convolution& shape);
    /// Adds one value to each channel of an image, as an add: the form that DNNL's patterns expect.
    Value image_bias(const std::string& name, Value data);
    Value batch_norm(const std::string& name, Value data);
    Value dropout(Value data);
    Value relu(Value data) { return call("nn.relu", {data}); }
    Value add(Value left, Value right) { return call("add", {left, right}); }
    Value pool(const std::string& op, Value data, int kernel, int stride, int padding, bool ceiling = false);
    Value global_average(Value data) { return call("nn.global_avg_pool2d", {data}); }
    Value flatten(Value data, int features);
    Value dense(const std::string& name, Value data, int units);  ///< with bias
    Value softmax(Value data) { return call("nn.softmax", {data}); }
    Value concatenate(const std::vector<Value>& parts);
    Value reshape(Value data, std::vector<int> shape);
    Value transpose(Value data, std::vector<int> axes);
    Value layer_norm(const std::string& name, Value data);
    /// Chooses one of two values in each run.
    Value either(Value condition, Value then, Value otherwise);

    /// Makes @main and infers the types.
    Result<Module> finish(Value result);

private:
    Module module_;
    std::vector<ExprId> parameters_;
};

}  // namespace partita::samples
