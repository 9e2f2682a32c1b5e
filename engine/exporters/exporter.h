// The forms in which a module, its picture or a report leaves the program. Each form is one file here and one line in
// the table of exporters.cpp.
//
// Names and labels come from files that are not trusted: every exporter escapes them for its own form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct ExportRegion {
    std::string name;  ///< of the sub-function
    std::string backend;
    int backend_index = -1;
};

/// A table of a report.
struct ReportTable {
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    size_t left_out = 0;  ///< further rows, where there are too many for people to read
};

/// A picture of a report.
struct ReportPicture {
    std::string title;
    std::string svg;   ///< one <svg> element
    std::string file;  ///< Markdown: the picture's file, beside the report's; "" where none was written
};

/// What is exported. Made by export_subject in engine/session/export.h.
struct ExportSubject {
    std::string title;                ///< for people: the file's name
    ModulePtr module;                 ///< what the text forms write
    ModulePtr graph;                  ///< what pictures show
    std::vector<int16_t> backend_of;  ///< by ExprId of `graph`: index into backends, -1 default; empty: none known
    std::vector<int32_t> region_of;   ///< by ExprId of `graph`: index into regions, or -1; empty: none known
    std::vector<ExportRegion> regions;
    std::vector<std::string> backends;
    std::vector<ReportTable> tables;      ///< of reports
    std::vector<ReportPicture> pictures;  ///< of reports, besides the graph
    std::string graph_file;  ///< Markdown reports: the graph's picture, beside the report; "" where none was written
    std::string no_graph;    ///< reports: why the graph's picture is left out; "" where it is not
    CancelToken cancel;
};

/// A file of a form that is a folder.
struct ExportFile {
    std::string name;
    std::string content;
};

struct ExportForm {
    std::string_view name;                  ///< as `--form` takes it
    std::string_view summary;               ///< one line
    std::vector<std::string_view> endings;  ///< of file names, with the dot; the first is the usual one
    Result<std::string> (*write)(const ExportSubject& subject);  ///< the file's content; null for a folder
    /// Of a form that is a folder: its files. Names come from the program, never from a module.
    Result<std::vector<ExportFile>> (*write_folder)(const ExportSubject& subject) = nullptr;
    /// Writes the file or folder itself, without holding its content in memory; null where the others are good enough.
    Status (*write_file)(const ExportSubject& subject, const std::string& path) = nullptr;
};

/// All forms, in the order in which they are shown.
std::span<const ExportForm> export_forms();
/// Null where there is none of that name.
const ExportForm* find_export_form(std::string_view name);
/// The form that the ending of a file's name stands for; null where none does.
const ExportForm* export_form_of_file(std::string_view path);
/// ".relay, .txt, .json, ...": for messages.
std::string export_endings();

// One function for each form, in the file of its name.
Result<std::string> write_relay_text(const ExportSubject& subject);
Result<std::string> write_json(const ExportSubject& subject);
Result<std::string> write_dot(const ExportSubject& subject);
Result<std::string> write_svg(const ExportSubject& subject);
Result<std::string> write_png(const ExportSubject& subject);
Result<std::string> write_pdf(const ExportSubject& subject);
Result<std::string> write_html_report(const ExportSubject& subject);
Result<std::string> write_markdown_report(const ExportSubject& subject);
/// A folder: see c_bundle.cpp.
Result<std::vector<ExportFile>> write_c_bundle(const ExportSubject& subject);
Result<std::string> write_onnx(const ExportSubject& subject);
Status write_onnx_file(const ExportSubject& subject, const std::string& path);
Status write_onnx_folder(const ExportSubject& subject, const std::string& path);

/// A partitioned module as one ONNX model for each region and one for each stretch between them, with a
/// `manifest.json` of their connections, in a folder that is made where it is not there. Returns the files' names.
Result<std::vector<std::string>> write_onnx_split(const ExportSubject& subject, const std::string& folder);

}  // namespace partita
