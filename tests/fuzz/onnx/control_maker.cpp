#include "tests/fuzz/onnx/control_maker.h"

#include <algorithm>
#include <set>

#include "tests/fuzz/onnx/attributes.h"

namespace partita::fuzz {

namespace {

namespace w = onnx_writer;

constexpr int kDeepestGraphs = 3, kMostFunctions = 3;
constexpr const char* kDomain = "fuzz";

/// A value of float32 or int64 of the graph's one shape, or a condition.
struct Made {
    std::string name;
    int type;
};

/// What the nodes of one body see: values of the bodies around it, too.
struct Body {
    std::vector<Made> values;
    std::vector<std::string> nodes;
    int depth = 0;
};

/// A function of the model, as its calls see it.
struct Callee {
    std::string name, overload;
    size_t operands = 1;
    bool has_limit = false;  ///< a last input, a scalar, that a call may leave out
    bool has_slope = false;  ///< an attribute without a default
};

class ControlMaker {
public:
    ControlMaker(uint64_t seed, uint64_t number) : choose_(seed, number) {}

    GeneratedGraph make();

private:
    std::string fresh() { return "v" + std::to_string(names_++); }
    Made any(const Body& body, int type);
    std::string condition(Body& body);
    void add(Body& body, std::string_view op, const std::vector<std::string>& inputs, int type,
             const std::vector<std::string>& attributes = {});
    void add_nodes(Body& body, int64_t count);
    void add_node(Body& body);
    void add_element(Body& body);
    void add_if(Body& body);
    void add_guarded(Body& body);
    void add_loop(Body& body);
    void add_scan(Body& body);
    void add_call(Body& body);
    std::string slope();
    Body inside(const Body& outer) { return {outer.values, {}, outer.depth + 1}; }
    std::string branch(Body body, int type);
    std::string info(const Made& value, bool whole = true) const {
        return w::value_info(value.name, value.type == kTruth || !whole ? Shape{} : Shape{extent_}, value.type);
    }
    void add_function();
    Made input(int type);

    GraphMaker choose_;
    uint64_t names_ = 0;
    int64_t extent_ = 3;
    bool in_function_ = false, function_has_limit_ = false, function_has_slope_ = false;
    std::vector<Callee> callees_;
    std::string functions_;
    std::set<std::string> operators_;
    GeneratedGraph graph_;
    std::vector<std::string> infos_;
};

Made ControlMaker::any(const Body& body, int type) {
    std::vector<Made> fit;
    for (const Made& value : body.values)
        if (value.type == type) fit.push_back(value);
    // Late values more often than early ones.
    const int64_t last = int64_t(fit.size()) - 1;
    return fit[size_t(choose_.chance(0.6) ? choose_.between(std::max<int64_t>(0, last - 2), last)
                                          : choose_.between(0, last))];
}

void ControlMaker::add(Body& body, std::string_view op, const std::vector<std::string>& inputs, int type,
                       const std::vector<std::string>& attributes) {
    const std::string result = fresh();
    operators_.emplace(op);
    const std::string label = choose_.chance(0.5) ? "n" + result : "";
    body.nodes.push_back(w::node(op, inputs, {result}, attributes, label));
    body.values.push_back({result, type});
}

/// Returns the name of a condition: an input, or whether a sum is positive.
std::string ControlMaker::condition(Body& body) {
    if (choose_.chance(0.5)) return any(body, kTruth).name;
    const std::string sum = fresh(), zero = fresh(), positive = fresh();
    body.nodes.push_back(w::node("ReduceSum", {any(body, kLong).name}, {sum}, {w::attribute("keepdims", 0)}));
    body.nodes.push_back(w::node("Constant", {}, {zero}, {attribute("value_int", 0)}));
    body.nodes.push_back(w::node("Greater", {sum, zero}, {positive}));
    body.values.push_back({positive, kTruth});
    return positive;
}

/// An attribute `alpha`: in a function perhaps that of the call.
std::string ControlMaker::slope() {
    if (!in_function_ || choose_.chance(0.3)) return attribute("alpha", choose_.real(-2, 2));
    const bool own = function_has_slope_ && choose_.chance(0.5);
    return w::bytes(1, "alpha") + w::number(20, 1) + w::bytes(21, own ? "slope" : "factor");
}

void ControlMaker::add_element(Body& body) {
    const Made x = any(body, kReal);
    switch (choose_.between(0, 7)) {
        case 0: return add(body, "Neg", {x.name}, kReal);
        case 1: return add(body, "Tanh", {x.name}, kReal);
        case 2: return add(body, "LeakyRelu", {x.name}, kReal, {slope()});
        case 3: return add(body, "Elu", {x.name}, kReal, {slope()});
        case 4: return add(body, choose_.one_of({"Add", "Sub", "Mul"}), {x.name, any(body, kReal).name}, kReal);
        case 5:
            return add(body, choose_.one_of({"Add", "Sub", "Mul"}), {any(body, kLong).name, any(body, kLong).name},
                       kLong);
        case 6:
            if (function_has_limit_) return add(body, "Clip", {x.name, "", "limit"}, kReal);
            return add(body, "Abs", {any(body, kLong).name}, kLong);
        default: return add(body, "Cast", {any(body, kLong).name}, kReal, {w::attribute("to", kReal)});
    }
}

/// Returns a graph that computes one value of a type.
std::string ControlMaker::branch(Body body, int type) {
    if (choose_.chance(0.85)) add_nodes(body, choose_.between(1, 3));
    // A result must be made in the branch.
    const Made result{fresh(), type};
    body.nodes.push_back(w::node("Identity", {any(body, type).name}, {result.name}));
    return w::graph({body.nodes, {}, {}, {info(result)}});
}

void ControlMaker::add_if(Body& body) {
    const std::string chosen = condition(body);
    const int type = choose_.one_of({kReal, kReal, kLong});
    const std::string then_branch = branch(inside(body), type), else_branch = branch(inside(body), type);
    add(body, "If", {chosen}, type,
        {w::graph_attribute("then_branch", then_branch), w::graph_attribute("else_branch", else_branch)});
}

/// Divides, or looks up, where no element is zero, or out of range.
void ControlMaker::add_guarded(Body& body) {
    const Made a = any(body, kLong), b = any(body, kLong);
    const bool division = choose_.chance(0.6);
    const std::string limit = fresh(), size = fresh(), fits = fresh(), number = fresh(), least = fresh(), all = fresh();
    body.nodes.push_back(w::node("Constant", {}, {limit}, {attribute("value_int", division ? 0 : extent_)}));
    body.nodes.push_back(w::node("Abs", {b.name}, {size}));
    body.nodes.push_back(w::node(division ? "Greater" : "Less", {size, limit}, {fits}));
    body.nodes.push_back(w::node("Cast", {fits}, {number}, {w::attribute("to", kInteger)}));
    body.nodes.push_back(w::node("ReduceMin", {number}, {least}, {w::attribute("keepdims", 0)}));
    body.nodes.push_back(w::node("Cast", {least}, {all}, {w::attribute("to", kTruth)}));
    Body safe = inside(body);
    const char* op = division ? choose_.one_of({"Div", "Mod"}) : "Gather";
    add(safe, op, {a.name, b.name}, kLong);
    const Made result{fresh(), kLong};
    safe.nodes.push_back(w::node("Identity", {safe.values.back().name}, {result.name}));
    add(body, "If", {all}, kLong,
        {w::graph_attribute("then_branch", w::graph({safe.nodes, {}, {}, {info(result)}})),
         w::graph_attribute("else_branch", branch(inside(body), kLong))});
}

void ControlMaker::add_loop(Body& body) {
    const std::string count = fresh();
    body.nodes.push_back(w::node("Constant", {}, {count}, {attribute("value_int", choose_.between(1, 3))}));
    Body turn = inside(body);
    const Made number{fresh(), kLong}, going{fresh(), kTruth}, state{fresh(), kReal}, on{fresh(), kTruth},
        next{fresh(), kReal};
    turn.values.push_back(state);
    add_nodes(turn, choose_.between(1, 3));
    turn.nodes.push_back(w::node("Identity", {going.name}, {on.name}));
    turn.nodes.push_back(w::node("Identity", {any(turn, kReal).name}, {next.name}));
    const std::string graph =
        w::graph({turn.nodes, {}, {info(number, false), info(going), info(state)}, {info(on), info(next)}});
    add(body, "Loop", {count, "", any(body, kReal).name}, kReal, {w::graph_attribute("body", graph)});
}

/// Goes through the elements of a value; the result is the state, as long as the graph's values.
void ControlMaker::add_scan(Body& body) {
    Body turn = inside(body);
    const Made state{fresh(), kReal}, element{fresh(), kReal}, next{fresh(), kReal};
    const std::string sum = fresh();
    turn.nodes.push_back(w::node("Add", {state.name, element.name}, {sum}));
    turn.values.push_back({sum, kReal});
    add_nodes(turn, choose_.between(0, 2));
    turn.nodes.push_back(w::node("Identity", {any(turn, kReal).name}, {next.name}));
    const std::string graph = w::graph({turn.nodes, {}, {info(state), info(element, false)}, {info(next)}});
    add(body, "Scan", {any(body, kReal).name, any(body, kReal).name}, kReal,
        {w::graph_attribute("body", graph), w::attribute("num_scan_inputs", 1)});
}

void ControlMaker::add_call(Body& body) {
    // ONNX Runtime 1.30 forgets the overload of a call in a function.
    std::vector<Callee> callees = callees_;
    if (in_function_) std::erase_if(callees, [](const Callee& callee) { return !callee.overload.empty(); });
    const Callee callee = choose_.one_of(callees);
    std::vector<std::string> inputs, attributes;
    for (size_t i = 0; i < callee.operands; ++i) inputs.push_back(any(body, kReal).name);
    inputs.push_back(any(body, kLong).name);
    inputs.push_back(any(body, kTruth).name);
    if (callee.has_limit && choose_.chance(0.5)) {
        const std::string limit = fresh();
        body.nodes.push_back(w::node("Constant", {}, {limit}, {attribute("value_float", choose_.real(0, 2))}));
        inputs.push_back(limit);
    } else if (callee.has_limit && choose_.chance(0.5)) {
        inputs.emplace_back();
    }
    if (choose_.chance(0.5)) attributes.push_back(attribute("factor", choose_.real(-2, 2)));
    if (callee.has_slope && choose_.chance(0.7)) attributes.push_back(attribute("slope", choose_.real(-2, 2)));
    const std::string result = fresh();
    operators_.insert("function");
    body.nodes.push_back(w::node(callee.name, inputs, {result}, attributes, "call" + result, kDomain) +
                         (callee.overload.empty() ? "" : w::bytes(8, callee.overload)));
    body.values.push_back({result, kReal});
}

void ControlMaker::add_node(Body& body) {
    const bool deep = body.depth >= kDeepestGraphs;
    switch (deep ? 9 : choose_.between(0, 11)) {
        case 0:
        case 1: return add_if(body);
        case 2: return add_guarded(body);
        case 3: return add_loop(body);
        case 4: return add_scan(body);
        case 5:
        case 6:
            if (!callees_.empty()) return add_call(body);
            [[fallthrough]];
        default: return add_element(body);
    }
}

void ControlMaker::add_nodes(Body& body, int64_t count) {
    for (int64_t i = 0; i < count; ++i) add_node(body);
}

void ControlMaker::add_function() {
    Callee callee{"F" + std::to_string(callees_.size()), "", size_t(choose_.between(1, 2)), choose_.chance(0.5),
                  choose_.chance(0.5)};
    if (!callees_.empty() && choose_.chance(0.4)) {
        callee.name = callees_.back().name;
        callee.overload = "o" + std::to_string(callees_.size());
    }
    Body body;
    body.depth = 1;
    std::string message = w::bytes(1, callee.name);
    const auto take = [&](const std::string& name, int type) {
        message += w::bytes(4, name);
        if (type) body.values.push_back({name, type});
    };
    for (size_t i = 0; i < callee.operands; ++i) take("x" + std::to_string(i), kReal);
    take("i", kLong);
    take("c", kTruth);
    if (callee.has_limit) take("limit", kAnyType);
    in_function_ = true, function_has_limit_ = callee.has_limit, function_has_slope_ = callee.has_slope;
    add_nodes(body, choose_.between(2, 4));
    in_function_ = function_has_limit_ = function_has_slope_ = false;
    body.nodes.push_back(w::node("Identity", {any(body, kReal).name}, {"result"}));
    message += w::bytes(5, "result");
    if (callee.has_slope) message += w::bytes(6, "slope");
    for (const std::string& node : body.nodes) message += w::bytes(7, node);
    message += w::bytes(9, w::number(2, choose_.opset())) + w::bytes(9, w::bytes(1, kDomain) + w::number(2, 1));
    message += w::bytes(10, kDomain) + w::bytes(11, attribute("factor", choose_.real(-2, 2)));
    if (!callee.overload.empty()) message += w::bytes(13, callee.overload);
    functions_ += w::bytes(25, message);
    callees_.push_back(callee);
}

Made ControlMaker::input(int type) {
    const Made made{fresh(), type};
    const Shape shape = type == kTruth ? Shape{} : Shape{extent_};
    Tensor value(type == kReal ? kFloat32 : type == kLong ? kInt64 : kBool, shape);
    for (int64_t i = 0; i < value.size(); ++i)
        value.set(i, type == kReal ? choose_.real(-2, 2)
                                   : double(choose_.between(type == kLong ? -3 : 0, type == kLong ? 3 : 1)));
    graph_.inputs.push_back({made.name, value});
    infos_.push_back(info(made));
    return made;
}

GeneratedGraph ControlMaker::make() {
    constexpr int kIrVersion = 10;
    extent_ = choose_.between(2, 4);
    Body body;
    for (int type : {kReal, kReal, kLong, kLong, kTruth, kTruth}) body.values.push_back(input(type));
    for (int64_t left = choose_.between(0, kMostFunctions); left > 0; --left) add_function();
    add_nodes(body, choose_.between(2, 5));
    w::GraphParts parts{body.nodes, {}, infos_, {}};
    std::set<std::string> inputs;
    for (const auto& given : graph_.inputs) inputs.insert(given.name);
    for (size_t i = body.values.size(); i-- > 0 && graph_.outputs.size() < 3;) {
        const Made& value = body.values[i];
        if (value.type == kTruth || inputs.contains(value.name)) continue;
        parts.outputs.push_back(info(value));
        graph_.outputs.push_back({value.name, value.type == kLong});
    }
    graph_.opset = choose_.opset();
    graph_.operators.assign(operators_.begin(), operators_.end());
    graph_.model = w::number(1, kIrVersion) + w::bytes(8, w::number(2, graph_.opset)) +
                   w::bytes(8, w::bytes(1, kDomain) + w::number(2, 1)) + w::bytes(7, w::graph(parts)) + functions_;
    return std::move(graph_);
}

}  // namespace

GeneratedGraph make_control_graph(uint64_t seed, uint64_t number) {
    constexpr int kOldest = 14;  // from where on the operators used here have one form
    constexpr uint64_t kMostTries = 100;
    for (uint64_t i = 0; i < kMostTries; ++i)
        if (GraphMaker(seed, number * kMostTries + i).opset() >= kOldest)
            return ControlMaker(seed, number * kMostTries + i).make();
    return {};
}

}  // namespace partita::fuzz
