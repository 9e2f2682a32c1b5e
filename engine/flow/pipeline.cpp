#include "engine/flow/pipeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/flow/collect_regions.h"
#include "engine/flow/partitioning.h"
#include "engine/flow/weights.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/fold_constants.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/outline_regions.h"
#include "engine/passes/simplify_inference.h"
#include "engine/passes/verify.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

std::vector<CallOrigin> list_origins(const Module& module) {
    std::vector<CallOrigin> origins;
    for (const GlobalFunction& global : module.functions()) {
        for (ExprId id : post_order(module, global.function)) {
            if (module.kind(id) != ExprKind::Call) continue;
            if (module.origin(id).valid()) origins.push_back({id, module.origin(id), false});
            ExprId callee = module.callee(id);
            if (module.kind(callee) != ExprKind::Function) continue;
            for (ExprId inner : post_order(module, module.body(callee)))
                if (module.kind(inner) == ExprKind::Call && module.origin(inner).valid())
                    origins.push_back({id, module.origin(inner), true});
        }
    }
    return origins;
}

std::string_view backend_of_pattern(const CompositePattern& pattern) {
    return std::string_view(pattern.name).substr(0, pattern.name.find('.'));
}

/// Returns whether all calls of a match are given to the backend that its name begins with.
bool whole_on_its_backend(const Overrides& overrides, const CompositePattern& pattern,
                          const std::vector<ExprId>& calls) {
    const std::string_view backend = backend_of_pattern(pattern);
    return std::all_of(calls.begin(), calls.end(), [&](ExprId call) {
        const auto found = overrides.find(call);
        return found != overrides.end() && found->second == backend;
    });
}

}  // namespace

template <class Run>
std::invoke_result_t<Run> Pipeline::step(const char* name, Run run) {
    if (options_.cancel.cancelled()) return error("cancelled");
    Stopwatch watch;
    auto made = run();
    if (made) result_.times.push_back({name, watch.milliseconds()});
    return made;
}

template <class Pass>
Status Pipeline::pass(const char* name, Pass pass) {
    Result<Module> made = step(name, [&] { return Result<Module>(pass(*current_)); });
    if (!made) return made.error();
    if (options_.cancel.cancelled()) return error("cancelled");
    if (verifying())
        if (Status sound = verify(*made, root_size_); !sound)
            return error(std::string("after the pass ") + name + ": " + sound.error().message);
    current_ = std::make_shared<const Module>(std::move(*made));
    return Nothing();
}

Status Pipeline::rewrite() {
    const bool folds = options_.simplify || options_.fold;
    // The last pass makes the module that the user sees.
    const auto made_root = [](Result<Module> module, bool is_last) {
        if (module && is_last) module->make_root();
        return module;
    };
    Status status = Nothing();
    if (options_.lower)
        status = pass("lower",
                      [&](const Module& module) { return made_root(lower_whole_operators(module, log()), !folds); });
    if (status && options_.simplify)
        status = pass("simplify", [&](const Module& module) { return simplify_inference(module, log()); });
    if (status && folds)
        status = pass("fold", [&](const Module& module) {
            return made_root(fold_constants(module, size_t(1) << 30, log()), true);
        });
    if (!status) return status;
    result_.set_stage("simplified", current_);
    return Nothing();
}

Status Pipeline::merge_composites(const MatchFilter& keeps) {
    std::vector<CompositePattern> patterns;
    for (const BackendDescription& backend : options_.backends)
        patterns.insert(patterns.end(), backend.patterns.begin(), backend.patterns.end());
    if (patterns.empty()) return Nothing();
    Status merged = pass("composite", [&](const Module& module) {
        return merge_composite(module, patterns, log(), options_.cancel, keeps);
    });
    if (merged) result_.set_stage("composite", current_);
    return merged;
}

Status Pipeline::place() {
    Status placed = step("place", [&]() -> Status {
        result_.placement =
            prepared_ ? prepared_->placer->place(options_.overrides, log())
                      : partita::place(*current_, options_.backends, options_.overrides, log(), options_.cancel);
        if (options_.by_cost) result_.log.replace(DecisionKind::Overridden, DecisionKind::ByCost);
        drop_calls();
        return Nothing();
    });
    if (!placed) return placed;
    if (verifying())
        if (Status sound = verify_placement(result_.placement, *current_); !sound) return sound;
    note_placement();
    return Nothing();
}

Status Pipeline::annotate() {
    if (Status placed = place(); !placed) return placed;
    groups_ = options_.region_groups;
    groups_.insert(result_.placement.groups.begin(), result_.placement.groups.end());
    grouped_ = !groups_.empty();
    const Placement placement =
        grouped_ ? with_region_groups(*current_, result_.placement, groups_) : result_.placement;
    Status status = pass("annotate", [&](const Module& module) {
        return annotate_target(module, placement, options_.annotate_options, log());
    });
    if (status)
        result_.set_stage("annotated",
                          grouped_ ? std::make_shared<const Module>(without_region_groups(*current_)) : current_);
    return status;
}

/// Drops the groups: from here on the marks between regions keep them apart.
void Pipeline::forget_groups() {
    if (!grouped_) return;
    current_ = std::make_shared<const Module>(without_region_groups(*current_));
    grouped_ = false;
}

Status Pipeline::merge() {
    const size_t before = result_.log.decisions().size();
    const bool grouped = grouped_;
    MergeLimits limits;
    std::set<int> groups{0};
    for (const auto& [_, group] : groups_) groups.insert(group);
    for (const BackendDescription& backend : options_.backends)
        for (int group : groups)
            limits.of_compilers.push_back({backend_of_group(backend.name, group), int(backend.limits.max_inputs),
                                           int(backend.limits.max_outputs), backend.limits.max_weight_bytes,
                                           backend.limits.max_live_bytes});
    const auto limits_weights = [](const BackendDescription& backend) {
        return backend.limits.max_weight_bytes > 0 || backend.limits.max_live_bytes > 0;
    };
    if (std::any_of(options_.backends.begin(), options_.backends.end(), limits_weights))
        limits.weights = Weights(*result_.input).parameters();
    Status status = pass("merge", [&](const Module& module) { return merge_compiler_regions(module, log(), limits); });
    if (!status) return status;
    forget_groups();
    result_.set_stage("merged", current_);
    if (!grouped || !options_.log_decisions) return status;
    partita::forget_groups(result_.log, before);
    return status;
}

/// Moves the calls of regions outside the limits back to default; a composite moves as a whole.
void Pipeline::drop_calls() {
    if (dropped_.empty()) return;
    const Module& module = *current_;
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId origin = module.origin(ExprId(i));
        if (!origin.valid() || !dropped_.count(origin)) continue;
        if (module.kind(ExprId(i)) == ExprKind::Call) {
            result_.placement.backend_of[i] = Placement::kDefault;
            continue;
        }
        result_.placement.kept_out.resize(module.size());
        result_.placement.kept_out[i] = true;
    }
    if (!options_.log_decisions) return;
    std::map<ExprId, Dropped> in_order(dropped_.begin(), dropped_.end());
    for (const auto& [call, dropped] : in_order) {
        Decision decision{};
        decision.pass = PassKind::Place;
        decision.kind = DecisionKind::SizeLimit;
        decision.subject = call;
        decision.backend = dropped.backend;
        decision.rule = dropped.outside.limits;
        decision.detail = dropped.outside.why;
        result_.log.add(std::move(decision));
    }
}

PartitionOptions Pipeline::partition_options() const {
    PartitionOptions options = options_.partition_options;
    for (const BackendDescription& backend : options_.backends)
        if (!backend.transparent.empty()) options.transparent[backend.name] = backend.transparent;
    return options;
}

Status Pipeline::partition() {
    Status done =
        pass("partition", [&](const Module& module) { return partition_graph(module, partition_options(), log()); });
    result_.partitioned = done ? current_ : nullptr;
    return done;
}

/// Runs the passes that backends request for their own sub-functions.
Status Pipeline::optimize_regions() {
    for (const BackendDescription& backend : options_.backends) {
        if (backend.optimize.empty()) continue;
        Status status = pass("optimize", [&](const Module& module) {
            return fold_constants_for(module, backend.name, size_t(1) << 30, log());
        });
        if (!status) return status;
        result_.partitioned = current_;
    }
    return Nothing();
}

/// Maps the placement of calls back to expressions of the input; the content of a composite follows its call.
void Pipeline::note_placement() {
    std::vector<CallOrigin> made;
    if (!prepared_) made = list_origins(*current_);
    for (const CallOrigin& origin : prepared_ ? prepared_->origins : made) {
        int16_t backend = result_.placement.backend_of[origin.call.value];
        if (backend >= 0 || !origin.of_composite) result_.backend_of[origin.origin.value] = backend;
    }
}

/// Returns whether the input itself has all the regions.
bool Pipeline::adds_nothing() const {
    if (!carries_regions(*result_.input)) return false;
    if (!options_.annotate) return !has_annotations(*result_.input);
    return options_.overrides.empty() &&
           std::none_of(options_.backends.begin(), options_.backends.end(),
                        [](const BackendDescription& backend) { return backend.has_rules(); });
}

Status Pipeline::prepare_module() {
    if (options_.rewrites())
        if (Status status = rewrite(); !status) return status;
    result_.input = current_;
    root_size_ = current_->size();
    if (!options_.annotate || !options_.composite || !goes_to(FlowStage::Composite) || by_table()) return Nothing();
    if (!options_.by_cost) return merge_composites({});
    return merge_composites([this](const CompositePattern& pattern, const std::vector<ExprId>& calls) {
        return whole_on_its_backend(options_.overrides, pattern, calls);
    });
}

/// Divides by a partitioner of the table. It sees the module without composites: a match becomes one if it lies in one
/// region of its backend.
Status Pipeline::divide_by_table() {
    std::optional<PartitionedGraph> made;
    Status divided = step("divide", [&]() -> Status {
        Result<PartitionedGraph> result = partition_by_table(current_, options_, dropped_);
        if (!result) return result.error();
        made = std::move(*result);
        return Nothing();
    });
    if (!divided) return divided;
    result_.warnings = warnings_of(*made);
    const auto in_one_region = [&](const CompositePattern& pattern, const std::vector<ExprId>& calls) {
        const int32_t region = made->region_of[calls.front().value];
        return region >= 0 && backend_of_pattern(pattern) == made->backends[size_t(region)] &&
               std::all_of(calls.begin(), calls.end(),
                           [&](ExprId call) { return made->region_of[call.value] == region; });
    };
    if (options_.composite)
        if (Status matched = merge_composites(in_one_region); !matched) return matched;
    if (options_.log_decisions) log_matches(*made, *result_.input, result_.log);
    if (Status placed = place(); !placed) return placed;
    if (options_.log_decisions) log_division(*made, *result_.input, result_.log);
    result_.partitioner = options_.as_reported() ? "report" : options_.partitioner.name;
    result_.reported = options_.reported;
    result_.relax = made->division.relax;
    result_.backend_of = made->backend_of;
    if (!goes_to(FlowStage::Partition)) return Nothing();
    const RegionsToOutline regions{made->region_of, made->backends};
    if (Status outlined =
            pass("partition",
                 [&](const Module& module) { return outline_regions(module, regions, partition_options(), log()); });
        !outlined)
        return outlined;
    result_.partitioned = current_;
    return collect();
}

void Pipeline::take_prepared() {
    result_.stages = prepared_->stages;
    result_.log = prepared_->log;
    result_.times = prepared_->times;
    const ModulePtr rewritten = result_.stage("simplified");
    result_.input = rewritten ? rewritten : current_;
    root_size_ = result_.input->size();
    current_ = prepared_->placer->module();
}

Result<PreparedFlow> Pipeline::prepare() {
    if (Status status = prepare_module(); !status) return status.error();
    PreparedFlow prepared;
    prepared.stages = result_.stages;
    prepared.log = std::move(result_.log);
    prepared.times = std::move(result_.times);
    prepared.placer = std::make_unique<const Placer>(current_, options_.backends, options_.cancel);
    if (options_.cancel.cancelled()) return error("cancelled");  // calls that no rule was asked about are on default
    prepared.origins = list_origins(*current_);
    return prepared;
}

/// Partitions the module and collects the regions.
Status Pipeline::divide() {
    forget_groups();
    if (Status status = partition(); !status) return status;
    return collect();
}

/// Collects the regions of the partitioned module.
Status Pipeline::collect() {
    collect_regions(result_, options_);
    const auto has_transparent = [](const BackendDescription& backend) { return !backend.transparent.empty(); };
    if (std::any_of(options_.backends.begin(), options_.backends.end(), has_transparent))
        collect_transparent_calls(result_, options_);
    return optimize_regions();
}

Result<FlowResult> Pipeline::run() {
    if (prepared_) take_prepared();
    else if (Status status = prepare_module(); !status) return status.error();
    result_.backend_of.assign(result_.input->size(), Placement::kDefault);
    result_.region_of.assign(result_.input->size(), -1);
    result_.annotated_before = !options_.annotate;
    // The program of a file that nothing changes; Relay's passes know none.
    if (options_.graph && options_.graph->relax && !options_.rewrites() &&
        (!goes_to(FlowStage::Composite) || adds_nothing()))
        result_.relax = {options_.graph->relax, &options_.graph->relax->program};
    if (adds_nothing()) {
        if (!goes_to(FlowStage::Partition)) return std::move(result_);
        result_.partitioned = current_;
        collect_regions(result_, options_);
        return std::move(result_);
    }
    if (by_table() && goes_to(FlowStage::Annotate)) {
        if (Status status = divide_by_table(); !status) return status.error();
        return std::move(result_);
    }
    if (options_.annotate && goes_to(FlowStage::Annotate))
        if (Status status = annotate(); !status) return status.error();
    if (options_.merge && goes_to(FlowStage::Merge))
        if (Status status = merge(); !status) return status.error();
    if (goes_to(FlowStage::Partition))
        if (Status status = divide(); !status) return status.error();
    return std::move(result_);
}

Result<FlowResult> run_within_limits(ModulePtr module, const FlowOptions& options, const PreparedFlow* prepared) {
    if (options.backends.size() > kMostBackends || backends_of_module(*module).size() > kMostBackends)
        return error("there are more than " + std::to_string(kMostBackends) + " backends");
    DroppedCalls dropped;
    if (options.annotate && has_limits(options)) {
        FlowOptions trial = options;
        trial.until = FlowStage::Partition;
        trial.log_decisions = false;
        for (size_t more = 1; more;) {
            Result<FlowResult> result = Pipeline(module, trial, dropped, prepared).run();
            if (!result) return result;
            more = note_outside_limits(*result, options, dropped);
        }
    }
    return Pipeline(std::move(module), options, dropped, prepared).run();
}

}  // namespace partita
