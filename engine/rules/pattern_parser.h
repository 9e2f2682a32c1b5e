// The parser of the pattern language (grammar: pattern.h). Included only by its two files and the numbering of the
// nodes.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rules/pattern.h"
#include "engine/rules/rule_program.h"

namespace partita {

inline constexpr size_t kPatternTextBytes = 65536;
inline constexpr int kPatternDepth = 100;
inline constexpr size_t kPatternNodes = 4096;

inline constexpr std::string_view kPatternSuffixes[] = {"has_attr", "has_dtype", "has_shape",
                                                        "has_type", "optional",  "dominates"};

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_suffix(std::string_view word) {
    return std::find(std::begin(kPatternSuffixes), std::end(kPatternSuffixes), word) != std::end(kPatternSuffixes);
}

/// Recursive descent over the characters; kPatternDepth bounds the depth of recursion.
class PatternParser {
public:
    explicit PatternParser(std::string_view text) : text_(text), pattern_(std::make_shared<Pattern>()) {
        pattern_->text_ = text;
    }

    Result<std::shared_ptr<const Pattern>> parse();

private:
    bool fail_at(size_t offset, const std::string& message) {
        failure_ = error(message, position_in_text(text_, offset));
        return false;
    }
    bool fail_here(const std::string& message) {
        skip_space();
        std::string found = at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
        return fail_at(at_, message + ", found " + found);
    }

    void skip_space();
    char peek() {
        skip_space();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(std::string_view symbol);
    bool expect(std::string_view symbol) { return take(symbol) || fail_here("expected '" + std::string(symbol) + "'"); }

    /// Reads a dotted name; leaves `.has_attr` and the like, `.0` and `.*` for the suffixes.
    std::string_view read_name();

    uint32_t add(PatternNode node, size_t begin);
    uint32_t add(PatternKind kind, size_t begin, std::vector<uint32_t> children = {});
    int depth_of(uint32_t node) const { return depths_[node]; }

    bool parse_definitions();
    bool check_new_name(std::string_view name, size_t begin);
    const uint32_t* find_name(std::string_view name) const {
        for (const auto& [known, node] : names_)
            if (known == name) return &node;
        return nullptr;
    }

    bool parse_alternative(uint32_t& result);
    bool parse_postfix(uint32_t& result);

    /// Reads patterns after '(' up to ')'; sets `any` for '...'.
    bool parse_list(std::vector<uint32_t>& list, bool& any);
    bool parse_call(size_t begin, uint32_t& result);
    bool parse_suffix(size_t begin, uint32_t& result);
    bool parse_has_attr(size_t begin, uint32_t& result);
    bool check_attribute(uint32_t node, std::string_view key, size_t key_begin);
    bool parse_value(AttributeValue& value, int depth);
    bool parse_number(AttributeValue& value);
    bool parse_string(std::string& text);
    bool parse_has_dtype(size_t begin, uint32_t& result);
    bool parse_dims(std::vector<int64_t>& shape);
    bool parse_has_shape(size_t begin, uint32_t& result);
    bool parse_has_type(size_t begin, uint32_t& result);

    /// Returns the form of TypeTable::to_string: spaces only after commas.
    static bool canonical_type(std::string_view text, std::string& canonical);
    bool parse_optional(size_t begin, uint32_t& result);
    bool parse_dominates(size_t begin, uint32_t& result);
    bool parse_primary(uint32_t& result);
    bool parse_parentheses(size_t begin, uint32_t& result);
    bool parse_scalar(size_t begin, uint32_t& result);
    bool parse_word(std::string_view name, size_t begin, uint32_t& result);
    bool fail_unknown(std::string_view name, size_t begin);
    bool parse_var(size_t begin, uint32_t& result);
    bool parse_tuple(size_t begin, uint32_t& result);
    bool parse_three(PatternKind kind, size_t begin, uint32_t& result);
    bool parse_function(size_t begin, uint32_t& result);

    /// Numbers the nodes that the root reaches in TVM's order. Drops names of unreached nodes.
    void number(uint32_t root);

    const OpRecord* op_of(uint32_t id) const;

    std::string_view text_;
    size_t at_ = 0;
    std::shared_ptr<Pattern> pattern_;
    std::vector<PatternNode> nodes_;
    std::vector<int> depths_;
    std::vector<std::pair<std::string_view, uint32_t>> names_;
    std::vector<uint32_t> placeholders_;
    std::vector<bool> used_placeholder_;
    std::string_view suffix_;
    int depth_ = 0;
    Diagnostic failure_;
};

}  // namespace partita
