#include "app/gui/panels/timing/timing_history.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTextStream>
#include <QVBoxLayout>

#include "app/gui/panels/timing/timing_rows.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/style/save_path.h"
#include "app/gui/style/telling_names.h"

namespace partita {

namespace {

constexpr size_t kMostRuns = 50, kMostGroups = 500;

std::vector<RunRow> rows_of(RunDifference difference) {
    std::vector<RunRow> rows = {{RunRow::Kind::Whole, std::move(difference.whole)}};
    for (TimingDifference& region : difference.regions) rows.push_back({RunRow::Kind::Region, std::move(region)});
    for (TimingDifference& op : difference.ops) rows.push_back({RunRow::Kind::Op, std::move(op)});
    difference.groups.resize(std::min(difference.groups.size(), kMostGroups));
    for (TimingDifference& group : difference.groups) rows.push_back({RunRow::Kind::Group, std::move(group)});
    return rows;
}

QString known_duration(double value) { return value > 0 ? duration_text(value) : QString(); }

}  // namespace

void RunDifferenceModel::setTheme(const Theme& theme) {
    theme_ = theme;
    if (!rows_->empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void RunDifferenceModel::setDifference(std::vector<RunRow> rows) {
    beginResetModel();
    rows_ = std::make_shared<const std::vector<RunRow>>(std::move(rows));
    endResetModel();
}

int RunDifferenceModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_->size()); }
int RunDifferenceModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QString RunDifferenceModel::name(const RunRow& row) const {
    QString name = shown_name(row.difference.shown());
    switch (row.kind) {
        case RunRow::Kind::Whole: return tr("whole run");
        case RunRow::Kind::Region: return name;
        case RunRow::Kind::Op: return tr("%1, all calls").arg(name);
        case RunRow::Kind::Group:
            return row.difference.calls.size() < 2
                       ? name
                       : tr("%1 and %n other(s)", nullptr, int(row.difference.calls.size()) - 1).arg(name);
    }
    return {};
}

QString RunDifferenceModel::verdict(const TimingDifference& difference) const {
    switch (verdict_on(difference)) {
        case TimingVerdict::OnlyInA: return tr("only in A");
        case TimingVerdict::OnlyInB: return tr("only in B");
        case TimingVerdict::OtherOps: return tr("other operators");
        case TimingVerdict::TooFewRuns: return tr("noise unknown");
        case TimingVerdict::TooNoisy: return tr("too noisy to tell: run again");
        case TimingVerdict::Same: return tr("same within noise");
        case TimingVerdict::Faster: return tr("faster");
        case TimingVerdict::Slower: return tr("slower");
    }
    return {};
}

QVariant RunDifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || size_t(index.row()) >= rows_->size()) return {};
    const RunRow& row = (*rows_)[size_t(index.row())];
    const TimingDifference& difference = row.difference;
    if (role == RegionRole)
        return row.kind == RunRow::Kind::Region ? QString::fromStdString(difference.shown()) : QString();
    if (role == CallsRole) return QVariant::fromValue(difference.calls);
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == Name || index.column() == Verdict ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Name && row.kind == RunRow::Kind::Group)
        return tr("The smallest group of operators that both runs timed as a whole. Number of times in A: %1, in B: "
                  "%2.")
            .arg(difference.parts_a)
            .arg(difference.parts_b);
    if (role == Qt::FontRole && row.kind == RunRow::Kind::Whole) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::ForegroundRole && index.column() == Verdict && difference.significant)
        return difference.ratio < 1 ? theme_.accent : theme_.error;
    if (role == Qt::ToolTipRole && index.column() == Noise)
        return tr(
            "How far off the ratio may be: by the ranks of the single runs (a test at the level of 1 %), and by how "
            "busy the machine was. It needs five runs of each.");
    if (role != Qt::DisplayRole) return {};
    const bool both = difference.ratio > 0;
    switch (index.column()) {
        case Name: return name(row);
        case TimeA: return known_duration(difference.a.median);
        case TimeB: return known_duration(difference.b.median);
        case Ratio: return both ? number_text(difference.ratio, 3) : QString();
        case Noise:
            return both && difference.noise_known ? QStringLiteral("±") + number_text(difference.noise, 3) : QString();
        case Verdict: return verdict(difference);
        default: return {};
    }
}

QVariant RunDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == Verdict ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Region / operator");
        case TimeA: return tr("A");
        case TimeB: return tr("B");
        case Ratio: return tr("B / A");
        case Noise: return tr("Noise");
        case Verdict: return tr("B is");
        default: return {};
    }
}

QString csv_of(const std::vector<RunRow>& rows) {
    QString text;
    QTextStream out(&text);
    out << "kind,name,a_ms,b_ms,ratio,noise,significant\n";
    for (const RunRow& row : rows) {
        static const char* const kinds[] = {"run", "region", "operator", "group"};
        QString name = QString::fromStdString(row.difference.name);
        out << kinds[size_t(row.kind)] << ",\"" << name.replace(QLatin1Char('"'), QStringLiteral("\"\"")) << "\","
            << row.difference.a.median << ',' << row.difference.b.median << ',' << row.difference.ratio << ','
            << row.difference.noise << ',' << int(row.difference.significant) << '\n';
    }
    return text;
}

TimingHistory::TimingHistory(JobRunner& jobs, QWidget* parent)
    : QWidget(parent), jobs_(jobs), a_(new ElidedComboBox), b_(new ElidedComboBox), hint_(new QLabel),
      table_(new QTableView), save_(new QPushButton(tr("Save B…"))), open_(new QPushButton(tr("Open a run…"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 5, 10, 5);
    top->setSpacing(6);
    for (QComboBox* box : {a_, b_}) {
        auto* letter = new QLabel(box == a_ ? tr("A") : tr("B"));
        letter->setBuddy(box);
        box->setAccessibleName(box == a_ ? tr("Run A") : tr("Run B"));
        box->setMinimumContentsLength(4);  // in large type they give way before the buttons do
        top->addWidget(letter);
        top->addWidget(box, 1);
        connect(box, &QComboBox::currentIndexChanged, this, &TimingHistory::showDifference);
    }
    save_->setToolTip(tr("Keep the times of run B in a file"));
    open_->setToolTip(tr("Open a run that was kept in a file, also by partita-cli run --save-run"));
    top->addWidget(save_);
    top->addWidget(open_);
    column->addLayout(top);
    hint_->setAlignment(Qt::AlignCenter);
    hint_->setWordWrap(true);
    column->addWidget(hint_, 1);
    table_->setModel(&model_);
    table_->setAccessibleName(tr("Differences of two runs"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setItemDelegateForColumn(RunDifferenceModel::Name, new NameDelegate(*table_));
    table_->verticalHeader()->hide();
    fitRows();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    table_->horizontalHeader()->setSectionResizeMode(RunDifferenceModel::Name, QHeaderView::Interactive);
    column->addWidget(table_, 1);
    connect(save_, &QPushButton::clicked, this, &TimingHistory::chooseSave);
    connect(open_, &QPushButton::clicked, this, &TimingHistory::chooseOpen);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        const QString region = row.data(RunDifferenceModel::RegionRole).toString();
        if (!region.isEmpty()) emit regionChosen(region);
        const auto calls = row.data(RunDifferenceModel::CallsRole).value<std::vector<uint32_t>>();
        if (!calls.empty()) emit callsChosen(calls);
    });
    showDifference();
}

void TimingHistory::setTheme(const Theme& theme) {
    model_.setTheme(theme);
    fitRows();  // the size of type comes with the theme
}

void TimingHistory::fitRows() {
    const int height = fontMetrics().height() + 6;
    table_->verticalHeader()->setMinimumSectionSize(height);
    table_->verticalHeader()->setDefaultSectionSize(height);
}

/// Those that got a region, which may be fewer than were chosen.
static QString backends_of(const RunRecord& record) {
    QStringList names;
    for (const RegionTiming& region : record.report.regions) {
        const QString name = region.backend == "default" ? QString() : shown_name(region.backend);
        if (!name.isEmpty() && !names.contains(name)) names << name;
    }
    return names.isEmpty() ? QStringLiteral("default") : names.join(QStringLiteral(", "));
}

QString TimingHistory::title(const RunRecord& record, size_t number) {
    const QString time = duration_text(record.report.time.median), backends = backends_of(record);
    if (record.report.threads == 0)  // another program does not tell
        return tr("%1. %2 on %3: %4").arg(number).arg(time, backends, shown_name(record.title));
    return tr("%1. %2 on %3, %n thread(s): %4", nullptr, record.report.threads)
        .arg(number)
        .arg(time, backends, shown_name(record.title));
}

void TimingHistory::add(RunRecordPtr record) {
    const int a = b_->currentIndex();
    const QSignalBlocker block_a(a_), block_b(b_);
    if (runs_.size() == kMostRuns) {
        runs_.erase(runs_.begin());
        a_->removeItem(0);
        b_->removeItem(0);
    }
    const int number = b_->count() == 0 ? 1 : b_->itemData(b_->count() - 1).toInt() + 1;
    runs_.push_back(std::move(record));
    for (QComboBox* box : {a_, b_}) {
        box->addItem(title(*runs_.back(), size_t(number)), number);
        box->setItemData(box->count() - 1,
                         QStringLiteral("%1\n%2").arg(box->itemText(box->count() - 1), shown_name(runs_.back()->made)),
                         Qt::ToolTipRole);
    }
    b_->setCurrentIndex(b_->count() - 1);
    a_->setCurrentIndex(a < 0 ? 0 : std::min(a, a_->count() - 1));
    showDifference();
}

void TimingHistory::addMissing(const std::vector<RunRecordPtr>& records) {
    // A run that is shown answers for one record: two runs of one second may well take the same time.
    std::vector<RunRecordPtr> shown = runs_;
    for (const RunRecordPtr& record : records) {
        const auto known = std::find_if(shown.begin(), shown.end(), [&record](const RunRecordPtr& run) {
            return run->made == record->made && run->title == record->title &&
                   run->report.time.median == record->report.time.median;
        });
        if (known == shown.end()) add(record);
        else shown.erase(known);
    }
}

void TimingHistory::showDifference() {
    const int a = a_->currentIndex(), b = b_->currentIndex();
    const bool some = a >= 0 && b >= 0 && runs_.size() > 1;
    const bool two = some && are_of_one_model(*runs_[size_t(a)], *runs_[size_t(b)]);
    hint_->setText(some ? tr("These runs are of different models, or of other sizes: their times can't be compared.")
                        : tr("Run once more, in another division or with other settings, to compare two runs."));
    model_.setDifference({});
    hint_->setVisible(!two);
    table_->setVisible(two);
    save_->setEnabled(b >= 0);
    if (job_) jobs_.cancel(job_);
    job_ = 0;
    if (!two) return;
    job_ = jobs_.start<std::vector<RunRow>>(
        tr("Comparing two runs"), this,
        [a = runs_[size_t(a)], b = runs_[size_t(b)]](const JobContext&) {
            return rows_of(compare_timings(a->report, b->report));
        },
        [this](std::vector<RunRow> rows) {
            job_ = 0;
            showRows(std::move(rows));
        });
}

void TimingHistory::showRows(std::vector<RunRow> rows) {
    model_.setDifference(std::move(rows));
    for (int column = 0; column < RunDifferenceModel::Verdict; ++column) {
        table_->resizeColumnToContents(column);
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int wanted = table_->horizontalHeader()->fontMetrics().horizontalAdvance(title) + 24;
        table_->setColumnWidth(column, std::max(table_->columnWidth(column), wanted));
    }
}

RunRecordPtr TimingHistory::runB() const {
    const int b = b_->currentIndex();
    return b < 0 ? nullptr : runs_[size_t(b)];
}

Status TimingHistory::saveTo(const QString& path) const {
    if (b_->currentIndex() < 0) return error(tr("There is no run to save.").toStdString());
    return save_run(path.toStdString(), *runs_[size_t(b_->currentIndex())]);
}

Status TimingHistory::openFrom(const QString& path) {
    Result<RunRecord> record = load_run(path.toStdString());
    if (!record) return record.error();
    const int b = b_->currentIndex();
    add(std::make_shared<const RunRecord>(std::move(*record)));
    if (b < 0) return Nothing();
    a_->setCurrentIndex(a_->count() - 1);  // what was kept earlier is what one compares with
    b_->setCurrentIndex(std::min(b, b_->count() - 1));
    return Nothing();
}

void TimingHistory::chooseSave() {
    const QString path = ask_where_to_save(this, tr("Save the run"), QStringLiteral("run.json"), tr("Runs (*.json)"),
                                           QStringLiteral(".json"));
    if (path.isEmpty()) return;
    if (Status written = saveTo(path); !written)
        emit failed(tr("The run was not saved"), QString::fromStdString(written.error().to_string()));
}

void TimingHistory::chooseOpen() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a run"), QString(), tr("Runs (*.json)"));
    if (path.isEmpty()) return;
    if (Status read = openFrom(path); !read)
        emit failed(tr("The run was not opened"), QString::fromStdString(read.error().to_string()));
}

}  // namespace partita
