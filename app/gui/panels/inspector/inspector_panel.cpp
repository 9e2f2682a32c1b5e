#include "app/gui/panels/inspector/inspector_panel.h"

#include <algorithm>
#include <utility>

#include <QScrollBar>
#include <QVBoxLayout>

#include "app/gui/editing/element_editor.h"
#include "app/gui/panels/inspector/constant_values.h"
#include "app/gui/panels/inspector/inspector_stages.h"
#include "app/gui/panels/inspector/inspector_text.h"
#include "app/gui/panels/inspector/inspector_why.h"

namespace partita {

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)), text_(new QTextBrowser),
      values_(new ConstantValues(document, *this)), stages_(new InspectorStages(document, *this)),
      questions_(document, *this) {
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
    connect(text_, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    connect(values_, &ConstantValues::ready, &later_, qOverload<>(&QTimer::start));
    connect(stages_, &InspectorStages::ready, &later_, qOverload<>(&QTimer::start));
    connect(values_, &ConstantValues::told, this, &InspectorPanel::told);
    const auto soon = [this] { later_.start(); };
    connect(&document_, &Document::opened, this, [this] { edge_.reset(); });
    connect(&document_, &Document::edited, this, [this] { edge_.reset(); });
    connect(&document_, &Document::selectionChanged, this, [this] {
        edge_.reset();
        group_.clear();
    });
    connect(&document_, &Document::opened, this, soon);
    connect(&document_, &Document::selectionChanged, this, soon);
    connect(&document_, &Document::flowChanged, this, soon);
    connect(&document_, &Document::bookmarksChanged, this, soon);
    connect(&document_, &Document::flowedValuesChanged, this, soon);
    connect(&document_, &Document::runFinished, this, soon);
}

void InspectorPanel::follow(const QUrl& url) {
    const uint index = url.path().section(QLatin1Char('/'), 0, 0).toUInt();
    const QString name = url.path().section(QLatin1Char('/'), 1);
    if (url.scheme() == QLatin1String("rule")) emit ruleWanted(int(index), name);
    if (url.scheme() == QLatin1String("line")) emit lineWanted(int(index), name.toInt());
    if (url.scheme() == QLatin1String("newrule")) emit newRuleWanted(int(index), name);
    if (url.scheme() == QLatin1String("move")) emit moveWanted(index, uint16_t(name.toUInt()), false);
    if (url.scheme() == QLatin1String("movewith")) emit moveWanted(index, uint16_t(name.toUInt()), true);
    if (url.scheme() == QLatin1String("expr")) document_.setSelection({ExprId(index)});
    if (url.scheme() == QLatin1String("values")) values_->ask(ExprId(index));
    if (url.scheme() == QLatin1String("npy")) values_->save(ExprId(index));
    if (url.scheme() == QLatin1String("npydefault")) values_->save(ExprId(index), true);
    if (url.scheme() == QLatin1String("stage")) emit stageWanted(url.path());
    if (url.scheme() == QLatin1String("function")) emit functionWanted(url.path());
    if (url.scheme() == QLatin1String("region")) emit regionSelected(int(index));
    if (url.scheme() == QLatin1String("path") && index < paths_.size()) emit pathShown(paths_[index]);
}

void InspectorPanel::showEdge(const std::optional<ShownEdge>& edge) {
    if (edge_ == edge) return;
    edge_ = edge;
    later_.start();
}

void InspectorPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    later_.start();
}

void InspectorPanel::setRegionsHidden(bool hidden) {
    regions_hidden_ = hidden;
    later_.start();
}

void InspectorPanel::setPlaced(PlacedModulePtr placed) {
    placed_ = std::move(placed);
    later_.start();
}

void InspectorPanel::refresh() {
    if (!document_.isOpen()) return text_->clear();
    const ModulePtr module = document_.shownModule();
    if (edge_ && std::max(edge_->value.value, edge_->user.value) < module->size()) {
        questions_.cancel();
        forgetCosts();
        return write({});
    }
    askCosts();
    if (document_.flow() && document_.selection().size() == 1) return askWhy();
    questions_.cancel();
    write({});
}

void InspectorPanel::askWhy() {
    const FlowChoice& choice = document_.choice();
    const WhySubject subject{document_.flow(), document_.selection().front(), document_.annotated(), choice.annotate,
                             !choice.backends.empty()};
    const FlowQuestions::Asked asked = questions_.ask<WhyText>(
        tr("Explaining"),
        [subject, theme = theme_](FlowExplainer& explainer) { return why_text(explainer, subject, theme); },
        [this](WhyText why) {
            const int place = text_->verticalScrollBar()->value();  // of somebody who reads what was there at once
            write(std::move(why));
            text_->verticalScrollBar()->setValue(place);
        });
    if (asked == FlowQuestions::Asked::Waiting) write({QStringLiteral("<p class='m'>…</p>"), {}, {}, {}, {}});
    if (asked == FlowQuestions::Asked::Nothing) write({});  // the next flow is under way
}

void InspectorPanel::forgetCosts() {
    document_.jobs().cancel(std::exchange(costs_job_, 0));
    costs_.clear();
}

void InspectorPanel::askCosts() {
    forgetCosts();
    const FlowPtr flow = document_.flow();
    if (!placed_ || !flow || regions_hidden_ || document_.selection().size() != 1) return;
    costs_job_ = document_.jobs().start<std::optional<OperatorCosts>>(
        tr("Explaining"), this,
        [placed = placed_, flow, expr = document_.selection().front()](const JobContext&) {
            return operator_costs(*placed, *flow, expr);
        },
        [this, flow](std::optional<OperatorCosts> costs) {
            costs_job_ = 0;
            if (!costs || flow != document_.flow()) return;
            costs_ = costs_text(*placed_, *costs, document_, theme_);
            const int place = text_->verticalScrollBar()->value();
            write(why_);
            text_->verticalScrollBar()->setValue(place);
        });
}

void InspectorPanel::showGroup(const QString& title, const QString& difference) {
    group_ = title.isEmpty() ? QString() : QStringLiteral("<h2>%1</h2>").arg(title.toHtmlEscaped());
    if (!difference.isEmpty()) group_ += QStringLiteral("<p>%1</p>").arg(difference.toHtmlEscaped());
    later_.start();
}

void InspectorPanel::write(WhyText why) {
    why_ = why;
    paths_ = std::move(why.paths);
    if (regions_hidden_) why.more.clear();  // of the neighbouring regions
    why.html += costs_;
    const std::vector<ExprId>& selection = document_.selection();
    const ExprId shown = edge_ ? edge_->value : selection.size() == 1 ? selection.front() : ExprId();
    const QString values = shown.valid() && values_->has(shown) ? values_->text(shown, theme_) : QString();
    why.group = group_;
    if (edge_) why.edge = edge_text(document_.names(), *edge_, theme_);
    why.more = values + why.more;
    if (!edge_ && !regions_hidden_ && selection.size() == 1) why.more += stages_->text(selection.front());
    text_->setHtml(inspector_text(document_, document_.names(), theme_, why, !regions_hidden_));
}

}  // namespace partita
