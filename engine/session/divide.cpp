#include "engine/session/divide.h"

#include <algorithm>

#include "engine/annotators/annotator.h"
#include "engine/flow/names.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/annotations.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/codegen.h"
#include "engine/session/costs.h"
#include "engine/session/project.h"
#include "engine/session/reports.h"
#include "engine/support/spelling.h"

namespace partita {
namespace {

/// Returns the backends that functions of the module name by their attribute `compiler`.
std::vector<std::string> backends_of_functions(const Module& module) {
    std::vector<std::string> names;
    for (const GlobalFunction& global : module.functions()) {
        std::string name(module.function_info(global.function).string_attribute("compiler"));
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

/// Removes the rules of a backend that only the module names: it takes no further calls.
void drop_rules(BackendDescription& backend) {
    BackendDescription bare;
    bare.name = backend.name;
    bare.codegen = backend.codegen;
    bare.file = backend.file;
    backend = std::move(bare);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// Applies the only backend's file as the file itself does.
void take_own_flow(FlowChoice& choice, std::vector<Diagnostic>& notes) {
    const AnnotatorFlow* flow = own_flow(choice.backends);
    if (!flow) return;
    choose_flow(choice, *flow);
    const BackendDescription& backend = *choice.backends.front();
    const bool in_python = backend.annotator.starts_with(kPythonAnnotator);  // which a description may name
    const std::string file = in_python ? backend.annotator.substr(kPythonAnnotator.size()) : backend.file;
    const SourcePosition place{uint32_t(flow->line), 0};
    notes.push_back({Severity::Note, file, place, "as " + flow->function + " does: " + listed(flow->passes)});
    if (!flow->left_out.empty())
        notes.push_back(
            {Severity::Warning, file, place, "passes without an equivalent are left out: " + listed(flow->left_out)});
}

/// One division of a module.
class Divider {
public:
    Divider(const OpenedInput& input, DivideRequest request, std::vector<Diagnostic>& notes)
        : input_(input), request_(std::move(request)), notes_(notes), annotated_(request_.annotated) {}

    Result<FlowOptions> options() {
        for (const auto part : {&Divider::read_placement, &Divider::read_from, &Divider::choose_backends,
                                &Divider::choose_passes, &Divider::make_options, &Divider::place_calls})
            if (Status done = (this->*part)(); !done) return done.error();
        return options_;
    }

    Result<Divided> run() {
        if (Result<FlowOptions> made = options(); !made) return made.error();
        Result<FlowResult> result = run_flow(input_.base, options_);
        if (!result) return with_advice(result.error());
        return Divided{std::move(options_), std::move(*result), choice_.partition, std::move(reports_)};
    }

private:
    Status read_placement() {
        if (request_.placement.empty()) return Nothing();
        Result<PlacementFile> read = load_placement(request_.placement);
        if (!read) return read.error();
        placement_ = std::move(*read);
        if (!request_.backends.empty()) return Nothing();
        for (const std::string& name : placement_->backends)
            if (Status added = add_backend(load_backend(name), name); !added) return added;
        return Nothing();
    }

    /// Backends of a report take what it says, and have no rules.
    Status read_from() {
        if (request_.from.empty()) return Nothing();
        Result<std::shared_ptr<const Reports>> read = read_reports(input_, request_.from);
        if (!read) return read.error();
        reports_ = std::move(*read);
        if (!request_.backends.empty() || placement_) return Nothing();
        if (request_.lower || request_.simplify || request_.fold)
            return error("a report is of the file as it is, without --lower, --simplify and --fold");
        FlowChoice of_reports;
        choose_reported(of_reports, reports_->reported);
        request_.backends = std::move(of_reports.backends);
        reported_ = reports_->reported;
        return Nothing();
    }

    Status add_backend(Result<BackendDescription> loaded, const std::string& name) {
        if (!loaded) {
            Diagnostic fault = loaded.error();
            if (fault.file.empty()) fault.file = name;
            return fault;
        }
        request_.backends.push_back(std::make_shared<BackendDescription>(std::move(*loaded)));
        return Nothing();
    }

    /// Chooses and starts the backends that were given, else those that the module names.
    Status choose_backends() {
        if (!input_.choice && request_.backends.empty()) {
            // A module may name a backend, but never a file: descriptions bring code along.
            if (!carries_regions(*input_.module))
                for (const std::string& name : backends_of_functions(*input_.module))
                    if (Status added = add_backend(builtin_backend(name), name); !added) return added;
            annotated_ = annotated_ || (request_.backends.empty() &&
                                        (has_annotations(*input_.module) || carries_regions(*input_.module)));
        }
        if (has_annotations(*input_.module))
            if (Status kept = keep_annotations(); !kept) return kept;
        if (input_.choice && request_.backends.empty()) return start(input_.choice->backends);
        return start(request_.backends);
    }

    /// The annotations of a file decide, and no rule is asked: to give a backend that is in none of them is a mistake.
    Status keep_annotations() {
        const std::vector<std::string> named = backends_of_module(*input_.module);
        for (const BackendPtr& backend : request_.backends)
            if (!annotated_ && std::find(named.begin(), named.end(), backend->name) == named.end())
                return in_file("the rules of " + backend->name +
                               " are not asked: the file has annotations already, which name " + listed(named) + "; " +
                               request_.words.keep_annotations + " to keep them");
        annotated_ = true;
        return Nothing();
    }

    Diagnostic in_file(std::string fault) const {
        Diagnostic diagnostic = error(std::move(fault));
        diagnostic.file = input_.path;
        return diagnostic;
    }

    Status start(const std::vector<BackendPtr>& backends) {
        for (const BackendPtr& backend : backends) {
            const auto same = [&](const BackendPtr& other) { return other->name == backend->name; };
            if (std::any_of(started_.begin(), started_.end(), same))
                return error("the backend " + backend->name + " is given twice");
            Result<BackendPtr> each =
                start_backend(backend, request_.allow_commands, request_.words, notes_, request_.cancel);
            if (!each) return each.error();
            started_.push_back(*each);
        }
        return Nothing();
    }

    Status choose_passes() {
        if (input_.choice) choice_ = *input_.choice;
        const bool own = input_.choice && request_.backends.empty();
        if (own && !choice_.missing.empty())
            return error("a backend of the project can't be loaded: " + choice_.missing.front().fault + "; " +
                         request_.words.backends + " replaces the project's backends");
        if (!own) {
            choice_.annotate = choice_.merge = choice_.partition = true;
            choice_.missing.clear();
        }
        choice_.backends = started_;
        // A project's choice refers to what it rewrites already.
        const bool lower = request_.lower || (placement_ && placement_->lower && !input_.choice);
        const bool simplify = request_.simplify || (placement_ && placement_->simplify && !input_.choice);
        const bool fold = request_.fold || (placement_ && placement_->fold && !input_.choice);
        choice_.lower = lower && !choice_.lower;
        choice_.simplify = simplify && !choice_.simplify;
        choice_.fold = fold && !(input_.choice && input_.choice->rewrites());
        if (!input_.choice) take_own_flow(choice_, notes_);
        if (!input_.choice) choice_.partitioner = PartitionerChoice::usual(*input_.module, input_.graph.get());
        if (request_.partitioner) {
            if (!request_.partitioner->name.empty()) choice_.partitioner.name = request_.partitioner->name;
            choice_.partitioner.options = request_.partitioner->options;
        }
        if (Status allowed = check_own_options(choice_.partitioner); !allowed) return allowed;
        if (!choice_.partitioner.is_own() && !request_.merge)
            notes_.push_back({Severity::Warning,
                              {},
                              {},
                              "the partitioner " + choice_.partitioner.name +
                                  " has no pass that merges: to leave it out changes nothing"});
        choice_.reported = reported_;
        choice_.operators = input_.operators;
        choice_.graph = input_.graph;
        choice_.graph_of_file = input_.graph_of_file;
        choice_.composite &= request_.composite;
        choice_.merge &= request_.merge;
        choice_.include_non_call_ops &= request_.non_call_ops;
        add_backends_of_module(choice_, *input_.base);
        return Nothing();
    }

    Status make_options() {
        const bool divides = input_.choice ? choice_.active(annotated_) : !request_.backends.empty() || annotated_;
        options_ = flow_options(choice_, annotated_, request_.cancel);
        for (size_t i = started_.size(); i < options_.backends.size(); ++i) drop_rules(options_.backends[i]);
        options_.partition_options = request_.partition;
        options_.partition_options.mangle_names &= choice_.mangle_names;
        options_.partition_options.bind_constants &= choice_.bind_constants;
        options_.until = divides ? request_.until : FlowStage::Simplify;
        options_.log_decisions = request_.log_decisions;
        return Nothing();
    }

    Status place_calls() {
        if (request_.overrides.empty() && !placement_) return Nothing();
        if (annotated_)
            return in_file("its own annotations or regions are kept, so that no call can be given to another backend");
        ModulePtr numbered = input_.base;
        if (options_.rewrites()) {
            Result<FlowResult> rewritten = run_flow(input_.base, rewriting_only(options_));
            if (!rewritten) return rewritten.error();
            numbered = rewritten->input;
        }
        Result<Overrides> given = given_overrides(*numbered);
        if (!given) return given.error();
        if (placement_)
            if (Status applied = apply_placement(*placement_, request_.placement, *numbered, request_.placement_partly,
                                                 options_, notes_);
                !applied)
                return applied;
        for (auto& [call, backend] : *given) options_.overrides[call] = std::move(backend);
        return Nothing();
    }

    Result<Overrides> given_overrides(const Module& module) const {
        const ExpressionNames names(module);
        Overrides overrides;
        for (const auto& [selector, backend] : request_.overrides) {
            const auto fault = [&, &selector = selector, &backend = backend](const std::string& what) {
                return error(request_.words.overrides + " " + selector + "=" + backend + ": " + what);
            };
            if (std::string unknown = unknown_backend(backend, options_.backends, request_.words); !unknown.empty())
                return fault(unknown);
            const std::vector<ExprId> selected = names.select(selector);
            if (selected.empty()) return fault("the selector matches no call");
            for (ExprId call : selected) overrides[call] = backend;
        }
        return overrides;
    }

    Diagnostic with_advice(Diagnostic fault) const {
        if (fault.file.empty()) fault.file = input_.path;
        return fault;
    }

    const OpenedInput& input_;
    DivideRequest request_;
    std::vector<Diagnostic>& notes_;
    bool annotated_;
    std::optional<PlacementFile> placement_;
    std::shared_ptr<const Reports> reports_;
    ReportedPtr reported_;  ///< if it decides
    std::vector<BackendPtr> started_;
    FlowChoice choice_;
    FlowOptions options_;
};

}  // namespace

Result<OpenedInput> open_input_file(const std::string& path, const OpenOptions& options) {
    if (!is_project(path)) {
        Result<OpenedModule> opened = open_module(path, options);
        if (!opened) return opened.error();
        return OpenedInput(std::move(*opened));
    }
    Result<OpenedProject> project = open_project(path, options);
    if (!project) return project.error();
    OpenedInput input(std::move(project->opened));
    input.choice = std::move(project->fitted.choice);
    input.base = project->fitted.named->module;
    input.bookmarks = std::move(project->fitted.bookmarks);
    input.inputs = std::move(project->fitted.inputs);
    return input;
}

Result<Divided> divide(const OpenedInput& input, DivideRequest request, std::vector<Diagnostic>& notes) {
    return Divider(input, std::move(request), notes).run();
}

Result<FlowOptions> division_options(const OpenedInput& input, DivideRequest request, std::vector<Diagnostic>& notes) {
    return Divider(input, std::move(request), notes).options();
}

Result<BackendPtr> start_backend(const BackendPtr& backend, bool allow_commands, const DivideWords& words,
                                 std::vector<Diagnostic>& notes, const CancelToken& cancel) {
    if (backend->annotator.empty() || backend->running) return backend;
    if (!allow_commands) {
        Diagnostic fault = error("the backend " + backend->name +
                                 " asks a program which calls it takes: " + annotator_command(backend->annotator) +
                                 "\n  give " + words.allow_commands + " if you trust it");
        fault.file = backend->file;
        return fault;
    }
    auto started = std::make_shared<BackendDescription>(*backend);
    if (Status status = start_annotators({started.get(), 1}, notes, cancel); !status) return status.error();
    return BackendPtr(std::move(started));
}

std::vector<Diagnostic> foreign_code_of(std::span<const BackendDescription> backends, const DivideWords& words) {
    std::vector<Diagnostic> faults;
    for (const BackendDescription& backend : backends) {
        const ForeignCode code = foreign_code(backend.codegen);
        if (code == ForeignCode::None) continue;
        const std::string what = code == ForeignCode::Command ? " runs a program: " : " loads a library: ";
        Diagnostic fault =
            error("the backend " + backend.name + what + backend.codegen.substr(backend.codegen.find(':') + 1) +
                  "\n  give " + words.allow_commands + " if you trust it");
        fault.file = backend.file;
        faults.push_back(std::move(fault));
    }
    return faults;
}

std::string unknown_backend(const std::string& name, std::span<const BackendDescription> backends,
                            const DivideWords& words) {
    std::vector<std::string_view> names{"default"};
    for (const BackendDescription& backend : backends) names.push_back(backend.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return {};
    const std::string_view near = nearest_spelling(name, names);
    return "no backend '" + name + "' was given by " + words.backends +
           (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?");
}

}  // namespace partita
