#include "engine/ops/annotations.h"

#include <algorithm>

#include "engine/ops/registry.h"
#include "engine/support/large_memory.h"

namespace partita {

int32_t CompilerNames::number(std::string_view name) {
    auto [it, added] = numbers_.try_emplace(std::string(name), int32_t(names_.size()));
    if (added) names_.emplace_back(name);
    return it->second;
}

MarkReader::MarkReader(const Module& module, CompilerNames& names) : module_(module), names_(names) {
    OpId begin = op_registry().find("annotation.compiler_begin"), end = op_registry().find("annotation.compiler_end");
    ExprId begin_op, end_op;
    uint32_t first = 0;  // before an op's expression there are no calls of it
    for (uint32_t i = 0; i < module.size() && !(begin_op.valid() && end_op.valid()); ++i) {
        if (module.kind(ExprId(i)) != ExprKind::Op) continue;
        OpId op(module[ExprId(i)].payload);
        if (op != begin && op != end) continue;
        (op == begin ? begin_op : end_op) = ExprId(i);
        if (!first) first = i + 1;
    }
    if (!first) return;
    fill_in_large_pages(marks_, module.size(), Mark::None);
    for (uint32_t i = first; i < module.size(); ++i) {
        if (module.kind(ExprId(i)) != ExprKind::Call) continue;
        // Without branches: to a branch predictor, which calls are marks is as good as random.
        ExprId callee = module.callee(ExprId(i));
        marks_[i] = Mark(uint8_t(callee.value == begin_op.value) | uint8_t(callee.value == end_op.value) << 1);
    }
}

int32_t MarkReader::find_compiler(AttributesId attributes) {
    if (!attributes.valid()) return CompilerNames::kDefault;
    if (attributes.value >= by_attributes_.size()) by_attributes_.resize(attributes.value + 1, kUnknown);
    int32_t& compiler = by_attributes_[attributes.value];
    compiler = CompilerNames::kDefault;
    if (!module_.attributes(attributes).empty())
        if (const std::string* name = module_.attributes(attributes)[0].as_string()) compiler = names_.number(*name);
    return compiler;
}

MarkMaker::MarkMaker(Module& module, const CompilerNames& names)
    : module_(module), names_(names), begin_(module.add_op(op_registry().find("annotation.compiler_begin"))),
      end_(module.add_op(op_registry().find("annotation.compiler_end"))) {}

ExprId MarkMaker::make(ExprId op, ExprId operand, int32_t compiler) {
    if (size_t(compiler) >= attributes_.size()) attributes_.resize(size_t(compiler) + 1);
    AttributesId& attributes = attributes_[size_t(compiler)];
    if (!attributes.valid()) attributes = module_.add_attributes({AttributeValue(names_.name(compiler))});
    return module_.add_call(op, {operand}, attributes, module_.type(operand));
}

bool is_opaque_function(const Module& module, ExprId function) {
    const FunctionInfo& info = module.function_info(function);
    for (const auto& [key, value] : info.attributes) {
        if (key == "Compiler") return true;
        if (key != "SkipOptimization" && key != "Extern") continue;
        const Integer* flag = value.as_integer();
        if (!flag || flag->value != 0) return true;
    }
    return false;
}

bool is_composite(const Module& module, ExprId function) {
    return module.kind(function) == ExprKind::Function &&
           module.function_info(function).attribute("Composite") != nullptr;
}

bool has_annotations(const Module& module) {
    OpId begin = op_registry().find("annotation.compiler_begin");
    for (uint32_t i = 0; i < module.size(); ++i)
        if (begin.valid() && module.called_op(ExprId(i)) == begin) return true;
    return false;
}

bool carries_regions(const Module& module) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (module.kind(ExprId(i)) == ExprKind::Function && module.function_info(ExprId(i)).attribute("Compiler"))
            return true;
    return false;
}

std::vector<std::string> backends_of_module(const Module& module) {
    const OpId begin = op_registry().find("annotation.compiler_begin");
    std::vector<std::string> names;
    std::vector<bool> seen(module.size());
    const auto add = [&names](std::string_view name) {
        if (names.size() > kMostBackends) return;
        if (!name.empty() && name != "default" && std::find(names.begin(), names.end(), name) == names.end())
            names.emplace_back(name);
    };
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId id(i);
        if (module.kind(id) == ExprKind::Function) add(module.function_info(id).string_attribute("Compiler"));
        if (!begin.valid() || module.called_op(id) != begin || !module.attributes_id(id).valid()) continue;
        // Many marks share their attributes.
        const uint32_t attributes = module.attributes_id(id).value;
        if (attributes < seen.size() && seen[attributes]) continue;
        if (attributes < seen.size()) seen[attributes] = true;
        if (const std::string* name = module.attributes(module.attributes_id(id))[0].as_string()) add(*name);
    }
    return names;
}

}  // namespace partita
