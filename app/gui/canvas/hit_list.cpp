#include "app/gui/canvas/hit_list.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "app/gui/canvas/graph_search.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr size_t kMostHits = 1000;
/// Expressions that are walked over, of all functions together: some seconds.
constexpr size_t kMostWork = 50'000'000;

QString text_of(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// Adds the hits of one function.
void search_function(const ModulePtr& module, const GlobalFunction& function, const QString& query,
                     const DecorationInput& input, SearchHits& result) {
    const GraphModelPtr model = build_graph_model(module, function.function);
    const std::vector<uint32_t> found = search_graph(query, *model, decorate_graph(*model, input));
    result.found += found.size();
    for (uint32_t node : found) {
        if (result.hits.size() >= kMostHits) return;
        const GraphNode& data = model->nodes[node];
        result.hits.push_back({text_of(module->names().text(function.name)), data.expr, data.title,
                               shown_name(module->label(data.expr)), data.type});
    }
}

}  // namespace

SearchHits search_module(const ModulePtr& module, const QString& query, const DecorationInput& input,
                         const CancelToken& cancel) {
    SearchHits result;
    size_t work = 0;
    if (query.trimmed().isEmpty()) return result;
    for (const GlobalFunction& function : module->functions()) {
        if (cancel.cancelled()) return result;
        if (work > kMostWork) ++result.functions_left_out;
        else search_function(module, function, query, input, result);
        work += module->body(function.function).value;
    }
    return result;
}

HitList::HitList(QWidget* parent) : QWidget(parent), rows_(new QTreeWidget), note_(new QLabel) {
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 6);
    column->setSpacing(4);
    rows_->setAccessibleName(tr("Hits of the search"));
    rows_->setRootIsDecorated(false);
    rows_->setUniformRowHeights(true);
    rows_->setHeaderLabels({tr("Operator"), tr("Name"), tr("Type"), tr("Function")});
    rows_->header()->setSectionResizeMode(QHeaderView::Interactive);
    rows_->setFixedHeight(rows_->fontMetrics().height() * 10);
    rows_->installEventFilter(this);
    note_->setWordWrap(true);
    column->addWidget(rows_);
    column->addWidget(note_);
    connect(rows_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(rows_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
}

void HitList::list(SearchHits hits) {
    hits_ = std::move(hits);
    rows_->clear();
    QList<QTreeWidgetItem*> items;
    for (const SearchHit& hit : hits_.hits) {
        auto* item = new QTreeWidgetItem({hit.title, hit.name, hit.type, QLatin1Char('@') + hit.function});
        for (int i = 0; i < 4; ++i) item->setToolTip(i, item->text(i));
        items << item;
    }
    rows_->addTopLevelItems(items);
    for (int i = 0; i < 3; ++i) rows_->resizeColumnToContents(i);
    QStringList notes;
    if (hits_.found > hits_.hits.size())
        notes << tr("The first %1 of %2 hits.").arg(hits_.hits.size()).arg(hits_.found);
    if (hits_.functions_left_out)
        notes << tr("%n function(s) were not searched: the module has too many.", nullptr,
                    int(hits_.functions_left_out));
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
}

void HitList::choose(QTreeWidgetItem* item) {
    const int row = rows_->indexOfTopLevelItem(item);
    if (row >= 0 && size_t(row) < hits_.hits.size())
        emit chosen(hits_.hits[size_t(row)].function, hits_.hits[size_t(row)].expr);
}

bool HitList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == rows_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        emit left();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace partita
