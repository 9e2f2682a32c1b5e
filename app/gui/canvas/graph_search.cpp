#include "app/gui/canvas/graph_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <QRegularExpression>
#include <QStringList>

#include "engine/ops/cost.h"

namespace partita {

namespace {

enum class Key { Any, Op, Name, Backend, Shape, Type, Attribute, Region, Flops, Bytes };

struct Term {
    Key key = Key::Any;
    bool negated = false;
    QRegularExpression pattern;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
    bool without_from = false, without_to = false;  ///< the ends of the range do not belong to it
    bool readable = true;

    bool has(double number) const {
        return (without_from ? number > from : number >= from) && (without_to ? number < to : number <= to);
    }
};

/// Without a wildcard, a part of the text is enough; with one, the whole text must match. Between slashes stands a
/// regular expression, which may try so often and no more.
QRegularExpression pattern_of(const QString& text) {
    if (text.size() > 2 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/')))
        return QRegularExpression(QStringLiteral("(*LIMIT_MATCH=50000)") + text.mid(1, text.size() - 2),
                                  QRegularExpression::CaseInsensitiveOption);
    const bool whole = text.contains(QLatin1Char('*')) || text.contains(QLatin1Char('?'));
    const QString expression =
        whole ? QRegularExpression::wildcardToRegularExpression(text) : QRegularExpression::escape(text);
    return QRegularExpression(expression, QRegularExpression::CaseInsensitiveOption);
}

/// "1e9", "4k", "1.5M", "2G".
std::optional<double> number_of(QString text) {
    static const std::array<std::pair<char, double>, 4> units = {{{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}}};
    double unit = 1;
    for (const auto& [letter, times] : units)
        if (text.endsWith(QLatin1Char(letter), Qt::CaseInsensitive)) {
            unit = times;
            text.chop(1);
            break;
        }
    bool ok = false;
    const double number = text.toDouble(&ok);
    return ok ? std::optional(number * unit) : std::nullopt;
}

/// ">1e9", "<=4k", "1e6..1e9", "0".
void read_range(const QString& text, Term& term) {
    const qsizetype dots = text.indexOf(QLatin1String(".."));
    const auto read = [&term](const QString& part, double& end) {
        const std::optional<double> number = number_of(part);
        term.readable = term.readable && number;
        end = number.value_or(0);
    };
    if (dots >= 0) {
        read(text.left(dots), term.from);
        return read(text.mid(dots + 2), term.to);
    }
    const bool above = text.startsWith(QLatin1Char('>')), below = text.startsWith(QLatin1Char('<'));
    if (!above && !below) {
        read(text.startsWith(QLatin1Char('=')) ? text.mid(1) : text, term.from);
        term.to = term.from;
        return;
    }
    const bool with_end = text.mid(1).startsWith(QLatin1Char('='));
    read(text.mid(with_end ? 2 : 1), above ? term.from : term.to);
    (above ? term.without_from : term.without_to) = !with_end;
}

/// The words of a query; between slashes, spaces belong to the word.
QStringList words_of(const QString& query) {
    static const QRegularExpression word(QStringLiteral("(?:-?(?:[A-Za-z]+:)?/(?:\\\\.|[^\\\\])+?/(?=\\s|$))|\\S+"));
    QStringList words;
    for (QRegularExpressionMatchIterator found = word.globalMatch(query); found.hasNext();)
        words << found.next().captured();
    return words;
}

const std::vector<std::pair<QString, Key>>& search_keys() {
    static const std::vector<std::pair<QString, Key>> keys = {
        {QStringLiteral("op:"), Key::Op},           {QStringLiteral("name:"), Key::Name},
        {QStringLiteral("backend:"), Key::Backend}, {QStringLiteral("shape:"), Key::Shape},
        {QStringLiteral("type:"), Key::Type},       {QStringLiteral("attr:"), Key::Attribute},
        {QStringLiteral("region:"), Key::Region},   {QStringLiteral("flops:"), Key::Flops},
        {QStringLiteral("bytes:"), Key::Bytes}};
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
    if (term.key == Key::Flops || term.key == Key::Bytes) {
        read_range(word, term);
    } else {
        term.pattern = pattern_of(word);
        term.readable = term.pattern.isValid();
    }
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

double bytes_of(const GraphModel& model, const GraphNode& node) {
    const TypeId type = model.module->type(node.expr);
    return type.valid() ? type_bytes(model.module->types(), type) : 0;
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
        case Key::Flops: return is_call && term.has(call_flops(*model.module, node.expr));
        case Key::Bytes: return node.expr.valid() && term.has(bytes_of(model, node));
        case Key::Any: return has(node.title) || has(node.detail) || has(node.type) || has(label_of(model, node));
    }
    return false;
}

}  // namespace

std::vector<uint32_t> search_graph(const QString& query, const GraphModel& model, const GraphDecoration& decoration) {
    std::vector<Term> terms;
    for (const QString& word : words_of(query)) terms.push_back(parse_term(word));
    std::vector<uint32_t> found;
    const bool readable = std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.readable; });
    if (terms.empty() || !readable) return found;
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {
        const bool all = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
            return matches(term, node, model, decoration) != term.negated;
        });
        if (all) found.push_back(node);
    }
    return found;
}

bool is_slow_query(const QString& query) {
    const QStringList words = words_of(query);
    return std::any_of(words.begin(), words.end(), [](const QString& word) { return word.endsWith(QLatin1Char('/')); });
}

QString unreadable_search_word(const QString& query) {
    for (const QString& word : words_of(query))
        if (!parse_term(word).readable) return word;
    return {};
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
