#include "app/gui/panels/lessons/lessons_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QDateTime>
#include <QDesktopServices>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/panels/lessons/lesson_end.h"
#include "app/gui/panels/lessons/lesson_page.h"
#include "app/gui/panels/lessons/page_text.h"
#include "app/gui/panels/lessons/page_turner.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/exporters/picture.h"
#include "engine/flow/names.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/graph_lesson.h"
#include "engine/lessons/lesson_writer.h"
#include "engine/support/file.h"

namespace partita {

namespace {

constexpr int kNarrowestLessons = 256;
constexpr int kMostFaultsHere = 8;

QString markdown(const std::string& text) { return QString::fromStdString(markdown_text(text)); }

}  // namespace

LessonsPanel::LessonsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), list_(document), chooser_(new ElidedComboBox), text_(new PageText),
      answer_(new QLabel), selected_(new QLabel), question_(new QuestionView(document)),
      prediction_(new PredictionView(document)), end_(new LessonEnd), turner_(new PageTurner),
      check_(new QPushButton(tr("Check"))) {
    fillChooser();
    buildTexts();
    buildColumn();
    connect(&document_, &Document::selectionChanged, this, &LessonsPanel::updateCheck);
    connect(chooser_, &QComboBox::activated, this, [this](int row) { start(chooser_->itemData(row).toInt()); });
    connect(turner_, &PageTurner::backWanted, this, &LessonsPanel::back);
    connect(turner_, &PageTurner::nextWanted, this, &LessonsPanel::next);
    connect(end_, &LessonEnd::saveWanted, this, &LessonsPanel::saveAnswers);
    connect(end_, &LessonEnd::startAgainWanted, this, &LessonsPanel::startAgain);
    connect(check_, &QPushButton::clicked, this, &LessonsPanel::check);
    connect(question_, &QuestionView::changed, this, &LessonsPanel::updateCheck);
    connect(question_, &QuestionView::checkWanted, this, &LessonsPanel::check);
    connect(prediction_, &PredictionView::predictingChanged, this, &LessonsPanel::notePrediction);
    connect(&document_, &Document::opened, this, [this] {
        // While a lesson's graph was read, somebody may have opened another one, or left the lesson.
        const bool is_the_lesson = opening_ && lesson_ && document_.path() == QString::fromStdString(lesson_->title);
        opening_ = false;
        if (!is_the_lesson) return leave();
        showPage(page_);  // its question names operators of this graph
        applyPage();
    });
}

void LessonsPanel::fillChooser() {
    constexpr int kSeenAtOnce = 24;
    chooser_->setMaxVisibleItems(kSeenAtOnce);
    chooser_->setAccessibleName(tr("Lesson"));
    chooser_->setPlaceholderText(tr("Choose a lesson"));
    connect(&list_, &LessonList::filesChanged, this, &LessonsPanel::reload);
    connect(&list_, &LessonList::faultsKnown, this, [this] {
        if (!lesson_) showChoice();
    });
    if (!own_lesson_files().isEmpty()) list();  // what is wrong with them stands among the problems
}

const LessonList& LessonsPanel::list() {
    if (!list_.isRead()) reload();
    return list_;
}

void LessonsPanel::showEvent(QShowEvent* event) {
    list();
    QWidget::showEvent(event);
}

void LessonsPanel::reload() {
    const QString shown = lessonFile();
    list_.read();
    chooser_->clear();
    QString chapter;
    for (int i = 0; i < list_.count(); ++i) {
        if (i > 0 && list_[i].chapter != chapter) chooser_->insertSeparator(chooser_->count());
        chapter = list_[i].chapter;
        chooser_->addItem(list_[i].title, i);
        chooser_->setItemData(chooser_->count() - 1, shown_name(chapter), Qt::ToolTipRole);
        tick(i);
    }
    shown_lesson_ = shown.isEmpty() ? -1 : list_.indexOf(shown);
    chooser_->setCurrentIndex(rowOf(shown_lesson_));
    if (shown_lesson_ >= 0) readAgain();
    else if (!lesson_) showChoice();
    emit lessonsChanged();
}

int LessonsPanel::rowOf(int lesson) const { return lesson < 0 ? -1 : chooser_->findData(lesson); }

void LessonsPanel::tick(int lesson) {
    const QString done = list_[lesson].done ? QStringLiteral("  ✓") : QString();
    chooser_->setItemText(rowOf(lesson), list_[lesson].title + done);
}

/// The lesson that is shown was saved: its page is shown anew, unless that would be another graph.
void LessonsPanel::readAgain() {
    const CheckedLesson again = open_lesson(lessonFile());
    if (!again.lesson || opening_ || !lesson_ || again.lesson->graph != lesson_->graph) return;
    if (format_lesson(*again.lesson).value() == format_lesson(*lesson_).value()) return;
    const int page = std::min(page_, int(again.lesson->pages.size()) - 1);
    begin(*again.lesson, shown_lesson_);
    showPage(page);
    if (document_.isOpen()) applyPage();
}

void LessonsPanel::buildTexts() {
    text_->setAccessibleName(tr("Lesson text"));
    text_->document()->setDocumentMargin(8);
    text_->setOpenLinks(false);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("lesson")) start(link.path().toInt());
        else if (link.scheme() == QLatin1String("predict")) predictOpenGraph();
        else if (link.scheme() == QLatin1String("script")) openScript();
        else if (link.scheme() == QLatin1String("save")) saveAnswers();
        else QDesktopServices::openUrl(link);
    });
    answer_->setWordWrap(true);
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

/// What is answered stands right below what is asked; in large type they scroll together.
void LessonsPanel::buildColumn() {
    auto* page = new QWidget;
    auto* parts = new QVBoxLayout(page);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(8);
    parts->addWidget(text_);
    parts->addWidget(question_);
    parts->addWidget(selected_);
    parts->addWidget(check_);
    parts->addWidget(answer_);
    parts->addWidget(prediction_, 1);
    parts->addWidget(end_);
    parts->addStretch(0);
    page_area_ = new QScrollArea;
    page_area_->setWidget(page);
    page_area_->setWidgetResizable(true);
    page_area_->setFrameShape(QFrame::NoFrame);
    page_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->setSpacing(8);
    column->addStrut(kNarrowestLessons);
    column->addWidget(chooser_);
    column->addWidget(page_area_, 1);
    for (QWidget* hidden : std::initializer_list<QWidget*>{prediction_, question_, end_}) hidden->hide();
    column->addWidget(turner_);
    check_->hide();
    check_->setObjectName(QStringLiteral("primary"));
}

/// Another graph was opened: the lesson's pages don't speak of it.
void LessonsPanel::leave() {
    lesson_.reset();
    graph_ = page_graph_ = nullptr;
    progress_ = {};
    question_->clear();
    shown_lesson_ = -1;
    chooser_->setCurrentIndex(-1);
    chooser_->setToolTip(QString());
    turner_->clear();
    prediction_->finish();
    for (QWidget* widget : std::initializer_list<QWidget*>{answer_, selected_, check_, prediction_, question_, end_})
        widget->hide();
    showChoice();
    emit pageChanged();
}

/// What can be learned, as links.
void LessonsPanel::showChoice() {
    if (!list_.isRead() || prediction_->isPredicting() || prediction_->isPaused()) return;  // its own text stands there
    const QString score = courseScore();
    QString words = tr("Each lesson opens a small graph of its own and asks a question that you answer on it.");
    if (!score.isEmpty()) words += QStringLiteral("\n\n**%1** [%2](save:course)").arg(score, tr("Save answers…"));
    QString chapter;
    for (int i = 0; i < list_.count(); ++i) {
        const ListedLesson& lesson = list_[i];
        if (!lesson.chapter.isEmpty() && lesson.chapter != chapter)
            words += QStringLiteral("\n\n### ") + lesson.chapter;
        chapter = lesson.chapter;
        words += QStringLiteral("\n\n[%1](lesson:%2)%3")
                     .arg(lesson.title)
                     .arg(i)
                     .arg(lesson.done ? QStringLiteral(" ✓") : QString());
        if (!lesson.line.isEmpty()) words += QStringLiteral("  \n") + lesson.line;
    }
    for (const QString& fault : list_.faults().mid(0, kMostFaultsHere))  // they stay until they are mended
        words += QStringLiteral("\n\n⚠ ") + QString::fromStdString(markdown_text(fault.toStdString()));
    if (const int faults = int(list_.faults().size()); faults > kMostFaultsHere)
        words += QStringLiteral("\n\n") + tr("The panel Problems lists all %n faults.", nullptr, faults);
    if (document_.isOpen())
        words += QStringLiteral("\n\n[%1](predict:open)").arg(tr("Predict the regions of the graph that is open"));
    text_->showMarkdown(words);
    end_->setVisible(!score.isEmpty());
    if (!score.isEmpty()) end_->showScore(score, QString(), false);
}

/// Returns what was reached in all lessons; "" before the first answer.
QString LessonsPanel::courseScore() const {
    int done = 0, answered = 0, points = 0, most = 0;
    double seconds = 0;
    for (const ListedLesson& lesson : list_.lessons()) {
        done += lesson.done;
        answered += lesson.answered;
        points += lesson.points;
        most += kPointsAtOnce * lesson.questions;
        seconds += lesson.seconds;
    }
    if (answered == 0) return {};
    return tr("The course: %1 of %2 points, %3 of %n lesson(s) done, %4 minutes at the questions.", nullptr,
              list_.count())
        .arg(points)
        .arg(most)
        .arg(done)
        .arg(std::lround(seconds / 60));
}

/// The file is the learner's to change; it runs when a person allowed that.
void LessonsPanel::openScript() {
    if (!lesson_ || !lesson_->script || !document_.isOpen()) return;
    const Result<QString> file = script_file(*lesson_->script);
    if (!file) return document_.report(file.error());
    Result<BackendDescription> loaded = load_backend(file->toStdString());
    if (!loaded) return document_.report(loaded.error());
    document_.setBackendsOfThis({std::make_shared<const BackendDescription>(std::move(*loaded))},
                                QString::fromStdString(lesson_->script->name));
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

QString LessonsPanel::pageText() const {
    return lesson_ ? QString::fromStdString(lesson_->pages[size_t(page_)].text) + compared_ : QString();
}

/// The table of divisions of a page, as Markdown; columns that say the same of all are left out.
QString LessonsPanel::comparedText() {
    const LessonPage& page = lesson_->pages[size_t(page_)];
    if (page.compare.empty() || !graph_) return {};
    const std::vector<ComparedRow> rows =
        compare_divisions(graph_, *lesson_, page, [this](int asked) { return progress_.rightAnswer(asked - 1); });
    const auto limits = [](const LessonPage& each) { return each.question && each.question->reach.weight_bytes >= 0; };
    const bool weights = std::any_of(lesson_->pages.begin(), lesson_->pages.end(), limits);
    const auto differs = [&](double DivisionFigures::*figure) {
        return std::any_of(rows.begin(), rows.end(), [&](const ComparedRow& row) {
            return row.reached && rows[0].reached && (*row.reached).*figure != (*rows[0].reached).*figure;
        });
    };
    QStringList heads{tr("division"), tr("regions"), tr("values moved")};
    const bool share = differs(&DivisionFigures::share), time = lesson_->speeds.has_value();
    if (share) heads << tr("operations");
    if (weights) heads << tr("weights");
    if (time) heads << tr("time");
    // More columns would break words in a narrow panel: then each division has two lines.
    const bool narrow = heads.size() > 3;
    QString table = narrow ? QString()
                           : QStringLiteral("\n\n| ") + heads.join(QStringLiteral(" | ")) + QStringLiteral(" |\n|---") +
                                 QStringLiteral("|--:").repeated(heads.size() - 1) + QStringLiteral("|");
    for (const ComparedRow& row : rows) {
        QStringList cells;
        if (row.reached) {
            cells << QString::number(row.reached->regions) << bytes_text(row.reached->values_bytes);
            if (share) cells << percent_text(row.reached->share / 100);
            if (weights) cells << bytes_text(row.reached->weight_bytes);
            if (time) cells << duration_text(row.reached->time_us / 1000);
        } else {
            cells << (row.fault.empty() ? QStringLiteral("—") : markdown(row.fault));
        }
        for (qsizetype i = 0; narrow && row.reached && i < cells.size(); ++i)
            cells[i] = heads[i + 1] + QLatin1Char(' ') + cells[i];
        table += narrow ? QStringLiteral("\n\n**%1**  \n%2").arg(markdown(row.name), cells.join(QStringLiteral(" · ")))
                        : QStringLiteral("\n| %1 | %2 |").arg(markdown(row.name), cells.join(QStringLiteral(" | ")));
    }
    const bool waits =
        std::any_of(rows.begin(), rows.end(), [](const ComparedRow& row) { return !row.reached && row.fault.empty(); });
    return waits ? table + QStringLiteral("\n\n") + tr("A line stands for what you have not answered yet.") : table;
}

QString LessonsPanel::choicesText() const {
    QString text;
    if (const LessonQuestion* asked = question())
        for (const std::string& choice : asked->choices)
            text += QStringLiteral("\n%1 %2").arg(text.isEmpty() ? "\n-" : "-", QString::fromStdString(choice));
    return text;
}

const LessonQuestion* LessonsPanel::question() const {
    if (!lesson_) return nullptr;
    const std::optional<LessonQuestion>& asked = lesson_->pages[size_t(page_)].question;
    return asked && asked->kind != QuestionKind::Regions ? &*asked : nullptr;
}

bool LessonsPanel::isAnswered() const { return lesson_ && progress_.isSolved(page_); }

bool LessonsPanel::hidesRegions() const {
    const LessonQuestion* asked = question();
    return asked && !isAnswered() && asked->kind == QuestionKind::Count;
}

/// Rules are written, and graphs made faster, with the division in view.
QString LessonsPanel::obstacleToDividing() const {
    if (prediction_->awaitsComparison()) return tr("Compare your prediction first, or end it");
    const LessonQuestion* asked = question();
    if (!asked || opening_ || isAnswered() || asked->kind == QuestionKind::Faster) return {};
    if (shown_lesson_ < 0) return {};  // its author tries it
    return tr("The lesson asks for this: answer its question first");
}

/// Says for which operators of the graph each backend has rules: who predicts need not read descriptions for that.
QString LessonsPanel::rulesText() const {
    QString words;
    for (const BackendPtr& backend : document_.choice().backends) {
        QStringList ops;
        for (const OpCount& op : document_.summary().ops)
            if (backend->ops.contains(op.op)) ops << markdown(op.op);
        const QString patterns =
            backend->patterns.empty() ? QString() : tr("%n pattern(s)", nullptr, int(backend->patterns.size()));
        if (!patterns.isEmpty()) ops << patterns;
        words += QStringLiteral("\n\n") +
                 (ops.isEmpty() ? tr("**%1** has no rule for an operator of this graph.").arg(markdown(backend->name))
                                : tr("**%1** has rules for %2.").arg(markdown(backend->name), ops.join(", ")));
    }
    return words;
}

void LessonsPanel::predictOpenGraph() {
    if (!document_.isOpen()) return;
    leave();
    end_->hide();
    text_->showMarkdown(
        tr("## Predict\n\nWhich operators will be compiled together? Select those of one region on the graph (click, "
           "Ctrl+click, or a frame with Shift) and "
           "press **G**; do so for each region. Then compare with what the backends' rules and merging give.") +
        rulesText());
    prediction_->show();
    progress_.ask();
    prediction_->start();
}

void LessonsPanel::endPrediction() {
    if (!prediction_->isPredicting()) return;
    if (lesson_) prediction_->finish();
    else leave();
}

void LessonsPanel::pausePrediction() { prediction_->pause(); }

void LessonsPanel::resumePrediction() {
    if (opening_ || prediction_->resume()) return;
    if (lesson_ && lesson_->pages[size_t(page_)].predict() && !opening_ && !prediction_->isPredicting())
        prediction_->start();
}

QString LessonsPanel::answerText() const { return answer_->isHidden() ? QString() : answer_->text(); }

QString LessonsPanel::choiceText() const { return text_->toPlainText(); }

void LessonsPanel::start(int index) {
    if (index < 0 || index >= list().count()) return;
    if (!leaving_) return open(index);
    chooser_->setCurrentIndex(rowOf(shown_lesson_));
    leaving_([this, index] { open(index); });
}

void LessonsPanel::open(int index) {
    CheckedLesson lesson = open_lesson(list_[index].file);
    for (const Diagnostic& fault : lesson.faults) document_.report(fault);
    if (!lesson.lesson) return;
    begin(std::move(*lesson.lesson), index);
    opening_ = true;
    showPage(0);
    openGraph(*lesson_);
}

/// A lesson with a script begins without a backend: it is the learner who opens that.
void LessonsPanel::openGraph(const Lesson& lesson) {
    document_.openText(QString::fromStdString(lesson.graph), QString::fromStdString(lesson.title),
                       lesson.script ? std::vector<BackendPtr>() : lesson.backends);
}

void LessonsPanel::tryOut(const Lesson& lesson) {
    const auto go_on = [this, lesson] {
        begin(lesson, -1);
        opening_ = true;
        showPage(0);
        openGraph(lesson);
    };
    if (leaving_) leaving_(go_on);
    else go_on();
}

void LessonsPanel::openGraphOf(const Lesson& lesson) {
    const auto go_on = [this, lesson] {
        document_.openText(QString::fromStdString(lesson.graph), QString::fromStdString(lesson.title), lesson.backends);
    };
    if (leaving_) leaving_(go_on);
    else go_on();
}

/// `number`: of its file; -1: it stands in none.
void LessonsPanel::begin(Lesson lesson, int number) {
    shown_lesson_ = number;
    lesson_ = std::move(lesson);
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(*lesson_);
    graph_ = graph ? *graph : nullptr;
    progress_.begin(lessonFile(), *lesson_, graph_);
    chooser_->setCurrentIndex(rowOf(number));
    chooser_->setToolTip(QString::fromStdString(lesson_->title));
}

/// The graph as it is divided where the page begins.
const LessonGraph* LessonsPanel::pageGraph() {
    if (!page_graph_ && graph_)
        if (const auto graph = LessonGraph::of(graph_, lesson_->pages[size_t(page_)])) page_graph_ = *graph;
    return page_graph_.get();
}

void LessonsPanel::showPage(int page) {
    page_ = page;
    hinted_ = false;
    page_graph_ = nullptr;
    compared_ = comparedText();
    const LessonPage& now = lesson_->pages[size_t(page)];
    text_->showMarkdown(pageText());
    answer_->hide();
    const LessonQuestion* asked = question();
    if (asked) question_->ask(*asked, lesson_->backends);
    else question_->clear();
    question_->setVisible(asked);
    check_->setVisible(asked);
    if (asked && QuestionView::selects(asked->kind)) check_->setText(tr("Check my selection"));
    else check_->setText(tr("Check"));
    page_area_->verticalScrollBar()->setValue(0);
    if (isAnswered() && asked) showSolved(QString::fromStdString(asked->right));
    progress_.ask();
    updateCheck();
    prediction_->setVisible(now.predict());
    if (!now.predict()) prediction_->finish();
    turner_->showPage(page, pageCount(), obstacleToNextLesson());
    showScore();
    emit pageChanged();
}

/// Returns why no lesson comes after this one; empty if one does.
QString LessonsPanel::obstacleToNextLesson() const {
    if (shown_lesson_ < 0) return tr("This is the last page of the lesson that you are writing");
    return shown_lesson_ + 1 < list_.count() ? QString() : tr("This is the last page of the last lesson");
}

void LessonsPanel::showScore() {
    const bool last = page_ + 1 == pageCount();
    const bool asks = !pages_with_questions(*lesson_).empty();
    end_->setVisible(last && asks && graph_);
    if (!last || !asks || !graph_) return;
    const Grade reached = grade(*lesson_, graph_, progress_.answers());
    end_->showScore(tr("%1 of %n question(s) right, %2 of %3 points. A right answer at the first attempt counts two.",
                       nullptr, int(reached.answers.size()))
                        .arg(reached.right())
                        .arg(reached.points())
                        .arg(kPointsAtOnce * int(reached.answers.size())),
                    obstacleToSaving());
    if (shown_lesson_ >= 0) end_->showCourse(courseScore());
}

/// Brings the graph to the state that the page speaks of.
void LessonsPanel::applyPage() {
    const LessonPage& now = lesson_->pages[size_t(page_)];
    if (now.predict()) prediction_->start();
    FlowChoice choice = choice_of_page(*lesson_, page_, document_.choice(), document_.names());
    putSolvedRules(choice);
    if (!same_division(choice, document_.choice()))
        document_.changeChoice(std::move(choice), tr("page %1 of the lesson").arg(page_ + 1));
    document_.setSelection(expressionsOf(now.show));  // what was selected belongs to the page before
}

/// A rule that was answered right is that of its backend from then on.
void LessonsPanel::putSolvedRules(FlowChoice& choice) {
    for (int page = 0; page < pageCount(); ++page) {
        const std::optional<LessonQuestion>& asked = lesson_->pages[size_t(page)].question;
        if (!graph_ || !asked || asked->kind != QuestionKind::Rule) continue;
        BackendPtr now;
        for (const BackendPtr& backend : lesson_->backends)
            if (backend->name == asked->backend) now = backend;
        if (page <= page_ && progress_.isSolved(page)) {
            if (const auto solved = with_answer(graph_, *asked, asked->solution))
                for (const BackendPtr& backend : (*solved)->backends())
                    if (backend->name == asked->backend) now = backend;
        }
        for (BackendPtr& backend : choice.backends)
            if (now && backend->name == now->name && backend->source != now->source) backend = now;
    }
}

void LessonsPanel::next() {
    if (!lesson_) return;
    if (page_ + 1 >= pageCount()) return shown_lesson_ >= 0 ? start(shown_lesson_ + 1) : void();
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
    if (!asked || !document_.isOpen() || !pageGraph() || !question_->obstacle().isEmpty()) return;
    LessonAnswer answer = question_->answer();
    const Result<LessonVerdict> verdict = judge_answer(*pageGraph(), *asked, answer);
    if (!verdict) return showAnswer(shown_message(verdict.error().message), false, Qt::PlainText);
    if (!isAnswered()) noteAnswer(std::move(answer), verdict->right);
    showVerdict(*verdict);
    if (verdict->right && asked->kind == QuestionKind::Rule) applyPage();  // the graph shows what the rule does
}

/// A bar at its side has the colour of right or wrong.
void LessonsPanel::showAnswer(const QString& text, bool right, Qt::TextFormat format) {
    answer_->setProperty("right", right);
    answer_->style()->unpolish(answer_);
    answer_->style()->polish(answer_);
    answer_->setTextFormat(format);
    answer_->setText(text);
    answer_->show();
    // When it has its height.
    QTimer::singleShot(0, this, [this] {
        if (answer_->isVisible()) page_area_->ensureWidgetVisible(answer_, 0, 0);
    });
}

void LessonsPanel::showSolved(const QString& right) {
    showAnswer(QStringLiteral("**✓ %1** %2").arg(tr("Right."), right), true, Qt::MarkdownText);
}

void LessonsPanel::showVerdict(const LessonVerdict& verdict) {
    const LessonQuestion& asked = *question();
    if (verdict.right) {
        showSolved(QString::fromStdString(asked.right));
        emit pageChanged();
        return;
    }
    QStringList parts{QStringLiteral("**✗ %1**").arg(tr("Not yet."))};
    const bool again = std::exchange(hinted_, true), names = again || asked.kind == QuestionKind::Faster;
    if (asked.kind == QuestionKind::Select && !names)  // the learner looks again before the answer is told
        parts << tr("Missing: %1, too many: %2.").arg(verdict.missed.size()).arg(verdict.extra.size());
    if (asked.reach.any() || asked.reach.changed_rules > 0) parts << reachedText(verdict);
    else if (asked.kind == QuestionKind::Faster && verdict.regions >= 0)
        parts << tr("%n region(s) now, and %1 cross their boundaries.", nullptr, verdict.regions)
                     .arg(bytes_text(verdict.moved_bytes));
    if (asked.kind == QuestionKind::Faster && !verdict.extra.empty())
        parts << tr("Their backend has no rule that takes %1.").arg(namesOf(expressionsOf(verdict.extra), true));
    else if (names && !verdict.missed.empty())
        parts << tr("Missing: %1.").arg(namesOf(expressionsOf(verdict.missed), true));
    if (asked.kind != QuestionKind::Faster && names && !verdict.extra.empty())
        parts << (asked.kind == QuestionKind::Assign ? tr("Another backend takes %1.") : tr("Too many: %1."))
                     .arg(namesOf(expressionsOf(verdict.extra), true));
    if (verdict.missed.empty() && verdict.extra.empty() && !verdict.elsewhere.empty()) {
        const QString where = QString::fromStdString(verdict.elsewhere);
        parts << (verdict.extra_elsewhere.empty() ? tr("Right here, but on %1 it refuses what it should take.")
                                                  : tr("Right here, but on %1 it takes too much."))
                     .arg(where);
    }
    const bool more = again && !asked.more.empty() && verdict.hint == asked.wrong;
    parts << QString::fromStdString(more ? asked.more : verdict.hint);
    if (asked.kind == QuestionKind::Select && !names) parts << tr("The next attempt names them.");
    showAnswer(parts.join(QLatin1Char(' ')), false, Qt::MarkdownText);
}

/// What was reached beside what was wanted, a line for each limit.
QString LessonsPanel::reachedText(const LessonVerdict& verdict) const {
    const LessonQuestion& asked = *question();
    QString lines;
    const auto add = [&](double limit, double reached, bool at_most, const QString& text) {
        if (limit < 0) return;
        const bool fine = at_most ? reached <= limit : reached >= limit;
        lines += QStringLiteral("\n- %1 %2").arg(fine ? QStringLiteral("✓") : QStringLiteral("✗"), text);
    };
    const DivisionFigures& reached = verdict.reached;
    add(asked.most_regions, verdict.regions, true,
        tr("%n region(s); at most %1", nullptr, verdict.regions).arg(asked.most_regions));
    add(asked.reach.share, reached.share, false,
        tr("%1 of the operations on backends; at least %2")
            .arg(percent_text(reached.share / 100), percent_text(asked.reach.share / 100)));
    add(asked.reach.weight_bytes, reached.weight_bytes, true,
        tr("%1 of weights in the largest region; at most %2")
            .arg(bytes_text(reached.weight_bytes), bytes_text(asked.reach.weight_bytes)));
    add(asked.most_bytes, verdict.moved_bytes, true,
        tr("%1 cross the boundaries; at most %2").arg(bytes_text(verdict.moved_bytes), bytes_text(asked.most_bytes)));
    add(asked.reach.time, verdict.time_ratio, true,
        tr("%1 of the time; at most %2").arg(percent_text(verdict.time_ratio), percent_text(asked.reach.time)));
    if (asked.reach.changed_rules > 0 || verdict.changed_rules > 0)
        add(asked.reach.changed_rules, verdict.changed_rules, true,
            tr("%n rule(s) changed; at most %1", nullptr, verdict.changed_rules).arg(asked.reach.changed_rules));
    return lines + QStringLiteral("\n\n");
}

std::vector<ExprId> LessonsPanel::expressionsOf(const std::vector<uint32_t>& calls) const {
    std::vector<ExprId> expressions;
    for (uint32_t call : calls)
        if (const ExprId id = document_.names().numbered(call); id.valid()) expressions.push_back(id);
    return expressions;
}

void LessonsPanel::noteAnswer(LessonAnswer answer, bool right) {
    if (Status kept = progress_.note(page_, std::move(answer), right); !kept) document_.report(kept.error());
    if (shown_lesson_ < 0) return showScore();
    list_.score(shown_lesson_, *lesson_, progress_.answers());
    tick(shown_lesson_);
    showScore();
    emit lessonsChanged();
}

LessonAnswer LessonsPanel::markedRegions() const {
    LessonAnswer answer;
    for (const std::vector<ExprId>& region : prediction_->marked()) {
        answer.regions.emplace_back();
        for (ExprId id : region) answer.regions.back().push_back(document_.names().number(id));
    }
    return answer;
}

void LessonsPanel::notePrediction() {
    if (!lesson_) return noteOwnPrediction();
    if (!prediction_->result() || !lesson_->pages[size_t(page_)].predict() || isAnswered()) return;
    noteAnswer(markedRegions(), prediction_->result()->all_right());
}

/// The same of a graph without a lesson. It is an attempt only if something else was marked.
void LessonsPanel::noteOwnPrediction() {
    if (!prediction_->isPredicting() || !prediction_->result()) return;
    if (progress_.notePrediction(markedRegions(), prediction_->result()->all_right())) showOwnScore();
}

void LessonsPanel::showOwnScore() {
    const PredictionResult& result = *prediction_->result();
    end_->showScore(tr("%1 of %n region(s) right at attempt %2.", nullptr, int(result.regions.size()))
                        .arg(result.right)
                        .arg(progress_.prediction().attempts),
                    obstacleToSaving());
    end_->show();
}

/// What is not graded by the graph and its backends alone can't be handed in.
QString LessonsPanel::obstacleToSaving() const {
    if (lesson_) return progress_.answers().answers.empty() ? tr("No question is answered yet") : QString();
    const FlowChoice& choice = document_.choice();
    if (!choice.overrides->empty() || !choice.groups->empty())
        return tr("Take back first what you assigned by hand: it would be in no file of answers");
    if (!choice.composite || !choice.include_non_call_ops) return tr("Switch the passes' options back first");
    return {};
}

/// The answers to the lesson, or to the question after the regions of the graph that is open.
AnswerFile LessonsPanel::answersToSave() const {
    if (lesson_) return progress_.answers();
    return progress_.predictionFile(
        lesson_of_graph(*document_.shownModule(), document_.title().toStdString(), document_.choice().backends));
}

/// Whether what is saved are the answers to all lessons.
bool LessonsPanel::savesCourse() const {
    return shown_lesson_ >= 0 || (!lesson_ && !prediction_->isPredicting() && !prediction_->isPaused());
}

void LessonsPanel::saveAnswers() {
    if (!end_->hasName()) return page_area_->ensureWidgetVisible(end_);
    QString name = savesCourse() ? end_->name() : QFileInfo(document_.title()).completeBaseName();
    for (const char letter : {'/', '\\', ':', '*', '?', '"', '<', '>', '|'})
        name.replace(QLatin1Char(letter), QLatin1Char('_'));
    const QString path = QFileDialog::getSaveFileName(this, tr("Save answers"), name + QStringLiteral(".answers.json"),
                                                      tr("Answers (*.json)"));
    if (!path.isEmpty()) saveAnswersTo(path, end_->name());
}

bool LessonsPanel::saveAnswersTo(const QString& path, const QString& who) {
    if (!savesCourse() && ((!lesson_ && !progress_.prediction().page) || !obstacleToSaving().isEmpty())) return false;
    CourseFile course = savesCourse() ? list_.course() : CourseFile();
    AnswerFile file = savesCourse() ? AnswerFile() : answersToSave();
    course.who = file.who = who.left(200).toStdString();
    course.made = file.made = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    const Status written = write_file(path.toStdString(), savesCourse() ? format_course(course) : format_answers(file));
    if (!written) document_.report(written.error());
    return bool(written);
}

void LessonsPanel::startAgain() {
    if (!lesson_) return predictOpenGraph();
    if (shown_lesson_ < 0) return tryOut(*lesson_);
    forget_progress(lessonFile());
    start(shown_lesson_);
    reload();
}

}  // namespace partita
