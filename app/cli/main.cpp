// partita-cli: everything that the window does, for scripts and continuous integration.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

#include "app/cli/command.h"
#include "app/cli/completion.h"
#include "app/cli/end_signals.h"
#include "app/cli/manual.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "app/cli/waiting.h"
#include "engine/ir/tensor.h"
#include "engine/support/one_line.h"
#include "engine/support/program_files.h"
#include "engine/support/spelling.h"

namespace partita::cli {
namespace {

constexpr const char* kDescription =
    "Partita shows and changes how a neural network is divided among compilers, and runs the result.";
constexpr const char* kFooter =
    "Exit status: 0 done; 1 the input was refused or a comparison failed (the reason is on standard error, with file,\n"
    "line and column if known); 2 wrong usage.";

struct ManualWanted {};
struct CompletionWanted {
    std::string shell;
};

}  // namespace

std::string choice_of(const std::vector<std::string>& values) {
    std::string text;
    for (size_t i = 0; i < values.size(); ++i)
        text += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + values[i];
    return text;
}

CLI::Option* take_one_of(CLI::Option* option, const std::vector<std::string>& values) {
    const std::string said = option->get_description();
    const bool named = std::all_of(values.begin(), values.end(),
                                   [&](const std::string& value) { return said.find(value) != std::string::npos; });
    if (!named) option->description(said + ": " + choice_of(values));
    const auto check = [values](const std::string& text) {
        if (std::find(values.begin(), values.end(), text) != values.end()) return std::string();
        const std::string_view near =
            nearest_spelling(text, std::vector<std::string_view>(values.begin(), values.end()));
        return "expects " + choice_of(values) + ", not " + in_quotes(text) +
               (near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?");
    };
    return option->check(check, "", name_of_choice(values));
}

namespace {

/// Omits "..." after options that take one value each time, because several cannot follow.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text = Formatter::make_option_opts(option);
        if (!option->get_allow_extra_args() && text.ends_with(" ...")) text.resize(text.size() - 4);
        return text;
    }
};

std::string meant(std::string_view word, const std::vector<std::string>& names) {
    const std::string_view near = nearest_spelling(word, std::vector<std::string_view>(names.begin(), names.end()));
    return near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?";
}

std::vector<std::string> commands_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_name().empty()) names.push_back(command->get_name());
    return names;
}

/// The options of a command and of the groups in it.
std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    for (const CLI::App* group : app.get_subcommands([](const CLI::App* inner) { return inner->get_name().empty(); }))
        for (std::string& name : options_of(*group)) names.push_back(std::move(name));
    return names;
}

/// The command that the arguments name, as words and as the parser has it.
struct NamedCommand {
    const CLI::App* app;
    std::string words;  ///< " rules check"
    int next = 1;       ///< the argument after it
};

NamedCommand named_command(const CLI::App& app, int argc, char** argv) {
    NamedCommand named{&app, "", 1};
    for (bool found = true; found && named.next < argc;) {
        found = false;
        for (const CLI::App* inner : named.app->get_subcommands([](const CLI::App*) { return true; })) {
            if (inner->get_name().empty() || inner->get_name() != argv[named.next]) continue;
            named.app = inner;
            named.words += " " + inner->get_name();
            ++named.next;
            found = true;
            break;
        }
    }
    return named;
}

/// Says what is wrong where a word is not known, or none is given; "" where the parser's own words say it.
std::string unknown_word(const CLI::App& app, const NamedCommand& named, const CLI::ParseError& fault, int argc,
                         char** argv) {
    const std::vector<std::string> commands = commands_of(*named.app);
    const std::string of = named.words.empty() ? "" : " of" + named.words;
    if (!commands.empty() && named.next >= argc) return "give a command" + of + ": " + choice_of(commands);
    if (!commands.empty() && argv[named.next][0] != '-')
        return "there is no command" + (named.words.empty() ? " or option " : named.words + " ") +
               in_quotes(argv[named.next]) + meant(argv[named.next], commands) +
               (named.words.empty() ? "" : "; there are " + choice_of(commands));
    if (fault.get_exit_code() != int(CLI::ExitCodes::ExtrasError)) return {};
    const std::vector<std::string> left = app.remaining(true);
    for (int i = named.next; i < argc; ++i) {
        const std::string word = argv[i];
        if (std::find(left.begin(), left.end(), word) == left.end()) continue;
        if (word[0] != '-') return "there is one argument too many" + of + ": " + in_quotes(word);
        const std::string name = word.substr(0, word.find('='));
        return "there is no option " + in_quotes(name) + of + meant(name, options_of(*named.app));
    }
    return {};
}

int tell_usage(const CLI::App& app, const CLI::ParseError& fault, int argc, char** argv) {
    const NamedCommand named = named_command(app, argc, argv);
    const std::string unknown = unknown_word(app, named, fault, argc, argv);
    std::cerr << "error: " << printable(unknown.empty() ? fault.what() : unknown) << "\n";
    std::cerr << "`partita-cli" << named.words << " --help` shows the usage\n";
    return kWrongUsage;
}

int run(int argc, char** argv) {
    CLI::App app(kDescription, "partita-cli");
    int status = kDone;
    app.footer(kFooter);
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", "partita-cli " PARTITA_VERSION, "print the version and exit");
    app.require_subcommand(1);
    app.add_flag_callback(
           "--manual", [] { throw ManualWanted(); }, "print the manual page")
        ->group("");
    take_one_of(app.add_option_function<std::string>(
                       "--completion", [](const std::string& shell) { throw CompletionWanted{shell}; },
                       "print the script that completes commands, options and values in a shell")
                    ->type_name("SHELL"),
                {"bash", "zsh", "fish"});
    add_info_command(app, status);
    add_partition_command(app, status);
    add_pass_command(app, status);
    add_divide_command(app, status);
    add_check_division_command(app, status);
    add_list_commands(app, status);
    add_explain_command(app, status);
    add_coverage_command(app, status);
    add_diff_command(app, status);
    add_run_command(app, status);
    add_bisect_command(app, status);
    add_compare_runs_command(app, status);
    add_place_command(app, status);
    add_report_command(app, status);
    add_render_command(app, status);
    add_export_command(app, status);
    add_bench_command(app, status);
    add_rules_command(app, status);
    add_lessons_command(app, status);
    add_grade_command(app, status);
    add_onnx_test_command(app, status);
    app.footer(environment_help() + kFooter);
    try {
        const Waiting waiting("partita-cli" + named_command(app, argc, argv).words);
        app.parse(argc, argv);
    } catch (const ManualWanted&) {
        print(manual_page(app));
    } catch (const CompletionWanted& wanted) {
        print(completion_script(app, wanted.shell));
    } catch (const OutputRefused& refused) {
        return refuse(refused.fault);
    } catch (const CLI::ParseError& fault) {
        if (fault.get_exit_code() == 0) app.exit(fault, std::cout, std::cerr);
        else return tell_usage(app, fault, argc, argv);
    } catch (const UsageFault& wrong) {
        report(wrong.fault);
        return kWrongUsage;
    }
    std::cout.flush();
    if (!std::cout) {
        report_error("can't write standard output");
        return kRefused;
    }
    return status;
}

}  // namespace
}  // namespace partita::cli

int main(int argc, char** argv) {
    // A write beyond the file size limit fails with a message and does not kill the process.
    std::signal(SIGXFSZ, SIG_IGN);
    partita::use_fonts_of_program();
    partita::cli::watch_end_signals();
    try {
        return partita::cli::run(argc, argv);
    } catch (const partita::DataLost& lost) {
        partita::cli::report_error(lost.what());
        return partita::cli::kRefused;
    } catch (const std::bad_alloc&) {
        partita::cli::report_error("out of memory");
        return partita::cli::kRefused;
    } catch (const std::exception& fault) {
        partita::cli::report_error(std::string("a fault of the program, please report it: ") + fault.what());
        return partita::cli::kRefused;
    }
}
