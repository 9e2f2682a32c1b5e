#include "app/gui/canvas/graph_search.h"

#include "engine/ops/cost.h"
#include "engine/support/query.h"

namespace partita {

namespace {

QString label_of(const GraphModel& model, const GraphNode& node) {
    const std::string_view label = model.module->label(node.expr);
    return QString::fromUtf8(label.data(), qsizetype(label.size()));
}

/// A node as it is shown.
class NodeSubject : public QuerySubject {
public:
    NodeSubject(uint32_t index, const GraphModel& model, const GraphDecoration& decoration)
        : index_(index), model_(model), decoration_(decoration), node_(model.nodes[index]) {}

    void texts(QueryKey key, std::vector<std::string>& found) const override {
        const auto add = [&found](const QString& text) {
            if (!text.isEmpty()) found.push_back(text.toStdString());
        };
        switch (key) {
            case QueryKey::Op: return add(is_call() ? node_.title : QString());
            case QueryKey::Name: add(label_of(model_, node_)); return add(is_call() ? QString() : node_.title);
            case QueryKey::Backend: return add(backend());
            case QueryKey::Shape: return add(node_.type.section(QLatin1Char(' '), 0, 0));
            case QueryKey::Type: add(node_.type); return add(whole_type());
            case QueryKey::Attribute: return add(node_.detail);
            case QueryKey::Region: return add(region());
            default: add(node_.title), add(node_.detail), add(node_.type), add(label_of(model_, node_));
        }
    }

    std::optional<double> number(QueryKey key) const override {
        if (key == QueryKey::Flops)
            return is_call() ? std::optional(call_flops(*model_.module, node_.expr)) : std::nullopt;
        if (!node_.expr.valid()) return std::nullopt;
        const TypeId type = model_.module->type(node_.expr);
        return type.valid() ? type_bytes(model_.module->types(), type) : 0;
    }

private:
    bool is_call() const { return node_.kind <= GraphNodeKind::SubFunction; }
    QString backend() const {
        const int backend = index_ < decoration_.backend.size() ? decoration_.backend[index_] : -2;
        return backend > -2 ? decoration_.backend_name(backend) : QString();
    }
    QString region() const {
        const int region = index_ < decoration_.region.size() ? decoration_.region[index_] : -1;
        return region >= 0 ? decoration_.regions[size_t(region)].label : QString();
    }
    /// As Relay's text has it: float32 where the node says f32.
    QString whole_type() const {
        if (node_.type.isEmpty() || !node_.expr.valid()) return {};
        return QString::fromStdString(model_.module->types().to_string(model_.module->type(node_.expr)));
    }

    const uint32_t index_;
    const GraphModel& model_;
    const GraphDecoration& decoration_;
    const GraphNode& node_;
};

}  // namespace

std::vector<uint32_t> search_graph(const QString& query, const GraphModel& model, const GraphDecoration& decoration) {
    const Query terms(query.toStdString());
    std::vector<uint32_t> found;
    if (terms.empty()) return found;
    for (uint32_t node = 0; node < model.nodes.size(); ++node)
        if (terms.matches(NodeSubject(node, model, decoration))) found.push_back(node);
    return found;
}

bool is_slow_query(const QString& query) { return Query(query.toStdString()).is_slow(); }

QString unreadable_search_word(const QString& query) {
    return QString::fromStdString(Query(query.toStdString()).unreadable());
}

QString unknown_search_key(const QString& query) {
    return QString::fromStdString(Query(query.toStdString()).unknown_key());
}

}  // namespace partita
