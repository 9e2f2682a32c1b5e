// partita-cli coverage as a gate: what fails it, what it says, and the files for continuous integration.
#include <QtTest>

#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_gates {

class TestCliGates : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    CliRun gated(const QStringList& gates, const QString& backends = "ccompiler") {
        return run_cli(QStringList{"coverage", sample("diamond.relay"), "--backends", backends} + gates,
                       folder_.path());
    }

private slots:
    void gatesHoldOrSayWhatFails_data() {
        QTest::addColumn<QStringList>("gates");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const QStringList& gates, int status, const QByteArray& said) {
            QTest::newRow(qPrintable(gates.join(' '))) << gates << status << said;
        };
        row({"--at-least", "ccompiler=75%"}, 0, "");
        row({"--at-least", "ccompiler=75.1"}, 1, "75 % of the calls are on ccompiler, fewer than 75.1 %");
        row({"--at-least", "*=76%:work"}, 1, "75 % of the operations are on backends, fewer than 76 %");
        row({"--at-least", "ccompiler=100%:weights"}, 0, "");
        row({"--at-least", "default=50"}, 1, "25 % of the calls are on default");
        row({"--min", "80", "--min-work", "80"}, 1, "75 % of the operations are on backends, fewer than 80 %");
        row({"--most-regions", "2"}, 0, "");
        row({"--most-regions", "ccompiler=1"}, 1, "2 regions of ccompiler, more than 1");
        row({"--forbid", "op:nn.conv2d backend:default"}, 0, "");
        row({"--forbid", "op:* backend:default"}, 1, "diamond.relay:5:8: error: exp #2 is on default: no rule for exp");
        row({"--forbid", "op:multiply"}, 1, "multiply #3 is on ccompiler: supported without a condition");
        row({"--forbid", "-op:/^(add|exp|subtract)$/"}, 1, "multiply #3");
        row({"--forbid", "region:'ccompiler #4' flops:>1G"}, 0, "");
        row({"--at-least", "ccompilr=3"}, 2, "did you mean 'ccompiler'?");
        row({"--at-least", "ccompiler"}, 2, "expected BACKEND=PERCENT");
        row({"--at-least", "ccompiler=101"}, 2, "expected BACKEND=PERCENT");
        row({"--at-least", "ccompiler=5:wrk"}, 2, "expected BACKEND=PERCENT");
        row({"--most-regions", "1.5"}, 2, "expected N or BACKEND=N");
        row({"--forbid", ""}, 2, "an empty query");
        row({"--forbid", "ops:add"}, 2, "'ops:' is no key");
        row({"--forbid", "op:/(/"}, 2, "can't be read");
    }
    void gatesHoldOrSayWhatFails() {
        QFETCH(QStringList, gates);
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        const CliRun run = gated(gates);
        QCOMPARE(run.status, status);
        QVERIFY2(run.errors.contains(said), run.errors);
        QCOMPARE(run.errors.isEmpty(), status == 0);
    }

    void aBaselineFailsWhereTheDivisionIsWorse() {
        const QString file = folder_.filePath("baseline.json");
        QCOMPARE(gated({"--write-baseline", file}).status, 0);
        QCOMPARE(gated({"--baseline", file}).status, 0);
        QCOMPARE(gated({"--baseline", file}, "ccompiler_wide").status, 0);
        const CliRun worse = gated({"--baseline", file, "--override", "op:multiply=default"});
        QCOMPARE(worse.status, 1);
        QVERIFY2(worse.errors.contains("50 % of the calls are on backends, in the baseline 75 %"), worse.errors);
        QVERIFY2(worse.errors.contains("multiply #3 was on ccompiler, and is on default"), worse.errors);
        const CliRun split = gated({"--baseline", file, "--no-merge"});
        QCOMPARE(split.status, 1);
        QVERIFY2(split.errors.contains("3 regions, in the baseline 2"), split.errors);
    }

    void aBaselineThatIsNoneIsRefused() {
        const QString file = folder_.filePath("wrong.json");
        for (const QByteArray& text :
             {QByteArray("{"), QByteArray("{}"), QByteArray("[]"), QByteArray(R"({"partita_baseline": 2})"),
              QByteArray(R"({"partita_baseline": 1, "total": 3})")}) {
            write_content(file, text);
            const CliRun run = gated({"--baseline", file});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.errors.contains("wrong.json"), run.errors);
        }
    }

    void junitHasACaseForEachGate() {
        const QString file = folder_.filePath("gates.xml");
        gated({"--most-regions", "1", "--forbid", "op:<&'\"", "--require", "ccompiler=op:exp", "--junit", file});
        QXmlStreamReader xml(content_of(file));
        QStringList cases, failures;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("testcase")) cases << xml.attributes().value("name").toString();
            if (xml.name() == QLatin1String("failure")) failures << xml.attributes().value("message").toString();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(cases, (QStringList{"most regions 1", "forbid op:<&'\"", "require ccompiler=op:exp"}));
        QCOMPARE(failures, (QStringList{"2 regions, more than 1", "exp #2 is not on ccompiler: no rule for exp"}));
    }

    void githubShowsFaultsBesideTheLine() {
        const CliRun run = gated({"--forbid", "op:exp", "--github"});
        QVERIFY2(run.errors.contains("diamond.relay,line=5,col=8,title=forbid op%3Aexp::exp #2 is on default: no rule "
                                     "for exp\n"),
                 run.errors);
    }
};

PARTITA_TEST(TestCliGates)

}  // namespace test_cli_gates

#include "test_cli_gates.moc"
