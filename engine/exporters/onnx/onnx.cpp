// The form "onnx": one model with functions, or a folder of models.
#include <filesystem>

#include "engine/exporters/exporter.h"
#include "engine/exporters/onnx/model_writer.h"
#include "engine/exporters/onnx/split.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/support/own_folder.h"

namespace partita {

namespace {

using onnx_export::ModelFiles;
using onnx_export::Piece;

/// The operator set that is written lacks some whole operators: returns the module with their parts.
Result<ModulePtr> module_to_write(const ExportSubject& subject) {
    constexpr ToBeLowered kWhat = ToBeLowered::WholeOperators;
    if (whole_operator_calls(*subject.module, kWhat) == 0) return subject.module;
    Result<Module> lowered = lower_whole_operators(*subject.module, nullptr, RewriteReach::Everywhere, kWhat);
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

/// The pieces must outlive it.
NewFile new_file(std::string name, const std::vector<Piece>& pieces) {
    return {std::move(name), pieces.size(), [&pieces, lent = std::shared_ptr<const void>()](size_t index) mutable {
                return pieces[index].bytes(lent);
            }};
}

/// Weights are read from their file while they are written.
template <class Write>
Status without_data_loss(const Write& write) {
    try {
        return write();
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
    const std::string name = std::filesystem::path(path).filename().string();
    const Result<ModelFiles> files = files_of(subject, name);
    if (!files) return files.error();
    std::vector<NewFile> contents;
    if (!files->weights_name.empty()) contents.push_back(new_file(files->weights_name, files->weights));
    contents.push_back(new_file(name, files->model));
    return without_data_loss([&] { return write_with_files_beside(path, contents, subject.force); });
}

Status write_onnx_folder(const ExportSubject& subject, const std::string& path) {
    auto files = write_onnx_split(subject, path);
    if (!files) return files.error();
    return Nothing();
}

Result<std::vector<std::string>> write_onnx_split(const ExportSubject& subject, const std::string& folder) {
    if (Status checked = check_own_folder({folder, {}, subject.force}); !checked) return checked.error();
    const Result<ModulePtr> module = module_to_write(subject);
    if (!module) return module.error();
    std::map<std::string, std::string> short_names;
    for (const ExportRegion& region : subject.regions) short_names[region.name] = region.short_name;
    auto files = onnx_export::split_models(**module, subject.cancel, short_names);
    if (!files) return files.error();
    std::vector<std::string> names;
    std::vector<NewFile> contents;
    for (const onnx_export::SplitFile& file : *files) {
        names.push_back(file.name);
        contents.push_back(new_file(file.name, file.pieces));
    }
    const Status written = without_data_loss([&] { return write_own_folder({folder, {}, subject.force}, contents); });
    if (!written) return written.error();
    return names;
}

}  // namespace partita
