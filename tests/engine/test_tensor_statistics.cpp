// The statistics of a tensor's values.
#include <cmath>
#include <limits>

#include <QTest>

#include "engine/ir/tensor_statistics.h"
#include "tests/registry.h"

namespace test_tensor_statistics {

using namespace partita;

class TestTensorStatistics : public QObject {
    Q_OBJECT
private slots:
    void plainValues_data() {
        QTest::addColumn<QString>("dtype");
        for (const char* name :
             {"float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void plainValues() {
        QFETCH(QString, dtype);
        Tensor tensor(*DataType::parse(dtype.toStdString()), {2, 3});
        for (int i = 0; i < 6; ++i) tensor.set(i, double(2 * i));  // 0 2 4 6 8 10
        const TensorStatistics found = *tensor_statistics(tensor, CancelToken());
        QCOMPARE(found.count, int64_t(6));
        QCOMPARE(found.zeros, int64_t(1));
        QCOMPARE(found.least, 0.0);
        QCOMPARE(found.largest, 10.0);
        QCOMPARE(found.mean, 5.0);
        QVERIFY(std::abs(found.deviation - std::sqrt(70.0 / 6)) < 1e-9);
        QCOMPARE(found.first, (std::vector<double>{0, 2, 4, 6, 8, 10}));
        QCOMPARE(found.histogram.front(), int64_t(1));
        QCOMPARE(found.histogram.back(), int64_t(1));
        int64_t all = 0;
        for (int64_t bin : found.histogram) all += bin;
        QCOMPARE(all, int64_t(6));
    }

    void whatIsNotFiniteIsCountedApart() {
        Tensor tensor(kFloat32, {4});
        tensor.set(0, std::numeric_limits<double>::quiet_NaN());
        tensor.set(1, std::numeric_limits<double>::infinity());
        tensor.set(2, -1);
        tensor.set(3, 3);
        const TensorStatistics found = *tensor_statistics(tensor, CancelToken());
        QCOMPARE(found.not_finite, int64_t(2));
        QCOMPARE(found.least, -1.0);
        QCOMPARE(found.largest, 3.0);
        QCOMPARE(found.mean, 1.0);
    }

    void emptyAndEqualValuesDivideByNothing() {
        const TensorStatistics none = *tensor_statistics(Tensor(kFloat32, {0}), CancelToken());
        QCOMPARE(none.count, int64_t(0));
        QCOMPARE(none.deviation, 0.0);
        const TensorStatistics equal = *tensor_statistics(Tensor(kInt64, {100}), CancelToken());
        QCOMPARE(equal.zeros, int64_t(100));
        QCOMPARE(equal.histogram.front(), int64_t(100));
    }

    void itStopsWhenAsked() {
        CancelToken cancel;
        cancel.cancel();
        QVERIFY(!tensor_statistics(Tensor(kFloat32, {10}), cancel));
    }
};

PARTITA_TEST(TestTensorStatistics)

}  // namespace test_tensor_statistics

#include "test_tensor_statistics.moc"
