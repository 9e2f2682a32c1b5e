#include "engine/frontends/litert/float16.h"

#include <string_view>
#include <unordered_map>

#include "engine/support/glob.h"
#include "engine/support/one_line.h"

namespace partita::litert {

namespace {

constexpr int kFloat32Type = 0, kFloat16Type = 1, kVersion = 3;  // schema: TensorType; DEQUANTIZE of float16

/// Returns which tensors it can be said of. Sparse ones are unpacked by operators of their own; what a caller gives is
/// no constant.
std::vector<bool> narrowable_tensors(const Subgraph& subgraph, const std::vector<std::string>& values) {
    std::vector<bool> narrowable(subgraph.tensors.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const TensorInfo& info = subgraph.tensors[i];
        narrowable[i] = !values[i].empty() && info.constant() && info.type == kFloat32Type && !info.sparsity;
    }
    for (int32_t input : subgraph.inputs)
        if (input >= 0) narrowable[size_t(input)] = false;
    return narrowable;
}

/// Returns which tensors are meant.
std::vector<bool> chosen(const Subgraph& subgraph, const std::vector<std::string>& values,
                         const std::vector<std::string>& names) {
    const std::vector<bool> narrowable = narrowable_tensors(subgraph, values);
    std::unordered_map<std::string_view, size_t> by_name;
    for (size_t i = 0; i < values.size(); ++i)
        if (narrowable[i]) by_name.emplace(values[i], i);
    std::vector<bool> chosen(subgraph.tensors.size());
    for (const std::string& name : names) {
        if (const auto exact = by_name.find(name); exact != by_name.end()) {
            chosen[exact->second] = true;
            continue;
        }
        bool found = false;
        if (name.find_first_of("*?") != std::string::npos)
            for (const auto& [value, tensor] : by_name)
                if (glob_match(name, value)) found = chosen[tensor] = true;
        if (!found) throw flat::Fault{"no float32 constant is called " + in_quotes(name)};
    }
    return chosen;
}

/// Gives a tensor's values to a new one of float16, and returns the operator that makes the tensor of it.
Operator narrowed(Model& model, int32_t tensor) {
    Subgraph& subgraph = model.subgraphs[0];
    TensorInfo packed = subgraph.tensors[size_t(tensor)];
    model.made_names.push_back(std::string(packed.name) + "_float16");
    packed.name = model.made_names.back();
    packed.type = kFloat16Type;
    packed.narrowed = true;
    TensorInfo& made = subgraph.tensors[size_t(tensor)];
    made.data.reset();
    made.external.reset();
    Operator unpack;
    unpack.kind = "DEQUANTIZE";
    unpack.version = kVersion;
    unpack.inputs = {int32_t(subgraph.tensors.size())};
    unpack.outputs = {tensor};
    subgraph.tensors.push_back(std::move(packed));
    return unpack;
}

}  // namespace

std::vector<std::string> narrowable_constants(const Subgraph& subgraph, const std::vector<std::string>& values) {
    const std::vector<bool> narrowable = narrowable_tensors(subgraph, values);
    std::vector<std::string> names;
    for (size_t i = 0; i < values.size(); ++i)
        if (narrowable[i]) names.push_back(values[i]);
    return names;
}

void store_as_float16(Model& model, const std::vector<std::string>& values, const std::vector<std::string>& names) {
    Subgraph& subgraph = model.subgraphs[0];
    std::vector<bool> waiting = chosen(subgraph, values, names);
    std::vector<Operator> operators;
    std::vector<uint32_t> place_of;  // of an operator of the file
    for (Operator& op : subgraph.operators) {
        for (int32_t input : op.inputs) {
            if (input < 0 || size_t(input) >= waiting.size() || !waiting[size_t(input)]) continue;
            operators.push_back(narrowed(model, input));
            waiting[size_t(input)] = false;
        }
        place_of.push_back(uint32_t(operators.size()));
        operators.push_back(std::move(op));
    }
    subgraph.operators = std::move(operators);
    if (subgraph.control_edges)
        for (auto& [before, node] : *subgraph.control_edges) before = place_of[before], node = place_of[node];
}

}  // namespace partita::litert
