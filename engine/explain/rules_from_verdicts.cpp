#include "engine/explain/rules_from_verdicts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/flow/region_names.h"
#include "engine/rules/module_facts.h"
#include "engine/rules/rule.h"
#include "engine/support/number_text.h"

namespace partita {

namespace {

constexpr size_t kMostValues = 24;  // of a fact, each a term; of more, thresholds alone
constexpr size_t kMostTerms = 400;

std::string quoted(const std::string& text) {
    std::string made = "'";
    for (char c : text) made += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return made + "'";
}

/// A fact's value, as the rule language writes it.
struct FactValue {
    std::string text;
    bool is_number = false;
    double number = 0;
};

FactValue number_value(double number, std::string text) { return {std::move(text), true, number}; }

/// A set of calls, by their numbers.
class Calls {
public:
    explicit Calls(size_t size = 0, bool all = false) : words_((size + 63) / 64, all ? ~uint64_t(0) : 0) {
        if (all && size % 64) words_.back() >>= 64 - size % 64;
    }
    void insert(size_t call) { words_[call / 64] |= uint64_t(1) << call % 64; }
    void erase(size_t call) { words_[call / 64] &= ~(uint64_t(1) << call % 64); }
    size_t count() const {
        size_t sum = 0;
        for (uint64_t word : words_) sum += size_t(std::popcount(word));
        return sum;
    }
    /// Any of them; there must be one.
    size_t first() const {
        size_t at = 0;
        while (words_[at] == 0) ++at;
        return at * 64 + size_t(std::countr_zero(words_[at]));
    }
    Calls& operator&=(const Calls& other) { return combine(other, std::bit_and<uint64_t>()); }
    Calls& operator|=(const Calls& other) { return combine(other, std::bit_or<uint64_t>()); }
    Calls& operator^=(const Calls& other) { return combine(other, std::bit_xor<uint64_t>()); }
    friend Calls operator&(Calls a, const Calls& b) { return a &= b; }
    friend Calls operator^(Calls a, const Calls& b) { return a ^= b; }
    bool operator==(const Calls&) const = default;

private:
    template <class Operation>
    Calls& combine(const Calls& other, Operation operation) {
        for (size_t i = 0; i < words_.size(); ++i) words_[i] = operation(words_[i], other.words_[i]);
        return *this;
    }
    std::vector<uint64_t> words_;
};

/// A condition and on which calls it holds.
struct Term {
    std::string text;
    Calls holds;
};
using Conjunction = std::vector<size_t>;  ///< terms

/// The text of a term that holds where this one does not, but for calls to which it can't be put.
std::string negated(const std::string& text) {
    for (const auto& [sign, opposite] : {std::pair{" == ", " != "}, {" != ", " == "}, {" <= ", " > "}, {" >= ", " < "}})
        if (const size_t at = text.find(sign); at != std::string::npos && !text.starts_with("users"))
            return text.substr(0, at) + opposite + text.substr(at + strlen(sign));
    return text.starts_with("!") ? text.substr(1) : "!" + text;
}

/// Finds the rule for the calls of one operator.
class RuleFinder {
public:
    RuleFinder(const Module& module, const OpRecord& op, ModuleFacts& facts, std::vector<CallVerdict> calls)
        : module_(module), op_(op), facts_(facts), calls_(std::move(calls)), wanted_(calls_.size()) {
        for (size_t i = 0; i < calls_.size(); ++i)
            if (calls_[i].taken) wanted_.insert(i);
    }

    ProposedRule find() {
        ProposedRule made;
        made.op = op_.name;
        for (const CallVerdict& call : calls_) ++(call.taken ? made.taken : made.refused);
        if (made.taken == 0) return made;
        made.rule = "true";
        if (made.refused == 0) return made;
        make_terms();
        const std::vector<Conjunction> rule = shortest();
        made.rule = rule.empty() ? "" : text_of(rule);
        for (size_t call : inseparable_) made.inseparable.push_back(calls_[call].call);
        note_witnesses(rule, made);
        return made;
    }

private:
    size_t size() const { return calls_.size(); }

    // Facts and terms.

    void note(const std::string& fact, FactValue value) { facts_by_name_[fact].insert({value.text, value}); }

    void note_list(const std::string& fact, const std::vector<int64_t>& values) {
        std::string list;
        for (size_t i = 0; i < values.size(); ++i) {
            list += (i ? ", " : "") + std::to_string(values[i]);
            note(fact + "[" + std::to_string(i) + "]", number_value(double(values[i]), std::to_string(values[i])));
        }
        note(fact, {"[" + list + "]"});
    }

    void note_attribute(const std::string& fact, const AttributeValue& value) {
        if (value.as_bool()) note(fact, {*value.as_bool() ? "true" : "false"});
        else if (value.as_integer())
            note(fact, number_value(double(value.as_integer()->value), std::to_string(value.as_integer()->value)));
        else if (value.as_string()) note(fact, {quoted(*value.as_string())});
        else if (value.as_dtype()) note(fact, {quoted(value.as_dtype()->to_string())});
        else if (value.as_list()) {
            std::vector<int64_t> integers;
            for (const AttributeValue& each : *value.as_list())
                if (each.as_integer()) integers.push_back(each.as_integer()->value);
            if (integers.size() == value.as_list()->size()) note_list(fact, integers);
        }
    }

    void note_tensor(const std::string& fact, TypeId type) {
        const TypeTable& types = module_.types();
        if (!type.valid() || !types.is_tensor(type)) return;
        note(fact + ".dtype", {quoted(types.dtype(type).to_string())});
        const std::span<const int64_t> shape = types.shape(type);
        note(fact + ".rank", number_value(double(shape.size()), std::to_string(shape.size())));
        note_list(fact + ".shape", {shape.begin(), shape.end()});
    }

    void note_facts(ExprId call) {
        const AttributesView attributes = attributes_of(module_, call);
        for (size_t i = 0; i < op_.attributes.size() && i < attributes.values().size(); ++i)
            note_attribute("attrs." + op_.attributes[i].name, attributes.values()[i]);
        const std::span<const ExprId> arguments = module_.arguments(call);
        for (size_t i = 0; i < arguments.size(); ++i) {
            const std::string fact = "args[" + std::to_string(i) + "]";
            note_tensor(fact, module_.type(arguments[i]));
            note(fact + ".is_constant", {module_.kind(arguments[i]) == ExprKind::Constant ? "true" : "false"});
            if (const OpRecord* op = computed_op(module_, arguments[i])) note(fact + ".op", {quoted(op->name)});
        }
        note_tensor("result", module_.type(call));
        for (ExprId user : facts_.users(call))
            if (const OpRecord* op = computed_op(module_, user)) users_.insert(op->name);
    }

    void make_terms() {
        for (const CallVerdict& call : calls_) note_facts(call.call);
        // What a person would name first comes first: attributes, types, sizes, neighbours.
        for (const char* kind : {"attrs.", ".dtype", ".rank", ".is_constant", ".shape", ".op"})
            for (const auto& [fact, values] : facts_by_name_)
                if (fact.find(kind) != std::string::npos && values.size() > 1) add_terms_of(fact, values);
        for (const std::string& user : users_) add_term("users.exists(u, u.op == " + quoted(user) + ")");
        for (size_t i = 0, positive = terms_.size(); i < positive; ++i) add_term(negated(terms_[i].text));
    }

    void add_terms_of(const std::string& fact, const std::map<std::string, FactValue>& values) {
        std::set<double> numbers;
        for (const auto& [text, value] : values)
            if (value.is_number) numbers.insert(value.number);
        for (const auto& [text, value] : values) {
            if (values.size() > kMostValues) break;
            if (text == "true" || text == "false") add_term(text == "true" ? fact : "!" + fact);
            else add_term(fact + " == " + text);
            if (values.size() > 2) add_term(fact + " != " + text);
        }
        for (auto each = numbers.begin(); numbers.size() > 2 && each != numbers.end(); ++each) {
            const std::string number = fixed_text(*each, 0);
            if (std::next(each) != numbers.end()) add_term(fact + " <= " + number);
            if (each != numbers.begin()) add_term(fact + " >= " + number);
        }
    }

    void add_term(const std::string& text) {
        if (terms_.size() >= kMostTerms) return;
        RuleContext context;
        context.op = &op_;
        const Result<std::shared_ptr<const Rule>> rule = Rule::compile(text, context);
        if (!rule) return;
        Term term{text, Calls(size())};
        for (size_t i = 0; i < size(); ++i)
            if ((*rule)->evaluate({module_, calls_[i].call, &facts_})) term.holds.insert(i);
        const auto same = [&term](const Term& other) { return other.holds == term.holds; };
        if (std::any_of(terms_.begin(), terms_.end(), same)) return;
        terms_.push_back(std::move(term));
    }

    // The choice of terms.

    Calls held(const Conjunction& all) const {
        Calls held(size(), true);
        for (size_t term : all) held &= terms_[term].holds;
        return held;
    }
    Calls held(const std::vector<Conjunction>& any) const {
        Calls calls(size());
        for (const Conjunction& all : any) calls |= held(all);
        return calls;
    }
    bool is_exact(const std::vector<Conjunction>& rule) const { return held(rule) == wanted_; }

    std::vector<Conjunction> shortest() {
        for (size_t a = 0; a < terms_.size(); ++a)
            if (is_exact({{a}})) return {{a}};
        for (size_t a = 0; a < terms_.size(); ++a)
            for (size_t b = a + 1; b < terms_.size(); ++b) {
                if (is_exact({{a, b}})) return {{a, b}};
                if (is_exact({{a}, {b}})) return {{a}, {b}};
            }
        return thinned(grown());
    }

    /// Each conjunction holds for no call that is refused and for as many others as it can. A call is left out that a
    /// refused one equals in all terms that hold for it.
    std::vector<Conjunction> grown() {
        std::vector<Conjunction> rule;
        for (Calls open = wanted_; open.count() > 0;) {
            const size_t seed = open.first();
            if (std::optional<Conjunction> all = grow(seed, open)) {
                open ^= open & held(*all);
                rule.push_back(std::move(*all));
            } else {
                inseparable_.push_back(seed);
                wanted_.erase(seed);
                open.erase(seed);
            }
        }
        return rule;
    }

    /// A conjunction that holds for `seed`; nothing where no term that does refuses what is refused.
    std::optional<Conjunction> grow(size_t seed, const Calls& open) const {
        Conjunction all;
        Calls held(size(), true), single(size());
        single.insert(seed);
        const auto refused_of = [this](const Calls& calls) { return (calls ^ (calls & wanted_)).count(); };
        for (size_t refused = refused_of(held); refused > 0;) {
            size_t best = terms_.size(), most = 0, left = refused;
            for (size_t term = 0; term < terms_.size(); ++term) {
                if ((terms_[term].holds & single) != single) continue;
                const Calls next = held & terms_[term].holds;
                const size_t still = refused_of(next), gain = (refused - still) * ((next & open).count() + 1);
                if (gain > most) most = gain, best = term, left = still;
            }
            if (best == terms_.size()) return std::nullopt;
            all.push_back(best);
            held &= terms_[best].holds;
            refused = left;
        }
        return all;
    }

    /// Without what it needs not.
    std::vector<Conjunction> thinned(std::vector<Conjunction> rule) const {
        for (size_t i = 0; i < rule.size();) {
            std::vector<Conjunction> fewer = rule;
            fewer.erase(fewer.begin() + ptrdiff_t(i));
            if (is_exact(fewer)) rule = std::move(fewer);
            else ++i;
        }
        for (size_t i = 0; i < rule.size(); ++i)
            for (size_t k = 0; k < rule[i].size();) {
                std::vector<Conjunction> fewer = rule;
                fewer[i].erase(fewer[i].begin() + ptrdiff_t(k));
                if (is_exact(fewer)) rule = std::move(fewer);
                else ++k;
            }
        return rule;
    }

    std::string text_of(const std::vector<Conjunction>& rule) const {
        std::string text;
        for (const Conjunction& all : rule) {
            std::string part;
            for (size_t term : all) part += (part.empty() ? "" : " && ") + terms_[term].text;
            const bool parentheses = rule.size() > 1 && all.size() > 1;
            text += (text.empty() ? "" : " || ") + (parentheses ? "(" + part + ")" : part);
        }
        return text;
    }

    void note_witnesses(const std::vector<Conjunction>& rule, ProposedRule& made) const {
        for (size_t i = 0; i < rule.size(); ++i)
            for (size_t k = 0; k < rule[i].size(); ++k) {
                std::vector<Conjunction> fewer = rule;
                fewer[i].erase(fewer[i].begin() + ptrdiff_t(k));
                const Calls other = held(fewer) ^ wanted_;
                if (other.count() > 0) made.witnesses.push_back({terms_[rule[i][k]].text, calls_[other.first()].call});
            }
    }

    const Module& module_;
    const OpRecord& op_;
    ModuleFacts& facts_;
    const std::vector<CallVerdict> calls_;
    std::map<std::string, std::map<std::string, FactValue>> facts_by_name_;  ///< with the values that were met
    std::set<std::string> users_;
    std::vector<Term> terms_;
    Calls wanted_;
    std::vector<size_t> inseparable_;  ///< calls
};

}  // namespace

std::vector<ProposedRule> rules_from_verdicts(const Module& module, const std::vector<CallVerdict>& verdicts) {
    std::map<std::string, std::vector<CallVerdict>> by_op;
    for (const CallVerdict& verdict : verdicts)
        if (const OpRecord* op = computed_op(module, verdict.call)) by_op[op->name].push_back(verdict);
    ModuleFacts facts(module);
    std::vector<ProposedRule> rules;
    for (auto& [name, calls] : by_op) {
        const OpRecord& op = *computed_op(module, calls.front().call);
        rules.push_back(RuleFinder(module, op, facts, std::move(calls)).find());
    }
    return rules;
}

std::vector<CallVerdict> verdicts_of(const ReportedDivision& reported, const Module& module,
                                     const std::string& backend) {
    std::vector<CallVerdict> verdicts;
    const auto place =
        std::find(reported.backends.begin(), reported.backends.end(), backend) - reported.backends.begin();
    const ExpressionNames names(module);
    for (ExprId call : names.calls()) {
        const ReportedNode* node = reported.find(module, call);
        // A backend is not asked about what one before it took.
        if (node && (node->asked == place || node->backend >= place))
            verdicts.push_back({call, reported.takes(*node, backend)});
    }
    return verdicts;
}

std::vector<CallVerdict> verdicts_of(const FlowResult& flow, const std::vector<std::string>& backends, size_t backend) {
    if (flow.reported) return verdicts_of(*flow.reported, *flow.input, backends[backend]);
    std::vector<CallVerdict> verdicts;
    const ExpressionNames names(*flow.input);
    for (ExprId call : names.calls()) {
        const int on = flow.backend_of[call.value];
        if (on < 0 || on >= int(backend)) verdicts.push_back({call, on == int(backend)});
    }
    return verdicts;
}

std::string description_of(const std::string& backend, const std::vector<ProposedRule>& rules,
                           const std::string& codegen) {
    nlohmann::ordered_json json{{"name", backend}, {"ops", nlohmann::ordered_json::object()}};
    for (const ProposedRule& rule : rules)
        if (!rule.rule.empty())
            json["ops"][rule.op] =
                rule.rule == "true" ? nlohmann::ordered_json(true) : nlohmann::ordered_json(rule.rule);
    if (!codegen.empty()) json["codegen"] = codegen;
    return json.dump(2) + "\n";
}

}  // namespace partita
