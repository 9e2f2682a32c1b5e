#include "engine/session/front_ends.h"

#include <algorithm>
#include <array>

#include "engine/frontends/json/module_reader.h"
#include "engine/frontends/litert/importer.h"
#include "engine/frontends/model_explorer/reader.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/relax/reader.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/torch/importer.h"
#include "engine/frontends/torch/pte.h"
#include "engine/graph/graph_json.h"
#include "engine/graph/module_of_graph.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/verify.h"
#include "engine/session/file_graph.h"
#include "engine/support/in_file.h"
#include "engine/support/one_line.h"

namespace partita {

Result<OpenedModule> opened_as(Module module, const std::string& path) {
    if (verifying())
        if (Status sound = verify(module, module.size()); !sound) return in_file(sound.error(), path);
    OpenedModule opened;
    opened.module = std::make_shared<const Module>(std::move(module));
    opened.path = path;
    return opened;
}

namespace {

/// Opens a text of which a module is made, with or without types.
template <Result<Module> (*kRead)(std::string_view, const std::string&, const CancelToken&)>
Result<OpenedModule> open_module(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<Module> read = kRead(text, name, options.cancel);
    if (!read) return in_file(read.error(), name);
    if (Status sound = verify_scopes(*read); !sound) return in_file(sound.error(), name);
    if (Status typed = infer_types(*read, nullptr, options.cancel); !typed)
        return in_file(error("bad module: " + typed.error().message, typed.error().position), name);
    return opened_as(std::move(*read), name);
}

void keep_graph(OpenedModule& opened, Graph graph) {
    graph.module = opened.module;
    opened.graph = std::make_shared<const Graph>(std::move(graph));
}

/// Makes what is opened of a plain graph, whose operators nobody needs to know.
Result<OpenedModule> opened_graph(Graph graph, const std::string& name, const OpenOptions& options) {
    Result<Module> module = module_of_graph(graph);
    if (!module) return in_file(module.error(), name);
    if (Status typed = infer_types(*module, nullptr, options.cancel); !typed) return in_file(typed.error(), name);
    Result<OpenedModule> opened = opened_as(std::move(*module), name);
    if (opened) keep_graph(*opened, std::move(graph));
    return opened;
}

/// Opens a text of which a plain graph is made.
template <Result<Graph> (*kRead)(std::string_view, const CancelToken&)>
Result<OpenedModule> open_graph(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<Graph> read = kRead(text, options.cancel);
    if (!read) return in_file(read.error(), name);
    return opened_graph(std::move(*read), name, options);
}

Result<OpenedModule> open_model_explorer(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<ModelExplorerFile> read = read_model_explorer(text, options.cancel);
    if (!read) return in_file(read.error(), name);
    const size_t others = read->others.size();
    Result<OpenedModule> opened = opened_graph(std::move(read->graph), name, options);
    if (opened && others)
        opened->notes.push_back({Severity::Note,
                                 name,
                                 {},
                                 "the first graph is shown; the file has " + std::to_string(others) +
                                     " more, such as " + in_quotes(read->others.front())});
    return opened;
}

Result<OpenedModule> open_relay(std::string_view text, const std::string& name, const OpenOptions& options) {
    RelayParseOptions parse_options;
    parse_options.file = name;
    parse_options.compiler = options.compiler;
    parse_options.cancel = options.cancel;
    parse_options.lacks_compiler = options.lacks_compiler;
    std::vector<Diagnostic> notes;
    parse_options.notes = &notes;
    Result<Module> parsed = parse_relay(text, parse_options);
    if (!parsed) return in_file(parsed.error(), name);
    if (Status typed = infer_types(*parsed, nullptr, options.cancel); !typed) return in_file(typed.error(), name);
    Result<OpenedModule> opened = opened_as(std::move(*parsed), name);
    if (opened) opened->notes = std::move(notes);
    return opened;
}

Result<OpenedModule> open_relax(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<relax::Program> program = relax::read(text, options.cancel);
    if (!program) return in_file(program.error(), name);
    Result<relax::MadeModule> made = relax::make_module(std::move(*program));
    if (!made) return in_file(made.error(), name);
    if (Status typed = infer_types(made->module, nullptr, options.cancel); !typed) return in_file(typed.error(), name);
    Result<OpenedModule> opened = opened_as(std::move(made->module), name);
    if (!opened) return opened;
    keep_graph(*opened, std::move(made->graph));
    for (Diagnostic& note : made->notes) opened->notes.push_back(in_file(std::move(note), name));
    return opened;
}

/// Takes what a reader of a binary format made.
template <class Import>
Result<OpenedModule> opened_import(Import& imported, const std::string& path) {
    Result<OpenedModule> opened = opened_as(std::move(imported.module), path);
    if (!opened) return opened;
    opened->notes = std::move(imported.notes);
    opened->dimensions = std::move(imported.dimensions);
    return opened;
}

Result<OpenedModule> open_onnx(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    OnnxOptions onnx_options;
    onnx_options.file = file->path();
    onnx_options.strict = options.strict;
    onnx_options.dimensions = options.dimensions;
    onnx_options.correct_dimensions = options.correct_dimensions;
    onnx_options.cancel = options.cancel;
    Result<OnnxImport> imported = import_onnx(file, onnx_options);
    if (!imported) return imported.error();
    Result<OpenedModule> opened = opened_import(*imported, file->path());
    if (opened) opened->graph_of_file = graph_of_onnx(*file);
    return opened;
}

Result<OpenedModule> open_litert(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    Result<LitertImport> imported =
        import_litert(file, {options.strict, options.dimensions, options.float16, options.cancel});
    if (!imported) return imported.error();
    Result<OpenedModule> opened = opened_import(*imported, file->path());
    if (opened) keep_graph(*opened, std::move(imported->graph));
    if (opened) opened->operators = std::move(imported->operators);
    return opened;
}

Result<OpenedModule> open_torch(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    Result<TorchImport> imported = import_torch(file, {options.strict, options.dimensions, options.cancel});
    if (!imported) return imported.error();
    Result<OpenedModule> opened = opened_import(*imported, file->path());
    if (!opened) return opened;
    imported->graph->module = opened->module;
    opened->graph = std::move(imported->graph);
    opened->operators = std::move(imported->operators);
    return opened;
}

template <Result<PteImport> (*kImport)(const std::shared_ptr<const SourceFile>&)>
Result<OpenedModule> open_pte(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    Result<PteImport> read = kImport(file);
    if (!read) return read.error();
    Result<OpenedModule> opened = opened_graph(std::move(read->graph), file->path(), options);
    if (opened) opened->notes = std::move(read->notes);
    return opened;
}

bool is_text(std::string_view) { return true; }

bool is_hdf5(std::string_view head) { return head.starts_with("\x89HDF\r\n"); }
bool is_gguf(std::string_view head) { return head.starts_with("GGUF"); }
bool is_openvino(std::string_view head) {
    return head.starts_with("<") && head.substr(0, 400).find("<net ") != std::string_view::npos;
}
bool is_pickle(std::string_view head) { return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5; }
bool is_safetensors(std::string_view head) {
    return head.size() > 9 && head[8] == '{' && head[5] == 0 && head[6] == 0 && head[7] == 0;
}

constexpr const char* kExportOnnx = "export it as ONNX (torch.onnx.export, tf2onnx) and open that file";

constexpr std::array kFrontEnds = {
    FrontEnd{"onnx", "ONNX model", ".onnx", looks_like_onnx, nullptr, open_onnx},
    FrontEnd{"litert", "LiteRT (TensorFlow Lite) model", ".tflite .lite", looks_like_litert, nullptr, open_litert},
    FrontEnd{"torch", "torch.export program or ETRecord", ".pt2 .etrecord", looks_like_zip, nullptr, open_torch},
    FrontEnd{"executorch", "ExecuTorch program", ".pte", looks_like_pte, nullptr, open_pte<import_pte>},
    FrontEnd{"executorch-data", "ExecuTorch weights", ".ptd", looks_like_ptd, nullptr, open_pte<import_ptd>},
    FrontEnd{"hdf5", "Keras or HDF5 file", ".h5 .hdf5", is_hdf5, nullptr, nullptr, kExportOnnx},
    FrontEnd{"gguf", "GGUF file (weights without a graph)", ".gguf", is_gguf, nullptr, nullptr,
             "open the model that it was made from"},
    FrontEnd{"pickle", "Python pickle", ".pkl", is_pickle, nullptr, nullptr, kExportOnnx},
    FrontEnd{"safetensors", "safetensors file (weights without a graph)", ".safetensors", is_safetensors, nullptr,
             nullptr, "open the model that they belong to"},
    FrontEnd{"openvino", "OpenVINO model", ".xml", is_openvino, nullptr, nullptr,
             "open the ONNX file that it was converted from"},
    FrontEnd{"graph", "plain graph as JSON", ".json", looks_like_graph_json, open_graph<read_graph_json>, nullptr},
    FrontEnd{"model-explorer", "graph of Model Explorer", ".json", looks_like_model_explorer, open_model_explorer,
             nullptr},
    FrontEnd{"module", "module as JSON", ".json", looks_like_module_json, open_module<read_module_json>, nullptr},
    FrontEnd{"relax", "Relax module (TVMScript)", ".py", relax::looks_like_relax, open_relax, nullptr},
    FrontEnd{"relay", "Relay text", ".relay .txt", is_text, open_relay, nullptr},
};

}  // namespace

std::span<const FrontEnd> front_ends() { return kFrontEnds; }

std::string readable_endings() {
    std::string all;
    for (const FrontEnd& each : kFrontEnds)
        if ((each.open_text || each.open_file) && all.find(each.endings) == std::string::npos)
            all += (all.empty() ? "" : " ") + std::string(each.endings);
    return all;
}

bool has_ending_of(const FrontEnd& front_end, std::string_view path) {
    for (std::string_view rest = front_end.endings; !rest.empty();) {
        const std::string_view ending = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), ending.size() + 1));
        if (path.size() < ending.size()) continue;
        const std::string_view end = path.substr(path.size() - ending.size());
        if (std::equal(end.begin(), end.end(), ending.begin(), [](char a, char b) { return std::tolower(a) == b; }))
            return true;
    }
    return false;
}

}  // namespace partita
