// ExecuTorch's programs (`.pte`, schema/program.fbs of ExecuTorch cff6f4d) as plain graphs: kernels and delegates in
// the order in which they run. What a delegate does inside, names and source lines are not in the file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/support/diagnostic.h"
#include "engine/support/source_file.h"

namespace partita {

struct PteImport {
    Graph graph;
    std::vector<Diagnostic> notes;
};

/// Reads the method `forward`, else the first that has instructions.
Result<PteImport> import_pte(const std::shared_ptr<const SourceFile>& file);
/// Reads a file of weights (`.ptd`): a value for each.
Result<PteImport> import_ptd(const std::shared_ptr<const SourceFile>& file);

bool looks_like_pte(std::string_view bytes);
bool looks_like_ptd(std::string_view bytes);

}  // namespace partita
