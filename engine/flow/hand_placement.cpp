#include "engine/flow/hand_placement.h"

#include <unordered_map>

namespace partita {

HandPlacement::HandPlacement(const Overrides& overrides) {
    std::unordered_map<std::string, uint32_t> numbers;
    std::vector<ExpressionMap<uint32_t>::Entry> given;
    given.reserve(overrides.size());
    for (const auto& [expression, backend] : overrides) {
        const auto [number, added] = numbers.try_emplace(backend, uint32_t(names_.size() + 1));
        if (added) names_.push_back(backend);
        given.emplace_back(expression, number->second);
    }
    given_.assign(std::move(given));
}

Overrides HandPlacement::overrides() const {
    Overrides overrides;
    for (const auto& [expression, number] : given_) overrides.emplace_hint(overrides.end(), expression, name(number));
    return overrides;
}

void HandPlacement::rename(const std::string& before, const std::string& after) {
    std::replace(names_.begin(), names_.end(), before, after);
}

HandPlacement HandPlacement::carriedOver(const std::vector<ExprId>& image) const {
    HandPlacement carried;
    carried.names_ = names_;
    carried.given_ = carried_over(given_, image);
    return carried;
}

uint32_t HandPlacement::numberOf(const std::string& backend) {
    const size_t known = size_t(std::find(names_.begin(), names_.end(), backend) - names_.begin());
    if (known == names_.size()) names_.push_back(backend);
    return uint32_t(known + 1);
}

}  // namespace partita
