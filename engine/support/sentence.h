// Sentences of the engine, in a form that a window can say in another language.
#pragma once

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

}  // namespace partita
