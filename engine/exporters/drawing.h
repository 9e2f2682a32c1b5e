// Draws a picture as the window shows it, by a few kinds of strokes: what each form can write.
#pragma once

#include <span>
#include <string>

#include "engine/exporters/picture.h"

namespace partita {

struct LineStyle {
    const char* colour = nullptr;  ///< null: no line
    double width = 1;
    double dash = 0, gap = 0;  ///< 0: solid
};

enum class TextAnchor : uint8_t { Left, Middle, Right };

/// What a form writes: a sheet with y downwards. Colours are "#rrggbb".
class DrawingSurface {
public:
    virtual ~DrawingSurface() = default;
    /// `fill` is null for none; `opacity` is the fill's.
    virtual void box(const LayoutBox& box, double radius, const char* fill, double opacity, const LineStyle& line) = 0;
    /// 3n + 1 control points of cubic curves.
    virtual void curve(std::span<const LayoutPoint> points, const LineStyle& line) = 0;
    virtual void polygon(std::span<const LayoutPoint> points, const char* fill) = 0;
    /// `place` is on the base line. The text is clean already.
    virtual void text(LayoutPoint place, TextAnchor anchor, const PictureText& style, const char* colour,
                      const std::string& text) = 0;
};

/// Space around a picture.
inline constexpr double kPictureMargin = 18;

/// A sheet as large as a picture with its heading.
struct PictureSheet {
    double width = 0, height = 0;
    LayoutBox heading;
    LayoutPoint graph;  ///< where the picture's own corner lies
};
PictureSheet sheet_of(const Picture& picture);

/// Returns the height of the title and, if there is one, of the legend at a width.
double heading_height(const Picture& picture, double width);
/// Draws the title and the legend at the top of a box. `right` stands opposite the title.
void draw_heading(DrawingSurface& surface, const Picture& picture, const LayoutBox& box, const std::string& title,
                  const std::string& right = {});
/// Draws the legend alone; returns its height.
double draw_legend(DrawingSurface& surface, const Picture& picture, LayoutPoint place, double width);
/// Draws the picture at its own place.
void draw_picture(DrawingSurface& surface, const Picture& picture);
/// Returns the picture without backends and regions, to be drawn on.
Picture empty_picture(Picture picture);

}  // namespace partita
