// The picture as SVG 1.1, without scripts, styles or links, so that any viewer can show it.
#include "engine/exporters/drawing.h"
#include "engine/exporters/xml.h"

namespace partita {
namespace {

class SvgSurface : public DrawingSurface {
public:
    void box(const LayoutBox& box, double radius, const char* fill, double opacity, const LineStyle& line) override {
        text_ += "<rect" + attribute("x", box.left) + attribute("y", box.top) +
                 attribute("width", box.right - box.left) + attribute("height", box.bottom - box.top) +
                 attribute("rx", radius) + " fill=\"" + (fill ? fill : "none") + "\"";
        if (fill && opacity < 1) text_ += attribute("fill-opacity", opacity);
        text_ += stroke(line) + "/>\n";
    }

    void curve(std::span<const LayoutPoint> points, const LineStyle& line) override {
        text_ += "<path fill=\"none\" d=\"M" + point(points[0]) + " C";
        for (size_t i = 1; i < points.size(); ++i) text_ += (i > 1 ? " " : "") + point(points[i]);
        text_ += "\"" + stroke(line) + "/>\n";
    }

    void polygon(std::span<const LayoutPoint> points, const char* fill) override {
        text_ += std::string("<path fill=\"") + fill + "\" d=\"M" + point(points[0]);
        for (const LayoutPoint& place : points.subspan(1)) text_ += " L" + point(place);
        text_ += " z\"/>\n";
    }

    void text(LayoutPoint place, TextAnchor anchor, const PictureText& style, const char* colour,
              const std::string& text) override {
        if (text.empty()) return;
        text_ += "<text" + attribute("x", place.x) + attribute("y", place.y) + attribute("font-size", style.size);
        if (style.bold) text_ += " font-weight=\"bold\"";
        if (anchor != TextAnchor::Left)
            text_ += std::string(" text-anchor=\"") + (anchor == TextAnchor::Middle ? "middle" : "end") + "\"";
        text_ += std::string(" fill=\"") + colour + "\">" + xml_text(text) + "</text>\n";
    }

    const std::string& text() const { return text_; }

private:
    static std::string attribute(const char* name, double value) {
        return std::string(" ") + name + "=\"" + xml_number(value) + "\"";
    }

    static std::string stroke(const LineStyle& line) {
        if (!line.colour) return {};
        std::string text = std::string(" stroke=\"") + line.colour + "\"";
        if (line.width != 1) text += attribute("stroke-width", line.width);
        if (line.dash > 0) text += " stroke-dasharray=\"" + xml_number(line.dash) + " " + xml_number(line.gap) + "\"";
        return text;
    }

    static std::string point(const LayoutPoint& place) { return xml_number(place.x) + "," + xml_number(place.y); }

    std::string text_;
};

}  // namespace

Result<std::string> write_svg(const ExportSubject& subject) {
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    const PictureSheet sheet = sheet_of(*picture);
    SvgSurface heading, graph;
    draw_heading(heading, *picture, sheet.heading, subject.title);
    draw_picture(graph, *picture);
    const std::string width = xml_number(sheet.width), height = xml_number(sheet.height);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    text += "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" + width + "pt\" height=\"" + height +
            "pt\" viewBox=\"0 0 " + width + " " + height + "\">\n";
    text += "<title>" + xml_text(subject.title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text += "<g font-family=\"sans-serif\">\n" + heading.text() + "<g transform=\"translate(" +
            xml_number(sheet.graph.x) + " " + xml_number(sheet.graph.y) + ")\">\n" + graph.text();
    return text + "</g>\n</g>\n</svg>\n";
}

}  // namespace partita
