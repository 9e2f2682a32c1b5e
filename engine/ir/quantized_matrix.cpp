#include "engine/ir/quantized_matrix.h"

#include <algorithm>

#include "engine/support/hash.h"
#include "engine/support/large_memory.h"

namespace partita {

namespace {

/// Number `index` of those that are packed into bytes.
uint8_t unpacked(const uint8_t* bytes, int64_t index, int bits) {
    const int64_t bit = index * bits;
    return uint8_t(bytes[bit / 8] >> bit % 8) & uint8_t((1 << bits) - 1);
}

class DequantizedBytes : public DeferredBytes {
public:
    explicit DequantizedBytes(QuantizedMatrix matrix) : matrix_(std::move(matrix)) {}

    uint64_t identity() const override {
        uint64_t hash = hash_combine(uint64_t(matrix_.block), uint64_t(matrix_.bits));
        for (const Tensor* part : {&matrix_.integers, &matrix_.scales, &matrix_.zeros}) {
            if (part->defined() && part->identity() == 0) return 0;
            hash = hash_combine(hash, part->identity());
        }
        return hash | 1;
    }
    const QuantizedMatrix* quantized() const override { return &matrix_; }

private:
    std::shared_ptr<void> read() override {
        std::shared_ptr<void> memory = allocate_large(size_t(matrix_.rows) * size_t(matrix_.depth) * sizeof(float));
        const std::shared_ptr<const void> integers = matrix_.integers.lent_bytes(),
                                          scales = matrix_.scales.lent_bytes();
        const std::shared_ptr<const void> zeros = matrix_.zeros.lent_bytes();
        for (int64_t row = 0; row < matrix_.rows; ++row)
            read_row(static_cast<const uint8_t*>(integers.get()) + row * matrix_.blocks() * matrix_.bytes_of_block(),
                     static_cast<const float*>(scales.get()) + row * matrix_.blocks(),
                     zeros ? static_cast<const uint8_t*>(zeros.get()) + row * matrix_.bytes_of_zeros() : nullptr,
                     static_cast<float*>(memory.get()) + row * matrix_.depth);
        return memory;
    }
    void read_row(const uint8_t* integers, const float* scales, const uint8_t* zeros, float* row) const {
        for (int64_t b = 0; b < matrix_.blocks(); ++b) {
            const int zero = zeros ? unpacked(zeros, b, matrix_.bits) : 1 << (matrix_.bits - 1);
            const int64_t begin = b * matrix_.block, end = std::min(begin + matrix_.block, matrix_.depth);
            for (int64_t k = begin; k < end; ++k)
                row[k] = float(unpacked(integers, k - begin, matrix_.bits) - zero) * scales[b];
            integers += matrix_.bytes_of_block();
        }
    }

    const QuantizedMatrix matrix_;
};

}  // namespace

Tensor tensor_of(QuantizedMatrix matrix) {
    std::vector<int64_t> shape{matrix.rows, matrix.depth};
    return Tensor(kFloat32, std::move(shape), std::make_shared<DequantizedBytes>(std::move(matrix)));
}

}  // namespace partita
