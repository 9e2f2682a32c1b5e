// The picture as Graphviz source: names are quoted strings, in which only quotes and backslashes are special.
#include "engine/exporters/picture_groups.h"

namespace partita {
namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (char c : clean_text(text)) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

/// Returns the lines of a label, joined by Graphviz's line break.
std::string label(const PictureNode& node) {
    std::string text = quoted(node.name);
    for (const std::string& line : {node.attributes, node.type, node.shared, node.badge}) {
        if (line.empty()) continue;
        text.pop_back();
        text += "\\n" + quoted(line).substr(1);
    }
    return text;
}

std::string node_line(const PictureNode& node, size_t index) {
    PictureColour colour = picture_colour(node.backend);
    std::string style = node.is_data ? "rounded" : "filled,rounded";
    return "n" + std::to_string(index) + " [label=" + label(node) + ", style=\"" + style + "\", fillcolor=\"" +
           colour.area + "\", color=\"" + colour.line + "\"];\n";
}

}  // namespace

Result<std::string> write_dot(const ExportSubject& subject) {
    const Picture picture = grouped_picture(subject, picture_graph(subject));
    std::string text = "digraph " + quoted(subject.title) + " {\n";
    text += "  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n";
    std::vector<std::string> lines_of_cluster(picture.clusters.size());
    for (size_t i = 0; i < picture.nodes.size(); i++) {
        const PictureNode& node = picture.nodes[i];
        if (node.cluster < 0) text += "  " + node_line(node, i);
        else lines_of_cluster[size_t(node.cluster)] += "    " + node_line(node, i);
    }
    for (size_t i = 0; i < picture.clusters.size(); i++) {
        text += "  subgraph cluster_" + std::to_string(i) + " {\n    label=" + quoted(picture.clusters[i].label) +
                "; style=rounded; color=\"" + picture_colour(picture.clusters[i].backend).line + "\";\n" +
                lines_of_cluster[i] + "  }\n";
    }
    for (const PictureEdge& edge : picture.edges) {
        text += "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) + ";\n";
    }
    return text + "}\n";
}

}  // namespace partita
