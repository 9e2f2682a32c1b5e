#include "engine/frontends/litert/importer.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/frontends/litert/converter.h"
#include "engine/frontends/litert/file_operators.h"
#include "engine/frontends/litert/float16.h"
#include "engine/frontends/litert/sparse.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/ir/file_part.h"
#include "engine/ir/json_of.h"
#include "engine/ops/foreign.h"
#include "engine/support/json_text.h"
#include "engine/support/large_memory.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/path_inside.h"
#include "engine/support/utf8.h"

namespace partita {

using namespace litert;

namespace {

constexpr size_t kLongestName = 1000, kMostInlined = 100'000, kMostValuesShown = 64;
constexpr int kDeepestBody = 16, kMostTurns = 10'000;
constexpr size_t kReadAtOnce = 4096;

std::string name_of(std::string_view text) { return std::string(cut_to_bytes(text, kLongestName)); }

/// A state that nobody wrote yet.
class ZeroBytes : public DeferredBytes {
public:
    explicit ZeroBytes(size_t count) : count_(count) {}

private:
    std::shared_ptr<void> read() override {
        std::shared_ptr<void> memory = allocate_large(count_);
        std::memset(memory.get(), 0, count_);
        return memory;
    }
    size_t count_;
};

/// Bytes of a file that could not be read when the model was opened.
class MissingBytes : public DeferredBytes {
public:
    explicit MissingBytes(std::string fault) : fault_(std::move(fault)) {}

private:
    std::shared_ptr<void> read() override { throw onnx::DataMissing(fault_); }
    std::string fault_;
};

/// Numbers of 16 bits, of a constant of 32.
class NarrowedBytes : public DeferredBytes {
public:
    explicit NarrowedBytes(Tensor wide) : wide_(std::move(wide)) {}

private:
    std::shared_ptr<void> read() override {
        const std::shared_ptr<const void> numbers = wide_.lent_bytes();
        const size_t count = size_t(wide_.size());
        std::shared_ptr<void> memory = allocate_large(count * sizeof(uint16_t));
        std::transform(static_cast<const float*>(numbers.get()), static_cast<const float*>(numbers.get()) + count,
                       static_cast<uint16_t*>(memory.get()), float_to_half);
        return memory;
    }
    const Tensor wide_;
};

/// Unique names: a name that comes again gets a number.
class UniqueNames {
public:
    std::string take(std::string_view wanted) {
        std::string text = name_of(wanted);
        for (const std::string base = text; !taken_.insert(text).second;)
            text = base + ":" + std::to_string(++next_[base]);
        return text;
    }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, uint32_t> next_;
};

// ---- The plain graph ----

nlohmann::ordered_json json_of_option(const Option& option) {
    const auto list_or_one = [&](const auto& values) {
        if (!option.type.starts_with('[') && values.size() == 1) return nlohmann::ordered_json(values[0]);
        return nlohmann::ordered_json(
            std::vector(values.begin(), values.begin() + std::min(values.size(), kMostValuesShown)));
    };
    if (option.type == "bool" && option.integers.size() == 1) return option.integers[0] != 0;
    if (!option.texts.empty()) return list_or_one(option.texts);
    if (!option.reals.empty()) return list_or_one(option.reals);
    if (!option.integers.empty() || option.type.starts_with('[')) return list_or_one(option.integers);
    return option.type;
}

std::string attributes_of_operator(const Operator& op) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Option& option : op.options.list) json[option.name.substr(0, 200)] = json_of_option(option);
    json["version"] = op.version;
    return json_text(json);
}

/// Makes the graph of a subgraph. Values are its tensors that something makes or uses.
class GraphMaker {
public:
    GraphMaker(const Subgraph& subgraph)
        : subgraph_(subgraph), value_of_(subgraph.tensors.size()), is_input_tensor_(subgraph.tensors.size()) {
        for (int32_t input : subgraph.inputs)
            if (input >= 0) is_input_tensor_[size_t(input)] = true;
    }

    Graph make() {
        for (int32_t input : subgraph_.inputs) graph_.inputs.push_back(value(input));
        for (size_t i = 0; i < subgraph_.operators.size(); ++i) add(subgraph_.operators[i], i);
        for (int32_t output : subgraph_.outputs) graph_.outputs.push_back(value(output));
        // States, and what nothing makes.
        for (uint32_t i = 0; i < graph_.values.size(); ++i) {
            const PlainValue& each = graph_.values[i];
            if (!each.constant && !each.producer.valid() && !is_input_[i]) graph_.inputs.push_back(GraphValueId(i));
        }
        if (subgraph_.control_edges)
            for (const auto& [before, node] : *subgraph_.control_edges)
                graph_.nodes[node].after.push_back(NodeId(before));
        return std::move(graph_);
    }

    /// Returns the name of each tensor in the graph that was made; "" for those that are not in it.
    std::vector<std::string> names_in(const Graph& graph) const {
        std::vector<std::string> names;
        for (GraphValueId id : value_of_) names.push_back(id.valid() ? graph[id].name : "");
        return names;
    }

private:
    GraphValueId value(int32_t tensor) {
        if (tensor < 0) return {};
        GraphValueId& known = value_of_[size_t(tensor)];
        if (known.valid()) return known;
        const TensorInfo& info = subgraph_.tensors[size_t(tensor)];
        known = GraphValueId(uint32_t(graph_.values.size()));
        PlainValue made;
        made.name = names_.take(info.name.empty() ? "tensor " + std::to_string(tensor) : std::string(info.name));
        made.dtype = type_name(info.type);
        made.shape = info.shape;
        for (size_t i = 0; i < info.open_dims.size(); ++i)
            if (info.open_dims[i]) made.shape[i] = kDynamicDim;
        made.has_shape = true;
        made.constant = info.constant();
        graph_.values.push_back(std::move(made));
        is_input_.push_back(is_input_tensor_[size_t(tensor)]);
        return known;
    }

    void add(const Operator& op, size_t index) {
        const NodeId id(uint32_t(graph_.nodes.size()));
        PlainNode node;
        node.op = name_of(op.kind);
        node.attributes = attributes_of_operator(op);
        for (int32_t input : op.inputs) node.inputs.push_back(value(input));
        for (int32_t output : op.outputs) {
            node.outputs.push_back(value(output));
            if (output >= 0) graph_.values[node.outputs.back().value].producer = id;
        }
        const auto named =
            std::find_if(node.outputs.begin(), node.outputs.end(), [](GraphValueId id) { return id.valid(); });
        node.name = named == node.outputs.end() ? operator_title(op, index) : graph_.values[named->value].name;
        graph_.nodes.push_back(std::move(node));
    }

    const Subgraph& subgraph_;
    Graph graph_;
    std::vector<GraphValueId> value_of_;
    std::vector<bool> is_input_tensor_;
    std::vector<bool> is_input_;  ///< by value
    UniqueNames names_;
};

/// Returns an order in which the nodes can run. Those that may touch a variable keep the file's.
Result<std::vector<NodeId>> order_of(const Graph& graph) {
    std::vector<uint32_t> touching;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const std::string& op = graph.nodes[i].op;
        if (op.ends_with("_VARIABLE") || op.ends_with("WHILE") || op == "IF" || op.starts_with("CALL"))
            touching.push_back(i);
    }
    if (touching.size() < 2) return running_order(graph, NodeLinks(graph));
    Graph chained = graph;
    for (size_t i = 1; i < touching.size(); ++i) chained.nodes[touching[i]].after.push_back(NodeId(touching[i - 1]));
    const Result<std::vector<NodeId>> order = running_order(chained, NodeLinks(chained));
    return order ? order : running_order(graph, NodeLinks(graph));
}

// ---- The module ----

class Importer {
public:
    Importer(const Model& model, const std::shared_ptr<const SourceFile>& file, const LitertOptions& options)
        : model_(model), file_(file), options_(options), builder_(result_.module) {
        builder_.note_given(int64_t(file->size()));
        const std::filesystem::path folder = std::filesystem::path(file->path()).parent_path();
        folder_ = folder.empty() ? "." : folder.string();
    }

    LitertImport import();

private:
    /// The values of a subgraph's tensors, where it is converted.
    struct Frame {
        const Subgraph& subgraph;
        std::vector<ExprId> values;  ///< by tensor
        std::string name;            ///< of the composite that it stands for, in front of its nodes' names
        int depth = 0;
        const Frame* outer = nullptr;  ///< whose operator runs it
    };

    Module& module() { return result_.module; }
    void note(Severity severity, std::string text) {
        result_.notes.push_back({severity, file_->path(), {}, std::move(text)});
    }
    const Signature* signature_of(uint32_t subgraph) const;
    void add_inputs(Frame& frame);
    std::vector<int64_t> bound_shape(const TensorInfo& info, const std::string& input);
    ExprId value(Frame& frame, int32_t tensor);
    ExprId made_value(const TensorInfo& info, int32_t tensor);
    Tensor constant(const TensorInfo& info, DataType dtype);
    Tensor external_constant(const TensorInfo& info, DataType dtype);
    ExprId unread(const char* what, const TensorInfo& info);
    TypeId stated_type(const TensorInfo& info);
    Exprs convert_or_explain(Frame& frame, const Operator& op, size_t index, const Exprs& inputs);
    Exprs results_of(Frame& frame, const Operator& op, std::string_view role, const Exprs& inputs, size_t results);
    Exprs with_bodies(Frame& frame, const Operator& op, const Exprs& inputs);
    Exprs bodies(Frame& frame, const Operator& op, const Exprs& inputs);
    Exprs unrolled(Frame& frame, const Operator& op, const Exprs& inputs);
    Exprs chosen(Frame& frame, const Operator& op, const Exprs& inputs);
    Exprs of_variable(const Frame& frame, const Operator& op, const Exprs& inputs);
    void convert_all(Frame& frame, const std::vector<NodeId>& order, std::vector<ExprId>* expressions);
    void require_stated_types(const Frame& frame, const Operator& op, const Exprs& results);
    Exprs opaque(const Frame& frame, const Operator& op, const Exprs& inputs, const std::string& reason);
    void finish(Frame& frame);
    NarrowableConstants narrowable(std::vector<std::string> names) const;
    void add_notes();

    const Model& model_;
    const std::shared_ptr<const SourceFile>& file_;
    const LitertOptions& options_;
    LitertImport result_;
    Builder builder_;
    std::string folder_;
    std::vector<ExprId> parameters_;
    std::map<std::string, std::string> missing_;  ///< files of external constants, with the reason
    bool rebound_ = false;                        ///< a size was given that is not the file's
    size_t inlined_ = 0;
    std::map<ExprId, std::string> handles_;    ///< of variables; and what else stands for nothing that runs
    std::map<std::string, ExprId> variables_;  ///< what was assigned last
};

const Signature* Importer::signature_of(uint32_t subgraph) const {
    for (const Signature& each : model_.signatures)
        if (each.subgraph == subgraph) return &each;
    return nullptr;
}

std::vector<int64_t> Importer::bound_shape(const TensorInfo& info, const std::string& input) {
    std::vector<int64_t> shape = info.shape;
    for (size_t axis = 0; axis < info.open_dims.size(); ++axis) {
        if (!info.open_dims[axis]) continue;
        NamedDimension dimension;
        dimension.name = input + ":" + std::to_string(axis);
        dimension.value = shape[axis];
        dimension.inputs = {{input, int(axis)}};
        if (const auto given = options_.dimensions.find(dimension.name); given != options_.dimensions.end()) {
            if (given->second < 0) throw flat::Fault{"the dimension " + in_quotes(given->first) + " can't be negative"};
            rebound_ = rebound_ || given->second != shape[axis];
            dimension.value = shape[axis] = given->second;
            dimension.source = NamedDimension::Source::Given;
        } else
            note(Severity::Note, "the dimension " + in_quotes(dimension.name) +
                                     ", which the file leaves open, is taken as " + std::to_string(dimension.value));
        result_.dimensions.push_back(std::move(dimension));
    }
    const DataType dtype = data_type(info.type);
    if (const auto count = element_count(shape); !count || *count > INT64_MAX / int64_t(dtype.bytes()))
        throw flat::Fault{"the input " + in_quotes(input) + " has the impossible shape " + shape_to_string(shape)};
    return shape;
}

void Importer::add_inputs(Frame& frame) {
    const Signature* signature = signature_of(0);
    UniqueNames names;
    for (int32_t tensor : frame.subgraph.inputs) {
        const TensorInfo& info = frame.subgraph.tensors[size_t(tensor)];
        std::string_view name = info.name;
        if (signature)
            for (const auto& [given, of] : signature->inputs)
                if (int64_t(of) == tensor && !given.empty()) name = given;
        const std::string label = names.take(name);
        if (data_type(info.type).is_void()) {
            frame.values[size_t(tensor)] = unread("Input", info);
            continue;
        }
        if (frame.values[size_t(tensor)].valid() || info.constant()) continue;
        const std::vector<int64_t> shape = bound_shape(info, label);
        const ExprId parameter = module().add_var(label, module().types().tensor(data_type(info.type), shape));
        module().set_label(parameter, label);
        parameters_.push_back(parameter);
        frame.values[size_t(tensor)] = parameter;
    }
}

Tensor Importer::external_constant(const TensorInfo& info, DataType dtype) {
    const ExternalPlace& place = *info.external;
    const auto lost = [&](const std::string& reason) {
        missing_.emplace(name_of(place.file), reason);
        return Tensor(dtype, info.shape,
                      std::make_shared<MissingBytes>("the values of " + in_quotes(info.name) +
                                                     " are missing: " + in_quotes(place.file) + " " + reason));
    };
    Result<std::string> path = path_inside(folder_, place.file, "the model's folder");
    if (!path) return lost(path.error().message);
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(*path);
    if (!file) return lost(file.error().message);
    const size_t wanted = stored_bytes(dtype, *element_count(info.shape));
    if (!place.packing.empty()) return lost("is packed in a way that is not known: " + in_quotes(place.packing));
    if (place.data.begin > (*file)->size() || place.data.bytes > (*file)->size() - place.data.begin ||
        wanted > place.data.bytes)
        return lost("is too short");
    return tensor_in_file(dtype, info.shape, *file, size_t(place.data.begin));
}

Tensor Importer::constant(const TensorInfo& info, DataType dtype) {
    if (info.narrowed) {
        TensorInfo wide = info;
        wide.narrowed = false;
        return Tensor(dtype, info.shape, std::make_shared<NarrowedBytes>(constant(wide, kFloat32)));
    }
    if (info.external) return external_constant(info, dtype);
    if (info.sparsity) return sparse_tensor(*info.sparsity, *info.data, dtype, info.shape, file_);
    Tensor tensor = tensor_in_file(dtype, info.shape, file_, size_t(info.data->begin));
    if (info.data->bytes <= kReadAtOnce) tensor.bytes();
    return tensor;
}

ExprId Importer::made_value(const TensorInfo& info, int32_t tensor) {
    const DataType dtype = data_type(info.type);
    if (dtype.is_void()) return unread(info.constant() ? "Constant" : "Missing", info);
    if (info.constant()) return builder_.constant(constant(info, dtype));
    const int64_t count = *element_count(info.shape);
    if (info.variable) {
        const ExprId zero =
            builder_.constant(Tensor(dtype, info.shape, std::make_shared<ZeroBytes>(size_t(count) * dtype.bytes())));
        return zero;
    }
    note(Severity::Warning, "nothing makes tensor " + std::to_string(tensor) + " " + in_quotes(info.name));
    return unread("Missing", info);
}

ExprId Importer::value(Frame& frame, int32_t tensor) {
    if (tensor < 0) return {};
    ExprId& known = frame.values[size_t(tensor)];
    if (!known.valid()) known = made_value(frame.subgraph.tensors[size_t(tensor)], tensor);
    return known;
}

/// The type that the file states; float32 stands for types that Partita lacks.
TypeId Importer::stated_type(const TensorInfo& info) {
    std::vector<int64_t> shape = info.shape;
    for (size_t i = 0; rebound_ && i < info.open_dims.size(); ++i)
        if (info.open_dims[i]) shape[i] = kDynamicDim;
    const DataType dtype = data_type(info.type);
    return module().types().tensor(dtype.is_void() ? kFloat32 : dtype, shape);
}

/// Stands for a value that Partita can't have: what uses it is shown, and can't be run.
ExprId Importer::unread(const char* what, const TensorInfo& info) {
    const TypeId type = stated_type(info);
    const Builder::Label label(builder_, name_of(info.name));
    const ForeignCall call{
        what, std::string(onnx::kUnreadDomain), 1, {}, {{"type", std::string(type_name(info.type))}}, {type}};
    return builder_.foreign(call, std::vector{module().add_tuple({}, module().types().tuple({}))});
}

Exprs Importer::opaque(const Frame& frame, const Operator& op, const Exprs& inputs, const std::string& reason) {
    const std::string what = on_one_line(op.kind);
    if (options_.strict) throw flat::Fault{what + " (" + in_quotes(builder_.label()) + "): " + reason};
    note(Severity::Warning, what + " (" + in_quotes(builder_.label()) + ") is shown, but can't be run: " + reason);
    result_.unsupported.push_back(what + ": " + reason);
    ForeignCall foreign{name_of(op.kind).substr(0, 200), {}, op.version, {}, kept_attributes(op), {}};
    std::vector<int32_t> made;
    for (int32_t output : op.outputs)
        if (output >= 0) {
            foreign.results.push_back(stated_type(frame.subgraph.tensors[size_t(output)]));
            made.push_back(output);
        }
    Exprs given;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].valid()) given.push_back(inputs[i]);
        else foreign.absent.push_back(int64_t(i));
    }
    // Nothing else tells an operator without inputs from a constant.
    if (given.empty()) given.push_back(module().add_tuple({}, module().types().tuple({})));
    const ExprId call = builder_.foreign(foreign, given);
    Exprs results;
    for (uint32_t i = 0; i < made.size(); ++i)
        results.push_back(made.size() == 1 ? call : builder_.projection(call, i));
    if (made.empty()) results.push_back(call);
    return results;
}

/// What a converter makes must be what the file says. Sizes are not compared where others than the file's are bound, or
/// where the file gives none.
void Importer::require_stated_types(const Frame& frame, const Operator& op, const Exprs& results) {
    for (size_t i = 0; i < op.outputs.size(); ++i) {
        if (op.outputs[i] < 0) continue;
        if (i >= results.size() || !results[i].valid()) throw Fault{"it has more results than are known", {}};
        const TensorInfo& info = frame.subgraph.tensors[size_t(op.outputs[i])];
        const DataType stated = data_type(info.type);
        if (stated.is_void()) continue;
        if (builder_.dtype(results[i]) != stated)
            throw Fault{"its result is " + builder_.dtype(results[i]).to_string() + ", and the file says " +
                            std::string(type_name(info.type)),
                        {}};
        const Integers shape = builder_.shape(results[i]);
        if (rebound_ || info.shape.empty()) continue;
        bool same = shape.size() == info.shape.size();
        for (size_t axis = 0; same && axis < shape.size(); ++axis)
            same = shape[axis] == info.shape[axis] || shape[axis] == kDynamicDim ||
                   (axis < info.open_dims.size() && info.open_dims[axis]);
        if (!same)
            throw Fault{"its result has the shape " + shape_to_string(shape) + ", and the file says " +
                            shape_to_string(info.shape),
                        {}};
    }
}

/// Returns why an operator can't be run whatever it is; "" if it may.
std::string unusable_tensor(const Subgraph& subgraph, const Operator& op) {
    for (const std::vector<int32_t>* list : {&op.inputs, &op.outputs})
        for (int32_t tensor : *list) {
            if (tensor < 0) continue;
            const TensorInfo& info = subgraph.tensors[size_t(tensor)];
            if (data_type(info.type).is_void())
                return "the type of " + in_quotes(info.name) + " is " + std::string(type_name(info.type)) +
                       ", and Partita has tensors of numbers only";
        }
    if (op.kind == "DISPATCH_OP")
        return "it was compiled for a chip; to see what is in it, open the model from before it was compiled";
    return {};
}

Exprs Importer::convert_or_explain(Frame& frame, const Operator& op, size_t, const Exprs& inputs) {
    const bool has_bodies = op.kind.ends_with("WHILE") || op.kind == "IF" || op.kind == "CALL_ONCE" ||
                            op.kind == "CALL" || op.kind == "STABLEHLO_COMPOSITE";
    if (Exprs made = of_variable(frame, op, inputs); !made.empty()) return made;
    if (std::string reason = unusable_tensor(frame.subgraph, op); !has_bodies && !reason.empty())
        return opaque(frame, op, inputs, reason);
    try {
        if (has_bodies) {
            Exprs results = with_bodies(frame, op, inputs);
            if (!op.outputs.empty()) require_stated_types(frame, op, results);
            return results;
        }
        NodeContext node(builder_, frame.subgraph, op, inputs);
        Exprs results = convert(node);
        require_stated_types(frame, op, results);
        for (const std::string& text : node.warnings())
            note(Severity::Warning, on_one_line(op.kind) + " (" + in_quotes(builder_.label()) + "): " + text);
        return results;
    } catch (const Fault& fault) {
        return opaque(frame, op, inputs, fault.message);
    } catch (const DataLost& lost) {
        return opaque(frame, op, inputs, lost.what());
    }
}

/// What a subgraph that an operator runs computes of inputs.
Exprs Importer::results_of(Frame& frame, const Operator& op, std::string_view role, const Exprs& inputs,
                           size_t results) {
    const auto use = std::find_if(op.uses.begin(), op.uses.end(),
                                  [&](const SubgraphUse& each) { return role.empty() || each.role == role; });
    if (use == op.uses.end()) throw Fault{"a subgraph that it runs does not exist", {}};
    const Subgraph& body = model_.subgraphs[use->subgraph];
    if (frame.depth == kDeepestBody) throw Fault{"subgraphs are nested too deep", {}};
    for (const Frame* outer = &frame; outer; outer = outer->outer)
        if (&outer->subgraph == &body) throw Fault{"a subgraph runs itself", {}};
    if ((inlined_ += body.operators.size() + 1) > kMostInlined)
        throw Fault{"its subgraphs unfold to too many operators", {}};
    if (body.inputs.size() != inputs.size() || body.outputs.size() != results)
        throw Fault{"a subgraph that it runs has other inputs or outputs", {}};
    Frame inner{body, std::vector<ExprId>(body.tensors.size()), builder_.label(), frame.depth + 1, &frame};
    for (size_t i = 0; i < inputs.size(); ++i) inner.values[size_t(body.inputs[i])] = inputs[i];
    const Result<std::vector<NodeId>> order = order_of(GraphMaker(body).make());
    if (!order) throw Fault{order.error().message, {}};
    convert_all(inner, *order, nullptr);
    Exprs made;
    for (int32_t output : body.outputs) made.push_back(value(inner, output));
    return made;
}

/// An operator is what its subgraphs compute, if all of that can be run; else it is shown as a whole.
Exprs Importer::with_bodies(Frame& frame, const Operator& op, const Exprs& inputs) {
    const size_t notes = result_.notes.size(), lacking = result_.unsupported.size();
    const std::map<std::string, ExprId> variables = variables_;
    try {
        Exprs results = bodies(frame, op, inputs);
        if (result_.unsupported.size() > lacking) throw Fault{"it runs " + result_.unsupported[lacking], {}};
        return results;
    } catch (const Fault&) {
        result_.notes.resize(notes);
        result_.unsupported.resize(lacking);
        variables_ = variables;
        throw;
    }
}

Exprs Importer::bodies(Frame& frame, const Operator& op, const Exprs& inputs) {
    for (ExprId input : inputs)
        if (!input.valid()) throw Fault{"an input is left out", {}};
    if (op.kind.ends_with("WHILE")) return unrolled(frame, op, inputs);
    if (op.kind == "IF") return chosen(frame, op, inputs);
    Exprs results = results_of(frame, op, {}, inputs, op.outputs.size());
    if (results.empty()) handles_.emplace(results.emplace_back(builder_.constant(0, kInt64)), "");
    return results;
}

/// A loop whose end is known is what its turns compute.
Exprs Importer::unrolled(Frame& frame, const Operator& op, const Exprs& inputs) {
    Exprs state = inputs;
    for (int turn = 0; turn < kMostTurns; ++turn) {
        const Tensor* going = builder_.value(results_of(frame, op, "cond", state, 1)[0]);
        if (!going || going->size() != 1) throw Fault{"how often it runs depends on data", {}};
        if (going->at(0) == 0) return state;
        state = results_of(frame, op, "body", state, state.size());
    }
    throw Fault{"it runs over " + std::to_string(kMostTurns) + " times", {}};
}

Exprs Importer::chosen(Frame& frame, const Operator& op, const Exprs& inputs) {
    if (inputs.empty()) throw Fault{"it has no condition", {}};
    const Exprs rest(inputs.begin() + 1, inputs.end());
    if (const Tensor* known = builder_.value(inputs[0]); known && known->size() == 1)
        return results_of(frame, op, known->at(0) != 0 ? "then" : "else", rest, op.outputs.size());
    const std::map<std::string, ExprId> variables = variables_;
    const Exprs yes = results_of(frame, op, "then", rest, op.outputs.size());
    const Exprs no = results_of(frame, op, "else", rest, op.outputs.size());
    if (variables_ != variables)
        throw Fault{"its branches assign variables, and which of them runs depends on data", {}};
    for (size_t i = 0; i < yes.size(); ++i)
        if (module().type(yes[i]) != module().type(no[i])) throw Fault{"its branches give different types", {}};
    const ExprId condition = builder_.reshape(inputs[0], Integers());
    if (yes.size() == 1) return {builder_.conditional(condition, yes[0], no[0])};
    const ExprId both = builder_.conditional(condition, builder_.tuple(yes), builder_.tuple(no));
    Exprs results;
    for (uint32_t i = 0; i < yes.size(); ++i) results.push_back(builder_.projection(both, i));
    return results;
}

/// A variable is what was assigned to it last; each run begins with what CALL_ONCE assigns. None where it is another
/// operator, or nothing was assigned yet.
Exprs Importer::of_variable(const Frame& frame, const Operator& op, const Exprs& inputs) {
    if (op.kind == "VAR_HANDLE" && op.outputs.size() == 1 && op.outputs[0] >= 0) {
        std::string name;
        for (const Option& option : op.options.list)
            for (const std::string& text : option.texts) name += text + '\n';
        const ExprId handle = unread("Variable", frame.subgraph.tensors[size_t(op.outputs[0])]);
        handles_.emplace(handle, name);
        return {handle};
    }
    const bool reads = op.kind == "READ_VARIABLE" && inputs.size() == 1 && op.outputs.size() == 1;
    const bool assigns = op.kind == "ASSIGN_VARIABLE" && inputs.size() == 2 && inputs[1].valid();
    if (!reads && !assigns) return {};
    const auto handle = handles_.find(inputs[0]);
    if (handle == handles_.end()) return {};
    if (assigns) {
        variables_[handle->second] = inputs[1];
        if (frame.depth == 0)
            note(Severity::Note, "what " + in_quotes(builder_.label()) + " assigns is not kept for the next run");
        return {inputs[0]};
    }
    const auto known = variables_.find(handle->second);
    return known == variables_.end() ? Exprs() : Exprs{builder_.call("copy", {known->second})};
}

void Importer::convert_all(Frame& frame, const std::vector<NodeId>& order, std::vector<ExprId>* expressions) {
    for (NodeId id : order) {
        if (options_.cancel.cancelled()) throw flat::Fault{"cancelled"};
        const Operator& op = frame.subgraph.operators[id.value];
        Exprs inputs;
        for (int32_t input : op.inputs) inputs.push_back(value(frame, input));
        std::string label = expressions ? result_.graph.nodes[id.value].name
                            : op.outputs.empty() || op.outputs[0] < 0
                                ? operator_title(op, id.value)
                                : name_of(frame.subgraph.tensors[size_t(op.outputs[0])].name);
        if (!frame.name.empty()) label = name_of(frame.name + "/" + label);
        const Builder::Label labelled(builder_, label);
        const Exprs results = convert_or_explain(frame, op, id.value, inputs);
        size_t next = 0;
        const bool dense = results.size() == op.outputs.size();
        for (size_t i = 0; i < op.outputs.size(); ++i) {
            if (op.outputs[i] < 0) continue;
            if (const size_t at = dense ? i : next++; at < results.size())
                frame.values[size_t(op.outputs[i])] = results[at];
        }
        if (!expressions || results.empty()) continue;
        ExprId made = results[0];
        while (module().kind(made) == ExprKind::Projection) made = module().operands(made)[0];
        (*expressions)[id.value] = made;
    }
}

void Importer::finish(Frame& frame) {
    Exprs results;
    AttributeValue::List names;
    const Signature* signature = signature_of(0);
    std::vector<bool> used(frame.subgraph.tensors.size());
    for (int32_t output : frame.subgraph.outputs) {
        results.push_back(value(frame, output));
        std::string_view name = frame.subgraph.tensors[size_t(output)].name;
        if (signature)
            for (const auto& [given, of] : signature->outputs)
                if (int64_t(of) == output && !given.empty()) name = given;
        names.push_back(name_of(name));
        used[size_t(output)] = true;
    }
    // What nobody uses is part of the graph, too.
    for (const Operator& op : frame.subgraph.operators)
        for (int32_t input : op.inputs)
            if (input >= 0) used[size_t(input)] = true;
    for (const PlainNode& node : result_.graph.nodes) {
        const Operator& op = frame.subgraph.operators[size_t(&node - result_.graph.nodes.data())];
        const bool wanted = std::any_of(op.outputs.begin(), op.outputs.end(),
                                        [&](int32_t tensor) { return tensor >= 0 && used[size_t(tensor)]; });
        if (!wanted && node.expression.valid() && !handles_.contains(node.expression))
            results.push_back(node.expression);
    }
    const ExprId body = results.size() == 1 ? results[0] : builder_.tuple(results);
    std::vector<TypeId> types;
    for (ExprId parameter : parameters_) types.push_back(module().type(parameter));
    FunctionInfo info;
    info.return_type = module().type(body);
    info.attributes.emplace_back("output_tensor_names", std::move(names));
    const TypeId type = module().types().function(types, info.return_type);
    module().set_function("main", module().add_function(parameters_, body, std::move(info), type));
    module().set_typed(true);
    module().drop_unreachable_constants();
}

void Importer::add_notes() {
    for (const std::string& text : model_.notes) note(Severity::Warning, text);
    if (!model_.compiled_for.empty())
        note(Severity::Note,
             "the model was compiled for " + model_.compiled_for +
                 ": what its DISPATCH_OP run is not in it as operators; open the model from before it was compiled");
    for (const auto& [file, reason] : missing_)
        note(Severity::Warning, "the constants in " + in_quotes(file) + ": it " + reason +
                                    "; the model is shown and divided, but can't be run");
    if (model_.subgraphs.size() > 1)
        note(Severity::Note, "the file has " + std::to_string(model_.subgraphs.size()) +
                                 " subgraphs; shown is the first" +
                                 (model_.subgraphs[0].name.empty() ? "" : ", " + in_quotes(model_.subgraphs[0].name)));
}

NarrowableConstants Importer::narrowable(std::vector<std::string> names) const {
    return {std::move(names),
            [file = file_, options = options_](const std::vector<std::string>& names,
                                               const CancelToken& cancel) -> Result<FileForm> {
                LitertOptions changed = options;
                changed.cancel = cancel;
                changed.float16.insert(changed.float16.end(), names.begin(), names.end());
                Result<LitertImport> imported = import_litert(file, changed);
                if (!imported) return imported.error();
                FileForm form{std::make_shared<const Module>(std::move(imported->module)), nullptr,
                              std::move(imported->operators)};
                imported->graph.module = form.module;
                form.graph = std::make_shared<const Graph>(std::move(imported->graph));
                return form;
            }};
}

LitertImport Importer::import() {
    const Subgraph& main = model_.subgraphs[0];
    if (main.outputs.empty()) throw flat::Fault{"its first subgraph has no output"};
    GraphMaker maker(main);
    result_.graph = maker.make();
    Result<std::vector<NodeId>> order = order_of(result_.graph);
    if (!order) throw flat::Fault{order.error().message};
    auto stated = std::make_shared<StatedOperators>(file_operators(
        main, result_.graph, *order, [&](const TensorInfo& info) { return constant(info, data_type(info.type)); }));
    result_.operators = std::make_shared<const FileOperators>(
        [stated] { return std::move(*stated); }, narrowable(narrowable_constants(main, maker.names_in(result_.graph))));
    Frame frame{main, std::vector<ExprId>(main.tensors.size()), {}};
    add_inputs(frame);
    std::vector<ExprId> expressions(result_.graph.nodes.size());
    convert_all(frame, *order, &expressions);
    for (size_t i = 0; i < expressions.size(); ++i) result_.graph.nodes[i].expression = expressions[i];
    finish(frame);
    add_notes();
    return std::move(result_);
}

}  // namespace

std::vector<std::pair<std::string, AttributeValue>> litert::kept_attributes(const Operator& op) {
    std::vector<std::pair<std::string, AttributeValue>> kept;
    for (const Option& option : op.options.list)
        kept.emplace_back(option.name.substr(0, 200), attribute_of_json(json_of_option(option)));
    return kept;
}

Result<LitertImport> import_litert(const std::shared_ptr<const SourceFile>& file, const LitertOptions& options) {
    const auto refused = [&](const std::string& message) {
        Diagnostic diagnostic = error(message);
        diagnostic.file = file->path();
        return diagnostic;
    };
    try {
        flat::Bytes bytes(file);
        Model model = read_model(bytes, options.cancel);
        if (!options.float16.empty()) {
            GraphMaker maker(model.subgraphs[0]);
            const Graph graph = maker.make();
            store_as_float16(model, maker.names_in(graph), options.float16);
        }
        return Importer(model, file, options).import();
    } catch (const flat::Fault& fault) {
        return refused(fault.message);
    } catch (const Fault& fault) {
        return refused(fault.message);
    } catch (const DataLost& lost) {
        return refused(lost.what());
    } catch (const std::bad_alloc&) {
        return refused("the model needs more memory than there is");
    }
}

bool looks_like_litert(std::string_view bytes) { return bytes.size() >= 8 && bytes.substr(4, 4) == "TFL3"; }

}  // namespace partita
