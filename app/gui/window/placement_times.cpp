#include "app/gui/window/placement_times.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/panels/inspector/inspector_costs.h"
#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/flow/region_names.h"

namespace partita {

namespace {

constexpr int kMostRows = 1000;

/// Sorts columns of figures by their values.
class FigureItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget()->sortColumn();
        if (column == 0) return QTreeWidgetItem::operator<(other);
        return data(column, Qt::UserRole).toDouble() < other.data(column, Qt::UserRole).toDouble();
    }
};

}  // namespace

PlacementTimes::PlacementTimes(Document& document, PlacedModulePtr placed)
    : document_(document), placed_(std::move(placed)), words_(new QLabel), table_(new QTreeWidget) {
    auto* column = new QVBoxLayout(this);
    words_->setWordWrap(true);
    column->addWidget(words_);
    column->addWidget(table_, 1);
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAccessibleName(tr("Predicted and measured times"));
    table_->setHeaderLabels({tr("Region"), tr("Predicted"), tr("Measured"), tr("Difference")});
    table_->header()->setStretchLastSection(false);
    table_->header()->setResizeContentsPrecision(kMeasuredRows);
    table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int i = 1; i < 4; ++i) table_->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    table_->setSortingEnabled(true);
    table_->sortByColumn(1, Qt::DescendingOrder);
    connect(&document_, &Document::flowChanged, this, &PlacementTimes::fill);
    connect(&document_, &Document::runFinished, this, &PlacementTimes::fill);
    fill();
}

void PlacementTimes::fill() {
    table_->clear();
    const FlowPtr flow = document_.flow();
    const std::optional<PredictedTimes> predicted =
        flow ? predicted_times(*placed_, *flow) : std::optional<PredictedTimes>();
    if (!predicted) return words_->setText(tr("The module was changed since it was placed."));
    const RunOutcomePtr& run = document_.runOutcome();
    const bool measured = run && run->revision == document_.revision();
    QString words = tr("This division is predicted to take %1, of it %2 for values that cross.")
                        .arg(cost_text(predicted->total), cost_text(predicted->crossings));
    words +=
        QLatin1Char(' ') + (measured ? tr("Its last run took %1 at least.").arg(cost_text(run->report.time.minimum))
                                     : tr("Run it (F5) to see what it takes."));
    words_->setText(words);
    QHash<QString, double> took;
    if (measured)
        for (const RegionTiming& region : run->report.regions)
            took[QString::fromStdString(region.name)] += region.time.minimum;
    const auto add = [&](const QString& name, const QString& key, double expected) {
        const double time = took.value(key);
        auto* item = new FigureItem(table_, QStringList{name, cost_text(expected), cost_text(time),
                                                        time > 0 ? significant_text(time - expected, 2) : QString()});
        const double values[] = {0, expected, time, time - expected};
        for (int i = 1; i < 4; ++i) {
            item->setData(i, Qt::UserRole, values[i]);
            item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
        }
    };
    table_->setSortingEnabled(false);
    add(tr("on default"), QStringLiteral("default"), predicted->on_default);
    for (size_t i = 0; i < predicted->regions.size() && i < kMostRows; ++i) {
        const QString name = QString::fromStdString(flow->regions[i].function);
        add(shown_name(region_name(flow->regions[i], document_.names())), name, predicted->regions[i]);
    }
    table_->setSortingEnabled(true);
}

}  // namespace partita
