// Reads and makes the marks `annotation.compiler_begin` and `annotation.compiler_end`, with other queries that the
// partitioning passes make of every module.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

enum class Mark : uint8_t {
    None = 0,   ///< not a mark
    Begin = 1,  ///< compiler_begin: its user belongs to a region
    End = 2,    ///< compiler_end: its operand is a region's result
};

/// Names of compilers as small numbers, in order of appearance; 0 is "default".
class CompilerNames {
public:
    static constexpr int32_t kDefault = 0;

    CompilerNames() { number("default"); }
    int32_t number(std::string_view name);
    const std::string& name(int32_t number) const { return names_[size_t(number)]; }
    size_t size() const { return names_.size(); }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, int32_t> numbers_;
};

/// Tells which expressions of a module are marks, and of which compiler. Scans the module once, and keeps a byte for
/// each expression if there are marks; ignores expressions that are added later. A query costs a load.
class MarkReader {
public:
    MarkReader(const Module& module, CompilerNames& names);

    Mark mark(ExprId id) const { return marks_.empty() ? Mark::None : marks_[id.value]; }
    /// Returns the operand of a mark.
    ExprId operand(ExprId mark) const { return module_.operands(mark)[1]; }
    /// Returns the compiler that a mark names.
    int32_t compiler(ExprId mark) {
        AttributesId attributes = module_.attributes_id(mark);
        if (attributes.value < by_attributes_.size() && by_attributes_[attributes.value] != kUnknown)
            return by_attributes_[attributes.value];
        return find_compiler(attributes);
    }

private:
    static constexpr int32_t kUnknown = -1;
    int32_t find_compiler(AttributesId attributes);

    const Module& module_;
    CompilerNames& names_;
    std::vector<Mark> marks_;             ///< by expression; empty if there are none
    std::vector<int32_t> by_attributes_;  ///< the compiler's number, or kUnknown
};

/// Adds marks to a module.
class MarkMaker {
public:
    MarkMaker(Module& module, const CompilerNames& names);
    ExprId begin(ExprId operand, int32_t compiler) { return make(begin_, operand, compiler); }
    ExprId end(ExprId operand, int32_t compiler) { return make(end_, operand, compiler); }
    /// The operators' expressions in the module: a call is a mark exactly if its callee is one of them.
    ExprId begin_op() const { return begin_; }
    ExprId end_op() const { return end_; }

private:
    ExprId make(ExprId op, ExprId operand, int32_t compiler);

    Module& module_;
    const CompilerNames& names_;
    ExprId begin_, end_;
    std::vector<AttributesId> attributes_;  ///< by compiler
};

/// Returns whether passes skip the function: a backend has taken it (`Compiler`), or it is marked `Extern` or
/// `SkipOptimization`.
bool is_opaque_function(const Module& module, ExprId function);
/// Returns whether the function literal replaces a match of a pattern.
bool is_composite(const Module& module, ExprId function);

/// Returns whether the module already has annotations, which `partition` then keeps.
bool has_annotations(const Module& module);
/// Returns whether the module is partitioned: some regions are already functions of their own. The flow keeps them, and
/// reports them like regions that it made.
bool carries_regions(const Module& module);
/// For a flow, given or named by the module: indexes of backends are 16 bits wide.
inline constexpr size_t kMostBackends = 1000;
/// Returns the backends that annotations and regions of the module name, in the order of the module; at most
/// kMostBackends + 1.
std::vector<std::string> backends_of_module(const Module& module);

}  // namespace partita
