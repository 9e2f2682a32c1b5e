// If, Loop and Scan, for known conditions and trip counts.
#include <algorithm>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

constexpr int64_t kMostTurns = 10000;

/// Converts both branches, of which a run executes one. Their results must have the same types.
Exprs unknown_conditional(NodeContext& n) {
    const auto scalar = Integers();
    ExprId condition = n.build.reshape(n.input(0), scalar);
    Exprs results[] = {n.convert(n.graph("then_branch"), {}), n.convert(n.graph("else_branch"), {})};
    const Module& module = n.build.module();
    if (results[0].size() != results[1].size()) throw Fault{"its branches differ in their number of results", {}};
    for (size_t i = 0; i < results[0].size(); ++i)
        if (module.type(results[0][i]) != module.type(results[1][i]))
            throw Fault{"its branches give different types, and the condition is not known before the run",
                        std::string(n.node().inputs[0])};
    if (results[0].size() == 1) return {n.build.conditional(condition, results[0][0], results[1][0])};
    ExprId chosen = n.build.conditional(condition, n.build.tuple(results[0]), n.build.tuple(results[1]));
    Exprs outputs;
    for (size_t i = 0; i < results[0].size(); ++i) outputs.push_back(n.build.projection(chosen, uint32_t(i)));
    return outputs;
}

Exprs conditional(NodeContext& n) {
    if (!n.build.value(n.input(0))) return unknown_conditional(n);
    return n.convert(n.graph(n.known_number(0) != 0 ? "then_branch" : "else_branch"), {});
}

/// Stacks the values of all iterations along a new first axis.
ExprId stacked(NodeContext& n, const Exprs& values, int64_t axis) {
    Exprs parts;
    for (ExprId value : values) {
        Integers shape = n.build.static_shape(value);
        shape.insert(shape.begin() + axis, 1);
        parts.push_back(n.build.reshape(value, shape));
    }
    return n.build.concatenate(parts, axis);
}

/// What stacking the values of no turn gives. `one` is what a turn would make, of which the type counts.
ExprId nothing_stacked(NodeContext& n, ExprId one, int64_t axis) {
    Integers shape = n.build.static_shape(one);
    shape.insert(shape.begin() + axis, 0);
    return n.build.constant(Tensor(n.build.dtype(one), shape));
}

Exprs loop(NodeContext& n) {
    const Graph& body = n.graph("body");
    int64_t most = n.has(0) ? n.known_integer(0) : kMostTurns + 1;
    bool going = n.has(1) ? n.known_number(1) != 0 : true;
    Exprs state(n.inputs().begin() + std::min<int64_t>(2, int64_t(n.input_count())), n.inputs().end());
    if (body.outputs.size() < state.size() + 1) throw Fault{"the body has too few outputs", {}};
    std::vector<Exprs> scanned(body.outputs.size() - 1 - state.size());
    const auto turned = [&](int64_t turn) {
        Exprs arguments{n.build.constant(turn, kInt64), n.build.real(1, kBool)};
        arguments.insert(arguments.end(), state.begin(), state.end());
        return n.convert(body, arguments);
    };
    if ((most < 1 || !going) && !scanned.empty()) {
        const Exprs one = turned(0);
        for (size_t i = one.size() - scanned.size(); i < one.size(); ++i)
            state.push_back(nothing_stacked(n, one[i], 0));
        return state;
    }
    for (int64_t turn = 0; turn < most && going; ++turn) {
        if (turn == kMostTurns)
            throw Fault{"the loop runs over " + std::to_string(kMostTurns) + " times, or its end is not known", {}};
        Exprs results = turned(turn);
        const Tensor* condition = n.build.value(results[0]);
        if (!condition || condition->size() != 1) throw Fault{"the loop's end depends on data", {}};
        going = condition->at(0) != 0;
        std::copy_n(results.begin() + 1, state.size(), state.begin());
        for (size_t i = 0; i < scanned.size(); ++i) scanned[i].push_back(results[1 + state.size() + i]);
    }
    for (const Exprs& values : scanned) state.push_back(stacked(n, values, 0));
    return state;
}

/// The axes and directions of a scan; directions other than 0 are backwards.
struct ScanForm {
    Integers input_axes, input_directions, output_axes, output_directions;
};

/// Returns one slice of a tensor along an axis, without that axis.
ExprId part_at(NodeContext& n, ExprId whole, int64_t axis, int64_t at) {
    Integers shape = n.build.static_shape(whole);
    shape.erase(shape.begin() + axis);
    return n.build.reshape(n.build.slice(whole, axis, at, at + 1), shape);
}

/// Runs the body once for each slice of the inputs. Returns the final states, then the scanned outputs.
Exprs scanned(NodeContext& n, const Graph& body, Exprs state, const Exprs& inputs, ScanForm form) {
    const size_t states = state.size();
    std::vector<Exprs> results_by_output(body.outputs.size() - states);
    int64_t turns = -1;
    for (size_t i = 0; i < inputs.size(); ++i) {
        Integers shape = n.build.static_shape(inputs[i]);
        form.input_axes[i] = n.axis(form.input_axes[i], int64_t(shape.size()));
        int64_t length = shape[size_t(form.input_axes[i])];
        if (turns >= 0 && turns != length) throw Fault{"the scanned inputs differ in length", {}};
        turns = length;
    }
    if (turns > kMostTurns) throw Fault{"the scan runs over " + std::to_string(kMostTurns) + " times", {}};
    if (turns == 0 && !results_by_output.empty()) {
        Exprs arguments = state;
        for (size_t i = 0; i < inputs.size(); ++i) {
            Integers shape = n.build.static_shape(inputs[i]);
            shape.erase(shape.begin() + form.input_axes[i]);
            arguments.push_back(n.build.constant(Tensor(n.build.dtype(inputs[i]), shape)));
        }
        const Exprs one = n.convert(body, arguments);
        for (size_t i = 0; i < results_by_output.size(); ++i)
            state.push_back(
                nothing_stacked(n, one[states + i], n.axis(form.output_axes[i], n.build.rank(one[states + i]) + 1)));
        return state;
    }
    for (int64_t turn = 0; turn < turns; ++turn) {
        Exprs arguments = state;
        for (size_t i = 0; i < inputs.size(); ++i)
            arguments.push_back(
                part_at(n, inputs[i], form.input_axes[i], form.input_directions[i] ? turns - 1 - turn : turn));
        Exprs results = n.convert(body, arguments);
        std::copy_n(results.begin(), states, state.begin());
        for (size_t i = 0; i < results_by_output.size(); ++i) {
            Exprs& list = results_by_output[i];
            list.insert(form.output_directions[i] ? list.begin() : list.end(), results[states + i]);
        }
    }
    for (size_t i = 0; i < results_by_output.size(); ++i) {
        int64_t rank = n.build.rank(results_by_output[i][0]) + 1;
        state.push_back(stacked(n, results_by_output[i], n.axis(form.output_axes[i], rank)));
    }
    return state;
}

/// Converts Scan of operator set 8: every value has a leading batch axis, and each element is scanned separately.
Exprs scan_of_batch(NodeContext& n, const Graph& body, const Exprs& states, const Exprs& inputs, const ScanForm& form) {
    const int64_t batch = n.build.static_shape(inputs[0])[0];
    if (batch < 1 || batch > kMostTurns) throw Fault{"a batch of " + std::to_string(batch) + " is not supported", {}};
    std::vector<Exprs> results(body.outputs.size());
    for (int64_t b = 0; b < batch; ++b) {
        Exprs state, parts;
        for (ExprId whole : states) state.push_back(part_at(n, whole, 0, b));
        for (ExprId whole : inputs) parts.push_back(part_at(n, whole, 0, b));
        Exprs one = scanned(n, body, state, parts, form);
        for (size_t i = 0; i < results.size(); ++i) results[i].push_back(one[i]);
    }
    Exprs outputs;
    for (const Exprs& values : results) outputs.push_back(stacked(n, values, 0));
    return outputs;
}

Exprs scan(NodeContext& n) {
    const Graph& body = n.graph("body");
    const bool batched = n.opset() < 9;
    const size_t first = batched ? 1 : 0, scans = size_t(std::max<int64_t>(n.integer("num_scan_inputs", 1), 1));
    if (batched && n.has(0)) throw Fault{"sequences of different lengths are not supported", {}};
    if (first + scans > n.input_count()) throw Fault{"inputs are missing", {}};
    const Exprs states(n.inputs().begin() + int64_t(first), n.inputs().end() - int64_t(scans));
    const Exprs inputs(n.inputs().end() - int64_t(scans), n.inputs().end());
    if (body.outputs.size() < states.size()) throw Fault{"the body has too few outputs", {}};
    const Integers input_zeros(scans, 0), output_zeros(body.outputs.size() - states.size(), 0);
    ScanForm form;
    form.input_axes = n.integers("scan_input_axes", input_zeros);
    form.input_directions = n.integers(batched ? "directions" : "scan_input_directions", input_zeros);
    form.output_axes = n.integers("scan_output_axes", output_zeros);
    form.output_directions = n.integers("scan_output_directions", output_zeros);
    if (form.input_axes.size() != scans || form.input_directions.size() != scans ||
        form.output_axes.size() != output_zeros.size() || form.output_directions.size() != output_zeros.size())
        throw Fault{"axes or directions do not fit", {}};
    for (size_t i = first; i < n.input_count(); ++i)
        if (!n.has(i)) throw Fault{"an input is left out", {}};
    return batched ? scan_of_batch(n, body, states, inputs, form) : scanned(n, body, states, inputs, form);
}

const ConverterEntry kControlConverters[] = {{"If", conditional}, {"Loop", loop}, {"Scan", scan}};

}  // namespace

std::span<const ConverterEntry> control_converters() { return kControlConverters; }

}  // namespace partita::onnx
