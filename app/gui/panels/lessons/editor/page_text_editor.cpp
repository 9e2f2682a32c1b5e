#include "app/gui/panels/lessons/editor/page_text_editor.h"

#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTextBrowser>

#include "app/gui/panels/lessons/page_text.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

PageTextEditor::PageTextEditor(QWidget* parent)
    : QSplitter(Qt::Vertical, parent), text_(new QPlainTextEdit), preview_(new QTextBrowser) {
    text_->setObjectName(QStringLiteral("lesson-text"));
    text_->setAccessibleName(tr("Text of the page, in Markdown"));
    text_->setPlaceholderText(tr("Markdown: ## heading, **bold**, `code`, - list"));
    text_->setTabChangesFocus(true);
    text_->setProperty("field", true);
    preview_->setObjectName(QStringLiteral("lesson-preview"));
    preview_->setAccessibleName(tr("As it is read"));
    preview_->setOpenLinks(false);
    preview_->document()->setDocumentMargin(8);
    setChildrenCollapsible(false);
    for (QWidget* half : std::initializer_list<QWidget*>{text_, preview_}) {
        half->setMinimumHeight(fontMetrics().lineSpacing() * 4);
        addWidget(half);
    }
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        show_markdown(*preview_, text_->toPlainText());
        emit edited(text_->toPlainText());
    });
}

void PageTextEditor::setText(const std::string& text) {
    const QSignalBlocker silent(this);
    text_->setPlainText(QString::fromStdString(text));
}

void PageTextEditor::startTyping() {
    text_->setFocus();
    text_->selectAll();
}

}  // namespace partita
