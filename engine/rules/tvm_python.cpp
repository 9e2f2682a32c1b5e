#include "engine/rules/tvm_python.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/ops/registry.h"
#include "engine/rules/pattern.h"
#include "engine/rules/rule_program.h"

namespace partita {

namespace {

/// What stands at the top of every file: how rules read what TVM hands them.
constexpr const char* kHelpers = R"(

def _plain(value):
    """A value of an attribute as a number, a text or a list."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "value"):
        return value.value
    return [_plain(item) for item in value]


def _attr(call, name):
    return _plain(call.attrs[name])


def _op(expr):
    return expr.op.name if isinstance(expr, relay.Call) and hasattr(expr.op, "name") else ""


def _shape(expr):
    return [-1 if isinstance(dim, tvm.tir.Any) else int(dim) for dim in expr.checked_type.shape]


def _accepts(rule, call):
    """A rule that can't be answered does not accept."""
    try:
        return bool(rule(call))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return False
)";

std::string quoted_text(std::string_view text) {
    return nlohmann::json(std::string(text)).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// A rule as an expression in Python over `call`.
class RuleWriter {
public:
    RuleWriter(const RuleProgram& program, const std::vector<std::string>& bound) : program_(program), bound_(bound) {}

    Result<std::string> write() {
        std::string text = expression(program_.root);
        if (lacks_.empty()) return text;
        return error("Python's form has no words for " + lacks_);
    }

private:
    const RuleNode& node(uint32_t id) const { return program_.nodes[id]; }
    std::string child(const RuleNode& at, uint32_t index) { return expression(program_.child(at, index)); }
    /// The expression that a field, `op`, `attrs` or `args` is of: the call where none is named.
    std::string owner(const RuleNode& at) { return at.child_count ? child(at, 0) : "call"; }
    std::string joined(const RuleNode& at, const char* between) {
        std::string text;
        for (uint32_t i = 0; i < at.child_count; ++i) text += (i ? between : "") + child(at, i);
        return "(" + text + ")";
    }
    std::string lack(const RuleNode& at) {
        if (lacks_.empty()) lacks_ = "'" + std::string(program_.source(at)) + "'";
        return "None";
    }
    static std::string variable(uint32_t slot) { return "v" + std::to_string(slot); }

    std::string constant(const RuleValue& value) {
        switch (value.tag) {
            case RuleValue::Tag::Null: return "None";
            case RuleValue::Tag::Bool: return value.boolean ? "True" : "False";
            case RuleValue::Tag::Int: return std::to_string(value.integer);
            case RuleValue::Tag::Double: return nlohmann::json(value.real).dump();
            case RuleValue::Tag::String: return quoted_text(value.text());
            default: break;
        }
        std::string text;
        for (uint32_t i = 0; i < value.count; ++i)
            text += (i ? ", " : "") + constant(RuleEvaluator::element_of(value, i));
        return "[" + text + "]";
    }

    std::string field(const RuleNode& at) {
        const std::string of = owner(at);
        switch (RuleField(at.slot)) {
            case RuleField::DType: return of + ".checked_type.dtype";
            case RuleField::Shape: return "_shape(" + of + ")";
            case RuleField::Rank: return "len(_shape(" + of + "))";
            case RuleField::Size: return "math.prod(_shape(" + of + "))";
            case RuleField::IsConstant: return "isinstance(" + of + ", relay.Constant)";
            case RuleField::IsVar: return "isinstance(" + of + ", relay.Var)";
            case RuleField::Name: return of + ".name_hint";
            case RuleField::Value: return "float(" + of + ".data.numpy().item())";
            case RuleField::Index: return of + ".index";
            case RuleField::Fields: return "list(" + of + ".fields)";
            case RuleField::Type: return "str(" + of + ".checked_type)";
            default: return lack(at);
        }
    }

    std::string loop(const RuleNode& at, const char* function) {
        return std::string(function) + "(" + child(at, 1) + " for " + variable(at.slot) + " in " + child(at, 0) + ")";
    }

    std::string relation(const RuleNode& at) {
        switch (at.op) {
            case RuleOp::Equal: return joined(at, " == ");
            case RuleOp::NotEqual: return joined(at, " != ");
            case RuleOp::Less: return joined(at, " < ");
            case RuleOp::LessEqual: return joined(at, " <= ");
            case RuleOp::Greater: return joined(at, " > ");
            case RuleOp::GreaterEqual: return joined(at, " >= ");
            case RuleOp::In: return joined(at, " in ");
            case RuleOp::Add: return joined(at, " + ");
            case RuleOp::Subtract: return joined(at, " - ");
            case RuleOp::Multiply: return joined(at, " * ");
            case RuleOp::Divide: return joined(at, at.type.kind == RuleTypeKind::Int ? " // " : " / ");
            case RuleOp::Modulo: return joined(at, " % ");
            default: return aggregate(at);
        }
    }

    std::string aggregate(const RuleNode& at) {
        const auto of = [&](const char* function) { return function + ("(" + child(at, 0)) + ")"; };
        switch (at.op) {
            case RuleOp::Size: return of("len");
            case RuleOp::Product: return of("math.prod");
            case RuleOp::Sum: return of("sum");
            case RuleOp::Minimum: return of("min");
            case RuleOp::Maximum: return of("max");
            case RuleOp::ToInt: return of("int");
            case RuleOp::ToDouble: return of("float");
            case RuleOp::ToString: return of("str");
            case RuleOp::StartsWith: return child(at, 0) + ".startswith(" + child(at, 1) + ")";
            case RuleOp::EndsWith: return child(at, 0) + ".endswith(" + child(at, 1) + ")";
            case RuleOp::Contains: return "(" + child(at, 1) + " in " + child(at, 0) + ")";
            default: return lack(at);
        }
    }

    std::string expression(uint32_t id) {
        const RuleNode& at = node(id);
        switch (at.op) {
            case RuleOp::Constant: return constant(program_.constants[at.slot]);
            case RuleOp::List: {
                const std::string items = joined(at, ", ");
                return "[" + items.substr(1, items.size() - 2) + "]";
            }
            case RuleOp::Not: return "(not " + child(at, 0) + ")";
            case RuleOp::Negate: return "(-" + child(at, 0) + ")";
            case RuleOp::And: return joined(at, " and ");
            case RuleOp::Or: return joined(at, " or ");
            case RuleOp::Conditional: return "(" + child(at, 1) + " if " + child(at, 0) + " else " + child(at, 2) + ")";
            case RuleOp::Has: return "(" + child(at, 0) + " is not None)";
            case RuleOp::All: return loop(at, "all");
            case RuleOp::Exists: return loop(at, "any");
            case RuleOp::ExistsOne: return "(" + loop(at, "sum") + " == 1)";
            case RuleOp::Subject: return "call";
            case RuleOp::OpName: return "_op(" + owner(at) + ")";
            case RuleOp::Attributes: return owner(at);
            case RuleOp::Arguments: return "list(" + owner(at) + ".args)";
            case RuleOp::Bound: return bound_[at.slot].empty() ? lack(at) : bound_[at.slot];
            case RuleOp::Local: return variable(at.slot);
            case RuleOp::Field: return field(at);
            case RuleOp::OwnAttribute:
                return "_attr(call, " + quoted_text(program_.context.op->attributes[at.slot].name) + ")";
            case RuleOp::NamedAttribute: return "_attr(" + child(at, 0) + ", " + quoted_text(at.name) + ")";
            case RuleOp::Element: return child(at, 0) + "[" + child(at, 1) + "]";
            default: return relation(at);
        }
    }

    const RuleProgram& program_;
    const std::vector<std::string>& bound_;
    std::string lacks_;
};

Result<std::string> python_of_rule(const std::string& text, const RuleContext& context,
                                   const std::vector<std::string>& bound) {
    Result<std::unique_ptr<RuleProgram>> program = parse_rule(text);
    if (!program) return program.error();
    (*program)->context = context;
    if (Status checked = check_rule(**program); !checked) return checked.error();
    return RuleWriter(**program, bound).write();
}

/// A pattern as statements that end in its expression; `where` says how a check reaches what a node matched.
class PatternWriter {
public:
    explicit PatternWriter(const Pattern& pattern) : pattern_(pattern), uses_(pattern.nodes().size()) {
        for (const PatternNode& node : pattern.nodes())
            for (uint32_t child : node.children) ++uses_[child];
    }

    Result<std::string> write(std::string& statements) {
        const std::string text = expression(pattern_.root());
        statements = std::move(statements_);
        if (lacks_.empty()) return text;
        return error("Python's form has no words for the pattern '" + lacks_ + "'");
    }

    /// By Pattern::names(): from the root of a match, where no alternative is on the way; else "".
    std::vector<std::string> paths() {
        places_.assign(pattern_.nodes().size(), "");
        place(pattern_.root(), "call");
        std::vector<std::string> paths;
        for (uint32_t node : pattern_.named_nodes()) paths.push_back(places_[node]);
        return paths;
    }

private:
    void place(uint32_t id, const std::string& at) {
        const PatternNode& node = pattern_.nodes()[id];
        places_[id] = at;
        switch (node.kind) {
            case PatternKind::Attributes:
            case PatternKind::DType:
            case PatternKind::Shape: return place(node.children[0], at);
            case PatternKind::Projection: return place(node.children[0], at + ".tuple_value");
            case PatternKind::Call: break;
            default: return;
        }
        const PatternNode& callee = pattern_.nodes()[node.children[0]];
        const bool either = callee.kind == PatternKind::Op &&
                            (op_registry()[callee.op].name == "add" || op_registry()[callee.op].name == "multiply");
        for (size_t i = 1; i < node.children.size() && !either; ++i)
            place(node.children[i], at + ".args[" + std::to_string(i - 1) + "]");
    }

    std::string list(const PatternNode& node, size_t from) {
        std::string text;
        for (size_t i = from; i < node.children.size(); ++i) text += (i > from ? ", " : "") + part(node.children[i]);
        return text;
    }

    /// What is used more than once is a variable: the same expression.
    std::string part(uint32_t id) {
        if (uses_[id] < 2 || pattern_.nodes()[id].kind == PatternKind::Op) return expression(id);
        auto [name, added] = names_.try_emplace(id, "");
        if (added) {
            const std::string text = expression(id);
            name->second = "p" + std::to_string(names_.size() - 1);
            statements_ += "    " + name->second + " = " + text + "\n";
        }
        return names_[id];
    }

    std::string lack(uint32_t id) {
        if (lacks_.empty()) lacks_ = std::string(pattern_.source(id));
        return "wildcard()";
    }

    /// `2f`, `1i64`, `True` as relay.const.
    std::string literal(uint32_t id) {
        std::string text(pattern_.source(id));
        if (text == "True" || text == "False") return "is_expr(relay.const(" + text + "))";
        size_t end = text.size();
        for (const char* suffix : {"i64", "i16", "f64", "f16", "f"})
            if (text.ends_with(suffix)) {
                end = text.size() - std::string_view(suffix).size();
                break;
            }
        const std::string dtype = pattern_.nodes()[id].scalar.dtype().to_string();
        return "is_expr(relay.const(" + text.substr(0, end) + ", " + quoted_text(dtype) + "))";
    }

    static std::string value_text(const AttributeValue& value) {
        if (value.is_none()) return "None";
        if (const bool* flag = value.as_bool()) return *flag ? "True" : "False";
        if (const std::string* text = value.as_string()) return quoted_text(*text);
        const AttributeValue::List* list = value.as_list();
        if (!list) return value.to_string();
        std::string text;
        for (const AttributeValue& item : *list) text += (text.empty() ? "" : ", ") + value_text(item);
        return "[" + text + "]";
    }

    std::string attributes(const PatternNode& node) {
        std::string text;
        for (const auto& [key, value] : node.attributes)
            text += (text.empty() ? "" : ", ") + quoted_text(key) + ": " + value_text(value);
        return ".has_attr({" + text + "})";
    }

    std::string shape(const PatternNode& node) {
        std::string text;
        for (int64_t dim : node.shape) text += (dim == kDynamicDim ? "tvm.tir.Any()" : std::to_string(dim)) + ", ";
        return ".has_shape((" + text + "))";
    }

    std::string expression(uint32_t id) {
        const PatternNode& node = pattern_.nodes()[id];
        switch (node.kind) {
            case PatternKind::Wildcard: return "wildcard()";
            case PatternKind::Constant: return "is_constant()";
            case PatternKind::Scalar: return literal(id);
            case PatternKind::Var: return "is_var(" + (node.text.empty() ? "" : quoted_text(node.text)) + ")";
            case PatternKind::Op: return "is_op(" + quoted_text(op_registry()[node.op].name) + ")";
            case PatternKind::Call:
                return part(node.children[0]) + "(" + (node.any_operands ? "None" : list(node, 1)) + ")";
            case PatternKind::Tuple:
                return "is_tuple(" + (node.any_operands ? "None" : "[" + list(node, 0) + "]") + ")";
            case PatternKind::Projection:
                return "is_tuple_get_item(" + part(node.children[0]) +
                       (node.index < 0 ? ")" : ", " + std::to_string(node.index) + ")");
            case PatternKind::If: return "is_if(" + list(node, 0) + ")";
            case PatternKind::Let: return "is_let(" + list(node, 0) + ")";
            case PatternKind::Alternative: return "(" + part(node.children[0]) + " | " + part(node.children[1]) + ")";
            case PatternKind::Attributes: return part(node.children[0]) + attributes(node);
            case PatternKind::DType:
                return part(node.children[0]) + ".has_dtype(" + quoted_text(node.dtype.to_string()) + ")";
            case PatternKind::Shape: return part(node.children[0]) + shape(node);
            case PatternKind::Dominator:
                return part(node.children[2]) + ".dominates(" + part(node.children[0]) + ", " + part(node.children[1]) +
                       ")";
            default: return lack(id);
        }
    }

    const Pattern& pattern_;
    std::vector<int> uses_;
    std::map<uint32_t, std::string> names_;
    std::vector<std::string> places_;
    std::string statements_, lacks_;
};

std::string identifier(std::string_view name) {
    std::string text;
    for (char c : name) text += isalnum(uint8_t(c)) ? c : '_';
    return text;
}

Result<std::string> python_of_ops(const BackendDescription& backend) {
    std::string text;
    const std::map<std::string, OpRule> ops(backend.ops.begin(), backend.ops.end());
    for (const auto& [op, rule] : ops) {
        if (rule.by_annotator) return error("ops." + op + " is asked of a program already");
        const RuleContext context{&op_registry()[op_registry().find(op)], {}};
        std::string body = "True";
        if (rule.rule) {
            const Result<std::string> made = python_of_rule(rule.text, context, {});
            if (!made) return error("ops." + op + ": " + made.error().message);
            body = *made;
        }
        text += "\n\n@tvm.ir.register_op_attr(" + quoted_text(op) + ", " + quoted_text("target." + backend.name) +
                ")\ndef " + identifier(op) + "_rule(call):\n    return _accepts(lambda call: " + body + ", call)\n";
    }
    return text;
}

Result<std::string> python_of_patterns(const BackendDescription& backend) {
    std::string checks, functions, table;
    for (size_t i = 0; i < backend.patterns.size(); ++i) {
        const CompositePattern& composite = backend.patterns[i];
        if (composite.annotator) return error(composite.name + " is asked of a program already");
        PatternWriter writer(*composite.pattern);
        std::string statements;
        const Result<std::string> pattern = writer.write(statements);
        if (!pattern) return error(composite.name + ": " + pattern.error().message);
        const std::string name = identifier(composite.name) + "_" + std::to_string(i);
        functions += "\n\ndef " + name + "():\n" + statements + "    return " + *pattern + "\n";
        table += "        (" + quoted_text(composite.name) + ", " + name + "()";
        if (composite.check) {
            const Result<std::string> check = python_of_rule(
                composite.check_text, {composite.pattern->root_op(), composite.pattern->names()}, writer.paths());
            if (!check) return error(composite.name + ": " + check.error().message);
            functions += "\n\ndef " + name + "_check(call):\n    return _accepts(lambda call: " + *check + ", call)\n";
            table += ", " + name + "_check";
        }
        table += "),\n";
    }
    if (table.empty()) return table;
    return functions + "\n\n@register_pattern_table(" + quoted_text(backend.name) +
           ")\ndef pattern_table():\n    return [\n" + table + "    ]\n";
}

}  // namespace

Result<std::string> to_tvm_python(const BackendDescription& backend) {
    if (backend.whole_graph) return error("whole_graph has no form in Python");
    if (!backend.transparent.empty()) return error("transparent has no form in Python");
    const Result<std::string> ops = python_of_ops(backend), patterns = python_of_patterns(backend);
    if (!ops) return ops.error();
    if (!patterns) return patterns.error();
    return "\"\"\"The backend " + backend.name +
           " as rules for TVM 0.9, written by partita-cli rules export.\"\"\"\n"
           "import math\n\nimport tvm.ir\nimport tvm.tir\nfrom tvm import relay\n"
           "from tvm.relay.dataflow_pattern import (\n"
           "    is_constant, is_expr, is_if, is_let, is_op, is_tuple, is_tuple_get_item, is_var, wildcard)\n"
           "from tvm.relay.op.contrib.register import register_pattern_table\n" +
           kHelpers + *ops + *patterns;
}

}  // namespace partita
