// The differences between two modules as text: the interface of engine/diff to the window and the command line.
#pragma once

#include <string>

#include "engine/diff/module_diff.h"

namespace partita {

/// Returns a line for each difference and a summary: `- relu #3` removed, `+ tanh #4` added, `~ softmax #5: axis: 1 →
/// 0` changed. Those that are alike in the blocks of a deep model are one line, the first of them: `~ in each of 12
/// blocks: nn.softmax #31: backend: dnnl → default`. `affected`: includes operators of which only the type differs.
std::string diff_text(const ModuleDiff& diff, const Module& before, const Module& after, bool affected = false);
/// Returns the summary, such as "2 added, 1 removed, 3 changed, 40 the same".
std::string diff_summary(const ModuleDiff& diff);

}  // namespace partita
