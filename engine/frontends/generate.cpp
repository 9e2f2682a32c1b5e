#include "engine/frontends/generate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <string>

#include "engine/ops/registry.h"

namespace partita {

namespace {

constexpr int64_t kMostOperators = 10'000'000;

constexpr std::array kUnary = {"nn.relu", "tanh", "sigmoid", "sqrt", "exp", "abs", "negative"};
constexpr std::array kBinary = {"add", "multiply", "subtract", "maximum", "minimum", "divide"};

/// Adds typed calls to a module. Values have two shapes: full, and half of it (the results of split).
class GraphBuilder {
public:
    GraphBuilder(uint64_t seed, const GenerateOptions& options) : options_(options), random_(seed) {
        full_ = module_.types().tensor(kFloat32, {options.rows, options.columns});
        half_ = module_.types().tensor(kFloat32, {options.rows, options.columns / 2});
        for (int i = 0; i < std::max(options.inputs, 1); ++i)
            parameters_.push_back(module_.add_var("x" + std::to_string(i), full_));
    }

    void reserve(int64_t operators) { module_.reserve(size_t(operators) * 2, size_t(operators) * 4); }
    uint64_t below(uint64_t bound) { return random_() % bound; }
    ExprId parameter(uint64_t index) const { return parameters_[index % parameters_.size()]; }
    const std::vector<ExprId>& parameters() const { return parameters_; }
    TypeId full() const { return full_; }
    TypeId half() const { return half_; }
    Module& module() { return module_; }
    const std::string& missing_op() const { return missing_op_; }

    ExprId unary(uint64_t which, ExprId value) { return call(kUnary[which % kUnary.size()], {&value, 1}, type(value)); }
    ExprId binary(uint64_t which, ExprId left, ExprId right) {
        ExprId arguments[] = {left, right};
        return call(kBinary[which % kBinary.size()], arguments, type(left));
    }
    ExprId concatenate(ExprId left, ExprId right) {
        ExprId fields[] = {left, right};
        ExprId pair = module_.add_tuple(fields, pair_type());
        return call("concatenate", {&pair, 1}, full_, {{"axis", AttributeValue(1)}});
    }
    /// Returns both halves of a full value.
    std::array<ExprId, 2> split(ExprId value) {
        ExprId pair = call("split", {&value, 1}, pair_type(),
                           {{"indices_or_sections", AttributeValue(2)}, {"axis", AttributeValue(1)}});
        return {module_.add_projection(pair, 0, half_), module_.add_projection(pair, 1, half_)};
    }

    Module finish(std::span<const ExprId> outputs) {
        ExprId body = outputs[0];
        TypeId result = type(body);
        if (outputs.size() > 1) {
            std::vector<TypeId> fields;
            for (ExprId output : outputs) fields.push_back(type(output));
            result = module_.types().tuple(fields);
            body = module_.add_tuple(outputs, result);
        }
        std::vector<TypeId> parameter_types(parameters_.size(), full_);
        TypeId function_type = module_.types().function(parameter_types, result);
        module_.set_function("main", module_.add_function(parameters_, body, FunctionInfo{result, {}}, function_type));
        module_.set_typed(true);
        return std::move(module_);
    }

private:
    struct Setting {
        std::string_view name;
        AttributeValue value;
    };

    TypeId type(ExprId value) const { return module_.type(value); }
    TypeId pair_type() {
        TypeId fields[] = {half_, half_};
        return module_.types().tuple(fields);
    }

    ExprId call(const char* name, std::span<const ExprId> arguments, TypeId type,
                std::initializer_list<Setting> settings = {}) {
        OpId op = op_registry().find(name);
        if (!op.valid()) {
            missing_op_ = name;
            return arguments[0];
        }
        AttributesId attributes;
        const OpRecord& record = op_registry()[op];
        if (!record.attributes.empty()) {
            AttributeList values = record.default_attributes();
            for (const Setting& setting : settings)
                if (int index = record.attribute_index(setting.name); index >= 0) values[size_t(index)] = setting.value;
            attributes = module_.add_attributes(std::move(values));
        }
        return module_.add_call(module_.add_op(op), arguments, attributes, type);
    }

    GenerateOptions options_;
    std::mt19937_64 random_;
    Module module_;
    TypeId full_, half_;
    std::vector<ExprId> parameters_;
    std::string missing_op_;
};

ExprId chain(GraphBuilder& builder, int64_t operators) {
    ExprId value = builder.parameter(0);
    for (int64_t i = 0; i < operators; ++i) {
        uint64_t which = uint64_t(i) / 2;
        value =
            i % 2 ? builder.unary(which % 3, value) : builder.binary(which % 4, value, builder.parameter(which + 1));
    }
    return value;
}

ExprId ladder(GraphBuilder& builder, int64_t operators) {
    ExprId value = builder.parameter(0);
    int64_t made = 0;
    for (; made + 3 <= operators; made += 3) {
        uint64_t rung = uint64_t(made) / 3;
        value = builder.binary(rung % 4, builder.unary(rung, value), builder.unary(rung + 1, value));
    }
    for (; made < operators; ++made) value = builder.unary(uint64_t(made) % 3, value);
    return value;
}

ExprId wide(GraphBuilder& builder, int64_t operators) {
    std::vector<ExprId> level;
    int64_t branches = (operators + 1) / 2;
    for (int64_t i = 0; i < branches; ++i) level.push_back(builder.unary(uint64_t(i), builder.parameter(uint64_t(i))));
    int64_t made = branches;
    while (level.size() > 1) {
        std::vector<ExprId> next;
        for (size_t i = 0; i + 1 < level.size(); i += 2) {
            next.push_back(builder.binary(i / 2, level[i], level[i + 1]));
            ++made;
        }
        if (level.size() % 2) next.push_back(level.back());
        level = std::move(next);
    }
    for (; made < operators; ++made) level[0] = builder.unary(uint64_t(made), level[0]);
    return level[0];
}

/// A random graph. Unused values are stored separately and preferred as operands, so that the last operators can join
/// all of them into the requested number of outputs.
class RandomGraph {
public:
    RandomGraph(GraphBuilder& builder, const GenerateOptions& options)
        : builder_(builder), outputs_(size_t(std::max(options.outputs, 1))), tuples_(options.tuples) {}

    std::vector<ExprId> make(int64_t operators) {
        full_values_ = builder_.parameters();
        while (made_ < operators && made_ + joins_needed() + 3 <= operators) add_one();
        while (!unused_half_.empty() && made_ < operators) join_halves();
        while (unused_full_.size() > outputs_ && made_ < operators) {
            ExprId left = take(unused_full_), right = take(unused_full_);
            add_full(builder_.binary(builder_.below(4), left, right));
        }
        while (made_ < operators)
            add_full(
                builder_.unary(builder_.below(3), unused_full_.empty() ? builder_.parameter(0) : take(unused_full_)));
        if (unused_full_.empty()) unused_full_.push_back(full_values_.back());
        return unused_full_;
    }

private:
    int64_t joins_needed() const {
        size_t halves = (unused_half_.size() + 1) / 2;
        size_t full = unused_full_.size() + halves;
        return int64_t(halves + (full > outputs_ ? full - outputs_ : 0));
    }

    ExprId take(std::vector<ExprId>& list) {
        std::swap(list[builder_.below(list.size())], list.back());
        ExprId value = list.back();
        list.pop_back();
        return value;
    }

    /// Returns an unused value half of the time (always if there are many), else any of the last ones.
    ExprId operand(std::vector<ExprId>& unused, const std::vector<ExprId>& values) {
        bool many = unused.size() > 8 + outputs_;
        if (!unused.empty() && (many || builder_.below(2))) return take(unused);
        size_t window = std::min<size_t>(values.size(), 50);
        return values[values.size() - 1 - builder_.below(window)];
    }

    void add_full(ExprId value) {
        ++made_;
        full_values_.push_back(value);
        unused_full_.push_back(value);
    }

    void add_half(ExprId value) {
        half_values_.push_back(value);
        unused_half_.push_back(value);
    }

    void join_halves() {
        ExprId left = take(unused_half_);
        ExprId right = unused_half_.empty() ? left : take(unused_half_);
        add_full(builder_.concatenate(left, right));
    }

    void add_one() {
        uint64_t dice = builder_.below(20);
        if (tuples_ && dice == 0) {
            for (ExprId part : builder_.split(operand(unused_full_, full_values_))) add_half(part);
            ++made_;
        } else if (tuples_ && dice <= 2 && unused_half_.size() > 1) {
            join_halves();
        } else if (tuples_ && dice <= 5 && !half_values_.empty()) {
            ExprId left = operand(unused_half_, half_values_);
            add_half(dice == 5 ? builder_.unary(builder_.below(64), left)
                               : builder_.binary(builder_.below(64), left, operand(unused_half_, half_values_)));
            ++made_;
        } else if (dice <= 12) {
            ExprId left = operand(unused_full_, full_values_);
            add_full(builder_.binary(builder_.below(64), left, operand(unused_full_, full_values_)));
        } else {
            add_full(builder_.unary(builder_.below(64), operand(unused_full_, full_values_)));
        }
    }

    GraphBuilder& builder_;
    size_t outputs_;
    bool tuples_;
    int64_t made_ = 0;
    std::vector<ExprId> full_values_, half_values_;
    std::vector<ExprId> unused_full_, unused_half_;
};

}  // namespace

std::optional<Result<GraphName>> parse_graph_name(std::string_view text) {
    size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string_view word = text.substr(0, colon), digits = text.substr(colon + 1);
    GraphName name;
    if (word == "random") name.kind = GraphKind::Random;
    else if (word == "chain") name.kind = GraphKind::Chain;
    else if (word == "ladder") name.kind = GraphKind::Ladder;
    else if (word == "wide") name.kind = GraphKind::Wide;
    else return std::nullopt;
    auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), name.operators);
    if (failure != std::errc() || end != digits.data() + digits.size() || name.operators < 1 ||
        name.operators > kMostOperators)
        return Result<GraphName>(error("`" + std::string(text) + "`: expected a number of operators from 1 to " +
                                       std::to_string(kMostOperators) + " after the colon"));
    return Result<GraphName>(name);
}

Result<Module> generate_graph(GraphKind kind, int64_t operators, uint64_t seed, const GenerateOptions& options) {
    GraphBuilder builder(seed, options);
    builder.reserve(operators);
    std::vector<ExprId> outputs;
    switch (kind) {
        case GraphKind::Random: outputs = RandomGraph(builder, options).make(operators); break;
        case GraphKind::Chain: outputs = {chain(builder, operators)}; break;
        case GraphKind::Ladder: outputs = {ladder(builder, operators)}; break;
        case GraphKind::Wide: outputs = {wide(builder, operators)}; break;
    }
    if (!builder.missing_op().empty())
        return error("there is no operator `" + builder.missing_op() + "` to generate with");
    return builder.finish(outputs);
}

}  // namespace partita
