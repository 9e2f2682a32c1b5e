#include "app/gui/window/help_window.h"

#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>

namespace partita {

namespace {

/// The help in the user's language if there is one, else in English.
QUrl help_page() {
    const QString own = QLocale().name().section(QLatin1Char('_'), 0, 0);
    const bool there = QFile::exists(QStringLiteral(":/help/%1.md").arg(own));
    return QStringLiteral("qrc:/help/%1.md").arg(there ? own : QStringLiteral("en"));
}

/// Tables with one thin line between cells instead of the frames that a page in Markdown gets.
void tidy_tables(QTextBrowser& text) {
    QColor line = text.palette().color(QPalette::Text);
    line.setAlpha(60);
    for (QTextTable* table : text.document()->findChildren<QTextTable*>()) {
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderBrush(line);
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(5);
        format.setTopMargin(8);
        format.setBottomMargin(8);
        table->setFormat(format);
    }
}

/// Shows the dark form of the pages' drawings on a dark ground, of those that have one.
class HelpText : public QTextBrowser {
    QVariant loadResource(int type, const QUrl& name) override {
        const bool drawing = type == QTextDocument::ImageResource && name.path().endsWith(QStringLiteral(".svg"));
        if (!drawing || palette().color(QPalette::Base).lightness() > 127)
            return QTextBrowser::loadResource(type, name);
        QUrl dark = name;
        dark.setPath(name.path().chopped(4) + QStringLiteral("-dark.svg"));
        const QVariant drawn = QTextBrowser::loadResource(type, dark);
        return drawn.isNull() ? QTextBrowser::loadResource(type, name) : drawn;
    }
};

}  // namespace

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent), text_(new HelpText), headings_(new QListWidget), search_(new QLineEdit),
      missing_(new QLabel(tr("Not on this page"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Help"));
    resize(980, 720);
    auto* back = new QToolButton;
    back->setText(QStringLiteral("←"));
    back->setToolTip(tr("Back to the page before (Alt+Left)"));
    back->setAccessibleName(tr("Back"));
    back->setEnabled(false);
    search_->setPlaceholderText(tr("Find in the help"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setClearButtonEnabled(true);
    headings_->setAccessibleName(tr("Headings"));
    headings_->setWordWrap(true);
    text_->setAccessibleName(tr("Help"));
    text_->setOpenExternalLinks(false);
    text_->document()->setDocumentMargin(20);
    QPalette found = text_->palette();  // what was found is seen while the search has the keys
    for (const QPalette::ColorRole role : {QPalette::Highlight, QPalette::HighlightedText})
        found.setColor(QPalette::Inactive, role, found.color(QPalette::Active, role));
    text_->setPalette(found);
    missing_->hide();
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 8, 8, 8);
    top->addWidget(back);
    top->addWidget(search_, 1);
    top->addWidget(missing_);
    auto* split = new QSplitter;
    split->addWidget(headings_);
    split->addWidget(text_);
    split->setStretchFactor(1, 1);
    split->setSizes({220, 760});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(split, 1);
    connect(back, &QToolButton::clicked, text_, &QTextBrowser::backward);
    connect(text_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(text_, &QTextBrowser::sourceChanged, this, [this] {
        tidy_tables(*text_);
        fillHeadings();
    });
    connect(headings_, &QListWidget::currentRowChanged, this, &HelpWindow::goToHeading);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) { find(words, false); });
    connect(search_, &QLineEdit::returnPressed, this, [this] { find(search_->text(), true); });
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, search_, [this] {
        search_->setFocus();
        search_->selectAll();
    });
    text_->setSource(help_page());  // its links lead to the other pages
    text_->setFocus();
}

void HelpWindow::fillHeadings() {
    const QSignalBlocker block(headings_);
    headings_->clear();
    for (QTextBlock line = text_->document()->begin(); line.isValid(); line = line.next()) {
        if (line.blockFormat().headingLevel() != 2) continue;
        auto* item = new QListWidgetItem(line.text(), headings_);
        item->setData(Qt::UserRole, line.position());
    }
}

/// The heading stands at the top of the window.
void HelpWindow::goToHeading(int row) {
    const QListWidgetItem* item = headings_->item(row);
    if (!item) return;
    QTextCursor place(text_->document());
    place.setPosition(item->data(Qt::UserRole).toInt());
    text_->setTextCursor(place);
    text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->value() + text_->cursorRect(place).top() - 8);
}

/// The list names the heading under which a place stands; that of another one would be wrong.
void HelpWindow::markHeading(int position) {
    const QSignalBlocker block(headings_);  // the text stays where it is
    int row = headings_->count() - 1;
    while (row >= 0 && headings_->item(row)->data(Qt::UserRole).toInt() > position) --row;
    headings_->setCurrentRow(row);
}

/// From what was found last, or behind it, and from the beginning again.
void HelpWindow::find(const QString& words, bool on) {
    QTextCursor from = text_->textCursor();
    if (!on) from.setPosition(from.selectionStart());
    QTextCursor found = text_->document()->find(words, from);
    if (found.isNull()) found = text_->document()->find(words);
    from.clearSelection();
    text_->setTextCursor(found.isNull() ? from : found);
    if (!found.isNull()) markHeading(found.selectionStart());
    missing_->setVisible(found.isNull() && !words.isEmpty());
}

void HelpWindow::showTopic(HelpTopic topic) {
    if (text_->source() != help_page()) text_->setSource(help_page());
    headings_->setCurrentRow(int(topic));
    goToHeading(int(topic));  // it may have been there, with the text elsewhere
    if (topic == HelpTopic::FirstMinutes) text_->verticalScrollBar()->setValue(0);  // what stands above it, too
}

void show_help(QWidget* parent, HelpTopic topic) {
    auto* window = parent->findChild<HelpWindow*>();
    if (!window) window = new HelpWindow(parent);
    window->show();
    window->raise();
    window->activateWindow();
    window->showTopic(topic);
}

}  // namespace partita
