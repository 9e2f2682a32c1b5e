// Converts attribute values of a text to the form that the operator's schema requires.
#pragma once

#include "engine/ops/op.h"
#include "engine/support/diagnostic.h"

namespace partita::relay {

/// Throws SyntaxError if the value is not of the attribute's kind.
AttributeValue fitted_attribute(const OpRecord& record, const AttributeField& field, AttributeValue value,
                                SourcePosition place);

}  // namespace partita::relay
