#include "engine/costs/measure_costs.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <unordered_map>
#include <utility>

namespace partita {

namespace {

constexpr int kOccurrences = 3;  ///< of a kind of operator measured in one run
constexpr int kIslandRuns = 3;   ///< for one backend

}  // namespace

CostMeasurer::CostMeasurer(const PlacementTask& task, RunOptions run, CostTable& table)
    : task_(task), options_(std::move(run)), table_(table), operator_of_(task.module->size(), -1) {
    for (const BackendDescription& backend : task.flow.backends) options_.codegen[backend.name] = backend.codegen;
    for (size_t i = 0; i < task.model.operators().size(); ++i)
        operator_of_[task.model.operators()[i].expr.value] = int32_t(i);
}

Result<MeasuredDivision> CostMeasurer::run(const Labels& labels) {
    Result<FlowResult> flow = divide(task_, labels);
    if (!flow) return flow.error();
    Result<RunReport> report = run_module(flow->last(), options_);
    if (!report) return report.error();
    MeasuredDivision measured{task_.model.division_of(*flow), int(flow->regions.size()), report->time.minimum};
    note_layouts(*report, measured.division);
    note_times(*flow, *report, measured.division);
    choose_repetitions(*report);
    runs_.push_back(measured);
    table_.runs[task_.model.division_key(labels)].push_back(measured.ms);
    return measured;
}

Result<std::optional<MeasuredDivision>> CostMeasurer::recall(const Labels& labels) {
    const auto known = table_.runs.find(task_.model.division_key(labels));
    if (known == table_.runs.end() || known->second.empty()) return std::optional<MeasuredDivision>();
    Result<FlowResult> flow = divide(task_, labels);
    if (!flow) return flow.error();
    const double least = *std::min_element(known->second.begin(), known->second.end());
    runs_.push_back({task_.model.division_of(*flow), int(flow->regions.size()), least});
    return std::optional(runs_.back());
}

/// Short runs are repeated more often.
void CostMeasurer::choose_repetitions(const RunReport& report) {
    constexpr double kWanted = 100;  // milliseconds in all
    constexpr int kMostRepetitions = 40;
    if (report.time.minimum > 0 && !std::exchange(has_run_, true))
        options_.repeat =
            std::max(options_.repeat, int(std::min(kWanted / report.time.minimum, double(kMostRepetitions))));
}

bool CostMeasurer::follows(const CostedDivision& division, uint32_t op) const {
    const int32_t before = task_.model.operators()[op].before;
    return before >= 0 && division.labels[size_t(before)] == division.labels[op];
}

void CostMeasurer::add_unit(const CostedDivision& division, uint32_t op, double milliseconds) {
    const CostModel::Operator& record = task_.model.operators()[op];
    const std::string& after =
        follows(division, op) ? task_.model.operators()[size_t(record.before)].key : std::string();
    table_.add({record.key, after, task_.model.name(division.labels[op]), layouts_[op]}, milliseconds);
}

/// Returns the layouts of the operands that differ from run to run.
std::vector<std::string> CostMeasurer::of_inputs(uint32_t op, const std::vector<std::string>& by_operand) const {
    std::vector<std::string> layouts;
    for (const CostModel::Operand& input : task_.model.operators()[op].inputs)
        layouts.push_back(input.position < by_operand.size() ? by_operand[input.position] : "");
    return layouts;
}

void CostMeasurer::note_layouts(const RunReport& report, const CostedDivision& division) {
    layouts_.assign(task_.model.operators().size(), "");
    for (const PlanLayouts::Step& step : report.layouts.steps) {
        const int32_t op = step.expr.value < operator_of_.size() ? operator_of_[step.expr.value] : -1;
        if (op < 0) continue;
        const uint32_t at = uint32_t(op);
        LayoutRule rule{of_inputs(at, step.taken), step.made};
        layouts_[at] = layouts_text(rule.taken, rule.made);
        table_.layouts[{task_.model.operators()[at].key, task_.model.name(division.labels[at]),
                        of_inputs(at, step.given)}] = std::move(rule);
    }
    for (size_t i = 0; i < report.layouts.changes.size(); ++i) {
        const PlanLayouts::Change& change = report.layouts.changes[i];
        if (report.layout_change_times[i].samples > 0)
            table_.add_change({change.type, change.from, change.to}, report.layout_change_times[i].minimum);
    }
}

void CostMeasurer::note_times(const FlowResult& flow, const RunReport& report, const CostedDivision& division) {
    std::unordered_map<std::string, const RegionInfo*> made;
    for (const RegionInfo& region : flow.regions) made[region.function] = &region;
    for (const RegionTiming& region : report.regions) {
        std::set<uint32_t> missing;
        const auto info = made.find(region.name);
        if (info != made.end())
            for (ExprId expr : info->second->expressions)
                if (operator_of_[expr.value] >= 0) missing.insert(uint32_t(operator_of_[expr.value]));
        if (region.ops.empty()) {
            share_out(region, {missing.begin(), missing.end()}, division);
            continue;
        }
        for (const OpTiming& op : region.ops) {
            const int32_t index = op.origin.value < operator_of_.size() ? operator_of_[op.origin.value] : -1;
            if (index < 0) continue;
            add_unit(division, uint32_t(index), op.time.minimum);
            missing.erase(uint32_t(index));
        }
        // Computed along with another operator.
        for (uint32_t op : missing) add_unit(division, op, 0);
    }
}

/// Shares a region's time among its operators: those that follow none get what they take alone, the others the rest.
void CostMeasurer::share_out(const RegionTiming& region, const std::vector<uint32_t>& members,
                             const CostedDivision& division) {
    if (members.size() == 1) return add_unit(division, members[0], region.time.minimum);
    const auto alone = [&](uint32_t op) {
        const CostModel::Operator& record = task_.model.operators()[op];
        const UnitTime* time = table_.find_in_any_layout({record.key, "", task_.model.name(division.labels[op]), ""});
        return time ? time->ms : 1e-4 + record.mb;
    };
    double rest = region.time.minimum, weights = 0;
    for (uint32_t op : members) {
        if (follows(division, op)) weights += alone(op);
        else rest -= alone(op);
    }
    for (uint32_t op : members)
        if (follows(division, op) && weights > 0) add_unit(division, op, std::max(0.0, rest) * alone(op) / weights);
}

bool CostMeasurer::is_known(uint32_t op, uint16_t label) const {
    return table_.find_in_any_layout({task_.model.operators()[op].key, "", task_.model.name(label), ""}) != nullptr;
}

std::vector<Labels> CostMeasurer::islands(uint16_t backend) const {
    const std::vector<CostModel::Operator>& operators = task_.model.operators();
    std::vector<std::vector<uint32_t>> beside(operators.size());
    for (const CostModel::Value& value : task_.model.values())
        for (uint32_t user : value.users)
            if (value.producer >= 0) {
                beside[user].push_back(uint32_t(value.producer));
                beside[size_t(value.producer)].push_back(user);
            }
    std::set<std::string> known;
    std::vector<Labels> runs;
    for (int turn = 0; turn < kIslandRuns; ++turn) {
        Labels labels(operators.size(), 0);
        std::map<std::string, int> taken;
        for (uint32_t op = 0; op < operators.size(); ++op) {
            if (!operators[op].accepted[backend] || is_known(op, backend) || known.count(operators[op].key)) continue;
            const bool free = std::none_of(beside[op].begin(), beside[op].end(),
                                           [&](uint32_t other) { return labels[other] == backend; });
            if (!free || taken[operators[op].key] >= kOccurrences) continue;
            labels[op] = backend;
            if (task_.model.allows(labels)) ++taken[operators[op].key];
            else labels[op] = 0;
        }
        for (const auto& [key, count] : taken)
            if (count > 0) known.insert(key);
        if (std::all_of(labels.begin(), labels.end(), [](uint16_t label) { return label == 0; })) break;
        runs.push_back(std::move(labels));
    }
    return runs;
}

Labels CostMeasurer::mixture(uint64_t seed) const {
    std::mt19937_64 random(seed);
    const std::vector<CostModel::Operator>& operators = task_.model.operators();
    Labels labels(operators.size(), 0);
    constexpr uint64_t kRunLength = 4;
    for (uint32_t op = 0; op < operators.size(); ++op) {
        const int32_t before = operators[op].before;
        uint16_t wish = uint16_t(random() % task_.model.labels());
        if (before >= 0 && random() % kRunLength > 0) wish = labels[size_t(before)];
        if (operators[op].accepted[wish]) labels[op] = wish;
    }
    task_.model.make_allowed(labels);
    return labels;
}

}  // namespace partita
