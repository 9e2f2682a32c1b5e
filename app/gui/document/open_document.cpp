#include "app/gui/document/open_document.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/ops/annotations.h"
#include "engine/session/front_ends.h"
#include "engine/session/project.h"
#include "engine/support/file.h"

namespace partita {

namespace {

OpenedDocument refused(Diagnostic reason) {
    OpenedDocument result;
    result.read = std::move(reason);
    return result;
}

/// A binary file is there to be run, and so is what brings more weights than a text that is there to be read.
bool is_model(const Module& module, const QString& path) {
    constexpr size_t kBytesOfWeights = size_t(1) << 20;
    for (const FrontEnd& each : front_ends())
        if (each.open_file && has_ending_of(each, path.toStdString())) return true;
    size_t bytes = 0;
    for (const Tensor& constant : module.constants()) bytes += constant.byte_size();
    return bytes >= kBytesOfWeights;
}

/// Takes what was read of a module's file or text; `path` is where it stands.
OpenedDocument state_of(const OpenedModule& opened, const QString& path) {
    OpenedDocument result;
    OpenedFile& file = result.state.file;
    file.path = path;
    file.is_model = is_model(*opened.module, path);
    file.symbolic_dimensions = opened.dimensions;
    ModuleState& content = result.state.content;
    content.module = content.opened = opened.module;
    content.graph = opened.graph;
    content.annotated = has_annotations(*opened.module);
    content.choice.operators = opened.operators;
    content.choice.graph = opened.graph;
    content.choice.graph_of_file = opened.graph_of_file;
    content.choice.partitioner = PartitionerChoice::usual(*opened.module, opened.graph.get());
    add_backends_of_module(result.of_module, *opened.module);
    for (const Diagnostic& note : opened.notes) result.state.problems.add(Problems::Files, problem_of(note));
    return result;
}

Dimensions dimensions_of(const DimensionsByFile& all, const QString& path) {
    const auto known = all.find(QFileInfo(path).absoluteFilePath());
    return known == all.end() ? Dimensions() : known->second;
}

}  // namespace

QString filter_of_modules() {
    QString endings = QString::fromStdString(readable_endings()) + QStringLiteral(" .partita");
    endings.replace(QLatin1Char('.'), QLatin1String("*."));
    return QCoreApplication::translate("open_document", "Modules (%1);;All files (*)").arg(endings);
}

Result<OpenedModule> open_model(const QString& path, const std::string& compiler, const Dimensions& dimensions,
                                const CancelToken& cancel) {
    OpenOptions options;
    options.cancel = cancel;
    options.dimensions = dimensions;
    options.correct_dimensions = true;  // what was remembered may contradict the model by now
    bool lacks_compiler = false;
    options.lacks_compiler = &lacks_compiler;
    Result<OpenedModule> opened = open_module(path.toStdString(), options);
    if (opened || !lacks_compiler || compiler.empty() || cancel.cancelled()) return opened;
    options.compiler = compiler;
    Result<OpenedModule> again = open_module(path.toStdString(), options);
    if (!again) return opened;
    Diagnostic note = error("the text has no metadata section: its annotations are taken to be for " + compiler);
    note.severity = Severity::Warning;
    note.file = path.toStdString();
    again->notes.push_back(std::move(note));
    return again;
}

namespace {

OpenedDocument open_plain(const QString& path, const std::string& compiler, const Dimensions& dimensions,
                          const CancelToken& cancel) {
    const Result<OpenedModule> opened = open_model(path, compiler, dimensions, cancel);
    if (!opened) return refused(opened.error());
    OpenedDocument result = state_of(*opened, path);
    result.state.content.named = std::make_shared<NamedModule>(opened->module);
    result.state.content.digest = digest_of_file(path.toStdString(), cancel);
    result.state.file.dimensions_chosen = !dimensions.empty();
    return result;
}

OpenedDocument open_project(const Project& project, const std::string& compiler, const DimensionsByFile& remembered,
                            const Dimensions& chosen, const CancelToken& cancel) {
    const QString path = QString::fromStdString(project.module_path);
    const Dimensions dimensions = !chosen.empty()               ? chosen
                                  : !project.dimensions.empty() ? project.dimensions
                                                                : dimensions_of(remembered, path);
    // A module that was changed by hand stands in the project itself.
    const bool embedded = !project.module_text.empty();
    OpenOptions options;
    options.cancel = cancel;
    Result<OpenedModule> opened = embedded ? open_text(project.module_text, project.module_path, options)
                                           : open_model(path, compiler, dimensions, cancel);
    if (!opened) return refused(opened.error());
    const std::string digest = embedded ? std::string() : digest_of_file(project.module_path, cancel);
    Result<FittedProject> fitted = fit_project(project, *opened, digest, cancel);
    if (!fitted) return refused(fitted.error());
    OpenedDocument result = state_of(*opened, path);
    OpenedFile& file = result.state.file;
    file.dimensions_chosen = !embedded && !dimensions.empty();
    file.saved_bookmarks = fitted->bookmarks;
    file.unknown = project.unknown;
    file.inputs = file.saved_inputs = fitted->inputs;
    ModuleState& content = result.state.content;
    content.edited = embedded;
    content.digest = digest;
    content.named = fitted->named;
    content.choice = std::move(fitted->choice);
    content.choice.operators = opened->operators;
    content.choice.graph = opened->graph;
    content.choice.graph_of_file = opened->graph_of_file;
    if (content.choice.rewrites()) content.rewritten() = fitted->named->module;
    content.bookmarks = std::move(fitted->bookmarks);
    result.state.runs.records = project.runs;
    result.has_choice = true;
    result.differs = !chosen.empty() && chosen != project.dimensions;
    result.recovers = project.recovers;
    return result;
}

}  // namespace

OpenedDocument open_document(const QString& path, const std::string& compiler, const DimensionsByFile& remembered,
                             const Dimensions& chosen, const CancelToken& cancel) {
    if (!path.endsWith(QLatin1String(".partita")))
        return open_plain(path, compiler, chosen.empty() ? dimensions_of(remembered, path) : chosen, cancel);
    const Result<std::string> text = read_file(path.toStdString());
    if (!text) return refused(text.error());
    const Result<Project> project = read_project(*text, path.toStdString());
    return project ? open_project(*project, compiler, remembered, chosen, cancel) : refused(project.error());
}

OpenedDocument read_document(const QString& text, const QString& title, const std::vector<BackendPtr>& backends,
                             const CancelToken& cancel) {
    OpenOptions options;
    options.cancel = cancel;
    const Result<OpenedModule> opened = open_text(text.toStdString(), title.toStdString(), options);
    if (!opened) return refused(opened.error());
    OpenedDocument result = state_of(*opened, title);
    result.state.content.named = std::make_shared<NamedModule>(opened->module);
    result.state.content.choice.backends = backends;
    result.has_choice = true;
    return result;
}

Result<ModulePtr> read_to_compare(const QString& path, const CancelToken& cancel) {
    OpenedDocument read = open_document(path, {}, {}, {}, cancel);
    if (!read.read) return read.read.error();
    ModuleState& content = read.state.content;
    FlowChoice& choice = content.choice;
    const ModulePtr base = content.base();
    if (!read.has_choice || !content.divides()) return base;
    choice.lower = choice.simplify = false;  // that was made
    Result<FlowResult> flow = run_flow(base, flow_options(choice, content.annotated, cancel));
    if (!flow) return flow.error();
    const ModulePtr marked = choice.merge ? flow->stage("merged") : flow->stage("annotated");
    return marked ? marked : base;  // a partitioner of the table marks nothing
}

}  // namespace partita
