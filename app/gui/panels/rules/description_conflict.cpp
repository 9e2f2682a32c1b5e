#include "app/gui/panels/rules/description_conflict.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/gui/panels/rules/description_files.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

DescriptionConflict::DescriptionConflict() : text_(new QLabel), theirs_(new QToolButton) {
    setObjectName(QStringLiteral("description-conflict"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 2, 8, 2);
    text_->setTextFormat(Qt::RichText);
    theirs_->setText(tr("Take theirs"));
    theirs_->setToolTip(tr("Read the file again; undo takes it back"));
    auto* mine = new QToolButton;
    mine->setText(tr("Keep mine"));
    mine->setToolTip(tr("Saving then writes over the file"));
    row->addWidget(text_);
    row->addWidget(theirs_);
    row->addWidget(mine);
    row->addStretch();
    connect(theirs_, &QToolButton::clicked, this, &DescriptionConflict::theirsWanted);
    connect(mine, &QToolButton::clicked, this, &DescriptionConflict::mineWanted);
    hide();
}

void DescriptionConflict::tell(const QString& file) {
    setVisible(!file.isEmpty());
    if (file.isEmpty()) return;
    const bool gone = !DescriptionFiles::read(file);
    const QString words = gone ? tr("<b>%1</b> is no longer there. Saving writes it again.")
                               : tr("<b>%1</b> was changed on disk, and here.");
    text_->setText(words.arg(shown_name(QFileInfo(file).fileName()).toHtmlEscaped()));
    theirs_->setVisible(!gone);
}

}  // namespace partita
