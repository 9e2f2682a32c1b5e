#include "engine/support/large_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <new>
#include <string>

#include "engine/support/available_memory.h"

namespace partita {

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kHugePage = size_t(2) << 20;

/// The part of all memory that is left to the system.
constexpr size_t kReservePart = 32;

}  // namespace

size_t available_memory() {
    std::ifstream file("/proc/meminfo");  // proc_meminfo(5)
    size_t total = 0, available = SIZE_MAX;
    for (std::string key; file >> key && available == SIZE_MAX;) {
        size_t kilobytes = 0;
        if (key == "MemTotal:" && file >> kilobytes) total = kilobytes * 1024;
        if (key == "MemAvailable:" && file >> kilobytes) available = kilobytes * 1024;
        file.ignore(1000, '\n');
    }
    return available == SIZE_MAX ? available : available - std::min(available, total / kReservePart);
}

void check_available(size_t bytes) {
    // Asking takes as long as clearing 256 KiB.
    constexpr size_t kAskFrom = size_t(64) << 20;
    thread_local size_t unasked = 0;
    unasked += std::min(bytes, kAskFrom);
    if (unasked < kAskFrom) return;
    unasked = 0;
    if (bytes > available_memory()) throw std::bad_alloc();
}

std::shared_ptr<void> allocate_large(size_t bytes) {
    check_available(bytes);
    std::align_val_t alignment{bytes >= kHugePage ? kHugePage : kAlignment};
    void* memory = ::operator new(std::max<size_t>(bytes, 1), alignment);
#ifdef MADV_HUGEPAGE
    // A hint only; the rest after the last whole large page stays in small ones.
    if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return {memory, [alignment](void* block) { ::operator delete(block, alignment); }};
}

void prefer_large_pages(const void* memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(memory) % kHugePage) % kHugePage;
    const size_t whole = bytes > before ? (bytes - before) / kHugePage * kHugePage : 0;
    if (whole) madvise(static_cast<char*>(const_cast<void*>(memory)) + before, whole, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest accepted value
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

void* MemoryPool::take(size_t bytes) {
    constexpr size_t kSmallestChunk = size_t(64) << 10, kLargestChunk = size_t(32) << 20;
    if (bytes > SIZE_MAX - kAlignment) throw std::bad_alloc();
    bytes = std::max<size_t>((bytes + kAlignment - 1) / kAlignment * kAlignment, kAlignment);
    if (bytes > left_) {
        // Doubles the pool, so that a small pool stays small.
        size_t chunk = std::max(bytes, std::clamp(taken_, kSmallestChunk, kLargestChunk));
        chunks_.push_back(allocate_large(chunk));
        next_ = static_cast<std::byte*>(chunks_.back().get());
        left_ = chunk;
    }
    void* block = next_;
    next_ += bytes;
    left_ -= bytes;
    taken_ += bytes;
    return block;
}

}  // namespace partita
