#include "app/gui/panels/inspector/inspector_panel.h"

#include <QVBoxLayout>

#include "app/gui/editing/element_editor.h"
#include "app/gui/panels/inspector/inspector_text.h"
#include "app/gui/panels/inspector/inspector_why.h"

namespace partita {

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)),
      text_(new QTextBrowser) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    text_->setOpenLinks(false);
    text_->setAccessibleName(tr("Inspector"));
    text_->document()->setDocumentMargin(12);
    text_->setPlaceholderText(tr("Open a module to inspect it."));
    column->setSpacing(0);
    column->addWidget(text_, 1);
    column->addWidget(new ElementEditor(document_, this));
    later_.setSingleShot(true);
    later_.setInterval(0);
    connect(&later_, &QTimer::timeout, this, &InspectorPanel::refresh);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const uint index = url.path().section(QLatin1Char('/'), 0, 0).toUInt();
        const QString name = url.path().section(QLatin1Char('/'), 1);
        if (url.scheme() == QLatin1String("rule")) emit ruleWanted(int(index), name);
        if (url.scheme() == QLatin1String("newrule")) emit newRuleWanted(int(index), name);
        if (url.scheme() == QLatin1String("expr")) document_.setSelection({ExprId(index)});
        if (url.scheme() == QLatin1String("region")) emit regionSelected(int(index));
        if (url.scheme() == QLatin1String("path") && index < paths_.size()) emit pathShown(paths_[index]);
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

void InspectorPanel::setRegionsHidden(bool hidden) {
    regions_hidden_ = hidden;
    later_.start();
}

void InspectorPanel::refresh() {
    if (!document_.isOpen()) return text_->clear();
    WhyText why = this->why();
    if (regions_hidden_) why.more.clear();  // of the neighbouring regions
    text_->setHtml(inspector_text(document_, document_.names(), theme_, why, !regions_hidden_));
}

WhyText InspectorPanel::why() {
    paths_.clear();
    const FlowPtr flow = document_.flow();
    if (!flow || document_.selection().size() != 1) return {};
    if (!explanations_ || explanations_->flow != flow) {
        if (!document_.flowIsCurrent()) return {};  // the next one is under way
        if (flow->input->size() <= kExplainedAtOnce) {
            explanations_ = std::make_shared<FlowExplanations>(flow, backends_of_flow(document_));
        } else {
            WhyText waiting{QStringLiteral("<p class='m'>…</p>"), {}, {}};
            if (explaining_ && explained_ == flow) return waiting;
            if (explaining_) document_.jobs().cancel(explaining_);
            explained_ = flow;
            explaining_ = document_.jobs().start<FlowExplanationsPtr>(
                tr("Explaining"), this,
                [flow, backends = backends_of_flow(document_)](const JobContext&) {
                    return std::make_shared<FlowExplanations>(flow, backends);
                },
                [this](FlowExplanationsPtr made) {
                    explaining_ = 0;
                    explanations_ = std::move(made);
                    refresh();
                });
            return waiting;
        }
    }
    WhyText text = why_text(document_, *explanations_, document_.selection().front(), theme_);
    paths_ = std::move(text.paths);
    return text;
}

}  // namespace partita
