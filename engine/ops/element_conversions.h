// Conversions of consecutive elements between their type and one that kernels compute in, as the op `cast`: integers
// wrap, floating-point numbers saturate. Compiled once for all kernels.
#pragma once

#include "engine/ir/data_type.h"
#include "engine/support/thread_pool.h"

namespace partita {

/// `from` and `to` do not overlap.
using ConvertElements = void (*)(const void* from, void* to, int64_t count);

/// Returns how elements of a type become values of T: float, double, int32_t, uint32_t, int64_t or uint64_t. Null for
/// types without a kernel.
template <class T>
ConvertElements reader_of(DataType dtype);
/// Returns how values of T become elements of a type.
template <class T>
ConvertElements writer_of(DataType dtype);

/// How elements of one type become those of another: in one step, or by values between them.
struct ElementCast {
    ConvertElements first = nullptr;
    ConvertElements second = nullptr;  ///< null if the first is all
    int64_t from_bytes = 0, to_bytes = 0;

    /// Both types must have kernels.
    static ElementCast between(DataType from, DataType to);
    void operator()(const void* from, void* to, int64_t count) const;
};

/// Converts `count` elements, large numbers of them in several threads.
void convert_elements(const ElementCast& cast, const void* from, void* to, int64_t count, ThreadPool& threads);

}  // namespace partita
