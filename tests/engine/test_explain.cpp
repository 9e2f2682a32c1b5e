// Explanations hold: what is named as the cause, changed, changes the placement; a path that is said to forbid a merge
// exists.
#include "reference_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/frontends/relay/parser.h"
#include "engine/ir/generate.h"
#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/explain.h"
#include "engine/rules/pattern.h"
#include "engine/rules/pattern_matcher.h"

using namespace partita;
using namespace partita::testing;

namespace {

BackendDescription describe_backend(const std::string& text) {
    auto backend = parse_backend_description(text, "test.json");
    if (!backend) qFatal("%s\n%s", backend.error().to_string().c_str(), text.c_str());
    return *backend;
}

ModulePtr parse(const std::string& text) {
    auto module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*module));
}

FlowResult flow(ModulePtr module, std::vector<BackendDescription> backends) {
    FlowOptions options;
    options.backends = std::move(backends);
    auto result = run_flow(std::move(module), options);
    if (!result) qFatal("%s", result.error().to_string().c_str());
    return std::move(*result);
}

/// Seeds from 1; PARTITA_RANDOM_GRAPHS=N takes N times as many.
uint64_t seeds(uint64_t usual) {
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

std::string random_rule(Random& random, int depth = 2) {
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

nlohmann::json random_backend(Random& random, const Module& module, const std::string& name) {
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

/// The rule's text with the terms of one alternative replaced by what is wanted of them.
std::string mended(std::string rule, const std::vector<RuleTerm>& terms, int alternative) {
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

/// A random graph with a backend of rules and of two patterns, the second with a check.
struct CompositeCase {
    explicit CompositeCase(uint64_t seed) {
        Random random(seed);
        auto made = generate_graph(GraphKind::Random, 5 + random(40), seed);
        if (!made) qFatal("no graph");
        module = std::make_shared<const Module>(std::move(*made));
        text = random_backend(random, *module, "v");
        text["patterns"] = {{{"name", "v.product"}, {"pattern", "add(x: *, multiply(*, *))"}},
                            {{"name", "v.active"}, {"pattern", "nn.relu(*) | tanh(add(*, *))"}, {"check", random_rule(random)}}};
        backends = {describe_backend(text.dump())};
        result = flow(module, backends);
    }

    /// What a match at `call` of the first pattern that matches there holds: the call and its arguments of it.
    std::set<ExprId> inside(ExprId call, const std::string& rule) const {
        std::set<ExprId> held{call};
        const char* inner = rule == "v.product" ? "multiply" : "add";
        if (module->called_op(call) == op_registry().find("nn.relu")) return held;
        for (ExprId argument : module->arguments(call))
            if (module->called_op(argument) == op_registry().find(inner)) held.insert(argument);
        return held;
    }
    /// Whether a match of the pattern at another call holds the expression.
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

/// Whether `user` uses an argument of the call, and is not the call; as the root of a composite, what that holds may.
bool is_used_outside(const CompositeCase& made, ExprId call, ExprId user) {
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

/// How many alternatives of a false check there are: each, mended, lets the pattern take the call.
int mended_checks(const CompositeCase& made, ExprId call, const CallCause& cause, size_t pattern) {
    for (int alternative = 0; alternative <= cause.terms.back().alternative; ++alternative) {
        nlohmann::json changed = made.text;
        changed["patterns"][pattern]["check"] = mended(changed["patterns"][pattern]["check"], cause.terms, alternative);
        FlowResult now = flow(made.module, {describe_backend(changed.dump())});
        bool matched = std::any_of(now.log.decisions().begin(), now.log.decisions().end(), [&](const Decision& decision) {
            return decision.kind == DecisionKind::PatternMatched && decision.subject == call && decision.rule == cause.rule;
        });
        if (!matched || now.backend_of[call.value] != 0) qFatal("%s: %s\n%s", cause.text.c_str(), made.text.dump().c_str(), changed.dump().c_str());
    }
    return cause.terms.back().alternative + 1;
}

/// Takes a cause out of the description.
void mend(nlohmann::json& text, const Module& module, ExprId call, const CallCause& cause) {
    const OpRecord* op = called_op_record(module, call);
    auto says = [&](const char* words) { return cause.text.find(words) != std::string::npos; };
    switch (cause.kind) {
        case CallCause::Kind::RuleFailed: text["ops"][op->name] = mended(text["ops"][op->name], cause.terms, 0); break;
        case CallCause::Kind::NoRule: text["ops"][op->name] = true; break;
        case CallCause::Kind::SizeLimit:
            if (says("call")) text["limits"].erase("min_ops");
            if (says("operations")) text["limits"].erase("min_flops");
            if (says("input")) text["limits"].erase("max_inputs");
            if (says("output")) text["limits"].erase("max_outputs");
            break;
        default: qFatal("a call on default has the first cause: %s", cause.text.c_str());
    }
}

/// The regions of an annotated module as sets, and TVM's way of merging them with a set of restrictions for each, as
/// plainly as it can be written (src/relay/transforms/merge_compiler_regions.cc).
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
                if (is_plain(id) && mark(operand) == "annotation.compiler_begin") begins[find(id.value)].insert(operand.value);
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
            for (uint32_t producer : producers) restricted[region].insert(restricted[producer].begin(), restricted[producer].end());
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

    /// By expression of the module that this one came from; -1 where there is nothing to merge.
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
    /// That of any begin of the region.
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

/// Whether a way leads out of one group of expressions and into another over at least one of neither, groups taken as
/// wholes: by brute force.
bool has_way_around(const Module& module, const std::vector<int>& group_of, int producer, int consumer) {
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

bool has_way_around(const Module& module, const FlowResult& flow, int producer, int consumer) {
    return has_way_around(module, std::vector<int>(flow.region_of.begin(), flow.region_of.end()), producer, consumer);
}

bool touches(const Module& module, ExprId from, ExprId to) {
    std::span<const ExprId> operands = module.operands(to);
    return std::find(operands.begin(), operands.end(), from) != operands.end();
}

/// Whether the path leads from one group of expressions to another, over others, each step along an edge or within a
/// group.
bool is_way_around(const Module& module, const std::vector<int>& group_of, std::span<const ExprId> path, int producer,
                   int consumer) {
    auto group = [&](size_t i) { return group_of[path[i].value]; };
    if (path.size() < 3 || group(0) != producer || group(path.size() - 1) != consumer) return false;
    for (size_t i = 1; i < path.size(); ++i) {
        bool same = group(i) >= 0 && group(i) == group(i - 1);
        if (!same && !touches(module, path[i - 1], path[i])) return false;
        if (i + 1 < path.size() && (group(i) == producer || group(i) == consumer)) return false;
    }
    return true;
}

/// How many different values that are no constants two regions together take from outside, and how many tensors
/// something outside uses of them.
std::pair<int, int> inputs_and_outputs(const Module& module, const std::vector<int>& group_of, int one, int other) {
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

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void everyStatedCauseIsReal() {
        int rules = 0, missing = 0;
        for (uint64_t seed = 1; seed <= seeds(150); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 1 + random(40), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            nlohmann::json texts[] = {random_backend(random, *module, "first"),
                                      random_backend(random, *module, "second")};
            std::vector<BackendDescription> backends{describe_backend(texts[0].dump()),
                                                     describe_backend(texts[1].dump())};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (ExprId call : explainer.names().calls()) {
                if (result.backend_of[call.value] >= 0) continue;
                const OpRecord* op = called_op_record(*module, call);
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    QVERIFY(cause.kind == CallCause::Kind::RuleFailed || cause.kind == CallCause::Kind::NoRule);
                    nlohmann::json changed = texts[cause.backend];
                    int alternatives = 1;
                    if (cause.kind == CallCause::Kind::RuleFailed) alternatives = cause.terms.back().alternative + 1;
                    for (int alternative = 0; alternative < alternatives; ++alternative) {
                        if (cause.kind == CallCause::Kind::NoRule) changed["ops"][op->name] = true;
                        else
                            changed["ops"][op->name] =
                                mended(texts[cause.backend]["ops"][op->name], cause.terms, alternative);
                        std::vector<BackendDescription> now = backends;
                        now[size_t(cause.backend)] = describe_backend(changed.dump());
                        Placement placement = place(*module, now);
                        QVERIFY2(placement.backend_of[call.value] == cause.backend,
                                 (explainer.names().name(call) + ": " + cause.text + "\n" + changed.dump()).c_str());
                        ++(cause.kind == CallCause::Kind::NoRule ? missing : rules);
                    }
                }
            }
        }
        qInfo("%d failed rules and %d missing rules, each changed the placement", rules, missing);
        QVERIFY(rules > 300 && missing > 300);
    }

    // With composites the rules are asked about what is left of the module; a mended rule then takes the call.
    void causesHoldBesideComposites() {
        int mended_rules = 0, composites = 0;
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CompositeCase made(seed);
            FlowExplainer explainer(made.result, made.backends);
            for (ExprId call : explainer.names().calls()) {
                CallExplanation explanation = explainer.explain_call(call);
                QVERIFY(!explanation.causes.empty());
                for (const CallCause& cause : explanation.causes) {
                    if (cause.kind == CallCause::Kind::Composite) {
                        QCOMPARE(int(made.result.backend_of[call.value]), 0);
                        ++composites;
                    }
                    if (cause.kind != CallCause::Kind::RuleFailed || made.result.backend_of[call.value] >= 0) continue;
                    std::string op = called_op_record(*made.module, call)->name;
                    for (int alternative = 0; alternative <= cause.terms.back().alternative; ++alternative) {
                        nlohmann::json changed = made.text;
                        changed["ops"][op] = mended(made.text["ops"][op], cause.terms, alternative);
                        FlowResult now = flow(made.module, {describe_backend(changed.dump())});
                        QVERIFY2(now.backend_of[call.value] == 0,
                                 (explainer.names().name(call) + ": " + cause.text).c_str());
                        ++mended_rules;
                    }
                }
            }
        }
        qInfo("%d mended rules, %d calls in composites", mended_rules, composites);
        QVERIFY(mended_rules > 50 && composites > 50);
    }

    // A false check, mended, makes the composite; what is said to be used elsewhere is; who is said to have taken a part
    // of a match has; and what is said not to match does not.
    void everyStatedFailureOfACompositeIsReal() {
        int checks = 0, used_elsewhere = 0, taken = 0, mismatches = 0;
        for (uint64_t seed = 1; seed <= seeds(200); ++seed) {
            CompositeCase made(seed);
            FlowExplainer explainer(made.result, made.backends);
            for (ExprId call : explainer.names().calls()) {
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    if (cause.kind != CallCause::Kind::PatternFailed) continue;
                    std::string what = explainer.names().name(call) + ": " + cause.rule + ": " + cause.text;
                    size_t pattern = cause.rule == made.backends[0].patterns[0].name ? 0 : 1;
                    if (!cause.terms.empty()) {
                        QVERIFY2(cause.text.starts_with("the check is false"), what.c_str());
                        checks += mended_checks(made, call, cause, pattern);
                    } else if (cause.text == "an expression inside is used elsewhere") {
                        QVERIFY2(is_used_outside(made, call, cause.at), what.c_str());
                        ++used_elsewhere;
                    } else if (cause.text == "an expression inside is part of another match of the pattern") {
                        QVERIFY2(made.is_in_match(cause.at, cause.rule, call), what.c_str());
                        ++taken;
                    } else if (cause.text == "it matches, but another pattern or match took a part of it") {
                        QVERIFY2(made.takes_part_of(call), what.c_str());
                        ++taken;
                    } else {
                        PatternMatcher matcher(*made.backends[0].patterns[pattern].pattern, *made.module);
                        QVERIFY2(!matcher.match(call), what.c_str());
                        QVERIFY2(cause.at.valid() && cause.text.find("does not match: ") != std::string::npos, what.c_str());
                        ++mismatches;
                    }
                }
            }
        }
        qInfo("%d mended checks, %d uses from outside, %d parts taken, %d mismatches", checks, used_elsewhere, taken,
              mismatches);
        QVERIFY(checks > 50 && used_elsewhere > 20 && taken > 3 && mismatches > 200);
    }

    // Rules, patterns and limits at once: the first cause, mended, either places the call or leaves another cause; so
    // that after as many steps as there are kinds of causes it is placed. No cause is named twice.
    void causesMendedInTurnPlaceTheCall() {
        int placed = 0, steps = 0, limits = 0;
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CompositeCase made(seed);
            Random random(seed + 1000);
            made.text["limits"] = {{"min_ops", random(4)}, {"max_inputs", 2 + random(4)}, {"max_outputs", random(3)}};
            if (random(2)) made.text["limits"]["min_flops"] = random(100);
            FlowResult first = flow(made.module, {describe_backend(made.text.dump())});
            std::vector<ExprId> calls = ExpressionNames(*made.module).calls();
            for (ExprId call : calls) {
                if (first.backend_of[call.value] >= 0) continue;
                nlohmann::json text = made.text;
                std::set<std::string> named;
                for (;;) {
                    std::vector<BackendDescription> backends{describe_backend(text.dump())};
                    FlowResult now = flow(made.module, backends);
                    if (now.backend_of[call.value] == 0) break;
                    FlowExplainer explainer(now, backends);
                    const CallCause cause = explainer.explain_call(call).causes.at(0);
                    std::string key = std::string(cause_name(cause.kind)) +
                                      (cause.kind == CallCause::Kind::SizeLimit ? cause.text : std::string());
                    QVERIFY2(named.insert(key).second, (explainer.names().name(call) + ": " + cause.text).c_str());
                    mend(text, *made.module, call, cause);
                    limits += cause.kind == CallCause::Kind::SizeLimit;
                    ++steps;
                }
                ++placed;
            }
        }
        qInfo("%d calls placed by mending %d causes, %d of them limits", placed, steps, limits);
        QVERIFY(placed > 200 && limits > 100);
    }

    void everyStatedPathExistsAndWouldCloseACycle() {
        int paths = 0, different = 0, unmerged = 0, taken_apart = 0;
        for (uint64_t seed = 1; seed <= seeds(300); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 10 + random(60), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            std::vector<BackendDescription> backends{
                describe_backend(random_backend(random, *module, "first").dump()),
                describe_backend(random_backend(random, *module, "second").dump())};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (const RegionPairExplanation& pair : explainer.explain_neighbours()) {
                if (pair.kind == RegionPairExplanation::Kind::DifferentBackend) {
                    QVERIFY(result.regions[size_t(pair.producer)].backend !=
                            result.regions[size_t(pair.consumer)].backend);
                    ++different;
                } else if (pair.kind == RegionPairExplanation::Kind::WouldCloseCycle) {
                    std::vector<int> regions(result.region_of.begin(), result.region_of.end());
                    QVERIFY(is_way_around(*module, regions, pair.path, pair.producer, pair.consumer));
                    QVERIFY(has_way_around(*module, regions, pair.producer, pair.consumer));
                    ++paths;
                } else {
                    QVERIFY(!has_way_around(*module, result, pair.producer, pair.consumer));
                    bool apart = pair.kind == RegionPairExplanation::Kind::TakenApart;
                    QVERIFY(apart || pair.kind == RegionPairExplanation::Kind::Unmerged);
                    PlainRegions regions(apart ? *result.annotated : *result.merged);
                    if (apart) regions.merge_as_tvm();
                    std::vector<int> together = regions.by_origin(module->size());
                    int from = together[pair.edge[0].value], to = together[pair.edge[1].value];
                    QVERIFY2(is_way_around(*module, together, pair.path, from, to), pair.text.c_str());
                    ++(apart ? taken_apart : unmerged);
                    if (!apart) continue;
                    std::vector<int> alone = regions.by_origin(module->size(), false);
                    int around = alone[pair.cycle.at(0).value];
                    QVERIFY(around == from || around == to);
                    QVERIFY2(is_way_around(*module, alone, pair.cycle, around, around), pair.text.c_str());
                }
            }
        }
        qInfo("%d paths, %d of different backends, %d left apart because of regions on default, %d of regions taken apart",
              paths, different, unmerged, taken_apart);
        QVERIFY(paths > 50 && different > 100);
    }

    // A region that went back to default because of a limit goes to its backend without it; no region is outside the
    // limits; and two regions that a limit keeps apart are one without it, or something else is named.
    void everyStatedLimitIsReal() {
        int dropped = 0, apart = 0;
        for (uint64_t seed = 1; seed <= seeds(240); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 10 + random(60), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            std::vector<BackendDescription> free{describe_backend(random_backend(random, *module, "v").dump())};
            std::vector<BackendDescription> limited = free;
            RegionLimits& limits = limited[0].limits;
            switch (seed % 4) {
                case 0: limits.min_ops = 2 + int(random(3)); break;
                case 1: limits.min_flops = 1 + random(200); break;
                case 2: limits.max_inputs = 2 + int(random(3)); break;
                default: limits.max_outputs = 1 + int(random(2)); break;
            }
            FlowResult with = flow(module, limited), without = flow(module, free);
            for (const RegionInfo& region : with.regions) {
                auto is_call = [&](ExprId id) { return module->kind(id) == ExprKind::Call; };
                QVERIFY(std::count_if(region.expressions.begin(), region.expressions.end(), is_call) >= limits.min_ops);
                if (limits.max_inputs) QVERIFY(region.inputs <= limits.max_inputs);
                if (limits.max_outputs) QVERIFY(region.outputs <= limits.max_outputs);
                QVERIFY(region.flops >= limits.min_flops);
            }
            FlowExplainer explainer(with, limited);
            for (ExprId call : explainer.names().calls()) {
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    if (cause.kind != CallCause::Kind::SizeLimit) continue;
                    QCOMPARE(int(with.backend_of[call.value]), -1);
                    QCOMPARE(cause.backend, 0);
                    QCOMPARE(int(without.backend_of[call.value]), 0);
                    // What is merged stays within: only what was outside alone is dropped.
                    std::vector<int> alone(module->size(), -1);
                    alone[call.value] = 0;
                    auto [inputs, outputs] = inputs_and_outputs(*module, alone, 0, 0);
                    if (limits.max_inputs) QVERIFY2(inputs > limits.max_inputs, cause.text.c_str());
                    if (limits.max_outputs) QVERIFY2(outputs > limits.max_outputs, cause.text.c_str());
                    ++dropped;
                }
            }
            FlowExplainer free_explainer(without, free);
            for (const RegionPairExplanation& pair : explainer.explain_neighbours()) {
                if (pair.kind != RegionPairExplanation::Kind::Limit) continue;
                QVERIFY(limits.max_inputs || limits.max_outputs);
                QVERIFY(!has_way_around(*module, with, pair.producer, pair.consumer));
                QVERIFY2(pair.text.find("at most") != std::string::npos, pair.text.c_str());
                std::vector<int> together = PlainRegions(*with.merged).by_origin(module->size());
                auto [inputs, outputs] = inputs_and_outputs(*module, together, together[pair.edge[0].value], together[pair.edge[1].value]);
                QVERIFY2(limits.max_inputs ? inputs > limits.max_inputs : outputs > limits.max_outputs, pair.text.c_str());
                int one = without.region_of[pair.edge[0].value], other = without.region_of[pair.edge[1].value];
                if (one != other) {
                    auto kind = free_explainer.explain_regions(one, other).kind;
                    QVERIFY(kind == RegionPairExplanation::Kind::WouldCloseCycle || kind == RegionPairExplanation::Kind::Unmerged ||
                            kind == RegionPairExplanation::Kind::TakenApart);
                }
                ++apart;
            }
        }
        qInfo("%d calls dropped by a limit, %d pairs kept apart by one", dropped, apart);
        QVERIFY(dropped > 100 && apart > 30);
    }

    // Where a pattern is said to fail, it does: with that part of it replaced by '*' the match gets further.
    void everyStatedFailureOfAPatternIsReal() {
        const char* kPatterns[] = {"nn.relu(add(tanh(*), *))", "add(multiply(*, *), x: tanh(*) | nn.relu(*))",
                                   "multiply(add(*, *), constant)", "tanh(add(*, *).has_dtype(\"int8\"))"};
        int failures = 0, mended_whole = 0;
        for (uint64_t seed = 1; seed <= 60; ++seed) {
            auto made = generate_graph(GraphKind::Random, 30, seed);
            QVERIFY(made);
            for (const char* text : kPatterns) {
                auto pattern = Pattern::parse(text);
                QVERIFY(pattern);
                for (uint32_t i = 0; i < made->size(); ++i) {
                    ExprId call(i);
                    const std::vector<OpId>& roots = (*pattern)->root_ops();
                    if (std::find(roots.begin(), roots.end(), made->called_op(call)) == roots.end()) continue;
                    PatternMatcher matcher(**pattern, *made);
                    if (matcher.match(call)) continue;
                    PatternFailure failure = matcher.explain(call);
                    const PatternNode& node = (*pattern)->nodes()[failure.node];
                    std::string changed(text);
                    changed.replace(node.begin, node.end - node.begin, "*");
                    auto mended = Pattern::parse(changed);
                    QVERIFY2(mended, changed.c_str());
                    ++failures;
                    PatternMatcher again(**mended, *made);
                    if (again.match(call)) {
                        ++mended_whole;
                        continue;
                    }
                    PatternFailure next = again.explain(call);
                    std::string next_place((*mended)->source(next.node));
                    QVERIFY2(next.expr != failure.expr || next_place != std::string((*pattern)->source(failure.node)),
                             (changed + ": " + next.reason).c_str());
                }
            }
        }
        qInfo("%d failures of patterns, %d mended by one change", failures, mended_whole);
        QVERIFY(failures > 200 && mended_whole > 50);
    }

    void theChecksTermsStandWithTheMatch() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        auto explain = [&](const std::string& check) {
            std::vector<BackendDescription> backends{describe_backend(
                "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(t: tanh(*))\", \"check\": \"" +
                check + "\"}]}")};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (const Decision& decision : result.log.decisions())
                if (decision.pass == PassKind::Composite) return explainer.explain_match(decision);
            return CallCause{};
        };
        CallCause refused = explain("t.rank == 3 && t.op == 'tanh'");
        QCOMPARE(refused.kind, CallCause::Kind::PatternFailed);
        QCOMPARE(refused.terms.size(), size_t(1));
        QCOMPARE(QString::fromStdString(refused.terms[0].to_string(false)), "t.rank == 3: t.rank is 2");
        CallCause taken = explain("t.rank == 2 && t.op == 'tanh'");
        QCOMPARE(taken.kind, CallCause::Kind::Composite);
        QCOMPARE(taken.terms.size(), size_t(2));
        QCOMPARE(QString::fromStdString(taken.text), "t.rank == 2 && t.op == 'tanh'");
    }

    // A document written piece by piece is what the whole would be: nested, empty and large, with text of any kind.
    void aStreamedDocumentIsTheDumpOfTheWhole() {
        using Json = nlohmann::ordered_json;
        Json item{{"name", "caf\u00e9 \"x\"\nline"}, {"list", Json::array()}, {"nested", {{"a", {1, 2}}, {"b", nullptr}}}};
        for (int count : {0, 1, 5000}) {
            Json whole{{"file", "f"}, {"empty", Json::array()}, {"object", {{"inner", 1}}}, {"items", Json::array()}};
            std::string text;
            size_t largest = 0;
            JsonStream json(
                [&](std::string_view piece) {
                    text += piece;
                    largest = std::max(largest, piece.size());
                },
                2, true);
            json.begin_object();
            json.member("file", Json("f"));
            json.begin_list("empty");
            json.end();
            json.begin_object("object");
            json.member("inner", Json(1));
            json.end();
            json.begin_list("items");
            for (int i = 0; i < count; ++i) {
                whole["items"].push_back(item);
                json.item(item);
            }
            json.end();
            json.end();
            QVERIFY(text == whole.dump(2, ' ', true) + "\n");
            QVERIFY(largest < 100000);
        }
    }

    // The last tuple is a region of its own: merged with what gives its fields it would depend on itself.
    void aRegionOfATupleAloneHasNoCalls() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) {\n  %0 = tanh(%x);\n  %1 = tanh(%0);\n"
                            "  %2 = nn.relu(%1);\n  %3 = tanh(%2);\n  %4 = tanh(%3);\n  %5 = (%1, %4);\n  %6 = concatenate(%5);\n"
                            "  (%5, %6)\n}");
        auto regions = [&](const std::string& limits) {
            std::vector<BackendDescription> backends{
                describe_backend("{\"name\": \"v\", \"ops\": {\"tanh\": true}, \"limits\": {" + limits + "}}")};
            FlowResult result = flow(module, backends);
            QStringList found;
            for (const RegionInfo& region : result.regions) {
                int calls = 0;
                for (ExprId id : region.expressions) calls += module->kind(id) == ExprKind::Call;
                found << QString::number(calls);
            }
            for (const Decision& decision : result.log.decisions())
                if (decision.kind == DecisionKind::SizeLimit && module->kind(decision.subject) == ExprKind::Tuple)
                    found << QString::fromStdString(decision.text);
            found.sort();
            return found.join(", ");
        };
        QCOMPARE(regions(""), "0, 2, 2");
        QCOMPARE(regions("\"min_ops\": 1"), "2, 2, its region has 0 calls, at least 1 is wanted");
    }

    void aRegionOutsideSeveralLimitsNamesThemAll() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32], %y: Tensor[(1, 8), float32]) { add(%x, %y) }");
        std::vector<BackendDescription> backends{describe_backend(
            "{\"name\": \"v\", \"ops\": {\"add\": true}, \"limits\": {\"min_ops\": 2, \"min_flops\": 9, \"max_inputs\": 1}}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("v: its region has 1 call, at least 2 are wanted, and takes 8 operations, at least 9 are wanted, and "
                               "has 2 inputs, at most 1 are allowed"),
                 qPrintable(text));
    }

    void aTransparentCallThatFollowsHasNoOtherCause() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(copy(tanh(%x))) }");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"v\", \"ops\": {\"tanh\": true}, \"transparent\": [\"copy\"]}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("copy #2 -> v") && text.contains("it goes where its neighbours go") && !text.contains("no rule for copy"),
                 qPrintable(text));
    }

    void aFailedTermStandsWithItsValue() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), int8]) { nn.relu(%x) }");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"v\", \"ops\": {\"nn.relu\": \"args[0].dtype == 'float32'\"}}")};
        FlowResult result = flow(module, backends);
        QCOMPARE(QString::fromStdString(explain_text(result, backends)),
                 "nn.relu #1 -> default\n    v: ops.nn.relu refuses it: args[0].dtype == 'float32': args[0].dtype is "
                 "'int8'\n");
    }

    void aPatternThatFailedSaysAtWhichNode() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        std::vector<BackendDescription> backends{describe_backend(
            "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(sigmoid(*))\"}]}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("pattern v.p: at tanh #1: 'sigmoid' does not match: it is a call of tanh"),
                 qPrintable(text));
    }

    void aCompositeIsNamed() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        std::vector<BackendDescription> backends{describe_backend(
            "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(tanh(*))\"}]}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("tanh #1 -> v") && text.contains("v: it is part of v.p"), qPrintable(text));
    }

    void modelsAreExplainedInWhole_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mobilenet_v1_int8.input", "resnet18.simplified", "squeezenet.simplified"})
            QTest::newRow(name) << name;
    }
    void modelsAreExplainedInWhole() {
        if (reference_folder().isEmpty()) QSKIP("the reference data is not here");
        QFETCH(QString, name);
        auto module = parse(read_text(reference_folder() + "/relay-models/" + name + ".relay"));
        std::vector<BackendDescription> backends{*builtin_backend("dnnl")};
        FlowResult result = flow(module, backends);
        FlowExplainer explainer(result, backends);
        for (ExprId call : explainer.names().calls()) {
            CallExplanation explanation = explainer.explain_call(call);
            QVERIFY(!explanation.causes.empty());
            if (explanation.backend >= 0) {
                bool stated =
                    std::any_of(explanation.causes.begin(), explanation.causes.end(), [](const CallCause& cause) {
                        return cause.kind == CallCause::Kind::Accepted || cause.kind == CallCause::Kind::Composite;
                    });
                QVERIFY2(stated, explainer.to_text(explanation).c_str());
            }
            QVERIFY(!explainer.to_json(explanation).dump().empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestExplain)
#include "test_explain.moc"
