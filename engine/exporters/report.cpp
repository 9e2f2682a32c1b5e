// The report: the picture, what a region is, and tables of the subject as one HTML page without scripts or links, or
// all of that as Markdown with links to the pictures.
#include <algorithm>

#include "engine/exporters/picture.h"
#include "engine/exporters/xml.h"
#include "engine/support/place_link.h"

namespace partita {
namespace {

constexpr const char* kStyle =
    ":root{color-scheme:light dark;--ground:#fff;--text:#111;--quiet:#5c6875;--line:#bbb;--head:#eee}"
    "@media screen and (prefers-color-scheme:dark){:root{--ground:#15181c;--text:#e3e7ec;--quiet:#9aa5b3;"
    "--line:#4a5361;--head:#262c34}figure{padding:1em;border-radius:8px}}"
    "body{font-family:sans-serif;margin:2em;max-width:70em;color:var(--text);background:var(--ground)}"
    "@media (max-width:40em){body{margin:.8em}}"
    // A table that is wider than the page scrolls by itself.
    "table{border-collapse:collapse;margin-bottom:2em;display:block;max-width:100%;overflow-x:auto}"
    "th,td{border:1px solid var(--line);padding:.25em .6em;text-align:left;vertical-align:top}"
    "td.long{overflow-wrap:anywhere;min-width:12em}"  // names of regions and libraries; other words stay whole
    "th{background:var(--head)}svg{max-width:100%;height:auto}"
    "figure{background:#fff}"  // pictures are drawn for white paper
    ".number{text-align:right;font-variant-numeric:tabular-nums}td.number{white-space:nowrap}figure{margin:0 0 2em 0}"
    "table+p{margin:-1.5em 0 2em}p.note{color:var(--quiet);max-width:50em}li{margin-bottom:.3em}";

/// Also with a unit of time or size.
bool is_number(std::string_view cell) {
    for (const char* unit : {" ns", " µs", " ms", " s", " kB", " MB", " GB", " B"})
        if (cell.ends_with(unit)) cell.remove_suffix(std::string_view(unit).size());
    return !cell.empty() && cell.find_first_not_of("0123456789.%+-e ") == std::string::npos;
}

/// Returns, for each column, whether it contains only numbers and is therefore right-aligned.
std::vector<bool> numeric_columns(const ReportTable& table) {
    std::vector<bool> numeric(table.header.size(), true);
    for (const auto& row : table.rows)
        for (size_t i = 0; i < std::min(row.size(), numeric.size()); ++i) numeric[i] = numeric[i] && is_number(row[i]);
    return numeric;
}

bool has_long_word(std::string_view cell) {
    constexpr size_t kLong = 24;
    for (size_t begin = 0; begin < cell.size();) {
        const size_t end = std::min(cell.find(' ', begin), cell.size());
        if (end - begin > kLong) return true;
        begin = end + 1;
    }
    return false;
}

std::string html_row(const std::vector<std::string>& cells, const char* tag, const std::vector<bool>& numeric) {
    std::string row = "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
        const bool number = i < numeric.size() && numeric[i];
        const char* const kind = number ? " class=\"number\">" : has_long_word(cells[i]) ? " class=\"long\">" : ">";
        row += std::string("<") + tag + kind + xml_text(cells[i]) + "</" + tag + ">";
    }
    return row + "</tr>\n";
}

/// Returns a link to a file beside the report. Characters other than letters, digits, points, hyphens and underscores
/// become %XX.
std::string link_to(std::string_view file) {
    std::string link;
    for (char c : file) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                     c == '-' || c == '_';
        constexpr const char* kDigits = "0123456789ABCDEF";
        if (plain) link += c;
        else link += {'%', kDigits[(c >> 4) & 15], kDigits[c & 15]};
    }
    return link;
}

std::string rows_left_out(const ReportTable& table) {
    return "and " + std::to_string(table.left_out) + " more" + (table.left_out == 1 ? " row" : " rows");
}

/// What a reader has to know, before all tables; Markdown and HTML alike.
constexpr const char* kTerms[][2] = {
    {"A region",
     "is a part of the graph that one compiler compiles as one function: a frame round operators of a colour."},
    {"A backend", "is such a compiler. Its rules say which operators it takes; each has a colour."},
    {"Default", "is what no backend takes: Partita's own kernels run it, one operator after the other."}};

bool has_regions(const ExportSubject& subject) { return !subject.backends.empty(); }

std::string html_terms() {
    std::string text = "<ul>\n";
    for (const auto& [term, meaning] : kTerms)
        text += "<li><strong>" + xml_text(term) + "</strong> " + xml_text(meaning) + "</li>\n";
    return text + "</ul>\n";
}

std::string markdown_terms() {
    std::string text = "\n";
    for (const auto& [term, meaning] : kTerms)
        text += std::string("- **") + term + "** " + markdown_text(meaning) + "\n";
    return text;
}

/// What opens the module with the same backends in the window of whoever has the file.
std::string link_to_module(const ExportSubject& subject) {
    PlaceLink link;
    link.file = subject.title;
    link.backends = subject.backends;
    if (!subject.backends.empty()) link.until = "partition";
    return place_link_text(link);
}

std::string markdown_picture(const std::string& title, const std::string& file) {
    if (file.empty()) return {};
    return "\n## " + markdown_text(title) + "\n\n![" + markdown_text(title) + "](" + link_to(file) + ")\n";
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + markdown_text(cell) + " |";
    return row + "\n";
}

}  // namespace

Result<std::string> write_html_report(const ExportSubject& subject) {
    std::string graph = "<p>" + xml_text(subject.no_graph) + "</p>\n";
    if (subject.no_graph.empty()) {
        Result<std::string> picture = write_svg(subject);
        if (!picture) return picture.error();
        graph = "<figure>" + picture->substr(picture->find("<svg")) + "</figure>\n";
    }
    std::string title = xml_text(subject.title);
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><title>" +
        title + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + title + "</h1>\n";
    page += graph;
    if (has_regions(subject)) page += html_terms();
    for (const ReportTable& table : subject.tables) {
        if (table.rows.empty()) continue;
        const std::vector<bool> numeric = numeric_columns(table);
        page += "<h2>" + xml_text(table.title) + "</h2>\n<table>\n" + html_row(table.header, "th", numeric);
        for (const auto& row : table.rows) page += html_row(row, "td", numeric);
        page += "</table>\n";
        if (!table.note.empty()) page += "<p class=\"note\">" + xml_text(table.note) + "</p>\n";
        if (table.left_out) page += "<p>" + rows_left_out(table) + "</p>\n";
    }
    for (const ReportPicture& each : subject.pictures) {
        page += "<h2>" + xml_text(each.title) + "</h2>\n<figure>" + each.svg + "</figure>\n";
    }
    page += "<p class=\"note\">" + xml_text(link_to_module(subject)) + "</p>\n";
    return page + "</body></html>\n";
}

Result<std::string> write_markdown_report(const ExportSubject& subject) {
    std::string page = "# " + markdown_text(subject.title) + "\n";
    if (!subject.no_graph.empty()) page += "\n" + markdown_text(subject.no_graph) + "\n";
    else if (!subject.graph_file.empty())
        page += "\n![" + markdown_text(subject.title) + "](" + link_to(subject.graph_file) + ")\n";
    if (has_regions(subject)) page += markdown_terms();
    for (const ReportTable& table : subject.tables) {
        if (table.rows.empty()) continue;
        page += "\n## " + markdown_text(table.title) + "\n\n" + markdown_row(table.header) + "|";
        for (size_t i = 0; i < table.header.size(); i++) page += " --- |";
        page += "\n";
        for (const auto& row : table.rows) page += markdown_row(row);
        if (table.left_out) page += "\n" + rows_left_out(table) + "\n";
        if (!table.note.empty()) page += "\n" + markdown_text(table.note) + "\n";
    }
    for (const ReportPicture& picture : subject.pictures) page += markdown_picture(picture.title, picture.file);
    return page + "\n`" + link_to_module(subject) + "`\n";
}

}  // namespace partita
