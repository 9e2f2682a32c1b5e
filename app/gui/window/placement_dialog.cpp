#include "app/gui/window/placement_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/exports.h"

namespace partita {

namespace {

constexpr int kDigits = 3;
constexpr int kShownPlacements = 7;  ///< rows without scrolling

QString ms_text(double ms) { return ms > 0 ? significant_text(ms, kDigits) : QStringLiteral("–"); }

/// With its sign.
QString difference_text(double ms) {
    return (ms < 0 ? QStringLiteral("−") : QStringLiteral("+")) + significant_text(std::abs(ms), kDigits);
}

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

PlacementDialog::PlacementDialog(Document& document, std::shared_ptr<const PlacedModule> placed, QWidget* parent)
    : QDialog(parent), document_(document), placed_(std::move(placed)), module_(placed_->task.module), names_(*module_),
      terms_(new QLabel), move_(new QPushButton(tr("&Move it"))) {
    setWindowTitle(tr("Placed by time"));
    resize(720, 620);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* words = new QLabel(headline());
    words->setWordWrap(true);
    column->addWidget(words);
    QTreeWidget* placements = buildPlacements();
    column->addWidget(placements, 2);
    auto* title = new QLabel(tr("Operators that could also be elsewhere, the smallest loss first:"));
    title->setWordWrap(true);
    column->addWidget(title);
    contested_ = buildContested();
    column->addWidget(contested_, 3);
    terms_->setWordWrap(true);
    terms_->setTextFormat(Qt::PlainText);
    terms_->setMinimumHeight(4 * fontMetrics().lineSpacing());
    terms_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    terms_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(terms_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(move_, QDialogButtonBox::ActionRole);
    QPushButton* save = buttons->addButton(tr("&Save the placement…"), QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(move_, &QPushButton::clicked, this, &PlacementDialog::moveCurrent);
    connect(save, &QPushButton::clicked, this, &PlacementDialog::savePlacement);
    connect(contested_, &QTreeWidget::currentItemChanged, this, &PlacementDialog::showTerms);
    connect(&document_, &Document::flowChanged, this, &PlacementDialog::showTerms);
    if (contested_->topLevelItemCount() > 0) contested_->setCurrentItem(contested_->topLevelItem(0));
    showTerms();
}

QString PlacementDialog::headline() const {
    const PlacementAnswer& answer = placed_->answer;
    const PlacedCandidate* rules = answer.find("rules");
    const QString chosen = ms_text(answer.chosen.measured_ms);
    QString text = rules && rules->labels != answer.chosen.labels
                       ? tr("A run takes %1 ms; by the rules it takes %2 ms.").arg(chosen, ms_text(rules->measured_ms))
                       : tr("A run takes %1 ms. The rules' placement stays: no other one was faster by more than the "
                            "noise.")
                             .arg(chosen);
    text += QLatin1Char(' ') + tr("By the costs that were measured, no placement takes less than %1 ms (predicted for "
                                  "this one: %2 ms).")
                                   .arg(ms_text(answer.bound_ms), ms_text(answer.chosen.predicted_ms));
    if (answer.error_median > 0)
        text += QLatin1Char(' ') +
                tr("Predictions differ from measurements by %1 in the median.").arg(percent_text(answer.error_median));
    return text;
}

QTreeWidget* PlacementDialog::buildPlacements() {
    QTreeWidget* table =
        make_table({tr("Placement"), tr("Regions"), tr("Measured ms"), tr("Predicted ms")}, tr("Placements"));
    const auto add = [table](const PlacedCandidate& candidate, const QString& name) {
        auto* item = new QTreeWidgetItem(table, {name, QString::number(candidate.regions),
                                                 ms_text(candidate.measured_ms), ms_text(candidate.predicted_ms)});
        for (int column = 1; column < 4; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    QTreeWidgetItem* chosen = add(placed_->answer.chosen, tr("chosen"));
    QFont bold = font();
    bold.setBold(true);
    for (int column = 0; column < 4; ++column) chosen->setFont(column, bold);
    for (const PlacedCandidate& candidate : placed_->answer.others) {
        const QString name = QString::fromStdString(candidate.name);
        add(candidate, name == QLatin1String("rules")                ? tr("by the rules")
                       : name.startsWith(QLatin1String("rules:"))    ? tr("rules in the order %1").arg(name.mid(6))
                       : name.startsWith(QLatin1String("mixture "))  ? tr("random mixture %1").arg(name.mid(8))
                       : name.startsWith(QLatin1String("solution ")) ? tr("solution %1").arg(name.mid(9))
                                                                     : tr("%1 alone").arg(shown_name(name)));
    }
    fit_columns(*table);
    table->setMinimumHeight(kShownPlacements * fontMetrics().lineSpacing());
    return table;
}

QTreeWidget* PlacementDialog::buildContested() {
    QTreeWidget* table = make_table({tr("Operator"), tr("Is on"), tr("Other"), tr("Alone ms"), tr("With others ms")},
                                    tr("Contested operators"));
    table->headerItem()->setToolTip(3, tr("What a run takes more if this operator alone moves"));
    table->headerItem()->setToolTip(4, tr("What a run takes more if this operator moves and others may follow"));
    const CostModel& model = placed_->task.model;
    for (const FlipCost& flip : placed_->answer.contested) {
        auto* item = new QTreeWidgetItem(
            table,
            {nameOf(flip.op), QString::fromStdString(model.name(placed_->answer.chosen.labels[flip.op])),
             QString::fromStdString(model.name(flip.to)), difference_text(flip.ms), difference_text(flip.regret_ms)});
        for (int column = 1; column < 5; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    fit_columns(*table);
    return table;
}

QString PlacementDialog::nameOf(uint32_t op) const {
    return shown_name(names_.name(placed_->task.model.operators()[op].expr));
}

QString PlacementDialog::termsText(const std::vector<CostTerm>& terms) const {
    const CostModel& model = placed_->task.model;
    QStringList parts;
    for (const CostTerm& term : terms) {
        const QString from = QString::fromStdString(model.name(term.from)),
                      to = QString::fromStdString(model.name(term.to));
        parts << (term.kind == CostTerm::Kind::Unit
                      ? tr("%1 on %2: %3").arg(nameOf(term.op), from, significant_text(term.ms, kDigits))
                      : tr("%1 from %2 to %3: %4")
                            .arg(bytes_text(term.mb * 1e6), from, to, significant_text(term.ms, kDigits)));
    }
    return parts.join(QStringLiteral(" + "));
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
    terms_->setText(flip ? tr("Now: %1 ms\nThen: %2 ms").arg(termsText(flip->before), termsText(flip->after))
                         : QString());
    if (flip && here && sender() == contested_)
        document_.setSelection({placed_->task.model.operators()[flip->op].expr});
}

void PlacementDialog::moveCurrent() {
    const FlipCost* flip = current();
    if (!flip) return;
    const int backend = document_.choice().backend_index(placed_->task.model.name(flip->to));
    document_.giveToBackend({placed_->task.model.operators()[flip->op].expr}, backend);
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
    const PlacementFile placement =
        placement_of(*placed_, file.fileName().toStdString(), std::move(backends), choice.simplify, choice.fold);
    const Status saved = save_placement(path.toStdString(), placement);
    if (!saved)
        tell_not_written(*this, path, QString::fromStdString(saved.error().message), [this] { savePlacement(); });
}

}  // namespace partita
