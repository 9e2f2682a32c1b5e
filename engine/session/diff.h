// What is different between two modules, for people: the face of engine/diff to the window and the command line.
#pragma once

#include <string>

#include "engine/diff/module_diff.h"

namespace partita {

/// `- relu #3` removed, `+ tanh #4` added, `~ softmax #5: axis: 1 → 0` changed; at the end a line that counts.
/// `affected`: also those of which only the type differs.
std::string diff_text(const ModuleDiff& diff, const Module& before, const Module& after, bool affected = false);
/// "2 added, 1 removed, 3 changed, 40 the same".
std::string diff_summary(const ModuleDiff& diff);

}  // namespace partita
