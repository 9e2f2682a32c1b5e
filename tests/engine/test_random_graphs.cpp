// The guarantee of the partitioning passes, on random modules: the result is valid, acyclic, reads back, type-checks,
// and computes the same as the input.
//
// PARTITA_RANDOM_GRAPHS sets the number of graphs (default 1,000), PARTITA_RANDOM_SEED the first seed. A failure names
// its seed. The whole run takes about ten minutes:
//
//   PARTITA_RANDOM_GRAPHS=100000 build/release/tests/test_random_graphs
//
// 1 to 300 ops, tuples, splits, constants, several outputs, shared inputs, 1 to 4 backends, include_non_call_ops both
// ways; a quarter as many again with let and if.
#include <QtTest>

#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "tests/engine/random_module.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_random_graphs {

using namespace partita;

namespace {

/// What is wrong; "" if nothing is.
using Complaint = std::string;

Complaint check_types(const Module& module) {
    Module again = module;
    if (Status typed = infer_types(again); !typed) return "types: " + typed.error().message;
    if (print_relay(again) != print_relay(module)) return "types differ from inferred ones";
    return {};
}

Complaint check_text(const Module& module) {
    std::string text = print_relay(module);
    Result<Module> read = parse_relay(text);
    if (!read) return "does not read back: " + read.error().to_string();
    if (Status typed = infer_types(*read); !typed) return "types after reading back: " + typed.error().message;
    if (print_relay(*read) != text) return "reads back as something else";
    return {};
}

/// Checks that no marks are left, and that calls are where they were placed: those of a backend in its sub-functions,
/// others outside.
Complaint check_regions(const Module& input, const Module& partitioned, const Placement& placement) {
    for (const GlobalFunction& global : partitioned.functions()) {
        std::string compiler(partitioned.function_info(global.function).string_attribute("Compiler"));
        if (compiler.empty()) compiler = "default";
        for (ExprId id : post_order(partitioned, global.function)) {
            OpId op = partitioned.called_op(id);
            if (!op.valid()) continue;
            if (op_registry()[op].name.rfind("annotation.", 0) == 0) return "an annotation is left";
            ExprId origin = partitioned.origin(id);
            if (!origin.valid() || input.kind(origin) != ExprKind::Call) return "a call without origin";
            if (placement.backend_name(origin) != compiler)
                return "a call of another backend is in a " + compiler + " function";
        }
    }
    return {};
}

int64_t setting(const char* name, int64_t fallback) {
    bool ok = false;
    int64_t value = qEnvironmentVariable(name).toLongLong(&ok);
    return ok ? value : fallback;
}

struct Counts {
    int graphs = 0, with_sub_functions = 0, inline_style = 0, control_flow = 0;
};

Complaint check_one(uint64_t seed, bool control_flow, Counts& counts) {
    std::mt19937_64 dice(seed);
    testing::RandomModuleOptions options;
    int most = dice() % 10 == 0 ? 300 : dice() % 2 ? 60 : 12;
    options.operators = 1 + int(dice() % uint64_t(most));
    options.control_flow = control_flow;
    testing::RandomModule random(seed, options);
    Module input = random.make();
    Placement placement = testing::random_placement(input, random);
    AnnotateOptions annotate_options;
    annotate_options.include_non_call_ops = seed % 2;

    Result<Module> annotated = annotate_target(input, placement, annotate_options);
    if (!annotated) return "annotate: " + annotated.error().message;
    Result<Module> merged = seed % 8 == 7 ? *annotated : merge_compiler_regions(*annotated);
    if (!merged) return "merge: " + merged.error().message;
    PartitionOptions partition_options;
    partition_options.bind_constants = seed % 5 != 0;
    if (seed % 11 == 0) partition_options.style = PartitionStyle::Inline;
    Result<Module> partitioned = partition_graph(*merged, partition_options);
    if (!partitioned) return "partition: " + partitioned.error().message;

    ++counts.graphs;
    counts.control_flow += control_flow;
    counts.with_sub_functions += partitioned->functions().size() > 1;
    counts.inline_style += partition_options.style == PartitionStyle::Inline;
    if (Complaint wrong = check_types(*partitioned); !wrong.empty()) return wrong;
    if (Complaint wrong = check_text(input); !wrong.empty()) return "the input " + wrong;
    if (Complaint wrong = check_text(*annotated); !wrong.empty()) return "annotated, it " + wrong;
    if (Complaint wrong = check_text(*merged); !wrong.empty()) return "merged, it " + wrong;
    if (Complaint wrong = check_text(*partitioned); !wrong.empty()) return wrong;
    if (partition_options.style == PartitionStyle::Global)
        if (Complaint wrong = check_regions(input, *partitioned, placement); !wrong.empty()) return wrong;
    return testing::difference_of_outputs(input, *partitioned);
}

Complaint check_one_and_catch(uint64_t seed, bool control_flow, Counts& counts) {
    try {
        return check_one(seed, control_flow, counts);
    } catch (const std::exception& thrown) {
        return std::string("throws ") + thrown.what();
    }
}

}  // namespace

class TestRandomGraphs : public QObject {
    Q_OBJECT

private slots:
    void partitionedModulesAreValidAndComputeTheSame();
    void soDoThoseWithLetAndIf();
    void textsThatNeedEachOtherArePrinted_data();
    void textsThatNeedEachOtherArePrinted();

private:
    void run(bool control_flow, int64_t graphs) {
        int64_t first = setting("PARTITA_RANDOM_SEED", 1);
        Counts counts;
        int failures = 0;
        for (int64_t seed = first; seed < first + graphs && failures < 10; ++seed) {
            Complaint wrong = check_one_and_catch(uint64_t(seed), control_flow, counts);
            if (wrong.empty()) continue;
            ++failures;
            qWarning("seed %lld%s: %s", static_cast<long long>(seed), control_flow ? " (control flow)" : "",
                     wrong.c_str());
        }
        qInfo("%d graphs (%d with sub-functions, %d in the inline style, %d with let and if): %d failed", counts.graphs,
              counts.with_sub_functions, counts.inline_style, counts.control_flow, failures);
        QCOMPARE(failures, 0);
    }
};

void TestRandomGraphs::partitionedModulesAreValidAndComputeTheSame() {
    run(false, setting("PARTITA_RANDOM_GRAPHS", 1000));
}

void TestRandomGraphs::soDoThoseWithLetAndIf() { run(true, setting("PARTITA_RANDOM_GRAPHS", 1000) / 4); }

/// Branches that use each other's expressions, as in four of 25,000 modules: the printer did not terminate.
void TestRandomGraphs::textsThatNeedEachOtherArePrinted_data() {
    QTest::addColumn<int>("seed");
    for (int seed : {5461, 6381, 8007, 17770}) QTest::addRow("%d", seed) << seed;
}

void TestRandomGraphs::textsThatNeedEachOtherArePrinted() {
    QFETCH(int, seed);
    Counts counts;
    QCOMPARE(QString::fromStdString(check_one_and_catch(uint64_t(seed), true, counts)), QString());
}

int run(int argc, char** argv) {
    qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");  // the whole run takes longer than Qt lets a test take
    QCoreApplication application(argc, argv);
    TestRandomGraphs test;
    return QTest::qExec(&test, argc, argv);
}

PARTITA_TEST_MAIN(run)

}  // namespace test_random_graphs

#include "test_random_graphs.moc"
