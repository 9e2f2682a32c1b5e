// NumPy's files: written files read back, and damaged files give messages.
#include <QTemporaryDir>
#include <QtTest>

#include <zip.h>

#include <cstring>

#include "engine/runtime/npy.h"
#include "engine/support/file.h"
#include "tests/registry.h"

namespace test_npy {

using namespace partita;

namespace {

Tensor counting(DataType dtype, std::vector<int64_t> shape) {
    Tensor tensor(dtype, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, dtype.is_bool() ? double(i % 2) : double(i));
    return tensor;
}

std::string npy(const std::string& header, const std::string& data) {
    std::string bytes = "\x93NUMPY";
    bytes += {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8)};
    return bytes + header + data;
}

void write_npz(const std::string& path, const std::map<std::string, Tensor>& tensors) {
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    QVERIFY(archive);
    std::vector<std::string> contents;
    contents.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors) {
        const std::string& content = contents.emplace_back(format_npy(tensor));
        zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
        QVERIFY(zip_file_add(archive, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) >= 0);
    }
    QCOMPARE(zip_close(archive), 0);
}

}  // namespace

class TestNpy : public QObject {
    Q_OBJECT
private slots:
    void eachElementTypeReadsBack() {
        for (DataType dtype :
             {kFloat16, kFloat32, kFloat64, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64, kBool})
            for (const std::vector<int64_t>& shape : {std::vector<int64_t>{}, {5}, {2, 3}, {0, 4}, {1, 2, 3, 4}}) {
                Tensor tensor = counting(dtype, shape);
                Result<Tensor> read = parse_npy(format_npy(tensor), "t.npy");
                QVERIFY2(bool(read), read ? "" : read.error().to_string().c_str());
                QVERIFY(read->identical(tensor));
            }
    }

    /// NumPy has no such type.
    void bfloat16IsWrittenAsFloat32() {
        Tensor half(kBFloat16, {2}), single(kFloat32, {2});
        for (Tensor* tensor : {&half, &single})
            for (int i : {0, 1}) tensor->set(i, 1.5 - 4 * i);
        Result<Tensor> read = parse_npy(format_npy(half), "t.npy");
        QVERIFY2(bool(read), read ? "" : read.error().to_string().c_str());
        QVERIFY(read->identical(single));
    }

    void dataBeginAtAMultipleOf64() {
        std::string bytes = format_npy(counting(kFloat32, {3, 4}));
        QCOMPARE((bytes.size() - 48) % 64, size_t(0));
        QVERIFY(bytes.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }") != std::string::npos);
    }

    void shapesOfRankOneKeepTheirComma() {
        QVERIFY(format_npy(counting(kInt8, {3})).find("'shape': (3,), }") != std::string::npos);
        QVERIFY(format_npy(counting(kInt8, {})).find("'shape': (), }") != std::string::npos);
    }

    void columnMajorFilesAreTurned() {
        // [[0, 1, 2], [3, 4, 5]] by columns
        Result<Tensor> read = parse_npy(
            npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }\n", std::string("\0\3\1\4\2\5", 6)), "t");
        QVERIFY(bool(read));
        QVERIFY(read->identical(counting(kInt8, {2, 3})));
    }

    void laterVersionsHaveLongerHeaders() {
        const std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }\n";
        for (char version : {'\2', '\3'}) {
            const std::string bytes = std::string("\x93NUMPY") + version + '\0' + char(header.size()) +
                                      std::string(3, '\0') + header + std::string("\0\1\2\3\4\5", 6);
            const Result<Tensor> read = parse_npy(bytes, "t");
            QVERIFY2(bool(read), read ? "" : read.error().to_string().c_str());
            QVERIFY(read->identical(counting(kInt8, {2, 3})));
        }
    }

    void bigEndianFilesAreTurned() {
        Result<Tensor> read = parse_npy(
            npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n", std::string("\1\2\0\7", 4)), "t");
        QVERIFY(bool(read));
        QCOMPARE(read->at(0), 258.0);
        QCOMPARE(read->at(1), 7.0);
    }

    void damagedFilesGiveAMessage_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const std::string& bytes, const char* message) {
            QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString(message);
        };
        row("empty", "", "not an .npy file");
        row("text", "hello, this is text", "not an .npy file");
        row("version", std::string("\x93NUMPY\x09\x00\x01\x00 x", 12), "version 9");
        row("short", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "abc"), "cut short");
        row("long", npy("{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }", "abc"), "behind");
        row("huge", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 8), }", "abc"),
            "cut short");
        row("overflow", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""),
            "can't be read");
        row("object", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "a"), "of type '|O'");
        row("no shape", npy("{'descr': '<f4', 'fortran_order': False}", ""), "can't be read");
        row("open string", npy("{'descr", ""), "can't be read");
        row("header beyond the end", std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "ends in its header");
    }
    void damagedFilesGiveAMessage() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        Result<Tensor> read = parse_npy(std::string_view(bytes.data(), size_t(bytes.size())), "t.npy");
        QVERIFY(!read);
        QVERIFY2(read.error().to_string().find(message.toStdString()) != std::string::npos,
                 read.error().to_string().c_str());
    }

    void anArchiveReadsBack() {
        QTemporaryDir folder;
        std::string path = folder.filePath("t.npz").toStdString();
        std::map<std::string, Tensor> tensors{{"weight", counting(kFloat32, {2, 3})}, {"b", counting(kInt64, {})}};
        write_npz(path, tensors);
        auto read = read_npz(path);
        QVERIFY2(bool(read), read ? "" : read.error().to_string().c_str());
        QCOMPARE(read->size(), size_t(2));
        QVERIFY(read->at("weight").identical(tensors["weight"]));
        QVERIFY(read->at("b").identical(tensors["b"]));
    }

    void everyCutOrChangedArchiveIsRefusedOrReadWithoutHarm() {
        QTemporaryDir folder;
        std::string path = folder.filePath("t.npz").toStdString();
        write_npz(path, {{"a", counting(kFloat32, {4})}});
        std::string bytes = *read_file(path);
        for (size_t cut = 0; cut < bytes.size(); ++cut) QVERIFY(!parse_npz(bytes.substr(0, cut), "t"));
        for (size_t i = 0; i < bytes.size(); ++i)
            for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
                std::string changed = bytes;
                changed[i] = char(value);
                (void)parse_npz(changed, "t");
            }
    }
};

PARTITA_TEST(TestNpy)

}  // namespace test_npy

#include "test_npy.moc"
