#include "app/gui/panels/rules/description_texts.h"

#include <utility>

#include <QFileInfo>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/find_bar.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

QWidget* page_of(DescriptionEdit& edit) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* find = new FindBar(edit);
    column->addWidget(find);
    column->addWidget(&edit, 1);
    QObject::connect(&edit, &DescriptionEdit::findWanted, find, &FindBar::open);
    return page;
}

QString tab_text(const QString& file) {
    return shortened(shown_name(QFileInfo(file).fileName()), 48).replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

DescriptionTexts::DescriptionTexts()
    : own_(new DescriptionEdit), python_(new DescriptionEdit), tabs_(new QTabBar), pages_(new QStackedWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tabs_);
    column->addWidget(pages_, 1);
    pages_->addWidget(page_of(*own_));
    pages_->addWidget(page_of(*python_));
    python_->setPython(true);
    python_->setReadOnly(true);
    python_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    tabs_->setAccessibleName(tr("Texts of the description"));
    tabs_->setDrawBase(false);
    tabs_->addTab(QString());
    tabs_->addTab(QString());
    tabs_->hide();
    connect(tabs_, &QTabBar::currentChanged, pages_, &QStackedWidget::setCurrentIndex);
}

void DescriptionTexts::setTheme(const Theme& theme) {
    own_->setTheme(theme);
    python_->setTheme(theme);
}

void DescriptionTexts::offer(const QString& own, const QString& beside, const QString& text) {
    const bool other = std::exchange(beside_, beside) != beside;
    if (other) python_->openText(text);
    else python_->replaceText(text);
    tabs_->setTabText(0, own.isEmpty() ? tr("Description") : tab_text(own));
    tabs_->setTabText(1, tr("%1 (read only)").arg(tab_text(beside)));
    tabs_->setTabToolTip(1, tr("The rules of this description. Changes of the file on disk are followed."));
    tabs_->setVisible(!beside.isEmpty());
    if (other) showOwn();
}

void DescriptionTexts::showOwn() { tabs_->setCurrentIndex(0); }

void DescriptionTexts::showLines() { tabs_->setCurrentIndex(beside_.isEmpty() ? 0 : 1); }

}  // namespace partita
