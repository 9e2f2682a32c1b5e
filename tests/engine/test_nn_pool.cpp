#include <QtTest>

#include <cmath>
#include <limits>

#include "op_call.h"
#include "tests/registry.h"

namespace test_nn_pool {

using namespace partita;

namespace {

struct PoolCase {
    int64_t input[2], pool[2], stride[2], dilation[2], before[2], after[2];
    bool maximum, ceil_mode, count_include_pad;
};

/// Returns an element by the definition, for layout NCHW, one image and channel at a time.
double pooled(const PoolCase& c, const Tensor& data, int64_t plane, int64_t y, int64_t x) {
    double largest = std::numeric_limits<float>::lowest(), sum = 0;  // as in TVM and ONNX Runtime
    int64_t inside = 0, counted = 0;
    for (int64_t i = 0; i < c.pool[0]; ++i)
        for (int64_t j = 0; j < c.pool[1]; ++j) {
            int64_t at_y = y * c.stride[0] - c.before[0] + i * c.dilation[0];
            int64_t at_x = x * c.stride[1] - c.before[1] + j * c.dilation[1];
            if (at_y < c.input[0] + c.after[0] && at_x < c.input[1] + c.after[1]) ++counted;
            if (at_y < 0 || at_x < 0 || at_y >= c.input[0] || at_x >= c.input[1]) continue;
            ++inside;
            double value = data.at((plane * c.input[0] + at_y) * c.input[1] + at_x);
            largest = std::max(largest, value);
            sum += value;
        }
    return c.maximum ? largest : sum / double(std::max<int64_t>(1, c.count_include_pad ? counted : inside));
}

PoolCase random_case(std::mt19937& random) {
    auto upto = [&random](int64_t low, int64_t high) { return low + int64_t(random() % uint64_t(high - low + 1)); };
    PoolCase c{};
    for (int a = 0; a < 2; ++a) {
        c.pool[a] = upto(1, 3);
        c.stride[a] = upto(1, 3);
        c.dilation[a] = upto(1, 2);
        c.before[a] = upto(0, c.pool[a] - 1);
        c.after[a] = upto(0, c.pool[a] - 1);
        c.input[a] = upto(6, 12);
    }
    c.maximum = upto(0, 1);
    c.ceil_mode = upto(0, 1);
    c.count_include_pad = upto(0, 1);
    return c;
}

OpCall call_of(const PoolCase& c, const char* layout) {
    OpCall call(c.maximum ? "nn.max_pool2d" : "nn.avg_pool2d");
    call.set("pool_size", list_value({c.pool[0], c.pool[1]})).set("strides", list_value({c.stride[0], c.stride[1]}));
    call.set("dilation", list_value({c.dilation[0], c.dilation[1]}))
        .set("ceil_mode", c.ceil_mode)
        .set("layout", layout);
    call.set("padding", list_value({c.before[0], c.before[1], c.after[0], c.after[1]}));
    if (!c.maximum) call.set("count_include_pad", c.count_include_pad);
    return call;
}

}  // namespace

class TestNnPool : public QObject {
    Q_OBJECT

private slots:
    void randomPoolsFollowTheDefinition() {
        std::mt19937 random(1);
        for (int i = 0; i < 200; ++i) {
            PoolCase c = random_case(random);
            Tensor data = random_tensor(kFloat32, {2, 3, c.input[0], c.input[1]}, random);
            OpCall call = call_of(c, "NCHW");
            std::vector<Tensor> outputs = call.run({data});
            QVERIFY2(!outputs.empty(), call.failure.c_str());
            const std::vector<int64_t>& shape = outputs[0].shape();
            for (int64_t element = 0; element < outputs[0].size(); ++element) {
                int64_t x = element % shape[3], y = element / shape[3] % shape[2],
                        plane = element / shape[3] / shape[2];
                double expected = pooled(c, data, plane, y, x), actual = outputs[0].at(element);
                QVERIFY2(expected == actual || std::abs(expected - actual) < 1e-5,
                         qPrintable(QString("case %1: got %2, expected %3").arg(i).arg(actual).arg(expected)));
            }
        }
    }

    void layoutsComputeTheSame() {
        std::mt19937 random(2);
        for (int i = 0; i < 20; ++i) {
            PoolCase c = random_case(random);
            Tensor data = random_tensor(kFloat32, {2, 8, c.input[0], c.input[1]}, random);
            OpCall plain = call_of(c, "NCHW");
            Tensor expected = plain.run({data})[0];
            for (const char* layout : {"NHWC", "NCHW4c", "HWNC"}) {
                OpCall transform("layout_transform");
                transform.set("src_layout", "NCHW").set("dst_layout", layout);
                OpCall call = call_of(c, layout);
                OpCall back("layout_transform");
                back.set("src_layout", layout).set("dst_layout", "NCHW");
                Tensor result = back.run(call.run(transform.run({data})))[0];
                double difference = 0;
                for (int64_t e = 0; e < result.size(); ++e)
                    if (result.at(e) != expected.at(e))
                        difference = std::max(difference, std::abs(result.at(e) - expected.at(e)));
                QVERIFY2(difference < 1e-5, layout);
            }
        }
    }

    void globalAndAdaptivePoolsCoverTheData() {
        Tensor data(kFloat32, {1, 1, 1, 7});
        for (int i = 0; i < 7; ++i) data.set(i, i);
        QCOMPARE(OpCall("nn.global_avg_pool2d").run({data})[0].at(0), 3.0);
        QCOMPARE(OpCall("nn.global_max_pool2d").run({data})[0].at(0), 6.0);
        // Windows of 7 in 3 parts: [0, 3), [2, 5), [4, 7).
        Tensor means = OpCall("nn.adaptive_avg_pool2d").set("output_size", list_value({1, 3})).run({data})[0];
        QCOMPARE(means.at(0), 1.0);
        QCOMPARE(means.at(1), 3.0);
        QCOMPARE(means.at(2), 5.0);
        Tensor same = OpCall("nn.adaptive_max_pool2d").run({data})[0];
        QCOMPARE(largest_difference(same, data), 0.0);
        Tensor volume(kFloat32, {1, 2, 2, 2, 2});
        for (int i = 0; i < 16; ++i) volume.set(i, i);
        QCOMPARE(OpCall("nn.adaptive_max_pool3d").set("output_size", list_value({1})).run({volume})[0].at(1), 15.0);
    }

    void planesAreReducedAsWholeRows() {
        // 37 x 3 elements are contiguous: whole vectors and a remainder. A column of 37 is not.
        Tensor data(kFloat32, {2, 1, 37, 3});
        double sum = 0, column = 0;
        for (int i = 0; i < 222; ++i) data.set(i, i % 111 == 110 ? 1000 : i % 7);
        for (int i = 0; i < 111; ++i) sum += data.at(i);
        for (int i = 0; i < 111; i += 3) column += data.at(i);
        QVERIFY(std::abs(OpCall("nn.global_avg_pool2d").run({data})[0].at(0) - sum / 111) < 1e-5);
        QCOMPARE(OpCall("nn.global_max_pool2d").run({data})[0].at(1), 1000.0);
        OpCall columns("nn.avg_pool2d");
        QVERIFY(std::abs(columns.set("pool_size", list_value({37, 1})).run({data})[0].at(0) - column / 37) < 1e-5);
        data.set(40, std::nan(""));
        QCOMPARE(OpCall("nn.global_max_pool2d").run({data})[0].at(0), 1000.0);
        QVERIFY(std::isnan(OpCall("nn.global_avg_pool2d").run({data})[0].at(0)));
    }

    void poolsOfOneAndThreeAxesWork() {
        Tensor line(kFloat32, {1, 1, 5}), volume(kFloat32, {1, 1, 2, 2, 2});
        for (int i = 0; i < 5; ++i) line.set(i, i);
        for (int i = 0; i < 8; ++i) volume.set(i, i);
        QCOMPARE(OpCall("nn.avg_pool1d").set("pool_size", list_value({2})).run({line})[0].at(3), 3.5);
        QCOMPARE(OpCall("nn.max_pool3d").set("pool_size", list_value({2, 2, 2})).run({volume})[0].at(0), 7.0);
        QCOMPARE(OpCall("nn.avg_pool3d").set("pool_size", list_value({2, 2, 2})).run({volume})[0].at(0), 3.5);
    }

    void integersStayIntegers() {
        Tensor data(kInt8, {1, 1, 1, 4});
        for (int i = 0; i < 4; ++i) data.set(i, 100 + i);
        Tensor mean = OpCall("nn.global_avg_pool2d").run({data})[0];
        QCOMPARE(mean.dtype(), kInt8);
        QCOMPARE(mean.at(0), 101.0);  // 101.5 truncated; the sum does not wrap at 127
        QCOMPARE(OpCall("nn.max_pool2d").set("pool_size", list_value({1, 2})).run({data})[0].at(2), 103.0);
        for (DataType dtype : {kUInt8, kInt16, kInt32}) {
            Tensor large(dtype, {1, 1, 2, 2});
            const double most = double((int64_t(1) << (dtype.bits - (dtype == kUInt8 ? 0 : 1))) - 1);
            for (int i = 0; i < 4; ++i) large.set(i, most);
            QCOMPARE(OpCall("nn.global_avg_pool2d").run({large})[0].at(0), most);
        }
    }

    void badAttributesAreErrors() {
        Tensor data(kFloat32, {1, 1, 4, 4});
        QCOMPARE(OpCall("nn.max_pool2d").set("pool_size", list_value({0, 1})).type({data}),
                 std::string("error: pool_size must be positive"));
        QCOMPARE(OpCall("nn.max_pool2d").set("pool_size", list_value({9, 9})).type({data}),
                 std::string("error: a window of 9 does not fit into the padded extent 4"));
        QCOMPARE(OpCall("nn.max_pool2d").set("pool_size", list_value({2, 2})).set("layout", "NCHW4h").type({data}),
                 std::string("error: layout NCHW4h does not fit data of rank 4"));
        QCOMPARE(OpCall("nn.adaptive_avg_pool2d").set("output_size", list_value({1, 2, 3})).type({data}),
                 std::string("error: output_size must have no, 1 or 2 elements, not 3"));
    }
};

PARTITA_TEST(TestNnPool)

}  // namespace test_nn_pool

#include "test_nn_pool.moc"
