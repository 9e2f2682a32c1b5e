// Generated graphs of any size, for benchmarks and property tests: float32 elementwise operators of the registry, with
// types, so that neither a file nor type inference is needed. The same arguments give the same module on any machine.
// Linear in the number of operators.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"

namespace partita {

enum class GraphKind : uint8_t {
    Random,  ///< binary and unary ops over earlier values, tuples, split, concatenate
    Chain,   ///< each op uses the previous one
    Ladder,  ///< a row of diamonds: two ops use the previous one, a third joins them
    Wide,    ///< many ops over the input, joined by a balanced tree
};

struct GraphName {
    GraphKind kind = GraphKind::Random;
    int64_t operators = 0;
};

/// Parses `random:N`, `chain:N`, `ladder:N`, `wide:N` with 1 <= N <= 10,000,000. Returns nothing if the text does not
/// begin with one of these words and a colon; an error if the number is invalid.
std::optional<Result<GraphName>> parse_graph_name(std::string_view text);

struct GenerateOptions {
    int inputs = 4;      ///< parameters of @main
    int outputs = 1;     ///< of a random graph; more than one make @main return a tuple
    bool tuples = true;  ///< of a random graph: also split, projections, tuples and concatenate
    int64_t rows = 4;
    int64_t columns = 8;  ///< must be even
};

/// Returns a typed module whose @main has exactly `operators` calls, all of which contribute to the result. Fails only
/// if the registry lacks an op.
Result<Module> generate_graph(GraphKind kind, int64_t operators, uint64_t seed, const GenerateOptions& options = {});

}  // namespace partita
