// Tensors in the type in which a kernel computes: in place if they have it already, else as a copy.
//
// A kernel whose inner loop exists for float, double and wrapping integers supports every other element type this way.
#pragma once

#include <memory>

#include "engine/ops/element_types.h"
#include "engine/ops/op.h"

namespace partita {

/// Whether a tensor's elements are T in memory; uint32_t also matches int32, uint64_t int64.
template <class T>
bool is_stored_as(DataType dtype) {
    if (dtype.lanes != 1) return false;
    if constexpr (std::is_floating_point_v<T>)
        return dtype.code == DataType::Code::Float && dtype.bits == sizeof(T) * 8;
    else return dtype.is_integer() && dtype.bits == sizeof(T) * 8;
}

/// Converts a wide value to T: integers wrap, floating point is clamped to an integer's range.
template <class T, class From>
T to_computed(From value) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<T>)
        return T(saturate<std::make_signed_t<T>>(value));
    else return T(value);
}

template <class Element, class T>
Element from_computed(T value) {
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<Wide<Element>>)
        return Element(Wide<Element>(std::make_signed_t<T>(value)));
    else return convert_element<Element>(value);
}

inline constexpr int64_t kConversionGrain = 1 << 15;

template <class T>
class ConvertedInput {
public:
    ConvertedInput(const TensorView& tensor, ThreadPool& threads) {
        if (is_stored_as<T>(tensor.dtype)) {
            data_ = static_cast<const T*>(tensor.data);
            return;
        }
        int64_t size = tensor.size();
        copy_.reset(new T[size_t(size)]);
        bool known = with_element_type(tensor.dtype, [&](auto tag) {
            using Element = typename decltype(tag)::type;
            const Element* from = tensor.as<Element>();
            threads.parallel_for(size, kConversionGrain, [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) copy_[size_t(i)] = to_computed<T>(Wide<Element>(from[i]));
            });
        });
        if (known) data_ = copy_.get();
    }
    /// Returns null if the element type has no kernel.
    const T* data() const { return data_; }

private:
    std::unique_ptr<T[]> copy_;
    const T* data_ = nullptr;
};

template <class T>
class ConvertedOutput {
public:
    explicit ConvertedOutput(const TensorView& tensor) : tensor_(tensor) {
        if (is_stored_as<T>(tensor.dtype)) {
            data_ = static_cast<T*>(tensor.data);
        } else if (with_element_type(tensor.dtype, [](auto) {})) {
            copy_.reset(new T[size_t(tensor.size())]);
            data_ = copy_.get();
        }
    }
    /// Returns null if the element type has no kernel.
    T* data() { return data_; }
    /// Writes the tensor if it was not written in place.
    void store(ThreadPool& threads) {
        if (!copy_) return;
        with_element_type(tensor_.dtype, [&](auto tag) {
            using Element = typename decltype(tag)::type;
            Element* to = tensor_.as<Element>();
            threads.parallel_for(tensor_.size(), kConversionGrain, [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) to[i] = from_computed<Element>(copy_[size_t(i)]);
            });
        });
    }

private:
    TensorView tensor_;
    std::unique_ptr<T[]> copy_;
    T* data_ = nullptr;
};

template <class T>
struct ComputedTag {
    using type = T;
};

/// Calls visit(ComputedTag<T>()) with the type in which sums of products are computed: double if a type is float64,
/// float for other floating-point results, else an unsigned integer as wide as the result, which wraps.
template <class Visitor>
auto with_product_type(DataType first, DataType second, DataType result, Visitor&& visit) {
    bool is_double = false;
    for (DataType dtype : {first, second, result}) is_double |= dtype == kFloat64;
    if (is_double) return visit(ComputedTag<double>());
    if (result.is_float() || first.is_float() || second.is_float()) return visit(ComputedTag<float>());
    if (result.bits == 64) return visit(ComputedTag<uint64_t>());
    return visit(ComputedTag<uint32_t>());
}

/// Returns true if a conversion would lose fractions: Relay converts operands to the result's type before it
/// multiplies, and no kernel does that.
inline bool loses_fractions(DataType first, DataType second, DataType result) {
    return !result.is_float() && (first.is_float() || second.is_float());
}

/// Calls visit(ComputedTag<T>()) with the type in which functions of real numbers are computed: float for the
/// floating-point types up to 32 bits, double for float64 and integers.
template <class Visitor>
auto with_real_type(DataType dtype, Visitor&& visit) {
    if (dtype.is_float() && dtype.bits <= 32) return visit(ComputedTag<float>());
    return visit(ComputedTag<double>());
}

/// Returns the error of a kernel whose element types have no C++ type: "nn.conv2d of int4 is not supported on default".
inline Diagnostic unsupported_types(const KernelCall& call) {
    std::string types;
    for (const TensorView& input : call.inputs) types += (types.empty() ? "" : " and ") + input.dtype.to_string();
    return error(call.attributes.op().name + " of " + types + " is not supported on default");
}

}  // namespace partita
