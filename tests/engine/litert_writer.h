// Small `.tflite` files for tests: tensors and operators by name.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/flat_writer.h"

namespace partita::litert_testing {

using flat_testing::Value;

/// The numbers of TensorType.
enum Type : int8_t {
    Float32 = 0,
    Float16 = 1,
    Int32 = 2,
    UInt8 = 3,
    Int64 = 4,
    String = 5,
    Bool = 6,
    Int8 = 9,
    Resource = 13
};

class Model {
public:
    /// Adds a tensor; with bytes, a constant. Returns its number.
    int tensor(std::string name, Type type, std::vector<int32_t> shape, std::string bytes = {}) {
        const std::string held = std::move(bytes);
        uint32_t buffer = 0;
        if (!held.empty()) {
            buffer = uint32_t(buffers_.size());
            buffers_.push_back(Value::table({{0, Value::numbers(std::vector<char>(held.begin(), held.end()))}}));
        }
        tensors_.push_back({{0, Value::numbers(shape)},
                            {1, Value::number(int8_t(type))},
                            {2, Value::number(buffer)},
                            {3, Value::text(name)}});
        return int(tensors_.size()) - 1;
    }
    template <class T>
    int constant(std::string name, Type type, std::vector<int32_t> shape, const std::vector<T>& values) {
        return tensor(std::move(name), type, std::move(shape),
                      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    }
    /// Sets a field of a tensor's table.
    void set(int tensor, int field, Value value) { tensors_[size_t(tensor)].insert_or_assign(field, std::move(value)); }

    /// Adds an operator of a builtin kind, or with a custom code.
    void op(int code, std::vector<int32_t> inputs, std::vector<int32_t> outputs, std::map<int, Value> more = {},
            const std::string& custom = {}) {
        std::map<int, Value> fields = {{0, Value::number(int8_t(std::min(code, 127)))},
                                       {3, Value::number(int32_t(code))}};
        if (!custom.empty()) fields.insert_or_assign(1, Value::text(custom));
        more.insert_or_assign(0, Value::number(uint32_t(codes_.size())));
        more.insert_or_assign(1, Value::numbers(inputs));
        more.insert_or_assign(2, Value::numbers(outputs));
        codes_.push_back(Value::table(std::move(fields)));
        operators_.push_back(Value::table(std::move(more)));
    }
    void metadata(std::string name, std::string bytes) {
        metadata_.push_back(Value::table({{0, Value::text(name)}, {1, Value::number(uint32_t(buffers_.size()))}}));
        buffers_.push_back(Value::table({{0, Value::numbers(std::vector<char>(bytes.begin(), bytes.end()))}}));
    }
    /// Sets a field of the model's table.
    void set_model(int field, Value value) { more_.insert_or_assign(field, std::move(value)); }

    /// Ends a subgraph; the next one's tensors are numbered anew. The first is what the model runs.
    void end_subgraph(const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs) {
        subgraphs_.push_back(subgraph(inputs, outputs));
        tensors_.clear();
        operators_.clear();
    }

    std::string file(std::vector<int32_t> inputs, std::vector<int32_t> outputs) const {
        std::vector<Value> subgraphs = subgraphs_;
        subgraphs.push_back(subgraph(inputs, outputs));
        std::map<int, Value> fields = more_;
        fields.insert({{0, Value::number(uint32_t(3))},
                       {1, Value::list(codes_)},
                       {2, Value::list(subgraphs)},
                       {4, Value::list(buffers_)},
                       {6, Value::list(metadata_)}});
        return Value::table(std::move(fields)).file("TFL3");
    }

private:
    Value subgraph(const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs) const {
        std::vector<Value> tensors;
        for (const auto& each : tensors_) tensors.push_back(Value::table(each));
        return Value::table({{0, Value::list(tensors)},
                             {1, Value::numbers(inputs)},
                             {2, Value::numbers(outputs)},
                             {3, Value::list(operators_)},
                             {4, Value::text("main")}});
    }

    std::vector<std::map<int, Value>> tensors_;
    std::vector<Value> buffers_ = {Value::table({})}, codes_, operators_, metadata_, subgraphs_;
    std::map<int, Value> more_;
};

}  // namespace partita::litert_testing
