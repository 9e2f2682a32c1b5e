// Rules for Relay of TVM 0.9: register_op_attr for the operators, a pattern table with check functions.
#include "engine/ops/registry.h"
#include "engine/rules/python_writers.h"
#include "engine/rules/tvm_form.h"

namespace partita {

namespace {

/// What stands at the top of every file: how rules read what TVM hands them.
constexpr const char* kRelayHelpers = R"(

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


_KINDS = {"GlobalVar": "global_var", "TupleGetItem": "projection", "RefCreate": "ref_create", "RefRead": "ref_read",
          "RefWrite": "ref_write"}


def _kind(expr):
    name = type(expr).__name__
    return _KINDS.get(name, name.lower())


def _shape(expr):
    return [-1 if isinstance(dim, tvm.tir.Any) else int(dim) for dim in expr.checked_type.shape]


def _accepts(rule, call):
    """A rule that can't be answered does not accept."""
    try:
        return bool(rule(call))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return False
)";

class RelayRuleWriter : public PythonRuleWriter {
public:
    using PythonRuleWriter::PythonRuleWriter;

private:
    std::string field(const RuleNode& at) override {
        const std::string of = owner(at);
        switch (RuleField(at.slot)) {
            case RuleField::DType: return of + ".checked_type.dtype";
            case RuleField::Shape: return "_shape(" + of + ")";
            case RuleField::Rank: return "len(_shape(" + of + "))";
            case RuleField::Size: return "math.prod(_shape(" + of + "))";
            case RuleField::IsConstant: return "isinstance(" + of + ", relay.Constant)";
            case RuleField::IsVar: return "isinstance(" + of + ", relay.Var)";
            case RuleField::Kind: return "_kind(" + of + ")";
            case RuleField::Name: return at.child_count > 0 ? of + ".name_hint" : lack(at);  // calls have none
            case RuleField::Value: return "float(" + of + ".data.numpy().item())";
            case RuleField::Index: return of + ".index";
            case RuleField::Fields: return "list(" + of + ".fields)";
            case RuleField::Type: return "str(" + of + ".checked_type)";
            default: return lack(at);
        }
    }

    std::string op_name(const RuleNode& at) override { return "_op(" + owner(at) + ")"; }
    std::string arguments(const RuleNode& at) override { return "list(" + owner(at) + ".args)"; }
    std::string own_attribute(const RuleNode&, const std::string& name) override {
        return "_attr(call, " + python_text(name) + ")";
    }
    std::string named_attribute(const RuleNode& at) override {
        return "_attr(" + child(at, 0) + ", " + python_text(at.name) + ")";
    }
};

class RelayPatternWriter : public PythonPatternWriter {
public:
    using PythonPatternWriter::PythonPatternWriter;

    /// By Pattern::names(): from the root of a match, where no alternative is on the way; else "".
    std::vector<PythonName> paths() {
        places_.assign(pattern_.nodes().size(), "");
        place(pattern_.root(), "call");
        std::vector<PythonName> paths;
        for (uint32_t node : pattern_.named_nodes()) paths.push_back({places_[node], nullptr});
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
        const OpRecord* op = op_of(node);
        const bool either = op && (op->name == "add" || op->name == "multiply");
        for (size_t i = 1; i < node.children.size() && !either; ++i)
            place(node.children[i], at + ".args[" + std::to_string(i - 1) + "]");
    }

    std::string shape(const PatternNode& node) {
        std::string text;
        for (int64_t dim : node.shape) text += (dim == kDynamicDim ? "tvm.tir.Any()" : std::to_string(dim)) + ", ";
        return ".has_shape((" + text + "))";
    }

    std::string expression(uint32_t id) override {
        const PatternNode& node = pattern_.nodes()[id];
        switch (node.kind) {
            case PatternKind::Wildcard: return "wildcard()";
            case PatternKind::Constant: return "is_constant()";
            case PatternKind::Scalar: return "is_expr(" + literal(id, "relay.const") + ")";
            case PatternKind::Var: return "is_var(" + (node.text.empty() ? "" : python_text(node.text)) + ")";
            case PatternKind::Op: return "is_op(" + python_text(op_registry()[node.op].name) + ")";
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
            case PatternKind::Attributes: return part(node.children[0]) + attribute_test(node);
            case PatternKind::DType:
                return part(node.children[0]) + ".has_dtype(" + python_text(node.dtype.to_string()) + ")";
            case PatternKind::Shape: return part(node.children[0]) + shape(node);
            case PatternKind::Dominator:
                return part(node.children[2]) + ".dominates(" + part(node.children[0]) + ", " + part(node.children[1]) +
                       ")";
            default: return lack(id);
        }
    }

    std::vector<std::string> places_;
};

class RelayForm : public TvmForm {
public:
    std::string head() const override {
        return "import math\n\nimport tvm.ir\nimport tvm.tir\nfrom tvm import relay\n"
               "from tvm.relay.dataflow_pattern import (\n"
               "    is_constant, is_expr, is_if, is_let, is_op, is_tuple, is_tuple_get_item, is_var, wildcard)\n"
               "from tvm.relay.op.contrib.register import register_pattern_table\n" +
               std::string(kRelayHelpers);
    }

    Result<std::string> op(const BackendDescription& backend, const OpRecord& op, const OpRule& rule,
                           std::string&) const override {
        Result<std::string> body("True");
        if (rule.rule) body = python_rule<RelayRuleWriter>(rule.text, {&op, {}}, {});
        if (!body) return body;
        return "@tvm.ir.register_op_attr(" + python_text(op.name) + ", " + python_text("target." + backend.name) +
               ")\ndef " + python_identifier(op.name) + "_rule(call):\n    return _accepts(lambda call: " + *body +
               ", call)\n";
    }

    Result<std::string> pattern(const CompositePattern& composite, const std::string& name,
                                std::string& row) const override {
        RelayPatternWriter writer(*composite.pattern);
        std::string statements;
        Result<std::string> pattern = writer.write(statements);
        if (!pattern) return pattern;
        row = "(" + python_text(composite.name) + ", " + name + "()";
        std::string text = "def " + name + "():\n" + statements + "    return " + *pattern + "\n";
        if (composite.check) {
            Result<std::string> check = python_rule<RelayRuleWriter>(
                composite.check_text, {composite.pattern->root_op(), composite.pattern->names()}, writer.paths());
            if (!check) return check;
            text += "\n\ndef " + name + "_check(call):\n    return _accepts(lambda call: " + *check + ", call)\n";
            row += ", " + name + "_check";
        }
        row += ")";
        return text;
    }

    std::string table(const BackendDescription& backend, std::span<const std::string>,
                      std::span<const std::string> patterns) const override {
        if (patterns.empty()) return "";
        std::string text =
            "\n\n@register_pattern_table(" + python_text(backend.name) + ")\ndef pattern_table():\n    return [\n";
        for (const std::string& row : patterns) text += "        " + row + ",\n";
        return text + "    ]\n";
    }
};

}  // namespace

std::unique_ptr<TvmForm> tvm_relay_form() { return std::make_unique<RelayForm>(); }

}  // namespace partita
