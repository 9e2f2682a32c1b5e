// Divisions that the originals made: ONNX Runtime 1.30.0 (its utility, asked by the WebNN provider with made-up limits)
// and LiteRT f674577 (graph_info.cc, GraphPartitionHelper and algo.cc, compiled and run); PyTorch's
// CapabilityBasedPartitioner in five texts, ExecuTorch's GroupBasedPartitioner and torch_tensorrt's splitter, run over
// torch.fx 1.13; of random graphs and some by hand. One graph of torch 1.13 is left out: there the original's result
// hangs on the order of a set. tests/data/*partitioners.jsonl.z have a graph a line, with its verdicts and cases, as
// zlib's bytes behind their length.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/graph/graph_json.h"
#include "engine/partitioners/given.h"
#include "engine/partitioners/partitioner.h"
#include "tests/registry.h"

namespace test_partitioner_reference {

using namespace partita;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> names(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> list;
    for (NodeId node : nodes) list.push_back(graph[node].name);
    return list;
}

std::vector<std::string> names(const Graph& graph, const std::vector<GraphValueId>& values) {
    std::vector<std::string> list;
    for (GraphValueId value : values) list.push_back(graph[value].name);
    return list;
}

std::vector<std::string> sorted(std::vector<std::string> list) {
    std::sort(list.begin(), list.end());
    return list;
}

/// Returns what differs from the original; "" if nothing does. The data have the nodes of a group in another order than
/// the original's own.
std::string difference(const Graph& graph, const Division& division, const Json& expected, bool exact) {
    if (division.regions.size() != expected.size())
        return std::to_string(division.regions.size()) + " regions, not " + std::to_string(expected.size());
    const bool ordered = !expected.empty() && expected[0].contains("inputs");
    std::vector<std::vector<std::string>> made, wanted;
    for (size_t i = 0; i < expected.size(); ++i) {
        const DividedRegion& region = division.regions[i];
        made.push_back(names(graph, region.nodes));
        wanted.push_back(expected[i]["nodes"].get<std::vector<std::string>>());
        if (!exact) made.back() = sorted(made.back()), wanted.back() = sorted(wanted.back());
        if (ordered && names(graph, region.inputs) != expected[i]["inputs"].get<std::vector<std::string>>())
            return "inputs of region " + std::to_string(i);
        if (ordered && names(graph, region.outputs) != expected[i]["outputs"].get<std::vector<std::string>>())
            return "outputs of region " + std::to_string(i);
    }
    if (!ordered && !exact) std::sort(made.begin(), made.end()), std::sort(wanted.begin(), wanted.end());
    return made == wanted ? "" : "other nodes";
}

}  // namespace

class TestPartitionerReference : public QObject {
    Q_OBJECT

private slots:
    void divisionsAreThoseOfTheOriginals_data() {
        QTest::addColumn<int>("least");
        QTest::newRow("partitioners") << 3000;
        QTest::newRow("torch_partitioners") << 6500;
    }
    void divisionsAreThoseOfTheOriginals() {
        QFETCH(int, least);
        QFile file(PARTITA_SOURCE_DIR "/tests/data/" + QString::fromUtf8(QTest::currentDataTag()) + ".jsonl.z");
        QVERIFY(file.open(QIODevice::ReadOnly));
        int cases = 0;
        for (const QByteArray& line : qUncompress(file.readAll()).split('\n')) {
            if (line.isEmpty()) continue;
            const Json json = Json::parse(line.begin(), line.end());
            const std::string id = json["id"].get<std::string>();
            Result<Graph> graph = read_graph_json(json["graph"].dump());
            QVERIFY2(graph, id.c_str());
            const NodeLinks links(*graph);
            const Result<Verdicts> verdicts = read_verdicts(*graph, json["verdicts"].dump(), id);
            QVERIFY2(verdicts, id.c_str());
            for (const Json& each : json["cases"]) {
                const std::string name = each["partitioner"].get<std::string>();
                PartitionerInput input{*graph, links, *verdicts, {}, {}};
                for (const auto& [key, value] : each["options"].items()) input.options[key] = value.get<std::string>();
                QTemporaryFile groups;  // in the data they stand where the option names their file
                if (input.options.contains("groups")) {
                    QVERIFY(groups.open() && groups.write(input.options["groups"].c_str()) > 0 && groups.flush());
                    input.options["groups"] = groups.fileName().toStdString();
                }
                const Result<Division> division = run_partitioner(*find_partitioner(name), input);
                QVERIFY2(division, id.c_str());
                QCOMPARE(division->error, each.value("error", ""));
                const std::string differs = difference(*graph, *division, each["regions"], each.value("exact", false));
                QVERIFY2(differs.empty(), (id + ", " + name + " " + each["options"].dump() + ": " + differs).c_str());
                ++cases;
            }
        }
        QVERIFY(cases >= least);
    }
};

PARTITA_TEST(TestPartitionerReference)

}  // namespace test_partitioner_reference

#include "test_partitioner_reference.moc"
