#include "engine/passes/dependence_graph.h"

#include <algorithm>

#include "engine/support/large_memory.h"

namespace partita {

DependenceGraph::DependenceGraph(const Module& module, RegionSet& regions, const ScopeTable& scopes,
                                 const MarkReader& reader, std::span<const ExprId> order)
    : module_(module), scopes_(scopes), reader_(reader), region_count_(uint32_t(regions.size())) {
    fill_in_large_pages(region_of_, module.size(), RegionSet::kNone);
    fill_in_large_pages(first_, size_t(regions.size()));
    fill_in_large_pages(next_, module.size());
    const bool begins_alone = regions.entered_by_begins() && !scopes.any();
    for (ExprId id : order) {
        if (scopes.any() && module.kind(id) == ExprKind::Let) {
            if (let_of_var_.empty()) let_of_var_.resize(module.size());
            let_of_var_[module.operands(id)[0].value] = id;
        }
        int32_t region = regions.region_of(id);
        if (region == RegionSet::kNone || regions.compiler(region) == CompilerNames::kDefault) continue;
        region_of_[id.value] = region;
        if (begins_alone && reader.mark(id) != Mark::Begin) continue;
        next_[id.value] = first_[size_t(region)];
        first_[size_t(region)] = id;
    }
}

std::vector<uint32_t> DependenceGraph::scattered_regions() const {
    std::vector<uint32_t> found;
    if (!scopes_.any()) return found;
    for (uint32_t region = 0; region < region_count_; ++region) {
        ExprId first;
        for (ExprId id = first_[region]; id.valid(); id = next_[id.value]) {
            if (reader_.mark(id) == Mark::End) continue;
            if (!first.valid()) first = id;
            if (scopes_.place(id) == scopes_.place(first)) continue;
            found.push_back(region);
            break;
        }
    }
    return found;
}

namespace {

/// Tarjan's algorithm with explicit stacks.
class ComponentFinder {
public:
    explicit ComponentFinder(const DependenceGraph& graph) : graph_(graph) {
        fill_in_large_pages(states_, graph.vertex_count());
    }

    std::vector<std::vector<uint32_t>> run(std::span<const ExprId> order) {
        for (ExprId id : order) {
            if (graph_.uses_nothing(id) || graph_.is_transparent(id) || states_[graph_.vertex_of(id)].index) continue;
            enter(graph_.vertex_of(id));
            while (!frames_.empty()) step();
        }
        return std::move(components_);
    }

private:
    struct Frame {
        uint32_t vertex;
        ExprId expression;  ///< the expression of the vertex whose uses are being followed
        uint32_t use;       ///< the next use to follow
    };
    struct State {
        uint32_t index = 0;  ///< 0: not visited
        uint32_t low = 0;    ///< kDone: its component is finished, and no longer lowers others
    };
    static constexpr uint32_t kDone = UINT32_MAX;

    void enter(uint32_t vertex) {
        ++counter_;
        states_[vertex] = {counter_, counter_};
        open_.push_back(vertex);
        frames_.push_back({vertex, graph_.first(vertex), 0});
    }

    void step() {
        Frame frame = frames_.back();
        uint32_t low = states_[frame.vertex].low;
        while (frame.expression.valid()) {
            ExprId used = graph_.use(frame.expression, frame.use++);
            if (!used.valid()) {
                frame.expression = graph_.is_region(frame.vertex) ? graph_.next(frame.expression) : ExprId();
                frame.use = 0;
                continue;
            }
            uint32_t to = graph_.vertex_of(used);
            State state = states_[to];
            if (state.index) {
                low = std::min(low, state.low == kDone ? kDone : state.index);
            } else if (!graph_.uses_nothing(used)) {
                states_[frame.vertex].low = low;
                frames_.back() = frame;
                enter(to);
                return;
            }
        }
        states_[frame.vertex].low = low;
        leave(frame.vertex);
    }

    void leave(uint32_t vertex) {
        frames_.pop_back();
        const State state = states_[vertex];
        if (state.low == state.index) {
            close(vertex);
        } else if (!frames_.empty()) {
            uint32_t& above = states_[frames_.back().vertex].low;
            above = std::min(above, state.low);
        }
    }

    void close(uint32_t vertex) {
        bool alone = open_.back() == vertex;
        size_t begin = open_.size();
        do states_[open_[--begin]].low = kDone;
        while (open_[begin] != vertex);
        if (!alone) {
            std::vector<uint32_t>& component = components_.emplace_back();
            component.assign(open_.begin() + long(begin), open_.end());
        }
        open_.resize(begin);
    }

    const DependenceGraph& graph_;
    std::vector<State> states_;  ///< by vertex
    uint32_t counter_ = 0;
    std::vector<uint32_t> open_;
    std::vector<Frame> frames_;
    std::vector<std::vector<uint32_t>> components_;
};

}  // namespace

std::vector<std::vector<uint32_t>> DependenceGraph::cycles(std::span<const ExprId> order) const {
    return ComponentFinder(*this).run(order);
}

}  // namespace partita
