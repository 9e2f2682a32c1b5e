#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "engine/support/mapped_file.h"

namespace partita {

namespace {

bool looks_like_text(std::string_view bytes) {
    // Relay text has no NUL; binary files have one early.
    return bytes.substr(0, 4096).find('\0') == std::string_view::npos;
}

Diagnostic in_file(Diagnostic diagnostic, const std::string& file) {
    if (diagnostic.file.empty()) diagnostic.file = file;
    return diagnostic;
}

}  // namespace

Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return in_file(error("the file is empty; expected Relay text, which begins with #[version = \"0.0.5\"]"), name);
    if (!looks_like_text(text))
        return in_file(error("the file is binary; expected Relay text, which begins with #[version = \"0.0.5\"]"),
                       name);
    RelayParseOptions parse_options;
    parse_options.file = name;
    parse_options.compiler = options.compiler;
    parse_options.cancel = options.cancel;
    std::vector<Diagnostic> notes;
    parse_options.notes = &notes;
    Result<Module> parsed = parse_relay(text, parse_options);
    if (!parsed) return in_file(parsed.error(), name);
    if (Status typed = infer_types(*parsed); !typed) return in_file(typed.error(), name);
    OpenedModule opened;
    opened.module = std::make_shared<const Module>(std::move(*parsed));
    opened.path = name;
    opened.notes = std::move(notes);
    return opened;
}

namespace {

Result<OpenedModule> open_onnx(std::string_view bytes, const std::string& path, const OpenOptions& options,
                               const std::shared_ptr<const MappedFile>& file) {
    OnnxOptions onnx_options;
    onnx_options.file = path;
    onnx_options.strict = options.strict;
    onnx_options.dimensions = options.dimensions;
    onnx_options.cancel = options.cancel;
    Result<OnnxImport> imported = import_onnx(bytes, onnx_options, file);
    file->forget();
    if (!imported) return imported.error();
    OpenedModule opened;
    opened.module = std::make_shared<const Module>(std::move(imported->module));
    opened.path = path;
    opened.notes = std::move(imported->notes);
    opened.symbolic_dimensions = std::move(imported->symbolic_dimensions);
    return opened;
}

}  // namespace

Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options) {
    Result<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
    if (!file) return in_file(file.error(), path);
    std::string_view bytes = (*file)->bytes();
    const bool named_onnx = path.ends_with(".onnx") && (bytes.empty() || !looks_like_text(bytes));
    if (!looks_like_onnx(bytes) && !named_onnx) return open_text(bytes, path, options);
    return open_onnx(bytes, path, options, *file);
}

}  // namespace partita
