// The families of ops, one file each. A new family is declared here and listed in registry.cpp.
#pragma once

#include <vector>

#include "engine/ops/op.h"

namespace partita {

std::vector<OpRecord> opaque_ops();       ///< opaque.cpp: unknown operators
std::vector<OpRecord> annotation_ops();   ///< annotation.cpp: compiler_begin, compiler_end, stop_fusion, ...
std::vector<OpRecord> elementwise_ops();  ///< elementwise.cpp: unary, binary with broadcasting, comparison, cast, clip
std::vector<OpRecord> reduce_ops();       ///< reduce.cpp: sum, mean, max, argmax, ...
std::vector<OpRecord> transform_ops();    ///< transform.cpp: reshape, transpose, concatenate, split, take, zeros, ...
std::vector<OpRecord> nn_convolution_ops();       ///< nn_convolution.cpp: conv1d, conv2d, conv3d and transposed
std::vector<OpRecord> nn_dense_ops();             ///< nn_dense.cpp: dense, batch_matmul, matmul
std::vector<OpRecord> nn_expert_dense_ops();      ///< nn_expert_dense.cpp
std::vector<OpRecord> nn_linear_attention_ops();  ///< nn_linear_attention.cpp
std::vector<OpRecord> nn_pool_ops();              ///< nn_pool.cpp: max, average, global, adaptive
std::vector<OpRecord> nn_norm_ops();              ///< nn_norm.cpp: batch_norm, layer_norm, softmax, lrn, dropout, ...
std::vector<OpRecord> nn_rotary_ops();            ///< nn_rotary_embedding.cpp
std::vector<OpRecord> nn_spatial_ops();           ///< nn_spatial.cpp: pad, depth_to_space, dilate, ...
std::vector<OpRecord> nn_upsampling_ops();        ///< nn_upsampling.cpp: upsampling, upsampling3d
std::vector<OpRecord>
nn_activation_ops();                ///< nn_activation.cpp: relu, leaky_relu, prelu, bias_add, batch_flatten, ...
std::vector<OpRecord> qnn_ops();    ///< qnn.cpp: quantize, dequantize, requantize, qnn.conv2d, ...
std::vector<OpRecord> image_ops();  ///< image.cpp: resize2d, ...
std::vector<OpRecord> linear_algebra_ops();  ///< linear_algebra.cpp: det, inv

}  // namespace partita
