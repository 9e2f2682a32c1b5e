#include "engine/frontends/onnx/graph_importer.h"

#include <algorithm>
#include <cctype>

#include "engine/ops/registry.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"

namespace partita::onnx {

namespace {

constexpr int64_t kOldestOpset = 7, kNewestOpset = 25;
constexpr int64_t kOldestIr = 3, kNewestIr = 13;
/// Limits of what unrolled loops and inlined functions can expand to: nodes beyond those of the main graph, and their
/// expressions beyond a number for each node of the main graph.
constexpr size_t kMostUnfolded = 2'000'000, kMostExpressions = 5'000'000, kExpressionsOfANode = 16;
constexpr size_t kLongestLabel = 1000;
/// How many sizes are compared.
constexpr size_t kMostMismatches = 16;
constexpr std::string_view kBackendKey = "partita.backend.", kCompositeKey = "partita.composite.";

/// Returns the weight of a node. One with long attributes counts several times, because they are copied with it.
size_t size_of(const Node& node) {
    constexpr size_t kValuesOfANode = 256;
    size_t values = 0;
    for (const Attribute& attribute : node.attributes) {
        values += attribute.floats.size() + attribute.ints.size() + attribute.s.size();
        for (std::string_view text : attribute.strings) values += text.size();
        for (const TensorProto& tensor : attribute.tensors)
            values += tensor.float_data.size() + tensor.int_data.size() + tensor.double_data.size();
    }
    return 1 + values / kValuesOfANode;
}

}  // namespace

FunctionKey key_of(std::string_view domain, std::string_view name, std::string_view overload) {
    return {domain == "ai.onnx" ? std::string_view() : domain, name, overload};
}

std::string name_within(const std::string& outer, std::string_view name) {
    const bool is_within = name.starts_with(outer) && name.substr(outer.size()).starts_with('/');
    const bool fits = !outer.empty() && !is_within && outer.size() + name.size() < kLongestLabel;
    if (!fits) return std::string(name);
    return outer + (name.starts_with('/') ? "" : "/") + std::string(name);
}

std::string relay_name(std::string_view onnx_name) {
    std::string name;
    for (unsigned char c : onnx_name.substr(0, 200)) name += std::isalnum(c) && c < 128 ? char(c) : '_';
    if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) name.insert(0, "v");
    return name;
}

void GraphImporter::read_operator_sets(std::span<const OperatorSet> sets) {
    bool given = false;
    for (const OperatorSet& set : sets)
        if (set.domain.empty() || set.domain == "ai.onnx") frame_.opset = set.version, given = true;
        else frame_.versions[set.domain] = set.version;
    if (frame_.opset == 0 && sets.empty()) frame_.opset = 1, given = true;
    if (given && (frame_.opset < kOldestOpset || frame_.opset > kNewestOpset))
        result_.notes.push_back({Severity::Warning,
                                 options_.file,
                                 {},
                                 "the model is of operator set " + std::to_string(frame_.opset) + "; known are " +
                                     std::to_string(kOldestOpset) + " to " + std::to_string(kNewestOpset)});
}

void GraphImporter::define(Scope& scope, std::string_view name, ExprId value) {
    if (name.empty()) return;
    if (!scope.values.emplace(name, value).second) throw Refused{"the value " + in_quotes(name) + " is defined twice"};
}

void GraphImporter::add_initializers(const Graph& graph, Scope& scope) {
    for (const TensorProto& proto : graph.sparse_initializers)
        define(scope, proto.name, unread("Initializer", proto.name, "sparse tensor"));
    for (const TensorProto& proto : graph.initializers) {
        if (proto.data_type != 0 && data_type_of(proto.data_type).is_void()) {
            define(scope, proto.name, unread("Initializer", proto.name, std::string(data_type_name(proto.data_type))));
            continue;
        }
        Result<Tensor> value = tensor_value(proto, external_);
        if (!value) throw Refused{value.error().message};
        if (scope.parent) hold_repeated(builder_, proto, *value);
        else if (proto.external) builder_.note_given(int64_t(value->byte_size()));
        define(scope, proto.name, builder_.constant(std::move(*value)));
    }
}

std::vector<int64_t> GraphImporter::input_shape(const ValueInfo& info) {
    auto given = options_.shapes.find(std::string(info.name));
    if (given != options_.shapes.end()) return given->second;
    if (!info.has_shape) throw Refused{"the input " + in_quotes(info.name) + " has no shape"};
    std::vector<int64_t> shape;
    for (const Dimension& dimension : info.shape) {
        if (dimension.value >= 0) {
            shape.push_back(dimension.value);
            continue;
        }
        if (dimension.value < -1) throw Refused{"the input " + in_quotes(info.name) + " has a negative dimension"};
        shape.push_back(sizes_.size(dimension));
    }
    return shape;
}

void GraphImporter::add_inputs(const Graph& graph, Scope& scope) {
    std::unordered_set<std::string_view> seen;
    for (const ValueInfo& info : graph.inputs) {
        if (!seen.insert(info.name).second) throw Refused{"the input " + in_quotes(info.name) + " is defined twice"};
        if (scope.values.contains(info.name)) continue;  // an initializer is its default value
        auto known = options_.constants.find(std::string(info.name));
        if (known != options_.constants.end()) {
            define(scope, info.name, builder_.constant(known->second));
            continue;
        }
        auto sequence = options_.sequences.find(std::string(info.name));
        if (sequence != options_.sequences.end()) {
            std::vector<ExprId> elements;
            for (const auto& [dtype, shape] : sequence->second)
                elements.push_back(
                    add_parameter(std::string(info.name) + "[" + std::to_string(elements.size()) + "]", dtype, shape));
            define(scope, info.name, builder_.tuple(elements));
            continue;
        }
        DataType dtype = data_type_of(info.data_type);
        if (!info.kind.empty() || (info.is_tensor && dtype.is_void() && info.data_type != 0)) {
            const std::string_view type = info.kind.empty() ? data_type_name(info.data_type) : info.kind;
            define(scope, info.name, unread("Input", info.name, std::string(type)));
            continue;
        }
        if (!info.is_tensor || dtype.is_void()) throw Refused{"the input " + in_quotes(info.name) + " has no type"};
        define(scope, info.name, add_parameter(std::string(info.name), dtype, input_shape(info)));
    }
}

ExprId GraphImporter::add_parameter(const std::string& onnx_name, DataType dtype, const std::vector<int64_t>& shape) {
    int64_t bytes = 0;
    std::optional<int64_t> count = element_count(shape);
    if (!count || __builtin_mul_overflow(*count, int64_t(dtype.bytes()), &bytes))
        throw Refused{"the input " + in_quotes(onnx_name) + " has the impossible shape " + shape_to_string(shape)};
    const std::string name = parameter_names_.take(onnx_name);
    ExprId var = result_.module.add_var(name, result_.module.types().tensor(dtype, shape));
    result_.module.set_label(var, onnx_name);
    parameters_.push_back(var);
    result_.inputs.push_back(onnx_name);
    return var;
}

void GraphImporter::note_types(const Graph& graph) {
    for (const auto* list : {&graph.value_infos, &graph.outputs})
        for (const ValueInfo& info : *list) stated_.emplace(info.name, &info);
}

TypeId GraphImporter::stated_type(std::string_view value) {
    TypeTable& types = result_.module.types();
    auto it = stated_.find(value);
    DataType dtype = it == stated_.end() ? kVoid : data_type_of(it->second->data_type);
    if (dtype.is_void()) return types.tensor(kFloat32, {kDynamicDim});
    std::vector<int64_t> shape;
    for (const Dimension& dimension : it->second->shape) {
        const bool named = dimension.value < 0 && !dimension.symbol.empty();
        const std::optional<int64_t> bound = named ? sizes_.find(symbol_of(dimension)) : std::nullopt;
        shape.push_back(dimension.value >= 0 ? dimension.value : bound.value_or(kDynamicDim));
    }
    if (!it->second->has_shape) shape.push_back(kDynamicDim);
    return types.tensor(dtype, shape);
}

/// Returns the attributes of a node; those that are too long, and graphs and tensors, without their values.
std::vector<std::pair<std::string, AttributeValue>> kept_attributes(const Node& node) {
    constexpr size_t kMostValues = 64, kLongestText = 1000, kLongestName = 200;
    std::vector<std::pair<std::string, AttributeValue>> kept;
    for (const Attribute& attribute : node.attributes) {
        AttributeValue value;
        const auto list_of = [&](const auto& values, auto as_value) {
            AttributeValue::List list;
            for (size_t i = 0; values.size() <= kMostValues && i < values.size(); ++i)
                list.push_back(as_value(values[i]));
            if (!list.empty()) value = std::move(list);
        };
        if (!attribute.graphs.empty() || !attribute.tensors.empty()) value = {};
        else if (!attribute.floats.empty()) list_of(attribute.floats, [](float one) { return double(one); });
        else if (!attribute.ints.empty()) list_of(attribute.ints, [](int64_t one) { return one; });
        else if (!attribute.strings.empty())
            list_of(attribute.strings, [](std::string_view text) { return std::string(text.substr(0, kLongestText)); });
        else if (attribute.type == 1) value = double(attribute.f);
        else if (attribute.type == 2) value = int64_t(attribute.i);
        else if (attribute.type == 3 && attribute.s.size() <= kLongestText) value = std::string(attribute.s);
        kept.emplace_back(std::string(attribute.name.substr(0, kLongestName)), std::move(value));
    }
    return kept;
}

std::vector<ExprId> GraphImporter::opaque(const Node& node, std::span<const ExprId> inputs, const std::string& reason,
                                          Scope* scope) {
    const std::string what = on_one_line(node.op_type);
    const std::string where = builder_.label().empty() ? "" : " (node " + in_quotes(builder_.label()) + ")";
    if (options_.strict) throw Refused{what + where + ": " + reason};
    result_.notes.push_back(
        {Severity::Warning, options_.file, {}, what + where + " is shown, but can't be run: " + reason});
    result_.unsupported.push_back(what + ": " + reason);
    constexpr size_t kLongest = 200;
    ForeignCall foreign{std::string(node.op_type.substr(0, kLongest)),
                        std::string(node.domain == "ai.onnx" ? "" : node.domain.substr(0, kLongest)),
                        version_of(node.domain),
                        {},
                        kept_attributes(node),
                        {}};
    for (std::string_view output : node.outputs) foreign.results.push_back(stated_type(output));
    std::vector<ExprId> given;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].valid()) given.push_back(inputs[i]);
        else foreign.absent.push_back(int64_t(i));
    }
    if (scope) add_bodies(node, *scope, foreign, given);
    ExprId call = builder_.foreign(foreign, given);
    if (node.outputs.size() == 1) return {call};
    std::vector<ExprId> fields;
    for (uint32_t i = 0; i < node.outputs.size(); ++i) fields.push_back(builder_.projection(call, i));
    return fields;
}

/// Stands for a value of a type that Partita lacks: what uses it is shown, and can't be run.
ExprId GraphImporter::unread(const char* what, std::string_view name, const std::string& type) {
    Node node;
    node.op_type = what;
    node.domain = onnx::kUnreadDomain;
    node.outputs = {name};
    Attribute kept;
    kept.name = "type";
    kept.type = int32_t(AttributeType::String);
    kept.s = type;
    node.attributes = {kept};
    const Builder::Label label(builder_, std::string(name.substr(0, 200)));
    return opaque(node, {}, "its type is " + type + ", and Partita has tensors of numbers only", nullptr)[0];
}

void GraphImporter::note_missing_files() {
    for (const auto& [location, reason] : external_.missing)
        result_.notes.push_back({Severity::Warning,
                                 options_.file,
                                 {},
                                 "external data at " + in_quotes(location) + " " + reason +
                                     ": the model is shown and divided, but can't be run"});
}

std::string why_unknown(const Node& node) {
    if (node.domain.starts_with("ai.onnx.preview.training")) return "training is not supported";
    if (node.domain == "ai.onnx.ml") return "operators of 'ai.onnx.ml' (trees, vectors, text) are not supported";
    if (!node.domain.empty() && node.domain != "ai.onnx")
        return "there is no operator of this name of " + in_quotes(node.domain);
    for (std::string_view name :
         {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"})
        if (node.op_type == name) return "its results are random, so that runs could not be compared";
    return "there is no operator of this name";
}

std::vector<ExprId> GraphImporter::convert_or_explain(const Node& node, std::vector<ExprId> inputs, Scope& scope) {
    if (!node.domain.empty() || !functions_.empty()) {
        auto function = functions_.find(key_of(node.domain, node.op_type, node.overload));
        if (function != functions_.end()) return call_function(*function->second, node, inputs);
    }
    Converter convert = find_converter(node.domain, node.op_type);
    if (!convert) return opaque(node, inputs, why_unknown(node), &scope);
    const std::string name = builder_.label();
    const size_t notes = result_.notes.size(), unsupported = result_.unsupported.size();
    const auto explain = [&](const std::string& reason) {
        result_.notes.resize(notes);  // those of bodies that were converted in vain
        result_.unsupported.resize(unsupported);
        return opaque(node, inputs, reason, &scope);
    };
    try {
        NodeContext context(builder_, node, inputs, frame_.opset, external_,
                            [&](const Graph& graph, std::span<const ExprId> given) {
                                const Within within(frame_, name);
                                return convert_subgraph(graph, given, scope);
                            });
        // What a loop is made of besides is found with its body: rnn/Scan with rnn/mul. If stays one expression.
        const bool is_loop =
            node.op_type != "If" && std::any_of(node.attributes.begin(), node.attributes.end(),
                                                [](const Attribute& attribute) { return !attribute.graphs.empty(); });
        const Builder::Label parts(builder_, is_loop && !name.empty() ? name_within(name, node.op_type) : name);
        std::vector<ExprId> results = convert(context);
        if (const std::string_view unread = context.unread_attribute(); !unread.empty())
            throw Fault{"its attribute " + in_quotes(unread) + " is not known", {}};
        return results;
    } catch (const Fault& fault) {
        if (!fault.needed_constant.empty()) result_.needed_constants.insert(fault.needed_constant);
        return explain(fault.message);
    } catch (const DataMissing& missing) {
        return explain(missing.what());
    }
}

bool refers_to_attributes(const Node& node) {
    return std::any_of(node.attributes.begin(), node.attributes.end(),
                       [](const Attribute& attribute) { return !attribute.reference.empty(); });
}

/// Replaces references to attributes of the function whose body is converted, also in subgraphs of it. What the call
/// leaves out is left out here.
Node GraphImporter::with_values_of_attributes(const Node& node) const {
    if (!frame_.function)
        throw Refused{"the node " + in_quotes(node.name.empty() ? node.op_type : node.name) +
                      " refers to an attribute of a function, but stands in none"};
    Node copy = node;
    std::erase_if(copy.attributes, [&](Attribute& attribute) {
        if (attribute.reference.empty()) return false;
        const Attribute* value = frame_.attribute(attribute.reference);
        if (!value || !value->reference.empty()) return true;
        const std::string_view name = attribute.name;
        attribute = *value;
        attribute.name = name;
        return false;
    });
    return copy;
}

std::string node_label(const Node& node, const std::string& outer) {
    const std::string_view own = !node.name.empty()     ? node.name
                                 : node.outputs.empty() ? std::string_view()
                                                        : node.outputs[0];
    return name_within(outer, own.substr(0, kLongestLabel));
}

void GraphImporter::convert_node(const Node& written, Scope& scope) {
    const Node replaced = refers_to_attributes(written) ? with_values_of_attributes(written) : Node();
    const Node& node = replaced.op_type.empty() ? written : replaced;
    nodes_ += size_of(node);
    if (nodes_ > kMostUnfolded + written_)
        throw Refused{"the model unfolds to over " + std::to_string(kMostUnfolded + written_) + " nodes"};
    if (size_t most = kMostExpressions + kExpressionsOfANode * written_; result_.module.size() > most)
        throw Refused{"the model unfolds to over " + std::to_string(most) + " operators and operands"};
    if (options_.cancel.cancelled()) throw Refused{"cancelled"};
    std::vector<ExprId> inputs;
    for (std::string_view name : node.inputs) {
        const std::optional<ExprId> value = name.empty() ? ExprId() : scope.find(name);
        if (!value)
            throw Refused{"the node " + in_quotes(node.name.empty() ? node.op_type : node.name) + " uses the value " +
                          in_quotes(name) + ", which nothing defines"};
        inputs.push_back(*value);
    }
    const Builder::Label label(builder_, node_label(node, frame_.name));
    const std::vector<ExprId> outputs = convert_or_explain(node, std::move(inputs), scope);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty()) continue;
        if (i < outputs.size() && outputs[i].valid()) define(scope, node.outputs[i], outputs[i]);
    }
}

void GraphImporter::convert_nodes(std::span<const Node> nodes, Scope& scope) {
    for (const Node& node : nodes) convert_node(node, scope);
}

std::vector<ExprId> GraphImporter::outputs_of(const Graph& graph, Scope& scope) {
    std::vector<ExprId> outputs;
    for (const ValueInfo& info : graph.outputs) {
        const std::optional<ExprId> value = scope.find(info.name);
        if (!value) throw Refused{"the output " + in_quotes(info.name) + " is not defined"};
        if (!value->valid()) throw Fault{"its result " + in_quotes(info.name) + " is an input that is left out", {}};
        outputs.push_back(*value);
    }
    return outputs;
}

std::vector<ExprId> GraphImporter::convert_subgraph(const Graph& graph, std::span<const ExprId> inputs, Scope& scope) {
    Scope inner;
    inner.parent = &scope;
    note_types(graph);
    add_initializers(graph, inner);
    if (inputs.size() > graph.inputs.size()) throw Fault{"its subgraph takes fewer inputs than it is given", {}};
    for (size_t i = 0; i < inputs.size(); ++i) define(inner, graph.inputs[i].name, inputs[i]);
    convert_nodes(graph.nodes, inner);
    return outputs_of(graph, inner);
}

void GraphImporter::compare_size(const ValueInfo& info, ExprId value) {
    const TypeTable& types = result_.module.types();
    const TypeId type = result_.module.type(value);
    if (!info.has_shape || !types.is_tensor(type) || types.shape(type).size() != info.shape.size()) return;
    for (size_t axis = 0; axis < info.shape.size(); ++axis) {
        const Dimension& stated = info.shape[axis];
        if (stated.value >= 0 || stated.symbol.empty()) continue;
        const int64_t computed = types.shape(type)[axis];
        const std::string symbol = symbol_of(stated);
        const std::optional<int64_t> size = sizes_.find(symbol);
        if (!size || computed == kDynamicDim || *size == computed) continue;
        const auto known = [&](const DimensionMismatch& each) { return each.symbol == symbol; };
        if (std::any_of(mismatches_.begin(), mismatches_.end(), known)) continue;
        if (mismatches_.size() < kMostMismatches)
            mismatches_.push_back(
                {symbol, computed, "dimension " + std::to_string(axis) + " of " + in_quotes(info.name)});
    }
}

void GraphImporter::compare_sizes(const Graph& graph, const Scope& scope) {
    for (const auto* list : {&graph.outputs, &graph.value_infos})
        for (const ValueInfo& info : *list)
            if (const auto value = scope.find(info.name); value && value->valid()) compare_size(info, *value);
}

void GraphImporter::finish(std::span<const ExprId> outputs) {
    if (outputs.empty()) throw Refused{"the graph has no output"};
    Module& module = result_.module;
    ExprId body = outputs.size() == 1 ? outputs[0] : builder_.tuple(outputs);
    std::vector<TypeId> parameter_types;
    for (ExprId parameter : parameters_) parameter_types.push_back(module.type(parameter));
    FunctionInfo info;
    info.return_type = module.type(body);
    // Stored as TVM's importers do, so that an export can restore the names of the results.
    AttributeValue::List names;
    for (const std::string& name : result_.outputs) names.push_back(name);
    info.attributes.emplace_back("output_tensor_names", std::move(names));
    TypeId type = module.types().function(parameter_types, info.return_type);
    keep_bodies(body);
    module.set_function("main", module.add_function(parameters_, body, std::move(info), type));
    module.set_typed(true);
    module.drop_unreachable_constants();
}

OnnxImport GraphImporter::import(const Model& model) {
    if (model.ir_version && (model.ir_version < kOldestIr || model.ir_version > kNewestIr))
        result_.notes.push_back({Severity::Warning,
                                 options_.file,
                                 {},
                                 "the model is of IR version " + std::to_string(model.ir_version) + "; known are " +
                                     std::to_string(kOldestIr) + " to " + std::to_string(kNewestIr)});
    read_operator_sets(model.operator_sets);
    for (const Function& function : model.functions)
        if (!functions_.emplace(key_of(function.domain, function.name, function.overload), &function).second)
            throw Refused{"the function " + in_quotes(function.name) + " is defined twice"};
    for (const auto& [key, value] : model.metadata) {
        if (key.starts_with(kBackendKey)) marks_[key.substr(kBackendKey.size())].backend = value.substr(0, 200);
        if (key.starts_with(kCompositeKey)) marks_[key.substr(kCompositeKey.size())].composite = value.substr(0, 200);
    }
    Scope scope;
    for (const Node& node : model.graph.nodes) written_ += size_of(node);
    note_types(model.graph);
    add_initializers(model.graph, scope);
    add_inputs(model.graph, scope);
    convert_nodes(model.graph.nodes, scope);
    std::vector<ExprId> outputs = outputs_of(model.graph, scope);
    for (const ValueInfo& info : model.graph.outputs) result_.outputs.emplace_back(info.name);
    compare_sizes(model.graph, scope);
    finish(outputs);
    note_missing_files();
    return std::move(result_);
}

}  // namespace partita::onnx
