// The picture of a module: boxes, curves and outlined regions with their places, ready to be drawn in any form.
//
// Calls, tuples, projections, branches and the parameters that carry data are nodes; annotations, let bindings and
// constants are looked through. Building is linear; laying out costs what engine/layout says.
#pragma once

#include <array>

#include "engine/exporters/exporter.h"
#include "engine/layout/graph_layout.h"

namespace partita {

/// Round a picture, and above it for its title; in points.
inline constexpr double kPictureMargin = 12, kPictureTitleRoom = 24;

struct PictureNode {
    ExprId expr;
    std::string name;    ///< "nn.conv2d", "%data"
    std::string detail;  ///< "(1, 64, 56, 56) float32"
    std::string badge;   ///< the backend's name, "" for default
    int backend = -1;    ///< index of a colour; -1: default
    bool is_data = false;
    int cluster = -1;
    double width = 0, height = 0;
    LayoutPoint place;
};

struct PictureEdge {
    uint32_t from = 0, to = 0;
    std::vector<LayoutPoint> points;  ///< 3n + 1 control points of cubic curves
};

struct PictureCluster {
    std::string label;
    int backend = -1;
    LayoutBox box;
};

struct Picture {
    std::vector<PictureNode> nodes;
    std::vector<PictureEdge> edges;
    std::vector<PictureCluster> clusters;
    double width = 0, height = 0;
};

/// Without places.
Picture picture_graph(const ExportSubject& subject);
/// What the layout engine is asked.
LayoutGraph layout_graph(const Picture& picture);
/// With places.
Result<Picture> make_picture(const ExportSubject& subject);

/// The two corners behind an arrow's tip, which is the curve's end.
std::array<LayoutPoint, 2> arrow_corners(const PictureEdge& edge);

/// Colours that colour-blind people can tell apart (Okabe and Ito, 2008), light for areas and dark for lines.
struct PictureColour {
    const char* area;
    const char* line;
};
PictureColour picture_colour(int backend);

/// Well-formed UTF-8 without control characters: bytes that are none become U+FFFD. For every form that holds text.
std::string clean_text(std::string_view text);
/// The same for Markdown, where every character that means something gets a backslash.
std::string markdown_text(std::string_view text);
/// At most `limit` characters, with an ellipsis for the rest.
std::string shortened(std::string_view text, size_t limit);

}  // namespace partita
