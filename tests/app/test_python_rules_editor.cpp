// The rules' editor with a file in Python: what its lines refuse, where Why leads, edits that take effect at once, and
// changes on disk that are asked about.
#include <QtTest>

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolBar>
#include <QTreeWidget>

#include "app/gui/editing/ask_dialog.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_texts.h"
#include "app/gui/panels/rules/rules_bar.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "engine/ops/registry.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_python_rules_editor {

using namespace partita;

namespace {

const char* const kRules = R"(import tvm.ir


@tvm.ir.register_op_attr("add", "target.mine")
def add(call):
    dtype = call.args[0].checked_type.dtype
    if dtype != "int8":
        return False
    return True
)";

}  // namespace

class TestPythonRulesEditor : public QObject {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        rules_ = fixture_->file("rules.py", kRules);
        fixture_->window->setBackends({rules_});
        QVERIFY(fixture_->openOneDivide());
        QMessageBox* box = nullptr;
        QTRY_VERIFY((box = fixture_->window->findChild<QMessageBox*>("code-permission")));
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(document().choice().backends.front()->running);
        FlowChoice choice = document().choice();
        choice.annotate = choice.merge = true;
        document().changeChoice(choice, "divide");
        QVERIFY(fixture_->settle());
        fixture_->window->commands().action("edit-rules")->trigger();
        QVERIFY(fixture_->settle());
    }
    void cleanup() { fixture_.reset(); }

    void theFileStandsThereWithWhatItsLinesRefuse() {
        QCOMPARE(edit().toPlainText(), QString::fromUtf8(kRules));
        QVERIFY(edit().isPython());
        const QRect count = edit().countPlace(7);
        QVERIFY(!count.isEmpty() && edit().countPlace(9).isEmpty());
        QTest::mouseClick(&edit().margin(), Qt::LeftButton, {}, count.center());
        QCOMPARE(document().selection().size(), size_t(2));
        for (ExprId call : document().selection())
            QCOMPARE(QString::fromStdString(called_op_record(*document().shownModule(), call)->name), "add");
    }

    void keywordsStringsAndCommentsHaveColours() {
        const auto colour_at = [this](const QString& words) {
            const qsizetype at = edit().toPlainText().indexOf(words);
            const QTextBlock block = edit().document()->findBlock(int(at));
            for (const QTextLayout::FormatRange& range : block.layout()->formats())
                if (at - block.position() >= range.start && at - block.position() < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        edit().appendPlainText("\"\"\"over\nif two lines\"\"\" # if\nelse_ = 1");
        const QColor keyword = colour_at("if dtype"), text = colour_at("\"int8\"");
        QVERIFY(keyword.isValid() && text.isValid() && keyword != text);
        QCOMPARE(colour_at("return"), keyword);
        QCOMPARE(colour_at("if two lines"), text);
        QVERIFY(colour_at("# if").isValid() && colour_at("# if") != text && colour_at("# if") != keyword);
        QVERIFY(!colour_at("else_").isValid());
    }

    void aRuleIsWrittenInPython() {
        fixture_->window->panels().rules().writeRule(0, "nn.softmax");
        QVERIFY(fixture_->settle());
        const QString text = edit().toPlainText();
        QVERIFY2(text.startsWith(QString::fromUtf8(kRules)), qPrintable(text));
        QVERIFY2(text.contains("@tvm.ir.register_op_attr(\"nn.softmax\", \"target.mine\")\ndef any_nn_softmax(expr):\n"
                               "    return True\n") &&
                     text.contains("\nimport tvm\n"),
                 qPrintable(text));
        QCOMPARE(edit().textCursor().selectedText(), QStringLiteral("True"));
        QTest::qWait(450);
        QVERIFY(fixture_->settle());
        QVERIFY(document().choice().backends.front()->ops.contains("nn.softmax"));
    }

    /// Of Coverage: what a text in Python can't say stays a figure.
    void aChangeThatIsTriedStaysPython() {
        CoveragePanel& coverage = fixture_->window->panels().coverage();
        fixture_->window->panels().show(&coverage);
        QVERIFY(fixture_->settle());
        const auto count = [&] {
            for (QAbstractButton* button : coverage.findChildren<QAbstractButton*>())
                if (button->text() == QLatin1String("Count")) button->click();
            return fixture_->settle();
        };
        QTreeWidget* table = nullptr;
        for (auto* each : coverage.findChildren<QTreeWidget*>())
            if (each->accessibleName() == QLatin1String("What if")) table = each;
        QVERIFY(count() && table && table->topLevelItemCount() > 0);
        for (int row = 0; row < table->topLevelItemCount(); ++row) {
            const int index = table->topLevelItem(row)->data(0, Qt::UserRole).toInt();
            coverage.tryWhatIf(index);
            QVERIFY(fixture_->settle());
            const QString text = edit().toPlainText();
            const QString condition = QString::fromUtf8("dtype != \"int8\"");
            const QString changed = QString::fromUtf8(kRules);
            QVERIFY2(text.startsWith(changed) || text == QString(changed).replace(condition, "False") ||
                         text == QString(changed).replace(condition, "(not (" + condition + "))"),
                     qPrintable(text));
            document().undoStack().setIndex(1);
            QVERIFY(fixture_->settle() && count());
        }
    }

    void aConditionIsTriedInTheTextAndNeverInTheFile() {
        CoveragePanel& coverage = fixture_->window->panels().coverage();
        fixture_->window->panels().show(&coverage);
        QVERIFY(fixture_->settle());
        QTreeWidget* table = nullptr;
        for (auto* each : coverage.findChildren<QTreeWidget*>())
            if (each->accessibleName() == QLatin1String("What if")) table = each;
        QVERIFY(table);
        QTreeWidgetItem* row = nullptr;
        for (int i = 0; i < table->topLevelItemCount(); ++i)
            if (table->topLevelItem(i)->toolTip(0).contains("rules.py:7: dtype != \"int8\" becomes False"))
                row = table->topLevelItem(i);
        QVERIFY(row);
        QCOMPARE(row->text(3), QStringLiteral("+2"));
        fixture_->picture("what-if-in-python");
        QTest::mouseClick(table->itemWidget(row, 7), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QCOMPARE(callsTaken(), 2);
        QCOMPARE(edit().toPlainText(), QString::fromUtf8(kRules).replace("dtype != \"int8\"", "False"));
        QCOMPARE(edit().marked(), 7);
        fixture_->picture("condition-tried");
        QFile file(rules_);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray(kRules));
        document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(edit().toPlainText(), QString::fromUtf8(kRules));
        QCOMPARE(callsTaken(), 0);
    }

    void aConditionOnALineStopsAtSomeCallsOnly() {
        StepsPanel& steps = fixture_->window->panels().steps();
        const QPoint margin(8, edit().countPlace(7).center().y());
        QTest::mouseClick(&edit().margin(), Qt::RightButton, {}, margin);
        auto* dialog = rules().findChild<AskDialog*>();
        QVERIFY(dialog);
        QTest::keyClicks(dialog->findChild<QLineEdit*>(), "args[0].is_var");
        QTest::keyClick(dialog, Qt::Key_Return);
        QVERIFY(fixture_->settle());
        QCOMPARE(steps.breakpoints().linesOf("mine"), std::vector{7});
        steps.jumpToBreakpoint();
        QTRY_VERIFY2(steps.terms().contains("stop 1 of 1"), qPrintable(steps.terms()));
        QTRY_COMPARE(edit().path(), (std::set{6, 7, 8}));
        const int first = steps.currentRow();
        steps.jumpToBreakpoint();
        QCOMPARE(steps.currentRow(), first);
        // It goes with its line.
        edit().goTo({1, 1});
        QTest::keyClick(&edit(), Qt::Key_Return);
        QCOMPARE(steps.breakpoints().conditionsOf("mine").at(8).text(), QStringLiteral("args[0].is_var"));
    }

    void whatWasAskedLeadsToTheLinesAndMarksThem() {
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->window->action("trace")->trigger();
        QVERIFY(fixture_->settle());
        auto* text = fixture_->window->findChild<QTextBrowser*>("call-trace");
        QVERIFY(text);
        QTRY_VERIFY2(text->toPlainText().contains("if dtype != \"int8\":"), qPrintable(text->toPlainText()));
        QVERIFY2(text->toPlainText().contains("dtype = 'float32'"), qPrintable(text->toPlainText()));
        QCOMPARE(edit().path(), (std::set{6, 7, 8}));
        fixture_->picture("what-was-asked", text->window());
        emit text->anchorClicked(QUrl("line:0/8"));
        QCOMPARE(edit().marked(), 8);
        QCOMPARE(edit().path(), (std::set{6, 7, 8}));
    }

    void whyLeadsToTheLine() {
        fixture_->window->panels().show(&fixture_->window->panels().steps());
        fixture_->click(fixture_->nodeOf("add"));
        QTextBrowser& why = fixture_->window->panels().inspector().text();
        QTRY_VERIFY2(why.toPlainText().contains("rules.py:7: if dtype != \"int8\": dtype = 'float32'"),
                     qPrintable(why.toPlainText()));
        clickLink(why, "line:0/7");
        QCOMPARE(edit().marked(), 7);
        QCOMPARE(edit().textCursor().blockNumber(), 6);
        QVERIFY(edit().isVisible());
    }

    void playingStopsAtALineAndGoesOnToTheNext() {
        StepsPanel& steps = fixture_->window->panels().steps();
        fixture_->window->commands().action("edit-rules")->trigger();
        QTest::mouseClick(&edit().margin(), Qt::LeftButton, {}, QPoint(8, edit().countPlace(7).center().y()));
        QCOMPARE(steps.breakpoints().lines().size(), size_t(1));
        QVERIFY(fixture_->settle());
        steps.jumpToBreakpoint();
        QTRY_VERIFY2(steps.terms().contains("Before line 7") && steps.terms().contains("dtype = 'float32'"),
                     qPrintable(steps.terms()));
        QCOMPARE(edit().marked(), 7);
        const int first = steps.currentRow();
        fixture_->window->commands().action("next-line")->trigger();
        QVERIFY2(steps.terms().contains("Before line 8") && steps.terms().contains("the rule ends here"),
                 qPrintable(steps.terms()));
        QCOMPARE(edit().marked(), 8);
        steps.jumpToBreakpoint();
        QVERIFY(steps.currentRow() > first);
        // Nothing reaches the line behind the condition that refuses all.
        steps.jumpToStart();
        QTest::mouseClick(&edit().margin(), Qt::LeftButton, {}, QPoint(8, edit().countPlace(7).center().y()));
        steps.breakpoints().toggleLine("mine", 9);
        QVERIFY(fixture_->settle());
        steps.jumpToBreakpoint();
        QCOMPARE(steps.currentRow(), 0);
    }

    void theFileOpensWhereACallWasRefusedAndStaysWhereItIsRead() {
        QCOMPARE(edit().cursorLine(), 7);
        fixture_->window->setBackends({rules_, "dnnl"});
        QTRY_VERIFY(document().choice().backends.front()->running);
        QVERIFY(fixture_->settle());
        edit().look({2, 1});
        emit rules().backends().activated(1);
        QVERIFY(edit().toPlainText().startsWith("{"));
        emit rules().backends().activated(0);
        QVERIFY(fixture_->settle());
        QCOMPARE(edit().cursorLine(), 2);
    }

    void beforeAnythingWasAskedTheFileOpensAtItsFirstRule() {
        fixture_->window->document().undoStack().undo();
        QVERIFY(fixture_->settle());
        fixture_->window->setBackends({fixture_->file("other.py", "# licence\n" + QByteArray(kRules))});
        allow();
        QCOMPARE(edit().cursorLine(), 5);
    }

    void breakpointsGoWithTheirLines_data() {
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<int>("moved");
        QTest::newRow("above") << 1 << 1 << QByteArray("# a\r# b\r") << 9;
        QTest::newRow("at its beginning") << 7 << 1 << QByteArray("\r") << 8;
        QTest::newRow("at its end") << 7 << 24 << QByteArray("\r") << 7;
        QTest::newRow("below") << 9 << 1 << QByteArray("\r") << 7;
        QTest::newRow("a line above goes") << 3 << 1 << QByteArray("\b") << 6;
    }

    void breakpointsGoWithTheirLines() {
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QByteArray, keys);
        QFETCH(int, moved);
        RuleBreakpoints& breakpoints = fixture_->window->panels().steps().breakpoints();
        QTest::mouseClick(&edit().margin(), Qt::LeftButton, {}, QPoint(8, edit().countPlace(7).center().y()));
        QCOMPARE(breakpoints.linesOf("mine"), std::vector{7});
        const int steps = document().undoStack().count();
        edit().goTo({uint32_t(line), uint32_t(column)});
        for (char key : keys)
            if (key == '\r' || key == '\b') QTest::keyClick(&edit(), key == '\r' ? Qt::Key_Return : Qt::Key_Backspace);
            else QTest::keyClick(&edit(), key);
        QCOMPARE(breakpoints.linesOf("mine"), std::vector{moved});
        QTRY_COMPARE(document().undoStack().count(), steps + 1);
        QVERIFY(fixture_->settle());
        document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(edit().toPlainText(), QString::fromUtf8(kRules));
        QCOMPARE(breakpoints.linesOf("mine"), std::vector{7});
    }

    void aDescriptionThatNamesAFileShowsItBesideItsOwnText() {
        const QByteArray description = R"({"name": "beside", "annotator": "python:theirs.py"})";
        fixture_->file("theirs.py", QByteArray(kRules).replace("target.mine", "target.beside"));
        fixture_->window->setBackends({fixture_->file("beside.json", description)});
        allow();
        QVERIFY(fixture_->settle());
        QCOMPARE(edit().toPlainText(), QString::fromUtf8(description));
        QVERIFY(edit().isVisible());
        fixture_->click(fixture_->nodeOf("add"));
        QTextBrowser& why = fixture_->window->panels().inspector().text();
        QTRY_VERIFY2(why.toPlainText().contains("theirs.py:7:"), qPrintable(why.toPlainText()));
        clickLink(why, "line:0/7");
        DescriptionEdit& lines = rules().texts().lines();
        QVERIFY(&lines != &edit() && lines.isVisible());
        QVERIFY(rules().texts().findChild<QTabBar*>()->tabText(1).contains("read only"));
        QCOMPARE(lines.marked(), 7);
        QCOMPARE(lines.cursorLine(), 7);
        const QString text = lines.toPlainText();
        QTest::keyClicks(&lines, "x\r");
        QCOMPARE(lines.toPlainText(), text);
        QTest::mouseClick(&lines.margin(), Qt::LeftButton, {}, lines.countPlace(7).center());
        QCOMPARE(document().selection().size(), size_t(2));
        QTest::keyClick(&lines, Qt::Key_F9);
        QCOMPARE(fixture_->window->panels().steps().breakpoints().linesOf("beside"), std::vector{7});
        // What another program writes there is asked about, and then takes effect.
        fixture_->file("theirs.py", "# theirs\n" + text.toUtf8().replace("int8", "float32"));
        QTRY_VERIFY(bar()->isVisible());
        QCOMPARE(callsTaken(), 0);
        clickInBar("run-changed-rules");
        QTRY_COMPARE(callsTaken(), 2);
        QVERIFY(lines.toPlainText().startsWith("# theirs"));
        QCOMPARE(lines.marked(), 8);  // where the reader was
        QCOMPARE(lines.cursorLine(), 8);
        QCOMPARE(fixture_->window->panels().steps().breakpoints().linesOf("beside"), std::vector{8});
    }

    void aChangeOfAnImportedFileIsAskedAbout() {
        fixture_->file("wishes.py", "dtype = \"int8\"\n");
        const QByteArray text = "import wishes\n" + QByteArray(kRules).replace("\"int8\"", "wishes.dtype");
        fixture_->window->setBackends({fixture_->file("importing.py", text)});
        allow();
        QVERIFY(fixture_->settle());
        QCOMPARE(callsTaken(), 0);
        fixture_->file("wishes.py", "dtype = \"float32\"\n");
        QTRY_VERIFY(bar()->isVisible());
        QCOMPARE(callsTaken(), 0);
        clickInBar("run-changed-rules");
        QTRY_COMPARE(callsTaken(), 2);
        QVERIFY(!bar()->isVisible());
        document().undoStack().undo();
        QTRY_COMPARE(callsTaken(), 0);
    }

    void anEditTakesEffectAtOnceAsOneStep() {
        const int steps = document().undoStack().count(), listed = rules().rules().topLevelItemCount();
        QVERIFY(listed > 0);
        replace("int8", "float32");
        QTRY_COMPARE(callsTaken(), 2);
        QCOMPARE(document().undoStack().count(), steps + 1);
        QCOMPARE(rules().rules().topLevelItemCount(), listed);
        QVERIFY2(rules().summary().contains("2 gained"), qPrintable(rules().summary()));
        QVERIFY(edit().countPlace(7).isEmpty());
        document().undoStack().undo();
        QTRY_COMPARE(callsTaken(), 0);
        QVERIFY(edit().toPlainText().contains("int8"));
        document().undoStack().redo();
        QTRY_COMPARE(callsTaken(), 2);
        QVERIFY(rules().modified());
        QVERIFY(!question());
    }

    void aRuleThatRaisesIsToldWithItsCallsAndItsLine() {
        replace("if dtype != \"int8\"", "if typo != \"int8\"");
        QTest::qWait(450);
        QVERIFY(fixture_->settle());
        const QString told = rules().summary();
        QVERIFY2(told.contains("The rule add failed for 2 calls: NameError: name 'typo' is not defined (rules.py:7)"),
                 qPrintable(told));
        QVERIFY(!told.contains("nothing moved"));
        document().setSelection({});
        emit bar_of_rules().linkActivated("failed");
        QCOMPARE(document().selection().size(), size_t(2));
        edit().look({1, 1});
        emit bar_of_rules().linkActivated("line:7");
        QCOMPARE(edit().cursorLine(), 7);
        // Problems says so, too, and leads there.
        QCOMPARE(document().problems().size(), size_t(1));
        edit().look({1, 1});
        fixture_->window->panels().show(&fixture_->window->panels().problems());
        auto* list = fixture_->window->panels().problems().findChild<QTreeView*>();
        QTRY_VERIFY(list->isVisible());
        const QPoint row = list->visualRect(list->model()->index(0, 1)).center();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row);
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, row);
        QTRY_COMPARE(edit().cursorLine(), 7);
        QVERIFY(edit().isVisible());
        // What is mended is told no longer.
        replace("if typo != \"int8\"", "if dtype != \"int8\"");
        QTest::qWait(450);
        QVERIFY(fixture_->settle());
        QVERIFY2(rules().summary().contains("nothing moved"), qPrintable(rules().summary()));
        QVERIFY(document().problems().empty());
    }

    void aFaultyTextLeavesTheLastRules() {
        replace("int8", "float32");
        QTRY_COMPARE(callsTaken(), 2);
        replace("return True", "return True)");
        QTRY_VERIFY(rules().faults().count() == 1);
        QVERIFY2(rules().faults().item(0)->text().startsWith("9:"), qPrintable(rules().faults().item(0)->text()));
        replace("return True)", "return True\n\nundefined_name()");
        QTRY_VERIFY(rules().faults().count() == 1 && rules().faults().item(0)->text().startsWith("11:"));
        QVERIFY(rules().faults().item(0)->text().contains("NameError"));
        QCOMPARE(callsTaken(), 2);
    }

    void whatLinesRefusedIsNotSaidOfAnotherText() {
        QVERIFY(!edit().countPlace(7).isEmpty());
        replace("return True", "return True)");
        QTRY_VERIFY(rules().faults().count() == 1);
        QVERIFY(edit().countPlace(7).isEmpty());
    }

    void aChangeOnDiskIsAskedAboutInABar() {
        fixture_->file("rules.py", QByteArray(kRules).replace("int8", "float32"));
        QTRY_VERIFY(bar()->isVisible());
        QVERIFY(!question());
        QCOMPARE(callsTaken(), 0);
        // An edit of what somebody else wrote is no permission for it.
        edit().moveCursor(QTextCursor::End);
        QTest::keyClicks(&edit(), "# x");
        QTest::qWait(500);
        QVERIFY(fixture_->settle());
        QVERIFY(bar()->isVisible());
        QCOMPARE(callsTaken(), 0);
        clickInBar("run-changed-rules");
        QTRY_COMPARE(callsTaken(), 2);
        QVERIFY(!bar()->isVisible());
        document().undoStack().undo();
        QTRY_COMPARE(callsTaken(), 0);
    }

    void aConflictIsAskedAbout() {
        replace("int8", "float32");
        QTRY_COMPARE(callsTaken(), 2);
        const QByteArray theirs = QByteArray(kRules) + "# theirs\n";
        fixture_->file("rules.py", theirs);
        auto* conflict = rules().findChild<QWidget*>("description-conflict");
        QTRY_VERIFY(conflict->isVisible());
        rules().save();
        auto* box = rules().findChild<QMessageBox*>("description-changed");
        QVERIFY(box);
        box->button(QMessageBox::Cancel)->click();
        QFile file(rules_);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), theirs);
        QVERIFY(edit().toPlainText().contains("float32"));
    }

    void whatWasSavedHereMayRunAgain() {
        replace("int8", "float32");
        QTRY_COMPARE(callsTaken(), 2);
        rules().save();
        QVERIFY(fixture_->settle());
        fixture_->window->setBackends({rules_});
        QTRY_VERIFY(document().choice().backends.front()->running);
        QVERIFY(!question());
    }

private:
    Document& document() { return fixture_->window->document(); }
    RulesPanel& rules() { return fixture_->window->panels().rules(); }
    DescriptionEdit& edit() { return rules().edit(); }
    RulesBar& bar_of_rules() { return *rules().findChild<RulesBar*>(); }
    QToolBar* bar() { return fixture_->window->findChild<QToolBar*>("rules-changed"); }
    QMessageBox* question() { return fixture_->window->findChild<QMessageBox*>("code-permission"); }

    void allow() {
        QMessageBox* box = nullptr;
        QTRY_VERIFY((box = question()));
        QTest::mouseClick(box->findChild<QPushButton*>("allow"), Qt::LeftButton);
        QTRY_VERIFY(document().choice().backends.front()->running);
    }

    static void clickLink(QTextBrowser& browser, const QString& target) {
        for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next())
            for (auto at = block.begin(); !at.atEnd(); ++at) {
                if (at.fragment().charFormat().anchorHref() != target) continue;
                QTextCursor cursor(browser.document());
                cursor.setPosition(at.fragment().position() + 1);
                browser.setTextCursor(cursor);
                browser.ensureCursorVisible();
                return QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, browser.cursorRect().center());
            }
        QFAIL(qPrintable("no link to " + target));
    }

    void clickInBar(const char* name) {
        for (QAction* action : bar()->actions())
            if (action->objectName() == QLatin1String(name))
                QTest::mouseClick(bar()->widgetForAction(action), Qt::LeftButton);
    }

    /// As a person does: selects the words and types others.
    void replace(const QString& words, const QString& others) {
        const qsizetype at = edit().toPlainText().indexOf(words);
        QVERIFY(at >= 0);
        QTextCursor cursor = edit().textCursor();
        cursor.setPosition(int(at));
        cursor.setPosition(int(at + words.size()), QTextCursor::KeepAnchor);
        edit().setTextCursor(cursor);
        QTest::keyClicks(&edit(), others.section('\n', 0, 0));
        for (int i = 1; i <= others.count('\n'); ++i) edit().insertPlainText("\n" + others.section('\n', i, i));
    }

    int callsTaken() {
        if (!document().flow()) return -1;
        int calls = 0;
        for (int16_t backend : document().flow()->backend_of) calls += backend == 0;
        return calls;
    }

    std::unique_ptr<WindowFixture> fixture_;
    QString rules_;
};

PARTITA_TEST(TestPythonRulesEditor)

}  // namespace test_python_rules_editor

#include "test_python_rules_editor.moc"
