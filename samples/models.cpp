#include "samples/models.h"

#include <cmath>

#include "samples/network_builder.h"

namespace partita::samples {
namespace {

constexpr int kClasses = 1000;

Value image(NetworkBuilder& net, int size = 224) { return net.input("data", {1, 3, size, size}, 3); }

Value convolution_norm(NetworkBuilder& net, const std::string& name, Value data, const Convolution& shape) {
    return net.batch_norm(name + "_norm", net.convolution(name, data, shape));
}

Value convolution_norm_relu(NetworkBuilder& net, const std::string& name, Value data, const Convolution& shape) {
    return net.relu(convolution_norm(net, name, data, shape));
}

Value convolution_bias_relu(NetworkBuilder& net, const std::string& name, Value data, const Convolution& shape) {
    return net.relu(net.image_bias(name, net.convolution(name, data, shape)));
}

Value classify(NetworkBuilder& net, Value data) {
    data = net.flatten(net.global_average(data), data.channels);
    return net.softmax(net.dense("classifier", data, kClasses));
}

/// Adds two 3x3 convolutions with a shortcut (He, Zhang, Ren and Sun, "Deep Residual Learning", 2015).
Value basic_block(NetworkBuilder& net, const std::string& name, Value data, int channels, int stride) {
    Value shortcut = data;
    if (stride != 1 || data.channels != channels) {
        shortcut = convolution_norm(net, name + "_shortcut", data, square(channels, 1, stride));
    }
    Value inner = convolution_norm_relu(net, name + "_conv1", data, square(channels, 3, stride));
    inner = convolution_norm(net, name + "_conv2", inner, square(channels, 3));
    return net.relu(net.add(inner, shortcut));
}

/// Adds convolutions 1x1, 3x3 and 1x1 with a fourth of the channels inside; from the same paper.
Value bottleneck_block(NetworkBuilder& net, const std::string& name, Value data, int channels, int stride) {
    Value shortcut = data;
    if (stride != 1 || data.channels != channels) {
        shortcut = convolution_norm(net, name + "_shortcut", data, square(channels, 1, stride));
    }
    Value inner = convolution_norm_relu(net, name + "_conv1", data, square(channels / 4, 1));
    inner = convolution_norm_relu(net, name + "_conv2", inner, square(channels / 4, 3, stride));
    inner = convolution_norm(net, name + "_conv3", inner, square(channels, 1));
    return net.relu(net.add(inner, shortcut));
}

using ResidualBlock = Value (*)(NetworkBuilder&, const std::string&, Value, int, int);

Result<Module> residual_network(ResidualBlock block, std::initializer_list<int> blocks_of_stage, int first_channels) {
    NetworkBuilder net;
    Value data = convolution_norm_relu(net, "stem", image(net), square(64, 7, 2));
    data = net.pool("nn.max_pool2d", data, 3, 2, 1);
    int stage = 1, channels = first_channels;
    for (int blocks : blocks_of_stage) {
        for (int i = 1; i <= blocks; i++) {
            int stride = i == 1 && stage > 1 ? 2 : 1;
            data = block(net, "stage" + std::to_string(stage) + "_block" + std::to_string(i), data, channels, stride);
        }
        stage++;
        channels *= 2;
    }
    return net.finish(classify(net, data));
}

Result<Module> resnet18() { return residual_network(basic_block, {2, 2, 2, 2}, 64); }
Result<Module> resnet50() { return residual_network(bottleneck_block, {3, 4, 6, 3}, 256); }

/// Howard and others, "MobileNets", 2017.
Result<Module> mobilenet_v1() {
    struct Step {
        int channels, stride;
    };
    constexpr Step steps[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                              {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    NetworkBuilder net;
    Value data = convolution_norm_relu(net, "stem", image(net), square(32, 3, 2));
    int number = 1;
    for (const Step& step : steps) {
        std::string name = "separable" + std::to_string(number++);
        data =
            convolution_norm_relu(net, name + "_depthwise", data, square(data.channels, 3, step.stride, data.channels));
        data = convolution_norm_relu(net, name + "_pointwise", data, square(step.channels, 1));
    }
    return net.finish(classify(net, data));
}

/// Iandola and others, "SqueezeNet", 2016, version 1.1.
Result<Module> squeezenet() {
    NetworkBuilder net;
    auto fire = [&](const std::string& name, Value data, int squeeze, int expand) {
        data = convolution_bias_relu(net, name + "_squeeze", data, square(squeeze, 1));
        Value narrow = convolution_bias_relu(net, name + "_expand1", data, square(expand, 1));
        Value wide = convolution_bias_relu(net, name + "_expand3", data, square(expand, 3));
        return net.concatenate({narrow, wide});
    };
    auto shrink = [&](Value data) { return net.pool("nn.max_pool2d", data, 3, 2, 0); };
    Value data = shrink(convolution_bias_relu(net, "stem", image(net), {64, 3, 3, 2, 0, 0, 1}));
    data = shrink(fire("fire2", fire("fire1", data, 16, 64), 16, 64));
    data = shrink(fire("fire4", fire("fire3", data, 32, 128), 32, 128));
    data = fire("fire6", fire("fire5", data, 48, 192), 48, 192);
    data = fire("fire8", fire("fire7", data, 64, 256), 64, 256);
    data = convolution_bias_relu(net, "classifier", net.dropout(data), square(kClasses, 1));
    return net.finish(net.softmax(net.flatten(net.global_average(data), kClasses)));
}

/// Huang, Liu, van der Maaten and Weinberger, "Densely Connected Convolutional Networks", 2016: growth 32.
Result<Module> densenet121() {
    constexpr int growth = 32;
    NetworkBuilder net;
    auto norm_relu = [&](const std::string& name, Value data) { return net.relu(net.batch_norm(name, data)); };
    auto layer = [&](const std::string& name, Value data) {
        Value inner = net.convolution(name + "_conv1", norm_relu(name + "_norm1", data), square(4 * growth, 1));
        inner = net.convolution(name + "_conv2", norm_relu(name + "_norm2", inner), square(growth, 3));
        return net.concatenate({data, inner});
    };
    Value data = convolution_norm_relu(net, "stem", image(net), square(64, 7, 2));
    data = net.pool("nn.max_pool2d", data, 3, 2, 1);
    int block = 1;
    for (int layers : {6, 12, 24, 16}) {
        std::string name = "block" + std::to_string(block);
        if (block > 1) {
            std::string transition = "transition" + std::to_string(block - 1);
            data = net.convolution(transition, norm_relu(transition + "_norm", data), square(data.channels / 2, 1));
            data = net.pool("nn.avg_pool2d", data, 2, 2, 0);
        }
        for (int i = 1; i <= layers; i++) data = layer(name + "_layer" + std::to_string(i), data);
        block++;
    }
    return net.finish(classify(net, norm_relu("last_norm", data)));
}

/// Szegedy and others, "Going Deeper with Convolutions", 2014.
Result<Module> inception_v1() {
    struct Widths {
        int one, three_reduced, three, five_reduced, five, pooled;
    };
    NetworkBuilder net;
    auto module = [&](const std::string& name, Value data, const Widths& widths) {
        Value one = convolution_bias_relu(net, name + "_1x1", data, square(widths.one, 1));
        Value three = convolution_bias_relu(net, name + "_3x3_reduce", data, square(widths.three_reduced, 1));
        three = convolution_bias_relu(net, name + "_3x3", three, square(widths.three, 3));
        Value five = convolution_bias_relu(net, name + "_5x5_reduce", data, square(widths.five_reduced, 1));
        five = convolution_bias_relu(net, name + "_5x5", five, square(widths.five, 5));
        Value pooled = net.pool("nn.max_pool2d", data, 3, 1, 1);
        pooled = convolution_bias_relu(net, name + "_pool", pooled, square(widths.pooled, 1));
        return net.concatenate({one, three, five, pooled});
    };
    auto shrink = [&](Value data) { return net.pool("nn.max_pool2d", data, 3, 2, 0, true); };
    auto lrn = [&](Value data) { return net.call("nn.lrn", {data}); };
    Value data = lrn(shrink(convolution_bias_relu(net, "stem1", image(net), square(64, 7, 2))));
    data = convolution_bias_relu(net, "stem2", data, square(64, 1));
    data = shrink(lrn(convolution_bias_relu(net, "stem3", data, square(192, 3))));
    data = module("inception3a", data, {64, 96, 128, 16, 32, 32});
    data = shrink(module("inception3b", data, {128, 128, 192, 32, 96, 64}));
    data = module("inception4a", data, {192, 96, 208, 16, 48, 64});
    data = module("inception4b", data, {160, 112, 224, 24, 64, 64});
    data = module("inception4c", data, {128, 128, 256, 24, 64, 64});
    data = module("inception4d", data, {112, 144, 288, 32, 64, 64});
    data = shrink(module("inception4e", data, {256, 160, 320, 32, 128, 128}));
    data = module("inception5a", data, {256, 160, 320, 32, 128, 128});
    data = module("inception5b", data, {384, 192, 384, 48, 128, 128});
    return net.finish(classify(net, net.dropout(data)));
}

/// Krizhevsky, Sutskever and Hinton, "ImageNet Classification with Deep Convolutional Neural Networks", 2012, as a
/// single column.
Result<Module> alexnet() {
    NetworkBuilder net;
    auto shrink = [&](Value data) { return net.pool("nn.max_pool2d", data, 3, 2, 0); };
    Value data = shrink(convolution_bias_relu(net, "conv1", image(net), {64, 11, 11, 4, 2, 2, 1}));
    data = shrink(convolution_bias_relu(net, "conv2", data, square(192, 5)));
    data = convolution_bias_relu(net, "conv3", data, square(384, 3));
    data = convolution_bias_relu(net, "conv4", data, square(256, 3));
    data = shrink(convolution_bias_relu(net, "conv5", data, square(256, 3)));
    data = net.flatten(data, 256 * 6 * 6);
    data = net.relu(net.dense("dense1", net.dropout(data), 4096));
    data = net.relu(net.dense("dense2", net.dropout(data), 4096));
    return net.finish(net.softmax(net.dense("classifier", data, kClasses)));
}

/// Returns the encoder of Vaswani and others, "Attention Is All You Need", 2017, with four layers of 256 features.
Result<Module> transformer_encoder() {
    constexpr int tokens = 64, features = 256, heads = 8, inside = 1024, layers = 4;
    constexpr int head = features / heads;
    NetworkBuilder net;
    auto attention = [&](const std::string& name, Value data) {
        Value query = net.reshape(net.dense(name + "_query", data, features), {tokens, heads, head});
        Value key = net.reshape(net.dense(name + "_key", data, features), {tokens, heads, head});
        Value value = net.reshape(net.dense(name + "_value", data, features), {tokens, heads, head});
        Value scores = net.call("nn.batch_matmul", {net.transpose(query, {1, 0, 2}), net.transpose(key, {1, 0, 2})},
                                {{"transpose_b", true}});
        scores = net.softmax(net.call("multiply", {scores, net.scalar(1 / std::sqrt(float(head)))}));
        Value mixed = net.call("nn.batch_matmul", {scores, net.transpose(value, {1, 2, 0})}, {{"transpose_b", true}});
        mixed = net.reshape(net.transpose(mixed, {1, 0, 2}), {tokens, features});
        mixed.channels = features;
        return net.dense(name + "_output", mixed, features);
    };
    Value data = net.input("tokens", {tokens, features}, features);
    for (int i = 1; i <= layers; i++) {
        std::string name = "layer" + std::to_string(i);
        data = net.layer_norm(name + "_norm1", net.add(attention(name + "_attention", data), data));
        Value inner = net.relu(net.dense(name + "_inside", data, inside));
        inner = net.dense(name + "_outside", inner, features);
        data = net.layer_norm(name + "_norm2", net.add(inner, data));
    }
    return net.finish(data);
}

Value relu6(NetworkBuilder& net, Value data) { return net.call("clip", {data}, {{"a_min", 0.0}, {"a_max", 6.0}}); }

Value convolution_bias_relu6(NetworkBuilder& net, const std::string& name, Value data, const Convolution& shape) {
    return relu6(net, net.image_bias(name, net.convolution(name, data, shape)));
}

/// Sandler and others, "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018; norms are folded into biases.
Result<Module> mobilenet_v2() {
    struct Stage {
        int expansion, channels, blocks, stride;
    };
    constexpr Stage stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    NetworkBuilder net;
    Value data = convolution_bias_relu6(net, "stem", image(net), square(32, 3, 2));
    int number = 1;
    for (const Stage& stage : stages)
        for (int i = 0; i < stage.blocks; i++) {
            const std::string name = "block" + std::to_string(number++);
            const int inside = data.channels * stage.expansion, stride = i == 0 ? stage.stride : 1;
            Value inner = data;
            if (stage.expansion > 1) inner = convolution_bias_relu6(net, name + "_expand", inner, square(inside, 1));
            inner = convolution_bias_relu6(net, name + "_depthwise", inner, square(inside, 3, stride, inside));
            inner = net.convolution(name + "_project", inner, square(stage.channels, 1));
            inner = net.image_bias(name + "_project", inner);
            data = stride == 1 && data.channels == stage.channels ? net.add(inner, data) : inner;
        }
    data = convolution_bias_relu6(net, "last", data, square(1280, 1));
    return net.finish(classify(net, data));
}

/// Returns BERT's encoder (Devlin and others, 2018), small, with its norms and GELU written out as exporters do.
Result<Module> bert_small() {
    constexpr int tokens = 32, features = 128, heads = 4, inside = 512, layers = 16;
    constexpr int head = features / heads;
    NetworkBuilder net;
    const Attributes last_axis = {{"axis", AttributeValue::List{AttributeValue(-1)}}, {"keepdims", true}};
    auto norm = [&](const std::string& name, Value data) {
        Value centred = net.call("subtract", {data, net.call("mean", {data}, last_axis)});
        Value variance = net.call("mean", {net.call("power", {centred, net.scalar(2)})}, last_axis);
        Value deviation = net.call("sqrt", {net.add(variance, net.scalar(1e-5F))});
        Value normed = net.call("divide", {centred, deviation});
        normed = net.call("multiply", {normed, net.parameter(name + "_gamma", {features})});
        return net.add(normed, net.parameter(name + "_beta", {features}));
    };
    auto gelu = [&](Value data) {
        Value inner = net.call("erf", {net.call("divide", {data, net.scalar(std::sqrt(2.0F))})});
        return net.call("multiply", {net.call("multiply", {data, net.add(inner, net.scalar(1))}), net.scalar(0.5F)});
    };
    auto by_head = [&](const std::string& name, Value data, std::vector<int> order) {
        Value all = net.reshape(net.dense(name, data, features), {1, tokens, heads, head});
        const int rows = order[2] == 1 ? tokens : head, columns = order[2] == 1 ? head : tokens;
        return net.reshape(net.transpose(all, std::move(order)), {heads, rows, columns});
    };
    auto attention = [&](const std::string& name, Value data) {
        Value query = by_head(name + "_query", data, {0, 2, 1, 3}), key = by_head(name + "_key", data, {0, 2, 1, 3});
        Value value = by_head(name + "_value", data, {0, 2, 3, 1});
        Value scores = net.call("nn.batch_matmul", {query, key}, {{"transpose_b", true}});
        scores = net.softmax(net.call("divide", {scores, net.scalar(std::sqrt(float(head)))}));
        Value mixed = net.call("nn.batch_matmul", {scores, value}, {{"transpose_b", true}});
        mixed = net.transpose(net.reshape(mixed, {1, heads, tokens, head}), {0, 2, 1, 3});
        mixed = net.reshape(mixed, {tokens, features});
        mixed.channels = features;
        return net.dense(name + "_output", mixed, features);
    };
    Value data = net.input("tokens", {tokens, features}, features);
    for (int i = 1; i <= layers; i++) {
        const std::string name = "layer" + std::to_string(i);
        data = norm(name + "_norm1", net.add(attention(name + "_attention", data), data));
        Value inner = net.dense(name + "_outside", gelu(net.dense(name + "_inside", data, inside)), features);
        data = norm(name + "_norm2", net.add(inner, data));
    }
    return net.finish(data);
}

/// Returns a detector of one shot (after Liu and others, "SSD", 2016): boxes are worked out only if a score is high.
Result<Module> detector() {
    constexpr int anchors = 4, classes = 6, corners = 4, rows_in_all = anchors * (32 * 32 + 16 * 16);
    NetworkBuilder net;
    Value data = convolution_bias_relu(net, "stem", image(net, 256), square(16, 3, 2));
    data = convolution_bias_relu(net, "body1", data, square(32, 3, 2));
    data = convolution_bias_relu(net, "body2", data, square(64, 3));
    Value fine = convolution_bias_relu(net, "body3", data, square(96, 3, 2));
    fine = convolution_bias_relu(net, "body4", fine, square(96, 3));
    Value coarse = convolution_bias_relu(net, "body5", fine, square(160, 3, 2));
    coarse = convolution_bias_relu(net, "body6", coarse, square(160, 3));
    auto head = [&](const std::string& name, Value from, int each) {
        return net.image_bias(name, net.convolution(name, from, square(anchors * each, 3)));
    };
    auto rows = [&](Value map, int each) { return net.reshape(net.transpose(map, {0, 2, 3, 1}), {1, -1, each}); };
    auto both = [&](const std::string& name, int each) {
        return net.concatenate(
            {rows(head(name + "_fine", fine, each), each), rows(head(name + "_coarse", coarse, each), each)});
    };
    Value scores = net.call("sigmoid", {both("scores", classes)});
    Value offsets = both("boxes", corners);
    Value found = net.call("greater", {net.call("max", {scores}), net.scalar(0.5F)});
    Value boxes = net.call("multiply", {net.call("exp", {offsets}), net.parameter("anchor_sizes", {1, 1, corners})});
    Value none = net.call(
        "broadcast_to", {net.scalar(0)},
        {{"shape", AttributeValue::List{AttributeValue(1), AttributeValue(rows_in_all), AttributeValue(corners)}}});
    return net.finish(net.either(found, boxes, none));
}

/// Returns one step of a language model's decoder: one token, with the keys and values of those before it.
Result<Module> decoder_step() {
    constexpr int features = 512, heads = 8, inside = 2048, layers = 4, before = 512;
    constexpr int head = features / heads;
    NetworkBuilder net;
    auto linear = [&](const std::string& name, Value data, int units) {
        Value result =
            net.call("nn.dense", {data, net.parameter(name + "_weight", {units, data.channels})}, {{"units", units}});
        result.channels = units;
        return result;
    };
    auto attention = [&](const std::string& name, Value data) {
        Value query = net.reshape(linear(name + "_query", data, features), {heads, 1, head});
        Value keys = net.input(name + "_keys", {heads, before, head}, head);
        Value values = net.input(name + "_values", {heads, head, before}, before);
        Value scores = net.call("nn.batch_matmul", {query, keys}, {{"transpose_b", true}});
        scores = net.softmax(net.call("multiply", {scores, net.scalar(1 / std::sqrt(float(head)))}));
        Value mixed =
            net.reshape(net.call("nn.batch_matmul", {scores, values}, {{"transpose_b", true}}), {1, features});
        mixed.channels = features;
        return linear(name + "_output", mixed, features);
    };
    Value data = net.input("token", {1, features}, features);
    for (int i = 1; i <= layers; i++) {
        const std::string name = "layer" + std::to_string(i);
        data = net.add(attention(name + "_attention", net.layer_norm(name + "_norm1", data)), data);
        Value normed = net.layer_norm(name + "_norm2", data);
        Value gate = linear(name + "_gate", normed, inside);
        gate = net.call("multiply", {gate, net.call("sigmoid", {gate})});
        Value inner = net.call("multiply", {gate, linear(name + "_up", normed, inside)});
        inner.channels = inside;
        data = net.add(linear(name + "_down", inner, features), data);
    }
    return net.finish(data);
}

constexpr SampleModel kModels[] = {
    {"resnet18", "ResNet-18: residual blocks, in which a shortcut joins the end of a region to its beginning.",
     resnet18},
    {"mobilenet_v1", "MobileNet v1: depthwise and pointwise convolutions in turn.", mobilenet_v1},
    {"transformer_encoder", "A transformer's encoder: dense layers, with reshapes between that no backend takes.",
     transformer_encoder},
    {"squeezenet", "SqueezeNet 1.1: branches that a concatenate joins.", squeezenet},
    {"resnet50", "ResNet-50: bottleneck blocks.", resnet50},
    {"densenet121", "DenseNet-121: each layer reads all before it; many tuples between the calls.", densenet121},
    {"inception_v1", "Inception v1: four branches a module, and lrn, which splits them.", inception_v1},
    {"mobilenet_v2", "MobileNet v2: inverted residuals; their shortcuts go round every cut between blocks.",
     mobilenet_v2},
    {"bert_small", "BERT's encoder, small: norms and GELU written out, as exporters do.", bert_small},
    {"detector", "A detector: two scales, and boxes that are worked out only if a score is high.", detector},
    {"decoder_step", "One token of a language model: dense layers, and attention to what came before.", decoder_step},
    {"alexnet", "AlexNet: five convolutions and three large dense layers.", alexnet},
};

}  // namespace

std::span<const SampleModel> sample_models() { return kModels; }

}  // namespace partita::samples
