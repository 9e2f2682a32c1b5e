// `compare-runs`: compares two saved runs.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/run_output.h"
#include "app/cli/terminal.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct CompareRunsArguments {
    std::string a, b;
    double most = 0;  ///< the largest accepted ratio; 0: any
    bool json = false;
};

int run(const CompareRunsArguments& arguments) {
    Result<RunRecord> a = load_run(arguments.a);
    if (!a) return refuse(a.error(), arguments.a);
    Result<RunRecord> b = load_run(arguments.b);
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
    CLI::App* command =
        app.add_subcommand("compare-runs", "compare two saved runs: ratio and noise of each region and operator");
    auto arguments = std::make_shared<CompareRunsArguments>();
    command->add_option("A", arguments->a, "a run saved by run --save-run")->required();
    command->add_option("B", arguments->b, "a run to compare with A")->required();
    command
        ->add_option("--max-ratio", arguments->most,
                     "fail if B takes more than X times as long as A and the difference exceeds the noise")
        ->check([](const std::string& text) { return check_number(text, false); })
        ->type_name("X");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
