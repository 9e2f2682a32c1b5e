// Golden files: what a test found, kept in the project to be compared.
#pragma once

#include <QString>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace partita {

/// Compares with a golden file, or writes it where PARTITA_UPDATE_GOLDEN is set; returns the first lines that differ.
inline QString golden_difference(const char* path, const std::vector<std::string>& now) {
    if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) {
        std::ofstream file(path);
        for (const std::string& line : now) file << line << "\n";
        return {};
    }
    std::vector<std::string> known;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) known.push_back(line);
    for (size_t i = 0; i < std::max(now.size(), known.size()); ++i) {
        const std::string a = i < now.size() ? now[i] : "nothing", b = i < known.size() ? known[i] : "nothing";
        if (a != b) return QString::fromStdString(a + "\ninstead of\n" + b);
    }
    return {};
}

}  // namespace partita
