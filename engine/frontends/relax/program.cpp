#include "engine/frontends/relax/program.h"

#include <algorithm>
#include <cctype>

namespace partita::relax {

namespace {

std::string key_of(const Type& type) {
    std::string key(1, char('0' + int(type.kind)));
    key += type.has_dims ? 'd' : '-';
    key += std::to_string(type.rank) + "|" + type.text + "|" + type.device;
    for (const std::string& dim : type.dims) key += "," + dim;
    for (TypeNumber field : type.fields) key += ";" + std::to_string(field);
    return key;
}

bool is_word_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string_view Function::attribute(std::string_view key) const {
    for (const auto& [name, value] : attributes)
        if (name == key) {
            std::string_view text = value;
            if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
            return text;
        }
    return {};
}

TypeNumber Program::add_type(Type type) {
    const auto [found, is_new] = type_numbers_.emplace(key_of(type), TypeNumber(types.size()));
    if (is_new) types.push_back(std::move(type));
    return found->second;
}

VariableNumber Program::add_variable(std::string name, TypeNumber type, bool is_dataflow) {
    variables.push_back({std::move(name), type, is_dataflow});
    return VariableNumber(variables.size() - 1);
}

const Function* Program::find(std::string_view name) const {
    for (const auto& function : functions)
        if (function->name == name) return function.get();
    return nullptr;
}

TypeNumber Program::type_of(const Expression& expression) const {
    if (expression.is(Expression::Kind::Variable)) return variables[expression.index].type;
    if (expression.is(Expression::Kind::Projection)) {
        const TypeNumber tuple = type_of(expression.operands[0]);
        const bool has = tuple != kNone && expression.index < types[tuple].fields.size();
        return has ? types[tuple].fields[expression.index] : kNone;
    }
    return kNone;
}

bool is_value(const Expression& argument) {
    if (argument.is(Expression::Kind::Text)) return true;
    return argument.is(Expression::Kind::Tuple) && !argument.operands.empty() &&
           std::all_of(argument.operands.begin(), argument.operands.end(), is_value);
}

std::string python_quoted(std::string_view text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '\n') quoted += "\\n";
        else if (c == '\t') quoted += "\\t";
        else if (c == '"' || c == '\\') quoted += std::string("\\") + c;
        else quoted += c;
    }
    return quoted + '"';
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> symbols_of(std::string_view dimension) {
    std::vector<std::string> symbols;
    for (size_t at = 0; at < dimension.size();) {
        size_t end = at;
        while (end < dimension.size() && (is_word_letter(dimension[end]) || dimension[end] == '.')) ++end;
        const std::string_view word = dimension.substr(at, end - at);
        const bool is_name = !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]));
        if (is_name && word.find('.') == std::string_view::npos) symbols.emplace_back(word);
        at = end + 1;
    }
    return symbols;
}

}  // namespace partita::relax
