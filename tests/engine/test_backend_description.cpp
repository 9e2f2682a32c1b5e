// Backend descriptions: valid ones, and messages for invalid ones.
#include <QRegularExpression>
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/explain/rule_tests.h"
#include "engine/ops/registry.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/pattern.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "engine/support/json_reader.h"
#include "tests/registry.h"

namespace test_backend_description {

using namespace partita;
using nlohmann::json;

namespace {

/// Checks a value against a JSON Schema; supports the keywords that our schema uses.
class SchemaCheck {
public:
    explicit SchemaCheck(const json& root) : root_(root) {}

    bool fits(const json& value, const json& schema) const {
        if (schema.is_boolean()) return schema;
        if (schema.contains("$ref")) {
            std::string pointer = schema["$ref"];
            return fits(value, root_.at(json::json_pointer(pointer.substr(1))));
        }
        if (schema.contains("const") && value != schema["const"]) return false;
        if (schema.contains("not") && fits(value, schema["not"])) return false;
        if (schema.contains("oneOf")) {
            int fitting = 0;
            for (const json& one : schema["oneOf"]) fitting += fits(value, one);
            if (fitting != 1) return false;
        }
        return !schema.contains("type") || fits_type(value, schema);
    }

private:
    bool fits_type(const json& value, const json& schema) const {
        std::string type = schema["type"];
        if (type == "object") return value.is_object() && fits_object(value, schema);
        if (type == "array") {
            if (!value.is_array()) return false;
            for (const json& item : value)
                if (!fits(item, schema["items"])) return false;
            return true;
        }
        if (type == "string") {
            if (!value.is_string()) return false;
            if (schema.contains("minLength") && value.get<std::string>().size() < schema["minLength"]) return false;
            return !schema.contains("pattern") || QRegularExpression(QString::fromStdString(schema["pattern"]))
                                                      .match(QString::fromStdString(value))
                                                      .hasMatch();
        }
        if (type == "boolean") return value.is_boolean();
        bool whole =
            value.is_number_integer() || (value.is_number() && value.get<double>() == std::floor(value.get<double>()));
        return whole && (!schema.contains("minimum") || value.get<double>() >= schema["minimum"].get<double>());
    }

    bool fits_object(const json& value, const json& schema) const {
        for (const json& key : schema.value("required", json::array()))
            if (!value.contains(key.get<std::string>())) return false;
        json properties = schema.value("properties", json::object());
        json others = schema.value("additionalProperties", json(true));
        for (const auto& [key, member] : value.items())
            if (!fits(member, properties.contains(key) ? properties[key] : others)) return false;
        return true;
    }

    const json& root_;
};

/// Returns a description with a test of its rules for the call with that number.
std::string with_expectation(const std::string& node) {
    return R"({"name": "v", "expect": [{"module": "m.relay", "node": )" + node + R"(, "supported": true}]})";
}

}  // namespace

class TestBackendDescription : public QObject {
    Q_OBJECT

private slots:
    void everyShippedDescriptionIsValid() {
        std::vector<std::string> names = builtin_backend_names();
        QVERIFY(names.size() >= 2);
        for (const std::string& name : names) {
            Result<BackendDescription> backend = builtin_backend(name);
            QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
            QCOMPARE(backend->name, name);
            QVERIFY(!backend->summary.empty());
        }
    }

    void theShippedDescriptionsPassTheirOwnTests() {
        int passed = 0;
        for (const std::string& name : builtin_backend_names()) {
            Result<BackendDescription> backend = builtin_backend(name);
            QVERIFY(backend);
            for (const RuleTestResult& result : run_rule_tests(*backend, ".")) {
                QVERIFY2(result.passed, (name + ", " + result.name + ": " + result.message).c_str());
                ++passed;
            }
        }
        QVERIFY(passed >= 4);
    }

    void aRuleTestThatFailsSaysWhatWasFound() {
        Result<BackendDescription> backend = parse_backend_description(
            R"({"name": "v", "ops": {"tanh": "args[0].rank == 4"}, "expect": [
                {"module": "def @main(%x: Tensor[(2, 2), float32]) { tanh(%x) }", "node": "tanh", "supported": true}]})",
            "v.json");
        QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        std::vector<RuleTestResult> results = run_rule_tests(*backend, ".");
        QCOMPARE(results.size(), size_t(1));
        QVERIFY(!results[0].passed);
        QCOMPARE(QString::fromStdString(results[0].message),
                 "it is not supported: args[0].rank == 4: args[0].rank is 2");
        QCOMPARE(results[0].position.line, 2u);
    }

    void aRuleTestNamesTheCompositeThatHoldsItsCall() {
        Result<BackendDescription> backend = parse_backend_description(
            R"json({"name": "v", "patterns": [{"name": "v.first", "pattern": "abs(exp(*))"},
                                              {"name": "v.second", "pattern": "tanh(sqrt(*))"}],
                    "expect": [{"module": "def @main(%x: Tensor[(2, 2), float32]) { tanh(sqrt(abs(exp(%x)))) }",
                                "node": "sqrt", "supported": true, "composite": "v.second"}]})json",
            "v.json");
        QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        const std::vector<RuleTestResult> results = run_rule_tests(*backend, ".");
        QVERIFY2(results[0].passed, results[0].message.c_str());
    }

    void aRuleTestWhoseModuleCannotBeReadSaysWhy() {
        for (const char* body : {"tahn(%x)", "add(%x)", "reshape(%x, newshape=[3])"}) {
            const QByteArray text = QByteArray(R"({"name": "v", "ops": {"tanh": true}, "expect": [
                {"module": "def @main(%x: Tensor[(2, 2), float32]) { BODY }", "node": "tanh", "supported": true}]})")
                                        .replace("BODY", body);
            Result<BackendDescription> backend = parse_backend_description(text.toStdString(), "v.json");
            if (!backend) continue;  // said when it is read
            const std::vector<RuleTestResult> results = run_rule_tests(*backend, ".");
            QVERIFY(!results[0].passed);
            QVERIFY2(!results[0].message.empty() && results[0].message.find("supported") == std::string::npos,
                     results[0].message.c_str());
        }
    }

    // The schema accepts exactly what the reader accepts.
    void theSchemaAgreesWithTheReader() {
        json schema = json::parse(std::ifstream(PARTITA_SOURCE_DIR "/resources/backend-description.schema.json"));
        SchemaCheck check(schema);
        for (const EmbeddedText& description : embedded_backends())
            QVERIFY2(check.fits(json::parse(description.text), schema), std::string(description.name).c_str());
        for (const char* text :
             {"{}", "[]", "{\"name\": 1}", "{\"name\": \"default\"}", "{\"name\": \"a b\"}",
              "{\"name\": \"v\", \"x\": 1}", "{\"name\": \"v\", \"ops\": []}",
              "{\"name\": \"v\", \"ops\": {\"add\": 1}}", "{\"name\": \"v\", \"patterns\": [{}]}",
              "{\"name\": \"v\", \"limits\": {\"min_ops\": -1}}", "{\"name\": \"v\", \"limits\": {\"min_ops\": 1.5}}",
              "{\"name\": \"v\", \"limits\": {\"ops\": 1}}", "{\"name\": \"v\", \"whole_graph\": 1}",
              "{\"name\": \"v\", \"transparent\": [1]}", "{\"name\": \"v\", \"codegen\": null}",
              "{\"name\": \"v\", \"expect\": [{\"module\": \"\", \"node\": 0, \"supported\": true}]}",
              "{\"name\": \"v\", \"patterns\": [{\"name\": \"\", \"pattern\": \"*\"}]}",
              "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"*\", \"check\": false}]}"}) {
            QVERIFY2(!check.fits(json::parse(text), schema), text);
            QVERIFY2(!parse_backend_description(text, "v.json"), text);
        }
        for (const char* text :
             {"{\"name\": \"v\"}",
              "{\"name\": \"v\", \"ops\": {\"add\": \"true\", \"subtract\": false}, \"limits\": {\"max_inputs\": 3}}",
              "{\"name\": \"v\", \"whole_graph\": true, \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"tanh(*)\", "
              "\"check\": true}]}"}) {
            QVERIFY2(check.fits(json::parse(text), schema), text);
            auto backend = parse_backend_description(text, "v.json");
            QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        }
    }

    void limitsReachAsFarAsTheirLargestValue() {
        for (const auto& [limit, largest, above] : {std::tuple("min_ops", "1000000000", "1000000001"),
                                                    {"max_outputs", "1e9", "1000000001"},
                                                    {"min_flops", "1e18", "1.1e18"},
                                                    {"weight_bytes", "1e15", "1000000000000001"}}) {
            const auto with = [limit = limit](const char* value) {
                return parse_backend_description(
                    std::string("{\"name\": \"v\", \"limits\": {\"") + limit + "\": " + value + "}}", "v.json");
            };
            const auto allowed = with(largest);
            QVERIFY2(allowed, allowed ? "" : allowed.error().to_string().c_str());
            QVERIFY2(!with(above), above);
        }
    }

    void ccompilerWideTakesAllThatCCanBeWrittenFor() {
        Result<BackendDescription> backend = builtin_backend("ccompiler_wide");
        QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        QCOMPARE(backend->codegen, std::string("ccompiler"));
        size_t written = 0;
        for (const OpRecord& op : op_registry().records()) {
            const bool taken = (op.c_element || op.c_loops || op.same_bytes) && !op.name.starts_with("annotation.");
            QVERIFY2(bool(backend->ops.count(op.name)) == taken, op.name.c_str());
            written += taken;
        }
        QCOMPARE(backend->ops.size(), written);
        QVERIFY(written > 150);
    }

    void rulesInDescriptionsAreLocatedInTheFile() {
        auto fault = [](const char* text) {
            auto backend = parse_backend_description(text, "v.json");
            return backend ? QString("no fault") : QString::fromStdString(backend.error().to_string());
        };
        QCOMPARE(fault("{\"name\": \"v\",\n \"ops\": {\"nn.conv2d\": \"attrs.stride == [1, 1]\"}}"),
                 "v.json:2:30: error: ops.nn.conv2d: nn.conv2d has no attribute 'stride'; did you mean 'strides'?");
        QCOMPARE(fault("{\"name\": \"v\", \"ops\": {\"nn.conv2\": true}}"),
                 "v.json:1:23: error: ops: there is no operator \"nn.conv2\"; did you mean \"nn.conv2d\"?");
        // Columns count escapes before the fault as written.
        QCOMPARE(fault("{\"name\": \"v\", \"ops\": {\"add\": \"op == \\\"add\\\" && arg[0].rank == 1\"}}"),
                 "v.json:1:48: error: ops.add: there is no 'arg'; did you mean 'args'?");
        QCOMPARE(fault("{\"name\": \"v\", \"patterns\": [\n {\"name\": \"v.p\", \"pattern\": \"tanhh(*)\"}]}"),
                 "v.json:2:30: error: patterns[0].pattern: there is no operator or name 'tanhh'; did you mean 'tanh'?");
        QCOMPARE(fault("{\"name\": \"v\", \"patterns\": [\n {\"name\": \"v.p\", \"pattern\": \"t: tanh(*)\", "
                       "\"check\": \"u.rank == 1\"}]}"),
                 "v.json:2:53: error: patterns[0].check: there is no 'u'; did you mean 't'?");
    }

    // The help page names every word of the language, and its example is valid.
    void theGuideIsWhole() {
        QFile file(QStringLiteral(PARTITA_SOURCE_DIR "/resources/help/rules.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string page = file.readAll().toStdString();
        for (auto words : {rule_names(), rule_fields(), rule_methods(), rule_functions()})
            for (const RuleWord& word : words)
                QVERIFY2(QRegularExpression(QStringLiteral("\\b%1\\b").arg(word.word.data()))
                             .match(QString::fromStdString(page))
                             .hasMatch(),
                         word.word.data());
        const size_t begin = page.find("```json\n") + 8;
        Result<BackendDescription> example =
            parse_backend_description(page.substr(begin, page.find("```", begin) - begin), "rules.md");
        QVERIFY2(example, example ? "" : example.error().to_string().c_str());
        for (const RuleTestResult& result : run_rule_tests(*example, "."))
            QVERIFY2(result.passed, result.message.c_str());
        // Each pattern in the table is valid; a suffix is tried after a call.
        const size_t table = page.find("| pattern | matches |"), end = page.find("\n\n", table);
        QRegularExpression code(QStringLiteral("`([^`]+)`"));
        int patterns = 0;
        const QString text = QString::fromStdString(page.substr(table, end - table));
        for (const QString& row : text.split(QLatin1Char('\n')).mid(2)) {
            auto found = code.globalMatch(row.section(QStringLiteral(" | "), 0, 0));
            while (found.hasNext()) {
                QString pattern = found.next().captured(1).replace("\"...\"", "\"float32\"");
                if (pattern.startsWith(QLatin1Char('.'))) pattern.prepend(QStringLiteral("nn.conv2d(*, *)"));
                if (pattern == "conv = ...;") continue;
                auto parsed = Pattern::parse(pattern.toStdString());
                bool only_part =
                    !parsed && parsed.error().message.find("can't become a composite") != std::string::npos;
                QVERIFY2(parsed || only_part,
                         (pattern.toStdString() + ": " + (parsed ? "" : parsed.error().to_string())).c_str());
                ++patterns;
            }
        }
        QVERIFY2(patterns >= 18, std::to_string(patterns).c_str());
    }

    void ccompilerTakesAddSubtractMultiplyOnly() {
        Result<BackendDescription> backend = builtin_backend("ccompiler");
        QVERIFY(backend);
        QCOMPARE(backend->ops.size(), size_t(3));
        QVERIFY(backend->ops.count("add") && backend->ops.count("subtract") && backend->ops.count("multiply"));
    }

    void faultsAreReportedWithPlaceAndPath_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("syntax") << "{\"name\": \"v\",\n  oops}"
                                << "v.json:2:3: error: expected a key in quotes";
        QTest::newRow("end") << "{\"name\": "
                             << "v.json:1:10: error: expected a value, found the end of the text";
        QTest::newRow("no name") << "{}"
                                 << "v.json:1:1: error: the key \"name\" is missing";
        QTest::newRow("unknown key") << "{\"name\": \"v\",\n \"pattens\": []}"
                                     << "v.json:2:2: error: unknown key \"pattens\"; did you mean \"patterns\"?";
        QTest::newRow("twice") << "{\"name\": \"v\", \"name\": \"w\"}"
                               << "v.json:1:15: error: the key \"name\" appears twice";
        QTest::newRow("type")
            << "{\"name\": \"v\", \"ops\": {\n\"add\": 3}}"
            << "v.json:2:8: error: ops.add: expected true, false or a rule in a string, found a number";
        QTest::newRow("limit") << "{\"name\": \"v\", \"limits\": {\"min_ops\": -1}}"
                               << "v.json:1:37: error: limits.min_ops: expected a whole number from 0";
        QTest::newRow("composite of another")
            << "{\"name\": \"v\", \"patterns\": [{\"name\": \"w.p\", \"pattern\": \"tanh(*)\"}]}"
            << "v.json:1:37: error: patterns[0].name: a composite of this backend is named \"v.NAME\"";
        QTest::newRow("two patterns of one name")
            << "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"tanh(*)\"},\n{\"name\": \"v.p\", "
               "\"pattern\": \"exp(*)\"}]}"
            << "v.json:2:10: error: patterns[1].name: another pattern has the name \"v.p\"";
        QTest::newRow("transparent op of two arguments") << "{\"name\": \"v\", \"transparent\": [\"copy\", \"add\"]}"
                                                         << "v.json:1:39: error: transparent[1]: add has 2 arguments: "
                                                            "an operator that goes where its neighbours go has one";
        QTest::newRow("a number as a text")
            << "{\"name\": \"v\", \"ops\": {\"nn.dense\": \"attrs.units > '4'\"}}"
            << "v.json:1:50: error: ops.nn.dense: can't compare a number or a list with a string";
        QTest::newRow("behind an escaped pair")
            << "{\"name\": \"v\", \"ops\": {\"add\": \"function.name == '\\ud83d\\ude00' || what\"}}"
            << "v.json:1:66: error: ops.add: there is no 'what'";
        QTest::newRow("codegen") << "{\"name\": \"v\",\n \"codegen\": \"ccompilr\"}"
                                 << "v.json:2:13: error: codegen: unknown codegen \"ccompilr\"; did you "
                                    "mean \"ccompiler\"?";
        QTest::newRow("far codegen") << "{\"name\": \"v\", \"codegen\": \"tensor cores\"}"
                                     << "v.json:1:26: error: codegen: unknown codegen \"tensor cores\"; "
                                        "there are default, ccompiler, dnnl, plugin:LIBRARY and command:PROGRAM";
        QTest::newRow("longer than a box can show")
            << QStringLiteral("{\"name\": \"v\", \"codegen\": \"command:%1\"}").arg(QString(2000, QLatin1Char('x')))
            << "v.json:1:26: error: codegen: this has 2008 bytes; at most 2000 are allowed";
        QTest::newRow("lines") << "{\"name\": \"v\", \"codegen\": \"command:a\\nb\"}"
                               << "v.json:1:26: error: codegen: there is a control character in this";
        QTest::newRow("zero byte") << "{\"name\": \"v\", \"codegen\": \"command:a\\u0000b\"}"
                                   << "v.json:1:26: error: codegen: there is a control character in this";
        QTest::newRow("ends in an escape") << "{\"name\": \"\\u0041"
                                           << "v.json:1:17: error: the string has no end";
        for (const char* node : {"0", "1.5", "1000000001"})
            QTest::newRow(node) << QString::fromStdString(with_expectation(node))
                                << "v.json:1:56: error: expect[0].node: expected a whole number from 1";
        QTest::newRow("no program") << "{\"name\": \"v\", \"codegen\": \"command: \"}"
                                    << "v.json:1:26: error: codegen: expected a name after \"command:\"";
        QTest::newRow("default") << "{\"name\": \"default\"}"
                                 << "v.json:1:10: error: name: \"default\" is the built-in backend";
    }
    void faultsAreReportedWithPlaceAndPath() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        Result<BackendDescription> backend = parse_backend_description(text.toStdString(), "v.json");
        QVERIFY(!backend);
        QCOMPARE(QString::fromStdString(backend.error().to_string()), message);
    }

    void everyFaultIsFoundAtOnceInTheOrderOfTheText() {
        CheckedDescription checked = check_backend_description(
            "{\"name\": \"v\", \"opps\": 1,\n \"ops\": {\"add\": \"arg[0].rank == 1\",\n  \"nn.relu\": 3, \"tanh\": "
            "true},\n"
            " \"patterns\": [{\"pattern\": \"*\"}, {\"name\": \"v.p\", \"pattern\": \"tanhh(*)\"}],\n"
            " \"limits\": {\"min_ops\": -1, \"max_inputs\": 1.5}}",
            "v.json");
        QVERIFY(!checked.description);
        QStringList found;
        for (const Diagnostic& fault : checked.faults)
            found << QString::fromStdString(fault.to_string()).section(':', 1, 4).simplified();
        QCOMPARE(found.size(), 7);
        QCOMPARE(found[0], "1:15: error: unknown key \"opps\"; did you mean \"ops\"?");
        QVERIFY(found[1].startsWith("2:18: error: ops.add"));
        QVERIFY(found[2].startsWith("3:14: error: ops.nn.relu"));
        QVERIFY(found[3].startsWith("4:15: error: patterns[0]"));
        QVERIFY(found[4].startsWith("4:61: error: patterns[1].pattern"));
        QVERIFY(found[5].startsWith("5:24: error: limits.min_ops"));
        QVERIFY(found[6].startsWith("5:42: error: limits.max_inputs"));
        // A wrong name does not hide the faults of its pattern.
        checked = check_backend_description(
            "{\"name\": \"v\", \"patterns\": [{\"name\": \"w.p\", \"pattern\": \"tanhh(*)\"}]}", "v.json");
        QCOMPARE(checked.faults.size(), size_t(2));
        // The single error of the short form counts the others.
        auto backend = parse_backend_description("{\"name\": 1, \"opps\": 1}", "v.json");
        QVERIFY(!backend);
        QCOMPARE(QString::fromStdString(backend.error().message),
                 "name: expected a string, found a number (and 1 more fault)");
    }

    void escapesBecomeUtf8() {
        Result<JsonValue> read = read_json(R"(["\u0041\u00e9\u20ac\ud83d\ude00\n\/"])");
        QVERIFY2(read, read ? "" : read.error().to_string().c_str());
        QCOMPARE(QString::fromStdString(read->items[0].text), QStringLiteral("Aé€😀\n/"));
    }

    void aTestsCallMayHaveALargeNumber() {
        Result<BackendDescription> backend = parse_backend_description(with_expectation("1000000000"), "v.json");
        QVERIFY2(backend, backend ? "" : backend.error().to_string().c_str());
        QCOMPARE(backend->expectations[0].node, 1000000000);
    }

    void manyFaultsAreFoundInTimeLinearInTheText() {
        std::string ops;
        for (int i = 0; i < 200000; ++i) ops += (i ? ",\n\"" : "\"") + ("nn.conv2d_" + std::to_string(i)) + "\": true";
        QElapsedTimer timer;
        timer.start();
        CheckedDescription checked = check_backend_description("{\"name\": \"v\", \"ops\": {" + ops + "}}", "v.json");
        QCOMPARE(checked.faults.size(), size_t(200));
        const qint64 limit = qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 50000 : 5000;
        QVERIFY2(timer.elapsed() < limit, qPrintable(QString::number(timer.elapsed())));
    }

    /// Sets a value in the text and keeps all other bytes.
    void aValueIsSetInItsPlace() {
        const auto set = [](const char* text, std::vector<std::string> path, const char* value) {
            return QString::fromStdString(with_json_value(text, path, value));
        };
        QCOMPARE(set("{\"a\" : [1,  {\"b\":2}]}", {"a", "1", "b"}, "\"x\""), "{\"a\" : [1,  {\"b\":\"x\"}]}");
        QCOMPARE(set("{\"ops\": {\"add\": true}}", {"ops", "exp"}, "true"),
                 "{\"ops\": {\n    \"exp\": true,\"add\": true}}");
        QCOMPARE(set("{\"ops\": {}}", {"ops", "exp"}, "true"), "{\"ops\": {\n    \"exp\": true\n  }}");
        QCOMPARE(set("{\"name\": \"v\"}", {"limits", "min_ops"}, "2"),
                 "{\n  \"limits\": {\"min_ops\": 2},\"name\": \"v\"}");
        QCOMPARE(set("[]", {"a"}, "1"), "");
        QCOMPARE(set("{", {"a"}, "1"), "");
        for (const char* beyond : {"1", "7"}) QCOMPARE(set("{\"a\": [1]}", {"a", beyond}, "1"), "");
    }

    void aTestsModuleStaysInItsFolder() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("in"));
        const std::string root = folder.path().toStdString();
        QVERIFY(write_file(root + "/out.relay", "secret words"));
        QVERIFY(write_file(root + "/in/good.relay",
                           "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { tanh(%x) }\n"));
        QVERIFY(QFile::link(folder.filePath("out.relay"), folder.filePath("in/link.relay")));
        const auto message = [&](const std::string& module) {
            auto backend =
                parse_backend_description("{\"name\": \"v\", \"ops\": {\"tanh\": true}, \"expect\": [{\"module\": \"" +
                                              module + "\", \"node\": 1, \"supported\": true}]}",
                                          "v.json");
            if (!backend) qFatal("%s", backend.error().to_string().c_str());
            return QString::fromStdString(run_rule_tests(*backend, root + "/in")[0].message);
        };
        QCOMPARE(message("good.relay"), "");
        QCOMPARE(message("../out.relay"),
                 "error: the module '../out.relay' is refused: the path leaves the folder of the tests' modules");
        QCOMPARE(message("link.relay"),
                 "error: the module 'link.relay' is refused: a link leaves the folder of the tests' modules");
        QCOMPARE(message(root + "/out.relay"),
                 QString::fromStdString(
                     "error: the module '" + root +
                     "/out.relay' is refused: the path must be relative to the folder of the tests' modules"));
        QCOMPARE(message("none.relay"), "error: the module 'none.relay' can't be read: No such file or directory");
    }

    void misspeltBuiltInNameIsAnsweredWithTheNearest() {
        Result<BackendDescription> backend = load_backend("dnll");
        QVERIFY(!backend);
        QCOMPARE(QString::fromStdString(backend.error().message),
                 "there is no built-in backend \"dnll\"; did you mean \"dnnl\"?");
    }

    // Randomly corrupted descriptions produce an error with a position.
    void brokenDescriptionsAreAnsweredNotCrashedOn() {
        uint32_t state = 1;
        auto random = [&](size_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; };
        std::string whole(embedded_backends()[0].text);
        for (const EmbeddedText& description : embedded_backends())
            if (description.name == "int8_accelerator") whole = description.text;
        for (int i = 0; i < 5000; ++i) {
            std::string text = whole;
            for (size_t changes = 1 + random(3); changes--;) {
                size_t at = random(text.size());
                if (random(2)) text.erase(at, 1 + random(8));
                else text[at] = "{}[]\",:\\0ae\x01\xff"[random(13)];
            }
            auto backend = parse_backend_description(text, "v.json");
            QVERIFY(backend || (!backend.error().message.empty() && backend.error().position.line > 0));
        }
    }

    void nestingIsBounded() {
        std::string deep = "{\"name\": \"v\", \"ops\": " + std::string(100000, '[');
        QVERIFY(!parse_backend_description(deep, "v.json"));
    }
};

PARTITA_TEST(TestBackendDescription)

}  // namespace test_backend_description

#include "test_backend_description.moc"
