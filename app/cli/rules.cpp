// `rules test`: runs the tests that a backend description brings along.
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/session/explanation.h"

namespace partita::cli {
namespace {

struct RulesArguments {
    std::string description, module_folder;
    bool json = false;
};

int run_tests(const RulesArguments& arguments) {
    Result<BackendDescription> backend = load_backend(arguments.description);
    if (!backend) return refuse(backend.error());
    std::string folder = arguments.module_folder;
    if (folder.empty()) folder = std::filesystem::path(backend->file).parent_path().string();
    std::vector<RuleTestResult> results = run_rule_tests(*backend, folder.empty() ? "." : folder);
    size_t failed = 0;
    Json list = Json::array();
    for (const RuleTestResult& result : results) {
        if (!result.passed) failed++;
        if (arguments.json) {
            list.push_back({{"name", result.name}, {"passed", result.passed}, {"message", result.message}});
        } else if (!result.passed) {
            report({Severity::Error, backend->file, result.position, result.name + ": " + result.message});
        }
    }
    size_t passed = results.size() - failed;
    if (arguments.json) print(json_text({{"passed", passed}, {"failed", failed}, {"tests", list}}));
    else print(std::to_string(passed) + " passed, " + std::to_string(failed) + " failed\n");
    return failed == 0 ? kDone : kRefused;
}

}  // namespace

void add_rules_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("rules", "work on backend descriptions");
    command->require_subcommand(1);
    CLI::App* test = command->add_subcommand("test", "run the tests that a description brings along (expect)");
    auto arguments = std::make_shared<RulesArguments>();
    test->add_option("F.json", arguments->description, "the description")->required();
    test->add_option("--modules", arguments->module_folder,
                     "the folder from which the tests' modules are named; without it the description's")
        ->type_name("DIR");
    test->add_flag("--json", arguments->json, "print JSON");
    test->callback([arguments, &status] { status = run_tests(*arguments); });
}

}  // namespace partita::cli
