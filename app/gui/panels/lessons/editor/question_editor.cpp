#include "app/gui/panels/lessons/editor/question_editor.h"

#include <algorithm>

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

#include "app/gui/panels/lessons/editor/hint_list.h"
#include "app/gui/panels/lessons/editor/question_subject.h"
#include "app/gui/panels/lessons/editor/question_text.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/style/foreign_text.h"
#include "engine/lessons/question_kinds.h"

namespace partita {

namespace {

using Kind = QuestionKind;

/// Kinds whose right answer the author gives.
bool is_given(Kind kind) { return kind == Kind::Reason || kind == Kind::Rule || kind == Kind::Faster; }

}  // namespace

QuestionEditor::QuestionEditor(LessonDraft& draft, Document& document, QWidget* parent)
    : QWidget(parent), draft_(draft), document_(document), answering_(new QuestionView(document)) {
    setContentsMargins(0, 6, 6, 0);
    buildKind();
    subject_ = new QuestionSubject(draft_);
    form_.add(subject_);
    connect(subject_, &QuestionSubject::changed, this, &QuestionEditor::take);
    buildAnswer();
    buildTexts();
    connect(&document_, &Document::selectionChanged, this, &QuestionEditor::refresh);
    connect(&draft_, &LessonDraft::wasChecked, this, [this] {
        refresh();
        if (const LessonQuestion* asked = question()) showHints(*asked);
    });
}

void QuestionEditor::buildKind() {
    kind_ = new QComboBox;
    kind_->setObjectName(QStringLiteral("question-kind"));
    kind_->setAccessibleName(tr("Question"));
    kind_->addItems({tr("This page asks nothing"), tr("Select the operators of a region"),
                     tr("Which backend takes them?"), tr("Draw the path that forbids merging"), tr("How many?"),
                     tr("Choose a reason"), tr("Write the rule"), tr("Make it faster"), tr("Mark all regions")});
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    form_.add(kind_);
    connect(kind_, &QComboBox::activated, this, &QuestionEditor::setKind);
}

void QuestionEditor::buildAnswer() {
    const std::vector<Kind> all{Kind::Select, Kind::Assign, Kind::Path,   Kind::Count,
                                Kind::Reason, Kind::Rule,   Kind::Faster, Kind::Regions};
    solution_ = make_plain_label();
    solution_->setWordWrap(true);
    solution_->setObjectName(QStringLiteral("question-solution"));
    form_.add({}, solution_, all);
    const std::vector<Kind> hinted(all.begin(), all.end() - 1);
    auto* answer = new QWidget;
    auto* column = new QVBoxLayout(answer);
    column->setContentsMargins(0, 0, 0, 0);
    selected_ = make_plain_label();
    selected_->setWordWrap(true);
    column->addWidget(selected_);
    column->addWidget(answering_);
    is_right_ = new QPushButton(tr("This is right"));
    is_right_->setObjectName(QStringLiteral("answer-is-right"));
    add_hint_ = new QPushButton(tr("Hint for this answer"));
    add_hint_->setObjectName(QStringLiteral("add-hint"));
    for (QPushButton* button : {is_right_, add_hint_}) column->addWidget(button, 0, Qt::AlignLeft);
    form_.add(tr("Answer it as a learner:"), answer, hinted);
    connect(answering_, &QuestionView::changed, this, &QuestionEditor::refresh);
    connect(is_right_, &QPushButton::clicked, this, &QuestionEditor::takeAnswer);
    connect(add_hint_, &QPushButton::clicked, this, &QuestionEditor::addHint);
}

void QuestionEditor::buildTexts() {
    const std::vector<Kind> hinted{Kind::Select, Kind::Assign, Kind::Path,  Kind::Count,
                                   Kind::Reason, Kind::Rule,   Kind::Faster};
    hints_ = new HintList;
    form_.add({}, hints_, hinted);
    right_ = make_question_text(QStringLiteral("question-right"), tr("Why that is right"), 3);
    wrong_ = make_question_text(QStringLiteral("question-wrong"), tr("What helps whoever answered wrong"), 3);
    form_.add(tr("Said of the right answer:"), right_, hinted);
    form_.add(tr("Said of wrong answers without a hint:"), wrong_, hinted);
    connect(hints_, &HintList::changed, this, [this] {
        const size_t count = question() ? question()->hints.size() : 0;
        editQuestion([this](LessonQuestion& asked) { asked.hints = hints_->hints(); });
        if (hints_->hints().size() != count) fill();
    });
    for (QPlainTextEdit* text : {right_, wrong_})
        connect(text, &QPlainTextEdit::textChanged, this, &QuestionEditor::take);
}

const LessonQuestion* QuestionEditor::question() const {
    if (page_ < 0 || page_ >= int(draft_.lesson().pages.size())) return nullptr;
    const std::optional<LessonQuestion>& asked = draft_.lesson().pages[size_t(page_)].question;
    return asked ? &*asked : nullptr;
}

void QuestionEditor::editQuestion(const std::function<void(LessonQuestion&)>& change) {
    if (!question()) return;
    draft_.edit([&](Lesson& lesson) { change(*lesson.pages[size_t(page_)].question); });
}

void QuestionEditor::showPage(int page) {
    page_ = page;
    fill();
}

void QuestionEditor::fill() {
    const LessonQuestion none;
    const LessonQuestion* given = question();
    const LessonQuestion& asked = given ? *given : none;
    filling_ = true;
    kind_->setCurrentIndex(given ? int(asked.kind) + 1 : 0);
    subject_->fill(asked);
    right_->setPlainText(QString::fromStdString(asked.right));
    wrong_->setPlainText(QString::fromStdString(asked.wrong));
    showHints(asked);
    filling_ = false;
    ask();
    showFields();
}

void QuestionEditor::showHints(const LessonQuestion& question) {
    hints_->setQuestion(question, draft_.checked().graph.get());
    hints_->setTabPlace(add_hint_, right_);
}

void QuestionEditor::showFields() {
    const LessonQuestion* asked = question();
    form_.showRowsOf(asked);
    subject_->setVisible(asked && asked->kind != Kind::Regions);
    subject_->showFieldsOf(asked);
    hints_->setVisible(asked && !asked->hints.empty());
    refresh();
}

/// Puts the question to the author.
void QuestionEditor::ask() {
    const LessonQuestion* asked = question();
    if (!asked || (asked->kind == Kind::Rule && asked->place.empty())) return answering_->clear();
    answering_->ask(*asked, draft_.lesson().backends);
    if (is_given(asked->kind)) answering_->give(asked->solution);
}

void QuestionEditor::refresh() {
    subject_->refresh();
    const LessonQuestion* asked = question();
    if (!asked) return;
    const CheckedDraft& checked = draft_.checked();
    const bool known = size_t(page_) < checked.solutions.size() && checked.solutions[size_t(page_)] && checked.graph;
    if (known)
        solution_->setText(
            tr("Right: %1").arg(shown_answer(*checked.solutions[size_t(page_)], *asked, *checked.graph)));
    else solution_->setText(tr("The right answer is not known yet."));
    const LessonAnswer now = answering_->answer();
    selected_->setVisible(QuestionView::selects(asked->kind));
    selected_->setText(now.calls.empty() ? tr("Select operators on the graph.")
                                         : tr("Selected: %1").arg(call_names(now.calls, checked.graph.get())));
    const QString obstacle =
        draft_.isGraphShown() ? answering_->obstacle() : tr("Another graph is open than the lesson's");
    for (QPushButton* button : {is_right_, add_hint_}) {
        button->setEnabled(obstacle.isEmpty());
        button->setToolTip(obstacle);
    }
    is_right_->setVisible(is_given(asked->kind));
}

void QuestionEditor::setKind(int index) {
    draft_.edit([&](Lesson& lesson) {
        std::optional<LessonQuestion>& asked = lesson.pages[size_t(page_)].question;
        if (index == 0) return asked.reset();
        LessonQuestion other;  // what was pointed at and its hints belong to the kind before
        other.kind = Kind(index - 1);
        if (other.kind == Kind::Count) other.counted = "regions";
        if (asked) other.right = asked->right;
        if (asked) other.wrong = asked->wrong;
        asked = std::move(other);
    });
    fill();
}

void QuestionEditor::take() {
    if (filling_ || !question()) return;
    const LessonQuestion before = *question();
    editQuestion([this](LessonQuestion& asked) {
        subject_->take(asked);
        asked.right = right_->toPlainText().toStdString();
        asked.wrong = wrong_->toPlainText().toStdString();
    });
    const LessonQuestion& now = *question();
    if (now.calls != before.calls || now.choices != before.choices || now.place != before.place) ask();
    showFields();
}

void QuestionEditor::takeAnswer() {
    editQuestion([this](LessonQuestion& asked) { asked.solution = answering_->answer(); });
    refresh();
}

void QuestionEditor::addHint() {
    editQuestion([this](LessonQuestion& asked) { asked.hints.push_back({answering_->answer(), std::string()}); });
    fill();
    if (auto* text = hints_->findChild<QWidget*>(QStringLiteral("hint-%1").arg(hints_->hints().size() - 1)))
        text->setFocus();
}

}  // namespace partita
