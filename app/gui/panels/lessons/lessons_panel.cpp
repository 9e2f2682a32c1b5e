#include "app/gui/panels/lessons/lessons_panel.h"

#include <utility>

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/foreign_text.h"
#include "engine/exporters/picture.h"
#include "engine/flow/names.h"
#include "engine/lessons/grade.h"
#include "engine/support/file.h"

namespace partita {

namespace {

constexpr int kNarrowestLessons = 256;

}  // namespace

LessonsPanel::LessonsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), watcher_(new QFileSystemWatcher(this)), chooser_(new ElidedComboBox),
      text_(new QTextBrowser), answer_(new QLabel), selected_(new QLabel), number_(new QLabel),
      question_(new QuestionView(document)), prediction_(new PredictionView(document)), end_(new QWidget),
      score_(new QLabel), back_(new QPushButton(tr("Back"))), next_(new QPushButton(tr("Next"))),
      check_(new QPushButton(tr("Check"))) {
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
    connect(question_, &QuestionView::changed, this, &LessonsPanel::updateCheck);
    connect(question_, &QuestionView::checkWanted, this, &LessonsPanel::check);
    connect(prediction_, &PredictionView::predictingChanged, this, &LessonsPanel::notePrediction);
    connect(&document_, &Document::opened, this, [this] {
        // While a lesson's graph was read, somebody may have opened another one, or left the lesson.
        const bool is_the_lesson = opening_ && lesson_ && document_.path() == QString::fromStdString(lesson_->title);
        opening_ = false;
        if (is_the_lesson) applyPage();
        else leave();
    });
}

void LessonsPanel::fillChooser() {
    chooser_->setAccessibleName(tr("Lesson"));
    chooser_->setPlaceholderText(tr("Choose a lesson"));
    reload();
    for (auto signal : {&QFileSystemWatcher::directoryChanged, &QFileSystemWatcher::fileChanged})
        connect(watcher_, signal, this, &LessonsPanel::reload);
}

void LessonsPanel::reload() {
    const QString shown = shown_lesson_ >= 0 ? files_[shown_lesson_] : QString();
    files_.clear();
    titles_.clear();
    lines_.clear();
    done_.clear();
    chooser_->clear();
    faults_.clear();
    watchFiles();
    for (const QString& path : find_lessons()) {
        const CheckedLesson lesson = open_lesson(path);
        for (const Diagnostic& fault : lesson.faults) {
            document_.report(fault);
            faults_ << QString::fromStdString(fault.to_string());
        }
        if (!lesson.lesson) continue;
        const AnswerFile kept = load_progress(path, *lesson.lesson);
        files_ << path;
        titles_ << QString::fromStdString(lesson.lesson->title);
        lines_ << QString::fromStdString(lesson.lesson->line);
        const size_t asked = pages_with_questions(*lesson.lesson).size();
        done_.push_back(asked > 0 && kept.answers.size() >= asked);
        chooser_->addItem(titles_.back());
    }
    shown_lesson_ = int(files_.indexOf(shown));
    chooser_->setCurrentIndex(shown_lesson_);
    if (!lesson_) showChoice();
    emit lessonsChanged();
}

/// Files that are written anew are other files: they are watched again each time.
void LessonsPanel::watchFiles() {
    const QDir folder(own_lessons_folder());
    if (!folder.exists()) return;
    watcher_->addPath(folder.path());
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
        watcher_->addPath(file.filePath());
}

void LessonsPanel::openFolder() {
    QDir().mkpath(own_lessons_folder());
    watchFiles();
    QDesktopServices::openUrl(QUrl::fromLocalFile(own_lessons_folder()));
}

bool LessonsPanel::isDone(int lesson) const {
    return lesson >= 0 && lesson < int(done_.size()) && done_[size_t(lesson)];
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
    column->addWidget(question_);
    column->addWidget(answer_);
    column->addWidget(selected_);
    column->addWidget(check_);
    column->addWidget(prediction_, 2);
    buildEnd();
    column->addWidget(end_);
    for (QWidget* hidden : std::initializer_list<QWidget*>{prediction_, question_, end_}) hidden->hide();
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

/// The last page tells the score.
void LessonsPanel::buildEnd() {
    auto* column = new QVBoxLayout(end_);
    column->setContentsMargins(0, 0, 0, 0);
    score_->setObjectName(QStringLiteral("lesson-score"));
    score_->setWordWrap(true);
    column->addWidget(score_);
    auto* row = new QHBoxLayout;
    auto* save = new QPushButton(tr("Save answers…"));
    auto* again = new QPushButton(tr("Start again"));
    save->setObjectName(QStringLiteral("save-answers"));
    save->setToolTip(tr("Write the answers to a file that the teacher grades"));
    again->setObjectName(QStringLiteral("start-again"));
    again->setToolTip(tr("Forget the answers to this lesson"));
    row->addWidget(save, 1);
    row->addWidget(again, 1);
    column->addLayout(row);
    connect(save, &QPushButton::clicked, this, &LessonsPanel::saveAnswers);
    connect(again, &QPushButton::clicked, this, &LessonsPanel::startAgain);
}

/// Another graph was opened: the lesson's pages don't speak of it.
void LessonsPanel::leave() {
    lesson_.reset();
    graph_ = nullptr;
    question_->clear();
    shown_lesson_ = -1;
    chooser_->setCurrentIndex(-1);
    chooser_->setToolTip(QString());
    number_->clear();
    next_->setText(tr("Next"));
    showChoice();
    for (QWidget* widget : std::initializer_list<QWidget*>{answer_, selected_, check_, prediction_, question_, end_})
        widget->hide();
    prediction_->finish();
    for (QPushButton* button : {back_, next_}) button->setEnabled(false);
    emit pageChanged();
}

/// What can be learned, as links.
void LessonsPanel::showChoice() {
    QString words = tr("Each lesson opens a small graph of its own and asks a question that you answer on it.");
    for (int i = 0; i < lessonCount(); ++i) {
        words += QStringLiteral("\n\n[%1](lesson:%2)%3")
                     .arg(titles_[i])
                     .arg(i)
                     .arg(isDone(i) ? QStringLiteral(" ✓") : QString());
        if (!lines_[i].isEmpty()) words += QStringLiteral("  \n") + lines_[i];
    }
    for (const QString& fault : faults_)  // they stay until they are mended
        words += QStringLiteral("\n\n⚠ ") + QString::fromStdString(markdown_text(fault.toStdString()));
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

/// What is asked on the graph is answered by a selection.
void LessonsPanel::updateCheck() {
    const LessonQuestion* asked = question();
    const bool any = document_.isOpen() && !document_.selection().empty();
    selected_->setVisible(asked && QuestionView::selects(asked->kind));
    selected_->setText(any ? tr("Selected: %1.").arg(namesOf(document_.selection(), false))
                           : tr("Nothing is selected: click on an operator, Ctrl+click on more."));
    const QString obstacle = asked ? question_->obstacle() : QString();
    check_->setEnabled(obstacle.isEmpty());
    check_->setToolTip(obstacle.isEmpty() ? tr("Compare your answer with the right one") : obstacle);
}

QStringList LessonsPanel::lessonTitles() const { return titles_; }

QString LessonsPanel::pageText() const {
    return lesson_ ? QString::fromStdString(lesson_->pages[size_t(page_)].text) : QString();
}

const LessonQuestion* LessonsPanel::question() const {
    if (!lesson_) return nullptr;
    const std::optional<LessonQuestion>& asked = lesson_->pages[size_t(page_)].question;
    return asked && asked->kind != QuestionKind::Regions ? &*asked : nullptr;
}

bool LessonsPanel::isAnswered() const { return lesson_ && solved_[size_t(page_)]; }

/// Rules are written, and graphs made faster, with the division in view.
QString LessonsPanel::obstacleToDividing() const {
    const LessonQuestion* asked = question();
    if (!asked || opening_ || isAnswered() || asked->kind == QuestionKind::Faster) return {};
    return tr("The lesson asks for this: answer its question first");
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
    if (lesson_ && lesson_->pages[size_t(page_)].predict() && !opening_ && !prediction_->isPredicting())
        prediction_->start();
}

QString LessonsPanel::answerText() const { return answer_->isHidden() ? QString() : answer_->text(); }

QString LessonsPanel::choiceText() const { return text_->toPlainText(); }

void LessonsPanel::start(int index) {
    if (index < 0 || index >= files_.size()) return;
    if (!leaving_) return open(index);
    chooser_->setCurrentIndex(shown_lesson_);
    leaving_([this, index] { open(index); });
}

void LessonsPanel::open(int index) {
    CheckedLesson lesson = open_lesson(files_[index]);
    for (const Diagnostic& fault : lesson.faults) document_.report(fault);
    if (!lesson.lesson) return;
    shown_lesson_ = index;
    lesson_ = std::move(*lesson.lesson);
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(*lesson_);
    graph_ = graph ? *graph : nullptr;
    answers_ = load_progress(files_[index], *lesson_);
    attempts_.assign(lesson_->pages.size(), 0);
    solved_.assign(lesson_->pages.size(), false);
    if (graph_)
        for (const GradedAnswer& graded : grade(*lesson_, graph_, answers_).answers) {
            solved_[size_t(graded.page) - 1] = graded.right;
            attempts_[size_t(graded.page) - 1] = graded.attempts;
        }
    const QString title = QString::fromStdString(lesson_->title);
    chooser_->setCurrentIndex(index);
    chooser_->setToolTip(title);
    opening_ = true;
    showPage(0);
    document_.openText(QString::fromStdString(lesson_->graph), title, lesson_->backends);
}

QStringList LessonsPanel::backendNames() const {
    QStringList names;
    for (const BackendPtr& backend : lesson_->backends) names << QString::fromStdString(backend->name);
    return names << QStringLiteral("default");
}

void LessonsPanel::showPage(int page) {
    page_ = page;
    hinted_ = false;
    const LessonPage& now = lesson_->pages[size_t(page)];
    text_->setMarkdown(pageText());
    answer_->hide();
    const LessonQuestion* asked = question();
    if (asked) question_->ask(*asked, backendNames());
    else question_->clear();
    question_->setVisible(asked);
    check_->setVisible(asked);
    if (asked && QuestionView::selects(asked->kind)) check_->setText(tr("Check my selection"));
    else check_->setText(tr("Check"));
    if (isAnswered() && asked) showSolved(QString::fromStdString(asked->right));
    asked_.start();
    updateCheck();
    prediction_->setVisible(now.predict());
    if (!now.predict()) prediction_->finish();
    back_->setEnabled(page > 0);
    const bool last = page + 1 == pageCount();
    next_->setText(last ? tr("Next lesson") : tr("Next"));
    next_->setEnabled(!last || chooser_->currentIndex() + 1 < lessonCount());
    next_->setToolTip(next_->isEnabled() ? QString() : tr("This is the last page of the last lesson"));
    number_->setText(tr("%1 of %2", "pages").arg(page + 1).arg(pageCount()));
    showScore();
    emit pageChanged();
}

void LessonsPanel::showScore() {
    const bool last = page_ + 1 == pageCount();
    const bool asks = !pages_with_questions(*lesson_).empty();
    end_->setVisible(last && asks && graph_);
    if (!last || !asks || !graph_) return;
    const Grade reached = grade(*lesson_, graph_, answers_);
    score_->setText(tr("%1 of %2 questions right, %3 of %4 points. A right answer at the first attempt counts two.")
                        .arg(reached.right())
                        .arg(reached.answers.size())
                        .arg(reached.points())
                        .arg(kPointsAtOnce * int(reached.answers.size())));
}

/// Brings the graph to the state that the page speaks of.
void LessonsPanel::applyPage() {
    const LessonPage& now = lesson_->pages[size_t(page_)];
    if (now.predict()) prediction_->start();
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
    const LessonQuestion* asked = question();
    if (!asked || !document_.isOpen() || !graph_ || !question_->obstacle().isEmpty()) return;
    LessonAnswer answer = question_->answer();
    const Result<LessonVerdict> verdict = judge_answer(*graph_, *asked, answer);
    answer_->show();
    answer_->setTextFormat(verdict ? Qt::MarkdownText : Qt::PlainText);
    if (!verdict) return answer_->setText(shown_message(verdict.error().message));
    if (!isAnswered()) noteAnswer(std::move(answer), verdict->right);
    showVerdict(*verdict);
}

void LessonsPanel::showSolved(const QString& right) {
    answer_->show();
    answer_->setTextFormat(Qt::MarkdownText);
    answer_->setText(QStringLiteral("**✓ %1** %2").arg(tr("Right."), right));
}

void LessonsPanel::showVerdict(const LessonVerdict& verdict) {
    const LessonQuestion& asked = *question();
    if (verdict.right) {
        showSolved(QString::fromStdString(asked.right));
        emit pageChanged();
        return;
    }
    QStringList parts{QStringLiteral("**✗ %1**").arg(tr("Not yet."))};
    const bool names = std::exchange(hinted_, true) || asked.kind == QuestionKind::Faster;
    if (asked.kind == QuestionKind::Select && !names)  // the learner looks again before the answer is told
        parts << tr("Missing: %1, too many: %2.").arg(verdict.missed.size()).arg(verdict.extra.size());
    if (asked.kind == QuestionKind::Faster && verdict.regions >= 0)
        parts << tr("%n region(s) now, and %1 KiB cross their boundaries.", nullptr, verdict.regions)
                     .arg(verdict.moved_bytes / 1024, 0, 'f', 1);
    if (asked.kind == QuestionKind::Faster && !verdict.extra.empty())
        parts << tr("No rule of their backend takes: %1.").arg(namesOf(expressionsOf(verdict.extra), true));
    else if (names && !verdict.missed.empty())
        parts << tr("Missing: %1.").arg(namesOf(expressionsOf(verdict.missed), true));
    if (asked.kind != QuestionKind::Faster && names && !verdict.extra.empty())
        parts << tr("Too many: %1.").arg(namesOf(expressionsOf(verdict.extra), true));
    parts << QString::fromStdString(verdict.hint);
    if (asked.kind == QuestionKind::Select && !names) parts << tr("The next attempt names them.");
    answer_->setText(parts.join(QLatin1Char(' ')));
}

std::vector<ExprId> LessonsPanel::expressionsOf(const std::vector<uint32_t>& calls) const {
    std::vector<ExprId> expressions;
    for (uint32_t call : calls)
        if (const ExprId id = document_.names().numbered(call); id.valid()) expressions.push_back(id);
    return expressions;
}

/// Keeps an answer: the first right one, or the last one before it.
void LessonsPanel::noteAnswer(LessonAnswer answer, bool right) {
    GivenAnswer given;
    given.page = page_ + 1;
    given.answer = std::move(answer);
    given.attempts = ++attempts_[size_t(page_)];
    given.seconds = double(asked_.elapsed()) / 1000;
    put_answer(answers_, std::move(given));
    solved_[size_t(page_)] = right;
    if (Status saved = save_progress(files_[shown_lesson_], answers_); !saved) document_.report(saved.error());
    done_[size_t(shown_lesson_)] = true;
    for (int page : pages_with_questions(*lesson_))
        if (!solved_[size_t(page) - 1]) done_[size_t(shown_lesson_)] = false;
    emit lessonsChanged();
}

void LessonsPanel::notePrediction() {
    if (!lesson_ || !prediction_->result() || !lesson_->pages[size_t(page_)].predict() || isAnswered()) return;
    LessonAnswer answer;
    for (const std::vector<ExprId>& region : prediction_->marked()) {
        answer.regions.emplace_back();
        for (ExprId id : region) answer.regions.back().push_back(document_.names().number(id));
    }
    noteAnswer(std::move(answer), prediction_->result()->all_right());
}

void LessonsPanel::saveAnswers() {
    if (!lesson_) return;
    bool given = false;
    const QString who = QInputDialog::getText(this, tr("Save answers"), tr("Your name, for the teacher:"),
                                              QLineEdit::Normal, QString(), &given);
    if (!given) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save answers"), QFileInfo(files_[shown_lesson_]).completeBaseName() + QStringLiteral(".answers.json"),
        tr("Answers (*.json)"));
    if (!path.isEmpty()) saveAnswersTo(path, who);
}

bool LessonsPanel::saveAnswersTo(const QString& path, const QString& who) {
    if (!lesson_) return false;
    AnswerFile file = answers_;
    file.who = who.left(200).toStdString();
    const Status written = write_file(path.toStdString(), format_answers(file));
    if (!written) document_.report(written.error());
    return bool(written);
}

void LessonsPanel::startAgain() {
    if (!lesson_) return;
    forget_progress(files_[shown_lesson_]);
    start(shown_lesson_);
    reload();
}

}  // namespace partita
