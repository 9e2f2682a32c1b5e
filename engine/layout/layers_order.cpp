#include <algorithm>
#include <cmath>

#include "engine/layout/layers_graph.h"

namespace partita {
namespace {

// More sweeps change little: on random graphs the crossings settle within four.
constexpr int kOrderSweeps = 4;

class Orderer {
public:
    Orderer(LayerGraph& graph, size_t cluster_count, const CancelToken& cancel)
        : graph_(graph), cancel_(cancel), place_(graph.items.size()), key_(graph.items.size()),
          cluster_sum_(cluster_count), cluster_members_(cluster_count) {
        for (const auto& layer : graph_.layers) number(layer);
    }

    bool run() {
        for (int sweep = 0; sweep < kOrderSweeps; sweep++) {
            if (!sweep_down() || !sweep_up()) return false;
        }
        if (!cluster_sum_.empty()) {
            put_clusters_in_one_order();
            add_spacers();
        }
        return true;
    }

private:
    void number(const std::vector<uint32_t>& layer) {
        // Positions are fractions of the layer's width, so that layers of different sizes compare.
        for (size_t i = 0; i < layer.size(); i++) place_[layer[i]] = (double(i) + 0.5) / double(layer.size());
    }

    bool sweep_down() {
        for (size_t i = 1; i < graph_.layers.size(); i++) {
            if (cancel_.cancelled()) return false;
            sort_by_neighbours(graph_.layers[i], [&](uint32_t item) { return graph_.neighbours_above(item); });
        }
        return true;
    }
    bool sweep_up() {
        for (size_t i = graph_.layers.size() - 1; i-- > 0;) {
            if (cancel_.cancelled()) return false;
            sort_by_neighbours(graph_.layers[i], [&](uint32_t item) { return graph_.neighbours_below(item); });
        }
        return true;
    }

    template <class NeighboursOf>
    void sort_by_neighbours(std::vector<uint32_t>& layer, NeighboursOf neighbours_of) {
        for (uint32_t item : layer) {
            auto neighbours = neighbours_of(item);
            double sum = 0;
            for (uint32_t neighbour : neighbours) sum += place_[neighbour];
            key_[item] = neighbours.empty() ? place_[item] : sum / double(neighbours.size());
        }
        sort_layer(layer);
        number(layer);
    }

    /// Sorts a layer by key; the items of a cluster stay together at their mean.
    void sort_layer(std::vector<uint32_t>& layer) {
        for (uint32_t item : layer) {
            int32_t cluster = graph_.items[item].cluster;
            if (cluster < 0) continue;
            cluster_sum_[size_t(cluster)] += key_[item];
            cluster_members_[size_t(cluster)]++;
        }
        sorted_.clear();
        for (uint32_t item : layer) {
            int32_t cluster = graph_.items[item].cluster;
            double group = key_[item];
            if (cluster >= 0) group = cluster_sum_[size_t(cluster)] / cluster_members_[size_t(cluster)];
            sorted_.push_back({group, cluster, key_[item], item});
        }
        std::stable_sort(sorted_.begin(), sorted_.end());
        for (size_t i = 0; i < layer.size(); i++) {
            layer[i] = sorted_[i].item;
            if (sorted_[i].cluster < 0) continue;
            cluster_sum_[size_t(sorted_[i].cluster)] = 0;
            cluster_members_[size_t(sorted_[i].cluster)] = 0;
        }
    }

    /// Orders clusters the same way in all layers, because their boxes would overlap otherwise.
    void put_clusters_in_one_order() {
        std::vector<double> sum(cluster_sum_.size()), members(cluster_sum_.size());
        for (uint32_t item = 0; item < graph_.items.size(); item++) {
            int32_t cluster = graph_.items[item].cluster;
            if (cluster < 0) continue;
            sum[size_t(cluster)] += place_[item];
            members[size_t(cluster)]++;
        }
        cluster_place_.resize(sum.size());
        for (size_t i = 0; i < sum.size(); i++) cluster_place_[i] = members[i] > 0 ? sum[i] / members[i] : 0;
        for (auto& layer : graph_.layers) sort_by_cluster_place(layer);
    }

    void sort_by_cluster_place(std::vector<uint32_t>& layer) {
        sorted_.clear();
        for (uint32_t item : layer) {
            int32_t cluster = graph_.items[item].cluster;
            double group = cluster < 0 ? place_[item] : cluster_place_[size_t(cluster)];
            sorted_.push_back({group, cluster, place_[item], item});
        }
        std::stable_sort(sorted_.begin(), sorted_.end());
        for (size_t i = 0; i < layer.size(); i++) layer[i] = sorted_[i].item;
    }

    /// Adds a spacer in each layer that a cluster spans without an item of its own, to keep others out of its box.
    void add_spacers() {
        struct Span {
            uint32_t first = UINT32_MAX, last = 0;
        };
        std::vector<Span> spans(cluster_place_.size());
        for (const LayerItem& item : graph_.items) {
            if (item.cluster < 0) continue;
            Span& span = spans[size_t(item.cluster)];
            span.first = std::min(span.first, item.layer);
            span.last = std::max(span.last, item.layer);
        }
        // The last layer in which each cluster occurred, to find gaps on the way down.
        std::vector<uint32_t> seen(spans.size());
        for (size_t i = 0; i < spans.size(); i++) seen[i] = spans[i].first;
        size_t budget = 2 * graph_.items.size() + 1000;
        std::vector<std::vector<uint32_t>> added(graph_.layers.size());
        for (uint32_t index = 0; index < graph_.layers.size(); index++) {
            for (uint32_t item : graph_.layers[index]) {
                int32_t cluster = graph_.items[item].cluster;
                if (cluster < 0) continue;
                for (uint32_t gap = seen[size_t(cluster)] + 1; gap < index && budget > 0; gap++, budget--) {
                    added[gap].push_back(add_spacer(gap, cluster));
                }
                seen[size_t(cluster)] = index;
            }
        }
        for (size_t i = 0; i < added.size(); i++) {
            if (added[i].empty()) continue;
            graph_.layers[i].insert(graph_.layers[i].end(), added[i].begin(), added[i].end());
            sort_by_cluster_place(graph_.layers[i]);
        }
    }

    uint32_t add_spacer(uint32_t layer, int32_t cluster) {
        graph_.items.push_back({layer, cluster, 0, 0, false});
        graph_.above_begin.push_back(graph_.above_begin.back());
        graph_.below_begin.push_back(graph_.below_begin.back());
        place_.push_back(cluster_place_[size_t(cluster)]);
        return uint32_t(graph_.items.size() - 1);
    }

    struct Sorted {
        double group;
        int32_t cluster;
        double key;
        uint32_t item;
        bool operator<(const Sorted& other) const {
            if (group != other.group) return group < other.group;
            if (cluster != other.cluster) return cluster < other.cluster;
            return key < other.key;
        }
    };

    LayerGraph& graph_;
    const CancelToken& cancel_;
    std::vector<double> place_, key_;
    std::vector<double> cluster_sum_, cluster_members_, cluster_place_;
    std::vector<Sorted> sorted_;
};

}  // namespace

bool order_layers(LayerGraph& graph, size_t cluster_count, const CancelToken& cancel) {
    if (graph.layers.empty()) return true;
    return Orderer(graph, cluster_count, cancel).run();
}

}  // namespace partita
