#include "app/gui/panels/numbers/numbers_panel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "engine/flow/region_names.h"

namespace partita {

namespace {

constexpr size_t kMostRows = 1000;
constexpr int kRow = Qt::UserRole;  ///< index into the rows
constexpr int kFigure = Qt::UserRole + 1;

/// Sorts figures by their values; those without come last.
class FigureItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget()->sortColumn();
        if (column == 0) return text(0) < other.text(0);
        return data(column, kFigure).toDouble() < other.data(column, kFigure).toDouble();
    }
};

QString figure_text(double value) {
    if (std::isnan(value)) return {};
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'g', 6);
}

}  // namespace

NumbersPanel::NumbersPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), stack_(new QStackedLayout(this)), grouping_(new QComboBox),
      column_(new QComboBox), heat_(new QCheckBox(tr("&Heat"))), summary_(new QLabel), table_(new QTreeWidget) {
    auto* nothing = new QLabel(
        tr("Drop a file with numbers of operators on the window: CSV with a line such as name,time_us or number,cycles "
           "first, or node data of Model Explorer. Two columns are also subtracted."));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setEnabled(false);
    nothing->setMargin(12);
    stack_->addWidget(nothing);
    grouping_->addItems({tr("Operators"), tr("Regions"), tr("Blocks")});
    grouping_->setAccessibleName(tr("Rows"));
    column_->setAccessibleName(tr("Column of the heat"));
    heat_->setToolTip(tr("Colour operators by this column"));
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout;
    row->addWidget(grouping_);
    row->addWidget(heat_);
    row->addWidget(column_);
    row->addSpacing(12);
    row->addWidget(summary_, 1);
    auto* shown = new QWidget;
    auto* column = new QVBoxLayout(shown);
    column->addLayout(row);
    column->addWidget(table_);
    stack_->addWidget(shown);
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setSortingEnabled(true);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setAccessibleName(tr("Numbers"));
    table_->header()->setStretchLastSection(false);
    connect(grouping_, &QComboBox::currentIndexChanged, this, &NumbersPanel::fill);
    connect(column_, &QComboBox::currentIndexChanged, this, &NumbersPanel::giveHeat);
    connect(heat_, &QCheckBox::toggled, this, &NumbersPanel::giveHeat);
    connect(table_, &QTreeWidget::itemSelectionChanged, this, [this] {
        std::vector<ExprId> calls;
        for (const QTreeWidgetItem* item : table_->selectedItems()) {
            const std::vector<ExprId>& more = rows_[item->data(0, kRow).toUInt()].calls;
            calls.insert(calls.end(), more.begin(), more.end());
        }
        if (!calls.empty()) document_.setSelection(std::move(calls));
    });
    connect(&document_, &Document::opened, this, &NumbersPanel::forget);
    connect(&document_, &Document::flowChanged, this, [this] {
        if (files_.isEmpty()) return;
        if (numbers_.module != document_.shownModule()) {  // rewritten, or changed by hand
            if (heat_->isChecked()) emit heatWanted(nullptr);
            read(0);
        } else if (grouping_->currentIndex() == int(Rows::Regions)) fill();
    });
}

void NumbersPanel::forget() {
    files_.clear();
    numbers_ = {};
    rows_.clear();
    table_->clear();
    stack_->setCurrentIndex(0);
}

void NumbersPanel::add(const QStringList& files) {
    const qsizetype before = files_.size();
    for (const QString& file : files) files_ << QFileInfo(file).absoluteFilePath();
    read(before);
}

void NumbersPanel::read(qsizetype kept) {
    std::vector<std::string> files;
    for (const QString& file : files_) files.push_back(file.toStdString());
    const ModulePtr module = document_.shownModule();
    const std::shared_ptr<const Graph> plain = module == document_.module() ? document_.graph() : nullptr;
    document_.jobs().start<Result<ModuleNumbers>>(
        tr("Reading numbers"), this, [=](const JobContext&) { return numbers_of_module(module, plain, files); },
        [this, module, kept](Result<ModuleNumbers> numbers) {
            if (module != document_.shownModule()) return;
            if (numbers) return show(std::move(*numbers));
            files_ = files_.mid(0, kept);
            emit failed(shown_message(numbers.error().to_string()));
        });
}

void NumbersPanel::show(ModuleNumbers numbers) {
    numbers_ = std::move(numbers);
    QStringList header{QString()};
    QString said;
    for (const NumberColumn& column : numbers_.columns) {
        header << shown_name(column.name);
        if (said.isEmpty())
            said = tr("%1: %2 of %3 operators, sum %4; rows of no operator here: %5")
                       .arg(shown_name(column.name))
                       .arg(column.matched())
                       .arg(numbers_.graph->nodes.size())
                       .arg(figure_text(column.sum()))
                       .arg(column.unmatched.size());
    }
    table_->setColumnCount(int(header.size()));
    table_->setHeaderLabels(header);
    table_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int i = 1; i < header.size(); ++i) table_->headerItem()->setTextAlignment(i, Qt::AlignRight);
    summary_->setText(said);
    const QSignalBlocker quiet(column_);
    column_->clear();
    column_->addItems(header.mid(1));
    column_->setCurrentIndex(column_->count() - 1);
    table_->sortByColumn(table_->columnCount() - 1, Qt::DescendingOrder);
    stack_->setCurrentIndex(1);
    fill();
    heat_->setChecked(true);
    giveHeat();
    emit told(said);
}

NumbersPanel::Row NumbersPanel::sumOf(const QString& name, const std::vector<uint32_t>& nodes) const {
    Row row{name, std::vector<double>(numbers_.columns.size(), std::numeric_limits<double>::quiet_NaN()), {}};
    for (const uint32_t node : nodes) {
        row.calls.push_back(numbers_.graph->nodes[node].expression);
        for (size_t i = 0; i < row.values.size(); ++i) {
            const double value = numbers_.columns[i].values[node];
            if (!std::isnan(value)) row.values[i] = std::isnan(row.values[i]) ? value : row.values[i] + value;
        }
    }
    std::erase_if(row.calls, [](ExprId call) { return !call.valid(); });
    return row;
}

std::vector<NumbersPanel::Row> NumbersPanel::rowsOfOperators() const {
    const Graph& graph = *numbers_.graph;
    std::vector<std::pair<double, uint32_t>> largest;
    for (uint32_t node = 0; node < graph.nodes.size(); ++node) {
        double most = -1;
        for (const NumberColumn& column : numbers_.columns)
            if (!std::isnan(column.values[node])) most = std::max(most, std::abs(column.values[node]));
        if (most >= 0) largest.emplace_back(-most, node);
    }
    const size_t kept = std::min(largest.size(), kMostRows);
    std::partial_sort(largest.begin(), largest.begin() + ptrdiff_t(kept), largest.end());
    std::vector<Row> made;
    for (size_t i = 0; i < kept; ++i)
        made.push_back(sumOf(shown_name(node_title(graph, NodeId(largest[i].second))), {largest[i].second}));
    return made;
}

std::vector<NumbersPanel::Row> NumbersPanel::rowsOfRegions() const {
    const FlowPtr flow = document_.flow();
    const size_t regions = flow ? flow->regions.size() : 0;
    std::vector<size_t> region_of(numbers_.module->size(), regions);  // the last stands for none
    for (size_t i = 0; i < regions; ++i)
        for (const ExprId id : flow->regions[i].expressions)
            if (id.value < region_of.size()) region_of[id.value] = i;
    std::vector<std::vector<uint32_t>> nodes(regions + 1);
    for (uint32_t node = 0; node < numbers_.graph->nodes.size(); ++node) {
        const ExprId call = numbers_.graph->nodes[node].expression;
        nodes[call.valid() && call.value < region_of.size() ? region_of[call.value] : regions].push_back(node);
    }
    std::vector<Row> made;
    for (size_t i = 0; i <= regions; ++i)
        made.push_back(sumOf(
            i < regions ? shown_name(region_name(flow->regions[i], document_.names())) : QStringLiteral("default"),
            nodes[i]));
    return made;
}

std::vector<NumbersPanel::Row> NumbersPanel::rowsOfBlocks() const {
    std::map<std::string_view, std::vector<uint32_t>> blocks;
    for (uint32_t node = 0; node < numbers_.graph->nodes.size(); ++node) {
        const std::string_view name = numbers_.graph->nodes[node].name;
        const size_t slash = name.rfind('/');
        blocks[slash == std::string_view::npos ? std::string_view() : name.substr(0, slash)].push_back(node);
    }
    std::vector<Row> made;
    for (const auto& [name, nodes] : blocks)
        made.push_back(sumOf(name.empty() ? tr("in no block") : shown_name(std::string(name)), nodes));
    return made;
}

/// Those with a number; of many the largest, which a person looks for, and no more than can be filled in at once.
std::vector<NumbersPanel::Row> NumbersPanel::rows() const {
    const auto grouping = Rows(grouping_->currentIndex());
    std::vector<Row> made = grouping == Rows::Operators ? rowsOfOperators()
                            : grouping == Rows::Regions ? rowsOfRegions()
                                                        : rowsOfBlocks();
    const auto empty = [](const Row& row) {
        return std::all_of(row.values.begin(), row.values.end(), [](double value) { return std::isnan(value); });
    };
    std::erase_if(made, empty);
    if (made.size() > kMostRows) made.resize(kMostRows);
    return made;
}

void NumbersPanel::fill() {
    if (!numbers_.graph) return;
    rows_ = rows();
    table_->setToolTip(rows_.size() < kMostRows ? QString() : tr("Only the %1 largest are listed").arg(kMostRows));
    QList<QTreeWidgetItem*> items;
    for (size_t i = 0; i < rows_.size(); ++i) {
        auto* item = new FigureItem({rows_[i].name});
        item->setData(0, kRow, uint(i));
        for (size_t column = 0; column < rows_[i].values.size(); ++column) {
            const double value = rows_[i].values[column];
            item->setText(int(column) + 1, figure_text(value));
            item->setTextAlignment(int(column) + 1, Qt::AlignRight);
            item->setData(int(column) + 1, kFigure,
                          std::isnan(value) ? -std::numeric_limits<double>::infinity() : value);
        }
        items << item;
    }
    const QSignalBlocker quiet(table_);
    table_->clear();
    table_->addTopLevelItems(items);
    for (int i = 1; i < table_->columnCount(); ++i) table_->resizeColumnToContents(i);
}

void NumbersPanel::endHeat() {
    const QSignalBlocker silent(heat_);
    heat_->setChecked(false);
}

void NumbersPanel::giveHeat() {
    const int column = column_->currentIndex();
    if (!heat_->isChecked() || !numbers_.graph || column < 0) {
        emit heatWanted(nullptr);
        return;
    }
    const std::vector<double>& values = numbers_.columns[size_t(column)].values;
    double most = 0;
    for (const double value : values)
        if (!std::isnan(value)) most = std::max(most, std::abs(value));
    auto heat = std::make_shared<std::vector<float>>(numbers_.module->size(), -1.F);
    for (size_t node = 0; node < values.size(); ++node) {
        const ExprId call = numbers_.graph->nodes[node].expression;
        if (call.valid() && call.value < heat->size() && !std::isnan(values[node]) && most > 0)
            (*heat)[call.value] = float(std::abs(values[node]) / most);
    }
    emit heatWanted(heat);
}

}  // namespace partita
