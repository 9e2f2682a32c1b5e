// RNN, GRU and LSTM, unrolled over a sequence of known length, and ONNX Runtime's LSTM with weights of 8 bits.
#include <array>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

constexpr int64_t kLongestSequence = 4096;

struct Activation {
    std::string name;
    double alpha = 0, beta = 0;
    bool has_alpha = false, has_beta = false;
};

/// Of a matrix of bytes, for each column or for all; invalid for one of real numbers.
struct Scale {
    ExprId factor, zero_point;
};

/// The common parts of the three kinds: shapes, directions, activations, and the loop over time.
class Recurrent {
public:
    Recurrent(NodeContext& n, int64_t gates, const std::vector<std::string>& default_activations,
              bool quantized = false);

    /// The operands and state of one direction.
    struct Direction {
        /// [gates * hidden, input] and [gates * hidden, hidden]; quantized the other way round.
        ExprId weight, recurrence;
        Scale weight_scale, recurrence_scale;
        ExprId weight_bias, recurrence_bias;  ///< [gates * hidden]; invalid if there is no bias
        ExprId hidden, cell;                  ///< the state: [batch, hidden]
        ExprId x;                             ///< the input, in the order in which it is gone through
        ExprId output;                        ///< of the last step: the hidden state, 0 behind a sequence's end
        ExprId peephole;                      ///< [3 * hidden] or invalid
        std::vector<Activation> activations;
    };
    /// Advances a direction's state by one step.
    using Step = void (*)(Recurrent& self, Direction& direction, int64_t time);

    Exprs run(Step step, bool has_cell);

    ExprId activate(const Activation& activation, ExprId x);
    ExprId product(ExprId x, ExprId weight) {
        return n_.build.call("nn.dense", {x, weight}, {{"units", int(n_.build.shape(weight)[0])}});
    }
    /// What the gates get from the input at a time, and from the state.
    ExprId from_input(const Direction& d, int64_t time);
    ExprId from_state(const Direction& d);
    /// Returns gate i of a [batch, gates * hidden] matrix or of a [gates * hidden] vector.
    ExprId gate(ExprId all, int64_t i) {
        return n_.build.slice(all, n_.build.rank(all) - 1, i * hidden_, (i + 1) * hidden_);
    }
    ExprId biased(ExprId x, ExprId bias) { return bias.valid() ? n_.build.add(x, bias) : x; }
    ExprId clipped(ExprId x);
    NodeContext& node() { return n_; }
    int64_t hidden() const { return hidden_; }

private:
    void checkShapes(int64_t input_size);
    void readActivations(const std::vector<std::string>& by_default);
    void quantizeInput();
    Scale scale(size_t input, int64_t direction);
    Direction direction(int64_t index, bool has_cell);
    ExprId at_index(ExprId stacked, int64_t index);
    ExprId initial_state(size_t input, int64_t index);
    ExprId alive(int64_t step);
    ExprId turned_round(ExprId sequences, int batch_axis);
    ExprId go_through(Step step, Direction& d, bool backward);

    NodeContext& n_;
    int64_t gates_, hidden_ = 0, length_ = 0, batch_ = 0, directions_ = 1;
    bool batch_first_, quantized_;
    std::vector<Activation> activations_;
    ExprId x_;
    Scale x_scale_;  ///< where x_ is quantized
};

Recurrent::Recurrent(NodeContext& n, int64_t gates, const std::vector<std::string>& default_activations, bool quantized)
    : n_(n), gates_(gates), batch_first_(n.integer("layout", 0)), quantized_(quantized) {
    std::string direction = n.choice("direction", {"forward", "reverse", "bidirectional"});
    directions_ = direction == "bidirectional" ? 2 : 1;
    x_ = n.input(0);
    const int64_t swapped[] = {1, 0, 2};
    if (n.build.rank(x_) != 3) throw Fault{"the input must have three dimensions", {}};
    if (batch_first_) x_ = n.build.transpose(x_, swapped);
    Integers shape = n.build.static_shape(x_), recurrence = n.build.static_shape(n.input(2));
    if (recurrence.size() != 3 || recurrence[0] != directions_)
        throw Fault{"the recurrence weight does not fit the direction", {}};
    length_ = shape[0];
    batch_ = shape[1];
    hidden_ = recurrence[quantized ? 1 : 2];
    if (int64_t stated = n.integer("hidden_size", hidden_); stated != hidden_)
        throw Fault{"hidden_size is " + std::to_string(stated) + ", but the recurrence weight is for " +
                        std::to_string(hidden_),
                    {}};
    checkShapes(shape[2]);
    if (length_ > kLongestSequence)
        throw Fault{"the sequence is over " + std::to_string(kLongestSequence) + " steps long", {}};
    readActivations(default_activations);
    if (quantized) quantizeInput();
}

void Recurrent::readActivations(const std::vector<std::string>& default_activations) {
    std::vector<std::string> names = n_.strings("activations");
    std::vector<double> alphas = n_.reals("activation_alpha"), betas = n_.reals("activation_beta");
    if (names.empty())
        for (int64_t i = 0; i < directions_; ++i)
            names.insert(names.end(), default_activations.begin(), default_activations.end());
    if (names.size() != default_activations.size() * size_t(directions_))
        throw Fault{"the number of activations is wrong", {}};
    size_t next_alpha = 0, next_beta = 0;
    for (const std::string& name : names) {
        Activation activation{name};
        bool takes_alpha = name == "Affine" || name == "LeakyRelu" || name == "ThresholdedRelu" ||
                           name == "ScaledTanh" || name == "HardSigmoid" || name == "Elu";
        bool takes_beta = name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid";
        activation.has_alpha = takes_alpha && next_alpha < alphas.size();
        activation.has_beta = takes_beta && next_beta < betas.size();
        if (activation.has_alpha) activation.alpha = alphas[next_alpha++];
        if (activation.has_beta) activation.beta = betas[next_beta++];
        activations_.push_back(activation);
    }
}

/// The input is quantized at once for all times at which a sequence runs.
void Recurrent::quantizeInput() {
    Builder& build = n_.build;
    if (n_.has(4)) {
        const int64_t each[] = {length_, 1, 1};
        ExprId longest =
            build.call("max", {build.cast(n_.input(4), kInt32)}, {{"keepdims", false}, {"exclude", false}});
        ExprId runs = build.call("less", {build.reshape(counted(build, length_, kInt32), each), longest});
        x_ = build.call("where", {runs, x_, like(n_, x_, 0)});
    }
    const Exprs bytes = dynamically_quantized(n_, x_);
    x_ = bytes[0];
    x_scale_ = {bytes[1], bytes[2]};
}

/// The scale of a matrix of bytes is the input given, its zero point the one behind it.
Scale Recurrent::scale(size_t input, int64_t direction) {
    if (!n_.has(input)) throw Fault{"a scale of its weights is missing", {}};
    return {at_index(n_.input(input), direction),
            n_.has(input + 1) ? at_index(n_.input(input + 1), direction) : ExprId()};
}

ExprId Recurrent::from_input(const Direction& d, int64_t time) {
    const ExprId x = at_index(d.x, time);
    if (!quantized_) return product(x, d.weight);
    const Builder::SharedCalls shared(n_.build);  // what is made of the weights is the same at each time
    return real_product(n_, x, x_scale_.zero_point, d.weight, d.weight_scale.zero_point,
                        n_.build.multiply(x_scale_.factor, d.weight_scale.factor));
}

ExprId Recurrent::from_state(const Direction& d) {
    if (!quantized_) return product(d.hidden, d.recurrence);
    const Builder::SharedCalls shared(n_.build);
    const Exprs bytes = dynamically_quantized(n_, d.output);
    return real_product(n_, bytes[0], bytes[2], d.recurrence, d.recurrence_scale.zero_point,
                        n_.build.multiply(bytes[1], d.recurrence_scale.factor));
}

/// Refuses operands of other shapes, because some would broadcast by chance and give wrong numbers.
void Recurrent::checkShapes(int64_t input_size) {
    const Integers state =
        batch_first_ ? Integers{batch_, directions_, hidden_} : Integers{directions_, batch_, hidden_};
    const int64_t rows = gates_ * hidden_;
    const auto matrix = [&](int64_t depth) {
        return quantized_ ? Integers{directions_, depth, rows} : Integers{directions_, rows, depth};
    };
    const Integers wanted[] = {
        {},    matrix(input_size),        matrix(hidden_), {directions_, 2 * rows}, {batch_}, state,
        state, {directions_, 3 * hidden_}};
    for (size_t i = 1; i < std::size(wanted) && i < n_.input_count(); ++i)
        if (n_.has(i) && n_.build.static_shape(n_.input(i)) != wanted[i])
            throw Fault{"input " + std::to_string(i) + " must have the shape " + shape_to_string(wanted[i]), {}};
    // Scales and zero points: one for each direction, or one for each of its columns.
    for (size_t i = 8; quantized_ && i < n_.input_count(); ++i) {
        if (!n_.has(i)) continue;
        const Integers shape = n_.build.static_shape(n_.input(i));
        if (shape != Integers{directions_} && shape != Integers{directions_, rows})
            throw Fault{"input " + std::to_string(i) + " must have one value for each direction, or for each column",
                        {}};
    }
}

ExprId Recurrent::activate(const Activation& activation, ExprId x) {
    Builder& build = n_.build;
    auto alpha = [&](double fallback) { return activation.has_alpha ? activation.alpha : fallback; };
    auto beta = [&](double fallback) { return activation.has_beta ? activation.beta : fallback; };
    const std::string& name = activation.name;
    // No operator of ONNX has these names, whose defaults would be theirs; ONNX Runtime takes 0.
    if ((name == "Affine" || name == "ScaledTanh") && !(activation.has_alpha && activation.has_beta))
        throw Fault{"the activation " + name + " needs its activation_alpha and activation_beta", {}};
    if (name == "Sigmoid") return build.call("sigmoid", {x});
    if (name == "Tanh") return build.call("tanh", {x});
    if (name == "Relu") return build.call("nn.relu", {x});
    if (name == "Affine") return build.add(scaled(n_, x, activation.alpha), like(n_, x, activation.beta));
    if (name == "LeakyRelu") return build.call("nn.leaky_relu", {x}, {{"alpha", alpha(0.01)}});
    if (name == "Elu") return elu_of(n_, x, alpha(1));
    if (name == "ThresholdedRelu") return thresholded_relu_of(n_, x, alpha(1));
    if (name == "ScaledTanh") return scaled(n_, build.call("tanh", {scaled(n_, x, activation.beta)}), activation.alpha);
    if (name == "HardSigmoid") return hard_sigmoid_of(n_, x, alpha(0.2), beta(0.5));
    if (name == "Softsign") return softsign_of(n_, x);
    if (name == "Softplus") return softplus_of(n_, x);
    throw Fault{"the activation " + name.substr(0, 100) + " is not supported", {}};
}

ExprId Recurrent::clipped(ExprId x) {
    if (!n_.has_attribute("clip")) return x;
    double limit = n_.real("clip", 0);
    return n_.build.call("maximum", {like(n_, x, -limit), n_.build.call("minimum", {like(n_, x, limit), x})});
}

ExprId Recurrent::at_index(ExprId stacked, int64_t index) {
    Integers shape = n_.build.static_shape(stacked);
    if (shape.empty() || index >= shape[0]) throw Fault{"a weight does not fit the direction", {}};
    return n_.build.reshape(n_.build.slice(stacked, 0, index, index + 1), std::span(shape).subspan(1));
}

ExprId Recurrent::initial_state(size_t input, int64_t index) {
    if (n_.has(input)) {
        const int64_t swapped[] = {1, 0, 2};
        ExprId state = n_.input(input);
        return at_index(batch_first_ ? n_.build.transpose(state, swapped) : state, index);
    }
    return n_.build.constant(Tensor(quantized_ ? kFloat32 : n_.build.dtype(x_), {batch_, hidden_}));
}

Recurrent::Direction Recurrent::direction(int64_t index, bool has_cell) {
    Direction d;
    d.weight = at_index(n_.input(1), index);
    d.recurrence = at_index(n_.input(2), index);
    if (quantized_) {
        d.weight_scale = scale(8, index);
        d.recurrence_scale = scale(10, index);
    }
    if (n_.has(3)) {
        ExprId both = at_index(n_.input(3), index);
        d.weight_bias = n_.build.slice(both, 0, 0, gates_ * hidden_);
        d.recurrence_bias = n_.build.slice(both, 0, gates_ * hidden_, 2 * gates_ * hidden_);
    }
    d.hidden = initial_state(5, index);
    if (has_cell) d.cell = initial_state(6, index);
    if (has_cell && n_.has(7)) d.peephole = at_index(n_.input(7), index);
    size_t each = activations_.size() / size_t(directions_);
    d.activations.assign(activations_.begin() + int64_t(each) * index,
                         activations_.begin() + int64_t(each) * (index + 1));
    return d;
}

/// Returns, as [batch, 1], which sequences still run at a step; invalid if all do.
ExprId Recurrent::alive(int64_t step) {
    if (!n_.has(4)) return {};
    const int64_t column[] = {batch_, 1};
    ExprId lengths = n_.build.reshape(n_.input(4), column);
    return n_.build.call("greater", {lengths, n_.build.constant(step, n_.build.dtype(lengths))});
}

/// Turns sequences round, each within its length; the first axis is time.
ExprId Recurrent::turned_round(ExprId sequences, int batch_axis) {
    if (!n_.has(4)) return n_.build.call("reverse", {sequences}, {{"axis", 0}});
    return n_.build.call("reverse_sequence", {sequences, n_.input(4)}, {{"seq_axis", 0}, {"batch_axis", batch_axis}});
}

/// Returns the outputs of a direction at all times: [length, 1, batch, hidden].
ExprId Recurrent::go_through(Step step, Direction& d, bool backward) {
    Builder& build = n_.build;
    d.x = backward ? turned_round(x_, 1) : x_;
    d.output = d.hidden;
    Exprs outputs;
    for (int64_t i = 0; i < length_; ++i) {
        ExprId hidden = d.hidden, cell = d.cell, running = alive(i);
        step(*this, d, i);
        d.output = d.hidden;
        if (running.valid()) {
            d.output = build.call("where", {running, d.hidden, like(n_, d.hidden, 0)});
            d.hidden = build.call("where", {running, d.hidden, hidden});
            if (cell.valid()) d.cell = build.call("where", {running, d.cell, cell});
        }
        const int64_t shape[] = {1, 1, batch_, hidden_};
        outputs.push_back(build.reshape(d.output, shape));
    }
    ExprId all = build.concatenate(outputs, 0);
    return backward ? turned_round(all, 2) : all;
}

Exprs Recurrent::run(Step step, bool has_cell) {
    Builder& build = n_.build;
    Exprs outputs, last_hidden, last_cell;
    bool backward_only = n_.string("direction", "forward") == "reverse";
    for (int64_t index = 0; index < directions_; ++index) {
        Direction d = direction(index, has_cell);
        outputs.push_back(go_through(step, d, index == 1 || backward_only));
        const int64_t shape[] = {1, batch_, hidden_};
        last_hidden.push_back(build.reshape(d.hidden, shape));
        if (has_cell) last_cell.push_back(build.reshape(d.cell, shape));
    }
    ExprId y = build.concatenate(outputs, 1), h = build.concatenate(last_hidden, 0);
    ExprId c = has_cell ? build.concatenate(last_cell, 0) : ExprId();
    if (batch_first_) {
        const int64_t sequence[] = {2, 0, 1, 3}, state[] = {1, 0, 2};
        y = build.transpose(y, sequence);
        h = build.transpose(h, state);
        if (has_cell) c = build.transpose(c, state);
    }
    return {y, h, c};
}

void rnn_step(Recurrent& self, Recurrent::Direction& d, int64_t time) {
    ExprId sum = self.node().build.add(self.biased(self.from_input(d, time), d.weight_bias),
                                       self.biased(self.from_state(d), d.recurrence_bias));
    d.hidden = self.activate(d.activations[0], self.clipped(sum));
}

/// Computes a GRU step. Gates are ordered update, reset, hidden.
void gru_step(Recurrent& self, Recurrent::Direction& d, int64_t time) {
    Builder& build = self.node().build;
    ExprId from_x = self.biased(self.from_input(d, time), d.weight_bias);
    ExprId from_h = self.biased(self.from_state(d), d.recurrence_bias);
    ExprId update =
        self.activate(d.activations[0], self.clipped(build.add(self.gate(from_x, 0), self.gate(from_h, 0))));
    ExprId reset = self.activate(d.activations[0], self.clipped(build.add(self.gate(from_x, 1), self.gate(from_h, 1))));
    ExprId candidate;
    if (self.node().integer("linear_before_reset", 0)) {
        candidate = build.add(self.gate(from_x, 2), build.multiply(reset, self.gate(from_h, 2)));
    } else {
        ExprId weight = build.slice(d.recurrence, 0, 2 * self.hidden(), 3 * self.hidden());
        ExprId bias = d.recurrence_bias.valid() ? self.gate(d.recurrence_bias, 2) : ExprId();
        candidate =
            build.add(self.gate(from_x, 2), self.biased(self.product(build.multiply(reset, d.hidden), weight), bias));
    }
    candidate = self.activate(d.activations[1], self.clipped(candidate));
    ExprId kept = build.multiply(update, d.hidden);
    ExprId fresh = build.multiply(build.subtract(like(self.node(), update, 1), update), candidate);
    d.hidden = build.add(fresh, kept);
}

/// Computes an LSTM step. Gates are ordered input, output, forget, cell; peepholes input, output, forget.
void lstm_step(Recurrent& self, Recurrent::Direction& d, int64_t time) {
    Builder& build = self.node().build;
    ExprId all = build.add(self.biased(self.from_input(d, time), d.weight_bias),
                           self.biased(self.from_state(d), d.recurrence_bias));
    auto peeped = [&](ExprId value, int64_t i, ExprId cell) {
        return d.peephole.valid() ? build.add(value, build.multiply(self.gate(d.peephole, i), cell)) : value;
    };
    ExprId input = self.activate(d.activations[0], self.clipped(peeped(self.gate(all, 0), 0, d.cell)));
    ExprId forget;
    if (self.node().integer("input_forget", 0)) forget = build.subtract(like(self.node(), input, 1), input);
    else forget = self.activate(d.activations[0], self.clipped(peeped(self.gate(all, 2), 2, d.cell)));
    ExprId fresh = self.activate(d.activations[1], self.clipped(self.gate(all, 3)));
    d.cell = build.add(build.multiply(forget, d.cell), build.multiply(input, fresh));
    ExprId output = self.activate(d.activations[0], self.clipped(peeped(self.gate(all, 1), 1, d.cell)));
    d.hidden = build.multiply(output, self.activate(d.activations[2], d.cell));
}

Exprs rnn(NodeContext& n) { return Recurrent(n, 1, {"Tanh"}).run(rnn_step, false); }
Exprs gru(NodeContext& n) { return Recurrent(n, 3, {"Sigmoid", "Tanh"}).run(gru_step, false); }
Exprs lstm(NodeContext& n) { return Recurrent(n, 4, {"Sigmoid", "Tanh", "Tanh"}).run(lstm_step, true); }

Exprs dynamic_quantize_lstm(NodeContext& n) {
    return Recurrent(n, 4, {"Sigmoid", "Tanh", "Tanh"}, true).run(lstm_step, true);
}

const ConverterEntry kRecurrentConverters[] = {{"GRU", gru}, {"LSTM", lstm}, {"RNN", rnn}};
const ConverterEntry kRuntimeRecurrentConverters[] = {{"DynamicQuantizeLSTM", dynamic_quantize_lstm}};

}  // namespace

std::span<const ConverterEntry> recurrent_converters() { return kRecurrentConverters; }
std::span<const ConverterEntry> runtime_recurrent_converters() { return kRuntimeRecurrentConverters; }

}  // namespace partita::onnx
