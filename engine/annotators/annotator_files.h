// The texts that an annotator in Python runs: its file, and those beside it that it may import. Who permits them
// permits exactly these; what it imports otherwise is refused.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace partita {

struct AnnotatorFiles {
    std::map<std::string, std::string> texts;  ///< by path; without those that can't be read

    /// All paths and texts in one, for a permission to be kept by.
    std::string content() const;
};

/// Reads them, without running anything: every FILE.py in the folder of the annotator's file whose name stands as a
/// word in a text that belongs to it. `text`: that of the annotator's own file, where it is not the one on disk.
/// Nothing of a program that is not in Python. At most 256 files.
AnnotatorFiles read_annotator_files(std::string_view annotator, const std::optional<std::string>& text = {});

}  // namespace partita
