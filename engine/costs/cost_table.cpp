#include "engine/costs/cost_table.h"

#include <nlohmann/json.hpp>

#include "engine/support/json_fields.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kCostsVersion = 1;
constexpr size_t kMostEntries = 1000000;

void read_units(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& unit : list.items) {
        UnitKey key{take.text(unit, "operator"), take.text_or(unit, "after", ""), take.text(unit, "backend"),
                    take.text_or(unit, "layouts", "")};
        const UnitTime time{take.number(unit, "ms", kLongestCost), take.whole(unit, "samples")};
        if (take.fault()) return;
        if (!table.units.emplace(std::move(key), time).second)
            return take.fail(unit, "the table has a time for this operator on this backend already");
    }
}

void read_crossings(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& crossing : list.items) {
        std::pair<std::string, std::string> backends{take.text(crossing, "from"), take.text(crossing, "to")};
        const CrossingCost cost{take.number(crossing, "ms", kLongestCost),
                                take.number(crossing, "ms_per_mb", kLongestCost)};
        if (take.fault()) return;
        if (!table.crossings.emplace(std::move(backends), cost).second)
            return take.fail(crossing, "the table has a cost of crossing between these backends already");
    }
}

std::vector<std::string> read_list(JsonFields& take, const JsonValue& row, const char* name) {
    std::vector<std::string> list;
    for (const JsonValue& item : take.part(row, name, JsonValue::Kind::Array).items) {
        if (!item.is(JsonValue::Kind::String)) take.fail(item, std::string(name) + " must be a list of texts");
        list.push_back(item.text);
    }
    return list;
}

void read_layouts(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& row : list.items) {
        LayoutKey key{take.text(row, "operator"), take.text(row, "backend"), read_list(take, row, "given")};
        LayoutRule rule{read_list(take, row, "taken"), read_list(take, row, "made")};
        if (take.fault()) return;
        if (rule.taken.size() != key.given.size())
            return take.fail(row, "taken must have a layout for each that is given");
        if (!table.layouts.emplace(std::move(key), std::move(rule)).second)
            return take.fail(row, "the table has layouts for this operator, given these, already");
    }
}

void read_changes(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& row : list.items) {
        ChangeKey key{take.text(row, "type"), take.text_or(row, "from", ""), take.text_or(row, "to", "")};
        const UnitTime time{take.number(row, "ms", kLongestCost), take.whole(row, "samples")};
        if (take.fault()) return;
        if (!table.changes.emplace(std::move(key), time).second)
            return take.fail(row, "the table has a time for this change of layout already");
    }
}

void read_runs(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& run : list.items) {
        std::vector<double>& times = table.runs[take.text(run, "division")];
        const JsonValue& numbers = take.part(run, "ms", JsonValue::Kind::Array);
        if (take.fault()) return;
        for (const JsonValue& number : numbers.items) {
            if (!number.is(JsonValue::Kind::Number) || !(number.number > 0) || number.number > kLongestCost)
                return take.fail(number, "ms must be a number above 0 and at most 86400000");
            times.push_back(number.number);
        }
    }
}

void add_sample(UnitTime& time, double milliseconds) {
    time.ms = (time.ms * time.samples + milliseconds) / (time.samples + 1);
    ++time.samples;
}

size_t count_times(const JsonValue& runs) {
    size_t count = runs.items.size();
    for (const JsonValue& run : runs.items)
        if (const JsonValue* times = run.is(JsonValue::Kind::Object) ? run.member("ms") : nullptr)
            count += times->items.size();
    return count;
}

}  // namespace

const UnitTime* CostTable::find(const UnitKey& key) const {
    const auto found = units.find(key);
    return found == units.end() ? nullptr : &found->second;
}

const UnitTime* CostTable::find_in_any_layout(const UnitKey& key) const {
    const auto found = units.lower_bound({key.op, key.after, key.backend, ""});
    const bool same = found != units.end() && found->first.op == key.op && found->first.after == key.after &&
                      found->first.backend == key.backend;
    return same ? &found->second : nullptr;
}

double CostTable::change_ms(const ChangeKey& key, double mb) const {
    if (const auto found = changes.find(key); found != changes.end()) return found->second.ms;
    constexpr double kMsPerMb = 0.1;  // where none was measured: a copy
    return kMsPerMb * mb;
}

void CostTable::add(const UnitKey& key, double milliseconds) { add_sample(units[key], milliseconds); }
void CostTable::add_change(const ChangeKey& key, double milliseconds) { add_sample(changes[key], milliseconds); }

void CostTable::merge(const CostTable& other) {
    for (const auto& [key, time] : other.units) units[key] = time;
    for (const auto& [key, cost] : other.crossings) crossings[key] = cost;
    for (const auto& [key, rule] : other.layouts) layouts[key] = rule;
    for (const auto& [key, time] : other.changes) changes[key] = time;
    for (const auto& [key, times] : other.runs) runs[key] = times;
}

std::string layouts_text(const std::vector<std::string>& taken, const std::vector<std::string>& made) {
    std::string text;
    bool is_row_major = true;
    for (const auto* list : {&taken, &made}) {
        if (list == &made) text += ">";
        for (size_t i = 0; i < list->size(); ++i) {
            text += (i > 0 ? "," : "") + (*list)[i];
            is_row_major = is_row_major && (*list)[i].empty();
        }
    }
    return is_row_major ? "" : text;
}

std::string format_cost_table(const CostTable& table) {
    Json json{{"partita_costs", kCostsVersion}, {"processor", table.processor}, {"threads", table.threads}};
    Json units = Json::array(), crossings = Json::array(), runs = Json::array();
    Json layouts = Json::array(), changes = Json::array();
    for (const auto& [key, time] : table.units) {
        Json unit{{"operator", key.op}};
        if (!key.after.empty()) unit["after"] = key.after;
        unit["backend"] = key.backend;
        if (!key.layouts.empty()) unit["layouts"] = key.layouts;
        unit["ms"] = time.ms;
        unit["samples"] = time.samples;
        units.push_back(std::move(unit));
    }
    for (const auto& [key, cost] : table.crossings)
        crossings.push_back({{"from", key.first}, {"to", key.second}, {"ms", cost.ms}, {"ms_per_mb", cost.ms_per_mb}});
    json["units"] = std::move(units);
    for (const auto& [key, rule] : table.layouts)
        layouts.push_back({{"operator", key.op},
                           {"backend", key.backend},
                           {"given", key.given},
                           {"taken", rule.taken},
                           {"made", rule.made}});
    for (const auto& [key, time] : table.changes)
        changes.push_back(
            {{"type", key.type}, {"from", key.from}, {"to", key.to}, {"ms", time.ms}, {"samples", time.samples}});
    json["layouts"] = std::move(layouts);
    json["layout_changes"] = std::move(changes);
    for (const auto& [key, times] : table.runs) runs.push_back({{"division", key}, {"ms", times}});
    json["crossings"] = std::move(crossings);
    json["runs"] = std::move(runs);
    return json_text(json, 1) + "\n";
}

Result<CostTable> parse_cost_table(std::string_view text, const std::string& name) {
    const Result<JsonValue> read = read_json(text, name);
    if (!read) return read.error();
    const JsonValue& json = *read;
    JsonFields take("a table of costs", name);
    take.kind_and_version(json, "partita_costs", kCostsVersion);
    CostTable table;
    table.processor = take.text(json, "processor");
    table.threads = take.whole(json, "threads");
    const JsonValue& units = take.part(json, "units", JsonValue::Kind::Array);
    const JsonValue& crossings = take.part(json, "crossings", JsonValue::Kind::Array);
    const auto part_if_any = [&](const char* part) -> const JsonValue& {
        static const JsonValue kNone;
        const bool is_there = json.is(JsonValue::Kind::Object) && json.member(part);
        return is_there ? take.part(json, part, JsonValue::Kind::Array) : kNone;
    };
    const JsonValue &runs = part_if_any("runs"), &layouts = part_if_any("layouts");
    const JsonValue& changes = part_if_any("layout_changes");
    if (units.items.size() + crossings.items.size() + layouts.items.size() + changes.items.size() + count_times(runs) >
        kMostEntries)
        take.fail(units, "a table of costs has at most a million entries");
    if (!take.fault()) read_units(take, units, table);
    if (!take.fault()) read_crossings(take, crossings, table);
    if (!take.fault()) read_layouts(take, layouts, table);
    if (!take.fault()) read_changes(take, changes, table);
    if (!take.fault()) read_runs(take, runs, table);
    if (take.fault()) return *take.fault();
    return table;
}

}  // namespace partita
