// Randomly corrupted texts, for tests that a parser handles any input.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace partita::testing {

class BrokenTexts {
public:
    /// `seeds`: the texts to corrupt, which must outlive this.
    explicit BrokenTexts(std::span<const char* const> seeds) : seeds_(seeds) {}

    /// Returns the next text; the sequence is the same in every run.
    std::string next() {
        static const std::string letters = "()[]{}.,:;'\"*|_=<>!&?+-/%0129afx@ \n\\";
        std::string text = seeds_[random(seeds_.size())];
        for (size_t changes = 1 + random(4); changes--;) {
            size_t at = random(text.size() + 1);
            switch (random(4)) {
                case 0: text.insert(at, 1, letters[random(letters.size())]); break;
                case 1: text.erase(at, 1 + random(5)); break;
                case 2: text.insert(at, text.substr(random(text.size() + 1), random(20))); break;
                default:
                    if (at < text.size()) text[at] = letters[random(letters.size())];
                    break;
            }
        }
        return text;
    }

private:
    size_t random(size_t limit) { return (state_ = state_ * 1664525 + 1013904223) / 65536 % limit; }

    std::span<const char* const> seeds_;
    uint32_t state_ = 1;
};

}  // namespace partita::testing
