// Relax's two passes against TVM 0.20.0: 300 random modules with their patterns (tests/data/relax_partitioner.jsonl.z,
// a module a line, as zlib's bytes behind their length), and modules of TVM's own tests where the reference data are.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/division/division.h"
#include "engine/frontends/relax/printer.h"
#include "engine/frontends/relax/reader.h"
#include "engine/partitioners/partitioner.h"
#include "engine/partitioners/relax/passes.h"
#include "engine/rules/tvm_python.h"
#include "engine/session/graph_division.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_relax_partitioner {

using namespace partita;
using Json = nlohmann::json;

namespace {

/// Patterns that live as long as this.
struct Patterns {
    std::vector<std::shared_ptr<const Pattern>> parsed;
    std::vector<relax::FusionPattern> list;

    void add(const std::string& name, const std::string& text) {
        const Result<std::shared_ptr<const Pattern>> pattern = Pattern::parse(text);
        QVERIFY2(pattern, pattern ? "" : (text + ": " + pattern.error().to_string()).c_str());
        parsed.push_back(*pattern);
        list.push_back({name, parsed.back().get(), nullptr});
    }
};

relax::Program program_of(const std::string& text) {
    Result<relax::Program> program = relax::read(text);
    if (program) return std::move(*program);
    qWarning("%s", program.error().to_string().c_str());
    return {};
}

/// Returns what differs in functions, names, attributes, parameters and calls; "" if nothing does.
QString difference(const relax::Program& made, const std::string& text) {
    const relax::Program wanted = program_of(text);
    for (const auto& function : wanted.functions) {
        const relax::Function* found = made.find(function->name);
        if (!found) return "lacks " + QString::fromStdString(function->name);
        const std::string one = structure_of(made, *found), two = structure_of(wanted, *function);
        if (one != two) return QString::fromStdString(one + "\n--- not\n" + two);
    }
    return made.functions.size() == wanted.functions.size() ? "" : "more functions";
}

/// Whether every name is bound before it is used.
bool is_well_formed(const relax::Program& program) { return bool(relax::read(relax::print(program))); }

/// The notation in which TVM prints a pattern, as ours.
std::string own_notation(QString pattern) {
    static const QRegularExpression op("Op\\(([a-z0-9_.]+)\\)"), any_of("^OrPattern\\((.*) \\| (.*)\\)$"),
        shape("ShapePattern\\(\\* has shape \\[1\\]\\)");
    pattern.replace(op, "\\1").replace("ConstantPattern()", "constant").replace(shape, "*.has_shape(1)");
    return pattern.replace(any_of, "\\1 | \\2").toStdString();
}

relax::Program passed(const Json& line, const Patterns& patterns, const char* stage,
                      std::vector<relax::PassNote>& notes) {
    relax::PassResult found;
    relax::Rewriting rewriting(program_of(line["input"].get<std::string>()));
    fuse_by_pattern(rewriting, patterns.list, {}, found);
    notes = std::move(found.notes);
    if (QByteArray(stage) == "merged") merge_composites(rewriting, {}, notes);
    if (QByteArray(stage) == "annotated") annotate_codegen(rewriting);
    return std::move(rewriting.program);
}

const char* kDiamond =
    "@I.ir_module\nclass Module:\n    @R.function\n"
    "    def main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n"
    "        with R.dataflow():\n"
    "            a: R.Tensor((4,), dtype=\"float32\") = R.exp(x)\n"
    "            b: R.Tensor((4,), dtype=\"float32\") = R.tanh(a)\n"
    "            c: R.Tensor((4,), dtype=\"float32\") = R.add(a, b)\n"
    "            R.output(c)\n        return c\n";

Division divided(const char* text, const std::vector<std::pair<std::string, std::string>>& patterns,
                 std::map<std::string, std::string, std::less<>> options = {}) {
    const Result<OpenedModule> opened = open_text(text, "x.py");
    std::string json = "{\"name\": \"b\", \"patterns\": [";
    for (const auto& [name, pattern] : patterns)
        json += std::string(json.ends_with('[') ? "" : ", ") + "{\"name\": \"" + name + "\", \"pattern\": \"" +
                pattern + "\"}";
    const Result<BackendDescription> backend = parse_backend_description(json + "]}", "b.json");
    if (!opened || !backend) {
        qWarning("%s", (!opened ? opened.error() : backend.error()).to_string().c_str());
        return {};
    }
    GraphDivideRequest request{"relax", std::move(options), "", {}};
    request.divide.backends = {std::make_shared<const BackendDescription>(*backend)};
    std::vector<Diagnostic> notes;
    Result<Division> division = divide_graph(OpenedInput(*opened), *opened->graph, request, notes);
    if (division) return *division;
    qWarning("%s", division.error().to_string().c_str());
    return {};
}

}  // namespace

class TestRelaxPartitioner : public QObject {
    Q_OBJECT

private slots:
    /// But for the 24 modules whose result in TVM uses a value before it is defined: there ours is well formed.
    void passesMakeWhatTvmMakes() {
        QFile file(PARTITA_SOURCE_DIR "/tests/data/relax_partitioner.jsonl.z");
        QVERIFY(file.open(QIODevice::ReadOnly));
        int equal = 0, refused = 0;
        for (const QByteArray& bytes : qUncompress(file.readAll()).split('\n')) {
            if (bytes.isEmpty()) continue;
            const Json line = Json::parse(bytes.begin(), bytes.end());
            Patterns patterns;
            for (const Json& each : line["patterns"])
                patterns.add(each["name"].get<std::string>(), each["pattern"].get<std::string>());
            for (const char* stage : {"composite", "merged", "annotated"}) {
                std::vector<relax::PassNote> notes;
                const relax::Program made = passed(line, patterns, stage, notes);
                QVERIFY(is_well_formed(made));
                if (QByteArray(stage) == "merged" && !line["merged_well_formed"].get<bool>()) {
                    QVERIFY(!notes.empty());
                    ++refused;
                    continue;
                }
                const QString differs = difference(made, line[stage].get<std::string>());
                QVERIFY2(
                    differs.isEmpty(),
                    (std::to_string(line["seed"].get<int>()) + " " + stage + "\n" + differs.toStdString()).c_str());
                ++equal;
            }
        }
        QCOMPARE(equal, 876);
        QCOMPARE(refused, 24);
    }

    void passesMakeWhatTvmsTestsExpect() {
        if (testing::reference_folder().isEmpty()) QSKIP("no reference data");
        for (const Json& line : testing::read_json_lines(testing::reference_folder() + "/relax/tvm-suite.jsonl")) {
            const std::string name = line["test"].get<std::string>();
            bool has_check = false;
            Patterns patterns;
            if (line.contains("patterns"))
                for (const Json& each : line["patterns"]) {
                    has_check |= each["has_check"].get<bool>();
                    patterns.add(each["name"].get<std::string>(),
                                 own_notation(QString::fromStdString(each["pattern"].get<std::string>())));
                }
            // The check stands in Python; the one of test_check_pattern is false, the others are true.
            if (has_check)
                for (relax::FusionPattern& pattern : patterns.list)
                    pattern.check = [&](const auto&, const auto&) { return name != "test_check_pattern"; };
            relax::Rewriting rewriting(program_of(line["before"].get<std::string>()));
            relax::PassOptions options;
            const Json given = line.contains("options") ? line["options"] : Json::object();
            options.binds_constants = given.value("bind_constants", true);
            relax::PassResult found;
            if (line["pass"] == "MergeCompositeFunctions") merge_composites(rewriting, options, found.notes);
            else fuse_by_pattern(rewriting, patterns.list, options, found);
            if (given.value("annotate_codegen", false)) annotate_codegen(rewriting);
            QVERIFY(is_well_formed(rewriting.program));
            if (line.contains("error") && !line["error"].is_null()) continue;
            QVERIFY2(
                difference(rewriting.program, line["after"].get<std::string>()).isEmpty(),
                (name + "\n" + difference(rewriting.program, line["after"].get<std::string>()).toStdString()).c_str());
        }
    }

    void modelsAreDividedAsByTvm() {
        if (testing::reference_folder().isEmpty()) QSKIP("no reference data");
        const QString folder = testing::reference_folder() + "/relax/models/";
        Patterns patterns;
        for (const Json& each : Json::parse(testing::read_text(folder + "patterns.json")))
            patterns.add(each["name"].get<std::string>(), each["pattern"].get<std::string>());
        for (const char* model : {"bert_tiny", "llama4", "resnet50"})
            for (const char* stage : {"composite", "merged", "annotated"}) {
                const Json line{{"input", testing::read_text(folder + model + ".input.relax.py")}};
                std::vector<relax::PassNote> notes;
                const QString differs = difference(passed(line, patterns, stage, notes),
                                                   testing::read_text(folder + model + "." + stage + ".relax.py"));
                QVERIFY2(differs.isEmpty(), (std::string(model) + " " + stage + "\n" + differs.toStdString()).c_str());
            }
    }

    /// c uses a and b, and b, which is in no composite, uses a.
    void aRegionThatAnotherArgumentNeedsStaysApart() {
        const Division division = divided(kDiamond, {{"b.exp", "exp(*)"}, {"b.add", "add(*, *)"}});
        QCOMPARE(division.regions.size(), size_t(2));
        QCOMPARE(division.notes.size(), size_t(1));
        QCOMPARE(QByteArray(division.notes[0].form),
                 QByteArray("the argument's region is needed by another argument, through %1"));
    }

    void eachMatchIsARegionWithAnnotateCodegen() {
        const Division division =
            divided(kDiamond, {{"b.exp", "exp(*)"}, {"b.tanh", "tanh(*)"}, {"b.add", "add(*, *)"}},
                    {{"annotate-codegen", "yes"}});
        QCOMPARE(division.regions.size(), size_t(3));
        QCOMPARE(divided(kDiamond, {{"b.exp", "exp(*)"}, {"b.tanh", "tanh(*)"}, {"b.add", "add(*, *)"}}).regions.size(),
                 size_t(1));
    }

    /// TVM throws "A cyclic dependency detected" here.
    void aMatchThatWouldWaitForItselfIsRefused() {
        const Division division = divided(kDiamond, {{"b.add_exp", "add(exp(*), *)"}});
        QCOMPARE(division.regions.size(), size_t(0));
        QVERIFY(std::any_of(division.notes.begin(), division.notes.end(), [](const DivisionNote& note) {
            return QByteArray(note.form).endsWith("TVM fails there");
        }));
    }

    void tuplesEndARegionUpTo025() {
        const char* text =
            "@I.ir_module\nclass Module:\n    @R.function\n"
            "    def main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((2,), dtype=\"float32\"):\n"
            "        with R.dataflow():\n"
            "            t: R.Tuple(R.Tensor((2,), dtype=\"float32\"), R.Tensor((2,), dtype=\"float32\")) = R.split(x, "
            "indices_or_sections=2, axis=0)\n"
            "            a: R.Tensor((2,), dtype=\"float32\") = t[0]\n"
            "            b: R.Tensor((2,), dtype=\"float32\") = t[1]\n"
            "            c: R.Tensor((2,), dtype=\"float32\") = R.add(a, b)\n"
            "            R.output(c)\n        return c\n";
        const std::vector<std::pair<std::string, std::string>> patterns{{"b.split", "split(*)"},
                                                                        {"b.add", "add(*, *)"}};
        QCOMPARE(divided(text, patterns, {{"version", "0.25"}}).regions.size(), size_t(2));
        QCOMPARE(divided(text, patterns, {{"version", "0.26"}}).regions.size(), size_t(1));
    }

    void whatStandsInNoDataflowBlockIsNotMatched() {
        QByteArray text(kDiamond);
        text.replace("        with R.dataflow():\n", "")
            .replace("            R.output(c)\n", "")
            .replace("            ", "        ");
        const Division division = divided(text.constData(), {{"b.exp", "exp(*)"}});
        QCOMPARE(division.regions.size(), size_t(0));
        QCOMPARE(QByteArray(division.notes.at(0).form), QByteArray("a pattern matches, but not in a dataflow block"));
    }

    /// One with a prefix is Relax's own, though what is behind the prefix is an operator here; a slip of the pen is
    /// not.
    void aRuleMayNameAnOperatorOfRelax() {
        const auto has_fault = [](const std::string& op) {
            return !parse_backend_description("{\"name\": \"b\", \"ops\": {\"" + op + "\": true}}", "b.json");
        };
        QVERIFY(!has_fault("relax.nn.batch_norm"));
        QVERIFY(has_fault("mn.batch_norm"));
        QVERIFY(has_fault("nn.add"));
    }

    void namesThatOnlyRelaxHasAreWrittenAsTheyAre() {
        const Result<BackendDescription> backend = parse_backend_description(
            "{\"name\": \"b\", \"patterns\": [{\"name\": \"b.mm_gelu\", \"pattern\": \"nn.gelu(matmul(*, *))\"}]}",
            "b.json");
        QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        const Result<TvmPython> python = to_tvm_python(*backend, "tvm-relax");
        QVERIFY(python);
        QVERIFY(python->left_out.empty());
        QVERIFY(python->text.find("is_op(\"relax.nn.gelu\")(is_op(\"relax.matmul\")(wildcard(), wildcard()))") !=
                std::string::npos);
    }

    /// Ten thousand bindings; TVM 0.20 takes eleven seconds.
    void aLongChainIsDivided() {
        std::string text = kDiamond;
        std::string lines, before = "x";
        for (int i = 0; i < 10000; ++i) {
            const std::string name = "v" + std::to_string(i);
            lines += "            " + name + ": R.Tensor((4,), dtype=\"float32\") = R." +
                     (i % 3 == 0   ? "exp(" + before + ")"
                      : i % 3 == 1 ? "tanh(" + before + ")"
                                   : "add(" + before + ", x)") +
                     "\n";
            before = name;
        }
        text.insert(text.find("            a:"), lines);
        text.replace(text.find("R.exp(x)\n            b"), 8, "R.exp(" + before + ")");
        const Division division = divided(text.c_str(), {{"b.exp", "exp(*)"}, {"b.add", "add(*, *)"}});
        QVERIFY(division.regions.size() > 3000);
    }
};

PARTITA_TEST(TestRelaxPartitioner)

}  // namespace test_relax_partitioner

#include "test_relax_partitioner.moc"
