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

}  // namespace partita
