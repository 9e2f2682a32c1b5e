// The backends that a person assigned to expressions, by name. As small and as cheap to change as an ExpressionMap.
#pragma once

#include <string>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/ir/expression_map.h"

namespace partita {

class HandPlacement {
public:
    HandPlacement() = default;
    HandPlacement(const Overrides& overrides);
    /// Returns the assignments as the engine takes them. A million take a tenth of a second.
    Overrides overrides() const;

    bool empty() const { return given_.empty(); }
    size_t size() const { return given_.size(); }
    /// Returns the name of the assigned backend; null if there is none.
    const std::string* find(ExprId expression) const {
        const uint32_t* number = given_.find(expression);
        return number ? &name(*number) : nullptr;
    }
    void give(const std::vector<ExprId>& expressions, const std::string& backend) {
        given_.set(expressions, numberOf(backend));
    }
    void takeBack(const std::vector<ExprId>& expressions) { given_.set(expressions, 0); }
    void rename(const std::string& before, const std::string& after);
    /// Returns the assignments for a new module; `image` maps each expression to its successor. Drops removed ones.
    HandPlacement carriedOver(const std::vector<ExprId>& image) const;

    /// Returns the expressions with the numbers of their backends.
    const ExpressionMap<uint32_t>& given() const { return given_; }
    const std::string& name(uint32_t number) const { return names_[number - 1]; }
    const std::vector<std::string>& names() const { return names_; }

private:
    uint32_t numberOf(const std::string& backend);

    std::vector<std::string> names_;  ///< the first has number 1
    ExpressionMap<uint32_t> given_;
};

/// Carries any table by expression over to a new module.
template <class T>
ExpressionMap<T> carried_over(const ExpressionMap<T>& table, const std::vector<ExprId>& image) {
    std::vector<typename ExpressionMap<T>::Entry> carried;
    for (const auto& [expression, value] : table)
        if (expression.value < image.size() && image[expression.value].valid())
            carried.emplace_back(image[expression.value], value);
    ExpressionMap<T> result;
    result.assign(std::move(carried));
    return result;
}

}  // namespace partita
