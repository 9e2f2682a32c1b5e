// Services for the rules editor: positions of rules, completions at a position, effects of an edit.
#include <QtTest>

#include "engine/explain/flow_change.h"
#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/description_outline.h"
#include "tests/registry.h"

namespace test_description_outline {

using namespace partita;

namespace {

/// Returns the words offered at <>.
QStringList words_at(std::string text) {
    const size_t at = text.find("<>");
    text.erase(at, 2);
    QStringList words;
    for (const CompletionItem& item : complete_description(text, at).items) words << QString::fromStdString(item.word);
    return words;
}

ModulePtr parse(const std::string& text) {
    auto module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*module));
}

}  // namespace

class TestDescriptionOutline : public QObject {
    Q_OBJECT

private slots:
    void rulesAreFoundWithTheirLines() {
        std::vector<RulePlace> places = outline_description(
            "{\"name\": \"v\",\n \"ops\": {\n  \"add\": true,\n  \"nn.relu\": \"true\"},\n \"patterns\": [\n  "
            "{\"name\": \"v.p\", "
            "\"pattern\": \"*\"}]}");
        QCOMPARE(places.size(), size_t(3));
        QCOMPARE(places[0].rule, std::string("ops.add"));
        QCOMPARE(places[0].position.line, 3u);
        QCOMPARE(places[1].rule, std::string("ops.nn.relu"));
        QCOMPARE(places[2].rule, std::string("v.p"));
        QCOMPARE(places[2].position.line, 6u);
        QVERIFY(outline_description("{\"ops\": {").empty());
        QVERIFY(outline_description("{\"ops\": 1, \"patterns\": [1, {\"name\": 2}]}").empty());
    }

    void keysOfTheDocumentAreOffered() {
        QVERIFY(words_at("{<>").contains("\"ops\""));
        QCOMPARE(words_at("{\"na<>"), QStringList{"name"});
        QVERIFY(words_at("{\"name\": \"v\", \"limits\": {\"<>").contains("min_flops"));
        QVERIFY(words_at("{\"patterns\": [{\"<>").contains("check"));
        QVERIFY(words_at("{\"expect\": [{\"module\": \"\", \"<>").contains("because"));
        QCOMPARE(words_at("{\"codegen\": \"cc<>"), QStringList{"ccompiler"});
        QVERIFY(words_at("{\"ops\": {\"add\": tr<>").contains("true"));
    }

    void aFunctionsFieldsAreOffered() {
        QCOMPARE(words_at("{\"ops\": {\"add\": \"function.<>"), (QStringList{"name", "attrs"}));
    }

    void operatorsAreOfferedTheNearestFirst() {
        const QStringList words = words_at("{\"ops\": {\"conv2d<>");
        QVERIFY(words.contains("nn.conv2d") && words.contains("nn.conv2d_transpose"));
        QCOMPARE(words_at("{\"ops\": {\"nn.conv2d_t<>").first(), QString("nn.conv2d_transpose"));
        QVERIFY(words_at("{\"transparent\": [\"annotation.st<>").contains("annotation.stop_fusion"));
        // A complete word gets no completion.
        QVERIFY(!words_at("{\"ops\": {\"nn.dense<>").contains("nn.dense"));
    }

    void attributesOfTheRulesOperatorAreOffered() {
        const QStringList words = words_at("{\"ops\": {\"nn.conv2d\": \"attrs.<>");
        QVERIFY(words.contains("kernel_size") && words.contains("groups") && !words.contains("axis"));
        QCOMPARE(words_at("{\"ops\": {\"nn.conv2d\": \"attrs.gr<>").first(), QString("groups"));
        // The operator of a producer is unknown.
        QVERIFY(words_at("{\"ops\": {\"nn.conv2d\": \"args[0].attrs.<>").contains("axis"));
    }

    void wordsOfRulesAreOffered() {
        QVERIFY(words_at("{\"ops\": {\"add\": \"<>").contains("args"));
        QVERIFY(words_at("{\"ops\": {\"add\": \"args[0].<>").contains("dtype"));
        QVERIFY(words_at("{\"ops\": {\"add\": \"args[0].ch<>").contains("chain("));
        QVERIFY(words_at("{\"ops\": {\"add\": \"prod<>").contains("product("));
        QVERIFY(words_at("{\"ops\": {\"add\": \"args.all(arg, ar<>").contains("arg"));
        QVERIFY(words_at("{\"ops\": {\"add\": \"args[0].dtype == 'float<>").contains("float32"));
        QVERIFY(words_at("{\"ops\": {\"add\": \"args[0].op == 'nn.re<>").contains("nn.relu"));
        QVERIFY(!words_at("{\"ops\": {\"add\": \"args[0].op == 'float<>").contains("float32"));
    }

    void namesOfAPatternAreOfferedToItsCheck() {
        const char* text =
            "{\"patterns\": [{\"name\": \"v.p\", \"pattern\": \"c = nn.conv2d(w: *, *); nn.relu(c)\", \"check\": \"<>";
        const QStringList words = words_at(text);
        QVERIFY(words.contains("c") && words.contains("w") && words.contains("args"));
        QVERIFY(words_at("{\"patterns\": [{\"pattern\": \"conv = nn.conv2d(*, *); conv<>").contains("nn.conv2d"));
        QVERIFY(words_at("{\"patterns\": [{\"pattern\": \"conv = nn.conv2d(*, *); co<>").contains("conv"));
        QVERIFY(words_at("{\"patterns\": [{\"pattern\": \"*.has_<>").contains("has_dtype("));
        QVERIFY(words_at("{\"patterns\": [{\"pattern\": \"nn.relu(*).opt<>").contains("optional("));
    }

    // Any position in any text gets an answer whose position is inside the text.
    void completionTakesAnyText() {
        const std::string whole(builtin_backend_source("int8_accelerator"));
        uint32_t state = 1;
        auto random = [&](size_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; };
        for (int i = 0; i < 3000; ++i) {
            std::string text = whole;
            for (size_t changes = random(4); changes--;) {
                size_t at = random(text.size());
                if (random(2)) text.erase(at, 1 + random(8));
                else text[at] = "{}[]\",:\\0ae\x01\xff'."[random(15)];
            }
            const size_t offset = random(text.size() + 1);
            const Completion found = complete_description(text, offset);
            QVERIFY(found.begin <= offset);
        }
    }

    void anEditsChangeIsTold() {
        const ModulePtr module = parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = add(%x, %x);\n  %1 = tanh(%0);\n"
            "  multiply(%1, %1)\n}\n");
        auto flow = [&](const char* ops) {
            FlowOptions options;
            options.backends = {
                *parse_backend_description(std::string("{\"name\": \"v\", \"ops\": {") + ops + "}}", "v.json"),
                *builtin_backend("ccompiler")};
            return std::move(*run_flow(module, options));
        };
        const std::vector<std::string> names{"v", "ccompiler"};
        FlowResult before = flow("\"add\": true"), after = flow("\"tanh\": true");
        FlowChange change = compare_flows(&before, names, after, names);
        using Counts = std::vector<std::pair<std::string, int>>;
        QCOMPARE(change.gained.by_op, (Counts{{"tanh", 1}}));
        QVERIFY(change.lost.calls.empty());
        QCOMPARE(change.moved.by_op, (Counts{{"add", 1}}));
        QCOMPARE(change.regions_before, 2);
        QCOMPARE(change.regions_after, 3);
        change = compare_flows(&after, names, before, names);
        QCOMPARE(change.lost.by_op, (Counts{{"tanh", 1}}));
        QVERIFY(change.gained.calls.empty());
        QCOMPARE(change.moved.by_op, (Counts{{"add", 1}}));
        QCOMPARE(change.regions_before, 3);
        QCOMPARE(change.regions_after, 2);
        QVERIFY(compare_flows(&after, names, after, names).nothing());
        // Each of its parts is something.
        FlowChange more_bytes, more_regions, other_backend;
        more_bytes.boundary_bytes_after = more_regions.regions_after = 1;
        other_backend.moved.calls = {ExprId(0)};
        for (const FlowChange& some : {more_bytes, more_regions, other_backend}) QVERIFY(!some.nothing());
        // Another order of the same backends is no change.
        QCOMPARE(compare_flows(nullptr, {}, after, names).gained.calls.size(), size_t(3));
    }
};

PARTITA_TEST(TestDescriptionOutline)

}  // namespace test_description_outline

#include "test_description_outline.moc"
