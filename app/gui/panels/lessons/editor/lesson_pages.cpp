#include "app/gui/panels/lessons/editor/lesson_pages.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

/// A page in the list: its first line, without the mark of a heading, and whether it asks.
QString page_title(size_t number, const LessonPage& page) {
    QString line = QString::fromStdString(page.text).trimmed().section(QLatin1Char('\n'), 0, 0);
    while (line.startsWith(QLatin1Char('#'))) line.remove(0, 1);
    return QStringLiteral("%1  %2%3")
        .arg(number + 1)
        .arg(shown_name(line.trimmed()), page.question ? QStringLiteral("  ?") : QString());
}

}  // namespace

LessonPages::LessonPages(LessonDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), pages_(new QListWidget), remove_(new QPushButton(QStringLiteral("−"))),
      up_(new QPushButton(QStringLiteral("↑"))), down_(new QPushButton(QStringLiteral("↓"))) {
    pages_->setObjectName(QStringLiteral("lesson-pages"));
    pages_->setAccessibleName(tr("Pages"));
    pages_->setFixedHeight(fontMetrics().lineSpacing() * 5);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(pages_);
    buildButtons();
    connect(pages_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!filling_ && row >= 0) emit pageWanted(row);
    });
    connect(&draft_, &LessonDraft::edited, this, &LessonPages::refreshButtons);
}

void LessonPages::buildButtons() {
    auto* add = new QPushButton(tr("Add page"));
    add->setToolTip(tr("A page after this one, with the graph as it is in the window"));
    remove_->setToolTip(tr("Remove this page"));
    up_->setToolTip(tr("Move the page up"));
    down_->setToolTip(tr("Move the page down"));
    add->setObjectName(QStringLiteral("lesson-add-page"));
    remove_->setObjectName(QStringLiteral("lesson-remove-page"));
    up_->setObjectName(QStringLiteral("lesson-page-up"));
    down_->setObjectName(QStringLiteral("lesson-page-down"));
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(add, 1);
    for (QPushButton* sign : {remove_, up_, down_}) {
        sign->setAccessibleName(sign->toolTip());
        row->addWidget(sign);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(add, &QPushButton::clicked, this, &LessonPages::additionWanted);
    connect(remove_, &QPushButton::clicked, this, &LessonPages::remove);
    connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move(1); });
}

void LessonPages::fill() {
    removed_.reset();
    list();
    setCurrent(0);
}

void LessonPages::list() {
    filling_ = true;
    pages_->clear();
    for (size_t i = 0; i < draft_.lesson().pages.size(); ++i) pages_->addItem(page_title(i, draft_.lesson().pages[i]));
    pages_->setCurrentRow(current_);
    filling_ = false;
}

void LessonPages::setCurrent(int page) {
    current_ = std::clamp(page, 0, int(draft_.lesson().pages.size()) - 1);
    filling_ = true;
    pages_->setCurrentRow(current_);
    filling_ = false;
    refreshButtons();
}

void LessonPages::refreshTitle() {
    if (QListWidgetItem* item = pages_->item(current_))
        item->setText(page_title(size_t(current_), draft_.lesson().pages[size_t(current_)]));
}

void LessonPages::add(LessonPage page) {
    removed_.reset();
    draft_.edit([&](Lesson& lesson) { lesson.pages.insert(lesson.pages.begin() + current_ + 1, std::move(page)); });
    ++current_;
    list();
    emit pageWanted(current_);
}

void LessonPages::remove() {
    if (removed_) {
        const std::pair<int, LessonPage> back = *std::exchange(removed_, std::nullopt);
        current_ = std::min(back.first, int(draft_.lesson().pages.size()));
        draft_.edit([&](Lesson& lesson) { lesson.pages.insert(lesson.pages.begin() + current_, back.second); });
    } else if (draft_.lesson().pages.size() > 1) {
        removed_ = {current_, draft_.lesson().pages[size_t(current_)]};
        const int place = current_;
        current_ = std::min(current_, int(draft_.lesson().pages.size()) - 2);
        draft_.edit([&](Lesson& lesson) { lesson.pages.erase(lesson.pages.begin() + place); });
    }
    list();
    emit pageWanted(current_);
}

void LessonPages::move(int by) {
    const int to = current_ + by;
    if (to < 0 || to >= int(draft_.lesson().pages.size())) return;
    draft_.edit([&](Lesson& lesson) { std::swap(lesson.pages[size_t(current_)], lesson.pages[size_t(to)]); });
    current_ = to;
    list();
    emit pageWanted(to);
}

void LessonPages::refreshButtons() {
    remove_->setText(removed_ ? QStringLiteral("↶") : QStringLiteral("−"));
    remove_->setToolTip(removed_ ? tr("The page that was removed comes back") : tr("Remove this page"));
    remove_->setAccessibleName(remove_->toolTip());
    remove_->setEnabled(removed_ || draft_.lesson().pages.size() > 1);
    up_->setEnabled(current_ > 0);
    down_->setEnabled(current_ + 1 < int(draft_.lesson().pages.size()));
}

}  // namespace partita
