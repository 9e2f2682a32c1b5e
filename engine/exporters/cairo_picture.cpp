// The picture as PNG, and as PDF on pages of paper.
#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/exporters/cairo_surface.h"
#include "engine/layout/pages.h"

namespace partita {
namespace {

constexpr double kPixelsPerPoint = 2;
// Cairo's images end at 32,767 pixels; compressing a larger area takes seconds.
constexpr double kLargestSide = 32000;
constexpr double kLargestArea = 24e6;
/// A point of paper for each unit of the picture is its size on the screen.
constexpr double kNatural = 0.75;
constexpr double kPageMargin = 36;

struct SurfaceCloser {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct CairoCloser {
    void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

/// The picture with room for badges.
LayoutBox paper_of(const Picture& picture) {
    return {-kPictureMargin, -kPictureMargin, picture.width + kPictureMargin, picture.height + kPictureMargin};
}

std::vector<PagePiece> pieces_of(const Picture& picture, const LayoutBox& page) {
    std::vector<LayoutBox> nodes;
    for (const PictureNode& node : picture.nodes)
        nodes.push_back({node.place.x - node.width / 2, node.place.y - node.height / 2, node.place.x + node.width / 2,
                         node.place.y + node.height / 2});
    return divide_over_pages(std::move(nodes), paper_of(picture), page, kNatural);
}

}  // namespace

Result<std::string> write_png(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    const PictureSheet sheet = sheet_of(*picture);
    const double scale = std::min({kPixelsPerPoint, kLargestSide / std::max(sheet.width, sheet.height),
                                   std::sqrt(kLargestArea / (sheet.width * sheet.height))});
    std::unique_ptr<cairo_surface_t, SurfaceCloser> image(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, std::max(1, int(std::ceil(sheet.width * scale))),
                                   std::max(1, int(std::ceil(sheet.height * scale)))));
    if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) return cairo_fault(image.get());
    std::unique_ptr<cairo_t, CairoCloser> cairo(cairo_create(image.get()));
    cairo_set_source_rgb(cairo.get(), 1, 1, 1);
    cairo_paint(cairo.get());
    cairo_scale(cairo.get(), scale, scale);
    CairoSurface surface(cairo.get());
    draw_heading(surface, *picture, sheet.heading, subject.title);
    cairo_translate(cairo.get(), sheet.graph.x, sheet.graph.y);
    draw_picture(surface, *picture);
    std::string content;
    if (cairo_surface_write_to_png_stream(image.get(), append_to_text, &content) != CAIRO_STATUS_SUCCESS)
        return cairo_fault(image.get());
    return content;
}

Result<std::string> write_pdf(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    LayoutPoint paper = size_of(subject.paper);
    if (picture->width > picture->height) std::swap(paper.x, paper.y);
    const LayoutBox heading{kPageMargin, kPageMargin, paper.x - kPageMargin,
                            kPageMargin + heading_height(*picture, paper.x - 2 * kPageMargin)};
    const std::vector<PagePiece> pieces =
        pieces_of(*picture, {kPageMargin, heading.bottom + 6, paper.x - kPageMargin, paper.y - kPageMargin});
    PdfFile file(paper.x, paper.y);
    file.set_title(subject.title);
    CairoSurface surface(file.cairo());
    const int pages = pieces.back().page + 1;
    int page = -1;
    for (const PagePiece& piece : pieces) {
        if (subject.cancel.cancelled()) return error("cancelled");
        if (piece.page != page) {
            if (page >= 0) file.end_page();
            page = piece.page;
            const std::string number = std::to_string(page + 1) + " / " + std::to_string(pages);
            draw_heading(surface, *picture, heading, subject.title, pages > 1 ? number : std::string());
        }
        draw_piece(surface, *picture, piece);
    }
    file.end_page();
    return file.finish();
}

}  // namespace partita
