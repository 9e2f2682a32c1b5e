// A search for a path from both of its ends, alternating by edge. It ends when the smaller side is exhausted (as in
// Bender, Fineman, Gilbert and Tarjan, ACM Transactions on Algorithms 12, 2016): costs twice that side's edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/support/large_memory.h"

namespace partita {

class TwoWaySearch {
public:
    enum class Step : uint8_t { Going, Exhausted, Found };

    struct Reached {
        uint32_t vertex;
        int32_t from;      ///< index of the entry that it was reached from, or -1
        uint32_t through;  ///< where the edge enters the vertex
    };
    struct Side {
        std::vector<Reached> reached;
        std::vector<uint32_t> seen;  ///< by vertex: the number of the query that reached it
        std::vector<int32_t> entry;  ///< by vertex: its index in `reached`; empty if no path is requested
        size_t at = 0;               ///< the entry whose edges are being followed

        bool exhausted() const { return at == reached.size(); }
        uint32_t vertex() const { return reached[at].vertex; }
        int32_t entry_of(uint32_t vertex) const { return entry.empty() ? -1 : entry[vertex]; }
    };
    Side forward, backward;

    TwoWaySearch(size_t vertices, bool keeps_paths) {
        for (Side* side : {&forward, &backward}) {
            fill_in_large_pages(side->seen, vertices);
            if (keeps_paths) side->entry.assign(vertices, -1);
        }
    }

    void begin() {
        ++query_;
        for (Side* side : {&forward, &backward}) {
            side->reached.clear();
            side->at = 0;
        }
    }
    bool has(const Side& side, uint32_t vertex) const { return side.seen[vertex] == query_; }
    void reach(Side& side, uint32_t vertex, int32_t from, uint32_t through) {
        if (has(side, vertex)) return;
        side.seen[vertex] = query_;
        if (!side.entry.empty()) side.entry[vertex] = int32_t(side.reached.size());
        side.reached.push_back({vertex, from, through});
    }
    /// Each function follows one edge of its side. Returns the exhausted side; null: there is a path.
    template <class First, class Second>
    Side* run(Side& first, First step_first, Side& second, Second step_second) {
        for (;;) {
            Step step = step_first();
            if (step != Step::Going) return step == Step::Found ? nullptr : &first;
            step = step_second();
            if (step != Step::Going) return step == Step::Found ? nullptr : &second;
        }
    }
    /// Appends named(entry) for each entry on the path: up from the forward entry, then down from the backward one.
    /// Omits entries below `first`.
    template <class Path, class Named>
    void append_path(Path& path, int32_t forward_entry, int32_t backward_entry, int32_t first, Named named) const {
        for (int32_t at = forward_entry; at >= first; at = forward.reached[size_t(at)].from)
            path.push_back(named(forward.reached[size_t(at)]));
        std::reverse(path.begin(), path.end());
        for (int32_t at = backward_entry; at >= first; at = backward.reached[size_t(at)].from)
            path.push_back(named(backward.reached[size_t(at)]));
    }

private:
    uint32_t query_ = 0;
};

}  // namespace partita
