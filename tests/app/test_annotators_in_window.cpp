// Rules in Python in the window: asked for once for each content, started behind it, and put in again after an undo.
#include <QtTest>

#include "tests/app/window_fixture.h"

using namespace partita;

namespace {

const char* const kAddsOnly = R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.mine")
def add(call):
    return call.args[0].checked_type.dtype == "float32"
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

private:
    Document& document() { return fixture_->window->document(); }

    QMessageBox* question() {
        for (int i = 0; i < 50; ++i) {
            if (auto* box = fixture_->window->findChild<QMessageBox*>("code-permission")) return box;
            QTest::qWait(10);
        }
        return nullptr;
    }

    void divide() {
        FlowChoice choice = document().choice();
        choice.annotate = choice.merge = choice.partition = true;
        document().changeChoice(choice, "divide");
        QVERIFY(fixture_->settle());
    }

    int callsOnFirst() {
        int calls = 0;
        for (int16_t backend : document().flow()->backend_of) calls += backend == 0;
        return calls;
    }

    std::unique_ptr<WindowFixture> fixture_;
};

QTEST_MAIN(TestAnnotatorsInWindow)
#include "test_annotators_in_window.moc"
