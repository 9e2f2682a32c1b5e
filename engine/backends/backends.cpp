#include "engine/backends/backends.h"

#include "engine/rules/codegen.h"

namespace partita {

std::unique_ptr<Backend> make_backend(std::string_view codegen) {
#define CODEGEN(name, make, summary) \
    if (codegen == name) return make();
#include "engine/rules/codegens.def"
#undef CODEGEN
    return foreign_code(codegen) != ForeignCode::None ? make_plugin_backend(codegen) : nullptr;
}

}  // namespace partita
