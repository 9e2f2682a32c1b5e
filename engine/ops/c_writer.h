// Writes lines of C with their indentation, for emitters of loops. As all that writes C (c_text.h) it is marked cold:
// it and the emitters are compiled for size.
#pragma once

#include <string>
#include <string_view>

#include "engine/ops/c_text.h"

namespace partita {

class CWriter {
public:
    CWriter(std::string& code, int indent) : code_(code), indent_(indent) {}

    [[gnu::cold]] void line(const std::string& text) { code_ += c_indent(indent_) + text + "\n"; }
    /// Writes the preprocessor lines that divide the iterations of the next `loops` nested loops among threads.
    [[gnu::cold]] void share_among_threads(int loops) {
        code_ += "#ifdef _OPENMP\n#pragma omp parallel for";
        if (loops > 1) code_ += " collapse(" + std::to_string(loops) + ")";
        code_ += "\n#endif\n";
    }
    [[gnu::cold]] void open(const std::string& head) {
        line(head.empty() ? "{" : head + " {");
        ++indent_;
    }
    [[gnu::cold]] void close() {
        --indent_;
        line("}");
    }
    /// Writes `for (int64_t NAME = 0; NAME < EXTENT; ++NAME) {`.
    [[gnu::cold]] void open_loop(const std::string& name, int64_t extent) {
        open_loop(name, "0", std::to_string(extent));
    }
    [[gnu::cold]] void open_loop(const std::string& name, const std::string& begin, const std::string& end) {
        open("for (int64_t " + name + " = " + begin + "; " + name + " < " + end + "; ++" + name + ")");
    }
    /// Makes the region's run fail if the condition holds. Not in loops that are divided among threads.
    [[gnu::cold]] void refuse_where(const std::string& condition) {
        line("if (" + condition + ") " + std::string(kRefusal));
    }
    int indent() const { return indent_; }

    static constexpr std::string_view kRefusal = "return 1;";

private:
    std::string& code_;
    int indent_;
};

/// Sets every element of the first output to a C expression.
inline void write_fill(const CLoops& loops, const std::string& value) {
    CWriter code(loops.code, loops.indent);
    code.open_loop("i", element_count(loops.outputs[0].shape).value_or(0));
    code.line(loops.outputs[0].name + "[i] = " + value + ";");
    code.close();
}

/// Returns the type in which generated code sums products, as with_product_type; "" if it has no such elements.
inline std::string c_product_type(DataType first, DataType second, DataType result) {
    for (DataType dtype : {first, second, result})
        if (dtype.lanes != 1 || (dtype.is_float() && dtype.bits < 32) || dtype.is_bool()) return "";
    if (first == kFloat64 || second == kFloat64 || result == kFloat64) return "double";
    if (first.is_float() || second.is_float()) return result.is_float() ? "float" : "";
    if (result.is_float()) return "float";
    return result.bits == 64 ? "uint64_t" : "uint32_t";
}

}  // namespace partita
