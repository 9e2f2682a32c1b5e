// The roles of a function's parameters, derived from their names and from the ops that use them.
#pragma once

#include <string>
#include <vector>

#include "engine/program/flat_graph.h"

namespace partita {

enum class ParameterRole : uint8_t {
    Data,      ///< changes from run to run
    Index,     ///< data that select elements of something else
    Mask,      ///< data that are 0 or 1
    Length,    ///< data that count elements of something else
    Weight,    ///< of a convolution, dense layer or similar op
    Bias,      ///< added for each channel
    Scale,     ///< multiplied for each channel
    Mean,      ///< of a normalization
    Variance,  ///< of a normalization: positive
};

struct Parameter {
    ParameterRole role = ParameterRole::Data;
    int64_t fan_in = 1;        ///< of a weight: number of products summed for one result
    int64_t index_limit = 10;  ///< of an index: number of elements to select from
};

/// Returns the role of each flattened parameter of a function, in order. A telling name decides (`conv1_weight`,
/// `bn_gamma`), otherwise the uses do. The result for a partitioned module equals that for the original.
std::vector<Parameter> classify_parameters(const Module& module, ExprId function, const FlatGraph& written_out);

/// The distribution of a parameter's generated values.
struct ValueRange {
    enum class Kind : uint8_t {
        Normal,  ///< standard normal; ignores low and high
        Real,    ///< uniform between low and high
        Whole,   ///< uniform between low and high, rounded down
    };
    Kind kind = Kind::Normal;
    double low = 0, high = 1;
};
ValueRange value_range(const Parameter& parameter, DataType dtype);

/// Returns whether the parameter keeps its value from run to run. What changes stands first in ParameterRole.
inline bool is_fixed(const Parameter& parameter) { return parameter.role > ParameterRole::Length; }

}  // namespace partita
