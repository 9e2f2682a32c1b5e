#include "app/gui/panels/lessons/editor/question_subject.h"

#include <algorithm>
#include <set>

#include <QComboBox>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include "app/gui/panels/lessons/editor/pointed_calls.h"
#include "app/gui/panels/lessons/editor/question_text.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

using Kind = QuestionKind;
constexpr const char* kCounted[] = {"regions", "inputs", "outputs"};

}  // namespace

QuestionSubject::QuestionSubject(LessonDraft& draft, QWidget* parent) : QWidget(parent), draft_(draft) {
    buildOperators();
    buildLimits();
    buildRule();
}

void QuestionSubject::buildOperators() {
    counted_ = new QComboBox;
    counted_->setObjectName(QStringLiteral("question-counted"));
    counted_->addItems({tr("regions of the graph"), tr("inputs of a region"), tr("outputs of a region")});
    form_.add(tr("What is counted:"), counted_, {Kind::Count});
    call_ = new PointedCalls(draft_, tr("The region of:"), 1);
    calls_ = new PointedCalls(draft_, tr("Of each of:"), 0);
    ends_ = new PointedCalls(draft_, tr("Between the regions of:"), 2);
    call_->setObjectName(QStringLiteral("question-call"));
    calls_->setObjectName(QStringLiteral("question-calls"));
    ends_->setObjectName(QStringLiteral("question-ends"));
    form_.add({}, call_, {Kind::Select, Kind::Count});
    form_.add({}, calls_, {Kind::Assign});
    form_.add({}, ends_, {Kind::Path});
    for (PointedCalls* pointed : {call_, calls_, ends_})
        connect(pointed, &PointedCalls::changed, this, &QuestionSubject::changed);
    connect(counted_, &QComboBox::activated, this, &QuestionSubject::changed);
}

void QuestionSubject::buildLimits() {
    choices_ = make_question_text(QStringLiteral("question-choices"), tr("One choice on each line"), 4);
    form_.add(tr("Choices:"), choices_, {Kind::Reason});
    most_regions_ = new QSpinBox;
    most_bytes_ = new QSpinBox;
    most_regions_->setObjectName(QStringLiteral("question-most-regions"));
    most_bytes_->setObjectName(QStringLiteral("question-most-bytes"));
    for (QSpinBox* most : {most_regions_, most_bytes_}) {
        most->setRange(-1, 1000000000);
        most->setSpecialValueText(tr("any number"));
        connect(most, &QSpinBox::valueChanged, this, &QuestionSubject::changed);
    }
    form_.add(tr("Regions, at most:"), most_regions_, {Kind::Faster});
    form_.add(tr("Bytes across boundaries, at most:"), most_bytes_, {Kind::Faster});
    connect(choices_, &QPlainTextEdit::textChanged, this, &QuestionSubject::changed);
}

void QuestionSubject::buildRule() {
    backend_ = new QComboBox;
    place_ = new QComboBox;
    backend_->setObjectName(QStringLiteral("question-backend"));
    place_->setObjectName(QStringLiteral("question-place"));
    takes_ = new PointedCalls(draft_, tr("It shall take:"), 0);
    leaves_ = new PointedCalls(draft_, tr("It shall leave:"), 0);
    takes_->setObjectName(QStringLiteral("question-takes"));
    leaves_->setObjectName(QStringLiteral("question-leaves"));
    form_.add(tr("A rule of backend:"), backend_, {Kind::Rule});
    form_.add(tr("For operator:"), place_, {Kind::Rule});
    form_.add({}, takes_, {Kind::Rule});
    form_.add({}, leaves_, {Kind::Rule});
    for (QComboBox* choice : {backend_, place_})
        connect(choice, &QComboBox::activated, this, &QuestionSubject::changed);
    for (PointedCalls* pointed : {takes_, leaves_})
        connect(pointed, &PointedCalls::changed, this, &QuestionSubject::changed);
}

void QuestionSubject::fill(const LessonQuestion& question) {
    const QSignalBlocker silent(this);
    const auto counted = std::find(std::begin(kCounted), std::end(kCounted), question.counted);
    const int known = counted == std::end(kCounted) ? 0 : int(counted - std::begin(kCounted));
    counted_->setCurrentIndex(question.counted == "number" ? -1 : known);  // which is written in the file alone
    for (PointedCalls* pointed : {call_, calls_, ends_}) pointed->setCalls(question.calls);
    takes_->setCalls(question.takes);
    leaves_->setCalls(question.leaves);
    QStringList choices;
    for (const std::string& choice : question.choices) choices << QString::fromStdString(choice);
    choices_->setPlainText(choices.join(QLatin1Char('\n')));
    most_regions_->setValue(question.most_regions);
    most_bytes_->setValue(question.most_bytes < 0 ? -1 : int(std::min(question.most_bytes, 1e9)));
    fillRule(question);
}

/// The operators of the graph are places of rules.
void QuestionSubject::fillRule(const LessonQuestion& question) {
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

void QuestionSubject::showFieldsOf(const LessonQuestion* question) {
    form_.showRowsOf(question);
    if (question && question->kind == Kind::Count) call_->setVisible(question->counted != kCounted[0]);
}

void QuestionSubject::refresh() {
    for (PointedCalls* pointed : {call_, calls_, ends_, takes_, leaves_}) pointed->refresh();
}

void QuestionSubject::take(LessonQuestion& question) const {
    if (question.kind == Kind::Count && counted_->currentIndex() >= 0) {
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

}  // namespace partita
