// What a file, or a text, is when it is opened: module, choice, bookmarks and runs. Made on a worker.
#pragma once

#include "app/gui/document/document.h"

namespace partita {

struct OpenedDocument {
    Status read = Nothing();  ///< why there is nothing else
    OpenedState state;
    bool has_choice = false;  ///< of a project, or of who gave the text
    FlowChoice of_module;     ///< of a module that is no project's: only what the module itself names
    std::string recovers;     ///< of a project
    bool differs = false;     ///< from the project, for other dimensions were chosen
};

/// The files that can be opened, for a file dialog.
QString filter_of_modules();
/// A module's file. Annotations in a text without its metadata section don't say for which compiler they are: then they
/// are taken to be for `compiler`, if that is not empty, and a note says so.
Result<OpenedModule> open_model(const QString& path, const std::string& compiler, const Dimensions& dimensions,
                                const CancelToken& cancel);
/// A module's file or a project. `chosen` comes before what the project says, and that before `remembered`.
OpenedDocument open_document(const QString& path, const std::string& compiler, const DimensionsByFile& remembered,
                             const Dimensions& chosen, const CancelToken& cancel);
/// A text that stands in no file, to be divided among `backends`.
OpenedDocument read_document(const QString& text, const QString& title, const std::vector<BackendPtr>& backends,
                             const CancelToken& cancel);
/// A file's module; of a project, as its choices divide it: annotated, and merged where it merges.
Result<ModulePtr> read_to_compare(const QString& path, const CancelToken& cancel);

}  // namespace partita
