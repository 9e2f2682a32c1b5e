// What the rule files of TVM 0.9 say of calls made for them. The verdicts were found by reading the files, not by
// running them.
#include <QtTest>

#include "engine/explain/explain.h"
#include "engine/flow/flow.h"
#include "engine/flow/flow_choice.h"
#include "engine/ir/traversal.h"
#include "engine/passes/fold_constants.h"
#include "engine/rules/annotated_backend.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_tvm_verdicts {

using namespace partita;

namespace {

struct Row {
    const char* expression;  ///< the last call is the one in question
    int line;                ///< of the condition that refuses it; 0: it is taken; -1: no rule and no pattern fits
};

const Row kArm[] = {
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 16]), padding=[1, 1, 1, 1], channels=16, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     0},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[16, 8, 3, 3]), padding=[1, 1, 1, 1], channels=16, "
     "kernel_size=[3, 3])",
     322},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 4, 16]), padding=[1, 1, 1, 1], groups=2, channels=16, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     342},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 1]), padding=[1, 1, 1, 1], groups=8, channels=8, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWOI\")",
     0},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[7, 7, 8, 1]), padding=[3, 3, 3, 3], groups=8, channels=8, "
     "kernel_size=[7, 7], data_layout=\"NHWC\", kernel_layout=\"HWOI\")",
     387},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 1]), strides=[3, 3], padding=[1, 1, 1, 1], groups=8, "
     "channels=8, kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWOI\")",
     393},
    {"nn.conv2d(%two, broadcast_to(1f, shape=[3, 3, 8, 16]), padding=[1, 1, 1, 1], channels=16, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     327},
    {"nn.dense(%m, broadcast_to(1f, shape=[4, 8]), units=4)", 0},
    {"nn.dense(%i, cast(broadcast_to(1f, shape=[4, 8]), dtype=\"int8\"), units=4, out_dtype=\"int32\")", 403},
    {"nn.max_pool2d(%u, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 0},
    {"nn.max_pool2d(%u, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NCHW\")", 439},
    {"nn.max_pool2d(%x, pool_size=[2, 2], dilation=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 430},
    {"nn.avg_pool2d(%u, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 457},
    {"nn.global_avg_pool2d(%x)", 484},
    {"add(%i, %i)", 503},
    {"sqrt(nn.avg_pool2d(power(%x, 2f), pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\"))", 0},
    {"concatenate((%i, %i), axis=1)", 284},
    {"tanh(%x)", -1},
};

const Row kCmsis[] = {
    {"qnn.quantize(nn.softmax(qnn.dequantize(%i, 0.1f, 0)), 0.00390625f, -128, out_dtype=\"int8\")", 0},
    {"qnn.quantize(nn.softmax(qnn.dequantize(%i, 0.1f, 0)), 0.1f, -128, out_dtype=\"int8\")", 89},
    {"qnn.add(%i, %i, 0.1f, 0, 0.1f, 0, 0.1f, 0)", 0},
    {"qnn.mul(%i, %i, 0.1f, 0, 0.1f, 0, 0.1f, 0)", 0},
    {"clip(qnn.mul(%i, %i, 0.1f, 0, 0.1f, 0, 0.1f, 0), a_min=0f, a_max=6f)", 0},
    {"qnn.add(%u2, %u2, 0.1f, 0, 0.1f, 0, 0.1f, 0)", 272},
    {"nn.max_pool2d(%s, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 0},
    {"nn.max_pool2d(%s, pool_size=[2, 2], padding=[0, 0, 0, 0])", 234},
    {"nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 236},
    {"cast(nn.avg_pool2d(cast(%s, dtype=\"int32\"), pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\"), "
     "dtype=\"int8\")",
     0},
    {"cast(nn.avg_pool2d(cast(%s, dtype=\"int32\"), pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\"), "
     "dtype=\"int16\")",
     214},
    {"qnn.requantize(qnn.dense(%i, cast(broadcast_to(1f, shape=[4, 8]), dtype=\"int8\"), 0, 0, 0.1f, 0.1f, units=4, "
     "out_dtype=\"int32\"), 0.01f, 0, 0.1f, 0, out_dtype=\"int8\")",
     0},
    {"qnn.requantize(qnn.dense(%i, cast(broadcast_to(1f, shape=[4, 8]), dtype=\"int8\"), 0, 1, 0.1f, 0.1f, units=4, "
     "out_dtype=\"int32\"), 0.01f, 0, 0.1f, 0, out_dtype=\"int8\")",
     189},
    {"add(%i, %i)", -1},
};

const Row kCutlass[] = {
    {"nn.dense(%m, %w, units=4)", 0},
    {"nn.dense(%i, cast(broadcast_to(1f, shape=[4, 8]), dtype=\"int8\"), units=4, out_dtype=\"int32\")", 0},
    {"nn.dense(%i32, broadcast_to(1, shape=[4, 8]), units=4)", 117},
    {"nn.relu(nn.bias_add(nn.dense(%m, %w, units=4), %b))", 0},
    {"nn.relu(add(nn.dense(%i32, broadcast_to(1, shape=[4, 8]), units=4), 1))", 117},
    {"nn.batch_matmul(%b3, %b3, transpose_b=True)", 0},
    {"nn.batch_matmul(%b3, %b3, transpose_b=False)", 147},
    {"nn.batch_matmul(%b3, %b3, transpose_a=True, transpose_b=True)", 147},
    {"nn.conv2d(%x, %c, padding=[0, 0, 0, 0], channels=16, kernel_size=[3, 3], data_layout=\"NHWC\", "
     "kernel_layout=\"OHWI\")",
     0},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 16]), padding=[0, 0, 0, 0], channels=16, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     163},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[8, 3, 3, 1]), padding=[0, 0, 0, 0], groups=8, channels=8, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"OHWI\")",
     169},
    {"nn.relu(%x)", -1},
};

const Row kDnnl[] = {
    {"nn.conv2d(%x, %c2, padding=[0, 0, 0, 0], channels=16, kernel_size=[3, 3])", 0},
    {"nn.relu(%x)", 0},
    {"nn.relu(%long)", 74},
    {"add(%long, %long)", 74},
    {"tanh(%m)", 0},
    {"nn.dense(%m, %w, units=4)", 0},
    {"nn.dense(%i, cast(broadcast_to(1f, shape=[4, 8]), dtype=\"int8\"), units=4, out_dtype=\"int32\")", 0},
    {"clip(%long, a_min=0f, a_max=6f)", 74},
    {"nn.softmax(%m)", 0},
    {"subtract(%m, %m)", -1},
    {"nn.relu(add(nn.conv2d(%x, %c2, padding=[0, 0, 0, 0], channels=16, kernel_size=[3, 3]), 1f))", 0},
    {"exp(%half)", 0},
};

const Row kTensorrt[] = {
    {"nn.conv2d(%x, broadcast_to(1f, shape=[16, 8, 3, 3]), padding=[0, 0, 0, 0], channels=16, "
     "kernel_size=[3, 3])",
     0},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 16]), padding=[0, 0, 0, 0], channels=16, "
     "kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     387},
    {"nn.conv2d(%x, broadcast_to(1f, shape=[3, 3, 8, 16]), padding=[0, 0, 0, 0], channels=16, "
     "kernel_size=[3, 3], kernel_layout=\"HWIO\")",
     390},
    {"nn.relu(%i)", 188},
    {"nn.relu(%half)", 0},
    {"sum(%x, axis=[1])", 0},
    {"sum(%x)", 297},
    {"mean(%x, axis=[0, 1])", 303},
    {"mean(%x, axis=[1], exclude=True)", 300},
    {"nn.softmax(%m, axis=0)", 357},
    {"nn.softmax(%m, axis=1)", 0},
    {"add(%m, 1f)", 319},
    {"transpose(%x, axes=[0, 2, 3, 1])", 0},
    {"transpose(%x, axes=[1, 0, 2, 3])", 579},
    {"reshape(%x, newshape=[1, -1])", 0},
    {"reshape(%x, newshape=[8, -1])", 650},
    {"concatenate((%m, %m), axis=0)", 535},
    {"expand_dims(%m, axis=0)", 511},
    {"nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NHWC\")", 452},
    {"nn.dense(%m, %w, units=4)", -1},
    {"nn.avg_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0])", 0},
};

struct RuleFile {
    const char* name;
    std::span<const Row> rows;
};
const RuleFile kFiles[] = {
    {"arm_compute_lib", kArm}, {"cmsisnn", kCmsis}, {"cutlass", kCutlass}, {"dnnl", kDnnl}, {"tensorrt", kTensorrt}};

Module module_of(const char* expression) {
    Module module = typed_module(std::string(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8, 8, 8), float32], %two: Tensor[(2, 8, 8, 8), float32], %u: Tensor[(1, 8, 8, 8), uint8],
          %s: Tensor[(1, 8, 8, 8), int8], %m: Tensor[(1, 8), float32], %w: Tensor[(4, 8), float32],
          %b: Tensor[(4), float32], %i: Tensor[(1, 8), int8], %u2: Tensor[(1, 8), uint8],
          %i32: Tensor[(1, 8), int32], %long: Tensor[(1, 8), int64], %half: Tensor[(1, 8), float16],
          %b3: Tensor[(2, 4, 4), float32], %c: Tensor[(16, 3, 3, 8), float32],
          %c2: Tensor[(16, 8, 3, 3), float32]) {
  )") + expression + "\n}\n");
    Result<Module> folded = fold_constants(module);
    if (!folded) qFatal("%s", folded.error().to_string().c_str());
    return std::move(*folded);
}

}  // namespace

class TestTvmVerdicts : public QObject {
    Q_OBJECT
private slots:
    void eachVerdictIsThatOfTheText_data() {
        QTest::addColumn<int>("file");
        for (int i = 0; i < int(std::size(kFiles)); ++i) QTest::newRow(kFiles[i].name) << i;
    }

    void eachVerdictIsThatOfTheText() {
        if (reference_folder().isEmpty()) QSKIP("no reference data");
        QFETCH(int, file);
        const std::string name = std::string(kFiles[file].name) + ".py";
        Result<BackendDescription> backend = load_backend(reference_folder().toStdString() + "/tvm-annotators/" + name);
        QVERIFY(backend);
        std::vector<Diagnostic> notes;
        QVERIFY(start_annotators({&*backend, 1}, notes));
        QStringList wrong;
        for (const Row& row : kFiles[file].rows) {
            FlowOptions options;
            options.backends = {*backend};
            const Result<FlowResult> flow =
                run_flow(std::make_shared<const Module>(module_of(row.expression)), options);
            QVERIFY2(flow, row.expression);
            ExprId last;
            for (ExprId id : post_order(*flow->input, flow->input->find_function("main")))
                if (called_op_record(*flow->input, id)) last = id;
            FlowExplainer explainer(*flow, options.backends);
            const std::string text = explainer.to_text(explainer.explain_call(last));
            const bool taken = flow->backend_of[last.value] >= 0;
            const bool named = text.find(name + ":" + std::to_string(row.line) + ":") != std::string::npos;
            const bool any = text.find(name + ":") != std::string::npos;
            if (taken != (row.line == 0) || (row.line > 0 && !named) || (row.line < 0 && any))
                wrong += QString("%1\n    wanted %2, got: %3").arg(row.expression).arg(row.line).arg(text.c_str());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
    }
};

PARTITA_TEST(TestTvmVerdicts)

}  // namespace test_tvm_verdicts

#include "test_tvm_verdicts.moc"
