// Predicting the regions of a graph, by real events.
#include "window_fixture.h"

#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/graph_lesson.h"
#include "tests/app/own_home.h"
#include "tests/registry.h"

namespace test_predictions {

using namespace partita;

class TestPredictions : public QObject {
    Q_OBJECT

private slots:
    void init() {
        use_own_empty_home(testing::name_of_test());
        fixture_ = std::make_unique<WindowFixture>();
    }
    void cleanup() { fixture_.reset(); }

    void aPredictionOfAllRegionsIsComparedAndExplained() {
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F2);
        window.panels().lessons().start(5);
        QVERIFY(fixture_->settle());
        PredictionView& prediction = window.panels().lessons().prediction();
        QVERIFY(prediction.isPredicting());
        const auto mark = [&](std::vector<int64_t> nodes) {
            for (size_t i = 0; i < nodes.size(); ++i)
                fixture_->click(nodes[i], i ? Qt::ControlModifier : Qt::NoModifier);
            QTest::keyClick(&fixture_->view(), Qt::Key_G);
        };
        // add, multiply and subtract round exp, which no backend takes; sqrt without tanh.
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("exp"), fixture_->nodeOf("subtract")});
        mark({fixture_->nodeOf("multiply")});
        mark({fixture_->nodeOf("sqrt")});
        mark({fixture_->nodeOf("add", 1)});
        QCOMPARE(prediction.marked().size(), size_t(4));
        QCOMPARE(fixture_->view().decoration()->regions.size(), size_t(4));
        prediction.compare();
        QVERIFY(fixture_->settle());
        const QString text = prediction.resultText();
        QVERIFY2(text.contains("1 of 4 regions right"), qPrintable(text));
        QVERIFY2(text.contains("Region 4 is right: add #7"), qPrintable(text));
        QVERIFY2(text.contains("On default: exp #2. teach_a: no rule for exp. teach_b: no rule for exp."),
                 qPrintable(text));
        QVERIFY2(
            text.contains("Region 1 is two: add #1 (A) and subtract #4 (B). Together they would depend on themselves:"),
            qPrintable(text));
        QVERIFY2(text.contains("exp #2"), qPrintable(text));
        QVERIFY2(text.contains("add #1, multiply #3 belong together (A), but stand in regions 1, 2"), qPrintable(text));
        QVERIFY2(text.contains("Missing in region 3: tanh #5, also taken by teach_b"), qPrintable(text));
        // A link selects what it names, and the comparison stays.
        auto* answer = prediction.findChild<QTextBrowser*>();
        fixture_->window->document().setSelection({});
        QTextCursor link(answer->document());
        while (!link.charFormat().isAnchor() && link.movePosition(QTextCursor::NextCharacter)) {
        }
        QVERIFY(link.charFormat().isAnchor());
        QTest::mouseClick(answer->viewport(), Qt::LeftButton, {}, answer->cursorRect(link).center());
        QVERIFY(!fixture_->window->document().selection().empty());
        QCOMPARE(prediction.resultText(), text);
        fixture_->picture("17b-prediction");
        // Marked anew, what was there before is given up.
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("multiply")});
        mark({fixture_->nodeOf("subtract")});
        mark({fixture_->nodeOf("tanh"), fixture_->nodeOf("sqrt")});
        fixture_->click(fixture_->nodeOf("exp"));
        prediction.unmarkSelection();
        prediction.compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(prediction.resultText().contains("All right."), qPrintable(prediction.resultText()));
        // Without a lesson, on any graph; and the canvas is as it was when another one is opened.
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(!prediction.isPredicting());
        // A step that is shown makes room.
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        window.action("step-forward")->trigger();
        QCOMPARE(window.panels().steps().currentRow(), 0);
        QVERIFY(!window.action("mark-region")->isEnabled());
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(prediction.isPredicting());
        QCOMPARE(window.panels().steps().currentRow(), -1);
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("subtract")});
        prediction.compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(prediction.resultText().contains("Region 1 is right"), qPrintable(prediction.resultText()));
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(fixture_->view().decoration()->regions.empty());
    }

    void aPredictionOutlastsAChangeOfThemeAndAHiddenPanel() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        LessonsPanel& lessons = window.panels().lessons();
        PredictionView& prediction = lessons.prediction();
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->click(fixture_->nodeOf("subtract"), Qt::ControlModifier);
        QTest::keyClick(&fixture_->view(), Qt::Key_G);
        const QString text = lessons.choiceText();
        QVERIFY(text.startsWith("Predict"));
        // The passes would show the answer.
        for (const char* name : {"annotate", "merge", "partition", "next-pass", "whole-flow"})
            QVERIFY2(!window.action(name)->isEnabled(), name);
        prediction.compare();
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("whole-flow")->isEnabled());
        const QString verdict = prediction.resultText();
        QVERIFY(!verdict.isEmpty());
        const auto kept = [&] {
            QCOMPARE(lessons.choiceText(), text);
            QCOMPARE(prediction.marked().size(), size_t(1));
            QCOMPARE(prediction.resultText(), verdict);
            QVERIFY(prediction.isPredicting() && prediction.isVisible());
        };
        Settings settings = window.settings();
        settings.theme = ThemeChoice::Dark;
        window.applySettings(settings);
        QVERIFY(fixture_->settle());
        kept();
        fixture_->picture("17d-prediction-dark");
        auto* panel = qobject_cast<QDockWidget*>(lessons.parentWidget());
        panel->toggleViewAction()->trigger();
        QVERIFY(!prediction.isPredicting());
        panel->toggleViewAction()->trigger();
        QVERIFY(fixture_->settle());
        kept();
    }

    void ofALargeRegionTheFirstTwelveOperatorsAreListed() {
        MainWindow& window = *fixture_->window;
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = add(%x, %x);\n";
        for (int i = 1; i < 13; ++i)
            text += "  %" + QByteArray::number(i) + " = add(%" + QByteArray::number(i - 1) + ", %x);\n";
        QVERIFY(fixture_->open(fixture_->file("adds.relay", text + "  exp(%12)\n}\n")));
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        PredictionView& prediction = window.panels().lessons().prediction();
        QVERIFY(prediction.isPredicting());
        std::vector<ExprId> adds;
        for (const GraphNode& node : fixture_->view().model()->nodes)
            if (node.title == "add") adds.push_back(node.expr);
        QCOMPARE(adds.size(), size_t(13));
        window.document().setSelection(adds);
        QTest::keyClick(&fixture_->view(), Qt::Key_G);
        const QString listed = prediction.findChild<QListWidget*>()->item(0)->text();
        QVERIFY2(listed.startsWith("1: add #1, ") && listed.endsWith(", add #12, …"), qPrintable(listed));
    }

    void aPredictionOfAnyGraphIsSavedAndGraded() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        LessonsPanel& lessons = window.panels().lessons();
        QVERIFY2(lessons.choiceText().contains("ccompiler has rules for"), qPrintable(lessons.choiceText()));
        auto* save = lessons.findChild<QPushButton*>("save-answers");
        QVERIFY(!save->isVisible());
        const auto mark = [&](std::vector<int64_t> nodes) {
            for (size_t i = 0; i < nodes.size(); ++i)
                fixture_->click(nodes[i], i ? Qt::ControlModifier : Qt::NoModifier);
            QTest::keyClick(&fixture_->view(), Qt::Key_G);
        };
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("subtract")});
        mark({fixture_->nodeOf("multiply")});
        lessons.prediction().compare();
        QVERIFY(fixture_->settle());
        auto* score = lessons.findChild<QLabel*>("lesson-score");
        QVERIFY2(score->isVisible() && score->text().startsWith("2 of 3 regions right at attempt 1"),
                 qPrintable(score->text()));
        mark({fixture_->nodeOf("add", 1)});
        lessons.prediction().compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(score->text().startsWith("3 of 3 regions right at attempt 2"), qPrintable(score->text()));
        fixture_->picture("17c-prediction-score");
        const QString path = fixture_->file("answers.json", "");
        QVERIFY(save->isEnabled() && lessons.saveAnswersTo(path, "Ada"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<AnswerFile> saved = parse_answers(file.readAll().toStdString(), "answers.json");
        QVERIFY(saved && saved->unchanged);
        const ModulePtr module = window.document().shownModule();
        const Lesson asked = lesson_of_graph(*module, "g", window.document().choice().backends);
        const Grade graded = grade(asked, *LessonGraph::of(module, asked.backends), *saved);
        QVERIFY(graded.same_lesson);
        QCOMPARE(graded.points(), 1);
        // What is assigned by hand would be graded as if it were not.
        window.document().giveToBackend({window.document().names().numbered(4)}, 0);
        QVERIFY(fixture_->settle());
        QVERIFY(!lessons.saveAnswersTo(path, "Ada"));
    }

    void predictingEndsOnTheCanvasAndWithItsPanel() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        PredictionView& prediction = window.panels().lessons().prediction();
        const auto* panel = qobject_cast<QDockWidget*>(window.panels().lessons().parentWidget());
        const auto regions = [&] { return fixture_->view().decoration()->regions.size(); };
        QCOMPARE(regions(), size_t(3));
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(regions(), size_t(0));
        auto* leave = fixture_->view().findChild<QPushButton*>("leave-step");
        QVERIFY(leave->isVisible());
        QVERIFY2(leave->text().startsWith("Predicting") && leave->toolTip().contains("you marked"),
                 qPrintable(leave->text()));
        QTest::mouseClick(leave, Qt::LeftButton);
        QVERIFY(!prediction.isPredicting() && !leave->isVisible());
        QCOMPARE(regions(), size_t(3));
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(prediction.isPredicting());
        panel->toggleViewAction()->trigger();
        QVERIFY(!prediction.isPredicting() && !leave->isVisible());
        QCOMPARE(regions(), size_t(3));
        // A page of a lesson that asks for all regions asks anew when it is shown again.
        window.panels().lessons().start(5);
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F2);
        QVERIFY(prediction.isPredicting() && !fixture_->view().findChild<QPushButton*>("leave-step")->isVisible());
        panel->toggleViewAction()->trigger();
        QVERIFY(!prediction.isPredicting());
        QTest::keyClick(&window, Qt::Key_F2);
        QVERIFY(prediction.isPredicting());
    }

    void noPanelTellsTheRegionsBeforeTheyAreCompared() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        window.action("whole-flow")->trigger();
        window.panels().show(&window.panels().steps());
        window.panels().show(&window.panels().timing());
        QVERIFY(fixture_->settle());
        const auto sections = [&] { return window.panels().outline().tree().model()->rowCount(); };
        const auto open = [&](QWidget& panel) {
            return qobject_cast<QDockWidget*>(panel.parentWidget())->toggleViewAction()->isChecked();
        };
        QCOMPARE(sections(), 3);
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(sections(), 1);
        QVERIFY(!open(window.panels().steps()) && !open(window.panels().timing()));
        const auto inspected = [&] { return window.panels().inspector().text().toPlainText(); };
        QVERIFY2(inspected().contains("Coverage") && !inspected().contains("egion"), qPrintable(inspected()));
        fixture_->click(fixture_->nodeOf("add"));
        QTest::qWait(20);
        // Nor does a command bring them back.
        for (const char* name : {"step-forward", "compare", "coverage"})
            QVERIFY2(!window.action(name)->isEnabled(), name);
        window.panels().show(&window.panels().coverage());
        QVERIFY(!open(window.panels().coverage()));
        QVERIFY2(inspected().contains("Backend") && !inspected().contains("egion"), qPrintable(inspected()));
        QTest::keyClick(&fixture_->view(), Qt::Key_G);
        window.panels().lessons().prediction().compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(inspected().contains("Region"), qPrintable(inspected()));
        QVERIFY(window.action("step-forward")->isEnabled() && window.action("compare")->isEnabled());
        QCOMPARE(sections(), 3);
        QVERIFY(open(window.panels().steps()) && open(window.panels().timing()) &&
                window.panels().timing().isVisible());
        // Who leaves without comparing gets them back, too.
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(!open(window.panels().timing()));
        QTest::mouseClick(fixture_->view().findChild<QPushButton*>("leave-step"), Qt::LeftButton);
        QVERIFY(open(window.panels().steps()) && open(window.panels().timing()));
    }

    void whatWasChangedWhilePredictingIsLaidOutByItsRegionsAfterIt() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        for (const char* name : {"undo", "redo"}) {
            window.action(name)->trigger();
            QVERIFY(fixture_->settle());
        }
        QTest::mouseClick(fixture_->view().findChild<QPushButton*>("leave-step"), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->view().decoration()->regions.size(), size_t(3));
        const std::vector<QRectF>& boxes = fixture_->view().geometry().clusters;
        QCOMPARE(boxes.size(), size_t(3));
        for (const QRectF& box : boxes) QVERIFY(!box.isEmpty());
    }

    void comparingAPredictionKeepsTheFocus() {
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F2);
        window.panels().lessons().start(5);
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("add"));
        window.action("mark-region")->trigger();
        auto* compare = window.panels().lessons().prediction().findChild<QPushButton*>("primary");
        QTest::mouseClick(compare, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(!window.panels().lessons().prediction().resultText().isEmpty());
        QCOMPARE(QApplication::focusWidget(), compare);
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestPredictions)

}  // namespace test_predictions

#include "test_predictions.moc"
