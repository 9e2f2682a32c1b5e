// Rules, breakpoints and the inspector's Why in the window, by real mouse and key events.
#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <QTranslator>
#include <QTreeWidget>

#include "app/gui/editing/ask_dialog.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "tests/app/painted.h"
#include "tests/app/rules_editing.h"
#include "tests/registry.h"

namespace test_rules_editor {

using namespace partita;

class TestRulesEditor : public RulesEditing {
    Q_OBJECT

private slots:
    void theLineOfAStepIsMarkedWhereItStands() {
        DescriptionEdit edit;
        edit.openText(QStringLiteral("{\n\n\n\n}"));
        edit.setMarked(3, QString());
        QVERIFY(edit.extraSelections().isEmpty());  // nobody sees it yet
        edit.grab();
        QCOMPARE(edit.extraSelections().size(), 2);  // where the cursor is, and the line
        QCOMPARE(edit.extraSelections()[1].cursor.blockNumber(), 2);
        QVERIFY(edit.extraSelections()[1].format.background() != edit.extraSelections()[0].format.background());
        edit.setMarked(6, QString());
        QCOMPARE(edit.extraSelections().size(), 1);
    }

    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(fixture_->openOneDivide());
    }
    void cleanup() { fixture_.reset(); }

    void aValidEditShowsOnTheGraphAtOnceAndUndoTakesItBack() {
        openRules();
        const int64_t divide = fixture_->nodeOf("divide");
        QCOMPARE(fixture_->backendOf(divide), QStringLiteral("default"));
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        QCOMPARE(fixture_->backendOf(divide), QStringLiteral("ccompiler"));
        QVERIFY2(rules().summary().contains("6 gained") && rules().summary().contains("regions 0 → 1"),
                 qPrintable(rules().summary()));
        QCOMPARE(stack().undoText(), QStringLiteral("change the rule divide of ccompiler"));
        fixture_->picture("20-rules-edited");
        // What ships stays as it is.
        QVERIFY(!builtin_backend("ccompiler")->ops.count("divide"));
        QVERIFY(rules().modified());
        fixture_->window->action("undo")->trigger();
        QVERIFY(settleEdit());
        QCOMPARE(fixture_->backendOf(divide), QStringLiteral("default"));
        QVERIFY(!rules().edit().toPlainText().contains("divide"));
        QVERIFY(!rules().modified());
        fixture_->window->action("redo")->trigger();
        QVERIFY(settleEdit());
        QCOMPARE(fixture_->backendOf(divide), QStringLiteral("ccompiler"));
        QVERIFY(rules().edit().toPlainText().contains("divide"));
    }

    /// A file that Relax divides: rules that are typed, what a person gives, and undo.
    void aRelaxFileFollowsTheRulesThatAreTyped() {
        QVERIFY(fixture_->open(fixture_->file(
            "model.py",
            "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((2, 8), dtype=\"float32\")) -> "
            "R.Tensor((2, 8), dtype=\"float32\"):\n        with R.dataflow():\n"
            "            a: R.Tensor((2, 8), dtype=\"float32\") = R.nn.relu(x)\n"
            "            b: R.Tensor((2, 8), dtype=\"float32\") = R.exp(a)\n"
            "            c: R.Tensor((2, 8), dtype=\"float32\") = R.nn.relu(b)\n"
            "            R.output(c)\n        return c\n")));
        const QString path = fixture_->file("npu.json", "{\n  \"name\": \"npu\",\n  \"ops\": {\"nn.relu\": true}\n}\n");
        fixture_->window->setBackends({path});
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        openRules();
        const auto places = [this] {
            QStringList backends;
            for (const char* op : {"nn.relu", "exp"}) backends << fixture_->backendOf(fixture_->nodeOf(op));
            return backends;
        };
        QCOMPARE(places(), (QStringList{"npu", "default"}));
        typeAfter("\"ops\": {", "\"exp\": true, ");
        QVERIFY(settleEdit());
        QCOMPARE(places(), (QStringList{"npu", "npu"}));
        QVERIFY2(rules().summary().contains("1 gained"), qPrintable(rules().summary()));
        fixture_->picture("29-rules-relax");
        replace("\"exp\": true", "\"exp\": \"args[0].rank == 3\"");
        QVERIFY(settleEdit());
        QCOMPARE(places(), (QStringList{"npu", "default"}));
        fixture_->window->action("undo")->trigger();
        QVERIFY(settleEdit());
        QCOMPARE(places(), (QStringList{"npu", "npu"}));

        // By hand: the middle to default, and back; one region split and joined again.
        const auto regions = [this] { return fixture_->window->document().flow()->regions.size(); };
        QCOMPARE(regions(), size_t(1));
        fixture_->click(fixture_->nodeOf("exp"));
        fixture_->window->action("backend-0")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(places(), (QStringList{"npu", "default"}));
        QCOMPARE(regions(), size_t(2));
        fixture_->window->action("backend-1")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(regions(), size_t(1));
        fixture_->window->action("split-region")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY2(regions() > 1, qPrintable(QString::number(regions())));
        QCOMPARE(places(), (QStringList{"npu", "npu"}));
        fixture_->window->action("join-regions")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(regions(), size_t(1));
    }

    void aSecondEditTellsWhatWasLost() {
        annotate();
        openRules();
        replace("\"subtract\": true", "\"subtract\": \"args[0].rank == 4\"");
        QVERIFY(settleEdit());
        QVERIFY2(rules().summary().contains("1 lost (subtract 1)"), qPrintable(rules().summary()));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("subtract")), QStringLiteral("default"));
    }

    void aFaultyEditLeavesTheLastValidState() {
        annotate();
        openRules();
        const int steps = stack().count();
        typeAfter("\"ops\": {", "\"nn.conv2d\": \"attrs.stride == [1, 1]\", \"addd\": true, ");
        QVERIFY(settleEdit());
        QCOMPARE(stack().count(), steps);
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("ccompiler"));
        QListWidget& faults = rules().faults();
        QCOMPARE(faults.count(), 2);
        QVERIFY2(faults.item(0)->text().contains("did you mean 'strides'?"), qPrintable(faults.item(0)->text()));
        QVERIFY2(faults.item(1)->text().contains("did you mean \"add\"?"), qPrintable(faults.item(1)->text()));
        QVERIFY(rules().summary().contains("the last valid rules stay"));
        int squiggles = 0;
        for (const QTextEdit::ExtraSelection& each : rules().edit().extraSelections())
            if (each.format.underlineStyle() == QTextCharFormat::WaveUnderline) {
                if (!squiggles++) QCOMPARE(each.cursor.selectedText(), QStringLiteral("stride"));
            }
        QCOMPARE(squiggles, 2);
        fixture_->picture("21-rules-faulty");
        // A click on a fault goes to its place.
        QTest::mouseClick(faults.viewport(), Qt::LeftButton, Qt::NoModifier,
                          faults.visualItemRect(faults.item(1)).center());
        QVERIFY(rules()
                    .edit()
                    .textCursor()
                    .block()
                    .text()
                    .mid(rules().edit().textCursor().positionInBlock())
                    .startsWith("\"addd\""));
        // Mended, it counts.
        replace("attrs.stride ", "attrs.strides ");
        replace("\"addd\": true, ", "");
        QVERIFY(settleEdit());
        QCOMPARE(faults.count(), 0);
        QCOMPARE(stack().count(), steps + 1);
    }

    /// Who writes Python's words, as rules of TVM are, is told the ones of this language, at the word.
    void wordsOfAnotherLanguageAreNamedInThisOne() {
        annotate();
        openRules();
        QListWidget& faults = rules().faults();
        replace("\"subtract\": true", "\"subtract\": \"args[0].rank == 4 and args[1].rank == 4\"");
        QVERIFY(settleEdit());
        QCOMPARE(faults.count(), 1);
        QVERIFY2(faults.item(0)->text().contains("(and is written &&)"), qPrintable(faults.item(0)->text()));
        QTest::mouseClick(faults.viewport(), Qt::LeftButton, Qt::NoModifier,
                          faults.visualItemRect(faults.item(0)).center());
        QVERIFY(rules()
                    .edit()
                    .textCursor()
                    .block()
                    .text()
                    .mid(rules().edit().textCursor().positionInBlock())
                    .startsWith("and args"));
        replace("4 and args", "4 or args");
        QVERIFY(settleEdit());
        QCOMPARE(faults.count(), 1);
        QVERIFY2(faults.item(0)->text().contains("(or is written ||)"), qPrintable(faults.item(0)->text()));
        replace("4 or args", "4 || args");
        QVERIFY(settleEdit());
        QCOMPARE(faults.count(), 0);
    }

    void wordsAreCompleted() {
        openRules();
        typeAfter("\"ops\": {", "\"nn.conv2\"");
        QTest::keyClick(&rules().edit(), Qt::Key_Left);
        QTest::keyClick(&rules().edit(), Qt::Key_Space, Qt::ControlModifier);
        QAbstractItemView* list = rules().edit().completer().popup();
        QVERIFY(list->isVisible());
        QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("nn.conv2d"));
        fixture_->picture("22-rules-completion");
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(rules().edit().toPlainText().contains("\"nn.conv2d\""));
        QTest::keyClick(&rules().edit(), Qt::Key_Right);
        QTest::keyClicks(&rules().edit(), ": \"attrs.kern");
        QVERIFY(list->isVisible());
        QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("kernel_size"));
        QTest::keyClick(list, Qt::Key_Tab);
        QVERIFY(rules().edit().toPlainText().contains("\"attrs.kernel_size"));
        QVERIFY(!list->isVisible());
    }

    void aCopyIsSavedAndRevertGoesBackToTheFile() {
        openRules();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        const QString path = fixture_->file("mine.json", "");
        QVERIFY(rules().saveTo(path));
        QVERIFY(settleEdit());
        auto written = load_backend(path.toStdString());
        QVERIFY2(written, written ? "" : written.error().to_string().c_str());
        QVERIFY(written->ops.count("divide"));
        QVERIFY(!rules().modified());
        QCOMPARE(QString::fromStdString(fixture_->window->document().choice().backends[0]->file), path);
        replace("\"divide\": true, ", "");
        QVERIFY(settleEdit());
        QVERIFY(rules().modified());
        rules().revert();
        QVERIFY(settleEdit());
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        QVERIFY(!rules().modified());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("ccompiler"));
    }

    void undoAfterSavingKeepsTheFile() {
        openRules();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        const QString path = fixture_->file("mine.json", "");
        QVERIFY(rules().saveTo(path));
        QVERIFY(settleEdit());
        stack().undo();  // that it is kept in a file
        QVERIFY(settleEdit());
        QVERIFY(!rules().modified());
        stack().undo();  // the rule
        QVERIFY(settleEdit());
        QVERIFY(rules().modified());
        rules().save();  // asks for no name
        auto written = load_backend(path.toStdString());
        QVERIFY(written && !written->ops.count("divide"));
    }

    void whyLeadsToTheRuleAndWritesOneThatIsMissing() {
        annotate();
        const int64_t divide = fixture_->nodeOf("divide");
        fixture_->click(divide);
        QVERIFY(fixture_->settle());
        clickLink(fixture_->window->panels().inspector().text(), "write one");
        QVERIFY(settleEdit());
        QVERIFY(rules().edit().isVisible());
        QCOMPARE(rules().edit().textCursor().selectedText(), QStringLiteral("true"));
        QCOMPARE(fixture_->backendOf(divide), QStringLiteral("ccompiler"));
        QCOMPARE(stack().undoText(), QStringLiteral("change the rule divide of ccompiler"));
        // The link of an accepted call goes to its line.
        fixture_->click(fixture_->nodeOf("subtract"));
        QVERIFY(fixture_->settle());
        clickLink(fixture_->window->panels().inspector().text(), "ops.subtract");
        const QTextCursor cursor = rules().edit().textCursor();
        QVERIFY(cursor.block().text().mid(cursor.positionInBlock()).startsWith("\"subtract\""));
        QCOMPARE(rules().rules().currentItem()->text(0), QStringLiteral("subtract"));
    }

    void rulesThatWereNotSavedAreKeptInTheProject() {
        openRules();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        const QString project = fixture_->file("kept.partita", "");
        fixture_->window->document().saveProject(project);
        QVERIFY(fixture_->settle());
        fixture_->window->action("undo")->trigger();
        QVERIFY(settleEdit());
        QVERIFY(fixture_->open(project));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("ccompiler"));
        openRules();
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        QVERIFY(rules().modified());
    }

    void theLineOfTheCursorIsMarkedByItsNumber() {
        const Theme theme = make_theme(false, PaletteChoice::OkabeIto);
        DescriptionEdit edit;
        edit.setTheme(theme);
        edit.openText(QStringLiteral("{\n  \"name\": \"a\"\n}"));
        edit.resize(300, 200);
        edit.show();
        for (int line = 0; line < 3; ++line) {
            edit.setTextCursor(QTextCursor(edit.document()->findBlockByNumber(line)));
            QStringList marked;
            for (const PaintedWords& each : Painted(edit.margin()).words)
                if (each.colour == theme.text) marked << each.words;
            QCOMPARE(marked, QStringList(QString::number(line + 1)));
        }
    }

    /// With what stands around it.
    void aNewEntryStandsInTheMiddle() {
        DescriptionEdit edit;
        edit.openText(QStringLiteral("    \"op\": true,\n").repeated(200));
        edit.resize(300, 400);
        edit.show();
        edit.insertEntry({120, 5}, QStringLiteral("add"), QStringLiteral("true"));
        QCOMPARE(edit.textCursor().selectedText(), QStringLiteral("true"));
        QCOMPARE(edit.cursorLine(), 120);
        const int off = edit.cursorRect().center().y() - edit.viewport()->height() / 2;
        QVERIFY2(std::abs(off) < 2 * edit.fontMetrics().lineSpacing(), qPrintable(QString::number(off)));
    }

    void aNewBackendIsAskedFirst() {
        openRules();
        clickButton(rules(), "New");
        QVERIFY(settleEdit());
        QCOMPARE(rules().backends().currentText(), QStringLiteral("mine"));
        annotate();
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("mine"));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("subtract")), QStringLiteral("ccompiler"));
    }

    void undoInTheTextStaysWithTheDescription() {
        openRules();
        fixture_->window->document().setBackends(
            {std::make_shared<const BackendDescription>(*builtin_backend("conv1x1_engine"))});
        QVERIFY(settleEdit());
        const QString text = rules().edit().toPlainText();
        QVERIFY(text.contains("conv1x1_engine"));
        rules().edit().setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&rules().edit(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), text);
        QVERIFY(!rules().modified());
    }

    void aTextOpensWhereItWasLeft() {
        openRules();
        rules().edit().look({9, 1});
        const int other = rules().backends().count() - 1, own = rules().backends().currentIndex();
        QVERIFY(other != own);
        for (const int backend : {other, own}) {
            emit rules().backends().activated(backend);
            QVERIFY(fixture_->settle());
            QCOMPARE(rules().edit().cursorLine(), backend == own ? 9 : 1);
        }
        // What changes the description elsewhere is a step of the text's own undo, too.
        typeAfter("\"subtract\": true,", " \"abs\": true,");
        QVERIFY(settleEdit());
        stack().undo();
        QVERIFY(settleEdit());
        QVERIFY(!rules().edit().toPlainText().contains("\"abs\""));
        QVERIFY(rules().edit().document()->isUndoAvailable());
    }

    void aNameThatIsTakenIsAFault() {
        openRules();
        replace("\"name\": \"ccompiler\"", "\"name\": \"dnnl\"");
        QVERIFY(settleEdit());
        QCOMPARE(rules().faults().count(), 1);
        QVERIFY(rules().faults().item(0)->text().contains("there is a backend named dnnl already"));
        emit rules().faults().itemActivated(rules().faults().item(0));
        QCOMPARE(rules().edit().textCursor().position(), 0);
    }

    void playStopsAtTheBreakpointAndShowsTheTerms() {
        annotate();
        openRules();
        replace("\"add\": true", "\"add\": \"args[0].op == 'divide' || args[0].is_var\"");
        QVERIFY(settleEdit());
        // A click in the margin, beside the rule.
        QTreeWidget& list = rules().rules();
        int row = -1;
        for (int i = 0; i < list.topLevelItemCount(); ++i)
            if (list.topLevelItem(i)->text(0) == "add") row = i;
        QVERIFY(row >= 0);
        DescriptionEdit& edit = rules().edit();
        QTextCursor cursor = edit.document()->find("\"add\"");
        edit.setTextCursor(cursor);
        edit.ensureCursorVisible();
        const QPoint place(8, edit.viewport()->mapTo(&edit, edit.cursorRect().center()).y());
        QTest::mouseClick(edit.childAt(place), Qt::LeftButton, Qt::NoModifier,
                          QPoint(8, edit.childAt(place)->mapFrom(&edit, place).y()));
        QCOMPARE(steps().breakpoints().rules().size(), size_t(1));
        QVERIFY(steps().breakpoints().find(QStringLiteral("ccompiler"), QStringLiteral("ops.add")));
        QCOMPARE(list.topLevelItem(row)->checkState(0), Qt::Checked);
        QCOMPARE(list.topLevelItem(row)->text(1), QStringLiteral("2"));
        fixture_->picture("23-breakpoint");
        // Both calls of add are stopped at, and nothing else.
        fixture_->window->panels().show(&steps());
        for (QComboBox* combo : steps().findChildren<QComboBox*>())
            combo->setCurrentIndex(combo->count() - 1);  // refusals alone; very fast
        for (int stop = 0; stop < 2; ++stop) {
            steps().togglePlaying();
            QTRY_VERIFY_WITH_TIMEOUT(!steps().playing(), 10000);
            QVERIFY2(steps().terms().contains(stop == 0 ? "args[0].is_var" : "args[0].op == 'divide'"),
                     qPrintable(steps().terms()));
        }
        QVERIFY2(steps().terms().contains("args[0].op is 'divide'"), qPrintable(steps().terms()));
        fixture_->picture("24-stopped");
        // The next one without playing: the first of them again, from the start.
        for (QComboBox* combo : steps().findChildren<QComboBox*>()) combo->setCurrentIndex(0);
        QCOMPARE(steps().terms(), QString());
        fixture_->window->action("next-breakpoint")->trigger();
        QVERIFY2(steps().terms().contains("args[0].is_var"), qPrintable(steps().terms()));
        fixture_->window->action("next-breakpoint")->trigger();
        fixture_->window->action("next-breakpoint")->trigger();
        QVERIFY2(steps().sentence().contains("No rule with a breakpoint"), qPrintable(steps().sentence()));
        // Unticked in the list, it is gone.
        list.topLevelItem(row)->setCheckState(0, Qt::Unchecked);
        QVERIFY(steps().breakpoints().rules().empty());
        QVERIFY(steps().terms().isEmpty());
    }

    void aConditionSaysAtWhichCallsABreakpointStops() {
        annotate();
        fixture_->window->panels().show(&rules());
        DescriptionEdit& edit = rules().edit();
        edit.setTextCursor(edit.document()->find("\"add\""));
        edit.ensureCursorVisible();
        const auto stops = [this] {
            int count = 0;
            int before = -1;
            for (steps().stop(); count < 9; ++count, before = steps().currentRow()) {
                steps().jumpToBreakpoint();
                if (steps().currentRow() == before) break;
            }
            return count;
        };
        const auto answer = [&](const QString& condition) {
            const QPoint place = edit.cursorRect().center() + edit.viewport()->pos();
            QTest::mouseClick(&edit.margin(), Qt::RightButton, {}, QPoint(8, edit.margin().mapFrom(&edit, place).y()));
            auto* dialog = rules().findChild<AskDialog*>();
            dialog->findChild<QLineEdit*>()->clear();
            QTest::keyClicks(dialog->findChild<QLineEdit*>(), condition);
            QTest::keyClick(dialog, Qt::Key_Return);
            const QString fault = dialog->fault();
            dialog->close();
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return fault;
        };
        QTest::keyClick(&edit, Qt::Key_F9);
        QCOMPARE(stops(), 2);
        QCOMPARE(answer(QStringLiteral("args[0].is_var")), QString());
        fixture_->picture("25-breakpoint-with-a-condition");
        QCOMPARE(stops(), 1);
        QVERIFY2(steps().terms().contains("stop 1 of 1"), qPrintable(steps().terms()));
        QCOMPARE(answer(QStringLiteral("args[0].rank == 7")), QString());
        QCOMPARE(stops(), 0);
        QVERIFY(!answer(QStringLiteral("args[0].rnk == 7")).isEmpty());  // the last one stays
        QCOMPARE(stops(), 0);
        QCOMPARE(answer(QString()), QString());
        QCOMPARE(stops(), 2);
    }

    void theTermsOfAStepAreSaidInTheLanguageOfTheWindow() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/partita_de.qm")));
        QCoreApplication::installTranslator(&german);
        annotate();
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ops.add"), true);
        steps().jumpToBreakpoint();
        const QString terms = steps().terms();
        QCoreApplication::removeTranslator(&german);
        QVERIFY2(terms.contains(QStringLiteral("ohne Bedingung unterstützt")), qPrintable(terms));
    }

    void playStopsWhereAPatternLooksInVain() {
        annotate();
        openRules();
        replace("\"ops\": {",
                "\"patterns\": [{\"name\": \"ccompiler.p\", \"pattern\": \"add(tanh(*), *)\"}], \"ops\": {");
        QVERIFY(settleEdit());
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), true);
        fixture_->window->panels().show(&steps());
        for (QComboBox* combo : steps().findChildren<QComboBox*>()) combo->setCurrentIndex(combo->count() - 1);
        QString said;
        for (int stop = 0; stop < 2; ++stop) {
            steps().togglePlaying();
            QTRY_VERIFY_WITH_TIMEOUT(!steps().playing(), 10000);
            QVERIFY2(steps().sentence().contains("does not fit the pattern ccompiler.p: at "),
                     qPrintable(steps().sentence()));
            QVERIFY2(steps().terms().contains("' does not match: "), qPrintable(steps().terms()));
            QVERIFY(steps().sentence() != said);
            said = steps().sentence();
        }
        fixture_->picture("25-pattern-in-vain");
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), false);
        QVERIFY(steps().terms().isEmpty());
    }

    void aBreakpointThatNothingCanReachSaysWhy() {
        annotate();
        openRules();
        replace("\"ops\": {",
                "\"patterns\": [{\"name\": \"ccompiler.p\", \"pattern\": \"nn.bias_add(add(*, *), *)\"}], \"ops\": "
                "{\"tanh\": true, ");
        QVERIFY(settleEdit());
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), true);
        fixture_->window->panels().show(&steps());
        steps().jumpToStart();
        steps().jumpToBreakpoint();
        QVERIFY2(
            steps().sentence().contains("The root of ccompiler.p is nn.bias_add, and this graph has no nn.bias_add."),
            qPrintable(steps().sentence()));
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), false);
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ops.tanh"), true);
        steps().jumpToBreakpoint();
        QVERIFY2(steps().sentence().contains("This graph has no tanh."), qPrintable(steps().sentence()));
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ops.tanh"), false);
        // A pattern that may begin with what is no operator lacks none.
        replace("nn.bias_add(add(*, *), *)", "nn.bias_add(add(*, *), *) | (add(*, *), *)");
        QVERIFY(settleEdit());
        QCOMPARE(rules().faults().count(), 0);
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), true);
        steps().jumpToEnd();
        steps().jumpToBreakpoint();
        QCOMPARE(steps().sentence(), QStringLiteral("No rule with a breakpoint is asked after this step."));
        steps().breakpoints().set(QStringLiteral("ccompiler"), QStringLiteral("ccompiler.p"), false);
    }

    void thePanelsFitIntoASmallWindow() {
        annotate();
        for (QWidget* widget : fixture_->window->findChildren<QWidget*>())
            if (widget->minimumSizeHint().width() > 900 || widget->minimumWidth() > 900 ||
                (widget->layout() && widget->layout()->minimumSize().width() > 900))
                qInfo("%s %s: hint %d, minimum %d", widget->metaObject()->className(), qPrintable(widget->objectName()),
                      widget->minimumSizeHint().width(), widget->minimumWidth());
        for (QDockWidget* dock : fixture_->window->findChildren<QDockWidget*>())
            QVERIFY2(
                dock->widget()->minimumSizeHint().width() <= 900,
                qPrintable(
                    QStringLiteral("%1: %2").arg(dock->objectName()).arg(dock->widget()->minimumSizeHint().width())));
        for (QWidget* panel : std::initializer_list<QWidget*>{&rules(), &fixture_->window->panels().coverage(),
                                                              &steps(), &fixture_->window->panels().inspector()})
            QVERIFY2(panel->minimumSizeHint().width() <= 760, qPrintable(QStringLiteral("%1: %2")
                                                                             .arg(panel->metaObject()->className())
                                                                             .arg(panel->minimumSizeHint().width())));
    }

    void whyAPatternMatchesNowhereIsToldWhereTheGraphIsDivided() {
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        openRules();
        auto* list = rules().findChild<QTreeWidget*>();
        const auto tip = [this, list] {
            const QList<QTreeWidgetItem*> found =
                list->findItems(QStringLiteral("dnnl.conv2d_bias_relu"), Qt::MatchExactly);
            if (found.isEmpty()) return QString();
            list->scrollToItem(found[0]);
            const QRect row = list->visualItemRect(found[0]);
            move_pointer(rules(), QPoint(2, 2));  // in large type no other row may be in sight
            move_pointer(*list->viewport(), row.center());
            return found[0]->toolTip(0);
        };
        QVERIFY2(tip().startsWith(QStringLiteral("dnnl.conv2d_bias_relu, line ")), qPrintable(tip()));
        QVERIFY2(!tip().contains(QLatin1Char('\n')), qPrintable(tip()));
        annotate();
        QVERIFY2(tip().contains(QStringLiteral("nothing in this graph calls nn.relu")), qPrintable(tip()));
    }

    void theListOfRulesFollowsTheDocument() {
        openMine();
        rules().save();
        QCOMPARE(rules().summary(), QStringLiteral("Saved."));
        QVERIFY(!rules().rules().topLevelItem(0)->text(1).isEmpty() ||
                !rules().rules().topLevelItem(1)->text(1).isEmpty());
        QVERIFY(fixture_->open(fixture_->file(
            "other.relay", "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(10, 10), float32]) { nn.relu(%a) }\n")));
        QVERIFY(!fixture_->window->document().choice().annotate);
        QCOMPARE(rules().summary(), QString());
        for (int i = 0; i < rules().rules().topLevelItemCount(); ++i)
            for (int column : {1, 2}) QCOMPARE(rules().rules().topLevelItem(i)->text(column), QString());
    }

    void wordsAreFoundInTheText() {
        openRules();
        // The text in Python has a search of its own.
        const QWidget* page = rules().edit().parentWidget();
        QTest::keyClick(&rules().edit(), Qt::Key_F, Qt::ControlModifier);
        auto* words = page->findChild<QLineEdit*>("find-in-rules");
        QVERIFY(words && words->isVisible());
        QTRY_VERIFY(words->hasFocus());
        QTest::keyClicks(words, "ADD");
        const auto found = [page] { return page->findChild<QLabel*>("found-in-rules")->text(); };
        const int hits = int(rules().edit().toPlainText().count("add", Qt::CaseInsensitive));
        QVERIFY(hits >= 2);
        QCOMPARE(found(), QStringLiteral("1 of %1").arg(hits));
        QCOMPARE(rules().edit().textCursor().selectedText().toLower(), QStringLiteral("add"));
        const int first = rules().edit().textCursor().position();
        fixture_->picture("29-rules-find");
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(found(), QStringLiteral("2 of %1").arg(hits));
        QVERIFY(rules().edit().textCursor().position() > first);
        QTest::keyClick(words, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(words, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(found(), QStringLiteral("%1 of %1").arg(hits));
        QTest::keyClicks(words, "zz");
        QCOMPARE(found(), QStringLiteral("no hit"));
        QTest::keyClick(words, Qt::Key_Escape);
        QVERIFY(!words->isVisible());
        QVERIFY(rules().edit().hasFocus());
    }

    void theMarginSaysWhatItsCountsMean() {
        openRules();
        QVERIFY(settleEdit());
        QString tips;
        for (QWidget* margin : rules().edit().findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (margin->cursor().shape() != Qt::PointingHandCursor) continue;
            for (int y = 0; y < margin->height(); y += 5) {
                const QPoint at(margin->width() / 2, y);
                QHelpEvent help(QEvent::ToolTip, at, margin->mapToGlobal(at));
                QApplication::sendEvent(margin, &help);
                tips += QToolTip::text();
            }
        }
        QVERIFY(!tips.isEmpty());
        QToolTip::hideText();
    }

    void rulesAreColouredNamedAndCompleted() {
        openRules();
        DescriptionEdit& edit = rules().edit();
        const Theme& theme = fixture_->view().theme();
        // Keys, calls and constants each in a colour of their own.
        const auto colour_of = [&](const QString& word) {
            const QTextCursor found = edit.document()->find(word);
            const int at = found.selectionStart() - found.block().position();
            QColor colour;
            for (const QTextLayout::FormatRange& range : found.block().layout()->formats())
                if (range.start <= at && at < range.start + range.length) colour = range.format.foreground().color();
            return colour;
        };
        QSet<QRgb> colours{theme.text.rgb()};
        for (const char* word : {"\"name\"", "true"}) {
            colours << colour_of(word).rgb();
            QVERIFY2(contrast(colour_of(word), theme.base) > 4.5, word);
        }
        QCOMPARE(colours.size(), 3);
        // The list of rules: the names have the room, each tells where it stands.
        QTreeWidget& list = rules().rules();
        QVERIFY(list.topLevelItemCount() > 1);
        for (int i = 0; i < list.topLevelItemCount(); ++i) {
            static const QRegularExpression place(QStringLiteral("^(.+), line (\\d+)"));
            const QRegularExpressionMatch match = place.match(list.topLevelItem(i)->toolTip(0));
            QVERIFY2(match.hasMatch(), qPrintable(list.topLevelItem(i)->text(0)));
            const QString name = match.captured(1).mid(match.captured(1).startsWith("ops.") ? 4 : 0);
            QVERIFY2(edit.document()->findBlockByNumber(match.captured(2).toInt() - 1).text().contains(name),
                     qPrintable(match.captured(0)));
        }
        QCOMPARE(list.header()->length(), list.viewport()->width());
        for (int column : {1, 2}) QVERIFY(list.columnWidth(column) <= list.columnWidth(0));
        for (int column : {1, 2})
            QVERIFY2(list.columnWidth(column) < 2 * list.fontMetrics().horizontalAdvance("refuses 00"),
                     qPrintable(QString::number(list.columnWidth(column))));
        // What a completion means stands muted beside it.
        QTextCursor cursor = edit.document()->find("\"ops\": {");
        cursor.setPosition(cursor.selectionEnd());
        edit.setTextCursor(cursor);
        QTest::keyClicks(&edit, "\"nn.\"");
        QTest::keyClick(&edit, Qt::Key_Left);
        QTest::keyClick(&edit, Qt::Key_Space, Qt::ControlModifier);
        const QAbstractItemModel& offered = *edit.completer().popup()->model();
        QVERIFY(offered.rowCount() > 1);
        QCOMPARE(offered.index(1, 1).data(Qt::ForegroundRole).value<QBrush>().color(), theme.muted_text);
    }
};

PARTITA_TEST(TestRulesEditor)

}  // namespace test_rules_editor

#include "test_rules_editor.moc"
