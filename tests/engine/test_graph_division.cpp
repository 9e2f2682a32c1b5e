// Plain graphs, their divisions by the partitioners of the table, and whether a division is sound.
#include <random>

#include <QtTest>

#include "engine/explain/explain.h"
#include "engine/frontends/generate.h"
#include "engine/graph/graph_json.h"
#include "engine/graph/module_of_graph.h"
#include "engine/partitioners/given.h"
#include "engine/session/graph_division.h"
#include "tests/registry.h"

namespace test_graph_division {

using namespace partita;

namespace {

/// Writes ' for ", so that texts of JSON can be read.
std::string json(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string with_nodes(const std::string& nodes) {
    return json("{'format': 'partita-graph', 'version': 1, 'inputs': ['x'], 'outputs': ['y'], 'nodes': [" + nodes +
                "]}");
}

/// A node `name` of the values `inputs`; its output is called as it is.
std::string node(const std::string& name, const std::string& inputs) {
    return json("{'name': '" + name + "', 'op': 'Op', 'inputs': [" + inputs + "], 'outputs': ['" + name + "']}");
}

Graph read(const std::string& text) {
    Result<Graph> graph = read_graph_json(text);
    if (!graph) qFatal("%s", graph.error().to_string().c_str());
    return std::move(*graph);
}

std::string refusal(const std::string& text) {
    const Result<Graph> graph = read_graph_json(text);
    return graph ? "" : graph.error().to_string();
}

/// a -> b -> c and a -> c: with b elsewhere, a and c can't be one region.
Graph triangle() { return read(with_nodes(node("a", "'x'") + "," + node("b", "'a'") + "," + node("y", "'a', 'b'"))); }

Verdicts taking(const Graph& graph, const std::string& names) {
    Result<Verdicts> verdicts = read_verdicts(graph, json("[{'backend': 'npu', 'taken': [" + names + "]}]"), "v.json");
    if (!verdicts) qFatal("%s", verdicts.error().to_string().c_str());
    return std::move(*verdicts);
}

Division divided(const Graph& graph, const char* partitioner, const Verdicts& verdicts) {
    const NodeLinks links(graph);
    Result<Division> division = run_partitioner(*find_partitioner(partitioner), {graph, links, verdicts, {}, {}});
    if (!division) qFatal("%s", division.error().to_string().c_str());
    return std::move(*division);
}

/// "npu a y (x -> y); npu b ..." of a division.
std::string text_of(const Graph& graph, const Division& division) {
    std::string text;
    for (const DividedRegion& region : division.regions) {
        text += (text.empty() ? "" : "; ") + region.backend;
        for (NodeId id : region.nodes) text += " " + graph[id].name;
        text += " (";
        for (GraphValueId id : region.inputs) text += graph[id].name + " ";
        text += "->";
        for (GraphValueId id : region.outputs) text += " " + graph[id].name;
        text += ")";
    }
    return text;
}

/// A random graph of `count` nodes, each using one to three values from before, in a shuffled order of the file.
Graph random_graph(std::mt19937& random, uint32_t count) {
    std::vector<std::string> nodes;
    for (uint32_t i = 0; i < count; ++i) {
        std::string inputs;
        for (uint32_t k = random() % 3 + 1; k-- > 0;) {
            const uint32_t from = random() % (i + 1);
            inputs += (inputs.empty() ? "\"" : ", \"") + (from ? "n" + std::to_string(from) : "x") + "\"";
        }
        nodes.push_back(node(i + 1 == count ? "y" : "n" + std::to_string(i + 1), inputs));
    }
    std::shuffle(nodes.begin(), nodes.end(), random);
    std::string all;
    for (const std::string& each : nodes) all += (all.empty() ? "" : ",") + each;
    return read(with_nodes(all));
}

/// Whether the regions can be run in some order, by trying: the definition, not the program's way of telling.
bool can_be_run(const Graph& graph, const NodeLinks& links, const Division& division) {
    const std::vector<int32_t> region_of = regions_by_node(graph, division);
    std::vector<bool> done(graph.nodes.size());
    const auto ready = [&](NodeId id, int32_t region) {
        for (NodeId before : links.before(id))
            if (!done[before.value] && (region < 0 || region_of[before.value] != region)) return false;
        return true;
    };
    for (bool progress = true; progress;) {
        progress = false;
        for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
            if (done[i] || region_of[i] >= 0 || !ready(NodeId(i), -1)) continue;
            progress = done[i] = true;
        }
        for (size_t r = 0; r < division.regions.size(); ++r) {
            const std::vector<NodeId>& nodes = division.regions[r].nodes;
            if (done[nodes.front().value]) continue;
            if (!std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) { return ready(id, int32_t(r)); })) continue;
            for (NodeId id : nodes) done[id.value] = true;
            progress = true;
        }
    }
    return std::all_of(done.begin(), done.end(), [](bool each) { return each; });
}

/// Whether each node of a path waits for the one before it or shares its region, and the path ends where it began.
bool is_cycle(const NodeLinks& links, const std::vector<int32_t>& region_of, const std::vector<NodeId>& path) {
    const auto same_region = [&](NodeId a, NodeId b) {
        return a == b || (region_of[a.value] >= 0 && region_of[a.value] == region_of[b.value]);
    };
    bool leaves = false;
    for (size_t i = 1; i < path.size(); ++i) {
        const std::span<const NodeId> before = links.before(path[i]);
        const bool waits = std::find(before.begin(), before.end(), path[i - 1]) != before.end();
        if (!waits && !same_region(path[i - 1], path[i])) return false;
        leaves |= !same_region(path[i - 1], path[i]);
    }
    return leaves && path.size() > 1 && same_region(path.front(), path.back());
}

/// LiteRT's plug-ins are given what can't always be run: the original does not ask.
bool divides_soundly(const Partitioner& partitioner) { return !partitioner.name.starts_with("litert-"); }

}  // namespace

class TestGraphDivision : public QObject {
    Q_OBJECT

private slots:
    void aGraphReadsBackAsItWasWritten() {
        const std::string text = json(
            "{'format': 'partita-graph', 'version': 1,\n"
            " 'inputs': ['x'],\n"
            " 'outputs': ['y'],\n"
            " 'constants': ['w'],\n"
            " 'nodes': [\n"
            "  "
            "{'name':'n0','op':'Conv','inputs':['x','w',''],'outputs':['c'],'attributes':{'group':1,'how':{'deep':[1.5,"
            "'a']}}},\n"
            "  {'name':'n1','op':'Relu','inputs':['c'],'outputs':['y'],'after':['n0']}],\n"
            " 'values': {\n"
            "  'x': {'dtype':'float32','shape':[1,3,null,8]}}}\n");
        QCOMPARE(QString::fromStdString(write_graph_json(read(text))), QString::fromStdString(text));
    }

    void badGraphsAreRefusedWithTheirPlace() {
        QCOMPARE(
            refusal(with_nodes(node("y", "'nobody'"))),
            std::string("1:125: error: bad graph: the value 'nobody' is neither an input, a constant nor the output "
                        "of a node"));
        QVERIFY(refusal(with_nodes(node("y", "'x'") + "," + node("y", "'x'"))).ends_with("is made twice"));
        QVERIFY(refusal(with_nodes("{'name': 'n', 'outputs': ['y']}")).ends_with("a node has no \"op\""));
        QVERIFY(refusal(with_nodes("{'op': 'A', 'outputs': ['y'], 'after': ['z']}")).ends_with("no node 'z'"));
        QVERIFY(refusal(json("{'format': 'partita-graph', 'version': 2}")).ends_with("another version"));
        QVERIFY(refusal(with_nodes("") + "{").find("error") != std::string::npos);
    }

    void nodesOutOfOrderOpenAndACycleIsNamed() {
        Graph graph = read(with_nodes(node("y", "'a'") + "," + node("a", "'x'")));
        QVERIFY(module_of_graph(graph));
        Graph cycle = read(with_nodes(node("y", "'a', 'x'") + "," + node("a", "'y'")));
        const Result<Module> refused = module_of_graph(cycle);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, std::string("nodes wait for each other: a -> y -> a"));
    }

    void elementTypesThatNobodyKnowsAreKept() {
        const std::string text =
            json("{'format': 'partita-graph', 'version': 1, 'inputs': ['x'], 'outputs': ['y'], 'nodes': [" +
                 node("y", "'x'") +
                 "], 'values': {'x': {'dtype': 'resource', 'shape': []}, 'y': {'dtype': 'string', 'shape': [2]}}}");
        Graph graph = read(text);
        QVERIFY(module_of_graph(graph));
        QCOMPARE(graph.values[0].dtype, std::string("resource"));
    }

    void eachMakesARegionOfEveryNode() {
        const Graph graph = triangle();
        QCOMPARE(text_of(graph, divided(graph, "each", taking(graph, "'a', 'y'"))),
                 std::string("npu a (x -> a); npu y (a b -> y)"));
    }

    void componentsAreCutWhereWhatLeftThemComesBack() {
        const Graph graph = triangle();
        QCOMPARE(text_of(graph, divided(graph, "components", taking(graph, "'a', 'b', 'y'"))),
                 std::string("npu a b y (x -> y)"));
        QCOMPARE(text_of(graph, divided(graph, "components", taking(graph, "'a', 'y'"))),
                 std::string("npu a (x -> a); npu y (a b -> y)"));
    }

    void backendsComeInTheOrderOfTheirPriority() {
        const Graph graph = triangle();
        const Result<Verdicts> verdicts = read_verdicts(
            graph, json("[{'backend': 'first', 'taken': ['a']}, {'backend': 'second', 'taken': ['*']}]"), "v.json");
        QVERIFY(verdicts);
        QCOMPARE(text_of(graph, divided(graph, "components", *verdicts)),
                 std::string("first a (x -> a); second b y (a -> y)"));
    }

    void aDivisionThatIsNotSoundIsToldWithItsPath() {
        const Graph graph = triangle();
        const NodeLinks links(graph);
        const auto told = [&](const std::string& regions) {
            const Result<Division> division = read_division(graph, regions, "p.json");
            if (!division) return division.error().to_string();
            std::string text;
            for (const Unsound& each : check_division(graph, links, *division))
                text += unsound_text(graph, *division, each) + "\n";
            return text;
        };
        QCOMPARE(told(json("{'regions': [{'backend': 'npu', 'nodes': ['a', 'b']}]}")), std::string());
        QCOMPARE(told(json("{'regions': [{'backend': 'npu', 'nodes': ['a', 'y']}]}")),
                 std::string("region 0 (npu) waits for itself: a -> b -> y\n"));
        QCOMPARE(told(json("{'regions': [{'backend': 'npu', 'nodes': ['a', 1]}]}")),
                 std::string("region 0 (npu): the node stands twice: a\n"));
        QCOMPARE(told(json("{'regions': [{'backend': 'npu', 'nodes': ['z']}]}")),
                 std::string("p.json:1:43: error: there is no node 'z'; did you mean 'a'?"));
        QCOMPARE(told(json("{'regions': [{'backend': 'npu', 'nodes': [4]}]}")),
                 std::string("p.json:1:43: error: there is no node of that number; the graph has 3"));
    }

    void soundMeansThatTheRegionsCanBeRun() {
        std::mt19937 random(7);
        int unsound = 0;
        for (int round = 0; round < 2000; ++round) {
            const Graph graph = random_graph(random, random() % 30 + 2);
            const NodeLinks links(graph);
            Division division;
            division.regions.resize(random() % 4 + 1);
            for (uint32_t i = 0; i < graph.nodes.size(); ++i)
                if (const size_t region = random() % (division.regions.size() + 1); region < division.regions.size())
                    division.regions[region].nodes.push_back(NodeId(i));
            std::erase_if(division.regions, [](const DividedRegion& region) { return region.nodes.empty(); });
            const std::vector<Unsound> found = check_division(graph, links, division);
            QCOMPARE(found.empty(), can_be_run(graph, links, division));
            for (const Unsound& each : found) QVERIFY(is_cycle(links, regions_by_node(graph, division), each.path));
            unsound += !found.empty();
        }
        QVERIFY(unsound > 500 && unsound < 1900);
    }

    void everyPartitionerDividesSoundlyAndTakesWhatIsTaken() {
        std::mt19937 random(11);
        for (int round = 0; round < 1500; ++round) {
            const Graph graph = random_graph(random, random() % 60 + 2);
            const NodeLinks links(graph);
            Verdicts verdicts;
            for (const char* name : {"one", "two"}) {
                verdicts.backends.push_back({name, std::vector<bool>(graph.nodes.size())});
                for (size_t i = 0; i < graph.nodes.size(); ++i) verdicts.backends.back().takes[i] = random() % 2;
            }
            for (const Partitioner& partitioner : partitioners()) {
                if (!partitioner.asks_backends || !divides_soundly(partitioner)) continue;
                const Division division = divided(graph, partitioner.name.data(), verdicts);
                QVERIFY(check_division(graph, links, division).empty());
                const std::vector<int32_t> region_of = regions_by_node(graph, division);
                const bool drops_small = partitioner.name.starts_with("torch-");
                for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
                    const int backend = verdicts.first(NodeId(i));
                    if (drops_small) {
                        if (region_of[i] < 0) continue;
                        const bool is_second = division.regions[size_t(region_of[i])].backend == "two";
                        QVERIFY(verdicts.backends[is_second].takes[i]);
                        continue;
                    }
                    QCOMPARE(region_of[i] >= 0, backend >= 0);
                    if (backend >= 0)
                        QCOMPARE(division.regions[size_t(region_of[i])].backend,
                                 verdicts.backends[size_t(backend)].name);
                }
            }
        }
    }

    void deepGraphsAreDividedWithoutRecursion() {
        std::string nodes;
        constexpr int kDepth = 200000;
        for (int i = 0; i < kDepth; ++i)
            nodes += (i ? "," : "") + node(i + 1 == kDepth ? "y" : "n" + std::to_string(i),
                                           i ? "\"n" + std::to_string(i - 1) + "\"" : "\"x\"");
        const Graph graph = read(with_nodes(nodes));
        const Division division = divided(graph, "components", taking(graph, "'n*'"));
        QCOMPARE(division.regions.size(), size_t(1));
        QVERIFY(check_division(graph, NodeLinks(graph), division).empty());
    }

    void manyCutsCostNoMoreThanTheirNodes_data() {
        QTest::addColumn<QString>("partitioner");
        QTest::addColumn<int>("backends");
        QTest::newRow("one of two nodes") << "components" << 1;
        QTest::newRow("two in turns") << "components" << 2;
        QTest::newRow("three in turns") << "components" << 3;
        QTest::newRow("ExecuTorch's") << "executorch-groups" << 1;
    }
    /// Each backend's nodes are neighbours over the next ones, and all wait for the first: of minutes, were the rest
    /// looked at after each cut.
    void manyCutsCostNoMoreThanTheirNodes() {
        QFETCH(const QString, partitioner);
        QFETCH(const int, backends);
        constexpr int kNodes = 60000;
        Graph graph;
        Verdicts verdicts;
        for (int i = 0; i < backends; ++i)
            verdicts.backends.push_back({"b" + std::to_string(i), std::vector<bool>(size_t(kNodes))});
        const int turn = std::max(backends, 2);
        for (int i = 0; i < kNodes; ++i) {
            PlainNode node;
            for (int from : {i - 1, i - turn, 0})
                if (from >= 0 && from < i) node.inputs.emplace_back(uint32_t(from));
            node.outputs.emplace_back(uint32_t(i));
            graph.nodes.push_back(node);
            graph.values.emplace_back().producer = NodeId(uint32_t(i));
            if (i % turn < backends) verdicts.backends[size_t(i % turn)].takes[size_t(i)] = true;
        }
        const Division division = divided(graph, qPrintable(partitioner), verdicts);
        QCOMPARE(division.regions.size(), size_t(kNodes / turn * backends));
        QVERIFY(check_division(graph, NodeLinks(graph), division).empty());
    }

    /// A quantized sum: what it reads is dequantized, its relu and its quantization go along though no rule takes them.
    /// Of sums that share what they read, one region.
    void xnnpackTakesAQuantizedOperatorWithWhatBelongsToIt() {
        const auto op = [](const std::string& name, const std::string& kind, const std::string& inputs) {
            return json("{'name': '" + name + "', 'op': '" + kind + "', 'inputs': [" + inputs + "], 'outputs': ['" +
                        name + "']}");
        };
        const std::string dequantize = "quantized_decomposed.dequantize_per_tensor.default",
                          quantize = "quantized_decomposed.quantize_per_tensor.default";
        const Graph graph =
            read(with_nodes(op("a", dequantize, "'x'") + "," + op("b", dequantize, "'x'") + "," +
                            op("sum", "aten.add.Tensor", "'a', 'b'") + "," + op("relu", "aten.relu.default", "'sum'") +
                            "," + op("q", quantize, "'relu'") + "," + op("y", "aten.sin.default", "'q'")));
        QCOMPARE(text_of(graph, divided(graph, "xnnpack-configs", taking(graph, "'sum'"))),
                 std::string("npu a b sum relu q (x -> q)"));
        constexpr int kSums = 20000;
        std::string nodes = op("d0", dequantize, "'x'");
        for (int i = 0; i < kSums; ++i) {
            const std::string from = "d" + std::to_string(i), q = "q" + std::to_string(i);
            nodes += "," + op("s" + std::to_string(i), "aten.add.Tensor", "'" + from + "', 'd0'") + "," +
                     op(q, quantize, "'s" + std::to_string(i) + "'") + "," +
                     op("d" + std::to_string(i + 1), dequantize, "'" + q + "'");
        }
        const Graph chain =
            read(with_nodes(nodes + "," + op("y", "aten.sin.default", "'d" + std::to_string(kSums) + "'")));
        Verdicts sums{{{"npu", std::vector<bool>(chain.nodes.size())}}};
        for (size_t i = 0; i < chain.nodes.size(); ++i)
            sums.backends[0].takes[i] = chain.nodes[i].op == "aten.add.Tensor";
        const Division division = divided(chain, "xnnpack-configs", sums);
        QCOMPARE(division.regions.size(), size_t(1));
        QCOMPARE(division.regions[0].nodes.size(), size_t(3 * kSums));
    }

    /// By whatever algorithm: half of a region is split off by hand.
    void whatAPersonKeepsApartStaysSo() {
        for (const Partitioner& partitioner : partitioners()) {
            if (!partitioner.asks_backends) continue;
            int split = 0;
            for (uint64_t seed = 1; seed <= 6; ++seed) {
                const auto module = std::make_shared<const Module>(*generate_graph(GraphKind::Random, 40, seed));
                FlowOptions options;
                options.backends = {*builtin_backend("dnnl_all"), *builtin_backend("ccompiler")};
                options.partitioner.name = partitioner.name;
                const Result<FlowResult> before = run_flow(module, options);
                if (!before) continue;  // some are played with their errors
                const auto largest = std::max_element(before->regions.begin(), before->regions.end(),
                                                      [](const RegionInfo& a, const RegionInfo& b) {
                                                          return a.expressions.size() < b.expressions.size();
                                                      });
                std::set<ExprId> half;
                for (size_t i = 0; i < largest->expressions.size(); i += 2) half.insert(largest->expressions[i]);
                for (ExprId id : half) options.region_groups[id] = 1;
                const Result<FlowResult> after = run_flow(module, options);
                QVERIFY2(bool(after), after ? "" : after.error().to_string().c_str());
                for (const RegionInfo& region : after->regions) {
                    size_t in_half = 0, calls = 0;
                    for (ExprId id : region.expressions) {
                        if (module->kind(id) != ExprKind::Call) continue;
                        ++calls;
                        in_half += half.count(id);
                    }
                    QVERIFY2(in_half == 0 || in_half == calls, std::string(partitioner.name).c_str());
                    split += in_half > 0;
                }
                for (const RegionPairExplanation& pair : FlowExplainer(*after, options.backends).explain_neighbours())
                    QVERIFY2(pair.kind != RegionPairExplanation::Kind::Unknown, std::string(partitioner.name).c_str());
            }
            QVERIFY2(split > 0, std::string(partitioner.name).c_str());
        }
    }

    void anUnknownOptionIsRefused() {
        const Graph graph = triangle();
        const NodeLinks links(graph);
        const Verdicts verdicts = taking(graph, "");
        const Result<Division> refused =
            run_partitioner(*find_partitioner("each"), {graph, links, verdicts, {{"size", "3"}}, {}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, std::string("the partitioner each has no option 'size'; it has none"));
    }
};

PARTITA_TEST(TestGraphDivision)

}  // namespace test_graph_division

#include "test_graph_division.moc"
