#include "app/gui/panels/lessons/editor/question_editor.h"

#include <algorithm>
#include <set>

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

#include "app/gui/panels/lessons/editor/hint_list.h"
#include "app/gui/panels/lessons/editor/pointed_calls.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/style/foreign_text.h"
#include "engine/lessons/question_kinds.h"

namespace partita {

namespace {

using Kind = QuestionKind;
constexpr const char* kCounted[] = {"regions", "inputs", "outputs"};

QPlainTextEdit* make_text(const QString& name, const QString& placeholder, int lines) {
    auto* text = new QPlainTextEdit;
    text->setObjectName(name);
    text->setAccessibleName(placeholder);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setProperty("field", true);
    text->setFixedHeight(text->fontMetrics().lineSpacing() * lines + 12);
    return text;
}

/// Kinds whose right answer the author gives.
bool is_given(Kind kind) { return kind == Kind::Reason || kind == Kind::Rule || kind == Kind::Faster; }

}  // namespace

QuestionEditor::QuestionEditor(LessonDraft& draft, Document& document, QWidget* parent)
    : QWidget(parent), draft_(draft), document_(document), answering_(new QuestionView(document)) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 6, 6, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    buildKind(*form);
    buildSubject(*form);
    buildRule(*form);
    buildAnswer(*form);
    buildTexts(*form);
    connect(&document_, &Document::selectionChanged, this, &QuestionEditor::refresh);
    connect(&draft_, &LessonDraft::wasChecked, this, [this] {
        refresh();
        if (const LessonQuestion* asked = question()) showHints(*asked);
    });
}

void QuestionEditor::addField(QFormLayout& form, const QString& label, QWidget* widget, std::vector<Kind> kinds) {
    QLabel* words = label.isEmpty() ? nullptr : new QLabel(label);
    if (words) {
        words->setWordWrap(true);
        words->setBuddy(widget);
        form.addRow(words);  // above it, as wide as the panel
    }
    form.addRow(widget);
    fields_.push_back({words, widget, std::move(kinds)});
}

void QuestionEditor::buildKind(QFormLayout& form) {
    kind_ = new QComboBox;
    kind_->setObjectName(QStringLiteral("question-kind"));
    kind_->setAccessibleName(tr("Question"));
    kind_->addItems({tr("This page asks nothing"), tr("Select the operators of a region"),
                     tr("Which backend takes them?"), tr("Draw the path that forbids merging"), tr("How many?"),
                     tr("Choose a reason"), tr("Write the rule"), tr("Make it faster"), tr("Mark all regions")});
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    form.addRow(kind_);
    connect(kind_, &QComboBox::activated, this, &QuestionEditor::setKind);
}

void QuestionEditor::buildSubject(QFormLayout& form) {
    counted_ = new QComboBox;
    counted_->setObjectName(QStringLiteral("question-counted"));
    counted_->addItems({tr("regions of the graph"), tr("inputs of a region"), tr("outputs of a region")});
    addField(form, tr("What is counted:"), counted_, {Kind::Count});
    call_ = new PointedCalls(draft_, tr("The region of:"), 1);
    calls_ = new PointedCalls(draft_, tr("Of each of:"), 0);
    ends_ = new PointedCalls(draft_, tr("Between the regions of:"), 2);
    call_->setObjectName(QStringLiteral("question-call"));
    calls_->setObjectName(QStringLiteral("question-calls"));
    ends_->setObjectName(QStringLiteral("question-ends"));
    addField(form, {}, call_, {Kind::Select, Kind::Count});
    addField(form, {}, calls_, {Kind::Assign});
    addField(form, {}, ends_, {Kind::Path});
    choices_ = make_text(QStringLiteral("question-choices"), tr("One choice on each line"), 4);
    addField(form, tr("Choices:"), choices_, {Kind::Reason});
    most_regions_ = new QSpinBox;
    most_bytes_ = new QSpinBox;
    most_regions_->setObjectName(QStringLiteral("question-most-regions"));
    most_bytes_->setObjectName(QStringLiteral("question-most-bytes"));
    for (QSpinBox* most : {most_regions_, most_bytes_}) {
        most->setRange(-1, 1000000000);
        most->setSpecialValueText(tr("any number"));
        connect(most, &QSpinBox::valueChanged, this, &QuestionEditor::take);
    }
    addField(form, tr("Regions, at most:"), most_regions_, {Kind::Faster});
    addField(form, tr("Bytes across boundaries, at most:"), most_bytes_, {Kind::Faster});
    for (PointedCalls* pointed : {call_, calls_, ends_})
        connect(pointed, &PointedCalls::changed, this, &QuestionEditor::take);
    connect(counted_, &QComboBox::activated, this, &QuestionEditor::take);
    connect(choices_, &QPlainTextEdit::textChanged, this, &QuestionEditor::take);
}

void QuestionEditor::buildRule(QFormLayout& form) {
    backend_ = new QComboBox;
    place_ = new QComboBox;
    backend_->setObjectName(QStringLiteral("question-backend"));
    place_->setObjectName(QStringLiteral("question-place"));
    takes_ = new PointedCalls(draft_, tr("It shall take:"), 0);
    leaves_ = new PointedCalls(draft_, tr("It shall leave:"), 0);
    takes_->setObjectName(QStringLiteral("question-takes"));
    leaves_->setObjectName(QStringLiteral("question-leaves"));
    addField(form, tr("A rule of backend:"), backend_, {Kind::Rule});
    addField(form, tr("For operator:"), place_, {Kind::Rule});
    addField(form, {}, takes_, {Kind::Rule});
    addField(form, {}, leaves_, {Kind::Rule});
    for (QComboBox* choice : {backend_, place_}) connect(choice, &QComboBox::activated, this, &QuestionEditor::take);
    for (PointedCalls* pointed : {takes_, leaves_})
        connect(pointed, &PointedCalls::changed, this, &QuestionEditor::take);
}

void QuestionEditor::buildAnswer(QFormLayout& form) {
    const std::vector<Kind> all{Kind::Select, Kind::Assign, Kind::Path,   Kind::Count,
                                Kind::Reason, Kind::Rule,   Kind::Faster, Kind::Regions};
    solution_ = make_plain_label();
    solution_->setWordWrap(true);
    solution_->setObjectName(QStringLiteral("question-solution"));
    addField(form, {}, solution_, all);
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
    addField(form, tr("Answer it as a learner:"), answer, hinted);
    connect(answering_, &QuestionView::changed, this, &QuestionEditor::refresh);
    connect(is_right_, &QPushButton::clicked, this, &QuestionEditor::takeAnswer);
    connect(add_hint_, &QPushButton::clicked, this, &QuestionEditor::addHint);
}

void QuestionEditor::buildTexts(QFormLayout& form) {
    const std::vector<Kind> hinted{Kind::Select, Kind::Assign, Kind::Path,  Kind::Count,
                                   Kind::Reason, Kind::Rule,   Kind::Faster};
    hints_ = new HintList;
    addField(form, {}, hints_, hinted);
    right_ = make_text(QStringLiteral("question-right"), tr("Why that is right"), 3);
    wrong_ = make_text(QStringLiteral("question-wrong"), tr("What helps whoever answered wrong"), 3);
    addField(form, tr("Said of the right answer:"), right_, hinted);
    addField(form, tr("Said of wrong answers without a hint:"), wrong_, hinted);
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
    const LessonQuestion& asked = question() ? *question() : none;
    filling_ = true;
    kind_->setCurrentIndex(question() ? int(asked.kind) + 1 : 0);
    const auto counted = std::find(std::begin(kCounted), std::end(kCounted), asked.counted);
    counted_->setCurrentIndex(counted == std::end(kCounted) ? 0 : int(counted - std::begin(kCounted)));
    for (PointedCalls* pointed : {call_, calls_, ends_}) pointed->setCalls(asked.calls);
    takes_->setCalls(asked.takes);
    leaves_->setCalls(asked.leaves);
    QStringList choices;
    for (const std::string& choice : asked.choices) choices << QString::fromStdString(choice);
    choices_->setPlainText(choices.join(QLatin1Char('\n')));
    most_regions_->setValue(asked.most_regions);
    most_bytes_->setValue(asked.most_bytes < 0 ? -1 : int(std::min(asked.most_bytes, 1e9)));
    right_->setPlainText(QString::fromStdString(asked.right));
    wrong_->setPlainText(QString::fromStdString(asked.wrong));
    fillRule(asked);
    showHints(asked);
    filling_ = false;
    ask();
    showFields();
}

void QuestionEditor::showHints(const LessonQuestion& question) {
    hints_->setQuestion(question, draft_.checked().graph.get());
    hints_->setTabPlace(add_hint_, right_);
}

/// The operators of the graph are places of rules.
void QuestionEditor::fillRule(const LessonQuestion& question) {
    backend_->clear();
    for (const BackendPtr& backend : draft_.lesson().backends)
        backend_->addItem(shown_name(backend->name), QString::fromStdString(backend->name));
    backend_->setCurrentIndex(backend_->findData(QString::fromStdString(question.backend)));
    place_->clear();
    std::set<QString> operators;
    if (const auto& graph = draft_.checked().graph)
        for (uint32_t call : graph->calls())
            operators.insert(QString::fromStdString(expression_name(graph->module(), graph->id(call)))
                                 .section(QStringLiteral(" #"), 0, 0));
    for (const QString& name : operators) place_->addItem(name, QStringList{QStringLiteral("ops"), name});
    if (question.place.empty()) return place_->setCurrentIndex(-1);
    QStringList keys;
    for (const std::string& key : question.place) keys << QString::fromStdString(key);
    if (place_->findData(keys) < 0) place_->addItem(shown_name(keys.join(QStringLiteral(" › "))), keys);
    place_->setCurrentIndex(place_->findData(keys));
}

void QuestionEditor::showFields() {
    const LessonQuestion* asked = question();
    for (const Field& field : fields_) {
        const bool fits = asked && std::find(field.kinds.begin(), field.kinds.end(), asked->kind) != field.kinds.end();
        if (field.label) field.label->setVisible(fits);
        field.widget->setVisible(fits);
    }
    if (asked && asked->kind == Kind::Count) call_->setVisible(asked->counted != kCounted[0]);
    hints_->setVisible(asked && !asked->hints.empty());
    refresh();
}

/// Puts the question to the author.
void QuestionEditor::ask() {
    const LessonQuestion* asked = question();
    if (!asked || (asked->kind == Kind::Rule && asked->place.empty())) return answering_->clear();
    QStringList backends;
    for (const BackendPtr& backend : draft_.lesson().backends) backends << QString::fromStdString(backend->name);
    answering_->ask(*asked, backends << QStringLiteral("default"));
    if (is_given(asked->kind)) answering_->give(asked->solution);
}

void QuestionEditor::refresh() {
    for (PointedCalls* pointed : {call_, calls_, ends_, takes_, leaves_}) pointed->refresh();
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
        if (other.kind == Kind::Count) other.counted = kCounted[0];
        if (asked) other.right = asked->right;
        if (asked) other.wrong = asked->wrong;
        asked = std::move(other);
    });
    fill();
}

void QuestionEditor::takeSubject(LessonQuestion& question) const {
    if (question.kind == Kind::Count) {
        question.counted = kCounted[counted_->currentIndex()];
        question.calls = counted_->currentIndex() > 0 ? call_->calls() : std::vector<uint32_t>();
    } else if (question.kind == Kind::Select) {
        question.calls = call_->calls();
    } else {
        question.calls = question.kind == Kind::Path     ? ends_->calls()
                         : question.kind == Kind::Assign ? calls_->calls()
                                                         : std::vector<uint32_t>();
    }
    question.choices.clear();
    if (question.kind == Kind::Reason)
        for (const QString& choice : choices_->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            question.choices.push_back(choice.toStdString());
    question.backend = backend_->currentData().toString().toStdString();
    question.place.clear();
    for (const QString& key : place_->currentData().toStringList()) question.place.push_back(key.toStdString());
    if (question.kind != Kind::Rule) {
        question.backend.clear();
        question.place.clear();
    }
    question.takes = takes_->calls();
    question.leaves = leaves_->calls();
    question.most_regions = question.kind == Kind::Faster ? most_regions_->value() : -1;
    question.most_bytes = question.kind == Kind::Faster ? most_bytes_->value() : -1;
}

void QuestionEditor::take() {
    if (filling_ || !question()) return;
    const LessonQuestion before = *question();
    editQuestion([this](LessonQuestion& asked) {
        takeSubject(asked);
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
