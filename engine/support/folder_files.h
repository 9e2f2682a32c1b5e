// Paths that are files, or folders of files.
#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/natural_order.h"

namespace partita {

/// Returns the files, and in place of a folder what it holds with these endings, in natural order of names.
inline std::vector<std::string> files_in(const std::vector<std::string>& paths,
                                         std::span<const std::string_view> endings) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code fault;
        if (!std::filesystem::is_directory(path, fault)) {
            files.push_back(path);
            continue;
        }
        const size_t first = files.size();
        for (const auto& entry : std::filesystem::directory_iterator(path, fault)) {
            const std::string ending = entry.path().extension().string();
            if (std::find(endings.begin(), endings.end(), ending) != endings.end())
                files.push_back(entry.path().string());
        }
        std::sort(files.begin() + std::ptrdiff_t(first), files.end(), natural_less);
    }
    return files;
}

}  // namespace partita
