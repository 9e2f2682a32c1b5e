// C++ types for the elements of tensors, and dispatch from a DataType to them.
//
// Each element type has a `Wide` type in which an op computes: float for the 16-bit floating-point types, int for bool,
// the type itself for the others. Reading an element converts to it, writing converts back.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "engine/ir/data_type.h"
#include "engine/ir/tensor.h"

namespace partita {

struct HalfElement {
    uint16_t bits;
    HalfElement() = default;
    explicit HalfElement(float value) : bits(float_to_half(value)) {}
    explicit operator float() const { return half_to_float(bits); }
};

struct BFloatElement {
    uint16_t bits;
    BFloatElement() = default;
    explicit BFloatElement(float value) : bits(float_to_bfloat(value)) {}
    explicit operator float() const { return bfloat_to_float(bits); }
};

/// A byte that is true if it is not zero; written as 0 or 1.
struct BoolElement {
    uint8_t byte;
    BoolElement() = default;
    explicit BoolElement(int value) : byte(value != 0) {}
    explicit operator int() const { return byte != 0; }
};

template <class T>
struct WideOf {
    using type = T;
};
template <>
struct WideOf<HalfElement> {
    using type = float;
};
template <>
struct WideOf<BFloatElement> {
    using type = float;
};
template <>
struct WideOf<BoolElement> {
    using type = int;
};
template <class T>
using Wide = typename WideOf<T>::type;

/// One of five types that holds every value of an element type: float, double, int32_t, int64_t or uint64_t. Sums,
/// products, comparisons and shifts of integers in it, converted back, are those of the element type.
template <class T>
using Exact =
    std::conditional_t<std::is_floating_point_v<Wide<T>> || std::is_same_v<T, uint64_t>, Wide<T>,
                       std::conditional_t<std::is_same_v<T, uint32_t> || std::is_same_v<T, int64_t>, int64_t, int32_t>>;

template <class T>
struct ElementTag {
    using type = T;
};

/// Calls visit(ElementTag<T>()) with the element type and returns true; false for types without a kernel (vectors, int4
/// and such).
template <class Visitor>
bool with_element_type(DataType dtype, Visitor&& visit) {
    if (dtype.lanes != 1) return false;
    switch (dtype.code) {
        case DataType::Code::Int:
            if (dtype.bits == 8) return visit(ElementTag<int8_t>()), true;
            if (dtype.bits == 16) return visit(ElementTag<int16_t>()), true;
            if (dtype.bits == 32) return visit(ElementTag<int32_t>()), true;
            if (dtype.bits == 64) return visit(ElementTag<int64_t>()), true;
            return false;
        case DataType::Code::UInt:
            if (dtype.bits == 1) return visit(ElementTag<BoolElement>()), true;
            if (dtype.bits == 8) return visit(ElementTag<uint8_t>()), true;
            if (dtype.bits == 16) return visit(ElementTag<uint16_t>()), true;
            if (dtype.bits == 32) return visit(ElementTag<uint32_t>()), true;
            if (dtype.bits == 64) return visit(ElementTag<uint64_t>()), true;
            return false;
        case DataType::Code::Float:
            if (dtype.bits == 16) return visit(ElementTag<HalfElement>()), true;
            if (dtype.bits == 32) return visit(ElementTag<float>()), true;
            if (dtype.bits == 64) return visit(ElementTag<double>()), true;
            return false;
        case DataType::Code::BFloat:
            if (dtype.bits == 16) return visit(ElementTag<BFloatElement>()), true;
            return false;
        default: return false;  // nothing is computed in narrow types
    }
    return false;
}

/// The same with ElementTag<Exact<T>>(): a kernel is compiled for five types.
template <class Visitor>
bool with_exact_type(DataType dtype, Visitor&& visit) {
    return with_element_type(dtype, [&](auto tag) { visit(ElementTag<Exact<typename decltype(tag)::type>>()); });
}

/// For kernels that only move elements: an unsigned type of `bytes` bytes.
template <class Visitor>
bool with_element_size(size_t bytes, Visitor&& visit) {
    switch (bytes) {
        case 1: return visit(ElementTag<uint8_t>()), true;
        case 2: return visit(ElementTag<uint16_t>()), true;
        case 4: return visit(ElementTag<uint32_t>()), true;
        case 8: return visit(ElementTag<uint64_t>()), true;
        default: return false;
    }
}

/// Returns 2 to the number of value bits of an integer type: the first number above its range, exact in floating point.
template <std::integral Integer, std::floating_point Float>
constexpr Float first_over_range() {
    return Float(2) * Float(uint64_t(1) << (std::numeric_limits<Integer>::digits - 1));
}

/// Converts a floating-point number to an integer, toward zero; clamps to the range; NaN becomes 0.
template <std::integral To, std::floating_point From>
To saturate(From value) {
    constexpr From over = first_over_range<To, From>();
    constexpr From lowest = std::is_signed_v<To> ? -over : From(0);
    if (value >= over) return std::numeric_limits<To>::max();
    if (value <= lowest) return std::numeric_limits<To>::min();
    return value == value ? To(value) : To(0);
}

/// Returns the larger of two numbers; NaN if one of them is.
template <class W>
W larger(W a, W b) {
    if constexpr (std::is_floating_point_v<W>) return a != a ? a : a > b ? a : b;
    else return a > b ? a : b;
}

/// Returns the smaller of two numbers; NaN if one of them is.
template <class W>
W smaller(W a, W b) {
    if constexpr (std::is_floating_point_v<W>) return a != a ? a : a < b ? a : b;
    else return a < b ? a : b;
}

/// Converts between wide types as the op `cast`: integers wrap, floating point saturates.
template <class To, class From>
To convert(From value) {
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) return saturate<To>(value);
    else return To(value);
}

/// Converts between element types.
template <class To, class From>
To convert_element(From value) {
    if constexpr (std::is_same_v<To, From>) return value;
    else if constexpr (std::is_same_v<To, BoolElement>) return BoolElement(Wide<From>(value) != Wide<From>(0));
    else return To(convert<Wide<To>>(Wide<From>(value)));
}

}  // namespace partita
