#include "app/gui/panels/lessons/editor/lesson_editor.h"

#include <algorithm>
#include <utility>

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTextBrowser>

#include "app/gui/panels/lessons/editor/claim_editor.h"
#include "app/gui/panels/lessons/editor/pointed_calls.h"
#include "app/gui/panels/lessons/editor/question_editor.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lesson_page.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kNarrowestEditor = 300;

QLabel* make_words(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// Scrolls up and down alone: it is never narrower than its content.
class DownwardsScroll : public QScrollArea {
public:
    QSize minimumSizeHint() const override {
        const int content = widget() ? widget()->minimumSizeHint().width() : 0;
        return QSize(content + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height());
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

QScrollArea* make_scrolled(QWidget* content) {
    auto* scroll = new DownwardsScroll;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QPushButton* make_button(const QString& name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    return button;
}

/// A page in the list: its first line, without the mark of a heading, and whether it asks.
QString page_title(size_t number, const LessonPage& page) {
    QString line = QString::fromStdString(page.text).trimmed().section(QLatin1Char('\n'), 0, 0);
    while (line.startsWith(QLatin1Char('#'))) line.remove(0, 1);
    return QStringLiteral("%1  %2%3")
        .arg(number + 1)
        .arg(shown_name(line.trimmed()), page.question ? QStringLiteral("  ?") : QString());
}

}  // namespace

LessonEditor::LessonEditor(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), draft_(document, this), stack_(new QStackedLayout(this)) {
    stack_->addWidget(buildBeginning());
    stack_->addWidget(buildForm());
    connect(&draft_, &LessonDraft::opened, this, &LessonEditor::showDraft);
    connect(&draft_, &LessonDraft::edited, this, &LessonEditor::updateButtons);
    connect(&draft_, &LessonDraft::wasChecked, this, [this] {
        showFaults();
        updateButtons();
    });
    for (auto signal : {&Document::flowChanged, &Document::choiceChanged, &Document::selectionChanged})
        connect(&document_, signal, this, &LessonEditor::updateButtons);
    connect(&document_, &Document::choiceChanged, this, &LessonEditor::followGraph);
    connect(&document_, &Document::opened, this, &LessonEditor::updateButtons);
    connect(&draft_, &LessonDraft::measured, this, [this] { emit told(tr("What is claimed of times holds here.")); });
    updateButtons();
}

QWidget* LessonEditor::buildBeginning() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 12);
    column->addWidget(
        make_words(tr("A lesson is a graph with pages of text and questions. Open a graph, choose its "
                      "backends, and begin.")));
    auto* begin = make_button(QStringLiteral("lesson-begin"), tr("New lesson"), tr("From the graph that is open"));
    connect(begin, &QPushButton::clicked, this, &LessonEditor::begin);
    column->addWidget(begin);
    go_on_ = make_button(QStringLiteral("lesson-go-on"), tr("Restore unsaved lesson"), {});
    connect(go_on_, &QPushButton::clicked, this, [this] { showOutcome(draft_.restore()); });
    go_on_->setVisible(LessonDraft::hasKept());
    column->addWidget(go_on_);
    column->addStrut(kNarrowestEditor);
    column->addStretch(1);
    return page;
}

QWidget* LessonEditor::buildForm() {
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(10, 8, 10, 10);
    column->setSpacing(8);
    column->addStrut(kNarrowestEditor);
    buildHead(*column);
    buildPages(*column);
    buildState(*column);
    buildTabs(*column);
    buildShown(*column);
    QScrollArea* scroll = make_scrolled(inner);
    auto* page = new QWidget;
    auto* both = new QVBoxLayout(page);
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(0);
    both->addWidget(scroll, 1);
    auto* end = new QVBoxLayout;
    end->setContentsMargins(10, 6, 10, 10);
    buildEnd(*end);
    both->addLayout(end);
    return page;
}

void LessonEditor::buildHead(QVBoxLayout& column) {
    title_ = new QLineEdit;
    line_ = new QLineEdit;
    chapter_ = new QLineEdit;
    title_->setObjectName(QStringLiteral("lesson-title"));
    line_->setObjectName(QStringLiteral("lesson-line"));
    chapter_->setObjectName(QStringLiteral("lesson-chapter"));
    const std::pair<QLineEdit*, QString> fields[] = {
        {title_, tr("Title")}, {line_, tr("Aim: what is learned, in a line")}, {chapter_, tr("Chapter")}};
    for (const auto& [field, what] : fields) {
        field->setPlaceholderText(what);
        field->setAccessibleName(what);
        field->setToolTip(what);
    }
    auto* names = new QHBoxLayout;
    names->setSpacing(4);
    names->addWidget(title_, 3);
    names->addWidget(chapter_, 2);
    column.addLayout(names);
    column.addWidget(line_);
    const auto follow = [this](QLineEdit* field, std::string Lesson::*member) {
        connect(field, &QLineEdit::textEdited, this, [this, member](const QString& text) {
            draft_.edit([&](Lesson& lesson) { lesson.*member = text.toStdString(); });
        });
    };
    follow(title_, &Lesson::title);
    follow(line_, &Lesson::line);
    follow(chapter_, &Lesson::chapter);
    other_row_ = new QWidget;
    auto* row = new QVBoxLayout(other_row_);
    row->setContentsMargins(0, 0, 0, 0);
    other_graph_ = make_words(tr("Another graph is open than the lesson's."));
    row->addWidget(other_graph_);
    open_graph_ = make_button(QStringLiteral("lesson-open-graph"), tr("Open the lesson's"), {});
    take_graph_ = make_button(QStringLiteral("lesson-take-graph"), tr("Take the open one"),
                              tr("The lesson gets the graph that is open, and its backends"));
    for (QPushButton* button : {open_graph_, take_graph_}) row->addWidget(button, 0, Qt::AlignLeft);
    other_row_->hide();
    column.addWidget(other_row_);
    connect(open_graph_, &QPushButton::clicked, this, [this] { emit graphWanted(draft_.lesson()); });
    connect(take_graph_, &QPushButton::clicked, this, [this] { showOutcome(draft_.takeGraph()); });
}

void LessonEditor::buildPages(QVBoxLayout& column) {
    pages_ = new QListWidget;
    pages_->setObjectName(QStringLiteral("lesson-pages"));
    pages_->setAccessibleName(tr("Pages"));
    pages_->setFixedHeight(fontMetrics().lineSpacing() * 5);
    column.addWidget(pages_);
    auto* add = make_button(QStringLiteral("lesson-add-page"), tr("Add page"),
                            tr("A page after this one, with the graph as it is in the window"));
    remove_ = make_button(QStringLiteral("lesson-remove-page"), QStringLiteral("−"), tr("Remove this page"));
    up_ = make_button(QStringLiteral("lesson-page-up"), QStringLiteral("↑"), tr("Move the page up"));
    down_ = make_button(QStringLiteral("lesson-page-down"), QStringLiteral("↓"), tr("Move the page down"));
    for (QPushButton* sign : {remove_, up_, down_}) sign->setAccessibleName(sign->toolTip());
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    for (QPushButton* button : {add, remove_, up_, down_}) row->addWidget(button, button == add);
    column.addLayout(row);
    connect(add, &QPushButton::clicked, this, &LessonEditor::addPage);
    connect(remove_, &QPushButton::clicked, this, &LessonEditor::removePage);
    connect(up_, &QPushButton::clicked, this, [this] { movePage(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { movePage(1); });
    connect(pages_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!filling_ && row >= 0) showPage(row);
    });
}

void LessonEditor::buildTabs(QVBoxLayout& column) {
    tabs_ = new QTabWidget;
    tabs_->setObjectName(QStringLiteral("lesson-tabs"));
    text_ = new QPlainTextEdit;
    text_->setObjectName(QStringLiteral("lesson-text"));
    text_->setAccessibleName(tr("Text of the page, in Markdown"));
    text_->setPlaceholderText(tr("Markdown: ## heading, **bold**, `code`, - list"));
    text_->setTabChangesFocus(true);
    text_->setProperty("field", true);
    preview_ = new QTextBrowser;
    preview_->setObjectName(QStringLiteral("lesson-preview"));
    preview_->setAccessibleName(tr("As it is read"));
    preview_->setOpenLinks(false);
    preview_->document()->setDocumentMargin(8);
    auto* both = new QSplitter(Qt::Vertical);
    both->addWidget(text_);
    both->addWidget(preview_);
    both->setChildrenCollapsible(false);
    for (QWidget* half : std::initializer_list<QWidget*>{text_, preview_})
        half->setMinimumHeight(fontMetrics().lineSpacing() * 4);
    question_ = new QuestionEditor(draft_, document_);
    QScrollArea* scroll = make_scrolled(question_);
    scroll->setMinimumHeight(fontMetrics().lineSpacing() * 11);
    tabs_->addTab(both, tr("Text"));
    tabs_->addTab(scroll, tr("Question"));
    claims_ = new ClaimEditor(draft_, document_);
    tabs_->addTab(make_scrolled(claims_), tr("Claims"));
    column.addWidget(tabs_, 1);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        show_markdown(*preview_, text_->toPlainText());
        if (filling_ || !draft_.isOpen()) return;
        draft_.edit([this](Lesson& lesson) { lesson.pages[size_t(page_)].text = text_->toPlainText().toStdString(); });
        if (QListWidgetItem* item = pages_->item(page_))
            item->setText(page_title(size_t(page_), draft_.lesson().pages[size_t(page_)]));
    });
}

void LessonEditor::buildState(QVBoxLayout& column) {
    state_ = make_words({});
    state_->setObjectName(QStringLiteral("lesson-state"));
    record_ =
        make_button(QStringLiteral("lesson-record"), tr("Record"),
                    tr("The page shows the graph as it is in the window now: passes, assignments, order of backends"));
    auto* row = new QHBoxLayout;
    row->addWidget(state_, 1);
    row->addWidget(record_, 0, Qt::AlignTop);
    column.addLayout(row);
    connect(record_, &QPushButton::clicked, this, &LessonEditor::recordState);
}

void LessonEditor::buildShown(QVBoxLayout& column) {
    shown_ = new PointedCalls(draft_, tr("The view goes to:"), 0);
    shown_->setObjectName(QStringLiteral("lesson-shown"));
    column.addWidget(shown_);
    connect(shown_, &PointedCalls::changed, this,
            [this] { draft_.edit([this](Lesson& lesson) { lesson.pages[size_t(page_)].show = shown_->calls(); }); });
}

void LessonEditor::buildEnd(QVBoxLayout& column) {
    faults_ = new QListWidget;
    faults_->setObjectName(QStringLiteral("lesson-faults"));
    faults_->setAccessibleName(tr("Faults"));
    faults_->setWordWrap(true);
    faults_->setMaximumHeight(fontMetrics().lineSpacing() * 5);
    column.addWidget(faults_);
    file_ = make_words({});
    file_->setEnabled(false);
    save_ = make_button(QStringLiteral("primary"), tr("Save"), tr("Into the folder of your own lessons"));
    auto* save_as = make_button(QStringLiteral("lesson-save-as"), tr("Save as…"), {});
    try_ = make_button(QStringLiteral("lesson-try"), tr("Try it"), tr("Go through it as a learner"));
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    for (QPushButton* button : {try_, save_}) row->addWidget(button, 1);
    auto* file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(save_as);
    column.addLayout(file);
    column.addLayout(row);
    connect(save_, &QPushButton::clicked, this, &LessonEditor::save);
    connect(save_as, &QPushButton::clicked, this, &LessonEditor::saveAs);
    connect(try_, &QPushButton::clicked, this, &LessonEditor::tryOut);
    connect(faults_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (const int page = item->data(Qt::UserRole).toInt(); page >= 0) showPage(page);
    });
}

void LessonEditor::begin() {
    afterAsking([this] { showOutcome(draft_.begin()); });
}

void LessonEditor::edit(const QString& path) {
    if (draft_.isOpen() && path == draft_.path()) return;
    afterAsking([this, path] { showOutcome(draft_.open(path)); });
}

void LessonEditor::afterAsking(std::function<void()> go_on) {
    // One from the start before would be written over.
    if (!draft_.isOpen() && LessonDraft::hasKept()) (void)draft_.restore();
    if (!draft_.isUnsaved()) return go_on();
    auto* box = new QMessageBox(QMessageBox::Question, tr("Lesson"),
                                tr("Save the lesson “%1” first?").arg(shown_name(draft_.lesson().title)),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("leave-lesson"));
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this, [this, box, go_on](QAbstractButton* button) {
        const QMessageBox::StandardButton chosen = box->standardButton(button);
        if (chosen == QMessageBox::Save) save();
        if (chosen == QMessageBox::Discard || (chosen == QMessageBox::Save && !draft_.isUnsaved())) go_on();
    });
    box->open();
}

void LessonEditor::showOutcome(const Status& status) {
    if (!status) show_warning(this, tr("Lesson"), shown_message(status.error().message));
}

void LessonEditor::showDraft() {
    go_on_->setVisible(LessonDraft::hasKept());
    stack_->setCurrentIndex(draft_.isOpen() ? 1 : 0);
    removed_.reset();
    if (!draft_.isOpen()) return;
    title_->setText(QString::fromStdString(draft_.lesson().title));
    line_->setText(QString::fromStdString(draft_.lesson().line));
    chapter_->setText(QString::fromStdString(draft_.lesson().chapter));
    for (QLineEdit* field : {title_, line_, chapter_}) field->setCursorPosition(0);
    faults_->clear();
    fillPages();
    showPage(0);
}

void LessonEditor::fillPages() {
    const bool was = std::exchange(filling_, true);
    pages_->clear();
    for (size_t i = 0; i < draft_.lesson().pages.size(); ++i) pages_->addItem(page_title(i, draft_.lesson().pages[i]));
    pages_->setCurrentRow(page_);
    filling_ = was;
}

void LessonEditor::showPage(int page) {
    page_ = std::clamp(page, 0, int(draft_.lesson().pages.size()) - 1);
    filling_ = true;
    pages_->setCurrentRow(page_);
    text_->setPlainText(QString::fromStdString(draft_.lesson().pages[size_t(page_)].text));
    filling_ = false;
    shown_->setCalls(draft_.lesson().pages[size_t(page_)].show);
    question_->showPage(page_);
    claims_->showPage(page_);
    applyState();
    updateButtons();
}

/// The window shows what the page shows.
void LessonEditor::applyState() {
    if (!draft_.isGraphShown()) return;
    FlowChoice choice = choice_of_page(draft_.lesson(), page_, document_.choice(), document_.names());
    if (!same_division(choice, document_.choice()))
        document_.changeChoice(std::move(choice), tr("page %1 of the lesson").arg(page_ + 1));
}

/// What is done to the graph beside a page's text belongs to the page. Beside a question it may be an answer, beside
/// claims what they are about.
void LessonEditor::followGraph() {
    if (isVisible() && tabs_->currentIndex() == 0 && differsFromGraph()) recordState();
}

void LessonEditor::addPage() {
    LessonPage page;
    page.text = tr("## A page").toStdString();
    if (draft_.isGraphShown()) record_choice(page, draft_.lesson(), document_.choice(), document_.names());
    removed_.reset();
    draft_.edit([&](Lesson& lesson) { lesson.pages.insert(lesson.pages.begin() + page_ + 1, std::move(page)); });
    ++page_;
    fillPages();
    showPage(page_);
    tabs_->setCurrentIndex(0);
    text_->setFocus();
    text_->selectAll();
}

void LessonEditor::removePage() {
    if (removed_) {
        draft_.edit([&](Lesson& lesson) {
            const int place = std::min(removed_->first, int(lesson.pages.size()));
            lesson.pages.insert(lesson.pages.begin() + place, std::move(removed_->second));
            page_ = place;
        });
        removed_.reset();
    } else if (draft_.lesson().pages.size() > 1) {
        draft_.edit([&](Lesson& lesson) {
            removed_ = {page_, std::move(lesson.pages[size_t(page_)])};
            lesson.pages.erase(lesson.pages.begin() + page_);
        });
    }
    const auto removed = removed_;
    fillPages();
    showPage(std::min(page_, int(draft_.lesson().pages.size()) - 1));
    removed_ = removed;
    updateButtons();
}

void LessonEditor::movePage(int by) {
    const int to = page_ + by;
    if (to < 0 || to >= int(draft_.lesson().pages.size())) return;
    draft_.edit([&](Lesson& lesson) { std::swap(lesson.pages[size_t(page_)], lesson.pages[size_t(to)]); });
    page_ = to;
    fillPages();
    showPage(to);
}

void LessonEditor::recordState() {
    if (!draft_.isGraphShown()) return;
    draft_.edit([this](Lesson& lesson) {
        record_choice(lesson.pages[size_t(page_)], lesson, document_.choice(), document_.names());
    });
}

/// Returns whether the page would be another one with the graph as it is in the window.
bool LessonEditor::differsFromGraph() {
    if (!draft_.isGraphShown()) return false;
    LessonPage now;
    record_choice(now, draft_.lesson(), document_.choice(), document_.names());
    const LessonPage& page = draft_.lesson().pages[size_t(page_)];
    return now.annotate != page.annotate || now.merge != page.merge || now.partition != page.partition ||
           !(now.with == page.with);
}

QString LessonEditor::stateText() const {
    const LessonPage& page = draft_.lesson().pages[size_t(page_)];
    QStringList parts;
    if (page.annotate) parts << tr("annotated");
    if (page.merge) parts << tr("merged");
    if (page.partition) parts << tr("partitioned");
    if (parts.isEmpty()) parts << tr("not divided");
    if (draft_.checked().graph && !page.with.empty()) parts << shown_setting(page.with, *draft_.checked().graph);
    return tr("The graph is %1.").arg(parts.join(QStringLiteral(", ")));
}

void LessonEditor::updateButtons() {
    if (!draft_.isOpen()) return;
    const bool same = draft_.isGraphShown();
    other_row_->setVisible(!same && draft_.checked().graph);
    take_graph_->setEnabled(document_.isOpen());
    state_->setText(stateText());
    const bool differs = differsFromGraph();
    record_->setEnabled(differs);
    if (differs) state_->setText(tr("The graph is divided otherwise than on this page."));
    shown_->refresh();
    remove_->setText(removed_ ? QStringLiteral("↶") : QStringLiteral("−"));
    remove_->setToolTip(removed_ ? tr("The page that was removed comes back") : tr("Remove this page"));
    remove_->setAccessibleName(remove_->toolTip());
    remove_->setEnabled(removed_ || draft_.lesson().pages.size() > 1);
    up_->setEnabled(page_ > 0);
    down_->setEnabled(page_ + 1 < int(draft_.lesson().pages.size()));
    save_->setEnabled(draft_.isUnsaved() || draft_.path().isEmpty());
    try_->setEnabled(draft_.checked().graph && draft_.checked().faults.empty());
    try_->setToolTip(try_->isEnabled() ? tr("Go through it as a learner") : tr("Mend the faults first"));
    file_->setText(draft_.path().isEmpty() ? tr("Not saved yet.")
                   : draft_.isUnsaved()    ? tr("%1, changed").arg(shown_name(draft_.path()))
                                           : shown_name(draft_.path()));
}

void LessonEditor::showFaults() {
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

void LessonEditor::save() { saveTo(draft_.path().isEmpty() ? draft_.suggestedPath() : draft_.path()); }

void LessonEditor::saveAs() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the lesson"),
                                                      draft_.path().isEmpty() ? draft_.suggestedPath() : draft_.path(),
                                                      tr("Lessons (*.json)"));
    if (path.isEmpty()) return;
    saveTo(LessonDraft::lessonPath(path));
}

void LessonEditor::saveTo(const QString& path) {
    if (Status written = draft_.save(path); !written) return showOutcome(written);
    updateButtons();
    emit saved(path);
    emit told(tr("%1 was written.").arg(shown_name(path)));
}

void LessonEditor::tryOut() {
    if (draft_.checked().graph) emit tryWanted(draft_.lesson());
}

}  // namespace partita
