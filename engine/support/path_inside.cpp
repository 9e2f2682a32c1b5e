#include "engine/support/path_inside.h"
#include "engine/support/system_reason.h"

#include <algorithm>
#include <filesystem>

namespace partita {

Result<std::string> path_inside(const std::string& folder, std::string_view location, const std::string& whose) {
    namespace fs = std::filesystem;
    const fs::path relative{std::string(location)};
    if (location.empty() || location.find('\0') != std::string_view::npos || relative.is_absolute())
        return error("is refused: the path must be relative to " + whose);
    for (const fs::path& part : relative)
        if (part == "..") return error("is refused: the path leaves " + whose);
    std::error_code fault;
    const fs::path root = fs::canonical(folder, fault);
    const fs::path file = fault ? fs::path() : fs::canonical(root / relative, fault);
    if (fault) return error("can't be read: " + system_reason(fault.value()));
    if (std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end())
        return error("is refused: a link leaves " + whose);
    return file.string();
}

}  // namespace partita
