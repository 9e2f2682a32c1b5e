// Rules for Relax of TVM 0.18: register_patterns with check functions (python/tvm/relax/backend/pattern_registry.py,
// include/tvm/relax/transform.h, PatternCheckContext). An operator that is taken alone is a pattern of one call. Each
// node of a pattern that has a name is annotated, since variables stand between the calls of Relax.
#include <algorithm>
#include <optional>

#include "engine/frontends/relax/operators.h"
#include "engine/ops/registry.h"
#include "engine/rules/python_writers.h"
#include "engine/rules/tvm_form.h"

namespace partita {

namespace {

bool has_attribute(const OpRecord* op, std::string_view name) {
    const relax::RelaxOp* relax = op ? relax::relax_op(op->name) : nullptr;
    return relax && relax->attributes.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool is_dense(const OpRecord* op) { return op && op->name == "nn.dense"; }

constexpr const char* kRelaxHelpers = R"(

class _Match:
    """What a pattern matched: the expression of each of its nodes by the node's place, "call" being the root."""

    def __init__(self, context):
        self._expressions = context.annotated_expr

    def __getitem__(self, place):
        return self._expressions[place]


def _plain(value):
    """A value of an attribute as a number, a text or a list."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "value"):
        return value.value
    return [_plain(item) for item in value]


def _attr(call, name):
    value = getattr(call.attrs, name)
    return str(value) if name.endswith("dtype") else _plain(value)


def _dtype(expr):
    return str(expr.struct_info.dtype)


def _shape(expr):
    return [int(dim) if isinstance(dim, tvm.tir.IntImm) else -1 for dim in expr.struct_info.shape.values]


def _accepts(rule, context):
    """A rule that can't be answered does not accept."""
    try:
        return bool(rule(_Match(context)))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return False
)";

/// In the texts of this writer `m` is the match, so the call is m["call"].
class RelaxRuleWriter : public PythonRuleWriter {
public:
    using PythonRuleWriter::PythonRuleWriter;

private:
    std::string subject() const override { return "m[\"call\"]"; }

    std::string field(const RuleNode& at) override {
        const std::string of = owner(at);
        switch (RuleField(at.slot)) {
            case RuleField::DType: return "_dtype(" + of + ")";
            case RuleField::Shape: return "_shape(" + of + ")";
            case RuleField::Rank: return "len(_shape(" + of + "))";
            case RuleField::Size: return "math.prod(_shape(" + of + "))";
            case RuleField::IsConstant: return "isinstance(" + of + ", relax.Constant)";
            case RuleField::Value: return "float(" + of + ".data.numpy().item())";
            case RuleField::Index: return of + ".index";
            default: return lack(at);
        }
    }

    /// The op that the node which `op`, `attrs` or `args` is of calls: known for the subject and for named nodes.
    const OpRecord* op_owner(const RuleNode& at) const {
        if (!at.child_count) return program_.context.op;
        const RuleNode& of = node(program_.child(at, 0));
        if (of.op == RuleOp::Subject) return program_.context.op;
        if (of.op == RuleOp::Attributes) return op_owner(of);
        return of.op == RuleOp::Bound ? bound_[of.slot].op : nullptr;
    }

    std::string op_name(const RuleNode& at) override {
        const OpRecord* op = op_owner(at);
        return op ? python_text(op->name) : lack(at);
    }

    /// Of a product, the matrix before it was transposed.
    std::string arguments(const RuleNode& at) override {
        const OpRecord* op = op_owner(at);
        const relax::RelaxOp* relax = op ? relax::relax_op(op->name) : nullptr;
        if (!relax) return lack(at);
        const std::string of = owner(at);
        if (is_dense(op)) {
            if (of != subject()) return lack(at);
            return "[m[\"call.args[0]\"], m[\"call.args[1]\"]]";
        }
        return "list(" + of + ".args)" + (relax->tensors < 0 ? "" : "[:" + std::to_string(relax->tensors) + "]");
    }

    std::string own_attribute(const RuleNode& at, const std::string& name) override {
        if (!has_attribute(program_.context.op, name)) return lack(at);
        return "_attr(m[\"call\"], " + python_text(name) + ")";
    }

    std::string named_attribute(const RuleNode& at) override {
        if (!has_attribute(op_owner(at), at.name)) return lack(at);
        return "_attr(" + child(at, 0) + ", " + python_text(at.name) + ")";
    }
};

class RelaxPatternWriter : public PythonPatternWriter {
public:
    using PythonPatternWriter::PythonPatternWriter;

    /// By Pattern::names(); "" where an alternative is on the way, of which the match need not hold anything.
    std::vector<PythonName> names() const {
        std::vector<PythonName> names;
        for (uint32_t node : pattern_.named_nodes()) names.push_back(name_of(node));
        return names;
    }

    /// The variables that stand for annotated nodes, by their places, as a dictionary.
    std::string annotations() const {
        std::string text;
        for (const auto& [id, place] : places_)
            text += (text.empty() ? "" : ", ") + python_text(place) + ": " + variable_of(id);
        return "{" + text + "}";
    }

    /// Called before write(), gives each node that has a place a variable.
    void place_nodes() { place(pattern_.root(), "call"); }

private:
    PythonName name_of(uint32_t id) const {
        const auto found = places_.find(id);
        if (found == places_.end()) return {};
        const bool calls = node(id).kind == PatternKind::Call;
        return {"m[" + python_text(found->second) + "]", calls ? op_of(node(id)) : nullptr};
    }

    void place(uint32_t id, const std::string& at) {
        const PatternNode& of = node(id);
        switch (of.kind) {
            case PatternKind::Attributes:
            case PatternKind::DType:
            case PatternKind::Shape: place(of.children[0], at); break;
            case PatternKind::Projection: place(of.children[0], at + ".tuple_value"); break;
            case PatternKind::Call:
                for (size_t i = 1; i < of.children.size(); ++i)
                    place(of.children[i], at + ".args[" + std::to_string(i - 1) + "]");
                break;
            default: break;
        }
        places_.try_emplace(id, at);
        uses_[id] = 2;
    }

    std::string call(uint32_t id) {
        const PatternNode& of = node(id);
        // A name that only Relax has stands in the pattern as it is.
        if (const PatternNode& own = node(of.children[0]); own.kind == PatternKind::Op && !own.text.empty())
            return "is_op(" + python_text(own.text) + ")(" +
                   (of.any_operands ? "varg_default_wildcard=True" : list(of, 1)) + ")";
        const OpRecord* op = op_of(of);
        const relax::RelaxOp* relax = op ? relax::relax_op(op->name) : nullptr;
        if (!relax) return lack(id);
        const std::string callee = "is_op(" + python_text("relax." + std::string(relax->relax)) + ")";
        if (is_dense(op)) {
            const std::string data = of.any_operands ? "wildcard()" : part(of.children[1]);
            const std::string matrix = of.any_operands ? "wildcard()" : part(of.children[2]);
            return callee + "(" + data + ", is_op(\"relax.permute_dims\")(" + matrix + "))";
        }
        if (of.any_operands) return callee + "(varg_default_wildcard=True)";
        return callee + "(" + list(of, 1) + (relax->tensors < 0 ? ")" : ", varg_default_wildcard=True)");
    }

    std::string attributes(uint32_t id) {
        const PatternNode& of = node(id);
        const PatternNode& tested = node(of.children[0]);
        if (of.attributes.size() == 1 && of.attributes[0].first == "op_type") return part(of.children[0]);
        const OpRecord* op = tested.kind == PatternKind::Call ? op_of(tested) : nullptr;
        for (const auto& [key, value] : of.attributes)
            if (!has_attribute(op, key)) return lack(id);
        return part(of.children[0]) + attribute_test(of);
    }

    std::string shape(uint32_t id) {
        const PatternNode& of = node(id);
        std::string text;
        for (int64_t dim : of.shape) {
            if (dim == kDynamicDim) return lack(id);
            text += std::to_string(dim) + ", ";
        }
        return part(of.children[0]) + ".has_shape((" + text + "))";
    }

    std::string expression(uint32_t id) override {
        const PatternNode& of = node(id);
        switch (of.kind) {
            case PatternKind::Wildcard: return "wildcard()";
            case PatternKind::Constant: return "is_const()";
            case PatternKind::Scalar: return "is_expr(" + literal(id, "relax.const") + ")";
            case PatternKind::Var: return of.text.empty() ? "is_var()" : lack(id);
            case PatternKind::Call: return call(id);
            case PatternKind::Tuple: return of.any_operands ? lack(id) : "is_tuple([" + list(of, 0) + "])";
            case PatternKind::Projection:
                return "is_tuple_get_item(" + part(of.children[0]) +
                       (of.index < 0 ? ")" : ", " + std::to_string(of.index) + ")");
            case PatternKind::Alternative: return "(" + part(of.children[0]) + " | " + part(of.children[1]) + ")";
            case PatternKind::Attributes: return attributes(id);
            case PatternKind::DType:
                return part(of.children[0]) + ".has_dtype(" + python_text(of.dtype.to_string()) + ")";
            case PatternKind::Shape: return shape(id);
            default: return lack(id);
        }
    }

    std::map<uint32_t, std::string> places_;
};

class RelaxForm : public TvmForm {
public:
    std::string head() const override {
        return "import math\n\nimport tvm\nfrom tvm import relax\n"
               "from tvm.relax.backend.pattern_registry import register_patterns\n"
               "from tvm.relax.dpl import is_const, is_expr, is_op, is_tuple, is_tuple_get_item, is_var, wildcard\n" +
               std::string(kRelaxHelpers);
    }

    Result<std::string> op(const BackendDescription& backend, const OpRecord& op, const OpRule& rule,
                           std::string& row) const override {
        const relax::RelaxOp* relax = relax::relax_op(op.name);
        if (!relax || !relax->alone) return error("Relax has no such operator");
        const auto pattern = Pattern::parse(op.name + (is_dense(&op) ? "(*, *)" : "(...)"));
        if (!pattern) return pattern.error();
        return functions(backend.name + "." + op.name, python_identifier(op.name), **pattern,
                         rule.rule ? rule.text : "", {&op, {}}, row);
    }

    Result<std::string> pattern(const CompositePattern& composite, const std::string& name,
                                std::string& row) const override {
        return functions(composite.name, name, *composite.pattern, composite.check ? composite.check_text : "",
                         {composite.pattern->root_op(), composite.pattern->names()}, row);
    }

    /// The last pattern is tried first.
    std::string table(const BackendDescription&, std::span<const std::string> ops,
                      std::span<const std::string> patterns) const override {
        std::string text = "\n\nregister_patterns([\n";
        for (const std::string& row : ops) text += "    " + row + ",\n";
        for (size_t i = patterns.size(); i > 0; --i) text += "    " + patterns[i - 1] + ",\n";
        return text + "])\n";
    }

private:
    static Result<std::string> functions(const std::string& title, const std::string& name, const Pattern& pattern,
                                         const std::string& check, const RuleContext& context, std::string& row) {
        RelaxPatternWriter writer(pattern);
        if (!check.empty()) writer.place_nodes();
        std::string statements;
        Result<std::string> root = writer.write(statements);
        if (!root) return root;
        const std::string made = *root + ", " + writer.annotations();
        std::string text = "def " + name + "_pattern():\n" + statements + "    return " + made + "\n";
        row = "(" + python_text(title) + ", *" + name + "_pattern()";
        if (!check.empty()) {
            Result<std::string> body = python_rule<RelaxRuleWriter>(check, context, writer.names());
            if (!body) return body;
            text += "\n\ndef " + name + "_check(context):\n    return _accepts(lambda m: " + *body + ", context)\n";
            row += ", " + name + "_check";
        }
        row += ")";
        return text;
    }
};

}  // namespace

std::unique_ptr<TvmForm> tvm_relax_form() { return std::make_unique<RelaxForm>(); }

}  // namespace partita
