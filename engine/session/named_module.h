// A module with the names of its expressions, its blocks and its summary.
#pragma once

#include <memory>

#include "engine/blocks/module_blocks.h"
#include "engine/flow/names.h"
#include "engine/ir/function_uses.h"
#include "engine/session/session.h"

namespace partita {

/// The names of a module's expressions, with their module. Numbering a large module takes a while, so the job that
/// makes the module does it.
struct NamedModule {
    explicit NamedModule(ModulePtr of)
        : module(std::move(of)), names(*module), blocks(*module), uses(*module), summary(summarize(*module, uses)) {}
    ModulePtr module;
    ExpressionNames names;
    ModuleBlocks blocks;
    FunctionUses uses;
    ModuleSummary summary;
};
using NamedModulePtr = std::shared_ptr<const NamedModule>;

}  // namespace partita
