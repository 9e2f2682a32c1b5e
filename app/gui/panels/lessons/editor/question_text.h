// A field for a text of several lines in the form of a question.
#pragma once

#include <QPlainTextEdit>

namespace partita {

inline QPlainTextEdit* make_question_text(const QString& name, const QString& placeholder, int lines) {
    auto* text = new QPlainTextEdit;
    text->setObjectName(name);
    text->setAccessibleName(placeholder);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setProperty("field", true);
    text->setFixedHeight(text->fontMetrics().lineSpacing() * lines + 12);
    return text;
}

}  // namespace partita
