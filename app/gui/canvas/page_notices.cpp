#include "app/gui/canvas/page_notices.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "app/gui/canvas/graph_model.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

LayoutNotice::LayoutNotice(QWidget& view) : QWidget(&view), text_(make_plain_label()), button_(new QPushButton) {
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 6, 6);
    row->addWidget(text_);
    row->addWidget(button_);
    connect(button_, &QPushButton::clicked, this, &LayoutNotice::clicked);
    hide();
}

void LayoutNotice::tell(const QString& text, const QString& button) {
    text_->setText(text);
    if (!button.isEmpty()) button_->setText(button);
    show();
    place();
}

void LayoutNotice::place() {
    adjustSize();
    move((parentWidget()->width() - width()) / 2, 12);
}

GroupsNotice::GroupsNotice() : text_(make_plain_label()) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
    text_->setWordWrap(true);
    auto* all = new QPushButton(tr("Open all"));
    all->setToolTip(tr("Show every operator; this may take a while and can be stopped"));
    auto* none = new QPushButton(tr("Close all"));
    none->setToolTip(tr("Show the outermost groups"));
    connect(all, &QPushButton::clicked, this, &GroupsNotice::allWanted);
    connect(none, &QPushButton::clicked, this, &GroupsNotice::noneWanted);
    row->addWidget(text_, 1);
    row->addWidget(all);
    row->addWidget(none);
    hide();
}

int GroupsNotice::heightAt(int width) const {
    const QString kept = text_->text();
    constexpr int kManyNodes = 100000, kGroups = 10;
    text_->setText(textFor(kGroups, kManyNodes));
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : layout()->totalSizeHint().height();
    text_->setText(kept);
    return height;
}

QString GroupsNotice::textFor(int closed, size_t all) {
    return closed == 0 ? tr("All groups are open.")
                       : tr("%1 nodes, with %n group(s) closed. Enter or a double click opens a group, "
                            "C closes the one round a node.",
                            nullptr, closed)
                             .arg(QLocale().toString(qulonglong(all)));
}

void GroupsNotice::tell(const GraphModel* model) {
    setVisible(model);
    if (!model) return;
    const auto closed = std::count_if(model->nodes.begin(), model->nodes.end(),
                                      [](const GraphNode& node) { return node.kind == GraphNodeKind::Group; });
    const size_t all = model->full ? model->full->nodes.size() : model->nodes.size();
    text_->setText(textFor(int(closed), all));
}

}  // namespace partita
