// nn.rotary_embedding: its kernel against a plain computation, in C, and written as Relay's calls.
#include <QtTest>

#include <random>

#include "engine/passes/lower_whole_operators.h"
#include "engine/session/session.h"
#include "op_c_testing.h"
#include "op_call.h"
#include "relay_testing.h"
#include "same_outputs.h"
#include "tests/registry.h"

namespace test_nn_rotary_embedding {

using namespace partita;
using namespace partita::testing;

namespace {

struct Rotation {
    Tensor data, cosine, sine;
    bool interleaved;

    /// Returns the angle's number for an element's pair; the element belongs to none if it is not turned.
    double expected(int64_t index) const {
        const auto& shape = data.shape();
        const auto& table = cosine.shape();
        const int64_t size = shape[3], half = table[3], row = index / size, c = index % size;
        if (c >= 2 * half) return data.at(index);
        const int64_t pair = interleaved ? c / 2 : c % half;
        const bool second = interleaved ? c % 2 : c >= half;
        const int64_t places[] = {row / (shape[1] * shape[2]), row / shape[2] % shape[1], row % shape[2]};
        int64_t angle = 0;
        for (size_t d = 0; d < 3; ++d) angle = angle * table[d] + (table[d] == 1 ? 0 : places[d]);
        angle = angle * half + pair;
        const double a = data.at(row * size + (interleaved ? 2 * pair : pair)),
                     b = data.at(row * size + (interleaved ? 2 * pair + 1 : half + pair));
        return second ? a * sine.at(angle) + b * cosine.at(angle) : a * cosine.at(angle) - b * sine.at(angle);
    }
};

Tensor random_tensor(std::vector<int64_t> shape, std::mt19937& random, DataType dtype) {
    Tensor tensor(dtype, std::move(shape));
    std::uniform_real_distribution<double> number(-1, 1);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, number(random));
    return tensor;
}

Rotation random_rotation(std::mt19937& random, int round) {
    const auto upto = [&](int64_t most) { return 1 + int64_t(random() % uint64_t(most)); };
    const DataType dtype = round % 3 ? kFloat32 : kFloat64;
    const std::vector<int64_t> data{upto(3), upto(4), upto(5), 2 * upto(6) + int64_t(random() % 2)};
    const auto same_or_one = [&](int64_t extent) { return random() % 2 ? extent : 1; };
    const std::vector<int64_t> table{same_or_one(data[0]), same_or_one(data[1]), same_or_one(data[2]),
                                     upto(data[3] / 2)};
    return {random_tensor(data, random, dtype), random_tensor(table, random, dtype),
            random_tensor(table, random, dtype), random() % 2 == 1};
}

void compare(const Tensor& found, const Rotation& rotation) {
    QCOMPARE(found.shape(), rotation.data.shape());
    for (int64_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(found.at(i) - rotation.expected(i)) < 1e-6, qPrintable(QString::number(i)));
}

std::string text_of(const Rotation& rotation) {
    const auto type = [](const Tensor& tensor) {
        return "Tensor[" + shape_to_string(tensor.shape()) + ", " + tensor.dtype().to_string() + "]";
    };
    return "def @main(%x: " + type(rotation.data) + ", %c: " + type(rotation.cosine) + ", %s: " + type(rotation.sine) +
           ") { nn.rotary_embedding(%x, %c, %s, interleaved=" + (rotation.interleaved ? "True" : "False") + ") }";
}

}  // namespace

class TestNnRotaryEmbedding : public QObject {
    Q_OBJECT

private slots:
    void pairsAreTurned() {
        std::mt19937 random(1);
        for (int round = 0; round < 100; ++round) {
            const Rotation given = random_rotation(random, round);
            compare(OpCall("nn.rotary_embedding")
                        .set("interleaved", given.interleaved)
                        .run({given.data, given.cosine, given.sine})[0],
                    given);
        }
    }

    void loopsInCTurnTheSame() {
        std::mt19937 random(2);
        for (int round = 0; round < 8; ++round) {
            const Rotation given = random_rotation(random, round);
            const auto found = run_op_in_c("nn.rotary_embedding", {given.data, given.cosine, given.sine},
                                           {{"interleaved", given.interleaved}});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare((*found)[0], given);
        }
    }

    void relaysCallsTurnTheSame() {
        std::mt19937 random(3);
        for (int round = 0; round < 60; ++round) {
            const Rotation given = random_rotation(random, round);
            const Module module = typed_module(text_of(given));
            QCOMPARE(whole_operator_calls(module), size_t(1));
            const Result<Module> lowered = lower_whole_operators(module);
            QVERIFY2(bool(lowered), message_of(lowered).c_str());
            QVERIFY(lowered->typed());
            QCOMPARE(whole_operator_calls(*lowered), size_t(0));
            const auto found = outputs_of(*lowered, {{"x", given.data}, {"c", given.cosine}, {"s", given.sine}});
            QVERIFY2(bool(found), message_of(found).c_str());
            compare((*found)[0], given);
        }
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("cosine");
        QTest::addColumn<QString>("sine");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* data, const char* cosine, const char* sine,
                            const char* message) { QTest::newRow(name) << data << cosine << sine << message; };
        row("too wide", "(1, 2, 3, 6), float32", "(1, 1, 3, 4), float32", "(1, 1, 3, 4), float32", "half as wide");
        row("other rows", "(1, 2, 3, 8), float32", "(1, 1, 2, 4), float32", "(1, 1, 2, 4), float32", "equal or 1");
        row("two tables", "(1, 2, 3, 8), float32", "(1, 1, 3, 4), float32", "(1, 1, 1, 4), float32", "differ");
        row("rank", "(2, 3, 8), float32", "(1, 1, 3, 4), float32", "(1, 1, 3, 4), float32", "data must have rank 4");
        row("integers", "(1, 2, 3, 8), int32", "(1, 1, 3, 4), int32", "(1, 1, 3, 4), int32", "floating-point");
        row("two types", "(1, 2, 3, 8), float32", "(1, 1, 3, 4), float32", "(1, 1, 3, 4), float64", "of float32");
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QString, data);
        QFETCH(QString, cosine);
        QFETCH(QString, sine);
        QFETCH(QString, message);
        const QString text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[" + data + "], %c: Tensor[" + cosine +
                             "], %s: Tensor[" + sine + "]) { nn.rotary_embedding(%x, %c, %s) }";
        const Result<OpenedModule> opened = open_text(text.toStdString(), "test");
        QVERIFY(!opened);
        const QString found = QString::fromStdString(opened.error().to_string());
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    void callsOfUnknownShapesStay() {
        const Module module = typed_module(
            "def @main(%x: Tensor[(1, 4, ?, 8), float32], %c: Tensor[(1, 1, ?, 4), float32]) "
            "{ nn.rotary_embedding(%x, %c, %c) }");
        const Result<Module> lowered = lower_whole_operators(module);
        QVERIFY2(bool(lowered), message_of(lowered).c_str());
        QCOMPARE(whole_operator_calls(*lowered), size_t(1));
    }
};

PARTITA_TEST(TestNnRotaryEmbedding)

}  // namespace test_nn_rotary_embedding

#include "test_nn_rotary_embedding.moc"
