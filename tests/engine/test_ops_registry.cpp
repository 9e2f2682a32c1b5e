#include <QtTest>

#include <fstream>
#include <set>

#include "engine/frontends/relay/value_text.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/session/operator_page.h"
#include "tests/engine/op_variations.h"
#include "tests/engine/relay_testing.h"
#include "tests/golden.h"
#include "tests/registry.h"

namespace test_ops_registry {

using namespace partita;

namespace {

constexpr const char* kRecordsFile = PARTITA_SOURCE_DIR "/tests/golden/op-records.txt";
constexpr const char* kPagesFile = PARTITA_SOURCE_DIR "/tests/golden/operator-pages.txt";

std::string shown(const AttributeField& field) {
    std::string text = "    " + field.name + " " + std::to_string(int(field.kind));
    if (field.required) return text + " required\n";
    text += " = ";
    relay::append_value(text, field.default_value);
    return text + "\n";
}

/// Returns what Relay's text and a run depend on; whole numbers are those of the enumerations.
std::string shown(const OpRecord& op) {
    std::string text = op.name + ":";
    for (const std::string& input : op.inputs) text += " " + input;
    if (op.variadic) text += " ...";
    text += "; pattern " + std::to_string(int(op.pattern)) + (op.same_bytes ? ", same bytes" : "");
    if (!op.metadata_key.empty()) text += ", " + op.metadata_key;
    const Module module = typed_module("#[version = \"0.0.5\"]\n" + op.example);
    double flops = 0;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* called = called_op_record(module, ExprId(i)); called && called->name == op.name)
            flops += call_flops(module, ExprId(i));
    text += "; " + std::to_string(int64_t(flops)) + " FLOP\n";
    for (const AttributeField& field : op.attributes) text += shown(field);
    return text;
}

}  // namespace

class TestOpsRegistry : public QObject {
    Q_OBJECT
private slots:
    void everyRecordIsComplete() {
        QVERIFY(!op_registry().records().empty());
        for (const OpRecord& op : op_registry().records()) {
            QVERIFY2(!op.name.empty(), "an op without a name");
            QVERIFY2(!op.summary.empty() && op.summary.ends_with("."), op.name.c_str());
            QVERIFY2(op.relation, op.name.c_str());
            QVERIFY2(op.kernel, op.name.c_str());
            QVERIFY2(!op.example.empty() && op.example.find(op.name + "(") != std::string::npos, op.name.c_str());
            QVERIFY2(!(op.c_element && op.c_loops), op.name.c_str());
            QVERIFY2(!op.variadic || !op.inputs.empty(), op.name.c_str());
        }
    }

    void theseCanNotBeWrittenInC() {
        std::string names;
        for (const OpRecord& op : op_registry().records())
            if (!op.c_element && !op.c_loops) names += (names.empty() ? "" : " ") + op.name;
        QCOMPARE(QString::fromStdString(names),
                 QString("opaque annotation.compiler_begin annotation.compiler_end reinterpret nn.batch_flatten"));
    }

    /// Of the function in the example: its operations, and what the record says of the operator.
    void recordsAreThoseOfTheGoldenFile() {
        std::map<std::string, std::string> known = testing::golden_by_op(kRecordsFile);
        std::string now;
        int wrong = 0;
        for (const OpRecord& op : op_registry().records()) {
            const std::string text = shown(op);
            now += text;
            if (known[op.name] == text || qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) continue;
            ++wrong;
            qWarning("%s\ninstead of\n%s", text.c_str(), known[op.name].c_str());
        }
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) std::ofstream(kRecordsFile) << now;
        else QCOMPARE(wrong, 0);
    }

    /// What the window shows of an operator: its call, its formula in C, its names in ONNX.
    void pagesAreThoseOfTheGoldenFile() {
        std::vector<std::string> now;
        for (const OpRecord& op : op_registry().records()) {
            const OperatorPage page = operator_page(op);
            std::string text = op.name + ": " + page.call + "; " + page.result;
            if (!page.formula.empty()) text += "; " + page.formula;
            for (const std::string& name : page.onnx) text += (&name == page.onnx.data() ? "; " : ", ") + name;
            std::replace(text.begin(), text.end(), '\n', ' ');
            now.push_back(std::move(text));
        }
        const QString difference = golden_difference(kPagesFile, now);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void namesAreUnique() {
        std::set<std::string> names;
        for (const OpRecord& op : op_registry().records()) QVERIFY2(names.insert(op.name).second, op.name.c_str());
        for (const OpRecord& op : op_registry().records()) {
            std::set<std::string> fields;
            for (const AttributeField& field : op.attributes)
                QVERIFY2(fields.insert(field.name).second, (op.name + "." + field.name).c_str());
        }
    }

    void defaultsHaveTheirDeclaredKind() {
        for (const OpRecord& op : op_registry().records())
            for (const AttributeField& field : op.attributes) {
                const AttributeValue& value = field.default_value;
                if (value.is_none()) continue;
                bool fits = false;
                switch (field.kind) {
                    case AttributeKind::Int: fits = value.as_integer(); break;
                    case AttributeKind::Bool: fits = value.as_bool(); break;
                    case AttributeKind::Double: fits = value.as_double(); break;
                    case AttributeKind::String: fits = value.as_string(); break;
                    case AttributeKind::DType: fits = value.as_dtype(); break;
                    case AttributeKind::IntegerList: fits = value.as_list(); break;
                    case AttributeKind::Object: fits = true; break;
                }
                QVERIFY2(fits, (op.name + "." + field.name).c_str());
            }
    }
};

PARTITA_TEST(TestOpsRegistry)

}  // namespace test_ops_registry

#include "test_ops_registry.moc"
