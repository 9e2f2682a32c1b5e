// Shared by the tests of explanations: random rules and backends, rules with a changed term, and a deliberately simple
// merger to check reported causes against.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/explain/explain.h"
#include "engine/flow/weights.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"

namespace partita::testing {

inline BackendDescription describe_backend(const std::string& text) {
    auto backend = parse_backend_description(text, "test.json");
    if (!backend) qFatal("%s\n%s", backend.error().to_string().c_str(), text.c_str());
    return *backend;
}

inline ModulePtr parse(const std::string& text) {
    auto module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*module));
}

inline FlowResult flow(ModulePtr module, std::vector<BackendDescription> backends) {
    FlowOptions options;
    options.backends = std::move(backends);
    auto result = run_flow(std::move(module), options);
    if (!result) qFatal("%s", result.error().to_string().c_str());
    return std::move(*result);
}

/// Returns the number of seeds, from 1; PARTITA_RANDOM_GRAPHS=N multiplies it by N.
inline uint64_t seeds(uint64_t usual) {
    return usual * uint64_t(std::max(1, qEnvironmentVariableIntValue("PARTITA_RANDOM_GRAPHS")));
}

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 2654435761u + 1) {}
    uint32_t operator()(uint32_t limit) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return uint32_t(state_ >> 33) % limit;
    }

private:
    uint64_t state_;
};

inline std::string random_rule(Random& random, int depth = 2) {
    static const char* kAtoms[] = {"args[0].op == 'tanh'",
                                   "args[0].is_var",
                                   "users.size() == 1",
                                   "result.rank == 2",
                                   "args.exists(a, a.op == 'add')",
                                   "args.all(a, a.is_var)",
                                   "args[0].rank == 1",
                                   "users.exists(u, u.op == 'nn.relu')",
                                   "result.dtype == 'float32'",
                                   "flops > 1.0"};
    switch (depth ? random(4) : 0) {
        case 1: return "(" + random_rule(random, depth - 1) + " && " + random_rule(random, depth - 1) + ")";
        case 2: return "(" + random_rule(random, depth - 1) + " || " + random_rule(random, depth - 1) + ")";
        case 3: return "!" + random_rule(random, 0);
        default: return std::string("(") + kAtoms[random(10)] + ")";
    }
}

inline nlohmann::json random_backend(Random& random, const Module& module, const std::string& name) {
    nlohmann::json backend{{"name", name}, {"ops", nlohmann::json::object()}};
    for (uint32_t i = 0; i < module.size(); ++i) {
        const OpRecord* op = called_op_record(module, ExprId(i));
        if (!op || backend["ops"].contains(op->name)) continue;
        switch (random(3)) {
            case 0: backend["ops"][op->name] = false; break;
            case 1: backend["ops"][op->name] = true; break;
            default: backend["ops"][op->name] = random_rule(random); break;
        }
    }
    return backend;
}

/// Returns the text of a rule with the terms of one alternative replaced by their required values.
inline std::string mended(std::string rule, const std::vector<RuleTerm>& terms, int alternative) {
    std::vector<const RuleTerm*> chosen;
    for (const RuleTerm& term : terms)
        if (term.alternative == alternative) chosen.push_back(&term);
    std::sort(chosen.begin(), chosen.end(), [](auto* a, auto* b) { return a->begin > b->begin; });
    uint32_t last = ~0u;
    for (const RuleTerm* term : chosen) {
        if (term->begin == last) continue;  // the same term for several elements
        last = term->begin;
        rule.replace(term->begin, term->end - term->begin, term->value ? "(false)" : "(true)");
    }
    return rule;
}

/// A random graph with a backend that has rules and two patterns, the second with a check.
struct CompositeCase {
    explicit CompositeCase(uint64_t seed) {
        Random random(seed);
        auto made = generate_graph(GraphKind::Random, 5 + random(40), seed);
        if (!made) qFatal("no graph");
        module = std::make_shared<const Module>(std::move(*made));
        text = random_backend(random, *module, "v");
        text["patterns"] = {
            {{"name", "v.product"}, {"pattern", "add(x: *, multiply(*, *))"}},
            {{"name", "v.active"}, {"pattern", "nn.relu(*) | tanh(add(*, *))"}, {"check", random_rule(random)}}};
        backends = {describe_backend(text.dump())};
        result = flow(module, backends);
    }

    /// Returns the members of the first matching pattern's match at `call`: the call and some of its arguments.
    std::set<ExprId> inside(ExprId call, const std::string& rule) const {
        std::set<ExprId> held{call};
        const char* inner = rule == "v.product" ? "multiply" : "add";
        if (module->called_op(call) == op_registry().find("nn.relu")) return held;
        for (ExprId argument : module->arguments(call))
            if (module->called_op(argument) == op_registry().find(inner)) held.insert(argument);
        return held;
    }
    /// Returns whether a match of the pattern at another call contains the expression.
    bool is_in_match(ExprId id, const std::string& rule, ExprId but) const {
        for (const Decision& decision : result.log.decisions())
            if (decision.pass == PassKind::Composite && decision.rule == rule && decision.subject != but &&
                inside(decision.subject, rule).count(id))
                return true;
        return false;
    }
    bool takes_part_of(ExprId call) const {
        for (const char* rule : {"v.product", "v.active"})
            for (const char* other : {"v.product", "v.active"})
                for (ExprId id : inside(call, rule))
                    if (is_in_match(id, other, call)) return true;
        return false;
    }

    ModulePtr module;
    nlohmann::json text;
    std::vector<BackendDescription> backends;
    FlowResult result;
};

/// Returns whether `user` uses an argument of the call, and is not the call; a composite's content may use it.
inline bool is_used_outside(const CompositeCase& made, ExprId call, ExprId user) {
    if (!user.valid() || user == call) return false;
    const Module& module = *made.module;
    for (ExprId argument : module.arguments(call)) {
        if (module.kind(argument) != ExprKind::Call) continue;
        for (ExprId inside : made.inside(user, "v.product")) {
            std::span<const ExprId> operands = module.operands(inside);
            if (std::find(operands.begin(), operands.end(), argument) != operands.end()) return true;
        }
    }
    return false;
}

/// Returns the number of alternatives of a false check. Correcting any of them makes the pattern match the call.
inline int mended_checks(const CompositeCase& made, ExprId call, const CallCause& cause, size_t pattern) {
    for (int alternative = 0; alternative <= cause.terms.back().alternative; ++alternative) {
        nlohmann::json changed = made.text;
        changed["patterns"][pattern]["check"] = mended(changed["patterns"][pattern]["check"], cause.terms, alternative);
        FlowResult now = flow(made.module, {describe_backend(changed.dump())});
        bool matched =
            std::any_of(now.log.decisions().begin(), now.log.decisions().end(), [&](const Decision& decision) {
                return decision.kind == DecisionKind::PatternMatched && decision.subject == call &&
                       decision.rule == cause.rule;
            });
        if (!matched || now.backend_of[call.value] != 0)
            qFatal("%s: %s\n%s", cause.reason.text().c_str(), made.text.dump().c_str(), changed.dump().c_str());
    }
    return cause.terms.back().alternative + 1;
}

/// Removes a cause from the description.
inline void mend(nlohmann::json& text, const Module& module, ExprId call, const CallCause& cause) {
    const OpRecord* op = called_op_record(module, call);
    auto says = [&](const char* words) { return cause.reason.text().find(words) != std::string::npos; };
    switch (cause.kind) {
        case CallCause::Kind::RuleFailed: text["ops"][op->name] = mended(text["ops"][op->name], cause.terms, 0); break;
        case CallCause::Kind::NoRule: text["ops"][op->name] = true; break;
        case CallCause::Kind::SizeLimit:
            if (says("call")) text["limits"].erase("min_ops");
            if (says("operations")) text["limits"].erase("min_flops");
            if (says("input")) text["limits"].erase("max_inputs");
            if (says("output")) text["limits"].erase("max_outputs");
            break;
        default: qFatal("a call on default has the first cause: %s", cause.reason.text().c_str());
    }
}

/// The regions of an annotated module as sets, with TVM's merging by a set of restrictions for each region, in its
/// simplest form (src/relay/transforms/merge_compiler_regions.cc).
class PlainRegions {
public:
    explicit PlainRegions(const Module& module) : module_(module), group_(module.size()) {
        for (uint32_t i = 0; i < module.size(); ++i) group_[i] = i;
        for (uint32_t i = 0; i < module.size(); ++i) {
            if (!is_plain(ExprId(i))) continue;
            for (ExprId operand : module.operands(ExprId(i)))
                if (is_plain(operand)) group_[find(operand.value)] = find(i);
        }
    }

    void merge_as_tvm() {
        std::map<uint32_t, std::set<uint32_t>> begins, restricted;
        std::set<uint32_t> done;
        std::vector<ExprId> order = post_order(module_, module_.functions()[0].function);
        for (ExprId id : order)
            for (ExprId operand : module_.operands(id))
                if (is_plain(id) && mark(operand) == "annotation.compiler_begin")
                    begins[find(id.value)].insert(operand.value);
        for (ExprId end : order) {
            if (mark(end) != "annotation.compiler_end") continue;
            uint32_t region = find(module_.arguments(end)[0].value);
            if (!done.insert(region).second) continue;
            std::set<uint32_t> producers;
            for (uint32_t begin : begins[region]) {
                ExprId value = module_.arguments(ExprId(begin))[0];
                if (mark(value) == "annotation.compiler_end") producers.insert(find(module_.arguments(value)[0].value));
            }
            producers.erase(region);
            for (uint32_t producer : producers)
                restricted[region].insert(restricted[producer].begin(), restricted[producer].end());
            for (uint32_t producer : producers) {
                if (compiler(producer) != compiler(region)) restricted[region].insert(producer);
                else if (!restricted[region].count(producer)) {
                    group_[producer] = region;
                    begins[region].insert(begins[producer].begin(), begins[producer].end());
                    for (auto& [at, list] : restricted)
                        if (list.erase(producer)) list.insert(region);
                }
            }
        }
    }

    /// Returns regions by expression of the original module; -1 if there is nothing to merge.
    std::vector<int> by_origin(size_t size, bool with_default = true) {
        std::vector<int> groups(size, -1);
        for (uint32_t i = 0; i < module_.size(); ++i)
            if (ExprId origin = module_.origin(ExprId(i)); is_plain(ExprId(i)) && origin.valid())
                if (with_default || compiler(find(i)) != "default") groups[origin.value] = int(find(i));
        return groups;
    }

private:
    std::string mark(ExprId id) const {
        const OpRecord* op = called_op_record(module_, id);
        return op && op->name.starts_with("annotation.compiler_") ? op->name : std::string();
    }
    bool is_plain(ExprId id) const {
        ExprKind kind = module_.kind(id);
        return kind == ExprKind::Tuple || kind == ExprKind::Projection || (kind == ExprKind::Call && mark(id).empty());
    }
    uint32_t find(uint32_t id) const {
        while (group_[id] != id) id = group_[id];
        return id;
    }
    /// Returns the compiler of a region, from any of its begins.
    std::string compiler(uint32_t region) {
        if (compilers_.empty())
            for (uint32_t i = 0; i < module_.size(); ++i)
                for (ExprId operand : module_.operands(ExprId(i)))
                    if (is_plain(ExprId(i)) && !mark(operand).empty())
                        compilers_[i] = *module_.attributes(module_.attributes_id(operand))[0].as_string();
        for (auto& [id, name] : compilers_)
            if (find(id) == region) return name;
        return "default";
    }

    const Module& module_;
    std::vector<uint32_t> group_;
    std::map<uint32_t, std::string> compilers_;
};

/// Returns whether a path leads from one group of expressions to another through at least one expression of neither,
/// with groups contracted. Brute force.
inline bool has_way_around(const Module& module, const std::vector<int>& group_of, int producer, int consumer) {
    auto group = [&](ExprId id) {
        int known = group_of[id.value];
        return known >= 0 ? known : -2 - int(id.value);
    };
    std::map<int, std::set<int>> next;
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId id(i);
        if (module.kind(id) == ExprKind::Function) continue;
        for (ExprId operand : module.operands(id))
            if (module.kind(operand) != ExprKind::Op) next[group(operand)].insert(group(id));
    }
    std::set<int> seen;
    std::vector<int> stack;
    for (int first : next[producer])
        if (first != producer && first != consumer) stack.push_back(first);
    while (!stack.empty()) {
        int at = stack.back();
        stack.pop_back();
        if (at == consumer) return true;
        if (at == producer || !seen.insert(at).second) continue;
        for (int to : next[at]) stack.push_back(to);
    }
    return false;
}

inline bool has_way_around(const Module& module, const FlowResult& flow, int producer, int consumer) {
    return has_way_around(module, std::vector<int>(flow.region_of.begin(), flow.region_of.end()), producer, consumer);
}

inline bool touches(const Module& module, ExprId from, ExprId to) {
    std::span<const ExprId> operands = module.operands(to);
    return std::find(operands.begin(), operands.end(), from) != operands.end();
}

/// Returns whether the path leads from one group of expressions to another through others, each step along an edge or
/// within a group.
inline bool is_way_around(const Module& module, const std::vector<int>& group_of, std::span<const ExprId> path,
                          int producer, int consumer) {
    auto group = [&](size_t i) { return group_of[path[i].value]; };
    if (path.size() < 3 || group(0) != producer || group(path.size() - 1) != consumer) return false;
    for (size_t i = 1; i < path.size(); ++i) {
        bool same = group(i) >= 0 && group(i) == group(i - 1);
        if (!same && !touches(module, path[i - 1], path[i])) return false;
        if (i + 1 < path.size() && (group(i) == producer || group(i) == consumer)) return false;
    }
    return true;
}

/// Returns the number of distinct non-constant inputs of two regions together, and the number of their tensors used
/// outside.
inline std::pair<int, int> inputs_and_outputs(const Module& module, const std::vector<int>& group_of, int one,
                                              int other) {
    auto is_inside = [&](ExprId id) { return group_of[id.value] == one || group_of[id.value] == other; };
    std::set<ExprId> taken, given;
    for (ExprId id : post_order(module, module.functions()[0].function)) {
        if (module.kind(id) == ExprKind::Function) {
            if (is_inside(module.body(id))) given.insert(module.body(id));
            continue;
        }
        for (ExprId operand : module.operands(id)) {
            bool is_value = module.kind(operand) != ExprKind::Op && module.kind(operand) != ExprKind::Constant;
            if (is_inside(id) && is_value && !is_inside(operand)) taken.insert(operand);
            if (!is_inside(id) && is_inside(operand)) given.insert(operand);
        }
    }
    int outputs = 0;
    for (ExprId id : given) outputs += tensor_count(module.types(), module.type(id));
    return {int(taken.size()), outputs};
}

/// Returns the calls, parameters and constants that an expression hands over; of a call's tuple its first projection.
template <class IsInside>
void add_handed_over(const Module& module, ExprId id, const IsInside& is_inside, std::set<ExprId>& found) {
    if (module.kind(id) == ExprKind::Tuple) {
        for (ExprId field : module.operands(id)) add_handed_over(module, field, is_inside, found);
        return;
    }
    if (module.kind(id) == ExprKind::Projection) {
        const ExprId tuple = module.operands(id)[0];
        const uint32_t index = module.projection_index(id);
        if (module.kind(tuple) == ExprKind::Tuple)
            return add_handed_over(module, module.operands(tuple)[index], is_inside, found);
        if (is_inside(tuple)) return void(found.insert(tuple));
        for (uint32_t i = 0; i < id.value; ++i)
            if (module.kind(ExprId(i)) == ExprKind::Projection && module.operands(ExprId(i))[0] == tuple &&
                module.projection_index(ExprId(i)) == index)
                return void(found.insert(ExprId(i)));
    }
    found.insert(id);
}

/// Returns the most bytes that two regions together hold at once, counted anew at every call.
inline double bytes_alive(const Module& module, const std::vector<int>& group_of, int one, int other) {
    std::vector<std::pair<ExprId, std::set<ExprId>>> inside;  // calls in their order, with what they use
    std::set<ExprId> given, weights;
    const auto is_inside = [&](ExprId id) { return group_of[id.value] == one || group_of[id.value] == other; };
    const std::set<std::string, std::less<>> names = Weights(module).parameters();
    std::vector<ExprId> all = post_order(module, module.functions()[0].function);
    std::sort(all.begin(), all.end());
    for (ExprId id : all) {
        if (module.kind(id) == ExprKind::Constant) weights.insert(id);
        if (module.kind(id) == ExprKind::Var && names.contains(module.name(id))) weights.insert(id);
        std::set<ExprId> used;
        if (module.kind(id) == ExprKind::Function) add_handed_over(module, module.body(id), is_inside, given);
        if (module.kind(id) != ExprKind::Call) continue;
        for (ExprId argument : module.arguments(id)) add_handed_over(module, argument, is_inside, used);
        if (is_inside(id)) inside.emplace_back(id, used);
        else given.insert(used.begin(), used.end());
    }
    double most = 0;
    for (size_t now = 0; now < inside.size(); ++now) {
        std::set<ExprId> alive;
        for (size_t i = 0; i < inside.size(); ++i) {
            const auto& [call, used] = inside[i];
            if (i == now || (i < now && given.count(call))) alive.insert(call);
            for (ExprId id : used) {
                const bool is_made_here =
                    std::any_of(inside.begin(), inside.end(), [&](const auto& each) { return each.first == id; });
                const bool is_there = !is_made_here || id <= inside[now].first;
                if (i >= now && is_there && !weights.count(id)) alive.insert(id);
            }
        }
        double bytes = 0;
        for (ExprId id : alive) bytes += type_bytes(module.types(), module.type(id));
        most = std::max(most, bytes);
    }
    return most;
}

}  // namespace partita::testing
