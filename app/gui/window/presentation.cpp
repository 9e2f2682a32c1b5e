#include "app/gui/window/presentation.h"

#include <utility>

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QScrollArea>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/gui/jobs/pauses.h"
#include "app/gui/panels/lessons/page_text.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"

namespace partita {

namespace {

QLabel* add_label(QVBoxLayout& column, const QString& name, const QMargins& margins) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    label->setContentsMargins(margins);
    label->hide();
    column.addWidget(label);
    return label;
}

/// Twice the line spacing would be a few pixels too low: the label rounds each line up.
int height_of_two_lines(const QLabel& label) {
    const QRect room(0, 0, QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    const QRect lines = label.fontMetrics().boundingRect(room, Qt::AlignCenter, QStringLiteral("1\n2"));
    const QMargins margins = label.contentsMargins();
    return lines.height() + margins.top() + margins.bottom();
}

}  // namespace

Presentation::Presentation(QMainWindow& window, Pages& pages, QVBoxLayout& column, QBoxLayout& sides)
    : QObject(&window), window_(window), pages_(pages),
      clock_(add_label(column, QStringLiteral("presentation-clock"), QMargins(40, 8, 40, 0))),
      caption_(add_label(column, QStringLiteral("presentation-caption"), QMargins(40, 14, 40, 18))),
      hint_(add_label(column, QStringLiteral("presentation-hint"), QMargins(40, 0, 40, 14))), sides_(sides),
      page_area_(new QScrollArea), page_text_(new PageText), second_(new QTimer(this)) {
    connect(second_, &QTimer::timeout, this, [this] {
        if (--seconds_left_ <= 0) second_->stop();
        showClock();
    });
    caption_->setAccessibleName(tr("What is shown"));
    page_text_->setObjectName(QStringLiteral("presentation-page"));
    page_text_->setAccessibleName(tr("Lesson text"));
    page_text_->document()->setDocumentMargin(20);
    page_text_->setOpenLinks(false);
    page_text_->setFocusPolicy(Qt::NoFocus);  // keys are the graph's
    page_area_->setWidget(page_text_);
    page_area_->setWidgetResizable(true);
    page_area_->setFrameShape(QFrame::NoFrame);
    page_area_->setFocusPolicy(Qt::NoFocus);
    page_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page_area_->hide();
    sides.insertWidget(0, page_area_);
    window.installEventFilter(this);
}

void Presentation::setTheme(const Theme& theme) {
    hint_color_ = theme.muted_text.name();
    setSentence(sentence_);
}

void Presentation::set(bool on) {
    if (on == isOn()) return;
    panels_->setAway(on);
    if (on) {
        emit held(true);
        before_ = window_.saveState();
        keepSight();
        shape_before_ = window_.window()->windowState();
        for (QDockWidget* dock : panels_->docks()) dock->hide();
        for (QToolBar* bar : window_.findChildren<QToolBar*>()) bar->hide();
        window_.statusBar()->hide();
        window_.menuBar()->hide();
        window_.window()->showFullScreen();
        emit changed(true);
    } else {
        window_.window()->setWindowState(shape_before_);
        window_.statusBar()->show();
        window_.menuBar()->show();
        const QByteArray state = std::exchange(before_, QByteArray());
        emit changed(false);  // in large type the docks would be as wide as that needs
        window_.restoreState(state);
        after_pause(this, 150, [this, state] {
            if (isOn()) return;
            window_.setAnimated(false);
            window_.restoreState(state);  // now that the window has its own size again
            window_.setAnimated(true);
            emit held(false);  // the state has their bars as they were while held
        });
        emit held(false);
    }
    if (!on) seconds_left_ = -1;
    setSentence(sentence_);
    pages_.setPresented(on);
    after_pause(this, 150, [this, on] { lookAgain(on); });  // when the window has its new size
}

void Presentation::keepSight() {
    sight_before_ = {};
    const GraphPage* page = pages_.current();
    if (page && page->view().hasOwnSight())
        sight_before_ = {pages_.current(), page->view().zoom(), page->view().visibleArea().center()};
}

void Presentation::lookAgain(bool on) {
    const auto& [page, zoom, centre] = sight_before_;
    if (!on && page && page == pages_.current()) page->view().lookFirstAt(zoom, centre);
    else pages_.forCurrentView([](GraphView& view) { view.fit(); });
}

/// A step's sentence leaves the keys readable. It has the room of two lines from the start: the graph does not move.
void Presentation::setSentence(const QString& sentence) {
    sentence_ = sentence;
    QString keys = tr("F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation.");
    if (!page_.isEmpty()) keys = tr("Shift+Q gives a minute.") + QLatin1Char(' ') + keys;
    if (!page_.isEmpty()) keys = tr("Page Down turns the page.") + QLatin1Char(' ') + keys;
    if (hides_question_) keys = tr("Q shows the question.") + QLatin1Char(' ') + keys;
    caption_->setText(sentence.isEmpty() ? keys : sentence);
    caption_->setMinimumHeight(height_of_two_lines(*caption_));
    hint_->setText(QStringLiteral("<small style='color:%1'>%2</small>").arg(hint_color_, keys.toHtmlEscaped()));
    caption_->setVisible(isOn());
    hint_->setVisible(isOn() && !sentence.isEmpty());
    showClock();
    showPage();
}

void Presentation::showPage() {
    page_area_->setVisible(isOn() && !page_.isEmpty());
    if (!page_area_->isVisibleTo(&window_)) return;
    placePage();
    page_text_->showMarkdown(hides_question_ ? page_.section(QLatin1Char('\n'), 0, 0) : page_ + choices_);
}

/// Beside the graph, or below it where that leaves it more room.
void Presentation::placePage() {
    const bool beside = window_.width() * 4 > window_.height() * 5;
    sides_.setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::BottomToTop);
    page_area_->setFixedWidth(beside ? window_.width() * 3 / 10 : window_.width());
    page_area_->setMaximumHeight(beside ? QWIDGETSIZE_MAX : window_.height() * 3 / 10);
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && page_area_->isVisibleTo(&window_)) placePage();
    return QObject::eventFilter(watched, event);
}

void Presentation::setPage(const QString& text, const QString& choices, bool asks) {
    if (text == page_) return;  // the answer to its question does not hide it again
    page_ = text;
    choices_ = choices;
    hides_question_ = asks;
    seconds_left_ = -1;
    setSentence(sentence_);
    if (isOn()) fitPage();
}

/// At once, and again when the division that the page speaks of is drawn.
void Presentation::fitPage() {
    pages_.forCurrentView([](GraphView& view) { view.fit(); });
    if (const GraphPage* page = pages_.current())
        connect(
            page, &GraphPage::settled, this,
            [this] {
                if (isOn()) lookAgain(true);
            },
            static_cast<Qt::ConnectionType>(Qt::SingleShotConnection | Qt::QueuedConnection));
}

void Presentation::addMinute() {
    constexpr int kMinute = 60;
    seconds_left_ = seconds_left_ < 0 ? 2 * kMinute : seconds_left_ + kMinute;
    second_->start(1000);
    showClock();
}

void Presentation::showClock() {
    if (seconds_left_ < 0) second_->stop();
    clock_->setVisible(isOn() && seconds_left_ >= 0);
    const QString time =
        QStringLiteral("%1:%2").arg(seconds_left_ / 60).arg(seconds_left_ % 60, 2, 10, QLatin1Char('0'));
    clock_->setText(QStringLiteral("<big><b>%1</b></big>").arg(seconds_left_ == 0 ? tr("Time is up.") : time));
}

void Presentation::revealQuestion() {
    hides_question_ = false;
    setSentence(sentence_);
}

}  // namespace partita
