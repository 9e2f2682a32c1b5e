#include "engine/support/sentence.h"

namespace partita {

std::string Sentence::in(std::string_view other_form) const {
    std::string made;
    for (size_t i = 0; i < other_form.size(); ++i) {
        const bool is_place = other_form[i] == '%' && i + 1 < other_form.size();
        const size_t place = is_place ? size_t(other_form[i + 1] - '1') : values.size();
        if (place < values.size()) {
            made += values[place];
            ++i;
        } else {
            made += other_form[i];
        }
    }
    return made;
}

std::optional<Sentence> read_sentence(const char* form, std::string_view text) {
    Sentence read{form, {}};
    std::string_view rest = form;
    size_t place = rest.find('%');
    if (!text.starts_with(rest.substr(0, place))) return std::nullopt;
    if (place == rest.npos) return text == rest ? std::optional(read) : std::nullopt;
    text.remove_prefix(place);
    while (place != rest.npos) {
        rest.remove_prefix(place + 2);
        place = rest.find('%');
        const std::string_view behind = rest.substr(0, place);
        const bool last = place == rest.npos;
        if (last && !text.ends_with(behind)) return std::nullopt;
        const size_t found = last ? text.size() - behind.size() : text.find(behind);
        if (found == text.npos) return std::nullopt;
        read.values.emplace_back(text.substr(0, found));
        text.remove_prefix(found + behind.size());
    }
    return read;
}

}  // namespace partita
