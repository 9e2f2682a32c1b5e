// The form "onnx": one model with functions, or a folder of models.
#include <filesystem>

#include "engine/exporters/exporter.h"
#include "engine/exporters/onnx/model_writer.h"
#include "engine/exporters/onnx/split.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/support/file.h"
#include "engine/support/system_reason.h"

namespace partita {

namespace {

using onnx_export::ModelFiles;
using onnx_export::Piece;

/// The operator set that is written lacks some whole operators: returns the module with their parts.
Result<ModulePtr> module_to_write(const ExportSubject& subject) {
    if (whole_operator_calls(*subject.module) == 0) return subject.module;
    Result<Module> lowered = lower_whole_operators(*subject.module, nullptr, RewriteReach::Everywhere);
    if (!lowered) return lowered.error();
    return std::make_shared<const Module>(std::move(*lowered));
}

Result<ModelFiles> files_of(const ExportSubject& subject, const std::string& file) {
    const Result<ModulePtr> module = module_to_write(subject);
    if (!module) return module.error();
    auto build = [&](onnx_export::ExternalFile* external) {
        onnx_export::ModelWriter writer(**module, subject.cancel, external);
        onnx_export::Graph graph = writer.graph_of(onnx_export::entry_function(**module));
        return writer.model(graph, subject.title);
    };
    try {
        return onnx_export::model_files(build, file);
    } catch (const onnx_export::Refusal& refusal) {
        return error(refusal.message);
    }
}

Status write_pieces(const std::string& path, const std::vector<Piece>& pieces) {
    std::shared_ptr<const void> lent;
    try {
        return write_file(path, pieces.size(), [&](size_t index) { return pieces[index].bytes(lent); });
    } catch (const DataLost& lost) {
        return error(lost.what());
    }
}

}  // namespace

Result<std::string> write_onnx(const ExportSubject& subject) {
    Result<ModelFiles> files = files_of(subject, "");
    if (!files) return files.error();
    std::string content;
    std::shared_ptr<const void> lent;
    for (const Piece& piece : files->model) content += piece.bytes(lent);
    return content;
}

Status write_onnx_file(const ExportSubject& subject, const std::string& path) {
    const std::filesystem::path target(path);
    Result<ModelFiles> files = files_of(subject, target.filename().string());
    if (!files) return files.error();
    if (!files->weights_name.empty()) {
        Status written = write_pieces((target.parent_path() / files->weights_name).string(), files->weights);
        if (!written) return written;
    }
    return write_pieces(path, files->model);
}

Status write_onnx_folder(const ExportSubject& subject, const std::string& path) {
    auto files = write_onnx_split(subject, path);
    if (!files) return files.error();
    return Nothing();
}

Result<std::vector<std::string>> write_onnx_split(const ExportSubject& subject, const std::string& folder) {
    const Result<ModulePtr> module = module_to_write(subject);
    if (!module) return module.error();
    auto files = onnx_export::split_models(**module, subject.cancel);
    if (!files) return files.error();
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);
    if (fault) return error("can't create the folder " + folder + ": " + system_reason(fault.value()));
    std::vector<std::string> names;
    for (const onnx_export::SplitFile& file : *files) {
        Status written = write_pieces((std::filesystem::path(folder) / file.name).string(), file.pieces);
        if (!written) return written.error();
        names.push_back(file.name);
    }
    return names;
}

}  // namespace partita
