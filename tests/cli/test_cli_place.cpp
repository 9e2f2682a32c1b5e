// `place`: measures, chooses, writes a placement that other commands divide by; predicts from a table alone.
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/engine/tiny_decoder.h"
#include "tests/registry.h"

namespace test_cli_place {

class TestCliPlace : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    QStringList place(const QStringList& more, const QString& costs = "costs.json") const {
        return QStringList{"place",       sample("residual-block.relay"),
                           "--backends",  "dnnl,ccompiler",
                           "--costs",     path(costs),
                           "--cache-dir", path("cache"),
                           "--threads",   "1"} +
               more;
    }

private slots:
    void initTestCase() {
        const CliRun run = run_cli(place({"--measure-seconds", "2", "-o", path("placement.json"), "--json"}));
        QVERIFY2(run.status == 0, run.errors.constData());
        write_content(path("measured.json"), run.output);
    }

    void theAnswerHasItsFigures() {
        const QJsonObject json = QJsonDocument::fromJson(content_of(path("measured.json"))).object();
        for (const char* key : {"chosen_ms", "predicted_ms", "bound_ms", "gap", "rules_ms", "rules_predicted_ms"})
            QVERIFY2(json[key].isDouble(), key);
        QVERIFY(json["chosen_ms"].toDouble() > 0);
        QVERIFY(json["bound_ms"].toDouble() <= json["predicted_ms"].toDouble());
        QVERIFY(json["gap"].toDouble() >= 0 && json["gap"].toDouble() <= 1);
        for (const char* backend : {"default", "dnnl", "ccompiler"}) {
            const QJsonObject single = json["singles"].toObject()[backend].toObject();
            QVERIFY2(single["measured_ms"].toDouble() > 0 && single["predicted_ms"].toDouble() > 0, backend);
        }
        QVERIFY(json["placements"].toArray().size() >= 4);
        for (const QJsonValue& each : json["contested"].toArray()) {
            double sum = 0;
            for (const QJsonValue& term : each.toObject()["after"].toArray()) sum += term.toObject()["ms"].toDouble();
            for (const QJsonValue& term : each.toObject()["before"].toArray()) sum -= term.toObject()["ms"].toDouble();
            QVERIFY(qAbs(sum - each.toObject()["flip_ms"].toDouble()) < 1e-9);
            // Moving alone is one way of moving with others: both are against the division as it is.
            QVERIFY(each.toObject()["regret_ms"].toDouble() <= each.toObject()["flip_ms"].toDouble() + 1e-9);
            QVERIFY(each.toObject()["backend"] != each.toObject()["to"]);
        }
    }

    /// Whatever stays: with the rules alone to choose from, their placement does.
    void thatTheRulesStayIsSaid() {
        write_content(path("all.json"), R"({"name": "all", "ops": {"add": true}})");
        write_content(path("add.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n"
                      "  exp(%x)\n}\n");
        const QStringList command{"place",           path("add.relay"),   "--backends", path("all.json"), "--costs",
                                  path("stay.json"), "--measure-seconds", "0",          "--quiet"};
        const CliRun text = run_cli(command);
        QVERIFY2(text.status == 0, text.errors.constData());
        QVERIFY2(text.output.contains("the rules' placement stays"), text.output.constData());
        QVERIFY2(text.output.contains("no placement is predicted to take less than"), text.output.constData());
        QCOMPARE(run_cli(command + QStringList{"--json"}).json()["rules_stay"].toBool(), true);
    }

    /// What the flow divides alike is one division: it has one time.
    void oneDivisionHasOneTime() {
        write_content(path("narrow.json"), R"({"name": "narrow", "ops": {"exp": true}, "codegen": "ccompiler"})");
        write_content(path("exp.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(64), float32]) {\n  exp(%x)\n}\n");
        const CliRun run =
            run_cli({"place", path("exp.relay"), "--backends", path("narrow.json"), "--costs", path("one.json"),
                     "--cache-dir", path("cache"), "--measure-seconds", "1", "--json"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QMap<QString, QJsonValue> by_name;
        for (const QJsonValue& each : run.json()["placements"].toArray())
            by_name[each.toObject()["name"].toString()] = each.toObject()["measured_ms"];
        QVERIFY(by_name.contains("rules") && by_name.contains("narrow"));
        QCOMPARE(by_name["rules"], by_name["narrow"]);
    }

    void aModuleThatComputesNothingIsRefusedPlainly() {
        write_content(path("none.relay"), "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %x\n}\n");
        const CliRun run = run_cli({"place", path("none.relay"), "--backends", "ccompiler"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("there is nothing to place"), run.errors.constData());
    }

    void whatWasMeasuredIsNotMeasuredAgain() {
        const QStringList command = place({"--measure-seconds", "20", "--json"}, "again.json");
        const CliRun first = run_cli(command);
        QVERIFY2(first.status == 0, first.errors.constData());
        const QByteArray table = content_of(path("again.json"));
        QVERIFY(table.contains("\"runs\""));
        const CliRun second = run_cli(command);
        QCOMPARE(second.status, 0);
        // The last solution may be one that no run has tried yet: then it is tried now, and known afterwards.
        if (content_of(path("again.json")) != table) QCOMPARE(run_cli(command).status, 0);
        const QByteArray settled = content_of(path("again.json"));
        const CliRun third = run_cli(command);
        QCOMPARE(content_of(path("again.json")), settled);
        QVERIFY(third.json()["chosen_ms"].toDouble() > 0);
        for (const QJsonValue& each : third.json()["placements"].toArray())
            QVERIFY(each.toObject()["measured_ms"].isDouble());
    }

    void aBudgetForWeightsIsKept() {
        const QString file = path("small.json");
        const auto place_within = [&](int bytes) {
            write_content(file, R"({"name": "small", "codegen": "dnnl", "ops": {"nn.conv2d": true}, "limits": )"
                                R"({"weight_bytes": )" +
                                    QByteArray::number(bytes) + "}}");
            const CliRun run = run_cli({"place", sample("residual-block.relay"), "--backends", file, "--threads", "1",
                                        "--costs", path("small-costs.json"), "--cache-dir", path("cache"),
                                        "--measure-seconds", "1", "--pareto", "weights", "--json"});
            return run.status == 0 ? run.json() : QJsonObject{{"error", QString::fromUtf8(run.errors)}};
        };
        const QJsonObject none = place_within(1);
        QVERIFY2(none["error"].isUndefined(), qPrintable(none["error"].toString()));
        QCOMPARE(none["singles"].toObject()["small"].toObject()["predicted_ms"],
                 none["singles"].toObject()["default"].toObject()["predicted_ms"]);
        QVERIFY(none["without_budgets_ms"].toDouble() <= none["bound_ms"].toDouble());
        const QJsonObject all = place_within(1 << 30);
        QVERIFY(all["without_budgets_ms"].isDouble());
        // How far off predictions are, over what was measured but for the choice itself, which comes first.
        const QJsonArray placements = all["placements"].toArray();
        std::vector<double> errors;
        for (qsizetype i = 1; i < placements.size(); ++i) {
            const QJsonObject each = placements[i].toObject();
            const double measured = each["measured_ms"].toDouble();
            if (measured > 0) errors.push_back(std::abs(each["predicted_ms"].toDouble() - measured) / measured);
        }
        std::sort(errors.begin(), errors.end());
        const QJsonValue said = all["error_median"];
        if (errors.empty()) QVERIFY(said.isNull());  // a slow machine measures none in a second
        else
            QVERIFY2(said.toDouble() >= errors[(errors.size() - 1) / 2] - 1e-9 &&
                         said.toDouble() <= errors[errors.size() / 2] + 1e-9,
                     qPrintable(QString::number(said.toDouble())));
        const QJsonArray curve = all["curve"].toArray();
        QVERIFY(!curve.isEmpty());
        for (const QJsonValue& point : curve)
            for (const char* figure : {"regions", "weight_mb", "predicted_ms"})
                QVERIFY2(point.toObject()[QLatin1String(figure)].isDouble(), figure);
        QVERIFY(all["singles"].toObject()["small"].toObject()["predicted_ms"] !=
                all["singles"].toObject()["default"].toObject()["predicted_ms"]);
    }

    void otherCommandsDivideByThePlacement() {
        const QString file = sample("residual-block.relay");
        QMap<int, QString> chosen;
        for (const QJsonValue& op :
             QJsonDocument::fromJson(content_of(path("placement.json"))).object()["operators"].toArray())
            chosen[op.toObject()["number"].toInt()] = op.toObject()["backend"].toString();
        const CliRun explained = run_cli({"explain", file, "--placement", path("placement.json"), "--json"});
        QVERIFY2(explained.status == 0, explained.errors.constData());
        for (const QJsonValue& node : explained.json()["nodes"].toArray())
            QCOMPARE(node.toObject()["backend"].toString(), chosen[node.toObject()["number"].toInt()]);
        const CliRun first = run_cli({"partition", file, "--placement", path("placement.json")});
        const CliRun second = run_cli({"partition", file, "--placement", path("placement.json")});
        QCOMPARE(first.status, 0);
        QCOMPARE(first.output, second.output);
        const CliRun run =
            run_cli({"run", file, "--placement", path("placement.json"), "--compare", "--cache-dir", path("cache")});
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY(run.output.contains("equal within the tolerance"));
    }

    void aTableAlonePredictsTheSameEachTime() {
        const CliRun first = run_cli(place({"--measure-seconds", "0", "--json"}));
        const CliRun second = run_cli(place({"--measure-seconds", "0", "--json"}));
        QVERIFY2(first.status == 0, first.errors.constData());
        QCOMPARE(first.output, second.output);
        QVERIFY(first.json()["chosen_ms"].isNull());
        QCOMPARE(first.json()["gap"].toDouble(), 0.0);
    }

    void aPoorPlacementFailsTheCheck() {
        QJsonObject poor = QJsonDocument::fromJson(content_of(path("placement.json"))).object();
        QJsonArray operators = poor["operators"].toArray();
        for (int i = 0; i < operators.size(); ++i) {
            QJsonObject op = operators[i].toObject();
            op["backend"] = "default";
            operators[i] = op;
        }
        poor["operators"] = operators;
        write_content(path("poor.json"), QJsonDocument(poor).toJson());
        // By a table in which default is dear.
        QJsonObject costs = QJsonDocument::fromJson(content_of(path("costs.json"))).object();
        QJsonArray units = costs["units"].toArray();
        for (int i = 0; i < units.size(); ++i) {
            QJsonObject unit = units[i].toObject();
            unit["ms"] = unit["backend"] == "default" ? 100 : 1;
            units[i] = unit;
        }
        costs["units"] = units;
        write_content(path("dear.json"), QJsonDocument(costs).toJson());
        const auto by_table = [&](const QString& option, const QString& file) {
            return run_cli(place({"--measure-seconds", "0", option, path(file)}, "dear.json"));
        };
        const CliRun run = by_table("--check", "poor.json");
        QCOMPARE(run.status, 1);
        QVERIFY(run.errors.contains("a better placement was found"));
        QCOMPARE(by_table("-o", "good.json").status, 0);
        const CliRun good = by_table("--check", "good.json");
        QVERIFY2(good.status == 0, good.errors.constData());
    }

    void aPlacementOfAnotherModuleIsRefused() {
        const QStringList other{"partition", sample("diamond.relay"), "--placement", path("placement.json")};
        const CliRun run = run_cli(other);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("the placement is of another module"), run.errors.constData());
        QCOMPARE(run_cli(other + QStringList{"--placement-partly"}).status, 0);
    }

    void faultsAreSaid_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        // Copies: costs are written beside them before they are read.
        const auto copy_of = [this](const QString& name) {
            write_content(path(name), content_of(sample(name)));
            return path(name);
        };
        const QString file = copy_of("residual-block.relay");
        QTest::newRow("no backends") << QStringList{"place", file} << QByteArray("give --backends");
        QTest::newRow("no placement") << QStringList{"run", file, "--placement", "/no/such.json"}
                                      << QByteArray("/no/such.json");
        QTest::newRow("a module as placement") << QStringList{"run", file, "--placement", file} << QByteArray(":1:1: ");
        QTest::newRow("a module as costs")
            << QStringList{"place", file, "--backends", "dnnl", "--costs", copy_of("diamond.relay")}
            << QByteArray(":1:1: ");
        QTest::newRow("its module as costs") << QStringList{"place", file, "--backends", "dnnl", "--costs", file}
                                             << QByteArray("it is named as FILE, too");
        QTest::newRow("seconds") << QStringList{"place", file, "--measure-seconds", "-1"} << QByteArray("0 or more");
    }
    void faultsAreSaid() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const CliRun run = run_cli(arguments);
        QVERIFY(run.status == 1 || run.status == 2);
        QVERIFY2(run.errors.contains(message), run.errors.constData());
    }

    void severalSizesAreOneTable() {
        const QString decoder = path("decoder.onnx");
        write_content(decoder, QByteArray::fromStdString(tiny_decoder::model()));
        const QStringList command{"place",
                                  decoder,
                                  "--backends",
                                  "ccompiler",
                                  "--dim",
                                  "seq=2,7",
                                  "--dim",
                                  "past=1",
                                  "--costs",
                                  path("c.json"),
                                  "--cache-dir",
                                  path("cache"),
                                  "--threads",
                                  "1",
                                  "--measure-seconds",
                                  "1"};
        const CliRun text = run_cli(command + QStringList{"-o", path("sizes.json"), "--quiet"});
        QVERIFY2(text.status == 0, text.errors.constData());
        QVERIFY2(text.output.contains("seq=2 ") && text.output.contains("seq=7 ") &&
                     text.output.contains("best over all ms"),
                 text.output.constData());
        const QJsonObject json = run_cli(command + QStringList{"--json"}).json();
        QCOMPARE(json["sizes"].toArray().size(), 2);
        QCOMPARE(json["sizes"][1].toObject()["dimensions"].toString(), QString("seq=7 past=1"));
        QVERIFY(json["sizes"][1].toObject()["best_over_all_ms"].toDouble() > 0);
        // The placement is for any size.
        const CliRun run = run_cli(
            {"run", decoder, "--placement", path("sizes.json"), "--dim", "seq=5", "--dim", "past=1", "--compare"});
        QVERIFY2(run.status == 0 && run.errors.contains("have other sizes"), run.errors.constData());
        QCOMPARE(run_cli(command + QStringList{"--check", path("sizes.json")}).status, 1);
    }

    void fewerRegionsAreShown() {
        const CliRun run = run_cli(place({"--measure-seconds", "0", "--pareto", "regions"}));
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY(run.output.contains("what less costs"));
    }
};

PARTITA_TEST(TestCliPlace)

}  // namespace test_cli_place

#include "test_cli_place.moc"
