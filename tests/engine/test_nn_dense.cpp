#include <QtTest>

#include "older_processors.h"
#include "op_call.h"
#include "tests/registry.h"

namespace test_nn_dense {

using namespace partita;

namespace {

/// Returns a[i][row][k] * b[i][k][column] by the definition; `transpose_*` as in the ops.
double element(const Tensor& a, const Tensor& b, int64_t item, int64_t row, int64_t column, int64_t rows,
               int64_t columns, int64_t depth, bool transpose_a, bool transpose_b) {
    double sum = 0;
    int64_t a_item = a.size() == rows * depth ? 0 : item, b_item = b.size() == columns * depth ? 0 : item;
    for (int64_t k = 0; k < depth; ++k) {
        int64_t a_index = a_item * rows * depth + (transpose_a ? k * rows + row : row * depth + k);
        int64_t b_index = b_item * columns * depth + (transpose_b ? column * depth + k : k * columns + column);
        sum += a.at(a_index) * b.at(b_index);
    }
    return sum;
}

}  // namespace

class TestNnDense : public QObject {
    Q_OBJECT

private slots:
    void denseFollowsTheDefinition() {
        std::mt19937 random(1);
        for (int64_t rows : {1, 2, 4, 5, 7, 8, 9, 11, 33})
            for (int64_t units : {1, 3, 4, 31, 64, 101})
                for (int64_t depth : {1, 16, 300}) {
                    Tensor data = random_tensor(kFloat32, {rows, depth}, random);
                    Tensor weight = random_tensor(kFloat32, {units, depth}, random);
                    Tensor result = OpCall("nn.dense").run({data, weight})[0];
                    for (int64_t row = 0; row < rows; ++row)
                        for (int64_t unit = 0; unit < units; ++unit)
                            QCOMPARE(result.at(row * units + unit),
                                     element(data, weight, 0, row, unit, rows, units, depth, false, true));
                }
    }

    void everyElementTypeIsExact() {
        std::mt19937 random(2);
        struct Types {
            DataType data, weight, out;
        };
        for (Types types : {Types{kFloat64, kFloat64, kVoid},
                            {kFloat16, kFloat16, kVoid},
                            {kBFloat16, kBFloat16, kFloat32},
                            {kInt8, kInt8, kInt32},
                            {kUInt8, kInt8, kInt32},
                            {kInt16, kInt16, kInt32},
                            {kInt64, kInt64, kVoid}}) {
            Tensor data = random_tensor(types.data, {10, 20}, random),
                   weight = random_tensor(types.weight, {5, 20}, random);
            OpCall call("nn.dense");
            std::vector<Tensor> outputs = call.set("out_dtype", types.out).run({data, weight});
            QVERIFY2(!outputs.empty(), call.failure.c_str());
            for (int64_t i = 0; i < 50; ++i)
                QCOMPARE(outputs[0].at(i), element(data, weight, 0, i / 5, i % 5, 10, 5, 20, false, true));
        }
    }

    void matmulTransposesEitherOperand() {
        std::mt19937 random(3);
        for (bool transpose_a : {false, true})
            for (bool transpose_b : {false, true})
                for (int64_t rows : {3, 40}) {
                    int64_t columns = 35, depth = 17;
                    Tensor a = random_tensor(
                        kFloat32, transpose_a ? std::vector<int64_t>{depth, rows} : std::vector<int64_t>{rows, depth},
                        random);
                    Tensor b = random_tensor(
                        kFloat32,
                        transpose_b ? std::vector<int64_t>{columns, depth} : std::vector<int64_t>{depth, columns},
                        random);
                    Tensor result = OpCall("nn.matmul")
                                        .set("transpose_a", transpose_a)
                                        .set("transpose_b", transpose_b)
                                        .run({a, b})[0];
                    QCOMPARE(result.shape(), (std::vector<int64_t>{rows, columns}));
                    for (int64_t i = 0; i < result.size(); ++i)
                        QCOMPARE(result.at(i), element(a, b, 0, i / columns, i % columns, rows, columns, depth,
                                                       transpose_a, transpose_b));
                }
    }

    void batchMatmulRepeatsABatchOfOne() {
        std::mt19937 random(4);
        for (int64_t a_batch : {1, 3})
            for (int64_t b_batch : {1, 3})
                for (bool transpose : {false, true}) {
                    int64_t rows = 13, columns = 34, depth = 9, batch = std::max(a_batch, b_batch);
                    Tensor a = random_tensor(kFloat32,
                                             transpose ? std::vector<int64_t>{a_batch, depth, rows}
                                                       : std::vector<int64_t>{a_batch, rows, depth},
                                             random);
                    Tensor b = random_tensor(kFloat32,
                                             transpose ? std::vector<int64_t>{b_batch, columns, depth}
                                                       : std::vector<int64_t>{b_batch, depth, columns},
                                             random);
                    Tensor result = OpCall("nn.batch_matmul")
                                        .set("transpose_a", transpose)
                                        .set("transpose_b", transpose)
                                        .run({a, b})[0];
                    QCOMPARE(result.shape(), (std::vector<int64_t>{batch, rows, columns}));
                    for (int64_t i = 0; i < result.size(); ++i)
                        QCOMPARE(result.at(i), element(a, b, i / rows / columns, i / columns % rows, i % columns, rows,
                                                       columns, depth, transpose, transpose));
                }
    }

    void denseTakesLeadingAxes() {
        std::mt19937 random(5);
        Tensor data = random_tensor(kFloat32, {2, 3, 4}, random), weight = random_tensor(kFloat32, {5, 4}, random);
        Tensor flat(kFloat32, {6, 4});
        std::memcpy(flat.bytes(), data.bytes(), data.byte_size());
        Tensor result = OpCall("nn.dense").run({data, weight})[0];
        QCOMPARE(result.shape(), (std::vector<int64_t>{2, 3, 5}));
        Tensor flat_result = OpCall("nn.dense").run({flat, weight})[0];
        QVERIFY(std::memcmp(result.bytes(), flat_result.bytes(), result.byte_size()) == 0);
    }

    void matmulTakesLeadingAxes() {
        std::mt19937 random(6);
        const int64_t rows = 5, columns = 7, depth = 4;
        for (bool transposed : {false, true}) {
            Tensor a = random_tensor(
                kFloat32,
                transposed ? std::vector<int64_t>{2, 3, depth, rows} : std::vector<int64_t>{2, 3, rows, depth}, random);
            Tensor b = random_tensor(kFloat32, {depth, columns}, random);
            Tensor result = OpCall("nn.matmul").set("transpose_a", transposed).run({a, b})[0];
            QCOMPARE(result.shape(), (std::vector<int64_t>{2, 3, rows, columns}));
            for (int64_t i = 0; i < result.size(); ++i)
                QCOMPARE(result.at(i), element(a, b, i / rows / columns, i / columns % rows, i % columns, rows, columns,
                                               depth, transposed, false));
        }
    }

    void anEmptyReductionGivesZeros() {
        Tensor data(kFloat32, {20, 0}), weight(kFloat32, {3, 0});
        Tensor result = OpCall("nn.dense").run({data, weight})[0];
        for (int64_t i = 0; i < result.size(); ++i) QCOMPARE(result.at(i), 0.0);
    }

    void shapesThatDoNotFitAreErrors() {
        Tensor data(kFloat32, {2, 4}), weight(kFloat32, {3, 5}), cube(kFloat32, {2, 3, 4});
        QCOMPARE(OpCall("nn.dense").type({data, weight}),
                 std::string("error: the data has 4 features, but the weight takes 5"));
        Tensor fits(kFloat32, {3, 4});
        QCOMPARE(OpCall("nn.dense").set("units", 7).type({data, fits}),
                 std::string("error: units is 7, but the weight gives 3"));
        QCOMPARE(OpCall("nn.dense").type({data, cube}), std::string("error: the weight must have rank 2, not 3"));
        QCOMPARE(OpCall("nn.batch_matmul").type({cube, cube}),
                 std::string("error: the reduced dimensions 4 and 3 differ"));
        QCOMPARE(OpCall("nn.dense").set("units", "many").type({data, fits}),
                 std::string("error: units must be an integer, not \"many\""));
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestNnDense)

}  // namespace test_nn_dense

#include "test_nn_dense.moc"
