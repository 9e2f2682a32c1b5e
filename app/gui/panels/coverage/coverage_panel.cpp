#include "app/gui/panels/coverage/coverage_panel.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/language.h"
#include "app/gui/style/number_text.h"
#include "app/gui/style/telling_names.h"
#include "engine/explain/alike_calls.h"
#include "engine/ops/cost.h"
#include "engine/support/sentence.h"

namespace partita {

namespace {

/// Each change costs a flow: larger graphs are counted only when somebody asks.
constexpr int kCallsCountedUnasked = 3000;
constexpr size_t kBest = 3;

enum CauseColumn { kCause, kCauseBackend, kCauseCalls, kCauseWork, kWhere };
enum WhatIfColumn { kChange, kBackend, kCalls, kGained, kWork, kRegions, kBoundary, kTry };
constexpr int kFigureRole = Qt::UserRole + 1, kCallsRole = Qt::UserRole + 2;

std::vector<ExprId> calls_of(const QTreeWidgetItem& item) {
    std::vector<ExprId> calls;
    for (const QVariant& id : item.data(0, kCallsRole).toList()) calls.emplace_back(id.toUInt());
    return calls;
}

/// Sorts by the figure that a column shows, where it shows one.
class SortedItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget() ? treeWidget()->sortColumn() : 0;
        const QVariant mine = data(column, kFigureRole), its = other.data(column, kFigureRole);
        if (mine.isValid() && its.isValid()) return mine.toDouble() < its.toDouble();
        return text(column).localeAwareCompare(other.text(column)) < 0;
    }
};

/// In the columns from the first one on.
void set_figures(QTreeWidgetItem& item, int first, std::initializer_list<double> figures) {
    for (double figure : figures) item.setData(first++, kFigureRole, figure);
}

QString percent(double part, double whole) { return whole > 0 ? percent_text(part / whole) : QStringLiteral("–"); }

void align_numbers(QTreeWidgetItem& item, int first) {
    for (int i = first; i < item.columnCount(); ++i) item.setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
}

/// Not so in a file that carries its annotations, nor where only a person gave calls to backends: supporting more would
/// change nothing there.
bool rules_decide(const Document& document) { return document.choice().annotate && !document.annotated(); }

}  // namespace

CoveragePanel::CoveragePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)),
      stack_(new QStackedLayout(this)), nothing_(new QLabel), what_if_state_(make_plain_label()),
      compute_(new QToolButton), copy_(new QToolButton), best_(new QToolButton) {
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    stack_->addWidget(nothing_);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    copy_->setText(tr("Copy report"));
    copy_->setToolTip(tr("Copy the whole report as Markdown"));
    shares_ =
        addTable(*split, tr("Shares"),
                 {tr("backend, operator"), tr("calls"), tr("work"), tr("parameters"), tr("regions"), tr("boundary")},
                 {3, 5, 4}, copy_);
    shares_->setRootIsDecorated(true);
    causes_ = addTable(*split, tr("Why calls stayed on default"),
                       {tr("cause"), tr("backend"), tr("calls"), tr("work"), tr("in blocks")}, {kWhere, kCauseWork});
    causes_box_ = causes_->parentWidget();
    what_ifs_ = addTable(
        *split, tr("What if"),
        {tr("change"), tr("backend"), tr("calls"), tr("gained"), tr("work"), tr("regions"), tr("boundary"), QString()},
        {kCalls, kWork, kBoundary, kBackend}, makeWhatIfRow(), 190);
    split->setSizes({410, 370, 520});
    stack_->addWidget(split);
    connectTables();
    connect(&document_, &Document::opened, this, &CoveragePanel::clear);
    connect(&document_, &Document::flowChanged, this, &CoveragePanel::refresh);
    clear();
}

/// Returns what stands beside the title of *What if*.
QWidget* CoveragePanel::makeWhatIfRow() {
    compute_->setText(tr("Count"));
    compute_->setToolTip(tr("Divide the graph once for each change"));
    best_->setText(tr("Best %1").arg(kBest));
    best_->setToolTip(
        tr("The changes that together do the most for the figure that the table is sorted by, one after the other"));
    best_->setCheckable(true);
    auto* extra = new QWidget;
    auto* row = new QHBoxLayout(extra);
    row->setContentsMargins(0, 0, 0, 0);
    what_if_state_->setForegroundRole(QPalette::PlaceholderText);
    what_if_state_->setWordWrap(true);
    what_if_state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(what_if_state_);
    row->addWidget(compute_);
    row->addWidget(best_);
    return extra;
}

void CoveragePanel::connectTables() {
    // Qt leaves the rows as they were sorted.
    const auto fill_unsorted = [this](const QTreeWidget* table, void (CoveragePanel::*fill)()) {
        connect(table->header(), &QHeaderView::sortIndicatorChanged, this, [this, fill](int column) {
            if (column < 0) (this->*fill)();
        });
    };
    fill_unsorted(shares_, &CoveragePanel::fillShares);
    fill_unsorted(causes_, &CoveragePanel::fillCauses);
    fill_unsorted(what_ifs_, &CoveragePanel::fillWhatIfs);
    connect(compute_, &QToolButton::clicked, this, &CoveragePanel::computeWhatIfs);
    connect(copy_, &QToolButton::clicked, this, &CoveragePanel::copyReport);
    connect(best_, &QToolButton::toggled, this, &CoveragePanel::showBest);
    const auto select = [this](QTreeWidgetItem* item) {
        if (counted_ != document_.flow()) return;
        if (item->parent()) return document_.setSelection(calls_of(*item));
        const int index = item->data(0, Qt::UserRole).toInt();
        if (size_t(index) < report_.causes.size()) document_.setSelection(report_.causes[size_t(index)].calls);
    };
    connect(causes_, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) { addPlaces(*item); });
    connect(causes_, &QTreeWidget::itemClicked, this, select);
    connect(causes_, &QTreeWidget::itemActivated, this, [this, select](QTreeWidgetItem* item) {
        const size_t index = size_t(item->data(0, Qt::UserRole).toInt());
        if (!item->parent() && index < report_.causes.size() && report_.causes[index].line > 0)
            emit lineWanted(report_.causes[index].backend, report_.causes[index].line);
        else select(item);
    });
    connect(what_ifs_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        const int index = item->data(0, Qt::UserRole).toInt();
        if (size_t(index) < list_.size() && counted_ == document_.flow())
            document_.setSelection(list_[size_t(index)].cause.calls);
    });
    connect(what_ifs_, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { tryWhatIf(item->data(0, Qt::UserRole).toInt()); });
}

QTreeWidget* CoveragePanel::addTable(QSplitter& split, const QString& title, const QStringList& columns,
                                     std::vector<int> dispensable, QWidget* extra, int narrowest_name) {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 4, 8, 2);
    auto* words = new QLabel(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
    words->setMinimumHeight(26);
    words->setWordWrap(true);  // large type leaves no room for the whole title beside the buttons
    constexpr int kShortTitle = 130;
    QFont bold = words->font();
    bold.setBold(true);
    words->setMinimumWidth(std::min(QFontMetrics(bold).horizontalAdvance(title) + 2, kShortTitle));
    top->addWidget(words, 1);
    if (extra) top->addWidget(extra);
    column->addLayout(top);
    auto* table = new QTreeWidget;
    table->setAccessibleName(title);
    table->setHeaderLabels(columns);
    table->setUniformRowHeights(true);
    table->setRootIsDecorated(false);
    table->setAlternatingRowColors(true);
    table->setItemDelegateForColumn(0, new NameDelegate(*table));
    constexpr int kWidestName = 2000;
    fitted_.push_back(new FittedColumns(*table, std::move(dispensable), narrowest_name, kWidestName));
    for (int i = 1; i < int(columns.size()); ++i)
        table->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    for (int i = 1; i < int(columns.size()); ++i)  // the largest figures are what somebody looks for
        table->headerItem()->setData(i, Qt::InitialSortOrderRole, int(Qt::DescendingOrder));
    table->header()->setSortIndicator(-1, Qt::AscendingOrder);  // as they come
    table->header()->setSortIndicatorClearable(true);
    table->setSortingEnabled(true);
    column->addWidget(table, 1);
    split.addWidget(box);
    return table;
}

/// With one backend its name in each row says nothing.
void CoveragePanel::fitColumns() {
    const std::vector<int> empty = report_.backends.size() > 2 ? std::vector<int>() : std::vector<int>{1};
    std::vector<int> empty_of_causes = empty;
    if (!causes_->rootIsDecorated()) empty_of_causes.push_back(kWhere);
    fitted_[1]->setEmpty(empty_of_causes);
    fitted_[2]->setEmpty(empty);
    for (FittedColumns* columns : fitted_) columns->fit();
}

/// Three tables are too many for a narrow panel; the causes are named by the third, too, once that is there.
void CoveragePanel::fitTables() {
    const int wide_enough_for_three = 57 * fontMetrics().height();
    causes_box_->setVisible(!report_.causes.empty() && (width() >= wide_enough_for_three || list_.empty()));
}

void CoveragePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTables();
}

void CoveragePanel::setTheme(const Theme& theme) {
    theme_ = theme;
    shares_->setIconSize(swatch_size(shares_->fontMetrics()));
    if (!counted_) return;
    fillShares();
    fillWhatIfs();
}

void CoveragePanel::tellFallbacks() {
    const FlowPtr flow = document_.flow();
    if (document_.choice().reported) return;  // another program ran it: what it put where is told by the report
    telling_ = flow && (flow != counted_ || report_job_);
    if (telling_) return refresh();
    if (flow && !document_.choice().backends.empty() && report_.total.calls > 0) emit told(summary());
}

/// As coverage_summary.
QString CoveragePanel::summary() const {
    constexpr qsizetype kShown = 3;
    const int rest = report_.backends.back().share.calls;
    if (rest == 0) return tr("All %n call(s) are offloaded", nullptr, report_.total.calls);
    QString text = tr("%1 of %n call(s) stayed on default", nullptr, report_.total.calls).arg(rest);
    QStringList causes;
    for (const CoverageCause* cause : first_causes(report_, kShown + 1))
        causes << QStringLiteral("%1 (%2)").arg(words(*cause), QString::number(cause->calls.size()));
    if (causes.isEmpty()) return text;
    if (causes.size() > kShown) causes.last() = QStringLiteral("…");
    return QStringLiteral("%1: %2").arg(text, causes.join(QStringLiteral(", ")));
}

QString CoveragePanel::words(const CoverageCause& cause) { return shown_name(say(cause.words())); }

void CoveragePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    if (counted_ && !report_job_ && !counted_list_ && rules_decide(document_) &&
        report_.total.calls <= kCallsCountedUnasked)
        computeWhatIfs();
}

void CoveragePanel::clear() {
    for (quint64* job : {&report_job_, &what_if_job_}) {
        if (*job) document_.jobs().cancel(*job);
        *job = 0;
    }
    counted_ = nullptr;
    report_ = {};
    list_.clear();
    counted_list_ = false;
    nothing_->setText(document_.isOpen()
                          ? tr("Annotate, or give operators to a backend: then this shows what goes where, and "
                               "what keeps the rest away.")
                          : tr("Open a module first."));
    stack_->setCurrentIndex(0);
}

void CoveragePanel::refresh() {
    const FlowPtr flow = document_.flow();
    if (!flow) return clear();
    if ((!isVisible() && !telling_) || flow == counted_) return;
    const bool shown = stack_->currentIndex() == 1;
    clear();
    if (shown) stack_->setCurrentIndex(1);  // the old figures stay until the new ones are there
    counted_ = flow;
    report_job_ = document_.jobs().start<CoverageReport>(
        tr("Counting coverage"), this,
        [flow, backends = descriptions_of(document_.choice())](const JobContext& context) {
            return report_coverage(*flow, backends, context.cancel);
        },
        [this](CoverageReport report) {
            report_job_ = 0;
            report_ = std::move(report);
            const bool counts = rules_decide(document_);
            if (!counts && !document_.annotated())
                report_.causes.clear();  // what a rule that nobody asked would say is no cause
            if (telling_) tellFallbacks();
            stack_->setCurrentIndex(1);
            fillShares();
            fillCauses();
            fillWhatIfs();
            what_if_state_->setText(counts ? QString() : tr("rules were not asked"));
            what_ifs_->parentWidget()->setVisible(
                !document_.annotated());  // a file that says all itself has no rule to be changed
            const bool asks = counts && !document_.choice().backends.empty();
            compute_->setVisible(asks);
            best_->setVisible(asks);
            if (isVisible() && asks && report_.total.calls <= kCallsCountedUnasked) computeWhatIfs();
        });
}

void CoveragePanel::computeWhatIfs() {
    if (!counted_ || what_if_job_ || counted_ != document_.flow()) return;
    what_if_state_->setText(tr("counting…"));
    compute_->hide();
    what_if_job_ = document_.jobs().start<WhatIfs>(
        tr("Counting what would change"), this,
        [flow = counted_, choice = document_.choice(), annotated = document_.annotated(), goal = goal(),
         best = best_->isChecked()](const JobContext& context) {
            const FlowOptions options = flow_options(choice, annotated, context.cancel);
            Result<std::vector<WhatIf>> list =
                best ? best_changes(*flow, options, kBest, goal) : what_if(*flow, options, goal);
            return list ? WhatIfs{std::move(*list), {}} : WhatIfs{{}, QString::fromStdString(list.error().message)};
        },
        [this](WhatIfs found) {
            what_if_job_ = 0;
            counted_list_ = true;
            list_ = std::move(found.list);
            fillWhatIfs();
            if (!found.failure.isEmpty()) what_if_state_->setText(found.failure);
        });
}

/// By the column that the table is sorted by.
WhatIfGoal CoveragePanel::goal() const {
    switch (what_ifs_->header()->sortIndicatorSection()) {
        case kGained: return WhatIfGoal::Calls;
        case kWork: return WhatIfGoal::Work;
        case kBoundary: return WhatIfGoal::Boundary;
        default: return WhatIfGoal::Regions;
    }
}

void CoveragePanel::showBest(bool) {
    if (what_if_job_) document_.jobs().cancel(what_if_job_);
    what_if_job_ = 0;
    list_.clear();
    fillWhatIfs();
    computeWhatIfs();
}

QTreeWidgetItem* CoveragePanel::shareItem(const QString& name, const CoverageShare& share) const {
    auto* item = new SortedItem({name, QString::number(share.calls), percent(share.flops, report_.total.flops),
                                 bytes_text(share.parameter_bytes), QString(), QString()});
    set_figures(*item, 1, {double(share.calls), share.flops, share.parameter_bytes});
    align_numbers(*item, 1);
    return item;
}

void CoveragePanel::fillShares() {
    shares_->setSortingEnabled(false);
    shares_->clear();
    for (size_t i = 0; i < report_.backends.size(); ++i) {
        const BackendCoverage& backend = report_.backends[i];
        const int index = i + 1 == report_.backends.size() ? -1 : int(i);
        QTreeWidgetItem* item = shareItem(shown_name(backend.backend), backend.share);
        item->setText(
            1,
            QStringLiteral("%1 (%2)").arg(backend.share.calls).arg(percent(backend.share.calls, report_.total.calls)));
        if (index >= 0) {
            set_figures(*item, 4, {double(backend.regions), backend.boundary_bytes});
            item->setText(4, QString::number(backend.regions));
            item->setText(
                5, QStringLiteral("%1 · %2").arg(backend.boundary_tensors).arg(bytes_text(backend.boundary_bytes)));
            item->setToolTip(5, tr("%n tensor(s) go in and out of its regions", nullptr, backend.boundary_tensors));
        }
        QFont bold = font();
        bold.setBold(true);
        for (int column = 0; column < shares_->columnCount(); ++column) item->setFont(column, bold);
        item->setIcon(0, backend_icon(index, theme_));
        shares_->addTopLevelItem(item);
        for (const OpCoverage& op : report_.ops) {
            const CoverageShare& share = op.backends[i];
            if (!share.calls) continue;
            QTreeWidgetItem* row = shareItem(shown_name(op.op), share);
            if (share.calls < op.total.calls) row->setText(1, tr("%1 of %2").arg(share.calls).arg(op.total.calls));
            item->addChild(row);
        }
        item->setExpanded(true);
    }
    shares_->setSortingEnabled(true);
    fitColumns();
}

void CoveragePanel::fillCauses() {
    bool deep = false;
    causes_->setSortingEnabled(false);
    causes_->clear();
    for (size_t i = 0; i < report_.causes.size(); ++i) {
        const CoverageCause& cause = report_.causes[i];
        const QString text = words(cause);
        auto* item = new SortedItem({text, document_.backendName(cause.backend), QString::number(cause.calls.size()),
                                     percent(cause.flops, report_.total.flops), say(cause.where)});
        set_figures(*item, 2, {double(cause.calls.size()), cause.flops});
        item->setData(0, Qt::UserRole, int(i));
        item->setToolTip(0, cause.line ? tr("%1: click to select the calls, twice to see the line").arg(text)
                                       : tr("%1: click to select the calls").arg(text));
        if (!cause.where.empty()) {
            item->setToolTip(kCauseCalls, item->text(kWhere));
            item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
            deep = true;
        }
        align_numbers(*item, 1);
        causes_->addTopLevelItem(item);
    }
    causes_->setRootIsDecorated(deep);
    causes_->setSortingEnabled(true);
    fitColumns();
}

QTreeWidgetItem* CoveragePanel::placeItem(const QString& text, const std::vector<ExprId>& calls) const {
    double flops = 0;
    QVariantList ids;
    for (ExprId call : calls) {
        flops += call_flops(*counted_->input, call);
        ids << call.value;
    }
    auto* item = new SortedItem({text, QString(), QString::number(calls.size()), percent(flops, report_.total.flops)});
    set_figures(*item, 2, {double(calls.size()), flops});
    item->setData(0, kCallsRole, ids);
    item->setToolTip(0, tr("%1: click to select the calls").arg(text));
    align_numbers(*item, 1);
    return item;
}

/// Below a cause, what is alike in many blocks is one row, and below that are its calls.
void CoveragePanel::addPlaces(QTreeWidgetItem& item) {
    constexpr int kMostPlaces = 200;
    const size_t index = size_t(item.data(0, Qt::UserRole).toInt());
    const NamedModulePtr named = document_.named();
    if (item.parent() || item.childCount() > 0 || index >= report_.causes.size() || !counted_ || !named ||
        named->module != counted_->input)
        return;
    const auto name = [&named](ExprId call) { return shown_name(named->names.name(call)); };
    causes_->setSortingEnabled(false);
    QList<QTreeWidgetItem*> rows;
    for (const AlikeCalls& alike : alike_calls(report_.causes[index].calls, named->blocks)) {
        if (rows.size() == kMostPlaces) break;
        if (alike.blocks == 0) {
            rows << placeItem(name(alike.calls.front()), alike.calls);
            continue;
        }
        const QString op = shown_name(named->names.callee(alike.calls.front()));
        const QString text = tr("%1, %n block(s) alike", nullptr, int(alike.blocks)).arg(op);
        QTreeWidgetItem* row = rows.emplace_back(placeItem(text, alike.calls));
        for (ExprId call : alike.calls)
            row->addChild(
                placeItem(tr("block %1: %2").arg(named->blocks.place(call).block + 1).arg(name(call)), {call}));
    }
    item.addChildren(rows);
    causes_->setSortingEnabled(true);
}

void CoveragePanel::fillWhatIfs() {
    fitTables();
    what_ifs_->setSortingEnabled(false);
    what_ifs_->clear();
    const bool best = best_->isChecked();
    for (size_t i = 0; i < list_.size(); ++i) {
        const WhatIf& entry = list_[i];
        const QString sign = entry.bytes_gone() > 0   ? QStringLiteral("−")
                             : entry.bytes_gone() < 0 ? QStringLiteral("+")
                                                      : QString();
        // A change of the file is no backend's.
        const bool of_file = !entry.float16.empty();
        const QString backend = of_file ? QString() : document_.backendName(entry.cause.backend),
                      change = words(entry.cause);
        // The column of the backends is the first to go where there is little room. A move names both.
        const bool names_backend = of_file || report_.backends.size() <= 2 || change.contains(QStringLiteral("→"));
        const QString named = names_backend ? change : QStringLiteral("%1: %2").arg(backend, change);
        auto* item = new SortedItem(
            {best ? tr("%1. %2").arg(QString::number(i + 1), named) : named, backend,
             QString::number(entry.cause.calls.size()),
             QStringLiteral("%1%2").arg(QLatin1String(entry.calls_gained() > 0 ? "+" : "")).arg(entry.calls_gained()),
             percent(entry.flops_gained(), report_.total.flops),
             QStringLiteral("%1 → %2").arg(entry.before.regions).arg(entry.after.regions),
             sign + bytes_text(std::abs(entry.bytes_gone())), QString()});
        set_figures(*item, kCalls,
                    {double(entry.cause.calls.size()), double(entry.calls_gained()), entry.flops_gained(),
                     double(entry.regions_gone()), entry.bytes_gone()});
        item->setData(0, Qt::UserRole, int(i));
        QStringList texts;
        for (const std::string& constant : entry.float16) {
            constexpr qsizetype kNamed = 12;
            texts << (texts.size() < kNamed ? shown_name(constant) : QStringLiteral("…"));
            if (texts.size() > kNamed) break;
        }
        for (const RuleChange& made : entry.changes)
            texts << QStringLiteral("%1: %2").arg(document_.backendName(made.backend), shown_name(made.text()));
        item->setToolTip(kChange, QStringLiteral("%1\n%2").arg(of_file ? change : tr("%1, on %2").arg(change, backend),
                                                               texts.join(QLatin1Char('\n'))));
        item->setToolTip(kBoundary,
                         tr("boundary %1 → %2")
                             .arg(bytes_text(entry.before.boundary_bytes), bytes_text(entry.after.boundary_bytes)));
        align_numbers(*item, 1);
        what_ifs_->addTopLevelItem(item);
        addTryButton(*item, int(i));
    }
    what_ifs_->setSortingEnabled(!best);  // these are in the order in which they are made
    tellWhatIfs();
    fitColumns();
}

/// What the best changes come to.
void CoveragePanel::tellWhatIfs() {
    if (!counted_list_) return;
    what_if_state_->setText(QString());
    best_->setEnabled(best_->isChecked() || !list_.empty());
    if (list_.empty())
        what_if_state_->setText(!best_->isChecked() ? tr("no rule would change anything")
                                : goal() == WhatIfGoal::Regions
                                    ? tr("no change leaves fewer regions or less that crosses")
                                    : tr("no change gains anything towards this goal"));
    else if (best_->isChecked())
        what_if_state_->setText(
            tr("together: regions %1 → %2").arg(list_.front().before.regions).arg(list_.back().after.regions));
}

/// Of the best changes, each is one of what those before it made.
std::vector<RuleChange> CoveragePanel::changesThrough(int index) const {
    std::vector<RuleChange> changes;
    for (int i = best_->isChecked() ? 0 : index; i <= index; ++i)
        changes.insert(changes.end(), list_[size_t(i)].changes.begin(), list_[size_t(i)].changes.end());
    return changes;
}

void CoveragePanel::addTryButton(QTreeWidgetItem& item, int index) {
    auto* button = new QToolButton;
    button->setText(tr("Try"));
    button->setToolTip(best_->isChecked() && index > 0
                           ? tr("Change the rules so, and as in the lines above; undo takes it back")
                           : tr("Change the rules so; undo takes it back"));
    button->setStyleSheet(
        QStringLiteral("QToolButton { padding: 0 8px; color: %1; } QToolButton:disabled { color: %2; }")
            .arg(theme_.accent.name(), theme_.muted_text.name()));
    connect(button, &QToolButton::clicked, this, [this, index] { tryWhatIf(index); });
    if (const QString obstacle = obstacleToTrying(index); !obstacle.isEmpty()) {
        button->setEnabled(false);
        button->setToolTip(obstacle);
    }
    what_ifs_->setItemWidget(&item, kTry, button);
}

/// Rules are tried in their text: what that can't say is not tried.
QString CoveragePanel::obstacleToTrying(int index) const {
    if (!list_[size_t(index)].float16.empty())
        return tr("The file itself would be another: convert the model with float16 weights, and open that");
    for (const RuleChange& change : changesThrough(index)) {
        const std::vector<BackendPtr>& backends = document_.choice().backends;
        if (change.backend < 0 || size_t(change.backend) >= backends.size()) continue;
        if (!can_be_written(*backends[size_t(change.backend)], change))
            return tr("The rules of %1 are in Python: only a person can change them so")
                .arg(document_.backendName(change.backend));
    }
    return {};
}

void CoveragePanel::tryWhatIf(int index) {
    if (index < 0 || size_t(index) >= list_.size() || counted_ != document_.flow()) return;
    if (!obstacleToTrying(index).isEmpty()) return;
    if (const QString obstacle = obstacle_(); !obstacle.isEmpty()) return what_if_state_->setText(obstacle);
    const WhatIf entry = list_[size_t(index)];
    const std::vector<RuleChange> changes = changesThrough(index);
    using Changed = Result<std::vector<BackendDescription>>;
    const auto take = [this, entry, changes, flow = counted_](const Changed& changed) {
        if (!changed || flow != document_.flow()) return;  // it was made once, to be counted
        FlowChoice choice = document_.choice();
        for (const RuleChange& change : changes)
            choice.backends[size_t(change.backend)] =
                std::make_shared<const BackendDescription>((*changed)[size_t(change.backend)]);
        document_.setSelection(entry.cause.calls);
        document_.changeChoice(std::move(choice),
                               tr("try on %1: %2").arg(document_.backendName(entry.cause.backend), words(entry.cause)));
        const RuleChange& first = changes.front();
        if (first.kind == RuleChange::Kind::Condition) emit lineWanted(first.backend, first.place.span[0]);
    };
    const auto starts_process = [](const RuleChange& change) { return change.kind == RuleChange::Kind::Condition; };
    if (std::none_of(changes.begin(), changes.end(), starts_process))
        return take(with_changes(descriptions_of(document_.choice()), changes));
    document_.jobs().start<Changed>(
        tr("Changing the rules"), this,
        [backends = descriptions_of(document_.choice()), changes](const JobContext&) {
            return with_changes(backends, changes);
        },
        take);
}

void CoveragePanel::copyReport() {
    std::string report = coverage_markdown(report_);
    if (!list_.empty())
        report += (best_->isChecked() ? "\n## What gains most, one after the other\n\n" : "\n## What if\n\n") +
                  what_if_markdown(list_, descriptions_of(document_.choice()), report_.total, "change");
    QApplication::clipboard()->setText(QString::fromStdString(report));
    emit told(tr("The report is on the clipboard."));
}

}  // namespace partita
