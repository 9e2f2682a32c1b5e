// Decides which regions merge, exactly as TVM 0.9's RegionMerger (src/relay/transforms/merge_compiler_regions.cc).
//
// TVM keeps for each region R the set restr(R) of regions that must not be merged with it: those that a region which R
// depends on (or R itself) refused because of their compiler. It copies these sets along every edge and renames in all
// of them at every merge, which is quadratic in the number of regions. Here restr is not stored. Renaming is what
// union-find does, so, with the producers of each region recorded when the region was looked at,
//
//     P is in restr(R)  <=>  a recorded path leads from R back to a member of P's class whose last step enters the
//                            class from outside.
//
// A region refuses only what was finished before it, so that recorded edges go down in finishing order; the search
// between R and the refusers of P's class is bounded by that order (as in Pearce and Kelly, "A dynamic topological sort
// algorithm for directed acyclic graphs", ACM JEA 11, 2006), goes from both sides in turns, an edge at a time, and ends
// when the smaller side is exhausted. A class without refusers is answered at once. Regions found clean with respect to
// a class keep a stamp that says so, and a class's own members are clean always: R merges P1 and P2 only if neither is
// in restr(R), which holds restr(P1) and restr(P2), and so no member of a class is ever restricted by another.
//
// On chains, ladders, wide and random graphs the whole run is linear as measured (tests/bench/bench_passes.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/passes/region_limits.h"
#include "engine/passes/region_set.h"

namespace partita {

/// What was decided on one pair of neighbouring regions, in the order in which it was decided.
struct MergeDecision {
    DecisionKind kind;  ///< Merged, DifferentBackend, WouldCloseCycle or MergeLimit
    int32_t region;     ///< indexes of the region set
    int32_t producer;
    std::vector<ExprId> path;  ///< WouldCloseCycle: from the producer's class (exclusive) to `region` (exclusive)
    Sentence detail = {};      ///< MergeLimit: which
};

/// An expression that people know a region by: the operand of its first end, else of its begin. To be asked before
/// regions are united.
ExprId representative(const RegionSet& regions, const MarkReader& reader, int32_t region);

class RegionMerger {
public:
    /// `decisions` may be null.
    RegionMerger(const Module& module, RegionSet& regions, MarkReader& reader, std::vector<MergeDecision>* decisions);

    /// Merges that would break a limit are refused. Null (as before this is called): no limits.
    void set_limits(RegionLimiter* limits) { limits_ = limits; }
    /// Takes the expressions of one function, in graph order; unites regions in the set.
    void run(std::span<const ExprId> order);

    /// The regions in the order in which they were looked at.
    std::span<const int32_t> finished() const { return finished_; }
    /// How many merges there were.
    int32_t merges() const { return merges_; }

private:
    /// The lowest finishing index of the refusers that a class took over in a merge, by the time of the merge.
    struct Absorbed {
        uint32_t time;
        int32_t oldest;
    };
    struct ClassState {
        int32_t first_refuser = -1, last_refuser = -1;  ///< a list in refusers_
        int32_t oldest_refuser = kNever;                ///< its lowest finishing index
        int32_t history = -1;                           ///< index into histories_: for what stamps are valid
    };
    struct Refuser {
        int32_t region;
        int32_t next;
    };
    struct ChildEdge {
        int32_t child;
        int32_t next;
    };
    /// "This region is clean with respect to the class that has this history, as of this time."
    struct Stamp {
        int32_t history = -1;
        uint32_t time = 0;
    };
    /// Either a region whose producers are being looked for, or an expression whose operands are being visited.
    struct Task {
        uint32_t what;
        uint32_t next;
        bool is_region;
        int32_t begin;  ///< of a region: the next begin to look at
    };
    struct Reached {
        int32_t region;
        int32_t from;  ///< index of the entry that it was reached from, or -1
    };
    struct Side {
        std::vector<Reached> reached;
        std::vector<uint32_t> seen;  ///< by region: the number of the query that reached it
        std::vector<int32_t> entry;  ///< by region: its index in `reached`; only kept where decisions are recorded
        size_t at = 0;               ///< the entry whose edges are being followed
        int32_t edge = 0;            ///< the next of its edges: an index into producers, or into children_
        int32_t refuser = -1;        ///< forward: the next refuser to begin from
    };
    enum class Step : uint8_t { Going, Exhausted, Found };

    static constexpr int32_t kNever = INT32_MAX;
    static constexpr uint32_t kWays = 2;

    void look_at(int32_t region);
    void step_region();
    void step_expression();
    void visit(ExprId id);
    void finish(int32_t region);
    bool list_producers(int32_t region, bool if_looked_at);
    bool is_looked_at(int32_t region) const {
        return finishing_index_[size_t(region)] >= 0 || in_progress_[size_t(region)];
    }
    void decide(int32_t region, int32_t producer);
    void refuse(int32_t region, int32_t producer);
    void merge(int32_t producer, int32_t region);
    void absorb(ClassState& into, ClassState& from);

    bool is_restricted(int32_t region, int32_t class_root);
    void start_search(int32_t region, int32_t class_root);
    Step step_backward(int32_t class_root);
    Step step_forward();
    Step start_from_next_refuser();
    void reach(Side& side, int32_t region, int32_t from);
    Step found(int32_t backward_entry, int32_t forward_entry);
    bool is_stamped(int32_t region, int32_t class_root) const;
    void stamp_reached(int32_t class_root);
    void stamp(int32_t region, int32_t history, uint32_t slot);
    uint32_t slot_of(int32_t class_root) const {
        return uint32_t(regions_.compiler(class_root)) % (slots_ / kWays) * kWays;
    }
    void record(DecisionKind kind, int32_t region, int32_t producer);
    std::span<const int32_t> producers(int32_t region) const {
        return {producers_.data() + producers_begin_[size_t(region)], size_t(producer_count_[size_t(region)])};
    }

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    std::vector<MergeDecision>* decisions_;
    RegionLimiter* limits_ = nullptr;

    std::vector<int32_t> finishing_index_;  ///< by region, -1 where it is not finished
    std::vector<uint8_t> in_progress_;      ///< by region
    std::vector<int32_t> finished_;
    std::vector<uint32_t> producers_begin_;  ///< by region, into producers_
    std::vector<int32_t> producer_count_;
    std::vector<int32_t> producers_;    ///< names at the time of finishing
    std::vector<int32_t> first_child_;  ///< by region, into children_
    std::vector<ChildEdge> children_;
    std::vector<ClassState> classes_;  ///< by root
    std::vector<Refuser> refusers_;
    std::vector<std::vector<Absorbed>> histories_;
    std::vector<Stamp> stamps_;  ///< by region and slot; empty until the first is set
    uint32_t slots_ = 0;
    uint32_t time_ = 0;
    std::vector<uint32_t> mark_;  ///< by region: which region listed it as a producer last

    Side backward_, forward_;
    uint32_t query_ = 0;
    int32_t newest_ = 0;  ///< highest finishing index of the backward side
    std::vector<ExprId> path_;
    std::vector<ExprId> representatives_;  ///< by region; only where decisions are recorded

    std::vector<Task> tasks_;
    std::vector<uint8_t> visited_;  ///< by expression; empty until a region's producer is not yet visited
    std::span<const ExprId> order_;
    size_t position_ = 0;  ///< of the walk in order_
    int32_t merges_ = 0;
};

}  // namespace partita
