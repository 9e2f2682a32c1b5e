// The status bar: a sentence, shortened to its room, the running job, and what the open module counts.
#pragma once

#include <QStatusBar>
#include <QString>

class QLabel;
class QProgressBar;
class QToolButton;

namespace partita {

class Document;
class JobRunner;

class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(JobRunner& jobs);

    /// Shows a sentence for a while.
    void tell(const QString& sentence);
    /// Counts calls, regions and what is selected.
    void count(const Document& document, bool regions_hidden);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildJob();
    void showJobs();
    void fitToRoom();
    QString fitting() const;

    JobRunner& jobs_;
    QString told_, shown_;  ///< the sentence, and as much of it as there is room for
    QLabel *job_text_, *counts_;
    QProgressBar* job_progress_;
    QToolButton* job_cancel_;
};

}  // namespace partita
