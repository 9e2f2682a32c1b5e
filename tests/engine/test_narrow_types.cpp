// Numbers of less than a byte and floating-point numbers of one byte: their formats, casts, and ONNX's packed tensors.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/ir/narrow_types.h"
#include "engine/runtime/npy.h"
#include "engine/runtime/run.h"
#include "engine/support/file.h"
#include "tests/engine/onnx_writer.h"
#include "tests/engine/op_testing.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_narrow_types {

using namespace partita;
namespace w = onnx_writer;

namespace {

const DataType kFloats[] = {kFloat8E4M3FN,   kFloat8E4M3FNUZ, kFloat8E5M2,
                            kFloat8E5M2FNUZ, kFloat8E8M0FNU,  kFloat4E2M1FN};

constexpr int kOnnxInt4 = 22, kOnnxUInt4 = 21, kOnnxFloat4 = 23, kOnnxFloat8 = 17, kOnnxInt2 = 26;

/// TensorProto of a type, whose values stand in raw_data, or as integers in int32_data.
std::string packed_tensor(int type, const std::vector<int64_t>& shape, const std::string& content, bool raw = true) {
    std::string message;
    for (int64_t dim : shape) message += w::number(1, dim);
    message += w::number(2, type) + w::bytes(8, "x");
    if (raw) return message + w::bytes(9, content);
    std::string values;
    for (char byte : content) values += w::varint(uint8_t(byte));
    return message + w::bytes(5, values);
}

std::vector<double> values_of(const Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.at(i));
    return values;
}

Result<Tensor> read(const std::string& message) {
    Result<onnx::TensorProto> proto = onnx::parse_tensor(message);
    if (!proto) return proto.error();
    return onnx::tensor_value(*proto, {});
}

}  // namespace

class TestNarrowTypes : public QObject {
    Q_OBJECT
private slots:
    /// The figures of OFP8 1.0 (tables 1 and 2), of MX 1.0 (tables 5 and 7), and of ONNX's page on float8.
    void knownCodes() {
        struct Known {
            DataType dtype;
            int code;
            double value;
        };
        const Known known[] = {
            {kFloat8E4M3FN, 0x7e, 448},     {kFloat8E4M3FN, 0x01, 0x1p-9},    {kFloat8E4M3FN, 0x08, 0x1p-6},
            {kFloat8E4M3FN, 0xb8, -1},      {kFloat8E4M3FNUZ, 0x7f, 240},     {kFloat8E4M3FNUZ, 0x01, 0x1p-10},
            {kFloat8E5M2, 0x7b, 57344},     {kFloat8E5M2, 0x01, 0x1p-16},     {kFloat8E5M2, 0x7c, INFINITY},
            {kFloat8E5M2, 0xfc, -INFINITY}, {kFloat8E5M2FNUZ, 0x7f, 57344},   {kFloat8E5M2FNUZ, 0x01, 0x1p-17},
            {kFloat8E8M0FNU, 0x7f, 1},      {kFloat8E8M0FNU, 0x00, 0x1p-127}, {kFloat8E8M0FNU, 0xfe, 0x1p127},
            {kFloat4E2M1FN, 0x07, 6},       {kFloat4E2M1FN, 0x01, 0.5},       {kFloat4E2M1FN, 0x0b, -1.5},
        };
        for (const Known& one : known) QCOMPARE(double(narrow_to_float(one.dtype, uint8_t(one.code))), one.value);
        for (auto [dtype, code] : {std::pair(kFloat8E4M3FN, 0x7f),
                                   {kFloat8E4M3FN, 0xff},
                                   {kFloat8E4M3FNUZ, 0x80},
                                   {kFloat8E5M2, 0x7d},
                                   {kFloat8E5M2FNUZ, 0x80},
                                   {kFloat8E8M0FNU, 0xff}})
            QVERIFY(std::isnan(narrow_to_float(dtype, uint8_t(code))));
    }

    void everyNumberComesBack() {
        for (DataType dtype : kFloats)
            for (int code = 0; code < 1 << dtype.bits; ++code) {
                const float value = narrow_to_float(dtype, uint8_t(code));
                if (!std::isfinite(value)) continue;
                QCOMPARE(narrow_to_float(dtype, float_to_narrow(dtype, value)), value);
            }
    }

    void betweenTwoTheNearestThenTheEvenOne() {
        const auto rounded = [](DataType dtype, double value) {
            return double(narrow_to_float(dtype, float_to_narrow(dtype, value)));
        };
        QCOMPARE(rounded(kFloat8E4M3FN, 1.0625), 1.0);   // between 1 and 1.125
        QCOMPARE(rounded(kFloat8E4M3FN, 1.1875), 1.25);  // between 1.125 and 1.25
        QCOMPARE(rounded(kFloat8E4M3FN, 1.07), 1.125);
        QCOMPARE(rounded(kFloat8E4M3FN, 1e9), 448.0);
        QCOMPARE(rounded(kFloat8E4M3FN, -INFINITY), -448.0);
        QCOMPARE(rounded(kFloat8E5M2, INFINITY), 57344.0);
        QCOMPARE(rounded(kFloat4E2M1FN, 2.5), 2.0);
        QCOMPARE(rounded(kFloat4E2M1FN, -100), -6.0);
        QCOMPARE(rounded(kFloat8E8M0FNU, 3), 4.0);
        for (DataType dtype : {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ, kFloat8E8M0FNU})
            for (double none : {double(NAN), -double(NAN)}) QVERIFY(std::isnan(rounded(dtype, none)));
        QCOMPARE(rounded(kFloat4E2M1FN, NAN), 0.0);                    // it has none
        QCOMPARE(float_to_narrow(kFloat8E4M3FNUZ, -0.0), uint8_t(0));  // its code would be NaN's
        QCOMPARE(float_to_narrow(kFloat8E4M3FN, -0.0), uint8_t(0x80));
    }

    void integersWrap() {
        QCOMPARE(wrapped_to_narrow(kInt4, 9), int8_t(-7));
        QCOMPARE(wrapped_to_narrow(kInt4, -9), int8_t(7));
        QCOMPARE(wrapped_to_narrow(kUInt4, 17), int8_t(1));
        QCOMPARE(wrapped_to_narrow(kInt2, 2), int8_t(-2));
    }

    void namesReadBack() {
        for (DataType dtype : kFloats) QVERIFY(DataType::parse(dtype.to_string()) == dtype);
        QCOMPARE(kInt4.to_string(), std::string("int4"));
        QVERIFY(DataType::parse("int4") == kInt4);
        QVERIFY(DataType::parse("float8_e4m3fn") == kFloat8E4M3FN);
    }

    void tensorsHoldAndTellThem() {
        for (DataType dtype : {kFloat8E4M3FN, kInt4, kUInt4, kFloat4E2M1FN}) {
            Tensor tensor(dtype, {3});
            for (int64_t i = 0; i < 3; ++i) tensor.set(i, double(i));
            QCOMPARE(tensor.byte_size(), size_t(3));
            QCOMPARE(values_of(tensor), (std::vector<double>{0, 1, 2}));
            Result<Tensor> read_back = parse_npy(format_npy(tensor), "t.npy");
            QVERIFY(bool(read_back));
            QCOMPARE(values_of(*read_back), values_of(tensor));
        }
    }

    void packedTensorsAreUnpackedTheLowBitsFirst() {
        struct Packed {
            int type;
            std::vector<int64_t> shape;
            std::string content;
            std::vector<double> values;
        };
        const Packed cases[] = {
            {kOnnxInt4, {3}, "\x21\x0f", {1, 2, -1}},
            {kOnnxUInt4, {3}, "\x21\x0f", {1, 2, 15}},
            {kOnnxFloat4, {2}, "\x72", {1, 6}},
            {kOnnxInt2, {2, 3}, "\xe4\x01", {0, 1, -2, -1, 1, 0}},
            {kOnnxFloat8, {2}, std::string("\x7e\x38"), {448, 1}},
        };
        for (const Packed& one : cases)
            for (bool raw : {true, false}) {
                Result<Tensor> tensor = read(packed_tensor(one.type, one.shape, one.content, raw));
                QVERIFY2(bool(tensor), tensor ? "" : tensor.error().message.c_str());
                QCOMPARE(values_of(*tensor), one.values);
            }
    }

    void packedTensorsOfAWrongSizeAreRefused() {
        for (bool raw : {true, false})
            for (const char* content : {"\x21", "\x21\x01\x01"}) {
                Result<Tensor> tensor = read(packed_tensor(kOnnxInt4, {3}, content, raw));
                QVERIFY(!tensor);
                QVERIFY2(tensor.error().message.find("needs 2") != std::string::npos, tensor.error().message.c_str());
            }
    }

    void packedTensorsMayLieBesideTheModel() {
        QTemporaryDir folder;
        QVERIFY(bool(write_file(folder.filePath("w.bin").toStdString(), std::string("\0\0\x21\x0f", 4))));
        const auto entry = [](const char* key, const char* value) {
            return w::bytes(13, w::bytes(1, key) + w::bytes(2, value));
        };
        std::string message = w::number(1, 3) + w::number(2, kOnnxInt4) + w::bytes(8, "x") + w::number(14, 1) +
                              entry("location", "w.bin") + entry("offset", "2");
        onnx::ExternalData external;
        external.folder = folder.path().toStdString();
        Result<onnx::TensorProto> proto = onnx::parse_tensor(message);
        QVERIFY(bool(proto));
        Result<Tensor> tensor = onnx::tensor_value(*proto, external);
        QVERIFY2(bool(tensor), tensor ? "" : tensor.error().message.c_str());
        QCOMPARE(values_of(*tensor), (std::vector<double>{1, 2, -1}));
    }

    void otherOperatorsRefuseThemByName() {
        const Tensor x = testing::tensor(kFloat8E4M3FN, {2}, {1, 2});
        QCOMPARE(testing::message_of(testing::run_op("add", {x, x})),
                 std::string("add of float8_e4m3fn is not supported on default"));
    }

    /// A text may name any width; elements that nobody can read are not touched.
    void runsRefuseTypesWithoutNumbers() {
        const auto run = [](const char* type) {
            const std::string text = "def @main(%x: Tensor[(1000), " + std::string(type) + "]) { copy(%x) }";
            RunOptions options;
            options.warmup = 0;
            options.repeat = 1;
            return testing::message_of(run_module(std::make_shared<const Module>(typed_module(text)), options));
        };
        for (const char* type : {"int24", "float8", "float128", "int8x4"})
            QCOMPARE(run(type), "the parameter %x has the element type " + std::string(type) +
                                    ", in which nothing can be computed");
        for (const char* type : {"int4", "uint2", "float8_e5m2", "float4_e2m1fn"})
            QCOMPARE(run(type), std::string("no error"));
    }

    void castsGoThereAndBack() {
        const std::vector<double> values{0, 0.3, -1.7, 100, -1e6, 5, 7.5, -8};
        const Tensor x = testing::floats({8}, values);
        for (DataType dtype : {kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat4E2M1FN, kInt4, kUInt4}) {
            Result<std::vector<Tensor>> there = testing::run_op("cast", {x}, {{"dtype", dtype}});
            QVERIFY2(bool(there), there ? "" : there.error().message.c_str());
            for (DataType wide : {kFloat32, kFloat16, kInt32}) {
                Result<std::vector<Tensor>> back = testing::run_op("cast", {there->at(0)}, {{"dtype", wide}});
                QVERIFY2(bool(back), back ? "" : back.error().message.c_str());
                for (int64_t i = 0; i < 8; ++i) {
                    const double value = values[size_t(i)];
                    const double narrow = dtype.is_narrow_float()
                                              ? narrow_to_float(dtype, float_to_narrow(dtype, float(value)))
                                              : double(wrapped_to_narrow(dtype, int64_t(value)));
                    QCOMPARE(back->at(0).at(i), wide.is_integer() ? std::trunc(narrow) : narrow);
                }
            }
        }
    }
};

PARTITA_TEST(TestNarrowTypes)

}  // namespace test_narrow_types

#include "test_narrow_types.moc"
