#include "app/gui/style/elided_combo_box.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStylePainter>
#include <QToolTip>

#include "app/gui/style/telling_names.h"

namespace partita {

ElidedComboBox::ElidedComboBox(Texts texts, QWidget* parent) : QComboBox(parent), texts_(texts) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);  // the longest text shall not say how wide
}

QString ElidedComboBox::shownText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QString text = currentIndex() < 0 ? placeholderText() : currentText();
    constexpr int kAround = 4;  // of which styles leave some at either end
    const int room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - kAround;
    if (texts_ == Texts::Sentences) return fontMetrics().elidedText(text, Qt::ElideRight, room);
    QStringList names;
    for (int i = 0; i < std::min(count(), int(TellingNames::kMostCompared)); ++i) names << itemText(i);
    return TellingNames(names).elided(text, fontMetrics(), room);
}

void ElidedComboBox::showPopup() {
    // Of ten thousand names none is measured.
    constexpr int kMostMeasured = 500, kFrame = 12;
    if (count() <= kMostMeasured) {
        const int wanted = view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width() + kFrame;
        view()->setMinimumWidth(std::min(wanted, screen()->availableSize().width() / 2));
    }
    QComboBox::showPopup();
}

void ElidedComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shownText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ElidedComboBox::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && currentIndex() >= 0) {
        const QString of_item = itemData(currentIndex(), Qt::ToolTipRole).toString();
        const QString whole = shownText() == currentText() ? QString() : currentText();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), of_item.isEmpty() ? whole : of_item, this);
        return true;
    }
    return QComboBox::event(event);
}

}  // namespace partita
