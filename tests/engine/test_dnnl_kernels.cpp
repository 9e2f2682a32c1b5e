// Kernels of the backend dnnl that oneDNN does not have, against plain computations in float64: attention in blocks of
// rows, and where it is used; products with packed weights, and with weights of four bits; convolutions in groups,
// and of few windows.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/ops/attention_kernel.h"
#include "engine/ops/convolution_patches.h"
#include "engine/ops/packed_product.h"
#include "engine/ops/pointwise_convolution.h"
#include "engine/ops/quantized_product.h"
#include "engine/ops/vector_units.h"
#include "engine/support/large_memory.h"
#include "tests/engine/older_processors.h"
#include "tests/engine/run_on_dnnl.h"
#include "tests/registry.h"

namespace test_dnnl_kernels {

using namespace partita;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// A problem with its data; keys or values may be stored transposed.
struct Problem {
    AttentionShape shape;
    std::vector<float> query, key, value, mask, result;
};

MatrixPlaces places(int64_t items, int64_t rows, int64_t columns, bool transposed = false) {
    MatrixPlaces made;
    made.row_stride = transposed ? 1 : columns;
    made.column_stride = transposed ? rows : 1;
    for (int64_t i = 0; i < items; ++i) made.starts.push_back(i * rows * columns);
    return made;
}

void fill_randomly(QuantizedMatrix& matrix, std::mt19937& random, bool with_zeros) {
    const auto bytes = [&](std::vector<int64_t> shape) {
        Tensor made(kUInt8, std::move(shape));
        for (int64_t i = 0; i < made.size(); ++i) made.data<uint8_t>()[i] = uint8_t(random());
        return made;
    };
    matrix.integers = bytes({matrix.rows, matrix.blocks(), matrix.bytes_of_block()});
    if (with_zeros) matrix.zeros = bytes({matrix.rows, matrix.bytes_of_zeros()});
    matrix.scales = Tensor(kFloat32, {matrix.rows * matrix.blocks()});
    for (int64_t i = 0; i < matrix.scales.size(); ++i) matrix.scales.set(i, double(random() % 1000) * 1e-3 - 0.5);
}

std::vector<float> random_numbers(int64_t count, std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::vector<float> made(static_cast<size_t>(count));
    for (float& each : made) each = normal(random);
    return made;
}

void in_two_parts(int64_t count, const std::function<void(int64_t begin, int64_t end)>& body) {
    for (int64_t part = 0; part < 2; ++part) body(count * part / 2, count * (part + 1) / 2);
}

Problem random_problem(std::mt19937& random) {
    const auto below = [&](int64_t most) { return int64_t(random() % uint64_t(most)); };
    std::normal_distribution<float> normal;
    const auto numbers = [&](int64_t count) {
        std::vector<float> made(static_cast<size_t>(count));
        for (float& each : made) each = normal(random);
        return made;
    };
    Problem problem;
    AttentionShape& shape = problem.shape;
    shape.items = 1 + below(4);
    shape.rows = 1 + below(120);
    shape.head_rows = shape.rows;
    shape.keys = 1 + below(below(3) ? 90 : 700);
    shape.depth = 1 + below(80);
    shape.width = 1 + below(80);
    shape.query = places(shape.items, shape.rows, shape.depth);
    shape.key = places(shape.items, shape.keys, shape.depth, below(2));
    shape.value = places(shape.items, shape.keys, shape.width, below(2));
    shape.result = places(shape.items, shape.rows, shape.width);
    problem.query = numbers(shape.items * shape.rows * shape.depth);
    problem.key = numbers(shape.items * shape.keys * shape.depth);
    problem.value = numbers(shape.items * shape.keys * shape.width);
    problem.result.resize(size_t(shape.items * shape.rows * shape.width));
    ScoreStep scale;
    scale.factor = 1 / std::sqrt(float(shape.depth));
    shape.steps.push_back(scale);
    if (below(3) == 0) shape.steps.push_back({ScoreStep::Kind::Tanh});
    ScoreStep mask;
    mask.kind = ScoreStep::Kind::Add;
    const bool by_row = below(2);
    mask.places = places(shape.items, by_row ? shape.rows : 1, shape.keys);
    if (!by_row) mask.places.row_stride = 0;
    problem.mask = numbers(shape.items * (by_row ? shape.rows : 1) * shape.keys);
    const float masked = below(2) ? kMasked : -60.0F;
    for (float& each : problem.mask)
        if (below(3) == 0) each = masked;
    // Some rows are masked altogether, and some up to their last keys.
    for (size_t row = 0; row < problem.mask.size(); row += size_t(shape.keys)) {
        const int64_t kind = below(8), count = kind == 0 ? shape.keys : kind == 1 ? shape.keys - 1 : 0;
        std::fill_n(problem.mask.begin() + std::ptrdiff_t(row), count, masked);
    }
    shape.steps.push_back(mask);
    return problem;
}

double element(const std::vector<float>& data, const MatrixPlaces& at, int64_t item, int64_t row, int64_t column) {
    return data[size_t(at.starts[size_t(item)] + row * at.row_stride + column * at.column_stride)];
}

/// One row of the result, computed with the whole row of scores.
std::vector<double> expected_row(const Problem& problem, int64_t item, int64_t row) {
    const AttentionShape& shape = problem.shape;
    std::vector<double> scores;
    for (int64_t key = 0; key < shape.keys; ++key) {
        double score = 0;
        for (int64_t d = 0; d < shape.depth; ++d)
            score += element(problem.query, shape.query, item, row, d) * element(problem.key, shape.key, item, key, d);
        for (const ScoreStep& step : shape.steps) {
            if (step.kind == ScoreStep::Kind::Linear) score = score * step.factor + step.shift;
            else if (step.kind == ScoreStep::Kind::Tanh) score = std::tanh(score);
            else score += element(problem.mask, step.places, item, row, key);
        }
        scores.push_back(score);
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) sum += score = std::exp(score - largest);
    std::vector<double> result(size_t(shape.width), 0);
    for (int64_t key = 0; key < shape.keys; ++key)
        for (int64_t c = 0; c < shape.width; ++c)
            result[size_t(c)] += scores[size_t(key)] / sum * element(problem.value, shape.value, item, key, c);
    return result;
}

void compute(Problem& problem, int parts) {
    MemoryPool pool;
    const float* mask = problem.mask.data();
    attend(problem.shape,
           {problem.query.data(),
            problem.key.data(),
            problem.value.data(),
            problem.result.data(),
            {&mask, 1},
            static_cast<float*>(pool.take(size_t(problem.shape.packed_elements()) * sizeof(float)))},
           [parts](int64_t count, const auto& body) {
               for (int64_t part = 0; part < parts; ++part) body(count * part / parts, count * (part + 1) / parts);
           });
}

/// Two heads of 24 rows, 40 keys and 20 channels; the mask is for each key. `then` follows the product's result.
std::string attention(const std::string& scores, const std::string& axis = "-1", const std::string& then = "%5") {
    return R"(%q: Tensor[(2, 24, 20), float32], %k: Tensor[(2, 40, 20), float32], %v: Tensor[(2, 40, 30), float32],
        %m: Tensor[(1, 1, 1, 40), float32], %f: Tensor[(1, 2, 24, 40), float32]) {
  %0 = nn.batch_matmul(%q, %k, transpose_b=True);
  %1 = reshape(%0, newshape=[1, 2, 24, 40]);
  %2 = )" + scores +
           ";\n  %3 = nn.softmax(%2, axis=" + axis +
           ");\n  %4 = reshape(%3, newshape=[2, 24, 40]);\n  %5 = nn.batch_matmul(%4, %v, transpose_b=False);\n  " +
           then + "\n}\n";
}

/// One step's time is shared by the work: the second product's rows have 30 columns, the first one's a depth of 20.
bool is_one_step(const RegionTiming& region) {
    std::vector<double> products;
    for (const OpTiming& op : region.ops)
        if (op.name == "nn.batch_matmul") products.push_back(op.time.median);
    return region.ops.size() == 3 && products.size() == 2 && std::fabs(products[1] / products[0] - 1.5) < 1e-9;
}

}  // namespace

class TestDnnlKernels : public QObject {
    Q_OBJECT

private slots:
    void theKernelIsRightForRandomShapes() {
        std::mt19937 random(5);
        int masked_rows = 0;
        for (int round = 0; round < 250; ++round) {
            Problem problem = random_problem(random);
            compute(problem, 1 + round % 3);
            const AttentionShape& shape = problem.shape;
            for (int64_t item = 0; item < shape.items; ++item)
                for (int64_t row = 0; row < shape.rows; ++row) {
                    const std::vector<double> expected = expected_row(problem, item, row);
                    for (int64_t c = 0; c < shape.width; ++c) {
                        const double found = element(problem.result, shape.result, item, row, c);
                        const double wanted = expected[size_t(c)];
                        masked_rows += std::isnan(wanted);
                        const bool same = std::isnan(wanted) ? std::isnan(found) : std::fabs(found - wanted) < 1e-5;
                        QVERIFY2(same, qPrintable(QString("round %1: %2 for %3").arg(round).arg(found).arg(wanted)));
                    }
                }
        }
        QVERIFY(masked_rows > 0);
    }

    void productsWithPackedWeightsAreRightForRandomShapes() {
        using Kind = ProductStep::Kind;
        const std::vector<std::pair<Kind, std::function<double(double)>>> activations = {
            {Kind::Relu, [](double x) { return x < 0 ? 0.25 * x : x; }},
            {Kind::Linear, [](double x) { return 0.25 * x + 0.5; }},
            {Kind::Clip, [](double x) { return std::clamp(x, 0.25, 0.5); }},
            {Kind::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
            {Kind::Swish, [](double x) { return x / (1 + std::exp(-0.25 * x)); }},
            {Kind::HardSwish, [](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }},
            {Kind::Gelu, [](double x) { return x * (1 + std::erf(x * std::sqrt(0.5))) / 2; }},
            {Kind::GeluTanh,
             [](double x) { return x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) / 2; }},
        };
        std::mt19937 random(9);
        const auto numbers = [&](int64_t count) { return random_numbers(count, random); };
        for (size_t round = 0; round < 60; ++round) {
            const int64_t rows = 1 + random() % 200, columns = 1 + random() % 100;
            const int64_t depth = 1 + random() % (round % 4 ? 90 : 1700);
            const auto first = numbers(rows * depth), weights = numbers(columns * depth), scale = numbers(columns);
            const auto bias = numbers(columns), other = numbers(rows * columns);
            const auto& [kind, activation] = activations[round % activations.size()];
            const bool transposed = round % 2, sum = round % 3 == 0;
            std::vector<ProductStep> steps{{Kind::Linear, 1 / std::sqrt(float(depth)), 0}, {Kind::Bias, 0, 0, 0}};
            if (sum) steps.push_back({Kind::Sum, 0, 0, 1});
            steps.push_back({kind, 0.25F, 0.5F});
            MemoryPool pool;
            auto* packed =
                static_cast<float*>(pool.take(size_t(packed_weight_elements(depth, columns)) * sizeof(float)));
            const int64_t row_stride = transposed ? 1 : columns, column_stride = transposed ? depth : 1;
            pack_weights(weights.data(), row_stride, column_stride, depth, columns, scale.data(), packed, in_two_parts);
            std::vector<float> result(size_t(rows * columns));
            const float* operands[] = {bias.data(), other.data()};
            multiply_packed({rows, depth, first.data(), packed, {result.data(), columns, steps, operands}},
                            in_two_parts);
            for (int64_t row = 0; row < rows; ++row)
                for (int64_t j = 0; j < columns; ++j) {
                    double wanted = 0;
                    for (int64_t k = 0; k < depth; ++k)
                        wanted += double(first[size_t(row * depth + k)]) *
                                  double(weights[size_t(k * row_stride + j * column_stride)]);
                    wanted = wanted * double(scale[size_t(j)]) / std::sqrt(double(depth)) + double(bias[size_t(j)]);
                    if (sum) wanted += double(other[size_t(row * columns + j)]);
                    wanted = activation(wanted);
                    const double found = result[size_t(row * columns + j)];
                    QVERIFY2(std::fabs(found - wanted) < 2e-5 * (1 + std::fabs(wanted)),
                             qPrintable(QString("round %1: %2 for %3").arg(round).arg(found).arg(wanted)));
                }
        }
    }

    /// As products of what the windows see with packed weights; data and result in blocks of channels.
    void convolutionsOfFewWindowsAreRightForRandomShapes() {
        std::mt19937 random(21);
        const auto numbers = [&](int64_t count) { return random_numbers(count, random); };
        const auto below = [&](int most) { return int64_t(random() % unsigned(most)); };
        for (int round = 0; round < 60; ++round) {
            const int64_t block = product_block(), in = block * (1 + below(round % 4 ? 3 : 40));
            const int64_t out = block * (1 + below(5));
            const ConvolutionPatches patches{block,
                                             in,
                                             {1 + below(9), 1 + below(9)},
                                             {1 + below(9), 1 + below(9)},
                                             {1 + below(3), 1 + below(4)},
                                             {1 + below(2), 1 + below(3)},
                                             {1 + below(3), 1 + below(2)},
                                             {below(3), below(3)}};
            const auto [height, width] = patches.data;
            const int64_t rows = patches.rows(), depth = patches.depth();
            const auto data = numbers(in * height * width), weights = numbers(out * depth), bias = numbers(out);
            const bool add = round % 2;
            std::vector<float> result = numbers(out * rows);
            const std::vector<float> before = result;
            MemoryPool pool;
            auto* packed = static_cast<float*>(pool.take(size_t(packed_weight_elements(depth, out)) * sizeof(float)));
            pack_weights(weights.data(), 1, depth, depth, out, nullptr, packed, in_two_parts);
            std::vector<float> gathered(size_t(rows * depth), NAN);
            in_two_parts(rows, [&](int64_t begin, int64_t end) {
                gather_patches(patches, data.data(), gathered.data(), begin, end);
            });
            const std::vector<ProductStep> steps{{ProductStep::Kind::Bias, 0, 0, 0}, {ProductStep::Kind::Relu, 0.25F}};
            const float* operands[] = {bias.data()};
            multiply_packed(
                {rows, depth, gathered.data(), packed, {result.data(), out, steps, operands}, rows * block, add},
                in_two_parts);
            for (int64_t row = 0; row < rows; ++row)
                for (int64_t o = 0; o < out; ++o) {
                    const auto place = size_t((o / block * rows + row) * block + o % block);
                    double wanted = double(bias[size_t(o)]) + (add ? double(before[place]) : 0);
                    for (int64_t k = 0; k < depth; ++k) {
                        const int64_t tap = k / in, channel = k % in;
                        const int64_t y = row / patches.result[1] * patches.stride[0] - patches.pad_before[0] +
                                          tap / patches.window[1] * patches.dilation[0];
                        const int64_t x = row % patches.result[1] * patches.stride[1] - patches.pad_before[1] +
                                          tap % patches.window[1] * patches.dilation[1];
                        if (y < 0 || x < 0 || y >= height || x >= width) continue;
                        const auto at = size_t(((channel / block * height + y) * width + x) * block + channel % block);
                        wanted += double(data[at]) * double(weights[size_t(o * depth + k)]);
                    }
                    if (wanted < 0) wanted *= 0.25;
                    const double found = result[place];
                    QVERIFY2(std::fabs(found - wanted) < 1e-5 * std::sqrt(double(depth)) * (1 + std::fabs(wanted)),
                             qPrintable(QString("round %1: %2 for %3").arg(round).arg(found).arg(wanted)));
                }
        }
    }

    void convolutionsInGroupsAreRightForRandomShapes() {
        std::mt19937 random(12);
        const auto numbers = [&](int64_t count) { return random_numbers(count, random); };
        const auto below = [&](int most) { return 1 + int64_t(random() % unsigned(most)); };
        for (int round = 0; round < 60; ++round) {
            const PointwiseConvolution shape{below(2),  below(4),   below(round % 4 ? 90 : 700),
                                             below(50), below(300), round % 3 > 0};
            const int64_t rows = shape.batch * shape.groups * shape.made, depth = shape.weight_row();
            const auto data = numbers(shape.batch * shape.groups * shape.given * shape.plane);
            const auto weights = numbers(shape.groups * shape.made * depth), other = numbers(rows * shape.plane);
            std::vector<ProductStep> steps;
            if (round % 2) steps = {{ProductStep::Kind::Sum}, {ProductStep::Kind::Relu, 0.25F}};
            std::vector<float> result(size_t(rows * shape.plane));
            const float* operands[] = {other.data()};
            convolve_pointwise(shape, data.data(), weights.data(), {result.data(), shape.plane, steps, operands},
                               [&](int64_t count, const auto& body) {
                                   for (int part = 0; part < 3; ++part) body(count * part / 3, count * (part + 1) / 3);
                               });
            for (int64_t row = 0; row < rows; ++row)
                for (int64_t j = 0; j < shape.plane; ++j) {
                    const float* weight = &weights[size_t(row % (shape.groups * shape.made) * depth)];
                    double wanted = shape.bias ? double(weight[shape.given]) : 0;
                    for (int64_t k = 0; k < shape.given; ++k)
                        wanted += double(weight[k]) *
                                  double(data[size_t((row / shape.made * shape.given + k) * shape.plane + j)]);
                    if (round % 2) wanted += double(other[size_t(row * shape.plane + j)]);
                    if (round % 2 && wanted < 0) wanted *= 0.25;
                    const double found = result[size_t(row * shape.plane + j)];
                    QVERIFY2(std::fabs(found - wanted) < 1e-5 * std::sqrt(double(depth)) * (1 + std::fabs(wanted)),
                             qPrintable(QString("round %1: %2 for %3").arg(round).arg(found).arg(wanted)));
                }
        }
    }

    void aConvolutionInGroupsIsOneStep_data() {
        QTest::addColumn<QString>("after");
        QTest::addColumn<int>("steps");
        QTest::newRow("alone") << "  %1\n" << 1;
        QTest::newRow("bias, relu") << "  nn.relu(nn.bias_add(%1, %b))\n" << 1;
        QTest::newRow("normalization, residual, relu")
            << "  %2 = nn.batch_norm(%1, multiply(%c, 1.5f), add(%c, 0.5f), multiply(%c, 0.25f), add(%c, 2f));\n"
               "  nn.relu(add(%r, %2.0))\n"
            << 1;
        // oneDNN's pools of plain images are slow: it gets blocks.
        QTest::newRow("mean") << "  nn.avg_pool2d(%1, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])\n" << 2;
        QTest::newRow("hyperbolic tangent") << "  tanh(%1)\n" << 1;  // oneDNN's
    }
    void aConvolutionInGroupsIsOneStep() {
        QFETCH(QString, after);
        QFETCH(int, steps);
        const std::string text = R"(%data: Tensor[(2, 60, 9, 7), float32], %r: Tensor[(2, 24, 9, 7), float32]) {
  let %c = reshape(multiply(arange(0f, 24f, 1f, start=0f, stop=24f, step=1f, dtype="float32"), 0.125f), newshape=[24]);
  let %b = subtract(%c, 1f);
  let %w = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[480], dtype="float32"), axis=0), 101f), 50f),
    0.015625f), newshape=[24, 20, 1, 1]);
  %1 = nn.conv2d(%data, %w, groups=3, channels=24, kernel_size=[1, 1]);
)" + after.toStdString() + "}\n";
        for (int threads : {1, 2}) {
            const RunReport report = run_on_dnnl(text, threads);
            QVERIFY(report.differences.at(0).max_abs_error < 1e-5);
            if (vector_unit() != VectorUnit::Avx2) continue;  // oneDNN's, in as many steps as it likes
            int timed = 0;
            for (const RegionTiming& region : report.regions) timed += int(region.ops.size());
            QCOMPARE(timed, steps);
        }
    }

    void productsWithWeightsOfFourBitsAreRightForRandomShapes() {
        std::mt19937 random(4);
        for (int64_t round = 0; round < 60; ++round) {
            const int64_t rows = 1 + random() % 9, columns = 1 + random() % 40;
            QuantizedMatrix matrix{columns, int64_t(1 + random() % 500), int64_t(32) << round % 3, 4, {}, {}, {}};
            fill_randomly(matrix, random, round % 2);
            QVERIFY(QuantizedWeights::takes(matrix));
            const Tensor weights = tensor_of(matrix);
            const int64_t depth = matrix.depth;
            std::vector<float> first(static_cast<size_t>(rows * depth)), bias(static_cast<size_t>(columns)),
                result(static_cast<size_t>(rows * columns));
            std::normal_distribution<float> normal;
            for (std::vector<float>* numbers : {&first, &bias})
                for (float& each : *numbers) each = normal(random);
            const std::vector<ProductStep> steps{{ProductStep::Kind::Bias, 0, 0, 0}};
            const float* operands[] = {bias.data()};
            QuantizedWeights(matrix).multiply(rows, first.data(), {result.data(), columns, steps, operands},
                                              [](int64_t count, const auto& body) {
                                                  for (int64_t part = 0; part < 3; ++part)
                                                      body(count * part / 3, count * (part + 1) / 3);
                                              });
            for (int64_t row = 0; row < rows; ++row)
                for (int64_t j = 0; j < columns; ++j) {
                    double wanted = double(bias[size_t(j)]), size = 1;
                    for (int64_t k = 0; k < depth; ++k) {
                        const double term = double(first[size_t(row * depth + k)]) * weights.at(j * depth + k);
                        wanted += term;
                        size += std::fabs(term);
                    }
                    const double found = result[size_t(row * columns + j)];
                    QVERIFY2(std::fabs(found - wanted) < 2e-6 * size,
                             qPrintable(QString("round %1: %2 for %3").arg(round).arg(found).arg(wanted)));
                }
        }
    }

    void weightsOfFourBitsAreReadAsTheyArePacked() {
        QuantizedMatrix matrix{1, 33, 32, 4, Tensor(kUInt8, {1, 2, 16}), Tensor(kFloat32, {2}), Tensor(kUInt8, {1, 1})};
        matrix.integers.data<uint8_t>()[0] = 0x2F;   // elements 0 and 1: 15 and 2
        matrix.integers.data<uint8_t>()[16] = 0x0A;  // element 32: 10
        matrix.scales.data<float>()[0] = 0.5F;
        matrix.scales.data<float>()[1] = 2;
        matrix.zeros.data<uint8_t>()[0] = 0x43;  // 3 for the first block, 4 for the second
        const Tensor numbers = tensor_of(matrix);
        QCOMPARE(numbers.shape(), (std::vector<int64_t>{1, 33}));
        QVERIFY(numbers.quantized());
        QCOMPARE(numbers.at(0), 6.0);
        QCOMPARE(numbers.at(1), -0.5);
        QCOMPARE(numbers.at(2), -1.5);
        QCOMPARE(numbers.at(32), 12.0);
    }

    void itIsOneStepWhereNothingElseUsesTheScores_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("fused");
        const auto row = [](const char* name, const std::string& text, bool fused) {
            QTest::newRow(name) << QString::fromStdString(text) << fused;
        };
        row("factor and mask of keys", attention("add(multiply(%1, 0.25f), %m)"), true);
        row("mask first", attention("add(%m, divide(%1, 4f))"), true);
        row("mask of all scores", attention("add(%1, %f)"), true);
        row("two masks", attention("add(add(%1, %f), %m)"), true);
        row("capped", attention("multiply(tanh(multiply(%1, 0.1f)), 10f)"), true);
        row("nothing between", attention("subtract(%1, 1f)"), true);
        row("axis by number", attention("multiply(%1, 0.25f)", "3"), true);
        row("softmax over rows", attention("multiply(%1, 0.25f)", "2"), false);
        row("scores times scores", attention("multiply(%1, %1)"), false);
        row("scores are a result, too", attention("multiply(%1, 0.25f)", "-1", "(%5, %2)"), false);
        row("shares are a result, too", attention("multiply(%1, 0.25f)", "-1", "(%5, %4)"), false);
        std::string one_row = attention("multiply(%1, 0.25f)");
        for (size_t at; (at = one_row.find("24")) != std::string::npos;) one_row.replace(at, 2, "1");
        row("one row", one_row, false);
        std::string other_side = attention("multiply(%1, 0.25f)");
        const std::string product = "nn.batch_matmul(%4, %v, transpose_b=False)";
        other_side.replace(other_side.find(product), product.size(),
                           "nn.batch_matmul(reshape(%v, newshape=[2, 30, 40]), %4, transpose_b=True)");
        row("shares on the right", other_side, false);
    }
    void itIsOneStepWhereNothingElseUsesTheScores() {
        QFETCH(QString, text);
        QFETCH(bool, fused);
        for (int threads : {1, 2}) {
            const RunReport report = run_on_dnnl(text.toStdString(), threads);
            QCOMPARE(report.regions.size(), size_t(1));
            QCOMPARE(is_one_step(report.regions[0]), fused);
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.max_abs_error < 1e-5, qPrintable(QString::number(difference.max_abs_error)));
        }
    }

    void theWholeOperatorIsOneStep_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<int>("rows");
        for (int rows : {1, 2, 24, 300}) {
            const auto row = [rows](const char* name, const char* mask) {
                QTest::addRow("%s, %d rows", name, rows) << QString(mask).arg(rows) << rows;
            };
            row("no mask", "");
            row("bool", ", %m: Tensor[(1, 6, %1, 40), bool]");
            row("floats", ", %m: Tensor[(40), float32]");
        }
    }
    void theWholeOperatorIsOneStep() {
        QFETCH(QString, mask);
        QFETCH(int, rows);
        const QString text = QStringLiteral(
                                 "%q: Tensor[(2, 6, %1, 20), float32], %k: Tensor[(2, 2, 40, 20), float32], "
                                 "%v: Tensor[(2, 2, 40, 30), float32]")
                                 .arg(rows) +
                             mask + QStringLiteral(") {\n  nn.attention(%q, %k, %v") +
                             (mask.isEmpty() ? QString() : QStringLiteral(", %m")) +
                             QStringLiteral(", is_causal=True, causal_offset=3)\n}\n");
        const RunReport report = run_on_dnnl(text.toStdString(), 2);
        QCOMPARE(report.regions.size(), size_t(1));
        QCOMPARE(report.regions[0].executed_by, std::string("dnnl"));
        QCOMPARE(report.regions[0].notice, std::string());
        QCOMPARE(report.regions[0].ops.size(), size_t(1));
        QCOMPARE(report.regions[0].ops[0].name, std::string("nn.attention"));
        QVERIFY(report.differences.at(0).max_abs_error < 1e-5);
    }

    void transposedConvolutionsAreNotLeftToDefault() {
        const RunReport report = run_on_dnnl(
            "%x: Tensor[(1, 4, 6, 5), float32], %w: Tensor[(3, 4, 3, 2), float32]) {\n"
            "  nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 2], strides=[2, 1], padding=[1, 0, 1, 1])\n}\n",
            2);
        QCOMPARE(report.regions.size(), size_t(1));
        QCOMPARE(report.regions[0].executed_by, std::string("dnnl"));
        QCOMPARE(report.regions[0].notice, std::string());
        QVERIFY(report.differences.at(0).max_abs_error < 1e-5);
    }

    void aLongSequenceNeedsNoSquareMatrix() {
        const std::string text = R"(%q: Tensor[(4, 2048, 16), float32], %k: Tensor[(4, 2048, 16), float32]) {
  %0 = nn.batch_matmul(%q, %k, transpose_b=True);
  %1 = nn.softmax(multiply(%0, 0.25f));
  nn.batch_matmul(%1, %k, transpose_b=False)
}
)";
        const std::string whole = R"(%q: Tensor[(1, 4, 2048, 16), float32], %k: Tensor[(1, 2, 2048, 16), float32]) {
  nn.attention(%q, %k, %k, is_causal=True)
}
)";
        for (const std::string& each : {text, whole}) {
            const RunReport report = run_on_dnnl(each, 2);
            QVERIFY2(report.peak_bytes < size_t(4) << 20, qPrintable(QString::number(report.peak_bytes)));
            QVERIFY(report.differences.at(0).max_abs_error < 1e-5);
        }
    }

    void givenNanReachesOnlyItsWindows_data() {
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("channels");
        QTest::newRow("in tiles of Winograd's algorithm") << 1 << 64;
        QTest::newRow("groups as one") << 4 << 48;
        QTest::newRow("groups of few channels") << 8 << 32;
    }
    void givenNanReachesOnlyItsWindows() {
        QFETCH(int, groups);
        QFETCH(int, channels);
        const std::string all = std::to_string(channels), given = std::to_string(channels / groups);
        const std::string text =
            "%x: Tensor[(1, " + all + ", 20, 20), float32]) {\n" +
            "  %0 = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[" +
            std::to_string(channels * channels / groups * 9) +
            "], dtype=\"float32\"), axis=0), 101f), 50f), 0.015625f), " + "newshape=[" + all + ", " + given +
            ", 3, 3]);\n  nn.conv2d(%x, %0, padding=[1, 1, 1, 1], groups=" + std::to_string(groups) +
            ", channels=" + all + ", kernel_size=[3, 3])\n}\n";
        Tensor image(kFloat32, {1, channels, 20, 20});
        for (int64_t i = 0; i < image.size(); ++i) image.set(i, double(i % 13) - 6);
        image.set(3 * 400 + 210, double(NAN));
        for (int threads : {1, 2}) {
            const RunReport report = run_on_dnnl(text, threads, {{"x", image}});
            QVERIFY(report.differences.at(0).within_tolerance);
        }
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestDnnlKernels)

}  // namespace test_dnnl_kernels

#include "test_dnnl_kernels.moc"
