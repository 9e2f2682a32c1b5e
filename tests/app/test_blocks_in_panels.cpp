// What is alike in the blocks of a deep model stands in one row: steps, causes of coverage, differences. Regions have
// the same short names everywhere.
#include <QtTest>

#include <QListWidget>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTreeView>
#include <QTreeWidget>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/steps/step_delegate.h"
#include "app/gui/panels/steps/step_list.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/pages.h"
#include "tests/app/window_fixture.h"
#include "tests/deep_model.h"
#include "tests/registry.h"

namespace test_blocks_in_panels {

using namespace partita;

namespace {

constexpr int kBlocks = 6;

class DeepFixture : public WindowFixture {
public:
    explicit DeepFixture(const char* command = "whole-flow", int odd = -1) {
        window->setBackends({QStringLiteral("ccompiler")});
        const QByteArray text = QByteArray::fromStdString(deep_model(kBlocks, odd));
        if (!open(file(QStringLiteral("deep.relay"), text))) qFatal("not opened");
        window->action(QString::fromLatin1(command))->trigger();
        if (!settle()) qFatal("not settled");
    }
    QString step(int row) { return list().model()->index(row, 0).data(Qt::ToolTipRole).toString(); }
    int rowOf(const QString& part) {
        for (int row = 0; row < window->panels().steps().rowCount(); ++row)
            if (step(row).contains(part)) return row;
        return -1;
    }
    StepList& list() { return *window->panels().steps().findChild<StepList*>(); }
};

}  // namespace

class TestBlocksInPanels : public QObject {
    Q_OBJECT

private slots:
    void stepsOfAllBlocksAreOneRowThatOpens() {
        DeepFixture fixture("annotate");
        StepsPanel& steps = fixture.window->panels().steps();
        fixture.window->panels().show(&steps);
        const size_t decisions = fixture.window->document().flow()->log.decisions().size();
        const int closed = steps.rowCount();
        QVERIFY2(closed + 2 * kBlocks < int(decisions), qPrintable(QString::number(closed)));
        const int row = fixture.rowOf(QStringLiteral("multiply #3 goes to"));
        QVERIFY(row >= 0);
        QVERIFY2(fixture.step(row).startsWith(QStringLiteral("In each of 6 blocks: multiply #3")),
                 qPrintable(fixture.step(row)));
        // The one step marks all six, and places them.
        steps.goTo(row);
        const auto count_placed = [&] {
            const GraphDecoration& shown = *fixture.view().decoration();
            int count = 0;
            for (int i = 0; i < kBlocks; ++i)
                count += shown.backend_name(shown.backend[size_t(fixture.nodeOf(QStringLiteral("multiply"), i))]) ==
                         QLatin1String("ccompiler");
            return count;
        };
        QCOMPARE(count_placed(), kBlocks);
        // The arrow opens it: then each is a step of its own.
        StepList& list = fixture.list();
        const QRect place = list.visualRect(list.model()->index(row, 0));
        const auto* delegate = static_cast<const StepDelegate*>(list.itemDelegate());
        const int arrow = delegate->columns(list.fontMetrics()).sentence + 4;
        // Its edges are smooth.
        const QImage painted = list.viewport()->grab(QRect(arrow - 4, place.top(), 16, place.height())).toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < painted.height(); ++y)
            for (int x = 0; x < painted.width(); ++x) colours << painted.pixel(x, y);
        QVERIFY2(colours.size() > 3, qPrintable(QString::number(colours.size())));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, QPoint(arrow, place.center().y()));
        QCOMPARE(steps.rowCount(), closed + kBlocks);
        QCOMPARE(steps.currentRow(), row);
        QVERIFY2(fixture.step(row + 3).startsWith(QStringLiteral("Block 3: multiply #")),
                 qPrintable(fixture.step(row + 3)));
        fixture.window->action(QStringLiteral("step-forward"))->trigger();
        fixture.window->action(QStringLiteral("step-forward"))->trigger();
        QCOMPARE(steps.currentRow(), row + 2);
        QCOMPARE(count_placed(), 2);
        fixture.picture(QStringLiteral("steps-blocks"));
        // What is too wide ends in dots; nothing is pushed to the side.
        list.resize(60, list.height());
        list.doItemsLayout();
        QVERIFY(!list.horizontalScrollBar()->isVisible());
        // The keys of a tree.
        list.setFocus();
        QTest::keyClick(&list, Qt::Key_Left);
        QCOMPARE(steps.rowCount(), closed);
        QCOMPARE(steps.currentRow(), row);
        QCOMPARE(count_placed(), kBlocks);
        QTest::keyClick(&list, Qt::Key_Right);
        QCOMPARE(steps.rowCount(), closed + kBlocks);
        QCOMPARE(count_placed(), 0);  // each follows as a step of its own
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(list.model()->index(row, 0)).center());
        QCOMPARE(steps.rowCount(), closed);
        QTest::keyClick(&list, Qt::Key_Right, Qt::ShiftModifier);  // no key of a tree
        QCOMPARE(steps.rowCount(), closed);
        // At the end all is as the result.
        steps.jumpToEnd();
        QCOMPARE(fixture.view().decoration()->backend[size_t(fixture.nodeOf(QStringLiteral("add"), kBlocks - 1))],
                 int16_t(0));
    }

    /// Its values differ from block to block: one stop would tell those of the first.
    void aBreakpointStopsAtEachCallOfAlikeBlocks_data() {
        QTest::addColumn<bool>("closed");
        QTest::newRow("as it is set") << false;
        QTest::newRow("in a row that somebody closed") << true;
    }
    void aBreakpointStopsAtEachCallOfAlikeBlocks() {
        QFETCH(bool, closed);
        DeepFixture fixture("annotate");
        StepsPanel& steps = fixture.window->panels().steps();
        steps.breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ops.multiply"), true);
        QVERIFY(fixture.settle());
        auto& model = static_cast<StepsModel&>(*fixture.list().model());
        for (int row = 0; closed && row < steps.rowCount(); ++row) steps.setOpen(row, false);
        const auto& ops = fixture.window->document().flow()->log.decisions();
        const auto asks = std::ranges::count_if(ops, [](const Decision& decision) {
            return decision.pass == PassKind::Place && decision.rule == "ops.multiply";
        });
        int stops = 0, last = -1;
        for (steps.jumpToBreakpoint(); steps.currentRow() > last; steps.jumpToBreakpoint(), ++stops) {
            last = steps.currentRow();
            QVERIFY(!model.isGroup(last));
        }
        QCOMPARE(stops, int(asks));
        QVERIFY(stops >= kBlocks);
    }

    /// What the filter hides is shown where it reaches a line with a breakpoint: alone, not with what is alike.
    void whatReachesALineStandsAloneAmongWhatIsAlike() {
        DeepFixture fixture("annotate");
        auto& model = static_cast<StepsModel&>(*fixture.list().model());
        const int row = fixture.rowOf(QStringLiteral("multiply #3 goes to"));
        QVERIFY(row >= 0 && model.isGroup(row));
        const auto& all = fixture.window->document().flow()->log.decisions();
        const uint32_t index = uint32_t(&model.decision(row) - all.data());
        model.setFilter(StepFilter::Refusals);
        const int refused = model.rowCount();
        model.setReaching({index});
        QCOMPARE(model.rowCount(), refused + 1);
        const int alone = fixture.rowOf(QStringLiteral("multiply #3 goes to"));
        QVERIFY(alone >= 0 && !model.isGroup(alone));
    }

    void smallNetworksHaveAllTheirSteps() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture.settle());
        size_t wanted = 0;
        for (const Decision& decision : fixture.window->document().flow()->log.decisions())
            wanted += decision.pass <= PassKind::Merge;
        QCOMPARE(size_t(fixture.window->panels().steps().rowCount()), wanted);
    }

    void blocksOfADivisionThatIsGoneAreComparedNoLonger() {
        WindowFixture fixture;
        fixture.window->setBackends({QStringLiteral("ccompiler")});
        const QByteArray text = QByteArray::fromStdString(deep_model(2500));  // so many that a worker compares them
        QVERIFY(fixture.open(fixture.file(QStringLiteral("very-deep.relay"), text)));
        Document& document = fixture.window->document();
        const auto comparing = [&document] {
            int count = 0;
            for (const JobInfo& job : document.jobs().jobs())
                count +=
                    job.title == QLatin1String("Comparing the steps of blocks") && !document.jobs().isCancelled(job.id);
            return count;
        };
        // Undone in the moment when it is there, before any worker may have answered.
        int during = -1, after = -1;
        QObject here;
        connect(&document, &Document::flowChanged, &here, [&] {
            if (during >= 0) return;
            during = comparing();
            document.undoStack().undo();
            after = comparing();
        });
        fixture.window->action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(during, 1);
        QCOMPARE(after, 0);
        QCOMPARE(fixture.window->panels().steps().rowCount(), 0);
    }

    void causesOpenToPlacesInBlocks() {
        DeepFixture fixture;
        CoveragePanel& coverage = fixture.window->panels().coverage();
        fixture.window->panels().show(&coverage);
        QTreeWidget& causes = coverage.causes();
        QTRY_VERIFY(causes.topLevelItemCount() > 0);
        QVERIFY(fixture.settle());
        fixture.window->resize(1900, 1000);  // there is room for all tables
        QTRY_VERIFY(causes.viewport()->width() > 200 && causes.isVisible());
        QTreeWidgetItem* cause = nullptr;
        for (int i = 0; i < causes.topLevelItemCount(); ++i)
            if (causes.topLevelItem(i)->text(0) == QStringLiteral("no rule for tanh") &&
                causes.topLevelItem(i)->text(1) == QStringLiteral("ccompiler"))
                cause = causes.topLevelItem(i);
        QVERIFY(cause);
        QCOMPARE(cause->text(4), QStringLiteral("1 in each of 6 blocks"));
        cause->setExpanded(true);
        QCOMPARE(cause->childCount(), 1);
        QTreeWidgetItem* alike = cause->child(0);
        QCOMPARE(alike->text(0), QStringLiteral("tanh, 6 blocks alike"));
        QCOMPARE(alike->childCount(), kBlocks);
        alike->setExpanded(true);
        const auto click = [&causes](QTreeWidgetItem* item) {
            causes.scrollToItem(item);
            const QRect place = causes.visualItemRect(item);
            QTest::mouseClick(causes.viewport(), Qt::LeftButton, {}, QPoint(place.left() + 30, place.center().y()));
        };
        fixture.picture(QStringLiteral("coverage-blocks"));
        QVERIFY(causes.isVisible());
        click(alike->child(2));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().selection().size(), size_t(1));
        QVERIFY2(alike->child(2)->text(0).startsWith(QStringLiteral("block 3: tanh #")),
                 qPrintable(alike->child(2)->text(0)));
        click(alike);
        QCOMPARE(fixture.window->document().selection().size(), size_t(kBlocks));
        fixture.picture(QStringLiteral("coverage-blocks"));
    }

    void differencesOfAllBlocksAreOneRowThatOpens() {
        DeepFixture fixture;
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QListWidget& list = page->list();
        int row = -1;
        for (int i = 0; i < list.count(); ++i)
            if (list.item(i)->text().startsWith(QStringLiteral("▸ in each of 6 blocks: multiply #3: backend"))) row = i;
        QVERIFY2(row >= 0, qPrintable(list.item(0)->text()));
        const int closed = list.count();
        list.setCurrentRow(row);
        QCOMPARE(list.count(), closed);
        QTest::keyClick(&list, Qt::Key_Right);
        QCOMPARE(list.count(), closed + kBlocks);
        QVERIFY(list.item(row)->text().startsWith(QStringLiteral("▾")));
        QVERIFY(list.item(row + 2)->text().trimmed().startsWith(QStringLiteral("in block 2 of 6: multiply #8")));
        list.setCurrentRow(row + 2);
        fixture.picture(QStringLiteral("diff-blocks"));
        QTest::keyClick(&list, Qt::Key_Left);
        QCOMPARE(list.count(), closed);
        QCOMPARE(list.currentRow(), row);
        list.scrollToItem(list.item(row));
        const QPoint place = list.visualItemRect(list.item(row)).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(list.count(), closed + kBlocks);
    }

    /// The outline has a row for a run of blocks, which says how they differ; a click selects all of them.
    void theOutlineSaysHowBlocksDiffer() {
        DeepFixture fixture("whole-flow", 2);
        QTreeView& tree = fixture.window->panels().outline().tree();
        QTRY_COMPARE(tree.model()->rowCount(), 4);
        const QModelIndex heading = tree.model()->index(1, 0);
        QCOMPARE(heading.data().toString(), QStringLiteral("Blocks (1)"));
        const QModelIndex run = tree.model()->index(0, 0, heading);
        QCOMPARE(run.data().toString(), QStringLiteral("Block A ×6 · 5 alike; block 3: 1 more cast"));
        tree.scrollTo(run);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(run).center());
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().selection().size(), size_t(5 * kBlocks + 1));
        fixture.picture(QStringLiteral("outline-blocks"));
    }

    void aRegionHasOneNameInAllViews() {
        DeepFixture fixture;
        Document& document = fixture.window->document();
        const QString name = QStringLiteral("ccompiler #8");
        // In the outline.
        QTreeView& tree = fixture.window->panels().outline().tree();
        QStringList outline;
        const QModelIndex heading = tree.model()->index(2, 0);  // behind functions and blocks
        for (int i = 0; i < tree.model()->rowCount(heading); ++i)
            for (int k = 0; k < tree.model()->rowCount(tree.model()->index(i, 0, heading)); ++k)
                outline << tree.model()->index(k, 0, tree.model()->index(i, 0, heading)).data().toString();
        QVERIFY2(outline.contains(name + QStringLiteral(" · multiply")), qPrintable(outline.join(QLatin1Char('|'))));
        // In the inspector.
        document.setSelection({document.names().numbered(8)});
        QVERIFY(fixture.settle());
        const QString inspected = fixture.window->panels().inspector().findChild<QTextBrowser*>()->toPlainText();
        QVERIFY2(inspected.contains(name), qPrintable(inspected));
        // In the times of a run.
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QStringList timed;
        for (const RegionTiming& region : document.runOutcome()->report.regions)
            timed << QString::fromStdString(region.shown());
        QVERIFY2(timed.contains(name), qPrintable(timed.join(QLatin1Char('|'))));
        // The functions have TVM's.
        for (const RegionInfo& region : document.flow()->regions)
            QVERIFY(region.function.starts_with("tvmgen_default_ccompiler_main_"));
    }
};

PARTITA_TEST(TestBlocksInPanels)

}  // namespace test_blocks_in_panels

#include "test_blocks_in_panels.moc"
