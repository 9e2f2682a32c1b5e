// Tables of costs and placements as files.
#pragma once

#include "engine/costs/cost_table.h"
#include "engine/costs/placement_file.h"

namespace partita {

/// Returns the file in the user's cache that keeps costs between runs; `cache_folder` "" = the user's.
Result<std::string> default_cost_file(const std::string& cache_folder);
/// Reads a table; a file that does not exist gives an empty one.
Result<CostTable> load_costs(const std::string& path);
Status save_costs(const std::string& path, const CostTable& table);
/// Names the processor of this machine, as the system does; "" if it does not tell.
std::string processor_name();
/// Returns an empty table for this machine and `threads` (0: one for each core), or `kept` if that was measured so.
CostTable table_for_this_machine(CostTable kept, int threads);

Result<PlacementFile> load_placement(const std::string& path);
Status save_placement(const std::string& path, const PlacementFile& placement);
/// Applies a placement to a flow: its operators are looked for in the flow's input. Fails if some are missing, unless
/// `partly`; `notes` receives what does not fit.
Status apply_placement(const PlacementFile& placement, const std::string& path, const Module& input, bool partly,
                       FlowOptions& options, std::vector<Diagnostic>& notes);

}  // namespace partita
