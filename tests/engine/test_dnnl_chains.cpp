// Lowering of a convolution or dense layer and the ops that follow it by the backend dnnl: few primitives, the same
// values.
#include <QtTest>

#include <set>

#include "engine/backends/dnnl/integer_chain.h"
#include "engine/backends/dnnl/layout_text.h"
#include "engine/backends/dnnl/winograd.h"
#include "engine/ops/vector_units.h"
#include "engine/session/region_code.h"
#include "engine/session/session.h"
#include "tests/engine/older_processors.h"
#include "tests/engine/random_layers.h"
#include "tests/registry.h"

namespace test_dnnl_chains {

using namespace partita;

namespace {

/// A module, and the same divided.
struct Divided {
    ModulePtr module, partitioned;
};

Divided divide(const std::string& text, const std::string& backend) {
    Result<OpenedModule> opened = open_text(text, "test");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    FlowOptions options;
    options.backends.push_back(std::move(*load_backend(backend)));
    options.simplify = backend == "dnnl";  // its patterns require constants
    options.fold = !options.simplify;
    Result<FlowResult> flow = run_flow(opened->module, options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return {std::move(opened->module), std::move(flow->partitioned)};
}

/// Runs a module on dnnl and on `default`. The report of the former has the differences.
RunReport must_run(const std::string& text, const std::string& backend = "dnnl_all") {
    const Divided divided = divide(text, backend);
    RunOptions run;
    run.warmup = 0;
    run.repeat = 1;
    run.codegen[backend] = "dnnl";
    for (auto [kind, channels] : {std::pair("(32)", 32), std::pair("(10)", 10)}) {
        if (text.find(std::string("%z_bias: Tensor[") + kind) == std::string::npos) continue;
        Tensor zeros(kInt32, {channels});
        for (int i = 0; i < channels; ++i) zeros.set(i, i % 7 - 3);
        run.inputs.emplace("z_bias", zeros);
    }
    Result<RunComparison> compared = run_and_compare(divided.partitioned, divided.module, run);
    if (!compared) qFatal("%s", compared.error().to_string().c_str());
    return std::move(compared->report);
}

/// Lists the steps of a module's only region.
std::string steps_of(const std::string& text, const std::string& backend = "dnnl_all") {
    const Divided divided = divide(text, backend);
    const std::string region = "tvmgen_default_" + backend + "_main_0";
    const Result<RegionCode> code = region_code(*divided.partitioned, region, {{backend, "dnnl"}});
    if (!code) qFatal("%s", code.error().to_string().c_str());
    return code->text;
}

std::string float_chain(const std::string& ops) {
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 16, 14, 14), float32], %w_weight: Tensor[(32, 16, 3, 3), float32],
    %b_bias: Tensor[(32, 1, 1), float32]) {
  %0 = nn.conv2d(%data, %w_weight, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3]);
)" + ops + "}\n";
}

std::string integer_chain(const std::string& ops) {
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 16, 14, 14), int8], %w_weight: Tensor[(32, 16, 3, 3), int8],
    %b_bias: Tensor[(32, 1, 1), int32]) {
  %0 = nn.conv2d(%data, %w_weight, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3], out_dtype="int32");
)" + ops + "}\n";
}

/// Returns a quantized convolution with zero points of the data and of the weight.
std::string quantized(const std::string& type, int zero, const std::string& weight_zero, const std::string& ops,
                      const std::string& weight_type = "int8") {
    std::string zeros = std::to_string(zero) + ", " + weight_zero + ", 0.02f, 0.05f";
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 16, 14, 14), )" +
           type + R"(], %w_weight: Tensor[(32, 16, 3, 3), )" + weight_type +
           R"(], %b_bias: Tensor[(32, 1, 1), int32], %z_bias: Tensor[(32), int32]) {
  %0 = qnn.conv2d(%data, %w_weight, )" +
           zeros + R"(, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3], out_dtype="int32");
)" + ops + "}\n";
}
std::string quantized_dense(int zero, const std::string& weight_zero, const std::string& weight_type = "int8") {
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[(4, 48), uint8], %w_weight: Tensor[(10, 48), )" +
           weight_type + R"(], %z_bias: Tensor[(10), int32]) {
  qnn.dense(%data, %w_weight, )" +
           std::to_string(zero) + ", " + weight_zero + R"(, 0.02f, 0.05f, units=10, out_dtype="int32")
})";
}

/// Returns a match of TVM's pattern of a quantized layer, as its description of dnnl has it: `product` of 8-bit data
/// and of varying weights, converted back to 8 bits in float32 with a residual sum.
std::string quantized_layer(const std::string& data, const std::string& weights, const std::string& result,
                            const std::string& product) {
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[)" +
           data + R"(, uint8], %other: Tensor[)" + result + R"(, uint8]) {
  %0 = arange(0f, 4608f, 1f, start=0f, stop=4608f, step=1f, dtype="float32");
  %1 = floor_mod(multiply(%0, 37f), 11f);
  %2 = cast(subtract(%1, 5f), dtype="int8");
  %3 = reshape(%2, newshape=)" +
           weights + ");\n  %4 = " + product + R"(;
  %5 = cast(%4, dtype="float32");
  %6 = add(%5, 117f);
  %7 = multiply(%6, 0.37f);
  %8 = clip(%7, a_min=-60f, a_max=60f);
  %9 = multiply(%8, 0.71f);
  %10 = cast(%other, dtype="float32");
  %11 = multiply(0.33f, %10);
  %12 = add(%9, %11);
  %13 = add(%12, 83.5f);
  cast(%13, dtype="uint8")
})";
}

/// Returns a dense layer of 24 rows with constant weights, whose result has three dimensions in what follows.
std::string dense_chain(const std::string& ops, int rows = 24) {
    const std::string count = std::to_string(rows), three = "(2, " + std::to_string(rows / 2) + ", 72)";
    return R"(#[version = "0.0.5"]
def @main(%data: Tensor[()" +
           count + ", 50), float32], %other: Tensor[" + three + R"(, float32], %b: Tensor[(72), float32]) {
  %0 = arange(0f, 3600f, 1f, start=0f, stop=3600f, step=1f, dtype="float32");
  %1 = reshape(multiply(subtract(floor_mod(multiply(%0, 37f), 11f), 5f), 0.05f), newshape=[72, 50]);
  %2 = nn.dense(%data, %1, units=72);
  %3 = reshape(%2, newshape=[2, )" +
           std::to_string(rows / 2) + ", 72]);\n" + ops + "}\n";
}

/// Returns whether these instructions are there, and used. Without them oneDNN would add products of bytes in 16 bits,
/// so integers run on default.
bool has_vector_neural_instructions() {
    for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"})  // as on an older processor
        if (qEnvironmentVariableIsSet(name)) return false;
    QFile processors(QStringLiteral("/proc/cpuinfo"));
    return processors.open(QIODevice::ReadOnly) && processors.readAll().contains("vnni");
}

/// Weights of 32 channels that are known when the module is compiled, in a variable: (k * 37 mod 101 - 50) / 64 for the
/// k-th, which is the same in float32 and float64.
std::string made_weights(const std::string& variable, int in_channels) {
    const std::string in = std::to_string(in_channels), count = std::to_string(32 * 9 * in_channels);
    return "  let " + variable + " = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[" + count +
           "], dtype=\"float32\"), axis=0), 101f), 50f), 0.015625f), newshape=[32, " + in + ", 3, 3]);\n";
}

/// Returns a 3x3 convolution of one plane.
ConvolutionGeometry plane_convolution(int64_t in_channels, int64_t out_channels, int64_t extent) {
    ConvolutionGeometry geometry;
    geometry.in_channels = in_channels;
    geometry.out_channels = out_channels;
    geometry.input = geometry.output = {1, extent, extent};
    geometry.window.size = {1, 3, 3};
    geometry.window.pad_before = geometry.window.pad_after = {0, 1, 1};
    return geometry;
}

}  // namespace

class TestDnnlChains : public QObject {
    Q_OBJECT

private slots:
    /// float32 holds no more: each channel counts, the first too.
    void sumsOfIntegersThatFloatDoesNotHoldAreRefused() {
        const int64_t limit = onednn::kExactInFloat;
        for (size_t channel : {0, 1, 2}) {
            std::vector<int64_t> sums{5, 5, 5}, values{1, 1, 1};
            sums[channel] = limit - 2;
            onednn::IntegerChainBuilder chain(sums);
            QVERIFY(chain.add(values));
            QVERIFY(!chain.add(values));
            values[channel] = limit;
            QVERIFY(!onednn::IntegerChainBuilder({5, 5, 5}).add(values));
        }
    }

    /// Of those without a usual name.
    void layoutsThatDifferInTheirBlocksAloneHaveDifferentNames() {
        using tag = dnnl::memory::format_tag;
        const auto name = [](tag layout) {
            return onednn::layout_text({{32, 32, 3, 3}, dnnl::memory::data_type::f32, layout});
        };
        QCOMPARE(name(tag::ABcd16b16a), std::string("strides 4608 2304 768 256 16b 16a"));
        QCOMPARE(name(tag::ABcd16a16b), std::string("strides 4608 2304 768 256 16a 16b"));
    }

    void winogradIsUsedWhereItPays_data() {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("extent");
        QTest::addColumn<QString>("avx512");
        QTest::addColumn<QString>("avx2");
        const auto row = [](int in, int out, int extent, const char* avx512, const char* avx2) {
            QTest::addRow("%d to %d channels of %d", in, out, extent) << in << out << extent << avx512 << avx2;
        };
        row(64, 64, 56, "421", "421");
        row(96, 208, 13, "241", "421");
        row(512, 512, 28, "421", "421");
        row(512, 512, 7, "21", "241");
        row(48, 24, 28, "41", "421");  // half a block of sixteen is filled up
        row(48, 20, 28, "41", "421");
        row(3, 64, 56, "1", "1");  // the image's own channels
        row(60, 64, 56, "421", "421");
        row(64, 60, 56, "421", "421");
        row(16, 16, 3, "1", "1");
    }
    void winogradIsUsedWhereItPays() {
        QFETCH(int, in);
        QFETCH(int, out);
        QFETCH(int, extent);
        QFETCH(QString, avx512);
        QFETCH(QString, avx2);
        QString tiles;
        for (onednn::WinogradTile tile : onednn::convolution_methods(plane_convolution(in, out, extent)))
            tiles += QString::number(tile);
        switch (vector_unit()) {
            case VectorUnit::Avx512: QCOMPARE(tiles, avx512); break;
            case VectorUnit::Avx2: QCOMPARE(tiles, avx2); break;
            case VectorUnit::Baseline: QCOMPARE(tiles, QString("1"));
        }
    }

    void winogradTakes3x3OfOnePlaneOnly() {
        const ConvolutionGeometry fits = plane_convolution(64, 64, 56);
        auto direct = [&](auto change) {
            ConvolutionGeometry geometry = fits;
            change(geometry);
            return onednn::convolution_methods(geometry) == std::vector<onednn::WinogradTile>{1};
        };
        QCOMPARE(direct([](ConvolutionGeometry&) {}), vector_unit() == VectorUnit::Baseline);
        QVERIFY(direct([](ConvolutionGeometry& g) { g.rank = 3; }));
        QVERIFY(direct([](ConvolutionGeometry& g) { g.groups = 2; }));
        QVERIFY(direct([](ConvolutionGeometry& g) { g.transposed = true; }));
        QVERIFY(direct([](ConvolutionGeometry& g) { g.input[0] = 2; }));
        QVERIFY(direct([](ConvolutionGeometry& g) { g.window.size[0] = 3; }));
        for (size_t axis : {1, 2}) {
            QVERIFY(direct([&](ConvolutionGeometry& g) { g.window.size[axis] = 5; }));
            QVERIFY(direct([&](ConvolutionGeometry& g) { g.window.stride[axis] = 2; }));
            QVERIFY(direct([&](ConvolutionGeometry& g) { g.window.dilation[axis] = 2; }));
        }
    }

    void aChainIsOnePrimitiveAndTheSame_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("primitives");
        auto row = [](const char* name, const std::string& text, int primitives) {
            QTest::newRow(name) << QString::fromStdString(text) << primitives;
        };
        row("bias, relu", float_chain("  %1 = add(%0, %b_bias);\n  nn.relu(%1)\n"), 1);
        row("scale, bias, sigmoid",
            float_chain("  %1 = multiply(%0, %b_bias);\n  %2 = add(%1, %b_bias);\n  sigmoid(%2)\n"), 1);
        row("factor, clip", float_chain("  %1 = multiply(%0, 0.5f);\n  clip(%1, a_min=0f, a_max=6f)\n"), 1);
        row("two linear functions", float_chain("  %1 = multiply(%0, 0.5f);\n  %2 = add(%1, 3f);\n  nn.relu(%2)\n"), 1);
        // In one primitive, oneDNN 2.6 would give two linear functions the same constants.
        row("two linear functions that are not neighbours",
            float_chain("  %1 = multiply(%0, 0.5f);\n  %2 = nn.relu(%1);\n  %3 = multiply(%2, 2f);\n  add(%3, 3f)\n"),
            2);
        row("two clips", float_chain("  %1 = clip(%0, a_min=-1f, a_max=4f);\n  clip(%1, a_min=0f, a_max=1f)\n"), 2);
        row("swish", float_chain("  %1 = add(%0, %b_bias);\n  %2 = sigmoid(%1);\n  multiply(%1, %2)\n"), 1);
        row("hard swish",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = multiply(%1, 0.16666667f);\n  %3 = add(%2, 0.5f);\n"
                        "  %4 = clip(%3, a_min=0f, a_max=1f);\n  multiply(%1, %4)\n"),
            1);
        row("hard swish of minimum and maximum",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = minimum(1f, add(multiply(%1, 0.16666667f), 0.5f));\n"
                        "  multiply(%1, maximum(0f, %2))\n"),
            1);
        row("hard swish of a clip to 6",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = clip(add(%1, 3f), a_min=0f, a_max=6f);\n"
                        "  multiply(%1, divide(%2, 6f))\n"),
            1);
        row("not quite hard swish",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = clip(add(%1, 3f), a_min=0f, a_max=5f);\n"
                        "  multiply(%1, divide(%2, 6f))\n"),
            2);
        row("gelu",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = divide(%1, 1.41421f);\n  %3 = erf(%2);\n  %4 = add(%3, 1f);\n"
                        "  %5 = multiply(%1, %4);\n  multiply(%5, 0.5f)\n"),
            1);
        row("not quite swish",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = sigmoid(%1);\n  %3 = multiply(%0, %2);\n  add(%3, %1)\n"), 5);
        row("not quite swish, turned round",
            float_chain("  %1 = add(%0, %b_bias);\n  %2 = sigmoid(%1);\n  %3 = multiply(%2, %0);\n  add(%3, %1)\n"), 5);
        row("swish, turned round", float_chain("  %1 = add(%0, %b_bias);\n  multiply(sigmoid(%1), %1)\n"), 1);
        row("rows in three dimensions: bias, gelu",
            dense_chain("  %4 = add(%3, %b);\n  %5 = multiply(%4, 0.70710678f);\n  %6 = erf(%5);\n  %7 = add(%6, 1f);\n"
                        "  %8 = multiply(%4, %7);\n  multiply(%8, 0.5f)\n"),
            1);
        row("rows in three dimensions: bias, residual",
            dense_chain("  %4 = add(%b, %3);\n  %5 = add(%4, %other);\n  nn.relu(%5)\n"), 1);
        row("rows in three dimensions: swish", dense_chain("  multiply(%3, sigmoid(%3))\n"), 1);
        row("rows in three dimensions: hyperbolic tangent", dense_chain("  tanh(add(%3, %b))\n"), 1);
        row("rows in three dimensions: few", dense_chain("  %4 = add(%3, %b);\n  add(%4, %other)\n", 2), 1);
        row("rows in three dimensions, used before",
            dense_chain("  %4 = add(%3, %b);\n  multiply(%4, add(%3, %other))\n"), 4);
        row("integers: bias, relu", integer_chain("  %1 = add(%0, %b_bias);\n  nn.relu(%1)\n"), 1);
        row("integers: shift by nothing", integer_chain("  right_shift(%0, 0)\n"), 2);
        for (const char* bits : {"1", "7", "13"}) {
            std::string half = std::to_string(1 << (std::stoi(bits) - 1));
            std::string shifted = "  %1 = add(%0, %b_bias);\n  %2 = nn.relu(%1);\n  %3 = add(%2, " + half +
                                  ");\n  %4 = right_shift(%3, " + bits + ");\n";
            row(("integers: rounding shift by " + std::string(bits)).c_str(),
                integer_chain(shifted + "  clip(%4, a_min=-127f, a_max=127f)\n"), 1);
            row(("integers: to int8 by " + std::string(bits)).c_str(),
                integer_chain(shifted + "  %5 = clip(%4, a_min=-127f, a_max=127f);\n  cast(%5, dtype=\"int8\")\n"), 1);
        }
        row("integers: shift of negative sums", integer_chain("  right_shift(%0, 5)\n"), 1);
        // A second shift, and one by more than float32's digits, are beside the primitive.
        row("integers: two shifts",
            integer_chain("  %1 = right_shift(%0, 3);\n  %2 = add(%1, %b_bias);\n  right_shift(%2, 2)\n"), 3);
        row("integers: shift by 25", integer_chain("  right_shift(%0, 25)\n"), 2);
        // Without a clip the conversion wraps, unlike in oneDNN.
        row("integers: conversion that wraps",
            integer_chain("  %1 = right_shift(%0, 3);\n  cast(%1, dtype=\"int8\")\n"), 2);
        row("integers: negative again before a conversion",
            integer_chain("  %1 = nn.relu(%0);\n  %2 = add(%1, -40);\n  %3 = clip(%2, a_min=-50f, a_max=90f);\n"
                          "  cast(%3, dtype=\"uint8\")\n"),
            2);
        row("quantized", quantized("uint8", 0, "0", "  add(%0, %b_bias)\n"), 1);
        row("quantized, padded with the zero point",
            quantized("uint8", 117, "0", "  %1 = add(%0, %b_bias);\n  nn.relu(%1)\n"), 1);
        row("quantized, a negative zero point", quantized("int8", -5, "0", "  nn.relu(%0)\n"), 1);
        row("quantized, the weight's zero point", quantized("int8", 3, "2", "  nn.relu(%0)\n"), 1);
        row("quantized, a zero point of each channel", quantized("uint8", 117, "%z_bias", "  nn.relu(%0)\n"), 1);
        row("quantized, unsigned weights", quantized("uint8", 117, "100", "  nn.relu(%0)\n", "uint8"), 1);
        std::string turned = quantized("uint8", 117, "2", "  nn.relu(%0)\n");
        turned.replace(turned.find("(32, 16, 3, 3)"), 14, "(3, 3, 16, 32)");
        turned.replace(turned.find("kernel_size="), 12, "kernel_layout=\"HWIO\", kernel_size=");
        row("quantized, weights in another layout", turned, 1);
        row("quantized, weights beyond 8 bits: on default", quantized("uint8", 3, "-126", "  nn.relu(%0)\n"), 2);
        row("quantized dense", quantized_dense(0, "0"), 1);
        row("quantized dense, zero points", quantized_dense(9, "-3"), 1);
        row("quantized dense, zero points of each channel", quantized_dense(200, "%z_bias"), 1);
        row("quantized dense, unsigned weights", quantized_dense(9, "100", "uint8"), 1);
        row("quantized dense, weights beyond 8 bits: on default", quantized_dense(9, "-126"), 1);
    }
    void aChainIsOnePrimitiveAndTheSame() {
        QFETCH(QString, text);
        QFETCH(int, primitives);
        RunReport report = must_run(text.toStdString());
        const QString tag = QTest::currentDataTag();
        const bool quantized = tag.startsWith("quantized");
        const bool only_values = (quantized || tag.startsWith("integers")) && !has_vector_neural_instructions();
        if (only_values) qInfo("this processor has no vector neural instructions: only the values are compared");
        int timed = 0;
        for (const RegionTiming& region : report.regions) {
            QCOMPARE(region.executed_by, std::string("dnnl"));
            if (quantized && !only_values)
                QCOMPARE(region.notice.find("on default") != std::string::npos, tag.endsWith("on default"));
            timed += int(region.ops.size());
        }
        if (!only_values) QCOMPARE(timed, primitives);
        // Layouts are told of each call, those within a primitive, too, but not of what makes weights beforehand.
        const ModulePtr module = divide(text.toStdString(), "dnnl_all").module;
        int calls = tag.startsWith("rows in three dimensions") ? -6 : 0;
        for (uint32_t i = 0; i < module->size(); ++i) calls += module->called_op(ExprId(i)).valid();
        if (!only_values) QCOMPARE(int(report.layouts.steps.size()), calls);
        for (const OutputDifference& difference : report.differences)
            QVERIFY2(difference.within_tolerance, qPrintable(QString("off by %1").arg(difference.max_abs_error)));
    }

    /// PARTITA_DNNL_NETWORKS sets how many of each number of channels. The faults of oneDNN that
    /// engine/backends/dnnl/library_faults.h names are found by a few.
    void networksOfAnyChannelsComputeTheSame() {
        const int given = qEnvironmentVariableIntValue("PARTITA_DNNL_NETWORKS"), each = given ? given : 3;
        for (int channels = 1; channels <= 70; ++channels)
            for (int n = 0; n < each; ++n) {
                const uint64_t seed = uint64_t(channels) * 100000 + uint64_t(n);
                const std::string text = testing::RandomLayers(seed, channels).text();
                const RunReport report = must_run(text, n % 2 ? "dnnl" : "dnnl_all");
                for (const OutputDifference& difference : report.differences)
                    QVERIFY2(difference.within_tolerance,
                             qPrintable(QString("off by %1:\n").arg(difference.max_abs_error) +
                                        QString::fromStdString(text)));
            }
    }

    void filledUpChannelsOfANormalizationAreZero() {
        for (const char* between : {"nn.relu(%0)", "%0"}) {
            const RunReport report = must_run(
                std::string("#[version = \"0.0.5\"]\ndef @main(%data: Tensor[(1, 3, 9, 9), float32], "
                            "%w_weight: Tensor[(24, 3, 3, 3), float32], %v_weight: Tensor[(24, 24, 3, 3), float32], "
                            "%s_scale: Tensor[(24, 1, 1), float32], %b_bias: Tensor[(24, 1, 1), float32]) {\n"
                            "  %0 = nn.conv2d(%data, %w_weight, channels=24, kernel_size=[3, 3]);\n  %1 = ") +
                between +
                ";\n  %2 = nn.max_pool2d(%1, pool_size=[2, 2]);\n  %3 = add(multiply(%2, %s_scale), %b_bias);\n"
                "  nn.conv2d(%3, %v_weight, channels=24, kernel_size=[3, 3])\n}\n");
            QVERIFY(report.differences[0].within_tolerance);
        }
    }

    void aSumWhoseRowsSeePaddingAloneIsRight() {
        const RunReport report = must_run(R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 16, 8, 8), float32], %w_weight: Tensor[(16, 16, 1, 3), float32],
    %other: Tensor[(1, 16, 10, 8), float32]) {
  %0 = nn.conv2d(%data, %w_weight, padding=[1, 1], channels=16, kernel_size=[1, 3]);
  nn.relu(add(%0, %other))
})");
        QVERIFY(report.differences[0].within_tolerance);
    }

    /// In such graphs a sum gets one operand in blocks of its last axis, the channels.
    void sumsWithBlocksOfTheLastAxisAreRight_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("operation");
        for (int rows : {7, 8, 16})
            for (const char* operation : {"add", "multiply", "subtract", "maximum"})
                QTest::addRow("%s of %d rows", operation, rows) << rows << operation;
    }
    void sumsWithBlocksOfTheLastAxisAreRight() {
        QFETCH(int, rows);
        QFETCH(QString, operation);
        const RunReport report =
            must_run(QString("#[version = \"0.0.5\"]\n"
                             "def @main(%x: Tensor[(1, %1, 8, 16), float32], %w: Tensor[(32, 1, 1, 16), float32]) {\n"
                             "  %0 = nn.relu(%x);\n"
                             "  %1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0], channels=32, kernel_size=[1, 1], "
                             "data_layout=\"NHWC\", kernel_layout=\"OHWI\");\n"
                             "  %2 = nn.pad(%0, 0f, pad_width=[[0, 0], [0, 0], [0, 0], [0, 16]]);\n"
                             "  %3 = @operation(%1, %2);\n"
                             "  nn.relu(%3)\n}\n")
                         .replace("(1, %1, 8", QString("(1, %1, 8").arg(rows))
                         .replace("@operation", operation)
                         .toStdString());
        QVERIFY(report.differences[0].within_tolerance);
    }

    void notANumberIsAsOnDefault_data() {
        QTest::addColumn<QString>("ops");
        QTest::newRow("relu") << "nn.relu(%0)";
        QTest::newRow("clip") << "clip(%0, a_min=-0.5f, a_max=0.5f)";
        QTest::newRow("clip of a product") << "clip(multiply(%0, %b_bias), a_min=-0.5f, a_max=0.5f)";
        QTest::newRow("softmax") << "nn.softmax(%0, axis=1)";
        QTest::newRow("pools") << "nn.max_pool2d(nn.avg_pool2d(%0, pool_size=[3, 3]), pool_size=[2, 2])";
        QTest::newRow("sum") << "nn.relu(add(%0, %0))";
        QTest::newRow("normalization of channels") << "nn.lrn(nn.relu(add(%0, %b_bias)), size=3)";
    }
    void notANumberIsAsOnDefault() {
        QFETCH(QString, ops);
        const Divided divided = divide(float_chain(ops.toStdString()), "dnnl_all");
        for (const double value : {double(NAN), double(INFINITY), -double(INFINITY)})
            for (const int threads : {1, 2}) {
                RunOptions run;
                run.warmup = 0;
                run.repeat = 1;
                run.threads = threads;
                run.codegen["dnnl_all"] = "dnnl";
                Tensor data(kFloat32, {1, 16, 14, 14});
                for (int64_t i = 0; i < data.size(); ++i) data.set(i, i % 211 == 7 ? value : double(i % 13 - 6) / 4);
                run.inputs.emplace("data", data);
                const Result<RunComparison> compared = run_and_compare(divided.partitioned, divided.module, run);
                QVERIFY(compared);
                QVERIFY(compared->report.differences[0].within_tolerance);
            }
    }

    /// oneDNN converts the sums through float32, which represents whole numbers up to 2^24.
    void sumsBeyondFloatsWholeNumbersAreExact_data() {
        QTest::addColumn<int>("zero");
        for (int zero : {-128, -100, 0, 100, 127}) QTest::addRow("zero point %d", zero) << zero;
    }
    void sumsBeyondFloatsWholeNumbersAreExact() {
        QFETCH(int, zero);
        const std::string text = R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 128, 3, 3), int8]) {
  %0 = full_like(%data, -128);
  %1 = full(127, shape=[8, 128, 3, 3], dtype="int8");
  %2 = qnn.conv2d(%0, %1, )" + std::to_string(zero) +
                                 R"(, 0, 0.02f, 0.05f, channels=8, kernel_size=[3, 3], out_dtype="int32");
  add(%2, 1)
}
)";
        RunReport report = must_run(text, "dnnl_all");
        for (const OutputDifference& difference : report.differences) QCOMPARE(difference.max_abs_error, 0.0);
    }

    void poolsAreOneDnnsWhereItCountsAlike_data() {
        QTest::addColumn<QString>("pool");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("on_default");
        auto row = [](const char* pool, const char* type, bool on_default) {
            QTest::addRow("%s of %s", pool, type) << pool << type << on_default;
        };
        row("max_pool2d(%x, pool_size=[2, 2], strides=[2, 2])", "(1, 16, 8, 8), float32", false);
        row("max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1], ceil_mode=True)",
            "(1, 16, 8, 8), float32", false);
        row("avg_pool2d(%x, pool_size=[2, 2], strides=[2, 2])", "(1, 16, 8, 8), float32", false);
        row("avg_pool2d(%x, pool_size=[2, 2], strides=[2, 2], count_include_pad=True)", "(1, 16, 8, 8), float32",
            false);
        row("avg_pool2d(%x, pool_size=[3, 3], padding=[1, 1, 1, 1], count_include_pad=True)", "(1, 16, 8, 8), float32",
            false);
        // A last window beyond the padding has fewer elements to count.
        row("avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], ceil_mode=True, count_include_pad=True)",
            "(1, 16, 8, 8), float32", true);
        row("avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], ceil_mode=True)", "(1, 16, 8, 8), float32", false);
        row("avg_pool1d(%x, pool_size=[2], strides=[2], count_include_pad=True)", "(1, 16, 8), float32", false);
        row("max_pool3d(%x, pool_size=[2, 2, 2])", "(1, 16, 4, 4, 4), float32", false);
        row("avg_pool2d(%x, pool_size=[3, 3], padding=[1, 1, 1, 1])", "(1, 16, 8, 8), uint8", true);
        row("max_pool2d(%x, pool_size=[2, 2])", "(1, 16, 8, 8), int8", true);
    }
    void poolsAreOneDnnsWhereItCountsAlike() {
        QFETCH(QString, pool);
        QFETCH(QString, type);
        QFETCH(bool, on_default);
        RunReport report = must_run("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[" + type.toStdString() +
                                    "]) {\n  nn." + pool.toStdString() + "\n}\n");
        QCOMPARE(report.regions.size(), size_t(1));
        const RegionTiming& region = report.regions[0];
        QCOMPARE(region.executed_by != "dnnl" || region.notice.find("on default") != std::string::npos, on_default);
        QVERIFY(report.differences[0].within_tolerance);
    }

    /// Convolutions of constant weights by Winograd's algorithm, and pools in their layout.
    void convolutionsOf3x3AndWhatFollows_data() {
        QTest::addColumn<QString>("rest");
        const auto row = [](const char* name, const char* rest) { QTest::newRow(name) << rest; };
        row("alone", "  %4\n");
        row("bias, relu, pool",
            "  %5 = nn.bias_add(%4, %b);\n  %6 = nn.relu(%5);\n"
            "  nn.max_pool2d(%6, pool_size=[3, 3], strides=[2, 2], padding=[0, 0, 1, 1])\n");
        row("pool with a frame", "  nn.max_pool2d(%4, pool_size=[3, 3], padding=[1, 1, 1, 1])\n");
        row("flat pool, ceiling",
            "  nn.max_pool2d(%4, pool_size=[1, 4], strides=[1, 3], padding=[0, 2, 0, 1], ceil_mode=True)\n");
        row("pool with holes", "  nn.max_pool2d(%4, pool_size=[2, 2], dilation=[2, 2])\n");
        row("what is added is needed again",
            "  %5 = tanh(%4);\n  %6 = nn.conv2d(%5, %v, padding=[1, 1, 1, 1], channels=32, "
            "kernel_size=[3, 3]);\n  %7 = add(%6, %4);\n  %8 = nn.relu(%7);\n  (%8, %4)\n");
        row("clip", "  clip(%4, a_min=-0.5f, a_max=0.5f)\n");
        row("sigmoid", "  sigmoid(%4)\n");
    }
    void convolutionsOf3x3AndWhatFollows() {
        QFETCH(QString, rest);
        for (int channels : {16, 64}) {
            const std::string in = std::to_string(channels);
            const std::string text =
                "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, " + in +
                ", 27, 22), float32], %b: Tensor[(32), float32]) {\n" + made_weights("%w", channels) +
                "  %4 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3]);\n" +
                (rest.contains("%v") ? made_weights("%v", 32) : "") + rest.toStdString() + "}\n";
            const RunReport report = must_run(text);
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.within_tolerance, qPrintable(QString::number(difference.max_rel_error)));
        }
    }

    /// Convolutions of few windows and many constant weights, which are products of matrices.
    void convolutionsOfFewWindows_data() {
        QTest::addColumn<QString>("window");
        QTest::addColumn<QString>("rest");
        QTest::addColumn<bool>("packed");
        const QString padded = "padding=[1, 1, 1, 1]", bias = "  %5 = nn.bias_add(%4, %b);\n";
        QTest::newRow("alone") << padded << "  %4\n" << true;
        QTest::newRow("strides") << QString("strides=[2, 1], padding=[0, 1, 2, 0]") << "  nn.relu(%4)\n" << true;
        QTest::newRow("dilation") << QString("dilation=[2, 2], padding=[2, 2, 2, 2]") << "  nn.relu(%4)\n" << true;
        QTest::newRow("bias, residual, relu") << padded << bias + "  %6 = add(%5, %r);\n  nn.relu(%6)\n" << true;
        QTest::newRow("residual that is needed again")
            << padded << "  %5 = tanh(%r);\n  %6 = add(%4, %5);\n  %7 = nn.relu(%6);\n  (%7, %5)\n"
            << true;
        QTest::newRow("residual after relu") << padded << "  %5 = nn.relu(%4);\n  add(%5, %r)\n" << false;
        QTest::newRow("sigmoid") << padded << bias + "  sigmoid(%5)\n" << true;
    }
    void convolutionsOfFewWindows() {
        QFETCH(QString, window);
        QFETCH(QString, rest);
        QFETCH(bool, packed);
        // Bound to no variable, so that the weights become a constant of the region.
        const std::string weights = "  %0 =" + made_weights("%w", 1024).substr(std::string("  let %w =").size());
        const std::string text =
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 1024, 7, 7), float32], %b: Tensor[(32), float32], "
            "%r: Tensor[(1, 32, 7, 7), float32]) {\n" +
            weights + "  %4 = nn.conv2d(%x, %0, " + window.toStdString() + ", channels=32, kernel_size=[3, 3]);\n" +
            rest.toStdString() + "}\n";
        for (const char* backend : {"dnnl", "dnnl_all"}) {
            const RunReport report = must_run(text, backend);
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.within_tolerance, qPrintable(QString::number(difference.max_rel_error)));
        }
        if (vector_unit() == VectorUnit::Baseline) return;
        const std::string steps = steps_of(text);
        QVERIFY2((steps.find("(packed weights)") != std::string::npos) == packed, steps.c_str());
    }

    void quantizedLayersOfTvmsPatternsGiveTheSameNumbers() {
        const std::string layers[] = {
            quantized_layer("(1, 16, 14, 14)", "[32, 16, 3, 3]", "(1, 32, 14, 14)",
                            "qnn.conv2d(%data, %3, 0, 0, 0.02f, 0.05f, padding=[1, 1, 1, 1], channels=32, "
                            "kernel_size=[3, 3], out_dtype=\"int32\")"),
            quantized_layer("(4, 96)", "[48, 96]", "(4, 48)",
                            "qnn.dense(%data, %3, 0, 0, 0.02f, 0.05f, units=48, out_dtype=\"int32\")")};
        for (const std::string& layer : layers) {
            RunReport report = must_run(layer, "dnnl");
            QCOMPARE(report.regions.size(), size_t(1));  // the whole layer
            QCOMPARE(report.regions[0].executed_by, std::string("dnnl"));
            if (has_vector_neural_instructions())
                QVERIFY(report.regions[0].notice.find("qnn.") == std::string::npos);  // oneDNN computes the products
            QCOMPARE(report.differences[0].max_abs_error, 0.0);
            std::set<double> values;
            for (int64_t i = 0; i < report.outputs[0].size(); ++i) values.insert(report.outputs[0].at(i));
            QVERIFY2(values.size() > 40, qPrintable(QString("only %1 different values").arg(values.size())));
        }
    }

    void resultsThatHoldOneValueTwice_data() {
        QTest::addColumn<QString>("ops");
        QTest::newRow("of a product") << "  %0 = multiply(%x, %y);\n  (%0, %0)\n";
        QTest::newRow("of a chain") << "  %0 = nn.dense(%x, %y, units=4);\n  %1 = nn.relu(%0);\n  (%1, %1)\n";
        QTest::newRow("of a product that is read, too")
            << "  %0 = multiply(%x, %y);\n  %1 = sigmoid(%0);\n  (%0, %1, %0)\n";
    }
    void resultsThatHoldOneValueTwice() {
        QFETCH(QString, ops);
        RunReport report =
            must_run("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 4), float32], %y: Tensor[(4, 4), float32]) {\n" +
                     ops.toStdString() + "}\n");
        QVERIFY(report.outputs.front().identical(report.outputs.back()));
        for (const OutputDifference& difference : report.differences) QVERIFY(difference.within_tolerance);
    }

    /// What else a normalization gives is there where somebody takes it.
    void aNormalizationWhoseStatisticsAreTakenIsNoPartOfAChain() {
        for (const char* taken : {"%1.1", "%1.2"}) {
            const QByteArray text = QByteArray(R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 4, 8, 8), float32], %weight: Tensor[(8, 4, 3, 3), float32], %bn_gamma: Tensor[(8), float32],
    %bn_beta: Tensor[(8), float32], %bn_moving_mean: Tensor[(8), float32], %bn_moving_var: Tensor[(8), float32]) {
  %0 = nn.conv2d(%data, %weight, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  %1 = nn.batch_norm(%0, %bn_gamma, %bn_beta, %bn_moving_mean, %bn_moving_var);
  %2 = nn.relu(%1.0);
  (%2, TAKEN)
})")
                                        .replace("TAKEN", taken);
            const RunReport report = must_run(text.toStdString());
            QCOMPARE(report.differences.size(), size_t(2));
            for (const OutputDifference& difference : report.differences) QVERIFY(difference.within_tolerance);
        }
    }

    void normalizationsAndWhatFollowsAreOnePrimitive() {
        RunReport report = must_run(R"(#[version = "0.0.5"]
def @main(%data: Tensor[(1, 32, 14, 14), float32], %bn_gamma: Tensor[(32), float32], %bn_beta: Tensor[(32), float32],
    %bn_moving_mean: Tensor[(32), float32], %bn_moving_var: Tensor[(32), float32],
    %s_scale: Tensor[(32, 1, 1), float32], %b_bias: Tensor[(32, 1, 1), float32]) {
  %0 = nn.batch_norm(%data, %bn_gamma, %bn_beta, %bn_moving_mean, %bn_moving_var);
  %1 = multiply(%0.0, %s_scale);
  %2 = add(%1, %b_bias);
  nn.relu(%2)
})");
        size_t timed = 0;
        for (const RegionTiming& region : report.regions) timed += region.ops.size();
        QCOMPARE(timed, size_t(1));
        QVERIFY(report.differences[0].within_tolerance);
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestDnnlChains)

}  // namespace test_dnnl_chains

#include "test_dnnl_chains.moc"
