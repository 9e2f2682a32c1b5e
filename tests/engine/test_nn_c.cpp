#include <QtTest>

#include <cmath>
#include <random>

#include "op_c_testing.h"
#include "tests/registry.h"

namespace test_nn_c {

using namespace partita;
using namespace partita::testing;

namespace {

AttributeValue ints(std::initializer_list<int> values) { return partita::testing::list(values); }

Tensor random_numbers(DataType dtype, std::vector<int64_t> shape, std::mt19937& random) {
    Tensor result(dtype, std::move(shape));
    for (int64_t i = 0; i < result.size(); ++i)
        result.set(i, double(int(random() % 9) - (dtype.code == DataType::Code::UInt ? 0 : 4)));
    return result;
}

struct Case {
    const char* name;
    std::vector<Argument> arguments;
    NamedAttributes attributes;
};

}  // namespace

/// The C loops of the nn ops compute the same as their kernels.
class TestNnC : public QObject {
    Q_OBJECT

private:
    std::mt19937 random_{1};

    Tensor reals(std::vector<int64_t> shape) { return random_numbers(kFloat32, std::move(shape), random_); }

    void compare(const Case& c) {
        auto expected = run_op(c.name, c.arguments, c.attributes);
        QVERIFY2(bool(expected), message_of(expected).c_str());
        auto actual = run_op_in_c(c.name, c.arguments, c.attributes);
        QVERIFY2(bool(actual), message_of(actual).c_str());
        QCOMPARE(actual->size(), expected->size());
        for (size_t k = 0; k < expected->size(); ++k)
            for (int64_t i = 0; i < (*expected)[k].size(); ++i) {
                double a = (*actual)[k].at(i), b = (*expected)[k].at(i);
                QVERIFY2(
                    a == b || std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b)),
                    qPrintable(QString("%1 element %2: C gives %3, the kernel %4").arg(c.name).arg(i).arg(a).arg(b)));
            }
    }

private slots:
    void imagesInAnotherSize() {
        const Tensor image = reals({2, 3, 5, 4}), volume = reals({1, 2, 3, 4, 3});
        for (const char* mode :
             {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn"})
            for (const char* method : {"nearest_neighbor", "linear", "cubic"}) {
                compare({"image.resize2d",
                         {image},
                         {{"size", ints({7, 9})}, {"method", method}, {"coordinate_transformation_mode", mode}}});
                compare({"image.resize2d",
                         {image},
                         {{"size", ints({3, 2})},
                          {"method", method},
                          {"coordinate_transformation_mode", mode},
                          {"layout", "NHWC"},
                          {"cubic_exclude", 1}}});
                compare({"image.resize3d",
                         {volume},
                         {{"size", ints({4, 2, 5})}, {"method", method}, {"coordinate_transformation_mode", mode}}});
            }
        compare({"image.resize1d",
                 {random_numbers(kInt8, {1, 2, 6}, random_)},
                 {{"size", ints({9})}, {"method", "nearest_neighbor"}}});
        for (const char* method : {"nearest_neighbor", "bilinear", "bicubic"})
            for (bool corners : {false, true}) {
                compare({"nn.upsampling",
                         {image},
                         {{"scale_h", 2.0}, {"scale_w", 1.5}, {"method", method}, {"align_corners", corners}}});
                compare({"nn.upsampling",
                         {image},
                         {{"scale_h", 1.0},
                          {"scale_w", 3.0},
                          {"method", method},
                          {"align_corners", corners},
                          {"layout", "NHWC"}}});
            }
        compare({"nn.upsampling3d",
                 {volume},
                 {{"scale_d", 2.0}, {"scale_h", 1.0}, {"scale_w", 2.0}, {"method", "trilinear"}}});
    }
    void blocksOfImages() {
        for (const char* mode : {"DCR", "CDR"}) {
            compare({"nn.depth_to_space", {reals({2, 18, 3, 4})}, {{"block_size", 3}, {"mode", mode}}});
            compare(
                {"nn.depth_to_space", {reals({2, 3, 4, 8})}, {{"block_size", 2}, {"mode", mode}, {"layout", "NHWC"}}});
            compare({"nn.space_to_depth", {reals({2, 3, 4, 6})}, {{"block_size", 2}, {"mode", mode}}});
        }
        compare({"nn.dilate", {reals({2, 3, 4})}, {{"strides", ints({1, 2, 3})}, {"dilation_value", 0.5}}});
        for (const double value : {0.0, 127.0})
            compare({"nn.dilate",
                     {partita::testing::int32s({2, 2}, {1, -2, 3, 4})},
                     {{"strides", ints({2, 3})}, {"dilation_value", value}}});
    }
    void convolutionsByPanels() {
        // More output channels than a block, with a remainder; tiles that end within a row; panels deeper than one.
        compare({"nn.conv2d",
                 {reals({2, 5, 9, 11}), reals({19, 5, 3, 3})},
                 {{"padding", ints({1, 0, 2, 1})}, {"strides", ints({2, 1})}}});
        compare({"nn.conv2d", {reals({1, 64, 7, 7}), reals({16, 64, 3, 3})}, {{"padding", ints({1, 1})}}});
        compare({"nn.conv2d", {reals({1, 3, 5, 6}), reals({1030, 3, 1, 1})}, {}});
        compare({"nn.conv2d",
                 {reals({1, 6, 12, 12}), reals({20, 3, 3, 2})},
                 {{"groups", 2}, {"dilation", ints({2, 3})}, {"padding", ints({2, 1})}}});
        compare(
            {"nn.conv2d",
             {reals({1, 7, 8, 5}), reals({9, 5, 3, 3})},
             {{"data_layout", "NHWC"}, {"out_layout", "NCHW"}, {"strides", ints({1, 2})}, {"padding", ints({1, 1})}}});
        compare(
            {"nn.conv1d", {reals({2, 3, 40}), reals({8, 3, 5})}, {{"padding", ints({2, 3})}, {"strides", ints({2})}}});
        compare({"nn.conv3d", {reals({1, 2, 4, 5, 6}), reals({11, 2, 2, 3, 2})}, {{"padding", ints({1, 1, 1})}}});
        // Borders behind the data only, which the last window alone reaches.
        compare({"nn.conv2d",
                 {reals({1, 3, 16, 16}), reals({9, 3, 3, 3})},
                 {{"padding", ints({0, 0, 1, 1})}, {"strides", ints({2, 2})}}});
        compare({"nn.conv2d",
                 {random_numbers(kInt8, {1, 3, 6, 6}, random_), random_numbers(kInt8, {12, 3, 3, 3}, random_)},
                 {{"out_dtype", kInt32}, {"padding", ints({1, 1})}}});
    }

    void denseByBlocks() {
        compare({"nn.dense", {reals({1, 100}), reals({10, 100})}, {}});
        compare({"nn.dense", {reals({7, 33}), reals({6, 33})}, {}});
        for (int64_t rows : {1, 4, 5})
            for (int64_t columns : {3, 4, 8, 9}) compare({"nn.dense", {reals({rows, 16}), reals({columns, 16})}, {}});
    }

    void convolutions() {
        compare({"nn.conv2d",
                 {reals({2, 3, 9, 8}), reals({5, 3, 3, 3})},
                 {{"padding", ints({1, 0, 2, 1})}, {"strides", ints({2, 1})}}});
        compare({"nn.conv2d",
                 {reals({1, 4, 7, 7}), reals({6, 2, 3, 2})},
                 {{"groups", 2}, {"dilation", ints({1, 2})}, {"strides", ints({1, 3})}, {"padding", ints({1, 1})}}});
        compare({"nn.conv2d",
                 {reals({1, 4, 6, 6}), reals({4, 2, 3, 3})},
                 {{"groups", 4}, {"channels", 8}, {"kernel_size", ints({3, 3})}}});
        compare({"nn.conv2d", {reals({2, 3, 9, 33}), reals({3, 1, 3, 3})}, {{"groups", 3}, {"padding", ints({1, 1})}}});
        compare({"nn.conv2d", {reals({2, 3, 9, 33}), reals({3, 1, 5, 2})}, {{"groups", 3}, {"padding", ints({0, 0})}}});
        compare({"nn.conv2d",
                 {reals({1, 3, 9, 14}), reals({3, 1, 3, 3})},
                 {{"groups", 3}, {"padding", ints({1, 1})}, {"strides", ints({2, 2})}}});
        compare(
            {"nn.conv2d",
             {reals({1, 3, 11, 9}), reals({6, 1, 3, 5})},
             {{"groups", 3}, {"padding", ints({2, 0, 1, 7})}, {"strides", ints({3, 2})}, {"dilation", ints({2, 3})}}});
        compare({"nn.conv2d",
                 {reals({1, 3, 4, 4}), reals({3, 1, 2, 2})},
                 {{"groups", 3}, {"padding", ints({0, 0})}, {"strides", ints({3, 5})}}});
        compare(
            {"nn.conv2d",
             {reals({1, 6, 5, 4}), reals({2, 3, 4, 3})},
             {{"data_layout", "NHWC"}, {"kernel_layout", "HWIO"}, {"padding", ints({1, 1})}, {"out_layout", "NCHW"}}});
        compare(
            {"nn.conv1d", {reals({2, 3, 20}), reals({4, 3, 5})}, {{"padding", ints({2, 3})}, {"strides", ints({2})}}});
        compare({"nn.conv3d", {reals({1, 2, 4, 5, 6}), reals({3, 2, 2, 3, 2})}, {{"padding", ints({1, 1, 1})}}});
        compare({"nn.conv2d",
                 {random_numbers(kInt8, {1, 3, 6, 6}, random_), random_numbers(kInt8, {4, 3, 3, 3}, random_)},
                 {{"out_dtype", kInt32}, {"padding", ints({1, 1})}}});
        compare({"nn.conv2d",
                 {random_numbers(kUInt8, {1, 3, 6, 6}, random_), random_numbers(kInt8, {4, 3, 3, 3}, random_)},
                 {{"out_dtype", kInt32}}});
    }

    void products() {
        compare({"nn.dense", {reals({3, 10}), reals({7, 10})}, {}});
        compare({"nn.dense",
                 {random_numbers(kInt8, {3, 10}, random_), random_numbers(kInt8, {7, 10}, random_)},
                 {{"out_dtype", kInt32}}});
        compare({"nn.matmul", {reals({10, 3}), reals({10, 4})}, {{"transpose_a", true}}});
        compare({"nn.batch_matmul", {reals({1, 3, 4}), reals({5, 2, 4})}, {{"transpose_b", true}}});
    }

    void vectorsAlongAnAxis() {
        compare({"nn.bias_add", {reals({2, 3, 4}), reals({3})}, {}});
        compare({"nn.bias_add",
                 {random_numbers(kInt32, {2, 3}, random_), random_numbers(kInt32, {3}, random_)},
                 {{"axis", -1}}});
        compare({"nn.prelu", {reals({2, 3, 4}), reals({3})}, {}});
    }

    void pools() {
        for (bool ceil_mode : {false, true})
            for (const char* layout : {"NCHW", "NHWC"}) {
                NamedAttributes window{{"pool_size", ints({3, 2})},
                                       {"strides", ints({2, 2})},
                                       {"padding", ints({1, 0, 1, 1})},
                                       {"ceil_mode", ceil_mode},
                                       {"layout", layout}};
                compare({"nn.max_pool2d", {reals({2, 7, 6, 3})}, window});
                compare({"nn.avg_pool2d", {reals({2, 7, 6, 3})}, window});
                window.push_back({"count_include_pad", true});
                compare({"nn.avg_pool2d", {reals({2, 7, 6, 3})}, window});
            }
        compare({"nn.max_pool1d", {random_numbers(kInt8, {1, 2, 9}, random_)}, {{"pool_size", ints({3})}}});
        compare({"nn.avg_pool3d", {reals({1, 2, 4, 4, 4})}, {{"pool_size", ints({2, 2, 2})}}});
        compare({"nn.global_avg_pool2d", {reals({2, 3, 4, 5})}, {}});
        compare({"nn.adaptive_max_pool2d", {reals({2, 3, 7, 5})}, {{"output_size", ints({3, 2})}}});
    }

    void normalisations() {
        for (int axis : {-1, 1}) {
            compare({"nn.softmax", {reals({2, 5, 3})}, {{"axis", axis}}});
            compare({"nn.log_softmax", {reals({2, 5, 3})}, {{"axis", axis}}});
        }
        Tensor variance = floats({3}, {0.5, 1, 2});
        compare({"nn.batch_norm", {reals({2, 3, 4}), reals({3}), reals({3}), reals({3}), variance}, {}});
        compare({"nn.batch_norm",
                 {reals({2, 3}), reals({3}), reals({3}), reals({3}), variance},
                 {{"scale", false}, {"center", false}}});
        compare({"nn.batch_norm", {reals({3, 2}), reals({3}), reals({3}), reals({3}), variance}, {{"axis", 0}}});
        compare({"nn.layer_norm", {reals({3, 2}), reals({3}), reals({3})}, {{"axis", 0}}});
    }

    void borders() {
        const Tensor image = reals({1, 2, 4, 5});
        const AttributeValue widths = AttributeValue::List{ints({0, 0}), ints({1, 0}), ints({2, 3}), ints({3, 2})};
        for (const char* mode : {"constant", "edge"})
            compare({"nn.pad", {image, floats({}, {0.5})}, {{"pad_width", widths}, {"pad_mode", mode}}});
        const AttributeValue within = AttributeValue::List{ints({0, 0}), ints({1, 1}), ints({2, 3}), ints({3, 4})};
        compare({"nn.pad", {image, floats({}, {0.5})}, {{"pad_width", within}, {"pad_mode", "reflect"}}});
        for (const char* mode : {"SYMMETRIC", "REFLECT"})
            compare({"nn.mirror_pad", {image}, {{"pad_width", within}, {"mode", mode}}});
    }

    void whatCHasNoNameForIsRefused() {
        Tensor half(kFloat16, {2, 3}), weight(kFloat16, {4, 3});
        QCOMPARE(message_of(run_op_in_c("nn.dense", {half, weight})),
                 std::string("nn.dense of these types can't be written in C"));
        Tensor blocked(kFloat32, {1, 1, 4, 4, 16}), kernel(kFloat32, {1, 1, 1, 1, 16, 16});
        QCOMPARE(message_of(run_op_in_c("nn.conv2d", {blocked, kernel},
                                        {{"data_layout", "NCHW16c"}, {"kernel_layout", "OIHW16i16o"}})),
                 std::string("nn.conv2d in a blocked layout can't be written in C"));
        for (DataType dtype : {kBool, kFloat16})
            QCOMPARE(QString::fromStdString(message_of(
                         run_op_in_c("nn.max_pool1d", {Tensor(dtype, {1, 2, 6})}, {{"pool_size", ints({2})}}))),
                     QString::fromStdString("nn.max_pool1d of " + dtype.to_string() + " can't be written in C"));
    }
};

PARTITA_TEST(TestNnC)

}  // namespace test_nn_c

#include "test_nn_c.moc"
