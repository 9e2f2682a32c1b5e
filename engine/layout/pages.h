// A picture on paper: on one page where its text can be read there, else in pieces that are cut between the nodes and
// stand side by side where there is room.
#pragma once

#include <vector>

#include "engine/layout/graph_layout.h"

namespace partita {

enum class PaperSize : uint8_t { A4, Letter };

/// Returns the size of a page in points, upright.
LayoutPoint size_of(PaperSize paper);

struct PagePiece {
    LayoutBox part;  ///< of the picture
    int page = 0;
    LayoutBox target;  ///< on the page
};

/// Divides `picture` over pages. `nodes` are its boxes; `page` is in dots of which `natural` are as long as one unit of
/// the picture at full size. At most a hundred pages: beyond that the picture gets smaller. Costs a sort of the nodes,
/// and for each page what lies near its cut.
std::vector<PagePiece> divide_over_pages(std::vector<LayoutBox> nodes, const LayoutBox& picture, const LayoutBox& page,
                                         double natural);

}  // namespace partita
