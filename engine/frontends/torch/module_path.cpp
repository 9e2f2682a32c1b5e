#include "engine/frontends/torch/module_path.h"

#include <algorithm>
#include <cctype>

namespace partita::torch {

namespace {

constexpr size_t kLongestLabel = 1000;

bool is_path(std::string_view path) {
    return std::all_of(path.begin(), path.end(), [](unsigned char c) {
        return (std::isalnum(c) && c < 128) || c == '_' || c == '.' || c == '@' || c == '-';
    });
}

}  // namespace

std::string label_of(std::string_view name, std::string_view module_stack, const std::string& within) {
    std::string folders = within.empty() ? "" : within + "/";
    std::string_view outer;
    while (!module_stack.empty()) {
        const std::string_view entry = module_stack.substr(0, module_stack.find(';'));
        module_stack.remove_prefix(std::min(entry.size() + 1, module_stack.size()));
        const size_t key = entry.find(','), path_end = key == std::string_view::npos ? key : entry.find(',', key + 1);
        if (path_end == std::string_view::npos) return std::string(name);
        std::string_view path = entry.substr(key + 1, path_end - key - 1);
        for (std::string_view root : {"L['self'].", "L['self']"})
            if (path.starts_with(root)) path.remove_prefix(root.size());
        if (!is_path(path)) return std::string(name);
        if (path.empty() || path == outer) continue;
        const bool is_inner = !outer.empty() && path.starts_with(outer) && path[outer.size()] == '.';
        folders.append(is_inner ? path.substr(outer.size() + 1) : path) += '/';
        outer = path;
    }
    if (folders.size() + name.size() > kLongestLabel) return std::string(name);
    return folders + std::string(name);
}

}  // namespace partita::torch
