// Rules about the operators that a file states: descriptions, and files in Python of the forms that compilers for
// LiteRT and PyTorch have; and bodies of operators, which are carried out when the file is read.
#include <QtTest>

#include <QTemporaryDir>

#include "engine/explain/what_if.h"
#include "engine/flow/partitioning.h"
#include "engine/ir/file_operators.h"
#include "engine/rules/annotated_backend.h"
#include "engine/runtime/run.h"
#include "engine/session/divide.h"
#include "engine/session/graph_division.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/litert_writer.h"
#include "tests/engine/reference_data.h"
#include "tests/engine/torch_archives.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>

namespace test_file_operators {

using namespace partita;
using namespace partita::litert_testing;

namespace {

enum Kind {
    Add = 0,
    Conv2D = 3,
    Dequantize = 6,
    Mul = 18,
    Cast = 53,
    Less = 58,
    Pow = 78,
    If = 118,
    While = 119,
    CallOnce = 129,
    VarHandle = 142,
    Read = 143,
    Assign = 144
};

std::map<int, Value> options(int number, std::map<int, Value> fields) {
    return {{3, Value::number(uint8_t(number))}, {4, Value::table(std::move(fields))}};
}
std::map<int, Value> subgraphs(int number, int first, int second) {
    return options(number, {{0, Value::number(int32_t(first))}, {1, Value::number(int32_t(second))}});
}

OpenedInput opened(const std::string& bytes, const char* name, const OpenOptions& options = {}) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(name).toStdString();
    if (!write_file(path, bytes)) qFatal("can't write");
    Result<OpenedModule> read = open_module(path, options);
    if (!read) qFatal("%s", read.error().to_string().c_str());
    return OpenedInput(std::move(*read));
}

/// A convolution with a kernel of a height, and an addition with what is computed.
std::string convolution(int32_t height) {
    Model model;
    const int x = model.tensor("x", Float32, {1, 4, 4, 1}), y = model.tensor("y", Float32, {1, 4, 4, 1});
    const int w = model.constant<float>("w", Float32, {1, height, 1, 1}, std::vector<float>(size_t(height), 1));
    const int b = model.constant<float>("b", Float32, {1}, {0.5}), z = model.tensor("z", Float32, {1, 4, 4, 1});
    model.op(Conv2D, {x, w, b}, {y}, options(1, {{1, Value::number(int32_t(1))}, {2, Value::number(int32_t(1))}}));
    model.op(Add, {y, x}, {z});
    return model.file({x}, {z});
}

/// Returns the names of the nodes that a backend takes.
QStringList taken(const OpenedInput& input, const BackendPtr& backend, std::string* fault = nullptr) {
    DivideRequest request;
    request.backends = {backend};
    request.allow_commands = true;
    std::vector<Diagnostic> notes;
    const Result<FlowOptions> options = division_options(input, request, notes);
    if (!options && fault) *fault = options.error().to_string();
    if (!options) return {};
    const Result<Verdicts> verdicts = ask_backends(input.base, *input.graph, *options, {});
    if (!verdicts && fault) *fault = verdicts.error().to_string();
    QStringList names;
    for (size_t i = 0; verdicts && i < input.graph->nodes.size(); ++i)
        if (verdicts->backends[0].takes[i]) names << QString::fromStdString(input.graph->nodes[i].name);
    return names;
}

BackendPtr described(const std::string& text) {
    Result<BackendDescription> read = parse_backend_description(text, "v.json");
    if (!read) qFatal("%s", read.error().to_string().c_str());
    return std::make_shared<BackendDescription>(std::move(*read));
}

BackendPtr in_python(const char* name) {
    Result<BackendDescription> read = load_backend(PARTITA_SOURCE_DIR "/tests/annotators/" + std::string(name));
    if (!read) qFatal("%s", read.error().to_string().c_str());
    return std::make_shared<BackendDescription>(std::move(*read));
}

/// Why a backend does not take a node, with the module's call of that label.
std::string reason(const OpenedInput& input, const BackendPtr& backend, const std::string& label) {
    BackendDescription bound = *backend;
    std::vector<Diagnostic> notes;
    if (Status started = start_annotators({&bound, 1}, notes); !started) return started.error().to_string();
    bound.operators = input.operators;
    for (uint32_t i = 0; i < input.base->size(); ++i)
        if (input.base->kind(ExprId(i)) == ExprKind::Call && input.base->label(ExprId(i)) == label)
            return judge(bound, *input.base, ExprId(i), true).text;
    return "no such call";
}

OpenedInput exported() {
    using namespace partita::testing;
    ExportedProgram program;
    program.input("x", meta({"2", "3"}));
    const auto made = [](const std::string& name) { return "[" + tensor(name) + "]"; };
    program.value("relu", meta({"2", "3"})).value("add", meta({"2", "3"})).value("sum_1", meta({"2"}));
    program.node("relu", "torch.ops.aten.relu.default", "self=" + tensor("x"), made("relu"));
    program.node("add", "torch.ops.aten.add.Tensor", "self=" + tensor("relu") + ";other=" + tensor("relu"),
                 made("add"));
    program.node("sum_1", "torch.ops.aten.sum.dim_IntList", "self=" + tensor("add") + ";dim={'as_ints':[1]}",
                 made("sum_1"));
    program.output("sum_1");
    return opened(program.pt2(), "m.pt2");
}

/// Two sums, and a power that XNNPACK does not take; it reads the constant of the second sum, too.
std::string sums_and_power() {
    Model model;
    std::vector<int> values;
    for (const char* name : {"x", "twice", "sum", "power"}) values.push_back(model.tensor(name, Float32, {2}));
    const int w = model.constant<float>("w", Float32, {2}, {0.1f, 3});
    model.op(Add, {values[0], values[0]}, {values[1]});
    model.op(Add, {values[1], w}, {values[2]});
    model.op(Pow, {values[2], w}, {values[3]});
    return model.file({values[0]}, {values[3]});
}

/// Divides as LiteRT does for a built-in description.
Divided divided_for(const char* backend, const OpenedInput& input) {
    DivideRequest request;
    request.backends = {std::make_shared<BackendDescription>(*builtin_backend(backend))};
    request.partitioner = PartitionerChoice{"tflite", {}};
    if (std::string_view(backend) == "tflite_gpu") request.partitioner->options = {{"n", "1"}, {"fp16", "yes"}};
    std::vector<Diagnostic> notes;
    Result<Divided> divided = divide(input, request, notes);
    if (!divided) qFatal("%s", divided.error().to_string().c_str());
    return std::move(*divided);
}

std::vector<WhatIf> float16_rows(const Divided& divided) {
    Result<std::vector<WhatIf>> list = what_if(divided.result, divided.options);
    if (!list) qFatal("%s", list.error().message.c_str());
    std::erase_if(*list, [](const WhatIf& row) { return row.float16.empty(); });
    return std::move(*list);
}

std::vector<double> results_of(const OpenedInput& input, const std::map<std::string, Tensor>& values) {
    RunOptions options;
    options.inputs = values;
    options.repeat = 1;
    const Result<RunReport> report = run_module(input.base, options);
    std::vector<double> numbers;
    if (!report) qWarning("%s", report.error().message.c_str());
    for (size_t k = 0; report && k < report->outputs.size(); ++k)
        for (int64_t i = 0; i < report->outputs[k].size(); ++i) numbers.push_back(report->outputs[k].at(i));
    return numbers;
}

Tensor number(double value, DataType dtype = kFloat32) {
    Tensor tensor(dtype, {});
    tensor.set(0, value);
    return tensor;
}

/// while (i < turns) { i += step; y *= x }
std::string loop(int32_t turns, bool known) {
    Model model;
    const auto counter = [&](const char* name) { return model.tensor(name, Int32, {}); };
    const auto real = [&](const char* name) { return model.tensor(name, Float32, {}); };
    const int x = real("x"), from = known ? model.constant<int32_t>("from", Int32, {}, {0}) : counter("from");
    const int end = counter("end"), power = real("power");
    model.op(While, {from, x}, {end, power}, subgraphs(93, 1, 2));
    model.end_subgraph(known ? std::vector<int32_t>{x} : std::vector<int32_t>{from, x}, {end, power});
    const int i = counter("i"), unused = real("unused"), goes_on = model.tensor("goes on", Type(6), {});
    model.op(Less, {i, model.constant<int32_t>("turns", Int32, {}, {turns})}, {goes_on});
    model.end_subgraph({i, unused}, {goes_on});
    const int at = counter("at"), y = real("y"), next = counter("next"), twice = real("twice");
    model.op(Add, {at, model.constant<int32_t>("one", Int32, {}, {1})}, {next});
    model.op(Mul, {y, model.constant<float>("two", Float32, {}, {2})}, {twice});
    return model.file({at, y}, {next, twice});
}

}  // namespace

class TestFileOperators : public QObject {
    Q_OBJECT
private slots:
    void aRuleSeesWhatTheFileStates() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        const auto npu = [](const std::string& rule) {
            return described("{\"name\": \"npu\", \"operators\": \"file\", \"ops\": {\"CONV_2D\": \"" + rule + "\"}}");
        };
        QCOMPARE(taken(input, npu("attrs.stride_w == 1 && args[1].shape == [1, 3, 1, 1] && attrs.version == 1")),
                 QStringList{"y"});
        QCOMPARE(taken(input, npu("args[1].is_constant && args[2].values == [0] && size(args) == 3")),
                 QStringList{"y"});
        QCOMPARE(taken(input, npu("users.exists(u, u.op == 'ADD')")), QStringList{"y"});
        QCOMPARE(taken(input, npu("attrs.padding == 'VALID'")), QStringList());
    }

    /// Whoever divides: a region that is too small goes back to default.
    void limitsHoldForRulesAboutTheFile() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        const std::string of_file = "\"operators\": \"file\", \"ops\": {\"CONV_2D\": true}";
        const std::string of_calls = "\"ops\": {\"nn.conv2d\": true, \"nn.bias_add\": true}";
        for (const char* partitioner : {"tvm", "tflite", "components", "litert-plugin", "relax"})
            for (const auto& [rules, least] :
                 {std::pair(of_file, 1), std::pair(of_file, 100), std::pair(of_calls, 1), std::pair(of_calls, 100)}) {
                DivideRequest request;
                request.backends = {described("{\"name\": \"npu\", " + rules +
                                              ", \"limits\": {\"min_ops\": " + std::to_string(least) + "}}")};
                request.partitioner = PartitionerChoice{partitioner, {}};
                std::vector<Diagnostic> notes;
                const Result<Divided> divided = divide(input, request, notes);
                QVERIFY2(bool(divided), divided ? "" : divided.error().to_string().c_str());
                QCOMPARE(divided->result.regions.size(), size_t(least == 1));
            }
    }

    /// Verdicts are of nodes: tvm merges all that they became.
    void tvmMergesAllCallsOfANode() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        const QTemporaryDir folder;
        GraphDivideRequest request{PartitionerChoice::kOwn, {}, folder.filePath("v.json").toStdString(), {}};
        QVERIFY(write_file(request.verdicts, "{\"backend\": \"npu\", \"taken\": [\"y\", \"z\"]}"));
        std::vector<Diagnostic> notes;
        const Result<Division> division = divide_graph(input, *input.graph, request, notes);
        QVERIFY2(bool(division), division ? "" : division.error().to_string().c_str());
        QCOMPARE(division->regions.size(), size_t(1));
        QCOMPARE(division->regions[0].nodes.size(), size_t(2));
    }

    /// Of a convolution's node, which is several calls here, a person moves one.
    void theCallsOfANodeGoTogether() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        for (const char* partitioner : {"each", "tflite", "torch-fx"}) {
            DivideRequest request;
            request.backends = {
                described("{\"name\": \"npu\", \"ops\": {\"nn.conv2d\": true, \"nn.bias_add\": true}}")};
            request.partitioner = PartitionerChoice{partitioner, {}};
            request.overrides = {{"op:nn.bias_add", "default"}};
            std::vector<Diagnostic> notes;
            const Result<Divided> divided = divide(input, request, notes);
            QVERIFY2(bool(divided), divided ? "" : divided.error().to_string().c_str());
            QCOMPARE(divided->result.regions.size(), size_t(0));
        }
    }

    /// A rule for an operator and a pattern are about calls, whatever the file calls its nodes.
    void relaxMatchesTheCallsThatNodesBecame() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        for (const char* rules :
             {"\"ops\": {\"nn.conv2d\": true, \"nn.bias_add\": true}", "\"whole_graph\": true",
              "\"patterns\": [{\"name\": \"npu.biased\", \"pattern\": \"nn.bias_add(nn.conv2d(*, *), *)\"}]",
              "\"operators\": \"file\", \"ops\": {\"CONV_2D\": true}"}) {
            DivideRequest request;
            request.backends = {described("{\"name\": \"npu\", " + std::string(rules) + "}")};
            request.partitioner = PartitionerChoice{"relax", {}};
            std::vector<Diagnostic> notes;
            const Result<Divided> divided = divide(input, request, notes);
            QVERIFY2(bool(divided), divided ? "" : divided.error().to_string().c_str());
            QCOMPARE(divided->result.regions.size(), size_t(1));
            QVERIFY2(divided->result.regions[0].expressions.size() >= 2, rules);
        }
    }

    void whatAConditionMeansIsSaid() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        const BackendPtr npu = described(
            "{\"name\": \"npu\", \"operators\": \"file\", \"ops\": {\"CONV_2D\": \"attrs.version < 9 && "
            "args[1].shape[1] <= 2\"}, \"reasons\": {\"args[1].shape[1] <= 2\": \"The kernel is too high\"}}");
        QCOMPARE(reason(input, npu, "y"),
                 std::string("The kernel is too high (args[1].shape[1] <= 2: args[1].shape[1] is 3)"));
    }

    /// Of alternatives none is the cause: what they mean together is said.
    void whatAlternativesMeanTogetherIsSaid() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        const BackendPtr npu = described(
            "{\"name\": \"npu\", \"operators\": \"file\", \"ops\": {\"CONV_2D\": \"args[0].dtype == 'float16' || "
            "args[1].shape[1] <= 2\", \"ADD\": \"args[0].dtype == 'float16'\"}, \"reasons\": {\"args[0].dtype == "
            "'float16'\": \"It takes halves alone\", \"args[0].dtype == 'float16' || args[1].shape[1] <= 2\": \"The "
            "kernel is too high\"}}");
        QVERIFY(reason(input, npu, "y").starts_with("The kernel is too high ("));
        QVERIFY(reason(input, npu, "z").starts_with("It takes halves alone ("));
    }

    void descriptionsThatShipHoldForOwnModels() {
        const OpenedInput input = opened(convolution(3), "m.tflite");
        for (const char* name : {"tflite_gpu", "tflite_xnnpack"})
            QCOMPARE(taken(input, std::make_shared<BackendDescription>(*builtin_backend(name))),
                     (QStringList{"y", "z"}));
        const BackendPtr ethos = std::make_shared<BackendDescription>(*builtin_backend("ethos_u"));
        QCOMPARE(taken(input, ethos), QStringList());
        QVERIFY(reason(input, ethos, "z").starts_with("Input, result and weights are quantized ("));
    }

    /// XNNPACK unpacks a constant of 16 bits if all that reads it goes there, too: a result of the file reads, as well.
    void whoReadsAValueIsWhatTheFileSays_data() {
        QTest::addColumn<bool>("is_result");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("an operator") << false << QStringList{"w", "y"};
        QTest::newRow("and a result") << true << QStringList{"y"};
    }
    void whoReadsAValueIsWhatTheFileSays() {
        QFETCH(bool, is_result);
        Model model;
        const int x = model.tensor("x", Float32, {4}), w = model.tensor("w", Float32, {4});
        const int packed = model.constant<uint16_t>("packed", Float16, {4}, {0x3c00, 0, 0, 0});
        const int y = model.tensor("y", Float32, {4});
        model.op(Dequantize, {packed}, {w});
        model.op(Add, {x, w}, {y});
        const OpenedInput input = opened(model.file({x}, is_result ? std::vector{y, w} : std::vector{y}), "m.tflite");
        QTEST(taken(input, std::make_shared<BackendDescription>(*builtin_backend("tflite_xnnpack"))), "names");
    }

    /// The GPU delegate takes a conversion of a comparison that nothing else reads.
    void comparisonsGoToTheGpuWithTheirConversion() {
        Model model;
        const int x = model.tensor("x", Float32, {4}), less = model.tensor("less", Bool, {4});
        const int y = model.tensor("y", Float32, {4});
        model.op(Less, {x, model.constant<float>("one", Float32, {4}, {1, 1, 1, 1})}, {less});
        model.op(Cast, {less}, {y});
        const BackendPtr gpu = std::make_shared<BackendDescription>(*builtin_backend("tflite_gpu"));
        QCOMPARE(taken(opened(model.file({x}, {y}), "m.tflite"), gpu), (QStringList{"less", "y"}));
        QCOMPARE(taken(opened(model.file({x}, {y, less}), "m.tflite"), gpu), QStringList{"less"});
    }

    void verdictsOfTheGpuAreThoseOfLitert() {
        const QString folder = testing::reference_folder();
        if (folder.isEmpty()) QSKIP("no reference data");
        const BackendPtr gpu = std::make_shared<BackendDescription>(*builtin_backend("tflite_gpu"));
        int operators = 0, nodes = 0;
        QStringList wrong;
        const auto open = [&](const QString& path) {
            Result<OpenedModule> read = open_module(path.toStdString());
            return read ? std::optional(OpenedInput(std::move(*read))) : std::nullopt;
        };
        const auto lines = [&](const QString& name) {
            QStringList list =
                QString::fromStdString(testing::read_text(folder + name)).split('\n', Qt::SkipEmptyParts);
            for (QString& line : list) line.replace("-Infinity", "0").replace("Infinity", "0").replace("NaN", "0");
            return list;
        };
        for (const QString& line : lines("/litert/ops/ops.jsonl")) {
            const auto json = nlohmann::json::parse(line.toStdString());
            const QString name = QString::fromStdString(json["name"]);
            const auto input = open(folder + "/litert/ops/models/" + name + ".tflite");
            if (!input) continue;
            ++operators;
            if (taken(*input, gpu).isEmpty() == json["gpu"].is_null()) wrong << name;
        }
        for (const QString& line : lines("/litert/gpu-oracle.jsonl")) {
            const auto json = nlohmann::json::parse(line.toStdString());
            const QString name = QString::fromStdString(json["model"]);
            const auto input = open(folder + "/litert/models/" + name);
            if (!input) continue;
            const QStringList names = taken(*input, gpu);
            for (size_t i = 0; i < input->graph->nodes.size(); ++i, ++nodes)
                if (names.contains(QString::fromStdString(input->graph->nodes[i].name)) ==
                    json["refused"].contains(std::to_string(i)))
                    wrong << name + QString(" node %1").arg(i);
        }
        qInfo("%d operators and %d nodes of models", operators, nodes);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void constraintsOfANpuAreTracedToTheirLine() {
        const OpenedInput low = opened(convolution(3), "m.tflite"), high = opened(convolution(4), "m.tflite");
        const BackendPtr npu = in_python("vela_rules.py");
        std::string fault;
        QCOMPARE(taken(low, npu, &fault), (QStringList{"y", "z"}));
        QCOMPARE(fault, std::string());
        QCOMPARE(taken(high, npu), QStringList{"z"});
        const std::string said = reason(high, npu, "y");
        QVERIFY2(
            said.starts_with("vela_rules.py:50: valid = least <= op.kernel.height <= most: The kernel's height must "
                             "be in the range [1, 3] (height 4): least = 1, op.kernel.height = 4, most = 3"),
            said.c_str());
    }

    void supportOfTorchFxIsTracedToItsLine() {
        const OpenedInput input = exported();
        const BackendPtr backend = in_python("fx_support.py");
        std::string fault;
        QCOMPARE(taken(input, backend, &fault), (QStringList{"x", "relu", "add", "sum_1", "output"}));
        QCOMPARE(fault, std::string());
    }

    void configurationsOfSingleOperatorsDecide() {
        const OpenedInput input = exported();
        const BackendPtr backend = in_python("fx_configs.py");
        QCOMPARE(taken(input, backend), (QStringList{"relu", "add"}));
    }

    void aLoopWhoseEndIsKnownIsRun() {
        QCOMPARE(results_of(opened(loop(3, true), "m.tflite"), {{"x", number(5)}}), (std::vector<double>{3, 40}));
        QCOMPARE(results_of(opened(loop(0, true), "m.tflite"), {{"x", number(5)}}), (std::vector<double>{0, 5}));
    }

    void aLoopWhoseEndIsNotKnownIsShownAsAWhole() {
        for (const auto& [turns, known, words] : {std::tuple(3, false, "how often it runs depends on data"),
                                                  std::tuple(INT32_MAX, true, "over 10000 times")}) {
            const OpenedInput input = opened(loop(turns, known), "m.tflite");
            QCOMPARE(input.graph->nodes.size(), size_t(1));
            const bool said = std::any_of(
                input.notes.begin(), input.notes.end(),
                [&, words = words](const Diagnostic& note) { return note.message.find(words) != std::string::npos; });
            QVERIFY2(said, words);
        }
    }

    /// The power on the CPU reads the constant's DEQUANTIZE, so the second sum has to wait for it.
    void aConstantOf16BitsMayCutARegion() {
        const std::vector<WhatIf> rows =
            float16_rows(divided_for("tflite_xnnpack", opened(sums_and_power(), "m.tflite")));
        QCOMPARE(rows.size(), size_t(1));
        QCOMPARE(rows[0].cause.reason.text(), std::string("float16 for the constant w"));
        QCOMPARE(rows[0].cause.calls.size(), size_t(2));
        QCOMPARE(rows[0].before.regions, 1);
        QCOMPARE(rows[0].after.regions, 2);
    }

    void aConstantIsReadAsFloat16() {
        OpenOptions options;
        options.float16 = {"w"};
        const OpenedInput input = opened(sums_and_power(), "m.tflite", options);
        QCOMPARE(input.graph->nodes.size(), size_t(4));
        QCOMPARE(input.graph->nodes[1].op, std::string("DEQUANTIZE"));
        QCOMPARE(input.graph->nodes[1].name, std::string("w"));
        Tensor x(kFloat32, {2});
        x.set(0, 1), x.set(1, 1);
        const double w = half_to_float(float_to_half(0.1f));
        QVERIFY(w != double(0.1f));
        const std::vector<double> results = results_of(input, {{"x", x}});
        QVERIFY(std::abs(results.at(0) - std::pow(2 + w, w)) < 1e-6);
        QVERIFY(std::abs(results.at(1) - 125) < 1e-4);
        options.float16 = {"y"};
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.tflite").toStdString();
        QVERIFY(write_file(path, sums_and_power()));
        const Result<OpenedModule> refused = open_module(path, options);
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("no float32 constant is called") != std::string::npos);
    }

    /// What a row says is what the file divides into when it is read so.
    void rowsOfFloat16ComeTrue() {
        const QString folder = partita::testing::reference_folder();
        if (folder.isEmpty()) QSKIP("no reference data");
        int rows = 0;
        for (const QFileInfo& model : QDir(folder + "/litert/models").entryInfoList({"*.tflite"}))
            for (const char* backend : {"tflite_gpu", "tflite_xnnpack"}) {
                const std::string path = model.filePath().toStdString();
                const Result<OpenedModule> read = open_module(path);
                if (!read) continue;
                for (const WhatIf& row : float16_rows(divided_for(backend, OpenedInput(*read)))) {
                    OpenOptions options;
                    options.float16 = row.float16;
                    const Result<OpenedModule> changed = open_module(path, options);
                    QVERIFY2(changed, qPrintable(model.fileName()));
                    const Divided divided = divided_for(backend, OpenedInput(*changed));
                    QVERIFY2(figures_of(divided.result) == row.after, row.cause.reason.text().c_str());
                    ++rows;
                }
            }
        QVERIFY2(rows >= 5, qPrintable(QString::number(rows)));
    }

    void aBranchIsChosenInTheRun() {
        Model model;
        const int p = model.tensor("p", Type(6), {}), x = model.tensor("x", Float32, {}),
                  y = model.tensor("y", Float32, {});
        model.op(If, {p, x}, {y}, subgraphs(92, 1, 2));
        model.end_subgraph({p, x}, {y});
        for (float factor : {2.f, 3.f}) {
            const int a = model.tensor("a", Float32, {}), b = model.tensor("b", Float32, {});
            model.op(Mul, {a, model.constant<float>("factor", Float32, {}, {factor})}, {b});
            if (factor == 3.f) break;
            model.end_subgraph({a}, {b});
        }
        const OpenedInput input = opened(model.file({0}, {1}), "m.tflite");
        QCOMPARE(results_of(input, {{"p", number(1, kBool)}, {"x", number(5)}}), std::vector<double>{10});
        QCOMPARE(results_of(input, {{"p", number(0, kBool)}, {"x", number(5)}}), std::vector<double>{15});
    }

    void aVariableIsWhatWasAssignedLast() {
        Model model;
        const auto named = options(111, {{1, Value::text("v")}});
        const int x = model.tensor("x", Float32, {}), v = model.tensor("v", Resource, {});
        const int before = model.tensor("before", Float32, {}), sum = model.tensor("sum", Float32, {});
        const int after = model.tensor("after", Float32, {});
        model.op(CallOnce, {}, {}, options(103, {{0, Value::number(int32_t(1))}}));
        model.op(VarHandle, {}, {v}, named);
        model.op(Read, {v}, {before});
        model.op(Add, {before, x}, {sum});
        model.op(Assign, {v, sum}, {});
        model.op(Read, {v}, {after});
        model.end_subgraph({x}, {before, after});
        const int handle = model.tensor("handle", Resource, {});
        model.op(VarHandle, {}, {handle}, named);
        model.op(Assign, {handle, model.constant<float>("two", Float32, {}, {2})}, {});
        const OpenedInput input = opened(model.file({}, {}), "m.tflite");
        QCOMPARE(results_of(input, {{"x", number(5)}}), (std::vector<double>{2, 7}));
    }
};

PARTITA_TEST(TestFileOperators)

}  // namespace test_file_operators

#include "test_file_operators.moc"
