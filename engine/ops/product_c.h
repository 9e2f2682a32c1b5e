// Matrix products in C that a compiler keeps in vector registers: a block of results at a time, each operand element
// read once for several of them. As in Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
// 2008. Vectors are GCC's and Clang's extension (`vector_size`), 64 bytes on every machine.
#pragma once

#include <string>
#include <vector>

#include "engine/ops/c_writer.h"

namespace partita {

inline constexpr int64_t kVectorBytes = 64;

/// Writes `typedef TYPE lanes __attribute__((...));`: an unaligned vector of `sum_type`.
void declare_lanes(CWriter& code, const std::string& sum_type);
/// Returns its number of elements.
int64_t lane_count(const std::string& sum_type);

/// An innermost block of a product: `rows` scalars of the left operand times two vectors of the right one, summed over
/// k from 0 to `depth`.
struct PanelBlock {
    int64_t rows = 8;
    std::string sum_type;
    std::string depth;              ///< C expressions from here on
    std::string panel;              ///< of type lanes (*)[2], one pair for each k
    std::string sums;               ///< of type lanes (*)[2], one pair for each row: added to
    std::vector<std::string> left;  ///< for each row: the scalar for k
};
void write_panel_block(CWriter& code, const PanelBlock& block);

/// A block of sums over k of left[r][k] * right[c][k], both of `sum_type` and with k innermost.
struct DotBlock {
    std::string sum_type;
    int64_t depth = 0;
    std::vector<std::string> left, right;           ///< pointers, as C expressions
    std::vector<std::vector<std::string>> results;  ///< by row, then column: the destination of the sum
};
void write_dot_block(CWriter& code, const DotBlock& block);

}  // namespace partita
