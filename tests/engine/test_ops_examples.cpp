#include <QtTest>

#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "tests/registry.h"

namespace test_ops_examples {

using namespace partita;

/// Parses, types and prints the example text of each op.
class TestOpsExamples : public QObject {
    Q_OBJECT
private slots:
    void everyExampleHasTypes_data() { addRows(); }
    void everyExampleHasTypes() {
        Result<Module> module = typedExample();
        QVERIFY2(bool(module), module ? "" : module.error().to_string().c_str());
        QVERIFY(module->typed());
        QVERIFY(module->function_info(module->find_function("main")).return_type.valid());
    }

    void everyExampleIsPrintedAndReadAgain_data() { addRows(); }
    void everyExampleIsPrintedAndReadAgain() {
        Result<Module> module = typedExample();
        QVERIFY2(bool(module), module ? "" : module.error().to_string().c_str());
        std::string printed = print_relay(*module);
        Result<Module> again = parse_relay(printed);
        QVERIFY2(bool(again), again ? "" : (again.error().to_string() + "\n" + printed).c_str());
        Status typed = infer_types(*again);
        QVERIFY2(bool(typed), typed ? "" : (typed.error().to_string() + "\n" + printed).c_str());
        QCOMPARE(QString::fromStdString(print_relay(*again)), QString::fromStdString(printed));
    }

private:
    static void addRows() {
        QTest::addColumn<QString>("example");
        for (const OpRecord& op : op_registry().records())
            QTest::newRow(op.name.c_str()) << QString::fromStdString(op.example);
    }

    static Result<Module> typedExample() {
        QFETCH(QString, example);
        Result<Module> module = parse_relay(example.toStdString());
        if (!module) return module;
        if (Status typed = infer_types(*module); !typed) return typed.error();
        return module;
    }
};

PARTITA_TEST(TestOpsExamples)

}  // namespace test_ops_examples

#include "test_ops_examples.moc"
