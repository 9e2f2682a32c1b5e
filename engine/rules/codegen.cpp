#include "engine/rules/codegen.h"

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

std::string library_beside(const std::string& codegen, const std::string& description) {
    const size_t slash = description.rfind('/'), path = kLibraryPrefix.size();
    const bool relative =
        foreign_code(codegen) == ForeignCode::Library && codegen.size() > path && codegen[path] != '/';
    if (!relative || slash == std::string::npos) return codegen;
    return std::string(kLibraryPrefix) + description.substr(0, slash + 1) + codegen.substr(path);
}

}  // namespace partita
