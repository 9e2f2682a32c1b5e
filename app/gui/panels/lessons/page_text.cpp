#include "app/gui/panels/lessons/page_text.h"

#include <cmath>

#include <QAbstractTextDocumentLayout>
#include <QTextFrame>
#include <QTextTable>
#include <QWheelEvent>

namespace partita {

PageText::PageText(QWidget* parent) : QTextBrowser(parent) {
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this, &PageText::fit);
}

void PageText::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fit();
}

void PageText::wheelEvent(QWheelEvent* event) { event->ignore(); }

void show_markdown(QTextBrowser& browser, const QString& markdown) {
    browser.setMarkdown(markdown);
    for (QTextFrame* frame : browser.document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(browser.palette().brush(QPalette::Mid));
        format.setBorderCollapse(true);
        format.setCellPadding(4);
        table->setFormat(format);
    }
}

void PageText::showMarkdown(const QString& markdown) {
    markdown_ = markdown;
    show_markdown(*this, markdown);
}

void PageText::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    const bool looks = event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange;
    if (looks && !markdown_.isEmpty()) showMarkdown(markdown_);
}

void PageText::fit() { setFixedHeight(int(std::ceil(document()->size().height())) + 2 * frameWidth()); }

}  // namespace partita
