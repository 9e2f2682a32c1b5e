#include "engine/runtime/run_record.h"

#include <cstdio>
#include <ctime>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/ops/registry.h"
#include "engine/support/file.h"
#include "engine/support/hash.h"
#include "engine/support/json_fields.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr double kMostMs = 1e12;

Json timing_to_json(const Timing& time) {
    Json json{{"median_ms", time.median},
              {"min_ms", time.minimum},
              {"spread_ms", time.spread},
              {"samples", time.samples},
              {"drift_ms", time.drift}};
    if (!time.parts.empty()) json["parts_ms"] = time.parts;
    return json;
}

Json op_to_json(const OpTiming& op) {
    Json json{{"name", op.name}, {"time", timing_to_json(op.time)}, {"flops", op.flops}, {"bytes", op.bytes}};
    if (op.number > 0) json["number"] = op.number;
    if (!op.members.empty()) json["members"] = op.members;
    return json;
}

Json region_to_json(const RegionTiming& region) {
    Json json{{"name", region.name},
              {"backend", region.backend},
              {"executed_by", region.executed_by},
              {"notice", region.notice},
              {"time", timing_to_json(region.time)},
              {"compile_ms", region.compile_ms},
              {"layout_time", timing_to_json(region.layout_time)},
              {"layout_changes", region.layout_changes},
              {"copy_time", timing_to_json(region.copy_time)},
              {"copies", region.copies},
              {"calls", region.calls},
              {"flops", region.flops},
              {"bytes", region.bytes}};
    if (!region.short_name.empty()) json["short_name"] = region.short_name;
    json["ops"] = Json::array();
    for (const OpTiming& op : region.ops) json["ops"].push_back(op_to_json(op));
    if (!region.members.empty()) json["members"] = region.members;
    return json;
}

/// Files may hold more than are of use, or anything.
std::vector<float> parts_of(JsonFields& take, const JsonValue& time) {
    std::vector<float> parts;
    if (!time.member("parts_ms")) return parts;
    for (const JsonValue& part : take.part(time, "parts_ms", JsonValue::Kind::Array).items)
        if (!part.is(JsonValue::Kind::Number) || part.number < 0 || part.number > kMostMs)
            take.fail(part, "expected milliseconds");
        else if (parts.size() < kMostParts) parts.push_back(float(part.number));
    return parts;
}

Timing timing_of(JsonFields& take, const JsonValue& object, std::string_view key) {
    const JsonValue& time = take.part(object, key, JsonValue::Kind::Object);
    if (take.fault()) return {};
    return {take.number(time, "median_ms"),
            take.number(time, "min_ms"),
            take.number(time, "spread_ms"),
            take.whole(time, "samples"),
            time.member("drift_ms") ? take.number(time, "drift_ms") : 0,
            parts_of(take, time)};
}

/// Numbers of calls; files of earlier versions have none.
std::vector<uint32_t> members_of(JsonFields& take, const JsonValue& json) {
    std::vector<uint32_t> members;
    if (!json.member("members")) return members;
    for (const JsonValue& number : take.part(json, "members", JsonValue::Kind::Array).items)
        if (!number.is(JsonValue::Kind::Number) || number.number < 1 || number.number > UINT32_MAX)
            take.fail(number, "expected the number of a call");
        else members.push_back(uint32_t(number.number));
    return members;
}

RegionTiming region_of(JsonFields& take, const JsonValue& json) {
    RegionTiming region;
    region.name = take.text(json, "name");
    if (json.member("short_name")) region.short_name = take.text(json, "short_name");
    region.backend = take.text(json, "backend");
    region.executed_by = take.text(json, "executed_by");
    region.notice = take.text(json, "notice");
    region.time = timing_of(take, json, "time");
    region.compile_ms = take.number(json, "compile_ms");
    region.layout_time = timing_of(take, json, "layout_time");
    region.layout_changes = take.whole(json, "layout_changes");
    region.copy_time = timing_of(take, json, "copy_time");
    region.copies = take.whole(json, "copies");
    region.calls = take.whole(json, "calls");
    region.flops = take.number(json, "flops");
    region.bytes = take.number(json, "bytes");
    for (const JsonValue& op : take.part(json, "ops", JsonValue::Kind::Array).items)
        region.ops.push_back({ExprId(), ExprId(), take.text(op, "name"), timing_of(take, op, "time"),
                              take.number(op, "flops"), take.number(op, "bytes"),
                              op.member("number") ? uint32_t(take.whole(op, "number")) : 0, members_of(take, op)});
    region.members = members_of(take, json);
    return region;
}

Json record_to_json(const RunRecord& record) {
    const RunReport& report = record.report;
    Json json{{"partita_run", kVersion}, {"title", record.title}, {"backends", record.backends}, {"made", record.made}};
    if (!record.model.empty()) json["model"] = record.model;
    json["threads"] = report.threads;
    json["warmup"] = report.warmup;
    json["repeat"] = report.repeat;
    json["machine"] = {{"flops_per_second", record.machine.flops}, {"bytes_per_second", record.machine.bandwidth}};
    json["time"] = timing_to_json(report.time);
    if (report.yardstick.samples > 0) json["yardstick"] = timing_to_json(report.yardstick);
    json["first_run_ms"] = report.first_run_ms;
    json["compile_ms"] = report.compile_ms;
    json["prepare_ms"] = report.prepare_ms;
    json["peak_bytes"] = report.peak_bytes;
    json["unshared_bytes"] = report.unshared_bytes;
    json["copies"] = report.copies;
    json["copied_bytes"] = report.copied_bytes;
    json["copy_time"] = timing_to_json(report.copy_time);
    json["regions"] = Json::array();
    for (const RegionTiming& region : report.regions) json["regions"].push_back(region_to_json(region));
    return json;
}

}  // namespace

std::string format_run_record(const RunRecord& record) {
    Json json = ordered_json_of_text(record.source);
    if (!json.is_object()) json = record_to_json(record);
    // Names come from files and need not be UTF-8.
    return json_text(json, 1, JsonLetters::Ascii) + "\n";
}

Result<RunRecord> parse_run_record(std::string_view text, const std::string& name) {
    const Result<JsonValue> read = read_json(text, name);
    if (!read) return read.error();
    const JsonValue& json = *read;
    JsonFields take("a kept run", name);
    take.kind_and_version(json, "partita_run", kVersion);
    RunRecord record;
    record.source = text;
    RunReport& report = record.report;
    record.title = take.text(json, "title");
    record.backends = take.text(json, "backends");
    record.made = take.text(json, "made");
    if (json.member("model")) record.model = take.text(json, "model");
    report.threads = record.machine.threads = take.whole(json, "threads");
    report.warmup = take.whole(json, "warmup");
    report.repeat = take.whole(json, "repeat");
    const JsonValue& machine = take.part(json, "machine", JsonValue::Kind::Object);
    record.machine.flops = take.number(machine, "flops_per_second");
    record.machine.bandwidth = take.number(machine, "bytes_per_second");
    report.time = timing_of(take, json, "time");
    if (json.member("yardstick")) report.yardstick = timing_of(take, json, "yardstick");
    report.first_run_ms = take.number(json, "first_run_ms");
    report.compile_ms = take.number(json, "compile_ms");
    report.prepare_ms = take.number(json, "prepare_ms");
    report.peak_bytes = size_t(std::min(take.number(json, "peak_bytes"), 1e18));
    report.unshared_bytes = size_t(std::min(take.number(json, "unshared_bytes"), 1e18));
    report.copies = take.whole(json, "copies");
    report.copied_bytes = size_t(std::min(take.number(json, "copied_bytes"), 1e18));
    report.copy_time = timing_of(take, json, "copy_time");
    for (const JsonValue& region : take.part(json, "regions", JsonValue::Kind::Array).items) {
        if (take.fault()) break;
        report.regions.push_back(region_of(take, region));
    }
    if (take.fault()) return *take.fault();
    return record;
}

std::string model_key(const Module& module) {
    uint64_t hash = module.size();
    const auto add = [&hash](uint64_t value) { hash = hash_combine(hash, value); };
    const auto add_text = [&add](std::string_view text) {
        for (const char letter : text) add(uint8_t(letter));
    };
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId expr(i);
        add(uint64_t(module.kind(expr)));
        for (const ExprId operand : module.operands(expr)) add(operand.value);
        if (const OpRecord* op = called_op_record(module, expr)) add_text(op->name);
        const bool is_typed = module.kind(expr) == ExprKind::Var || module.kind(expr) == ExprKind::Call;
        if (is_typed && module.type(expr).valid()) add_text(module.types().to_string(module.type(expr)));
    }
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

bool are_of_one_model(const RunRecord& a, const RunRecord& b) {
    if (!a.model.empty() && !b.model.empty()) return a.model == b.model;
    return std::filesystem::path(a.title).filename() == std::filesystem::path(b.title).filename();
}

Status save_run(const std::string& path, const RunRecord& record) {
    return write_file(path, format_run_record(record));
}

Result<RunRecord> load_run(const std::string& path) {
    Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return parse_run_record(*text, path);
}

std::string time_stamp() {
    std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace partita
