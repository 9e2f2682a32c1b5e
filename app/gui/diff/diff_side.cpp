#include "app/gui/diff/diff_side.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include "app/gui/panels/text/large_text.h"
#include "app/gui/panels/text/line_colours.h"
#include "app/gui/style/elided_combo_box.h"
#include "engine/edits/edits.h"
#include "engine/flow/names.h"

namespace partita {

namespace {

struct LaidOut {
    GraphModelPtr model;
    GraphDecorationPtr decoration;
    GraphGeometryPtr geometry;
};

}  // namespace

DiffSide::DiffSide(JobRunner& jobs, const QString& name, QWidget* parent)
    : QWidget(parent), jobs_(jobs), theme_(make_theme(false, PaletteChoice::OkabeIto)), name_(name),
      function_(new ElidedComboBox(ElidedComboBox::Texts::Names)), stack_(new QStackedWidget), graph_(new GraphView),
      text_(new QPlainTextEdit) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 3);
    function_->setAccessibleName(tr("Function, %1").arg(name));
    function_->setToolTip(function_->accessibleName());
    function_->setMinimumContentsLength(5);  // in large type the differences beside want room, too
    function_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(function_, 1);
    column->addLayout(row);
    graph_->setAccessibleName(tr("Graph, %1").arg(name));
    graph_->setMinimapShown(false);
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(code_font());
    text_->setAccessibleName(tr("Relay text, %1").arg(name));
    highlighter_ = new LineHighlighter(text_->document(), theme_);
    large_ = new LargeText(*text_, jobs_);
    stack_->addWidget(graph_);
    stack_->addWidget(text_);
    column->addWidget(stack_, 1);
    connect(function_, &QComboBox::activated, this, &DiffSide::layOut);
    connect(graph_, &GraphView::viewChanged, this, &DiffSide::looked);
    connect(text_->verticalScrollBar(), &QScrollBar::valueChanged, this, &DiffSide::scrolled);
    connect(graph_, &GraphView::selectionEdited, this, [this] {
        if (graph_->currentNode() >= 0)
            emit expressionClicked(graph_->model()->nodes[size_t(graph_->currentNode())].expr);
    });
}

DiffSide::~DiffSide() {
    if (layout_job_) jobs_.cancel(layout_job_);
    if (print_job_) jobs_.cancel(print_job_);
}

void DiffSide::setTheme(const Theme& theme) {
    theme_ = theme;
    graph_->setTheme(theme);
    text_->setFont(code_font());  // the size of type comes with the theme
    highlighter_->setTheme(theme);
    if (large_->shown()) printed_ = nullptr;  // its colours are made anew
    print();
    markLines();
}

QStringList DiffSide::functionsOf(const Module& module) {
    // Others are added when they are gone to: a list of ten thousand is no choice.
    constexpr int kMostFunctions = 500;
    QStringList functions;
    if (module.find_function("main").valid()) functions << QStringLiteral("@main");
    for (const GlobalFunction& global : functions_in_natural_order(module)) {
        if (functions.size() >= kMostFunctions) break;
        const std::string_view name = module.names().text(global.name);
        if (name != "main") functions << QLatin1Char('@') + QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    return functions;
}

void DiffSide::show(ModulePtr module, std::vector<DiffMark> marks, const QStringList& functions, ModulePlaces places,
                    const QStringList& backends, RefusedMergesPtr refused) {
    const QString function = function_->currentText();
    module_ = std::move(module);
    marks_ = std::move(marks);
    places_ = std::move(places);
    backends_ = backends;
    refused_ = std::move(refused);
    function_->clear();
    printed_ = nullptr;
    lines_.clear();
    if (!module_) {
        large_->reset()->clear();
        graph_->showGraph(nullptr, nullptr, std::make_shared<GraphDecoration>(), false);
        return;
    }
    function_->addItems(functions);
    const int known = function_->findText(function), main = function_->findText(QStringLiteral("@main"));
    function_->setCurrentIndex(known >= 0 ? known : std::max(0, main));
    layOut();
    print();
}

void DiffSide::layOut() {
    if (layout_job_) jobs_.cancel(layout_job_);
    layout_job_ = 0;
    if (!module_ || function_->currentIndex() < 0) return;
    const ExprId function = module_->find_function(function_->currentText().mid(1).toStdString());
    if (!function.valid()) return;
    layout_job_ = jobs_.start<LaidOut>(
        tr("Laying out %1").arg(function_->currentText()), this,
        [module = module_, function, marks = marks_, places = places_, backends = backends_,
         refused = refused_](const JobContext& context) {
            LaidOut result;
            GraphModelOptions options;
            options.show_weights = false;
            options.show_annotations = false;  // colours and outlines say it, as on the canvas
            result.model = build_graph_model(module, function, options);
            auto decoration = freed_on_worker(std::make_unique<GraphDecoration>());
            decoration->backend.assign(result.model->nodes.size(), -2);
            decoration->region.assign(result.model->nodes.size(), -1);
            mark_places(*result.model, places, backends, *decoration);
            if (refused) mark_refused_by_origin(*result.model, *refused, *decoration);
            decoration->diff = node_marks(*result.model, marks);
            result.decoration = decoration;
            Result<LayoutResult> layout =
                lay_out(layout_graph(*result.model, *decoration), LayoutEngine::Auto, context.cancel);
            if (layout)
                result.geometry = freed_on_worker(
                    std::make_unique<GraphGeometry>(geometry_of(*result.model, *layout, decoration->regions.size())));
            return result;
        },
        [this](const LaidOut& laid_out) {
            layout_job_ = 0;
            if (!laid_out.geometry) return;
            graph_->showGraph(laid_out.model, laid_out.geometry, laid_out.decoration, false);
            emit laidOut();
            if (wanted_.valid()) reveal(std::exchange(wanted_, ExprId()));
        });
}

void DiffSide::print() {
    if (!module_ || printed_ == module_ || stack_->currentWidget() != text_) return;
    printed_ = module_;
    if (print_job_) jobs_.cancel(print_job_);
    print_job_ = jobs_.start<PrintedModule>(
        tr("Printing Relay text"), this,
        [module = module_](const JobContext&) { return print_module(module, module, false); },
        [this](PrintedModule printed) {
            print_job_ = 0;
            lines_ = std::move(printed.lines);
            if (printed.text.size() > kShortText) return large_->show(printed.text, theme_, [this] { markLines(); });
            large_->reset()->setPlainText(printed.text);
            markLines();
        });
}

void DiffSide::markLines() {
    QList<QTextEdit::ExtraSelection> selections;
    constexpr qsizetype kMostMarks = 5000;
    for (const auto& [line, expr] : lines_) {
        const DiffMark mark = expr < marks_.size() ? marks_[expr] : DiffMark::Same;
        if (mark == DiffMark::Same || mark == DiffMark::Affected) continue;
        QTextEdit::ExtraSelection selection;
        selection.format.setBackground(blend(diff_colour(mark, theme_), theme_.base, theme_.dark ? 0.35 : 0.2));
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.cursor = QTextCursor(text_->document()->findBlockByNumber(int(line) - 1));
        selections.append(selection);
        if (selections.size() > kMostMarks) break;
    }
    text_->setExtraSelections(selections);
}

void DiffSide::showText(bool text) {
    stack_->setCurrentWidget(text ? static_cast<QWidget*>(text_) : graph_);
    print();
}

void DiffSide::reveal(ExprId expr) {
    if (!module_ || !expr.valid()) return;
    scrollTo(expr);
    const ExprId function = function_of(*module_, expr);
    for (const GlobalFunction& global : module_->functions()) {
        if (global.function != function) continue;
        const std::string_view name = module_->names().text(global.name);
        const QString shown = QLatin1Char('@') + QString::fromUtf8(name.data(), qsizetype(name.size()));
        if (function_->findText(shown) < 0) function_->addItem(shown);
        const int index = function_->findText(shown);
        if (index == function_->currentIndex()) break;
        function_->setCurrentIndex(index);
        wanted_ = expr;
        return layOut();
    }
    if (!graph_->model()) return;
    const int32_t node = graph_->model()->node_of(expr);
    graph_->selectNodes(node < 0 ? std::vector<uint32_t>() : std::vector<uint32_t>{uint32_t(node)});
    if (node >= 0) graph_->lookAt(uint32_t(node));
}

bool DiffSide::shows(ExprId expr) const {
    return expr.valid() && graph_->hasGraph() && graph_->model()->node_of(expr) >= 0;
}

std::pair<ExprId, QPointF> DiffSide::middle(const std::function<bool(ExprId)>& counts) const {
    if (!graph_->hasGraph()) return {};
    const QPointF middle = graph_->toGraph(QPointF(graph_->width() / 2.0, graph_->height() / 2.0));
    int64_t best = -1;
    double nearest = 0;
    const std::vector<QRectF>& nodes = graph_->geometry().nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
        const QPointF away = nodes[i].center() - middle;
        const double distance = QPointF::dotProduct(away, away);
        if ((best >= 0 && distance >= nearest) || !counts(graph_->model()->nodes[i].expr)) continue;
        best = int64_t(i);
        nearest = distance;
    }
    if (best < 0) return {};
    return {graph_->model()->nodes[size_t(best)].expr, graph_->toWidget(nodes[size_t(best)].center())};
}

void DiffSide::placeAt(ExprId expr, const QPointF& place, double zoom) {
    if (!graph_->hasGraph()) return;
    const int32_t node = graph_->model()->node_of(expr);
    if (node < 0) return;
    graph_->setZoom(zoom, QPointF());
    const QPointF at = graph_->geometry().nodes[size_t(node)].center();
    const QPointF middle(graph_->width() / 2.0, graph_->height() / 2.0);
    graph_->centreOn(at + (middle - place) / graph_->zoom());
}

int DiffSide::lineOf(ExprId expr) const {
    for (const auto& [line, id] : lines_)
        if (id == expr.value) return int(line) - 1;
    return -1;
}

ExprId DiffSide::topExpression() const {
    const uint32_t top = uint32_t(text_->verticalScrollBar()->value()) + 1;
    const auto found = std::lower_bound(lines_.begin(), lines_.end(), std::make_pair(top, 0u));
    return found == lines_.end() ? ExprId() : ExprId(found->second);
}

void DiffSide::scrollTo(ExprId expr) {
    if (const int line = lineOf(expr); line >= 0) text_->verticalScrollBar()->setValue(std::max(0, line - 2));
}

}  // namespace partita
