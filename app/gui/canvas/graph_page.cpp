#include "app/gui/canvas/graph_page.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/document/layout_cache.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

QString PageTarget::title() const {
    if (literal.valid()) {
        const std::string_view name = literal_module->function_info(literal).string_attribute("Composite");
        return name.empty() ? QStringLiteral("fn") : shown_name(name);
    }
    const QString name = QLatin1Char('@') + function;
    return source == Source::Partitioned && function == QLatin1String("main")
               ? GraphPage::tr("%1 partitioned").arg(name)
               : name;
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
    notice_ = buildNotice();
    column->addWidget(notice_);
    column->addWidget(view_, 1);
    setFocusProxy(view_);
    buildBreadcrumb();

    overlay_ = new QWidget(view_);
    overlay_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(overlay_);
    row->setContentsMargins(12, 6, 6, 6);
    overlay_text_ = make_plain_label();
    overlay_button_ = new QPushButton(tr("Stop"));
    connect(overlay_button_, &QPushButton::clicked, this, [this] {
        if (layout_job_) document_.jobs().cancel(layout_job_);
        else startLayout(Change::Model);
    });
    row->addWidget(overlay_text_);
    row->addWidget(overlay_button_);
    overlay_->hide();
    step_button_ = new QPushButton(view_);
    step_button_->setObjectName(QStringLiteral("leave-step"));
    step_button_->setFocusPolicy(Qt::NoFocus);  // the steps' own button does the same by keys
    auto* corner = new QVBoxLayout(view_);      // grows it with its words and type
    corner->setContentsMargins(12, 12, 12, 12);
    corner->setSizeConstraint(QLayout::SetNoConstraint);
    corner->addWidget(step_button_, 0, Qt::AlignLeft | Qt::AlignTop);
    step_button_->hide();
    connect(step_button_, &QPushButton::clicked, this, &GraphPage::resultWanted);

    connect(view_, &GraphView::selectionEdited, this, [this] { document_.setSelection(selectedOrigins()); });
    connect(view_, &GraphView::nodeActivated, this, [this](quint32 node) {
        if (model_ && model_->nodes[node].kind == GraphNodeKind::Group) expandGroup(node);
        else emit activated(node);
    });
    connect(view_, &GraphView::contextMenuRequested, this, &GraphPage::contextMenuRequested);
    connect(&document_, &Document::edited, this, &GraphPage::renamePath);
    connect(search_bar_, &SearchBar::queryChanged, this, [this] { runSearch(); });
    connect(search_bar_, &SearchBar::closed, this, [this] {
        search_bar_->hide();
        view_->setEscapePassedOn(false);
        redecorate();
        view_->setFocus();
    });
    connect(search_bar_, &SearchBar::stepped, this, &GraphPage::stepSearch);
    connect(search_bar_, &SearchBar::selectionWanted, this, &GraphPage::selectHits);
    connect(&document_, &Document::bookmarksChanged, this, &GraphPage::redecorate);
    connect(&document_, &Document::choiceChanged, this, &GraphPage::redecorate);
    connect(&document_, &Document::flowChanged, this, [this] {
        if (!isStopped()) refresh();
    });
    connect(&document_, &Document::opened, this, &GraphPage::refresh);
    connect(&document_, &Document::selectionChanged, this, &GraphPage::showSelection);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id != layout_job_) return;
        layout_job_ = 0;
        open_ = shown_open_;
        stopped_ = module();
        updateStatus();
        if (!model_) {
            overlay_text_->setText(tr("The picture was stopped."));
            overlay_button_->setText(tr("Draw it"));
            overlay_->show();
            placeOverlay();
        }
        emit settled();
    });
    refresh();
}

GraphPage::~GraphPage() {
    JobRunner& jobs = document_.jobs();
    for (const quint64 job : {layout_job_, search_job_})
        if (job) jobs.cancel(job);
    view_->disconnect(this);
    delete view_;  // lets go of the graph first, so that its tables are freed on a worker
    laid_out_as_.reset();
    jobs.release(std::exchange(model_, nullptr));
    jobs.release(std::exchange(full_, nullptr));
}

/// Somebody stopped the first picture of what is to be shown: it is drawn when somebody asks for it.
bool GraphPage::isStopped() const {
    if (model_) return false;
    return layout_job_ ? document_.jobs().isCancelled(layout_job_) : module() && stopped_.lock() == module();
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

bool GraphPage::followRename() {
    const ModulePtr now = module();
    const std::vector<ExprId>* images =
        model_ && !target_.literal.valid() ? document_.imagesBetween(model_->module, now) : nullptr;
    if (!images || exists() || model_->function.value >= images->size()) return false;
    const ExprId renamed = (*images)[model_->function.value];
    for (const GlobalFunction& global : now->functions()) {
        if (global.function != renamed) continue;
        const std::string_view name = now->names().text(global.name);
        target_.function = QString::fromUtf8(name.data(), qsizetype(name.size()));
        buildBreadcrumb();
        refresh();
        return true;
    }
    return false;
}

DecorationInput GraphPage::decorationInput() const {
    if (step_) return *step_;
    DecorationInput input;
    input.flow = document_.flow();
    input.refused = document_.refusedMerges();
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
    if (!same) return startLayout(Change::Model);
    if (options_.grouping != grouping_) return startLayout(Change::Groups);
    redecorate();
    if (search_bar_->isVisible()) runSearch();  // hits may depend on backends and regions
    if (grouping_ == Grouping::Regions && grouped_by_ != document_.flow()) startLayout(Change::Groups);
    else if (!laid_out_as_ || !same_regions(*laid_out_as_, *view_->decoration())) startLayout(Change::Layout);
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
    if (!model_ || model_->module != module()) return;  // a new model is on its way
    DecorationInput input = decorationInput();
    if (input.shown_module && input.flow && input.flow->input != model_->module) return;  // a new model is on its way
    input.heat = heat_.get();
    auto decoration = freed_on_worker(std::make_unique<GraphDecoration>(decorate_graph(*model_, input)));
    markHits(*decoration);
    markBookmarks(*decoration);
    const bool stale = !laid_out_as_ || !same_regions(*laid_out_as_, *decoration);
    view_->setDecoration(std::move(decoration), stale);
}

void GraphPage::startLayout(Change change) {
    if (layout_job_) document_.jobs().cancel(std::exchange(layout_job_, 0));
    // What is not made anew. A change that was cancelled is made again with the one after it.
    LaidOut known;
    if (change != Change::Model && full_) {
        known.full = full_;
        if (change != Change::Groups && tree_) known.tree = tree_;
        if (change == Change::Layout && tree_) known.model = model_;
    }
    if (known.tree || (change == Change::Groups && grouping_ == options_.grouping)) known.open = open_;
    else open_.clear();
    known.grouped_by = document_.flow();
    const bool open_known = known.tree || !open_.empty();
    layout_job_ = document_.jobs().start<LaidOut>(
        tr("Laying out %1").arg(target_.title()), this,
        [known, open_known, in = module(), shown = function(), input = decorationInput(),
         model_options = options_.model, grouping = options_.grouping, heat = heat_,
         layouts = document_.layouts()](const JobContext& context) mutable {
            LaidOut result = std::move(known);
            if (!result.full) {
                context.progress(-1, tr("reading the graph"));
                result.full = build_graph_model(in, shown, model_options);
            }
            if (context.cancel.cancelled()) return result;
            if (!result.tree) {
                context.progress(-1, tr("finding groups"));
                result.tree = std::make_shared<GroupTree>(
                    make_groups(*result.full, grouping, result.grouped_by.get(), context.cancel));
                if (context.cancel.cancelled()) return result;
                if (!open_known && result.full->nodes.size() > kLargestPlainGraph)
                    result.open = open_at_first(*result.full, *result.tree);
            }
            if (context.cancel.cancelled()) return result;  // it is dropped
            if (!result.model) result.model = collapse_graph(result.full, result.tree, result.open);
            input.heat = heat.get();
            result.decoration =
                freed_on_worker(std::make_unique<GraphDecoration>(decorate_graph(*result.model, input)));
            context.progress(-1, tr("placing %n node(s)", nullptr, int(result.model->nodes.size())));
            // Groups have more edges between them than dot takes in good time.
            const LayoutEngine engine = result.model->full ? LayoutEngine::Layers : LayoutEngine::Auto;
            auto layout = layouts->layOut(layout_graph(*result.model, *result.decoration), engine, context.cancel);
            if (layout)
                result.geometry = freed_on_worker(std::make_unique<GraphGeometry>(
                    geometry_of(*result.model, **layout, result.decoration->regions.size())));
            else result.failure = shown_message(layout.error().message);
            return result;
        },
        [this, model_options = options_.model, grouping = options_.grouping](LaidOut laid_out) {
            layout_job_ = 0;
            model_options_ = model_options;
            grouping_ = grouping;
            acceptLayout(std::move(laid_out));
        });
    QTimer::singleShot(300, this, [this] {
        if (layout_job_) updateStatus();  // else what is said of its end stays
    });
}

void GraphPage::acceptLayout(LaidOut laid_out) {
    updateStatus();
    if (!laid_out.geometry) {
        overlay_text_->setText(tr("No picture: %1").arg(laid_out.failure));
        overlay_->show();
        placeOverlay();
        return;
    }
    const std::vector<int32_t> now = nodesAfterEdit(laid_out.model);
    JobRunner& jobs = document_.jobs();
    GraphModelPtr old = std::exchange(model_, laid_out.model), old_full = std::exchange(full_, laid_out.full);
    tree_ = laid_out.tree;
    shown_open_ = open_ = std::move(laid_out.open);
    grouped_by_ = laid_out.grouped_by;
    laid_out_as_ = laid_out.decoration;
    view_->showGraph(laid_out.model, laid_out.geometry, laid_out.decoration, options_.animated,
                     now.empty() ? nullptr : &now);
    redecorate();
    path_shown_ = false;
    if (old_full != full_ && search_bar_->isVisible()) runSearch();
    updateNotice();
    if (wanted_.valid()) {
        const ExprId wanted = std::exchange(wanted_, ExprId());
        if (const int32_t node = model_->node_of(wanted); node >= 0) {
            view_->selectNodes({uint32_t(node)});
            view_->reveal({uint32_t(node)});
            document_.setSelection(selectedOrigins());
        }
    }
    showSelection();
    emit settled();
    jobs.release(std::move(old));
    jobs.release(std::move(old_full));
}

/// Where the nodes on the screen went by the edit that led to `next`; empty where no edit did.
std::vector<int32_t> GraphPage::nodesAfterEdit(const GraphModelPtr& next) const {
    const std::vector<ExprId>* images = model_ ? document_.imagesBetween(model_->module, next->module) : nullptr;
    if (!images || target_.literal.valid()) return {};
    std::vector<int32_t> now;
    for (const GraphNode& node : model_->nodes)
        now.push_back(node.expr.value < images->size() ? next->node_of((*images)[node.expr.value]) : -1);
    return now;
}

void GraphPage::updateStatus() {
    overlay_->setVisible(layout_job_ != 0);
    if (!layout_job_) return;
    overlay_button_->setText(tr("Stop"));
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
    if (!model_ || model_->module != module()) return origins;
    const bool shown = model_->module == document_.shownModule();
    const auto add = [&](const GraphNode& data) {
        const ExprId origin = shown ? data.expr : data.origin;
        if (origin.valid()) origins.push_back(origin);
    };
    for (uint32_t node : view_->selectedNodes()) {
        if (model_->nodes[node].kind != GraphNodeKind::Group) add(model_->nodes[node]);
        else
            for (uint32_t member : model_->members(node)) add(model_->full->nodes[member]);
    }
    return origins;
}

int64_t GraphPage::nodeOfOrigin(ExprId origin) const {
    if (!model_ || !origin.valid() || model_->module != module()) return -1;
    if (model_->module == document_.shownModule()) return model_->node_of(origin);
    return model_->node_of_origin(origin);
}

void GraphPage::showSelection() {
    if (!model_ || model_->module != module()) return;
    const std::vector<ExprId>& selection = document_.selection();
    if (selection == selectedOrigins()) return;
    std::vector<uint32_t> nodes;
    for (ExprId expr : selection)
        if (const int64_t node = nodeOfOrigin(expr); node >= 0) nodes.push_back(uint32_t(node));
    view_->selectNodes(nodes);
    if (!nodes.empty() && isVisible()) view_->reveal(nodes);
}

void GraphPage::openSearch() {
    search_bar_->open();
    view_->setEscapePassedOn(true);
    runSearch();
}

void GraphPage::setTheme(const Theme& theme) { view_->setTheme(theme); }

void GraphPage::setCanvasOptions(const CanvasOptions& options) {
    options_ = options;
    view_->setEdgeTypesShown(options.edge_types);
    view_->setEdgeWidthsShown(options.edge_widths);
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

void GraphPage::setStepDecoration(std::shared_ptr<const DecorationInput> input, const QString& caption,
                                  const QString& tip) {
    const bool was_stepping = std::exchange(step_, std::move(input)) != nullptr;
    step_button_->setToolTip(tip);
    step_button_->setText(caption + QStringLiteral("  ✕"));
    step_button_->setVisible(step_ && !caption.isEmpty());
    // What came meanwhile was laid out by the regions of the step.
    if (was_stepping && !step_) refresh();
    else redecorate();
}

/// The pages above show functions by their names: after an edit, by the new ones.
void GraphPage::renamePath() {
    for (QString& title : target_.path)
        if (title.startsWith(QLatin1Char('@'))) title = QLatin1Char('@') + document_.nameNow(title.mid(1));
    buildBreadcrumb();
}

void GraphPage::buildBreadcrumb() {
    breadcrumb_->setVisible(!target_.path.isEmpty());
    qDeleteAll(breadcrumb_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete breadcrumb_->layout();
    auto* row = new QHBoxLayout(breadcrumb_);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(2);
    for (int i = 0; i < target_.path.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(as_title(target_.path[i]));
        button->setAutoRaise(true);
        button->setToolTip(tr("Go to %1").arg(target_.path[i]));
        connect(button, &QToolButton::clicked, this, [this, i] { emit breadcrumbClicked(i); });
        row->addWidget(button);
        row->addWidget(new QLabel(QStringLiteral("›")));
    }
    row->addWidget(new QLabel(QStringLiteral("<b>%1</b>").arg(shortened(target_.title(), 80).toHtmlEscaped())));
    row->addStretch();
}

}  // namespace partita
