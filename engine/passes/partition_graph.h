// PartitionGraph: makes each annotated region a function of its own, as TVM 0.9's PartitionGraph does
// (src/relay/transforms/partition_graph.cc), with the same numbers of regions, and the same names and order of
// parameters and outputs.
//
// A value that leaves a region without compiler_end, or enters it without compiler_begin, also becomes an output or a
// parameter, so that the result computes the same as the input.
//
// Linear in the size of the module; memory bounds the depth. Functions with `Compiler` are unchanged except for their
// names. Runs after annotate_target, with or without merge_compiler_regions between them. The result is typed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/ir/decision_log.h"

namespace partita {

enum class PartitionStyle : uint8_t {
    Global,  ///< `@tvmgen_default_dnnl_main_0`, as TVM 0.9
    Inline,  ///< a function literal bound in the caller, as early TVM
};

struct PartitionOptions {
    PartitionStyle style = PartitionStyle::Global;
    /// TVM's mod_name: "default" gives `tvmgen_default_...`, "" gives `tvmgen_...`.
    std::string module_name = "default";
    /// False leaves names as `dnnl_main_0`: the state before TVM's NameMangleExtFuncs.
    bool mangle_names = true;
    /// Whether constant inputs are put into the sub-functions.
    bool bind_constants = true;
    /// Backend name -> ops of one argument that are dropped inside its sub-functions, such as annotation.stop_fusion.
    std::map<std::string, std::vector<std::string>> transparent;
};

/// Returns the mangled name of a region or a function that already had `Compiler`, in a module of the given name. Names
/// of regions are `TARGET_FUNCTION_NUMBER`. A mangled name stays as it is.
std::string mangled_function_name(const std::string& module_name, const std::string& name);

/// Fails if annotations are inconsistent, if a region depends on itself or has outputs of a branch and others (only in
/// modules annotated by hand: merge_compiler_regions never makes one), or if a sub-function's name is taken.
Result<Module> partition_graph(const Module& module, const PartitionOptions& options = {}, DecisionLog* log = nullptr);

}  // namespace partita
