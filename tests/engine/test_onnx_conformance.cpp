// ONNX's own backend tests, as in Debian's libonnx-testdata, compared with the list of refused ones; and newer
// operators.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "engine/session/onnx_conformance.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_onnx_conformance {

using namespace partita;
namespace w = onnx_writer;

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

    void resultsAreHeldAgainstTheExpectedOnes_data() {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kE = 2.718281828F;
        QTest::addColumn<QList<float>>("input");
        QTest::addColumn<QList<float>>("expected");
        QTest::addColumn<bool>("passes");
        QTest::newRow("as expected") << QList<float>{1, kE} << QList<float>{0, 1} << true;
        QTest::newRow("within the tolerance") << QList<float>{1, kE} << QList<float>{0, 1.0005F} << true;
        QTest::newRow("not a number, as expected") << QList<float>{-1, kE} << QList<float>{kNan, 1} << true;
        QTest::newRow("too far") << QList<float>{1, kE} << QList<float>{0, 1.002F} << false;
        QTest::newRow("not a number") << QList<float>{-1, kE} << QList<float>{0, 1} << false;
        QTest::newRow("a number") << QList<float>{1, kE} << QList<float>{kNan, 1} << false;
        QTest::newRow("another shape") << QList<float>{1, kE} << QList<float>{0} << false;
    }
    void resultsAreHeldAgainstTheExpectedOnes() {
        QFETCH(QList<float>, input);
        QFETCH(QList<float>, expected);
        QFETCH(bool, passes);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("test_data_set_0"));
        const auto write = [&](const char* name, const std::string& bytes) {
            std::ofstream(folder.filePath(name).toStdString(), std::ios::binary) << bytes;
        };
        const auto tensor = [](const char* name, const QList<float>& values) {
            return w::tensor(name, {values.size()}, {values.begin(), values.end()});
        };
        w::GraphParts parts{{w::node("Log", {"x"}, {"y"})},
                            {},
                            {w::value_info("x", {input.size()})},
                            {w::value_info("y", {input.size()})}};
        write("model.onnx", w::model(parts));
        write("test_data_set_0/input_0.pb", tensor("x", input));
        write("test_data_set_0/output_0.pb", tensor("y", expected));
        const OnnxTestResult result = run_onnx_test(folder.path().toStdString());
        QVERIFY2((result.outcome == OnnxTestOutcome::Passed) == passes, result.reason.c_str());
        QCOMPARE(result.outcome == OnnxTestOutcome::Failed, !passes);
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

PARTITA_TEST(TestOnnxConformance)

}  // namespace test_onnx_conformance

#include "test_onnx_conformance.moc"
