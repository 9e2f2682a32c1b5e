// Control flow, sequences, detection, signals and text.
#include <algorithm>

#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Maker = GraphMaker;
namespace w = onnx_writer;

std::string named(const std::string& name, int type) {
    return w::bytes(1, name) + w::bytes(2, w::bytes(1, w::number(1, type)));
}

/// Returns a body with one node of two operands, the second of which is outside.
std::string branch(Maker& m, std::string_view op, const std::string& x, const std::string& y) {
    const std::string result = m.new_name("b");
    m.note(op);
    return w::graph({{w::node(op, {x, y}, {result})}, {}, {}, {named(result, kReal)}});
}

void conditional(Maker& m, std::string_view op) {
    Value x = m.real_data(), y = m.fresh(kReal, x.shape);
    Value condition = m.filled(
        kTruth, {}, [&](int64_t) { return double(m.between(0, 1)); }, m.chance(0.5));
    m.node(op, {condition.name},
           {w::graph_attribute("then_branch", branch(m, "Add", x.name, y.name)),
            w::graph_attribute("else_branch", branch(m, "Mul", x.name, y.name))});
}

void loop(Maker& m, std::string_view op) {
    Value start = m.fresh(kReal, m.shape(0, 2), true), step = m.fresh(kReal, start.shape, true);
    const std::string turn = m.new_name("b"), going = m.new_name("b"), state = m.new_name("b"), on = m.new_name("b"),
                      next = m.new_name("b"), scanned = m.new_name("b");
    std::vector<std::string> nodes{w::node("Identity", {going}, {on}), w::node("Add", {state, step.name}, {next}),
                                   w::node("Mul", {state, state}, {scanned})};
    std::string body = w::graph(
        {nodes,
         {},
         {w::value_info(turn, {}, kLong), w::value_info(going, {}, kTruth), w::value_info(state, start.shape, kReal)},
         {named(on, kTruth), named(next, kReal), named(scanned, kReal)}});
    std::vector<std::string> inputs{m.scalar(kLong, double(m.between(m.chance(0.1) ? 0 : 1, 4))).name,
                                    m.chance(0.5) ? m.filled(kTruth, {}, [](int64_t) { return 1.0; }).name : "",
                                    start.name};
    m.node(op, inputs, {w::graph_attribute("body", body)}, Effect::Rounded, 2);
}

void scan(Maker& m, std::string_view op) {
    const int64_t length = m.between(1, 4), width = m.between(1, 3), axis = m.between(0, 1);
    Value start = m.fresh(kReal, {width}, true),
          x = m.fresh(kReal, axis == 0 ? Shape{length, width} : Shape{width, length}, true);
    const std::string state = m.new_name("b"), part = m.new_name("b"), next = m.new_name("b"),
                      scanned = m.new_name("b");
    std::string body = w::graph({{w::node("Add", {state, part}, {next}), w::node("Mul", {next, part}, {scanned})},
                                 {},
                                 {w::value_info(state, {width}, kReal), w::value_info(part, {width}, kReal)},
                                 {named(next, kReal), named(scanned, kReal)}});
    Attributes attributes{w::graph_attribute("body", body), attribute("num_scan_inputs", 1),
                          attribute("scan_input_axes", Shape{axis})};
    if (m.chance(0.5)) attributes.push_back(attribute("scan_input_directions", Shape{m.between(0, 1)}));
    if (m.chance(0.5)) attributes.push_back(attribute("scan_output_directions", Shape{m.between(0, 1)}));
    if (m.chance(0.5)) attributes.push_back(attribute("scan_output_axes", Shape{m.between(0, 1)}));
    m.node(op, {start.name, x.name}, attributes, Effect::Rounded, 2);
}

/// Makes a sequence and a tensor computed from it.
void sequence(Maker& m, std::string_view op) {
    const Shape shape = m.shape(1, 3, false);
    std::string list;
    auto add = [&](std::string_view name, const std::vector<std::string>& inputs, const Attributes& attributes = {}) {
        list = m.node(name, inputs, attributes, Effect::Exact)[0];
        m.hide(list);
    };
    Value x = m.fresh(kReal, shape);
    int64_t length = 2;
    const int64_t axis = m.axis(int(shape.size()));
    if (op == "SplitToSequence") {
        length = shape[size_t(axis < 0 ? axis + int64_t(shape.size()) : axis)];
        add(op, {x.name}, {attribute("axis", axis), attribute("keepdims", 1)});
    } else if (op == "SequenceEmpty") {
        add(op, {}, {attribute("dtype", int(kReal))});
        add("SequenceInsert", {list, x.name});
        length = 1;
    } else {
        add("SequenceConstruct", {x.name, m.fresh(kReal, shape).name});
    }
    if (op == "SequenceInsert") add(op, {list, x.name, m.scalar(kLong, double(m.between(-2, 2))).name}), ++length;
    if (op == "SequenceErase") add(op, {list, m.scalar(kLong, double(m.between(-2, 1))).name}), --length;
    if (op == "SequenceMap") {
        const std::string element = m.new_name("b"), result = m.new_name("b");
        std::string body = w::graph({{w::node("Abs", {element}, {result})},
                                     {},
                                     {w::value_info(element, shape, kReal)},
                                     {named(result, kReal)}});
        add(op, {list}, {w::graph_attribute("body", body)});
    }
    if (op == "SequenceLength") return void(m.node(op, {list}, {}, Effect::Exact));
    if (op == "SequenceAt" || m.chance(0.4))
        return void(m.node("SequenceAt", {list, m.scalar(kLong, double(m.between(-length, length - 1))).name}, {},
                           Effect::Exact));
    const bool joins = m.chance(0.5) && op != "SplitToSequence";
    m.node("ConcatFromSequence", {list}, {attribute("axis", axis), attribute("new_axis", int(joins))}, Effect::Exact);
}

void window_function(Maker& m, std::string_view op) {
    Attributes attributes;
    if (m.chance(0.6)) attributes.push_back(attribute("periodic", m.between(0, 1)));
    if (m.chance(0.4)) attributes.push_back(attribute("output_datatype", m.one_of({kReal, kDouble})));
    m.inexact();
    m.node(op, {m.scalar(m.one_of({kInteger, kLong}), double(m.between(2, 12))).name}, attributes);
}

void suppression(Maker& m, std::string_view op) {
    const int64_t batches = m.between(1, 2), classes = m.between(1, 2), count = m.between(1, 5);
    Value boxes =
        m.filled(kReal, {batches, count, 4}, [&](int64_t i) { return i % 4 < 2 ? m.real(0, 1) : m.real(1, 2); });
    Value scores = m.filled(kReal, {batches, classes, count}, [&](int64_t) { return m.real(0, 1); });
    std::vector<std::string> inputs{boxes.name, scores.name};
    auto number = [&](int type, double value) { return m.filled(type, {1}, [=](int64_t) { return value; }).name; };
    if (m.chance(0.9)) inputs.push_back(number(kLong, double(m.between(0, 4))));
    if (inputs.size() == 3 && m.chance(0.7)) inputs.push_back(number(kReal, m.one_of({0.0, 0.3, 0.5})));
    if (inputs.size() == 4 && m.chance(0.5)) inputs.push_back(number(kReal, 0.4));
    m.node(op, inputs, m.chance(0.4) ? Attributes{attribute("center_point_box", m.between(0, 1))} : Attributes{},
           Effect::Exact);
}

void fourier(Maker& m, std::string_view op) {
    const int64_t length = m.between(4, 12);
    if (op == "STFT") {
        const int64_t frame = m.between(2, 4);
        Value signal = m.fresh(kReal, {m.between(1, 2), length, 1}, true);
        std::vector<std::string> inputs{signal.name, m.scalar(kLong, double(m.between(1, 3))).name,
                                        m.weight(kReal, {frame}).name, m.scalar(kLong, double(frame)).name};
        return void(m.node(op, inputs, {attribute("onesided", m.between(0, 1))}));
    }
    const bool one_sided = m.chance(0.4), inverse = !one_sided && m.chance(0.4);
    Value x = m.fresh(kReal, {m.between(1, 2), length, one_sided ? 1 : m.between(1, 2)}, true);
    std::vector<std::string> inputs{x.name};
    if (m.chance(0.4)) inputs.push_back(m.scalar(kLong, double(m.between(2, 14))).name);
    m.node(op, inputs,
           {attribute("axis", 1), attribute("inverse", int(inverse)), attribute("onesided", int(one_sided))});
}

void mel_weights(Maker& m, std::string_view op) {
    m.inexact();
    m.node(op, {m.scalar(kLong, double(m.between(2, 8))).name, m.scalar(kLong, double(m.between(8, 32))).name,
                m.scalar(kLong, 8192).name, m.scalar(kReal, double(m.between(0, 50))).name,
                m.scalar(kReal, double(m.between(2000, 4096))).name});
}

void term_counts(Maker& m, std::string_view op) {
    Shape shape = m.shape(1, 2, false);
    Value words = m.filled(
        m.one_of({kInteger, kLong}), shape, [&](int64_t) { return double(m.between(0, 4)); }, false);
    // Three single words, three pairs.
    const Shape pool{0, 2, 4, 1, 2, 3, 4, 0, 1};
    Attributes attributes{attribute("mode", m.one_of({"TF", "IDF", "TFIDF"})),
                          attribute("min_gram_length", m.between(1, 2)),
                          attribute("max_gram_length", 2),
                          attribute("max_skip_count", m.between(0, 2)),
                          attribute("ngram_counts", Shape{0, 3}),
                          attribute("ngram_indexes", Shape{0, 1, 2, 5, 4, 3}),
                          attribute("pool_int64s", pool)};
    if (m.chance(0.5)) attributes.push_back(attribute("weights", std::vector<double>{1, 0.5, 2, 3, 1, 0.25}));
    m.node(op, {words.name}, attributes, Effect::Exact);
}

const Recipe kRecipes[] = {
    {{"If"}, 7, conditional},
    {{"Loop"}, 7, loop},
    {{"Scan"}, 9, scan},
    {{"ConcatFromSequence", "SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert",
      "SequenceLength", "SplitToSequence"},
     11,
     sequence},
    {{"SequenceMap"}, 17, sequence},
    {{"BlackmanWindow", "HammingWindow", "HannWindow"}, 17, window_function},
    {{"NonMaxSuppression"}, 10, suppression},
    {{"DFT"}, 17, fourier, 19},  // later the axis is an input
    {{"STFT"}, 17, fourier},
    {{"MelWeightMatrix"}, 17, mel_weights},
    {{"TfIdfVectorizer"}, 9, term_counts},
};

}  // namespace

std::span<const Recipe> other_recipes() { return kRecipes; }

}  // namespace partita::fuzz
