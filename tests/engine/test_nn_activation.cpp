#include <QtTest>

#include <cmath>

#include "op_call.h"
#include "op_testing.h"
#include "tests/registry.h"

namespace test_nn_activation {

using namespace partita;
using partita::testing::floats;
using partita::testing::int32s;
using partita::testing::numbers;

namespace {

using Numbers = std::vector<double>;

AttributeValue pairs(std::initializer_list<std::pair<int, int>> list) {
    AttributeValue::List items;
    for (auto [first, second] : list) items.push_back(list_value({first, second}));
    return AttributeValue(std::move(items));
}

Tensor counting(std::vector<int64_t> shape) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(i));
    return tensor;
}

}  // namespace

/// Activations and the ops that move elements (nn_activation.cpp, nn_spatial.cpp).
class TestNnActivation : public QObject {
    Q_OBJECT

private slots:
    void reluKeepsWhatIsPositive() {
        QCOMPARE(numbers(OpCall("nn.relu").run({floats({4}, {-1, 0, 2, NAN})})[0]), (Numbers{0, 0, 2, 0}));
        QCOMPARE(numbers(OpCall("nn.relu").run({int32s({3}, {-5, 0, 7})})[0]), (Numbers{0, 0, 7}));
    }

    void leakyReluAndPreluScaleWhatIsNegative() {
        QCOMPARE(numbers(OpCall("nn.leaky_relu").set("alpha", 0.5).run({floats({2}, {-2, 3})})[0]), (Numbers{-1, 3}));
        Tensor data = floats({1, 2, 2}, {-1, 2, -3, 4}), slopes = floats({2}, {0.5, 2});
        QCOMPARE(numbers(OpCall("nn.prelu").run({data, slopes})[0]), (Numbers{-0.5, 2, -6, 4}));
        QCOMPARE(numbers(OpCall("nn.prelu").set("axis", 2).run({data, slopes})[0]), (Numbers{-0.5, 2, -1.5, 4}));
    }

    void biasRunsAlongItsAxis() {
        Tensor data = counting({2, 2, 2}), bias = floats({2}, {10, 20});
        QCOMPARE(numbers(OpCall("nn.bias_add").run({data, bias})[0]), (Numbers{10, 11, 22, 23, 14, 15, 26, 27}));
        QCOMPARE(numbers(OpCall("nn.bias_add").set("axis", -1).run({data, bias})[0]),
                 (Numbers{10, 21, 12, 23, 14, 25, 16, 27}));
        QCOMPARE(OpCall("nn.bias_add").type({data, floats({3}, {})}),
                 std::string("error: argument 2 must have shape (2) and type float32"));
        QCOMPARE(OpCall("nn.bias_add").set("axis", 5).type({data, bias}),
                 std::string("error: the axis 5 is out of range for rank 3"));
    }

    void batchFlattenJoinsAxes() {
        Tensor result = OpCall("nn.batch_flatten").run({counting({2, 3, 4})})[0];
        QCOMPARE(result.shape(), (std::vector<int64_t>{2, 12}));
        QCOMPARE(result.at(13), 13.0);
    }

    void padFillsOrRepeatsOrReflects() {
        Tensor data = counting({1, 3}), value = floats({}, {9});
        auto padded = [&](const char* mode) {
            return numbers(
                OpCall("nn.pad").set("pad_width", pairs({{0, 0}, {2, 1}})).set("pad_mode", mode).run({data, value})[0]);
        };
        QCOMPARE(padded("constant"), (Numbers{9, 9, 0, 1, 2, 9}));
        QCOMPARE(padded("edge"), (Numbers{0, 0, 0, 1, 2, 2}));
        QCOMPARE(padded("reflect"), (Numbers{2, 1, 0, 1, 2, 1}));
        QCOMPARE(numbers(OpCall("nn.pad").set("pad_width", pairs({{0, 0}, {-1, 1}})).run({data, value})[0]),
                 (Numbers{1, 2, 9}));
        QCOMPARE(OpCall("nn.pad").set("pad_width", pairs({{0, 0}, {-2, -2}})).type({data, value}),
                 std::string("error: pad_width removes more than axis 1 has"));
    }

    void mirrorPadRepeatsTheEdgeOrNot() {
        Tensor data = counting({1, 3});
        OpCall call("nn.mirror_pad");
        call.set("pad_width", pairs({{0, 0}, {2, 1}}));
        QCOMPARE(numbers(call.run({data})[0]), (Numbers{1, 0, 0, 1, 2, 2}));
        QCOMPARE(numbers(call.set("mode", "REFLECT").run({data})[0]), (Numbers{2, 1, 0, 1, 2, 1}));
        QCOMPARE(call.set("pad_width", pairs({{0, 0}, {3, 0}})).type({data}),
                 std::string("error: pad_width is more than axis 1 has to mirror"));
    }

    void dilatePutsValuesBetween() {
        OpCall call("nn.dilate");
        call.set("strides", list_value({1, 3})).set("dilation_value", 7.0);
        QCOMPARE(numbers(call.run({counting({1, 2})})[0]), (Numbers{0, 7, 7, 1}));
    }

    void depthToSpaceAndBackIsTheSame() {
        for (const char* layout : {"NCHW", "NHWC"}) {
            Tensor data = counting(layout == std::string("NCHW") ? std::vector<int64_t>{2, 8, 3, 2}
                                                                 : std::vector<int64_t>{2, 3, 2, 8});
            OpCall to_space("nn.depth_to_space"), to_depth("nn.space_to_depth");
            to_space.set("block_size", 2).set("layout", layout);
            to_depth.set("block_size", 2).set("layout", layout);
            QCOMPARE(numbers(to_depth.run(to_space.run({data}))[0]), numbers(data));
        }
        // Channels 0 to 3 of one pixel become a block of 2 by 2.
        Tensor pixel = counting({1, 8, 1, 1});
        QCOMPARE(numbers(OpCall("nn.depth_to_space").set("block_size", 2).run({pixel})[0]),
                 (Numbers{0, 2, 4, 6, 1, 3, 5, 7}));
        QCOMPARE(numbers(OpCall("nn.depth_to_space").set("block_size", 2).set("mode", "CDR").run({pixel})[0]),
                 (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(OpCall("nn.depth_to_space").set("block_size", 3).type({pixel}),
                 std::string("error: block_size 3 does not divide the data"));
    }

    void spaceToBatchAndBackIsTheSame() {
        Tensor data = counting({1, 2, 2, 1});
        OpCall to_batch("nn.space_to_batch_nd"), to_space("nn.batch_to_space_nd");
        to_batch.set("block_shape", list_value({2, 2})).set("paddings", pairs({{0, 0}, {2, 0}})).set("pad_value", 5.0);
        Tensor batched = to_batch.run({data})[0];
        QCOMPARE(batched.shape(), (std::vector<int64_t>{4, 1, 2, 1}));
        QCOMPARE(numbers(batched), (Numbers{5, 0, 5, 1, 5, 2, 5, 3}));
        to_space.set("block_shape", list_value({2, 2})).set("crops", pairs({{0, 0}, {2, 0}}));
        QCOMPARE(numbers(to_space.run({batched})[0]), numbers(data));
    }

    void upsamplingRepeatsOrInterpolates() {
        Tensor data = floats({1, 1, 1, 2}, {0, 4});
        OpCall call("nn.upsampling");
        call.set("scale_h", 1.0).set("scale_w", 2.0);
        QCOMPARE(numbers(call.run({data})[0]), (Numbers{0, 0, 4, 4}));
        QCOMPARE(numbers(call.set("method", "bilinear").run({data})[0]), (Numbers{0, 2, 4, 4}));
        Tensor corners = call.set("align_corners", true).run({data})[0];
        QVERIFY(std::abs(corners.at(1) - 4.0 / 3) < 1e-6 && corners.at(3) == 4.0);
        // Inside, cubic weights leave a ramp as it is.
        Tensor ramp = floats({1, 1, 1, 6}, {0, 1, 2, 3, 4, 5});
        OpCall cubic("nn.upsampling");
        Tensor finer = cubic.set("scale_h", 1.0).set("scale_w", 2.0).set("method", "bicubic").run({ramp})[0];
        for (int i = 2; i <= 8; ++i) QCOMPARE(finer.at(i), i / 2.0);
        QCOMPARE(OpCall("nn.upsampling").set("scale_h", -1.0).set("scale_w", 2.0).type({data}),
                 std::string("error: scale_h must be positive and not too large"));
        OpCall volume("nn.upsampling3d");
        volume.set("scale_d", 1.0).set("scale_h", 1.0).set("scale_w", 2.0).set("method", "trilinear");
        QCOMPARE(numbers(volume.run({floats({1, 1, 1, 1, 2}, {0, 4})})[0]), (Numbers{0, 1, 3, 4}));
    }

    void crossEntropyIsAMeanOverTheBatch() {
        Tensor predictions = floats({2, 2}, {0.5, 0.5, 0.25, 0.75}), targets = floats({2, 2}, {1, 0, 0, 1});
        QVERIFY(std::abs(OpCall("nn.cross_entropy").run({predictions, targets})[0].at(0) +
                         (std::log(0.5) + std::log(0.75)) / 2) < 1e-6);
        QCOMPARE(OpCall("nn.cross_entropy_with_logits").run({predictions, targets})[0].at(0), -0.625);
    }
};

PARTITA_TEST(TestNnActivation)

}  // namespace test_nn_activation

#include "test_nn_activation.moc"
