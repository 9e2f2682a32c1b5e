// The C bundle: built by the system's C compilers with warnings as errors, run, and compared with Partita's own run.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <set>

#include "engine/ops/registry.h"
#include "engine/session/export.h"
#include "engine/session/tensors.h"

using namespace partita;

namespace {

/// What a program says; "" where it did its work.
QString run_program(const QString& program, const QStringList& arguments, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(300000)) return program + " did not end";
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0) return {};
    return program + ": " + QString::fromUtf8(process.readAll().left(3000));
}

QStringList compilers() {
    QStringList found;
    for (const char* name : {"gcc", "clang"})
        if (!QStandardPaths::findExecutable(name).isEmpty()) found << name;
    return found;
}

FlowResult partitioned(const ModulePtr& module, const std::vector<std::string>& names, std::vector<BackendDescription>& backends) {
    FlowOptions options;
    for (const std::string& name : names) options.backends.push_back(*load_backend(name));
    backends = options.backends;
    return *run_flow(module, options);
}

QString bundle_error(const ExportSubject& subject, const QString& folder) {
    Status written = export_to_file(subject, folder.toStdString(), find_export_form("c"));
    return written ? QString() : QString::fromStdString(written.error().message);
}

/// Builds a bundle with each compiler, runs it, and compares its outputs with those of the module on `default`.
QString check_bundle(const ModulePtr& module, const ExportSubject& subject, const QString& folder, const QStringList& with) {
    if (QString failure = bundle_error(subject, folder); !failure.isEmpty()) return failure;
    RunOptions options;
    options.repeat = 1;
    options.warmup = 0;
    options.all_on_default = true;
    Result<RunReport> expected = run_module(module, options);
    if (!expected) return QString::fromStdString(expected.error().to_string());
    QStringList sources = QDir(folder).entryList({"*.c"});
    for (const QString& compiler : with) {
        QStringList arguments{"-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", "-o", "model_run"};
        if (compiler == "gcc") arguments << "-fsanitize=undefined" << "-fno-sanitize-recover=all";
        if (QString said = run_program(compiler, arguments + sources + QStringList{"-lm"}, folder); !said.isEmpty()) return said;
        if (QString said = run_program(folder + "/model_run", {"--output-dir", "."}, folder); !said.isEmpty()) return said;
        std::vector<Tensor> outputs;
        for (size_t i = 0; i < expected->outputs.size(); ++i) {
            Result<Tensor> output = read_npy((folder + "/output_" + QString::number(i) + ".npy").toStdString());
            if (!output) return QString::fromStdString(output.error().to_string());
            outputs.push_back(*output);
        }
        for (const OutputDifference& difference : compare_outputs(outputs, expected->outputs, 1e-4))
            if (!difference.within_tolerance)
                return QString("%1: output %2 differs by %3").arg(compiler).arg(difference.output).arg(difference.max_abs_error);
    }
    return {};
}

/// Ops for whose examples there is no C, with the reason. The list is what users are told; it only gets shorter.
const std::set<std::string>& ops_without_c() {
    static const std::set<std::string> names{
        "opaque", "variance", "collapse_sum_like", "arange",
        "sequence_mask", "gather", "gather_nd", "adv_index", "scatter", "scatter_add", "scatter_nd",
        "sort", "argsort", "topk", "cumsum", "cumprod", "reverse_sequence", "unravel_index", "vision.roi_align", "nn.conv1d_transpose",
        "nn.conv2d_transpose", "nn.conv3d_transpose", "nn.cross_entropy", "nn.cross_entropy_with_logits",
        "nn.space_to_batch_nd", "nn.batch_to_space_nd"};
    return names;
}

}  // namespace

class TestCBundle : public QObject {
    Q_OBJECT

private slots:
    void samplesComputeTheSame_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("backend");
        for (const char* backend : {"ccompiler", "dnnl"})
            for (const char* file : {"diamond", "one-divide", "residual-block", "quantized-block", "attention-block"})
                QTest::addRow("%s on %s", file, backend) << file << backend;
    }
    void samplesComputeTheSame() {
        QFETCH(QString, file);
        QFETCH(QString, backend);
        Result<OpenedModule> opened = open_module(PARTITA_SOURCE_DIR "/samples/" + file.toStdString() + ".relay");
        QVERIFY(opened);
        std::vector<BackendDescription> backends;
        FlowResult flow = partitioned(opened->module, {backend.toStdString()}, backends);
        QTemporaryDir folder;
        QString failure = check_bundle(opened->module, export_subject(flow, backends, "sample"), folder.path(), compilers());
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }

    void everyOpsExampleBuildsAndComputesTheSame_data() {
        QTest::addColumn<QString>("example");
        for (const OpRecord& op : op_registry().records())
            if (op.kernel && !op.example.empty()) QTest::newRow(op.name.c_str()) << QString::fromStdString(op.example);
    }
    void everyOpsExampleBuildsAndComputesTheSame() {
        QFETCH(QString, example);
        Result<OpenedModule> opened = open_text("#[version = \"0.0.5\"]\ndef @main" + example.toStdString().substr(3), "example");
        if (!opened) QSKIP("the example is no module of its own");
        QTemporaryDir folder;
        ExportSubject subject = export_subject(opened->module, "example");
        QString failure = check_bundle(opened->module, subject, folder.path(), {"gcc"});
        if (ops_without_c().count(QTest::currentDataTag())) {
            QVERIFY2(failure.contains("can't be written in C"), qPrintable("take it from the list: " + failure));
            return;
        }
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }
};

QTEST_GUILESS_MAIN(TestCBundle)
#include "test_c_bundle.moc"
