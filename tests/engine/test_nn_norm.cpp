#include <QtTest>

#include <cmath>

#include "engine/passes/lower_whole_operators.h"
#include "older_processors.h"
#include "op_c_testing.h"
#include "op_call.h"
#include "relay_testing.h"
#include "same_outputs.h"
#include "tests/registry.h"

namespace test_nn_norm {

using namespace partita;
using namespace partita::testing;

namespace {

Tensor real_tensor(std::vector<int64_t> shape, std::mt19937& random, DataType dtype = kFloat32) {
    Tensor tensor(dtype, std::move(shape));
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, normal(random));
    return tensor;
}

struct Moments {
    double mean = 0, variance = 0;
};

template <class Select>
Moments moments_over(const Tensor& data, const Select& select) {
    Moments moments;
    int64_t count = 0;
    for (int64_t i = 0; i < data.size(); ++i)
        if (select(i)) moments.mean += data.at(i), ++count;
    moments.mean /= double(count);
    for (int64_t i = 0; i < data.size(); ++i)
        if (select(i)) moments.variance += (data.at(i) - moments.mean) * (data.at(i) - moments.mean) / double(count);
    return moments;
}

/// Compares with a formula of the element's index.
template <class Formula>
void compare(const Tensor& result, const Formula& formula, double tolerance = 1e-5) {
    for (int64_t i = 0; i < result.size(); ++i) {
        double expected = formula(i), actual = result.at(i);
        QVERIFY2(std::abs(expected - actual) <= tolerance * std::max(1.0, std::abs(expected)),
                 qPrintable(QString("element %1: got %2, expected %3").arg(i).arg(actual).arg(expected)));
    }
}

}  // namespace

class TestNnNorm : public QObject {
    Q_OBJECT

private slots:
    void batchNormUsesTheGivenMoments() {
        std::mt19937 random(1);
        Tensor data = real_tensor({2, 3, 4, 5}, random), gamma = real_tensor({3}, random),
               beta = real_tensor({3}, random);
        Tensor mean = real_tensor({3}, random), variance(kFloat32, {3});
        for (int i = 0; i < 3; ++i) variance.set(i, 0.5 + i);
        std::vector<Tensor> results =
            OpCall("nn.batch_norm").set("epsilon", 0.01).run({data, gamma, beta, mean, variance});
        QCOMPARE(results.size(), size_t(3));
        compare(results[0], [&](int64_t i) {
            int64_t c = i / 20 % 3;
            return (data.at(i) - mean.at(c)) / std::sqrt(variance.at(c) + 0.01) * gamma.at(c) + beta.at(c);
        });
        QVERIFY(results[1].identical(mean) && results[2].identical(variance));
        Tensor bare = OpCall("nn.batch_norm")
                          .set("scale", false)
                          .set("center", false)
                          .run({data, gamma, beta, mean, variance})[0];
        compare(bare, [&](int64_t i) {
            int64_t c = i / 20 % 3;
            return (data.at(i) - mean.at(c)) / std::sqrt(variance.at(c) + 1e-5);
        });
    }

    void batchNormWorksAlongTheLastAxis() {
        std::mt19937 random(2);
        Tensor data = real_tensor({2, 4, 3}, random), gamma = real_tensor({3}, random), beta = real_tensor({3}, random);
        Tensor mean = real_tensor({3}, random), variance(kFloat32, {3});
        for (int i = 0; i < 3; ++i) variance.set(i, 1 + i);
        Tensor result = OpCall("nn.batch_norm").set("axis", -1).run({data, gamma, beta, mean, variance})[0];
        compare(result, [&](int64_t i) {
            int64_t c = i % 3;
            return (data.at(i) - mean.at(c)) / std::sqrt(variance.at(c) + 1e-5) * gamma.at(c) + beta.at(c);
        });
    }

    void layerNormNormalisesOneAxis() {
        std::mt19937 random(3);
        Tensor data = real_tensor({3, 4, 5}, random);
        for (int axis : {-1, 1}) {
            int64_t extent = axis == 1 ? 4 : 5;
            Tensor gamma = real_tensor({extent}, random), beta = real_tensor({extent}, random);
            Tensor result = OpCall("nn.layer_norm").set("axis", axis).run({data, gamma, beta})[0];
            compare(result, [&](int64_t i) {
                Moments m = axis == 1
                                ? moments_over(data, [&](int64_t j) { return j / 20 == i / 20 && j % 5 == i % 5; })
                                : moments_over(data, [&](int64_t j) { return j / 5 == i / 5; });
                int64_t c = axis == 1 ? i / 5 % 4 : i % 5;
                return (data.at(i) - m.mean) / std::sqrt(m.variance + 1e-5) * gamma.at(c) + beta.at(c);
            });
        }
    }

    void rmsNormDividesByTheRootOfTheMeanSquare() {
        std::mt19937 random(14);
        Tensor data = real_tensor({2, 3, 5}, random);
        for (int axis : {1, -1}) {
            Tensor gamma = real_tensor({axis == 1 ? 3 : 5}, random);
            Tensor result = OpCall("nn.rms_norm").set("axis", axis).set("epsilon", 0.25).run({data, gamma})[0];
            compare(result, [&](int64_t i) {
                double squares = 0;
                for (int64_t j = 0; j < data.size(); ++j)
                    if (axis == 1 ? j / 15 == i / 15 && j % 5 == i % 5 : j / 5 == i / 5)
                        squares += data.at(j) * data.at(j);
                return data.at(i) / std::sqrt(squares / (axis == 1 ? 3 : 5) + 0.25) *
                       gamma.at(axis == 1 ? i / 5 % 3 : i % 5);
            });
        }
        QVERIFY(OpCall("nn.rms_norm").type({data, real_tensor({4}, random)}).find("(5)") != std::string::npos);
    }

    void rmsNormIsTheSameInCAndAsRelaysCalls() {
        std::mt19937 random(15);
        for (DataType dtype : {kFloat32, kFloat64})
            for (int axis : {1, 2}) {
                const Tensor data = real_tensor({2, 3, 5}, random, dtype),
                             gamma = real_tensor({axis == 1 ? 3 : 5}, random, dtype);
                const Tensor wanted = OpCall("nn.rms_norm").set("axis", axis).set("epsilon", 0.5).run({data, gamma})[0];
                const auto in_c = run_op_in_c("nn.rms_norm", {data, gamma}, {{"axis", axis}, {"epsilon", 0.5}});
                QVERIFY2(bool(in_c), message_of(in_c).c_str());
                compare((*in_c)[0], [&](int64_t i) { return wanted.at(i); });
                const std::string type = ", " + dtype.to_string() + "]";
                const Module module = typed_module(
                    "def @main(%x: Tensor[(2, 3, 5)" + type + ", %g: Tensor[(" + std::to_string(gamma.size()) + ")" +
                    type + ") { nn.rms_norm(%x, %g, axis=" + std::to_string(axis) + ", epsilon=0.5f) }");
                const Result<Module> lowered = lower_whole_operators(module);
                QVERIFY2(bool(lowered), message_of(lowered).c_str());
                QCOMPARE(whole_operator_calls(*lowered), size_t(0));
                const auto parts = outputs_of(*lowered, {{"x", data}, {"g", gamma}});
                QVERIFY2(bool(parts), message_of(parts).c_str());
                compare((*parts)[0], [&](int64_t i) { return wanted.at(i); });
            }
    }

    void instanceAndGroupNormNormaliseTheirParts() {
        std::mt19937 random(4);
        Tensor data = real_tensor({2, 4, 3, 2}, random), gamma = real_tensor({4}, random),
               beta = real_tensor({4}, random);
        Tensor instance = OpCall("nn.instance_norm").run({data, gamma, beta})[0];
        compare(instance, [&](int64_t i) {
            Moments m = moments_over(data, [&](int64_t j) { return j / 6 == i / 6; });
            return (data.at(i) - m.mean) / std::sqrt(m.variance + 1e-5) * gamma.at(i / 6 % 4) + beta.at(i / 6 % 4);
        });
        Tensor group = OpCall("nn.group_norm").set("num_groups", 2).run({data, gamma, beta})[0];
        compare(group, [&](int64_t i) {
            Moments m = moments_over(data, [&](int64_t j) { return j / 12 == i / 12; });
            return (data.at(i) - m.mean) / std::sqrt(m.variance + 1e-5) * gamma.at(i / 6 % 4) + beta.at(i / 6 % 4);
        });
        QCOMPARE(OpCall("nn.group_norm").set("num_groups", 3).type({data, gamma, beta}),
                 std::string("error: num_groups must be positive and divide the 4 channels, not 3"));
    }

    void softmaxSumsToOneAlongItsAxis() {
        std::mt19937 random(5);
        Tensor data = real_tensor({3, 4, 5}, random);
        data.set(7, 1000);  // exp of it alone would overflow
        for (int axis : {-1, 0, 1}) {
            int64_t stride = axis == -1 ? 1 : axis == 1 ? 5 : 20, extent = axis == -1 ? 5 : axis == 1 ? 4 : 3;
            auto line_sum = [&](int64_t i, double largest) {
                int64_t begin = i - i / stride % extent * stride;
                double sum = 0;
                for (int64_t k = 0; k < extent; ++k) sum += std::exp(data.at(begin + k * stride) - largest);
                return sum;
            };
            auto largest_of = [&](int64_t i) {
                int64_t begin = i - i / stride % extent * stride;
                double largest = -INFINITY;
                for (int64_t k = 0; k < extent; ++k) largest = std::max(largest, data.at(begin + k * stride));
                return largest;
            };
            for (const char* name : {"nn.softmax", "nn.fast_softmax"})
                compare(OpCall(name).set("axis", axis).run({data})[0],
                        [&](int64_t i) { return std::exp(data.at(i) - largest_of(i)) / line_sum(i, largest_of(i)); });
            compare(OpCall("nn.log_softmax").set("axis", axis).run({data})[0],
                    [&](int64_t i) { return data.at(i) - largest_of(i) - std::log(line_sum(i, largest_of(i))); });
        }
        QCOMPARE(OpCall("nn.softmax").set("axis", 3).type({data}),
                 std::string("error: the axis 3 is out of range for rank 3"));
    }

    void lrnDividesByNeighbouringChannels() {
        std::mt19937 random(6);
        Tensor data = real_tensor({1, 6, 2, 2}, random);
        Tensor result =
            OpCall("nn.lrn").set("size", 3).set("alpha", 0.5).set("beta", 0.7).set("bias", 1.5).run({data})[0];
        compare(result, [&](int64_t i) {
            int64_t channel = i / 4;
            double sum = 0;
            for (int64_t c = std::max<int64_t>(0, channel - 1); c <= std::min<int64_t>(5, channel + 1); ++c)
                sum += data.at(c * 4 + i % 4) * data.at(c * 4 + i % 4);
            return data.at(i) / std::pow(1.5 + 0.5 * sum / 3, 0.7);
        });
    }

    /// The largest of a sum of squares and epsilon is NaN where the sum is.
    void l2NormalizeOfNanIsNanInCToo() {
        Tensor data(kFloat32, {2, 2});
        data.set(0, std::nan("")), data.set(1, 1), data.set(2, 3), data.set(3, 4);
        OpCall call("nn.l2_normalize");
        call.set("eps", 1e-4).set("axis", list_value({1}));
        const Tensor own = call.run({data})[0];
        const auto in_c =
            run_op_in_c("nn.l2_normalize", {data}, {{"eps", AttributeValue(1e-4)}, {"axis", list_value({1})}});
        QVERIFY(bool(in_c));
        for (const Tensor& result : {own, (*in_c)[0]}) {
            QVERIFY(std::isnan(result.at(0)) && std::isnan(result.at(1)));
            QVERIFY(std::fabs(result.at(2) - 0.6) < 1e-6);
        }
    }

    void l2NormalizeGivesUnitLength() {
        std::mt19937 random(7);
        Tensor data = real_tensor({2, 3, 4}, random);
        Tensor result = OpCall("nn.l2_normalize").set("eps", 1e-4).set("axis", list_value({0, 2})).run({data})[0];
        compare(result, [&](int64_t i) {
            double sum = 0;
            for (int64_t j = 0; j < 24; ++j)
                if (j / 4 % 3 == i / 4 % 3) sum += data.at(j) * data.at(j);
            return data.at(i) / std::sqrt(std::max(sum, 1e-4));
        });
    }

    void dropoutGivesTheDataAndOnes() {
        std::mt19937 random(8);
        Tensor data = real_tensor({5}, random, kFloat16);
        std::vector<Tensor> results = OpCall("nn.dropout").run({data});
        QVERIFY(results[0].identical(data));
        for (int i = 0; i < 5; ++i) QCOMPARE(results[1].at(i), 1.0);
    }

    void halfPrecisionIsComputedInSingle() {
        std::mt19937 random(9);
        Tensor data = real_tensor({2, 300}, random, kFloat16), wide(kFloat32, {2, 300});
        for (int64_t i = 0; i < data.size(); ++i) wide.set(i, data.at(i));
        Tensor half = OpCall("nn.softmax").run({data})[0], single = OpCall("nn.softmax").run({wide})[0];
        for (int64_t i = 0; i < half.size(); ++i)
            QVERIFY(std::abs(half.at(i) - single.at(i)) <= single.at(i) * 0.001 + 1e-6);
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestNnNorm)

}  // namespace test_nn_norm

#include "test_nn_norm.moc"
