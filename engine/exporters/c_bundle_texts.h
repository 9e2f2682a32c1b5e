// The fixed texts of the C bundle: the program that runs it, and how it is built.
#pragma once

#include <string_view>

namespace partita {

/// main.c: makes or reads the inputs, runs the module, writes the outputs.
std::string_view c_bundle_main();
/// npy.h: NumPy's files, for main.c.
std::string_view c_bundle_npy();
/// weights.c: reads and checks weights.bin.
std::string_view c_bundle_weights();

}  // namespace partita
