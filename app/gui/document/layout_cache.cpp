#include "app/gui/document/layout_cache.h"

#include <bit>

namespace partita {

namespace {

/// About 100 bytes each: some 60 MB.
constexpr size_t kLargestCost = 600'000;

class Hasher {
public:
    void add(uint64_t value) {
        first_ = (first_ ^ value) * 0x100000001b3ull;
        first_ ^= first_ >> 29;
        second_ = (std::rotl(second_, 23) + value) * 0x9e3779b97f4a7c15ull;
        second_ ^= second_ >> 32;
    }
    void add(double value) { add(std::bit_cast<uint64_t>(value)); }
    uint64_t first() const { return first_; }
    uint64_t second() const { return second_; }

private:
    uint64_t first_ = 0xcbf29ce484222325ull, second_ = 0x2545f4914f6cdd1dull;
};

}  // namespace

LayoutCache::Key LayoutCache::key_of(const LayoutGraph& graph, LayoutEngine engine) {
    Hasher hasher;
    hasher.add(uint64_t(engine));
    hasher.add(uint64_t(graph.nodes.size()));
    for (const LayoutNode& node : graph.nodes) {
        hasher.add(node.width);
        hasher.add(node.height);
        hasher.add(uint64_t(int64_t(node.cluster)));
    }
    for (const LayoutEdge& edge : graph.edges) hasher.add(uint64_t(edge.from) << 32 | edge.to);
    for (const std::string& label : graph.clusters) hasher.add(uint64_t(label.size()));  // its room is all that counts
    return {hasher.first(), hasher.second()};
}

Result<std::shared_ptr<const LayoutResult>> LayoutCache::layOut(const LayoutGraph& graph, LayoutEngine engine,
                                                                const CancelToken& cancel) {
    const Key key = key_of(graph, engine);
    {
        std::lock_guard guard(lock_);
        if (const auto found = by_key_.find(key); found != by_key_.end()) {
            entries_.splice(entries_.begin(), entries_, found->second);
            ++hits_;
            return found->second->layout;
        }
    }
    const size_t cost = graph.nodes.size() + graph.edges.size();
    Result<LayoutResult> made = lay_out(graph, engine, cancel);
    if (!made) return made.error();
    auto layout = std::make_shared<const LayoutResult>(std::move(*made));
    std::lock_guard guard(lock_);
    return remember(key, std::move(layout), cost);
}

/// The lock is held.
std::shared_ptr<const LayoutResult> LayoutCache::remember(const Key& key, std::shared_ptr<const LayoutResult> layout,
                                                          size_t cost) {
    if (cost > kLargestCost || by_key_.count(key)) return layout;
    entries_.push_front({key, layout, cost});
    by_key_[key] = entries_.begin();
    cost_ += cost;
    while (cost_ > kLargestCost) {
        cost_ -= entries_.back().cost;
        by_key_.erase(entries_.back().key);
        entries_.pop_back();
    }
    return layout;
}

size_t LayoutCache::hits() const {
    std::lock_guard guard(lock_);
    return hits_;
}

}  // namespace partita
