#include "app/gui/panels/outline/outline_model.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include <QFont>

#include "app/gui/canvas/block_texts.h"
#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_groups.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/number_text.h"
#include "engine/blocks/repeated_blocks.h"
#include "engine/flow/alike_regions.h"
#include "engine/flow/region_names.h"

namespace partita {

namespace {

QString to_qstring(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// `wanted` is in lower case. Names are ASCII but for rare ones, which then match by case.
bool contains_text(std::string_view name, std::string_view wanted) {
    return std::search(name.begin(), name.end(), wanted.begin(), wanted.end(),
                       [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; }) != name.end();
}

/// So many regions that are alike stand in one row.
constexpr size_t kFewestAlike = 3;

// The row of a section, or one of the regions that a row stands for: an index holds its section, and the row above it.
constexpr int kSectionBits = 16;
size_t section_of(const QModelIndex& index) { return (index.internalId() & ((1u << kSectionBits) - 1)) - 1; }
/// Of a region below a row: that row.
int row_above(const QModelIndex& index) { return int(index.internalId() >> kSectionBits) - 1; }

}  // namespace

OutlineSource make_outline(NamedModulePtr named, FlowPtr flow, ModulePtr partitioned,
                           std::vector<BackendPtr> backends) {
    OutlineSource source;
    source.module = named ? named->module : nullptr;
    source.partitioned = std::move(partitioned);
    source.flow = std::move(flow);
    source.named = std::move(named);
    source.backends = std::move(backends);
    if (source.module) source.functions = functions_in_natural_order(*source.module);
    if (source.partitioned) source.made = functions_in_natural_order(*source.partitioned);
    if (source.flow) source.likeness = region_likeness(*source.flow);
    return source;
}

OutlineModel::OutlineModel(QObject* parent)
    : QAbstractItemModel(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {}

void OutlineModel::setSource(OutlineSource source) {
    beginResetModel();
    source_ = std::move(source);
    rebuild();
    endResetModel();
}

void OutlineModel::setTheme(const Theme& theme) {
    beginResetModel();
    theme_ = theme;
    icons_.clear();
    endResetModel();
}

void OutlineModel::setFilter(const QString& text) {
    beginResetModel();
    filter_ = text.toLower().toStdString();
    rebuild();
    endResetModel();
}

void OutlineModel::rebuild() {
    sections_.clear();
    if (!source_.module) return;
    addSection(OutlineKind::Function, source_.functions.size(),
               [this](size_t i) { return source_.module->names().text(source_.functions[i].name); });
    if (source_.named && !source_.named->blocks.empty())
        addSection(OutlineKind::Blocks, source_.named->blocks.runs().size(),
                   [](size_t) { return std::string_view("block"); });
    if (source_.flow && shows_regions(*source_.flow) && !source_.flow->regions.empty())
        addSection(OutlineKind::Region, source_.flow->regions.size(),
                   [this](size_t i) { return std::string_view(source_.flow->regions[i].backend_name); });
    if (source_.partitioned)
        addSection(OutlineKind::SubFunction, source_.made.size(),
                   [this](size_t i) { return source_.partitioned->names().text(source_.made[i].name); });
}

void OutlineModel::addSection(OutlineKind kind, size_t count, const std::function<std::string_view(size_t)>& name) {
    Section section{kind, {}, {}, count};
    for (size_t i = 0; i < count; ++i)
        if (filter_.empty() || contains_text(name(i), filter_)) section.rows.push_back(uint32_t(i));
    if (kind == OutlineKind::Region) joinAlike(section, source_.likeness);
    sections_.push_back(std::move(section));
}

/// Leaves of the rows of regions that are alike the first.
void OutlineModel::joinAlike(Section& section, const std::vector<uint64_t>& likeness) {
    std::unordered_map<uint64_t, std::vector<uint32_t>> alike;
    for (uint32_t region : section.rows) alike[likeness[region]].push_back(region);
    std::vector<uint32_t> rows;
    for (uint32_t region : section.rows) {
        std::vector<uint32_t>& all = alike[likeness[region]];
        const bool several = all.size() >= kFewestAlike;
        if (several && all.front() != region) continue;
        rows.push_back(region);
        section.alike.push_back(several ? all : std::vector<uint32_t>());
    }
    section.rows = std::move(rows);
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, quintptr(0));
    if (parent.internalId() == 0) return createIndex(row, column, quintptr(parent.row()) + 1);
    return createIndex(row, column, parent.internalId() | quintptr(parent.row() + 1) << kSectionBits);
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0) return {};
    const int section = int(section_of(child)), above = row_above(child);
    return above < 0 ? createIndex(section, 0, quintptr(0)) : createIndex(above, 0, quintptr(section) + 1);
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(sections_.size());
    if (parent.internalId() == 0) return int(sections_[size_t(parent.row())].rows.size());
    const Section& section = sections_[section_of(parent)];
    return row_above(parent) < 0 && !section.alike.empty() ? int(section.alike[size_t(parent.row())].size()) : 0;
}

int OutlineModel::columnCount(const QModelIndex&) const { return 1; }

Qt::ItemFlags OutlineModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (index.internalId() == 0) return Qt::ItemIsEnabled;
    const Qt::ItemFlags row = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return rowCount(index) > 0 ? row : row | Qt::ItemNeverHasChildren;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == 0) return headingData(sections_[size_t(index.row())], role);
    const Section& section = sections_[section_of(index)];
    if (const int above = row_above(index); above >= 0)
        return regionData(section.alike[size_t(above)][size_t(index.row())], role);
    const size_t row = section.rows[size_t(index.row())];
    if (rowCount(index) > 0) return alikeData(section, size_t(index.row()), role);
    switch (section.kind) {
        case OutlineKind::Function: return functionData(*source_.module, source_.functions[row], section.kind, role);
        case OutlineKind::SubFunction: return functionData(*source_.partitioned, source_.made[row], section.kind, role);
        case OutlineKind::Blocks: return runData(row, role);
        default: return regionData(row, role);
    }
}

QVariant OutlineModel::headingData(const Section& section, int role) const {
    if (role == OutlineKindRole) return int(OutlineKind::Heading);
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(true);
        return font;
    }
    if (role != Qt::DisplayRole) return {};
    switch (section.kind) {
        case OutlineKind::Function: return tr("Functions");
        case OutlineKind::Blocks: return tr("Blocks (%1)").arg(section.all);
        case OutlineKind::Region: return tr("Regions (%1)").arg(section.all);
        default: return tr("After partitioning (%1)").arg(section.all);
    }
}

QVariant OutlineModel::functionData(const Module& module, const GlobalFunction& function, OutlineKind kind,
                                    int role) const {
    const QString name = to_qstring(module.names().text(function.name));
    const std::string_view compiler = module.function_info(function.function).string_attribute("Compiler");
    switch (role) {
        case Qt::DisplayRole: return QString(QLatin1Char('@') + shown_name(name));
        case OutlineKindRole: return int(kind);
        case OutlineNameRole: return name;
        case Qt::ToolTipRole:
            return compiler.empty() ? tr("Double-click or Enter: open")
                                    : tr("Sub-function for %1. Double-click or Enter: open").arg(shown_name(compiler));
        case Qt::DecorationRole:
            if (compiler.empty()) return {};
            for (size_t i = 0; i < source_.backends.size(); ++i)
                if (source_.backends[i]->name == compiler) return iconOf(int(i));
            return iconOf(-1);
        default: return {};
    }
}

QVariant OutlineModel::alikeData(const Section& section, size_t row, int role) const {
    const std::vector<uint32_t>& regions = section.alike[row];
    if (role == OutlineAlikeRole) {
        QVariantList list;
        for (uint32_t region : regions) list << region;
        return list;
    }
    if (role == Qt::DisplayRole) {
        const RegionInfo& first = source_.flow->regions[regions.front()];
        return tr("%1, %n alike", nullptr, int(regions.size())).arg(regionText(first, shown_name(first.backend_name)));
    }
    if (role != Qt::ToolTipRole) return regionData(regions.front(), role);
    double flops = 0, bytes = 0;
    for (uint32_t region : regions) {
        flops += source_.flow->regions[region].flops;
        bytes += source_.flow->regions[region].boundary_bytes;
    }
    return tr("%n region(s) of the same operators\nTogether: %1, %2 across their borders", nullptr, int(regions.size()))
        .arg(work_text(flops), bytes_text(bytes));
}

/// "Block A ×12 · 11 alike; block 1: 1 more cast"
QVariant OutlineModel::runData(size_t index, int role) const {
    if (role == OutlineKindRole) return int(OutlineKind::Blocks);
    if (role == OutlineRunRole) return int(index);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const BlockRunSummary& run = source_.named->blocks.runs()[index];
    const QString letter = QString::fromStdString(block_letter(run.letter));
    const QString title = run_title(QObject::tr("Block %1").arg(letter), run.blocks);
    if (run.differing.empty()) return title;
    RunDifferenceText text(run.alike);
    for (const BlockRunSummary::Differing& block : run.differing) {
        QList<QPair<QString, int>> how;
        for (const OperatorDifference& each : block.how) how.append({shown_name(each.name), each.more});
        text.add(block.block, how);
    }
    return QStringLiteral("%1 · %2").arg(title, text.text());
}

QVariant OutlineModel::regionData(size_t index, int role) const {
    const RegionInfo& region = source_.flow->regions[index];
    switch (role) {
        case Qt::DisplayRole: return regionText(region, shown_name(region_name(region, source_.named->names)));
        case Qt::ToolTipRole:
            return tr("%1\n%2, %3, %4, %5 across its border")
                .arg(shown_name(region.function), tr("%n input(s)", nullptr, int(region.inputs)),
                     tr("%n output(s)", nullptr, int(region.outputs)), work_text(region.flops),
                     bytes_text(region.boundary_bytes));
        case Qt::DecorationRole: return iconOf(region.backend);
        case OutlineKindRole: return int(OutlineKind::Region);
        case OutlineNameRole: return QString::fromStdString(region.function);
        case OutlineRegionRole: return int(index);
        default: return {};
    }
}

QString OutlineModel::regionText(const RegionInfo& region, const QString& name) const {
    const std::string content = region_content(region, source_.named->names);
    return content.empty() ? tr("%1 · tuples only").arg(name)
                           : QStringLiteral("%1 · %2").arg(name, shown_name(content));
}

QIcon OutlineModel::iconOf(int backend) const {
    auto found = icons_.find(backend);
    if (found == icons_.end()) found = icons_.insert(backend, backend_icon(backend, theme_));
    return *found;
}

}  // namespace partita
