// `bench`: the program's own timings.
#include "engine/session/bench.h"

#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct BenchArguments {
    std::string file;
    std::vector<std::string> backends{"dnnl", "ccompiler"};
    int repeat = 5;
    bool no_layout = false, json = false;
};

std::string to_text(const BenchReport& report, const BenchArguments& arguments) {
    Table table({"step", "ms"});
    for (const auto& [step, milliseconds] : report.times) table.add({step, fixed_text(milliseconds, 3)});
    std::string text = arguments.file + ": " + std::to_string(report.calls) + " calls, median of " +
                       std::to_string(report.repeats) + (report.repeats == 1 ? " turn\n" : " turns\n");
    text += table.text();
    text += "annotate, merge and partition: " + fixed_text(report.divide(), 3) + " ms\n";
    if (report.text_bytes)
        text += "parse " + fixed_text(report.parse_rate(), 0) + " MB/s, print " + fixed_text(report.print_rate(), 0) +
                " MB/s\n";
    text += "peak_kb  " + std::to_string(report.peak_kb);
    if (report.flow_peak_kb > 0)
        text += ", of which the flow " + std::to_string(report.flow_peak_kb) + " (" +
                fixed_text(report.flow_bytes_per_call(), 0) + " bytes a call)";
    return text + "\n";
}

Json to_json(const BenchReport& report, const BenchArguments& arguments) {
    Json json{{"file", arguments.file}, {"calls", report.calls}, {"repeats", report.repeats}};
    for (const auto& [step, milliseconds] : report.times) json[step] = milliseconds;
    json["text_bytes"] = report.text_bytes;
    json["printed_bytes"] = report.printed_bytes;
    json["peak_kb"] = report.peak_kb;
    json["flow_peak_kb"] = report.flow_peak_kb;
    json["annotate_merge_partition"] = report.divide();
    json["parse_mb_per_s"] = report.parse_rate();
    json["print_mb_per_s"] = report.print_rate();
    return json;
}

int run(const BenchArguments& arguments) {
    BenchOptions options;
    options.repeat = arguments.repeat;
    options.layout = !arguments.no_layout;
    for (const std::string& name : arguments.backends) {
        Result<BackendDescription> backend = load_backend(name);
        if (!backend) return refuse(backend.error());
        options.backends.push_back(std::move(*backend));
    }
    Result<BenchReport> report_of_bench = bench(arguments.file, options);
    if (!report_of_bench) return refuse(report_of_bench.error());
    print(arguments.json ? json_text(to_json(*report_of_bench, arguments)) : to_text(*report_of_bench, arguments));
    return kDone;
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "bench",
        "time the program's own steps in ms: parse, infer, simplify, composite, annotate, merge, partition, "
        "print, layout; and its peak memory");
    auto arguments = std::make_shared<BenchArguments>();
    command
        ->add_option("FILE", arguments->file,
                     "Relay text, ONNX or the module of a project; or random:N, chain:N, ladder:N, wide:N for a "
                     "generated graph of N operators")
        ->required();
    add_backend_list(*command, "--backends", arguments->backends,
                     "description files, or names of built-in backends, in order of priority")
        ->default_str("dnnl,ccompiler");
    command->add_option("--repeat", arguments->repeat, "rounds for the median; fewer if they take long")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->type_name("N");
    command->add_flag("--no-layout", arguments->no_layout, "skip the layout");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
