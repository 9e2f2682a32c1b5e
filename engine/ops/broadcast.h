// Iteration over tensors that are broadcast to one result, row by row.
//
// Neighbouring dimensions along which all operands move together are joined, so that the common cases (same shape,
// scalar, channel vector) become one or two long loops. In a row each operand either moves by one element or stays.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

inline constexpr size_t kMaxBroadcastInputs = 3;
using BroadcastSteps = std::array<int64_t, kMaxBroadcastInputs>;

struct BroadcastPlan {
    /// `inputs` are shapes that broadcast to `result`.
    BroadcastPlan(std::span<const int64_t> result, std::span<const std::span<const int64_t>> inputs);

    std::vector<int64_t> extents;         ///< of the result; outermost first, never empty
    std::vector<BroadcastSteps> strides;  ///< for each extent, the step of each input in elements
    int64_t size = 1;                     ///< elements of the result
};

/// Calls body(offsets, position, count) for pieces of rows that cover the result: `offsets` are the first elements of
/// the piece in each input. Within it the inputs move by plan.strides.back(). Pieces run on several threads if there
/// are more than `grain` elements.
template <class Body>
void for_each_row(const BroadcastPlan& plan, ThreadPool& threads, int64_t grain, const Body& body) {
    if (plan.size == 0) return;
    threads.parallel_for(plan.size, grain, [&](int64_t begin, int64_t end) {
        size_t last = plan.extents.size() - 1;
        int64_t row_length = plan.extents[last];
        int64_t column = begin % row_length, rest = begin / row_length;
        std::vector<int64_t> index(last);
        BroadcastSteps row_offsets{};
        for (size_t d = last; d-- > 0;) {
            index[d] = rest % plan.extents[d];
            rest /= plan.extents[d];
            for (size_t i = 0; i < kMaxBroadcastInputs; ++i) row_offsets[i] += index[d] * plan.strides[d][i];
        }
        for (int64_t position = begin; position < end;) {
            int64_t count = std::min(row_length - column, end - position);
            BroadcastSteps offsets = row_offsets;
            for (size_t i = 0; i < kMaxBroadcastInputs; ++i) offsets[i] += column * plan.strides[last][i];
            body(offsets, position, count);
            position += count;
            column = 0;
            for (size_t d = last; d-- > 0;) {
                bool carry = ++index[d] == plan.extents[d];
                int64_t steps = carry ? 1 - plan.extents[d] : 1;
                if (carry) index[d] = 0;
                for (size_t i = 0; i < kMaxBroadcastInputs; ++i) row_offsets[i] += steps * plan.strides[d][i];
                if (!carry) break;
            }
        }
    });
}

}  // namespace partita
