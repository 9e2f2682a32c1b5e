// Editing by hand in the window, by real events: keys, clicks, drags, dialogs.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolButton>

#include "app/gui/editing/ask_dialog.h"
#include "app/gui/editing/fault_bubble.h"
#include "app/gui/editing/function_attribute_dialog.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/editing/operator_dialog.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/window/exports.h"
#include "engine/ops/registry.h"
#include "engine/support/file.h"
#include "tests/app/painted.h"
#include "tests/app/window_fixture.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_editing {

using namespace partita;

class TestEditing : public QObject {
    Q_OBJECT

private:
    static uint32_t edgeBetween(WindowFixture& fixture, int64_t from, int64_t to) {
        const GraphModel& model = *fixture.view().model();
        for (uint32_t edge : model.incoming(uint32_t(to)))
            if (int64_t(model.edges[edge].from) == from) return edge;
        qFatal("no such edge");
    }

    /// By its head, close to where it arrives; `to` in the graph's coordinates. Returns what is painted meanwhile.
    static std::vector<PaintedWords> drag(WindowFixture& fixture, uint32_t edge, const QPointF& to,
                                          const QString& picture) {
        GraphView& view = fixture.view();
        const std::vector<QPointF>& curve = view.geometry().edges[edge];
        const QPoint start =
                         view.toWidget(curve.back() * 0.8 + curve[curve.size() - 2] * 0.2 - QPointF(0, 2)).toPoint(),
                     end = view.toWidget(to).toPoint();
        if (view.edgeAt(start) != int64_t(edge)) qFatal("another edge is there");
        QTest::mouseMove(&view, start);
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, start);
        QTest::mouseMove(&view, (start + end) / 2);
        QTest::mouseMove(&view, end);
        if (!picture.isEmpty()) fixture.picture(picture);
        const std::vector<PaintedWords> words = Painted(view).words;
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, end);
        return words;
    }

    /// What the dialog for a new operator offers.
    static QStringList placesFor(WindowFixture& fixture) {
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        QStringList places;
        auto* insert = fixture.dialog<OperatorDialog>();
        if (!insert) return places;
        const auto* place = insert->findChild<QComboBox*>(QStringLiteral("operator-place"));
        for (int i = 0; i < place->count(); ++i) places << place->itemText(i);
        QTest::keyClick(insert, Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return places;
    }

private slots:
    void anOperatorIsInsertedAfterTheSelectionAndUndone() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const std::string before = fixture.printed();
        const ModulePtr opened = fixture.window->document().module();
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* insert = fixture.dialog<OperatorDialog>();
        QVERIFY(insert);
        QTest::keyClicks(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), QStringLiteral("tanh"));
        QTest::keyClick(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.printed().find("tanh(%") != std::string::npos);
        QVERIFY(fixture.nodeOf(QStringLiteral("tanh")) >= 0);
        // The new operator is selected, and the step has a name.
        QCOMPARE(fixture.window->document().selection().size(), size_t(1));
        QCOMPARE(fixture.window->document().undoStack().undoText(), QStringLiteral("insert tanh"));
        fixture.picture(QStringLiteral("edit-inserted"));
        fixture.window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().module(), opened);
        QCOMPARE(fixture.printed(), before);
        QVERIFY(!fixture.window->document().isEdited());
        fixture.window->action(QStringLiteral("redo"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("tanh")) >= 0);
    }

    void assignmentsAndPlacesGoAlongWithAnEdit() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QTest::keyClick(&fixture.view(), Qt::Key_1);
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.nodeOf(QStringLiteral("subtract")), int64_t(-1));
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("multiply"))), QStringLiteral("ccompiler"));
        fixture.window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("subtract")) >= 0);
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("multiply"))), QStringLiteral("ccompiler"));
    }

    void aRefusedEditIsExplainedAtItsNode() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const ModulePtr opened = fixture.window->document().module();
        const int64_t x = fixture.nodeOf(QStringLiteral("%x"));
        QVERIFY(x >= 0);
        fixture.click(x);
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        auto* bubble = [&]() -> FaultBubble* {
            FaultBubble* found = nullptr;
            (void)QTest::qWaitFor([&] { return (found = fixture.view().findChild<FaultBubble*>()) != nullptr; }, 5000);
            return found;
        }();
        QVERIFY(bubble);
        QVERIFY2(bubble->text().contains(QStringLiteral("%x is still used")), qPrintable(bubble->text()));
        QCOMPARE(fixture.window->document().module(), opened);
        fixture.picture(QStringLiteral("edit-refused"));
    }

    void aRefusalStandsBelowItsNodeOrAboveWhereThereIsNoRoom() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        const size_t node = size_t(fixture.nodeOf(QStringLiteral("%x")));
        FaultBubble::show(*fixture.window->currentPage(), view.model()->nodes[node].expr, QStringLiteral("no"),
                          view.theme());
        const auto* bubble = view.findChild<FaultBubble*>();
        QVERIFY(bubble);
        const auto box = [&] {
            const QRectF on_graph = view.geometry().nodes[node];
            return QRectF(view.toWidget(on_graph.topLeft()), view.toWidget(on_graph.bottomRight()));
        };
        const QPointF middle = view.geometry().nodes[node].center();
        view.centreOn(middle);
        QVERIFY(bubble->geometry().top() >= int(box().bottom()) && bubble->geometry().top() < box().bottom() + 12);
        view.centreOn(middle - QPointF(0, (view.height() / 2.0 - 30) / view.zoom()));
        QVERIFY(box().bottom() < view.height());
        QVERIFY(bubble->geometry().bottom() < box().top() && bubble->geometry().bottom() > box().top() - 12);
    }

    void anEdgeIsDraggedToAnotherSource() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const GraphModel& model = *fixture.view().model();
        const int64_t subtract = fixture.nodeOf(QStringLiteral("subtract")),
                      multiply = fixture.nodeOf(QStringLiteral("multiply"));
        const uint32_t edge = model.incoming(uint32_t(subtract))[0];
        fixture.view().fit();
        const QPoint start = fixture.view().toWidget(fixture.view().middleOfEdge(edge)).toPoint();
        QCOMPARE(fixture.view().edgeAt(start), int64_t(edge));
        QTest::mouseMove(&fixture.view(), start);
        QTest::mousePress(&fixture.view(), Qt::LeftButton, Qt::NoModifier, start);
        // Over an operator that depends on it, the fault stands there before the edge is dropped.
        const int64_t user = fixture.nodeOf(QStringLiteral("add"), 1);
        const auto refusals = [&fixture](const QRect& where = QRect(QPoint(0, 0), QSize(-1, -1))) {
            const QImage shown = fixture.view().grab(where).toImage();
            const QRgb refused = fixture.view().theme().refused.rgb();
            int count = 0;
            for (int y = 0; y < shown.height(); ++y)
                for (int x = 0; x < shown.width(); ++x) count += shown.pixel(x, y) == refused;
            return count;
        };
        QTest::mouseMove(&fixture.view(), fixture.placeOf(user));
        QVERIFY(refusals() > 100);
        // Above the operator, which stays readable.
        const QRectF box = fixture.view().geometry().nodes[size_t(user)].adjusted(2, 2, -2, -2);
        const QRectF inside(fixture.view().toWidget(box.topLeft()), fixture.view().toWidget(box.bottomRight()));
        QVERIFY2(refusals(inside.toRect()) < 100,
                 qPrintable(QString::number(refusals(inside.toRect()))));  // the dashes of the edge
        const auto& editor = *fixture.window->findChild<GraphEditor*>();
        QVERIFY(
            editor.obstacleToSource(*fixture.window->currentPage(), edge, uint32_t(user)).contains("depend on itself"));
        QVERIFY(editor.obstacleToSource(*fixture.window->currentPage(), edge, uint32_t(multiply)).isEmpty());
        const uint32_t no_node = uint32_t(model.nodes.size()), no_edge = uint32_t(model.edges.size());
        for (const auto& [of, at] : {std::pair(edge, no_node), std::pair(no_edge, uint32_t(multiply))})
            QVERIFY(editor.obstacleToSource(*fixture.window->currentPage(), of, at).contains("can't be dragged"));
        fixture.picture(QStringLiteral("edit-dragging-refused"));
        const QPoint end = fixture.placeOf(multiply);
        QTest::mouseMove(&fixture.view(), (start + end) / 2);
        QTest::mouseMove(&fixture.view(), end);
        QCOMPARE(refusals(), 0);
        fixture.picture(QStringLiteral("edit-dragging"));
        QTest::mouseRelease(&fixture.view(), Qt::LeftButton, Qt::NoModifier, end);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("subtract(%0, %w2)") != std::string::npos, fixture.printed().c_str());
        QVERIFY(fixture.window->document().undoStack().undoText().startsWith(QStringLiteral("rewire")));
    }

    void anEdgeThatIsDroppedBesideEverythingStays() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        const std::string before = fixture.printed();
        const uint32_t edge = view.model()->incoming(uint32_t(fixture.nodeOf(QStringLiteral("subtract"))))[0];
        view.fit();
        const QPoint start = view.toWidget(view.middleOfEdge(edge)).toPoint();
        for (const QPoint& end : {QPoint(5, 5), start}) {
            QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, start);
            QTest::mouseMove(&view, (start + end) / 2);
            QTest::mouseMove(&view, end);
            QCOMPARE(view.nodeAt(end), int64_t(-1));
            QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, end);
            QVERIFY(fixture.settle());
            QCOMPARE(fixture.printed(), before);
            QVERIFY(!fixture.window->document().undoStack().canUndo());
        }
    }

    /// The hand that clicks trembles.
    void aClickOnAnEdgeBesideANodeRewiresNothing() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        const std::string before = fixture.printed();
        view.setZoom(0.31, QPointF(view.width() / 2.0, view.height() / 2.0));
        int clicks = 0;
        for (int y = 0; y < view.height(); y += 5)
            for (int x = 0; x < view.width(); ++x) {
                const int64_t edge = view.edgeAt(QPoint(x, y));
                const QPoint beside(x + (clicks % 2 ? 4 : -4), y);
                const int64_t node = edge < 0 ? -1 : view.nodeAt(beside);
                if (node < 0) continue;
                const GraphEdge& ends = view.model()->edges[size_t(edge)];
                if (node == int64_t(ends.from) || node == int64_t(ends.to)) continue;
                QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, QPoint(x, y));
                QTest::mouseMove(&view, beside);
                QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, beside);
                QVERIFY(fixture.settle());
                QVERIFY(!view.findChild<FaultBubble*>());
                QCOMPARE(fixture.printed(), before);
                ++clicks;
            }
        QVERIFY(clicks > 0);
    }

    void theHeadOfAnEdgeIsDraggedToAnotherInput() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        // subtract -> divide becomes subtract -> the last add's second input, too.
        const int64_t subtract = fixture.nodeOf(QStringLiteral("subtract")),
                      divide = fixture.nodeOf(QStringLiteral("divide"));
        const int64_t add = fixture.nodeOf(QStringLiteral("add"), 1);
        QVERIFY(subtract >= 0 && divide >= 0 && add >= 0);
        view.fit();
        const QRectF box = view.geometry().nodes[size_t(add)];
        const QPointF over = box.center() + QPointF(box.width() * 0.35, 0);
        const QPointF tip = view.toWidget(QPointF(over.x(), box.top()));
        const std::vector<PaintedWords> words =
            drag(fixture, edgeBetween(fixture, subtract, divide), over, QStringLiteral("edit-dragging-head"));
        const auto tag = std::find_if(words.begin(), words.end(),
                                      [](const PaintedWords& each) { return each.words.startsWith("→ "); });
        QVERIFY(tag != words.end());
        // Above the box and right of the pointer.
        QVERIFY(tag->box.left() > tip.x() && tag->box.left() < tip.x() + 40 && tag->box.bottom() < tip.y() &&
                tag->box.bottom() > tip.y() - 40);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("add(%3, %2)") != std::string::npos, fixture.printed().c_str());
        QVERIFY2(fixture.printed().find("divide(%1, %2)") != std::string::npos, fixture.printed().c_str());
        QVERIFY(fixture.window->document().undoStack().undoText().startsWith(QStringLiteral("feed add")));
        fixture.window->document().undoStack().undo();
        QVERIFY(fixture.settle());
        // Where a cycle would arise the fault stands at the place, and nothing is changed.
        const std::string before = fixture.printed();
        const int64_t last = fixture.nodeOf(QStringLiteral("divide"), 1),
                      first = fixture.nodeOf(QStringLiteral("add"), 1);
        view.fit();
        drag(fixture, edgeBetween(fixture, first, last),
             view.geometry().nodes[size_t(fixture.nodeOf(QStringLiteral("multiply")))].center(),
             QStringLiteral("edit-dragging-head-refused"));
        FaultBubble* bubble = nullptr;
        QVERIFY(QTest::qWaitFor([&] { return (bubble = view.findChild<FaultBubble*>()) != nullptr; }, 5000));
        QCOMPARE(fixture.printed(), before);
    }

    void anOperatorIsInsertedOnAnEdgeByKeys() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const int64_t divide = fixture.nodeOf(QStringLiteral("divide"));
        fixture.click(divide);
        const std::span<const uint32_t> edges = fixture.view().model()->incoming(uint32_t(divide));
        QCOMPARE(edges.size(), size_t(2));
        for (const uint32_t edge : {edges[0], edges[1], edges[0], edges[1]}) {
            QTest::keyClick(&fixture.view(), Qt::Key_E);
            QCOMPARE(fixture.view().currentEdge(), int64_t(edge));
        }
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* insert = fixture.dialog<OperatorDialog>();
        QVERIFY(insert);
        QVERIFY(insert->findChild<QComboBox*>(QStringLiteral("operator-place"))
                    ->currentText()
                    .startsWith(QStringLiteral("between")));
        QTest::keyClicks(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), QStringLiteral("nn.dense"));
        QTest::qWait(100);
        insert->grab().save(QStringLiteral(PARTITA_BINARY_DIR "/screenshots/edit-dialog.png"));
        QTest::keyClick(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("%weight: Tensor[(10, 10), float32]") != std::string::npos,
                 fixture.printed().c_str());
    }

    /// The very first edge is one like any other.
    void inputsAreGoneThroughFromTheFirstEdgeOn() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const GraphModel& model = *fixture.view().model();
        const uint32_t node = model.edges[0].to;
        const std::span<const uint32_t> edges = model.incoming(node);
        QVERIFY(edges.size() > 1 && edges[0] == 0);
        fixture.click(node);
        for (const uint32_t edge : {edges[0], edges[1]}) {
            QTest::keyClick(&fixture.view(), Qt::Key_E);
            QCOMPARE(fixture.view().currentEdge(), int64_t(edge));
        }
    }

    void theOperatorStandsAtThePlaceThatIsChosen() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("places.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(1, 3), float32]) { exp(add(%x, %y)) }
)")));
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_E);
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* insert = fixture.dialog<OperatorDialog>();
        QVERIFY(insert);
        auto* place = insert->findChild<QComboBox*>(QStringLiteral("operator-place"));
        QVERIFY2(place->itemText(0).contains(QStringLiteral("between %x")), qPrintable(place->itemText(0)));
        auto* search = insert->findChild<QLineEdit*>(QStringLiteral("operator-search"));
        QTest::keyClicks(search, QStringLiteral("tanh"));
        place->setCurrentIndex(1);
        QVERIFY2(place->currentText().startsWith(QStringLiteral("after")), qPrintable(place->currentText()));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("%0 = add(%x, %y);\n  %1 = tanh(%0);") != std::string::npos,
                 fixture.printed().c_str());
    }

    void anOperatorThatCantStandThereCantBeInserted() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* insert = fixture.dialog<OperatorDialog>();
        QVERIFY(insert);
        QTest::keyClicks(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), QStringLiteral("nn.conv2d"));
        for (QPushButton* button : insert->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Insert")) {
                QVERIFY(!button->isEnabled());
                QVERIFY(!button->toolTip().isEmpty());
            }
        // Of an operator that there is not nothing is said but that.
        const QString summary = say_summary(op_registry()[op_registry().find("nn.conv2d")].summary);
        const auto told = [&] {
            const auto labels = insert->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == summary; });
        };
        QVERIFY(told());
        QTest::keyClicks(insert->findChild<QLineEdit*>(QStringLiteral("operator-search")), QStringLiteral("???"));
        QVERIFY(!told());
        QTest::keyClick(insert, Qt::Key_Escape);
    }

    void whatIsEditedIsWhatIsShown_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("gone");
        QTest::newRow("simplify") << "simplify"
                                  << "nn.dropout";
        QTest::newRow("fold") << "fold"
                              << "add";
        QTest::newRow("lower") << "lower"
                               << "nn.attention";
    }
    void whatIsEditedIsWhatIsShown() {
        QFETCH(QString, step);
        QFETCH(QString, gone);
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(
            QStringLiteral("dropout.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 2, 3, 4), float32]) {\n  %0 = nn.dropout(%x);\n"
            "  %1 = add(1f, 2f);\n  %2 = maximum(%0.0, %1);\n  exp(tanh(nn.attention(%2, %2, %2)))\n}\n")));
        Document& document = fixture.window->document();
        QVERIFY(fixture.nodeOf(gone) >= 0);
        fixture.window->action(step)->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.nodeOf(gone), int64_t(-1));
        fixture.click(fixture.nodeOf(QStringLiteral("tanh")));
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.nodeOf(QStringLiteral("tanh")), int64_t(-1));
        QVERIFY(!document.choice().rewrites() && document.module() == document.shownModule());
        QVERIFY(!fixture.window->action(step)->isChecked());
        document.undoStack().undo();
        QVERIFY(fixture.settle());
        QVERIFY(document.choice().rewrites() && fixture.window->action(step)->isChecked());
    }

    void aNewOperandIsWhatIsChosen_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<double>("value");
        QTest::newRow("zeros") << 1 << 0.0;
        QTest::newRow("ones") << 2 << 1.0;
    }
    void aNewOperandIsWhatIsChosen() {
        QFETCH(int, choice);
        QFETCH(double, value);
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* dialog = fixture.dialog<OperatorDialog>();
        QVERIFY(dialog);
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("operator-search"));
        QTest::keyClicks(search, QStringLiteral("multiply"));
        auto* operand = dialog->findChild<QComboBox*>(QStringLiteral("operand-1"));
        QVERIFY(operand);
        operand->setCurrentIndex(choice);
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(fixture.settle());
        const Module& module = *fixture.window->document().module();
        int constants = 0;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Constant) {
                QCOMPARE(module.constant(ExprId(i)).at(0), value);
                ++constants;
            }
        QVERIFY(constants > 0);
    }

    void allPlacesForANewOperatorAreOffered() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QCOMPARE(placesFor(fixture), (QStringList{"after subtract #3, before all that use it",
                                                  "only between subtract #3 and divide #4", "as a new output"}));
        // Several become operands of something new.
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")), Qt::ControlModifier);
        const QStringList of_two = placesFor(fixture);
        QCOMPARE(of_two.size(), 2);
        QCOMPARE(of_two[0], QStringLiteral("as a new output"));
    }

    void whatIsTheFirstFieldOfATupleIsChangedForTheTupleAlone() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("tuple.relay"),
                                          "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) "
                                          "{ %0 = exp(%x); (%0, %x) }\n")));
        fixture.click(fixture.nodeOf(QStringLiteral("exp")));
        const QStringList places = placesFor(fixture);
        QVERIFY2(places.size() == 3 && places[1].startsWith(QStringLiteral("only between exp #1 and tuple")),
                 qPrintable(places.join(QStringLiteral(" | "))));
    }

    void bookmarksGoAlongWithAnEdit() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        for (const char* op : {"multiply", "subtract"}) {
            fixture.click(fixture.nodeOf(QLatin1String(op)));
            QTest::keyClick(&fixture.view(), Qt::Key_M);
        }
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(fixture.settle());
        QCOMPARE(document.bookmarks().size(), size_t(1));
        const int32_t node = fixture.view().model()->node_of(document.bookmarks()[0].expression);
        QCOMPARE(int64_t(node), fixture.nodeOf(QStringLiteral("multiply")));
        QCOMPARE(int(fixture.view().decoration()->bookmarked[size_t(node)]), 1);
        document.undoStack().undo();
        QVERIFY(fixture.settle());
        QCOMPARE(document.bookmarks().size(), size_t(2));
    }

    /// Typed, shown as it is, kept in the project, written into the report.
    void aNoteStaysWithItsOperator() {
        const QString text = QStringLiteral("<b>too large</b> for the NPU");
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("noted.partita"));
        const QString report = folder.filePath(QStringLiteral("report.html"));
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QTest::keyClick(&fixture.view(), Qt::Key_M, Qt::ShiftModifier);
        const QPointer<AskDialog> ask(fixture.dialog<AskDialog>());
        QVERIFY(ask);
        auto* field = ask->findChild<QPlainTextEdit*>();
        QVERIFY(field);
        QTest::keyClicks(field, text);
        ask->accept();
        QTRY_VERIFY(!ask || !ask->isVisible());
        QTRY_VERIFY(fixture.window->panels().inspector().text().toPlainText().contains(text));
        document.saveProject(project);
        fixture.window->exports().write(report);
        QVERIFY(fixture.settle());
        const Result<std::string> written = read_file(report.toStdString());
        QVERIFY(written);
        const QByteArray page = QByteArray::fromStdString(*written);
        QVERIFY(page.contains("&lt;b&gt;too large&lt;/b&gt; for the NPU") && !page.contains("<b>too large"));

        WindowFixture again;
        QVERIFY(again.open(project));
        const std::vector<Bookmark>& marks = again.window->document().bookmarks();
        QCOMPARE(marks.size(), size_t(1));
        QCOMPARE(QString::fromStdString(marks[0].note), text);
        again.window->document().toggleBookmark(marks[0].expression);
        QVERIFY(again.window->document().bookmarks().empty());
    }

    void aRefusedNameStaysInTheDialogWithTheFault() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        const QPointer<AskDialog> ask(fixture.dialog<AskDialog>());
        QVERIFY(ask);
        auto* field = ask->findChild<QLineEdit*>();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("no name"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !ask || !ask->fault().isEmpty(); }, 5000));
        QVERIFY2(ask, "it closed");
        QVERIFY2(ask->isVisible() && ask->fault().contains(QStringLiteral("no name")), qPrintable(ask->fault()));
        QCOMPARE(ask->textValue(), QStringLiteral("no name"));
        const QRect fault = ask->findChild<QLabel*>(QStringLiteral("ask-fault"))->geometry();
        QVERIFY(fault.top() > field->geometry().bottom());
        QVERIFY(fault.bottom() < ask->findChild<QDialogButtonBox*>()->geometry().top());
        QVERIFY(ask->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
        QVERIFY(!fixture.view().findChild<FaultBubble*>());
        // Another name takes the fault away, and the dialog.
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("image"));
        QVERIFY(ask->fault().isEmpty());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !ask || !ask->isVisible(); }, 5000));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("%image")) >= 0);
        // The name that is there already changes nothing, and closes.
        const int steps = document.undoStack().count();
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        QPointer<AskDialog> again(fixture.dialog<AskDialog>());
        QVERIFY(again);
        QTest::keyClick(again->findChild<QLineEdit*>(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !again || !again->isVisible(); }, 5000));
        QCOMPARE(document.undoStack().count(), steps);
        QVERIFY(!document.isEditing());
    }

    void anOperatorThatIsNoneIsRefusedWhereItWasTyped() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_X);
        auto* ask = fixture.dialog<AskDialog>();
        QVERIFY(ask);
        QTest::keyClicks(ask->findChild<QLineEdit*>(), QStringLiteral("ion"));
        QTest::keyClick(ask->findChild<QLineEdit*>(), Qt::Key_Return);
        QVERIFY2(ask->fault().contains(QStringLiteral("no operator ion")), qPrintable(ask->fault()));
        QVERIFY(ask->isVisible());
        ask->reject();
        QVERIFY(fixture.nodeOf(QStringLiteral("subtract")) >= 0);
    }

    void aParameterIsOfferedNoBackend() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const auto offered = [&](const QString& node) {
            QStringList names;
            QTimer::singleShot(100, [&names] {
                if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                    for (QAction* action : menu->actions())
                        names << (action->isSeparator() ? QStringLiteral("-") : action->objectName());
                    menu->close();
                }
            });
            const int64_t at = fixture.nodeOf(node);
            fixture.click(at);
            QContextMenuEvent event(QContextMenuEvent::Mouse, fixture.placeOf(at),
                                    fixture.view().mapToGlobal(fixture.placeOf(at)));
            QApplication::sendEvent(&fixture.view(), &event);
            return names;
        };
        const QStringList of_call = offered(QStringLiteral("subtract")), of_parameter = offered(QStringLiteral("%x"));
        for (const char* name : {"backend-0", "backend-1", "automatic", "select-region", "extract"}) {
            QVERIFY2(of_call.contains(QLatin1String(name)), name);
            QVERIFY2(!of_parameter.contains(QLatin1String(name)), name);
        }
        for (const char* name : {"rename", "parameter-type", "select-users", "fit"})
            QVERIFY2(of_parameter.contains(QLatin1String(name)), name);
        QCOMPARE(of_parameter.join(' '),
                 QStringLiteral("insert-op delete rename parameter-type - select-same select-producers select-users - "
                                "collapse bookmark path - fit-selection fit"));
        // Nor by the toolbar and the key.
        QVERIFY(!fixture.window->action(QStringLiteral("backend-1"))->isEnabled());
        QTest::keyClick(&fixture.view(), Qt::Key_1);
        QVERIFY(fixture.window->document().choice().overrides->empty());
    }

    void aClickWithCtrlThatMissesLosesNothing() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        const QPoint beside(3, view.height() - 3);
        QCOMPARE(view.nodeAt(beside), int64_t(-1));
        QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, beside);
        QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, beside);
        QCOMPARE(fixture.window->document().selection().size(), size_t(1));
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, beside);
        QVERIFY(fixture.window->document().selection().empty());
    }

    void copiedTextIsPastedIntoAnotherDocument() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QTest::keyClick(&fixture.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("multiply(")));
        WindowFixture other;
        QVERIFY(other.open(
            other.file(QStringLiteral("relu.relay"),
                       "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(10, 10), float32]) { nn.relu(%a) }\n")));
        other.click(other.nodeOf(QStringLiteral("nn.relu")));
        QTest::keyClick(&other.view(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(other.settle());
        QVERIFY(other.nodeOf(QStringLiteral("multiply")) >= 0);
        QCOMPARE(other.window->document().undoStack().undoText(), QStringLiteral("paste"));
    }

    void aRefusedInsertionKeepsItsDialogAndItsValues() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const std::string before = fixture.printed();
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* dialog = fixture.dialog<OperatorDialog>();
        QVERIFY(dialog);
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("operator-search"));
        QTest::keyClicks(search, QStringLiteral("reshape"));
        const auto shape = [&] { return dialog->findChild<QLineEdit*>(QStringLiteral("attribute-newshape")); };
        const auto* verdict = dialog->findChild<QLabel*>(QStringLiteral("operator-verdict"));
        QPointer<OperatorDialog> open = dialog;
        const auto insert = [&](const char* wanted) {
            shape()->setFocus();
            shape()->selectAll();
            QTest::keyClicks(shape(), QLatin1String(wanted));
            QTest::keyClick(shape(), Qt::Key_Return);
            (void)fixture.settle();
        };
        insert("20, 5");
        QVERIFY(open && dialog->isVisible());
        QVERIFY2(verdict->text().startsWith(QStringLiteral("⚠")), qPrintable(verdict->text()));
        QCOMPARE(shape()->text(), QStringLiteral("20, 5"));
        QVERIFY(fixture.printed() == before);
        fixture.picture(QStringLiteral("edit-insertion-refused"));
        insert("10, 10");
        QTRY_VERIFY(!open);
        QVERIFY(fixture.printed().find("reshape") != std::string::npos);
    }

    void aRefusalIsNotToldOfWhatIsChosenAfterIt() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* dialog = fixture.dialog<OperatorDialog>();
        QVERIFY(dialog);
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("operator-search"));
        QTest::keyClicks(search, QStringLiteral("equal"));
        const auto* verdict = dialog->findChild<QLabel*>(QStringLiteral("operator-verdict"));
        QVERIFY2(verdict->text().startsWith(QStringLiteral("Gives")), qPrintable(verdict->text()));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(fixture.settle());
        // What follows takes no truth values.
        QVERIFY(dialog->isVisible());
        QVERIFY2(verdict->text().startsWith(QStringLiteral("⚠")), qPrintable(verdict->text()));
        auto* source = dialog->findChild<QComboBox*>(QStringLiteral("operand-1"));
        QVERIFY(source);
        QTest::keyClick(source, Qt::Key_Down);
        QVERIFY2(verdict->text().startsWith(QStringLiteral("Gives")), qPrintable(verdict->text()));
    }

    void whatIsNotCopiedIsNotToldAsCopied() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::keyClick(&fixture.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(fixture.window->statusBar()->currentMessage(), QStringLiteral("select the operators first"));
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(fixture.window->statusBar()->currentMessage().contains(QStringLiteral("on the clipboard")));
    }

    void whatNothingLeadsToIsNeitherCountedNorNamed() {
        namespace w = onnx_writer;
        WindowFixture fixture;
        const w::GraphParts parts{{w::node("Relu", {"x"}, {"y"}), w::node("Exp", {"x"}, {"left"})},
                                  {},
                                  {w::value_info("x", {4})},
                                  {w::value_info("y", {4})}};
        QVERIFY(fixture.open(fixture.file(QStringLiteral("left.onnx"), QByteArray::fromStdString(w::model(parts)))));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        const auto said = [&] { return fixture.window->panels().inspector().text().toPlainText(); };
        QVERIFY2(said().contains(QStringLiteral("1 of 1 call")), qPrintable(said()));
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QVERIFY(fixture.settle());
        QVERIFY2(said().contains(QStringLiteral("nn.relu #1")) && !said().contains(QStringLiteral("#0")),
                 qPrintable(said()));
        // An operator can be put before what uses it, but for what nothing leads to.
        QTest::keyClick(&fixture.view(), Qt::Key_I);
        auto* insert = fixture.dialog<OperatorDialog>();
        QVERIFY(insert);
        const auto* places = insert->findChild<QComboBox*>(QStringLiteral("operator-place"));
        QStringList users;
        for (int i = 0; i < places->count(); ++i)
            if (places->itemText(i).startsWith(QStringLiteral("only between"))) users << places->itemText(i);
        QCOMPARE(users, QStringList{QStringLiteral("only between %x and nn.relu #1 'y'")});
    }

    void ofNoCallsNothingIsTold() {
        WindowFixture fixture;
        QVERIFY(
            fixture.open(fixture.file(QStringLiteral("none.relay"),
                                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) { (%x, %x) }\n")));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY2(!fixture.window->statusBar()->currentMessage().contains(QStringLiteral("0 calls")),
                 qPrintable(fixture.window->statusBar()->currentMessage()));
    }

    void marksOfAnnotationsAreNotCountedAsCalls() {
        WindowFixture fixture;
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/three-branches.relay")));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        const QString said = fixture.window->panels().inspector().text().toPlainText();
        QVERIFY2(said.contains(QStringLiteral("4 of 7 calls")) && said.contains(QStringLiteral("3 of 7 calls")),
                 qPrintable(said));
    }

    void aRegionIsSplitAndJoinedByHand() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("chain.relay"),
                                          "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) { "
                                          "add(multiply(subtract(%x, %x), %x), %x) }\n")));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().flow()->regions.size(), size_t(1));
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_K);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().flow()->regions.size(), size_t(2));
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("add"))), QStringLiteral("ccompiler"));
        fixture.picture(QStringLiteral("edit-split"));
        QTest::keyClick(&fixture.view(), Qt::Key_J);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().flow()->regions.size(), size_t(1));
    }

    /// There are no regions of default: what stands there goes along, and takes nothing from a backend.
    void whatIsJoinedGoesToABackend() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("chain.relay"),
                                          "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) { "
                                          "add(multiply(subtract(%x, %x), %x), %x) }\n")));
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_0);
        QVERIFY(fixture.settle());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QAction* join = fixture.window->action(QStringLiteral("join-regions"));
        QVERIFY(!join->isEnabled() && join->toolTip().contains(QStringLiteral("all that is selected is on default")));
        fixture.click(fixture.nodeOf(QStringLiteral("add")), Qt::ControlModifier);
        QVERIFY(join->isEnabled());
        QTest::keyClick(&fixture.view(), Qt::Key_J);
        QVERIFY(fixture.settle());
        for (const char* name : {"subtract", "add"})
            QCOMPARE(fixture.backendOf(fixture.nodeOf(QLatin1String(name))), QStringLiteral("ccompiler"));
        QCOMPARE(fixture.window->document().flow()->regions.size(), size_t(1));
    }

    void commandsSayWhyTheyAreDisabled() {
        WindowFixture fixture;
        QVERIFY(!fixture.window->action(QStringLiteral("insert-op"))->isEnabled());
        QVERIFY(fixture.window->action(QStringLiteral("insert-op"))
                    ->toolTip()
                    .contains(QStringLiteral("Open a module first")));
        QVERIFY(fixture.openOneDivide());
        QVERIFY(fixture.window->action(QStringLiteral("inline"))
                    ->toolTip()
                    .contains(QStringLiteral("Select a call of a function first")));
    }
};

PARTITA_TEST(TestEditing)

}  // namespace test_editing

#include "test_editing.moc"
