#include <QtTest>

#include <set>

#include "engine/ops/registry.h"

using namespace partita;

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

QTEST_GUILESS_MAIN(TestOpsRegistry)
#include "test_ops_registry.moc"
