// Names of expressions as people read them: `nn.conv2d #12`, `%data`, `@main`. Calls are numbered from 1 over the whole
// module: functions by name with @main first, each in graph order. The marks of an annotated module come last, so that
// annotating does not change the numbers of operators. Building costs one walk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/glob.h"

namespace partita {

class ExpressionNames {
public:
    explicit ExpressionNames(const Module& module);

    /// Returns the name of an expression; "" for an invalid id. Cuts names at 300 bytes.
    std::string name(ExprId id) const;
    /// Returns what a call calls, as in its name but without its number: "nn.conv2d", "@f".
    std::string callee(ExprId call) const;
    /// Returns the number of a call; 0 for other expressions.
    uint32_t number(ExprId id) const { return id.value < numbers_.size() ? numbers_[id.value] : 0; }
    /// Returns the call with a number; invalid if there is none.
    ExprId numbered(uint32_t number) const;
    /// Returns the expressions that match a selector: `#12` or `12`, `op:GLOB` or GLOB (op names), `name:GLOB` (labels;
    /// if none matches, those of which the part in front of or behind a slash does).
    std::vector<ExprId> select(std::string_view selector) const;
    /// Returns all calls, ordered by number.
    const std::vector<ExprId>& calls() const { return calls_; }
    const Module& module() const { return module_; }

private:
    ExprId unmarked(ExprId id) const;

    const Module& module_;
    std::vector<uint32_t> numbers_;  ///< by ExprId
    std::vector<ExprId> calls_;
};

/// Returns ExpressionNames(module).name(id). Use it for single names.
std::string expression_name(const Module& module, ExprId id);

/// Returns the names of calls in a plain graph, by ExprId: an ONNX node's name where it is of one call, else operator
/// and number. Ifs and other nodes without a number are called as `ExpressionNames` calls them.
std::vector<std::string> node_names(const Module& module);

/// Returns the functions in natural order of their names: region_2 before region_10.
std::vector<GlobalFunction> functions_in_natural_order(const Module& module);

}  // namespace partita
