// Random ONNX graphs give the same results in every way in Partita; and small cases of faults that such graphs found,
// with the results of ONNX Runtime. See tests/fuzz/onnx_against_runtime for the long run against ONNX Runtime itself.
//
// PARTITA_ONNX_GRAPHS sets the number of graphs (default 150), PARTITA_ONNX_SEED the seed.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "engine/frontends/onnx/converter.h"
#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/differential.h"
#include "tests/registry.h"

namespace test_onnx_graphs {

using namespace partita;
using namespace partita::fuzz;
namespace w = onnx_writer;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

struct Operand {
    Shape shape;
    std::vector<double> values;
    int type = kReal;
    bool known = false;               ///< an initializer
    std::vector<int64_t> exact = {};  ///< in place of values, of kLong
};

Tensor tensor_of(const Operand& operand) {
    Tensor tensor(onnx::data_type_of(operand.type), operand.shape);
    if (!operand.exact.empty()) std::copy(operand.exact.begin(), operand.exact.end(), tensor.data<int64_t>());
    for (size_t i = 0; i < operand.values.size(); ++i) tensor.set(int64_t(i), operand.values[i]);
    return tensor;
}

struct Case {
    std::string op;
    Attributes attributes = {};
    std::vector<Operand> operands;
    Shape shape = {};
    std::vector<double> expected = {};
    std::string refusal = {};  ///< a part of the message; then no results are expected
    int opset = 13, type = kReal;
};

GeneratedGraph graph_of(const Case& one) {
    GeneratedGraph graph;
    graph.opset = one.opset;
    graph.operators = {one.op};
    graph.outputs = {{"y", true}};
    std::vector<std::string> names, initializers, infos;
    for (size_t i = 0; i < one.operands.size(); ++i) {
        const Operand& operand = one.operands[i];
        names.push_back("x" + std::to_string(i));
        Tensor tensor = tensor_of(operand);
        if (operand.known) {
            std::string dims;
            for (int64_t dim : operand.shape) dims += w::number(1, dim);
            std::string_view raw(static_cast<const char*>(tensor.bytes()), tensor.byte_size());
            initializers.push_back(dims + w::number(2, operand.type) + w::bytes(8, names.back()) + w::bytes(9, raw));
        } else {
            infos.push_back(w::value_info(names.back(), operand.shape, operand.type));
            graph.inputs.push_back({names.back(), tensor});
        }
    }
    constexpr std::string_view kRuntime = "com.microsoft.";
    const bool of_runtime = one.op.starts_with(kRuntime);
    const std::string node =
        of_runtime ? w::node(one.op.substr(kRuntime.size()), names, {"y"}, one.attributes, "", "com.microsoft")
                   : w::node(one.op, names, {"y"}, one.attributes);
    w::GraphParts parts{{node}, initializers, infos, {w::bytes(1, "y")}};
    const std::string second_opset = w::bytes(8, w::bytes(1, "com.microsoft") + w::number(2, 1));
    graph.model = w::model(parts, one.opset, of_runtime ? second_opset : "");
    return graph;
}

const Attributes kBehind{attribute("kernel_shape", Shape{2}), attribute("strides", Shape{3}),
                         attribute("pads", Shape{1, 1}), attribute("ceil_mode", 1)};
const Operand kFive{{1, 1, 5}, {-5, -4, -2, -7, -9}};
const Operand kSpecial{{5}, {kNan, 2, -3, kInfinity, -kInfinity}};

Operand integers(std::vector<double> values, int type = kLong, bool known = false) {
    return {{int64_t(values.size())}, values, type, known};
}
Operand number(double value, bool known = true) { return {{}, {value}, kReal, known}; }

const std::pair<const char*, Case> kCases[] = {
    {"MaxPool has no window behind the data", {"MaxPool", kBehind, {kFive}, {1, 1, 2}, {-5, -2}}},
    {"AveragePool has no window behind the data", {"AveragePool", kBehind, {kFive}, {1, 1, 2}, {-5, -4.5}}},
    {"windows behind the data along one of two axes",
     {"MaxPool",
      {attribute("kernel_shape", Shape{2, 2}), attribute("strides", Shape{2, 3}), attribute("pads", Shape{0, 1, 0, 1}),
       attribute("ceil_mode", 1)},
      {{{1, 1, 3, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}}},
      {1, 1, 2, 2},
      {5, 8, 10, 13}}},
    {"LpPool sums windows that reach over the end",
     {"LpPool",
      {attribute("kernel_shape", Shape{3}), attribute("strides", Shape{2}), attribute("ceil_mode", 1),
       attribute("p", 1)},
      {{{1, 1, 6}, {1, 2, 3, 4, 5, 6}}},
      {1, 1, 3},
      {6, 12, 11},
      {},
      18}},
    // ONNX Runtime keeps NaN; TVM's relu, whose results random graphs are held against, does not.
    {"Relu makes 0 of NaN on all backends", {"Relu", {}, {kSpecial}, {5}, {0, 2, 0, kInfinity, 0}}},
    {"Softmax of NaN is NaN", {"Softmax", {}, {{{2, 2}, {kNan, 1, 0, 0}}}, {2, 2}, {kNan, kNan, 0.5, 0.5}}},
    {"MaxPool starts from the lowest number",
     {"MaxPool",
      {attribute("kernel_shape", Shape{2})},
      {{{1, 1, 2}, {-kInfinity, -kInfinity}}},
      {1, 1, 1},
      {-3.4028234663852886e38}}},
    {"Pow of integers with real exponents",
     {"Pow", {}, {{{3}, {9, 2, 3}, kInteger}, {{3}, {0.5, 0.5, 2}}}, {3}, {3, 1, 9}, {}, 13, kInteger}},
    {"Pow of long integers with a known real exponent",
     {"Pow", {}, {{{2}, {9, 4}, kLong}, number(0.5)}, {2}, {3, 2}, {}, 13, kLong}},
    {"Pow of integers with longer exponents",
     {"Pow", {}, {{{3}, {9, 2, 1}, kInteger}, {{3}, {2, 3, 4294967296}, kLong}}, {3}, {81, 8, 1}, {}, 13, kInteger}},
    {"Pow of real numbers with exponents that float does not hold",
     {"Pow", {}, {{{1}, {-1}}, {{1}, {16777217}, kInteger}}, {1}, {-1}}},
    {"Pow of integers that wraps",
     {"Pow",
      {},
      {{{3}, {3, -3, 2}, kInteger}, {{3}, {21, 3, -1}, kInteger}},
      {3},
      {1870418611, -27, 0},
      {},
      13,
      kInteger}},
    {"LRN of even size takes one channel more behind",
     {"LRN",
      {attribute("size", 2), attribute("alpha", 2.0), attribute("beta", 1.0), attribute("bias", 1.0)},
      {{{1, 3, 1, 1}, {1, 2, 3}}},
      {1, 3, 1, 1},
      {1.0 / 6, 2.0 / 14, 3.0 / 10}}},
    {"Clip keeps NaN", {"Clip", {}, {kSpecial, number(-1), number(1)}, {5}, {kNan, 1, -1, 1, -1}}},
    {"Clip keeps NaN with bounds that are inputs",
     {"Clip", {}, {kSpecial, number(-1, false), number(1, false)}, {5}, {kNan, 1, -1, 1, -1}}},
    {"Clip with crossed bounds gives the upper one",
     {"Clip", {}, {{{3}, {0, 5, -5}}, number(2), number(1)}, {3}, {1, 1, 1}}},
    {"Sign keeps NaN", {"Sign", {}, {kSpecial}, {5}, {kNan, 1, -1, 1, -1}}},
    {"HardSigmoid keeps NaN", {"HardSigmoid", {}, {{{3}, {kNan, 10, -10}}}, {3}, {kNan, 1, 0}}},
    {"PRelu keeps NaN", {"PRelu", {}, {kSpecial, {{1}, {0.5}}}, {5}, {kNan, 2, -1.5, kInfinity, -kInfinity}}},
    {"Max keeps NaN of both sides",
     {"Max", {}, {{{4}, {kNan, 1, kNan, 2}}, {{4}, {1, kNan, kNan, 3}}}, {4}, {kNan, kNan, kNan, 3}}},
    {"Min keeps NaN of both sides",
     {"Min", {}, {{{4}, {kNan, 1, kNan, 2}}, {{4}, {1, kNan, kNan, 3}}}, {4}, {kNan, kNan, kNan, 2}}},
    {"Max keeps NaN beside a number for all", {"Max", {}, {{{3}, {kNan, 1, 2}}, number(1.5)}, {3}, {kNan, 1.5, 2}}},
    {"Max keeps NaN behind a number for all", {"Max", {}, {number(1.5), {{3}, {kNan, 1, 2}}}, {3}, {kNan, 1.5, 2}}},
    {"Celu keeps NaN", {"Celu", {}, {{{3}, {kNan, 2, 0}}}, {3}, {kNan, 2, 0}}},
    {"ReduceMax keeps NaN wherever it stands",
     {"ReduceMax",
      {attribute("axes", Shape{1}), attribute("keepdims", 0)},
      {{{3, 3}, {kNan, 1, 2, 1, kNan, 2, 1, 2, kNan}}},
      {3},
      {kNan, kNan, kNan}}},
    {"ReduceMin keeps NaN wherever it stands",
     {"ReduceMin",
      {attribute("axes", Shape{0}), attribute("keepdims", 0)},
      {{{3, 3}, {kNan, 1, 2, 1, kNan, 2, 1, 2, kNan}}},
      {3},
      {kNan, kNan, kNan}}},
    {"Gather refuses an index behind the end",
     {"Gather", {}, {{{4, 1}, {1, 2, 3, 4}}, integers({99})}, {}, {}, "out of range"}},
    {"Gather refuses an index before the beginning",
     {"Gather", {}, {{{4, 1}, {1, 2, 3, 4}}, integers({-5})}, {}, {}, "out of range"}},
    {"Gather refuses a known index out of range",
     {"Gather", {}, {{{4, 1}, {1, 2, 3, 4}}, integers({-5}, kLong, true)}, {}, {}, "out of range"}},
    {"Gather counts from the end", {"Gather", {}, {{{4}, {1, 2, 3, 4}}, integers({-1, -4, 2})}, {3}, {4, 1, 3}}},
    {"GatherElements refuses an index before the beginning",
     {"GatherElements", {}, {{{4}, {1, 2, 3, 4}}, integers({-5})}, {}, {}, "out of range"}},
    {"GatherND refuses an index before the beginning",
     {"GatherND", {}, {{{4}, {1, 2, 3, 4}}, {{1, 1}, {-5}, kLong}}, {}, {}, "out of range"}},
    {"ScatterElements refuses an index before the beginning",
     {"ScatterElements", {}, {{{4}, {1, 2, 3, 4}}, integers({-5}), {{1}, {9}}}, {}, {}, "out of range"}},
    {"ScatterND counts from the end",
     {"ScatterND", {}, {{{4}, {1, 2, 3, 4}}, {{1, 1}, {-4}, kLong}, {{1}, {9}}}, {4}, {9, 2, 3, 4}}},
    {"ReverseSequence refuses a length over the axis",
     {"ReverseSequence", {}, {{{4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}}, integers({99, 1})}, {}, {}, "out of range"}},
    {"ReverseSequence refuses a negative length",
     {"ReverseSequence", {}, {{{4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}}, integers({1, -1})}, {}, {}, "out of range"}},
    {"ReverseSequence",
     {"ReverseSequence", {}, {{{4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}}, integers({3, 4})}, {4, 2}, {4, 7, 2, 5, 0, 3, 6, 1}}},
    {"Div of integers by zero is refused",
     {"Div", {}, {integers({1, 2, 3}), integers({1, 0, 2})}, {}, {}, "divided by zero"}},
    {"Mod of integers by zero is refused",
     {"Mod", {}, {integers({1, 2, 3}), integers({0})}, {}, {}, "divided by zero"}},
    {"Div of integers", {"Div", {}, {integers({7, -7, 6}), integers({2, 2, -3})}, {3}, {3, -3, -2}, {}, 13, kLong}},
    {"a Slice backwards that begins before the first element",
     {"Slice",
      {},
      {{{4}, {1, 2, 3, 4}},
       integers({-5}, kLong, true),
       integers({-6}, kLong, true),
       integers({0}, kLong, true),
       integers({-1}, kLong, true)},
      {1},
      {1}}},
    {"ReduceL2 of integers whose squares overflow",
     {"ReduceL2",
      {attribute("keepdims", 0)},
      {{{3}, {100000, 100000, 50000}, kInteger}},
      {},
      {150000},
      {},
      13,
      kInteger}},
    {"NonZero of the scalar 0", {"NonZero", {}, {{{}, {0}, kReal, true}}, {0, 0}, {}, {}, 13, kLong}},
    {"Resize rounds the length as a float",
     {"Resize",
      {attribute("mode", "nearest")},
      {{{5}, {1, 2, 3, 4, 5}}, {{0}, {}, kReal, true}, {{1}, {2.6}, kReal, true}},
      {13},
      {1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5}}},
    {"LpNormalization of zeros",
     {"LpNormalization", {attribute("axis", 0), attribute("p", 1)}, {{{3}, {0, 0, 0}}}, {3}, {0, 0, 0}}},
    {"Tile by 0 leaves nothing",
     {"Tile", {}, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, integers({1, 0}, kLong, true)}, {2, 0}, {}}},
    {"CDist refuses rows of one number beside rows of several",
     {"com.microsoft.CDist", {}, {{{2, 1}, {1, 2}}, {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {}, {}, "as many columns"}},
    {"CDist refuses what is no matrix",
     {"com.microsoft.CDist", {}, {{{2, 2}, {1, 2, 3, 4}}, {{2}, {1, 2}}}, {}, {}, "must be matrices"}},
    {"Softplus of a recurrent layer does not overflow",
     {"RNN",
      {attribute("hidden_size", 1), attribute("activations", std::vector<std::string>{"Softplus"})},
      {{{1, 1, 1}, {200}}, {{1, 1, 1}, {1}, kReal, true}, {{1, 1, 1}, {1}, kReal, true}},
      {1, 1, 1, 1},
      {200}}},
    {"a quantized LSTM takes its scales from sequences that run, each turned round within its length",
     {"com.microsoft.DynamicQuantizeLSTM",
      {attribute("hidden_size", 1), attribute("direction", "bidirectional")},
      {{{3, 2, 1}, {0.5, -1, 0.25, 2, 1.5, -0.75}},
       {{2, 1, 4}, {42, 16, -37, 34, 51, -15, 24, 41}, kSignedByte, true},
       {{2, 1, 4}, {-42, 18, 44, 23, 20, 36, -8, -30}, kSignedByte, true},
       {{2, 8}, std::vector<double>(16), kReal, true},
       {{2}, {1, 3}, kInteger, true},
       {{2, 2, 1}, {0.9, 0.2, 0.18, 1.9}, kReal, true},
       {{2, 2, 1}, {0.9, 0.2, 0.18, 1.9}, kReal, true},
       {{2, 3}, std::vector<double>(6), kReal, true},
       {{2}, {0.125, 0.125}, kReal, true},
       {{2}, {0, 0}, kSignedByte, true},
       {{2}, {0.1, 0.1}, kReal, true},
       {{2}, {0, 0}, kSignedByte, true}},
      {3, 2, 2, 1},
      {0.70613968, 0.03164574, 0.34064177, 0.03025183, 0, 0.74861032, 0, 0.00676753, 0, 0.35033709, 0, -0.22264375}}},
    {"Resize-10 picks the next element where an axis shrinks",
     {"Resize",
      {attribute("mode", "nearest")},
      {{{1, 1, 5}, {1, 2, 3, 4, 5}}, {{3}, {1, 1, 0.6}, kReal, true}},
      {1, 1, 3},
      {1, 3, 5},
      {},
      10}},
    {"Resize aligns corners though a scale is rounded",
     {"Resize",
      {attribute("mode", "nearest"), attribute("coordinate_transformation_mode", "align_corners"),
       attribute("nearest_mode", "round_prefer_ceil")},
      {{{7}, {0, 1, 2, 3, 4, 5, 6}}, {{0}, {}, kReal, true}, {{1}, {0.71428573}, kReal, true}},
      {5},
      {0, 2, 3, 5, 6}}},
    {"ScatterElements keeps NaN in the largest",
     {"ScatterElements",
      {attribute("reduction", "max")},
      {{{4}, {1, 2, kNan, 4}}, integers({0, 1, 2}), {{3}, {kNan, 3, 1}}},
      {4},
      {kNan, 3, kNan, 4},
      {},
      18}},
    {"ScatterElements keeps NaN in the smallest",
     {"ScatterElements",
      {attribute("reduction", "min")},
      {{{4}, {1, 2, kNan, 4}}, integers({0, 1, 2}), {{3}, {kNan, 1, 1}}},
      {4},
      {kNan, 1, kNan, 4},
      {},
      18}},
    {"ScatterND keeps NaN in the largest",
     {"ScatterND",
      {attribute("reduction", "max")},
      {{{4}, {1, 2, kNan, 4}}, {{3, 1}, {0, 1, 2}, kLong}, {{3}, {kNan, 3, 1}}},
      {4},
      {kNan, 3, kNan, 4},
      {},
      18}},
    {"RoiAlign in half pixels, of regions below a pixel and turned round, known at the run only",
     {"RoiAlign",
      {attribute("output_height", 1), attribute("output_width", 1), attribute("sampling_ratio", 2)},
      {{{1, 1, 3, 3}, {1, 2, 4, 8, -1, 3, 5, 9, 6}},
       {{3, 4}, {0.25, 0.5, 2, 1.75, 1, 1, 1.25, 1.5, 2, 2, 1, 1}},
       integers({0, 0, 0}, kLong, true)},
      {3, 1, 1, 1},
      {2.359375, 2.1875, 1.75},
      {},
      16}},
    {"RoiAlign takes the largest of weighted elements",
     {"RoiAlign",
      {attribute("mode", "max"), attribute("output_height", 1), attribute("output_width", 2),
       attribute("sampling_ratio", 2)},
      {{{1, 1, 3, 3}, {1, 2, 4, 8, -1, 3, 5, 9, 6}}, {{1, 4}, {0.25, 0.5, 2, 1.75}}, integers({0}, kLong, true)},
      {1, 1, 1, 2},
      {3.568359375, 2.583984375}}},
    {"a mixture of experts weighs two of three",
     {"com.microsoft.MoE",
      {attribute("k", 2), attribute("activation_type", "silu"), attribute("swiglu_fusion", 0),
       attribute("activation_alpha", 1.702), attribute("activation_beta", 1.0), attribute("swiglu_limit", 7.0)},
      {{{2, 2}, {1, -2, 0.5, 3}},
       {{2, 3}, {0.5, -1, 2, 1, 0.25, -0.5}},
       {{3, 2, 2}, {1, -1, 0.5, 2, -1, 1, 0.25, 0.5, 2, -2, 1, 1}, kReal, true},
       {{3, 2}, {0.5, -0.5, 0.25, 1, -1, 0}, kReal, true},
       {{3, 2, 2}, {1, 2, -1, 0.5, 3, 1, -2, 1, 0.5, 0.5, 1, -1}, kReal, true}},
      {2, 2},
      {2.41551852, 3.51113725, 9.4628191, 1.072595}}},
    {"a mixture of quantized experts always weighs to 1",
     {"com.microsoft.QMoE",
      {attribute("k", 2), attribute("activation_type", "swiglu"), attribute("swiglu_fusion", 1),
       attribute("activation_alpha", 1.5), attribute("activation_beta", 1.0), attribute("swiglu_limit", 2.0),
       attribute("expert_weight_bits", 8)},
      {{{2, 2}, {1, -2, 0.5, 3}},
       {{2, 3}, {0.5, -1, 2, 1, 0.25, -0.5}},
       {{3, 4, 2},
        {123, 130, 126, 133, 129, 125, 132, 128, 124, 131, 127, 123,
         130, 126, 133, 129, 125, 132, 128, 124, 131, 127, 123, 130},
        kByte,
        true},
       {{3, 4}, {0.5, 0.25, 0.5, 1, 0.5, 0.25, 1, 0.5, 0.5, 0.25, 0.5, 1}, kReal, true},
       {{3, 4}, std::vector<double>(12), kReal, true},
       {{3, 2, 2}, {124, 129, 125, 130, 126, 131, 127, 132, 128, 124, 129, 125}, kByte, true},
       {{3, 2}, {0.5, 0.25, 0.5, 1, 0.5, 0.25}, kReal, true}},
      {2, 2},
      {3.63460231, 1.68792093, -6.04981756, -1.90042043}}},
    {"a mixture of more experts than there are is refused",
     {"com.microsoft.MoE",
      {attribute("k", 3)},
      {{{1, 1}, {1}},
       {{1, 2}, {1, 2}},
       {{2, 1, 1}, {1, 1}, kReal, true},
       {{2, 1}, {0, 0}, kReal, true},
       {{2, 1, 1}, {1, 1}, kReal, true}},
      {},
      {},
      "k is 3, but there are 2 experts"}},
    {"an activation without defaults needs its numbers",
     {"RNN",
      {attribute("hidden_size", 1), attribute("activations", std::vector<std::string>{"ScaledTanh"})},
      {{{1, 1, 1}, {1}}, {{1, 1, 1}, {1}, kReal, true}, {{1, 1, 1}, {1}, kReal, true}},
      {},
      {},
      "needs its activation_alpha"}},
    {"DynamicQuantizeLinear of zeros",
     {"DynamicQuantizeLinear", {}, {{{3}, {0, 0, 0}}}, {3}, {0, 0, 0}, {}, 13, kByte}},
    {"DynamicQuantizeMatMul of zeros",
     {"com.microsoft.DynamicQuantizeMatMul",
      {},
      {{{1, 2}, {0, 0}}, {{2, 2}, {1, 2, 3, 4}, kByte, true}, number(0.5)},
      {1, 2},
      {0, 0}}},
    {"GridSample reflects along an axis of one element",
     {"GridSample",
      {attribute("mode", "nearest"), attribute("padding_mode", "reflection"), attribute("align_corners", 1)},
      {{{1, 1, 1, 3}, {1, 5, 2}}, {{1, 1, 3, 2}, {-1, 0.5, 1, 0, 2, -1}}},
      {1, 1, 1, 3},
      {1, 2, 5},
      {},
      16}},
    {"a mode that is not known is refused",
     {"GridSample",
      {attribute("mode", "quintic")},
      {{{1, 1, 2, 2}, {1, 2, 3, 4}}, {{1, 1, 1, 2}, {0, 0}}},
      {},
      {},
      "'quintic'",
      16}},
};

constexpr const char* kResultsFile = PARTITA_SOURCE_DIR "/tests/golden/onnx-results.txt";
constexpr int kShownElements = 4;

bool is_near(double a, double b, double scale) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-3 * std::max(scale, 1e-3);
}

double scale_of(const Tensor& tensor) {
    double scale = 0;
    for (int64_t i = 0; i < tensor.size(); ++i)
        if (const double size = std::fabs(tensor.at(i)); std::isfinite(size)) scale = std::max(scale, size);
    return scale;
}

/// A mean that each element moves: each counts with a weight of its own between 1 and 2.
double weighted_mean(const Tensor& tensor) {
    double sum = 0;
    for (int64_t i = 0; i < tensor.size(); ++i)
        if (std::isfinite(tensor.at(i))) sum += tensor.at(i) * (1 + double((i * 2654435761) % 1000) / 1000);
    return sum / double(tensor.size());
}

/// Some elements and a mean of all, and those that a small change of the inputs moves as "~".
std::string shown(const Tensor& tensor, const Tensor* shaken) {
    std::ostringstream text;
    text << tensor.dtype().to_string() << "(" << shape_to_string(tensor.shape()) << ")" << std::setprecision(5);
    const double scale = scale_of(tensor);
    const bool comparable = shaken && shaken->shape() == tensor.shape();
    const auto show = [&](double value, double when_shaken, double near) {
        if (is_near(value, when_shaken, near)) text << " " << value;
        else text << " ~";
    };
    for (int k = 0; k < kShownElements && k < tensor.size(); ++k) {
        const int64_t i = k * (tensor.size() - 1) / std::max(1, kShownElements - 1);
        show(tensor.at(i), comparable ? shaken->at(i) : kNan, scale);
    }
    if (tensor.size() <= kShownElements) return text.str();
    const double mean = weighted_mean(tensor);
    show(mean, comparable ? weighted_mean(*shaken) : kNan, std::fabs(mean));
    return text.str();
}

/// Returns a line for each output of a graph on `default`, or why there is none.
std::vector<std::string> results_of(const GeneratedGraph& graph, const std::string& cache) {
    ImportedGraph imported(graph, cache);
    if (!imported.refusal().empty()) return {imported.refusal().substr(0, imported.refusal().find('\n'))};
    const std::optional<Answer> answer = imported.run({});
    if (!answer || !answer->refusal.empty()) return {answer ? "refused as it runs" : "no answer"};
    const Answer shaken = imported.run_shaken(1);
    std::vector<std::string> lines;
    for (size_t k = 0; k < answer->outputs.size(); ++k)
        lines.push_back(shown(answer->outputs[k], k < shaken.outputs.size() ? &shaken.outputs[k] : nullptr));
    return lines;
}

/// Whether two lines say the same; numbers may differ by what rounding makes of them.
bool agree(const QString& a, const QString& b) {
    const QStringList left = a.split(' '), right = b.split(' ');
    if (left.size() != right.size()) return false;
    double scale = 0;
    for (const QString& word : right)
        if (bool number = false; std::isfinite(word.toDouble(&number)) && number)
            scale = std::max(scale, std::fabs(word.toDouble()));
    for (qsizetype i = 0; i < left.size(); ++i) {
        bool first = false, second = false;
        const double x = left[i].toDouble(&first), y = right[i].toDouble(&second);
        if (first && second ? !is_near(x, y, scale) : left[i] != right[i] && left[i] != "~" && right[i] != "~")
            return false;
    }
    return true;
}

}  // namespace

class TestOnnxGraphs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        // C that is compiled once and run once need not be fast.
        if (!qEnvironmentVariableIsSet("PARTITA_CFLAGS"))
            qputenv("PARTITA_CFLAGS", "-O0 -fno-math-errno -fno-trapping-math -fopenmp");
    }

    void everyOperatorOfTheImporterHasARecipe() {
        std::vector<std::string> known = onnx::convertible_operators();
        std::sort(known.begin(), known.end());
        QCOMPARE(operators_with_recipes(), known);
    }

    /// tests/golden/onnx-results.txt has what graphs of one operator gave when ONNX Runtime gave the same.
    void resultsAreThoseOfTheGoldenFile() {
        QStringList now;
        for (const std::string& op : operators_with_recipes())
            for (uint64_t number = 0; number < kGraphsOfAnOperator; ++number) {
                const GeneratedGraph graph = make_graph_of(op, number);
                now << QStringLiteral("%1@%2 #%3").arg(QString::fromStdString(op)).arg(graph.opset).arg(number);
                for (const std::string& line : results_of(graph, cache_.path().toStdString()))
                    now << "  " + QString::fromStdString(line);
            }
        QFile file(kResultsFile);
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write((now.join('\n') + '\n').toUtf8());
            return;
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList known = QString::fromUtf8(file.readAll()).trimmed().split('\n');
        QCOMPARE(now.size(), known.size());
        QString graph;
        int wrong = 0;
        for (qsizetype i = 0; i < now.size(); ++i) {
            if (!now[i].startsWith(' ')) graph = now[i];
            if (agree(now[i], known[i])) continue;
            ++wrong;
            qWarning("%s:%s\ninstead of%s", qPrintable(graph), qPrintable(now[i]), qPrintable(known[i]));
        }
        QCOMPARE(wrong, 0);
    }

    /// The first element of a window is zero but for rounding, and its reciprocal is read: no input moves it.
    void noiseBetweenNodesShowsWhatRoundingMoves() {
        const GeneratedGraph graph = make_graph(50000, 162);
        ImportedGraph imported(graph, cache_.path().toStdString());
        const double size = std::fabs(imported.run({})->outputs[1].at(0));
        QVERIFY(std::fabs(std::fabs(imported.run_shaken(1).outputs[1].at(0)) - size) < 1e-3 * size);
        QVERIFY(std::fabs(imported.run_noisy(1).outputs[1].at(0)) < 1e-3 * size);
    }

    /// E(x^2) - E(x)^2, as ONNX has it, loses digits that GroupNormalization's kernel keeps.
    void noiseIsThatOfADefinitionOfONNX() {
        const GeneratedGraph graph = make_graph(50052, 197, 1);
        ImportedGraph imported(graph, cache_.path().toStdString());
        const double own = imported.run({})->outputs[0].at(6);
        QVERIFY(std::fabs(imported.run_shaken(1).outputs[0].at(6) - own) < 1e-3);
        const double noisy = imported.run_noisy(1).outputs[0].at(6);
        QVERIFY(std::fabs(noisy - own) > 1e-3 && std::fabs(noisy - own) < 0.1);
    }

    void whatWasFoundOnceStaysMended_data() {
        QTest::addColumn<int>("number");
        for (size_t i = 0; i < std::size(kCases); ++i) QTest::newRow(kCases[i].first) << int(i);
    }
    void whatWasFoundOnceStaysMended() {
        QFETCH(int, number);
        const Case& one = kCases[number].second;
        const GeneratedGraph graph = graph_of(one);
        ImportedGraph imported(graph, cache_.path().toStdString());
        if (!imported.refusal().empty()) {
            QVERIFY2(!one.refusal.empty() && imported.refusal().find(one.refusal) != std::string::npos,
                     imported.refusal().c_str());
            return;
        }
        Answer expected;
        expected.outputs = {tensor_of({one.shape, one.expected, one.type})};
        for (const Way& way : all_ways()) {
            std::optional<Answer> answer = imported.run(way);
            if (!answer) continue;
            if (!one.refusal.empty()) {
                QVERIFY2(answer->refusal.find(one.refusal) != std::string::npos,
                         (way.name() + ": " + answer->refusal).c_str());
                continue;
            }
            const std::string off = difference(graph, *answer, expected);
            QVERIFY2(off.empty(), (way.name() + ": " + off).c_str());
        }
    }

    /// double holds those up to 2^53 only.
    void integersOf64BitsAreExact() {
        constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kOver = (int64_t(1) << 53) + 1;
        const auto longs = [](std::vector<int64_t> values, bool known = false, bool scalar = false) {
            const Shape shape = scalar ? Shape{} : Shape{int64_t(values.size())};
            return Operand{shape, {}, kLong, known, std::move(values)};
        };
        const auto number = [&](int64_t value) { return longs({value}, true, true); };
        Tensor value(kInt64, {1});
        *value.data<int64_t>() = kMost;
        const std::string_view raw(static_cast<const char*>(value.bytes()), value.byte_size());
        const std::string most = w::bytes(1, "value") +
                                 w::bytes(5, w::number(1, 1) + w::number(2, kLong) + w::bytes(9, raw)) +
                                 w::number(20, 4);
        const std::pair<Case, std::vector<int64_t>> cases[] = {
            {{"ConstantOfShape", {most}, {longs({2}, true)}}, {kMost, kMost}},
            {{"Range", {}, {number(kOver - 1), number(kOver + 2), number(1)}}, {kOver - 1, kOver, kOver + 1}},
            {{"Range", {}, {number(kMost - 2), number(kMost), number(1)}}, {kMost - 2, kMost - 1}},
            {{"Range", {}, {number(kOver), number(kOver - 3), number(-2)}}, {kOver, kOver - 2}},
            {{"Unique", {}, {longs({kOver, kOver - 1, kOver}, true)}}, {kOver - 1, kOver}},
            {{"Pow", {}, {longs({3, 7, kOver}), longs({39, 22, 1})}},
             {4052555153018976267, 3909821048582988049, kOver}},
            {{"Pow", {}, {longs({3, 7}, true), longs({39, 22}, true)}}, {4052555153018976267, 3909821048582988049}},
            {{"Max", {}, {longs({kOver - 1, kMost}), longs({kOver, kMost - 1})}}, {kOver, kMost}},
            {{"ReduceSum", {attribute("keepdims", 0)}, {longs({kOver, 1})}}, {kOver + 1}},
            {{"CumSum", {}, {longs({kOver - 1, 1, 1}), number(0)}}, {kOver - 1, kOver, kOver + 1}},
        };
        for (const auto& [one, exact] : cases) {
            const GeneratedGraph graph = graph_of(one);
            ImportedGraph imported(graph, cache_.path().toStdString());
            QVERIFY2(imported.refusal().empty(), (one.op + ": " + imported.refusal()).c_str());
            const Shape shape = one.op == "ReduceSum" ? Shape{} : Shape{int64_t(exact.size())};
            Answer expected;
            expected.outputs = {tensor_of({shape, {}, kLong, false, exact})};
            for (const Way& way : all_ways()) {
                const std::optional<Answer> answer = imported.run(way);
                const std::string off = answer ? difference(graph, *answer, expected) : "";
                QVERIFY2(off.empty(), (one.op + ", " + way.name() + ": " + off).c_str());
            }
        }
    }

    void cubicIsTheNewNameOfBicubic() {
        std::vector<Tensor> results;
        for (const char* mode : {"bicubic", "cubic", "linear"}) {
            Case one{"GridSample",
                     {attribute("mode", mode)},
                     {{{1, 1, 3, 3}, {1, 5, 2, 8, 3, 9, 4, 7, 6}}, {{1, 1, 2, 2}, {0.2, -0.3, 0.5, 0.1}}}};
            one.opset = 16;
            const GeneratedGraph graph = graph_of(one);
            ImportedGraph imported(graph, cache_.path().toStdString());
            QVERIFY2(imported.refusal().empty(), imported.refusal().c_str());
            results.push_back(imported.run({})->outputs.at(0));
        }
        QVERIFY(results[0].identical(results[1]));
        QVERIFY(!results[1].identical(results[2]));
    }

    void randomGraphsGiveTheSameInEveryWay() {
        const QByteArray graphs = qgetenv("PARTITA_ONNX_GRAPHS"), seed = qgetenv("PARTITA_ONNX_SEED");
        const uint64_t count = graphs.isEmpty() ? 150 : graphs.toULongLong(),
                       first = seed.isEmpty() ? 7 : seed.toULongLong();
        uint64_t runs = 0, compared = 0;
        for (uint64_t number = 0; number < count; ++number) {
            const GeneratedGraph graph = make_graph(first, number);
            ImportedGraph imported(graph, cache_.path().toStdString());
            if (!imported.refusal().empty()) continue;
            const Verdict verdict = agreement(graph, imported);
            runs += uint64_t(verdict.runs);
            ++compared;
            QVERIFY2(verdict.outcome != Outcome::Differs, (std::to_string(number) + ": " + verdict.text).c_str());
        }
        qInfo("%llu of %llu graphs in %llu runs", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(runs));
        QVERIFY(compared > count / 2);
    }

private:
    QTemporaryDir cache_;
};

PARTITA_TEST(TestOnnxGraphs)

}  // namespace test_onnx_graphs

#include "test_onnx_graphs.moc"
