#include "engine/rules/rule.h"

#include <algorithm>
#include <cctype>

#include "engine/rules/rule_program.h"
#include "engine/rules/rule_trace.h"

namespace partita {

namespace {

/// Finds the terms that decided. Recursion is as deep as the rule's tree.
class Explainer {
public:
    using Terms = std::vector<RuleTerm>;
    using Alternatives = std::vector<Terms>;

    Explainer(const RuleProgram& program, const RuleSubject& subject)
        : program_(program), subject_(subject), evaluator_(program, subject) {}

    RuleExplanation explain() {
        RuleExplanation explanation;
        explanation.value = evaluator_.evaluate(program_.root).is_true();
        if (explanation.value) {
            support(program_.root, true, explanation.terms);
            return explanation;
        }
        Alternatives alternatives = repairs(program_.root, true);
        for (size_t i = 0; i < alternatives.size(); ++i)
            for (RuleTerm& term : alternatives[i]) {
                term.alternative = int(i);
                explanation.terms.push_back(std::move(term));
            }
        return explanation;
    }

    Terms trace() {
        Terms terms;
        trace(program_.root, terms);
        return terms;
    }

private:
    static constexpr size_t kTerms = 1024;

    const RuleNode& node(uint32_t id) const { return program_.nodes[id]; }
    bool has_value(uint32_t id, bool wanted) {
        RuleValue value = evaluator_.evaluate(id);
        return wanted ? value.is_true() : value.is_false();
    }
    static bool is_both(RuleOp op, bool wanted) {
        return wanted ? op == RuleOp::And || op == RuleOp::All : op == RuleOp::Or || op == RuleOp::Exists;
    }

    /// Calls body(i) for each element of a loop's list with the variable set; returns false if there is no list.
    template <class Body>
    bool for_each_element(const RuleNode& loop, Body body) {
        RuleValue list = evaluator_.evaluate(program_.child(loop, 0));
        if (!list.is_list() || list.count == 0 || list.count > kTerms) return false;
        std::string list_text = text_of(program_.child(loop, 0));
        elements_.push_back(0);
        local_texts_.push_back({});
        for (uint32_t i = 0; i < list.count; ++i) {
            elements_.back() = i;
            local_texts_.back() = list_text + "[" + std::to_string(i) + "]";
            evaluator_.set_local(loop.slot, RuleEvaluator::element_of(list, i), i);
            body();
        }
        elements_.pop_back();
        local_texts_.pop_back();
        return true;
    }

    static void add_alternatives(Alternatives& to, Alternatives more) {
        for (Terms& terms : more)
            if (to.size() < size_t(kRuleAlternatives)) to.push_back(std::move(terms));
    }
    /// Returns every combination of one from each: what has to change if both have to.
    static Alternatives both(const Alternatives& a, const Alternatives& b) {
        Alternatives result;
        for (const Terms& left : a)
            for (const Terms& right : b) {
                if (result.size() == size_t(kRuleAlternatives) || left.size() + right.size() > kTerms) return result;
                result.push_back(left);
                result.back().insert(result.back().end(), right.begin(), right.end());
            }
        return result;
    }

    /// Returns sets of terms; changing the values of any one set gives the node the wanted value, which it does not
    /// have now.
    Alternatives repairs(uint32_t id, bool wanted) {
        const RuleNode& at = node(id);
        if (at.op == RuleOp::Not) return repairs(program_.child(at, 0), !wanted);
        if (at.op == RuleOp::Conditional) return conditional_repairs(at, wanted);
        bool all_needed = is_both(at.op, wanted);
        Alternatives result;
        if (all_needed) result.push_back({});
        auto take = [&](uint32_t part) {
            if (has_value(part, wanted)) return;
            if (all_needed) result = both(result, repairs(part, wanted));
            else add_alternatives(result, repairs(part, wanted));
        };
        if (at.op == RuleOp::And || at.op == RuleOp::Or) {
            for (uint32_t i = 0; i < at.child_count; ++i) take(program_.child(at, i));
            return result;
        }
        if (at.op == RuleOp::All || at.op == RuleOp::Exists)
            if (for_each_element(at, [&] { take(program_.child(at, 1)); }) && !result.empty()) return result;
        return {{term(id, !wanted)}};
    }

    Alternatives conditional_repairs(const RuleNode& at, bool wanted) {
        Alternatives result;
        uint32_t condition = program_.child(at, 0);
        bool now = has_value(condition, true);
        for (bool way : {now, !now}) {
            uint32_t branch = program_.child(at, way ? 1 : 2);
            Alternatives needed = {{}};
            if (!has_value(condition, way)) needed = both(needed, repairs(condition, way));
            if (!has_value(branch, wanted)) needed = both(needed, repairs(branch, wanted));
            add_alternatives(result, std::move(needed));
        }
        return result;
    }

    /// Collects the terms that give the node its value.
    void support(uint32_t id, bool value, Terms& terms) {
        const RuleNode& at = node(id);
        if (terms.size() >= kTerms) return;
        if (at.op == RuleOp::Not) return support(program_.child(at, 0), !value, terms);
        if (at.op == RuleOp::Conditional) {
            bool condition = has_value(program_.child(at, 0), true);
            support(program_.child(at, 0), condition, terms);
            return support(program_.child(at, condition ? 1 : 2), value, terms);
        }
        bool all_needed = is_both(at.op, value), found = false;
        auto take = [&](uint32_t part) {
            if ((found && !all_needed) || !has_value(part, value)) return;
            support(part, value, terms);
            found = true;
        };
        if (at.op == RuleOp::And || at.op == RuleOp::Or) {
            for (uint32_t i = 0; i < at.child_count; ++i) take(program_.child(at, i));
            return;
        }
        if (at.op == RuleOp::All || at.op == RuleOp::Exists)
            if (for_each_element(at, [&] { take(program_.child(at, 1)); }) && found) return;
        terms.push_back(term(id, value));
    }

    /// Collects the terms of a node in the order of evaluation, which ends where the node's value is known.
    void trace(uint32_t id, Terms& terms) {
        const RuleNode& at = node(id);
        if (terms.size() >= kTerms) return;
        if (at.op == RuleOp::Not) return trace(program_.child(at, 0), terms);
        if (at.op == RuleOp::Conditional) {
            trace(program_.child(at, 0), terms);
            return trace(program_.child(at, has_value(program_.child(at, 0), true) ? 1 : 2), terms);
        }
        const bool ends = at.op == RuleOp::Or || at.op == RuleOp::Exists;  // the value that decides
        bool known = false;
        const auto take = [&](uint32_t part) {
            if (known) return;
            trace(part, terms);
            known = has_value(part, ends);
        };
        if (at.op == RuleOp::And || at.op == RuleOp::Or) {
            for (uint32_t i = 0; i < at.child_count; ++i) take(program_.child(at, i));
            return;
        }
        if (at.op == RuleOp::All || at.op == RuleOp::Exists)
            if (for_each_element(at, [&] { take(program_.child(at, 1)); })) return;
        terms.push_back(term(id, has_value(id, true)));
    }

    RuleTerm term(uint32_t id, bool value) {
        RuleTerm term;
        term.text = text_of(id);
        term.value = value;
        term.begin = node(id).begin;
        term.end = node(id).end;
        term.node = id;
        term.elements = elements_;
        RuleValue found = evaluator_.evaluate(id);
        if (found.is(RuleValue::Tag::Error)) term.error = evaluator_.describe(found);
        add_operands(id, term);
        return term;
    }

    /// Adds the largest parts of a term that are not calculations: a person wants to know their values.
    void add_operands(uint32_t id, RuleTerm& term) {
        const RuleNode& at = node(id);
        switch (at.op) {
            case RuleOp::Constant: return;
            case RuleOp::Equal:
            case RuleOp::NotEqual:
            case RuleOp::Less:
            case RuleOp::LessEqual:
            case RuleOp::Greater:
            case RuleOp::GreaterEqual:
            case RuleOp::In:
            case RuleOp::Negate:
            case RuleOp::Add:
            case RuleOp::Subtract:
            case RuleOp::Multiply:
            case RuleOp::Divide:
            case RuleOp::Modulo:
            case RuleOp::List:
            case RuleOp::Has:
            case RuleOp::StartsWith:
            case RuleOp::EndsWith:
            case RuleOp::Contains:
            case RuleOp::Not:
            case RuleOp::And:
            case RuleOp::Or:
            case RuleOp::Conditional:
            case RuleOp::ToInt:
            case RuleOp::ToDouble:
            case RuleOp::ToString:
                for (uint32_t i = 0; i < at.child_count; ++i) add_operands(program_.child(at, i), term);
                return;
            case RuleOp::All:
            case RuleOp::Exists:
            case RuleOp::ExistsOne: add_operands(program_.child(at, 0), term); return;
            default: break;
        }
        RuleValue value = evaluator_.evaluate(id);
        if (value.is(RuleValue::Tag::Error)) {
            if (term.error.empty()) term.error = evaluator_.describe(value);
            return;
        }
        std::string text = text_of(id);
        for (const RuleTerm::Operand& known : term.operands)
            if (known.text == text) return;
        term.operands.push_back({std::move(text), evaluator_.to_string(value), expression_of(id)});
    }

    /// Returns the expression that the term is about: the nearest one below it, or the call itself.
    ExprId expression_of(uint32_t id) {
        for (;;) {
            const RuleNode& at = node(id);
            RuleValue value = evaluator_.evaluate(id);
            if (value.is(RuleValue::Tag::Node)) return value.id();
            if (at.child_count == 0) return subject_.call;
            id = program_.child(at, 0);
        }
    }

    void collect_locals(uint32_t id, std::vector<uint32_t>& locals) {
        if (node(id).op == RuleOp::Local) locals.push_back(id);
        for (uint32_t i = 0; i < node(id).child_count; ++i) collect_locals(program_.child(node(id), i), locals);
    }

    /// Returns the rule's own text of a node, with the variables of the enclosing loops filled in.
    std::string text_of(uint32_t id) {
        std::vector<uint32_t> locals;
        collect_locals(id, locals);
        std::sort(locals.begin(), locals.end(),
                  [this](uint32_t a, uint32_t b) { return node(a).begin < node(b).begin; });
        std::string text;
        uint32_t at = node(id).begin;
        for (uint32_t local : locals) {
            if (node(local).slot >= local_texts_.size()) continue;  // of a loop inside the term
            text.append(program_.text, at, node(local).begin - at);
            text += local_texts_[node(local).slot];
            at = node(local).end;
        }
        text.append(program_.text, at, node(id).end - at);
        return without_parentheses(text);
    }

    static std::string without_parentheses(std::string text) {
        while (text.size() > 1 && text.front() == '(' && text.back() == ')') {
            int open = 0;
            for (size_t i = 0; i + 1 < text.size(); ++i) {
                open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
                if (open == 0) return text;  // the first one closes before the end
            }
            text = text.substr(1, text.size() - 2);
        }
        return text;
    }

    const RuleProgram& program_;
    const RuleSubject& subject_;
    RuleEvaluator evaluator_;
    std::vector<uint32_t> elements_;
    std::vector<std::string> local_texts_;  ///< by slot
};

}  // namespace

std::string RuleExplanation::to_string() const {
    constexpr size_t kShown = 12;
    std::string result;
    for (size_t i = 0; i < terms.size(); ++i) {
        if (i == kShown) return result + "; and " + std::to_string(terms.size() - kShown) + " more";
        if (i) result += terms[i].alternative == terms[i - 1].alternative ? "; and " : "; or ";
        result += terms[i].to_string(value);
    }
    return result;
}

Result<std::shared_ptr<const Rule>> Rule::compile(std::string_view text, const RuleContext& context) {
    Result<std::unique_ptr<RuleProgram>> program = parse_rule(text);
    if (!program) return program.error();
    (*program)->context = context;
    Status checked = check_rule(**program);
    if (!checked) return checked.error();
    return std::shared_ptr<const Rule>(std::make_shared<Rule>(std::move(*program)));
}

Rule::Rule(std::unique_ptr<RuleProgram> program) : program_(std::move(program)) {}
Rule::~Rule() = default;

bool Rule::evaluate(const RuleSubject& subject) const {
    return RuleEvaluator(*program_, subject).evaluate(program_->root).is_true();
}

RuleExplanation Rule::explain(const RuleSubject& subject) const { return Explainer(*program_, subject).explain(); }

std::vector<RuleTerm> trace_rule(const Rule& rule, const RuleContext& context, const RuleSubject& subject) {
    Result<std::unique_ptr<RuleProgram>> program = parse_rule(rule.text());
    if (!program) return {};
    (*program)->context = context;
    if (!check_rule(**program)) return {};
    return Explainer(**program, subject).trace();
}

Result<std::string> expression_value(std::string_view text, const RuleSubject& subject) {
    Result<std::unique_ptr<RuleProgram>> program = parse_rule(text);
    if (!program) return program.error();
    if (Status checked = check_rule(**program, true); !checked) return checked.error();
    if (!subject.call.valid()) return std::string();
    RuleEvaluator evaluator(**program, subject);
    const RuleValue value = evaluator.evaluate((*program)->root);
    return value.is(RuleValue::Tag::Error) ? evaluator.describe(value) : evaluator.to_string(value);
}

bool Rule::evaluate_with_flipped(const RuleSubject& subject, std::span<const RuleTerm> flipped) const {
    RuleEvaluator evaluator(*program_, subject);
    evaluator.flip(flipped);
    return evaluator.evaluate(program_->root).is_true();
}

const std::string& Rule::text() const { return program_->text; }

}  // namespace partita
