#include "app/gui/window/placement_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
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
      module_(placed_->task.module), names_(*module_), contested_(contestedTable()), terms_(new QLabel),
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
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* save = buttons->addButton(tr("&Save the placement…"), QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &PlacementDialog::savePlacement);
    connect(curve, &PlacementCurve::placementWanted, this, [this](const Labels& labels) {
        if (placing_.placed() == placed_) placing_.take(labels, tr("a placement of the curve"));
    });
    connect(&document_, &Document::flowChanged, this, &PlacementDialog::showTerms);
    if (contested_->topLevelItemCount() > 0) contested_->setCurrentItem(contested_->topLevelItem(0));
    showTerms();
}

QString PlacementDialog::headline() const {
    const PlacementAnswer& answer = placed_->answer;
    const PlacedCandidate* rules = answer.find("rules");
    const QString chosen = cost_text(answer.chosen.measured_ms);
    QString text = rules && rules->labels != answer.chosen.labels
                       ? tr("A run takes %1; by the rules it takes %2.").arg(chosen, cost_text(rules->measured_ms))
                       : tr("A run takes %1. The rules' placement stays: no other one was faster by more than the "
                            "noise.")
                             .arg(chosen);
    text += QLatin1Char(' ') + tr("By the costs that were measured, no placement takes less than %1 (predicted for "
                                  "this one: %2).")
                                   .arg(cost_text(answer.bound_ms), cost_text(answer.chosen.predicted_ms));
    if (answer.without_budgets_ms > 0)
        text += QLatin1Char(' ') + tr("With room for all weights (limits.weight_bytes) it would be %1.")
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
    connect(contested_, &QTreeWidget::currentItemChanged, this, &PlacementDialog::showTerms);
    return page;
}

QTreeWidget* PlacementDialog::contestedTable() {
    QTreeWidget* table = make_table({tr("Operator"), tr("Is on"), tr("Other"), tr("Alone"), tr("With others")},
                                    tr("Contested operators"));
    table->headerItem()->setToolTip(3, tr("What a run takes more if this operator alone moves"));
    table->headerItem()->setToolTip(4, tr("What a run takes more if this operator moves and others may follow"));
    const CostModel& model = placed_->task.model;
    for (const FlipCost& flip : placed_->answer.contested) {
        auto* item = new QTreeWidgetItem(
            table, {nameOf(flip.op), QString::fromStdString(model.name(placed_->answer.chosen.labels[flip.op])),
                    QString::fromStdString(model.name(flip.to)), cost_difference_text(flip.ms),
                    cost_difference_text(flip.regret_ms)});
        for (int column = 1; column < item->columnCount(); ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    fit_columns(*table);
    return table;
}

QString PlacementDialog::nameOf(uint32_t op) const {
    return shown_name(names_.name(placed_->task.model.operators()[op].expr));
}

const FlipCost* PlacementDialog::current() const {
    const int row = contested_->indexOfTopLevelItem(contested_->currentItem());
    return row < 0 ? nullptr : &placed_->answer.contested[size_t(row)];
}

/// Shows the terms of the current row, and its operator on the graph.
void PlacementDialog::showTerms() {
    const FlipCost* flip = current();
    const bool here = document_.isOpen() && document_.shownModule() == module_;
    move_->setEnabled(flip && here);
    move_with_->setEnabled(flip && here);
    terms_->setText(
        flip ? tr("Now: %1\nThen: %2")
                   .arg(cost_terms_text(*placed_, names_, flip->before), cost_terms_text(*placed_, names_, flip->after))
             : QString());
    if (flip && here && sender() == contested_)
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
    if (path.isEmpty()) return;
    std::vector<std::string> backends;
    for (const BackendPtr& backend : document_.choice().backends)
        backends.push_back(backend->file.empty() ? backend->name : backend->file);
    const FlowChoice& choice = document_.choice();
    const PlacementFile placement = placement_of(*placed_, placed_->answer.chosen, file.fileName().toStdString(),
                                                 std::move(backends), choice.lower, choice.simplify, choice.fold);
    const Status saved = save_placement(path.toStdString(), placement);
    if (!saved)
        tell_not_written(*this, path, QString::fromStdString(saved.error().message), [this] { savePlacement(); });
}

}  // namespace partita
