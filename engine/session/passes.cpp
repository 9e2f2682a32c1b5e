#include "engine/session/passes.h"

#include <algorithm>
#include <vector>

#include "engine/passes/annotate_target.h"
#include "engine/passes/fold_constants.h"
#include "engine/passes/in_double.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/merge_composite.h"
#include "engine/passes/partition_graph.h"
#include "engine/passes/simplify_inference.h"
#include "engine/placement/placement.h"

namespace partita {

namespace {

using Backends = std::span<const BackendDescription>;

Result<Module> with_types(const Module& module, Backends) {
    Module typed = module;
    if (Status inferred = infer_types(typed); !inferred) return inferred.error();
    return typed;
}

Result<Module> composites(const Module& module, Backends backends) {
    std::vector<CompositePattern> patterns;
    for (const BackendDescription& backend : backends)
        patterns.insert(patterns.end(), backend.patterns.begin(), backend.patterns.end());
    return merge_composite(module, patterns);
}

Result<Module> annotated(const Module& module, Backends backends) {
    const std::vector<BackendDescription> all(backends.begin(), backends.end());
    return annotate_target(module, place(module, all));
}

const NamedPass kPasses[] = {
    {"infer-types", "infers the types of all expressions", false, with_types},
    {"lower-whole-operators", "writes operators that Relay does not have as Relay's own", false,
     [](const Module& module, Backends) { return lower_whole_operators(module); }},
    {"simplify-inference", "writes normalizations as arithmetic and drops dropout", false,
     [](const Module& module, Backends) { return simplify_inference(module); }},
    {"fold-constants", "computes what depends on constants alone", false,
     [](const Module& module, Backends) { return fold_constants(module); }},
    {"in-double", "computes in float64, as a reference for other runs", false,
     [](const Module& module, Backends) { return in_double(module); }},
    {"merge-composite", "makes a function of each match of the backends' patterns", true, composites},
    {"annotate-target", "marks where the backends' calls begin and end", true, annotated},
    {"merge-compiler-regions", "merges marked neighbours of one backend, without a cycle", false,
     [](const Module& module, Backends) { return merge_compiler_regions(module); }},
    {"partition-graph", "makes a function of each marked region", false,
     [](const Module& module, Backends) { return partition_graph(module); }},
};

}  // namespace

std::span<const NamedPass> named_passes() { return kPasses; }

const NamedPass* find_pass(std::string_view name) {
    const auto found =
        std::find_if(std::begin(kPasses), std::end(kPasses), [&](const NamedPass& pass) { return pass.name == name; });
    return found == std::end(kPasses) ? nullptr : found;
}

}  // namespace partita
