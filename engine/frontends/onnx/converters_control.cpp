// If, Loop and Scan, where the condition or the number of turns is known.
#include <algorithm>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

constexpr int64_t kMostTurns = 10000;

/// Both branches, of which the run takes one. Their results must be of the same types.
Exprs unknown_conditional(NodeContext& n) {
    const auto scalar = std::vector<int64_t>();
    ExprId condition = n.build.reshape(n.input(0), scalar);
    Exprs results[] = {n.convert(n.graph("then_branch"), {}), n.convert(n.graph("else_branch"), {})};
    Module& module = n.build.module();
    if (results[0].size() != results[1].size()) throw Fault{"its branches differ in their number of results", {}};
    for (size_t i = 0; i < results[0].size(); ++i)
        if (module.type(results[0][i]) != module.type(results[1][i]))
            throw Fault{"its branches give different types, and the condition is not known before the run",
                        std::string(n.node().inputs[0])};
    if (results[0].size() == 1)
        return {module.add_if(condition, results[0][0], results[1][0], module.type(results[0][0]))};
    ExprId then_tuple = n.build.tuple(results[0]), else_tuple = n.build.tuple(results[1]);
    ExprId chosen = module.add_if(condition, then_tuple, else_tuple, module.type(then_tuple));
    Exprs outputs;
    for (size_t i = 0; i < results[0].size(); ++i) outputs.push_back(n.build.projection(chosen, uint32_t(i)));
    return outputs;
}

Exprs conditional(NodeContext& n) {
    if (!n.build.value(n.input(0))) return unknown_conditional(n);
    const Tensor& condition = n.known(0);
    if (condition.size() != 1) throw Fault{"the condition must be one value", {}};
    return n.convert(n.graph(condition.at(0) != 0 ? "then_branch" : "else_branch"), {});
}

/// Puts the values that the turns gave one after the other along a new first axis.
ExprId stacked(NodeContext& n, const Exprs& values, int64_t axis) {
    Exprs parts;
    for (ExprId value : values) {
        std::vector<int64_t> shape = n.build.static_shape(value);
        shape.insert(shape.begin() + axis, 1);
        parts.push_back(n.build.reshape(value, shape));
    }
    return n.build.concatenate(parts, axis);
}

Exprs loop(NodeContext& n) {
    const Graph& body = n.graph("body");
    int64_t most = n.has(0) ? n.known_integers(0).at(0) : kMostTurns + 1;
    bool going = n.has(1) ? n.known(1).at(0) != 0 : true;
    Exprs state(n.inputs().begin() + std::min<int64_t>(2, int64_t(n.input_count())), n.inputs().end());
    if (body.outputs.size() < state.size() + 1) throw Fault{"the body has too few outputs", {}};
    std::vector<Exprs> scanned(body.outputs.size() - 1 - state.size());
    for (int64_t turn = 0; turn < most && going; ++turn) {
        if (turn == kMostTurns)
            throw Fault{"the loop runs over " + std::to_string(kMostTurns) + " times, or its end is not known", {}};
        Exprs arguments{n.build.constant(turn, kInt64), n.build.real(1, kBool)};
        arguments.insert(arguments.end(), state.begin(), state.end());
        Exprs results = n.convert(body, arguments);
        const Tensor* condition = n.build.value(results[0]);
        if (!condition || condition->size() != 1) throw Fault{"the loop's end depends on data", {}};
        going = condition->at(0) != 0;
        std::copy_n(results.begin() + 1, state.size(), state.begin());
        for (size_t i = 0; i < scanned.size(); ++i) scanned[i].push_back(results[1 + state.size() + i]);
    }
    for (const Exprs& values : scanned) {
        if (values.empty()) throw Fault{"a loop without turns has no scan outputs", {}};
        state.push_back(stacked(n, values, 0));
    }
    return state;
}

Exprs scan(NodeContext& n) {
    const Graph& body = n.graph("body");
    size_t scanned_inputs = size_t(std::max<int64_t>(n.integer("num_scan_inputs", 1), 1));
    if (n.opset() < 9 || scanned_inputs > n.input_count()) throw Fault{"this form of Scan is not supported", {}};
    size_t states = n.input_count() - scanned_inputs;
    if (body.outputs.size() < states) throw Fault{"the body has too few outputs", {}};
    size_t scanned_outputs = body.outputs.size() - states;
    std::vector<int64_t> input_axes = n.integers("scan_input_axes", std::vector<int64_t>(scanned_inputs, 0));
    std::vector<int64_t> input_directions =
        n.integers("scan_input_directions", std::vector<int64_t>(scanned_inputs, 0));
    std::vector<int64_t> output_axes = n.integers("scan_output_axes", std::vector<int64_t>(scanned_outputs, 0));
    std::vector<int64_t> output_directions =
        n.integers("scan_output_directions", std::vector<int64_t>(scanned_outputs, 0));
    if (input_axes.size() != scanned_inputs || input_directions.size() != scanned_inputs ||
        output_axes.size() != scanned_outputs || output_directions.size() != scanned_outputs)
        throw Fault{"axes or directions do not fit", {}};
    Exprs state(n.inputs().begin(), n.inputs().begin() + int64_t(states));
    std::vector<Exprs> results_by_output(scanned_outputs);
    int64_t turns = -1;
    for (size_t i = 0; i < scanned_inputs; ++i) {
        std::vector<int64_t> shape = n.build.static_shape(n.input(states + i));
        input_axes[i] = n.axis(input_axes[i], int64_t(shape.size()));
        if (turns >= 0 && turns != shape[size_t(input_axes[i])]) throw Fault{"the scanned inputs differ in length", {}};
        turns = shape[size_t(input_axes[i])];
    }
    if (turns > kMostTurns) throw Fault{"the scan runs over " + std::to_string(kMostTurns) + " times", {}};
    for (int64_t turn = 0; turn < turns; ++turn) {
        Exprs arguments = state;
        for (size_t i = 0; i < scanned_inputs; ++i) {
            ExprId whole = n.input(states + i);
            int64_t at = input_directions[i] ? turns - 1 - turn : turn;
            std::vector<int64_t> shape = n.build.static_shape(whole);
            shape.erase(shape.begin() + input_axes[i]);
            arguments.push_back(n.build.reshape(n.build.slice(whole, input_axes[i], at, at + 1), shape));
        }
        Exprs results = n.convert(body, arguments);
        std::copy_n(results.begin(), states, state.begin());
        for (size_t i = 0; i < scanned_outputs; ++i) {
            Exprs& list = results_by_output[i];
            list.insert(output_directions[i] ? list.begin() : list.end(), results[states + i]);
        }
    }
    for (size_t i = 0; i < scanned_outputs; ++i) {
        if (results_by_output[i].empty()) throw Fault{"a scan without turns has no outputs", {}};
        int64_t rank = n.build.rank(results_by_output[i][0]) + 1;
        state.push_back(stacked(n, results_by_output[i], n.axis(output_axes[i], rank)));
    }
    return state;
}

const ConverterEntry kTable[] = {{"If", conditional}, {"Loop", loop}, {"Scan", scan}};

}  // namespace

std::span<const ConverterEntry> control_converters() { return kTable; }

}  // namespace partita::onnx
