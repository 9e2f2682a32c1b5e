// partita-cli: named dimensions of ONNX models, tables over sizes.
#include <QtTest>

#include "tests/cli/cli_process.h"
#include "tests/engine/tiny_decoder.h"
#include "tests/registry.h"

namespace test_cli_dimensions {

class TestCliDimensions : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString decoder() const { return folder_.filePath("decoder.onnx"); }

private slots:
    void initTestCase() { write_content(decoder(), QByteArray::fromStdString(tiny_decoder::model())); }

    void infoListsTheNamesWithTheirInputs() {
        const CliRun text = run_cli({"info", decoder(), "--dim", "past=4"});
        QCOMPARE(text.status, 0);
        for (const char* part : {"total         5  past + seq  attention_mask[1]", "past          4  given",
                                 "seq           1  assumed     input_ids[1], position_ids[1]"})
            QVERIFY2(text.output.contains(part), text.output.constData());
        const QJsonArray names = run_cli({"info", decoder(), "--json"}).json()["dimensions"].toArray();
        QCOMPARE(names.size(), 4);
        const QJsonObject total = names[2].toObject();
        QCOMPARE(total["name"].toString(), QString("total"));
        QCOMPARE(total["size"].toInt(), 2);
        QCOMPARE(total["source"].toString(), QString("derived"));
        QCOMPARE(total["relation"].toString(), QString("past + seq"));
        QCOMPARE(total["inputs"][0]["input"].toString(), QString("attention_mask"));
        QVERIFY(!run_cli({"info", sample("diamond.relay"), "--json"}).json().contains("dimensions"));
    }

    void aContradictionIsRefusedByName() {
        const CliRun run = run_cli({"info", decoder(), "--dim", "past=3", "--dim", "seq=1", "--dim", "total=9"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("'total' can't be 9 with") &&
                     run.errors.contains("dimension 2 of 'present.0.key' is then 4"),
                 run.errors.constData());
    }

    /// The model may have changed since.
    void sizesThatAProjectKeepsAreCorrected() {
        const QString project = folder_.filePath("kept.partita");
        write_content(project, R"({"format": "partita", "version": 2, "module": "decoder.onnx",
                                   "dimensions": {"past": 3, "seq": 1, "total": 9}})");
        const CliRun run = run_cli({"info", project});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.errors.contains("'total' was given as 9, which contradicts the model"), run.errors.constData());
    }

    /// Nobody wants the time of an image of one pixel.
    void aRunAsksForTheSizesThatNothingSays() {
        for (const QStringList& command : {QStringList{"run", decoder()}, {"place", decoder(), "--backends", "dnnl"}}) {
            const CliRun run = run_cli(command + QStringList{"--dim", "past=4"});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.errors.contains("nothing says that of 'seq' (dimension 1 of 'input_ids'): give it with --dim "
                                         "NAME=SIZE"),
                     run.errors.constData());
            QVERIFY2(run.output.isEmpty(), run.output.constData());
        }
        // The batch alone may be 1.
        QCOMPARE(run_cli({"run", decoder(), "--dim", "past=4", "--dim", "seq=1", "--repeat", "1"}).status, 0);
    }

    void aRunOverSizesIsOneTable() {
        const QStringList command{"run", decoder(), "--dim", "seq=1,5", "--dim", "past=0,8", "--repeat", "1"};
        const CliRun text = run_cli(command + QStringList{"--compare", "--backends", "ccompiler"});
        QCOMPARE(text.status, 0);
        const QList<QByteArray> lines = text.output.split('\n');
        QVERIFY2(lines[0].simplified().startsWith("seq total past median ms"), lines[0].constData());
        for (const auto& [line, start] : {std::pair(1, "1 1 0 "), {2, "1 9 8 "}, {3, "5 5 0 "}, {4, "5 13 8 "}}) {
            QVERIFY2(lines[line].simplified().startsWith(start), lines[line].constData());
            QVERIFY2(lines[line].endsWith("equal"), lines[line].constData());
        }
        QVERIFY2(lines[5].startsWith("batch = 1; "), lines[5].constData());
        const QJsonArray sizes = run_cli(command + QStringList{"--json"}).json()["sizes"].toArray();
        QCOMPARE(sizes.size(), 4);
        QCOMPARE(sizes[3].toObject()["outputs"][1]["shape"][2].toInt(), 13);
        QCOMPARE(sizes[3].toObject()["dimensions"][2]["size"].toInt(), 13);
    }

    void aDecoderGeneratesTokens() {
        const QStringList command{"run", decoder(), "--decode", "4", "--dim", "seq=3", "--repeat", "1"};
        const CliRun text = run_cli(command + QStringList{"--backends", "dnnl", "--compare"});
        QCOMPARE(text.status, 0);
        const QList<QByteArray> lines = text.output.split('\n');
        for (const auto& [line, cache] : {std::pair(1, " 0 3 "), {2, " 3 1 "}, {3, " 4 1 "}, {4, " 5 1 "}}) {
            QVERIFY2(lines[line].simplified().contains(cache), lines[line].constData());
            QVERIFY2(lines[line].endsWith("equal"), lines[line].constData());
        }
        for (const char* part : {"with a prompt of 3 tokens", "each further token: ", "tokens/s"})
            QVERIFY2(text.output.contains(part), text.output.constData());
        const QJsonObject json = run_cli(command + QStringList{"--json"}).json();
        QCOMPARE(json["prompt_tokens"].toInt(), 3);
        QCOMPARE(json["tokens"].toArray().size(), 4);
        QCOMPARE(json["tokens"][3]["cache"].toInt(), 5);
        QVERIFY(json["first_token_ms"].toDouble() > 0 && json["token_ms"].toDouble() > 0);
    }

    void whatADecoderCanNotDoIsRefused() {
        const auto refused = [&](const QStringList& more, const char* reason) {
            const CliRun run = run_cli(QStringList{"run", decoder(), "--decode", "2"} + more);
            return run.status == 1 && run.errors.contains(reason);
        };
        QVERIFY(refused({"--dim", "past=3"}, "starts with an empty cache"));
        QVERIFY(refused({"--save-run", folder_.filePath("r.json")}, "--save-run is for one run"));
        const CliRun none = run_cli({"run", sample("diamond.relay"), "--decode", "2"});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.errors.contains("no input is called past"), none.errors.constData());
        QCOMPARE(run_cli({"run", decoder(), "--decode", "0"}).status, 2);
    }

    void listsOfSizesAreRefusedWhereTheyMeanNothing() {
        const CliRun info = run_cli({"info", decoder(), "--dim", "seq=1,5"});
        QCOMPARE(info.status, 1);
        QVERIFY2(info.errors.contains("only `run` takes several sizes"), info.errors.constData());
        const CliRun saved = run_cli({"run", decoder(), "--dim", "seq=1,5", "--save-run", folder_.filePath("r.json")});
        QCOMPARE(saved.status, 1);
        QVERIFY2(saved.errors.contains("--save-run is for one run"), saved.errors.constData());
        QString many = "seq=1";
        for (int i = 2; i < 40; ++i) many += QString(",%1").arg(i);
        const CliRun all = run_cli({"run", decoder(), "--dim", many, "--dim", "past" + many.mid(3)});
        QCOMPARE(all.status, 1);
        QVERIFY2(all.errors.contains("more than 1000 combinations"), all.errors.constData());
        for (const char* bad : {"seq=", "seq=1,", "seq=1,x", "=1", "seq=-1"})
            QCOMPARE(run_cli({"run", decoder(), "--dim", bad}).status, 2);
    }
};

PARTITA_TEST(TestCliDimensions)

}  // namespace test_cli_dimensions

#include "test_cli_dimensions.moc"
