#include <QtTest>

#include "tests/engine/op_c_testing.h"
#include "tests/registry.h"

namespace test_ops_transform {

using namespace partita;
using namespace partita::testing;

namespace {

using Numbers = std::vector<double>;
using Shape = std::vector<int64_t>;

/// Returns 0, 1, 2, ... in a shape.
Tensor counted(Shape shape, DataType dtype = kFloat32) {
    Tensor tensor(dtype, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(i));
    return tensor;
}

/// The shapes and numbers of the results, "" and nothing if the op fails; the generated C must give the same.
struct Outcome {
    std::vector<Shape> shapes;
    std::vector<Numbers> values;
    bool operator==(const Outcome&) const = default;
};

Outcome outcome(const std::vector<Tensor>& tensors) {
    Outcome all;
    for (const Tensor& tensor : tensors) {
        all.shapes.push_back(tensor.shape());
        all.values.push_back(numbers(tensor));
    }
    return all;
}

Outcome run(const std::string& name, const std::vector<Argument>& arguments, const NamedAttributes& given = {}) {
    auto results = run_op(name, arguments, given);
    if (!results) {
        qWarning("%s: %s", name.c_str(), results.error().message.c_str());
        return {};
    }
    if (op_registry()[op_registry().find(name)].c_loops) {
        auto generated = run_op_in_c(name, arguments, given);
        if (!generated) qWarning("%s in C: %s", name.c_str(), generated.error().message.c_str());
        else if (outcome(*generated) != outcome(*results)) qWarning("%s in C computes something else", name.c_str());
        if (!generated || outcome(*generated) != outcome(*results)) return {};
    }
    return outcome(*results);
}

std::string failure(const std::string& name, const std::vector<Argument>& arguments,
                    const NamedAttributes& given = {}) {
    return message_of(run_op(name, arguments, given));
}

std::string type_of(const std::string& name, Shape shape, const NamedAttributes& given) {
    TypeTable types;
    TypeId data = types.tensor(kFloat32, shape);
    auto type = infer_op(types, name, {data}, given);
    return type ? types.to_string(*type) : type.error().message;
}

}  // namespace

class TestOpsTransform : public QObject {
    Q_OBJECT
private slots:
    void reshapeReadsTheSpecialNumbers() {
        auto shape = [](std::initializer_list<int> newshape) {
            return type_of("reshape", {2, 3, 4}, {{"newshape", list(newshape)}});
        };
        QCOMPARE(shape({4, 0, 2}), std::string("Tensor[(4, 3, 2), float32]"));
        QCOMPARE(shape({-1, 0}), std::string("Tensor[(8, 3), float32]"));
        QCOMPARE(
            shape({4, 3}),
            std::string("a tensor of shape (2, 3, 4) can't have the shape (4, 3): the numbers of elements differ"));
        QCOMPARE(shape({-2}), std::string("Tensor[(2, 3, 4), float32]"));
        QCOMPARE(shape({2, -2}), std::string("Tensor[(2, 3, 4), float32]"));
        QCOMPARE(shape({-2, 1, 1}), std::string("Tensor[(2, 3, 4, 1, 1), float32]"));
        QCOMPARE(shape({-3, 4}), std::string("Tensor[(6, 4), float32]"));
        QCOMPARE(shape({-4, 2, 1, -1}), std::string("Tensor[(2, 1, 12), float32]"));
        QCOMPARE(shape({-4, 1, 2, -1}), std::string("Tensor[(1, 2, 12), float32]"));
        QCOMPARE(shape({-3, -1}), std::string("Tensor[(6, 4), float32]"));
        QCOMPARE(shape({0, -3}), std::string("Tensor[(2, 12), float32]"));
        QCOMPARE(shape({-4, 1, 2, -2}), std::string("Tensor[(1, 2, 3, 4), float32]"));
        QCOMPARE(shape({2, -4, -1, 3, -2}), std::string("Tensor[(2, 1, 3, 4), float32]"));
        QCOMPARE(shape({-1}), std::string("Tensor[(24), float32]"));
        QCOMPARE(shape({-1, -1}), std::string("newshape can have only one -1"));
        QCOMPARE(shape({-4, 1}), std::string("newshape: -4 must be followed by two dimensions"));
        QCOMPARE(shape({-9}), std::string("newshape can't have the value -9"));
        QCOMPARE(shape({0, 0, 0, 0}),
                 std::string("newshape refers to more dimensions than the operand's shape (2, 3, 4) has"));
        QCOMPARE(type_of("contrib_reverse_reshape", {5, 3, 4}, {{"newshape", list({-1, 0})}}),
                 std::string("Tensor[(15, 4), float32]"));
        QCOMPARE(type_of("reshape", {kDynamicDim, 4}, {{"newshape", list({-1, 2})}}),
                 std::string("Tensor[(?, 2), float32]"));
    }

    void expandDimsAndSqueezeAddAndLeaveOutOnes() {
        QCOMPARE(type_of("expand_dims", {2, 3}, {{"axis", -1}, {"num_newaxis", 2}}),
                 std::string("Tensor[(2, 3, 1, 1), float32]"));
        QCOMPARE(type_of("expand_dims", {2, 3}, {{"axis", 4}}), std::string("the axis 4 is out of range for rank 3"));
        QCOMPARE(type_of("squeeze", {1, 3, 1}, {}), std::string("Tensor[(3), float32]"));
        QCOMPARE(type_of("squeeze", {1, 3, 1}, {{"axis", list({-1})}}), std::string("Tensor[(1, 3), float32]"));
        QCOMPARE(type_of("squeeze", {1, 3, 1}, {{"axis", list({1})}}),
                 std::string("dimension 1 of the shape (1, 3, 1) is not 1"));
        QCOMPARE(run("expand_dims", {counted({3})}, {{"axis", 0}}), (Outcome{{{1, 3}}, {{0, 1, 2}}}));
    }

    void transposeReordersDimensions() {
        QCOMPARE(run("transpose", {counted({2, 3})}, {{"axes", {}}}), (Outcome{{{3, 2}}, {{0, 3, 1, 4, 2, 5}}}));
        QCOMPARE(run("transpose", {counted({2, 2, 2})}, {{"axes", list({0, -1, 1})}}),
                 (Outcome{{{2, 2, 2}}, {{0, 2, 1, 3, 4, 6, 5, 7}}}));
        QCOMPARE(failure("transpose", {counted({2, 3})}, {{"axes", list({0, 0})}}),
                 std::string("the axis 0 is given twice"));
    }

    void transposeOfLargePlanesIsExact() {
        Tensor data = counted({3, 70, 45}, kInt32);
        auto result = run_op("transpose", {data}, {{"axes", list({2, 0, 1})}});
        QVERIFY(bool(result));
        for (int64_t a = 0; a < 3; ++a)
            for (int64_t b = 0; b < 70; ++b)
                for (int64_t c = 0; c < 45; ++c)
                    QCOMPARE((*result)[0].at((c * 3 + a) * 70 + b), data.at((a * 70 + b) * 45 + c));
    }

    void broadcastRepeatTileReverse() {
        QCOMPARE(run("broadcast_to", {counted({2, 1})}, {{"shape", list({2, 2, 3})}}),
                 (Outcome{{{2, 2, 3}}, {{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}}}));
        QCOMPARE(failure("broadcast_to", {counted({2})}, {{"shape", list({3})}}),
                 std::string("the shape (2) can't be broadcast to (3)"));
        QCOMPARE(run("repeat", {counted({2, 2})}, {{"repeats", 2}, {"axis", 1}}),
                 (Outcome{{{2, 4}}, {{0, 0, 1, 1, 2, 2, 3, 3}}}));
        QCOMPARE(run("tile", {counted({2})}, {{"reps", list({2, 2})}}),
                 (Outcome{{{2, 4}}, {{0, 1, 0, 1, 0, 1, 0, 1}}}));
        QCOMPARE(failure("tile", {counted({2})}, {{"reps", list({0})}}), std::string("reps must be 1 or more, not 0"));
        QCOMPARE(run("reverse", {counted({2, 3})}, {{"axis", 1}}), (Outcome{{{2, 3}}, {{2, 1, 0, 5, 4, 3}}}));
    }

    void meshgridSwapsForXy() {
        QCOMPARE(run("meshgrid", {std::vector<Tensor>{counted({2}), counted({3})}}, {{"indexing", "xy"}}),
                 (Outcome{{{3, 2}, {3, 2}}, {{0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2}}}));
    }

    void layoutTransformBlocksAndUnblocks() {
        auto blocked =
            run_op("layout_transform", {counted({1, 4, 1, 2})}, {{"src_layout", "NCHW"}, {"dst_layout", "NCHW2c"}});
        QVERIFY(bool(blocked));
        QCOMPARE((*blocked)[0].shape(), (Shape{1, 2, 1, 2, 2}));
        QCOMPARE(numbers((*blocked)[0]), (Numbers{0, 2, 1, 3, 4, 6, 5, 7}));
        QCOMPARE(run("layout_transform", {(*blocked)[0]}, {{"src_layout", "NCHW2c"}, {"dst_layout", "NCHW"}}),
                 (Outcome{{{1, 4, 1, 2}}, {{0, 1, 2, 3, 4, 5, 6, 7}}}));
        QCOMPARE(run("layout_transform", {(*blocked)[0]}, {{"src_layout", "NCHW2c"}, {"dst_layout", "NHWC4c"}}),
                 (Outcome{{{1, 1, 2, 1, 4}}, {{0, 2, 4, 6, 1, 3, 5, 7}}}));
        QCOMPARE(run("layout_transform", {counted({2, 2, 1, 1})}, {{"src_layout", "OIHW"}, {"dst_layout", "OIHW2i2o"}}),
                 (Outcome{{{1, 1, 1, 1, 2, 2}}, {{0, 2, 1, 3}}}));
        const Outcome first_blocks{{{2, 1, 2, 1, 2}}, {{0, 1, 4, 5, 2, 3, 6, 7}}};
        QCOMPARE(run("layout_transform", {counted({1, 4, 1, 2})}, {{"src_layout", "NCHW"}, {"dst_layout", "2cNCHW"}}),
                 first_blocks);
        // A padded block is filled with zeros.
        auto padded = run_op("layout_transform", {counted({1, 3})}, {{"src_layout", "NC"}, {"dst_layout", "NC4c"}});
        QCOMPARE(numbers((*padded)[0]), (Numbers{0, 1, 2, 0}));
        QVERIFY(!run_op("layout_transform", {counted({1, 3})}, {{"src_layout", "NC"}, {"dst_layout", "NH"}}));
    }

    void concatenateAndStackJoin() {
        std::vector<Tensor> pair{counted({2, 1}), counted({2, 2})};
        QCOMPARE(run("concatenate", {pair}, {{"axis", -1}}), (Outcome{{{2, 3}}, {{0, 0, 1, 1, 2, 3}}}));
        QCOMPARE(failure("concatenate", {pair}, {{"axis", 0}}),
                 std::string("the shapes (2, 1) and (2, 2) differ in dimension 1"));
        QCOMPARE(failure("concatenate", {pair}, {{"axis", 2}}), std::string("the axis 2 is out of range for rank 2"));
        std::vector<Tensor> same{counted({2}), counted({2})};
        QCOMPARE(run("stack", {same}, {{"axis", 1}}), (Outcome{{{2, 2}}, {{0, 0, 1, 1}}}));
        QCOMPARE(failure("concatenate", {std::vector<Tensor>{}}), std::string("expects at least one tensor"));
    }

    void splitCutsEquallyOrAtIndices() {
        QCOMPARE(run("split", {counted({4})}, {{"indices_or_sections", 2}}), (Outcome{{{2}, {2}}, {{0, 1}, {2, 3}}}));
        QCOMPARE(run("split", {counted({2, 3})}, {{"indices_or_sections", list({1})}, {"axis", 1}}),
                 (Outcome{{{2, 1}, {2, 2}}, {{0, 3}, {1, 2, 4, 5}}}));
        QCOMPARE(failure("split", {counted({4})}, {{"indices_or_sections", 0}}),
                 std::string("can't split into 0 sections"));
        QCOMPARE(failure("split", {counted({4})}, {{"indices_or_sections", 3}}),
                 std::string("dimension 0 of size 4 can't be split into 3 equal sections"));
        QVERIFY(failure("split", {counted({4})}, {{"indices_or_sections", list({2, 1})}}).find("ascending") !=
                std::string::npos);
        QVERIFY(failure("split", {counted({4})}, {{"indices_or_sections", list({9})}}).find("outside") !=
                std::string::npos);
        QVERIFY(failure("split", {counted({4})}, {{"indices_or_sections", "x"}}).find("list of integers") !=
                std::string::npos);
    }

    void stridedSliceFollowsBothModes() {
        auto slice = [](std::initializer_list<int> begin, std::initializer_list<int> end,
                        std::initializer_list<int> strides, const char* mode = "end", AttributeValue axes = {}) {
            return run("strided_slice", {counted({6})},
                       {{"begin", list(begin)},
                        {"end", list(end)},
                        {"strides", list(strides)},
                        {"slice_mode", mode},
                        {"axes", axes}});
        };
        QCOMPARE(slice({1}, {5}, {2}), (Outcome{{{2}}, {{1, 3}}}));
        QCOMPARE(slice({-2}, {100}, {1}), (Outcome{{{2}}, {{4, 5}}}));
        QCOMPARE(slice({4}, {0}, {-2}), (Outcome{{{2}}, {{4, 2}}}));
        QCOMPARE(slice({5}, {-7}, {-3}), (Outcome{{{2}}, {{5, 2}}}));
        QCOMPARE(slice({1}, {3}, {1}, "size"), (Outcome{{{3}}, {{1, 2, 3}}}));
        QCOMPARE(slice({4}, {-1}, {1}, "size"), (Outcome{{{2}}, {{4, 5}}}));
        QCOMPARE(slice({2}, {4}, {1}, "end", list({0})), (Outcome{{{2}}, {{2, 3}}}));
        QVERIFY(
            failure("strided_slice", {counted({6})}, {{"begin", list({0})}, {"end", list({1})}, {"strides", list({0})}})
                .find("strides must not be 0") != std::string::npos);
    }

    /// Of more elements than one thread copies.
    void longCopiesMoveEveryElement() {
        const int64_t rows = (1 << 17) + 1;
        for (int64_t columns : {1, 2, 3}) {
            auto results =
                run_op("strided_slice", {counted({rows, 3}, kInt32)},
                       {{"begin", list({1, 0})}, {"end", list({int(rows), int(columns)})}, {"strides", list({1, 1})}});
            QVERIFY(bool(results));
            const Tensor& result = (*results)[0];
            QCOMPARE(result.size(), (rows - 1) * columns);
            for (int64_t i = 0; i < result.size(); ++i)
                QCOMPARE(result.data<int32_t>()[i], int32_t((i / columns + 1) * 3 + i % columns));
        }
    }

    void sliceLikeTakesTheFirstPart() {
        QCOMPARE(run("slice_like", {counted({2, 3}), counted({1, 2})}, {{"axes", {}}}), (Outcome{{{1, 2}}, {{0, 1}}}));
        QCOMPARE(run("slice_like", {counted({2, 3}), counted({1, 2})}, {{"axes", list({1})}}),
                 (Outcome{{{2, 2}}, {{0, 1, 3, 4}}}));
        QVERIFY(failure("slice_like", {counted({2}), counted({3})}, {{"axes", {}}}).find("can't be cut") !=
                std::string::npos);
    }

    void makersFillTheirShape() {
        QCOMPARE(run("zeros", {}, {{"shape", list({2})}, {"dtype", kInt8}}), (Outcome{{{2}}, {{0, 0}}}));
        QCOMPARE(run("ones", {}, {{"shape", list({2})}, {"dtype", kFloat64}}), (Outcome{{{2}}, {{1, 1}}}));
        QVERIFY(failure("zeros", {}, {{"shape", list({-2})}}).find("-2") != std::string::npos);
        QCOMPARE(run("full", {floats({}, {2.5})}, {{"shape", list({2})}}), (Outcome{{{2}}, {{2.5, 2.5}}}));
        QCOMPARE(run("full_like", {counted({2}), floats({}, {7})}), (Outcome{{{2}}, {{7, 7}}}));
        QCOMPARE(run("one_hot", {int32s({2}, {2, 0}), floats({}, {5}), floats({}, {-1})},
                     {{"depth", 3}, {"dtype", kFloat32}}),
                 (Outcome{{{2, 3}}, {{-1, -1, 5, 5, -1, -1}}}));
        QCOMPARE(run("one_hot", {int32s({2}, {1, 0}), floats({}, {1}), floats({}, {0})},
                     {{"depth", 2}, {"axis", 0}, {"dtype", kFloat32}}),
                 (Outcome{{{2, 2}}, {{0, 1, 1, 0}}}));
        QCOMPARE(run("shape_of", {counted({2, 3})}, {{"dtype", kInt64}}), (Outcome{{{2}}, {{2, 3}}}));
        QCOMPARE(run("ndarray_size", {counted({2, 3})}), (Outcome{{{}}, {{6}}}));
        QCOMPARE(run("arange", {floats({}, {1}), floats({}, {6}), floats({}, {2})},
                     {{"start", 1}, {"stop", 6}, {"step", 2}, {"dtype", kFloat32}}),
                 (Outcome{{{3}}, {{1, 3, 5}}}));
        QCOMPARE(run("trilu", {counted({2, 2}), int32s({}, {0})}, {{"upper", false}}),
                 (Outcome{{{2, 2}}, {{0, 0, 2, 3}}}));
        QCOMPARE(run("sequence_mask", {counted({2, 2}), int32s({2}, {1, 2})}, {{"mask_value", -1.0}}),
                 (Outcome{{{2, 2}}, {{0, 1, -1, 3}}}));
        for (int length : {0, 1})
            QCOMPARE(run("sequence_mask", {floats({1, 1}, {5}), int32s({1}, {double(length)})}, {{"mask_value", -1.0}}),
                     (Outcome{{{1, 1}}, {{length == 0 ? -1.0 : 5.0}}}));
    }
};

PARTITA_TEST(TestOpsTransform)

}  // namespace test_ops_transform

#include "test_ops_transform.moc"
