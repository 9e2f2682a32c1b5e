// Reports of other programs in the window: dropped or chosen, they are the model's division and its last run.
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeWidget>

#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/numbers/numbers_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/timing/timing_history.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "engine/flow/reported_division.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_reports_in_window {

using namespace partita;

namespace {

QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }

/// Four nodes one behind the other.
QByteArray chain() {
    QByteArray nodes;
    const char* const ops[] = {"Conv", "Relu", "Softplus", "Conv"};
    for (int i = 0; i < 4; ++i)
        nodes += QByteArray(i ? ", " : "") + "{'name': 'n" + QByteArray::number(i) + "', 'op': '" + ops[i] +
                 "', 'inputs': ['" + (i ? "v" + QByteArray::number(i - 1) : QByteArray("x")) + "'], 'outputs': ['v" +
                 QByteArray::number(i) + "']}";
    return quoted("{'format': 'partita-graph', 'version': 1, 'inputs': ['x'], 'outputs': ['v3'], 'nodes': [" + nodes +
                  "], 'values': {'x': {'dtype': 'float32', 'shape': [1, 8]}}}");
}

QByteArray row(const char* name, const char* op, int index, int begin, int time, const char* provider) {
    return quoted("{'cat' : 'Node','pid' :7,'tid' :9,'dur' :" + QByteArray::number(time) +
                  ",'ts' :" + QByteArray::number(begin) + ",'ph' : 'X','name' :'" + name +
                  "_kernel_time','args' : {'node_index' : '" + QByteArray::number(index) + "','provider' : '" +
                  provider + "','op_name' : '" + op + "'}},\n");
}

QByteArray profile() {
    return "[\n" +
           quoted(
               "{'cat' : 'Session','pid' :7,'tid' :9,'dur' :5,'ts' :1,'ph' : 'X','name' :'model_run','args' : {}},\n") +
           row("n0", "Conv", 0, 10, 700, "NpuExecutionProvider") +
           row("n1", "Relu", 1, 800, 100, "NpuExecutionProvider") +
           row("n2", "Softplus", 2, 1000, 100, "CPUExecutionProvider") +
           row("n3", "Conv", 3, 1200, 50, "NpuExecutionProvider") +
           row("Gelu_token_7", "Gelu", 90, 1300, 50, "CPUExecutionProvider") + "{}]\n";
}

QByteArray log() {
    const QByteArray placed =
        "2026-11-28 22:24:25.003 [V:onnxruntime:, session_state.cc:1385 "
        "VerifyEachNodeIsAssignedToAnEp] ";
    return "2026-11-28 22:24:25.002 [V:onnxruntime:, helper.cc:216 GetSupportedNodes] Operator type: [Softplus] index: "
           "[2] name: [n2] supported: [0]\n" +
           placed + " Node(s) placed on [NpuExecutionProvider]. Number of nodes: 3\n" + placed + "  Conv (n0)\n" +
           placed + "  Relu (n1)\n" + placed + "  Conv (n3)\n" + placed +
           " Node(s) placed on [CPUExecutionProvider]. Number of nodes: 1\n" + placed + "  Softplus (n2)\n";
}

}  // namespace

class TestReportsInWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void numbersOfAFileAreATableAndHeat() {
        QVERIFY(fixture_->open(fixture_->file("chain.json", chain())));
        MainWindow& window = *fixture_->window;
        NumbersPanel& numbers = window.panels().numbers();
        window.opening().openFiles(
            {fixture_->file("times.csv", "name,before,after\nn0,10,12\nn1,100,40\nelsewhere,7,7\n")});
        QVERIFY(fixture_->settle());
        QVERIFY(numbers.isVisible());
        QCOMPARE(numbers.table().columnCount(), 4);  // two columns have a difference
        QCOMPARE(numbers.table().topLevelItemCount(), 2);
        QCOMPARE(numbers.table().topLevelItem(0)->text(0), QStringLiteral("n0"));  // 2 more, n1 60 less
        QCOMPARE(numbers.table().topLevelItem(1)->text(3), QStringLiteral("-60"));
        QVERIFY(window.pages().showsHeatOfNumbers());
        QVERIFY(!window.action("heat")->isChecked());  // that is of times
        numbers.table().setCurrentItem(numbers.table().topLevelItem(1));
        QCOMPARE(document().selection(), document().names().select("name:n1"));
        numbers.heatSwitch().click();
        QVERIFY(!window.pages().showsHeatOfNumbers());

        window.setBackends(
            {fixture_->file("npu.json", quoted("{'name': 'npu', 'ops': {'Conv': true, 'Relu': true}}"))});
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        numbers.grouping().setCurrentIndex(1);
        QCOMPARE(numbers.table().topLevelItemCount(), 1);  // the other regions have no numbers
        QCOMPARE(numbers.table().topLevelItem(0)->text(1), QStringLiteral("110"));

        window.opening().openFiles({fixture_->file("bad.csv", "name,time\nn0,fast\n")});
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->takeMessage().contains("bad.csv:2"));
        QCOMPARE(numbers.table().topLevelItemCount(), 1);
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(numbers.table().topLevelItemCount(), 0);
    }

    void aDroppedProfileIsTheDivisionAndTheLastRun() {
        QVERIFY(fixture_->open(model()));
        const std::vector<BackendPtr> before = document().choice().backends;
        drop("profile.json", profile());
        QCOMPARE(backendsByNode(), (QStringList{"NpuExecutionProvider", "NpuExecutionProvider", "CPUExecutionProvider",
                                                "NpuExecutionProvider"}));
        QVERIFY(document().runOutcome());
        QCOMPARE(document().runOutcome()->report.time.median, 0.95);
        QVERIFY(fixture_->window->panels().timing().isVisible());
        QVERIFY(fixture_->window->pages().showsHeat());
        QCOMPARE(document().runOutcome()->heat[expressionOf("n0").value], 1.0f);
        const QString summary =
            fixture_->window->panels().timing().findChild<QLabel*>(QStringLiteral("timing-summary"))->text();
        QVERIFY2(summary.contains("mean of 1 run of ONNX Runtime") && !summary.contains("thread"), qPrintable(summary));
        fixture_->picture("90-report");
        Settings dark = fixture_->window->settings();
        dark.theme = ThemeChoice::Dark;
        fixture_->window->applySettings(dark, false);
        QVERIFY(fixture_->settle());
        fixture_->picture("92-report-dark");
        QVERIFY(document().undoStack().undoText().startsWith("divide as ONNX Runtime did"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(document().choice().backends == before);
        QVERIFY(!document().choice().reported);
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(backendsByNode()[0], QString("NpuExecutionProvider"));
    }

    /// The second made one of the first two operators.
    void twoProfilesAreHeldAgainstEachOther() {
        QVERIFY(fixture_->open(fixture_->file("chain.json", chain())));
        drop("first.json", profile());
        QByteArray fused = profile();
        fused.replace(row("n0", "Conv", 0, 10, 700, "NpuExecutionProvider"),
                      row("n0", "FusedConv", 77, 10, 600, "NpuExecutionProvider"));
        fused.replace(row("n1", "Relu", 1, 800, 100, "NpuExecutionProvider"), "");
        drop("second.json", fused);
        TimingHistory& history = *fixture_->window->panels().timing().findChild<TimingHistory*>();
        QVERIFY(fixture_->settle());
        QCOMPARE(history.runs().size(), size_t(2));
        const RunDifferenceModel& model = history.model();
        int row = -1;
        for (int i = 0; i < model.rowCount(); ++i)
            if (!model.index(i, 0).data(RunDifferenceModel::CallsRole).value<std::vector<uint32_t>>().empty()) {
                row = i;
                break;
            }
        QVERIFY(row > 0);
        QVERIFY2(model.index(row, 0).data().toString().contains("1 other"),
                 qPrintable(model.index(row, 0).data().toString()));
        QCOMPARE((*model.rows())[size_t(row)].difference.a.median, 0.8);
        QCOMPARE((*model.rows())[size_t(row)].difference.b.median, 0.6);
        history.table().setCurrentIndex(model.index(row, 0));
        QCOMPARE(document().selection(), (std::vector<ExprId>{document().names().select("name:n0").front(),
                                                              document().names().select("name:n1").front()}));
    }

    void theReasonStandsInWhy() {
        QVERIFY(fixture_->open(model()));
        drop("verbose.log", log());
        document().setSelection({expressionOf("n2")});
        QVERIFY(fixture_->settle());
        const QString why = fixture_->window->panels().inspector().text().toPlainText();
        QVERIFY2(why.contains("ONNX Runtime put it there and says: supported: [0]"), qPrintable(why));
        fixture_->picture("91-report-why");
    }

    /// The rules say the same as the log, and decide in its place until that is undone.
    void rulesAreMadeOfWhatALogSays() {
        QVERIFY(fixture_->open(model()));
        drop("verbose.log", log());
        const QStringList as_reported = backendsByNode();
        document().setSelection({expressionOf("n0")});
        fixture_->window->action("propose-rules")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(!document().choice().reported);
        QVERIFY(document().choice().backends.front()->has_rules());
        QCOMPARE(backendsByNode().mid(0, 2), as_reported.mid(0, 2));
        QVERIFY(backendsByNode()[2] != as_reported[0]);
        QVERIFY(fixture_->window->panels().rules().isVisible());
        fixture_->picture("92-rules-of-a-log");
        document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QVERIFY(document().choice().reported);
        QCOMPARE(backendsByNode(), as_reported);
    }

    void rulesAreMadeOfWhatWasGivenByHand() {
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(!fixture_->window->action("propose-rules")->isEnabled());
        std::vector<ExprId> divisions;
        for (ExprId call : document().names().calls())
            if (document().names().name(call).starts_with("divide")) divisions.push_back(call);
        QVERIFY(!divisions.empty());
        document().giveToBackend(divisions, 0);
        QVERIFY(fixture_->settle());
        fixture_->window->action("propose-rules")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(document().choice().overrides->empty());
        const BackendDescription& made = *document().choice().backends.front();
        QCOMPARE(made.ops.size(), size_t(1));
        QVERIFY(made.ops.contains("divide"));
        QCOMPARE(made.codegen, std::string("ccompiler"));
        for (ExprId call : divisions) QCOMPARE(document().backendOf(call), 0);
    }

    /// Two alike operators, one of them given away: no rule says so.
    void whatNoRuleTellsApartIsNamed() {
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->open(fixture_->file(
            "two.relay", "def @main(%x: Tensor[(2), float32]) {\n  %0 = exp(%x);\n  %1 = exp(%0);\n  exp(%1)\n}\n")));
        document().giveToBackend({document().names().calls()[1]}, 0);
        QVERIFY(fixture_->settle());
        fixture_->window->action("propose-rules")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY2(
            problems().contains("1 operator can't be told from others that were not taken, and stays away: exp #2"),
            qPrintable(problems()));
    }

    void whatWasNotMatchedIsToldWithItsShare() {
        QVERIFY(fixture_->open(model()));
        drop("profile.json", profile());
        const QString told = problems();
        QVERIFY2(told.contains("4 of 5 rows are of operators here, 95 % of their time"), qPrintable(told));
        QVERIFY2(told.contains("rows of no operator here: 1, 5 % of their time"), qPrintable(told));
        QVERIFY2(told.contains("no operator here: Gelu Gelu_token_7"), qPrintable(told));
        drop("profile.json", profile());
        QCOMPARE(problems(), told);  // the same file again tells the same once
    }

    void aReportOfAnotherModelIsRefusedWithTheReason() {
        QVERIFY(fixture_->open(model()));
        drop("other.json",
             "[\n" + row("conv1", "Conv", 40, 1, 5, "Npu") + row("conv2", "Conv", 41, 9, 5, "Npu") + "{}]\n");
        const QString told = fixture_->takeMessage();
        QVERIFY2(told.contains("other.json") && told.contains("it is of another model"), qPrintable(told));
        QCOMPARE(document().undoStack().count(), 0);
        QVERIFY(!document().runOutcome());
    }

    void withoutAModelItSaysWhatToDo() {
        drop("profile.json", profile());
        QVERIFY(fixture_->takeMessage().contains("Open the model, then drop the file on it"));
        QVERIFY(!document().isOpen());
    }

    void aModelAndItsReportMayBeDroppedTogether() {
        QVERIFY(fixture_->drop({fixture_->file("profile.json", profile()), model()}));
        QVERIFY(fixture_->settle());
        QCOMPARE(document().title(), QString("model.json"));
        QCOMPARE(backendsByNode()[0], QString("NpuExecutionProvider"));
    }

    /// Names are anybody's choice.
    void aModelThatNamesARuntimeIsAModel() {
        const QByteArray relay =
            "#[version = \"0.0.5\"]\n/* of :onnxruntime: */\n"
            "def @main(%x: Tensor[(2), float32]) { exp(%x) }\n";
        QVERIFY(fixture_->open(fixture_->file("made.txt", relay)));
        QVERIFY(fixture_->open(fixture_->file("cat.json", chain().replace("Relu", "cat").replace("n1", "QNN EP"))));
        QCOMPARE(fixture_->takeMessage(), QString());
    }

    void theMenuAsksForAFile() {
        QVERIFY(fixture_->open(model()));
        const QString file = fixture_->file("profile.json", profile());
        QTimer::singleShot(0, this, [&file] {
            auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(files);
            files->findChild<QLineEdit*>()->setText(file);
            QTest::keyClick(files->findChild<QLineEdit*>(), Qt::Key_Return);
        });
        fixture_->window->action("reports")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(backendsByNode()[0], QString("NpuExecutionProvider"));
    }

    void aProjectKeepsIt() {
        QVERIFY(fixture_->open(model()));
        drop("profile.json", profile());
        const QString project = fixture_->file("kept.partita", {});
        document().saveProject(project);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->open(fixture_->file("one-divide.relay", kOneDivide)));
        QCOMPARE(document().backendName(0), QString("ccompiler"));  // a report's are not for what is opened next
        QVERIFY(fixture_->open(project));
        QCOMPARE(backendsByNode()[0], QString("NpuExecutionProvider"));
        QCOMPARE(backendsByNode()[2], QString("CPUExecutionProvider"));
        QFile::remove(QFileInfo(project).path() + "/profile.json");
        QVERIFY(fixture_->open(project));
        QVERIFY2(problems().contains("the division that it told is left out"), qPrintable(problems()));
    }

    /// What if the provider took it, too? The rest stays as reported.
    void whatAPersonGivesGoesThere() {
        QVERIFY(fixture_->open(model()));
        drop("profile.json", profile());
        QCOMPARE(document().flow()->regions.size(), size_t(3));
        document().giveToBackend({expressionOf("n2")}, 0);
        QVERIFY(fixture_->settle());
        QCOMPARE(backendsByNode(), (QStringList{"NpuExecutionProvider", "NpuExecutionProvider", "NpuExecutionProvider",
                                                "NpuExecutionProvider"}));
        QCOMPARE(document().flow()->regions.size(), size_t(1));
        document().giveToBackend({expressionOf("n1")}, 1);
        QVERIFY(fixture_->settle());
        QCOMPARE(backendsByNode()[1], QString("CPUExecutionProvider"));
        QCOMPARE(document().flow()->regions.size(), size_t(3));
    }

    void otherBackendsEndIt() {
        QVERIFY(fixture_->open(model()));
        drop("profile.json", profile());
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->settle());
        QVERIFY(!document().choice().reported);
        QCOMPARE(backendsByNode()[0], QString("default"));
    }

private:
    Document& document() { return fixture_->window->document(); }
    QString model() { return fixture_->file("model.json", chain()); }
    void drop(const QString& name, const QByteArray& text) {
        QVERIFY(fixture_->drop({fixture_->file(name, text)}));
        QVERIFY(fixture_->settle());
    }
    ExprId expressionOf(const std::string& label) {
        const ModulePtr module = document().shownModule();
        for (uint32_t i = 0; i < module->size(); ++i)
            if (module->kind(ExprId(i)) == ExprKind::Call && module->label(ExprId(i)) == label) return ExprId(i);
        return {};
    }
    QStringList backendsByNode() {
        QStringList names;
        for (const char* label : {"n0", "n1", "n2", "n3"})
            names << document().backendName(document().backendOf(expressionOf(label)));
        return names;
    }
    QString problems() {
        QString text;
        for (const Problem& problem : document().problems()) text += problem.text + "\n";
        return text;
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestReportsInWindow)

}  // namespace test_reports_in_window

#include "test_reports_in_window.moc"
