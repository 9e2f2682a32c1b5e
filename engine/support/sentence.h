// Sentences of the engine, in a form that a window can say in another language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Marks a form for lupdate (resources/translations/update). The context is always "Engine".
#define SENTENCE(context, text) text

namespace partita {

struct Sentence {
    const char* form;                 ///< English, with places %1 to %9; never freed
    std::vector<std::string> values;  ///< what stands at the places: names, numbers, terms of rules

    /// In English.
    std::string text() const { return in(form); }
    /// With another form, which is a translation. A place without a value stays as it is.
    std::string in(std::string_view other_form) const;
};

/// The values with which `text` was made of a form that has its places in order; null where it was not. A value ends
/// where the text first goes on as the form does.
std::optional<Sentence> read_sentence(const char* form, std::string_view text);

}  // namespace partita
