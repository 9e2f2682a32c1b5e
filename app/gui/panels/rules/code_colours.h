// The colours of code in the rules' editor, of both languages.
#pragma once

#include <QTextCharFormat>

#include "app/gui/style/theme.h"

namespace partita {

/// Longer lines stay plain: patterns over them would hold the window up.
inline constexpr qsizetype kLongestColouredLine = 4000;

struct CodeColours {
    explicit CodeColours(const Theme& theme)
        : key(theme.dark ? 0xff7cc0ff : 0xff0b5cad), name(theme.dark ? 0xffd7a8ff : 0xff7a3fb0),
          call(theme.dark ? 0xffffc66d : 0xff9a5b00), literal(theme.dark ? 0xff8fd694 : 0xff1d7a36) {}
    QColor key, name, call, literal;
};

inline QTextCharFormat format_of(const QColor& colour, bool bold = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (bold) format.setFontWeight(QFont::DemiBold);
    return format;
}

}  // namespace partita
