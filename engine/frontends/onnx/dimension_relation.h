// Relations between the named dimensions of a model: "past + seq", "2*batch", as exporters write them in place of a
// name.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partita::onnx {

/// A product: the factor times all symbols.
struct Monomial {
    int64_t factor = 1;
    std::vector<std::string> symbols;
};

/// symbol = sum of the terms
struct DimensionRelation {
    std::string symbol;
    std::vector<Monomial> terms;
    std::string text;     ///< of the sum
    bool stated = false;  ///< by the model; otherwise what the names of its inputs usually mean
};

using DimensionSizes = std::map<std::string, int64_t, std::less<>>;

/// Parses a sum of products of names and whole numbers. Nothing if the text is a plain name or anything else. A minus
/// needs spaces around it, because names like "batch-size" have one.
std::optional<DimensionRelation> parse_dimension(std::string_view text);

/// Returns all symbols of a relation.
std::set<std::string> symbols_of(const DimensionRelation& relation);
/// Returns the sum; nothing if it does not fit into 63 bits. All symbols of the terms must have sizes.
std::optional<int64_t> sum_of(const DimensionRelation& relation, const DimensionSizes& sizes);
/// Returns the size of the only symbol without one. Nothing if no whole number of at least 0 solves the relation.
std::optional<int64_t> solve(const DimensionRelation& relation, const std::string& unknown,
                             const DimensionSizes& sizes);
/// Returns whether `solve` can find the symbol: it stands alone, or in one term once.
bool is_solvable(const DimensionRelation& relation, const std::string& unknown);

}  // namespace partita::onnx
