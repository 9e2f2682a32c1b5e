#include "engine/blocks/module_graph.h"

#include <algorithm>

#include "engine/ops/registry.h"
#include "engine/ops/weight_inputs.h"

namespace partita {

namespace {

/// Walks the functions of a module from their results down, then adds what it met from the operands up.
class ModuleWalker {
public:
    explicit ModuleWalker(const Module& module)
        : module_(module), is_reached_(module.size()), is_callee_(module.size()), alias_(module.size()),
          number_(module.size(), ModuleGraphBuilder::kNone) {}

    ModuleGraph walk() {
        size_t parameters = 0;
        for (const GlobalFunction& global : module_.functions()) {
            is_reached_[module_.body(global.function).value] = true;
            for (ExprId parameter : module_.parameters(global.function)) is_reached_[parameter.value] = true;
            parameters = std::max(parameters, module_.parameters(global.function).size());
        }
        reach();
        ModuleGraphBuilder builder(module_, parameters);
        for (uint32_t i = 0; i < is_reached_.size(); ++i)
            if (is_reached_[i] && !alias_[i].valid() && !is_callee_[i]) add(ExprId(i), builder);
        for (const GlobalFunction& global : module_.functions())
            if (const uint32_t result = number_[resolve(module_.body(global.function)).value];
                result != ModuleGraphBuilder::kNone)
                builder.set_result(result);
        return builder.build();
    }

private:
    /// Operands come before their users, so that one sweep downwards meets all.
    void reach() {
        for (uint32_t i = uint32_t(is_reached_.size()); i-- > 0;) {
            const ExprId id(i);
            if (!is_reached_[i] || module_.kind(id) == ExprKind::Function) continue;
            const std::span<const ExprId> operands = module_.operands(id);
            // A name stands for its value, and a let for its body.
            if (module_.kind(id) == ExprKind::Let) {
                alias_[operands[0].value] = operands[1];
                alias_[i] = operands[2];
            }
            if (module_.kind(id) == ExprKind::Call) is_callee_[operands[0].value] = true;
            for (ExprId operand : operands) is_reached_[operand.value] = true;
        }
    }

    ExprId resolve(ExprId id) const {
        while (alias_[id.value].valid()) id = alias_[id.value];
        return id;
    }

    void add(ExprId id, ModuleGraphBuilder& builder) {
        operands_.clear();
        if (module_.kind(id) != ExprKind::Function) {
            const std::span<const ExprId> operands = module_.operands(id);
            for (ExprId operand : operands.subspan(module_.kind(id) == ExprKind::Call))
                operands_.push_back(number_[resolve(operand).value]);
        }
        number_[id.value] = builder.add(id, operands_);
    }

    const Module& module_;
    std::vector<bool> is_reached_, is_callee_;
    std::vector<ExprId> alias_;
    std::vector<uint32_t> number_, operands_;
};

std::string name_of_call(const Module& module, ExprId call) {
    const ExprId callee = module.callee(call);
    if (module.kind(callee) == ExprKind::GlobalVar) return "@" + std::string(module.name(callee));
    if (module.kind(callee) != ExprKind::Function) return "call";
    const FunctionInfo& info = module.function_info(callee);
    for (const char* attribute : {"Composite", "Compiler"})
        if (const std::string_view name = info.string_attribute(attribute); !name.empty()) return std::string(name);
    return "fn";
}

std::string name_of_node(const Module& module, ExprId id) {
    switch (module.kind(id)) {
        case ExprKind::Call: return name_of_call(module, id);
        case ExprKind::Tuple: return "tuple of " + std::to_string(module.operands(id).size());
        case ExprKind::Projection: return "field " + std::to_string(module.projection_index(id));
        case ExprKind::Function: return "fn";
        case ExprKind::If: return "if";
        case ExprKind::RefCreate: return "ref";
        case ExprKind::RefRead: return "ref_read";
        case ExprKind::RefWrite: return "ref_write";
        default: return "input";  // nothing feeds it, so that its kind does not count
    }
}

}  // namespace

ModuleGraphBuilder::ModuleGraphBuilder(const Module& module, size_t parameters)
    : module_(module), few_parameters_(parameters <= kFewParameters),
      kind_of_op_(op_registry().records().size(), kNone) {}

uint32_t ModuleGraphBuilder::add(ExprId expr, std::span<const uint32_t> operands) {
    const uint32_t number = uint32_t(exprs_.size());
    exprs_.push_back(expr);
    for (std::vector<bool>* flags : {&is_result_, &is_used_, &is_data_}) flags->push_back(false);
    const OpRecord* op = called_op_record(module_, expr);
    for (size_t k = 0; k < operands.size(); ++k) {
        const uint32_t from = operands[k];
        if (from == kNone) continue;
        const bool named = op && k < op->inputs.size() && is_weight_name(op->inputs[k]);
        is_used_[from] = true;
        if (!op || k == 0 || (few_parameters_ && !named)) is_data_[from] = true;
        edges_.emplace_back(from, number);
    }
    return number;
}

/// Constants and weights are no nodes.
std::vector<uint32_t> ModuleGraphBuilder::number_nodes() const {
    std::vector<uint32_t> node(exprs_.size(), kNone);
    uint32_t next = 0;
    for (uint32_t i = 0; i < exprs_.size(); ++i) {
        const ExprKind kind = module_.kind(exprs_[i]);
        const bool is_weight = kind == ExprKind::Var && is_used_[i] && !is_data_[i];
        const bool is_name = kind == ExprKind::Op || kind == ExprKind::GlobalVar;
        if (is_result_[i] || !(kind == ExprKind::Constant || is_weight || is_name)) node[i] = next++;
    }
    return node;
}

ModuleGraph ModuleGraphBuilder::build() {
    const std::vector<uint32_t> node = number_nodes();
    ModuleGraph made;
    for (uint32_t i = 0; i < exprs_.size(); ++i) {
        if (node[i] == kNone) continue;
        made.exprs.push_back(exprs_[i]);
        made.graph.kind.push_back(kind_of(exprs_[i]));
        made.graph.is_result.push_back(is_result_[i]);
    }
    size_t kept = 0;
    for (const auto& [from, to] : edges_)
        if (node[from] != kNone && node[to] != kNone) edges_[kept++] = {node[from], node[to]};
    edges_.resize(kept);
    made.graph.connect(edges_);
    for (uint32_t i = 0; i < made.exprs.size(); ++i)
        if (made.graph.is_result[i] && module_.kind(made.exprs[i]) == ExprKind::Tuple && !made.graph.is_source(i))
            made.graph.gathering = i;
    made.names = std::move(names_);
    return made;
}

uint32_t ModuleGraphBuilder::kind_of(ExprId expr) {
    const OpId op = module_.called_op(expr);
    if (!op.valid()) return numbered(name_of_node(module_, expr));
    if (op.value >= kind_of_op_.size()) kind_of_op_.resize(op.value + 1, kNone);
    uint32_t& kind = kind_of_op_[op.value];
    if (kind == kNone) kind = numbered(op_registry()[op].name);
    return kind;
}

uint32_t ModuleGraphBuilder::numbered(const std::string& name) {
    const auto [entry, added] = number_of_name_.try_emplace(name, uint32_t(names_.size()));
    if (added) names_.push_back(name);
    return entry->second;
}

ModuleGraph module_graph(const Module& module) { return ModuleWalker(module).walk(); }

}  // namespace partita
