#include "engine/program/backend.h"

namespace partita {

Result<std::unique_ptr<CompiledPlan>> Backend::compile_plan(const Module&, const FlatGraph&,
                                                            std::span<CompiledRegion* const>, const CompileOptions&) {
    return error(std::string(name()) + " makes no plans of several regions");
}

}  // namespace partita
