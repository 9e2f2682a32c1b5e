#include "app/gui/panels/timing/timing_alike_view.h"

#include <algorithm>
#include <unordered_map>

#include <QHeaderView>

#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/number_text.h"
#include "engine/flow/alike_regions.h"
#include "engine/runtime/timing.h"

namespace partita {

namespace {

constexpr int kClassRole = Qt::UserRole, kNumberRole = Qt::UserRole + 1;
enum AlikeColumn { AlikeName, AlikeBackend, AlikeCount, AlikeSum, AlikeShare, AlikeEach, AlikeSpread, AlikeRange };

/// Rows are sorted by figures, not by their text.
class AlikeItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget() ? treeWidget()->sortColumn() : AlikeSum;
        if (column <= AlikeBackend) return QTreeWidgetItem::operator<(other);
        return data(column, kNumberRole).toDouble() < other.data(column, kNumberRole).toDouble();
    }
};

void add_times(AlikeTimes& alike, const RunReport& report) {
    std::vector<double> medians;
    for (const int region : alike.regions) {
        const double median = report.regions[size_t(region)].time.median;
        medians.push_back(median);
        alike.sum += median;
        alike.longest = std::max(alike.longest, median);
    }
    alike.each = summarize_times(medians);
    const RegionTiming& first = report.regions[size_t(alike.regions.front())];
    alike.backend = first.backend;
    alike.executed_by = first.executed_by;
}

}  // namespace

std::vector<AlikeTimes> alike_times(const FlowResult& flow, const RunReport& report) {
    std::unordered_map<std::string_view, int> by_name;
    for (size_t i = 0; i < report.regions.size(); ++i) by_name.emplace(report.regions[i].name, int(i));
    std::vector<bool> known(report.regions.size());
    std::vector<AlikeTimes> classes;
    for (const AlikeRegions& alike : alike_regions(flow)) {
        AlikeTimes times;
        times.operators = alike.operators;
        for (const uint32_t region : alike.regions) {
            const auto found = by_name.find(flow.regions[region].function);
            if (found == by_name.end()) continue;
            times.regions.push_back(found->second);
            known[size_t(found->second)] = true;
        }
        if (!times.regions.empty()) classes.push_back(std::move(times));
    }
    for (size_t i = 0; i < known.size(); ++i)
        if (!known[i]) {
            AlikeTimes& other = classes.emplace_back();
            other.operators = report.regions[i].shown();
            other.regions = {int(i)};
        }
    for (AlikeTimes& alike : classes) add_times(alike, report);
    std::stable_sort(classes.begin(), classes.end(),
                     [](const AlikeTimes& a, const AlikeTimes& b) { return a.sum > b.sum; });
    return classes;
}

QString csv_of(const std::vector<AlikeTimes>& classes) {
    QString text =
        QStringLiteral("operators,backend,executed_by,regions,sum_ms,median_ms,spread_ms,minimum_ms,longest_ms\n");
    const auto field = [](const std::string& value) {
        return QLatin1Char('"') + shown_name(value).replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
               QLatin1Char('"');
    };
    for (const AlikeTimes& alike : classes) {
        text += field(alike.operators) + ',' + field(alike.backend) + ',' + field(alike.executed_by);
        text += QStringLiteral(",%1").arg(alike.regions.size());
        for (const double value : {alike.sum, alike.each.median, alike.each.spread, alike.each.minimum, alike.longest})
            text += QStringLiteral(",%1").arg(value);
        text += QLatin1Char('\n');
    }
    return text;
}

TimingAlikeView::TimingAlikeView(Document& document)
    : document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setHeaderLabels({tr("Regions of these operators"), tr("Executed by"), tr("Regions"), tr("Together"), tr("Share"),
                     tr("Median of one"), tr("Spread"), tr("From … to")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Times of regions that are alike"));
    for (int column = AlikeCount; column <= AlikeRange; ++column)
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    headerItem()->setToolTip(AlikeSum, tr("The medians of these regions, added up"));
    headerItem()->setToolTip(AlikeSpread, tr("The interquartile range of the medians of these regions"));
    header()->setStretchLastSection(false);
    header()->setResizeContentsPrecision(kMeasuredRows);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(AlikeName, QHeaderView::Stretch);
    setSortingEnabled(true);
    sortByColumn(AlikeSum, Qt::DescendingOrder);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (item) emit chosen(classes_[item->data(AlikeName, kClassRole).toUInt()].regions);
    });
}

void TimingAlikeView::setTheme(const Theme& theme) {
    theme_ = theme;
    fill();
}

void TimingAlikeView::setClasses(std::vector<AlikeTimes> classes) {
    classes_ = std::move(classes);
    fill();
}

void TimingAlikeView::fill() {
    constexpr size_t kMostRows = 2000;
    if (classes_.empty() && topLevelItemCount() == 0) return;
    const QSignalBlocker block(this);
    clear();
    double whole = 0;
    for (const AlikeTimes& alike : classes_) whole += alike.sum;
    setSortingEnabled(false);
    QList<QTreeWidgetItem*> items;
    for (size_t i = 0; i < std::min(classes_.size(), kMostRows); ++i) {
        const AlikeTimes& alike = classes_[i];
        const auto count = int(alike.regions.size());
        const QString name = shown_name(alike.operators);
        auto* item = new AlikeItem(QStringList{
            count > 1 ? tr("%1, %n region(s) alike", nullptr, count).arg(name) : name, shown_name(alike.executed_by),
            QString::number(count), duration_text(alike.sum), percent_text(whole > 0 ? alike.sum / whole : 0),
            duration_text(alike.each.median), count > 1 ? duration_text(alike.each.spread) : QString(),
            count > 1 ? QStringLiteral("%1 – %2").arg(duration_text(alike.each.minimum), duration_text(alike.longest))
                      : QString()});
        item->setIcon(AlikeName, backend_icon(document_.choice().backend_index(alike.backend), theme_));
        item->setData(AlikeName, kClassRole, uint(i));
        const double numbers[] = {double(count),     alike.sum,         alike.sum,
                                  alike.each.median, alike.each.spread, alike.longest};
        for (int column = AlikeCount; column <= AlikeRange; ++column) {
            item->setData(column, kNumberRole, numbers[column - AlikeCount]);
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        item->setToolTip(AlikeName, as_plain(name));
        items << item;
    }
    addTopLevelItems(items);
    setSortingEnabled(true);
}

}  // namespace partita
