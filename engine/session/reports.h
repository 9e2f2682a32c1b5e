// What other programs said of a file that is open: their profiles, logs and dumps, matched to its nodes.
#pragma once

#include <string>
#include <vector>

#include "engine/frontends/program_report.h"
#include "engine/session/divide.h"

namespace partita {

struct ReadReport {
    std::string file, kind;
    bool has_times = false;
    MatchedReport matched;
};

/// Reads files about the opened one, in order. Fails with what is wrong with the first that can't be read, or that is
/// about another model.
Result<std::vector<ReadReport>> read_reports(const OpenedInput& opened, const std::vector<std::string>& files);

}  // namespace partita
