// Coverage, what-ifs and causes in the window: what stayed on default, why, and what would change it.
#include <QAbstractItemView>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QStatusBar>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QTreeWidget>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "engine/support/file.h"
#include "tests/app/rules_editing.h"
#include "tests/engine/litert_writer.h"
#include "tests/registry.h"

namespace test_coverage_panel {

using namespace partita;

class TestCoveragePanel : public RulesEditing {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(fixture_->openOneDivide());
    }
    void cleanup() { fixture_.reset(); }

    void coverageShowsSharesAndAClickOnACauseSelectsItsCalls() {
        annotate();
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        CoveragePanel& panel = fixture_->window->panels().coverage();
        QCOMPARE(panel.shares().topLevelItemCount(), 3);
        QCOMPARE(panel.shares().topLevelItem(0)->text(1), QStringLiteral("4 (66.7\u00a0%)"));
        QVERIFY(panel.causes().topLevelItemCount() >= 1);
        QTreeWidgetItem* cause = panel.causes().topLevelItem(0);
        QCOMPARE(cause->text(0), QStringLiteral("no rule for divide"));
        QTest::mouseClick(panel.causes().viewport(), Qt::LeftButton, Qt::NoModifier,
                          panel.causes().visualItemRect(cause).center());
        const std::vector<ExprId>& selected = fixture_->window->document().selection();
        QCOMPARE(selected.size(), size_t(2));
        fixture_->picture("25-coverage");
        // Short titles have the room that they take.
        int titles = 0;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            if (!label->text().startsWith("<b>")) continue;
            QFont bold = label->font();
            bold.setBold(true);
            const QString title = QTextDocumentFragment::fromHtml(label->text()).toPlainText();
            const int wide = QFontMetrics(bold).horizontalAdvance(title);
            if (wide > 120) continue;
            QVERIFY2(label->minimumWidth() >= wide, qPrintable(title));
            ++titles;
        }
        QVERIFY(titles > 0);
    }

    /// Of a rule about the file's operators, the cause is that rule's, not one about the calls that they became.
    void rulesAboutTheFilesOperatorsGiveTheirOwnCauses() {
        using namespace litert_testing;
        Model model;
        const int x = model.tensor("x", UInt8, {4}), y = model.tensor("y", Int8, {4});
        for (int tensor : {x, y})
            model.set(tensor, 4,
                      Value::table({{2, Value::numbers(std::vector<float>{0.5F})},
                                    {3, Value::numbers(std::vector<int64_t>{0})}}));
        model.op(114, {x}, {y});
        const QString path = fixture_->file("one.tflite", {});
        QVERIFY(bool(write_file(path.toStdString(), model.file({x}, {y}))));
        QVERIFY(fixture_->open(path));
        fixture_->window->setBackends({QStringLiteral("tflite_xnnpack")});
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        const QTreeWidget& causes = fixture_->window->panels().coverage().causes();
        QCOMPARE(causes.topLevelItemCount(), 1);
        QVERIFY2(causes.topLevelItem(0)->text(0).startsWith("QUANTIZE: "), qPrintable(causes.topLevelItem(0)->text(0)));
    }

    void theCallsOfACauseAreListedOnceHoweverOftenItIsOpened() {
        QVERIFY(fixture_->open(fixture_->file("one.relay",
                                              "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n"
                                              "  add(erf(divide(%x, %x)), divide(%x, %x))\n}\n")));
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        QTreeWidget& causes = fixture_->window->panels().coverage().causes();
        bool any_of_one_call = false;
        for (int i = 0; i < causes.topLevelItemCount(); ++i) {
            QTreeWidgetItem* cause = causes.topLevelItem(i);
            cause->setExpanded(true);
            const int calls = cause->childCount();
            any_of_one_call |= calls == 1;
            cause->setExpanded(false);
            cause->setExpanded(true);
            QCOMPARE(cause->childCount(), calls);
        }
        QVERIFY(any_of_one_call);
    }

    void aPartitionSaysWhatStayedOnDefaultAndWhy() {
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        const QString told = fixture_->window->statusBar()->currentMessage();
        QVERIFY2(told.contains("2 of 6 calls stayed on default: no rule for divide (2)"), qPrintable(told));
    }

    void whatIsGivenAgainstTheRulesIsExplainedWithoutContradiction() {
        annotate();
        fixture_->click(fixture_->nodeOf("divide"));
        fixture_->window->action("backend-1")->trigger();
        QVERIFY(fixture_->settle());
        const QString text = fixture_->window->panels().inspector().text().toPlainText();
        QVERIFY2(text.contains("It goes to ccompiler: you said so."), qPrintable(text));
        QVERIFY2(text.contains("By its rules it would not go to ccompiler: no rule for divide."), qPrintable(text));
        QVERIFY2(!text.contains("It goes to ccompiler: no rule"), qPrintable(text));
    }

    void aMatchGivenElsewhereIsExplainedWithoutContradiction() {
        fixture_->window->setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("match.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32], %b: Tensor[(4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = add(%0, %b);
  nn.relu(%1)
}
)")));
        annotate();
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->window->action("backend-2")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("nn.conv2d"));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("nn.conv2d")), QStringLiteral("ccompiler"));
        const QString text = fixture_->window->panels().inspector().text().toPlainText();
        QVERIFY2(text.contains("It does not go to dnnl: the whole match of dnnl.conv2d_bias_relu went elsewhere."),
                 qPrintable(text));
        // A pattern took it before ccompiler was asked: nothing is said of ccompiler's rules.
        QVERIFY2(!text.contains("By its rules") && !text.contains("before ccompiler"), qPrintable(text));
    }

    void rulesThatWereNotAskedAreNoCauses() {
        fixture_->click(fixture_->nodeOf("multiply"));
        fixture_->window->action("backend-1")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        CoveragePanel& panel = fixture_->window->panels().coverage();
        QCOMPARE(panel.shares().topLevelItemCount(), 3);
        QCOMPARE(panel.causes().topLevelItemCount(), 0);
        QCOMPARE(panel.whatIfs().topLevelItemCount(), 0);
        const auto says = [&panel](const QString& words) {
            for (const QLabel* label : panel.findChildren<QLabel*>())
                if (label->text() == words) return true;
            return false;
        };
        QVERIFY(says(QStringLiteral("rules were not asked")));
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/three-branches.relay")));
        QVERIFY(fixture_->settle());
        QVERIFY(panel.causes().topLevelItemCount() > 0);
        QVERIFY(panel.causes().topLevelItem(0)->text(0).endsWith(QStringLiteral(": not annotated in the file")));
        QVERIFY(!panel.whatIfs().isVisible());
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->statusBar()->currentMessage().startsWith(
            QStringLiteral("3 of 7 calls stayed on default: ")));
    }

    void aWhatIfIsTriedByOneClickAndUndone() {
        annotate();
        fixture_->window->action("merge")->trigger();
        QVERIFY(fixture_->settle());
        const size_t before = fixture_->window->document().flow()->regions.size();
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        QTreeWidget& list = fixture_->window->panels().coverage().whatIfs();
        QVERIFY(list.topLevelItemCount() >= 1);
        const QString foretold = list.topLevelItem(0)->text(5);
        QTest::mouseClick(list.itemWidget(list.topLevelItem(0), 7), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        const size_t after = fixture_->window->document().flow()->regions.size();
        QCOMPARE(foretold, QStringLiteral("%1 → %2").arg(before).arg(after));
        QVERIFY(after < before);
        QVERIFY2(stack().undoText().startsWith("try on"), qPrintable(stack().undoText()));
        stack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().flow()->regions.size(), before);
    }

    void aClickOnAHeadSortsByItsFigures() {
        annotate();
        openRules();
        replace("\"add\": true", "\"add\": \"args[0].rank == 9\"");
        QVERIFY(settleEdit());
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        QTreeWidget& list = fixture_->window->panels().coverage().whatIfs();
        QVERIFY(list.topLevelItemCount() >= 3);
        const auto click_head = [&list](int column) {
            const QHeaderView& head = *list.header();
            QTest::mouseClick(head.viewport(), Qt::LeftButton, {},
                              {head.sectionViewportPosition(column) + head.sectionSize(column) / 2, head.height() / 2});
        };
        const auto gained = [&list](int row) { return list.topLevelItem(row)->text(3).toInt(); };
        const auto names = [&list] {
            QStringList all;
            for (int row = 0; row < list.topLevelItemCount(); ++row) all << list.topLevelItem(row)->text(0);
            return all;
        };
        const QStringList as_they_came = names();
        click_head(3);
        for (int row = 1; row < list.topLevelItemCount(); ++row) QVERIFY(gained(row - 1) >= gained(row));
        click_head(3);
        for (int row = 1; row < list.topLevelItemCount(); ++row) QVERIFY(gained(row - 1) <= gained(row));
        // Once more, and no column counts any more.
        click_head(3);
        QCOMPARE(list.header()->sortIndicatorSection(), -1);
        QCOMPARE(names(), as_they_came);
        // The button of a row is still its own.
        const QString regions = list.topLevelItem(0)->text(5).section(QStringLiteral(" → "), 1);
        QTest::mouseClick(list.itemWidget(list.topLevelItem(0), 7), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QCOMPARE(QString::number(fixture_->window->document().flow()->regions.size()), regions);
    }

    /// Two backends may lack the same rule, and the column of their names is not always there.
    void aWhatIfNamesItsBackendWhereThereAreSeveral() {
        annotate();
        fixture_->window->action("merge")->trigger();
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        const QTreeWidget& list = fixture_->window->panels().coverage().whatIfs();
        QStringList texts;
        for (int i = 0; i < list.topLevelItemCount(); ++i) texts << list.topLevelItem(i)->text(0);
        QVERIFY2(texts.contains("ccompiler: no rule for divide") && texts.contains("dnnl: no rule for divide"),
                 qPrintable(texts.join('|')));
        QCOMPARE(texts.removeDuplicates(), 0);
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->settle());
        QCOMPARE(list.topLevelItem(0)->text(0), QStringLiteral("no rule for divide"));
        // What gains nothing needs no button.
        QVERIFY(fixture_->window->panels().coverage().bestButton().isEnabled());
        QVERIFY(fixture_->open(fixture_->file(
            "add.relay", "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(2), float32]) { add(%a, %a) }\n")));
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        annotate();
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->window->panels().coverage().bestButton().isEnabled());
    }

    void theBestChangesAreTriedTogether() {
        annotate();
        fixture_->window->action("merge")->trigger();
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        CoveragePanel& panel = fixture_->window->panels().coverage();
        QTest::mouseClick(&panel.bestButton(), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QTreeWidget& list = panel.whatIfs();
        QVERIFY(list.topLevelItemCount() >= 1);
        QVERIFY(list.topLevelItem(0)->text(0).startsWith(QStringLiteral("1. ")));
        QTreeWidgetItem* last = list.topLevelItem(list.topLevelItemCount() - 1);
        const QString foretold = last->text(5).section(QStringLiteral(" → "), 1);
        const size_t before = fixture_->window->document().flow()->regions.size();
        QTest::mouseClick(list.itemWidget(last, 7), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QCOMPARE(QString::number(fixture_->window->document().flow()->regions.size()), foretold);
        QVERIFY(foretold.toUInt() < before);
        // The rules say so now, and one step of undo takes it back.
        QVERIFY(fixture_->window->document().choice().backends[0]->source != builtin_backend_source("ccompiler"));
        stack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().flow()->regions.size(), before);
        QTest::mouseClick(&panel.bestButton(), Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QVERIFY(!list.topLevelItem(0)->text(0).startsWith(QStringLiteral("1. ")));
    }

    void aRuleThatALimitUndoesTakesNothing() {
        annotate();
        openRules();
        replace("\"codegen\"", "\"limits\": {\"min_ops\": 100}, \"codegen\"");
        QVERIFY(settleEdit());
        QTreeWidget& rules = fixture_->window->panels().rules().rules();
        int undone = 0;
        for (int i = 0; i < rules.topLevelItemCount(); ++i)
            undone += rules.topLevelItem(i)->text(1).startsWith(QStringLiteral("0 of "));
        QVERIFY(undone > 0);
    }

    void matchesOfAPatternAreCountedForTheFirstBackendToo() {
        for (const QStringList& backends : {QStringList{"dnnl"}, QStringList{"ccompiler", "dnnl"}}) {
            fixture_->window->setBackends(backends);
            QVERIFY(fixture_->open(fixture_->file(QStringLiteral("composite.relay"), R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32]) {
  nn.relu(nn.conv2d(%data, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]))
}
)")));
            annotate();
            const RuleCountsPtr counts = fixture_->window->document().ruleCounts();
            const auto pattern = std::find_if(counts->begin(), counts->end(), [](const auto& entry) {
                return entry.first.second == "dnnl.conv2d_relu";
            });
            QVERIFY(pattern != counts->end());
            QCOMPARE(pattern->second.accepted, decltype(pattern->second.accepted)(1));
            QCOMPARE(pattern->second.takes, decltype(pattern->second.takes)(1));
        }
    }

    void aPatternThatBeginsNowhereSaysWhyUnderThePointer() {
        annotate();
        openRules();
        replace("\"codegen\"",
                "\"patterns\": [{\"name\": \"ccompiler.p\", \"pattern\": \"nn.relu(divide(*, *))\"}], \"codegen\"");
        QVERIFY(settleEdit());
        QTreeWidget& list = fixture_->window->panels().rules().rules();
        QTreeWidgetItem* item = list.topLevelItem(list.topLevelItemCount() - 1);
        QCOMPARE(item->text(0), QStringLiteral("ccompiler.p"));
        list.scrollToItem(item);
        move_pointer(*list.viewport(), list.visualItemRect(item).center());
        QVERIFY2(item->toolTip(0).contains(
                     "nothing in this graph calls nn.relu; after divide it expects nn.relu, there is "),
                 qPrintable(item->toolTip(0)));
    }

    void aClickOnATermSelectsWhatItNames() {
        annotate();
        openRules();
        replace("\"subtract\": true", "\"subtract\": \"args[0].op == 'tanh'\"");
        QVERIFY(settleEdit());
        fixture_->click(fixture_->nodeOf("subtract"));
        QVERIFY(fixture_->settle());
        QTextBrowser& text = fixture_->window->panels().inspector().text();
        QVERIFY2(text.toPlainText().contains("args[0].op is 'add'"), qPrintable(text.toPlainText()));
        fixture_->picture("26-why-term");
        clickLink(text, "args[0].op", 1);
        const std::vector<ExprId>& selected = fixture_->window->document().selection();
        QCOMPARE(selected.size(), size_t(1));
        QCOMPARE(fixture_->window->document().names().name(selected[0]).substr(0, 3), std::string("add"));
    }

    // add is before and after the divide, which is elsewhere: together they would depend on themselves.
    void thePathThatForbidsAMergeIsListedAndShown() {
        const char* diamond =
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 4), float32]) {\n  %0 = add(%x, %x);\n"
            "  %1 = exp(%0);\n  multiply(%0, %1)\n}\n";
        QVERIFY(fixture_->open(fixture_->file("diamond.relay", diamond)));
        annotate();
        fixture_->window->action("merge")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("multiply"));
        QVERIFY(fixture_->settle());
        QTextBrowser& text = fixture_->window->panels().inspector().text();
        QVERIFY2(text.toPlainText().contains("together they would depend on themselves"),
                 qPrintable(text.toPlainText()));
        QVERIFY2(text.toPlainText().contains("add #1 → exp #2 → multiply #3"), qPrintable(text.toPlainText()));
        clickLink(text, "show the path");
        fixture_->picture("27-why-path");
        const std::vector<uint8_t>& marks = fixture_->view().highlighted();
        QCOMPARE(int(marks[size_t(fixture_->nodeOf("exp"))]), 1);
        QCOMPARE(int(marks[size_t(fixture_->nodeOf("add"))]), 2);
        QCOMPARE(int(marks[size_t(fixture_->nodeOf("multiply"))]), 2);
        fixture_->click(fixture_->nodeOf("exp"));
        QVERIFY(fixture_->view().highlighted().empty());
    }

    void modelsAreExplainedInTheWindow_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mobilenet_v1_int8.input", "resnet18.simplified", "squeezenet.simplified"})
            QTest::newRow(name) << name;
    }
    void modelsAreExplainedInTheWindow() {
        QFETCH(QString, name);
        const QString path = reference_file("relay-models/" + name + ".relay");
        if (path.isEmpty()) QSKIP("the reference data is not here");
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        QVERIFY(fixture_->open(path));
        annotate();
        fixture_->window->action("merge")->trigger();
        QVERIFY(fixture_->settle());
        Document& document = fixture_->window->document();
        const ModulePtr module = document.shownModule();
        int asked = 0;
        for (uint32_t i = 0; i < module->size(); ++i) {
            if (!module->called_op(ExprId(i)).valid() || document.flow()->region_of[i] < 0) continue;
            document.setSelection({ExprId(i)});
            QCoreApplication::processEvents();
            const QString text = fixture_->window->panels().inspector().text().toPlainText();
            QVERIFY2(text.contains("goes to dnnl") || text.contains("go to dnnl"), qPrintable(text));
            if (++asked == 40) break;
        }
        QVERIFY(asked > 5);
        fixture_->window->action("coverage")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->picture("28-coverage-" + name.section('.', 0, 0));
    }
};

PARTITA_TEST(TestCoveragePanel)

}  // namespace test_coverage_panel

#include "test_coverage_panel.moc"
