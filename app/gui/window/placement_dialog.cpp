#include "app/gui/window/placement_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/placement_curve.h"
#include "app/gui/window/placement_times.h"
#include "app/gui/window/placing.h"

namespace partita {

namespace {

QTreeWidget* make_table(const QStringList& header, const QString& name) {
    auto* table = new QTreeWidget;
    table->setHeaderLabels(header);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAccessibleName(name);
    for (int column = 1; column < header.size(); ++column)
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return table;
}

void fit_columns(QTreeWidget& table) {
    table.header()->setStretchLastSection(false);
    table.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

}  // namespace

PlacementDialog::PlacementDialog(Document& document, Placing& placing, PlacedModulePtr placed, QWidget* parent)
    : QDialog(parent), document_(document), placing_(placing), placed_(std::move(placed)),
      module_(placed_->task.module), names_(*module_), flips_(placed_->answer.contested),
      of_(placed_->answer.chosen.labels), contested_(contestedTable()), terms_(new QLabel),
      move_(new QPushButton(tr("&Move it"))), move_with_(new QPushButton(tr("Move &with others"))) {
    setWindowTitle(tr("Placed by time"));
    resize(760, 620);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* words = new QLabel(headline());
    words->setWordWrap(true);
    column->addWidget(words);
    auto* tabs = new QTabWidget;
    auto* curve = new PlacementCurve(placed_);
    tabs->addTab(buildPlacements(), tr("&Placements"));
    tabs->addTab(buildContested(), tr("&Operators"));
    tabs->addTab(curve, tr("&Fewer regions or weights"));
    tabs->addTab(new PlacementTimes(document_, placed_), tr("Predicted and &measured"));
    column->addWidget(tabs, 1);
    column->addWidget(buildButtons());
    connect(curve, &PlacementCurve::placementWanted, this, [this](const Labels& labels) {
        if (placing_.placed() == placed_) placing_.take(labels, tr("a placement of the curve"));
    });
    connect(&document_, &Document::flowChanged, this, &PlacementDialog::followFlow);
    fillContested();
    selectCurrent();
    followFlow();
}

QDialogButtonBox* PlacementDialog::buildButtons() {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    save_ = buttons->addButton(tr("&Save the placement…"), QDialogButtonBox::ActionRole);
    save_->setToolTip(tr("Writes how the graph is divided now"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save_, &QPushButton::clicked, this, &PlacementDialog::savePlacement);
    if (!placing_.canTakeBack()) return buttons;
    QPushButton* back = buttons->addButton(tr("&Take it back"), QDialogButtonBox::DestructiveRole);
    back->setToolTip(tr("The graph is divided as before (Esc)"));
    connect(back, &QPushButton::clicked, this, &PlacementDialog::takeBack);
    return buttons;
}

void PlacementDialog::takeBack() {
    placing_.takeBack();
    reject();
}

void PlacementDialog::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cancel)) return takeBack();
    QDialog::keyPressEvent(event);
}

/// What moves would cost depends on where everything else is.
void PlacementDialog::followFlow() {
    showTerms();
    const FlowPtr flow = document_.flow();
    const bool here = flow && flow->input == module_;
    save_->setEnabled(here);
    if (!here) return;
    Labels now = placed_->task.model.division_of(*flow).labels;
    if (now == of_) return;
    of_ = std::move(now);
    document_.jobs().start<std::vector<FlipCost>>(
        tr("Place by time"), this,
        [placed = placed_, flow](const JobContext&) { return contested_operators(*placed, *flow); },
        [this, labels = of_](std::vector<FlipCost> flips) {
            if (labels != of_) return;
            flips_ = std::move(flips);
            fillContested();
        });
}

QString PlacementDialog::headline() const {
    const PlacementAnswer& answer = placed_->answer;
    const PlacedCandidate* rules = answer.find("rules");
    const QString chosen = cost_text(answer.chosen.measured_ms);
    QString text = rules && !answer.rules_stay()
                       ? tr("A run takes %1; by the rules it takes %2.").arg(chosen, cost_text(rules->measured_ms))
                       : tr("A run takes %1. The rules' placement stays: no other one was faster by more than the "
                            "noise.")
                             .arg(chosen);
    text += QLatin1Char(' ') + tr("From the costs of its operators it is predicted to take %1; no placement is "
                                  "predicted to take less than %2.")
                                   .arg(cost_text(answer.chosen.predicted_ms), cost_text(answer.bound_ms));
    if (answer.without_budgets_ms > 0)
        text += QLatin1Char(' ') + tr("With room for all weights (limits.weight_bytes) that would be %1.")
                                       .arg(cost_text(answer.without_budgets_ms));
    if (answer.error_median > 0)
        text += QLatin1Char(' ') +
                tr("Predictions differ from measurements by %1 in the median.").arg(percent_text(answer.error_median));
    return text;
}

QWidget* PlacementDialog::buildPlacements() {
    QTreeWidget* table =
        make_table({tr("Placement"), tr("Regions"), tr("Measured"), tr("Predicted")}, tr("Placements"));
    const auto add = [table](const PlacedCandidate& candidate, const QString& name) {
        auto* item = new QTreeWidgetItem(table, {name, QString::number(candidate.regions),
                                                 cost_text(candidate.measured_ms), cost_text(candidate.predicted_ms)});
        for (int column = 1; column < item->columnCount(); ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    QTreeWidgetItem* chosen = add(placed_->answer.chosen, tr("chosen"));
    QFont bold = font();
    bold.setBold(true);
    for (int column = 0; column < chosen->columnCount(); ++column) chosen->setFont(column, bold);
    for (const PlacedCandidate& candidate : placed_->answer.others) {
        const QString name = QString::fromStdString(candidate.name);
        add(candidate, name == QLatin1String("rules")                ? tr("by the rules")
                       : name.startsWith(QLatin1String("rules:"))    ? tr("rules in the order %1").arg(name.mid(6))
                       : name.startsWith(QLatin1String("mixture "))  ? tr("random mixture %1").arg(name.mid(8))
                       : name.startsWith(QLatin1String("solution ")) ? tr("solution %1").arg(name.mid(9))
                       : name == QLatin1String("default")            ? tr("all on default")
                                                                     : tr("%1 alone").arg(shown_name(name)));
    }
    fit_columns(*table);
    auto* take = new QPushButton(tr("&Use this placement"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->addWidget(table, 1);
    column->addWidget(take, 0, Qt::AlignRight);
    connect(take, &QPushButton::clicked, this,
            [this, table] { takePlacement(table->indexOfTopLevelItem(table->currentItem())); });
    connect(table, &QTreeWidget::itemActivated, this,
            [this, table](QTreeWidgetItem* item) { takePlacement(table->indexOfTopLevelItem(item)); });
    table->setCurrentItem(chosen);
    return page;
}

void PlacementDialog::takePlacement(int row) {
    if (row < 0 || placing_.placed() != placed_) return;
    const PlacementAnswer& answer = placed_->answer;
    placing_.take(row == 0 ? answer.chosen.labels : answer.others[size_t(row) - 1].labels, tr("another placement"));
}

QWidget* PlacementDialog::buildContested() {
    auto* title = new QLabel(tr("Operators that could also be elsewhere, the smallest loss first:"));
    title->setWordWrap(true);
    terms_->setWordWrap(true);
    terms_->setTextFormat(Qt::PlainText);
    terms_->setMinimumHeight(4 * fontMetrics().lineSpacing());
    terms_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    terms_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->addWidget(title);
    column->addWidget(contested_, 1);
    column->addWidget(terms_);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(move_);
    row->addWidget(move_with_);
    column->addLayout(row);
    connect(move_, &QPushButton::clicked, this, [this] { moveCurrent(false); });
    connect(move_with_, &QPushButton::clicked, this, [this] { moveCurrent(true); });
    connect(contested_, &QTreeWidget::currentItemChanged, this, [this] {
        showTerms();
        selectCurrent();
    });
    return page;
}

QTreeWidget* PlacementDialog::contestedTable() const {
    QTreeWidget* table = make_table({tr("Operator"), tr("Is on"), tr("Other"), tr("Alone"), tr("With others")},
                                    tr("Contested operators"));
    table->headerItem()->setToolTip(3, tr("What a run takes more if this operator alone moves"));
    table->headerItem()->setToolTip(4, tr("What a run takes more if this operator moves and others may follow"));
    fit_columns(*table);
    return table;
}

void PlacementDialog::fillContested() {
    const FlipCost* before = current();
    const uint32_t op = before ? before->op : flips_.empty() ? 0 : flips_.front().op;
    const QSignalBlocker quiet(contested_);
    contested_->clear();
    const CostModel& model = placed_->task.model;
    for (const FlipCost& flip : flips_) {
        auto* item =
            new QTreeWidgetItem(contested_, {nameOf(flip.op), QString::fromStdString(model.name(flip.from)),
                                             QString::fromStdString(model.name(flip.to)), cost_difference_text(flip.ms),
                                             cost_difference_text(flip.regret_ms)});
        for (int column = 1; column < item->columnCount(); ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (flip.op == op && !contested_->currentItem()) contested_->setCurrentItem(item);
    }
    showTerms();
}

QString PlacementDialog::nameOf(uint32_t op) const {
    return shown_name(names_.name(placed_->task.model.operators()[op].expr));
}

const FlipCost* PlacementDialog::current() const {
    const int row = contested_->indexOfTopLevelItem(contested_->currentItem());
    return row < 0 || size_t(row) >= flips_.size() ? nullptr : &flips_[size_t(row)];
}

/// Shows the terms of the current row.
void PlacementDialog::showTerms() {
    const FlipCost* flip = current();
    const bool here = document_.isOpen() && document_.shownModule() == module_;
    move_->setEnabled(flip && here);
    move_with_->setEnabled(flip && here);
    terms_->setText(!flip                     ? QString()
                    : flip->changes_nothing() ? moved_alone_text()
                                              : tr("Now: %1\nThen: %2")
                                                    .arg(cost_terms_text(*placed_, names_, flip->before),
                                                         cost_terms_text(*placed_, names_, flip->after)));
}

void PlacementDialog::selectCurrent() {
    const FlipCost* flip = current();
    if (flip && document_.isOpen() && document_.shownModule() == module_)
        document_.setSelection({placed_->task.model.operators()[flip->op].expr});
}

void PlacementDialog::moveCurrent(bool with_others) {
    if (const FlipCost* flip = current()) placing_.moveTo(flip->op, flip->to, with_others);
}

void PlacementDialog::savePlacement() {
    const QFileInfo file(document_.path());
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the placement"),
        file.dir().filePath(file.completeBaseName() + QStringLiteral(".placement.json")), tr("Placements (*.json)"));
    const FlowPtr flow = document_.flow();
    const std::optional<PlacedCandidate> shown = flow ? candidate_of(*placed_, *flow) : std::nullopt;
    if (path.isEmpty() || !shown) return;
    std::vector<std::string> backends;
    for (const BackendPtr& backend : document_.choice().backends)
        backends.push_back(backend->file.empty() ? backend->name : backend->file);
    const FlowChoice& choice = document_.choice();
    const PlacementFile placement = placement_of(*placed_, *shown, file.fileName().toStdString(), std::move(backends),
                                                 choice.lower, choice.simplify, choice.fold);
    const Status saved = save_placement(path.toStdString(), placement);
    if (!saved)
        tell_not_written(*this, path, QString::fromStdString(saved.error().message), [this] { savePlacement(); });
}

}  // namespace partita
