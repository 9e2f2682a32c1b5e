// What a person who debugs a division looks at: the code of a region, the memory of a run over its steps, and where an
// operator came from and what became of it.
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeWidget>

#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/steps/step_bar.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_memory_view.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_debugging {

using namespace partita;

class TestDebugging : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> fixture_;
    MainWindow& window() { return *fixture_->window; }
    Document& document() { return window().document(); }

    void trigger(const char* command) {
        window().action(QLatin1String(command))->trigger();
        QVERIFY(fixture_->settle());
    }
    QString codeTitle() { return window().panels().code().title().text(); }
    QString lineAt(int line) { return window().panels().code().text().document()->findBlockByNumber(line).text(); }
    /// As PARTITA_PICTURES says, for a person to look at.
    void picture(const char* name) {
        const QByteArray folder = qgetenv("PARTITA_PICTURES");
        if (folder.isEmpty()) return;
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            Settings settings = window().settings();
            settings.theme = theme;
            window().applySettings(settings, false);
            QVERIFY(fixture_->settle());
            const QString suffix = theme == ThemeChoice::Dark ? QStringLiteral("-dark.png") : QStringLiteral(".png");
            window().grab().save(QString::fromLocal8Bit(folder) + QLatin1Char('/') + QLatin1String(name) + suffix);
        }
    }

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        fixture_->window->resize(1280, 800);
    }
    void cleanup() { fixture_.reset(); }

    void theCodeOfARegionFollowsTheSelection() {
        QVERIFY(fixture_->openOneDivide());
        trigger("region-code");
        QVERIFY2(codeTitle().contains(QStringLiteral("F8")), qPrintable(codeTitle()));
        trigger("whole-flow");
        QVERIFY(codeTitle().startsWith(QStringLiteral("Select")));
        fixture_->click(fixture_->nodeOf(QStringLiteral("subtract")));
        QVERIFY(fixture_->settle());
        QPlainTextEdit& text = window().panels().code().text();
        QVERIFY2(codeTitle().contains(QStringLiteral("ccompiler")), qPrintable(codeTitle()));
        QVERIFY(text.toPlainText().contains(QStringLiteral("int32_t partita_region(")));
        QVERIFY(text.isReadOnly());
        // The selected operator's line is marked, and a line's operator is selected.
        const QList<QTextEdit::ExtraSelection> marks = text.extraSelections();
        QCOMPARE(marks.size(), 1);
        const QString marked = marks[0].cursor.block().text();
        QVERIFY2(marked.contains(QLatin1String(" - ")), qPrintable(marked));
        picture("code");
        const std::vector<ExprId> before = document().selection();
        text.setFocus();
        QTextCursor line(text.document()->findBlockByNumber(marks[0].cursor.blockNumber() - 1));
        text.setTextCursor(line);
        QVERIFY(document().selection() != before);
        QCOMPARE(window().panels().code().text().extraSelections().size(), 1);
        auto* copy = window().panels().code().findChild<QToolButton*>();
        QVERIFY(copy->isVisible());
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), text.toPlainText());
        // Partitioning is taken back, and done again.
        const QString code = text.toPlainText();
        trigger("undo");
        QVERIFY2(codeTitle().contains(QStringLiteral("F8")), qPrintable(codeTitle()));
        QVERIFY(!text.isVisible());
        trigger("redo");
        QTRY_VERIFY(text.isVisible());
        QCOMPARE(text.toPlainText(), code);
    }

    void theChoicesOfANarrowBarBeginBelowItsButtons() {
        StepBar bar;
        bar.setTheme(make_theme(false, PaletteChoice::OkabeIto));
        bar.resize(260, 90);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        const auto* choice = bar.findChild<QComboBox*>();
        const auto* button = bar.findChild<QToolButton*>();
        QVERIFY(choice->y() > button->y());
        QCOMPARE(choice->x(), button->x());
    }

    void aBackendWithoutCodeSaysWhatItIsGiven() {
        window().setBackends({QStringLiteral("dnnl")});
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        trigger("region-code");
        fixture_->click(fixture_->nodeOf(QStringLiteral("add")));
        QVERIFY(fixture_->settle());
        QVERIFY2(codeTitle().contains(QStringLiteral("no code is made; dnnl")), qPrintable(codeTitle()));
        QVERIFY(lineAt(0).contains(QStringLiteral("add")));
    }

    void aPluginsRegionIsJsonAndThePluginIsNotStarted() {
        const QString touched = fixture_->file(QStringLiteral("x"), {}) + QStringLiteral(".touched");
        const QString file =
            fixture_->file(QStringLiteral("own.json"), QStringLiteral(R"({"name": "own", "codegen": "command:touch %1",
                                            "ops": {"add": "true"}})")
                                                           .arg(touched)
                                                           .toUtf8());
        window().setBackends({file});
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        trigger("region-code");
        fixture_->click(fixture_->nodeOf(QStringLiteral("add")));
        QVERIFY(fixture_->settle());
        QVERIFY2(window().panels().code().text().toPlainText().contains(QStringLiteral("\"partita_region\": 1")),
                 qPrintable(codeTitle()));
        QVERIFY(!QFile::exists(touched));
    }

    void theMemoryOfARunIsDrawnOverItsSteps() {
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        trigger("run");
        window().panels().show(&window().panels().timing());
        TimingMemoryView& memory = window().panels().timing().memory();
        window().panels().timing().views().setCurrentWidget(&memory);
        QVERIFY(fixture_->settle());
        QVERIFY2(memory.headline().text().startsWith(QStringLiteral("The peak: ")),
                 qPrintable(memory.headline().text()));
        QVERIFY(memory.table().topLevelItemCount() > 0);
        picture("memory");
        const QTreeWidgetItem* largest = memory.table().topLevelItem(0);
        QCOMPARE(largest->text(1).left(3), QStringLiteral("400"));  // 10 x 10 float32
        // Keys and clicks choose steps; a row selects what it is of.
        MemoryChart& chart = memory.chart();
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_End);
        const size_t last = chart.step();
        QVERIFY(last > 0);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.step(), last - 1);
        QTest::keyClick(&chart, Qt::Key_P);
        QVERIFY(memory.headline().text().startsWith(QStringLiteral("The peak: ")));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(chart.width() - 20, chart.height() / 2));
        QCOMPARE(chart.step(), last);
        document().setSelection({});
        QTest::keyClick(&chart, Qt::Key_P);
        memory.table().setCurrentItem(memory.table().topLevelItem(0));
        QVERIFY(!document().selection().empty());
        window().panels().timing().copyCsv();
        QVERIFY(fixture_->settle());
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("name,region,bytes")));
    }

    void theInspectorTellsWhatBecameOfAnOperatorAndLeadsThere() {
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        fixture_->click(fixture_->nodeOf(QStringLiteral("subtract")));
        QVERIFY(fixture_->settle());
        const QString told = window().panels().inspector().text().toPlainText();
        QVERIFY2(told.contains(QStringLiteral("Came from, became")), qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("subtract, line 5")), qPrintable(told));
        const int region = document().flow()->region_of.at(document().selection().front().value);
        const QString function = QString::fromStdString(document().flow()->regions.at(size_t(region)).function);
        QVERIFY2(told.contains(QStringLiteral("subtract in @") + function), qPrintable(told));
        picture("stages");
        emit window().panels().inspector().text().anchorClicked(QUrl(QStringLiteral("stage:annotated")));
        QVERIFY(fixture_->settle());
        const QList<QTextEdit::ExtraSelection> marks = window().panels().text().after().extraSelections();
        QCOMPARE(marks.size(), 1);
        QVERIFY2(marks[0].cursor.block().text().contains(QStringLiteral("subtract(")),
                 qPrintable(marks[0].cursor.block().text()));
        emit window().panels().inspector().text().anchorClicked(QUrl(QStringLiteral("function:") + function));
        QVERIFY(fixture_->settle());
        QCOMPARE(window().currentPage()->target().function, function);
    }

    /// The division is followed to its end at once; a function of it is there to be opened once it was partitioned.
    void aFunctionLeadsNowhereBeforePartitioning() {
        QVERIFY(fixture_->openOneDivide());
        trigger("annotate");
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf(QStringLiteral("subtract")));
        QVERIFY(fixture_->settle());
        QVERIFY(window().panels().inspector().text().toPlainText().contains(QStringLiteral("subtract in @")));
        QVERIFY(!window().panels().inspector().text().toHtml().contains(QStringLiteral("function:")));
        trigger("merge");
        trigger("partition");
        QVERIFY(fixture_->settle());
        QVERIFY(window().panels().inspector().text().toHtml().contains(QStringLiteral("function:")));
    }

    void aLineOfTheTextSelectsItsOperator() {
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        window().panels().show(&window().panels().text());
        QPlainTextEdit& text = window().panels().text().after();
        QVERIFY(fixture_->settle());
        text.setFocus();
        QVERIFY(QTest::qWaitFor([&] { return text.hasFocus(); }));
        text.setTextCursor(text.document()->find(QStringLiteral("subtract(")));
        QVERIFY(fixture_->settle());
        QCOMPARE(document().selection().size(), size_t(1));
        QVERIFY(window().panels().inspector().text().toPlainText().contains(QStringLiteral("subtract")));
    }

    void whatSimplifyingReplacedIsFollowedToTheTextThatWasRead() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("norm.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2, 2, 2), float32], %g: Tensor[(2), float32], %b: Tensor[(2), float32], %m: Tensor[(2), float32], %v: Tensor[(2), float32]) {
  %0 = nn.batch_norm(%x, %g, %b, %m, %v);
  nn.relu(%0.0)
}
)")));
        trigger("simplify");
        trigger("whole-flow");
        const int64_t node = fixture_->nodeOf(QStringLiteral("multiply"));
        QVERIFY(node >= 0);
        fixture_->click(node);
        QVERIFY(fixture_->settle());
        const QString told = window().panels().inspector().text().toPlainText();
        QVERIFY2(told.contains(QStringLiteral("As read")) && told.contains(QStringLiteral("nn.batch_norm")),
                 qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("Of the same operator came")), qPrintable(told));
        emit window().panels().inspector().text().anchorClicked(QUrl(QStringLiteral("stage:opened")));
        QVERIFY(fixture_->settle());
        QVERIFY(window().panels().text().after().toPlainText().contains(QStringLiteral("nn.batch_norm(")));
        QVERIFY(!window().panels().text().after().extraSelections().isEmpty());
    }
};

PARTITA_TEST(TestDebugging)

}  // namespace test_debugging

#include "test_debugging.moc"
