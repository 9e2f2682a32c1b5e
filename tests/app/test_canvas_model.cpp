// The canvas without a window: graph model, search, decoration, spatial index, layers of marks.
#include <QtTest>

#include <QImage>
#include <QPainter>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_model.h"
#include "app/gui/canvas/graph_painter.h"
#include "app/gui/canvas/graph_picture.h"
#include "app/gui/canvas/graph_search.h"
#include "engine/layout/graph_layout.h"
#include "engine/session/session.h"
#include "tests/app/own_fonts.h"

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

}  // namespace

class TestCanvasModel : public QObject {
    Q_OBJECT

private slots:
    void weightsAreFoldedIntoTheirUsers() {
        const ModulePtr module = read(kResidual);
        QCOMPARE(titles(*model_of(module)), (QStringList{"%data", "nn.conv2d", "nn.relu", "add"}));
        GraphModelOptions all;
        all.show_weights = true;
        QVERIFY(titles(*model_of(module, all)).contains("%w"));
    }

    void edgesFollowDataFromOperandToUser() {
        const GraphModelPtr model = model_of(read(kResidual));
        std::vector<std::pair<QString, QString>> edges;
        for (const GraphEdge& edge : model->edges) edges.push_back({model->nodes[edge.from].title, model->nodes[edge.to].title});
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
        const auto found = [&](const char* query) { return search_graph(QString::fromLatin1(query), *model, decoration); };
        QCOMPARE(found("op:nn.*"), (std::vector<uint32_t>{1, 2}));
        QCOMPARE(found("op:nn.* backend:default"), (std::vector<uint32_t>{2}));
        QCOMPARE(found("shape:*x8x8 -op:add -op:nn.relu"), (std::vector<uint32_t>{0, 1}));
        QCOMPARE(found("attr:kernel"), (std::vector<uint32_t>{1}));
        QCOMPARE(found("type:float32"), found("type:f32"));
        QVERIFY(!found("type:float32").empty());
        QCOMPARE(found("data"), (std::vector<uint32_t>{0}));
        QVERIFY(found("").empty());
        QVERIFY(found("op:(").empty());
        QCOMPARE(unknown_search_key("op:add -colour:red"), QStringLiteral("colour"));
        QCOMPARE(unknown_search_key("OP:add shape:1x3 vendor.x:y"), QString());
    }

    void spatialIndexFindsExactlyWhatABruteForceFinds() {
        std::vector<QRectF> boxes;
        for (int i = 0; i < 500; ++i) boxes.push_back(QRectF((i * 37) % 1000, (i * 91) % 3000, 20 + i % 50, 10 + i % 30));
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
        const Theme theme = make_theme(false, PaletteChoice::OkabeIto);
        const auto painted = [&](const HandPlacement& overrides) {
            DecorationInput input;
            input.overrides = overrides;
            const GraphDecoration decoration = decorate_graph(*model, input);
            Result<LayoutResult> made = lay_out(layout_graph(*model, decoration), LayoutEngine::Auto, CancelToken());
            const GraphGeometry geometry = geometry_of(*model, *made, 0);
            PaintOptions options;
            options.exposed = geometry.bounds;
            QImage image(geometry.bounds.size().toSize(), QImage::Format_RGB32);
            image.fill(theme.canvas);
            QPainter painter(&image);
            painter.translate(-geometry.bounds.topLeft());
            paint_graph(painter, *model, geometry, decoration, PaintMarks(), theme, options);
            int pixels = 0;
            const QColor badge = theme.backend_colours(-1).strong;
            const QRect corner = QRectF(-12, -8, 16, 16).translated(geometry.nodes[2].bottomRight() - geometry.bounds.topLeft()).toRect();
            for (int y = corner.top(); y <= corner.bottom(); ++y)
                for (int x = corner.left(); x <= corner.right(); ++x) pixels += image.valid(x, y) && image.pixelColor(x, y) == badge;
            return pixels;
        };
        QCOMPARE(painted(HandPlacement()), 0);
        QVERIFY(painted(HandPlacement({{model->nodes[2].expr, "default"}})) > 30);
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
                    QVERIFY2(contrast(text, ground) >= kWanted, qPrintable(QStringLiteral("%1, %2, palette %3: %4 on %5: %6")
                        .arg(what, dark ? "dark" : "light").arg(int(palette)).arg(text.name(), ground.name()).arg(contrast(text, ground))));
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
                    check(readable_on(diff_colour(mark, theme)), diff_colour(mark, theme), QStringLiteral("difference"));
                check(theme.on_accent, theme.accent, QStringLiteral("button"));
                for (const QColor& ground : {theme.window, theme.panel, theme.base, theme.canvas})
                    for (const QColor& text : {theme.text, theme.muted_text, theme.accent, theme.warning, theme.error, theme.refused})
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
                    Result<LayoutResult> made = lay_out(layout_graph(*model, decoration), LayoutEngine::Auto, CancelToken());
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
                        for (int x = inside.left(); x <= inside.right(); ++x) best = std::max(best, contrast(image.pixelColor(x, y), theme.heat(percent / 100.0)));
                    QVERIFY2(best >= 4.5, qPrintable(QStringLiteral("%1 heat %2 % at %3: %4").arg(dark ? "dark" : "light").arg(percent).arg(scale).arg(best)));
                }
    }
};

QTEST_MAIN(TestCanvasModel)
#include "test_canvas_model.moc"
