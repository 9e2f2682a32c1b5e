// Completion for shells, generated from the options, so that it agrees with --help and the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace partita::cli {

/// The name of a check that only these values pass: by it they stand in the parser's table.
std::string name_of_choice(const std::vector<std::string>& values);

/// Returns the script for `shell`: bash, zsh or fish.
std::string completion_script(CLI::App& app, const std::string& shell);

}  // namespace partita::cli
