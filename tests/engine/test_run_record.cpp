// Saved runs: written records read back, damaged ones are refused, and the comparison of two runs respects noise.
#include <QtTest>

#include <random>

#include "engine/runtime/compare_runs.h"
#include "engine/runtime/run_record.h"
#include "tests/registry.h"

namespace test_run_record {

using namespace partita;

namespace {

RegionTiming region(const std::string& name, double median, double spread, int samples) {
    RegionTiming made;
    made.name = name;
    made.backend = made.executed_by = "dnnl";
    made.time = {median, median * 0.9, spread, samples};
    made.flops = 1e6;
    made.bytes = 1e3;
    made.layout_changes = 2;
    made.copies = 1;
    made.calls = 4;
    made.notice = "why";
    made.compile_ms = 0.25;
    made.layout_time = {0.5, 0.25, 0.125, 5};
    made.copy_time = {0.75, 0.5, 0.25, 5};
    made.ops.push_back({ExprId(), ExprId(), "nn.conv2d", {median, median, spread, samples}, 1e6, 1e3});
    return made;
}

RunRecord record() {
    RunRecord made;
    made.title = "a \"name\"\n\xff";
    made.backends = "dnnl,ccompiler";
    made.made = time_stamp();
    made.machine = {2, 1e11, 2e10};
    made.report.time = {1.5, 1.25, 0.125, 5};
    made.report.threads = 2;
    made.report.warmup = 1;
    made.report.repeat = 5;
    made.report.first_run_ms = 7;
    made.report.compile_ms = 3.5;
    made.report.prepare_ms = 0.5;
    made.report.peak_bytes = 123456;
    made.report.unshared_bytes = 234567;
    made.report.copies = 3;
    made.report.copied_bytes = 4096;
    made.report.copy_time = {0.25, 0.125, 0.0625, 5};
    made.report.regions = {region("a", 1, 0.1, 5), region("b", 0.5, 0.01, 5)};
    return made;
}

}  // namespace

class TestRunRecord : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadAgain() {
        RunRecord before = record();
        std::string text = format_run_record(before);
        Result<RunRecord> after = parse_run_record(text, "kept.json");
        QVERIFY2(bool(after), after ? "" : after.error().to_string().c_str());
        QCOMPARE(format_run_record(*after), text);
        after->source.clear();  // the text itself, for members unknown to this version
        QCOMPARE(format_run_record(*after), text);
        QCOMPARE(after->report.regions.size(), size_t(2));
        QCOMPARE(after->report.regions[1].time.median, 0.5);
        QCOMPARE(after->report.regions[0].ops[0].name, std::string("nn.conv2d"));
        QCOMPARE(after->report.time.samples, 5);
        QCOMPARE(after->machine.flops, 1e11);
    }

    void damagedFilesAreRefusedOrReadButNeverCrash() {
        const std::string text = format_run_record(record());
        std::mt19937 random(1);
        for (int turn = 0; turn < 3000; ++turn) {
            std::string damaged = text;
            for (int i = 0; i < 1 + turn % 4; ++i) damaged[random() % damaged.size()] = char(random() % 256);
            if (turn % 3 == 0) damaged.resize(random() % damaged.size());
            Result<RunRecord> read = parse_run_record(damaged, "kept.json");
            if (!read) QVERIFY(!read.error().message.empty());
        }
    }

    void aDifferenceWithinTheNoiseIsNotCalledOne() {
        RunReport a, b;
        a.regions = {region("r", 10, 1, 5)};
        b.regions = {region("r", 11, 1, 5)};
        RunDifference difference = compare_timings(a, b);
        QCOMPARE(difference.regions.size(), size_t(1));
        QVERIFY(std::abs(difference.regions[0].ratio - 1.1) < 1e-12);
        // 10 % and 9.1 % of spread, times the ratio.
        QVERIFY(std::abs(difference.regions[0].noise - 1.1 * (0.1 + 1.0 / 11)) < 1e-12);
        QVERIFY(!difference.regions[0].significant);
        b.regions = {region("r", 13, 1, 5)};
        QVERIFY(compare_timings(a, b).regions[0].significant);
        b.regions = {region("r", 13, 0, 2)};  // two runs have no quartiles
        QVERIFY(!compare_timings(a, b).regions[0].noise_known);
        QVERIFY(!compare_timings(a, b).regions[0].significant);
    }

    /// What is so short that a clock shows nothing is in a run all the same.
    void whatBothRunsHaveIsInBoth() {
        RunReport a, b;
        a.regions = {region("r", 0, 0, 5), region("left", 2, 0.1, 5)};
        b.regions = {region("r", 1, 0.1, 5), region("right", 2, 0.1, 5)};
        a.regions[0].ops.resize(1);
        b.regions[0].ops.resize(1);
        b.regions[0].ops[0].time = b.regions[0].time;
        a.regions[0].ops[0].name = b.regions[0].ops[0].name = "tanh";
        const RunDifference difference = compare_timings(a, b);
        QCOMPARE(verdict_on(difference.regions[0]), TimingVerdict::TooNoisy);
        QCOMPARE(verdict_on(difference.regions[1]), TimingVerdict::OnlyInA);
        QCOMPARE(verdict_on(difference.regions[2]), TimingVerdict::OnlyInB);
        const auto tanh = std::find_if(difference.ops.begin(), difference.ops.end(),
                                       [](const TimingDifference& op) { return op.name == "tanh"; });
        QVERIFY(tanh != difference.ops.end());
        QCOMPARE(verdict_on(*tanh), TimingVerdict::TooNoisy);
    }

    /// Functions are numbered anew when another region comes before; short names stay.
    void regionsAreComparedByShortNames() {
        RunReport a, b;
        a.regions = {region("dnnl_main_0", 10, 0.1, 5), region("dnnl_main_1", 20, 0.1, 5)};
        b.regions = {region("dnnl_main_0", 5, 0.1, 5), region("dnnl_main_1", 10, 0.1, 5)};
        QCOMPARE(compare_timings(a, b).regions[0].ratio, 0.5);
        a.regions[0].short_name = "dnnl #4";
        a.regions[1].short_name = "dnnl #9";
        QCOMPARE(compare_timings(a, b).regions[0].ratio, 0.5);  // the other run does not know them
        b.regions[0].short_name = "dnnl #2";
        b.regions[1].short_name = "dnnl #4";
        const RunDifference difference = compare_timings(a, b);
        QCOMPARE(difference.regions.size(), size_t(3));
        QCOMPARE(difference.regions[0].shown(), std::string("dnnl #4"));
        QCOMPARE(difference.regions[0].ratio, 1.0);
        QCOMPARE(difference.regions[1].region_b, -1);
        QCOMPARE(difference.regions[2].shown(), std::string("dnnl #2"));
        // They are kept in the file.
        RunRecord kept = record();
        kept.report.regions[0].short_name = "dnnl #4";
        const Result<RunRecord> read = parse_run_record(format_run_record(kept), "kept.json");
        QVERIFY(bool(read));
        QCOMPARE(read->report.regions[0].short_name, std::string("dnnl #4"));
    }

    void aRegionWithOtherOperatorsIsNotCalledSlower() {
        RunReport a, b;
        a.regions = {region("r", 10, 0.1, 5)};
        b.regions = {region("r", 30, 0.1, 5)};
        QVERIFY(compare_timings(a, b).regions[0].significant);
        b.regions[0].ops.push_back(b.regions[0].ops[0]);
        b.regions[0].ops.back().name = "another";
        b.regions[0].calls = a.regions[0].calls;
        RunDifference difference = compare_timings(a, b);
        QVERIFY(!difference.regions[0].same_ops && !difference.regions[0].significant);
        QCOMPARE(difference.regions[0].ratio, 3.0);
        // In another order they are the same.
        a.regions[0].ops.insert(a.regions[0].ops.begin(), b.regions[0].ops.back());
        QVERIFY(compare_timings(a, b).regions[0].same_ops);
        // For regions measured as one, only the number of calls is known.
        a.regions[0].ops.clear();
        b.regions[0].ops.clear();
        QVERIFY(compare_timings(a, b).regions[0].significant);
        ++b.regions[0].calls;
        QVERIFY(!compare_timings(a, b).regions[0].same_ops);
    }

    void whatOneRunLacksIsListed() {
        RunReport a, b;
        a.regions = {region("a", 1, 0, 5), region("both", 2, 0, 5)};
        b.regions = {region("both", 4, 0, 5), region("b", 1, 0, 5)};
        RunDifference difference = compare_timings(a, b);
        QCOMPARE(difference.regions.size(), size_t(3));
        QCOMPARE(difference.regions[0].region_b, -1);
        QCOMPARE(difference.regions[1].ratio, 2.0);
        QCOMPARE(difference.regions[2].name, std::string("b"));
        QCOMPARE(difference.regions[2].region_a, -1);
        // By operator, all calls together.
        QCOMPARE(difference.ops.size(), size_t(1));
        QCOMPARE(difference.ops[0].a.median, 3.0);
        QCOMPARE(difference.ops[0].b.median, 5.0);
    }

    /// One made a whole of calls 1 and 2, the other of 2 and 3: what both timed is 1 to 3.
    void whatWasMadeOneDifferentlyIsHeldAgainstEachOther() {
        const auto op = [](const char* name, uint32_t number, std::vector<uint32_t> members, double median) {
            return OpTiming{ExprId(), ExprId(), name, {median, median, 0, 5}, 0, 0, number, std::move(members)};
        };
        RunRecord a = record(), b = record();
        a.report.regions.resize(1);
        b.report.regions.resize(2);
        a.report.regions[0].ops = {op("conv", 1, {1, 2}, 4), op("relu", 3, {}, 1), op("dense", 4, {}, 1),
                                   op("add", 5, {}, 0.5), op("add", 9, {}, 0.25)};
        b.report.regions[0].ops = {op("conv", 1, {}, 2), op("relu", 3, {2, 3}, 6)};
        b.report.regions[1].ops.clear();
        b.report.regions[1].members = {4, 5};
        const auto read = [](const RunRecord& made) {
            return parse_run_record(format_run_record(made), "kept").value();
        };
        const std::vector<TimingDifference> groups = compare_timings(read(a).report, read(b).report).groups;
        QCOMPARE(groups.size(), size_t(3));
        QCOMPARE(groups[0].name, std::string("relu #3"));  // of the longest time
        QCOMPARE(groups[0].calls, (std::vector<uint32_t>{1, 2, 3}));
        QCOMPARE(groups[0].a.median, 5.0);
        QCOMPARE(groups[0].b.median, 8.0);
        QCOMPARE(groups[0].parts_a, 2);
        QCOMPARE(groups[0].parts_b, 2);
        QCOMPARE(groups[1].calls, (std::vector<uint32_t>{4, 5}));  // a region that was timed as one
        QCOMPARE(groups[1].a.median, 1.5);
        QCOMPARE(groups[1].b.median, 0.5);
        QCOMPARE(verdict_on(groups[2]), TimingVerdict::OnlyInA);
        QVERIFY(compare_timings(record().report, read(a).report).groups.empty());  // of an earlier version
    }
};

PARTITA_TEST(TestRunRecord)

}  // namespace test_run_record

#include "test_run_record.moc"
