#include "engine/flow/partitioning.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/flow/names.h"
#include "engine/flow/node_calls.h"
#include "engine/flow/pipeline.h"
#include "engine/flow/reported_division.h"
#include "engine/graph/graph_of_module.h"
#include "engine/ir/file_operators.h"
#include "engine/ir/traversal.h"
#include "engine/passes/scopes.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

constexpr std::string_view kOnnxRuntime = "ONNX Runtime";

/// A report of a file tells of its nodes.
bool divides_file(const FlowOptions& options) {
    const Partitioner* partitioner = find_partitioner(options.partitioner.name);
    return options.graph_of_file && (options.as_reported() || (partitioner && partitioner->divides_file));
}

/// A node in a loop that was unrolled is a call for each turn: where a region of such nodes waits for itself, it is as
/// many regions as that takes.
Status split_what_waits(PartitionedGraph& made, const Module& module, const FlowOptions& options) {
    const std::shared_ptr<const Graph> calls = graph_of_calls(module);
    const NodeLinks links(*calls);
    const auto region_of = [&](const PlainNode& call) -> int32_t& { return made.region_of[call.expression.value]; };
    Division division;
    for (const std::string& backend : made.backends) division.regions.push_back({backend, {}, {}, {}});
    for (uint32_t i = 0; i < calls->nodes.size(); ++i)
        if (const int32_t region = region_of(calls->nodes[i]); region >= 0)
            division.regions[size_t(region)].nodes.push_back(NodeId(i));
    std::set<uint32_t> waiting;
    for (const Unsound& unsound : check_division(*calls, links, division))
        waiting.insert(unsound.regions.begin(), unsound.regions.end());
    if (waiting.empty()) return Nothing();
    Verdicts verdicts;
    std::vector<int32_t> whole_of(calls->nodes.size(), -1);
    for (uint32_t region : waiting) {
        Verdicts::OfBackend of{made.backends[region], std::vector<bool>(calls->nodes.size())};
        for (NodeId node : division.regions[region].nodes) {
            of.takes[node.value] = true;
            whole_of[node.value] = int32_t(region);
            region_of((*calls)[node]) = -1;
        }
        verdicts.backends.push_back(std::move(of));
    }
    const Result<Division> split = divide_into_components({*calls, links, verdicts, {}, options.cancel});
    if (!split) return split.error();
    for (const DividedRegion& region : split->regions) {
        made.part_of.emplace(int32_t(made.backends.size()), whole_of[region.nodes.front().value]);
        for (NodeId node : region.nodes) region_of((*calls)[node]) = int32_t(made.backends.size());
        made.backends.push_back(region.backend);
    }
    return Nothing();
}

/// What a report says of each node of a graph; null of those that it does not tell of. A node of a file need not have
/// become a call.
std::vector<const ReportedNode*> reported_nodes(const Module& module, const Graph& graph, const FlowOptions& options) {
    std::vector<const ReportedNode*> nodes;
    const bool are_of_file = divides_file(options) && options.reported->nodes.size() == graph.nodes.size();
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const ExprId call = graph.nodes[i].expression;
        nodes.push_back(are_of_file    ? &options.reported->nodes[i]
                        : call.valid() ? options.reported->find(module, call)
                                       : nullptr);
    }
    return nodes;
}

/// What a report says that a backend would take or, where it says nothing of that, what it took.
Verdicts::OfBackend reported_verdicts(const std::vector<const ReportedNode*>& nodes, const ReportedDivision& reported,
                                      const std::string& backend) {
    Verdicts::OfBackend of{backend, {}};
    for (const ReportedNode* node : nodes) of.takes.push_back(node && reported.takes(*node, backend));
    return of;
}

/// No report tells why neighbours on one backend are in two regions. Of ONNX Runtime the way that leads from one wave
/// to the next does.
void note_why_apart(const std::vector<const ReportedNode*>& nodes, const Graph& graph, const ReportedDivision& reported,
                    Division& division) {
    const NodeLinks links(graph);
    Verdicts verdicts;
    for (const std::string& backend : reported.backends)
        if (backend != reported.last_resort()) verdicts.backends.push_back(reported_verdicts(nodes, reported, backend));
    const PartitionerInput input{graph, links, verdicts, {}, {}};
    std::map<std::pair<NodeId, NodeId>, DivisionNote> waves;
    if (reported.program == kOnnxRuntime)
        if (const Result<Division> made = run_partitioner(*find_partitioner("onnxruntime"), input))
            for (const DivisionNote& note : made->notes) waves.emplace(std::pair(note.other, note.subject), note);
    note_borders(input, division, [&waves](NodeId from, NodeId to) {
        const auto found = waves.find({from, to});
        if (found != waves.end()) return found->second;
        return DivisionNote{{}, {}, SENTENCE("Engine", "the file does not say why"), {}};
    });
}

Division as_reported(const Module& module, const Graph& graph, const FlowOptions& options) {
    const ReportedDivision& reported = *options.reported;
    const std::vector<const ReportedNode*> nodes = reported_nodes(module, graph, options);
    Division division;
    std::vector<int32_t> place(reported.regions.size(), -1);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i] || nodes[i]->region < 0) continue;
        int32_t& at = place[size_t(nodes[i]->region)];
        if (at < 0) {
            at = int32_t(division.regions.size());
            const int16_t backend = reported.regions[size_t(nodes[i]->region)];
            division.regions.push_back({reported.backends[size_t(backend)], {}, {}, {}});
        }
        division.regions[size_t(at)].nodes.push_back(NodeId(i));
    }
    note_why_apart(nodes, graph, reported, division);
    return division;
}

/// What a program decided need not be able to run: the program itself then ends later.
Status check_reported(const Graph& graph, const Division& division) {
    const std::vector<Unsound> unsound = check_division(graph, NodeLinks(graph), division);
    if (unsound.empty()) return Nothing();
    std::string path;
    for (NodeId node : unsound.front().path)
        path += (path.empty() ? "" : " -> ") + on_one_line(node_title(graph, node));
    return error("what was reported can't run: groups that were made one wait for each other: " + path);
}

/// Where a person gave calls elsewhere nothing states the division: it is made as the program makes its own, and what
/// takes the rest gets the rest.
Result<Division> changed_by_hand(const Graph& graph, const Verdicts& verdicts, const FlowOptions& options) {
    const NodeLinks links(graph);
    Verdicts asked, rest;
    for (const Verdicts::OfBackend& backend : verdicts.backends)
        (backend.name == options.reported->last_resort() ? rest : asked).backends.push_back(backend);
    const bool in_waves = options.reported->program == kOnnxRuntime;
    Result<Division> division = run_partitioner(*find_partitioner(in_waves ? "onnxruntime" : "components"),
                                                {graph, links, asked, {}, options.cancel});
    if (!division) return division;
    const std::vector<int32_t> region_of = regions_by_node(graph, *division);
    for (Verdicts::OfBackend& backend : rest.backends)
        for (size_t i = 0; i < region_of.size(); ++i) backend.takes[i] = backend.takes[i] && region_of[i] < 0;
    Result<Division> of_rest =
        divide_rest_into_components({graph, links, rest, {}, options.cancel}, with_contents(graph, region_of));
    if (!of_rest) return of_rest;
    division->regions.insert(division->regions.end(), of_rest->regions.begin(), of_rest->regions.end());
    return division;
}

/// A node whose calls were given to different ones goes to none.
std::vector<std::string> given_by_hand(const NodeCalls& calls, const Graph& graph, const Overrides& overrides) {
    std::vector<std::string> given(graph.nodes.size());
    for (uint32_t i = 0; i < given.size(); ++i)
        for (ExprId call : calls.of(NodeId(i))) {
            const auto found = overrides.find(call);
            if (found == overrides.end()) continue;
            given[i] = given[i].empty() || given[i] == found->second ? found->second : "default";
        }
    return given;
}

std::vector<int> groups_by_hand(const Graph& graph, const Module& module, const RegionGroups& given) {
    const NodeCalls calls(graph, module);
    std::vector<int> groups(graph.nodes.size());
    for (uint32_t i = 0; i < groups.size(); ++i)
        for (ExprId call : calls.of(NodeId(i)))
            if (const auto found = given.find(call); found != given.end())
                groups[i] = std::max(groups[i], found->second);
    return groups;
}

}  // namespace

std::shared_ptr<const Graph> graph_of_calls(const Module& module) {
    const std::vector<std::string> names = node_names(module);
    return std::make_shared<const Graph>(graph_of_module(module, [&](ExprId call) { return names[call.value]; }));
}

bool asks_about_calls(const BackendDescription& backend) { return backend.has_rules() && !backend.of_file; }

bool needs_calls(const std::string& partitioner, const Graph& graph, bool of_calls) {
    const Partitioner* found = find_partitioner(partitioner);
    return found && found->matches_calls && !graph.relax && of_calls;
}

Result<std::shared_ptr<const Graph>> graph_to_divide(const ModulePtr& module, const FlowOptions& options) {
    if (divides_file(options)) return options.graph_of_file(*module);
    const bool of_calls = std::any_of(options.backends.begin(), options.backends.end(), asks_about_calls);
    if (options.graph && options.graph->module.lock() == module &&
        !needs_calls(options.partitioner.name, *options.graph, of_calls))
        return options.graph;
    return graph_of_calls(*module);
}

Result<Verdicts> ask_backends(const ModulePtr& module, const Graph& graph, const FlowOptions& options,
                              const DroppedCalls& dropped) {
    const NodeCalls calls(graph, *module);
    Verdicts verdicts;
    std::vector<std::string>& given = verdicts.by_hand;
    if (!options.overrides.empty()) given = given_by_hand(calls, graph, options.overrides);
    for (uint32_t i = 0; !dropped.empty() && i < graph.nodes.size(); ++i)
        verdicts.dropped.push_back(std::any_of(calls.of(NodeId(i)).begin(), calls.of(NodeId(i)).end(),
                                               [&](ExprId call) { return dropped.count(call) > 0; }));
    // `accepts(node, call)`: what is said of a call where nobody assigned it.
    const auto add = [&](const std::string& backend, auto accepts) {
        Verdicts::OfBackend of{backend, std::vector<bool>(graph.nodes.size())};
        for (uint32_t i = 0; i < graph.nodes.size(); ++i)
            of.takes[i] = calls.all_of(NodeId(i), [&](ExprId call) {
                if (given.empty() || given[i].empty())
                    return !dropped.count(call) && (accepts(i, call) || !decides(*module, calls.of(NodeId(i)), call));
                return given[i] == backend;
            });
        verdicts.backends.push_back(std::move(of));
    };
    std::vector<const ReportedNode*> reported;
    if (options.reported) reported = reported_nodes(*module, graph, options);
    for (const BackendDescription& backend : options.backends) {
        if (options.reported) {
            if (backend.name == options.reported->last_resort() && !options.as_reported()) continue;
            const Verdicts::OfBackend said = reported_verdicts(reported, *options.reported, backend.name);
            add(backend.name, [&](uint32_t node, ExprId) { return said.takes[node]; });
            continue;
        }
        if (backend.operators && options.graph.get() == &graph) {
            const std::vector<bool> takes = taken_operators(backend, *backend.operators, graph, options.cancel);
            add(backend.name, [&](uint32_t node, ExprId) { return takes[node]; });
            for (uint32_t i = 0; i < graph.nodes.size(); ++i)  // one that became no call is taken as it stands
                if (calls.of(NodeId(i)).empty()) verdicts.backends.back().takes[i] = takes[i];
            continue;
        }
        FlowOptions alone;
        alone.backends = {backend};
        alone.composite = options.composite;
        alone.annotate_options = options.annotate_options;
        alone.until = FlowStage::Annotate;
        alone.log_decisions = false;
        alone.cancel = options.cancel;
        const Result<FlowResult> asked = Pipeline(module, alone, {}, nullptr).run();
        if (!asked) return asked.error();
        add(backend.name, [&](uint32_t, ExprId call) { return asked->backend_of[call.value] >= 0; });
    }
    return verdicts;
}

std::vector<bool> taken_operators(const BackendDescription& backend, const FileOperators& operators, const Graph& graph,
                                  const CancelToken& cancel) {
    const StatedOperators& stated = operators.get();
    const Placement placement = place(stated.module, {&backend, 1}, {}, nullptr, cancel);
    std::vector<bool> takes;
    for (const PlainNode& node : graph.nodes) {
        const auto found = stated.by_name.find(node.name);
        takes.push_back(found != stated.by_name.end() && placement.backend_of[found->second.value] >= 0);
    }
    return takes;
}

/// A function lies in one branch: what a region has in others are regions of their own.
void PartitionedGraph::place_regions(const Module& module, const std::vector<BackendDescription>& known) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    const ScopeTable scopes(module, post_order(module, roots));
    const NodeCalls calls(*graph, module);
    for (const DividedRegion& region : division.regions) backends.push_back(region.backend);
    region_of.assign(module.size(), -1);
    backend_of.assign(module.size(), -1);
    for (size_t i = 0; i < division.regions.size(); ++i) {
        const auto backend = std::find_if(known.begin(), known.end(), [&](const BackendDescription& description) {
            return description.name == division.regions[i].backend;
        });
        std::map<uint32_t, int32_t> at;  // by place
        const auto place = [&](ExprId call) {
            const int32_t next = at.empty() ? int32_t(i) : int32_t(backends.size());
            const auto [found, is_new] = at.try_emplace(scopes.place(call), next);
            if (is_new && next != int32_t(i)) backends.push_back(backends[i]);
            region_of[call.value] = found->second;
            backend_of[call.value] = backend == known.end() ? int16_t(-1) : int16_t(backend - known.begin());
            if (composite_name(module, call).empty()) return;
            for (ExprId part : post_order(module, module.body(module.callee(call)))) {  // of the file's own
                if (module.kind(part) != ExprKind::Call) continue;
                region_of[part.value] = region_of[call.value];
                backend_of[part.value] = backend_of[call.value];
            }
        };
        for (NodeId node : division.regions[i].nodes)
            for (ExprId call : calls.of(node)) place(call);
        if (at.empty() && !division.regions[i].nodes.empty()) lost.push_back(uint32_t(i));
    }
}

/// Regions in which a person keeps nodes apart become several, the first in their place.
static void part_groups(PartitionedGraph& made) {
    const std::vector<int>& groups = made.verdicts.groups;
    if (groups.empty()) return;
    const std::vector<int32_t> before = regions_by_node(*made.graph, made.division);
    std::vector<DividedRegion> parts;
    for (DividedRegion& region : made.division.regions) {
        std::map<int, size_t> place;  // in `parts`, by group
        for (NodeId node : region.nodes) {
            const auto [at, is_new] = place.try_emplace(groups[node.value], parts.size());
            if (is_new) parts.push_back({region.backend, {}, {}, {}});
            parts[at->second].nodes.push_back(node);
        }
        if (place.size() == 1) parts.back() = std::move(region);
    }
    made.is_changed = true;
    made.division.regions = std::move(parts);
    complete_boundaries(*made.graph, made.division);
    note_borders({*made.graph, NodeLinks(*made.graph), {}, {}, {}}, made.division, [&before](NodeId from, NodeId to) {
        const bool were_one = before[from.value] == before[to.value];
        return DivisionNote{{}, {}, were_one ? SENTENCE("Engine", "you keep them apart") : "", {}};
    });
}

/// Takes out of the regions what a person gave elsewhere. Some partitioners take nodes along that nobody takes.
static void take_out(PartitionedGraph& made, const std::vector<std::string>& given) {
    for (DividedRegion& region : made.division.regions) {
        const auto leaves = [&](NodeId node) {
            return !given[node.value].empty() && given[node.value] != region.backend;
        };
        if (std::erase_if(region.nodes, leaves) == 0) continue;
        region.inputs = region.outputs = {};
        made.is_changed = true;
    }
    std::erase_if(made.division.regions, [](const DividedRegion& region) { return region.nodes.empty(); });
}

/// A division that was stated, but for what a person gave elsewhere since: each such node is a region of its own.
static void change_stated(PartitionedGraph& made, const Module& module, const Overrides& overrides) {
    made.verdicts.by_hand = given_by_hand(NodeCalls(*made.graph, module), *made.graph, overrides);
    const std::vector<std::string>& given = made.verdicts.by_hand;
    take_out(made, given);
    const std::vector<int32_t> region_of = regions_by_node(*made.graph, made.division);
    for (uint32_t i = 0; i < given.size(); ++i)
        if (region_of[i] < 0 && !given[i].empty() && given[i] != "default")
            made.division.regions.push_back({given[i], {NodeId(i)}, {}, {}});
    complete_boundaries(*made.graph, made.division);
    made.division.notes.clear();
    made.is_changed = true;
    note_borders({*made.graph, NodeLinks(*made.graph), {}, {}, {}}, made.division, [](NodeId, NodeId) {
        return DivisionNote{
            {}, {}, SENTENCE("Engine", "the division that was given, with the changes by hand, puts them apart"), {}};
    });
}

static Status place_on_calls(PartitionedGraph& made, const Module& module, const FlowOptions& options) {
    made.place_regions(module, options.backends);
    return made.is_changed || divides_file(options) ? split_what_waits(made, module, options) : Nothing();
}

Result<PartitionedGraph> partition_by_table(const ModulePtr& module, const FlowOptions& options,
                                            const DroppedCalls& dropped) {
    PartitionedGraph made;
    Result<std::shared_ptr<const Graph>> graph = graph_to_divide(module, options);
    if (!graph) return graph.error();
    made.graph = std::move(*graph);
    if (options.as_reported()) {
        Result<Division> division = as_reported(*module, *made.graph, options);
        if (!options.overrides.empty()) {
            const Result<Verdicts> verdicts = ask_backends(module, *made.graph, options, dropped);
            if (!verdicts) return verdicts.error();
            division = changed_by_hand(*made.graph, *verdicts, options);
        }
        if (!division) return division.error();
        if (Status sound = check_reported(*made.graph, *division); !sound) return sound.error();
        made.division = std::move(*division);
        if (!options.region_groups.empty())
            made.verdicts.groups = groups_by_hand(*made.graph, *module, options.region_groups);
        part_groups(made);
        if (Status placed = place_on_calls(made, *module, options); !placed) return placed.error();
        return made;
    }
    const Partitioner* partitioner = find_partitioner(options.partitioner.name);
    if (!partitioner) return error("there is no partitioner " + in_quotes(options.partitioner.name));
    Result<Verdicts> verdicts = Verdicts();
    if (partitioner->asks_backends) verdicts = ask_backends(module, *made.graph, options, dropped);
    if (!verdicts) return verdicts.error();
    if (!options.region_groups.empty()) verdicts->groups = groups_by_hand(*made.graph, *module, options.region_groups);
    Result<Division> division =
        run_partitioner(*partitioner, {*made.graph, NodeLinks(*made.graph), *verdicts, options.partitioner.options,
                                       options.cancel, options.backends, module.get()});
    if (!division) return division.error();
    if (!division->error.empty())
        return error("the partitioner " + options.partitioner.name + " ends with: " + division->error);
    made.division = std::move(*division);
    made.verdicts = std::move(*verdicts);
    if (!partitioner->matches_calls) part_groups(made);
    if (!made.verdicts.by_hand.empty()) {
        take_out(made, made.verdicts.by_hand);
        complete_boundaries(*made.graph, made.division);
    }
    if (!partitioner->asks_backends && !options.overrides.empty()) change_stated(made, *module, options.overrides);
    for (const DividedRegion& region : made.division.regions)
        if (std::none_of(options.backends.begin(), options.backends.end(),
                         [&](const BackendDescription& backend) { return backend.name == region.backend; }))
            return error("the division has a region of " + in_quotes(region.backend) + ", which is no backend here");
    if (Status placed = place_on_calls(made, *module, options); !placed) return placed.error();
    return made;
}

std::vector<std::string> warnings_of(const PartitionedGraph& made) {
    if (made.lost.empty()) return {};
    const DividedRegion& first = made.division.regions[made.lost.front()];
    const std::string count = std::to_string(made.lost.size());
    return {count + (made.lost.size() == 1 ? " region is" : " regions are") +
            " not shown, since no call here is of the nodes in it: " + on_one_line(first.backend) + ", " +
            on_one_line(node_title(*made.graph, first.nodes.front())) + (made.lost.size() == 1 ? "" : ", ...")};
}

}  // namespace partita
