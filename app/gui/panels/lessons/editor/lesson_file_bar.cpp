#include "app/gui/panels/lessons/editor/lesson_file_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include "app/gui/style/foreign_text.h"

namespace partita {

LessonFileBar::LessonFileBar(LessonDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), faults_(new QListWidget), file_(new QLabel), save_(new QPushButton(tr("Save"))),
      try_(new QPushButton(tr("Try it"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 10);
    buildFaults();
    buildButtons();
    connect(&draft_, &LessonDraft::opened, this, [this] {
        faults_->clear();
        refresh();
    });
    connect(&draft_, &LessonDraft::edited, this, &LessonFileBar::refresh);
    connect(&draft_, &LessonDraft::wasChecked, this, [this] {
        showFaults();
        refresh();
    });
    refresh();
}

void LessonFileBar::buildFaults() {
    faults_->setObjectName(QStringLiteral("lesson-faults"));
    faults_->setAccessibleName(tr("Faults"));
    faults_->setWordWrap(true);
    faults_->setMaximumHeight(fontMetrics().lineSpacing() * 5);
    layout()->addWidget(faults_);
    connect(faults_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (const int page = item->data(Qt::UserRole).toInt(); page >= 0) emit pageWanted(page);
    });
}

void LessonFileBar::buildButtons() {
    file_->setWordWrap(true);
    file_->setTextFormat(Qt::PlainText);
    file_->setEnabled(false);
    save_->setObjectName(QStringLiteral("primary"));
    save_->setToolTip(tr("Into the folder of your own lessons"));
    try_->setObjectName(QStringLiteral("lesson-try"));
    auto* save_as = new QPushButton(tr("Save as…"));
    save_as->setObjectName(QStringLiteral("lesson-save-as"));
    auto* file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(save_as);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    for (QPushButton* button : {try_, save_}) row->addWidget(button, 1);
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addLayout(file);
    column->addLayout(row);
    connect(save_, &QPushButton::clicked, this, &LessonFileBar::saveWanted);
    connect(save_as, &QPushButton::clicked, this, &LessonFileBar::saveAsWanted);
    connect(try_, &QPushButton::clicked, this, &LessonFileBar::trialWanted);
}

void LessonFileBar::showFaults() {
    faults_->clear();
    const CheckedDraft& checked = draft_.checked();
    for (size_t i = 0; i < checked.faults.size(); ++i) {
        const int page = checked.fault_pages[i];
        const QString message = shown_message(checked.faults[i].message);
        auto* item = new QListWidgetItem(page < 0 ? message : tr("Page %1: %2").arg(page + 1).arg(message), faults_);
        item->setData(Qt::UserRole, page);
        item->setToolTip(message);
    }
    faults_->setVisible(!checked.faults.empty());
}

void LessonFileBar::refresh() {
    save_->setEnabled(draft_.isUnsaved() || draft_.path().isEmpty());
    try_->setEnabled(draft_.checked().graph && draft_.checked().faults.empty());
    try_->setToolTip(try_->isEnabled() ? tr("Go through it as a learner") : tr("Mend the faults first"));
    file_->setText(draft_.path().isEmpty() ? tr("Not saved yet.")
                   : draft_.isUnsaved()    ? tr("%1, changed").arg(shown_name(draft_.path()))
                                           : shown_name(draft_.path()));
}

}  // namespace partita
