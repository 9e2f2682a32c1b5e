// The page: one HTML file that shows the graph with groups to open, regions, times and reasons, without network. The
// script and the style are the program's own (resources/page); the module stands in the page as JSON in which every "<"
// is escaped, so that no name ends the element that holds it, and the script writes texts as texts only.
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "engine/exporters/picture_groups.h"
#include "engine/exporters/xml.h"
#include "engine/flow/names.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/amount.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/json_text.h"

namespace partita {
namespace {

using Json = nlohmann::ordered_json;

/// More would make no browser happy.
constexpr size_t kMostNodes = 30000;
constexpr size_t kLongestText = 4000;

std::string text_of(std::string_view text, size_t limit = 300) { return shortened(clean_text(text), limit); }

/// The same for several lines, without what indents them.
std::string lines_of(const std::string& text) {
    std::string lines;
    for (size_t begin = 0; begin < text.size() && lines.size() < kLongestText;) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const size_t first = std::min(text.find_first_not_of(' ', begin), end);
        if (first < end) lines += (lines.empty() ? "" : "\n") + text_of(text.substr(first, end - first), kLongestText);
        begin = end + 1;
    }
    return lines;
}

std::string attributes_text(const Module& module, ExprId call) {
    std::string text;
    if (!called_op_record(module, call) || !module.attributes_id(call).valid()) return text;
    const AttributesView view = attributes_of(module, call);
    for_each_shown_attribute(view, [&](const std::string& name, const AttributeValue* value, bool is_default) {
        if (!value || value->is_none() || is_default || text.size() > kLongestText) return;
        text += (text.empty() ? "" : ", ") + name + " " + value->to_string();
    });
    return text_of(text, 600);
}

class PageWriter {
public:
    PageWriter(const ExportSubject& subject, Picture picture, ExportReasons reasons)
        : subject_(subject), picture_(std::move(picture)), reasons_(std::move(reasons)), names_(*subject.graph) {}

    Json write() {
        json_["title"] = text_of(subject_.title);
        json_["backends"] = Json::array();
        for (const std::string& backend : subject_.backends) json_["backends"].push_back(text_of(backend));
        write_colours();
        write_regions();
        json_["nodes"] = Json::array();
        for (const PictureNode& node : picture_.nodes) json_["nodes"].push_back(node_json(node));
        write_blocks();
        write_edges();
        json_["why"] = why_;
        json_["refused"] = Json::array();
        for (const ExportReasons::Refusal& refusal : reasons_.refusals) write_refusal(refusal);
        write_tables();
        return std::move(json_);
    }

private:
    /// As in pictures: of each backend, then default's.
    void write_colours() {
        json_["colours"] = Json::array();
        for (int i = 0; i < int(subject_.backends.size()); ++i) json_["colours"].push_back(picture_colour(i).line);
        json_["colours"].push_back(picture_colour(-1).line);
    }

    void write_regions() {
        json_["regions"] = Json::array();
        for (const ExportRegion& region : subject_.regions)
            json_["regions"].push_back({{"name", text_of(region.short_name)},
                                        {"backend", region.backend_index},
                                        {"ms", region.milliseconds > 0 ? time_text(region.milliseconds) : ""}});
    }

    Json node_json(const PictureNode& node) {
        node_of_[node.expr.value] = int(node_of_.size());
        const Module& module = *subject_.graph;
        const auto at = [&](const auto& list) {
            return node.expr.value < list.size() ? int(list[node.expr.value]) : -1;
        };
        return {{"n", text_of(node.name)},
                {"i", names_.number(node.expr)},
                {"l", text_of(module.label(node.expr))},
                {"t", text_of(node.type)},
                {"a", module.kind(node.expr) == ExprKind::Call ? attributes_text(module, node.expr) : ""},
                {"b", at(subject_.backend_of)},
                {"r", at(subject_.region_of)},
                {"d", node.is_data},
                {"w", why_number(node.expr)}};
    }

    /// Of the texts, of which many are the same; -1 for none.
    int why_number(ExprId expr) {
        if (expr.value >= reasons_.why.size() || reasons_.why[expr.value].empty()) return -1;
        const std::string text = lines_of(reasons_.why[expr.value]);
        const auto [found, added] = why_number_.try_emplace(text, int(why_.size()));
        if (added) why_.push_back(text);
        return found->second;
    }

    void write_blocks() {
        const PictureGroups blocks = find_picture_groups(subject_, picture_);
        json_["blocks"] = {{"groups", Json::array()}, {"of", blocks.group_of}};
        for (const PictureGroup& group : blocks.groups)
            json_["blocks"]["groups"].push_back({{"title", text_of(group.title)}, {"parent", group.parent}});
    }

    void write_edges() {
        std::unordered_set<uint64_t> between;
        for (const ExportReasons::Refusal& refusal : reasons_.refusals)
            if (refusal.closes_cycle) between.insert(uint64_t(refusal.from.value) << 32 | refusal.to.value);
        json_["edges"] = Json::array();
        for (const PictureEdge& edge : picture_.edges) {
            const uint64_t key =
                uint64_t(picture_.nodes[edge.from].expr.value) << 32 | picture_.nodes[edge.to].expr.value;
            json_["edges"].push_back({edge.from, edge.to, int(between.count(key))});
        }
    }

    void write_refusal(const ExportReasons::Refusal& refusal) {
        const auto from = node_of_.find(refusal.from.value), to = node_of_.find(refusal.to.value);
        if (from == node_of_.end() || to == node_of_.end()) return;
        json_["refused"].push_back({{"from", from->second},
                                    {"to", to->second},
                                    {"a", refusal.producer},
                                    {"b", refusal.consumer},
                                    {"why", lines_of(refusal.why)}});
    }

    void write_tables() {
        json_["tables"] = Json::array();
        for (const ReportTable& table : subject_.tables) {
            if (table.rows.empty() || table.title == "Why not" || table.title == "Regions") continue;  // said elsewhere
            Json rows = Json::array();
            for (const auto& row : table.rows) {
                Json cells = Json::array();
                for (const std::string& cell : row) cells.push_back(text_of(cell));
                rows.push_back(std::move(cells));
            }
            json_["tables"].push_back({{"title", table.title}, {"header", table.header}, {"rows", std::move(rows)}});
        }
    }

    const ExportSubject& subject_;
    const Picture picture_;
    const ExportReasons reasons_;
    const ExpressionNames names_;
    Json json_;
    std::unordered_map<uint32_t, int> node_of_;  ///< by expression
    std::vector<std::string> why_;
    std::unordered_map<std::string, int> why_number_;
};

std::string_view page_file(std::string_view name) {
    for (const EmbeddedText& file : embedded_page())
        if (file.name == name) return file.text;
    return {};
}

/// No "<" is left in it, and no line separator that a script would take for the end of a line.
std::string for_page(const Json& json) {
    std::string text;
    for (char c : json_text(json, -1, JsonLetters::Ascii)) {
        if (c == '<') text += "\\u003c";
        else if (c == '>') text += "\\u003e";
        else if (c == '&') text += "\\u0026";
        else text += c;
    }
    return text;
}

constexpr const char* kBody = R"(
<header><h1></h1>
<label>Groups <select id="groups"><option value="none">none</option><option value="blocks">blocks</option>
<option value="scopes">name scopes</option><option value="regions">regions</option></select></label>
<button id="open">Open all</button><button id="fit">Fit</button><button id="theme">Light or dark</button>
<input id="search" type="search" placeholder="Search: conv dnnl 1x64" aria-label="Search"></header>
<main><svg id="canvas" tabindex="0" role="application" aria-label="Graph"><defs><marker id="arrow" viewBox="0 0 8 8"
refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z"
fill="#808b98"/></marker></defs><g id="world"></g></svg></main>
<aside id="panel" aria-live="polite"></aside>
)";

}  // namespace

Result<std::string> write_page(const ExportSubject& subject) {
    Picture picture = picture_graph(subject);
    if (picture.nodes.size() > kMostNodes)
        return error("the graph has " + std::to_string(picture.nodes.size()) + " nodes; a page shows at most " +
                     std::to_string(kMostNodes));
    ExportReasons reasons;
    if (subject.reasons) reasons = subject.reasons(subject.cancel);
    if (subject.cancel.cancelled()) return error("cancelled");
    const Json json = PageWriter(subject, std::move(picture), std::move(reasons)).write();
    const std::string title = xml_text(text_of(subject.title));
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>" +
        title + "</title>\n<style>\n" + std::string(page_file("page.css")) + "</style></head><body>";
    std::string body = kBody;
    const std::string heading = "<h1></h1>";
    body.replace(body.find(heading), heading.size(), "<h1>" + title + "</h1>");
    return page + body + "<script type=\"application/json\" id=\"module\">" + for_page(json) + "</script>\n<script>\n" +
           std::string(page_file("page.js")) + "</script>\n</body></html>\n";
}

}  // namespace partita
