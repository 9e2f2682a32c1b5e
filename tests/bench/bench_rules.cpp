// The cost of a rule: built-in ones, and a long one, over the calls of a generated graph. Limit: 1 us.
#include <benchmark/benchmark.h>

#include "engine/frontends/generate.h"
#include "engine/ops/registry.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/rule.h"

using namespace partita;

namespace {

void evaluate(benchmark::State& state, const char* text) {
    auto module = generate_graph(GraphKind::Random, 10000, 1);
    auto rule = Rule::compile(text, {});
    if (!module || !rule) {
        state.SkipWithError(rule ? "no module" : rule.error().message.c_str());
        return;
    }
    std::vector<ExprId> calls;
    for (uint32_t i = 0; i < module->size(); ++i)
        if (module->called_op(ExprId(i)).valid()) calls.push_back(ExprId(i));
    ModuleFacts facts(*module);
    benchmark::DoNotOptimize(facts.users(calls[0]));
    benchmark::DoNotOptimize(facts.function_of(calls[0]));
    size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize((*rule)->evaluate({*module, calls[next], &facts}));
        if (++next == calls.size()) next = 0;
    }
}

}  // namespace

BENCHMARK_CAPTURE(evaluate, dtype, "args.all(a, a.dtype != 'int64')");
BENCHMARK_CAPTURE(evaluate, shapes,
                  "args[0].dtype == 'float32' && args[0].shape == result.shape && result.rank in [1, 2, 4]");
BENCHMARK_CAPTURE(evaluate, producers,
                  "args[0].chain(3) == ['nn.relu', 'add', 'tanh'] || args.exists(a, a.op == 'nn.relu')");
BENCHMARK_CAPTURE(evaluate, users, "users.size() == 1 && users.all(u, u.op != 'tanh') && function.name == 'main'");
BENCHMARK_CAPTURE(evaluate, work, "flops > 1000.0 && product(result.shape) >= 64 && bytes < 1000000");
