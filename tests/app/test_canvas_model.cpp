// The canvas without a window: graph model, search, decoration, spatial index, layers of marks.
#include <QtTest>

#include <QImage>
#include <QPainter>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_model.h"
#include "app/gui/canvas/graph_painter.h"
#include "app/gui/canvas/graph_paper.h"
#include "app/gui/canvas/graph_picture.h"
#include "app/gui/canvas/graph_search.h"
#include "app/gui/canvas/layout_move.h"
#include "engine/layout/graph_layout.h"
#include "engine/ops/registry.h"
#include "engine/session/session.h"
#include "tests/app/own_fonts.h"
#include "tests/registry.h"

namespace test_canvas_model {

using namespace partita;

namespace {

ModulePtr read(const char* text) {
    Result<OpenedModule> opened = open_text(text, "test");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

const char* const kResidual = R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32]) {
  %0 = nn.conv2d(%data, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.relu(%0);
  add(%1, %data)
}
)";

GraphModelPtr model_of(const ModulePtr& module, const GraphModelOptions& options = {}) {
    return build_graph_model(module, module->find_function("main"), options);
}

QStringList titles(const GraphModel& model) {
    QStringList list;
    for (const GraphNode& node : model.nodes) list << node.title;
    return list;
}

const Theme& light() {
    static const Theme theme = make_theme(false, PaletteChoice::OkabeIto);
    return theme;
}

/// A part of a picture, one pixel for each unit of the graph unless `options` says otherwise.
QImage painted(const GraphModel& model, const GraphGeometry& geometry, const GraphDecoration& decoration,
               const QRectF& part, PaintOptions options = {}) {
    options.exposed = part;
    QImage image((part.size() * options.scale).toSize(), QImage::Format_RGB32);
    image.fill(light().canvas);
    QPainter painter(&image);
    painter.scale(options.scale, options.scale);
    painter.translate(-part.topLeft());
    paint_graph(painter, model, geometry, decoration, PaintMarks(), light(), options);
    return image;
}

int count(const QImage& image, const QRectF& where, const std::function<bool(const QColor&)>& wanted) {
    int pixels = 0;
    const QRect inside = where.toRect() & image.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x) pixels += wanted(image.pixelColor(x, y));
    return pixels;
}

GraphGeometry laid_out(const GraphModel& model, const GraphDecoration& decoration) {
    Result<LayoutResult> made = lay_out(layout_graph(model, decoration), LayoutEngine::Auto, CancelToken());
    if (!made) qFatal("%s", made.error().to_string().c_str());
    return geometry_of(model, *made, decoration.regions.size());
}

}  // namespace

class TestCanvasModel : public QObject {
    Q_OBJECT

private slots:
    void regionsAreTheSameIfTheirNodesAndNamesAre() {
        GraphDecoration one;
        one.region = {0, 0, 1};
        one.regions.resize(2);
        one.regions[0].label = "a";
        one.regions[1].label = "b";
        GraphDecoration other = one;
        QVERIFY(same_regions(one, other));
        other.region[1] = 1;
        QVERIFY(!same_regions(one, other));
        other = one;
        other.regions[1].label = "c";
        QVERIFY(!same_regions(one, other));
        other = one;
        other.regions.emplace_back();
        QVERIFY(!same_regions(one, other) && !same_regions(other, one));
    }

    /// Nodes leave their old places at once, and nothing moves at the end.
    void nodesMoveToTheirNewPlaces() {
        const GraphModelPtr model = model_of(read(kResidual));
        auto geometry = std::make_shared<GraphGeometry>();
        geometry->nodes.assign(model->nodes.size(), QRectF(100, 100, 10, 10));
        int changes = 0;
        LayoutMove move(nullptr, [&changes] { ++changes; });
        QVERIFY(!move.isMoving());
        move.begin(model, geometry, std::vector<QRectF>(model->nodes.size(), QRectF(0, 0, 10, 10)));
        QVERIFY(move.isMoving());
        move.setCurrentTime(move.duration() / 2);
        QVERIFY(move.geometry() && changes > 0);
        QCOMPARE(move.geometry()->nodes[0].center(), QPointF(55, 55));
        move.end();
        QVERIFY(!move.isMoving());
    }

    void weightsAreFoldedIntoTheirUsers() {
        const ModulePtr module = read(kResidual);
        QCOMPARE(titles(*model_of(module)), (QStringList{"%data", "nn.conv2d", "nn.relu", "add"}));
        GraphModelOptions all;
        all.show_weights = true;
        QVERIFY(titles(*model_of(module, all)).contains("%w"));
        // Of many parameters all but the first operands are weights, whatever they are called.
        QByteArray parameters = "%x: Tensor[(2), float32]", body;
        for (int i = 0; i < 8; ++i) {
            const QByteArray n = QByteArray::number(i), before = i ? "%" + QByteArray::number(i - 1) : "%x";
            parameters += ", %p" + n + ": Tensor[(2), float32]";
            body += "  %" + n + " = add(" + before + ", %p" + n + ");\n";
        }
        const QByteArray text = "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + body + "  tanh(%7)\n}\n";
        QCOMPARE(titles(*model_of(read(text))), QStringList{"%x"} + QStringList(8, "add") + QStringList{"tanh"});
    }

    /// An operator that was taken out may still be in the module.
    void whatIsNotShownMakesNoWeightDataThatIsSeen() {
        Module module = *read(kResidual);
        const ExprId main = module.find_function("main"), sum = module.body(main);
        const std::vector<ExprId> parameters(module.parameters(main).begin(), module.parameters(main).end());
        const auto call = [&module](const char* op, ExprId of) {
            return module.add_call(module.add_op(op_registry().find(op)), {of}, AttributesId(), module.type(of));
        };
        call("exp", parameters[1]);
        module.set_function("main", module.add_function(parameters, call("tanh", sum), FunctionInfo{}, TypeId()));
        const GraphModelPtr model = model_of(std::make_shared<const Module>(std::move(module)));
        QCOMPARE(titles(*model), (QStringList{"%data", "nn.conv2d", "nn.relu", "add", "tanh"}));
    }

    void edgesFollowDataFromOperandToUser() {
        const GraphModelPtr model = model_of(read(kResidual));
        std::vector<std::pair<QString, QString>> edges;
        for (const GraphEdge& edge : model->edges)
            edges.push_back({model->nodes[edge.from].title, model->nodes[edge.to].title});
        const std::vector<std::pair<QString, QString>> expected = {
            {"%data", "nn.conv2d"}, {"nn.conv2d", "nn.relu"}, {"nn.relu", "add"}, {"%data", "add"}};
        QCOMPARE(edges, expected);
        QCOMPARE(model->outgoing(0).size(), size_t(2));
        QCOMPARE(model->incoming(3).size(), size_t(2));
        QVERIFY(model->nodes[3].is_output);
    }

    void nodeTextSaysAttributesAndType() {
        const GraphModelPtr model = model_of(read(kResidual));
        QCOMPARE(model->nodes[1].type, QStringLiteral("1x4x8x8 f32"));
        QVERIFY2(model->nodes[1].detail.contains("kernel 3x3"), qPrintable(model->nodes[1].detail));
        QVERIFY2(model->nodes[1].detail.contains("pad 1"), qPrintable(model->nodes[1].detail));
    }

    void letBoundNamesStandForTheirValues() {
        const GraphModelPtr model = model_of(read(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  let %a = exp(%x);
  let %b = add(%a, %x);
  tanh(%b)
}
)"));
        QCOMPARE(titles(*model), (QStringList{"%x", "exp", "add", "tanh"}));
        QCOMPARE(model->edges.size(), size_t(4));
    }

    void searchJoinsTermsAndKnowsWildcardsAndNegation() {
        const GraphModelPtr model = model_of(read(kResidual));
        GraphDecoration decoration;
        decoration.backend = {-2, 0, -1, -1};
        decoration.region = {-1, -1, -1, -1};
        decoration.backend_names = QStringList{"dnnl"};
        const auto found = [&](const char* query) {
            return search_graph(QString::fromLatin1(query), *model, decoration);
        };
        QCOMPARE(found("op:nn.*"), (std::vector<uint32_t>{1, 2}));
        QCOMPARE(found("op:nn.* backend:default"), (std::vector<uint32_t>{2}));
        QCOMPARE(found("shape:*x8x8 -op:add -op:nn.relu"), (std::vector<uint32_t>{0, 1}));
        QCOMPARE(found("attr:kernel"), (std::vector<uint32_t>{1}));
        QCOMPARE(found("type:float32"), found("type:f32"));
        QVERIFY(!found("type:float32").empty());
        QCOMPARE(found("data"), (std::vector<uint32_t>{0}));
        QVERIFY(found("").empty());
        QVERIFY(found("op:(").empty());
        QCOMPARE(found("op:/^nn\\.(relu|conv2d)$/"), (std::vector<uint32_t>{1, 2}));
        QCOMPARE(found("/^add$/"), (std::vector<uint32_t>{3}));
        QCOMPARE(found("attr:/kernel .x./ -op:add"), (std::vector<uint32_t>{1}));  // with a space in it
        QVERIFY(found("op:/(/").empty());
        QCOMPARE(unreadable_search_word("op:add op:/(/"), QStringLiteral("op:/(/"));
        QCOMPARE(found("flops:>1k"), (std::vector<uint32_t>{1}));
        QCOMPARE(found("flops:256"), (std::vector<uint32_t>{2, 3}));
        QCOMPARE(found("flops:1..300"), (std::vector<uint32_t>{2, 3}));
        QCOMPARE(found("bytes:<1"), (std::vector<uint32_t>{}));
        QCOMPARE(found("bytes:>=1024"), (std::vector<uint32_t>{0, 1, 2, 3}));
        QCOMPARE(unreadable_search_word("flops:>much"), QStringLiteral("flops:>much"));
        QCOMPARE(unknown_search_key("op:add -colour:red"), QStringLiteral("colour"));
        QCOMPARE(unknown_search_key("OP:add shape:1x3 vendor.x:y"), QString());
    }

    void spatialIndexFindsExactlyWhatABruteForceFinds() {
        std::vector<QRectF> boxes;
        for (int i = 0; i < 500; ++i)
            boxes.push_back(QRectF((i * 37) % 1000, (i * 91) % 3000, 20 + i % 50, 10 + i % 30));
        const SpatialIndex index(boxes);
        for (int i = 0; i < 100; ++i) {
            const QRectF area((i * 53) % 1100 - 50, (i * 131) % 3200 - 100, 1 + i * 3 % 200, 1 + i * 7 % 300);
            std::vector<uint32_t> found;
            index.query(area, found);
            for (uint32_t k = 0; k < boxes.size(); ++k) {
                const bool listed = std::binary_search(found.begin(), found.end(), k);
                if (boxes[k].intersects(area)) QVERIFY(listed);
            }
        }
        std::vector<uint32_t> none;
        SpatialIndex().query(QRectF(0, 0, 10, 10), none);
        QVERIFY(none.empty());
    }

    void decorationShowsOverridesBeforeTheFlowAnswers() {
        const ModulePtr module = read(kResidual);
        const GraphModelPtr model = model_of(module);
        DecorationInput input;
        input.backends = {"a", "b"};
        input.overrides = HandPlacement({{model->nodes[2].expr, "b"}});
        const GraphDecoration decoration = decorate_graph(*model, input);
        QCOMPARE(decoration.backend, (std::vector<int16_t>{-2, -1, 1, -1}));
        QCOMPARE(int(decoration.overridden[2]), 1);
    }

    void whatIsKeptOnDefaultByHandHasABadge() {
        const GraphModelPtr model = model_of(read(kResidual));
        const auto badge = [&](const HandPlacement& overrides) {
            DecorationInput input;
            input.overrides = overrides;
            const GraphDecoration decoration = decorate_graph(*model, input);
            const GraphGeometry geometry = laid_out(*model, decoration);
            const QRectF box = geometry.nodes[2].translated(-geometry.bounds.topLeft());
            const QRgb wanted = light().backend_colours(-1).strong.rgb();
            return count(painted(*model, geometry, decoration, geometry.bounds), box.adjusted(-12, -8, 12, 8),
                         [wanted](const QColor& colour) { return colour.rgb() == wanted; });
        };
        QVERIFY(badge(HandPlacement({{model->nodes[2].expr, "default"}})) > badge(HandPlacement()) + 100);
    }

    void aRefusedEdgeIsSeenWholeWhateverIsSelected() {
        const GraphModelPtr model = model_of(read(kResidual));
        GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        decoration.refused_edge.assign(model->edges.size(), 1);
        const GraphGeometry geometry = laid_out(*model, decoration);
        const auto red = [&](const PaintMarks& marks) {
            QImage image(geometry.bounds.size().toSize(), QImage::Format_RGB32);
            image.fill(light().canvas);
            QPainter painter(&image);
            painter.translate(-geometry.bounds.topLeft());
            PaintOptions options;
            options.exposed = geometry.bounds;
            paint_graph(painter, *model, geometry, decoration, marks, light(), options);
            painter.end();
            return count(image, image.rect(),
                         [](const QColor& colour) { return colour.rgb() == light().refused.rgb(); });
        };
        PaintMarks all;
        all.selected.assign(model->nodes.size(), 1);
        QVERIFY(red({}) > 100);
        QCOMPARE(red(all), red({}));
    }

    /// Far away edges are lines, and those of refused merges are still told from others.
    void aRefusedEdgeIsSeenFromFarAway() {
        const GraphModelPtr model = model_of(read(kResidual));
        GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        const GraphGeometry geometry = laid_out(*model, decoration);
        const auto red = [&](uint8_t refused) {
            decoration.refused_edge.assign(model->edges.size(), refused);
            QImage image(geometry.bounds.size().toSize(), QImage::Format_RGB32);
            image.fill(light().canvas);
            QPainter painter(&image);
            painter.translate(-geometry.bounds.topLeft());
            PaintOptions options;
            options.exposed = geometry.bounds;
            options.scale = 0.02;
            paint_graph(painter, *model, geometry, decoration, {}, light(), options);
            painter.end();
            return count(image, image.rect(),
                         [](const QColor& colour) { return colour.rgb() == light().refused.rgb(); });
        };
        QCOMPARE(red(0), 0);
        QVERIFY2(red(1) > 100, qPrintable(QString::number(red(1))));
    }

    /// An entry that is wider than the page stands on the first line.
    void theLegendHasOneLineForOneEntry() {
        GraphPaper paper;
        auto decoration = std::make_shared<GraphDecoration>();
        decoration->tints = {QStringLiteral("op:nn.conv2d")};
        paper.decoration = decoration;
        QCOMPARE(paper.headingHeight(1), paper.headingHeight(1000));
        decoration->tints << QStringLiteral("op:add");
        QVERIFY(paper.headingHeight(1) > paper.headingHeight(1000));
    }

    void edgesAreDrawnAlongTheirCurves() {
        const GraphModelPtr model = model_of(read(kResidual));
        const GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        const auto check = [&](const GraphGeometry& geometry, const QRectF& part) {
            const QImage picture = painted(*model, geometry, decoration, part);
            int checked = 0;
            for (const std::vector<QPointF>& curve : geometry.edges)
                for (size_t i = 0; i + 3 < curve.size(); i += 3)
                    for (int sample = 1; sample < 200; ++sample) {
                        const QPointF point = curve_point(&curve[i], sample / 200.0);
                        const bool covered =
                            std::any_of(geometry.nodes.begin(), geometry.nodes.end(),
                                        [&](const QRectF& box) { return box.adjusted(-2, -2, 2, 2).contains(point); });
                        if (covered || !part.adjusted(2, 2, -2, -2).contains(point)) continue;
                        const QRectF around = QRectF(-1, -1, 2, 2).translated(point - part.topLeft());
                        QVERIFY2(count(picture, around, [](const QColor& colour) { return colour != light().canvas; }),
                                 qPrintable(QStringLiteral("%1 %2").arg(point.x()).arg(point.y())));
                        ++checked;
                    }
            QVERIFY2(checked >= 10, qPrintable(QString::number(checked)));
        };
        GraphGeometry geometry = laid_out(*model, decoration);
        check(geometry, geometry.bounds);
        // Of a very long one no more is drawn than what is seen.
        geometry.edges.back() = {{950, 100}, {950, 4000}, {1250, 6000}, {1250, 10100}};
        geometry.rebuild_index();
        for (const double top : {150.0, 4900.0, 9000.0}) check(geometry, QRectF(900, top, 400, 900));
        // And of one that leaves what is seen and comes back.
        geometry.edges.back() = {{1000, 3000}, {960, 3000}, {910, 3000}, {850, 3000}, {850, 3100},
                                 {850, 3150},  {850, 3200}, {910, 3200}, {960, 3200}, {1000, 3200}};
        geometry.rebuild_index();
        check(geometry, QRectF(900, 2900, 200, 400));
    }

    void edgesThatTheLayoutLeavesOutAreStraight() {
        const GraphModelPtr model = model_of(read(kResidual));
        Result<LayoutResult> layout =
            lay_out(layout_graph(*model, GraphDecoration()), LayoutEngine::Auto, CancelToken());
        QVERIFY(layout);
        layout->edges[1].clear();
        layout->edges.resize(3);
        const GraphGeometry geometry = geometry_of(*model, *layout, 0);
        for (size_t i = 0; i < model->edges.size(); ++i) {
            const std::vector<QPointF>& curve = geometry.edges[i];
            QVERIFY2(curve.size() >= 4, qPrintable(QString::number(i)));
            for (const auto& [end, node] :
                 {std::pair(curve.front(), model->edges[i].from), std::pair(curve.back(), model->edges[i].to)})
                QVERIFY(geometry.nodes[node].adjusted(-2, -2, 2, 2).contains(end));
        }
    }

    void farAwayNodesAreDotsInTheColoursOfTheirBackends() {
        const GraphModelPtr model = model_of(read(kResidual));
        DecorationInput input;
        input.backends = {"a", "b"};
        input.overrides = HandPlacement({{model->nodes[1].expr, "a"}, {model->nodes[2].expr, "b"}});
        const GraphDecoration decoration = decorate_graph(*model, input);
        const GraphGeometry geometry = laid_out(*model, decoration);
        PaintOptions options;
        options.scale = 0.1;
        const QImage picture = painted(*model, geometry, decoration, geometry.bounds, options);
        for (const auto& [node, backend] : {std::pair(1, 0), std::pair(2, 1)}) {
            const QPointF middle = (geometry.nodes[size_t(node)].center() - geometry.bounds.topLeft()) * options.scale;
            QCOMPARE(picture.pixelColor(middle.toPoint()), light().backend_colours(backend).strong);
        }
    }

    void whatTookNoTimeIsColdAndWhatWasNotMeasuredIsPale() {
        const GraphModelPtr model = model_of(read(kResidual));
        GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        decoration.heat.assign(model->nodes.size(), 0);
        const QColor cold = node_fill(*model, decoration, 1, light());
        QCOMPARE(cold, light().heat(0));
        decoration.heat[1] = -1;
        QVERIFY(node_fill(*model, decoration, 1, light()) != cold);
    }

    /// Some layouts end an edge with the same point twice.
    void anEdgeHasItsArrowHowEverItsPointsLie() {
        const GraphModelPtr model = model_of(read(kResidual));
        const GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        GraphGeometry geometry = laid_out(*model, decoration);
        const auto drawn = [&](QPointF before_last) {
            for (std::vector<QPointF>& edge : geometry.edges)
                edge = {QPointF(1000, 1000), QPointF(1000, 1020), before_last, QPointF(1000, 1060)};
            geometry.bounds |= QRectF(900, 900, 300, 300);
            geometry.rebuild_index();
            return painted(*model, geometry, decoration, QRectF(980, 1045, 40, 20));
        };
        const QImage wanted = drawn(QPointF(1000, 1040));
        QVERIFY(count(wanted, wanted.rect(), [](const QColor& colour) { return colour != light().canvas; }) > 20);
        QCOMPARE(drawn(QPointF(1000, 1060)), wanted);
    }

    void nearANodeHasLinesBelowItsTitle() {
        const GraphModelPtr model = model_of(read(kResidual));
        const GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        const GraphGeometry geometry = laid_out(*model, decoration);
        const QRectF box = geometry.nodes[1].translated(-geometry.bounds.topLeft());
        const QColor fill = node_fill(*model, decoration, 1, light());
        const auto lines = [&](double scale) {
            PaintOptions options;
            options.scale = scale;
            const QRectF below(QPointF(box.left() + 12, box.center().y() + 3) * scale,
                               QPointF(box.right() - 12, box.bottom() - 6) * scale);
            const QImage picture = painted(*model, geometry, decoration, geometry.bounds, options);
            return count(picture, below, [&](const QColor& colour) { return contrast(colour, fill) > 2; });
        };
        QVERIFY2(lines(1) > 50, qPrintable(QString::number(lines(1))));
        QCOMPARE(lines(0.2), 0);
    }

    void aRegionHasABoxWithALabelWhereFewestEdgesRun_data() {
        QTest::addColumn<bool>("edge_at_left");
        QTest::addColumn<bool>("edge_at_right");
        QTest::addColumn<bool>("label_at_right");
        QTest::newRow("no edge") << false << false << false;
        QTest::newRow("left") << true << false << false;  // right of the edge, as near as there is room
        QTest::newRow("right") << false << true << false;
        QTest::newRow("both") << true << true << false;
    }
    void aRegionHasABoxWithALabelWhereFewestEdgesRun() {
        QFETCH(bool, edge_at_left);
        QFETCH(bool, edge_at_right);
        const GraphModelPtr model = model_of(read(kResidual));
        GraphDecoration decoration = decorate_graph(*model, DecorationInput());
        decoration.backend_names = QStringList{"dnnl"};
        decoration.regions.push_back({QStringLiteral("dnnl · 2 ops"), {}, 0, {1, 2}});
        GraphGeometry geometry = laid_out(*model, decoration);
        const QRectF box(1000, 1000, 400, 200);
        geometry.clusters = {box};
        const auto crossing = [](double x) { return std::vector<QPointF>{{x, 900}, {x, 1000}, {x, 1200}, {x, 1300}}; };
        if (edge_at_left) geometry.edges[0] = crossing(box.left() + 40);
        if (edge_at_right) geometry.edges[1] = crossing(box.right() - 40);
        geometry.rebuild_index();
        const QRectF part = box.adjusted(-50, -50, 50, 50);
        const BackendColours colours = light().backend_colours(0);
        const auto ground = [&](const QImage& picture) {
            const QColor inside = blend(colours.strong, light().canvas, 0.10);
            return count(picture, picture.rect(), [&](const QColor& colour) { return colour.rgb() == inside.rgb(); });
        };
        const QImage picture = painted(*model, geometry, decoration, part);
        QVERIFY2(ground(picture) > 50000, qPrintable(QString::number(ground(picture))));
        const auto label = [&](bool right) {  // inside the upper edge
            const QRectF half(right ? picture.width() / 2 : 0, 56, picture.width() / 2, 8);
            return count(picture, half, [&](const QColor& colour) { return colour.rgb() == colours.strong.rgb(); });
        };
        QFETCH(bool, label_at_right);
        QVERIFY2(label(label_at_right) > 100, qPrintable(QString::number(label(label_at_right))));
        QVERIFY(label(!label_at_right) < 40);  // the box's side
        PaintOptions none;
        none.regions = false;
        QCOMPARE(ground(painted(*model, geometry, decoration, part, none)), 0);
    }

    void aGraphOfAHundredThousandOperatorsIsModelledQuickly() {
        Module module;
        const TypeId type = module.types().tensor(kFloat32, {2});
        ExprId x = module.add_var("x", type);
        const ModulePtr small = read("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { exp(%x) }\n");
        const OpId op = small->called_op(small->body(small->find_function("main")));
        const ExprId callee = module.add_op(op);
        const ExprId parameter = x;
        for (int i = 0; i < 100000; ++i) x = module.add_call(callee, {x}, AttributesId(), type);
        const ExprId parameters[] = {parameter};
        module.set_function("main", module.add_function(parameters, x));
        QElapsedTimer timer;
        timer.start();
        const GraphModelPtr model = model_of(std::make_shared<const Module>(std::move(module)));
        qInfo("model of 100,000 operators: %lld ms", (long long)timer.elapsed());
        QCOMPARE(model->nodes.size(), size_t(100001));
        QVERIFY(timer.elapsed() < (qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 30000 : 3000));
    }

    void everyTextHasContrast() {
        constexpr double kWanted = 4.5;  // WCAG 2, level AA
        for (const bool dark : {false, true})
            for (const PaletteChoice palette : {PaletteChoice::OkabeIto, PaletteChoice::HighContrast}) {
                const Theme theme = make_theme(dark, palette);
                const auto check = [&](const QColor& text, const QColor& ground, const QString& what) {
                    QVERIFY2(contrast(text, ground) >= kWanted,
                             qPrintable(QStringLiteral("%1, %2, palette %3: %4 on %5: %6")
                                            .arg(what, dark ? "dark" : "light")
                                            .arg(int(palette))
                                            .arg(text.name(), ground.name())
                                            .arg(contrast(text, ground))));
                };
                for (int backend = -1; backend < 8; ++backend) {
                    const BackendColours colours = theme.backend_colours(backend);
                    const QString name = QStringLiteral("backend %1").arg(backend);
                    check(theme.text, colours.fill, name);
                    check(colours.quiet, colours.fill, name + " second line");
                    check(colours.on_strong, colours.strong, name + " badge");
                }
                for (int percent = 0; percent <= 100; ++percent) {
                    const QColor ground = theme.heat(percent / 100.0);
                    check(readable_on(ground), ground, QStringLiteral("heat %1 %").arg(percent));
                }
                for (const DiffMark mark : {DiffMark::Added, DiffMark::Removed, DiffMark::Changed})
                    check(readable_on(diff_colour(mark, theme)), diff_colour(mark, theme),
                          QStringLiteral("difference"));
                check(theme.on_accent, theme.accent, QStringLiteral("button"));
                for (const QColor& ground : {theme.window, theme.panel, theme.base, theme.canvas})
                    for (const QColor& text :
                         {theme.text, theme.muted_text, theme.accent, theme.warning, theme.error, theme.refused})
                        check(text, ground, QStringLiteral("window"));
            }
    }

    void textStaysReadableOnEveryHeat() {
        // As painted: of each node's pixels the one that stands out most from its ground.
        const ModulePtr module = read(kResidual);
        const GraphModelPtr model = model_of(module);
        for (const bool dark : {false, true})
            for (const double scale : {1.0, 0.5, 0.35})
                for (int percent = 0; percent <= 100; percent += 10) {
                    const Theme theme = make_theme(dark, PaletteChoice::OkabeIto);
                    GraphDecoration decoration = decorate_graph(*model, DecorationInput());
                    decoration.heat.assign(model->nodes.size(), float(percent) / 100);
                    Result<LayoutResult> made =
                        lay_out(layout_graph(*model, decoration), LayoutEngine::Auto, CancelToken());
                    QVERIFY(bool(made));
                    const GraphGeometry geometry = geometry_of(*model, *made, 0);
                    PaintOptions options;
                    options.scale = scale;
                    options.exposed = geometry.bounds;
                    QImage image((geometry.bounds.size() * scale).toSize(), QImage::Format_RGB32);
                    image.fill(theme.canvas);
                    QPainter painter(&image);
                    painter.scale(scale, scale);
                    painter.translate(-geometry.bounds.topLeft());
                    paint_graph(painter, *model, geometry, decoration, PaintMarks(), theme, options);
                    painter.end();
                    const QRectF box = geometry.nodes[1].adjusted(6, 4, -6, -4).translated(-geometry.bounds.topLeft());
                    const QRect inside = QRectF(box.topLeft() * scale, box.size() * scale).toRect();
                    double best = 1;
                    for (int y = inside.top(); y <= inside.bottom(); ++y)
                        for (int x = inside.left(); x <= inside.right(); ++x)
                            best = std::max(best, contrast(image.pixelColor(x, y), theme.heat(percent / 100.0)));
                    QVERIFY2(best >= 4.5, qPrintable(QStringLiteral("%1 heat %2 % at %3: %4")
                                                         .arg(dark ? "dark" : "light")
                                                         .arg(percent)
                                                         .arg(scale)
                                                         .arg(best)));
                }
    }
};

PARTITA_TEST(TestCanvasModel)

}  // namespace test_canvas_model

#include "test_canvas_model.moc"
