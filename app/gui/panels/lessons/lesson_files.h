// The files of lessons: built in, beside the program, the user's; in the language of the person where somebody wrote
// that. And the files of answers, one for each lesson, which are the progress.
#pragma once

#include <QFileInfo>
#include <QString>
#include <QStringList>

#include "engine/lessons/answer_file.h"
#include "engine/lessons/lesson.h"

namespace partita {

/// Returns the files of all lessons, sorted by name in natural order; the last of a name counts.
QStringList find_lessons();
/// Returns the folder of the user's own lessons.
QString own_lessons_folder();
/// Returns the lessons there, without translations.
QFileInfoList own_lesson_files();
/// Reads a lesson's file, with the texts of the language of the default locale where somebody wrote them.
CheckedLesson open_lesson(const QString& path);

/// Reads the answers that were given to a lesson; none if they do not fit it.
AnswerFile load_progress(const QString& lesson_path, const Lesson& lesson);
/// Keeps them. A failure loses progress alone, and says so.
Status save_progress(const QString& lesson_path, const AnswerFile& answers);
/// Writes the rules that come with a lesson where they may be changed, unless they stand there already. Returns the
/// file.
Result<QString> script_file(const LessonScript& script);
void forget_progress(const QString& lesson_path);

}  // namespace partita
