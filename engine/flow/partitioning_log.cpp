// What a division by a partitioner of the table records of its decisions, in expressions of the module.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/flow/names.h"
#include "engine/flow/node_calls.h"
#include "engine/flow/partitioning.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

Sentence reason(const DivisionNote& note, const Graph& graph, const ExpressionNames& names) {
    Sentence sentence{note.form, {}};
    for (NodeId node : note.named)
        sentence.values.emplace_back(graph[node].expression.valid() ? names.name(graph[node].expression)
                                                                    : on_one_line(node_title(graph, node)));
    return sentence;
}

/// Nodes that became no call are not told of.
bool is_of_calls(const DivisionNote& note, const Graph& graph) {
    return graph[note.subject].expression.valid() && (!note.other.valid() || graph[note.other].expression.valid());
}

/// A node that became no call, as a cast to the same type: what it uses and what uses it stand side by side here.
void log_through_lost_nodes(const PartitionedGraph& made, const NodeCalls& calls, DecisionLog& log) {
    constexpr size_t kMostSources = 8;
    const Graph& graph = *made.graph;
    const NodeLinks links(graph);
    std::vector<bool> is_lost;
    std::set<ExprId> met;  // several nodes may have become one call
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
        is_lost.push_back(calls.of(NodeId(i)).empty() || !met.insert(graph.nodes[i].expression).second);
    std::vector<std::vector<NodeId>> sources(graph.nodes.size());  // of lost nodes: the calls before them
    const auto note = [&](NodeId from, NodeId between, NodeId to) {
        Decision decision{};
        decision.pass = PassKind::Merge;
        decision.kind = DecisionKind::PutApart;
        decision.subject = graph[to].expression;
        decision.other = graph[from].expression;
        decision.region = made.region_of[decision.subject.value];
        decision.other_region = made.region_of[decision.other.value];
        decision.backend = made.backend_of[decision.subject.value];
        decision.detail = {SENTENCE("Engine", "%1 stands between them in the file, and became no call here"),
                           {on_one_line(node_title(graph, between))}};
        const bool are_apart = decision.region >= 0 && decision.region != decision.other_region;
        if (are_apart && decision.backend == made.backend_of[decision.other.value]) log.add(std::move(decision));
    };
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
        for (NodeId before : links.before(NodeId(i))) {
            if (!is_lost[before.value]) {
                if (is_lost[i]) sources[i].push_back(before);
                continue;
            }
            for (NodeId source : sources[before.value])
                if (!is_lost[i]) note(source, before, NodeId(i));
                else if (sources[i].size() < kMostSources) sources[i].push_back(source);
        }
}

/// Each body of a file is divided by itself: what a loop computes stands beside what it is given here. And a region
/// that waited for itself was taken apart.
void log_made_borders(const PartitionedGraph& made, const NodeCalls& calls, const Module& module, DecisionLog& log) {
    const Graph& graph = *made.graph;
    if (graph.scopes.empty() && made.part_of.empty()) return;
    std::vector<uint32_t> scope_of(module.size(), UINT32_MAX);
    for (uint32_t scope = 0; scope < graph.scopes.size(); ++scope)
        for (NodeId node : graph.scopes[scope].nodes)
            for (ExprId call : calls.of(node)) scope_of[call.value] = scope;
    const auto whole = [&made](int32_t region) {
        const auto found = made.part_of.find(region);
        return found == made.part_of.end() ? region : found->second;
    };
    std::set<std::pair<int32_t, int32_t>> met;
    const auto look_at = [&](ExprId from, ExprId to) {
        const int32_t before = made.region_of[from.value], behind = made.region_of[to.value];
        if (before < 0 || behind < 0 || before == behind) return;
        const bool are_parts = whole(before) == whole(behind);
        if ((!are_parts && scope_of[from.value] == scope_of[to.value]) ||
            made.backend_of[from.value] != made.backend_of[to.value] || !met.emplace(before, behind).second)
            return;
        Decision decision{};
        decision.pass = PassKind::Merge;
        decision.kind = DecisionKind::PutApart;
        decision.subject = to;
        decision.other = from;
        decision.region = behind;
        decision.other_region = before;
        decision.backend = made.backend_of[to.value];
        decision.detail = {
            are_parts ? SENTENCE("Engine", "as one region they would wait for themselves, so that it was taken apart")
                      : SENTENCE("Engine", "they are in different graphs of the file, as a loop's body is one"),
            {}};
        log.add(std::move(decision));
    };
    std::vector<uint32_t> seen(module.size(), UINT32_MAX);
    for (uint32_t i = 0; i < module.size(); ++i) {
        if (module.kind(ExprId(i)) != ExprKind::Call || made.region_of[i] < 0) continue;
        const std::span<const ExprId> arguments = module.arguments(ExprId(i));
        std::vector<ExprId> open(arguments.begin(), arguments.end());
        while (!open.empty()) {  // through tuples and projections
            const ExprId id = open.back();
            open.pop_back();
            const ExprKind kind = module.kind(id);
            if (kind == ExprKind::Call) look_at(id, ExprId(i));
            else if ((kind == ExprKind::Tuple || kind == ExprKind::Projection) && std::exchange(seen[id.value], i) != i)
                open.insert(open.end(), module.operands(id).begin(), module.operands(id).end());
        }
    }
}

/// What the partitioner noted.
void log_notes(const PartitionedGraph& made, const NodeCalls& calls, const Module& module, DecisionLog& log) {
    const ExpressionNames names(module);
    for (const DivisionNote& note : made.division.notes) {
        if (!is_of_calls(note, *made.graph)) continue;
        Decision decision{};
        decision.pass = PassKind::Merge;
        decision.subject = (*made.graph)[note.subject].expression;
        decision.region = made.region_of[decision.subject.value];
        decision.backend = made.backend_of[decision.subject.value];
        decision.detail = reason(note, *made.graph, names);
        if (note.other.valid()) {
            decision.kind = DecisionKind::PutApart;
            decision.other = (*made.graph)[note.other].expression;
            decision.other_region = made.region_of[decision.other.value];
            log.add(std::move(decision));
        } else {
            decision.kind = DecisionKind::LeftOut;
            // Another backend may take what one left out.
            if (decision.region >= 0) decision.backend = made.verdicts.first(note.subject);
            if (decision.region >= 0 && decision.backend == made.backend_of[decision.subject.value]) continue;
            for (ExprId call : calls.of(note.subject)) {
                decision.subject = call;
                log.add(decision);
            }
        }
    }
    log_through_lost_nodes(made, calls, log);
    log_made_borders(made, calls, module, log);
}

/// Which calls go to a backend since they are of a node that does, where nothing else puts them there.
void log_parts_of_nodes(const PartitionedGraph& made, const NodeCalls& calls, DecisionLog& log) {
    using Kind = DecisionKind;
    std::set<std::pair<ExprId, int16_t>> placed;
    for (const Decision& decision : log.decisions()) {
        const Kind kind = decision.kind;
        if (kind == Kind::Accepted || kind == Kind::Overridden || kind == Kind::ByCost || kind == Kind::Inherited)
            placed.emplace(decision.subject, int16_t(decision.backend));
        if (kind == Kind::PatternMatched)
            for (ExprId part : decision.path) placed.emplace(part, made.backend_of[part.value]);
    }
    for (uint32_t i = 0; i < made.graph->nodes.size(); ++i) {
        if (calls.of(NodeId(i)).size() < 2) continue;
        for (ExprId call : calls.of(NodeId(i))) {
            const int16_t backend = made.backend_of[call.value];
            if (backend < 0 || placed.count({call, backend})) continue;
            Decision decision{};
            decision.pass = PassKind::Place;
            decision.kind = Kind::Inherited;
            decision.subject = call;
            decision.backend = backend;
            decision.rule = "node";
            decision.detail = {SENTENCE("Engine", "it is a part of the file's node %1, which goes there as a whole"),
                               {on_one_line(node_title(*made.graph, NodeId(i)))}};
            log.add(std::move(decision));
        }
    }
}

/// Which calls a backend would take but for the partitioner, which divides nodes: they are inside of one.
void log_calls_of_no_node(const PartitionedGraph& made, const NodeCalls& calls, const Module& module,
                          DecisionLog& log) {
    std::vector<bool> has_node(module.size());
    for (uint32_t i = 0; i < made.graph->nodes.size(); ++i)
        for (ExprId call : calls.of(NodeId(i))) has_node[call.value] = true;
    std::set<ExprId> taken;
    for (const Decision& decision : log.decisions())
        if ((decision.kind == DecisionKind::Accepted || decision.kind == DecisionKind::Overridden) &&
            decision.subject.valid() && !has_node[decision.subject.value] &&
            made.backend_of[decision.subject.value] < 0)
            taken.insert(decision.subject);
    for (ExprId call : taken) {
        Decision decision{};
        decision.pass = PassKind::Merge;
        decision.kind = DecisionKind::LeftOut;
        decision.subject = call;
        decision.backend = -1;
        decision.detail = {SENTENCE("Engine", "the nodes of the file are divided, and this is none of them by itself"),
                           {}};
        log.add(std::move(decision));
    }
}

/// A node of which a person gave calls to different backends goes to none.
void log_given_apart(const PartitionedGraph& made, const NodeCalls& calls, DecisionLog& log) {
    const std::vector<std::string>& given = made.verdicts.by_hand;
    if (given.empty()) return;
    std::set<ExprId> to_backends;
    for (const Decision& decision : log.decisions())
        if (decision.kind == DecisionKind::Overridden && decision.backend >= 0) to_backends.insert(decision.subject);
    for (uint32_t i = 0; i < given.size(); ++i)
        for (ExprId call : calls.of(NodeId(i))) {
            if (given[i] != "default" || !to_backends.count(call)) continue;
            Decision decision{};
            decision.pass = PassKind::Merge;
            decision.kind = DecisionKind::LeftOut;
            decision.subject = call;
            decision.detail = {
                SENTENCE("Engine", "you gave other calls of the file's node %1 elsewhere: it goes to none"),
                {on_one_line(node_title(*made.graph, NodeId(i)))}};
            log.add(std::move(decision));
        }
}

/// A node goes as a whole: that one of its calls is refused keeps the others back.
void log_kept_back(const PartitionedGraph& made, const NodeCalls& calls, const Module& module, DecisionLog& log) {
    std::set<std::pair<ExprId, int>> accepted;
    for (const Decision& decision : log.decisions())
        if (decision.kind == DecisionKind::Accepted) accepted.emplace(decision.subject, decision.backend);
    const ExpressionNames names(module);
    const auto note = [&](NodeId node, int backend) {
        const std::span<const ExprId> of = calls.of(node);
        const auto refused = std::find_if(of.begin(), of.end(), [&](ExprId call) {
            return !accepted.count({call, backend}) && decides(module, of, call);
        });
        for (ExprId call : of) {
            if (refused == of.end() || !accepted.count({call, backend})) continue;
            Decision decision{};
            decision.pass = PassKind::Merge;
            decision.kind = DecisionKind::LeftOut;
            decision.subject = call;
            decision.backend = backend;
            decision.detail = {SENTENCE("Engine", "the file's node %1 goes as a whole, and %2 is not accepted"),
                               {on_one_line(node_title(*made.graph, node)), names.name(*refused)}};
            log.add(std::move(decision));
        }
    };
    for (uint32_t i = 0; i < made.graph->nodes.size(); ++i) {
        const std::span<const ExprId> of = calls.of(NodeId(i));
        if (of.size() < 2 || made.region_of[of.front().value] >= 0) continue;
        for (size_t backend = 0; backend < made.verdicts.backends.size(); ++backend)
            if (!made.verdicts.backends[backend].takes[i]) note(NodeId(i), int(backend));
    }
}

}  // namespace

void log_matches(const PartitionedGraph& made, const Module& module, DecisionLog& log) {
    if (made.division.matches.empty()) return;
    const NodeCalls calls(*made.graph, module);
    std::set<std::pair<uint32_t, std::string>> known;
    for (const Decision& decision : log.decisions())
        if (decision.pass == PassKind::Composite) known.emplace(decision.subject.value, decision.rule);
    const auto expression = [&](NodeId node) { return (*made.graph)[node].expression; };
    for (const DivisionMatch& match : made.division.matches) {
        Decision decision{};
        decision.pass = PassKind::Composite;
        decision.kind = match.taken ? DecisionKind::PatternMatched : DecisionKind::PatternRefused;
        if (!match.taken) {
            decision.refusal = PatternRefusal::CheckFalse;
            decision.detail = {SENTENCE("Engine", "its check is false"), {}};
        }
        decision.subject = expression(match.root);
        decision.rule = match.pattern;
        for (NodeId node : match.nodes)
            decision.path.insert(decision.path.end(), calls.of(node).begin(), calls.of(node).end());
        if (known.emplace(decision.subject.value, match.pattern).second) log.add(std::move(decision));
    }
}

void log_division(const PartitionedGraph& made, const Module& module, DecisionLog& log) {
    const NodeCalls calls(*made.graph, module);
    if (!made.verdicts.backends.empty()) log_parts_of_nodes(made, calls, log);  // else the division was stated
    log_given_apart(made, calls, log);
    if (!made.verdicts.backends.empty()) log_kept_back(made, calls, module, log);
    log_calls_of_no_node(made, calls, module, log);
    log_notes(made, calls, module, log);
}

}  // namespace partita
