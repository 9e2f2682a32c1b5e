#include "engine/session/bench.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

#include "engine/exporters/picture.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/annotations.h"
#include "engine/passes/infer_types.h"
#include "engine/session/export.h"
#include "engine/session/project.h"
#include "engine/support/file.h"
#include "engine/support/stopwatch.h"

namespace partita {
namespace {

constexpr const char* kSteps[] = {"parse", "infer",     "simplify", "composite", "annotate",
                                  "merge", "partition", "print",    "layout"};

/// Returns a size from the process status, such as VmHWM, in kB; 0 if the system does not report it.
long process_kilobytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":")) return std::atol(line.c_str() + name.size() + 1);
    return 0;
}

/// Resets VmHWM to the present size. Returns whether that worked.
bool forget_peak() {
    std::ofstream file("/proc/self/clear_refs");
    return bool(file << "5" << std::flush);
}

/// Returns freed memory to the system, so that one round does not count that of the previous one.
void give_memory_back() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

class Bench {
public:
    Bench(const std::string& file, const BenchOptions& options) : file_(file), options_(options) {}

    Result<BenchReport> run() {
        if (Status found = find_text(); !found) return found.error();
        Stopwatch watch;
        do {
            if (Status done = turn(); !done) return done.error();
            give_memory_back();
            report_.repeats++;
        } while (report_.repeats < options_.repeat && watch.milliseconds() < options_.seconds * 1000);
        for (const char* step : kSteps) {
            auto found = times_.find(step);
            if (found != times_.end()) report_.times.emplace_back(step, median(found->second));
        }
        note_peak();
        return std::move(report_);
    }

private:
    void note_peak() {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        report_.peak_kb = std::max({report_.peak_kb, usage.ru_maxrss, process_kilobytes("VmHWM")});
    }

    /// Finds the Relay text to parse; none for ONNX.
    Status find_text() {
        if (std::optional<Result<GraphName>> name = parse_graph_name(file_)) {
            if (!*name) return name->error();
            Result<Module> made = generate_graph((*name)->kind, (*name)->operators, 1);
            if (!made) return made.error();
            text_ = print_relay(*made);
        } else if (is_project(file_)) {
            return find_project();
        } else if (!file_.ends_with(".onnx")) {
            Result<std::string> text = read_file(file_);
            if (!text) return with_file(text.error());
            text_ = std::move(*text);
        }
        report_.text_bytes = text_ ? text_->size() : 0;
        return Nothing();
    }

    /// Finds the module of a project.
    Status find_project() {
        const Result<std::string> text = read_file(file_);
        if (!text) return with_file(text.error());
        const Result<Project> project = read_project(*text, file_);
        if (!project) return with_file(project.error());
        file_ = project->module_path;
        if (project->module_text.empty()) return find_text();
        text_ = project->module_text;
        report_.text_bytes = text_->size();
        return Nothing();
    }

    Diagnostic with_file(Diagnostic fault) const {
        if (fault.file.empty()) fault.file = file_;
        return fault;
    }

    void note(const std::string& step, double milliseconds) { times_[step].push_back(milliseconds); }

    Result<ModulePtr> open() {
        Stopwatch watch;
        if (!text_) {
            Result<OpenedModule> opened = open_module(file_);
            if (!opened) return with_file(opened.error());
            note("parse", watch.milliseconds());
            return opened->module;
        }
        RelayParseOptions options;
        options.file = file_;
        Result<Module> module = parse_relay(*text_, options);
        if (!module) return with_file(module.error());
        note("parse", watch.milliseconds());
        watch = {};
        if (Status typed = infer_types(*module); !typed) return with_file(typed.error());
        note("infer", watch.milliseconds());
        return ModulePtr(std::make_shared<const Module>(std::move(*module)));
    }

    Status turn() {
        Result<ModulePtr> module = open();
        if (!module) return module.error();
        report_.calls = summarize(**module).calls;
        FlowOptions options;
        options.backends = options_.backends;
        options.simplify = true;
        options.annotate = !has_annotations(**module);
        options.log_decisions = false;
        note_peak();
        bool measures = report_.repeats == 0 && forget_peak();
        long before = process_kilobytes("VmRSS");
        Result<FlowResult> flow = run_flow(std::move(*module), options);
        if (!flow) return with_file(flow.error());
        if (measures) report_.flow_peak_kb = process_kilobytes("VmHWM") - before;
        note_passes(*flow);
        if (options_.layout)
            if (Status laid_out = lay_out_picture(*flow); !laid_out) return laid_out;
        ModulePtr partitioned = flow->partitioned;
        *flow = FlowResult();  // printing needs little memory beside it
        Stopwatch watch;
        report_.printed_bytes = print_relay(*partitioned).size();
        note("print", watch.milliseconds());
        return Nothing();
    }

    /// Records the times of the flow's steps under the names of the table.
    void note_passes(const FlowResult& flow) {
        std::map<std::string, double> sums{{"composite", 0.0}};
        for (const PassTime& time : flow.times) {
            std::string step = time.pass == "place" ? "annotate" : time.pass == "fold" ? "simplify" : time.pass;
            sums[step] += time.milliseconds;
        }
        for (const auto& [step, milliseconds] : sums) note(step, milliseconds);
    }

    Status lay_out_picture(const FlowResult& flow) {
        ExportSubject subject = export_subject(flow, options_.backends, file_);
        LayoutGraph graph = layout_graph(picture_graph(subject));
        Stopwatch watch;
        Result<LayoutResult> result = lay_out(graph, LayoutEngine::Auto, CancelToken());
        if (!result) return result.error();
        note("layout", watch.milliseconds());
        return Nothing();
    }

    std::string file_;
    const BenchOptions& options_;
    std::optional<std::string> text_;
    std::map<std::string, std::vector<double>> times_;
    BenchReport report_;
};

}  // namespace

double BenchReport::time(std::string_view step) const {
    for (const auto& [name, milliseconds] : times)
        if (name == step) return milliseconds;
    return 0;
}

Result<BenchReport> bench(const std::string& file, const BenchOptions& options) { return Bench(file, options).run(); }

}  // namespace partita
