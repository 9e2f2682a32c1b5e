#include "app/gui/panels/lessons/editor/pointed_calls.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace partita {

PointedCalls::PointedCalls(LessonDraft& draft, const QString& what, int most, QWidget* parent)
    : QWidget(parent), draft_(draft), what_(what), most_(most), names_(new QLabel),
      take_(new QPushButton(tr("Use selection"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    names_->setWordWrap(true);
    names_->setTextFormat(Qt::PlainText);
    row->addWidget(names_, 1);
    row->addWidget(take_, 0, Qt::AlignTop);
    connect(take_, &QPushButton::clicked, this, &PointedCalls::takeSelection);
    refresh();
}

void PointedCalls::setCalls(std::vector<uint32_t> calls) {
    calls_ = std::move(calls);
    refresh();
}

void PointedCalls::refresh() {
    const QString names = calls_.empty() ? QStringLiteral("—") : call_names(calls_, draft_.checked().graph.get());
    names_->setText(QStringLiteral("%1 %2").arg(what_, names));
    const size_t count = draft_.selectedCalls().size();
    // Nothing selected takes all back where any number will do.
    const bool fits = most_ > 0 ? count == size_t(most_) : count > 0 || !calls_.empty();
    take_->setEnabled(fits && draft_.isGraphShown());
    take_->setAccessibleDescription(what_);
    if (!draft_.isGraphShown()) take_->setToolTip(tr("Another graph is open than the lesson's"));
    else if (most_ > 0) take_->setToolTip(tr("Select %n operator(s) on the graph first", nullptr, most_));
    else take_->setToolTip(tr("Takes the selected operators; none: takes all back"));
}

void PointedCalls::takeSelection() {
    setCalls(draft_.selectedCalls());
    emit changed();
}

}  // namespace partita
