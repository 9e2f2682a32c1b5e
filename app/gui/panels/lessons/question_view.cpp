#include "app/gui/panels/lessons/question_view.h"

#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "engine/lessons/lesson_graph.h"

namespace partita {

QuestionView::QuestionView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
}

void QuestionView::clear() {
    delete fields_;
    fields_ = nullptr;
    number_ = nullptr;
    rule_ = nullptr;
    choices_.clear();
    backends_.clear();
}

void QuestionView::ask(const LessonQuestion& question, const std::vector<BackendPtr>& backends) {
    clear();
    kind_ = question.kind;
    of_lesson_ = backends;
    fields_ = new QWidget;
    column_->addWidget(fields_);
    if (kind_ == QuestionKind::Count) addNumber();
    else if (kind_ == QuestionKind::Reason) addChoices(question);
    else if (kind_ == QuestionKind::Rule) addRule(question);
    else if (kind_ == QuestionKind::Assign) addBackends(question);
    fields_->setVisible(number_ || rule_ || !choices_.empty() || !backends_.empty());
}

void QuestionView::addNumber() {
    auto* form = new QFormLayout(fields_);
    form->setContentsMargins(0, 0, 0, 0);
    number_ = new QSpinBox;
    number_->setRange(0, 999);
    number_->setObjectName(QStringLiteral("lesson-number"));
    form->addRow(tr("Number:"), number_);
    checkByEnter(*number_);
    connect(number_, &QSpinBox::valueChanged, this, &QuestionView::changed);
}

/// A radio button does not break its text over lines: each stands beside a label that does.
void QuestionView::addChoices(const LessonQuestion& question) {
    auto* grid = new QGridLayout(fields_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    for (const std::string& choice : question.choices) {
        const QString text = QString::fromStdString(choice);
        auto* button = new QRadioButton;
        button->setAccessibleName(text);
        auto* label = new QLabel(text);
        label->setWordWrap(true);
        label->setTextFormat(Qt::MarkdownText);
        label->setBuddy(button);
        label->installEventFilter(this);
        checkByEnter(*button);
        const int row = int(choices_.size());
        grid->addWidget(button, row, 0, Qt::AlignTop);
        grid->addWidget(label, row, 1);
        choices_.push_back(button);
        connect(button, &QRadioButton::toggled, this, &QuestionView::changed);
    }
}

/// Enter in a field checks; a click on the text of a choice chooses it.
bool QuestionView::eventFilter(QObject* watched, QEvent* event) {
    const auto* label = qobject_cast<QLabel*>(watched);
    if (event->type() == QEvent::KeyPress && !label) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key != Qt::Key_Return && key != Qt::Key_Enter) return false;
        emit checkWanted();
        return true;
    }
    if (event->type() != QEvent::MouseButtonRelease || !label || !label->buddy()) return false;
    label->buddy()->setFocus(Qt::MouseFocusReason);
    static_cast<QRadioButton*>(label->buddy())->click();
    return true;
}

void QuestionView::addRule(const LessonQuestion& question) {
    auto* form = new QFormLayout(fields_);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    rule_ = new QLineEdit;
    rule_->setObjectName(QStringLiteral("lesson-rule"));
    rule_->setMaxLength(2000);
    QFont fixed = rule_->font();
    fixed.setFamily(QStringLiteral("monospace"));
    rule_->setFont(fixed);
    form->addRow(shown_name(question.place.back()) + QLatin1Char(':'), rule_);
    connect(rule_, &QLineEdit::textChanged, this, &QuestionView::changed);
    connect(rule_, &QLineEdit::returnPressed, this, &QuestionView::checkWanted);
}

void QuestionView::addBackends(const LessonQuestion& question) {
    QStringList backends;
    for (const BackendPtr& backend : of_lesson_) backends << QString::fromStdString(backend->name);
    backends << QStringLiteral("default");
    auto* form = new QFormLayout(fields_);
    form->setContentsMargins(0, 0, 0, 0);
    const ExpressionNames* names = document_.isOpen() ? &document_.names() : nullptr;
    for (uint32_t call : question.calls) {
        auto* choice = new QComboBox;
        choice->setPlaceholderText(tr("Choose"));
        choice->addItems(backends);
        choice->setCurrentIndex(-1);
        const ExprId id = names ? names->numbered(call) : ExprId();
        const QString name = id.valid() ? shown_name(names->name(id)) : QStringLiteral("#%1").arg(call);
        choice->setAccessibleName(name);
        form->addRow(name, choice);
        checkByEnter(*choice);
        backends_.emplace_back(call, choice);
        connect(choice, &QComboBox::currentIndexChanged, this, &QuestionView::changed);
    }
}

LessonAnswer QuestionView::answer() const {
    LessonAnswer answer;
    if (number_) answer.number = number_->value();
    if (rule_) answer.text = rule_->text().trimmed().toStdString();
    for (size_t i = 0; i < choices_.size(); ++i)
        if (choices_[i]->isChecked()) answer.number = int64_t(i);
    for (const auto& [call, choice] : backends_)
        if (choice->currentIndex() >= 0) answer.backends[call] = choice->currentText().toStdString();
    if (!document_.isOpen()) return answer;
    const ExpressionNames& names = document_.names();
    if (selects(kind_))
        for (ExprId id : document_.selection())
            if (document_.shownModule()->called_op(id).valid()) answer.calls.push_back(names.number(id));
    if (kind_ != QuestionKind::Faster) return answer;
    for (const auto& [id, backend] : document_.choice().overrides->overrides())
        if (const uint32_t call = names.number(id)) answer.backends[call] = backend;
    for (const BackendPtr& backend : document_.choice().backends) answer.order.push_back(backend->name);
    answer.rules = changed_rules(of_lesson_, document_.choice().backends);
    return answer;
}

QString QuestionView::obstacle() const {
    const LessonAnswer now = answer();
    if (selects(kind_) && now.calls.empty()) return tr("Select operators on the graph first: click, Ctrl+click");
    if (kind_ == QuestionKind::Reason && now.number < 0) return tr("Choose a reason first");
    if (kind_ == QuestionKind::Rule && now.text.empty()) return tr("Write the rule first");
    if (kind_ == QuestionKind::Assign && now.backends.size() < backends_.size())
        return tr("Choose a backend for each operator first");
    return {};
}

void QuestionView::give(const LessonAnswer& answer) {
    if (number_ && answer.number >= 0) number_->setValue(int(answer.number));
    if (rule_) rule_->setText(QString::fromStdString(answer.text));
    if (!choices_.empty() && answer.number >= 0 && size_t(answer.number) < choices_.size())
        choices_[size_t(answer.number)]->setChecked(true);
    for (const auto& [call, choice] : backends_)
        if (const auto found = answer.backends.find(call); found != answer.backends.end())
            choice->setCurrentText(QString::fromStdString(found->second));
}

}  // namespace partita
