#include <QtTest>

#include <cmath>

#include "tests/engine/op_c_testing.h"
#include "tests/registry.h"

namespace test_ops_gather {

using namespace partita;
using namespace partita::testing;

namespace {

using Numbers = std::vector<double>;

Tensor counted(std::vector<int64_t> shape) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(i));
    return tensor;
}

Numbers run(const std::string& name, const std::vector<Argument>& arguments, const NamedAttributes& given = {}) {
    auto results = run_op(name, arguments, given);
    if (!results) {
        qWarning("%s: %s", name.c_str(), results.error().message.c_str());
        return {};
    }
    return numbers((*results)[0]);
}

std::string failure(const std::string& name, const std::vector<Argument>& arguments,
                    const NamedAttributes& given = {}) {
    return message_of(run_op(name, arguments, given));
}

}  // namespace

class TestOpsGather : public QObject {
    Q_OBJECT
private slots:
    void takeFollowsItsMode() {
        Tensor x = counted({3, 2}), indices = int32s({3}, {-1, 1, 7});
        QCOMPARE(run("take", {x, indices}, {{"axis", 0}}), (Numbers{0, 1, 2, 3, 4, 5}));
        QCOMPARE(run("take", {x, indices}, {{"axis", 0}, {"mode", "wrap"}}), (Numbers{4, 5, 2, 3, 2, 3}));
        QVERIFY(failure("take", {x, indices}, {{"axis", 0}, {"mode", "fast"}}).find("out of range") !=
                std::string::npos);
        QCOMPARE(run("take", {x, int32s({2}, {5, 0})}), (Numbers{5, 0}));
        QCOMPARE(run("take", {counted({2, 3}), int32s({2, 1}, {2, 0})}, {{"axis", 1}, {"batch_dims", 1}}),
                 (Numbers{2, 3}));
        for (const char* mode : {"clip", "wrap"}) {
            NamedAttributes attributes{{"axis", 1}, {"mode", mode}};
            Tensor data = counted({2, 3, 2}), wild = int32s({2, 2}, {-4, 2, 9, 0});
            auto generated = run_op_in_c("take", {data, wild}, attributes);
            QVERIFY2(bool(generated), message_of(generated).c_str());
            QCOMPARE(numbers((*generated)[0]), run("take", {data, wild}, attributes));
        }
    }

    void unsignedIndicesAboveThatRangeAreItsEndInCAsInTheKernel() {
        Tensor data = counted({2, 3}), far(kUInt64, {2});
        far.data<uint64_t>()[0] = (uint64_t(1) << 63) + 5;
        far.data<uint64_t>()[1] = 1;
        const auto same = [](const char* op, const std::vector<Argument>& arguments,
                             const NamedAttributes& attributes) {
            auto generated = run_op_in_c(op, arguments, attributes);
            return generated ? numbers((*generated)[0]) == run(op, arguments, attributes) ? std::string() : "differs"
                             : message_of(generated);
        };
        for (const char* mode : {"clip", "wrap"})
            QCOMPARE(same("take", {data, far}, {{"axis", 1}, {"mode", mode}}), std::string());
        QCOMPARE(same("reverse_sequence", {data, far}, {{"seq_axis", 1}, {"batch_axis", 0}}), std::string());
        QCOMPARE(same("sequence_mask", {counted({3, 2}), far}, {{"mask_value", -1.0}}), std::string());
        QCOMPARE(same("unravel_index", {far, int32s({2}, {1000, 7})}, {}), std::string());
        QCOMPARE(same("one_hot", {far, floats({}, {1}), floats({}, {0})}, {{"depth", 3}}), std::string());
        Tensor k(far.dtype(), {});
        k.data<uint64_t>()[0] = far.data<uint64_t>()[0];
        QCOMPARE(same("trilu", {data, k}, {}), std::string());
        QVERIFY(same("gather", {data, int32s({2, 1}, {3, 0})}, {{"axis", 1}}).size() > 0);
    }

    void gatherTakesAnIndexForEachElement() {
        QCOMPARE(run("gather", {counted({2, 3}), int32s({2, 2}, {2, 0, -1, 1})}, {{"axis", 1}}), (Numbers{2, 0, 5, 4}));
        QCOMPARE(run("gather", {counted({2, 3}), int32s({1, 3}, {1, 0, 1})}, {{"axis", 0}}), (Numbers{3, 1, 5}));
        QCOMPARE(failure("gather", {counted({2, 3}), int32s({2, 1}, {3, 0})}, {{"axis", 1}}),
                 std::string("the index 3 is out of range for a dimension of 3"));
    }

    void gatherNdReadsTuplesAlongTheFirstDimension() {
        QCOMPARE(run("gather_nd", {counted({2, 3}), int32s({2, 2}, {0, 1, 1, 2})}), (Numbers{1, 5}));
        QCOMPARE(run("gather_nd", {counted({2, 3}), int32s({1, 2}, {1, 0})}), (Numbers{3, 4, 5, 0, 1, 2}));
        QCOMPARE(run("gather_nd", {counted({2, 3}), int32s({1, 2}, {2, 0})}, {{"batch_dims", 1}}), (Numbers{2, 3}));
    }

    void advIndexBroadcastsItsIndices() {
        std::vector<Tensor> inputs{counted({3, 2, 2}), int32s({2, 1}, {0, 2}), int32s({2}, {1, 0})};
        QCOMPARE(run("adv_index", {inputs}), (Numbers{2, 3, 0, 1, 10, 11, 8, 9}));
    }

    void scatterSetsAndAdds() {
        Tensor x = floats({2, 3}, {0, 0, 0, 0, 0, 0}), i = int32s({2, 2}, {0, 2, 1, 1}),
               u = floats({2, 2}, {1, 2, 3, 4});
        QCOMPARE(run("scatter", {x, i, u}, {{"axis", 1}}), (Numbers{1, 0, 2, 0, 4, 0}));
        QCOMPARE(run("scatter_add", {x, i, u}, {{"axis", 1}}), (Numbers{1, 0, 2, 0, 7, 0}));
        QCOMPARE(run("scatter_nd", {x, int32s({1, 2}, {1, 1}), floats({2, 3}, {1, 2, 3, 4, 5, 6})}, {{"mode", "add"}}),
                 (Numbers{0, 0, 0, 5, 7, 9}));
        QCOMPARE(run("scatter_nd", {x, int32s({2, 1}, {1, 2}), floats({1}, {9})}, {{"mode", "update"}}),
                 (Numbers{0, 0, 0, 0, 0, 9}));
        // Both updates affect the same element.
        const Tensor three = floats({3}, {2, 3, 4});
        for (auto [mode, result] : {std::pair("mul", 60.0), std::pair("min", 3.0), std::pair("max", 5.0)})
            QCOMPARE(run("scatter_nd", {three, int32s({1, 2}, {1, 1}), floats({2}, {4, 5})}, {{"mode", mode}}),
                     (Numbers{2, result, 4}));
        QVERIFY(failure("scatter", {x, int32s({2, 2}, {0, 9, 0, 0}), u}, {{"axis", 1}}).find("out of range") !=
                std::string::npos);
    }

    void sortIsStableAndPutsNanLast() {
        Tensor x = floats({2, 4}, {3, std::nan(""), 1, 3, 4, 4, 0, -1});
        QCOMPARE(run("argsort", {x}, {{"dtype", kInt32}}), (Numbers{2, 0, 3, 1, 3, 2, 0, 1}));
        QCOMPARE(run("sort", {int32s({2, 2}, {4, 1, 3, 2})}, {{"axis", 0}, {"is_ascend", false}}),
                 (Numbers{4, 2, 3, 1}));
    }

    void topkGivesValuesAndPlaces() {
        auto both = run_op("topk", {floats({2, 3}, {1, 5, 3, 7, 7, 2})}, {{"k", 2}, {"dtype", kInt64}});
        QVERIFY(bool(both));
        QCOMPARE(numbers((*both)[0]), (Numbers{5, 3, 7, 7}));
        QCOMPARE(numbers((*both)[1]), (Numbers{1, 2, 0, 1}));
        QVERIFY(!run_op("topk", {floats({3}, {})}, {{"k", 4}}));
    }

    void scansAddAndMultiply() {
        Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(run("cumsum", {x}, {{"axis", 1}}), (Numbers{1, 3, 6, 4, 9, 15}));
        QCOMPARE(run("cumsum", {x}, {{"axis", 0}, {"exclusive", true}}), (Numbers{0, 0, 0, 1, 2, 3}));
        QCOMPARE(run("cumprod", {x}), (Numbers{1, 2, 6, 24, 120, 720}));
        QCOMPARE(run("cumsum", {tensor(kInt8, {2}, {100, 100})}, {{"dtype", kInt32}}), (Numbers{100, 200}));
    }

    void reverseSequenceStopsAtTheLength() {
        QCOMPARE(run("reverse_sequence", {counted({2, 3}), int32s({2}, {2, 3})}, {{"seq_axis", 1}, {"batch_axis", 0}}),
                 (Numbers{1, 0, 2, 5, 4, 3}));
        QCOMPARE(run("reverse_sequence", {counted({3, 2}), int32s({2}, {2, 3})}, {{"seq_axis", 0}, {"batch_axis", 1}}),
                 (Numbers{2, 5, 0, 3, 4, 1}));
    }

    void unravelIndexGivesCoordinates() {
        QCOMPARE(run("unravel_index", {int32s({3}, {22, 41, 37}), int32s({2}, {7, 6})}), (Numbers{3, 6, 6, 4, 5, 1}));
        QVERIFY(!run_op("unravel_index", {int32s({1}, {2}), int32s({2}, {0, 6})}));
    }

    /// What lies farther out than one element beyond the border counts as 0.
    void roiAlignTakesMeansOfRegions() {
        Tensor image = counted({1, 1, 4, 4});
        auto means = [&](std::initializer_list<double> corners) {
            Tensor region = floats({1, 5}, {});
            for (size_t i = 0; i < 4; ++i) region.set(int64_t(i) + 1, corners.begin()[i]);
            return run("vision.roi_align", {image, region},
                       {{"pooled_size", list({1, 1})}, {"spatial_scale", 1.0}, {"sample_ratio", 1}, {"mode", "avg"}});
        };
        QCOMPARE(means({0, 0, 2, 2}), (Numbers{5}));
        QCOMPARE(means({1, 0, 2, 3}), (Numbers{7.5}));
        QCOMPARE(means({-1, -1, 0, 0}), (Numbers{0}));  // at -0.5, -0.5: the first element
        QCOMPARE(means({3, 3, 4, 4}), (Numbers{15}));   // at 3.5, 3.5: the last one
        for (auto far : {std::array{-3.0, 1.0}, std::array{5.0, 1.0}, std::array{1.0, -3.0}, std::array{1.0, 5.0}})
            QCOMPARE(means({far[0], far[1], far[0] + 1, far[1] + 1}), (Numbers{0}));
    }

    /// A line that is read backwards gives the result backwards: both borders are treated alike.
    void resizeIsSymmetric_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("exclude_outside");
        QTest::newRow("linear") << "linear" << false;
        QTest::newRow("cubic") << "cubic" << false;
        QTest::newRow("cubic without what lies outside") << "cubic" << true;
    }
    void resizeIsSymmetric() {
        QFETCH(QString, method);
        QFETCH(bool, exclude_outside);
        auto resized = [&](const Numbers& line, int size) {
            return run(
                "image.resize1d", {floats({1, 1, int64_t(line.size())}, line)},
                {{"size", list({size})}, {"method", method.toStdString()}, {"cubic_exclude", int(exclude_outside)}});
        };
        const Numbers line{3, 1, 4, 1, 5, 9, 2}, backwards(line.rbegin(), line.rend());
        for (int size : {3, 5, 7, 10, 17}) {
            const Numbers one = resized(line, size), other = resized(backwards, size);
            QCOMPARE(one.size(), size_t(size));
            for (size_t i = 0; i < one.size(); ++i)
                QVERIFY2(std::fabs(one[i] - other[one.size() - 1 - i]) < 1e-4,
                         qPrintable(QString("%1 of %2").arg(i).arg(size)));
        }
    }

    void whatIsEvenStaysEvenInAnotherSize() {
        const Tensor even = floats({1, 2, 5, 4}, Numbers(40, 3));
        auto check = [](const Numbers& result) {
            QVERIFY(!result.empty());
            for (double value : result) QVERIFY2(std::fabs(value - 3) < 1e-4, qPrintable(QString::number(value)));
        };
        for (const char* method : {"nearest_neighbor", "bilinear", "bicubic"})
            for (bool corners : {false, true})
                check(run("nn.upsampling", {even},
                          {{"scale_h", 2.0}, {"scale_w", 1.5}, {"method", method}, {"align_corners", corners}}));
        for (const char* method : {"nearest_neighbor", "linear", "cubic"})
            for (int exclude : {0, 1})
                check(run("image.resize2d", {even},
                          {{"size", list({7, 3})}, {"method", method}, {"cubic_exclude", exclude}}));
    }

    void resizeInterpolates() {
        Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
        QCOMPARE(run("image.resize2d", {x},
                     {{"size", list({4, 4})},
                      {"method", "nearest_neighbor"},
                      {"coordinate_transformation_mode", "asymmetric"},
                      {"rounding_method", "floor"}}),
                 (Numbers{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4}));
        QCOMPARE(
            run("image.resize2d", {x}, {{"size", list({3, 3})}, {"coordinate_transformation_mode", "align_corners"}}),
            (Numbers{1, 1.5, 2, 2, 2.5, 3, 3, 3.5, 4}));
        // Half pixels: the outer elements are clamped.
        QCOMPARE(run("image.resize1d", {floats({1, 1, 2}, {0, 4})}, {{"size", list({4})}}), (Numbers{0, 1, 3, 4}));
        QCOMPARE(
            run("image.resize2d", {floats({1, 2, 1, 2}, {0, 10, 4, 20})}, {{"size", list({4, 1})}, {"layout", "NHWC"}}),
            (Numbers{0, 10, 1, 12.5, 3, 17.5, 4, 20}));
        // A cubic spline keeps a straight line straight inside.
        Numbers cubic =
            run("image.resize1d", {floats({1, 1, 6}, {0, 1, 2, 3, 4, 5})},
                {{"size", list({12})}, {"method", "cubic"}, {"coordinate_transformation_mode", "asymmetric"}});
        for (size_t i = 2; i < 9; ++i) QVERIFY(std::fabs(cubic.at(i) - double(i) / 2) < 1e-5);
        // At -0.25 two of the four elements lie outside: the others' weights are made to add up to 1.
        const Numbers inside =
            run("image.resize1d", {floats({1, 1, 4}, {3, 1, 4, 1})},
                {{"size", list({8})}, {"method", "cubic"}, {"cubic_exclude", 1}, {"cubic_alpha", -0.5}});
        const double near = 1.5 * 0.25 * 0.25 * 0.25 - 2.5 * 0.25 * 0.25 + 1,
                     far = -0.5 * 1.25 * 1.25 * 1.25 + 2.5 * 1.25 * 1.25 - 4 * 1.25 + 2;
        QVERIFY(std::fabs(inside.at(0) - (3 * near + 1 * far) / (near + far)) < 1e-5);
        // A crop: corners of its region, then of the third and fourth quarter of each axis.
        Tensor grid(kFloat32, {1, 1, 5, 9});
        for (int64_t i = 0; i < grid.size(); ++i) grid.set(i, double(i / 9 * 10 + i % 9));
        const auto cropped = [&grid](std::initializer_list<double> numbers) {
            const AttributeValue::List region(numbers.begin(), numbers.end());
            return run("image.resize2d", {grid},
                       {{"size", list({2, 2})},
                        {"roi", AttributeValue(region)},
                        {"method", "linear"},
                        {"coordinate_transformation_mode", "tf_crop_and_resize"}});
        };
        QCOMPARE(cropped({0, 0, 1, 1}), (Numbers{0, 8, 40, 48}));
        QCOMPARE(cropped({0.25, 0.5, 0.75, 1}), (Numbers{14, 18, 34, 38}));
        QVERIFY(!run_op("image.resize2d", {x}, {{"size", list({0, 4})}}));
        QVERIFY(!run_op("image.resize2d", {x}, {{"size", list({4, 4})}, {"layout", "HCNW"}}));
    }
};

PARTITA_TEST(TestOpsGather)

}  // namespace test_ops_gather

#include "test_ops_gather.moc"
