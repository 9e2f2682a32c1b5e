#include "app/gui/canvas/layout_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/support/file.h"

namespace partita {

namespace {

namespace fs = std::filesystem;

constexpr char kSignature[] = "partita layout 1";  ///< changes with the format of the file
constexpr size_t kLargestLayout = 24u << 20;       ///< bytes; larger graphs are shown by groups anyway

class Writer {
public:
    void add(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void add(const LayoutPoint& point) {
        add(point.x);
        add(point.y);
    }
    void count(size_t value) {
        const uint64_t wide = value;
        bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    std::string& bytes() { return bytes_; }

private:
    std::string bytes_;
};

/// Reads what a Writer wrote; after the first fault everything is 0 and `good` is false.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    bool good() const { return good_; }
    bool atEnd() const { return good_ && rest_.empty(); }
    double number() {
        double value = 0;
        take(&value, sizeof value);
        if (!std::isfinite(value)) good_ = false;
        return value;
    }
    LayoutPoint point() {
        const double x = number();
        return {x, number()};
    }
    /// Of items that take at least `item_bytes` each: more can't be there.
    size_t count(size_t item_bytes) {
        uint64_t value = 0;
        take(&value, sizeof value);
        if (value > rest_.size() / item_bytes) good_ = false;
        return good_ ? size_t(value) : 0;
    }
    void expect(std::string_view text) {
        if (rest_.substr(0, text.size()) != text) good_ = false;
        else rest_.remove_prefix(text.size());
    }

private:
    void take(void* to, size_t size) {
        if (!good_ || rest_.size() < size) {
            good_ = false;
            return;
        }
        std::memcpy(to, rest_.data(), size);
        rest_.remove_prefix(size);
    }

    std::string_view rest_;
    bool good_ = true;
};

std::string bytes_of(const LayoutResult& layout) {
    Writer out;
    out.bytes() = kSignature;
    out.add(layout.width);
    out.add(layout.height);
    out.count(layout.nodes.size());
    for (const LayoutPoint& node : layout.nodes) out.add(node);
    out.count(layout.edges.size());
    for (const std::vector<LayoutPoint>& edge : layout.edges) {
        out.count(edge.size());
        for (const LayoutPoint& point : edge) out.add(point);
    }
    out.count(layout.clusters.size());
    for (const LayoutBox& box : layout.clusters)
        for (double side : {box.left, box.top, box.right, box.bottom}) out.add(side);
    return std::move(out.bytes());
}

std::shared_ptr<const LayoutResult> layout_of(std::string_view bytes, const LayoutGraph& graph) {
    Reader in(bytes);
    in.expect(kSignature);
    auto layout = std::make_shared<LayoutResult>();
    layout->width = in.number();
    layout->height = in.number();
    layout->nodes.resize(in.count(sizeof(LayoutPoint)));
    for (LayoutPoint& node : layout->nodes) node = in.point();
    layout->edges.resize(in.count(sizeof(uint64_t)));
    for (std::vector<LayoutPoint>& edge : layout->edges) {
        edge.resize(in.count(sizeof(LayoutPoint)));
        for (LayoutPoint& point : edge) point = in.point();
        if (edge.size() % 3 != 1 || edge.size() < 4 || !in.good()) return nullptr;
    }
    layout->clusters.resize(in.count(sizeof(LayoutBox)));
    for (LayoutBox& box : layout->clusters) {
        box.left = in.number();
        box.top = in.number();
        box.right = in.number();
        box.bottom = in.number();
    }
    const bool fits = layout->nodes.size() == graph.nodes.size() && layout->edges.size() == graph.edges.size() &&
                      layout->clusters.size() == graph.clusters.size();
    return in.atEnd() && fits ? layout : nullptr;
}

}  // namespace

std::shared_ptr<const LayoutResult> LayoutStore::load(const std::string& name, const LayoutGraph& graph) const {
    if (folder_.empty()) return nullptr;
    const std::string path = path_of(name);
    std::error_code none;
    const uintmax_t size = fs::file_size(path, none);
    if (none || size > kLargestLayout) return nullptr;
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return nullptr;
    std::shared_ptr<const LayoutResult> layout = layout_of(*bytes, graph);
    if (layout) fs::last_write_time(path, fs::file_time_type::clock::now(), none);  // used now: goes last
    return layout;
}

void LayoutStore::keep(const std::string& name, const LayoutResult& layout) const {
    if (folder_.empty()) return;
    const std::string bytes = bytes_of(layout);
    if (bytes.size() > std::min(kLargestLayout, largest_bytes_)) return;
    std::error_code none;
    fs::create_directories(folder_, none);
    if (write_file(path_of(name), bytes)) makeRoom();
}

void LayoutStore::makeRoom() const {
    struct File {
        fs::path path;
        fs::file_time_type used;
        uintmax_t size = 0;
    };
    std::vector<File> files;
    uintmax_t whole = 0;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, none)) {
        if (entry.path().extension() != ".layout") continue;
        std::error_code gone;  // another program may take it away meanwhile
        const File file{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
        if (gone) continue;
        whole += file.size;
        files.push_back(file);
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
    for (const File& file : files) {
        if (whole <= largest_bytes_) break;
        fs::remove(file.path, none);
        whole -= file.size;
    }
}

}  // namespace partita
