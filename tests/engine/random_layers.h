// Random networks of the layers that the backend dnnl has primitives for, as text: any channels, groups, sizes, pads
// and chains, values that are used twice. The same seed gives the same network.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace partita::testing {

class RandomLayers {
public:
    RandomLayers(uint64_t seed, int channels) : random_(seed), channels_(channels) {}

    std::string text() {
        const int extent = below(2) ? 9 : 5;
        values_.push_back({"%data", channels_, extent, extent + 2});
        parameters_ = "%data: " + type_of(values_[0]);
        for (int layers = 2 + below(7); layers > 0; --layers) add_layer();
        if (below(4) == 0) values_.push_back(made(values_[size_t(below(int(values_.size())))], "nn.relu(", ")"));
        return "#[version = \"0.0.5\"]\ndef @main(" + parameters_ + ") {\n" + body_ + "  " + values_.back().name +
               "\n}\n";
    }

private:
    struct Value {
        std::string name;
        int channels, height, width;
    };

    int below(int bound) { return int(random_() % uint64_t(bound)); }
    static std::string type_of(const Value& value) {
        return "Tensor[(1, " + std::to_string(value.channels) + ", " + std::to_string(value.height) + ", " +
               std::to_string(value.width) + "), float32]";
    }
    std::string parameter(const std::string& shape, const std::string& kind) {
        const std::string name = "%p" + std::to_string(count_++) + kind;
        parameters_ += ",\n    " + name + ": Tensor[(" + shape + "), float32]";
        return name;
    }
    std::string by_channel(const Value& x, const std::string& kind) {
        return parameter(std::to_string(x.channels) + ", 1, 1", kind);
    }
    Value made(Value like, const std::string& before, const std::string& after) {
        const std::string name = "%" + std::to_string(count_++);
        body_ += "  " + name + " = " + before + like.name + after + ";\n";
        like.name = name;
        return like;
    }
    /// Returns an earlier value of the shape, or an input.
    std::string other_like(const Value& x) {
        for (const Value& value : values_)
            if (value.name != x.name && value.channels == x.channels && value.height == x.height &&
                value.width == x.width && below(2))
                return value.name;
        return parameter(
            "1, " + std::to_string(x.channels) + ", " + std::to_string(x.height) + ", " + std::to_string(x.width), "");
    }

    void add_layer() {
        const Value x = values_.back();
        switch (below(13)) {
            case 0:
            case 1:
            case 2: return add_convolution(x);
            case 3: return values_.push_back(made(x, "nn.relu(", ")"));
            case 4: return add_activation(x);
            case 5: return values_.push_back(made(x, "add(", ", " + by_channel(x, "_bias") + ")"));
            case 6: return values_.push_back(made(x, "multiply(", ", " + by_channel(x, "_scale") + ")"));
            case 7: return add_normalization(x);
            case 8:
            case 9: return values_.push_back(made(x, "add(", ", " + other_like(x) + ")"));
            case 10: {
                static const char* const names[] = {"multiply(", "subtract(", "maximum("};
                return values_.push_back(made(x, names[below(3)], ", " + other_like(x) + ")"));
            }
            case 11: return add_pool(x);
            default: {
                Value joined = made(x, "concatenate((", ", " + other_like(x) + "), axis=1)");
                joined.channels *= 2;
                return values_.push_back(joined);
            }
        }
    }

    void add_activation(const Value& x) {
        static const char* const ends[][2] = {
            {"clip(", ", a_min=-0.5f, a_max=1.5f)"}, {"sigmoid(", ")"},        {"tanh(", ")"},
            {"nn.leaky_relu(", ", alpha=0.1f)"},     {"nn.lrn(", ", size=3)"}, {"nn.softmax(", ", axis=1)"}};
        const auto& [before, after] = ends[below(6)];
        values_.push_back(made(x, before, after));
    }

    void add_normalization(const Value& x) {
        const std::string count = std::to_string(x.channels);
        std::string rest;
        for (const char* kind : {"_gamma", "_beta", "_moving_mean", "_moving_var"})
            rest += ", " + parameter(count, kind);
        Value whole = made(x, "nn.batch_norm(", rest + ")");
        whole.name += ".0";
        values_.push_back(whole);
    }

    void add_convolution(Value x) {
        const int kernels[] = {1, 1, 3, 5}, high = kernels[below(4)], wide = kernels[below(4)];
        const int pad = below(4) ? high / 2 : below(4), side = below(4) ? wide / 2 : below(3),
                  stride = 1 + below(4) / 3;
        if (x.height + 2 * pad < high || x.width + 2 * side < wide) return;
        int groups = below(3) ? 1 : x.channels;
        if (below(4) == 0 && x.channels % 2 == 0) groups = x.channels / 2;
        const int out = groups > 1 ? x.channels * (1 + below(2)) : below(2) ? x.channels : 1 + below(70);
        const std::string weight = parameter(std::to_string(out) + ", " + std::to_string(x.channels / groups) + ", " +
                                                 std::to_string(high) + ", " + std::to_string(wide),
                                             "_weight");
        const auto pair = [](int a, int b) { return "[" + std::to_string(a) + ", " + std::to_string(b) + "]"; };
        Value result = made(x, "nn.conv2d(",
                            ", " + weight + ", strides=" + pair(stride, stride) + ", padding=" + pair(pad, side) +
                                ", groups=" + std::to_string(groups) + ", channels=" + std::to_string(out) +
                                ", kernel_size=" + pair(high, wide) + ")");
        result.channels = out;
        result.height = (x.height + 2 * pad - high) / stride + 1;
        result.width = (x.width + 2 * side - wide) / stride + 1;
        values_.push_back(result);
    }

    void add_pool(const Value& x) {
        if (x.height < 3 || x.width < 3) return;
        static const char* const names[] = {"nn.max_pool2d(", "nn.avg_pool2d("};
        const int size = 2 + below(2), pad = below(2), stride = 1 + below(2);
        const std::string text = std::to_string(size), step = std::to_string(stride), sides = std::to_string(pad);
        Value result = made(x, names[below(2)],
                            ", pool_size=[" + text + ", " + text + "], strides=[" + step + ", " + step +
                                "], padding=[" + sides + ", " + sides + "])");
        result.height = (x.height + 2 * pad - size) / stride + 1;
        result.width = (x.width + 2 * pad - size) / stride + 1;
        values_.push_back(result);
    }

    std::mt19937_64 random_;
    int channels_, count_ = 0;
    std::string parameters_, body_;
    std::vector<Value> values_;
};

}  // namespace partita::testing
