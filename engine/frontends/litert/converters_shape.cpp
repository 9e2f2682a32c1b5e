// Operators that move elements.
#include "engine/frontends/litert/converter.h"

namespace partita::litert {

std::span<const ConverterEntry> shape_converters() { return {}; }

}  // namespace partita::litert
