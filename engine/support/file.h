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

}  // namespace partita
