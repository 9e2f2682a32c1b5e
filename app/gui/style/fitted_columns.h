// Keeps a table from scrolling sideways: the first column takes what the others leave, and where that is too little for
// a name, columns that can be done without are left out, one after the other; a row's tooltip tells them then.
#pragma once

#include <vector>

#include <QObject>

class QModelIndex;
class QTreeView;

namespace partita {

/// How many rows a column's width is measured from, beyond those in sight; Qt's 1000 take longer than a frame.
inline constexpr int kMeasuredRows = 64;

/// Returns how wide a column has to be for its header: Qt's hint leaves out part of the padding, and letters of some
/// fonts reach beyond their advance.
int header_width(const QTreeView& table, int column);

class FittedColumns : public QObject {
public:
    /// `dispensable`: columns, the first is left out first. Owned by the table.
    FittedColumns(QTreeView& table, std::vector<int> dispensable, int narrowest, int widest);

    /// These have nothing to say now.
    void setEmpty(std::vector<int> columns) { empty_ = std::move(columns); }
    /// A column of bars has no width of its own.
    void setBars(int column, int width);
    /// Measures the rows in sight; to be called after the table was filled. Resizing does it by itself.
    void fit();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QString hiddenValues(const QModelIndex& row) const;
    bool isEmpty(int column) const;

    QTreeView& table_;
    std::vector<int> dispensable_, empty_;
    int narrowest_, widest_;
    int bars_ = -1, bars_width_ = 0;
};

}  // namespace partita
