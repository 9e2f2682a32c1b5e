#include "engine/ir/tensor.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "engine/ir/narrow_types.h"
#include "engine/support/large_memory.h"

namespace partita {

namespace {

std::shared_ptr<void> allocate_zeroed(size_t size) {
    std::shared_ptr<void> memory = allocate_large(size);
    std::memset(memory.get(), 0, size);
    return memory;
}

template <class Visitor>
auto with_element_type(DataType dtype, Visitor&& visit) {
    switch (dtype.code) {
        case DataType::Code::Int:
            if (dtype.bits <= 8) return visit(int8_t());
            if (dtype.bits == 16) return visit(int16_t());
            if (dtype.bits == 32) return visit(int32_t());
            return visit(int64_t());
        case DataType::Code::UInt:
            if (dtype.bits <= 8) return visit(uint8_t());
            if (dtype.bits == 16) return visit(uint16_t());
            if (dtype.bits == 32) return visit(uint32_t());
            return visit(uint64_t());
        default:
            if (dtype.bits == 64) return visit(double());
            return visit(float());
    }
}

}  // namespace

std::optional<int64_t> element_count(std::span<const int64_t> shape) {
    bool has_zero = false;
    int64_t count = 1;
    for (int64_t dim : shape) {
        if (dim < 0) return std::nullopt;
        if (dim == 0) has_zero = true;
        else if (__builtin_mul_overflow(count, dim, &count)) return std::nullopt;
    }
    return has_zero ? 0 : count;
}

std::string shape_to_string(std::span<const int64_t> shape) {
    std::string text = "(";
    for (size_t i = 0; i < shape.size(); ++i) {
        if (i) text += ", ";
        text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
    }
    return text + ")";
}

Tensor::Tensor(DataType dtype, std::vector<int64_t> shape) : dtype_(dtype), shape_(std::move(shape)) {
    auto count = element_count(shape_);
    int64_t size_in_bytes = 0;
    if (!count || __builtin_mul_overflow(*count, int64_t(dtype.bytes()), &size_in_bytes)) throw std::bad_alloc();
    size_ = *count;
    bytes_ = allocate_zeroed(size_t(size_in_bytes));
}

Tensor::Tensor(DataType dtype, std::vector<int64_t> shape, std::shared_ptr<DeferredBytes> bytes)
    : dtype_(dtype), shape_(std::move(shape)), size_(element_count(shape_).value_or(0)), deferred_(std::move(bytes)) {}

void* DeferredBytes::get() {
    if (void* bytes = ready_.load(std::memory_order_acquire)) return bytes;
    std::lock_guard lock(reading_);
    if (!bytes_) {
        bytes_ = read();
        kept();
    }
    ready_.store(bytes_.get(), std::memory_order_release);
    return bytes_.get();
}

std::shared_ptr<const void> DeferredBytes::lend() {
    std::lock_guard lock(reading_);
    return bytes_ ? bytes_ : read();
}

double Tensor::at(int64_t index) const {
    assert(index >= 0 && index < size_);
    if (!has_numbers(dtype_)) return std::numeric_limits<double>::quiet_NaN();
    if (dtype_.code == DataType::Code::BFloat) return bfloat_to_float(data<uint16_t>()[index]);
    if (dtype_ == kFloat16) return half_to_float(data<uint16_t>()[index]);
    if (dtype_.is_narrow_float()) return narrow_to_float(dtype_, data<uint8_t>()[index]);
    return with_element_type(dtype_, [&](auto zero) { return double(data<decltype(zero)>()[index]); });
}

void Tensor::set(int64_t index, double value) {
    assert(index >= 0 && index < size_);
    if (!has_numbers(dtype_)) return;
    if (dtype_.code == DataType::Code::BFloat) {
        data<uint16_t>()[index] = float_to_bfloat(float(value));
    } else if (dtype_ == kFloat16) {
        data<uint16_t>()[index] = float_to_half(float(value));
    } else if (dtype_.is_narrow_float()) {
        data<uint8_t>()[index] = float_to_narrow(dtype_, value);
    } else if (dtype_.is_narrow_integer()) {
        data<int8_t>()[index] = wrapped_to_narrow(dtype_, int64_t(value));
    } else {
        with_element_type(dtype_, [&](auto zero) { data<decltype(zero)>()[index] = decltype(zero)(value); });
    }
}

Tensor Tensor::clone() const {
    Tensor copy(dtype_, shape_);
    if (byte_size()) std::memcpy(copy.bytes(), bytes(), byte_size());
    return copy;
}

bool Tensor::identical(const Tensor& other) const {
    return dtype_ == other.dtype_ && shape_ == other.shape_ &&
           ((bytes_ == other.bytes_ && deferred_ == other.deferred_) || byte_size() == 0 ||
            (identity() != 0 && identity() == other.identity()) ||
            std::memcmp(bytes(), other.bytes(), byte_size()) == 0);
}

float bfloat_to_float(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

uint16_t float_to_bfloat(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return uint16_t(bits >> 16 | 0x40);
    return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float half_to_float(uint16_t bits) {
    uint32_t sign = uint32_t(bits & 0x8000) << 16;
    uint32_t exponent = bits >> 10 & 0x1f;
    uint32_t mantissa = bits & 0x3ff;
    if (exponent == 0) return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(std::ldexp(float(mantissa), -24)));
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

uint16_t float_to_half(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint16_t sign = uint16_t(bits >> 16 & 0x8000);
    float magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00;
    if (magnitude >= 65520.0f) return sign | 0x7c00;
    if (magnitude < 0x1p-14f) return uint16_t(sign | uint16_t(std::nearbyint(std::ldexp(magnitude, 24))));
    uint32_t rounded = (bits & 0x7fffffff) + 0xfff + (bits >> 13 & 1);
    return uint16_t(sign | ((rounded >> 13) - (112 << 10)));
}

}  // namespace partita
