// Files that are put into the program when it is built (resources/embed_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace partita {

struct EmbeddedText {
    std::string_view name;  ///< the file's name; of a backend description without its ending
    std::string_view text;
};

/// The backend descriptions that ship, resources/backends/*.json, sorted by name.
std::span<const EmbeddedText> embedded_backends();
/// The files of the C bundle that are the same for every module, resources/c-bundle.
std::span<const EmbeddedText> embedded_c_bundle();
/// The one header that plug-ins include, partita_plugin.h.
std::span<const EmbeddedText> embedded_plugin();
/// The package that runs annotators written in Python, resources/python/partita_annotator.
std::span<const EmbeddedText> embedded_python();

}  // namespace partita
