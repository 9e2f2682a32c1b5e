// What Python's classes hold besides a module that was read (OpenedInput) and a backend: a module that was divided. All
// of them are values that do not change; any thread may use them.
#pragma once

#include <memory>
#include <string>

#include "engine/session/divide.h"
#include "engine/session/export.h"

namespace partita::python {

struct Division {
    std::shared_ptr<const OpenedInput> opened;
    Divided divided;
    std::vector<Diagnostic> notes;
    bool allow_commands = false;

    const FlowResult& flow() const { return divided.result; }
    const std::vector<BackendDescription>& backends() const { return divided.options.backends; }
};

/// Returns the name of the module's file, for titles.
inline std::string title_of(const OpenedInput& opened) { return opened.path.substr(opened.path.rfind('/') + 1); }

/// What messages call the parameters of Module.partition.
inline const DivideWords& divide_words() {
    static const DivideWords words{"backends", "overrides", "allow_commands=True", "give no backends"};
    return words;
}

}  // namespace partita::python
