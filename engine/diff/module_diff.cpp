#include "engine/diff/module_diff.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "engine/diff/node_matcher.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

class DiffWriter {
public:
    DiffWriter(const FlatView& before, const FlatView& after, const NodeMatcher& matcher)
        : before_(before), after_(after), matcher_(matcher) {}

    ModuleDiff write() {
        diff_.after_of.resize(before_.module().size());
        diff_.before_of.resize(after_.module().size());
        for (uint32_t a = 0; a < before_.nodes().size(); ++a) {
            const uint32_t b = matcher_.after_of()[a];
            const ExprId left = before_.nodes()[a].expr;
            if (b == NodeMatcher::kNone) {
                diff_.removed.push_back(left);
                continue;
            }
            const ExprId right = after_.nodes()[b].expr;
            diff_.after_of[left.value] = right;
            diff_.before_of[right.value] = left;
            compare(a, b);
        }
        for (uint32_t b = 0; b < after_.nodes().size(); ++b)
            if (matcher_.before_of()[b] == NodeMatcher::kNone) diff_.added.push_back(after_.nodes()[b].expr);
        compare_functions();
        compare_outputs();
        if (!diff_.identical()) {
            diff_.blocks_before = blocks_of(before_);
            diff_.blocks_after = blocks_of(after_);
        }
        return std::move(diff_);
    }

private:
    /// Nodes in the order of the module that the flow started from, so that the blocks are those of its graph.
    static ModuleBlocks blocks_of(const FlatView& view) {
        const Module& module = view.module();
        size_t parameters = 0;
        for (const FlatNode& node : view.nodes()) parameters += module.kind(node.expr) == ExprKind::Var;
        ModuleGraphBuilder builder(module, parameters);
        std::vector<uint32_t> number(view.nodes().size(), ModuleGraphBuilder::kNone), operands;
        for (uint32_t node : in_order_of_origin(view)) {
            operands.clear();
            for (uint32_t operand : view.operands(node)) operands.push_back(number[operand]);
            number[node] = builder.add(view.nodes()[node].expr, operands);
        }
        for (const FlatView::Output& output : view.outputs()) {
            const int64_t result = view.node_of(module.body(module.find_function(output.function)));
            if (result >= 0 && number[size_t(result)] != ModuleGraphBuilder::kNone)
                builder.set_result(number[size_t(result)]);
        }
        return ModuleBlocks(module, builder.build());
    }

    /// Operands before users; of what may come next, what came first in the module that the flow started from.
    static std::vector<uint32_t> in_order_of_origin(const FlatView& view) {
        const Module& module = view.module();
        using Next = std::pair<uint32_t, uint32_t>;  // origin, node
        std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
        const auto add = [&](uint32_t node) {
            const ExprId own = view.nodes()[node].expr, origin = module.origin(own);
            ready.emplace(origin.valid() ? origin.value : own.value, node);
        };
        std::vector<uint32_t> missing(view.nodes().size()), order;
        for (uint32_t node = 0; node < missing.size(); ++node)
            if ((missing[node] = uint32_t(view.operands(node).size())) == 0) add(node);
        while (!ready.empty()) {
            order.push_back(ready.top().second);
            ready.pop();
            for (const FlatView::Use& use : view.users(order.back()))
                if (--missing[use.user] == 0) add(use.user);
        }
        return order;
    }

    static Sentence none() { return {SENTENCE("Engine", "none"), {}}; }

    static SentenceValue name_of(const FlatView& view, uint32_t node) {
        const Module& module = view.module();
        const ExprId id = view.nodes()[node].expr;
        if (module.kind(id) == ExprKind::Var) return "%" + std::string(module.name(id));
        if (const OpRecord* op = called_op_record(module, id)) return op->name;
        switch (module.kind(id)) {
            case ExprKind::Constant: return Sentence{SENTENCE("Engine", "a constant"), {}};
            case ExprKind::Tuple: return Sentence{SENTENCE("Engine", "a tuple"), {}};
            case ExprKind::Projection:
                return Sentence{SENTENCE("Engine", "field %1"), {std::to_string(module.projection_index(id))}};
            case ExprKind::Call:
                if (module.kind(module.callee(id)) == ExprKind::GlobalVar)
                    return "@" + std::string(module.name(module.callee(id)));
                return a_call();
            case ExprKind::If: return "if";
            case ExprKind::Function: return Sentence{SENTENCE("Engine", "a function"), {}};
            default: return Sentence{SENTENCE("Engine", "an expression"), {}};
        }
    }

    static Sentence a_call() { return {SENTENCE("Engine", "a call"), {}}; }

    void compare(uint32_t a, uint32_t b) {
        const FlatNode &left = before_.nodes()[a], &right = after_.nodes()[b];
        NodeChange change{left.expr, right.expr, {}};
        compare_operator(left.expr, right.expr, change.what);
        const ExprKind kind = before_.module().kind(left.expr), other_kind = after_.module().kind(right.expr);
        if (kind != other_kind)
            change.what.push_back({SENTENCE("Engine", "value: %1 → %2"), {name_of(before_, a), name_of(after_, b)}});
        else if (left.name != right.name && kind == ExprKind::Var)
            change.what.push_back(
                {SENTENCE("Engine", "name: %1 → %2"),
                 {std::string(before_.module().name(left.expr)), std::string(after_.module().name(right.expr))}});
        compare_operands(a, b, change.what);
        // A constant goes where its user goes, which is listed.
        if (before_.place(a) != after_.place(b) && (kind != ExprKind::Constant || kind != other_kind))
            change.what.push_back({SENTENCE("Engine", "backend: %1 → %2"),
                                   {std::string(before_.place(a)), std::string(after_.place(b))}});
        const std::string from = before_.module().types().to_string(before_.module().type(left.expr));
        const std::string to = after_.module().types().to_string(after_.module().type(right.expr));
        const Sentence type{SENTENCE("Engine", "type: %1 → %2"), {from, to}};
        if (!change.what.empty()) {
            if (from != to) change.what.push_back(type);
            diff_.changed.push_back(std::move(change));
        } else if (from != to) {
            change.what.push_back(type);
            // The type of a parameter does not follow from anything else.
            (kind == ExprKind::Var ? diff_.changed : diff_.affected).push_back(std::move(change));
        } else {
            ++diff_.same;
        }
    }

    void compare_operator(ExprId left, ExprId right, std::vector<Sentence>& what) {
        const Module &before = before_.module(), &after = after_.module();
        if (before.kind(left) != after.kind(right)) return;
        const OpRecord *op = called_op_record(before, left), *other = called_op_record(after, right);
        if (op != other) {
            const auto name = [](const OpRecord* record) {
                return record ? SentenceValue(record->name) : SentenceValue(a_call());
            };
            what.push_back({SENTENCE("Engine", "operator: %1 → %2"), {name(op), name(other)}});
            return;
        }
        if (before.kind(left) == ExprKind::Constant && !same_constant(before.constant(left), after.constant(right)))
            what.push_back({SENTENCE("Engine", "another value"), {}});
        if (before.kind(left) == ExprKind::Projection && before.projection_index(left) != after.projection_index(right))
            what.push_back(
                {SENTENCE("Engine", "field: %1 → %2"),
                 {std::to_string(before.projection_index(left)), std::to_string(after.projection_index(right))}});
        if (!op || !before.attributes_id(left).valid() || !after.attributes_id(right).valid()) return;
        const AttributeList &values = before.attributes(before.attributes_id(left)),
                            &others = after.attributes(after.attributes_id(right));
        for (size_t i = 0; i < std::min(values.size(), others.size()); ++i)
            if (!mean_the_same(op->attributes[i], values[i], others[i]))
                what.push_back({"%1: %2 → %3", {op->attributes[i].name, values[i].to_string(), others[i].to_string()}});
    }

    /// Returns whether two values of an attribute mean the same. Padding has one value, one for each axis, or one for
    /// each side: the shorter list repeats.
    static bool mean_the_same(const AttributeField& field, const AttributeValue& a, const AttributeValue& b) {
        const AttributeValue::List *left = a.as_list(), *right = b.as_list();
        if (a == b || field.name != "padding" || !left || !right || left->empty() || right->empty()) return a == b;
        const size_t longer = std::max(left->size(), right->size());
        if (longer % left->size() != 0 || longer % right->size() != 0) return false;
        for (size_t i = 0; i < longer; ++i)
            if (!((*left)[i % left->size()] == (*right)[i % right->size()])) return false;
        return true;
    }

    static bool same_constant(const Tensor& a, const Tensor& b) {
        return !a.defined() || !b.defined() ? a.defined() == b.defined() : a.identical(b);
    }

    void compare_operands(uint32_t a, uint32_t b, std::vector<Sentence>& what) {
        std::span<const uint32_t> left = before_.operands(a), right = after_.operands(b);
        for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
            if (i < left.size() && i < right.size() && matcher_.after_of()[left[i]] == right[i]) {
                compare_boundary(a, b, i, what);
                continue;
            }
            what.push_back({SENTENCE("Engine", "input %1: %2 → %3"),
                            {std::to_string(i), i < left.size() ? name_of(before_, left[i]) : none(),
                             i < right.size() ? name_of(after_, right[i]) : none()}});
        }
    }

    /// Adds what joined a region or left it while the backends stayed the same. A changed backend has a sentence of its
    /// own.
    void compare_boundary(uint32_t a, uint32_t b, size_t operand, std::vector<Sentence>& what) {
        const uint32_t left = before_.operands(a)[operand], right = after_.operands(b)[operand];
        if (before_.place(a) != after_.place(b) || before_.place(left) != after_.place(right)) return;
        const bool joined = after_.in_one_region(b, uint32_t(operand));
        if (joined == before_.in_one_region(a, uint32_t(operand))) return;
        const char* form = joined ? SENTENCE("Engine", "now in one region with input %1 (%2)")
                                  : SENTENCE("Engine", "no longer in one region with input %1 (%2)");
        what.push_back({form, {std::to_string(operand), name_of(after_, right)}});
    }

    void compare_functions() {
        std::set<std::string> left, right;
        for (const GlobalFunction& global : before_.module().functions())
            left.emplace(before_.module().names().text(global.name));
        for (const GlobalFunction& global : after_.module().functions())
            right.emplace(after_.module().names().text(global.name));
        std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                            std::back_inserter(diff_.functions_removed));
        std::set_difference(right.begin(), right.end(), left.begin(), left.end(),
                            std::back_inserter(diff_.functions_added));
    }

    void compare_outputs() {
        const auto change = [&](const FlatView::Output& output, SentenceValue from, SentenceValue to) {
            diff_.outputs_changed.push_back(
                {SENTENCE("Engine", "@%1 output %2: %3 → %4"),
                 {output.function, std::to_string(output.index), std::move(from), std::move(to)}});
        };
        const std::vector<FlatView::Output>&left = before_.outputs(), &right = after_.outputs();
        std::map<std::pair<std::string, uint32_t>, uint32_t> others;
        for (const FlatView::Output& output : right) others[{output.function, output.index}] = output.node;
        for (const FlatView::Output& output : left) {
            auto found = others.find({output.function, output.index});
            if (found == others.end()) {
                change(output, name_of(before_, output.node), none());
                continue;
            }
            if (matcher_.after_of()[output.node] != found->second)
                change(output, name_of(before_, output.node), name_of(after_, found->second));
            others.erase(found);
        }
        for (const auto& [key, node] : others) change({key.first, key.second, node}, none(), name_of(after_, node));
    }

    const FlatView &before_, &after_;
    const NodeMatcher& matcher_;
    ModuleDiff diff_;
};

}  // namespace

ModuleDiff diff_modules(const Module& before, const Module& after) {
    std::unordered_set<uint64_t> known = FlatView::identities(before);
    const std::unordered_set<uint64_t> of_after = FlatView::identities(after);
    std::erase_if(known, [&](uint64_t identity) { return of_after.count(identity) == 0; });
    const FlatView left(before, known), right(after, known);
    return DiffWriter(left, right, NodeMatcher(left, right)).write();
}

}  // namespace partita
