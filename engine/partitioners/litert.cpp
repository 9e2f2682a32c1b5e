// What LiteRT's compiler plug-ins are given (litert/compiler/plugin/algo.cc): the default algorithm cuts the order of
// the file into runs of selected operators and looks at no data (:400); the weak one joins neighbours that are both
// selected
// (:98), and does not ask whether the result can be run. Both are linear.
#include <algorithm>
#include <numeric>

#include "engine/partitioners/partitioner.h"

namespace partita {

Result<Division> divide_as_litert_plugin(const PartitionerInput& input) {
    Division division;
    int last = -1;
    for (uint32_t i = 0; i < input.graph.nodes.size(); ++i) {
        const int backend = input.verdicts.first(NodeId(i));
        if (backend >= 0 && backend != last)
            division.regions.push_back({input.verdicts.backends[size_t(backend)].name, {}, {}, {}});
        if (backend >= 0) division.regions.back().nodes.push_back(NodeId(i));
        last = backend;
    }
    // A run ends before the first node behind it in the file.
    note_borders(input, division, [&, region_of = regions_by_node(input.graph, division)](NodeId from, NodeId) {
        const NodeId next(division.regions[size_t(region_of[from.value])].nodes.back().value + 1);
        return DivisionNote{{},
                            {},
                            SENTENCE("Engine",
                                     "they are in different runs of the file's order: %1 stands between them and goes "
                                     "elsewhere"),
                            {next}};
    });
    return division;
}

Result<Division> divide_as_litert_weak(const PartitionerInput& input) {
    const uint32_t count = uint32_t(input.graph.nodes.size());
    std::vector<uint32_t> parent(count);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](uint32_t node) {
        while (parent[node] != node) node = parent[node] = parent[parent[node]];
        return node;
    };
    const auto backend_of = [&](uint32_t node) { return input.verdicts.first(NodeId(node)); };
    for (const PlainNode& user : input.graph.nodes) {
        const uint32_t to = uint32_t(&user - input.graph.nodes.data());
        for (GraphValueId value : user.inputs) {
            if (!value.valid() || !input.graph[value].producer.valid()) continue;
            const uint32_t from = input.graph[value].producer.value;
            if (backend_of(from) < 0 || backend_of(from) != backend_of(to)) continue;
            const uint32_t a = root(from), b = root(to);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    Division division;
    std::vector<size_t> region(count);
    for (uint32_t i = 0; i < count; ++i) {
        const int backend = backend_of(i);
        if (backend < 0) continue;
        if (root(i) == i) {
            region[i] = division.regions.size();
            division.regions.push_back({input.verdicts.backends[size_t(backend)].name, {}, {}, {}});
        }
        division.regions[region[root(i)]].nodes.push_back(NodeId(i));
    }
    return division;
}

}  // namespace partita
