#include "engine/frontends/torch/sizes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/support/one_line.h"

namespace partita::torch {

namespace {

constexpr int kDeepest = 100;
constexpr size_t kLongest = 1 << 16;

using Number = std::optional<int64_t>;

Number floor_divided(int64_t a, int64_t b) {
    if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

Number applied(std::string_view function, Number a, Number b) {
    if (!a || !b) return std::nullopt;
    int64_t result = 0;
    if (function == "Add" || function == "+") return __builtin_add_overflow(*a, *b, &result) ? Number() : result;
    if (function == "-") return __builtin_sub_overflow(*a, *b, &result) ? Number() : result;
    if (function == "Mul" || function == "*") return __builtin_mul_overflow(*a, *b, &result) ? Number() : result;
    if (function == "FloorDiv" || function == "CleanDiv" || function == "//") return floor_divided(*a, *b);
    if (function == "Mod" || function == "PythonMod" || function == "%") {
        const Number part = floor_divided(*a, *b);
        return part ? Number(*a - *part * *b) : Number();
    }
    if (function == "Max") return std::max(*a, *b);
    if (function == "Min") return std::min(*a, *b);
    if (function == "Pow" || function == "**") {
        if (*b < 0 || *b > 64) return std::nullopt;
        result = 1;
        for (int64_t i = 0; i < *b; ++i)
            if (__builtin_mul_overflow(result, *a, &result)) return std::nullopt;
        return result;
    }
    return std::nullopt;
}

/// Parses by descent, at most kDeepest deep. Fails by `ok`.
class Parser {
public:
    Parser(std::string_view text, const SymbolValues& symbols) : rest_(text.substr(0, kLongest)), symbols_(symbols) {
        ok_ = text.size() <= kLongest;
    }

    Number whole() {
        const Number value = sum();
        space();
        return ok_ && rest_.empty() ? value : std::nullopt;
    }

    std::vector<std::string> symbols;  ///< that were met
    bool only_symbol = true;           ///< nothing else was met

private:
    void space() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
    }
    bool take(std::string_view sign) {
        space();
        if (!rest_.starts_with(sign)) return false;
        rest_.remove_prefix(sign.size());
        return true;
    }
    Number fail() {
        ok_ = false;
        rest_ = {};
        return std::nullopt;
    }

    Number sum() {
        if (++depth_ > kDeepest) return fail();
        Number value = product();
        while (ok_) {
            const char* sign = take("+") ? "+" : take("-") ? "-" : nullptr;
            if (!sign) break;
            only_symbol = false;
            value = applied(sign, value, product());
        }
        --depth_;
        return value;
    }
    Number product() {
        Number value = factor();
        while (ok_) {
            const char* sign = take("//") ? "//" : take("*") ? "*" : take("%") ? "%" : nullptr;
            if (!sign) break;
            only_symbol = false;
            value = applied(sign, value, factor());
        }
        return value;
    }
    Number factor() {
        const bool negative = take("-");
        Number value = atom();
        if (take("**")) value = applied("**", value, atom());
        only_symbol = only_symbol && !negative;
        return negative ? applied("-", 0, value) : value;
    }
    Number atom() {
        space();
        if (take("(")) {
            const Number value = sum();
            return take(")") ? value : fail();
        }
        if (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0]))) return number();
        const std::string_view name = word();
        if (name.empty()) return fail();
        if (!take("(")) return symbol(name);
        return call(name);
    }
    Number number() {
        only_symbol = false;
        int64_t value = 0;
        const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        rest_.remove_prefix(size_t(end - rest_.data()));
        return fault == std::errc() ? Number(value) : std::nullopt;
    }
    std::string_view word() {
        size_t length = 0;
        while (length < rest_.size() &&
               (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_'))
            ++length;
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return name;
    }
    Number symbol(std::string_view name) {
        symbols.emplace_back(name);
        const auto known = symbols_.find(name);
        return known == symbols_.end() ? Number() : Number(known->second);
    }
    /// A quoted name and assumptions, which say nothing of its value.
    Number symbol_call() {
        const char quote = take("'") ? '\'' : take("\"") ? '"' : '\0';
        const size_t end = quote ? rest_.find(quote) : std::string_view::npos;
        if (end == std::string_view::npos) return fail();
        const Number value = symbol(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        while (ok_ && take(",")) {
            space();
            if (word().empty() || !take("=")) return fail();
            space();
            if (word().empty()) return fail();
        }
        return take(")") ? value : fail();
    }
    Number call(std::string_view name) {
        if (name == "Symbol") return symbol_call();
        only_symbol = false;
        if (name != "Integer" && !applied(name, 1, 1)) return fail();
        Number value = sum();
        if (name == "Integer") return take(")") ? value : fail();
        while (ok_ && take(",")) value = applied(name, value, sum());
        return take(")") ? value : fail();
    }

    std::string_view rest_;
    const SymbolValues& symbols_;
    int depth_ = 0;
    bool ok_ = true;
};

}  // namespace

std::optional<int64_t> value_of(std::string_view expression, const SymbolValues& symbols) {
    return Parser(expression, symbols).whole();
}

std::string symbol_of(std::string_view expression) {
    const SymbolValues none;
    Parser parser(expression, none);
    parser.whole();
    return parser.only_symbol && parser.symbols.size() == 1 ? parser.symbols[0] : std::string();
}

std::vector<std::string> symbols_in(std::string_view expression) {
    const SymbolValues none;
    Parser parser(expression, none);
    parser.whole();
    return parser.symbols;
}

std::vector<NamedDimension> dimensions_of(const Program& program, const std::map<std::string, int64_t>& given,
                                          SymbolValues& values, std::vector<std::string>& notes) {
    std::vector<NamedDimension> dimensions;
    std::map<std::string, int64_t> hints;
    const auto dimension_of = [&](const std::string& name) -> NamedDimension& {
        for (NamedDimension& each : dimensions)
            if (each.name == name) return each;
        dimensions.push_back({name, 1, NamedDimension::Source::Assumed, {}, {}, {}});
        return dimensions.back();
    };
    for (size_t i = 0; i < program.graph.inputs.size(); ++i) {
        if (program.inputs[i].kind != "user_input") continue;
        for (std::string_view input : names_in(program.graph.inputs[i])) {
            const auto meta = program.graph.tensors.find(input);
            const size_t rank = meta == program.graph.tensors.end() ? 0 : meta->second.sizes.size();
            for (size_t axis = 0; axis < rank; ++axis) {
                const Size& size = meta->second.sizes[axis];
                if (size.expression.empty()) continue;
                for (const std::string& name : symbols_in(size.expression)) dimension_of(name);
                const std::string symbol = symbol_of(size.expression);
                if (symbol.empty()) continue;
                dimension_of(symbol).inputs.emplace_back(std::string(input), int(axis));
                if (size.hint) hints.emplace(symbol, *size.hint);
            }
        }
    }
    for (NamedDimension& dimension : dimensions) {
        const auto range = program.ranges.find(dimension.name);
        const auto low = range == program.ranges.end() ? std::nullopt : range->second.first;
        const auto high = range == program.ranges.end() ? std::nullopt : range->second.second;
        const std::string name = "the symbolic dimension " + in_quotes(dimension.name);
        if (const auto size = given.find(dimension.name); size != given.end()) {
            dimension.value = size->second;
            dimension.source = NamedDimension::Source::Given;
            if ((low && dimension.value < *low) || (high && dimension.value > *high))
                throw Refused{name + " can't be " + std::to_string(dimension.value) +
                              ": the program was exported for " + (low ? std::to_string(*low) : "any") + " to " +
                              (high ? std::to_string(*high) : "any")};
        } else if (const auto hint = hints.find(dimension.name); hint != hints.end() && hint->second >= 0) {
            dimension.value = hint->second;
            dimension.source = NamedDimension::Source::Given;
            notes.push_back(name + " is taken as " + std::to_string(dimension.value) +
                            ", as in the example that was exported");
        } else {
            dimension.value = std::max<int64_t>(1, low.value_or(1));
            notes.push_back(name + " is taken as " + std::to_string(dimension.value));
        }
        values[dimension.name] = dimension.value;
    }
    return dimensions;
}

}  // namespace partita::torch
