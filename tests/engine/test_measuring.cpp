// Steady measurements, and that one division measured twice is called the same.
#include <QtTest>

#include <random>

#include "engine/runtime/compare_runs.h"
#include "engine/runtime/measuring_turns.h"
#include "engine/runtime/ratio_interval.h"
#include "engine/runtime/timing.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_measuring {

using namespace partita;

namespace {

/// Makes up a steady measurement: runs of `ms` with noise, on a machine that slows down and recovers.
RunReport made_up_run(std::mt19937& random, double ms, double slower) {
    std::normal_distribution<double> noise(1, 0.03), of_run(1, 0.02);
    MeasuringTurns turns(1, 5, true);
    RunReport report;
    std::vector<double> samples, yardstick;
    const double level = ms * slower * of_run(random);
    while (turns.more()) {
        if (turns.begins_block()) yardstick.push_back(5.8 * slower * noise(random));
        const double took = level * std::abs(noise(random)) * (turns.warmups() < 2 ? 5 : 1);
        if (turns.counts()) samples.push_back(took);
        turns.took(took);
    }
    report.time = summarize_times(samples);
    report.yardstick = summarize_times(yardstick);
    return report;
}

}  // namespace

class TestMeasuring : public QObject {
    Q_OBJECT

private slots:
    void progressCountsWarmUpsAndRuns() {
        MeasuringTurns turns(2, 3, false);
        for (const double expected : {0.2, 0.4, 0.6, 0.8, 1.0}) {
            turns.took(1);
            QCOMPARE(turns.fraction(), expected);
        }
    }

    void withoutSteadinessAsManyRunsAsAskedForCount() {
        MeasuringTurns turns(2, 3, false);
        int counted = 0, made = 0;
        while (turns.more()) {
            QVERIFY(!turns.begins_block());
            counted += turns.counts();
            QCOMPARE(turns.last(), made == 4);
            turns.took(7);
            ++made;
        }
        QCOMPARE(made, 5);
        QCOMPARE(counted, 3);
    }

    void aSteadyMeasurementLastsLongEnoughForShortRunsAndNotTooLongForLongOnes() {
        for (const double ms : {0.001, 0.1, 10.0, 100.0, 5000.0}) {
            MeasuringTurns turns(1, 5, true);
            double total = 0;
            size_t made = 0;
            while (turns.more()) {
                turns.took(ms);
                total += ms;
                ++made;
            }
            QVERIFY2(total > 150, qPrintable(QString::number(ms)));
            QVERIFY2(total < std::max(1000.0, 12 * ms), qPrintable(QString::number(total)));
            QVERIFY(turns.measured() >= 5 && turns.measured() <= 5 * 200);
            QVERIFY(turns.warmups() >= 2);
        }
    }

    void blocksThatDisagreeAskForMore() {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> wild(1, 2);
        MeasuringTurns calm(1, 5, true), busy(1, 5, true);
        while (calm.more()) calm.took(30);
        while (busy.more()) busy.took(30 * wild(random));
        QVERIFY2(busy.measured() > calm.measured(), qPrintable(QString::number(busy.measured())));
    }

    void oneDivisionMeasuredTwiceIsTheSameIn99Of100TriesOnAnIdleAndABusyMachine() {
        std::mt19937 random(1);
        std::uniform_int_distribution<int> busy(0, 2);
        for (const double ms : {0.001, 0.1, 10.0, 100.0}) {
            int different = 0;
            constexpr int kTries = 300;
            for (int i = 0; i < kTries; ++i) {
                const RunReport a = made_up_run(random, ms, busy(random) == 0 ? 2.0 : 1.0);
                const RunReport b = made_up_run(random, ms, busy(random) == 0 ? 2.0 : 1.0);
                different += compare_timings(a, b).whole.significant;
            }
            QVERIFY2(different * 100 <= kTries, qPrintable(QStringLiteral("%1 ms: %2").arg(ms).arg(different)));
        }
    }

    /// A laptop on which other programs start and end: single runs take up to twenty times as long.
    void aVerdictSurvivesABusyMachine() {
        std::mt19937 random(5);
        const auto run = [&random](double ms) {
            std::bernoulli_distribution disturbed(0.3);
            std::uniform_real_distribution<double> times(2, 20), small(1, 1.1);
            std::vector<double> samples, yardstick;
            for (int i = 0; i < 60; ++i) samples.push_back(ms * (disturbed(random) ? times(random) : small(random)));
            for (int i = 0; i < 10; ++i) yardstick.push_back(5 * (disturbed(random) ? times(random) : small(random)));
            RunReport report;
            report.time = summarize_times(samples);
            report.yardstick = summarize_times(yardstick);
            return report;
        };
        int slower = 0, wrong = 0, different = 0;
        constexpr int kTries = 200;
        for (int i = 0; i < kTries; ++i) {
            const TimingVerdict eight = verdict_on(compare_timings(run(1), run(8)).whole);
            slower += eight == TimingVerdict::Slower;
            wrong += eight == TimingVerdict::Faster || eight == TimingVerdict::Same;
            different += compare_timings(run(1), run(1)).whole.significant;
        }
        QCOMPARE(wrong, 0);  // else it says that it can't tell
        QVERIFY2(slower * 5 >= kTries * 2, qPrintable(QString::number(slower)));
        QVERIFY2(different * 100 <= kTries, qPrintable(QString::number(different)));
    }

    void aRatioIsThatOfAllPairsAndItsIntervalThatOfTheRankTest() {
        const std::vector<float> a{1, 2, 3, 4, 100}, b{2, 4, 6, 8, 10};
        const RatioInterval five = ratio_interval(a, b);
        QVERIFY(five.is_known);  // of 252 orders, one at each end
        QCOMPARE(five.ratio, 2.0);
        QCOMPARE(five.low, 2.0 / 100);
        QCOMPARE(five.high, 10.0);
        QVERIFY(!ratio_interval(std::span(a).first(4), std::span(b).first(4)).is_known);
        std::vector<float> many(12, 1.0f), twice(12, 2.0f);
        many[0] = 1000;
        const RatioInterval twelve = ratio_interval(many, twice);
        QVERIFY(twelve.is_known);
        QCOMPARE(twelve.low, 2.0);
        QCOMPARE(twelve.high, 2.0);
    }

    void aDivisionThatTakesHalfAsLongIsFaster() {
        std::mt19937 random(2);
        int faster = 0;
        constexpr int kTries = 100;
        for (int i = 0; i < kTries; ++i) {
            const TimingDifference whole = compare_timings(made_up_run(random, 2, 1), made_up_run(random, 1, 1)).whole;
            faster += whole.significant && whole.ratio < 1;
        }
        QVERIFY2(faster >= 95, qPrintable(QString::number(faster)));
    }

    void aRealModuleRunTwiceIsTheSame() {
        const Result<OpenedModule> opened = open_text(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(8, 8), float32], %w: Tensor[(8, 8), float32]) {
  %0 = add(%x, %w);
  %1 = exp(%0);
  multiply(%1, %w)
}
)",
                                                      "t.relay");
        QVERIFY(opened);
        RunOptions options;
        options.steady = true;
        const Result<RunReport> a = run_partitioned(opened->module, options),
                                b = run_partitioned(opened->module, options);
        QVERIFY(a && b);
        QVERIFY(a->yardstick.median > 0 && a->time.samples >= 25 && a->warmup > 100);
        QVERIFY(!a->trace.empty());
        QVERIFY(!compare_timings(*a, *b).whole.significant);
    }
};

PARTITA_TEST(TestMeasuring)

}  // namespace test_measuring

#include "test_measuring.moc"
