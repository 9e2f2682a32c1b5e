// The picture as SVG 1.1, without scripts, styles or links, so that any viewer can show it.
#include "engine/exporters/picture.h"
#include "engine/exporters/xml.h"

namespace partita {
namespace {

class SvgWriter {
public:
    explicit SvgWriter(const Picture& picture, const std::string& title) : picture_(picture) {
        double width = picture.width + 2 * kPictureMargin,
               height = picture.height + 2 * kPictureMargin + kPictureTitleRoom;
        text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        text_ += "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" + xml_number(width) +
                 "pt\" height=\"" + xml_number(height) + "pt\" viewBox=\"0 0 " + xml_number(width) + " " +
                 xml_number(height) + "\">\n";
        text_ += "<title>" + xml_text(title) + "</title>\n";
        text_ += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        text_ += "<text x=\"12\" y=\"22\" font-family=\"sans-serif\" font-size=\"13\" font-weight=\"bold\">" +
                 xml_text(shortened(clean_text(title), 120)) + "</text>\n";
        text_ += "<g transform=\"translate(" + xml_number(kPictureMargin) + " " +
                 xml_number(kPictureMargin + kPictureTitleRoom) + ")\" font-family=\"sans-serif\" font-size=\"11\">\n";
    }

    std::string write() {
        for (const PictureCluster& cluster : picture_.clusters) write_cluster(cluster);
        for (const PictureEdge& edge : picture_.edges) write_edge(edge);
        for (const PictureNode& node : picture_.nodes) write_node(node);
        return std::move(text_) + "</g>\n</svg>\n";
    }

private:
    void write_cluster(const PictureCluster& cluster) {
        const LayoutBox& box = cluster.box;
        if (box.right <= box.left) return;
        PictureColour colour = picture_colour(cluster.backend);
        text_ += "<rect x=\"" + xml_number(box.left) + "\" y=\"" + xml_number(box.top) + "\" width=\"" +
                 xml_number(box.right - box.left) + "\" height=\"" + xml_number(box.bottom - box.top) +
                 "\" rx=\"6\" fill=\"" + colour.area + "\" fill-opacity=\"0.35\" stroke=\"" + colour.line +
                 "\" stroke-dasharray=\"5 3\"/>\n";
        text_ += "<text x=\"" + xml_number(box.left + 6) + "\" y=\"" + xml_number(box.top + 13) +
                 "\" font-size=\"10\" fill=\"" + colour.line + "\">" +
                 xml_text(shortened(clean_text(cluster.label), 60)) + "</text>\n";
    }

    void write_edge(const PictureEdge& edge) {
        if (edge.points.size() < 4) return;
        text_ += "<path fill=\"none\" stroke=\"#555555\" d=\"M" + point(edge.points[0]) + " C";
        for (size_t i = 1; i < edge.points.size(); i++) text_ += (i > 1 ? " " : "") + point(edge.points[i]);
        text_ += "\"/>\n";
        std::array<LayoutPoint, 2> corners = arrow_corners(edge);
        text_ += "<path fill=\"#555555\" d=\"M" + point(edge.points.back()) + " L" + point(corners[0]) + " L" +
                 point(corners[1]) + " z\"/>\n";
    }

    void write_node(const PictureNode& node) {
        PictureColour colour = picture_colour(node.backend);
        double left = node.place.x - node.width / 2, top = node.place.y - node.height / 2;
        std::string fill = node.is_data ? "white" : colour.area;
        text_ += "<rect x=\"" + xml_number(left) + "\" y=\"" + xml_number(top) + "\" width=\"" +
                 xml_number(node.width) + "\" height=\"" + xml_number(node.height) + "\" rx=\"" +
                 (node.is_data ? "12" : "4") + "\" fill=\"" + fill + "\" stroke=\"" + colour.line + "\"/>\n";
        write_text(left + 7, top + 14, 11, "#111111", "start", node.name);
        write_text(left + 7, top + 26, 9, "#444444", "start", node.detail);
        write_text(left + node.width - 6, top + 13, 9, colour.line, "end", node.badge);
    }

    void write_text(double x, double y, int size, const char* colour, const char* anchor, const std::string& content) {
        if (content.empty()) return;
        text_ += "<text x=\"" + xml_number(x) + "\" y=\"" + xml_number(y) + "\" font-size=\"" + std::to_string(size) +
                 "\" fill=\"" + colour + "\" text-anchor=\"" + anchor + "\">" + xml_text(content) + "</text>\n";
    }

    static std::string point(const LayoutPoint& place) { return xml_number(place.x) + "," + xml_number(place.y); }

    const Picture& picture_;
    std::string text_;
};

}  // namespace

Result<std::string> write_svg(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    return SvgWriter(*picture, subject.title).write();
}

}  // namespace partita
