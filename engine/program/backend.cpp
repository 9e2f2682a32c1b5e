#include "engine/program/backend.h"

namespace partita {

std::vector<const void*> RegionRun::pointers() const {
    std::vector<const void*> pointers;
    pointers.reserve(inputs.size() + outputs.size() + 1);
    for (const TensorView& input : inputs) pointers.push_back(input.data);
    for (const TensorView& output : outputs) pointers.push_back(output.data);
    pointers.push_back(workspace);
    return pointers;
}

Result<std::unique_ptr<CompiledPlan>> Backend::compile_plan(const Module&, const FlatGraph&,
                                                            std::span<CompiledRegion* const>, const CompileOptions&) {
    return error(std::string(name()) + " makes no plans of several regions");
}

}  // namespace partita
