// Decides which regions merge, exactly as TVM 0.9's RegionMerger (src/relay/transforms/merge_compiler_regions.cc).
//
// TVM keeps for each region R the set restr(R) of regions that must not be merged with it: those that a region which R
// depends on (or R itself) refused because of their compiler. It copies these sets along every edge and renames in all
// of them at every merge, which is quadratic in the number of regions. Here restr is not stored. Renaming is what
// union-find does, so, with the producers of each region recorded when the region was processed,
//
//     P is in restr(R)  <=>  a recorded path leads from R back to a member of P's class whose last step enters the
//                            class from outside.
//
// A region refuses only what was finished before it, so that recorded edges go down in finishing order; the search
// between R and the refusers of P's class is bounded by that order (as in Pearce and Kelly, "A dynamic topological sort
// algorithm for directed acyclic graphs", ACM JEA 11, 2006) and alternates between both sides (two_way_search.h). A
// class without refusers is answered at once. Members of a class never restrict each other: R merges P1 and P2 only if
// neither is in restr(R), which holds restr(P1) and restr(P2).
//
// On chains, ladders, wide and random graphs the whole run measures as linear (tests/bench/bench_passes.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/passes/region_limits.h"
#include "engine/passes/region_set.h"
#include "engine/passes/two_way_search.h"

namespace partita {

/// The decision on one pair of neighbouring regions, listed in the order in which they were decided.
struct MergeDecision {
    DecisionKind kind;  ///< Merged, DifferentBackend, WouldCloseCycle or MergeLimit
    int32_t region;     ///< indexes of the region set
    int32_t producer;
    std::vector<ExprId> path;  ///< WouldCloseCycle: from the producer's class (exclusive) to `region` (exclusive)
    Sentence detail = {};      ///< MergeLimit: the limit
};

/// Returns the expression that represents a region to people: the operand of its first end, else of its begin. Call it
/// before regions are united.
ExprId representative(const RegionSet& regions, const MarkReader& reader, int32_t region);

/// The regions in finishing order, and which of them use values of which, by their names at that time.
class FinishedRegions {
public:
    explicit FinishedRegions(size_t regions);

    /// Returns the position in `list`, or -1.
    int32_t index(int32_t region) const { return index_[size_t(region)]; }
    std::span<const int32_t> list() const { return finished_; }
    std::span<const int32_t> producers(int32_t region) const {
        return {producers_.data() + producers_begin_[size_t(region)], size_t(producer_count_[size_t(region)])};
    }
    // The regions that use a region's values: for (e = first_user(region); e >= 0; e = next_user(e)) use user(e).
    int32_t first_user(int32_t region) const { return first_user_[size_t(region)]; }
    int32_t next_user(int32_t edge) const { return users_[size_t(edge)].next; }
    int32_t user(int32_t edge) const { return users_[size_t(edge)].region; }

    /// Lists the regions whose values enter `region`. If `accepts` refuses one, lists none and returns false.
    template <class Accepts>
    bool list_producers(int32_t region, RegionSet& regions, const MarkReader& reader, Accepts accepts);
    void finish(int32_t region);

private:
    struct UserEdge {
        int32_t region;
        int32_t next;
    };
    std::vector<int32_t> index_;  ///< by region, -1 if it is not finished
    std::vector<int32_t> finished_;
    std::vector<uint32_t> producers_begin_;  ///< by region, into producers_
    std::vector<int32_t> producer_count_;
    std::vector<int32_t> producers_;
    std::vector<int32_t> first_user_;  ///< by region, into users_
    std::vector<UserEdge> users_;
    std::vector<uint32_t> mark_;  ///< by region: which region listed it as a producer last
};

/// Answers whether a class of regions is in restr(R); see above.
class Restrictions {
public:
    Restrictions(RegionSet& regions, const FinishedRegions& finished, bool keeps_paths);

    /// Records that `region` refused the producer.
    void add(int32_t region, int32_t producer);
    /// Makes the class of `from` part of that of `into`.
    void unite(int32_t from, int32_t into);
    /// Returns whether it is; if paths are kept, `path` receives the regions from a refuser to the region.
    bool holds(int32_t region, int32_t class_root, std::vector<int32_t>* path);

private:
    struct ClassState {
        int32_t first_refuser = -1, last_refuser = -1;  ///< a list in refusers_
        int32_t oldest_refuser = INT32_MAX;             ///< its lowest finishing index
    };
    struct Refuser {
        int32_t region;
        int32_t next;
    };
    using Step = TwoWaySearch::Step;

    void start(int32_t region, int32_t class_root);
    Step step_backward(int32_t class_root);
    Step step_forward();
    Step start_from_next_refuser();
    Step found(int32_t forward_entry, int32_t backward_entry) {
        met_forward_ = forward_entry;
        met_backward_ = backward_entry;
        return Step::Found;
    }

    RegionSet& regions_;
    const FinishedRegions& finished_;
    std::vector<ClassState> classes_;  ///< by root
    std::vector<Refuser> refusers_;
    TwoWaySearch search_;
    size_t producer_ = 0;        ///< the next edge of the current backward entry
    int32_t user_edge_ = -1;     ///< the same for the current forward entry
    int32_t next_refuser_ = -1;  ///< where the forward side begins next
    int32_t newest_ = 0;         ///< highest finishing index of the backward side
    int32_t met_forward_ = -1, met_backward_ = -1;
};

class RegionMerger {
public:
    /// `decisions` may be null.
    RegionMerger(const Module& module, RegionSet& regions, MarkReader& reader, std::vector<MergeDecision>* decisions);

    /// Refuses merges that would exceed a limit. Null (the default): no limits.
    void set_limits(RegionLimiter* limits) { limits_ = limits; }
    /// Takes the expressions of one function, in graph order; unites regions in the set.
    void run(std::span<const ExprId> order);

    std::span<const int32_t> finished() const { return finished_.list(); }
    /// Returns the number of merges.
    int32_t merges() const { return merges_; }

private:
    /// Either a region whose producers are being searched, or an expression whose operands are being visited.
    struct Task {
        uint32_t what;
        uint32_t next;
        bool is_region;
        int32_t begin;  ///< for a region: the next begin to visit
    };

    void enter(int32_t region);
    void step_region();
    void step_expression();
    void visit(ExprId id);
    void finish(int32_t region);
    bool is_entered(int32_t region) const { return finished_.index(region) >= 0 || in_progress_[size_t(region)]; }
    void decide(int32_t region, int32_t producer);
    void merge(int32_t producer, int32_t region);
    void record(DecisionKind kind, int32_t region, int32_t producer);

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    std::vector<MergeDecision>* decisions_;
    RegionLimiter* limits_ = nullptr;

    FinishedRegions finished_;
    Restrictions restrictions_;
    std::vector<uint8_t> in_progress_;  ///< by region
    std::vector<int32_t> path_;
    std::vector<ExprId> representatives_;  ///< by region; only if decisions are recorded

    std::vector<Task> tasks_;
    std::vector<uint8_t> visited_;  ///< by expression; empty until a region's producer is not yet visited
    std::span<const ExprId> order_;
    size_t position_ = 0;  ///< of the walk in order_
    int32_t merges_ = 0;
};

}  // namespace partita
