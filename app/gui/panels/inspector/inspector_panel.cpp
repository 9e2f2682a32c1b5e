#include "app/gui/panels/inspector/inspector_panel.h"

#include <QVBoxLayout>

#include "app/gui/panels/inspector/inspector_text.h"

namespace partita {

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)), text_(new QTextBrowser) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    text_->setOpenLinks(false);
    text_->setAccessibleName(tr("Inspector"));
    text_->document()->setDocumentMargin(12);
    text_->setPlaceholderText(tr("Open a module to inspect it."));
    column->addWidget(text_);
    later_.setSingleShot(true);
    later_.setInterval(0);
    connect(&later_, &QTimer::timeout, this, &InspectorPanel::refresh);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const uint index = url.path().toUInt();
        if (url.scheme() == QLatin1String("expr")) document_.setSelection({ExprId(index)});
        if (url.scheme() == QLatin1String("region")) emit regionSelected(int(index));
    });
    const auto soon = [this] { later_.start(); };
    connect(&document_, &Document::opened, this, soon);
    connect(&document_, &Document::selectionChanged, this, soon);
    connect(&document_, &Document::flowChanged, this, soon);
}

void InspectorPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    refresh();
}

void InspectorPanel::refresh() {
    if (!document_.isOpen()) return text_->clear();
    text_->setHtml(inspector_text(document_, document_.names(), theme_));
}

}  // namespace partita
