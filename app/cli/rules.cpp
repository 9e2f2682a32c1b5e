// `rules check`: lists all faults of a backend description; `rules test`: runs the tests in it.
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/annotators/annotator.h"
#include "engine/explain/rule_tests.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/tvm_python.h"
#include "engine/support/file.h"

namespace partita::cli {
namespace {

struct RulesArguments {
    std::string description, module_folder;
    bool allowed = false, json = false;
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

CheckedDescription checked_description(const std::string& file) {
    CheckedDescription checked;
    const Result<std::string> text = description_text(file);
    if (!text) {
        Diagnostic fault = text.error();
        if (fault.file.empty()) fault.file = file;
        checked.faults.push_back(std::move(fault));
        return checked;
    }
    checked = check_backend_description(*text, file);
    if (checked.description) checked.description->annotator = annotator_beside(checked.description->annotator, file);
    return checked;
}

/// What an annotator has rules for, and most that may be wrong with it, is known only where it runs.
Status start_annotator(BackendDescription& backend, bool allowed) {
    if (backend.annotator.empty()) return Nothing();
    if (!allowed) {
        if (backend.annotator.starts_with(kPythonAnnotator))
            if (Status parsed = Annotator::parse(backend.annotator); !parsed) return parsed;
        return Nothing();
    }
    std::vector<Diagnostic> notes;
    Status started = start_annotators({&backend, 1}, notes);
    for (const Diagnostic& note : notes) report(note);
    return started;
}

/// Writes a file in Python as a description.
int convert(const std::string& file, const std::string& out, bool allowed) {
    Result<BackendDescription> backend = load_backend(file);
    if (!backend) return refuse(backend.error(), file);
    if (!backend->annotator.starts_with(kPythonAnnotator)) return refuse(error("this is no file in Python"), file);
    if (!allowed)
        return refuse(error("this runs a program: " + annotator_command(backend->annotator) +
                            "\n  give --allow-commands if you trust it"),
                      file);
    std::vector<std::string> left_out;
    const Result<std::string> text = Annotator::convert(backend->annotator, backend->name, left_out);
    if (!text) return refuse(text.error(), file);
    for (const std::string& rule : left_out) report({Severity::Warning, file, {}, "left out: " + rule});
    if (Status written = write_file(out, *text); !written) return refuse(written.error(), out);
    const CheckedDescription checked = check_backend_description(*text, out);
    for (const Diagnostic& fault : checked.faults) report(fault);
    return checked.faults.empty() ? kDone : kRefused;
}

/// Writes a description as a file in Python.
int export_rules(const std::string& name, const std::string& form, const std::string& out) {
    require_known_backend("", name);
    const Result<BackendDescription> backend = load_backend(name);
    if (!backend) return refuse(backend.error());
    const Result<TvmPython> made = to_tvm_python(*backend, form);
    if (!made) return refuse(made.error(), name);
    for (const std::string& rule : made->left_out) report({Severity::Warning, name, {}, "left out: " + rule});
    if (out.empty()) print(made->text);
    else if (Status written = write_file(out, made->text); !written) return refuse(written.error(), out);
    return kDone;
}

int check(const std::string& file, bool allowed) {
    require_known_backend("", file);
    CheckedDescription checked = checked_description(file);
    for (const Diagnostic& fault : checked.faults) report(fault);
    if (!checked.description) return kRefused;
    const BackendDescription& backend = *checked.description;
    if (Status started = start_annotator(*checked.description, allowed); !started) return refuse(started.error(), file);
    if (!backend.annotator.empty() && !backend.running) {
        print(backend.name +
              ": no fault in what was read; its rules were not checked, because they are a program, which "
              "did not run: " +
              annotator_command(backend.annotator) + "\n  give --allow-commands if you trust it\n");
        return kDone;
    }
    print(checked.description->name + ": " + counted(checked.description->ops.size(), "operator") + ", " +
          counted(checked.description->patterns.size(), "pattern") + ", no fault\n");
    return kDone;
}

int run_tests(const RulesArguments& arguments) {
    require_known_backend("", arguments.description);
    Result<BackendDescription> backend = load_backend(arguments.description);
    if (!backend) return refuse(backend.error());
    if (!backend->annotator.empty() && !arguments.allowed)
        return refuse(error("its rules are a program: " + annotator_command(backend->annotator) +
                            "\n  give --allow-commands if you trust it"),
                      arguments.description);
    if (Status started = start_annotator(*backend, arguments.allowed); !started)
        return refuse(started.error(), arguments.description);
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
    return failed == 0 && !results.empty() ? kDone : kRefused;
}

void add_conversions(CLI::App& command, const std::shared_ptr<std::string>& file, const std::shared_ptr<bool>& allowed,
                     int& status) {
    CLI::App* convert_command = command.add_subcommand("convert", "write rules in Python as a description");
    auto out = std::make_shared<std::string>();
    convert_command->add_option("F.py", *file, "the file")->required();
    add_output_file(*convert_command, "-o", *out, "the description's file")->required()->type_name("F.json");
    convert_command->add_flag("--allow-commands", *allowed, "run the file");
    convert_command->callback([file, out, allowed, &status] { status = convert(*file, *out, *allowed); });
    CLI::App* export_command = command.add_subcommand("export", "write a description as rules for TVM");
    auto form = std::make_shared<std::string>("tvm-relay");
    export_command->add_option("F.json", *file, "the description's file, or the name of a built-in one")->required();
    take_one_of(export_command
                    ->add_option("--form", *form,
                                 "tvm-relay, the default: a file in Python for Relay of TVM 0.9; tvm-relax: for Relax "
                                 "of TVM 0.18")
                    ->type_name("FORM"),
                {"tvm-relay", "tvm-relax"});
    add_output_file(*export_command, "-o", *out, "the file; by default standard output")->type_name("F.py");
    export_command->callback([file, out, form, &status] { status = export_rules(*file, *form, *out); });
}

}  // namespace

void add_rules_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("rules", "check and test backend descriptions");
    command->require_subcommand(1);
    CLI::App* check_command = command->add_subcommand("check", "list all faults of a description");
    auto file = std::make_shared<std::string>();
    auto allowed = std::make_shared<bool>(false);
    check_command
        ->add_option("F.json", *file,
                     "the description's file, a file of rules in Python, or the name of a built-in one")
        ->required();
    check_command->add_flag("--allow-commands", *allowed, "run the description's annotator, which shows its faults");
    check_command->callback([file, allowed, &status] { status = check(*file, *allowed); });
    add_conversions(*command, file, allowed, status);
    add_rules_diff_command(*command, status);
    add_rules_from_command(*command, status);
    CLI::App* test =
        command->add_subcommand("test", "run the tests of a description (expect); one without tests fails");
    auto arguments = std::make_shared<RulesArguments>();
    test->add_option("F.json", arguments->description, "the description's file, or the name of a built-in one")
        ->required();
    test->add_option("--modules", arguments->module_folder,
                     "the folder that the tests' module paths start from; by default the description's")
        ->type_name("DIR");
    test->add_flag("--allow-commands", arguments->allowed, "run the description's annotator, whose rules are tested");
    test->add_flag("--json", arguments->json, "print JSON");
    test->callback([arguments, &status] { status = run_tests(*arguments); });
}

}  // namespace partita::cli
