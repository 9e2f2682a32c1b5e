#include <algorithm>
#include <map>
#include <optional>

#include "engine/ops/registry.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/codegen.h"
#include "engine/rules/description_outline.h"
#include "engine/rules/pattern.h"
#include "engine/rules/rule.h"

namespace partita {

namespace {

constexpr RuleWord kDocumentKeys[] = {
    {"name", "the compiler's name, as it stands in annotations"},
    {"summary", "one line for people"},
    {"ops", "operators by name: true, false, or a rule"},
    {"patterns", "small graphs that become composite functions; longer ones first"},
    {"transparent", "operators that go where their neighbours go"},
    {"optimize", "passes over its own regions, in order: fold_constants"},
    {"limits", "what a region has to be"},
    {"whole_graph", "every call goes to this backend, without a question"},
    {"fallback",
     "of a region that the codegen refuses: \"whole\" runs on default, or the parts that it takes: \"halve\""},
    {"codegen", "what executes the regions: default, ccompiler, dnnl, or a plug-in"},
    {"expect", "tests of the rules, run by `partita-cli rules test`"},
};
constexpr RuleWord kPatternKeys[] = {
    {"name", "of the composite: the backend's name, a dot, and a name"},
    {"pattern", "in the pattern language: nn.relu(add(conv: nn.conv2d(*, *), *))"},
    {"check", "a rule about the match; names of the pattern stand for what they matched"},
    {"summary", "one line for people"},
};
constexpr RuleWord kExpectKeys[] = {
    {"module", "Relay text, or a file beside the description"},
    {"node", "a call's number, or an operator's name for its first call"},
    {"supported", "whether the backend is to take it"},
    {"composite", "the composite that is to take it"},
    {"because", "a part of the explanation's text"},
};
std::span<const RuleWord> limit_keys() {
    static const std::vector<RuleWord> keys = [] {
        std::vector<RuleWord> made;
        for (const RegionLimitField& field : region_limit_fields()) made.push_back({field.name, field.meaning});
        return made;
    }();
    return keys;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// The context of a position in a JSON text, found from the text before it. Accepts text that is not JSON.
struct JsonPlace {
    struct Level {
        bool object = false;
        std::string key;
        bool key_next = false;                       ///< in an object: a key comes next
        std::map<std::string, std::string> strings;  ///< values so far, as written
    };
    std::vector<Level> levels;
    bool in_string = false;
    bool is_key = false;
    size_t string_begin = 0;  ///< after the quote
};

constexpr size_t kDeepest = 64;

JsonPlace place_of(std::string_view text, size_t offset) {
    JsonPlace place;
    for (size_t i = 0; i < offset; ++i) {
        char c = text[i];
        if (place.in_string) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                place.in_string = false;
                if (place.levels.empty()) continue;
                std::string content(text.substr(place.string_begin, i - place.string_begin));
                JsonPlace::Level& level = place.levels.back();
                if (place.is_key) level.key = std::move(content);
                else level.strings[level.key] = std::move(content);
            }
            continue;
        }
        if (c == '"') {
            place.in_string = true;
            place.string_begin = i + 1;
            place.is_key = !place.levels.empty() && place.levels.back().object && place.levels.back().key_next;
        } else if (c == '{' || c == '[') {
            if (place.levels.size() == kDeepest) return {};
            place.levels.push_back({c == '{', {}, c == '{', {}});
        } else if (c == '}' || c == ']') {
            if (!place.levels.empty()) place.levels.pop_back();
        } else if (c == ',' || c == ':') {
            if (!place.levels.empty()) place.levels.back().key_next = c == ',';
        }
    }
    return place;
}

class Completer {
public:
    Completer(std::string_view text, size_t offset) : text_(text), offset_(std::min(offset, text.size())) {}

    Completion complete() {
        place_ = place_of(text_, offset_);
        if (!place_.in_string) {
            complete_outside();
        } else if (place_.is_key) {
            complete_key();
        } else {
            complete_value();
        }
        return finish();
    }

private:
    const std::string& key(size_t level) const {
        static const std::string none;
        return level < place_.levels.size() ? place_.levels[level].key : none;
    }
    size_t depth() const { return place_.levels.size(); }

    void add(std::string_view word, std::string_view detail) {
        completion_.items.push_back({std::string(word), std::string(detail)});
    }
    void add(std::span<const RuleWord> words) {
        for (const RuleWord& word : words) add(word.word, word.help);
    }
    void add_ops() {
        for (const OpRecord& op : op_registry().records()) add(op.name, op.summary);
    }
    void add_codegens() {
        for (const BuiltinCodegen& codegen : builtin_codegens()) add(codegen.name, codegen.summary);
    }
    void add_quoted(std::span<const RuleWord> words) {
        for (const RuleWord& word : words) add("\"" + std::string(word.word) + "\"", word.help);
    }

    /// Begins at the word that ends at the position: letters, digits, '_' and, if `dotted`, dots.
    void begin_at_word(bool dotted) {
        completion_.begin = offset_;
        size_t first = place_.in_string ? place_.string_begin : 0;
        while (completion_.begin > first) {
            char c = text_[completion_.begin - 1];
            if (!is_word(c) && !(dotted && c == '.')) break;
            --completion_.begin;
        }
    }

    std::span<const RuleWord> keys_here() const {
        if (depth() == 1) return kDocumentKeys;
        if (depth() == 2 && key(0) == "limits") return limit_keys();
        if (depth() == 3 && key(0) == "patterns") return kPatternKeys;
        if (depth() == 3 && key(0) == "expect") return kExpectKeys;
        return {};
    }

    void complete_outside() {
        begin_at_word(false);
        if (depth() == 0) return;
        const JsonPlace::Level& level = place_.levels.back();
        if (level.object && level.key_next) {
            if (completion_.begin == offset_) add_quoted(keys_here());
            return;
        }
        bool wants_bool = (depth() == 2 && key(0) == "ops") || (depth() == 1 && level.key == "whole_graph") ||
                          (depth() == 3 && level.key == "supported");
        if (!level.object || !wants_bool) return;
        add("true", "always");
        add("false", "never");
    }

    void complete_key() {
        begin_at_word(true);
        if (depth() == 2 && key(0) == "ops") add_ops();
        else add(keys_here());
    }

    void complete_value() {
        begin_at_word(true);
        if (depth() == 2 && key(0) == "ops") return complete_rule(op_registry().find(key(1)), {});
        if (depth() == 2 && key(0) == "transparent") return add_ops();
        if (depth() == 1 && key(0) == "codegen") return add_codegens();
        if (depth() != 3) return;
        const JsonPlace::Level& item = place_.levels[2];
        if (key(0) == "expect" && item.key == "node") return add_ops();
        if (key(0) != "patterns") return;
        if (item.key == "pattern") return complete_pattern(written());
        if (item.key != "check") return;
        auto pattern = item.strings.find("pattern");
        complete_rule(root_op(pattern),
                      pattern == item.strings.end() ? std::vector<std::string>() : names_of(pattern->second));
    }

    std::string_view written() const { return text_.substr(place_.string_begin, offset_ - place_.string_begin); }

    OpId root_op(std::map<std::string, std::string>::const_iterator pattern) const {
        if (pattern == place_.levels[2].strings.end()) return {};
        auto parsed = Pattern::parse(pattern->second);
        return parsed && (*parsed)->root_op() ? op_registry().find((*parsed)->root_op()->name) : OpId();
    }

    /// Returns the names that a pattern binds: words before ':' or before a '=' that is not an attribute's.
    static std::vector<std::string> names_of(std::string_view pattern) {
        std::vector<std::string> names;
        int open = 0;
        for (size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] == '(') ++open;
            if (pattern[i] == ')') --open;
            bool binds = pattern[i] == ':' || (pattern[i] == '=' && open == 0);
            if (!binds) continue;
            size_t end = i;
            while (end > 0 && pattern[end - 1] == ' ') --end;
            size_t begin = end;
            while (begin > 0 && is_word(pattern[begin - 1])) --begin;
            if (begin < end) names.emplace_back(pattern.substr(begin, end - begin));
        }
        return names;
    }

    void complete_pattern(std::string_view before) {
        std::vector<std::string> names = names_of(before);
        size_t word = completion_.begin - place_.string_begin;
        // A suffix follows an expression and a dot; any other dotted word begins an operator's name.
        size_t dot = before.substr(word).rfind('.');
        if (dot != std::string_view::npos) {
            std::string_view target = before.substr(word, dot);
            if (target.empty() || target == "constant" || target == "var" ||
                std::find(names.begin(), names.end(), target) != names.end()) {
                completion_.begin += dot + 1;
                return add_suffixes();
            }
        }
        for (const std::string& name : names) add(name, "defined in this pattern");
        for (const RuleWord& each : pattern_words())
            if (!is_suffix(each)) add(each.word, each.help);
        add_ops();
    }
    static bool is_suffix(const RuleWord& word) {
        return word.help.starts_with("p.") || word.help.starts_with("parent.");
    }
    void add_suffixes() {
        for (const RuleWord& each : pattern_words())
            if (is_suffix(each)) add(std::string(each.word) + "(", each.help);
    }

    /// Returns the end of the last separate occurrence of a word; 0 if there is none.
    static size_t last_word(std::string_view text, std::string_view word) {
        for (size_t at = text.rfind(word); at != std::string_view::npos;
             at = at ? text.rfind(word, at - 1) : text.npos) {
            size_t end = at + word.size();
            if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return end;
        }
        return 0;
    }

    /// Completes a text literal of a rule from what it is compared with.
    bool complete_literal(std::string_view before) {
        size_t quote = std::string_view::npos;
        for (size_t i = 0; i < before.size(); ++i)
            if (before[i] == '\'') quote = quote == std::string_view::npos ? i : std::string_view::npos;
        if (quote == std::string_view::npos) return false;
        std::string_view compared = before.substr(0, quote);
        size_t op = std::max({last_word(compared, "op"), last_word(compared, "skip"), last_word(compared, "chain")});
        if (op > last_word(compared, "dtype")) add_ops();
        else
            for (std::string_view name : dtype_names()) add(name, "element type");
        return true;
    }

    void complete_rule(OpId op, const std::vector<std::string>& names) {
        std::string_view before = written();
        if (complete_literal(before)) return;
        begin_at_word(false);
        size_t word = completion_.begin - place_.string_begin;
        if (word > 0 && before[word - 1] == '.') return complete_member(before.substr(0, word - 1), op);
        for (const std::string& name : names) add(name, "what the pattern matched with that name");
        for (const std::string& name : loop_names(before)) add(name, "element of the list");
        add(rule_names());
        for (const RuleWord& function : rule_functions()) add(std::string(function.word) + "(", function.help);
        add("true", "");
        add("false", "");
        add("null", "of an attribute that is not given");
    }

    void complete_member(std::string_view target, OpId op) {
        size_t begin = target.size();
        while (begin > 0 && (is_word(target[begin - 1]) || target[begin - 1] == '.')) --begin;
        std::string_view path = target.substr(begin);
        bool own = path == "attrs" && (begin == 0 || target[begin - 1] != ']');
        if (path == "attrs" || path.ends_with(".attrs")) {
            if (own && op.valid()) add_attributes(op_registry()[op]);
            else add_all_attributes();
            return;
        }
        if (path == "function") {
            add("name", "the function's name");
            add("attrs", "the function's attributes: function.attrs['global_symbol']");
            return;
        }
        add(rule_fields());
        for (const RuleWord& method : rule_methods()) add(std::string(method.word) + "(", method.help);
    }

    void add_attributes(const OpRecord& op) {
        for (const AttributeField& field : op.attributes) {
            std::string detail = field.summary;
            if (!field.required && !field.default_value.is_none())
                detail += (detail.empty() ? "" : "; ") + std::string("default ") + field.default_value.to_string();
            add(field.name, detail);
        }
    }
    void add_all_attributes() {
        std::map<std::string, std::string> known;
        for (const OpRecord& op : op_registry().records())
            for (const AttributeField& field : op.attributes) known.emplace(field.name, field.summary);
        for (const auto& [name, detail] : known) add(name, detail);
    }

    /// Returns the variables of `all`, `exists` and `exists_one` before the position.
    static std::vector<std::string> loop_names(std::string_view before) {
        std::vector<std::string> names;
        for (std::string_view method : {".all(", ".exists(", ".exists_one("})
            for (size_t at = before.find(method); at != std::string_view::npos; at = before.find(method, at + 1)) {
                size_t begin = at + method.size(), end = begin;
                while (end < before.size() && is_word(before[end])) ++end;
                if (end > begin && end < before.size() && before[end] == ',')
                    names.emplace_back(before.substr(begin, end - begin));
            }
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        return names;
    }

    /// Lists words that begin with the one so far first, then those that contain it.
    Completion finish() {
        std::string_view begun = text_.substr(completion_.begin, offset_ - completion_.begin);
        auto rank = [begun](const CompletionItem& item) {
            if (begun.empty()) return 0;
            std::string_view word = item.word;
            if (word == begun) return 3;
            if (word.starts_with(begun)) return 0;
            size_t found = word.find(begun);
            return found == std::string_view::npos ? 3 : word[found - 1] == '.' ? 1 : 2;
        };
        std::erase_if(completion_.items, [&](const CompletionItem& item) { return rank(item) == 3; });
        std::stable_sort(completion_.items.begin(), completion_.items.end(),
                         [&](const CompletionItem& a, const CompletionItem& b) { return rank(a) < rank(b); });
        return std::move(completion_);
    }

    std::string_view text_;
    size_t offset_;
    JsonPlace place_;
    Completion completion_;
};

}  // namespace

Completion complete_description(std::string_view text, size_t offset) { return Completer(text, offset).complete(); }

}  // namespace partita
