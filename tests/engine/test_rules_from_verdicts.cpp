// Rules that are proposed from verdicts say the same as these, on each call; what nothing tells apart is named.
#include <QtTest>

#include "engine/explain/rules_from_verdicts.h"
#include "engine/flow/region_names.h"
#include "engine/frontends/generate.h"
#include "engine/rules/backend_description.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_rules_from_verdicts {

using namespace partita;

namespace {

const char* const kConvolutions = R"(def @main(%x: Tensor[(1, 8, 16, 16), float32], %a: Tensor[(8, 8, 1, 1), float32],
    %b: Tensor[(8, 8, 3, 3), float32], %c: Tensor[(8, 1, 3, 3), float32], %d: Tensor[(16, 8, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %a, kernel_size=[1, 1], padding=[0, 0, 0, 0]);
  %1 = nn.conv2d(%0, %b, kernel_size=[3, 3], padding=[1, 1, 1, 1]);
  %2 = nn.conv2d(%1, %c, kernel_size=[3, 3], padding=[1, 1, 1, 1], groups=8);
  %3 = nn.relu(%2);
  %4 = nn.conv2d(%3, %d, kernel_size=[3, 3], padding=[1, 1, 1, 1]);
  nn.relu(%4)
}
)";

std::vector<ExprId> calls_of(const Module& module) {
    std::vector<ExprId> calls = ExpressionNames(module).calls();
    std::erase_if(calls, [&module](ExprId call) { return !computed_op(module, call); });
    return calls;
}

/// The verdicts of a description's rules.
std::vector<CallVerdict> verdicts_of(const Module& module, const BackendDescription& backend) {
    std::vector<CallVerdict> verdicts;
    for (ExprId call : calls_of(module)) verdicts.push_back({call, judge(backend, module, call, false).supported()});
    return verdicts;
}

BackendDescription parsed(const std::string& text) {
    Result<BackendDescription> backend = parse_backend_description(text, "test.json");
    if (!backend) qFatal("%s: %s", backend.error().to_string().c_str(), text.c_str());
    return *backend;
}

}  // namespace

class TestRulesFromVerdicts : public QObject {
    Q_OBJECT

private slots:
    void aConditionIsFoundAgain_data() {
        QTest::addColumn<QString>("rule");
        QTest::newRow("attribute") << "attrs.groups == 1";
        QTest::newRow("list") << "attrs.kernel_size == [3, 3]";
        QTest::newRow("two") << "attrs.groups == 1 && attrs.kernel_size == [3, 3]";
        QTest::newRow("all") << "true";
        QTest::newRow("none") << "false";
        QTest::newRow("a size") << "args[1].shape[0] > 8";
    }
    void aConditionIsFoundAgain() {
        QFETCH(QString, rule);
        const Module module = typed_module(kConvolutions);
        const BackendDescription given =
            parsed("{\"name\": \"n\", \"ops\": {\"nn.conv2d\": \"" + rule.toStdString() + "\"}}");
        const std::vector<CallVerdict> wanted = verdicts_of(module, given);
        const std::vector<ProposedRule> rules = rules_from_verdicts(module, wanted);
        QCOMPARE(rules[0].op, std::string("nn.conv2d"));
        const std::vector<CallVerdict> got = verdicts_of(module, parsed(description_of("n", rules)));
        for (size_t i = 0; i < wanted.size(); ++i) QCOMPARE(got[i].taken, wanted[i].taken);
        QVERIFY(rules[0].inseparable.empty());
        if (rule.contains("shape")) return;  // other terms say the same
        QCOMPARE(QString::fromStdString(rules[0].rule), rule == "false" ? QString() : rule);
        QCOMPARE(int(rules[0].witnesses.size()), rule.contains("attrs") ? int(rule.count("==")) : 0);
    }

    /// Whatever was said of the calls of random graphs.
    void everyProposalIsExact() {
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            Result<Module> module = generate_graph(GraphKind::Random, 60, seed);
            QVERIFY(bool(module));
            std::vector<CallVerdict> verdicts;
            uint64_t state = seed * 2654435761u;
            for (ExprId call : calls_of(*module)) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                verdicts.push_back({call, (state >> 40) % 3 != 0});
            }
            const std::vector<ProposedRule> rules = rules_from_verdicts(*module, verdicts);
            const BackendDescription made = parsed(description_of("n", rules));
            for (const CallVerdict& verdict : verdicts) {
                bool left = false;
                for (const ProposedRule& rule : rules)
                    left |= std::find(rule.inseparable.begin(), rule.inseparable.end(), verdict.call) !=
                            rule.inseparable.end();
                QCOMPARE(judge(made, *module, verdict.call, false).supported(), verdict.taken && !left);
            }
        }
    }

    void callsThatAreAlikeAreNamed() {
        const Module module = typed_module(
            "def @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n  %1 = exp(%0);\n  %2 = exp(%1);\n  %3 = "
            "exp(%2);\n"
            "  exp(%3)\n}\n");
        const std::vector<ExprId> calls = calls_of(module);
        const std::vector<ProposedRule> rules =
            rules_from_verdicts(module, {{calls[1], false}, {calls[2], true}, {calls[3], false}});
        QCOMPARE(rules.size(), size_t(1));
        QCOMPARE(rules[0].inseparable, (std::vector<ExprId>{calls[2]}));
        QVERIFY(rules[0].rule.empty());
    }
};

PARTITA_TEST(TestRulesFromVerdicts)

}  // namespace test_rules_from_verdicts

#include "test_rules_from_verdicts.moc"
