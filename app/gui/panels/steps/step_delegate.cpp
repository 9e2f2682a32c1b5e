#include "app/gui/panels/steps/step_delegate.h"

#include <algorithm>

#include <QApplication>
#include <QPainter>

#include "app/gui/panels/steps/steps_model.h"

namespace partita {

namespace {

constexpr int kMargin = 5;

/// To the right, or down where what is below is shown.
void draw_arrow(QPainter& painter, const QRectF& place, bool open) {
    const double half = place.width() / 4;
    painter.translate(place.left() + 1.5 * half, place.center().y());
    if (!open) painter.rotate(-90);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawConvexPolygon(QPolygonF({{-half, -half / 2}, {half, -half / 2}, {0, half / 2}}));
}

}  // namespace

StepDelegate::Columns StepDelegate::columns(const QFontMetrics& metrics) const {
    const int gap = metrics.horizontalAdvance(QStringLiteral("   "));
    // All digits are of one width.
    Columns columns;
    columns.number_end = kMargin + metrics.horizontalAdvance(QString::number(steps_.largestNumber()));
    columns.pass = columns.number_end + gap;
    int widest = 0;
    for (const QString& name : StepsModel::passNames()) widest = std::max(widest, metrics.horizontalAdvance(name));
    columns.sentence = columns.pass + widest + gap;
    columns.indent = metrics.height();
    return columns;
}

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const Columns at = columns(plain.fontMetrics);
    const QRect row = option.rect;
    const auto write = [&](int from, int to, int align, const QString& text) {
        painter->drawText(QRect(row.left() + from, row.top(), to - from, row.height()),
                          align | Qt::AlignVCenter | Qt::TextSingleLine, text);
    };
    painter->save();
    painter->setPen(plain.palette.color(QPalette::Text));
    write(0, at.number_end, Qt::AlignRight, steps_.numberText(index.row()));
    write(at.pass, at.sentence, Qt::AlignLeft, steps_.passName(index.row()));
    const bool group = steps_.isGroup(index.row());
    const int from = at.sentence + (group ? at.indent : steps_.isInGroup(index.row()) ? 2 * at.indent : 0);
    write(from, row.width(), Qt::AlignLeft,
          plain.fontMetrics.elidedText(steps_.sentence(index.row()), Qt::ElideRight, row.width() - from - kMargin));
    if (group) {
        const QRectF place(row.left() + at.sentence, row.top(), at.indent, row.height());
        draw_arrow(*painter, place, steps_.isOpen(index.row()));
    }
    painter->restore();
}

bool StepDelegate::isArrow(const QAbstractItemView& list, const QPoint& place) const {
    const QModelIndex index = list.indexAt(place);
    const Columns at = columns(list.fontMetrics());
    return index.isValid() && steps_.isGroup(index.row()) && place.x() >= at.sentence - at.indent / 2 &&
           place.x() < at.sentence + at.indent;
}

}  // namespace partita
