// Reading a graph by real events: groups, search into closed groups, bookmarks, paths, tabs; and the file dialogs.
#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>

#include "window_fixture.h"

#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPrinter>
#include <QPushButton>
#include <QSemaphore>
#include <QStatusBar>
#include <QTabWidget>

#include "app/gui/canvas/minimap.h"
#include "app/gui/canvas/page_notices.h"
#include "app/gui/canvas/search_bar.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/steps/step_delegate.h"
#include "app/gui/panels/steps/step_list.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/print_graph.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/printer.h"
#include "tests/registry.h"

namespace test_graph_navigation {

using namespace partita;

class TestGraphNavigation : public QObject {
    Q_OBJECT

private slots:
    /// A file that is partitioned already shows its regions, in colours and in the outline.
    void aPartitionedFileShowsItsRegions() {
        WindowFixture fixture;
        fixture.window->setBackends({QStringLiteral("dnnl")});
        const QString path = fixture.file(QStringLiteral("part.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) {
  %0 = @mine_0(%x);
  exp(%0)
}
def @mine_0(%a: Tensor[(4), float32], Inline=1, Compiler="ccompiler_wide", global_symbol="mine_0", Primitive=1) {
  %1 = tanh(%a);
  negative(%1)
}
)");
        QVERIFY(fixture.open(path));
        Document& document = fixture.window->document();
        QVERIFY(document.flow());
        QCOMPARE(document.flow()->regions.size(), size_t(1));
        QCOMPARE(document.flow()->regions[0].function, std::string("mine_0"));
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("@mine_0"))), QStringLiteral("ccompiler_wide"));
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("exp"))), QStringLiteral("default"));
        const std::vector<BackendPtr>& usual = document.usualBackends().backends;
        QVERIFY(usual.size() == 1 && usual[0]->name == "dnnl");
        fixture.picture("partitioned-file");
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(document.flow()->regions.size(), size_t(2));
        QVERIFY(document.flow()->partitioned->find_function("mine_0").valid() ||
                document.flow()->partitioned->find_function("tvmgen_default_mine_0").valid());
    }

    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void aLargeGraphOpensInGroupsThatKeysOpenAndClose() {
        QVERIFY(openGenerated(GraphKind::Random, 6000));
        GraphPage& page = *fixture_->window->currentPage();
        QVERIFY(page.hasGroups());
        const size_t before = fixture_->view().model()->nodes.size();
        QVERIFY2(before < 150, qPrintable(QString::number(before)));
        fixture_->picture("30-groups");
        const int64_t group = groupNode();
        fixture_->click(group);
        const size_t members = fixture_->view().model()->members(uint32_t(group)).size();
        QCOMPARE(fixture_->window->document().selection().size(), members);
        QTest::keyClick(&fixture_->view(), Qt::Key_Return);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->view().model()->nodes.size() > before);
        fixture_->picture("31-group-opened");
        QTest::keyClick(&fixture_->view(), Qt::Key_C);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->view().model()->nodes.size(), before);
    }

    void aWholeGroupIsGivenToABackendAndTakenBack() {
        QVERIFY(openGenerated(GraphKind::Ladder, 6000));
        const int64_t group = groupNode();
        fixture_->click(group);
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(group), QStringLiteral("ccompiler"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(groupNode()), QStringLiteral("default"));
    }

    void whatPartOfAGroupEachBackendTakesIsToldInWholePercent() {
        QVERIFY(openGenerated(GraphKind::Random, 6000));
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        fixture_->window->action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        const int64_t group = groupNode();
        fixture_->view().reveal({uint32_t(group)});
        const QString told = hint(fixture_->placeOf(group));
        static const QRegularExpression share(QStringLiteral("^ccompiler: [1-9][0-9]? %$"),
                                              QRegularExpression::MultilineOption);
        QVERIFY2(share.match(told).hasMatch(), qPrintable(QString(told).replace('\n', '|')));
    }

    void escLeavesTheSearchFromTheCanvasToo() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QTest::keyClicks(bar.edit(), "add");
        QVERIFY(fixture_->settle());
        fixture_->view().setFocus();
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
    }

    void theSearchLineHasRoomForAQueryInTheNarrowestWindow() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->resize(100, 100);
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        const QLineEdit& edit = *fixture_->window->currentPage()->searchBar().edit();
        const int needed = edit.fontMetrics().horizontalAdvance(QStringLiteral("op:nn.conv2d"));
        QVERIFY2(edit.width() > needed, qPrintable(QString::number(edit.width())));
    }

    void whatIsSearchedIsSearchedAgainAfterAnEdit() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QTest::keyClicks(bar.edit(), "op:divide");
        QVERIFY(fixture_->settle());
        const auto says = [&bar](const QString& words) {
            const QList<QLabel*> labels = bar.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == words; });
        };
        QVERIFY(says("2 hits"));
        fixture_->click(fixture_->nodeOf("divide", 1));
        fixture_->window->action(QStringLiteral("delete"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(bar.isVisible());
        QVERIFY(says("1 hit"));
    }

    void whereNothingIsOpenNothingLiesUnderThePointer() { QCOMPARE(GraphView().nodeAt(QPointF(5, 5)), int64_t(-1)); }

    void escAfterSelectingTheHitsKeepsThem() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QTest::keyClicks(bar.edit(), "op:add");
        QVERIFY(fixture_->settle());
        QTest::keyClick(bar.edit(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(fixture_->view().selectedNodes().size(), size_t(2));
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
        QCOMPARE(fixture_->view().selectedNodes().size(), size_t(2));
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(fixture_->view().selectedNodes().empty());
    }

    /// Also from the first node.
    void theSearchGoesOnFromWhatIsSelected() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QTest::keyClicks(bar.edit(), "%");  // inputs, which stand first
        QVERIFY(fixture_->settle());
        const std::vector<GraphNode>& nodes = fixture_->view().model()->nodes;
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(fixture_->view().currentNode() > 0);
        fixture_->click(0);
        QCOMPARE(fixture_->view().currentNode(), int64_t(0));
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        const int64_t next = fixture_->view().currentNode();
        QVERIFY2(next == 1, qPrintable(nodes[size_t(next)].title));
    }

    void theCopiedPictureIsOfTheWholeGraph() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        view.setZoom(3, QPointF(0, 0));  // the canvas shows a part
        fixture_->window->action(QStringLiteral("copy-picture"))->trigger();
        const QImage copied = QApplication::clipboard()->image();
        const QSizeF whole = GraphPaper::areaOf(view.geometry()).size() * 2;
        QVERIFY(std::abs(copied.width() - whole.width()) < 2 && std::abs(copied.height() - whole.height()) < 2);
        const QPointF place = (view.geometry().nodes[0].center() - GraphPaper::areaOf(view.geometry()).topLeft()) * 2;
        QVERIFY(copied.pixelColor(place.toPoint()) != view.theme().canvas ||
                copied.pixelColor(place.toPoint() + QPoint(0, 6)) != view.theme().canvas);
    }

    void searchStepsIntoClosedGroups() {
        QVERIFY(openGenerated(GraphKind::Random, 6000));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QTest::keyClicks(bar.edit(), "op:concatenate");
        QVERIFY(fixture_->settle());
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(fixture_->settle());
        const GraphModelPtr model = fixture_->view().model();
        QVERIFY(fixture_->view().currentNode() >= 0);
        QCOMPARE(model->nodes[size_t(fixture_->view().currentNode())].title, QStringLiteral("concatenate"));
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(fixture_->settle());
        const ExprId second = fixture_->window->document().selection().front();
        QTest::keyClick(bar.edit(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->document().selection().front() != second);
    }

    void bookmarksAreSteppedThroughAndKeptInTheProject() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        for (const char* op : {"subtract", "multiply"}) {
            fixture_->click(fixture_->nodeOf(op));
            QTest::keyClick(&fixture_->view(), Qt::Key_M);
        }
        QCOMPARE(window.document().bookmarks().size(), size_t(2));
        QTest::keyClick(&fixture_->view(), Qt::Key_N);
        QCOMPARE(titleOfSelection(), QStringLiteral("subtract"));
        QTest::keyClick(&fixture_->view(), Qt::Key_N);
        QCOMPARE(titleOfSelection(), QStringLiteral("multiply"));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("marked.partita"));
        window.document().saveProject(path);
        QVERIFY(fixture_->settle());
        QTest::keyClick(&fixture_->view(), Qt::Key_M);
        QCOMPARE(window.document().bookmarks().size(), size_t(1));
        QVERIFY(fixture_->open(path));
        QCOMPARE(window.document().bookmarks().size(), size_t(2));
        const std::vector<uint8_t>& marked = fixture_->view().decoration()->bookmarked;
        QCOMPARE(std::count(marked.begin(), marked.end(), 1), 2);
        fixture_->picture("32-bookmarks");
    }

    void thePathBetweenTwoIsHighlighted() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->click(fixture_->nodeOf("subtract"));
        fixture_->click(fixture_->nodeOf("divide", 1), Qt::ControlModifier);
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        QVERIFY(fixture_->window->currentPage()->pathShown());
        fixture_->picture("33-path");
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        QVERIFY(!fixture_->window->currentPage()->pathShown());
        // The same key takes it back with nothing selected, too.
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        QVERIFY(fixture_->window->currentPage()->pathShown());
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(fixture_->window->document().selection().empty());
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        QVERIFY(!fixture_->window->currentPage()->pathShown());
        QVERIFY(!fixture_->window->action("path")->isEnabled());
        // So does Escape: first it lets go of the selection, then of the path.
        fixture_->click(fixture_->nodeOf("subtract"));
        fixture_->click(fixture_->nodeOf("divide", 1), Qt::ControlModifier);
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(fixture_->window->currentPage()->pathShown());
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(!fixture_->window->currentPage()->pathShown());
        // Another graph has no path.
        fixture_->click(fixture_->nodeOf("subtract"));
        fixture_->click(fixture_->nodeOf("divide", 1), Qt::ControlModifier);
        QTest::keyClick(&fixture_->view(), Qt::Key_B);
        fixture_->click(fixture_->nodeOf("multiply"));
        QTest::keyClick(&fixture_->view(), Qt::Key_Delete);
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->window->currentPage()->pathShown());
    }

    void theOnlyEdgeIsFoundOnBothSidesOfItsLine() {
        QVERIFY(fixture_->open(fixture_->file(
            "one-edge.relay", "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) { exp(%x) }\n")));
        GraphView& view = fixture_->view();
        const QPoint middle = view.toWidget(view.middleOfEdge(0)).toPoint();
        for (const int aside : {0, 3, -3}) {
            view.setCurrentEdge(-1);
            QTest::mouseClick(&view, Qt::LeftButton, {}, middle + QPoint(aside, 0));
            QVERIFY2(view.currentEdge() == 0, qPrintable(QString::number(aside)));
        }
        QTest::mouseClick(&view, Qt::LeftButton, {}, middle + QPoint(20, 0));
        QCOMPARE(view.currentEdge(), int64_t(-1));
    }

    void aStepAboutTheVeryFirstNodeMarksIt() {
        QVERIFY(fixture_->open(
            fixture_->file("no-inputs.relay",
                           "#[version = \"0.0.5\"]\ndef @main() {\n  %0 = zeros(shape=[4], dtype=\"float32\");\n"
                           "  exp(%0)\n}\n")));
        QCOMPARE(fixture_->nodeOf("zeros"), int64_t(0));
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        QTest::keyClick(&fixture_->view(), Qt::Key_F11);
        QVERIFY2(fixture_->window->panels().steps().sentence().startsWith("zeros #1"),
                 qPrintable(fixture_->window->panels().steps().sentence()));
        QCOMPARE(fixture_->view().highlighted(), (std::vector<uint8_t>{2, 0}));
    }

    void theOperatorsOfACompositeShowTheirBackend() {
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        QVERIFY(fixture_->open(fixture_->file("composite.relay", R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32], %b: Tensor[(4, 1, 1), float32]) {
  %0 = nn.conv2d(%data, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = add(%0, %b);
  nn.relu(%1)
}
)")));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        emit fixture_->view().nodeActivated(quint32(fixture_->nodeOf("nn.relu")));
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->nodeOf("dnnl.conv2d_bias_relu") >= 0);
        emit fixture_->view().nodeActivated(quint32(fixture_->nodeOf("dnnl.conv2d_bias_relu")));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->currentPage()->target().title(), QStringLiteral("dnnl.conv2d_bias_relu"));
        for (const char* op : {"nn.conv2d", "add", "nn.relu"})
            QCOMPARE(fixture_->backendOf(fixture_->nodeOf(op)), QStringLiteral("dnnl"));
    }

    void theDialogOpensTheChosenFile() {
        const QString path = fixture_->file(QStringLiteral("chosen.relay"), kOneDivide);
        answerFileDialog(path);
        fixture_->window->action(QStringLiteral("open"))->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), path);
        QMenu* recent = nullptr;
        for (QMenu* menu : fixture_->window->findChildren<QMenu*>())
            if (menu->title().contains(QLatin1String("recent"))) recent = menu;
        QVERIFY(recent && !recent->actions().isEmpty());
        QCOMPARE(recent->actions().front()->text(), QStringLiteral("chosen.relay"));
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("other.relay"), kOneDivide)));
        recent->actions()[1]->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), path);
    }

    void theOverviewLetsShineThroughWhatLiesBelowIt() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        auto* overview = view.findChild<Minimap*>();
        view.setZoom(2, QPointF(view.width() / 2.0, view.height() / 2.0));
        const auto put = [&](int64_t node, const QPointF& place) {
            view.centreOn(view.geometry().nodes[size_t(node)].center() -
                          (place - QPointF(view.width() / 2.0, view.height() / 2.0)) / view.zoom());
        };
        const int64_t node = fixture_->nodeOf(QStringLiteral("subtract"));
        put(node, overview->geometry().center());
        QVERIFY(overview->isVisible() && overview->isFaded());
        // What a person goes to comes out from below it, even where all of it lies in the view.
        view.setZoom(1.5, QPointF(view.width() / 2.0, view.height() / 2.0));
        put(node, overview->geometry().topLeft());
        QVERIFY(view.visibleArea().contains(view.geometry().nodes[size_t(node)]) && overview->isFaded());
        view.reveal({uint32_t(node)});
        const QRectF box = view.geometry().nodes[size_t(node)];
        QVERIFY(!QRectF(overview->geometry())
                     .intersects(QRectF(view.toWidget(box.topLeft()), view.toWidget(box.bottomRight()))));
        // Under the pointer it is whole, at once.
        struct Painted : QObject {
            bool eventFilter(QObject* of, QEvent* event) override {
                times += event->type() == QEvent::Paint && !static_cast<Minimap*>(of)->isFaded();
                return false;
            }
            int times = 0;
        } whole;
        put(node, overview->geometry().center());
        move_pointer(view, QPoint(5, 5));
        QVERIFY(QTest::qWaitFor([&] { return overview->isFaded(); }));
        QTest::qWait(50);  // what is to be painted is
        overview->installEventFilter(&whole);
        move_pointer(*overview, overview->rect().center());
        QVERIFY(QTest::qWaitFor([&] { return whole.times > 0; }));
        move_pointer(view, QPoint(5, 5));
        // With nothing below it, it is whole.
        put(0, QPointF(view.width() - 62, 62));
        const QRectF corner(view.toGraph(overview->geometry().topLeft()),
                            view.toGraph(overview->geometry().bottomRight()));
        bool below = false;
        for (const QRectF& each : view.geometry().nodes) below = below || each.intersects(corner);
        QCOMPARE(overview->isFaded(), below);
    }

    void theOverviewKeepsOffNodesAndOffSmallGraphs() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        auto* overview = view.findChild<Minimap*>();
        // Moved aside, a graph that fits is found without an overview.
        view.fit();
        QVERIFY(overview->isHidden());
        view.centreOn(view.geometry().bounds.topLeft());
        QVERIFY(overview->isHidden());
        // With a node in its corner it goes to another one.
        view.setZoom(1.6, QPointF(view.width() / 2.0, view.height() / 2.0));
        const QPointF corner(view.width() - 60, view.height() - 60);
        const QRectF node = view.geometry().nodes[size_t(fixture_->nodeOf(QStringLiteral("subtract")))];
        view.centreOn(node.center() - (corner - QPointF(view.width() / 2.0, view.height() / 2.0)) / view.zoom());
        view.setZoom(view.zoom() * 1.01, corner);
        QVERIFY(overview->isVisible() && !overview->isFaded());
        QVERIFY(overview->x() < view.width() / 2 || overview->y() < view.height() / 2);
    }

    void stepsStandInColumnsAndTheStatusBarSpeaksInSentences() {
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->statusBar()->currentMessage(), QStringLiteral("All 4 calls are offloaded"));
        auto* list = fixture_->window->panels().steps().findChild<StepList*>();
        QVERIFY(list->isVisible() && list->model()->rowCount() >= 10);  // numbers of one digit, and of two
        const auto at = static_cast<StepDelegate*>(list->itemDelegate())->columns(list->fontMetrics());
        const QImage picture = list->viewport()->grab().toImage();
        // Between the columns stands nothing, in no row.
        for (const int x : {at.pass - 2, at.sentence - 2})
            for (int y = 0; y < picture.height(); ++y)
                QCOMPARE(picture.pixel(x, y), picture.pixel(picture.width() - 3, y));
    }

    void iconsAreAsLargeAsAskedFor() {
        QVERIFY(fixture_->openOneDivide());
        for (const int side : {15, 23, 35, 61})
            QCOMPARE(fixture_->window->action("open")->icon().pixmap(QSize(side, side), 1.0).size(), QSize(side, side));
    }

    void aRecentFileThatIsGoneCanBeTakenFromTheList() {
        const QString path = fixture_->file(QStringLiteral("gone.relay"), kOneDivide);
        QVERIFY(fixture_->open(path));
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("stays.relay"), kOneDivide)));
        const auto recent = [&] { return fixture_->window->settings().recent_files; };
        QVERIFY(recent().contains(path));
        QVERIFY(QFile::remove(path));
        fixture_->window->opening().openFile(path);
        QVERIFY(fixture_->settle());
        auto* box = fixture_->window->findChild<QMessageBox*>(QStringLiteral("file-gone"));
        QVERIFY(box && box->isVisible());
        box->button(QMessageBox::Ok)->click();
        QVERIFY(recent().contains(path));  // it may come back
        QTest::qWait(10);
        fixture_->window->opening().openFile(path);
        QVERIFY(fixture_->settle());
        box = fixture_->window->findChild<QMessageBox*>(QStringLiteral("file-gone"));
        QVERIFY(box);
        for (QAbstractButton* button : box->buttons())
            if (box->buttonRole(button) == QMessageBox::ActionRole) {
                QVERIFY(button->toolTip().contains(QStringLiteral("recent files")));
                button->click();
            }
        QVERIFY(!recent().contains(path));
        QVERIFY(!Settings::load().recent_files.contains(path));
        QCOMPARE(fixture_->window->document().title(), QStringLiteral("stays.relay"));
    }

    void theFirstPageOffersToGoOn() {
        // A session of its own: that of other tests, which may run beside this one, stands in one place.
        QApplication::setApplicationName(QStringLiteral("PartitaTestSession"));
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("yesterday.relay"), kOneDivide)));
        fixture_->window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture_->settle());
        fixture_->window->close();
        QVERIFY(fixture_->settle());
        MainWindow next;
        next.show();
        QPushButton* go_on = nullptr;
        QTRY_VERIFY((go_on = next.findChild<QPushButton*>(QStringLiteral("go-on"))) && go_on->isVisible());
        QCOMPARE(go_on->text(), QStringLiteral("Go on with yesterday.relay"));
        QTest::mouseClick(go_on, Qt::LeftButton);
        QVERIFY(next.waitUntilSettled(60000));
        QCOMPARE(next.document().title(), QStringLiteral("yesterday.relay"));
        QVERIFY(next.document().partitioned());
    }

    void goingOnOpensTheTabsAndLooksWhereOneLooked() {
        QApplication::setApplicationName(QStringLiteral("PartitaTestTabs"));
        const QString path = fixture_->file(QStringLiteral("tabs.relay"), kOneDivide);
        QVERIFY(fixture_->open(QDir::current().relativeFilePath(path)));  // as from a terminal
        fixture_->window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture_->settle());
        const QString part = QString::fromStdString(fixture_->window->document().flow()->regions.at(0).function);
        fixture_->window->pages().openFunction(part, true);
        QVERIFY(fixture_->settle());
        fixture_->window->pages().openFunction(QStringLiteral("main"), false);
        GraphView& view = fixture_->view();
        const QPointF place = view.geometry().nodes[size_t(fixture_->nodeOf("add"))].center();
        view.setZoom(2.3, view.toWidget(place));
        view.centreOn(place);
        const QPointF centre = view.visibleArea().center();
        fixture_->window->close();
        QVERIFY(fixture_->settle());
        const auto go_on = [](MainWindow& window) {
            window.resize(1280, 800);
            window.show();
            window.opening().openFile(Document::sessionFile());
            QVERIFY(window.waitUntilSettled(60000));
        };
        const auto titles = [](const MainWindow& window) {
            const auto* tabs = qobject_cast<QTabWidget*>(window.currentPage()->parentWidget()->parentWidget());
            QStringList texts;
            for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i);
            return texts;
        };
        MainWindow next;
        go_on(next);
        QCOMPARE(titles(next).size(), 2);
        QVERIFY2(titles(next)[1].contains(part), qPrintable(titles(next)[1]));
        QCOMPARE(next.currentPage()->target().source, PageTarget::Source::Shown);
        QCOMPARE(next.currentPage()->view().zoom(), 2.3);
        const QPointF now = next.currentPage()->view().visibleArea().center();
        QVERIFY2(QLineF(now, centre).length() < 30,
                 qPrintable(QStringLiteral("%1 %2").arg(QLineF(now, centre).dx()).arg(QLineF(now, centre).dy())));
        // A file that is opened by itself has the tabs of a new one.
        next.opening().openFile(path);
        QVERIFY(next.waitUntilSettled(60000));
        QCOMPARE(titles(next).size(), 1);
    }

    void goingOnLooksWhereOneLookedWhereNothingIsDivided() {
        QApplication::setApplicationName(QStringLiteral("PartitaTestSight"));
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        const QPointF place = view.geometry().nodes[size_t(fixture_->nodeOf("subtract"))].center();
        view.setZoom(2.3, view.toWidget(place));
        fixture_->window->close();
        QVERIFY(fixture_->settle());
        MainWindow next;
        next.resize(1280, 800);
        next.show();
        next.opening().openFile(Document::sessionFile());
        QVERIFY(next.waitUntilSettled(60000));
        QCOMPARE(next.currentPage()->view().zoom(), 2.3);
    }

    void aDoubleClickOnTheFirstNodeOpensItsFunction() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("first.relay"), R"(#[version = "0.0.5"]
def @part() { exp(zeros(shape=[2], dtype="float32")) }
def @main() { tanh(@part()) }
)")));
        QCOMPARE(fixture_->nodeOf(QStringLiteral("@part")), int64_t(0));
        fixture_->window->document().setSelection({fixture_->view().model()->nodes[0].expr});
        QCOMPARE(fixture_->view().selectedNodes(), std::vector<uint32_t>{0});
        QTest::mouseDClick(&fixture_->view(), Qt::LeftButton, Qt::NoModifier, fixture_->placeOf(0));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->currentPage()->target().function, QStringLiteral("part"));
    }

    void theDialogsSaveAndExportWhereTheySay() {
        QVERIFY(fixture_->openOneDivide());
        QTemporaryDir folder;
        answerFileDialog(folder.filePath(QStringLiteral("project")));
        QTest::keyClick(fixture_->window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("project.partita"))));
        answerFileDialog(folder.filePath(QStringLiteral("module.json")));
        fixture_->window->action(QStringLiteral("export"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY2(QFile::exists(folder.filePath(QStringLiteral("module.json"))),
                 qPrintable(fixture_->takeMessage() + QDir(folder.path()).entryList().join(QLatin1Char(' '))));
        answerFileDialog(QStringLiteral("/nonexistent/folder/out.relay"));
        fixture_->window->action(QStringLiteral("export"))->trigger();
        QVERIFY(fixture_->settle());
    }

    void whatLiesUnderThePointerIsNamed() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        for (size_t node = 0; node < view.model()->nodes.size(); ++node)
            QCOMPARE(hint(fixture_->placeOf(int64_t(node))).section('\n', 0, 0), view.model()->nodes[node].title);
        QHelpEvent beside(QEvent::ToolTip, QPoint(2, 2), view.mapToGlobal(QPoint(2, 2)));
        QApplication::sendEvent(&view, &beside);
        QTRY_VERIFY(!QToolTip::isVisible());
    }

    void aChoiceThatIsMadeAgainStaysMarked() {
        QVERIFY(fixture_->openOneDivide());
        for (const char* choice : {"group-none", "backends-as-in-tvm"})
            for (int i = 0; i < 2; ++i) {
                QAction* action = fixture_->window->action(QLatin1String(choice));
                action->trigger();
                QVERIFY2(action->isChecked(), choice);
            }
    }

    void aFunctionWithACompilerOfItsOwnGoesThere() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("two.relay"), R"(#[version = "0.0.5"]
def @left(%x: Tensor[(2), float32], compiler="ccompiler") -> Tensor[(2), float32] {
  add(%x, %x)
}
def @main(%x: Tensor[(2), float32], compiler="dnnl") -> Tensor[(2), float32] {
  %0 = add(%x, %x);
  @left(%0)
}
)")));
        fixture_->window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("dnnl"));
        fixture_->window->pages().openFunction(QStringLiteral("left"), false);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("ccompiler"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(fixture_->window->currentPage()->target().function, QStringLiteral("main"));
    }

    /// At once it would flicker.
    void aLayoutThatTakesLongIsTold() {
        QVERIFY(fixture_->openOneDivide());
        const auto* notice = fixture_->window->currentPage()->findChild<LayoutNotice*>();
        const auto gate = std::make_shared<QSemaphore>();
        const int workers = std::max(4, QThread::idealThreadCount());
        for (int i = 0; i < workers; ++i) fixture_->window->document().jobs().startQuietly([gate] { gate->acquire(); });
        fixture_->window->action("left-to-right")->trigger();
        const bool told_at_once = notice->isVisible();
        QTest::qWait(450);
        const bool told = notice->isVisible();
        gate->release(workers);  // before any check: a failed one would leave them waiting for ever
        QVERIFY(fixture_->settle());
        QVERIFY(!told_at_once && told && !notice->isVisible());
    }

    void aLayoutThatWasStoppedIsNotToldAnyMore() {
        QVERIFY(fixture_->openOneDivide());
        const auto* notice = fixture_->window->currentPage()->findChild<LayoutNotice*>();
        JobRunner& jobs = fixture_->window->document().jobs();
        const auto gate = std::make_shared<QSemaphore>();
        const int workers = std::max(4, QThread::idealThreadCount());
        for (int i = 0; i < workers; ++i) jobs.startQuietly([gate] { gate->acquire(); });
        fixture_->window->action("left-to-right")->trigger();
        QTest::qWait(450);
        const bool told = notice->isVisible();
        jobs.cancelAll();
        gate->release(workers);
        QVERIFY(fixture_->settle());
        QVERIFY(told && !notice->isVisible());
        QVERIFY(fixture_->view().hasGraph());  // as it was
    }

    void thePrintedPageShowsTheGraph() {
        QVERIFY(fixture_->openOneDivide());
        QImage page(400, 600, QImage::Format_RGB32);
        page.fill(Qt::white);
        QPainter painter(&page);
        const GraphPaper paper = fixture_->view().paper(make_theme(false, PaletteChoice::OkabeIto));
        paper.paint(painter, QRectF(page.rect()), paper.area());
        painter.end();
        int dark = 0;
        for (int y = 0; y < page.height(); ++y)
            for (int x = 0; x < page.width(); ++x) dark += qGray(page.pixel(x, y)) < 128;
        QVERIFY2(dark > 300, qPrintable(QString::number(dark)));
        // In its heading each backend has a box of its colour; only that of default has a border of another.
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        GraphPaper divided = fixture_->view().paper(make_theme(false, PaletteChoice::OkabeIto));
        divided.theme.node_border = QColor(255, 0, 255);
        QImage heading(3200, 800, QImage::Format_RGB32);
        heading.fill(Qt::white);
        painter.begin(&heading);
        painter.scale(8, 8);
        divided.paintHeading(painter, QRectF(0, 0, 400, 100));
        painter.end();
        QSet<int> columns;
        for (int y = 0; y < heading.height(); ++y)
            for (int x = 0; x < heading.width(); ++x)
                if (heading.pixel(x, y) == qRgb(255, 0, 255)) columns << x;
        QVERIFY2(columns.size() > 60 && columns.size() < 120, qPrintable(QString::number(columns.size())));
    }

    void aSelectionIsShownWholeWhereItsBoxesCanBeToldApart() {
        QVERIFY(openGenerated(GraphKind::Chain, 600));
        fixture_->window->action("group-none")->trigger();
        QVERIFY(fixture_->settle());
        GraphView& view = fixture_->view();
        constexpr double kSmallest = 0.25, kMargin = 36;  // below that, nodes are dots
        const uint32_t count = uint32_t(view.geometry().nodes.size());
        uint32_t fitting = 0;
        for (uint32_t last = 1; last < count; ++last) {
            const QRectF area = view.geometry().nodes[0] | view.geometry().nodes[last];
            view.setZoom(1, QPointF(0, 0));
            view.centreOn(view.geometry().nodes[count - 1].center());
            view.reveal({0, last});
            const bool fits = area.height() * kSmallest <= view.height() - 2 * kMargin &&
                              area.width() * kSmallest <= view.width() - 2 * kMargin;
            QVERIFY2(view.visibleArea().contains(area) == fits, qPrintable(QString::number(last)));
            QVERIFY(view.zoom() >= kSmallest);
            fitting += fits;
        }
        QVERIFY2(fitting > 5 && fitting < count - 5, qPrintable(QString("%1 of %2").arg(fitting).arg(count)));
    }

    void aLongGraphIsPrintedOnSeveralPagesThatCutNoOperator() {
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        const double natural = 2;
        const GraphGeometry& small = fixture_->view().geometry();
        QCOMPARE(divide_over_pages(small, QRectF(0, 0, 1400, 2000), natural).size(), size_t(1));
        QVERIFY(openGenerated(GraphKind::Chain, 150));
        fixture_->window->action(QStringLiteral("group-none"))->trigger();
        QVERIFY(fixture_->settle());
        fixture_->view().setFocus();
        const GraphGeometry& geometry = fixture_->view().geometry();
        // The page is measured by the paper: a slow machine lays the chain out with another engine.
        const QRectF paper = GraphPaper::areaOf(geometry);
        const QRectF page(0, 0, paper.width() * natural * 2.5, paper.height() * natural / 7);
        const std::vector<PrintPiece> pieces = divide_over_pages(geometry, page, natural);
        QVERIFY2(pieces.size() > 3, qPrintable(QString::number(pieces.size())));
        QVERIFY(pieces.back().page > 0 && size_t(pieces.back().page) + 1 < pieces.size());  // some stand side by side
        for (const QRectF& node : geometry.nodes) {
            int whole = 0;
            for (const PrintPiece& piece : pieces) whole += piece.part.contains(node);
            QCOMPARE(whole, 1);
        }
        // All of it is there, whatever the height of the paper.
        for (double part = 0.75; part < 1.25; part += 0.0025) {
            const QRectF other(0, 0, page.width(), page.height() * part);
            QCOMPARE(divide_over_pages(geometry, other, natural).back().part.bottom(), paper.bottom());
        }
        for (const PrintPiece& piece : pieces) {
            QVERIFY(page.adjusted(-1, -1, 1, 1).contains(piece.target));
            QVERIFY(piece.target.width() / piece.part.width() > 0.5 * natural);  // it can be read
        }
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("graph.pdf"));
        QPrinter printer(QPrinter::HighResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(file);
        print_graph(printer, fixture_->view().paper(make_theme(false, PaletteChoice::OkabeIto), "a chain"));
        QFile pdf(file);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().count("/Type /Page\n") > 1);
    }

    void aMillionOperatorsOpen() {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(openGenerated(GraphKind::Chain, 1000000));
        qInfo("a chain of 1,000,000: %lld ms with writing the file", (long long)timer.elapsed());
        QVERIFY(fixture_->view().model()->nodes.size() < 200);
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(fixture_->window->currentPage()->searchBar().edit(), "exp");
        QVERIFY(fixture_->settle());
    }

private:
    bool openGenerated(GraphKind kind, int64_t operators) {
        Result<Module> module = generate_graph(kind, operators, 1);
        return module && fixture_->open(fixture_->file(QStringLiteral("generated.relay"),
                                                       QByteArray::fromStdString(print_relay(*module))));
    }

    int64_t groupNode() {
        const std::vector<GraphNode>& nodes = fixture_->view().model()->nodes;
        for (size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].kind == GraphNodeKind::Group) return int64_t(i);
        return -1;
    }

    QString titleOfSelection() {
        const std::vector<ExprId>& selection = fixture_->window->document().selection();
        const int32_t node = selection.empty() ? -1 : fixture_->view().model()->node_of(selection.front());
        return node < 0 ? QString() : fixture_->view().model()->nodes[size_t(node)].title;
    }

    /// Types a path into the next file dialog and presses Enter.
    /// What a pointer that rests there is told; empty: nothing.
    QString hint(const QPoint& place) {
        GraphView& view = fixture_->view();
        QHelpEvent event(QEvent::ToolTip, place, view.mapToGlobal(place));
        QApplication::sendEvent(&view, &event);
        return QToolTip::isVisible() ? QToolTip::text() : QString();
    }
    void answerFileDialog(const QString& path) {
        auto* timer = new QTimer(fixture_->window.get());
        connect(timer, &QTimer::timeout, timer, [this, timer, path] {
            auto* dialog = fixture_->window->findChild<QFileDialog*>();
            if (!dialog || !dialog->isVisible()) return;
            timer->stop();
            timer->deleteLater();
            auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            line->setText(path);
            QTest::keyClick(line, Qt::Key_Return);
            if (dialog->isVisible()) {
                // The folder does not exist: the dialog says so and stays.
                for (QMessageBox* box : dialog->findChildren<QMessageBox*>()) box->accept();
                dialog->reject();
            }
        });
        timer->start(20);
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestGraphNavigation)

}  // namespace test_graph_navigation

#include "test_graph_navigation.moc"
