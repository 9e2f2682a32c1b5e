#include "engine/exporters/onnx/model_writer.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"

namespace partita::onnx_export {

namespace {

constexpr int kDeepestNesting = 64;  ///< depth of nested functions
constexpr size_t kMostProblems = 12;
constexpr std::string_view kDomain = "ai.partita";
constexpr std::string_view kOutputNames = "output_tensor_names";  ///< the name that TVM's own importers use

/// Returns a function name that every reader accepts.
std::string as_identifier(std::string_view text) {
    std::string name;
    for (unsigned char c : text.substr(0, 200)) name += std::isalnum(c) && c < 128 ? char(c) : '_';
    return name.empty() ? "function" : name;
}

std::string domain_of(const FunctionInfo& info, std::string_view otherwise) {
    std::string_view backend = info.string_attribute("Compiler");
    if (!backend.empty()) return std::string(kDomain) + "." + as_identifier(backend);
    return std::string(otherwise.empty() ? kDomain : otherwise);
}

std::vector<std::string> output_names(size_t count) {
    if (count == 1) return {"output"};
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) names.push_back("output_" + std::to_string(i));
    return names;
}

/// Returns the output names of the imported model; none if they do not fit.
std::vector<std::string> given_output_names(const FunctionInfo& info, size_t count) {
    const AttributeValue* attribute = info.attribute(kOutputNames);
    const AttributeValue::List* list = attribute ? attribute->as_list() : nullptr;
    if (!list || list->size() != count) return {};
    std::vector<std::string> names;
    std::set<std::string_view> seen;
    for (const AttributeValue& entry : *list) {
        const std::string* name = entry.as_string();
        if (!name || name->empty() || !seen.insert(*name).second) return {};
        names.push_back(*name);
    }
    return names;
}

std::vector<std::string> claimed(Graph& graph, std::vector<std::string> names) {
    for (std::string& name : names) name = graph.fresh(name);
    return names;
}

}  // namespace

std::vector<TypeId> tensors_of(const TypeTable& types, TypeId type) {
    std::vector<TypeId> tensors, pending{type};
    while (!pending.empty()) {
        TypeId next = pending.back();
        pending.pop_back();
        if (types.is_tuple(next)) {
            auto parts = types.parts(next);
            pending.insert(pending.end(), parts.rbegin(), parts.rend());
        } else if (types.is_tensor(next)) {
            tensors.push_back(next);
        } else {
            throw Refusal{"a value of type " + types.to_string(next) + " can't be written: ONNX has tensors only"};
        }
    }
    return tensors;
}

std::vector<ExprId> body_order(const Module& module, ExprId root) {
    enum : uint8_t { kNew, kEntered, kDone };
    std::unordered_map<ExprId, uint8_t> state;
    std::vector<ExprId> order, pending{root};
    while (!pending.empty()) {
        ExprId expr = pending.back();
        uint8_t& at = state[expr];
        if (at == kDone) {
            pending.pop_back();
            continue;
        }
        if (at == kEntered || module.kind(expr) == ExprKind::Function) {
            at = kDone;
            pending.pop_back();
            order.push_back(expr);
            continue;
        }
        at = kEntered;
        auto operands = module.operands(expr);
        for (size_t i = operands.size(); i-- > 0;)
            if (state[operands[i]] == kNew) pending.push_back(operands[i]);
    }
    return order;
}

ExprId entry_function(const Module& module) {
    ExprId main = module.find_function("main");
    if (main.valid()) return main;
    if (module.functions().size() == 1) return module.functions()[0].function;
    throw Refusal{"the module has no function @main"};
}

// --- BodyWriter -------------------------------------------------------------------------------------------------

const Names& BodyWriter::names_of(ExprId expr) {
    for (BodyWriter* writer = this; writer; writer = writer->parent_)
        for (auto let = writer->let_values_.find(expr); let != writer->let_values_.end();
             let = writer->let_values_.find(expr))
            expr = let->second;
    for (BodyWriter* writer = this; writer; writer = writer->parent_)
        if (auto it = writer->names_.find(expr); it != writer->names_.end()) return it->second;
    if (module_.kind(expr) == ExprKind::Constant)
        return names_[expr] = {graph_.constant(module_.constant(expr), hint(expr))};
    throw Refusal{"a function uses a value of the function around it, which ONNX's functions can't"};
}

size_t BodyWriter::uses(ExprId expr) const { return is_branch_ ? parent_->uses(expr) : uses_.at(expr); }

bool BodyWriter::is_known(ExprId expr) const {
    for (const BodyWriter* writer = this; writer; writer = writer->parent_)
        if (writer->names_.contains(expr)) return true;
    return false;
}

void BodyWriter::check_depth() const {
    int depth = 0;
    for (const BodyWriter* writer = this; writer; writer = writer->parent_)
        if (++depth > kDeepestNesting) throw Refusal{"functions and branches are nested too deep"};
}

std::vector<Value> BodyWriter::values_of(ExprId expr) {
    const Names& names = names_of(expr);
    std::vector<TypeId> types = tensors_of(module_.types(), module_.type(expr));
    std::vector<Value> values;
    for (size_t i = 0; i < names.size() && i < types.size(); ++i) values.push_back({names[i], types[i]});
    return values;
}

std::string BodyWriter::hint(ExprId expr) const {
    std::string_view label = module_.label(expr);
    if (!label.empty()) return std::string(label);
    if (module_.kind(expr) == ExprKind::Var) return std::string(module_.name(expr));
    if (module_.kind(expr) == ExprKind::Constant) return "constant";
    const OpRecord* op = called_op_record(module_, expr);
    if (!op) return "value";
    size_t dot = op->name.rfind('.');
    return dot == std::string::npos ? op->name : op->name.substr(dot + 1);
}

void BodyWriter::bind_parameter(ExprId var) {
    Names names;
    for (TypeId type : tensors_of(module_.types(), module_.type(var))) {
        names.push_back(graph_.fresh(hint(var)));
        graph_.add_input({names.back(), type});
    }
    bind(var, std::move(names));
}

void BodyWriter::write(std::span<const ExprId> order) {
    for (ExprId expr : order) {
        if (module_.kind(expr) == ExprKind::Function) continue;
        for (ExprId operand : module_.operands(expr)) ++uses_[operand];
        if (module_.kind(expr) == ExprKind::Let) let_values_[module_.operands(expr)[0]] = module_.operands(expr)[1];
    }
    const ScopeTable& scopes = model_.scopes();
    const uint32_t here = order.empty() ? 0 : scopes.place(order.back());
    std::vector<ExprId> always;
    for (ExprId expr : order) {
        const uint32_t place = scopes.place(expr);
        const bool in_branch = place != here && scopes.lies_in(place, here);
        (in_branch ? in_branches_[place] : always).push_back(expr);
    }
    write_each(always);
}

void BodyWriter::write_each(std::span<const ExprId> exprs) {
    for (ExprId expr : exprs) {
        if (model_.cancel().cancelled()) throw Refusal{"cancelled"};
        ExprKind kind = module_.kind(expr);
        // A function is written where it is called, a constant where it is used.
        bool has_value = kind != ExprKind::GlobalVar && kind != ExprKind::Op && kind != ExprKind::Function &&
                         kind != ExprKind::Constant;
        if (!has_value || is_known(expr)) continue;
        if (kind == ExprKind::Var) continue;  // bound by its let, or in the parent
        graph_.set_origin(expr);
        try {
            names_[expr] = written(expr);
        } catch (const Refusal& refusal) {
            // Continues, to report all problems at once.
            model_.add_problem(refusal.message);
            names_[expr] = Names(tensors_of(module_.types(), module_.type(expr)).size());
        }
    }
}

Names BodyWriter::projected(ExprId expr) {
    ExprId tuple = module_.operands(expr)[0];
    auto parts = module_.types().parts(module_.type(tuple));
    size_t begin = 0, index = module_.projection_index(expr);
    for (size_t i = 0; i < index; ++i) begin += tensors_of(module_.types(), parts[i]).size();
    size_t count = tensors_of(module_.types(), parts[index]).size();
    const Names& names = names_of(tuple);
    return {names.begin() + int64_t(begin), names.begin() + int64_t(begin + count)};
}

Names BodyWriter::written(ExprId expr) {
    switch (module_.kind(expr)) {
        case ExprKind::Call: return written_call(expr);
        case ExprKind::Projection: return projected(expr);
        case ExprKind::If: return written_if(expr);
        case ExprKind::Tuple: {
            Names names;
            for (ExprId field : module_.operands(expr)) {
                const Names& part = names_of(field);
                names.insert(names.end(), part.begin(), part.end());
            }
            return names;
        }
        case ExprKind::Let: return names_of(module_.operands(expr)[2]);
        default: throw Refusal{"ONNX has no references"};
    }
}

Names BodyWriter::written_call(ExprId expr) {
    ExprId callee = module_.callee(expr);
    switch (module_.kind(callee)) {
        case ExprKind::Op: {
            const OpRecord& op = *called_op_record(module_, expr);
            CallWriter write = find_call_writer(op.foreign ? "opaque" : op.name);
            if (!write) throw Refusal{op.name + ": ONNX's operator set 17 has no operator for it"};
            Call call(graph_, *this, module_, expr, hint(expr));
            Names names = write(call);
            std::vector<TypeId> types = tensors_of(module_.types(), module_.type(expr));
            for (size_t i = 0; i < names.size() && i < types.size(); ++i) graph_.note_type(names[i], types[i]);
            return names;
        }
        case ExprKind::GlobalVar: {
            ExprId function = module_.find_function(module_.name(callee));
            if (!function.valid()) throw Refusal{"there is no function @" + std::string(module_.name(callee))};
            return call_function(expr, function, module_.name(callee), {});
        }
        case ExprKind::Function: {
            const FunctionInfo& info = module_.function_info(callee);
            std::string_view composite = info.string_attribute("Composite");
            if (!composite.empty() || !info.string_attribute("Compiler").empty())
                return call_function(expr, callee, composite, domain_);
            return call_in_place(expr, callee);
        }
        default: throw Refusal{"ONNX can't call a function that is a value"};
    }
}

Names BodyWriter::call_function(ExprId call, ExprId function, std::string_view name, std::string_view domain) {
    ModelWriter::FunctionName target = model_.function(function, name, domain);
    Node node;
    node.op_type = target.name;
    node.domain = target.domain;
    node.name = graph_.fresh_node(target.name);
    for (ExprId argument : module_.arguments(call)) {
        const Names& names = names_of(argument);
        node.inputs.insert(node.inputs.end(), names.begin(), names.end());
    }
    for (TypeId type : tensors_of(module_.types(), module_.type(call))) {
        node.outputs.push_back(graph_.fresh(target.name + "_value"));
        graph_.note_type(node.outputs.back(), type);
    }
    Names outputs = node.outputs;
    graph_.add(std::move(node));
    return outputs;
}

Names BodyWriter::call_in_place(ExprId call, ExprId function) {
    check_depth();
    BodyWriter body(model_, graph_, domain_, this);
    auto parameters = module_.parameters(function);
    for (size_t i = 0; i < parameters.size(); ++i) body.bind(parameters[i], names_of(module_.arguments(call)[i]));
    const ExprId root = module_.body(function);
    body.write(body_order(module_, root));
    return body.names_of(root);
}

/// Writes what is evaluated in a branch alone. Returns its results, which nodes of the branch make, as ONNX wants.
std::vector<Value> BodyWriter::write_branch(ExprId result) {
    check_depth();
    is_branch_ = true;
    const BodyWriter* body = parent_;
    while (body->is_branch_) body = body->parent_;
    const auto own = body->in_branches_.find(model_.scopes().place(result));
    if (own != body->in_branches_.end() && !is_known(result)) write_each(own->second);
    std::vector<Value> results = values_of(result);
    std::unordered_set<std::string> made;
    for (const Node& node : graph_.nodes()) made.insert(node.outputs.begin(), node.outputs.end());
    for (Value& value : results) {
        if (made.erase(value.name) > 0) continue;
        const std::string copy = graph_.fresh(value.name);
        graph_.add({"Identity", "", graph_.fresh_node("Identity"), {value.name}, {copy}, {}, {}, {}});
        value.name = copy;
    }
    return results;
}

Names BodyWriter::written_if(ExprId expr) {
    const auto operands = module_.operands(expr);
    Node node;
    node.op_type = "If";
    node.name = graph_.fresh_node(module_.label(expr).empty() ? "If" : module_.label(expr));
    node.inputs = {names_of(operands[0]).at(0)};
    for (size_t i = 0; i < 2; ++i) {
        Graph branch(&graph_);
        BodyWriter inner(model_, branch, domain_, this);
        branch.keep_outputs(inner.write_branch(operands[i + 1]));
        branch.drop_unused();
        for (std::string& name : branch.captured()) node.captured.push_back(std::move(name));
        for (InnerNode& foreign : branch.foreign_nodes()) node.inner.push_back(std::move(foreign));
        const char* name = i == 0 ? "then_branch" : "else_branch";
        node.attributes.push_back({name, branch.graph_message(name, module_.types())});
    }
    for (TypeId type : tensors_of(module_.types(), module_.type(expr))) {
        node.outputs.push_back(graph_.fresh("If_value"));
        graph_.note_type(node.outputs.back(), type);
    }
    Names outputs = node.outputs;
    graph_.add(std::move(node));
    return outputs;
}

// --- ModelWriter ------------------------------------------------------------------------------------------------

void ModelWriter::add_problem(const std::string& problem) {
    if (problem == "cancelled") throw Refusal{problem};
    ++problems_[problem];
}

const ScopeTable& ModelWriter::scopes() {
    if (!scopes_) {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        scopes_.emplace(module_, post_order(module_, roots));
    }
    return *scopes_;
}

void ModelWriter::refuse_problems() const {
    if (problems_.empty()) return;
    std::string text = "the module can't be written as ONNX: ";
    size_t listed = 0;
    for (const auto& [problem, count] : problems_) {
        if (listed == kMostProblems) break;
        text += (listed++ ? "; " : "") + problem + (count > 1 ? " (" + std::to_string(count) + " times)" : "");
    }
    if (problems_.size() > listed) text += "; and " + std::to_string(problems_.size() - listed) + " more";
    throw Refusal{text};
}

ModelWriter::FunctionName ModelWriter::function(ExprId function, std::string_view name, std::string_view domain) {
    auto known = names_.find(function);
    if (known != names_.end()) return known->second;
    if (!in_progress_.insert(function).second) throw Refusal{"ONNX has no functions that call themselves"};
    if (in_progress_.size() > kDeepestNesting) throw Refusal{"functions are nested too deep"};
    const FunctionInfo& info = module_.function_info(function);
    FunctionName result{domain_of(info, domain), as_identifier(name)};
    std::string base = result.name;
    for (int i = 1; !taken_.insert(result.domain + ":" + result.name).second; ++i)
        result.name = base + "_" + std::to_string(i);

    Graph graph(true);
    BodyWriter body(*this, graph, result.domain);
    for (ExprId parameter : module_.parameters(function)) body.bind_parameter(parameter);
    const ExprId root = module_.body(function);
    body.write(body_order(module_, root));
    std::vector<Value> results = body.values_of(root);
    graph.set_outputs(results, claimed(graph, output_names(results.size())));
    std::string_view backend = info.string_attribute("Compiler"), composite = info.string_attribute("Composite");
    std::string text = !backend.empty()     ? "region of the backend " + std::string(backend)
                       : !composite.empty() ? "composite " + std::string(composite)
                                            : "";
    functions_.push_back(graph.function_message(result.name, result.domain, text, external_));
    if (!backend.empty()) add_metadata("partita.backend." + result.name, std::string(backend));
    if (!composite.empty()) add_metadata("partita.composite." + result.name, std::string(composite));
    domains_.emplace(result.domain, 1);
    domains_.merge(graph.domains());
    in_progress_.erase(function);
    return names_[function] = result;
}

Graph ModelWriter::graph_of(ExprId function) {
    Graph graph(false);
    BodyWriter body(*this, graph, {});
    for (ExprId parameter : module_.parameters(function)) body.bind_parameter(parameter);
    const ExprId root = module_.body(function);
    // Given names take precedence over generated ones.
    const size_t count = tensors_of(module_.types(), module_.type(root)).size();
    const std::vector<std::string> given = given_output_names(module_.function_info(function), count);
    std::vector<std::string> names = claimed(graph, given);
    body.write(body_order(module_, root));
    refuse_problems();
    std::vector<Value> results = body.values_of(root);
    if (given.empty()) names = claimed(graph, output_names(results.size()));
    for (size_t i = 0; i < given.size() && i < results.size(); ++i)
        if (results[i].name == given[i]) names[i] = given[i];  // an input that is also a result
    graph.set_outputs(results, names);
    return graph;
}

Message ModelWriter::model(Graph& graph, std::string_view title) {
    refuse_problems();
    Message message;
    message.integer(1, kIrVersion).text(2, "Partita");
    message.message(7, graph.graph_message(title, module_.types(), external_));
    message.message(8, operator_set("", kOperatorSet));
    domains_.merge(graph.domains());
    for (const auto& [domain, version] : domains_) message.message(8, operator_set(domain, version));
    for (const auto& [key, value] : metadata_) {
        Message entry;
        entry.text(1, key).text(2, value);
        message.message(14, std::move(entry));
    }
    for (Message& function : functions_) message.message(25, std::move(function));
    functions_.clear();
    return message;
}

ModelFiles model_files(const std::function<Message(ExternalFile*)>& build, const std::string& file, uint64_t largest) {
    Message whole = build(nullptr);
    if (whole.size() <= largest) return {whole.take_pieces(), {}, {}};
    if (file.empty())
        throw Refusal{
            "the model is larger than 2 GiB, which no reader with protobuf takes: write it to a file, so that its "
            "weights "
            "can stand in another one beside it"};
    ExternalFile weights(file + ".data");
    Message rest = build(&weights);
    if (rest.size() > largest) throw Refusal{"the model is larger than 2 GiB even without its weights"};
    return {rest.take_pieces(), weights.name(), weights.take_pieces()};
}

}  // namespace partita::onnx_export
