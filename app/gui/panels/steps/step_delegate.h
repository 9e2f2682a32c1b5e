// Writes a step in three columns: its number, its pass, its sentence.
#pragma once

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace partita {

class StepsModel;

class StepDelegate : public QStyledItemDelegate {
public:
    StepDelegate(const StepsModel& steps, QObject* parent) : QStyledItemDelegate(parent), steps_(steps) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// In pixels from the left border: numbers stand at the right of theirs.
    struct Columns {
        int number_end = 0, pass = 0, sentence = 0;
        int indent = 0;  ///< of what is below a row that opens; its arrow takes as much
    };
    Columns columns(const QFontMetrics& metrics) const;
    /// Whether a place in the list is the arrow of a row that opens.
    bool isArrow(const QAbstractItemView& list, const QPoint& place) const;

private:
    const StepsModel& steps_;
};

}  // namespace partita
