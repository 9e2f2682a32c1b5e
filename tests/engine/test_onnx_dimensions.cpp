// Named dimensions of ONNX models: sums in names, relations that the graph shows, contradictions.
#include <QtTest>

#include "engine/frontends/onnx/dimension_relation.h"
#include "engine/frontends/onnx/importer.h"
#include "tests/engine/tiny_decoder.h"
#include "tests/registry.h"

namespace test_onnx_dimensions {

using namespace partita;
namespace w = onnx_writer;

namespace {

using Source = NamedDimension::Source;
using Sizes = std::map<std::string, int64_t>;

OnnxOptions sized(const Sizes& sizes, bool correct = false) {
    OnnxOptions options;
    options.dimensions = sizes;
    options.correct_dimensions = correct;
    return options;
}

Sizes sizes_of(const std::string& model, const Sizes& given = {}) {
    const Result<OnnxImport> imported = import_onnx(model, sized(given));
    if (!imported) return {};
    Sizes sizes;
    for (const NamedDimension& each : imported->dimensions) sizes[each.name] = each.value;
    return sizes;
}

std::string refusal_of(const std::string& model, const Sizes& given) {
    const Result<OnnxImport> imported = import_onnx(model, sized(given));
    return imported ? "" : imported.error().message;
}

std::string notes_of(const OnnxImport& imported) {
    std::string text;
    for (const Diagnostic& note : imported.notes) text += note.message + "\n";
    return text;
}

/// y = Concat(a, b) along the first axis, with these names of lengths.
std::string joined(const std::string& a, const std::string& b, const std::string& y) {
    const w::GraphParts parts{{w::node("Concat", {"a", "b"}, {"y"}, {w::attribute("axis", 0)})},
                              {},
                              {w::named_value_info("a", {a, "3"}), w::named_value_info("b", {b, "3"})},
                              {w::named_value_info("y", {y, "3"})}};
    return w::model(parts);
}

}  // namespace

class TestOnnxDimensions : public QObject {
    Q_OBJECT

private slots:
    void sumsAreParsed() {
        using onnx::parse_dimension;
        const auto sum = parse_dimension("past_sequence_length + 2*seq - 1");
        QVERIFY(sum.has_value());
        QCOMPARE(onnx::sum_of(*sum, {{"past_sequence_length", 5}, {"seq", 3}}).value(), int64_t(10));
        QCOMPARE(onnx::solve(*sum, "seq", {{"past_sequence_length", 5}, {"past_sequence_length + 2*seq - 1", 10}}),
                 std::optional<int64_t>(3));
        for (const char* text : {"batch", "batch-size", "a+", "*a", "a b", "Max(1, s0)", "a // 2", "2x * 1", "", "+",
                                 "a + 99999999999999999999", "a -1"})
            QVERIFY2(!parse_dimension(text), text);
        const auto large = parse_dimension("a*9000000000000000000");
        QVERIFY(large.has_value());
        QVERIFY(!onnx::sum_of(*large, {{"a", 2}}));
    }

    void aSumFollowsFromItsParts() {
        const std::string model = joined("p", "s", "p + s"), with_input = joined("p", "p + 2", "y");
        QCOMPARE(sizes_of(with_input, {{"p", 5}}), (Sizes{{"p", 5}, {"p + 2", 7}}));
        QCOMPARE(sizes_of(with_input, {{"p + 2", 6}}), (Sizes{{"p", 4}, {"p + 2", 6}}));
        QCOMPARE(sizes_of(with_input), (Sizes{{"p", 1}, {"p + 2", 3}}));
        const std::string refused = refusal_of(with_input, {{"p", 5}, {"p + 2", 6}});
        QVERIFY2(refused.find("'p + 2' can't be 6 with p = 5") != std::string::npos, refused.c_str());
        const std::string unsolvable = refusal_of(with_input, {{"p + 2", 1}});
        QVERIFY2(unsolvable.find("no size of 'p' agrees") != std::string::npos, unsolvable.c_str());
        QCOMPARE(sizes_of(model, {{"p", 5}, {"s", 2}}), (Sizes{{"p", 5}, {"s", 2}}));
    }

    void theTotalOfADecoderFollows() {
        const std::string model = tiny_decoder::model();
        QCOMPARE(sizes_of(model), (Sizes{{"batch", 1}, {"seq", 1}, {"past", 1}, {"total", 2}}));
        QCOMPARE(sizes_of(model, {{"past", 5}, {"seq", 3}}).at("total"), int64_t(8));
        QCOMPARE(sizes_of(model, {{"total", 9}, {"seq", 2}}).at("past"), int64_t(7));
        QCOMPARE(sizes_of(model, {{"past", 0}, {"seq", 4}}).at("total"), int64_t(4));
        const Result<OnnxImport> imported = import_onnx(model, sized({{"past", 5}, {"seq", 3}}));
        const NamedDimension* total = find_dimension(imported->dimensions, "total");
        QCOMPARE(total->source, Source::Derived);
        QCOMPARE(total->relation, std::string("past + seq"));
        QCOMPARE(total->inputs, (std::vector<std::pair<std::string, int>>{{"attention_mask", 1}}));
        const std::string notes = notes_of(*imported);
        QVERIFY2(notes.find("'total' is 8: past + seq") != std::string::npos, notes.c_str());
        QVERIFY2(notes.find("'batch' is taken as 1") != std::string::npos, notes.c_str());
    }

    void aTotalThatContradictsIsRefused() {
        const std::string refused = refusal_of(tiny_decoder::model(), {{"past", 3}, {"seq", 1}, {"total", 9}});
        for (const char* part :
             {"'total' can't be 9", "past = 3", "seq = 1", "dimension 2 of 'present.0.key' is then 4"})
            QVERIFY2(refused.find(part) != std::string::npos, refused.c_str());
        const Result<OnnxImport> corrected =
            import_onnx(tiny_decoder::model(), sized({{"past", 3}, {"seq", 1}, {"total", 9}}, true));
        QVERIFY(corrected);
        QCOMPARE(find_dimension(corrected->dimensions, "total")->value, int64_t(4));
        QVERIFY(notes_of(*corrected).find("'total' was given as 9, which contradicts") != std::string::npos);
    }

    void theGraphSaysWhatNoNameDoes() {
        // Other names than exporters usually give: the sum is seen where the graph computes it.
        const std::string model = tiny_decoder::model({"L", "P", "T", "T"});
        QCOMPARE(sizes_of(model, {{"P", 4}, {"L", 2}}).at("T"), int64_t(6));
        const w::GraphParts parts{
            {w::node("Concat", {"a", "b"}, {"y"}, {w::attribute("axis", 0)}), w::node("Add", {"y", "c"}, {"z"})},
            {},
            {w::named_value_info("a", {"A", "3"}), w::named_value_info("b", {"B", "3"}),
             w::named_value_info("c", {"C", "3"})},
            {w::named_value_info("z", {"C", "3"})}};
        const Result<OnnxImport> imported = import_onnx(w::model(parts), sized({{"A", 4}, {"B", 2}}));
        QVERIFY(imported);
        const NamedDimension* sum = find_dimension(imported->dimensions, "C");
        QCOMPARE(sum->value, int64_t(6));
        QCOMPARE(sum->found_at, std::string("dimension 0 of 'z'"));
    }

    void aNameThatIsWrongIsSaidAndNoReasonToRefuse() {
        // y is called N and has twice as many rows: no size of N agrees.
        const std::string model = joined("N", "N", "N");
        const Result<OnnxImport> imported = import_onnx(model, sized({{"N", 5}}));
        QVERIFY(imported);
        QCOMPARE(imported->dimensions[0].value, int64_t(5));
        QVERIFY2(notes_of(*imported).find("the model calls dimension 0 of 'y' 'N', which is 5; it is 10") !=
                     std::string::npos,
                 notes_of(*imported).c_str());
    }

    void manyNamesAreReadInLinearTime() {
        w::GraphParts parts{{w::node("Relu", {"x0"}, {"y"})}, {}, {}, {w::named_value_info("y", {"n0"})}};
        for (int i = 0; i < 20000; ++i) {
            const std::string name = "n" + std::to_string(i);
            parts.inputs.push_back(w::named_value_info("x" + std::to_string(i), {i % 2 ? name + " + n0*2" : name}));
        }
        QCOMPARE(sizes_of(w::model(parts), {{"n0", 3}}).at("n1 + n0*2"), int64_t(7));
    }
};

PARTITA_TEST(TestOnnxDimensions)

}  // namespace test_onnx_dimensions

#include "test_onnx_dimensions.moc"
