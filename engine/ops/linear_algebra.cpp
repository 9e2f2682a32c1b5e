// Determinants and inverses of square matrices, by Gaussian elimination with partial pivoting, in double. Source:
// Golub, Van Loan, "Matrix Computations", sections 3.2 and 3.4. Relay has neither; the names are NumPy's.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

/// Refuses what is no tensor [..., n, n] of floating-point numbers.
Status require_square_matrices(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors;
    const DataType dtype = query.types.dtype(query.arguments[0]);
    if (!dtype.is_float()) return error("matrices must be of floating-point numbers, not " + dtype.to_string());
    const std::span<const int64_t> shape = query.types.shape(query.arguments[0]);
    const size_t rank = shape.size();
    if (rank < 2) return error("data must have at least rank 2");
    const int64_t rows = shape[rank - 2], columns = shape[rank - 1];
    if (rows != columns && rows != kDynamicDim && columns != kDynamicDim)
        return error("the matrices must be square, not " + std::to_string(rows) + " x " + std::to_string(columns));
    return Nothing();
}

Result<TypeId> determinant_relation(const TypeQuery& query) {
    if (Status square = require_square_matrices(query); !square) return square.error();
    const std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]);
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), std::span(shape).first(shape.size() - 2));
}

Result<TypeId> inverse_relation(const TypeQuery& query) {
    if (Status square = require_square_matrices(query); !square) return square.error();
    return query.arguments[0];
}

/// `size` rows of which the first `size` columns are the matrix.
struct Rows {
    double* data;
    int64_t size, width;

    double* operator[](int64_t row) const { return data + row * width; }
};

/// Brings the largest element of the column that is not in a row above `at` into row `at`. Returns whether it was
/// elsewhere.
bool bring_pivot(const Rows& rows, int64_t at) {
    int64_t largest = at;
    for (int64_t i = at + 1; i < rows.size; ++i)
        if (std::abs(rows[i][at]) > std::abs(rows[largest][at])) largest = i;
    if (largest == at) return false;
    std::swap_ranges(rows[at], rows[at] + rows.width, rows[largest]);
    return true;
}

/// Subtracts row `at` from row `i` so that column `at` becomes 0 there; columns before it are not touched.
void eliminate(const Rows& rows, int64_t at, int64_t i) {
    const double factor = rows[i][at] / rows[at][at];
    for (int64_t j = at; j < rows.width; ++j) rows[i][j] -= factor * rows[at][j];
}

double determinant(const Rows& rows) {
    double product = 1;
    for (int64_t at = 0; at < rows.size; ++at) {
        if (bring_pivot(rows, at)) product = -product;
        if (rows[at][at] == 0) return 0;
        product *= rows[at][at];
        for (int64_t i = at + 1; i < rows.size; ++i) eliminate(rows, at, i);
    }
    return product;
}

/// Turns [A | I] into [D | D * inverse of A], D diagonal. Of a matrix without an inverse come infinities and NaN.
void invert(const Rows& rows) {
    for (int64_t at = 0; at < rows.size; ++at) {
        bring_pivot(rows, at);
        for (int64_t i = 0; i < rows.size; ++i)
            if (i != at) eliminate(rows, at, i);
    }
}

struct Matrices {
    int64_t count, size;

    explicit Matrices(std::span<const int64_t> shape) : count(1), size(shape.back()) {
        for (int64_t extent : shape.first(shape.size() - 2)) count *= extent;
    }
};

/// Calls compute(matrix, result) for each matrix, both of doubles, and memory of `width` columns to work in.
template <class Compute>
Status for_each_matrix(const KernelCall& call, int64_t columns, const Compute& compute) {
    ConvertedInput<double> data(call.inputs[0], call.threads);
    ConvertedOutput<double> result(call.outputs[0]);
    if (!data.data() || !result.data()) return unsupported_types(call);
    const Matrices matrices(call.inputs[0].shape);
    const int64_t elements = matrices.size * matrices.size, width = columns * matrices.size;
    constexpr int64_t kStepsWorthAThread = 1 << 16;
    const int64_t grain = std::max<int64_t>(1, kStepsWorthAThread / std::max<int64_t>(1, elements * width));
    call.threads.parallel_for(matrices.count, grain, [&](int64_t begin, int64_t end) {
        std::vector<double> memory(size_t(matrices.size * width));
        for (int64_t i = begin; i < end; ++i) {
            const Rows rows{memory.data(), matrices.size, width};
            for (int64_t row = 0; row < matrices.size; ++row) {
                std::fill_n(rows[row], width, 0.0);
                std::copy_n(data.data() + i * elements + row * matrices.size, matrices.size, rows[row]);
            }
            compute(rows, result.data(), i);
        }
    });
    result.store(call.threads);
    return Nothing();
}

Status determinant_kernel(const KernelCall& call) {
    return for_each_matrix(call, 1, [](const Rows& rows, double* result, int64_t i) { result[i] = determinant(rows); });
}

Status inverse_kernel(const KernelCall& call) {
    return for_each_matrix(call, 2, [](const Rows& rows, double* result, int64_t matrix) {
        const int64_t size = rows.size;
        for (int64_t i = 0; i < size; ++i) rows[i][size + i] = 1;
        invert(rows);
        double* to = result + matrix * size * size;
        for (int64_t i = 0; i < size; ++i)
            for (int64_t j = 0; j < size; ++j) to[i * size + j] = rows[i][size + j] / rows[i][i];
    });
}

/// Writes the loop over matrices: copies each into `rows`, on the stack, and eliminates in rows from `first_row` on.
class EliminationInC {
public:
    EliminationInC(const CLoops& loops, int64_t columns)
        : loops_(loops), code_(loops.code, loops.indent), matrices_(loops.inputs[0].shape),
          width_(columns * matrices_.size) {}

    Status begin() {
        const DataType dtype = loops_.inputs[0].dtype;
        constexpr int64_t kMostOnTheStack = 1 << 14;
        if ((dtype != kFloat32 && dtype != kFloat64) || matrices_.size * width_ > kMostOnTheStack)
            return error(loops_.attributes.op().name + " of " + dtype.to_string() + " of " + number(matrices_.size) +
                         " x " + number(matrices_.size) + " can't be written in C");
        const std::string size = number(matrices_.size), width = number(width_);
        code_.open_loop("m", matrices_.count);
        code_.line("double rows[" + number(std::max<int64_t>(1, matrices_.size)) + "][" +
                   number(std::max<int64_t>(1, width_)) + "], product = 1.0;");
        code_.open_loop("i", matrices_.size);
        code_.open_loop("j", width_);
        code_.line("rows[i][j] = j < " + size + " ? " + loops_.inputs[0].name + "[(m * " + size + " + i) * " + size +
                   " + j] : i + " + size + " == j;");
        code_.close();
        code_.close();
        return Nothing();
    }
    void eliminate(const std::string& first_row) {
        const std::string size = number(matrices_.size), width = number(width_);
        code_.open_loop("k", matrices_.size);
        code_.line("int64_t largest = k;");
        code_.line("for (int64_t i = k + 1; i < " + size +
                   "; ++i) if (fabs(rows[i][k]) > fabs(rows[largest][k])) largest = i;");
        code_.line("if (largest != k) product = -product;");
        code_.open("for (int64_t j = 0; largest != k && j < " + width + "; ++j)");
        code_.line("const double element = rows[k][j];");
        code_.line("rows[k][j] = rows[largest][j];");
        code_.line("rows[largest][j] = element;");
        code_.close();
        code_.line("product *= rows[k][k];");
        if (first_row != "0") code_.line("if (rows[k][k] == 0.0) break;");
        code_.open("for (int64_t i = " + first_row + "; i < " + size + "; ++i)");
        code_.line("if (i == k) continue;");
        code_.line("const double factor = rows[i][k] / rows[k][k];");
        code_.line("for (int64_t j = k; j < " + width + "; ++j) rows[i][j] -= factor * rows[k][j];");
        code_.close();
        code_.close();
    }
    CWriter& code() { return code_; }
    int64_t size() const { return matrices_.size; }

private:
    const CLoops& loops_;
    CWriter code_;
    const Matrices matrices_;
    const int64_t width_;
};

Status determinant_in_c(const CLoops& loops) {
    EliminationInC elimination(loops, 1);
    if (Status begun = elimination.begin(); !begun) return begun;
    elimination.eliminate("k + 1");
    elimination.code().line(loops.outputs[0].name + "[m] = (" + c_type(loops.outputs[0].dtype) + ")product;");
    elimination.code().close();
    return Nothing();
}

Status inverse_in_c(const CLoops& loops) {
    EliminationInC elimination(loops, 2);
    if (Status begun = elimination.begin(); !begun) return begun;
    elimination.eliminate("0");
    CWriter& code = elimination.code();
    const std::string size = number(elimination.size());
    code.open_loop("i", elimination.size());
    code.open_loop("j", elimination.size());
    code.line(loops.outputs[0].name + "[(m * " + size + " + i) * " + size + " + j] = (" +
              c_type(loops.outputs[0].dtype) + ")(rows[i][" + size + " + j] / rows[i][i]);");
    for (int depth = 0; depth < 3; ++depth) code.close();
    return Nothing();
}

double elimination_flops(const TypeTable& types, TypeId data, double of_cube) {
    double count = of_cube * double(std::max<int64_t>(types.shape(data).back(), 1));
    for (int64_t extent : types.shape(data)) count *= double(std::max<int64_t>(extent, 1));
    return count;
}

OpRecord operator_on_matrices(const char* name, const char* summary) {
    OpRecord op;
    op.name = name;
    op.summary = summary;
    op.inputs = {"data"};
    op.example = std::string("fn (%x: Tensor[(2, 4, 4), float32]) { ") + name + "(%x) }";
    return op;
}

}  // namespace

std::vector<OpRecord> linear_algebra_ops() {
    OpRecord determinant_op = operator_on_matrices("linalg.det", "The determinant of each matrix.");
    determinant_op.relation = determinant_relation;
    determinant_op.kernel = determinant_kernel;
    determinant_op.c_loops = determinant_in_c;
    determinant_op.flops = [](const TypeTable& types, std::span<const TypeId> arguments, TypeId,
                              const AttributesView&) { return elimination_flops(types, arguments[0], 2.0 / 3); };

    OpRecord inverse_op = operator_on_matrices("linalg.inv", "The inverse of each matrix.");
    inverse_op.relation = inverse_relation;
    inverse_op.kernel = inverse_kernel;
    inverse_op.c_loops = inverse_in_c;
    inverse_op.flops = [](const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
        return elimination_flops(types, arguments[0], 2);
    };
    return {std::move(determinant_op), std::move(inverse_op)};
}

}  // namespace partita
