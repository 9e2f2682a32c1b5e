// Holds a lesson against its graph: the calls that it names exist, each claim is computed, each right answer is
// accepted, and each typical wrong one gets its own hint.
//
// Costs a flow for each question, hint and claim; measured claims run the graph, a second each.
#pragma once

#include "engine/lessons/lesson.h"

namespace partita {

/// Returns all faults, those of the form first. `measure`: also runs what a claim says about times.
std::vector<Diagnostic> check_lesson(std::string_view text, const std::string& file, bool measure);

}  // namespace partita
