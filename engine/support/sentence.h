// Messages of the engine, in a form that a window can translate.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// Marks a form for lupdate (resources/translations/update). The context is always "Engine".
#define SENTENCE(context, text) text

namespace partita {

struct SentenceValue;

/// An empty form means no sentence.
struct Sentence {
    const char* form = "";              ///< English, with placeholders %1 to %9; never freed
    std::vector<SentenceValue> values;  ///< for the placeholders

    bool empty() const { return !*form; }
    /// Returns the text in English.
    std::string text() const;
    /// Returns the text with the translation of each form. A placeholder without a value stays as it is.
    std::string in(const std::function<std::string(const char* form)>& translate) const;
};

/// A sentence, or a text that is the same in every language: a name, a number, the terms of a rule.
struct SentenceValue {
    SentenceValue(std::string text) : name(std::move(text)) {}
    SentenceValue(const char* text) : name(text) {}
    SentenceValue(Sentence said) : sentence(std::move(said)) {}

    std::string name;  ///< if there is no sentence
    Sentence sentence;
};

/// Returns a text that is the same in every language as a sentence; "" gives an empty one.
Sentence as_it_is(std::string text);

}  // namespace partita
