#include "engine/frontends/litert/sparse.h"

#include <algorithm>
#include <cstring>

#include "engine/support/hash.h"
#include "engine/support/large_memory.h"
#include "engine/support/one_line.h"

namespace partita::litert {

namespace {

[[noreturn]] void broken(const std::string& what) { throw DataLost("a sparse constant is broken: " + what); }

class SparseBytes : public DeferredBytes {
public:
    SparseBytes(Sparsity sparsity, DataPlace data, DataType dtype, std::vector<int64_t> shape,
                std::shared_ptr<const SourceFile> file)
        : sparsity_(std::move(sparsity)), data_(data), bytes_(dtype.bytes()), shape_(std::move(shape)),
          file_(std::move(file)) {}

    uint64_t identity() const override {
        return hash_combine(hash_combine(file_->identity(), data_.begin), shape_.size() + 7) | 1;
    }

private:
    std::shared_ptr<void> read() override {
        const size_t count = size_t(element_count(shape_).value_or(0)) * bytes_;
        std::shared_ptr<void> memory = allocate_large(count);
        std::memset(memory.get(), 0, count);
        const std::shared_ptr<void> values = allocate_large(data_.bytes);
        if (Status done = file_->read(data_.begin, data_.bytes, values.get()); !done)
            throw DataLost("the data of " + in_quotes(file_->path()) +
                           " can't be read any more: " + done.error().message + "; open the model again");
        check();
        Walk walk{static_cast<const char*>(values.get()), static_cast<char*>(memory.get()),
                  std::vector<int64_t>(sparsity_.order.size()),
                  size_t(element_count(shape_).value_or(0)) * 16 + data_.bytes + 1000};
        walk_level(walk, 0, 0);
        return memory;
    }

    struct Walk {
        const char* values;
        char* dense;
        std::vector<int64_t> index;  ///< by dimension, then by dimension of the block
        size_t steps_left;
    };

    void check() const {
        const size_t rank = shape_.size(), levels = sparsity_.order.size();
        if (sparsity_.dimensions.size() != levels || levels != rank + sparsity_.blocks.size())
            broken("it has " + std::to_string(sparsity_.dimensions.size()) + " levels for " + std::to_string(rank) +
                   " dimensions");
        std::vector<bool> seen(levels);
        for (int32_t dimension : sparsity_.order) {
            if (dimension < 0 || size_t(dimension) >= levels || seen[size_t(dimension)])
                broken("its order is no permutation");
            seen[size_t(dimension)] = true;
        }
        for (int32_t block : sparsity_.blocks)
            if (block < 0 || size_t(block) >= rank) broken("a block has a dimension that does not exist");
    }

    /// The levels are at most twice as many as the dimensions of a tensor, which are few.
    void walk_level(Walk& walk, size_t level, int64_t before) const {
        if (walk.steps_left-- == 0) broken("it has more levels than elements");
        if (level == sparsity_.order.size()) return place(walk, before);
        const Sparsity::Dimension& dimension = sparsity_.dimensions[level];
        int64_t& index = walk.index[size_t(sparsity_.order[level])];
        if (!dimension.compressed) {
            for (index = 0; index < dimension.size; ++index)
                walk_level(walk, level + 1, before * dimension.size + index);
            return;
        }
        if (before < 0 || size_t(before) + 1 >= dimension.segments.size()) broken("a segment is missing");
        const int64_t begin = dimension.segments[size_t(before)], end = dimension.segments[size_t(before) + 1];
        if (begin < 0 || end > int64_t(dimension.indices.size())) broken("a segment lies beyond the indices");
        for (int64_t i = begin; i < end; ++i) {
            index = dimension.indices[size_t(i)];
            walk_level(walk, level + 1, i);
        }
    }

    void place(Walk& walk, int64_t value) const {
        const size_t rank = shape_.size();
        std::vector<int64_t> index(walk.index.begin(), walk.index.begin() + ptrdiff_t(rank));
        for (size_t block = 0; block < sparsity_.blocks.size(); ++block) {
            const size_t level =
                size_t(std::find(sparsity_.order.begin(), sparsity_.order.end(), int32_t(rank + block)) -
                       sparsity_.order.begin());
            int64_t& at = index[size_t(sparsity_.blocks[block])];
            if (__builtin_mul_overflow(at, int64_t(sparsity_.dimensions[level].size), &at))
                broken("an index is too large");
            at += walk.index[rank + block];
        }
        int64_t offset = 0;
        for (size_t axis = 0; axis < rank; ++axis) {
            if (index[axis] < 0 || index[axis] >= shape_[axis]) broken("an index lies outside of the tensor");
            offset = offset * shape_[axis] + index[axis];
        }
        if (value < 0 || uint64_t(value) >= data_.bytes / bytes_) broken("it has fewer values than indices");
        std::memcpy(walk.dense + size_t(offset) * bytes_, walk.values + size_t(value) * bytes_, bytes_);
    }

    Sparsity sparsity_;
    DataPlace data_;
    size_t bytes_;
    std::vector<int64_t> shape_;
    std::shared_ptr<const SourceFile> file_;
};

}  // namespace

Tensor sparse_tensor(const Sparsity& sparsity, DataPlace data, DataType dtype, std::vector<int64_t> shape,
                     std::shared_ptr<const SourceFile> file) {
    auto bytes = std::make_shared<SparseBytes>(sparsity, data, dtype, shape, std::move(file));
    return Tensor(dtype, std::move(shape), std::move(bytes));
}

}  // namespace partita::litert
