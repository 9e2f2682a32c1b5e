// What `describe` (session.h) says of a decision, in a form that can be said in other languages.
#pragma once

#include "engine/session/names.h"
#include "engine/session/session.h"
#include "engine/support/sentence.h"

namespace partita {

Sentence sentence_of(const Decision& decision, const ExpressionNames& names, std::span<const BackendDescription> backends);

}  // namespace partita
