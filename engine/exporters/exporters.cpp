#include "engine/exporters/exporter.h"

#include "engine/support/amount.h"
#include "engine/support/available_memory.h"

namespace partita {

std::span<const ExportForm> export_forms() {
    static const std::vector<ExportForm> forms{
        {"relay", "Relay text, as TVM 0.9 reads it", {".relay", ".txt", ".rly"}, write_relay_text},
        {"relax",
         "Relax text (TVMScript) of what was opened as such, divided by the partitioner relax or not",
         {".py"},
         write_relax_text},
        {"graph",
         "the plain graph as JSON: nodes, values, attributes; the schema is resources/partita-graph.schema.json",
         {".graph.json"},
         write_plain_graph},
        {"model-explorer",
         "the graph for Google's Model Explorer, with backends and regions",
         {".me.json"},
         write_model_explorer},
        {"json", "the module as JSON; the schema is resources/partita-module.schema.json", {".json"}, write_json},
        {"onnx",
         "an ONNX model (operator set 17); regions are functions",
         {".onnx"},
         write_onnx,
         nullptr,
         write_onnx_file},
        {"dot", "the picture for Graphviz", {".dot", ".gv"}, write_dot},
        {"svg", "the picture, scalable", {".svg"}, write_svg},
        {"png", "the picture in pixels", {".png"}, write_png},
        {"handout",
         "pages to hand out: the picture to draw regions on, and the solution; of a lesson with texts and questions",
         {".handout.pdf"},
         write_handout},
        {"pdf", "the picture for print", {".pdf"}, write_pdf},
        {"page",
         "one page to send: the graph with groups to open, search, regions, times and reasons",
         {".page.html"},
         write_page},
        {"report", "a page with picture and tables", {".html", ".htm"}, write_html_report},
        {"markdown", "the report's tables as Markdown", {".md"}, write_markdown_report},
        {"c",
         "a folder with C sources, weights and CMakeLists.txt that does not need Partita",
         {".c-bundle"},
         nullptr,
         write_c_bundle},
        {"onnx-split",
         "a folder: an ONNX model for each region, and a manifest of their connections",
         {".onnx-split"},
         nullptr,
         nullptr,
         write_onnx_folder},
    };
    return forms;
}

Status check_text_of_weights(const Module& module) {
    constexpr double kCharactersPerByte = 4.0 / 3;  // base64
    double bytes = 0;
    for (const Tensor& tensor : module.constants())
        if (!tensor.in_memory()) bytes += double(tensor.byte_size()) * kCharactersPerByte;
    const size_t available = available_memory();
    if (bytes <= double(available)) return Nothing();
    return error("the text of the weights takes " + amount_text(bytes, "B") + " of memory, and there are " +
                 amount_text(double(available), "B") + "; ONNX is written without it");
}

const ExportForm* find_export_form(std::string_view name) {
    for (const ExportForm& form : export_forms()) {
        if (form.name == name) return &form;
    }
    return nullptr;
}

const ExportForm* export_form_of_file(std::string_view path) {
    std::string name(path);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    for (const ExportForm& form : export_forms()) {
        for (std::string_view ending : form.endings) {
            if (name.size() > ending.size() && name.ends_with(ending)) return &form;
        }
    }
    return nullptr;
}

std::string export_endings() {
    std::string text;
    for (const ExportForm& form : export_forms()) {
        for (std::string_view ending : form.endings) text += (text.empty() ? "" : ", ") + std::string(ending);
    }
    return text;
}

}  // namespace partita
