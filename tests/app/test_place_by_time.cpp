// Placing by time in the window: measured, taken over as one step of undo, shown with what other choices cost.
#include <QPushButton>
#include <QTreeWidget>

#include "app/gui/window/placement_dialog.h"
#include "tests/app/window_fixture.h"

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

    void theDialogShowsWhatWasMeasured() {
        WindowFixture fixture;
        PlacementDialog* dialog = place(fixture);
        QVERIFY(dialog);
        QTreeWidget* placements = table(*dialog, QStringLiteral("Placements"));
        QVERIFY(placements && placements->topLevelItemCount() >= 5);
        QCOMPARE(placements->topLevelItem(0)->text(0), QStringLiteral("chosen"));
        QVERIFY(placements->topLevelItem(0)->text(2).toDouble() > 0);
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
        QPushButton* move = nullptr;
        for (auto* button : dialog->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("&Move it")) move = button;
        QVERIFY(move && move->isEnabled());
        QTest::mouseClick(move, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(document.undoStack().count(), 2);
        QCOMPARE(QString::fromStdString(*document.choice().overrides->find(op)), row->text(2));
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
        fixture.window->action(QStringLiteral("reset"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().choice().by_cost);
    }
};

QTEST_MAIN(TestPlaceByTime)
#include "test_place_by_time.moc"
