// The picture of a module: positioned boxes, curves and outlined regions, ready to be drawn in any form.
//
// Calls, tuples, projections, branches and parameters that carry data are nodes; annotations, let bindings and
// constants are not drawn. Building is linear; engine/layout states the cost of the layout.
#pragma once

#include <array>

#include "engine/exporters/exporter.h"
#include "engine/layout/graph_layout.h"

namespace partita {

struct PictureNode {
    ExprId expr;
    std::string name;        ///< "nn.conv2d", "%data"; with the call's number if the subject asks for it
    std::string attributes;  ///< "kernel 3x3, pad 1"
    std::string type;        ///< "1x64x56x56 f32"
    std::string badge;       ///< the backend's name, "" for default
    int backend = -1;        ///< index of a colour; -1: default
    bool is_data = false;    ///< a parameter
    bool is_small = false;   ///< a tuple or projection
    bool is_output = false;  ///< the function's result
    bool is_group = false;   ///< several operators, drawn as one
    bool is_stack = false;   ///< a group of several blocks that are alike
    int operators = 0;       ///< that it stands for
    int cluster = -1;
    std::string shared;                            ///< of a group: "dnnl 24, default 45"; "" if nothing has a backend
    std::vector<std::pair<int, uint32_t>> shares;  ///< of a group: backends and how many operators go to each
    double width = 0, height = 0;
    LayoutPoint place;
};

struct PictureEdge {
    uint32_t from = 0, to = 0;
    std::vector<LayoutPoint> points;  ///< 3n + 1 control points of cubic curves
    bool refused = false;             ///< a merge across it was refused
};

struct PictureCluster {
    std::string label;  ///< "" for a region of one node
    int backend = -1;
    LayoutBox box;
};

struct PictureLegend {
    std::string name;
    int backend = -1;
};

struct Picture {
    std::vector<PictureNode> nodes;
    std::vector<PictureEdge> edges;
    std::vector<PictureCluster> clusters;
    std::vector<PictureLegend> legend;  ///< empty if nothing has a backend
    double width = 0, height = 0;
};

/// A font's size, in points, and weight.
struct PictureText {
    double size = 11;
    bool bold = false;
};
inline constexpr PictureText kTitleText{13, true}, kDetailText{11, false}, kBadgeText{10, true}, kRegionText{11, true};

/// Returns a backend's name as a badge has room for it: a provider's of ONNX Runtime without what all of them end in.
std::string_view badge_text(std::string_view backend);

/// Returns the picture without positions, with a node for each expression.
Picture picture_graph(const ExportSubject& subject);
/// Gives a group its size, and cuts its texts to that.
void measure_group(PictureNode& node);
/// Returns the input of the layout engine.
LayoutGraph layout_graph(const Picture& picture);
/// Returns the picture with positions; a deep graph by groups, if the subject asks for them.
Result<Picture> make_picture(const ExportSubject& subject);

/// Returns the two rear corners of an arrowhead, whose tip is the end of the curve.
std::array<LayoutPoint, 2> arrow_corners(const PictureEdge& edge);

/// Colours that colour-blind people can distinguish (Okabe and Ito, 2008), light for areas and dark for lines.
struct PictureColour {
    const char* area;
    const char* line;
    const char* on_line;  ///< text on a ground of that colour
    const char* quiet;    ///< text of second rank on the area
};
PictureColour picture_colour(int backend);

/// Returns the width of a text in a font as wide as any that a desktop uses.
double text_width(std::string_view text, const PictureText& style);
/// Returns as much of a text as has room, with an ellipsis for the rest.
std::string shortened_to(const std::string& text, const PictureText& style, double width);

/// Returns well-formed UTF-8 without control characters; invalid bytes become U+FFFD. For every form that contains
/// text.
std::string clean_text(std::string_view text);
/// Returns clean text for Markdown, with a backslash before every special character.
std::string markdown_text(std::string_view text);
/// Returns at most `limit` characters, with an ellipsis for the rest.
std::string shortened(std::string_view text, size_t limit);

}  // namespace partita
