// `rules check`: lists all faults of a backend description; `rules test`: runs the tests in it.
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/explain/rule_tests.h"
#include "engine/support/file.h"

namespace partita::cli {
namespace {

struct RulesArguments {
    std::string description, module_folder;
    bool json = false;
};

std::string counted(size_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Returns the text of a built-in description, by its name, or of a file.
Result<std::string> description_text(const std::string& name_or_path) {
    if (name_or_path.find_first_of("/.\\") != std::string::npos) return read_file(name_or_path);
    const Result<BackendDescription> builtin = builtin_backend(name_or_path);
    if (!builtin) return builtin.error();
    return std::string(builtin_backend_source(name_or_path));
}

int check(const std::string& file) {
    Result<std::string> text = description_text(file);
    if (!text) return refuse(text.error(), file);
    CheckedDescription checked = check_backend_description(*text, file);
    for (const Diagnostic& fault : checked.faults) report(fault);
    if (!checked.description) return kRefused;
    print(checked.description->name + ": " + counted(checked.description->ops.size(), "operator") + ", " +
          counted(checked.description->patterns.size(), "pattern") + ", no fault\n");
    return kDone;
}

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
    else if (results.empty()) print(backend->name + " has no tests\n");
    else print(std::to_string(passed) + " passed, " + std::to_string(failed) + " failed\n");
    return failed == 0 ? kDone : kRefused;
}

}  // namespace

void add_rules_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("rules", "check and test backend descriptions");
    command->require_subcommand(1);
    CLI::App* check_command = command->add_subcommand("check", "list all faults of a description");
    auto file = std::make_shared<std::string>();
    check_command->add_option("F.json", *file, "the description's file, or the name of a built-in one")->required();
    check_command->callback([file, &status] { status = check(*file); });
    CLI::App* test = command->add_subcommand("test", "run the tests of a description (expect)");
    auto arguments = std::make_shared<RulesArguments>();
    test->add_option("F.json", arguments->description, "the description's file, or the name of a built-in one")
        ->required();
    test->add_option("--modules", arguments->module_folder,
                     "the folder that the tests' module paths start from; by default the description's")
        ->type_name("DIR");
    test->add_flag("--json", arguments->json, "print JSON");
    test->callback([arguments, &status] { status = run_tests(*arguments); });
}

}  // namespace partita::cli
