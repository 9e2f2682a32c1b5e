#include <QtTest>

#include "engine/ops/registry.h"
#include "engine/passes/fold_constants.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_fold_constants {

using namespace partita;

namespace {

std::string folded(const std::string& text, size_t max_bytes = 1 << 20) {
    Result<Module> result = fold_constants(typed_module(text), max_bytes);
    return result ? print_relay(*result) : result.error().to_string();
}

std::string printed(const std::string& text) { return print_relay(typed_module(text)); }

}  // namespace

class TestFoldConstants : public QObject {
    Q_OBJECT

private slots:
    void callsOfConstantsBecomeConstants() {
        QCOMPARE(folded("def @main(%x: Tensor[(2), float32]) {\n"
                        "  %0 = add(1f, 2f);\n  %1 = multiply(%0, 4f);\n  add(%x, %1)\n}\n"),
                 printed("def @main(%x: Tensor[(2), float32]) {\n  add(%x, 12f)\n}\n"));
    }

    void callsWithAParameterStay() {
        std::string text = "def @main(%x: Tensor[(2), float32]) {\n  %0 = add(%x, 1f);\n  multiply(%0, 4f)\n}\n";
        QCOMPARE(folded(text), printed(text));
    }

    void aFieldOfATupleOfConstantsIsTheConstant() {
        QCOMPARE(folded("def @main(%x: Tensor[(2), float32]) {\n  %0 = (1f, 2f);\n  %1 = %0.1;\n  add(%x, %1)\n}\n"),
                 printed("def @main(%x: Tensor[(2), float32]) {\n  add(%x, 2f)\n}\n"));
    }

    void resultsOverTheLimitStay() {
        std::string text = "def @main(%x: Tensor[(2), float32]) {\n  %0 = add(1f, 2f);\n  add(%x, %0)\n}\n";
        QCOMPARE(folded(text, 3), printed(text));
        QCOMPARE(folded(text, 4), folded(text));
    }

    void functionsOfBackendsAreLeftAlone() {
        std::string text =
            "def @main(%x: Tensor[(2), float32]) {\n  @other(%x)\n}\n\n"
            "def @other(%y: Tensor[(2), float32], Compiler=\"vendor\") {\n"
            "  %0 = add(1f, 2f);\n  add(%y, %0)\n}\n";
        QCOMPARE(folded(text), printed(text));
    }

    void whatIsFoldedIsLogged() {
        Module module = typed_module("def @main(%x: Tensor[(2), float32]) {\n  %0 = add(1f, 2f);\n  add(%x, %0)\n}\n");
        DecisionLog log;
        Module result = std::move(fold_constants(module, 1 << 20, &log).value());
        QCOMPARE(log.decisions().size(), size_t(1));
        QCOMPARE(log.decisions()[0].detail.text(), std::string("add of constants became a constant"));
        ExprId constant = result.arguments(result.body(result.find_function("main")))[1];
        QCOMPARE(result.origin(constant), log.decisions()[0].subject);
    }

    void foldingTwiceChangesNothing() {
        Module once = std::move(fold_constants(typed_module("def @main(%x: Tensor[(2), float32]) {\n"
                                                            "  %0 = sqrt(4f);\n  add(%x, %0)\n}\n"))
                                    .value());
        QCOMPARE(print_relay(fold_constants(once).value()), print_relay(once));
    }
};

PARTITA_TEST(TestFoldConstants)

}  // namespace test_fold_constants

#include "test_fold_constants.moc"
