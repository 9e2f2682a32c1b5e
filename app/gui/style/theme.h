// The colours of the window, as one plain value: light or dark, with a palette for backends that colour-blind people
// can tell apart (M. Okabe, K. Ito, "Color Universal Design", 2008). Colour never stands alone: every place that
// shows a backend's colour shows its name too.
#pragma once

#include <vector>

#include <QColor>
#include <QFont>
#include <QString>

class QApplication;

namespace partita {

enum class ThemeChoice { System, Light, Dark };
enum class PaletteChoice { OkabeIto, HighContrast };

/// The colours of one backend on the canvas.
struct BackendColours {
    QColor fill;    ///< behind a node's text
    QColor strong;  ///< strip, badge and region outline
    QColor on_strong;
    QColor quiet;  ///< text of second rank on `fill`
};

struct Theme {
    bool dark = false;
    QColor window, panel, base, text, muted_text, border, accent, on_accent;
    QColor canvas, node, node_border, edge, search_hit, refused, warning, error;
    QColor selection, focus;    ///< of no backend's colour, whichever palette is chosen
    QColor incoming, outgoing;  ///< edges of what is selected
    PaletteChoice palette = PaletteChoice::OkabeIto;
    std::vector<int> backend_slots;  ///< by index of a backend: its place in the palette; beyond them, its index
    double type_size = 1;            ///< of the window's text, in its own size: the graph's text follows

    /// `backend` is an index into the flow's list of backends; -1 is default.
    BackendColours backend_colours(int backend) const;
    /// A colour for what somebody searches for, from 0 to kTints - 1: of no backend.
    QColor tint(int index) const;
    static constexpr int kTints = 6;
    /// A colour on the scale of the heat overlay, from cold (0) to hot (1).
    QColor heat(double fraction) const;
};

Theme make_theme(bool dark, PaletteChoice palette);
/// Whether the desktop's own palette was dark when the program started.
bool system_is_dark();
/// Gives the application its style and type, before there are widgets that would have to change to them.
void prepare_look(QApplication& application, const QFont& font);
/// Gives the application the theme's palette and style sheet, and its type. A widget that has the style sheet takes it
/// on anew with each new parent: a window is built first.
void apply_look(QApplication& application, const Theme& theme, const QFont& font);
QColor blend(const QColor& over, const QColor& under, double opacity);
/// Of two colours, 1 to 21: WCAG 2.
double contrast(const QColor& a, const QColor& b);
/// White or black, so that text on this colour has a contrast of 4.5 at least; white where both have.
QColor readable_on(const QColor& background);
/// The system's font of fixed width.
QFont code_font();

}  // namespace partita
