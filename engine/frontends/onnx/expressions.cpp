#include "engine/frontends/onnx/expressions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/ops/registry.h"

namespace partita::onnx {

ExprId like(NodeContext& node, ExprId x, double value) { return node.build.real(value, node.build.dtype(x)); }

ExprId scaled(NodeContext& node, ExprId x, double factor) {
    return factor == 1.0 ? x : node.build.multiply(x, like(node, x, factor));
}

ExprId round_half_even(Builder& build, ExprId x) {
    DataType dtype = build.dtype(x);
    if (!dtype.is_float()) return x;
    ExprId below = build.call("floor", {x});
    ExprId rest = build.subtract(x, below);
    ExprId half = build.real(0.5, dtype), two = build.real(2, dtype);
    ExprId odd = build.call("not_equal", {build.multiply(build.call("floor", {build.divide(below, two)}), two), below});
    ExprId up = build.call("logical_or", {build.call("greater", {rest, half}),
                                          build.call("logical_and", {build.call("equal", {rest, half}), odd})});
    return build.add(below, build.cast(up, dtype));
}

ExprId counted(Builder& build, int64_t count, DataType dtype) {
    const int64_t shape[] = {count};
    if (!build.may_hold(kInt64, shape)) throw Fault{"there are too many rows", {}};
    Integers numbers(size_t(count), 0);
    std::iota(numbers.begin(), numbers.end(), 0);
    return build.integers(numbers, dtype);
}

ExprId with_last_swapped(Builder& build, ExprId x) {
    Integers axes(size_t(build.rank(x)), 0);
    std::iota(axes.begin(), axes.end(), 0);
    if (axes.size() < 2) return x;
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return build.transpose(x, axes);
}

namespace {

/// Broadcasts the leading dimensions to `batch` and flattens them: [product, rows, columns].
ExprId flattened_stack(Builder& build, ExprId x, const Integers& batch, int64_t count) {
    Integers shape = build.static_shape(x), wanted = batch;
    wanted.insert(wanted.end(), shape.end() - 2, shape.end());
    if (shape != wanted) x = build.call("broadcast_to", {x}, {{"shape", integer_attribute(wanted)}});
    const int64_t flat[] = {count, wanted[wanted.size() - 2], wanted.back()};
    return build.reshape(x, flat);
}

/// Returns what an expression is the transpose of, matrix by matrix; an invalid id for another expression.
ExprId behind_swap(Builder& build, ExprId x) {
    const Module& module = build.module();
    const OpRecord* op = module.kind(x) == ExprKind::Call ? called_op_record(module, x) : nullptr;
    if (!op || op->name != "transpose") return {};
    Integers wanted(build.static_shape(x).size());
    std::iota(wanted.begin(), wanted.end(), 0);
    std::swap(wanted[wanted.size() - 1], wanted[wanted.size() - 2]);
    return attributes_of(module, x).integers("axes") == wanted ? module.arguments(x)[0] : ExprId();
}

ExprId stacked_product(Builder& build, ExprId a, ExprId b) {
    Integers left = build.static_shape(a), right = build.static_shape(b), batch;
    size_t depth = std::max(left.size(), right.size()) - 2;
    int64_t count = 1;
    for (size_t i = 0; i < depth; ++i) {
        auto extent = [&](const Integers& shape) {
            size_t missing = depth - (shape.size() - 2);
            return i < missing ? int64_t(1) : shape[i - missing];
        };
        int64_t l = extent(left), r = extent(right);
        if (l != r && l != 1 && r != 1) throw Fault{"the stacks of matrices can't be broadcast", {}};
        batch.push_back(l == 1 ? r : l);
        count *= batch.back();
    }
    const ExprId untransposed = behind_swap(build, b);
    if (untransposed.valid()) b = untransposed;
    ExprId product = build.call("nn.batch_matmul",
                                {flattened_stack(build, a, batch, count), flattened_stack(build, b, batch, count)},
                                {{"transpose_a", false}, {"transpose_b", untransposed.valid()}});
    batch.push_back(left[left.size() - 2]);
    batch.push_back(right.back());
    return build.reshape(product, batch);
}

}  // namespace

ExprId matrix_product(Builder& build, ExprId a, ExprId b) {
    Integers left = build.static_shape(a), right = build.static_shape(b);
    if (left.empty() || right.empty()) throw Fault{"its operands must not be scalars", {}};
    if (left.size() == 1) {
        const int64_t row[] = {1, left[0]};
        Integers result;
        ExprId product = matrix_product(build, build.reshape(a, row), b);
        Integers shape = build.static_shape(product);
        if (right.size() == 1) return build.reshape(product, {});
        shape.erase(shape.end() - 2);
        return build.reshape(product, shape);
    }
    if (right.size() == 1) {
        const int64_t column[] = {right[0], 1};
        ExprId product = matrix_product(build, a, build.reshape(b, column));
        Integers shape = build.static_shape(product);
        shape.pop_back();
        return build.reshape(product, shape);
    }
    if (right.size() > 2) return stacked_product(build, a, b);
    const int64_t swapped[] = {1, 0};
    return product_with_rows(build, a, build.transpose(b, swapped));
}

ExprId product_with_rows(Builder& build, ExprId a, ExprId b) {
    // A stack times one matrix is a single product of taller matrices.
    const Integers left = build.static_shape(a);
    const int64_t units = build.static_shape(b)[0];
    Integers shape(left.begin(), left.end() - 1);
    int64_t rows = 1;
    for (int64_t extent : shape) rows *= extent;
    const int64_t flat[] = {rows, left.back()};
    const ExprId product = build.call("nn.dense", {build.reshape(a, flat), b}, {{"units", int(units)}});
    shape.push_back(units);
    return build.reshape(product, shape);
}

namespace {

bool may_be_negative(Builder& build, ExprId indices) {
    if (build.dtype(indices).code == DataType::Code::UInt) return false;
    const Tensor* known = build.value(indices);
    for (int64_t i = 0; known && i < known->size(); ++i)
        if (known->at(i) < 0) return true;
    return !known;
}

/// Adds `extent` to negative indices.
ExprId wrapped_by(Builder& build, ExprId indices, ExprId extent) {
    ExprId below = build.call("less", {indices, build.constant(0, build.dtype(indices))});
    return build.call("where", {below, build.add(indices, extent), indices});
}

}  // namespace

ExprId wrapped_indices(Builder& build, ExprId indices, int64_t extent) {
    if (!may_be_negative(build, indices)) return indices;
    return wrapped_by(build, indices, build.constant(extent, build.dtype(indices)));
}

ExprId once_wrapped_indices(Builder& build, ExprId indices, const Integers& extents) {
    if (!may_be_negative(build, indices)) return indices;
    DataType dtype = build.dtype(indices);
    ExprId extent = extents.size() == 1 ? build.constant(extents[0], dtype) : build.integers(extents, dtype);
    ExprId wrapped = wrapped_by(build, indices, extent);
    return build.call("where", {build.call("less", {wrapped, build.constant(0, dtype)}), extent, wrapped});
}

ExprId elu_of(NodeContext& n, ExprId x, double alpha) {
    const ExprId negative = scaled(n, n.build.subtract(n.build.call("exp", {x}), like(n, x, 1)), alpha);
    return n.build.call("where", {n.build.call("greater", {x, like(n, x, 0)}), x, negative});
}

ExprId hard_sigmoid_of(NodeContext& n, ExprId x, double alpha, double beta) {
    ExprId line = n.build.add(scaled(n, x, alpha), like(n, x, beta));
    return n.build.call("maximum", {like(n, x, 0), n.build.call("minimum", {like(n, x, 1), line})});
}

/// max(x, 0) + log(1 + exp(-|x|)) does not overflow.
ExprId softplus_of(NodeContext& n, ExprId x) {
    ExprId small = n.build.call("exp", {n.build.call("negative", {n.build.call("abs", {x})})});
    return n.build.add(n.build.call("maximum", {like(n, x, 0), x}),
                       n.build.call("log", {n.build.add(small, like(n, x, 1))}));
}

ExprId softsign_of(NodeContext& n, ExprId x) {
    return n.build.divide(x, n.build.add(n.build.call("abs", {x}), like(n, x, 1)));
}

ExprId thresholded_relu_of(NodeContext& n, ExprId x, double alpha) {
    return n.build.call("where", {n.build.call("greater", {x, like(n, x, alpha)}), x, like(n, x, 0)});
}

ExprId gelu_by_tanh(NodeContext& n, ExprId x) {
    const ExprId cube = n.build.multiply(n.build.multiply(x, x), x);
    const ExprId bent =
        n.build.call("tanh", {scaled(n, n.build.add(x, scaled(n, cube, 0.044715)), std::sqrt(2 / M_PI))});
    return n.build.multiply(scaled(n, x, 0.5), n.build.add(bent, like(n, x, 1)));
}

ExprId swish_of(NodeContext& n, ExprId x, double alpha) {
    return n.build.multiply(x, n.build.call("sigmoid", {scaled(n, x, alpha)}));
}

}  // namespace partita::onnx
