#include "app/gui/document/open_document.h"

#include <QFileInfo>

#include "engine/ops/annotations.h"
#include "engine/session/project.h"
#include "engine/support/file.h"

namespace partita {

namespace {

OpenedDocument open_plain(const QString& path, const std::string& compiler, const Dimensions& dimensions,
                          const CancelToken& cancel) {
    OpenedDocument result{
        open_model(path, compiler, dimensions, cancel), false, {}, path, {}, {}, {}, {}, {}, {}, {}, {}};
    if (!result.opened) return result;
    result.named = std::make_shared<NamedModule>(result.opened->module);
    result.annotated = has_annotations(*result.opened->module);
    add_backends_of_module(result.of_module, *result.opened->module);
    result.dimensions_chosen = !dimensions.empty();
    result.digest = digest_of_file(path.toStdString(), cancel);
    return result;
}

OpenedDocument refused(Diagnostic reason) { return {std::move(reason), false, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }

/// A module that was changed by hand stands in the project itself.
OpenedDocument open_embedded(const std::string& text, const QString& module_path, const CancelToken& cancel) {
    OpenOptions options;
    options.cancel = cancel;
    OpenedDocument result{open_text(text, module_path.toStdString(), options),
                          false,
                          {},
                          module_path,
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          {},
                          true};
    if (!result.opened) return result;
    result.named = std::make_shared<NamedModule>(result.opened->module);
    result.annotated = has_annotations(*result.opened->module);
    add_backends_of_module(result.of_module, *result.opened->module);
    return result;
}

Dimensions dimensions_of(const DimensionsByFile& all, const QString& path) {
    const auto known = all.find(QFileInfo(path).absoluteFilePath());
    return known == all.end() ? Dimensions() : known->second;
}

}  // namespace

Result<OpenedModule> open_model(const QString& path, const std::string& compiler, const Dimensions& dimensions,
                                const CancelToken& cancel) {
    OpenOptions options;
    options.cancel = cancel;
    options.dimensions = dimensions;
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

OpenedDocument open_document(const QString& path, const std::string& compiler, const DimensionsByFile& remembered,
                             const Dimensions& chosen, const CancelToken& cancel) {
    if (!path.endsWith(QLatin1String(".partita")))
        return open_plain(path, compiler, chosen.empty() ? dimensions_of(remembered, path) : chosen, cancel);
    Result<std::string> text = read_file(path.toStdString());
    if (!text) return refused(text.error());
    Result<Project> project = read_project(*text, path.toStdString());
    if (!project) return refused(project.error());
    const QString module_path = QString::fromStdString(project->module_path);
    const Dimensions dimensions = !chosen.empty()                ? chosen
                                  : !project->dimensions.empty() ? project->dimensions
                                                                 : dimensions_of(remembered, module_path);
    OpenedDocument result = project->module_text.empty() ? open_plain(module_path, compiler, dimensions, cancel)
                                                         : open_embedded(project->module_text, module_path, cancel);
    if (!result.opened) return result;
    result.differs = !chosen.empty() && chosen != project->dimensions;
    Result<FittedProject> fitted = fit_project(*project, *result.opened, result.digest, cancel);
    if (!fitted) return refused(fitted.error());
    if (project->choice.simplify) result.simplified = fitted->named->module;
    result.named = fitted->named;
    result.choice = std::move(fitted->choice);
    result.bookmarks = std::move(fitted->bookmarks);
    result.runs = std::move(project->runs);
    result.recovers = project->recovers;
    result.unknown = project->unknown;
    return result;
}

OpenedDocument read_document(const QString& text, const QString& title, const std::vector<BackendPtr>& backends,
                             const CancelToken& cancel) {
    OpenOptions options;
    options.cancel = cancel;
    OpenedDocument result{
        open_text(text.toStdString(), title.toStdString(), options), false, {}, title, {}, {}, {}, {}, {}, {}, {}, {}};
    if (!result.opened) return result;
    result.named = std::make_shared<NamedModule>(result.opened->module);
    result.annotated = has_annotations(*result.opened->module);
    add_backends_of_module(result.of_module, *result.opened->module);
    result.choice = FlowChoice();
    result.choice->backends = backends;
    return result;
}

Result<ModulePtr> read_to_compare(const QString& path, const CancelToken& cancel) {
    OpenedDocument read = open_document(path, {}, {}, {}, cancel);
    if (!read.opened) return read.opened.error();
    const ModulePtr base = read.simplified ? read.simplified : read.opened->module;
    if (!read.choice || !read.choice->active(read.annotated)) return base;
    read.choice->simplify = false;  // that was made
    Result<FlowResult> flow = run_flow(base, flow_options(*read.choice, read.annotated, cancel));
    if (!flow) return flow.error();
    return read.choice->merge ? flow->merged : flow->annotated;
}

}  // namespace partita
