// linalg.det and linalg.inv: their kernels, their loops in C, and determinants written as Relay's calls.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/passes/lower_whole_operators.h"
#include "engine/session/session.h"
#include "op_c_testing.h"
#include "op_call.h"
#include "relay_testing.h"
#include "same_outputs.h"
#include "tests/registry.h"

namespace test_linear_algebra {

using namespace partita;
using namespace partita::testing;

namespace {

Tensor random_matrices(std::vector<int64_t> shape, std::mt19937& random, DataType dtype = kFloat64) {
    Tensor tensor(dtype, std::move(shape));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, number(random));
    return tensor;
}

/// Expands by the first row.
double determinant_of(const std::vector<std::vector<double>>& rows) {
    double sum = rows.empty() ? 1 : 0;
    for (size_t column = 0; column < rows.size(); ++column) {
        std::vector<std::vector<double>> minor(rows.begin() + 1, rows.end());
        for (auto& row : minor) row.erase(row.begin() + std::ptrdiff_t(column));
        sum += (column % 2 ? -1 : 1) * rows[0][column] * determinant_of(minor);
    }
    return sum;
}

double expected_determinant(const Tensor& matrices, int64_t index) {
    const int64_t size = matrices.shape().back();
    std::vector<std::vector<double>> rows(static_cast<size_t>(size), std::vector<double>(static_cast<size_t>(size)));
    for (int64_t i = 0; i < size * size; ++i)
        rows[size_t(i / size)][size_t(i % size)] = matrices.at(index * size * size + i);
    return determinant_of(rows);
}

void compare_determinants(const Tensor& found, const Tensor& matrices, double tolerance) {
    QCOMPARE(found.shape(), std::vector<int64_t>(matrices.shape().begin(), matrices.shape().end() - 2));
    for (int64_t i = 0; i < found.size(); ++i) {
        const double expected = expected_determinant(matrices, i);
        QVERIFY2(std::abs(found.at(i) - expected) <= tolerance,
                 qPrintable(QString("%1 instead of %2").arg(found.at(i)).arg(expected)));
    }
}

/// Holds matrix x inverse against 1, to within what the size of the inverse allows.
void verify_inverses(const Tensor& found, const Tensor& matrices, double epsilon) {
    QCOMPARE(found.shape(), matrices.shape());
    const int64_t size = matrices.shape().back();
    for (int64_t m = 0; size > 0 && m < found.size(); m += size * size) {
        double largest = 1;
        for (int64_t i = 0; i < size * size; ++i) largest = std::max(largest, std::abs(found.at(m + i)));
        for (int64_t i = 0; i < size * size; ++i) {
            double sum = 0;
            for (int64_t k = 0; k < size; ++k)
                sum += matrices.at(m + i / size * size + k) * found.at(m + k * size + i % size);
            QVERIFY(std::abs(sum - (i / size == i % size ? 1 : 0)) <= epsilon * double(size) * largest);
        }
    }
}

const std::vector<std::vector<int64_t>> kShapes = {{1, 1},    {2, 2},       {3, 3},    {6, 6},   {0, 0},
                                                   {5, 4, 4}, {2, 3, 5, 5}, {0, 3, 3}, {3, 0, 0}};

Tensor matrix(std::initializer_list<double> elements) {
    const int64_t size = int64_t(std::lround(std::sqrt(double(elements.size()))));
    Tensor tensor(kFloat32, {size, size});
    int64_t i = 0;
    for (double element : elements) tensor.set(i++, element);
    return tensor;
}

}  // namespace

class TestLinearAlgebra : public QObject {
    Q_OBJECT

private slots:
    void determinantsAreExact() {
        std::mt19937 random(1);
        for (const std::vector<int64_t>& shape : kShapes) {
            const Tensor given = random_matrices(shape, random);
            compare_determinants(OpCall("linalg.det").run({given})[0], given, 1e-13);
            const Tensor coarse = random_matrices(shape, random, kFloat32);
            compare_determinants(OpCall("linalg.det").run({coarse})[0], coarse, 1e-6);
        }
    }

    void inversesTimesTheirMatricesAreOne() {
        std::mt19937 random(2);
        for (const std::vector<int64_t>& shape : kShapes) {
            const Tensor given = random_matrices(shape, random);
            verify_inverses(OpCall("linalg.inv").run({given})[0], given, 1e-13);
            const Tensor half = random_matrices(shape, random, kFloat16);
            verify_inverses(OpCall("linalg.inv").run({half})[0], half, 2e-3);
        }
        const Tensor large = random_matrices({100, 100}, random);
        verify_inverses(OpCall("linalg.inv").run({large})[0], large, 1e-12);
    }

    void aPivotOfZeroIsExchanged() {
        const Tensor turned = matrix({0, 2, 0, 0, 0, 3, 4, 0, 0});
        QCOMPARE(OpCall("linalg.det").run({turned})[0].at(0), 24.0);
        QCOMPARE(OpCall("linalg.det").run({matrix({0, 1, 1, 0})})[0].at(0), -1.0);
        const Tensor inverse = OpCall("linalg.inv").run({turned})[0];
        const double expected[] = {0, 0, 0.25, 0.5, 0, 0, 0, 1.0 / 3, 0};
        for (int64_t i = 0; i < 9; ++i) QCOMPARE(float(inverse.at(i)), float(expected[i]));
    }

    void matricesWithoutAnInverseHaveNone() {
        QCOMPARE(OpCall("linalg.det").run({matrix({1, 2, 2, 4})})[0].at(0), 0.0);
        QCOMPARE(OpCall("linalg.det").run({matrix({0, 0, 0, 0, 5, 6, 0, 8, 9})})[0].at(0), 0.0);
        const Tensor inverse = OpCall("linalg.inv").run({matrix({1, 2, 2, 4})})[0];
        for (int64_t i = 0; i < 4; ++i) QVERIFY(!std::isfinite(inverse.at(i)));
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(OpCall("linalg.det").run({matrix({nan, 2, 2, 4})})[0].at(0)));
    }

    void loopsInCSayTheSame() {
        std::mt19937 random(3);
        for (const std::vector<int64_t>& shape : kShapes) {
            for (const DataType dtype : {kFloat32, kFloat64}) {
                const Tensor given = random_matrices(shape, random, dtype);
                const double epsilon = dtype == kFloat32 ? 1e-6 : 1e-13;
                const auto determinants = run_op_in_c("linalg.det", {given}, {});
                QVERIFY2(bool(determinants), message_of(determinants).c_str());
                compare_determinants((*determinants)[0], given, epsilon);
                const auto inverses = run_op_in_c("linalg.inv", {given}, {});
                QVERIFY2(bool(inverses), message_of(inverses).c_str());
                verify_inverses((*inverses)[0], given, epsilon);
            }
        }
        const auto exchanged = run_op_in_c("linalg.det", {matrix({0, 2, 0, 0, 0, 3, 4, 0, 0})}, {});
        QVERIFY2(bool(exchanged), message_of(exchanged).c_str());
        QCOMPARE((*exchanged)[0].at(0), 24.0);
        const auto none = run_op_in_c("linalg.det", {matrix({0, 0, 0, 0, 5, 6, 0, 8, 9})}, {});
        QVERIFY2(bool(none), message_of(none).c_str());
        QCOMPARE((*none)[0].at(0), 0.0);
    }

    void matricesThatAreTooLargeForTheStackAreNotWrittenInC() {
        std::mt19937 random(4);
        QVERIFY(run_op_in_c("linalg.det", {random_matrices({128, 128}, random)}, {}));
        QVERIFY(!run_op_in_c("linalg.det", {random_matrices({129, 129}, random)}, {}));
        QVERIFY(!run_op_in_c("linalg.inv", {random_matrices({91, 91}, random)}, {}));
    }

    void smallDeterminantsAreWrittenAsProducts() {
        std::mt19937 random(5);
        for (const int64_t size : {1, 2, 3}) {
            const std::string type = "(2, " + std::to_string(size) + ", " + std::to_string(size) + ")";
            const Module module = typed_module("def @main(%x: Tensor[" + type + ", float64]) { linalg.det(%x) }");
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            const Tensor given = random_matrices({2, size, size}, random);
            const auto found = outputs_of(*lowered, {{"x", given}});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare_determinants((*found)[0], given, 1e-14);
        }
        for (const char* type : {"(4, 4)", "(?, 3)", "(0, 0)"}) {
            const Module module =
                typed_module(std::string("def @main(%x: Tensor[") + type + ", float64]) { linalg.det(%x) }");
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QCOMPARE(whole_operator_calls(*lowered), size_t(1));
        }
    }

    void whatIsNoSquareMatrixIsRefused_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("message");
        QTest::newRow("not square") << "(2, 3, 4), float32"
                                    << "must be square, not 3 x 4";
        QTest::newRow("a row") << "(3), float32"
                               << "rank 2";
        QTest::newRow("integers") << "(3, 3), int32"
                                  << "floating-point numbers, not int32";
    }
    void whatIsNoSquareMatrixIsRefused() {
        QFETCH(QString, data);
        QFETCH(QString, message);
        for (const char* op : {"linalg.det", "linalg.inv"}) {
            const QString text = QString("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[%1]) { %2(%x) }").arg(data, op);
            const Result<OpenedModule> opened = open_text(text.toStdString(), "test");
            QVERIFY(!opened);
            const QString found = QString::fromStdString(opened.error().to_string());
            QVERIFY2(found.contains(message), qPrintable(found));
        }
    }
};

PARTITA_TEST(TestLinearAlgebra)

}  // namespace test_linear_algebra

#include "test_linear_algebra.moc"
