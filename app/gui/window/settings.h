// What the program remembers from one start to the next.
#pragma once

#include <optional>

#include <QStringList>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

namespace partita {

struct Settings {
    ThemeChoice theme = ThemeChoice::System;
    /// From the command line, in place of `theme` until another one is chosen; never stored.
    std::optional<ThemeChoice> theme_of_this_start;
    PaletteChoice palette = PaletteChoice::OkabeIto;
    CanvasOptions canvas;
    RunRequest run;
    double text_scale = 1;                ///< of all text in the window, and of the graph's where one does not zoom
    QString language;                     ///< of the window from the next start on; "": the system's
    QString compiler, compiler_flags;     ///< of the backend ccompiler; "": the program's defaults
    std::optional<QStringList> backends;  ///< names and files, in order; nothing: nobody chose any
    QStringList recent_files;
    QStringList backend_files;    ///< descriptions that were in use lately, the latest first
    DimensionsByFile dimensions;  ///< of ONNX models that leave some open

    static Settings load();
    /// False where they can't be written: they hold for this start then.
    bool save() const;
    /// Tells the engine of the compiler. Not while something compiles.
    void applyCompiler() const;
    /// Puts a file in front of the recent ones.
    void remember(const QString& path);
    void rememberBackendFile(const QString& path);
};

}  // namespace partita
