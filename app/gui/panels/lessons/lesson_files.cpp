#include "app/gui/panels/lessons/lesson_files.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>

#include "engine/support/file.h"
#include "engine/support/natural_order.h"

namespace partita {

namespace {

std::string read_all(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(qint64(kLongestLesson) + 1).toStdString() : std::string();
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

QString data_folder(const char* name) {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QLatin1Char('/') + QLatin1String(name);
}

QString progress_path(const QString& lesson_path) {
    return data_folder("answers") + QLatin1Char('/') + QFileInfo(lesson_path).fileName();
}

}  // namespace

QString own_lessons_folder() { return data_folder("lessons"); }

QFileInfoList own_lesson_files() {
    QFileInfoList files = QDir(own_lessons_folder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files);
    files.removeIf([](const QFileInfo& file) { return file.completeBaseName().contains(QLatin1Char('.')); });
    return files;
}

CheckedLesson open_lesson(const QString& path) {
    CheckedLesson lesson = read_lesson(read_all(path), path.toStdString());
    if (const QString other = translation_of(path); lesson.lesson && !other.isEmpty())
        translate_lesson(*lesson.lesson, read_all(other));
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
    folders << own_lessons_folder();
    for (const QString& place : folders)
        for (const QFileInfo& file : QDir(place).entryInfoList({QStringLiteral("*.json")}, QDir::Files))
            if (!file.completeBaseName().contains(QLatin1Char('.')))
                by_name[file.fileName()] = file.filePath();  // else a translation
    QStringList names;
    for (const auto& [name, path] : by_name) names << name;
    std::sort(names.begin(), names.end(),
              [](const QString& a, const QString& b) { return natural_less(a.toStdString(), b.toStdString()); });
    QStringList files;
    for (const QString& name : names) files << by_name[name];
    return files;
}

AnswerFile load_progress(const QString& lesson_path, const Lesson& lesson) {
    AnswerFile fresh;
    fresh.lesson = lesson.title;
    fresh.of = checksum_of(lesson);
    if (lesson_path.isEmpty()) return fresh;
    const QString path = progress_path(lesson_path);
    if (!QFile::exists(path)) return fresh;
    Result<AnswerFile> kept = parse_answers(read_all(path), path.toStdString());
    return kept && kept->of == fresh.of ? *kept : fresh;
}

Status save_progress(const QString& lesson_path, const AnswerFile& answers) {
    QDir().mkpath(data_folder("answers"));
    AnswerFile dated = answers;
    dated.made = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    return write_file(progress_path(lesson_path).toStdString(), format_answers(dated));
}

Result<QString> script_file(const LessonScript& script) {
    const QString folder = data_folder("scripts");
    QDir().mkpath(folder);
    QString path = folder + QLatin1Char('/') + QString::fromStdString(script.name);
    if (QFile::exists(path)) return path;
    if (Status written = write_file(path.toStdString(), script.text); !written) return written.error();
    return path;
}

void forget_progress(const QString& lesson_path) { QFile::remove(progress_path(lesson_path)); }

}  // namespace partita
