// Writes a module as Relay text, byte for byte as TVM 0.9 prints it: the numbers of temporaries, names of variables,
// comments with types, attributes that differ from their defaults, metadata.
//
// Linear in the size of the text, without recursion. Functions and ifs nested deeper than the parser accepts are not
// indented further. The rules: TVM's src/printer/relay_text_printer.cc (tag v0.9.0).
#pragma once

#include <string>

#include "engine/ir/module.h"

namespace partita {

struct RelayPrintOptions {
    /// False: omits the metadata section; annotations then carry their compiler as an attribute, and the values of
    /// constants that are not scalars are lost.
    bool show_metadata = true;
    bool types = true;  ///< `/* ty=... */` after expressions of a typed module
};

std::string print_relay(const Module& module, const RelayPrintOptions& options = {});

}  // namespace partita
