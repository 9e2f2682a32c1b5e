#include "engine/passes/simplify_inference.h"

#include "engine/ir/traversal.h"
#include "engine/passes/op_builder.h"

namespace partita {

namespace {

/// Converts a negative axis, which counts from the back.
int64_t from_front(int64_t axis, size_t rank) { return axis < 0 ? axis + int64_t(rank) : axis; }

AttributeValue::List integers(const std::vector<int64_t>& values) {
    AttributeValue::List list;
    for (int64_t value : values) list.emplace_back(Integer{value, 32});
    return list;
}

/// Makes a vector along `axis` of a tensor of `rank` broadcastable by appending axes of 1.
ExprId expand_to_axis(OpBuilder& builder, ExprId vector, size_t rank, int64_t axis) {
    int64_t behind = int64_t(rank) - axis - 1;
    if (behind <= 0) return vector;
    return builder.call("expand_dims", {vector}, {{"axis", 1}, {"num_newaxis", int(behind)}});
}

/// The input of a rewrite: the new module's arguments of the call, and the old call's attributes.
struct Rewrite {
    OpBuilder& builder;
    std::vector<ExprId> arguments;
    AttributesView attributes;
    const TypeTable& types;
    TypeId data_type;  ///< of the first argument

    DataType dtype() const { return types.dtype(data_type); }
    std::vector<int64_t> shape() const {
        std::span<const int64_t> shape = types.shape(data_type);
        return {shape.begin(), shape.end()};
    }
    size_t rank() const { return types.shape(data_type).size(); }
    int64_t axis() const { return from_front(attributes.integer("axis"), rank()); }
    /// TVM keeps epsilon as a single-precision number whatever the data's type.
    ExprId epsilon(const char* name = "epsilon") {
        return builder.scalar(dtype(), double(float(attributes.real(name))));
    }
};

ExprId unpack_batch_norm(Rewrite& rewrite) {
    OpBuilder& b = rewrite.builder;
    ExprId data = rewrite.arguments[0], gamma = rewrite.arguments[1], beta = rewrite.arguments[2];
    ExprId mean = rewrite.arguments[3], variance = rewrite.arguments[4];
    ExprId deviation = b.call("sqrt", {b.call("add", {variance, rewrite.epsilon()})});
    ExprId scale = b.call("divide", {b.scalar(rewrite.dtype(), 1.0), deviation});
    if (rewrite.attributes.boolean("scale")) scale = b.call("multiply", {scale, gamma});
    ExprId shift = b.call("multiply", {b.call("negative", {mean}), scale});
    if (rewrite.attributes.boolean("center")) shift = b.call("add", {shift, beta});
    scale = expand_to_axis(b, scale, rewrite.rank(), rewrite.axis());
    shift = expand_to_axis(b, shift, rewrite.rank(), rewrite.axis());
    return b.call("add", {b.call("multiply", {data, scale}), shift});
}

/// (data - mean) / sqrt(variance + epsilon) over some axes.
ExprId standardize(Rewrite& rewrite, ExprId data, const std::vector<int64_t>& axes) {
    OpBuilder& b = rewrite.builder;
    ExprId epsilon = rewrite.epsilon();
    ExprId mean = b.call("mean", {data}, {{"axis", integers(axes)}, {"keepdims", true}});
    ExprId variance = b.call("variance", {data, mean}, {{"axis", integers(axes)}, {"keepdims", true}});
    ExprId deviation = b.call("sqrt", {b.call("add", {variance, epsilon})});
    return b.call("divide", {b.call("subtract", {data, mean}), deviation});
}

ExprId scale_and_center(Rewrite& rewrite, ExprId data) {
    OpBuilder& b = rewrite.builder;
    if (rewrite.attributes.boolean("scale"))
        data = b.call("multiply", {data, expand_to_axis(b, rewrite.arguments[1], rewrite.rank(), rewrite.axis())});
    if (rewrite.attributes.boolean("center"))
        data = b.call("add", {data, expand_to_axis(b, rewrite.arguments[2], rewrite.rank(), rewrite.axis())});
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
    ExprId data = b.call("reshape", {rewrite.arguments[0]}, {{"newshape", integers(grouped)}});
    data = b.call("reshape", {standardize(rewrite, data, axes)}, {{"newshape", integers(shape)}});
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

struct Simplification {
    const char* op;
    bool first_of_tuple;  ///< the op gives a tuple, whose field 0 is rewritten
    ExprId (*rewrite)(Rewrite&);
    const char* message;  ///< the form of a Sentence
};

constexpr Simplification kSimplifications[] = {
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

class Simplifier {
public:
    Simplifier(const Module& module, DecisionLog* log)
        : module_(module), result_(Module::with_tables_of(module)), copier_(module, result_), log_(log),
          opaque_(opaque_expressions(module)) {
        for (const Simplification& rule : kSimplifications) ops_.push_back(op_registry().find(rule.op));
    }

    Result<Module> run() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        for (ExprId id : post_order(module_, roots)) {
            if (copier_.has(id)) continue;
            const Simplification* rule = opaque_[id.value] ? nullptr : rule_for(id);
            if (!rule) {
                copier_.copy(id);
            } else if (Status done = apply(*rule, id); !done) {
                return done.error();
            }
        }
        for (const GlobalFunction& global : module_.functions())
            result_.set_function(module_.names().text(global.name), copier_.image(global.function));
        result_.set_typed(module_.typed());
        return std::move(result_);
    }

private:
    /// Returns the rule for an expression: a call, or the projection of the first field of one.
    const Simplification* rule_for(ExprId id) const {
        bool projection = module_.kind(id) == ExprKind::Projection && module_.projection_index(id) == 0;
        OpId op = module_.called_op(projection ? module_.operands(id)[0] : id);
        if (!op.valid()) return nullptr;
        for (size_t i = 0; i < ops_.size(); ++i)
            if (ops_[i] == op && kSimplifications[i].first_of_tuple == projection) return &kSimplifications[i];
        return nullptr;
    }

    Status apply(const Simplification& rule, ExprId id) {
        ExprId call = rule.first_of_tuple ? module_.operands(id)[0] : id;
        OpBuilder builder(result_, module_.origin(call), module_.position(call));
        std::vector<ExprId> arguments;
        for (ExprId argument : module_.arguments(call)) arguments.push_back(copier_.image(argument));
        Rewrite rewrite{builder, std::move(arguments), attributes_of(module_, call), module_.types(),
                        module_.type(module_.arguments(call)[0])};
        ExprId made = rule.rewrite(rewrite);
        if (builder.failed()) return builder.failure();
        copier_.set_image(id, made);
        if (log_) {
            Decision decision{};
            decision.pass = PassKind::Simplify;
            decision.kind = DecisionKind::Rewritten;
            decision.subject = module_.origin(call);
            decision.detail = {rule.message, {}};
            log_->add(std::move(decision));
        }
        return Nothing();
    }

    const Module& module_;
    Module result_;
    ModuleCopier copier_;
    DecisionLog* log_;
    std::vector<bool> opaque_;
    std::vector<OpId> ops_;
};

}  // namespace

Result<Module> simplify_inference(const Module& module, DecisionLog* log) { return Simplifier(module, log).run(); }

}  // namespace partita
