// How annotate, merge and partition scale: time and memory for each family of graphs, and the exponent of growth.
//
//   bench_passes [LARGEST [FAMILY]]     LARGEST: 10000, 100000 or 1000000 (default)
//   bench_passes log                    what the decision log costs: passes with one and without, by turns
//   bench_passes change                 one operator's backend changes in a graph of 10,000: placement and all passes
//
// One thread. Times are processor time, of placed modules, the best of a few runs; memory is the peak that the passes
// add to the input while the module after each pass is kept, as the allocator counts it. The exponent is fitted between
// 10,000 operators and the row's.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <new>
#include <string>

#include "engine/flow/flow_memory.h"
#include "engine/frontends/generate.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "engine/placement/placement.h"
#include "engine/support/large_memory.h"

namespace {

bool counting = false;  // takes time itself, so it is off while times are taken
size_t in_use = 0, peak = 0;

void* counted_allocate(size_t size) {
    void* memory = std::malloc(size);
    if (!memory) throw std::bad_alloc();
    if (!counting) return memory;
    in_use += malloc_usable_size(memory);
    if (in_use > peak) peak = in_use;
    return memory;
}

void counted_free(void* memory) noexcept {
    if (memory && counting) in_use -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return counted_allocate(size); }
void* operator new[](size_t size) { return counted_allocate(size); }
void operator delete(void* memory) noexcept { counted_free(memory); }
void operator delete[](void* memory) noexcept { counted_free(memory); }
void operator delete(void* memory, size_t) noexcept { counted_free(memory); }
void operator delete[](void* memory, size_t) noexcept { counted_free(memory); }

namespace partita {

namespace {

enum class Spread : uint8_t {
    ByOp,       ///< each op on one of the backends or on default
    All,        ///< every call on one backend: one giant region
    Alternate,  ///< calls on two backends alternately
};

struct Family {
    const char* name;
    GraphKind kind;
    int backends;
    Spread spread = Spread::ByOp;
    bool non_call_ops = true;
};

constexpr Family kFamilies[] = {
    {"chain", GraphKind::Chain, 2},
    {"wide", GraphKind::Wide, 2},
    {"ladder", GraphKind::Ladder, 2},
    {"random", GraphKind::Random, 2},
    {"random-4", GraphKind::Random, 4},
    {"random-calls", GraphKind::Random, 2, Spread::ByOp, false},
    {"random-turns", GraphKind::Random, 2, Spread::Alternate},
    {"giant", GraphKind::Random, 1, Spread::All},
    {"one-each", GraphKind::Chain, 2, Spread::Alternate},
};

Placement place_family(const Module& module, const Family& family) {
    Placement placement;
    for (int i = 0; i < family.backends; ++i) placement.backends.push_back(std::string(1, char('a' + i)));
    placement.backend_of.assign(module.size(), Placement::kDefault);
    uint32_t turn = 0;
    // By their first calls: numbers of the registry change with each operator that the program learns.
    std::map<OpId, uint32_t> turn_of;
    for (uint32_t i = 0; i < module.size(); ++i) {
        OpId op = module.called_op(ExprId(i));
        if (!op.valid()) continue;
        switch (family.spread) {
            case Spread::ByOp:
                turn_of.try_emplace(op, uint32_t(turn_of.size()));
                placement.backend_of[i] = int16_t(int(turn_of[op] % uint32_t(family.backends + 1)) - 1);
                break;
            case Spread::All: placement.backend_of[i] = 0; break;
            case Spread::Alternate: placement.backend_of[i] = int16_t(turn++ % 2); break;
        }
    }
    return placement;
}

struct Measured {
    double annotate = 0, merge = 0, partition = 0;
    double bytes_per_op = 0;
    size_t functions = 0;
    double total() const { return annotate + merge + partition; }
};

/// Returns processor time of the thread, so that a busy machine gives the same figures as an idle one.
double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}
double milliseconds(double begin) { return now() - begin; }

Measured run_once(const Module& input, const Family& family, const Placement& placement, int64_t operators) {
    Measured measured;
    in_use = peak = 0;
    AnnotateOptions options;
    options.include_non_call_ops = family.non_call_ops;
    double begin = now();
    Result<Module> annotated = annotate_target(input, placement, options);
    measured.annotate = milliseconds(begin);
    begin = now();
    Result<Module> merged = merge_compiler_regions(*annotated);
    measured.merge = milliseconds(begin);
    begin = now();
    Result<Module> partitioned = partition_graph(*merged);
    measured.partition = milliseconds(begin);
    if (!partitioned) {
        std::printf("%s: %s\n", family.name, partitioned.error().message.c_str());
        std::exit(1);
    }
    measured.bytes_per_op = double(peak) / double(operators);
    measured.functions = partitioned->functions().size();
    return measured;
}

/// Measures memory in a run of its own, and the best total time of the others.
Measured measure(const Family& family, int64_t operators) {
    Result<Module> input = generate_graph(family.kind, operators, 1);
    if (!input) {
        std::printf("%s\n", input.error().message.c_str());
        std::exit(1);
    }
    Placement placement = place_family(*input, family);
    counting = true;
    const double bytes_per_op = run_once(*input, family, placement, operators).bytes_per_op;
    counting = false;
    Measured best = run_once(*input, family, placement, operators);
    int repeats = operators >= 1'000'000 ? 2 : operators >= 100'000 ? 4 : 20;
    for (int i = 1; i < repeats; ++i) {
        Measured again = run_once(*input, family, placement, operators);
        if (again.total() < best.total()) best = again;
    }
    best.bytes_per_op = bytes_per_op;
    return best;
}

void print_family(const Family& family, int64_t largest) {
    double first = 0;
    for (int64_t operators = 10'000; operators <= largest; operators *= 10) {
        Measured best = measure(family, operators);
        if (first == 0) first = best.total();
        double exponent =
            operators == 10'000 ? 0 : std::log10(best.total() / first) / std::log10(double(operators) / 1e4);
        std::printf("%-13s %8lld %9.1f %9.1f %9.1f %9.1f %6.0f %9zu %8.2f\n", family.name,
                    static_cast<long long>(operators), best.total(), best.annotate, best.merge, best.partition,
                    best.bytes_per_op, best.functions, exponent);
        std::fflush(stdout);
    }
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Returns the milliseconds of annotate, merge and partition together, without freeing their results.
double time_passes(const Module& input, const Placement& placement, DecisionLog* log) {
    double begin = now();
    Result<Module> annotated = annotate_target(input, placement, {}, log);
    Result<Module> merged = merge_compiler_regions(*annotated, log);
    Result<Module> partitioned = partition_graph(*merged, {}, log);
    return milliseconds(begin);
}

void print_log_costs() {
    std::printf("%-13s %8s %9s %9s %9s %9s\n", "family", "ops", "no log", "log", "ratio", "decisions");
    for (const Family& family : kFamilies) {
        constexpr int64_t kOperators = 100'000;
        constexpr int kTurns = 9;
        Result<Module> input = generate_graph(family.kind, kOperators, 1);
        Placement placement = place_family(*input, family);
        std::vector<double> without, with;
        size_t decisions = 0;
        for (int turn = 0; turn < kTurns; ++turn) {
            without.push_back(time_passes(*input, placement, nullptr));
            DecisionLog log;
            with.push_back(time_passes(*input, placement, &log));
            decisions = log.decisions().size();
        }
        std::printf("%-13s %8lld %9.1f %9.1f %9.2f %9zu\n", family.name, static_cast<long long>(kOperators),
                    median(without), median(with), median(with) / median(without), decisions);
        std::fflush(stdout);
    }
}

BackendDescription backend_of(const char* name, std::initializer_list<const char*> ops) {
    BackendDescription backend;
    backend.name = name;
    for (const char* op : ops) backend.ops[op] = {op, nullptr, "true"};
    return backend;
}

const char* name_of(GraphKind kind) {
    switch (kind) {
        case GraphKind::Random: return "random";
        case GraphKind::Chain: return "chain";
        case GraphKind::Wide: return "wide";
        default: return "ladder";
    }
}

void print_times(const char* what, GraphKind kind, std::vector<double> times) {
    std::printf("%s, 10,000 operators (%s): median %.2f ms, best %.2f ms, worst %.2f ms of %zu\n", what, name_of(kind),
                median(times), *std::min_element(times.begin(), times.end()),
                *std::max_element(times.begin(), times.end()), times.size());
    std::fflush(stdout);
}

void print_change() {
    constexpr int kChanges = 101;
    for (GraphKind kind : {GraphKind::Random, GraphKind::Chain, GraphKind::Wide, GraphKind::Ladder}) {
        auto input = std::make_shared<const Module>(*generate_graph(kind, 10'000, 3));
        std::vector<BackendDescription> backends{backend_of("a", {"add", "tanh", "multiply"}),
                                                 backend_of("b", {"sqrt", "exp"})};
        Placer placer(input, backends);
        std::vector<ExprId> calls;
        for (uint32_t i = 0; i < input->size(); ++i)
            if (input->called_op(ExprId(i)).valid()) calls.push_back(ExprId(i));
        std::vector<double> times, flow_times, log_times;
        FlowMemory memories[2];
        FlowOptions options;
        options.backends = backends;
        for (int change = 0; change < kChanges; ++change) {
            ExprId changed = calls[size_t(change) * 7919 % calls.size()];
            double begin = now();
            Placement placement = placer.place({{changed, change % 2 ? "a" : "default"}});
            double placed = milliseconds(begin);
            times.push_back(placed + time_passes(*input, placement, nullptr));
            options.overrides = {{changed, change % 2 ? "a" : "default"}};
            for (bool log : {false, true}) {
                options.log_decisions = log;
                begin = now();
                Result<FlowResult> flow = memories[log].run(input, options);
                (log ? log_times : flow_times).push_back(milliseconds(begin));
            }
        }
        print_times("placement and passes after a change", kind, times);
        print_times("the flow from memory, without decisions", kind, flow_times);
        print_times("the flow from memory, with every decision", kind, log_times);
    }
}

}  // namespace

}  // namespace partita

int main(int argc, char** argv) {
    // As in the window. Else glibc may give memory back after each run, and what it costs to have it again counts.
    partita::keep_freed_memory();
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "log" || what == "change") {
        if (what == "log") partita::print_log_costs();
        else partita::print_change();
        return 0;
    }
    int64_t largest = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    std::string only = argc > 2 ? argv[2] : "";
    std::printf("%-13s %8s %9s %9s %9s %9s %6s %9s %8s\n", "family", "ops", "total ms", "annotate", "merge",
                "partition", "B/op", "functions", "exponent");
    for (const partita::Family& family : partita::kFamilies)
        if (only.empty() || only == family.name) partita::print_family(family, largest);
    return 0;
}
