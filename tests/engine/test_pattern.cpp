// The text of patterns: valid ones, messages for faults, and why a pattern does not match.
#include <QtTest>

#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/pattern_matcher.h"
#include "tests/engine/broken_texts.h"
#include "tests/registry.h"

namespace test_pattern {

using namespace partita;

namespace {

Module parse(const std::string& body) {
    auto module = parse_relay(
        "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(1, 4, 8, 8), float32], %b: Tensor[(1, 4, 8, 8), "
        "float32], %w: Tensor[(4, 4, 1, 1), float32]) {\n" +
        body + "\n}\n");
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::move(*module);
}

bool matches(const std::string& pattern_text, const std::string& body) {
    auto pattern = Pattern::parse(pattern_text);
    if (!pattern) qFatal("%s: %s", pattern_text.c_str(), pattern.error().to_string().c_str());
    Module module = parse(body);
    PositionTable positions(module.size(), DataflowGraph::kNone);
    ExprId main = module.find_function("main");
    DataflowGraph graph(module, main, positions);
    return PatternMatcher(**pattern, module, &graph).match(module.body(main));
}

}  // namespace

class TestPattern : public QObject {
    Q_OBJECT

private slots:
    void everyConstructMatches_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("expected");
        auto row = [](const char* pattern, const char* body, bool expected) {
            QTest::newRow((std::string(pattern) + "  at  " + body).c_str()) << pattern << body << expected;
        };
        row("*", "%a", true);
        row("var", "%a", true);
        row("var(\"a\")", "%a", true);
        row("var(\"b\")", "%a", false);
        row("constant", "%a", false);
        row("add(*, constant)", "add(%a, 2f)", true);
        row("add(*, constant)", "add(2f, %a)", true);
        row("subtract(*, constant)", "subtract(2f, %a)", false);
        row("add(*, 2f)", "add(%a, 2f)", true);
        row("add(*, 3f)", "add(%a, 2f)", false);
        row("add(*, 2)", "add(%a, 2f)", false);
        row("nn.relu(add(*, *))", "nn.relu(add(%a, %b))", true);
        row("nn.relu(add(*, *))", "nn.relu(tanh(%a))", false);
        row("(nn.relu | tanh)(*)", "tanh(%a)", true);
        row("*(*)", "tanh(%a)", true);
        row("*(*)", "add(%a, %b)", false);
        row("add(...)", "add(%a, %b)", true);
        row("*(...)", "%a", false);
        row("nn.relu(*) | tanh(*)", "tanh(%a)", true);
        row("t = tanh(*); t.optional(nn.relu(_))", "nn.relu(tanh(%a))", true);
        row("t = tanh(*); t.optional(nn.relu(_))", "tanh(%a)", true);
        row("tanh(*).optional(add(_, *)).optional(nn.relu(_))", "nn.relu(tanh(%a))", true);
        row("(*, *)", "(%a, %b)", true);
        row("(*,)", "(%a, %b)", false);
        row("tuple(...)", "(%a, %b)", true);
        row("(*, *).1", "(%a, %b).1", true);
        row("(*, *).0", "(%a, %b).1", false);
        row("(*, *).*", "(%a, %b).1", true);
        row("split(*).0", "split(%a, indices_or_sections=2, axis=1).0", true);
        row("add(x: *, x)", "add(%a, %a)", true);
        row("add(x: *, x)", "add(%a, %b)", false);
        row("nn.conv2d(*, *).has_attr(groups=1)", "nn.conv2d(%a, %w, padding=[0, 0, 0, 0])", true);
        row("nn.conv2d(*, *).has_attr(groups=2)", "nn.conv2d(%a, %w, padding=[0, 0, 0, 0])", false);
        row("nn.conv2d(*, *).has_attr(data_layout=\"NCHW\", strides=[1, 1])", "nn.conv2d(%a, %w, padding=[0, 0, 0, 0])",
            true);
        row("*(*).has_attr(alpha=1)", "nn.leaky_relu(%a, alpha=1f)", true);
        row("*(*).has_attr(alpha=2)", "nn.leaky_relu(%a, alpha=1f)", false);
        row("*(*).has_attr(axis=1)", "nn.softmax(%a, axis=1)", true);
        row("cast(*).has_attr(dtype=\"int8\")", "cast(%a, dtype=\"int8\")", true);
        row("cast(*).has_attr(dtype=\"int8\")", "cast(%a, dtype=\"int16\")", false);
        row("*.has_attr(TOpPattern=0)(*)", "tanh(%a)", true);
        row("*.has_attr(TOpPattern=4)(*)", "tanh(%a)", false);
        row("*.has_dtype(\"float32\")", "%a", true);
        row("*.has_dtype(\"int8\")", "%a", false);
        row("*.has_shape(1, 4, 8, 8)", "%a", true);
        row("*.has_shape(1, 4, 8)", "%a", false);
        row("*.has_type(\"Tensor[(1,4,8,8),float32]\")", "%a", true);
        row("*.has_type(\"Tensor[(1, 4, 8, 9), float32]\")", "%a", false);
        row("if(*, nn.relu(*), *)", "if (True) { nn.relu(%a) } else { %b }", true);
        row("if(False, *, *)", "if (True) { nn.relu(%a) } else { %b }", false);
        row("let(var, tanh(*), *)", "let %x = tanh(%a); nn.relu(%x)", true);
        row("fn(*) { nn.relu(*) }(*)", "%0 = fn (%x: Tensor[(1, 4, 8, 8), float32]) { nn.relu(%x) }; %0(%a)", true);
        row("fn(...) { tanh(*) }(*)", "%0 = fn (%x: Tensor[(1, 4, 8, 8), float32]) { nn.relu(%x) }; %0(%a)", false);
        row("abs(*).dominates(nn.relu(*), tanh(*))", "nn.relu(tanh(tanh(abs(%a))))", true);
        row("abs(*).dominates(nn.relu(*), exp(*))", "nn.relu(tanh(tanh(abs(%a))))", false);
        row("abs(*).dominates(add(*, *), tanh(*) | exp(*))", "%0 = abs(%a); add(tanh(%0), exp(%0))", true);
    }
    void everyConstructMatches() {
        QFETCH(QString, pattern);
        QFETCH(QString, body);
        QFETCH(bool, expected);
        QCOMPARE(matches(pattern.toStdString(), body.toStdString()), expected);
    }

    void faultsAreReportedWithTheirPlace_data() {
        QTest::addColumn<QString>("message");
        auto row = [](const char* text, const char* message) { QTest::newRow(text) << message; };
        row("", "1:1: error: expected a pattern, found the end");
        row("nn.rleu(*)", "1:1: error: there is no operator or name 'nn.rleu'; did you mean 'nn.relu'?");
        row("nn.relu(*, *)", "1:8: error: nn.relu takes 1 argument, found 2; '...' stands for any");
        row("add(*, *", "1:9: error: expected ',' or ')', found the end");
        row("add(*, *) add", "1:11: error: expected '|', '.' or the end, found 'a'");
        row("x = *; x = *; x", "1:8: error: 'x' is defined already");
        row("add = *; add", "1:1: error: 'add' is an operator");
        row("nn.conv2d(*, *).has_attr(group=1)",
            "1:26: error: nn.conv2d has no attribute 'group'; did you mean 'groups'?");
        row("*.has_dtype(\"flaot\")", "1:13: error: there is no dtype 'flaot'");
        row("*.has_type(\"Tensor[(1, 2, float32]\")", "1:12: error: 'Tensor[(1, 2, float32]' is no type");
        row("*.has_type(\"Tensor[1, 2), float32]\")", "1:12: error: 'Tensor[1, 2), float32]' is no type");
        row("*.has_type(\"Tensor[(1, 2), float32\")", "1:12: error: 'Tensor[(1, 2), float32' is no type");
        row("*.has_typ(\"x\")",
            "1:3: error: expected an index or has_attr, has_dtype, has_shape, has_type, optional, "
            "dominates; did you mean 'has_type'?");
        row("*.optional(nn.relu(*))",
            "1:22: error: expected '_' inside optional() for the pattern before it, found ')'");
        row("_", "1:1: error: '_' is allowed only inside optional()");
        row("fn(*) { * }", "1:1: error: a function that is not called can't become a composite");
        row("a = *;\nadd(a,\n   nn.relau)",
            "3:4: error: there is no operator or name 'nn.relau'; did you mean 'nn.relu'?");
    }
    void faultsAreReportedWithTheirPlace() {
        QFETCH(QString, message);
        auto pattern = Pattern::parse(QTest::currentDataTag());
        QVERIFY(!pattern);
        QCOMPARE(QString::fromStdString(pattern.error().to_string()), message);
    }

    void deepAndLongPatternsAreRefused() {
        QVERIFY(!Pattern::parse(std::string(100000, '(')));
        std::string nested;
        for (int i = 0; i < 10000; ++i) nested += "tanh(";
        QVERIFY(!Pattern::parse(nested));
        std::string chain = "*";
        for (int i = 0; i < 5000; ++i) chain += ".optional(tanh(_))";
        QVERIFY(!Pattern::parse(chain));
        // Names bring depth together, whether the pattern itself needs them or not.
        for (const auto& [names, allowed] : {std::pair(3, true), std::pair(5, false)}) {
            std::string text = "n0 = *;\n";
            for (int i = 1; i <= names; ++i) {
                std::string inner = "n" + std::to_string(i - 1);
                for (int k = 0; k < 50; ++k) inner = "tanh(" + inner + ")";
                text += "n" + std::to_string(i) + " = " + inner + ";\n";
            }
            QCOMPARE(bool(Pattern::parse(text + "*")), allowed);
            QCOMPARE(bool(Pattern::parse(text + "n" + std::to_string(names))), allowed);
        }
    }

    // Randomly corrupted patterns produce an error with a position.
    void brokenTextsAreAnsweredNotCrashedOn() {
        const char* kSeeds[] = {
            "c = nn.conv2d(*, constant); b = add(c, *) | c; b.optional(nn.relu(_))",
            "abs(*).dominates(nn.relu(*), *.has_attr(TOpPattern=0)(*) | add(*, *))",
            "fn(*, *) { add(var(\"x\"), 2f) }(*, (*, 0i64).1.has_shape(1, ?)).has_type(\"Tensor[(1, 3), float32]\")"};
        Module module = parse("nn.relu(add(nn.conv2d(%a, %w, padding=[0, 0, 0, 0]), %b))");
        PositionTable positions(module.size(), DataflowGraph::kNone);
        ExprId main = module.find_function("main");
        DataflowGraph graph(module, main, positions);
        testing::BrokenTexts broken(kSeeds);
        for (int i = 0; i < 30000; ++i) {
            std::string text = broken.next();
            auto pattern = Pattern::parse(text);
            if (pattern) PatternMatcher(**pattern, module, &graph).explain(module.body(main));
            else QVERIFY(!pattern.error().message.empty());
        }
    }

    void theNearestFailureIsTold() {
        auto pattern = Pattern::parse("nn.relu(add(nn.conv2d(*, *), constant))");
        QVERIFY(pattern);
        Module module = parse("nn.relu(add(nn.conv2d(%a, %w, padding=[0, 0, 0, 0]), %b))");
        PatternFailure failure = PatternMatcher(**pattern, module).explain(module.body(module.find_function("main")));
        QCOMPARE(QString::fromStdString(failure.reason.text()), "expected a constant, found the variable %b");
        QCOMPARE(module.kind(failure.expr), ExprKind::Var);
    }

    void namesAreBoundForTheCheck() {
        auto pattern = Pattern::parse("c = nn.conv2d(*, w: constant | *); nn.relu(c)");
        QVERIFY(pattern);
        QCOMPARE((*pattern)->names().size(), size_t(2));
    }
};

PARTITA_TEST(TestPattern)

}  // namespace test_pattern

#include "test_pattern.moc"
