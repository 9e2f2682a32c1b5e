// The C bundle from the command line: built with CMake, as its README says, and run on the same inputs as `run`.
#include <QStandardPaths>
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_c_bundle {

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
        CliRun exported = run_cli({"export", sample("quantized-block.relay"), "--backends", "ccompiler", "--format",
                                   "c-bundle", "-o", path("bundle")});
        QVERIFY2(exported.status == 0, exported.errors.constData());
        QCOMPARE(
            run_in(path("bundle"), "cmake", {"-G", "Ninja", "-B", "build", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"}),
            QByteArray());
        QCOMPARE(run_in(path("bundle"), "cmake", {"--build", "build"}), QByteArray());
        QCOMPARE(run_in(path("bundle/build"), "./model_run", {"--seed", "7", "--output-dir", "."}), QByteArray());
        CliRun run = run_cli(
            {"run", sample("quantized-block.relay"), "--seed", "7", "--repeat", "1", "--output-dir", path("expected")});
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

    void indicesOutOfRangeAreRefusedAsByTheKernels() {
        auto numbers = [](const QByteArray& type, const QByteArray& shape, const QByteArray& bytes) {
            QByteArray head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
            head = head.leftJustified(117, ' ') + "\n";
            return QByteArray("\x93NUMPY\x01\x00", 8) + char(head.size()) + QByteArray(1, '\0') + head + bytes;
        };
        const struct {
            const char* function;
            QByteArray wrong, right;
        } calls[] = {
            {"(%i: Tensor[(1), int8], %x: Tensor[(3), float32]) { gather(%x, %i, axis=0) }", "\x03", "\xfd"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3), float32]) { gather(%x, %i, axis=0) }", "\xfc", "\x02"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3), float32]) { take(%x, %i, axis=0, mode=\"fast\") }", "\xff",
             "\x02"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3, 2), float32]) { gather_nd(%x, %i) }", "\x03", "\xff"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3, 2), float32]) { adv_index((%x, %i)) }", "\x03", "\xff"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3), float32], %u: Tensor[(1), float32]) { scatter(%x, %i, %u, "
             "axis=0) }",
             "\x03", "\xff"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(3), float32], %u: float32) { scatter_nd(%x, %i, %u, mode=\"add\") }",
             "\x03", "\xff"},
            {"(%i: Tensor[(1), int8], %j: Tensor[(2), int32]) { unravel_index(cast(%j, dtype=\"int8\"), %i) }",
             QByteArray(1, '\0'), "\x02"},
            {"(%i: Tensor[(1), int8], %x: Tensor[(2, 1, 3, 3), float32]) { vision.roi_align(%x, "
             "reshape(multiply(ones(shape=[5], dtype=\"float32\"), "
             "cast(%i, dtype=\"float32\")), newshape=[1, 5]), pooled_size=[2, 2], spatial_scale=1f, layout=\"NCHW\", "
             "mode=\"avg\") }",
             "\x02", "\x01"},
        };
        const QByteArray ops =
            R"("gather": true, "take": true, "gather_nd": true, "adv_index": true, "scatter": true, "scatter_nd": true, )"
            R"("unravel_index": true, "vision.roi_align": true)";
        write_content(path("all.json"), R"({"name": "all", "codegen": "ccompiler", "ops": {)" + ops + "}}");
        for (const auto& call : calls) {
            write_content(path("call.relay"), QByteArray("#[version = \"0.0.5\"]\ndef @main") + call.function);
            write_content(path("wrong.npy"), numbers("|i1", "(1,)", call.wrong));
            write_content(path("right.npy"), numbers("|i1", "(1,)", call.right));
            QDir(path("indexed")).removeRecursively();
            CliRun exported = run_cli({"export", path("call.relay"), "--form", "c", "-o", path("indexed")});
            QVERIFY2(exported.status == 0, exported.errors.constData());
            QCOMPARE(run_in(path("indexed"), "sh", {"-c", "cc -std=c11 -Wall -Wextra -Werror *.c -lm -o model_run"}),
                     QByteArray());
            QCOMPARE(run_in(path("indexed"), "./model_run", {"i=../right.npy"}), QByteArray());
            const QByteArray said = run_in(path("indexed"), "./model_run", {"i=../wrong.npy"});
            QVERIFY2(said.contains("out of range"), call.function);
            const QStringList by_kernels{"run", path("call.relay"), "--repeat", "1", "--input"},
                by_c = QStringList{"run", "--backends", path("all.json")} + by_kernels.mid(1);
            for (const QStringList& run : {by_kernels, by_c}) {
                CliRun taken = run_cli(run + QStringList{"i=" + path("right.npy")}),
                       refused = run_cli(run + QStringList{"i=" + path("wrong.npy")});
                QVERIFY2(taken.status == 0, taken.errors.constData());
                QVERIFY2(refused.status == 1, call.function);
                if (run == by_c) QVERIFY2(refused.errors.contains("out of range"), refused.errors.constData());
            }
        }
    }

    void anotherBundleInTheSameFolderTakesTheFilesOfTheFirstAway() {
        QTemporaryDir folder;
        const QStringList first{"export", sample("one-divide.relay"), "--backends", "ccompiler", "--form", "c", "-o",
                                "b"};
        const QStringList second{"export", sample("diamond.relay"), "--form", "c", "-o", "b"};
        QCOMPARE(run_cli(first, folder.path()).status, 0);
        write_content(folder.filePath("b/own.txt"), "mine");
        QVERIFY(QFile::exists(folder.filePath("b/region_2.c")));
        // One file can't be written: nothing changes, because old and new sources would be built together otherwise.
        const QByteArray before = content_of(folder.filePath("b/model.c"));
        QVERIFY(QFile::remove(folder.filePath("b/weights.bin")) && QDir(folder.path()).mkdir("b/weights.bin"));
        const CliRun refused = run_cli(second, folder.path());
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("weights.bin"), refused.errors.constData());
        QCOMPARE(content_of(folder.filePath("b/model.c")), before);
        QVERIFY(QFile::exists(folder.filePath("b/region_2.c")));
        QCOMPARE(QDir(folder.filePath("b")).entryList({".partita-*"}, QDir::Files | QDir::Hidden),
                 QStringList{".partita-export"});
        QVERIFY(QDir(folder.path()).rmdir("b/weights.bin"));
        // Only files within the folder are removed, whatever the list of the first export contains.
        write_content(folder.filePath("outside.c"), "kept");
        write_content(folder.filePath("b/.partita-export"),
                      content_of(folder.filePath("b/.partita-export")) + "../outside.c\n..\n");
        QCOMPARE(run_cli(second, folder.path()).status, 0);
        QVERIFY(!QFile::exists(folder.filePath("b/region_2.c")));
        QVERIFY(QFile::exists(folder.filePath("b/own.txt")) && QFile::exists(folder.filePath("outside.c")));
    }

    void theMainProgramTakesWholeNumbersOnly() {
        QTemporaryDir folder;
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", "b"}, folder.path()).status, 0);
        QProcess build;
        build.setWorkingDirectory(folder.filePath("b"));
        build.start("sh", {"-c", "cc -std=c11 -O1 -Wall -Wextra -Werror *.c -lm -o model"});
        QVERIFY(build.waitForFinished(120000));
        QVERIFY2(build.exitCode() == 0, build.readAllStandardError());
        const auto status = [&folder](const QStringList& arguments) {
            QProcess model;
            model.setWorkingDirectory(folder.filePath("b"));
            model.start(folder.filePath("b/model"), arguments);
            return model.waitForFinished(60000) ? model.exitCode() : -1;
        };
        QCOMPARE(status({"--repeat", "2", "--seed", "7"}), 0);
        for (const QStringList& wrong :
             {QStringList{"--repeat", "0"}, QStringList{"--repeat", "abc"}, QStringList{"--repeat", "-5"},
              QStringList{"--seed", "x"}, QStringList{"--seed", "-1"}})
            QVERIFY2(status(wrong) > 0, qPrintable(wrong.join(' ')));
    }

    /// The header for a shape may end in ", )", depending on the array's writer.
    void everySpellingOfAHeaderIsTaken() {
        QTemporaryDir folder;
        write_content(folder.filePath("m.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4), float32]) { add(%x, %x) }
)");
        QCOMPARE(run_cli({"export", "m.relay", "--form", "c", "-o", "b"}, folder.path()).status, 0);
        QCOMPARE(run_in(folder.filePath("b"), "sh", {"-c", "cc -std=c11 -O1 -Wall -Wextra -Werror *.c -lm -o model"}),
                 QByteArray());
        const auto taken = [&](const QByteArray& dictionary) {
            const QByteArray head = dictionary.leftJustified(117, ' ') + "\n";
            write_content(folder.filePath("b/x.npy"), QByteArray("\x93NUMPY\x01\x00", 8) + char(head.size()) +
                                                          QByteArray(1, '\0') + head + QByteArray(16, '\0'));
            return run_in(folder.filePath("b"), "./model", {"x=x.npy"}).isEmpty();
        };
        for (const char* shape : {"(1, 4)", "(1, 4, )", "(1,4)", "(1,4,)", "( 1 , 4 )", "(1L, 4L)"})
            QVERIFY2(taken("{'descr': '<f4', 'fortran_order': False, 'shape': " + QByteArray(shape) + ", }"), shape);
        QVERIFY(taken("{\"shape\": (1, 4), \"fortran_order\":False, \"descr\":\"<f4\"}"));
        for (const char* wrong : {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1), }",
                                  "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 4), }",
                                  "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 4), }",
                                  "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 4), }",
                                  "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4, 1), }",
                                  "{'descr': '<f4', 'fortran_order': False, 'shape': (14), }", "{}"})
            QVERIFY2(!taken(wrong), wrong);
    }

    void theFolderMustBeOne() {
        write_content(path("file"), "x");
        CliRun run = run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", path("file")});
        QCOMPARE(run.status, 1);
        QVERIFY(run.errors.contains("is not a folder"));
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "--form", "c", "-o", "-"}).status, 1);
    }

    void opsWithoutCAreNamed() {
        write_content(path("unknown.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) {\n"
                      "  opaque(%x, op_type=\"Custom\", shapes=[[2, 3]], dtypes=[\"float32\"])\n}\n");
        CliRun run = run_cli({"export", path("unknown.relay"), "--form", "c", "-o", path("unwritten")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("can't be written in C: Custom"), run.errors.constData());
        QVERIFY(!QDir(path("unwritten")).exists());
    }
};

PARTITA_TEST(TestCliCBundle)

}  // namespace test_cli_c_bundle

#include "test_cli_c_bundle.moc"
