#include "engine/frontends/onnx/importer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/dimension_values.h"
#include "engine/frontends/onnx/node_order.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"

namespace partita {

using namespace onnx;

namespace {

constexpr int64_t kOldestOpset = 7, kNewestOpset = 25;
constexpr int64_t kOldestIr = 3, kNewestIr = 13;
/// Limits of what unrolled loops and inlined functions can expand to: nodes beyond those of the main graph, and their
/// expressions beyond a number for each node of the main graph.
constexpr size_t kMostUnfolded = 2'000'000, kMostExpressions = 5'000'000, kExpressionsOfANode = 16;
constexpr int kDeepestInlining = 64;
constexpr size_t kLongestLabel = 1000;
/// How many sizes are compared and how often a model is read again with what its graph computes.
constexpr size_t kMostMismatches = 16;
constexpr int kMostCorrections = 8;
/// The names that the ONNX exporter gives to the parts of a partition.
constexpr std::string_view kDomain = "ai.partita.", kBackendKey = "partita.backend.",
                           kCompositeKey = "partita.composite.";

/// An error of the model itself, which ends the import.
struct Refused {
    std::string message;
};

/// The values that a graph defines. One that is defined and not valid is an input that a call of a function leaves out.
struct Scope {
    Scope* parent = nullptr;
    std::unordered_map<std::string_view, ExprId> values;

    std::optional<ExprId> find(std::string_view name) const {
        for (const Scope* scope = this; scope; scope = scope->parent) {
            auto it = scope->values.find(name);
            if (it != scope->values.end()) return it->second;
        }
        return std::nullopt;
    }
};

/// What the nodes of a function's body, or of a node's subgraph, mean in one call of it.
struct Frame {
    const Function* function = nullptr;  ///< null in the model's graph
    const Node* call = nullptr;          ///< with its own references replaced
    std::string name;  ///< of the call or the node around the body, in front of the names of its nodes; "" for none
    int64_t opset = 0;
    std::map<std::string_view, int64_t> versions;  ///< of other operator sets
    int depth = 0;                                 ///< of calls of functions within functions

    /// Returns the value of one of the function's attributes; null where the call leaves it out and it has no default.
    const Attribute* attribute(std::string_view wanted) const {
        if (const Attribute* given = call->attribute(wanted)) return given;
        for (const Attribute& attribute : function->defaults)
            if (attribute.name == wanted) return &attribute;
        return nullptr;
    }
};

/// While it lives, names of nodes stand behind this one.
class Within {
public:
    Within(Frame& frame, std::string name) : frame_(frame), outer_(std::exchange(frame.name, std::move(name))) {}
    ~Within() { frame_.name = std::move(outer_); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    Frame& frame_;
    std::string outer_;
};

/// While it lives, nodes are those of a function's body.
class Inside {
public:
    Inside(Frame& frame, const Function& function, const Node& call, std::string name) : frame_(frame), caller_(frame) {
        frame_.function = &function;
        frame_.call = &call;
        frame_.name = std::move(name);
        ++frame_.depth;
    }
    ~Inside() { frame_ = std::move(caller_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    Frame& frame_;
    Frame caller_;
};

/// The name of a function in maps: domain, name and overload.
using FunctionKey = std::tuple<std::string_view, std::string_view, std::string_view>;

FunctionKey key_of(std::string_view domain, std::string_view name, std::string_view overload) {
    return {domain == "ai.onnx" ? std::string_view() : domain, name, overload};
}

/// Returns a name behind that of what it is in, unless it stands there already.
std::string name_within(const std::string& outer, std::string_view name) {
    const bool is_within = name.starts_with(outer) && name.substr(outer.size()).starts_with('/');
    const bool fits = !outer.empty() && !is_within && outer.size() + name.size() < kLongestLabel;
    if (!fits) return std::string(name);
    return outer + (name.starts_with('/') ? "" : "/") + std::string(name);
}

}  // namespace

std::string onnx::node_label(const Node& node, const std::string& outer) {
    const std::string_view own = !node.name.empty()     ? node.name
                                 : node.outputs.empty() ? std::string_view()
                                                        : node.outputs[0];
    return name_within(outer, own.substr(0, kLongestLabel));
}

namespace {

std::string relay_name(std::string_view onnx_name) {
    std::string name;
    for (unsigned char c : onnx_name.substr(0, 200)) name += std::isalnum(c) && c < 128 ? char(c) : '_';
    if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) name.insert(0, "v");
    return name;
}

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

/// Generates unique names of one kind.
class RelayNames {
public:
    RelayNames(std::initializer_list<std::string> taken = {}) : taken_(taken) {}

    std::string take(std::string_view onnx_name) {
        const std::string base = relay_name(onnx_name);
        std::string name = base;
        while (!taken_.insert(name).second) name = base + "_" + std::to_string(++tried_[base]);
        return name;
    }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, int> tried_;  ///< the last number tried for a name, of which there may be many
};

/// The metadata about a function in a model that Partita wrote: a region's backend, or a composite's name.
struct PartitionMark {
    std::string backend, composite;
};

class Importer {
public:
    Importer(const OnnxOptions& options, const DimensionValues& sizes, size_t file_bytes)
        : options_(options), sizes_(sizes), builder_(result_.module) {
        builder_.note_given(int64_t(file_bytes));
        std::filesystem::path folder = std::filesystem::path(options.file).parent_path();
        external_.folder = options.file.empty() ? "" : folder.empty() ? "." : folder.string();
    }

    OnnxImport import(const Model& model);
    /// Where the graph computes another size than a name of the model says, once for each name.
    const std::vector<DimensionMismatch>& mismatches() const { return mismatches_; }

private:
    void read_operator_sets(std::span<const OperatorSet> sets);
    void define(Scope& scope, std::string_view name, ExprId value);
    void add_initializers(const Graph& graph, Scope& scope);
    void add_inputs(const Graph& graph, Scope& scope);
    ExprId add_parameter(const std::string& onnx_name, DataType dtype, const std::vector<int64_t>& shape);
    std::vector<int64_t> input_shape(const ValueInfo& info);
    void compare_sizes(const Graph& graph, const Scope& scope);
    void compare_size(const ValueInfo& info, ExprId value);
    void note_types(const Graph& graph);
    void convert_nodes(std::span<const Node> nodes, Scope& scope);
    void convert_node(const Node& written, Scope& scope);
    Node with_values_of_attributes(const Node& node) const;
    std::vector<ExprId> convert_or_explain(const Node& node, std::vector<ExprId> inputs, Scope& scope);
    std::vector<ExprId> convert_subgraph(const Graph& graph, std::span<const ExprId> inputs, Scope& scope);
    std::vector<ExprId> call_function(const Function& function, const Node& node, std::span<const ExprId> inputs);
    std::vector<ExprId> inline_function(const Function& function, const Node& node, std::span<const ExprId> inputs,
                                        const std::string& name);
    std::vector<ExprId> call_partitioned(const Function& function, const Node& node, std::span<const ExprId> inputs,
                                         const PartitionMark& mark);
    ExprId partitioned_callee(const Function& function, ExprId made, const PartitionMark& mark);
    int64_t version_of(std::string_view domain) const {
        const auto stated = frame_.versions.find(domain);
        return stated == frame_.versions.end() ? 1 : stated->second;
    }
    std::vector<ExprId> opaque(const Node& node, std::span<const ExprId> inputs, const std::string& reason);
    ExprId unread(const char* what, std::string_view name, const std::string& type);
    void note_missing_files();
    TypeId stated_type(std::string_view value);
    std::vector<ExprId> outputs_of(const Graph& graph, Scope& scope);
    void finish(std::span<const ExprId> outputs);

    const OnnxOptions& options_;
    const DimensionValues& sizes_;
    std::vector<DimensionMismatch> mismatches_;
    OnnxImport result_;
    Builder builder_;
    ExternalData external_;
    Frame frame_;
    std::vector<ExprId> parameters_;
    RelayNames parameter_names_, function_names_{"main"};
    std::unordered_map<std::string_view, const ValueInfo*> stated_;
    std::map<FunctionKey, const Function*> functions_;
    std::unordered_map<std::string_view, PartitionMark> marks_;  ///< by name of the function
    size_t nodes_ = 0, written_ = 0;  ///< nodes converted so far, and those of the main graph
};

void Importer::read_operator_sets(std::span<const OperatorSet> sets) {
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

void Importer::define(Scope& scope, std::string_view name, ExprId value) {
    if (name.empty()) return;
    if (!scope.values.emplace(name, value).second) throw Refused{"the value " + in_quotes(name) + " is defined twice"};
}

void Importer::add_initializers(const Graph& graph, Scope& scope) {
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

std::vector<int64_t> Importer::input_shape(const ValueInfo& info) {
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

void Importer::add_inputs(const Graph& graph, Scope& scope) {
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

ExprId Importer::add_parameter(const std::string& onnx_name, DataType dtype, const std::vector<int64_t>& shape) {
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

void Importer::note_types(const Graph& graph) {
    for (const auto* list : {&graph.value_infos, &graph.outputs})
        for (const ValueInfo& info : *list) stated_.emplace(info.name, &info);
}

TypeId Importer::stated_type(std::string_view value) {
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

std::vector<ExprId> Importer::opaque(const Node& node, std::span<const ExprId> inputs, const std::string& reason) {
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
    ExprId call = builder_.foreign(foreign, given);
    if (node.outputs.size() == 1) return {call};
    std::vector<ExprId> fields;
    for (uint32_t i = 0; i < node.outputs.size(); ++i) fields.push_back(builder_.projection(call, i));
    return fields;
}

/// Stands for a value of a type that Partita lacks: what uses it is shown, and can't be run.
ExprId Importer::unread(const char* what, std::string_view name, const std::string& type) {
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
    return opaque(node, {}, "its type is " + type + ", and Partita has tensors of numbers only")[0];
}

void Importer::note_missing_files() {
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

std::vector<ExprId> Importer::convert_or_explain(const Node& node, std::vector<ExprId> inputs, Scope& scope) {
    if (!node.domain.empty() || !functions_.empty()) {
        auto function = functions_.find(key_of(node.domain, node.op_type, node.overload));
        if (function != functions_.end()) return call_function(*function->second, node, inputs);
    }
    Converter convert = find_converter(node.domain, node.op_type);
    if (!convert) return opaque(node, inputs, why_unknown(node));
    const std::string name = builder_.label();
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
        return opaque(node, inputs, fault.message);
    } catch (const DataMissing& missing) {
        return opaque(node, inputs, missing.what());
    }
}

bool refers_to_attributes(const Node& node) {
    return std::any_of(node.attributes.begin(), node.attributes.end(),
                       [](const Attribute& attribute) { return !attribute.reference.empty(); });
}

/// Replaces references to attributes of the function whose body is converted, also in subgraphs of it. What the call
/// leaves out is left out here.
Node Importer::with_values_of_attributes(const Node& node) const {
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

void Importer::convert_node(const Node& written, Scope& scope) {
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
    const Builder::Label label(builder_, onnx::node_label(node, frame_.name));
    const std::vector<ExprId> outputs = convert_or_explain(node, std::move(inputs), scope);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty()) continue;
        if (i < outputs.size() && outputs[i].valid()) define(scope, node.outputs[i], outputs[i]);
    }
}

void Importer::convert_nodes(std::span<const Node> nodes, Scope& scope) {
    for (const Node& node : nodes) convert_node(node, scope);
}

std::vector<ExprId> Importer::outputs_of(const Graph& graph, Scope& scope) {
    std::vector<ExprId> outputs;
    for (const ValueInfo& info : graph.outputs) {
        const std::optional<ExprId> value = scope.find(info.name);
        if (!value) throw Refused{"the output " + in_quotes(info.name) + " is not defined"};
        if (!value->valid()) throw Fault{"its result " + in_quotes(info.name) + " is an input that is left out", {}};
        outputs.push_back(*value);
    }
    return outputs;
}

std::vector<ExprId> Importer::convert_subgraph(const Graph& graph, std::span<const ExprId> inputs, Scope& scope) {
    Scope inner;
    inner.parent = &scope;
    note_types(graph);
    add_initializers(graph, inner);
    if (inputs.size() > graph.inputs.size()) throw Fault{"its subgraph takes fewer inputs than it is given", {}};
    for (size_t i = 0; i < inputs.size(); ++i) define(inner, graph.inputs[i].name, inputs[i]);
    convert_nodes(graph.nodes, inner);
    return outputs_of(graph, inner);
}

std::vector<ExprId> Importer::call_function(const Function& function, const Node& node,
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
std::vector<ExprId> Importer::call_partitioned(const Function& function, const Node& node,
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
ExprId Importer::partitioned_callee(const Function& function, ExprId made, const PartitionMark& mark) {
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

std::vector<ExprId> Importer::inline_function(const Function& function, const Node& node,
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

void Importer::compare_size(const ValueInfo& info, ExprId value) {
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

void Importer::compare_sizes(const Graph& graph, const Scope& scope) {
    for (const auto* list : {&graph.outputs, &graph.value_infos})
        for (const ValueInfo& info : *list)
            if (const auto value = scope.find(info.name); value && value->valid()) compare_size(info, *value);
}

void Importer::finish(std::span<const ExprId> outputs) {
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
    module.set_function("main", module.add_function(parameters_, body, std::move(info), type));
    module.set_typed(true);
    module.drop_unreachable_constants();
}

OnnxImport Importer::import(const Model& model) {
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

/// Returns the inputs whose dimensions the options must give: those without a value or a shape of their own.
std::vector<const ValueInfo*> open_inputs(const Graph& graph, const OnnxOptions& options) {
    std::unordered_set<std::string_view> with_values;
    for (const auto* list : {&graph.initializers, &graph.sparse_initializers})
        for (const TensorProto& initializer : *list) with_values.insert(initializer.name);
    std::vector<const ValueInfo*> open;
    for (const ValueInfo& info : graph.inputs) {
        const std::string name(info.name);
        if (!with_values.contains(info.name) && !options.constants.contains(name) &&
            !options.sequences.contains(name) && !options.shapes.contains(name) && info.kind.empty())
            open.push_back(&info);
    }
    return open;
}

/// Imports a model with the sizes of its named dimensions, and again where its graph computes others.
class SizedImport {
public:
    SizedImport(const Model& model, const OnnxOptions& options, size_t file_bytes)
        : model_(model), options_(options), file_bytes_(file_bytes),
          sizes_(open_inputs(model.graph, options), {options.dimensions.begin(), options.dimensions.end()}) {}

    OnnxImport run() {
        solve();
        Attempt attempt = import(sizes_);
        for (int i = 0; i < kMostCorrections && !attempt.mismatches.empty(); ++i)
            if (!correct(attempt)) break;
        OnnxImport& result = attempt.result;
        const std::vector<Diagnostic> notes = size_notes();
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        for (const DimensionMismatch& mismatch : attempt.mismatches) result.notes.push_back(mismatch_note(mismatch));
        result.dimensions = sizes_.dimensions();
        return std::move(result);  // cppcheck-suppress returnStdMoveLocal
    }

private:
    struct Attempt {
        OnnxImport result;
        std::vector<DimensionMismatch> mismatches;
    };

    void solve() {
        Status solved = sizes_.solve();
        if (!solved && options_.correct_dimensions) {
            corrections_.push_back(solved.error().message);
            sizes_.forget_sums();
            solved = sizes_.solve();
        }
        if (!solved) throw Refused{solved.error().message};
    }

    Attempt import(const DimensionValues& sizes) const {
        Importer importer(options_, sizes, file_bytes_);
        OnnxImport result = importer.import(model_);
        return {std::move(result), importer.mismatches()};
    }

    /// Takes the first size that the graph computes otherwise from there, if the graph then agrees with it. (A model's
    /// names may also be wrong.) Returns whether there is more to correct.
    bool correct(Attempt& attempt) {
        const DimensionMismatch mismatch = attempt.mismatches.front();
        const std::string& symbol = mismatch.symbol;
        DimensionValues corrected = sizes_;
        corrected.derive(mismatch);
        if (!corrected.solve() || corrected.find(symbol) != mismatch.size) return false;
        Attempt again;
        try {
            again = import(corrected);
        } catch (const Refused&) {
            return false;
        }
        for (const DimensionMismatch& left : again.mismatches)
            if (left.symbol == symbol) return false;
        const bool given = sizes_.source(symbol) == NamedDimension::Source::Given;
        const std::string size = std::to_string(*sizes_.find(symbol));
        if (given && !options_.correct_dimensions)
            throw Refused{"the symbolic dimension " + in_quotes(symbol) + " can't be " + size + " with " +
                          sizes_.others(symbol) + ": " + mismatch.where + " is then " + std::to_string(mismatch.size)};
        if (given)
            corrections_.push_back("the symbolic dimension " + in_quotes(symbol) + " was given as " + size +
                                   ", which contradicts the model");
        sizes_ = std::move(corrected);
        attempt = std::move(again);
        return true;
    }

    Diagnostic note(Severity severity, std::string text) const {
        return {severity, options_.file, {}, std::move(text)};
    }

    Diagnostic mismatch_note(const DimensionMismatch& mismatch) const {
        return note(Severity::Note, "the model calls " + mismatch.where + " " + in_quotes(mismatch.symbol) +
                                        ", which is " + std::to_string(*sizes_.find(mismatch.symbol)) + "; it is " +
                                        std::to_string(mismatch.size));
    }

    std::vector<Diagnostic> size_notes() const {
        using enum NamedDimension::Source;
        std::vector<Diagnostic> notes;
        for (const std::string& correction : corrections_) notes.push_back(note(Severity::Warning, correction));
        for (const NamedDimension& each : sizes_.dimensions()) {
            const std::string name = "the symbolic dimension " + in_quotes(each.name);
            if (each.source == Assumed) notes.push_back(note(Severity::Note, name + " is taken as 1"));
            if (each.source == Derived)
                notes.push_back(note(Severity::Note, name + " is " + std::to_string(each.value) +
                                                         (each.found_at.empty() ? ": " + on_one_line(each.relation)
                                                                                : ", as " + each.found_at)));
        }
        return notes;
    }

    const Model& model_;
    const OnnxOptions& options_;
    size_t file_bytes_;
    DimensionValues sizes_;
    std::vector<std::string> corrections_;
};

/// Runs an import and turns faults into a diagnostic with the file's name.
template <class MakeBytes>
Result<OnnxImport> import_or_refuse(const OnnxOptions& options, MakeBytes make_bytes) {
    auto refuse = [&](const std::string& message) {
        Diagnostic diagnostic = error(message);
        diagnostic.file = options.file;
        return diagnostic;
    };
    try {
        ModelBytes bytes = make_bytes();
        Result<Model> model = parse_model(bytes, options.cancel);
        if (!model) return refuse(model.error().message);
        if (Status ordered = order_nodes(*model); !ordered) return refuse(ordered.error().message);
        return SizedImport(*model, options, bytes.all().size()).run();
    } catch (const Refused& refused) {
        return refuse(refused.message);
    } catch (const Fault& fault) {
        return refuse(fault.message);
    } catch (const DataLost& lost) {
        return refuse(lost.what());
    } catch (const std::bad_alloc&) {
        return refuse("the model needs more memory than there is");
    }
}

}  // namespace

Result<OnnxImport> import_onnx(const std::shared_ptr<const SourceFile>& file, const OnnxOptions& options) {
    return import_or_refuse(options, [&] { return ModelBytes(file); });
}

Result<OnnxImport> import_onnx(std::string_view bytes, const OnnxOptions& options) {
    return import_or_refuse(options, [&] { return ModelBytes(bytes); });
}

bool looks_like_onnx(std::string_view bytes) {
    // Field 1, a varint below 128: ir_version, which every writer puts first.
    return bytes.size() >= 4 && bytes[0] == 0x08 && static_cast<unsigned char>(bytes[1]) < 0x20;
}

}  // namespace partita
