// Layouts of tensors as TVM writes them: "NCHW", "NHWC", "NCHW16c", "OIHW8i16o2i" (tir/ir/data_layout.cc).
//
// A capital letter is an axis; a number and a small letter is a block of that axis. In "NCHW16c" element (n, c, h, w)
// is at (n, c / 16, h, w, c % 16). An offset into such a tensor is a sum of one term for each axis; the tables here
// hold these terms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"
#include "engine/support/thread_pool.h"

namespace partita {

/// One dimension of a tensor in a layout.
struct LayoutDimension {
    char axis;          ///< the capital letter
    int64_t block = 0;  ///< 0: the axis itself, or the rest of it without its blocks
};

class Layout {
public:
    /// Refuses unknown characters, blocks without a size or without their axis, and repeated axes.
    static Result<Layout> parse(std::string_view text);

    const std::string& text() const { return text_; }
    std::span<const LayoutDimension> dimensions() const { return dimensions_; }
    size_t rank() const { return dimensions_.size(); }
    /// Returns the position of the axis itself, or -1.
    int position(char axis) const;
    /// Returns the product of the axis's blocks; 1 if it has none.
    int64_t block_of(char axis) const;
    /// Returns whether the axes are exactly these letters, in any order, blocked or not.
    bool has_axes(std::string_view axes) const;
    bool is_blocked() const;

    /// Returns the sizes of `axes` for a tensor of this layout; an unknown dimension stays unknown. Refuses a shape of
    /// another rank, or one whose blocks differ from the layout's.
    Result<std::vector<int64_t>> sizes_of(std::string_view axes, std::span<const int64_t> shape) const;
    /// Returns the shape of a tensor of this layout whose `axes` have these sizes, with blocks rounded up.
    std::vector<int64_t> shape_of(std::string_view axes, std::span<const int64_t> sizes) const;

    /// Returns for each of `axes` the offset that each index along it adds, in elements of a row-major tensor of this
    /// layout and `shape`, up to `sizes`.
    std::vector<std::vector<int64_t>> offsets(std::string_view axes, std::span<const int64_t> sizes,
                                              std::span<const int64_t> shape) const;

private:
    std::string text_;
    std::vector<LayoutDimension> dimensions_;
};

/// One side of `convert_layout`.
struct LaidOut {
    const Layout& layout;
    std::span<const int64_t> shape;
};

/// Copies a tensor from one layout into another that has the same axes. Leaves elements of a padded block that are not
/// in the source unchanged. Elements have 1, 2, 4 or 8 bytes.
void convert_layout(const void* from, const LaidOut& source, void* to, const LaidOut& target, size_t element_bytes,
                    ThreadPool& threads);

}  // namespace partita
