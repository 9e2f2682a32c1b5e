// Reading and writing whole files, with messages for people.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita {

/// Returns the bytes of a regular file. Refuses directories and devices; the message says which it is.
Result<std::string> read_file(const std::string& path);
/// Writes a new file beside `path`, flushes it to the disk and renames it over `path`: readers see the old or the new
/// content, never a part. On failure `path` is unchanged.
Status write_file(const std::string& path, std::string_view content);
/// Writes the concatenation of `count` pieces. Asks for each once, when the one before it is written.
Status write_file(const std::string& path, size_t count, const std::function<std::string_view(size_t)>& piece);

struct NamedContent {
    std::string_view name;  ///< without a folder
    std::string_view content;
};
/// Writes files into an existing folder: first all under temporary names, then renames them. If one cannot be written,
/// for example on a full disk, the folder is unchanged.
Status write_files(const std::string& folder, std::span<const NamedContent> files);

}  // namespace partita
