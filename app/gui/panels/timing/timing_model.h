// Times of a run as a tree: regions, and the operators of each, in the order that a column gives. Plain reading of a
// RunReport; of a region with more than kMostOps operators the longest are shown, and the others as one row.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <QAbstractItemModel>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/runtime/compare_runs.h"

namespace partita {

/// Comma-separated values, one line for each region and operator, with a header.
QString csv_of(const RunReport& report);

class TimingModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        ExecutedBy,
        Median,
        Share,
        Spread,
        Minimum,
        Compile,
        Changes,
        Ops,
        Flops,
        Boundary,
        Error,
        ColumnCount
    };
    enum Role {
        RegionRole = Qt::UserRole + 1,  ///< index into the report's regions; of an op too
        OriginRole,                     ///< ExprId::value of an op's origin; invalid id for regions
        ShareRole,                      ///< 0..1 of the whole
        BackendRole,                    ///< index into the document's backends
    };
    static constexpr size_t kMostOps = 10000;
    static constexpr int kRegionsAtOnce =
        2000;  ///< more get their rows as somebody scrolls there: a view lays out all rows

    explicit TimingModel(Document& document, QObject* parent = nullptr);
    void setTheme(const Theme& theme);
    const RunReport* report() const;
    /// How far each region is from the same one on default; they go with the next run.
    void setDifferences(const std::vector<RegionDifference>& regions);
    /// The row of a region, or of an operator in it; an operator that is not shown has that of the others.
    QModelIndex indexOf(int region, ExprId origin);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    /// The operators of a region as rows.
    struct OpRows {
        std::vector<uint32_t> order;  ///< indices into the region's operators
        int others = 0;               ///< that have no row of their own
        double others_time = 0;       ///< their medians together, milliseconds
    };
    /// A row wherever it stands: where rows are sorted anew, it is found by this.
    struct Place {
        uint32_t region = 0, op = kNoOp;  ///< indices into the report
    };
    static constexpr uint32_t kNoOp = UINT32_MAX, kOthers = UINT32_MAX - 1;

    void takeRun();
    void list(int regions);
    double regionNumber(const RegionTiming& region, int column) const;
    void sortRegions();
    const OpRows& opsOf(uint32_t region) const;
    Place placeOf(const QModelIndex& index) const;
    QModelIndex indexOf(Place place, int column) const;
    QVariant regionData(const RegionTiming& region, int column, int role) const;
    QVariant opData(const RegionTiming& region, const OpTiming& op, int column, int role) const;
    QVariant othersData(const RegionTiming& region, const OpRows& rows, int column, int role) const;
    static QString headerTip(int section);
    int backendOf(const RegionTiming& region) const;
    QVariant errorData(const RegionTiming& region, int role) const;

    Document& document_;
    Theme theme_;
    RunOutcomePtr run_;
    int sort_column_ = Median;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
    int listed_ = 0;                          ///< how many regions have rows
    double whole_ = 1;                        ///< the regions' medians together, milliseconds
    std::vector<uint32_t> regions_, row_of_;  ///< the regions in the order of rows; the row of each region
    struct Difference {
        double error = 0;  ///< the largest relative one
        bool within_tolerance = true;
    };
    std::unordered_map<std::string, Difference> differences_;  ///< by region
    mutable std::unordered_map<uint32_t, OpRows> ops_;         ///< of regions that were looked into
};

}  // namespace partita
