// ONNX import: operands that no node of its kind can have.
#include <QtTest>
#include <set>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/integers.h"
#include "tests/engine/onnx_testing.h"
#include "tests/registry.h"

namespace test_onnx_operands {

using namespace partita;
namespace w = onnx_writer;

namespace {

/// The operands are called i0, i1, ... as inputs and c0, c1, ... as constants, by shape.
const std::vector<int64_t> kShapes[] = {{}, {0}, {1}, {3}, {2, 0}, {2, 2}, {1, 2, 2}, {1, 2, 4, 4}};

/// Adds what an operand's name means to a graph, once.
void add_operand(w::GraphParts& parts, std::set<std::string>& known, const std::string& name, int type) {
    if (!known.insert(name).second) return;
    const std::vector<int64_t>& shape = kShapes[size_t(name[1] - '0')];
    if (name[0] == 'i') return parts.inputs.push_back(w::value_info(name, shape, type));
    std::string constant = w::number(2, type) + w::bytes(8, name);
    for (int64_t dimension : shape) constant += w::number(1, dimension);
    const size_t count = size_t(element_count(shape).value_or(0));
    parts.initializers.push_back(constant + w::bytes(9, std::string(count * (type == 7 ? 8 : 4), '\0')));
}

w::GraphParts graph_with(const std::vector<std::string>& operands, int type) {
    w::GraphParts parts;
    std::set<std::string> known;
    for (const std::string& operand : operands) add_operand(parts, known, operand, type);
    parts.outputs = {w::value_info("y", {1})};
    return parts;
}

std::string inner_graph() {
    return w::graph({{w::node("Identity", {"i7"}, {"r"})}, {}, {}, {w::value_info("r", {1, 2, 4, 4})}});
}

}  // namespace

class TestOnnxOperands : public QObject {
    Q_OBJECT

private slots:
    void aPlaceThatAListHasNotIsAFault() {
        const onnx::Integers list{1, 2};
        QCOMPARE(list[1], int64_t(2));
        QVERIFY_EXCEPTION_THROWN(list[2], onnx::Fault);
        QVERIFY_EXCEPTION_THROWN(onnx::Integers().back(), onnx::Fault);
        onnx::Integers more = list;
        QVERIFY_EXCEPTION_THROWN(more.insert(more.begin() + 3, 1), onnx::Fault);
        QVERIFY_EXCEPTION_THROWN(more.erase(more.end()), onnx::Fault);
        more.insert(more.end(), 7);
        QCOMPARE(more, (onnx::Integers{1, 2, 7}));
    }

    /// Every operator, with each combination of a shape for its first operand and one for the others: empty, scalar, of
    /// another rank.
    void operandsOfAnyShapeAreConvertedOrRefused() {
        const std::vector<std::string> firsts{"i0", "i1", "i3", "i5", "i6", "i7"},
            others{"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "i1", "i5"};
        const std::set<std::string> with_graphs{"If", "Loop", "Scan", "SequenceMap"};
        size_t refused = 0;
        for (const auto& [type, opset] : {std::pair(1, 17), {7, 17}, {1, 8}})
            for (const std::string& name : onnx::convertible_operators())
                for (const std::string& first : firsts)
                    for (const std::string& other : others)
                        for (size_t count : {1, 2, 3, 5}) {
                            const size_t dot = name.rfind('.');
                            std::vector<std::string> operands(count, other), attributes;
                            operands[0] = first;
                            for (const char* graph : {"body", "then_branch", "else_branch"})
                                if (with_graphs.contains(name))
                                    attributes.push_back(w::graph_attribute(graph, inner_graph()));
                            std::vector<std::string> all = operands;
                            all.push_back("i7");  // of the subgraphs
                            w::GraphParts parts = graph_with(all, type);
                            parts.nodes = {w::node(name.substr(dot + 1), operands, {"y"}, attributes, "",
                                                   dot == std::string::npos ? "" : name.substr(0, dot))};
                            const Result<OnnxImport> imported = import_onnx(w::model(parts, opset), {});
                            refused += !imported || !imported->unsupported.empty();
                        }
        QVERIFY(refused > 1000);
    }

    void sequencesOfOtherRanksAreRefused() {
        w::GraphParts parts = graph_with({"i7", "i3"}, 1);
        parts.nodes = {
            w::node("SequenceConstruct", {"i7", "i3"}, {"s"}),
            w::node("ConcatFromSequence", {"s"}, {"y"}, {w::attribute("axis", 2), w::attribute("new_axis", 1)})};
        const Result<OnnxImport> imported = import_onnx(w::model(parts, 17), {});
        QVERIFY(imported);
        QCOMPARE(imported->unsupported.size(), size_t(1));
    }
};

PARTITA_TEST(TestOnnxOperands)

}  // namespace test_onnx_operands

#include "test_onnx_operands.moc"
