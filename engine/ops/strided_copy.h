// Copies of elements between two tensors whose places are sums of index times stride, such as transpose, slice, split,
// concatenate, tile, repeat, reverse, broadcast and most layout transformations. Such an op is a function that returns
// its copies; the kernel and the generated C both come from it.
#pragma once

#include <vector>

#include "engine/ops/data_movement.h"
#include "engine/ops/op.h"

namespace partita {

/// for i in extents: to[to_offset + sum i * to_strides] = from[from_offset + sum i * from_strides]
struct StridedCopy {
    std::vector<int64_t> extents;
    std::vector<int64_t> from_strides;
    std::vector<int64_t> to_strides;
    int64_t from_offset = 0;
    int64_t to_offset = 0;

    void add_extent(int64_t extent, int64_t from_stride, int64_t to_stride) {
        extents.push_back(extent);
        from_strides.push_back(from_stride);
        to_strides.push_back(to_stride);
    }
};

/// One copy of an op: from an input to an output.
struct TensorCopy {
    size_t input = 0;
    size_t output = 0;
    StridedCopy copy;
};

/// The input of an op's planner.
struct CopyQuery {
    std::span<const std::span<const int64_t>> inputs;   ///< shapes
    std::span<const std::span<const int64_t>> outputs;  ///< shapes
    AttributesView attributes;
};
using CopyPlanner = std::vector<TensorCopy> (*)(const CopyQuery& query);

/// Returns row-major strides, in elements.
std::vector<int64_t> row_major_strides(std::span<const int64_t> shape);

/// Returns the same copy without extents of 1, with neighbours joined that move together.
StridedCopy simplified(const StridedCopy& copy);

/// Elements have 1, 2, 4 or 8 bytes.
void run_copy(const StridedCopy& copy, const void* from, void* to, size_t element_bytes, ThreadPool& threads);
/// Appends the copy as nested loops.
void write_copy(const StridedCopy& copy, const std::string& from, const std::string& to, std::string& code, int indent);

Status run_copies(CopyPlanner planner, const KernelCall& call);
Status write_copies(CopyPlanner planner, const CLoops& loops);

/// The kernel and C emitter of an op from its planner.
template <CopyPlanner Planner>
Status copies_kernel(const KernelCall& call) {
    return run_copies(Planner, call);
}
template <CopyPlanner Planner>
Status copies_in_c(const CLoops& loops) {
    return write_copies(Planner, loops);
}

/// Returns the record of an op that only copies.
template <CopyPlanner Planner>
OpRecord copies_op(std::string name, std::string summary, std::vector<std::string> inputs, TypeRelation relation) {
    OpRecord op =
        data_movement_op(std::move(name), std::move(summary), std::move(inputs), relation, copies_kernel<Planner>);
    op.c_loops = copies_in_c<Planner>;
    return op;
}

}  // namespace partita
