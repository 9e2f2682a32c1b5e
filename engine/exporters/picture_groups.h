// Blocks of a deep graph in its picture: what can't be read where all of it is drawn is drawn by closed groups, as the
// window shows it at first.
#pragma once

#include <string>
#include <vector>

#include "engine/exporters/picture.h"

namespace partita {

struct PictureGroup {
    int parent = -1;          ///< index of the group it lies in, or -1
    std::string title;        ///< "Block A ×12"; of a block of a run "Block A, 7 of 12"; of others "reshape → add"
    uint32_t times = 0;       ///< of a run, the number of its blocks; else 0
    uint32_t alike = 0;       ///< of a run, how many of them are alike
    bool is_stretch = false;  ///< what lies between blocks: comes once
};

struct PictureGroups {
    std::vector<PictureGroup> groups;  ///< parents before their children
    std::vector<int> group_of;         ///< by node of the picture: the innermost group, or -1

    bool empty() const { return groups.empty(); }
};

/// Returns the blocks found by structure; none in the picture of several functions. Linear but for sorting.
PictureGroups find_picture_groups(const ExportSubject& subject, const Picture& picture);

/// Returns the picture, which has no positions yet, with its outermost groups closed if that makes it readable: if it
/// has more than about a hundred nodes, and a quarter or less is left of them. What lies between blocks stays open as
/// long as few nodes are shown.
Picture grouped_picture(const ExportSubject& subject, Picture picture);

}  // namespace partita
