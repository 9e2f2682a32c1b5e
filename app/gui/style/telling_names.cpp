#include "app/gui/style/telling_names.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QApplication>

namespace partita {

namespace {

/// Returns the name's first word, with the signs before it: "@tvmgen" of "@tvmgen_default_dnnl_main_0".
QString first_word(const QString& name) {
    const auto is_letter = [](QChar letter) { return letter.isLetterOrNumber(); };
    const auto begin = std::find_if(name.begin(), name.end(), is_letter);
    return QString(name.begin(), std::find_if_not(begin, name.end(), is_letter) - name.begin());
}

}  // namespace

TellingNames::TellingNames(const QStringList& names) {
    QHash<QString, int> count;
    for (const QString& name : names.mid(0, kMostCompared)) {
        const QString word = first_word(name);
        if (count[word]++ == 0) {
            shared_[word] = name;
            continue;
        }
        QString& shared = shared_[word];
        const auto differ = std::mismatch(shared.begin(), shared.end(), name.begin(), name.end());
        shared.truncate(differ.first - shared.begin());
    }
    for (auto known = shared_.begin(); known != shared_.end();)
        known = count[known.key()] < 2 ? shared_.erase(known) : std::next(known);
}

QString TellingNames::elided(const QString& name, const QFontMetrics& metrics, int room) const {
    if (metrics.horizontalAdvance(name) <= room) return name;
    const QString shared = shared_.value(first_word(name));
    const qsizetype most = name.startsWith(shared) ? std::min(shared.size(), name.size() - 1) : 0;
    QString rest = name;
    for (qsizetype i = 1; i <= most; ++i) {
        if (name[i - 1].isLetterOrNumber()) continue;  // words are left out whole
        rest = QStringLiteral("…") + name.mid(i);
        if (metrics.horizontalAdvance(rest) <= room) return rest;
    }
    return metrics.elidedText(rest, Qt::ElideMiddle, room);
}

NameDelegate::NameDelegate(QAbstractItemView& view) : QStyledItemDelegate(&view) {
    const auto forget = [this] { by_parent_.clear(); };
    const QAbstractItemModel* model = view.model();
    connect(model, &QAbstractItemModel::modelReset, this, forget);
    connect(model, &QAbstractItemModel::layoutChanged, this, forget);
    connect(model, &QAbstractItemModel::rowsInserted, this, forget);
    connect(model, &QAbstractItemModel::rowsRemoved, this, forget);
    connect(model, &QAbstractItemModel::dataChanged, this, forget);
}

const TellingNames& NameDelegate::namesBeside(const QModelIndex& index) const {
    const auto [known, is_new] = by_parent_.try_emplace(index.parent());
    if (!is_new) return known->second;
    QStringList names;
    const qsizetype count = std::min<qsizetype>(index.model()->rowCount(index.parent()), TellingNames::kMostCompared);
    for (int row = 0; row < count; ++row) names << index.sibling(row, index.column()).data().toString();
    known->second = TellingNames(names);
    return known->second;
}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem shown = option;
    initStyleOption(&shown, index);
    const QStyle* style = shown.widget ? shown.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &shown, shown.widget) + 1;
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, &shown, shown.widget).width() - 2 * margin;
    // A sentence goes on in the next line.
    const bool wraps = shown.features.testFlag(QStyleOptionViewItem::WrapText) && shown.text.contains(QLatin1Char(' '));
    if (!wraps) shown.text = namesBeside(index).elided(shown.text, QFontMetrics(shown.font), room);
    style->drawControl(QStyle::CE_ItemViewItem, &shown, painter, shown.widget);
}

}  // namespace partita
