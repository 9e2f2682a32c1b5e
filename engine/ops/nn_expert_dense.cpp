// The operator nn.expert_dense: each row goes through the weights of the experts that were chosen for it. Source:
// Shazeer et al., "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer" (2017).
#include <algorithm>
#include <vector>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/gemm.h"
#include "engine/ops/indexed_c.h"
#include "engine/ops/indices.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

constexpr size_t kTokens = 0, kWeight = 1, kExpert = 2;

bool fits(int64_t a, int64_t b) { return a == b || a == kDynamicDim || b == kDynamicDim; }

Result<TypeId> expert_dense_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    const std::span<const int64_t> data = types.shape(query.arguments[kTokens]),
                                   weight = types.shape(query.arguments[kWeight]),
                                   expert = types.shape(query.arguments[kExpert]);
    const DataType dtype = types.dtype(query.arguments[kTokens]);
    if (!dtype.is_float()) return error("experts take floating-point numbers, not " + dtype.to_string());
    if (!(types.dtype(query.arguments[kWeight]) == dtype)) return error("the weight must be of " + dtype.to_string());
    if (!types.dtype(query.arguments[kExpert]).is_integer()) return error("the experts must be numbered by integers");
    if (data.size() != 3) return error("data must have rank 3");
    if (weight.size() != 3) return error("weight must have rank 3");
    if (expert.size() != 2) return error("expert must have rank 2");
    if (!fits(data[0], expert[0]) || (data[1] != 1 && !fits(data[1], expert[1])))
        return error("the data, " + shape_to_string(data) + ", must have the rows and the choices of expert, " +
                     shape_to_string(expert) + ", or one choice");
    if (!fits(data[2], weight[2]))
        return error("the data has " + std::to_string(data[2]) + " features, but the weight takes " +
                     std::to_string(weight[2]));
    return checked_tensor(types, dtype, std::vector<int64_t>{expert[0], expert[1], weight[1]});
}

struct ExpertExtents {
    int64_t rows, choices, experts, columns, depth;
    bool shared;  ///< all choices of a row have the same data

    explicit ExpertExtents(std::span<const int64_t> data, std::span<const int64_t> weight,
                           std::span<const int64_t> expert)
        : rows(expert[0]), choices(expert[1]), experts(weight[0]), columns(weight[1]), depth(weight[2]),
          shared(data[1] == 1) {}
    /// Number of (row, choice) pairs.
    int64_t places() const { return rows * choices; }
    int64_t row_of_data(int64_t place) const { return shared ? place / choices : place; }
};

/// The places that chose each expert, expert by expert.
struct Assignment {
    std::vector<int64_t> places;
    std::vector<int64_t> begin;  ///< of each expert's places, and the end of the last one's
};

Result<Assignment> assigned(const ExpertExtents& extents, const TensorView& expert) {
    const std::vector<int64_t> chosen = index_values(expert);
    Assignment found;
    found.begin.assign(size_t(extents.experts) + 1, 0);
    for (int64_t e : chosen) {
        if (e < 0 || e >= extents.experts)
            return error("expert " + std::to_string(e) + " is not one of " + std::to_string(extents.experts));
        ++found.begin[size_t(e) + 1];
    }
    for (size_t e = 1; e < found.begin.size(); ++e) found.begin[e] += found.begin[e - 1];
    found.places.resize(chosen.size());
    std::vector<int64_t> next = found.begin;
    for (size_t place = 0; place < chosen.size(); ++place)
        found.places[size_t(next[size_t(chosen[place])]++)] = int64_t(place);
    return found;
}

/// Multiplies what chose one expert, gathered to one matrix, by the expert's weight.
template <class T>
void through_expert(const ExpertExtents& extents, std::span<const int64_t> places, const T* data, const T* weight,
                    T* result, ThreadPool& threads) {
    std::vector<T> gathered(places.size() * size_t(extents.depth)), product(places.size() * size_t(extents.columns));
    for (size_t i = 0; i < places.size(); ++i)
        std::copy_n(data + extents.row_of_data(places[i]) * extents.depth, extents.depth,
                    gathered.data() + i * size_t(extents.depth));
    multiply_by_transposed(gathered.data(), weight, int64_t(places.size()), extents.columns, extents.depth,
                           product.data(), threads);
    for (size_t i = 0; i < places.size(); ++i)
        std::copy_n(product.data() + i * size_t(extents.columns), extents.columns,
                    result + places[i] * extents.columns);
}

Status expert_dense_kernel(const KernelCall& call) {
    const ExpertExtents extents(call.inputs[kTokens].shape, call.inputs[kWeight].shape, call.inputs[kExpert].shape);
    const Result<Assignment> assignment = assigned(extents, call.inputs[kExpert]);
    if (!assignment) return assignment.error();
    return with_real_type(call.inputs[kTokens].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> data(call.inputs[kTokens], call.threads), weight(call.inputs[kWeight], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!data.data() || !weight.data() || !result.data()) return unsupported_types(call);
        for (int64_t e = 0; e < extents.experts; ++e) {
            const int64_t begin = assignment->begin[size_t(e)], end = assignment->begin[size_t(e) + 1];
            if (begin < end)
                through_expert(extents, std::span(assignment->places).subspan(size_t(begin), size_t(end - begin)),
                               data.data(), weight.data() + e * extents.columns * extents.depth, result.data(),
                               call.threads);
        }
        result.store(call.threads);
        return Nothing();
    });
}

Status expert_dense_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[kTokens], &weight = loops.inputs[kWeight], &expert = loops.inputs[kExpert];
    if (data.dtype != kFloat32 && data.dtype != kFloat64)
        return error("nn.expert_dense of " + data.dtype.to_string() + " can't be written in C");
    const ExpertExtents extents(data.shape, weight.shape, expert.shape);
    const std::string type = c_type(data.dtype), depth = number(extents.depth), columns = number(extents.columns);
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", extents.places());
    code.line("const int64_t e = " + index_in_c(expert, "i") + ";");
    code.refuse_where("e < 0 || e >= " + number(extents.experts));
    code.close();
    code.share_among_threads(2);
    code.open_loop("i", extents.places());
    code.open_loop("c", extents.columns);
    const std::string row = extents.shared ? "i / " + number(std::max<int64_t>(extents.choices, 1)) : "i";
    code.line("const " + type + " *x = " + data.name + " + " + row + " * " + depth + ";");
    code.line("const " + type + " *w = " + weight.name + " + (" + index_in_c(expert, "i") + " * " + columns +
              " + c) * " + depth + ";");
    code.line(type + " sum = 0;");
    loops.code += "#ifdef _OPENMP\n#pragma omp simd reduction(+:sum)\n#endif\n";
    code.open_loop("k", extents.depth);
    code.line("sum += x[k] * w[k];");
    code.close();
    code.line(loops.outputs[0].name + "[i * " + columns + " + c] = sum;");
    code.close();
    code.close();
    return Nothing();
}

double expert_dense_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId result,
                          const AttributesView&) {
    double count = 2 * double(types.shape(arguments[kWeight])[2]);
    for (int64_t extent : types.shape(result)) count *= double(extent);
    return count;
}

}  // namespace

std::vector<OpRecord> nn_expert_dense_ops() {
    OpRecord op;
    op.name = "nn.expert_dense";
    op.summary = "Each row times the transposed weights of the experts that were chosen for it.";
    op.inputs = {"data", "weight", "expert"};
    op.pattern = OpPattern::Complex;
    op.relation = expert_dense_relation;
    op.kernel = expert_dense_kernel;
    op.c_loops = expert_dense_in_c;
    op.flops = expert_dense_flops;
    op.example =
        "fn (%x: Tensor[(4, 1, 5), float32], %w: Tensor[(3, 6, 5), float32], %e: Tensor[(4, 2), int64]) "
        "{ nn.expert_dense(%x, %w, %e) }";
    return {op};
}

}  // namespace partita
