// What TVM's Relax divides: FuseOpsByPattern, then MergeCompositeFunctions (engine/partitioners/relax/passes.h). The
// patterns are those of the backends, in order; a rule for an operator is a pattern of one call behind them.
#include <algorithm>
#include <map>
#include <set>

#include "engine/frontends/relax/operators.h"
#include "engine/partitioners/partitioner.h"
#include "engine/partitioners/relax/passes.h"
#include "engine/partitioners/relax/program_of_graph.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

NodeId node_of(const relax::Text& text, uint32_t source) {
    return source < text.nodes.size() ? text.nodes[source] : NodeId();
}

/// The backends' patterns and rules as patterns of Relax.
class RelaxPatterns {
public:
    RelaxPatterns(const PartitionerInput& input, const relax::Text& text)
        : input_(input), text_(text), module_(input.module ? *input.module : none_), facts_(module_) {}

    Result<std::vector<relax::FusionPattern>> make() {
        for (const BackendDescription& backend : input_.backends) {
            for (const CompositePattern& pattern : backend.patterns) {
                if (pattern.pattern->has_dominator())
                    return error("the pattern " + pattern.name +
                                 " has .dominates(...), which Relax has not; divide by tvm, which has it");
                backend_of_.emplace(relax::compiler_of(pattern.name), backend.name);
                patterns_.push_back({pattern.name, pattern.pattern.get(), check_of(pattern)});
            }
            if (Status added = add_rules(backend); !added) return added.error();
            if (backend.whole_graph)
                if (Status added = add_any(backend.name + ".op", [](NodeId) { return true; }); !added)
                    return added.error();
        }
        if (Status added = add_verdicts(); !added) return added.error();
        if (Status added = add_given(); !added) return added.error();
        return std::move(patterns_);
    }

    /// The backend whose patterns name a compiler.
    std::string backend_of(const std::string& compiler) const {
        const auto found = backend_of_.find(compiler);
        return found == backend_of_.end() ? compiler : found->second;
    }

private:
    Status add_rules(const BackendDescription& backend) {
        backend_of_.emplace(backend.name, backend.name);
        std::map<std::string, const OpRule*> in_order;
        for (const auto& [op, rule] : backend.ops) in_order.emplace(op, &rule);
        for (const auto& [op, rule] : in_order) {
            // The rule for `opaque` is asked about each operator that nobody knows.
            Result<std::shared_ptr<const Pattern>> pattern = Pattern::parse((op == "opaque" ? "*" : op) + "(...)");
            if (!pattern) return pattern.error();
            of_rules_.push_back(*pattern);
            patterns_.push_back(
                {backend.name + "." + op, pattern->get(), [this, &backend](const relax::Binding& root, const auto&) {
                     const ExprId call = expression_of(root);
                     return call.valid() && judge(backend, module_, call, false, &facts_).supported();
                 }});
        }
        return Nothing();
    }

    /// Verdicts of a file: each node that is taken is a match of its own.
    Status add_verdicts() {
        for (const Verdicts::OfBackend& verdict : input_.verdicts.backends) {
            const auto is_it = [&](const BackendDescription& backend) { return backend.name == verdict.name; };
            if (std::any_of(input_.backends.begin(), input_.backends.end(), is_it)) continue;
            backend_of_.emplace(verdict.name, verdict.name);
            const auto takes = [&verdict](NodeId node) { return bool(verdict.takes[node.value]); };
            if (Status added = add_any(verdict.name + ".op", takes); !added) return added;
        }
        return Nothing();
    }

    /// A pattern of any call that is a node for which `takes` holds.
    Status add_any(const std::string& name, std::function<bool(NodeId)> takes) {
        Result<std::shared_ptr<const Pattern>> any = Pattern::parse("*(...)");
        if (!any) return any.error();
        of_rules_.push_back(*any);
        patterns_.push_back(
            {name, of_rules_.back().get(), [this, takes = std::move(takes)](const relax::Binding& root, const auto&) {
                 const NodeId node = node_of(text_, root.source);
                 return node.valid() && takes(node);
             }});
        return Nothing();
    }

    /// What no pattern took of the nodes that a person gave to a backend: a match of its own each. A pattern leaves
    /// alone what was given to others.
    Status add_given() {
        const std::vector<std::string>& given = input_.verdicts.by_hand;
        const std::vector<bool>& dropped = input_.verdicts.dropped;
        if (given.empty() && dropped.empty()) return Nothing();
        for (relax::FusionPattern& pattern : patterns_)
            pattern.obstacle = [this, &given, &dropped, backend = backend_of(relax::compiler_of(pattern.name))](
                                   uint32_t source) -> const char* {
                const NodeId node = node_of(text_, source);
                if (!node.valid()) return nullptr;
                if (!given.empty() && !given[node.value].empty())
                    return given[node.value] == backend
                               ? nullptr
                               : SENTENCE("Engine", "a pattern matches, but %1 is given elsewhere by hand");
                return !dropped.empty() && dropped[node.value]
                           ? SENTENCE("Engine", "a pattern matches, but the region of %1 exceeds the limits")
                           : nullptr;
            };
        std::set<std::pair<std::string, std::string>> kinds;  // backend and operator
        for (uint32_t i = 0; i < given.size(); ++i)
            if (backend_of_.count(given[i])) kinds.emplace(given[i], input_.graph.nodes[i].op);
        for (const auto& [backend, op] : kinds) {
            const auto takes = [this, &given, backend = backend, op = op](NodeId node) {
                return given[node.value] == backend && input_.graph[node].op == op;
            };
            if (Status added = add_any(backend + "." + op, takes); !added) return added;
        }
        return Nothing();
    }

    ExprId expression_of(const relax::Binding& binding) const {
        return binding.source < text_.expressions.size() ? text_.expressions[binding.source] : ExprId();
    }

    std::function<bool(const relax::Binding&, const relax::TextMatcher&)> check_of(const CompositePattern& pattern) {
        if (!pattern.check && !pattern.annotator) return nullptr;
        return [this, &pattern](const relax::Binding& root, const relax::TextMatcher& matcher) {
            const ExprId call = expression_of(root);
            if (!call.valid()) return false;
            if (pattern.annotator)
                return ask_about_matches(pattern, facts_, std::vector<ExprId>{call}, false, input_.cancel)
                    .front()
                    .accepted;
            std::vector<ExprId> bound;
            for (uint32_t node : pattern.pattern->named_nodes()) bound.push_back(expression_of(matcher.matched(node)));
            return pattern.check->evaluate({module_, call, &facts_, bound});
        };
    }

    /// Of what a call is bound to, or of an argument by its place in a call that uses it.
    ExprId expression_of(const relax::Matched& matched) {
        if (places_.empty()) note_places();
        const auto found = matched.variable == relax::kNone ? places_.end() : places_.find(matched.variable);
        return found == places_.end() ? ExprId() : found->second;
    }

    void note_places() {
        const Module& module = module_;
        for (const auto& function : text_.program.functions)
            for (const relax::Block& block : function->blocks)
                for (const relax::Binding& binding : block.bindings) {
                    const ExprId made = expression_of(binding);
                    if (!made.valid()) continue;
                    if (binding.variable != relax::kNone) places_[binding.variable] = made;
                    if (module.kind(made) != ExprKind::Call || !binding.value.is(relax::Expression::Kind::Call))
                        continue;
                    const auto& operands = binding.value.operands;
                    for (size_t i = 1; i < operands.size() && i <= module.arguments(made).size(); ++i)
                        if (operands[i].is(relax::Expression::Kind::Variable))
                            places_.emplace(operands[i].index, module.arguments(made)[i - 1]);
                }
    }

    const PartitionerInput& input_;
    const relax::Text& text_;
    const Module none_;
    const Module& module_;
    ModuleFacts facts_;
    std::vector<relax::FusionPattern> patterns_;
    std::vector<std::shared_ptr<const Pattern>> of_rules_;
    std::map<std::string, std::string> backend_of_;  ///< by compiler
    std::unordered_map<relax::VariableNumber, ExprId> places_;
};

/// Those of patterns; a rule for an operator is told by itself.
void add_matches(const PartitionerInput& input, const relax::Text& text, const std::vector<relax::PassMatch>& matches,
                 Division& division) {
    std::set<std::string_view> patterns;
    for (const BackendDescription& backend : input.backends)
        for (const CompositePattern& pattern : backend.patterns) patterns.insert(pattern.name);
    for (const relax::PassMatch& match : matches) {
        DivisionMatch made{match.pattern, node_of(text, match.root), {}, match.taken};
        for (uint32_t source : match.sources)
            if (const NodeId node = node_of(text, source); node.valid()) made.nodes.push_back(node);
        if (made.root.valid() && patterns.count(match.pattern)) division.matches.push_back(std::move(made));
    }
}

/// Whether somebody here takes what the file's own composites give to a compiler.
bool is_backend(const PartitionerInput& input, const std::string& name) {
    const auto has_name = [&](const auto& each) { return each.name == name; };
    return std::any_of(input.backends.begin(), input.backends.end(), has_name) ||
           std::any_of(input.verdicts.backends.begin(), input.verdicts.backends.end(), has_name);
}

/// Those in the blocks of functions: patterns are not matched in what these hold.
std::vector<bool> nodes_of_blocks(const Graph& graph, const relax::Text& text) {
    std::vector<bool> found(graph.nodes.size());
    for (const auto& function : text.program.functions)
        for (const relax::Block& block : function->blocks)
            for (const relax::Binding& binding : block.bindings)
                if (const NodeId node = node_of(text, binding.source); node.valid()) found[node.value] = true;
    return found;
}

/// `of_others`: nodes in composites for a compiler that is no backend here.
void add_notes(const PartitionerInput& input, const relax::Text& text, const std::vector<relax::PassNote>& notes,
               const std::vector<NodeId>& of_others, Division& division) {
    const std::vector<int32_t> region_of = regions_by_node(input.graph, division);
    std::vector<bool> has_note(input.graph.nodes.size());
    for (NodeId node : of_others) {
        has_note[node.value] = true;
        division.notes.push_back(
            {node,
             {},
             SENTENCE("Engine", "the file has it in a composite for a compiler that is no backend here"),
             {}});
    }
    std::map<std::pair<uint32_t, uint32_t>, bool> pairs;
    for (const relax::PassNote& note : notes) {
        DivisionNote made;
        made.form = note.form;
        made.subject = node_of(text, note.subject);
        if (note.other != relax::kNone) made.other = node_of(text, note.other);
        if (!made.subject.valid() || (note.other != relax::kNone && !made.other.valid())) continue;
        for (uint32_t named : note.named) made.named.push_back(node_of(text, named));
        if (std::any_of(made.named.begin(), made.named.end(), [](NodeId node) { return !node.valid(); })) continue;
        if (made.other.valid() && !pairs.emplace(std::pair(made.subject.value, made.other.value), true).second)
            continue;
        if (!made.other.valid() && (region_of[made.subject.value] >= 0 || has_note[made.subject.value])) continue;
        if (!made.other.valid()) has_note[made.subject.value] = true;
        division.notes.push_back(std::move(made));
    }
    const std::vector<bool> is_searched = nodes_of_blocks(input.graph, text);
    for (uint32_t i = 0; i < region_of.size(); ++i)
        if (region_of[i] < 0 && !has_note[i] && input.verdicts.first(NodeId(i)) >= 0)
            division.notes.push_back({NodeId(i),
                                      {},
                                      is_searched[i]
                                          ? SENTENCE("Engine", "no pattern matches here, so that it is in no composite")
                                          : SENTENCE("Engine", "it is in a branch, which is no dataflow block"),
                                      {}});
    note_borders(input, division, [&](NodeId from, NodeId to) {
        DivisionNote note;
        if (!pairs.count({to.value, from.value}))
            note.form = SENTENCE(
                "Engine",
                "it is no argument of a composite of the same compiler: what stands between is in no composite");
        return note;
    });
}

}  // namespace

Result<Division> divide_as_relax(const PartitionerInput& input) {
    std::shared_ptr<const relax::Text> text = input.graph.relax;
    if (!text) {
        Result<relax::Text> made = relax::program_of_graph(input.graph, input.links);
        if (!made) return made.error();
        text = std::make_shared<const relax::Text>(std::move(*made));
    }
    RelaxPatterns source(input, *text);
    Result<std::vector<relax::FusionPattern>> patterns = source.make();
    if (!patterns) return patterns.error();
    relax::PassOptions options;
    options.binds_constants = input.option("bind-constants") != "no";
    options.annotates_codegen = input.option("annotate-codegen") == "yes";
    options.version_26 = input.option("version") == "0.26";
    options.cancel = input.cancel;
    if (!input.verdicts.groups.empty())
        options.group_of = [&](uint32_t source) {
            const NodeId node = node_of(*text, source);
            return node.valid() ? input.verdicts.groups[node.value] : 0;
        };
    Result<relax::PassResult> result = relax::run_passes(text->program, *patterns, options);
    if (!result) return result.error();
    Division division;
    std::vector<NodeId> of_others;
    for (const relax::CompilerRegion& region : result->regions) {
        DividedRegion made{source.backend_of(region.compiler), {}, {}, {}};
        for (uint32_t binding : region.sources)
            if (const NodeId node = node_of(*text, binding); node.valid()) made.nodes.push_back(node);
        if (!is_backend(input, made.backend)) of_others.insert(of_others.end(), made.nodes.begin(), made.nodes.end());
        else if (!made.nodes.empty()) division.regions.push_back(std::move(made));
    }
    add_matches(input, *text, result->matches, division);
    add_notes(input, *text, result->notes, of_others, division);
    if (input.graph.relax) division.relax = std::make_shared<const relax::Program>(std::move(result->program));
    return division;
}

}  // namespace partita
