// A deep model for tests: blocks of the same operators one behind the other.
#pragma once

#include <string>

namespace partita {

/// Each block is exp, multiply by two, tanh, sqrt, and add of what came in; `odd` has one more cast behind the
/// multiplication. Before the blocks is one negative, behind them one sigmoid.
inline std::string deep_model(int blocks, int odd = -1, const std::string& activation = "tanh") {
    std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 4), float32]) {\n  %0 = negative(%x);\n";
    int last = 0;
    const auto add = [&](const std::string& call) {
        text += "  %" + std::to_string(last + 1) + " = " + call + ";\n";
        ++last;
    };
    const auto name = [](int number) { return "%" + std::to_string(number); };
    for (int block = 0; block < blocks; ++block) {
        const std::string in = name(last);
        add("exp(" + in + ")");
        add("multiply(" + name(last) + ", 2f)");
        if (block == odd) add("cast(" + name(last) + ", dtype=\"float32\")");
        add(activation + "(" + name(last) + ")");
        add("sqrt(" + name(last) + ")");
        add("add(" + name(last) + ", " + in + ")");
    }
    return text + "  sigmoid(" + name(last) + ")\n}\n";
}

}  // namespace partita
