#include "engine/passes/merge_composite.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/pattern_matcher.h"

namespace partita {

namespace {

/// Returns why a match is refused.
Sentence check_is_false(const RuleExplanation& explanation) {
    return {SENTENCE("Engine", "the check is false: %1"), {explanation.to_string()}};
}

/// A match that may become a composite.
struct Group {
    ExprId root;
    uint32_t number = 0;            ///< of the attempt, counting rejected ones; part of the parameters' names
    std::vector<ExprId> arguments;  ///< with repetitions, like the parameters
    std::vector<ExprId> inside;     ///< expressions copied into the body, operands before users; the root is the last
    std::vector<ExprId> bound;      ///< expressions for the check
};

/// The op positions of one function, so that a pattern visits only the calls that can be its root.
class RootIndex {
public:
    RootIndex(const Module& module, const DataflowGraph& graph) {
        std::span<const ExprId> order = graph.order();
        can_be_root_.resize(order.size());
        for (uint32_t i = 0; i < order.size(); ++i) {
            // A composite cannot replace an op or the function itself.
            can_be_root_[i] = module.kind(order[i]) != ExprKind::Op && module.kind(order[i]) != ExprKind::Function;
            OpId op = module.called_op(order[i]);
            if (!op.valid()) continue;
            if (op.value >= calls_.size()) calls_.resize(op.value + 1);
            calls_[op.value].push_back(i);
        }
        size_ = uint32_t(order.size());
    }

    /// Returns the positions at which the pattern may match, the last first.
    std::vector<uint32_t> candidates(const Pattern& pattern) const {
        std::vector<uint32_t> positions;
        if (pattern.any_root()) {
            for (uint32_t i = size_; i-- > 0;)
                if (can_be_root_[i]) positions.push_back(i);
            return positions;
        }
        for (OpId op : pattern.root_ops())
            if (op.value < calls_.size())
                positions.insert(positions.end(), calls_[op.value].begin(), calls_[op.value].end());
        std::sort(positions.begin(), positions.end(), std::greater<>());
        return positions;
    }

private:
    std::vector<std::vector<uint32_t>> calls_;  ///< by op
    std::vector<bool> can_be_root_;             ///< by position
    uint32_t size_ = 0;
};

/// Applies patterns to one function and adds the new expressions to its module. Unchanged expressions keep their ids.
class FunctionMerger {
public:
    /// `asked`: facts for annotators; what was sent to them stays valid while the module grows.
    FunctionMerger(Module& module, NameId name, PositionTable& positions, std::optional<ModuleFacts>& asked,
                   DecisionLog* log, const CancelToken& cancel, const MatchFilter& keeps)
        : module_(module), name_(name), positions_(positions), asked_(asked), log_(log), cancel_(cancel),
          keeps_(keeps) {}

    void merge(std::span<const CompositePattern> patterns) {
        // Rewriting leaves replaced expressions in the module; they are swept when they outweigh the rest.
        size_t limit = 4 * module_.size() + 65536;
        for (const CompositePattern& pattern : patterns) {
            prepare();
            merge_pattern(pattern);
            if (module_.size() > limit && !graph_) {
                module_ = copy_module(module_);
                positions_.assign(module_.size(), DataflowGraph::kNone);
                asked_.emplace(module_);
            }
        }
        graph_.reset();
    }

private:
    ExprId function() const { return module_.find_function(module_.names().text(name_)); }

    void prepare() {
        if (graph_) return;
        positions_.resize(module_.size(), DataflowGraph::kNone);
        graph_.emplace(module_, function(), positions_);
        roots_.emplace(module_, *graph_);
        facts_.emplace(module_);
        mark_composites();
    }

    /// Excludes functions that a pattern made, with all that they hold.
    void mark_composites() {
        std::span<const ExprId> order = graph_->order();
        excluded_.assign(order.size(), false);
        std::vector<ExprId> stack;
        for (uint32_t i = 0; i < order.size(); ++i) {
            if (module_.kind(order[i]) != ExprKind::Function ||
                !module_.function_info(order[i]).attribute("PartitionedFromPattern") || excluded_[i])
                continue;
            stack.assign(1, order[i]);
            while (!stack.empty()) {
                uint32_t at = graph_->position(stack.back());
                stack.pop_back();
                if (excluded_[at]) continue;
                excluded_[at] = true;
                for (ExprId operand : module_.operands(order[at])) stack.push_back(operand);
            }
        }
    }

    void merge_pattern(const CompositePattern& pattern) {
        std::vector<uint32_t> candidates = roots_->candidates(*pattern.pattern);
        if (candidates.empty()) return;
        PatternMatcher matcher(*pattern.pattern, module_, &*graph_, pattern.transparent);
        group_of_.clear();
        std::vector<Group> groups;
        uint32_t attempts = 0;
        for (uint32_t at : candidates) {
            ExprId expr = graph_->order()[at];
            if (excluded_[at] || is_grouped(at) || !matcher.match(expr)) continue;
            if (matcher.matches(pattern.pattern->root())[0] != expr) continue;  // found through a transparent op
            Group group = make_group(pattern, matcher, expr, attempts++);
            if (group.inside.empty() || !is_kept(group, pattern)) continue;  // empty: the root is its own input
            if (!is_free(group, pattern)) continue;
            if (group_of_.empty()) group_of_.assign(graph_->order().size(), false);
            for (ExprId id : group.inside) group_of_[graph_->position(id)] = true;
            groups.push_back(std::move(group));
        }
        if (!groups.empty()) rewrite(pattern, groups);
    }

    bool is_grouped(uint32_t at) const { return !group_of_.empty() && group_of_[at]; }

    /// Returns the expressions that a dominator's parent or path or a function pattern's body matched: they are inside,
    /// not inputs.
    std::vector<ExprId> fuzzy_matches(const Pattern& pattern, const PatternMatcher& matcher) const {
        std::vector<ExprId> fuzzy;
        for (uint32_t i = 0; i < pattern.nodes().size(); ++i) {
            const PatternNode& node = pattern.nodes()[i];
            if (node.kind == PatternKind::Dominator)
                for (uint32_t part : {node.children[0], node.children[1]})
                    fuzzy.insert(fuzzy.end(), matcher.matches(part).begin(), matcher.matches(part).end());
            if (node.kind == PatternKind::Function)
                for (ExprId match : matcher.matches(i)) {
                    std::vector<ExprId> body = post_order(module_, module_.body(match));
                    fuzzy.insert(fuzzy.end(), body.begin(), body.end());
                }
        }
        std::sort(fuzzy.begin(), fuzzy.end());
        return fuzzy;
    }

    Group make_group(const CompositePattern& composite, const PatternMatcher& matcher, ExprId root, uint32_t number) {
        const Pattern& pattern = *composite.pattern;
        Group group;
        group.root = root;
        group.number = number;
        group.bound = matcher.bound();
        std::vector<ExprId> fuzzy = fuzzy_matches(pattern, matcher);
        auto make_input = [&](ExprId input, bool embedded) {
            ExprKind kind = module_.kind(input);
            if (kind == ExprKind::Op || kind == ExprKind::Function || (embedded && kind == ExprKind::Constant)) return;
            if (std::binary_search(fuzzy.begin(), fuzzy.end(), input)) return;
            group.arguments.push_back(input);
        };
        for (uint32_t i = 0; i < pattern.nodes().size(); ++i) {
            const PatternNode& node = pattern.nodes()[i];
            bool embeds = node.kind == PatternKind::Constant || node.kind == PatternKind::Scalar;
            for (ExprId match : matcher.matches(i)) {
                if (node.kind == PatternKind::Tuple && node.any_operands) {
                    for (ExprId field : module_.operands(match)) make_input(field, false);
                } else if (node.kind == PatternKind::Call && node.any_operands) {
                    for (ExprId argument : module_.arguments(match)) make_input(argument, false);
                } else if (node.children.empty()) {
                    make_input(match, embeds);
                }
            }
        }
        extract(group);
        return group;
    }

    /// Collects the expressions from the root down to the inputs, in TVM's order.
    void extract(Group& group) {
        inputs_ = group.arguments;
        std::sort(inputs_.begin(), inputs_.end());
        struct Frame {
            ExprId id;
            uint32_t next;
        };
        std::vector<Frame> stack;
        std::vector<uint32_t>& seen = seen_;
        if (seen.size() < graph_->order().size()) seen.resize(graph_->order().size(), 0);
        ++seen_mark_;
        auto enter = [&](ExprId id) {
            uint32_t at = graph_->position(id);
            if (seen[at] == seen_mark_ || std::binary_search(inputs_.begin(), inputs_.end(), id)) return;
            seen[at] = seen_mark_;
            stack.push_back({id, 0});
        };
        enter(group.root);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            std::span<const ExprId> operands = module_.operands(frame.id);
            if (frame.next < operands.size()) {
                enter(operands[frame.next++]);
                continue;
            }
            group.inside.push_back(frame.id);
            stack.pop_back();
        }
    }

    bool is_kept(const Group& group, const CompositePattern& pattern) const {
        return !keeps_ || keeps_(pattern, calls_inside(group));
    }

    std::vector<ExprId> calls_inside(const Group& group) const {
        std::vector<ExprId> calls;
        for (ExprId id : group.inside)
            if (module_.kind(id) == ExprKind::Call && module_.origin(id).valid()) calls.push_back(module_.origin(id));
        return calls;
    }

    /// Returns whether nothing inside belongs to another group or has a use elsewhere that does not lead back to the
    /// root.
    bool is_free(const Group& group, const CompositePattern& pattern) {
        uint32_t root = graph_->position(group.root);
        for (ExprId id : group.inside) {
            ExprKind kind = module_.kind(id);
            if (kind == ExprKind::Op || kind == ExprKind::Function || kind == ExprKind::Constant) continue;
            uint32_t at = graph_->position(id);
            if (is_grouped(at)) {
                refuse(group, pattern, PatternRefusal::InOtherMatch, id);
                return false;
            }
            if (id == group.root) continue;
            for (uint32_t output : graph_->outputs(at)) {
                if (seen_[output] == seen_mark_ || graph_->post_dominates(root, output)) continue;
                refuse(group, pattern, PatternRefusal::UsedElsewhere, graph_->order()[output]);
                return false;
            }
        }
        return true;
    }

    void refuse(const Group& group, const CompositePattern& pattern, PatternRefusal why, ExprId other,
                Sentence detail = {}) {
        if (!log_) return;
        Decision decision = decision_on(DecisionKind::PatternRefused, group, pattern);
        decision.refusal = why;
        if (other.valid()) decision.other = module_.origin(other);
        decision.detail = std::move(detail);
        decision.path = calls_inside(group);
        log_->add(std::move(decision));
    }
    Decision decision_on(DecisionKind kind, const Group& group, const CompositePattern& pattern) {
        Decision decision{};
        decision.terms = std::exchange(terms_, -1);
        decision.pass = PassKind::Composite;
        decision.kind = kind;
        decision.subject = module_.origin(group.root);
        decision.rule = pattern.name;
        return decision;
    }

    /// Asks the pattern's annotator about all matches at once.
    std::unordered_map<ExprId, AnnotatorAnswer> ask_annotator(
        const CompositePattern& pattern, std::span<const std::pair<uint32_t, const Group*>> groups) {
        std::unordered_map<ExprId, AnnotatorAnswer> answers;
        if (!pattern.annotator) return answers;
        std::vector<ExprId> roots;
        for (const auto& [_, group] : groups) roots.push_back(group->root);
        std::vector<AnnotatorAnswer> list = ask_about_matches(pattern, *asked_, roots, log_ != nullptr, cancel_);
        for (size_t i = 0; i < roots.size(); ++i) answers.emplace(roots[i], std::move(list[i]));
        return answers;
    }

    bool passes_check(const CompositePattern& pattern, const Group& group,
                      const std::unordered_map<ExprId, AnnotatorAnswer>& answers) {
        if (pattern.annotator) {
            const AnnotatorAnswer& answer = answers.at(group.root);
            if (!answer.accepted) refuse(group, pattern, PatternRefusal::CheckFalse, {}, check_is_false(answer));
            return answer.accepted;
        }
        if (!pattern.check) return true;
        RuleSubject subject{module_, group.root, &*facts_, group.bound};
        if (!log_) return pattern.check->evaluate(subject);
        RuleExplanation explanation = pattern.check->explain(subject);
        const Sentence refusal = explanation.value ? Sentence() : check_is_false(explanation);
        for (RuleTerm& term : explanation.terms)
            for (RuleTerm::Operand& operand : term.operands)
                if (operand.expr.valid()) operand.expr = module_.origin(operand.expr);
        terms_ = log_->add_terms(std::move(explanation.terms));
        if (explanation.value) return true;
        refuse(group, pattern, PatternRefusal::CheckFalse, {}, refusal);
        return false;
    }

    /// Rebuilds what depends on a composite; the rest of the function keeps its expressions.
    void rewrite(const CompositePattern& pattern, const std::vector<Group>& groups) {
        std::span<const ExprId> order = graph_->order();
        std::vector<ExprId> image(order.begin(), order.end());
        std::vector<std::pair<uint32_t, const Group*>> roots;
        // In the module's own order, so that the log reads from inputs to outputs.
        for (const Group& group : groups) roots.emplace_back(graph_->position(group.root), &group);
        std::sort(roots.begin(), roots.end());
        const std::unordered_map<ExprId, AnnotatorAnswer> answers = ask_annotator(pattern, roots);
        size_t next_root = 0;
        std::vector<ExprId> operands;
        bool changed = false;
        for (uint32_t i = 0; i < order.size(); ++i) {
            const Group* group =
                next_root < roots.size() && roots[next_root].first == i ? roots[next_root++].second : nullptr;
            if (group && passes_check(pattern, *group, answers)) {
                operands.clear();
                for (ExprId argument : group->arguments) operands.push_back(image[graph_->position(argument)]);
                image[i] = add_composite(pattern, *group, operands);
                changed = true;
                continue;
            }
            if (!changed) continue;
            operands.assign(module_.operands(order[i]).begin(), module_.operands(order[i]).end());
            bool differs = false;
            for (ExprId& operand : operands) {
                ExprId now = image[graph_->position(operand)];
                differs |= now != operand;
                operand = now;
            }
            if (differs) image[i] = module_.add_like(module_, order[i], operands);
        }
        if (!changed) return;
        ExprId made = image.back();
        std::string name(module_.names().text(name_));
        roots_.reset();
        graph_.reset();
        module_.set_function(name, made);
    }

    std::string name_of(const CompositePattern& pattern, const Group& group) const {
        std::string name;
        for (ExprId id : group.inside) {
            if (is_transparent(pattern, id)) continue;
            switch (module_.kind(id)) {
                case ExprKind::Call: {
                    const OpRecord* op = called_op_record(module_, id);
                    name += op ? op->name + "_" : "Call_";
                    break;
                }
                case ExprKind::Tuple: name += "Tuple_"; break;
                case ExprKind::Projection:
                    name += "TupleGetItem" + std::to_string(module_.projection_index(id)) + "_";
                    break;
                case ExprKind::Let: name += "Let_"; break;
                case ExprKind::If: name += "If_"; break;
                case ExprKind::Function: name += "Function"; break;
                default: break;
            }
        }
        return name;
    }

    bool is_transparent(const CompositePattern& pattern, ExprId id) const {
        if (pattern.transparent.empty() || module_.kind(id) != ExprKind::Call) return false;
        OpId op = module_.called_op(id);
        return op.valid() && module_.arguments(id).size() == 1 &&
               std::find(pattern.transparent.begin(), pattern.transparent.end(), op) != pattern.transparent.end();
    }

    ExprId add_composite(const CompositePattern& pattern, const Group& group, std::span<const ExprId> arguments) {
        std::string prefix = "FunctionVar_" + std::to_string(group.number) + "_";
        std::vector<ExprId> parameters;
        std::vector<TypeId> parameter_types;
        std::vector<std::pair<ExprId, ExprId>> image;  // few: a pattern's size
        for (size_t i = 0; i < group.arguments.size(); ++i) {
            TypeId type = module_.type(group.arguments[i]);
            parameters.push_back(module_.add_var(prefix + std::to_string(i), type));
            parameter_types.push_back(type);
            image.emplace_back(group.arguments[i], parameters.back());
        }
        std::sort(image.begin(), image.end());  // of two parameters for one expression the later counts
        auto image_of = [&](ExprId id) {
            auto it = std::upper_bound(image.begin(), image.end(), std::pair(id, ExprId(ExprId::kInvalid)));
            return it != image.begin() && std::prev(it)->first == id ? std::prev(it)->second : id;
        };
        std::vector<ExprId> operands;
        for (ExprId id : group.inside) {
            operands.assign(module_.operands(id).begin(), module_.operands(id).end());
            bool differs = false;
            for (ExprId& operand : operands) {
                ExprId now = image_of(operand);
                differs |= now != operand;
                operand = now;
            }
            ExprId made = id;
            if (is_transparent(pattern, id) && id != group.root) made = operands[1];
            else if (differs) made = module_.add_like(module_, id, operands);
            if (made == id) continue;
            auto place = std::pair(id, made);
            image.insert(std::upper_bound(image.begin(), image.end(), place), place);
        }
        TypeId result = module_.type(group.root);
        FunctionInfo info;
        info.return_type = result;
        info.attributes = {{"PartitionedFromPattern", AttributeValue(name_of(pattern, group))},
                           {"Composite", AttributeValue(pattern.name)}};
        TypeId type = module_.types().function(parameter_types, result);
        ExprId function = module_.add_function(parameters, image_of(group.root), std::move(info), type);
        ExprId call = module_.add_call(function, arguments, {}, result);
        module_.set_origin(call, module_.origin(group.root));
        if (log_) log_->add(decision_on(DecisionKind::PatternMatched, group, pattern));
        return call;
    }

    Module& module_;
    NameId name_;
    PositionTable& positions_;
    std::optional<ModuleFacts>& asked_;
    DecisionLog* log_;
    int32_t terms_ = -1;  ///< of the last evaluated check, for the decision on its match
    const CancelToken& cancel_;
    const MatchFilter& keeps_;
    std::optional<DataflowGraph> graph_;
    std::optional<RootIndex> roots_;
    std::optional<ModuleFacts> facts_;
    std::vector<bool> excluded_;  ///< by position
    std::vector<bool> group_of_;  ///< by position; empty before the first group of a pattern
    std::vector<ExprId> inputs_;  ///< of the current group, sorted
    std::vector<uint32_t> seen_;  ///< by position: the mark of the last group that contains it
    uint32_t seen_mark_ = 0;
};

bool is_skipped(const FunctionInfo& info) {
    const AttributeValue* skip = info.attribute("SkipOptimization");
    bool skips = skip && skip->as_integer() && skip->as_integer()->value != 0;
    return skips || info.attribute("Compiler");
}

}  // namespace

Sentence check_is_false(const AnnotatorAnswer& answer) {
    const std::string place = answer.place();
    return {SENTENCE("Engine", "the check is false: %1%2"), {place, answer.to_string().substr(place.size())}};
}

Result<Module> merge_composite(const Module& module, std::span<const CompositePattern> patterns, DecisionLog* log,
                               const CancelToken& cancel, const MatchFilter& keeps) {
    Module merged = copy_module(module);
    if (!merged.typed())
        if (Status typed = infer_types(merged); !typed) return typed.error();
    size_t size = merged.size();
    PositionTable positions;
    std::vector<NameId> names;
    for (const GlobalFunction& global : merged.functions())
        if (!is_skipped(merged.function_info(global.function))) names.push_back(global.name);
    std::optional<ModuleFacts> asked(std::in_place, merged);
    for (NameId name : names) FunctionMerger(merged, name, positions, asked, log, cancel, keeps).merge(patterns);
    merged.set_typed(true);
    return merged.size() == size ? std::move(merged) : copy_module(merged);
}

}  // namespace partita
