// Tensors in the type in which a kernel computes: in place if they have it already, else as a copy.
//
// A kernel whose inner loop exists for float, double and wrapping integers supports every other element type this way.
#pragma once

#include <memory>

#include "engine/ops/element_conversions.h"
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

template <class T>
class ConvertedInput {
public:
    ConvertedInput(const TensorView& tensor, ThreadPool& threads) {
        if (is_stored_as<T>(tensor.dtype)) {
            data_ = static_cast<const T*>(tensor.data);
        } else if (const ConvertElements reader = reader_of<T>(tensor.dtype)) {
            copy_.reset(new T[size_t(tensor.size())]);
            data_ = copy_.get();
            convert_elements({reader, nullptr, int64_t(tensor.dtype.bytes()), int64_t(sizeof(T))}, tensor.data,
                             copy_.get(), tensor.size(), threads);
        }
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
        } else if (writer_of<T>(tensor.dtype)) {
            copy_.reset(new T[size_t(tensor.size())]);
            data_ = copy_.get();
        }
    }
    /// Returns null if the element type has no kernel.
    T* data() { return data_; }
    /// Writes the tensor if it was not written in place.
    void store(ThreadPool& threads) {
        if (!copy_) return;
        convert_elements({writer_of<T>(tensor_.dtype), nullptr, int64_t(sizeof(T)), int64_t(tensor_.dtype.bytes())},
                         copy_.get(), tensor_.data, tensor_.size(), threads);
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
