#include "engine/frontends/torch/importer.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include "engine/frontends/torch/call.h"
#include "engine/frontends/torch/graph_builder.h"
#include "engine/frontends/torch/module_path.h"
#include "engine/frontends/torch/weights.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/one_line.h"

namespace partita::torch {

namespace {

constexpr size_t kLongestText = 1000, kMostValues = 64, kMostInlined = 100'000;
constexpr int64_t kMostTurns = 10'000;
constexpr std::string_view kLoops = "torch.ops.higher_order.";

std::string relay_name(std::string_view name) {
    std::string made;
    for (unsigned char c : name.substr(0, 200)) made += std::isalnum(c) && c < 128 ? char(c) : '_';
    if (made.empty() || !std::isalpha(static_cast<unsigned char>(made[0]))) made.insert(0, "v");
    return made;
}

/// The value of an argument that is no tensor; None for a list that is too long.
AttributeValue kept_value(const NamedArgument& given, const std::string& text) {
    const JsonValue& value = *given.argument.value;
    const auto text_of = [&](const JsonValue& item) -> AttributeValue {
        if (item.is(JsonValue::Kind::String)) return item.text.substr(0, kLongestText);
        if (item.is(JsonValue::Kind::Bool)) return item.boolean;
        if (item.is(JsonValue::Kind::Null)) return {};
        const std::string shown = text.substr(item.offset, std::min<size_t>(item.end - item.offset, kLongestText));
        if (!item.is(JsonValue::Kind::Number)) return shown;
        if (shown.find_first_of(".eE") != std::string::npos) return item.number;
        return int64_t(std::strtoll(shown.c_str(), nullptr, 10));
    };
    if (given.argument.is("graph")) {
        const JsonValue* name = value.member("name");
        return name ? name->text.substr(0, 200) : std::string();
    }
    if (!value.is(JsonValue::Kind::Array)) return text_of(value);
    AttributeValue::List list;
    if (value.items.size() > kMostValues) return {};
    for (const JsonValue& item : value.items) list.push_back(text_of(item));
    return list;
}

class Importer {
public:
    Importer(const Program& program, const Weights& weights, const std::string& file, size_t file_bytes,
             bool of_executorch, const TorchOptions& options)
        : program_(program), weights_(weights), file_(file), of_executorch_(of_executorch), options_(options),
          build_(result_.module), plain_(program) {
        build_.note_given(int64_t(file_bytes));
    }

    TorchImport import() {
        std::vector<std::string> texts;
        result_.dimensions = dimensions_of(program_, options_.dimensions, symbols_, texts);
        for (const std::string& text : texts) note(Severity::Note, text);
        Scope scope;
        scope.types = &program_.graph.tensors;
        note_uses(program_.graph);
        for (size_t i = 0; i < program_.graph.inputs.size(); ++i)
            add_input(program_.graph.inputs[i], program_.inputs[i], scope);
        convert_nodes(program_.graph, scope, "", true);
        plain_.add_output(unshown());
        finish(scope);
        result_.graph = plain_.finish();
        result_.operators = plain_.operators(result_.graph);
        for (const std::string& warning : program_.warnings) note(Severity::Warning, warning);
        for (const std::string& warning : missing_) note(Severity::Warning, warning);
        return std::move(result_);
    }

private:
    void note(Severity severity, std::string text) { result_.notes.push_back({severity, file_, {}, std::move(text)}); }

    /// An expression that nothing uses, for nodes of the plain graph that the module has no call of.
    ExprId unshown() { return build_.constant(0, kInt64); }

    // --- types --------------------------------------------------------------------------------------------------

    /// The shape of a value with the sizes of its symbols; -1 for what is unknown. Of impossible sizes all are.
    std::vector<int64_t> shape_of(std::string_view name, const TensorMeta& meta) {
        std::vector<int64_t> shape, known;
        bool is_possible = true;
        for (const Size& size : meta.sizes) {
            const std::optional<int64_t> value =
                size.expression.empty() ? size.value : value_of(size.expression, symbols_);
            is_possible = is_possible && (!size.expression.empty() || size.value >= 0);
            shape.push_back(value && *value >= 0 ? *value : kDynamicDim);
            if (shape.back() >= 0) known.push_back(shape.back());
        }
        const std::optional<int64_t> count = element_count(known);
        int64_t bytes = 0;
        is_possible = is_possible && count && !__builtin_mul_overflow(*count, int64_t(8), &bytes);
        if (is_possible) return shape;
        if (warned_.insert(std::string(name)).second)
            note(Severity::Warning,
                 "the value " + in_quotes(name) + " has impossible sizes: they are taken as unknown");
        return std::vector<int64_t>(shape.size(), kDynamicDim);
    }
    std::vector<int64_t> shape_of(std::string_view name, const Scope& scope) {
        const auto meta = scope.types->find(name);
        return meta == scope.types->end() ? std::vector<int64_t>() : shape_of(name, meta->second);
    }

    // --- inputs -------------------------------------------------------------------------------------------------

    void add_input(const Argument& input, const InputSpec& spec, Scope& scope) {
        const std::vector<std::string_view> names = names_in(input);
        if (names.empty()) return;
        const std::string_view name = names[0];
        const auto meta = scope.types->find(name);
        const bool is_users = spec.kind == "user_input";
        ExprId value;
        if (meta != scope.types->end()) {
            const std::vector<int64_t> shape = shape_of(name, meta->second);
            const bool is_static = std::find(shape.begin(), shape.end(), kDynamicDim) == shape.end();
            if (meta->second.dtype.is_void() || (!is_users && !is_static)) value = unread(name, meta->second, shape);
            else if (is_users) value = parameter(name, meta->second.dtype, shape);
            else
                value = build_.constant(
                    weights_.tensor(spec.name.empty() ? name : spec.name, meta->second, shape, missing_));
            scope.tensors[name] = value;
            plain_.add_input(name, meta->second.name, shape, !is_users, value, spec);
        } else {
            plain_.add_input(name, "", {}, false, unshown(), spec);
        }
        define_number(program_.graph, name, scope);
    }

    ExprId parameter(std::string_view name, DataType dtype, const std::vector<int64_t>& shape) {
        std::string relay = relay_name(name);
        for (int i = 1; !taken_.insert(relay).second; ++i) relay = relay_name(name) + "_" + std::to_string(i);
        const ExprId var = result_.module.add_var(relay, result_.module.types().tensor(dtype, shape));
        result_.module.set_label(var, std::string(name));
        parameters_.push_back(var);
        return var;
    }

    /// Stands for a value of a type that tensors here don't have.
    ExprId unread(std::string_view name, const TensorMeta& meta, const std::vector<int64_t>& shape) {
        const std::string reason = "tensors of " + meta.name + " of this shape are shown only";
        note(Severity::Warning, "the input " + in_quotes(name) + " can't be run: " + reason);
        const Builder::Label label(build_, std::string(name.substr(0, 200)));
        const ForeignCall call{
            "Input", {}, 1, {}, {{"type", meta.name}}, {result_.module.types().tensor(stated(meta), shape)}};
        return build_.foreign(call, Exprs{build_.tuple({})});
    }
    static DataType stated(const TensorMeta& meta) { return meta.dtype.is_void() ? kFloat32 : meta.dtype; }

    void define_number(const Graph& graph, std::string_view name, Scope& scope) {
        const auto number = graph.numbers.find(name);
        if (number == graph.numbers.end()) return;
        const Size& size = number->second;
        const std::optional<int64_t> value = size.expression.empty() ? size.value : value_of(size.expression, symbols_);
        if (value && (size.expression.empty() ? *value >= 0 : true)) scope.numbers[name] = *value;
    }

    // --- nodes --------------------------------------------------------------------------------------------------

    void note_uses(const Graph& graph) {
        for (const Node& node : graph.nodes) {
            for (const NamedArgument& input : node.inputs)
                for (std::string_view name : names_in(input.argument)) used_.insert(name);
            for (const auto& inner : node.graphs) note_uses(*inner);  // at most kJsonDepth levels: read_json
        }
        for (const Argument& output : graph.outputs)
            for (std::string_view name : names_in(output)) used_.insert(name);
    }

    void convert_nodes(const Graph& graph, Scope& scope, const std::string& within, bool shown) {
        for (const Node& node : graph.nodes) {
            if (options_.cancel.cancelled()) throw Refused{"cancelled"};
            convert_node(graph, node, scope, within, shown);
        }
    }

    void convert_node(const Graph& graph, const Node& node, Scope& scope, const std::string& within, bool shown) {
        const std::vector<std::string_view> results = node.results();
        const std::string label = label_of(node.name, node.meta("nn_module_stack"), within);
        const Builder::Label named(build_, label);
        const uint32_t before = uint32_t(result_.module.size());
        for (std::string_view name : results) define_number(graph, name, scope);
        Exprs values;
        const bool makes_tensors = std::any_of(results.begin(), results.end(),
                                               [&](std::string_view name) { return !graph.numbers.contains(name); });
        if (makes_tensors) values = convert_or_explain(graph, node, scope, label);
        for (size_t i = 0; i < results.size() && i < values.size(); ++i)
            if (values[i].valid()) scope.tensors[results[i]] = values[i];
        if (!shown) return;
        const auto own = [&](ExprId value) { return value.valid() && value.value >= before ? value : unshown(); };
        ExprId made = values.empty() ? ExprId() : values[0];
        while (made.valid() && made.value >= before && result_.module.kind(made) == ExprKind::Projection)
            made = result_.module.operands(made)[0];
        made = own(made);
        std::vector<PlainResult> shown_results;
        for (size_t i = 0; i < results.size(); ++i) {
            const auto meta = scope.types->find(results[i]);
            shown_results.push_back({results[i], meta == scope.types->end() ? "" : meta->second.name,
                                     shape_of(results[i], scope), meta != scope.types->end(), made,
                                     used_.contains(results[i])});
        }
        plain_.add_call(node, made, shown_results, label);
    }

    Exprs convert_or_explain(const Graph& graph, const Node& node, Scope& scope, const std::string& label) {
        try {
            Exprs values = converted(node, scope, label);
            check_types(graph, node, values);
            return values;
        } catch (const Fault& fault) {
            return opaque(graph, node, scope, fault.message);
        } catch (const onnx::DataMissing& missing) {
            return opaque(graph, node, scope, missing.what());
        }
    }

    Exprs converted(const Node& node, Scope& scope, const std::string& label) {
        if (node.target == "torch.ops.higher_order.cond") return conditional(node, scope, label);
        if (node.target == "torch.ops.higher_order.wrap_with_set_grad_enabled" && node.graphs.size() == 1)
            return inlined(*node.graphs[0], operands_of(node, 2, scope), label);
        if (node.target.starts_with(kLoops)) {
            const std::string_view kind = std::string_view(node.target).substr(kLoops.size());
            if (kind == "map_impl" || kind == "map") return whole(&Importer::mapped, node, scope, label);
            if (kind == "while_loop") return whole(&Importer::unrolled, node, scope, label);
            if (kind == "scan") return whole(&Importer::scanned, node, scope, label);
        }
        const Converter convert = find_converter(node.target);
        if (!convert) throw Fault{"there is no operator of this name", {}};
        Call call(build_, node, scope, symbols_, used_, of_executorch_);
        return convert(call);
    }

    /// The file's types are right: what gives another is not what is meant.
    void check_types(const Graph& graph, const Node& node, const Exprs& values) {
        const std::vector<std::string_view> results = node.results();
        for (size_t i = 0; i < results.size(); ++i) {
            const auto meta = graph.tensors.find(results[i]);
            if (meta == graph.tensors.end()) continue;
            if (i >= values.size() || !values[i].valid()) {
                if (used_.contains(results[i]))
                    throw Fault{"its result " + std::to_string(i) + " is not supported", {}};
                continue;
            }
            if (!(build_.dtype(values[i]) == meta->second.dtype))
                throw Fault{"its result would be " + build_.dtype(values[i]).to_string() + ", and the file says " +
                                meta->second.name,
                            {}};
            const std::vector<int64_t> shape = shape_of(results[i], meta->second), computed = build_.shape(values[i]);
            bool agree = shape.size() == computed.size();
            for (size_t axis = 0; agree && axis < shape.size(); ++axis)
                agree = shape[axis] == kDynamicDim || computed[axis] == kDynamicDim || shape[axis] == computed[axis];
            if (!agree)
                throw Fault{"its result would be of shape " + shape_to_string(computed) + ", and the file says " +
                                shape_to_string(shape),
                            {}};
        }
    }

    Exprs opaque(const Graph& graph, const Node& node, const Scope& scope, const std::string& reason) {
        const std::string what = on_one_line(node.target) + " (node " + in_quotes(node.name) + ")";
        if (lacking_.empty()) lacking_ = what + ": " + reason;
        if (options_.strict) throw Refused{what + ": " + reason};
        note(Severity::Warning, what + " is shown, but can't be run: " + reason);
        Exprs given;
        ForeignCall foreign{std::string(node.target.substr(0, 200)), {}, 1, {}, {}, {}};
        for (const NamedArgument& input : node.inputs) {
            size_t tensors = 0;
            for (std::string_view name : names_in(input.argument))
                if (const auto value = scope.tensors.find(name); value != scope.tensors.end())
                    given.push_back(value->second), ++tensors;
            if (tensors == 0)
                foreign.attributes.emplace_back(std::string(input.name.substr(0, 200)),
                                                kept_value(input, program_.text));
        }
        for (const auto& [key, text] : node.metadata)
            foreign.attributes.emplace_back(std::string(key.substr(0, 200)), std::string(text.substr(0, kLongestText)));
        const std::vector<std::string_view> results = node.results();
        for (std::string_view result : results) {
            const auto meta = graph.tensors.find(result);
            const std::vector<int64_t> shape = shape_of(result, scope);
            const DataType dtype = meta == graph.tensors.end() ? kInt64 : stated(meta->second);
            foreign.results.push_back(result_.module.types().tensor(dtype, shape));
        }
        if (given.empty()) given.push_back(build_.tuple({}));
        const ExprId call = build_.foreign(foreign, given);
        if (results.size() == 1) return {call};
        Exprs fields;
        for (uint32_t i = 0; i < results.size(); ++i) fields.push_back(build_.projection(call, i));
        return fields;
    }

    // --- bodies -------------------------------------------------------------------------------------------------

    Exprs operands_of(const Node& node, size_t first, const Scope& scope, size_t last = SIZE_MAX) const {
        Exprs operands;
        for (size_t i = first; i < std::min(node.inputs.size(), last); ++i)
            for (std::string_view name : names_in(node.inputs[i].argument)) {
                const auto value = scope.tensors.find(name);
                if (value == scope.tensors.end()) throw Fault{"its operand " + in_quotes(name) + " is no tensor", {}};
                operands.push_back(value->second);
            }
        return operands;
    }

    /// The results of a body for given inputs; its nodes are named within the node.
    Exprs inlined(const Graph& graph, const Exprs& inputs, const std::string& label) {
        if ((inlined_ += graph.nodes.size() + 1) > kMostInlined) throw Fault{"bodies unfold to too many operators", {}};
        Scope scope;
        scope.types = &graph.tensors;
        size_t next = 0;
        for (const Argument& input : graph.inputs)
            for (std::string_view name : names_in(input)) {
                define_number(graph, name, scope);
                if (next == inputs.size()) throw Fault{"its body takes more than it is given", {}};
                scope.tensors[name] = inputs[next++];
            }
        convert_nodes(graph, scope, label + "/" + graph.name, false);
        Exprs outputs;
        for (const Argument& output : graph.outputs)
            for (std::string_view name : names_in(output)) {
                const auto value = scope.tensors.find(name);
                if (value == scope.tensors.end()) throw Fault{"its body has a result that is no tensor", {}};
                outputs.push_back(value->second);
            }
        return outputs;
    }

    Exprs conditional(const Node& node, Scope& scope, const std::string& label) {
        const std::vector<std::string_view> condition =
            node.inputs.empty() ? std::vector<std::string_view>() : names_in(node.inputs[0].argument);
        const auto value = condition.size() == 1 ? scope.tensors.find(condition[0]) : scope.tensors.end();
        if (node.graphs.size() != 2 || value == scope.tensors.end())
            throw Fault{"its condition or its branches are of another form", {}};
        const ExprId chosen = build_.cast(build_.reshape(value->second, {}), kBool);
        const Exprs operands = operands_of(node, 3, scope);
        const Exprs yes = inlined(*node.graphs[0], operands, label), no = inlined(*node.graphs[1], operands, label);
        if (yes.size() != no.size() || yes.empty()) throw Fault{"its branches differ in their number of results", {}};
        for (size_t i = 0; i < yes.size(); ++i)
            if (result_.module.type(yes[i]) != result_.module.type(no[i]))
                throw Fault{"its branches give different types", {}};
        if (yes.size() == 1) return {build_.conditional(chosen, yes[0], no[0])};
        const ExprId both = build_.conditional(chosen, build_.tuple(yes), build_.tuple(no));
        Exprs fields;
        for (uint32_t i = 0; i < yes.size(); ++i) fields.push_back(build_.projection(both, i));
        return fields;
    }

    /// A loop is what its turns compute, if all of them can be run; else it is shown as a whole.
    Exprs whole(Exprs (Importer::*loop)(const Node&, const Scope&, const std::string&), const Node& node,
                const Scope& scope, const std::string& label) {
        const size_t notes = result_.notes.size();
        const std::string outer = std::exchange(lacking_, {});
        try {
            Exprs results = (this->*loop)(node, scope, label);
            if (!lacking_.empty()) throw Fault{"it runs " + lacking_, {}};
            lacking_ = outer;
            return results;
        } catch (const Fault&) {
            result_.notes.resize(notes);
            lacking_ = outer;
            throw;
        }
    }

    /// Slices of tensors along their first axis, without it.
    Exprs slices(const Exprs& tensors, int64_t at) {
        Exprs parts;
        for (ExprId tensor : tensors) {
            Integers shape = build_.static_shape(tensor);
            shape.erase(shape.begin());
            parts.push_back(build_.reshape(build_.slice(tensor, 0, at, at + 1), shape));
        }
        return parts;
    }
    int64_t turns_of(const Exprs& tensors) {
        int64_t turns = -1;
        for (ExprId tensor : tensors) {
            const Integers shape = build_.static_shape(tensor);
            if (shape.empty() || (turns >= 0 && turns != shape[0]))
                throw Fault{"what it runs over differs in length", {}};
            turns = shape[0];
        }
        if (turns < 1 || turns > kMostTurns) throw Fault{"it runs " + std::to_string(turns) + " times", {}};
        return turns;
    }
    /// One list of results for each turn, stacked along a new first axis.
    void add_stacked(const std::vector<Exprs>& turns, size_t first, Exprs& results) {
        for (size_t i = first; i < turns[0].size(); ++i) {
            Exprs parts;
            for (const Exprs& turn : turns) {
                Integers shape = build_.static_shape(turn.at(i));
                shape.insert(shape.begin(), 1);
                parts.push_back(build_.reshape(turn[i], shape));
            }
            results.push_back(build_.concatenate(parts, 0));
        }
    }

    /// map_impl(body, xs, others)
    Exprs mapped(const Node& node, const Scope& scope, const std::string& label) {
        if (node.graphs.size() != 1) throw Fault{"its body is of another form", {}};
        const Exprs over = operands_of(node, 1, scope, 2), others = operands_of(node, 2, scope);
        std::vector<Exprs> turns;
        for (int64_t at = 0, count = turns_of(over); at < count; ++at) {
            Exprs given = slices(over, at);
            given.insert(given.end(), others.begin(), others.end());
            turns.push_back(inlined(*node.graphs[0], given, label));
        }
        Exprs results;
        add_stacked(turns, 0, results);
        return results;
    }

    /// scan(body, init, xs, others): the body gives new states and what is stacked.
    Exprs scanned(const Node& node, const Scope& scope, const std::string& label) {
        const bool is_plain = node.inputs.size() <= 4;  // older ones have an axis and a direction, too
        if (node.graphs.size() != 1 || !is_plain) throw Fault{"it is of another form", {}};
        const Exprs over = operands_of(node, 2, scope, 3), others = operands_of(node, 3, scope);
        Exprs states = operands_of(node, 1, scope, 2);
        std::vector<Exprs> turns;
        for (int64_t at = 0, count = turns_of(over); at < count; ++at) {
            Exprs given = states;
            for (const Exprs& more : {slices(over, at), others}) given.insert(given.end(), more.begin(), more.end());
            turns.push_back(inlined(*node.graphs[0], given, label));
            if (turns.back().size() < states.size()) throw Fault{"its body has too few results", {}};
            std::copy_n(turns.back().begin(), states.size(), states.begin());
        }
        const size_t first = states.size();
        add_stacked(turns, first, states);
        return states;
    }

    /// while_loop(condition, body, carried, others), whose end is known without the data.
    Exprs unrolled(const Node& node, const Scope& scope, const std::string& label) {
        if (node.graphs.size() != 2) throw Fault{"its bodies are of another form", {}};
        Exprs states = operands_of(node, 2, scope, 3);
        const Exprs others = operands_of(node, 3, scope);
        for (int64_t turn = 0; turn < kMostTurns; ++turn) {
            Exprs given = states;
            given.insert(given.end(), others.begin(), others.end());
            const Exprs goes_on = inlined(*node.graphs[0], given, label);
            const Tensor* known = goes_on.size() == 1 ? build_.value(goes_on[0]) : nullptr;
            if (!known || known->size() != 1) throw Fault{"how often it runs depends on data", {}};
            if (known->at(0) == 0) return states;
            const Exprs made = inlined(*node.graphs[1], given, label);
            if (made.size() != states.size()) throw Fault{"its body has other results", {}};
            states = made;
        }
        throw Fault{"it runs over " + std::to_string(kMostTurns) + " times", {}};
    }

    // --- results ------------------------------------------------------------------------------------------------

    void finish(const Scope& scope) {
        Exprs outputs;
        AttributeValue::List names;
        for (const Argument& output : program_.outputs)
            for (std::string_view name : names_in(output)) {
                const auto value = scope.tensors.find(name);
                const auto number = scope.numbers.find(name);
                if (value != scope.tensors.end()) outputs.push_back(value->second);
                else if (number != scope.numbers.end()) outputs.push_back(build_.constant(number->second, kInt64));
                else continue;
                names.push_back(std::string(name));
                plain_.mark_output(name);
            }
        Module& module = result_.module;
        const ExprId body = outputs.size() == 1 ? outputs[0] : build_.tuple(outputs);
        std::vector<TypeId> types;
        for (ExprId parameter : parameters_) types.push_back(module.type(parameter));
        FunctionInfo info;
        info.return_type = module.type(body);
        info.attributes.emplace_back("output_tensor_names", std::move(names));
        const TypeId type = module.types().function(types, info.return_type);
        module.set_function("main", module.add_function(parameters_, body, std::move(info), type));
        module.set_typed(true);
        module.drop_unreachable_constants();
    }

    const Program& program_;
    const Weights& weights_;
    const std::string& file_;
    bool of_executorch_;
    const TorchOptions& options_;
    TorchImport result_;
    Builder build_;
    GraphBuilder plain_;
    SymbolValues symbols_;
    Exprs parameters_;
    std::unordered_set<std::string> taken_, warned_;
    std::unordered_set<std::string_view> used_;
    std::vector<std::string> missing_;
    std::string lacking_;  ///< the first operator that can't be run
    size_t inlined_ = 0;
};

}  // namespace

TorchImport import_program(const Program& program, const Weights& weights, const std::string& file, size_t file_bytes,
                           bool of_executorch, const TorchOptions& options) {
    try {
        return Importer(program, weights, file, file_bytes, of_executorch, options).import();
    } catch (const Fault& fault) {
        throw Refused{fault.message};
    }
}

}  // namespace partita::torch
