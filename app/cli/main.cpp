// partita-cli: everything that the window does, for scripts and continuous integration.
#include <csignal>
#include <iostream>
#include <new>

#include "app/cli/command.h"
#include "app/cli/end_signals.h"
#include "app/cli/manual.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/ir/tensor.h"
#include "engine/support/one_line.h"
#include "engine/support/spelling.h"

namespace partita::cli {
namespace {

constexpr const char* kDescription =
    "Partita shows and changes how a neural network is divided among compilers, and runs the result.";
constexpr const char* kFooter =
    "Exit status: 0 done; 1 the input was refused or a comparison failed (the reason is on standard error, with file,\n"
    "line and column if known); 2 wrong usage.";

struct ManualWanted {};

/// Omits "..." after options that take one value each time, because several cannot follow.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text = Formatter::make_option_opts(option);
        if (!option->get_allow_extra_args() && text.ends_with(" ...")) text.resize(text.size() - 4);
        return text;
    }
};

/// Returns an error about an unknown command; "" if a command was given.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
    if (!app.get_subcommands().empty() || argc < 2) return {};
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    const std::string_view near = nearest_spelling(argv[1], std::vector<std::string_view>(names.begin(), names.end()));
    const std::string meant = near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?";
    return "there is no command or option " + in_quotes(argv[1]) + meant;
}

int tell_usage(const CLI::App& app, const CLI::ParseError& fault, const std::string& unknown) {
    std::cerr << "error: " << printable(unknown.empty() ? fault.what() : unknown) << "\n";
    const std::string command = app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
    std::cerr << "`partita-cli" << command << " --help` shows the usage\n";
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
    add_info_command(app, status);
    add_partition_command(app, status);
    add_divide_command(app, status);
    add_check_division_command(app, status);
    add_partitioners_command(app, status);
    add_explain_command(app, status);
    add_coverage_command(app, status);
    add_diff_command(app, status);
    add_run_command(app, status);
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
    try {
        app.parse(argc, argv);
    } catch (const ManualWanted&) {
        print(manual_page(app));
    } catch (const OutputRefused& refused) {
        return refuse(refused.fault);
    } catch (const CLI::ParseError& fault) {
        if (fault.get_exit_code() == 0) app.exit(fault, std::cout, std::cerr);
        else return tell_usage(app, fault, unknown_command(app, argc, argv));
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
    partita::cli::watch_end_signals();
    try {
        return partita::cli::run(argc, argv);
    } catch (const partita::DataLost& lost) {
        partita::cli::report_error(lost.what());
        return partita::cli::kRefused;
    } catch (const std::bad_alloc&) {
        partita::cli::report_error("out of memory");
        return partita::cli::kRefused;
    }
}
