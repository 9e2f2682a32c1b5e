// Calls a single op through its record's type relation and kernel.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "engine/ops/registry.h"
#include "tests/engine/guarded_memory.h"

namespace partita {

inline AttributeValue list_value(std::initializer_list<int64_t> values) {
    AttributeValue::List list;
    for (int64_t value : values) list.emplace_back(Integer{value, 32});
    return list;
}

inline AttributeValue list_value(const std::vector<int64_t>& values) {
    AttributeValue::List list;
    for (int64_t value : values) list.emplace_back(Integer{value, 32});
    return list;
}

class OpCall {
public:
    explicit OpCall(const char* name)
        : op_(op_registry()[op_registry().find(name)]), attributes_(op_.default_attributes()) {}

    OpCall& set(const char* name, AttributeValue value) {
        attributes_[size_t(op_.attribute_index(name))] = std::move(value);
        return *this;
    }
    AttributesView attributes() const { return {op_, attributes_}; }

    /// Returns the type of the result as text, or "error: " and the violated rule.
    std::string type(const std::vector<Tensor>& inputs) const {
        auto result = infer(inputs);
        return result ? types_.to_string(*result) : "error: " + result.error().message;
    }

    /// Returns the results of the kernel, tuples flattened; empty after an error, which `failure` then names.
    std::vector<Tensor> run(const std::vector<Tensor>& inputs, int threads = 2) {
        failure.clear();
        auto result = infer(inputs);
        if (!result) {
            failure = result.error().message;
            return {};
        }
        std::vector<TypeId> fields{*result};
        if (types_.is_tuple(*result)) fields.assign(types_.parts(*result).begin(), types_.parts(*result).end());
        std::vector<Tensor> outputs;
        std::vector<TensorView> input_views, output_views;
        testing::GuardedTensors guarded;
        for (TypeId field : fields) {
            std::span<const int64_t> shape = types_.shape(field);
            outputs.emplace_back(types_.dtype(field), std::vector<int64_t>(shape.begin(), shape.end()));
            // Kernels must write every element themselves.
            std::fill_n(static_cast<uint8_t*>(outputs.back().bytes()), outputs.back().byte_size(), uint8_t(0xa5));
        }
        for (const Tensor& input : inputs) input_views.push_back(guarded.view(input));
        for (const Tensor& output : outputs) output_views.push_back(guarded.view(output));
        ThreadPool pool(threads);
        Status done = op_.kernel({input_views, output_views, attributes(), pool});
        testing::GuardedTensors::copy_back(output_views, outputs);
        if (done) return outputs;
        failure = done.error().message;
        return {};
    }

    std::string failure;

private:
    Result<TypeId> infer(const std::vector<Tensor>& inputs) const {
        std::vector<TypeId> arguments;
        for (const Tensor& input : inputs) arguments.push_back(types_.tensor(input.dtype(), input.shape()));
        return op_.relation({types_, arguments, attributes()});
    }

    const OpRecord& op_;
    AttributeList attributes_;
    mutable TypeTable types_;
};

/// Returns integers from -4 to 4 (0 to 8 for unsigned types), which every type represents exactly, as well as sums of
/// products.
inline Tensor random_tensor(DataType dtype, std::vector<int64_t> shape, std::mt19937& random) {
    Tensor tensor(dtype, std::move(shape));
    int shift = dtype.code == DataType::Code::UInt ? 0 : 4;
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(int(random() % 9) - shift));
    return tensor;
}

/// Returns the largest difference of two tensors; infinite if their shapes differ.
inline double largest_difference(const Tensor& a, const Tensor& b) {
    if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (int64_t i = 0; i < a.size(); ++i) {
        double difference = std::abs(a.at(i) - b.at(i));
        if (!(difference <= largest)) largest = difference;
    }
    return largest;
}

}  // namespace partita
