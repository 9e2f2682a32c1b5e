// Where a node of a program stands in the module that was exported.
#pragma once

#include <string>
#include <string_view>

namespace partita::torch {

/// Returns the name of a node behind the modules around it, outermost first: "layers.0/attn/linear", from the
/// metadata nn_module_stack, "key,path,type" joined by ";". What has another form has no modules. `within` is in front.
std::string label_of(std::string_view name, std::string_view module_stack, const std::string& within);

}  // namespace partita::torch
