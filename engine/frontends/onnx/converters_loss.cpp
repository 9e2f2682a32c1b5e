// Losses, window functions, and detection with known boxes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

ExprId total(NodeContext& n, ExprId x) { return n.build.call("sum", {x}, {{"keepdims", false}, {"exclude", false}}); }

/// Returns -log_probability[target] * weight[target]; `log_probabilities` is [batch, classes, ...], the target [batch,
/// ...].
ExprId negative_log_likelihood(NodeContext& n, ExprId log_probabilities, ExprId target, ExprId weights) {
    Builder& build = n.build;
    Integers shape = build.static_shape(target);
    ExprId weight_of_target;
    ExprId kept;
    if (n.has_attribute("ignore_index")) {
        ExprId ignored = build.constant(n.integer("ignore_index", 0), build.dtype(target));
        kept = build.call("not_equal", {target, ignored});
        target = build.call("where", {kept, target, build.constant(0, build.dtype(target))});
    }
    Integers with_class = shape;
    with_class.insert(with_class.begin() + 1, 1);
    ExprId index = build.reshape(build.cast(target, kInt64), with_class);
    ExprId picked = build.reshape(build.call("gather", {log_probabilities, index}, {{"axis", 1}}), shape);
    if (weights.valid()) weight_of_target = build.call("take", {weights, build.cast(target, kInt64)}, {{"axis", 0}});
    if (kept.valid()) {
        ExprId mask = build.cast(kept, build.dtype(picked));
        weight_of_target = weight_of_target.valid() ? build.multiply(weight_of_target, mask) : mask;
    }
    ExprId loss = build.call("negative", {picked});
    if (weight_of_target.valid()) loss = build.multiply(loss, weight_of_target);
    std::string reduction = n.choice("reduction", {"mean", "none", "sum"});
    if (reduction == "none") return loss;
    ExprId sum = total(n, loss);
    if (reduction == "sum") return sum;
    double count = double(element_count(shape).value_or(1));
    return build.divide(sum, weight_of_target.valid() ? total(n, weight_of_target) : like(n, sum, count));
}

Exprs negative_log_likelihood_loss(NodeContext& n) {
    return {negative_log_likelihood(n, n.input(0), n.input(1), n.optional_input(2))};
}

Exprs softmax_cross_entropy_loss(NodeContext& n) {
    ExprId log_probabilities = n.build.call("nn.log_softmax", {n.input(0)}, {{"axis", 1}});
    return {negative_log_likelihood(n, log_probabilities, n.input(1), n.optional_input(2)), log_probabilities};
}

/// Returns a0 - a1 cos(2 pi i / N) + a2 cos(4 pi i / N).
Exprs cosine_window(NodeContext& n, double a0, double a1, double a2) {
    const double size = n.known_number(0);
    if (!(size >= 1 && size <= double(1 << 24))) throw Fault{"the size is out of range", {}};
    DataType dtype = data_type_of(int32_t(n.integer("output_datatype", 1)));
    if (dtype.is_void()) throw Fault{"the element type is not supported", {}};
    Tensor window(dtype, {int64_t(size)});
    double period = size - (n.integer("periodic", 1) ? 0 : 1);
    for (int64_t i = 0; i < window.size(); ++i) {
        double angle = period > 0 ? 2 * std::numbers::pi * double(i) / period : 0;
        window.set(i, a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
    }
    return {n.build.constant(std::move(window))};
}

Exprs hann_window(NodeContext& n) { return cosine_window(n, 0.5, 0.5, 0); }
Exprs hamming_window(NodeContext& n) { return cosine_window(n, 25.0 / 46.0, 21.0 / 46.0, 0); }
Exprs blackman_window(NodeContext& n) { return cosine_window(n, 0.42, 0.5, 0.08); }

struct Box {
    double top, left, bottom, right;
    double area() const { return (bottom - top) * (right - left); }
};

Box box_at(const Tensor& boxes, int64_t index, bool centred) {
    double a = boxes.at(4 * index), b = boxes.at(4 * index + 1), c = boxes.at(4 * index + 2),
           d = boxes.at(4 * index + 3);
    if (centred) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
    return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

double overlap(const Box& a, const Box& b) {
    double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    double width = std::min(a.right, b.right) - std::max(a.left, b.left);
    if (height <= 0 || width <= 0 || a.area() <= 0 || b.area() <= 0) return 0;
    return height * width / (a.area() + b.area() - height * width);
}

double optional_number(NodeContext& n, size_t input, double fallback) {
    return n.has(input) ? n.known_number(input) : fallback;
}

/// Selects boxes. The number of results depends on the data, so boxes and scores must be known.
Exprs non_max_suppression(NodeContext& n) {
    const Tensor &boxes = n.known(0), &scores = n.known(1);
    if (boxes.rank() != 3 || scores.rank() != 3 || boxes.shape()[2] != 4 || boxes.shape()[0] != scores.shape()[0] ||
        boxes.shape()[1] != scores.shape()[2])
        throw Fault{"boxes and scores do not fit", {}};
    int64_t most = int64_t(optional_number(n, 2, 0)), count = boxes.shape()[1], classes = scores.shape()[1];
    double iou_limit = optional_number(n, 3, 0),
           score_limit = optional_number(n, 4, -std::numeric_limits<double>::infinity());
    bool centred = n.integer("center_point_box", 0);
    Integers selected;
    for (int64_t batch = 0; batch < boxes.shape()[0]; ++batch)
        for (int64_t kind = 0; kind < classes; ++kind) {
            auto score = [&](int64_t i) { return scores.at((batch * classes + kind) * count + i); };
            Integers order, kept;
            for (int64_t i = 0; i < count; ++i)
                if (score(i) > score_limit) order.push_back(i);
            std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return score(a) > score(b); });
            for (int64_t i : order) {
                if (int64_t(kept.size()) >= most) break;
                Box box = box_at(boxes, batch * count + i, centred);
                bool free = std::all_of(kept.begin(), kept.end(), [&](int64_t k) {
                    return overlap(box, box_at(boxes, batch * count + k, centred)) <= iou_limit;
                });
                if (free) kept.push_back(i);
            }
            for (int64_t i : kept) selected.insert(selected.end(), {batch, kind, i});
        }
    const int64_t shape[] = {int64_t(selected.size()) / 3, 3};
    return {n.build.reshape(n.build.integers(selected), shape)};
}

const ConverterEntry kLossConverters[] = {
    {"BlackmanWindow", blackman_window},
    {"HammingWindow", hamming_window},
    {"HannWindow", hann_window},
    {"NegativeLogLikelihoodLoss", negative_log_likelihood_loss},
    {"NonMaxSuppression", non_max_suppression},
    {"SoftmaxCrossEntropyLoss", softmax_cross_entropy_loss},
};

}  // namespace

std::span<const ConverterEntry> loss_converters() { return kLossConverters; }

}  // namespace partita::onnx
