// How people name the expressions of a module: `nn.conv2d #12`, `%data`, `@main`. Calls are numbered from 1 over the
// whole module: functions by name with @main first, each in graph order. The marks of an annotated module come after
// all others, so that annotating leaves the operators their numbers. Building costs one walk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class ExpressionNames {
public:
    explicit ExpressionNames(const Module& module);

    /// "" for an invalid id. Of long names the beginning, 300 bytes.
    std::string name(ExprId id) const;
    /// 0 for what is no call.
    uint32_t number(ExprId id) const { return id.value < numbers_.size() ? numbers_[id.value] : 0; }
    /// The call with a number, or invalid.
    ExprId numbered(uint32_t number) const;
    /// What a selector names: `#12` or `12`, `op:GLOB` or GLOB (of op names), `name:GLOB` (of labels and vars).
    std::vector<ExprId> select(std::string_view selector) const;
    /// All calls in the order of their numbers.
    const std::vector<ExprId>& calls() const { return calls_; }
    const Module& module() const { return module_; }

private:
    const Module& module_;
    std::vector<uint32_t> numbers_;  ///< by ExprId
    std::vector<ExprId> calls_;
};

/// ExpressionNames(module).name(id): for single names.
std::string expression_name(const Module& module, ExprId id);

/// By name as people order them: region_2 before region_10.
std::vector<GlobalFunction> functions_in_natural_order(const Module& module);

/// Whether a text fits a pattern with `*` (any characters) and `?` (one). Linear in both for one star.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace partita
