#include "engine/exporters/exporter.h"
#include "engine/flow/names.h"
#include "engine/graph/graph_json.h"
#include "engine/graph/graph_of_module.h"

namespace partita {

Result<std::string> write_plain_graph(const ExportSubject& subject) {
    if (subject.plain) return write_graph_json(*subject.plain);
    const std::vector<std::string> names = node_names(*subject.graph);
    return write_graph_json(graph_of_module(*subject.graph, [&](ExprId node) { return names[node.value]; }));
}

}  // namespace partita
