// The sizes that an import uses for the named dimensions of a model's inputs: those given, those that follow from
// them, and 1 for what nothing determines.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/dimension_relation.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/onnx/named_dimension.h"
#include "engine/support/diagnostic.h"

namespace partita::onnx {

/// The name of a dimension as options and messages use it: "?" for one without a name, and no more than 200 bytes.
std::string symbol_of(const Dimension& dimension);

/// What an import found: the model gives a value this name, but the graph computes another size.
struct DimensionMismatch {
    std::string symbol;
    int64_t size = 0;   ///< as the graph computes it
    std::string where;  ///< "dimension 2 of 'present.0.key'"
};

class DimensionValues {
public:
    /// Relations come from names that are sums ("past + seq"), and from what inputs of decoders are called: the length
    /// of `attention_mask` is that of `past*` and of `input_ids` together.
    DimensionValues(std::span<const ValueInfo* const> inputs, const DimensionSizes& given);

    /// Determines all sizes. Refuses given ones that contradict a relation of the model, or that nothing solves.
    Status solve();
    /// Drops given sizes of what the model states to be a sum. Call solve() again.
    void forget_sums();
    /// Sets a size that follows from the graph. Call solve() again.
    void derive(const DimensionMismatch& found);

    /// Returns the size of a dimension of an input.
    int64_t size(const Dimension& dimension) const;
    /// Returns the size of a name; nothing if no input has it.
    std::optional<int64_t> find(std::string_view symbol) const;
    NamedDimension::Source source(std::string_view symbol) const;
    /// Returns "past = 3, seq = 1": the sizes but for one name.
    std::string others(std::string_view symbol) const;
    const std::vector<NamedDimension>& dimensions() const { return dimensions_; }

private:
    void add_symbol(const std::string& symbol);
    void add_usual_relation(std::span<const ValueInfo* const> inputs);
    void determine(const std::string& symbol, int64_t size, NamedDimension::Source source, std::string relation);
    Status follow();
    Status apply(const DimensionRelation& relation);
    const NamedDimension* named(std::string_view symbol) const;

    std::vector<NamedDimension> dimensions_;  ///< in the order of the inputs
    std::map<std::string, size_t, std::less<>> places_;
    std::vector<DimensionRelation> relations_;
    std::map<std::string, std::vector<size_t>> relations_of_;
    DimensionSizes given_, sizes_;
    std::map<std::string, DimensionMismatch> derived_;
    std::deque<size_t> waiting_;  ///< relations of which a symbol was determined
};

}  // namespace partita::onnx
