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

/// A file of a folder, in pieces that are asked for once each, one after the other.
struct NewFile {
    std::string name;  ///< without a folder
    size_t count = 0;  ///< of pieces
    std::function<std::string_view(size_t)> piece;
};
/// Writes files into an existing folder: first all under temporary names, then renames them and removes the files named
/// in `old`. If one cannot be written, for example on a full disk, the folder is unchanged.
Status write_files(const std::string& folder, std::span<const NewFile> files, std::span<const std::string> old = {});

/// For a process that is about to end: removes what is half written, after what is being renamed. Who writes afterwards
/// waits for ever.
void give_up_unfinished_files();

}  // namespace partita
