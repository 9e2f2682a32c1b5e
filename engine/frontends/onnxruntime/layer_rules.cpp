#include <algorithm>
#include <set>

#include "engine/frontends/onnxruntime/steering.h"
#include "engine/support/one_line.h"

namespace partita::onnxruntime {

namespace {

constexpr std::string_view kByAnnotation = "session.layer_assignment_settings";
constexpr std::string_view kByName = "session.name_based_layer_assignment";
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Each is compared with all others, and with the name of each node.
constexpr size_t kMostRules = 10000;

/// Takes off what stands before a separator, and the separator.
std::string_view take_until(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return trimmed(part);
}

/// What is set: in quotes of its own, as in Python, or to the end of the line.
std::string_view value_behind(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    const size_t begin = text.find_first_not_of(" \t'\",:=");
    if (begin == std::string_view::npos) return {};
    const char before = begin > 0 ? text[begin - 1] : ' ';
    text.remove_prefix(begin);
    return trimmed(before == '"' || before == '\'' ? text.substr(0, text.find(before)) : text);
}

/// "device(a, =b)".
Status read_rule(std::string_view entry, LayerRules& made) {
    const std::string quoted = in_quotes(std::string(entry));
    const size_t open = entry.find('(');
    if (open == std::string_view::npos) return error("missing '(' in the entry " + quoted);
    if (!entry.ends_with(')')) return error("missing ')' in the entry " + quoted);
    const std::string device(trimmed(entry.substr(0, open)));
    if (device.empty()) return error("no device in the entry " + quoted);
    std::string_view patterns = entry.substr(open + 1, entry.size() - open - 2);
    while (!patterns.empty()) {
        std::string_view pattern = take_until(patterns, ',');
        if (pattern.empty()) continue;
        LayerRule rule{device, {}, pattern.starts_with('=')};
        if (rule.is_exact) pattern.remove_prefix(1);
        if (rule.is_exact && made.by_name)
            return error("rules by name have no '=': all patterns are parts of names: " + quoted);
        rule.pattern = pattern;
        const auto is_same = [&](const LayerRule& other) {
            return other.pattern == rule.pattern && other.is_exact == rule.is_exact;
        };
        if (std::any_of(made.rules.begin(), made.rules.end(), is_same))
            return error("the pattern " + in_quotes(rule.pattern) + " stands twice");
        if (made.rules.size() == kMostRules)
            return error("there are more than " + std::to_string(kMostRules) + " patterns");
        made.rules.push_back(std::move(rule));
    }
    return Nothing();
}

}  // namespace

int LayerRules::rule_of(std::string_view text) const {
    int found = -1;
    for (size_t i = 0; i < rules.size(); ++i) {
        const std::string& pattern = rules[i].pattern;
        if (by_name) {
            const bool is_longer = found < 0 || pattern.size() > rules[size_t(found)].pattern.size();
            if (is_longer && text.find(pattern) != std::string_view::npos) found = int(i);
        } else if (!rules[i].is_exact && text.starts_with(pattern)) {
            return int(i);
        } else if (found < 0 && rules[i].is_exact && text == pattern) {
            found = int(i);
        }
    }
    return found;
}

std::string LayerRules::text() const {
    std::string value;
    const std::string* device = nullptr;
    for (const LayerRule& rule : rules) {
        const bool goes_on = device && *device == rule.device;
        if (!goes_on) value += (device ? "); " : "") + rule.device + "(";
        value += (goes_on ? ", " : "") + std::string(rule.is_exact ? "=" : "") + rule.pattern;
        device = &rule.device;
    }
    return std::string(by_name ? kByName : kByAnnotation) + "=" + value + (device ? ")" : "");
}

bool LayerRules::can_say(std::string_view pattern) {
    return !pattern.empty() && pattern == trimmed(pattern) && !pattern.starts_with('=') &&
           pattern.find_first_of("(),;\"'\n\r") == std::string_view::npos;
}

Result<LayerRules> read_layer_rules(std::string_view text) {
    LayerRules made;
    const size_t by_annotation = text.find(kByAnnotation), by_name = text.find(kByName);
    if (by_annotation != std::string_view::npos && by_name != std::string_view::npos)
        return error("both " + std::string(kByAnnotation) + " and " + std::string(kByName) +
                     " are set, of which the runtime takes one");
    made.by_name = by_name != std::string_view::npos;
    const size_t at = made.by_name ? by_name + kByName.size() : by_annotation + kByAnnotation.size();
    if (!made.by_name && by_annotation == std::string_view::npos) return made;
    std::string_view value = value_behind(text.substr(at));
    while (!value.empty())
        if (const std::string_view entry = take_until(value, ';'); !entry.empty())
            if (Status read = read_rule(entry, made); !read) return read.error();
    return made;
}

bool is_layer_rules(std::string_view text) {
    return text.find(kByAnnotation) != std::string_view::npos || text.find(kByName) != std::string_view::npos;
}

Result<ProgramReport> read_layer_report(std::string_view text) {
    const Result<LayerRules> rules = read_layer_rules(text);
    if (!rules) return rules.error();
    ProgramReport report;
    for (const LayerRule& rule : rules->rules) {
        ReportRow row;
        row.name = (rule.is_exact ? "=" : "") + rule.pattern;
        row.op = rules->by_name ? "name" : "annotation";
        row.backend = rule.device;
        report.rows.push_back(std::move(row));
    }
    return report;
}

Result<MatchedReport> match_layers(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    static const std::set<std::string_view> kinds = {"cpu", "gpu", "npu", "fpga", "accelerator", "cuda", "dml"};
    LayerRules rules;
    MatchedReport matched;
    for (const ReportRow& row : report.rows) {
        const bool is_exact = row.name.starts_with('=');
        rules.by_name = row.op == "name";
        rules.rules.push_back({row.backend, row.name.substr(is_exact), is_exact});
        if (kinds.contains(row.backend.substr(0, row.backend.find(':'))))
            matched.notes.push_back(row.backend + " names a kind of device: the first provider of that kind takes it");
    }
    std::set<int> used;
    std::vector<std::string> layers(nodes.size());  // bodies have that of the node around them
    for (size_t i = 0; i < nodes.size(); ++i) {
        const FileNode& node = nodes[i];
        const int64_t around = node.part_of >= 0 ? node.part_of : node.holder;
        layers[i] = node.layer.empty() && around >= 0 ? layers[size_t(around)] : node.layer;
        const std::string_view asked = !rules.by_name ? layers[i] : node.is_named ? node.name : std::string_view();
        const int rule = asked.empty() ? -1 : rules.rule_of(asked);
        if (rule < 0) continue;
        used.insert(rule);
        matched.nodes[node.name].backend = rules.rules[size_t(rule)].device;
    }
    matched.rows = report.rows.size();
    matched.matched_rows = used.size();
    for (size_t i = 0; i < report.rows.size(); ++i)
        if (!used.contains(int(i))) matched.unmatched.push_back(report.rows[i].op + " " + report.rows[i].name);
    if (used.empty() && !report.rows.empty())
        return error("it is of another model: no node here has a" +
                     std::string(rules.by_name ? " name" : "n annotation (layer_ann)") + " that it speaks of");
    return matched;
}

}  // namespace partita::onnxruntime
