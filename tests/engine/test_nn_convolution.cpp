#include <QtTest>

#include "engine/ops/convolution.h"
#include "engine/ops/layout.h"
#include "older_processors.h"
#include "op_call.h"
#include "tests/registry.h"

namespace test_nn_convolution {

using namespace partita;

namespace {

/// Reads an element by its indices in plain order, whatever the layout, in the simplest way.
struct PlainReader {
    const Tensor& tensor;
    Layout layout;
    std::string axes;
    std::vector<int64_t> sizes;
    std::vector<std::vector<int64_t>> offsets;

    PlainReader(const Tensor& source, const std::string& layout_text, std::string axis_letters)
        : tensor(source), layout(Layout::parse(layout_text).value()), axes(std::move(axis_letters)),
          sizes(layout.sizes_of(axes, tensor.shape()).value()), offsets(layout.offsets(axes, sizes, tensor.shape())) {}

    double at(const std::vector<int64_t>& index) const {
        int64_t offset = 0;
        for (size_t a = 0; a < index.size(); ++a) offset += offsets[a][size_t(index[a])];
        return tensor.at(offset);
    }
};

struct Case {
    size_t rank = 2;
    bool transposed = false;
    int64_t batch = 1, groups = 1, in_group = 1, out_group = 1;
    std::vector<int64_t> input, kernel, strides, dilation, before, after;
    std::string data_layout, kernel_layout, out_layout;
    DataType data_dtype = kFloat32, weight_dtype = kFloat32, out_dtype = kVoid;

    std::string op_name() const { return "nn.conv" + std::to_string(rank) + "d" + (transposed ? "_transpose" : ""); }
    std::string spatial() const { return std::string("DHW").substr(3 - rank); }
};

/// Advances to the next index of a box. Returns false after the last.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& extents) {
    for (size_t i = index.size(); i-- > 0;) {
        if (++index[i] < extents[i]) return true;
        index[i] = 0;
    }
    return false;
}

/// Compares with the definition of the convolution, element by element.
void check_by_definition(const Case& c, const Tensor& data, const Tensor& weight, const Tensor& result) {
    std::string spatial = c.spatial();
    PlainReader x(data, c.data_layout, "NC" + spatial);
    bool grouped = c.kernel_layout.find('G') != std::string::npos;
    std::string kernel_axes = (grouped ? "G" : "") + std::string(c.transposed && c.rank == 2 ? "IO" : "OI") + spatial;
    PlainReader w(weight, c.kernel_layout, kernel_axes);
    PlainReader y(result, c.out_layout.empty() ? c.data_layout : c.out_layout, "NC" + spatial);
    std::vector<int64_t> index(y.sizes.size(), 0);
    do {
        int64_t channel = index[1], group = channel / c.out_group, out = channel % c.out_group;
        double expected = 0;
        for (int64_t in = 0; in < c.in_group; ++in) {
            std::vector<int64_t> tap(c.rank, 0);
            do {
                std::vector<int64_t> at{index[0], group * c.in_group + in};
                bool inside = true;
                for (size_t i = 0; i < c.rank && inside; ++i) {
                    int64_t place = c.transposed ? index[i + 2] + c.before[i] - tap[i] * c.dilation[i]
                                                 : index[i + 2] * c.strides[i] - c.before[i] + tap[i] * c.dilation[i];
                    if (c.transposed) {
                        inside = place % c.strides[i] == 0;
                        place /= c.strides[i];
                    }
                    inside = inside && place >= 0 && place < c.input[i];
                    at.push_back(place);
                }
                if (!inside) continue;
                int64_t first = c.transposed ? in : out, second = c.transposed ? out : in;
                std::vector<int64_t> weight_index = grouped        ? std::vector<int64_t>{group, first, second}
                                                    : c.transposed ? std::vector<int64_t>{group * c.in_group + in, out}
                                                                   : std::vector<int64_t>{channel, in};
                weight_index.insert(weight_index.end(), tap.begin(), tap.end());
                expected += x.at(at) * w.at(weight_index);
            } while (advance(tap, c.kernel));
        }
        if (result.dtype() == kInt8) expected = double(int8_t(int64_t(expected)));
        double actual = y.at(index);
        double tolerance = result.dtype().bits == 16 && result.dtype().is_float() ? std::abs(expected) * 0.01 : 0;
        if (std::abs(actual - expected) > tolerance) {
            QFAIL(qPrintable(QString("%1 groups %2 layouts %3 %4: got %5, expected %6")
                                 .arg(QString::fromStdString(c.op_name()))
                                 .arg(c.groups)
                                 .arg(QString::fromStdString(c.data_layout), QString::fromStdString(c.kernel_layout))
                                 .arg(actual)
                                 .arg(expected)));
        }
    } while (advance(index, y.sizes));
}

void check(const Case& c, std::mt19937& random) {
    std::string spatial = c.spatial();
    std::vector<int64_t> data_sizes{c.batch, c.groups * c.in_group};
    data_sizes.insert(data_sizes.end(), c.input.begin(), c.input.end());
    bool grouped = c.kernel_layout.find('G') != std::string::npos;
    std::vector<int64_t> kernel_sizes;
    if (grouped) kernel_sizes.push_back(c.groups);
    if (c.transposed) {
        kernel_sizes.push_back(grouped ? c.in_group : c.in_group * c.groups);
        kernel_sizes.push_back(c.out_group);
    } else {
        kernel_sizes.push_back(grouped ? c.out_group : c.out_group * c.groups);
        kernel_sizes.push_back(c.in_group);
    }
    kernel_sizes.insert(kernel_sizes.end(), c.kernel.begin(), c.kernel.end());
    std::string kernel_axes = (grouped ? "G" : "") + std::string(c.transposed && c.rank == 2 ? "IO" : "OI") + spatial;
    Layout data_layout = Layout::parse(c.data_layout).value(), kernel_layout = Layout::parse(c.kernel_layout).value();
    Tensor data = random_tensor(c.data_dtype, data_layout.shape_of("NC" + spatial, data_sizes), random);
    Tensor weight = random_tensor(c.weight_dtype, kernel_layout.shape_of(kernel_axes, kernel_sizes), random);

    std::vector<int64_t> padding = c.before;
    padding.insert(padding.end(), c.after.begin(), c.after.end());
    OpCall call(c.op_name().c_str());
    call.set("strides", list_value(c.strides))
        .set("padding", list_value(padding))
        .set("dilation", list_value(c.dilation));
    call.set("groups", int(c.groups)).set("data_layout", c.data_layout).set("kernel_layout", c.kernel_layout);
    call.set("out_layout", c.out_layout).set("out_dtype", c.out_dtype);
    std::vector<Tensor> outputs = call.run({data, weight});
    QVERIFY2(!outputs.empty(), call.failure.c_str());
    check_by_definition(c, data, weight, outputs[0]);
}

Case random_case(std::mt19937& random, bool transposed) {
    auto upto = [&random](int64_t low, int64_t high) { return low + int64_t(random() % uint64_t(high - low + 1)); };
    Case c;
    c.rank = size_t(upto(1, 3));
    c.transposed = transposed;
    c.batch = upto(1, 2);
    c.groups = upto(1, 3);
    c.in_group = upto(1, 5);
    c.out_group = upto(1, 14);
    if (upto(0, 3) == 0) {
        c.in_group = 1;
        c.groups = upto(2, 20);
        c.out_group = upto(1, 2);
    }
    for (size_t i = 0; i < c.rank; ++i) {
        c.kernel.push_back(upto(1, 3));
        c.dilation.push_back(upto(1, 2));
        c.strides.push_back(upto(1, 3));
        c.input.push_back(upto(c.kernel.back() * 2, c.rank == 1 ? 70 : c.rank == 2 ? 20 : 7));
        c.before.push_back(upto(0, transposed ? 0 : 2));
        c.after.push_back(upto(0, transposed ? 0 : 2));
    }
    std::string spatial = c.spatial();
    bool channels_last = upto(0, 2) == 0;
    c.data_layout = channels_last ? "N" + spatial + "C" : "NC" + spatial;
    c.kernel_layout = (transposed && c.rank == 2 ? "IO" : "OI") + spatial;
    if (channels_last) c.kernel_layout = spatial + (transposed && c.rank == 2 ? "OI" : "IO");
    return c;
}

}  // namespace

class TestNnConvolution : public QObject {
    Q_OBJECT

private slots:
    void aBlockOfALayoutHasAtMostTheLargestIntegerOf32Bits() {
        QVERIFY(Layout::parse("NCHW2147483647c"));
        QVERIFY(!Layout::parse("NCHW2147483648c"));
    }

    void randomConvolutionsFollowTheDefinition() {
        std::mt19937 random(1);
        for (int i = 0; i < 150; ++i) check(random_case(random, false), random);
    }

    void randomTransposedConvolutionsFollowTheDefinition() {
        std::mt19937 random(2);
        for (int i = 0; i < 60; ++i) check(random_case(random, true), random);
    }

    void everyElementTypeIsExactOrRounded() {
        struct Types {
            DataType data, weight, out;
        };
        std::mt19937 random(3);
        for (Types types : {Types{kFloat64, kFloat64, kVoid},
                            {kFloat16, kFloat16, kVoid},
                            {kBFloat16, kBFloat16, kVoid},
                            {kFloat32, kFloat32, kBFloat16},
                            {kInt8, kInt8, kInt32},
                            {kUInt8, kInt8, kInt32},
                            {kInt16, kInt16, kInt32},
                            {kInt32, kInt32, kVoid},
                            {kInt64, kInt64, kVoid},
                            {kInt8, kInt8, kVoid}})
            for (int64_t groups : {1, 3}) {
                Case c;
                c.groups = groups;
                c.in_group = groups == 1 ? 7 : 1;
                c.out_group = groups == 1 ? 5 : 1;
                c.input = {9, 11};
                c.kernel = {3, 3};
                c.strides = {1, 1};
                c.dilation = {1, 1};
                c.before = c.after = {1, 1};
                c.data_layout = "NCHW";
                c.kernel_layout = "OIHW";
                c.data_dtype = types.data;
                c.weight_dtype = types.weight;
                c.out_dtype = types.out;
                check(c, random);
            }
    }

    void blockedLayoutsComputeTheSame() {
        std::mt19937 random(4);
        struct Layouts {
            const char *data, *kernel, *out;
            int64_t groups, in_group, out_group;
        };
        for (Layouts layouts : {Layouts{"NCHW16c", "OIHW16i16o", "NCHW16c", 1, 32, 16},
                                {"NCHW16c", "OIHW8i16o2i", "NCHW16c", 1, 16, 32},
                                {"NCHW", "OIHW16o", "NCHW8c", 1, 3, 16},
                                {"NHWC", "OHWI16o", "NHWC", 1, 5, 32},
                                {"NHWC", "GOIHW16g", "NHWC", 32, 1, 1},
                                {"NCHW", "GOIHW", "NCHW", 2, 3, 4}}) {
            Case c;
            c.groups = layouts.groups;
            c.in_group = layouts.in_group;
            c.out_group = layouts.out_group;
            c.input = {6, 7};
            c.kernel = {3, 3};
            c.strides = {2, 1};
            c.dilation = {1, 1};
            c.before = c.after = {1, 1};
            c.data_layout = layouts.data;
            c.kernel_layout = layouts.kernel;
            c.out_layout = layouts.out;
            check(c, random);
        }
    }

    void aDepthwiseWeightMayHaveTheMultiplierAsSecondAxis() {
        std::mt19937 random(5);
        Tensor data = random_tensor(kFloat32, {1, 4, 5, 5}, random);
        Tensor weight = random_tensor(kFloat32, {4, 2, 3, 3}, random);
        OpCall call("nn.conv2d");
        call.set("groups", 4).set("channels", 8).set("kernel_size", list_value({3, 3}));
        QCOMPARE(call.type({data, weight}), std::string("Tensor[(1, 8, 3, 3), float32]"));
        Tensor flat(kFloat32, {8, 1, 3, 3});
        std::memcpy(flat.bytes(), weight.bytes(), weight.byte_size());
        QCOMPARE(largest_difference(call.run({data, weight})[0], call.run({data, flat})[0]), 0.0);
    }

    void oneThreadAndManyComputeTheSame() {
        std::mt19937 random(6);
        Tensor data = random_tensor(kFloat32, {2, 16, 30, 30}, random);
        Tensor weight = random_tensor(kFloat32, {100, 16, 3, 3}, random);
        OpCall call("nn.conv2d");
        QCOMPARE(largest_difference(call.run({data, weight}, 1)[0], call.run({data, weight}, 5)[0]), 0.0);
    }

    void outputPaddingAddsElementsAtTheEnd() {
        std::mt19937 random(7);
        Tensor data = random_tensor(kFloat32, {1, 1, 2, 2}, random),
               weight = random_tensor(kFloat32, {1, 1, 2, 2}, random);
        OpCall call("nn.conv2d_transpose");
        call.set("strides", list_value({2, 2})).set("output_padding", list_value({1, 1})).set("kernel_layout", "IOHW");
        std::vector<Tensor> outputs = call.run({data, weight});
        QCOMPARE(outputs[0].shape(), (std::vector<int64_t>{1, 1, 5, 5}));
        QCOMPARE(outputs[0].at(0), data.at(0) * weight.at(0));
        QCOMPARE(outputs[0].at(24), 0.0);
    }

    void badAttributesAreErrors_data() {
        QTest::addColumn<QString>("attribute");
        QTest::addColumn<QVariantList>("values");
        QTest::addColumn<QString>("message");
        QTest::newRow("stride 0") << "strides" << QVariantList{0, 1} << "strides must be positive";
        QTest::newRow("negative dilation") << "dilation" << QVariantList{1, -1} << "dilation must be positive";
        QTest::newRow("three strides") << "strides" << QVariantList{1, 1, 1} << "strides must have 2 elements, not 3";
        QTest::newRow("three paddings") << "padding" << QVariantList{1, 1, 1}
                                        << "padding must have 1, 2 or 4 elements, not 3";
        QTest::newRow("negative padding") << "padding" << QVariantList{-1} << "padding must not be negative";
        QTest::newRow("huge dilation") << "dilation" << QVariantList{qlonglong(1) << 40, 1} << "dilation is too large";
        QTest::newRow("dilation beyond the data") << "dilation" << QVariantList{2147483647, 1}
                                                  << "a window of 4294967295 does not fit into the padded extent 8";
        QTest::newRow("kernel_size differs")
            << "kernel_size" << QVariantList{5, 5} << "kernel_size is (5, 5), but the weight's is (3, 3)";
    }
    void badAttributesAreErrors() {
        QFETCH(QString, attribute);
        QFETCH(QVariantList, values);
        QFETCH(QString, message);
        std::vector<int64_t> list;
        for (const QVariant& value : values) list.push_back(value.toLongLong());
        OpCall call("nn.conv2d");
        call.set(qPrintable(attribute), list_value(list));
        Tensor data(kFloat32, {1, 4, 8, 8}), weight(kFloat32, {4, 4, 3, 3});
        QCOMPARE(QString::fromStdString(call.type({data, weight})), "error: " + message);
    }

    void channelsThatDoNotFitAreErrors() {
        Tensor data(kFloat32, {1, 4, 8, 8}), weight(kFloat32, {4, 3, 3, 3});
        QCOMPARE(OpCall("nn.conv2d").type({data, weight}),
                 std::string("error: the weight takes 3 input channels in 1 group, but the data has 4"));
        QCOMPARE(OpCall("nn.conv2d").set("groups", 3).type({data, weight}),
                 std::string("error: the 4 input channels can't be divided into 3 groups"));
        QCOMPARE(OpCall("nn.conv2d").set("groups", 0).type({data, weight}),
                 std::string("error: groups must be positive, not 0"));
        QCOMPARE(OpCall("nn.conv2d").set("data_layout", "NCWX").type({data, weight}),
                 std::string("error: data_layout must be convertible to NCHW, \"NCWX\" is not"));
        QCOMPARE(OpCall("nn.conv2d").set("kernel_layout", "OIHW4").type({data, weight}),
                 std::string("error: the layout \"OIHW4\" is not valid"));
    }

    void anUnknownBatchStaysUnknown() {
        const OpRecord& op = op_registry()[op_registry().find("nn.conv2d")];
        AttributeList attributes = op.default_attributes();
        TypeTable types;
        TypeId arguments[] = {types.tensor(kFloat32, {kDynamicDim, 4, 8, 8}), types.tensor(kFloat32, {2, 4, 3, 3})};
        auto result = op.relation({types, arguments, {op, attributes}});
        QVERIFY(bool(result));
        QCOMPARE(types.to_string(*result), std::string("Tensor[(?, 2, 6, 6), float32]"));
    }

    void flopsCountTwoForEachMultiplication() {
        const OpRecord& op = op_registry()[op_registry().find("nn.conv2d")];
        AttributeList attributes = op.default_attributes();
        TypeTable types;
        TypeId arguments[] = {types.tensor(kFloat32, {2, 4, 8, 8}), types.tensor(kFloat32, {5, 4, 3, 3})};
        AttributesView view(op, attributes);
        TypeId result = op.relation({types, arguments, view}).value();
        double flops = op.flops(types, std::span<const TypeId>(arguments), result, view);
        QCOMPARE(flops, 2.0 * 2 * 5 * 4 * 9 * 36);
    }

    void flopsOfAProductCountItsDepth() {
        const OpRecord& op = op_registry()[op_registry().find("nn.matmul")];
        for (bool transposed : {false, true}) {
            AttributeList attributes = op.default_attributes();
            attributes[size_t(op.attribute_index("transpose_a"))] = transposed;
            TypeTable types;
            TypeId arguments[] = {
                types.tensor(kFloat32, transposed ? std::vector<int64_t>{7, 3} : std::vector<int64_t>{3, 7}),
                types.tensor(kFloat32, {7, 5})};
            AttributesView view(op, attributes);
            TypeId result = op.relation({types, arguments, view}).value();
            QCOMPARE(op.flops(types, std::span<const TypeId>(arguments), result, view), 2.0 * 3 * 5 * 7);
        }
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestNnConvolution)

}  // namespace test_nn_convolution

#include "test_nn_convolution.moc"
