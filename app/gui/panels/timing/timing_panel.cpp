#include "app/gui/panels/timing/timing_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/gui/panels/timing/timing_chart.h"

namespace partita {

namespace {

/// Draws a share of the whole as a bar with its percentage.
class ShareDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        plain.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
        const double share = index.data(TimingModel::ShareRole).toDouble();
        QRectF bar = QRectF(option.rect).adjusted(4, 5, -48, -5);
        bar.setWidth(std::max(1.0, bar.width() * share));
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.backend_colours(index.data(TimingModel::BackendRole).toInt()).strong);
        painter->drawRoundedRect(bar, 2, 2);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(option.rect.adjusted(0, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter,
                          QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1));
        painter->restore();
    }

    Theme theme = make_theme(false, PaletteChoice::OkabeIto);
};

}  // namespace

TimingPanel::TimingPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(document), stack_(new QStackedLayout(this)), summary_(new QLabel),
      heat_(new QCheckBox(tr("Heat on the graph"))), table_(new QTreeView), chart_(new TimingChart) {
    auto* nothing = new QWidget;
    auto* middle = new QVBoxLayout(nothing);
    middle->setAlignment(Qt::AlignCenter);
    auto* invitation = new QLabel(tr("Run the module to see where its time goes."));
    auto* run = new QPushButton(tr("Run"));
    middle->addWidget(invitation, 0, Qt::AlignCenter);
    middle->addWidget(run, 0, Qt::AlignCenter);
    connect(run, &QPushButton::clicked, this, &TimingPanel::runWanted);
    stack_->addWidget(nothing);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 5, 8, 5);
    auto* copy = new QPushButton(tr("Copy as CSV"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    heat_->setToolTip(tr("Colour the operators by the time they took"));
    top->addWidget(summary_, 1);
    top->addWidget(heat_);
    top->addWidget(copy);
    column->addLayout(top);
    auto* split = new QSplitter;
    sorted_.setSourceModel(&model_);
    sorted_.setSortRole(TimingModel::SortRole);
    table_->setModel(&sorted_);
    table_->setSortingEnabled(true);
    table_->setUniformRowHeights(true);
    table_->setAccessibleName(tr("Times"));
    table_->sortByColumn(TimingModel::Median, Qt::DescendingOrder);
    table_->setItemDelegateForColumn(TimingModel::Share, new ShareDelegate(table_));
    split->addWidget(table_);
    split->addWidget(chart_);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 2);
    column->addWidget(split, 1);
    stack_->addWidget(content);

    connect(heat_, &QCheckBox::toggled, this, &TimingPanel::heatToggled);
    connect(copy, &QPushButton::clicked, this, &TimingPanel::copyCsv);
    connect(chart_, &TimingChart::regionChosen, this, &TimingPanel::selectRegion);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { selectRow(now); });
    connect(&document_, &Document::runFinished, this, &TimingPanel::refresh);
    connect(&document_, &Document::opened, this, &TimingPanel::refresh);
    connect(&document_, &Document::choiceChanged, this, &TimingPanel::refresh);
}

void TimingPanel::setTheme(const Theme& theme) {
    model_.setTheme(theme);
    chart_->setTheme(theme);
    static_cast<ShareDelegate*>(table_->itemDelegateForColumn(TimingModel::Share))->theme = theme;
    refresh();
}

void TimingPanel::refresh() {
    const RunReport* report = model_.report();
    stack_->setCurrentIndex(report ? 1 : 0);
    if (!report) {
        chart_->setBars({});
        return;
    }
    QStringList parts;
    parts << tr("<b>%1 ms</b> median of a run").arg(report->time.median, 0, 'f', 3);
    parts << tr("peak %1 MiB").arg(double(report->peak_bytes) / 1048576, 0, 'f', 1);
    if (!report->differences.empty()) {
        double worst = 0;
        bool equal = true;
        for (const OutputDifference& difference : report->differences) {
            worst = std::max(worst, difference.max_rel_error);
            equal = equal && difference.within_tolerance;
        }
        parts << (equal ? tr("outputs equal to default (relative error %1)") : tr("<b>outputs differ</b> (relative error %1)"))
                     .arg(worst, 0, 'g', 2);
    }
    if (document_.runOutcome()->revision != document_.revision()) parts << tr("<i>of an earlier division</i>");
    summary_->setText(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    std::vector<TimingBar> bars;
    for (size_t i = 0; i < report->regions.size(); ++i) {
        const RegionTiming& region = report->regions[i];
        bars.push_back({QString::fromStdString(region.name), region.time.median,
                        document_.choice().backend_index(region.backend), int(i)});
    }
    chart_->setBars(std::move(bars));
    for (int column = 0; column < TimingModel::ColumnCount; ++column) table_->resizeColumnToContents(column);
    table_->setColumnWidth(TimingModel::Name, std::min(table_->columnWidth(TimingModel::Name), 260));
    table_->setColumnWidth(TimingModel::Share, 130);
}

void TimingPanel::selectRegion(int region) {
    for (int row = 0; row < sorted_.rowCount(); ++row) {
        const QModelIndex index = sorted_.index(row, 0);
        if (index.data(TimingModel::RegionRole).toInt() == region) table_->setCurrentIndex(index);
    }
}

void TimingPanel::selectRow(const QModelIndex& index) {
    const RunReport* report = model_.report();
    if (!report || !index.isValid()) return;
    const int row = index.data(TimingModel::RegionRole).toInt();
    chart_->setCurrentRegion(row);
    const ExprId origin(index.data(TimingModel::OriginRole).toUInt());
    if (origin.valid()) return document_.setSelection({origin});
    const RegionTiming& region = report->regions[size_t(row)];
    const FlowPtr flow = document_.runOutcome()->flow;
    std::vector<ExprId> selection;
    if (flow)
        for (const RegionInfo& info : flow->regions)
            if (info.function == region.name) selection = info.expressions;
    if (selection.empty())
        for (const OpTiming& op : region.ops)
            if (op.origin.valid()) selection.push_back(op.origin);
    document_.setSelection(std::move(selection));
}

void TimingPanel::copyCsv() { QApplication::clipboard()->setText(model_.toCsv()); }

}  // namespace partita
