// The scopes that a name lies in: of "/encoder/layer.3/MatMul" they are "encoder" and "layer.3".
#pragma once

#include <string_view>
#include <vector>

namespace partita {

/// Returns the parts of a name but for the last one. Parts end at '/', or at '.' in a name without '/'; empty ones do
/// not count. They are views of the name.
inline std::vector<std::string_view> scopes_of_name(std::string_view name) {
    const char separator = name.find('/') == std::string_view::npos ? '.' : '/';
    std::vector<std::string_view> parts;
    while (!name.empty()) {
        const size_t end = name.find(separator);
        if (end != 0) parts.push_back(name.substr(0, end));
        if (end == std::string_view::npos) break;
        name.remove_prefix(end + 1);
    }
    if (!parts.empty()) parts.pop_back();
    return parts;
}

}  // namespace partita
