// `rules diff` and `rules from` on the command line, and `explain --trace`.
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_rules {

namespace {

QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

}  // namespace

class TestCliRules : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void init() {
        write_content(path("old.json"), json("{'name': 'npu', 'ops': {'add': true, 'exp': true, 'multiply': true}}"));
        write_content(path("new.json"),
                      json("{'name': 'npu', 'ops': {'add': true, 'exp': 'args[0].rank == 1', 'subtract': true}}"));
        write_content(path("diamond.relay"), content_of(sample("diamond.relay")));
        write_content(path("other.relay"), content_of(sample("residual-block.relay")));
    }

    void whatAnotherVersionChangesIsTold() {
        const QStringList diff{"rules", "diff", path("old.json"), path("new.json")};
        const CliRun run = run_cli(diff + QStringList{path("diamond.relay")});
        QVERIFY2(run.status == 1, run.errors.constData());
        for (const char* said :
             {"- 1 exp: ops.exp: args[0].rank == 1: exp #2\n", "- 1 multiply: no rule for multiply: multiply #3\n",
              "+ 1 subtract: no rule for subtract: subtract #4\n",
              "together: 2 calls lost, 1 taken, in 1 of 1 model\n"})
            QVERIFY2(run.output.contains(said), run.output.constData());
        const CliRun folder = run_cli(diff + QStringList{folder_.path(), "--json"});
        QCOMPARE(folder.json()["models"].toArray().size(), 2);
        QCOMPARE(folder.json()["differing"].toInt(), 1);
        const CliRun same = run_cli({"rules", "diff", path("old.json"), path("old.json"), folder_.path()});
        QVERIFY2(same.status == 0 && same.output.contains("in 0 of 2 models"), same.output.constData());
        QCOMPARE(run_cli(diff + QStringList{path("none.relay")}).status, 2);
    }

    /// The tests that are kept hold with the rules whose verdicts they want, and fail with the others.
    void changesAreKeptAsTests() {
        const QStringList diff{"rules", "diff", path("old.json"), path("new.json"), path("diamond.relay")};
        const CliRun kept = run_cli(diff + QStringList{"--keep-tests", path("kept.json"), "--wanted", "new"});
        QVERIFY2(kept.status == 1, kept.errors.constData());
        QCOMPARE(run_cli({"rules", "test", path("kept.json")}).output, QByteArray("3 passed, 0 failed\n"));
        run_cli(diff + QStringList{"--keep-tests", path("wanted.json")});
        QCOMPARE(run_cli({"rules", "test", path("wanted.json")}).output, QByteArray("0 passed, 3 failed\n"));
    }

    void rulesAreProposedFromVerdicts() {
        write_content(path("v.json"), json("{'backend': 'npu', 'taken': ['add #1', 'exp #2']}"));
        const CliRun run =
            run_cli({"rules", "from", path("diamond.relay"), "--verdicts", path("v.json"), "-o", path("made.json")});
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY2(run.output.contains("multiply: 0 taken, 1 refused: no rule\n"), run.output.constData());
        const CliRun covered = run_cli({"coverage", path("diamond.relay"), "--backends", path("made.json"), "--json"});
        QCOMPARE(covered.json()["backends"].toArray()[0].toObject()["calls"].toInt(), 2);
    }

    /// A dump of ONNX Runtime's assignments; what it does not name says nothing.
    void rulesFromAReport() {
        write_content(path("chain.json"),
                      R"({"format": "partita-graph", "version": 1, "inputs": ["x"], "outputs": ["c"], "nodes": [
            {"name": "n0", "op": "Conv", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Tanh", "inputs": ["a"], "outputs": ["b"]},
            {"name": "n2", "op": "Conv", "inputs": ["b"], "outputs": ["c"]}]})");
        write_content(path("assigned.json"), R"({"ort": "1.30.0", "ep_subgraphs": [
            {"ep": "Npu", "nodes": [{"name": "n0", "op_type": "Conv"}, {"name": "n2", "op_type": "Conv"}]},
            {"ep": "CPUExecutionProvider", "nodes": [{"name": "n1", "op_type": "Tanh"}]}]})");
        const QStringList from{"rules", "from", path("chain.json"), "--from", path("assigned.json")};
        const CliRun run = run_cli(from);
        QVERIFY2(run.status == 0, run.errors.constData());
        QCOMPARE(run.output, QByteArray("Conv: 2 taken, 0 refused: true\nTanh: 0 taken, 1 refused: no rule\n"));
        const CliRun rest = run_cli(from + QStringList{"--backend", "CPUExecutionProvider", "--json"});
        QCOMPARE(rest.json()["backend"].toString(), QString("CPUExecutionProvider"));
        QCOMPARE(rest.json()["rules"].toArray().size(), 1);  // it was not asked about Conv
        QVERIFY(run_cli(from + QStringList{"--backend", "Gpu"}).errors.contains("Npu, CPUExecutionProvider"));
        QCOMPARE(run_cli({"rules", "from", path("chain.json")}).status, 2);
    }

    void explainTracesWhatWasAsked() {
        const QStringList explain{"explain", path("diamond.relay"), "--backends", path("new.json"), "--node", "2"};
        const CliRun run = run_cli(explain + QStringList{"--trace"});
        QVERIFY2(run.output.contains("    asked npu, ops.exp: no\n"
                                     "      false  args[0].rank == 1: args[0].rank is 2\n"),
                 run.output.constData());
        QVERIFY(!run_cli(explain).output.contains("asked npu"));
        const QString rules = QString(PARTITA_SOURCE_DIR "/tests/annotators/");
        const CliRun python = run_cli({"explain", rules + "small.relay", "--backends", rules + "tile_engine.py",
                                       "--allow-commands", "--trace", "--json"});
        bool walked = false;
        for (const QJsonValue& call : python.json()["traces"].toArray())
            for (const QJsonValue& asked : call.toObject()["asked"].toArray())
                for (const QJsonValue& line : asked.toObject()["lines"].toArray())
                    walked |= line.toObject()["text"].toString().startsWith("if attrs.groups != 1");
        QVERIFY2(walked, python.errors.constData());
    }
};

PARTITA_TEST(TestCliRules)

}  // namespace test_cli_rules

#include "test_cli_rules.moc"
