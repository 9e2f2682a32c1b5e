#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

/// Checks that the arguments after the first are vectors as long as the data's axis; gives that length.
Result<int64_t> check_channel_vectors(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto axis = checked_axis(query.attributes.integer("axis"), data.size());
    if (!axis) return axis;
    int64_t channels = data[size_t(*axis)];
    for (size_t i = 1; i < query.arguments.size(); ++i)
        if (Status fits = expect_tensor(query, i, types.dtype(query.arguments[0]), {channels}); !fits) return fits.error();
    return channels;
}

Result<TypeId> batch_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    TypeId vector = query.types.tensor(query.types.dtype(query.arguments[0]), {*channels});
    TypeId fields[] = {query.arguments[0], vector, vector};
    return query.types.tuple(fields);
}

Result<TypeId> channel_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    return query.arguments[0];
}

Result<TypeId> group_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    int64_t groups = query.attributes.integer("num_groups");
    if (groups < 1 || (*channels != kDynamicDim && *channels % groups != 0))
        return error("num_groups must be positive and divide the " + std::to_string(*channels) + " channels, not " +
                     std::to_string(groups));
    return query.arguments[0];
}

Result<TypeId> one_axis_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto axis = checked_axis(query.attributes.integer("axis"), query.types.shape(query.arguments[0]).size());
    if (!axis) return axis.error();
    return query.arguments[0];
}

Result<TypeId> lrn_relation(const TypeQuery& query) {
    int64_t size = query.attributes.integer("size");
    if (size < 1 || size > std::numeric_limits<int32_t>::max()) return error("size must be positive");
    return one_axis_relation(query);
}

Result<TypeId> l2_normalize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    for (int64_t axis : query.attributes.integers("axis"))
        if (auto checked = checked_axis(axis, query.types.shape(query.arguments[0]).size()); !checked)
            return checked.error();
    return query.arguments[0];
}

Result<TypeId> dropout_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeId fields[] = {query.arguments[0], query.arguments[0]};
    return query.types.tuple(fields);
}

template <int each>
double flops_for_each_element(const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
    double count = each;
    for (int64_t dim : types.shape(arguments[0])) count *= double(dim);
    return count;
}

std::vector<AttributeField> norm_fields(int axis) {
    using enum AttributeKind;
    return {
        optional_field("axis", Int, axis, "the channels' axis"),
        optional_field("epsilon", Double, 1e-5, "added to the variance"),
        optional_field("center", Bool, true, "whether beta is added"),
        optional_field("scale", Bool, true, "whether gamma is a factor"),
    };
}

OpRecord norm_record(std::string name, std::string summary, std::string example) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = {"data", "gamma", "beta"};
    record.attributes = norm_fields(1);
    record.relation = channel_norm_relation;
    record.flops = flops_for_each_element<8>;
    record.example = std::move(example);
    return record;
}

OpRecord softmax_record(std::string name, std::string summary) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = {"data"};
    record.attributes = {optional_field("axis", AttributeKind::Int, -1, "the axis that sums to one")};
    record.relation = one_axis_relation;
    record.flops = flops_for_each_element<5>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { " + record.name + "(%x) }";
    return record;
}

OpRecord batch_norm_record() {
    OpRecord record = norm_record("nn.batch_norm", "Normalisation by given means and variances; a tuple of result, mean and variance.",
                                  "fn (%x: Tensor[(1, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
                                  "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) { nn.batch_norm(%x, %g, %b, %m, %v) }");
    record.inputs = {"data", "gamma", "beta", "moving_mean", "moving_var"};
    record.relation = batch_norm_relation;
    record.flops = flops_for_each_element<2>;
    return record;
}

OpRecord group_norm_record() {
    OpRecord record = norm_record("nn.group_norm", "Normalisation over groups of channels.",
                                  "fn (%x: Tensor[(2, 4, 3, 3), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) "
                                  "{ nn.group_norm(%x, %g, %b, num_groups=2) }");
    record.attributes.insert(record.attributes.begin(),
                             optional_field("num_groups", AttributeKind::Int, 0, "into how many groups the channels are divided"));
    record.relation = group_norm_relation;
    return record;
}

OpRecord lrn_record() {
    using enum AttributeKind;
    OpRecord record;
    record.name = "nn.lrn";
    record.summary = "Local response normalisation: divides by the strength of neighbouring channels.";
    record.inputs = {"data"};
    record.attributes = {
        optional_field("size", Int, 5, "how many neighbours count"),
        optional_field("axis", Int, 1, "the channels' axis"),
        optional_field("bias", Double, 2.0, "added to the sum"),
        optional_field("alpha", Double, 0.0001, "factor of the sum"),
        optional_field("beta", Double, 0.75, "exponent"),
    };
    record.relation = lrn_relation;
    record.flops = flops_for_each_element<15>;
    record.example = "fn (%x: Tensor[(1, 6, 3, 3), float32]) { nn.lrn(%x) }";
    return record;
}

OpRecord l2_normalize_record() {
    OpRecord record;
    record.name = "nn.l2_normalize";
    record.summary = "Divides by the Euclidean norm over some axes.";
    record.inputs = {"data"};
    record.attributes = {
        required_field("eps", AttributeKind::Double, "smallest sum of squares"),
        required_field("axis", AttributeKind::IntegerList, "the axes of the norm"),
    };
    record.relation = l2_normalize_relation;
    record.flops = flops_for_each_element<3>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { nn.l2_normalize(%x, eps=0.001f, axis=[1]) }";
    return record;
}

OpRecord dropout_record() {
    OpRecord record;
    record.name = "nn.dropout";
    record.summary = "Drops elements in training; a tuple of the data and a mask, for inference the data and ones.";
    record.inputs = {"data"};
    record.attributes = {optional_field("rate", AttributeKind::Double, 0.5, "how likely an element is dropped")};
    record.relation = dropout_relation;
    record.flops = flops_for_each_element<0>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { nn.dropout(%x) }";
    return record;
}

}  // namespace

std::vector<OpRecord> nn_norm_ops() {
    std::vector<OpRecord> ops;
    ops.push_back(batch_norm_record());
    OpRecord layer = norm_record("nn.layer_norm", "Normalisation over one axis.",
                                 "fn (%x: Tensor[(2, 3, 4), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) "
                                 "{ nn.layer_norm(%x, %g, %b) }");
    layer.attributes = norm_fields(-1);
    ops.push_back(layer);
    ops.push_back(norm_record("nn.instance_norm", "Normalisation of each channel of each example.",
                              "fn (%x: Tensor[(2, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32]) "
                              "{ nn.instance_norm(%x, %g, %b) }"));
    ops.push_back(group_norm_record());
    ops.push_back(softmax_record("nn.softmax", "Exponentials divided by their sum along an axis."));
    ops.push_back(softmax_record("nn.fast_softmax", "Softmax whose exponential may be approximate."));
    ops.push_back(softmax_record("nn.log_softmax", "Logarithm of softmax."));
    ops.push_back(lrn_record());
    ops.push_back(l2_normalize_record());
    ops.push_back(dropout_record());
    return ops;
}

}  // namespace partita
