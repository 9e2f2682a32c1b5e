// Options of commands that run a module: the values of its inputs, and how far results may differ.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/session/divide.h"

namespace partita::cli {

/// Adds --input; a value is NAME=F.npy, or F.npz.
void add_input_option(CLI::App& command, std::vector<std::string>& inputs);
/// Adds --tolerance.
void add_tolerance_option(CLI::App& command, double& tolerance);

/// Reads the values given by --input, and those that a project names for other inputs, by the parameters' own names.
Result<std::map<std::string, Tensor>> read_run_inputs(const std::vector<std::string>& inputs,
                                                      const OpenedInput& opened);

}  // namespace partita::cli
