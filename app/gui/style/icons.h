// Icons: outlines from resources/icons, drawn in the theme's text colour.
#pragma once

#include <algorithm>

#include <QFontMetrics>
#include <QIcon>
#include <QSize>

#include "app/gui/style/theme.h"

namespace partita {

/// `name` is a file of resources/icons without ".svg". An unknown name gives an empty icon.
QIcon themed_icon(const QString& name, const Theme& theme);
/// In rows of text a backend's square is a mark, not a button: three quarters of a line.
inline QSize swatch_size(const QFontMetrics& metrics) { return QSize(1, 1) * std::max(12, metrics.height() * 3 / 4); }
/// A square of a backend's colour for menus and lists.
QIcon backend_icon(int backend, const Theme& theme);
QIcon application_icon();
/// Makes the files of resources/ that are built into the program known to Qt. Call once before the first window.
void load_resources();

}  // namespace partita
