#include "engine/passes/sub_function_names.h"

namespace partita {

SubFunctionNames::SubFunctionNames(const Module& from, Module& to, const PartitionOptions& options,
                                   const CompilerNames& compilers)
    : to_(to), options_(options), compilers_(compilers) {
    for (const GlobalFunction& global : from.functions()) {
        std::string name(from.names().text(global.name));
        const bool is_region = from.function_info(global.function).attribute("Compiler");
        if (options.style == PartitionStyle::Global && options.mangle_names && is_region)
            name = renamed_[global.name] = mangled_function_name(options.module_name, name);
        const NameId id = to.names().intern(name);
        taken_.insert(id);
        if (is_region) earlier_regions_.insert(id);
    }
}

const std::string* SubFunctionNames::renamed(NameId name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? nullptr : &found->second;
}

const std::string& SubFunctionNames::prefix(int32_t function, int32_t compiler) {
    const size_t index = size_t(function) * compilers_.size() + size_t(compiler);
    if (index >= prefixes_.size()) prefixes_.resize(functions_.size() * compilers_.size());
    std::string& prefix = prefixes_[index];
    if (prefix.empty()) {
        prefix = compilers_.name(compiler) + "_" + functions_[size_t(function)] + "_";
        if (options_.mangle_names) prefix = mangled_function_name(options_.module_name, prefix);
    }
    return prefix;
}

std::string SubFunctionNames::region(int32_t function, int32_t compiler, int number) {
    if (options_.style == PartitionStyle::Inline)
        return compilers_.name(compiler) + "_" + std::to_string(inline_functions_++);
    const std::string& before = prefix(function, compiler);
    for (;; ++number) {
        std::string digits = std::to_string(number), name;
        name.reserve(before.size() + digits.size());
        name.append(before).append(digits);
        if (earlier_regions_.empty() || !is_region(name)) return name;
    }
}

bool SubFunctionNames::is_region(const std::string& name) const {
    const NameId id = to_.names().find(name);
    return id.valid() && (earlier_regions_.count(id) > 0 || to_.find_function(id).valid());
}

std::string SubFunctionNames::parameter(int32_t compiler, int number, int32_t index) {
    std::string name = compilers_.name(compiler);
    if (options_.style == PartitionStyle::Inline) return name + "_input" + std::to_string(inline_parameters_++);
    name += '_';
    name += std::to_string(number);
    name += "_i";
    name += std::to_string(index);
    return name;
}

FunctionInfo SubFunctionNames::info(const std::string& name, int32_t compiler, TypeId result) const {
    FunctionInfo info;
    info.return_type = result;
    info.attributes.reserve(4);
    const bool is_global = options_.style == PartitionStyle::Global;
    if (is_global) info.attributes.emplace_back(keys_.inlined, 1);
    info.attributes.emplace_back(keys_.compiler, compilers_.name(compiler));
    info.attributes.emplace_back(is_global ? keys_.symbol : keys_.external_symbol, name);
    info.attributes.emplace_back(keys_.primitive, 1);
    return info;
}

Result<ExprId> SubFunctionNames::add(const std::string& name, int32_t compiler, std::span<const ExprId> parameters,
                                     ExprId body) {
    types_.clear();
    bool all_known = true;
    for (ExprId parameter : parameters) {
        types_.push_back(to_.type(parameter));
        all_known &= types_.back().valid();
    }
    const TypeId result = to_.type(body);
    const TypeId type = all_known && result.valid() ? to_.types().function(types_, result) : TypeId();
    if (options_.style == PartitionStyle::Inline)
        return to_.add_function(parameters, body, info(name, compiler, result), type);
    const NameId id = to_.names().intern(name);
    if (taken(id)) return error("there is a @" + name + " already");
    to_.set_function(id, to_.add_function(parameters, body, info(name, compiler, result), type));
    const ExprId global = to_.add_global_var(id);
    to_.set_type(global, type);
    return global;
}

std::string mangled_function_name(const std::string& module_name, const std::string& name) {
    if (name.starts_with("tvmgen_")) return name;
    std::string mangled = "tvmgen_" + (module_name.empty() ? "" : module_name + "_") + name;
    for (char& letter : mangled) {
        bool alphanumeric =
            (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        if (!alphanumeric) letter = '_';
    }
    return mangled;
}

}  // namespace partita
