#include "app/gui/window/budget_field.h"

#include <algorithm>
#include <string_view>

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "engine/flow/partitioning.h"
#include "engine/partitioners/resource_budget.h"
#include "engine/support/amount.h"

namespace partita {

namespace {

constexpr double kKibibyte = 1024;
constexpr int kMostKibibytes = 1 << 30;

/// What all nodes that are divided would need; 0 if the statistics can't be read.
int needed_kibibytes(const ModulePtr& module, const FlowChoice& choice, const std::string& file,
                     const CancelToken& cancel) {
    const Result<std::shared_ptr<const Graph>> graph = graph_to_divide(module, flow_options(choice, false, cancel));
    if (!graph) return 0;
    const Result<double> bytes = ResourceBudget::needed(**graph, file);
    return bytes ? int(std::min(*bytes / kKibibyte + 1, double(kMostKibibytes))) : 0;
}

int left_by_budget(const DecisionLog& log) {
    const auto& decisions = log.decisions();
    return int(std::count_if(decisions.begin(), decisions.end(), [](const Decision& decision) {
        return decision.kind == DecisionKind::LeftOut && std::string_view(decision.detail.form) == kBudgetEnds;
    }));
}

bool has_budget(const Document& document) {
    const auto& backends = document.choice().backends;
    return std::any_of(backends.begin(), backends.end(),
                       [](const BackendPtr& backend) { return backend->name == "CUDAExecutionProvider"; });
}

}  // namespace

BudgetField::BudgetField(Document& document, const QString& value) : document_(document) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* first = new QHBoxLayout;
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setAccessibleName(tr("Budget in KiB"));
    amount_ = make_plain_label();
    amount_->setMinimumWidth(amount_->fontMetrics().horizontalAdvance(QStringLiteral("1000.00 MiB")));
    first->addWidget(slider_, 1);
    first->addWidget(amount_);
    column->addLayout(first);
    auto* second = new QHBoxLayout;
    file_ = new QLineEdit;
    file_->setPlaceholderText(tr("Node statistics (CSV); none: an estimate"));
    file_->setAccessibleName(tr("Node statistics"));
    file_->setClearButtonEnabled(true);
    auto* choose = new QPushButton(tr("C&hoose…"));
    second->addWidget(file_, 1);
    second->addWidget(choose);
    column->addLayout(second);
    auto* said = new QWidget;
    auto* third = new QHBoxLayout(said);
    third->setContentsMargins(0, 0, 0, 0);
    setting_ = make_plain_label();
    setting_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copy = new QPushButton(tr("Co&py"));
    choose->setAutoDefault(false);
    copy->setAutoDefault(false);
    copy->setToolTip(tr("Copy the setting of ONNX Runtime that says the same"));
    third->addWidget(setting_, 1);
    third->addWidget(copy);
    column->addWidget(said);
    left_ = make_plain_label();
    left_->setWordWrap(true);
    column->addWidget(left_);
    setFocusProxy(slider_);
    setUp(value);

    constexpr int kSettled = 250;  // ms without another move
    settled_.setSingleShot(true);
    settled_.setInterval(kSettled);
    connect(&settled_, &QTimer::timeout, this, [this] { emit changed(this->value()); });
    connect(slider_, &QSlider::valueChanged, this, [this] {
        tell();
        settled_.start();
    });
    connect(file_, &QLineEdit::editingFinished, this, [this] { emit changed(this->value()); });
    connect(choose, &QPushButton::clicked, this, &BudgetField::chooseFile);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(setting_->text()); });
    connect(&document_, &Document::flowChanged, this, &BudgetField::tell);
}

void BudgetField::setValue(const QString& value) {
    if (value != this->value()) setUp(value);
    settled_.stop();
}

/// The rightmost place of the slider is no budget.
void BudgetField::setUp(const QString& value) {
    const qsizetype comma = value.indexOf(QLatin1Char(','));
    const QString amount = value.left(std::max<qsizetype>(comma, 0));
    file_->setText(comma < 0 ? QString() : value.mid(comma + 1));
    bool is_number = false;
    const int given = amount.toInt(&is_number);
    showBudget(is_number ? std::optional(given) : std::nullopt, is_number ? given + 1 : 1);
    const ModulePtr module = document_.shownModule();
    if (!module) return;
    document_.jobs().cancel(measuring_);
    measuring_ = document_.jobs().start<int>(
        tr("Node statistics"), this,
        [module, choice = document_.choice(), file = file_->text().toStdString()](const JobContext& context) {
            return needed_kibibytes(module, choice, file, context.cancel);
        },
        [this](int needed) {
            const bool is_set = slider_->value() < slider_->maximum();
            showBudget(is_set ? std::optional(slider_->value()) : std::nullopt, needed);
        });
}

/// Not a choice of the person's.
void BudgetField::showBudget(std::optional<int> kibibytes, int needed) {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, std::max({needed, kibibytes.value_or(0), 1}));
    slider_->setPageStep(std::max(1, slider_->maximum() / 20));
    slider_->setValue(kibibytes.value_or(slider_->maximum()));
    tell();
}

QString BudgetField::value() const {
    if (slider_->value() == slider_->maximum() && file_->text().isEmpty()) return {};
    const QString amount = slider_->value() == slider_->maximum() ? QString() : QString::number(slider_->value());
    return amount + QLatin1Char(',') + file_->text();
}

void BudgetField::tell() {
    const bool is_set = slider_->value() < slider_->maximum();
    amount_->setText(is_set ? QString::fromStdString(amount_text(slider_->value() * kKibibyte, "B")) : tr("no budget"));
    setting_->parentWidget()->setVisible(is_set || !file_->text().isEmpty());
    setting_->setText(QStringLiteral("session.resource_cuda_partitioning_settings = \"%1\"").arg(shown_name(value())));
    const FlowPtr flow = document_.flow();
    if (!has_budget(document_)) left_->setText(tr("Only a backend of the name CUDAExecutionProvider has a budget"));
    else
        left_->setText(flow && is_set
                           ? tr("%n operator(s) behind the end of the budget", nullptr, left_by_budget(flow->log))
                           : QString());
    left_->setVisible(!left_->text().isEmpty());
}

void BudgetField::chooseFile() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Node statistics"), file_->text(), tr("Tables (*.csv);;All files (*)"));
    if (file.isEmpty()) return;
    file_->setText(file);
    emit changed(value());
}

}  // namespace partita
