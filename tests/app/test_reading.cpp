// What readers expect who come from another viewer: names on nodes, edges in and out in two colours, the value on an
// edge, the values of a constant, left to right, back and forward.
#include "window_fixture.h"

#include <limits>

#include <QClipboard>
#include <QFileDialog>
#include <QHelpEvent>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QTreeView>

#include "app/gui/canvas/graph_model.h"
#include "app/gui/canvas/hit_list.h"
#include "app/gui/canvas/search_bar.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "engine/runtime/npy.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_reading {

using namespace partita;

namespace {

const char* const kWithConstant = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 8), float32]) -> Tensor[(4, 8), float32] {
  %0 = add(%x, 2.5f);
  %1 = exp(%0);
  multiply(%1, %0)
}
)";

/// Blocks one behind the other: exp, tanh, exp, add, sqrt. Block number `odd` has one more operator.
QByteArray blocks(int count, int odd) {
    QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 8), float32]) {\n";
    int last = -1;
    const auto value = [](int number) { return number < 0 ? QByteArray("%x") : "%" + QByteArray::number(number); };
    const auto add = [&](const QByteArray& call) {
        text += "  " + value(++last) + " = " + call + ";\n";
        return last;
    };
    add("floor(%x)");
    for (int i = 0; i < count; ++i) {
        const int input = last;
        add("exp(" + value(input) + ")");
        add("tanh(" + value(last) + ")");
        if (i == odd) add("negative(" + value(last) + ")");
        add("exp(" + value(last) + ")");
        add("add(" + value(last) + ", " + value(input) + ")");
        add("sqrt(" + value(last) + ")");
    }
    return text + "  negative(" + value(last) + ")\n}\n";
}

QString inspected(WindowFixture& fixture) {
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    return fixture.window->panels().inspector().text().toPlainText();
}

/// Clicks a link of the inspector by its address.
void follow(WindowFixture& fixture, const QString& link) {
    emit fixture.window->panels().inspector().text().anchorClicked(QUrl(link));
}

/// How many pixels of the canvas have a colour, or nearly so.
int pixels_of(GraphView& view, const QColor& colour) {
    const QImage image = view.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            count += std::abs(at.red() - colour.red()) + std::abs(at.green() - colour.green()) +
                         std::abs(at.blue() - colour.blue()) <
                     24;
        }
    return count;
}

}  // namespace

class TestReading : public QObject {
    Q_OBJECT

private slots:
    void edgesInAndOutOfTheSelectionHaveTwoColours() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        GraphView& view = fixture.view();
        const Theme& theme = view.theme();
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QVERIFY(pixels_of(view, theme.incoming) > 20);
        QVERIFY(pixels_of(view, theme.outgoing) > 20);
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::mouseMove(&view, QPoint(2, 2));
        QVERIFY(pixels_of(view, theme.incoming) < 20);
        QVERIFY(pixels_of(view, theme.outgoing) > 20);
    }

    void selectionAndFocusHaveTheColourOfNoBackend_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void selectionAndFocusHaveTheColourOfNoBackend() {
        QFETCH(bool, dark);
        for (const PaletteChoice palette : {PaletteChoice::OkabeIto, PaletteChoice::HighContrast}) {
            const Theme theme = make_theme(dark, palette);
            QVERIFY(theme.selection != theme.focus);
            for (int backend = 0; backend < 8; ++backend)
                for (const QColor& mark : {theme.selection, theme.focus}) {
                    const QColor strong = theme.backend_colours(backend).strong;
                    const int apart = std::abs(mark.red() - strong.red()) + std::abs(mark.green() - strong.green()) +
                                      std::abs(mark.blue() - strong.blue());
                    QVERIFY2(apart > 60, qPrintable(mark.name() + ' ' + strong.name()));
                }
        }
    }

    /// Ctrl+U writes the file's names on the nodes, and takes them off again.
    void namesStandOnNodes() {
        WindowFixture fixture;
        const QString path = reference_file(QStringLiteral("onnx-light/light_squeezenet.onnx"));
        if (path.isEmpty()) QSKIP("no reference data");
        QVERIFY(fixture.open(path));
        fixture.window->action(QStringLiteral("group-none"))->trigger();
        QVERIFY(fixture.settle());
        const auto named = [&] {
            int count = 0;
            for (const GraphNode& node : fixture.view().model()->nodes) count += !node.name.isEmpty();
            return count;
        };
        QCOMPARE(named(), 0);
        QTest::keyClick(fixture.window.get(), Qt::Key_U, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->action(QStringLiteral("names"))->isChecked());
        QVERIFY(named() > 10);
        fixture.picture(QStringLiteral("names-on-nodes"));
        QTest::keyClick(fixture.window.get(), Qt::Key_U, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(named(), 0);
    }

    /// Ctrl+K: each user lies right of its producer; arrows follow edges to the right.
    void aGraphGoesFromLeftToRight() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        QTest::keyClick(fixture.window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        GraphView& view = fixture.view();
        const GraphGeometry& geometry = view.geometry();
        QVERIFY(geometry.left_to_right);
        for (size_t i = 0; i < view.model()->edges.size(); ++i) {
            const GraphEdge& edge = view.model()->edges[i];
            QVERIFY(geometry.nodes[edge.from].right() < geometry.nodes[edge.to].left());
            QVERIFY(geometry.edges[i].front().x() < geometry.edges[i].back().x());
        }
        for (size_t i = 0; i < geometry.nodes.size(); ++i)
            for (size_t k = 0; k < i; ++k) QVERIFY(!geometry.nodes[i].intersects(geometry.nodes[k]));
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentNode(), fixture.nodeOf(QStringLiteral("divide")));
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(view.currentNode() != fixture.nodeOf(QStringLiteral("divide")));
        fixture.picture(QStringLiteral("left-to-right"));
        QTest::keyClick(fixture.window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QVERIFY(!view.geometry().left_to_right);
    }

    /// A deep graph from left to right begins at the left, at a size that can be read.
    void aLongGraphFromLeftToRightBeginsAtTheLeft() {
        WindowFixture fixture;
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n";
        for (int i = 1; i < 60; ++i)
            text += "  %" + QByteArray::number(i) + " = tanh(%" + QByteArray::number(i - 1) + ");\n";
        QVERIFY(fixture.open(fixture.file(QStringLiteral("chain.relay"), text + "  tanh(%59)\n}\n")));
        QTest::keyClick(fixture.window.get(), Qt::Key_K, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.view().zoom() >= 0.5);
        const QRectF first = fixture.view().geometry().nodes[0];
        QVERIFY(fixture.view().visibleArea().contains(first.center()));
    }

    void anEdgeTellsItsValueSourceAndUsers() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("constant.relay"), kWithConstant)));
        fixture.click(fixture.nodeOf(QStringLiteral("exp")));
        QTest::keyClick(&fixture.view(), Qt::Key_E);
        const QString text = inspected(fixture);
        QVERIFY2(text.contains(QStringLiteral("Value on an edge")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("Tensor[(4, 8), float32]")));
        QVERIFY(text.contains(QStringLiteral("128 B")));
        QVERIFY(text.contains(QStringLiteral("add #1")));
        QVERIFY(text.contains(QStringLiteral("exp #2")));
        QVERIFY(text.contains(QStringLiteral("multiply #3")));
        fixture.picture(QStringLiteral("edge-told"));
        // A click on the edge itself tells the same; one on a node tells of the node again.
        const GraphModel& model = *fixture.view().model();
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QVERIFY(!inspected(fixture).contains(QStringLiteral("Value on an edge")));
        for (uint32_t i = 0; i < model.edges.size(); ++i)
            if (model.nodes[model.edges[i].to].title == QLatin1String("exp"))
                QTest::mouseClick(&fixture.view(), Qt::LeftButton, {},
                                  fixture.view().toWidget(fixture.view().middleOfEdge(i)).toPoint());
        QVERIFY(inspected(fixture).contains(QStringLiteral("Value on an edge")));
    }

    void aConstantTellsItsValuesAndIsSaved() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("constant.relay"), kWithConstant)));
        const Module& module = *fixture.window->document().shownModule();
        ExprId constant;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Constant) constant = ExprId(i);
        follow(fixture, QStringLiteral("expr:%1").arg(constant.value));
        const QString text = inspected(fixture);
        for (const char* word : {"Least", "Largest", "Mean", "Deviation", "Zeros", "2.5"})
            QVERIFY2(text.contains(QLatin1String(word)), qPrintable(text));
        const QString path = fixture.file(QStringLiteral("saved.npy"), "");
        QTimer::singleShot(0, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->selectFile(path);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        follow(fixture, QStringLiteral("npy:%1").arg(constant.value));
        QVERIFY(fixture.settle());
        const Result<Tensor> read = read_npy(path.toStdString());
        QVERIFY(read);
        QCOMPARE(read->at(0), 2.5);
    }

    void valuesThatAreAskedForAgainAreNotReadTwice() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("constant.relay"), kWithConstant)));
        const Module& module = *fixture.window->document().shownModule();
        ExprId constant;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Constant) constant = ExprId(i);
        follow(fixture, QStringLiteral("expr:%1").arg(constant.value));
        QVERIFY(fixture.settle());
        JobRunner& jobs = fixture.window->jobs();
        follow(fixture, QStringLiteral("values:%1").arg(constant.value));
        const std::vector<JobInfo> first = jobs.jobs();
        QCOMPARE(first.size(), size_t(1));
        follow(fixture, QStringLiteral("values:%1").arg(constant.value));
        QVERIFY(jobs.isCancelled(first[0].id));
        QVERIFY(fixture.settle());
        QVERIFY(inspected(fixture).contains(QStringLiteral("Largest")));
    }

    void whatIsNoNumberInAConstantIsCounted() {
        namespace w = onnx_writer;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const auto& [last, wanted] : {std::pair(4.0f, 0), std::pair(nan, 1)}) {
            const w::GraphParts parts{{w::node("Add", {"x", "w"}, {"y"})},
                                      {w::tensor("w", {4}, {1, 2, 3, last})},
                                      {w::value_info("x", {4})},
                                      {w::value_info("y", {4})}};
            WindowFixture fixture;
            QVERIFY(fixture.open(fixture.file(QStringLiteral("w.onnx"), QByteArray::fromStdString(w::model(parts)))));
            const Module& module = *fixture.window->document().shownModule();
            ExprId constant;
            for (uint32_t i = 0; i < module.size(); ++i)
                if (module.kind(ExprId(i)) == ExprKind::Constant) constant = ExprId(i);
            QVERIFY(constant.valid());
            follow(fixture, QStringLiteral("expr:%1").arg(constant.value));
            const QString text = inspected(fixture);
            const QRegularExpressionMatch told = QRegularExpression(QStringLiteral("Not finite\\s+(\\d+)")).match(text);
            QVERIFY2(told.captured(1).toInt() == wanted && told.hasMatch() == (wanted > 0), qPrintable(text));
        }
    }

    /// Alt+Left goes to what was selected before, Alt+Right forward again; a new place ends the way forward.
    void oneGoesBackAndForwardThroughPlaces() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const auto selected = [&] { return fixture.window->document().selection(); };
        QVERIFY(!fixture.window->action(QStringLiteral("back"))->isEnabled());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        const auto first = selected();
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        const auto second = selected();
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        const auto third = selected();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(&fixture.view(), key, Qt::AltModifier);
            QVERIFY(fixture.settle());
        };
        press(Qt::Key_Left);
        QCOMPARE(selected(), second);
        press(Qt::Key_Left);
        QCOMPARE(selected(), first);
        QVERIFY(!fixture.window->action(QStringLiteral("back"))->isEnabled());
        press(Qt::Key_Right);
        QCOMPARE(selected(), second);
        press(Qt::Key_Right);
        QCOMPARE(selected(), third);
        press(Qt::Key_Left);
        fixture.click(fixture.nodeOf(QStringLiteral("add"), 1));
        QVERIFY(!fixture.window->action(QStringLiteral("forward"))->isEnabled());
        press(Qt::Key_Left);
        QCOMPARE(selected(), second);
    }

    /// Down opens the list of all functions' hits; Enter there leads to one, in its own tab.
    void hitsOfAllFunctionsAreListed() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_Return);
        QVERIFY(fixture.settle());
        GraphPage* page = fixture.window->currentPage();
        QTest::keyClick(fixture.window.get(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(page->searchBar().edit(), QStringLiteral("op:/^(add|divide|subtract|multiply)$/"));
        QTest::keyClick(page->searchBar().edit(), Qt::Key_Down);
        QVERIFY(fixture.settle());
        QTreeWidget& rows = page->hitList().rows();
        QVERIFY(rows.isVisible() && rows.hasFocus());
        QCOMPARE(rows.topLevelItemCount(), 6);
        fixture.picture(QStringLiteral("hits"));
        QSet<QString> functions;
        for (int i = 0; i < 6; ++i) functions << rows.topLevelItem(i)->text(3);
        QVERIFY(functions.size() > 1);
        for (int i = 0; i < 6; ++i)
            if (rows.topLevelItem(i)->text(3) == QLatin1String("@main")) rows.setCurrentItem(rows.topLevelItem(i));
        QTest::keyClick(&rows, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->currentPage() != page);
        QCOMPARE(fixture.window->currentPage()->target().function, QStringLiteral("main"));
        QCOMPARE(fixture.view().selectedNodes().size(), size_t(1));
    }

    void theFirstHitOfTheListIsLedTo() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        QTest::keyClick(fixture.window.get(), Qt::Key_F, Qt::ControlModifier);
        GraphPage* page = fixture.window->currentPage();
        QTest::keyClicks(page->searchBar().edit(), QStringLiteral("op:subtract"));
        QTest::keyClick(page->searchBar().edit(), Qt::Key_Down);
        QVERIFY(fixture.settle());
        QTreeWidget& rows = page->hitList().rows();
        QCOMPARE(rows.topLevelItemCount(), 1);
        fixture.window->document().setSelection({});
        QTest::keyClick(&rows, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.view().selectedNodes(), std::vector<uint32_t>{uint32_t(fixture.nodeOf("subtract"))});
    }

    /// Up brings the queries of before back, the latest first.
    void queriesAreKept() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        QTest::keyClick(fixture.window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture.window->currentPage()->searchBar();
        for (const char* query : {"op:add", "op:divide"}) {
            bar.edit()->clear();
            QTest::keyClicks(bar.edit(), QString::fromLatin1(query));
            QTest::keyClick(bar.edit(), Qt::Key_Return);
            QVERIFY(fixture.settle());
            bar.edit()->setFocus();
        }
        QTest::keyClick(bar.edit(), Qt::Key_Up);
        QCOMPARE(bar.query(), QStringLiteral("op:add"));
        QTest::keyClick(bar.edit(), Qt::Key_Down);
        QCOMPARE(bar.query(), QStringLiteral("op:divide"));
    }

    /// Shift+S adds the operator at the same place in all blocks; one key then gives them all to a backend, and one
    /// step of undo takes that back.
    void whatIsDoneToOneBlockIsDoneToAll() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("blocks.relay"), blocks(8, -1))));
        GraphView& view = fixture.view();
        fixture.click(fixture.nodeOf(QStringLiteral("tanh"), 3));
        QTest::keyClick(&view, Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().selection().size(), size_t(8));
        QTest::keyClick(&view, Qt::Key_2);
        QVERIFY(fixture.settle());
        for (int i = 0; i < 8; ++i)
            QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("tanh"), i)), QStringLiteral("dnnl"));
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("exp"))), QStringLiteral("default"));
        QTest::keyClick(fixture.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("tanh"), 5)), QStringLiteral("default"));
        // The second of two like operators in a block stays the second.
        fixture.click(fixture.nodeOf(QStringLiteral("exp"), 3));
        QTest::keyClick(&view, Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().selection().size(), size_t(8));
    }

    /// Of blocks that differ a little the run says in what, on its node, in its tip and in the inspector; what is done
    /// to all is done to those that have it.
    void aRunSaysInWhatItsBlocksDiffer() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("odd.relay"), blocks(60, 3))));
        GraphView& view = fixture.view();
        const int64_t run = fixture.nodeOf(QStringLiteral("Block A ×60"));
        QVERIFY(run >= 0);
        QVERIFY(view.model()->nodes[size_t(run)].type.contains(QStringLiteral("59 alike")));
        fixture.click(run);
        const QString said = QStringLiteral("59 alike; block 4: 1 more negative");
        QVERIFY2(inspected(fixture).contains(said), qPrintable(inspected(fixture)));
        QHelpEvent help(QEvent::ToolTip, fixture.placeOf(run), view.mapToGlobal(fixture.placeOf(run)));
        QApplication::sendEvent(&view, &help);
        QVERIFY2(QToolTip::text().contains(said), qPrintable(QToolTip::text()));
        fixture.picture(QStringLiteral("run-that-differs"));
        // One operator that only the odd block has, and one that all have.
        const GraphModel& full = view.model()->whole();
        std::vector<ExprId> negatives, tanhs;
        for (const GraphNode& node : full.nodes) {
            if (node.title == QLatin1String("negative")) negatives.push_back(node.expr);
            if (node.title == QLatin1String("tanh")) tanhs.push_back(node.expr);
        }
        const auto select_alike = [&](ExprId expr) {
            fixture.window->currentPage()->showExpression(expr);
            if (!fixture.settle()) return QString();
            QTest::keyClick(&view, Qt::Key_S, Qt::ShiftModifier);
            return fixture.settle() ? fixture.window->statusBar()->currentMessage() : QString();
        };
        QCOMPARE(select_alike(negatives.front()), QStringLiteral("In 1 block; 59 blocks differ and have none"));
        QCOMPARE(fixture.window->document().selection(), std::vector<ExprId>{negatives.front()});
        QCOMPARE(select_alike(tanhs[5]), QStringLiteral("In 60 blocks"));
        QCOMPARE(fixture.window->document().selection().size(), size_t(60));
    }

    void whatLiesInNoBlockStaysAlone() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().selection().size(), size_t(1));
        QVERIFY(fixture.window->statusBar()->currentMessage().contains(QStringLiteral("no block")));
    }

    /// Regions of the same operators stand in one row of the outline, which selects them all and opens to each.
    void regionsThatAreAlikeStandInOneRow() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("blocks.relay"), blocks(8, -1))));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        const size_t regions = fixture.window->document().flow()->regions.size();
        QVERIFY(regions >= 8);
        QTreeView& tree = fixture.window->panels().outline().tree();
        const QAbstractItemModel& model = *tree.model();
        const QModelIndex heading = model.index(2, 0);  // functions, blocks, regions
        QStringList rows;
        for (int i = 0; i < model.rowCount(heading); ++i) rows << model.index(i, 0, heading).data().toString();
        QVERIFY2(rows.size() == 4, qPrintable(rows.join(QLatin1Char('|'))));
        QModelIndex several;
        int shown = 0;
        for (int i = 0; i < model.rowCount(heading); ++i) {
            const QModelIndex row = model.index(i, 0, heading);
            const int inside = model.rowCount(row);
            shown += std::max(inside, 1);
            if (inside > 0) several = row;
        }
        QCOMPARE(size_t(shown), regions);
        QVERIFY(several.isValid());
        QVERIFY(several.data().toString().contains(QStringLiteral("alike")));
        QVERIFY(several.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Together")));
        const QModelIndex first = model.index(0, 0, several);
        QCOMPARE(model.parent(first), several);
        QCOMPARE(model.parent(several), heading);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(several).center());
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->document().selection().size() >= size_t(model.rowCount(several)));
        fixture.picture(QStringLiteral("outline-alike"));
        tree.expand(several);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(model.index(1, 0, several)).center());
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->document().selection().size() < size_t(model.rowCount(several)) + 1);
    }

    /// Casts and reshapes are hidden, and their edges go on past them.
    void kindsOfOperatorsAreHidden() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("casts.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 8), float32]) {
  %0 = exp(%x);
  %1 = cast(%0, dtype="float64");
  %2 = cast(%1, dtype="float32");
  %3 = reshape(%2, newshape=[32]);
  tanh(%3)
}
)")));
        QCOMPARE(fixture.view().model()->nodes.size(), size_t(6));
        fixture.window->action(QStringLiteral("hide-casts"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.view().model()->nodes.size(), size_t(4));
        fixture.window->action(QStringLiteral("hide-shapes"))->trigger();
        QVERIFY(fixture.settle());
        const GraphModel& model = *fixture.view().model();
        QCOMPARE(model.nodes.size(), size_t(3));
        QCOMPARE(model.edges.size(), size_t(2));
        QCOMPARE(model.nodes[model.edges[1].from].title, QStringLiteral("exp"));
        QCOMPARE(model.nodes[model.edges[1].to].title, QStringLiteral("tanh"));
        fixture.window->action(QStringLiteral("hide-casts"))->trigger();
        fixture.window->action(QStringLiteral("hide-shapes"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.view().model()->nodes.size(), size_t(6));
    }

    void whatIsSaidOfAnOperatorIsCopied() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QCoreApplication::processEvents();
        QTest::keyClick(&fixture.view(), Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("subtract #3")));
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("Tensor[(10, 10), float32]")));
    }

    /// Another order of the backends leaves each its colour; a new one takes one that is free.
    void coloursBelongToBackends() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        const auto colour = [&](int backend) { return fixture.view().theme().backend_colours(backend).strong; };
        const QColor ccompiler = colour(0), dnnl = colour(1);
        fixture.window->setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        QVERIFY(fixture.settle());
        QCOMPARE(colour(0), dnnl);
        QCOMPARE(colour(1), ccompiler);
        fixture.window->setBackends({QStringLiteral("int8_accelerator"), QStringLiteral("ccompiler")});
        QVERIFY(fixture.settle());
        QCOMPARE(colour(1), ccompiler);
        QVERIFY(colour(0) != ccompiler);
    }

    /// Going back leads to the function's tab, too.
    void backLeadsToTheTabOfThePlace() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        GraphPage* main = fixture.window->currentPage();
        QTest::keyClick(&fixture.view(), Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->currentPage() != main);
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_Left, Qt::AltModifier);
        QTest::keyClick(&fixture.view(), Qt::Key_Left, Qt::AltModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->currentPage(), main);
    }
};

PARTITA_TEST(TestReading)

}  // namespace test_reading

#include "test_reading.moc"
