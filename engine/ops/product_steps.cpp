#include "engine/ops/product_steps.h"

#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// A part of the result that has its sums.
struct ProductPiece {
    const ProductResult& result;
    int64_t row, rows, column, columns;
};

inline float hard_sigmoid_of(float x) {
    const float line = x * (1.0F / 6) + 0.5F;
    return line < 0 ? 0 : line > 1 ? 1 : line;
}

template <class Function>
PARTITA_INLINED void change_each(const ProductPiece& piece, const Function& change) {
    for (int64_t r = 0; r < piece.rows; ++r) {
        float* __restrict row = piece.result.values + (piece.row + r) * piece.result.columns + piece.column;
        for (int64_t j = 0; j < piece.columns; ++j) row[j] = change(row[j]);
    }
}

/// Adds a row of the operand to each row: the same one if the stride is 0.
PARTITA_INLINED void add_rows(const ProductPiece& piece, const float* operand, int64_t stride) {
    for (int64_t r = 0; r < piece.rows; ++r) {
        float* __restrict row = piece.result.values + (piece.row + r) * piece.result.columns + piece.column;
        const float* other = operand + (piece.row + r) * stride + piece.column;
        for (int64_t j = 0; j < piece.columns; ++j) row[j] += other[j];
    }
}

PARTITA_INLINED void finish_piece(const ProductPiece& piece) {
    for (const ProductStep& step : piece.result.steps) {
        const float alpha = step.alpha, beta = step.beta;
        switch (step.kind) {
            case ProductStep::Kind::Bias: add_rows(piece, piece.result.operands[step.operand], 0); break;
            case ProductStep::Kind::Sum:
                add_rows(piece, piece.result.operands[step.operand], piece.result.columns);
                break;
            case ProductStep::Kind::Relu: change_each(piece, [alpha](float x) { return x < 0 ? x * alpha : x; }); break;
            case ProductStep::Kind::Linear:
                change_each(piece, [alpha, beta](float x) { return x * alpha + beta; });
                break;
            case ProductStep::Kind::Clip:
                change_each(piece, [alpha, beta](float x) { return x < alpha ? alpha : x > beta ? beta : x; });
                break;
            case ProductStep::Kind::Sigmoid: change_each(piece, [](float x) { return sigmoid_of(x); }); break;
            case ProductStep::Kind::Swish:
                change_each(piece, [alpha](float x) { return x * sigmoid_of(alpha * x); });
                break;
            case ProductStep::Kind::HardSwish:
                change_each(piece, [](float x) { return x * hard_sigmoid_of(x); });
                break;
            case ProductStep::Kind::Gelu:
                change_each(piece, [](float x) { return 0.5F * x * (1 + error_function_of(x * 0.70710678F)); });
                break;
            case ProductStep::Kind::GeluTanh:
                // (1 + tanh(y)) / 2 is sigmoid(2 * y).
                change_each(piece, [](float x) { return x * sigmoid_of(1.5957691F * (x + 0.044715F * x * x * x)); });
                break;
        }
    }
}

PARTITA_TARGET_AVX512 void finish_piece_avx512(const ProductPiece& piece) { finish_piece(piece); }
PARTITA_TARGET_AVX2 void finish_piece_avx2(const ProductPiece& piece) { finish_piece(piece); }
void finish_piece_baseline(const ProductPiece& piece) { finish_piece(piece); }

auto product_finisher() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return finish_piece_avx512;
        case VectorUnit::Avx2: return finish_piece_avx2;
        case VectorUnit::Baseline: break;
    }
    return finish_piece_baseline;
}

}  // namespace

void finish_product(const ProductResult& result, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    static const auto finish = product_finisher();
    finish({result, row, rows, column, columns});
}

}  // namespace partita
