// Shared parts of the nn ops that move or enlarge images: nn_spatial.cpp and nn_upsampling.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/layout.h"
#include "engine/ops/op.h"

namespace partita {

/// Returns the data's sizes along `axes`, by the op's `layout` attribute.
Result<std::vector<int64_t>> plain_sizes(const TypeQuery& query, const Layout& layout, std::string_view axes);

/// The offsets of data and result along N, C, H, W (or N, C, D, H, W), in the op's layout.
struct ImageOffsets {
    std::vector<int64_t> data_sizes, result_sizes;
    std::vector<std::vector<int64_t>> data, result;
};
/// Fails if the shapes do not fit the layout, or elements have more than 8 bytes.
Result<ImageOffsets> image_offsets(const KernelCall& call, std::string_view axes);

/// Returns a record with the common parts of these ops.
OpRecord spatial_record(std::string name, std::string summary, std::vector<std::string> inputs, OpPattern pattern,
                        TypeRelation relation, std::string example);

}  // namespace partita
