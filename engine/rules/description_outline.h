// Where the rules of a backend description stand in its text, and what could be written at a place of it: for editors.
//
// Both are functions of the text, linear in it, and take any text: an outline of a text that is no JSON is empty;
// completion goes by what stands before the place alone.
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
    std::string word;    ///< what is put in place of the word that was begun
    std::string detail;  ///< a line of help
};
struct Completion {
    size_t begin = 0;                   ///< byte of the text at which the word that was begun begins
    std::vector<CompletionItem> items;  ///< those that fit the word so far; first those that begin with it
};
Completion complete_description(std::string_view text, size_t offset);

}  // namespace partita
