// What other programs said of a file, as text and as JSON.
#pragma once

#include <span>

#include "app/cli/json.h"
#include "engine/flow/names.h"
#include "engine/session/reports.h"

namespace partita::cli {

/// Returns, for each report, what was matched, nodes and times by backend, and what was not matched.
std::string reports_text(const Reports& reports);
/// Returns a table: where each call's node was, its time, and why.
std::string reported_calls_text(const Reports& reports, const ExpressionNames& names, std::span<const ExprId> calls);
/// Returns a list with one object for each report.
Json reports_json(const Reports& reports);

}  // namespace partita::cli
