#include "engine/passes/annotations.h"

#include "engine/ops/registry.h"

namespace partita {

int32_t CompilerNames::number(std::string_view name) {
    auto [it, added] = numbers_.try_emplace(std::string(name), int32_t(names_.size()));
    if (added) names_.emplace_back(name);
    return it->second;
}

MarkReader::MarkReader(const Module& module, CompilerNames& names)
    : module_(module),
      names_(names),
      begin_(op_registry().find("annotation.compiler_begin")),
      end_(op_registry().find("annotation.compiler_end")) {}

int32_t MarkReader::compiler(ExprId mark) {
    AttributesId attributes = module_.attributes_id(mark);
    if (attributes.value == last_attributes_) return last_compiler_;
    auto [it, added] = by_attributes_.try_emplace(attributes.value, CompilerNames::kDefault);
    if (added && attributes.valid() && !module_.attributes(attributes).empty()) {
        const std::string* name = module_.attributes(attributes)[0].as_string();
        if (name) it->second = names_.number(*name);
    }
    last_attributes_ = attributes.value;
    return last_compiler_ = it->second;
}

MarkMaker::MarkMaker(Module& module, const CompilerNames& names)
    : module_(module),
      names_(names),
      begin_(module.add_op(op_registry().find("annotation.compiler_begin"))),
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

}  // namespace partita
