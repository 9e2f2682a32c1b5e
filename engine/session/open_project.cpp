#include "engine/session/project.h"
#include "engine/session/reports.h"
#include "engine/support/file.h"

namespace partita {

namespace {

Diagnostic warning_in(const std::string& file, const std::string& message) {
    Diagnostic note = error(message);
    note.severity = Severity::Warning;
    note.file = file;
    return note;
}

/// Returns the module that the assignments of a project refer to: simplified or folded where its choice says so.
Result<ModulePtr> base_of(const FlowChoice& choice, const ModulePtr& module, const CancelToken& cancel) {
    if (!choice.rewrites()) return module;
    Result<FlowResult> flow = run_flow(module, rewriting_only(flow_options(choice, false, cancel)));
    if (!flow) return flow.error();
    return flow->input;
}

/// The project's reports decide again, as far as they are still there.
void read_reports_again(const Project& project, const OpenedModule& opened, FlowChoice& choice,
                        std::vector<Diagnostic>& notes) {
    if (project.reports.empty()) return;
    const Result<std::shared_ptr<const Reports>> reports = read_reports(OpenedInput(opened), project.reports);
    if (reports) return choose_reported(choice, (*reports)->reported);
    notes.push_back(reports.error());
    notes.back().severity = Severity::Warning;
    notes.back().message = "the division that it told is left out: " + notes.back().message;
}

}  // namespace

Result<FittedProject> fit_project(const Project& project, OpenedModule& opened, const std::string& digest,
                                  const CancelToken& cancel) {
    Result<ModulePtr> base = base_of(project.choice, opened.module, cancel);
    if (!base) return base.error();
    FittedProject fitted;
    fitted.named = std::make_shared<NamedModule>(*base);
    fitted.choice = choice_of(project, **base, fitted.named->names, opened.notes);
    read_reports_again(project, opened, fitted.choice, opened.notes);
    add_backends_of_module(fitted.choice, **base);
    fitted.bookmarks = bookmarks_of(project, **base, fitted.named->names);
    fitted.inputs = project.inputs;
    if (!project.module_digest.empty() && project.module_digest != digest)
        opened.notes.push_back(
            warning_in(project.module_path, "the module's file has changed since the project was saved"));
    return fitted;
}

Result<OpenedProject> open_project(const std::string& file, OpenOptions options) {
    const Result<std::string> text = read_file(file);
    if (!text) return text.error();
    const Result<Project> project = read_project(*text, file);
    if (!project) return project.error();
    if (options.dimensions.empty()) {
        options.dimensions = project->dimensions;
        options.correct_dimensions = true;
    }
    const bool holds_module = !project->module_text.empty();
    Result<OpenedModule> opened = holds_module ? open_text(project->module_text, project->module_path, options)
                                               : open_module(project->module_path, options);
    if (!opened) return opened.error();
    const std::string digest =
        project->module_digest.empty() ? std::string() : digest_of_file(project->module_path, options.cancel);
    Result<FittedProject> fitted = fit_project(*project, *opened, digest, options.cancel);
    if (!fitted) return fitted.error();
    return OpenedProject{std::move(*opened), std::move(*fitted)};
}

}  // namespace partita
