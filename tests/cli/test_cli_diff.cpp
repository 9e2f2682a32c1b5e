// partita-cli diff: what it prints, as text and JSON, and its exit status.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_diff {

class TestCliDiff : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    QString file(const QString& name, const QByteArray& text) {
        QFile out(folder_.filePath(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qFatal("can't write");
        return out.fileName();
    }

private slots:
    void sameModulesGiveZero() {
        const QString a = file("a.relay", "def @main(%x: Tensor[(2, 8), float32]) { nn.softmax(%x, axis=1) }");
        CliRun run = run_cli({"diff", a, a});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.output, QByteArray("0 added, 0 removed, 0 changed, 2 the same\n"));
    }

    void differentModulesGiveOneAndSayWhat() {
        const QString a = file("a.relay", "def @main(%x: Tensor[(2, 8), float32]) { nn.softmax(%x, axis=1) }");
        const QString b = file("b.relay", "def @main(%x: Tensor[(2, 8), float32]) { nn.relu(nn.softmax(%x, axis=0)) }");
        CliRun run = run_cli({"diff", a, b});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.output.contains("+ nn.relu #2: Tensor[(2, 8), float32]\n"), run.output);
        QVERIFY2(run.output.contains("axis: 1 → 0"), run.output);
        QCOMPARE(run_cli({"diff", a, b, "--quiet"}).output, QByteArray());
        const QJsonObject json = QJsonDocument::fromJson(run_cli({"diff", a, b, "--json"}).output).object();
        QCOMPARE(json["identical"].toBool(), false);
        QCOMPARE(json["added"].toArray().size(), 1);
        QCOMPARE(json["changed"].toArray()[0].toObject()["what"].toArray()[0].toString(),
                 QStringLiteral("axis: 1 → 0"));
    }

    void twoDivisionsOfOneModuleAreCompared() {
        const QString a = file("a.relay", "def @main(%x: Tensor[(2, 8), float32]) { add(%x, %x) }");
        CliRun run = run_cli({"diff", a, a, "--backends-a", "ccompiler", "--backends-b", "dnnl"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.output.contains("backend: ccompiler → dnnl"), run.output);
    }

    void aFileThatCantBeReadIsRefused() {
        const QString a = file("a.relay", "def @main(%x: float32) { %x }");
        CliRun run = run_cli({"diff", a, folder_.filePath("missing.relay")});
        QCOMPARE(run.status, 2);  // 1 says that they differ
        QVERIFY(run.errors.contains("missing.relay"));
        QCOMPARE(run_cli({"diff", a}).status, 2);
    }

    void twoAlgorithmsAreCompared() {
        const auto status = [](const char* a, const char* b) {
            return run_cli({"diff", "random:40", "random:40", "--backends-a", "dnnl", "--backends-b", "dnnl",
                            "--partitioner-a", a, "--partitioner-b", b})
                .status;
        };
        QCOMPARE(status("components", "components"), 0);
        QCOMPARE(status("each", "components"), 1);
        QCOMPARE(status("each", "nobody"), 2);
    }

    /// Where two divisions of one model first differ, and why.
    void theFirstDifferenceOfTwoDivisionsHasAReason() {
        const QString a = file("two.relay",
                               "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) {\n"
                               "  %0 = nn.relu(%x);\n  %1 = exp(%x);\n  %2 = nn.relu(%1);\n  (%0, %2)\n}\n");
        const QString rules = file("npu.json", R"({"name": "npu", "ops": {"nn.relu": true, "exp": true}})");
        const auto diff = [&](const char* before, const char* after) {
            return run_cli({"diff", a, a, "--backends-a", rules, "--backends-b", rules, "--partitioner-a", before,
                            "--partitioner-b", after})
                .output;
        };
        QVERIFY2(diff("tvm", "components").contains("divisions: the same, 2 regions"), diff("tvm", "components"));
        QVERIFY2(diff("tvm", "each")
                     .contains("they first differ between exp #2 and nn.relu #3, together in A, apart in "
                               "B: each call is a region of its own"),
                 diff("tvm", "each"));
        QVERIFY2(
            diff("components", "tflite").contains("B puts it into one region with nn.relu #1, which it does not use"),
            diff("components", "tflite"));
        CliRun same = run_cli({"diff", a, a, "--backends-a", rules, "--backends-b", rules, "--json"});
        QCOMPARE(same.status, 0);
        QVERIFY2(same.json()["divisions"].toObject()["first"].isNull(), same.output.constData());
        const QString fewer = file("fewer.json", R"({"name": "npu", "ops": {"nn.relu": true}})");
        CliRun run = run_cli({"diff", a, a, "--backends-a", rules, "--backends-b", fewer, "--json"});
        const QJsonObject both = run.json()["divisions"].toObject();
        QCOMPARE(both["elsewhere"].toArray().size(), 1);
        QCOMPARE(both["elsewhere"].toArray()[0].toObject()["node"].toInt(), 2);
        QVERIFY(both["first"].toString().contains("no rule for exp"));
        QVERIFY(!run_cli({"diff", a, "random:40", "--backends-a", rules, "--backends-b", rules})
                     .output.contains("divisions"));
    }
};

PARTITA_TEST(TestCliDiff)

}  // namespace test_cli_diff

#include "test_cli_diff.moc"
