// Options that name what a command writes. All are made here, so that one rule holds for each: before any work, a place
// that can't be written is refused, and so is a file that the command reads; a folder must exist already, except the
// last of a folder that is to be written.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "engine/support/diagnostic.h"

namespace partita::cli {

/// Thrown while options are read, for `main`: an output was refused.
struct OutputRefused {
    Diagnostic fault;
};

/// Adds an option for a file; "-" stands for standard output.
CLI::Option* add_output_file(CLI::App& command, const std::string& names, std::string& path, const std::string& help);
/// Adds an option for a folder. `prefix`: as in OwnFolder.
CLI::Option* add_output_folder(CLI::App& command, const std::string& names, std::string& path, const std::string& help,
                               const std::string& prefix = {});
/// Adds an option for a file or a folder.
CLI::Option* add_output(CLI::App& command, const std::string& names, std::string& path, const std::string& help,
                        const std::function<bool()>& is_folder);
/// Adds --force, which lets folders, and files beside an output, be replaced though they may be somebody's.
void add_force_flag(CLI::App& command, bool& force);

}  // namespace partita::cli
