// The commands of partita-cli. Each is one file with a function that adds a subcommand to the parser. When called, the
// subcommand does its work and stores the exit status in `status`.
//
// Scripts rely on the exit statuses: 0 done; 1 the input was refused or a comparison failed; 2 wrong usage.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/support/diagnostic.h"

namespace partita::cli {

enum ExitStatus : int { kDone = 0, kRefused = 1, kWrongUsage = 2 };

/// Thrown while options are read, by a fault that names itself.
struct UsageFault {
    Diagnostic fault;
};

/// Lets an option take one of these values alone; its help names them. Returns the option.
CLI::Option* take_one_of(CLI::Option* option, const std::vector<std::string>& values);
/// "a, b or c".
std::string choice_of(const std::vector<std::string>& values);

void add_info_command(CLI::App& app, int& status);
void add_partition_command(CLI::App& app, int& status);
void add_pass_command(CLI::App& app, int& status);
void add_explain_command(CLI::App& app, int& status);
void add_coverage_command(CLI::App& app, int& status);
void add_divide_command(CLI::App& app, int& status);
void add_check_division_command(CLI::App& app, int& status);
/// Adds `backends`, `partitioners` and `formats`.
void add_list_commands(CLI::App& app, int& status);
void add_diff_command(CLI::App& app, int& status);
void add_run_command(CLI::App& app, int& status);
void add_bisect_command(CLI::App& app, int& status);
void add_compare_runs_command(CLI::App& app, int& status);
void add_place_command(CLI::App& app, int& status);
void add_report_command(CLI::App& app, int& status);
void add_render_command(CLI::App& app, int& status);
void add_export_command(CLI::App& app, int& status);
void add_bench_command(CLI::App& app, int& status);
/// Adds `rules diff` and `rules from` to `rules`.
void add_rules_diff_command(CLI::App& rules, int& status);
void add_rules_from_command(CLI::App& rules, int& status);
void add_rules_command(CLI::App& app, int& status);
void add_lessons_command(CLI::App& app, int& status);
void add_grade_command(CLI::App& app, int& status);
void add_onnx_test_command(CLI::App& app, int& status);

}  // namespace partita::cli
