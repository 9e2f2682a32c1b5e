// Random ONNX graphs of functions and subgraphs give the same in every way in Partita, and as what they are exported
// to. See tests/fuzz/onnx_against_runtime --control --round-trips for the long run against ONNX Runtime.
//
// PARTITA_ONNX_GRAPHS sets the number of graphs, PARTITA_ONNX_SEED the seed.
#include <QTemporaryDir>
#include <QtTest>

#include "tests/fuzz/onnx/control_maker.h"
#include "tests/fuzz/onnx/round_trips.h"
#include "tests/registry.h"

namespace test_control_graphs {

using namespace partita;
using namespace partita::fuzz;

class TestControlGraphs : public QObject {
    Q_OBJECT

private slots:
    void everyWayGivesTheSame() {
        constexpr uint64_t kGraphs = 40, kSeed = 3;
        bool given = false;
        const uint64_t graphs = qEnvironmentVariableIntValue("PARTITA_ONNX_GRAPHS", &given),
                       count = given ? graphs : kGraphs,
                       seed = uint64_t(qEnvironmentVariableIntValue("PARTITA_ONNX_SEED", &given));
        QTemporaryDir cache;
        uint64_t refused = 0;
        for (uint64_t number = 0; number < count; ++number) {
            const GeneratedGraph graph = make_control_graph(given ? seed : kSeed, number);
            ImportedGraph imported(graph, cache.path().toStdString());
            QVERIFY2(imported.refusal().empty(), imported.refusal().c_str());
            const Verdict verdict = agreement(graph, imported);
            refused += !verdict.first.refusal.empty();
            QVERIFY2(verdict.outcome != Outcome::Differs,
                     qPrintable(QString("%1: %2").arg(number).arg(verdict.text.c_str())));
            const std::string lost = round_trip_difference(graph, verdict.first, nullptr);
            QVERIFY2(lost.empty(), qPrintable(QString("%1: %2").arg(number).arg(lost.c_str())));
        }
        QCOMPARE(refused, uint64_t(0));  // what a branch guards does not run
    }
};

PARTITA_TEST(TestControlGraphs)

}  // namespace test_control_graphs

#include "test_control_graphs.moc"
