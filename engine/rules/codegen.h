// The values of a description's `codegen`: the name of a backend that ships (codegens.def), "plugin:LIBRARY" or
// "command:PROGRAM ARGUMENT ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace partita {

struct BuiltinCodegen {
    const char* name;
    const char* summary;
};
std::span<const BuiltinCodegen> builtin_codegens();

inline constexpr std::string_view kLibraryPrefix = "plugin:", kCommandPrefix = "command:";

/// External code that a description names. Whoever runs it asks the user first.
enum class ForeignCode : uint8_t { None, Library, Command };
ForeignCode foreign_code(std::string_view codegen);
/// In bytes: the question for permission must show all of it.
inline constexpr size_t kLongestForeignCode = 2000;

/// Returns the codegen with a library's relative path resolved against the folder of the description's file.
std::string library_beside(const std::string& codegen, const std::string& description);

}  // namespace partita
