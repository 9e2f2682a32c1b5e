// Composite merging compared with TVM 0.9 on models, and the refusals that TVM's own tests require.
// test_reference_passes has the cases of TVM's own tests.
#include "reference_data.h"
#include "tests/engine/pass_testing.h"

#include "engine/frontends/generate.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_composite.h"
#include "engine/rules/pattern.h"
#include "tests/registry.h"

namespace test_merge_composite {

using namespace partita;
using namespace partita::testing;

namespace {

Module parse(const std::string& text) {
    Result<Module> module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    Status typed = infer_types(*module);
    if (!typed) qFatal("%s", typed.error().to_string().c_str());
    return std::move(*module);
}

std::string merged_text(const std::string& text, std::vector<CompositePattern> patterns, DecisionLog* log = nullptr) {
    Result<Module> merged = merge_composite(parse(text), patterns, log);
    return merged ? print_relay(*merged) : merged.error().to_string();
}

/// Returns the names of the composites in order of their calls.
QStringList composites(const std::string& text, std::vector<CompositePattern> patterns) {
    Result<Module> merged = merge_composite(parse(text), patterns);
    QStringList names;
    for (ExprId id : post_order(*merged, merged->find_function("main"))) {
        std::string_view name = composite_name(*merged, id);
        if (!name.empty()) names.append(QString::fromUtf8(name.data(), qsizetype(name.size())));
    }
    return names;
}

const char* kT = "Tensor[(10, 10), float32]";
std::string function(const std::string& parameters, const std::string& body) {
    std::string text = "#[version = \"0.0.5\"]\ndef @main(";
    for (size_t i = 0; i < parameters.size(); ++i) text += std::string(i ? ", " : "") + "%" + parameters[i] + ": " + kT;
    return text + ") {\n" + body + "\n}\n";
}

}  // namespace

class TestMergeComposite : public QObject {
    Q_OBJECT

private slots:
    void equalsTvmOnModels_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mlp", "squeezenet", "resnet18", "mobilenet_v1", "vgg16"}) QTest::newRow(name) << name;
    }
    void equalsTvmOnModels() {
        if (reference_folder().isEmpty()) QSKIP("the reference data is not here");
        QFETCH(QString, name);
        QString base = reference_folder() + "/relay-models/" + name;
        auto dnnl = builtin_backend("dnnl");
        QVERIFY(dnnl);
        std::string found = merged_text(read_text(base + ".simplified.relay"), dnnl->patterns);
        QString difference = relay_difference(found, read_text(base + ".composite.relay"));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void aNodeOfThePatternMatchesOneExpressionOnly() {
        auto pattern = composite("p", "x = *; multiply(add(x, *), subtract(x, *))");
        QCOMPARE(composites(function("ab", "multiply(add(%a, %b), subtract(%a, %b))"), {pattern}), QStringList{"p"});
        QCOMPARE(composites(function("abc", "multiply(add(%a, %b), subtract(%c, %b))"), {pattern}), QStringList{});
        // add is tried in both orders, but without backtracking into what has matched, as in TVM.
        QCOMPARE(composites(function("ab", "multiply(add(%b, %a), subtract(%a, %b))"), {pattern}), QStringList{});
        auto turned = composite("p", "x = *; multiply(subtract(x, *), add(x, *))");
        QCOMPARE(composites(function("ab", "multiply(subtract(%a, %b), add(%b, %a))"), {turned}), QStringList{"p"});
    }

    void aSharedCallOfThePatternIsOneCall() {
        auto pattern = composite("add_add_add", "x = *; n = add(x, *); add(add(x, n), n)");
        std::string text = function("abc", "%0 = add(%a, %b); %1 = add(%a, %0); %2 = add(%1, %0); subtract(%2, %c)");
        QCOMPARE(composites(text, {pattern}), QStringList{"add_add_add"});
        QVERIFY(merged_text(text, {pattern}).find("%FunctionVar_0_2") == std::string::npos);
    }

    void aDiamondUsedElsewhereIsNotMerged() {
        auto pattern = composite("add_relu", "nn.relu(add(*, *))");
        DecisionLog log;
        std::string text = function("ab", "%0 = add(%a, %b); %1 = nn.relu(%0); (%1, %0)");
        merged_text(text, {pattern}, &log);
        QCOMPARE(log.decisions().size(), size_t(1));
        QCOMPARE(log.decisions()[0].kind, DecisionKind::PatternRefused);
        QVERIFY(log.decisions()[0].refusal == PatternRefusal::UsedElsewhere);
        // A value used elsewhere that returns to the root is no reason to refuse; TVM makes it an argument of the
        // composite then.
        QCOMPARE(composites(function("ab", "multiply(nn.relu(add(%a, %b)), %b)"), {pattern}), QStringList{"add_relu"});
    }

    void rejectedAttemptsCountInTheNames() {
        auto pattern = composite("p", "nn.relu(add(*, *))");
        // The last relu is tried first and refused: the next one is number 1.
        std::string text =
            function("ab", "%0 = add(%a, %b); %1 = nn.relu(%0); %2 = add(%1, %b); %3 = nn.relu(%2); (%3, %2)");
        std::string found = merged_text(text, {pattern});
        QVERIFY2(found.find("%FunctionVar_1_0") != std::string::npos, found.c_str());
        QVERIFY(found.find("%FunctionVar_0_0") == std::string::npos);
    }

    void constantsOfThePatternStayInside() {
        auto pattern = composite("p", "add(multiply(*, constant), *)");
        std::string found = merged_text(function("a", "add(multiply(%a, 2f), 3f)"), {pattern});
        QVERIFY2(found.find("multiply(%FunctionVar_0_0, 2f") != std::string::npos, found.c_str());
        QVERIFY2(found.find(", 3f") != std::string::npos, found.c_str());  // matched by *: an argument
        QVERIFY2(found.find("%FunctionVar_0_1: float32") != std::string::npos, found.c_str());
    }

    void earlierPatternsTakeNodesFromLaterOnes() {
        auto conv = composite("long", "nn.relu(tanh(*))"), shorter = composite("short", "tanh(*)");
        std::string text = function("a", "tanh(nn.relu(tanh(%a)))");
        QCOMPARE(composites(text, {conv, shorter}), (QStringList{"long", "short"}));
        QCOMPARE(composites(text, {shorter, conv}), (QStringList{"short", "short"}));
    }

    void aFalseCheckLeavesTheCallsAsTheyAre() {
        auto pattern = composite("p", "nn.relu(t: tanh(*))", "t.rank == 4");
        DecisionLog log;
        std::string text = function("a", "nn.relu(tanh(%a))");
        std::string found = merged_text(text, {pattern}, &log);
        QVERIFY(found.find("Composite") == std::string::npos);
        QCOMPARE(log.decisions().size(), size_t(1));
        QCOMPARE(QString::fromStdString(log.decisions()[0].detail.text()),
                 "the check is false: t.rank == 4: t.rank is 2");
    }

    void productsOfQuotientsMatchReassociated() {
        auto pattern = composite("p", "divide(multiply(*, *), *)");
        QCOMPARE(composites(function("abc", "multiply(%a, divide(%b, %c))"), {pattern}), QStringList{"p"});
        auto other = composite("q", "multiply(*, divide(*, *))");
        QCOMPARE(composites(function("abc", "divide(multiply(%a, %b), %c)"), {other}), QStringList{"q"});
    }

    void dominatorsTakeEverythingOnThePath() {
        auto pattern = composite("p", "abs(*).dominates(nn.relu(*), *.has_attr(TOpPattern=0)(*) | add(*, *))");
        QCOMPARE(composites(function("a", "nn.relu(tanh(exp(abs(%a))))"), {pattern}), QStringList{"p"});
        QCOMPARE(composites(function("a", "nn.relu(tanh(exp(sqrt(%a))))"), {pattern}), QStringList{});
    }

    /// Also behind a path on which what was matched before is left out of account.
    void whatHasANameIsOneExpressionBehindADominator() {
        auto pattern = composite("p", "p0 = *; divide(p0, add(abs(*).dominates(multiply(*, *), *), p0))");
        const std::string text = "divide(%b, add(multiply(tanh(abs(%a)), %d), ";
        QCOMPARE(composites(function("abcd", text + "%b))"), {pattern}), QStringList{"p"});
        QCOMPARE(composites(function("abcd", text + "%c))"), {pattern}), QStringList{});
    }

    void matchingLooksThroughTransparentOps() {
        auto pattern = composite("p", "nn.relu(add(*, *))");
        std::string text = function("ab", "nn.relu(annotation.stop_fusion(add(%a, %b)))");
        QCOMPARE(composites(text, {pattern}), QStringList{});
        pattern.transparent = {op_registry().find("annotation.stop_fusion")};
        QCOMPARE(composites(text, {pattern}), QStringList{"p"});
        QVERIFY(merged_text(text, {pattern}).find("stop_fusion") == std::string::npos);
    }

    void everyGlobalFunctionIsMergedExceptCompiledOnes() {
        std::string text =
            std::string("#[version = \"0.0.5\"]\ndef @f(%x: ") + kT + ") { nn.relu(tanh(%x)) }\ndef @g(%x: " + kT +
            ", Compiler=\"c\", Primitive=1) { nn.relu(tanh(%x)) }\ndef @main(%x: " + kT + ") { @g(@f(%x)) }\n";
        std::string found = merged_text(text, {composite("p", "nn.relu(tanh(*))")});
        size_t first = found.find("Composite=");
        QVERIFY(first != std::string::npos && found.find("Composite=", first + 1) == std::string::npos);
        QVERIFY(first < found.find("def @g"));
    }

    void aWildcardAloneMakesNothing() {
        QCOMPARE(composites(function("a", "tanh(%a)"), {composite("p", "*")}), QStringList{});
    }

    void aMillionOpsAndTheWholeTableTakeSeconds() {
        int size = qEnvironmentVariableIntValue("PARTITA_LARGE") ? 1000000 : 100000;
        Result<Module> module = generate_graph(GraphKind::Random, size, 1);
        QVERIFY(module && infer_types(*module));
        auto dnnl = builtin_backend("dnnl");
        QVERIFY(dnnl);
        std::vector<CompositePattern> patterns = dnnl->patterns;
        for (const char* text : {"tanh(add(*, *))", "add(multiply(*, *), *)"}) patterns.push_back(composite("p", text));
        QElapsedTimer timer;
        timer.start();
        Result<Module> merged = merge_composite(*module, patterns);
        QVERIFY(merged);
        qInfo("%d ops, %zu patterns: %lld ms", size, patterns.size(), (long long)timer.elapsed());
    }
};

PARTITA_TEST(TestMergeComposite)

}  // namespace test_merge_composite

#include "test_merge_composite.moc"
