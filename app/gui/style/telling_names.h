// Names that are longer than their room, shortened so that what tells them apart is seen: `tvmgen_default_dnnl_main_0`
// among others that begin alike is "…dnnl_main_0".
#pragma once

#include <map>

#include <QFontMetrics>
#include <QHash>
#include <QStyledItemDelegate>

class QAbstractItemView;

namespace partita {

class TellingNames {
public:
    /// How many names at most say what is common.
    static constexpr qsizetype kMostCompared = 500;

    TellingNames() = default;
    explicit TellingNames(const QStringList& names);
    /// Returns a name, one of those or not, as it fits into `room` pixels. Leaves out as little as it can of the
    /// beginning that it shares with others of its first word; if the rest is too long, the middle of that, too.
    QString elided(const QString& name, const QFontMetrics& metrics, int room) const;

private:
    QHash<QString, QString> shared_;  ///< by first word: the beginning of all names that have it
};

/// Draws the names of a table or tree: a name is told apart from those of the same parent and column.
class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// Owned by the view, which has its model.
    explicit NameDelegate(QAbstractItemView& view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const TellingNames& namesBeside(const QModelIndex& index) const;

    mutable std::map<QModelIndex, TellingNames> by_parent_;  ///< parent of what was drawn since the model changed
};

}  // namespace partita
