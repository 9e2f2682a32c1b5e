// What an annotator can see of a call within so many levels of operands, as a number: equal keys, equal verdicts. It
// tells apart which operands are the same expression.
//
// A key costs the expressions within these levels. The module may grow meanwhile.
#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

struct ContentKey {
    uint64_t high = 0, low = 0;
    auto operator<=>(const ContentKey&) const = default;
};

class ContentKeys {
public:
    explicit ContentKeys(const Module& module) : module_(module) {}
    /// `seed`: what else the verdict depends on. Level 1 looks at the operands, but not at theirs.
    ContentKey key(ExprId root, int levels, uint64_t seed);

private:
    uint64_t own(ExprId id);
    uint64_t make_own(ExprId id);
    uint64_t of_type(TypeId type);

    const Module& module_;
    std::vector<uint64_t> own_;  ///< by expression; 0: not made
    std::unordered_map<TypeId, uint64_t> types_;
    std::vector<ExprId> queue_;
    std::unordered_map<ExprId, uint32_t> number_;
};

}  // namespace partita
