// The one list of backends: a new one is a folder beside this file and a line here.
#include "engine/backends/backend.h"
#include "engine/backends/ccompiler/ccompiler_backend.h"
#include "engine/backends/dnnl/dnnl_backend.h"
#include "engine/backends/plugin/plugin_backend.h"
#include "engine/backends/reference/reference_backend.h"

namespace partita {

namespace {

struct Entry {
    const char* name;
    std::unique_ptr<Backend> (*make)();
};

constexpr Entry kBackends[] = {
    {"default", make_reference_backend},
    {"ccompiler", make_ccompiler_backend},
    {"dnnl", make_dnnl_backend},
};

}  // namespace

Result<std::unique_ptr<CompiledPlan>> Backend::compile_plan(const Module&, const FlatGraph&, std::span<CompiledRegion* const>,
                                                            const CompileOptions&) {
    return error(std::string(name()) + " makes no plans of several regions");
}

std::unique_ptr<Backend> make_backend(std::string_view name) {
    for (const Entry& entry : kBackends)
        if (name == entry.name) return entry.make();
    if (is_plugin_codegen(name)) return make_plugin_backend(name);
    return nullptr;
}

std::vector<std::string> backend_names() {
    std::vector<std::string> names;
    for (const Entry& entry : kBackends) names.push_back(entry.name);
    return names;
}

}  // namespace partita
