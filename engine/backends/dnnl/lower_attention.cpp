// Attention as one step on a kernel of the program's own: oneDNN 2.6 has none.
#include <omp.h>

#include "engine/backends/dnnl/lowering.h"

namespace partita::onednn {

/// OpenMP's threads, which oneDNN runs on, too: others would compete with those that still wait for work.
static void on_openmp_threads(int threads, int64_t count, const std::function<void(int64_t, int64_t)>& body) {
    if (threads < 2 || count < 2) return body(0, count);
#pragma omp parallel num_threads(threads)
    {
        const int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const int64_t begin = count * part / parts, end = count * (part + 1) / parts;
        if (begin < end) body(begin, end);
    }
}

void Lowering::lower_attention(const AttentionChain& chain) {
    const FlatStep& last = graph_.steps[chain.steps.back()];
    ProgramStep made;
    made.expr = graph_.steps[chain.steps.front()].expr;
    made.region = region_;
    made.what = "attention: a softmax between two products, in blocks of rows";
    std::vector<ValueId> operands{chain.query, chain.key, chain.value};
    operands.insert(operands.end(), chain.matrices.begin(), chain.matrices.end());
    for (ValueId value : operands) {
        made.views.push_back({nullptr, dtype_of(value), shape_of(value)});
        made.view_buffers.push_back(plain_buffer(value));
    }
    made.input_count = uint32_t(operands.size());
    made.views.push_back({nullptr, kFloat32, shape_of(last.first_output)});
    made.view_buffers.push_back(define_plain(last.first_output));
    Buffer packed;
    packed.bytes = size_t(chain.shape.packed_elements()) * sizeof(float);
    made.workspace = program_.add_buffer(packed);
    made.compute = [shape = chain.shape](const OwnKernelCall& call) {
        const auto floats = [&](size_t i) { return static_cast<float*>(call.views[i].data); };
        std::vector<const float*> matrices;
        for (size_t i = 3; i + 1 < call.views.size(); ++i) matrices.push_back(floats(i));
        attend(shape,
               {floats(0), floats(1), floats(2), floats(call.views.size() - 1), matrices,
                static_cast<float*>(call.workspace)},
               [&](int64_t count, const auto& body) { on_openmp_threads(call.threads, count, body); });
    };
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    program_.touch(made.workspace);
    program_.add_step(std::move(made));
    for (uint32_t step : chain.steps)
        for (ValueId value : step_of(step).inputs) --uses_left_[value];
}

}  // namespace partita::onednn
