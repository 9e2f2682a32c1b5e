#include "app/gui/panels/lessons/editor/lesson_heading.h"

#include <QHBoxLayout>
#include <QLineEdit>

namespace partita {

LessonHeading::LessonHeading(LessonDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), title_(addField(QStringLiteral("lesson-title"), tr("Title"), &Lesson::title)),
      chapter_(addField(QStringLiteral("lesson-chapter"), tr("Chapter"), &Lesson::chapter)),
      line_(addField(QStringLiteral("lesson-line"), tr("Aim: what is learned, in a line"), &Lesson::line)) {
    auto* names = new QHBoxLayout;
    names->setSpacing(4);
    names->addWidget(title_, 3);
    names->addWidget(chapter_, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(names);
    column->addWidget(line_);
}

QLineEdit* LessonHeading::addField(const QString& name, const QString& what, std::string Lesson::*member) {
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setPlaceholderText(what);
    field->setAccessibleName(what);
    field->setToolTip(what);
    connect(field, &QLineEdit::textEdited, this, [this, member](const QString& text) {
        draft_.edit([&](Lesson& lesson) { lesson.*member = text.toStdString(); });
    });
    return field;
}

void LessonHeading::fill() {
    const Lesson& lesson = draft_.lesson();
    title_->setText(QString::fromStdString(lesson.title));
    chapter_->setText(QString::fromStdString(lesson.chapter));
    line_->setText(QString::fromStdString(lesson.line));
    for (QLineEdit* field : {title_, chapter_, line_}) field->setCursorPosition(0);
}

}  // namespace partita
