#include "app/gui/window/handouts.h"

#include <functional>

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/picture_file.h"
#include "engine/session/export.h"
#include "engine/support/file.h"

namespace partita {

namespace {

PaperSize paper_size() { return usual_paper().id() == QPageSize::Letter ? PaperSize::Letter : PaperSize::A4; }

Status write_pages(const std::vector<Handout>& handouts, PaperSize paper, const LessonHandoutWords& words,
                   const CancelToken& cancel, const std::string& path) {
    const Result<std::string> pages = write_handouts(handouts, paper, words, cancel);
    return pages ? write_file(path, *pages) : Status(pages.error());
}

}  // namespace

Handouts::Handouts(Document& document, LessonsPanel& lessons, Exports& exports, QWidget& window)
    : QObject(&window), document_(document), lessons_(lessons), exports_(exports), window_(window) {}

void Handouts::fill(QMenu& menu) {
    if (document_.isOpen())
        menu.addAction(tr("&To predict this graph…"), this, [this] {
            choose(QFileInfo(document_.path()).completeBaseName(), [this](const QString& path) { writeGraph(path); });
        });
    menu.addAction(tr("Of &all lessons…"), this, [this] { chooseLessons(tr("lessons"), find_lessons()); });
    if (!window_.isVisible()) return;  // as the program starts, reading lessons can wait
    QStringList chapters;
    QMap<QString, QStringList> of_chapter;
    QString open_lesson_file, open_chapter;
    for (const QString& file : find_lessons()) {
        const CheckedLesson read = open_lesson(file);
        if (!read.lesson) continue;
        const QString chapter = shown_name(read.lesson->chapter);
        if (!chapter.isEmpty() && !chapters.contains(chapter)) chapters << chapter;
        of_chapter[chapter] << file;
        if (lessons_.isInLesson() && QString::fromStdString(read.lesson->title) == document_.title())
            open_lesson_file = file, open_chapter = chapter;
    }
    if (!open_lesson_file.isEmpty())
        menu.addAction(tr("Of this &lesson…"), this,
                       [this, file = open_lesson_file] { chooseLessons(QFileInfo(file).completeBaseName(), {file}); });
    menu.addSeparator();
    for (const QString& chapter : chapters)
        menu.addAction(tr("Of the chapter “%1”…").arg(as_title(chapter)), this,
                       [this, chapter, of_chapter] { chooseLessons(chapter, of_chapter[chapter]); });
}

void Handouts::chooseLessons(const QString& name, const QStringList& lessons) {
    choose(name, [this, lessons](const QString& path) { writeLessons(lessons, path); });
}

void Handouts::choose(const QString& name, const std::function<void(const QString&)>& write) {
    const QString folder = document_.isOpen() ? QFileInfo(document_.path()).dir().path() : QString();
    QString path =
        QFileDialog::getSaveFileName(&window_, tr("Export a hand-out"),
                                     QDir(folder).filePath(name + QStringLiteral(".handout.pdf")), tr("Pages (*.pdf)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".pdf");
    write(path);
}

void Handouts::writeGraph(const QString& path) {
    std::vector<BackendDescription> backends;
    for (const BackendPtr& backend : document_.choice().backends) backends.push_back(*backend);
    document_.jobs().start<Status>(
        tr("Exporting %1").arg(QFileInfo(path).fileName()), this,
        [=, flow = document_.flow(), module = document_.shownModule(), title = document_.title().toStdString(),
         target = path.toStdString(), texts = words(), paper = paper_size()](const JobContext& context) -> Status {
            ExportSubject subject = flow ? export_subject(*flow, backends, title) : export_subject(module, title);
            subject.cancel = context.cancel;
            Result<Handout> handout = predict_handout(subject, texts);
            if (!handout) return handout.error();
            return write_pages({std::move(*handout)}, paper, texts, context.cancel, target);
        },
        [this, path](const Status& status) { exports_.tellWritten(status, path, {}); });
}

void Handouts::writeLessons(const QStringList& lessons, const QString& path) {
    document_.jobs().start<Status>(
        tr("Exporting %1").arg(QFileInfo(path).fileName()), this,
        [lessons, target = path.toStdString(), texts = words(),
         paper = paper_size()](const JobContext& context) -> Status {
            std::vector<Handout> handouts;
            for (const QString& file : lessons) {
                const CheckedLesson read = open_lesson(file);
                if (!read.lesson) continue;  // the lessons' list says what is wrong with it
                Result<Handout> handout = handout_of(*read.lesson, texts, context.cancel);
                if (!handout) return handout.error();
                handouts.push_back(std::move(*handout));
            }
            if (handouts.empty()) return error("there is no lesson without faults");
            return write_pages(handouts, paper, texts, context.cancel, target);
        },
        [this, path](const Status& status) { exports_.tellWritten(status, path, {}); });
}

LessonHandoutWords Handouts::words() {
    const auto text = [](const QString& translated) { return translated.toStdString(); };
    LessonHandoutWords words;
    words.name = text(tr("Name"));
    words.date = text(tr("Date"));
    words.solutions = text(tr("Solutions"));
    words.backends = text(tr("Backends"));
    words.predict =
        text(tr("Which backend takes which operator, and which operators are compiled together as one region?"));
    words.draw = text(tr("Write its backend at each operator, and draw a line round each region."));
    words.answer = text(tr("Answer:"));
    words.select = text(tr("On paper: circle these operators in the picture."));
    words.assign = text(tr("On paper: write its backend at each of these operators in the picture."));
    words.path = text(tr("On paper: draw the path in the picture."));
    words.reason = text(tr("On paper: tick one."));
    words.rule = text(tr("On paper: write the rule."));
    words.faster = text(tr("On paper: write down what you change, and draw the regions that result."));
    words.regions = text(tr("On paper: draw a line round each region."));
    words.order = text(tr("order of backends:"));
    return words;
}

}  // namespace partita
