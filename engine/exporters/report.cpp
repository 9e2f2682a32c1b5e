// The report: the picture and the tables that the subject carries, as one HTML page without scripts or links, or the
// tables as Markdown.
#include "engine/exporters/picture.h"
#include "engine/exporters/xml.h"

namespace partita {
namespace {

constexpr const char* kStyle =
    "body{font-family:sans-serif;margin:2em;max-width:70em;color:#111}"
    "table{border-collapse:collapse;margin-bottom:2em}"
    "th,td{border:1px solid #bbb;padding:.25em .6em;text-align:left;vertical-align:top}"
    "th{background:#eee}svg{max-width:100%;height:auto}";

std::string html_row(const std::vector<std::string>& cells, const char* tag) {
    std::string row = "<tr>";
    for (const std::string& cell : cells) row += std::string("<") + tag + ">" + xml_text(cell) + "</" + tag + ">";
    return row + "</tr>\n";
}

/// Markdown has no quoting: every character that means something gets a backslash.
std::string markdown_text(std::string_view text) {
    std::string result;
    for (char c : clean_text(text)) {
        if (c == '<') result += "&lt;";
        else if (c == '&') result += "&amp;";
        else if (std::string_view("\\`*_{}[]()#+-!|>~").find(c) != std::string_view::npos) result += std::string("\\") + c;
        else result += c;
    }
    return result;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + markdown_text(cell) + " |";
    return row + "\n";
}

}  // namespace

Result<std::string> write_html_report(const ExportSubject& subject) {
    Result<std::string> picture = write_svg(subject);
    if (!picture) return picture.error();
    std::string title = xml_text(subject.title);
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
                       "</title><style>" + kStyle + "</style></head><body>\n<h1>" + title + "</h1>\n";
    for (const ReportTable& table : subject.tables) {
        if (table.rows.empty()) continue;
        page += "<h2>" + xml_text(table.title) + "</h2>\n<table>\n" + html_row(table.header, "th");
        for (const auto& row : table.rows) page += html_row(row, "td");
        page += "</table>\n";
    }
    page += "<h2>Picture</h2>\n" + picture->substr(picture->find("<svg"));
    return page + "</body></html>\n";
}

Result<std::string> write_markdown_report(const ExportSubject& subject) {
    std::string page = "# " + markdown_text(subject.title) + "\n";
    for (const ReportTable& table : subject.tables) {
        if (table.rows.empty()) continue;
        page += "\n## " + markdown_text(table.title) + "\n\n" + markdown_row(table.header) + "|";
        for (size_t i = 0; i < table.header.size(); i++) page += " --- |";
        page += "\n";
        for (const auto& row : table.rows) page += markdown_row(row);
    }
    return page;
}

}  // namespace partita
