#include "app/gui/panels/outline/outline_items.h"

#include <algorithm>

#include "app/gui/style/icons.h"

namespace partita {

namespace {

/// Beyond this, regions are cut off with a row that says so: a tree of a hundred thousand rows helps nobody.
constexpr size_t kMostRegions = 5000;

QStandardItem* heading(const QString& text) {
    auto* item = new QStandardItem(text);
    item->setData(int(OutlineKind::Heading), OutlineKindRole);
    item->setEditable(false);
    item->setSelectable(false);
    QFont font = item->font();
    font.setBold(true);
    item->setFont(font);
    return item;
}

QStandardItem* row(const QString& text, const QString& tooltip, OutlineKind kind) {
    auto* item = new QStandardItem(text);
    item->setToolTip(tooltip);
    item->setEditable(false);
    item->setData(int(kind), OutlineKindRole);
    return item;
}

QString compiler_of(const Module& module, ExprId function) {
    const std::string_view name = module.function_info(function).string_attribute("Compiler");
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

void add_functions(QStandardItem& parent, const Module& module, OutlineKind kind, const Document& document,
                   const Theme& theme) {
    for (const GlobalFunction& global : module.functions_by_name()) {
        const std::string_view text = module.names().text(global.name);
        const QString name = QString::fromUtf8(text.data(), qsizetype(text.size()));
        const QString compiler = compiler_of(module, global.function);
        auto* item = row(QLatin1Char('@') + name, QString(), kind);
        item->setToolTip(compiler.isEmpty() ? QObject::tr("Double-click or Enter: open")
                                            : QObject::tr("Sub-function for %1. Double-click or Enter: open").arg(compiler));
        item->setData(name, OutlineNameRole);
        if (!compiler.isEmpty())
            item->setIcon(backend_icon(document.choice().backend_index(compiler.toStdString()), theme));
        parent.appendRow(item);
    }
}

void add_regions(QStandardItem& parent, const Document& document, const Theme& theme) {
    const std::vector<RegionInfo>& regions = document.flow()->regions;
    for (size_t i = 0; i < regions.size() && i < kMostRegions; ++i) {
        const RegionInfo& region = regions[i];
        const auto ops = std::count_if(region.expressions.begin(), region.expressions.end(),
                                       [&](ExprId id) { return document.flow()->input->kind(id) == ExprKind::Call; });
        auto* item = row(QObject::tr("%1 · %n op(s)", nullptr, int(ops))
                             .arg(QString::fromStdString(region.backend_name)),
                         QObject::tr("%1\n%2 inputs, %3 outputs, %4 MFLOP, %5 KiB across its border")
                             .arg(QString::fromStdString(region.function))
                             .arg(region.inputs)
                             .arg(region.outputs)
                             .arg(region.flops / 1e6, 0, 'f', 2)
                             .arg(region.boundary_bytes / 1024, 0, 'f', 1),
                         OutlineKind::Region);
        item->setIcon(backend_icon(region.backend, theme));
        item->setData(int(i), OutlineRegionRole);
        item->setData(QString::fromStdString(region.function), OutlineNameRole);
        parent.appendRow(item);
    }
    if (regions.size() > kMostRegions)
        parent.appendRow(row(QObject::tr("… and %1 more").arg(regions.size() - kMostRegions), QString(), OutlineKind::Heading));
}

}  // namespace

void fill_outline(QStandardItemModel& model, const Document& document, const Theme& theme) {
    model.clear();
    if (!document.isOpen()) return;
    QStandardItem* functions = heading(QObject::tr("Functions"));
    add_functions(*functions, *document.shownModule(), OutlineKind::Function, document, theme);
    model.appendRow(functions);
    if (document.flow() && !document.flow()->regions.empty()) {
        QStandardItem* regions = heading(QObject::tr("Regions (%1)").arg(document.flow()->regions.size()));
        add_regions(*regions, document, theme);
        model.appendRow(regions);
    }
    if (const ModulePtr partitioned = document.partitioned()) {
        QStandardItem* made = heading(QObject::tr("After partitioning (%1)").arg(partitioned->functions().size()));
        add_functions(*made, *partitioned, OutlineKind::SubFunction, document, theme);
        model.appendRow(made);
    }
}

}  // namespace partita
