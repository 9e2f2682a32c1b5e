// What tests of edits say about modules.
#pragma once

#include <string>

#include "engine/edits/edits.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"

namespace partita {

/// Returns the text without types and version line, for comparison.
inline std::string text_of(const Module& module) {
    RelayPrintOptions options;
    options.types = false;
    std::string text = print_relay(module, options);
    return text.substr(text.find('\n') + 1);
}

inline ExprId call_of(const Module& module, std::string_view op, int skip = 0) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* record = called_op_record(module, ExprId(i)); record && record->name == op && skip-- == 0)
            return ExprId(i);
    return {};
}

inline ExprId main_of(const Module& module) { return module.find_function("main"); }

}  // namespace partita
