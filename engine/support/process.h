// Runs another program, without a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct ProcessResult {
    int exit_status = 0;       ///< of the program, or 128 + the signal that ended it
    std::string output;        ///< its standard output, up to the limit
    std::string error_output;  ///< its standard error, likewise
    bool timed_out = false;
    bool cancelled = false;
};

struct ProcessOptions {
    std::string_view input;  ///< for standard input
    double time_limit_seconds = 60;
    size_t output_limit = size_t(64) << 20;  ///< a program that writes more is killed
    CancelToken cancel;
};

/// Runs `arguments[0]`, searched in PATH, and waits. It gets its own process group, which is killed at the time limit,
/// at the output limit and on cancel. Fails if it cannot be started.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options);

/// Splits a command from an environment variable into arguments, at spaces outside quotes ('..' and ".."), without any
/// expansion.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace partita
