// Running what is open: on a worker, from a choice to measured times and compared outputs.
#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "app/gui/document/document.h"
#include "app/gui/document/read_image.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/rules/codegen.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/run_record.h"
#include "engine/session/project.h"
#include "engine/support/natural_order.h"

namespace partita {

namespace {

bool may_run(const BackendDescription& backend, const RunRequest& request) {
    return foreign_code(backend.codegen) == ForeignCode::None ||
           request.trusted_code.contains(QString::fromStdString(backend.codegen));
}

void explain_refusal(RunReport& report, const std::string& backend) {
    for (RegionTiming& region : report.regions)
        if (region.backend == backend && region.notice.empty())
            region.notice = Document::tr("the code of this backend was not allowed to run").toStdString();
}

}  // namespace

RunRecordPtr record_of(RunOutcome& outcome, const FlowChoice& choice, const MachineLimits& machine,
                       const std::string& title, const Module& original) {
    auto record = std::make_unique<RunRecord>();
    record->title = title;
    record->model = model_key(original);
    if (outcome.flow)
        for (const BackendPtr& backend : choice.backends)
            record->backends += (record->backends.empty() ? "" : ",") + backend->name;
    record->made = time_stamp();
    record->machine = machine;
    RunReport& report = outcome.report;
    auto left_out = std::tuple(std::exchange(report.outputs, {}), std::exchange(report.trace, {}),
                               std::exchange(report.thread_spans, {}), std::exchange(report.memory, {}));
    record->report = report;
    std::tie(report.outputs, report.trace, report.thread_spans, report.memory) = std::move(left_out);
    return freed_on_worker(std::unique_ptr<const RunRecord>(std::move(record)));
}

namespace {

/// A run's result, made on a worker.
Result<RunOutcome> run_choice(const ModulePtr& module, const ModulePtr& original, const FlowChoice& choice,
                              bool annotated, const RunRequest& request, const std::vector<InputFile>& inputs,
                              const JobContext& context) {
    RunOutcome outcome;
    outcome.threads = request.threads;
    ModulePtr partitioned = module;
    if (choice.active(annotated)) {
        FlowChoice whole = choice;
        whole.partition = true;
        Result<FlowResult> flow = run_flow(module, flow_options(whole, annotated, context.cancel));
        if (!flow) return flow.error();
        outcome.flow = freed_on_worker(std::make_unique<const FlowResult>(std::move(*flow)));
        partitioned = outcome.flow->last();
    }
    RunOptions options;
    Result<std::map<std::string, Tensor>> values = read_input_files(*original, inputs, read_image, context.cancel);
    if (!values) return values.error();
    options.inputs = std::move(*values);
    outcome.inputs = inputs;
    options.seed = request.seed;
    options.threads = request.threads;
    options.warmup = request.warmup;
    options.repeat = request.repeat;
    options.steady = true;
    for (const BackendPtr& backend : choice.backends) {
        options.codegen[backend->name] = may_run(*backend, request) ? backend->codegen : "default";
        if (backend->halves_refused) options.halved.insert(backend->name);
    }
    outcome.options = options;
    options.cancel = context.cancel;
    options.progress = [&context](double fraction, const std::string& what) {
        context.progress(fraction, what == "compiling" ? Document::tr("compiling") : QString());
    };
    if (request.compare) {
        Result<RunComparison> comparison = run_and_compare(partitioned, original, options);
        if (!comparison) return comparison.error();
        outcome.report = std::move(comparison->report);
        outcome.reference = std::move(comparison->reference);
    } else {
        Result<RunReport> report = run_partitioned(partitioned, options);
        if (!report) return report.error();
        outcome.report = std::move(*report);
    }
    for (const BackendPtr& backend : choice.backends)
        if (!may_run(*backend, request)) explain_refusal(outcome.report, backend->name);
    return outcome;
}

}  // namespace

std::vector<float> heat_of_run(const RunOutcome& run, size_t expressions) {
    std::vector<float> heat(expressions, -1);
    const auto measured_as_one = [](const RegionTiming& region) { return region.ops.empty(); };
    std::unordered_map<std::string_view, const RegionInfo*> by_name;
    if (run.flow && std::any_of(run.report.regions.begin(), run.report.regions.end(), measured_as_one))
        for (const RegionInfo& region : run.flow->regions) by_name.emplace(region.function, &region);
    for (const RegionTiming& region : run.report.regions) {
        for (const OpTiming& op : region.ops)
            if (op.origin.valid() && op.origin.value < expressions) {
                float& value = heat[op.origin.value];
                value = std::max(value, 0.0f) + float(op.time.median);
            }
        if (!measured_as_one(region) || !run.flow) continue;
        // Its time lies evenly on its operators.
        const auto info = by_name.find(region.name);
        if (info == by_name.end() || info->second->expressions.empty()) continue;
        const float share = float(region.time.median / double(info->second->expressions.size()));
        for (ExprId expr : info->second->expressions)
            if (expr.value < expressions) heat[expr.value] = share;
    }
    const float longest = heat.empty() ? 0 : *std::max_element(heat.begin(), heat.end());
    if (longest > 0)
        for (float& value : heat)
            if (value >= 0) value /= longest;
    return heat;
}

std::vector<uint32_t> order_names(const std::vector<RegionTiming>& regions) {
    std::vector<uint32_t> order(regions.size()), places(regions.size());
    std::iota(order.begin(), order.end(), uint32_t(0));
    std::stable_sort(order.begin(), order.end(), [&regions](uint32_t a, uint32_t b) {
        return natural_less(regions[a].shown(), regions[b].shown());
    });
    for (uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
    return places;
}

namespace {

/// What is told of a run beside its times.
std::vector<Problem> problems_of(const RunReport& report) {
    std::vector<Problem> problems;
    for (const RegionTiming& region : report.regions)
        if (!region.notice.empty())
            problems.push_back({Severity::Warning,
                                QStringLiteral("%1: %2").arg(shown_name(region.shown()), shown_message(region.notice)),
                                QString(),
                                {},
                                ExprId()});
    for (const OutputDifference& difference : report.differences)
        if (!difference.within_tolerance)
            problems.push_back(
                {Severity::Error,
                 Document::tr("Output %1 differs from the unpartitioned module by up to %2 (relative %3)")
                     .arg(difference.output)
                     .arg(significant_text(difference.max_abs_error, 3))
                     .arg(significant_text(difference.max_rel_error, 3)),
                 QString(),
                 {},
                 ExprId()});
    return problems;
}

}  // namespace

std::vector<BackendPtr> Document::backendsThatRun() const {
    const bool divides = open_.content.divides();
    const FlowPtr& made = open_.division.flow;
    if (divides && (!made || running_.flow)) return choice().backends;  // not known yet
    const ModulePtr module = divides ? made->last() : this->module();
    std::set<std::string_view> names;
    for (uint32_t i = 0; module && i < module->size(); ++i)
        if (module->kind(ExprId(i)) == ExprKind::Function)
            names.insert(module->function_info(ExprId(i)).string_attribute("Compiler"));
    std::vector<BackendPtr> running;
    for (const BackendPtr& backend : choice().backends)
        if (names.contains(backend->name)) running.push_back(backend);
    return running;
}

void Document::run(const RunRequest& request) {
    if (!isOpen() || isRunning()) return;
    setProblems(Problems::Run, {});
    running_.run = jobs_.start<Result<RunOutcomePtr>>(
        tr("Running"), this,
        [base = open_.content.base(), original = module(), choice = choiceOnBase(), annotated = annotated(), request,
         inputs = inputs(), revision = revision_,
         title = title().toStdString()](const JobContext& context) -> Result<RunOutcomePtr> {
            Result<RunOutcome> outcome = run_choice(base, original, choice, annotated, request, inputs, context);
            if (!outcome) return outcome.error();
            const Module& shown = outcome->flow ? *outcome->flow->input : *base;
            outcome->revision = revision;
            number_operators(outcome->report, shown, outcome->flow.get());
            outcome->record = record_of(*outcome, choice, request.machine, title, *original);
            outcome->places_by_name = order_names(outcome->report.regions);
            outcome->heat = heat_of_run(*outcome, shown.size());
            return freed_on_worker(std::make_unique<const RunOutcome>(std::move(*outcome)));
        },
        [this](Result<RunOutcomePtr> result) {
            running_.run = 0;
            if (result) return acceptRun(std::move(*result));
            setProblems(Problems::Run, {problem_of(result.error())});
            emit runFailed(QString::fromStdString(result.error().to_string()));
        });
    emit runStarted();
}

void Document::acceptRun(RunOutcomePtr run) {
    keepRun(run->record);
    open_.runs.last = std::move(run);
    open_.runs.flowed = nullptr;
    setProblems(Problems::Run, problems_of(open_.runs.last->report));
    emit runFinished();
}

void Document::setFlowedValues(FlowedValuesPtr values) {
    open_.runs.flowed = std::move(values);
    emit flowedValuesChanged();
}

void Document::cancelRun() {
    if (running_.run) jobs_.cancel(running_.run);
}

void RunHistory::keep(RunRecordPtr record) {
    size_t times = record->report.regions.size();
    for (const RegionTiming& region : record->report.regions) times += region.ops.size();
    if (times > kMostKeptTimes) return;
    if (records.size() == kMostKeptRuns) records.erase(records.begin());
    records.push_back(std::move(record));
}

}  // namespace partita
