#include "engine/graph/graph_of_module.h"

#include <unordered_map>
#include <unordered_set>

#include "engine/ir/json_of.h"
#include "engine/ir/post_order.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

class GraphOfModule {
public:
    GraphOfModule(const Module& module, const std::function<std::string(ExprId)>& name_of)
        : module_(module), name_of_(name_of), values_of_(module.size()) {}

    Graph build(ExprId function) {
        bind_names();
        for (ExprId parameter : module_.parameters(function)) {
            values_of_[parameter.value] = make_values(std::string(module_.name(parameter)), module_.type(parameter));
            for (GraphValueId id : values_of_[parameter.value]) graph_.inputs.push_back(id);
        }
        const ExprId body = module_.body(function);
        // What lies inside a function that is called where it stands is not part of the graph.
        const auto operands_of = [&](ExprId id) {
            return module_.kind(id) == ExprKind::Function ? std::span<const ExprId>() : module_.operands(id);
        };
        for (ExprId id : post_order_of(module_.size(), std::span(&body, 1), operands_of)) add(id);
        graph_.outputs = values(body);
        return std::move(graph_);
    }

private:
    void add(ExprId id) {
        const std::span<const ExprId> operands = module_.operands(id);
        switch (module_.kind(id)) {
            case ExprKind::Constant: add_constant(id); break;
            case ExprKind::Call: add_node(id, op_of(id), operands.subspan(1)); break;
            case ExprKind::If: add_node(id, "if", operands); break;
            case ExprKind::RefCreate: add_node(id, "ref_create", operands); break;
            case ExprKind::RefRead: add_node(id, "ref_read", operands); break;
            case ExprKind::RefWrite: add_node(id, "ref_write", operands); break;
            case ExprKind::Tuple:
                for (ExprId field : operands) append(values_of_[id.value], values(field));
                break;
            case ExprKind::Projection: add_projection(id, operands[0]); break;
            case ExprKind::Let: values_of_[id.value] = values(operands[2]); break;
            case ExprKind::Var:
            case ExprKind::GlobalVar:
            case ExprKind::Op:
            case ExprKind::Function: break;
        }
    }

    /// A let's name stands for its value. A let comes after what is in it: names are bound before anything is added.
    void bind_names() {
        for (uint32_t i = 0; i < module_.size(); ++i)
            if (module_.kind(ExprId(i)) == ExprKind::Let)
                bound_.emplace(module_.operands(ExprId(i))[0], module_.operands(ExprId(i))[1]);
    }

    const std::vector<GraphValueId>& values(ExprId id) const {
        for (auto found = bound_.find(id); found != bound_.end(); found = bound_.find(id)) id = found->second;
        return values_of_[id.value];
    }

    static void append(std::vector<GraphValueId>& to, const std::vector<GraphValueId>& more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    std::string op_of(ExprId call) const {
        if (const OpRecord* op = called_op_record(module_, call))
            return op->foreign ? attributes_of(module_, call).string("op_type") : op->name;
        const ExprId callee = module_.callee(call);
        if (module_.kind(callee) == ExprKind::GlobalVar) return "@" + std::string(module_.name(callee));
        if (module_.kind(callee) == ExprKind::Function)
            if (const std::string_view name = module_.function_info(callee).string_attribute("Composite");
                !name.empty())
                return std::string(name);
        return "fn";
    }

    std::string attributes_text(ExprId call) const {
        const OpRecord* op = called_op_record(module_, call);
        if (!op || op->attributes.empty()) return {};
        const AttributesView view = attributes_of(module_, call);
        nlohmann::ordered_json json = nlohmann::ordered_json::object();
        if (op->foreign) {
            for_each_foreign_attribute(view, [&](const std::string& name, const AttributeValue* value) {
                json[name] = value ? json_of(*value) : nlohmann::ordered_json();
            });
            return json.empty() ? std::string() : json_text(json);
        }
        for (size_t i = 0; i < op->attributes.size(); ++i) json[op->attributes[i].name] = json_of(view.values()[i]);
        return json_text(json);
    }

    void add_node(ExprId id, std::string op, std::span<const ExprId> operands) {
        const NodeId node(uint32_t(graph_.nodes.size()));
        PlainNode made;
        made.name = name_of_(id);
        made.op = std::move(op);
        made.attributes = module_.kind(id) == ExprKind::Call ? attributes_text(id) : std::string();
        for (ExprId operand : operands) append(made.inputs, values(operand));
        leave_out_absent(id, made.inputs);
        values_of_[id.value] = made.outputs = make_values(made.name, module_.type(id));
        for (GraphValueId output : made.outputs) graph_.values[output.value].producer = node;
        made.expression = id;
        made.position = module_.position(id);
        graph_.nodes.push_back(std::move(made));
    }

    /// Puts the inputs that a foreign operator may have and has not where they belong.
    void leave_out_absent(ExprId call, std::vector<GraphValueId>& inputs) const {
        const OpRecord* op = called_op_record(module_, call);
        if (!op || !op->foreign) return;
        for (int64_t place : AttributesView(attributes_of(module_, call)).integers("absent"))
            if (place >= 0 && size_t(place) <= inputs.size())
                inputs.insert(inputs.begin() + ptrdiff_t(place), GraphValueId());
    }

    void add_constant(ExprId id) {
        values_of_[id.value] = make_values("constant", module_.type(id));
        for (GraphValueId value : values_of_[id.value]) graph_.values[value.value].constant = true;
    }

    void add_projection(ExprId id, ExprId tuple) {
        const TypeTable& types = module_.types();
        const std::vector<GraphValueId>& all = values(tuple);
        size_t first = 0, count = 1;
        if (const TypeId type = module_.type(tuple); types.is_tuple(type)) {
            const std::span<const TypeId> fields = types.parts(type);
            for (uint32_t i = 0; i < module_.projection_index(id); ++i) first += tensors_in(fields[i]);
            count = tensors_in(fields[module_.projection_index(id)]);
        }
        if (first + count <= all.size())
            values_of_[id.value].assign(all.begin() + ptrdiff_t(first), all.begin() + ptrdiff_t(first + count));
    }

    /// Counts the tensors in a type without recursion.
    size_t tensors_in(TypeId type) const {
        size_t count = 0;
        for_each_tensor(type, [&](TypeId) { ++count; });
        return count;
    }

    template <class Each>
    void for_each_tensor(TypeId type, Each each) const {
        const TypeTable& types = module_.types();
        std::vector<TypeId> open{type};
        while (!open.empty()) {
            const TypeId at = open.back();
            open.pop_back();
            if (!types.is_tuple(at)) {
                each(at);
                continue;
            }
            const std::span<const TypeId> fields = types.parts(at);
            open.insert(open.end(), fields.rbegin(), fields.rend());
        }
    }

    std::vector<GraphValueId> make_values(const std::string& name, TypeId type) {
        std::vector<GraphValueId> made;
        for_each_tensor(type, [&](TypeId tensor) {
            PlainValue value;
            value.name = unique(name);
            if (module_.types().is_tensor(tensor)) {
                value.dtype = module_.types().dtype(tensor).to_string();
                const std::span<const int64_t> shape = module_.types().shape(tensor);
                value.shape.assign(shape.begin(), shape.end());
                value.has_shape = true;
            }
            made.push_back(GraphValueId(uint32_t(graph_.values.size())));
            graph_.values.push_back(std::move(value));
        });
        return made;
    }

    std::string unique(const std::string& name) {
        std::string text = name;
        for (uint32_t& next = next_[name]; !taken_.insert(text).second;) text = name + ":" + std::to_string(++next);
        return text;
    }

    const Module& module_;
    const std::function<std::string(ExprId)>& name_of_;
    Graph graph_;
    std::vector<std::vector<GraphValueId>> values_of_;  ///< by ExprId
    std::unordered_map<ExprId, ExprId> bound_;          ///< by the var of a let: its value
    std::unordered_map<std::string, uint32_t> next_;
    std::unordered_set<std::string> taken_;
};

}  // namespace

Graph graph_of_module(const Module& module, const std::function<std::string(ExprId)>& name_of) {
    ExprId function = module.find_function("main");
    if (!function.valid() && !module.functions().empty()) function = module.functions().front().function;
    return function.valid() ? GraphOfModule(module, name_of).build(function) : Graph();
}

}  // namespace partita
