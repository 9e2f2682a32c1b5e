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
    None = 0,   ///< not a mark
    Begin = 1,  ///< compiler_begin: what uses it belongs to a region
    End = 2,    ///< compiler_end: what it marks is a region's result
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

/// Says of a module's expressions which are marks and whose. Looks at the module once, and keeps a byte for each
/// expression where there are marks; expressions that are added later are not known. Each question costs a load.
class MarkReader {
public:
    MarkReader(const Module& module, CompilerNames& names);

    Mark mark(ExprId id) const { return marks_.empty() ? Mark::None : marks_[id.value]; }
    /// The operand of a mark.
    ExprId operand(ExprId mark) const { return module_.operands(mark)[1]; }
    /// The compiler that a mark names.
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
    std::vector<Mark> marks_;             ///< by expression; empty where there are none
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

/// Functions that the passes leave alone: those that a backend has taken (`Compiler`), and those marked `Extern` or
/// `SkipOptimization`.
bool is_opaque_function(const Module& module, ExprId function);
/// A function literal that stands for a match of a pattern.
bool is_composite(const Module& module, ExprId function);

/// Whether the module carries annotations already: `partition` then leaves them as they are.
bool has_annotations(const Module& module);
/// Whether the module carries its partition: regions that are functions of their own already. The flow leaves them as
/// they are, and tells of them as of regions that it made.
bool carries_regions(const Module& module);
/// Of a flow, given or named by the module: indexes of backends are 16 bits wide.
inline constexpr size_t kMostBackends = 1000;
/// The backends that annotations and regions of the module name, in the order of the module; one more than
/// kMostBackends at the most.
std::vector<std::string> backends_of_module(const Module& module);

}  // namespace partita
