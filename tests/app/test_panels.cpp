// The panels: what they paint and tell, and that their controls are there and do what they say.
#include "window_fixture.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSlider>
#include <QStatusBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <QVariantAnimation>

#include "app/gui/diff/diff_page.h"
#include "app/gui/jobs/pauses.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_chart.h"
#include "app/gui/panels/timing/timing_history.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/panels/timing/timing_roofline_view.h"
#include "app/gui/panels/timing/timing_rows_view.h"
#include "app/gui/window/backends_dialog.h"
#include "app/gui/window/settings.h"
#include "tests/app/painted.h"
#include "tests/registry.h"

namespace test_panels {

using namespace partita;

class TestPanels : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> fixture_;
    MainWindow& window() { return *fixture_->window; }

    static QStringList textsOfButtons(const QWidget& panel) {
        QStringList texts;
        for (const QAbstractButton* button : panel.findChildren<QAbstractButton*>()) texts << button->text();
        return texts;
    }
    template <class Button = QAbstractButton>
    static Button* buttonOf(const QWidget& panel, const QString& text) {
        for (Button* button : panel.findChildren<Button*>())
            if (button->text() == text) return button;
        return nullptr;
    }

    /// A run of two regions on three threads: the first region is a backend's own, the second Partita's.
    static std::shared_ptr<const RunReport> madeUpRun() {
        auto report = std::make_shared<RunReport>();
        report->threads = 3;
        report->time = {12, 12, 0, 1};
        for (const char* name : {"first", "second"}) {
            RegionTiming region;
            region.name = name;
            region.backend = region.executed_by = report->regions.empty() ? "dnnl" : "ccompiler";
            region.time = {report->regions.empty() ? 8.0 : 4.0, 4, 0, 1};
            report->regions.push_back(std::move(region));
        }
        report->regions[1].executed_by = "default";
        report->trace = {{"first", 0, 8, 0, TraceEvent::Kind::Region, {}},
                         {"second", 8, 4, 1, TraceEvent::Kind::Region, {}}};
        report->thread_spans = {{1, 8, 4}};
        return report;
    }

    /// Words to the left, figures to the right, and each head as what stands below it.
    static void checkTable(const QAbstractItemModel& model, int row) {
        static const QRegularExpression figure(
            QStringLiteral("^(–|[±]?[-+\\d.,]+([\u00a0 ](ns|µs|ms|s|B|kB|MB|GB))?)$"));
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex cell = model.index(row, column);
            const QString head = model.headerData(column, Qt::Horizontal).toString(), text = cell.data().toString();
            QVERIFY2(!head.isEmpty(), qPrintable(QString::number(column)));
            QVERIFY2(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString() != head, qPrintable(head));
            const int side = cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask;
            QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask,
                     side);
            if (text.isEmpty()) continue;
            QVERIFY2(side == (figure.match(text).hasMatch() ? Qt::AlignRight : Qt::AlignLeft),
                     qPrintable(head + ": " + text));
        }
    }

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        QTest::failOnWarning(QRegularExpression("^QPainter"));
    }
    void cleanup() { fixture_.reset(); }

    void everyWidgetStandsInAWindow() {
        QVERIFY(fixture_->openOneDivide());
        for (const QWidget* widget : QApplication::topLevelWidgets())
            QVERIFY2(widget->windowType() != Qt::Window || widget->inherits("QMainWindow"),
                     qPrintable(QStringLiteral("%1 %2").arg(widget->metaObject()->className(), widget->objectName())));
    }

    void barsTouchWhatTheyStandOver() {
        QVERIFY(fixture_->openOneDivide());
        window().pages().compare();
        QVERIFY(fixture_->settle());
        for (const char* name : {"partita::DiffPage", "partita::TextPanel"}) {
            int columns = 0;
            for (const QWidget* panel : window().findChildren<QWidget*>()) {
                if (!panel->inherits(name)) continue;
                for (const QVBoxLayout* column : panel->findChildren<QVBoxLayout*>()) {
                    if (!column->contentsMargins().isNull()) continue;
                    QVERIFY2(column->spacing() == 0, name);
                    ++columns;
                }
            }
            QVERIFY2(columns > 0, name);
        }
    }

    void theWelcomePageIsPaintedWhole() {
        const QImage first = window().grab().toImage();
        QVERIFY(buttonOf<QPushButton>(window(), "Open a module…")->isVisible());
        QList<QListWidget*> lists;
        for (QListWidget* list : window().findChildren<QListWidget*>())
            if (list->isVisible()) lists << list;
        QCOMPARE(lists.size(), 3);
        for (QListWidget* list : lists) {
            const QString title = list->item(0)->text().section('\n', 0, 0);
            QVERIFY2(Painted(*list->viewport()).texts().contains(title) || list->item(0)->flags() == Qt::NoItemFlags,
                     qPrintable(title));
            QVERIFY(list->findItems("not installed", Qt::MatchContains).isEmpty());
        }
        // Two columns, apart from each other.
        const auto left_of = [this](QListWidget* list) { return list->mapTo(&window(), QPoint()).x(); };
        std::sort(lists.begin(), lists.end(), [&](QListWidget* a, QListWidget* b) { return left_of(a) < left_of(b); });
        QVERIFY(left_of(lists[1]) - left_of(lists[0]) - lists[0]->width() >= 16);
        QCOMPARE(left_of(lists[1]), left_of(lists[2]));
        QCOMPARE(window().grab().toImage(), first);
    }

    /// What was chosen is what the next start begins with.
    void allSettingsComeBack() {
        Settings set;
        set.theme = ThemeChoice::Dark;
        set.palette = PaletteChoice::HighContrast;
        set.canvas.animated = !set.canvas.animated;
        set.canvas.edge_types = !set.canvas.edge_types;
        set.canvas.minimap = !set.canvas.minimap;
        set.canvas.edge_widths = !set.canvas.edge_widths;
        set.canvas.grouping = Grouping::Structure;
        set.canvas.model.show_weights = !set.canvas.model.show_weights;
        set.canvas.model.show_attributes = !set.canvas.model.show_attributes;
        set.canvas.model.show_types = !set.canvas.model.show_types;
        set.run.compare = !set.run.compare;
        set.run.threads = 3;
        set.run.warmup = 4;
        set.run.repeat = 7;
        set.text_scale = 1.25;
        set.language = "de";
        set.compiler = "clang";
        set.compiler_flags = "-O1";
        set.backends = QStringList{"ccompiler"};
        set.recent_files = QStringList{"/a.relay", "/b.onnx"};
        set.backend_files = QStringList{"/mine.json"};
        set.dimensions["/b.onnx"] = {{"batch", 2}, {"length", 77}};
        const Settings before = Settings::load();
        QVERIFY(set.save());
        const Settings got = Settings::load();
        (void)before.save();
        QCOMPARE(got.theme, set.theme);
        QCOMPARE(got.palette, set.palette);
        QCOMPARE(got.canvas.animated, set.canvas.animated);
        QCOMPARE(got.canvas.edge_types, set.canvas.edge_types);
        QCOMPARE(got.canvas.minimap, set.canvas.minimap);
        QCOMPARE(got.canvas.edge_widths, set.canvas.edge_widths);
        QCOMPARE(got.canvas.grouping, Grouping::Automatic);  // chosen for one file, not for those to come
        QCOMPARE(got.canvas.model.show_weights, set.canvas.model.show_weights);
        QCOMPARE(got.canvas.model.show_attributes, set.canvas.model.show_attributes);
        QCOMPARE(got.canvas.model.show_types, set.canvas.model.show_types);
        QCOMPARE(got.run.compare, set.run.compare);
        QCOMPARE(got.run.threads, set.run.threads);
        QCOMPARE(got.run.warmup, set.run.warmup);
        QCOMPARE(got.run.repeat, set.run.repeat);
        QCOMPARE(got.text_scale, set.text_scale);
        QCOMPARE(got.language, set.language);
        QCOMPARE(got.compiler, set.compiler);
        QCOMPARE(got.compiler_flags, set.compiler_flags);
        QCOMPARE(got.backends, set.backends);
        QCOMPARE(got.recent_files, set.recent_files);
        QCOMPARE(got.backend_files, set.backend_files);
        QVERIFY(got.dimensions == set.dimensions);
    }

    void theRooflineHasItsFiguresWhereItsDotsAre() {
        TimingRooflineView view;
        view.resize(700, 420);
        const MachineLimits machine{8, 1e11, 2e10};
        RunReport report;
        RegionTiming region;
        region.name = "region";
        region.time.median = 1;
        OpTiming op;
        op.name = "operator";
        op.origin = ExprId(3);
        op.time.median = 1;
        region.flops = op.flops = 1e7;  // in a millisecond: 10 GFLOP/s
        region.bytes = 1e7;             // one operation for each byte
        op.bytes = 1e6;                 // ten
        region.ops = {op};
        report.regions = {region};
        view.setDots(roofline_dots(report, machine, {0}), machine);
        QCOMPARE(view.dots().size(), size_t(2));
        const Painted painted(view);
        const QString all = painted.texts().join('|');
        const QRectF one = painted.placeOf("1"), ten = painted.placeOf("10"), speed = painted.placeOf("10 GFLOP/s");
        QVERIFY2(!one.isNull() && std::abs(one.center().x() - view.placeOf(0).x()) < 2, qPrintable(all));
        QVERIFY2(!ten.isNull() && std::abs(ten.center().x() - view.placeOf(1).x()) < 2, qPrintable(all));
        QVERIFY2(!speed.isNull() && std::abs(speed.center().y() - view.placeOf(0).y()) < 2, qPrintable(all));
        QVERIFY2(all.contains("peak 100.0 GFLOP/s") && all.contains("memory 20.0 GB/s") &&
                     all.contains("operations for each byte moved"),
                 qPrintable(all));
        for (const PaintedWords& each : painted.words)
            QVERIFY2(QRectF(view.rect()).contains(each.box), qPrintable(each.words));
        // The name of a dot stays in the view, wherever the dot lies: one above the peak, too.
        report.regions[0].ops[0].flops = 3e8;
        view.setDots(roofline_dots(report, machine, {0}), machine);
        for (const QSize& size : {QSize(700, 420), QSize(300, 120)}) {
            view.resize(size);
            for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right}) {
                QTest::keyClick(&view, key);
                const Painted named(view);
                const QStringList bound = named.texts().filter(" bound");
                QCOMPARE(bound.size(), 1);
                const QRectF name = named.placeOf(bound[0]);
                QVERIFY2(name.top() >= 0 && name.right() <= view.width(), qPrintable(QString::number(name.top())));
            }
        }
        // Each dot of the legend beside its word.
        for (const char* word : {"region", "operator"}) {
            const QRectF place = painted.placeOf(word);
            QVERIFY2(std::any_of(painted.dots.begin(), painted.dots.end(),
                                 [&](const QRectF& dot) {
                                     return dot.right() < place.left() && place.left() - dot.right() < 12 &&
                                            std::abs(dot.center().y() - place.center().y()) < 2;
                                 }),
                     word);
        }
    }

    void aClickOnABarOfTheChartChoosesItsRegion() {
        TimingChart chart;
        chart.resize(400, 150);
        std::vector<TimingBar> bars;
        for (int i = 0; i < 12; ++i) bars.push_back({QStringLiteral("bar %1").arg(i), 12.0 - i, 11 - i});
        chart.setBars(bars);
        chart.show();
        chart.setBars({bars[0]});
        QCOMPARE(chart.verticalScrollBar()->maximum(), 0);
        chart.setBars(bars);
        QVERIFY(chart.verticalScrollBar()->value() == 0 && chart.verticalScrollBar()->maximum() > 0);
        QSignalSpy chosen(&chart, &TimingChart::regionChosen);
        for (const QString time : {"12.0\u00a0ms", "9.00\u00a0ms"}) {
            const QRectF place = Painted(*chart.viewport()).placeOf(time);
            QVERIFY2(!place.isNull(), qPrintable(Painted(*chart.viewport()).texts().join('|')));
            QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, QPoint(30, int(place.center().y())));
            QCOMPARE(chosen.count(), 1);
            QCOMPARE(chosen.takeFirst()[0].toInt(), time.section('.', 0, 0).toInt() - 1);
        }
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, QPoint(30, 2));
        QCOMPARE(chosen.count(), 0);
    }

    /// As long as a module is open a backend keeps its colour; the next one begins with the first.
    void coloursBeginAnewWithAnotherModule() {
        QVERIFY(fixture_->openOneDivide());
        const QStringList both{"dnnl", "ccompiler"};
        window().setBackends(both);
        QVERIFY(fixture_->settle());
        const std::vector<int> slots_of_both = fixture_->view().theme().backend_slots;
        QVERIFY(slots_of_both == std::vector({0, 1}) || slots_of_both == std::vector({1, 0}));
        window().setBackends({both[slots_of_both[1] == 1]});
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->view().theme().backend_slots, std::vector<int>{1});
        QVERIFY(fixture_->open(fixture_->file("another.relay", kOneDivide)));
        QCOMPARE(fixture_->view().theme().backend_slots, std::vector<int>{0});
    }

    void arrowsGoFromBarToBar() {
        TimingChart chart;
        chart.resize(400, 150);
        chart.setBars({{"long", 2, 7}, {"short", 1, 4}});
        QSignalSpy chosen(&chart, &TimingChart::regionChosen);
        for (const auto& [key, region] : std::initializer_list<std::pair<Qt::Key, int>>{
                 {Qt::Key_Down, 7}, {Qt::Key_Down, 4}, {Qt::Key_Down, 4}, {Qt::Key_Up, 7}, {Qt::Key_Up, 7}}) {
            QTest::keyClick(&chart, key);
            QCOMPARE(chosen.count(), 1);
            QCOMPARE(chosen.takeFirst()[0].toInt(), region);
        }
        QTest::keyClick(&chart, Qt::Key_A);
        QCOMPARE(chosen.count(), 0);
    }

    void barsStandInTheOrderOfTheirTimes() {
        auto report = std::make_shared<RunReport>(*madeUpRun());
        std::swap(report->trace[0], report->trace[1]);
        const TimingRows rows = timeline_of(report);
        QCOMPARE(rows.name(rows.rows[0].bars[0]), QStringLiteral("first"));
        for (const TimingRow& row : rows.rows)
            QVERIFY(std::is_sorted(row.bars.begin(), row.bars.end(),
                                   [](const auto& a, const auto& b) { return a.start < b.start; }));
    }

    void theTimelineHasARowForEachThread() {
        const TimingRows rows = timeline_of(madeUpRun());
        QStringList names;
        for (const TimingRow& row : rows.rows) names << row.name;
        QCOMPARE(names, (QStringList{"Regions", "Operators", "Thread 1", "Thread 2", "Thread 3"}));
        // What another library's threads do is not known: on all but the first. Bars of threads bear no names.
        for (size_t row = 2; row < rows.rows.size(); ++row) {
            const auto& bars = rows.rows[row].bars;
            QCOMPARE(std::count_if(bars.begin(), bars.end(),
                                   [](const TimingBarItem& bar) { return bar.look == TimingBarItem::Look::Unknown; }),
                     row == 2 ? 0 : 1);
            // The second one works for the region while the first does.
            QCOMPARE(int(bars.size()), row == 4 ? 1 : 2);
            for (const TimingBarItem& bar : bars) QCOMPARE(rows.name(bar), QString());
        }
        QCOMPARE(rows.name(rows.rows[0].bars[0]), QStringLiteral("first"));
        const TimingRows flame = flame_of(madeUpRun());
        QCOMPARE(flame.name(flame.rows[0].bars[0]), QStringLiteral("whole run"));
    }

    void aClickBesideNarrowBarsChoosesTheNearest() {
        TimingRows rows;
        rows.report = madeUpRun();
        rows.duration = 100;
        rows.rows = {{"Regions",
                      {{0, 50, 0, {}, TimingBarItem::Look::Region, TimingBarItem::Source::Region, 0},
                       {50, 50, 1, {}, TimingBarItem::Look::Region, TimingBarItem::Source::Region, 0}}}};
        TimingRowsView view("Timeline");
        view.resize(900, 120);
        view.show();
        view.setRows(rows);
        // As wide a gap as a click may miss a bar by.
        const double gap = 3.4 * 50 / view.barRect(0, 0).width();
        rows.rows[0].bars[1].start += gap;
        rows.rows[0].bars[1].duration -= gap;
        view.setRows(rows);
        const QRectF left = view.barRect(0, 0), right = view.barRect(0, 1);
        QVERIFY(right.left() - left.right() > 3 && right.left() - left.right() < 4);
        QSignalSpy chosen(&view, &TimingRowsView::chosen);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          QPoint(int(std::ceil(left.right())), int(left.center().y())));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          QPoint(int(std::floor(right.left())), int(left.center().y())));
        QCOMPARE(chosen.count(), 2);
        QCOMPARE(chosen[0][0].toInt(), 0);
        QCOMPARE(chosen[1][0].toInt(), 1);
    }

    void tablesOfTimesHaveWordsLeftAndFiguresRight() {
        QVERIFY(fixture_->openOneDivide());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        checkTable(window().panels().timing().model(), 0);
        const QVariant tip =
            window().panels().timing().model().headerData(TimingModel::Spread, Qt::Horizontal, Qt::ToolTipRole);
        QVERIFY(tip.toString().contains("interquartile"));
        TimingDifference difference;
        difference.name = "region";
        difference.a.median = 2;
        difference.b.median = 3;
        difference.ratio = 1.5;
        difference.noise = 0.1;
        difference.noise_known = difference.significant = true;
        RunDifferenceModel model;
        model.setDifference({{RunRow::Kind::Region, difference}});
        checkTable(model, 0);
        QCOMPARE(model.index(0, RunDifferenceModel::Verdict).data().toString(), QStringLiteral("slower"));
    }

    /// A view lays out all rows that there are: the others come as somebody scrolls to them.
    void thousandsOfRegionsAreListedAsOneScrollsToThem() {
        constexpr int kRegions = TimingModel::kRegionsAtOnce + 100;
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  %0 = floor(%x);\n";
        for (int i = 0; i < 2 * kRegions; ++i)
            text += "  %" + QByteArray::number(i + 1) + " = " + (i % 2 ? "floor(%" : "nn.relu(%") +
                    QByteArray::number(i) + ");\n";
        QVERIFY(fixture_->open(
            fixture_->file("regions.relay", text + "  floor(%" + QByteArray::number(2 * kRegions) + ")\n}\n")));
        window().setBackends({"dnnl"});
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        TimingModel model(window().document());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        const QModelIndex nowhere;
        QCOMPARE(model.rowCount(), TimingModel::kRegionsAtOnce);
        QVERIFY(model.canFetchMore(nowhere) && !model.canFetchMore(model.index(0, 0)));
        model.fetchMore(nowhere);
        QCOMPARE(model.rowCount(), kRegions + 1);  // and what stayed on default
        QVERIFY(!model.canFetchMore(nowhere));
        TimingPanel& panel = window().panels().timing();
        window().panels().show(&panel);
        panel.views().setCurrentIndex(0);
        panel.table().setFocus();
        QTest::keyClick(&panel.table(), Qt::Key_End);
        QTRY_COMPARE(panel.model().rowCount(), kRegions + 1);
    }

    void theListOfStepsGrowsWithItsType() {
        QVERIFY(fixture_->openOneDivide());
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().panels().show(&window().panels().steps());
        auto* list = window().panels().steps().findChild<QListView*>();
        const auto height = [list] {
            QCoreApplication::processEvents();
            return list->visualRect(list->model()->index(0, 0)).height();
        };
        const int before = height();
        QFont font = list->font();
        font.setPointSizeF(font.pointSizeF() * 2);
        list->setFont(font);
        QVERIFY2(height() > 1.5 * before && height() >= list->fontMetrics().height(),
                 qPrintable(QString::number(height())));
        list->setStyleSheet(QStringLiteral("font-size: %1pt").arg(int(font.pointSizeF() * 2)));
        QVERIFY2(height() > 3 * before && height() >= list->fontMetrics().height(),
                 qPrintable(QString::number(height())));
    }

    void stepsAreReachedByEachControl() {
        QVERIFY(fixture_->openOneDivide());
        window().action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        StepsPanel& steps = window().panels().steps();
        window().panels().show(&steps);
        auto* slider = steps.findChild<QSlider*>();
        slider->setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(steps.currentRow(), 3);
        QTest::keyClick(slider, Qt::Key_Left);
        QCOMPARE(steps.currentRow(), 2);
        window().action("step-back")->trigger();
        QCOMPARE(steps.currentRow(), 1);
        QCOMPARE(slider->value(), 1);
        auto* list = steps.findChild<QListView*>();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(4, 0)).center());
        QCOMPARE(steps.currentRow(), 4);
        QCOMPARE(slider->value(), 4);
        for (const auto& [name, row] : {std::pair("Last step", steps.rowCount() - 1), std::pair("First step", 0)})
            for (QToolButton* button : steps.findChildren<QToolButton*>())
                if (button->accessibleName() == name) {
                    button->click();
                    QCOMPARE(steps.currentRow(), row);
                }
    }

    void nextNamesTheNextLessonOnTheLastPageOnly() {
        LessonsPanel& lessons = window().panels().lessons();
        window().panels().show(&lessons);
        const auto has_next = [&](const QString& text) {
            return textsOfButtons(lessons).filter("Next") == QStringList{text};
        };
        QVERIFY2(has_next("Next"), qPrintable(textsOfButtons(lessons).join('|')));
        lessons.start(0);
        QVERIFY(fixture_->settle());
        QVERIFY(has_next("Next"));
        QFont font = lessons.font();
        font.setPointSizeF(font.pointSizeF() + 1);
        lessons.setFont(font);
        QVERIFY(has_next("Next"));
        while (lessons.currentPage() + 1 < lessons.pageCount()) lessons.next();
        QVERIFY(has_next("Next lesson"));
    }

    void aPredictionsButtonsFollowTheSelection() {
        window().panels().show(&window().panels().lessons());
        window().panels().lessons().start(5);
        QVERIFY(fixture_->settle());
        auto* mark = buttonOf<QPushButton>(window().panels().lessons(), "Mark as a region");
        QVERIFY(mark && !mark->isEnabled());
        fixture_->click(fixture_->nodeOf("add"));
        QVERIFY(mark->isEnabled());
        QTest::mouseClick(mark, Qt::LeftButton);
        // The button that has the keyboard's focus hands it on: that selects nothing.
        QVERIFY(mark->hasFocus());
        window().document().setSelection({});
        QVERIFY(window().document().selection().empty());
        QVERIFY(!mark->isEnabled());
        QVERIFY(mark->toolTip().startsWith("Select operators"));
    }

    void theDialogOfBackendsTellsOfEach() {
        BackendsDialog dialog(window().document().choice().backends, {}, &window());
        dialog.show();
        auto* list = dialog.findChild<QListWidget*>();
        QVERIFY(list->count() > 1);
        for (int row = 0; row < list->count(); ++row) {
            list->setCurrentRow(row);
            const auto backend = builtin_backend(list->item(row)->text().toStdString());
            QVERIFY(backend);
            const QString summary = QString::fromStdString(backend->summary).toHtmlEscaped();
            const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
            QVERIFY2(
                std::any_of(labels.begin(), labels.end(),
                            [&](const QLabel* label) {
                                return label->text().contains(summary) &&
                                       label->text().contains(QStringLiteral("%1 operator").arg(backend->ops.size()));
                            }),
                qPrintable(list->item(row)->text()));
        }
    }

    void usualBackendsAreOneClick() {
        BackendsDialog dialog(window().document().choice().backends, {}, &window());
        const auto chosen = [&] {
            QStringList names;
            for (const BackendPtr& backend : dialog.chosen()) names << QString::fromStdString(backend->name);
            return names;
        };
        QTest::mouseClick(buttonOf<QPushButton>(dialog, "For &speed"), Qt::LeftButton);
        QCOMPARE(chosen(), (QStringList{"dnnl_all", "ccompiler_wide"}));
        QTest::mouseClick(buttonOf<QPushButton>(dialog, "As in &TVM"), Qt::LeftButton);
        QCOMPARE(chosen(), (QStringList{"dnnl", "ccompiler"}));
    }

    void anotherThemeIsTakenByAllAndDoublesNothing() {
        QVERIFY(fixture_->openOneDivide());
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("multiply"));
        DiffPage* page = window().pages().compare();
        QComboBox& after = page->source(DiffSideName::After);
        after.setCurrentText("After partition");
        emit after.activated(after.currentIndex());
        window().panels().show(&window().panels().coverage());
        QVERIFY(fixture_->settle());
        QVERIFY(page->list().count() > 0);
        const auto rows = [this] {
            QStringList rows;
            for (const QAbstractItemView* view : window().findChildren<QAbstractItemView*>())
                if (view->model())
                    rows << QStringLiteral("%1: %2").arg(view->accessibleName()).arg(view->model()->rowCount());
            return rows;
        };
        const auto* inspector = window().panels().inspector().findChild<QTextBrowser*>();
        const QStringList before = rows();
        const QString text = inspector->toHtml();
        Settings settings = window().settings();
        settings.theme = ThemeChoice::Dark;
        window().applySettings(settings);
        QVERIFY(fixture_->settle());
        QCOMPARE(rows(), before);
        QVERIFY(inspector->toHtml() != text);
        for (const GraphView* view : window().findChildren<GraphView*>()) QVERIFY(view->theme().dark);
    }

    void anotherModuleHasNoTimesYet() {
        QVERIFY(fixture_->openOneDivide());
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        auto* chart = window().panels().timing().findChild<TimingChart*>();
        QVERIFY(!Painted(*chart->viewport()).words.empty());
        QVERIFY(!window().panels().timing().timeline().rows().rows.empty());
        QVERIFY(fixture_->open(fixture_->file("other.relay", kOneDivide)));
        QVERIFY(Painted(*chart->viewport()).words.empty());
        QVERIFY(window().panels().timing().timeline().rows().rows.empty());
    }

    void aJobIsShownFromItsBeginningAndStops() {
        const auto* bar = window().statusBar()->findChild<QProgressBar*>();
        for (const double fraction : {0.7, 0.0}) {
            QSemaphore seen;
            window().jobs().start<int>(
                "Working", this,
                [&](const JobContext& context) {
                    context.progress(fraction, "a part");
                    seen.acquire();
                    return 0;
                },
                [](int) {});
            (void)QTest::qWaitFor([&] { return bar->value() == int(fraction * 1000); }, 5000);
            const int value = bar->value();
            seen.release();
            QVERIFY(fixture_->settle());
            QCOMPARE(value, int(fraction * 1000));
        }
        bool stopped = false;
        const quint64 job = window().jobs().start<int>(
            "Working", this,
            [&](const JobContext& context) {
                for (int i = 0; i < 5000 && !context.cancel.cancelled(); ++i) QThread::msleep(1);
                stopped = context.cancel.cancelled();
                return 0;
            },
            [](int) {});
        window().jobs().cancel(job);
        QVERIFY(fixture_->settle());
        QVERIFY(stopped);
    }

    /// What moves once is waited for; what never ends is not.
    void aMovementIsAPause() {
        QObject root;
        auto* animation = new QVariantAnimation(&root);
        animation->setStartValue(0);
        animation->setEndValue(1);
        animation->setDuration(60000);
        QVERIFY(!has_pauses(root));
        animation->start();
        QVERIFY(has_pauses(root));
        animation->stop();
        animation->setLoopCount(-1);
        animation->start();
        QVERIFY(!has_pauses(root));
    }

    void comparingRegionsThatIsStoppedCanBeStartedAgain() {
        QVERIFY(fixture_->openOneDivide());
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        QToolButton* compare = nullptr;
        for (QToolButton* button : window().panels().timing().findChildren<QToolButton*>())
            if (button->toolTip().startsWith("Run again and hold")) compare = button;
        QVERIFY(compare && compare->isEnabled());
        compare->click();
        QVERIFY(!compare->isEnabled());
        window().jobs().cancelAll();
        QVERIFY(fixture_->settle());
        QVERIFY(compare->isEnabled());
    }

    void whatStayedIsToldOnlyWhereBackendsAndCallsAre_data() {
        QTest::addColumn<QStringList>("backends");
        QTest::addColumn<QByteArray>("module");
        QTest::addColumn<bool>("told");
        const QByteArray nothing = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { %x }\n";
        QTest::newRow("both") << QStringList{"ccompiler"} << QByteArray(kOneDivide) << true;
        QTest::newRow("no backends") << QStringList{} << QByteArray(kOneDivide) << false;
        QTest::newRow("no calls") << QStringList{"ccompiler"} << nothing << false;
    }
    void whatStayedIsToldOnlyWhereBackendsAndCallsAre() {
        QFETCH(QStringList, backends);
        QFETCH(QByteArray, module);
        QFETCH(bool, told);
        window().setBackends(backends);
        QVERIFY(fixture_->open(fixture_->file("module.relay", module)));
        QSignalSpy spy(&window().panels().coverage(), &CoveragePanel::told);
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(!spy.empty(), told);
    }

    void aDivisionThatFailsShowsTheProblems() {
        QVERIFY(fixture_->openOneDivide());
        window().panels().problems().parentWidget()->close();
        QVERIFY(!window().panels().problems().isVisible());
        emit window().document().flowFailed("no such pass");
        QVERIFY(window().panels().problems().isVisible());
        QCOMPARE(window().statusBar()->currentMessage(), QStringLiteral("no such pass"));
    }

    void theProblemsOfOneFileAreWithdrawnAlone() {
        Document& document = window().document();
        QVERIFY(fixture_->openOneDivide());
        for (const char* file : {"one.json", "other.json", "one.json"}) {
            Diagnostic problem;
            problem.file = file;
            problem.message = "no such backend";
            document.report(problem);
        }
        document.withdraw("one.json");
        QCOMPARE(document.problems().size(), size_t(1));
        QCOMPARE(document.problems()[0].file, QStringLiteral("other.json"));
    }

    void figuresOfTheAxisStandInItsMiddle() {
        TimingRowsView view("Timeline");
        view.resize(900, 200);
        view.show();
        view.setRows(timeline_of(madeUpRun()));
        const double row = view.barRect(0, 0).center().y(), next = view.barRect(2, 0).center().y();
        const double axis = row - (next - row) / 4;
        const QRectF figure = Painted(*view.viewport()).placeOf("0");
        QVERIFY(!figure.isNull());
        QVERIFY2(std::abs(figure.center().y() - axis / 2) < 0.6,
                 qPrintable(QString::number(figure.center().y() - axis / 2)));
    }

    void aWholeRegionMeasuredAsOneHasHeat() {
        window().setBackends({"ccompiler"});
        QVERIFY(fixture_->open(fixture_->file(
            "whole.relay", "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { add(add(%x, %x), %x) }\n")));
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().action("run")->trigger();
        QVERIFY(fixture_->settle());
        const RunOutcomePtr run = window().document().runOutcome();
        QVERIFY(run && run->report.regions.size() == 1 && run->report.regions[0].ops.empty());
        for (const GraphNode& node : fixture_->view().model()->nodes)
            QCOMPARE(run->heat[node.expr.value], node.title == "add" ? 1.0F : -1.0F);
    }

    void aKeptRunIsAskedFor() {
        QString title;
        QTimer::singleShot(200, [&title] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            title = dialog->windowTitle();
            dialog->reject();
        });
        buttonOf(window().panels().timing().history(), "Open a run…")->click();
        QTRY_COMPARE(title, QStringLiteral("Open a run"));
    }

    void linksOfTheInspectorLeadThere() {
        QVERIFY(fixture_->openOneDivide());
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        auto* text = window().panels().inspector().findChild<QTextBrowser*>();
        const auto regions = window().document().flow()->regions;
        QVERIFY(regions.size() > 1);
        const auto follow = [text](const QString& link) { emit text->anchorClicked(QUrl(link)); };
        for (size_t i = 0; i < regions.size(); ++i) {
            follow(QStringLiteral("region:%1").arg(i));
            QVERIFY(window().document().selection() == regions[i].expressions);
        }
        follow(QStringLiteral("region:%1").arg(regions.size()));  // of a division that was there before
        QVERIFY(window().document().selection() == regions.back().expressions);
        QSignalSpy rule(&window().panels().inspector(), &InspectorPanel::ruleWanted);
        follow("rule:1/ops.add");
        QCOMPARE(rule.takeFirst(), (QVariantList{1, "ops.add"}));
        follow("expr:3");
        QVERIFY(window().document().selection() == std::vector<ExprId>{ExprId(3)});
    }

    void refusalsAreColouredInTheListOfSteps() {
        QVERIFY(fixture_->open(PARTITA_SOURCE_DIR "/samples/diamond.relay"));
        window().action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window().panels().show(&window().panels().steps());
        const QAbstractItemModel& steps = *window().panels().steps().findChild<QListView*>()->model();
        const auto coloured = [&steps] {
            int count = 0;
            for (int row = 0; row < steps.rowCount(); ++row)
                count += steps.index(row, 0).data(Qt::ForegroundRole).isValid();
            return count;
        };
        const int all = steps.rowCount(), refusals = coloured();
        QVERIFY(refusals > 0 && refusals < all);
        for (QComboBox* box : window().panels().steps().findChildren<QComboBox*>())
            if (box->accessibleName() == "Which decisions") box->setCurrentText("Refusals");
        QVERIFY(fixture_->settle());
        QCOMPARE(steps.rowCount(), refusals);
        QCOMPARE(coloured(), refusals);
    }
};

PARTITA_TEST(TestPanels)

}  // namespace test_panels

#include "test_panels.moc"
