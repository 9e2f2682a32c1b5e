#include "engine/session/region_code.h"

#include "engine/backends/backends.h"
#include "engine/rules/codegen.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// As a run chooses it: the name of a backend comes from the module, and a module may not run programs.
std::string executor_of(const Module& module, ExprId function, const std::map<std::string, std::string>& codegen) {
    const std::string backend(module.function_info(function).string_attribute("Compiler"));
    const auto chosen = codegen.find(backend);
    if (chosen != codegen.end()) return chosen->second;
    return foreign_code(backend) == ForeignCode::None ? backend : "default";
}

Result<Listing> list_with(const std::string& codegen, const Module& module, ExprId function,
                          const CancelToken& cancel) {
    const std::unique_ptr<Backend> backend = make_backend(codegen);
    if (!backend) return error("there is no backend " + in_quotes(codegen));
    CompileOptions options;
    options.cancel = cancel;
    return backend->list(module, function, options);
}

RegionCode::Form form_of(Listing::Form form) {
    switch (form) {
        case Listing::Form::C: return RegionCode::Form::C;
        case Listing::Form::Json: return RegionCode::Form::Json;
        case Listing::Form::Steps: return RegionCode::Form::Steps;
    }
    return RegionCode::Form::Steps;
}

}  // namespace

Result<RegionCode> region_code(const Module& partitioned, const std::string& function,
                               const std::map<std::string, std::string>& codegen, const CancelToken& cancel) {
    const ExprId found = partitioned.find_function(function);
    if (!found.valid() || !is_region_function(partitioned, found))
        return error("there is no region " + in_quotes(function));
    RegionCode code;
    code.executor = executor_of(partitioned, found, codegen);
    Result<Listing> listing = list_with(code.executor, partitioned, found, cancel);
    if (!listing && !cancel.cancelled() && code.executor != "default") {
        code.refused = listing.error().message;
        code.executor = "default";
        listing = list_with(code.executor, partitioned, found, cancel);
    }
    if (!listing) return listing.error();
    code.form = form_of(listing->form);
    code.text = std::move(listing->text);
    for (const Listing::Lines& lines : listing->lines)
        if (const ExprId origin = partitioned.origin(lines.expr); origin.valid())
            code.lines.push_back({lines.first, lines.last, origin});
    return code;
}

}  // namespace partita
