// The dimensions that a model's inputs name instead of giving their sizes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partita {

struct NamedDimension {
    enum class Source : uint8_t {
        Given,    ///< by the options
        Derived,  ///< from others, by a relation that the model states
        Assumed,  ///< 1, because nothing determines it
    };
    std::string name;  ///< "?" stands for all without a name
    int64_t value = 1;
    Source source = Source::Assumed;
    std::string relation;                             ///< of a derived one: "past + seq"; "" if the graph computes it
    std::string found_at;                             ///< of one that the graph computes: "dimension 0 of 'y'"
    std::vector<std::pair<std::string, int>> inputs;  ///< ONNX names of the inputs and axes where it stands
};

/// Returns the dimension of a name; null if there is none.
inline const NamedDimension* find_dimension(const std::vector<NamedDimension>& dimensions, std::string_view name) {
    for (const NamedDimension& dimension : dimensions)
        if (dimension.name == name) return &dimension;
    return nullptr;
}

}  // namespace partita
