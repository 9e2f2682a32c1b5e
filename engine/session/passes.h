// The passes by their names, each alone from one module to another: for a person who wants to see what a pass does.
#pragma once

#include <span>
#include <string_view>

#include "engine/rules/backend_description.h"

namespace partita {

struct NamedPass {
    std::string_view name, title;
    bool asks_backends;
    Result<Module> (*run)(const Module& module, std::span<const BackendDescription> backends);
};

/// Returns the passes in the order in which a division runs them.
std::span<const NamedPass> named_passes();
/// Returns null if there is none of that name.
const NamedPass* find_pass(std::string_view name);

}  // namespace partita
