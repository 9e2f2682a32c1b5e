#include "engine/support/query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <utf8.h>

namespace partita {

namespace {

constexpr std::array<std::pair<std::string_view, QueryKey>, 9> kQueryKeys = {{{"op:", QueryKey::Op},
                                                                              {"name:", QueryKey::Name},
                                                                              {"backend:", QueryKey::Backend},
                                                                              {"shape:", QueryKey::Shape},
                                                                              {"type:", QueryKey::Type},
                                                                              {"attr:", QueryKey::Attribute},
                                                                              {"region:", QueryKey::Region},
                                                                              {"flops:", QueryKey::Flops},
                                                                              {"bytes:", QueryKey::Bytes}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool starts_with_any_case(std::string_view text, std::string_view prefix) {
    if (text.size() < prefix.size()) return false;
    const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + ('a' - 'A') == b); };
    return std::equal(prefix.begin(), prefix.end(), text.begin(),
                      [&same](char of_prefix, char of_text) { return same(of_text, of_prefix); });
}

bool is_expression(std::string_view text) { return text.size() > 2 && text.front() == '/' && text.back() == '/'; }

/// Returns null where the text is no expression. One between slashes may try so often and no more.
std::shared_ptr<const void> compiled(std::string_view text) {
    uint32_t options = PCRE2_CASELESS | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C;
    std::string expression(text);
    if (is_expression(text)) {
        expression = "(*LIMIT_MATCH=50000)" + expression.substr(1, text.size() - 2);
    } else if (text.find_first_of("*?") == std::string_view::npos) {
        options = (options & ~uint32_t(PCRE2_NEVER_BACKSLASH_C)) | PCRE2_LITERAL;
    } else {
        options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOTALL;
        expression.clear();
        for (const char c : text) {
            const bool plain = is_letter(c) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
            if (c == '*' || c == '?') expression += c == '*' ? ".*" : ".";
            else expression += plain ? std::string(1, c) : std::string("\\") + c;
        }
    }
    int fault = 0;
    PCRE2_SIZE place = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), options,
                                     &fault, &place, nullptr);
    if (!code) return nullptr;
    return {code, [](const void* each) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(each))); }};
}

/// "1e9", "4k", "1.5M", "2G".
std::optional<double> number_with_unit(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
        {{"kK", 1e3}, {"mM", 1e6}, {"gG", 1e9}, {"tT", 1e12}}};
    double unit = 1;
    for (const auto& [letters, times] : kUnits)
        if (!text.empty() && letters.find(text.back()) != std::string_view::npos) {
            unit = times;
            text.remove_suffix(1);
            break;
        }
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number * unit;
}

/// Returns the end of the regular expression that begins at a slash, behind its second one; `begin` where there is
/// none.
size_t end_of_expression(std::string_view text, size_t begin) {
    for (size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\\') ++i;
        else if (text[i] == '/' && i > begin + 1 && (i + 1 == text.size() || is_blank(text[i + 1]))) return i + 1;
    }
    return begin;
}

/// The words of a query; between slashes, spaces belong to the word.
std::vector<std::string_view> words_of(std::string_view query) {
    std::vector<std::string_view> words;
    for (size_t begin = 0; begin < query.size();) {
        if (is_blank(query[begin])) {
            ++begin;
            continue;
        }
        size_t slash = begin + (query[begin] == '-' ? 1 : 0);
        const size_t key = slash;
        while (slash < query.size() && is_letter(query[slash])) ++slash;
        slash = slash > key && slash < query.size() && query[slash] == ':' ? slash + 1 : key;
        size_t end = slash < query.size() && query[slash] == '/' ? end_of_expression(query, slash) : slash;
        if (end == slash)
            while (end < query.size() && !is_blank(query[end])) ++end;
        words.push_back(query.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

}  // namespace

bool Query::Term::has(std::string_view text) const {
    const auto* code = static_cast<const pcre2_code*>(pattern.get());
    if (!code) return false;
    std::string valid;
    if (utf8::find_invalid(text) != std::string_view::npos) {
        utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid));
        text = valid;
    }
    pcre2_match_data* match = pcre2_match_data_create_from_pattern(code, nullptr);
    const int found = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, PCRE2_NO_UTF_CHECK,
                                  match, nullptr);
    pcre2_match_data_free(match);
    return found >= 0;
}

bool Query::Term::has(double number) const {
    return (without_from ? number > from : number >= from) && (without_to ? number < to : number <= to);
}

/// ">1e9", "<=4k", "1e6..1e9", "0".
void Query::read_range(std::string_view text, Term& term) {
    const auto read = [&term](std::string_view part, double& end) {
        const std::optional<double> number = number_with_unit(part);
        term.readable = term.readable && number;
        end = number.value_or(0);
    };
    if (const size_t dots = text.find(".."); dots != std::string_view::npos) {
        read(text.substr(0, dots), term.from);
        return read(text.substr(dots + 2), term.to);
    }
    const bool above = text.starts_with('>'), below = text.starts_with('<');
    if (!above && !below) {
        read(text.starts_with('=') ? text.substr(1) : text, term.from);
        term.to = term.from;
        return;
    }
    const bool with_end = text.substr(1).starts_with('=');
    read(text.substr(with_end ? 2 : 1), above ? term.from : term.to);
    (above ? term.without_from : term.without_to) = !with_end;
}

Query::Term Query::read_term(std::string_view word) {
    Term term;
    term.word = word;
    if (word.size() > 1 && word.front() == '-') {
        term.negated = true;
        word.remove_prefix(1);
    }
    for (const auto& [prefix, key] : kQueryKeys) {
        if (!starts_with_any_case(word, prefix)) continue;
        term.key = key;
        word.remove_prefix(prefix.size());
        break;
    }
    if (term.key == QueryKey::Flops || term.key == QueryKey::Bytes) {
        read_range(word, term);
    } else {
        term.pattern = compiled(word);
        term.readable = term.pattern != nullptr;
    }
    return term;
}

Query::Query(std::string_view text) {
    for (const std::string_view word : words_of(text)) terms_.push_back(read_term(word));
}

std::string Query::unreadable() const {
    const auto found = std::find_if(terms_.begin(), terms_.end(), [](const Term& term) { return !term.readable; });
    return found == terms_.end() ? std::string() : found->word;
}

std::string Query::unknown_key() const {
    constexpr size_t kLongestKey = 20;
    for (const Term& term : terms_) {
        std::string_view word = term.word;
        if (word.starts_with('-')) word.remove_prefix(1);
        const size_t colon = word.find(':');
        if (term.key != QueryKey::Any || colon == std::string_view::npos || colon == 0 || colon > kLongestKey) continue;
        const std::string_view key = word.substr(0, colon);
        if (std::all_of(key.begin(), key.end(), is_letter)) return std::string(key);
    }
    return {};
}

bool Query::is_slow() const {
    return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) { return term.word.ends_with('/'); });
}

bool Query::holds(const Term& term, const QuerySubject& subject) {
    if (!term.pattern) {
        const std::optional<double> number = subject.number(term.key);
        return number && term.has(*number);
    }
    std::vector<std::string> texts;
    subject.texts(term.key, texts);
    return std::any_of(texts.begin(), texts.end(), [&term](const std::string& text) { return term.has(text); });
}

bool Query::matches(const QuerySubject& subject) const {
    const auto readable = [](const Term& term) { return term.readable; };
    if (terms_.empty() || !std::all_of(terms_.begin(), terms_.end(), readable)) return false;
    return std::all_of(terms_.begin(), terms_.end(),
                       [&subject](const Term& term) { return holds(term, subject) != term.negated; });
}

}  // namespace partita
