#include "app/gui/panels/lessons/editor/lesson_draft.h"

#include <algorithm>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>

#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lesson_page.h"
#include "app/gui/style/foreign_text.h"
#include "engine/frontends/relay/printer.h"
#include "engine/lessons/answer_text.h"
#include "engine/lessons/check_lesson.h"
#include "engine/lessons/lesson_handout.h"
#include "engine/lessons/lesson_writer.h"
#include "engine/lessons/question_kinds.h"
#include "engine/support/file.h"

namespace partita {

namespace {

constexpr size_t kMostShown = 5000;         ///< expressions: a lesson's graph is small, and held against the open one
constexpr double kMostWeights = 512 << 10;  ///< bytes: printing more of them as text would hold the window up
constexpr int kPause = 300;                 ///< ms without a change until the lesson is checked and kept

Diagnostic told(const QString& message) { return error(message.toStdString()); }

std::string graph_text(const Module& module) {
    RelayPrintOptions options;
    options.types = false;
    return print_relay(module, options);
}

/// Returns whether the graph that is open is small enough to be the graph of a lesson.
bool is_printable(const Document& document) {
    return document.shownModule()->size() <= kMostShown && document.summary().constant_bytes <= kMostWeights;
}

/// Returns whether calls have the same numbers in both.
bool same_numbers(const ExpressionNames& a, const ExpressionNames& b) {
    if (a.calls().size() != b.calls().size()) return false;
    for (size_t i = 0; i < a.calls().size(); ++i)
        if (a.name(a.calls()[i]) != b.name(b.calls()[i])) return false;
    return true;
}

/// Puts the graph that is open, and its backends, into a lesson.
Status take_graph(Lesson& lesson, Document& document) {
    const ModulePtr module = document.shownModule();
    if (!module) return told(LessonDraft::tr("Open a module first"));
    if (module->size() > kMostShown)
        return told(LessonDraft::tr("This graph is too large for a lesson: it has more than 5000 expressions."));
    if (!is_printable(document)) return told(LessonDraft::tr("The weights of this module are too large for a lesson."));
    lesson.graph = graph_text(*module);
    lesson.backends = document.choice().backends;
    if (const Result<std::string> text = format_lesson(lesson); !text) return text.error();
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(lesson);
    if (!graph) return graph.error();
    if (!same_numbers(ExpressionNames((*graph)->module()), document.names()))
        return told(LessonDraft::tr("This graph can't be written as text: it is another one when it is read again."));
    return Nothing();
}

CheckedDraft check_draft(const Lesson& lesson, bool measure) {
    CheckedDraft checked;
    const Result<std::string> text = format_lesson(lesson);
    if (!text) {
        checked.faults.push_back(text.error());
    } else {
        checked.faults = check_lesson(*text, std::string(), measure);
        const std::vector<LessonPage> pages = read_lesson(*text, std::string()).as_read.pages;
        for (const Diagnostic& fault : checked.faults) {
            int page = -1;
            for (size_t i = 0; i < pages.size(); ++i)
                if (fault.position.line >= pages[i].position.line) page = int(i);
            checked.fault_pages.push_back(page);
        }
    }
    checked.fault_pages.resize(checked.faults.size(), -1);
    if (const auto graph = LessonGraph::of(lesson)) checked.graph = *graph;
    for (const LessonPage& page : lesson.pages) {
        checked.solutions.emplace_back();
        if (!checked.graph || !page.question || !lacks_of(*page.question).empty()) continue;
        if (const auto graph = LessonGraph::of(checked.graph, page))
            checked.solutions.back() = solution_of(**graph, *page.question);
    }
    return checked;
}

/// Returns the path of a lesson that does not exist yet.
QString unused_path(const QString& beginning) {
    QString path = beginning + QStringLiteral(".json");
    for (int number = 2; QFile::exists(path); ++number) path = QStringLiteral("%1-%2.json").arg(beginning).arg(number);
    return path;
}

std::string content_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(qint64(kLongestLesson) + 1).toStdString() : std::string();
}

}  // namespace

LessonDraft::LessonDraft(Document& document, QObject* parent) : QObject(parent), document_(document) {
    later_.setSingleShot(true);
    later_.setInterval(kPause);
    connect(&later_, &QTimer::timeout, this, [this] {
        keep();
        check();
    });
}

LessonDraft::~LessonDraft() {
    if (later_.isActive()) keep();
}

Status LessonDraft::begin() {
    Lesson lesson;
    lesson.title = tr("My lesson").toStdString();
    if (Status taken = take_graph(lesson, document_); !taken) return taken;
    LessonPage page;
    page.text = tr("## The first page").toStdString();
    record_choice(page, lesson, document_.choice(), document_.names());
    lesson.pages.push_back(std::move(page));
    start(std::move(lesson), {}, true);
    return Nothing();
}

Status LessonDraft::open(const QString& path) {
    const bool own = QFileInfo(path).absolutePath() == QFileInfo(own_lessons_folder()).absoluteFilePath();
    // A copy is written in the author's language.
    CheckedLesson read = own ? read_lesson(content_of(path), path.toStdString()) : open_lesson(path);
    if (read.lesson) read.as_read = std::move(*read.lesson);
    if (read.as_read.pages.empty())
        return read.faults.empty() ? told(tr("This lesson has no page.")) : read.faults.front();
    start(std::move(read.as_read), own ? path : QString(), !own);
    return Nothing();
}

Status LessonDraft::takeGraph() {
    Lesson lesson = lesson_;
    if (Status taken = take_graph(lesson, document_); !taken) return taken;
    edit([&](Lesson& mine) { mine = std::move(lesson); });
    return Nothing();
}

void LessonDraft::start(Lesson lesson, const QString& path, bool unsaved) {
    lesson_ = std::move(lesson);
    path_ = path;
    unsaved_ = unsaved;
    checked_ = {};
    compared_ = nullptr;
    emit opened();
    keep();
    check();
}

void LessonDraft::close() { start({}, {}, false); }

void LessonDraft::edit(const std::function<void(Lesson&)>& change) {
    const std::string graph = lesson_.graph;
    change(lesson_);
    if (lesson_.graph != graph) compared_ = nullptr;
    unsaved_ = true;
    later_.start();
    emit edited();
}

Status LessonDraft::save(const QString& path) {
    const Result<std::string> text = format_lesson(lesson_);
    if (!text) return text.error();
    QDir().mkpath(QFileInfo(path).absolutePath());
    if (Status written = write_file(path.toStdString(), *text); !written) return written;
    path_ = path;
    unsaved_ = false;
    keep();
    emit edited();
    return Nothing();
}

QString LessonDraft::suggestedPath() const {
    QString name;
    for (const QChar letter : QString::fromStdString(lesson_.title).left(60).toLower()) {
        if (letter.isLetterOrNumber()) name += letter;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-'))) name += QLatin1Char('-');
    }
    while (name.endsWith(QLatin1Char('-'))) name.chop(1);
    if (name.isEmpty()) name = QStringLiteral("lesson");
    return unused_path(own_lessons_folder() + QLatin1Char('/') + name);
}

QString LessonDraft::lessonPath(const QString& chosen) {
    QString beginning = chosen;
    if (beginning.endsWith(QLatin1String(".json"))) beginning.chop(5);
    const qsizetype name = beginning.lastIndexOf(QLatin1Char('/')) + 1;
    beginning = beginning.left(name) + beginning.mid(name).replace(QLatin1Char('.'), QLatin1Char('-'));
    const QString path = beginning + QStringLiteral(".json");
    return path == chosen ? path : unused_path(beginning);
}

bool LessonDraft::isGraphShown() {
    if (!isOpen() || !document_.isOpen() || !checked_.graph) return false;
    const ModulePtr shown = document_.shownModule();
    if (shown == compared_) return same_graph_;
    compared_ = shown;
    const Module& mine = checked_.graph->module();
    same_graph_ = is_printable(document_) && same_numbers(ExpressionNames(mine), document_.names()) &&
                  graph_text(mine) == graph_text(*shown);
    return same_graph_;
}

void LessonDraft::check(bool measure) {
    if (job_) document_.jobs().cancel(std::exchange(job_, 0));
    if (!isOpen()) return;
    job_ = document_.jobs().start<CheckedDraft>(
        tr("Checking the lesson"), this,
        [lesson = lesson_, measure](const JobContext&) { return check_draft(lesson, measure); },
        [this, measure](CheckedDraft checked) {
            job_ = 0;
            checked_ = std::move(checked);
            compared_ = nullptr;
            emit wasChecked();
            if (measure && checked_.faults.empty()) emit measured();
        });
}

QString LessonDraft::keptPath() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/lesson-draft");
}

bool LessonDraft::hasKept() { return QFile::exists(keptPath()); }

/// The first line is the path of its file.
void LessonDraft::keep() const {
    if (!isUnsaved()) {
        QFile::remove(keptPath());
        return;
    }
    QDir().mkpath(QFileInfo(keptPath()).absolutePath());
    if (const Result<std::string> text = format_lesson(lesson_))
        if (Status kept = write_file(keptPath().toStdString(), path_.toStdString() + "\n" + *text); !kept)
            document_.report(kept.error());
}

Status LessonDraft::restore() {
    const std::string content = content_of(keptPath());
    const size_t line = std::min(content.find('\n'), content.size());
    CheckedLesson read = read_lesson(std::string_view(content).substr(std::min(line + 1, content.size())), "");
    if (read.as_read.pages.empty()) return told(tr("The lesson that was left can't be read."));
    start(std::move(read.as_read), QString::fromStdString(content.substr(0, line)), true);
    return Nothing();
}

QString call_names(const std::vector<uint32_t>& calls, const LessonGraph* graph) {
    QStringList names;
    for (uint32_t call : calls)
        names << (graph && graph->has(call) ? shown_name(expression_name(graph->module(), graph->id(call)))
                                            : QStringLiteral("#%1").arg(call));
    return names.join(QStringLiteral(", "));
}

std::vector<uint32_t> LessonDraft::selectedCalls() {
    std::vector<uint32_t> calls;
    if (!isGraphShown()) return calls;
    for (ExprId id : document_.selection())
        if (document_.shownModule()->called_op(id).valid()) calls.push_back(document_.names().number(id));
    std::sort(calls.begin(), calls.end());
    return calls;
}

QString shown_setting(const LessonSetting& setting, const LessonGraph& graph) {
    AnswerForm form;
    form.order = handout_words(QLocale().name().toStdString()).order;
    return shown_name(setting_text(setting, graph, form));
}

QString shown_answer(const LessonAnswer& answer, const LessonQuestion& question, const LessonGraph& graph) {
    AnswerForm form;
    form.order = handout_words(QLocale().name().toStdString()).order;
    return shown_name(answer_text(answer, question, graph, form));
}

}  // namespace partita
