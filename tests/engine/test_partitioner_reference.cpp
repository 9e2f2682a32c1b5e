// Divisions that the originals made: ONNX Runtime 1.30.0 (its utility, asked by the WebNN provider with made-up limits)
// and LiteRT f674577 (graph_info.cc, GraphPartitionHelper and algo.cc, compiled and run), of random graphs.
// tests/data/partitioners.jsonl.z has a graph a line, with its verdicts and cases, as zlib's bytes behind their length.
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
std::string difference(const Graph& graph, const Division& division, const Json& expected) {
    if (division.regions.size() != expected.size())
        return std::to_string(division.regions.size()) + " regions, not " + std::to_string(expected.size());
    const bool ordered = !expected.empty() && expected[0].contains("inputs");
    std::vector<std::vector<std::string>> made, wanted;
    for (size_t i = 0; i < expected.size(); ++i) {
        const DividedRegion& region = division.regions[i];
        made.push_back(sorted(names(graph, region.nodes)));
        wanted.push_back(sorted(expected[i]["nodes"].get<std::vector<std::string>>()));
        if (ordered && names(graph, region.inputs) != expected[i]["inputs"].get<std::vector<std::string>>())
            return "inputs of region " + std::to_string(i);
        if (ordered && names(graph, region.outputs) != expected[i]["outputs"].get<std::vector<std::string>>())
            return "outputs of region " + std::to_string(i);
    }
    if (!ordered) std::sort(made.begin(), made.end()), std::sort(wanted.begin(), wanted.end());
    return made == wanted ? "" : "other nodes";
}

}  // namespace

class TestPartitionerReference : public QObject {
    Q_OBJECT

private slots:
    void divisionsAreThoseOfTheOriginals() {
        QFile file(PARTITA_SOURCE_DIR "/tests/data/partitioners.jsonl.z");
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
                const Result<Division> division = run_partitioner(*find_partitioner(name), input);
                QVERIFY2(division, id.c_str());
                const std::string differs = difference(*graph, *division, each["regions"]);
                QVERIFY2(differs.empty(), (id + ", " + name + " " + each["options"].dump() + ": " + differs).c_str());
                ++cases;
            }
        }
        QVERIFY(cases > 3000);
    }
};

PARTITA_TEST(TestPartitionerReference)

}  // namespace test_partitioner_reference

#include "test_partitioner_reference.moc"
