// A parsed pattern: its nodes in TVM's order, the ops that its root can be, the words of the language.
#include "engine/rules/pattern.h"

#include <algorithm>
#include <functional>

#include "engine/ops/registry.h"
#include "engine/rules/pattern_parser.h"

namespace partita {

namespace {

constexpr RuleWord kWords[] = {
    {"*", "anything"},
    {"constant", "any constant"},
    {"var", "any variable; var(\"x\"): of that name"},
    {"tuple", "tuple(...): any tuple; (p, q): of these fields"},
    {"if", "if(condition, then, else)"},
    {"let", "let(var, value, body)"},
    {"fn", "fn(p, q) { body }, fn(...) { body }"},
    {"has_attr", "p.has_attr(groups=1)"},
    {"has_dtype", "p.has_dtype(\"float32\")"},
    {"has_shape", "p.has_shape(1, 3, ?)"},
    {"has_type", "p.has_type(\"Tensor[(1, 3), float32]\")"},
    {"optional", "p.optional(nn.relu(_)): with or without it"},
    {"dominates", "parent.dominates(child, path)"},
};

}  // namespace

void PatternParser::number(uint32_t root) {
    constexpr uint32_t kNone = ~0u;
    std::vector<uint32_t> numbers(nodes_.size(), kNone);
    std::function<void(uint32_t)> visit = [&](uint32_t id) {  // depth was checked
        if (numbers[id] != kNone) return;
        for (uint32_t child : nodes_[id].children) visit(child);
        numbers[id] = uint32_t(pattern_->nodes_.size());
        pattern_->nodes_.push_back(nodes_[id]);
    };
    visit(root);
    for (PatternNode& node : pattern_->nodes_) {
        for (uint32_t& child : node.children) child = numbers[child];
        pattern_->has_dominator_ |= node.kind == PatternKind::Dominator;
    }
    for (const auto& [name, node] : names_) {
        if (numbers[node] == kNone) continue;
        pattern_->named_nodes_.push_back(numbers[node]);
        pattern_->names_.push_back({std::string(name), op_of(numbers[node])});
    }
    pattern_->find_roots(pattern_->root());
    std::sort(pattern_->root_ops_.begin(), pattern_->root_ops_.end());
    auto last = std::unique(pattern_->root_ops_.begin(), pattern_->root_ops_.end());
    pattern_->root_ops_.erase(last, pattern_->root_ops_.end());
}

const OpRecord* PatternParser::op_of(uint32_t id) const {
    const PatternNode* node = &pattern_->nodes_[id];
    while (node->kind == PatternKind::Attributes || node->kind == PatternKind::DType ||
           node->kind == PatternKind::Shape || node->kind == PatternKind::Type)
        node = &pattern_->nodes_[node->children[0]];
    if (node->kind != PatternKind::Call) return nullptr;
    const PatternNode& callee = pattern_->nodes_[node->children[0]];
    return callee.kind == PatternKind::Op ? &op_registry()[callee.op] : nullptr;
}

// The recursion is as deep as the pattern.
void Pattern::find_roots(uint32_t id) {
    const PatternNode& node = nodes_[id];
    switch (node.kind) {
        case PatternKind::Call: {
            const PatternNode& callee = nodes_[node.children[0]];
            if (callee.kind != PatternKind::Op) break;
            root_ops_.push_back(callee.op);
            // The matcher re-associates products and quotients, so the root may be the other one.
            const OpRegistry& ops = op_registry();
            OpId multiply = ops.find("multiply"), divide = ops.find("divide");
            if (callee.op == multiply) root_ops_.push_back(divide);
            if (callee.op == divide) root_ops_.push_back(multiply);
            return;
        }
        case PatternKind::Alternative:
            find_roots(node.children[0]);
            find_roots(node.children[1]);
            return;
        case PatternKind::Attributes:
        case PatternKind::DType:
        case PatternKind::Shape:
        case PatternKind::Type: find_roots(node.children[0]); return;
        case PatternKind::Dominator: find_roots(node.children[2]); return;
        default: break;
    }
    any_root_ = true;
}

const OpRecord* Pattern::root_op() const {
    if (any_root_) return nullptr;
    const PatternNode* node = &nodes_.back();
    while (node->kind != PatternKind::Call) {
        if (node->kind == PatternKind::Alternative)
            return root_ops_.size() == 1 ? &op_registry()[root_ops_[0]] : nullptr;
        node = &nodes_[node->kind == PatternKind::Dominator ? node->children[2] : node->children[0]];
    }
    return root_ops_.size() == 1 ? &op_registry()[root_ops_[0]] : nullptr;
}

Result<std::shared_ptr<const Pattern>> Pattern::parse(std::string_view text) {
    if (text.size() > kPatternTextBytes)
        return error("the pattern is longer than " + std::to_string(kPatternTextBytes) + " bytes");
    return PatternParser(text).parse();
}

std::span<const RuleWord> pattern_words() { return kWords; }

}  // namespace partita
