// The reader of `.tflite` files: what it reads of small ones made here, of the models of the reference data and of
// broken ones. What operators compute is tried in test_litert_runs.
#include <QtTest>

#include <numeric>
#include <random>

#include <QDirIterator>
#include <QTemporaryDir>

#include "engine/division/division.h"
#include "engine/graph/graph_json.h"
#include "engine/ops/registry.h"
#include "engine/partitioners/given.h"
#include "engine/partitioners/partitioner.h"
#include "engine/session/graph_division.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/engine/litert_writer.h"
#include "tests/engine/reference_data.h"
#include "tests/registry.h"

namespace test_litert {

using namespace partita;
using namespace partita::litert_testing;

namespace {

Result<OpenedModule> open_bytes(const std::string& bytes, const OpenOptions& options = {}) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.tflite").toStdString();
    if (Status written = write_file(path, bytes); !written) return written.error();
    return open_module(path, options);
}

std::string refusal(const std::string& bytes) {
    const Result<OpenedModule> opened = open_bytes(bytes);
    return opened ? "accepted" : opened.error().message;
}

bool notes_have(const OpenedModule& opened, const std::string& text) {
    return std::any_of(opened.notes.begin(), opened.notes.end(),
                       [&](const Diagnostic& note) { return note.message.find(text) != std::string::npos; });
}

/// x -> FFT_LIKE (custom) -> ADD with a constant -> y
std::string small_model() {
    Model model;
    const int x = model.tensor("x", Float32, {2, 3}), hidden = model.tensor("hidden", Float32, {2, 3});
    const int w = model.constant<float>("w", Float32, {3}, {1, 2, 3}), y = model.tensor("y", Float32, {2, 3});
    model.op(32, {x, -1}, {hidden}, {}, "FftLike");
    model.op(0, {hidden, w}, {y},
             {{3, Value::number(uint8_t(11))}, {4, Value::table({{0, Value::number(int8_t(1))}})}});
    return model.file({x}, {y});
}

QString litert_folder() {
    const QString folder = testing::reference_folder();
    return folder.isEmpty() || !QFile::exists(folder + "/litert/README.md") ? QString() : folder + "/litert";
}

}  // namespace

class TestLitert : public QObject {
    Q_OBJECT
private slots:
    void theGraphIsTheFiles() {
        const Result<OpenedModule> opened = open_bytes(small_model());
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        const Graph& graph = *opened->graph;
        QCOMPARE(graph.nodes.size(), size_t(2));
        QCOMPARE(graph.nodes[0].op, std::string("FftLike"));
        QCOMPARE(graph.nodes[0].name, std::string("hidden"));
        QVERIFY(!graph.nodes[0].inputs[1].valid());
        QCOMPARE(graph.nodes[1].op, std::string("ADD"));
        QVERIFY(graph.nodes[1].attributes.find("'fused_activation_function':'RELU'") == std::string::npos);
        QVERIFY(QString::fromStdString(graph.nodes[1].attributes).contains("RELU"));
        QVERIFY(graph[graph.nodes[1].inputs[1]].constant);
        QCOMPARE(graph[graph.inputs[0]].shape, (std::vector<int64_t>{2, 3}));
        // What is not known is shown, what is known is the engine's.
        QCOMPARE(called_op_record(*opened->module, graph.nodes[0].expression)->name, graph.nodes[0].op);
        QCOMPARE(called_op_record(*opened->module, graph.nodes[1].expression)->name, std::string("nn.relu"));
        QCOMPARE(std::string(opened->module->label(graph.nodes[1].expression)), std::string("y"));
        QVERIFY(notes_have(*opened, "FftLike ('hidden') is shown, but can't be run: it is a custom operator"));
    }

    void operatorsStandInTheFilesOrderThoughTheyRunInAnother() {
        Model model;
        const int x = model.tensor("x", Float32, {2}), a = model.tensor("a", Float32, {2}),
                  y = model.tensor("y", Float32, {2});
        model.op(101, {a}, {y});
        model.op(101, {x}, {a});
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y}));
        QVERIFY(opened);
        QCOMPARE(opened->graph->nodes[0].name, std::string("y"));
        QVERIFY(opened->graph->nodes[0].expression.value > opened->graph->nodes[1].expression.value);
    }

    void controlEdgesAreRead() {
        Model model;
        const int x = model.tensor("x", Float32, {2}), y = model.tensor("y", Float32, {2}),
                  z = model.tensor("z", Float32, {2});
        model.op(101, {x}, {y});
        model.op(101, {x}, {z});
        // One subgraph with one pair: 1 before 0.
        model.metadata("model_control_dependencies", std::string("\1\1\1\2\0", 5));
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y, z}));
        QVERIFY(opened);
        QCOMPARE(opened->graph->nodes[0].after, std::vector<NodeId>{NodeId(1)});
    }

    void aSignatureNamesInputsAndResults() {
        Model model;
        const int x = model.tensor("serving_x:0", Float32, {2}), y = model.tensor("Identity", Float32, {2});
        model.op(101, {x}, {y});
        const auto map = [](const char* name, int tensor) {
            return Value::list({Value::table({{0, Value::text(name)}, {1, Value::number(uint32_t(tensor))}})});
        };
        model.set_model(7,
                        Value::list({Value::table({{0, map("x", x)}, {1, map("y", y)}, {2, Value::text("serve")}})}));
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y}));
        QVERIFY(opened);
        const ExprId main = opened->module->find_function("main");
        QCOMPARE(std::string(opened->module->name(opened->module->parameters(main)[0])), std::string("x"));
    }

    void sizesThatAreLeftOpenCanBeGiven() {
        Model model;
        const int x = model.tensor("x", Float32, {1, 3}), y = model.tensor("y", Float32, {1, 3});
        for (int tensor : {x, y}) model.set(tensor, 7, Value::numbers(std::vector<int32_t>{-1, 3}));
        model.op(101, {x}, {y});
        OpenOptions options;
        options.dimensions["x:0"] = 5;
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y}), options);
        QVERIFY(opened);
        QVERIFY(check_dimensions(*opened, options.dimensions));
        const Module& module = *opened->module;
        QCOMPARE(module.types().to_string(module.type(module.body(module.find_function("main")))),
                 std::string("Tensor[(5, 3), float32]"));
        QCOMPARE((*opened->graph)[opened->graph->inputs[0]].shape[0], kDynamicDim);
    }

    void whatIsNoTensorOfNumbersIsShown() {
        Model model;
        const int x = model.tensor("x", Float32, {2}), handle = model.tensor("v", Resource, {}),
                  y = model.tensor("y", Float32, {2});
        model.op(142, {}, {handle});
        model.op(143, {handle}, {y});
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y}));
        QVERIFY(opened);
        QCOMPARE(opened->graph->nodes[0].op, std::string("VAR_HANDLE"));
        QCOMPARE((*opened->graph)[opened->graph->nodes[0].outputs[0]].dtype, std::string("resource"));
    }

    void aConstantIsReadWhenItIsWanted() {
        Model model;
        const int x = model.tensor("x", Float32, {1, 3000}), y = model.tensor("y", Float32, {1, 3000});
        const int w = model.constant<float>("w", Float32, {3000}, std::vector<float>(3000, 2));
        model.op(18, {x, w}, {y}, {{3, Value::number(uint8_t(21))}, {4, Value::table({})}});
        const Result<OpenedModule> opened = open_bytes(model.file({x}, {y}));
        QVERIFY(opened);
        bool unread = false;
        for (const Tensor& constant : opened->module->constants())
            unread = unread || (constant.defined() && !constant.in_memory());
        QVERIFY(unread);
    }

    /// Two chains of one selected and one other operator, written one after the other.
    void anotherOrderOfTheFileGivesFewerPartitions() {
        Model model;
        std::vector<int32_t> inputs, outputs;
        for (int i = 0; i < 3; ++i) {
            const std::string number = std::to_string(i);
            inputs.push_back(model.tensor("x" + number, Float32, {2}));
            const int taken = model.tensor("taken" + number, Float32, {2});
            outputs.push_back(model.tensor("left" + number, Float32, {2}));
            model.op(101, {inputs.back()}, {taken});
            model.op(59, {taken}, {outputs.back()});
        }
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.tflite").toStdString(),
                          better = folder.filePath("b.tflite").toStdString();
        QVERIFY(write_file(path, model.file(inputs, outputs)));
        const std::string verdicts = folder.filePath("v.json").toStdString();
        const std::string taken_by_npu = "{\"backend\": \"npu\", \"taken\": [\"taken0\", \"taken1\", \"taken2\"]}";
        QVERIFY(write_file(verdicts, taken_by_npu));
        const auto regions = [&](const std::string& file, const std::string& order, const std::string& write_to) {
            Result<OpenedInput> input = open_input_file(file, {});
            if (!input) return -1;
            std::vector<Diagnostic> notes;
            GraphDivideRequest request{"litert-plugin", {{"order", order}}, verdicts, {}};
            const Result<Division> division = divide_graph(*input, *input->graph, request, notes);
            if (!division) return -2;
            if (!write_to.empty() && !write_in_order_of_regions(*input, *input->graph, *division, write_to)) return -3;
            return int(division->regions.size());
        };
        QCOMPARE(regions(path, "file", ""), 3);
        QCOMPARE(regions(path, "fewest", better), 1);
        // The file that was written has them in this order, and the same operators.
        QCOMPARE(regions(better, "file", ""), 1);
        const Result<OpenedModule> old_one = open_module(path), new_one = open_module(better);
        QVERIFY(old_one && new_one);
        QCOMPARE(QFileInfo(QString::fromStdString(path)).size(), QFileInfo(QString::fromStdString(better)).size());
        QCOMPARE(new_one->graph->nodes[1].name, std::string("taken1"));
        QCOMPARE(new_one->graph->nodes[3].op, std::string("NEG"));
    }

    /// Against all orders of random graphs.
    void theFewestRunsAreTheFewestOfAllOrders() {
        std::mt19937 random(3);
        for (int round = 0; round < 150; ++round) {
            const uint32_t count = 2 + random() % 6;
            Graph graph;
            Verdicts verdicts;
            for (int backend = 0; backend < 1 + int(round % 2); ++backend) {
                verdicts.backends.push_back({"b" + std::to_string(backend), std::vector<bool>(count)});
                for (uint32_t i = 0; i < count; ++i) verdicts.backends.back().takes[i] = random() % 2;
            }
            for (uint32_t i = 0; i < count; ++i) {
                PlainNode node;
                node.name = "n" + std::to_string(i);
                for (uint32_t before = 0; before < i; ++before)
                    if (random() % 3 == 0) node.after.push_back(NodeId(before));
                graph.nodes.push_back(std::move(node));
            }
            const NodeLinks links(graph);
            std::vector<uint32_t> order(count);
            std::iota(order.begin(), order.end(), 0);
            size_t fewest = SIZE_MAX;
            do {
                std::vector<bool> done(count);
                bool runs = true;
                size_t number = 0;
                int last = -1;
                for (uint32_t node : order) {
                    for (NodeId before : links.before(NodeId(node))) runs = runs && done[before.value];
                    done[node] = true;
                    const int backend = verdicts.first(NodeId(node));
                    number += backend >= 0 && backend != last;
                    last = backend;
                }
                if (runs) fewest = std::min(fewest, number);
            } while (std::next_permutation(order.begin(), order.end()));
            const Result<Division> division = run_partitioner(*find_partitioner("litert-plugin"),
                                                              {graph, links, verdicts, {{"order", "fewest"}}, {}});
            QVERIFY(division);
            QCOMPARE(division->regions.size(), fewest);
        }
    }

    void wrongFilesAreRefusedWithAReason() {
        std::string text = small_model();
        text[7] = '2';
        QCOMPARE(refusal(text), std::string("its identifier at byte 4 is not TFL3"));
        Model model;
        const int x = model.tensor("x", Float32, {2}), y = model.tensor("y", Float32, {2});
        model.op(101, {x}, {y});
        QCOMPARE(refusal(model.file({x}, {7})), std::string("the outputs name tensor 7 of 2"));
        model.op(101, {x}, {y});
        QCOMPARE(refusal(model.file({x}, {y})), std::string("tensor 1 is made by operator 0 and by ABS #1"));
        Model short_one;
        const int w = short_one.constant<float>("w", Float32, {400}, {1, 2});
        short_one.op(101, {w}, {short_one.tensor("y", Float32, {400})});
        QCOMPARE(refusal(short_one.file({}, {1})),
                 std::string("tensor 0 'w' of shape (400) needs 1600 bytes, and its buffer has 8"));
    }

    void filesDamagedAtRandomNeverCrash() {
        std::mt19937 random(7);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.tflite").toStdString(), good = small_model();
        for (int i = 0; i < 400; ++i) {
            std::string bytes = good;
            for (int change = 0; change < 1 + i % 4; ++change)
                bytes[random() % bytes.size()] = char(random() % 4 ? random() % 8 : random());
            if (i % 10 == 0) bytes.resize(random() % bytes.size());
            QVERIFY(write_file(path, bytes));
            const Result<OpenedModule> opened = open_module(path);
            QVERIFY(opened || !opened.error().message.empty());
        }
    }

    void brokenFilesOfTheReferenceAreRefusedOrSurvived() {
        if (litert_folder().isEmpty()) QSKIP("no reference data");
        int taken = 0, refused = 0;
        for (QDirIterator files(litert_folder() + "/hostile", {"*.tflite"}); files.hasNext();) {
            const Result<OpenedModule> opened = open_module(files.next().toStdString());
            opened ? ++taken : ++refused;
            QVERIFY(opened ? !opened->notes.empty() || opened->graph->nodes.size() < 3
                           : !opened.error().message.empty());
        }
        qInfo("%d broken files were taken, %d refused", taken, refused);
        QVERIFY(refused > 20 && taken > 5);
    }

    /// The operators, types and signatures that the reference tells of each model.
    void modelsOfTheReferenceAreReadAsTheyAre() {
        if (litert_folder().isEmpty()) QSKIP("no reference data");
        const nlohmann::json models =
            nlohmann::json::parse(testing::read_text(litert_folder() + "/models/models.json"));
        int count = 0;
        for (const auto& model : models["models"]) {
            const QString path = litert_folder() + "/models/" + QString::fromStdString(model["file"]);
            if (!QFile::exists(path)) continue;
            ++count;
            const Result<OpenedModule> opened = open_module(path.toStdString());
            QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
            const Graph& graph = *opened->graph;
            QCOMPARE(graph.nodes.size(), model["subgraphs"][0]["operators"].get<size_t>());
            for (size_t i = 0; i < model["subgraphs"][0]["inputs"].size(); ++i) {
                const auto& input = model["subgraphs"][0]["inputs"][i];
                QCOMPARE(graph[graph.inputs[i]].name, input["name"].get<std::string>());
                QCOMPARE(QString::fromStdString(graph[graph.inputs[i]].dtype).toUpper(),
                         QString::fromStdString(input["type"]));
            }
            QVERIFY(read_graph_json(write_graph_json(graph)));
        }
        QVERIFY(count > 5);
    }

    /// What LiteRT's own code gives to a GPU, by its own verdicts.
    void divisionsOfTheReferenceAreLitertsOwn() {
        if (litert_folder().isEmpty()) QSKIP("no reference data");
        int equal = 0, all = 0;
        for (const nlohmann::json& line : testing::read_json_lines(litert_folder() + "/gpu-oracle.jsonl")) {
            const QString path = litert_folder() + "/models/" + QString::fromStdString(line["model"]);
            if (!QFile::exists(path)) continue;
            const Result<OpenedModule> opened = open_module(path.toStdString());
            QVERIFY(opened);
            const Graph& graph = *opened->graph;
            Verdicts verdicts;
            verdicts.backends.push_back({"gpu", std::vector<bool>(graph.nodes.size(), true)});
            for (const auto& [node, reason] : line["refused"].items())
                verdicts.backends[0].takes[std::stoul(node)] = false;
            for (const auto& run : line["runs"]) {
                std::map<std::string, std::string, std::less<>> options = {
                    {"n", std::to_string(run["N"].get<int>())}, {"min-nodes", "0"}, {"fp16", "yes"}};
                const Result<Division> division =
                    run_partitioner(*find_partitioner("tflite"), {graph, NodeLinks(graph), verdicts, options, {}});
                QVERIFY(division);
                std::vector<std::vector<uint32_t>> made, wanted;
                for (const DividedRegion& region : division->regions) {
                    made.emplace_back();
                    for (NodeId node : region.nodes) made.back().push_back(node.value);
                }
                for (const auto& step : run["final"])
                    if (step.is_object()) wanted.push_back(step["nodes"].get<std::vector<uint32_t>>());
                ++all;
                equal += made == wanted;
            }
        }
        qInfo("%d of %d divisions are equal", equal, all);
        QCOMPARE(equal, all);
    }
};

PARTITA_TEST(TestLitert)

}  // namespace test_litert

#include "test_litert.moc"
