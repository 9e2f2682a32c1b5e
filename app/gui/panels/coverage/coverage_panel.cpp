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
#include "engine/support/sentence.h"

namespace partita {

namespace {

/// Each cause costs a flow: larger graphs are counted only when somebody asks.
constexpr int kCallsCountedUnasked = 3000;
constexpr size_t kMostCauses = 30;

QString percent(double part, double whole) {
    return whole > 0 ? percent_text(part / whole) : QStringLiteral("–");
}

void align_numbers(QTreeWidgetItem& item, int first) {
    for (int i = first; i < item.columnCount(); ++i) item.setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
}

/// Not so in a file that carries its annotations, nor where only a person gave calls to backends: supporting more would
/// change nothing there.
bool rules_decide(const Document& document) { return document.choice().annotate && !document.annotated(); }

std::vector<BackendDescription> descriptions_of(const Document& document) {
    std::vector<BackendDescription> backends;
    for (const BackendPtr& backend : document.choice().backends) backends.push_back(*backend);
    return backends;
}

}  // namespace

CoveragePanel::CoveragePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)),
      stack_(new QStackedLayout(this)), nothing_(new QLabel), what_if_state_(make_plain_label()), compute_(new QToolButton),
      copy_(new QToolButton) {
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    stack_->addWidget(nothing_);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    copy_->setText(tr("Copy report"));
    copy_->setToolTip(tr("Copy the whole report as Markdown"));
    compute_->setText(tr("Count"));
    compute_->setToolTip(tr("Divide the graph once for each cause"));
    auto* extra = new QWidget;
    auto* row = new QHBoxLayout(extra);
    row->setContentsMargins(0, 0, 0, 0);
    what_if_state_->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(what_if_state_);
    row->addWidget(compute_);
    shares_ = addTable(*split, tr("Shares"),
                       {tr("backend, operator"), tr("calls"), tr("work"), tr("parameters"), tr("regions"), tr("boundary")}, {3, 5, 4}, copy_);
    shares_->setRootIsDecorated(true);
    causes_ = addTable(*split, tr("Why calls stayed on default"), {tr("cause"), tr("backend"), tr("calls"), tr("work")}, {3});
    causes_box_ = causes_->parentWidget();
    what_ifs_ = addTable(*split, tr("What if it were supported"),
                         {tr("cause"), tr("backend"), tr("calls"), tr("regions"), tr("boundary"), QString()}, {4, 1}, extra);
    split->setSizes({430, 400, 470});
    stack_->addWidget(split);
    connect(compute_, &QToolButton::clicked, this, &CoveragePanel::computeWhatIfs);
    connect(copy_, &QToolButton::clicked, this, &CoveragePanel::copyReport);
    const auto select = [this](QTreeWidgetItem* item) {
        const int index = item->data(0, Qt::UserRole).toInt();
        if (size_t(index) < report_.causes.size() && counted_ == document_.flow())
            document_.setSelection(report_.causes[size_t(index)].calls);
    };
    connect(causes_, &QTreeWidget::itemClicked, this, select);
    connect(causes_, &QTreeWidget::itemActivated, this, select);
    connect(what_ifs_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        const int index = item->data(0, Qt::UserRole).toInt();
        if (size_t(index) < list_.size() && counted_ == document_.flow())
            document_.setSelection(list_[size_t(index)].cause.calls);
    });
    connect(what_ifs_, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { tryWhatIf(item->data(0, Qt::UserRole).toInt()); });
    connect(&document_, &Document::opened, this, &CoveragePanel::clear);
    connect(&document_, &Document::flowChanged, this, &CoveragePanel::refresh);
    clear();
}

QTreeWidget* CoveragePanel::addTable(QSplitter& split, const QString& title, const QStringList& columns, std::vector<int> dispensable,
                                     QWidget* extra) {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 4, 8, 2);
    auto* words = new QLabel(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
    words->setMinimumHeight(26);
    words->setWordWrap(true);  // large type leaves no room for the whole title beside the buttons
    top->addWidget(words, 1);
    if (extra) top->addWidget(extra);
    column->addLayout(top);
    auto* table = new QTreeWidget;
    table->setAccessibleName(title);
    table->setHeaderLabels(columns);
    table->setUniformRowHeights(true);
    table->setRootIsDecorated(false);
    table->setAlternatingRowColors(true);
    table->setTextElideMode(Qt::ElideMiddle);  // operators' names differ at their ends
    constexpr int kNarrowestName = 130, kWidestName = 2000;
    fitted_.push_back(new FittedColumns(*table, std::move(dispensable), kNarrowestName, kWidestName));
    for (int i = 1; i < int(columns.size()); ++i)
        table->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    column->addWidget(table, 1);
    split.addWidget(box);
    return table;
}

/// With one backend its name in each row says nothing.
void CoveragePanel::fitColumns() {
    const std::vector<int> empty = report_.backends.size() > 2 ? std::vector<int>() : std::vector<int>{1};
    fitted_[1]->setEmpty(empty);
    fitted_[2]->setEmpty(empty);
    for (FittedColumns* columns : fitted_) columns->fit();
}

/// Three tables are too many for a narrow panel; the causes are named by the third, too, once that is there.
void CoveragePanel::fitTables() {
    const int wide_enough_for_three = 57 * fontMetrics().height();
    causes_box_->setVisible(width() >= wide_enough_for_three || (list_.empty() && !report_.causes.empty()));
}

void CoveragePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTables();
}

void CoveragePanel::setTheme(const Theme& theme) {
    theme_ = theme;
    shares_->setIconSize(swatch_size(shares_->fontMetrics()));
    fillShares();
    fillWhatIfs();
}

void CoveragePanel::tellFallbacks() {
    const FlowPtr flow = document_.flow();
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

QString CoveragePanel::words(const CoverageCause& cause) {
    return shown_name(say(cause.reason));
}

void CoveragePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    if (counted_ && !report_job_ && list_.empty() && rules_decide(document_) && report_.total.calls <= kCallsCountedUnasked) computeWhatIfs();
}

void CoveragePanel::clear() {
    for (quint64* job : {&report_job_, &what_if_job_}) {
        if (*job) document_.jobs().cancel(*job);
        *job = 0;
    }
    counted_ = nullptr;
    report_ = {};
    list_.clear();
    nothing_->setText(document_.isOpen() ? tr("Annotate, or give operators to a backend: then this shows what goes where, and "
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
        [flow, backends = descriptions_of(document_)](const JobContext&) { return report_coverage(*flow, backends); },
        [this](CoverageReport report) {
            report_job_ = 0;
            report_ = std::move(report);
            const bool counts = rules_decide(document_);
            if (!counts && !document_.annotated()) report_.causes.clear();  // what a rule that nobody asked would say is no cause
            if (telling_) tellFallbacks();
            stack_->setCurrentIndex(1);
            fillShares();
            fillCauses();
            fillWhatIfs();
            what_if_state_->setText(report_.backends.back().share.calls == 0 ? tr("nothing stayed on default")
                                    : !counts                                ? tr("rules were not asked")
                                                                            : QString());
            what_ifs_->parentWidget()->setVisible(!document_.annotated());  // a file that says all itself has no rule to be changed
            compute_->setVisible(counts && !report_.causes.empty());
            if (isVisible() && counts && !report_.causes.empty() && report_.total.calls <= kCallsCountedUnasked) computeWhatIfs();
        });
}

void CoveragePanel::computeWhatIfs() {
    if (!counted_ || what_if_job_ || counted_ != document_.flow()) return;
    what_if_state_->setText(tr("counting…"));
    compute_->hide();
    what_if_job_ = document_.jobs().start<WhatIfs>(
        tr("Counting what would change"), this,
        [flow = counted_, choice = document_.choice(), annotated = document_.annotated()](const JobContext& context) {
            Result<std::vector<WhatIf>> list = what_if(*flow, flow_options(choice, annotated, context.cancel), kMostCauses);
            return list ? WhatIfs{std::move(*list), {}} : WhatIfs{{}, QString::fromStdString(list.error().message)};
        },
        [this](WhatIfs found) {
            what_if_job_ = 0;
            list_ = std::move(found.list);
            what_if_state_->setText(found.failure);
            fillWhatIfs();
        });
}

QTreeWidgetItem* CoveragePanel::shareItem(const QString& name, const CoverageShare& share) const {
    auto* item = new QTreeWidgetItem({name, QString::number(share.calls), percent(share.flops, report_.total.flops),
                                      bytes_text(share.parameter_bytes), QString(), QString()});
    align_numbers(*item, 1);
    return item;
}

void CoveragePanel::fillShares() {
    shares_->clear();
    for (size_t i = 0; i < report_.backends.size(); ++i) {
        const BackendCoverage& backend = report_.backends[i];
        const int index = i + 1 == report_.backends.size() ? -1 : int(i);
        QTreeWidgetItem* item = shareItem(shown_name(backend.backend), backend.share);
        item->setText(1, QStringLiteral("%1 (%2)").arg(backend.share.calls).arg(percent(backend.share.calls, report_.total.calls)));
        if (index >= 0) {
            item->setText(4, QString::number(backend.regions));
            item->setText(5, QStringLiteral("%1 · %2").arg(backend.boundary_tensors).arg(bytes_text(backend.boundary_bytes)));
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
    fitColumns();
}

void CoveragePanel::fillCauses() {
    causes_->clear();
    for (size_t i = 0; i < report_.causes.size(); ++i) {
        const CoverageCause& cause = report_.causes[i];
        const QString text = words(cause);
        auto* item = new QTreeWidgetItem({text, document_.backendName(cause.backend), QString::number(cause.calls.size()),
                                          percent(cause.flops, report_.total.flops)});
        item->setData(0, Qt::UserRole, int(i));
        item->setToolTip(0, tr("%1: click to select the calls").arg(text));
        align_numbers(*item, 1);
        causes_->addTopLevelItem(item);
    }
    fitColumns();
}

void CoveragePanel::fillWhatIfs() {
    fitTables();
    what_ifs_->clear();
    for (size_t i = 0; i < list_.size(); ++i) {
        const WhatIf& entry = list_[i];
        const QString sign = entry.bytes_gone() > 0 ? QStringLiteral("−") : entry.bytes_gone() < 0 ? QStringLiteral("+") : QString();
        const QString backend = document_.backendName(entry.cause.backend);
        auto* item = new QTreeWidgetItem({words(entry.cause), backend, QStringLiteral("+%1").arg(entry.calls_gained),
                                          QStringLiteral("%1 → %2").arg(entry.regions_before).arg(entry.regions_after),
                                          sign + bytes_text(std::abs(entry.bytes_gone())), QString()});
        item->setData(0, Qt::UserRole, int(i));
        item->setToolTip(0, tr("%1, on %2").arg(words(entry.cause), backend));
        item->setToolTip(4, tr("boundary %1 → %2").arg(bytes_text(entry.boundary_bytes_before), bytes_text(entry.boundary_bytes_after)));
        align_numbers(*item, 1);
        what_ifs_->addTopLevelItem(item);
        addTryButton(*item, int(i));
    }
    fitColumns();
}

void CoveragePanel::addTryButton(QTreeWidgetItem& item, int index) {
    const CoverageCause& cause = list_[size_t(index)].cause;
    auto* button = new QToolButton;
    button->setText(tr("Try"));
    button->setToolTip(tr("Give the %n call(s) to %1; undo takes it back", nullptr, int(cause.calls.size())).arg(document_.backendName(cause.backend)));
    button->setStyleSheet(QStringLiteral("QToolButton { padding: 0 8px; color: %1; }").arg(theme_.accent.name()));
    connect(button, &QToolButton::clicked, this, [this, index] { tryWhatIf(index); });
    what_ifs_->setItemWidget(&item, 5, button);
}

void CoveragePanel::tryWhatIf(int index) {
    if (index < 0 || size_t(index) >= list_.size() || counted_ != document_.flow()) return;
    const WhatIf entry = list_[size_t(index)];
    FlowChoice choice = document_.choice();
    choice.overrides = HandPlacement(entry.overrides);
    document_.setSelection(entry.cause.calls);
    document_.changeChoice(std::move(choice), tr("try on %1: %2").arg(document_.backendName(entry.cause.backend), words(entry.cause)));
}

void CoveragePanel::copyReport() {
    QApplication::clipboard()->setText(QString::fromStdString(coverage_markdown(report_)));
    emit told(tr("The report is on the clipboard."));
}

}  // namespace partita
