// The regions that a module's marks describe: sets of expressions that go to one compiler together.
//
// As TVM 0.9's AnnotatedRegionSet (src/relay/analysis/annotated_region_set.cc): each begin opens a region; a call,
// tuple, projection or reference joins the region of its first operand that is open (not closed by an end) and merges
// the regions of its other open operands into it; an end belongs to its operand's region. Numbers count from 0 in each
// function and have gaps where regions were united.
//
// Union-find with path halving (Tarjan and van Leeuwen 1984) and concatenated lists: building and every operation are
// near constant for each expression. Costs 4 bytes for each expression of the module and 32 for each begin.
#pragma once

#include <span>
#include <vector>

#include "engine/passes/normalized_view.h"
#include "engine/support/diagnostic.h"

namespace partita {

class RegionSet {
public:
    static constexpr int32_t kNone = -1;

    /// `order` is the post-order of `roots` (the visited functions of the module). Fails if an end has no region or
    /// another compiler than its region, or if a call's operands are open for different compilers. A View is a
    /// MarkedModule or a NormalizedView.
    template <class View>
    static Result<RegionSet> build(const View& view, std::span<const ExprId> roots, std::span<const ExprId> order);

    /// Returns the number of regions before any were united; regions are indexes below it.
    int32_t size() const { return int32_t(begins_.size()); }
    /// Returns the root of the region: united regions have the same root.
    int32_t find(int32_t region) {
        while (unions_.parent[size_t(region)] != region) {
            unions_.parent[size_t(region)] = unions_.parent[size_t(unions_.parent[size_t(region)])];
            region = unions_.parent[size_t(region)];
        }
        return region;
    }
    bool is_root(int32_t region) const { return unions_.parent[size_t(region)] == region; }
    /// Returns the root of the region of an expression, or kNone.
    int32_t region_of(ExprId id) {
        int32_t region = region_of_[id.value];
        return region < 0 ? kNone : find(region);
    }

    /// Makes `settled_region_of` valid; call it when all uniting is done. Linear.
    void settle();
    /// Frees what unites regions, and the lists of begins and ends: only settled_region_of, and number, function,
    /// compiler and begin of roots remain valid.
    void drop_lists();
    /// Returns region_of with one load.
    int32_t settled_region_of(ExprId id) const { return region_of_[id.value]; }

    /// Returns TVM's id, which counts begins within the function.
    int32_t number(int32_t region) const { return numbers_[size_t(region)]; }
    /// Returns an index into `roots`.
    int32_t function(int32_t region) const { return functions_[size_t(region)]; }
    int32_t compiler(int32_t region) const { return compilers_[size_t(region)]; }
    /// Returns whether values of others enter regions only by begins, as annotate_target makes them. Also false if this
    /// would take long to find out.
    bool entered_by_begins() const { return entered_by_begins_; }

    // The begins of a region, in TVM's order: for (b = root; b != kNone; b = next_begin(b)) use begin(b).
    ExprId begin(int32_t region) const { return begins_[size_t(region)]; }
    int32_t next_begin(int32_t region) const { return unions_.next_begin[size_t(region)]; }
    /// Returns the last: with the root, it tells what has been united so far.
    int32_t last_begin(int32_t root) const { return unions_.last_begin[size_t(root)]; }
    // The ends of a region, in TVM's order: for (e = first_end(root); e != kNone; e = next_end(e)) use end(e). A tuple
    // of ends is listed by its marked field.
    int32_t first_end(int32_t root) const { return unions_.first_end[size_t(root)]; }
    int32_t next_end(int32_t end) const { return unions_.ends[size_t(end)].next; }
    ExprId end(int32_t end) const { return unions_.ends[size_t(end)].id; }

    /// Unites two roots; the result is named `into`.
    void unite(int32_t from, int32_t into);

    /// A saved state of the unions to return to. Costs 28 bytes for each begin.
    class Unions;
    Unions unions() const;
    void go_back_to(Unions unions);

    class Unions {
        friend class RegionSet;
        struct EndItem {
            ExprId id;
            int32_t next;
        };
        std::vector<int32_t> parent;
        std::vector<int32_t> next_begin, last_begin;
        std::vector<int32_t> first_end, last_end;
        std::vector<EndItem> ends;
    };

private:
    RegionSet() = default;
    void open(ExprId begin, int32_t compiler, int32_t function, int32_t number);
    void close(ExprId end, int32_t root);
    template <class View>
    Status close_region_of(const View& view, ExprId end, ExprId operand, ExprId listed);
    template <class View>
    Status join(const View& view, ExprId id);
    template <class View>
    static bool enters_without_begin(const View& view, ExprId operand);
    template <class View>
    void make_regions(const View& view);
    void forget_unopened();

    std::vector<int32_t> region_of_;  ///< by expression: the region that it was added to
    std::vector<ExprId> begins_;
    std::vector<int32_t> numbers_, functions_, compilers_;
    Unions unions_;
    int32_t opened_ = 0;
    bool entered_by_begins_ = true;
};

inline RegionSet::Unions RegionSet::unions() const { return unions_; }
inline void RegionSet::go_back_to(Unions unions) { unions_ = std::move(unions); }
inline void RegionSet::drop_lists() { unions_ = Unions(); }

}  // namespace partita
