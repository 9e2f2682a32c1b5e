#include "app/gui/canvas/graph_search.h"

#include <algorithm>

#include <QRegularExpression>

namespace partita {

namespace {

enum class Key { Any, Op, Name, Backend, Shape, Type, Attribute, Region };

struct Term {
    Key key = Key::Any;
    bool negated = false;
    QRegularExpression pattern;
};

/// Without a wildcard, a part of the text is enough; with one, the whole text must match.
QRegularExpression pattern_of(const QString& text) {
    const bool whole = text.contains(QLatin1Char('*')) || text.contains(QLatin1Char('?'));
    const QString expression =
        whole ? QRegularExpression::wildcardToRegularExpression(text) : QRegularExpression::escape(text);
    return QRegularExpression(expression, QRegularExpression::CaseInsensitiveOption);
}

const std::vector<std::pair<QString, Key>>& search_keys() {
    static const std::vector<std::pair<QString, Key>> keys = {
        {QStringLiteral("op:"), Key::Op},           {QStringLiteral("name:"), Key::Name},
        {QStringLiteral("backend:"), Key::Backend}, {QStringLiteral("shape:"), Key::Shape},
        {QStringLiteral("type:"), Key::Type},       {QStringLiteral("attr:"), Key::Attribute},
        {QStringLiteral("region:"), Key::Region}};
    return keys;
}

Term parse_term(QString word) {
    Term term;
    if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
        term.negated = true;
        word.remove(0, 1);
    }
    for (const auto& [prefix, key] : search_keys()) {
        if (!word.startsWith(prefix, Qt::CaseInsensitive)) continue;
        term.key = key;
        word.remove(0, prefix.size());
        break;
    }
    term.pattern = pattern_of(word);
    return term;
}

QString shape_of(const QString& type) { return type.section(QLatin1Char(' '), 0, 0); }

QString label_of(const GraphModel& model, const GraphNode& node) {
    const std::string_view label = model.module->label(node.expr);
    return QString::fromUtf8(label.data(), qsizetype(label.size()));
}

/// As Relay's text has it: float32 where the node says f32.
QString whole_type_of(const GraphModel& model, const GraphNode& node) {
    return node.expr.valid() ? QString::fromStdString(model.module->types().to_string(model.module->type(node.expr)))
                             : QString();
}

bool matches(const Term& term, uint32_t index, const GraphModel& model, const GraphDecoration& decoration) {
    const GraphNode& node = model.nodes[index];
    const auto has = [&term](const QString& text) { return term.pattern.match(text).hasMatch(); };
    const int backend = index < decoration.backend.size() ? decoration.backend[index] : -2;
    const int region = index < decoration.region.size() ? decoration.region[index] : -1;
    const bool is_call = node.kind <= GraphNodeKind::SubFunction;
    switch (term.key) {
        case Key::Op: return is_call && has(node.title);
        case Key::Name: return (!is_call && has(node.title)) || has(label_of(model, node));
        case Key::Backend: return backend > -2 && has(decoration.backend_name(backend));
        case Key::Shape: return !node.type.isEmpty() && has(shape_of(node.type));
        case Key::Type: return !node.type.isEmpty() && (has(node.type) || has(whole_type_of(model, node)));
        case Key::Attribute: return !node.detail.isEmpty() && has(node.detail);
        case Key::Region: return region >= 0 && has(decoration.regions[size_t(region)].label);
        case Key::Any: return has(node.title) || has(node.detail) || has(node.type) || has(label_of(model, node));
    }
    return false;
}

}  // namespace

std::vector<uint32_t> search_graph(const QString& query, const GraphModel& model, const GraphDecoration& decoration) {
    std::vector<Term> terms;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) terms.push_back(parse_term(word));
    std::vector<uint32_t> found;
    if (terms.empty()) return found;
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {
        const bool all = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
            return matches(term, node, model, decoration) != term.negated;
        });
        if (all) found.push_back(node);
    }
    return found;
}

QString unknown_search_key(const QString& query) {
    static const QRegularExpression keyed(QStringLiteral("(?:^|\\s)-?([a-z]{1,20}):"),
                                          QRegularExpression::CaseInsensitiveOption);
    for (QRegularExpressionMatchIterator found = keyed.globalMatch(query); found.hasNext();) {
        QString key = found.next().captured(1);
        const auto is_it = [&key](const auto& known) {
            return known.first.compare(key + QLatin1Char(':'), Qt::CaseInsensitive) == 0;
        };
        if (std::none_of(search_keys().begin(), search_keys().end(), is_it)) return key;
    }
    return {};
}

}  // namespace partita
