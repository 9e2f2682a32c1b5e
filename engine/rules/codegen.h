// What a description's `codegen` may say: the name of a backend that ships (codegens.def), "plugin:LIBRARY" or
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

/// Code that a description brings along. Whoever has it run asks the user first.
enum class ForeignCode : uint8_t { None, Library, Command };
ForeignCode foreign_code(std::string_view codegen);
/// Bytes of such a codegen: whoever is asked for permission must see all of it.
inline constexpr size_t kLongestForeignCode = 2000;

/// Returns the codegen with a library's relative path as seen from the folder of the description's file.
std::string library_beside(const std::string& codegen, const std::string& description);

}  // namespace partita
