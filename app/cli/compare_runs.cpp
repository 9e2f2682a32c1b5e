// `compare-runs`: compares two saved runs.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/run_output.h"
#include "app/cli/terminal.h"
#include "engine/session/report_readers.h"
#include "engine/session/reported_run.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct CompareRunsArguments {
    std::string a, b;
    FlowArguments model;  ///< its file may be missing
    double most = 0;      ///< the largest accepted ratio; 0: any
    bool json = false;
};

int run(const CompareRunsArguments& arguments) {
    std::optional<OpenedInput> opened;
    if (!arguments.model.file.empty()) {
        Result<OpenedInput> read = open_input(arguments.model);
        if (!read) return refuse(read.error(), arguments.model.file);
        opened = std::move(*read);
    }
    const auto load = [&](const std::string& path) -> Result<RunRecord> {
        if (opened) return load_run_of(*opened, path);
        if (is_report_file(path)) return error("it is another program's: --model says what it is of");
        return load_run(path);
    };
    Result<RunRecord> a = load(arguments.a);
    if (!a) return refuse(a.error(), arguments.a);
    Result<RunRecord> b = load(arguments.b);
    if (!b) return refuse(b.error(), arguments.b);
    if (!are_of_one_model(*a, *b))
        return refuse(error("this run is of another model than " + arguments.a + ", or of other sizes"), arguments.b);
    print(arguments.json ? json_text(run_difference_json(*a, *b)) : run_difference_text(*a, *b));
    TimingDifference whole = compare_timings(a->report, b->report).whole;
    if (arguments.most <= 0 || !whole.significant || whole.ratio <= arguments.most) return kDone;
    report({Severity::Error,
            arguments.b,
            {},
            "takes " + fixed_text(whole.ratio, 3) + " times as long, which exceeds the noise and " +
                fixed_text(arguments.most, 3)});
    return kRefused;
}

}  // namespace

void add_compare_runs_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "compare-runs", "compare two runs: ratio and noise of each region, operator and group of calls");
    auto arguments = std::make_shared<CompareRunsArguments>();
    command->add_option("A", arguments->a, "a run saved by run --save-run or, with --model, another program's profile")
        ->required();
    command->add_option("B", arguments->b, "a run to compare with A")->required();
    command
        ->add_option("--model", arguments->model.file,
                     "the model that the runs are of: A or B may then be what another program told of it, as a profile")
        ->type_name("FILE");
    add_dimension_option(*command, arguments->model);
    command
        ->add_option("--max-ratio", arguments->most,
                     "fail if B takes more than X times as long as A and the difference exceeds the noise")
        ->check([](const std::string& text) { return check_number(text, false); })
        ->type_name("X");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
