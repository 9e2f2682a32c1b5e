// Values of attributes as a text gives them, in the form that the operator's schema asks for.
#pragma once

#include "engine/ops/op.h"
#include "engine/support/diagnostic.h"

namespace partita::relay {

/// Throws SyntaxError where the value is none of the attribute's kind.
AttributeValue fitted_attribute(const OpRecord& record, const AttributeField& field, AttributeValue value,
                                SourcePosition place);

}  // namespace partita::relay
