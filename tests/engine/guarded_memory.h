// Memory behind which nothing may be read or written: what goes a byte too far ends the test.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/ir/tensor.h"
#include "engine/ops/op.h"

namespace partita::testing {

class GuardedMemory {
public:
    explicit GuardedMemory(size_t bytes) : size_((bytes + kPage - 1) / kPage * kPage + kPage) {
        void* pages = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) std::abort();
        begin_ = static_cast<char*>(pages);
        end_ = begin_ + size_ - kPage;
        if (::mprotect(end_, kPage, PROT_NONE) != 0) std::abort();
    }
    GuardedMemory(const GuardedMemory&) = delete;
    ~GuardedMemory() { ::munmap(begin_, size_); }

    /// Copies bytes to the end of the memory.
    char* put(const void* from, size_t bytes) {
        if (bytes) std::memcpy(end_ - bytes, from, bytes);
        return end_ - bytes;
    }

private:
    static constexpr size_t kPage = 1 << 12;
    size_t size_;
    char *begin_, *end_;
};

/// Tensors with a guard behind each, while a kernel runs on them.
class GuardedTensors {
public:
    TensorView view(const Tensor& tensor) {
        memory_.push_back(std::make_unique<GuardedMemory>(tensor.byte_size()));
        return {memory_.back()->put(tensor.bytes(), tensor.byte_size()), tensor.dtype(), tensor.shape()};
    }
    static void copy_back(const std::vector<TensorView>& views, std::vector<Tensor>& tensors) {
        for (size_t i = 0; i < views.size(); ++i)
            if (tensors[i].byte_size()) std::memcpy(tensors[i].bytes(), views[i].data, tensors[i].byte_size());
    }

private:
    std::vector<std::unique_ptr<GuardedMemory>> memory_;
};

}  // namespace partita::testing
