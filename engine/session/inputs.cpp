#include "engine/session/inputs.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "engine/ir/tensor.h"
#include "engine/support/one_line.h"
#include "engine/support/spelling.h"

namespace partita {

ParameterNames::ParameterNames(const Module& module) : module_(module) {
    const ExprId main = module.find_function("main");
    if (!main.valid()) return;
    for (ExprId parameter : module.parameters(main)) by_name_.emplace(module.name(parameter), parameter);
    for (ExprId parameter : module.parameters(main))
        if (!module.label(parameter).empty()) by_name_.emplace(module.label(parameter), parameter);
}

Result<ExprId> ParameterNames::find(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return error("@main has no parameter of that name; " + known(name));
    return found->second;
}

Status ParameterNames::accept(const std::string& name, const std::vector<int64_t>& shape) const {
    const Result<ExprId> parameter = find(name);
    if (!parameter) return parameter.error();
    const TypeTable& types = module_.types();
    const TypeId type = module_.type(*parameter);
    if (!types.is_tensor(type)) return Nothing();
    const std::span<const int64_t> wanted = types.shape(type);
    const auto fits = [](int64_t dim, int64_t given) { return dim == kDynamicDim || dim == given; };
    if (std::equal(wanted.begin(), wanted.end(), shape.begin(), shape.end(), fits)) return Nothing();
    return error("the value has the shape " + shape_to_string(shape) + ", the parameter is of type " +
                 types.to_string(type));
}

Status ParameterNames::accept(const std::string& name, const std::vector<int64_t>& shape, DataType dtype) const {
    if (Status fits = accept(name, shape); !fits) return fits;
    const TypeTable& types = module_.types();
    const TypeId type = module_.type(*find(name));
    if (!types.is_tensor(type) || types.dtype(type) == dtype) return Nothing();
    return error("the value has elements of type " + dtype.to_string() + ", the parameter is of type " +
                 types.to_string(type));
}

std::string ParameterNames::known(const std::string& name) const {
    constexpr size_t kMostNames = 20;
    std::vector<std::string_view> names;
    for (const auto& [known, _] : by_name_) names.push_back(known);
    if (const std::string_view near = nearest_spelling(name, names); !near.empty())
        return "did you mean " + in_quotes(near) + "?";
    std::string text;
    const ExprId main = module_.find_function("main");
    const std::span<const ExprId> parameters = main.valid() ? module_.parameters(main) : std::span<const ExprId>();
    for (size_t i = 0; i < parameters.size() && i < kMostNames; ++i)
        text += (i ? ", " : "") + std::string(module_.label(parameters[i]).empty() ? module_.name(parameters[i])
                                                                                   : module_.label(parameters[i]));
    if (parameters.size() > kMostNames) text += " and " + std::to_string(parameters.size() - kMostNames) + " more";
    return text.empty() ? "it has none" : "there are " + text;
}

}  // namespace partita
