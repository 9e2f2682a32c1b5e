// Reading and writing whole files, with messages for people.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita {

/// The bytes of a regular file. Refuses directories and devices; the message says what is in the way.
Result<std::string> read_file(const std::string& path);
/// Writes a new file beside `path`, flushes it to the disk and renames it over `path`: readers see the old content or
/// the new, never a part. On failure `path` is as it was.
Status write_file(const std::string& path, std::string_view content);
/// The same from pieces, one after the other.
Status write_file(const std::string& path, std::span<const std::string_view> pieces);

struct NamedContent {
    std::string_view name;  ///< without a folder
    std::string_view content;
};
/// Writes files into a folder that is there: all beside their places first, then all renamed. Where one can't be
/// written, such as on a full disk, the folder is as it was.
Status write_files(const std::string& folder, std::span<const NamedContent> files);

}  // namespace partita
