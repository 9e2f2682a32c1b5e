#include "engine/partitioners/relax/matcher.h"

#include <algorithm>

#include "engine/frontends/relax/operators.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/ops/registry.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

bool equals(const AttributeValue& wanted, const AttributeValue& found) {
    if (const double* real = found.as_double()) {
        if (const Integer* integer = wanted.as_integer()) return double(integer->value) == *real;
        return wanted.as_double() && *wanted.as_double() == *real;
    }
    if (const bool* flag = found.as_bool())
        if (const Integer* integer = wanted.as_integer()) return integer->value == int64_t(*flag);
    return wanted == found;
}

}  // namespace

TextMatcher::TextMatcher(const Program& program, const Pattern& pattern)
    : program_(program), pattern_(pattern), bindings_(program.variables.size()), memo_(pattern.nodes().size()),
      matched_() {}

void TextMatcher::bind(const Binding& binding) {
    if (binding.variable != kNone && !binding.is_cast) bindings_[binding.variable] = &binding;
}

bool TextMatcher::match(const Binding& root) {
    undo(0);
    return visit(pattern_.root(), {&root.value, root.variable});
}

std::vector<VariableNumber> TextMatcher::inside() const {
    std::vector<VariableNumber> inside;
    for (uint32_t id = 0; id < memo_.size(); ++id)
        if ((node(id).kind == PatternKind::Call || node(id).kind == PatternKind::Projection) && memo_[id].value)
            inside.push_back(memo_[id].variable);
    return inside;
}

void TextMatcher::undo(size_t watermark) {
    for (size_t i = watermark; i < matched_.size(); ++i) memo_[matched_[i]] = {};
    matched_.resize(watermark);
}

/// A variable of a variable is the first one's value.
Matched TextMatcher::resolved(const Expression& expression) const {
    if (!expression.is(Kind::Variable)) return {&expression, kNone};
    VariableNumber variable = expression.index;
    while (bindings_[variable]) {
        const Expression& value = bindings_[variable]->value;
        if (!value.is(Kind::Variable)) return {&value, variable};
        variable = value.index;
    }
    return {nullptr, variable};
}

TypeNumber TextMatcher::type_of(const Matched& at) const {
    return at.variable != kNone ? program_.variables[at.variable].type : program_.type_of(*at.value);
}

bool TextMatcher::visit(uint32_t id, const Matched& at) {
    Matched& memo = memo_[id];
    if (memo.value || memo.variable != kNone) return memo == at;
    const size_t watermark = matched_.size();
    if (!visit_node(node(id), at)) {
        undo(watermark);
        return false;
    }
    memo_[id] = at;
    matched_.push_back(id);
    return true;
}

bool TextMatcher::visit_node(const PatternNode& node, const Matched& at) {
    const auto is = [&](Kind kind) { return at.value && at.value->is(kind); };
    switch (node.kind) {
        case PatternKind::Wildcard: return true;
        case PatternKind::Constant: return is(Kind::Constant);
        case PatternKind::Scalar: {
            if (!is(Kind::Constant)) return false;
            const Tensor& value = program_.constants[at.value->index].value;
            return value.defined() && value.rank() == 0 && value.at(0) == node.scalar.at(0);
        }
        case PatternKind::Var:
            return !at.value && (node.text.empty() || node.text == program_.variables[at.variable].name);
        case PatternKind::Op: return is(Kind::Operator) && is_operator(node, *at.value);
        case PatternKind::GlobalVar: return is(Kind::Global) && at.value->text == node.text;
        case PatternKind::Call: return is(Kind::Call) && visit_call(node, at);
        case PatternKind::Tuple:
            if (!is(Kind::Tuple)) return false;
            if (node.any_operands) return true;
            if (node.children.size() != at.value->operands.size()) return false;
            for (size_t i = 0; i < node.children.size(); ++i)
                if (!visit_operand(node.children[i], at.value->operands[i])) return false;
            return true;
        case PatternKind::Projection:
            return is(Kind::Projection) && (node.index < 0 || uint32_t(node.index) == at.value->index) &&
                   visit_operand(node.children[0], at.value->operands[0]);
        case PatternKind::Alternative: return visit(node.children[0], at) || visit(node.children[1], at);
        case PatternKind::Attributes: return visit(node.children[0], at) && has_attributes(node, at);
        case PatternKind::DType:
        case PatternKind::Shape:
        case PatternKind::Type: return visit(node.children[0], at) && has_type(node, at);
        default: return false;
    }
}

bool TextMatcher::visit_call(const PatternNode& pattern, const Matched& at) {
    const Expression& call = *at.value;
    if (!visit_operand(pattern.children[0], call.operands[0])) return false;
    if (pattern.any_operands) return true;
    // A description for Relay has as attributes what Relax has as arguments: numbers, shapes.
    size_t count = call.operands.size() - 1;
    const size_t wanted = pattern.children.size() - 1;
    while (count > wanted && count > 1 && is_value(call.operands[count])) --count;
    if (count != wanted) return false;
    const size_t watermark = matched_.size();
    if (visit_arguments(pattern, call, count, false)) return true;
    undo(watermark);
    const std::string& name = call.operands[0].text;
    const bool commutes =
        count == 2 && call.operands[0].is(Kind::Operator) && (name == "relax.add" || name == "relax.multiply");
    return commutes && visit_arguments(pattern, call, count, true);
}

bool TextMatcher::visit_arguments(const PatternNode& pattern, const Expression& call, size_t count, bool reversed) {
    for (size_t i = 0; i < count; ++i)
        if (!visit_operand(pattern.children[1 + i], call.operands[1 + (reversed ? count - 1 - i : i)])) return false;
    return true;
}

/// By Relax's name or the engine's; a name that only Relax has stands in the pattern as it is.
bool TextMatcher::is_operator(const PatternNode& pattern, const Expression& callee) const {
    const std::string_view relax = std::string_view(callee.text).substr(callee.text.find('.') + 1);
    if (!pattern.text.empty()) return pattern.text == callee.text;
    const std::string& wanted = op_registry()[pattern.op].name;
    if (relax == "matmul") return wanted == "nn.matmul" || wanted == "nn.batch_matmul";
    return wanted == relax || wanted == engine_name(relax);
}

bool TextMatcher::has_attributes(const PatternNode& pattern, const Matched& at) const {
    if (!at.value || !at.value->is(Kind::Call)) return false;
    return std::all_of(pattern.attributes.begin(), pattern.attributes.end(), [&](const auto& wanted) {
        if (wanted.first == "op_type") return wanted.second == AttributeValue(at.value->operands[0].text);
        for (const Keyword& keyword : at.value->keywords) {
            if (keyword.name != wanted.first) continue;
            const std::optional<AttributeValue> found = read_value(keyword.text);
            return found && equals(wanted.second, *found);
        }
        return false;
    });
}

bool TextMatcher::has_type(const PatternNode& pattern, const Matched& at) const {
    const TypeNumber number = type_of(at);
    if (number == kNone || program_.types[number].kind != Type::Kind::Tensor) return false;
    const KnownTensor known = known_tensor(program_.types[number]);
    if (pattern.kind == PatternKind::DType) return known.dtype == pattern.dtype.to_string();
    if (pattern.kind == PatternKind::Type) {
        TypeTable types;
        const std::optional<DataType> dtype = DataType::parse(known.dtype);
        return dtype && known.has_shape && types.to_string(types.tensor(*dtype, known.shape)) == pattern.text;
    }
    return known.has_shape &&
           std::equal(pattern.shape.begin(), pattern.shape.end(), known.shape.begin(), known.shape.end(),
                      [](int64_t wanted, int64_t found) { return wanted == kDynamicDim || wanted == found; });
}

}  // namespace partita::relax
