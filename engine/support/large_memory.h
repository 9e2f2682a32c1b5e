// Memory for tensors. Blocks of megabytes lie in pages of 2 MiB where the system has them: a core that streams through
// weights reads 34 GB/s from those and 20 GB/s from pages of 4 KiB (measured on an AMD EPYC).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace partita {

/// Aligned to 64 bytes at least; not initialized. Throws std::bad_alloc, also where the memory is not there: Linux
/// hands out addresses beyond what it has, and kills a process later that uses them.
std::shared_ptr<void> allocate_large(size_t bytes);

/// Asks for pages of 2 MiB under a block that was allocated and not yet written to: a walk through tables of a million
/// entries in no order then spends less on page faults and address translation. Small blocks are left as they are.
void prefer_large_pages(const void* memory, size_t bytes);

/// For programs that run the passes again and again, as a window does: up to 64 MB that were freed stay with the
/// process, so that the next run need not have the system clear pages anew (glibc's mallopt(3); nothing where it is not
/// there).
void keep_freed_memory();

/// `vector.reserve(count)`, in large pages.
template <class T>
void reserve_in_large_pages(std::vector<T>& vector, size_t count) {
    if (count <= vector.capacity()) return;
    vector.reserve(count);
    prefer_large_pages(vector.data() + vector.size(), (vector.capacity() - vector.size()) * sizeof(T));
}
/// `vector.assign(count, value)`, in large pages.
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
