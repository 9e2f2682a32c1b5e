// Tensors in memory: dense, row-major, in the host's byte order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/ir/data_type.h"

namespace partita {

/// Returns the number of elements; nothing if a dimension is negative or the product does not fit into 63 bits.
std::optional<int64_t> element_count(std::span<const int64_t> shape);
/// Returns "(1, 3, 224, 224)"; an unknown dimension (-1) is "?".
std::string shape_to_string(std::span<const int64_t> shape);

/// Thrown if bytes cannot be read on first access; what() names the file and a remedy. Code that starts work on a
/// module's values catches it, like std::bad_alloc.
class DataLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct QuantizedMatrix;

/// Bytes that are read on first access and then kept: a model that is only viewed uses no memory for its weights.
/// Thread-safe.
class DeferredBytes {
public:
    DeferredBytes() = default;
    virtual ~DeferredBytes() = default;
    DeferredBytes(const DeferredBytes&) = delete;
    DeferredBytes& operator=(const DeferredBytes&) = delete;

    /// Throws DataLost or std::bad_alloc; the next call tries again.
    void* get();
    bool is_ready() const { return ready_ != nullptr; }
    /// The bytes for one look: they are not kept unless they are already. Throws as get().
    std::shared_ptr<const void> lend();
    /// Stands for the bytes without reading them: equal numbers, equal bytes. 0: not known.
    virtual uint64_t identity() const { return 0; }
    /// What the numbers are made of, if they are dequantized weights; else null.
    virtual const QuantizedMatrix* quantized() const { return nullptr; }

protected:
    /// Returns memory aligned to 64 bytes.
    virtual std::shared_ptr<void> read() = 0;
    /// The bytes are kept now: read() will not be called again.
    virtual void kept() {}

private:
    std::atomic<void*> ready_ = nullptr;
    std::mutex reading_;
    std::shared_ptr<void> bytes_;
};

/// A tensor that shares its bytes with its copies. Bytes are aligned to 64.
class Tensor {
public:
    Tensor() = default;
    /// Zero-filled. The element count must be valid and small enough (callers check sizes that come from users
    /// with `element_count`); throws std::bad_alloc when memory runs out.
    Tensor(DataType dtype, std::vector<int64_t> shape);
    /// With deferred bytes, each access (bytes, data, at, set, clone, identical) may throw DataLost.
    Tensor(DataType dtype, std::vector<int64_t> shape, std::shared_ptr<DeferredBytes> bytes);

    template <class T>
    static Tensor scalar(DataType dtype, T value) {
        Tensor tensor(dtype, {});
        *tensor.data<T>() = value;
        return tensor;
    }

    bool defined() const { return bytes_ || deferred_; }
    /// False for deferred bytes that nobody has asked for yet.
    bool in_memory() const { return !deferred_ || deferred_->is_ready(); }
    DataType dtype() const { return dtype_; }
    const std::vector<int64_t>& shape() const { return shape_; }
    size_t rank() const { return shape_.size(); }
    int64_t size() const { return size_; }
    size_t byte_size() const { return size_t(size_) * dtype_.bytes(); }

    void* bytes() { return deferred_ ? deferred_->get() : bytes_.get(); }
    const void* bytes() const { return deferred_ ? deferred_->get() : bytes_.get(); }
    /// Equal numbers, equal bytes. 0: only a look at the bytes tells.
    uint64_t identity() const { return deferred_ ? deferred_->identity() : 0; }
    /// What its numbers are made of, if they are dequantized weights; else null. Lives as long as the bytes.
    const QuantizedMatrix* quantized() const { return deferred_ ? deferred_->quantized() : nullptr; }
    /// The bytes for one look, by which a model that is written costs the memory of one tensor; as DeferredBytes::lend.
    std::shared_ptr<const void> lent_bytes() const { return deferred_ ? deferred_->lend() : bytes_; }
    template <class T>
    T* data() {
        return static_cast<T*>(bytes());
    }
    template <class T>
    const T* data() const {
        return static_cast<const T*>(bytes());
    }

    /// Returns the element at a row-major index as a double; for printing and comparing, not for speed.
    double at(int64_t index) const;
    /// Sets the element at a row-major index from a double, rounding toward zero for integers.
    void set(int64_t index, double value);
    Tensor clone() const;
    /// Compares dtype, shape and bytes.
    bool identical(const Tensor& other) const;

private:
    DataType dtype_;
    std::vector<int64_t> shape_;
    int64_t size_ = 0;
    std::shared_ptr<void> bytes_;  ///< or
    std::shared_ptr<DeferredBytes> deferred_;
};

float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);
float bfloat_to_float(uint16_t bits);
/// Rounds to nearest, ties to even.
uint16_t float_to_bfloat(float value);

}  // namespace partita
