// The picture of a module: positioned boxes, curves and outlined regions, ready to be drawn in any form.
//
// Calls, tuples, projections, branches and parameters that carry data are nodes; annotations, let bindings and
// constants are not drawn. Building is linear; engine/layout states the cost of the layout.
#pragma once

#include <array>

#include "engine/exporters/exporter.h"
#include "engine/layout/graph_layout.h"

namespace partita {

/// Margin around a picture, and space above it for its title; in points.
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

/// Returns the picture without positions.
Picture picture_graph(const ExportSubject& subject);
/// Returns the input of the layout engine.
LayoutGraph layout_graph(const Picture& picture);
/// Returns the picture with positions.
Result<Picture> make_picture(const ExportSubject& subject);

/// Returns the two rear corners of an arrowhead, whose tip is the end of the curve.
std::array<LayoutPoint, 2> arrow_corners(const PictureEdge& edge);

/// Colours that colour-blind people can distinguish (Okabe and Ito, 2008), light for areas and dark for lines.
struct PictureColour {
    const char* area;
    const char* line;
};
PictureColour picture_colour(int backend);

/// Returns well-formed UTF-8 without control characters; invalid bytes become U+FFFD. For every form that contains
/// text.
std::string clean_text(std::string_view text);
/// Returns clean text for Markdown, with a backslash before every special character.
std::string markdown_text(std::string_view text);
/// Returns at most `limit` characters, with an ellipsis for the rest.
std::string shortened(std::string_view text, size_t limit);

}  // namespace partita
