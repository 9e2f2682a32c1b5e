// The names that partitioning makes: sub-functions and their parameters as in TVM, and functions of an earlier
// partition if names are mangled.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/annotations.h"
#include "engine/passes/partition_graph.h"

namespace partita {

class SubFunctionNames {
public:
    /// Interns the names that the functions of `from` have in the result.
    SubFunctionNames(const Module& from, Module& to, const PartitionOptions& options, const CompilerNames& compilers);

    /// Enters a function whose regions become sub-functions; they are counted from 0.
    void add_function(std::string_view name) { functions_.emplace_back(name); }
    const std::string& function(int32_t number) const { return functions_[size_t(number)]; }

    /// Returns the part before the number in the names of a function's regions.
    const std::string& prefix(int32_t function, int32_t compiler);
    /// Returns the name of a region's sub-function; skips numbers that regions of an earlier partition have.
    std::string region(int32_t function, int32_t compiler, int number);
    std::string parameter(int32_t compiler, int number, int32_t index);
    /// Adds a region's function under a name of region(). Returns what is called; fails if the name is taken.
    Result<ExprId> add(const std::string& name, int32_t compiler, std::span<const ExprId> parameters, ExprId body);
    /// Returns the new name of a function of the module; null if it is unchanged.
    const std::string* renamed(NameId name) const;
    /// Returns whether a function of the module, or a new one, has this name in the result.
    bool taken(NameId name) const { return taken_.count(name) > 0 || to_.find_function(name).valid(); }

private:
    bool is_region(const std::string& name) const;
    FunctionInfo info(const std::string& name, int32_t compiler, TypeId result) const;

    Module& to_;
    const PartitionOptions& options_;
    const CompilerNames& compilers_;
    std::vector<std::string> functions_;
    std::vector<std::string> prefixes_;           ///< by function and compiler
    std::unordered_set<NameId> taken_;            ///< names of the module's own functions in the result
    std::unordered_set<NameId> earlier_regions_;  ///< those of them that had `Compiler` before
    std::unordered_map<NameId, std::string> renamed_;
    int32_t inline_functions_ = 0, inline_parameters_ = 0;
    std::vector<TypeId> types_;  ///< of parameters, while a function is added
    struct {
        AttributeKey inlined = "Inline", compiler = "Compiler", symbol = "global_symbol",
                     external_symbol = "ExternalSymbol", primitive = "Primitive";
    } keys_;
};

}  // namespace partita
