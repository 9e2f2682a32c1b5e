#include "engine/ops/element_conversions.h"

#include <algorithm>
#include <cstring>

#include "engine/ops/element_types.h"

namespace partita {

namespace {

template <class From, class To>
void convert_run(const void* from, void* to, int64_t count) {
    const From* __restrict source = static_cast<const From*>(from);
    To* __restrict target = static_cast<To*>(to);
    for (int64_t i = 0; i < count; ++i) target[i] = convert_element<To>(source[i]);
}

template <size_t kBytes>
void copy_run(const void* from, void* to, int64_t count) {
    std::memcpy(to, from, size_t(count) * kBytes);
}

ConvertElements copy_of(size_t bytes) {
    ConvertElements copy = nullptr;
    with_element_size(bytes, [&](auto tag) { copy = copy_run<sizeof(typename decltype(tag)::type)>; });
    return copy;
}

}  // namespace

template <class T>
ConvertElements reader_of(DataType dtype) {
    ConvertElements found = nullptr;
    with_element_type(dtype, [&](auto tag) { found = convert_run<typename decltype(tag)::type, T>; });
    return found;
}

template <class T>
ConvertElements writer_of(DataType dtype) {
    ConvertElements found = nullptr;
    with_element_type(dtype, [&](auto tag) { found = convert_run<T, typename decltype(tag)::type>; });
    return found;
}

template ConvertElements reader_of<float>(DataType);
template ConvertElements reader_of<double>(DataType);
template ConvertElements reader_of<int32_t>(DataType);
template ConvertElements reader_of<uint32_t>(DataType);
template ConvertElements reader_of<int64_t>(DataType);
template ConvertElements reader_of<uint64_t>(DataType);
template ConvertElements writer_of<float>(DataType);
template ConvertElements writer_of<double>(DataType);
template ConvertElements writer_of<int32_t>(DataType);
template ConvertElements writer_of<uint32_t>(DataType);
template ConvertElements writer_of<int64_t>(DataType);
template ConvertElements writer_of<uint64_t>(DataType);

ElementCast ElementCast::between(DataType from, DataType to) {
    ElementCast cast;
    cast.from_bytes = int64_t(from.bytes());
    cast.to_bytes = int64_t(to.bytes());
    if (from == to) {
        cast.first = copy_of(from.bytes());
        return cast;
    }
    const auto reads_all = [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, Exact<T>> || std::is_same_v<T, uint32_t>) cast.first = reader_of<T>(from);
    };
    const auto writes = [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, Exact<T>>) cast.first = reader_of<Exact<T>>(from);
        (cast.first ? cast.second : cast.first) = writer_of<Exact<T>>(to);
    };
    with_element_type(to, reads_all);
    if (!cast.first) with_element_type(from, writes);
    return cast;
}

void ElementCast::operator()(const void* from, void* to, int64_t count) const {
    if (!second) return first(from, to, count);
    constexpr int64_t kChunk = 256;
    uint64_t values[kChunk];
    for (int64_t begin = 0; begin < count; begin += kChunk) {
        const int64_t size = std::min(kChunk, count - begin);
        first(static_cast<const std::byte*>(from) + begin * from_bytes, values, size);
        second(values, static_cast<std::byte*>(to) + begin * to_bytes, size);
    }
}

void convert_elements(const ElementCast& cast, const void* from, void* to, int64_t count, ThreadPool& threads) {
    constexpr int64_t kElementsWorthAThread = 1 << 15;
    threads.parallel_for(count, kElementsWorthAThread, [&](int64_t begin, int64_t end) {
        cast(static_cast<const std::byte*>(from) + begin * cast.from_bytes,
             static_cast<std::byte*>(to) + begin * cast.to_bytes, end - begin);
    });
}

}  // namespace partita
