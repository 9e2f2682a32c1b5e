#include "engine/layout/free_corner.h"

#include <algorithm>

namespace partita {
namespace {

constexpr double kOutside = 5;     ///< how far a label reaches beyond the node's side
constexpr double kFromMiddle = 8;  ///< edges mostly leave at the middle
constexpr double kClearance = 2;
constexpr double kInset = 5;  ///< of a label inside

LayoutPoint point_of(const EdgeEnd& curve, double t) {
    const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return {curve[0].x * a + curve[1].x * b + curve[2].x * c + curve[3].x * d,
            curve[0].y * a + curve[1].y * b + curve[2].y * c + curve[3].y * d};
}

bool runs_through(const EdgeEnd& curve, const LayoutBox& box) {
    constexpr int kSamples = 24;
    for (int i = 0; i <= kSamples; ++i) {
        const LayoutPoint point = point_of(curve, double(i) / kSamples);
        if (point.x > box.left - kClearance && point.x < box.right + kClearance && point.y > box.top - kClearance &&
            point.y < box.bottom + kClearance)
            return true;
    }
    return false;
}

}  // namespace

LayoutBox free_corner(const LayoutBox& node, double width, double height, double free_from,
                      std::span<const EdgeEnd> edges) {
    const double middle = (node.left + node.right) / 2;
    const double right = std::max(node.right - width + kOutside, middle + kFromMiddle);
    const auto corner = [&](double y) { return LayoutBox{right, y - height / 2, right + width, y + height / 2}; };
    const LayoutBox lower = corner(node.bottom), upper = corner(node.top);
    const auto is_free = [edges](const LayoutBox& corner) {
        return std::none_of(edges.begin(), edges.end(),
                            [&](const EdgeEnd& edge) { return runs_through(edge, corner); });
    };
    if (is_free(lower)) return lower;
    const LayoutBox inside{node.right - width - kInset, node.top + kInset, node.right - kInset,
                           node.top + kInset + height};
    if (inside.left > free_from + kInset) return inside;
    return is_free(upper) ? upper : lower;
}

}  // namespace partita
