#include "app/gui/panels/steps/step_bar.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/style/icons.h"

namespace partita {

StepBar::StepBar()
    : theme_(make_theme(false, PaletteChoice::OkabeIto)), bar_(new QHBoxLayout), choices_(new QHBoxLayout),
      slider_(new QSlider(Qt::Horizontal)), filter_(new QComboBox), speed_(new QComboBox) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar_);
    column->addLayout(choices_);
    bar_->setContentsMargins(8, 4, 8, 4);
    choices_->setContentsMargins(8, 0, 8, 0);
    for (QHBoxLayout* row : {bar_, choices_}) row->setSpacing(2);
    addButton(QStringLiteral("first"), tr("First step"), tr("Go to the first step"), &StepBar::firstWanted);
    addButton(QStringLiteral("step-back"), tr("Step back"), tr("One step back"), &StepBar::backWanted);
    addButton(QStringLiteral("play"), tr("Play"), tr("Play or pause"), &StepBar::playWanted);
    addButton(QStringLiteral("step-forward"), tr("Step forward"), tr("One step forward"), &StepBar::forwardWanted);
    addButton(QStringLiteral("next-breakpoint"), tr("Next breakpoint"), tr("Go on to the next breakpoint (Ctrl+F12)"),
              &StepBar::breakpointWanted);
    addButton(QStringLiteral("last"), tr("Last step"), tr("Go to the last step"), &StepBar::lastWanted);
    addButton(QStringLiteral("close"), tr("Show the result"), tr("Leave the steps and show the result"),
              &StepBar::resultWanted);
    bar_->addWidget(slider_, 1);
    slider_->setAccessibleName(tr("Step"));
    filter_->addItems({tr("All decisions"), tr("Placement"), tr("Merging"), tr("Refusals")});
    filter_->setAccessibleName(tr("Which decisions"));
    speed_->addItems({tr("Speed: slow"), tr("Speed: normal"), tr("Speed: fast"), tr("Speed: very fast")});
    speed_->setCurrentIndex(1);
    speed_->setAccessibleName(tr("Speed"));
    for (QComboBox* box : {filter_, speed_}) bar_->addWidget(box);
    connect(slider_, &QSlider::valueChanged, this, &StepBar::rowWanted);
    connect(filter_, &QComboBox::currentIndexChanged, this, &StepBar::filterChosen);
    connect(speed_, &QComboBox::currentIndexChanged, this, [this](int index) {
        static constexpr int intervals[] = {1600, 700, 200, 40};
        emit intervalChosen(intervals[index]);
    });
}

void StepBar::addButton(const QString& icon, const QString& text, const QString& tip, void (StepBar::*wanted)()) {
    auto* button = new QToolButton;
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    bar_->addWidget(button);
    buttons_[icon] = button;
    connect(button, &QToolButton::clicked, this, wanted);
}

void StepBar::setTheme(const Theme& theme) {
    theme_ = theme;
    const int side = fontMetrics().height();
    for (const auto& [icon, button] : buttons_) {
        button->setIcon(themed_icon(icon, theme));
        button->setIconSize(QSize(side, side));
    }
    fit();
}

/// Where large type leaves no room for whole words beside the buttons, the choices stand below them.
void StepBar::fit() {
    constexpr int kShortestSlider = 90, kAround = 40;
    int wanted = kShortestSlider + kAround + filter_->sizeHint().width() + speed_->sizeHint().width();
    for (const auto& [icon, button] : buttons_) wanted += button->sizeHint().width() + bar_->spacing();
    QHBoxLayout* place = wanted > width() ? choices_ : bar_;
    if (place->indexOf(filter_) >= 0) return;
    for (QComboBox* box : {filter_, speed_}) {
        (place == bar_ ? choices_ : bar_)->removeWidget(box);
        place->addWidget(box);
    }
}

void StepBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void StepBar::showState(const State& state) {
    const bool any = state.rows > 0, more = any && state.row + 1 < state.rows;
    const QSignalBlocker block(slider_);
    slider_->setRange(0, std::max(0, state.rows - 1));
    slider_->setValue(std::max(0, state.row));
    slider_->setEnabled(any);
    buttons_[QStringLiteral("first")]->setEnabled(any && state.row != 0);
    buttons_[QStringLiteral("step-back")]->setEnabled(state.row > 0);
    buttons_[QStringLiteral("step-forward")]->setEnabled(more);
    buttons_[QStringLiteral("last")]->setEnabled(more);
    buttons_[QStringLiteral("close")]->setEnabled(state.row >= 0);
    QToolButton& play = *buttons_[QStringLiteral("play")];
    play.setEnabled(any);
    play.setIcon(themed_icon(state.playing ? QStringLiteral("pause") : QStringLiteral("play"), theme_));
    QToolButton& breakpoint = *buttons_[QStringLiteral("next-breakpoint")];
    breakpoint.setEnabled(more && state.breakpoints);
    breakpoint.setToolTip(
        state.breakpoints
            ? tr("Go on to the next breakpoint (Ctrl+F12)")
            : tr("Go on to the next breakpoint (Ctrl+F12)\nSet one first: a click on the dot beside a rule, in Rules"));
}

}  // namespace partita
