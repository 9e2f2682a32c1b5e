// The canonical form of a module's Relay text. Two texts with equal forms are the same module except for white space,
// comments, the numbering of temporaries, the order of functions and of function attributes, and the layout of the
// metadata section. The rules are those of the reference data's own tool, relay_canonical.py.
#pragma once

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace partita::testing {

/// Returns the values of `meta[KEY][i]`: the compiler's name, or the bytes of the constant.
inline std::map<std::string, std::vector<std::string>> metadata_table(const std::string& text) {
    std::map<std::string, std::vector<std::string>> table;
    if (text.find_first_not_of(" \n\r\t") == std::string::npos) return table;
    nlohmann::json document = nlohmann::json::parse(text);
    const nlohmann::json &nodes = document["nodes"], &root = nodes[document["root"].get<size_t>()];
    for (size_t k = 0; k < root["keys"].size(); ++k) {
        for (const nlohmann::json& index :
             nodes[root["data"][k].get<size_t>()].value("data", nlohmann::json::array())) {
            const nlohmann::json& node = nodes[index.get<size_t>()];
            nlohmann::json attributes = node.value("attrs", nlohmann::json::object());
            std::string entry = node.dump();
            if (attributes.contains("compiler")) {
                entry = "compiler:" + attributes["compiler"].get<std::string>();
            } else if (node.value("type_key", "") == "relay.Constant" && attributes.contains("data")) {
                size_t tensor = std::stoul(attributes["data"].get<std::string>());
                if (tensor < document["b64ndarrays"].size())
                    entry = "const:" + std::to_string(std::hash<std::string>()(document["b64ndarrays"][tensor]));
            }
            table[root["keys"][k]].push_back(entry);
        }
    }
    return table;
}

inline std::string without_comments(const std::string& text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        size_t open = text.find("/*", at);
        out.append(text, at, open == std::string::npos ? open : open - at);
        if (open == std::string::npos) break;
        size_t close = text.find("*/", open + 2);
        at = close == std::string::npos ? text.size() : close + 2;
    }
    return out;
}

inline std::vector<std::string> canonical_tokens(const std::string& text) {
    std::vector<std::string> tokens;
    auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    for (size_t i = 0; i < text.size();) {
        char c = text[i];
        size_t end = i + 1;
        if (std::isspace(static_cast<unsigned char>(c))) {
            ++i;
            continue;
        }
        if (c == '"') {
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
            ++end;
        } else if (text.compare(i, 5, "meta[") == 0) {
            end = text.find(']', text.find(']', i) + 1) + 1;
        } else if (c == '%' || c == '@' || word(c) ||
                   (c == '-' && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))) {
            bool number = c == '-' || std::isdigit(static_cast<unsigned char>(c));
            while (end < text.size() && (word(text[end]) || (number && (text[end] == '+' || text[end] == '-')))) ++end;
        } else if (text.compare(i, 2, "->") == 0 || text.compare(i, 2, "==") == 0 || text.compare(i, 2, "=>") == 0) {
            end = i + 2;
        }
        tokens.push_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

/// Moves the KEY=VALUE entries of each parameter list behind the parameters and sorts them by key.
inline std::vector<std::string> with_sorted_attributes(const std::vector<std::string>& tokens) {
    std::vector<std::string> out;
    for (size_t i = 0; i < tokens.size();) {
        out.push_back(tokens[i]);
        bool opens = tokens[i] == "(" && i > 0 && (tokens[i - 1] == "fn" || (i > 1 && tokens[i - 2] == "def"));
        ++i;
        if (!opens) continue;
        std::vector<std::vector<std::string>> parameters, attributes;
        std::vector<std::string> entry;
        for (int depth = 1; depth && i < tokens.size(); ++i) {
            const std::string& token = tokens[i];
            if (token == "(" || token == "[" || token == "{") ++depth;
            if (token == ")" || token == "]" || token == "}") --depth;
            if (depth && (depth > 1 || token != ",")) {
                entry.push_back(token);
                continue;
            }
            if (!entry.empty()) (entry[0][0] == '%' ? parameters : attributes).push_back(entry);
            entry.clear();
        }
        std::sort(attributes.begin(), attributes.end());
        parameters.insert(parameters.end(), attributes.begin(), attributes.end());
        for (size_t k = 0; k < parameters.size(); ++k) {
            if (k) out.push_back(",");
            out.insert(out.end(), parameters[k].begin(), parameters[k].end());
        }
        out.push_back(")");
    }
    return out;
}

inline std::string canonical_function(const std::string& text,
                                      const std::map<std::string, std::vector<std::string>>& table) {
    std::map<std::string, std::string> numbers;
    std::string out;
    for (std::string token : with_sorted_attributes(canonical_tokens(text))) {
        if (token.size() > 1 && token[0] == '%' && std::isdigit(static_cast<unsigned char>(token[1]))) {
            size_t dot = token.find('.');
            std::string name = token.substr(0, dot), field = dot == std::string::npos ? "" : token.substr(dot);
            token = numbers.try_emplace(name, "%" + std::to_string(numbers.size())).first->second + field;
        } else if (token.rfind("meta[", 0) == 0) {
            std::string key = token.substr(5, token.find(']') - 5);
            size_t open = token.rfind('[');
            size_t index = std::stoul(token.substr(open + 1, token.size() - open - 2));
            auto entries = table.find(key);
            token = entries != table.end() && index < entries->second.size() ? entries->second[index] : key;
        }
        out += token;
        out += token == ";" || token == "{" || token == "}" ? '\n' : ' ';
    }
    return out;
}

inline std::string canonical_relay(const std::string& text) {
    size_t meta = text.find("#[metadata]");
    auto table = metadata_table(meta == std::string::npos ? "" : text.substr(meta + 11));
    std::string body = without_comments(text.substr(0, meta));
    if (size_t version = body.find("#[version"); version != std::string::npos)
        body.erase(version, body.find(']', version) + 1 - version);
    std::vector<std::string> functions;
    for (size_t at = 0; at < body.size();) {
        size_t next = body.find("\ndef ", at + 1);
        functions.push_back(canonical_function(body.substr(at, next == std::string::npos ? next : next - at), table));
        at = next == std::string::npos ? body.size() : next;
    }
    std::sort(functions.begin(), functions.end());
    std::string out;
    for (const std::string& function : functions)
        if (!function.empty()) out += function + "\n";
    return out;
}

/// Returns the first line in which the canonical forms of two texts differ, or "".
inline std::string canonical_difference(const std::string& found, const std::string& expected) {
    std::string a = canonical_relay(found), b = canonical_relay(expected);
    if (a == b) return {};
    size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
    size_t begin = a.rfind('\n', at ? at - 1 : 0);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return "found: " + a.substr(begin, a.find('\n', at) - begin) + "\nexpected: " +
           b.substr(std::min(begin, b.size()), b.find('\n', std::min(at, b.size())) - std::min(begin, b.size()));
}

}  // namespace partita::testing
