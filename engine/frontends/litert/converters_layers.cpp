// Convolutions, products, pooling, normalization.
#include "engine/frontends/litert/converter.h"

namespace partita::litert {

std::span<const ConverterEntry> layer_converters() { return {}; }

}  // namespace partita::litert
