// A run in the Chrome trace event format, for chrome://tracing, Perfetto and similar viewers ("Trace Event Format",
// Google 2016: complete events, times in microseconds).
#pragma once

#include <functional>
#include <string>

#include "engine/runtime/run.h"

namespace partita {

/// Returns the JSON text of the last run's events: regions in one row, their ops below them, compiling and each thread
/// of the pool in rows of their own. `number`: of the call that an operator's event came from; 0: it has none.
std::string chrome_trace(const RunReport& report, const std::function<uint32_t(ExprId)>& number = {});

}  // namespace partita
