// Texts of functions, ifs and lets that were rendered and wait in their scope until they are emitted, and the
// temporaries that they define.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/module.h"

namespace partita::relay {

/// A text to which others are appended. Appending a long one does not copy it, because deep nesting would copy it again
/// at each level.
struct Text {
    static constexpr size_t kCopied = 4096;  ///< bytes; longer texts are moved

    std::string end;
    std::list<std::string> before;

    void take(Text&& inner) {
        if (inner.before.empty() && inner.end.size() < kCopied) {
            end += inner.end;
            return;
        }
        before.push_back(std::move(end));
        before.splice(before.end(), inner.before);
        end = std::move(inner.end);
    }
    /// Reuses the memory of its first piece.
    std::string joined() && {
        if (before.empty()) return std::move(end);
        std::string whole = std::move(before.front());
        for (before.pop_front(); !before.empty(); before.pop_front()) whole += before.front();
        return whole += end;
    }
};

/// Numbers of temporaries; the last one is exclusive.
struct TemporaryRange {
    uint32_t first, last;
};

/// Finding what defines a temporary costs the logarithm of the ranges that wait.
class KeptTexts {
public:
    struct Kept {
        Text text;
        std::vector<uint32_t> needs;  ///< temporaries whose definitions wait in outer scopes and must come first
        std::vector<TemporaryRange> definitions;  ///< what the text defines; none is empty
    };
    /// Temporaries that a kept text defines.
    struct Waiting {
        TemporaryRange temporaries;
        ExprId id;     ///< whose text it is
        size_t scope;  ///< that will emit it
    };

    /// Keeps the text of an expression that `scope` will emit.
    void keep(ExprId id, Kept kept, size_t scope) {
        while (!waiting_.empty() && !texts_.count(waiting_.back().id.value)) waiting_.pop_back();
        for (TemporaryRange range : kept.definitions) wait({range, id, scope});
        texts_.emplace(id.value, std::move(kept));
    }
    Kept take(ExprId id) {
        auto known = texts_.find(id.value);
        Kept kept = std::move(known->second);
        texts_.erase(known);
        return kept;
    }
    /// Returns null if no text of the expression is kept.
    const Kept* find(ExprId id) const {
        auto known = texts_.find(id.value);
        return known == texts_.end() ? nullptr : &known->second;
    }
    /// Returns whether a kept text may define a temporary.
    bool any_waits() const { return !waiting_.empty(); }
    /// Returns the kept text that defines the temporary; null if none does.
    const Waiting* definition_of(uint32_t temporary) const {
        auto after = std::partition_point(waiting_.begin(), waiting_.end(),
                                          [&](const Waiting& entry) { return entry.temporaries.first <= temporary; });
        if (after == waiting_.begin()) return nullptr;
        const Waiting& entry = *std::prev(after);
        return temporary < entry.temporaries.last && texts_.count(entry.id.value) ? &entry : nullptr;
    }

private:
    void wait(const Waiting& entry) {
        auto at = std::partition_point(waiting_.begin(), waiting_.end(), [&](const Waiting& other) {
            return other.temporaries.first < entry.temporaries.first;
        });
        if (at != waiting_.end() && at->temporaries.first == entry.temporaries.first) *at = entry;
        else waiting_.insert(at, entry);
    }

    std::unordered_map<uint32_t, Kept> texts_;  ///< by ExprId
    std::vector<Waiting> waiting_;              ///< ascending; some texts may be emitted already
};

}  // namespace partita::relay
