// Graphviz's dot through libgvc: builds a graph of boxes of fixed size, lays it out, reads the positions back.
//
// The layout plugin is linked and passed as a built-in, so that Graphviz reads neither its plugin list nor any file. No
// user text reaches Graphviz: cluster labels are placeholders of the same length, so that nothing from a file is read
// as an escape or HTML.
#include <graphviz/gvc.h>
#include <graphviz/gvcext.h>
#include <graphviz/types.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/layout/engines.h"

extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace partita {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kNodeGap = 18;  // points between neighbours in a rank
constexpr double kRankGap = 28;  // points between ranks
constexpr size_t kLongestLabel = 40;

int swallow_message(char*) { return 0; }

/// Formats a number as Graphviz reads it, whatever the locale.
std::string decimal(double value) {
    std::array<char, 32> buffer;
    auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 4).ptr;
    return std::string(buffer.data(), end);
}

void set(void* object, const char* attribute, const std::string& value) {
    agsafeset(object, const_cast<char*>(attribute), const_cast<char*>(value.c_str()), const_cast<char*>(""));
}

// Ids of Graphviz's objects in the order in which they are made. Its own are addresses of their names, and dot goes
// through clusters in the order of their ids: the same graph would look different from one time to the next. The names
// are kept here, too, for what Graphviz itself keeps of them it never frees.
struct Ids {
    IDTYPE last = 0;
    std::unordered_map<std::string, IDTYPE> of_name;
    std::unordered_map<IDTYPE, const std::string*> names;
};
void* open_ids(Agraph_t*, Agdisc_t*) { return new Ids; }
long find_id(void* state, int, char* name, IDTYPE* id, int create) {
    Ids& ids = *static_cast<Ids*>(state);
    if (name) {
        const auto known = ids.of_name.find(name);
        if (known != ids.of_name.end()) return *id = known->second, 1;
    }
    if (!create) return 0;
    *id = ++ids.last;
    if (name) ids.names[*id] = &ids.of_name.emplace(name, *id).first->first;
    return 1;
}
long take_id(void*, int, IDTYPE) { return 0; }
void give_id_back(void*, int, IDTYPE) {}
char* name_of_id(void* state, int, IDTYPE id) {
    const Ids& ids = *static_cast<Ids*>(state);
    const auto name = ids.names.find(id);
    return name == ids.names.end() ? nullptr : const_cast<char*>(name->second->c_str());
}
void close_ids(void* state) { delete static_cast<Ids*>(state); }
void register_id(void*, int, void*) {}

struct GraphCloser {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
struct ContextCloser {
    void operator()(GVC_t* context) const { gvFreeContext(context); }
};

struct DotGraph {
    std::unique_ptr<GVC_t, ContextCloser> context;
    std::unique_ptr<Agraph_t, GraphCloser> graph;
    std::vector<Agnode_t*> nodes;
    std::vector<Agedge_t*> edges;
    std::vector<Agraph_t*> clusters;
};

DotGraph build(const LayoutGraph& input) {
    static lt_symlist_t plugins[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
                                     {nullptr, nullptr}};
    DotGraph dot;
    dot.context.reset(gvContextPlugins(plugins, 0));
    static Agiddisc_t ids = {open_ids, find_id, take_id, give_id_back, name_of_id, close_ids, register_id};
    static Agdisc_t discipline = {&AgMemDisc, &ids, &AgIoDisc};
    dot.graph.reset(agopen(const_cast<char*>("g"), Agdirected, &discipline));
    Agraph_t* graph = dot.graph.get();
    set(graph, "nodesep", decimal(kNodeGap / kPointsPerInch));
    set(graph, "ranksep", decimal(kRankGap / kPointsPerInch));
    agattr(graph, AGNODE, const_cast<char*>("shape"), const_cast<char*>("box"));
    agattr(graph, AGNODE, const_cast<char*>("fixedsize"), const_cast<char*>("true"));
    agattr(graph, AGNODE, const_cast<char*>("label"), const_cast<char*>(""));
    agattr(graph, AGEDGE, const_cast<char*>("arrowhead"), const_cast<char*>("none"));

    for (size_t i = 0; i < input.clusters.size(); i++) {
        Agraph_t* cluster = agsubg(graph, const_cast<char*>(("cluster" + std::to_string(i)).c_str()), 1);
        set(cluster, "margin", "10");
        size_t length = std::min(input.clusters[i].size(), kLongestLabel);
        if (length > 0) set(cluster, "label", std::string(length, 'o'));
        dot.clusters.push_back(cluster);
    }
    for (size_t i = 0; i < input.nodes.size(); i++) {
        const LayoutNode& node = input.nodes[i];
        Agnode_t* made = agnode(graph, const_cast<char*>(std::to_string(i).c_str()), 1);
        set(made, "width", decimal(node.width / kPointsPerInch));
        set(made, "height", decimal(node.height / kPointsPerInch));
        if (node.cluster >= 0) agsubnode(dot.clusters[size_t(node.cluster)], made, 1);
        dot.nodes.push_back(made);
    }
    for (const LayoutEdge& edge : input.edges) {
        dot.edges.push_back(agedge(graph, dot.nodes[edge.from], dot.nodes[edge.to], nullptr, 1));
    }
    return dot;
}

std::vector<LayoutPoint> spline_of(Agedge_t* edge, double height) {
    std::vector<LayoutPoint> points;
    const splines* lines = ED_spl(edge);
    if (!lines) return points;
    for (int i = 0; i < lines->size; i++) {
        const bezier& curve = lines->list[i];
        // A curve begins at the end of the previous one.
        for (int k = points.empty() ? 0 : 1; k < curve.size; k++) {
            points.push_back({curve.list[k].x, height - curve.list[k].y});
        }
    }
    return points;
}

/// dot leaves room in a cluster for edges that pass it by: a box stands as evenly round its nodes and the edges between
/// them as that allows.
void fit_boxes(const LayoutGraph& input, LayoutResult& result) {
    constexpr double kMargin = 10, kLabel = 20;
    constexpr LayoutBox kNone{1e18, 1e18, -1e18, -1e18};
    std::vector<LayoutBox> inner(result.clusters.size(), kNone);
    const auto widen = [](LayoutBox& box, double x, double y, double half_width, double half_height) {
        box = {std::min(box.left, x - half_width), std::min(box.top, y - half_height),
               std::max(box.right, x + half_width), std::max(box.bottom, y + half_height)};
    };
    for (size_t i = 0; i < input.nodes.size(); i++) {
        const LayoutNode& node = input.nodes[i];
        if (node.cluster >= 0)
            widen(inner[size_t(node.cluster)], result.nodes[i].x, result.nodes[i].y, node.width / 2, node.height / 2);
    }
    for (size_t i = 0; i < input.edges.size(); i++) {
        const int32_t cluster = input.nodes[input.edges[i].from].cluster;
        if (cluster < 0 || cluster != input.nodes[input.edges[i].to].cluster) continue;
        for (const LayoutPoint& point : result.edges[i]) widen(inner[size_t(cluster)], point.x, point.y, 0, 0);
    }
    for (size_t i = 0; i < inner.size(); i++) {
        if (inner[i].right < inner[i].left) continue;
        LayoutBox& box = result.clusters[i];
        const double label = input.clusters[i].empty() ? 0 : kLabel;
        box = {std::max(box.left, inner[i].left - kMargin), std::max(box.top, inner[i].top - kMargin - label),
               std::min(box.right, inner[i].right + kMargin), std::min(box.bottom, inner[i].bottom + kMargin)};
    }
}

LayoutResult read_back(const LayoutGraph& input, const DotGraph& dot) {
    LayoutResult result;
    boxf box = GD_bb(dot.graph.get());
    result.width = box.UR.x;
    result.height = box.UR.y;
    for (Agnode_t* node : dot.nodes) {
        result.nodes.push_back({ND_coord(node).x, result.height - ND_coord(node).y});
    }
    for (Agedge_t* edge : dot.edges) result.edges.push_back(spline_of(edge, result.height));
    for (Agraph_t* cluster : dot.clusters) {
        // dot does not lay out a cluster without nodes.
        boxf bounds = agnnodes(cluster) > 0 ? GD_bb(cluster) : boxf{};
        result.clusters.push_back({bounds.LL.x, result.height - bounds.UR.y, bounds.UR.x, result.height - bounds.LL.y});
    }
    fit_boxes(input, result);
    return result;
}

}  // namespace

Result<LayoutResult> lay_out_with_dot(const LayoutGraph& graph) {
    agseterrf(swallow_message);
    DotGraph dot = build(graph);
    if (gvLayout(dot.context.get(), dot.graph.get(), "dot") != 0) return error("Graphviz could not lay out the graph");
    LayoutResult result = read_back(graph, dot);
    gvFreeLayout(dot.context.get(), dot.graph.get());
    return result;
}

}  // namespace partita
