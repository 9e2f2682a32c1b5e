// The runtime on small modules built here: plans, memory, times, fallbacks, limits.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "engine/frontends/relay/parser.h"
#include "engine/ir/quantized_matrix.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/program/flat_graph.h"
#include "engine/program/memory_plan.h"
#include "engine/runtime/missing_operators.h"
#include "engine/runtime/run.h"
#include "engine/runtime/spin_watch.h"
#include "relay_testing.h"
#include "tests/registry.h"

namespace test_run {

using namespace partita;

namespace {

/// A module under construction; calls are by op name with default attributes.
struct Builder {
    Module module;

    ExprId var(const char* name, std::initializer_list<int64_t> shape, DataType dtype = kFloat32) {
        return module.add_var(name, module.types().tensor(dtype, shape));
    }
    ExprId call(const char* name, std::initializer_list<ExprId> arguments) {
        OpId op = op_registry().find(name);
        AttributeList attributes = op_registry()[op].default_attributes();
        return module.add_call(module.add_op(op), arguments,
                               attributes.empty() ? AttributesId() : module.add_attributes(std::move(attributes)));
    }
    ExprId region(const char* compiler, const char* symbol, std::initializer_list<ExprId> parameters, ExprId body) {
        FunctionInfo info;
        info.attributes = {{"Compiler", compiler}, {"global_symbol", symbol}, {"Primitive", 1}};
        ExprId function = module.add_function(std::span(parameters.begin(), parameters.size()), body, info);
        module.set_function(symbol, function);
        return module.add_global_var(symbol);
    }
    ModulePtr finish(std::initializer_list<ExprId> parameters, ExprId body) {
        module.set_function("main", module.add_function(std::span(parameters.begin(), parameters.size()), body));
        Status typed = infer_types(module);
        if (!typed) qFatal("%s", typed.error().to_string().c_str());
        return std::make_shared<const Module>(std::move(module));
    }
};

Tensor filled(std::vector<int64_t> shape, double first, double step) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, first + step * double(i));
    return tensor;
}

RunReport run_or_fail(ModulePtr module, RunOptions options) {
    Result<RunReport> report = run_module(std::move(module), options);
    if (!report) qFatal("%s", report.error().to_string().c_str());
    return std::move(*report);
}

/// Returns abs(x * w + w) in a region of `compiler`, and its sum with x in @main.
ModulePtr one_region(const char* compiler) {
    Builder b;
    ExprId p = b.var("p", {2, 8}), q = b.var("q", {8});
    ExprId product = b.call("multiply", {p, q});
    ExprId body = b.call("abs", {b.call("add", {product, q})});
    ExprId region = b.region(compiler, "r_main_0", {p, q}, body);
    ExprId x = b.var("x", {2, 8}), w = b.var("w", {8});
    ExprId inner = b.module.add_call(region, {x, w});
    return b.finish({x, w}, b.call("add", {inner, x}));
}

}  // namespace

class TestRun : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;
private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toUtf8()); }

    void blocksThatLiveTogetherDoNotOverlap() {
        std::vector<MemoryBlock> blocks;
        uint32_t state = 1;
        for (uint32_t i = 0; i < 500; ++i) {
            state = state * 1664525 + 1013904223;
            blocks.push_back({(state >> 8) % 5000 + 1, i, i + (state >> 24) % 20});
        }
        MemoryPlan plan = plan_memory(blocks);
        for (size_t a = 0; a < blocks.size(); ++a)
            for (size_t b = 0; b < a; ++b) {
                bool together = blocks[a].first <= blocks[b].last && blocks[b].first <= blocks[a].last;
                bool apart = plan.offsets[a] + blocks[a].bytes <= plan.offsets[b] ||
                             plan.offsets[b] + blocks[b].bytes <= plan.offsets[a];
                QVERIFY(!together || apart);
                QVERIFY(plan.offsets[a] % 64 == 0 && plan.offsets[a] + blocks[a].bytes <= plan.arena_bytes);
            }
        QVERIFY(plan.arena_bytes < plan.block_bytes / 10);
    }

    /// Memory can be planned for tensors only.
    void aRegionThatGivesAReferenceIsInterpreted() {
        Builder b;
        ExprId p = b.var("p", {8}), x = b.var("x", {8});
        ExprId region = b.region("dnnl", "r_main_0", {p}, b.module.add_ref_create(p));
        ModulePtr module = b.finish({x}, b.module.add_call(region, {x}));
        Result<FlatGraph> graph = flatten(*module, module->find_function("main"), true);
        QVERIFY(graph);
        QVERIFY(!graph->straight_line);
    }

    void aRegionIsRunByItsBackend_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QString>("executed_by");
        QTest::addColumn<QString>("codegen");
        QTest::addColumn<QString>("notice");
        QTest::newRow("default") << "default"
                                 << "default"
                                 << ""
                                 << "";
        QTest::newRow("ccompiler") << "ccompiler"
                                   << "ccompiler"
                                   << ""
                                   << "";
        QTest::newRow("a description without code generation") << "vendor"
                                                               << "default"
                                                               << "default"
                                                               << "";
        QTest::newRow("a backend that nobody knows") << "vendor"
                                                     << "default"
                                                     << ""
                                                     << "there is no backend vendor here";
    }
    void aRegionIsRunByItsBackend() {
        QFETCH(QString, compiler);
        QFETCH(QString, executed_by);
        QFETCH(QString, codegen);
        QFETCH(QString, notice);
        RunOptions options;
        if (!codegen.isEmpty()) options.codegen[compiler.toStdString()] = codegen.toStdString();
        options.inputs = {{"x", filled({2, 8}, -3, 0.5)}, {"w", filled({8}, 1, 0.25)}};
        RunReport report = run_or_fail(one_region(compiler.toUtf8().constData()), options);
        QCOMPARE(report.outputs.size(), size_t(1));
        for (int64_t i = 0; i < 16; ++i) {
            double x = -3 + 0.5 * double(i), w = 1 + 0.25 * double(i % 8);
            QCOMPARE(report.outputs[0].at(i), std::fabs(x * w + w) + x);
        }
        QCOMPARE(report.regions.size(), size_t(2));
        QCOMPARE(QString::fromStdString(report.regions[0].name), QString("default"));
        QCOMPARE(QString::fromStdString(report.regions[1].name), QString("r_main_0"));
        QCOMPARE(QString::fromStdString(report.regions[1].executed_by), executed_by);
        QCOMPARE(QString::fromStdString(report.regions[1].notice), notice);
        QCOMPARE(report.regions[1].calls, 3);
    }

    void whatCCannotSayIsComputedByDefaultWithinTheRegion_data() {
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<QString>("result");
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("then");
        const QString row = "Tensor[(1, 1, 1, 16385), float32]", one = "Tensor[(1, 1, 1, 1), float32]";
        QTest::newRow("rows this long") << "%q: " + one + ", %v: " + row + ", %s: " + row << row
                                        << "nn.linear_attention(%q, %q, %v, %q, %q, %s)"
                                        << "abs(%0.0)";
        QTest::newRow("a mode") << "%q: Tensor[(1, 2, 4, 4), float32]"
                                << "Tensor[(1, 2, 2, 2), float32]"
                                << "image.resize2d(%q, size=[2, 2], roi=[0.1f, 0.1f, 0.9f, 0.9f], layout=\"NCHW\", "
                                   "method=\"linear\", coordinate_transformation_mode=\"tf_crop_and_resize\")"
                                << "add(%0, %0)";
    }
    void whatCCannotSayIsComputedByDefaultWithinTheRegion() {
        QFETCH(QString, parameters);
        QFETCH(QString, result);
        QFETCH(QString, call);
        QFETCH(QString, then);
        const std::string types = "(" + parameters.toStdString(),
                          body = " { %0 = " + call.toStdString() + "; " + then.toStdString() + " }\n";
        const std::string marks = ", Compiler=\"ccompiler\", global_symbol=\"r\", Primitive=1) -> ";
        const std::string given = parameters.contains("%v") ? "%q, %v, %s" : "%q";
        const auto within = std::make_shared<const Module>(typed_module(
            "def @r" + types + marks + result.toStdString() + body + "def @main" + types + ") { @r(" + given + ") }"));
        const auto without = std::make_shared<const Module>(typed_module("def @main" + types + ")" + body));
        const RunReport found = run_or_fail(within, {});
        const RunReport wanted = run_or_fail(without, {});
        const auto region = std::find_if(found.regions.begin(), found.regions.end(),
                                         [](const RegionTiming& each) { return each.name == "r"; });
        QVERIFY(region != found.regions.end());
        QCOMPARE(region->executed_by, std::string("ccompiler"));
        const std::string op = call.section('(', 0, 0).toStdString();
        QVERIFY2(region->notice.find(op) != std::string::npos, region->notice.c_str());
        QVERIFY(found.outputs[0].size() == wanted.outputs[0].size() && found.outputs[0].size() >= 8);
        for (int64_t i = 0; i < found.outputs[0].size(); ++i) QCOMPARE(found.outputs[0].at(i), wanted.outputs[0].at(i));
    }

    /// Two regions of dnnl are one plan, which has the memory that a region between them needs.
    void aRegionWithinAPlanHasItsMemory() {
        const std::string type = "Tensor[(64, 64), float32]", before = "nn.dense(%x, %x, units=64)",
                          between =
                              "{ %0 = nn.softmax(%x); %1 = transpose(%0, axes=[1, 0]); %2 = nn.softmax(%1); "
                              "%3 = cumsum(%2, axis=1); nn.softmax(%3) }\n";
        const auto region = [&](const std::string& name, const std::string& backend, const std::string& parameters) {
            return "def @" + name + "(" + parameters + ", Compiler=\"" + backend + "\", global_symbol=\"" + name +
                   "\", Primitive=1) -> " + type + " ";
        };
        const std::string one = "%x: " + type, two = one + ", %y: " + type;
        const std::string after = "{ nn.dense(%x, %y, units=64) }\n";
        const auto divided = std::make_shared<const Module>(typed_module(
            region("a", "dnnl", one) + "{ " + before + " }\n" + region("b", "ccompiler", one) + between +
            region("c", "dnnl", two) + after + "def @main(" + one + ") { %0 = @a(%x); %1 = @b(%0); @c(%0, %1) }"));
        const auto whole = std::make_shared<const Module>(
            typed_module("def @b(" + one + ") -> " + type + " " + between + "def @c(" + two + ") -> " + type + " " +
                         after + "def @main(" + one + ") { %0 = " + before + "; %1 = @b(%0); @c(%0, %1) }"));
        const RunReport found = run_or_fail(divided, {}), wanted = run_or_fail(whole, {});
        QCOMPARE(found.regions.size(), size_t(3));
        for (int64_t i = 0; i < wanted.outputs[0].size(); ++i)
            QVERIFY(std::fabs(found.outputs[0].at(i) - wanted.outputs[0].at(i)) < 1e-5);
    }

    /// What is compiled is not prepared as well.
    void timesBeforeTheFirstRunDoNotOverlap() {
        RunOptions options;
        options.warmup = 0;
        options.repeat = 1;
        QElapsedTimer timer;
        timer.start();
        RunReport report = run_or_fail(one_region("ccompiler"), options);
        const double all = double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(report.warmup, 0);
        QVERIFY(report.compile_ms > 0);
        QVERIFY2(report.compile_ms + report.prepare_ms <= all,
                 qPrintable(QString("%1 + %2 > %3").arg(report.compile_ms).arg(report.prepare_ms).arg(all)));
    }

    /// Partita does not have the operator; the backend of a region may.
    void whatIsMissingIsOnlyWhatNoRegionTakes() {
        const auto missing = [](const std::string& attributes) -> std::string {
            Result<Module> parsed =
                parse_relay("def @main(%x: Tensor[(4), float32]) { let %f = fn (%p: Tensor[(4), float32]" + attributes +
                            ") { opaque(%p, op_type=\"Custom\", shapes=[[4]], dtypes=[\"float32\"]) }; %f(%x) }");
            if (!parsed) return parsed.error().message;
            const Status known = check_operators(*parsed, parsed->find_function("main"));
            return known ? "nothing" : known.error().message;
        };
        QCOMPARE(missing(", Compiler=\"own\", global_symbol=\"own_0\", Primitive=1"), std::string("nothing"));
        QVERIFY2(missing("").ends_with("has: Custom"), missing("").c_str());
    }

    /// Which function a call means is known when it runs.
    void aFunctionMayBeChosenWhileRunning() {
        for (const char* chosen :
             {"let %f = if (%c) { fn (%a: Tensor[(3), float32]) { negative(%a) } } else { fn (%b: Tensor[(3), "
              "float32]) { add(%b, %b) } }; %f(%x)",
              "%0 = (fn (%a: Tensor[(3), float32]) { if (%c) { negative(%a) } else { add(%a, %a) } }, %x); %1 = %0.0; "
              "%1(%x)"}) {
            Result<Module> parsed =
                parse_relay("def @main(%c: bool, %x: Tensor[(3), float32]) { " + std::string(chosen) + " }");
            QVERIFY2(parsed, parsed ? "" : parsed.error().to_string().c_str());
            QVERIFY(infer_types(*parsed));
            auto module = std::make_shared<const Module>(std::move(*parsed));
            for (bool first : {true, false}) {
                Tensor condition(kBool, {});
                condition.set(0, first);
                RunOptions options;
                options.inputs = {{"c", condition}, {"x", filled({3}, 1, 1)}};
                RunReport report = run_or_fail(module, options);
                for (int i = 0; i < 3; ++i) QCOMPARE(report.outputs[0].at(i), (i + 1) * (first ? -1.0 : 2.0));
                QCOMPARE(report.regions.size(), size_t(1));
                QCOMPARE(report.regions[0].ops.size(), size_t(1));
                QCOMPARE(report.regions[0].ops[0].name, std::string(first ? "negative" : "add"));
            }
        }
    }

    void aMillionOpsRunWithoutDeepStack() {
        Builder b;
        ExprId x = b.var("x", {4});
        ExprId value = x;
        OpId abs = op_registry().find("abs");
        ExprId op = b.module.add_op(abs);
        for (int i = 0; i < 1000000; ++i) value = b.module.add_call(op, {value});
        ModulePtr module = b.finish({x}, value);
        RunOptions options;
        options.warmup = 0;
        options.repeat = 1;
        options.threads = 1;
        RunReport report = run_or_fail(module, options);
        QVERIFY(report.peak_bytes <= 3 * 64);
        QCOMPARE(report.outputs[0].size(), int64_t(4));
    }

    /// A reshape is another view of its operand.
    void whatHasTheBytesOfItsOperandTakesNoMemory() {
        size_t bytes[2];
        for (bool reshaped : {false, true}) {
            Builder b;
            ExprId x = b.var("x", {4, 8, 2}), value = b.call("abs", {x});
            if (reshaped) value = b.call("nn.batch_flatten", {value});
            bytes[reshaped] = run_or_fail(b.finish({x}, b.call("tanh", {value})), {}).unshared_bytes;
        }
        QCOMPARE(bytes[1], bytes[0]);
    }

    void outputsThatAreInputsOrGivenTwiceAreTensorsOfTheirOwn() {
        Builder b;
        ExprId x = b.var("x", {3});
        ExprId y = b.call("add", {x, x});
        ModulePtr module = b.finish({x}, b.module.add_tuple(std::vector<ExprId>{y, x, y}));
        RunOptions options;
        options.inputs = {{"x", filled({3}, 1, 1)}};
        RunReport report = run_or_fail(module, options);
        QCOMPARE(report.outputs.size(), size_t(3));
        QCOMPARE(report.outputs[0].at(2), 6.0);
        QCOMPARE(report.outputs[1].at(2), 3.0);
        QCOMPARE(report.outputs[2].at(2), 6.0);
        QVERIFY(report.outputs[0].bytes() != report.outputs[2].bytes());
        QCOMPARE(report.copied_bytes, size_t(24));
    }

    /// Values stay in each range, and span most of it.
    void parametersGetValuesThatSuitTheirRole() {
        Result<Module> module = parse_relay(R"(#[version = "0.0.5"]
def @main(%data: Tensor[(40, 8, 5, 5), float32], %weight: Tensor[(40, 8, 3, 3), float32], %bias: Tensor[(400), float32],
            %gamma: Tensor[(400), float32], %beta: Tensor[(400), float32], %mean: Tensor[(400), float32],
            %variance: Tensor[(400), float32],
            %index: Tensor[(500), int32], %bytes: Tensor[(500), int8], %flags: Tensor[(500), bool],
            %long: Tensor[(500), int64], %unsigned: Tensor[(500), uint8]) {
            %0 = nn.conv2d(%data, %weight, channels=40, kernel_size=[3, 3]);
            %1 = reshape(%0, newshape=[1, 400, 36]);
            %2 = nn.bias_add(%1, %bias);
            %3 = nn.batch_norm(%2, %gamma, %beta, %mean, %variance);
            (%3.0, take(%bias, %index), add(%bytes, %bytes), logical_not(%flags), add(%long, %long),
             add(%unsigned, %unsigned))
        })");
        if (!module) QFAIL(module.error().to_string().c_str());
        QVERIFY(infer_types(*module));
        struct Range {
            const char* name;
            double low, high;
        };
        const double he = std::sqrt(6.0 / 72);
        std::map<std::string, Tensor> made = make_inputs(*module, 1, {});
        for (const Range& range : std::initializer_list<Range>{{"data", -4.5, 4.5},
                                                               {"weight", -he, he},
                                                               {"bias", -0.1, 0.1},
                                                               {"gamma", 0.8, 1.2},
                                                               {"beta", -0.1, 0.1},
                                                               {"mean", -0.2, 0.2},
                                                               {"variance", 0.5, 1.5},
                                                               {"index", 0, 399},
                                                               {"bytes", -16, 15},
                                                               {"flags", 0, 1},
                                                               {"long", 0, 9},
                                                               {"unsigned", 0, 15}}) {
            const Tensor& tensor = made.at(range.name);
            double low = tensor.at(0), high = low, sum = 0;
            for (int64_t i = 0; i < tensor.size(); ++i) {
                low = std::min(low, tensor.at(i));
                high = std::max(high, tensor.at(i));
                sum += tensor.at(i);
            }
            const double width = range.high - range.low,
                         slack = width * (tensor.dtype().is_float() && range.name != std::string("data") ? 0.05 : 0.2);
            QVERIFY2(low >= range.low && high <= range.high && low < range.low + slack && high > range.high - slack,
                     qPrintable(QString("%1: %2 to %3").arg(range.name).arg(low).arg(high)));
            QVERIFY(std::abs(sum / double(tensor.size()) - (range.low + range.high) / 2) < width / 10);
        }
    }

    void dataOfALanguageModelArePlausible() {
        Result<Module> module = parse_relay(R"(#[version = "0.0.5"]
def @main(%input_ids: Tensor[(1, 300), int64], %attention_mask: Tensor[(1, 300), int64], %seq_lens: Tensor[(1), int32],
          %own_mask: Tensor[(300), float32], %places: Tensor[(300), int32], %table: Tensor[(5000, 8), float32],
          %rows: Tensor[(7, 40), float32]) {
            %0 = less(%input_ids, 0i64);
            %1 = add(%input_ids, 5000i64);
            %2 = where(%0, %1, %input_ids);
            (take(%table, %2, axis=0), take(%rows, %places, axis=0), take(%table, %places, axis=0),
             cast(%attention_mask, dtype="float32"), %own_mask, %seq_lens)
        })");
        if (!module) QFAIL(module.error().to_string().c_str());
        QVERIFY(infer_types(*module));
        std::map<std::string, std::string> said;
        for (const auto& [name, text] : made_inputs(*module, {})) said[name] = text.text();
        QCOMPARE(said["input_ids"], std::string("whole numbers from 0 to 4999"));
        QCOMPARE(said["attention_mask"], std::string("0 or 1"));
        QCOMPARE(said["own_mask"], std::string("0 or 1"));
        QCOMPARE(said["places"], std::string("whole numbers from 0 to 6"));  // of the smaller table
        QCOMPARE(said["seq_lens"], std::string("1"));
        std::map<std::string, Tensor> made = make_inputs(*module, 1, {});
        double most = 0, ones = 0;
        for (int64_t i = 0; i < 300; ++i) {
            most = std::max(most, made.at("input_ids").at(i));
            ones += made.at("own_mask").at(i);
            QVERIFY(made.at("own_mask").at(i) == 0 || made.at("own_mask").at(i) == 1);
        }
        QVERIFY(most > 4000 && most < 5000);
        QVERIFY(ones > 100 && ones < 200);
        made.erase("places");
        for (const auto& [name, text] : made_inputs(*module, made)) QCOMPARE(name, std::string("places"));
    }

    void madeInputsDependOnNamesNotOnOrder() {
        Builder first, second;
        ExprId a = first.var("a", {5}), c = first.var("c", {5});
        ModulePtr one = first.finish({a, c}, first.call("add", {a, c}));
        ExprId c2 = second.var("c", {5}), a2 = second.var("a", {5});
        ModulePtr two = second.finish({c2, a2}, second.call("add", {a2, c2}));
        auto x = make_inputs(*one, 7, {}), y = make_inputs(*two, 7, {}), z = make_inputs(*two, 8, {});
        QVERIFY(x.at("a").identical(y.at("a")) && x.at("c").identical(y.at("c")));
        QVERIFY(!x.at("a").identical(x.at("c")) && !x.at("a").identical(z.at("a")));
    }

    void wrongInputsGiveAMessage() {
        RunOptions options;
        options.inputs = {{"v", filled({8}, 0, 1)}};
        Result<RunReport> report = run_module(one_region("default"), options);
        QVERIFY(!report);
        QVERIFY(report.error().message.find("no parameter %v") != std::string::npos);
        options.inputs = {{"w", filled({9}, 0, 1)}};
        report = run_module(one_region("default"), options);
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("(9)") != std::string::npos, report.error().message.c_str());
    }

    void aCancelledRunSaysSo() {
        RunOptions options;
        options.cancel.cancel();
        Result<RunReport> report = run_module(one_region("default"), options);
        QVERIFY(!report);
        QCOMPARE(QString::fromStdString(report.error().message), QString("cancelled"));
    }

    void comparingFindsWhatDiffers() {
        Tensor a = filled({3}, 1, 1), b = a.clone(), c = a.clone();
        b.set(1, 2.001);
        c.set(0, std::nan(""));
        QVERIFY(compare_outputs({a}, {a})[0].within_tolerance);
        QVERIFY(!compare_outputs({b}, {a})[0].within_tolerance);
        QVERIFY(compare_outputs({b}, {a}, 1e-2)[0].within_tolerance);
        QVERIFY(!compare_outputs({c}, {a})[0].within_tolerance);
        QVERIFY(compare_outputs({c}, {c})[0].within_tolerance);
        QVERIFY(!compare_outputs({a}, {a, a})[1].within_tolerance);
    }

    void theErrorIsMeasuredAgainstElementAndScale() {
        Tensor expected = filled({3}, 1, 1), near_zero = expected.clone(), large = expected.clone();
        expected.set(0, 0.0);
        expected.set(2, 100.0);  // the scale: it allows each element a twentieth of it
        near_zero.set(0, 2.5e-4);
        near_zero.set(2, 100.0);
        large.set(0, 0.0);
        large.set(2, 100.02);
        OutputDifference small = compare_outputs({near_zero}, {expected}, 1e-4)[0];
        QVERIFY(small.within_tolerance);
        QVERIFY(std::fabs(small.max_abs_error - 2.5e-4) < 1e-9 && std::fabs(small.max_rel_error - 0.5e-4) < 1e-9);
        OutputDifference big = compare_outputs({large}, {expected}, 1e-4)[0];
        QVERIFY(!big.within_tolerance);
        QVERIFY(std::fabs(big.max_rel_error - 0.02 / 105) < 1e-6);
        Tensor infinite = expected.clone();
        infinite.set(1, std::numeric_limits<double>::infinity());
        QVERIFY(!compare_outputs({expected}, {infinite}, 1e-4)[0].within_tolerance);
        QVERIFY(!compare_outputs({infinite}, {expected}, 1e-4)[0].within_tolerance);
        QVERIFY(compare_outputs({infinite}, {infinite}, 1e-4)[0].within_tolerance);
    }

    void aRunStopsInsideALongKernel() {
        constexpr const char* kLong = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4096, 4096), float32], %w: Tensor[(4096, 4096), float32]) { nn.dense(%x, %w, units=None) }
)";
        Result<Module> parsed = parse_relay(kLong);
        QVERIFY(bool(parsed) && bool(infer_types(*parsed)));
        RunOptions options;
        options.warmup = 0;
        options.repeat = 1000;
        options.inputs["x"] = options.inputs["w"] = Tensor(kFloat32, {4096, 4096});
        std::chrono::steady_clock::time_point asked;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(400));
            asked = std::chrono::steady_clock::now();
            options.cancel.cancel();
        });
        Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(*parsed)), options);
        auto stopped = std::chrono::steady_clock::now();
        other.join();
        QVERIFY(!report);
        QCOMPARE(report.error().message, std::string("cancelled"));
        // The kernel alone takes 137 GFLOP; an eighth of it may still complete.
        const auto limit = std::chrono::seconds(qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 50 : 5);
        QVERIFY2(stopped - asked < limit, "it went on");
    }

    void weightsOfFourBitsStayPacked() {
        QuantizedMatrix matrix{8, 64, 32, 4, Tensor(kUInt8, {8, 2, 16}), Tensor(kFloat32, {8, 2}), Tensor()};
        for (int64_t i = 0; i < matrix.integers.size(); ++i) matrix.integers.set(i, double(i * 37 % 256));
        for (int64_t i = 0; i < matrix.scales.size(); ++i) matrix.scales.set(i, 0.25 * double(i + 1));
        const auto run_on = [&](const char* backend, const Tensor& weights) {
            Builder b;
            ExprId p = b.var("p", {2, 64});
            ExprId region = b.region(backend, "r_main_0", {p}, b.call("nn.dense", {p, b.module.add_constant(weights)}));
            ExprId x = b.var("x", {2, 64});
            RunOptions options;
            options.inputs.emplace("x", filled({2, 64}, -1, 0.03125));
            return run_or_fail(b.finish({x}, b.module.add_call(region, {x})), options);
        };
        const Tensor packed = tensor_of(matrix), floats = tensor_of(matrix);
        const RunReport report = run_on("dnnl", packed), expected = run_on("default", floats);
        QCOMPARE(report.regions.at(0).executed_by, std::string("dnnl"));
        QVERIFY(!packed.in_memory());
        QVERIFY(floats.in_memory());
        for (int64_t i = 0; i < 16; ++i) QVERIFY(std::fabs(report.outputs[0].at(i) - expected.outputs[0].at(i)) < 1e-3);
    }

    void threadsSpansAreOfTheLastRun() {
        Builder b;
        ExprId x = b.var("x", {64, 256}), w = b.var("w", {256, 256});
        RunOptions options;
        options.threads = 2;
        options.repeat = 20;
        const RunReport report = run_or_fail(b.finish({x, w}, b.call("nn.dense", {x, w})), options);
        QVERIFY(!report.thread_spans.empty());
        for (const ThreadSpan& span : report.thread_spans) QVERIFY(span.start_ms >= 0);
    }

    void spinsAreShortWhileOthersWantTheProcessors() {
        SpinWatch alone(1);
        SpinWatch watch(2);
        std::atomic<bool> over = false;
        std::vector<std::thread> others;
        for (unsigned i = 0; i < 3 * std::max(1u, std::thread::hardware_concurrency()); ++i)
            others.emplace_back([&over] {
                while (!over) {
                }
            });
        auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!watch.spins_are_short() && std::chrono::steady_clock::now() < end) {
            watch.look();
            alone.look();
        }
        over = true;
        for (std::thread& other : others) other.join();
#if !defined(__SANITIZE_THREAD__)
        QVERIFY(watch.spins_are_short());
#endif
        QVERIFY(!alone.spins_are_short());
    }

    void noToleranceIsFinerThanTheType() {
        Tensor a(kFloat16, {1}), b(kFloat16, {1});
        a.set(0, 1.0);
        b.set(0, 1.001);
        OutputDifference difference = compare_outputs({b}, {a}, 1e-6)[0];
        QVERIFY(difference.within_tolerance);
        QCOMPARE(difference.tolerance, 4.0 / 1024);
    }
};

PARTITA_TEST(TestRun)

}  // namespace test_run

#include "test_run.moc"
