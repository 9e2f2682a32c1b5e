#include "engine/passes/dependence_graph.h"

#include <algorithm>

#include "engine/support/large_memory.h"

namespace partita {

DependenceGraph::DependenceGraph(const Module& module, RegionSet& regions, const ScopeTable& scopes,
                                 const MarkReader& reader, std::span<const ExprId> order)
    : module_(module),
      scopes_(scopes),
      reader_(reader),
      region_count_(uint32_t(regions.size())) {
    fill_in_large_pages(region_of_, module.size(), RegionSet::kNone);
    fill_in_large_pages(first_, size_t(regions.size()));
    fill_in_large_pages(next_, module.size());
    for (ExprId id : order) {
        if (scopes.any() && module.kind(id) == ExprKind::Let) {
            if (let_of_var_.empty()) let_of_var_.resize(module.size());
            let_of_var_[module.operands(id)[0].value] = id;
        }
        int32_t region = regions.region_of(id);
        if (region == RegionSet::kNone || regions.compiler(region) == CompilerNames::kDefault) continue;
        region_of_[id.value] = region;
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

/// Tarjan's algorithm with its stacks spelled out, on the edges between different vertices, sorted by vertex. Vertices
/// are numbered anew, as they are met: most expressions have no such edge.
class ComponentFinder {
public:
    ComponentFinder(const DependenceGraph& graph, std::span<const ExprId> order) {
        std::vector<Edge> edges = collect_edges(graph, order);
        begin_.assign(vertices_.size() + 1, 0);
        for (const Edge& edge : edges) ++begin_[edge.from + 1];
        for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        fill_in_large_pages(to_, edges.size());
        std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (const Edge& edge : edges) to_[next[edge.from]++] = edge.to;
        index_.assign(vertices_.size(), 0);
        low_.assign(vertices_.size(), 0);
    }

    std::vector<std::vector<uint32_t>> run() {
        for (uint32_t vertex = 0; vertex < vertices_.size(); ++vertex) {
            if (index_[vertex]) continue;
            enter(vertex);
            while (!frames_.empty()) step();
        }
        return std::move(components_);
    }

private:
    struct Edge {
        uint32_t from, to;
    };
    struct Frame {
        uint32_t vertex;
        uint32_t edge;  ///< the next to follow
    };
    static constexpr uint32_t kDone = UINT32_MAX;

    std::vector<Edge> collect_edges(const DependenceGraph& graph, std::span<const ExprId> order) {
        constexpr uint32_t kNoNumber = UINT32_MAX;
        std::vector<uint32_t> numbers;
        fill_in_large_pages(numbers, graph.vertex_count(), kNoNumber);
        std::vector<Edge> edges;
        auto number = [&](uint32_t vertex) {
            if (numbers[vertex] == kNoNumber) {
                numbers[vertex] = uint32_t(vertices_.size());
                vertices_.push_back(vertex);
            }
            return numbers[vertex];
        };
        for (ExprId id : order) {
            if (graph.is_looked_through(id)) continue;
            uint32_t from = graph.vertex_of(id);
            for (uint32_t i = 0;; ++i) {
                ExprId used = graph.use(id, i);
                if (!used.valid()) break;
                uint32_t to = graph.vertex_of(used);
                if (to != from && !graph.uses_nothing(used)) edges.push_back({number(from), number(to)});
            }
        }
        return edges;
    }

    void enter(uint32_t vertex) {
        index_[vertex] = low_[vertex] = ++counter_;
        open_.push_back(vertex);
        frames_.push_back({vertex, begin_[vertex]});
    }

    void step() {
        Frame frame = frames_.back();
        uint32_t low = low_[frame.vertex], end = begin_[frame.vertex + 1];
        while (frame.edge < end) {
            uint32_t to = to_[frame.edge++];
            if (!index_[to]) {
                low_[frame.vertex] = low;
                frames_.back().edge = frame.edge;
                enter(to);
                return;
            }
            // A finished component's low is kDone, so that it never lowers another's.
            low = std::min(low, low_[to] == kDone ? kDone : index_[to]);
        }
        low_[frame.vertex] = low;
        leave(frame.vertex);
    }

    void leave(uint32_t vertex) {
        frames_.pop_back();
        uint32_t low = low_[vertex];
        if (low == index_[vertex]) close(vertex);
        if (!frames_.empty()) {
            uint32_t& above = low_[frames_.back().vertex];
            if (low != index_[vertex]) above = std::min(above, low);
        }
    }

    void close(uint32_t vertex) {
        bool alone = open_.back() == vertex;
        size_t begin = open_.size();
        do low_[open_[--begin]] = kDone;
        while (open_[begin] != vertex);
        if (!alone) {
            std::vector<uint32_t>& component = components_.emplace_back();
            for (size_t i = begin; i < open_.size(); ++i) component.push_back(vertices_[open_[i]]);
        }
        open_.resize(begin);
    }

    std::vector<uint32_t> vertices_;      ///< by number: what the graph calls it
    std::vector<uint32_t> begin_, to_;    ///< edges of vertex v are to_[begin_[v] .. begin_[v + 1])
    std::vector<uint32_t> index_, low_;
    uint32_t counter_ = 0;
    std::vector<uint32_t> open_;
    std::vector<Frame> frames_;
    std::vector<std::vector<uint32_t>> components_;
};

}  // namespace

std::vector<std::vector<uint32_t>> DependenceGraph::cycles(std::span<const ExprId> order) const {
    return ComponentFinder(*this, order).run();
}

}  // namespace partita
