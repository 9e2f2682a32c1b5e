#include "app/gui/panels/rules/rules_bar.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QToolButton>

#include "app/gui/style/foreign_text.h"

namespace partita {

RulesBar::RulesBar() : backends_(new QComboBox), origin_(make_plain_label()), said_(new QLabel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    backends_->setAccessibleName(tr("Whose rules"));
    backends_->setMinimumContentsLength(14);
    origin_->setForegroundRole(QPalette::PlaceholderText);
    said_->setAccessibleName(tr("What the last edit changed"));
    said_->setTextFormat(Qt::RichText);
    said_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(backends_);
    row->addWidget(origin_);
    row->addSpacing(8);
    row->addWidget(said_, 1);
    new_ = addButton(tr("New"), tr("A new backend, asked first"), &RulesBar::newWanted);
    save_ = addButton(tr("Save"), tr("Save the description to its file"), &RulesBar::saveWanted);
    save_as_ = addButton(tr("Save as…"), tr("Save the description to another file"), &RulesBar::saveAsWanted);
    revert_ = addButton(QString(), QString(), &RulesBar::revertWanted);
    connect(said_, &QLabel::linkActivated, this, &RulesBar::linkActivated);
    connect(backends_, &QComboBox::activated, this, &RulesBar::backendChosen);
}

QToolButton* RulesBar::addButton(const QString& text, const QString& tip, void (RulesBar::*wanted)()) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, wanted);
    return button;
}

void RulesBar::say(const QString& text, bool fault, const Theme& theme) {
    said_->setText(text);
    said_->setToolTip(said());
    QPalette palette;
    if (fault) palette.setColor(QPalette::WindowText, theme.error);
    said_->setPalette(palette);
}

QString RulesBar::said() const { return QTextDocumentFragment::fromHtml(said_->text()).toPlainText(); }

void RulesBar::showState(const State& state) {
    const bool in_file = !state.file.isEmpty();
    save_->setEnabled(state.any && (state.modified || !state.original));
    save_as_->setEnabled(state.any);
    revert_->setText(in_file ? tr("Reload") : tr("Revert"));
    revert_->setToolTip(in_file ? tr("Read the file again; undo takes it back") : tr("Back to what ships"));
    revert_->setEnabled(in_file || (state.any && state.modified && state.original));
    if (!state.any) return origin_->setText(tr("No backend is chosen"));
    if (in_file) {
        origin_->setText(shown_name(QFileInfo(state.file).fileName()) +
                         (state.modified ? QStringLiteral(" •") : QString()));
        return origin_->setToolTip(shown_name(state.file));
    }
    origin_->setText(state.original && !state.modified ? tr("shipped") : tr("not saved"));
    origin_->setToolTip(!state.original  ? QString()
                        : state.modified ? tr("a copy of what ships, not saved")
                                         : tr("ships with the program; an edit makes a copy"));
}

}  // namespace partita
