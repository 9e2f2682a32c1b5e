// Damaged Relay text gives at worst a message with a position, and any module survives printing and reading.
#include "relay_testing.h"

#include <random>

#include "engine/exporters/module_json.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/json/module_reader.h"
#include "engine/ops/registry.h"
#include "tests/engine/guarded_memory.h"
#include "tests/engine/module_equality.h"
#include "tests/registry.h"

namespace test_relay_robustness {

using namespace partita;

namespace {

constexpr const char* kTensor = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=";

/// Returns a text with every construct.
std::string sample() {
    return "#[version = \"0.0.5\"]\n"
           "def @helper(%a: Tensor[(2), float32] /* ty=Tensor[(2), float32] */, Inline=1, Compiler=\"dnnl\") -> "
           "Tensor[(2), float32] {\n"
           "  %0 = add(%a, meta[relay.Constant][0] /* ty=Tensor[(2), float32] */) /* ty=Tensor[(2), float32] */;\n"
           "  nn.relu(%0)\n}\n\n"
           "// a comment /* in a line\n/* one / with /* another */ in it */\n"
           "def @main(%x: Tensor[(2), float32], %y: (Tensor[(2), float32], int32), %c: bool) {\n"
           "  let %f: fn (Tensor[(2), float32]) -> Tensor[(2), float32] = fn (%b: Tensor[(2), float32]) {\n"
           "    clip(%b, a_min=0f, a_max=6.5f)\n  };\n"
           "  %1 = annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0]);\n"
           "  %2 = annotation.compiler_end(%1, meta[relay.attrs.CompilerAttrs][1]);\n"
           "  %3 = %y.0;\n"
           "  %4 = split(%2, indices_or_sections=[1i64]);\n"
           "  %5 = if (%c) {\n    %f(%3)\n  } else {\n    @helper(%2) * 2f - -1e-05f\n  };\n"
           "  %6 = ref(%5);\n"
           "  ref_write(%6, %3);\n"
           "  (%4, ref_read(%6), cast(%x, dtype=\"int8\"), (), (True,))\n}\n\n"
           "#[metadata]\n{\n  \"root\": 1, \n  \"nodes\": [\n    {\"type_key\": \"\"},\n"
           "    {\"type_key\": \"Map\", \"keys\": [\"relay.Constant\", \"relay.attrs.CompilerAttrs\"], \"data\": [2, "
           "4]},\n"
           "    {\"type_key\": \"Array\", \"data\": [3]}, {\"type_key\": \"relay.Constant\", \"attrs\": {\"data\": "
           "\"0\"}},\n"
           "    {\"type_key\": \"Array\", \"data\": [5, 6]},\n"
           "    {\"type_key\": \"relay.attrs.CompilerAttrs\", \"attrs\": {\"compiler\": \"dn\\u006el\"}},\n"
           "    {\"type_key\": \"relay.attrs.CompilerAttrs\", \"attrs\": {\"compiler\": \"dnnl\"}}\n"
           "  ], \n  \"b64ndarrays\": [\n    \"" +
           std::string(kTensor) + "\"\n  ], \n  \"attrs\": {\"tvm_version\": \"0.9.0\"}\n}";
}

/// Returns small texts of the reference data and of the project.
std::vector<std::string> samples() {
    std::vector<std::string> texts = {sample()};
    if (reference_folder().isEmpty()) return texts;
    size_t taken = 0;
    for (const auto& [name, text] : reference_texts())
        if (text.size() < 6000 && ++taken % 23 == 0) texts.push_back(text);
    return texts;
}

/// Parses a text that may be damaged; prints and types the module if it is valid.
void must_survive(std::string_view text, const std::string& what) {
    Result<Module> module = parse_relay(text);
    if (!module) {
        QVERIFY2(module.error().position.line > 0 && module.error().position.column > 0,
                 (what + ": no place: " + module.error().to_string()).c_str());
        QVERIFY2(!module.error().message.empty(), what.c_str());
        return;
    }
    std::string printed = print_relay(*module);
    Result<Module> again = parse_relay(printed);
    QVERIFY2(again, (what + ": " + (again ? "" : again.error().to_string()) + "\n" + printed).c_str());
    QVERIFY2(print_relay(*again) == printed, (what + "\n" + printed + "\n" + print_relay(*again)).c_str());
    (void)infer_types(*module);
}

}  // namespace

class TestRelayRobustness : public QObject {
    Q_OBJECT

private slots:
    void theSampleIsRight() {
        QCOMPARE(q(refusal(sample())), QString("accepted"));
        std::string printed = reprinted(sample());
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    void theExampleOfEveryOperatorSurvives() {
        for (const OpRecord& record : op_registry().records()) {
            std::string printed = reprinted(record.example, true);
            QVERIFY2(printed.starts_with("#[version"), (record.name + ": " + printed).c_str());
            QCOMPARE(q(reprinted(printed, true)), q(printed));
        }
    }

    /// Its integers have no width.
    void modulesSurviveAsJson() {
        std::vector<std::string> texts = {sample()};
        texts[0].replace(texts[0].find("1i64"), 4, "1");
        texts.push_back(
            "fn (%x: float32) { strided_slice(ones(shape=[2], dtype=\"float32\"), begin=[0], end=[1099511627776i64], "
            "strides=[1], axes=None) }");
        for (const OpRecord& record : op_registry().records()) texts.push_back(record.example);
        for (const std::string& text : texts) {
            const Module module = typed_module(text);
            Result<Module> again = read_module_json(module_to_json(module), "m.json");
            QVERIFY2(again, again ? "" : again.error().to_string().c_str());
            QVERIFY2(infer_types(*again), text.c_str());
            QCOMPARE(q(print_relay(*again)), q(print_relay(module)));
            if (&text != &texts[0]) QCOMPARE(q(module_difference(module, *again)), QString());
        }
    }

    void textCutAnywhereGivesAMessage() {
        for (const std::string& text : samples()) {
            testing::GuardedMemory memory(text.size());
            size_t step = text.size() < 3000 ? 1 : 37;
            for (size_t end = 0; end < text.size(); end += step) {
                must_survive({memory.put(text.data(), end), end}, "cut at " + std::to_string(end));
                if (QTest::currentTestFailed()) return;
            }
        }
    }

    void flippedBytesGiveAMessageOrAModule() {
        std::mt19937 random(20260101);
        std::vector<std::string> texts = samples();
        for (int round = 0; round < 20'000; ++round) {
            std::string text = texts[random() % texts.size()];
            for (unsigned flips = 1 + random() % 4; flips > 0; --flips)
                text[random() % text.size()] = char(random() % 256);
            must_survive(text, "round " + std::to_string(round));
            if (QTest::currentTestFailed()) return;
        }
    }

    void movedPiecesGiveAMessageOrAModule() {
        std::mt19937 random(7);
        std::vector<std::string> texts = samples();
        for (int round = 0; round < 20'000; ++round) {
            std::string text = texts[random() % texts.size()];
            size_t from = random() % text.size(), length = random() % 40;
            std::string piece = text.substr(from, length);
            if (random() % 2) text.erase(from, length);
            text.insert(random() % (text.size() + 1), piece);
            must_survive(text, "round " + std::to_string(round));
            if (QTest::currentTestFailed()) return;
        }
    }

    void generatedGraphsSurvivePrintingAndReading() {
        for (GraphKind kind : {GraphKind::Random, GraphKind::Chain, GraphKind::Ladder, GraphKind::Wide}) {
            for (uint64_t seed = 0; seed < 60; ++seed) {
                GenerateOptions options;
                options.outputs = 1 + int(seed % 3);
                options.inputs = 1 + int(seed % 5);
                Result<Module> module = generate_graph(kind, int64_t(1 + seed * seed % 300), seed, options);
                QVERIFY2(module, module ? "" : module.error().to_string().c_str());
                std::string printed = print_relay(*module);
                QCOMPARE(q(reprinted(printed, true)), q(printed));
            }
        }
    }
};

PARTITA_TEST(TestRelayRobustness)

}  // namespace test_relay_robustness

#include "test_relay_robustness.moc"
