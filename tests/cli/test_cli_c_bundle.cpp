// The C bundle from the command line: built with CMake, as its README says, and run on the same inputs as `run`.
#include <QStandardPaths>
#include <QTest>

#include "tests/cli/cli_process.h"

class TestCliCBundle : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

    QByteArray run_in(const QString& folder, const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setWorkingDirectory(folder);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        if (!process.waitForFinished(300000)) return "it did not end";
        return process.exitCode() == 0 ? QByteArray() : process.readAll();
    }

private slots:
    void buildsWithCMakeAndGivesTheSameOutputs() {
        CliRun exported = run_cli({"export", sample("quantized-block.relay"), "--backends", "ccompiler", "--format", "c-bundle", "-o", path("bundle")});
        QVERIFY2(exported.status == 0, exported.errors.constData());
        QCOMPARE(run_in(path("bundle"), "cmake", {"-G", "Ninja", "-B", "build", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"}), QByteArray());
        QCOMPARE(run_in(path("bundle"), "cmake", {"--build", "build"}), QByteArray());
        QCOMPARE(run_in(path("bundle/build"), "./model_run", {"--seed", "7", "--output-dir", "."}), QByteArray());
        CliRun run = run_cli({"run", sample("quantized-block.relay"), "--seed", "7", "--repeat", "1", "--output-dir", path("expected")});
        QCOMPARE(run.status, 0);
        QByteArray expected = content_of(path("expected/output_0.npy"));
        QVERIFY(!expected.isEmpty());
        QCOMPARE(content_of(path("bundle/build/output_0.npy")), expected);
    }

    void weightsOfAnotherModuleAreRefused() {
        QVERIFY(run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", path("other")}).status == 0);
        QCOMPARE(run_in(path("other"), "sh", {"-c", "cc -std=c11 *.c -lm -o model_run"}), QByteArray());
        QByteArray weights = content_of(path("other/weights.bin"));
        QVERIFY(weights.startsWith("PARTITAW"));
        weights[16] = char(weights[16] + 1);
        write_content(path("other/weights.bin"), weights);
        QVERIFY(run_in(path("other"), "./model_run", {}).contains("weights.bin can't be read or holds other weights"));
    }

    void theFolderMustBeOne() {
        write_content(path("file"), "x");
        CliRun run = run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", path("file")});
        QCOMPARE(run.status, 1);
        QVERIFY(run.errors.contains("no folder"));
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", "-"}).status, 1);
    }

    void opsWithoutCAreNamed() {
        write_content(path("unknown.relay"), "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) {\n"
                                             "  opaque(%x, op_type=\"Custom\", shapes=[[2, 3]], dtypes=[\"float32\"])\n}\n");
        CliRun run = run_cli({"export", path("unknown.relay"), "--form", "c", "-o", path("unwritten")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("can't be written in C: opaque"), run.errors.constData());
        QVERIFY(!QDir(path("unwritten")).exists());
    }
};

QTEST_GUILESS_MAIN(TestCliCBundle)
#include "test_cli_c_bundle.moc"
