#include "app/gui/panels/steps/step_delegate.h"

#include <algorithm>

#include <QApplication>
#include <QPainter>

#include "app/gui/panels/steps/steps_model.h"

namespace partita {

namespace {

constexpr int kMargin = 5;

}  // namespace

StepDelegate::Columns StepDelegate::columns(const QFontMetrics& metrics) const {
    const int gap = metrics.horizontalAdvance(QStringLiteral("   "));
    const int rows = steps_.rowCount();
    // Numbers grow down the list, and all digits are of one width.
    Columns columns;
    columns.number_end =
        kMargin + (rows > 0 ? metrics.horizontalAdvance(QString::number(steps_.decisionsThrough(rows - 1))) : 0);
    columns.pass = columns.number_end + gap;
    int widest = 0;
    for (const QString& name : StepsModel::passNames()) widest = std::max(widest, metrics.horizontalAdvance(name));
    columns.sentence = columns.pass + widest + gap;
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
    painter->setFont(plain.font);
    painter->setPen(plain.palette.color(QPalette::Text));
    write(0, at.number_end, Qt::AlignRight, steps_.numberText(index.row()));
    write(at.pass, at.sentence, Qt::AlignLeft, steps_.passName(index.row()));
    const int room = row.width() - at.sentence - kMargin;
    write(at.sentence, row.width(), Qt::AlignLeft,
          plain.fontMetrics.elidedText(steps_.sentence(index.row()), Qt::ElideRight, room));
    painter->restore();
}

}  // namespace partita
