#include "engine/flow/flow_memory.h"

#include <algorithm>

#include "engine/flow/pipeline.h"

namespace partita {

namespace {

bool same_rules(const OpRule& a, const OpRule& b) {
    return a.rule == b.rule && a.text == b.text && a.by_annotator == b.by_annotator;
}

bool same_rules(const CompositePattern& a, const CompositePattern& b) {
    return a.name == b.name && a.pattern == b.pattern && a.check == b.check && a.transparent == b.transparent &&
           a.annotator == b.annotator && a.annotator_check == b.annotator_check;
}

/// Returns whether two descriptions share rules and patterns. Copies share them, so identity suffices.
bool same_rules(const BackendDescription& a, const BackendDescription& b) {
    return a.name == b.name && a.running == b.running && a.whole_graph == b.whole_graph &&
           a.transparent == b.transparent && a.ops.size() == b.ops.size() &&
           std::all_of(a.ops.begin(), a.ops.end(),
                       [&](const auto& entry) {
                           auto found = b.ops.find(entry.first);
                           return found != b.ops.end() && same_rules(entry.second, found->second);
                       }) &&
           std::equal(a.patterns.begin(), a.patterns.end(), b.patterns.begin(), b.patterns.end(),
                      [](const CompositePattern& x, const CompositePattern& y) { return same_rules(x, y); });
}

bool fits(const PreparedFlow& made, const ModulePtr& module, const FlowOptions& wanted) {
    const FlowOptions& options = made.options;
    return module == made.module && wanted.lower == options.lower && wanted.simplify == options.simplify &&
           wanted.fold == options.fold && wanted.composite == options.composite &&
           wanted.log_decisions == options.log_decisions &&
           std::equal(wanted.backends.begin(), wanted.backends.end(), options.backends.begin(), options.backends.end(),
                      [](const BackendDescription& a, const BackendDescription& b) { return same_rules(a, b); });
}

}  // namespace

std::shared_ptr<const PreparedFlow> FlowMemory::find(const ModulePtr& module, const FlowOptions& options) {
    std::lock_guard lock(mutex_);
    return last_ && fits(*last_, module, options) ? last_ : nullptr;
}

Result<FlowResult> FlowMemory::run(ModulePtr module, const FlowOptions& options) {
    // With `by_cost` the matches depend on the overrides.
    if (!options.annotate || options.by_cost || !options.partitioner.is_own() || options.reported ||
        int(options.until) < int(FlowStage::Annotate))
        return run_flow(std::move(module), options);
    std::shared_ptr<const PreparedFlow> prepared = find(module, options);
    if (!prepared) {
        DroppedCalls none;
        Result<PreparedFlow> made = Pipeline(module, options, none, nullptr).prepare();
        if (!made) return made.error();
        made->module = module;
        made->options = options;
        made->options.overrides.clear();
        made->options.region_groups.clear();
        made->options.cancel = CancelToken();
        prepared = std::make_shared<const PreparedFlow>(std::move(*made));
        std::lock_guard lock(mutex_);
        last_ = prepared;
    }
    return run_within_limits(std::move(module), options, prepared.get());
}

}  // namespace partita
