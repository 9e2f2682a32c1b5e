// The inner kernel of matrix products: a few rows times a packed panel of columns, compiled for AVX-512, AVX2 and the
// baseline, and chosen once at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>

namespace partita {

/// result[r][j] = sum over k of first[r * first_stride + k] * panel[k * width + j]
template <class T>
struct Tile {
    const T* first;
    int64_t first_stride;
    const T* panel;
    int64_t depth;
    T* result;
    int64_t result_stride;
    int64_t columns;        ///< existing ones of the result; fewer than the panel's width at the right edge
    bool add;               ///< to the result's elements; false overwrites them
    const T* next = panel;  ///< what is fetched into the cache meanwhile, next_step elements for each of the depth
    int64_t next_step = 0;
    int64_t vector_stride = 0;  ///< of the result, from one of the panel's vectors to the next; 0: they are adjacent
};

/// The inner kernels of one vector unit, for tiles of decreasing numbers of rows; the last has one row.
template <class T>
struct TileKernels {
    struct Entry {
        int64_t rows;
        void (*compute)(const Tile<T>&);
    };
    int64_t width;
    Entry entries[5];
    /// Takes one row more than the first, so that no single row is left: a tile of one takes a third of a full one's
    /// time. As in planes of 7 x 7. 0 rows: there are no registers for it.
    Entry taller{0, nullptr};
};

/// Returns those of the machine, with panels of half the width where a product has no more columns. T is float, double,
/// uint32_t or uint64_t. A panel is aligned to 64 bytes.
template <class T>
const TileKernels<T>& tile_kernels(int64_t columns = INT64_MAX);

/// Copies a matrix of `rows` x `columns` into a panel, and fills the rest of each row of `width` with zeros.
void pack_panel(const float* from, int64_t row_stride, int64_t column_stride, int64_t rows, int64_t columns,
                int64_t width, float* panel);

/// Calls body(begin, end) for parts that cover [0, count), and returns when all are done.
using ParallelLoop = std::function<void(int64_t count, const std::function<void(int64_t begin, int64_t end)>& body)>;

inline constexpr size_t kPanelAlignment = 64;

struct AlignedDelete {
    void operator()(void* bytes) const { ::operator delete(bytes, std::align_val_t(kPanelAlignment)); }
};

template <class T>
std::unique_ptr<T, AlignedDelete> aligned_array(int64_t count) {
    return std::unique_ptr<T, AlignedDelete>(
        static_cast<T*>(::operator new(size_t(count) * sizeof(T), std::align_val_t(kPanelAlignment))));
}

/// Multiplies any number of rows by a panel; `tile` describes the first one. The panel that comes next, if any, is
/// fetched into the cache meanwhile, a little with each step: many lines asked for at once would hold up the product.
template <class T>
void multiply_rows(const TileKernels<T>& kernels, Tile<T> tile, int64_t rows, const T* next = nullptr) {
    const auto* kernel = kernels.entries;
    const bool leaves_one = rows > 1 && rows % kernel->rows == 1 && kernels.taller.rows > 0;
    if (next) {
        const int64_t tiles = (rows + kernel->rows - 1) / kernel->rows - leaves_one;
        tile.next = next;
        tile.next_step = (kernels.width + tiles - 1) / tiles;
    }
    const auto multiply = [&](const auto& entry) {
        entry.compute(tile);
        tile.first += entry.rows * tile.first_stride;
        tile.result += entry.rows * tile.result_stride;
        tile.next += tile.depth * tile.next_step;
        return entry.rows;
    };
    if (leaves_one) rows -= multiply(kernels.taller);
    while (rows > 0) {
        while (kernel->rows > rows) ++kernel;
        if (rows > kernel->rows && rows == 2 * kernel[1].rows)
            ++kernel;  // two tiles alike are faster than a tall and a flat one
        rows -= multiply(*kernel);
    }
}

}  // namespace partita
