#include "app/gui/canvas/graph_page.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/canvas/graph_search.h"
#include "app/gui/canvas/search_bar.h"

namespace partita {

QString PageTarget::title() const {
    if (literal.valid()) {
        const std::string_view name = literal_module->function_info(literal).string_attribute("Composite");
        return name.empty() ? QStringLiteral("fn") : QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    const QString name = QLatin1Char('@') + function;
    return source == Source::Partitioned && function == QLatin1String("main") ? GraphPage::tr("%1 partitioned").arg(name) : name;
}

GraphPage::GraphPage(Document& document, PageTarget target, QWidget* parent)
    : QWidget(parent), document_(document), target_(std::move(target)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    breadcrumb_ = new QWidget;
    search_bar_ = new SearchBar;
    search_bar_->hide();
    view_ = new GraphView;
    column->addWidget(breadcrumb_);
    column->addWidget(search_bar_);
    column->addWidget(view_, 1);
    setFocusProxy(view_);
    buildBreadcrumb();

    overlay_ = new QWidget(view_);
    overlay_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(overlay_);
    row->setContentsMargins(12, 6, 6, 6);
    overlay_text_ = new QLabel;
    auto* stop = new QPushButton(tr("Stop"));
    connect(stop, &QPushButton::clicked, this, [this] { document_.jobs().cancel(layout_job_); });
    row->addWidget(overlay_text_);
    row->addWidget(stop);
    overlay_->hide();

    connect(view_, &GraphView::selectionEdited, this, [this] { document_.setSelection(selectedOrigins()); });
    connect(view_, &GraphView::nodeActivated, this, &GraphPage::activated);
    connect(view_, &GraphView::contextMenuRequested, this, &GraphPage::contextMenuRequested);
    connect(search_bar_, &SearchBar::queryChanged, this, [this] { runSearch(); });
    connect(search_bar_, &SearchBar::closed, this, [this] {
        search_bar_->hide();
        redecorate();
        view_->setFocus();
    });
    connect(search_bar_, &SearchBar::stepped, this, [this](int by) {
        if (!model_) return;
        const std::vector<uint32_t> hits = search_graph(search_bar_->query(), *model_, *view_->decoration());
        if (hits.empty()) return;
        const int64_t current = view_->currentNode();
        auto next = by > 0 ? std::upper_bound(hits.begin(), hits.end(), current,
                                              [](int64_t a, uint32_t b) { return a < int64_t(b); })
                           : std::lower_bound(hits.begin(), hits.end(), current,
                                              [](uint32_t a, int64_t b) { return int64_t(a) < b; });
        if (by > 0 && next == hits.end()) next = hits.begin();
        if (by < 0) next = next == hits.begin() ? hits.end() - 1 : next - 1;
        view_->selectNodes({*next});
        view_->reveal({*next});
        document_.setSelection(selectedOrigins());
        search_bar_->showHits(int(hits.size()), int(next - hits.begin()));
    });
    connect(search_bar_, &SearchBar::selectionWanted, this, [this] {
        if (!model_) return;
        const std::vector<uint32_t> hits = search_graph(search_bar_->query(), *model_, *view_->decoration());
        view_->selectNodes(hits);
        view_->reveal(hits);
        document_.setSelection(selectedOrigins());
        view_->setFocus();
    });
    connect(&document_, &Document::choiceChanged, this, &GraphPage::redecorate);
    connect(&document_, &Document::flowChanged, this, &GraphPage::refresh);
    connect(&document_, &Document::opened, this, &GraphPage::refresh);
    connect(&document_, &Document::selectionChanged, this, &GraphPage::showSelection);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id != layout_job_) return;
        layout_job_ = 0;
        updateStatus();
        emit settled();
    });
    refresh();
}

GraphPage::~GraphPage() {
    if (layout_job_) document_.jobs().cancel(layout_job_);
}

ModulePtr GraphPage::module() const {
    if (target_.literal.valid()) return target_.literal_module;
    return target_.source == PageTarget::Source::Shown ? document_.shownModule() : document_.partitioned();
}

ExprId GraphPage::function() const {
    const ModulePtr in = module();
    if (!in) return {};
    return target_.literal.valid() ? target_.literal : in->find_function(target_.function.toStdString());
}

DecorationInput GraphPage::decorationInput() const {
    if (step_) return *step_;
    DecorationInput input;
    input.flow = document_.flow();
    for (const BackendPtr& backend : document_.choice().backends) input.backends.push_back(backend->name);
    input.shown_module = target_.source == PageTarget::Source::Shown && !target_.literal.valid();
    if (input.shown_module) input.overrides = document_.choice().overrides;
    return input;
}

void GraphPage::refresh() {
    const ModulePtr now = module();
    const ExprId shown = function();
    if (!shown.valid()) return;
    const bool same = model_ && model_->module == now && model_->function == shown && model_options_ == options_.model;
    if (!same) return startLayout(true);
    redecorate();
    if (!laid_out_as_ || !same_regions(*laid_out_as_, *view_->decoration())) startLayout(false);
    else if (layout_job_) {
        document_.jobs().cancel(layout_job_);
        layout_job_ = 0;
        updateStatus();
        emit settled();
    } else {
        emit settled();
    }
}

void GraphPage::redecorate() {
    if (!model_) return;
    DecorationInput input = decorationInput();
    if (input.shown_module && input.flow && input.flow->input != model_->module) return;  // a new model is on its way
    input.heat = heat_.get();
    auto decoration = std::make_shared<GraphDecoration>(decorate_graph(*model_, input));
    if (search_bar_->isVisible()) {
        const std::vector<uint32_t> hits = search_graph(search_bar_->query(), *model_, *decoration);
        decoration->search_hit.assign(model_->nodes.size(), 0);
        for (uint32_t hit : hits) decoration->search_hit[hit] = 1;
    }
    const bool stale = !laid_out_as_ || !same_regions(*laid_out_as_, *decoration);
    view_->setDecoration(std::move(decoration), stale);
}

void GraphPage::startLayout(bool new_model) {
    if (layout_job_) document_.jobs().cancel(layout_job_);
    const ModulePtr in = module();
    const ExprId shown = function();
    DecorationInput input = decorationInput();
    const GraphModelPtr old = new_model ? nullptr : model_;
    const GraphModelOptions model_options = options_.model;
    auto heat = heat_;
    layout_job_ = document_.jobs().start<LaidOut>(
        tr("Laying out %1").arg(target_.title()), this,
        [in, shown, input, old, model_options, heat](const JobContext& context) mutable {
            LaidOut result;
            result.model = old ? old : build_graph_model(in, shown, model_options);
            input.heat = heat.get();
            result.decoration = std::make_shared<GraphDecoration>(decorate_graph(*result.model, input));
            Result<LayoutResult> layout =
                lay_out(layout_graph(*result.model, *result.decoration), LayoutEngine::Auto, context.cancel);
            if (layout) result.geometry = std::make_shared<GraphGeometry>(geometry_of(*result.model, *layout));
            else result.failure = QString::fromStdString(layout.error().message);
            return result;
        },
        [this, model_options](LaidOut laid_out) {
            layout_job_ = 0;
            model_options_ = model_options;
            acceptLayout(std::move(laid_out));
        });
    QTimer::singleShot(300, this, [this] { updateStatus(); });
}

void GraphPage::acceptLayout(LaidOut laid_out) {
    updateStatus();
    if (!laid_out.geometry) {
        overlay_text_->setText(tr("No picture: %1").arg(laid_out.failure));
        overlay_->show();
        placeOverlay();
        return;
    }
    model_ = laid_out.model;
    laid_out_as_ = laid_out.decoration;
    view_->showGraph(laid_out.model, laid_out.geometry, laid_out.decoration, options_.animated);
    redecorate();
    showSelection();
    emit settled();
}

void GraphPage::updateStatus() {
    overlay_->setVisible(layout_job_ != 0);
    if (!layout_job_) return;
    overlay_text_->setText(model_ ? tr("Laying out the new division…") : tr("Laying out the graph…"));
    placeOverlay();
}

void GraphPage::placeOverlay() {
    overlay_->adjustSize();
    overlay_->move((view_->width() - overlay_->width()) / 2, 12);
}

void GraphPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeOverlay();
}

std::vector<ExprId> GraphPage::selectedOrigins() const {
    std::vector<ExprId> origins;
    if (!model_) return origins;
    const bool shown = model_->module == document_.shownModule();
    for (uint32_t node : view_->selectedNodes()) {
        const GraphNode& data = model_->nodes[node];
        const ExprId origin = shown ? data.expr : data.origin;
        if (origin.valid()) origins.push_back(origin);
    }
    return origins;
}

int64_t GraphPage::nodeOfOrigin(ExprId origin) const {
    if (!model_ || !origin.valid()) return -1;
    if (model_->module == document_.shownModule()) return model_->node_of(origin);
    for (size_t i = 0; i < model_->nodes.size(); ++i)
        if (model_->nodes[i].origin == origin) return int64_t(i);
    return -1;
}

void GraphPage::showSelection() {
    if (!model_) return;
    const std::vector<ExprId>& selection = document_.selection();
    if (selection == selectedOrigins()) return;
    std::vector<uint32_t> nodes;
    for (ExprId expr : selection)
        if (const int64_t node = nodeOfOrigin(expr); node >= 0) nodes.push_back(uint32_t(node));
    view_->selectNodes(nodes);
    if (!nodes.empty() && isVisible()) view_->reveal(nodes);
}

void GraphPage::runSearch() {
    redecorate();
    if (!model_) return;
    const std::vector<uint8_t>& hits = view_->decoration()->search_hit;
    search_bar_->showHits(int(std::count(hits.begin(), hits.end(), uint8_t(1))), -1);
}

void GraphPage::openSearch() {
    search_bar_->open();
    runSearch();
}

void GraphPage::setTheme(const Theme& theme) { view_->setTheme(theme); }

void GraphPage::setCanvasOptions(const CanvasOptions& options) {
    options_ = options;
    view_->setEdgeTypesShown(options.edge_types);
    view_->setMinimapShown(options.minimap);
    refresh();
}

void GraphPage::setHeat(std::shared_ptr<const std::vector<float>> heat) {
    heat_ = std::move(heat);
    redecorate();
}

void GraphPage::setStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related) {
    if (!model_) return;
    std::vector<uint8_t> highlighted;
    if (!subjects.empty() || !related.empty()) {
        highlighted.assign(model_->nodes.size(), 0);
        for (ExprId expr : related)
            if (const int64_t node = nodeOfOrigin(expr); node >= 0) highlighted[size_t(node)] = 1;
        std::vector<uint32_t> nodes;
        for (ExprId expr : subjects)
            if (const int64_t node = nodeOfOrigin(expr); node >= 0) {
                highlighted[size_t(node)] = 2;
                nodes.push_back(uint32_t(node));
            }
        view_->reveal(nodes);
    }
    view_->setHighlighted(std::move(highlighted));
}

void GraphPage::setStepDecoration(std::shared_ptr<const DecorationInput> input) {
    step_ = std::move(input);
    redecorate();
}

void GraphPage::buildBreadcrumb() {
    breadcrumb_->setVisible(!target_.path.isEmpty());
    auto* row = new QHBoxLayout(breadcrumb_);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(2);
    for (int i = 0; i < target_.path.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(target_.path[i]);
        button->setAutoRaise(true);
        button->setToolTip(tr("Go to %1").arg(target_.path[i]));
        connect(button, &QToolButton::clicked, this, [this, i] { emit breadcrumbClicked(i); });
        row->addWidget(button);
        row->addWidget(new QLabel(QStringLiteral("›")));
    }
    row->addWidget(new QLabel(QStringLiteral("<b>%1</b>").arg(target_.title().toHtmlEscaped())));
    row->addStretch();
}

}  // namespace partita
