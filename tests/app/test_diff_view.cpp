// The comparison of stages and files in the window, by real events.
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTextBlock>
#include <QToolButton>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/text/large_text.h"
#include "engine/session/places.h"
#include "engine/session/session.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_diff_view {

using namespace partita;

class TestDiffView : public QObject {
    Q_OBJECT

private:
    static DiffMark markOf(DiffSide& side, const QString& title) {
        const GraphModel& model = *side.graph().model();
        for (size_t i = 0; i < model.nodes.size(); ++i)
            if (model.nodes[i].title == title) return side.graph().decoration()->diff[i];
        return DiffMark::Same;
    }

    static QStringList crossedEdges(const GraphView& view) {
        QStringList edges;
        const GraphModel& model = *view.model();
        for (size_t i = 0; i < model.edges.size(); ++i)
            if (i < view.decoration()->refused_edge.size() && view.decoration()->refused_edge[i])
                edges << model.nodes[model.edges[i].from].title + QStringLiteral(" → ") +
                             model.nodes[model.edges[i].to].title;
        return edges;
    }

    /// Whether the colour of refused merges is in its picture.
    static bool hasColour(GraphView& view) {
        const QImage picture = view.grab().toImage();
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, y) == view.theme().refused) return true;
        return false;
    }

    static QByteArray longChain(int operators, int extra_at, const QByteArray& function = "main") {
        QByteArray text = "#[version = \"0.0.5\"]\ndef @" + function + "(%x: Tensor[(2, 8), float32]) {\n";
        QByteArray last = "%x";
        int number = 0;
        const auto add = [&](const char* op) {
            const QByteArray name = "%" + QByteArray::number(number++);
            text += "  " + name + " = " + op + "(" + last + ");\n";
            last = name;
        };
        for (int i = 0; i < operators; ++i) {
            add(i % 2 ? "tanh" : "nn.relu");
            if (i == extra_at) add("exp");
        }
        return text + "  sigmoid(" + last + ")\n}\n";
    }

private slots:
    void aListOfDifferencesEndsAtItsLimit() {
        ModuleDiff diff;
        diff.functions_removed = {"a", "b", "c"};
        diff.functions_added = {"d", "e"};
        const Module nothing;
        QCOMPARE(diff_entries(diff, nothing, nothing, 9).size(), size_t(5));
        const std::vector<DiffEntry> four = diff_entries(diff, nothing, nothing, 4);
        QCOMPARE(four.size(), size_t(4));
        QCOMPARE(four.back().text, QStringLiteral("@d"));
        QCOMPARE(diff_entries(diff, nothing, nothing, 2).size(), size_t(2));
    }

    void bothGraphsAreFittedToOtherType() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        Settings settings = fixture.window->settings();
        for (const double text_scale : {2.0, 1.0}) {
            settings.text_scale = text_scale;
            fixture.window->applySettings(settings, false);
            QVERIFY(fixture.settle());
            for (const DiffSideName name : {DiffSideName::Before, DiffSideName::After}) {
                GraphView& graph = page->side(name).graph();
                QVERIFY2(graph.visibleArea().contains(graph.geometry().bounds),
                         qPrintable(QString::number(text_scale)));
                QVERIFY(graph.geometry().bounds.height() * graph.zoom() > graph.height() * 0.5 ||
                        graph.geometry().bounds.width() * graph.zoom() > graph.width() * 0.5);
            }
        }
    }

    void stagesAreComparedSideBySide() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QTest::keyClick(fixture.window.get(), Qt::Key_D, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        auto* page = fixture.window->findChild<DiffPage*>();
        QVERIFY(page);
        QCOMPARE(page->source(DiffSideName::After).currentText(), QStringLiteral("After partition"));
        // A partitioned module is the same graph, but for the backends.
        QVERIFY2(page->summary().text().startsWith(QStringLiteral("4 changed, 3 functions added")),
                 qPrintable(page->summary().text()));
        QCOMPARE(markOf(page->side(DiffSideName::Before), QStringLiteral("multiply")), DiffMark::Changed);
        QVERIFY(page->list().count() > 0);
        QVERIFY(page->list().item(0)->text().contains(QStringLiteral("backend: default")));
        fixture.picture(QStringLiteral("diff-stages"));
    }

    void placementsAreShownByColoursAndOutlines() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        page->source(DiffSideName::After).setCurrentText(QStringLiteral("After merge"));
        emit page->source(DiffSideName::After).activated(page->source(DiffSideName::After).currentIndex());
        QVERIFY(fixture.settle());
        const GraphView& after = page->side(DiffSideName::After).graph();
        const GraphModel& model = *after.model();
        const GraphDecoration& decoration = *after.decoration();
        QMap<QString, QString> backends;
        for (size_t i = 0; i < model.nodes.size(); ++i) {
            QVERIFY2(!model.nodes[i].title.contains(QStringLiteral("compiler_")), qPrintable(model.nodes[i].title));
            if (model.nodes[i].kind == GraphNodeKind::Call)
                backends[model.nodes[i].title] = decoration.backend_name(decoration.backend[i]);
            if (model.nodes[i].kind == GraphNodeKind::Parameter) QCOMPARE(int(decoration.backend[i]), -2);
        }
        QCOMPARE(backends[QStringLiteral("multiply")], QStringLiteral("ccompiler"));
        QCOMPARE(backends[QStringLiteral("divide")], QStringLiteral("default"));
        // The same number, and so the same colour, as on the canvas.
        QCOMPARE(decoration.backend_names, (QStringList{"ccompiler", "dnnl"}));
        QCOMPARE(decoration.regions.size(), size_t(3));
        QVERIFY(std::any_of(decoration.regions.begin(), decoration.regions.end(),
                            [](const RegionMark& region) { return region.label.contains(QStringLiteral("2 ops")); }));
        QCOMPARE(after.geometry().clusters.size(), size_t(3));
        // No parameter that was folded into its user comes back.
        QCOMPARE(model.nodes.size(), page->side(DiffSideName::Before).graph().model()->nodes.size());
        fixture.picture(QStringLiteral("diff-placements"));
    }

    void aRefusedMergeIsCrossedOutOnceItWasTried() {
        WindowFixture fixture;
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        const std::pair<const char*, QStringList> crossed[] = {
            {"After annotate", {}},
            {"After merge", {"multiply → subtract"}},
            {"After partition", {"field 1 → @tvmgen_default_ccompiler_main_3"}}};
        for (const auto& [stage, edges] : crossed) {
            page->source(DiffSideName::After).setCurrentText(QString::fromLatin1(stage));
            emit page->source(DiffSideName::After).activated(page->source(DiffSideName::After).currentIndex());
            QVERIFY(fixture.settle());
            QCOMPARE(crossedEdges(page->side(DiffSideName::Before).graph()), QStringList());
            QCOMPARE(crossedEdges(page->side(DiffSideName::After).graph()), edges);
            if (!edges.isEmpty()) QVERIFY(hasColour(page->side(DiffSideName::After).graph()));
        }
    }

    void theHeaderFitsTheNarrowestWindow() {
        WindowFixture fixture;
        fixture.window->resize(1280, 800);
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->width() <= 1280);
        const QLabel& summary = page->summary();
        QVERIFY2(summary.heightForWidth(summary.width()) <= summary.height(), "the summary is cut");
        for (QWidget* widget : page->findChildren<QWidget*>())
            if (widget->isVisible() && (qobject_cast<QToolButton*>(widget) || qobject_cast<QComboBox*>(widget)))
                QVERIFY2(widget->width() >= widget->minimumSizeHint().width(), qPrintable(widget->accessibleName()));
    }

    void longDifferencesWrapWhole() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QListWidget& list = page->list();
        page->findChild<QSplitter*>()->setSizes({600, 600, 120});
        (void)fixture.settle();
        int wrapped = 0;
        for (int i = 0; i < list.count(); ++i) {
            const QRect row = list.visualItemRect(list.item(i));
            if (!list.item(i)->text().contains(QLatin1Char(' '))) continue;  // one long name is shortened in its middle
            QVERIFY2(row.width() <= list.viewport()->width(), "a row is wider than the list");
            const int room = row.width() - list.iconSize().width() - 12;
            const int needed = list.fontMetrics()
                                   .boundingRect(QRect(0, 0, room, 10000), Qt::TextWordWrap, list.item(i)->text())
                                   .height();
            QVERIFY2(row.height() >= needed,
                     qPrintable(QStringLiteral("%1: %2 < %3").arg(list.item(i)->text()).arg(row.height()).arg(needed)));
            wrapped += needed > list.fontMetrics().height() * 3 / 2;
        }
        QVERIFY(wrapped > 0);
        // Before the first comes the last, also where none is chosen.
        QVERIFY(list.count() > 1);
        list.setCurrentRow(-1);
        for (QToolButton* button : page->findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("The difference before")) button->click();
        QCOMPARE(list.currentRow(), list.count() - 1);
    }

    void anEditIsShownAgainstTheOpenedModule() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QCOMPARE(page->source(DiffSideName::Before).currentText(), QStringLiteral("As it was opened"));
        QCOMPARE(markOf(page->side(DiffSideName::Before), QStringLiteral("subtract")), DiffMark::Removed);
        // It follows the document: undo makes both sides equal.
        fixture.window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(page->summary().text(), QStringLiteral("No difference"));
    }

    void weightsAndConstantsAreNoNodes() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(
            QStringLiteral("weights.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32], %w_weight: Tensor[(4, 8), float32]) {\n"
            "  %0 = nn.dense(%x, %w_weight, units=4);\n  add(%0, 2f)\n}\n")));
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QStringList titles;
        for (const GraphNode& node : page->side(DiffSideName::After).graph().model()->nodes) titles << node.title;
        titles.sort();
        QCOMPARE(titles, QStringList({"%x", "add", "nn.dense"}));
    }

    void twoFilesAreComparedAndTheListLeadsToTheDifference() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), longChain(60, -1))));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("after.relay"), longChain(60, 30)));
        QVERIFY(fixture.settle());
        QCOMPARE(page->source(DiffSideName::After).currentText(), QStringLiteral("after.relay"));
        QVERIFY2(page->summary().text().startsWith(QStringLiteral("1 added, 1 changed")),
                 qPrintable(page->summary().text()));
        QCOMPARE(markOf(page->side(DiffSideName::After), QStringLiteral("exp")), DiffMark::Added);
        GraphView& after = page->side(DiffSideName::After).graph();
        after.setZoom(0.4, QPointF(after.width() / 2.0, after.height() / 2.0));  // boxes are told apart, but not read
        QTest::mouseClick(page->list().viewport(), Qt::LeftButton, Qt::NoModifier,
                          page->list().visualItemRect(page->list().item(0)).center());
        QVERIFY(after.currentNode() >= 0);
        QCOMPARE(after.model()->nodes[size_t(after.currentNode())].title, QStringLiteral("exp"));
        QVERIFY2(after.zoom() > 0.65, "too small to read");
        QVERIFY(after.visibleArea().contains(after.geometry().nodes[size_t(after.currentNode())]));
        QCOMPARE(page->side(DiffSideName::Before).graph().zoom(), after.zoom());
        fixture.picture(QStringLiteral("diff-files"));
    }

    void aDifferenceInAnotherFunctionIsShownThere() {
        WindowFixture fixture;
        const QByteArray text = R"(#[version = "0.0.5"]
def @first(%a: Tensor[(2), float32]) { tanh(%a) }
def @second(%a: Tensor[(2), float32]) { OP(%a) }
def @main(%x: Tensor[(2), float32]) { exp(@second(@first(%x))) }
)";
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), QByteArray(text).replace("OP", "nn.relu"))));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After,
                       fixture.file(QStringLiteral("after.relay"), QByteArray(text).replace("OP", "sigmoid")));
        QVERIFY(fixture.settle());
        QVERIFY(page->list().count() > 0);
        page->list().setCurrentRow(0);
        QVERIFY(fixture.settle());
        DiffSide& after = page->side(DiffSideName::After);
        QCOMPARE(after.findChild<QComboBox*>()->currentText(), QStringLiteral("@second"));
        QVERIFY(after.graph().currentNode() >= 0);
        QCOMPARE(after.graph().model()->nodes[size_t(after.graph().currentNode())].title, QStringLiteral("sigmoid"));
    }

    void twoPlacementsAreComparedByAProject() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        window.action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        const QString project = QFileInfo(window.document().path()).dir().filePath(QStringLiteral("first.partita"));
        window.document().saveProject(project);
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        window.document().giveToBackend(window.document().selection(), 1);
        QVERIFY(fixture.settle());
        DiffPage* page = window.pages().compare();
        page->openFile(DiffSideName::Before, project);
        page->source(DiffSideName::After).setCurrentText(QStringLiteral("After merge"));
        emit page->source(DiffSideName::After).activated(page->source(DiffSideName::After).currentIndex());
        QVERIFY(fixture.settle());
        QCOMPARE(page->source(DiffSideName::Before).currentText(), QStringLiteral("first.partita"));
        QVERIFY2(page->summary().text().startsWith(QStringLiteral("1 changed")), qPrintable(page->summary().text()));
        const QString difference = page->list().item(0)->text();
        QVERIFY2(difference.startsWith(QStringLiteral("multiply")) &&
                     difference.endsWith(QStringLiteral("backend: ccompiler → dnnl")),
                 qPrintable(difference));
    }

    void longGraphsAreShownFromTheirBeginning() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), longChain(200, -1))));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("after.relay"), longChain(200, 20)));
        QVERIFY(fixture.settle());
        fixture.picture(QStringLiteral("diff-beginning"));
        for (const DiffSideName name : {DiffSideName::Before, DiffSideName::After}) {
            GraphView& graph = page->side(name).graph();
            const double above = (graph.geometry().bounds.top() - graph.visibleArea().top()) * graph.zoom();
            QVERIFY2(above >= 0 && above < 60, qPrintable(QString::number(above)));
            QVERIFY(graph.geometry().bounds.bottom() > graph.visibleArea().bottom());
        }
        QCOMPARE(page->side(DiffSideName::Before).graph().zoom(), page->side(DiffSideName::After).graph().zoom());
    }

    void bothSidesScrollTogether() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), longChain(200, -1))));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("after.relay"), longChain(200, 20)));
        QVERIFY(fixture.settle());
        GraphView &left = page->side(DiffSideName::Before).graph(), &right = page->side(DiffSideName::After).graph();
        left.setZoom(0.8, QPointF(left.width() / 2.0, left.height() / 2.0));
        left.setFocus();
        for (int i = 0; i < 12; ++i) QTest::keyClick(&left, Qt::Key_PageDown);
        QCOMPARE(right.zoom(), left.zoom());
        // The same operator stands at the same height on both sides.
        const auto [expr, place] = page->side(DiffSideName::Before).middle([](ExprId) { return true; });
        const auto [other, other_place] = page->side(DiffSideName::After).middle([](ExprId) { return true; });
        QVERIFY(expr.valid() && other.valid());
        QVERIFY2(std::abs(place.y() - other_place.y()) < 60,
                 qPrintable(QStringLiteral("%1 %2").arg(place.y()).arg(other_place.y())));
        QVERIFY(right.visibleArea().top() > 1000);
        // And as text.
        page->findChild<QToolButton*>(QStringLiteral("diff-as-text"))->click();
        QVERIFY(fixture.settle());
        QScrollBar* bar = page->side(DiffSideName::Before).text().verticalScrollBar();
        bar->setValue(100);
        const int there = page->side(DiffSideName::After).text().verticalScrollBar()->value();
        QVERIFY2(there >= 97 && there <= 103, qPrintable(QString::number(there)));
        fixture.picture(QStringLiteral("diff-text"));
    }

    void differencesAreMarkedInTextOfAnyLength_data() {
        QTest::addColumn<QByteArray>("beside");
        QTest::newRow("short") << QByteArray();
        QTest::newRow("long") << longChain(8000, -1, "beside").replace("#[version = \"0.0.5\"]", "");
    }
    void differencesAreMarkedInTextOfAnyLength() {
        QFETCH(QByteArray, beside);
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), longChain(60, -1) + beside)));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("after.relay"), longChain(60, 30) + beside));
        QVERIFY(fixture.settle());
        page->findChild<QToolButton*>(QStringLiteral("diff-as-text"))->click();
        QVERIFY(fixture.settle());
        const QPlainTextEdit& after = page->side(DiffSideName::After).text();
        QCOMPARE(after.toPlainText().size() > kShortText, !beside.isEmpty());
        QStringList marked;
        for (const auto& line : after.extraSelections())
            marked << line.cursor.block().text().section(QLatin1Char('('), 0, 0).section(QLatin1Char(' '), -1);
        QCOMPARE(marked, (QStringList{"exp", "tanh"}));
        // What stands there already is not printed again.
        QSignalSpy jobs(&fixture.window->document().jobs(), &JobRunner::jobsChanged);
        for (int i = 0; i < 2; ++i) page->findChild<QToolButton*>(QStringLiteral("diff-as-text"))->click();
        QVERIFY(fixture.settle());
        QCOMPARE(jobs.count(), 0);
    }

    void eachFunctionIsOfferedOnceHoweverOftenSidesAreShown() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        for (const char* command : {"undo", "redo"}) {
            fixture.window->action(QLatin1String(command))->trigger();
            QVERIFY(fixture.settle());
        }
        for (const DiffSideName name : {DiffSideName::Before, DiffSideName::After}) {
            const auto* function = page->side(name).findChild<QComboBox*>();
            QVERIFY(function);
            QStringList offered;
            for (int i = 0; i < function->count(); ++i) offered << function->itemText(i);
            QVERIFY(offered.contains(QStringLiteral("@main")));
            QCOMPARE(QSet<QString>(offered.begin(), offered.end()).size(), offered.size());
        }
    }

    void keysLookAroundInTheGraphsAndWhatNeedsOneGraphSaysSo() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        GraphView &before = page->side(DiffSideName::Before).graph(), &after = page->side(DiffSideName::After).graph();
        const double zoom = before.zoom();
        before.setFocus();
        QTest::keyClick(&before, Qt::Key_Plus);
        QVERIFY(before.zoom() > zoom && after.zoom() == before.zoom());
        QTest::keyClick(&before, Qt::Key_F);
        QVERIFY(std::abs(before.zoom() - zoom) < zoom / 4);
        for (const char* command : {"copy-picture", "print", "find"}) {
            QVERIFY(!fixture.window->action(QLatin1String(command))->isEnabled());
            QVERIFY(fixture.window->action(QLatin1String(command))
                        ->toolTip()
                        .contains(QStringLiteral("go to the tab of a graph")));
        }
        QTest::keyClick(fixture.window.get(), Qt::Key_PageUp, Qt::ControlModifier);
        QVERIFY(fixture.window->action(QStringLiteral("find"))->isEnabled());
    }

    void bothSidesFollowEachOtherByTheOnlyThingInCommon() {
        WindowFixture fixture;
        const auto body = [](const char* text) {
            return QByteArray("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) { ") + text + " }\n";
        };
        QVERIFY(fixture.open(fixture.file(QStringLiteral("before.relay"), body("%x"))));
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("after.relay"), body("tanh(exp(%x))")));
        QVERIFY(fixture.settle());
        GraphView &before = page->side(DiffSideName::Before).graph(), &after = page->side(DiffSideName::After).graph();
        before.setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&before, Qt::Key_Plus);
        QCOMPARE(after.zoom(), before.zoom());
        const double there = before.toWidget(before.geometry().nodes[0].center()).y();
        QVERIFY(std::abs(after.toWidget(after.geometry().nodes[0].center()).y() - there) < 2);
    }

    void whatNobodySeesAnyMoreIsNotLaidOut() {
        JobRunner jobs;
        auto side = std::make_unique<DiffSide>(jobs, QStringLiteral("before"));
        const Result<OpenedModule> opened = open_text(longChain(300, 1).toStdString(), "chain.relay");
        QVERIFY(opened);
        const Module& module = *opened->module;
        side->show(opened->module, std::vector<DiffMark>(module.size()), {QStringLiteral("@main")},
                   module_places(module));
        const std::vector<JobInfo> started = jobs.jobs();
        QCOMPARE(started.size(), size_t(1));
        side.reset();
        QVERIFY(jobs.isCancelled(started[0].id));
    }

    void aFileThatIsNotChosenAfterAllLeavesTheSource() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        DiffPage* page = fixture.window->pages().compare();
        QVERIFY(fixture.settle());
        QComboBox& source = page->source(DiffSideName::After);
        const QString before = source.currentText(), summary = page->summary().text();
        QTimer::singleShot(300, [] {
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
        });
        source.setCurrentIndex(source.count() - 1);
        emit source.activated(source.count() - 1);
        QVERIFY(fixture.settle());
        QCOMPARE(source.currentText(), before);
        QCOMPARE(page->summary().text(), summary);
    }

    void aFileThatCantBeReadIsNamed() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        DiffPage* page = fixture.window->pages().compare();
        page->openFile(DiffSideName::After, fixture.file(QStringLiteral("broken.relay"), "def @main( {"));
        QVERIFY(fixture.settle());
        QVERIFY2(page->summary().text().contains(QStringLiteral("broken.relay")), qPrintable(page->summary().text()));
    }
};

PARTITA_TEST(TestDiffView)

}  // namespace test_diff_view

#include "test_diff_view.moc"
