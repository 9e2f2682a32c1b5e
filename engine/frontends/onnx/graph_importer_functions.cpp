// Calls of the model's functions, and bodies of nodes that no converter takes.
#include <algorithm>

#include "engine/frontends/onnx/graph_importer.h"
#include "engine/support/one_line.h"

namespace partita::onnx {

namespace {

constexpr int kDeepestInlining = 64;
/// What begins the domains of functions that the ONNX exporter makes of the parts of a partition.
constexpr std::string_view kDomain = "ai.partita.";

}  // namespace

std::vector<ExprId> GraphImporter::call_function(const Function& function, const Node& node,
                                                 std::span<const ExprId> inputs) {
    const auto mark = marks_.find(function.name);
    const bool whole = inputs.size() == function.inputs.size() && function.attributes.empty() &&
                       std::all_of(inputs.begin(), inputs.end(), [](ExprId input) { return input.valid(); });
    if (mark == marks_.end() || !whole || !function.domain.starts_with(kDomain))
        return inline_function(function, node, inputs, builder_.label());
    return call_partitioned(function, node, inputs, mark->second);
}

/// Calls a function of a partitioned model: a region becomes a sub-function again, a composite a function called in
/// place.
std::vector<ExprId> GraphImporter::call_partitioned(const Function& function, const Node& node,
                                                    std::span<const ExprId> inputs, const PartitionMark& mark) {
    Module& module = result_.module;
    std::vector<ExprId> parameters;
    std::vector<TypeId> types;
    RelayNames names;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string name = names.take(function.inputs[i]);
        types.push_back(module.type(inputs[i]));
        parameters.push_back(module.add_var(name, types.back()));
    }
    // The names in it are those of the model before it was divided.
    const std::vector<ExprId> outputs = inline_function(function, node, parameters, frame_.name);
    if (outputs.empty() || !std::all_of(outputs.begin(), outputs.end(), [](ExprId output) { return output.valid(); }))
        throw Refused{"the function " + in_quotes(function.name) + " does not define all its outputs"};
    const ExprId body = outputs.size() == 1 ? outputs[0] : builder_.tuple(outputs);
    FunctionInfo info;
    info.return_type = module.type(body);
    if (mark.backend.empty()) info.attributes.emplace_back("Composite", mark.composite);
    else
        info.attributes = {
            {"Inline", 1}, {"Compiler", mark.backend}, {"global_symbol", std::string(function.name)}, {"Primitive", 1}};
    const TypeId type = module.types().function(types, info.return_type);
    const ExprId made = module.add_function(parameters, body, std::move(info), type);
    const ExprId call = module.add_call(partitioned_callee(function, made, mark), inputs, {}, module.type(body));
    if (outputs.size() == 1) return {call};
    std::vector<ExprId> fields;
    for (uint32_t i = 0; i < outputs.size(); ++i) fields.push_back(builder_.projection(call, i));
    return fields;
}

/// Returns the callee for one call of a region. Each call has its own, because its inputs may have other shapes.
ExprId GraphImporter::partitioned_callee(const Function& function, ExprId made, const PartitionMark& mark) {
    if (mark.backend.empty()) return made;
    Module& module = result_.module;
    const std::string name = function_names_.take(function.name);
    for (auto& [key, value] : module.function_info(made).attributes)
        if (key == "global_symbol") value = AttributeValue(name);
    module.set_function(name, made);
    const ExprId global = module.add_global_var(name);
    module.set_type(global, module.type(made));
    return global;
}

std::vector<ExprId> GraphImporter::inline_function(const Function& function, const Node& node,
                                                   std::span<const ExprId> inputs, const std::string& name) {
    if (frame_.depth == kDeepestInlining)
        throw Refused{"the function " + in_quotes(function.name) + " calls itself, or functions are nested too deep"};
    if (inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
        throw Refused{"the function " + in_quotes(function.name) + " has " + std::to_string(function.inputs.size()) +
                      " inputs and " + std::to_string(function.outputs.size()) + " outputs, but a node gives it " +
                      std::to_string(inputs.size()) + " and wants " + std::to_string(node.outputs.size())};
    Scope scope;
    for (size_t i = 0; i < function.inputs.size(); ++i)
        define(scope, function.inputs[i], i < inputs.size() ? inputs[i] : ExprId());
    const Inside inside(frame_, function, node, name);
    read_operator_sets(function.operator_sets);
    convert_nodes(function.nodes, scope);
    std::vector<ExprId> outputs;
    for (std::string_view name : function.outputs) outputs.push_back(scope.find(name).value_or(ExprId()));
    return outputs;
}

/// Makes a function of each graph of a node, so that one sees what it does. What the graphs take from around them
/// becomes the last inputs of the call.
void GraphImporter::add_bodies(const Node& node, Scope& scope, ForeignCall& call, std::vector<ExprId>& inputs) {
    constexpr int kDeepestBodies = 8;  // each level converts what is in it once more
    if (frame_.bodies == kDeepestBodies) return;
    ++frame_.bodies;
    const std::string name = builder_.label();
    const Within within(frame_, name);
    std::vector<std::pair<std::string, ImportedBody>> bodies;
    std::vector<ExprId> captured;
    for (const Attribute& attribute : node.attributes)
        for (const Graph& graph : attribute.graphs) try {
                std::string label(attribute.name.substr(0, attribute.name.find("_branch")));
                bodies.emplace_back(std::move(label), convert_body(graph, inputs, scope, captured));
            } catch (const Fault&) {  // a result that is left out
            } catch (const DataMissing&) {
            }
    --frame_.bodies;
    for (auto& [label, body] : bodies) {
        const std::string function = function_names_.take(name + "_" + label);
        call.bodies.emplace_back(label, function);
        add_body(function, body, captured);
    }
    call.captured = int64_t(captured.size());
    inputs.insert(inputs.end(), captured.begin(), captured.end());
}

ImportedBody GraphImporter::convert_body(const Graph& graph, std::span<const ExprId> inputs, Scope& scope,
                                         std::vector<ExprId>& captured) {
    Module& module = result_.module;
    ImportedBody body;
    RelayNames names;
    Scope inner;
    inner.parent = &scope;
    inner.capture = [&](ExprId outer) {
        if (module.kind(outer) == ExprKind::Constant) return outer;
        if (const Tensor* known = builder_.value(outer)) return builder_.constant(*known);
        const auto [found, is_new] = body.stands_for.try_emplace(outer);
        if (!is_new) return found->second;
        found->second = module.add_var(names.take("outer"), module.type(outer));
        if (std::find(captured.begin(), captured.end(), outer) == captured.end()) captured.push_back(outer);
        return found->second;
    };
    note_types(graph);
    for (const ValueInfo& info : graph.inputs) stated_.emplace(info.name, &info);
    add_initializers(graph, inner);
    const size_t both = std::min(inputs.size(), graph.inputs.size());
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
        const ValueInfo& info = graph.inputs[i];
        const size_t from_end = graph.inputs.size() - i;
        const bool stated = info.has_shape && !data_type_of(info.data_type).is_void();
        const TypeId type =
            stated || from_end > both ? stated_type(info.name) : module.type(inputs[inputs.size() - from_end]);
        body.parameters.push_back(module.add_var(names.take(info.name), type));
        module.set_label(body.parameters.back(), std::string(info.name.substr(0, 200)));
        define(inner, info.name, body.parameters.back());
    }
    convert_nodes(graph.nodes, inner);
    body.results = outputs_of(graph, inner);
    return body;
}

void GraphImporter::add_body(const std::string& name, ImportedBody& body, std::span<const ExprId> captured) {
    Module& module = result_.module;
    std::vector<ExprId> parameters = std::move(body.parameters);
    for (ExprId outer : captured) {
        ExprId& stands = body.stands_for[outer];
        if (!stands.valid()) stands = module.add_var("unused_" + std::to_string(parameters.size()), module.type(outer));
        parameters.push_back(stands);
    }
    std::vector<TypeId> types;
    for (ExprId parameter : parameters) types.push_back(module.type(parameter));
    const ExprId result = body.results.size() == 1 ? body.results[0] : builder_.tuple(body.results);
    FunctionInfo info;
    info.return_type = module.type(result);
    const TypeId type = module.types().function(types, info.return_type);
    bodies_made_[name] = module.add_function(parameters, result, std::move(info), type);
}

/// Adds the bodies that the graph's calls run to the module, without those of conversions that were given up.
void GraphImporter::keep_bodies(ExprId result) {
    Module& module = result_.module;
    std::vector<ExprId> open{result};
    std::unordered_set<uint32_t> met;
    while (!open.empty() && !bodies_made_.empty()) {
        const ExprId id = open.back();
        open.pop_back();
        if (!met.insert(id.value).second) continue;
        open.insert(open.end(), module.operands(id).begin(), module.operands(id).end());
        if (!module.called_op(id).valid()) continue;
        for (const auto& [label, name] : names_of_bodies(module, id)) {
            const auto made = bodies_made_.extract(name);
            if (made.empty()) continue;
            module.set_function(name, made.mapped());
            open.push_back(module.body(made.mapped()));
        }
    }
}

}  // namespace partita::onnx
