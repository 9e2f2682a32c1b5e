// The picture as PNG and PDF, drawn with Cairo into memory.
#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "engine/exporters/picture.h"

namespace partita {
namespace {

constexpr double kPixelsPerPoint = 2;
// Cairo's images end at 32,767 pixels; compressing a larger area takes seconds.
constexpr double kLargestSide = 32000;
constexpr double kLargestArea = 24e6;

struct SurfaceCloser {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceCloser>;

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

class Painter {
public:
    Painter(cairo_surface_t* surface, double scale) : cairo_(cairo_create(surface)) {
        cairo_scale(cairo_, scale, scale);
        cairo_set_line_width(cairo_, 1);
    }
    ~Painter() { cairo_destroy(cairo_); }
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    void paint(const Picture& picture, const std::string& title) {
        cairo_set_source_rgb(cairo_, 1, 1, 1);
        cairo_paint(cairo_);
        text(kPictureMargin, kPictureMargin + 10, 13, "#111111", shortened(clean_text(title), 120), false);
        cairo_translate(cairo_, kPictureMargin, kPictureMargin + kPictureTitleRoom);
        for (const PictureCluster& cluster : picture.clusters) paint(cluster);
        for (const PictureEdge& edge : picture.edges) paint(edge);
        for (const PictureNode& node : picture.nodes) paint(node);
        cairo_show_page(cairo_);
    }

private:
    void colour(const char* code, double opacity = 1) {
        unsigned value = unsigned(std::strtoul(code + 1, nullptr, 16));
        cairo_set_source_rgba(cairo_, (value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0,
                              opacity);
    }

    void rounded_box(double left, double top, double right, double bottom, double radius) {
        constexpr double quarter = 1.5707963267948966;
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, right - radius, top + radius, radius, -quarter, 0);
        cairo_arc(cairo_, right - radius, bottom - radius, radius, 0, quarter);
        cairo_arc(cairo_, left + radius, bottom - radius, radius, quarter, 2 * quarter);
        cairo_arc(cairo_, left + radius, top + radius, radius, 2 * quarter, 3 * quarter);
        cairo_close_path(cairo_);
    }

    void text(double x, double y, double size, const char* code, const std::string& content, bool to_the_left) {
        if (content.empty()) return;
        cairo_select_font_face(cairo_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(cairo_, size);
        if (to_the_left) {
            cairo_text_extents_t extents;
            cairo_text_extents(cairo_, content.c_str(), &extents);
            x -= extents.x_advance;
        }
        colour(code);
        cairo_move_to(cairo_, x, y);
        cairo_show_text(cairo_, content.c_str());
    }

    void paint(const PictureCluster& cluster) {
        const LayoutBox& box = cluster.box;
        if (box.right <= box.left) return;
        PictureColour colours = picture_colour(cluster.backend);
        rounded_box(box.left, box.top, box.right, box.bottom, 6);
        colour(colours.area, 0.35);
        cairo_fill_preserve(cairo_);
        const double dashes[] = {5, 3};
        cairo_set_dash(cairo_, dashes, 2, 0);
        colour(colours.line);
        cairo_stroke(cairo_);
        cairo_set_dash(cairo_, nullptr, 0, 0);
        text(box.left + 6, box.top + 13, 10, colours.line, shortened(clean_text(cluster.label), 60), false);
    }

    void paint(const PictureEdge& edge) {
        if (edge.points.size() < 4) return;
        const auto& points = edge.points;
        cairo_move_to(cairo_, points[0].x, points[0].y);
        for (size_t i = 1; i + 2 < points.size(); i += 3) {
            cairo_curve_to(cairo_, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y, points[i + 2].x,
                           points[i + 2].y);
        }
        colour("#555555");
        cairo_stroke(cairo_);
        cairo_move_to(cairo_, points.back().x, points.back().y);
        for (const LayoutPoint& corner : arrow_corners(edge)) cairo_line_to(cairo_, corner.x, corner.y);
        cairo_close_path(cairo_);
        cairo_fill(cairo_);
    }

    void paint(const PictureNode& node) {
        PictureColour colours = picture_colour(node.backend);
        double left = node.place.x - node.width / 2, top = node.place.y - node.height / 2;
        double right = left + node.width, bottom = top + node.height;
        rounded_box(left, top, right, bottom, node.is_data ? 12 : 4);
        colour(node.is_data ? "#ffffff" : colours.area);
        cairo_fill_preserve(cairo_);
        colour(colours.line);
        cairo_stroke(cairo_);
        text(left + 7, top + 14, 11, "#111111", node.name, false);
        text(left + 7, top + 26, 9, "#444444", node.detail, false);
        text(right - 6, top + 13, 9, colours.line, node.badge, true);
    }

    cairo_t* cairo_;
};

Diagnostic fault_of(cairo_surface_t* surface) {
    return error(std::string("the picture could not be drawn: ") +
                 cairo_status_to_string(cairo_surface_status(surface)));
}

}  // namespace

Result<std::string> write_png(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    double width = picture->width + 2 * kPictureMargin,
           height = picture->height + 2 * kPictureMargin + kPictureTitleRoom;
    double scale =
        std::min({kPixelsPerPoint, kLargestSide / std::max(width, height), std::sqrt(kLargestArea / (width * height))});
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, std::max(1, int(width * scale)),
                                               std::max(1, int(height * scale))));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return fault_of(surface.get());
    Painter(surface.get(), scale).paint(*picture, subject.title);
    std::string content;
    if (cairo_surface_write_to_png_stream(surface.get(), append, &content) != CAIRO_STATUS_SUCCESS) {
        return fault_of(surface.get());
    }
    return content;
}

Result<std::string> write_pdf(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    double width = picture->width + 2 * kPictureMargin,
           height = picture->height + 2 * kPictureMargin + kPictureTitleRoom;
    // A PDF page has at most 14,400 units a side (ISO 32000-1, annex C).
    double scale = std::min(1.0, 14400 / std::max(width, height));
    std::string content;
    Surface surface(cairo_pdf_surface_create_for_stream(append, &content, width * scale, height * scale));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return fault_of(surface.get());
    Painter(surface.get(), scale).paint(*picture, subject.title);
    cairo_surface_finish(surface.get());
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return fault_of(surface.get());
    return content;
}

}  // namespace partita
