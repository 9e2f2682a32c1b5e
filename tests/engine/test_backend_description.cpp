// Backend descriptions: what is read, and what is said of faults.
#include <QtTest>

#include "engine/rules/backend_description.h"

using namespace partita;

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

    void ccompilerTakesAddSubtractMultiplyOnly() {
        Result<BackendDescription> backend = builtin_backend("ccompiler");
        QVERIFY(backend);
        QCOMPARE(backend->ops.size(), size_t(3));
        QVERIFY(backend->ops.count("add") && backend->ops.count("subtract") && backend->ops.count("multiply"));
    }

    void faultsAreReportedWithPlaceAndPath_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("syntax") << "{\"name\": \"v\",\n  oops}" << "v.json:2:3: error: expected a key in quotes";
        QTest::newRow("end") << "{\"name\": " << "v.json:1:10: error: expected a value, found the end of the text";
        QTest::newRow("no name") << "{}" << "v.json:1:1: error: the key \"name\" is missing";
        QTest::newRow("unknown key") << "{\"name\": \"v\",\n \"pattens\": []}"
                                     << "v.json:2:2: error: unknown key \"pattens\"; did you mean \"patterns\"?";
        QTest::newRow("twice") << "{\"name\": \"v\", \"name\": \"w\"}"
                               << "v.json:1:15: error: the key \"name\" stands twice";
        QTest::newRow("type") << "{\"name\": \"v\", \"ops\": {\n\"add\": 3}}"
                              << "v.json:2:8: error: ops.add: expected true, false or a rule in a string, found a number";
        QTest::newRow("limit") << "{\"name\": \"v\", \"limits\": {\"min_ops\": -1}}"
                               << "v.json:1:37: error: limits.min_ops: expected a whole number from 0";
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

    void misspeltBuiltInNameIsAnsweredWithTheNearest() {
        Result<BackendDescription> backend = load_backend("dnll");
        QVERIFY(!backend);
        QCOMPARE(QString::fromStdString(backend.error().message),
                 "there is no built-in backend \"dnll\"; did you mean \"dnnl\"?");
    }

    void nestingIsBounded() {
        std::string deep = "{\"name\": \"v\", \"ops\": " + std::string(100000, '[');
        QVERIFY(!parse_backend_description(deep, "v.json"));
    }
};

QTEST_GUILESS_MAIN(TestBackendDescription)
#include "test_backend_description.moc"
