#include <algorithm>
#include <memory>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/convolution_c.h"
#include "engine/ops/families.h"
#include "engine/ops/gemm.h"
#include "engine/ops/product_c.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

bool same_or_unknown(int64_t a, int64_t b) { return a == b || a == kDynamicDim || b == kDynamicDim; }

DataType result_dtype(const TypeQuery& query) {
    DataType dtype = query.attributes.dtype("out_dtype");
    return dtype.is_void() ? query.types.dtype(query.arguments[0]) : dtype;
}

/// For nn.dense (whose weight is always transposed) and nn.matmul, as MatmulRel in TVM's src/relay/op/nn/nn.h.
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
        return error("the reduced dimensions " + std::to_string(reduced_a) + " and " + std::to_string(reduced_b) +
                     " differ");
    int64_t batch = a[0] == kDynamicDim || b[0] == kDynamicDim ? kDynamicDim : a[0] == 1 ? b[0] : a[0];
    return checked_tensor(types, result_dtype(query), std::vector<int64_t>{batch, rows, columns});
}

// ---- Kernels ----

/// result[i] = a[i % a_items] * b[i % b_items], each a matrix that may be transposed in memory.
struct ProductExtents {
    int64_t items = 1, a_items = 1, b_items = 1;
    int64_t rows = 0, columns = 0, depth = 0;
    bool transpose_a = false, transpose_b = false;
};

template <class T>
std::unique_ptr<T[]> transposed(const T* from, int64_t items, int64_t rows, int64_t columns) {
    std::unique_ptr<T[]> to(new T[size_t(items * rows * columns)]);
    for (int64_t item = 0; item < items; ++item, from += rows * columns)
        for (int64_t row = 0; row < rows; ++row)
            for (int64_t column = 0; column < columns; ++column)
                to[size_t((item * columns + column) * rows + row)] = from[row * columns + column];
    return to;
}

template <class T>
void multiply_matrices(const ProductExtents& extents, const T* a, const T* b, T* result, ThreadPool& threads) {
    std::unique_ptr<T[]> a_rows;
    if (extents.transpose_a && extents.rows > 1) {
        a_rows = transposed(a, extents.a_items, extents.depth, extents.rows);
        a = a_rows.get();
    }
    if (extents.transpose_b && extents.items == 1) {
        multiply_by_transposed(a, b, extents.rows, extents.columns, extents.depth, result, threads);
        return;
    }
    GemmBatch<T> batch;
    batch.items = extents.items;
    batch.rows = extents.rows;
    batch.columns = extents.columns;
    batch.depth = extents.depth;
    batch.first = a;
    batch.first_stride = extents.depth;
    batch.first_items = extents.a_items;
    batch.first_item_stride = extents.rows * extents.depth;
    batch.result = result;
    batch.result_stride = extents.columns;
    batch.result_item_stride = extents.rows * extents.columns;
    gemm(batch,
         gather_from_matrix(b, extents.transpose_b ? int64_t(1) : extents.columns,
                            extents.transpose_b ? extents.depth : int64_t(1), extents.b_items,
                            extents.depth * extents.columns),
         threads);
}

Status product_kernel(const KernelCall& call, const ProductExtents& extents) {
    const TensorView &a = call.inputs[0], &b = call.inputs[1], &result = call.outputs[0];
    if (loses_fractions(a.dtype, b.dtype, result.dtype)) return unsupported_types(call);
    return with_product_type(a.dtype, b.dtype, result.dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> a_values(a, call.threads), b_values(b, call.threads);
        ConvertedOutput<T> result_values(result);
        if (!a_values.data() || !b_values.data() || !result_values.data()) return unsupported_types(call);
        multiply_matrices(extents, a_values.data(), b_values.data(), result_values.data(), call.threads);
        result_values.store(call.threads);
        return Nothing();
    });
}

ProductExtents matmul_extents(std::span<const int64_t> a, std::span<const int64_t> b, bool transpose_a,
                              bool transpose_b) {
    ProductExtents extents;
    extents.transpose_a = transpose_a;
    extents.transpose_b = transpose_b;
    extents.columns = b[transpose_b ? 0 : 1];
    extents.depth = b[transpose_b ? 1 : 0];
    extents.rows = 1;
    // Without a transposition all leading axes are rows of one product.
    if (transpose_a) {
        for (size_t d = 0; d + 2 < a.size(); ++d) extents.items *= a[d];
        extents.rows = a.back();
    } else {
        for (size_t d = 0; d + 1 < a.size(); ++d) extents.rows *= a[d];
    }
    extents.a_items = extents.items;
    return extents;
}

ProductExtents batch_matmul_extents(std::span<const int64_t> a, std::span<const int64_t> b,
                                    std::span<const int64_t> result, const AttributesView& attributes) {
    ProductExtents extents;
    extents.transpose_a = attributes.boolean("transpose_a");
    extents.transpose_b = attributes.boolean("transpose_b");
    extents.items = result[0];
    extents.a_items = a[0];
    extents.b_items = b[0];
    extents.rows = result[1];
    extents.columns = result[2];
    extents.depth = a[extents.transpose_a ? 1 : 2];
    return extents;
}

Status dense_kernel(const KernelCall& call) {
    return product_kernel(call, matmul_extents(call.inputs[0].shape, call.inputs[1].shape, false, true));
}

Status matmul_op_kernel(const KernelCall& call) {
    return product_kernel(
        call, matmul_extents(call.inputs[0].shape, call.inputs[1].shape, call.attributes.boolean("transpose_a"),
                             call.attributes.boolean("transpose_b")));
}

Status batch_matmul_kernel(const KernelCall& call) {
    return product_kernel(
        call, batch_matmul_extents(call.inputs[0].shape, call.inputs[1].shape, call.outputs[0].shape, call.attributes));
}

// ---- C ----

std::string item_offset(int64_t items, int64_t size) { return items == 1 ? "" : "i * " + std::to_string(size) + " + "; }

/// Writes `count` columns from column c, for all rows, of a product whose operands both have k innermost.
void write_dot_columns(CWriter& code, const CLoops& loops, const ProductExtents& extents, const std::string& sum_type,
                       int64_t count) {
    std::string depth = std::to_string(extents.depth), columns = std::to_string(extents.columns);
    auto write = [&](int64_t rows) {
        DotBlock block{sum_type, extents.depth, {}, {}, {}};
        for (int64_t r = 0; r < rows; ++r) {
            block.left.push_back(loops.inputs[0].name + " + (r + " + std::to_string(r) + ") * " + depth);
            block.results.emplace_back();
            for (int64_t c = 0; c < count; ++c)
                block.results.back().push_back(loops.outputs[0].name + "[(r + " + std::to_string(r) + ") * " + columns +
                                               " + c + " + std::to_string(c) + "]");
        }
        for (int64_t c = 0; c < count; ++c)
            block.right.push_back(loops.inputs[1].name + " + (c + " + std::to_string(c) + ") * " + depth);
        write_dot_block(code, block);
    };
    constexpr int64_t kRows = 4;
    if (extents.rows >= kRows) {
        code.open("for (int64_t r = 0; r + " + std::to_string(kRows) + " <= " + std::to_string(extents.rows) +
                  "; r += " + std::to_string(kRows) + ")");
        write(kRows);
        code.close();
    }
    if (int64_t rest = extents.rows % kRows) {
        code.open("");
        code.line("const int64_t r = " + std::to_string(extents.rows - rest) + ";");
        write(rest);
        code.close();
    }
}

/// Writes a product whose operands both have k innermost, by blocks of sums of vectors.
void write_dot_product(const CLoops& loops, const ProductExtents& extents, const std::string& sum_type) {
    constexpr int64_t kColumns = 4;
    CWriter code(loops.code, loops.indent);
    declare_lanes(code, sum_type);
    if (extents.columns >= kColumns) {
        code.share_among_threads(1);
        code.open("for (int64_t c = 0; c <= " + std::to_string(extents.columns - kColumns) +
                  "; c += " + std::to_string(kColumns) + ")");
        write_dot_columns(code, loops, extents, sum_type, kColumns);
        code.close();
    }
    if (int64_t rest = extents.columns % kColumns) {
        code.open("");
        code.line("const int64_t c = " + std::to_string(extents.columns - rest) + ";");
        write_dot_columns(code, loops, extents, sum_type, rest);
        code.close();
    }
}

Status product_in_c(const CLoops& loops, const ProductExtents& extents, const CZeroPoints& zero_points = {}) {
    const CTensor &a = loops.inputs[0], &b = loops.inputs[1], &result = loops.outputs[0];
    std::string sum_type = c_product_type(a.dtype, b.dtype, result.dtype);
    if (sum_type.empty()) return error(loops.attributes.op().name + " of these types can't be written in C");
    bool same_types = c_type(a.dtype) == sum_type && c_type(b.dtype) == sum_type && c_type(result.dtype) == sum_type;
    if (same_types && extents.items == 1 && !extents.transpose_a && extents.transpose_b &&
        extents.depth >= lane_count(sum_type)) {
        write_dot_product(loops, extents, sum_type);
        return Nothing();
    }
    std::string rows = std::to_string(extents.rows), columns = std::to_string(extents.columns),
                depth = std::to_string(extents.depth);
    std::string left = extents.transpose_a ? "k * " + rows + " + r" : "r * " + depth + " + k";
    std::string right = extents.transpose_b ? "c * " + depth + " + k" : "k * " + columns + " + c";
    CWriter code(loops.code, loops.indent);
    bool batched = extents.items != 1;
    code.share_among_threads(batched ? 3 : 2);
    if (batched) code.open_loop("i", extents.items);
    code.open_loop("r", extents.rows);
    code.open_loop("c", extents.columns);
    code.line(sum_type + " sum = 0;");
    loops.code += "#ifdef _OPENMP\n#pragma omp simd reduction(+:sum)\n#endif\n";
    code.open_loop("k", extents.depth);
    std::string first =
        "(" + sum_type + ")" + a.name + "[" + item_offset(extents.a_items, extents.rows * extents.depth) + left + "]";
    std::string second = "(" + sum_type + ")" + b.name + "[" +
                         item_offset(extents.b_items, extents.columns * extents.depth) + right + "]";
    if (!zero_points.data.empty()) first = "(" + first + " - " + zero_points.data + ")";
    if (!zero_points.weight.empty()) second = "(" + second + " - " + zero_points.weight + ")";
    code.line("sum += " + first + " * " + second + ";");
    code.close();
    code.line(result.name + "[" + item_offset(extents.items, extents.rows * extents.columns) + "r * " + columns +
              " + c] = (" + c_type(result.dtype) + ")sum;");
    code.close();
    code.close();
    if (batched) code.close();
    return Nothing();
}

Status dense_in_c(const CLoops& loops) {
    return product_in_c(loops, matmul_extents(loops.inputs[0].shape, loops.inputs[1].shape, false, true));
}

Status matmul_in_c(const CLoops& loops) {
    return product_in_c(
        loops, matmul_extents(loops.inputs[0].shape, loops.inputs[1].shape, loops.attributes.boolean("transpose_a"),
                              loops.attributes.boolean("transpose_b")));
}

Status batch_matmul_in_c(const CLoops& loops) {
    return product_in_c(loops, batch_matmul_extents(loops.inputs[0].shape, loops.inputs[1].shape,
                                                    loops.outputs[0].shape, loops.attributes));
}

/// Counts two for each element of the result and each element of the reduced axis of the first argument.
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

Status write_dense_in_c(const CLoops& loops, const CZeroPoints& zero_points) {
    return product_in_c(loops, matmul_extents(loops.inputs[0].shape, loops.inputs[1].shape, false, true), zero_points);
}

std::vector<OpRecord> nn_dense_ops() {
    std::vector<OpRecord> ops;
    OpRecord dense;
    dense.name = "nn.dense";
    dense.summary = "Fully connected layer: the data times the transposed weight.";
    dense.inputs = {"data", "weight"};
    dense.pattern = OpPattern::Complex;
    dense.attributes = {units_field(), out_dtype_field()};
    dense.relation = dense_relation;
    dense.kernel = dense_kernel;
    dense.c_loops = dense_in_c;
    dense.flops = product_flops;
    dense.example = "fn (%x: Tensor[(2, 5), float32], %w: Tensor[(3, 5), float32]) { nn.dense(%x, %w, units=3) }";
    ops.push_back(dense);

    OpRecord matmul;
    matmul.name = "nn.matmul";
    matmul.summary = "Matrix product; either operand may be transposed.";
    matmul.inputs = {"tensor_a", "tensor_b"};
    matmul.pattern = OpPattern::Complex;
    matmul.attributes = {units_field(), out_dtype_field(), flag_field("transpose_a", "transpose the first operand"),
                         flag_field("transpose_b", "transpose the second operand")};
    matmul.relation = matmul_op_relation;
    matmul.kernel = matmul_op_kernel;
    matmul.c_loops = matmul_in_c;
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
    batch.kernel = batch_matmul_kernel;
    batch.c_loops = batch_matmul_in_c;
    batch.flops = product_flops;
    batch.example =
        "fn (%a: Tensor[(2, 3, 4), float32], %b: Tensor[(2, 5, 4), float32]) "
        "{ nn.batch_matmul(%a, %b, transpose_b=True) }";
    ops.push_back(batch);
    return ops;
}

}  // namespace partita
