// Every command of partita-cli, run as a user runs it, on the samples.
#include <QRegularExpression>
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/deep_model.h"
#include "tests/registry.h"

namespace test_cli_commands {

class TestCliCommands : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void everyCommandHasHelp_data() {
        QTest::addColumn<QString>("command");
        for (const char* name : {"info", "partition", "explain", "coverage", "run", "compare-runs", "report", "render",
                                 "export", "bench", "rules", "onnx-test"}) {
            QTest::newRow(name) << name;
        }
    }
    void everyCommandHasHelp() {
        QFETCH(QString, command);
        CliRun run = run_cli({command, "--help"});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.contains("Usage: partita-cli " + command.toUtf8()));
        QVERIFY(run.errors.isEmpty());
    }

    void theManualPageIsCurrent() {
        CliRun run = run_cli({"--manual"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.output, content_of(PARTITA_SOURCE_DIR "/resources/man/partita-cli.1"));
    }

    void wrongUsageGivesStatusTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no command") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"fly"};
        QTest::newRow("no file") << QStringList{"info"};
        QTest::newRow("unknown option") << QStringList{"info", sample("diamond.relay"), "--fly"};
        QTest::newRow("wrong value") << QStringList{"partition", sample("diamond.relay"), "--until", "fly"};
        QTest::newRow("no number") << QStringList{"run", sample("diamond.relay"), "--repeat", "many"};
        QTest::newRow("no dimension") << QStringList{"info", sample("diamond.relay"), "--dim", "x"};
        QTest::newRow("no command of rules") << QStringList{"rules"};
        QTest::newRow("no command of lessons") << QStringList{"lessons"};
        QTest::newRow("no size") << QStringList{"info", sample("diamond.relay"), "--dim", "x=-1"};
        QTest::newRow("no override") << QStringList{
            "partition", sample("diamond.relay"), "--backends", "dnnl", "--override", "#1="};
        QTest::newRow("no output") << QStringList{"render", sample("diamond.relay")};
        // Where it could be written: not everyone may write into the current folder.
        QTest::newRow("unknown ending") << QStringList{"render", sample("diamond.relay"), "-o",
                                                       QDir::temp().filePath("picture.xyz")};
    }
    void wrongUsageGivesStatusTwo() {
        QFETCH(QStringList, arguments);
        CliRun run = run_cli(arguments);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.errors.contains("error: "), run.errors.constData());
    }

    void infoCountsOperatorsAndParameters() {
        CliRun run = run_cli({"info", sample("residual-block.relay"), "--json"});
        QCOMPARE(run.status, 0);
        QJsonObject json = run.json();
        QCOMPARE(json["calls"].toInt(), 7);
        QCOMPARE(json["parameters"].toInt(), 11);
        QCOMPARE(json["output"].toString(), "Tensor[(1, 16, 28, 28), float32]");
        QVERIFY(run_cli({"info", sample("residual-block.relay")}).output.contains("nn.conv2d"));
    }

    void partitionSplitsAtTheDivides() {
        CliRun run = run_cli({"partition", sample("one-divide.relay"), "--backends", "ccompiler"});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.startsWith("#[version = \"0.0.5\"]\n"));
        QCOMPARE(run.output.count("def @tvmgen_default_ccompiler_main_"), 3);
        QVERIFY(run.errors.contains("3 regions, calls: 4 on ccompiler, 2 on default"));
    }

    void partitionStopsAfterTheNamedPass() {
        QStringList common{"partition", sample("one-divide.relay"), "--backends", "ccompiler", "--until"};
        CliRun annotated = run_cli(common + QStringList{"annotate"}), merged = run_cli(common + QStringList{"merge"});
        QCOMPARE(annotated.status, 0);
        QCOMPARE(merged.status, 0);
        QVERIFY(annotated.output.count("compiler_begin") > merged.output.count("compiler_begin"));
        QVERIFY(merged.output.contains("compiler_begin"));
        QVERIFY(!merged.output.contains("Primitive"));
    }

    void partitionTakesWhatIsAnnotatedAlready() {
        for (const QStringList& option : {QStringList{"--annotated"}, QStringList{}}) {
            CliRun run = run_cli(QStringList{"partition", sample("three-branches.relay")} + option);
            QCOMPARE(run.status, 0);
            QCOMPARE(run.output.count("def @tvmgen_default_ccompiler_main_"), 2);
        }
    }

    void partitionInlineBindsTheRegionsInTheCaller() {
        CliRun run = run_cli({"partition", sample("three-branches.relay"), "--annotated", "--style", "inline"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.output.count("def @"), 1);
        QVERIFY(run.output.contains("ExternalSymbol=\"ccompiler_1\""));
    }

    void partitionCanLeaveNamesAsBeforeMangling() {
        CliRun run = run_cli({"partition", sample("one-divide.relay"), "--backends", "ccompiler", "--no-mangle"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.output.count("def @ccompiler_main_"), 3);
        QVERIFY(!run.output.contains("tvmgen"));
    }

    void aFunctionsOwnCompilerIsTaken() {
        CliRun run = run_cli({"partition", sample("two-compilers.relay")});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.contains("Compiler=\"ccompiler\""));
        QVERIFY(run.output.contains("Compiler=\"dnnl\""));
    }

    void overridesWinOverTheRules() {
        QStringList common{"partition", sample("one-divide.relay"), "--backends", "ccompiler", "--override"};
        QCOMPARE(run_cli(common + QStringList{"op:divide=ccompiler"}).output.count("def @tvmgen_"), 1);
        QCOMPARE(run_cli(common + QStringList{"*=default"}).output.count("def @tvmgen_"), 0);
        CliRun nothing = run_cli(common + QStringList{"#99=default"});
        QCOMPARE(nothing.status, 1);
        QVERIFY(nothing.errors.contains("matches no call"));
    }

    void requireFailsWhereACallStaysElsewhere() {
        QStringList common{"partition", sample("one-divide.relay"), "--backends", "ccompiler", "-q", "--require"};
        QCOMPARE(run_cli(common + QStringList{"ccompiler=add"}).status, 0);
        CliRun refused = run_cli(common + QStringList{"ccompiler"});
        QCOMPARE(refused.status, 1);
        QCOMPARE(refused.errors.count("is not on ccompiler: no rule for divide"), 2);
        QVERIFY(refused.output.isEmpty());
        CliRun unknown = run_cli(common + QStringList{"ccompilr"});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.errors.contains("did you mean 'ccompiler'?"));
    }

    void descriptionsThatShipAreCheckedByName() {
        QCOMPARE(run_cli({"rules", "check", "conv1x1_engine"}).output,
                 QByteArray("conv1x1_engine: 1 operator, 2 patterns, no fault\n"));
        CliRun unknown = run_cli({"rules", "check", "dnll"});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.errors.contains("did you mean \"dnnl\"?"));
    }

    void relayTextComesFromStandardInput() {
        const QString file = sample("diamond.relay");
        CliRun piped = run_cli({"partition", "-", "--backends", "ccompiler", "-q"}, {}, file);
        QCOMPARE(piped.status, 0);
        QCOMPARE(piped.output, run_cli({"partition", file, "--backends", "ccompiler", "-q"}).output);
        CliRun nothing = run_cli({"info", "-"});
        QCOMPARE(nothing.status, 1);
        QVERIFY2(nothing.errors.startsWith("-: error: the file is empty"), nothing.errors.constData());
        CliRun binary = run_cli({"info", "-"}, {}, QStringLiteral(PARTITA_CLI));
        QCOMPARE(binary.status, 1);
        QVERIFY2(binary.errors.contains("binary"), binary.errors.constData());
    }

    void explainNamesTheCauseOfEachCall() {
        CliRun run = run_cli({"explain", sample("diamond.relay"), "--backends", "ccompiler", "--json"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.json()["calls"].toArray().size(), 4);
        QVERIFY(run.output.contains("no_rule"));
        QVERIFY(run.output.contains("would_close_cycle"));
        CliRun one = run_cli({"explain", sample("diamond.relay"), "--backends", "ccompiler", "--node", "exp"});
        QCOMPARE(one.status, 0);
        QVERIFY(one.output.contains("exp #"));
        QVERIFY(!one.output.contains("multiply #3 ->"));
    }

    void annotationsOfTheFileDecide() {
        CliRun own = run_cli({"explain", sample("three-branches.relay")});
        CliRun named = run_cli({"explain", sample("three-branches.relay"), "--backends", "ccompiler"});
        QCOMPARE(named.status, 0);
        QCOMPARE(named.output, own.output);
        QVERIFY2(named.output.contains("2 regions"), named.output.constData());
        QVERIFY(!named.output.contains("no rule"));
        CliRun other = run_cli({"explain", sample("three-branches.relay"), "--backends", "dnnl"});
        QCOMPARE(other.status, 1);
        QVERIFY2(other.errors.contains("has annotations already"), other.errors.constData());
        CliRun given = run_cli({"explain", sample("three-branches.relay"), "--override", "add=default"});
        QCOMPARE(given.status, 1);
    }

    void coverageCountsCallsAndCauses() {
        QStringList common{"coverage", sample("diamond.relay"), "--backends", "ccompiler"};
        CliRun annotated = run_cli(
            {"coverage", sample("three-branches.relay"), "--annotated", "--backends", "ccompiler", "--what-if"});
        QCOMPARE(annotated.status, 1);
        QVERIFY2(annotated.errors.contains("has annotations already"), annotated.errors.constData());
        CliRun text = run_cli(common), json = run_cli(common + QStringList{"--json", "--what-if"});
        QCOMPARE(text.status, 0);
        QVERIFY(text.output.contains("no rule for exp"));
        QCOMPARE(json.status, 0);
        QVERIFY(json.json().contains("what_if"));
        QVERIFY(run_cli(common + QStringList{"--markdown"}).output.contains("| "));
    }

    void coverageAdvisesWhichRulesToChange() {
        // Nothing is on default, so the advice is what the other backend could accept.
        QStringList common{"coverage", sample("diamond.relay"), "--backends", "ccompiler,ccompiler_wide"};
        CliRun text = run_cli(common + QStringList{"--what-if"});
        QVERIFY2(text.output.contains("exp: ccompiler_wide → ccompiler, a new rule  ccompiler"),
                 text.output.constData());
        QVERIFY(text.output.contains("if  ") && text.output.contains("gained  work"));
        CliRun best = run_cli(common + QStringList{"--best", "2", "--json"});
        QCOMPARE(best.status, 0);
        const QJsonObject first = best.json()["best"].toArray()[0].toObject();
        QCOMPARE(first["changes"].toArray()[0].toObject()["text"].toString(), "ops.exp: true");
        QVERIFY(first["regions_after"].toInt() < first["regions_before"].toInt());
        CliRun by = run_cli({"coverage", sample("diamond.relay"), "--backends", "ccompiler", "--best", "1", "--by",
                             "calls", "--markdown"});
        QVERIFY2(by.output.contains("| no rule for exp | ccompiler | 1 | +1 |"), by.output.constData());
        QCOMPARE(run_cli(common + QStringList{"--best", "0"}).status, 2);
        QCOMPARE(run_cli(common + QStringList{"--by", "beauty"}).status, 2);
    }

    void rulesTestRunsWhatADescriptionExpects() {
        write_content(path("small.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  nn.relu(%x)\n}\n");
        QByteArray form =
            "{\"name\": \"mine\", \"ops\": {\"nn.relu\": \"args[0].dtype == 'float32'\"},\n"
            " \"expect\": [{\"module\": \"small.relay\", \"node\": 1, \"supported\": %1}]}";
        write_content(path("mine.json"), QByteArray(form).replace("%1", "true"));
        CliRun passed = run_cli({"rules", "test", path("mine.json")});
        QVERIFY2(passed.status == 0, passed.errors.constData());
        QCOMPARE(passed.output, QByteArray("1 passed, 0 failed\n"));
        write_content(path("mine.json"), QByteArray(form).replace("%1", "false"));
        CliRun failed = run_cli({"rules", "test", path("mine.json")});
        QCOMPARE(failed.status, 1);
        QVERIFY(failed.errors.contains("mine.json:2:"));
    }

    void onnxTestCountsByOutcome() {
        QString tests = "/usr/share/libonnx-testdata/data/node";
        if (!QDir(tests).exists()) QSKIP("libonnx-testdata is not installed");
        CliRun run = run_cli({"onnx-test", tests + "/test_relu"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY(run.output.endsWith("1 passed, 0 failed, 0 unsupported\n"));
        QCOMPARE(run_cli({"onnx-test", folder_.path()}).status, 1);
        QVERIFY(QDir(folder_.path()).mkpath("onnx"));
        for (const char* name : {"/test_relu", "/test_adam", "/test_adagrad"})
            QVERIFY(QFile::link(tests + name, folder_.filePath("onnx") + name));
        const QJsonObject all = run_cli({"onnx-test", folder_.filePath("onnx"), "--json"}).json();
        QCOMPARE(all["passed"].toInt(), 1);
        QCOMPARE(all["failed"].toInt(), 0);
        QCOMPARE(all["unsupported"].toInt(), 2);
        QCOMPARE(all["tests"].toArray().size(), qsizetype(3));
    }

    void runComparesAndWritesOutputs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("backends");
        for (const char* backends : {"ccompiler", "dnnl", "dnnl,ccompiler"}) {
            for (const QString& file : QDir(PARTITA_SOURCE_DIR "/samples").entryList({"*.relay"})) {
                if (file == "three-branches.relay") continue;
                QTest::newRow(qPrintable(file + " on " + backends)) << file << backends;
            }
        }
    }
    void runComparesAndWritesOutputs() {
        QFETCH(QString, file);
        QFETCH(QString, backends);
        QString outputs = path(file + backends);
        CliRun run = run_cli({"run", sample(file), "--backends", backends, "--simplify", "--compare", "--repeat", "2",
                              "--json", "--output-dir", outputs, "--cache-dir", path("cache")});
        QVERIFY2(run.status == 0, run.errors.constData());
        QJsonObject json = run.json();
        QVERIFY(json["median_ms"].toDouble() > 0);
        QVERIFY(json.contains("min_ms") && json.contains("max_abs_error"));
        for (const QJsonValue& difference : json["differences"].toArray()) {
            QVERIFY(difference.toObject()["within_tolerance"].toBool());
        }
        QVERIFY(!json["regions"].toArray().isEmpty());
        QVERIFY(content_of(outputs + "/output_0.npy").startsWith("\x93NUMPY"));
    }

    void runTakesItsInputsFromFiles() {
        QString first = path("first"), second = path("second");
        QCOMPARE(run_cli({"run", sample("diamond.relay"), "--seed", "7", "--output-dir", first}).status, 0);
        QString value = "x=" + first + "/output_0.npy";
        QCOMPARE(
            run_cli({"run", sample("diamond.relay"), "--seed", "7", "--input", value, "--output-dir", second}).status,
            0);
        QVERIFY(content_of(first + "/output_0.npy") != content_of(second + "/output_0.npy"));
        CliRun misspelt = run_cli({"run", sample("diamond.relay"), "--input", "u=" + first + "/output_0.npy"});
        QCOMPARE(misspelt.status, 1);
        QVERIFY(misspelt.errors.contains("@main has no parameter of that name"));
    }

    /// A project's inputs are taken, unless another value is given; an image is the window's.
    void runTakesTheInputsOfAProject() {
        const QString first = path("inputs");
        QCOMPARE(run_cli({"run", sample("diamond.relay"), "--seed", "7", "--output-dir", first}).status, 0);
        const auto project = [&](const QByteArray& inputs) {
            write_content(path("inputs.partita"), R"({"format": "partita", "version": 2, "module": ")" +
                                                      sample("diamond.relay").toUtf8() + R"(", "inputs": [)" + inputs +
                                                      "]}");
            return path("inputs.partita");
        };
        const auto output = [&](const QStringList& more) {
            const CliRun run = run_cli(
                QStringList{"run", path("inputs.partita"), "--seed", "7", "--output-dir", path("of-project")} + more);
            return run.status == 0 ? content_of(path("of-project") + "/output_0.npy") : run.errors;
        };
        const QString other = path("by-option");
        QCOMPARE(run_cli({"run", sample("diamond.relay"), "--seed", "7", "--input", "x=" + first + "/output_0.npy",
                          "--output-dir", other})
                     .status,
                 0);
        project(R"({"parameter": "x", "file": "inputs/output_0.npy"})");
        QCOMPARE(output({}), content_of(other + "/output_0.npy"));
        project(R"({"parameter": "x", "file": "gone.npy"})");
        QVERIFY(output({}).contains("gone.npy"));
        QCOMPARE(output({"--input", "x=" + first + "/output_0.npy"}), content_of(other + "/output_0.npy"));
        project(R"({"parameter": "x", "file": "cat.png", "layout": "NCHW", "mean": [0, 0, 0], "scale": [1, 1, 1]})");
        QVERIFY(output({}).contains("only the window reads"));
    }

    void runWritesTheMemoryOfItsPlan() {
        const QString file = path("memory.json");
        QCOMPARE(run_cli({"run", sample("diamond.relay"), "--backends", "ccompiler", "--repeat", "1", "--memory", file})
                     .status,
                 0);
        const QJsonObject memory = QJsonDocument::fromJson(content_of(file)).object();
        const QJsonArray steps = memory["steps"].toArray(), blocks = memory["blocks"].toArray();
        QVERIFY(!steps.isEmpty() && !blocks.isEmpty());
        const QJsonObject peak = memory["peak"].toObject();
        double live = 0;
        for (const QJsonValue& block : peak["blocks"].toArray()) live += blocks[block.toInt()]["bytes"].toDouble();
        QCOMPARE(live, peak["live_bytes"].toDouble());
        QCOMPARE(steps[peak["step"].toInt()]["live_bytes"].toDouble(), live);
        QVERIFY(live <= memory["planned_bytes"].toDouble());
    }

    void explainFollowsCallsOverTheStages() {
        const QStringList command{"explain", sample("diamond.relay"), "--backends", "ccompiler", "--stages"};
        const CliRun text = run_cli(command);
        QCOMPARE(text.status, 0);
        QVERIFY2(text.output.contains("  partitioned: "), text.output.constData());
        const QJsonArray stages = run_cli(command + QStringList{"--json", "--node", "1"}).json()["stages"].toArray();
        QCOMPARE(stages.size(), 1);
        for (const char* stage : {"input", "annotated", "merged", "partitioned"})
            QVERIFY2(!stages[0][QLatin1String(stage)].toArray().isEmpty(), stage);
        QVERIFY(stages[0]["input"][0]["line"].toInt() > 0);
        QVERIFY(!run_cli({"explain", sample("diamond.relay"), "--json"}).json().contains("stages"));
    }

    void renderWritesEachForm_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF-");
        QTest::newRow("dot") << "dot" << QByteArray("digraph");
    }
    void renderWritesEachForm() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begin);
        for (const QStringList& option : {QStringList{}, QStringList{"--partitioned"}}) {
            QString file = path("picture." + ending);
            CliRun run = run_cli(
                QStringList{"render", sample("attention-block.relay"), "--backends", "dnnl", "-o", file} + option);
            QVERIFY2(run.status == 0, run.errors.constData());
            QVERIFY(content_of(file).startsWith(begin));
        }
    }

    /// A deep graph is drawn by its blocks, unless every operator is wanted; a small one as it is.
    void renderDrawsDeepGraphsByBlocks() {
        QFile model(path("deep.relay"));
        QVERIFY(model.open(QIODevice::WriteOnly));
        model.write(QByteArray::fromStdString(partita::deep_model(40, 0)));
        model.close();
        const auto drawn = [this](const QStringList& further) {
            const QStringList command{"render", path("deep.relay"), "--backends", "ccompiler", "-o", path("deep.svg")};
            const CliRun run = run_cli(command + further);
            if (run.status != 0) qWarning("%s", run.errors.constData());
            return content_of(path("deep.svg"));
        };
        const QByteArray grouped = drawn({});
        QVERIFY(grouped.contains("Block A ×40"));
        QVERIFY(grouped.contains("39 blocks alike"));
        QVERIFY(grouped.contains("default 121, ccompiler 80"));
        QCOMPARE(grouped.count(">tanh<"), 0);
        QVERIFY(grouped.contains(">sigmoid<"));
        QCOMPARE(drawn({"--group", "auto"}), grouped);
        QCOMPARE(drawn({"--group", "none"}).count(">tanh<"), 40);
        const CliRun wrong = run_cli({"render", path("deep.relay"), "-o", path("x.svg"), "--group", "some"});
        QVERIFY(wrong.status != 0 && wrong.errors.contains("--group"));
        for (const char* how : {"auto", "none"})
            QCOMPARE(
                run_cli({"render", sample("diamond.relay"), "-o", path(how + QString(".svg")), "--group", how}).status,
                0);
        QCOMPARE(content_of(path("auto.svg")), content_of(path("none.svg")));
        // The report's picture is the same.
        QCOMPARE(run_cli({"report", path("deep.relay"), "--no-run", "-o", path("deep.html")}).status, 0);
        QVERIFY(content_of(path("deep.html")).contains("Block A ×40"));
    }

    void exportWritesEachForm_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("relay") << "relay" << QByteArray("#[version = \"0.0.5\"]");
        QTest::newRow("json") << "json" << QByteArray("\"partita-module\"");
        QTest::newRow("report") << "report" << QByteArray("<h2>Coverage</h2>");
        QTest::newRow("markdown") << "markdown" << QByteArray("## Coverage");
    }
    void exportWritesEachForm() {
        QFETCH(QString, form);
        QFETCH(QByteArray, holds);
        CliRun run = run_cli({"export", sample("diamond.relay"), "--backends", "ccompiler", "--form", form, "-o", "-"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY(run.output.contains(holds));
    }

    void aReportOfALargeGraphStaysAPageThatOpens_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("html") << "page.html";
        QTest::newRow("markdown") << "page.md";
    }
    void aReportOfALargeGraphStaysAPageThatOpens() {
        QFETCH(QString, name);
        CliRun run = run_cli({"report", "random:21000", "--backends", "dnnl", "--no-run", "-o", path(name)});
        QVERIFY2(run.status == 0, run.errors.constData());
        QByteArray page = content_of(path(name));
        QVERIFY(page.size() < 3'000'000);
        QVERIFY(page.contains("The graph has 21000 calls"));
        QVERIFY(QRegularExpression("and \\d+ more").match(QString::fromUtf8(page)).hasMatch());
        QVERIFY(!QFileInfo::exists(path("page.graph.svg")));
    }

    /// What an operator has beside its defaults stands on the page; the rest would hide it.
    void aPageNamesTheAttributesThatAreNotDefaults() {
        write_content(path("strided.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32]) { nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]) }
)");
        const CliRun run = run_cli({"export", path("strided.relay"), "--form", "page", "-o", path("strided.html")});
        QVERIFY2(run.status == 0, run.errors.constData());
        const QByteArray page = content_of(path("strided.html"));
        QVERIFY(page.contains("pool_size [2, 2], strides [2, 2]"));
        QVERIFY(!page.contains("ceil_mode") && !page.contains("dilation [1, 1]"));
    }

    void exportedJsonIsReadAgain_data() {
        QTest::addColumn<QStringList>("arguments");
        for (const char* name : {"attention-block", "diamond", "quantized-block", "residual-block", "two-compilers"})
            QTest::newRow(name) << QStringList{sample(name + QString(".relay"))};
        QTest::newRow("partitioned") << QStringList{sample("residual-block.relay"), "--simplify", "--backends", "dnnl"};
        QTest::newRow("annotated") << QStringList{sample("diamond.relay"), "--backends", "ccompiler", "--until",
                                                  "annotate"};
    }
    void exportedJsonIsReadAgain() {
        QFETCH(QStringList, arguments);
        const QStringList to_relay = QStringList{"export"} + arguments + QStringList{"-o", path("direct.relay")};
        QCOMPARE(run_cli(to_relay).status, 0);
        QCOMPARE(run_cli(QStringList{"export"} + arguments + QStringList{"-o", path("module.json")}).status, 0);
        const CliRun again = run_cli({"export", path("module.json"), "-o", path("again.relay")});
        QVERIFY2(again.status == 0, again.errors.constData());
        QCOMPARE(run_cli({"diff", path("direct.relay"), path("again.relay")}).output.split('\n').value(0).left(7),
                 QByteArray("0 added"));
        QCOMPARE(run_cli({"export", path("module.json"), "--form", "json", "-o", "-"}).output,
                 content_of(path("module.json")));
    }

    void whatIsExportedOpensAgain() {
        QString file = path("partitioned.relay"), again = path("again.relay");
        QCOMPARE(run_cli({"partition", sample("quantized-block.relay"), "--backends", "dnnl", "-o", file}).status, 0);
        QCOMPARE(run_cli({"export", file, "-o", again}).status, 0);
        QCOMPARE(content_of(again), content_of(file));
    }

    /// Writes a project beside its module: dnnl's rules apply, one call is assigned to ccompiler and one kept apart.
    QString project(const QByteArray& flow = R"({"annotate": true, "merge": true, "partition": true})") {
        if (!QFile::exists(path("square.relay")))
            write_content(path("square.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32]) {
  %0 = add(%x, %y);
  %1 = multiply(%0, %y);
  %2 = tanh(%1);
  subtract(%2, %x)
}
)");
        const QByteArray text =
            R"({"format": "partita", "version": 2, "module": "square.relay", "backends": ["dnnl", "ccompiler"],
          "flow": FLOW, "assignments": [{"expression": 3, "name": "add #1", "backend": "dnnl", "group": 1},
                                        {"expression": 7, "name": "tanh #3", "backend": "ccompiler"}]})";
        write_content(path("square.partita"), QByteArray(text).replace("FLOW", flow));
        return path("square.partita");
    }
    QByteArray explained(const QStringList& arguments) { return run_cli(QStringList{"explain"} + arguments).output; }

    void aProjectDividesAsItsWindowDoes() {
        const QByteArray text = explained({project()});
        QVERIFY2(text.contains("3 regions, calls: 2 on dnnl, 2 on ccompiler, 0 on default"), text.constData());
        for (const QStringList& command :
             {QStringList{"info"}, QStringList{"coverage"}, QStringList{"partition"},
              QStringList{"run", "--repeat", "1"}, QStringList{"bench", "--repeat", "1"},
              QStringList{"render", "-o", path("p.svg")}, QStringList{"report", "--no-run", "-o", path("p.html")},
              QStringList{"export", "-o", path("p.onnx")}}) {
            const CliRun run = run_cli(command + QStringList{project()});
            QVERIFY2(run.status == 0, run.errors.constData());
        }
        QCOMPARE(run_cli({"diff", project(), path("square.relay"), "--backends-b", "dnnl"}).status, 1);
        QCOMPARE(run_cli({"diff", project(), project()}).status, 0);
    }

    void whatIsSaidOnTheCommandLineComesBeforeAProject() {
        QByteArray text = explained({project(), "--backends", "ccompiler"});
        QVERIFY2(text.contains("3 on ccompiler"),
                 text.constData());  // add was assigned to a backend whose rules do not apply
        text = explained({project(), "--override", "tanh=default"});
        QVERIFY2(text.contains("2 on dnnl, 1 on ccompiler, 1 on default"), text.constData());
    }

    void aProjectsRulesAreAskedOnlyWhereItSaysSo() {
        const QByteArray text = explained({project(R"({"merge": true})")});
        QVERIFY2(text.contains("1 on dnnl, 1 on ccompiler, 2 on default"), text.constData());
    }

    void aProjectWhoseBackendIsMissingIsRefusedUntilOthersAreGiven() {
        QFile file(project());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll().replace("\"dnnl\", \"ccompiler\"", "\"away.json\"");
        write_content(path("away.partita"), text);
        const CliRun refused = run_cli({"run", path("away.partita"), "--repeat", "1"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("away.json") && refused.errors.contains("--backends"),
                 refused.errors.constData());
        QCOMPARE(run_cli({"info", path("away.partita")}).status, 0);
        QCOMPARE(run_cli({"run", path("away.partita"), "--repeat", "1", "--backends", "dnnl"}).status, 0);
    }

    void whatIsPartitionedStaysSo_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("Relay text") << "part.relay";
        QTest::newRow("ONNX") << "part.onnx";
    }
    /// Regions of the file itself are reported, run and kept like those of the flow.
    void whatIsPartitionedStaysSo() {
        QFETCH(QString, name);
        const QString whole = sample("residual-block.relay"), part = path(name);
        QCOMPARE(run_cli({"export", whole, "--backends", "dnnl_all", "-o", part}).status, 0);
        CliRun run = run_cli({"coverage", part, "--json"});
        QCOMPARE(run.json()["backends"].toArray()[0].toObject()["backend"].toString(), QString("dnnl_all"));
        QVERIFY2(run_cli({"explain", part})
                     .output.contains(" (@tvmgen_default_dnnl_all_main_0)\n    dnnl_all: partitioned so in the file"),
                 run_cli({"explain", part}).output.constData());
        run = run_cli({"run", part, "--repeat", "1", "--compare", "--no-fallback", "--json"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.json()["headline"].toString(), QString("1 region ran on dnnl_all"));
        QCOMPARE(run.json()["regions"].toArray()[0].toObject()["executed_by"].toString(), QString("dnnl"));
        QVERIFY(!run_cli({"diff", part, whole, "--backends-b", "dnnl_all"}).output.contains("backend:"));
        // Dividing again keeps regions and names, whatever divides the rest.
        QCOMPARE(run_cli({"diff", part, part, "--backends-b", "dnnl,ccompiler"}).status, 0);
        const QByteArray again = run_cli({"partition", part, "--backends", "dnnl"}).output;
        QVERIFY2(again.contains("def @tvmgen_default_dnnl_all_main_0(") && again.count("def @") == 2,
                 again.constData());
        if (name.endsWith(".relay"))
            QCOMPARE(run_cli({"export", part, "--form", "relay", "-o", "-"}).output, content_of(part));
    }

    void aBackendThatOnlyTheFileNamesIsNoSilentFallBack() {
        QCOMPARE(
            run_cli({"partition", sample("diamond.relay"), "--backends", "ccompiler", "-q", "-o", path("npu.relay")})
                .status,
            0);
        write_content(path("npu.relay"),
                      content_of(path("npu.relay")).replace("Compiler=\"ccompiler\"", "Compiler=\"npu\""));
        const CliRun run = run_cli({"run", path("npu.relay"), "--repeat", "1"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.errors.contains("there is no backend npu here") && run.output.contains("fell back to default"),
                 run.errors.constData());
        QCOMPARE(run_cli({"run", path("npu.relay"), "--repeat", "1", "--no-fallback"}).status, 1);
        // A given description determines what runs it.
        write_content(path("npu.json"), R"({"name": "npu", "ops": {"add": true}, "codegen": "ccompiler"})");
        QCOMPARE(run_cli({"run", path("npu.relay"), "--repeat", "1", "--no-fallback", "--backends", path("npu.json")})
                     .status,
                 0);
    }

    void exportWritesAModuleAsItStands() {
        QCOMPARE(run_cli({"partition", sample("diamond.relay"), "--backends", "ccompiler", "--until", "annotate", "-q",
                          "-o", path("marked.relay")})
                     .status,
                 0);
        QCOMPARE(run_cli({"export", path("marked.relay"), "--form", "relay", "-o", "-"}).output,
                 content_of(path("marked.relay")));
        QVERIFY(run_cli({"export", path("marked.relay"), "--annotated", "--form", "relay", "-o", "-"})
                    .output.contains("Compiler="));
    }

    void overridesNameTheCallsThatExplainNumbers() {
        write_content(path("drop.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) {
  %0 = nn.dropout(%x);
  %1 = %0.0;
  %2 = tanh(%1);
  exp(%2)
}
)");
        const QByteArray text =
            explained({path("drop.relay"), "--backends", "dnnl", "--simplify", "--override", "#1=default"});
        QVERIFY2(text.contains("tanh #1 -> default"), text.constData());
    }

    void benchTimesEveryStep_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("a file") << sample("attention-block.relay");
        for (const char* name : {"random:500", "chain:500", "ladder:500", "wide:500"}) QTest::newRow(name) << name;
    }
    void benchTimesEveryStep() {
        QFETCH(QString, file);
        CliRun run = run_cli({"bench", file, "--json", "--repeat", "2"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QJsonObject json = run.json();
        QCOMPARE(json["calls"].toInt(), file.endsWith(":500") ? 500 : 18);
        for (const char* step : {"parse", "infer", "simplify", "composite", "annotate", "merge", "partition", "print",
                                 "layout", "peak_kb"}) {
            QVERIFY2(json.contains(step), step);
        }
    }
};

PARTITA_TEST(TestCliCommands)

}  // namespace test_cli_commands

#include "test_cli_commands.moc"
