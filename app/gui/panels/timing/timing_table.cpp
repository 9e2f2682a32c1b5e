#include "app/gui/panels/timing/timing_table.h"

#include <algorithm>

#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeView>

#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/number_text.h"
#include "app/gui/style/telling_names.h"

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
        const int for_text = option.fontMetrics.horizontalAdvance(QStringLiteral("100.0 %")) + 14;
        QRectF bar = QRectF(option.rect).adjusted(4, 5, -for_text, -5);
        constexpr double kNarrowest = 16;  // less shows no share, and looks like a letter
        const bool room = bar.width() >= kNarrowest;
        bar.setWidth(std::max(1.0, bar.width() * share));
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.backend_colours(index.data(TimingModel::BackendRole).toInt()).strong);
        if (room) painter->drawRoundedRect(bar, 2, 2);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(option.rect.adjusted(0, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter, percent_text(share));
        painter->restore();
    }

    Theme theme = make_theme(false, PaletteChoice::OkabeIto);
};

}  // namespace

TimingTable::TimingTable(Document& document) : model_(document), table_(new QTreeView), chart_(new TimingChart) {
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    table_->setUniformRowHeights(true);
    table_->setItemDelegateForColumn(TimingModel::Name, new NameDelegate(*table_));
    table_->setTextElideMode(Qt::ElideMiddle);  // names of libraries differ at their ends
    table_->setAccessibleName(tr("Times"));
    table_->sortByColumn(TimingModel::Median, Qt::DescendingOrder);
    table_->setItemDelegateForColumn(TimingModel::Share, new ShareDelegate(table_));
    using Column = TimingModel;
    fitted_ = new FittedColumns(*table_,
                                {Column::Minimum, Column::Compile, Column::Boundary, Column::Spread, Column::Changes,
                                 Column::Ops, Column::Flops, Column::ExecutedBy},
                                190, 420);
    fitted_->setBars(TimingModel::Share, 100);
    addWidget(table_);
    addWidget(chart_);
    setStretchFactor(0, 5);
    setStretchFactor(1, 2);
    connect(chart_, &TimingChart::regionChosen, this, [this](int region) { emit chosen(region, ExprId()); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (model_.report() && now.isValid())
            emit chosen(now.data(TimingModel::RegionRole).toInt(), ExprId(now.data(TimingModel::OriginRole).toUInt()));
    });
}

void TimingTable::setTheme(const Theme& theme) {
    model_.setTheme(theme);
    chart_->setTheme(theme);
    static_cast<ShareDelegate*>(table_->itemDelegateForColumn(TimingModel::Share))->theme = theme;
}

void TimingTable::fitColumns(bool with_errors) {
    const std::vector<RegionTiming>& regions = model_.report()->regions;
    const bool changes = std::any_of(regions.begin(), regions.end(), [](const RegionTiming& region) {
        return region.layout_changes + region.copies > 0;
    });
    std::vector<int> empty;
    if (!changes) empty.push_back(TimingModel::Changes);
    if (!with_errors) empty.push_back(TimingModel::Error);
    fitted_->setEmpty(std::move(empty));
    fitted_->fit();
}

void TimingTable::mark(int region, ExprId origin) {
    table_->setCurrentIndex(model_.indexOf(region, origin));
    chart_->setCurrentRegion(region);
}

}  // namespace partita
