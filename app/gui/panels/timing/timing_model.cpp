#include "app/gui/panels/timing/timing_model.h"

#include <QTextStream>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

// A region's index carries 0, an op's the number of its region plus one.
constexpr quintptr kRegionId = 0;

QString milliseconds(double value) { return number_text(value, value < 1 ? 4 : value < 100 ? 3 : 1); }

QString csv_field(const std::string& text) {
    QString field = QString::fromStdString(text);
    return QLatin1Char('"') + field.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

}  // namespace

TimingModel::TimingModel(Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    const auto reset = [this] {
        beginResetModel();
        endResetModel();
    };
    connect(&document_, &Document::runFinished, this, reset);
    connect(&document_, &Document::opened, this, reset);
}

void TimingModel::setTheme(const Theme& theme) { theme_ = theme; }

const RunReport* TimingModel::report() const { return document_.runOutcome() ? &document_.runOutcome()->report : nullptr; }

double TimingModel::whole() const {
    double sum = 0;
    for (const RegionTiming& region : report()->regions) sum += region.time.median;
    return sum > 0 ? sum : 1;
}

QModelIndex TimingModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : kRegionId);
}

QModelIndex TimingModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kRegionId) return {};
    return createIndex(int(child.internalId() - 1), 0, kRegionId);
}

int TimingModel::rowCount(const QModelIndex& parent) const {
    if (!report() || parent.column() > 0) return 0;
    if (!parent.isValid()) return int(report()->regions.size());
    if (parent.internalId() != kRegionId) return 0;
    return int(report()->regions[size_t(parent.row())].ops.size());
}

int TimingModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant TimingModel::data(const QModelIndex& index, int role) const {
    if (!report() || !index.isValid()) return {};
    const bool is_op = index.internalId() != kRegionId;
    const size_t region = is_op ? size_t(index.internalId() - 1) : size_t(index.row());
    if (region >= report()->regions.size()) return {};
    if (role == RegionRole) return int(region);
    if (role == Qt::TextAlignmentRole)
        return int((index.column() <= ExecutedBy ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const RegionTiming& timing = report()->regions[region];
    if (!is_op) return regionData(timing, index.column(), role);
    return size_t(index.row()) < timing.ops.size() ? opData(timing, timing.ops[size_t(index.row())], index.column(), role)
                                                   : QVariant();
}

int TimingModel::backendOf(const RegionTiming& region) const { return document_.choice().backend_index(region.backend); }

QVariant TimingModel::regionData(const RegionTiming& region, int column, int role) const {
    if (role == ShareRole) return region.time.median / whole();
    if (role == BackendRole) return backendOf(region);
    if (role == OriginRole) return ExprId::kInvalid;
    if (role == Qt::ToolTipRole && !region.notice.empty()) return shown_message(region.notice);
    if (role == Qt::ForegroundRole && column == ExecutedBy && !region.notice.empty())
        return theme_.warning;
    if (role != Qt::DisplayRole && role != SortRole) return {};
    const bool sorting = role == SortRole;
    switch (column) {
        case Name: return shown_name(region.name);
        case ExecutedBy: {
            const QString by = shown_name(region.executed_by);
            if (region.notice.empty()) return by;
            return region.executed_by == region.backend ? tr("%1, partly default").arg(by) : tr("%1 (fell back)").arg(by);
        }
        case Median: return sorting ? QVariant(region.time.median) : milliseconds(region.time.median);
        case Share: return region.time.median / whole();
        case Spread: return sorting ? QVariant(region.time.spread) : milliseconds(region.time.spread);
        case Minimum: return sorting ? QVariant(region.time.minimum) : milliseconds(region.time.minimum);
        case Compile: return sorting ? QVariant(region.compile_ms) : number_text(region.compile_ms, 1);
        case Changes: {
            const double time = region.layout_time.median + region.copy_time.median;
            const int count = region.layout_changes + region.copies;
            if (sorting) return time;
            return count == 0 ? QStringLiteral("–") : QStringLiteral("%1: %2").arg(count).arg(milliseconds(time));
        }
        case Ops: return region.calls;
        case Flops: {
            const double rate = region.time.median > 0 ? region.flops / region.time.median / 1e6 : 0;
            return sorting ? QVariant(rate) : number_text(rate, 2);
        }
        case Boundary: return sorting ? QVariant(region.bytes) : number_text(region.bytes / 1024, 1);
        default: return {};
    }
}

QVariant TimingModel::opData(const RegionTiming& region, const OpTiming& op, int column, int role) const {
    if (role == ShareRole) return op.time.median / whole();
    if (role == BackendRole) return backendOf(region);
    if (role == OriginRole) return op.origin.value;
    if (role != Qt::DisplayRole && role != SortRole) return {};
    const bool sorting = role == SortRole;
    switch (column) {
        case Name: return shown_name(op.name);
        case Median: return sorting ? QVariant(op.time.median) : milliseconds(op.time.median);
        case Share: return op.time.median / whole();
        case Spread: return sorting ? QVariant(op.time.spread) : milliseconds(op.time.spread);
        case Minimum: return sorting ? QVariant(op.time.minimum) : milliseconds(op.time.minimum);
        case Flops: {
            const double rate = op.time.median > 0 ? op.flops / op.time.median / 1e6 : 0;
            return sorting ? QVariant(rate) : number_text(rate, 2);
        }
        case Boundary: return sorting ? QVariant(op.bytes) : number_text(op.bytes / 1024, 1);
        default: return {};
    }
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section <= ExecutedBy ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return headerTip(section);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Region / operator");
        case ExecutedBy: return tr("Executed by");
        case Median: return tr("Median ms");
        case Share: return tr("Share");
        case Spread: return tr("Spread ms");
        case Minimum: return tr("Min. ms");
        case Compile: return tr("Compile ms");
        case Changes: return tr("Layouts ms");
        case Ops: return tr("Ops");
        case Flops: return tr("GFLOP/s");
        case Boundary: return tr("Moved KiB");
        default: return {};
    }
}

QString TimingModel::headerTip(int section) {
    switch (section) {
        case Spread: return tr("The interquartile range of the measured runs");
        case Compile: return tr("Once, before the first run");
        case Changes: return tr("How many copies over the border and changes of layout there are in a run, and their time; where the backend can tell");
        case Flops: return tr("Floating-point operations a second");
        case Boundary: return tr("Bytes of inputs and outputs, counted once");
        default: return {};
    }
}

QString TimingModel::toCsv() const {
    QString text;
    QTextStream out(&text);
    out << "region,operator,backend,executed_by,median_ms,minimum_ms,spread_ms,ops,flops,bytes,compile_ms,layout_changes,layout_ms,copies,copy_ms\n";
    if (!report()) return text;
    for (const RegionTiming& region : report()->regions) {
        out << csv_field(region.name) << ",," << csv_field(region.backend) << ',' << csv_field(region.executed_by) << ','
            << region.time.median << ',' << region.time.minimum << ',' << region.time.spread << ',' << region.calls << ','
            << region.flops << ',' << region.bytes << ',' << region.compile_ms << ',' << region.layout_changes << ','
            << region.layout_time.median << ',' << region.copies << ',' << region.copy_time.median << '\n';
        for (const OpTiming& op : region.ops)
            out << csv_field(region.name) << ',' << csv_field(op.name) << ',' << csv_field(region.backend) << ','
                << csv_field(region.executed_by) << ',' << op.time.median << ',' << op.time.minimum << ','
                << op.time.spread << ",," << op.flops << ',' << op.bytes << ",,,,,\n";
    }
    return text;
}

}  // namespace partita
