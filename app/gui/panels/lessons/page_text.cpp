#include "app/gui/panels/lessons/page_text.h"

#include <cmath>

#include <QAbstractTextDocumentLayout>
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

void PageText::fit() { setFixedHeight(int(std::ceil(document()->size().height())) + 2 * frameWidth()); }

}  // namespace partita
