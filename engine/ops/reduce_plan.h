// The division of a tensor's elements into those of each result element.
#pragma once

#include <span>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// A walk over some dimensions of a tensor, row-major: returns the offset of each step.
class StridedWalk {
public:
    StridedWalk(std::span<const int64_t> extents, std::span<const int64_t> strides);
    int64_t count() const { return count_; }
    int64_t offset() const { return offset_; }
    void go_to(int64_t step);
    void next();

private:
    std::span<const int64_t> extents_, strides_;
    std::vector<int64_t> index_;
    int64_t count_ = 1;
    int64_t offset_ = 0;
};

/// The operand's dimensions, divided into kept and reduced ones; neighbours that move together are joined and
/// dimensions of 1 omitted. Strides are in elements of the operand.
struct ReducePlan {
    std::vector<int64_t> kept_extents, kept_strides;
    std::vector<int64_t> reduced_extents, reduced_strides;

    int64_t kept_count() const;
    int64_t reduced_count() const;
};

/// Returns the reduced axes, ascending: `axis` (all if None or empty), or with `exclude` all others.
Result<std::vector<int64_t>> reduced_axes(const AttributesView& attributes, size_t rank);
/// Returns the result's shape.
std::vector<int64_t> reduced_shape(std::span<const int64_t> shape, std::span<const int64_t> axes, bool keepdims);
ReducePlan make_reduce_plan(std::span<const int64_t> shape, std::span<const int64_t> axes);

}  // namespace partita
