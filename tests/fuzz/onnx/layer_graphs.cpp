#include "tests/fuzz/onnx/layer_graphs.h"

#include <limits>

#include "tests/fuzz/onnx/attributes.h"

namespace partita::fuzz {

namespace {

class LayerGraph {
public:
    explicit LayerGraph(GraphMaker& maker) : maker_(maker) {
        const int64_t channels = maker.between(1, 70), extent = maker.one_of({3, 5, 8});
        values_.push_back(maker.fresh(kReal, {maker.between(1, 2), channels, extent, extent + maker.between(0, 2)}));
    }

    void add() {
        const Value x = maker_.chance(0.8) ? values_.back() : maker_.one_of(values_);
        switch (maker_.between(0, 9)) {
            case 0:
            case 1:
            case 2: return add_convolution(x);
            case 3: return add_activation(x);
            case 4: return add_pool(x);
            case 5: return add_normalization(x);
            case 6: return add_by_channel(x);
            case 7: return put("Concat", {x.name, like(x)}, {attribute("axis", 1)}, with_channels(x, 2 * x.shape[1]));
            default: return put(maker_.one_of({"Add", "Add", "Add", "Mul", "Sub", "Max"}), {x.name, like(x)}, {}, x);
        }
    }

private:
    static Value with_channels(Value x, int64_t channels) {
        x.shape[1] = channels;
        return x;
    }
    void put(const char* op, const std::vector<std::string>& inputs, const Attributes& attributes, Value result) {
        result.name = maker_.node(op, inputs, attributes).front();
        values_.push_back(std::move(result));
    }
    std::string like(const Value& x) {
        for (const Value& value : values_)
            if (value.name != x.name && value.shape == x.shape && maker_.chance(0.7)) return value.name;
        return maker_.fresh(kReal, x.shape).name;
    }

    void add_convolution(const Value& x) {
        const int64_t high = maker_.one_of({1, 1, 3, 5}), wide = maker_.one_of({1, 3, 3});
        const int64_t above = maker_.chance(0.7) ? high / 2 : maker_.between(0, 3),
                      left = maker_.chance(0.7) ? wide / 2 : maker_.between(0, 2), stride = maker_.one_of({1, 1, 1, 2});
        if (x.shape[2] + 2 * above < high || x.shape[3] + 2 * left < wide) return;
        int64_t groups = maker_.one_of<int64_t>({1, 1, 1, x.shape[1], 2, 4});
        if (x.shape[1] % groups) groups = 1;
        const int64_t out =
            groups > 1 ? groups * maker_.between(1, 3) * (groups < x.shape[1] ? 5 : 1) : maker_.between(1, 70);
        std::vector<std::string> inputs{x.name, maker_.weight(kReal, {out, x.shape[1] / groups, high, wide}).name};
        if (maker_.chance(0.5)) inputs.push_back(maker_.weight(kReal, {out}).name);
        Value result = with_channels(x, out);
        result.shape[2] = (x.shape[2] + 2 * above - high) / stride + 1;
        result.shape[3] = (x.shape[3] + 2 * left - wide) / stride + 1;
        put("Conv", inputs,
            {attribute("kernel_shape", Shape{high, wide}), attribute("pads", Shape{above, left, above, left}),
             attribute("strides", Shape{stride, stride}), attribute("group", groups)},
            result);
    }

    void add_activation(const Value& x) {
        const char* op =
            maker_.one_of({"Relu", "Relu", "Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "Softmax", "LRN"});
        const std::string_view name = op;
        if (name == "Clip")
            return put(op, {x.name, maker_.scalar(kReal, -0.5).name, maker_.scalar(kReal, 1.5).name}, {}, x);
        if (name == "Softmax") return put(op, {x.name}, {attribute("axis", 1)}, x);
        if (name == "LRN") return put(op, {x.name}, {attribute("size", 3)}, x);
        put(op, {x.name}, {}, x);
    }

    void add_pool(const Value& x) {
        const int64_t size = maker_.between(2, 3), pad = maker_.between(0, 1), stride = maker_.between(1, 2);
        if (x.shape[2] < size || x.shape[3] < size) return;
        Value result = x;
        for (size_t axis : {2, 3}) result.shape[axis] = (x.shape[axis] + 2 * pad - size) / stride + 1;
        put(maker_.one_of({"MaxPool", "AveragePool"}), {x.name},
            {attribute("kernel_shape", Shape{size, size}), attribute("pads", Shape{pad, pad, pad, pad}),
             attribute("strides", Shape{stride, stride})},
            result);
    }

    void add_normalization(const Value& x) {
        const Shape vector{x.shape[1]};
        put("BatchNormalization",
            {x.name, maker_.weight(kReal, vector).name, maker_.weight(kReal, vector).name,
             maker_.weight(kReal, vector).name, maker_.positive(vector).name},
            {}, x);
    }

    void add_by_channel(const Value& x) {
        put(maker_.one_of({"Add", "Mul"}), {x.name, maker_.weight(kReal, {x.shape[1], 1, 1}).name}, {}, x);
    }

    GraphMaker& maker_;
    std::vector<Value> values_;
};

/// Extreme integers, and powers of operands of different types.
void add_integers(GraphMaker& maker) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kOver = (int64_t(1) << 53) + 1;
    const auto extremes = [&] {
        Shape values;
        for (int i = 0; i < 6; ++i)
            values.push_back(maker.one_of<int64_t>({kMost, -kMost, kOver, kOver - 1, -kOver, 3, -2, 1, 7}));
        return maker.integers(values).name;
    };
    const char* op =
        maker.one_of({"Add", "Sub", "Mul", "Max", "Min", "Less", "Equal", "Div", "Pow", "ArgMax", "ReduceMax"});
    const std::string_view name = op;
    if (name == "Pow") {
        const int base = maker.one_of({kReal, kInteger, kLong, kDouble}),
                  exponent = maker.one_of({kReal, kInteger, kLong});
        maker.node(op, {maker
                            .filled(
                                base, {6}, [&](int64_t) { return double(maker.between(1, 9)); }, false)
                            .name,
                        maker
                            .filled(
                                exponent, {6},
                                [&](int64_t) {
                                    const double whole = double(maker.between(0, 6));
                                    return exponent == kReal ? whole / 2 : whole;
                                },
                                maker.chance(0.3))
                            .name});
        maker.inexact();
    } else if (name == "ArgMax" || name == "ReduceMax") {
        maker.node(op, {extremes()}, {attribute("keepdims", 0)}, Effect::Exact);
    } else {
        maker.node(op, {extremes(), extremes()}, {}, Effect::Exact);
    }
}

}  // namespace

int layers_of(uint64_t seed, uint64_t number) {
    GraphMaker maker(seed, number);
    return int(maker.between(2, 10));
}

GeneratedGraph make_layer_graph(uint64_t seed, uint64_t number, int steps) {
    GraphMaker maker(seed, number);
    const int most = int(maker.between(2, 10));
    if (maker.opset() < 13 || number % 8 == 7) {
        if (maker.opset() >= 13) add_integers(maker);
        else maker.node("Relu", {maker.fresh(kReal, {1, maker.between(1, 70), 3, 3}).name});
        maker.finish_step();
        return maker.finish();
    }
    LayerGraph graph(maker);
    for (int step = 0; step < (steps ? steps : most); ++step) graph.add();
    maker.finish_step();
    return maker.finish();
}

}  // namespace partita::fuzz
