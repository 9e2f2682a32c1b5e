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

    /// A product of four dimensions is three calls here.
    static constexpr const char* kRelax =
        "@I.ir_module\nclass Module:\n    @R.function\n"
        "    def main(x: R.Tensor((1, 2, 4, 4), dtype=\"float32\"), w: R.Tensor((1, 2, 4, 4), dtype=\"float32\")) -> "
        "R.Tensor((1, 2, 4, 4), dtype=\"float32\"):\n"
        "        with R.dataflow():\n"
        "            a: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.add(x, w)\n"
        "            b: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.matmul(a, w)\n"
        "            c: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.add(b, w)\n"
        "            d: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.exp(c)\n"
        "            e: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.matmul(d, w)\n"
        "            f: R.Tensor((1, 2, 4, 4), dtype=\"float32\") = R.add(e, w)\n"
        "            R.output(f)\n        return f\n";
    static constexpr const char* kBranches =
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32], %c: bool) {\n"
        "  %0 = exp(%x);\n  %1 = add(%0, %x);\n"
        "  %2 = if (%c) {\n    %3 = add(%1, %1);\n    tanh(%3)\n  } else {\n    subtract(%1, %x)\n  };\n"
        "  add(%2, %1)\n}\n";
    static QStringList kinds_of(const QJsonValue& call, const QString& backend) {
        QStringList kinds;
        for (const QJsonValue& cause : call["causes"].toArray())
            if (cause["backend"].toString() == backend) kinds << cause["kind"].toString();
        return kinds;
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

    void whatIsSaidOfAPlaceIsSo_data() {
        QTest::addColumn<QString>("partitioner");
        for (const char* name : {"tvm", "each", "components", "onnxruntime", "tflite", "litert-plugin", "torch-fx",
                                 "executorch-groups", "xnnpack-configs", "torch-tensorrt", "relax", "given"})
            QTest::newRow(name) << name;
    }
    /// What a person gave goes there, or the partitioner says why not; and what is on a backend has a reason to be.
    void whatIsSaidOfAPlaceIsSo() {
        QFETCH(QString, partitioner);
        QTemporaryDir folder;
        const QString relax = folder.filePath("model.py"), branches = folder.filePath("branches.relay"),
                      division = folder.filePath("division.json");
        write_content(relax, kRelax);
        write_content(branches, kBranches);
        for (const QString& model : {relax, branches, sample("attention-block.relay"), QString("random:60")}) {
            QStringList arguments = divided_by("explain", model, partitioner);
            if (partitioner == "given") {
                write_content(division, run_cli(divided_by("divide", model, "components") << "--json").output);
                arguments << "--option"
                          << "file=" + division;
            }
            for (const QStringList& given :
                 {QStringList(), QStringList{"op:add=default", "op:*matmul=ccompiler"},
                  QStringList{"op:reshape=ccompiler"}, QStringList{"#2=default", "#3=ccompiler"},
                  QStringList{"op:*=dnnl"}, QStringList{"op:*=default"}}) {
                QStringList all = arguments;
                for (const QString& each : given) all << "--override" << each;
                if (run_cli(all).errors.contains("matches no call")) continue;
                const CliRun run = run_cli(all << "--json");
                QVERIFY2(run.status == 0, run.errors.constData());
                for (const QJsonValue& call : run.json()["calls"].toArray()) check_claims(call, partitioner == "tvm");
                for (const QJsonValue& pair : run.json()["neighbours"].toArray())
                    QVERIFY2(pair["kind"] != "unknown", QJsonDocument(pair.toObject()).toJson());
            }
        }
    }
    static void check_claims(const QJsonValue& call, bool is_tvm) {
        const QString backend = call["backend"].toString();
        const QByteArray text = QJsonDocument(call.toObject()).toJson();
        bool left_out = false;
        for (const QJsonValue& cause : call["causes"].toArray()) {
            left_out |= cause["kind"] == "partitioner";
            QVERIFY2(is_tvm || !cause["text"].toString().contains("was asked"), text);  // each was
            if (cause["kind"] == "partitioner" && backend != "default") QVERIFY2(cause["backend"] != backend, text);
        }
        for (const QJsonValue& cause : call["causes"].toArray())
            if (cause["kind"] == "overridden")
                QVERIFY2(cause["backend"].toString() == backend || (left_out && backend == "default"), text);
        bool has_reason = false;
        if (backend == "default") {  // a rule that accepts it is no reason to be here
            for (const QJsonValue& cause : call["causes"].toArray()) {
                const QString kind = cause["kind"].toString();
                has_reason |= kind != "accepted" && kind != "composite";
            }
            QVERIFY2(has_reason, text);
            return;
        }
        for (const QString& kind : kinds_of(call, backend))
            has_reason |= QStringList{"accepted", "composite", "overridden", "transparent", "reported"}.contains(kind);
        QVERIFY2(has_reason, text);
    }

    /// A node of a file goes as a whole: what only gives a value another shape goes along, what computes decides.
    void aNodeOfSeveralCallsGoesWithWhatComputes() {
        QTemporaryDir folder;
        const QString relax = folder.filePath("model.py"), rules = folder.filePath("npu.json");
        write_content(relax, kRelax);
        write_content(rules, R"({"name": "npu", "ops": {"nn.batch_matmul": true, "exp": true}})");
        const auto places = [&] {
            QStringList found;
            const CliRun run =
                run_cli({"explain", relax, "--backends", rules, "--partitioner", "components", "--json"});
            for (const QJsonValue& call : run.json()["calls"].toArray())
                found << call["name"].toString().section(' ', 0, 0) + ":" + call["backend"].toString();
            return found;
        };
        QVERIFY2(places().contains("nn.batch_matmul:npu"), qPrintable(places().join(' ')));
        QVERIFY(places().contains("reshape:npu") && !places().contains("reshape:default"));
        // Shape changes alone are no reason.
        write_content(rules, R"({"name": "npu", "ops": {"reshape": true, "exp": true}})");
        QVERIFY2(!places().contains("reshape:npu"), qPrintable(places().join(' ')));
        const CliRun why = run_cli({"explain", relax, "--backends", rules, "--partitioner", "components"});
        QVERIFY2(why.output.contains("goes as a whole, and nn.batch_matmul"), why.output.constData());
    }

    /// A file that TVM divided holds equal regions once, and calls them more often.
    void coverageIsTheSameOfWhatIsDivided() {
        QTemporaryDir folder;
        const QString model = folder.filePath("model.py"), divided = folder.filePath("divided.py");
        write_content(model, kRelax);
        const auto coverage = [](const QString& file, const QStringList& more) {
            QStringList rows;
            double parameters = 0;
            const QJsonObject report = run_cli(QStringList{"coverage", file, "--json"} + more).json();
            for (const QJsonValue& backend : report["backends"].toArray()) {
                parameters += backend["parameter_bytes"].toDouble();
                for (const char* figure : {"calls", "flops", "boundary_tensors", "boundary_bytes"})
                    rows << QString::fromUtf8(figure) + " " + QString::number(backend[figure].toDouble());
            }
            return rows << QString::number(parameters);
        };
        const QStringList backends{"--backends", "dnnl"};
        QCOMPARE(run_cli(QStringList{"partition", model, "-o", divided} + backends).status, 0);
        QCOMPARE(content_of(divided).count("Codegen"), 2);  // three regions, of which two are equal
        QCOMPARE(coverage(divided, {}), coverage(model, backends));
        QVERIFY(run_cli({"info", divided}).output.contains("operations  " + flops_of(model)));
    }
    static QByteArray flops_of(const QString& model) {
        const QByteArray text = run_cli({"info", model}).output;
        const qsizetype at = text.indexOf("operations  ") + 12;
        return text.mid(at, text.indexOf('\n', at) - at);
    }

    void anOptionIsForThePartitionerOfTheFile() {
        QTemporaryDir folder;
        const QString model = folder.filePath("model.py");
        write_content(model, kRelax);
        const auto regions = [&](const QStringList& more) {
            const QStringList command{"coverage", model, "--json", "--backends", "dnnl"};
            return run_cli(command + more).json()["backends"].toArray()[0].toObject()["regions"].toInt();
        };
        const QStringList option{"--option", "annotate-codegen=yes"};
        QCOMPARE(regions(option), regions(QStringList{"--partitioner", "relax"} + option));
        const CliRun own = run_cli({"coverage", "random:40", "--backends", "dnnl", "--option", "most=2"});
        QCOMPARE(own.status, 1);
        QVERIFY2(own.errors.contains("and no others"), own.errors.constData());
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
