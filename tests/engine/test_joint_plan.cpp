// Several regions of one backend in one plan: values keep their layouts, each op runs where it was placed, and the
// results do not depend on the placement.
#include <QDir>
#include <QtTest>

#include <random>

#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/runtime/compare_runs.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_joint_plan {

using namespace partita;

namespace {

/// Two convolutions of dnnl, a concatenation that no rule accepts, another convolution, and exp, which dnnl does not
/// accept.
constexpr const char* kBranches = R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 16, 30, 30), float32], %w1_weight: Tensor[(32, 16, 1, 1), float32],
    %w2_weight: Tensor[(48, 16, 3, 3), float32], %w3_weight: Tensor[(16, 80, 1, 1), float32]) {
  %0 = nn.relu(nn.conv2d(%data, %w1_weight, padding=[0, 0, 0, 0], channels=32, kernel_size=[1, 1]));
  %1 = nn.relu(nn.conv2d(%data, %w2_weight, padding=[1, 1, 1, 1], channels=48, kernel_size=[3, 3]));
  %2 = (%0, %1);
  %3 = concatenate(%2, axis=1);
  %4 = negative(%3);
  nn.conv2d(%4, %w3_weight, padding=[0, 0, 0, 0], channels=16, kernel_size=[1, 1])
})";

BackendDescription backend(const std::string& name) {
    Result<BackendDescription> found = load_backend(name);
    if (!found) qFatal("%s", found.error().to_string().c_str());
    return std::move(*found);
}

ModulePtr must_open(const std::string& text) {
    Result<OpenedModule> opened = open_text(text, "test");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

FlowResult must_partition(ModulePtr module, std::vector<std::string> names, Overrides overrides = {}) {
    FlowOptions options;
    for (const std::string& name : names) options.backends.push_back(backend(name));
    options.overrides = std::move(overrides);
    options.composite = options.overrides.empty();
    Result<FlowResult> flow = run_flow(std::move(module), options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return std::move(*flow);
}

RunOptions one_run(const std::vector<std::string>& names) {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    for (const std::string& name : names) options.codegen[name] = backend(name).codegen;
    return options;
}

/// Places each call on one of the backends, or on none.
Overrides random_placement(const Module& module, const std::vector<std::string>& names, uint64_t seed) {
    std::mt19937_64 random(seed);
    Overrides overrides;
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId id(i);
        if (module.kind(id) != ExprKind::Call || !module.called_op(id).valid()) continue;
        size_t choice = random() % (names.size() + 1);
        overrides[id] = choice < names.size() ? names[choice] : "default";
    }
    return overrides;
}

const RegionTiming* region_of(const RunReport& report, const char* backend) {
    for (const RegionTiming& region : report.regions)
        if (region.backend == backend) return &region;
    return nullptr;
}

QStringList further_models() { return qEnvironmentVariable("PARTITA_PLACEMENT_MODELS").split(':', Qt::SkipEmptyParts); }

QString reference_folder() {
    QString folder = qEnvironmentVariable("PARTITA_REFERENCE");
    return folder.isEmpty() ? QString(PARTITA_SOURCE_DIR "/../shared/reference") : folder;
}

}  // namespace

class TestJointPlan : public QObject {
    Q_OBJECT

private slots:
    void regionsKeepBlocksOfChannelsBetweenThem_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<bool>("in_blocks");
        QTest::newRow("elementwise") << "negative(%3)" << true;
        QTest::newRow("of two operands") << "floor_mod(%3, %3)" << true;
        // These must know where an element stands.
        QTest::newRow("backwards") << "reverse(%3, axis=1)" << false;
        QTest::newRow("sums") << "cumsum(%3, axis=1)" << false;
    }
    void regionsKeepBlocksOfChannelsBetweenThem() {
        QFETCH(QString, call);
        QFETCH(bool, in_blocks);
        ModulePtr module = must_open(QString(kBranches).replace("negative(%3)", call).toStdString());
        FlowResult flow = must_partition(module, {"dnnl"});
        QVERIFY(flow.regions.size() >= 2);
        Result<RunComparison> run = run_and_compare(flow.partitioned, module, one_run({"dnnl"}));
        QVERIFY2(run, run ? "" : run.error().to_string().c_str());
        int changes = 0;
        for (const RegionTiming& region : run->report.regions) changes += region.layout_changes;
        // One conversion of the data into blocks, one of the result back. Neither the concatenation nor negative needs
        // row-major values.
        QCOMPARE(changes == 2, in_blocks);
        QCOMPARE(run->report.copies, 0);
        QVERIFY(run->report.differences[0].within_tolerance);
        QVERIFY(run->report.peak_bytes < run->report.unshared_bytes);
    }

    void timesAreToldByRegionAndByWhatStayedOnDefault() {
        FlowResult flow = must_partition(must_open(kBranches), {"dnnl"});
        Result<RunReport> report = run_partitioned(flow.partitioned, one_run({"dnnl"}));
        QVERIFY2(report, report ? "" : report.error().to_string().c_str());
        const RegionTiming* rest = region_of(*report, "default");
        QVERIFY(rest);
        QCOMPARE(rest->ops.size(), size_t(2));  // concatenate, negative
        QCOMPARE(rest->ops[1].name, std::string("negative"));
        QVERIFY(rest->ops[1].time.median > 0);
        double sum = 0;
        for (const RegionTiming& region : report->regions) {
            QCOMPARE(region.executed_by, region.backend);
            if (region.backend == "dnnl")
                QVERIFY(region.time.median > 0 && region.compile_ms > 0 && !region.ops.empty());
            sum += region.time.median;
        }
        QVERIFY(sum <= report->time.median * 1.001);
    }

    void anotherBackendsRegionLiesBetween_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("between") << kBranches;
        QTest::newRow("first") << QString(kBranches)
                                      .replace("%0 = ", "%6 = negative(%data);\n  %0 = ")
                                      .replace("nn.conv2d(%data", "nn.conv2d(%6");
        QTest::newRow("with two results") << QString(kBranches).replace(
            "nn.conv2d(%4", "%5 = negative(%4);\n  %6 = subtract(%4, %5);\n  nn.conv2d(%6");
    }
    void anotherBackendsRegionLiesBetween() {
        QFETCH(QString, text);
        ModulePtr module = must_open(text.toStdString());
        Overrides overrides;
        for (uint32_t i = 0; i < module->size(); ++i) {
            const OpRecord* op =
                module->kind(ExprId(i)) == ExprKind::Call ? called_op_record(*module, ExprId(i)) : nullptr;
            if (op)
                overrides[ExprId(i)] = op->name == "negative"      ? "ccompiler"
                                       : op->name == "concatenate" ? "default"
                                                                   : "dnnl";
        }
        FlowResult flow = must_partition(module, {"dnnl", "ccompiler"}, overrides);
        Result<RunComparison> run = run_and_compare(flow.partitioned, module, one_run({"dnnl", "ccompiler"}));
        QVERIFY2(run, run ? "" : run.error().to_string().c_str());
        const RegionTiming* other = region_of(run->report, "ccompiler");
        QVERIFY(other);
        QCOMPARE(other->executed_by, std::string("ccompiler"));
        QVERIFY(other->time.median > 0);
        QVERIFY(run->report.differences[0].within_tolerance);
    }

    void boundariesAreThoseOfThePlan() {
        FlowResult flow = must_partition(must_open(kBranches), {"dnnl"});
        RunOptions options = one_run({"dnnl"});
        Result<RunReport> plain = run_partitioned(flow.partitioned, options);
        options.keep_region_outputs = true;
        Result<RunReport> kept = run_partitioned(flow.partitioned, options);
        QVERIFY(plain && kept);
        // Observing the values changes nothing.
        QCOMPARE(region_of(*kept, "dnnl")->layout_changes, region_of(*plain, "dnnl")->layout_changes);
        QVERIFY(kept->peak_bytes <= plain->peak_bytes * 5 / 4);
        for (size_t i = 0; i < plain->outputs.size(); ++i)
            QVERIFY(std::memcmp(kept->outputs[i].bytes(), plain->outputs[i].bytes(), plain->outputs[i].byte_size()) ==
                    0);
        QCOMPARE(kept->outputs.size(), plain->outputs.size());
        QCOMPARE(kept->region_outputs.size(), flow.regions.size());
        options.all_on_default = true;
        Result<RunReport> expected = run_partitioned(flow.partitioned, options);
        QVERIFY(expected);
        for (size_t i = 0; i < flow.regions.size(); ++i) {
            QCOMPARE(kept->region_outputs[i].name, expected->region_outputs[i].name);
            for (const OutputDifference& difference :
                 compare_outputs(kept->region_outputs[i].outputs, expected->region_outputs[i].outputs))
                QVERIFY(difference.within_tolerance);
        }
    }

    void anyPlacementComputesTheSame_data() {
        QTest::addColumn<QString>("path");
        for (const QString& name : QDir(PARTITA_SOURCE_DIR "/samples").entryList({"*.relay"}))
            QTest::newRow(qPrintable(name)) << QString(PARTITA_SOURCE_DIR "/samples/" + name);
        for (const char* model : {"mlp", "squeezenet", "mobilenet_v1", "mobilenet_v1_int8", "resnet18"})
            QTest::newRow(model) << reference_folder() + "/relay-models/" + model + ".input.relay";
        // Further files, separated by colons, for models that take minutes.
        for (const QString& path : further_models()) QTest::newRow(qPrintable(path.section('/', -1))) << path;
    }
    void anyPlacementComputesTheSame() {
        QFETCH(QString, path);
        if (!QFile::exists(path)) QSKIP(qPrintable("there is no " + path));
        Result<OpenedModule> opened = open_module(path.toStdString(), {});
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        if (has_annotations(*opened->module)) QSKIP("it is placed already");
        RunOptions alone = one_run({});
        Result<RunReport> expected = run_partitioned(opened->module, alone);
        QVERIFY2(expected, expected ? "" : expected.error().to_string().c_str());
        // Each region of ccompiler costs a run of the C compiler, so only a few are tried.
        bool mixed = opened->module->size() < 60 || further_models().contains(path);
        for (uint64_t seed = 1; seed <= 6; ++seed) {
            std::vector<std::string> names = mixed && seed == 1 ? std::vector<std::string>{"dnnl_all", "ccompiler_wide"}
                                                                : std::vector<std::string>{"dnnl_all"};
            FlowResult flow = must_partition(opened->module, names, random_placement(*opened->module, names, seed));
            Result<RunReport> report = run_partitioned(flow.partitioned, one_run(names));
            QVERIFY2(report, report ? "" : report.error().to_string().c_str());
            if (further_models().contains(path))
                qInfo("seed %d: %zu regions of %zu backends", int(seed), flow.regions.size(), names.size());
            for (const OutputDifference& difference : compare_outputs(report->outputs, expected->outputs))
                QVERIFY2(difference.within_tolerance,
                         qPrintable(QString("seed %1: %2 relative").arg(seed).arg(difference.max_rel_error)));
            if (seed > 2) continue;
            Result<std::vector<RegionDifference>> boundaries = compare_regions(flow.partitioned, one_run(names));
            QVERIFY2(boundaries, boundaries ? "" : boundaries.error().to_string().c_str());
            QVERIFY(!boundaries->empty());
            const RegionDifference* wrong = first_wrong(*boundaries);
            QVERIFY2(!wrong,
                     wrong
                         ? (wrong->name + ": " + std::to_string(wrong->outputs[0].max_rel_error) + " relative").c_str()
                         : "");
        }
    }
};

PARTITA_TEST(TestJointPlan)

}  // namespace test_joint_plan

#include "test_joint_plan.moc"
