// The C bundle, built by the system's C compilers with warnings as errors, run, and compared with Partita's own run.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <set>

#include "engine/ops/registry.h"
#include "engine/runtime/npy.h"
#include "engine/session/export.h"
#include "tests/registry.h"

namespace test_c_bundle {

using namespace partita;

namespace {

/// Runs a program. Returns its messages; "" on success.
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

FlowResult partitioned(const ModulePtr& module, const std::vector<std::string>& names,
                       std::vector<BackendDescription>& backends) {
    FlowOptions options;
    for (const std::string& name : names) options.backends.push_back(*load_backend(name));
    backends = options.backends;
    return *run_flow(module, options);
}

QString bundle_error(const ExportSubject& subject, const QString& folder) {
    Status written = export_to_file(subject, folder.toStdString(), find_export_form("c"));
    return written ? QString() : QString::fromStdString(written.error().message);
}

/// Returns the first line that is indented further than the statement that ends before it.
QString crooked_line(const QString& folder) {
    const auto indent = [](const QString& line) { return line.size() - QStringView(line).trimmed().size(); };
    for (const QString& name : QDir(folder).entryList({"*.c", "*.h"})) {
        QFile file(folder + "/" + name);
        if (!file.open(QIODevice::ReadOnly)) return name;
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
        for (qsizetype i = 1; i < lines.size(); ++i)
            if (lines[i - 1].endsWith(';') && indent(lines[i]) > indent(lines[i - 1]))
                return name + ": " + lines[i - 1] + "\n" + lines[i];
    }
    return {};
}

/// Builds a bundle with each compiler, runs it, and compares its outputs with those of the module on `default`.
QString check_bundle(const ModulePtr& module, const ExportSubject& subject, const QString& folder,
                     const QStringList& with) {
    if (QString failure = bundle_error(subject, folder); !failure.isEmpty()) return failure;
    if (QString line = crooked_line(folder); !line.isEmpty()) return line;
    RunOptions options;
    options.repeat = 1;
    options.warmup = 0;
    options.all_on_default = true;
    Result<RunReport> expected = run_module(module, options);
    if (!expected) return QString::fromStdString(expected.error().to_string());
    QStringList sources = QDir(folder).entryList({"*.c"});
    for (const QString& compiler : with) {
        QStringList arguments{"-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", "-o", "model_run"};
        if (compiler == "gcc")
            arguments << "-fsanitize=undefined"
                      << "-fno-sanitize-recover=all";
        if (QString said = run_program(compiler, arguments + sources + QStringList{"-lm"}, folder); !said.isEmpty())
            return said;
        if (QString said = run_program(folder + "/model_run", {"--output-dir", "."}, folder); !said.isEmpty())
            return said;
        std::vector<Tensor> outputs;
        for (size_t i = 0; i < expected->outputs.size(); ++i) {
            Result<Tensor> output = read_npy((folder + "/output_" + QString::number(i) + ".npy").toStdString());
            if (!output) return QString::fromStdString(output.error().to_string());
            outputs.push_back(*output);
        }
        for (const OutputDifference& difference : compare_outputs(outputs, expected->outputs, 1e-4))
            if (!difference.within_tolerance)
                return QString("%1: output %2 differs by %3")
                    .arg(compiler)
                    .arg(difference.output)
                    .arg(difference.max_abs_error);
    }
    return {};
}

/// Ops whose examples have no C: nothing is known of an opaque one but its name.
const std::set<std::string>& ops_without_c() {
    static const std::set<std::string> names{"opaque"};
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
        QString failure =
            check_bundle(opened->module, export_subject(flow, backends, "sample"), folder.path(), compilers());
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }

    void everyOpsExampleBuildsAndComputesTheSame_data() {
        QTest::addColumn<QString>("example");
        for (const OpRecord& op : op_registry().records())
            if (op.kernel && !op.example.empty()) QTest::newRow(op.name.c_str()) << QString::fromStdString(op.example);
    }
    void everyOpsExampleBuildsAndComputesTheSame() {
        QFETCH(QString, example);
        Result<OpenedModule> opened =
            open_text("#[version = \"0.0.5\"]\ndef @main" + example.toStdString().substr(3), "example");
        if (!opened) QSKIP("the example is no module of its own");
        // Random numbers are not valid shapes or image numbers; valid ones are set below.
        if (QStringList{"unravel_index", "vision.roi_align"}.contains(QTest::currentDataTag()))
            QSKIP("among the harder calls");
        QTemporaryDir folder;
        ExportSubject subject = export_subject(opened->module, "example");
        QString failure = check_bundle(opened->module, subject, folder.path(), {"gcc"});
        if (ops_without_c().count(QTest::currentDataTag())) {
            QVERIFY2(failure.contains("can't be written in C"), qPrintable("take it from the list: " + failure));
            return;
        }
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }

    void harderCallsComputeTheSame_data() {
        QTest::addColumn<QString>("function");
        for (const char* function : {
                 "(%x: Tensor[(3, 4, 2), int8]) { sort(%x, axis=0, is_ascend=False) }",
                 "(%x: Tensor[(3, 40, 2), uint8]) { argsort(%x, axis=1, dtype=\"int64\") }",
                 "(%x: Tensor[(2, 5000), int8]) { argsort(%x, axis=1, is_ascend=False, dtype=\"int32\") }",
                 "(%x: Tensor[(7, 3), float32]) { topk(%x, k=3, axis=0, ret_type=\"values\", is_ascend=True) }",
                 "(%x: Tensor[(7, 3), int32]) { topk(%x, k=0, axis=1, ret_type=\"indices\", dtype=\"int64\") }",
                 "(%x: Tensor[(2, 3, 4), int8]) { cumsum(%x, axis=1, dtype=\"int32\", exclusive=True) }",
                 "(%x: Tensor[(2, 3), int8]) { cumprod(%x) }",
                 "(%x: Tensor[(3, 4, 2), float32], %n: Tensor[(4), int32]) { reverse_sequence(%x, %n, seq_axis=0, "
                 "batch_axis=1) }",
                 "(%i: Tensor[(3), int32], %s: Tensor[(2), int32]) { unravel_index(%i, add(abs(%s), 1)) }",
                 "(%x: Tensor[(2, 3, 4), float32], %i: Tensor[(2, 5, 4), int64]) { gather(%x, %i, axis=1) }",
                 "(%x: Tensor[(2, 3, 4), int8], %i: Tensor[(1, 2, 5), int32]) { gather_nd(%x, %i, batch_dims=1) }",
                 "(%x: Tensor[(16, 16, 2), float32], %i: Tensor[(2, 1), int32], %j: Tensor[(3), int64]) { "
                 "adv_index((%x, %i, %j)) }",
                 "(%x: Tensor[(16, 3), int8], %i: Tensor[(2, 3), int32], %u: Tensor[(2, 3), int8]) { scatter_add(%x, "
                 "%i, %u, axis=0) }",
                 "(%x: Tensor[(4, 3), int8], %i: Tensor[(1, 2), int32], %u: Tensor[(2, 3), int8]) { scatter_nd(%x, %i, "
                 "%u, mode=\"mul\") }",
                 "(%x: Tensor[(16, 16), float32], %i: Tensor[(2, 5), int32], %u: Tensor[(5), float32]) { "
                 "scatter_nd(%x, %i, %u, mode=\"min\") }",
                 "(%x: Tensor[(2, 3, 2), float32], %n: Tensor[(2), float32]) { sequence_mask(%x, %n, mask_value=2f, "
                 "axis=1) }",
                 "(%x: Tensor[(2, 3, 4), float32], %m: Tensor[(1, 3, 1), float32]) { variance(%x, %m, axis=[0, 2], "
                 "keepdims=True, unbiased=True) }",
                 "(%x: Tensor[(3, 2), int32], %y: Tensor[(2), int32]) { collapse_sum_like(%x, %y) }",
                 "(%a: int32, %b: int32, %c: int32) { arange(%a, %b, %c, start=0, stop=6, step=2, dtype=\"int32\") }",
                 "(%x: Tensor[(2, 3, 5, 2), int8]) { nn.space_to_batch_nd(%x, block_shape=[2, 3], paddings=[[1, 0], "
                 "[0, 1]], pad_value=7f) }",
                 "(%x: Tensor[(12, 2, 2, 2), int8]) { nn.batch_to_space_nd(%x, block_shape=[2, 3], crops=[[1, 0], [0, "
                 "1]]) }",
                 "(%x: Tensor[(2, 4, 3, 4), float32], %w: Tensor[(4, 3, 3, 2), float32]) { nn.conv2d_transpose(%x, %w, "
                 "channels=6, "
                 "kernel_size=[3, 2], strides=[2, 3], padding=[1, 0, 0, 1], dilation=[2, 1], groups=2, "
                 "output_padding=[1, 0], kernel_layout=\"IOHW\") }",
                 "(%x: Tensor[(1, 4, 3, 2), int8], %w: Tensor[(3, 3, 2, 5), int8]) { nn.conv2d_transpose(%x, %w, "
                 "channels=5, kernel_size=[3, 3], "
                 "strides=[2, 1], data_layout=\"NHWC\", kernel_layout=\"HWIO\", out_dtype=\"int32\") }",
                 "(%x: Tensor[(1, 4, 5), float32], %w: Tensor[(4, 2, 3), float32]) { nn.conv1d_transpose(%x, %w, "
                 "channels=4, kernel_size=[3], "
                 "strides=[2], padding=[1, 1], groups=2) }",
                 "(%x: Tensor[(2, 3, 9, 7), float32], %r: Tensor[(2, 5), float32]) { vision.roi_align(%x, clip(%r, "
                 "a_min=0f, a_max=1.5f), pooled_size=[3, 2], spatial_scale=4f, "
                 "mode=\"max\") }",
             })
            QTest::newRow(function) << QString(function);
    }
    void harderCallsComputeTheSame() {
        QFETCH(QString, function);
        Result<OpenedModule> opened = open_text("#[version = \"0.0.5\"]\ndef @main" + function.toStdString(), "call");
        QVERIFY2(opened, opened ? "" : opened.error().to_string().c_str());
        QTemporaryDir folder;
        QString failure = check_bundle(opened->module, export_subject(opened->module, "call"), folder.path(), {"gcc"});
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }
};

PARTITA_TEST(TestCBundle)

}  // namespace test_c_bundle

#include "test_c_bundle.moc"
