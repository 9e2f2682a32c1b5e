// A module with one text wherever a file can contain a name or a text: marks of regions, a sub-function's compiler and
// symbol, a composite and its pattern.
#pragma once

#include <QByteArray>

namespace partita::testing {

/// `literal`: the text as a Relay string, with its quotes.
inline QByteArray module_naming(const QByteArray& literal) {
    return "#[version = \"0.0.5\"]\n"
           "def @part(%a: Tensor[(2, 3), float32], Compiler=" +
           literal + ", Primitive=1, Inline=1, global_symbol=" + literal +
           ") {\n  nn.relu(%a)\n}\n\n"
           "def @main(%x: Tensor[(2, 3), float32]) {\n"
           "  %0 = annotation.compiler_begin(%x, compiler=" +
           literal +
           ");\n"
           "  %1 = exp(%0);\n"
           "  %2 = annotation.compiler_end(%1, compiler=" +
           literal +
           ");\n"
           "  %3 = @part(%2);\n"
           "  %4 = fn (%p: Tensor[(2, 3), float32], Composite=" +
           literal + ", PartitionedFromPattern=" + literal +
           ") {\n    tanh(%p)\n  };\n"
           "  %4(%3)\n}\n";
}

}  // namespace partita::testing
