// Layouts by what was laid out, so that undo, a tab that is opened again, or a division seen before show at once. The
// least recently used ones go first. Safe from any thread; an answer is shared, never changed.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/layout/graph_layout.h"

namespace partita {

class LayoutCache {
public:
    /// The layout of a graph: remembered, or made and remembered. Errors and cancelled layouts are not.
    Result<std::shared_ptr<const LayoutResult>> layOut(const LayoutGraph& graph, LayoutEngine engine,
                                                       const CancelToken& cancel);
    size_t hits() const;

private:
    struct Key {
        uint64_t first = 0, second = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        size_t operator()(const Key& key) const { return size_t(key.first); }
    };
    struct Entry {
        Key key;
        std::shared_ptr<const LayoutResult> layout;
        size_t cost = 0;  ///< nodes and edges
    };
    static Key key_of(const LayoutGraph& graph, LayoutEngine engine);
    std::shared_ptr<const LayoutResult> remember(const Key& key, std::shared_ptr<const LayoutResult> layout,
                                                 size_t cost);

    mutable std::mutex lock_;
    std::list<Entry> entries_;  ///< the most recently used first
    std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> by_key_;
    size_t cost_ = 0, hits_ = 0;
};

}  // namespace partita
