#include "engine/frontends/onnx/dimension_relation.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace partita::onnx {

namespace {

bool is_name_letter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '.';
}

class SumParser {
public:
    explicit SumParser(std::string_view text) : text_(text) {}

    std::optional<std::vector<Monomial>> parse() {
        std::vector<Monomial> terms;
        for (int64_t sign = 1;;) {
            std::optional<Monomial> term = product();
            if (!term || __builtin_mul_overflow(term->factor, sign, &term->factor)) return {};
            terms.push_back(std::move(*term));
            skip_spaces();
            if (at_ == text_.size()) return terms;
            if (text_[at_] == '+') sign = 1;
            else if (is_minus()) sign = -1;
            else return {};
            ++at_;
        }
    }

private:
    void skip_spaces() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool is_minus() const {
        return text_[at_] == '-' && at_ > 0 && text_[at_ - 1] == ' ' && at_ + 1 < text_.size() && text_[at_ + 1] == ' ';
    }

    std::optional<Monomial> product() {
        Monomial made;
        for (;;) {
            if (!take_factor(made)) return {};
            skip_spaces();
            if (at_ == text_.size() || text_[at_] != '*') return made;
            ++at_;
        }
    }

    bool take_factor(Monomial& made) {
        skip_spaces();
        const size_t begin = at_;
        while (at_ < text_.size() && is_name_letter(text_[at_])) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word.empty()) return false;
        if (!std::isdigit(static_cast<unsigned char>(word[0]))) {
            made.symbols.emplace_back(word);
            return true;
        }
        int64_t number = 0;
        const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
        return fault == std::errc() && stop == word.data() + word.size() &&
               !__builtin_mul_overflow(made.factor, number, &made.factor);
    }

    std::string_view text_;
    size_t at_ = 0;
};

/// Returns the product of the factor and all symbols but one occurrence of `without`.
std::optional<int64_t> product_of(const Monomial& term, const DimensionSizes& sizes, std::string_view without = {}) {
    int64_t product = term.factor;
    for (const std::string& symbol : term.symbols) {
        if (symbol == without) continue;
        if (__builtin_mul_overflow(product, sizes.find(symbol)->second, &product)) return {};
    }
    return product;
}

int64_t count_in(const Monomial& term, const std::string& symbol) {
    return std::count(term.symbols.begin(), term.symbols.end(), symbol);
}

}  // namespace

std::optional<DimensionRelation> parse_dimension(std::string_view text) {
    if (text.find_first_of("+-*") == std::string_view::npos) return {};
    std::optional<std::vector<Monomial>> terms = SumParser(text).parse();
    if (!terms) return {};
    DimensionRelation relation{std::string(text), std::move(*terms), std::string(text), true};
    return relation;
}

std::set<std::string> symbols_of(const DimensionRelation& relation) {
    std::set<std::string> symbols{relation.symbol};
    for (const Monomial& term : relation.terms) symbols.insert(term.symbols.begin(), term.symbols.end());
    return symbols;
}

std::optional<int64_t> sum_of(const DimensionRelation& relation, const DimensionSizes& sizes) {
    int64_t sum = 0;
    for (const Monomial& term : relation.terms) {
        const std::optional<int64_t> product = product_of(term, sizes);
        if (!product || __builtin_add_overflow(sum, *product, &sum)) return {};
    }
    return sum;
}

std::optional<int64_t> solve(const DimensionRelation& relation, const std::string& unknown,
                             const DimensionSizes& sizes) {
    std::optional<int64_t> found;
    if (unknown == relation.symbol) {
        found = sum_of(relation, sizes);
    } else {
        int64_t rest = sizes.find(relation.symbol)->second, factor = 0;
        for (const Monomial& term : relation.terms) {
            const bool holds = count_in(term, unknown) > 0;
            const std::optional<int64_t> product = product_of(term, sizes, holds ? unknown : std::string());
            if (!product || (!holds && __builtin_sub_overflow(rest, *product, &rest))) return {};
            if (holds) factor = *product;
        }
        if (factor < 0 && (__builtin_sub_overflow(0, rest, &rest) || __builtin_sub_overflow(0, factor, &factor)))
            return {};
        if (factor > 0 && rest % factor == 0) found = rest / factor;
    }
    return found && *found >= 0 ? found : std::nullopt;
}

bool is_solvable(const DimensionRelation& relation, const std::string& unknown) {
    int64_t count = relation.symbol == unknown ? 1 : 0;
    for (const Monomial& term : relation.terms) count += count_in(term, unknown);
    return count == 1;
}

}  // namespace partita::onnx
