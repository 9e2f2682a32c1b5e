// Memory for tensors. Blocks of megabytes use pages of 2 MiB if the system has them: a core that streams through
// weights reads 34 GB/s from those and 20 GB/s from pages of 4 KiB (measured on an AMD EPYC).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace partita {

/// Aligned to at least 64 bytes; not initialized. Throws std::bad_alloc, also if the memory is not available: Linux
/// grants more addresses than it has memory, and later kills a process that uses them.
std::shared_ptr<void> allocate_large(size_t bytes);

/// Requests pages of 2 MiB for a block that was allocated and not yet written to: random access to tables of a million
/// entries then spends less on page faults and address translation. Does nothing for small blocks.
void prefer_large_pages(const void* memory, size_t bytes);

/// For programs that run the passes again and again, such as a window: keeps up to 64 MB of freed memory in the
/// process, so that the system need not clear pages for the next run (glibc's mallopt(3); else does nothing).
void keep_freed_memory();

/// Does `vector.reserve(count)`, in large pages.
template <class T>
void reserve_in_large_pages(std::vector<T>& vector, size_t count) {
    if (count <= vector.capacity()) return;
    vector.reserve(count);
    prefer_large_pages(vector.data() + vector.size(), (vector.capacity() - vector.size()) * sizeof(T));
}
/// Does `vector.assign(count, value)`, in large pages.
template <class T>
void fill_in_large_pages(std::vector<T>& vector, size_t count, const T& value = T()) {
    vector.clear();
    reserve_in_large_pages(vector, count);
    vector.assign(count, value);
}

/// Many blocks that are freed together: small ones share pages.
class MemoryPool {
public:
    /// Aligned to 64 bytes; lives as long as the pool.
    void* take(size_t bytes);

private:
    std::vector<std::shared_ptr<void>> chunks_;
    std::byte* next_ = nullptr;
    size_t left_ = 0, taken_ = 0;
};

}  // namespace partita
