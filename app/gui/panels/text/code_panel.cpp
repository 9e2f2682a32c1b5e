#include "app/gui/panels/text/code_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/panels/text/large_text.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr size_t kMostMarkedLines = 200;  // each costs the window a tenth of a millisecond

TextLanguage language_of(RegionCode::Form form) {
    switch (form) {
        case RegionCode::Form::C: return TextLanguage::C;
        case RegionCode::Form::Json: return TextLanguage::Json;
        case RegionCode::Form::Steps: return TextLanguage::Plain;
    }
    return TextLanguage::Plain;
}

}  // namespace

CodePanel::CodePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)),
      title_(make_plain_label()), copy_(new QToolButton), edit_(new QPlainTextEdit) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 4, 8, 4);
    title_->setWordWrap(true);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    copy_->setText(tr("Copy"));
    copy_->setToolTip(tr("Copy the whole text"));
    top->addWidget(title_, 1);
    top->addWidget(copy_);
    column->addLayout(top);
    edit_->setReadOnly(true);
    edit_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setFont(code_font());
    edit_->setAccessibleName(tr("Code of the region"));
    highlighter_ = new LineHighlighter(edit_->document(), theme_, TextLanguage::Plain);
    large_ = new LargeText(*edit_, document_.jobs());
    column->addWidget(edit_, 1);
    connect(copy_, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(QString::fromStdString(shown_.code.text)); });
    connect(edit_, &QPlainTextEdit::cursorPositionChanged, this, &CodePanel::selectFromLine);
    connect(&document_, &Document::opened, this, [this] {
        function_.clear();
        refresh();
    });
    connect(&document_, &Document::flowChanged, this, &CodePanel::followSelection);
    connect(&document_, &Document::selectionChanged, this, &CodePanel::followSelection);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 job) {
        if (job == job_) job_ = 0;
    });
    refresh();
}

void CodePanel::setTheme(const Theme& theme) {
    theme_ = theme;
    edit_->setFont(code_font());  // the size of type comes with the theme
    highlighter_->setTheme(theme);
    if (large_->shown()) shown_.module = nullptr;  // its colours are made anew
    refresh();
}

void CodePanel::setOnScreen(bool on_screen) {
    on_screen_ = on_screen;
    refresh();
}

void CodePanel::showRegion(const QString& function) {
    function_ = function.toStdString();
    refresh();
}

void CodePanel::followSelection() {
    const FlowPtr flow = document_.flow();
    for (const ExprId expr : document_.selection()) {
        if (!flow || expr.value >= flow->region_of.size() || flow->region_of[expr.value] < 0) continue;
        function_ = flow->regions[size_t(flow->region_of[expr.value])].function;
        break;
    }
    refresh();
}

void CodePanel::refresh() {
    if (!on_screen_) return;
    const ModulePtr module = document_.partitioned();
    if (!module)
        return showMessage(document_.isOpen()
                               ? tr("Partition first (F8): each region then is a function, and its code stands here.")
                               : QString());
    if (function_.empty() || !module->find_function(function_).valid())
        return showMessage(tr("Select an operator of a region: the code of the region stands here."));
    if (shown_.module == module && shown_.function == function_) return markSelection();
    if (job_) document_.jobs().cancel(job_);
    std::map<std::string, std::string> codegen;
    for (const BackendPtr& backend : document_.choice().backends) codegen[backend->name] = backend->codegen;
    shown_ = {module, function_, {}};
    job_ = document_.jobs().start<Result<RegionCode>>(
        tr("Writing the code of a region"), this,
        [module, function = function_, codegen](const JobContext& context) {
            return region_code(*module, function, codegen, context.cancel);
        },
        [this, module, function = function_](const Result<RegionCode>& code) {
            job_ = 0;
            if (shown_.module == module && shown_.function == function) accept(code);
        });
}

QString CodePanel::describe(const RegionCode& code) const {
    const QString region = shown_name(shown_.function), executor = shown_name(code.executor);
    const auto forms = [&]() -> QString {
        switch (code.form) {
            case RegionCode::Form::C: return tr("%1: the C source that %2 compiles").arg(region, executor);
            case RegionCode::Form::Json:
                return tr("%1: Partita makes no code for it, but gives %2 the region as this JSON")
                    .arg(region, executor);
            case RegionCode::Form::Steps:
                return tr("%1: no code is made; %2 calls these, in this order").arg(region, executor);
        }
        return {};
    };
    return code.refused.empty() ? forms() : tr("%1. Not as chosen: %2").arg(forms(), shown_message(code.refused));
}

void CodePanel::accept(const Result<RegionCode>& code) {
    if (!code) return showMessage(shown_message(code.error().to_string()));
    shown_.code = *code;
    title_->setText(describe(*code));
    copy_->setVisible(true);
    edit_->setVisible(true);
    const QString text = shown_message(code->text);
    if (text.size() > kShortText)
        return large_->show(
            text, theme_, [this] { markSelection(); }, language_of(code->form));
    marking_ = true;
    QTextDocument* document = large_->reset();
    document->clear();
    highlighter_->setLanguage(theme_, language_of(code->form));
    document->setPlainText(text);
    marking_ = false;
    markSelection();
}

void CodePanel::showMessage(const QString& message) {
    if (job_) document_.jobs().cancel(job_);
    job_ = 0;
    shown_ = {};
    title_->setText(message);
    copy_->setVisible(false);
    edit_->setVisible(false);
}

void CodePanel::markSelection() {
    std::vector<ExprId> selection = document_.selection();
    std::sort(selection.begin(), selection.end());
    QList<QTextEdit::ExtraSelection> marks;
    int first = -1;
    for (const RegionCode::Lines& lines : shown_.code.lines) {
        if (!std::binary_search(selection.begin(), selection.end(), lines.origin)) continue;
        if (first < 0) first = int(lines.first) - 1;
        for (uint32_t line = lines.first; line <= lines.last && size_t(marks.size()) < kMostMarkedLines; ++line) {
            QTextEdit::ExtraSelection mark;
            mark.format.setBackground(blend(theme_.accent, theme_.base, theme_.dark ? 0.35 : 0.18));
            mark.format.setProperty(QTextFormat::FullWidthSelection, true);
            mark.cursor = QTextCursor(edit_->document()->findBlockByNumber(int(line) - 1));
            marks.append(mark);
        }
    }
    edit_->setExtraSelections(marks);
    if (first < 0 || edit_->hasFocus()) return;
    marking_ = true;
    edit_->setTextCursor(QTextCursor(edit_->document()->findBlockByNumber(first)));
    edit_->centerCursor();
    marking_ = false;
}

/// Of operators that share a line, the one with the fewest lines.
void CodePanel::selectFromLine() {
    if (marking_ || !edit_->hasFocus()) return;
    const uint32_t line = uint32_t(edit_->textCursor().blockNumber()) + 1;
    const RegionCode::Lines* best = nullptr;
    for (const RegionCode::Lines& lines : shown_.code.lines)
        if (lines.first <= line && line <= lines.last && (!best || lines.last - lines.first < best->last - best->first))
            best = &lines;
    if (best) document_.setSelection({best->origin});
}

}  // namespace partita
