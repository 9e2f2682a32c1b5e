// Convolutions by Winograd's algorithm: against sums in double precision, within memory that ends where it must, and as
// steps of dnnl.
#include <QtTest>

#include <cmath>
#include <random>
#include <thread>

#include "engine/ops/winograd_convolution.h"
#include "tests/engine/guarded_memory.h"
#include "tests/engine/older_processors.h"
#include "tests/registry.h"

namespace test_winograd_convolution {

using namespace partita;
using namespace partita::testing;

namespace {

using Floats = std::vector<float>;

Floats random_floats(int64_t count, std::mt19937& random) {
    std::uniform_real_distribution<float> number(-1, 1);
    Floats floats(static_cast<size_t>(count));
    for (float& value : floats) value = number(random);
    return floats;
}

/// A tensor whose channels come in blocks.
struct Blocked {
    int64_t block, channels, height, width;
    int64_t place(int64_t image, int64_t channel, int64_t y, int64_t x) const {
        const int64_t before = image * channels / block + channel / block;
        return ((before * height + y) * width + x) * block + channel % block;
    }
};

std::vector<double> convolved(const WinogradConvolution& shape, const Floats& data, const Floats& weights) {
    const Blocked given{shape.block, shape.in_channels, shape.height, shape.width};
    const Blocked made{shape.block, shape.out_channels, shape.out_height, shape.out_width};
    std::vector<double> sums(size_t(shape.batch * shape.out_channels * shape.out_height * shape.out_width));
    for (int64_t n = 0; n < shape.batch; ++n)
        for (int64_t o = 0; o < shape.out_channels; ++o)
            for (int64_t y = 0; y < shape.out_height; ++y)
                for (int64_t x = 0; x < shape.out_width; ++x) {
                    double sum = 0;
                    for (int64_t tap = 0; tap < shape.in_channels * 9; ++tap) {
                        const int64_t row = y + tap / 3 % 3 - shape.pad_top, column = x + tap % 3 - shape.pad_left;
                        if (row < 0 || column < 0 || row >= shape.height || column >= shape.width) continue;
                        const int64_t from = given.place(n, tap / 9, row, column);
                        sum += double(weights[size_t(o * shape.in_channels * 9 + tap)]) * double(data[size_t(from)]);
                    }
                    sums[size_t(made.place(n, o, y, x))] = sum;
                }
    return sums;
}

class Guarded {
public:
    explicit Guarded(const Floats& floats) : memory_(floats.size() * sizeof(float)) {
        floats_ = reinterpret_cast<float*>(memory_.put(floats.data(), floats.size() * sizeof(float)));
    }
    float* floats() const { return floats_; }

private:
    GuardedMemory memory_;
    float* floats_;
};

/// Runs parts on threads, in as many as there are calls of `body`.
void on_threads(int64_t parts, int64_t count, const std::function<void(int64_t, int64_t)>& body) {
    std::vector<std::thread> threads;
    for (int64_t part = 0; part < parts; ++part)
        if (count * part / parts < count * (part + 1) / parts)
            threads.emplace_back([=, &body] { body(count * part / parts, count * (part + 1) / parts); });
    for (std::thread& thread : threads) thread.join();
}

struct Finish {
    std::vector<ProductStep> steps;
};

Floats run(const WinogradConvolution& shape, const Floats& data, const Floats& weights, const Finish& finish,
           const Floats& bias, const Floats& added, int64_t parts) {
    const Guarded given(data), biases(bias), result(added);
    const Guarded transformed(Floats(size_t(shape.weight_elements()))),
        workspace(Floats(size_t(shape.workspace_elements(parts)), NAN));
    transform_winograd_weights(shape, weights.data(), transformed.floats(),
                               [&](int64_t count, const auto& body) { on_threads(parts, count, body); });
    const float* operands[] = {biases.floats(), result.floats()};
    convolve_by_winograd(
        shape,
        {given.floats(), transformed.floats(), result.floats(), finish.steps, operands, workspace.floats(), parts},
        [&](int64_t count, const auto& body) { on_threads(parts, count, body); });
    return {result.floats(), result.floats() + added.size()};
}

/// Returns the largest difference, as a part of the largest expected number.
double largest_error(const Floats& result, const std::vector<double>& expected) {
    double error = 0, largest = 0;
    for (size_t i = 0; i < result.size(); ++i) {
        const double difference = std::fabs(double(result[i]) - expected[i]);
        if (!(difference <= error)) error = difference;  // NaN counts
        largest = std::max(largest, std::fabs(expected[i]));
    }
    return error / largest;
}

}  // namespace

class TestWinogradConvolution : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!winograd_runs_here()) QSKIP("the processor has no AVX2");
    }

    void resultsAreSums_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 40; ++seed) QTest::addRow("%d", seed) << seed;
    }
    void resultsAreSums() {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto from = [&](int64_t least, int64_t most) {
            return std::uniform_int_distribution<int64_t>(least, most)(random);
        };
        const int64_t block = seed % 2 ? 16 : 8;
        WinogradConvolution shape{from(0, 1) ? 2 : 4, block,       from(1, 3), block * from(1, 5), block * from(1, 5),
                                  from(1, 23),        from(1, 23), from(0, 2), from(0, 2)};
        shape.out_height = std::max<int64_t>(1, shape.height + shape.pad_top + from(0, 2) - 2);
        shape.out_width = std::max<int64_t>(1, shape.width + shape.pad_left + from(0, 2) - 2);
        const Floats data = random_floats(shape.batch * shape.in_channels * shape.height * shape.width, random);
        const Floats weights = random_floats(shape.out_channels * shape.in_channels * 9, random);
        const std::vector<double> sums = convolved(shape, data, weights);
        const Floats nothing(sums.size());
        QVERIFY(largest_error(run(shape, data, weights, {}, nothing, nothing, from(1, 3)), sums) < 3e-6);
    }

    void stepsAreDoneToTheSums_data() {
        QTest::addColumn<QList<int>>("kinds");
        using Kind = ProductStep::Kind;
        const auto row = [](const char* name, std::initializer_list<Kind> kinds) {
            QList<int> numbers;
            for (Kind kind : kinds) numbers.append(int(kind));
            QTest::newRow(name) << numbers;
        };
        row("bias", {Kind::Bias});
        row("sum, relu", {Kind::Sum, Kind::Relu});
        row("bias, sum, clip", {Kind::Bias, Kind::Sum, Kind::Clip});
        row("bias, linear, sum", {Kind::Bias, Kind::Linear, Kind::Sum});
        row("relu, linear", {Kind::Relu, Kind::Linear});
        row("bias, sigmoid", {Kind::Bias, Kind::Sigmoid});
        row("swish, linear", {Kind::Swish, Kind::Linear});
    }
    void stepsAreDoneToTheSums() {
        QFETCH(QList<int>, kinds);
        for (auto [tile, block] : {std::pair(2, 8), std::pair(4, 8), std::pair(2, 16), std::pair(4, 16)}) {
            std::mt19937 random(7);
            const WinogradConvolution shape{tile, block, 2, block, 3 * block, 9, 11, 1, 1, 9, 11};
            const Floats data = random_floats(shape.batch * block * 9 * 11, random);
            const Floats weights = random_floats(shape.out_channels * block * 9, random);
            std::vector<double> expected = convolved(shape, data, weights);
            const Floats bias = random_floats(shape.out_channels, random);
            const Floats added = random_floats(int64_t(expected.size()), random);
            Finish finish;
            for (int number : kinds) {
                ProductStep step{ProductStep::Kind(number), 0.25F, 0.75F};
                step.operand = step.kind == ProductStep::Kind::Sum ? 1 : 0;
                finish.steps.push_back(step);
            }
            for (size_t i = 0; i < expected.size(); ++i) {
                const auto of_block = size_t(block), channel = i / (9 * 11 * of_block) % 3 * of_block + i % of_block;
                for (const ProductStep& step : finish.steps) {
                    double& x = expected[i];
                    switch (step.kind) {
                        case ProductStep::Kind::Bias: x += double(bias[channel]); break;
                        case ProductStep::Kind::Sum: x += double(added[i]); break;
                        case ProductStep::Kind::Relu: x = x < 0 ? x * 0.25 : x; break;
                        case ProductStep::Kind::Linear: x = x * 0.25 + 0.75; break;
                        case ProductStep::Kind::Sigmoid: x = 1 / (1 + std::exp(-x)); break;
                        case ProductStep::Kind::Swish: x = x / (1 + std::exp(-0.25 * x)); break;
                        default: x = std::clamp(x, 0.25, 0.75);
                    }
                }
            }
            const double error = largest_error(run(shape, data, weights, finish, bias, added, 1), expected);
            // A clip leaves less than a tenth of the sums' range, which their errors are a part of.
            QVERIFY2(error < 2e-5, std::to_string(error * 1e6).c_str());
        }
    }

    /// As the choice of methods says: tiles of 2 round more finely than a direct sum, those of 4 about twice as
    /// coarsely.
    void roundsAsIsPromised() {
        for (const auto& [tile, limit] : {std::pair(2, 6e-7), std::pair(4, 3e-6)}) {
            std::mt19937 random(3);
            const WinogradConvolution shape{tile, 8, 1, 64, 64, 28, 28, 1, 1, 28, 28};
            const Floats data = random_floats(int64_t(64) * 28 * 28, random),
                         weights = random_floats(int64_t(64) * 64 * 9, random);
            const std::vector<double> sums = convolved(shape, data, weights);
            const Floats nothing(sums.size());
            const double error = largest_error(run(shape, data, weights, {}, nothing, nothing, 2), sums);
            QVERIFY2(error < limit, std::to_string(error * 1e6).c_str());
        }
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestWinogradConvolution)

}  // namespace test_winograd_convolution

#include "test_winograd_convolution.moc"
