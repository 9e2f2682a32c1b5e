// The views of a run, used as a person uses them: clicks and keys on the timeline, the flame, the roofline and the
// comparison of runs select in the graph; regions are compared; code of descriptions asks first; reports are written.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/panels/timing/heat_legend.h"
#include "app/gui/panels/timing/timing_alike_view.h"
#include "app/gui/panels/timing/timing_history.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/panels/timing/timing_roofline_view.h"
#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/panels/timing/timing_rows_view.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/foreign_text.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"
#include "engine/support/natural_order.h"
#include "tests/app/painted.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_timing_views {

using namespace partita;

class TestTimingViews : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> fixture_;
    TimingPanel& panel() { return fixture_->window->panels().timing(); }
    Document& document() { return fixture_->window->document(); }

    bool run() {
        fixture_->window->action("run")->trigger();
        return fixture_->settle() && document().runOutcome() != nullptr;
    }
    void divide() {
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
    }
    void show(QWidget& view) {
        fixture_->window->panels().show(&panel());
        panel().views().setCurrentWidget(&view);
        QVERIFY(fixture_->settle());
    }
    void noTableScrollsSideways(int width) {
        fixture_->window->resize(width, 768);
        QVERIFY(fixture_->settle());
        QVERIFY2(fixture_->window->width() <= width, qPrintable(QString::number(fixture_->window->width())));
        QTreeView& table = panel().table();
        QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
        for (int column : {TimingModel::Name, TimingModel::Median, TimingModel::Share})
            QVERIFY(!table.isColumnHidden(column));
        QVERIFY(table.columnWidth(0) >= 100);
        // Names have all the room that is left, or as much as they can use.
        const int names = table.columnWidth(0), room = table.viewport()->width() - (table.header()->length() - names);
        QCOMPARE(names, std::min(room, 420));
    }
    /// The first bar of a row that belongs to this region.
    static int barOf(const TimingRowsView& view, int row, int region) {
        const auto& bars = view.rows().rows[size_t(row)].bars;
        for (size_t i = 0; i < bars.size(); ++i)
            if (bars[i].region == region) return int(i);
        return -1;
    }
    int regionOf(const std::string& backend) {
        const auto& regions = document().runOutcome()->report.regions;
        for (size_t i = 0; i < regions.size(); ++i)
            if (regions[i].backend == backend) return int(i);
        return -1;
    }
    std::set<uint32_t> selected() {
        std::set<uint32_t> ids;
        for (ExprId id : document().selection()) ids.insert(id.value);
        return ids;
    }
    std::set<uint32_t> expressionsOf(int region) {
        std::set<uint32_t> ids;
        const std::string name = document().runOutcome()->report.regions[size_t(region)].name;
        for (const RegionInfo& info : document().runOutcome()->flow->regions)
            if (info.function == name)
                for (ExprId id : info.expressions) ids.insert(id.value);
        return ids;
    }
    void clickBar(TimingRowsView& view, int row, int bar) {
        // Narrow bars are zoomed to first, as a person would.
        for (int i = 0; i < 40 && view.barRect(row, bar).width() < 6; ++i) QTest::keyClick(&view, Qt::Key_Plus);
        QPoint place = view.barRect(row, bar).center().toPoint();
        if (!view.viewport()->rect().contains(place)) {
            view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() + place.x() -
                                                 view.viewport()->width() / 2);
            place = view.barRect(row, bar).center().toPoint();
        }
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place);
    }

private slots:
    void theTableNeverScrollsSideways_data() {
        QTest::addColumn<int>("width");
        for (int width : {1600, 1320, 1200, 1024}) QTest::addRow("%d", width) << width;
    }
    void theTableNeverScrollsSideways() {
        QFETCH(int, width);
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().table());
        panel().views().setCurrentIndex(0);
        noTableScrollsSideways(width);
    }

    /// dnnl_all is a description: what runs its regions has another name.
    void aRegionOfWhichDefaultComputesOneOperatorDidNotFallBack() {
        fixture_->window->setBackends({QStringLiteral("dnnl_all")});
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("exp.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) { %0 = nn.relu(%x); %1 = exp(%0); add(%1, %x) }
)")));
        divide();
        QVERIFY(run());
        QCOMPARE(panel().table().model()->index(0, TimingModel::ExecutedBy).data().toString(),
                 QStringLiteral("dnnl, partly default"));
    }

    void whatANarrowTableHidesIsInItsTip() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().table());
        QTreeView& table = panel().table();
        const auto tip = [&table] {
            const QPoint place = table.visualRect(table.model()->index(0, 0)).center();
            QHelpEvent event(QEvent::ToolTip, place, table.viewport()->mapToGlobal(place));
            QApplication::sendEvent(table.viewport(), &event);
            return QToolTip::isVisible() ? QToolTip::text().split('\n') : QStringList();
        };
        fixture_->window->resize(1024, 768);
        QVERIFY(fixture_->settle());
        const QAbstractItemModel& model = *table.model();
        int hidden = 0;
        for (int column = 1; column < model.columnCount(); ++column) {
            const QString value = model.index(0, column).data().toString();
            const QString line = model.headerData(column, Qt::Horizontal).toString() + ": " + value;
            const bool told = tip().contains(line);
            QVERIFY2(!told || table.isColumnHidden(column), qPrintable(line));
            hidden += told;
        }
        QVERIFY(hidden > 0);
    }

    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        forget_permits();
    }
    void cleanup() { fixture_.reset(); }

    void aClickInTheTimelineSelectsRegionAndOperator() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().timeline());
        TimingRowsView& view = panel().timeline();
        QVERIFY(view.rows().rows.size() >= 3);
        const int region = regionOf("ccompiler");
        clickBar(view, 0, barOf(view, 0, region));
        QVERIFY(!selected().empty());
        QCOMPARE(selected(), expressionsOf(region));
        // The other views follow.
        QCOMPARE(panel().table().currentIndex().data(TimingModel::RegionRole).toInt(), region);

        const int bar = barOf(view, 1, regionOf("default"));
        QVERIFY(bar >= 0);
        clickBar(view, 1, bar);
        QCOMPARE(document().selection().size(), size_t(1));
        QCOMPARE(document().selection()[0], view.rows().rows[1].bars[size_t(bar)].origin);
        fixture_->picture("timing-timeline");
    }

    void anOperatorSelectedOnTheGraphIsMarkedInTheViews() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().flame());
        fixture_->click(fixture_->nodeOf("divide"));
        QVERIFY(!selected().empty());
        const QModelIndex row = panel().table().currentIndex();
        QCOMPARE(row.data(TimingModel::OriginRole).toUInt(), document().selection()[0].value);
    }

    void theKeyboardWalksTheTimelineAndZooms() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().timeline());
        TimingRowsView& view = panel().timeline();
        view.setFocus();
        QSignalSpy chosen(&view, &TimingRowsView::chosen);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(chosen.count(), 3);
        const double before = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > before);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.zoom(), 1.0);
        QWheelEvent wheel(QPointF(300, 40), view.mapToGlobal(QPointF(300, 40)), {}, QPoint(0, 240), Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.viewport(), &wheel);
        QVERIFY(view.zoom() > 1.5);
    }

    void ticksHaveNoMoreDecimalsThanTheyNeed() {
        QCOMPARE(tick_text(2, 2, 11), QStringLiteral("2 ms"));
        QCOMPARE(tick_text(0.5, 0.5, 2), QStringLiteral("0.5 ms"));
        QCOMPARE(tick_text(30.02, 0.02, 60), QStringLiteral("30.02 ms"));
        QCOMPARE(tick_text(0.2, 0.1, 0.9), QStringLiteral("200 µs"));
        QCOMPARE(tick_text(0.2, 0.1, 1), QStringLiteral("0.2 ms"));
        QCOMPARE(tick_text(0, 2, 11), QStringLiteral("0"));
    }

    void aRunsTitleThatIsTooLongEndsInDots() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        auto* history = fixture_->window->findChild<TimingHistory*>();
        auto* box = history->findChild<ElidedComboBox*>();
        // Of the backends that were chosen those that got a region.
        QVERIFY2(box->currentText().contains(QStringLiteral("on ccompiler, ")), qPrintable(box->currentText()));
        QVERIFY2(!box->currentText().contains(QStringLiteral("dnnl")), qPrintable(box->currentText()));
        box->resize(150, box->height());
        QVERIFY2(box->shownText().endsWith(QChar(0x2026)), qPrintable(box->shownText()));
        QVERIFY(box->fontMetrics().horizontalAdvance(box->shownText()) < 150);
        box->resize(1500, box->height());
        QCOMPARE(box->shownText(), box->currentText());
    }

    void theFlamePutsOperatorsUnderTheirRegion() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        show(panel().flame());
        const TimingRows& rows = panel().flame().rows();
        QCOMPARE(rows.rows.size(), size_t(3));
        QCOMPARE(rows.rows[0].bars.size(), size_t(1));
        for (const TimingBarItem& op : rows.rows[2].bars) {
            const int parent = barOf(panel().flame(), 1, op.region);
            QVERIFY(parent >= 0);
            const TimingBarItem& region = rows.rows[1].bars[size_t(parent)];
            QVERIFY(op.start >= region.start - 1e-9 && op.start + op.duration <= region.start + region.duration + 1e-9);
        }
        const int region = regionOf("ccompiler");
        clickBar(panel().flame(), 1, barOf(panel().flame(), 1, region));
        QCOMPARE(selected(), expressionsOf(region));
        fixture_->picture("timing-flame");
    }

    void withoutARunNoRowOfRegionsIsLeft() {
        QVERIFY(fixture_->openOneDivide());
        TimingAlikeView view(document());
        AlikeTimes alike;
        alike.operators = "add";
        alike.regions = {0};
        view.setClasses({alike});
        QCOMPARE(view.topLevelItemCount(), 1);
        view.setClasses({});
        QCOMPARE(view.topLevelItemCount(), 0);
    }

    void theRooflineMeasuresTheMachineAndSelects() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        QVERIFY(!panel().machine());
        show(panel().roofline());
        QVERIFY(panel().machine());
        QVERIFY(panel().machine()->flops > 0 && panel().machine()->bandwidth > 0);
        TimingRooflineView& view = panel().roofline();
        QVERIFY(!view.dots().empty());
        for (size_t i = 0; i < view.dots().size(); ++i) {
            QVERIFY(view.rect().contains(view.placeOf(int(i)).toPoint()));
            QVERIFY(view.dots()[i].point.flops <= 100 * panel().machine()->flops);
        }
        // Points may lie on each other: the keyboard reaches each.
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(panel().table().currentIndex().data(TimingModel::RegionRole).toInt(), view.dots()[0].region);
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.placeOf(0).toPoint());
        QVERIFY(!selected().empty());
        QHelpEvent asked(QEvent::ToolTip, view.placeOf(0).toPoint(), view.mapToGlobal(view.placeOf(0).toPoint()));
        QVERIFY(QApplication::sendEvent(&view, &asked));
        QVERIFY2(QToolTip::text().contains("operations for each byte"), qPrintable(QToolTip::text()));
        fixture_->picture("timing-roofline");
    }

    /// A low dock gives it more of the window while it is looked at.
    void theRooflineHasTheHeightToBeRead() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        fixture_->window->resize(1280, 800);
        QVERIFY(fixture_->settle());
        panel().views().setCurrentIndex(0);
        QVERIFY(fixture_->settle());
        const int before = panel().height();
        panel().views().setCurrentWidget(&panel().roofline());
        QTRY_VERIFY2(panel().roofline().height() >= 200, qPrintable(QString::number(panel().roofline().height())));
        panel().views().setCurrentIndex(0);
        QTRY_VERIFY2(std::abs(panel().height() - before) < 3,
                     qPrintable(QStringLiteral("%1, was %2").arg(panel().height()).arg(before)));
    }

    /// A dot's name stands beside it, to the left where there is no room to the right.
    void theNameOfADotStandsBesideIt() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        TimingRooflineView& view = panel().roofline();
        show(view);
        view.setFocus();
        int left = 0;
        for (size_t i = 0; i < view.dots().size(); ++i) {
            QTest::keyClick(&view, Qt::Key_Right);
            const QString name = view.dots()[i].name;
            for (const int width : {view.width(), 260}) {
                view.resize(width, view.height());
                for (const PaintedWords& each : Painted(view).words) {
                    if (!each.words.startsWith(name + ": ")) continue;
                    const double dot = view.placeOf(int(i)).x();
                    QVERIFY2(each.box.left() > dot || each.box.right() < dot, qPrintable(each.words));
                    left += each.box.right() < dot;
                }
            }
        }
        QVERIFY(left > 0);
    }

    void runsAreKeptAndComparedSideBySide() {
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(run());
        TimingHistory& history = panel().history();
        QCOMPARE(history.runs().size(), size_t(1));
        QCOMPARE(history.model().rowCount(), 0);
        divide();
        QVERIFY(run());
        QCOMPARE(history.runs().size(), size_t(2));
        show(history);
        QCOMPARE(history.a().currentIndex(), 0);
        QCOMPARE(history.b().currentIndex(), 1);
        for (int run = 0; run < 2; ++run)
            QVERIFY(history.a().itemData(run, Qt::ToolTipRole).toString().startsWith(history.a().itemText(run) + '\n'));
        int only_b = -1;
        for (int row = 0; row < history.model().rowCount(); ++row)
            if (history.model().index(row, RunDifferenceModel::Verdict).data().toString() == "only in B" &&
                !history.model().index(row, 0).data(RunDifferenceModel::RegionRole).toString().isEmpty())
                only_b = row;
        QVERIFY(only_b >= 0);
        const QRect cell = history.table().visualRect(history.model().index(only_b, 0));
        QTest::mouseClick(history.table().viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(!selected().empty());
        QCOMPARE(selected(), expressionsOf(panel().table().currentIndex().data(TimingModel::RegionRole).toInt()));
        fixture_->picture("timing-compare");

        QTest::keyClick(&history.b(), Qt::Key_Up);  // B is A now
        QVERIFY(fixture_->settle());
        QCOMPARE(history.model().index(0, RunDifferenceModel::Ratio).data().toString(), QString("1.000"));
        panel().copyCsv();
        QVERIFY(fixture_->settle());
        QVERIFY(QApplication::clipboard()->text().startsWith("kind,name,a_ms,b_ms,ratio"));
        panel().views().setCurrentIndex(0);
        panel().copyCsv();
        QVERIFY(fixture_->settle());
        QVERIFY(QApplication::clipboard()->text().startsWith("region,operator,number,backend"));
        QVERIFY(fixture_->window->statusBar()->currentMessage().contains("on the clipboard"));
    }

    /// Its operators may lie in several regions now.
    void aRegionOfAnEarlierDivisionIsNotSelectedInAnother() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        const auto& regions = panel().model().report()->regions;
        int largest = 0;
        for (int i = 0; i < int(regions.size()); ++i)
            if (expressionsOf(i).size() > expressionsOf(largest).size()) largest = i;
        const ExprId inside(*expressionsOf(largest).begin());
        QVERIFY(expressionsOf(largest).size() > 1);
        document().giveToBackend({inside}, 1);
        QVERIFY(fixture_->settle());
        document().setSelection({});
        emit panel().timeline().chosen(largest, ExprId());
        QVERIFY(document().selection().empty());
        QVERIFY2(fixture_->window->statusBar()->currentMessage().contains("earlier division"),
                 qPrintable(fixture_->window->statusBar()->currentMessage()));
        // Comparing runs what is divided now.
        fixture_->window->action("compare-regions")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(document().runOutcome()->revision, document().revision());
    }

    void ofALongRegionTheLongestOperatorsAreShown() {
        constexpr int kOps = int(TimingModel::kMostOps) + 50;
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  %0 = tanh(%x);\n";
        for (int i = 1; i < kOps - 1; ++i)
            text += "  %" + QByteArray::number(i) + " = tanh(%" + QByteArray::number(i - 1) + ");\n";
        QVERIFY(
            fixture_->open(fixture_->file("long.relay", text + "  exp(%" + QByteArray::number(kOps - 2) + ")\n}\n")));
        QVERIFY(run());
        show(panel().table());
        const auto& ops = document().runOutcome()->report.regions[0].ops;
        QCOMPARE(ops.size(), size_t(kOps));
        TimingModel& model = panel().model();
        const QModelIndex region = model.index(0, 0);
        QCOMPARE(model.rowCount(region), int(TimingModel::kMostOps) + 1);
        // The last row stands for the others, however the table is sorted; no time is lost.
        for (const auto& [column, order] : {std::pair(TimingModel::Median, Qt::AscendingOrder),
                                            {TimingModel::Name, Qt::AscendingOrder},
                                            {TimingModel::Median, Qt::DescendingOrder}}) {
            panel().table().sortByColumn(column, order);
            QCOMPARE(model.index(int(TimingModel::kMostOps), 0, region).data().toString(),
                     QString("50 shorter operators"));
            double shown = 0, whole = 0;
            for (int row = 0; row < model.rowCount(region); ++row)
                shown += model.index(row, TimingModel::Share, region).data(TimingModel::ShareRole).toDouble();
            for (const OpTiming& op : ops) whole += op.time.median;
            QVERIFY(std::abs(shown - whole / document().runOutcome()->report.regions[0].time.median) < 1e-6);
        }
        // Longest first; a row keeps its operator when the table is sorted anew.
        const auto share = [&](int row) { return model.index(row, 0, region).data(TimingModel::ShareRole).toDouble(); };
        for (int row = 1; row < int(TimingModel::kMostOps); ++row) QVERIFY(share(row) <= share(row - 1));
        panel().table().setCurrentIndex(model.index(7, 0, region));
        const uint32_t chosen = document().selection().front().value;
        panel().table().sortByColumn(TimingModel::Median, Qt::AscendingOrder);
        QCOMPARE(panel().table().currentIndex().data(TimingModel::OriginRole).toUInt(), chosen);
        // Nothing after it is shorter and nothing before it is longer; many take the same time.
        const int place = panel().table().currentIndex().row();
        for (int row = 0; row < int(TimingModel::kMostOps); ++row)
            QVERIFY(row < place ? share(row) <= share(place) : share(row) >= share(place));
        // One that has no row of its own is found in that of the others.
        int without_row = 0;
        for (const OpTiming& op : ops) {
            const QModelIndex row = model.indexOf(0, op.origin);
            QVERIFY(row.isValid());
            without_row += row.row() == int(TimingModel::kMostOps);
        }
        QCOMPARE(without_row, 50);
        QCOMPARE(csv_of(*model.report()).count(QLatin1Char('\n')), kOps + 2);
        // A run of so many can be compared in this start, but no project keeps it.
        QCOMPARE(panel().history().runs().size(), size_t(1));
        QVERIFY(document().runHistory().empty());
        show(panel().timeline());
        QCOMPARE(panel().timeline().rows().rows[1].bars.size(), size_t(kOps));
        fixture_->picture("timing-long");
    }

    /// A table lays out all of its rows: of many regions those that were not scrolled to have none.
    void rowsOfManyRegionsComeAsTheyAreLookedAt() {
        constexpr int kRegions = TimingModel::kRegionsAtOnce + 300;
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1), float32]) {\n  %0 = tanh(%x);\n";
        for (int i = 1; i < 2 * kRegions; ++i)
            text += "  %" + QByteArray::number(i) + (i % 2 ? " = add(%" : " = tanh(%") + QByteArray::number(i - 1) +
                    (i % 2 ? ", 1f);\n" : ");\n");
        QVERIFY(fixture_->open(
            fixture_->file("many.relay", text + "  tanh(%" + QByteArray::number(2 * kRegions - 1) + ")\n}\n")));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(run());
        show(panel().table());
        TimingModel& model = panel().model();
        const int all = int(document().runOutcome()->report.regions.size());
        QVERIFY2(all > TimingModel::kRegionsAtOnce, qPrintable(QString::number(all)));
        QVERIFY(model.rowCount() < all);
        // The longest are there, however the rows are sorted; what is marked stays marked.
        const auto median = [&](int row) {
            return document()
                .runOutcome()
                ->report.regions[size_t(model.index(row, 0).data(TimingModel::RegionRole).toInt())]
                .time.median;
        };
        panel().table().sortByColumn(TimingModel::Median, Qt::DescendingOrder);
        for (int row = 1; row < model.rowCount(); ++row) QVERIFY(median(row) <= median(row - 1));
        // One without a row gets it when it is asked for.
        int last = 0;
        for (int region = 0; region < all; ++region)
            if (document().runOutcome()->report.regions[size_t(region)].time.median <
                document().runOutcome()->report.regions[size_t(last)].time.median)
                last = region;
        const QModelIndex found = model.indexOf(last, ExprId());
        QVERIFY(found.isValid());
        QCOMPARE(found.data(TimingModel::RegionRole).toInt(), last);
        panel().table().scrollToBottom();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&panel().table(), Qt::Key_End);
        QTRY_COMPARE(model.rowCount(), all);
        // By name, as people order them: "..._main_9" before "..._main_10".
        const auto name = [&](int row) {
            return document()
                .runOutcome()
                ->report.regions[size_t(model.index(row, 0).data(TimingModel::RegionRole).toInt())]
                .name;
        };
        const RunOutcome& outcome = *document().runOutcome();
        for (size_t a = 0; a < outcome.report.regions.size(); ++a)
            for (size_t b = 0; b < outcome.report.regions.size(); ++b)
                if (natural_less(outcome.report.regions[a].shown(), outcome.report.regions[b].shown()))
                    QVERIFY(outcome.places_by_name[a] < outcome.places_by_name[b]);
        panel().table().sortByColumn(TimingModel::Name, Qt::AscendingOrder);
        for (int row = 1; row < all; ++row) QVERIFY2(natural_less(name(row - 1), name(row)), name(row).c_str());
        panel().table().sortByColumn(TimingModel::Name, Qt::DescendingOrder);
        for (int row = 1; row < all; ++row) QVERIFY2(natural_less(name(row), name(row - 1)), name(row).c_str());
        panel().table().sortByColumn(TimingModel::ExecutedBy, Qt::AscendingOrder);
        for (int row = 1; row < all; ++row)
            QVERIFY(model.index(row - 1, TimingModel::ExecutedBy).data().toString() <=
                    model.index(row, TimingModel::ExecutedBy).data().toString());
        QCOMPARE(csv_of(*model.report()).count(QLatin1Char('\n')) > all, true);
    }

    void aKeptRunGoesThroughAFile() {
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(run());
        QTemporaryDir folder;
        TimingHistory& history = panel().history();
        QVERIFY(bool(history.saveTo(folder.filePath("run.json"))));
        QVERIFY(run());
        QVERIFY(bool(history.openFrom(folder.filePath("run.json"))));
        QCOMPARE(history.runs().size(), size_t(3));
        QCOMPARE(history.a().currentIndex(), 2);
        QVERIFY(std::abs(history.runs()[2]->report.time.median - history.runs()[0]->report.time.median) < 1e-9);
        QFile bad(folder.filePath("bad.json"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("{}");
        bad.close();
        QVERIFY(!history.openFrom(bad.fileName()));
        QCOMPARE(history.runs().size(), size_t(3));
    }

    void runsAreKeptInTheProject() {
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(run());
        QVERIFY(run());
        const QString project = fixture_->file("kept.partita", "");
        fixture_->window->document().saveProject(project);
        QVERIFY(fixture_->settle());
        QCOMPARE(document().runHistory().size(), size_t(2));
        const double median = document().runHistory().back()->report.time.median;
        // Opened again in the same start they are known; in a new start they come from the project.
        QVERIFY(fixture_->open(project));
        QCOMPARE(panel().history().runs().size(), size_t(2));
        WindowFixture later;
        QVERIFY(later.open(project));
        QCOMPARE(later.window->panels().timing().history().runs().size(), size_t(2));
        QCOMPARE(later.window->panels().timing().history().runs().back()->report.time.median, median);
        QCOMPARE(later.window->panels().timing().history().a().currentIndex(), 0);
        QCOMPARE(later.window->panels().timing().history().b().currentIndex(), 1);
        // Two runs of one second that took the same time are two.
        RunRecord another = *later.window->document().runHistory().back();
        another.report.time.median += 1000;
        later.window->panels().timing().history().addMissing(
            {std::make_shared<RunRecord>(another), std::make_shared<RunRecord>(another)});
        QCOMPARE(later.window->panels().timing().history().runs().size(), size_t(4));
        // What can't be read is left out; the rest of the project counts.
        QFile file(project);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll().replace("\"median_ms\"", "\"medan_ms\"");
        file.resize(0);
        file.seek(0);
        file.write(text);
        file.close();
        WindowFixture damaged;
        QVERIFY(damaged.open(project));
        QVERIFY(damaged.window->panels().timing().history().runs().empty());
    }

    void theLegendSaysWhatTheHeatStandsFor() {
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(run());
        fixture_->window->panels().show(&panel());
        QVERIFY(!panel().heatLegend().isVisible());
        panel().heatSwitch().click();
        QVERIFY(panel().heatLegend().isVisible());
        double longest = 0;
        for (const RegionTiming& region : document().runOutcome()->report.regions)
            for (const OpTiming& op : region.ops) longest = std::max(longest, op.time.median);
        QCOMPARE(panel().heatLegend().longest(), longest);
        // The key does the same.
        QTest::keyClick(&fixture_->view(), Qt::Key_H);
        QVERIFY(!panel().heatSwitch().isChecked() && !panel().heatLegend().isVisible());
        QTest::keyClick(&fixture_->view(), Qt::Key_H);
        QVERIFY(panel().heatSwitch().isChecked() && panel().heatLegend().isVisible());
        fixture_->picture("timing-heat");
    }

    void theFirstWrongRegionIsSelected() {
        QTemporaryDir folder;
        QFile source(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c"), changed(folder.filePath("wrong.c"));
        QVERIFY(source.open(QIODevice::ReadOnly) && changed.open(QIODevice::WriteOnly));
        changed.write(source.readAll().replace("left[i] - right[i]", "left[i] + right[i]"));
        changed.close();
        QCOMPARE(QProcess::execute("cc", {"-shared", "-fPIC", "-I", PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o",
                                          folder.filePath("wrong.so"), changed.fileName()}),
                 0);
        const QString description =
            fixture_->file("wrong.json", "{\"name\": \"wrong\", \"ops\": {\"subtract\": true}, \"codegen\": \"plugin:" +
                                             folder.filePath("wrong.so").toUtf8() + "\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        divide();
        fixture_->window->action("run")->trigger();
        QPushButton* allow = fixture_->window->findChild<QPushButton*>("allow");
        QVERIFY(allow);
        QTest::mouseClick(allow, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(document().runOutcome());
        document().setSelection({});
        fixture_->window->panels().show(&panel());
        QTest::mouseClick(&panel().compareButton(), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(panel().boundaries());
        QVERIFY(first_wrong(*panel().boundaries()));
        QCOMPARE(selected(), expressionsOf(regionOf("wrong")));
        // Each region's figure, and the wrong ones in a colour of warning.
        const TimingModel& model = panel().model();
        bool marked = false;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex cell = model.index(row, TimingModel::Error);
            const bool wrong = cell.data().toString().startsWith(QStringLiteral("✗"));
            marked = marked || wrong;
            QCOMPARE(cell.data(Qt::ForegroundRole).isValid(), wrong);
        }
        QVERIFY(marked);
        QVERIFY2(panel().findChild<QLabel*>("timing-summary")->text().count(QStringLiteral("✗")) == 2,
                 qPrintable(panel().findChild<QLabel*>("timing-summary")->text()));
        fixture_->picture("timing-wrong-region");
    }

    void bisectSelectsTheOperatorThatIsWrong() {
        QTemporaryDir folder;
        QFile source(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c"), changed(folder.filePath("wrong.c"));
        QVERIFY(source.open(QIODevice::ReadOnly) && changed.open(QIODevice::WriteOnly));
        changed.write(source.readAll().replace("left[i] - right[i]", "left[i] + right[i]"));
        changed.close();
        QCOMPARE(QProcess::execute("cc", {"-shared", "-fPIC", "-I", PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o",
                                          folder.filePath("wrong.so"), changed.fileName()}),
                 0);
        const QString description = fixture_->file(
            "wrong.json", "{\"name\": \"wrong\", \"ops\": {\"add\": true, \"subtract\": true}, \"codegen\": \"plugin:" +
                              folder.filePath("wrong.so").toUtf8() + "\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        divide();
        fixture_->window->action("bisect")->trigger();
        QPushButton* allow = fixture_->window->findChild<QPushButton*>("allow");
        QVERIFY(allow);
        QTest::mouseClick(allow, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        const std::vector<ExprId> found = document().selection();
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(document().names().callee(found[0]), std::string("subtract"));
        auto* steps = fixture_->window->findChild<QListWidget*>("culprit-steps");
        QVERIFY(steps && steps->count() >= 2);
        fixture_->picture("bisect");
        fixture_->picture("bisect-steps", steps->window());
        steps->setCurrentRow(0);  // the region
        QVERIFY(document().selection().size() > 1);
    }

    /// The program in its own folder of the build tree starts the process of plug-ins, too.
    void theProgramThatIsStartedFindsItsPlugInHost() {
        const QString program = QStringLiteral(PARTITA_BINARY_DIR "/app/gui/partita");
        QTemporaryDir folder;
        const QString mark = folder.filePath("loaded"), library = folder.filePath("marking.so");
        QFile source(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c"), marking(folder.filePath("marking.c"));
        QVERIFY(source.open(QIODevice::ReadOnly) && marking.open(QIODevice::WriteOnly));
        marking.write(source.readAll() +
                      "\n#include <stdio.h>\n__attribute__((constructor)) static void mark(void) { fclose(fopen(\"" +
                      mark.toUtf8() + "\", \"w\")); }\n");
        marking.close();
        QCOMPARE(QProcess::execute("cc", {"-shared", "-fPIC", "-I", PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o",
                                          library, marking.fileName()}),
                 0);
        const QString description = fixture_->file(
            "marking.json",
            "{\"name\": \"marking\", \"ops\": {\"subtract\": true}, \"codegen\": \"plugin:" + library.toUtf8() + "\"}");
        QSettings trusting(folder.filePath("Partita/Partita.conf"), QSettings::IniFormat);
        trusting.setValue("run/trusted_code", QStringList{"plugin:" + library});
        trusting.sync();
        QProcess window;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("PARTITA_PLUGIN_HOST");
        for (const char* place : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            environment.insert(place, folder.path());
        window.setProcessEnvironment(environment);
        window.start(program, {fixture_->file("one-divide.relay", kOneDivide), "--backends", description, "--do",
                               "annotate,merge,partition,run", "--quit"});
        QVERIFY(window.waitForFinished(120000));
        QCOMPARE(window.exitCode(), 0);
        QVERIFY(QFile::exists(mark));
    }

    void equalRegionsAreSaidToBeEqual() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        fixture_->window->panels().show(&panel());
        QTest::mouseClick(&panel().compareButton(), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(panel().boundaries());
        QCOMPARE(panel().boundaries()->size(), document().runOutcome()->flow->regions.size());
        QVERIFY(!first_wrong(*panel().boundaries()));
        size_t figures = 0;
        for (int row = 0; row < panel().model().rowCount(); ++row)
            figures += !panel().model().index(row, TimingModel::Error).data().toString().isEmpty();
        QCOMPARE(figures, panel().boundaries()->size());
    }

    void codeOfADescriptionAsksOnceAndIsShown() {
        QTemporaryDir folder;
        const QString mark = folder.filePath("ran");
        const QString description = fixture_->file(
            "command.json", "{\"name\": \"mine\", \"ops\": {\"subtract\": true}, \"codegen\": \"command:touch " +
                                mark.toUtf8() + "\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(!QFile::exists(mark));  // neither opening nor dividing runs anything
        const auto answer = [&](const char* button) {
            fixture_->window->action("run")->trigger();
            auto* box = fixture_->window->findChild<QMessageBox*>("code-permission");
            QVERIFY(box && box->informativeText().contains("touch " + mark));
            QPushButton* chosen = button ? box->findChild<QPushButton*>(button)
                                         : qobject_cast<QPushButton*>(box->button(QMessageBox::Cancel));
            QVERIFY(chosen);
            QTest::mouseClick(chosen, Qt::LeftButton);
            QVERIFY(fixture_->settle());
        };
        answer(nullptr);
        QVERIFY(!document().runOutcome() && !QFile::exists(mark));
        answer("without");
        QVERIFY(document().runOutcome() && !QFile::exists(mark));
        QVERIFY(document().runOutcome()->report.regions.back().notice.find("not allowed") != std::string::npos);
        const QList<QLabel*> labels = panel().findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains("0 of 1 regions ran on mine, 1 fell back to default") &&
                   label->text().contains("default compared with itself");
        }));
        // Who ran it is what is coloured, nothing else of the row.
        for (int row = 0; row < panel().table().model()->rowCount(); ++row)
            for (int column = 0; column < panel().table().model()->columnCount(); ++column) {
                const QModelIndex index = panel().table().model()->index(row, column);
                const bool fell_back =
                    index.siblingAtColumn(TimingModel::ExecutedBy).data().toString().contains("fell back");
                QCOMPARE(index.data(Qt::ForegroundRole).isValid(), fell_back && column == TimingModel::ExecutedBy);
            }
        answer("allow");
        QVERIFY(QFile::exists(mark));
        QFile::remove(mark);
        QVERIFY(run());  // asked only once
        QVERIFY(!fixture_->window->findChild<QMessageBox*>("code-permission"));
        QVERIFY(QFile::exists(mark));
    }

    void codeThatNoRegionWouldRunIsNotAskedFor() {
        QTemporaryDir folder;
        const QString description = fixture_->file(
            "unused.json", "{\"name\": \"mine\", \"ops\": {\"nn.conv2d\": true}, \"codegen\": \"command:false\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        const auto not_asked = [&] {
            return run() && !fixture_->window->findChild<QMessageBox*>("code-permission") && document().runOutcome();
        };
        QVERIFY(not_asked());  // nothing is divided
        divide();
        QVERIFY(not_asked());  // divided, and none of it goes there
    }

    void codeThatIsAskedForIsShownWhole() {
        const double room = fixture_->window->screen()->availableSize().width() / 800.0;
        const int letters = int(900 * room * room);
        const QString code = QStringLiteral("echo %1 \u202e%2 last-words")
                                 .arg(QString(letters, QLatin1Char('x')), QString(letters, QLatin1Char(' ')));
        const QString description = fixture_->file(
            "long.json",
            "{\"name\": \"mine\", \"ops\": {\"subtract\": true}, \"codegen\": \"command:" + code.toUtf8() + "\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        divide();
        fixture_->window->action("run")->trigger();
        auto* box = fixture_->window->findChild<QMessageBox*>("code-permission");
        QVERIFY(box);
        const QLabel* label = box->findChild<QLabel*>("qt_msgbox_informativelabel");
        QVERIFY(label && label->width() >= label->minimumSizeHint().width() &&
                label->height() >= label->heightForWidth(label->width()));
        QVERIFY2(box->width() < 1000 && box->height() < 700,
                 qPrintable(QString::number(box->width()) + "x" + QString::number(box->height())));
        QTextDocument text;
        text.setHtml(box->informativeText());
        QVERIFY(text.toPlainText().remove('\n').contains(shown_name(code)));
        fixture_->picture("long-code-permission");
        box->close();
    }

    void moreCodeThanABoxCanShowIsAskedForInTurn() {
        QStringList backends;
        for (const char* op : {"add", "subtract"}) {
            const QByteArray name = QByteArray("long_") + op;
            backends << fixture_->file(name + ".json", "{\"name\": \"" + name + "\", \"ops\": {\"" + op +
                                                           "\": true}, \"codegen\": \"command:false " + op +
                                                           QByteArray(1500, 'x') + "\"}");
        }
        fixture_->window->setBackends(backends);
        QVERIFY(fixture_->openOneDivide());
        divide();
        fixture_->window->action("run")->trigger();
        for (const char* op : {"add", "subtract"}) {
            auto* box = fixture_->window->findChild<QMessageBox*>("code-permission");
            QVERIFY(box && box->informativeText().contains(QString("long_") + op));
            QVERIFY(!document().isRunning());
            QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->window->findChild<QMessageBox*>("code-permission"));
    }

    void aRunCanBeCancelledFromThePanel() {
        QTemporaryDir folder;
        const QString description = fixture_->file(
            "slow.json", "{\"name\": \"slow\", \"ops\": {\"subtract\": true}, \"codegen\": \"command:sleep 50\"}");
        fixture_->window->setBackends({description});
        QVERIFY(fixture_->openOneDivide());
        divide();
        fixture_->window->action("run")->trigger();
        QTest::mouseClick(fixture_->window->findChild<QPushButton*>("allow"), Qt::LeftButton);
        fixture_->window->panels().show(&panel());
        QTest::qWait(300);
        QVERIFY(document().isRunning());
        QPushButton* cancel = nullptr;
        for (QPushButton* button : panel().findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == "Cancel") cancel = button;
        QVERIFY(cancel);
        QElapsedTimer timer;
        timer.start();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(!document().isRunning());
        QVERIFY2(timer.elapsed() < (qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 30000 : 3000),
                 qPrintable(QString::number(timer.elapsed())));
        QVERIFY(!document().runOutcome());
    }

    void theReportHoldsTheTimesOfTheLastRun() {
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        QTemporaryDir folder;
        QSignalSpy exported(&fixture_->window->exports(), &Exports::written);
        fixture_->window->exports().write(folder.filePath("report.html"));
        QVERIFY(fixture_->settle());
        QCOMPARE(exported.count(), 1);
        QFile page(folder.filePath("report.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        for (const char* part : {"<h2>Coverage</h2>", "<h2>Times</h2>", "<h2>Roofline</h2>", "share of the bound"})
            QVERIFY2(html.contains(part), part);
        fixture_->window->exports().write(folder.filePath("report.md"));
        QVERIFY(fixture_->settle());
        QVERIFY(QFile::exists(folder.filePath("report.graph.svg")));
    }

    void theDarkThemeIsReadableToo() {
        Settings settings = fixture_->window->settings();
        settings.theme = ThemeChoice::Dark;
        fixture_->window->applySettings(settings, false);
        QVERIFY(fixture_->openOneDivide());
        divide();
        QVERIFY(run());
        QVERIFY(run());
        const std::pair<QWidget*, const char*> views[] = {{&panel().timeline(), "timing-timeline-dark"},
                                                          {&panel().flame(), "timing-flame-dark"},
                                                          {&panel().roofline(), "timing-roofline-dark"},
                                                          {&panel().history(), "timing-compare-dark"}};
        for (const auto& [view, name] : views) {
            show(*view);
            fixture_->picture(name);
        }
        panel().views().setCurrentIndex(0);
        fixture_->picture("timing-table-dark");
    }
};

PARTITA_TEST(TestTimingViews)

}  // namespace test_timing_views

#include "test_timing_views.moc"
