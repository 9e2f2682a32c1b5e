// The text of a page in Markdown, and below it as it is read.
#pragma once

#include <QSplitter>

class QPlainTextEdit;
class QTextBrowser;

namespace partita {

class PageTextEditor : public QSplitter {
    Q_OBJECT

public:
    explicit PageTextEditor(QWidget* parent = nullptr);
    /// Emits nothing.
    void setText(const std::string& text);
    /// Takes the keyboard, with all text selected.
    void startTyping();

signals:
    void edited(const QString& text);

private:
    QPlainTextEdit* text_;
    QTextBrowser* preview_;
};

}  // namespace partita
