#include "engine/session/graph_division.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/flow/names.h"
#include "engine/flow/node_calls.h"
#include "engine/flow/partitioning.h"
#include "engine/flow/region_names.h"
#include "engine/flow/reported_division.h"
#include "engine/frontends/litert/reorder.h"
#include "engine/graph/graph_of_module.h"
#include "engine/partitioners/given.h"
#include "engine/partitioners/litert.h"
#include "engine/support/file.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

/// Finds the nodes that expressions became.
class NodesOfExpressions {
public:
    explicit NodesOfExpressions(const Graph& graph) {
        for (uint32_t i = 0; i < graph.nodes.size(); ++i) nodes_.emplace(graph.nodes[i].expression, NodeId(i));
    }
    NodeId of(ExprId expression) const {
        const auto found = nodes_.find(expression);
        return found == nodes_.end() ? NodeId() : found->second;
    }

private:
    std::unordered_map<ExprId, NodeId> nodes_;
};

/// The division of Relay's flow: its regions are those of its sub-functions.
Division division_of(const FlowResult& flow, const Graph& graph) {
    const NodesOfExpressions nodes(graph);
    Division division;
    for (const RegionInfo& region : flow.regions) {
        DividedRegion made{region.backend_name, {}, {}, {}};
        for (ExprId id : region.expressions)
            if (const NodeId node = nodes.of(id); node.valid()) made.nodes.push_back(node);
        if (!made.nodes.empty()) division.regions.push_back(std::move(made));
    }
    return division;
}

/// Lets the verdicts of a file stand for rules: each call is assigned as by hand.
FlowOptions options_by_verdicts(const Module& module, const Graph& graph, const Verdicts& verdicts,
                                const DivideRequest& request) {
    const NodeCalls calls(graph, module);
    FlowOptions options;
    for (const Verdicts::OfBackend& backend : verdicts.backends) {
        options.backends.emplace_back();
        options.backends.back().name = backend.name;
    }
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const int backend = verdicts.first(NodeId(i));
        for (ExprId call : calls.of(NodeId(i)))
            options.overrides[call] = backend < 0 ? "default" : verdicts.backends[size_t(backend)].name;
    }
    options.merge = request.merge;
    options.annotate_options.include_non_call_ops = request.non_call_ops;
    options.cancel = request.cancel;
    return options;
}

Result<Division> divide_as_tvm(const OpenedInput& input, const Graph& graph, const Verdicts* verdicts,
                               const GraphDivideRequest& request, std::vector<Diagnostic>& notes) {
    if (Status allowed = check_own_options({PartitionerChoice::kOwn, request.options}); !allowed)
        return allowed.error();
    Division division;
    if (verdicts) {
        Result<FlowResult> flow =
            run_flow(input.base, options_by_verdicts(*input.base, graph, *verdicts, request.divide));
        if (!flow) return flow.error();
        division = division_of(*flow, graph);
    } else {
        Result<Divided> divided = divide(input, request.divide, notes);
        if (!divided) return divided.error();
        division = division_of(divided->result, graph);
    }
    complete_boundaries(graph, division);
    return division;
}

/// What takes the rest is not asked.
Verdicts verdicts_of(const ReportedDivision& reported) {
    Verdicts verdicts;
    for (const std::string& backend : reported.backends) {
        if (backend == reported.last_resort()) continue;
        Verdicts::OfBackend of{backend, {}};
        for (const ReportedNode& node : reported.nodes) of.takes.push_back(reported.takes(node, backend));
        verdicts.backends.push_back(std::move(of));
    }
    return verdicts;
}

Json names(const Graph& graph, const std::vector<NodeId>& nodes) {
    Json list = Json::array();
    for (NodeId node : nodes) list.push_back(node_title(graph, node));
    return list;
}

Json names(const Graph& graph, const std::vector<GraphValueId>& values) {
    Json list = Json::array();
    for (GraphValueId value : values) list.push_back(graph[value].name);
    return list;
}

}  // namespace

std::shared_ptr<const Graph> graph_of(const OpenedInput& input) {
    if (input.graph) return input.graph;
    return graph_of_calls(*input.base);
}

Status rewrite_first(OpenedInput& input, DivideRequest& request) {
    FlowOptions options;
    options.lower = std::exchange(request.lower, false);
    options.simplify = std::exchange(request.simplify, false);
    options.fold = std::exchange(request.fold, false);
    options.cancel = request.cancel;
    if (!options.rewrites()) return Nothing();
    Result<FlowResult> rewritten = run_flow(input.base, rewriting_only(options));
    if (!rewritten) return rewritten.error();
    input.module = input.base = rewritten->input;
    input.graph = nullptr;
    return Nothing();
}

Result<Division> divide_graph(const OpenedInput& input, const Graph& graph, const GraphDivideRequest& request,
                              std::vector<Diagnostic>& notes) {
    Verdicts verdicts;
    if (!request.verdicts.empty()) {
        if (!request.divide.overrides.empty())
            return error("the verdicts of a file are not changed by hand: change them there");
        Result<std::string> text = read_file(request.verdicts);
        if (!text) return text.error();
        Result<Verdicts> read = read_verdicts(graph, *text, request.verdicts);
        if (!read) return read.error();
        verdicts = std::move(*read);
    }
    if (request.partitioner == "tvm")
        return divide_as_tvm(input, graph, request.verdicts.empty() ? nullptr : &verdicts, request, notes);
    const Partitioner* partitioner = find_partitioner(request.partitioner);
    if (!partitioner) return error("there is no partitioner " + in_quotes(request.partitioner));
    FlowOptions options;
    if (!request.divide.backends.empty()) {
        Result<FlowOptions> made = division_options(input, request.divide, notes);
        if (!made) return made.error();
        options = std::move(*made);
    }
    if (request.reported && request.verdicts.empty() && request.divide.backends.empty()) {
        verdicts = verdicts_of(*request.reported);
    } else if (partitioner->asks_backends && request.verdicts.empty()) {
        Result<Verdicts> asked = ask_backends(input.base, graph, options, {});
        if (!asked) return asked.error();
        verdicts = std::move(*asked);
    }
    return run_partitioner(*partitioner, {graph, NodeLinks(graph), verdicts, request.options, request.divide.cancel,
                                          options.backends, input.base.get()});
}

Json division_json(const Graph& graph, const Division& division, const Module& module) {
    const ExpressionNames numbers(module);
    Json regions = Json::array();
    for (const DividedRegion& region : division.regions) {
        Json json{{"backend", region.backend},
                  {"nodes", names(graph, region.nodes)},
                  {"inputs", names(graph, region.inputs)},
                  {"outputs", names(graph, region.outputs)}};
        RegionInfo info;
        info.backend_name = region.backend;
        for (NodeId node : region.nodes) info.expressions.push_back(graph[node].expression);
        if (first_operator(info, numbers).valid()) json["short_name"] = region_name(info, numbers);
        regions.push_back(std::move(json));
    }
    return regions;
}

Json unsound_json(const Graph& graph, const std::vector<Unsound>& unsound) {
    Json list = Json::array();
    for (const Unsound& each : unsound) {
        Json json{{"regions", each.regions}, {"path", names(graph, each.path)}};
        if (!each.reason.empty()) json["reason"] = each.reason;
        list.push_back(std::move(json));
    }
    return list;
}

std::string unsound_text(const Graph& graph, const Division& division, const Unsound& unsound) {
    std::string regions, path;
    for (uint32_t region : unsound.regions)
        regions += (regions.empty() ? "" : " and ") + std::to_string(region) + " (" +
                   on_one_line(division.regions[region].backend) + ")";
    for (NodeId node : unsound.path) path += (path.empty() ? "" : " -> ") + on_one_line(node_title(graph, node));
    const std::string begin = (unsound.regions.size() == 1 ? "region " : "regions ") + regions;
    if (!unsound.reason.empty()) return begin + ": " + unsound.reason + ": " + path;
    return begin + (unsound.regions.size() == 1 ? " waits for itself: " : " wait for each other: ") + path;
}

std::string division_tags(const Graph& graph, const Division& division, bool as_python) {
    Json tags = Json::object(), backends = Json::object();
    for (size_t i = 0; i < division.regions.size(); ++i) {
        const std::string tag = "tag" + std::to_string(i);
        backends[tag] = division.regions[i].backend;
        for (NodeId node : division.regions[i].nodes) tags[node_title(graph, node)] = tag;
    }
    // JSON of ASCII means the same in Python, for letters up to U+FFFF, which names of nodes keep to.
    const auto text = [](const Json& json) { return json_text(json, 4, JsonLetters::Ascii); };
    if (!as_python) return text(Json{{"tags", std::move(tags)}, {"backends", std::move(backends)}}) + "\n";
    return "# The tags of a division, by the names of nodes; for the exported program that was divided.\nTAGS = " +
           text(tags) + "\nBACKENDS = " + text(backends) +
           "\n\n\n"
           "def set_delegation_tags(exported_program):\n"
           "    \"\"\"Sets delegation_tag; returns the names that the program does not have.\"\"\"\n"
           "    missing = dict(TAGS)\n"
           "    for node in exported_program.graph_module.graph.nodes:\n"
           "        if node.name in TAGS:\n"
           "            node.meta[\"delegation_tag\"] = missing.pop(node.name, TAGS[node.name])\n"
           "    return list(missing)\n";
}

/// Returns the nodes in an order in which they can run and those of a region stand together, else as near to the
/// graph's own as that allows; fewer nodes where there is none.
static std::vector<NodeId> order_of_regions(const Graph& graph, const Division& division) {
    const std::vector<int32_t> region_of = regions_by_node(graph, division);
    std::vector<uint32_t> unit_of(graph.nodes.size());
    std::vector<std::vector<NodeId>> units;
    for (const DividedRegion& region : division.regions) {
        for (NodeId node : region.nodes) unit_of[node.value] = uint32_t(units.size());
        units.push_back(region.nodes);
    }
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
        if (region_of[i] < 0) {
            unit_of[i] = uint32_t(units.size());
            units.push_back({NodeId(i)});
        }
    Graph condensed;  // a node for each unit: those of a region run in the graph's running order
    condensed.nodes.resize(units.size());
    const NodeLinks links(graph);
    const auto wait = [&](NodeId before, NodeId node) {
        const uint32_t from = unit_of[before.value], to = unit_of[node.value];
        if (from != to) condensed.nodes[to].after.push_back(NodeId(from));
    };
    for (uint32_t i = 0; i < graph.nodes.size(); ++i)
        for (NodeId before : links.before(NodeId(i))) wait(before, NodeId(i));
    for (const auto& [before, node] : litert_state_edges(graph)) wait(before, node);
    const Result<std::vector<NodeId>> running = running_order(graph, links);
    const Result<std::vector<NodeId>> order = running_order(condensed, NodeLinks(condensed));
    if (!running || !order) return {};
    std::vector<uint32_t> place(graph.nodes.size());
    for (uint32_t i = 0; i < running->size(); ++i) place[(*running)[i].value] = i;
    std::vector<NodeId> all;
    for (NodeId unit : *order) {
        std::vector<NodeId>& nodes = units[unit.value];
        std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return place[a.value] < place[b.value]; });
        all.insert(all.end(), nodes.begin(), nodes.end());
    }
    return all;
}

Status write_in_order_of_regions(const OpenedInput& input, const Graph& graph, const Division& division,
                                 const std::string& path) {
    const std::vector<NodeId> order = order_of_regions(graph, division);
    if (order.empty()) return error("the division is not sound: its regions can't stand one behind the other");
    const Result<std::string> bytes = reordered_litert(input.path, order);
    if (!bytes) return error("only a LiteRT file can be written in another order: " + bytes.error().message);
    return write_file(path, *bytes);
}

}  // namespace partita
