// `onnx-test`: runs a folder of ONNX's backend tests.
#include <array>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/onnx_conformance.h"

namespace partita::cli {
namespace {

struct OnnxTestArguments {
    std::string folder;
    bool json = false, failures_only = false;
};

const char* outcome_name(OnnxTestOutcome outcome) {
    switch (outcome) {
        case OnnxTestOutcome::Passed: return "passed";
        case OnnxTestOutcome::Failed: return "failed";
        case OnnxTestOutcome::Unsupported: return "unsupported";
    }
    return "";
}

int run(const OnnxTestArguments& arguments) {
    std::vector<std::string> tests = find_onnx_tests(arguments.folder);
    if (tests.empty()) return refuse(error("it contains no folder with a model.onnx"), arguments.folder);
    std::array<int, 3> counts{};
    Json list = Json::array();
    for (const std::string& test : tests) {
        OnnxTestResult result = run_onnx_test(test);
        counts[size_t(result.outcome)]++;
        const char* outcome = outcome_name(result.outcome);
        if (arguments.json) {
            list.push_back({{"name", result.name}, {"outcome", outcome}, {"reason", result.reason}});
        } else if (!arguments.failures_only || result.outcome != OnnxTestOutcome::Passed) {
            std::string reason = printable(result.reason.empty() ? "" : ": " + result.reason);
            print(std::string(outcome) + " " + printable(result.name) + reason + "\n");
        }
    }
    if (arguments.json) {
        print(json_text({{"passed", counts[0]}, {"failed", counts[1]}, {"unsupported", counts[2]}, {"tests", list}}));
    } else {
        print(std::to_string(counts[0]) + " passed, " + std::to_string(counts[1]) + " failed, " +
              std::to_string(counts[2]) + " unsupported\n");
    }
    return counts[1] == 0 ? kDone : kRefused;
}

}  // namespace

void add_onnx_test_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("onnx-test", "run a folder of ONNX's backend tests and count the results");
    auto arguments = std::make_shared<OnnxTestArguments>();
    command->add_option("DIR", arguments->folder, "a folder; each folder in it with a model.onnx is a test")
        ->required();
    command->add_flag("--not-passed", arguments->failures_only, "list only the tests that did not pass");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
