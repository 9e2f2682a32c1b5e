// Small parts of the exporters: text that is safe in every form, and the pictures of a run.
#include <QtTest>

#include "engine/exporters/cairo_surface.h"
#include "engine/exporters/drawing.h"
#include "engine/exporters/timing_picture.h"
#include "engine/runtime/machine.h"
#include "engine/session/export.h"
#include "tests/registry.h"

namespace test_exporters {

using namespace partita;

namespace {

/// Returns the rectangle of the box whose tooltip begins with `tip`.
QString box_of(const QString& svg, const QString& tip) {
    for (const QString& line : svg.split('\n'))
        if (line.startsWith("<rect") && line.contains("<title>" + tip)) return line;
    return {};
}

double number_of(const QString& line, const char* attribute) {
    return line.section(QString(" %1=\"").arg(attribute), 1).section('"', 0, 0).toDouble();
}

/// Returns the height of the baseline on which a label stands.
double baseline_of(const QString& svg, const QString& label) {
    for (const QString& line : svg.split('\n'))
        if (line.startsWith("<text") && line.contains(">" + label + "<")) return number_of(line, "y");
    return -1;
}

/// Collects the middles of drawn rings.
struct RingFinder : DrawingSurface {
    std::vector<std::pair<double, double>> found;

    void box(const LayoutBox& box, double radius, const char*, double, const LineStyle& line) override {
        if (line.colour && box.right - box.left == 2 * radius)
            found.emplace_back((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    }
    void curve(std::span<const LayoutPoint>, const LineStyle&) override {}
    void polygon(std::span<const LayoutPoint>, const char*) override {}
    void text(LayoutPoint, TextAnchor, const PictureText&, const char*, const std::string&) override {}
};

}  // namespace

class TestExporters : public QObject {
    Q_OBJECT

private slots:
    void aCurveIsDrawnToItsEnd() {
        constexpr int kWidth = 80;
        std::vector<uint8_t> pixels(size_t(kWidth * 10));
        cairo_surface_t* image =
            cairo_image_surface_create_for_data(pixels.data(), CAIRO_FORMAT_A8, kWidth, 10, kWidth);
        cairo_t* cairo = cairo_create(image);
        const std::vector<LayoutPoint> two_pieces{{5, 5}, {15, 5}, {25, 5}, {35, 5}, {45, 5}, {55, 5}, {65, 5}};
        CairoSurface(cairo).curve(two_pieces, {"#000000", 2});
        cairo_destroy(cairo);
        cairo_surface_destroy(image);
        for (int x = 0; x < kWidth; ++x) QCOMPARE(pixels[size_t(5 * kWidth + x)] > 200, x >= 5 && x < 65);
    }

    void regionsHaveTheTimesOfTheRun() {
        const ModulePtr module = open_text(
                                     "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n"
                                     "  %0 = nn.relu(%x);\n  %1 = cast(%0, dtype=\"bool\");\n"
                                     "  %2 = cast(%1, dtype=\"float32\");\n  nn.relu(%2)\n}\n",
                                     "two.relay")
                                     .value()
                                     .module;
        FlowOptions options;
        options.backends.push_back(load_backend("dnnl").value());
        const FlowResult flow = run_flow(module, options).value();
        QCOMPARE(flow.regions.size(), size_t(2));
        RunReport run;
        run.regions.resize(1);
        run.regions[0].name = flow.regions[1].function;
        run.regions[0].time.median = 2.5;
        const ExportSubject subject = export_subject(flow, options.backends, "two", &run);
        QCOMPARE(subject.regions[0].milliseconds, 0.0);
        QCOMPARE(subject.regions[1].milliseconds, 2.5);
    }

    /// The bounds are those of The Unicode Standard, table 3-7.
    void whatIsNoTextIsReplaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("replaced");
        auto row = [](const char* name, const QByteArray& text, int replaced) {
            QTest::newRow(name) << text << replaced;
        };
        row("letters", "a \xc2\xa0 \xc3\xa9 \xdf\xbf", 0);
        row("the first and last of two bytes", "\xc2\xa0\xdf\xbf", 0);
        row("two bytes, overlong", "\xc0\xaf\xc1\xbf", 4);
        row("two bytes without the second", "\xc3(", 1);
        row("the first and last of three bytes", "\xe0\xa0\x80\xef\xbf\xbd", 0);
        row("three bytes, overlong", "\xe0\x9f\xbf", 3);
        row("beside the surrogates", "\xed\x9f\xbf\xee\x80\x80", 0);
        row("a surrogate", "\xed\xa0\x80", 3);
        row("three bytes without the third", "\xe2\x82(", 2);
        row("the first and last of four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 0);
        row("four bytes, overlong", "\xf0\x8f\xbf\xbf", 4);
        row("beyond the last letter", "\xf4\x90\x80\x80\xf5\x80\x80\x80", 8);
        row("four bytes without the fourth", "\xf0\x9f\x98(", 3);
        row("a tail alone", "\x80\xbf", 2);
        row("controls", QByteArray("\0\t\x1f\x7f\xc2\x80\xc2\x9f", 8), 6);
        row("marks that turn the writing", "\xe2\x80\x8e\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xef\xbb\xbf", 5);
    }
    void whatIsNoTextIsReplaced() {
        QFETCH(QByteArray, text);
        QFETCH(int, replaced);
        QByteArray clean =
            QByteArray::fromStdString(clean_text(std::string_view(text.constData(), size_t(text.size()))));
        QCOMPARE(clean.count("\xef\xbf\xbd") - text.count("\xef\xbf\xbd"), replaced);
        if (replaced == 0) QCOMPARE(clean, text);
        QVERIFY(QString::fromUtf8(clean).toUtf8() == clean);
    }

    void textsAreShortenedToTheirLetters() {
        for (auto [text, limit, shown] :
             {std::tuple("line", 4, "line"), std::tuple("line", 3, "li…"), std::tuple("größe", 5, "größe"),
              std::tuple("größe", 4, "grö…"), std::tuple("", 1, ""), std::tuple("ab", 1, "…")})
            QCOMPARE(QString::fromStdString(shortened(text, size_t(limit))), QString(shown));
    }

    /// Both corners lie behind the tip, at the sides of the edge's last stretch.
    void arrowsPointAlongTheEdge() {
        const LayoutPoint tip{10, 20};
        for (auto [x, y] : {std::pair(0.0, 5.0), std::pair(-4.0, 0.0), std::pair(3.0, -4.0), std::pair(0.0, 0.0)}) {
            PictureEdge edge;
            edge.points = {{tip.x - x, tip.y - y}, tip};
            // An edge without a length points down.
            const double length = std::hypot(x, y), right = length > 0 ? x / length : 0,
                         down = length > 0 ? y / length : 1;
            double side = 3;
            for (const LayoutPoint& corner : arrow_corners(edge)) {
                QCOMPARE((corner.x - tip.x) * right + (corner.y - tip.y) * down, -6.0);
                QCOMPARE((corner.y - tip.y) * right - (corner.x - tip.x) * down, side);
                side = -side;
            }
        }
    }

    /// Between its curves or in the middle of one.
    void aRefusalStandsInTheMiddleOfItsEdge() {
        for (int curves = 1; curves <= 4; ++curves) {
            Picture picture;
            picture.nodes.resize(2);
            PictureEdge edge{0, 1, {}, true};
            for (int i = 0; i <= 3 * curves; ++i) edge.points.push_back({20, 10.0 * i});
            picture.edges.push_back(edge);
            RingFinder rings;
            draw_picture(rings, picture);
            QCOMPARE(rings.found, (std::vector{std::pair(20.0, 15.0 * curves)}));
        }
    }

    void theTimelineShowsSoManyBoxesAtMost() {
        RunReport run;
        for (int i = 0; i < 4100; ++i) run.trace.push_back({"op", 0, 1, -1, TraceEvent::Kind::Op, {}});
        const QString svg = QString::fromStdString(timeline_svg(run, {}));
        QCOMPARE(svg.count("<title>op: "), 4000);
        // What is too short to be seen is not drawn.
        run.trace.resize(1);
        run.trace.push_back({"short", 0, 1e-4, -1, TraceEvent::Kind::Op, {}});
        QVERIFY(timeline_svg(run, {}).find("<title>op: ") != std::string::npos);
        QVERIFY(timeline_svg(run, {}).find("<title>short: ") == std::string::npos);
    }

    /// The roof begins where it enters the picture, at the left or from below, and bends at the ridge.
    void theRoofBeginsWhereItEntersThePicture() {
        const MachineLimits machine{1, 1e12, 1e11};
        const auto begin = [&](double flops, double bytes, double milliseconds) {
            RunReport run;
            RegionTiming& region = run.regions.emplace_back();
            region.flops = flops;
            region.bytes = bytes;
            region.time.median = milliseconds;
            const QRegularExpression roof(
                "<line x1=\"([0-9.]+)\" y1=\"([0-9.]+)\"[^>]* y2=\"([0-9.]+)\" stroke=\"#333333\" stroke-width");
            const QRegularExpressionMatch found = roof.match(QString::fromStdString(roofline_svg(run, machine, {})));
            return found.captured(1) + ", " + found.captured(2) + " to " + found.captured(3);
        };
        QCOMPARE(begin(1e9, 1e8, 2), "70, 230 to 130");
        QCOMPARE(begin(1e3, 1e6, 1e-6), "338, 330 to 130");  // from below: more than memory allows
    }

    void aShareIsOfTheBoundThatHolds() {
        QCOMPARE(roofline({1, 4, 2}, 8, 1, 1e3).share, 2.0);
        QCOMPARE(roofline({1, 4, 2}, 1, 1, 1e3).share, 0.5);
        QCOMPARE(roofline({1, 1, 2}, 2, 1, 1e3).share, 2.0);
        QCOMPARE(roofline({1, 0, 0}, 2, 1, 1e3).share, 0.0);
        QVERIFY(roofline({1, 4, 2}, 1, 1, 1e3).memory_bound && !roofline({1, 4, 2}, 2, 1, 1e3).memory_bound);
    }

    /// An entry that is wider than the sheet stands on a line of its own, not below an empty one.
    void theLegendHasLinesForItsEntriesAlone() {
        const auto height = [](std::initializer_list<std::string> names) {
            Picture picture;
            for (const std::string& name : names) picture.legend.push_back({name, 0});
            return heading_height(picture, 300);
        };
        const std::string wide(200, 'w');
        const double one = height({"a"}), line = height({"a", wide}) - one;
        QVERIFY(line > 5);
        QCOMPARE(height({"a", "b"}), one);
        QCOMPARE(height({wide}), one);
        QCOMPARE(height({wide, "a"}), one + line);
        QCOMPARE(height({wide, wide, wide}), one + 2 * line);
    }

    void noTextHasNoWidth() {
        PdfFile file(100, 100);
        QCOMPARE(CairoFonts().width(file.cairo(), "", {}), 0.0);
        QVERIFY(CairoFonts().width(file.cairo(), "w", {}) > 2);
    }

    void theTimelineHasRowsForRegionsOperatorsAndThreads() {
        RunReport run;
        run.regions.resize(2);
        run.regions[0].backend = "dnnl";
        run.regions[1].backend = "default";
        run.trace = {{"first", 0, 4, 0, TraceEvent::Kind::Region, {}},
                     {"conv", 1, 2, 0, TraceEvent::Kind::Op, {}},
                     {"second", 2, 8, 1, TraceEvent::Kind::Region, {}},
                     {"outside", 0, 1, -1, TraceEvent::Kind::Op, {}}};
        run.thread_spans = {{0, 0, 5}, {1, 5, 4.5}};
        const std::string backends[] = {"dnnl", "npu"};
        QString svg = QString::fromStdString(timeline_svg(run, backends));
        const std::pair<const char*, const char*> rows[] = {
            {"first", "regions"},     {"second", "regions"},         {"conv", "operators"},
            {"outside", "operators"}, {"busy: 5.00 ms", "thread 1"}, {"busy: 4.50 ms", "thread 2"}};
        double last = 0;
        for (auto [tip, label] : rows) {
            QString box = box_of(svg, tip);
            QVERIFY2(!box.isEmpty(), tip);
            double top = number_of(box, "y"), bottom = top + number_of(box, "height"),
                   baseline = baseline_of(svg, label);
            QVERIFY2(
                top < baseline && baseline < bottom,
                qPrintable(
                    QString("%1 stands at %2, its row is %3 to %4").arg(label).arg(baseline).arg(top).arg(bottom)));
            QVERIFY2(top >= last, tip);
            QVERIFY(number_of(svg.section('\n', 0, 0), "height") >= bottom);
            last = top;
        }
        // Ten milliseconds span the width of the picture; each event begins where the previous one ends.
        QString first = box_of(svg, "first"), conv = box_of(svg, "conv"), second = box_of(svg, "second");
        double ms = number_of(first, "width") / 4;
        QVERIFY(std::abs(number_of(conv, "x") - number_of(first, "x") - ms) < 0.1 &&
                std::abs(number_of(conv, "width") - 2 * ms) < 0.1);
        QVERIFY(std::abs(number_of(second, "x") + number_of(second, "width") - 750) < 0.1);
        QString busy = box_of(svg, "busy: 5.00 ms"), later = box_of(svg, "busy: 4.50 ms");
        QCOMPARE(number_of(busy, "x"), number_of(first, "x"));
        QVERIFY(std::abs(number_of(busy, "width") - 5 * ms) < 0.1 &&
                std::abs(number_of(later, "width") - 4.5 * ms) < 0.1);
        QVERIFY(std::abs(number_of(busy, "x") + number_of(busy, "width") - number_of(later, "x")) < 0.1);
        // Ops that no listed backend ran have the colour of none.
        auto colour = [](const QString& box) { return box.section(" fill=\"", 1).section('"', 0, 0); };
        QCOMPARE(colour(first), QString(picture_colour(0).area));
        QCOMPARE(colour(second), QString(picture_colour(-1).area));
        QCOMPARE(colour(box_of(svg, "outside")), QString(picture_colour(-1).area));
    }
};

PARTITA_TEST(TestExporters)

}  // namespace test_exporters

#include "test_exporters.moc"
