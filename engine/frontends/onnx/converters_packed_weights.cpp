// Operators of com.microsoft whose weights are quantized in blocks, several to a byte (docs/ContribOperators.md).
#include <algorithm>
#include <array>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"

namespace partita::onnx {

ExprId dequantized_constant(NodeContext& n, QuantizedMatrix matrix, ExprId integers, ExprId scales, ExprId zeros) {
    const auto known = [&](ExprId expr, DataType dtype, int64_t count) {
        const Tensor* value = n.build.value(expr);
        return value && value->dtype() == dtype && value->size() == count ? *value : Tensor();
    };
    matrix.integers = known(integers, kUInt8, matrix.rows * matrix.blocks() * matrix.bytes_of_block());
    matrix.scales = known(scales, kFloat32, matrix.rows * matrix.blocks());
    if (zeros.valid()) matrix.zeros = known(zeros, kUInt8, matrix.rows * matrix.bytes_of_zeros());
    if (!matrix.integers.defined() || !matrix.scales.defined() || zeros.valid() != matrix.zeros.defined()) return {};
    return n.build.constant(tensor_of(std::move(matrix)));
}

namespace {

using Exprs = std::vector<ExprId>;

/// The integers of `bits` bits that bytes hold, the lowest bits first, along the last axis.
ExprId unpacked(NodeContext& n, ExprId bytes, int64_t bits) {
    if (bits == 8) return bytes;
    Exprs parts;
    const ExprId mask = n.build.constant((1 << bits) - 1, kUInt8);
    for (int64_t shift = 0; shift < 8; shift += bits) {
        const ExprId moved = shift ? n.build.call("right_shift", {bytes, n.build.constant(shift, kUInt8)}) : bytes;
        parts.push_back(n.build.call("bitwise_and", {moved, mask}));
    }
    Integers shape = n.build.static_shape(bytes);
    if (shape.empty()) throw Fault{"the packed integers are a scalar", {}};
    shape.back() *= 8 / bits;
    return n.build.reshape(n.build.call("stack", {n.build.tuple(parts)}, {{"axis", -1}}), shape);
}

/// a times the transpose of a matrix [N, K] whose rows are quantized in blocks.
Exprs mat_mul_n_bits(NodeContext& n) {
    if (n.has(4)) throw Fault{"its input g_idx is not supported", {}};
    const int64_t bits = n.integer("bits", 4), block = n.integer("block_size", 0);
    const int64_t rows = n.integer("N", 0), depth = n.integer("K", 0);
    if (bits != 2 && bits != 4 && bits != 8)
        throw Fault{"weights of " + std::to_string(bits) + " bits are not supported", {}};
    if (block < 1 || rows < 1 || depth < 1 || block > (1 << 20) || rows > (1 << 30) || depth > (1 << 30))
        throw Fault{"block_size, N and K must be positive and not too large", {}};
    const int64_t blocks = (depth + block - 1) / block;
    const DataType dtype = n.build.dtype(n.input(0));
    const auto with_bias = [&](ExprId y) -> Exprs { return {n.has(5) ? n.build.add(y, n.input(5)) : y}; };
    const bool bounded = depth <= (int64_t(1) << 40) / rows;
    if (bounded && dtype == kFloat32 && n.build.rank(n.input(0)) > 1 && block * bits % 8 == 0)
        if (const ExprId weight = dequantized_constant(n, {rows, depth, block, int(bits), {}, {}, {}}, n.input(1),
                                                       n.input(2), n.optional_input(3));
            weight.valid())
            return with_bias(product_with_rows(n.build, n.input(0), weight));
    const int64_t by_block[] = {rows, blocks, block}, per_block[] = {rows, blocks, 1},
                  matrix[] = {rows, blocks * block};
    ExprId weight = n.build.reshape(n.build.cast(unpacked(n, n.input(1), bits), dtype), by_block);
    ExprId zero = n.build.real(double(1 << (bits - 1)), dtype);
    if (n.has(3)) {
        zero = n.input(3);
        if (n.build.dtype(zero) == kUInt8) {  // packed, each row to whole bytes
            const int64_t bytes = (blocks * bits + 7) / 8, packed[] = {rows, bytes};
            zero = n.build.slice(unpacked(n, n.build.reshape(zero, packed), bits), 1, 0, blocks);
        }
        zero = n.build.cast(n.build.reshape(zero, per_block), dtype);
    }
    weight =
        n.build.multiply(n.build.subtract(weight, zero), n.build.cast(n.build.reshape(n.input(2), per_block), dtype));
    weight = n.build.reshape(weight, matrix);
    if (blocks * block != depth) weight = n.build.slice(weight, 1, 0, depth);
    return with_bias(matrix_product(n.build, n.input(0), with_last_swapped(n.build, weight)));
}

/// The numbers that four bits stand for, by quant_type: a floating-point type of four bits, or the quantiles of a
/// normal distribution (Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs", 2023, appendix E).
constexpr std::array<std::array<float, 16>, 2> kFourBitNumbers = {{
    {0.0f, 5.208333333e-03f, 0.66666667f, 1.0f, 0.33333333f, 0.5f, 0.16666667f, 0.25f, -0.0f, -5.208333333e-03f,
     -0.66666667f, -1.0f, -0.33333333f, -0.5f, -0.16666667f, -0.25f},
    {-1.0f, -0.6961928009986877f, -0.5250730514526367f, -0.39491748809814453f, -0.28444138169288635f,
     -0.18477343022823334f, -0.09105003625154495f, 0.0f, 0.07958029955625534f, 0.16093020141124725f,
     0.24611230194568634f, 0.33791524171829224f, 0.44070982933044434f, 0.5626170039176941f, 0.7229568362236023f, 1.0f},
}};

/// a times the transpose of a matrix [N, K] of four-bit numbers, with the largest magnitude of each block.
Exprs mat_mul_four_bits(NodeContext& n) {
    const int64_t depth = n.integer("K", 0), rows = n.integer("N", 0), block = n.integer("block_size", 0),
                  type = n.integer("quant_type", 1);
    constexpr int64_t kMost = int64_t(1) << 40;
    if (depth < 1 || rows < 1 || block < 1 || depth > (1 << 30) || rows > kMost / depth || depth * rows % block)
        throw Fault{"K, N and block_size must be positive, and N x K a number of whole blocks", {}};
    if (type != 0 && type != 1) throw Fault{"its quant_type is neither 0 nor 1", {}};
    const DataType dtype = n.build.dtype(n.input(0));
    const ExprId bytes = n.input(1);
    const Exprs halves = {n.build.call("right_shift", {bytes, n.build.constant(4, kUInt8)}),
                          n.build.call("bitwise_and", {bytes, n.build.constant(15, kUInt8)})};
    Tensor numbers(kFloat32, {16});
    std::copy(kFourBitNumbers[size_t(type)].begin(), kFourBitNumbers[size_t(type)].end(), numbers.data<float>());
    const ExprId codes = n.build.cast(n.build.call("stack", {n.build.tuple(halves)}, {{"axis", -1}}), kInt32);
    const int64_t by_block[] = {rows * depth / block, block}, per_block[] = {rows * depth / block, 1},
                  matrix[] = {rows, depth};
    const ExprId parts = n.build.reshape(n.build.call("take", {n.build.constant(std::move(numbers)), codes}), by_block);
    const ExprId weight =
        n.build.multiply(n.build.cast(parts, dtype), n.build.cast(n.build.reshape(n.input(2), per_block), dtype));
    return {matrix_product(n.build, n.input(0), with_last_swapped(n.build, n.build.reshape(weight, matrix)))};
}

/// Rows of a table that is quantized in blocks along another axis.
class BlockGather {
public:
    explicit BlockGather(NodeContext& n)
        : n_(n), bits_(n.integer("bits", 4)), block_(n.integer("block_size", 128)), data_(n.input(0)),
          packed_(n.build.dtype(data_) == kUInt8) {
        if (bits_ != 4 && bits_ != 8)
            throw Fault{"weights of " + std::to_string(bits_) + " bits are not supported", {}};
        const int64_t rank = n.build.rank(data_);
        gather_axis_ = n.axis(n.integer("gather_axis", 0), rank);
        quantize_axis_ = n.axis(n.integer("quantize_axis", 1), rank);
        if (gather_axis_ == quantize_axis_ || block_ < 1 || (packed_ && quantize_axis_ != rank - 1))
            throw Fault{"these axes are not supported", {}};
    }

    ExprId convert() {
        const ExprId scale = rows_of(n_.input(2)), codes = rows_of(data_);
        const DataType dtype = n_.build.dtype(scale);
        const ExprId numbers = n_.build.cast(packed_ ? unpacked(n_, codes, bits_) : codes, dtype);
        const int64_t axis = quantize_axis_ + n_.build.rank(n_.input(1)) - 1,
                      extent = n_.build.static_shape(numbers)[size_t(axis)];
        ExprId zero = n_.build.real(packed_ ? double(1 << (bits_ - 1)) : 0, dtype);
        if (n_.has(3)) {
            ExprId given = rows_of(n_.input(3));
            if (packed_ && bits_ == 4)
                given = n_.build.slice(unpacked(n_, given, bits_), axis, 0, n_.build.static_shape(scale)[size_t(axis)]);
            zero = spread(n_.build.cast(given, dtype), axis, extent);
        }
        return n_.build.multiply(n_.build.subtract(numbers, zero), spread(scale, axis, extent));
    }

private:
    ExprId rows_of(ExprId table) { return n_.build.call("take", {table, n_.input(1)}, {{"axis", int(gather_axis_)}}); }
    ExprId spread(ExprId per_block, int64_t axis, int64_t extent) {
        const ExprId all = n_.build.call("repeat", {per_block}, {{"repeats", int(block_)}, {"axis", int(axis)}});
        return n_.build.slice(all, axis, 0, extent);
    }

    NodeContext& n_;
    int64_t bits_, block_, gather_axis_, quantize_axis_;
    ExprId data_;
    bool packed_;
};

Exprs gather_block_quantized(NodeContext& n) { return {BlockGather(n).convert()}; }

const ConverterEntry kRuntimePackedWeightConverters[] = {
    {"GatherBlockQuantized", gather_block_quantized},
    {"MatMulBnb4", mat_mul_four_bits},
    {"MatMulNBits", mat_mul_n_bits},
};

}  // namespace

std::span<const ConverterEntry> runtime_packed_weight_converters() { return kRuntimePackedWeightConverters; }

}  // namespace partita::onnx
