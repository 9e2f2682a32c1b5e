#include "app/gui/style/fitted_columns.h"

#include <algorithm>

#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>
#include <QTreeView>

namespace partita {

int header_width(const QTreeView& table, int column) {
    const QFontMetrics type = table.fontMetrics();
    return type.horizontalAdvance(table.model()->headerData(column, Qt::Horizontal).toString()) + type.height() + 9;
}

FittedColumns::FittedColumns(QTreeView& table, std::vector<int> dispensable, int narrowest, int widest)
    : QObject(&table), table_(table), dispensable_(std::move(dispensable)), narrowest_(narrowest), widest_(widest) {
    table.header()->setStretchLastSection(false);
    table.header()->setMinimumSectionSize(36);
    table.header()->setResizeContentsPrecision(kMeasuredRows);
    table.viewport()->installEventFilter(this);
}

void FittedColumns::setBars(int column, int width) {
    bars_ = column;
    bars_width_ = width;
}

bool FittedColumns::isEmpty(int column) const {
    return std::find(empty_.begin(), empty_.end(), column) != empty_.end();
}

void FittedColumns::fit() {
    const int count = table_.model() ? table_.model()->columnCount() : 0;
    int others = 0;
    for (int column = 1; column < count; ++column) {
        table_.setColumnHidden(column, isEmpty(column));
        if (isEmpty(column)) continue;
        table_.resizeColumnToContents(column);
        table_.setColumnWidth(
            column, column == bars_ ? bars_width_ : std::max(table_.columnWidth(column), header_width(table_, column)));
        others += table_.columnWidth(column);
    }
    const int room = table_.viewport()->width();
    constexpr int kOrdinaryType = 15;   // what the least width was chosen for
    constexpr int kRoomForNames = 300;  // the whole name of a usual region: it tells rows apart, figures wait
    if (count > 0) table_.resizeColumnToContents(0);
    const int type = std::max(kOrdinaryType, table_.fontMetrics().height());
    const int wanted = count > 0 ? std::min(table_.columnWidth(0), kRoomForNames * type / kOrdinaryType) : 0;
    const int narrowest = std::max(narrowest_ * type / kOrdinaryType, wanted);
    for (int column : dispensable_) {
        if (room - others >= narrowest) break;
        others -= table_.columnWidth(column);
        table_.setColumnHidden(column, true);
    }
    table_.setColumnWidth(0, std::clamp(room - others, narrowest / 2, std::max(widest_, narrowest)));
}

QString FittedColumns::hiddenValues(const QModelIndex& row) const {
    QStringList lines;
    for (int column = 1; column < table_.model()->columnCount(); ++column) {
        if (!table_.isColumnHidden(column) || isEmpty(column)) continue;
        const QString value = row.siblingAtColumn(column).data().toString();
        if (!value.isEmpty())
            lines << QStringLiteral("%1: %2").arg(table_.model()->headerData(column, Qt::Horizontal).toString(), value);
    }
    return lines.join(QLatin1Char('\n'));
}

bool FittedColumns::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize) fit();
    if (event->type() != QEvent::ToolTip) return QObject::eventFilter(object, event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QModelIndex index = table_.indexAt(help->pos());
    const QString hidden = index.isValid() && index.column() == 0 ? hiddenValues(index) : QString();
    if (hidden.isEmpty()) return QObject::eventFilter(object, event);
    QString own = index.data(Qt::ToolTipRole).toString();
    if (own.isEmpty()) own = index.data().toString();
    QToolTip::showText(help->globalPos(), own + QLatin1Char('\n') + hidden, table_.viewport());
    return true;
}

}  // namespace partita
