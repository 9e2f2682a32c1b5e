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
    std::string output;        ///< what it wrote to standard output, as far as the limit
    std::string error_output;  ///< likewise to standard error
    bool timed_out = false;
    bool cancelled = false;
};

struct ProcessOptions {
    std::string_view input;  ///< given on standard input
    double time_limit_seconds = 60;
    size_t output_limit = size_t(64) << 20;  ///< a program that writes more is stopped
    CancelToken cancel;
};

/// Runs `arguments[0]`, looked for in PATH, and waits. It gets a process group of its own, which is killed at the time
/// limit, at the output limit and on cancel. Fails where it can't be started.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options);

/// Splits a command as it stands in an environment variable into arguments, at spaces outside quotes ('..' and "..");
/// nothing is expanded.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace partita
