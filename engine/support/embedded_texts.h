// Files that the build embeds into the program (resources/embed_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace partita {

struct EmbeddedText {
    std::string_view name;  ///< the file's name; for a backend description or a lesson without its extension
    std::string_view text;
};

/// Returns the backend descriptions that ship, resources/backends/*.json, sorted by name.
std::span<const EmbeddedText> embedded_backends();
/// Returns the files of the C bundle that are the same for every module, resources/c-bundle.
std::span<const EmbeddedText> embedded_c_bundle();
/// Returns the only header that plug-ins include, partita_plugin.h.
std::span<const EmbeddedText> embedded_plugin();
/// Returns the script and the style of the page that shows a graph, resources/page.
std::span<const EmbeddedText> embedded_page();
/// Returns the package that runs annotators written in Python, resources/python/partita_annotator.
std::span<const EmbeddedText> embedded_python();
/// Returns the lessons that ship in English, resources/lessons/*.json, by name without extension.
std::span<const EmbeddedText> embedded_lessons();
/// Returns their texts in other languages, by name such as `1-regions.de`.
std::span<const EmbeddedText> embedded_lesson_translations();

}  // namespace partita
