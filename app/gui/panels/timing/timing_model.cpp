#include "app/gui/panels/timing/timing_model.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <QTextStream>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/ran_where.h"
#include "engine/support/natural_order.h"

namespace partita {

namespace {

// A region's index carries 0, an op's the number of its region plus one, times an odd number: Qt's hash of an index is
// row * 16 + column + id, and with ids in sequence a table of thousands of persistent indices is slow to change.
constexpr quintptr kRegionId = 0, kSpread = quintptr(0x9E3779B97F4A7C15);

constexpr quintptr inverse_of(quintptr odd) {
    quintptr inverse = odd;  // Newton's steps: each doubles the bits that are right
    for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
    return inverse;
}
static_assert(kSpread * inverse_of(kSpread) == 1);

quintptr id_of_ops(uint32_t region) { return (quintptr(region) + 1) * kSpread; }
uint32_t region_of_id(quintptr id) { return uint32_t(id * inverse_of(kSpread) - 1); }

/// Numbers as numbers, for sorting.
constexpr int kSortRole = Qt::UserRole + 100;

bool is_text(int column) { return column <= TimingModel::ExecutedBy; }

/// Of a region's operators, which are few; the regions' names were put in order with the run.
struct NaturalName {
    std::string_view name;
    bool operator<(const NaturalName& other) const { return natural_less(name, other.name); }
};

/// `value` gives a number or a text, as the column has it.
template <class Value>
void sort_by(std::vector<uint32_t>& rows, Qt::SortOrder order, const Value& value) {
    std::vector<std::pair<std::decay_t<decltype(value(0))>, uint32_t>> keys;
    keys.reserve(rows.size());
    for (uint32_t row : rows) keys.emplace_back(value(row), row);
    const bool descending = order == Qt::DescendingOrder;
    std::stable_sort(keys.begin(), keys.end(), [descending](const auto& a, const auto& b) {
        return descending ? b.first < a.first : a.first < b.first;
    });
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].second;
}

QString csv_field(const std::string& text) {
    QString field = QString::fromStdString(text);
    return QLatin1Char('"') + field.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

}  // namespace

TimingModel::TimingModel(Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    const auto reset = [this] {
        beginResetModel();
        takeRun();
        endResetModel();
    };
    for (auto signal : {&Document::runFinished, &Document::opened}) connect(&document_, signal, this, reset);
    connect(&document_, &Document::edited, this, reset);
}

void TimingModel::setTheme(const Theme& theme) { theme_ = theme; }

const RunReport* TimingModel::report() const { return run_ ? &run_->report : nullptr; }

void TimingModel::takeRun() {
    run_ = document_.runOutcome();
    differences_.clear();
    ops_.clear();
    regions_.clear();
    double sum = 0;
    for (size_t i = 0; report() && i < report()->regions.size(); ++i) {
        regions_.push_back(uint32_t(i));
        sum += report()->regions[i].time.median;
    }
    whole_ = sum > 0 ? sum : 1;
    listed_ = std::min(int(regions_.size()), kRegionsAtOnce);
    sortRegions();
}

void TimingModel::setDifferences(const std::vector<RegionDifference>& regions) {
    differences_.clear();
    for (const RegionDifference& region : regions) {
        Difference& difference = differences_[region.name];
        difference.within_tolerance = region.within_tolerance;
        for (const OutputDifference& output : region.outputs)
            difference.error = std::max(difference.error, output.max_rel_error);
    }
    if (sort_column_ == Error) sort(sort_column_, sort_order_);
    if (listed_ > 0) emit dataChanged(index(0, Error), index(listed_ - 1, Error));
}

void TimingModel::sortRegions() {
    const auto region = [this](uint32_t index) -> const RegionTiming& { return report()->regions[index]; };
    if (sort_column_ == Name) sort_by(regions_, sort_order_, [&](uint32_t i) { return run_->places_by_name[i]; });
    else if (sort_column_ == ExecutedBy)
        sort_by(regions_, sort_order_, [&](uint32_t i) { return std::string_view(region(i).executed_by); });
    else sort_by(regions_, sort_order_, [&](uint32_t i) { return regionNumber(region(i), sort_column_); });
    row_of_.resize(regions_.size());
    for (size_t row = 0; row < regions_.size(); ++row) row_of_[regions_[row]] = uint32_t(row);
}

const TimingModel::OpRows& TimingModel::opsOf(uint32_t region) const {
    const auto [known, is_new] = ops_.try_emplace(region);
    OpRows& rows = known->second;
    if (!is_new) return rows;
    const RegionTiming& timing = report()->regions[region];
    const auto time = [&timing](uint32_t op) { return timing.ops[op].time.median; };
    rows.order.resize(timing.ops.size());
    std::iota(rows.order.begin(), rows.order.end(), uint32_t(0));
    if (rows.order.size() > kMostOps) {
        std::nth_element(rows.order.begin(), rows.order.begin() + kMostOps, rows.order.end(),
                         [&time](uint32_t a, uint32_t b) { return time(a) > time(b); });
        for (size_t i = kMostOps; i < rows.order.size(); ++i) rows.others_time += time(rows.order[i]);
        rows.others = int(rows.order.size() - kMostOps);
        rows.order.resize(kMostOps);
        std::sort(rows.order.begin(), rows.order.end());
    }
    if (sort_column_ == Name)
        sort_by(rows.order, sort_order_, [&timing](uint32_t op) { return NaturalName{timing.ops[op].name}; });
    else
        sort_by(rows.order, sort_order_,
                [&](uint32_t op) { return opData(timing, timing.ops[op], sort_column_, kSortRole).toDouble(); });
    return rows;
}

void TimingModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<Place> places;
    for (const QModelIndex& index : before) places.push_back(placeOf(index));
    sort_column_ = column;
    sort_order_ = order;
    ops_.clear();
    sortRegions();
    QModelIndexList after;
    for (size_t i = 0; i < places.size(); ++i) after.push_back(indexOf(places[i], before[qsizetype(i)].column()));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

TimingModel::Place TimingModel::placeOf(const QModelIndex& index) const {
    if (index.internalId() == kRegionId) return {regions_[size_t(index.row())], kNoOp};
    const uint32_t region = region_of_id(index.internalId());
    const OpRows& rows = opsOf(region);
    return {region, size_t(index.row()) < rows.order.size() ? rows.order[size_t(index.row())] : kOthers};
}

/// Invalid where the region has no row.
QModelIndex TimingModel::indexOf(Place place, int column) const {
    if (row_of_[place.region] >= uint32_t(listed_)) return {};
    if (place.op == kNoOp) return createIndex(int(row_of_[place.region]), column, kRegionId);
    const std::vector<uint32_t>& order = opsOf(place.region).order;
    return createIndex(int(std::find(order.begin(), order.end(), place.op) - order.begin()), column,
                       id_of_ops(place.region));
}

QModelIndex TimingModel::indexOf(int region, ExprId origin) {
    if (!report() || region < 0 || size_t(region) >= regions_.size()) return {};
    list(int(row_of_[size_t(region)]) + 1);
    if (!origin.valid()) return indexOf(Place{uint32_t(region), kNoOp}, 0);
    const std::vector<OpTiming>& ops = report()->regions[size_t(region)].ops;
    const OpRows& rows = opsOf(uint32_t(region));
    const auto shown =
        std::find_if(rows.order.begin(), rows.order.end(), [&](uint32_t op) { return ops[op].origin == origin; });
    if (shown == rows.order.end()) return indexOf(Place{uint32_t(region), rows.others ? kOthers : kNoOp}, 0);
    return indexOf(Place{uint32_t(region), *shown}, 0);
}

QModelIndex TimingModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? id_of_ops(regions_[size_t(parent.row())]) : kRegionId);
}

QModelIndex TimingModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kRegionId) return {};
    return createIndex(int(row_of_[region_of_id(child.internalId())]), 0, kRegionId);
}

int TimingModel::rowCount(const QModelIndex& parent) const {
    if (!report() || parent.column() > 0) return 0;
    if (!parent.isValid()) return listed_;
    if (parent.internalId() != kRegionId) return 0;
    const size_t ops = report()->regions[regions_[size_t(parent.row())]].ops.size();
    return ops > kMostOps ? int(kMostOps) + 1 : int(ops);
}

bool TimingModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && listed_ < int(regions_.size());
}

void TimingModel::fetchMore(const QModelIndex& parent) {
    if (!parent.isValid()) list(std::min(listed_ + kRegionsAtOnce, int(regions_.size())));
}

/// That many regions have rows, at least.
void TimingModel::list(int regions) {
    if (regions <= listed_) return;
    beginInsertRows({}, listed_, regions - 1);
    listed_ = regions;
    endInsertRows();
}

int TimingModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant TimingModel::data(const QModelIndex& index, int role) const {
    if (!report() || !index.isValid()) return {};
    const Place place = placeOf(index);
    if (role == RegionRole) return int(place.region);
    if (role == Qt::TextAlignmentRole)
        return int((is_text(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const RegionTiming& timing = report()->regions[place.region];
    if (place.op == kNoOp) return regionData(timing, index.column(), role);
    if (place.op == kOthers) return othersData(timing, opsOf(place.region), index.column(), role);
    return opData(timing, timing.ops[place.op], index.column(), role);
}

int TimingModel::backendOf(const RegionTiming& region) const {
    return document_.choice().backend_index(region.backend);
}

QVariant TimingModel::regionData(const RegionTiming& region, int column, int role) const {
    if (role == ShareRole) return region.time.median / whole_;
    if (role == BackendRole) return backendOf(region);
    if (role == OriginRole) return ExprId::kInvalid;
    if (role == Qt::ToolTipRole && !region.notice.empty()) return shown_message(region.notice);
    if (role == Qt::ForegroundRole && column == ExecutedBy && !region.notice.empty()) return theme_.warning;
    if (role == Qt::ForegroundRole && column == Error) return errorData(region, role);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
        case Name: return shown_name(region.shown());
        case ExecutedBy: {
            const QString by = shown_name(region.executed_by);
            if (region.notice.empty()) return by;
            return fell_back(region) ? tr("%1 (fell back)").arg(by) : tr("%1, partly default").arg(by);
        }
        case Median:
        case Spread:
        case Minimum: return duration_text(regionNumber(region, column));
        case Compile: return region.compile_ms > 0 ? duration_text(region.compile_ms) : QStringLiteral("–");
        case Changes: {
            const int count = region.layout_changes + region.copies;
            return count == 0 ? QStringLiteral("–")
                              : QStringLiteral("%1: %2").arg(count).arg(duration_text(regionNumber(region, column)));
        }
        case Share: return regionNumber(region, column);
        case Ops: return region.calls;
        case Flops: return number_text(regionNumber(region, column), 2);
        case Boundary: return bytes_text(region.bytes);
        case Error: return errorData(region, role);
        default: return {};
    }
}

/// A wrong region carries a sign, too: a colour alone is not seen by all.
QVariant TimingModel::errorData(const RegionTiming& region, int role) const {
    const auto known = differences_.find(region.name);
    if (known == differences_.end()) return {};
    if (role == Qt::ForegroundRole) return known->second.within_tolerance ? QVariant() : QVariant(theme_.error);
    return (known->second.within_tolerance ? QString() : QStringLiteral("✗ ")) +
           significant_text(known->second.error, 2);
}

/// What a column of numbers is sorted by.
double TimingModel::regionNumber(const RegionTiming& region, int column) const {
    switch (column) {
        case Median: return region.time.median;
        case Share: return region.time.median / whole_;
        case Spread: return region.time.spread;
        case Minimum: return region.time.minimum;
        case Compile: return region.compile_ms;
        case Changes: return region.layout_time.median + region.copy_time.median;
        case Ops: return region.calls;
        case Flops: return region.time.median > 0 ? region.flops / region.time.median / 1e6 : 0;
        case Boundary: return region.bytes;
        case Error: {
            const auto known = differences_.find(region.name);
            return known == differences_.end() ? -1 : known->second.error;
        }
        default: return 0;
    }
}

QVariant TimingModel::opData(const RegionTiming& region, const OpTiming& op, int column, int role) const {
    if (role == ShareRole) return op.time.median / whole_;
    if (role == BackendRole) return backendOf(region);
    if (role == OriginRole) return op.origin.value;
    if (role != Qt::DisplayRole && role != kSortRole) return {};
    const bool sorting = role == kSortRole;
    switch (column) {
        case Name: return shown_operator(op);
        case Median: return sorting ? QVariant(op.time.median) : duration_text(op.time.median);
        case Share: return op.time.median / whole_;
        case Spread: return sorting ? QVariant(op.time.spread) : duration_text(op.time.spread);
        case Minimum: return sorting ? QVariant(op.time.minimum) : duration_text(op.time.minimum);
        case Flops: {
            const double rate = op.time.median > 0 ? op.flops / op.time.median / 1e6 : 0;
            return sorting ? QVariant(rate) : number_text(rate, 2);
        }
        case Boundary: return sorting ? QVariant(op.bytes) : bytes_text(op.bytes);
        default: return {};
    }
}

QVariant TimingModel::othersData(const RegionTiming& region, const OpRows& rows, int column, int role) const {
    if (role == ShareRole) return rows.others_time / whole_;
    if (role == BackendRole) return backendOf(region);
    if (role == OriginRole) return ExprId::kInvalid;
    if (role == Qt::ToolTipRole) return tr("Copy as CSV copies all of them");
    if (role != Qt::DisplayRole) return {};
    switch (column) {
        case Name: return tr("%n shorter operator(s)", nullptr, rows.others);
        case Median: return duration_text(rows.others_time);
        default: return {};
    }
}

QVariant TimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((is_text(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return headerTip(section);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Region / operator");
        case ExecutedBy: return tr("Executed by");
        case Median: return tr("Median");
        case Share: return tr("Share");
        case Spread: return tr("Spread");
        case Minimum: return tr("Min.");
        case Compile: return tr("Compile");
        case Changes: return tr("Layouts");
        case Ops: return tr("Ops");
        case Flops: return tr("GFLOP/s");
        case Boundary: return tr("Moved");
        case Error: return tr("Error");
        default: return {};
    }
}

QString TimingModel::headerTip(int section) {
    switch (section) {
        case Spread: return tr("The interquartile range of the measured runs");
        case Compile: return tr("Once, before the first run");
        case Changes:
            return tr(
                "How many copies over the border and changes of layout there are in a run, and their time; where the "
                "backend can tell");
        case Flops: return tr("Floating-point operations a second");
        case Boundary: return tr("Bytes of inputs and outputs, counted once");
        case Error:
            return tr("The largest relative error of what the region gives, held against the same region on default");
        default: return {};
    }
}

QString csv_of(const RunReport& report) {
    QString text;
    QTextStream out(&text);
    out << "region,operator,number,backend,executed_by,median_ms,minimum_ms,spread_ms,ops,flops,bytes,compile_ms,"
           "layout_changes,layout_ms,copies,copy_ms\n";
    for (const RegionTiming& region : report.regions) {
        out << csv_field(region.name) << ",,," << csv_field(region.backend) << ',' << csv_field(region.executed_by)
            << ',' << region.time.median << ',' << region.time.minimum << ',' << region.time.spread << ','
            << region.calls << ',' << region.flops << ',' << region.bytes << ',' << region.compile_ms << ','
            << region.layout_changes << ',' << region.layout_time.median << ',' << region.copies << ','
            << region.copy_time.median << '\n';
        for (const OpTiming& op : region.ops)
            out << csv_field(region.name) << ',' << csv_field(op.name) << ',' << op.number << ','
                << csv_field(region.backend) << ',' << csv_field(region.executed_by) << ',' << op.time.median << ','
                << op.time.minimum << ',' << op.time.spread << ",," << op.flops << ',' << op.bytes << ",,,,,\n";
    }
    return text;
}

}  // namespace partita
