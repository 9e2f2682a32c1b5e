#include "app/gui/panels/outline/outline_panel.h"

#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/gui/style/icons.h"
#include "app/gui/style/telling_names.h"

namespace partita {

OutlinePanel::OutlinePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), filter_(new QLineEdit), tree_(new QTreeView) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(8, 8, 8, 6);
    filter_->setPlaceholderText(tr("Filter functions and regions"));
    filter_->setAccessibleName(tr("Filter functions and regions"));
    filter_->setClearButtonEnabled(true);
    top->addWidget(filter_);
    column->addLayout(top);
    tree_->setModel(&model_);
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setItemDelegate(new NameDelegate(*tree_));
    tree_->setExpandsOnDoubleClick(false);
    tree_->setAccessibleName(tr("Outline"));
    column->addWidget(tree_, 1);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_.setFilter(text);
        tree_->expandToDepth(0);
    });
    connect(tree_, &QTreeView::activated, this, &OutlinePanel::activate);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (tree_->hasFocus()) select(now);
    });
    connect(tree_, &QTreeView::clicked, this, &OutlinePanel::select);
    connect(&document_, &Document::opened, this, &OutlinePanel::refresh);
    connect(&document_, &Document::flowChanged, this, &OutlinePanel::refresh);
}

void OutlinePanel::setTheme(const Theme& theme) {
    model_.setTheme(theme);
    tree_->setIconSize(swatch_size(tree_->fontMetrics()));
    tree_->expandToDepth(0);
}

void OutlinePanel::setRegionsHidden(bool hidden) {
    regions_hidden_ = hidden;
    refresh();
}

void OutlinePanel::refresh() {
    if (job_) document_.jobs().cancel(job_);
    job_ = document_.jobs().start<OutlineSource>(
        tr("Listing functions"), this,
        [named = document_.named(), flow = regions_hidden_ ? nullptr : document_.flow(),
         partitioned = regions_hidden_ ? nullptr : document_.partitioned(), backends = document_.choice().backends](
            const JobContext&) { return make_outline(named, flow, partitioned, backends); },
        [this](OutlineSource source) {
            job_ = 0;
            model_.setSource(std::move(source));
            tree_->expandToDepth(0);
        });
}

void OutlinePanel::activate(const QModelIndex& index) {
    const auto kind = OutlineKind(index.data(OutlineKindRole).toInt());
    const QString name = index.data(OutlineNameRole).toString();
    if (kind == OutlineKind::Function) emit functionOpened(name, false);
    if (kind == OutlineKind::SubFunction) emit functionOpened(name, true);
    if (kind == OutlineKind::Region && document_.partitioned()) emit functionOpened(name, true);
}

void OutlinePanel::select(const QModelIndex& index) {
    if (const QVariant run = index.data(OutlineRunRole); run.isValid() && document_.named())
        document_.setSelection(document_.named()->blocks.calls(*document_.named()->module, run.toInt()));
    const QVariantList alike = index.data(OutlineAlikeRole).toList();
    if (!alike.isEmpty()) emit regionsSelected(alike);
    else if (OutlineKind(index.data(OutlineKindRole).toInt()) == OutlineKind::Region)
        emit regionSelected(index.data(OutlineRegionRole).toInt());
}

}  // namespace partita
