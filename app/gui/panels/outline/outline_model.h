// The rows of the outline as a model: functions of the module, runs of blocks that are alike, regions, and the
// functions after partitioning. The text of a row is made when it is asked for, so that a hundred thousand rows cost no
// more than their numbers. Regions of the same operators for the same backend stand in one row, which opens.
#pragma once

#include <functional>

#include <QAbstractItemModel>
#include <QHash>
#include <QIcon>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/session/named_module.h"

namespace partita {

enum class OutlineKind { Heading, Function, Blocks, Region, SubFunction };

enum OutlineRole {
    OutlineKindRole = Qt::UserRole + 1,
    OutlineNameRole,    ///< of a function
    OutlineRegionRole,  ///< index into the flow's regions
    OutlineRunRole,     ///< index of a run of blocks
    OutlineAlikeRole,   ///< of a row for several regions: a list of their indices
};

/// What the outline is of: values, made on a worker because sorting many names takes a while.
struct OutlineSource {
    ModulePtr module, partitioned;                ///< partitioned may be null
    FlowPtr flow;                                 ///< may be null
    NamedModulePtr named;                         ///< the flow's input
    std::vector<GlobalFunction> functions, made;  ///< of module and partitioned, by name
    std::vector<BackendPtr> backends;
    std::vector<uint64_t> likeness;  ///< by region: equal where backend and operators are
};

OutlineSource make_outline(NamedModulePtr named, FlowPtr flow, ModulePtr partitioned, std::vector<BackendPtr> backends);

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit OutlineModel(QObject* parent = nullptr);
    void setSource(OutlineSource source);
    void setTheme(const Theme& theme);
    /// Shows only rows with this text in their name; headings stay.
    void setFilter(const QString& text);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Section {
        OutlineKind kind = OutlineKind::Function;
        std::vector<uint32_t> rows;                ///< indices into functions, regions or made that pass the filter
        std::vector<std::vector<uint32_t>> alike;  ///< of regions, by row: all that it stands for; empty: itself
        size_t all = 0;
    };
    void rebuild();
    static void joinAlike(Section& section, const std::vector<uint64_t>& likeness);
    QVariant alikeData(const Section& section, size_t row, int role) const;
    void addSection(OutlineKind kind, size_t count, const std::function<std::string_view(size_t)>& name);
    QVariant headingData(const Section& section, int role) const;
    QVariant functionData(const Module& module, const GlobalFunction& function, OutlineKind kind, int role) const;
    QVariant runData(size_t run, int role) const;
    QVariant regionData(size_t region, int role) const;
    QString regionText(const RegionInfo& region, const QString& name) const;
    QIcon iconOf(int backend) const;

    OutlineSource source_;
    std::vector<Section> sections_;
    std::string filter_;  ///< in lower case
    Theme theme_;
    mutable QHash<int, QIcon> icons_;
};

}  // namespace partita
