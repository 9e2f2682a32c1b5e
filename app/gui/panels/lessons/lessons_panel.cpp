#include "app/gui/panels/lessons/lessons_panel.h"

#include <utility>

#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/foreign_text.h"
#include "engine/exporters/picture.h"
#include "engine/flow/names.h"

namespace partita {

namespace {

constexpr int kNarrowestLessons = 256;

}  // namespace

LessonsPanel::LessonsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), chooser_(new ElidedComboBox), text_(new QTextBrowser), answer_(new QLabel),
      selected_(new QLabel), number_(new QLabel), prediction_(new PredictionView(document)),
      back_(new QPushButton(tr("Back"))), next_(new QPushButton(tr("Next"))),
      check_(new QPushButton(tr("Check my selection"))) {
    fillChooser();
    buildTexts();
    buildColumn();
    showChoice();
    fit();
    connect(&document_, &Document::selectionChanged, this, &LessonsPanel::updateCheck);
    connect(chooser_, &QComboBox::activated, this, &LessonsPanel::start);
    connect(back_, &QPushButton::clicked, this, &LessonsPanel::back);
    connect(next_, &QPushButton::clicked, this, &LessonsPanel::next);
    connect(check_, &QPushButton::clicked, this, &LessonsPanel::check);
    connect(&document_, &Document::opened, this, [this] {
        // While a lesson's graph was read, somebody may have opened another one, or left the lesson.
        const bool is_the_lesson = opening_ && lesson_ && document_.path() == lesson_->title;
        opening_ = false;
        if (is_the_lesson) applyPage();
        else leave();
    });
}

void LessonsPanel::fillChooser() {
    chooser_->setAccessibleName(tr("Lesson"));
    chooser_->setPlaceholderText(tr("Choose a lesson"));
    for (const QString& path : find_lessons()) {
        Result<Lesson> lesson = open_lesson(path);
        if (!lesson) {
            document_.report(lesson.error());
            continue;
        }
        files_ << path;
        chooser_->addItem(lesson->title);
    }
    chooser_->setCurrentIndex(-1);
}

void LessonsPanel::buildTexts() {
    text_->setAccessibleName(tr("Lesson text"));
    text_->document()->setDocumentMargin(8);
    text_->setOpenLinks(false);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("lesson")) start(link.path().toInt());
        else if (link.scheme() == QLatin1String("predict")) predictOpenGraph();
        else QDesktopServices::openUrl(link);
    });
    answer_->setWordWrap(true);
    answer_->setTextFormat(Qt::MarkdownText);
    answer_->setAccessibleName(tr("Answer"));
    answer_->setObjectName(QStringLiteral("lesson-answer"));
    answer_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    answer_->hide();
    connect(answer_, &QLabel::linkActivated, this, [this](const QString& link) {
        if (document_.isOpen()) document_.setSelection({ExprId{QUrl(link).path().toUInt()}});
    });
    selected_->setWordWrap(true);
    selected_->setTextFormat(Qt::PlainText);
    selected_->setAccessibleName(tr("Selection"));
    selected_->setObjectName(QStringLiteral("lesson-selection"));
    selected_->hide();
}

void LessonsPanel::buildColumn() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->setSpacing(8);
    column->addStrut(kNarrowestLessons);
    column->addWidget(chooser_);
    column->addWidget(text_, 1);
    column->addWidget(answer_);
    column->addWidget(selected_);
    column->addWidget(check_);
    column->addWidget(prediction_, 2);
    prediction_->hide();
    auto* row = new QHBoxLayout;
    number_->setAlignment(Qt::AlignCenter);
    row->addWidget(back_);
    row->addWidget(number_, 1);
    row->addWidget(next_);
    column->addLayout(row);
    for (QPushButton* button : {back_, next_}) button->setEnabled(false);
    check_->hide();
    check_->setObjectName(QStringLiteral("primary"));
}

/// Another graph was opened: the lesson's pages don't speak of it.
void LessonsPanel::leave() {
    lesson_.reset();
    shown_lesson_ = -1;
    chooser_->setCurrentIndex(-1);
    chooser_->setToolTip(QString());
    number_->clear();
    next_->setText(tr("Next"));
    showChoice();
    for (QWidget* widget : std::initializer_list<QWidget*>{answer_, selected_, check_, prediction_}) widget->hide();
    prediction_->finish();
    for (QPushButton* button : {back_, next_}) button->setEnabled(false);
}

/// What can be learned, as links.
void LessonsPanel::showChoice() {
    QString words = tr("Each lesson opens a small graph of its own and asks a question that you answer on it.");
    for (int i = 0; i < chooser_->count(); ++i)
        words += QStringLiteral("\n\n[%1](lesson:%2)").arg(chooser_->itemText(i)).arg(i);
    if (document_.isOpen())
        words += QStringLiteral("\n\n[%1](predict:open)").arg(tr("Predict the regions of the graph that is open"));
    text_->setMarkdown(words);
}

void LessonsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !lesson_) showChoice();  // links keep the colour they were made with
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

/// Next is as wide as its longer text: it would push what is beside it on the last page.
void LessonsPanel::fit() {
    const QString now = next_->text();
    next_->setText(tr("Next lesson"));
    const int width = next_->sizeHint().width();
    next_->setText(now);
    next_->setMinimumWidth(width);
}

/// The first names of the operators; as links that select each.
QString LessonsPanel::namesOf(const std::vector<ExprId>& operators, bool links) const {
    constexpr size_t kMost = 12;
    const ExpressionNames& names = document_.names();
    QStringList words;
    for (size_t i = 0; i < operators.size() && i < kMost; ++i) {
        const std::string name = names.name(operators[i]);
        words << (links ? QStringLiteral("[%1](node:%2)")
                              .arg(QString::fromStdString(markdown_text(name)), QString::number(operators[i].value))
                        : shown_name(name));
    }
    if (operators.size() > kMost) words << QStringLiteral("…");
    return words.join(QStringLiteral(", "));
}

/// What is asked is answered by a selection.
void LessonsPanel::updateCheck() {
    const bool any = document_.isOpen() && !document_.selection().empty();
    selected_->setVisible(lesson_ && lesson_->pages[size_t(page_)].question);
    selected_->setText(any ? tr("Selected: %1.").arg(namesOf(document_.selection(), false))
                           : tr("Nothing is selected: click on an operator, Ctrl+click on more."));
    check_->setEnabled(any);
    check_->setToolTip(any ? tr("Compare the selection with the region")
                           : tr("Select operators on the graph first: click, Ctrl+click"));
}

QStringList LessonsPanel::lessonTitles() const {
    QStringList titles;
    for (int i = 0; i < chooser_->count(); ++i) titles << chooser_->itemText(i);
    return titles;
}

void LessonsPanel::predictOpenGraph() {
    if (!document_.isOpen()) return;
    leave();
    text_->setMarkdown(
        tr("## Predict\n\nWhich operators will be compiled together? Select those of one region on the graph (click, "
           "Ctrl+click, or a frame with Shift) and "
           "press **G**; do so for each region. Then compare with what the backends' rules and merging give."));
    prediction_->show();
    prediction_->start();
}

void LessonsPanel::endPrediction() {
    if (!prediction_->isPredicting()) return;
    if (lesson_) prediction_->finish();
    else leave();
}

void LessonsPanel::resumePrediction() {
    if (lesson_ && lesson_->pages[size_t(page_)].predict && !opening_ && !prediction_->isPredicting())
        prediction_->start();
}

QString LessonsPanel::answerText() const { return answer_->isHidden() ? QString() : answer_->text(); }

void LessonsPanel::start(int index) {
    if (index < 0 || index >= files_.size()) return;
    if (!leaving_) return open(index);
    chooser_->setCurrentIndex(shown_lesson_);
    leaving_([this, index] { open(index); });
}

void LessonsPanel::open(int index) {
    Result<Lesson> lesson = open_lesson(files_[index]);
    if (!lesson) return document_.report(lesson.error());
    shown_lesson_ = index;
    chooser_->setCurrentIndex(index);
    chooser_->setToolTip(lesson->title);
    lesson_ = std::move(*lesson);
    opening_ = true;
    showPage(0);
    document_.openText(lesson_->graph, lesson_->title, lesson_->backends);
}

void LessonsPanel::showPage(int page) {
    page_ = page;
    hinted_ = false;
    const LessonPage& now = lesson_->pages[size_t(page)];
    text_->setMarkdown(now.text);
    answer_->hide();
    check_->setVisible(now.question.has_value());
    updateCheck();
    prediction_->setVisible(now.predict);
    if (!now.predict) prediction_->finish();
    back_->setEnabled(page > 0);
    const bool last = page + 1 == pageCount();
    next_->setText(last ? tr("Next lesson") : tr("Next"));
    next_->setEnabled(!last || chooser_->currentIndex() + 1 < lessonCount());
    next_->setToolTip(next_->isEnabled() ? QString() : tr("This is the last page of the last lesson"));
    number_->setText(tr("%1 of %2", "pages").arg(page + 1).arg(pageCount()));
}

/// Brings the graph to the state that the page speaks of.
void LessonsPanel::applyPage() {
    const LessonPage& now = lesson_->pages[size_t(page_)];
    if (now.predict) prediction_->start();
    FlowChoice choice = document_.choice();
    if (choice.annotate == now.annotate && choice.merge == now.merge && choice.partition == now.partition) return;
    choice.annotate = now.annotate;
    choice.merge = now.merge;
    choice.partition = now.partition;
    document_.changeChoice(std::move(choice), tr("page %1 of the lesson").arg(page_ + 1));
}

void LessonsPanel::next() {
    if (!lesson_) return;
    if (page_ + 1 >= pageCount()) return start(chooser_->currentIndex() + 1);
    showPage(page_ + 1);
    if (!opening_) applyPage();
}

void LessonsPanel::back() {
    if (!lesson_ || page_ == 0) return;
    showPage(page_ - 1);
    if (!opening_) applyPage();
}

void LessonsPanel::check() {
    if (!lesson_ || !document_.isOpen() || !lesson_->pages[size_t(page_)].question) return;
    const LessonQuestion& question = *lesson_->pages[size_t(page_)].question;
    Result<Comparison> compared = check_answer(*lesson_, question, document_.shownModule(), document_.selection());
    answer_->show();
    answer_->setTextFormat(compared ? Qt::MarkdownText : Qt::PlainText);
    if (!compared) return answer_->setText(shown_message(compared.error().message));
    if (compared->right()) return answer_->setText(QStringLiteral("**%1** %2").arg(tr("Right."), question.right));
    QStringList parts{QStringLiteral("**%1**").arg(tr("Not yet."))};
    if (!std::exchange(hinted_, true)) {
        // The learner looks again before the answer is told.
        parts << tr("Missing: %1, too many: %2.").arg(compared->missed.size()).arg(compared->extra.size())
              << question.wrong << tr("Try once more to see which.");
    } else {
        if (!compared->missed.empty()) parts << tr("Missing: %1.").arg(namesOf(compared->missed, true));
        if (!compared->extra.empty()) parts << tr("Too many: %1.").arg(namesOf(compared->extra, true));
        parts << question.wrong;
    }
    answer_->setText(parts.join(QLatin1Char(' ')));
}

}  // namespace partita
