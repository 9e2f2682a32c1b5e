#include "app/gui/window/presentation.h"

#include <utility>

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

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

}  // namespace

Presentation::Presentation(QMainWindow& window, Pages& pages, QVBoxLayout& column)
    : QObject(&window), window_(window), pages_(pages),
      caption_(add_label(column, QStringLiteral("presentation-caption"), QMargins(40, 14, 40, 18))),
      hint_(add_label(column, QStringLiteral("presentation-hint"), QMargins(40, 0, 40, 14))) {
    caption_->setAccessibleName(tr("What is shown"));
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
        shape_before_ = window_.windowState();
        for (QDockWidget* dock : panels_->docks()) dock->hide();
        for (QToolBar* bar : window_.findChildren<QToolBar*>()) bar->hide();
        window_.statusBar()->hide();
        window_.menuBar()->hide();
        window_.showFullScreen();
    } else {
        window_.setWindowState(shape_before_);
        window_.statusBar()->show();
        window_.menuBar()->show();
        window_.restoreState(std::exchange(before_, QByteArray()));
        emit held(false);
    }
    emit changed(on);
    setSentence(sentence_);
    pages_.setPresented(on);
    QTimer::singleShot(150, this, [this, on] { lookAgain(on); });  // when the window has its new size
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

/// A step's sentence leaves the keys readable.
void Presentation::setSentence(const QString& sentence) {
    sentence_ = sentence;
    QString keys = tr("F11 plays the next decision, Shift+F11 the one before. Esc leaves the presentation.");
    if (!page_.isEmpty()) keys = tr("Alt+Page Down turns the page.") + QLatin1Char(' ') + keys;
    if (hides_question_) keys = tr("Q shows the question.") + QLatin1Char(' ') + keys;
    const bool shows_page = sentence.isEmpty() && !page_.isEmpty();
    caption_->setTextFormat(shows_page ? Qt::MarkdownText : Qt::PlainText);
    caption_->setAlignment(shows_page ? Qt::AlignLeft : Qt::AlignCenter);
    if (shows_page) caption_->setText(hides_question_ ? page_.section(QLatin1Char('\n'), 0, 0) : page_);
    else caption_->setText(sentence.isEmpty() ? keys : sentence);
    hint_->setText(QStringLiteral("<small style='color:%1'>%2</small>").arg(hint_color_, keys.toHtmlEscaped()));
    caption_->setVisible(isOn());
    hint_->setVisible(isOn() && (shows_page || !sentence.isEmpty()));
}

void Presentation::setPage(const QString& text, bool asks) {
    if (text == page_) return;  // the answer to its question does not hide it again
    page_ = text;
    hides_question_ = asks;
    setSentence(sentence_);
}

void Presentation::revealQuestion() {
    hides_question_ = false;
    setSentence(sentence_);
}

}  // namespace partita
