// PartitionGraph: makes each annotated region a function of its own, as TVM 0.9's PartitionGraph does
// (src/relay/transforms/partition_graph.cc).
//
// Runs after annotate_target, with or without merge_compiler_regions between them. The result is typed.
#pragma once

#include <string>

#include "engine/passes/decision_log.h"

namespace partita {

enum class PartitionStyle : uint8_t {
    Global,  ///< `@tvmgen_default_dnnl_main_0`, as TVM 0.9
    Inline,  ///< a function literal bound in the caller, as early TVM; see byoc-semantics.md, I
};

struct PartitionOptions {
    PartitionStyle style = PartitionStyle::Global;
    /// TVM's mod_name: "default" gives `tvmgen_default_...`, "" gives `tvmgen_...`.
    std::string module_name = "default";
    /// False leaves names as `dnnl_main_0`: the state before TVM's NameMangleExtFuncs.
    bool mangle_names = true;
    /// Whether constant inputs are put into the sub-functions.
    bool bind_constants = true;
};

Result<Module> partition_graph(const Module& module, const PartitionOptions& options = {}, DecisionLog* log = nullptr);

}  // namespace partita
