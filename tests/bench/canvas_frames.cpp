// Timings of the canvas: the first picture of a generated graph step by step, frames while panning and zooming with all
// nodes shown, and the delay of a toggle. Rendered offscreen in software.
//
//     QT_QPA_PLATFORM=offscreen canvas_frames random:10000 random:100000 chain:1000000
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include <QApplication>
#include <QImage>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_groups.h"
#include "app/gui/canvas/graph_view.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/printer.h"
#include "engine/session/session.h"

using namespace partita;

namespace {

constexpr int kFrames = 21;

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void print_median(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::printf("  %-34s median %8.1f ms, longest %8.1f ms\n", what, times[times.size() / 2], times.back());
}

struct Picture {
    GraphModelPtr full, model;
    GroupTreePtr tree;
    GraphGeometryPtr geometry;
    GraphDecorationPtr decoration;
};

bool place(Picture& picture, const DecorationInput& input) {
    picture.decoration = std::make_shared<GraphDecoration>(decorate_graph(*picture.model, input));
    Result<LayoutResult> layout =
        lay_out(layout_graph(*picture.model, *picture.decoration), LayoutEngine::Auto, CancelToken());
    if (!layout) return false;
    picture.geometry =
        std::make_shared<GraphGeometry>(geometry_of(*picture.model, *layout, picture.decoration->regions.size()));
    return true;
}

void measure_frames(GraphView& view, const Picture& picture) {
    QImage image(view.size(), QImage::Format_RGB32);
    const auto frames = [&](const char* what, const std::function<void(int)>& move) {
        std::vector<double> times;
        for (int i = 0; i < kFrames; ++i) {
            move(i);
            times.push_back(milliseconds([&] { view.render(&image, QPoint(), QRegion(), QWidget::RenderFlags()); }));
        }
        print_median(what, times);
    };
    const QPointF middle(view.width() / 2.0, view.height() / 2.0);
    const size_t nodes = picture.model->nodes.size();
    const auto somewhere = [&](int i) { return picture.geometry->nodes[size_t(i) * nodes / kFrames].center(); };
    view.fit();
    frames("frame, all in view, zooming", [&](int i) { view.setZoom(view.zoom() * (i % 2 ? 0.98 : 1.02), middle); });
    frames("frame, all in view, panning",
           [&](int i) { view.centreOn(picture.geometry->bounds.center() + QPointF(i * 10, i * 7)); });
    for (const double zoom : {0.05, 0.1, 0.13, 0.2, 0.25, 0.4, 0.6, 1.0}) {
        const QByteArray what = QByteArray("frame, zoom ") + QByteArray::number(zoom);
        frames(what.constData(), [&](int i) { view.setZoom(zoom, middle), view.centreOn(somewhere(i)); });
    }
}

void measure(const char* name) {
    const auto parsed = parse_graph_name(name);
    if (!parsed || !*parsed) return void(std::printf("%s: no such graph\n", name));
    Result<Module> generated = generate_graph((*parsed)->kind, (*parsed)->operators, 1);
    if (!generated) return;
    const std::string text = print_relay(*generated);
    std::printf("%s, %.1f MB of text\n", name, double(text.size()) / 1e6);
    ModulePtr module;
    double whole = 0;
    const auto step = [&whole](const char* what, const std::function<void()>& work) {
        const double time = milliseconds(work);
        whole += time;
        std::printf("  %-34s %8.1f ms\n", what, time);
    };
    Picture picture;
    step("read and infer types", [&] {
        if (Result<OpenedModule> opened = open_text(text, name)) module = opened->module;
    });
    if (!module) return;
    step("summary and names", [&] {
        (void)summarize(*module);
        (void)ExpressionNames(*module);
    });
    step("model", [&] { picture.full = build_graph_model(module, module->find_function("main")); });
    step("groups",
         [&] { picture.tree = std::make_shared<GroupTree>(make_groups(*picture.full, Grouping::Automatic, nullptr)); });
    OpenGroups open;
    step("collapse", [&] {
        open = open_at_first(*picture.full, *picture.tree);
        picture.model = collapse_graph(picture.full, picture.tree, open);
    });
    step("layout", [&] { place(picture, DecorationInput()); });
    GraphView view;
    view.resize(1280, 800);
    QImage image(view.size(), QImage::Format_RGB32);
    step("first frame", [&] {
        view.showGraph(picture.model, picture.geometry, picture.decoration, false);
        view.fit();
        view.render(&image, QPoint(), QRegion(), QWidget::RenderFlags());
    });
    std::printf("  %-34s %8.1f ms, %zu nodes shown of %zu\n", "FIRST PICTURE", whole, picture.model->nodes.size(),
                picture.full->nodes.size());
    if (picture.full->nodes.size() > 20000) return;
    if (picture.model != picture.full) {
        picture.model = picture.full;
        std::printf("  %-34s %8.1f ms\n", "layout, all groups open",
                    milliseconds([&] { place(picture, DecorationInput()); }));
        view.showGraph(picture.model, picture.geometry, picture.decoration, false);
    }
    measure_frames(view, picture);
    DecorationInput input;
    input.backends = {"a", "b"};
    view.setZoom(1, QPointF());
    view.centreOn(picture.geometry->nodes[picture.model->nodes.size() / 2].center());
    std::vector<double> toggles;
    for (int i = 0; i < kFrames; ++i) {
        const ExprId given = picture.model->nodes[picture.model->nodes.size() / 2 + size_t(i)].expr;
        input.overrides.change([&](HandPlacement& placement) { placement.give({given}, i % 2 ? "a" : "b"); });
        toggles.push_back(milliseconds([&] {
            view.setDecoration(std::make_shared<GraphDecoration>(decorate_graph(*picture.model, input)), true);
            view.render(&image, QPoint(), QRegion(), QWidget::RenderFlags());
        }));
    }
    print_median("toggle to its frame", toggles);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    for (int i = 1; i < argc; ++i) measure(argv[i]);
    if (argc < 2)
        for (const char* name : {"random:1000", "random:10000", "random:100000"}) measure(name);
    return 0;
}
