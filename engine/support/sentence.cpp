#include "engine/support/sentence.h"

namespace partita {

std::string Sentence::text() const {
    return in([](const char* english) { return std::string(english); });
}

std::string Sentence::in(const std::function<std::string(const char* form)>& translate) const {
    const std::string other = translate(form);
    std::string made;
    for (size_t i = 0; i < other.size(); ++i) {
        const bool is_place = other[i] == '%' && i + 1 < other.size();
        const size_t place = is_place ? size_t(other[i + 1] - '1') : values.size();
        if (place >= values.size()) {
            made += other[i];
            continue;
        }
        const SentenceValue& value = values[place];
        made += value.sentence.empty() ? value.name : value.sentence.in(translate);
        ++i;
    }
    return made;
}

Sentence as_it_is(std::string text) {
    if (text.empty()) return {};
    return {"%1", {std::move(text)}};
}

}  // namespace partita
