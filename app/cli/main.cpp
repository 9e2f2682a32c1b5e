// partita-cli: all that the window does, for scripts and continuous integration.
#include <csignal>
#include <iostream>
#include <new>

#include "app/cli/command.h"
#include "app/cli/manual.h"
#include "app/cli/terminal.h"
#include "engine/ir/tensor.h"

namespace partita::cli {
namespace {

constexpr const char* kDescription =
    "Partita shows and changes how a neural network is divided among compilers, and runs the result.";
constexpr const char* kFooter =
    "Exit status: 0 done; 1 the input was refused or a comparison failed (the reason is on standard error, with file,\n"
    "line and column where there is one); 2 wrong usage.";

struct ManualWanted {};

int run(int argc, char** argv) {
    CLI::App app(kDescription, "partita-cli");
    int status = kDone;
    app.footer(kFooter);
    app.set_version_flag("--version", "partita-cli " PARTITA_VERSION, "print the version and exit");
    app.require_subcommand(1);
    app.add_flag_callback("--manual", [] { throw ManualWanted(); }, "print the manual page")->group("");
    add_info_command(app, status);
    add_partition_command(app, status);
    add_explain_command(app, status);
    add_coverage_command(app, status);
    add_diff_command(app, status);
    add_run_command(app, status);
    add_compare_runs_command(app, status);
    add_report_command(app, status);
    add_render_command(app, status);
    add_export_command(app, status);
    add_bench_command(app, status);
    add_rules_command(app, status);
    add_onnx_test_command(app, status);
    try {
        app.parse(argc, argv);
    } catch (const ManualWanted&) {
        print(manual_page(app));
    } catch (const CLI::ParseError& fault) {
        if (fault.get_exit_code() == 0) return app.exit(fault, std::cout, std::cerr) == 0 ? kDone : kWrongUsage;
        std::cerr << "error: " << printable(fault.what()) << "\n";
        std::string command = app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
        std::cerr << "`partita-cli" << command << " --help` shows the usage\n";
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
    // A file that would grow beyond the limit is a failed write with a message, not the end.
    std::signal(SIGXFSZ, SIG_IGN);
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
