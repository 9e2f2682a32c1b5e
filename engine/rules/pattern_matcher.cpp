#include "engine/rules/pattern_matcher.h"

#include <algorithm>
#include <unordered_set>

#include "engine/frontends/relay/value_text.h"
#include "engine/ops/registry.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

constexpr uint32_t kMaximumSteps = 5000;  ///< of one match; only dominators and shared alternatives come near it
constexpr size_t kMaximumDerived = 256;

/// Returns TVM's number of TOpPattern (include/tvm/relay/op_attr_types.h).
int64_t tvm_op_pattern(OpPattern pattern) {
    switch (pattern) {
        case OpPattern::Elementwise: return 0;
        case OpPattern::Broadcast: return 1;
        case OpPattern::Injective: return 2;
        case OpPattern::Reduction: return 3;
        case OpPattern::Complex: return 4;
        case OpPattern::Opaque: return 8;
    }
    return 8;
}

/// A wanted value matches an integer of any width, a dtype by its name, and a list of equal values by one of them.
bool attribute_equals(const AttributeValue& wanted, const AttributeValue& found) {
    if (const DataType* dtype = found.as_dtype())
        return wanted.as_string() && *wanted.as_string() == dtype->to_string();
    if (const double* real = found.as_double()) {
        if (const Integer* integer = wanted.as_integer()) return double(integer->value) == *real;
        return wanted.as_double() && *wanted.as_double() == *real;
    }
    if (const bool* flag = found.as_bool())
        if (const Integer* integer = wanted.as_integer()) return integer->value == int64_t(*flag);
    return wanted == found;
}

Sentence kind_of_constant(const Tensor& constant) {
    if (!constant.defined() || !relay::is_literal(constant)) return {SENTENCE("Engine", "a constant"), {}};
    std::string literal;
    relay::append_literal(literal, constant);
    return {SENTENCE("Engine", "the constant %1"), {literal}};
}

}  // namespace

PatternMatcher::PatternMatcher(const Pattern& pattern, const Module& module, DataflowGraph* graph,
                               std::span<const OpId> transparent)
    : pattern_(pattern), module_(module), graph_(graph), transparent_(transparent.begin(), transparent.end()),
      memo_(pattern.nodes().size()) {
    const OpRegistry& ops = op_registry();
    add_ = ops.find("add");
    multiply_ = ops.find("multiply");
    divide_ = ops.find("divide");
}

bool PatternMatcher::is_transparent(ExprId expr) const {
    if (transparent_.empty()) return false;
    OpId op = module_.called_op(expr);
    return op.valid() && std::find(transparent_.begin(), transparent_.end(), op) != transparent_.end() &&
           module_.arguments(expr).size() == 1;
}

std::vector<ExprId> PatternMatcher::bound() const {
    std::vector<ExprId> ids;
    for (uint32_t node : pattern_.named_nodes()) ids.push_back(memo_[node].empty() ? ExprId() : memo_[node][0]);
    return ids;
}

bool PatternMatcher::match_part(uint32_t node, ExprId expr) {
    undo(0);
    memoize_ = true;
    steps_ = 0;
    return visit(node, expr);
}

void PatternMatcher::undo(size_t watermark) {
    for (size_t i = watermark; i < matched_.size(); ++i) memo_[matched_[i]].clear();
    matched_.resize(watermark);
}

PatternFailure PatternMatcher::explain_part(uint32_t node, ExprId expr) {
    explaining_ = true;
    best_matched_ = 0;
    failure_ = {node, expr, {}, 0};
    match_part(node, expr);
    explaining_ = false;
    if (failure_.reason.empty()) failure_.reason = {SENTENCE("Engine", "it does not match"), {}};
    return failure_;
}

/// Keeps the failure after which the most had matched: with alternatives, the nearest miss.
bool PatternMatcher::fail(uint32_t id, ExprId expr) {
    if (explaining_ && id < pattern_.nodes().size() && matched_.size() >= best_matched_) {
        if (matched_.size() > best_matched_ || failure_.reason.empty())
            failure_ = {id, expr, reason_of(id, expr), matched_.size()};
        best_matched_ = matched_.size();
    }
    return false;
}

bool PatternMatcher::visit(uint32_t id, ExprId expr) {
    if (++steps_ > kMaximumSteps) return false;
    if (memoize_ && !memo_[id].empty()) {
        if (memo_[id][0] == expr) return true;
        // Two scalar literals with the same text are the same constant to its author.
        if (node(id).kind == PatternKind::Scalar && equals_scalar(node(id), expr)) return true;
        return fail(id, expr);
    }
    size_t watermark = matched_.size();
    if (visit_node(id, expr)) {
        memo_[id].push_back(expr);
        matched_.push_back(id);
        return true;
    }
    undo(watermark);
    bool looked_through = node(id).kind == PatternKind::Call && is_transparent(expr);
    return looked_through && visit(id, module_.arguments(expr)[0]);
}

bool PatternMatcher::visit_all(std::span<const uint32_t> children, std::span<const ExprId> operands) {
    if (children.size() != operands.size()) return false;
    for (size_t i = 0; i < children.size(); ++i)
        if (!visit(children[i], operands[i])) return false;
    return true;
}

bool PatternMatcher::visit_node(uint32_t id, ExprId expr) {
    const PatternNode& pattern = node(id);
    const TypeTable& types = module_.types();
    TypeId type = module_.type(expr);
    ExprKind kind = module_.kind(expr);
    switch (pattern.kind) {
        case PatternKind::Wildcard: return true;
        case PatternKind::Constant: return kind == ExprKind::Constant || fail(id, expr);
        case PatternKind::Scalar: return equals_scalar(pattern, expr) || fail(id, expr);
        case PatternKind::Var:
            return (kind == ExprKind::Var && (pattern.text.empty() || pattern.text == module_.name(expr))) ||
                   fail(id, expr);
        case PatternKind::Op:
            return kind == ExprKind::Op && OpId(module_[expr].payload) == pattern.op;  // the call fails
        case PatternKind::GlobalVar:
            return (kind == ExprKind::GlobalVar && module_.name(expr) == pattern.text) || fail(id, expr);
        case PatternKind::Call: return visit_call(id, expr);
        case PatternKind::Tuple:
            if (kind != ExprKind::Tuple) return fail(id, expr);
            if (pattern.any_operands) return true;
            if (pattern.children.size() != module_.operands(expr).size()) return fail(id, expr);
            return visit_all(pattern.children, module_.operands(expr));
        case PatternKind::Projection:
            if (kind != ExprKind::Projection) return fail(id, expr);
            if (pattern.index >= 0 && uint32_t(pattern.index) != module_.projection_index(expr)) return fail(id, expr);
            return visit(pattern.children[0], module_.operands(expr)[0]);
        case PatternKind::If:
            return kind == ExprKind::If ? visit_all(pattern.children, module_.operands(expr)) : fail(id, expr);
        case PatternKind::Let:
            return kind == ExprKind::Let ? visit_all(pattern.children, module_.operands(expr)) : fail(id, expr);
        case PatternKind::Function:
            return kind == ExprKind::Function ? visit_function(pattern, expr) || fail(id, expr) : fail(id, expr);
        case PatternKind::Alternative: {
            uint32_t right = pattern.children[1];  // `pattern` may move when a call is re-associated
            return visit(pattern.children[0], expr) || visit(right, expr);
        }
        case PatternKind::Attributes: return visit_attributes(id, expr);
        case PatternKind::DType:
            if (!types.is_tensor(type) || !(types.dtype(type) == pattern.dtype)) return fail(id, expr);
            return visit(pattern.children[0], expr);
        case PatternKind::Shape:
            if (!types.is_tensor(type) || !std::equal(pattern.shape.begin(), pattern.shape.end(),
                                                      types.shape(type).begin(), types.shape(type).end()))
                return fail(id, expr);
            return visit(pattern.children[0], expr);
        case PatternKind::Type:
            if (!type.valid() || types.to_string(type) != pattern.text) return fail(id, expr);
            return visit(pattern.children[0], expr);
        case PatternKind::Dominator: return visit_dominator(id, expr);
    }
    return false;
}

bool PatternMatcher::equals_scalar(const PatternNode& pattern, ExprId expr) const {
    return module_.kind(expr) == ExprKind::Constant && module_.constant(expr).defined() &&
           module_.constant(expr).identical(pattern.scalar);
}

bool PatternMatcher::is_pattern_call(uint32_t id, OpId op) const {
    const PatternNode& call = node(id);
    if (call.kind != PatternKind::Call || call.any_operands || call.children.size() != 3) return false;
    const PatternNode& callee = node(call.children[0]);
    return callee.kind == PatternKind::Op && op.valid() && callee.op == op;
}

bool PatternMatcher::visit_arguments(uint32_t id, std::span<const ExprId> arguments, bool reversed) {
    if (node(id).any_operands) return true;
    size_t count = node(id).children.size() - 1;
    if (count != arguments.size()) return false;
    size_t watermark = matched_.size();
    for (size_t i = 0; i < count; ++i) {
        uint32_t child = node(id).children[reversed ? count - i : i + 1];
        if (!visit(child, arguments[i])) {
            undo(watermark);
            return false;
        }
    }
    return true;
}

bool PatternMatcher::visit_call(uint32_t id, ExprId expr) {
    if (module_.kind(expr) != ExprKind::Call) return fail(id, expr);
    size_t watermark = matched_.size();
    uint32_t callee = node(id).children[0];
    if (!visit(callee, module_.callee(expr))) {
        undo(watermark);
        return visit_reassociated(id, expr);
    }
    std::span<const ExprId> arguments = module_.arguments(expr);
    if (visit_arguments(id, arguments, false)) return true;
    OpId op = node(callee).kind == PatternKind::Op ? node(callee).op : OpId();
    bool commutative = op.valid() && (op == add_ || op == multiply_);
    if (commutative && visit_arguments(id, arguments, true)) return true;
    return fail(id, expr);
}

/// Returns a call node for another form of a pattern's product of a quotient.
uint32_t PatternMatcher::derived_call(uint32_t callee, uint32_t left, uint32_t right) {
    auto [it, added] = derived_.try_emplace({callee, left, right}, uint32_t(memo_.size()));
    if (added) {
        PatternNode call;
        call.kind = PatternKind::Call;
        call.children = {callee, left, right};
        extra_.push_back(std::move(call));
        memo_.emplace_back();
    }
    return it->second;
}

/// (x * y) / z at a product: also x * (y / z) and y * (x / z). x * (p / q) at a quotient: also (p * x) / q.
bool PatternMatcher::visit_reassociated(uint32_t id, ExprId expr) {
    if (derived_.size() > kMaximumDerived) return fail(id, expr);
    std::span<const ExprId> arguments = module_.arguments(expr);
    auto argument_calls = [&](OpId op) {
        return arguments.size() == 2 && (calls(arguments[0], op) || calls(arguments[1], op));
    };
    size_t watermark = matched_.size();
    if (is_pattern_call(id, divide_) && is_pattern_call(node(id).children[1], multiply_) && calls(expr, multiply_) &&
        argument_calls(divide_)) {
        std::vector<uint32_t> outer = node(id).children, inner = node(outer[1]).children;
        for (int which = 0; which < 2; ++which) {
            uint32_t quotient = derived_call(outer[0], inner[1 + size_t(which)], outer[2]);
            uint32_t product = derived_call(inner[0], inner[size_t(2 - which)], quotient);
            if (visit(product, expr)) return true;
            undo(watermark);
        }
        return fail(id, expr);
    }
    if (is_pattern_call(id, multiply_) && calls(expr, divide_) && argument_calls(multiply_)) {
        std::vector<uint32_t> outer = node(id).children;
        for (size_t which = 0; which < 2; ++which) {
            if (!is_pattern_call(outer[1 + which], divide_)) continue;
            std::vector<uint32_t> inner = node(outer[1 + which]).children;
            uint32_t product = derived_call(outer[0], inner[1], outer[2 - which]);
            return visit(derived_call(inner[0], product, inner[2]), expr) || fail(id, expr);
        }
    }
    return fail(node(id).children[0], expr);
}

bool PatternMatcher::visit_function(const PatternNode& pattern, ExprId expr) {
    std::vector<uint32_t> children = pattern.children;
    std::span<const uint32_t> parameters = std::span(children).first(children.size() - 1);
    if (!pattern.any_operands && !visit_all(parameters, module_.parameters(expr))) return false;
    return visit(children.back(), module_.body(expr));
}

bool PatternMatcher::visit_attributes(uint32_t id, ExprId expr) {
    if (!visit(node(id).children[0], expr)) return false;
    return has_attributes(node(id), expr) || fail(id, expr);
}

std::optional<AttributeValue> PatternMatcher::attribute_of(ExprId expr, const std::string& key) const {
    ExprKind kind = module_.kind(expr);
    const AttributeValue* found = nullptr;
    if (kind == ExprKind::Op && key == "TOpPattern")
        return AttributeValue(tvm_op_pattern(op_registry()[OpId(module_[expr].payload)].pattern));
    if (kind == ExprKind::Function) found = module_.function_info(expr).attribute(key);
    const OpRecord* called = kind == ExprKind::Call ? called_op_record(module_, expr) : nullptr;
    if (called && module_.attributes_id(expr).valid()) {
        int index = called->attribute_index(key);
        const AttributeList& list = module_.attributes(module_.attributes_id(expr));
        if (index >= 0 && size_t(index) < list.size()) found = &list[size_t(index)];
    }
    return found ? std::optional(*found) : std::nullopt;
}

/// Returns the first wanted attribute that differs; nothing if all match.
const PatternMatcher::WantedAttribute* PatternMatcher::differing_attribute(const PatternNode& pattern,
                                                                           ExprId expr) const {
    for (const WantedAttribute& wanted : pattern.attributes) {
        std::optional<AttributeValue> found = attribute_of(expr, wanted.first);
        if (!found || !attribute_equals(wanted.second, *found)) return &wanted;
    }
    return nullptr;
}

bool PatternMatcher::has_attributes(const PatternNode& pattern, ExprId expr) const {
    ExprKind kind = module_.kind(expr);
    bool can_have = kind == ExprKind::Op || kind == ExprKind::Call || kind == ExprKind::Function;
    return can_have && !differing_attribute(pattern, expr);
}

/// The search over paths and parents fails in many places; reports only that it found none.
bool PatternMatcher::visit_dominator(uint32_t id, ExprId expr) {
    PatternNode copy = node(id);
    if (!graph_ || !visit(copy.children[2], expr)) return false;
    bool explaining = std::exchange(explaining_, false);
    bool path = matches_path(copy, expr);
    memoize_ = true;
    bool found = path && dominates_parent(copy, expr);
    explaining_ = explaining;
    return found || fail(id, expr);
}

/// Checks that every chain of inputs matches the path, up to the parent. Like TVM, skips an expression's further inputs
/// once one of them is the parent.
bool PatternMatcher::matches_path(const PatternNode& pattern, ExprId expr) {
    struct Frame {
        std::vector<ExprId> inputs;
        size_t next = 0;
    };
    auto frame_of = [&](ExprId id) {
        Frame frame;
        ExprId callee = module_.kind(id) == ExprKind::Call ? module_.callee(id) : ExprId();
        graph_->for_each_input(graph_->position(id), [&](ExprId input) {
            if (input != callee) frame.inputs.push_back(input);
        });
        return frame;
    };
    std::vector<Frame> stack;
    std::unordered_set<ExprId> passed;  // TVM visits shared parts of paths again, which takes exponential time
    stack.push_back(frame_of(expr));
    while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next == frame.inputs.size()) {
            stack.pop_back();
            continue;
        }
        ExprId input = frame.inputs[frame.next++];
        if (passed.count(input)) continue;
        memoize_ = true;
        if (visit(pattern.children[0], input)) {
            stack.pop_back();
            continue;
        }
        memoize_ = false;
        if (!visit(pattern.children[1], input)) return false;
        if (steps_ > kMaximumSteps) return false;
        passed.insert(input);
        stack.push_back(frame_of(input));
    }
    return true;
}

bool PatternMatcher::dominates_parent(const PatternNode& pattern, ExprId expr) {
    uint32_t parent = pattern.children[0];
    uint32_t from = graph_->position(expr);
    if (!memo_[parent].empty()) {
        uint32_t found = graph_->position(memo_[parent][0]);
        return graph_->post_dominates(from, found);
    }
    std::vector<uint32_t> stack{from};
    while (!stack.empty()) {
        uint32_t current = stack.back();
        stack.pop_back();
        for (uint32_t child : graph_->dominated_by(current)) {
            if (visit(parent, graph_->order()[child])) return true;
            if (steps_ > kMaximumSteps) return false;
            stack.push_back(child);
        }
    }
    return false;
}

Sentence PatternMatcher::attribute_reason(const PatternNode& pattern, ExprId expr) const {
    const WantedAttribute* wanted = differing_attribute(pattern, expr);
    if (!wanted) return {SENTENCE("Engine", "it has no attributes"), {}};
    std::optional<AttributeValue> found = attribute_of(expr, wanted->first);
    if (!found) return {SENTENCE("Engine", "it has no attribute %1"), {wanted->first}};
    std::string value;
    relay::append_value(value, *found);
    return {SENTENCE("Engine", "its %1 is %2"), {wanted->first, value}};
}

/// Returns "a call of tanh".
Sentence PatternMatcher::kind_of(ExprId expr) const {
    if (const OpRecord* op = called_op_record(module_, expr)) return {SENTENCE("Engine", "a call of %1"), {op->name}};
    std::string_view composite = composite_name(module_, expr);
    if (!composite.empty()) return {SENTENCE("Engine", "a call of the composite %1"), {on_one_line(composite)}};
    switch (module_.kind(expr)) {
        case ExprKind::Var: return {SENTENCE("Engine", "the variable %1"), {"%" + on_one_line(module_.name(expr))}};
        case ExprKind::Constant: return kind_of_constant(module_.constant(expr));
        case ExprKind::Op:
            return {SENTENCE("Engine", "the operator %1"), {op_registry()[OpId(module_[expr].payload)].name}};
        case ExprKind::Tuple:
            return {SENTENCE("Engine", "a tuple of %1"), {std::to_string(module_.operands(expr).size())}};
        case ExprKind::Projection:
            return {SENTENCE("Engine", "field %1 of a tuple"), {std::to_string(module_.projection_index(expr))}};
        case ExprKind::Function: return {SENTENCE("Engine", "a function"), {}};
        case ExprKind::GlobalVar: return as_it_is("@" + on_one_line(module_.name(expr)));
        default: return {SENTENCE("Engine", "another kind of expression"), {}};
    }
}

/// An omitted path matches anything.
Sentence PatternMatcher::dominator_reason(const PatternNode& dominator) const {
    const std::string from(pattern_.source(dominator.children[0])), path(pattern_.source(dominator.children[1]));
    if (path.empty() || path == "*") return {SENTENCE("Engine", "not all paths to it come from '%1'"), {from}};
    return {SENTENCE("Engine", "not all paths to it come from '%1' through '%2'"), {from, path}};
}

Sentence PatternMatcher::reason_of(uint32_t id, ExprId expr) const {
    if (!memo_[id].empty())
        return {SENTENCE("Engine", "it has to be the same expression as another part of the pattern"), {}};
    switch (node(id).kind) {
        case PatternKind::DType:
        case PatternKind::Shape:
        case PatternKind::Type:
            return {SENTENCE("Engine", "its type is %1"), {module_.types().to_string(module_.type(expr))}};
        case PatternKind::Attributes: return attribute_reason(node(id), expr);
        case PatternKind::Constant: return {SENTENCE("Engine", "expected a constant, found %1"), {kind_of(expr)}};
        case PatternKind::Dominator: return dominator_reason(node(id));
        default: return {SENTENCE("Engine", "it is %1"), {kind_of(expr)}};
    }
}

}  // namespace partita
