// ONNX files: broken and hostile ones, weights in files beside the model, files that change while they are read.
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <sys/resource.h>

#include "engine/diff/module_diff.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/printer.h"
#include "engine/runtime/run.h"
#include "engine/session/onnx_conformance.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_testing.h"
#include "tests/registry.h"

namespace test_onnx_files {

using namespace partita;
namespace w = onnx_writer;

namespace {

w::GraphParts relu_chain(int length) {
    w::GraphParts parts{{}, {}, {w::value_info("x", {2, 3})}, {w::value_info("v" + std::to_string(length), {2, 3})}};
    for (int i = 0; i < length; ++i)
        parts.nodes.push_back(w::node("Relu", {i ? "v" + std::to_string(i) : "x"}, {"v" + std::to_string(i + 1)}));
    return parts;
}

}  // namespace

class TestOnnxFiles : public QObject {
    Q_OBJECT

private slots:
    void badFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const std::string& bytes, const char* message) {
            QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString(message);
        };
        w::GraphParts good = relu_graph(), bad = good;
        row("empty", "", "empty");
        row("noGraph", w::number(1, 7), "no graph");
        row("truncated", w::model(good).substr(0, w::model(good).size() - 5), "damaged");
        row("wrongWireType", w::number(1, 7) + w::number(7, 3), "damaged");
        bad.nodes = {w::node("Relu", {"nowhere"}, {"y"})};
        row("undefinedInput", w::model(bad), "which nothing defines");
        bad.nodes = {w::node("Relu", {"b"}, {"a"}), w::node("Relu", {"a"}, {"b"})};
        row("cycle", w::model(bad), "cycle");
        bad.nodes = {w::node("Relu", {"x"}, {"y"}), w::node("Tanh", {"x"}, {"y"})};
        row("duplicateName", w::model(bad), "defined twice");
        bad = good;
        bad.outputs = {w::value_info("z", {1})};
        row("missingOutput", w::model(bad), "output 'z' is not defined");
        bad = good;
        bad.inputs = {w::value_info("x", {int64_t(1) << 40, int64_t(1) << 40})};
        row("hugeDimension", w::model(bad), "impossible shape");
        bad = good;
        bad.initializers = {w::tensor("w", {1000, 1000, 1000}, {1})};
        row("tooFewBytes", w::model(bad), "needs 4000000000 bytes");
        bad.initializers = {w::tensor("w", {-4}, {1})};
        row("negativeDimension", w::model(bad), "negative dimension -4");
        bad = good;
        bad.inputs.push_back(bad.inputs[0]);
        row("duplicateInput", w::model(bad), "input 'x' is defined twice");
        bad = good;
        bad.initializers = {w::tensor("w", {int64_t(1) << 31, int64_t(1) << 31, 4}, {1})};
        row("overflowingCount", w::model(bad), "impossible shape");
        std::string function = w::bytes(25, w::bytes(1, "F") + w::bytes(4, "a") + w::bytes(5, "b") +
                                                w::bytes(7, w::node("Relu", {"a"}, {"b"})) + w::bytes(10, "own"));
        row("duplicateFunction", w::model(good, 13, function + function), "function 'F' is defined twice");
        row("gigabytesThatAreNotThere", w::number(1, 7) + w::varint(2 << 3 | 2) + w::varint(1 << 30) + "abc",
            "damaged");
        std::string nested = w::graph(good);
        for (int i = 0; i < 100; ++i) {
            w::GraphParts outer = good;
            outer.nodes = {w::node("If", {"x"}, {"y"}, {w::graph_attribute("then_branch", nested)})};
            nested = w::graph(outer);
        }
        row("deepNesting", w::number(1, 7) + w::bytes(7, nested), "nested");
    }
    void badFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        std::string said = refusal(bytes.toStdString());
        QVERIFY2(QString::fromStdString(said).contains(message), said.empty() ? "it was taken" : said.c_str());
    }

    void externalDataStaysInsideTheFolder_data() {
        QTest::addColumn<QString>("location");
        QTest::addColumn<bool>("good");
        QTest::newRow("beside") << "weights.bin" << true;
        QTest::newRow("parent") << "../secret.bin" << false;
        QTest::newRow("absolute") << "/etc/passwd" << false;
        QTest::newRow("link") << "link.bin" << false;
    }
    void externalDataStaysInsideTheFolder() {
        QFETCH(QString, location);
        QFETCH(bool, good);
        QTemporaryDir folder;
        std::string root = folder.path().toStdString() + "/model";
        std::filesystem::create_directory(root);
        std::vector<float> values{1, 2, 3, 4};
        std::string raw(reinterpret_cast<const char*>(values.data()), 16);
        std::ofstream(root + "/weights.bin", std::ios::binary) << raw;
        std::ofstream(root + "/../secret.bin", std::ios::binary) << raw;
        std::filesystem::create_symlink("../secret.bin", root + "/link.bin");
        std::string tensor = w::number(1, 4) + w::number(2, 1) + w::bytes(8, "w") +
                             w::bytes(13, w::bytes(1, "location") + w::bytes(2, location.toStdString())) +
                             w::number(14, 1);
        w::GraphParts parts{
            {w::node("Add", {"x", "w"}, {"y"})}, {tensor}, {w::value_info("x", {4})}, {w::value_info("y", {4})}};
        OnnxOptions options;
        options.file = root + "/model.onnx";
        Result<OnnxImport> imported = import_onnx(w::model(parts), options);
        QCOMPARE(bool(imported), good);
        if (!good) return;
        ExprId add = imported->module.body(imported->module.find_function("main"));
        QCOMPARE(imported->module.constant(imported->module.arguments(add)[1]).at(2), 3.0);
    }

    void manyFilesBesideTheModelAreNotAllKeptOpen() {
        constexpr int kFiles = 80, kElements = 30000;
        QTemporaryDir folder;
        w::GraphParts parts{{}, {}, {w::value_info("x", {kElements})}, {w::value_info("y", {kElements})}};
        for (int i = 0; i < kFiles; ++i) {
            std::string file = std::to_string(i) + ".bin", last = i ? "s" + std::to_string(i) : "x";
            std::vector<float> values(kElements, float(i));
            QVERIFY(write_file(folder.filePath(file.c_str()).toStdString(),
                               {reinterpret_cast<const char*>(values.data()), 4 * values.size()}));
            parts.initializers.push_back(w::number(1, kElements) + w::number(2, 1) + w::bytes(8, "w" + file) +
                                         w::bytes(13, w::bytes(1, "location") + w::bytes(2, file)) + w::number(14, 1));
            parts.nodes.push_back(
                w::node("Add", {last, "w" + file}, {i + 1 < kFiles ? "s" + std::to_string(i + 1) : "y"}));
        }
        const std::string path = folder.filePath("model.onnx").toStdString();
        QVERIFY(write_file(path, w::model(parts)));
        auto open_files = [] {
            return QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size();
        };
        const auto before = open_files();
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY2(open_files() > before && open_files() <= before + 64,
                 qPrintable(QString("%1 more files are open").arg(open_files() - before)));
        const Module& module = *opened->module;
        double sum = 0;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Constant) sum += module.constant(ExprId(i)).at(kElements - 1);
        QCOMPARE(sum, kFiles * (kFiles - 1) / 2.0);
    }

    void largeWeightsAreReadWhenTheyAreWanted_data() {
        QTest::addColumn<bool>("beside");
        QTest::newRow("in the model") << false;
        QTest::newRow("beside the model") << true;
    }
    void largeWeightsAreReadWhenTheyAreWanted() {
        QFETCH(bool, beside);
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string data = beside ? folder.filePath("weights.bin").toStdString() : path;
        const auto write = [&] {
            std::vector<float> values(100000);
            for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
            std::string raw(reinterpret_cast<const char*>(values.data()), 4 * values.size());
            const std::string head = w::number(1, 100000) + w::number(2, 1) + w::bytes(8, "w");
            const std::string outside =
                w::bytes(13, w::bytes(1, "location") + w::bytes(2, "weights.bin")) + w::number(14, 1);
            w::GraphParts parts{{w::node("Add", {"x", "w"}, {"y"})},
                                {head + (beside ? outside : w::bytes(9, raw))},
                                {w::value_info("x", {100000})},
                                {w::value_info("y", {100000})}};
            if (beside) QVERIFY(write_file(data, raw));
            QVERIFY(write_file(path, w::model(parts)));
        };
        const auto weights = [](const Module& module) {
            return module.constant(module.arguments(module.body(module.find_function("main")))[1]);
        };
        write();
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        // A different file of the same name counts as another one.
        QVERIFY(write_file(data, "other"));
        QCOMPARE(weights(*opened->module).at(0), 0.0);
        QCOMPARE(weights(*opened->module).at(99999), 99999.0);

        // What is one file's is compared without reading it: when the file has changed, nothing could be read.
        write();
        opened = open_module(path, {});
        Result<OpenedModule> again = open_module(path, {});
        QVERIFY(opened && again);
        std::filesystem::resize_file(data, 4096);
        QCOMPARE(diff_modules(*opened->module, *again->module).same, size_t(3));
        write();
        again = open_module(path, {});
        QVERIFY(again);
        QVERIFY_THROWS_EXCEPTION(DataLost, (void)diff_modules(*opened->module, *again->module));

        // A change of the file by another program is reported; with a mapping it would kill the process.
        write();
        opened = open_module(path, {});
        QVERIFY(opened);
        std::filesystem::resize_file(data, 4096);
        QVERIFY_THROWS_EXCEPTION(DataLost, (void)weights(*opened->module).at(99999));
        Result<RunReport> report = run_module(opened->module, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("has changed since it was opened") != std::string::npos,
                 report.error().message.c_str());
    }

    void whatIsComputedFromWeightsWaitsUntilItIsWanted() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        std::vector<float> values(size_t(200) * 300);
        for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
        const std::string raw(reinterpret_cast<const char*>(values.data()), 4 * values.size());
        w::GraphParts parts{
            {w::node("MatMul", {"x", "w"}, {"y"})},
            {w::number(1, 200) + w::number(1, 300) + w::number(2, 1) + w::bytes(8, "w") + w::bytes(9, raw)},
            {w::value_info("x", {2, 200})},
            {w::value_info("y", {2, 300})}};
        QVERIFY(write_file(path, w::model(parts)));
        Result<OpenedModule> opened = open_module(path, {});
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        // The product takes the transposed matrix.
        const Module& module = *opened->module;
        const Tensor& matrix = module.constant(module.arguments(module.body(module.find_function("main")))[1]);
        QCOMPARE(matrix.shape(), (std::vector<int64_t>{300, 200}));
        QVERIFY(!matrix.in_memory());
        // One look, as an exporter takes it, keeps nothing.
        QCOMPARE(static_cast<const float*>(matrix.lent_bytes().get())[1], 300.0f);
        QVERIFY(!matrix.in_memory());
        QVERIFY(!print_relay(module).empty());
        QVERIFY(!matrix.in_memory());
        QCOMPARE(matrix.at(200), 1.0);
        QVERIFY(matrix.in_memory());
        QCOMPARE(matrix.at(1), 300.0);
        // Its operand is read again where it is needed, and missed where the file is another one.
        opened = open_module(path, {});
        QVERIFY(opened);
        std::filesystem::resize_file(path, 4096);
        Result<RunReport> report = run_module(opened->module, {});
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("has changed since it was opened") != std::string::npos,
                 report.error().message.c_str());
    }

    void aStackThatIsTransposedForItsProductStaysAsItIs() {
        const auto products_of = [](const std::vector<int64_t>& axes) {
            w::GraphParts parts{{w::node("Transpose", {"k"}, {"t"}, {w::list_attribute("perm", axes)}),
                                 w::node("MatMul", {"q", "t"}, {"y"})},
                                {},
                                {w::value_info("q", {2, 3, 4, 5}), w::value_info("k", {2, 3, 5, 5})},
                                {w::value_info("y", {2, 3, 4, 5})}};
            const Result<OnnxImport> imported = import_onnx(w::model(parts), {});
            return imported ? print_relay(imported->module) : imported.error().message;
        };
        const std::string swapped = products_of({0, 1, 3, 2});
        QVERIFY2(swapped.find("transpose_b=True") != std::string::npos, swapped.c_str());
        QVERIFY2(swapped.find("transpose(") == std::string::npos, swapped.c_str());
        const std::string kept = products_of({0, 1, 2, 3});
        QVERIFY2(kept.find("transpose(") != std::string::npos, kept.c_str());
        QVERIFY2(kept.find("transpose_b") == std::string::npos, kept.c_str());
    }

    void aFileThatIsNotThereIsNamed() {
        const auto missing = SourceFile::open("/none/model.onnx");
        QVERIFY(!missing);
        QCOMPARE(missing.error().to_string(),
                 std::string("/none/model.onnx: error: can't read the file: No such file or directory"));
    }

    void aFileThatChangesWhileItIsOpenedIsRefused() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string model = w::model(relu_chain(20000));
        QVERIFY(write_file(path, model));
        OnnxOptions options;
        options.file = path;
        const auto opened = [&path] { return SourceFile::open(path); };
        Result<std::shared_ptr<const SourceFile>> file = opened();
        QVERIFY(file);
        QVERIFY(import_onnx(*file, options));

        // Truncated between opening and parsing; touching a mapping would kill the process here.
        std::filesystem::resize_file(path, 5000);
        Result<OnnxImport> shortened = import_onnx(*file, options);
        QVERIFY(!shortened);
        QCOMPARE(shortened.error().to_string(),
                 path + ": error: the file has changed since it was opened; open it again");
        // Overwritten with the same number of bytes.
        QVERIFY(file = opened());
        std::ofstream(path, std::ios::binary | std::ios::in) << "other";
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
        QVERIFY(!import_onnx(*file, options));
    }

    void aFileThatIsShortenedWhileItIsReadNeverCrashes_data() {
        QTest::addColumn<QByteArray>("bytes");
        const std::string model = w::model(relu_chain(20000));
        QTest::newRow("onnx") << QByteArray(model.data(), qsizetype(model.size()));
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n";
        for (int i = 0; i < 20000; ++i)
            text += "  %" + QByteArray::number(i) + " = exp(" +
                    (i ? "%" + QByteArray::number(i - 1) : QByteArray("%x")) + ");\n";
        QTest::newRow("text") << text + "  exp(%19999)\n}\n";
    }
    void aFileThatIsShortenedWhileItIsReadNeverCrashes() {
        QFETCH(QByteArray, bytes);
        QTemporaryDir folder;
        const std::string path = folder.filePath("model").toStdString();
        std::atomic<bool> done = false;
        std::thread writer([&] {
            while (!done) {
                std::ofstream(path, std::ios::binary) << bytes.toStdString();  // truncates it first
                std::filesystem::resize_file(path, 5000);
            }
        });
        int taken = 0, refused = 0;
        for (int turn = 0; turn < 300; ++turn) {
            Result<OpenedModule> module = open_module(path);
            if (!module) QCOMPARE(module.error().file, path);
            ++(module ? taken : refused);
        }
        done = true;
        writer.join();
        qInfo("%d times the file was taken, %d refused", taken, refused);
        QVERIFY(refused > 0);
    }

    void onlyTheStructureOfAFileIsRead() {
        // Reading touches no page of 4 GiB of weights, which are holes in the file.
        constexpr size_t kWeights = size_t(1) << 30;
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.onnx").toStdString();
        const std::string head =
            w::number(1, 1 << 28) + w::number(2, 1) + w::bytes(8, "w") + w::varint(9 << 3 | 2) + w::varint(kWeights);
        const std::string after = w::bytes(12, w::value_info("y", {2, 3})) + w::bytes(11, w::value_info("x", {2, 3})) +
                                  w::bytes(1, w::node("Relu", {"x"}, {"y"}));
        const std::string tensor = w::varint(5 << 3 | 2) + w::varint(head.size() + kWeights) + head;
        const std::string start = w::number(1, 7) + w::bytes(8, w::number(2, 13)) + w::varint(7 << 3 | 2) +
                                  w::varint(4 * (tensor.size() + kWeights) + after.size());
        std::ofstream file(path, std::ios::binary);
        file << start;
        for (char name : {'a', 'b', 'c', 'd'}) {
            std::string named = tensor;
            named[named.find('w')] = name;
            file << named;
            file.seekp(std::streamoff(kWeights), std::ios::cur);
        }
        file << after;
        file.close();
        rusage before, later;
        getrusage(RUSAGE_SELF, &before);
        Result<OpenedModule> opened = open_module(path);
        getrusage(RUSAGE_SELF, &later);
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY2(later.ru_maxrss - before.ru_maxrss < 20'000,
                 QByteArray::number(qint64(later.ru_maxrss - before.ru_maxrss)));
        QCOMPARE(op_of_output(*opened->module)->name, std::string("nn.relu"));
    }

    void parsingStopsWhereItIsCancelled() {
        const std::string model = w::model(relu_chain(20000));
        onnx::ModelBytes bytes(model);
        CancelToken cancelled;
        cancelled.cancel();
        Result<onnx::Model> parsed = onnx::parse_model(bytes, cancelled);
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().message, std::string("cancelled"));
    }

    void damagedBytesNeverCrash() {
        w::GraphParts parts{{w::node("Conv", {"x", "w"}, {"c"}, {w::attribute("group", 1)}),
                             w::node("Relu", {"c"}, {"r"}), w::node("Reshape", {"r", "s"}, {"y"})},
                            {w::tensor("w", {2, 1, 3, 3}, std::vector<float>(18, 0.5f)), w::integers("s", {1, -1})},
                            {w::value_info("x", {1, 1, 8, 8})},
                            {w::value_info("y", {1, 72})}};
        std::string bytes = w::model(parts);
        QVERIFY(import_onnx(bytes, {}));
        for (size_t i = 0; i < bytes.size(); ++i) {
            (void)import_onnx(std::string_view(bytes).substr(0, i), {});
            for (int flip : {0x01, 0x08, 0x80, 0xff}) {
                std::string damaged = bytes;
                damaged[i] = char(damaged[i] ^ flip);
                (void)import_onnx(damaged, {});
            }
        }
    }

    void realFilesDamagedAtRandomNeverCrash() {
        std::vector<std::string> tests = find_onnx_tests("/usr/share/libonnx-testdata/data");
        if (tests.empty()) QSKIP("Debian's libonnx-testdata is not installed");
        std::mt19937 random(1);
        auto below = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
        int taken = 0, refused = 0;
        for (const std::string& test : tests) {
            Result<std::string> bytes = read_file(test + "/model.onnx");
            if (!bytes || bytes->size() > 200'000) continue;
            for (int turn = 0; turn < 6; ++turn) {
                std::string damaged = *bytes;
                if (turn == 0) damaged.resize(below(damaged.size()));
                for (int flip = 0; turn > 0 && flip < (1 << turn) / 2; ++flip)
                    damaged[below(damaged.size())] ^= char(1 << below(8));
                ++(import_onnx(damaged, {}) ? taken : refused);
            }
        }
        qInfo("%d damaged files were taken, %d refused", taken, refused);
        QVERIFY(taken + refused > 5000);
    }
};

PARTITA_TEST(TestOnnxFiles)

}  // namespace test_onnx_files

#include "test_onnx_files.moc"
