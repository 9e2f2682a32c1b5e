// ONNX on the command line: import, export, split by regions, and models that cannot run.
#include <QtTest>

#include "tests/cli/cli_process.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_cli_onnx {

namespace w = onnx_writer;

namespace {

/// Returns y = Relu(Unheard(x)) with an unknown operator.
QByteArray unheard_model() {
    w::GraphParts parts{
        {w::node("Unheard", {"x"}, {"u"}, {w::attribute("count", 3)}, "strange", "own"), w::node("Relu", {"u"}, {"y"})},
        {},
        {w::value_info("x", {2, 3})},
        {w::value_info("y", {2, 3})}};
    return QByteArray::fromStdString(w::model(parts));
}

}  // namespace

class TestCliOnnx : public QObject {
    Q_OBJECT

private slots:
    void whatIsExportedAsOnnxOpensAgain() {
        QTemporaryDir folder;
        QString out = folder.filePath("diamond.onnx");
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "--backends", "ccompiler", "-o", out}).status, 0);
        CliRun info = run_cli({"info", out, "--json"});
        QCOMPARE(info.status, 0);
        const QString same = folder.filePath("diamond.part.relay");
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "--backends", "ccompiler", "-o", same}).status, 0);
        const QJsonObject expected = run_cli({"info", same, "--json"}).json();
        for (const char* count : {"calls", "functions", "parameters"})
            QCOMPARE(info.json()[count].toInt(), expected[count].toInt());
    }

    void attentionIsOneOperatorUntilItIsLowered() {
        QTemporaryDir folder;
        const QString model = folder.filePath("attention.onnx"), whole = folder.filePath("whole.relay"),
                      parts = folder.filePath("parts.relay"), again = folder.filePath("again.onnx");
        const w::GraphParts graph{
            {w::node("Attention", {"x", "x", "x"}, {"y"},
                     {w::attribute("q_num_heads", 2), w::attribute("kv_num_heads", 2), w::attribute("is_causal", 1)})},
            {},
            {w::value_info("x", {1, 9, 8})},
            {w::value_info("y", {1, 9, 8})}};
        write_content(model, QByteArray::fromStdString(w::model(graph, 23)));
        const CliRun with_warning = run_cli({"export", model, "-o", whole});
        QCOMPARE(with_warning.status, 0);
        QVERIFY2(with_warning.errors.contains("TVM does not have; --lower"), with_warning.errors.constData());
        const CliRun lowered = run_cli({"export", model, "--lower", "-o", parts});
        QCOMPARE(lowered.status, 0);
        QCOMPARE(lowered.errors, QByteArray());
        QCOMPARE(run_cli({"export", model, "-o", again}).errors, QByteArray());
        const auto operators = [](const QString& file) {
            QStringList names;
            for (const QJsonValue& each : run_cli({"info", file, "--json"}).json()["operators"].toArray())
                names << each.toObject()["op"].toString();
            return names;
        };
        QVERIFY(operators(whole).contains("nn.attention"));
        for (const QString& file : {parts, again}) {
            QVERIFY(!operators(file).contains("nn.attention"));
            QVERIFY(operators(file).contains("nn.softmax"));
            const CliRun compared = run_cli({"run", file, "--backends", "dnnl_all", "--compare"});
            QCOMPARE(compared.status, 0);
        }
        const CliRun run = run_cli({"run", model, "--backends", "dnnl_all", "--lower", "--compare"});
        QVERIFY2(run.status == 0 && run.output.contains("equal within the tolerance"), run.output.constData());
    }

    /// Four terabytes of weights in a sparse file: what reads none works, what needs them all says so at once.
    void weightsLargerThanMemoryAreRefusedAtOnce() {
        QTemporaryDir folder;
        constexpr qint64 kRows = 1'000'000, kColumns = 1'000'000;
        QFile weights(folder.filePath("weights.bin"));
        QVERIFY(weights.open(QIODevice::WriteOnly));
        if (!weights.resize(kRows * kColumns * 4)) QSKIP("no sparse file of 4 TB can be made here");
        const std::string tensor = w::number(1, kRows) + w::number(1, kColumns) + w::number(2, 1) + w::bytes(8, "w") +
                                   w::bytes(13, w::bytes(1, "location") + w::bytes(2, "weights.bin")) +
                                   w::number(14, 1);
        w::GraphParts parts{{w::node("MatMul", {"x", "w"}, {"y"})},
                            {tensor},
                            {w::value_info("x", {1, kRows})},
                            {w::value_info("y", {1, kColumns})}};
        const QString file = folder.filePath("large.onnx");
        write_content(file, QByteArray::fromStdString(w::model(parts)));
        QCOMPARE(run_cli({"info", file}).status, 0);
        QCOMPARE(run_cli({"coverage", file, "--backends", "dnnl"}).status, 0);
        const QStringList all[] = {{"run", file},
                                   {"partition", file, "--backends", "dnnl"},
                                   {"export", file, "--form", "json", "-o", folder.filePath("large.json")}};
        for (const QStringList& command : all) {
            const CliRun refused = run_cli(command);
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.errors.contains("of memory") && refused.errors.contains(" TB"),
                     refused.errors.constData());
        }
    }

    void splitWritesAModelForEachRegionAndAManifest() {
        QTemporaryDir folder;
        CliRun run = run_cli(
            {"export", sample("diamond.relay"), "--backends", "ccompiler", "--split", folder.filePath("parts")});
        QCOMPARE(run.status, 0);
        QJsonObject manifest = QJsonDocument::fromJson(content_of(folder.filePath("parts/manifest.json"))).object();
        QCOMPARE(manifest["format"].toString(), QString("partita-onnx-split"));
        QStringList backends;
        for (const QJsonValue& model : manifest["models"].toArray()) {
            QCOMPARE(run_cli({"info", folder.filePath("parts/" + model["file"].toString())}).status, 0);
            backends << model["backend"].toString();
        }
        QVERIFY(backends.contains("ccompiler") && backends.contains("default"));
    }

    void unknownOperatorsAreShownButNotRun() {
        QTemporaryDir folder;
        QString model = folder.filePath("unheard.onnx");
        write_content(model, unheard_model());
        CliRun info = run_cli({"info", model});
        QCOMPARE(info.status, 0);
        QVERIFY2(info.output.contains("Unheard"), info.output.constData());
        QCOMPARE(run_cli({"partition", model, "--backends", "dnnl"}).status, 0);
        CliRun run = run_cli({"run", model});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("Unheard (node 'strange') is shown, but can't be run"), run.errors.constData());
        CliRun strict = run_cli({"info", model, "--strict"});
        QCOMPARE(strict.status, 1);
        QVERIFY2(strict.errors.contains("Unheard (node 'strange')"), strict.errors.constData());
    }

    void onnxRuntimeGivesEqualResults() {
        QString modules = qEnvironmentVariable("PARTITA_ONNXRUNTIME");
        if (modules.isEmpty()) QSKIP("PARTITA_ONNXRUNTIME does not name a folder where onnxruntime-node is installed");
        for (const QStringList& flow :
             {QStringList(), QStringList{"--backends", "dnnl"}, QStringList{"--backends", "dnnl", "--split"}}) {
            QProcess node;
            node.setWorkingDirectory(modules);
            node.setProcessChannelMode(QProcess::MergedChannels);
            QStringList arguments{PARTITA_SOURCE_DIR "/tests/bench/compare_onnxruntime.mjs", PARTITA_CLI};
            arguments << flow;
            for (const char* name : {"attention-block", "diamond", "one-divide", "quantized-block", "residual-block"})
                arguments << sample(QString(name) + ".relay");
            node.start("node", arguments);
            if (!node.waitForStarted()) QSKIP("node is not installed");
            QVERIFY(node.waitForFinished(300000));
            QByteArray said = node.readAll();
            if (node.exitCode() == 77) QSKIP("onnxruntime-node is not installed there");
            QVERIFY2(node.exitCode() == 0, said.constData());
        }
    }
};

PARTITA_TEST(TestCliOnnx)

}  // namespace test_cli_onnx

#include "test_cli_onnx.moc"
