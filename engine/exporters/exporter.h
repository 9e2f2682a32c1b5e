// The export forms of a module, its picture or a report. Each form is one file here and one line in the table of
// exporters.cpp.
//
// Names and labels come from untrusted files: every exporter escapes them for its own form.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/ir/module.h"
#include "engine/layout/pages.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::relax {
struct Program;  // engine/frontends/relax/program.h
}

namespace partita {

struct ExportRegion {
    std::string name;        ///< name of the sub-function
    std::string short_name;  ///< "dnnl #17"
    std::string backend;
    int backend_index = -1;
    double milliseconds = 0;  ///< of the run; 0: unknown
};

/// Why each call goes where it goes, and why regions stayed apart.
struct ExportReasons {
    struct Refusal {
        ExprId from, to;                   ///< an expression of the producer and one of the consumer that uses it
        int producer = -1, consumer = -1;  ///< indices into regions
        bool closes_cycle = false;
        std::string why;
    };
    std::vector<std::string> why;  ///< by ExprId of the graph, as lines of text; may be shorter
    std::vector<Refusal> refusals;
};

/// A table of a report.
struct ReportTable {
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    size_t left_out = 0;    ///< number of further rows that are left out
    std::string note = {};  ///< says what the columns mean; "" if they speak for themselves
};

/// A picture of a report.
struct ReportPicture {
    std::string title;
    std::string svg;   ///< one <svg> element
    std::string file;  ///< Markdown: the picture's file beside the report; "" if none was written
};

/// Whether pictures draw blocks that come again and again as closed groups.
enum class PictureGrouping : uint8_t {
    Automatic,  ///< where a graph with all its nodes can't be read
    None,
};

/// The subject of an export. export_subject in engine/session/export.h makes it.
struct ExportSubject {
    std::string title;                            ///< for people: the name of the file
    ModulePtr module;                             ///< written by text forms
    ModulePtr graph;                              ///< shown by pictures
    std::shared_ptr<const Graph> plain;           ///< the plain graph that was opened; null: another form was
    std::shared_ptr<const relax::Program> relax;  ///< what `module` is of, if that is a Relax program; else null
    std::vector<int16_t> backend_of;  ///< by ExprId of `graph`: index into backends, -1 default; empty: unknown
    std::vector<int32_t> region_of;   ///< by ExprId of `graph`: index into regions, or -1; empty: unknown
    std::vector<ExportRegion> regions;
    std::vector<std::string> backends;
    std::vector<std::pair<ExprId, ExprId>> refused;  ///< of `graph`: merges across these edges would close a cycle
    bool numbered = false;                           ///< pictures write the numbers of calls
    PaperSize paper = PaperSize::A4;                 ///< of forms with pages
    PictureGrouping grouping = PictureGrouping::Automatic;
    std::vector<ReportTable> tables;      ///< for reports
    std::vector<ReportPicture> pictures;  ///< for reports, in addition to the graph
    std::string
        graph_file;  ///< Markdown reports: the file of the graph's picture beside the report; "" if none was written
    std::string no_graph;  ///< reports: why the graph's picture is missing; "" if it is not
    /// Makes the reasons, which takes a while: for forms that tell them. Null: there are none. What the subject was
    /// made of must live as long as it is called.
    std::function<ExportReasons(const CancelToken& cancel)> reasons;
    CancelToken cancel;
    bool force = false;  ///< replace also files that no export wrote, where several files are written
};

/// A file of an export form that is a folder.
struct ExportFile {
    std::string name;
    std::string content;
};

struct ExportForm {
    std::string_view name;                  ///< the value of `--form`
    std::string_view summary;               ///< one line
    std::vector<std::string_view> endings;  ///< of file names, with the dot; the first is the default
    Result<std::string> (*write)(const ExportSubject& subject);  ///< returns the content of the file; null for a folder
    /// Returns the files of a folder. The program chooses their names, never a module.
    Result<std::vector<ExportFile>> (*write_folder)(const ExportSubject& subject) = nullptr;
    /// Writes the file or folder directly, without its content in memory; null if the others suffice.
    Status (*write_file)(const ExportSubject& subject, const std::string& path) = nullptr;
};

/// Returns all forms, in display order.
std::span<const ExportForm> export_forms();
/// Returns the form of that name; null if there is none.
const ExportForm* find_export_form(std::string_view name);
/// Returns the form for the ending of a file name; null if there is none.
const ExportForm* export_form_of_file(std::string_view path);
/// Returns ".relay, .txt, .json, ...", for messages.
std::string export_endings();

/// Refuses a form that writes weights as text, if their text does not fit into memory: found out on the way it takes a
/// minute.
Status check_text_of_weights(const Module& module);

// One function for each form, each in the file of its name.
Result<std::string> write_relay_text(const ExportSubject& subject);
Result<std::string> write_relax_text(const ExportSubject& subject);
Result<std::string> write_plain_graph(const ExportSubject& subject);
Result<std::string> write_model_explorer(const ExportSubject& subject);
Result<std::string> write_json(const ExportSubject& subject);
Result<std::string> write_dot(const ExportSubject& subject);
Result<std::string> write_svg(const ExportSubject& subject);
Result<std::string> write_png(const ExportSubject& subject);
Result<std::string> write_pdf(const ExportSubject& subject);
Result<std::string> write_handout(const ExportSubject& subject);
Result<std::string> write_page(const ExportSubject& subject);
Result<std::string> write_html_report(const ExportSubject& subject);
Result<std::string> write_markdown_report(const ExportSubject& subject);
/// Returns the files of a C bundle: see c_bundle.cpp.
Result<std::vector<ExportFile>> write_c_bundle(const ExportSubject& subject);
Result<std::string> write_onnx(const ExportSubject& subject);
Status write_onnx_file(const ExportSubject& subject, const std::string& path);
Status write_onnx_folder(const ExportSubject& subject, const std::string& path);

/// Writes a partitioned module as one ONNX model for each region and one for each stretch between them, with a
/// `manifest.json` of their connections. Creates the folder if it does not exist. Returns the file names.
Result<std::vector<std::string>> write_onnx_split(const ExportSubject& subject, const std::string& folder);

}  // namespace partita
