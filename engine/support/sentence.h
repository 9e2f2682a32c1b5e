// What the engine says, in a form that a window can say in another language.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// Marks a form for lupdate (resources/translations/update). The context is always "Engine".
#define SENTENCE(context, text) text

namespace partita {

struct SentenceValue;

/// Nothing is said where the form is "".
struct Sentence {
    const char* form = "";              ///< English, with places %1 to %9; never freed
    std::vector<SentenceValue> values;  ///< what stands at the places

    bool empty() const { return !*form; }
    /// In English.
    std::string text() const;
    /// With what `translate` gives for each form. A place without a value stays as it is.
    std::string in(const std::function<std::string(const char* form)>& translate) const;
};

/// A sentence, or what is the same in every language: a name, a number, the terms of a rule.
struct SentenceValue {
    SentenceValue(std::string text) : name(std::move(text)) {}
    SentenceValue(const char* text) : name(text) {}
    SentenceValue(Sentence said) : sentence(std::move(said)) {}

    std::string name;  ///< where there is no sentence
    Sentence sentence;
};

/// What is the same in every language, as a sentence; "" says nothing.
Sentence as_it_is(std::string text);

}  // namespace partita
