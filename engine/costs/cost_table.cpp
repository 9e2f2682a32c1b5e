#include "engine/costs/cost_table.h"

#include <nlohmann/json.hpp>

#include "engine/support/json_fields.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kCostsVersion = 1;
constexpr size_t kMostEntries = 1000000;

void read_units(JsonFields& take, const JsonValue& list, CostTable& table) {
    for (const JsonValue& unit : list.items) {
        UnitKey key{take.text(unit, "operator"), take.text_or(unit, "after", ""), take.text(unit, "backend")};
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

void CostTable::add(const UnitKey& key, double milliseconds) {
    UnitTime& time = units[key];
    time.ms = (time.ms * time.samples + milliseconds) / (time.samples + 1);
    ++time.samples;
}

void CostTable::merge(const CostTable& other) {
    for (const auto& [key, time] : other.units) units[key] = time;
    for (const auto& [key, cost] : other.crossings) crossings[key] = cost;
    for (const auto& [key, times] : other.runs) runs[key] = times;
}

std::string format_cost_table(const CostTable& table) {
    Json json{{"partita_costs", kCostsVersion}, {"processor", table.processor}, {"threads", table.threads}};
    Json units = Json::array(), crossings = Json::array(), runs = Json::array();
    for (const auto& [key, time] : table.units) {
        Json unit{{"operator", key.op}};
        if (!key.after.empty()) unit["after"] = key.after;
        unit["backend"] = key.backend;
        unit["ms"] = time.ms;
        unit["samples"] = time.samples;
        units.push_back(std::move(unit));
    }
    for (const auto& [key, cost] : table.crossings)
        crossings.push_back({{"from", key.first}, {"to", key.second}, {"ms", cost.ms}, {"ms_per_mb", cost.ms_per_mb}});
    json["units"] = std::move(units);
    for (const auto& [key, times] : table.runs) runs.push_back({{"division", key}, {"ms", times}});
    json["crossings"] = std::move(crossings);
    json["runs"] = std::move(runs);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<CostTable> parse_cost_table(std::string_view text, const std::string& name) {
    Result<JsonValue> read = read_json(text);
    if (!read) {
        Diagnostic fault = read.error();
        fault.file = name;
        return fault;
    }
    const JsonValue& json = *read;
    JsonFields take("a table of costs", name);
    if (!json.is(JsonValue::Kind::Object) || !json.member("partita_costs"))
        take.fail(json, "this is no table of costs of Partita");
    else if (take.whole(json, "partita_costs") != kCostsVersion)
        take.fail(json, "this table of costs is of another version; this program reads version 1");
    CostTable table;
    table.processor = take.text(json, "processor");
    table.threads = take.whole(json, "threads");
    const JsonValue& units = take.part(json, "units", JsonValue::Kind::Array);
    const JsonValue& crossings = take.part(json, "crossings", JsonValue::Kind::Array);
    static const JsonValue kNoRuns;
    const JsonValue& runs = json.is(JsonValue::Kind::Object) && json.member("runs")
                                ? take.part(json, "runs", JsonValue::Kind::Array)
                                : kNoRuns;
    if (units.items.size() + crossings.items.size() + count_times(runs) > kMostEntries)
        take.fail(units, "a table of costs has at most a million entries");
    if (!take.fault()) read_units(take, units, table);
    if (!take.fault()) read_crossings(take, crossings, table);
    if (!take.fault()) read_runs(take, runs, table);
    if (take.fault()) return *take.fault();
    return table;
}

}  // namespace partita
