#include "app/cli/gates.h"

#include <iostream>

#include "app/cli/command.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/support/file.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

/// Adds an option that is read into a list of gates; may be repeated.
template <class Gate>
void add_gate(CLI::App& command, const std::string& option, const std::string& value, std::vector<Gate>& gates,
              Result<Gate> (*read)(std::string_view), const std::string& help) {
    command
        .add_option_function<std::vector<std::string>>(
            option,
            [&gates, read](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) gates.push_back(std::move(*read(text)));
            },
            help + "; may be repeated")
        ->check([read](const std::string& text) {
            const Result<Gate> gate = read(text);
            return gate ? std::string() : gate.error().message;
        })
        ->allow_extra_args(false)
        ->type_name(value);
}

/// Adds an option for the least share of what is on any backend.
void add_least(CLI::App& command, const std::string& option, std::vector<ShareGate>& gates, ShareGate::Of of,
               const std::string& help) {
    command
        .add_option_function<double>(
            option,
            [&gates, of](double percent) {
                gates.push_back(
                    {"*=" + general_text(percent) + (of == ShareGate::Of::Work ? "%:work" : "%"), "*", percent, of});
            },
            help)
        ->type_name("PERCENT")
        ->check(CLI::Range(0., 100.));
}

bool write(const std::string& path, const std::string& text) {
    if (path.empty()) return true;
    if (path == "-") return print(text), true;
    const Status written = write_file(path, text);
    if (!written) refuse(written.error(), path);
    return bool(written);
}

}  // namespace

void add_gate_options(CLI::App& command, GateArguments& arguments) {
    Gates& gates = arguments.gates;
    add_gate(command, "--at-least", "BACKEND=PERCENT", gates.shares, read_share_gate,
             "fail if fewer percent of the calls go to BACKEND, as dnnl=90%; of the operations with :work behind it, "
             "of the weights' bytes with :weights; '*' stands for any backend but default");
    add_gate(command, "--most-regions", "[BACKEND=]N", gates.regions, read_region_gate,
             "fail if there are more regions, or more of BACKEND");
    add_gate(command, "--forbid", "QUERY", gates.forbidden, read_forbidden,
             "fail if a call matches, as 'op:nn.conv2d backend:default'; the language is that of Find");
    add_least(command, "--min", gates.shares, ShareGate::Of::Calls,
              "fail if fewer percent of the calls are on backends: the same as --at-least '*=PERCENT'");
    add_least(command, "--min-work", gates.shares, ShareGate::Of::Work,
              "fail if fewer percent of the operations are on backends");
    command
        .add_option("--baseline", arguments.baseline,
                    "fail if the division is worse than the one that --write-baseline kept: a smaller share of calls, "
                    "operations or weights on backends, more regions, more bytes that cross their boundaries, or a "
                    "call that was on a backend and is on default")
        ->type_name("F");
    add_output_file(command, "--write-baseline", arguments.write_baseline, "keep what this division is, as JSON")
        ->type_name("F");
    add_output_file(command, "--junit", arguments.junit,
                    "write a JUnit report: a test case for each gate and each --require")
        ->type_name("F");
    command.add_flag("--github", arguments.github,
                     "also print each fault on standard error as GitHub's workflows show it, beside the file's line");
}

bool hold_gates(const GateArguments& arguments, const FlowArguments& flow, const FlowOutcome& outcome,
                const CoverageReport& coverage) {
    Gates gates = arguments.gates;
    if (!arguments.baseline.empty()) {
        Result<Baseline> baseline = read_baseline(arguments.baseline);
        if (!baseline) return refuse(baseline.error()), false;
        gates.baseline = std::move(*baseline);
    }
    Result<std::vector<GateResult>> results = check_gates(gates, outcome.result, outcome.backends, coverage);
    if (!results) throw UsageFault{results.error()};
    for (GateResult& result : check_requirements(flow, outcome)) results->push_back(std::move(result));
    const bool held = report_faults(flow, outcome, *results);
    if (arguments.github) std::cerr << printable(gates_github(*results, *outcome.result.input, flow.file));
    bool written = write(arguments.junit, gates_junit(*results, flow.file));
    if (!arguments.write_baseline.empty())
        written = write(arguments.write_baseline,
                        baseline_text(outcome.result, outcome.backends, coverage, file_title(flow.file))) &&
                  written;
    return held && written;
}

}  // namespace partita::cli
