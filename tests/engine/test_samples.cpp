// The samples: each describes its purpose, is valid, can be partitioned, and computes the same on every backend.
#include <QDir>
#include <QFile>
#include <QTest>

#include "engine/frontends/relay/printer.h"
#include "engine/ops/annotations.h"
#include "engine/session/session.h"
#include "tests/registry.h"

namespace test_samples {

using namespace partita;

namespace {

std::vector<BackendDescription> backends(const QString& names) {
    std::vector<BackendDescription> list;
    for (const QString& name : names.split(',')) {
        Result<BackendDescription> backend = load_backend(name.toStdString());
        if (!backend) qFatal("%s", backend.error().to_string().c_str());
        list.push_back(std::move(*backend));
    }
    return list;
}

ModulePtr must_open(const QString& path) {
    OpenOptions options;
    options.compiler = "ccompiler";
    Result<OpenedModule> opened = open_module(path.toStdString(), options);
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

FlowResult must_partition(ModulePtr module, const QString& names) {
    FlowOptions options;
    options.backends = backends(names);
    options.simplify = true;
    options.annotate = !has_annotations(*module);
    Result<FlowResult> flow = run_flow(std::move(module), options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return std::move(*flow);
}

QStringList sample_paths() {
    QStringList paths;
    QDir folder(PARTITA_SOURCE_DIR "/samples");
    for (const QString& name : folder.entryList({"*.relay"})) paths << folder.filePath(name);
    return paths;
}

QStringList model_paths() {
    QStringList paths;
    QDir folder(PARTITA_BINARY_DIR "/models");
    for (const QString& name : folder.entryList({"*.relay"})) paths << folder.filePath(name);
    return paths;
}

}  // namespace

class TestSamples : public QObject {
    Q_OBJECT

    static void rows(const QStringList& paths) {
        QTest::addColumn<QString>("path");
        for (const QString& path : paths) QTest::newRow(qPrintable(path.section('/', -1))) << path;
    }

private slots:
    void theModelsWereWritten() { QCOMPARE(model_paths().size(), 12); }

    void theFirstLineSaysWhatIsShown_data() { rows(sample_paths() + model_paths()); }
    void theFirstLineSaysWhatIsShown() {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray line = file.readLine();
        QVERIFY(line.startsWith("// ") && line.trimmed().endsWith('.'));
        QVERIFY(line.size() > 30 && line.size() <= 122);
    }

    void partitionedItReadsBackTheSame_data() { rows(sample_paths() + model_paths()); }
    void partitionedItReadsBackTheSame() {
        QFETCH(QString, path);
        FlowResult flow = must_partition(must_open(path), "dnnl,ccompiler");
        QVERIFY(!flow.regions.empty());
        std::string text = print_relay(*flow.partitioned);
        Result<OpenedModule> again = open_text(text, "partitioned");
        QVERIFY2(again, again ? "" : again.error().to_string().c_str());
        QCOMPARE(QString::fromStdString(print_relay(*again->module)), QString::fromStdString(text));
    }

    void itComputesTheSameOnEveryBackend_data() {
        QStringList small = sample_paths();
        for (const QString& path : model_paths()) {
            // The others take seconds on `default`; they are partitioned above.
            if (path.contains("squeezenet") || path.contains("mobilenet") || path.contains("transformer"))
                small << path;
        }
        rows(small);
    }
    void itComputesTheSameOnEveryBackend() {
        QFETCH(QString, path);
        ModulePtr module = must_open(path);
        for (const char* names : {"ccompiler", "dnnl", "dnnl,ccompiler"}) {
            FlowResult flow = must_partition(module, names);
            RunOptions options;
            options.warmup = 0;
            options.repeat = 1;
            Result<RunComparison> run = run_and_compare(flow.partitioned, module, options);
            QVERIFY2(run, run ? "" : run.error().to_string().c_str());
            QVERIFY(!run->report.differences.empty());
            for (const OutputDifference& difference : run->report.differences) {
                QVERIFY2(difference.within_tolerance,
                         qPrintable(QString("%1: %2").arg(names).arg(difference.max_rel_error)));
            }
        }
    }

    void theDiamondStaysApart() {
        FlowResult flow = must_partition(must_open(PARTITA_SOURCE_DIR "/samples/diamond.relay"), "ccompiler");
        QCOMPARE(flow.regions.size(), size_t(2));
        bool refused = false;
        for (const Decision& decision : flow.log.decisions()) refused |= decision.kind == DecisionKind::WouldCloseCycle;
        QVERIFY(refused);
    }
};

PARTITA_TEST(TestSamples)

}  // namespace test_samples

#include "test_samples.moc"
