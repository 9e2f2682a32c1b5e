// Options of `run`: trace, roofline, saved runs and their comparison, comparison of single regions, commands only with
// permission.
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_run_options {

class TestCliRunOptions : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    QStringList run_on(const QString& file, const QString& backends) const {
        return {"run", sample(file), "--backends", backends, "--repeat", "3", "--cache-dir", path("cache")};
    }

private slots:
    void theTraceHasTheRunsRegionsAndOperatorsInTime() {
        CliRun run = run_cli(run_on("residual-block.relay", "dnnl") + QStringList{"--trace", path("trace.json")});
        QVERIFY2(run.status == 0, run.errors.constData());
        QJsonArray events = QJsonDocument::fromJson(content_of(path("trace.json"))).object()["traceEvents"].toArray();
        QSet<QString> categories, rows;
        for (const QJsonValue& each : events) {
            QJsonObject event = each.toObject();
            if (event["ph"] == "M") rows << event["args"].toObject()["name"].toString();
            if (event["ph"] != "X") continue;
            categories << event["cat"].toString();
            QVERIFY(event["dur"].toDouble() >= 0 && event["ts"].toDouble() >= 0);
        }
        QVERIFY(categories.contains("region") && categories.contains("op") && categories.contains("compile"));
        QVERIFY(rows.contains("regions") && rows.contains("operators") && rows.contains("compile"));
        CliRun nowhere =
            run_cli(run_on("diamond.relay", "ccompiler") + QStringList{"--trace", path("no/such/folder.json")});
        QCOMPARE(nowhere.status, 1);
    }

    void theRooflineGivesEachRegionItsShareOfTheMachine() {
        CliRun run = run_cli(run_on("residual-block.relay", "dnnl") + QStringList{"--roofline", "--json"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY(run.json()["file"].toString().endsWith("residual-block.relay"));
        QJsonObject machine = run.json()["machine"].toObject();
        double peak = machine["flops_per_second"].toDouble(), bandwidth = machine["bytes_per_second"].toDouble();
        QVERIFY(peak > 0 && bandwidth > 0);  // their values depend on the machine
        for (const QJsonValue& each : run.json()["regions"].toArray()) {
            QJsonObject region = each.toObject(), roofline = region["roofline"].toObject();
            double seconds = region["median_ms"].toDouble() / 1000;
            QVERIFY(qAbs(roofline["flops_per_second"].toDouble() * seconds - region["flops"].toDouble()) <=
                    1e-6 * region["flops"].toDouble());
            double rate = region["bytes"].toDouble() / seconds, share = roofline["share"].toDouble();
            if (roofline["bound_by"] == "memory") QVERIFY(qAbs(share - rate / bandwidth) < 1e-6 * share + 1e-12);
        }
        // The machine is kept with the run.
        QCOMPARE(
            run_cli(run_on("diamond.relay", "ccompiler") + QStringList{"--roofline", "--save-run", path("kept.json")})
                .status,
            0);
        const QJsonObject kept = QJsonDocument::fromJson(content_of(path("kept.json"))).object();
        QVERIFY(kept["machine"].toObject()["flops_per_second"].toDouble() > 0);
        QVERIFY(run_cli(run_on("diamond.relay", "ccompiler") + QStringList{"--roofline"})
                    .output.contains("share of the bound"));
    }

    void aKeptRunIsComparedRegionByRegion() {
        QCOMPARE(run_cli(run_on("one-divide.relay", "ccompiler") + QStringList{"--save-run", path("a.json")}).status,
                 0);
        CliRun against = run_cli(run_on("one-divide.relay", "ccompiler") +
                                 QStringList{"--compare-run", path("a.json"), "--json", "--save-run", path("b.json")});
        QVERIFY2(against.status == 0, against.errors.constData());
        QJsonObject difference = against.json()["against"].toObject();
        QVERIFY(difference["ratio"].toDouble() > 0);
        QCOMPARE(difference["regions"].toArray().size(), against.json()["regions"].toArray().size());

        CliRun both = run_cli({"compare-runs", path("a.json"), path("b.json"), "--json"});
        QCOMPARE(both.status, 0);
        QVERIFY(qAbs(both.json()["ratio"].toDouble() - difference["ratio"].toDouble()) < 1e-9);
        const QByteArray text = run_cli({"compare-runs", path("a.json"), path("b.json")}).output;
        QVERIFY(text.contains("B / A"));
        const QByteArray operators = text.mid(text.indexOf("operator, all calls"));
        QVERIFY2(operators.contains("\ndivide "), text.constData());
        // People read short names, scripts both.
        QVERIFY2(text.contains("ccompiler #1") && !text.contains("tvmgen_default"), text.constData());
        const QByteArray run_text = run_cli(run_on("one-divide.relay", "ccompiler")).output;
        QVERIFY2(run_text.contains("ccompiler #1") && !run_text.contains("tvmgen_default"), run_text.constData());
        QStringList names, short_names;
        for (const QJsonValue& region : against.json()["regions"].toArray()) {
            names << region.toObject()["name"].toString();
            short_names << region.toObject()["short_name"].toString();
        }
        QVERIFY2(names.contains("tvmgen_default_ccompiler_main_0"), qPrintable(names.join(' ')));
        QVERIFY2(short_names.contains("ccompiler #1"), qPrintable(short_names.join(' ')));

        CliRun same = run_cli({"compare-runs", path("a.json"), path("a.json"), "--json"});
        QCOMPARE(same.json()["ratio"].toDouble(), 1.0);
        QCOMPARE(same.json()["verdict"].toString(), QString("same within noise"));
    }

    /// A profile of ONNX Runtime beside a run of this program.
    void anotherProgramsProfileIsARunToo() {
        write_content(path("nodes.json"),
                      R"({"format": "partita-graph", "version": 1, "inputs": ["x"], "outputs": ["b"],
            "values": {"x": {"dtype": "float32", "shape": [1, 8]}}, "nodes": [
            {"name": "n0", "op": "Relu", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Tanh", "inputs": ["a"], "outputs": ["b"]}]})");
        const auto row = [](int index, const char* op, int time) {
            QByteArray text = "{'cat' : 'Node','pid' :7,'tid' :9,'dur' :" + QByteArray::number(time) +
                              ",'ts' :" + QByteArray::number(1000 * index) + ",'ph' : 'X','name' :'n" +
                              QByteArray::number(index) + "_kernel_time','args' : {'node_index' : '" +
                              QByteArray::number(index) + "','provider' : 'CPUExecutionProvider','op_name' : '" + op +
                              "'}},\n";
            return text.replace('\'', '"');
        };
        write_content(path("one.json"), "[\n" + row(0, "Relu", 300) + row(1, "Tanh", 100) + "{}]\n");
        write_content(path("two.json"), "[\n" + row(0, "Relu", 200) + row(1, "Tanh", 300) + "{}]\n");
        const QStringList compare{"compare-runs", path("one.json"), path("two.json")};
        QVERIFY(run_cli(compare).errors.contains("--model"));
        const CliRun both = run_cli(compare + QStringList{"--model", path("nodes.json"), "--json"});
        QVERIFY2(both.status == 0, both.errors.constData());
        const QJsonArray groups = both.json()["groups"].toArray();
        QCOMPARE(groups.size(), 2);
        QCOMPARE(groups[0].toObject()["calls"].toArray(), (QJsonArray{2}));
        QCOMPARE(groups[0].toObject()["a_ms"].toDouble(), 0.1);
        QCOMPARE(groups[0].toObject()["b_ms"].toDouble(), 0.3);
        const QByteArray text = run_cli(compare + QStringList{"--model", path("nodes.json")}).output;
        QVERIFY2(text.contains("calls that both timed as one") && !text.contains("0 threads"), text.constData());
        write_content(path("untimed.json"), R"({"ort": "1.30.0", "ep_subgraphs": [
            {"ep": "Npu", "nodes": [{"name": "n0", "op_type": "Relu"}]}]})");
        QVERIFY(run_cli({"compare-runs", path("one.json"), path("untimed.json"), "--model", path("nodes.json")})
                    .errors.contains("no times"));
    }

    void whatOnlyOneRunHasIsListedToo() {
        QCOMPARE(run_cli({"run", sample("one-divide.relay"), "--repeat", "3", "--save-run", path("plain.json")}).status,
                 0);
        QCOMPARE(
            run_cli(run_on("one-divide.relay", "ccompiler") + QStringList{"--save-run", path("divided.json")}).status,
            0);
        CliRun both = run_cli({"compare-runs", path("plain.json"), path("divided.json"), "--json"});
        int only_b = 0;
        for (const QJsonValue& region : both.json()["regions"].toArray())
            only_b += region.toObject()["verdict"] == "only in B";
        QCOMPARE(only_b, 3);
    }

    void aRunThatGotSlowerThanAllowedFails() {
        QCOMPARE(run_cli({"run", sample("one-divide.relay"), "--repeat", "5", "--save-run", path("now.json")}).status,
                 0);
        QJsonObject slow = QJsonDocument::fromJson(content_of(path("now.json"))).object();
        slow["time"] = QJsonObject{{"median_ms", 1000}, {"min_ms", 1000}, {"spread_ms", 0}, {"samples", 5}};
        QJsonObject quick = slow;
        quick["time"] = QJsonObject{{"median_ms", 10}, {"min_ms", 10}, {"spread_ms", 0.1}, {"samples", 5}};
        write_content(path("slow.json"), QJsonDocument(slow).toJson());
        write_content(path("quick.json"), QJsonDocument(quick).toJson());
        QCOMPARE(run_cli({"compare-runs", path("quick.json"), path("slow.json"), "--max-ratio", "1.1"}).status, 1);
        QCOMPARE(run_cli({"compare-runs", path("slow.json"), path("quick.json"), "--max-ratio", "1.1"}).status, 0);
        QCOMPARE(run_cli({"compare-runs", path("quick.json"), path("slow.json")}).status, 0);
    }

    void whatIsNoKeptRunIsRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no JSON") << QByteArray("hello");
        QTest::newRow("something else") << QByteArray("{\"nodes\": []}");
        QTest::newRow("a later version") << QByteArray("{\"partita_run\": 2}");
        QTest::newRow("a part of one") << QByteArray("{\"partita_run\": 1, \"title\": \"x\"}");
        QTest::newRow("negative") << QByteArray(
            "{\"partita_run\": 1, \"title\": \"x\", \"backends\": \"\", \"made\": \"\", \"threads\": -3}");
        QTest::newRow("deep") << QByteArray(100000, '[');
        QTest::newRow("huge") << QByteArray("{\"partita_run\": 1e300}");
    }
    void whatIsNoKeptRunIsRefusedWithItsPlace() {
        QFETCH(QByteArray, content);
        write_content(path("bad.json"), content);
        CliRun run = run_cli({"compare-runs", path("bad.json"), path("bad.json")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("bad.json:1:"), run.errors.constData());
        QCOMPARE(run_cli({"run", sample("diamond.relay"), "--compare-run", path("bad.json")}).status, 1);
        QCOMPARE(run_cli({"compare-runs", path("nowhere.json"), path("bad.json")}).status, 1);
    }

    void regionsAreComparedOneByOne() {
        CliRun run = run_cli(run_on("residual-block.relay", "dnnl") +
                             QStringList{"--simplify", "--compare-boundaries", "--json"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QCOMPARE(run.json()["boundaries"].toArray().size(), run.json()["regions"].toArray().size() - 1);
        QVERIFY(run.json()["first_wrong_region"].isNull());
        QVERIFY(run_cli(run_on("diamond.relay", "ccompiler") + QStringList{"--compare-boundaries"})
                    .output.contains("no region is outside the tolerance"));
    }

    /// With a code generator that computes different values, its own region is named, and not those after it.
    void theFirstWrongRegionIsNamed() {
        QByteArray source = content_of(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c");
        source.replace("result[i] = left[i] - right[i]", "result[i] = left[i] + right[i]");
        write_content(path("wrong.c"), source);
        int built = QProcess::execute("cc", {"-shared", "-fPIC", "-I", PARTITA_SOURCE_DIR "/engine/backends/plugin",
                                             "-o", path("wrong.so"), path("wrong.c")});
        QCOMPARE(built, 0);
        write_content(path("wrong.json"), QByteArray("{\"name\": \"wrong\", \"ops\": {\"subtract\": true, \"add\": "
                                                     "true, \"multiply\": true}, \"codegen\": \"plugin:") +
                                              path("wrong.so").toUtf8() + "\"}");
        CliRun run = run_cli(run_on("one-divide.relay", path("wrong.json")) +
                             QStringList{"--compare-boundaries", "--json", "--allow-commands"});
        QCOMPARE(run.status, 1);
        QString wrong = run.json()["first_wrong_region"].toString();
        QVERIFY2(run.errors.contains("the first region whose values are outside the tolerance is wrong #2\n"),
                 run.errors.constData());
        QVERIFY(!wrong.isEmpty());
        bool before = true;
        for (const QJsonValue& each : run.json()["boundaries"].toArray()) {
            QJsonObject region = each.toObject();
            if (region["region"] == wrong) before = false;
            QCOMPARE(region["within_tolerance"].toBool(), before);
            if (!before) break;
        }
        QCOMPARE(run_cli(run_on("one-divide.relay", path("wrong.json")) + QStringList{"--compare", "--allow-commands"})
                     .status,
                 1);

        // A second fault after the first is detected, and a region that only receives wrong values is no fault.
        write_content(path("two.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32]) {
  %0 = subtract(%x, %y);
  %1 = divide(%0, %y);
  %2 = add(%1, %y);
  %3 = divide(%2, %x);
  subtract(%3, %y)
}
)");
        run = run_cli({"run", path("two.relay"), "--backends", path("wrong.json"), "--allow-commands",
                       "--compare-boundaries", "--json"});
        QCOMPARE(run.status, 1);
        const QJsonArray regions = run.json()["boundaries"].toArray();
        QCOMPARE(regions.size(), 3);
        QCOMPARE(regions[0].toObject()["within_tolerance"].toBool(), false);
        QCOMPARE(regions[1].toObject()["within_tolerance"].toBool(), true);
        QCOMPARE(regions[1].toObject()["given_wrong_values"].toBool(), true);
        QCOMPARE(regions[2].toObject()["within_tolerance"].toBool(), false);
        QVERIFY2(run.errors.contains(regions[0].toObject()["short_name"].toString().toUtf8() + "; so are " +
                                     regions[2].toObject()["short_name"].toString().toUtf8()),
                 run.errors.constData());
    }

    /// Dividing runs nothing and needs no permission; running a library or a command from a description does.
    void aLibraryIsNotLoadedWithoutPermission() {
        write_content(path("marking.c"),
                      "#include <stdio.h>\n__attribute__((constructor)) static void mark(void) { fclose(fopen(\"" +
                          path("loaded").toUtf8() + "\", \"w\")); }\n");
        QCOMPARE(QProcess::execute("cc", {"-shared", "-fPIC", "-o", path("marking.so"), path("marking.c")}), 0);
        write_content(path("marking.json"), "{\"name\": \"mine\", \"ops\": {\"add\": true}, \"codegen\": \"plugin:" +
                                                path("marking.so").toUtf8() + "\"}");
        for (const QStringList& command : {QStringList{"run"}, QStringList{"report", "-o", path("r.html")}}) {
            const CliRun refused =
                run_cli(command + QStringList{sample("one-divide.relay"), "--backends", path("marking.json")});
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.errors.contains("loads a library: " + path("marking.so").toUtf8()) &&
                         refused.errors.contains("--allow-commands"),
                     refused.errors.constData());
        }
        for (const char* command : {"partition", "explain", "coverage"})
            for (const QStringList& permission : {QStringList(), QStringList{"--allow-commands"}})
                QCOMPARE(run_cli(QStringList{command, sample("one-divide.relay"), "--backends", path("marking.json")} +
                                 permission)
                             .status,
                         0);
        QVERIFY(!QFile::exists(path("loaded")));
        QCOMPARE(run_cli(run_on("one-divide.relay", path("marking.json")) + QStringList{"--allow-commands"}).status, 0);
        QVERIFY(QFile::exists(path("loaded")));
    }

    void fallingBackIsTheHeadlineAndCanFail() {
        write_content(path("refusing.json"), R"({"name": "npu", "ops": {"add": true}, "codegen": "command:false"})");
        const QStringList arguments = QStringList{"run",
                                                  sample("one-divide.relay"),
                                                  "--backends",
                                                  path("refusing.json") + ",ccompiler",
                                                  "--allow-commands",
                                                  "--repeat",
                                                  "1",
                                                  "--compare",
                                                  "--cache-dir",
                                                  path("cache")};
        CliRun run = run_cli(arguments);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.output.contains("0 of 2 regions ran on npu, 2 fell back to default\n"), run.output.constData());
        QVERIFY(!run.output.contains("default was compared with itself"));
        run = run_cli(arguments + QStringList{"--json"});
        QCOMPARE(run.json()["headline"].toString(),
                 QString("2 regions ran on ccompiler; 0 of 2 regions ran on npu, 2 fell back to default"));
        QCOMPARE(run.json()["ran"].toArray()[1].toObject()["fell_back"].toInt(), 2);
        run = run_cli(arguments + QStringList{"--no-fallback"});
        QCOMPARE(run.status, 1);
        QCOMPARE(run.errors.count("error: npu #"), 2);
        QCOMPARE(run_cli(run_on("one-divide.relay", "ccompiler") + QStringList{"--no-fallback"}).status, 0);
        run = run_cli(
            {"run", sample("one-divide.relay"), "--backends", path("refusing.json"), "--allow-commands", "--compare"});
        QVERIFY2(run.output.contains("no region ran on its backend, so default was compared with itself"),
                 run.output.constData());
    }

    void aRunEndsAtItsTimeLimit() {
        write_content(path("endless.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {
  @main(%x)
}
)");
        const CliRun run = run_cli({"run", path("endless.relay"), "--time-limit", "0.5"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("longer than 0.5 s"), run.errors.constData());
        QCOMPARE(run_cli({"run", sample("one-divide.relay"), "--time-limit", "100"}).status, 0);
        QCOMPARE(run_cli({"run", sample("one-divide.relay"), "--time-limit", "0"}).status, 2);
    }

    void theMeasureDecidesAndIsStated() {
        CliRun run = run_cli(run_on("residual-block.relay", "dnnl") + QStringList{"--simplify", "--compare", "--json"});
        QCOMPARE(run.status, 0);
        for (const QJsonValue& each : run.json()["differences"].toArray()) {
            QJsonObject difference = each.toObject();
            QCOMPARE(difference["within_tolerance"].toBool(),
                     difference["max_rel_error"].toDouble() <= difference["tolerance"].toDouble());
        }
        CliRun strict = run_cli(run_on("residual-block.relay", "dnnl") +
                                QStringList{"--simplify", "--compare", "--tolerance", "1e-12"});
        QCOMPARE(strict.status, 1);
        QVERIFY(strict.output.contains("DIFFERENT"));
        QVERIFY(strict.output.contains("|a - b| / (|b| + scale / 20)"));
    }

    void theFirstRunStandsApart() {
        CliRun run =
            run_cli(run_on("one-divide.relay", "ccompiler") + QStringList{"--warmup", "2", "--threads", "1", "--json"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.json()["threads"].toInt(), 1);
        QCOMPARE(run.json()["warmup"].toInt(), 2);
        QCOMPARE(run.json()["repeat"].toInt(), 3);
        QVERIFY(run.json()["first_run_ms"].toDouble() > 0);
        QVERIFY(run.json()["compile_ms"].toDouble() > 0);
        QVERIFY(run_cli(run_on("one-divide.relay", "ccompiler")).output.contains("first run "));
    }

    void operatorsCarryTheNumbersThatExplainPrints() {
        CliRun run = run_cli({"run", sample("residual-block.relay"), "--backends", "dnnl", "--json", "--repeat", "1"});
        QCOMPARE(run.status, 0);
        QStringList numbered;
        for (const QJsonValue& op : run.json()["regions"].toArray()[0].toObject()["ops"].toArray())
            numbered << op["name"].toString() + " #" + QString::number(op["number"].toInt());
        QVERIFY2(numbered.contains("nn.conv2d #1") && numbered.contains("nn.conv2d #4"),
                 qPrintable(numbered.join(", ")));
        const CliRun explained = run_cli({"explain", sample("residual-block.relay"), "--backends", "dnnl"});
        for (const QString& name : numbered)
            QVERIFY2(explained.output.contains(name.toUtf8() + " -> dnnl"), qPrintable(name));
        QVERIFY(
            run_cli({"run", sample("residual-block.relay"), "--ops", "--repeat", "1"}).output.contains("nn.relu #7"));
    }

    void aReportHasCoverageTimesAndPictures() {
        QStringList common{"report",      sample("diamond.relay"), "--backends", "ccompiler",
                           "--cache-dir", path("cache"),           "-o"};
        CliRun page = run_cli(common + QStringList{path("report.html")});
        QVERIFY2(page.status == 0, page.errors.constData());
        QByteArray html = content_of(path("report.html"));
        for (const char* part : {"<h2>Coverage</h2>", "<h2>Times</h2>", "<h2>Why not</h2>", "<h2>Roofline</h2>",
                                 "<h2>One run</h2>", "share of the bound"})
            QVERIFY2(html.contains(part), part);
        QCOMPARE(html.count("<svg"), 4);
        QVERIFY(!html.contains("<script") && !html.contains("href"));

        QCOMPARE(run_cli(common + QStringList{path("report.md")}).status, 0);
        QByteArray text = content_of(path("report.md"));
        for (const char* file : {"report.graph.svg", "report.1.svg", "report.2.svg", "report.3.svg"}) {
            QVERIFY2(text.contains("](" + QByteArray(file) + ")"), file);
            QVERIFY2(content_of(path(file)).contains("<svg"), file);
        }

        CliRun still = run_cli(common + QStringList{"-", "--no-run"});
        QCOMPARE(still.status, 0);
        QVERIFY(still.output.contains("<h2>Coverage</h2>") && !still.output.contains("<h2>Times</h2>"));
        QCOMPARE(run_cli(common + QStringList{path("report.docx")}).status, 2);
    }

    void hostileNamesDoNoHarmInReports() {
        write_content(path("<b>&\".relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  nn.relu(%x)\n}\n");
        QByteArray name("<img src=x onerror=alert(1)>");
        write_content(path("hostile.json"),
                      "{\"name\": \"mine\", \"summary\": \"" + name + "\", \"ops\": {\"nn.relu\": true}}");
        for (const char* out : {"hostile.html", "hostile.md"}) {
            CliRun run = run_cli({"report", path("<b>&\".relay"), "--backends", path("hostile.json"), "-o", path(out)});
            QVERIFY2(run.status == 0, run.errors.constData());
            QVERIFY(!content_of(path(out)).contains("<b>") && !content_of(path(out)).contains("<img"));
        }
    }

    /// Installs the two programs as a package does.
    void anInstalledProgramFindsItsPlugInHost() {
        QVERIFY(QDir().mkpath(path("usr/bin")) && QDir().mkpath(path("usr/libexec/partita")));
        QVERIFY(QFile::copy(PARTITA_CLI, path("usr/bin/partita-cli")));
        QVERIFY(
            QFile::copy(PARTITA_BINARY_DIR "/partita-plugin-host", path("usr/libexec/partita/partita-plugin-host")));
        const QString library = path("sample.so");
        QCOMPARE(QProcess::execute("cc", {"-shared", "-fPIC", "-I", PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o",
                                          library, PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c"}),
                 0);
        write_content(
            path("sample.json"),
            "{\"name\": \"mine\", \"ops\": {\"subtract\": true}, \"codegen\": \"plugin:" + library.toUtf8() + "\"}");
        QProcess program;
        program.start(path("usr/bin/partita-cli"),
                      run_on("one-divide.relay", path("sample.json")) + QStringList{"--allow-commands", "--json"});
        QVERIFY(program.waitForFinished(60000));
        const QByteArray output = program.readAllStandardOutput();
        QVERIFY2(output.contains("\"executed_by\": \"plugin:"), (output + program.readAllStandardError()).constData());
    }

    void aCommandNeedsPermissionAndIsShown() {
        write_content(path("command.json"),
                      QByteArray("{\"name\": \"mine\", \"ops\": {\"add\": true}, \"codegen\": \"command:touch ") +
                          path("ran").toUtf8() + "\"}");
        CliRun refused = run_cli(run_on("one-divide.relay", path("command.json")));
        QCOMPARE(refused.status, 1);
        QVERIFY2(
            refused.errors.contains("touch " + path("ran").toUtf8()) && refused.errors.contains("--allow-commands"),
            refused.errors.constData());
        QVERIFY(!QFile::exists(path("ran")));
        // Dividing runs nothing, so it needs no permission.
        QCOMPARE(run_cli({"partition", sample("one-divide.relay"), "--backends", path("command.json")}).status, 0);
        QVERIFY(!QFile::exists(path("ran")));
        CliRun allowed = run_cli(run_on("one-divide.relay", path("command.json")) + QStringList{"--allow-commands"});
        QVERIFY2(allowed.status == 0, allowed.errors.constData());
        QVERIFY(QFile::exists(path("ran")));
        QVERIFY(allowed.errors.contains("was run by default"));
    }
};

PARTITA_TEST(TestCliRunOptions)

}  // namespace test_cli_run_options

#include "test_cli_run_options.moc"
