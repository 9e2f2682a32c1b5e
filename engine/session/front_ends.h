// The formats that can be opened, as a table. A format is a folder under engine/frontends that makes a module of a
// file's bytes, and a row in front_ends.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/session/session.h"
#include "engine/support/source_file.h"

namespace partita {

struct FrontEnd {
    std::string_view name;     ///< "onnx"
    std::string_view title;    ///< "ONNX model"
    std::string_view endings;  ///< of files' names, apart by blanks: ".relay .txt"; "" for none of its own
    /// Returns whether a file begins as one of this format; `head` has its first bytes, all of a text.
    bool (*recognizes)(std::string_view head);
    /// One of the two is set; neither in the row of a format that is known but not read.
    Result<OpenedModule> (*open_text)(std::string_view text, const std::string& name, const OpenOptions& options);
    Result<OpenedModule> (*open_file)(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options);
    std::string_view advice = {};  ///< what to do with a format that is not read
};

/// Returns all in the order in which a file is held against them. The last of the texts recognizes any.
std::span<const FrontEnd> front_ends();
/// Returns the endings of files that can be opened: ".onnx .relay ...".
std::string readable_endings();
/// Returns whether a path ends as a file of the format does, in upper or lower case.
bool has_ending_of(const FrontEnd& front_end, std::string_view path);

/// Makes what is opened of a front end's module; verifies it where verification is on.
Result<OpenedModule> opened_as(Module module, const std::string& path);

}  // namespace partita
