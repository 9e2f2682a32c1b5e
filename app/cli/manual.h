// The manual page, generated from the options, so that it agrees with --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace partita::cli {

/// Returns partita-cli(1) in the format of man(7), the content of resources/man/partita-cli.1.
std::string manual_page(const CLI::App& app);
/// Returns its sections about the environment and files, as --help of the program shows them.
std::string environment_help();

}  // namespace partita::cli
