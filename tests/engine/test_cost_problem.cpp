// The cheapest choice of labels: against all choices tried one by one, in every form that the solver has.
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <numeric>
#include <random>

#include "engine/placement/cost_problem.h"
#include "engine/placement/reduced_problem.h"
#include "tests/registry.h"

namespace test_cost_problem {

using namespace partita;

namespace {

class RandomProblem {
public:
    explicit RandomProblem(uint64_t seed) : random_(seed) {}

    CostProblem make(uint32_t variables, uint32_t pairs, bool with_forbidden) {
        CostProblem problem;
        for (uint32_t i = 0; i < variables; ++i) problem.single.push_back(costs(1 + below(3), with_forbidden));
        for (uint32_t i = 0; i < pairs && variables > 1; ++i) {
            const uint32_t a = below(variables), b = (a + 1 + below(variables - 1)) % variables;
            problem.pairs.push_back({a, b, costs(problem.labels(a) * problem.labels(b), with_forbidden)});
        }
        return problem;
    }
    void add_pair(CostProblem& problem, uint32_t a, uint32_t b) {
        problem.pairs.push_back({a, b, costs(problem.labels(a) * problem.labels(b), false)});
    }
    /// Adds costs of three or four variables together, in any order.
    void add_groups(CostProblem& problem, uint32_t count, bool with_forbidden) {
        std::vector<uint32_t> all(problem.single.size());
        std::iota(all.begin(), all.end(), 0);
        for (uint32_t i = 0; i < count && all.size() > 3; ++i) {
            std::shuffle(all.begin(), all.end(), random_);
            CostProblem::Group group{{all.begin(), all.begin() + 3 + below(2)}, {}};
            size_t size = 1;
            for (uint32_t variable : group.variables) size *= problem.labels(variable);
            group.cost = costs(size, with_forbidden);
            problem.groups.push_back(std::move(group));
        }
    }
    uint32_t below(uint32_t bound) { return uint32_t(random_() % bound); }

private:
    std::vector<double> costs(size_t count, bool with_forbidden) {
        std::vector<double> list(count);
        for (double& cost : list)
            cost = with_forbidden && below(6) == 0 ? CostProblem::kForbidden : double(below(1000)) / 64;
        return list;
    }

    std::mt19937_64 random_;
};

double least_of_all(const CostProblem& problem) {
    std::vector<uint16_t> labels(problem.single.size());
    double least = CostProblem::kForbidden;
    for (size_t i = 0; i < labels.size();) {
        least = std::min(least, problem.cost(labels));
        for (i = 0; i < labels.size() && ++labels[i] == problem.labels(uint32_t(i)); ++i) labels[i] = 0;
    }
    return least;
}

/// Writes the problem in the format of weighted constraint networks (toulbar2's manual, "wcsp format"): costs times 64,
/// which are whole numbers here.
QByteArray wcsp_of(const CostProblem& problem) {
    constexpr qint64 kTop = qint64(1) << 40;
    QByteArray text, sizes, functions;
    size_t largest = 0, count = 0;
    const auto add = [&](const std::vector<uint32_t>& variables, const std::vector<double>& costs) {
        ++count;
        functions += QByteArray::number(qint64(variables.size()));
        for (uint32_t variable : variables) functions += ' ' + QByteArray::number(variable);
        functions += " 0 " + QByteArray::number(qint64(costs.size())) + '\n';
        for (size_t i = 0; i < costs.size(); ++i) {
            QByteArray labels;
            size_t rest = i;
            for (size_t k = variables.size(); k-- > 0; rest /= problem.labels(variables[k]))
                labels.prepend(QByteArray::number(qint64(rest % problem.labels(variables[k]))) + ' ');
            const bool forbidden = costs[i] == CostProblem::kForbidden;
            functions += labels + QByteArray::number(forbidden ? kTop : qint64(costs[i] * 64)) + '\n';
        }
    };
    for (uint32_t i = 0; i < problem.single.size(); ++i) {
        largest = std::max(largest, problem.labels(i));
        sizes += QByteArray::number(qint64(problem.labels(i))) + ' ';
        add({i}, problem.single[i]);
    }
    for (const CostProblem::Pair& pair : problem.pairs) add({pair.a, pair.b}, pair.cost);
    for (const CostProblem::Group& group : problem.groups) add(group.variables, group.cost);
    text = "problem " + QByteArray::number(qint64(problem.single.size())) + ' ' + QByteArray::number(qint64(largest)) +
           ' ' + QByteArray::number(qint64(count)) + ' ' + QByteArray::number(kTop) + '\n';
    return text + sizes + '\n' + functions;
}

/// A chain in which neighbours want to differ, with a shortcut now and then.
CostProblem chain(uint32_t length) {
    CostProblem problem;
    problem.single.assign(length, {1, 1.25, 0.5});
    for (uint32_t i = 1; i < length; ++i) problem.pairs.push_back({i - 1, i, {0, 1, 2, 1, 0, 1, 2, 1, 4}});
    for (uint32_t i = 4; i < length; i += 7) problem.pairs.push_back({i, i - 3, {0, 1, 2, 1, 0, 1, 2, 1, 0}});
    return problem;
}

}  // namespace

class TestCostProblem : public QObject {
    Q_OBJECT

private slots:
    void equalsTheLeastOfAllChoices() {
        int feasible = 0;
        for (uint64_t seed = 1; seed <= 2000; ++seed) {
            RandomProblem random(seed);
            CostProblem problem = random.make(1 + random.below(8), random.below(16), seed % 2);
            if (seed % 3 == 0) random.add_groups(problem, 1 + random.below(4), seed % 2);
            const double least = least_of_all(problem);
            const CostSolution solution = solve(problem);
            if (least == CostProblem::kForbidden) {
                QVERIFY2(solution.labels.empty(), qPrintable(QString("seed %1").arg(seed)));
                continue;
            }
            ++feasible;
            QCOMPARE(solution.cost, least);
            QCOMPARE(problem.cost(solution.labels), least);
            QVERIFY(solution.proved);
        }
        QVERIFY(feasible > 1000);
    }

    /// Also what has become so because a label of a neighbour has, in any order of the pairs.
    void impossibleLabelsAreDropped() {
        constexpr double no = CostProblem::kForbidden;
        const std::vector<double> last_with_last{0, 1, 0, 1, 0, 0, no, no, 0};
        CostProblem problem;
        problem.single = {{0, 0, 0}, {0, 0, 0}, {0, 0, no}};
        problem.pairs = {{0, 1, last_with_last}, {1, 2, last_with_last}};
        const ReducedProblem reduced(problem);
        QCOMPARE(reduced.problem().single.size(), size_t(3));
        for (const std::vector<double>& single : reduced.problem().single) QCOMPARE(single.size(), size_t(2));
        QCOMPARE(reduced.labels({1, 1, 1}), (std::vector<uint16_t>{1, 1, 1}));
    }

    /// Of every label: the least cost where all others are forbidden.
    void leastCostsEqualSolvingAgain() {
        for (uint64_t seed = 1; seed <= 600; ++seed) {
            RandomProblem random(seed);
            CostProblem problem = random.make(1 + random.below(9), random.below(14), seed % 2);
            if (seed % 3 == 0) random.add_groups(problem, 1 + random.below(3), seed % 2);
            const size_t asked = 1 + random.below(uint32_t(problem.single.size()));
            const std::vector<std::vector<double>> least = least_costs(problem, asked);
            QCOMPARE(least.size(), asked);
            for (uint32_t variable = 0; variable < asked; ++variable)
                for (size_t label = 0; label < problem.labels(variable); ++label) {
                    CostProblem held = problem;
                    for (size_t other = 0; other < problem.labels(variable); ++other)
                        if (other != label) held.single[variable][other] = CostProblem::kForbidden;
                    QCOMPARE(least[variable][label], solve(held).cost);
                }
        }
        QVERIFY(least_costs(chain(100000), 3).size() == 3);
        RandomProblem random(7);
        QVERIFY(least_costs(random.make(40, 300, false), 40, {.seconds = 1, .entries = 9, .cancel = {}}).empty());
    }

    /// Debian's toulbar2 finds the same on graphs of a network's size.
    void equalsToulbar2() {
        if (QStandardPaths::findExecutable("toulbar2").isEmpty()) QSKIP("toulbar2 is not installed");
        QTemporaryDir folder;
        for (uint64_t seed = 1; seed <= 20; ++seed) {
            RandomProblem random(seed);
            CostProblem problem = random.make(60, 0, false);
            for (uint32_t i = 1; i < 60; ++i)  // near neighbours, as in a network
                random.add_pair(problem, i, i - 1 - random.below(std::min(i, 4u)));
            random.add_groups(problem, 6, false);
            const QString file = folder.filePath(QString("%1.wcsp").arg(seed));
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(wcsp_of(problem));
            out.close();
            QProcess process;
            process.start("toulbar2", {file, "-s"});
            QVERIFY(process.waitForFinished(60000));
            const QRegularExpressionMatch found =
                QRegularExpression("Optimum: (\\d+)").match(QString::fromLocal8Bit(process.readAllStandardOutput()));
            QVERIFY2(found.hasMatch(), qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(solve(problem).cost * 64, found.captured(1).toDouble());
        }
    }

    /// Tables so small that buckets are split: branch and bound must find the same.
    void splitBucketsFindTheSame() {
        for (uint64_t seed = 1; seed <= 400; ++seed) {
            RandomProblem random(seed);
            CostProblem problem = random.make(8, 20, seed % 2);
            if (seed % 3 == 0) random.add_groups(problem, 3, seed % 2);
            const double least = least_of_all(problem);
            SolveLimits limits;
            limits.entries = 9;
            const CostSolution solution = solve(problem, limits);
            if (least == CostProblem::kForbidden) {
                QVERIFY(solution.labels.empty());
                continue;
            }
            QCOMPARE(solution.cost, least);
            QVERIFY(solution.proved);
            QCOMPARE(solution.bound, least);
        }
    }

    /// Where the time ends first, what was found is said to be unproved, and the bound holds.
    void theBoundHoldsWhereTheTimeEnds() {
        RandomProblem random(7);
        const CostProblem problem = random.make(40, 300, false);
        SolveLimits little;
        little.entries = 9;
        little.seconds = 0;
        const CostSolution hasty = solve(problem, little);
        QVERIFY(!hasty.labels.empty());
        QCOMPARE(problem.cost(hasty.labels), hasty.cost);
        QVERIFY(!hasty.proved);
        QVERIFY(hasty.bound <= hasty.cost);
        const CostSolution longer = solve(problem, {.seconds = 1, .entries = 20000, .cancel = {}});
        QVERIFY(hasty.bound <= longer.cost && longer.cost <= hasty.cost);
    }

    /// Neither the stack nor the time grows with the length beyond proportion.
    void aLongChainIsSolved() {
        const CostSolution solution = solve(chain(1000000));
        QVERIFY(solution.proved);
        QCOMPARE(solution.labels.size(), size_t(1000000));
        QCOMPARE(solve(chain(10)).cost, least_of_all(chain(10)));
    }

    void noVariablesCostNothing() {
        const CostSolution solution = solve({});
        QVERIFY(solution.proved);
        QCOMPARE(solution.cost, 0.0);
    }

    void aCancelledSearchHasNoAnswer() {
        SolveLimits limits;
        limits.cancel.cancel();
        QVERIFY(solve(chain(100), limits).labels.empty());
    }
};

PARTITA_TEST(TestCostProblem)

}  // namespace test_cost_problem

#include "test_cost_problem.moc"
