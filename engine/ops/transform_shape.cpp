// Ops that change a tensor's shape and keep its elements' order. Source: TVM 0.9, src/relay/op/tensor/transform.cc.
#include <algorithm>

#include "engine/ops/c_text.h"
#include "engine/ops/data_movement.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/transform.h"

namespace partita {

namespace {

Status copy_in_c(const CLoops& loops) {
    int64_t size = element_count(loops.outputs[0].shape).value_or(0);
    loops.code += c_indent(loops.indent) + "for (int64_t i = 0; i < " + std::to_string(size) + "; ++i) " +
                  loops.outputs[0].name + "[i] = " + loops.inputs[0].name + "[i];\n";
    return Nothing();
}

/// Copies the first input's elements, also if a second one gives the shape.
Status first_input_kernel(const KernelCall& call) {
    return copy_kernel({call.inputs.first(1), call.outputs, call.attributes, call.threads});
}

OpRecord shape_op(std::string name, std::string summary, std::vector<std::string> inputs, TypeRelation relation) {
    OpRecord op =
        data_movement_op(std::move(name), std::move(summary), std::move(inputs), relation, first_input_kernel);
    op.c_loops = copy_in_c;
    op.same_bytes = true;
    return op;
}

bool is_static(std::span<const int64_t> shape) {
    return std::find(shape.begin(), shape.end(), kDynamicDim) == shape.end();
}

Result<TypeId> same_elements(TypeTable& types, TypeId data, std::span<const int64_t> from,
                             std::span<const int64_t> to) {
    if (is_static(from) && is_static(to) && element_count(from) != element_count(to))
        return error("a tensor of shape " + shape_to_string(from) + " can't have the shape " + shape_to_string(to) +
                     ": the numbers of elements differ");
    return checked_tensor(types, types.dtype(data), to);
}

// ---- reshape ----

/// Reads `newshape` with its special numbers: 0 keeps a dimension, -1 is the rest, -2 keeps all remaining ones, -3
/// joins two dimensions, -4 splits one into the two that follow.
class NewShape {
public:
    NewShape(std::span<const int64_t> from, bool allow_zero) : from_(from), allow_zero_(allow_zero) {}

    Result<std::vector<int64_t>> read(std::span<const int64_t> text) {
        for (size_t i = 0; i < text.size(); ++i) {
            Status status = Nothing();
            if (text[i] > 0 || (text[i] == 0 && allow_zero_)) status = take_given(text[i]);
            else if (text[i] == 0) status = take_same();
            else if (text[i] == -1) status = take_inferred();
            else if (text[i] == -2) status = take_rest();
            else if (text[i] == -3) status = take_joined();
            else if (text[i] == -4) {
                if (i + 2 >= text.size()) return error("newshape: -4 must be followed by two dimensions");
                status = take_split(text[i + 1], text[i + 2]);
                i += 2;
            } else {
                return error("newshape can't have the value " + std::to_string(text[i]));
            }
            if (!status) return status.error();
        }
        if (inferred_ >= 0)
            if (Status status = infer(); !status) return status.error();
        return to_;
    }

private:
    /// Appends a dimension of the result; `kept` if it comes from dimensions of the operand that it consumes.
    void append(int64_t dim, bool kept) {
        to_.push_back(dim);
        to_kept_.push_back(kept);
    }

    Result<int64_t> use_next() {
        if (next_ >= from_.size())
            return error("newshape refers to more dimensions than the operand's shape " + shape_to_string(from_) +
                         " has");
        used_.resize(from_.size(), false);
        used_[next_] = true;
        return from_[next_++];
    }

    Status take_given(int64_t dim) {
        append(dim, false);
        ++next_;
        return Nothing();
    }

    Status take_same() {
        auto dim = use_next();
        if (!dim) return dim.error();
        append(*dim, true);
        return Nothing();
    }

    Status take_inferred() {
        if (inferred_ >= 0) return error("newshape can have only one -1");
        inferred_ = int64_t(to_.size());
        append(1, false);
        ++next_;
        return Nothing();
    }

    Status take_rest() {
        while (next_ < from_.size())
            if (Status status = take_same(); !status) return status;
        return Nothing();
    }

    Status take_joined() {
        auto first = use_next();
        if (!first) return first.error();
        auto second = use_next();
        if (!second) return second.error();
        auto product = checked_multiply(*first, *second);
        if (!product) return error("newshape: the product of two dimensions is too large");
        append(*product, true);
        return Nothing();
    }

    Status take_split(int64_t first, int64_t second) {
        auto whole = use_next();
        if (!whole) return whole.error();
        if (first == -1 && second == -1) return error("newshape: only one of the two dimensions after -4 can be -1");
        int64_t& unknown = first == -1 ? first : second;
        int64_t known = first == -1 ? second : first;
        if (known <= 0) return error("newshape: the dimensions after -4 must be positive or -1");
        if (unknown == -1) unknown = *whole == kDynamicDim ? kDynamicDim : *whole / known;
        if (unknown < kDynamicDim) return error("newshape: the dimensions after -4 must be positive or -1");
        append(first, true);
        append(second, true);
        return Nothing();
    }

    Status infer() {
        used_.resize(from_.size(), false);
        std::optional<int64_t> left = 1;
        for (size_t i = 0; i < from_.size() && left; ++i)
            if (!used_[i]) left = checked_multiply(*left, from_[i]);
        for (size_t i = 0; i < to_.size() && left; ++i) {
            if (to_kept_[i] || int64_t(i) == inferred_ || *left == kDynamicDim) continue;
            if (to_[i] == kDynamicDim) left = kDynamicDim;
            else if (to_[i] == 0) return error("newshape: -1 can't be inferred beside a dimension of 0");
            else left = *left / to_[i];
        }
        if (!left) return error("the operand's shape " + shape_to_string(from_) + " is too large");
        to_[size_t(inferred_)] = *left;
        return Nothing();
    }

    std::span<const int64_t> from_;
    bool allow_zero_;
    size_t next_ = 0;
    std::vector<bool> used_;
    std::vector<int64_t> to_;
    std::vector<bool> to_kept_;
    int64_t inferred_ = -1;
};

Result<TypeId> reshape(const TypeQuery& query, bool reverse) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_integers(query.attributes, "newshape"); !integers) return integers.error();
    std::vector<int64_t> from = shape_copy(query.types, query.arguments[0]);
    std::vector<int64_t> text = query.attributes.integers("newshape");
    if (reverse) {
        std::reverse(from.begin(), from.end());
        std::reverse(text.begin(), text.end());
    }
    auto to = NewShape(from, query.attributes.boolean("allowzero")).read(text);
    if (!to) return to.error();
    if (reverse) {
        std::reverse(from.begin(), from.end());
        std::reverse(to->begin(), to->end());
    }
    return same_elements(query.types, query.arguments[0], from, *to);
}

Result<TypeId> reshape_relation(const TypeQuery& query) { return reshape(query, false); }
Result<TypeId> reverse_reshape_relation(const TypeQuery& query) { return reshape(query, true); }

OpRecord reshape_op(std::string name, std::string summary, TypeRelation relation) {
    OpRecord op = shape_op(std::move(name), std::move(summary), {"data"}, relation);
    op.attributes = {
        required_field("newshape", AttributeKind::IntegerList, "the result's shape; 0, -1 to -4 are special"),
        bool_field("allowzero", false, "0 is a dimension of zero, not a copied one")};
    op.example = "fn (%x: Tensor[(2, 3, 4), float32]) { " + op.name + "(%x, newshape=[-1, 0]) }";
    return op;
}

// ---- reshape_like ----

Result<TypeId> reshape_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::vector<int64_t> data = shape_copy(query.types, query.arguments[0]);
    std::vector<int64_t> like = shape_copy(query.types, query.arguments[1]);
    auto bound = [&](const char* name, const std::vector<int64_t>& shape, int64_t otherwise) -> Result<int64_t> {
        int64_t value = optional_integer(query.attributes, name).value_or(otherwise);
        int64_t rank = int64_t(shape.size());
        if (value < 0) value += rank;
        if (value < 0 || value > rank)
            return error(std::string(name) + " is out of range for rank " + std::to_string(rank));
        return value;
    };
    auto data_begin = bound("lhs_begin", data, 0), data_end = bound("lhs_end", data, int64_t(data.size()));
    auto like_begin = bound("rhs_begin", like, 0), like_end = bound("rhs_end", like, int64_t(like.size()));
    for (auto* result : {&data_begin, &data_end, &like_begin, &like_end})
        if (!*result) return result->error();
    std::vector<int64_t> to(data.begin(), data.begin() + *data_begin);
    for (int64_t i = *like_begin; i < *like_end; ++i) to.push_back(like[size_t(i)]);
    for (int64_t i = *data_end; i < int64_t(data.size()); ++i) to.push_back(data[size_t(i)]);
    return same_elements(query.types, query.arguments[0], data, to);
}

OpRecord reshape_like() {
    OpRecord op = shape_op("reshape_like", "The same elements in the shape of another tensor, or in a part of it.",
                           {"data", "shape_like"}, reshape_like_relation);
    op.attributes = {integer_field("lhs_begin", 0), none_field("lhs_end", AttributeKind::Object),
                     integer_field("rhs_begin", 0), none_field("rhs_end", AttributeKind::Object)};
    op.example = "fn (%x: Tensor[(2, 6), float32], %y: Tensor[(3, 4), float32]) { reshape_like(%x, %y) }";
    return op;
}

// ---- expand_dims, squeeze ----

Result<TypeId> expand_dims_relation(const TypeQuery& query) {
    constexpr int64_t kMostNewAxes = 1024;
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]);
    int64_t count = query.attributes.integer("num_newaxis");
    if (count < 0 || count > kMostNewAxes)
        return error("num_newaxis must lie between 0 and 1024, not " + std::to_string(count));
    auto axis = checked_axis(query.attributes.integer("axis"), shape.size() + 1);
    if (!axis) return axis.error();
    shape.insert(shape.begin() + *axis, size_t(count), 1);
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), shape);
}

OpRecord expand_dims() {
    OpRecord op = shape_op("expand_dims", "New dimensions of 1 at an axis.", {"data"}, expand_dims_relation);
    op.attributes = {required_field("axis", AttributeKind::Int, "where the new dimensions stand"),
                     integer_field("num_newaxis", 1, "how many they are")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { expand_dims(%x, axis=1) }";
    return op;
}

Result<TypeId> squeeze_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (Status integers = require_integers(query.attributes, "axis"); !integers) return integers.error();
    std::vector<int64_t> from = shape_copy(query.types, query.arguments[0]), to;
    std::vector<bool> leave_out(from.size(), false);
    if (query.attributes.is_none("axis")) {
        if (!is_static(from)) return error("axis must be given where a dimension is unknown");
        for (size_t i = 0; i < from.size(); ++i) leave_out[i] = from[i] == 1;
    }
    for (int64_t given : query.attributes.integers("axis")) {
        auto axis = checked_axis(given, from.size());
        if (!axis) return axis.error();
        if (from[size_t(*axis)] != 1 && from[size_t(*axis)] != kDynamicDim)
            return error("dimension " + std::to_string(*axis) + " of the shape " + shape_to_string(from) + " is not 1");
        leave_out[size_t(*axis)] = true;
    }
    for (size_t i = 0; i < from.size(); ++i)
        if (!leave_out[i]) to.push_back(from[i]);
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), to);
}

OpRecord squeeze() {
    OpRecord op = shape_op("squeeze", "Leaves out dimensions of 1: those given, or all.", {"data"}, squeeze_relation);
    op.attributes = {none_field("axis", AttributeKind::IntegerList, "the dimensions to leave out; None: all of 1")};
    op.example = "fn (%x: Tensor[(1, 3, 1), float32]) { squeeze(%x, axis=[0]) }";
    return op;
}

// ---- reinterpret ----

Result<TypeId> reinterpret_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    DataType from = query.types.dtype(query.arguments[0]), to = query.attributes.dtype("dtype");
    if (from.bytes() != to.bytes())
        return error("the bits of " + from.to_string() + " can't be read as " + to.to_string() + ": the sizes differ");
    return checked_tensor(query.types, to, shape_copy(query.types, query.arguments[0]));
}

OpRecord reinterpret() {
    OpRecord op = shape_op("reinterpret", "The same bits read as another data type.", {"data"}, reinterpret_relation);
    op.attributes = {required_field("dtype", AttributeKind::DType, "the type that the bits are read as")};
    op.c_loops = nullptr;
    op.example = "fn (%x: Tensor[(2, 3), float32]) { reinterpret(%x, dtype=\"int32\") }";
    return op;
}

}  // namespace

std::vector<OpRecord> transform_shape_ops() {
    return {reshape_op("reshape", "The same elements in another shape.", reshape_relation),
            reshape_op("contrib_reverse_reshape", "As reshape, but the special numbers are read from the right.",
                       reverse_reshape_relation),
            reshape_like(),
            expand_dims(),
            squeeze(),
            reinterpret()};
}

}  // namespace partita
