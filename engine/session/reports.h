// What other programs said of a file that is open: their profiles, logs and dumps, matched to its nodes, and the
// division that they tell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/division/division.h"
#include "engine/flow/reported_division.h"
#include "engine/frontends/program_report.h"
#include "engine/session/file_graph.h"

namespace partita {

struct ReadReport {
    std::string file, kind, program;
    bool has_times = false;
    MatchedReport matched;
};

/// Reports, and the nodes of the file that they are about.
struct Reports {
    std::vector<ReadReport> read;
    std::shared_ptr<const FileGraph> file;
    ReportedPtr reported;  ///< what all say; its nodes are those of the file. Of what two say the first counts
    Division division;     ///< of the file's graph: what was made one, and neighbours on one backend
};

/// Reads files about the opened one, in order. Fails with what is wrong with the first that can't be read, or that is
/// about another model.
Result<std::shared_ptr<const Reports>> read_reports(const OpenedInput& opened, const std::vector<std::string>& files);

}  // namespace partita
