#include "app/gui/canvas/graph_page.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/canvas/hit_list.h"
#include "app/gui/canvas/page_notices.h"
#include "app/gui/canvas/query_legend.h"
#include "app/gui/canvas/room_watch.h"
#include "app/gui/canvas/search_bar.h"
#include "app/gui/document/layout_cache.h"
#include "app/gui/style/foreign_text.h"

#include "engine/layout/columns.h"

namespace partita {

namespace {

/// Graphs of fewer nodes are neither put in columns nor folded: each node is worth being seen where it stands.
constexpr size_t kSmallestInColumns = 16, kSmallestFolded = 60;
/// A larger one is no more read in columns than in one.
constexpr size_t kLargestFolded = 5000;

bool may_be_folded(size_t nodes) { return nodes >= kSmallestFolded && nodes <= kLargestFolded; }
bool may_have_columns(size_t nodes) { return nodes >= kSmallestInColumns && nodes <= kLargestFolded; }

}  // namespace

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
    : QWidget(parent), document_(document), target_(std::move(target)), view_(new GraphView),
      search_bar_(new SearchBar), hit_list_(new HitList), breadcrumb_(new QWidget),
      layout_notice_(new LayoutNotice(*view_)), groups_notice_(new GroupsNotice), step_button_(new QPushButton(view_)),
      query_legend_(new QueryLegend(view_)) {
    buildColumn();
    buildBreadcrumb();
    followView();
    followSearch();
    followDocument();
    refresh();
}

void GraphPage::buildColumn() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(breadcrumb_);
    column->addWidget(search_bar_);
    column->addWidget(hit_list_);
    column->addWidget(groups_notice_);
    column->addWidget(view_, 1);
    new RoomWatch(*view_, [this] { followRoom(); });
    search_bar_->hide();
    hit_list_->hide();
    setFocusProxy(view_);
    step_button_->setObjectName(QStringLiteral("leave-step"));
    step_button_->setFocusPolicy(Qt::NoFocus);  // the steps' own button does the same by keys
    auto* corner = new QVBoxLayout(view_);      // grows it with its words and type
    corner->setContentsMargins(12, 12, 12, 12);
    corner->setSizeConstraint(QLayout::SetNoConstraint);
    corner->addWidget(step_button_, 0, Qt::AlignLeft);
    corner->addWidget(query_legend_, 0, Qt::AlignLeft);
    corner->addStretch(1);
    step_button_->hide();
    connect(step_button_, &QPushButton::clicked, this, &GraphPage::resultWanted);
    connect(groups_notice_, &GroupsNotice::allWanted, this, &GraphPage::expandAll);
    connect(groups_notice_, &GroupsNotice::noneWanted, this, &GraphPage::collapseAll);
    connect(layout_notice_, &LayoutNotice::clicked, this, [this] {
        if (layout_job_) document_.jobs().cancel(layout_job_);
        else startLayout(Change::Model);
    });
}

void GraphPage::followView() {
    connect(view_, &GraphView::selectionEdited, this, [this] { document_.setSelection(selectedOrigins()); });
    connect(view_, &GraphView::nodeActivated, this, [this](quint32 node) {
        if (shown_.model && shown_.model->nodes[node].kind == GraphNodeKind::Group) expandGroup(node);
        else emit activated(node);
    });
    connect(view_, &GraphView::contextMenuRequested, this, &GraphPage::contextMenuRequested);
}

void GraphPage::followSearch() {
    connect(search_bar_, &SearchBar::queryChanged, this, [this] { runSearch(); });
    connect(search_bar_, &SearchBar::closed, this, [this] {
        search_bar_->hide();
        hit_list_->hide();
        view_->setEscapePassedOn(false);
        redecorate();
        view_->setFocus();
    });
    connect(search_bar_, &SearchBar::stepped, this, &GraphPage::stepSearch);
    connect(search_bar_, &SearchBar::listingChanged, this, &GraphPage::listHits);
    connect(search_bar_, &SearchBar::listWanted, this, [this] {
        hit_list_->rows().setFocus();
        if (!hit_list_->rows().currentItem()) hit_list_->rows().setCurrentItem(hit_list_->rows().topLevelItem(0));
    });
    connect(hit_list_, &HitList::chosen, this, &GraphPage::showHit);
    connect(hit_list_, &HitList::left, this, [this] { search_bar_->edit()->setFocus(); });
    connect(search_bar_, &SearchBar::selectionWanted, this, &GraphPage::selectHits);
}

void GraphPage::followDocument() {
    connect(&document_, &Document::edited, this, &GraphPage::renamePath);
    connect(&document_, &Document::bookmarksChanged, this, &GraphPage::redecorate);
    connect(&document_, &Document::choiceChanged, this, &GraphPage::redecorate);
    connect(&document_, &Document::flowChanged, this, [this] {
        if (!isStopped()) refresh();
    });
    connect(&document_, &Document::opened, this, &GraphPage::refresh);
    connect(&document_, &Document::selectionChanged, this, &GraphPage::showSelection);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id == layout_job_) layoutStopped();
        if (id == tints_.job) tints_.job = 0;
    });
}

void GraphPage::layoutStopped() {
    layout_job_ = 0;
    open_ = shown_.open;
    opened_by_hand_ = shown_.opened_by_hand;
    stopped_ = module();
    updateStatus();
    if (!shown_.model) layout_notice_->tell(tr("The picture was stopped."), tr("Draw it"));
    emit settled();
}

GraphPage::~GraphPage() {
    JobRunner& jobs = document_.jobs();
    for (const quint64 job : {layout_job_, search_.job, search_.list_job, tints_.job})
        if (job) jobs.cancel(job);
    view_->disconnect(this);
    delete view_;  // lets go of the graph first, so that its tables are freed on a worker
    jobs.release(std::make_shared<LaidOut>(std::move(shown_)));
}

/// Somebody stopped the first picture of what is to be shown: it is drawn when somebody asks for it.
bool GraphPage::isStopped() const {
    if (shown_.model) return false;
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
        shown_.model && !target_.literal.valid() ? document_.imagesBetween(shown_.model->module, now) : nullptr;
    if (!images || exists() || shown_.model->function.value >= images->size()) return false;
    const ExprId renamed = (*images)[shown_.model->function.value];
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
    input.named = document_.named();
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
    const bool same = shown_.model && shown_.model->module == now && shown_.model->function == shown &&
                      shown_.model_options == options_.model;
    if (!same) return startLayout(Change::Model);
    if (options_.grouping != shown_.grouping) return startLayout(Change::Groups);
    if (options_.left_to_right != shown_.left_to_right) return startLayout(Change::Layout);
    redecorate();
    if (search_bar_->isVisible()) runSearch();  // hits may depend on backends and regions
    if (shown_.grouping == Grouping::Regions && shown_.grouped_by != document_.flow()) startLayout(Change::Groups);
    else if (!shown_.decoration || !same_regions(*shown_.decoration, *view_->decoration())) startLayout(Change::Layout);
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
    if (!shown_.model || shown_.model->module != module()) return;  // a new model is on its way
    DecorationInput input = decorationInput();
    if (input.shown_module && input.flow && input.flow->input != shown_.model->module)
        return;  // a new model is on its way
    findTints();
    input.heat = heat_.get();
    auto decoration = freed_on_worker(std::make_unique<GraphDecoration>(decorate_graph(*shown_.model, input)));
    markHits(*decoration);
    markBookmarks(*decoration);
    markTints(*decoration);
    const bool stale = !shown_.decoration || !same_regions(*shown_.decoration, *decoration);
    view_->setDecoration(std::move(decoration), stale);
}

/// What is not made anew. A change that was cancelled is made again with the one after it.
GraphPage::LaidOut GraphPage::knownFor(Change change) {
    LaidOut known;
    if (change != Change::Model && shown_.full) {
        known.full = shown_.full;
        if (change != Change::Groups) known.tree = shown_.tree;
        if (change == Change::Layout && shown_.tree) known.model = shown_.model;
    }
    if (known.tree || (change == Change::Groups && shown_.grouping == options_.grouping && opened_by_hand_)) {
        known.open = open_;
        known.opened_by_hand = opened_by_hand_;
    } else {
        open_.clear();
        opened_by_hand_ = false;
    }
    known.grouped_by = document_.flow();
    known.grouping = options_.grouping;
    known.model_options = options_.model;
    known.left_to_right = options_.left_to_right;
    known.room = room();
    return known;
}

/// As large as the canvas will be with what is said of groups above it.
ReadingRoom GraphPage::room() const {
    QSize canvas = view_->size();
    if (!groups_notice_->isVisibleTo(this)) canvas.rheight() -= groups_notice_->heightAt(canvas.width());
    ReadingRoom room;
    const double type = view_->theme().type_size;
    if (view_->isVisible()) room.size = QSizeF(canvas - 2 * QSize(Sight::kFitMargin, Sight::kFitMargin)) / type;
    room.size = room.size.expandedTo(QSizeF(60, 60));
    return room;
}

/// Another room may want other groups and columns, until somebody chose where to look or what to open.
void GraphPage::followRoom() {
    if (layout_job_ || !shown_.model || shown_.model->module != module() || view_->hasOwnSight()) return;
    if (!room().isUnlike(shown_.room)) return;
    const QSizeF size = shown_.geometry->bounds.size();
    const double scale = std::min(room().scaleOf(size), shown_.room.scaleOf(size));
    const bool small = shown_.full->nodes.size() < kSmallestInColumns;
    if (!hasGroups() && !shown_.in_columns && (small || scale >= kNamesRead)) return;  // it is shown as it is
    startLayout(opened_by_hand_ ? Change::Layout : Change::Groups);
}

/// The model of a picture in its open groups, and the places of its nodes; without geometry on failure and on cancel.
void GraphPage::place(LaidOut& result, const DecorationInput& input, LayoutCache& layouts, const JobContext& context) {
    if (!result.model) result.model = collapse_graph(result.full, result.tree, result.open);
    result.decoration = freed_on_worker(std::make_unique<GraphDecoration>(decorate_graph(*result.model, input)));
    context.progress(-1, tr("placing %n node(s)", nullptr, int(result.model->nodes.size())));
    // Groups have more edges between them than dot takes in good time.
    const LayoutEngine engine = result.model->full ? LayoutEngine::Layers : LayoutEngine::Auto;
    const LayoutGraph graph = layout_graph(*result.model, *result.decoration, result.left_to_right);
    auto layout = layouts.layOut(graph, engine, context.cancel);
    if (!layout) {
        result.failure = shown_message(layout.error().message);
        return;
    }
    LayoutResult placed = **layout;
    const QSizeF& room = result.room.size;
    const bool may = result.model->full || may_have_columns(result.model->nodes.size());
    result.in_columns =
        may && !result.left_to_right && result.model->branches.empty() &&
        put_in_columns(graph, placed, room.width(), room.height(), result.model->full ? kReadWithEase : kNamesRead,
                       result.decoration->regions.size());
    result.geometry = freed_on_worker(std::make_unique<GraphGeometry>(
        geometry_of(*result.model, placed, result.decoration->regions.size(), result.left_to_right)));
}

/// Opens as many groups as can be read with ease where all of the graph is in sight; where not even few can, those that
/// make it largest.
GraphPage::LaidOut GraphPage::readableAtFirst(const LaidOut& known, const DecorationInput& input, LayoutCache& layouts,
                                              const JobContext& context) {
    constexpr size_t kMost[] = {kShownAtFirst, 42, 30, 22, 16, 12, 8, 0};
    LaidOut best;
    double largest = 0;
    for (const size_t most : kMost) {
        LaidOut next = known;
        next.open = open_at_first(*known.full, *known.tree, most);
        if (best.model && next.open == best.open) continue;
        place(next, input, layouts, context);
        if (context.cancel.cancelled() || !next.geometry) return next;
        const double scale = known.room.scaleOf(next.geometry->bounds.size());
        if (best.model && scale <= largest) continue;
        largest = scale;
        best = std::move(next);
        if (scale >= kReadWithEase) break;
    }
    return best;
}

/// A graph without groups as it is where its names can be read, else by its repeated blocks where those make it so.
GraphPage::LaidOut GraphPage::plainOrByBlocks(LaidOut plain, const DecorationInput& input, LayoutCache& layouts,
                                              const JobContext& context) {
    constexpr double kGain = 1.25;
    place(plain, input, layouts, context);
    if (!plain.geometry || !may_be_folded(plain.full->nodes.size())) return plain;
    const double scale = plain.room.scaleOf(plain.geometry->bounds.size());
    if (scale >= kNamesRead) return plain;
    LaidOut blocks = plain;
    blocks.model.reset();
    blocks.tree =
        std::make_shared<GroupTree>(make_groups(*plain.full, Grouping::Structure, nullptr, context.cancel, plain.room));
    if (context.cancel.cancelled() || blocks.tree->empty()) return plain;
    blocks = readableAtFirst(blocks, input, layouts, context);
    if (!blocks.geometry) return plain;
    const double by_blocks = plain.room.scaleOf(blocks.geometry->bounds.size());
    return by_blocks >= kReadable && by_blocks > scale * kGain ? blocks : plain;
}

GraphPage::LaidOut GraphPage::layOut(LaidOut result, bool open_known, const DecorationInput& input,
                                     LayoutCache& layouts, const JobContext& context) {
    if (!result.tree) {
        context.progress(-1, tr("finding groups"));
        result.tree = std::make_shared<GroupTree>(
            make_groups(*result.full, result.grouping, result.grouped_by.get(), context.cancel, result.room));
        if (context.cancel.cancelled()) return result;
        const bool chosen = result.grouping != Grouping::Automatic;  // then its groups are what shall be seen
        if (!open_known && !result.tree->empty() && (!chosen || result.full->nodes.size() > kLargestPlainGraph))
            return readableAtFirst(result, input, layouts, context);
        if (!open_known && result.tree->empty() && !chosen) return plainOrByBlocks(result, input, layouts, context);
    }
    if (!context.cancel.cancelled()) place(result, input, layouts, context);  // else it is dropped
    return result;
}

void GraphPage::startLayout(Change change) {
    if (layout_job_) document_.jobs().cancel(std::exchange(layout_job_, 0));
    LaidOut known = knownFor(change);
    const bool open_known = known.tree || known.opened_by_hand;
    layout_job_ = document_.jobs().start<LaidOut>(
        tr("Laying out %1").arg(target_.title()), this,
        [known = std::move(known), open_known, in = module(), shown = function(), input = decorationInput(),
         heat = heat_, graph = document_.graph(), layouts = document_.layouts()](const JobContext& context) mutable {
            if (!known.full) {
                context.progress(-1, tr("reading the graph"));
                known.full = build_graph_model(in, shown, known.model_options, graph.get());
            }
            input.heat = heat.get();
            return context.cancel.cancelled() ? known : layOut(std::move(known), open_known, input, *layouts, context);
        },
        [this](LaidOut laid_out) {
            layout_job_ = 0;
            acceptLayout(std::move(laid_out));
        });
    QTimer::singleShot(300, this, [this] {
        if (layout_job_) updateStatus();  // else what is said of its end stays
    });
}

void GraphPage::acceptLayout(LaidOut laid_out) {
    updateStatus();
    if (!laid_out.geometry) {
        shown_.model_options = laid_out.model_options;
        shown_.grouping = laid_out.grouping;
        layout_notice_->tell(tr("No picture: %1").arg(laid_out.failure));
        return;
    }
    const std::vector<int32_t> now = nodesAfterEdit(laid_out.model);
    const auto old = std::make_shared<LaidOut>(std::exchange(shown_, std::move(laid_out)));
    open_ = shown_.open;
    opened_by_hand_ = shown_.opened_by_hand;
    view_->showGraph(shown_.model, shown_.geometry, shown_.decoration, options_.animated, now.empty() ? nullptr : &now);
    redecorate();
    path_shown_ = false;
    if (old->full != shown_.full && search_bar_->isVisible()) runSearch();
    groups_notice_->tell(hasGroups() ? shown_.model.get() : nullptr);
    if (wanted_.valid()) {
        const ExprId wanted = std::exchange(wanted_, ExprId());
        if (const int32_t node = shown_.model->node_of(wanted); node >= 0) {
            view_->selectNodes({uint32_t(node)});
            view_->reveal({uint32_t(node)});
            document_.setSelection(selectedOrigins());
        }
    }
    showSelection();
    lookAtOpened();
    emit settled();
    document_.jobs().release(old);
}

/// Where the nodes on the screen went by the edit that led to `next`; empty where no edit did.
std::vector<int32_t> GraphPage::nodesAfterEdit(const GraphModelPtr& next) const {
    const std::vector<ExprId>* images =
        shown_.model ? document_.imagesBetween(shown_.model->module, next->module) : nullptr;
    if (!images || target_.literal.valid()) return {};
    std::vector<int32_t> now;
    for (const GraphNode& node : shown_.model->nodes)
        now.push_back(node.expr.value < images->size() ? next->node_of((*images)[node.expr.value]) : -1);
    return now;
}

void GraphPage::updateStatus() {
    if (!layout_job_) layout_notice_->hide();
    else
        layout_notice_->tell(shown_.model ? tr("Laying out the new division…") : tr("Laying out the graph…"),
                             tr("Stop"));
}

void GraphPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout_notice_->place();
}

std::vector<ExprId> GraphPage::selectedOrigins() const {
    std::vector<ExprId> origins;
    if (!shown_.model || shown_.model->module != module()) return origins;
    const bool shown = shown_.model->module == document_.shownModule();
    const auto add = [&](const GraphNode& data) {
        const ExprId origin = shown ? data.expr : data.origin;
        if (origin.valid()) origins.push_back(origin);
    };
    for (uint32_t node : view_->selectedNodes()) {
        if (shown_.model->nodes[node].kind != GraphNodeKind::Group) add(shown_.model->nodes[node]);
        else
            for (uint32_t member : shown_.model->members(node)) add(shown_.model->full->nodes[member]);
    }
    return origins;
}

int64_t GraphPage::nodeOfOrigin(ExprId origin) const {
    if (!shown_.model || !origin.valid() || shown_.model->module != module()) return -1;
    if (shown_.model->module == document_.shownModule()) return shown_.model->node_of(origin);
    return shown_.model->node_of_origin(origin);
}

void GraphPage::showSelection() {
    if (!shown_.model || shown_.model->module != module()) return;
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

void GraphPage::setTheme(const Theme& theme) {
    view_->setTheme(theme);
    query_legend_->setTheme(theme);
}

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
    if (!shown_.model) return;
    std::vector<uint8_t> highlighted;
    if (!subjects.empty() || !related.empty()) {
        highlighted.assign(shown_.model->nodes.size(), 0);
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
    row->setSpacing(0);
    for (int i = 0; i < target_.path.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(as_title(target_.path[i]));
        button->setAutoRaise(true);
        button->setToolTip(tr("Go to %1").arg(target_.path[i]));
        connect(button, &QToolButton::clicked, this, [this, i] { emit breadcrumbClicked(i); });
        row->addWidget(button);
        row->addWidget(new QLabel(QStringLiteral("›")));
    }
    auto* here = new QLabel(QStringLiteral("<b>%1</b>").arg(without_middle(target_.title(), 80).toHtmlEscaped()));
    here->setContentsMargins(9, 0, 0, 0);  // as far from its sign as the buttons' texts are
    row->addWidget(here);
    row->addStretch();
}

}  // namespace partita
