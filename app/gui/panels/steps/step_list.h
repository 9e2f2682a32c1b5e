// A list of rows of one height, of which there may be millions, of a model that is only ever reset as a whole: asks for
// those rows only that are visible. QListView lays out
// each of its rows, which holds the window up for a tenth of a second of three million steps.
#pragma once

#include <QListView>

namespace partita {

class StepList : public QListView {
    Q_OBJECT

public:
    explicit StepList(QWidget* parent = nullptr);
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    QModelIndex indexAt(const QPoint& place) const override;
    // QListView's own would lay out every step.
    void doItemsLayout() override { QAbstractItemView::doItemsLayout(); }  // NOLINT(bugprone-parent-virtual-call)

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void updateGeometries() override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    int horizontalOffset() const override { return 0; }
    int verticalOffset() const override;
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    int rowCount() const { return model() ? model()->rowCount(rootIndex()) : 0; }
    int rowsInView() const { return viewport()->height() / row_height_; }

    int row_height_ = 1;
};

}  // namespace partita
