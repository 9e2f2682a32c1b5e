#include "engine/ir/module.h"

#include <algorithm>
#include <cassert>

#include "engine/support/hash.h"
#include "engine/support/large_memory.h"

namespace partita {

const AttributeValue* FunctionInfo::attribute(std::string_view key) const {
    for (const auto& [name, value] : attributes)
        if (name == key) return &value;
    return nullptr;
}

std::string_view FunctionInfo::string_attribute(std::string_view key) const {
    const AttributeValue* value = attribute(key);
    const std::string* text = value ? value->as_string() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

Module Module::with_tables_of(const Module& other) {
    Module module;
    module.types_ = other.types_;
    module.names_ = other.names_;
    module.attributes_ = other.attributes_;
    module.attributes_by_hash_ = other.attributes_by_hash_;
    module.constants_ = other.constants_;
    module.derived_ = true;
    return module;
}

AttributesId Module::add_attributes(AttributeList list) {
    uint64_t hash = list.size();
    for (const AttributeValue& value : list) hash = hash_combine(hash, value.hash());
    auto [first, last] = attributes_by_hash_.equal_range(hash);
    // Widths of integers count here: `[2]` and `[2i64]` print differently.
    auto identical = [](const AttributeValue& a, const AttributeValue& b) { return a.identical(b); };
    for (auto it = first; it != last; ++it) {
        const AttributeList& known = attributes_[it->second.value];
        if (std::equal(known.begin(), known.end(), list.begin(), list.end(), identical)) return it->second;
    }
    AttributesId id(uint32_t(attributes_.size()));
    attributes_.push_back(std::move(list));
    attributes_by_hash_.emplace(hash, id);
    return id;
}

ExprId Module::add(ExprKind kind, uint32_t payload, std::span<const ExprId> operands, TypeId type) {
    ExprId id(uint32_t(exprs_.size()));
    uint32_t begin = uint32_t(operands_.size());
    if (operands_.size() + operands.size() > operands_.capacity()) {
        // `operands` may point into the vector that grows here.
        std::vector<ExprId> copy(operands.begin(), operands.end());
        operands_.reserve(std::max(operands_.capacity() * 2, operands_.size() + operands.size()));
        operands_.insert(operands_.end(), copy.begin(), copy.end());
    } else {
        for (ExprId operand : operands) operands_.push_back(operand);
    }
    for (size_t i = begin; i < operands_.size(); ++i) assert(operands_[i].value < id.value);
    exprs_.push_back({kind, payload, begin, uint32_t(operands.size()), type});
    return id;
}

ExprId Module::add_var(std::string_view name, TypeId declared) {
    return add(ExprKind::Var, names_.intern(name).value, {}, declared);
}

ExprId Module::add_constant(Tensor value) {
    TypeId type = types_.tensor(value.dtype(), value.shape());
    constants_.push_back(std::move(value));
    return add(ExprKind::Constant, uint32_t(constants_.size() - 1), {}, type);
}

ExprId Module::add_constant(ConstantId value) {
    const Tensor& tensor = constants_[value.value];
    return add(ExprKind::Constant, value.value, {}, types_.tensor(tensor.dtype(), tensor.shape()));
}

ExprId Module::add_global_var(NameId id) {
    if (id.value >= global_vars_.size()) global_vars_.resize(names_.size());
    ExprId& expr = global_vars_[id.value];
    if (!expr.valid()) expr = add(ExprKind::GlobalVar, id.value, {}, {});
    return expr;
}

ExprId Module::add_op(OpId op) {
    if (op.value >= op_exprs_.size()) op_exprs_.resize(op.value + 1);
    ExprId& expr = op_exprs_[op.value];
    if (!expr.valid()) expr = add(ExprKind::Op, op.value, {}, {});
    return expr;
}

ExprId Module::add_call(ExprId callee, std::span<const ExprId> arguments, AttributesId attributes, TypeId type) {
    constexpr size_t kMost = 8;
    ExprId few[kMost];
    if (arguments.size() < kMost) {
        few[0] = callee;
        for (size_t i = 0; i < arguments.size(); ++i) few[i + 1] = arguments[i];
        return add(ExprKind::Call, attributes.value, {few, arguments.size() + 1}, type);
    }
    std::vector<ExprId> operands{callee};
    operands.insert(operands.end(), arguments.begin(), arguments.end());
    return add(ExprKind::Call, attributes.value, operands, type);
}

ExprId Module::add_tuple(std::span<const ExprId> fields, TypeId type) { return add(ExprKind::Tuple, 0, fields, type); }

ExprId Module::add_projection(ExprId tuple, uint32_t index, TypeId type) {
    return add(ExprKind::Projection, index, {&tuple, 1}, type);
}

ExprId Module::add_let(ExprId var, ExprId value, ExprId body, TypeId type) {
    ExprId operands[] = {var, value, body};
    return add(ExprKind::Let, 0, operands, type);
}

ExprId Module::add_if(ExprId condition, ExprId then_branch, ExprId else_branch, TypeId type) {
    ExprId operands[] = {condition, then_branch, else_branch};
    return add(ExprKind::If, 0, operands, type);
}

ExprId Module::add_function(std::span<const ExprId> parameters, ExprId body, FunctionInfo info, TypeId type) {
    constexpr size_t kMost = 16;
    function_infos_.push_back(std::move(info));
    uint32_t payload = uint32_t(function_infos_.size() - 1);
    ExprId few[kMost];
    if (parameters.size() < kMost) {
        std::copy(parameters.begin(), parameters.end(), few);
        few[parameters.size()] = body;
        return add(ExprKind::Function, payload, {few, parameters.size() + 1}, type);
    }
    std::vector<ExprId> operands(parameters.begin(), parameters.end());
    operands.push_back(body);
    return add(ExprKind::Function, payload, operands, type);
}

ExprId Module::add_ref_create(ExprId value, TypeId type) { return add(ExprKind::RefCreate, 0, {&value, 1}, type); }

ExprId Module::add_ref_read(ExprId reference, TypeId type) { return add(ExprKind::RefRead, 0, {&reference, 1}, type); }

ExprId Module::add_ref_write(ExprId reference, ExprId value, TypeId type) {
    ExprId operands[] = {reference, value};
    return add(ExprKind::RefWrite, 0, operands, type);
}

ExprId Module::add_like(const Module& source, ExprId like, std::span<const ExprId> operands) {
    const Expr expr = source[like];  // a copy: `source` may be this module, which grows
    ExprId id;
    switch (expr.kind) {
        case ExprKind::GlobalVar: id = add_global_var(source.name(like)); break;
        case ExprKind::Op: return add_op(OpId(expr.payload));
        case ExprKind::Function: {
            FunctionInfo info = source.function_info(like);
            id = add_function(operands.first(operands.size() - 1), operands.back(), std::move(info), expr.type);
            break;
        }
        default: id = add(expr.kind, expr.payload, operands, expr.type); break;
    }
    if (expr.kind == ExprKind::GlobalVar) {
        set_type(id, expr.type);
        return id;
    }
    if (!source.positions_.empty()) {
        SourcePosition position = source.position(like);
        if (position.line) set_position(id, position);
    }
    if (derived_) set_origin(id, source.origin(like));
    if (!source.labels_.empty()) {
        std::string_view label = source.label(like);
        if (!label.empty()) set_label(id, std::string(label));
    }
    return id;
}

void Module::set_function(NameId id, ExprId function) {
    assert(kind(function) == ExprKind::Function);
    if (id.value >= function_by_name_.size()) function_by_name_.resize(names_.size());
    Id<GlobalFunction>& index = function_by_name_[id.value];
    if (index.valid()) {
        functions_[index.value].function = function;
        return;
    }
    index = Id<GlobalFunction>(uint32_t(functions_.size()));
    functions_.push_back({id, function});
}

void Module::remove_function(std::string_view name) {
    NameId id = names_.find(name);
    if (!id.valid() || id.value >= function_by_name_.size() || !function_by_name_[id.value].valid()) return;
    functions_.erase(functions_.begin() + function_by_name_[id.value].value);
    function_by_name_[id.value] = Id<GlobalFunction>();
    for (uint32_t i = 0; i < functions_.size(); ++i) function_by_name_[functions_[i].name.value].value = i;
}

std::vector<GlobalFunction> Module::functions_by_name() const {
    std::vector<std::pair<std::string_view, GlobalFunction>> named;
    named.reserve(functions_.size());
    for (const GlobalFunction& global : functions_) named.emplace_back(names_.text(global.name), global);
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<GlobalFunction> sorted;
    sorted.reserve(named.size());
    for (const auto& [name, global] : named) sorted.push_back(global);
    return sorted;
}

ExprId Module::find_function(NameId id) const {
    if (!id.valid() || id.value >= function_by_name_.size() || !function_by_name_[id.value].valid()) return ExprId();
    return functions_[function_by_name_[id.value].value].function;
}

void Module::set_position(ExprId id, SourcePosition position) {
    if (id.value >= positions_.size()) positions_.resize(id.value + 1);
    positions_[id.value] = position;
}

void Module::set_origin(ExprId id, ExprId origin) {
    if (id.value == origins_.size()) {
        origins_.push_back(origin);
        return;
    }
    if (id.value >= origins_.size()) origins_.resize(id.value + 1);
    origins_[id.value] = origin;
}

void Module::make_root() {
    derived_ = false;
    sources_ = std::move(origins_);
    origins_.clear();
}

std::string_view Module::label(ExprId id) const {
    auto it = labels_.find(id);
    return it == labels_.end() ? std::string_view() : std::string_view(it->second);
}

void Module::set_label(ExprId id, std::string label) { labels_[id] = std::move(label); }

void Module::drop_unreachable_constants() {
    std::vector<bool> reached(exprs_.size()), used(constants_.size());
    for (const GlobalFunction& global : functions_) reached[global.function.value] = true;
    // Operands have smaller ids than their users, so one downward loop visits every user first.
    for (size_t i = exprs_.size(); i-- > 0;) {
        if (!reached[i]) continue;
        if (exprs_[i].kind == ExprKind::Constant) used[exprs_[i].payload] = true;
        for (ExprId operand : operands(ExprId(uint32_t(i)))) reached[operand.value] = true;
    }
    for (size_t i = 0; i < constants_.size(); ++i)
        if (!used[i]) constants_[i] = Tensor();
}

void Module::reserve(size_t expressions, size_t operands) {
    reserve_in_large_pages(exprs_, expressions);
    reserve_in_large_pages(operands_, operands);
    if (derived_) reserve_in_large_pages(origins_, expressions);
}

void Module::reserve_functions(size_t functions, size_t names, size_t letters) {
    reserve_in_large_pages(function_infos_, function_infos_.size() + functions);
    functions_.reserve(functions_.size() + functions);
    names_.reserve(names, letters);
    global_vars_.reserve(names_.size() + names);
    function_by_name_.reserve(names_.size() + names);
}

size_t Module::memory_bytes() const {
    return exprs_.capacity() * sizeof(Expr) + operands_.capacity() * sizeof(ExprId) +
           positions_.capacity() * sizeof(SourcePosition) +
           (origins_.capacity() + sources_.capacity()) * sizeof(ExprId) +
           function_infos_.capacity() * sizeof(FunctionInfo) + functions_.capacity() * sizeof(GlobalFunction);
}

}  // namespace partita
