// The lessons that there are, with what a list tells of each, and the faults of those of one's own. Follows the files
// of one's own lessons.
#pragma once

#include <vector>

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>

#include "app/gui/document/document.h"
#include "engine/lessons/answer_file.h"

namespace partita {

struct ListedLesson {
    QString file, title;
    QString line;       ///< its aim
    QString chapter;    ///< "" for none
    bool done = false;  ///< every question was answered right
    int questions = 0, answered = 0, points = 0;
    double seconds = 0;  ///< at the questions that are answered
};

class LessonList : public QObject {
    Q_OBJECT

public:
    /// Faults are told to the document, too.
    explicit LessonList(Document& document, QObject* parent = nullptr);
    int count() const { return int(lessons_.size()); }
    /// By the names of their files, in natural order.
    const std::vector<ListedLesson>& lessons() const { return lessons_; }
    const ListedLesson& operator[](int lesson) const { return lessons_[size_t(lesson)]; }
    /// Returns the place of a lesson's file; -1 for none.
    int indexOf(const QString& file) const;
    /// Faults of one's own lessons, each a line.
    const QStringList& faults() const { return faults_; }
    /// Reads all lessons again; checks those of one's own on a worker.
    void read();
    bool isRead() const { return read_; }
    /// Takes the score of a lesson from its answers.
    void score(int lesson, const Lesson& of, const AnswerFile& answers);
    /// Returns all answers that are kept of these lessons, with their score.
    CourseFile course() const;
    /// Shows the folder of the user's own lessons, and makes it if there is none.
    void openFolder();

signals:
    /// A file of one's own was added or changed.
    void filesChanged();
    void faultsKnown();

private:
    void watchFiles();
    void checkOwn();

    Document& document_;
    std::vector<ListedLesson> lessons_;
    bool read_ = false;
    QStringList faults_;
    QFileSystemWatcher watcher_;
    quint64 checking_ = 0;  ///< the job that checks lessons of one's own
};

}  // namespace partita
