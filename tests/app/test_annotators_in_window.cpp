// Annotators in the window: asked for once for each content, started behind it, put in again after an undo, and never
// waited for.
#include <csignal>

#include <QtTest>

#include <QLabel>
#include <QToolBar>
#include <QTreeWidget>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/window/annotator_starter.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_annotators_in_window {

using namespace partita;

namespace {

const char* const kAddsOnly = R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.mine")
def add(call):
    return call.args[0].checked_type.dtype == "float32"
)";

const char* const kOwnFlow = R"(
from tvm.relay import transform

def partition_for_mine(mod, params=None):
    return tvm.transform.Sequential([
        transform.FoldConstant(), transform.AnnotateTarget("mine"), transform.PartitionGraph(bind_constants=False),
        transform.DefuseOps()])(mod)
)";

/// Refuses all calls, but says nothing while the file "hold" is there.
const char* const kWaits = R"(import json, os, sys, time

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "describe":
        print(json.dumps({"ops": ["add"]}), flush=True)
    if request["do"] != "ask":
        continue
    while os.path.exists("HOLD"):
        open("HELD", "w").close()
        time.sleep(0.01)
    for rule, call in request["questions"]:
        print(json.dumps({"call": call, "accepted": False, "reason": "it waited"}))
    print(json.dumps({"done": len(request["questions"])}), flush=True)
)";

const char* const kForEver = R"(import os
import tvm.ir

@tvm.ir.register_op_attr("add", "target.mine")
def add(call):
    with open("MARK", "w") as mark:
        mark.write(str(os.getpid()))
    while True:
        pass
)";

}  // namespace

class TestAnnotatorsInWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void nothingOfAFileRunsBeforeItIsAllowed() {
        const QString mark = fixture_->file("mark", "");
        const QString rules = fixture_->file(
            "rules.py", "open(\"" + mark.toUtf8() + "\", \"w\").write(\"ran\")\n" + QByteArray(kAddsOnly));
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = question();
        QVERIFY(box && box->informativeText().contains("python3 " + rules));
        QVERIFY(QFileInfo(mark).size() == 0);
        QTest::mouseClick(box->findChild<QPushButton*>("without"), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(QFileInfo(mark).size() == 0);
        QVERIFY(!document().choice().backends.front()->running);
    }

    void whatIsAllowedStartsAndIsNotAskedForAgain() {
        const QString rules = fixture_->file("rules.py", kAddsOnly);
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = question();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(document().choice().backends.front()->running);
        divide();
        QCOMPARE(callsOnFirst(), 2);
        // Back and forth again: the same rules hold, and nobody is asked.
        document().undoStack().undo();
        divide();
        QCOMPARE(callsOnFirst(), 2);
        fixture_->window->setBackends({rules});
        QTRY_VERIFY(document().choice().backends.front()->running);
        QVERIFY(!question());
        // Another content is another program.
        fixture_->file("rules.py", QByteArray(kAddsOnly) + "# changed\n");
        fixture_->window->setBackends({rules});
        QTRY_VERIFY(question());
        question()->close();
    }

    void theFileThatChangedIsNamed() {
        const QString rules = fixture_->file("rules.py", kAddsOnly);
        fixture_->window->setBackends(
            {fixture_->file("mine.json", "{\"name\": \"mine\", \"annotator\": \"python:rules.py\", \"ops\": {}}")});
        QVERIFY(fixture_->openOneDivide());
        allow();
        fixture_->window->commands().action("edit-rules")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->file("rules.py", QByteArray(kAddsOnly) + "# changed\n");
        auto* bar = fixture_->window->findChild<QToolBar*>("rules-changed");
        QTRY_VERIFY(bar->isVisible());
        QStringList words;
        for (const QLabel* label : bar->findChildren<QLabel*>()) words << label->text();
        QVERIFY2(words.join(' ').contains("<b>rules.py</b>"), qPrintable(words.join(' ')));
    }

    void theFilesOwnFlowIsOneStep() {
        const QString rules = fixture_->file("rules.py", QByteArray(kAddsOnly) + kOwnFlow);
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        QAction* own_flow = fixture_->window->commands().action("own-flow");
        QVERIFY2(!own_flow->isEnabled(), "the file does not run yet");
        allow();
        QTRY_VERIFY(own_flow->isEnabled());
        own_flow->trigger();
        QVERIFY(fixture_->settle());
        const FlowChoice& choice = document().choice();
        QVERIFY(choice.annotate && choice.partition && choice.fold && !choice.merge && !choice.simplify);
        QVERIFY(!choice.bind_constants);
        QCOMPARE(callsOnFirst(), 2);
        QCOMPARE(document().undoStack().undoText(), QString("as the file does"));
        document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QVERIFY(!document().choice().annotate && !document().choice().fold && document().choice().bind_constants);
        // With a second backend it is no longer that file's flow.
        fixture_->window->setBackends({rules, "dnnl"});
        QTRY_VERIFY(!own_flow->isEnabled());
    }

    void whatIsWrongWithAFileIsAProblem() {
        const QString rules = fixture_->file("rules.py", "import tvm\n\ntvm.nowhere.run()\n");
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = question();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(std::ranges::any_of(document().problems(), [](const Problem& problem) {
            return problem.text.contains("no tvm.nowhere.run") && problem.position.line == 3;
        }));
    }

    // Would the window wait, the file "hold" would never go, and the annotator be silent for too long.
    void askingWhyWaitsForNoAnnotator() {
        const QString hold = chooseWaiting();
        QVERIFY(fixture_->openOneDivide());
        allow();
        divide();
        fixture_->file("hold", "");
        fixture_->click(fixture_->nodeOf("add"));
        QTRY_VERIFY(QFileInfo::exists(hold + "-held"));
        const QString early = inspected();
        QVERIFY2(early.contains("…") && early.contains("float32"), qPrintable(early));
        QVERIFY(QFile::remove(hold));
        QTRY_VERIFY2(inspected().contains("it waited"), qPrintable(inspected()));
    }

    void whatIsNoLongerAskedIsDropped() {
        const QString hold = chooseWaiting();
        QVERIFY(fixture_->openOneDivide());
        allow();
        divide();
        fixture_->file("hold", "");
        fixture_->click(fixture_->nodeOf("add"));
        QTRY_VERIFY(QFileInfo::exists(hold + "-held"));
        document().setSelection({});
        QTRY_VERIFY(!fixture_->window->jobs().busy());  // though nobody let it go on
        QVERIFY(QFile::remove(hold));
        QVERIFY(!inspected().contains("it waited"));
    }

    void stepsWaitForNoAnnotator() {
        const QString hold = chooseWaiting();
        QVERIFY(fixture_->openOneDivide());
        allow();
        divide();
        fixture_->file("hold", "");
        StepsPanel& steps = fixture_->window->panels().steps();
        steps.breakpoints().set("waits", "ops.add", true);
        steps.jumpToBreakpoint();
        QTRY_VERIFY(QFileInfo::exists(hold + "-held"));
        QVERIFY2(steps.terms().contains("ops.add") && !steps.terms().contains("it waited"), qPrintable(steps.terms()));
        QVERIFY(QFile::remove(hold));
        QTRY_VERIFY2(steps.terms().contains("it waited"), qPrintable(steps.terms()));
    }

    void coverageTellsWhatTheFlowWasTold() {
        const QString hold = chooseWaiting();
        QVERIFY(fixture_->openOneDivide());
        allow();
        CoveragePanel& coverage = fixture_->window->panels().coverage();
        bool counted_by_job = false;
        JobRunner& jobs = fixture_->window->jobs();
        const auto watched = connect(&jobs, &JobRunner::jobsChanged, this, [&] {
            for (const JobInfo& job : jobs.jobs())
                counted_by_job |= job.title == "Counting coverage" && coverage.causes().topLevelItemCount() == 0;
        });
        divide();
        fixture_->file("hold", "");
        fixture_->window->panels().show(&coverage);
        QTRY_VERIFY(coverage.causes().topLevelItemCount() > 0);
        QVERIFY2(coverage.causes().topLevelItem(0)->text(0).contains("it waited"),
                 qPrintable(coverage.causes().topLevelItem(0)->text(0)));
        QVERIFY(!QFileInfo::exists(hold + "-held"));
        QVERIFY2(counted_by_job, "the window counted it itself");
        disconnect(watched);
    }

    void aStartThatWasStoppedIsOfferedAgain() {
        const QString hold = fixture_->file("hold", "");
        const QString rules = fixture_->file("rules.py", "import os, time\nwhile os.path.exists(\"" + hold.toUtf8() +
                                                             "\"):\n    time.sleep(0.01)\n" + QByteArray(kAddsOnly));
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = question();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(fixture_->window->jobs().busy());
        QTest::qWait(300);  // the file runs, and waits
        fixture_->window->commands().action("cancel")->trigger();
        QTRY_VERIFY(startAgain() && startAgain()->isVisible());
        QVERIFY(!document().choice().backends.front()->running);
        QVERIFY(QFile::remove(hold));
        QTest::mouseClick(startAgain(), Qt::LeftButton);
        QTRY_VERIFY(document().choice().backends.front()->running);
        QTRY_VERIFY(!startAgain()->isVisible());
    }

    void whatWasRefusedCanBeAllowedLater() {
        fixture_->window->setBackends({fixture_->file("rules.py", kAddsOnly)});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = question();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>("without"), Qt::LeftButton);
        QTRY_VERIFY(startAgain() && startAgain()->isVisible());
        bool is_told = false;
        for (const QLabel* label : fixture_->window->findChildren<QLabel*>())
            is_told = is_told || (label->isVisible() && label->text().contains("do not run"));
        QVERIFY(is_told);
        QTRY_VERIFY(!fixture_->window->findChild<QMessageBox*>("code-permission"));
        QTest::mouseClick(startAgain(), Qt::LeftButton);
        allow();
    }

    void cancelEndsARuleThatGoesOnForEver() {
        const QString mark = fixture_->file("mark", "");
        fixture_->window->setBackends(
            {fixture_->file("rules.py", QByteArray(kForEver).replace("MARK", mark.toUtf8()))});
        QVERIFY(fixture_->openOneDivide());
        allow();
        chooseDivision();
        QTRY_VERIFY(QFileInfo(mark).size() > 0);
        QFile file(mark);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const pid_t process = pid_t(file.readAll().toInt());
        QVERIFY(process > 0 && kill(process, 0) == 0);
        fixture_->window->commands().action("cancel")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(kill(process, 0) != 0);
        QVERIFY(!document().choice().annotate);
        fixture_->click(fixture_->nodeOf("add"));
        QVERIFY(inspected().contains("add"));
    }

    void anImportedFileThatChangedIsAnotherProgram() {
        const QString rules = fixture_->file("rules.py", "import helper\n" + QByteArray(kAddsOnly));
        fixture_->file("helper.py", "x = 1\n");
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        allow();
        fixture_->file("helper.py", "x = 2\n");
        fixture_->window->setBackends({rules});
        QTRY_VERIFY(question());
        question()->close();
    }

    void whatIsRememberedIsBound() {
        const QString rules = fixture_->file("rules.py", kAddsOnly);
        fixture_->window->setBackends({rules});
        QVERIFY(fixture_->openOneDivide());
        allow();
        auto* starter = fixture_->window->findChild<AnnotatorStarter*>();
        QVERIFY(starter);
        for (int i = 0; i < 5; ++i) {
            fixture_->window->setBackends({rules});
            QTRY_VERIFY(document().choice().backends.front()->running);
        }
        QVERIFY2(starter->known() >= 5, "steps of undo hold them");
        document().undoStack().clear();
        fixture_->window->setBackends({rules});
        QTRY_VERIFY(document().choice().backends.front()->running);
        document().undoStack().clear();
        fixture_->window->setBackends({rules});
        QTRY_VERIFY2(starter->known() <= 2, QByteArray::number(qulonglong(starter->known())).constData());
    }

private:
    Document& document() { return fixture_->window->document(); }

    QMessageBox* question() {
        for (int i = 0; i < 50; ++i) {
            if (auto* box = fixture_->window->findChild<QMessageBox*>("code-permission")) return box;
            QTest::qWait(10);
        }
        return nullptr;
    }

    QWidget* startAgain() {
        auto* bar = fixture_->window->findChild<QToolBar*>("rules-changed");
        return bar->widgetForAction(bar->findChild<QAction*>("start-rules"));
    }

    void allow() {
        QMessageBox* box = question();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(document().choice().backends.front()->running);
    }

    /// The file that makes it hold on.
    QString chooseWaiting() {
        const QString hold = QFileInfo(fixture_->file("x", "")).dir().filePath("hold");
        QByteArray program =
            QByteArray(kWaits).replace("HOLD", hold.toUtf8()).replace("HELD", (hold + "-held").toUtf8());
        const QString file = fixture_->file("waits.script", program);
        fixture_->window->setBackends({fixture_->file(
            "waits.json", "{\"name\": \"waits\", \"annotator\": \"command:python3 " + file.toUtf8() + "\"}")});
        return hold;
    }

    QString inspected() { return fixture_->window->panels().inspector().text().toPlainText(); }

    void chooseDivision() {
        FlowChoice choice = document().choice();
        choice.annotate = choice.merge = choice.partition = true;
        document().changeChoice(choice, "divide");
    }

    void divide() {
        chooseDivision();
        QVERIFY(fixture_->settle());
    }

    int callsOnFirst() {
        int calls = 0;
        for (int16_t backend : document().flow()->backend_of) calls += backend == 0;
        return calls;
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestAnnotatorsInWindow)

}  // namespace test_annotators_in_window

#include "test_annotators_in_window.moc"
