#include "engine/partitioners/relax/program_of_graph.h"

#include <nlohmann/json.hpp>

#include "engine/frontends/relax/operators.h"
#include "engine/ops/registry.h"
#include "engine/support/json_text.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

std::string python_text(const nlohmann::ordered_json& json) {
    if (json.is_boolean()) return json.get<bool>() ? "True" : "False";
    if (json.is_null()) return "None";
    if (json.is_string()) return python_quoted(json.get<std::string>());
    if (!json.is_array()) return json_text(json);
    std::string text = "[";
    for (const auto& item : json) text += (text.size() > 1 ? ", " : "") + python_text(item);
    return text + "]";
}

class ProgramMaker {
public:
    explicit ProgramMaker(const Graph& graph) : graph_(graph), variables_(graph.values.size(), kNone) {}

    Result<Text> make(const NodeLinks& links) {
        Result<std::vector<NodeId>> order = running_order(graph_, links);
        if (!order) return order.error();
        function_.name = "main";
        for (uint32_t i = 0; i < graph_.values.size(); ++i) {
            if (graph_.values[i].producer.valid() || graph_.values[i].constant) continue;
            variables_[i] = add_variable(graph_.values[i], false);
            function_.parameters.push_back(variables_[i]);
        }
        function_.blocks.emplace_back();
        function_.blocks[0].is_dataflow = true;
        for (NodeId node : *order) add(node);
        finish();
        return std::move(text_);
    }

private:
    VariableNumber add_variable(const PlainValue& value, bool is_dataflow) {
        return text_.program.add_variable(value.name, type_of(value), is_dataflow);
    }

    TypeNumber type_of(const PlainValue& value) {
        Type type;
        type.kind = Type::Kind::Tensor;
        type.text = value.dtype;
        type.has_dims = value.has_shape;
        for (size_t i = 0; i < value.shape.size(); ++i)
            type.dims.push_back(value.shape[i] == kDynamicDim ? "d" + std::to_string(i)
                                                              : std::to_string(value.shape[i]));
        return text_.program.add_type(std::move(type));
    }

    Expression operand(GraphValueId id) {
        Expression value;
        value.kind = graph_[id].constant ? Kind::Constant : Kind::Variable;
        value.index = variables_[id.value];
        if (!graph_[id].constant) return value;
        const auto [found, is_new] = constants_.emplace(id.value, uint32_t(text_.program.constants.size()));
        if (is_new) text_.program.constants.emplace_back();
        value.index = found->second;
        return value;
    }

    /// What takes one tuple here takes its fields in the graph.
    static bool takes_a_tuple(const std::string& op) {
        const OpRecord* record = nullptr;
        if (const OpId id = op_registry().find(engine_name(op)); id.valid()) record = &op_registry()[id];
        return record && record->inputs.size() == 1 && !record->variadic;
    }

    void add(NodeId id) {
        const PlainNode& node = graph_[id];
        std::string op = node.op.starts_with("relax.") ? node.op.substr(6) : node.op;
        if (const RelaxOp* known = relax_op(op); known && known->alone && op != "nn.dense") op = known->relax;
        Binding binding;
        binding.position = node.position;
        binding.source = add_source(id);
        binding.value.kind = Kind::Call;
        binding.value.operands.emplace_back().kind = Kind::Operator;
        binding.value.operands[0].text = "relax." + op;
        std::vector<Expression> inputs;
        for (GraphValueId input : node.inputs)
            if (input.valid()) inputs.push_back(operand(input));
        if (inputs.size() > 1 && takes_a_tuple(op)) {
            Expression tuple;
            tuple.kind = Kind::Tuple;
            tuple.operands = std::move(inputs);
            inputs.assign(1, std::move(tuple));
        }
        for (Expression& input : inputs) binding.value.operands.push_back(std::move(input));
        add_attributes(node, binding.value);
        add_waits(node, binding.value);
        add_outputs(node, std::move(binding));
    }

    uint32_t add_source(NodeId node) {
        text_.nodes.push_back(node);
        text_.expressions.push_back(graph_[node].expression);
        return text_.program.bindings++;
    }

    void add_attributes(const PlainNode& node, Expression& call) {
        if (node.attributes.empty()) return;
        const nlohmann::ordered_json json = ordered_json_of_text(node.attributes);
        if (!json.is_object()) return;
        for (const auto& [name, value] : json.items()) call.keywords.push_back({name, python_text(value), {}, false});
    }

    /// What must run before it, though it uses nothing of it, is used where no pattern looks.
    void add_waits(const PlainNode& node, Expression& call) {
        Function waits;
        for (NodeId before : node.after)
            for (GraphValueId output : graph_[before].outputs)
                if (output.valid()) waits.result.operands.push_back(operand(output));
        if (!waits.result.operands.empty()) call.functions.push_back(shared(std::move(waits)));
    }

    void add_outputs(const PlainNode& node, Binding binding) {
        std::vector<Binding>& bindings = function_.blocks[0].bindings;
        std::vector<GraphValueId> outputs;
        for (GraphValueId output : node.outputs)
            if (output.valid()) outputs.push_back(output);
        if (outputs.size() == 1) {
            variables_[outputs[0].value] = binding.variable = add_variable(graph_[outputs[0]], true);
            bindings.push_back(std::move(binding));
            return;
        }
        Type tuple;
        tuple.kind = Type::Kind::Tuple;
        for (GraphValueId output : outputs) tuple.fields.push_back(type_of(graph_[output]));
        if (outputs.empty()) tuple.text = "()";
        binding.variable = text_.program.add_variable(node.name, text_.program.add_type(std::move(tuple)), true);
        Expression whole;
        whole.kind = Kind::Variable;
        whole.index = binding.variable;
        bindings.push_back(std::move(binding));
        for (uint32_t i = 0; i < outputs.size(); ++i) {
            Binding field;
            field.source = kNone;
            field.value.kind = Kind::Projection;
            field.value.index = i;
            field.value.operands.push_back(whole);
            variables_[outputs[i].value] = field.variable = add_variable(graph_[outputs[i]], true);
            bindings.push_back(std::move(field));
        }
    }

    void finish() {
        Expression& result = function_.result;
        result.kind = Kind::Tuple;
        // What nobody uses is part of the graph, too.
        std::vector<bool> is_result(graph_.values.size(), true);
        for (const PlainNode& node : graph_.nodes)
            for (GraphValueId input : node.inputs)
                if (input.valid()) is_result[input.value] = false;
        for (GraphValueId output : graph_.outputs) is_result[output.value] = true;
        for (uint32_t i = 0; i < is_result.size(); ++i) {
            if (!is_result[i] || variables_[i] == kNone || !graph_.values[i].producer.valid()) continue;
            result.operands.push_back(operand(GraphValueId(i)));
            text_.program.variables[variables_[i]].is_dataflow = false;
        }
        text_.program.functions.push_back(shared(std::move(function_)));
    }

    const Graph& graph_;
    Text text_;
    Function function_;
    std::vector<VariableNumber> variables_;  ///< by value
    std::unordered_map<uint32_t, uint32_t> constants_;
};

}  // namespace

Result<Text> program_of_graph(const Graph& graph, const NodeLinks& links) { return ProgramMaker(graph).make(links); }

}  // namespace partita::relax
