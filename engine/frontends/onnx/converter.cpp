#include "engine/frontends/onnx/converter.h"

#include <algorithm>
#include <unordered_map>
#include "engine/support/number_text.h"

namespace partita::onnx {

void hold_repeated(Builder& build, const TensorProto& proto, const Tensor& value) {
    const bool shares = proto.has_raw_data || proto.external;
    if (!shares && !build.may_hold(value.dtype(), value.shape()))
        throw Fault{"a constant of shape " + shape_to_string(value.shape()) + " is repeated too often", {}};
}

ExprId NodeContext::input(size_t index) const {
    if (!has(index)) throw Fault{"input " + std::to_string(index) + " is missing", {}};
    return inputs_[index];
}

const Tensor& NodeContext::known(size_t index) const {
    const Tensor* value = build.value(input(index));
    if (!value) {
        const std::string name(index < node_.inputs.size() ? node_.inputs[index] : std::string_view());
        throw Fault{"the value of its input '" + name.substr(0, 200) + "' must be known before the run", name};
    }
    return *value;
}

Integers NodeContext::known_integers(size_t index) const {
    const Tensor& tensor = known(index);
    if (!tensor.dtype().is_integer()) throw Fault{"input " + std::to_string(index) + " must hold integers", {}};
    Integers list;
    for (int64_t i = 0; i < tensor.size(); ++i)
        list.push_back(tensor.dtype() == kInt64 ? tensor.data<int64_t>()[i] : int64_t(tensor.at(i)));
    return list;
}

int64_t NodeContext::known_integer(size_t index) const {
    const Integers values = known_integers(index);
    if (values.size() != 1) throw Fault{"input " + std::to_string(index) + " must be one integer", {}};
    return values[0];
}

double NodeContext::known_number(size_t index) const {
    const Tensor& value = known(index);
    if (value.size() != 1) throw Fault{"input " + std::to_string(index) + " must be one number", {}};
    return value.at(0);
}

const Attribute* NodeContext::find(std::string_view name) const {
    const Attribute* found = node_.attribute(name);
    if (found) (*read_)[size_t(found - node_.attributes.data())] = true;
    return found;
}

std::string_view NodeContext::unread_attribute() const {
    // Of training, of how to compute, of memory, and of operator sets before 7; a branch that is never taken; what is
    // sorted anyway, and the type of what is empty. Everything else may change what an operator means.
    static constexpr std::string_view kWithoutEffect[] = {
        "accuracy_level", "broadcast",     "consumed_inputs",   "dtype",  "else_branch", "is_test",    "momentum",
        "ratio",          "seed",          "softmax_precision", "sorted", "spatial",     "stash_type", "storage_order",
        "then_branch",    "training_mode",
    };
    for (size_t i = 0; i < node_.attributes.size(); ++i) {
        const std::string_view name = node_.attributes[i].name;
        if (!(*read_)[i] &&
            std::find(std::begin(kWithoutEffect), std::end(kWithoutEffect), name) == std::end(kWithoutEffect))
            return name;
    }
    return {};
}

const Attribute* NodeContext::attribute(std::string_view name, AttributeType type) const {
    const Attribute* attribute = find(name);
    // Old files do not contain the type.
    if (attribute && attribute->type && attribute->type != int32_t(type))
        throw Fault{"its attribute " + std::string(name) + " is of the wrong type", {}};
    return attribute;
}

int64_t NodeContext::integer(std::string_view name, int64_t fallback) const {
    const Attribute* found = attribute(name, AttributeType::Int);
    return found ? found->i : fallback;
}

double NodeContext::real(std::string_view name, double fallback) const {
    const Attribute* found = attribute(name, AttributeType::Float);
    if (!found) return fallback;
    // Float32 makes the same of both; in float64 the float counts, not the decimal that it stands for.
    const TypeId type = has(0) ? build.module().type(input(0)) : TypeId();
    const bool in_double = type.valid() && build.types().is_tensor(type) && build.types().dtype(type) == kFloat64;
    return in_double ? double(found->f) : fewest_digits(found->f);
}

std::string NodeContext::string(std::string_view name, std::string_view fallback) const {
    const Attribute* found = attribute(name, AttributeType::String);
    return std::string(found ? found->s : fallback);
}

std::string NodeContext::choice(std::string_view name, std::initializer_list<std::string_view> known) const {
    std::string word = string(name, *known.begin());
    if (std::find(known.begin(), known.end(), word) == known.end())
        throw Fault{"its attribute " + std::string(name) + " is '" + word.substr(0, 100) + "', which is not supported",
                    {}};
    return word;
}

Integers NodeContext::integers(std::string_view name, Integers fallback) const {
    if (const Attribute* found = attribute(name, AttributeType::Ints)) return found->ints;
    return fallback;
}

std::vector<double> NodeContext::reals(std::string_view name) const {
    const Attribute* found = attribute(name, AttributeType::Floats);
    if (!found) return {};
    return {found->floats.begin(), found->floats.end()};
}

std::vector<std::string> NodeContext::strings(std::string_view name) const {
    const Attribute* found = attribute(name, AttributeType::Strings);
    if (!found) return {};
    return {found->strings.begin(), found->strings.end()};
}

Tensor NodeContext::tensor(std::string_view name) const {
    const Attribute* found = attribute(name, AttributeType::Tensor);
    if (!found || found->tensors.empty()) throw Fault{"the attribute " + std::string(name) + " is missing", {}};
    Result<Tensor> value = tensor_value(found->tensors[0], external_);
    if (!value) throw Fault{value.error().message, {}};
    hold_repeated(build, found->tensors[0], *value);
    return *value;
}

const Graph& NodeContext::graph(std::string_view name) const {
    const Attribute* found = attribute(name, AttributeType::Graph);
    if (!found || found->graphs.empty()) throw Fault{"the subgraph " + std::string(name) + " is missing", {}};
    return found->graphs[0];
}

int64_t NodeContext::axis(int64_t value, int64_t rank) const {
    if (value < -rank || value >= rank)
        throw Fault{"the axis " + std::to_string(value) + " is out of range for rank " + std::to_string(rank), {}};
    return value < 0 ? value + rank : value;
}

namespace {

using Table = std::unordered_map<std::string_view, Converter>;

Table joined(std::initializer_list<std::span<const ConverterEntry>> families) {
    Table all;
    for (auto family : families)
        for (const ConverterEntry& entry : family) all.emplace(entry.op_type, entry.convert);
    return all;
}

const Table& converters() {
    static const Table table = joined(
        {math_converters(), cast_converters(), nn_converters(), tensor_converters(), recurrent_converters(),
         quantization_converters(), control_converters(), resize_converters(), loss_converters(), sample_converters(),
         signal_converters(), sequence_converters(), text_converters(), attention_converters(), fused_converters()});
    return table;
}

const Table& runtime_converters() {
    static const Table table =
        joined({runtime_attention_converters(), runtime_fused_converters(), runtime_quantization_converters(),
                runtime_qlinear_converters(), runtime_packed_weight_converters(), runtime_tensor_converters(),
                runtime_recurrent_converters(), runtime_expert_converters(), runtime_linear_attention_converters()});
    return table;
}

}  // namespace

std::vector<std::string> convertible_operators() {
    std::vector<std::string> names;
    for (const auto& [name, convert] : converters()) names.emplace_back(name);
    for (const auto& [name, convert] : runtime_converters()) names.push_back("com.microsoft." + std::string(name));
    return names;
}

Converter find_converter(std::string_view domain, std::string_view op_type) {
    const bool own = domain.empty() || domain == "ai.onnx";
    if (!own && domain != "com.microsoft") return nullptr;
    const Table& table = own ? converters() : runtime_converters();
    auto it = table.find(op_type);
    return it == table.end() ? nullptr : it->second;
}

}  // namespace partita::onnx
