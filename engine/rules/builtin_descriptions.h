// The backend descriptions that ship: the texts of resources/backends/*.json, put into the program when it is built
// (resources/embed_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace partita {

struct BuiltinDescription {
    std::string_view name;  ///< the file's name without its ending
    std::string_view text;
};

/// Sorted by name.
std::span<const BuiltinDescription> builtin_descriptions();

}  // namespace partita
