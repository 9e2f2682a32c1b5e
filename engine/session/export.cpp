#include "engine/session/export.h"

#include <cstdio>
#include <filesystem>
#include <map>

#include "engine/session/names.h"
#include "engine/support/file.h"

namespace partita {
namespace {

std::string decimal(double value, int digits) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
    return buffer;
}

ReportTable summary_table(const Module& module) {
    ModuleSummary summary = summarize(module);
    ReportTable table{"Module", {"what", "value"}, {}};
    table.rows.push_back({"calls", std::to_string(summary.calls)});
    table.rows.push_back({"functions", std::to_string(summary.functions)});
    table.rows.push_back({"parameters", std::to_string(summary.parameters)});
    table.rows.push_back({"bytes of parameters", decimal(summary.parameter_bytes, 0)});
    table.rows.push_back({"constants", std::to_string(summary.constants)});
    table.rows.push_back({"floating-point operations", decimal(summary.flops, 0)});
    table.rows.push_back({"result", summary.output_type});
    return table;
}

/// Calls of each op on each backend.
ReportTable coverage_table(const FlowResult& flow, std::span<const BackendDescription> backends) {
    ReportTable table{"Coverage", {"operator", "default"}, {}};
    for (const BackendDescription& backend : backends) table.header.push_back(backend.name);
    ExpressionNames names(*flow.input);
    std::map<std::string, std::vector<int>> counts;
    for (ExprId call : names.calls()) {
        std::string name = names.name(call);
        std::vector<int>& row = counts[name.substr(0, name.rfind(" #"))];
        row.resize(backends.size() + 1);
        row[size_t(flow.backend_of[call.value] + 1)]++;
    }
    for (const auto& [op, row] : counts) {
        std::vector<std::string> cells{op};
        for (int count : row) cells.push_back(std::to_string(count));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ReportTable region_table(const FlowResult& flow) {
    ReportTable table{"Regions", {"sub-function", "backend", "expressions", "inputs", "outputs", "boundary bytes"}, {}};
    for (const RegionInfo& region : flow.regions) {
        table.rows.push_back({region.function, region.backend_name, std::to_string(region.expressions.size()),
                              std::to_string(region.inputs), std::to_string(region.outputs),
                              decimal(region.boundary_bytes, 0)});
    }
    return table;
}

ReportTable refusal_table(const FlowResult& flow, std::span<const BackendDescription> backends) {
    ReportTable table{"Why not", {"decision"}, {}};
    ExpressionNames names(*flow.input);
    for (const Decision& decision : flow.log.decisions()) {
        bool refusal = decision.kind == DecisionKind::RuleFailed || decision.kind == DecisionKind::NoRule ||
                       decision.kind == DecisionKind::WouldCloseCycle || decision.kind == DecisionKind::SizeLimit;
        if (refusal) table.rows.push_back({describe(decision, names, backends)});
    }
    return table;
}

ReportTable timing_table(const RunReport& run) {
    ReportTable table{"Times", {"region", "backend", "executed by", "median ms", "min ms", "notice"}, {}};
    for (const RegionTiming& region : run.regions) {
        table.rows.push_back({region.name, region.backend, region.executed_by, decimal(region.time.median, 3),
                              decimal(region.time.minimum, 3), region.notice});
    }
    table.rows.push_back({"whole run", "", "", decimal(run.time.median, 3), decimal(run.time.minimum, 3), ""});
    return table;
}

}  // namespace

ExportSubject export_subject(ModulePtr module, const std::string& title) {
    ExportSubject subject;
    subject.title = title;
    subject.module = module;
    subject.graph = module;
    subject.tables.push_back(summary_table(*module));
    return subject;
}

ExportSubject export_subject(const FlowResult& flow, std::span<const BackendDescription> backends,
                             const std::string& title, const RunReport* run) {
    ExportSubject subject;
    subject.title = title;
    subject.module = flow.last();
    subject.graph = flow.input;
    subject.backend_of = flow.backend_of;
    subject.region_of = flow.region_of;
    for (const BackendDescription& backend : backends) subject.backends.push_back(backend.name);
    for (const RegionInfo& region : flow.regions) {
        subject.regions.push_back({region.function, region.backend_name, region.backend});
    }
    subject.tables.push_back(summary_table(*flow.input));
    subject.tables.push_back(coverage_table(flow, backends));
    subject.tables.push_back(region_table(flow));
    if (run) subject.tables.push_back(timing_table(*run));
    subject.tables.push_back(refusal_table(flow, backends));
    return subject;
}

namespace {

/// Writes the files of a folder that may exist already; what else is in it stays.
Status export_to_folder(const ExportSubject& subject, const std::string& path, const ExportForm& form) {
    if (path == "-") return error("the form " + std::string(form.name) + " is a folder and can't go to standard output");
    std::error_code failure;
    if (std::filesystem::exists(path, failure) && !std::filesystem::is_directory(path, failure))
        return error("can't write " + path + ": it is there already and no folder");
    Result<std::vector<ExportFile>> files = form.write_folder(subject);
    if (!files) return files.error();
    std::filesystem::create_directories(path, failure);
    if (failure) return error("can't make the folder " + path + ": " + failure.message());
    for (const ExportFile& file : *files)
        if (Status written = write_file((std::filesystem::path(path) / file.name).string(), file.content); !written) return written;
    return Nothing();
}

}  // namespace

Status export_to_file(const ExportSubject& subject, const std::string& path, const ExportForm* form) {
    if (!form) form = export_form_of_file(path);
    if (!form) return error("can't tell the form from the name " + path + "; expected one of " + export_endings());
    if (form->write_folder) return export_to_folder(subject, path, *form);
    if (form->write_file && path != "-") return form->write_file(subject, path);
    Result<std::string> content = form->write(subject);
    if (!content) return content.error();
    if (path != "-") return write_file(path, *content);
    bool written = std::fwrite(content->data(), 1, content->size(), stdout) == content->size();
    if (!written || std::fflush(stdout) != 0) return error("can't write standard output");
    return Nothing();
}

}  // namespace partita
