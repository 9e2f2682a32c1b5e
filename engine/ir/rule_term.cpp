#include "engine/ir/rule_term.h"

#include <algorithm>
#include <cctype>

namespace partita {

std::string RuleTerm::stated(bool rule_value) const {
    if (value == rule_value) return text;
    bool one_word =
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '_'; });
    bool one_call = text.starts_with("has(") && text.find(')') + 1 == text.size();
    return one_word || one_call ? "!" + text : "!(" + text + ")";
}

std::string RuleTerm::to_string(bool rule_value) const {
    std::string values;
    for (const Operand& operand : operands) {
        if (!values.empty()) values += ", ";
        values += operand.text + " is " + operand.value;
    }
    if (!error.empty()) values += (values.empty() ? "" : ", ") + error;
    if (values.empty()) return stated(rule_value) + (rule_value ? ": true" : ": false");
    if (operands.size() == 1 && operands[0].text == text && error.empty()) return values;
    return stated(rule_value) + ": " + values;
}

}  // namespace partita
