// Random typed modules for property tests: elementwise ops over a few shapes, constants, tuples (nested, shared, of
// parameters), projections, split, concatenate, several outputs, and on request `let`, `if` and function calls. The
// same seed gives the same module.
#pragma once

#include <algorithm>
#include <random>

#include "engine/ir/module.h"
#include "engine/ops/registry.h"
#include "engine/placement/placement.h"

namespace partita::testing {

struct RandomModuleOptions {
    int operators = 20;
    bool control_flow = false;  ///< also let and if
};

class RandomModule {
public:
    RandomModule(uint64_t seed, RandomModuleOptions options) : random_(seed), options_(options) {}
    /// Takes its decisions from bytes; after their end, the first option.
    RandomModule(std::vector<uint8_t> choices, RandomModuleOptions options)
        : options_(options), choices_(std::move(choices)), chosen_(true) {
        options_.operators = 1 + int(below(24));
    }

    Module make() {
        TypeId full = module_.types().tensor(kFloat32, {2, 4});
        half_ = module_.types().tensor(kFloat32, {2, 2});
        scalar_ = module_.types().tensor(kBool, {});
        full_ = full;
        int inputs = 1 + int(below(4));
        std::vector<ExprId> parameters;
        for (int i = 0; i < inputs; ++i) parameters.push_back(module_.add_var("x" + std::to_string(i), full_));
        values_ = parameters;
        unused_ = parameters;
        for (int made = 0; made < options_.operators;) made += add();
        ExprId body = output();
        body = close_lets(0, body);
        TypeId type = module_.type(body);
        std::vector<TypeId> types(parameters.size(), full_);
        TypeId function_type = module_.types().function(types, type);
        module_.set_function("main", module_.add_function(parameters, body, FunctionInfo{type, {}}, function_type));
        module_.set_typed(true);
        return std::move(module_);
    }

    uint64_t below(uint64_t bound) {
        if (!chosen_) return random_() % bound;
        uint64_t value = 0;
        for (uint64_t range = 1; range < bound && next_ < choices_.size(); range <<= 8)
            value = value << 8 | choices_[next_++];
        return value % bound;
    }

private:
    struct Let {
        ExprId var, value;
    };

    ExprId call(const char* name, std::vector<ExprId> arguments, TypeId type,
                std::vector<std::pair<std::string_view, AttributeValue>> settings = {}) {
        OpId op = op_registry().find(name);
        const OpRecord& record = op_registry()[op];
        AttributesId attributes;
        if (!record.attributes.empty()) {
            AttributeList list = record.default_attributes();
            for (auto& [key, value] : settings) list[size_t(record.attribute_index(key))] = value;
            attributes = module_.add_attributes(std::move(list));
        }
        return module_.add_call(module_.add_op(op), arguments, attributes, type);
    }

    /// Returns a value, often an unused one, so that the graph is connected.
    ExprId pick() {
        if (!unused_.empty() && below(3)) {
            std::swap(unused_[below(unused_.size())], unused_.back());
            ExprId value = unused_.back();
            unused_.pop_back();
            return value;
        }
        size_t window = below(4) ? std::min<size_t>(values_.size(), 12) : values_.size();
        return values_[values_.size() - 1 - below(window)];
    }

    void add_value(ExprId value) {
        values_.push_back(value);
        unused_.push_back(value);
    }

    ExprId constant() {
        if (!constants_.empty() && below(2)) return constants_[below(constants_.size())];
        Tensor tensor(kFloat32, {2, 4});
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(below(16)) / 8 - 0.5);
        constants_.push_back(module_.add_constant(tensor));
        return constants_.back();
    }

    ExprId unary(ExprId value) {
        static constexpr const char* kNames[] = {"sqrt", "tanh", "sigmoid", "abs", "negative", "exp"};
        return call(kNames[below(6)], {value}, module_.type(value));
    }
    ExprId binary(ExprId left, ExprId right) {
        static constexpr const char* kNames[] = {"add", "subtract", "multiply", "maximum", "minimum"};
        return call(kNames[below(5)], {left, right}, module_.type(left));
    }
    ExprId tuple(std::vector<ExprId> fields) {
        std::vector<TypeId> types;
        for (ExprId field : fields) types.push_back(module_.type(field));
        return module_.add_tuple(fields, module_.types().tuple(types));
    }
    ExprId field(ExprId tuple, uint32_t index) {
        return module_.add_projection(tuple, index, module_.types().parts(module_.type(tuple))[index]);
    }
    ExprId concatenate(ExprId tuple) { return call("concatenate", {tuple}, full_, {{"axis", AttributeValue(1)}}); }

    int add() {
        switch (below(options_.control_flow ? 14 : 11)) {
            case 0: return add_split();
            case 1: add_value(binary(pick(), constant())); return 1;
            case 2: return add_through_tuple();
            case 3:
            case 4:
            case 5:
            case 6: add_value(unary(pick())); return 1;
            case 11: return add_let();
            case 12:
            case 13: return add_if();
            default: {
                ExprId left = pick();
                add_value(binary(left, pick()));
                return 1;
            }
        }
    }

    int add_split() {
        TypeId halves[] = {half_, half_};
        ExprId pair = call("split", {pick()}, module_.types().tuple(halves),
                           {{"indices_or_sections", AttributeValue(2)}, {"axis", AttributeValue(1)}});
        ExprId left = field(pair, 0), right = field(pair, uint32_t(below(2)));
        if (below(2)) left = unary(left);
        if (below(4) == 0) right = below(2) ? unary(right) : binary(left, right);
        add_value(concatenate(below(5) ? tuple({left, right}) : tuple({right, left})));
        if (below(5) == 0) add_value(concatenate(pair));
        return 3;
    }

    /// Adds a tuple that is only projected again, perhaps by two users, perhaps nested in a second one.
    int add_through_tuple() {
        ExprId first = pick();
        ExprId pair = tuple({first, pick()});
        if (below(3) == 0) pair = field(tuple({pair, pick()}), 0);
        ExprId left = unary(field(pair, uint32_t(below(2))));
        add_value(left);
        if (below(2)) add_value(binary(left, field(pair, 1)));
        return 2;
    }

    int add_let() {
        ExprId value = unary(pick());
        ExprId var = module_.add_var("v" + std::to_string(lets_.size()), full_);
        lets_.push_back({var, value});
        add_value(var);
        return 1;
    }

    ExprId close_lets(size_t first, ExprId body) {
        for (size_t i = lets_.size(); i-- > first;)
            body = module_.add_let(lets_[i].var, lets_[i].value, body, module_.type(body));
        lets_.resize(first);
        return body;
    }

    int add_if() {
        if (!op_registry().find("sum").valid()) return add_let();
        ExprId left = pick(), right = pick();
        ExprId compared = call("less",
                               {call("sum", {left}, module_.types().tensor(kFloat32, {})),
                                call("sum", {right}, module_.types().tensor(kFloat32, {}))},
                               scalar_);
        ExprId then_branch = below(3) ? binary(left, pick()) : unary(right);
        ExprId else_branch = below(3) ? unary(pick()) : left;
        add_value(module_.add_if(compared, then_branch, else_branch, full_));
        return 4;
    }

    ExprId output() {
        std::vector<ExprId> outputs = unused_;
        size_t wanted = 1 + below(4);
        while (outputs.size() > wanted) {
            std::swap(outputs[below(outputs.size())], outputs.back());
            ExprId left = outputs.back();
            outputs.pop_back();
            ExprId& right = outputs[below(outputs.size())];
            right = below(2) ? binary(left, right) : binary(right, left);
        }
        if (outputs.empty()) outputs.push_back(values_.back());
        if (below(4) == 0) outputs.push_back(values_[below(values_.size())]);
        if (outputs.size() == 1 && below(2)) return outputs[0];
        if (outputs.size() > 2 && below(4) == 0) {
            ExprId nested = tuple({outputs[0], outputs[1]});
            outputs.erase(outputs.begin(), outputs.begin() + 2);
            outputs.push_back(nested);
        }
        return tuple(outputs);
    }

    std::mt19937_64 random_;
    RandomModuleOptions options_;
    std::vector<uint8_t> choices_;
    size_t next_ = 0;
    bool chosen_ = false;
    Module module_;
    TypeId full_, half_, scalar_;
    std::vector<ExprId> values_, unused_, constants_;
    std::vector<Let> lets_;
};

/// Returns a placement on one to four backends. Each accepts random ops, as rules do, and some calls are moved, as
/// overrides do.
inline Placement random_placement(const Module& module, RandomModule& random) {
    Placement placement;
    size_t backends = 1 + random.below(4);
    for (size_t i = 0; i < backends; ++i) placement.backends.push_back(std::string(1, char('a' + i)));
    placement.backend_of.assign(module.size(), Placement::kDefault);
    std::vector<int16_t> by_op(op_registry().records().size());
    uint64_t share_of_default = 1 + random.below(6);
    auto any = [&] {
        return random.below(share_of_default + 1) == 0 ? Placement::kDefault : int16_t(random.below(backends));
    };
    for (int16_t& backend : by_op) backend = any();
    uint64_t overrides = random.below(3);
    for (uint32_t i = 0; i < module.size(); ++i) {
        OpId op = module.called_op(ExprId(i));
        if (!op.valid()) continue;
        placement.backend_of[i] = overrides && random.below(4 - overrides) == 0 ? any() : by_op[op.value];
    }
    return placement;
}

}  // namespace partita::testing
