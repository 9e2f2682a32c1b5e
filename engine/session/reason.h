// Reasons that decisions carry as text ("together they would have 3 inputs, at most 2 are allowed"), in a form that can be
// said in other languages. Costs a comparison of beginnings for each known form.
#pragma once

#include <optional>
#include <string_view>

#include "engine/support/sentence.h"

namespace partita {

/// The form and the values that a reason was made of; null where the form is not known. Values may be reasons again.
std::optional<Sentence> read_reason(std::string_view text);

}  // namespace partita
