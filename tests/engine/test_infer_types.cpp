// Type inference: types of expressions, and messages for mismatches.
#include <QtTest>

#include "engine/passes/op_builder.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_infer_types {

using namespace partita;

namespace {

/// Returns the type of @main, or the message.
std::string inferred(const std::string& text) {
    Result<OpenedModule> opened = open_text(text, "t.relay");
    if (!opened) return opened.error().to_string();
    const Module& module = *opened->module;
    return module.types().to_string(module.type(module.find_function("main")));
}

}  // namespace

class TestInferTypes : public QObject {
    Q_OBJECT

private slots:
    void everyKindOfExpressionGetsItsType_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::newRow("broadcast") << "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]) { add(%x, %y) }"
                                   << "fn (Tensor[(2, 3), float32], Tensor[(3), float32]) -> Tensor[(2, 3), float32]";
        QTest::newRow("projection") << "def @main(%x: int32) { %0 = (%x, True); %0.1 }"
                                    << "fn (int32) -> bool";
        QTest::newRow("literalTakesItsArgumentsTypes")
            << "def @main(%x: Tensor[(2), float32]) { %0 = fn (%p) { nn.relu(%p) }; %0(%x) }"
            << "fn (Tensor[(2), float32]) -> Tensor[(2), float32]";
        QTest::newRow("recursionThroughLet") << "def @main(%n: int32) { let %f = fn (%i: int32) { %0 = less(%i, 10); "
                                                "if (%0) { %1 = add(%i, 1); %f(%1) } else { %i } }; %f(%n) }"
                                             << "fn (int32) -> int32";
        QTest::newRow("calleeBelow") << "def @main(%x: int32) { @twice(%x) }\ndef @twice(%x: int32) { add(%x, %x) }"
                                     << "fn (int32) -> int32";
        QTest::newRow("recursiveGlobal")
            << "def @main(%x: int32) { %0 = less(%x, 10); if (%0) { %1 = add(%x, 1); @main(%1) } else { %x } }"
            << "fn (int32) -> int32";
        QTest::newRow("useOfADeclaredResult") << "def @main(%x: int32) -> int32 { %0 = less(%x, 10); if (%0) { %1 = "
                                                 "add(%x, 1); %2 = @main(%1); add(%2, 1) } else { %x } }"
                                              << "fn (int32) -> int32";
        QTest::newRow("onlyItselfIsCalled") << "def @main(%x: int32) -> int32 { %0 = @main(%x); add(%0, %x) }"
                                            << "fn (int32) -> int32";
        QTest::newRow("oneCallsTheOther")
            << "def @main(%x: int32) -> int32 { %0 = @other(%x); add(%0, 1) }\ndef @other(%x: int32) -> int32 { %0 = "
               "@main(%x); add(%0, 1) }"
            << "fn (int32) -> int32";
        QTest::newRow("extentsThatAreNotKnown") << "def @main(%c: bool, %x: (int32, Tensor[(2, ?), float32]), %y: "
                                                   "(int32, Tensor[(2, 3), float32])) { if (%c) { %x } else { %y } }"
                                                << "fn (bool, (int32, Tensor[(2, ?), float32]), (int32, Tensor[(2, 3), "
                                                   "float32])) -> (int32, Tensor[(2, ?), float32])";
        QTest::newRow("oneLengthOfAConcatenationIsNotKnown")
            << "def @main(%x: Tensor[(?, 3), float32], %y: Tensor[(2, 3), float32]) { concatenate((%x, %y)) }"
            << "fn (Tensor[(?, 3), float32], Tensor[(2, 3), float32]) -> Tensor[(?, 3), float32]";
        QTest::newRow("letOfAParameter") << "def @main(%x: int32) { let %y = %x; let %z: int32 = %y; add(%y, %z) }"
                                         << "fn (int32) -> int32";
        QTest::newRow("references") << "def @main(%x: float32) { %0 = ref(%x); ref_read(%0) }"
                                    << "fn (float32) -> float32";
    }
    void everyKindOfExpressionGetsItsType() {
        QFETCH(QString, text);
        QFETCH(QString, type);
        QCOMPARE(QString::fromStdString(inferred("#[version = \"0.0.5\"]\n" + text.toStdString())), type);
    }

    void aFaultNamesPlaceExpressionTypesAndRule_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("broadcast")
            << "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4), float32]) {\n  add(%x, %y)\n}"
            << "t.relay:3:3: error: add(Tensor[(2, 3), float32], Tensor[(4), float32]): ";
        QTest::newRow("noTuple") << "def @main(%x: int32) {\n  %0 = add(%x, 1);\n  %0.1\n}"
                                 << "needs a tuple, but is given int32";
        QTest::newRow("field") << "def @main(%x: int32) {\n  %0 = (%x, %x);\n  %0.7\n}"
                               << "the tuple has 2 fields";
        QTest::newRow("branches") << "def @main(%c: bool, %x: int32, %y: float32) {\n  if (%c) { %x } else { %y }\n}"
                                  << "the branches of if must have one type, but have int32 and float32";
        for (auto [name, x, y] :
             {std::tuple("extents", "Tensor[(2, 3), float32]", "Tensor[(2, 4), float32]"),
              std::tuple("ranks", "Tensor[(2, 3), float32]", "Tensor[(2), float32]"),
              std::tuple("element types", "Tensor[(2), float32]", "Tensor[(2), int8]"),
              std::tuple("fields", "(int32, Tensor[(2), float32])", "(int32, Tensor[(3), float32])"),
              std::tuple("numbers of fields", "(int32, int32)", "(int32,)")})
            QTest::newRow(name) << QString("def @main(%c: bool, %x: %1, %y: %2) {\n  if (%c) { %x } else { %y }\n}")
                                       .replace("%1", x)
                                       .replace("%2", y)
                                << "the branches of if must have one type";
        QTest::newRow("condition") << "def @main(%x: int32) {\n  if (%x) { %x } else { %x }\n}"
                                   << "the condition of if must be a bool, but has type int32";
        QTest::newRow("argument") << "def @main(%x: int32) {\n  @f(%x)\n}\ndef @f(%x: float32) { %x }"
                                  << "argument 0 has type int32, but the parameter has type float32";
        QTest::newRow("returns") << "def @main(%x: int32) -> float32 {\n  %x\n}"
                                 << "declared to return float32, but its body has type int32";
        QTest::newRow("let") << "def @main(%x: int32) {\n  let %y: float32 = add(%x, 1);\n  %y\n}"
                             << "float32";
        QTest::newRow("endless") << "def @main(%x: int32) {\n  @main(%x)\n}"
                                 << "needs a declared return type";
    }
    void aFaultNamesPlaceExpressionTypesAndRule() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        std::string said = inferred("#[version = \"0.0.5\"]\n" + text.toStdString());
        QVERIFY2(QString::fromStdString(said).contains(message), said.c_str());
    }

    /// Types are visited recursively: a chain of nested tuples overflowed the stack, and one that doubles did not
    /// terminate.
    void aBuilderStopsAtItsFirstFault() {
        Module module;
        OpBuilder build(module, ExprId(), {3, 4});
        const ExprId one = build.scalar(kFloat32, 1);
        QVERIFY(one.valid() && !build.failed());
        QVERIFY(!build.call("ad", {one, one}).valid());
        QVERIFY(build.failed());
        QCOMPARE(build.failure().message, std::string("there is no op ad"));
        QCOMPARE(build.failure().position.line, 3u);
        const size_t size = module.size();
        QVERIFY(!build.call("add", {one, one}).valid());
        QVERIFY(!build.tuple({one}).valid());
        QCOMPARE(module.size(), size);
    }

    void typesThatAShortTextNestsWithoutBoundAreRefused_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<int>("steps");
        QTest::addColumn<QString>("message");
        QTest::newRow("deep") << "(%1,)" << 100000 << "the type is nested over 800 levels deep";
        QTest::newRow("references") << "ref(%1)" << 100000 << "the type is nested over 800 levels deep";
        QTest::newRow("doubled") << "(%1, %1)" << 60 << "the type holds over 1048576 tensors";
        QTest::newRow("deep enough") << "(%1,)" << 500 << "";
        QTest::newRow("doubled enough") << "(%1, %1)" << 10 << "";
    }
    void typesThatAShortTextNestsWithoutBoundAreRefused() {
        QFETCH(QString, step);
        QFETCH(int, steps);
        QFETCH(QString, message);
        QString text = "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  %0 = tanh(%x);\n";
        for (int i = 1; i < steps; ++i)
            text +=
                "  %" + QString::number(i) + " = " + QString(step).replace("%1", "%" + QString::number(i - 1)) + ";\n";
        text += "  (%" + QString::number(steps - 1) + ", %x).1\n}\n";
        const std::string said = inferred(text.toStdString());
        if (message.isEmpty()) QVERIFY2(said.ends_with("-> float32"), said.c_str());
        else QVERIFY2(QString::fromStdString(said).endsWith(message), said.c_str());
    }

    /// Types are printed, compared and shown for each expression: a few hundred kilobytes produced gigabytes of types.
    void aLargeTypeOfManyExpressionsIsRefused() {
        QString text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(" + QString("1, ").repeated(9999) +
                       "1), float32]) {\n  %0 = tanh(%x);\n";
        for (int i = 1; i < 4000; ++i)
            text += "  %" + QString::number(i) + " = tanh(%" + QString::number(i - 1) + ");\n";
        const std::string said = inferred((text + "  %3999\n}\n").toStdString());
        QVERIFY2(QString::fromStdString(said).endsWith(
                     "the types of the module hold over 33554432 tensors and dimensions in all"),
                 said.substr(0, 200).c_str());
        QVERIFY(QString::fromStdString(inferred((text.section('\n', 0, 1000) + "\n  %900\n}\n").toStdString()))
                    .startsWith("fn "));
    }

    void aChainOfAMillionCallsIsInferred() {
        std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = nn.relu(%x);\n";
        constexpr int kCalls = 1'000'000;
        for (int i = 1; i < kCalls; ++i)
            text += "  %" + std::to_string(i) + " = nn.relu(%" + std::to_string(i - 1) + ");\n";
        text += "  %" + std::to_string(kCalls - 1) + "\n}\n";
        QCOMPARE(inferred(text), std::string("fn (Tensor[(4), float32]) -> Tensor[(4), float32]"));
    }
};

PARTITA_TEST(TestInferTypes)

}  // namespace test_infer_types

#include "test_infer_types.moc"
