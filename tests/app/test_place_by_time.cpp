// Placing by time in the window: measured, taken over as one step of undo, shown with what other choices cost.
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QTreeWidget>

#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/placement_curve.h"
#include "app/gui/window/placement_dialog.h"
#include "tests/app/painted.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_place_by_time {

using namespace partita;

namespace {

PlacementDialog* shown_dialog(MainWindow& window) {
    for (auto* dialog : window.findChildren<PlacementDialog*>())
        if (dialog->isVisible()) return dialog;
    return nullptr;
}

QTreeWidget* table(PlacementDialog& dialog, const QString& name) {
    for (auto* each : dialog.findChildren<QTreeWidget*>())
        if (each->accessibleName() == name) return each;
    return nullptr;
}

QPushButton* button(PlacementDialog& dialog, const QString& text) {
    for (auto* each : dialog.findChildren<QPushButton*>())
        if (each->text() == text) return each;
    return nullptr;
}

/// Clicks the first link of this scheme in the inspector's text. Returns false if there is none.
bool click_link(MainWindow& window, const QString& scheme) {
    QTextBrowser& text = window.panels().inspector().text();
    const QString html = text.toHtml();
    const QRegularExpressionMatch match =
        QRegularExpression(QStringLiteral("href=\"(%1:[0-9/]+)\"").arg(scheme)).match(html);
    if (match.hasMatch()) emit text.anchorClicked(QUrl(match.captured(1)));
    return match.hasMatch();
}

}  // namespace

class TestPlaceByTime : public QObject {
    Q_OBJECT

    /// Opens a sample with two backends and places it.
    static PlacementDialog* place(WindowFixture& fixture) {
        fixture.window->setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        if (!fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay"))) return nullptr;
        fixture.window->action(QStringLiteral("place-by-time"))->trigger();
        if (!fixture.settle()) return nullptr;
        return shown_dialog(*fixture.window);
    }

    QTemporaryDir cache_;

private slots:
    /// The person's own table of costs stays untouched.
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toLocal8Bit()); }

    void theAnswerIsOneStepOfUndo() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        Document& document = fixture.window->document();
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.choice().by_cost && document.choice().partition);
        QVERIFY(document.partitioned());
        for (const Decision& decision : document.flow()->log.decisions())
            QVERIFY(decision.kind != DecisionKind::Overridden);
        document.undoStack().undo();
        QVERIFY(fixture.settle());
        QVERIFY(!document.choice().by_cost && document.choice().overrides->empty());
        document.undoStack().redo();
        QVERIFY(fixture.settle());
        QVERIFY(document.choice().by_cost);
    }

    void escapeTakesThePlacementBackAndCloseKeepsIt() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog && button(*dialog, QStringLiteral("&Take it back")));
        Document& document = fixture.window->document();
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(fixture.settle());
        QVERIFY(!shown_dialog(*fixture.window));
        QVERIFY(!document.choice().by_cost && document.choice().overrides->empty());
        // Opened again it tells; it took nothing over, and has nothing to take back.
        document.undoStack().redo();
        QVERIFY(fixture.settle());
        fixture.window->action(QStringLiteral("placement-costs"))->trigger();
        dialog = shown_dialog(*fixture.window);
        QVERIFY(dialog && !button(*dialog, QStringLiteral("&Take it back")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(fixture.settle());
        QVERIFY(document.choice().by_cost);
    }

    void whatWasChangedSinceIsNotTakenBack() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        Document& document = fixture.window->document();
        document.giveToBackend({document.names().numbered(1)}, 0);
        QVERIFY(fixture.settle());
        const int step = document.undoStack().index();
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(fixture.settle());
        QCOMPARE(document.undoStack().index(), step);
    }

    void theListAndTheFileFollowTheGraph() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        Document& document = fixture.window->document();
        QTreeWidget* contested = table(*dialog, QStringLiteral("Contested operators"));
        for (int turn = 0; turn < 3; ++turn) {
            contested->setCurrentItem(contested->topLevelItem(turn % contested->topLevelItemCount()));
            QTest::mouseClick(button(*dialog, QStringLiteral("Move &with others")), Qt::LeftButton);
            QVERIFY(fixture.settle());
            const FlowPtr flow = document.flow();
            for (int row = 0; row < contested->topLevelItemCount(); ++row)
                for (ExprId call : document.names().calls())
                    if (shown_name(document.names().name(call)) == contested->topLevelItem(row)->text(0))
                        QCOMPARE(contested->topLevelItem(row)->text(1), document.backendName(document.backendOf(call)));
        }
        const PlacedModulePtr placed = dialog->placed();
        const std::optional<PlacedCandidate> written = candidate_of(*placed, *document.flow());
        QVERIFY(written);
        for (const PlacedOperator& op : placement_of(*placed, *written, "m", {}, false, false, false).operators)
            QCOMPARE(QString::fromStdString(op.backend),
                     document.backendName(document.backendOf(document.names().numbered(op.number))));
    }

    void theDialogShowsWhatWasMeasured() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* placements = table(*dialog, QStringLiteral("Placements"));
        QVERIFY(placements && placements->topLevelItemCount() >= 5);
        QCOMPARE(placements->topLevelItem(0)->text(0), QStringLiteral("chosen"));
        const QString measured = placements->topLevelItem(0)->text(2);
        QVERIFY2(QRegularExpression(QStringLiteral("^[0-9.]*[1-9].*s$")).match(measured).hasMatch(),
                 qPrintable(measured));
    }

    void anOperatorIsMovedFromTheDialog() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* contested = table(*dialog, QStringLiteral("Contested operators"));
        QVERIFY(contested && contested->topLevelItemCount() > 0);
        QTreeWidgetItem* row = contested->topLevelItem(contested->topLevelItemCount() - 1);
        contested->setCurrentItem(row);
        Document& document = fixture.window->document();
        QCOMPARE(document.selection().size(), size_t(1));
        const ExprId op = document.selection()[0];
        QPushButton* move = button(*dialog, QStringLiteral("&Move it"));
        QVERIFY(move && move->isEnabled());
        QTest::mouseClick(move, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(document.undoStack().count(), 2);
        QCOMPARE(QString::fromStdString(*document.choice().overrides->find(op)), row->text(2));
    }

    void theInspectorSaysWhatOtherBackendsCost() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* contested = table(*dialog, QStringLiteral("Contested operators"));
        contested->setCurrentItem(contested->topLevelItem(0));
        QVERIFY(fixture.settle());
        Document& document = fixture.window->document();
        const QString text = fixture.window->panels().inspector().text().toPlainText();
        QVERIFY2(text.contains(QStringLiteral("By time")) && text.contains(QStringLiteral("then: ")), qPrintable(text));
        const ExprId op = document.selection().at(0);
        const std::string before = *document.choice().overrides->find(op);
        QVERIFY(click_link(*fixture.window, QStringLiteral("move")));
        QVERIFY(fixture.settle());
        QCOMPARE(document.undoStack().count(), 2);
        QVERIFY(*document.choice().overrides->find(op) != before);
        document.undoStack().undo();
        QVERIFY(fixture.settle());
        QVERIFY(click_link(*fixture.window, QStringLiteral("movewith")));
        QVERIFY(fixture.settle());
        QVERIFY(document.choice().by_cost);
        QVERIFY(*document.choice().overrides->find(op) != before);
    }

    void whatAnOperatorCostsGoesWithItsSelection() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* contested = table(*dialog, QStringLiteral("Contested operators"));
        contested->setCurrentItem(contested->topLevelItem(0));
        QVERIFY(fixture.settle());
        const auto says_costs = [&] {
            return fixture.window->panels().inspector().text().toPlainText().contains(QStringLiteral("By time"));
        };
        QVERIFY(says_costs());
        fixture.window->document().setSelection({});
        QVERIFY(fixture.settle());
        QVERIFY(!says_costs());
    }

    void anotherPlacementIsTaken() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* placements = table(*dialog, QStringLiteral("Placements"));
        int default_row = -1;
        for (int row = 0; row < placements->topLevelItemCount(); ++row)
            if (placements->topLevelItem(row)->text(0) == QStringLiteral("all on default")) default_row = row;
        QVERIFY(default_row > 0);
        placements->setCurrentItem(placements->topLevelItem(default_row));
        QTest::mouseClick(button(*dialog, QStringLiteral("&Use this placement")), Qt::LeftButton);
        QVERIFY(fixture.settle());
        Document& document = fixture.window->document();
        QVERIFY(document.flow()->regions.empty());
        // The curve's first point is the fastest by the costs.
        QTreeWidget* curve = table(*dialog, QStringLiteral("Placements of the curve"));
        QVERIFY(curve && curve->topLevelItemCount() > 0);
        curve->setCurrentItem(curve->topLevelItem(0));
        QTest::mouseClick(button(*dialog, QStringLiteral("&Use this point")), Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(QString::number(document.flow()->regions.size()), curve->topLevelItem(0)->text(1));
        QCOMPARE(document.undoStack().count(), 3);
    }

    void aClickOnTheCurveTakesTheNearestPoint() {
        auto placed = std::make_shared<PlacedModule>();
        placed->by_regions = {{{1}, 3, 0.5, 40}, {{2}, 2, 0.2, 50}, {{3}, 1, 0.1, 70}};
        WindowFixture fixture;
        PlacementCurve curve(placed);
        curve.resize(600, 500);
        curve.show();
        QVERIFY(QTest::qWaitForWindowExposed(&curve));
        Labels wanted;
        connect(&curve, &PlacementCurve::placementWanted, this, [&wanted](const Labels& labels) { wanted = labels; });
        auto* chart = curve.findChild<CurveChart*>();
        auto* table = curve.findChild<QTreeWidget*>();
        const std::vector<QRectF> dots = Painted(*chart).dots;
        QCOMPARE(dots.size(), placed->by_regions.size());
        for (const int point : {2, 0, 1, 0}) {
            const QPoint beside = dots[size_t(point)].center().toPoint() + QPoint(point ? -5 : 5, 5);
            QTest::mouseClick(chart, Qt::LeftButton, {}, beside);
            QCOMPARE(table->indexOfTopLevelItem(table->currentItem()), point);
            // The point that is chosen is larger.
            const std::vector<QRectF> now = Painted(*chart).dots;
            for (int i = 0; i < int(now.size()); ++i)
                QCOMPARE(now[size_t(i)].width() > dots[1].width() + 1, i == point);
            QTest::mouseClick(curve.findChild<QPushButton*>(), Qt::LeftButton);
            QCOMPARE(wanted, placed->by_regions[size_t(point)].labels);
        }
    }

    void predictedTimesStandBesideMeasuredOnes() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* times = table(*dialog, QStringLiteral("Predicted and measured times"));
        const int regions = int(fixture.window->document().flow()->regions.size());
        QVERIFY(times);
        QCOMPARE(times->topLevelItemCount(), regions + 1);
        QCOMPARE(times->topLevelItem(0)->text(2), QStringLiteral("–"));
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        int measured = 0;
        for (int row = 0; row < times->topLevelItemCount(); ++row)
            measured += times->topLevelItem(row)->text(2) != QStringLiteral("–");
        QVERIFY(measured >= regions);
        // It is sorted by what it says.
        const auto value = [&](int row, int column) {
            return times->topLevelItem(row)->data(column, Qt::UserRole).toDouble();
        };
        for (int row = 0; row < times->topLevelItemCount(); ++row)
            QCOMPARE(value(row, 3), value(row, 2) - value(row, 1));
    }

    void lossesAreShownAsHeat() {
        WindowFixture fixture;
        fixture.window->setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        QVERIFY(!fixture.window->action(QStringLiteral("regret-heat"))->isEnabled());
        QVERIFY(!fixture.window->action(QStringLiteral("placement-costs"))->isEnabled());
        QVERIFY(place(fixture));
        QAction* heat = fixture.window->action(QStringLiteral("regret-heat"));
        QVERIFY(heat->isEnabled() && !heat->isChecked());
        heat->trigger();
        QVERIFY(heat->isChecked() && !fixture.window->action(QStringLiteral("heat"))->isChecked());
        heat->trigger();
        QVERIFY(!heat->isChecked());
        shown_dialog(*fixture.window)->close();
        fixture.window->action(QStringLiteral("placement-costs"))->trigger();
        QVERIFY(shown_dialog(*fixture.window));
    }

    void placingCanBeCancelled() {
        WindowFixture fixture;
        fixture.window->setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        fixture.window->action(QStringLiteral("place-by-time"))->trigger();
        QVERIFY(!fixture.window->action(QStringLiteral("place-by-time"))->isEnabled() || fixture.window->jobs().busy());
        fixture.window->jobs().cancelAll();
        QVERIFY(fixture.settle());
        QVERIFY(!shown_dialog(*fixture.window));
        QCOMPARE(fixture.window->document().undoStack().count(), 0);
        QVERIFY(fixture.window->action(QStringLiteral("place-by-time"))->isEnabled());
    }

    void startingOverForgetsThePlacement() {
        WindowFixture fixture;
        QVERIFY(place(fixture));
        const auto says_costs = [&fixture](const char* op) {
            fixture.click(fixture.nodeOf(QLatin1String(op)));
            if (!fixture.settle()) qFatal("not settled");
            return fixture.window->panels().inspector().text().toPlainText().contains(QStringLiteral("By time"));
        };
        QVERIFY(says_costs("nn.relu"));
        fixture.window->action(QStringLiteral("reset"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().choice().by_cost);
        QVERIFY(!says_costs("nn.relu"));
    }
};

PARTITA_TEST(TestPlaceByTime)

}  // namespace test_place_by_time

#include "test_place_by_time.moc"
