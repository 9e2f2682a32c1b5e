// Conditions on a division that fail a command, and what tells continuous integration of them.
#pragma once

#include "app/cli/flow_arguments.h"
#include "engine/session/gates.h"

namespace partita::cli {

struct GateArguments {
    Gates gates;  ///< without the baseline
    std::string baseline, write_baseline, junit;
    bool github = false;
};

void add_gate_options(CLI::App& command, GateArguments& arguments);

/// Returns whether all gates hold, and --require; reports what does not, and writes the files that were asked for.
bool hold_gates(const GateArguments& arguments, const FlowArguments& flow, const FlowOutcome& outcome,
                const CoverageReport& coverage);

}  // namespace partita::cli
