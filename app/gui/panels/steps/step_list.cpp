#include "app/gui/panels/steps/step_list.h"

#include <algorithm>

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace partita {

StepList::StepList(QWidget* parent) : QListView(parent) {
    setVerticalScrollMode(ScrollPerItem);  // the bar counts rows: pixels of a hundred million would be too many for it
}

int StepList::verticalOffset() const { return verticalScrollBar()->value() * row_height_; }

QRect StepList::visualRect(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const int64_t top = (int64_t(index.row()) - verticalScrollBar()->value()) * row_height_;
    const int64_t far_away = 1 << 24;
    return {0, int(std::clamp(top, -far_away, far_away)), viewport()->width(), row_height_};
}

QModelIndex StepList::indexAt(const QPoint& place) const {
    const int row = verticalScrollBar()->value() + place.y() / row_height_;
    return place.y() >= 0 && row < rowCount() ? model()->index(row, 0, rootIndex()) : QModelIndex();
}

void StepList::scrollTo(const QModelIndex& index, ScrollHint hint) {
    if (!index.isValid()) return;
    QScrollBar& bar = *verticalScrollBar();
    const int row = index.row(), rows = std::max(1, rowsInView());
    const bool visible = row >= bar.value() && row < bar.value() + rows;
    if (hint == PositionAtTop || (hint == EnsureVisible && row < bar.value())) bar.setValue(row);
    else if (hint == PositionAtBottom || (hint == EnsureVisible && !visible)) bar.setValue(row - rows + 1);
    else if (hint == PositionAtCenter) bar.setValue(row - rows / 2);
}

void StepList::updateGeometries() {
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const QModelIndex first = rowCount() > 0 ? model()->index(0, 0, rootIndex()) : QModelIndex();
    row_height_ = std::max(fontMetrics().height(),
                           first.isValid() ? itemDelegateForIndex(first)->sizeHint(option, first).height() : 1);
    QScrollBar& bar = *verticalScrollBar();
    bar.setPageStep(std::max(1, rowsInView()));
    bar.setRange(0, std::max(0, rowCount() - rowsInView()));
    QAbstractItemView::updateGeometries();  // NOLINT(bugprone-parent-virtual-call): QListView's sets the range of its
                                            // layout
}

void StepList::resizeEvent(QResizeEvent* event) {
    QAbstractItemView::resizeEvent(event);  // NOLINT(bugprone-parent-virtual-call): QListView's lays out again
    updateGeometries();
}

void StepList::scrollContentsBy(int, int) { viewport()->update(); }

void StepList::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const QStyle::State state = option.state;
    const int top = verticalScrollBar()->value();
    const int last = std::min(rowCount() - 1, top + event->rect().bottom() / row_height_);
    for (int row = top + event->rect().top() / row_height_; row <= last; ++row) {
        const QModelIndex index = model()->index(row, 0, rootIndex());
        option.rect = visualRect(index);
        option.state = state;
        option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        option.state.setFlag(QStyle::State_HasFocus, hasFocus() && index == currentIndex());
        option.state.setFlag(
            QStyle::State_MouseOver,
            viewport()->underMouse() && option.rect.contains(viewport()->mapFromGlobal(QCursor::pos())));
        itemDelegateForIndex(index)->paint(&painter, option, index);
    }
}

QModelIndex StepList::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
    if (rowCount() == 0) return {};
    const int page = std::max(1, rowsInView() - 1), now = currentIndex().row();
    int row = 0;
    switch (action) {
        case MoveUp:
        case MoveLeft:
        case MovePrevious: row = now - 1; break;
        case MoveDown:
        case MoveRight:
        case MoveNext: row = now + 1; break;
        case MovePageUp: row = now - page; break;
        case MovePageDown: row = now + page; break;
        case MoveHome: break;
        case MoveEnd: row = rowCount() - 1; break;
    }
    return model()->index(std::clamp(row, 0, rowCount() - 1), 0, rootIndex());
}

void StepList::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) {
    const QModelIndex first = indexAt(rect.topLeft()), last = indexAt(rect.bottomLeft());
    if (first.isValid()) selectionModel()->select(QItemSelection(first, last.isValid() ? last : first), command);
}

QRegion StepList::visualRegionForSelection(const QItemSelection& selection) const {
    QRegion region;
    for (const QItemSelectionRange& range : selection)
        region += visualRect(range.topLeft()).united(visualRect(range.bottomRight()));
    return region & viewport()->rect();
}

}  // namespace partita
