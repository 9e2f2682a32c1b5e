#include "engine/ir/file_part.h"

#include "engine/ir/narrow_types.h"
#include "engine/support/hash.h"
#include "engine/support/large_memory.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// A part of a file.
class FilePart : public DeferredBytes {
public:
    FilePart(std::shared_ptr<const SourceFile> file, size_t place, size_t count)
        : file_(std::move(file)), place_(place), count_(count) {}

    uint64_t identity() const override { return hash_combine(hash_combine(file_->identity(), place_), count_) | 1; }

private:
    std::shared_ptr<void> read() override {
        std::shared_ptr<void> memory = allocate_large(count_);
        if (Status done = file_->read(place_, count_, memory.get()); !done)
            throw DataLost("the data of " + in_quotes(file_->path()) +
                           " can't be read any more: " + done.error().message + "; open the model again");
        return memory;
    }

    std::shared_ptr<const SourceFile> file_;
    size_t place_, count_;
};

/// Several numbers to a byte, the first in the lowest bits, made one a byte as the program holds them.
class UnpackedPart : public DeferredBytes {
public:
    UnpackedPart(std::shared_ptr<DeferredBytes> packed, DataType dtype, size_t count)
        : packed_(std::move(packed)), dtype_(dtype), count_(count) {}

    uint64_t identity() const override { return hash_combine(packed_->identity(), dtype_.bits) | 1; }

private:
    std::shared_ptr<void> read() override {
        std::shared_ptr<void> memory = allocate_large(count_);
        unpack_elements(static_cast<const uint8_t*>(packed_->lend().get()), dtype_,
                        std::span(static_cast<uint8_t*>(memory.get()), count_));
        return memory;
    }

    std::shared_ptr<DeferredBytes> packed_;
    DataType dtype_;
    size_t count_;
};

}  // namespace

size_t stored_bytes(DataType dtype, int64_t count) {
    if (!is_packed(dtype)) return size_t(count) * dtype.bytes();
    const int64_t per_byte = 8 / dtype.bits;
    return size_t(count / per_byte + (count % per_byte != 0));
}

void unpack_elements(const uint8_t* packed, DataType dtype, std::span<uint8_t> elements) {
    const size_t per_byte = size_t(8 / dtype.bits);
    for (size_t i = 0; i < elements.size(); ++i) {
        const uint8_t bits =
            uint8_t(packed[i / per_byte] >> (i % per_byte * dtype.bits)) & uint8_t((1 << dtype.bits) - 1);
        elements[i] = dtype.is_narrow_integer() ? uint8_t(wrapped_to_narrow(dtype, bits)) : bits;
    }
}

Tensor tensor_in_file(DataType dtype, std::vector<int64_t> shape, std::shared_ptr<const SourceFile> file,
                      size_t place) {
    const size_t count = size_t(element_count(shape).value_or(0));
    std::shared_ptr<DeferredBytes> part =
        std::make_shared<FilePart>(std::move(file), place, stored_bytes(dtype, int64_t(count)));
    if (is_packed(dtype)) part = std::make_shared<UnpackedPart>(std::move(part), dtype, count);
    return Tensor(dtype, std::move(shape), std::move(part));
}

}  // namespace partita
