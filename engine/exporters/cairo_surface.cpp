#include "engine/exporters/cairo_surface.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/support/utf8.h"

namespace partita {
namespace {

/// The first letters of East Asia: radicals of Chinese.
constexpr char32_t kFirstWide = 0x2E80;

/// Returns a font of the desktop for Chinese.
cairo_font_face_t* wide_face(bool bold) {
    FcPattern* pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    FcPatternAddString(pattern, FC_LANG, reinterpret_cast<const FcChar8*>("zh-cn"));
    FcPatternAddInteger(pattern, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
    cairo_font_face_t* face = cairo_ft_font_face_create_for_pattern(pattern);
    FcPatternDestroy(pattern);
    return face;
}

/// Returns the runs of a text, each with whether its letters are of East Asia.
std::vector<std::pair<std::string, bool>> runs_of(const std::string& text) {
    std::vector<std::pair<std::string, bool>> runs;
    for_each_letter(text, [&](std::string_view letter, char32_t code) {
        const bool wide = code >= kFirstWide && code != kNoLetter && code != 0xFFFD;
        if (runs.empty() || runs.back().second != wide) runs.push_back({"", wide});
        runs.back().first += code == kNoLetter ? "\ufffd" : letter;
    });
    return runs;
}

}  // namespace

CairoFonts::CairoFonts() : wide_(wide_face(false)), wide_bold_(wide_face(true)) {}

void CairoFonts::select(cairo_t* cairo, const PictureText& style, bool wide, bool italic, bool fixed) const {
    if (wide) cairo_set_font_face(cairo, (style.bold ? wide_bold_ : wide_).get());
    else
        cairo_select_font_face(cairo, fixed ? "monospace" : "sans-serif",
                               italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, style.size);
}

double CairoFonts::width(cairo_t* cairo, const std::string& text, const PictureText& style, bool italic,
                         bool fixed) const {
    double width = 0;
    for (const auto& [run, wide] : runs_of(text)) {
        select(cairo, style, wide, italic, fixed);
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, run.c_str(), &extents);
        width += extents.x_advance;
    }
    return width;
}

double CairoFonts::draw(cairo_t* cairo, LayoutPoint place, const std::string& text, const PictureText& style,
                        bool italic, bool fixed) const {
    double x = place.x;
    for (const auto& [run, wide] : runs_of(text)) {
        select(cairo, style, wide, italic, fixed);
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, run.c_str(), &extents);
        cairo_move_to(cairo, x, place.y);
        cairo_show_text(cairo, run.c_str());
        x += extents.x_advance;
    }
    return x - place.x;
}

void CairoSurface::set_colour(const char* colour, double opacity) {
    const unsigned value = unsigned(std::strtoul(colour + 1, nullptr, 16));
    cairo_set_source_rgba(cairo_, (value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0,
                          opacity);
}

void CairoSurface::stroke(const LineStyle& line) {
    if (!line.colour) return cairo_new_path(cairo_);
    const double dashes[] = {line.dash, line.gap};
    cairo_set_dash(cairo_, dashes, line.dash > 0 ? 2 : 0, 0);
    cairo_set_line_width(cairo_, line.width);
    set_colour(line.colour);
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, nullptr, 0, 0);
}

void CairoSurface::box(const LayoutBox& box, double radius, const char* fill, double opacity, const LineStyle& line) {
    constexpr double quarter = 1.5707963267948966;
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, box.right - radius, box.top + radius, radius, -quarter, 0);
    cairo_arc(cairo_, box.right - radius, box.bottom - radius, radius, 0, quarter);
    cairo_arc(cairo_, box.left + radius, box.bottom - radius, radius, quarter, 2 * quarter);
    cairo_arc(cairo_, box.left + radius, box.top + radius, radius, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo_);
    if (fill) {
        set_colour(fill, opacity);
        cairo_fill_preserve(cairo_);
    }
    stroke(line);
}

void CairoSurface::curve(std::span<const LayoutPoint> points, const LineStyle& line) {
    cairo_move_to(cairo_, points[0].x, points[0].y);
    for (size_t i = 1; i + 2 < points.size(); i += 3)
        cairo_curve_to(cairo_, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y, points[i + 2].x,
                       points[i + 2].y);
    stroke(line);
}

void CairoSurface::polygon(std::span<const LayoutPoint> points, const char* fill) {
    cairo_move_to(cairo_, points[0].x, points[0].y);
    for (const LayoutPoint& point : points.subspan(1)) cairo_line_to(cairo_, point.x, point.y);
    cairo_close_path(cairo_);
    set_colour(fill);
    cairo_fill(cairo_);
}

void CairoSurface::text(LayoutPoint place, TextAnchor anchor, const PictureText& style, const char* colour,
                        const std::string& text) {
    if (text.empty()) return;
    if (anchor != TextAnchor::Left)
        place.x -= fonts_.width(cairo_, text, style) * (anchor == TextAnchor::Middle ? 0.5 : 1);
    set_colour(colour);
    fonts_.draw(cairo_, place, text, style);
}

PdfFile::PdfFile(double width, double height)
    : surface_(cairo_pdf_surface_create_for_stream(append_to_text, &content_, width, height)),
      cairo_(cairo_create(surface_)) {}

PdfFile::~PdfFile() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
}

void PdfFile::set_title(const std::string& title) {
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, clean_text(title).c_str());
}

Result<std::string> PdfFile::finish() {
    cairo_surface_finish(surface_);
    if (cairo_surface_status(surface_) != CAIRO_STATUS_SUCCESS) return cairo_fault(surface_);
    return content_;
}

Diagnostic cairo_fault(cairo_surface_t* surface) {
    return error(std::string("the picture could not be drawn: ") +
                 cairo_status_to_string(cairo_surface_status(surface)));
}

cairo_status_t append_to_text(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void draw_piece(CairoSurface& surface, const Picture& picture, const PagePiece& piece) {
    cairo_t* cairo = surface.cairo();
    const double scale = (piece.target.right - piece.target.left) / (piece.part.right - piece.part.left);
    cairo_save(cairo);
    cairo_translate(cairo, piece.target.left - piece.part.left * scale, piece.target.top - piece.part.top * scale);
    cairo_scale(cairo, scale, scale);
    cairo_rectangle(cairo, piece.part.left, piece.part.top, piece.part.right - piece.part.left,
                    piece.part.bottom - piece.part.top);
    cairo_clip(cairo);
    draw_picture(surface, picture);
    cairo_restore(cairo);
}

}  // namespace partita
