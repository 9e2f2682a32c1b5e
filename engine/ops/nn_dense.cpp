#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

bool same_or_unknown(int64_t a, int64_t b) { return a == b || a == kDynamicDim || b == kDynamicDim; }

DataType result_dtype(const TypeQuery& query) {
    DataType dtype = query.attributes.dtype("out_dtype");
    return dtype.is_void() ? query.types.dtype(query.arguments[0]) : dtype;
}

/// Of nn.dense (whose weight is always transposed) and nn.matmul, as MatmulRel in TVM's src/relay/op/nn/nn.h.
Result<TypeId> matmul_relation(const TypeQuery& query, bool transpose_a, bool transpose_b) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    std::span<const int64_t> weight = types.shape(query.arguments[1]);
    if (data.size() < (transpose_a ? 2u : 1u)) return error("the data's rank is too small");
    if (weight.size() != 2) return error("the weight must have rank 2, not " + std::to_string(weight.size()));
    std::vector<int64_t> shape(data.begin(), data.end());
    int64_t reduced = data.back();
    if (transpose_a) {
        reduced = data[data.size() - 2];
        shape[shape.size() - 2] = data.back();
    }
    int64_t weight_reduced = weight[transpose_b ? 1 : 0], weight_units = weight[transpose_b ? 0 : 1];
    if (!same_or_unknown(reduced, weight_reduced))
        return error("the data has " + std::to_string(reduced) + " features, but the weight takes " +
                     std::to_string(weight_reduced));
    auto units = checked_optional_integer(query.attributes, "units");
    if (!units) return units.error();
    if (*units && !same_or_unknown(**units, weight_units))
        return error("units is " + std::to_string(**units) + ", but the weight gives " + std::to_string(weight_units));
    shape.back() = *units ? **units : weight_units;
    return checked_tensor(types, result_dtype(query), shape);
}

Result<TypeId> dense_relation(const TypeQuery& query) { return matmul_relation(query, false, true); }

Result<TypeId> matmul_op_relation(const TypeQuery& query) {
    return matmul_relation(query, query.attributes.boolean("transpose_a"), query.attributes.boolean("transpose_b"));
}

Result<TypeId> batch_matmul_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> a = types.shape(query.arguments[0]), b = types.shape(query.arguments[1]);
    if (a.size() != 3 || b.size() != 3) return error("both arguments must have rank 3");
    bool transpose_a = query.attributes.boolean("transpose_a"), transpose_b = query.attributes.boolean("transpose_b");
    int64_t rows = a[transpose_a ? 2 : 1], reduced_a = a[transpose_a ? 1 : 2];
    int64_t columns = b[transpose_b ? 1 : 2], reduced_b = b[transpose_b ? 2 : 1];
    if (!same_or_unknown(a[0], b[0]) && a[0] != 1 && b[0] != 1)
        return error("the batches " + std::to_string(a[0]) + " and " + std::to_string(b[0]) + " differ");
    if (!same_or_unknown(reduced_a, reduced_b))
        return error("the reduced dimensions " + std::to_string(reduced_a) + " and " + std::to_string(reduced_b) + " differ");
    int64_t batch = a[0] == kDynamicDim || b[0] == kDynamicDim ? kDynamicDim : a[0] == 1 ? b[0] : a[0];
    return checked_tensor(types, result_dtype(query), std::vector<int64_t>{batch, rows, columns});
}

/// Two for each element of the result and each element of the reduced axis of the first argument.
double product_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId result,
                     const AttributesView& attributes) {
    double count = 2;
    for (int64_t dim : types.shape(result)) count *= double(dim);
    std::span<const int64_t> a = types.shape(arguments[0]);
    const AttributeValue* transposed = attributes.find("transpose_a");
    size_t from_end = transposed && *transposed->as_bool() ? 2 : 1;
    return count * double(a[a.size() - from_end]);
}

AttributeField units_field() {
    return required_field("units", AttributeKind::Object, "number of output features; None: as the weight has them");
}

AttributeField out_dtype_field() {
    return optional_field("out_dtype", AttributeKind::DType, kVoid, "the result's type; empty: the data's");
}

AttributeField flag_field(const char* name, const char* summary) {
    return optional_field(name, AttributeKind::Bool, false, summary);
}

}  // namespace

std::vector<OpRecord> nn_dense_ops() {
    std::vector<OpRecord> ops;
    OpRecord dense;
    dense.name = "nn.dense";
    dense.summary = "Fully connected layer: the data times the transposed weight.";
    dense.inputs = {"data", "weight"};
    dense.pattern = OpPattern::Complex;
    dense.attributes = {units_field(), out_dtype_field()};
    dense.relation = dense_relation;
    dense.flops = product_flops;
    dense.example =
        "fn (%x: Tensor[(2, 5), float32], %w: Tensor[(3, 5), float32]) { nn.dense(%x, %w, units=3) }";
    ops.push_back(dense);

    OpRecord matmul;
    matmul.name = "nn.matmul";
    matmul.summary = "Matrix product; either operand may be transposed.";
    matmul.inputs = {"tensor_a", "tensor_b"};
    matmul.pattern = OpPattern::Complex;
    matmul.attributes = {units_field(), out_dtype_field(), flag_field("transpose_a", "transpose the first operand"),
                         flag_field("transpose_b", "transpose the second operand")};
    matmul.relation = matmul_op_relation;
    matmul.flops = product_flops;
    matmul.example = "fn (%a: Tensor[(2, 5), float32], %b: Tensor[(5, 3), float32]) { nn.matmul(%a, %b, units=None) }";
    ops.push_back(matmul);

    OpRecord batch;
    batch.name = "nn.batch_matmul";
    batch.summary = "Matrix products of a batch; either operand may be transposed, a batch of 1 is repeated.";
    batch.inputs = {"tensor_a", "tensor_b"};
    batch.pattern = OpPattern::Complex;
    batch.attributes = {out_dtype_field(), flag_field("transpose_a", "transpose the first operand"),
                        flag_field("transpose_b", "transpose the second operand")};
    batch.relation = batch_matmul_relation;
    batch.flops = product_flops;
    batch.example =
        "fn (%a: Tensor[(2, 3, 4), float32], %b: Tensor[(2, 5, 4), float32]) "
        "{ nn.batch_matmul(%a, %b, transpose_b=True) }";
    ops.push_back(batch);
    return ops;
}

}  // namespace partita
