// What the parameters of a function are for, told from their names and from the ops that use them.
#pragma once

#include <string>
#include <vector>

#include "engine/program/flat_graph.h"

namespace partita {

enum class ParameterRole : uint8_t {
    Data,      ///< changes from run to run
    Index,     ///< data that picks elements of something else
    Weight,    ///< of a convolution, dense layer and the like
    Bias,      ///< added for each channel
    Scale,     ///< multiplied for each channel
    Mean,      ///< of a normalization
    Variance,  ///< of a normalization: positive
};

struct Parameter {
    ParameterRole role = ParameterRole::Data;
    int64_t fan_in = 1;        ///< of a weight: how many products are summed for one result
    int64_t index_limit = 10;  ///< of an index: how many elements there are to pick from
};

/// One for each flattened parameter of a function, in their order. Names decide where they are telling
/// (`conv1_weight`, `bn_gamma`), otherwise uses do. The answer for a partitioned module is the one for the original.
std::vector<Parameter> classify_parameters(const Module& module, ExprId function, const FlatGraph& written_out);

/// From what the made-up values of a parameter are drawn.
struct ValueRange {
    enum class Kind : uint8_t {
        Normal,  ///< standard normal; low and high mean nothing
        Real,    ///< uniform between low and high
        Whole,   ///< the same, rounded down
    };
    Kind kind = Kind::Normal;
    double low = 0, high = 1;
};
ValueRange value_range(const Parameter& parameter, DataType dtype);

/// Whether the parameter keeps its value from run to run.
inline bool is_fixed(const Parameter& parameter) {
    return parameter.role != ParameterRole::Data && parameter.role != ParameterRole::Index;
}

}  // namespace partita
