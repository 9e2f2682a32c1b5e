// Reading and making the marks `annotation.compiler_begin` and `annotation.compiler_end`, and the other questions that
// the partitioning passes ask of every module.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

enum class Mark : uint8_t {
    None,   ///< not a mark
    Begin,  ///< compiler_begin: what uses it belongs to a region
    End,    ///< compiler_end: what it marks is a region's result
};

/// Names of compilers as small numbers, counted in the order in which they are met; 0 is "default".
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

/// Says of a module's expressions which are marks and whose. Each question costs a few loads.
class MarkReader {
public:
    MarkReader(const Module& module, CompilerNames& names);

    Mark mark(ExprId id) const {
        OpId op = module_.called_op(id);
        if (!op.valid()) return Mark::None;
        return op == begin_ ? Mark::Begin : op == end_ ? Mark::End : Mark::None;
    }
    /// The operand of a mark.
    ExprId operand(ExprId mark) const { return module_.operands(mark)[1]; }
    /// The compiler that a mark names.
    int32_t compiler(ExprId mark);

private:
    const Module& module_;
    CompilerNames& names_;
    OpId begin_, end_;
    std::unordered_map<uint32_t, int32_t> by_attributes_;
    uint32_t last_attributes_ = AttributesId::kInvalid;
    int32_t last_compiler_ = CompilerNames::kDefault;
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

/// Functions that the passes leave alone: those that a backend has taken (`Compiler`), and those marked `Extern` or
/// `SkipOptimization`.
bool is_opaque_function(const Module& module, ExprId function);
/// A function literal that stands for a match of a pattern.
bool is_composite(const Module& module, ExprId function);

}  // namespace partita
