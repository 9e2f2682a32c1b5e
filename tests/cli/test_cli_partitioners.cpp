// partita-cli: every command divides by any partitioner of the table, runs what it made, and says why.
#include <QtTest>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_partitioners {

class TestCliPartitioners : public QObject {
    Q_OBJECT

    static QStringList divided_by(const QString& command, const QString& model, const QString& partitioner) {
        return {command, model, "--backends", "dnnl,ccompiler", "--partitioner", partitioner};
    }
    static QJsonArray neighbours(const QString& model, const QString& partitioner) {
        return run_cli(divided_by("explain", model, partitioner) << "--json").json()["neighbours"].toArray();
    }

private slots:
    void initTestCase() { qputenv("PARTITA_VERIFY", "1"); }

    void whatIsDividedComputesTheSame_data() {
        QTest::addColumn<QString>("partitioner");
        for (const char* name : {"each", "components", "onnxruntime", "tflite", "litert-plugin"})
            QTest::newRow(name) << name;
    }
    void whatIsDividedComputesTheSame() {
        QFETCH(QString, partitioner);
        for (const char* model : {"random:40", "random:150", "ladder:30"}) {
            const CliRun run = run_cli(divided_by("run", model, partitioner) << "--compare");
            QVERIFY2(run.status == 0, run.errors.constData());
        }
    }

    void theRegionsAreThoseOfTheDivision_data() { whatIsDividedComputesTheSame_data(); }
    /// `explain` reads them back from the functions that were made.
    void theRegionsAreThoseOfTheDivision() {
        QFETCH(QString, partitioner);
        const QJsonArray regions =
            run_cli(divided_by("divide", "random:150", partitioner) << "--json").json()["regions"].toArray();
        QMap<QString, int> made;
        for (const QJsonValue& call :
             run_cli(divided_by("explain", "random:150", partitioner) << "--json").json()["calls"].toArray())
            if (const QString region = call["region"].toString(); !region.isEmpty()) ++made[region];
        QList<int> wanted, sizes = made.values();
        for (const QJsonValue& region : regions) wanted << int(region["nodes"].toArray().size());
        std::sort(wanted.begin(), wanted.end());
        std::sort(sizes.begin(), sizes.end());
        QCOMPARE(sizes, wanted);
    }

    void neighboursAreApartForThePartitionersReason_data() {
        QTest::addColumn<QString>("partitioner");
        QTest::addColumn<QString>("words");
        QTest::newRow("each") << "each"
                              << "each call is a region of its own";
        QTest::newRow("components") << "components"
                                    << "they were in one region, which depended on itself";
        QTest::newRow("onnxruntime") << "onnxruntime"
                                     << "they are in different waves of the provider";
        QTest::newRow("tflite") << "tflite"
                                << "an epoch takes all that is ready";
        QTest::newRow("litert-plugin") << "litert-plugin"
                                       << "they are in different runs of the file's order";
    }
    void neighboursAreApartForThePartitionersReason() {
        QFETCH(QString, partitioner);
        QFETCH(QString, words);
        int own = 0;
        for (const QJsonValue& pair : neighbours("random:150", partitioner)) {
            const QString kind = pair["kind"].toString(), text = pair["text"].toString();
            QVERIFY2(kind == "different_backend" || kind == "partitioner", qPrintable(kind + ": " + text));
            if (kind == "partitioner") QVERIFY2(text.startsWith(words), qPrintable(text));
            own += kind == "partitioner";
        }
        QVERIFY(own > 0);
    }

    /// Also those that are asked for a plain graph.
    void assignmentsByHandDecideFirst() {
        QStringList arguments = divided_by("divide", "ladder:30", "each") << "--json";
        const auto on_a_backend = [&] {
            QSet<QString> nodes;
            for (const QJsonValue& region : run_cli(arguments).json()["regions"].toArray())
                for (const QJsonValue& node : region["nodes"].toArray()) nodes << node.toString();
            return nodes.size();
        };
        QVERIFY(on_a_backend() > 0);
        arguments << "--override"
                  << "op:*=default";
        QCOMPARE(on_a_backend(), 0);
    }

    void aRegionThatDependsOnItselfIsRefusedByItsNumber() {
        const CliRun run = run_cli(divided_by("run", "random:150", "litert-weak"));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("depends on itself: it would have to run before and after itself"),
                 run.errors.constData());
    }

    void aDivisionFromAFileIsRunAsItSays() {
        QTemporaryDir folder;
        const QString file = folder.filePath("division.json");
        write_content(file, run_cli(divided_by("divide", "random:150", "components") << "--json").output);
        const CliRun run = run_cli(divided_by("run", "random:150", "given") << "--option"
                                                                            << "file=" + file << "--compare");
        QVERIFY2(run.status == 0, run.errors.constData());
        for (const QJsonValue& pair : neighbours("random:150", "given"))
            QVERIFY(pair["text"].toString() != "the partitioner given recorded no reason");
    }

    /// What TVM fused before goes where its name says, whole; what is for a compiler that nobody gave stays.
    void compositesOfARelaxFileAreInRegions() {
        QTemporaryDir folder;
        const QString model = folder.filePath("fused.py"), backend = folder.filePath("backend.json");
        write_content(model,
                      "@I.ir_module\nclass Module:\n"
                      "    @R.function(private=True)\n"
                      "    def fused(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n"
                      "        R.func_attr({\"Composite\": \"b.twice\", \"Primitive\": 1})\n"
                      "        with R.dataflow():\n"
                      "            y: R.Tensor((4,), dtype=\"float32\") = R.add(x, x)\n"
                      "            gv: R.Tensor((4,), dtype=\"float32\") = R.multiply(y, x)\n"
                      "            R.output(gv)\n"
                      "        return gv\n"
                      "    @R.function\n"
                      "    def main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n"
                      "        cls = Module\n"
                      "        with R.dataflow():\n"
                      "            a: R.Tensor((4,), dtype=\"float32\") = cls.fused(x)\n"
                      "            c: R.Tensor((4,), dtype=\"float32\") = R.exp(a)\n"
                      "            R.output(c)\n"
                      "        return c\n");
        for (const char* name : {"b", "other"}) {
            write_content(backend, QByteArray("{\"name\": \"") + name + "\", \"ops\": {\"tan\": true}}");
            const CliRun run = run_cli({"explain", model, "--backends", backend});
            QCOMPARE(run.status, 0);
            QCOMPARE(run.output.contains("1 region, calls: 2 on b, 1 on default"), QByteArray(name) == "b");
            QCOMPARE(run.output.contains("a compiler that is no backend here"), QByteArray(name) == "other");
        }
    }

    void anUnknownPartitionerOrOptionIsWrongUsage() {
        QCOMPARE(run_cli(divided_by("partition", "random:40", "tvn")).status, 2);
        const CliRun run = run_cli(divided_by("partition", "random:40", "tflite") << "--option"
                                                                                  << "most=2");
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("has no option"), run.errors.constData());
    }
};

PARTITA_TEST(TestCliPartitioners)

}  // namespace test_cli_partitioners

#include "test_cli_partitioners.moc"
