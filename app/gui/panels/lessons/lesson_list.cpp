#include "app/gui/panels/lessons/lesson_list.h"

#include <algorithm>
#include <utility>

#include <QDesktopServices>
#include <QDir>
#include <QUrl>

#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/style/foreign_text.h"
#include "engine/lessons/check_lesson.h"
#include "engine/lessons/grade.h"
#include "engine/support/file.h"

namespace partita {

namespace {

std::vector<Diagnostic> faults_of(const QStringList& files, const JobContext& context) {
    std::vector<Diagnostic> faults;
    for (const QString& file : files) {
        if (context.cancel.cancelled()) break;
        const Result<std::string> text = read_file(file.toStdString());
        const std::vector<Diagnostic> more =
            text ? check_lesson(*text, file.toStdString(), false) : std::vector<Diagnostic>{text.error()};
        faults.insert(faults.end(), more.begin(), more.end());
    }
    return faults;
}

}  // namespace

LessonList::LessonList(Document& document, QObject* parent) : QObject(parent), document_(document) {
    for (auto signal : {&QFileSystemWatcher::directoryChanged, &QFileSystemWatcher::fileChanged})
        connect(&watcher_, signal, this, &LessonList::filesChanged);
    watchFiles();
}

int LessonList::indexOf(const QString& file) const {
    const auto found = std::find_if(lessons_.begin(), lessons_.end(),
                                    [&file](const ListedLesson& lesson) { return lesson.file == file; });
    return found == lessons_.end() ? -1 : int(found - lessons_.begin());
}

void LessonList::read() {
    read_ = true;
    lessons_.clear();
    faults_.clear();
    watchFiles();
    for (const QString& path : find_lessons()) {
        const CheckedLesson read = open_lesson(path);
        if (!read.lesson) continue;
        lessons_.push_back({path, QString::fromStdString(read.lesson->title), QString::fromStdString(read.lesson->line),
                            QString::fromStdString(read.lesson->chapter)});
        score(count() - 1, *read.lesson, load_progress(path, *read.lesson));
    }
    checkOwn();
}

void LessonList::score(int lesson, const Lesson& of, const AnswerFile& answers) {
    ListedLesson& listed = lessons_[size_t(lesson)];
    listed.questions = int(pages_with_questions(of).size());
    listed.answered = int(answers.answers.size());
    listed.points = 0;
    listed.seconds = 0;
    int right = 0;
    for (const GivenAnswer& given : answers.answers) {
        right += given.right;
        listed.points += GradedAnswer{given.page, true, given.right, given.attempts, 0}.points();
        listed.seconds += given.seconds;
    }
    listed.done = listed.questions > 0 && right >= listed.questions;
}

CourseFile LessonList::course() const {
    CourseFile course;
    for (const ListedLesson& listed : lessons_) {
        course.points += listed.points;
        course.most_points += kPointsAtOnce * listed.questions;
        if (listed.answered == 0) continue;
        if (const CheckedLesson read = open_lesson(listed.file); read.lesson)
            course.lessons.push_back(load_progress(listed.file, *read.lesson));
    }
    return course;
}

/// Those that ship have no faults. Asking all questions of the others takes a while.
void LessonList::checkOwn() {
    if (checking_) document_.jobs().cancel(std::exchange(checking_, 0));
    QStringList files;
    for (const QFileInfo& file : own_lesson_files()) files << file.filePath();
    const auto tell = [this](const std::vector<Diagnostic>& faults) {
        checking_ = 0;
        faults_.clear();
        for (const Diagnostic& fault : faults) faults_ << shown_message(fault.to_string());
        document_.setLessonFaults(faults);
        emit faultsKnown();
    };
    if (files.isEmpty()) return tell({});
    checking_ = document_.jobs().start<std::vector<Diagnostic>>(
        tr("Checking lessons"), this, [files](const JobContext& context) { return faults_of(files, context); }, tell);
}

/// Files that are written anew are other files: they are watched again each time.
void LessonList::watchFiles() {
    const QDir folder(own_lessons_folder());
    if (!folder.exists()) return;
    watcher_.addPath(folder.path());
    for (const QFileInfo& file : own_lesson_files()) watcher_.addPath(file.filePath());
}

void LessonList::openFolder() {
    QDir().mkpath(own_lessons_folder());
    watchFiles();
    QDesktopServices::openUrl(QUrl::fromLocalFile(own_lessons_folder()));
}

}  // namespace partita
