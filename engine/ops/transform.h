// The parts of the transform family, one file each; transform.cpp joins them.
#pragma once

#include <vector>

#include "engine/ops/op.h"

namespace partita {

std::vector<OpRecord>
transform_shape_ops();                       ///< transform_shape.cpp: reshape, expand_dims, squeeze, ... keep the order
std::vector<OpRecord> transform_move_ops();  ///< transform_move.cpp: transpose, tile, reverse, layout_transform, ...
std::vector<OpRecord> transform_slice_ops();   ///< transform_slice.cpp: concatenate, stack, split, strided_slice, ...
std::vector<OpRecord> transform_make_ops();    ///< transform_make.cpp: zeros, full, arange, one_hot, shape_of, ...
std::vector<OpRecord> transform_gather_ops();  ///< transform_gather.cpp: take, gather, scatter, ...
std::vector<OpRecord> transform_sort_ops();    ///< transform_sort.cpp: sort, argsort, topk, cumsum, ...

}  // namespace partita
