// Writes a step in three columns: its number, its pass, its sentence.
#pragma once

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
    };
    Columns columns(const QFontMetrics& metrics) const;

private:
    const StepsModel& steps_;
};

}  // namespace partita
