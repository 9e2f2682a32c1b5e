#include "tests/fuzz/onnx/graph_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "tests/engine/onnx_writer.h"

namespace partita::fuzz {

namespace w = onnx_writer;

namespace {

constexpr double kReuse = 0.75;

std::string tensor_message(const std::string& name, int type, const Tensor& tensor) {
    std::string message;
    for (int64_t dim : tensor.shape()) message += w::number(1, dim);
    std::string_view raw(static_cast<const char*>(tensor.bytes()), tensor.byte_size());
    return message + w::number(2, type) + w::bytes(8, name) + w::bytes(9, raw);
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

GraphMaker::GraphMaker(uint64_t seed, uint64_t number) {
    std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32), uint32_t(number), uint32_t(number >> 32)};
    random_.seed(sequence);
    opset_ = int(between(7, 24));
    if (chance(0.4)) opset_ = one_of({13, 17, 18, 21, 24});
}

int64_t GraphMaker::between(int64_t low, int64_t high) { return low + int64_t(random_() % uint64_t(high - low + 1)); }
bool GraphMaker::chance(double probability) { return double(random_() >> 11) * 0x1p-53 < probability; }
double GraphMaker::real(double low, double high) { return low + (high - low) * double(random_() >> 11) * 0x1p-53; }

int64_t GraphMaker::extent(bool may_be_empty) {
    if (may_be_empty && chance(0.01)) return 0;
    return one_of({1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 16, 17});
}

Shape GraphMaker::shape(int least_rank, int greatest_rank, bool may_be_empty) {
    Shape shape(size_t(between(least_rank, greatest_rank)));
    int64_t count = 1;
    for (int64_t& dim : shape) {
        dim = extent(may_be_empty);
        if (count * dim > 4096) dim = 1;
        count *= std::max<int64_t>(dim, 1);
    }
    return shape;
}

Shape GraphMaker::broadcastable(const Shape& other) {
    Shape result(other.begin() + between(0, int64_t(other.size())), other.end());
    if (chance(0.6)) result = other;
    for (int64_t& dim : result)
        if (chance(0.25)) dim = 1;
    return result;
}

int64_t GraphMaker::axis(int rank, bool may_be_negative) {
    int64_t axis = between(0, rank - 1);
    return may_be_negative && chance(0.3) ? axis - rank : axis;
}

Value GraphMaker::data(std::initializer_list<int> types, int least_rank, int greatest_rank) {
    Want want;
    want.types = types;
    want.least_rank = least_rank;
    want.greatest_rank = greatest_rank;
    return data(want);
}

Value GraphMaker::data(const Want& want) {
    std::vector<Value> fit;
    for (const Value& value : values_) {
        bool typed = std::find(want.types.begin(), want.types.end(), value.type) != want.types.end();
        bool empty = std::find(value.shape.begin(), value.shape.end(), 0) != value.shape.end();
        if (typed && value.rank() >= want.least_rank && value.rank() <= want.greatest_rank &&
            (value.exact || !want.exact) && (value.tame || !want.tame) && !(empty && want.non_empty))
            fit.push_back(value);
    }
    if (!fit.empty() && chance(kReuse))
        return fit[size_t(between(std::max<int64_t>(0, int64_t(fit.size()) - 3), int64_t(fit.size()) - 1))];
    return fresh(one_of(want.types), shape(want.least_rank, want.greatest_rank, !want.non_empty), want.tame);
}

void GraphMaker::fill(Tensor& tensor, bool tame) {
    DataType dtype = tensor.dtype();
    const bool quarters = chance(0.5), has_specials = !tame && chance(0.2);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < tensor.size(); ++i) {
        double value = 0;
        if (dtype.is_bool()) value = double(between(0, 1));
        else if (dtype.code == DataType::Code::UInt)
            value = double(between(0, dtype.bits == 8 && chance(0.5) ? 255 : 9));
        else if (!dtype.is_float()) value = double(between(-9, 9));
        else value = quarters ? double(between(-12, 12)) / 4 : real(-2, 2);
        if (dtype.is_float() && has_specials && chance(0.2))
            value = one_of({double(NAN), kInfinity, -kInfinity, -0.0, 0.0});
        tensor.set(i, value);
    }
}

static bool is_finite(const Tensor& tensor) {
    for (int64_t i = 0; tensor.dtype().is_float() && i < tensor.size(); ++i)
        if (!std::isfinite(tensor.at(i))) return false;
    return true;
}

Value GraphMaker::add(int type, const Shape& shape, const Tensor& tensor, bool known, bool tame) {
    Value value{new_name(known ? "c" : "x"), type, shape, true, tame};
    if (known) {
        initializers_.push_back(tensor_message(value.name, type, tensor));
        has_special_constant_ = has_special_constant_ || !is_finite(tensor);
    } else {
        inputs_.push_back({value.name, tensor});
        input_infos_.push_back(w::value_info(value.name, shape, type));
    }
    known_flags_.push_back(value);
    return value;
}

Value GraphMaker::fresh(int type, const Shape& shape, bool tame) {
    Tensor tensor(onnx::data_type_of(type), shape);
    fill(tensor, tame);
    return add(type, shape, tensor, chance(0.12), is_finite(tensor));
}

Value GraphMaker::weight(int type, const Shape& shape) {
    Tensor tensor(onnx::data_type_of(type), shape);
    fill(tensor, true);
    return add(type, shape, tensor, chance(0.7), true);
}

Value GraphMaker::positive(const Shape& shape) {
    return filled(
        kReal, shape, [this](int64_t) { return real(0.5, 2); }, chance(0.7));
}

Value GraphMaker::filled(int type, const Shape& shape, std::function<double(int64_t)> element, bool known) {
    Tensor tensor(onnx::data_type_of(type), shape);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, element(i));
    return add(type, shape, tensor, known, true);
}

Value GraphMaker::integers(const Shape& values) {
    Tensor tensor(kInt64, {int64_t(values.size())});
    std::copy(values.begin(), values.end(), tensor.data<int64_t>());
    return add(kLong, {int64_t(values.size())}, tensor, true, true);
}

Value GraphMaker::scalar(int type, double value) {
    return filled(type, {}, [=](int64_t) { return value; });
}

std::vector<std::string> GraphMaker::node(std::string_view op, const std::vector<std::string>& inputs,
                                          const std::vector<std::string>& attributes, Effect effect, int outputs) {
    bool exact = effect == Effect::Exact, tame = effect != Effect::Wild;
    for (const std::string& input : inputs) {
        read_.push_back(input);
        for (const auto* list : {&values_, &known_flags_})
            for (const Value& value : *list)
                if (value.name == input) exact = exact && value.exact, tame = tame && value.tame;
        for (const Made& made : made_)
            if (made.name == input) exact = exact && made.exact, tame = tame && made.tame;
    }
    std::vector<std::string> names;
    for (int i = 0; i < outputs; ++i) {
        names.push_back(new_name("v"));
        made_.push_back({names.back(), exact, tame});
    }
    nodes_.push_back({std::string(op), inputs, names, attributes});
    note(op);
    return names;
}

std::string GraphMaker::Node::text() const {
    const std::string_view runtime = "com.microsoft.", name = op;
    const bool own = !name.starts_with(runtime);
    return w::node(own ? name : name.substr(runtime.size()), inputs, outputs, attributes, "",
                   own ? "" : runtime.substr(0, runtime.size() - 1));
}

void GraphMaker::note(std::string_view op) {
    if (!contains(operators_, std::string(op))) operators_.emplace_back(op);
}

void GraphMaker::hide(const std::string& output) { hidden_.push_back(output); }

std::string GraphMaker::model_with(const std::vector<std::pair<std::string, int>>& outputs) const {
    std::vector<std::string> texts;
    for (const Node& node : nodes_) texts.push_back(node.text());
    return model_of(texts, input_infos_, outputs);
}

std::string GraphMaker::noisy_model(std::vector<std::pair<std::string, int>> outputs) const {
    std::vector<std::string> texts, inputs = input_infos_;
    for (const Node& node : nodes_) {
        for (const std::string& text : node.definition) texts.push_back(text);
        Node raw = node;
        if (!node.definition.empty()) raw = {"Identity", {node.defined}, node.outputs, {}};
        std::vector<std::string> sums;
        for (std::string& output : raw.outputs)
            for (const GeneratedGraph::Noise& noise : noise_) {
                if (noise.value != output) continue;
                const std::string added = "noise of " + noise.value;
                inputs.push_back(w::value_info(added, noise.shape, noise.type));
                output = "raw " + noise.value;
                outputs.emplace_back(output, noise.type);
                sums.push_back(w::node("Add", {output, added}, {noise.value}));
                break;
            }
        texts.push_back(raw.text());
        texts.insert(texts.end(), sums.begin(), sums.end());
    }
    return model_of(texts, inputs, outputs);
}

std::string GraphMaker::model_of(const std::vector<std::string>& nodes, const std::vector<std::string>& inputs,
                                 const std::vector<std::pair<std::string, int>>& outputs) const {
    w::GraphParts parts{nodes, initializers_, inputs, {}};
    for (const auto& [name, type] : outputs)
        parts.outputs.push_back(w::bytes(1, name) + (type ? w::bytes(2, w::bytes(1, w::number(1, type))) : ""));
    constexpr int kIrVersion = 8;
    return w::number(1, kIrVersion) + w::bytes(8, w::number(2, opset_)) +
           w::bytes(8, w::bytes(1, "com.microsoft") + w::number(2, 1)) + w::bytes(7, w::graph(parts));
}

bool GraphMaker::finish_step() {
    std::vector<std::pair<std::string, int>> outputs;
    for (const Made& made : made_)
        if (!contains(hidden_, made.name)) outputs.emplace_back(made.name, 0);
    OnnxOptions options;
    Result<OnnxImport> imported = import_onnx(model_with(outputs), options);
    const bool understood = imported && imported->unsupported.empty();
    std::vector<TypeId> types;
    if (understood) {
        const Module& module = imported->module;
        TypeId result = module.type(module.body(module.find_function("main")));
        if (outputs.size() == 1) types = {result};
        else types.assign(module.types().parts(result).begin(), module.types().parts(result).end());
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        auto made =
            std::find_if(made_.begin(), made_.end(), [&](const Made& one) { return one.name == outputs[i].first; });
        Value value{made->name, kAnyType, {}, made->exact && step_exact_, made->tame};
        if (understood && imported->module.types().is_tensor(types[i])) {
            DataType dtype = imported->module.types().dtype(types[i]);
            for (int type = kReal; type <= kUnsigned64; ++type)
                if (onnx::data_type_of(type) == dtype) value.type = type;
            auto shape = imported->module.types().shape(types[i]);
            value.shape.assign(shape.begin(), shape.end());
        }
        if (!value.exact && value.type != kAnyType && value.type != kTruth)
            noise_.push_back({value.name, value.type, value.shape, !elementwise_});
        values_.push_back(value);
    }
    made_.clear();
    step_exact_ = true;
    return understood;
}

GeneratedGraph GraphMaker::finish() {
    GeneratedGraph graph;
    graph.opset = opset_;
    graph.inputs = inputs_;
    graph.has_special_constant = has_special_constant_;
    graph.operators = operators_;
    std::vector<std::pair<std::string, int>> outputs;
    for (const Value& value : values_) {
        if (contains(read_, value.name) && !chance(0.1)) continue;
        outputs.emplace_back(value.name, value.type);
        graph.outputs.push_back({value.name, value.exact});
    }
    graph.model = model_with(outputs);
    graph.noise = noise_;
    if (!noise_.empty()) graph.noisy_model = noisy_model(outputs);
    return graph;
}

namespace {

bool is_elementwise(const Recipe& recipe) {
    const std::span<const Recipe> family = elementwise_recipes();
    return &recipe >= family.data() && &recipe < family.data() + family.size();
}

std::vector<const Recipe*> all_recipes() {
    std::vector<const Recipe*> all;
    for (auto family : {elementwise_recipes(), network_recipes(), shape_recipes(), other_recipes(),
                        transformer_recipes(), runtime_recipes(), linear_attention_recipes()})
        for (const Recipe& recipe : family) all.push_back(&recipe);
    return all;
}

}  // namespace

std::vector<std::string> operators_with_recipes() {
    std::set<std::string> names;
    for (const Recipe* recipe : all_recipes()) names.insert(recipe->operators.begin(), recipe->operators.end());
    return {names.begin(), names.end()};
}

int steps_of(uint64_t seed, uint64_t number) {
    GraphMaker maker(seed, number);
    return int(maker.one_of({1, 1, 2, 2, 3, 4, 5, 6}));
}

GeneratedGraph make_graph_of(std::string_view op, uint64_t number) {
    constexpr uint64_t kSeed = 24, kMostTries = 1000;
    for (const Recipe* recipe : all_recipes()) {
        if (std::find(recipe->operators.begin(), recipe->operators.end(), op) == recipe->operators.end()) continue;
        for (uint64_t i = 0; i < kMostTries; ++i) {  // the seed says which opset, too
            GraphMaker maker(kSeed, number * kMostTries + i);
            if (recipe->oldest_opset > maker.opset() || recipe->newest_opset < maker.opset()) continue;
            maker.begin_step(is_elementwise(*recipe));
            recipe->add(maker, op);
            maker.finish_step();
            return maker.finish();
        }
    }
    return {};
}

GeneratedGraph make_graph(uint64_t seed, uint64_t number, int steps) {
    static const std::vector<const Recipe*> recipes = all_recipes();
    // One entry for each operator, so that each is chosen equally often.
    static const std::vector<std::pair<const Recipe*, std::string_view>> choices = [] {
        std::vector<std::pair<const Recipe*, std::string_view>> list;
        for (const Recipe* recipe : recipes)
            for (std::string_view op : recipe->operators) list.emplace_back(recipe, op);
        return list;
    }();
    GraphMaker maker(seed, number);
    int most = maker.one_of({1, 1, 2, 2, 3, 4, 5, 6});
    if (steps == 0) steps = most;
    for (int step = 0; step < steps;) {
        const auto& [recipe, op] = maker.one_of(choices);
        if (recipe->oldest_opset > maker.opset() || recipe->newest_opset < maker.opset()) continue;
        maker.begin_step(is_elementwise(*recipe));
        recipe->add(maker, op);
        if (!maker.finish_step()) break;
        ++step;
    }
    return maker.finish();
}

}  // namespace partita::fuzz
