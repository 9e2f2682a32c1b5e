#include "app/gui/panels/lessons/lesson.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include "engine/flow/names.h"
#include "engine/ops/annotations.h"

namespace partita {

namespace {

using nlohmann::json;

Diagnostic fault(const std::string& file, const std::string& message) {
    Diagnostic diagnostic = error(message);
    diagnostic.file = file;
    return diagnostic;
}

QString text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

/// A backend of the lesson has no file: saving its rules must not write over the lesson.
Result<BackendPtr> read_backend(const json& entry, const std::string& lesson) {
    Result<BackendDescription> backend = entry.is_string() ? builtin_backend(entry.get<std::string>())
                                                           : parse_backend_description(entry.dump(2), std::string());
    if (!backend) return fault(lesson, backend.error().message);
    return BackendPtr(std::make_shared<BackendDescription>(std::move(*backend)));
}

constexpr qint64 kLongestLesson = 4 << 20;

std::string read_all(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(kLongestLesson).toStdString() : std::string();
}

/// The lesson's texts in the language of the default locale: NAME.zh_CN.json, else NAME.zh.json; "" where there is
/// none.
QString translation_of(const QString& path) {
    const QString beginning = path.chopped(int(sizeof(".json")) - 1), locale = QLocale().name();
    for (const QString& language : {locale, locale.section(QLatin1Char('_'), 0, 0)}) {
        QString file = QStringLiteral("%1.%2.json").arg(beginning, language);
        if (QFile::exists(file)) return file;
    }
    return {};
}

void put(QString& text, const json& object, const char* key) {
    if (const QString other = text_of(object, key); !other.isEmpty()) text = other;
}

LessonPage read_page(const json& entry) {
    LessonPage page;
    page.text = text_of(entry, "text");
    if (const auto steps = entry.find("do"); steps != entry.end() && steps->is_array())
        for (const json& step : *steps) {
            page.annotate |= step == "annotate";
            page.merge |= step == "merge";
            page.partition |= step == "partition";
        }
    if (const auto predict = entry.find("predict"); predict != entry.end()) page.predict = *predict == true;
    const auto question = entry.find("question");
    if (question == entry.end() || !question->is_object()) return page;
    const auto about = question->find("region_of");
    if (about == question->end() || !about->is_number_unsigned()) return page;
    page.question = LessonQuestion{about->get<uint32_t>(), text_of(*question, "right"), text_of(*question, "wrong")};
    return page;
}

}  // namespace

Result<Lesson> read_lesson(const std::string& text, const std::string& file) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) return fault(file, "this is no lesson: it is no JSON object");
    Lesson lesson;
    lesson.title = text_of(document, "title");
    lesson.graph = text_of(document, "graph");
    if (lesson.title.isEmpty() || lesson.graph.isEmpty())
        return fault(file, "a lesson needs a \"title\" and a \"graph\"");
    if (const auto backends = document.find("backends"); backends != document.end() && backends->is_array())
        for (const json& entry : *backends) {
            Result<BackendPtr> backend = read_backend(entry, file);
            if (!backend) return backend.error();
            lesson.backends.push_back(*backend);
        }
    if (const auto pages = document.find("pages"); pages != document.end() && pages->is_array())
        for (const json& entry : *pages)
            if (entry.is_object()) lesson.pages.push_back(read_page(entry));
    if (lesson.pages.empty()) return fault(file, "a lesson needs at least one of \"pages\"");
    return lesson;
}

void translate_lesson(Lesson& lesson, const std::string& text) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) return;
    put(lesson.title, document, "title");
    const auto pages = document.find("pages");
    if (pages == document.end() || !pages->is_array()) return;
    for (size_t i = 0; i < pages->size() && i < lesson.pages.size(); ++i) {
        const json& entry = (*pages)[i];
        if (!entry.is_object()) continue;
        put(lesson.pages[i].text, entry, "text");
        if (!lesson.pages[i].question) continue;
        put(lesson.pages[i].question->right, entry, "right");
        put(lesson.pages[i].question->wrong, entry, "wrong");
    }
}

Result<Lesson> open_lesson(const QString& path) {
    Result<Lesson> lesson = read_lesson(read_all(path), path.toStdString());
    if (const QString other = translation_of(path); lesson && !other.isEmpty())
        translate_lesson(*lesson, read_all(other));
    return lesson;
}

QStringList find_lessons() {
    std::map<QString, QString> by_name;
    QStringList folders{QStringLiteral(":/lessons")};
    QDir folder(QCoreApplication::applicationDirPath());
    for (int level = 0; level < 6; ++level) {
        for (const char* place : {"resources/lessons", "share/partita/lessons"})
            if (folder.exists(QLatin1String(place))) folders << folder.filePath(QLatin1String(place));
        if (!folder.cdUp()) break;
    }
    folders << QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/lessons");
    for (const QString& place : folders)
        for (const QFileInfo& file : QDir(place).entryInfoList({QStringLiteral("*.json")}, QDir::Files))
            if (!file.completeBaseName().contains(QLatin1Char('.')))
                by_name[file.fileName()] = file.filePath();  // else a translation
    QStringList files;
    for (const auto& [name, path] : by_name) files << path;
    return files;
}

Result<Comparison> check_answer(const Lesson& lesson, const LessonQuestion& question, const ModulePtr& module,
                                const std::vector<ExprId>& selection) {
    FlowChoice choice;
    choice.backends = lesson.backends;
    choice.annotate = choice.merge = true;
    Result<FlowResult> flow = run_flow(module, flow_options(choice, has_annotations(*module), CancelToken()));
    if (!flow) return flow.error();
    const ExprId about = ExpressionNames(*module).numbered(question.region_of);
    const int32_t region = about.valid() ? flow->region_of[about.value] : -1;
    Comparison comparison;
    const auto counts = [&](ExprId id) { return module->called_op(id).valid(); };
    if (region >= 0)
        for (ExprId id : flow->regions[size_t(region)].expressions)
            if (counts(id)) comparison.region.push_back(id);
    const auto has = [](const std::vector<ExprId>& list, ExprId id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    };
    for (ExprId id : comparison.region)
        if (!has(selection, id)) comparison.missed.push_back(id);
    for (ExprId id : selection)
        if (counts(id) && !has(comparison.region, id)) comparison.extra.push_back(id);
    return comparison;
}

}  // namespace partita
