#include "engine/rules/codegen.h"

#include <filesystem>
#include <vector>

#include "engine/support/process.h"

namespace partita {

std::span<const BuiltinCodegen> builtin_codegens() {
    static constexpr BuiltinCodegen kCodegens[] = {
#define CODEGEN(name, make, summary) {name, summary},
#include "engine/rules/codegens.def"
#undef CODEGEN
    };
    return kCodegens;
}

ForeignCode foreign_code(std::string_view codegen) {
    if (codegen.starts_with(kLibraryPrefix)) return ForeignCode::Library;
    return codegen.starts_with(kCommandPrefix) ? ForeignCode::Command : ForeignCode::None;
}

std::string command_beside(const std::string& command, const std::string& description) {
    const size_t slash = description.rfind('/');
    if (slash == std::string::npos) return command;
    const std::vector<std::string> arguments = split_arguments(command);
    std::string resolved;
    bool changed = false;
    for (const std::string& argument : arguments) {
        const std::string beside = description.substr(0, slash + 1) + argument;
        std::error_code failure;
        // The first is the program, which is looked for in PATH.
        const bool is_file = &argument != &arguments.front() && argument[0] != '/' && argument[0] != '-' &&
                             std::filesystem::is_regular_file(beside, failure);
        changed |= is_file;
        const std::string& word = is_file ? beside : argument;
        const char quote = word.find('\'') == std::string::npos ? '\'' : '"';
        const bool plain = !word.empty() && word.find_first_of(" \t\n'\"") == std::string::npos;
        resolved += (resolved.empty() ? "" : " ") + (plain ? word : quote + word + quote);
    }
    return changed ? resolved : command;
}

std::string library_beside(const std::string& codegen, const std::string& description) {
    if (foreign_code(codegen) == ForeignCode::Command)
        return std::string(kCommandPrefix) + command_beside(codegen.substr(kCommandPrefix.size()), description);
    const size_t slash = description.rfind('/'), path = kLibraryPrefix.size();
    const bool relative =
        foreign_code(codegen) == ForeignCode::Library && codegen.size() > path && codegen[path] != '/';
    if (!relative || slash == std::string::npos) return codegen;
    return std::string(kLibraryPrefix) + description.substr(0, slash + 1) + codegen.substr(path);
}

}  // namespace partita
