#include "app/gui/panels/lessons/editor/lesson_editor.h"

#include <utility>

#include <QEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTabWidget>

#include "app/gui/panels/lessons/editor/claim_editor.h"
#include "app/gui/panels/lessons/editor/lesson_file_bar.h"
#include "app/gui/panels/lessons/editor/lesson_heading.h"
#include "app/gui/panels/lessons/editor/lesson_pages.h"
#include "app/gui/panels/lessons/editor/page_text_editor.h"
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

}  // namespace

LessonEditor::LessonEditor(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), draft_(document, this), stack_(new QStackedLayout(this)) {
    stack_->addWidget(buildBeginning());
    connect(&draft_, &LessonDraft::opened, this, &LessonEditor::showDraft);
    connect(&draft_, &LessonDraft::edited, this, &LessonEditor::updateButtons);
    connect(&draft_, &LessonDraft::wasChecked, this, &LessonEditor::updateButtons);
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
    heading_ = new LessonHeading(draft_);
    column->addWidget(heading_);
    buildOtherGraph(*column);
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
    both->addWidget(buildEnd());
    return page;
}

void LessonEditor::buildOtherGraph(QVBoxLayout& column) {
    other_row_ = new QWidget;
    auto* row = new QVBoxLayout(other_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(make_words(tr("Another graph is open than the lesson's.")));
    auto* open_graph = make_button(QStringLiteral("lesson-open-graph"), tr("Open the lesson's"), {});
    take_graph_ = make_button(QStringLiteral("lesson-take-graph"), tr("Take the open one"),
                              tr("The lesson gets the graph that is open, and its backends"));
    for (QPushButton* button : {open_graph, take_graph_}) row->addWidget(button, 0, Qt::AlignLeft);
    other_row_->hide();
    column.addWidget(other_row_);
    connect(open_graph, &QPushButton::clicked, this, [this] { emit graphWanted(draft_.lesson()); });
    connect(take_graph_, &QPushButton::clicked, this, [this] { showOutcome(draft_.takeGraph()); });
}

void LessonEditor::buildPages(QVBoxLayout& column) {
    pages_ = new LessonPages(draft_);
    column.addWidget(pages_);
    connect(pages_, &LessonPages::pageWanted, this, &LessonEditor::showPage);
    connect(pages_, &LessonPages::additionWanted, this, &LessonEditor::addPage);
}

void LessonEditor::buildTabs(QVBoxLayout& column) {
    tabs_ = new QTabWidget;
    tabs_->setObjectName(QStringLiteral("lesson-tabs"));
    text_ = new PageTextEditor;
    question_ = new QuestionEditor(draft_, document_);
    QScrollArea* scroll = make_scrolled(question_);
    scroll->setMinimumHeight(fontMetrics().lineSpacing() * 11);
    tabs_->addTab(text_, tr("Text"));
    tabs_->addTab(scroll, tr("Question"));
    claims_ = new ClaimEditor(draft_, document_);
    tabs_->addTab(make_scrolled(claims_), tr("Claims"));
    column.addWidget(tabs_, 1);
    connect(text_, &PageTextEditor::edited, this, [this](const QString& text) {
        if (!draft_.isOpen()) return;
        editPage([&](LessonPage& page) { page.text = text.toStdString(); });
        pages_->refreshTitle();
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
            [this] { editPage([this](LessonPage& page) { page.show = shown_->calls(); }); });
}

QWidget* LessonEditor::buildEnd() {
    auto* bar = new LessonFileBar(draft_);
    connect(bar, &LessonFileBar::saveWanted, this, &LessonEditor::save);
    connect(bar, &LessonFileBar::saveAsWanted, this, &LessonEditor::saveAs);
    connect(bar, &LessonFileBar::trialWanted, this, &LessonEditor::tryOut);
    connect(bar, &LessonFileBar::pageWanted, this, &LessonEditor::showPage);
    return bar;
}

void LessonEditor::begin() {
    afterAsking([this] { showOutcome(draft_.begin()); });
}

void LessonEditor::edit(const QString& path) {
    if (draft_.isOpen() && path == draft_.path()) return;
    afterAsking([this, path] { showOutcome(draft_.open(path)); });
}

void LessonEditor::afterAsking(const std::function<void()>& go_on) {
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
    if (draft_.isOpen() && stack_->count() == 1) stack_->addWidget(buildForm());
    stack_->setCurrentIndex(draft_.isOpen() ? 1 : 0);
    if (!draft_.isOpen()) return;
    heading_->fill();
    pages_->fill();
    showPage(0);
}

void LessonEditor::showPage(int page) {
    pages_->setCurrent(page);
    text_->setText(shownPage().text);
    shown_->setCalls(shownPage().show);
    question_->showPage(currentPage());
    claims_->showPage(currentPage());
    applyState();
    updateButtons();
}

int LessonEditor::currentPage() const { return pages_->current(); }

const LessonPage& LessonEditor::shownPage() const { return draft_.lesson().pages[size_t(currentPage())]; }

void LessonEditor::editPage(const std::function<void(LessonPage&)>& change) {
    draft_.edit([&](Lesson& lesson) { change(lesson.pages[size_t(currentPage())]); });
}

/// The window shows what the page shows.
void LessonEditor::applyState() {
    if (!draft_.isGraphShown()) return;
    FlowChoice choice = choice_of_page(draft_.lesson(), currentPage(), document_.choice(), document_.names());
    if (!same_division(choice, document_.choice()))
        document_.changeChoice(std::move(choice), tr("page %1 of the lesson").arg(currentPage() + 1));
}

/// What is done to the graph beside a page's text belongs to the page. Beside a question it may be an answer, beside
/// claims what they are about.
void LessonEditor::followGraph() {
    if (draft_.isOpen() && isVisible() && tabs_->currentIndex() == 0 && differsFromGraph()) recordState();
}

void LessonEditor::addPage() {
    LessonPage page;
    page.text = tr("## A page").toStdString();
    if (draft_.isGraphShown()) record_choice(page, draft_.lesson(), document_.choice(), document_.names());
    pages_->add(std::move(page));
    tabs_->setCurrentIndex(0);
    text_->startTyping();
}

void LessonEditor::recordState() {
    if (!draft_.isGraphShown()) return;
    editPage([this](LessonPage& page) { record_choice(page, draft_.lesson(), document_.choice(), document_.names()); });
}

/// Returns whether the page would be another one with the graph as it is in the window.
bool LessonEditor::differsFromGraph() {
    if (!draft_.isGraphShown()) return false;
    LessonPage now;
    record_choice(now, draft_.lesson(), document_.choice(), document_.names());
    const LessonPage& page = shownPage();
    return now.annotate != page.annotate || now.merge != page.merge || now.partition != page.partition ||
           !(now.with == page.with);
}

QString LessonEditor::stateText() const {
    const LessonPage& page = shownPage();
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
