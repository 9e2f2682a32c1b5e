// Layout: both engines are correct on small graphs, and Layers is fast on large ones.
#include <QTest>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "engine/layout/graph_layout.h"
#include "tests/registry.h"

namespace test_layout {

using namespace partita;

namespace {

LayoutGraph chain(uint32_t count) {
    LayoutGraph graph;
    for (uint32_t i = 0; i < count; i++) {
        graph.nodes.push_back({80, 30, -1});
        if (i > 0) graph.edges.push_back({i - 1, i});
    }
    return graph;
}

/// Returns a graph in which each node takes two inputs from the `reach` nodes before it; every other run of 20
/// neighbours is a cluster.
LayoutGraph random_graph(uint32_t count, uint32_t reach, bool clusters) {
    LayoutGraph graph;
    std::mt19937 random(7);
    for (uint32_t i = 0; i < count; i++) {
        int32_t cluster = clusters && (i / 20) % 2 == 0 ? int32_t(i / 40) : -1;
        while (cluster >= int32_t(graph.clusters.size())) graph.clusters.push_back("region");
        graph.nodes.push_back({60 + double(i % 5) * 20, 30, cluster});
        for (int k = 0; k < 2 && i > 0; k++)
            graph.edges.push_back({i - 1 - uint32_t(random() % std::min(i, reach)), i});
    }
    return graph;
}

LayoutGraph diamond() {
    LayoutGraph graph = chain(2);
    graph.nodes.push_back({80, 30, -1});
    graph.nodes.push_back({80, 30, -1});
    graph.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    return graph;
}

LayoutResult must_lay_out(const LayoutGraph& graph, LayoutEngine engine) {
    Result<LayoutResult> result = lay_out(graph, engine, CancelToken());
    if (!result) qFatal("%s", result.error().message.c_str());
    return *result;
}

bool overlap(const LayoutGraph& graph, const LayoutResult& result, size_t a, size_t b) {
    double x = std::abs(result.nodes[a].x - result.nodes[b].x), y = std::abs(result.nodes[a].y - result.nodes[b].y);
    return x < (graph.nodes[a].width + graph.nodes[b].width) / 2 - 0.01 &&
           y < (graph.nodes[a].height + graph.nodes[b].height) / 2 - 0.01;
}

/// Returns processor time, which other programs hardly affect.
double seconds_of(const LayoutGraph& graph, LayoutEngine engine) {
    auto start = std::clock();
    must_lay_out(graph, engine);
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

/// Returns a layout as text, in tenths of a point: two numbers for each node, four for each cluster, the first and last
/// point of each edge.
QString text_of(const LayoutResult& result) {
    QString text = QString("size %1 %2\n").arg(result.width, 0, 'f', 1).arg(result.height, 0, 'f', 1);
    auto add = [&](const char* what, std::initializer_list<double> numbers) {
        text += what;
        for (double number : numbers) text += " " + QString::number(number + 0.0, 'f', 1);
        text += "\n";
    };
    for (const LayoutPoint& node : result.nodes) add("node", {node.x, node.y});
    for (const LayoutBox& box : result.clusters) add("cluster", {box.left, box.top, box.right, box.bottom});
    for (const auto& edge : result.edges) {
        add("edge", {});
        for (const LayoutPoint& point : edge) add(" ", {point.x, point.y});
    }
    return text.replace("-0.0", "0.0");
}

class TestLayout : public QObject {
    Q_OBJECT

private slots:
    /// tests/golden/layers-layout.txt: `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_layout` updates it.
    void layersPlacesAsTheFileSays() {
        QString text;
        for (bool clusters : {false, true})
            text += text_of(must_lay_out(random_graph(60, 12, clusters), LayoutEngine::Layers));
        LayoutGraph loops = diamond();  // reversed edges, loops, repeated edges, and an isolated node
        loops.nodes.push_back({40, 50, -1});
        loops.edges.insert(loops.edges.end(), {{3, 0}, {1, 1}, {0, 1}});
        text += text_of(must_lay_out(loops, LayoutEngine::Layers));
        QFile file(PARTITA_SOURCE_DIR "/tests/golden/layers-layout.txt");
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN") && file.open(QIODevice::WriteOnly)) {
            file.write(text.toUtf8());
            return;
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList now = text.split('\n'), known = QString::fromUtf8(file.readAll()).split('\n');
        QCOMPARE(now.size(), known.size());
        for (qsizetype i = 0; i < now.size(); ++i) QCOMPARE(now[i], known[i]);
    }

    void nothingIsPlacedOutsideThePicture() {
        for (LayoutEngine engine : {LayoutEngine::Dot, LayoutEngine::Layers}) {
            LayoutGraph graph = random_graph(120, 15, true);
            LayoutResult result = must_lay_out(graph, engine);
            for (size_t i = 0; i < graph.nodes.size(); ++i) {
                const LayoutPoint& place = result.nodes[i];
                const double across = graph.nodes[i].width / 2, down = graph.nodes[i].height / 2;
                QVERIFY(place.x >= across - 0.01 && place.x <= result.width - across + 0.01);
                QVERIFY(place.y >= down - 0.01 && place.y <= result.height - down + 0.01);
                if (graph.nodes[i].cluster < 0) continue;
                const LayoutBox& box = result.clusters[size_t(graph.nodes[i].cluster)];
                QVERIFY(place.x - across >= box.left && place.x + across <= box.right);
                QVERIFY(place.y - down >= box.top && place.y + down <= box.bottom);
            }
        }
    }

    void usersStandBelowTheirInputs_data() { engines(); }
    void usersStandBelowTheirInputs() {
        QFETCH(int, engine);
        for (const LayoutGraph& graph : {chain(5), diamond(), random_graph(60, 10, true)}) {
            LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
            for (const LayoutEdge& edge : graph.edges) QVERIFY(result.nodes[edge.from].y < result.nodes[edge.to].y);
        }
    }

    void nodesDoNotOverlap_data() { engines(); }
    void nodesDoNotOverlap() {
        QFETCH(int, engine);
        LayoutGraph graph = random_graph(120, 12, true);
        LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
        for (size_t a = 0; a < graph.nodes.size(); a++) {
            for (size_t b = 0; b < a; b++)
                QVERIFY2(!overlap(graph, result, a, b), qPrintable(QString("%1 and %2").arg(a).arg(b)));
        }
    }

    void everythingLiesInsideThePicture_data() { engines(); }
    void everythingLiesInsideThePicture() {
        QFETCH(int, engine);
        LayoutGraph graph = random_graph(100, 12, true);
        LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
        for (size_t i = 0; i < graph.nodes.size(); i++) {
            QVERIFY(result.nodes[i].x - graph.nodes[i].width / 2 >= -0.5);
            QVERIFY(result.nodes[i].x + graph.nodes[i].width / 2 <= result.width + 0.5);
            QVERIFY(result.nodes[i].y - graph.nodes[i].height / 2 >= -0.5);
            QVERIFY(result.nodes[i].y + graph.nodes[i].height / 2 <= result.height + 0.5);
        }
    }

    void edgesAreCurvesFromTheirInputToTheirUser_data() { engines(); }
    void edgesAreCurvesFromTheirInputToTheirUser() {
        QFETCH(int, engine);
        LayoutGraph graph = random_graph(60, 30, false);
        LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
        for (size_t i = 0; i < graph.edges.size(); i++) {
            const auto& curve = result.edges[i];
            QVERIFY(curve.size() >= 4);
            QCOMPARE(curve.size() % 3, size_t(1));
            const LayoutPoint& from = result.nodes[graph.edges[i].from];
            const LayoutPoint& to = result.nodes[graph.edges[i].to];
            QVERIFY(std::abs(curve.front().y - from.y) <= 16 && std::abs(curve.front().x - from.x) <= 71);
            QVERIFY(std::abs(curve.back().y - to.y) <= 16 && std::abs(curve.back().x - to.x) <= 71);
        }
    }

    void aClustersBoxHoldsItsNodesAndNoOthers_data() { engines(); }
    void aClustersBoxHoldsItsNodesAndNoOthers() {
        QFETCH(int, engine);
        LayoutGraph graph = random_graph(160, 30, true);
        LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
        QCOMPARE(result.clusters.size(), graph.clusters.size());
        for (size_t c = 0; c < graph.clusters.size(); c++) {
            const LayoutBox& box = result.clusters[c];
            for (size_t i = 0; i < graph.nodes.size(); i++) {
                const LayoutPoint& place = result.nodes[i];
                bool inside = place.x > box.left && place.x < box.right && place.y > box.top && place.y < box.bottom;
                QCOMPARE(inside, graph.nodes[i].cluster == int32_t(c));
            }
        }
    }

    void aChainIsStraight() {
        LayoutResult result = must_lay_out(chain(1000), LayoutEngine::Layers);
        for (const LayoutPoint& place : result.nodes) QVERIFY(std::abs(place.x - result.nodes[0].x) < 0.01);
    }

    /// A network that computes with its weights: a spine, and beside each of its nodes three that lead to it only.
    /// The longest edges have no bends if these would be more than 1000 and twice the nodes and edges.
    void bendsAreBounded() {
        for (const auto& [beside, bent] : {std::pair(98u, true), std::pair(99u, false)}) {
            LayoutGraph graph = chain(20);
            for (uint32_t node = 20; node < 20 + beside; ++node) {
                graph.nodes.push_back({80, 30, -1});
                graph.edges.insert(graph.edges.end(), {{0, node}, {node, 19}});
            }
            const LayoutResult result = must_lay_out(graph, LayoutEngine::Layers);
            QCOMPARE(result.edges.back().size() > 4, bent);
        }
    }

    /// As a decoder's mask, which each of its layers uses.
    void theEdgesOfAValueWithManyUsersAreOneLine() {
        LayoutGraph graph = chain(30);
        graph.nodes.push_back({80, 30, -1});
        graph.edges.push_back({0, 30});
        for (uint32_t user = 5; user < 30; ++user) graph.edges.push_back({30, user});
        const LayoutResult result = must_lay_out(graph, LayoutEngine::Layers);
        std::map<int, std::set<int>> places;  // across, by row
        for (size_t i = 0; i < graph.edges.size(); ++i)
            for (size_t k = 3; graph.edges[i].from == 30 && k + 3 < result.edges[i].size(); k += 3)
                places[int(std::lround(result.edges[i][k].y))].insert(int(std::lround(result.edges[i][k].x)));
        QVERIFY(places.size() > 20);
        for (const auto& [row, across] : places) QCOMPARE(across.size(), size_t(1));
    }

    void whatLeadsToOneNodeAloneStandsBesideIt() {
        constexpr uint32_t kSpine = 120;
        LayoutGraph graph = chain(kSpine);
        for (uint32_t user = 1; user < kSpine; user++) {
            const uint32_t first = uint32_t(graph.nodes.size());
            for (int i = 0; i < 3; i++) graph.nodes.push_back({80, 30, -1});
            graph.edges.insert(graph.edges.end(),
                               {{first, first + 1}, {first, first + 2}, {first + 1, first + 2}, {first + 2, user}});
        }
        LayoutResult result = must_lay_out(graph, LayoutEngine::Layers);
        for (uint32_t user = 4; user < kSpine; user++) {
            const double away = result.nodes[user].y - result.nodes[kSpine + 3 * (user - 1)].y;
            QVERIFY2(away > 0 && away < 4 * 65, qPrintable(QStringLiteral("%1: %2").arg(user).arg(away)));
        }
        QVERIFY2(result.width < 10 * 100, qPrintable(QString::number(result.width)));
    }

    void cyclesAndLoopsAreLaidOutToo_data() { engines(); }
    void cyclesAndLoopsAreLaidOutToo() {
        QFETCH(int, engine);
        LayoutGraph graph = chain(3);
        graph.edges.push_back({2, 0});
        graph.edges.push_back({1, 1});
        graph.edges.push_back({0, 1});
        LayoutResult result = must_lay_out(graph, LayoutEngine(engine));
        for (const auto& curve : result.edges) QVERIFY(curve.size() >= 4);
    }

    void nothingAndSingleNodesAreLaidOut() {
        for (LayoutEngine engine : {LayoutEngine::Dot, LayoutEngine::Layers, LayoutEngine::Auto}) {
            QCOMPARE(must_lay_out(LayoutGraph(), engine).nodes.size(), size_t(0));
            QCOMPARE(must_lay_out(chain(1), engine).nodes.size(), size_t(1));
        }
    }

    void hostileLabelsAreOnlyLength() {
        LayoutGraph graph = chain(2);
        graph.clusters = {"<table>\\N\"];\n%s", std::string(10000000, 'x'), "empty"};
        graph.nodes[0].cluster = 0;
        graph.nodes[1].cluster = 1;
        QVERIFY(must_lay_out(graph, LayoutEngine::Dot).width < 1000);
    }

    void badIndicesAreRefused() {
        LayoutGraph graph = chain(2);
        graph.edges.push_back({0, 2});
        QVERIFY(!lay_out(graph, LayoutEngine::Layers, CancelToken()));
        graph.edges.pop_back();
        graph.nodes[0].cluster = 0;
        QVERIFY(!lay_out(graph, LayoutEngine::Dot, CancelToken()));
    }

    void cancelReturnsAtOnceWhileDotIsBusy() {
        LayoutGraph graph = random_graph(1500, 200, false);
        CancelToken cancel;
        std::thread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            cancel.cancel();
        });
        auto start = std::chrono::steady_clock::now();
        Result<LayoutResult> result = lay_out(graph, LayoutEngine::Dot, cancel);
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        canceller.join();
        QVERIFY(!result);
        QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));
    }

    void layersIsNearLinear_data() {
        QTest::addColumn<int>("reach");
        QTest::newRow("short edges") << 100;
        QTest::newRow("long edges") << 1000000;
    }
    void layersIsNearLinear() {
        QFETCH(int, reach);
        constexpr int kSmall = 3000, kLarge = 30000;
        auto seconds = [&](int nodes) {
            LayoutGraph graph = random_graph(uint32_t(nodes), uint32_t(std::min(nodes, reach)), false);
            double best = seconds_of(graph, LayoutEngine::Layers);
            for (int i = 0; i < 2; ++i) best = std::min(best, seconds_of(graph, LayoutEngine::Layers));
            return best;
        };
        double small = seconds(kSmall), large = seconds(kLarge);
        qInfo("%d nodes: %.3f s, %d nodes: %.3f s", kSmall, small, kLarge, large);
        // Quadratic would be 100 times.
        QVERIFY2(large < 50 * small, qPrintable(QString::number(large / small)));
    }

private:
    static void engines() {
        QTest::addColumn<int>("engine");
        QTest::newRow("dot") << int(LayoutEngine::Dot);
        QTest::newRow("layers") << int(LayoutEngine::Layers);
    }
};

PARTITA_TEST(TestLayout)

}  // namespace test_layout

#include "test_layout.moc"
