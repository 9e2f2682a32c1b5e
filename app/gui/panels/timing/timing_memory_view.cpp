#include "app/gui/panels/timing/timing_memory_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/document/document.h"
#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr size_t kMostShownBlocks = 300;
constexpr int kBlockRole = Qt::UserRole;

QString memory_csv_field(const QString& text) {
    return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString memory_region(const RunReport& report, int region) {
    return region >= 0 && size_t(region) < report.regions.size() ? shown_name(report.regions[size_t(region)].shown())
                                                                 : QString();
}

}  // namespace

TimingMemoryView::TimingMemoryView(Document& document)
    : document_(document), headline_(make_plain_label()), chart_(new MemoryChart), table_(new QTreeWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    headline_->setContentsMargins(10, 4, 10, 0);
    headline_->setWordWrap(true);
    column->addWidget(headline_);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(chart_);
    split->addWidget(table_);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    column->addWidget(split, 1);
    table_->setHeaderLabels({tr("Kept in memory"), tr("Size"), tr("Steps"), tr("Region")});
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAccessibleName(tr("What is kept in memory at the chosen step"));
    for (const int numeric : {1, 2}) table_->headerItem()->setTextAlignment(numeric, Qt::AlignRight | Qt::AlignVCenter);
    table_->header()->setResizeContentsPrecision(kMeasuredRows);
    table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->header()->setSectionResizeMode(3, QHeaderView::Stretch);
    table_->setTextElideMode(Qt::ElideMiddle);
    connect(chart_, &MemoryChart::stepChosen, this, &TimingMemoryView::showStep);
    connect(table_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (!item || !picture_ || !item->data(0, kBlockRole).isValid()) return;
        const MemoryUse::Block& block = picture_->report->memory.blocks[item->data(0, kBlockRole).toUInt()];
        emit chosen(block.owner.region, block.workspace ? ExprId() : block.owner.origin);
    });
}

void TimingMemoryView::setTheme(const Theme& theme) {
    chart_->setTheme(theme);
    refreshColours();
}

void TimingMemoryView::setPicture(std::shared_ptr<const MemoryPicture> picture) {
    picture_ = std::move(picture);
    table_->clear();
    headline_->setText(picture_ && picture_->live.empty() ? tr("A module with control flow has no plan of its memory.")
                                                          : QString());
    refreshColours();
    if (!picture_ || picture_->live.empty()) return;
    chart_->setStep(picture_->peak);
    showStep(picture_->peak);
}

void TimingMemoryView::refreshColours() {
    std::vector<int> colours;
    if (picture_)
        for (const MemoryPicture::Layer& layer : picture_->layers)
            colours.push_back(document_.choice().backend_index(layer.backend));
    chart_->setPicture(picture_, std::move(colours));
}

void TimingMemoryView::showStep(size_t step) {
    if (!picture_ || step >= picture_->live.size()) return;
    const MemoryUse& memory = picture_->report->memory;
    const std::vector<uint32_t> live = memory.live_at(step);
    const QString where =
        tr("step %1 of %2, %3").arg(step + 1).arg(memory.steps.size()).arg(memory_name(memory.steps[step]));
    const QString kept = tr("%n value(s) kept", nullptr, int(live.size()));
    const QString bytes = bytes_text(double(picture_->live[step]));
    headline_->setText(step == picture_->peak
                           ? tr("The peak: %1 at %2 — %3. The plan takes %4 in all.")
                                 .arg(bytes, where, kept, bytes_text(double(picture_->report->peak_bytes)))
                           : tr("%1 at %2 — %3. The peak is %4 (P).")
                                 .arg(bytes, where, kept, bytes_text(double(picture_->live[picture_->peak]))));
    table_->clear();
    QList<QTreeWidgetItem*> items;
    for (size_t i = 0; i < std::min(live.size(), kMostShownBlocks); ++i) {
        const MemoryUse::Block& block = memory.blocks[live[i]];
        const QString region = memory_region(*picture_->report, block.owner.region);
        auto* item = new QTreeWidgetItem({block.workspace ? tr("workspace of the region") : memory_name(block.owner),
                                          bytes_text(double(block.bytes)),
                                          QStringLiteral("%1–%2").arg(block.first + 1).arg(block.last + 1), region});
        item->setData(0, kBlockRole, live[i]);
        for (const int numeric : {1, 2}) item->setTextAlignment(numeric, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(3, as_plain(region));
        items << item;
    }
    if (live.size() > kMostShownBlocks)
        items << new QTreeWidgetItem({tr("%n more", nullptr, int(live.size() - kMostShownBlocks))});
    table_->addTopLevelItems(items);
}

QString memory_csv(const RunReport& report) {
    QString text = QStringLiteral("name,region,bytes,offset,first_step,last_step,workspace\n");
    for (const MemoryUse::Block& block : report.memory.blocks)
        text += QStringLiteral("%1,%2,%3,%4,%5,%6,%7\n")
                    .arg(memory_csv_field(memory_name(block.owner)),
                         memory_csv_field(memory_region(report, block.owner.region)))
                    .arg(block.bytes)
                    .arg(block.offset)
                    .arg(block.first + 1)
                    .arg(block.last + 1)
                    .arg(block.workspace ? 1 : 0);
    return text;
}

}  // namespace partita
