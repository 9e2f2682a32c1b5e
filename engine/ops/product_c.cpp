#include "engine/ops/product_c.h"

namespace partita {

int64_t lane_count(const std::string& sum_type) {
    return kVectorBytes / (sum_type == "double" || sum_type == "uint64_t" ? 8 : 4);
}

void declare_lanes(CWriter& code, const std::string& sum_type) {
    std::string alignment = sum_type == "double" || sum_type == "uint64_t" ? "8" : "4";
    code.line("typedef " + sum_type + " lanes __attribute__((vector_size(" + std::to_string(kVectorBytes) +
              "), aligned(" + alignment + "), may_alias));");
}

void write_panel_block(CWriter& code, const PanelBlock& block) {
    for (int64_t r = 0; r < block.rows; ++r) {
        std::string row = std::to_string(r), at = block.sums + "[" + row + "]";
        code.line("lanes s" + row + " = " + at + "[0], t" + row + " = " + at + "[1];");
    }
    code.open_loop("k", "0", block.depth);
    code.line("const lanes a = " + block.panel + "[k][0], b = " + block.panel + "[k][1];");
    for (int64_t r = 0; r < block.rows; ++r) {
        std::string row = std::to_string(r);
        code.line("const " + block.sum_type + " w" + row + " = " + block.left[size_t(r)] + ";");
        code.line("s" + row + " += w" + row + " * a, t" + row + " += w" + row + " * b;");
    }
    code.close();
    for (int64_t r = 0; r < block.rows; ++r) {
        std::string row = std::to_string(r), at = block.sums + "[" + row + "]";
        code.line(at + "[0] = s" + row + ", " + at + "[1] = t" + row + ";");
    }
}

void write_dot_block(CWriter& code, const DotBlock& block) {
    int64_t lanes = lane_count(block.sum_type), whole = block.depth / lanes * lanes;
    auto name = [](const char* letter, size_t i) { return letter + std::to_string(i); };
    auto sum = [](size_t r, size_t c) { return "s" + std::to_string(r) + "_" + std::to_string(c); };
    for (size_t r = 0; r < block.left.size(); ++r)
        for (size_t c = 0; c < block.right.size(); ++c) code.line("lanes " + sum(r, c) + " = {0};");
    code.open("for (int64_t k = 0; k < " + std::to_string(whole) + "; k += " + std::to_string(lanes) + ")");
    for (size_t r = 0; r < block.left.size(); ++r)
        code.line("const lanes " + name("a", r) + " = *(const lanes *)(" + block.left[r] + " + k);");
    for (size_t c = 0; c < block.right.size(); ++c) {
        code.line("const lanes " + name("b", c) + " = *(const lanes *)(" + block.right[c] + " + k);");
        for (size_t r = 0; r < block.left.size(); ++r)
            code.line(sum(r, c) + " += " + name("a", r) + " * " + name("b", c) + ";");
    }
    code.close();
    for (size_t r = 0; r < block.left.size(); ++r)
        for (size_t c = 0; c < block.right.size(); ++c) {
            code.open("");
            code.line(block.sum_type + " sum = 0;");
            code.line("for (int l = 0; l < " + std::to_string(lanes) + "; ++l) sum += " + sum(r, c) + "[l];");
            if (whole < block.depth)
                code.line("for (int64_t k = " + std::to_string(whole) + "; k < " + std::to_string(block.depth) +
                          "; ++k) sum += (" + block.left[r] + ")[k] * (" + block.right[c] + ")[k];");
            code.line(block.results[r][c] + " = sum;");
            code.close();
        }
}

}  // namespace partita
