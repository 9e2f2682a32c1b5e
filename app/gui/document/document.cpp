#include "app/gui/document/document.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>

#include "app/gui/document/layout_cache.h"
#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "engine/flow/flow_memory.h"

namespace partita {

Document::Document(JobRunner& jobs, QObject* parent)
    : QObject(parent), jobs_(jobs), journal_(jobs), layouts_(std::make_shared<LayoutCache>()) {
    open_.flow_memory = std::make_shared<FlowMemory>();
    // Where nothing is to be divided the answer is there before the stack has its new index.
    connect(&undo_stack_, &QUndoStack::indexChanged, this, [this](int index) {
        if (flowIsCurrent()) open_.divided_step = index;
    });
    connect(&jobs_, &JobRunner::jobCancelled, this, &Document::jobStopped);
    connect(&journal_, &Journal::notKept, this, &Document::notKept);
}

void Document::jobStopped(quint64 id) {
    if (id == running_.opening) {
        running_.opening = 0;
        emit openFailed(path(), QString());
    }
    if (id == running_.run) {
        running_.run = 0;
        emit runFailed(QString());
    }
    if (id == running_.edit) running_.edit = 0;
    if (id == running_.save) {
        running_.save = 0;
        emit projectNotSaved(projectPath(), QString());
    }
    if (id == running_.flow) flowCancelled();
}

QString Document::title() const { return path().isEmpty() ? QString() : QFileInfo(path()).fileName(); }

QString Document::backendName(int backend) const { return shown_name(choice().backend_name(backend)); }

void Document::open(const QString& path) { openWithDimensions(path, {}); }

void Document::openWithDimensions(const QString& path, const Dimensions& chosen) {
    const std::string compiler = firstCompiler();
    startOpening(path, [path, compiler, chosen, remembered = dimensions_](const JobContext& context) {
        return open_document(path, compiler, remembered, chosen, context.cancel);
    });
}

/// Which annotations in a text that names no compiler are for.
std::string Document::firstCompiler() const {
    const std::vector<BackendPtr>& backends = usual_backends_.of(false);
    return backends.empty() ? std::string() : backends.front()->name;
}

void Document::openText(const QString& text, const QString& title, const std::vector<BackendPtr>& backends) {
    startOpening(title, [text, title, backends](const JobContext& context) {
        return read_document(text, title, backends, context.cancel);
    });
}

void Document::startOpening(const QString& path, std::function<OpenedDocument(const JobContext&)> work) {
    if (running_.opening) jobs_.cancel(running_.opening);
    open_.problems.set(Problems::Opening, {});
    running_.opening =
        jobs_.start<OpenedDocument>(tr("Opening %1").arg(QFileInfo(path).fileName()), this, std::move(work),
                                    [this, path](OpenedDocument result) { acceptOpened(path, std::move(result)); });
}

void Document::acceptOpened(const QString& path, OpenedDocument result) {
    running_.opening = 0;
    if (!result.read) {
        setProblems(Problems::Opening, {problem_of(result.read.error())});
        emit openFailed(path, QString::fromStdString(result.read.error().to_string()));
        return;
    }
    cancelFlow();
    cancelRun();
    if (running_.edit) jobs_.cancel(std::exchange(running_.edit, 0));
    const bool recovered = QFileInfo(path).absolutePath() == QFileInfo(Autosave::defaultFolder()).absoluteFilePath();
    OpenedFile& file = result.state.file;
    if (recovered) file.project_path = QString::fromStdString(result.recovers);
    else if (path.endsWith(QLatin1String(".partita")) && path != sessionFile()) file.project_path = path;
    file.on_disk = result.state.content.edited || QFileInfo::exists(file.path);
    chooseBackends(result, path == sessionFile() || (recovered && file.project_path.isEmpty()));
    result.state.flow_memory = std::make_shared<FlowMemory>();
    result.state.problems.set(Problems::Lessons, open_.problems.of(Problems::Lessons));
    jobs_.release(std::make_shared<OpenedState>(std::exchange(open_, std::move(result.state))));
    undo_stack_.clear();
    if (result.differs) undo_stack_.resetClean();
    open_.file.unsaved = recovered || (path == sessionFile() && hasHandwork());
    ++revision_;
    const bool divides = open_.content.divides();
    if (!divides) open_.divided_revision = revision_;
    open_.divided_step = divides ? OpenedState::kNoStep : 0;
    emit problemsChanged();
    emit opened();
    emit choiceChanged();
    emit selectionChanged();
    emit bookmarksChanged();
    emit inputsChanged();
    if (open_.content.divides()) startFlow();
    journal_.begin(recovered ? path : QString());
    autosave();
}

/// Completes the choice of what was read: a project has its own, all else begins with the usual backends.
void Document::chooseBackends(OpenedDocument& result, bool goes_on) {
    OpenedFile& file = result.state.file;
    FlowChoice& choice = result.state.content.choice;
    file.own_backends = result.has_choice && !goes_on;
    if (!result.has_choice) choice.backends = usual_backends_.of(file.is_model);
    choice.carries_regions = choice.carries_regions || result.of_module.carries_regions;
    for (const BackendPtr& backend : result.of_module.backends) {
        if (choice.backend_index(backend->name) >= 0) continue;
        choice.backends.push_back(backend);
        file.own_backends = true;
    }
    if (result.has_choice && !file.own_backends) usual_backends_ = usual_backends_.after(choice.backends);
}

bool Document::hasBackendsOfItsKind() const {
    return isOpen() && !usual_backends_.chosen && !open_.file.own_backends &&
           same_backends(choice().backends, usual_backends_.of(open_.file.is_model));
}

NamedModulePtr Document::named() const {
    if (!isOpen()) return nullptr;
    NamedModulePtr& named = open_.content.named;
    if (!named || named->module != shownModule()) named = std::make_shared<NamedModule>(shownModule());
    return named;
}

const ModuleSummary& Document::summary() const {
    static const ModuleSummary empty;
    const NamedModulePtr shown = named();
    return shown ? shown->summary : empty;
}

bool Document::hasHandwork() const {
    return isEdited() || !choice().overrides->empty() || !choice().groups->empty() || !bookmarks().empty() ||
           !inputs().empty();
}

void Document::setInputs(std::vector<InputFile> inputs) {
    if (!isOpen() || inputs == open_.file.inputs) return;
    open_.file.inputs = std::move(inputs);
    emit inputsChanged();
}

bool Document::isBookmarked(ExprId expression) const {
    return std::any_of(bookmarks().begin(), bookmarks().end(),
                       [expression](const Bookmark& mark) { return mark.expression == expression; });
}

void Document::toggleBookmark(ExprId expression) {
    if (!isOpen() || !expression.valid()) return;
    std::vector<Bookmark>& marks = open_.content.bookmarks;
    if (isBookmarked(expression))
        std::erase_if(marks, [expression](const Bookmark& mark) { return mark.expression == expression; });
    else marks.push_back({expression, names().name(expression), {}});
    emit bookmarksChanged();
}

const std::string& Document::note(ExprId expression) const {
    static const std::string none;
    for (const Bookmark& mark : bookmarks())
        if (mark.expression == expression) return mark.note;
    return none;
}

void Document::setNote(ExprId expression, const std::string& note) {
    if (!isOpen() || !expression.valid() || this->note(expression) == note) return;
    if (!isBookmarked(expression)) open_.content.bookmarks.push_back({expression, names().name(expression), {}});
    for (Bookmark& mark : open_.content.bookmarks)
        if (mark.expression == expression) mark.note = note;
    emit bookmarksChanged();
}

namespace {

bool can_be_placed(const Module& module, ExprId id) {
    const ExprKind kind = module.kind(id);
    return kind == ExprKind::Call || kind == ExprKind::Tuple || kind == ExprKind::Projection;
}

}  // namespace

std::vector<ExprId> Document::selectedOperators() const {
    std::vector<ExprId> operators;
    const ModulePtr module = shownModule();
    if (module)
        std::copy_if(selection().begin(), selection().end(), std::back_inserter(operators),
                     [&](ExprId id) { return can_be_placed(*module, id); });
    return operators;
}

bool Document::hasSelectedOperators() const {
    const ModulePtr module = shownModule();
    return module &&
           std::any_of(selection().begin(), selection().end(), [&](ExprId id) { return can_be_placed(*module, id); });
}

void Document::setSelection(std::vector<ExprId> selection) {
    if (selection == open_.content.selection) return;
    open_.content.selection = std::move(selection);
    emit selectionChanged();
}

void Document::report(const Diagnostic& diagnostic) {
    open_.problems.add(Problems::Files, problem_of(diagnostic));
    emit problemsChanged();
}

void Document::withdraw(const std::string& file) {
    Diagnostic of_file;
    of_file.file = file;
    open_.problems.withdraw(problem_of(of_file).file);
    emit problemsChanged();
}

void Document::setLessonFaults(const std::vector<Diagnostic>& faults) {
    std::vector<Problem> problems;
    for (const Diagnostic& fault : faults) problems.push_back(problem_of(fault));
    setProblems(Problems::Lessons, std::move(problems));
}

void Document::setProblems(Problems::Source source, std::vector<Problem> problems) {
    open_.problems.set(source, std::move(problems));
    emit problemsChanged();
}

}  // namespace partita
