// Operators that compute element by element, or along an axis.
#include "engine/frontends/litert/converter.h"

namespace partita::litert {

std::span<const ConverterEntry> math_converters() { return {}; }

}  // namespace partita::litert
