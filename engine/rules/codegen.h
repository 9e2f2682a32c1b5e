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

/// Returns a command with those arguments resolved that name files in the folder of the description's file. What is not
/// there is seen from the current folder, as the command sees it.
std::string command_beside(const std::string& command, const std::string& description);

/// Returns the codegen with a library's relative path, or a command's files, resolved against the folder of the
/// description's file.
std::string library_beside(const std::string& codegen, const std::string& description);

}  // namespace partita
