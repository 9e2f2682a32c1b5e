// ONNX's own backend tests, as in Debian's libonnx-testdata, compared with the list of refused ones; and newer
// operators.
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/session/onnx_conformance.h"

using namespace partita;

class TestOnnxConformance : public QObject {
    Q_OBJECT

private slots:
    void onlyTheRecordedTestsAreRefused_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"node", "pytorch-converted", "pytorch-operator", "simple"})
            QTest::newRow(folder) << folder;
    }
    void onlyTheRecordedTestsAreRefused() {
        QFETCH(QString, folder);
        std::string data = "/usr/share/libonnx-testdata/data/" + folder.toStdString();
        if (!std::filesystem::exists(data)) QSKIP("Debian's libonnx-testdata is not installed");
        std::set<std::string> recorded;
        std::ifstream list(PARTITA_SOURCE_DIR "/tests/golden/onnx-refused.txt");
        QVERIFY(list.good());
        for (std::string line; std::getline(list, line);)
            if (!line.empty() && line[0] != '#') recorded.insert(line.substr(0, line.find(':')));
        int passed = 0, refused = 0;
        QStringList wrong;
        for (const std::string& test : find_onnx_tests(data)) {
            OnnxTestResult result = run_onnx_test(test);
            bool good = result.outcome == OnnxTestOutcome::Passed;
            bool known = recorded.contains(folder.toStdString() + "/" + result.name);
            ++(good ? passed : refused);
            if (good == known)
                wrong << QString::fromStdString(result.name +
                                                (good ? " passes, but is recorded as refused" : ": " + result.reason));
        }
        qInfo("%s: %d passed, %d refused", qPrintable(folder), passed, refused);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// Operators newer than opset 17 and of com.microsoft, with the outputs of ONNX Runtime.
    void newOperatorsGiveWhatTheRuntimeGives() {
        const std::string data = PARTITA_SOURCE_DIR "/../shared/reference/onnx-new";
        if (!std::filesystem::exists(data)) QSKIP("no reference data");
        QStringList wrong;
        for (const std::string& test : find_onnx_tests(data))
            if (const OnnxTestResult result = run_onnx_test(test); result.outcome != OnnxTestOutcome::Passed)
                wrong << QString::fromStdString(result.name + ": " + result.reason);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestOnnxConformance)
#include "test_onnx_conformance.moc"
