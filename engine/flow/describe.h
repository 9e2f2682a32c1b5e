// The decisions of the flow, in words.
#pragma once

#include <span>
#include <string>

#include "engine/flow/names.h"
#include "engine/ir/decision_log.h"
#include "engine/rules/backend_description.h"
#include "engine/support/sentence.h"

namespace partita {

/// Returns the names on a path, with what leads from each to the next; shortens a long one.
Sentence path_sentence(std::span<const ExprId> path, std::span<const PathHop> hops, const ExpressionNames& names);
/// Returns why the match of a refused pattern became no composite.
Sentence refusal_sentence(const Decision& decision, const ExpressionNames& names);
/// Returns the sentence in a translatable form.
Sentence sentence_of(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends);
/// Returns the sentence in English. The second form numbers the names of `input` at each call: use it for single
/// decisions.
std::string describe(const Decision& decision, const ExpressionNames& names,
                     std::span<const BackendDescription> backends);
std::string describe(const Decision& decision, const Module& input, std::span<const BackendDescription> backends);

}  // namespace partita
