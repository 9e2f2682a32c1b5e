// A drawing surface on Cairo: pixels, or pages of a PDF in memory. Text falls back to a font of the desktop that has
// Chinese, Japanese and Korean letters.
#pragma once

#include <cairo.h>

#include <memory>

#include "engine/exporters/drawing.h"
#include "engine/layout/pages.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// Fonts, kept for as long as something is drawn with them.
class CairoFonts {
public:
    CairoFonts();
    /// Selects the font of a style for a run of letters; `wide` for those of East Asia.
    void select(cairo_t* cairo, const PictureText& style, bool wide, bool italic = false, bool fixed = false) const;
    /// Returns the width of a text as it is drawn.
    double width(cairo_t* cairo, const std::string& text, const PictureText& style, bool italic = false,
                 bool fixed = false) const;
    /// Draws a text from a point on the base line; returns its width.
    double draw(cairo_t* cairo, LayoutPoint place, const std::string& text, const PictureText& style,
                bool italic = false, bool fixed = false) const;

private:
    struct FaceCloser {
        void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
    };
    using Face = std::unique_ptr<cairo_font_face_t, FaceCloser>;
    Face wide_, wide_bold_;
};

class CairoSurface : public DrawingSurface {
public:
    /// Draws with the current transformation of `cairo`, which must outlive this.
    explicit CairoSurface(cairo_t* cairo) : cairo_(cairo) {}
    void box(const LayoutBox& box, double radius, const char* fill, double opacity, const LineStyle& line) override;
    void curve(std::span<const LayoutPoint> points, const LineStyle& line) override;
    void polygon(std::span<const LayoutPoint> points, const char* fill) override;
    void text(LayoutPoint place, TextAnchor anchor, const PictureText& style, const char* colour,
              const std::string& text) override;
    void set_colour(const char* colour, double opacity = 1);
    const CairoFonts& fonts() const { return fonts_; }
    cairo_t* cairo() { return cairo_; }

private:
    void stroke(const LineStyle& line);

    cairo_t* cairo_;
    CairoFonts fonts_;
};

/// A PDF of pages of one size, in memory.
class PdfFile {
public:
    PdfFile(double width, double height);
    ~PdfFile();
    PdfFile(const PdfFile&) = delete;
    PdfFile& operator=(const PdfFile&) = delete;

    cairo_t* cairo() { return cairo_; }
    void set_title(const std::string& title);
    /// Ends a page; the next one has the same size.
    void end_page() { cairo_show_page(cairo_); }
    /// Returns the file.
    Result<std::string> finish();

private:
    std::string content_;
    cairo_surface_t* surface_;
    cairo_t* cairo_;
};

/// Returns what is wrong with a surface.
Diagnostic cairo_fault(cairo_surface_t* surface);
/// Appends to the std::string that `closure` is.
cairo_status_t append_to_text(void* closure, const unsigned char* data, unsigned int length);

/// Draws the part of a picture that one page shows.
void draw_piece(CairoSurface& surface, const Picture& picture, const PagePiece& piece);

}  // namespace partita
