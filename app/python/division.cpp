#include "app/python/division.h"

#include <algorithm>

#include "engine/annotators/annotator.h"
#include "engine/ops/annotations.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/codegen.h"
#include "engine/session/project.h"

namespace partita::python {
namespace {

Diagnostic not_allowed(const BackendDescription& backend, const std::string& what) {
    Diagnostic fault = error("the backend " + backend.name + " " + what + "; give allow_commands=True if you trust it");
    fault.file = backend.file;
    return fault;
}

/// Returns the choice of a project or of the arguments, with the backends that are given or named by the module.
Result<FlowChoice> choose(const Opened& opened, const DivideOptions& options, std::vector<BackendPtr> backends) {
    FlowChoice choice = opened.choice.value_or(FlowChoice());
    const bool own = opened.choice && backends.empty();
    if (own && !choice.missing.empty())
        return error("a backend of the project can't be loaded: " + choice.missing.front().fault);
    if (!own) {
        choice.annotate = choice.merge = choice.partition = true;
        choice.backends = std::move(backends);
        choice.missing.clear();
    }
    choice.simplify = options.simplify && !choice.simplify;
    const auto& running = choice.backends.size() == 1 ? choice.backends.front()->running : nullptr;
    if (!opened.choice && running && running->self().flow) choose_flow(choice, *running->self().flow);
    choice.composite &= options.composite;
    choice.merge &= options.merge;
    choice.include_non_call_ops &= options.non_call_ops;
    return choice;
}

/// Returns the module whose numbers the overrides use: the one that is divided.
Result<ModulePtr> numbered_module(const Opened& opened, const FlowChoice& choice, const DivideOptions& options) {
    if (!choice.simplify || options.overrides.empty()) return opened.base;
    FlowOptions simplify;
    simplify.simplify = true;
    simplify.until = FlowStage::Simplify;
    simplify.cancel = options.cancel;
    Result<FlowResult> simplified = run_flow(opened.base, simplify);
    if (!simplified) return simplified.error();
    return simplified->input;
}

Status add_overrides(FlowOptions& flow, const Module& module, const DivideOptions& options) {
    const ExpressionNames names(module);
    for (const auto& [selector, backend] : options.overrides) {
        const auto named = [&backend = backend](const BackendDescription& each) { return each.name == backend; };
        if (backend != "default" && std::none_of(flow.backends.begin(), flow.backends.end(), named))
            return error("overrides: no backend '" + backend + "' was given");
        const std::vector<ExprId> selected = names.select(selector);
        if (selected.empty()) return error("overrides: '" + selector + "' matches no call");
        for (ExprId call : selected) flow.overrides[call] = backend;
    }
    return Nothing();
}

/// Backends that only the module names take no further calls.
void drop_rules(BackendDescription& backend) {
    BackendDescription bare;
    bare.name = backend.name;
    bare.codegen = backend.codegen;
    bare.file = backend.file;
    backend = std::move(bare);
}

Result<std::vector<BackendPtr>> start_all(const Opened& opened, const DivideOptions& options) {
    std::vector<BackendPtr> started;
    const bool own = opened.choice && options.backends.empty();
    for (const BackendPtr& backend : own ? opened.choice->backends : options.backends) {
        Result<BackendPtr> each = start_backend(backend, options.allow_commands, options.cancel);
        if (!each) return each.error();
        const auto same = [&](const BackendPtr& other) { return other->name == (*each)->name; };
        if (std::any_of(started.begin(), started.end(), same))
            return error("the backend " + (*each)->name + " is given twice");
        started.push_back(*each);
    }
    return started;
}

}  // namespace

std::string Opened::title() const { return opened.path.substr(opened.path.rfind('/') + 1); }

Result<Opened> open_file(const std::string& path, const OpenOptions& options) {
    if (is_project(path)) {
        Result<OpenedProject> project = open_project(path, options);
        if (!project) return project.error();
        return Opened{std::move(project->opened), std::move(project->fitted.choice), project->fitted.named->module};
    }
    Result<OpenedModule> opened = open_module(path, options);
    if (!opened) return opened.error();
    const ModulePtr base = opened->module;
    return Opened{std::move(*opened), {}, base};
}

Result<BackendPtr> start_backend(const BackendPtr& backend, bool allow_commands, const CancelToken& cancel) {
    if (backend->annotator.empty() || backend->running) return backend;
    if (!allow_commands)
        return not_allowed(*backend, "asks a program which calls it takes: " + annotator_command(backend->annotator));
    auto started = std::make_shared<BackendDescription>(*backend);
    std::vector<Diagnostic> notes;
    if (Status status = start_annotators({started.get(), 1}, notes, cancel); !status) return status.error();
    return BackendPtr(std::move(started));
}

Result<Division> divide(std::shared_ptr<const Opened> opened, const DivideOptions& options) {
    Result<std::vector<BackendPtr>> backends = start_all(*opened, options);
    if (!backends) return backends.error();
    Result<FlowChoice> choice = choose(*opened, options, std::move(*backends));
    if (!choice) return choice.error();
    const size_t given = choice->backends.size();
    add_backends_of_module(*choice, *opened->base);
    const bool annotated = given == 0 || opened->choice ? has_annotations(*opened->opened.module) : false;
    FlowOptions flow = flow_options(*choice, annotated, options.cancel);
    for (size_t i = given; i < flow.backends.size(); ++i) drop_rules(flow.backends[i]);
    const Result<ModulePtr> numbered = numbered_module(*opened, *choice, options);
    if (!numbered) return numbered.error();
    if (Status added = add_overrides(flow, **numbered, options); !added) return added.error();
    Result<FlowResult> result = run_flow(opened->base, flow);
    if (!result) return result.error();
    return Division{std::move(opened), std::move(flow.backends), std::move(*result), options.allow_commands};
}

Status check_code(const Division& division) {
    for (const BackendDescription& backend : division.backends) {
        const ForeignCode code = foreign_code(backend.codegen);
        if (division.allow_commands || code == ForeignCode::None) continue;
        const std::string what = code == ForeignCode::Command ? "runs a program: " : "loads a library: ";
        return not_allowed(backend, what + backend.codegen.substr(backend.codegen.find(':') + 1));
    }
    return Nothing();
}

ExportSubject Division::subject() const { return export_subject(flow, backends, opened->title()); }

}  // namespace partita::python
