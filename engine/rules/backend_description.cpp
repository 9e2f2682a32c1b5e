#include "engine/rules/backend_description.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/annotators/annotator.h"
#include "engine/ir/file_operators.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/ops/writable_c.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/codegen.h"
#include "engine/rules/pattern.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "engine/support/json_reader.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

constexpr double kLargestCount = 1e9, kLargestFlops = 1e18, kLargestBytes = 1e15;
constexpr RegionLimitField kRegionLimits[] = {
    {"min_ops", &RegionLimits::min_ops, kLargestCount, "calls of operators that a region has at least"},
    {"min_flops", &RegionLimits::min_flops, kLargestFlops, "floating-point operations that a region has at least"},
    {"max_inputs", &RegionLimits::max_inputs, kLargestCount, "inputs that a region has at most; 0: no limit"},
    {"max_outputs", &RegionLimits::max_outputs, kLargestCount, "outputs that a region has at most; 0: no limit"},
    {"max_weight_bytes", &RegionLimits::max_weight_bytes, kLargestBytes,
     "bytes of weights that a region reads at most; 0: no limit"},
    {"max_live_bytes", &RegionLimits::max_live_bytes, kLargestBytes,
     "bytes of inputs and results that a region holds at once at most, without weights; 0: no limit"},
    {"weight_bytes", &RegionLimits::weight_bytes, kLargestBytes,
     "bytes of weights that all regions together read at most; 0: no limit"},
};

using Kind = JsonValue::Kind;

/// Returns the byte offset of a line and column.
size_t offset_in_text(std::string_view text, SourcePosition position) {
    size_t offset = 0;
    for (uint32_t line = 1; line < position.line; ++line) offset = text.find('\n', offset) + 1;
    return offset + (position.column ? position.column - 1 : 0);
}

/// Reads a description from JSON. Every fault names the path of the value ("ops.add") and its position; reading
/// continues after it, so that one run finds all faults.
class DescriptionReader {
public:
    DescriptionReader(std::string_view source, const std::string& file) : source_(source) {
        if (source_.starts_with("\xEF\xBB\xBF")) source_.remove_prefix(3);
        description_.file = file;
        description_.source = source_;
    }

    CheckedDescription read() {
        CheckedDescription checked;
        Result<JsonValue> document = read_json(source_);
        if (!document) faults_.push_back(document.error());
        else read_document(*document);
        std::stable_sort(faults_.begin(), faults_.end(), [](const Diagnostic& a, const Diagnostic& b) {
            return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
        });
        for (Diagnostic& fault : faults_) fault.file = description_.file;
        if (faults_.empty()) checked.description = std::move(description_);
        checked.faults = std::move(faults_);
        return checked;
    }

private:
    static constexpr size_t kMostFaults = 200;

    bool fail(SourcePosition position, const std::string& path, const std::string& message) {
        if (faults_.size() < kMostFaults)
            faults_.push_back(error(path.empty() ? message : path + ": " + message, position));
        return false;
    }
    bool fail(const JsonValue& value, const std::string& path, const std::string& message) {
        return fail(value.position, path, message);
    }
    bool expected(const JsonValue& value, const std::string& path, std::string_view what) {
        return fail(value, path, "expected " + std::string(what) + ", found " + std::string(value.kind_name()));
    }

    static std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
        std::string_view near = nearest_spelling(word, known);
        return near.empty() ? std::string() : "; did you mean \"" + std::string(near) + "\"?";
    }

    void check_keys(const JsonValue& object, const std::string& path, std::initializer_list<std::string_view> known) {
        check_keys(object, path, std::span(known.begin(), known.size()));
    }
    void check_keys(const JsonValue& object, const std::string& path, std::span<const std::string_view> known) {
        for (const JsonMember& member : object.members)
            if (std::find(known.begin(), known.end(), member.key) == known.end())
                fail(member.key_position, path, "unknown key \"" + member.key + "\"" + suggestion(member.key, known));
    }

    bool has_keys(const JsonValue& object, const std::string& path, std::initializer_list<std::string_view> needed) {
        bool all = true;
        for (std::string_view key : needed)
            if (!object.member(key)) all = fail(object, path, "the key \"" + std::string(key) + "\" is missing");
        return all;
    }

    bool read_string(const JsonValue& value, const std::string& path, std::string& text) {
        if (!value.is(Kind::String)) return expected(value, path, "a string");
        text = value.text;
        return true;
    }

    bool read_name(const JsonValue& value, const std::string& path, std::string& text) {
        if (!read_string(value, path, text)) return false;
        auto allowed = [](char c) { return isalnum(uint8_t(c)) || c == '_' || c == '-'; };
        if (text.empty() || !isalpha(uint8_t(text[0])) || !std::all_of(text.begin(), text.end(), allowed))
            return fail(value, path, "a name must be a letter followed by letters, digits, '_' or '-'");
        if (text == "default") return fail(value, path, "\"default\" is the built-in backend");
        return true;
    }

    void read_document(const JsonValue& document) {
        if (!document.is(Kind::Object)) {
            expected(document, "", "an object");
            return;
        }
        check_keys(document, "",
                   {"$schema", "name", "summary", "ops", "patterns", "transparent", "optimize", "limits", "whole_graph",
                    "codegen", "fallback", "annotator", "expect", "operators", "reasons"});
        if (const JsonValue* value = document.member("$schema")) {
            std::string schema;
            read_string(*value, "$schema", schema);
        }
        if (has_keys(document, "", {"name"})) read_name(*document.member("name"), "name", description_.name);
        if (const JsonValue* value = document.member("summary")) read_string(*value, "summary", description_.summary);
        if (const JsonValue* value = document.member("codegen")) read_codegen(*value);
        if (const JsonValue* value = document.member("annotator")) read_annotator(*value);
        if (const JsonValue* value = document.member("whole_graph")) {
            if (value->is(Kind::Bool)) description_.whole_graph = value->boolean;
            else expected(*value, "whole_graph", "true or false");
        }
        if (const JsonValue* value = document.member("operators")) read_operators(*value);
        if (const JsonValue* value = document.member("reasons")) read_reasons(*value);
        if (const JsonValue* value = document.member("fallback")) read_fallback(*value);
        if (const JsonValue* value = document.member("ops")) read_ops(*value);
        if (const JsonValue* value = document.member("transparent")) read_transparent(*value);
        if (const JsonValue* value = document.member("optimize")) read_optimize(*value);
        if (const JsonValue* value = document.member("limits")) read_limits(*value);
        if (const JsonValue* value = document.member("patterns")) read_patterns(*value);
        if (const JsonValue* value = document.member("expect")) read_expectations(*value);
    }

    /// The question for permission must show the whole command.
    bool check_foreign_code(const JsonValue& value, const std::string& path, const std::string& name) {
        if (name.size() > kLongestForeignCode)
            return fail(value, path,
                        "this has " + std::to_string(name.size()) + " bytes; at most " +
                            std::to_string(kLongestForeignCode) + " are allowed");
        if (std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }))
            return fail(value, path, "there is a control character in this");
        if (name.find_first_not_of(" \t", name.find(':') + 1) != std::string::npos) return true;
        return fail(value, path, "expected a name after \"" + name.substr(0, name.find(':') + 1) + "\"");
    }

    bool read_annotator(const JsonValue& value) {
        if (!read_string(value, "annotator", description_.annotator)) return false;
        if (annotator_command(description_.annotator).empty())
            return fail(value, "annotator", "expected python:FILE.py or command:PROGRAM ARGUMENT ...");
        return check_foreign_code(value, "annotator", description_.annotator);
    }

    /// A codegen that nothing executes would silently fall back to default.
    bool read_codegen(const JsonValue& value) {
        if (!read_string(value, "codegen", description_.codegen)) return false;
        const std::string& name = description_.codegen;
        std::vector<std::string_view> names;
        for (const BuiltinCodegen& builtin : builtin_codegens()) names.push_back(builtin.name);
        if (std::find(names.begin(), names.end(), name) != names.end()) return true;
        if (foreign_code(name) != ForeignCode::None) return check_foreign_code(value, "codegen", name);
        const std::string_view near = nearest_spelling(name, names);
        std::string known;
        for (std::string_view each : names) known += std::string(each) + ", ";
        return fail(value, "codegen",
                    "unknown codegen \"" + name + "\"" +
                        (near.empty() ? "; there are " + known + "plugin:LIBRARY and command:PROGRAM"
                                      : "; did you mean \"" + std::string(near) + "\"?"));
    }

    bool read_operators(const JsonValue& value) {
        description_.of_file = value.is(Kind::String) && value.text == "file";
        const bool good = description_.of_file || (value.is(Kind::String) && value.text == "module");
        return good || expected(value, "operators", "\"module\" or \"file\"");
    }

    bool read_reasons(const JsonValue& reasons) {
        if (!reasons.is(Kind::Object)) return expected(reasons, "reasons", "an object of conditions");
        for (const JsonMember& member : reasons.members) {
            std::string text;
            if (read_string(member.value, "reasons." + member.key, text))
                description_.reasons.emplace_back(member.key, std::move(text));
        }
        return true;
    }

    bool read_fallback(const JsonValue& value) {
        std::string name;
        if (!read_string(value, "fallback", name)) return false;
        description_.halves_refused = name == "halve";
        return name == "whole" || name == "halve" || fail(value, "fallback", "it is \"whole\" or \"halve\"");
    }

    bool read_ops(const JsonValue& ops) {
        if (!ops.is(Kind::Object)) return expected(ops, "ops", "an object of operators");
        bool good = true;
        for (const JsonMember& member : ops.members) good = read_op(member) && good;
        return good;
    }

    bool read_op(const JsonMember& member) {
        std::string path = "ops." + member.key;
        const JsonValue& value = member.value;
        OpRule rule{member.key, nullptr, "true"};
        const OpId op = op_within_budget(member.key);
        if (!op.valid()) return fail_unknown_op(member.key_position, "ops", member.key);
        if (value.is(Kind::Bool)) {
            if (!value.boolean) return true;  // as if it were absent
        } else if (value.is(Kind::String)) {
            rule.text = value.text;
            if (!compile_rule(value, path, {&op_registry()[op], {}}, rule.rule)) return false;
        } else {
            return expected(value, path, "true, false or a rule in a string");
        }
        description_.ops.emplace(member.key, std::move(rule));
        return true;
    }

    /// Searching for similar names is slow: of very many that are not known the rest counts as another program's.
    OpId op_within_budget(std::string_view name) {
        constexpr size_t kMostSearched = 1000;
        const OpId known = op_registry().find(name);
        if (known.valid()) return known;
        return ++searched_ > kMostSearched ? op_registry().foreign(name) : op_named(name);
    }

    bool fail_unknown_op(SourcePosition position, const std::string& path, std::string_view name) {
        if (faults_.size() >= kMostFaults) return false;  // searching for a similar name is slow
        std::string_view near = op_registry().nearest(name);
        return fail(position, path,
                    "there is no operator \"" + std::string(name) + "\"" +
                        (near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?"));
    }

    bool compile_rule(const JsonValue& value, const std::string& path, const RuleContext& context,
                      std::shared_ptr<const Rule>& rule) {
        Result<std::shared_ptr<const Rule>> compiled = Rule::compile(value.text, context);
        if (!compiled) {
            size_t offset = offset_in_text(value.text, compiled.error().position);
            return fail(position_in_string(source_, value, offset), path, compiled.error().message);
        }
        rule = std::move(*compiled);
        return true;
    }

    bool read_transparent(const JsonValue& list) {
        if (!list.is(Kind::Array)) return expected(list, "transparent", "an array of operators");
        for (size_t i = 0; i < list.items.size(); ++i) {
            std::string op;
            if (!read_string(list.items[i], "transparent[" + std::to_string(i) + "]", op)) continue;
            const OpId id = op_within_budget(op);
            if (!id.valid()) fail_unknown_op(list.items[i].position, "transparent", op);
            else if (const OpRecord& record = op_registry()[id];
                     !record.foreign && (record.variadic || record.inputs.size() != 1))
                fail(list.items[i], "transparent[" + std::to_string(i) + "]",
                     op +
                         (record.variadic ? " has any number of arguments"
                                          : " has " + std::to_string(record.inputs.size()) + " arguments") +
                         ": an operator that goes where its neighbours go has one");
            else description_.transparent.push_back(std::move(op));
        }
        return true;
    }

    bool read_optimize(const JsonValue& list) {
        if (!list.is(Kind::Array)) return expected(list, "optimize", "an array of passes");
        for (size_t i = 0; i < list.items.size(); ++i) {
            std::string path = "optimize[" + std::to_string(i) + "]", pass;
            if (!read_string(list.items[i], path, pass)) continue;
            if (pass == "fold_constants") description_.optimize.push_back(std::move(pass));
            else fail(list.items[i], path, "there is no pass \"" + pass + "\"; the only one is fold_constants");
        }
        return true;
    }

    bool read_patterns(const JsonValue& list) {
        if (!list.is(Kind::Array)) return expected(list, "patterns", "an array of patterns");
        std::vector<OpId> transparent;
        for (const std::string& op : description_.transparent) transparent.push_back(op_named(op));
        for (size_t i = 0; i < list.items.size(); ++i) {
            description_.patterns.emplace_back();
            description_.patterns.back().transparent = transparent;
            read_pattern(list.items[i], "patterns[" + std::to_string(i) + "]", description_.patterns.back());
        }
        return true;
    }

    bool read_pattern_name(const JsonValue& value, const std::string& path, std::string& name) {
        if (!read_string(value, path, name)) return false;
        if (name.empty()) return fail(value, path, "the name is empty");
        // The composite would be made, and then no backend would take it.
        if (const std::string first = description_.name + "."; !description_.name.empty() && !name.starts_with(first))
            return fail(value, path, "a composite of this backend is named \"" + first + "NAME\"");
        if (!pattern_names_.insert(name).second)
            return fail(value, path, "another pattern has the name \"" + name + "\"");
        return true;
    }

    bool read_pattern(const JsonValue& object, const std::string& path, CompositePattern& result) {
        if (!object.is(Kind::Object)) return expected(object, path, "an object");
        check_keys(object, path, {"name", "pattern", "check", "summary"});
        if (!has_keys(object, path, {"name", "pattern"})) return false;
        read_pattern_name(*object.member("name"), path + ".name", result.name);
        std::string summary;  // for readers of the file
        if (const JsonValue* value = object.member("summary");
            value && !read_string(*value, path + ".summary", summary))
            return false;
        const JsonValue& text = *object.member("pattern");
        if (!read_string(text, path + ".pattern", result.pattern_text)) return false;
        Result<std::shared_ptr<const Pattern>> pattern = Pattern::parse(text.text);
        if (!pattern) {
            size_t offset = offset_in_text(text.text, pattern.error().position);
            return fail(position_in_string(source_, text, offset), path + ".pattern", pattern.error().message);
        }
        result.pattern = *pattern;
        const JsonValue* check = object.member("check");
        if (!check || (check->is(Kind::Bool) && check->boolean)) return true;
        if (!read_string(*check, path + ".check", result.check_text)) return false;
        return compile_rule(*check, path + ".check", {(*pattern)->root_op(), (*pattern)->names()}, result.check);
    }

    bool read_expectations(const JsonValue& list) {
        if (!list.is(Kind::Array)) return expected(list, "expect", "an array of tests");
        for (size_t i = 0; i < list.items.size(); ++i) {
            RuleExpectation test;
            if (read_expectation(list.items[i], "expect[" + std::to_string(i) + "]", test))
                description_.expectations.push_back(std::move(test));
        }
        return true;
    }

    bool read_expectation(const JsonValue& object, const std::string& path, RuleExpectation& test) {
        if (!object.is(Kind::Object)) return expected(object, path, "an object");
        check_keys(object, path, {"module", "node", "supported", "composite", "because"});
        if (!has_keys(object, path, {"module", "node", "supported"})) return false;
        test.position = object.position;
        const JsonValue &node = *object.member("node"), &supported = *object.member("supported");
        if (!read_string(*object.member("module"), path + ".module", test.module)) return false;
        if (!supported.is(Kind::Bool)) return expected(supported, path + ".supported", "true or false");
        test.supported = supported.boolean;
        constexpr double kLargestNumber = 1e9;
        if (node.is(Kind::String)) {
            test.op = node.text;
            if (!op_within_budget(test.op).valid()) return fail_unknown_op(node.position, path + ".node", test.op);
        } else if (!node.is(Kind::Number)) {
            return expected(node, path + ".node", "a call's number or an operator's name");
        } else if (node.number < 1 || node.number > kLargestNumber || node.number != double(int(node.number))) {
            return fail(node, path + ".node", "expected a whole number from 1");
        } else {
            test.node = int(node.number);
        }
        if (const JsonValue* text = object.member("composite"))
            if (!read_string(*text, path + ".composite", test.composite)) return false;
        if (const JsonValue* text = object.member("because"))
            if (!read_string(*text, path + ".because", test.because)) return false;
        return true;
    }

    bool read_count(const JsonValue& object, std::string_view key, double largest, double& number) {
        const JsonValue* value = object.member(key);
        if (!value) return true;
        std::string path = "limits." + std::string(key);
        if (!value->is(Kind::Number)) return expected(*value, path, "a number");
        if (value->number < 0 || value->number > largest || value->number != double(int64_t(value->number)))
            return fail(*value, path, "expected a whole number from 0");
        number = value->number;
        return true;
    }

    bool read_limits(const JsonValue& limits) {
        if (!limits.is(Kind::Object)) return expected(limits, "limits", "an object");
        std::vector<std::string_view> names;
        for (const RegionLimitField& field : kRegionLimits) names.push_back(field.name);
        check_keys(limits, "limits", names);
        for (const RegionLimitField& field : kRegionLimits)
            read_count(limits, field.name, field.largest, description_.limits.*field.value);
        return true;
    }

    std::string_view source_;
    BackendDescription description_;
    std::set<std::string> pattern_names_;
    std::vector<Diagnostic> faults_;
    size_t searched_ = 0;
};

}  // namespace

bool RegionLimits::any() const {
    return std::any_of(std::begin(kRegionLimits), std::end(kRegionLimits),
                       [&](const RegionLimitField& field) { return this->*field.value > 0; });
}

std::span<const RegionLimitField> region_limit_fields() { return kRegionLimits; }

const RegionLimitField* find_region_limit(std::string_view name) {
    const auto found = std::find_if(std::begin(kRegionLimits), std::end(kRegionLimits),
                                    [&](const RegionLimitField& field) { return name == field.name; });
    return found == std::end(kRegionLimits) ? nullptr : found;
}

const OpRule* BackendDescription::rule_for(const OpRecord& op) const {
    auto found = ops.find(op.name);
    if (found == ops.end() && op.foreign) found = ops.find("opaque");
    return found == ops.end() ? nullptr : &found->second;
}

bool BackendDescription::is_transparent(std::string_view op) const {
    return std::find(transparent.begin(), transparent.end(), op) != transparent.end();
}

AskedCall asked_call(const BackendDescription& backend, const Module& module, ExprId call, ModuleFacts* facts) {
    if (!backend.of_file || !backend.operators) return {module, call, facts};
    const StatedOperators& stated = backend.operators->get();
    return {stated.module, stated.find(module, call), facts ? &facts->of(stated.module) : nullptr};
}

/// Returns whether a condition is true where one of several is: outside of its parentheses.
static bool is_alternative(std::string_view condition) {
    int depth = 0;
    for (size_t i = 0; i + 1 < condition.size(); ++i) {
        depth += (condition[i] == '(' || condition[i] == '[') - (condition[i] == ')' || condition[i] == ']');
        if (depth == 0 && condition[i] == '|' && condition[i + 1] == '|') return true;
    }
    return false;
}

/// Says what the condition means in which the first term failed, with that term: the shortest condition with a meaning,
/// unless that is one of several of which each would have done.
static void add_meaning(const BackendDescription& backend, const OpRule& rule, Verdict& verdict) {
    if (verdict.terms.empty()) return;
    const RuleTerm& term = verdict.terms.front();
    const std::pair<std::string, std::string>* best = nullptr;
    for (const auto& reason : backend.reasons) {
        const std::string& condition = reason.first;
        const size_t begin = rule.rule->text().find(condition);
        if (begin == std::string::npos || term.begin < begin || term.end > begin + condition.size()) continue;
        const bool is_longer = !best || condition.size() > best->first.size();
        if (!best || (is_longer ? is_alternative(condition) : !is_alternative(best->first))) best = &reason;
    }
    if (!best) return;
    const size_t end = rule.rule->text().find(best->first) + best->first.size();
    std::string terms = term.to_string(false);
    for (const RuleTerm& other : std::span(verdict.terms).subspan(1))
        if (is_alternative(best->first) && other.begin >= term.begin && other.end <= end)
            terms += "; and " + other.to_string(false);
    verdict.text = best->second + " (" + terms + ")";
}

Verdict judge(const BackendDescription& backend, const Module& converted, ExprId of, bool explain,
              ModuleFacts* facts_of) {
    const auto [module, call, facts] = asked_call(backend, converted, of, facts_of);
    const OpRecord* op = call.valid() ? called_op_record(module, call) : nullptr;
    if (!op) return {};
    if (backend.whole_graph) return {Verdict::Reason::Accepted, "whole_graph", {}, {}, {}};
    const OpRule* rule = backend.rule_for(*op);
    if (!rule) return {};
    if (rule->by_annotator) {
        ModuleFacts own(module);
        const AnnotatorQuestion question{{module.called_op(call), -1}, call};
        ModuleFacts& asked = facts ? *facts : own;
        return verdict_of(op->name,
                          asked.session(backend.running).ask({&question, 1}, explain, asked.cancel()).front());
    }
    Verdict verdict{Verdict::Reason::Accepted, "ops." + rule->op, {}, {}, {}, {}};
    if (!rule->rule) return verdict;
    RuleSubject subject{module, call, facts};
    if (rule->rule->evaluate(subject)) return verdict;
    verdict.reason = Verdict::Reason::RuleFailed;
    if (!explain) return verdict;
    RuleExplanation explanation = explain_rule(backend, *rule->rule, converted, of, facts_of);
    verdict.text = explanation.to_string();
    verdict.terms = std::move(explanation.terms);
    add_meaning(backend, *rule, verdict);
    return verdict;
}

RuleExplanation explain_rule(const BackendDescription& backend, const Rule& rule, const Module& module, ExprId call,
                             ModuleFacts* facts) {
    const AskedCall asked = asked_call(backend, module, call, facts);
    RuleExplanation explanation = rule.explain({asked.module, asked.call, asked.facts});
    for (RuleTerm& term : explanation.terms)
        for (RuleTerm::Operand& operand : term.operands)
            if (&asked.module != &module) operand.expr = call;
    return explanation;
}

Verdict verdict_of(const std::string& op, const AnnotatorAnswer& answer) {
    Verdict verdict{Verdict::Reason::Accepted, "ops." + op, {}, {}, {}, {}};
    if (answer.accepted && answer.file.empty()) return verdict;
    if (!answer.accepted) verdict.reason = Verdict::Reason::RuleFailed;
    verdict.text = answer.to_string();
    verdict.place = answer.place();
    verdict.condition = answer.condition();
    return verdict;
}

CheckedDescription check_backend_description(std::string_view text, const std::string& file) {
    if (file.ends_with(".py")) return {annotator_backend(text, file), {}};
    return DescriptionReader(text, file).read();
}

Result<BackendDescription> parse_backend_description(std::string_view text, const std::string& file) {
    CheckedDescription checked = check_backend_description(text, file);
    if (checked.description) return std::move(*checked.description);
    Diagnostic fault = std::move(checked.faults.front());
    size_t more = checked.faults.size() - 1;
    if (more) fault.message += " (and " + std::to_string(more) + (more == 1 ? " more fault)" : " more faults)");
    return fault;
}

std::vector<std::string> builtin_backend_names() {
    std::vector<std::string> names;
    for (const EmbeddedText& description : embedded_backends()) names.emplace_back(description.name);
    return names;
}

/// Fills in the ops that have a C writer: only their records tell, so the text that ships leaves the list empty. Marks
/// from passes are not compiled.
static std::string with_all_of_c(std::string_view text) {
    constexpr std::string_view kPlace = "\"ops\": {}";
    constexpr size_t kLongestLine = 110;
    std::set<std::string> names;
    for (const OpRecord& op : op_registry().records())
        if (has_c(op) && !op.name.starts_with("annotation.")) names.insert(op.name);
    std::string ops = "\"ops\": {", line = "\n   ";
    for (const std::string& name : names) {
        if (line.size() + name.size() > kLongestLine) ops += std::exchange(line, "\n   ");
        line += " \"" + name + "\": true,";
    }
    ops += line;
    ops.back() = '\n';
    std::string result(text);
    return result.replace(result.find(kPlace), kPlace.size(), ops + "  }");
}

std::string_view builtin_backend_source(std::string_view name) {
    for (const EmbeddedText& description : embedded_backends()) {
        if (description.name != name) continue;
        if (name != "ccompiler_wide") return description.text;
        static const std::string wide = with_all_of_c(description.text);
        return wide;
    }
    return {};
}

Result<BackendDescription> builtin_backend(std::string_view name) {
    std::vector<std::string_view> names;
    for (const EmbeddedText& description : embedded_backends()) {
        names.push_back(description.name);
        if (description.name != name) continue;
        Result<BackendDescription> result =
            parse_backend_description(builtin_backend_source(name), std::string(name) + ".json");
        if (result) result->file.clear();
        return result;
    }
    std::string message = "there is no built-in backend \"" + std::string(name) + "\"";
    std::string_view near = nearest_spelling(name, names);
    if (!near.empty()) return error(message + "; did you mean \"" + std::string(near) + "\"?");
    message += "; there are ";
    for (size_t i = 0; i < names.size(); ++i) message += (i ? ", " : "") + std::string(names[i]);
    return error(message + ". For your own description give its file, such as F.json");
}

Result<BackendDescription> load_backend(const std::string& name_or_path) {
    bool looks_like_path = name_or_path.find_first_of("/.\\") != std::string::npos;
    if (!looks_like_path) return builtin_backend(name_or_path);
    Result<std::string> text = read_file(name_or_path);
    if (!text) {
        Diagnostic fault = text.error();
        if (fault.file.empty()) fault.file = name_or_path;
        return fault;
    }
    Result<BackendDescription> read = parse_backend_description(*text, name_or_path);
    if (read) read->codegen = library_beside(read->codegen, name_or_path);
    if (read) read->annotator = annotator_beside(read->annotator, name_or_path);
    return read;
}

}  // namespace partita
