#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/passes/fold_constants.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/merge_composite.h"
#include "engine/passes/op_builder.h"
#include "engine/passes/simplify_inference.h"
#include "engine/runtime/lanes.h"
#include "engine/session/flow_memory.h"
#include "engine/session/names.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

/// An expression of the input that goes where a call of the module goes that is placed.
struct CallOrigin {
    ExprId call;
    ExprId origin;
    bool of_composite;  ///< the origin is inside of the composite that is called: known if the call is offloaded
};

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

}  // namespace

struct FlowMemory::Prepared {
    ModulePtr module;
    FlowOptions options;  ///< that it was made with; those that make no difference to it are left out
    ModulePtr simplified, composite;
    DecisionLog log;  ///< of these two
    std::vector<PassTime> times;
    std::unique_ptr<const Placer> placer;
    std::vector<CallOrigin> origins;

    bool fits(const ModulePtr& other, const FlowOptions& wanted) const;
};

namespace {

struct OutsideLimits {
    Sentence why;        ///< "" for what is within them
    std::string limits;  ///< which: "min_ops, max_inputs"
};

/// Calls of the input whose regions were outside their backend's limits, and why. Of a region without calls, its tuples
/// and projections.
struct Dropped {
    int backend = -1;
    OutsideLimits outside;
};
using DroppedCalls = std::unordered_map<ExprId, Dropped>;

/// Runs the passes one after the other; each is named, timed, and can be the last or be cancelled.
class Flow {
public:
    /// `prepared` may be null; else it fits the module and the options.
    Flow(ModulePtr module, const FlowOptions& options, const DroppedCalls& dropped, const FlowMemory::Prepared* prepared)
        : options_(options), dropped_(dropped), prepared_(prepared), current_(std::move(module)) {}

    Result<FlowResult> run();
    /// Only what does not depend on overrides.
    Result<FlowMemory::Prepared> prepare();

private:
    /// Runs `pass` on the current module and makes its result the current one.
    template <class Pass>
    Status step(const char* name, ModulePtr& slot, Pass pass);
    Status prepare_module();
    void take_prepared();
    Status simplify();
    Status merge_composites();
    Status annotate();
    Status partition();
    Status optimize_regions();
    DecisionLog* log() { return options_.log_decisions ? &result_.log : nullptr; }
    bool goes_to(FlowStage stage) const { return int(options_.until) >= int(stage); }

    Status merge();
    void forget_groups(ModulePtr& slot);
    void drop_calls();
    void note_placement();
    void collect_regions();
    void collect_transparent_calls();
    void collect_carried();
    bool adds_nothing() const;
    void collect_region(const Module& module, ExprId function, std::string name, std::vector<uint8_t>& seen);

    const FlowOptions& options_;
    const DroppedCalls& dropped_;
    const FlowMemory::Prepared* prepared_;
    ModulePtr current_;
    FlowResult result_;
    std::vector<ExprId> stack_;  ///< of collect_region; empty between two
    bool grouped_ = false;  ///< the current module's marks name groups of regions
};

template <class Pass>
Status Flow::step(const char* name, ModulePtr& slot, Pass pass) {
    if (options_.cancel.cancelled()) return error("cancelled");
    auto start = std::chrono::steady_clock::now();
    Result<Module> made = pass(*current_);
    if (!made) return made.error();
    result_.times.push_back({name, milliseconds_since(start)});
    slot = current_ = std::make_shared<const Module>(std::move(*made));
    return Nothing();
}

Status Flow::simplify() {
    ModulePtr simplified;
    Status status =
        step("simplify", simplified, [&](const Module& module) { return simplify_inference(module, log()); });
    if (!status) return status;
    status = step("fold", simplified, [&](const Module& module) {
        Result<Module> folded = fold_constants(module, size_t(1) << 30, log());
        if (folded) folded->make_root();
        return folded;
    });
    if (!status) return status;
    result_.simplified = simplified;
    return Nothing();
}

Status Flow::merge_composites() {
    std::vector<CompositePattern> patterns;
    for (const BackendDescription& backend : options_.backends)
        patterns.insert(patterns.end(), backend.patterns.begin(), backend.patterns.end());
    if (patterns.empty()) return Nothing();
    return step("composite", result_.composite,
                [&](const Module& module) { return merge_composite(module, patterns, log()); });
}

Status Flow::annotate() {
    auto start = std::chrono::steady_clock::now();
    result_.placement = prepared_ ? prepared_->placer->place(options_.overrides, log())
                                  : place(*current_, options_.backends, options_.overrides, log());
    drop_calls();
    result_.times.push_back({"place", milliseconds_since(start)});
    note_placement();
    grouped_ = !options_.region_groups.empty();
    const Placement placement =
        grouped_ ? with_region_groups(*current_, result_.placement, options_.region_groups) : result_.placement;
    Status status = step("annotate", result_.annotated, [&](const Module& module) {
        return annotate_target(module, placement, options_.annotate_options, log());
    });
    if (status && grouped_) result_.annotated = std::make_shared<const Module>(without_region_groups(*current_));
    return status;
}

/// From here on the marks between regions keep groups apart.
void Flow::forget_groups(ModulePtr& slot) {
    if (!grouped_) return;
    slot = current_ = std::make_shared<const Module>(without_region_groups(*current_));
    grouped_ = false;
}

Status Flow::merge() {
    const size_t before = result_.log.decisions().size();
    const bool grouped = grouped_;
    std::vector<RegionLimit> limits;
    std::set<int> groups{0};
    for (const auto& [_, group] : options_.region_groups) groups.insert(group);
    for (const BackendDescription& backend : options_.backends)
        for (int group : groups)
            limits.push_back({backend_of_group(backend.name, group), backend.limits.max_inputs, backend.limits.max_outputs});
    Status status =
        step("merge", result_.merged, [&](const Module& module) { return merge_compiler_regions(module, log(), limits); });
    if (!status) return status;
    forget_groups(result_.merged);
    if (!grouped || !options_.log_decisions) return status;
    explain_region_groups(result_.log, before, result_.backend_of);
    return status;
}

/// Puts what was in regions outside the limits back to default; a composite goes as a whole.
void Flow::drop_calls() {
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

Status Flow::partition() {
    PartitionOptions options = options_.partition_options;
    for (const BackendDescription& backend : options_.backends)
        if (!backend.transparent.empty()) options.transparent[backend.name] = backend.transparent;
    return step("partition", result_.partitioned,
                [&](const Module& module) { return partition_graph(module, options, log()); });
}

/// The passes that backends want for their own sub-functions.
Status Flow::optimize_regions() {
    for (const BackendDescription& backend : options_.backends) {
        if (backend.optimize.empty()) continue;
        Status status = step("optimize", result_.partitioned, [&](const Module& module) {
            return fold_constants_for(module, backend.name, size_t(1) << 30, log());
        });
        if (!status) return status;
    }
    return Nothing();
}

/// Carries the placement of calls back to the input's expressions; what a composite holds goes with its call.
void Flow::note_placement() {
    std::vector<CallOrigin> made;
    if (!prepared_) made = list_origins(*current_);
    for (const CallOrigin& origin : prepared_ ? prepared_->origins : made) {
        int16_t backend = result_.placement.backend_of[origin.call.value];
        if (backend >= 0 || !origin.of_composite) result_.backend_of[origin.origin.value] = backend;
    }
}

void Flow::collect_region(const Module& module, ExprId function, std::string name, std::vector<uint8_t>& seen) {
    const FunctionInfo& info = module.function_info(function);
    const TypeTable& types = module.types();
    RegionInfo region;
    region.backend_name = info.string_attribute("Compiler");
    region.function = std::move(name);
    for (size_t i = 0; i < options_.backends.size(); ++i)
        if (options_.backends[i].name == region.backend_name) region.backend = int(i);
    region.inputs = int(module.parameters(function).size());
    region.outputs = tensor_count(types, module.type(module.body(function)));
    for (ExprId parameter : module.parameters(function))
        region.boundary_bytes += type_bytes(types, module.type(parameter));
    region.boundary_bytes += type_bytes(types, module.type(module.body(function)));
    stack_.push_back(module.body(function));
    while (!stack_.empty()) {
        ExprId id = stack_.back();
        stack_.pop_back();
        if (seen[id.value]) continue;
        seen[id.value] = true;
        for (ExprId operand : module.operands(id))
            if (!seen[operand.value]) stack_.push_back(operand);
        region.flops += call_flops(module, id);
        ExprKind kind = module.kind(id);
        ExprId origin = module.origin(id);
        if ((kind != ExprKind::Call && kind != ExprKind::Tuple && kind != ExprKind::Projection) || !origin.valid())
            continue;
        if (result_.region_of[origin.value] >= 0) continue;
        result_.region_of[origin.value] = int32_t(result_.regions.size());
        result_.backend_of[origin.value] = int16_t(region.backend);
        region.expressions.push_back(origin);
    }
    result_.regions.push_back(std::move(region));
}

/// Calls that vanished from a region's function, because its backend computes nothing for them, stand in the region all
/// the same: with what they take their value from or, where that is outside, with what uses theirs.
void Flow::collect_transparent_calls() {
    const Module& input = *result_.input;
    const auto vanished = [&](ExprId id) {
        const OpRecord* op = called_op_record(input, id);
        const int16_t backend = result_.backend_of[id.value];
        return op && backend >= 0 && result_.region_of[id.value] < 0 &&
               options_.backends[size_t(backend)].is_transparent(op->name);
    };
    const auto join = [&](ExprId call, ExprId neighbour) {
        const int32_t region = result_.region_of[neighbour.value];
        if (region < 0 || result_.regions[size_t(region)].backend != result_.backend_of[call.value]) return;
        result_.region_of[call.value] = region;
        result_.regions[size_t(region)].expressions.push_back(call);
    };
    for (uint32_t i = 0; i < input.size(); ++i)
        if (ExprId id(i); vanished(id) && !input.arguments(id).empty()) join(id, input.arguments(id)[0]);
    for (uint32_t i = input.size(); i-- > 0;)
        for (ExprId operand : input.operands(ExprId(i)))
            if (vanished(operand)) join(operand, ExprId(i));
}

/// Whether all regions are those that the input carries.
bool Flow::adds_nothing() const {
    if (!carries_regions(*result_.input)) return false;
    if (!options_.annotate) return !has_annotations(*result_.input);
    return options_.overrides.empty() && std::all_of(options_.backends.begin(), options_.backends.end(), [](const BackendDescription& backend) {
        return backend.ops.empty() && backend.patterns.empty() && !backend.whole_graph;
    });
}

/// Regions that were functions in the input already: what is inside of them, and the calls of them.
void Flow::collect_carried() {
    const Module& input = *result_.input;
    if (!carries_regions(input)) return;
    std::unordered_map<std::string_view, int32_t> region_named;
    for (size_t i = 0; i < result_.regions.size(); ++i) region_named.emplace(result_.regions[i].function, int32_t(i));
    const Module& module = *result_.partitioned;
    result_.carried = opaque_expressions(input);
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId call(i), origin = module.origin(call);
        if (module.kind(call) != ExprKind::Call || !origin.valid() || module.kind(module.callee(call)) != ExprKind::GlobalVar) continue;
        const auto region = region_named.find(module.name(module.callee(call)));
        if (region == region_named.end()) continue;
        result_.region_of[origin.value] = region->second;
        result_.backend_of[origin.value] = int16_t(result_.regions[size_t(region->second)].backend);
        result_.carried[origin.value] = true;
    }
}

void Flow::collect_regions() {
    const Module& module = *result_.partitioned;
    std::vector<uint8_t> seen(module.size());
    result_.regions.reserve(module.functions().size());
    for (const GlobalFunction& global : functions_in_natural_order(module)) {
        if (module.function_info(global.function).attribute("Compiler"))
            collect_region(module, global.function, std::string(module.names().text(global.name)), seen);
    }
    if (options_.partition_options.style == PartitionStyle::Global && !carries_regions(*result_.input)) return;
    std::vector<bool> is_global(module.size());
    for (const GlobalFunction& global : module.functions()) is_global[global.function.value] = true;
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId id(i);
        if (module.kind(id) != ExprKind::Function || is_global[i] || !module.function_info(id).attribute("Compiler")) continue;
        collect_region(module, id, std::string(module.function_info(id).string_attribute("ExternalSymbol")), seen);
    }
}

Status Flow::prepare_module() {
    if (options_.simplify)
        if (Status status = simplify(); !status) return status;
    result_.input = current_;
    if (!options_.annotate || !options_.composite || !goes_to(FlowStage::Composite)) return Nothing();
    return merge_composites();
}

void Flow::take_prepared() {
    result_.simplified = prepared_->simplified;
    result_.composite = prepared_->composite;
    result_.log = prepared_->log;
    result_.times = prepared_->times;
    result_.input = prepared_->simplified ? prepared_->simplified : current_;
    current_ = prepared_->placer->module();
}

Result<FlowMemory::Prepared> Flow::prepare() {
    if (Status status = prepare_module(); !status) return status.error();
    FlowMemory::Prepared prepared;
    prepared.simplified = result_.simplified;
    prepared.composite = result_.composite;
    prepared.log = std::move(result_.log);
    prepared.times = std::move(result_.times);
    prepared.placer = std::make_unique<const Placer>(current_, options_.backends);
    prepared.origins = list_origins(*current_);
    return prepared;
}

Result<FlowResult> Flow::run() {
    if (prepared_) take_prepared();
    else if (Status status = prepare_module(); !status) return status.error();
    result_.backend_of.assign(result_.input->size(), Placement::kDefault);
    result_.region_of.assign(result_.input->size(), -1);
    result_.annotated_before = !options_.annotate;
    if (adds_nothing()) {
        if (!goes_to(FlowStage::Partition)) return std::move(result_);
        result_.partitioned = current_;
        collect_regions();
        collect_carried();
        return std::move(result_);
    }
    if (options_.annotate && goes_to(FlowStage::Annotate))
        if (Status status = annotate(); !status) return status.error();
    if (options_.merge && goes_to(FlowStage::Merge)) {
        if (Status status = merge(); !status) return status.error();
    }
    if (goes_to(FlowStage::Partition)) {
        ModulePtr unnamed;
        forget_groups(unnamed);
        if (Status status = partition(); !status) return status.error();
        collect_regions();
        collect_carried();
        const auto has_transparent = [](const BackendDescription& backend) { return !backend.transparent.empty(); };
        if (std::any_of(options_.backends.begin(), options_.backends.end(), has_transparent)) collect_transparent_calls();
        if (Status status = optimize_regions(); !status) return status.error();
    }
    return std::move(result_);
}

}  // namespace

ModulePtr FlowResult::last() const {
    for (const ModulePtr& stage : {partitioned, merged, annotated, composite, simplified})
        if (stage) return stage;
    return input;
}

namespace {

/// "has 3 inputs, at most 2 are allowed", where both, one or none of the numbers may be 1.
struct CountForms {
    const char* one_of_many;
    const char* many_of_one;
    const char* many_of_many;

    Sentence say(int count, int limit) const {
        if (count == 1) return {one_of_many, {std::to_string(limit)}};
        if (limit == 1) return {many_of_one, {std::to_string(count)}};
        return {many_of_many, {std::to_string(count), std::to_string(limit)}};
    }
};
constexpr CountForms kTooFewCalls{SENTENCE("Engine", "has 1 call, at least %1 are wanted"),
                                  SENTENCE("Engine", "has %1 calls, at least 1 is wanted"),
                                  SENTENCE("Engine", "has %1 calls, at least %2 are wanted")};
constexpr CountForms kTooManyInputs{"", SENTENCE("Engine", "has %1 inputs, at most 1 is allowed"),
                                    SENTENCE("Engine", "has %1 inputs, at most %2 are allowed")};
constexpr CountForms kTooManyOutputs{"", SENTENCE("Engine", "has %1 outputs, at most 1 is allowed"),
                                     SENTENCE("Engine", "has %1 outputs, at most %2 are allowed")};

/// All that is wrong with a region's size.
OutsideLimits outside_limits(const RegionInfo& region, int calls, const RegionLimits& limits) {
    constexpr const char* kForms[] = {"", SENTENCE("Engine", "its region %1"), SENTENCE("Engine", "its region %1, and %2"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3"),
                                      SENTENCE("Engine", "its region %1, and %2, and %3, and %4")};
    std::vector<SentenceValue> faults;
    OutsideLimits outside;
    const auto add = [&](const char* limit, Sentence fault) {
        faults.push_back(std::move(fault));
        outside.limits += (outside.limits.empty() ? "" : ", ") + std::string(limit);
    };
    if (calls < limits.min_ops) add("min_ops", kTooFewCalls.say(calls, limits.min_ops));
    if (region.flops < limits.min_flops)
        add("min_flops", {SENTENCE("Engine", "takes %1 operations, at least %2 are wanted"),
                          {std::to_string(int64_t(region.flops)), std::to_string(int64_t(limits.min_flops))}});
    if (limits.max_inputs && region.inputs > limits.max_inputs)
        add("max_inputs", kTooManyInputs.say(region.inputs, limits.max_inputs));
    if (limits.max_outputs && region.outputs > limits.max_outputs)
        add("max_outputs", kTooManyOutputs.say(region.outputs, limits.max_outputs));
    outside.why = {kForms[faults.size()], std::move(faults)};
    return outside;
}

bool has_limits(const FlowOptions& options) {
    for (const BackendDescription& backend : options.backends) {
        const RegionLimits& limits = backend.limits;
        if (limits.min_ops > 0 || limits.min_flops > 0 || limits.max_inputs > 0 || limits.max_outputs > 0) return true;
    }
    return false;
}

/// Where a region holds a tuple alone, the partition takes it apart: each field is a sub-function that hands on its
/// parameter. The tuples of the input that use such a one, by its name.
std::unordered_map<std::string, std::vector<ExprId>> tuples_behind_functions(const FlowResult& flow) {
    std::unordered_map<std::string, std::vector<ExprId>> tuples;
    const Module& module = *flow.partitioned;
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId tuple(i), origin = module.origin(tuple);
        if (module.kind(tuple) != ExprKind::Tuple || !origin.valid()) continue;
        for (ExprId field : module.operands(tuple)) {
            if (module.kind(field) == ExprKind::Projection) field = module.operands(field)[0];
            if (module.kind(field) != ExprKind::Call) continue;
            const ExprId callee = module.callee(field);
            if (module.kind(callee) == ExprKind::GlobalVar) tuples[std::string(module.name(callee))].push_back(origin);
            if (module.kind(callee) == ExprKind::Function)
                tuples[std::string(module.function_info(callee).string_attribute("ExternalSymbol"))].push_back(origin);
        }
    }
    return tuples;
}

/// Adds the calls of regions outside their limits, or all that is in one without calls; returns how many.
size_t note_outside_limits(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped) {
    size_t before = dropped.size();
    std::optional<std::unordered_map<std::string, std::vector<ExprId>>> tuples;
    for (const RegionInfo& region : flow.regions) {
        if (region.backend < 0) continue;
        std::vector<ExprId> calls;
        bool by_hand = false;  // what a person put there stays, and what the file carries
        for (ExprId id : region.expressions) {
            if (flow.input->kind(id) == ExprKind::Call) calls.push_back(id);
            by_hand |= options.overrides.count(id) > 0 || (!flow.carried.empty() && flow.carried[id.value]);
        }
        if (by_hand) continue;
        const OutsideLimits outside = outside_limits(region, int(calls.size()), options.backends[size_t(region.backend)].limits);
        if (outside.why.empty()) continue;
        std::vector<ExprId> held = std::move(calls);
        if (held.empty()) held = region.expressions;
        if (held.empty()) {
            if (!tuples) tuples = tuples_behind_functions(flow);
            held = (*tuples)[region.function];
        }
        for (ExprId id : held) dropped.emplace(id, Dropped{region.backend, outside});
    }
    return dropped.size() - before;
}

/// Dropping a region changes what its neighbours merge with, so the flow is tried until every region is within its
/// limits; each round drops at least one call, in practice one or two rounds do.
Result<FlowResult> run_within_limits(ModulePtr module, const FlowOptions& options, const FlowMemory::Prepared* prepared) {
    if (options.backends.size() > kMostBackends || backends_of_module(*module).size() > kMostBackends)
        return error("there are more than " + std::to_string(kMostBackends) + " backends");
    DroppedCalls dropped;
    if (options.annotate && has_limits(options)) {
        FlowOptions trial = options;
        trial.until = FlowStage::Partition;
        trial.log_decisions = false;
        for (size_t more = 1; more;) {
            Result<FlowResult> result = Flow(module, trial, dropped, prepared).run();
            if (!result) return result;
            more = note_outside_limits(*result, options, dropped);
        }
    }
    return Flow(std::move(module), options, dropped, prepared).run();
}

bool same_rules(const OpRule& a, const OpRule& b) { return a.rule == b.rule && a.text == b.text; }

bool same_rules(const CompositePattern& a, const CompositePattern& b) {
    return a.name == b.name && a.pattern == b.pattern && a.check == b.check && a.transparent == b.transparent;
}

/// Rules and patterns are compared by identity: copies of a description share them.
bool same_rules(const BackendDescription& a, const BackendDescription& b) {
    return a.name == b.name && a.whole_graph == b.whole_graph && a.transparent == b.transparent &&
           a.ops.size() == b.ops.size() &&
           std::all_of(a.ops.begin(), a.ops.end(),
                       [&](const auto& entry) {
                           auto found = b.ops.find(entry.first);
                           return found != b.ops.end() && same_rules(entry.second, found->second);
                       }) &&
           std::equal(a.patterns.begin(), a.patterns.end(), b.patterns.begin(), b.patterns.end(),
                      [](const CompositePattern& x, const CompositePattern& y) { return same_rules(x, y); });
}

}  // namespace

bool FlowMemory::Prepared::fits(const ModulePtr& other, const FlowOptions& wanted) const {
    return other == module && wanted.simplify == options.simplify && wanted.composite == options.composite &&
           wanted.log_decisions == options.log_decisions &&
           std::equal(wanted.backends.begin(), wanted.backends.end(), options.backends.begin(), options.backends.end(),
                      [](const BackendDescription& a, const BackendDescription& b) { return same_rules(a, b); });
}

std::shared_ptr<const FlowMemory::Prepared> FlowMemory::find(const ModulePtr& module, const FlowOptions& options) {
    std::lock_guard lock(mutex_);
    return last_ && last_->fits(module, options) ? last_ : nullptr;
}

Result<FlowResult> FlowMemory::run(ModulePtr module, const FlowOptions& options) {
    if (!options.annotate || int(options.until) < int(FlowStage::Annotate)) return run_flow(std::move(module), options);
    std::shared_ptr<const Prepared> prepared = find(module, options);
    if (!prepared) {
        DroppedCalls none;
        Result<Prepared> made = Flow(module, options, none, nullptr).prepare();
        if (!made) return made.error();
        made->module = module;
        made->options = options;
        made->options.overrides.clear();
        made->options.region_groups.clear();
        made->options.cancel = CancelToken();
        prepared = std::make_shared<const Prepared>(std::move(*made));
        std::lock_guard lock(mutex_);
        last_ = prepared;
    }
    return run_within_limits(std::move(module), options, prepared.get());
}

Result<FlowResult> run_flow(ModulePtr module, const FlowOptions& options) {
    return run_within_limits(std::move(module), options, nullptr);
}

namespace {

/// Regions run side by side where that is asked for and can pay.
Result<RunReport> run_in_worthwhile_lanes(ModulePtr module, RunOptions options) {
    if (options.parallel_regions && module) options.parallel_regions = pays_side_by_side(*module);
    return run_module(std::move(module), options);
}

}  // namespace

Result<RunReport> run_partitioned(ModulePtr partitioned, const RunOptions& options) {
    return run_in_worthwhile_lanes(std::move(partitioned), options);
}

void number_operators(RunReport& report, const Module& started_from) {
    const ExpressionNames names(started_from);
    for (RegionTiming& region : report.regions)
        for (OpTiming& op : region.ops) op.number = names.number(op.origin);
}

Result<RunComparison> run_and_compare(ModulePtr partitioned, ModulePtr original, const RunOptions& options,
                                      double tolerance) {
    RunOptions same_inputs = options;
    same_inputs.inputs = make_inputs(*original, options.seed, options.inputs);
    Result<RunReport> report = run_in_worthwhile_lanes(std::move(partitioned), same_inputs);
    if (!report) return report.error();
    same_inputs.warmup = 0;
    same_inputs.repeat = 1;
    same_inputs.parallel_regions = false;
    same_inputs.all_on_default = true;  // the original may carry a partition
    Result<RunReport> reference = run_module(std::move(original), same_inputs);
    if (!reference) return reference.error();
    RunComparison comparison{std::move(*report), std::move(*reference)};
    comparison.report.differences = compare_outputs(comparison.report.outputs, comparison.reference.outputs, tolerance);
    return comparison;
}

}  // namespace partita
