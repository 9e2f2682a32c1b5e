#include "app/gui/window/annotator_starter.h"

#include <algorithm>

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QTimer>
#include <QToolBar>

#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/code_permission.h"
#include "engine/annotators/annotator.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

/// What became of a description on a worker.
struct Started {
    BackendPtr running;
    std::vector<Diagnostic> notes;
    Status status = Nothing();
};

bool rests(const BackendPtr& backend) { return !backend->annotator.empty() && !backend->running; }

Started start_on_worker(const BackendDescription& described, const JobContext& context) {
    Started made;
    auto backend = std::make_shared<BackendDescription>(described);
    made.status = start_annotators({backend.get(), 1}, made.notes, context.cancel);
    made.running = std::move(backend);
    return made;
}

}  // namespace

AnnotatorStarter::AnnotatorStarter(Document& document, RulesPanel& rules, QMainWindow& window)
    : QObject(&window), document_(document), rules_(rules), window_(window) {
    buildBar(window);
    // The choice is in the middle of its change when the signal comes.
    connect(&document_, &Document::choiceChanged, this,
            [this] { QTimer::singleShot(0, this, &AnnotatorStarter::look); });
    // A start that was stopped is tried again when the choice next changes, or when somebody asks for it.
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 job) {
        const bool stopped = std::erase_if(known_, [job](const Known& known) { return known.job == job; }) > 0;
        if (stopped) offerToStart();
    });
    connect(&rules_, &RulesPanel::permissionWanted, this, &AnnotatorStarter::offer);
}

void AnnotatorStarter::buildBar(QMainWindow& window) {
    bar_ = new QToolBar(tr("Rules changed"), &window);
    text_ = new QLabel;
    bar_->setObjectName(QStringLiteral("rules-changed"));
    bar_->setMovable(false);
    bar_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    text_->setContentsMargins(8, 0, 12, 0);
    text_->setTextFormat(Qt::RichText);
    bar_->addWidget(text_);
    run_ = bar_->addAction(tr("Run it"), &rules_, &RulesPanel::allowToRun);
    run_->setObjectName(QStringLiteral("run-changed-rules"));
    run_->setToolTip(tr("It can do on this machine whatever you can. You are asked once for each content."));
    start_ = bar_->addAction(tr("Start them"), this, &AnnotatorStarter::startStopped);
    start_->setObjectName(QStringLiteral("start-rules"));
    QAction* not_now = bar_->addAction(tr("Not now"), bar_, &QWidget::hide);
    not_now->setObjectName(QStringLiteral("leave-changed-rules"));
    not_now->setToolTip(tr("The rules that ran stay as they are"));
    window.addToolBarBreak();
    window.addToolBar(bar_);
    bar_->toggleViewAction()->setVisible(false);
    bar_->hide();
}

void AnnotatorStarter::offer(const QString& file) {
    bar_->setVisible(!file.isEmpty());
    run_->setVisible(true);
    start_->setVisible(false);
    text_->setText(tr("<b>%1</b>, or a file that it imports, has a new text, which does not run yet.")
                       .arg(shown_name(QFileInfo(file).fileName()).toHtmlEscaped()));
}

/// Tells which rules do not run, if any of those chosen.
void AnnotatorStarter::offerToStart() {
    const std::vector<BackendPtr> backends = document_.choice().backends;
    const auto found = std::find_if(backends.begin(), backends.end(), rests);
    bar_->setVisible(found != backends.end());
    if (found == backends.end()) return;
    run_->setVisible(false);
    start_->setVisible(true);
    text_->setText(tr("The rules of <b>%1</b> do not run.").arg(shown_name((*found)->name).toHtmlEscaped()));
}

/// Begins again with those that were stopped or refused; the person is asked as at first.
void AnnotatorStarter::startStopped() {
    bar_->hide();
    std::erase_if(known_, [](const Known& known) { return !known.running; });
    look();
}

void AnnotatorStarter::look() {
    forgetUnused();
    std::vector<BackendPtr> waiting;
    const std::vector<BackendPtr> backends = document_.choice().backends;
    for (const BackendPtr& backend : backends) {
        if (!rests(backend)) continue;
        const Known* known = find(backend);
        if (known && known->running) document_.replaceBackend(backend, known->running);
        if (known) continue;
        known_.push_back({backend, nullptr});
        waiting.push_back(backend);
    }
    restUnused();
    if (start_->isVisible() && std::none_of(backends.begin(), backends.end(), rests)) bar_->hide();
    if (!waiting.empty()) readAndAsk(waiting);
}

void AnnotatorStarter::forgetUnused() {
    std::erase_if(known_, [](const Known& known) { return known.described.expired(); });
}

void AnnotatorStarter::restUnused() {
    std::vector<std::shared_ptr<Annotator>> chosen;
    for (const BackendPtr& backend : document_.choice().backends)
        if (backend->running) chosen.push_back(backend->running);
    std::vector<std::weak_ptr<Annotator>> awake(chosen.begin(), chosen.end());
    for (const std::weak_ptr<Annotator>& one : awake_) {
        const std::shared_ptr<Annotator> annotator = one.lock();
        if (!annotator || std::find(chosen.begin(), chosen.end(), annotator) != chosen.end()) continue;
        if (!annotator->rest()) awake.push_back(one);  // a flow that was called off still asks it
    }
    awake_ = std::move(awake);
}

AnnotatorStarter::Known* AnnotatorStarter::find(const BackendPtr& described) {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [&](const Known& known) { return known.described.lock() == described; });
    return found == known_.end() ? nullptr : &*found;
}

void AnnotatorStarter::readAndAsk(const std::vector<BackendPtr>& backends) {
    const quint64 job = document_.jobs().start<std::vector<AnnotatorPermit>>(
        tr("Reading rules"), this,
        [backends](const JobContext&) {
            std::vector<AnnotatorPermit> permits;
            for (const BackendPtr& backend : backends) permits.push_back(permit_for(*backend));
            return permits;
        },
        [this, backends](const std::vector<AnnotatorPermit>& permits) {
            with_permitted_annotators(&window_, permits, [this, backends, permits](bool allowed) {
                if (!allowed) return offerToStart();
                for (size_t i = 0; i < backends.size(); ++i) start(backends[i], permits[i]);
            });
        });
    for (const BackendPtr& backend : backends)
        if (Known* known = find(backend)) known->job = job;
}

void AnnotatorStarter::start(const BackendPtr& described, const AnnotatorPermit& permit) {
    Known* known = find(described);
    if (!known) return;
    known->job = document_.jobs().start<Started>(
        tr("Starting the rules of %1").arg(QString::fromStdString(described->name)), this,
        [permit](const JobContext& context) { return start_on_worker(permit.described, context); },
        [this, described](const Started& made) {
            for (const Diagnostic& note : made.notes) document_.report(note);
            if (!made.status) return document_.report(made.status.error());
            if (Known* known = find(described)) known->running = made.running;
            document_.replaceBackend(described, made.running);
        });
}

}  // namespace partita
