#include "app/gui/window/handouts.h"

#include <functional>

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/save_path.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/picture_file.h"
#include "engine/session/export.h"
#include "engine/support/file.h"

namespace partita {

namespace {

PaperSize paper_size() { return chosen_paper().id() == QPageSize::Letter ? PaperSize::Letter : PaperSize::A4; }

/// In the language of the window.
LessonHandoutWords words() { return handout_words(QLocale().name().toStdString()); }

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
    if (const QString file = lessons_.lessonFile(); !file.isEmpty())
        menu.addAction(tr("Of this &lesson…"), this,
                       [this, file] { chooseLessons(QFileInfo(file).completeBaseName(), {file}); });
    QStringList chapters, all;
    QMap<QString, QStringList> of_chapter;
    for (const ListedLesson& lesson : lessons_.list().lessons()) {
        const QString chapter = shown_name(lesson.chapter);
        if (!chapter.isEmpty() && !chapters.contains(chapter)) chapters << chapter;
        of_chapter[chapter] << lesson.file;
        all << lesson.file;
    }
    menu.addAction(tr("Of &all lessons…"), this, [this, all] { chooseLessons(tr("lessons"), all); });
    menu.addSeparator();
    for (const QString& chapter : chapters)
        menu.addAction(tr("Of the chapter “%1”…").arg(as_title(chapter)), this,
                       [this, chapter, of_chapter] { chooseLessons(chapter, of_chapter[chapter]); });
    addPapers(menu);
}

/// All pages that are written are of the paper that is chosen here.
void Handouts::addPapers(QMenu& menu) {
    menu.addSeparator();
    for (const QPageSize::PageSizeId paper : {QPageSize::A4, QPageSize::Letter}) {
        QAction* action =
            menu.addAction(tr("On paper of size %1").arg(paper == QPageSize::A4 ? tr("A4") : tr("Letter")), this,
                           [paper] { choose_paper(paper); });
        action->setCheckable(true);
        action->setChecked(chosen_paper().id() == paper);
    }
}

void Handouts::chooseLessons(const QString& name, const QStringList& lessons) {
    choose(name, [this, lessons](const QString& path) { writeLessons(lessons, path); });
}

void Handouts::choose(const QString& name, const std::function<void(const QString&)>& write) {
    const QString folder = document_.isOpen() ? QFileInfo(document_.path()).dir().path() : QString();
    const QString path = ask_where_to_save(&window_, tr("Export a hand-out"),
                                           QDir(folder).filePath(name + QStringLiteral(".handout.pdf")),
                                           tr("Pages (*.pdf)"), QStringLiteral(".pdf"));
    if (!path.isEmpty()) write(path);
}

void Handouts::writeGraph(const QString& path) {
    const std::vector<BackendDescription> backends = descriptions_of(document_.choice());
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

}  // namespace partita
