#include "engine/frontends/onnx/model_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/support/available_memory.h"

namespace partita::onnx {

ModelBytes::ModelBytes(std::shared_ptr<const SourceFile> file) : file_(std::move(file)) {
    if (const size_t size = file_->size()) {
        void* memory =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_NOHUGEPAGE
        // With huge pages, a few bytes between two weights would cost 2 MiB.
        ::madvise(memory, size, MADV_NOHUGEPAGE);
#endif
        bytes_ = {static_cast<const char*>(memory), size};
    }
    loaded_ = bytes_.data();
}

ModelBytes::~ModelBytes() {
    if (file_ && !bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool ModelBytes::read_more(const char* begin, const char* end) {
    constexpr size_t kReadAhead = size_t(1) << 16;
    if (!fault_.empty()) return false;
    const char* const start = std::max(begin, loaded_);
    const size_t place = size_t(start - bytes_.data());
    const size_t count = std::min(std::max(size_t(end - start), kReadAhead), bytes_.size() - place);
    check_available(count);
    // The block belongs to this object and is writable.
    if (Status done = file_->read(place, count, const_cast<char*>(start)); !done) {
        fault_ = done.error().message + "; open it again";
        return false;
    }
    loaded_ = start + count;
    return true;
}

}  // namespace partita::onnx
