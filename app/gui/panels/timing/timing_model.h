// Times of a run as a tree: regions, and the operators of each. Plain reading of a RunReport.
#pragma once

#include <optional>

#include <QAbstractItemModel>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

namespace partita {

class TimingModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Name, ExecutedBy, Median, Share, Spread, Minimum, Compile, Changes, Ops, Flops, Boundary, ColumnCount };
    enum Role {
        RegionRole = Qt::UserRole + 1,  ///< index into the report's regions; of an op too
        OriginRole,                     ///< ExprId::value of an op's origin; invalid id for regions
        ShareRole,                      ///< 0..1 of the whole
        BackendRole,                    ///< index into the document's backends
        SortRole,
    };

    explicit TimingModel(Document& document, QObject* parent = nullptr);
    void setTheme(const Theme& theme);
    const RunReport* report() const;
    /// Comma-separated values, one line for each region and op, with a header.
    QString toCsv() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant regionData(const RegionTiming& region, int column, int role) const;
    QVariant opData(const RegionTiming& region, const OpTiming& op, int column, int role) const;
    static QString headerTip(int section);
    int backendOf(const RegionTiming& region) const;
    double whole() const;

    Document& document_;
    Theme theme_;
};

}  // namespace partita
