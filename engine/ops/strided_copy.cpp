#include "engine/ops/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/ops/c_text.h"
#include "engine/ops/element_types.h"

namespace partita {

namespace {

/// The side of a square that is copied at a time if the innermost dimensions of input and output differ, so that every
/// cache line that is read is used completely.
constexpr int64_t kTile = 32;
constexpr int64_t kElementsWorthAThread = 1 << 15;

/// Moves the dimension whose input elements are neighbours next to the innermost one; the order of the extents does not
/// change the result.
StridedCopy tile_ready(StridedCopy copy) {
    size_t rank = copy.extents.size();
    if (rank < 2 || copy.from_strides.back() == 1) return copy;
    auto unit = std::find(copy.from_strides.begin(), copy.from_strides.end(), 1);
    if (unit == copy.from_strides.end()) return copy;
    size_t at = size_t(unit - copy.from_strides.begin());
    auto move = [&](std::vector<int64_t>& list) {
        std::rotate(list.begin() + at, list.begin() + at + 1, list.end() - 1);
    };
    move(copy.extents);
    move(copy.from_strides);
    move(copy.to_strides);
    return copy;
}

template <class T>
void copy_row(const T* from, int64_t from_stride, T* to, int64_t to_stride, int64_t count) {
    if (from_stride == 1 && to_stride == 1) std::memcpy(to, from, size_t(count) * sizeof(T));
    else if (from_stride == 0 && to_stride == 1) std::fill_n(to, count, *from);
    else
        for (int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
}

/// Copies the two innermost dimensions, in squares.
template <class T>
void copy_plane(const T* from, T* to, const StridedCopy& copy) {
    size_t inner = copy.extents.size() - 1, outer = inner - 1;
    int64_t rows = copy.extents[outer], columns = copy.extents[inner];
    for (int64_t row = 0; row < rows; row += kTile)
        for (int64_t column = 0; column < columns; column += kTile)
            for (int64_t r = row; r < std::min(row + kTile, rows); ++r)
                copy_row(from + r * copy.from_strides[outer] + column * copy.from_strides[inner],
                         copy.from_strides[inner], to + r * copy.to_strides[outer] + column * copy.to_strides[inner],
                         copy.to_strides[inner], std::min(kTile, columns - column));
}

/// Copies the inner dimensions for each index of the outer ones: a row, or a plane in squares.
template <class T>
void copy_elements(const StridedCopy& copy, const T* from, T* to, ThreadPool& threads) {
    size_t rank = copy.extents.size();
    bool in_squares = rank >= 2 && copy.from_strides[rank - 1] != 1 && copy.from_strides[rank - 2] == 1;
    size_t outer_rank = rank - (in_squares ? 2 : 1);
    int64_t outer_count = 1, inner_count = 1;
    for (size_t d = 0; d < rank; ++d) (d < outer_rank ? outer_count : inner_count) *= copy.extents[d];
    int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / std::max<int64_t>(1, inner_count));
    threads.parallel_for(outer_count, grain, [&](int64_t begin, int64_t end) {
        for (int64_t outer = begin; outer < end; ++outer) {
            const T* source = from;
            T* target = to;
            int64_t rest = outer;
            for (size_t d = outer_rank; d-- > 0;) {
                int64_t index = rest % copy.extents[d];
                rest /= copy.extents[d];
                source += index * copy.from_strides[d];
                target += index * copy.to_strides[d];
            }
            if (in_squares) copy_plane(source, target, copy);
            else copy_row(source, copy.from_strides.back(), target, copy.to_strides.back(), copy.extents.back());
        }
    });
}

/// Divides the row of a copy that is one long row: it has no outer dimension to divide among threads.
StridedCopy with_divided_row(StridedCopy copy) {
    if (copy.extents.size() != 1) return copy;
    int64_t parts = 1;
    for (int64_t candidate : {16, 8, 4, 2})
        if (copy.extents[0] % candidate == 0 && copy.extents[0] / candidate >= kElementsWorthAThread) {
            parts = candidate;
            break;
        }
    if (parts == 1) return copy;
    int64_t length = copy.extents[0] / parts;
    StridedCopy divided;
    divided.from_offset = copy.from_offset;
    divided.to_offset = copy.to_offset;
    divided.add_extent(parts, copy.from_strides[0] * length, copy.to_strides[0] * length);
    divided.add_extent(length, copy.from_strides[0], copy.to_strides[0]);
    return divided;
}

/// Returns `i0 * 12 + i1 * 4 + 3`, or `0`.
std::string index_text(const std::vector<int64_t>& strides, int64_t offset) {
    std::string text;
    for (size_t d = 0; d < strides.size(); ++d) {
        if (strides[d] == 0) continue;
        if (!text.empty()) text += " + ";
        text += "i" + std::to_string(d);
        if (strides[d] != 1)
            text += " * " + std::string(strides[d] < 0 ? "(" : "") + std::to_string(strides[d]) +
                    (strides[d] < 0 ? ")" : "");
    }
    if (text.empty()) return std::to_string(offset);
    if (offset > 0) text += " + " + std::to_string(offset);
    if (offset < 0) text += " - " + std::to_string(-offset);
    return text;
}

std::vector<std::span<const int64_t>> shapes_of(std::span<const TensorView> tensors) {
    std::vector<std::span<const int64_t>> shapes;
    for (const TensorView& tensor : tensors) shapes.push_back(tensor.shape);
    return shapes;
}

}  // namespace

std::vector<int64_t> row_major_strides(std::span<const int64_t> shape) {
    std::vector<int64_t> strides(shape.size());
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return strides;
}

StridedCopy simplified(const StridedCopy& copy) {
    StridedCopy result;
    result.from_offset = copy.from_offset;
    result.to_offset = copy.to_offset;
    for (size_t d = 0; d < copy.extents.size(); ++d) {
        int64_t extent = copy.extents[d], from = copy.from_strides[d], to = copy.to_strides[d];
        if (extent == 1) continue;
        bool joins = !result.extents.empty() && result.from_strides.back() == from * extent &&
                     result.to_strides.back() == to * extent;
        if (joins) {
            result.extents.back() *= extent;
            result.from_strides.back() = from;
            result.to_strides.back() = to;
        } else {
            result.add_extent(extent, from, to);
        }
    }
    if (result.extents.empty()) result.add_extent(1, 1, 1);
    return result;
}

void run_copy(const StridedCopy& copy, const void* from, void* to, size_t element_bytes, ThreadPool& threads) {
    for (int64_t extent : copy.extents)
        if (extent <= 0) return;
    StridedCopy ready = tile_ready(with_divided_row(simplified(copy)));
    with_element_size(element_bytes, [&](auto tag) {
        using T = typename decltype(tag)::type;
        copy_elements(ready, static_cast<const T*>(from) + copy.from_offset, static_cast<T*>(to) + copy.to_offset,
                      threads);
    });
}

void write_copy(const StridedCopy& copy, const std::string& from, const std::string& to, std::string& code,
                int indent) {
    for (int64_t extent : copy.extents)
        if (extent <= 0) return;
    StridedCopy simple = simplified(copy);
    for (size_t d = 0; d < simple.extents.size(); ++d) {
        std::string index = "i" + std::to_string(d);
        code += c_indent(indent + int(d)) + "for (int64_t " + index + " = 0; " + index + " < " +
                std::to_string(simple.extents[d]) + "; ++" + index + ")\n";
    }
    code += c_indent(indent + int(simple.extents.size())) + to + "[" + index_text(simple.to_strides, simple.to_offset) +
            "] = " + from + "[" + index_text(simple.from_strides, simple.from_offset) + "];\n";
}

Status run_copies(CopyPlanner planner, const KernelCall& call) {
    auto inputs = shapes_of(call.inputs), outputs = shapes_of(call.outputs);
    for (const TensorCopy& copy : planner({inputs, outputs, call.attributes})) {
        size_t bytes = call.outputs[copy.output].dtype.bytes();
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
            return error(call.attributes.op().name + " of " + call.outputs[copy.output].dtype.to_string() +
                         " is not supported on default");
        run_copy(copy.copy, call.inputs[copy.input].data, call.outputs[copy.output].data, bytes, call.threads);
    }
    return Nothing();
}

Status write_copies(CopyPlanner planner, const CLoops& loops) {
    std::vector<std::span<const int64_t>> inputs, outputs;
    for (const CTensor& tensor : loops.inputs) inputs.push_back(tensor.shape);
    for (const CTensor& tensor : loops.outputs) outputs.push_back(tensor.shape);
    for (const TensorCopy& copy : planner({inputs, outputs, loops.attributes}))
        write_copy(copy.copy, loops.inputs[copy.input].name, loops.outputs[copy.output].name, loops.code, loops.indent);
    return Nothing();
}

}  // namespace partita
