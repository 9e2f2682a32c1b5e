#include "engine/exporters/picture_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/blocks/module_graph.h"
#include "engine/blocks/repeated_blocks.h"
#include "engine/blocks/run_blocks.h"

namespace partita {
namespace {

// As in the window.
constexpr size_t kLargestReadGraph = 100;
constexpr size_t kGain = 4;
constexpr size_t kShownAtFirst = 60;
constexpr size_t kFewInputs = 8;

std::string short_operator(std::string_view name) { return clean_text(name.substr(name.starts_with("nn.") ? 3 : 0)); }

/// Names groups and finds the nodes of the picture that lie in them.
class GroupFinder {
public:
    GroupFinder(const ExportSubject& subject, const Picture& picture)
        : picture_(picture), graph_(module_graph(*subject.graph)),
          found_(find_repeated_blocks(graph_.graph, subject.cancel)) {}

    PictureGroups find() {
        PictureGroups made;
        made.group_of.assign(picture_.nodes.size(), -1);
        if (found_.blocks.empty()) return made;
        for (const FoundBlock& block : found_.blocks) {
            made.groups.push_back({.parent = block.parent,
                                   .title = title_of(block),
                                   .times = block.times,
                                   .is_stretch = block.form == FoundForm::Stretch});
        }
        number_blocks(made);
        std::unordered_map<uint32_t, uint32_t> node_of_expr;
        for (uint32_t node = 0; node < graph_.exprs.size(); ++node) node_of_expr[graph_.exprs[node].value] = node;
        for (size_t i = 0; i < picture_.nodes.size(); ++i)
            if (const auto node = node_of_expr.find(picture_.nodes[i].expr.value); node != node_of_expr.end())
                made.group_of[i] = found_.block_of[node->second];
        place_sources(made);
        return made;
    }

private:
    std::string name_of(uint32_t node) const { return short_operator(graph_.names[graph_.graph.kind[node]]); }

    std::string title_of(const FoundBlock& block) const {
        const std::string first = name_of(block.first), last = name_of(block.last);
        if (block.form == FoundForm::Stretch) return first == last ? first : first + " → " + last;
        const std::string name = block.of_operators ? first : "Block " + block_letter(block.letter);
        return block.form == FoundForm::Run ? name + " ×" + std::to_string(block.times) : name;
    }

    void number_blocks(PictureGroups& made) const {
        std::vector<BlockGroup> groups;
        for (const FoundBlock& block : found_.blocks) groups.push_back({block.parent, block.times});
        std::vector<RunBlocks> runs = list_run_blocks(graph_.graph, groups, found_.block_of);
        compare_blocks(graph_.graph, runs);
        for (const RunBlocks& run : runs) {
            made.groups[size_t(run.run)].alike =
                uint32_t(std::count(run.hashes.begin(), run.hashes.end(), run.hashes[run.usual]));
            for (size_t k = 0; k < run.groups.size(); ++k)
                if (run.groups[k] >= 0)
                    made.groups[size_t(run.groups[k])].title +=
                        ", " + std::to_string(k + 1) + " of " + std::to_string(run.groups.size());
        }
    }

    /// What nothing feeds goes with its users, if those lie in one group; the inputs of the whole where they are many.
    void place_sources(PictureGroups& made) const {
        std::vector<bool> is_fed(picture_.nodes.size()), is_apart(picture_.nodes.size());
        std::vector<int> users(picture_.nodes.size(), -1);
        std::vector<bool> is_used(picture_.nodes.size());
        for (const PictureEdge& edge : picture_.edges) {
            is_fed[edge.to] = true;
            const int group = made.group_of[edge.to];
            if (!is_used[edge.from]) users[edge.from] = group;
            else if (users[edge.from] != group) is_apart[edge.from] = true;
            is_used[edge.from] = true;
        }
        const auto inputs = std::count_if(picture_.nodes.begin(), picture_.nodes.end(),
                                          [](const PictureNode& node) { return node.is_data; });
        for (size_t i = 0; i < picture_.nodes.size(); ++i) {
            if (is_fed[i] || !is_used[i] || is_apart[i]) continue;
            if (!picture_.nodes[i].is_data || size_t(inputs) > kFewInputs) made.group_of[i] = users[i];
        }
    }

    const Picture& picture_;
    const ModuleGraph graph_;
    const FoundBlocks found_;
};

/// Draws closed groups as nodes.
class Closer {
public:
    Closer(Picture picture, const PictureGroups& groups) : full_(std::move(picture)), groups_(groups) {
        outermost_.resize(groups.groups.size());
        for (size_t i = 0; i < outermost_.size(); ++i)
            outermost_[i] = groups.groups[i].parent < 0 ? int(i) : outermost_[size_t(groups.groups[i].parent)];
        is_open_.assign(outermost_.size(), false);
    }

    size_t count_shown() const {
        std::vector<bool> seen(outermost_.size());
        size_t shown = 0;
        for (size_t i = 0; i < full_.nodes.size(); ++i) {
            const int group = closed(i);
            shown += group < 0 || !seen[size_t(group)];
            if (group >= 0) seen[size_t(group)] = true;
        }
        return shown;
    }

    /// Opens what comes once, the smallest first, as long as few nodes are shown.
    void open_stretches() {
        std::vector<size_t> size(outermost_.size());
        for (size_t i = 0; i < full_.nodes.size(); ++i)
            if (const int group = closed(i); group >= 0) ++size[size_t(group)];
        std::vector<size_t> stretches;
        for (size_t i = 0; i < size.size(); ++i)
            if (groups_.groups[i].is_stretch && outermost_[i] == int(i)) stretches.push_back(i);
        std::stable_sort(stretches.begin(), stretches.end(), [&](size_t a, size_t b) { return size[a] < size[b]; });
        size_t shown = count_shown();
        for (size_t stretch : stretches) {
            if (shown - 1 + size[stretch] > kShownAtFirst) return;
            shown += size[stretch] - 1;
            is_open_[stretch] = true;
        }
    }

    Picture whole() { return std::move(full_); }

    Picture close() {
        std::vector<int> node_of_group(outermost_.size(), -1);
        for (const PictureNode& node : full_.nodes) operators_.emplace_back(node.cluster, node.operators);
        for (size_t i = 0; i < full_.nodes.size(); ++i) add_node(i, node_of_group);
        for (size_t group = 0; group < node_of_group.size(); ++group)
            if (node_of_group[group] >= 0) describe(int(group), made_.nodes[size_t(node_of_group[group])]);
        add_edges();
        made_.clusters = std::move(full_.clusters);
        tell_hidden();
        made_.legend = std::move(full_.legend);
        return std::move(made_);
    }

private:
    /// The closed group that a node is drawn by, or -1.
    int closed(size_t node) const {
        const int group = groups_.group_of[node];
        if (group < 0 || is_open_[size_t(outermost_[size_t(group)])]) return -1;
        return outermost_[size_t(group)];
    }

    void add_node(size_t i, std::vector<int>& node_of_group) {
        const int group = closed(i);
        if (group >= 0 && node_of_group[size_t(group)] >= 0) {
            shown_as_.push_back(uint32_t(node_of_group[size_t(group)]));
        } else {
            shown_as_.push_back(uint32_t(made_.nodes.size()));
            if (group >= 0) node_of_group[size_t(group)] = int(made_.nodes.size());
            made_.nodes.push_back(group < 0 ? std::move(full_.nodes[i]) : PictureNode{});
            if (group >= 0) made_.nodes.back().expr = full_.nodes[i].expr;
        }
        if (group >= 0) members_[group].push_back(uint32_t(i));
        if (group >= 0 && full_.nodes[i].is_output) made_.nodes[shown_as_.back()].is_output = true;
    }

    void describe(int group, PictureNode& node) const {
        const PictureGroup& data = groups_.groups[size_t(group)];
        std::map<int, uint32_t> shares;
        std::set<int> clusters;
        std::vector<std::string> operators;
        uint32_t count = 0;
        for (uint32_t member : members_.at(group)) {
            const PictureNode& each = full_.nodes[member];
            if (each.is_data || each.is_small) continue;
            ++count;
            ++shares[each.backend];
            clusters.insert(each.cluster);
            const std::string name = short_operator(each.name.substr(0, each.name.find(" #")));
            if (std::find(operators.begin(), operators.end(), name) == operators.end()) operators.push_back(name);
        }
        std::string list;
        for (const std::string& name : operators) list += (list.empty() ? "" : ", ") + name;
        node.name = data.title;
        node.attributes = list;
        node.type = std::to_string(count) + " operators";
        if (data.times && data.alike < data.times) node.type += ", " + std::to_string(data.alike) + " blocks alike";
        node.is_group = true;
        if (clusters.size() == 1) node.cluster = *clusters.begin();  // a region that holds all of it is drawn round it
        node.is_stack = data.times > 0;
        if (shares.size() > 1 || (!shares.empty() && shares.begin()->first >= 0))
            node.shares.assign(shares.begin(), shares.end());
        for (const auto& [backend, share] : shares)
            if (!node.shares.empty())
                node.shared += (node.shared.empty() ? "" : ", ") + backend_name(backend) + " " + std::to_string(share);
        measure_group(node);
    }

    /// Of a region that lies in a closed group in part: "dnnl #36 · 1 of 3 ops".
    void tell_hidden() {
        std::vector<int> hidden(made_.clusters.size()), seen(made_.clusters.size());
        for (size_t i = 0; i < operators_.size(); ++i) {
            const auto [cluster, operators] = operators_[i];
            if (cluster >= 0)
                (made_.nodes[shown_as_[i]].cluster == cluster ? seen : hidden)[size_t(cluster)] += operators;
        }
        for (size_t i = 0; i < seen.size(); ++i) {
            std::string& label = made_.clusters[i].label;
            const size_t count = label.rfind(" · ");
            if (hidden[i] > 0 && seen[i] > 0 && count != std::string::npos)
                label.insert(count + std::string_view(" · ").size(), std::to_string(seen[i]) + " of ");
        }
    }

    std::string backend_name(int backend) const {
        for (const PictureLegend& entry : full_.legend)
            if (entry.backend == backend) return entry.name;
        return "default";
    }

    void add_edges() {
        std::map<std::pair<uint32_t, uint32_t>, size_t> joined;
        for (const PictureEdge& edge : full_.edges) {
            const uint32_t from = shown_as_[edge.from], to = shown_as_[edge.to];
            if (from == to) continue;
            const bool plain = !made_.nodes[from].is_group && !made_.nodes[to].is_group;
            const auto [entry, added] = joined.try_emplace({from, to}, made_.edges.size());
            if (!plain && !added) made_.edges[entry->second].refused |= edge.refused;
            else made_.edges.push_back({from, to, {}, edge.refused});
        }
    }

    Picture full_;
    const PictureGroups& groups_;
    std::vector<int> outermost_;  ///< by group
    std::vector<bool> is_open_;
    Picture made_;
    std::vector<uint32_t> shown_as_;              ///< by node of the full picture
    std::vector<std::pair<int, int>> operators_;  ///< the same: its cluster, how many it stands for
    std::unordered_map<int, std::vector<uint32_t>> members_;
};

}  // namespace

PictureGroups find_picture_groups(const ExportSubject& subject, const Picture& picture) {
    PictureGroups none;
    none.group_of.assign(picture.nodes.size(), -1);
    const auto of_function = [&](const PictureNode& node) { return node.cluster >= int(subject.regions.size()); };
    if (std::any_of(picture.nodes.begin(), picture.nodes.end(), of_function)) return none;
    return GroupFinder(subject, picture).find();
}

Picture grouped_picture(const ExportSubject& subject, Picture picture) {
    if (subject.grouping == PictureGrouping::None || picture.nodes.size() <= kLargestReadGraph) return picture;
    const PictureGroups groups = find_picture_groups(subject, picture);
    if (groups.empty()) return picture;
    const size_t all = picture.nodes.size();
    Closer closer(std::move(picture), groups);
    if (closer.count_shown() * kGain > all) return closer.whole();
    closer.open_stretches();
    return closer.close();
}

}  // namespace partita
