#include "engine/layout/pages.h"

#include <algorithm>
#include <cmath>

namespace partita {
namespace {

// Of the size on the screen: the smallest that can be read, about 5 points, the largest that saves paper, and the
// largest of a small picture.
constexpr double kReadable = 0.55, kComfortable = 0.8, kLargest = 1.25;
constexpr int kMostPages = 100;
constexpr double kBadge = 14;  ///< above a node

double width_of(const LayoutBox& box) { return box.right - box.left; }
double height_of(const LayoutBox& box) { return box.bottom - box.top; }

class PageDivider {
public:
    PageDivider(std::vector<LayoutBox> nodes, const LayoutBox& picture, const LayoutBox& page)
        : nodes_(std::move(nodes)), picture_(picture), page_(page) {
        std::sort(nodes_.begin(), nodes_.end(), [](const LayoutBox& a, const LayoutBox& b) { return a.top < b.top; });
        for (const LayoutBox& node : nodes_) tallest_ = std::max(tallest_, height_of(node));
    }

    std::vector<PagePiece> divide(double scale) const {
        const double width = width_of(page_) / scale, height = height_of(page_) / scale;
        const int columns = std::max(1, int(std::ceil(width_of(picture_) / width - 1e-6)));
        const int side_by_side = columns > 1 ? 1 : std::max(1, int(width / width_of(picture_)));
        std::vector<PagePiece> pieces;
        int bands = 0, pages = 0;
        for (double top = picture_.top; top < picture_.bottom - 1; ++bands) {
            const double bottom = picture_.bottom - top <= height + 1 ? picture_.bottom : cut_below(top, height);
            for (int column = 0; column < columns; ++column) {
                const double left = picture_.left + column * width;
                const LayoutBox part{left, top, left + std::min(width, picture_.right - left), bottom};
                const double middle = (bands % side_by_side + 0.5) * width_of(page_) / side_by_side;
                const double x = columns > 1 ? 0 : middle - width_of(part) * scale / 2;
                if (columns > 1 && !shows_node(part)) continue;  // a page of lines that pass by, or of nothing
                pieces.push_back({part,
                                  columns > 1 ? pages++ : bands / side_by_side,
                                  {page_.left + x, page_.top, page_.left + x + width_of(part) * scale,
                                   page_.top + height_of(part) * scale}});
            }
            if (!pieces.empty() && pieces.back().page >= kMostPages) break;
            top = bottom;
        }
        return pieces;
    }

private:
    bool shows_node(const LayoutBox& part) const {
        const auto first = std::lower_bound(nodes_.begin(), nodes_.end(), part.top - tallest_,
                                            [](const LayoutBox& node, double y) { return node.top < y; });
        for (auto node = first; node != nodes_.end() && node->top < part.bottom; ++node)
            if (node->bottom > part.top && node->right > part.left && node->left < part.right) return true;
        return false;
    }

    /// Where to cut at most `height` below `top`: above the nodes that the cut would go through, if that leaves a half.
    double cut_below(double top, double height) const {
        double cut = top + height;
        for (bool through = true; through;) {
            double above = cut;
            const auto first = std::lower_bound(nodes_.begin(), nodes_.end(), cut - tallest_ - 1,
                                                [](const LayoutBox& node, double y) { return node.top < y; });
            for (auto node = first; node != nodes_.end() && node->top - kBadge < cut; ++node)
                if (node->bottom > cut) above = std::min(above, node->top - kBadge);
            if (above < top + height / 2) return top + height;
            through = above < cut;
            cut = above;
        }
        return cut;
    }

    std::vector<LayoutBox> nodes_;  ///< by their tops
    double tallest_ = 0;
    const LayoutBox &picture_, &page_;
};

}  // namespace

LayoutPoint size_of(PaperSize paper) {
    return paper == PaperSize::A4 ? LayoutPoint{595.28, 841.89} : LayoutPoint{612, 792};
}

std::vector<PagePiece> divide_over_pages(std::vector<LayoutBox> nodes, const LayoutBox& picture, const LayoutBox& page,
                                         double natural) {
    const double fit_width = width_of(page) / width_of(picture);
    const double fit = std::min(fit_width, height_of(page) / height_of(picture));
    if (fit >= kReadable * natural) {
        const double scale = std::min(fit, kLargest * natural), y = page.top,
                     x = (page.left + page.right - width_of(picture) * scale) / 2;
        return {{picture, 0, {x, y, x + width_of(picture) * scale, y + height_of(picture) * scale}}};
    }
    const PageDivider divider(std::move(nodes), picture, page);
    double scale = std::clamp(fit_width, kReadable * natural, kComfortable * natural);
    while (scale > fit) {
        std::vector<PagePiece> pieces = divider.divide(scale);
        if (pieces.empty() || pieces.back().page < kMostPages) return pieces;
        scale *= 0.8;
    }
    return divider.divide(fit);
}

}  // namespace partita
