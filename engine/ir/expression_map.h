// A map from expressions to values: a sorted table of pairs. Giving a million operators to a backend with one key
// happens on the window's thread: copying and changing the table takes a few milliseconds per million, a tree of nodes
// a hundred times as long. A look-up takes log n comparisons.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

template <class T>
class ExpressionMap {
public:
    using Entry = std::pair<ExprId, T>;
    using Place = typename std::vector<Entry>::const_iterator;

    bool empty() const { return entries_.empty(); }
    size_t size() const { return entries_.size(); }
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    /// Returns end() if the expression has no value.
    Place place(ExprId expression) const {
        const Place found = std::lower_bound(entries_.begin(), entries_.end(), expression, before);
        return found != entries_.end() && found->first == expression ? found : entries_.end();
    }
    const T* find(ExprId expression) const {
        const Place found = place(expression);
        return found == entries_.end() ? nullptr : &found->second;
    }
    /// Sets the value of expressions in any order; `T()` removes their values.
    void set(std::vector<ExprId> expressions, const T& value) {
        if (!std::is_sorted(expressions.begin(), expressions.end())) std::sort(expressions.begin(), expressions.end());
        std::vector<Entry> merged;
        merged.reserve(entries_.size() + expressions.size());
        auto known = entries_.begin();
        for (ExprId expression : expressions) {
            while (known != entries_.end() && known->first < expression) merged.push_back(*known++);
            if (known != entries_.end() && known->first == expression) ++known;
            if (value != T() && (merged.empty() || merged.back().first != expression))
                merged.emplace_back(expression, value);
        }
        merged.insert(merged.end(), known, entries_.end());
        entries_ = std::move(merged);
    }
    /// Replaces all entries. They may come in any order; of two for one expression the first counts.
    void assign(std::vector<Entry> entries) {
        const auto by_expression = [](const Entry& a, const Entry& b) { return a.first < b.first; };
        if (!std::is_sorted(entries.begin(), entries.end(), by_expression))
            std::stable_sort(entries.begin(), entries.end(), by_expression);
        entries.erase(std::unique(entries.begin(), entries.end(),
                                  [](const Entry& a, const Entry& b) { return a.first == b.first; }),
                      entries.end());
        entries_ = std::move(entries);
    }

private:
    static bool before(const Entry& entry, ExprId expression) { return entry.first < expression; }

    std::vector<Entry> entries_;
};

}  // namespace partita
