// Runs of this start of the program, those that a project keeps, and runs that were opened from files; two of them side
// by side.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QWidget>

#include "app/gui/jobs/job_runner.h"
#include "app/gui/style/theme.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/run_record.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace partita {

struct RunRow {
    enum class Kind : uint8_t { Whole, Region, Op, Group } kind;
    TimingDifference difference;
};

/// Comma-separated values, with a header.
QString csv_of(const std::vector<RunRow>& rows);

/// The differences of two runs as rows: the whole run, regions, operators. Nothing is computed when it is shown.
class RunDifferenceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, TimeA, TimeB, Ratio, Noise, Verdict, ColumnCount };
    enum Role {
        RegionRole = Qt::UserRole + 1,  ///< the region's name; "" for other rows
        CallsRole                       ///< the numbers of a group's calls; none for other rows
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setTheme(const Theme& theme);
    void setDifference(std::vector<RunRow> rows);
    /// Shared with what is shown: comma-separated values may be written on a worker.
    std::shared_ptr<const std::vector<RunRow>> rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString name(const RunRow& row) const;
    QString verdict(const TimingDifference& difference) const;

    std::shared_ptr<const std::vector<RunRow>> rows_ = std::make_shared<std::vector<RunRow>>();
    Theme theme_ = make_theme(false, PaletteChoice::OkabeIto);
};

class TimingHistory : public QWidget {
    Q_OBJECT

public:
    explicit TimingHistory(JobRunner& jobs, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// A new run: it becomes B, the one before it A.
    void add(RunRecordPtr record);
    /// Those of a project that are not there yet.
    void addMissing(const std::vector<RunRecordPtr>& records);
    const std::vector<RunRecordPtr>& runs() const { return runs_; }
    QComboBox& a() { return *a_; }
    QComboBox& b() { return *b_; }
    /// Null if there is none.
    RunRecordPtr runB() const;
    const RunDifferenceModel& model() const { return model_; }
    QTableView& table() { return *table_; }
    /// Writes the run B; reads one more, which becomes A. A failure is returned and changes nothing.
    Status saveTo(const QString& path) const;
    Status openFrom(const QString& path);

signals:
    /// By a person: a region of a run.
    void regionChosen(const QString& name);
    /// By a person: calls of a run of B's model, by their numbers.
    void callsChosen(const std::vector<uint32_t>& numbers);
    void failed(const QString& title, const QString& message);

private:
    static QString title(const RunRecord& record, size_t number);
    void showDifference();
    void fitRows();
    void showRows(std::vector<RunRow> rows);
    void chooseSave();
    void chooseOpen();

    JobRunner& jobs_;
    quint64 job_ = 0;  ///< that compares the two
    std::vector<RunRecordPtr> runs_;
    RunDifferenceModel model_;
    QComboBox *a_, *b_;
    QLabel* hint_;
    QTableView* table_;
    QPushButton *save_, *open_;
};

}  // namespace partita
