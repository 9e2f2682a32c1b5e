#include "app/gui/panels/timing/timing_invitation.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/document/document.h"
#include "app/gui/document/inputs_text.h"

namespace partita {

TimingInvitation::TimingInvitation(Document& document)
    : document_(document), text_(new QLabel), run_(new QPushButton), kept_(new QPushButton) {
    auto* middle = new QVBoxLayout(this);
    middle->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{text_, run_, kept_})
        middle->addWidget(widget, 0, widget == text_ ? Qt::Alignment() : Qt::AlignCenter);
    middle->addStretch(1);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    text_->setAlignment(Qt::AlignCenter);
    kept_->setToolTip(tr("The times of runs that the project keeps, two side by side"));
    connect(kept_, &QPushButton::clicked, this, &TimingInvitation::keptWanted);
    connect(run_, &QPushButton::clicked, this, [this] {
        if (document_.isRunning()) document_.cancelRun();
        else emit runWanted();
    });
}

void TimingInvitation::refresh(int kept) {
    QString text =
        document_.isRunning() ? tr("The module is running…") : tr("Run the module to see where its time goes.");
    if (!document_.inputs().empty())
        text += QLatin1Char('\n') + tr("Its inputs: %1").arg(inputs_text(document_.inputs()));
    text_->setText(text);
    run_->setText(document_.isRunning() ? tr("Cancel") : tr("Run"));
    run_->setEnabled(document_.isOpen());
    kept_->setText(tr("Compare %n kept run(s)", nullptr, kept));
    kept_->setVisible(document_.isOpen() && !document_.isRunning() && kept > 0);
}

}  // namespace partita
