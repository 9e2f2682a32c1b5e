#include <algorithm>
#include <new>

#include "engine/frontends/json/module_reader.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/relay/parser.h"
#include "engine/graph/graph_json.h"
#include "engine/graph/module_of_graph.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/verify.h"
#include "engine/session/session.h"
#include "engine/support/large_memory.h"
#include "engine/support/one_line.h"
#include "engine/support/source_file.h"

namespace partita {

namespace {

/// The number of bytes that determine the kind of a file.
constexpr size_t kHead = 4096;

bool looks_like_text(std::string_view bytes) {
    // Relay text has no NUL; binary files have one early.
    return bytes.substr(0, kHead).find('\0') == std::string_view::npos;
}

Diagnostic in_file(Diagnostic diagnostic, const std::string& file) {
    if (diagnostic.file.empty()) diagnostic.file = file;
    return diagnostic;
}

/// Returns a frontend's module, verified if verification is on.
Result<OpenedModule> opened_as(Module module, const std::string& path) {
    if (verifying())
        if (Status sound = verify(module, module.size()); !sound) return in_file(sound.error(), path);
    OpenedModule opened;
    opened.module = std::make_shared<const Module>(std::move(module));
    opened.path = path;
    return opened;
}

Result<OpenedModule> open_json(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<Module> read = read_module_json(text, name, options.cancel);
    if (!read) return in_file(read.error(), name);
    if (Status sound = verify_scopes(*read); !sound) return in_file(sound.error(), name);
    if (Status typed = infer_types(*read, nullptr, options.cancel); !typed)
        return in_file(error("bad module: " + typed.error().message, typed.error().position), name);
    return opened_as(std::move(*read), name);
}

/// Reads a plain graph, whose operators nobody needs to know.
Result<OpenedModule> open_graph(std::string_view text, const std::string& name, const OpenOptions& options) {
    Result<Graph> read = read_graph_json(text, options.cancel);
    if (!read) return in_file(read.error(), name);
    Result<Module> module = module_of_graph(*read);
    if (!module) return in_file(module.error(), name);
    if (Status typed = infer_types(*module, nullptr, options.cancel); !typed) return in_file(typed.error(), name);
    Result<OpenedModule> opened = opened_as(std::move(*module), name);
    if (opened) opened->graph = std::make_shared<const Graph>(std::move(*read));
    return opened;
}

}  // namespace

Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return in_file(error("the file is empty; expected Relay text, which begins with #[version = \"0.0.5\"]"), name);
    if (!looks_like_text(text))
        return in_file(error("the file is binary; expected Relay text, which begins with #[version = \"0.0.5\"]"),
                       name);
    if (looks_like_graph_json(text)) return open_graph(text, name, options);
    if (looks_like_module_json(text)) return open_json(text, name, options);
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

namespace {

Result<OpenedModule> open_onnx(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    OnnxOptions onnx_options;
    onnx_options.file = file->path();
    onnx_options.strict = options.strict;
    onnx_options.dimensions = options.dimensions;
    onnx_options.correct_dimensions = options.correct_dimensions;
    onnx_options.cancel = options.cancel;
    Result<OnnxImport> imported = import_onnx(file, onnx_options);
    if (!imported) return imported.error();
    Result<OpenedModule> opened = opened_as(std::move(imported->module), file->path());
    if (!opened) return opened;
    opened->notes = std::move(imported->notes);
    opened->dimensions = std::move(imported->dimensions);
    return opened;
}

/// The first bytes of a file, in a buffer of their own.
struct Block {
    std::shared_ptr<void> memory;
    std::string_view bytes;
};

Result<Block> read_block(const SourceFile& file, size_t count) {
    Block block;
    block.memory = allocate_large(count);
    if (Status done = file.read(0, count, block.memory.get()); !done)
        return in_file(error(done.error().message + "; open it again"), file.path());
    block.bytes = {static_cast<const char*>(block.memory.get()), count};
    return block;
}

Result<OpenedModule> open_file(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    Result<Block> read = read_block(*file, std::min(file->size(), kHead));
    if (!read) return read.error();
    const bool named_onnx = file->path().ends_with(".onnx") && (file->size() == 0 || !looks_like_text(read->bytes));
    if (looks_like_onnx(read->bytes) || named_onnx) return open_onnx(file, options);
    if (looks_like_text(read->bytes)) read = read_block(*file, file->size());
    if (!read) return read.error();
    return open_text(read->bytes, file->path(), options);
}

}  // namespace

Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options) {
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    if (!file) return in_file(file.error(), path);
    try {
        return open_file(*file, options);
    } catch (const std::bad_alloc&) {
        return in_file(error("the model needs more memory than there is"), path);
    }
}

Status check_dimensions(const OpenedModule& opened, const std::map<std::string, int64_t>& dimensions) {
    for (const auto& [name, size] : dimensions) {
        if (find_dimension(opened.dimensions, name)) continue;
        std::string known;
        for (const NamedDimension& each : opened.dimensions)
            known += (known.empty() ? "there are " : ", ") + on_one_line(each.name);
        return error("the file has no symbolic dimension " + in_quotes(name) + "; " +
                     (known.empty() ? "it has none" : known));
    }
    return Nothing();
}

Status check_sizes_known(const std::vector<NamedDimension>& dimensions, const std::string& option) {
    std::string names;
    for (const NamedDimension& each : dimensions) {
        const bool batch =
            std::all_of(each.inputs.begin(), each.inputs.end(), [](const auto& place) { return place.second == 0; });
        if (each.source != NamedDimension::Source::Assumed || batch) continue;
        names += (names.empty() ? "" : ", ") + in_quotes(each.name);
        if (!each.inputs.empty())
            names +=
                " (dimension " + std::to_string(each.inputs[0].second) + " of " + in_quotes(each.inputs[0].first) + ")";
    }
    if (names.empty()) return Nothing();
    return error("a run needs the sizes of the symbolic dimensions, and nothing says that of " + names +
                 ": give it with " + option);
}

std::map<std::string, int64_t> free_sizes(const std::vector<NamedDimension>& dimensions) {
    std::map<std::string, int64_t> sizes;
    for (const NamedDimension& each : dimensions)
        if (each.source != NamedDimension::Source::Derived) sizes[each.name] = each.value;
    return sizes;
}

}  // namespace partita
