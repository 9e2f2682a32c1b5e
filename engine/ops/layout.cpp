#include "engine/ops/layout.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "engine/ir/tensor.h"
#include "engine/ir/type.h"

namespace partita {

Result<Layout> Layout::parse(std::string_view text) {
    Layout layout;
    layout.text_ = text;
    layout.dimensions_.reserve(6);  // as in OIHW16i16o
    const auto invalid = [text] {
        return error("the layout \"" + std::string(text.substr(0, 64)) + "\" is not valid");
    };
    int64_t size = 0;
    for (char c : text) {
        if (c >= '0' && c <= '9') {
            size = size * 10 + (c - '0');
            if (size > std::numeric_limits<int32_t>::max()) return invalid();
        } else if (c >= 'A' && c <= 'Z') {
            if (size != 0 || layout.position(c) >= 0) return invalid();
            layout.dimensions_.push_back({c, 0});
        } else if (c >= 'a' && c <= 'z') {
            if (size == 0) return invalid();
            layout.dimensions_.push_back({char(c - 'a' + 'A'), size});
            size = 0;
        } else {
            return invalid();
        }
    }
    if (size != 0) return invalid();
    for (const LayoutDimension& dimension : layout.dimensions_) {
        if (layout.position(dimension.axis) < 0) return invalid();
        if (layout.block_of(dimension.axis) > std::numeric_limits<int32_t>::max()) return invalid();
    }
    return layout;
}

int Layout::position(char axis) const {
    for (size_t i = 0; i < dimensions_.size(); ++i)
        if (dimensions_[i].axis == axis && dimensions_[i].block == 0) return int(i);
    return -1;
}

int64_t Layout::block_of(char axis) const {
    int64_t product = 1;
    for (const LayoutDimension& dimension : dimensions_)
        if (dimension.axis == axis && dimension.block != 0)
            if (__builtin_mul_overflow(product, dimension.block, &product)) return std::numeric_limits<int64_t>::max();
    return product;
}

bool Layout::has_axes(std::string_view axes) const {
    for (const LayoutDimension& dimension : dimensions_)
        if (axes.find(dimension.axis) == axes.npos) return false;
    return std::all_of(axes.begin(), axes.end(), [this](char axis) { return position(axis) >= 0; });
}

bool Layout::is_blocked() const {
    return std::any_of(dimensions_.begin(), dimensions_.end(), [](const LayoutDimension& d) { return d.block != 0; });
}

Result<std::vector<int64_t>> Layout::sizes_of(std::string_view axes, std::span<const int64_t> shape) const {
    if (shape.size() != rank())
        return error("a tensor of layout " + text_ + " has rank " + std::to_string(rank()) + ", not " +
                     std::to_string(shape.size()));
    for (size_t i = 0; i < rank(); ++i)
        if (dimensions_[i].block != 0 && shape[i] != dimensions_[i].block && shape[i] != kDynamicDim)
            return error("dimension " + std::to_string(i) + " of layout " + text_ + " must be " +
                         std::to_string(dimensions_[i].block) + ", not " + std::to_string(shape[i]));
    std::vector<int64_t> sizes;
    for (char axis : axes) {
        int64_t size = shape[size_t(position(axis))];
        if (size != kDynamicDim && __builtin_mul_overflow(size, block_of(axis), &size))
            return error("the size of axis " + std::string(1, axis) + " is too large");
        sizes.push_back(size);
    }
    return sizes;
}

std::vector<int64_t> Layout::shape_of(std::string_view axes, std::span<const int64_t> sizes) const {
    std::vector<int64_t> shape;
    for (const LayoutDimension& dimension : dimensions_) {
        if (dimension.block != 0) {
            shape.push_back(dimension.block);
            continue;
        }
        int64_t size = sizes[axes.find(dimension.axis)];
        int64_t block = block_of(dimension.axis);
        shape.push_back(size == kDynamicDim ? kDynamicDim : size / block + (size % block != 0));
    }
    return shape;
}

std::vector<std::vector<int64_t>> Layout::offsets(std::string_view axes, std::span<const int64_t> sizes,
                                                  std::span<const int64_t> shape) const {
    std::vector<int64_t> strides(rank());
    int64_t stride = 1;
    for (size_t i = rank(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    std::vector<std::vector<int64_t>> tables(axes.size());
    for (size_t a = 0; a < axes.size(); ++a) {
        tables[a].assign(size_t(sizes[a]), 0);
        // From the innermost block outwards, each block takes the remainder that the inner ones leave.
        int64_t inner = 1;
        for (size_t i = rank(); i-- > 0;) {
            if (dimensions_[i].axis != axes[a] || dimensions_[i].block == 0) continue;
            for (int64_t index = 0; index < sizes[a]; ++index)
                tables[a][size_t(index)] += index / inner % dimensions_[i].block * strides[i];
            inner *= dimensions_[i].block;
        }
        int64_t outer_stride = strides[size_t(position(axes[a]))];
        for (int64_t index = 0; index < sizes[a]; ++index) tables[a][size_t(index)] += index / inner * outer_stride;
    }
    return tables;
}

namespace {

/// Copies along the last axis for every index of the others, counted by one number.
template <class T>
void copy_elements(const T* from, T* to, const std::vector<std::vector<int64_t>>& source,
                   const std::vector<std::vector<int64_t>>& target, ThreadPool& threads) {
    const std::vector<int64_t>& last_source = source.back();
    const std::vector<int64_t>& last_target = target.back();
    int64_t rows = 1;
    for (size_t a = 0; a + 1 < source.size(); ++a) rows *= int64_t(source[a].size());
    int64_t columns = int64_t(last_source.size());
    if (columns == 0) return;
    threads.parallel_for(rows, std::max<int64_t>(1, 16384 / columns), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            int64_t source_base = 0, target_base = 0, rest = row;
            for (size_t a = source.size() - 1; a-- > 0;) {
                size_t index = size_t(rest % int64_t(source[a].size()));
                rest /= int64_t(source[a].size());
                source_base += source[a][index];
                target_base += target[a][index];
            }
            for (int64_t column = 0; column < columns; ++column)
                to[target_base + last_target[size_t(column)]] = from[source_base + last_source[size_t(column)]];
        }
    });
}

}  // namespace

void convert_layout(const void* from, const LaidOut& source, void* to, const LaidOut& target, size_t element_bytes,
                    ThreadPool& threads) {
    std::string axes;
    for (const LayoutDimension& dimension : target.layout.dimensions())
        if (dimension.block == 0) axes += dimension.axis;
    if (axes.empty()) return;
    std::vector<int64_t> sizes;
    for (char axis : axes) {
        int64_t source_size = source.shape[size_t(source.layout.position(axis))] * source.layout.block_of(axis);
        int64_t target_size = target.shape[size_t(target.layout.position(axis))] * target.layout.block_of(axis);
        sizes.push_back(std::min(source_size, target_size));
    }
    auto source_offsets = source.layout.offsets(axes, sizes, source.shape);
    auto target_offsets = target.layout.offsets(axes, sizes, target.shape);
    auto copy = [&](auto zero) {
        using T = decltype(zero);
        copy_elements(static_cast<const T*>(from), static_cast<T*>(to), source_offsets, target_offsets, threads);
    };
    switch (element_bytes) {
        case 1: copy(uint8_t()); break;
        case 2: copy(uint16_t()); break;
        case 4: copy(uint32_t()); break;
        default: copy(uint64_t()); break;
    }
}

}  // namespace partita
