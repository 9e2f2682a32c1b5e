#pragma once
// What is installed with the program.

#include <filesystem>

namespace partita {

/// The folder of the file that this code is in: a program, or the module that Python loaded.
std::filesystem::path folder_of_program();

/// The folder of the libraries that the program takes; packages that bring them have further files there.
std::filesystem::path folder_of_libraries();

/// Takes the fonts beside the libraries, which packages have that bring all they need, where the machine has no
/// configuration of fonts. Sets an environment variable: called before there are threads.
void use_fonts_of_program();

}  // namespace partita
