// Layouts on the disk, so that a large graph that was shown once is shown at once at the next start. A folder of one file
// for each graph, by the hash of what was laid out; what was not used for longest goes when they take too much room.
//
// A help, not a promise: what can't be read or written, or does not fit the graph, counts as not there. Files are replaced
// whole (write_file), so several programs may share a folder. Safe from any thread.
#pragma once

#include <memory>
#include <string>

#include "engine/layout/graph_layout.h"

namespace partita {

class LayoutStore {
public:
    /// `folder` is made when the first layout is kept; "": nothing is kept.
    explicit LayoutStore(std::string folder, size_t largest_bytes = 64u << 20) : folder_(std::move(folder)), largest_bytes_(largest_bytes) {}

    /// The layout that was kept under a name, if it is one of `graph`; else null. Costs reading the file.
    std::shared_ptr<const LayoutResult> load(const std::string& name, const LayoutGraph& graph) const;
    void keep(const std::string& name, const LayoutResult& layout) const;

private:
    std::string path_of(const std::string& name) const { return folder_ + "/" + name + ".layout"; }
    void makeRoom() const;

    std::string folder_;
    size_t largest_bytes_;
};

}  // namespace partita
