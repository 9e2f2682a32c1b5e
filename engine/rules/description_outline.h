// The positions of rules in the text of a backend description, and completion at a position: for editors.
//
// Both are functions of the text, linear in it, and accept any text: the outline of a text that is not JSON is empty;
// completion uses only the text before the position.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

struct RulePlace {
    std::string rule;         ///< "ops.nn.conv2d", or the pattern's name: as in Decision::rule
    SourcePosition position;  ///< of the operator's name, or of the pattern's
};
/// In the order of the text.
std::vector<RulePlace> outline_description(std::string_view text);

struct CompletionItem {
    std::string word;    ///< replaces the begun word
    std::string detail;  ///< a line of help
};
struct Completion {
    size_t begin = 0;                   ///< byte offset of the begun word
    std::vector<CompletionItem> items;  ///< those that match the word so far; first those that begin with it
};
Completion complete_description(std::string_view text, size_t offset);

}  // namespace partita
