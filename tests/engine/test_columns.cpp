// Long pictures in columns: what is put where, and that edges follow.
#include <map>
#include <set>

#include <QtTest>

#include "engine/layout/columns.h"
#include "tests/registry.h"

namespace test_columns {

using namespace partita;

namespace {

LayoutGraph chain(uint32_t length) {
    LayoutGraph graph;
    for (uint32_t i = 0; i < length; ++i) {
        graph.nodes.push_back({120, 46, -1});
        if (i > 0) graph.edges.push_back({i - 1, i});
    }
    return graph;
}

LayoutResult laid_out(const LayoutGraph& graph) {
    Result<LayoutResult> layout = lay_out(graph, LayoutEngine::Layers, CancelToken());
    if (!layout) qFatal("%s", layout.error().to_string().c_str());
    return *layout;
}

double scale_of(const LayoutResult& layout) { return std::min(740 / layout.width, 400 / layout.height); }

}  // namespace

class TestColumns : public QObject {
    Q_OBJECT

private slots:
    /// As in a decoder: masks and angles come from outside, and what is cached leaves each layer for the end.
    void layersThatShareValuesStandInColumns() {
        constexpr uint32_t kShared = 4, kLayers = 16, kPerLayer = 6;
        LayoutGraph graph;
        const auto add = [&graph] {
            graph.nodes.push_back({120, 46, -1});
            return uint32_t(graph.nodes.size() - 1);
        };
        for (uint32_t i = 0; i < kShared; ++i) add();
        uint32_t last = add();
        std::vector<uint32_t> cached;
        for (uint32_t layer = 0; layer < kLayers; ++layer)
            for (uint32_t i = 0; i < kPerLayer; ++i) {
                const uint32_t node = add();
                graph.edges.push_back({last, node});
                if (i == 1) cached.push_back(node);
                if (i == 2)
                    for (uint32_t shared = 0; shared < kShared; ++shared) graph.edges.push_back({shared, node});
                last = node;
            }
        const uint32_t end = add();
        graph.edges.push_back({last, end});
        for (uint32_t node : cached) graph.edges.push_back({node, end});
        LayoutResult layout = laid_out(graph);
        const double before = scale_of(layout);
        QVERIFY(put_in_columns(graph, layout, 740, 400, 0.55));
        QVERIFY2(scale_of(layout) > 1.5 * before, qPrintable(QString::number(scale_of(layout) / before)));
    }

    void aLongChainStandsInColumnsThatCanBeRead() {
        const LayoutGraph graph = chain(20);
        LayoutResult layout = laid_out(graph);
        const double before = scale_of(layout);
        put_in_columns(graph, layout, 740, 400, 0.55);
        QVERIFY2(scale_of(layout) > 0.55 && scale_of(layout) > 1.5 * before,
                 qPrintable(QString::number(scale_of(layout))));
        for (size_t i = 0; i < graph.nodes.size(); ++i) {
            const LayoutPoint& place = layout.nodes[i];
            QVERIFY(place.x - 60 > -1 && place.x + 60 < layout.width + 1);
            QVERIFY(place.y - 23 > -1 && place.y + 23 < layout.height + 1);
            for (size_t k = 0; k < i; ++k)
                QVERIFY(std::abs(place.x - layout.nodes[k].x) >= 120 || std::abs(place.y - layout.nodes[k].y) >= 46);
            if (i > 0) QVERIFY(place.x > layout.nodes[i - 1].x || place.y > layout.nodes[i - 1].y);  // read in order
        }
        for (size_t i = 0; i < graph.edges.size(); ++i) {
            const std::vector<LayoutPoint>& points = layout.edges[i];
            QCOMPARE(points.size() % 3, size_t(1));
            const LayoutPoint &from = layout.nodes[graph.edges[i].from], &to = layout.nodes[graph.edges[i].to];
            QVERIFY(std::abs(points.front().x - from.x) < 61 && std::abs(points.front().y - from.y) < 24);
            QVERIFY(std::abs(points.back().x - to.x) < 61 && std::abs(points.back().y - to.y) < 24);
        }
    }

    void whatCanBeReadStays() {
        const LayoutGraph graph = chain(6);
        LayoutResult layout = laid_out(graph);
        const double height = layout.height;
        put_in_columns(graph, layout, 740, 400, 0.55);
        QCOMPARE(layout.height, height);
    }

    /// Four values all along: there is no place to cut.
    void manyValuesAreNotCut() {
        LayoutGraph graph = chain(20);
        for (uint32_t i = 0; i < 3; ++i) {
            graph.nodes.push_back({120, 46, -1});
            graph.edges.push_back({20 + i, 1});
            graph.edges.push_back({20 + i, 19});
        }
        LayoutResult layout = laid_out(graph);
        const double height = layout.height;
        put_in_columns(graph, layout, 740, 400, 0.55);
        QCOMPARE(layout.height, height);
    }

    void aClusterIsNotCut() {
        LayoutGraph graph = chain(20);
        graph.clusters = {"inner"};
        for (int i = 4; i < 9; ++i) graph.nodes[size_t(i)].cluster = 0;
        LayoutResult layout = laid_out(graph);
        put_in_columns(graph, layout, 740, 400, 0.55);
        const LayoutBox& box = layout.clusters[0];
        for (size_t i = 0; i < graph.nodes.size(); ++i) {
            const LayoutPoint& place = layout.nodes[i];
            const bool inside = place.x > box.left && place.x < box.right && place.y > box.top && place.y < box.bottom;
            QCOMPARE(inside, graph.nodes[i].cluster == 0);
        }
    }

    /// A cluster that may be cut has a box in each column, round its nodes there.
    void anOpenedGroupStandsInColumns() {
        LayoutGraph graph = chain(20);
        graph.clusters = {"opened"};
        for (LayoutNode& node : graph.nodes) node.cluster = 0;
        LayoutResult layout = laid_out(graph);
        QVERIFY(!put_in_columns(graph, layout, 740, 400, 0.55));
        QVERIFY(put_in_columns(graph, layout, 740, 400, 0.55, 0));
        QVERIFY(!layout.more_boxes.empty());
        std::vector<LayoutBox> boxes = layout.clusters;
        for (const auto& [cluster, box] : layout.more_boxes) boxes.push_back(box);
        for (const LayoutPoint& place : layout.nodes)
            QCOMPARE(std::count_if(boxes.begin(), boxes.end(),
                                   [&place](const LayoutBox& box) {
                                       return place.x > box.left && place.x < box.right && place.y > box.top &&
                                              place.y < box.bottom;
                                   }),
                     ptrdiff_t(1));
    }

    /// A value that all use passes between the columns as one line, and no other value on the same one.
    void linesBetweenColumnsAreEachOfOneValue() {
        LayoutGraph graph = chain(20);
        graph.nodes.push_back({120, 46, -1});
        for (uint32_t i = 2; i < 20; ++i) graph.edges.push_back({20, i});
        LayoutResult layout = laid_out(graph);
        QVERIFY(put_in_columns(graph, layout, 740, 400, 0.9));
        std::map<int, std::set<uint32_t>> values_at;  // by the place across of what goes up between columns
        for (size_t i = 0; i < graph.edges.size(); ++i) {
            const std::vector<LayoutPoint>& points = layout.edges[i];
            for (size_t k = 3; k < points.size(); k += 3)
                if (points[k].y < points[k - 3].y - 60 && std::abs(points[k].x - points[k - 3].x) < 0.01)
                    values_at[int(std::lround(points[k].x))].insert(graph.edges[i].from);
        }
        QVERIFY(values_at.size() >= 4);
        for (const auto& [x, values] : values_at) QCOMPARE(values.size(), size_t(1));
    }

    void nothingHasNoColumns() {
        LayoutResult layout;
        put_in_columns({}, layout, 740, 400, 0.55);
        QVERIFY(layout.nodes.empty());
    }
};

PARTITA_TEST(TestColumns)

}  // namespace test_columns

#include "test_columns.moc"
