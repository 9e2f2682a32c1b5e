// RegionMerger decides, as TVM does. Where its result would make regions depend on each other, or spread a region over
// functions (TVM then crashes in PartitionGraph, or computes something else), the regions of each cycle are split again
// and merged by AcyclicMerger; all others keep TVM's decision.
#include "engine/passes/merge_compiler_regions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/acyclic_merger.h"
#include "engine/passes/dependence_graph.h"
#include "engine/passes/refusal_path.h"
#include "engine/passes/region_classes.h"
#include "engine/passes/region_groups.h"
#include "engine/passes/region_merger.h"
#include "engine/passes/region_set.h"
#include "engine/passes/scopes.h"
#include "engine/support/large_memory.h"

namespace partita {

namespace {

class MergePass {
public:
    MergePass(const Module& module, DecisionLog* log, const MergeLimits& limits)
        : from_(module), log_(log), limits_(limits), reader_(module, names_) {}

    Result<Module> run();

private:
    Status decide(std::span<const ExprId> roots);
    void split_cycles(RegionMerger& merger, RegionSet::Unions as_annotated);
    void keep_unions_outside(const std::vector<bool>& cyclic, std::span<const int32_t> root_of);
    void merge_within_limits(std::span<const int32_t> regions_in_order);
    void log_first_round();
    void log_new(std::span<const MergeDecision> decisions);
    AcyclicMerger::Verdict verdict(const ScopeTable& scopes, RegionLimiter& limiter, int32_t producer, int32_t region);
    bool calls_region(int32_t region) const;
    void log_decisions(std::span<const MergeDecision> decisions);

    bool is_inside(ExprId begin) const;
    size_t find_inner_begins();
    Module rewrite();
    ExprId image(ExprId old, ModuleCopier& copier, Module& to) const;

    const Module& from_;
    DecisionLog* log_;
    const MergeLimits& limits_;
    CompilerNames names_;
    MarkReader reader_;
    std::vector<ExprId> order_;
    std::unique_ptr<RegionSet> regions_;
    std::vector<MergeDecision> decisions_;
    std::vector<uint8_t> inner_;  ///< by expression: a begin whose operand is an end of the same region
};

Status MergePass::decide(std::span<const ExprId> roots) {
    Result<RegionSet> built = RegionSet::build(MarkedModule(from_, reader_), roots, order_);
    if (!built) return built.error();
    regions_ = std::make_unique<RegionSet>(std::move(*built));
    RegionSet::Unions as_annotated = regions_->unions();
    RegionMerger merger(from_, *regions_, reader_, log_ ? &decisions_ : nullptr);
    RegionLimiter limiter(from_, *regions_, reader_, names_, order_, limits_);
    if (limiter.active()) merger.set_limits(&limiter);
    merger.run(order_);
    if (merger.merges() > 0) split_cycles(merger, std::move(as_annotated));
    if (limiter.active()) merge_within_limits(merger.finished());
    return Nothing();
}

AcyclicMerger::Verdict MergePass::verdict(const ScopeTable& scopes, RegionLimiter& limiter, int32_t producer,
                                          int32_t region) {
    if (scopes.place(representative(*regions_, reader_, producer)) !=
        scopes.place(representative(*regions_, reader_, region)))
        return {DecisionKind::WouldCloseCycle, {}};
    Sentence limit = limiter.active() ? limiter.refusal(producer, region) : Sentence();
    if (!limit.empty()) return {DecisionKind::MergeLimit, std::move(limit)};
    return {};
}

/// Merges regions that a limit kept apart and that fit after other merges, because some of their outputs became
/// internal. Repeats until nothing fits. TVM has no limits.
void MergePass::merge_within_limits(std::span<const int32_t> regions_in_order) {
    ScopeTable scopes(from_, order_);
    DependenceGraph graph(from_, *regions_, scopes, reader_, order_);
    RegionLimiter limiter(from_, *regions_, reader_, names_, order_, limits_);
    std::vector<std::vector<uint32_t>> whole(1);
    std::vector<bool> listed(graph.vertex_count());
    for (ExprId id : order_) {
        uint32_t vertex = graph.vertex_of(id);
        if (graph.is_transparent(id) || listed[vertex]) continue;
        listed[vertex] = true;
        whole[0].push_back(vertex);
    }
    std::vector<MergeDecision> made;
    AcyclicMerger again(*regions_, reader_, graph, order_, whole, &made);
    for (bool merged = true; merged;) {
        std::vector<int32_t> roots;
        for (int32_t region : regions_in_order)
            if (regions_->is_root(region) && limiter.limits(region)) roots.push_back(region);
        made.clear();
        again.run(roots, [&](int32_t producer, int32_t region) { return verdict(scopes, limiter, producer, region); });
        merged = std::any_of(made.begin(), made.end(),
                             [](const MergeDecision& decision) { return decision.kind == DecisionKind::Merged; });
        log_new(made);
    }
}

/// Logs merges, and limits that were not logged before.
void MergePass::log_new(std::span<const MergeDecision> decisions) {
    if (!log_) return;
    std::set<std::tuple<int32_t, int32_t, std::string>> known;
    for (const MergeDecision& old : decisions_)
        if (old.kind == DecisionKind::MergeLimit)
            known.emplace(regions_->find(old.producer), regions_->find(old.region), old.detail.text());
    for (const MergeDecision& decision : decisions) {
        bool is_limit = decision.kind == DecisionKind::MergeLimit;
        if (is_limit && !known.emplace(decision.producer, decision.region, decision.detail.text()).second) continue;
        if (is_limit || decision.kind == DecisionKind::Merged) decisions_.push_back(decision);
    }
}

void MergePass::split_cycles(RegionMerger& merger, RegionSet::Unions as_annotated) {
    ScopeTable scopes(from_, order_);
    DependenceGraph graph(from_, *regions_, scopes, reader_, order_);
    std::vector<std::vector<uint32_t>> cycles = graph.cycles(order_);
    std::vector<bool> cyclic(size_t(regions_->size()));
    for (const std::vector<uint32_t>& cycle : cycles)
        for (uint32_t vertex : cycle)
            if (graph.is_region(vertex)) cyclic[vertex] = true;
    for (uint32_t region : graph.scattered_regions()) {
        if (!cyclic[region]) cycles.push_back({region});
        cyclic[region] = true;
    }
    if (cycles.empty()) return;
    std::vector<int32_t> root_of(size_t(regions_->size()));
    for (int32_t region = 0; region < regions_->size(); ++region) root_of[size_t(region)] = regions_->find(region);
    if (log_) log_first_round();
    regions_->go_back_to(std::move(as_annotated));
    keep_unions_outside(cyclic, root_of);
    std::erase_if(decisions_, [&](const MergeDecision& decision) {
        return decision.kind != DecisionKind::DifferentBackend && cyclic[size_t(root_of[size_t(decision.region)])] &&
               cyclic[size_t(root_of[size_t(decision.producer)])];
    });
    AcyclicMerger mender(*regions_, reader_, graph, order_, cycles, log_ ? &decisions_ : nullptr);
    RegionLimiter limiter(from_, *regions_, reader_, names_, order_, limits_);
    mender.run(merger.finished(),
               [&](int32_t producer, int32_t region) { return verdict(scopes, limiter, producer, region); });
}

void MergePass::log_first_round() {
    FirstMergeRound round{regions_by_origin(from_, *regions_, reader_, order_), {}};
    for (int32_t region = 0; region < regions_->size(); ++region)
        round.on_default.push_back(regions_->compiler(region) == CompilerNames::kDefault);
    log_->set_first_merge_round(std::move(round));
}

/// Unites regions outside all cycles again as before; `root_of` is the former root of each.
void MergePass::keep_unions_outside(const std::vector<bool>& cyclic, std::span<const int32_t> root_of) {
    for (int32_t region = 0; region < regions_->size(); ++region) {
        int32_t root = root_of[size_t(region)];
        if (root == region || cyclic[size_t(root)] || !regions_->is_root(region)) continue;
        regions_->unite(region, root);
    }
}

/// Returns whether a region is represented by a call of a function that the file has divided already.
bool MergePass::calls_region(int32_t region) const {
    const ExprId id = representative(*regions_, reader_, region);
    if (from_.kind(id) != ExprKind::Call) return false;
    ExprId callee = from_.callee(id);
    if (from_.kind(callee) == ExprKind::GlobalVar) callee = from_.find_function(from_.name(callee));
    return callee.valid() && from_.kind(callee) == ExprKind::Function &&
           from_.function_info(callee).attribute("Compiler");
}

void MergePass::log_decisions(std::span<const MergeDecision> decisions) {
    if (!log_ || decisions.empty()) return;
    log_->expect(decisions.size());
    std::optional<RefusalPaths> paths;
    for (const MergeDecision& made : decisions) {
        Decision decision;
        decision.pass = PassKind::Merge;
        decision.kind = made.kind;
        decision.region = regions_->number(made.region);
        decision.other_region = regions_->number(made.producer);
        decision.subject = from_.origin(representative(*regions_, reader_, made.region));
        decision.other = from_.origin(representative(*regions_, reader_, made.producer));
        decision.rule = names_.name(regions_->compiler(made.region));
        decision.detail = made.detail;
        if (made.kind == DecisionKind::DifferentBackend)
            decision.detail = kept_apart(decision.rule, names_.name(regions_->compiler(made.producer)));
        if (made.kind == DecisionKind::DifferentBackend && (calls_region(made.region) || calls_region(made.producer)))
            decision.kind = DecisionKind::FromFile;
        if (made.kind == DecisionKind::WouldCloseCycle && made.path.empty())
            decision.detail = {SENTENCE("Engine", "the regions are in different functions or branches"), {}};
        if (!made.path.empty()) {
            if (!paths) paths.emplace(from_, *regions_, reader_, order_);
            std::vector<ExprId> stops{representative(*regions_, reader_, made.producer)};
            stops.insert(stops.end(), made.path.begin(), made.path.end());
            stops.push_back(representative(*regions_, reader_, made.region));
            paths->write(stops, decision);
        }
        log_->add(std::move(decision));
    }
}

/// Copies an end only if something uses it: many have no user once regions are merged.
ExprId MergePass::image(ExprId old, ModuleCopier& copier, Module& to) const {
    if (!copier.has(old)) {
        ExprId operands[] = {copier.image(from_.operands(old)[0]), copier.image(reader_.operand(old))};
        copier.set_image(old, to.add_like(from_, old, operands));
    }
    return copier.image(old);
}

bool MergePass::is_inside(ExprId begin) const {
    ExprId operand = reader_.operand(begin);
    return reader_.mark(operand) == Mark::End &&
           regions_->settled_region_of(operand) == regions_->settled_region_of(begin);
}

/// Returns the number of inner begins.
size_t MergePass::find_inner_begins() {
    fill_in_large_pages(inner_, from_.size());
    size_t count = 0;
    for (int32_t region = 0; region < regions_->size(); ++region) {
        bool inside = is_inside(regions_->begin(region));
        inner_[regions_->begin(region).value] = inside;
        count += inside;
    }
    return count;
}

Module MergePass::rewrite() {
    regions_->settle();
    size_t inner = find_inner_begins();
    Module to = Module::with_tables_of(from_);
    // Enough if each end has one user, as annotate_target makes them: a begin vanishes with its end.
    const Expr& last = from_[order_.back()];
    size_t most_operands = last.operands_begin + last.operand_count;
    to.reserve(order_.size() - 2 * inner + 2, most_operands - std::min(most_operands, 4 * inner));
    ModuleCopier copier(from_, to);
    for (const GlobalFunction& global : from_.functions())
        if (is_opaque_function(from_, global.function)) copier.copy_all(global.function);
    std::vector<ExprId> operands;
    for (ExprId id : order_) {
        if (copier.has(id)) continue;
        Mark mark = reader_.mark(id);
        if (mark == Mark::End) continue;
        if (inner_[id.value]) {
            copier.set_image(id, image(reader_.operand(reader_.operand(id)), copier, to));
            continue;
        }
        operands.clear();
        for (ExprId operand : from_.operands(id)) operands.push_back(image(operand, copier, to));
        copier.set_image(id, to.add_like(from_, id, operands));
    }
    for (const GlobalFunction& global : from_.functions())
        to.set_function(from_.names().text(global.name), copier.image(global.function));
    to.set_typed(from_.typed());
    return to;
}

Result<Module> MergePass::run() {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : from_.functions())
        if (!is_opaque_function(from_, global.function)) roots.push_back(global.function);
    order_ = post_order(from_, roots);
    if (order_.empty()) return copy_module(from_);
    if (Status decided = decide(roots); !decided) return decided.error();
    log_decisions(decisions_);
    return rewrite();
}

}  // namespace

Result<Module> merge_compiler_regions(const Module& module, DecisionLog* log, const MergeLimits& limits) {
    return MergePass(module, log, limits).run();
}

}  // namespace partita
