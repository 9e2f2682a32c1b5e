// The whole flow, with the bytes as choices: a random module, random edits, a random division. The result must be valid
// and compute the same as the module.
#include <cstring>

#include "engine/edits/edits.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "engine/runtime/run.h"
#include "tests/engine/random_module.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

namespace {

using partita::testing::RandomModule;

/// Applies one random edit; returns the module unchanged if the edit is refused. Makes choices one by one, because
/// compilers evaluate arguments in different orders.
ModulePtr edited(const ModulePtr& module, RandomModule& random) {
    std::vector<ExprId> expressions = post_order(*module, module->find_function("main"));
    auto any = [&] { return expressions[random.below(expressions.size())]; };
    auto edge = [&] {
        ExprId user = any();
        size_t count = module->operands(user).size();
        return EditEdge{user, count ? uint32_t(random.below(count)) : 0};
    };
    // Region marks inserted by hand need not match; partition then refuses, correctly.
    auto any_op = [&] {
        OpId op(uint32_t(random.below(op_registry().records().size())));
        return op_registry()[op].name.starts_with("annotation.compiler_") ? op_registry().find("add") : op;
    };
    auto taken = [&](const EditResult& result) { return result ? result->module : module; };
    switch (random.below(8)) {
        case 0: {
            const ExprId gone[] = {any(), any()};
            return taken(remove_expressions(*module, std::span(gone).first(1 + random.below(2))));
        }
        case 1: {
            const EditEdge at = edge();
            return taken(replace_operand(*module, at, any()));
        }
        case 2: return taken(cut_edge(*module, edge(), "cut"));
        case 3: {
            TypeTable types = module->types();
            const OpId op = any_op();
            NewCall call = propose_call(types, *module, op, any());
            return taken(insert_on_edge(*module, edge(), call, types));
        }
        case 4: {
            const ExprId call = any();
            return taken(change_op(*module, call, any_op()));
        }
        case 5: {
            std::vector<ExprId> selection;
            for (uint64_t i = 0, count = 1 + random.below(5); i < count; ++i) selection.push_back(any());
            return taken(extract_function(*module, selection, "part"));
        }
        case 6: return taken(inline_call(*module, any()));
        default: return taken(rename_expression(*module, any(), "renamed"));
    }
}

Result<RunReport> run_once(const ModulePtr& module, const std::map<std::string, Tensor>& inputs) {
    RunOptions options;
    options.inputs = inputs;
    options.threads = 1;
    options.warmup = 0;
    options.repeat = 1;
    options.all_on_default = true;
    return run_module(module, options);
}

/// Reports a violated guarantee with the module's text, which is only written then because that takes longer than a
/// run.
void require_of(bool kept, const char* promise, const Module& module, const Diagnostic* reason = nullptr) {
    if (!kept) require(false, promise, (reason ? reason->message + "\n" : "") + print_relay(module));
}

/// Returns whether the values fit into memory many times over.
bool is_small(const Module& module) {
    constexpr int64_t kMostElements = 1 << 20;
    for (uint32_t i = 0; i < module.size(); ++i) {
        TypeId type = module.type(ExprId(i));
        if (!module.types().is_tensor(type)) continue;
        auto count = element_count(module.types().shape(type));
        if (!count || *count > kMostElements) return false;
    }
    return true;
}

}  // namespace

void fuzz_flow(Bytes bytes) {
    std::vector<uint8_t> choices(bytes.begin(), bytes.end());
    RandomModule random(std::move(choices), {});
    ModulePtr module = std::make_shared<const Module>(random.make());
    for (uint64_t i = 0, count = random.below(6); i < count; ++i) module = edited(module, random);
    Module checked = *module;
    require_of(bool(infer_types(checked)), "an edited module has types", *module);

    Placement placement = partita::testing::random_placement(*module, random);
    AnnotateOptions annotate_options;
    annotate_options.include_non_call_ops = random.below(2);
    Result<Module> annotated = annotate_target(*module, placement, annotate_options);
    require_of(bool(annotated), "annotate takes any placement", *module, annotated ? nullptr : &annotated.error());
    Result<Module> merged = random.below(4) ? merge_compiler_regions(*annotated) : *annotated;
    require_of(bool(merged), "merging takes any annotations", *annotated, merged ? nullptr : &merged.error());
    PartitionOptions options;
    options.bind_constants = random.below(2);
    Result<Module> partitioned = partition_graph(*merged, options);
    require_of(bool(partitioned), "partition takes any regions", *merged, partitioned ? nullptr : &partitioned.error());
    Module typed = *partitioned;
    require_of(bool(infer_types(typed)), "a partitioned module has types", *partitioned);

    if (!is_small(*module)) return;
    std::map<std::string, Tensor> inputs = make_inputs(*module, 7, {});
    Result<RunReport> expected = run_once(module, inputs);
    if (!expected) return;  // an edit can insert an op without a kernel, or change the number of inputs
    Result<RunReport> found = run_once(std::make_shared<const Module>(std::move(*partitioned)), inputs);
    require_of(bool(found), "a partitioned module runs where the module runs", *module,
               found ? nullptr : &found.error());
    require(found->outputs.size() == expected->outputs.size(), "the outputs are as many");
    for (size_t i = 0; i < found->outputs.size(); ++i)
        require_of(found->outputs[i].identical(expected->outputs[i]), "the partitioned module computes the same",
                   *module);
}

}  // namespace partita::fuzz
