#include "app/cli/run_output.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/cli/terminal.h"
#include "engine/runtime/ran_where.h"
#include "engine/session/json.h"
#include "engine/support/amount.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/whole_number.h"

namespace partita::cli {
namespace {

Json timing_json(const Timing& time) {
    return {{"median_ms", time.median}, {"min_ms", time.minimum}, {"spread_ms", time.spread}};
}

Json roofline_json(const RooflinePoint& point) {
    return {{"flops_per_second", point.flops},
            {"bytes_per_second", point.bandwidth},
            {"flops_per_byte", point.intensity},
            {"bound_by", point.memory_bound ? "memory" : "compute"},
            {"share", point.share}};
}

Json region_json(const RegionTiming& region, const std::optional<MachineLimits>& machine) {
    Json json{{"name", region.name}, {"backend", region.backend}, {"executed_by", region.executed_by}};
    if (!region.short_name.empty()) json["short_name"] = region.short_name;
    json.update(timing_json(region.time));
    json["compile_ms"] = region.compile_ms;
    json["layout_changes"] = region.layout_changes;
    json["layout_ms"] = region.layout_time.median;
    json["copies"] = region.copies;
    json["copy_ms"] = region.copy_time.median;
    json["calls"] = region.calls;
    json["flops"] = whole_number(region.flops);
    json["bytes"] = whole_number(region.bytes);
    if (machine) json["roofline"] = roofline_json(roofline(*machine, region.flops, region.bytes, region.time.median));
    if (!region.notice.empty()) json["notice"] = region.notice;
    json["ops"] = Json::array();
    for (const OpTiming& op : region.ops) {
        Json entry{{"name", op.name}};
        if (op.number) entry["number"] = op.number;
        entry.update(timing_json(op.time));
        entry["flops"] = whole_number(op.flops);
        json["ops"].push_back(std::move(entry));
    }
    return json;
}

Json difference_json(const OutputDifference& difference) {
    Json json{{"output", difference.output},
              {"max_abs_error", difference.max_abs_error},
              {"max_rel_error", difference.max_rel_error},
              {"tolerance", difference.tolerance},
              {"within_tolerance", difference.within_tolerance}};
    if (difference.from_double) {
        json["error_from_float64"] = difference.from_double->own;
        json["default_error_from_float64"] = difference.from_double->expected;
    }
    return json;
}

void add_comparison(Json& json, const RunReport& report) {
    double absolute = 0, relative = 0;
    json["differences"] = Json::array();
    for (const OutputDifference& difference : report.differences) {
        absolute = std::max(absolute, difference.max_abs_error);
        relative = std::max(relative, difference.max_rel_error);
        json["differences"].push_back(difference_json(difference));
    }
    if (!report.not_judged.empty()) json["not_judged"] = report.not_judged;
    json["max_abs_error"] = absolute;
    json["max_rel_error"] = relative;
}

void add_boundaries(Json& json, const std::vector<RegionDifference>& boundaries) {
    json["boundaries"] = Json::array();
    for (const RegionDifference& region : boundaries) {
        Json outputs = Json::array();
        for (const OutputDifference& output : region.outputs) outputs.push_back(difference_json(output));
        json["boundaries"].push_back({{"region", region.name},
                                      {"short_name", region.shown()},
                                      {"within_tolerance", region.within_tolerance},
                                      {"given_wrong_values", region.given_wrong_values},
                                      {"outputs", std::move(outputs)}});
    }
    const RegionDifference* wrong = first_wrong(boundaries);
    json["first_wrong_region"] = wrong ? Json(wrong->name) : Json();
    if (wrong) json["first_wrong_region_short_name"] = wrong->shown();
}

int layout_changes(const RunReport& report) {
    int sum = 0;
    for (const RegionTiming& region : report.regions) sum += region.layout_changes;
    return sum;
}

double layout_milliseconds(const RunReport& report) {
    double sum = 0;
    for (const RegionTiming& region : report.regions) sum += region.layout_time.median;
    return sum;
}

int copies(const RunReport& report) {
    int sum = report.copies;
    for (const RegionTiming& region : report.regions) sum += region.copies;
    return sum;
}

double copy_milliseconds(const RunReport& report) {
    double sum = report.copy_time.median;
    for (const RegionTiming& region : report.regions) sum += region.copy_time.median;
    return sum;
}

/// A longer table would show what costs nothing: the slowest so many, in their order.
constexpr size_t kMostRows = 60;

/// Returns which rows of a table are shown, by the time that each takes, and the time of the others.
std::vector<bool> slowest(const std::vector<double>& times, double& rest) {
    std::vector<size_t> order(times.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a] > times[b]; });
    std::vector<bool> shown(times.size(), times.size() <= kMostRows);
    rest = 0;
    for (size_t i = 0; i < order.size(); ++i) {
        if (i < kMostRows) shown[order[i]] = true;
        else rest += times[order[i]];
    }
    return shown;
}

std::string left_out(size_t rows, double rest, const char* what) {
    if (rows <= kMostRows) return {};
    return "and " + std::to_string(rows - kMostRows) + " " + what + " that took less, " + fixed_text(rest, 3) +
           " ms together; --json has all\n";
}

std::string region_table(const RunReport& report) {
    Table regions({"region", "backend", "executed by", "calls", "median ms", "min ms", "spread", "compile ms"});
    std::vector<double> times;
    for (const RegionTiming& region : report.regions) times.push_back(region.time.median);
    double rest = 0;
    const std::vector<bool> shown = slowest(times, rest);
    for (size_t i = 0; i < times.size(); ++i) {
        if (!shown[i]) continue;
        const RegionTiming& region = report.regions[i];
        regions.add({region.shown(), region.backend, region.executed_by, std::to_string(region.calls),
                     fixed_text(region.time.median, 3), fixed_text(region.time.minimum, 3),
                     fixed_text(region.time.spread, 3), fixed_text(region.compile_ms, 1)});
    }
    regions.add({"whole run", "", "", "", fixed_text(report.time.median, 3), fixed_text(report.time.minimum, 3),
                 fixed_text(report.time.spread, 3), fixed_text(report.compile_ms, 1)});
    return regions.text() + left_out(times.size(), rest, "regions");
}

std::string circumstances(const RunReport& report) {
    std::string text = std::to_string(report.threads) + (report.threads == 1 ? " thread" : " threads");
    text += "; " + std::to_string(report.warmup) + " warm-up, " + std::to_string(report.repeat) +
            " measured; first run " + fixed_text(report.first_run_ms, 3) + " ms, after compiling " +
            fixed_text(report.compile_ms, 1) + " ms and preparing " + fixed_text(report.prepare_ms, 1) + " ms\n";
    text += "intermediate values: " + amount_text(double(report.peak_bytes), "B") + " at most (" +
            amount_text(double(report.unshared_bytes), "B") + " if none in @main shared memory)\n";
    text += "boundary copies: " + std::to_string(copies(report)) + ", " + fixed_text(copy_milliseconds(report), 3) +
            " ms; layout changes: " + std::to_string(layout_changes(report)) + ", " +
            fixed_text(layout_milliseconds(report), 3) + " ms\n";
    return text;
}

std::string operator_table(const RunReport& report) {
    Table operators({"operator", "region", "median ms", "min ms"});
    std::vector<double> times;
    for (const RegionTiming& region : report.regions)
        for (const OpTiming& op : region.ops) times.push_back(op.time.median);
    double rest = 0;
    const std::vector<bool> shown = slowest(times, rest);
    size_t row = 0;
    for (const RegionTiming& region : report.regions) {
        for (const OpTiming& op : region.ops) {
            if (!shown[row++]) continue;
            operators.add({op.number ? op.name + " #" + std::to_string(op.number) : op.name, region.shown(),
                           fixed_text(op.time.median, 3), fixed_text(op.time.minimum, 3)});
        }
    }
    return operators.empty() ? "" : "\n" + operators.text() + left_out(times.size(), rest, "operators");
}

std::string percent(double share) { return fixed_text(share * 100, 1) + " %"; }

std::string roofline_table(const RunReport& report, const MachineLimits& machine) {
    std::string text = "\nroofline: this machine was measured at " + amount_text(machine.flops, "FLOP/s") +
                       " (float32) and " + amount_text(machine.bandwidth, "B/s") + " with " +
                       std::to_string(machine.threads) + (machine.threads == 1 ? " thread\n" : " threads\n");
    Table table({"region", "FLOP", "bytes moved", "FLOP/byte", "FLOP/s", "B/s", "bound by", "share of the bound"});
    for (const RegionTiming& region : report.regions) {
        if (region.time.median <= 0) continue;  // computed once, before the runs
        RooflinePoint point = roofline(machine, region.flops, region.bytes, region.time.median);
        table.add({region.shown(), amount_text(region.flops), amount_text(region.bytes, "B"),
                   fixed_text(point.intensity, 2), amount_text(point.flops), amount_text(point.bandwidth),
                   point.memory_bound ? "memory" : "compute", percent(point.share)});
    }
    return text + table.text() +
           "bytes moved: inputs and outputs once. More than 100 %: data stayed in the caches, or an algorithm "
           "needs fewer\n"
           "operations than counted (Winograd's convolution)\n";
}

std::string error_number(double value) { return general_text(value, 3); }

std::string verdict(const OutputDifference& difference) {
    if (!difference.from_double) return difference.within_tolerance ? "equal within the tolerance" : "DIFFERENT";
    return (difference.within_tolerance ? "equal but for rounding" : "DIFFERENT") +
           (": relative error against float64 " + error_number(difference.from_double->own)) + ", that of default " +
           error_number(difference.from_double->expected);
}

std::string error_text(const OutputDifference& difference) {
    return "largest absolute error " + error_number(difference.max_abs_error) + ", relative " +
           error_number(difference.max_rel_error) + " (tolerance " + error_number(difference.tolerance) +
           "): " + verdict(difference);
}

constexpr const char* kMeasure =
    "relative error: |a - b| / (|b| + scale / 20), where scale is the largest |b| of the tensor\n";

std::string comparison_text(const RunReport& report) {
    std::string text = "\n";
    for (const OutputDifference& difference : report.differences) {
        text += "output " + std::to_string(difference.output) + ": " + error_text(difference) + "\n";
    }
    if (!report.not_judged.empty()) text += "not judged by a run in float64: " + report.not_judged + "\n";
    if (all_fell_back(report)) text += "no region ran on its backend, so default was compared with itself\n";
    return text + kMeasure;
}

std::string boundary_text(const std::vector<RegionDifference>& boundaries) {
    std::string text = "\nresults of each region, compared with default for the same inputs:\n";
    for (const RegionDifference& region : boundaries) {
        for (const OutputDifference& output : region.outputs)
            text += region.shown() + ", output " + std::to_string(output.output) + ": " + error_text(output) + "\n";
        if (region.given_wrong_values) text += region.shown() + ": received wrong inputs in the run itself\n";
    }
    text += kMeasure;
    if (boundaries.empty()) return text + "no region's values could be kept\n";
    return text + boundary_verdict(boundaries) + "\n";
}

/// Returns "3 of 5 regions ran on npu, 2 fell back to default; 1 region ran on dnnl".
std::string headline(const RunReport& report) {
    std::string text;
    for (const Sentence& sentence : ran_where(report)) text += (text.empty() ? "" : "; ") + sentence.text();
    return text;
}

void add_places(Json& json, const RunReport& report) {
    json["headline"] = headline(report);
    json["ran"] = Json::array();
    for (const RanRegions& count : count_regions(report))
        json["ran"].push_back({{"backend", count.backend},
                               {"regions", count.regions},
                               {"ran", count.ran()},
                               {"fell_back", count.fell_back}});
}

std::string verdict(const TimingDifference& difference) {
    switch (verdict_on(difference)) {
        case TimingVerdict::OnlyInA: return "only in A";
        case TimingVerdict::OnlyInB: return "only in B";
        case TimingVerdict::OtherOps: return "other operators";
        case TimingVerdict::TooFewRuns: return "noise unknown";
        case TimingVerdict::TooNoisy: return "too noisy to tell";
        case TimingVerdict::Same: return "same within noise";
        case TimingVerdict::Faster: return "faster";
        case TimingVerdict::Slower: return "slower";
    }
    return "";
}

std::vector<std::string> difference_row(const std::string& name, const TimingDifference& difference) {
    bool both = difference.ratio > 0;
    return {name,
            fixed_text(difference.a.median, 3),
            fixed_text(difference.b.median, 3),
            both ? fixed_text(difference.ratio, 3) : "",
            both && difference.noise_known ? fixed_text(difference.noise, 3) : "",
            verdict(difference)};
}

Json timing_difference_json(const TimingDifference& difference) {
    bool both = difference.ratio > 0;
    Json json{{"name", difference.name.empty() ? "whole run" : difference.name},
              {"a_ms", difference.a.median},
              {"b_ms", difference.b.median},
              {"ratio", both ? Json(difference.ratio) : Json()},
              {"noise", both && difference.noise_known ? Json(difference.noise) : Json()},
              {"verdict", verdict(difference)}};
    if (!difference.short_name.empty()) json["short_name"] = difference.short_name;
    return json;
}

std::string described(const char* letter, const RunRecord& record) {
    std::string text = std::string(letter) + ": " + record.title;
    if (!record.backends.empty()) text += " on " + record.backends;
    const int threads = record.report.threads;  // what another program tells has none, and no date
    if (threads > 0) text += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    text += ", " + std::to_string(record.report.repeat) + " measured";
    return text + (record.made.empty() ? "" : ", " + record.made) + "\n";
}

RunRecord record_of(const RunOutput& output) {
    RunRecord record;
    record.title = output.file;
    record.report = output.report;
    record.made = time_stamp();
    return record;
}

}  // namespace

bool all_within(const RunReport& report) {
    return std::all_of(report.differences.begin(), report.differences.end(),
                       [](const OutputDifference& each) { return each.within_tolerance; });
}

std::string boundary_verdict(const std::vector<RegionDifference>& boundaries) {
    const RegionDifference* first = first_wrong(boundaries);
    if (!first) return "no region is outside the tolerance";
    if (first->within_tolerance)
        return "each region by itself is within the tolerance; in the run, values are outside it from " +
               first->shown() + " on";
    std::string others;
    for (const RegionDifference& region : boundaries)
        if (&region != first && !region.within_tolerance)
            others += (others.empty() ? "; so are " : ", ") + region.shown();
    return "the first region whose values are outside the tolerance is " + first->shown() + others;
}

std::string made_inputs_text(const RunOutput& output, uint64_t seed) {
    constexpr size_t kMost = 4;
    std::string text;
    for (size_t i = 0; i < output.made_inputs.size() && i < kMost; ++i)
        text += (i ? ", " : "") + output.made_inputs[i].first + " (" + output.made_inputs[i].second.text() + ")";
    if (text.empty()) return text;
    if (output.made_inputs.size() > kMost)
        text += " and " + std::to_string(output.made_inputs.size() - kMost) + " more";
    return "made up with seed " + std::to_string(seed) + ": " + text;
}

Json run_json(const RunOutput& output) {
    const RunReport& report = output.report;
    Json json{{"file", output.file}};
    if (!output.dimensions.empty()) json["dimensions"] = dimensions_json(output.dimensions);
    for (const auto& [name, values] : output.made_inputs) json["made_inputs"][name] = values.text();
    add_places(json, report);
    json.update(timing_json(report.time));
    json["threads"] = report.threads;
    json["warmup"] = report.warmup;
    json["repeat"] = report.repeat;
    json["first_run_ms"] = report.first_run_ms;
    json["compile_ms"] = report.compile_ms;
    json["prepare_ms"] = report.prepare_ms;
    json["peak_bytes"] = report.peak_bytes;
    json["unshared_bytes"] = report.unshared_bytes;
    json["copies"] = copies(report);
    json["copied_bytes"] = report.copied_bytes;
    json["copy_ms"] = copy_milliseconds(report);
    json["layout_changes"] = layout_changes(report);
    json["layout_ms"] = layout_milliseconds(report);
    if (output.machine) {
        json["machine"] = {{"flops_per_second", output.machine->flops},
                           {"bytes_per_second", output.machine->bandwidth}};
    }
    json["regions"] = Json::array();
    for (const RegionTiming& region : report.regions) json["regions"].push_back(region_json(region, output.machine));
    json["outputs"] = Json::array();
    for (const Tensor& each : report.outputs) {
        json["outputs"].push_back({{"dtype", each.dtype().to_string()}, {"shape", each.shape()}});
    }
    if (output.compared) add_comparison(json, report);
    if (output.boundaries) add_boundaries(json, *output.boundaries);
    if (output.earlier) json["against"] = run_difference_json(*output.earlier, record_of(output));
    return json;
}

std::string run_text(const RunOutput& output) {
    std::string text = region_table(output.report);
    if (const std::string where = headline(output.report); !where.empty()) text += where + "\n";
    text += circumstances(output.report);
    if (output.operators) text += operator_table(output.report);
    if (output.machine) text += roofline_table(output.report, *output.machine);
    if (output.compared) text += comparison_text(output.report);
    if (output.boundaries) text += boundary_text(*output.boundaries);
    if (output.earlier) text += "\n" + run_difference_text(*output.earlier, record_of(output));
    return text;
}

namespace {

/// The names of the dimensions whose sizes differ from run to run, and of the others.
struct VaryingNames {
    std::vector<std::string> varying, same;
};

int64_t size_in(const RunOutput& output, const std::string& name) {
    const NamedDimension* found = find_dimension(output.dimensions, name);
    return found ? found->value : 0;
}

VaryingNames varying_names(const std::vector<RunOutput>& outputs) {
    constexpr size_t kMost = 20;
    VaryingNames names;
    for (const NamedDimension& first : outputs.front().dimensions) {
        if (names.varying.size() + names.same.size() == kMost) break;
        const bool varies = std::any_of(outputs.begin(), outputs.end(), [&](const RunOutput& each) {
            return size_in(each, first.name) != first.value;
        });
        (varies ? names.varying : names.same).push_back(first.name);
    }
    return names;
}

double largest_error(const RunReport& report) {
    double most = 0;
    for (const OutputDifference& each : report.differences) most = std::max(most, each.max_rel_error);
    return most;
}

std::vector<std::string> size_row(const RunOutput& output, const std::vector<std::string>& names) {
    const RunReport& report = output.report;
    std::vector<std::string> row;
    for (const std::string& name : names) row.push_back(std::to_string(size_in(output, name)));
    row.insert(row.end(), {fixed_text(report.time.median, 3), fixed_text(report.time.minimum, 3),
                           fixed_text(report.time.spread, 3), fixed_text(report.compile_ms, 1),
                           amount_text(double(report.peak_bytes), "B")});
    if (output.compared)
        row.insert(row.end(), {error_number(largest_error(report)), all_within(report) ? "equal" : "DIFFERENT"});
    return row;
}

}  // namespace

std::string sizes_text(const std::vector<RunOutput>& outputs) {
    const RunOutput& first = outputs.front();
    const VaryingNames names = varying_names(outputs);
    std::vector<std::string> header;
    for (const std::string& name : names.varying) header.push_back(on_one_line(name));
    for (const char* title : {"median ms", "min ms", "spread", "compile ms", "memory"}) header.emplace_back(title);
    if (first.compared) header.insert(header.end(), {"relative error", "result"});
    Table table(header);
    for (const RunOutput& output : outputs) table.add(size_row(output, names.varying));
    std::string same;
    for (const std::string& name : names.same)
        same += on_one_line(name) + " = " + std::to_string(size_in(first, name)) + "; ";
    const RunReport& report = first.report;
    return table.text() + same + std::to_string(report.threads) + (report.threads == 1 ? " thread; " : " threads; ") +
           std::to_string(report.warmup) + " warm-up, " + std::to_string(report.repeat) + " measured for each size\n";
}

Json run_difference_json(const RunRecord& a, const RunRecord& b) {
    RunDifference difference = compare_timings(a.report, b.report);
    Json json = timing_difference_json(difference.whole);
    for (const char* list : {"regions", "ops"}) {
        json[list] = Json::array();
        const std::vector<TimingDifference>& parts =
            list == std::string_view("regions") ? difference.regions : difference.ops;
        for (const TimingDifference& part : parts) json[list].push_back(timing_difference_json(part));
    }
    json["groups"] = Json::array();
    for (const TimingDifference& group : difference.groups) {
        Json made = timing_difference_json(group);
        made["calls"] = group.calls;
        made["parts"] = {group.parts_a, group.parts_b};
        json["groups"].push_back(std::move(made));
    }
    return json;
}

std::string run_difference_text(const RunRecord& a, const RunRecord& b) {
    std::string text = described("A", a) + described("B", b);
    if (a.report.threads != b.report.threads && a.report.threads > 0 && b.report.threads > 0)
        text += "(different numbers of threads)\n";
    RunDifference difference = compare_timings(a.report, b.report);
    Table regions({"region", "A ms", "B ms", "B / A", "noise +-", "B is"});
    for (const TimingDifference& part : difference.regions) regions.add(difference_row(part.shown(), part));
    regions.add(difference_row("whole run", difference.whole));
    constexpr size_t kMostGroups = 40;
    Table groups({"calls that both timed as one", "A ms", "B ms", "B / A", "noise +-", "B is"});
    for (size_t i = 0; i < std::min(difference.groups.size(), kMostGroups); ++i) {
        const TimingDifference& group = difference.groups[i];
        const std::string others = group.calls.size() < 2 ? "" : " (" + std::to_string(group.calls.size()) + " calls)";
        groups.add(difference_row(on_one_line(group.name) + others, group));
    }
    Table ops({"operator, all calls", "A ms", "B ms", "B / A", "noise +-", "B is"});
    for (const TimingDifference& part : difference.ops) ops.add(difference_row(part.name, part));
    if (verdict_on(difference.whole) == TimingVerdict::TooNoisy) text += "the machine was too busy: run both again\n";
    if (verdict_on(difference.whole) == TimingVerdict::TooFewRuns)
        text += "too few runs to tell noise from a difference: --repeat 5 or more for both\n";
    text += regions.text() + (ops.empty() ? "" : "\n" + ops.text()) + (groups.empty() ? "" : "\n" + groups.text());
    if (difference.groups.size() > kMostGroups)
        text += "and " + std::to_string(difference.groups.size() - kMostGroups) +
                " more with smaller differences: --json\n";
    return text;
}

}  // namespace partita::cli
