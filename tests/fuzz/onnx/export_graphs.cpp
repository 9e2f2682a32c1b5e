#include "tests/fuzz/onnx/export_graphs.h"

#include <array>
#include <memory>

#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "tests/fuzz/onnx/round_trips.h"

namespace partita::fuzz {

namespace {

constexpr std::array kTypes{"bool",   "int8",  "uint8",  "int16",   "uint16",  "int32",
                            "uint32", "int64", "uint64", "float16", "float32", "float64"};

/// A function in Relay text, and the operator that it is about.
struct Case {
    std::string op, text;
};

bool is_type_at(const std::string& text, size_t at, std::string_view type) {
    const auto part_of_word = [&](size_t i) { return i < text.size() && (std::isalnum(text[i]) || text[i] == '_'); };
    return text.compare(at, type.size(), type) == 0 && !part_of_word(at + type.size()) && !part_of_word(at - 1);
}

/// Returns where the parameters of the example's function name element types, and which.
std::vector<std::pair<size_t, std::string>> types_in_parameters(const std::string& example) {
    std::vector<std::pair<size_t, std::string>> found;
    const size_t end = example.find('{');
    for (size_t at = 1; at < end; ++at)
        for (const char* type : kTypes)
            if (is_type_at(example, at, type)) found.emplace_back(at, type);
    return found;
}

/// Returns the example with `type` in place of `replaced`: of all parameters, or of one.
std::string retyped(const std::string& example, const std::string& replaced, const std::string& type, int which) {
    std::string text = example;
    const auto places = types_in_parameters(example);
    for (size_t i = places.size(); i-- > 0;)
        if (places[i].second == replaced && (which < 0 || which == int(i)))
            text.replace(places[i].first, replaced.size(), type);
    return text;
}

bool is_typed(const std::string& text) {
    Result<Module> module = parse_relay(text);
    return module && infer_types(*module);
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> found;
        for (const OpRecord& op : op_registry().records()) {
            if (op.name == "arange") continue;  // its example names its limits a second time, as attributes
            const auto places = types_in_parameters(op.example);
            std::vector<std::string> texts{op.example};
            for (const char* type : kTypes) {
                for (int i = 0; i < int(places.size()); ++i) {
                    texts.push_back(retyped(op.example, places[size_t(i)].second, type, -1));
                    texts.push_back(retyped(op.example, places[size_t(i)].second, type, i));
                }
            }
            std::sort(texts.begin(), texts.end());
            texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
            for (std::string& text : texts)
                if (is_typed(text)) found.push_back({op.name, std::move(text)});
        }
        return found;
    }();
    return all;
}

/// Values that suit indices and divisors, or any. `only_above`: without numbers below zero, which some types lack.
Tensor values(GraphMaker& choose, DataType dtype, const Shape& shape, bool small, bool only_above) {
    Tensor tensor(dtype, shape);
    const bool is_zero_point = dtype == kInt32 && shape.empty() && only_above;
    for (int64_t i = 0; i < tensor.size(); ++i) {
        const bool from_zero = dtype.code == DataType::Code::UInt || small || is_zero_point;
        double value = double(choose.between(from_zero ? 0 : -9, small ? 1 : 9));
        // No conversion of a number below zero to an unsigned type, which is undefined.
        if (dtype.is_float())
            value = small ? choose.real(0.5, 2) : double(choose.between(only_above ? 0 : -12, 12)) / 4;
        tensor.set(i, dtype.is_bool() ? double(choose.between(0, 1)) : value);
    }
    return tensor;
}

}  // namespace

uint64_t export_cases() { return cases().size(); }

ExportCase make_export_case(uint64_t seed, uint64_t number) {
    GraphMaker choose(seed, number);
    const Case& one = cases()[number % cases().size()];
    ExportCase made;
    made.graph.operators = {one.op + " in " + one.text};
    Result<Module> module = parse_relay(one.text);
    if (!module || !infer_types(*module)) return made;
    const ExprId main = module->find_function("main");
    // Lengths above the axis are refused.
    const bool small = choose.chance(0.5) || one.op == "reverse_sequence";
    for (ExprId parameter : module->parameters(main)) {
        const TypeTable& types = module->types();
        const TypeId type = module->type(parameter);
        if (!types.is_tensor(type)) return made;
        const auto dims = types.shape(type);
        if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; })) return made;
        made.graph.inputs.push_back(
            {std::string(module->name(parameter)), values(choose, types.dtype(type), Shape(dims.begin(), dims.end()),
                                                          small, one.text.find("uint") != std::string::npos)});
    }
    made.module = std::make_shared<const Module>(std::move(*module));
    return made;
}

Verdict export_verdict(const ExportCase& one, OnnxRuntime* runtime) {
    Verdict verdict;
    verdict.runs = 1;
    const auto refused = [&](std::string text) {
        verdict.outcome = Outcome::RefusedByUs;
        verdict.text = std::move(text);
        return verdict;
    };
    if (!one.module) return refused("an example without a shape for each parameter");
    const Answer own = answer_of_module(one.graph, one.module);
    if (!own.refusal.empty()) return refused("at the run: " + own.refusal);
    GeneratedGraph graph = one.graph;
    for (size_t i = 0; i < own.outputs.size(); ++i) graph.outputs.push_back({"", false});
    const Result<std::string> model = export_as_onnx(one.module);
    if (!model) return refused(model.error().message);
    graph.model = *model;
    if (!runtime) {
        verdict.text = imported_difference("as ONNX", graph, own, nullptr);
    } else {  // it alone: the importer wants some values before the run
        runtime->ask(graph);
        if (std::string text = difference(graph, runtime->answer(), own); !text.empty())
            verdict.text = "as ONNX in the runtime: " + text;
    }
    if (!verdict.text.empty()) verdict.outcome = Outcome::Differs;
    return verdict;
}

}  // namespace partita::fuzz
