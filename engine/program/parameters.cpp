#include "engine/program/parameters.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "engine/ops/registry.h"

namespace partita {

namespace {

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

std::optional<ParameterRole> role_by_name(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (ends_with_any(name, {"_var", "variance", "running_var", "moving_var", "input_var"}))
        return ParameterRole::Variance;
    if (ends_with_any(name, {"_mean", "running_mean", "moving_mean"})) return ParameterRole::Mean;
    if (ends_with_any(name, {"gamma", "_scale"})) return ParameterRole::Scale;
    if (ends_with_any(name, {"beta", "bias", "_b"})) return ParameterRole::Bias;
    if (ends_with_any(name, {"weight", "kernel", "_w"})) return ParameterRole::Weight;
    if (name.ends_with("mask")) return ParameterRole::Mask;
    if (ends_with_any(name, {"length", "lengths", "seq_len", "seq_lens", "seqlens", "seqlens_k"}))
        return ParameterRole::Length;
    if (name == "data" || name == "input" || name == "x") return ParameterRole::Data;
    return std::nullopt;
}

/// Returns the role that the name of argument `index` tells.
std::optional<ParameterRole> role_by_argument(const OpRecord& op, size_t index) {
    if (op.name == "adv_index" && index >= 1) return ParameterRole::Index;
    if (index >= op.inputs.size()) return std::nullopt;
    const std::string& name = op.inputs[index];
    if (name == "expert") return ParameterRole::Index;
    if (name == "indices" && op.name != "one_hot" && op.name != "unravel_index") return ParameterRole::Index;
    if (name == "valid_length" || name == "seq_lengths") return ParameterRole::Length;
    if (op.name.starts_with("qnn.") && name.ends_with("scale")) return ParameterRole::Scale;
    return std::nullopt;
}

/// Returns the role of argument `index` of an op, if the op determines it.
std::optional<ParameterRole> role_by_use(const OpRecord& record, size_t index) {
    const std::string_view op = record.name;
    auto any_of = [op](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), op) != names.end();
    };
    bool contraction = op.starts_with("nn.conv") || op.starts_with("qnn.conv") ||
                       any_of({"nn.dense", "qnn.dense", "nn.contrib_dense_pack", "nn.matmul"});
    if (contraction && index == 1) return ParameterRole::Weight;
    if (op == "nn.bias_add" && index == 1) return ParameterRole::Bias;
    if (op == "nn.prelu" && index == 1) return ParameterRole::Scale;
    if (any_of({"nn.batch_norm", "nn.layer_norm", "nn.rms_norm", "nn.instance_norm", "nn.group_norm"})) {
        constexpr ParameterRole roles[] = {ParameterRole::Scale, ParameterRole::Bias, ParameterRole::Mean,
                                           ParameterRole::Variance};
        if (index >= 1 && index <= 4) return roles[index - 1];
    }
    return role_by_argument(record, index);
}

/// Returns whether the first argument's use is that of the op's result.
bool passes_through(const OpRecord& op) {
    return op.same_bytes || op.name == "clip" || op.name == "transpose" || op.name == "cast" ||
           op.name == "expand_dims" || op.name == "layout_transform" || op.name == "copy" || op.name == "broadcast_to";
}

class Classifier {
public:
    Classifier(const Module& module, const FlatGraph& graph)
        : module_(module), graph_(graph), list_(graph.inputs.size()), limited_(graph.inputs.size()),
          parameter_of_(graph.values.size(), kNone) {}

    std::vector<Parameter> run() {
        std::vector<std::optional<ParameterRole>> named(list_.size()), used(list_.size());
        for (size_t i = 0; i < list_.size(); ++i) {
            parameter_of_[graph_.inputs[i]] = uint32_t(i);
            named[i] = role_by_name(graph_.input_names[i]);
            list_[i].fan_in = fan_in(graph_.values[graph_.inputs[i]].type, false);
        }
        for (const FlatStep& step : graph_.steps) {
            if (!step.op.valid()) continue;
            const OpRecord& op = op_registry()[step.op];
            std::span<const ValueId> inputs = graph_.step_inputs(step);
            if (passes_through(op) && step.output_count == 1 && !inputs.empty())
                parameter_of_[step.first_output] = parameter_of_[inputs[0]];
            if (op.name == "where") parameter_of_[step.first_output] = wrapped_index(step, inputs);
            for (size_t k = 0; k < inputs.size(); ++k) {
                uint32_t parameter = parameter_of_[inputs[k]];
                if (parameter == kNone) continue;
                std::optional<ParameterRole> role = role_by_use(op, k);
                if (!role && (op.name == "add" || op.name == "multiply")) role = role_in_arithmetic(op.name, inputs, k);
                if (!role) continue;
                note_use(op, step, parameter, *role);
                if (!used[parameter] || strength(*role) > strength(*used[parameter])) used[parameter] = role;
            }
        }
        for (size_t i = 0; i < list_.size(); ++i) {
            bool proven = used[i] && strength(*used[i]) == kProven;
            list_[i].role = (proven ? used[i] : named[i] ? named[i] : used[i]).value_or(ParameterRole::Data);
        }
        return std::move(list_);
    }

private:
    static constexpr uint32_t kNone = UINT32_MAX;

    /// If there are several uses, the strongest determines the role, whatever their order; a proven one overrides the
    /// name.
    static constexpr int kProven = 100;
    static int strength(ParameterRole role) {
        using enum ParameterRole;
        return role == Weight || role == Index || role == Length ? kProven : int(role);
    }

    /// Returns the number of elements that an index of the step selects from.
    int64_t index_limit(const OpRecord& op, const FlatStep& step) const {
        const size_t selected = op.name == "nn.expert_dense" ? 1 : 0;
        std::span<const int64_t> source = module_.types().shape(graph_.values[graph_.step_inputs(step)[selected]].type);
        if (source.empty()) return 1;
        if (selected == 1) return std::max<int64_t>(source[0], 1);
        const Integer* axis =
            op.attribute_index("axis") >= 0 ? attributes_of(module_, step.expr)["axis"].as_integer() : nullptr;
        if (op.name == "take" && !axis) return std::max<int64_t>(element_count(source).value_or(1), 1);
        int64_t limit = *std::min_element(source.begin(), source.end());
        const int64_t rank = int64_t(source.size());
        if (axis && axis->value >= -rank && axis->value < rank)
            limit = source[size_t(axis->value < 0 ? axis->value + rank : axis->value)];
        return std::max<int64_t>(limit, 1);
    }

    /// Returns the parameter of `where(index < 0, index + size, index)`, as ONNX counts from the end.
    uint32_t wrapped_index(const FlatStep& step, std::span<const ValueId> inputs) const {
        const bool whole = module_.types().dtype(graph_.values[step.first_output].type).is_integer();
        return whole ? parameter_of_[inputs[2]] : kNone;
    }

    /// Returns the role of a tensor with one value for each channel that is combined with a larger computed one.
    std::optional<ParameterRole> role_in_arithmetic(std::string_view op, std::span<const ValueId> inputs,
                                                    size_t index) const {
        const TypeTable& types = module_.types();
        ValueId other = inputs[1 - index];
        auto own = types.shape(graph_.values[inputs[index]].type), larger = types.shape(graph_.values[other].type);
        bool per_channel = std::count_if(own.begin(), own.end(), [](int64_t dim) { return dim != 1; }) <= 1;
        if (!per_channel || parameter_of_[other] != kNone || larger.size() < 2 ||
            element_count(own) >= element_count(larger))
            return std::nullopt;
        return op == "add" ? ParameterRole::Bias : ParameterRole::Scale;
    }

    int64_t fan_in(TypeId type, bool output_channel_last) const {
        std::span<const int64_t> shape = module_.types().shape(type);
        if (shape.size() < 2) return 1;
        std::span<const int64_t> summed = output_channel_last ? shape.first(shape.size() - 1) : shape.subspan(1);
        return std::max<int64_t>(element_count(summed).value_or(1), 1);
    }

    void note_use(const OpRecord& op, const FlatStep& step, uint32_t parameter, ParameterRole role) {
        TypeId type = graph_.values[graph_.inputs[parameter]].type;
        if (role == ParameterRole::Weight && op.attribute_index("kernel_layout") >= 0) {
            const std::string* layout = attributes_of(module_, step.expr)["kernel_layout"].as_string();
            if (layout && layout->ends_with("O")) list_[parameter].fan_in = fan_in(type, true);
        }
        if (role == ParameterRole::Index) {
            const int64_t limit = index_limit(op, step);
            int64_t& known = list_[parameter].index_limit;
            known = limited_[parameter] ? std::min(known, limit) : limit;
            limited_[parameter] = true;
        }
    }

    const Module& module_;
    const FlatGraph& graph_;
    std::vector<Parameter> list_;
    std::vector<bool> limited_;           ///< by parameter: its index_limit is of a use
    std::vector<uint32_t> parameter_of_;  ///< by value: the parameter that it equals except for its shape
};

}  // namespace

std::vector<Parameter> classify_parameters(const Module& module, ExprId function, const FlatGraph& written_out) {
    if (written_out.straight_line) return Classifier(module, written_out).run();
    std::vector<Parameter> list;
    for (ExprId parameter : module.parameters(function)) {
        std::vector<TypeId> leaves;
        if (module.type(parameter).valid()) flatten_type(module.types(), module.type(parameter), leaves);
        for (TypeId leaf : leaves) {
            Parameter made;
            made.role = role_by_name(std::string(module.name(parameter))).value_or(ParameterRole::Data);
            std::span<const int64_t> shape = module.types().shape(leaf);
            if (shape.size() > 1) made.fan_in = std::max<int64_t>(element_count(shape.subspan(1)).value_or(1), 1);
            list.push_back(made);
        }
    }
    return list;
}

}  // namespace partita
