// The page about an operator: opened by a key, follows the selection, says names and values as they are.
#include <QTextBrowser>

#include "app/gui/window/operator_sheet.h"
#include "engine/ops/registry.h"
#include "engine/session/operator_page.h"
#include "engine/support/file.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_operator_sheet {

using namespace partita;

class TestOperatorSheet : public QObject {
    Q_OBJECT

    static ExprId call_of(const Document& document, const char* op) {
        const Module& module = *document.shownModule();
        for (uint32_t i = 0; i < module.size(); ++i)
            if (const OpRecord* record = called_op_record(module, ExprId(i)); record && record->name == op)
                return ExprId(i);
        return {};
    }

private slots:
    /// Every operator with an example has a page with a call and types; what can be exported has ONNX's name.
    void everyOperatorHasItsPage() {
        int formulas = 0, onnx = 0;
        for (const OpRecord& record : op_registry().records()) {
            const OperatorPage page = operator_page(record);
            QVERIFY2(!page.call.empty() && !page.result.empty(), record.name.c_str());
            QVERIFY2(page.call.find(record.name) != std::string::npos, page.call.c_str());
            formulas += !page.formula.empty();
            onnx += !page.onnx.empty();
        }
        QVERIFY2(formulas > 40, qPrintable(QString::number(formulas)));
        QVERIFY2(onnx > 100, qPrintable(QString::number(onnx)));
        const auto page_of = [](const char* name) { return operator_page(op_registry()[op_registry().find(name)]); };
        QCOMPARE(page_of("nn.conv2d").onnx, std::vector<std::string>{"Conv"});
        QCOMPARE(page_of("nn.relu").onnx, std::vector<std::string>{"Relu"});
        QCOMPARE(page_of("add").formula, "lhs + rhs");
        for (const OpRecord& record : op_registry().records()) {
            const std::string formula = operator_page(record).formula;
            QCOMPARE(std::count(formula.begin(), formula.end(), '('), std::count(formula.begin(), formula.end(), ')'));
        }
    }

    void aKeyOpensItAndItFollowsTheSelection() {
        WindowFixture fixture;
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        Document& document = fixture.window->document();
        QAction* command = fixture.window->action(QStringLiteral("operator-sheet"));
        QVERIFY(!command->isEnabled());
        document.setSelection({call_of(document, "nn.conv2d")});
        QVERIFY(command->isEnabled());
        QTest::keyClicks(fixture.window.get(), QStringLiteral("?"));
        auto* sheet = fixture.window->findChild<OperatorSheet*>();
        QVERIFY(sheet && sheet->isVisible());
        QVERIFY(sheet->text().toPlainText().contains(QStringLiteral("padding")));
        QVERIFY(sheet->text().toPlainText().contains(QStringLiteral("ONNX: Conv")));
        document.setSelection({call_of(document, "nn.relu")});
        QVERIFY(sheet->windowTitle().contains(QStringLiteral("nn.relu")));
        document.setSelection({});
        QVERIFY(sheet->windowTitle().contains(QStringLiteral("nn.relu")));
        QTest::keyClick(sheet, Qt::Key_Escape);
        QTRY_VERIFY(!fixture.window->findChild<OperatorSheet*>());
    }

    /// A text in an attribute is no HTML.
    void valuesAreShownAsTheyAre() {
        WindowFixture fixture;
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("odd.relay"));
        QVERIFY(write_file(file.toStdString(),
                           "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 2, 4, 4), float32]) {\n  "
                           "annotation.compiler_begin(%x, compiler=\"<b>x\")\n}\n"));
        QVERIFY(fixture.open(file));
        Document& document = fixture.window->document();
        document.setSelection({call_of(document, "annotation.compiler_begin")});
        fixture.window->action(QStringLiteral("operator-sheet"))->trigger();
        auto* sheet = fixture.window->findChild<OperatorSheet*>();
        QVERIFY(sheet && sheet->text().toPlainText().contains(QStringLiteral("<b>x")));
    }
};

PARTITA_TEST(TestOperatorSheet)

}  // namespace test_operator_sheet

#include "test_operator_sheet.moc"
