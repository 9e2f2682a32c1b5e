#include "app/gui/window/annotator_starter.h"

#include <QTimer>

#include "app/gui/window/code_permission.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

/// What became of a description on a worker.
struct Started {
    BackendPtr running;
    std::vector<Diagnostic> notes;
    Status status = Nothing();
};

Started start_on_worker(const BackendPtr& described, const JobContext& context) {
    Started made;
    auto backend = std::make_shared<BackendDescription>(*described);
    made.status = start_annotators({backend.get(), 1}, made.notes, context.cancel);
    made.running = std::move(backend);
    return made;
}

}  // namespace

AnnotatorStarter::AnnotatorStarter(Document& document, QWidget& window)
    : QObject(&window), document_(document), window_(window) {
    // The choice is in the middle of its change when the signal comes.
    connect(&document_, &Document::choiceChanged, this,
            [this] { QTimer::singleShot(0, this, &AnnotatorStarter::look); });
}

void AnnotatorStarter::look() {
    std::vector<BackendPtr> waiting;
    const std::vector<BackendPtr> backends = document_.choice().backends;
    for (const BackendPtr& backend : backends) {
        if (backend->annotator.empty() || backend->running) continue;
        if (const auto found = running_.find(backend); found != running_.end()) put(backend, found->second);
        else if (asked_.insert(backend).second) waiting.push_back(backend);
    }
    if (waiting.empty()) return;
    with_permitted_annotators(&window_, waiting, [this, waiting] { start(waiting); });
}

void AnnotatorStarter::start(const std::vector<BackendPtr>& backends) {
    for (const BackendPtr& backend : backends)
        document_.jobs().start<Started>(
            tr("Starting the rules of %1").arg(QString::fromStdString(backend->name)), this,
            [backend](const JobContext& context) { return start_on_worker(backend, context); },
            [this, backend](Started made) {
                for (const Diagnostic& note : made.notes) document_.report(note);
                if (!made.status) return document_.report(made.status.error());
                running_[backend] = made.running;
                put(backend, made.running);
            });
}

void AnnotatorStarter::put(const BackendPtr& described, BackendPtr running) {
    document_.replaceBackend(described, std::move(running));
}

}  // namespace partita
