#include "app/gui/window/status_line.h"

#include <algorithm>

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/document/document.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kToldFor = 12000;  ///< milliseconds

}  // namespace

StatusLine::StatusLine(JobRunner& jobs)
    : jobs_(jobs), job_text_(make_plain_label()), counts_(new QLabel), job_progress_(new QProgressBar),
      job_cancel_(new QToolButton) {
    buildJob();
    addPermanentWidget(counts_);
    auto* delay = new QTimer(this);
    delay->setSingleShot(true);
    delay->setInterval(200);  // short work would only flicker
    connect(delay, &QTimer::timeout, this, &StatusLine::showJobs);
    connect(&jobs_, &JobRunner::jobsChanged, this, [this, delay] {
        if (!jobs_.busy()) delay->stop();
        if (!jobs_.busy() || job_text_->isVisible()) showJobs();
        else if (!delay->isActive()) delay->start();
    });
}

void StatusLine::buildJob() {
    job_progress_->setFixedWidth(140);
    job_progress_->setTextVisible(false);
    job_progress_->setAccessibleName(tr("Progress"));
    job_cancel_->setText(tr("Cancel"));
    job_cancel_->setToolTip(tr("Cancel what is running"));
    for (QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_}) {
        addPermanentWidget(widget);  // messages pass to the left of it
        widget->hide();
    }
    connect(job_cancel_, &QToolButton::clicked, &jobs_, &JobRunner::cancelAll);
}

void StatusLine::showJobs() {
    const std::vector<JobInfo> jobs = jobs_.jobs();
    for (QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_})
        widget->setVisible(!jobs.empty());
    fitToRoom();
    if (jobs.empty()) return;
    const JobInfo& job = jobs.front();
    job_text_->setText(shown_name(job.what.isEmpty() ? job.title + QStringLiteral("…")
                                                     : QStringLiteral("%1: %2").arg(job.title, job.what)));
    job_progress_->setRange(0, job.fraction < 0 ? 0 : 1000);
    if (job.fraction >= 0) job_progress_->setValue(int(job.fraction * 1000));
}

void StatusLine::tell(const QString& sentence) {
    told_ = shown_name(sentence);
    shown_ = fitting();
    showMessage(shown_, kToldFor);
}

/// What stands beside a sentence comes and goes, and the window changes its width while it is read.
void StatusLine::fitToRoom() {
    if (shown_.isEmpty() || currentMessage() != shown_ || fitting() == shown_) return;
    shown_ = fitting();
    showMessage(shown_, kToldFor);
}

QString StatusLine::fitting() const {
    int taken = counts_->sizeHint().width() + 40;
    for (const QWidget* widget : std::initializer_list<QWidget*>{job_text_, job_progress_, job_cancel_})
        if (widget->isVisible()) taken += widget->sizeHint().width() + 8;
    return fontMetrics().elidedText(told_, Qt::ElideRight, std::max(width() - taken, 200));
}

void StatusLine::count(const Document& document, bool regions_hidden) {
    QStringList counts;
    if (document.isOpen()) {
        counts << tr("%n call(s)", nullptr, document.summary().calls);
        if (document.isEdited()) counts << tr("changed by hand");
        if (const FlowPtr flow = document.flow(); flow && !regions_hidden && shows_regions(*flow))
            counts << tr("%n region(s)", nullptr, int(flow->regions.size()));
        if (!document.selection().empty()) counts << tr("%n selected", nullptr, int(document.selection().size()));
    }
    counts_->setText(counts.join(QStringLiteral("  ·  ")));
    fitToRoom();
}

void StatusLine::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    fitToRoom();
}

}  // namespace partita
