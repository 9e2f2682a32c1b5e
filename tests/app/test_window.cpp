// The window by real mouse and key events, each main state with a picture in screenshots/ of the build folder.
#include "window_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStatusBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QToolBar>
#include <QTreeView>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "tests/registry.h"

namespace test_window {

using namespace partita;

class TestWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void aLessonIsBegunOnTheWelcomePage() {
        auto* begin = fixture_->window->findChild<QPushButton*>("begin-lesson");
        QVERIFY(begin && begin->isVisible());
        QTest::mouseClick(begin, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->panels().lessons().isVisible());
        QVERIFY(!fixture_->window->panels().lessons().lessonFile().isEmpty());
        QVERIFY(fixture_->window->document().isOpen());
    }

    void withoutAModuleTheWelcomePageIsShown() {
        fixture_->picture("01-welcome");
        QVERIFY(!fixture_->window->action("merge")->isEnabled());
        QVERIFY2(fixture_->window->action("merge")->toolTip().contains("Open a module first"),
                 qPrintable(fixture_->window->action("merge")->toolTip()));
        QVERIFY(fixture_->window->currentPage() == nullptr);
    }

    /// Empty panels would crowd it. What was shown beside the graph comes back with one, and after the next start.
    void theStartPageHasTheWindowToItself() {
        const auto shown = [this] {
            QStringList names;
            for (const QDockWidget* dock : fixture_->window->findChildren<QDockWidget*>())
                if (!dock->isHidden()) names << dock->objectName();
            return names;
        };
        QTRY_COMPARE(shown(), QStringList());
        fixture_->window->action("edit-rules")->trigger();
        QCOMPARE(shown(), QStringList("rules"));
        QVERIFY(fixture_->openOneDivide());
        const QStringList beside_graph = shown();
        QVERIFY2(beside_graph.contains("outline") && beside_graph.contains("inspector") &&
                     beside_graph.contains("steps") && beside_graph.contains("problems"),
                 qPrintable(beside_graph.join(' ')));
        fixture_->window->close();
        fixture_->startAgain();
        QTRY_COMPARE(shown(), QStringList());
        fixture_->window->close();  // with none of them shown
        fixture_->startAgain();
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(shown(), beside_graph);
    }

    void theWelcomePageComesBackWhereNothingWasOpened() {
        auto* begin = fixture_->window->findChild<QPushButton*>("begin-lesson");
        fixture_->window->opening().openFiles({QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")});
        QVERIFY(!begin->isVisible());
        fixture_->window->action("cancel")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->window->document().isOpen());
        QVERIFY(begin->isVisible());
        for (const QListWidget* list : fixture_->window->centralWidget()->findChildren<QListWidget*>())
            if (list->isVisible() && list->count() > 0)
                QVERIFY(list->height() >= list->visualItemRect(list->item(list->count() - 1)).bottom());
    }

    void openingShowsTheGraph() {
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(fixture_->view().model()->nodes.size(), size_t(12));
        fixture_->picture("02-opened");
    }

    void aKeyGivesTheSelectedOperatorToABackendAndUndoTakesItBack() {
        QVERIFY(fixture_->openOneDivide());
        const int64_t add = fixture_->nodeOf("add");
        fixture_->click(add);
        QCOMPARE(fixture_->window->document().selection().size(), size_t(1));
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));  // at once, before any job
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));
        QCOMPARE(fixture_->window->document().flow()->regions.size(), size_t(1));
        fixture_->picture("03-by-hand");
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("default"));
        QVERIFY(!fixture_->window->document().flow());
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));
    }

    void aLetterInAnOpenMenuChoosesFromIt() {
        QVERIFY(fixture_->openOneDivide());
        const int64_t add = fixture_->nodeOf("add");
        fixture_->click(add);
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QVERIFY(fixture_->settle());
        QMenu* flow = nullptr;
        for (QAction* menu : fixture_->window->menuBar()->actions())
            if (menu->menu()->actions().contains(fixture_->window->action("annotate"))) flow = menu->menu();
        QVERIFY(flow);
        flow->popup(fixture_->window->mapToGlobal(QPoint(0, 0)));
        QTest::keyClick(flow, Qt::Key_A);  // on the canvas: leave the selection to the rules
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->action("annotate")->isChecked());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));
    }

    void passesOneAtATimeAndThenASubFunctionIsOpened() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("annotate")->isChecked());
        const size_t unmerged = window.document().flow()->regions.size();
        fixture_->picture("04-annotated");
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("merge")->isChecked());
        QVERIFY(window.document().flow()->regions.size() < unmerged);
        fixture_->picture("05-merged");
        QVERIFY(!window.document().partitioned());
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.document().partitioned());
        const QString name = QString::fromStdString(window.document().flow()->regions.front().function);
        window.pages().openFunction(name, true);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.currentPage()->target().function, name);
        QVERIFY(fixture_->view().hasGraph());
        fixture_->picture("06-sub-function");
        // Taking the partition back closes the tab of a function that is gone.
        window.document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(window.pages().count(), 1);
    }

    void whatIsGivenByHandLaterLeavesTheSwitchesAsTheyAre() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("divide"));
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("ccompiler"));
        QVERIFY(!window.action("merge")->isChecked());
    }

    void theInspectorSaysWhyAnOperatorStaysOnDefault() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("divide"));
        QVERIFY(fixture_->settle());
        const QString text = fixture_->window->panels().inspector().text().toPlainText();
        QVERIFY2(text.contains("divide"), qPrintable(text));
        QVERIFY2(text.contains("does not go to ccompiler"), qPrintable(text));
        fixture_->picture("07-inspector");
    }

    void aDivisionThatIsCancelledLeavesTheDocumentAsItWas() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        Document& document = window.document();
        const auto cancelled = [&](const char* command) {
            window.action(QLatin1String(command))->trigger();
            int dividing = 0;
            for (const JobInfo& job : document.jobs().jobs()) {
                if (job.title != QLatin1String("Dividing the graph")) continue;
                ++dividing;
                document.jobs().cancel(job.id);
            }
            return dividing == 1 && fixture_->settle();
        };
        const QSignalSpy not_saved(&document, &Document::projectNotSaved);
        QVERIFY(cancelled("whole-flow"));
        QCOMPARE(not_saved.count(), 0);
        QVERIFY(!document.choice().annotate && !document.choice().partition && !document.flow());
        QVERIFY(!window.action("annotate")->isChecked() && !window.action("partition")->isChecked());
        QVERIFY(!document.isUnsaved());
        // What was cancelled can be done again, and then another division that is cancelled leaves this one.
        window.action("redo")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(document.partitioned());
        const FlowPtr flow = document.flow();
        QVERIFY(cancelled("merge"));
        QVERIFY(document.choice().merge && window.action("merge")->isChecked());
        QVERIFY(document.flow() == flow && document.flowIsCurrent());
        // A step back that is cancelled is no step.
        QVERIFY(cancelled("non-call"));
        QVERIFY(document.choice().include_non_call_ops && document.flow() == flow);
        window.action("non-call")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(cancelled("undo"));
        QVERIFY(!document.choice().include_non_call_ops && document.flowIsCurrent());
    }

    void aDivisionThatIsCancelledAfterOpeningSwitchesItsSwitchesOff() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        Document& document = window.document();
        clickTool("simplify");
        clickTool("annotate");
        clickTool("merge");
        clickTool("partition");
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("divide"));
        QTest::keyClick(&fixture_->view(), Qt::Key_2);
        QTest::keyClick(&fixture_->view(), Qt::Key_M);
        QVERIFY(fixture_->settle());
        QTemporaryDir folder;
        const QString project = folder.filePath("divided.partita");
        window.document().saveProject(project);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->openOneDivide());

        cancelByKeys("Dividing the graph", [&] { window.opening().openFile(project); });
        QCOMPARE(document.projectPath(), project);
        QVERIFY(!document.flow() && document.flowIsCurrent());
        QCOMPARE(switchedOn({"annotate", "merge", "partition", "simplify"}), QStringList{"simplify"});
        QVERIFY(document.shownModule() != document.module());  // simplified
        QCOMPARE(document.choice().overrides->size(), size_t(1));
        QCOMPARE(document.bookmarks().size(), size_t(1));
        QVERIFY(window.action("undo")->text().contains("stop dividing"));
        // Everything was cancelled, the picture too, and it stays so until somebody asks.
        QVERIFY(!fixture_->view().hasGraph());
        QPushButton* draw = nullptr;
        for (QPushButton* button : fixture_->view().findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == "Draw it") draw = button;
        QVERIFY(draw);
        QTest::mouseClick(draw, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->view().hasGraph() && !draw->isVisible());

        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(document.partitioned() && !document.isUnsaved());
        QCOMPARE(switchedOn({"annotate", "merge", "partition", "simplify"}),
                 (QStringList{"annotate", "merge", "partition", "simplify"}));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("dnnl"));
        QCOMPARE(document.bookmarks().size(), size_t(1));
        // The other way back: a click.
        cancelByKeys("Dividing the graph", [&] { window.opening().openFile(project); });
        clickTool("merge");
        QVERIFY(fixture_->settle());
        QVERIFY(document.flow());
        QCOMPARE(switchedOn({"annotate", "merge", "partition"}), QStringList{"merge"});
    }

    void mergingWhatNothingPlacedSaysWhatIsMissing() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        clickTool("merge");
        QVERIFY(window.statusBar()->currentMessage().startsWith("Nothing goes to a backend yet"));
        QVERIFY(fixture_->settle());
        // The rules were not asked: there is nothing that they refused.
        QVERIFY(window.document().flow());
        for (const Decision& decision : window.document().flow()->log.decisions())
            QVERIFY(decision.kind != DecisionKind::NoRule);
    }

    void aDivisionThatIsCancelledAfterAnEditLeavesTheEdit() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        Document& document = window.document();
        clickTool("annotate");
        clickTool("merge");
        QVERIFY(fixture_->settle());
        const auto cancelled = [&](const std::function<void()>& work) {
            int dividing = 0;
            const auto watch = connect(&document.jobs(), &JobRunner::jobsChanged, this, [&] {
                for (const JobInfo& job : document.jobs().jobs())
                    if (job.title == QLatin1String("Dividing the graph")) document.jobs().cancel(job.id), ++dividing;
            });
            work();
            const bool settled = fixture_->settle();
            disconnect(watch);
            return dividing > 0 && settled;
        };
        fixture_->click(fixture_->nodeOf("subtract"));
        QVERIFY(cancelled([&] { QTest::keyClick(&fixture_->view(), Qt::Key_Delete); }));
        QVERIFY(fixture_->nodeOf("subtract") < 0);
        QVERIFY(!document.flow() && switchedOn({"annotate", "merge"}).isEmpty());
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(document.flow() && fixture_->nodeOf("subtract") < 0);
        QCOMPARE(switchedOn({"annotate", "merge"}), (QStringList{"annotate", "merge"}));
        // One step further back; what is taken back can still be done again.
        QVERIFY(cancelled([&] { QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier); }));
        QVERIFY(fixture_->nodeOf("subtract") >= 0);
        QVERIFY(!document.flow() && switchedOn({"annotate", "merge"}).isEmpty());
        QVERIFY(document.undoStack().canRedo());
        window.action("redo")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->nodeOf("subtract") < 0);
        QVERIFY(document.flow());
        QCOMPARE(switchedOn({"annotate", "merge"}), (QStringList{"annotate", "merge"}));
    }

    void openingThatIsCancelledLeavesWhatWasOpen() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        clickTool("annotate");
        QVERIFY(fixture_->settle());
        const ModulePtr module = window.document().module();
        const FlowPtr flow = window.document().flow();
        cancelByKeys("Opening chain.relay",
                     [&] { window.opening().openFile(fixture_->file("chain.relay", kOneDivide)); });
        QVERIFY(window.document().module() == module && window.document().flow() == flow);
        QCOMPARE(switchedOn({"annotate", "merge"}), QStringList{"annotate"});
        QVERIFY(fixture_->takeMessage().isEmpty());
        QVERIFY(fixture_->view().hasGraph());
    }

    void aLongListOfAttributesIsWrapped() {
        QByteArray ones;
        for (int i = 0; i < 60; ++i) ones += "1, ";
        QVERIFY(fixture_->open(fixture_->file(
            "wide.relay", "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  reshape(%x, newshape=[" +
                              ones + "4])\n}\n")));
        fixture_->click(fixture_->nodeOf("reshape"));
        QVERIFY(fixture_->settle());
        QTextBrowser& text = fixture_->window->panels().inspector().text();
        const QTextCursor list = text.document()->find("[1, 1");
        QVERIFY(!list.isNull());
        QCOMPARE(list.block().text(), "[" + QString::fromLatin1(ones) + "4]");  // whole, and on more than one line
        QVERIFY2(list.block().layout()->lineCount() > 1,
                 qPrintable(QString::number(list.block().layout()->lineCount())));
        QCOMPARE(text.horizontalScrollBar()->maximum(), 0);
    }

    void whatIsUsedByManySaysHowMany() {
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n";
        for (int i = 1; i < 26; ++i)
            text += "  %" + QByteArray::number(i) + " = add(%" + QByteArray::number(i - 1) + ", %x);\n";
        QVERIFY(fixture_->open(fixture_->file("many.relay", text + "  tanh(%25)\n}\n")));
        fixture_->click(fixture_->nodeOf("%x"));
        QVERIFY(fixture_->settle());
        const QString said = fixture_->window->panels().inspector().text().toPlainText();
        QVERIFY2(said.contains("Used by") && said.contains("and 6 more"), qPrintable(said));
    }

    void searchFindsStepsAndSelects() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QVERIFY(bar.isVisible());
        QTest::keyClicks(bar.edit(), "op:div*");
        QCOMPARE(int(std::count(fixture_->view().decoration()->search_hit.begin(),
                                fixture_->view().decoration()->search_hit.end(), 1)),
                 2);
        const auto step = [&](Qt::KeyboardModifiers modifiers) {
            QTest::keyClick(bar.edit(), Qt::Key_Return, modifiers);
            return fixture_->view().currentNode();
        };
        const int64_t first = fixture_->nodeOf("divide"), second = fixture_->nodeOf("divide", 1);
        QCOMPARE(step(Qt::NoModifier), first);
        QCOMPARE(step(Qt::NoModifier), second);
        fixture_->picture("08-search");
        QCOMPARE(step(Qt::NoModifier), first);
        QCOMPARE(step(Qt::ShiftModifier), second);
        // From elsewhere, to the hit after or before that.
        const int64_t before_first = fixture_->nodeOf("subtract"), between = fixture_->nodeOf("add", 1);
        for (const auto& [from, forward, back] :
             {std::tuple(before_first, first, second), std::tuple(between, second, first)}) {
            fixture_->click(from);
            QCOMPARE(step(Qt::NoModifier), forward);
            fixture_->click(from);
            QCOMPARE(step(Qt::ShiftModifier), back);
        }
        QTest::keyClick(bar.edit(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(fixture_->window->document().selection().size(), size_t(2));
        QTest::keyClick(bar.edit(), Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
    }

    void digitsInTheSearchLineAreTextAndNotCommands() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->click(fixture_->nodeOf("add"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(fixture_->window->currentPage()->searchBar().edit(), "10");
        QCOMPARE(fixture_->window->currentPage()->searchBar().query(), QStringLiteral("10"));
        QCOMPARE(fixture_->window->document().undoStack().count(), 0);
    }

    void rubberBandAndControlClickSelect() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        const int64_t add = fixture_->nodeOf("add"), multiply = fixture_->nodeOf("multiply");
        view.fit();
        fixture_->click(add);
        fixture_->click(multiply, Qt::ControlModifier);
        QCOMPARE(view.selectedNodes().size(), size_t(2));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.selectedNodes().empty());
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(3, 3));
        QTest::mouseMove(&view, QPoint(view.width() / 2, view.height() / 2));
        QTest::mouseMove(&view, QPoint(view.width() - 3, view.height() - 3));
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(view.width() - 3, view.height() - 3));
        QVERIFY(view.selectedNodes().size() >= 10);
    }

    void arrowKeysFollowEdges() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        fixture_->click(fixture_->nodeOf("subtract"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.model()->nodes[size_t(view.currentNode())].title, QStringLiteral("divide"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.model()->nodes[size_t(view.currentNode())].title, QStringLiteral("add"));
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.currentNode(), int64_t(0));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.currentNode(), int64_t(view.model()->nodes.size()) - 1);
    }

    void draggingAndTheWheelMoveTheView() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        const QPointF before = view.visibleArea().center();
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, QPoint(4, 4));
        QTest::mouseMove(&view, QPoint(40, 50));
        QTest::mouseMove(&view, QPoint(64, 84));
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, QPoint(64, 84));
        QVERIFY(view.visibleArea().center().y() < before.y());
        const double zoom = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > zoom);
        QTest::keyClick(&view, Qt::Key_F);
        QVERIFY(view.visibleArea().contains(view.geometry().bounds));
    }

    void thePictureStaysSensibleWhenTheDivisionChanges() {
        const QString path = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(path)) QSKIP("the build writes this model with the target 'models'");
        QVERIFY(fixture_->open(path));
        MainWindow& window = *fixture_->window;
        const auto seen = [&] {
            const QRectF visible = fixture_->view().visibleArea();
            return std::count_if(fixture_->view().geometry().nodes.begin(), fixture_->view().geometry().nodes.end(),
                                 [&](const QRectF& node) { return node.intersects(visible); });
        };
        for (const char* step : {"simplify", "whole-flow", "partition", "merge", "simplify"}) {
            window.action(step)->trigger();
            QVERIFY(fixture_->settle());
            // Closed groups may leave few nodes: then all of them are in sight.
            const auto nodes = ptrdiff_t(fixture_->view().geometry().nodes.size());
            QVERIFY2(nodes >= 3 && seen() >= std::min<ptrdiff_t>(nodes, 8), step);
            QVERIFY2(fixture_->view().zoom() > 0.2, qPrintable(QString::number(fixture_->view().zoom())));
        }
        // Nothing but empty canvas in sight: the next layout brings the graph back.
        fixture_->view().setZoom(1, QPointF());
        fixture_->view().centreOn(fixture_->view().geometry().bounds.bottomLeft() + QPointF(-300, 0));
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(seen() > 0);
        // Who let the whole graph be fitted sees the whole graph again.
        fixture_->view().fit();
        window.action("partition")->trigger();
        window.action("merge")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->view().visibleArea().contains(fixture_->view().geometry().bounds));
    }

    /// Whoever has not moved it yet sees the beginning again, however the layout grew.
    void theFirstSightOfAGraphSurvivesAnotherLayout() {
        const QString path = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(path)) QSKIP("the build writes this model with the target 'models'");
        QVERIFY(fixture_->open(path));
        fixture_->window->action("group-none")->trigger();
        QVERIFY(fixture_->settle());
        GraphView& view = fixture_->view();
        const auto grown = [&view](double factor) {
            auto geometry = std::make_shared<GraphGeometry>(view.geometry());
            for (QRectF& node : geometry->nodes) node.moveTop(node.top() * factor);
            geometry->bounds.setHeight(geometry->bounds.height() * factor);
            return geometry;
        };
        const auto sees_beginning = [&view] { return view.visibleArea().top() < view.geometry().bounds.top(); };
        QVERIFY(sees_beginning());
        view.showGraph(view.model(), grown(1.4), view.decoration(), false);
        QVERIFY(sees_beginning());
        // Who went somewhere stays there.
        view.setZoom(1, QPointF(0, 0));
        view.centreOn(view.geometry().bounds.center());
        QVERIFY(!sees_beginning());
        view.showGraph(view.model(), grown(1.2), view.decoration(), false);
        QVERIFY(!sees_beginning());
    }

    void aSelectionFarApartIsShownAtItsNearestNode() {
        const QString path = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(path)) QSKIP("the build writes this model with the target 'models'");
        QVERIFY(fixture_->open(path));
        fixture_->window->action("group-none")->trigger();
        QVERIFY(fixture_->settle());
        GraphView& view = fixture_->view();
        std::vector<uint32_t> all;
        for (int i = 0; fixture_->nodeOf("nn.relu", i) >= 0; ++i)
            all.push_back(uint32_t(fixture_->nodeOf("nn.relu", i)));
        view.fit();
        QVERIFY2(view.zoom() < 0.5, qPrintable(QString::number(view.zoom())));
        view.reveal(all);
        // In columns they are all seen at once, small; in one column only the nearest, large.
        QVERIFY2(view.zoom() >= 0.25, qPrintable(QString::number(view.zoom())));
        const bool any = std::any_of(all.begin(), all.end(), [&](uint32_t node) {
            return view.visibleArea().contains(view.geometry().nodes[node]);
        });
        QVERIFY(any);
        // One dot among thousands is no answer: it is shown large enough to read.
        view.fit();
        view.reveal({all.back()});
        QVERIFY(view.zoom() >= 0.25);  // below that, nodes are dots
        QVERIFY(view.visibleArea().contains(view.geometry().nodes[all.back()]));
    }

    void runningShowsTimesAndHeat() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(fixture_->settle());
        QVERIFY2(window.document().runOutcome(), qPrintable(fixture_->takeMessage()));
        QVERIFY(window.panels().timing().model().rowCount() > 0);
        window.panels().timing().heatSwitch().setChecked(true);
        const std::vector<float>& heat = fixture_->view().decoration()->heat;
        const std::vector<GraphNode>& nodes = fixture_->view().model()->nodes;
        QCOMPARE(heat.size(), nodes.size());
        QCOMPARE(*std::max_element(heat.begin(), heat.end()), 1.0f);
        for (size_t i = 0; i < heat.size(); ++i) QCOMPARE(heat[i] >= 0, nodes[i].kind == GraphNodeKind::Call);
        fixture_->picture("09-run");
        window.panels().timing().table().setCurrentIndex(window.panels().timing().table().model()->index(0, 0));
        QVERIFY(!window.document().selection().empty());
        for (const OutputDifference& difference : window.document().runOutcome()->report.differences)
            QVERIFY(difference.within_tolerance);
    }

    void aModuleThatComputesNothingRuns() {
        const QByteArray nothing = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) { %x }\n";
        QVERIFY(fixture_->open(fixture_->file("nothing.relay", nothing)));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F5);
        QVERIFY(fixture_->settle());
        QVERIFY2(fixture_->window->document().runOutcome(), qPrintable(fixture_->takeMessage()));
    }

    void stepsReplayTheDecisions() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(window.panels().steps().rowCount() > 5);
        window.panels().show(&window.panels().steps());
        QTest::keyClick(&window, Qt::Key_F11);
        QCOMPARE(window.panels().steps().currentRow(), 0);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&window, Qt::Key_F11);
        QCOMPARE(window.panels().steps().currentRow(), 4);
        fixture_->picture("10-steps");
        const auto placed = [&] {
            const std::vector<int16_t>& backend = fixture_->view().decoration()->backend;
            return std::count_if(backend.begin(), backend.end(), [](int16_t b) { return b >= 0; });
        };
        // The canvas says that it shows a step, and brings the result back.
        auto* leave = fixture_->view().findChild<QPushButton*>(QStringLiteral("leave-step"));
        QVERIFY(leave && leave->isVisible());
        QVERIFY2(leave->text().startsWith(QStringLiteral("Step 5 of ")), qPrintable(leave->text()));
        const auto at_step = placed();
        QTest::mouseClick(leave, Qt::LeftButton);
        QCOMPARE(window.panels().steps().currentRow(), -1);
        QVERIFY(!leave->isVisible());
        QVERIFY(placed() > at_step);
    }

    void textShowsBeforeAndAfterAndFollowsTheSelection() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("whole-flow")->trigger();
        window.panels().show(&window.panels().text());
        QVERIFY(fixture_->settle());
        QVERIFY(window.panels().text().before().toPlainText().contains("divide"));
        QVERIFY(window.panels().text().after().toPlainText().contains("Compiler=\"ccompiler\""));
        fixture_->click(fixture_->nodeOf("subtract"));
        QVERIFY(fixture_->settle());
        QVERIFY(!window.panels().text().before().extraSelections().isEmpty());
        // A stage that somebody chose stays, whatever is divided anew.
        QComboBox* after = nullptr;
        for (QComboBox* box : window.panels().text().findChildren<QComboBox*>())
            if (box->currentText() == QStringLiteral("After partition")) after = box;
        QVERIFY(after);
        after->setFocus();
        QTest::keyClick(after, Qt::Key_Up);
        QCOMPARE(after->currentText(), QStringLiteral("After merge"));
        fixture_->view().setFocus();
        fixture_->click(fixture_->nodeOf("divide"));
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QVERIFY(fixture_->settle());
        QCOMPARE(after->currentText(), QStringLiteral("After merge"));
        fixture_->picture("11-text");
    }

    void aSaveThatIsCancelledClosesNothingLater() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        QTemporaryDir folder;
        window.document().saveProject(folder.filePath("work.partita"));
        QVERIFY(fixture_->settle());
        const auto change_and_close = [&] {
            window.action("merge")->trigger();
            if (!fixture_->settle()) return false;
            if (window.close()) return false;
            auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
            if (!box) return false;
            box->button(QMessageBox::Save)->click();
            return true;
        };
        QVERIFY(change_and_close());
        window.document().jobs().cancelAll();
        QVERIFY(fixture_->settle());
        QVERIFY(window.isVisible() && fixture_->takeMessage().isEmpty());
        window.action("save")->trigger();
        QVERIFY(fixture_->settle());
        QTest::qWait(50);
        QVERIFY(window.isVisible());
        QVERIFY(change_and_close());
        QTRY_VERIFY(!window.isVisible());
    }

    void whatIsToldIsShownAsFarAsThereIsRoom() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        window.resize(900, 700);
        emit window.document().flowFailed(QStringLiteral("word ").repeated(60));
        QStatusBar& bar = *window.statusBar();
        const QString narrow = bar.currentMessage();
        QVERIFY(narrow.endsWith(QChar(0x2026)));
        window.resize(1300, 700);
        QTRY_VERIFY(bar.currentMessage().size() > narrow.size());
        // Another message is left alone.
        bar.showMessage(QStringLiteral("short"));
        window.resize(900, 700);
        QTest::qWait(20);
        QCOMPARE(bar.currentMessage(), QStringLiteral("short"));
    }

    void theInspectorTellsWhatDecidedBeforeAllElse() {
        QVERIFY(fixture_->open(fixture_->file("relu.relay", R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 8), float32]) {
  %0 = nn.leaky_relu(%x, alpha=0.5f);
  nn.relu(%0)
}
)")));
        MainWindow& window = *fixture_->window;
        window.setBackends({QStringLiteral("dnnl")});
        window.action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("nn.relu"));
        QVERIFY(fixture_->settle());
        const QString text = window.panels().inspector().findChild<QTextBrowser*>()->toPlainText();
        const qsizetype decided = text.indexOf("ops.nn.relu accepts it"), inputs = text.indexOf("Inputs"),
                        vain = text.indexOf("Patterns that do not fit");
        QVERIFY2(decided >= 0 && decided < inputs && inputs < vain, qPrintable(text));
    }

    void stepsTellOfPartitioningOnlyWhereThatWasAskedFor() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        const auto tells = [&window] {
            const QAbstractItemModel& list = *window.panels().steps().findChild<QListView*>()->model();
            for (int row = 0; row < list.rowCount(); ++row)
                if (list.index(row, 0).data().toString().contains(QLatin1String("Partition"))) return true;
            return false;
        };
        window.action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(window.panels().steps().rowCount() > 0 && !tells());
        window.action(QStringLiteral("partition"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(tells());
    }

    /// The menu is filled anew each time; the switches in it are the panels' own.
    void theMenuOfPanelsCanBeOpenedOften() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        auto* menu = fixture.window->findChild<QMenu*>(QStringLiteral("panels"));
        QVERIFY(menu);
        const auto* dock = fixture.window->findChild<QDockWidget*>(QStringLiteral("problems"));
        QVERIFY(dock);
        for (int i = 0; i < 3; ++i) {
            emit menu->aboutToShow();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(menu->actions().contains(dock->toggleViewAction()));
        }
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();  // counts the problems
        QVERIFY(fixture.settle());
        QCOMPARE(dock->toggleViewAction()->text(), QStringLiteral("Problems"));
    }

    void anIconOfNoSizeIsNothing() {
        QTest::failOnWarning(QRegularExpression("QPainter"));
        QVERIFY(themed_icon(QStringLiteral("play"), make_theme(false, PaletteChoice::OkabeIto)).pixmap(0, 0).isNull());
        QVERIFY(backend_icon(0, make_theme(false, PaletteChoice::OkabeIto)).pixmap(0, 0).isNull());
    }

    void aDiamondShowsTheRefusedMerge() {
        MainWindow& window = *fixture_->window;
        window.panels().lessons().start(1);
        QVERIFY(fixture_->settle());
        window.action("merge")->trigger();
        QVERIFY(fixture_->settle());
        const std::vector<uint8_t>& refused = fixture_->view().decoration()->refused_edge;
        QVERIFY(std::count(refused.begin(), refused.end(), 1) >= 1);
        fixture_->click(fixture_->nodeOf("add", 1));
        QVERIFY(fixture_->settle());
        QVERIFY2(window.panels().inspector().text().toPlainText().contains("they would depend on themselves"),
                 qPrintable(window.panels().inspector().text().toPlainText()));
        fixture_->picture("18-refused");
    }

    void resnetShowsWithinASecondAndDivides() {
        const QString path = reference_file("relay-models/resnet18.input.relay");
        if (path.isEmpty()) QSKIP("the reference data is not there");
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        QElapsedTimer timer;
        timer.start();
        QSignalSpy shown(&fixture_->window->document(), &Document::opened);
        fixture_->window->opening().openFile(path);
        while (!(fixture_->window->currentPage() && fixture_->view().hasGraph()) && timer.elapsed() < 30000)
            QTest::qWait(1);
        qInfo("ResNet-18 from the file to the screen: %lld ms", (long long)timer.elapsed());
        QVERIFY(fixture_->settle());
        fixture_->picture("14-resnet18");
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->picture("15-resnet18-partitioned");
        QTest::keyClick(&fixture_->view(), Qt::Key_F);
        QVERIFY(fixture_->settle());
        fixture_->picture("16-resnet18-fit");
    }

private:
    void clickTool(const char* command) {
        QAction* action = fixture_->window->action(QLatin1String(command));
        for (QToolBar* bar : fixture_->window->findChildren<QToolBar*>())
            if (QWidget* button = bar->widgetForAction(action)) return QTest::mouseClick(button, Qt::LeftButton);
        action->trigger();  // stands in a menu only
    }

    QStringList switchedOn(const QStringList& commands) {
        QStringList on;
        for (const QString& command : commands)
            if (fixture_->window->action(command)->isChecked()) on << command;
        return on;
    }

    /// Presses the keys for Cancel as soon as a job of that name runs.
    void cancelByKeys(const QString& title, const std::function<void()>& work) {
        MainWindow& window = *fixture_->window;
        JobRunner& jobs = window.document().jobs();
        bool pressed = false;
        const auto watch = connect(&jobs, &JobRunner::jobsChanged, this, [&] {
            const std::vector<JobInfo> running = jobs.jobs();
            if (pressed ||
                std::none_of(running.begin(), running.end(), [&](const JobInfo& job) { return job.title == title; }))
                return;
            pressed = true;
            QTest::keyClick(&window, Qt::Key_Period, Qt::ControlModifier);
        });
        work();
        QVERIFY(fixture_->settle());
        disconnect(watch);
        QVERIFY(pressed);
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestWindow)

}  // namespace test_window

#include "test_window.moc"
