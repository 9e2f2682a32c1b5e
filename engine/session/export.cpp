#include "engine/session/export.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "engine/explain/explain.h"
#include "engine/exporters/timing_picture.h"
#include "engine/flow/describe.h"
#include "engine/flow/names.h"
#include "engine/flow/region_names.h"
#include "engine/ops/annotations.h"
#include "engine/passes/lower_whole_operators.h"
#include "engine/support/amount.h"
#include "engine/support/file.h"
#include "engine/support/number_text.h"
#include "engine/support/own_folder.h"

namespace partita {
namespace {

/// Limits of a page that a person can read and a browser opens at once.
constexpr size_t kMostRows = 5'000, kMostColumns = 50, kMostCalls = 20'000;

/// Adds a row, unless the table is full; `cells` makes its cells.
template <class Cells>
void add_row(ReportTable& table, const Cells& cells) {
    if (table.rows.size() < kMostRows) table.rows.push_back(cells());
    else ++table.left_out;
}

ReportTable summary_table(const ModuleSummary& summary) {
    ReportTable table{"Module", {"what", "value"}, {}};
    table.rows.push_back({"calls", std::to_string(summary.calls)});
    table.rows.push_back({"functions", std::to_string(summary.functions)});
    table.rows.push_back({"parameters", std::to_string(summary.parameters)});
    table.rows.push_back({"size of parameters", amount_text(summary.parameter_bytes, "B")});
    table.rows.push_back({"constants", std::to_string(summary.constants)});
    table.rows.push_back({"floating-point operations", fixed_text(summary.flops, 0)});
    table.rows.push_back({"result", summary.output_type});
    return table;
}

/// Returns a table with the calls of each op on each backend; further backends share a column.
ReportTable coverage_table(const FlowResult& flow, std::span<const BackendDescription> backends) {
    const size_t columns = std::min(backends.size(), kMostColumns);
    ReportTable table{"Coverage", {"operator", "default"}, {}};
    for (const BackendDescription& backend : backends.first(columns)) table.header.push_back(backend.name);
    if (columns < backends.size()) table.header.push_back("others");
    ExpressionNames names(*flow.input);
    std::map<std::string, std::vector<int>> counts;
    for (ExprId call : names.calls()) {
        std::string name = names.name(call);
        std::vector<int>& row = counts[name.substr(0, name.rfind(" #"))];
        row.resize(table.header.size() - 1);
        row[std::min(size_t(flow.backend_of[call.value] + 1), row.size() - 1)]++;
    }
    for (const auto& count : counts) {
        add_row(table, [&] {
            std::vector<std::string> cells{count.first};
            for (int calls : count.second) cells.push_back(std::to_string(calls));
            return cells;
        });
    }
    return table;
}

/// Returns the regions by their first operators; last those without any.
std::vector<const RegionInfo*> in_graph_order(const FlowResult& flow, const ExpressionNames& names) {
    std::vector<std::pair<uint32_t, const RegionInfo*>> regions;
    for (const RegionInfo& region : flow.regions) {
        const ExprId first = first_operator(region, names);
        regions.emplace_back(first.valid() ? names.number(first) : UINT32_MAX, &region);
    }
    std::stable_sort(regions.begin(), regions.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const RegionInfo*> list;
    for (const auto& [_, region] : regions) list.push_back(region);
    return list;
}

ReportTable region_table(const FlowResult& flow) {
    const ExpressionNames names(*flow.input);
    ReportTable table{
        "Regions", {"region", "sub-function", "backend", "expressions", "inputs", "outputs", "boundary bytes"}, {}};
    double moved = 0;
    for (const RegionInfo* listed : in_graph_order(flow, names)) {
        const RegionInfo& region = *listed;
        moved += region.boundary_bytes;
        add_row(table, [&] {
            return std::vector<std::string>{region_name(region, names),
                                            region.function,
                                            region.backend_name,
                                            std::to_string(region.expressions.size()),
                                            std::to_string(region.inputs),
                                            std::to_string(region.outputs),
                                            amount_text(region.boundary_bytes, "B")};
        });
    }
    table.note = "Boundary bytes are those of a region's inputs and outputs: what has to be handed over in each run; " +
                 amount_text(moved, "B") + " together.";
    return table;
}

/// Operators of which the same is said.
struct SameReason {
    std::string reason;
    size_t count = 0;
    std::vector<std::pair<std::string, std::string>>
        operators;  ///< name and numbers, in order of the name's first call
};

/// Adds "reshape #2" to the numbers of reshape.
void add_operator(SameReason& group, const std::string& name) {
    constexpr size_t kMostListed = 60;
    if (++group.count > kMostListed) return;
    const size_t number = std::min(name.rfind(" #"), name.size());
    const std::string op = name.substr(0, number);
    auto found = std::find_if(group.operators.begin(), group.operators.end(),
                              [&](const auto& each) { return each.first == op; });
    if (found == group.operators.end()) found = group.operators.insert(found, {op, ""});
    found->second += (found->second.empty() ? "" : ",") + name.substr(number);
}

/// What is said of several operators stands once, with their numbers.
ReportTable refusal_table(const FlowResult& flow, std::span<const BackendDescription> backends) {
    ReportTable table{"Why not", {"decision", "operators", "which"}, {}};
    ExpressionNames names(*flow.input);
    std::vector<SameReason> groups;
    std::map<std::string, size_t> group_of;
    for (const Decision& decision : flow.log.decisions()) {
        const bool of_call = decision.kind == DecisionKind::RuleFailed || decision.kind == DecisionKind::NoRule ||
                             decision.kind == DecisionKind::SizeLimit;
        if (!of_call && decision.kind != DecisionKind::WouldCloseCycle && decision.kind != DecisionKind::MergeLimit)
            continue;
        std::string reason = describe(decision, names, backends);
        const std::string name = of_call ? names.name(decision.subject) : std::string();
        const bool named = !name.empty() && reason.starts_with(name + " ");
        if (named) reason = reason.substr(name.size() + 1);
        const auto [found, added] = group_of.try_emplace(reason, groups.size());
        if (added) groups.push_back({reason, 0, {}});
        if (named) add_operator(groups[found->second], name);
    }
    for (const SameReason& group : groups) {
        std::string which;
        size_t listed = 0;
        for (const auto& [op, numbers] : group.operators) {
            which += (which.empty() ? "" : "; ") + op + numbers;
            listed += size_t(std::count(numbers.begin(), numbers.end(), '#'));
        }
        if (listed < group.count) which += "; and " + std::to_string(group.count - listed) + " more";
        add_row(table, [&] {
            return std::vector<std::string>{group.reason, group.count ? std::to_string(group.count) : "", which};
        });
    }
    return table;
}

std::string percent(double share) { return fixed_text(share * 100, 1) + " %"; }

ReportTable run_table(const RunReport& run, const MachineLimits* machine) {
    ReportTable table{"Run", {"what", "value"}, {}};
    int changes = 0, copies = run.copies;
    for (const RegionTiming& region : run.regions) {
        changes += region.layout_changes;
        copies += region.copies;
    }
    table.rows.push_back({"median of a run", time_text(run.time.median)});
    table.rows.push_back({"spread (interquartile range)", time_text(run.time.spread)});
    table.rows.push_back({"first run, after compiling", time_text(run.first_run_ms)});
    table.rows.push_back({"compiling, once", time_text(run.compile_ms)});
    table.rows.push_back(
        {"runs", std::to_string(run.warmup) + " to warm up, " + std::to_string(run.repeat) + " measured"});
    table.rows.push_back({"threads", std::to_string(run.threads)});
    table.rows.push_back({"intermediate values, at the most", amount_text(double(run.peak_bytes), "B")});
    table.rows.push_back({"copies over borders in a run", std::to_string(copies)});
    table.rows.push_back({"changes of layout in a run", std::to_string(changes)});
    if (machine) {
        table.rows.push_back({"this machine's best, float32", fixed_text(machine->flops / 1e9, 1) + " GFLOP/s"});
        table.rows.push_back({"this machine's bandwidth", fixed_text(machine->bandwidth / 1e9, 1) + " GB/s"});
    }
    return table;
}

ReportTable timing_table(const RunReport& run, const MachineLimits* machine) {
    ReportTable table{"Times", {"region", "backend", "executed by", "median", "min", "spread", "share", "compile"}, {}};
    if (machine) {
        table.header.insert(table.header.end(), {"GFLOP/s", "GB/s", "bound by", "share of the bound"});
        table.note =
            "The bound of a region is the least time that this machine needs for it: its operations at the machine's "
            "best rate, or its bytes at the bandwidth of memory, whichever takes longer. The share says how near the "
            "region came. More than 100 % means that its values came from the processor's caches, which are faster "
            "than "
            "the memory that the bound counts on.";
    }
    const bool notices = std::any_of(run.regions.begin(), run.regions.end(),
                                     [](const RegionTiming& region) { return !region.notice.empty(); });
    if (notices) table.header.push_back("notice");
    double whole = 0;
    for (const RegionTiming& region : run.regions) whole += region.time.median;
    for (const RegionTiming& region : run.regions) {
        std::vector<std::string> row{region.shown(),
                                     region.backend,
                                     region.executed_by,
                                     time_text(region.time.median),
                                     time_text(region.time.minimum),
                                     time_text(region.time.spread),
                                     percent(whole > 0 ? region.time.median / whole : 0),
                                     time_text(region.compile_ms)};
        if (machine) {
            RooflinePoint point = roofline(*machine, region.flops, region.bytes, region.time.median);
            for (std::string cell : {fixed_text(point.flops / 1e9, 2), fixed_text(point.bandwidth / 1e9, 2),
                                     std::string(point.memory_bound ? "memory" : "compute"), percent(point.share)})
                row.push_back(std::move(cell));
        }
        if (notices) row.push_back(region.notice);
        add_row(table, [&] { return std::move(row); });
    }
    return table;
}

ReportTable comparison_table(const RunReport& run) {
    ReportTable table{"Compared with the unpartitioned module",
                      {"output", "largest absolute error", "largest relative error", "tolerance", "from float64",
                       "default from float64", "verdict"},
                      {}};
    auto number = [](double value) { return general_text(value, 3); };
    for (const OutputDifference& each : run.differences) {
        table.rows.push_back({std::to_string(each.output), number(each.max_abs_error), number(each.max_rel_error),
                              number(each.tolerance), each.from_double ? number(each.from_double->own) : "",
                              each.from_double ? number(each.from_double->expected) : "",
                              each.within_tolerance ? "equal" : "different"});
    }
    return table;
}

void add_summary(ExportSubject& subject) {
    const ModuleSummary summary = summarize(*subject.graph);
    subject.tables.push_back(summary_table(summary));
    if (size_t(summary.calls) > kMostCalls)
        subject.no_graph = "The graph has " + std::to_string(summary.calls) +
                           " calls, more than a page can show. partita-cli render draws it.";
}

void add_run(ExportSubject& subject, const RunReport& run, const MachineLimits* machine) {
    subject.tables.push_back(run_table(run, machine));
    subject.tables.push_back(timing_table(run, machine));
    subject.tables.push_back(comparison_table(run));
    subject.pictures.push_back({"Time of each region", time_bars_svg(run, subject.backends), {}});
    subject.pictures.push_back({"One run", timeline_svg(run, subject.backends), {}});
    if (machine) subject.pictures.push_back({"Roofline", roofline_svg(run, *machine, subject.backends), {}});
    std::erase_if(subject.pictures, [](const ReportPicture& picture) { return picture.svg.empty(); });
}

void add_region_times(ExportSubject& subject, const RunReport& run) {
    std::map<std::string_view, double> medians;
    for (const RegionTiming& timing : run.regions) medians[timing.name] = timing.time.median;
    for (ExportRegion& region : subject.regions)
        if (const auto found = medians.find(region.name); found != medians.end()) region.milliseconds = found->second;
}

ExportReasons reasons_of(const FlowResult& flow, std::span<const BackendDescription> backends,
                         const CancelToken& cancel) {
    using Kind = RegionPairExplanation::Kind;
    FlowExplainer explainer(flow, backends);
    explainer.set_cancel(cancel);
    ExportReasons reasons;
    reasons.why.resize(flow.input->size());
    for (ExprId call : explainer.names().calls()) {
        if (cancel.cancelled()) return reasons;
        const std::string text = explainer.to_text(explainer.explain_call(call, FlowExplainer::Patterns::OfRoot));
        reasons.why[call.value] = text.substr(text.find('\n') + 1);  // the first line names the call
    }
    for (const RegionPairExplanation& pair : explainer.explain_neighbours()) {
        if (pair.edge.size() < 2 || pair.kind == Kind::DifferentBackend || pair.kind == Kind::SameRegion) continue;
        const bool cycle = pair.kind == Kind::WouldCloseCycle || pair.kind == Kind::TakenApart;
        reasons.refusals.push_back(
            {pair.edge.front(), pair.edge.back(), pair.producer, pair.consumer, cycle, pair.reason.text()});
    }
    return reasons;
}

}  // namespace

ExportSubject export_subject(ModulePtr module, const std::string& title, const RunReport* run,
                             const MachineLimits* machine) {
    ExportSubject subject;
    subject.title = title;
    subject.module = module;
    subject.graph = std::move(module);
    add_summary(subject);
    if (run) add_run(subject, *run, machine);
    return subject;
}

ExportSubject export_subject(const FlowResult& flow, std::span<const BackendDescription> backends,
                             const std::string& title, const RunReport* run, const MachineLimits* machine) {
    ExportSubject subject;
    subject.title = title;
    subject.module = flow.last();
    subject.graph = flow.input;
    subject.relax = flow.relax;
    subject.backend_of = flow.backend_of;
    subject.region_of = flow.region_of;
    for (const BackendDescription& backend : backends) subject.backends.push_back(backend.name);
    const ExpressionNames names(*flow.input);
    for (const RegionInfo& region : flow.regions)
        subject.regions.push_back({region.function, region_name(region, names), region.backend_name, region.backend});
    for (const Decision& decision : flow.log.decisions())
        if (decision.kind == DecisionKind::WouldCloseCycle)
            subject.refused.emplace_back(decision.other, decision.subject);
    add_summary(subject);
    subject.tables.push_back(coverage_table(flow, backends));
    subject.tables.push_back(region_table(flow));
    if (run) add_run(subject, *run, machine);
    subject.tables.push_back(refusal_table(flow, backends));
    if (run) add_region_times(subject, *run);
    subject.reasons = [&flow, backends](const CancelToken& cancel) { return reasons_of(flow, backends, cancel); };
    return subject;
}

void add_notes(ExportSubject& subject, const std::vector<Bookmark>& bookmarks) {
    ReportTable table{"Notes", {"expression", "note"}, {}};
    for (const Bookmark& mark : bookmarks)
        if (!mark.note.empty()) table.rows.push_back({mark.name, mark.note});
    if (!table.rows.empty()) subject.tables.push_back(std::move(table));
}

namespace {

NewFile new_file(std::string name, const std::string& content) {
    return {std::move(name), 1, [&content](size_t) { return std::string_view(content); }};
}

Status export_to_folder(const ExportSubject& subject, const std::string& path, const ExportForm& form) {
    if (path == "-")
        return error("the form " + std::string(form.name) + " is a folder and can't go to standard output");
    const OwnFolder folder{path, {}, subject.force};
    if (Status checked = check_own_folder(folder); !checked) return checked;  // before the work
    const Result<std::vector<ExportFile>> files = form.write_folder(subject);
    if (!files) return files.error();
    std::vector<NewFile> contents;
    for (const ExportFile& file : *files) contents.push_back(new_file(file.name, file.content));
    return write_own_folder(folder, contents);
}

/// Writes a Markdown report with its pictures beside it as NAME.graph.svg, NAME.1.svg, ...
Status export_markdown(const ExportSubject& subject, const std::string& path) {
    ExportSubject linked = subject;
    const std::filesystem::path target(path);
    std::string graph;
    std::vector<NewFile> files;
    if (subject.no_graph.empty()) {
        Result<std::string> drawn = write_svg(subject);
        if (!drawn) return drawn.error();
        graph = std::move(*drawn);
        linked.graph_file = target.stem().string() + ".graph.svg";
        files.push_back(new_file(linked.graph_file, graph));
    }
    for (size_t i = 0; i < linked.pictures.size(); ++i) {
        linked.pictures[i].file = target.stem().string() + "." + std::to_string(i + 1) + ".svg";
        files.push_back(new_file(linked.pictures[i].file, subject.pictures[i].svg));
    }
    const Result<std::string> text = write_markdown_report(linked);
    if (!text) return text.error();
    files.push_back(new_file(target.filename().string(), *text));
    return write_with_files_beside(path, files, subject.force);
}

}  // namespace

size_t calls_unknown_to_tvm(const ExportSubject& subject, const ExportForm& form) {
    return form.name == "relay" ? whole_operator_calls(*subject.module) : 0;
}

Status export_to_file(const ExportSubject& given, const std::string& path, const ExportForm* form) {
    if (!form) form = export_form_of_file(path);
    if (!form) return error("can't tell the form from the name " + path + "; expected one of " + export_endings());
    if (form->write_folder) return export_to_folder(given, path, *form);
    if (form->write_file && path != "-") return form->write_file(given, path);
    if (!form->write)
        return error("the form " + std::string(form->name) + " is a folder and can't go to standard output");
    if (form->name == "markdown" && path != "-") return export_markdown(given, path);
    Result<std::string> content = form->write(given);
    if (!content) return content.error();
    const std::string& text = *content;
    if (path != "-") return write_file(path, text);
    bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0) return error("can't write standard output");
    return Nothing();
}

}  // namespace partita
