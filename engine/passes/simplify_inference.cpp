#include "engine/passes/simplify_inference.h"

#include "engine/passes/rewrite_calls.h"

namespace partita {

namespace {

ExprId unpack_batch_norm(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    ExprId data = rewrite.arguments[0], gamma = rewrite.arguments[1], beta = rewrite.arguments[2];
    ExprId mean = rewrite.arguments[3], variance = rewrite.arguments[4];
    ExprId deviation = b.call("sqrt", {b.call("add", {variance, rewrite.epsilon()})});
    ExprId scale = b.call("divide", {b.scalar(rewrite.dtype(), 1.0), deviation});
    if (rewrite.attributes.boolean("scale")) scale = b.call("multiply", {scale, gamma});
    ExprId shift = b.call("multiply", {b.call("negative", {mean}), scale});
    if (rewrite.attributes.boolean("center")) shift = b.call("add", {shift, beta});
    scale = rewrite.along_axis(scale);
    shift = rewrite.along_axis(shift);
    return b.call("add", {b.call("multiply", {data, scale}), shift});
}

/// (data - mean) / sqrt(variance + epsilon) over some axes.
ExprId standardize(Rewrite& rewrite, ExprId data, const std::vector<int64_t>& axes) {
    OpBuilder& b = rewrite.builder;
    ExprId epsilon = rewrite.epsilon();
    ExprId mean = b.call("mean", {data}, {{"axis", integer_list_of(axes)}, {"keepdims", true}});
    ExprId variance = b.call("variance", {data, mean}, {{"axis", integer_list_of(axes)}, {"keepdims", true}});
    ExprId deviation = b.call("sqrt", {b.call("add", {variance, epsilon})});
    return b.call("divide", {b.call("subtract", {data, mean}), deviation});
}

ExprId scale_and_center(Rewrite& rewrite, ExprId data) {
    OpBuilder& b = rewrite.builder;
    if (rewrite.attributes.boolean("scale"))
        data = b.call("multiply", {data, rewrite.along_axis(rewrite.arguments[1])});
    if (rewrite.attributes.boolean("center")) data = b.call("add", {data, rewrite.along_axis(rewrite.arguments[2])});
    return data;
}

ExprId unpack_layer_norm(Rewrite& rewrite) {
    return scale_and_center(rewrite, standardize(rewrite, rewrite.arguments[0], {rewrite.attributes.integer("axis")}));
}

ExprId unpack_instance_norm(Rewrite& rewrite) {
    std::vector<int64_t> axes;
    for (int64_t axis = 1; axis < int64_t(rewrite.rank()); ++axis)
        if (axis != rewrite.axis()) axes.push_back(axis);
    return scale_and_center(rewrite, standardize(rewrite, rewrite.arguments[0], axes));
}

/// Splits the channels' axis in two: groups, and channels of a group.
ExprId unpack_group_norm(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    std::vector<int64_t> shape = rewrite.shape(), grouped, axes;
    int64_t groups = rewrite.attributes.integer("num_groups");
    for (int64_t i = 0; i < int64_t(shape.size()); ++i) {
        if (i == rewrite.axis()) {
            grouped.push_back(groups);
            grouped.push_back(shape[size_t(i)] / groups);
        } else {
            grouped.push_back(shape[size_t(i)]);
        }
        if (i >= rewrite.axis()) axes.push_back(i + 1);
    }
    ExprId data = b.call("reshape", {rewrite.arguments[0]}, {{"newshape", integer_list_of(grouped)}});
    data = b.call("reshape", {standardize(rewrite, data, axes)}, {{"newshape", integer_list_of(shape)}});
    return scale_and_center(rewrite, data);
}

ExprId unpack_l2_normalize(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    ExprId data = rewrite.arguments[0];
    ExprId epsilon = rewrite.epsilon("eps");
    ExprId sum =
        b.call("sum", {b.call("multiply", {data, data})}, {{"axis", rewrite.attributes["axis"]}, {"keepdims", true}});
    return b.call("divide", {data, b.call("sqrt", {b.call("maximum", {sum, epsilon})})});
}

constexpr CallRewrite kSimplifications[] = {
    {"nn.batch_norm", true, unpack_batch_norm,
     SENTENCE("Engine", "nn.batch_norm became a multiplication and an addition")},
    {"nn.dropout", true, [](Rewrite& rewrite) { return rewrite.arguments[0]; },
     SENTENCE("Engine", "nn.dropout became its argument")},
    {"nn.layer_norm", false, unpack_layer_norm,
     SENTENCE("Engine", "nn.layer_norm became mean, variance and arithmetic")},
    {"nn.group_norm", false, unpack_group_norm,
     SENTENCE("Engine", "nn.group_norm became mean, variance and arithmetic")},
    {"nn.instance_norm", false, unpack_instance_norm,
     SENTENCE("Engine", "nn.instance_norm became mean, variance and arithmetic")},
    {"nn.l2_normalize", false, unpack_l2_normalize, SENTENCE("Engine", "nn.l2_normalize became a division by a root")},
};

}  // namespace

Result<Module> simplify_inference(const Module& module, DecisionLog* log) {
    return rewrite_calls(module, kSimplifications, log);
}

}  // namespace partita
