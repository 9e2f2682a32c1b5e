// nn.expert_dense: its kernel against a plain computation, in C, and written as Relay's calls.
#include <QtTest>

#include <random>
#include <set>

#include "engine/passes/lower_whole_operators.h"
#include "engine/runtime/run.h"
#include "engine/session/session.h"
#include "op_c_testing.h"
#include "op_call.h"
#include "relay_testing.h"
#include "same_outputs.h"
#include "tests/registry.h"

namespace test_nn_expert_dense {

using namespace partita;
using namespace partita::testing;

namespace {

struct Product {
    Tensor data, weight, expert;

    double expected(int64_t index) const {
        const int64_t columns = weight.shape()[1], depth = weight.shape()[2], choices = expert.shape()[1];
        const int64_t place = index / columns, row = data.shape()[1] == 1 ? place / choices : place;
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
            sum += data.at(row * depth + k) *
                   weight.at((int64_t(expert.at(place)) * columns + index % columns) * depth + k);
        return sum;
    }
};

Tensor random_tensor(std::vector<int64_t> shape, std::mt19937& random, DataType dtype) {
    Tensor tensor(dtype, std::move(shape));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, number(random));
    return tensor;
}

/// Experts with no row, one, a few, or more than a panel of columns.
Product random_product(std::mt19937& random, int round) {
    const auto upto = [&](int64_t most) { return 1 + int64_t(random() % uint64_t(most)); };
    const DataType dtype = round % 3 ? kFloat32 : kFloat64;
    const int64_t rows = round % 4 ? upto(9) : upto(90), choices = upto(3), experts = upto(4), depth = upto(40);
    Tensor expert(round % 2 ? kInt64 : kInt32, {rows, choices});
    for (int64_t i = 0; i < expert.size(); ++i) expert.set(i, double(random() % uint64_t(experts)));
    return {random_tensor({rows, random() % 2 ? choices : 1, depth}, random, dtype),
            random_tensor({experts, upto(20), depth}, random, dtype), expert};
}

void compare(const Tensor& found, const Product& product) {
    QCOMPARE(found.shape(),
             (std::vector{product.expert.shape()[0], product.expert.shape()[1], product.weight.shape()[1]}));
    for (int64_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(found.at(i) - product.expected(i)) < 1e-5, qPrintable(QString::number(i)));
}

std::string text_of(const Product& product) {
    const auto type = [](const Tensor& tensor) {
        return "Tensor[" + shape_to_string(tensor.shape()) + ", " + tensor.dtype().to_string() + "]";
    };
    return "def @main(%x: " + type(product.data) + ", %w: " + type(product.weight) + ", %e: " + type(product.expert) +
           ") { nn.expert_dense(%x, %w, %e) }";
}

Product with_expert(double number) {
    std::mt19937 random(4);
    Tensor expert(kInt64, {2, 1});
    expert.set(1, number);
    return {random_tensor({2, 1, 3}, random, kFloat32), random_tensor({3, 2, 3}, random, kFloat32), expert};
}

}  // namespace

class TestNnExpertDense : public QObject {
    Q_OBJECT

private slots:
    void rowsAreMultipliedByTheirExperts() {
        std::mt19937 random(1);
        for (int round = 0; round < 200; ++round) {
            const Product given = random_product(random, round);
            compare(OpCall("nn.expert_dense").run({given.data, given.weight, given.expert})[0], given);
        }
    }

    void loopsInCMultiplyTheSame() {
        std::mt19937 random(2);
        for (int round = 0; round < 8; ++round) {
            const Product given = random_product(random, round);
            const auto found = run_op_in_c("nn.expert_dense", {given.data, given.weight, given.expert});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare((*found)[0], given);
        }
    }

    void relaysCallsMultiplyTheSame() {
        std::mt19937 random(3);
        for (int round = 0; round < 60; ++round) {
            const Product given = random_product(random, round);
            const Module module = typed_module(text_of(given));
            QCOMPARE(whole_operator_calls(module), size_t(1));
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QVERIFY(lowered->typed());
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            const auto found = outputs_of(*lowered, {{"x", given.data}, {"w", given.weight}, {"e", given.expert}});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare((*found)[0], given);
        }
    }

    /// Of numbers that bool does not hold, none is taken for another.
    void relaysCallsChooseByTruthValues() {
        std::mt19937 random(4);
        Tensor expert(kBool, {2, 1});
        expert.set(0, 0), expert.set(1, 1);
        const Product given{random_tensor({2, 1, 3}, random, kFloat32), random_tensor({3, 2, 3}, random, kFloat32),
                            expert};
        const Result<Module> lowered = lower_whole_operators(typed_module(text_of(given)));
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        const auto found = outputs_of(*lowered, {{"x", given.data}, {"w", given.weight}, {"e", given.expert}});
        QVERIFY2(bool(found), message_of(found).c_str());
        compare((*found)[0], given);
    }

    void anExpertThatIsNotThereIsRefused() {
        for (const double number : {-1.0, 3.0}) {
            const Product given = with_expert(number);
            const auto found =
                outputs_of(typed_module(text_of(given)), {{"x", given.data}, {"w", given.weight}, {"e", given.expert}});
            QVERIFY(!found);
            const std::string message = "expert " + std::to_string(int(number)) + " is not one of 3";
            QVERIFY2(message_of(found).find(message) != std::string::npos, message_of(found).c_str());
            QVERIFY(!run_op_in_c("nn.expert_dense", {given.data, given.weight, given.expert}));
        }
    }

    void madeUpExpertsAreThere() {
        const Module module = typed_module(
            "def @main(%x: Tensor[(90, 1, 2), float32], %w: Tensor[(5, 7, 2), float32], %e: Tensor[(90, 3), int64]) "
            "{ nn.expert_dense(%x, %w, %e) }");
        const std::map<std::string, Tensor> made = make_inputs(module, 0, {});
        const Tensor& expert = made.at("e");
        std::set<double> seen;
        for (int64_t i = 0; i < expert.size(); ++i) seen.insert(expert.at(i));
        QCOMPARE(seen, (std::set<double>{0, 1, 2, 3, 4}));
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("weight");
        QTest::addColumn<QString>("expert");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* data, const char* weight, const char* expert,
                            const char* message) { QTest::newRow(name) << data << weight << expert << message; };
        row("features", "(4, 1, 5), float32", "(3, 6, 4), float32", "(4, 2), int64", "the data has 5 features");
        row("rows", "(3, 1, 5), float32", "(3, 6, 5), float32", "(4, 2), int64", "must have the rows");
        row("choices", "(4, 3, 5), float32", "(3, 6, 5), float32", "(4, 2), int64", "or one choice");
        row("rank of data", "(4, 5), float32", "(3, 6, 5), float32", "(4, 2), int64", "data must have rank 3");
        row("rank of weight", "(4, 1, 5), float32", "(6, 5), float32", "(4, 2), int64", "weight must have rank 3");
        row("rank of expert", "(4, 1, 5), float32", "(3, 6, 5), float32", "(4), int64", "expert must have rank 2");
        row("integers", "(4, 1, 5), int32", "(3, 6, 5), int32", "(4, 2), int64", "floating-point");
        row("two types", "(4, 1, 5), float32", "(3, 6, 5), float64", "(4, 2), int64", "of float32");
        row("real experts", "(4, 1, 5), float32", "(3, 6, 5), float32", "(4, 2), float32", "by integers");
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QString, data);
        QFETCH(QString, weight);
        QFETCH(QString, expert);
        QFETCH(QString, message);
        const QString text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[" + data + "], %w: Tensor[" + weight +
                             "], %e: Tensor[" + expert + "]) { nn.expert_dense(%x, %w, %e) }";
        const Result<OpenedModule> opened = open_text(text.toStdString(), "test");
        QVERIFY(!opened);
        const QString found = QString::fromStdString(opened.error().to_string());
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    void rowsOfUnknownNumberAreLowered() {
        const Module module = typed_module(
            "def @main(%x: Tensor[(?, 1, 5), float32], %w: Tensor[(3, 6, 5), float32], %e: Tensor[(?, 2), int64]) "
            "{ nn.expert_dense(%x, %w, %e) }");
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        QCOMPARE(whole_operator_calls(*lowered), size_t(0));
    }
};

PARTITA_TEST(TestNnExpertDense)

}  // namespace test_nn_expert_dense

#include "test_nn_expert_dense.moc"
