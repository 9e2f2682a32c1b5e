#include "app/gui/panels/rules/description_edit.h"

#include <algorithm>
#include <utility>

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextBlock>
#include <QToolTip>
#include <QTreeView>

#include "app/gui/panels/rules/description_highlighter.h"
#include "app/gui/panels/rules/python_highlighter.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

/// The margin beside the text.
class DescriptionMargin : public QWidget {
public:
    explicit DescriptionMargin(DescriptionEdit& edit) : QWidget(&edit), edit_(edit) {
        setCursor(Qt::PointingHandCursor);
    }
    QSize sizeHint() const override { return QSize(edit_.marginWidth(), 0); }

protected:
    void paintEvent(QPaintEvent* event) override { edit_.paintMargin(*event); }
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) edit_.clickMargin(event->pos());
        else if (event->button() == Qt::RightButton) edit_.askForCondition(edit_.lineAt(event->pos().y()));
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), edit_.tipAt(help->pos()));
        return true;
    }

private:
    DescriptionEdit& edit_;
};

namespace {

constexpr int kDot = 9;  ///< a breakpoint's diameter

}  // namespace

DescriptionEdit::DescriptionEdit(QWidget* parent)
    : QPlainTextEdit(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)),
      highlighter_(new DescriptionHighlighter(this, theme_)), python_highlighter_(new PythonHighlighter(this)),
      margin_(new DescriptionMargin(*this)), completer_(new QCompleter(this)), words_(new QStandardItemModel(this)) {
    setFont(code_font());
    setLineWrapMode(NoWrap);
    setAccessibleName(tr("Backend description"));
    setTabChangesFocus(false);
    setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));

    auto* list = new QTreeView;
    list->setObjectName(QStringLiteral("completions"));
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setHeaderHidden(true);
    list->setSelectionBehavior(QAbstractItemView::SelectRows);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setAccessibleName(tr("Words that fit"));
    completer_->setPopup(list);
    completer_->setModel(words_);
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer_->setMaxVisibleItems(9);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &DescriptionEdit::insertCompletion);

    connect(document(), &QTextDocument::contentsChange, this,
            [this](int position, int, int added) { followLines(position, added); });
    connect(this, &QPlainTextEdit::blockCountChanged, this, &DescriptionEdit::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int by) {
        if (by) margin_->scroll(0, by);
        else margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        showMarks();
        margin_->update();
    });
    placeMargin();
}

void DescriptionEdit::setTheme(const Theme& theme) {
    theme_ = theme;
    highlighter_->setTheme(theme);
    python_highlighter_->setTheme(theme);
    setFont(code_font());
    placeMargin();
    showMarks();
    margin_->update();
}

void DescriptionEdit::openText(const QString& text) {
    breakpoints_.clear();
    marked_ = {};
    path_.clear();
    setPlainText(text);
    line_count_ = blockCount();
}

/// Breakpoints and the marked line go with the text of their lines.
void DescriptionEdit::followLines(int position, int added) {
    const int more = blockCount() - std::exchange(line_count_, blockCount());
    if (more == 0) return;
    path_.clear();
    const QTextBlock block = document()->findBlock(position), last = document()->findBlock(position + added);
    const int first_line = block.blockNumber() + 1;
    const int end = (last.isValid() ? last : document()->lastBlock()).blockNumber() + 1;
    const auto moved = [&](int line) {
        if (line < first_line || (line == first_line && position > block.position())) return line;
        return line >= end - more ? line + more : std::min(line, end);
    };
    if (marked_.line > 0) marked_.line = moved(marked_.line);
    std::vector<int> lines;
    std::map<int, QString> breakpoints;
    for (const auto& [line, condition] : breakpoints_) {
        lines.push_back(moved(line));
        breakpoints.insert_or_assign(lines.back(), condition);
    }
    if (!python_ || breakpoints == breakpoints_) return;
    breakpoints_ = std::move(breakpoints);
    emit breakpointLinesMoved(lines);
}

void DescriptionEdit::replaceText(const QString& text) {
    const QString now = toPlainText();
    if (now == text) return;
    qsizetype same = 0, same_end = 0;
    const qsizetype shorter = std::min(now.size(), text.size());
    while (same < shorter && now[same] == text[same]) ++same;
    while (same_end < shorter - same && now[now.size() - 1 - same_end] == text[text.size() - 1 - same_end]) ++same_end;
    QTextCursor cursor(document());
    cursor.setPosition(int(same));
    cursor.setPosition(int(now.size() - same_end), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(same, text.size() - same_end - same));
}

int DescriptionEdit::offsetOf(SourcePosition position) const {
    const QTextBlock block = document()->findBlockByNumber(std::max(0, int(position.line) - 1));
    if (!block.isValid()) return std::max(0, document()->characterCount() - 1);
    const QByteArray bytes = block.text().toUtf8().left(qsizetype(position.column ? position.column - 1 : 0));
    return block.position() + int(QString::fromUtf8(bytes).size());
}

void DescriptionEdit::setFaults(const std::vector<Diagnostic>& faults) {
    marks_.clear();
    const QString text = toPlainText();
    for (const Diagnostic& fault : faults) {
        Mark mark;
        mark.begin = offsetOf(fault.position);
        mark.end = mark.begin;
        // The word at fault, or the one character.
        while (mark.end < text.size() && (text[mark.end].isLetterOrNumber() || text[mark.end] == QLatin1Char('_')))
            ++mark.end;
        if (mark.end == mark.begin) ++mark.end;
        mark.end = std::min(mark.end, int(text.size()));
        if (mark.end <= mark.begin) mark.begin = std::max(0, mark.end - 1);
        mark.message = shown_message(fault.message);
        mark.line = int(fault.position.line);
        marks_.push_back(std::move(mark));
    }
    showMarks();
    margin_->update();
}

void DescriptionEdit::showMarks() {
    if (!seen_) return;
    QList<QTextEdit::ExtraSelection> selections;
    QTextEdit::ExtraSelection line;
    line.format.setBackground(blend(theme_.text, theme_.base, 0.04));
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    line.cursor = textCursor();
    line.cursor.clearSelection();
    selections.append(line);
    if (marked_.line > 0 && marked_.line <= blockCount()) {
        line.format.setBackground(blend(theme_.accent, theme_.base, 0.18));
        line.cursor = QTextCursor(document()->findBlockByNumber(marked_.line - 1));
        selections.append(line);
    }
    for (const Mark& mark : marks_) {
        QTextEdit::ExtraSelection selection;
        selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        selection.format.setUnderlineColor(theme_.error);
        selection.format.setBackground(blend(theme_.error, theme_.base, 0.12));
        selection.cursor = QTextCursor(document());
        const int last = document()->characterCount() - 1;
        selection.cursor.setPosition(std::min(mark.begin, last));
        selection.cursor.setPosition(std::min(mark.end, last), QTextCursor::KeepAnchor);
        selections.append(selection);
    }
    setExtraSelections(selections);
}

void DescriptionEdit::setPython(bool python) {
    if (python == python_) return;
    python_ = python;
    if (seen_) colourText();
    setTabStopDistance((python ? 4 : 2) * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    setAccessibleName(python ? tr("Rules in Python") : tr("Backend description"));
    completer_->popup()->hide();
}

void DescriptionEdit::colourText() {
    highlighter_->setDocument(python_ ? nullptr : document());
    python_highlighter_->setDocument(python_ ? document() : nullptr);
}

void DescriptionEdit::setCounts(std::map<int, Count> counts) {
    counts_ = std::move(counts);
    placeMargin();
    margin_->update();
}

void DescriptionEdit::setMarked(int line, const QString& values) {
    marked_ = {line, values};
    showMarks();
    margin_->update();
    viewport()->update();
}

void DescriptionEdit::setPath(std::set<int> lines) {
    path_ = std::move(lines);
    margin_->update();
}

void DescriptionEdit::setRuleLines(std::vector<RulePlace> places) {
    rules_ = std::move(places);
    margin_->update();
}

void DescriptionEdit::setBreakpointLines(std::map<int, QString> lines) {
    breakpoints_ = std::move(lines);
    margin_->update();
}

void DescriptionEdit::look(SourcePosition position) {
    QTextCursor cursor(document());
    cursor.setPosition(offsetOf(position));
    setTextCursor(cursor);
    centerCursor();
    centre_when_shown_ = !isVisible();
}

/// What was looked at before it had its size may be out of sight.
void DescriptionEdit::showEvent(QShowEvent* event) {
    QPlainTextEdit::showEvent(event);
    if (std::exchange(centre_when_shown_, false)) centerCursor();
}

/// No text is coloured before it is painted: at the start another panel is in front.
void DescriptionEdit::colourWhenSeen() {
    if (std::exchange(seen_, true)) return;
    showMarks();
    colourText();
    highlighter_->rehighlight();  // not only in the next turn
    python_highlighter_->rehighlight();
}

void DescriptionEdit::goTo(SourcePosition position) {
    look(position);
    setFocus();
}

void DescriptionEdit::insertEntry(SourcePosition before, const QString& name, const QString& value) {
    QTextCursor cursor(document());
    cursor.setPosition(offsetOf(before));
    const QString beginning = cursor.block().text().left(cursor.positionInBlock());
    const bool first_of_line = beginning.trimmed().isEmpty();
    const int place = cursor.position() + int(name.size()) + 4;
    cursor.insertText(QStringLiteral("\"%1\": %2,%3")
                          .arg(name, value, first_of_line ? QLatin1Char('\n') + beginning : QStringLiteral(" ")));
    cursor.setPosition(place);
    cursor.setPosition(place + int(value.size()), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    setFocus();
}

void DescriptionEdit::appendText(const QString& text, const QString& value) {
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    const int place = cursor.position() + int(text.lastIndexOf(value));
    cursor.insertText(text);
    cursor.setPosition(place);
    cursor.setPosition(place + int(value.size()), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    setFocus();
}

QString DescriptionEdit::ruleInLine(int line) const {
    for (const RulePlace& place : rules_)
        if (int(place.position.line) == line) return QString::fromStdString(place.rule);
    return {};
}

int DescriptionEdit::countWidth() const {
    int most = 0;
    for (const auto& [line, count] : counts_) most = std::max(most, count.calls);
    return most ? fontMetrics().horizontalAdvance(QString::number(most)) + 16 : 0;
}

int DescriptionEdit::marginWidth() const {
    const int digits = int(QString::number(std::max(1, blockCount())).size());
    return 6 + kDot + 8 + fontMetrics().horizontalAdvance(QLatin1Char('9')) * std::max(2, digits) + 8 + countWidth();
}

void DescriptionEdit::placeMargin() {
    // Setting them lays the view out again, and scroll bars that come and go with that would do so for ever.
    if (viewportMargins().left() != marginWidth()) setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inner = contentsRect();
    margin_->setGeometry(inner.left(), inner.top(), marginWidth(), inner.height());
}

void DescriptionEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void DescriptionEdit::paintMargin(QPaintEvent& event) {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event.rect(), theme_.panel);
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event.rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber() + 1;
        const bool fault =
            std::any_of(marks_.begin(), marks_.end(), [line](const Mark& mark) { return mark.line == line; });
        const QRectF dot(6, top + (height - kDot) / 2, kDot, kDot);
        if (const auto breakpoint = breakpoints_.find(line); breakpoint != breakpoints_.end()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.error);
            painter.drawEllipse(dot);
            painter.setPen(QPen(theme_.panel, 1.2));
            for (const double height : {-1.5, 1.5})  // "=", as it is where a condition is asked
                if (!breakpoint->second.isEmpty())
                    painter.drawLine(dot.center() + QPointF(-2, height), dot.center() + QPointF(2, height));
        } else if (!python_ && !ruleInLine(line).isEmpty()) {
            painter.setPen(QPen(theme_.border, 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
        }
        painter.setPen(fault ? theme_.error : line == textCursor().blockNumber() + 1 ? theme_.text : theme_.muted_text);
        painter.drawText(QRectF(0, top, margin_->width() - 8 - countWidth(), height), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line));
        paintCount(painter, line, QRectF(0, top, margin_->width(), height));
        if (path_.contains(line)) painter.fillRect(QRectF(margin_->width() - 4, top, 3, height), theme_.accent);
        top += height;
    }
    painter.setPen(theme_.border);
    painter.drawLine(margin_->width() - 1, event.rect().top(), margin_->width() - 1, event.rect().bottom());
}

/// How many calls ended at a line: figures on a ground of their own, for they can be clicked.
void DescriptionEdit::paintCount(QPainter& painter, int line, const QRectF& row) {
    const auto count = counts_.find(line);
    if (count == counts_.end()) return;
    const QRectF place(row.right() - countWidth() + 1, row.top() + 1, countWidth() - 6, row.height() - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(theme_.refused, theme_.base, 0.16));
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(theme_.refused);
    painter.drawText(place, Qt::AlignCenter, QString::number(count->second.calls));
}

QRect DescriptionEdit::countPlace(int line) const {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!counts_.contains(line) || !block.isValid()) return {};
    const QRectF row = blockBoundingGeometry(block).translated(contentOffset());
    const QRect place(margin_->width() - countWidth(), int(row.top()), countWidth() - 4, int(row.height()));
    return margin_->rect().contains(place) ? place : QRect();
}

/// What is known where playing stopped stands behind its line, as far as there is room.
void DescriptionEdit::paintEvent(QPaintEvent* event) {
    colourWhenSeen();
    QPlainTextEdit::paintEvent(event);
    const QTextBlock block = document()->findBlockByNumber(marked_.line - 1);
    if (marked_.line <= 0 || marked_.values.isEmpty() || !block.isValid()) return;
    const QRectF row = blockBoundingGeometry(block).translated(contentOffset());
    const int gap = 3 * fontMetrics().horizontalAdvance(QLatin1Char(' '));
    const int left = int(row.left()) + fontMetrics().horizontalAdvance(block.text()) + gap + 4;
    const int room = viewport()->width() - left - gap;
    if (room < 4 * gap) return;
    QPainter painter(viewport());
    QFont font = this->font();
    font.setItalic(true);
    painter.setFont(font);
    painter.setPen(theme_.accent);
    painter.drawText(QRect(left, int(row.top()), room, int(row.height())), Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(marked_.values, Qt::ElideRight, room));
}

int DescriptionEdit::lineAt(int y) const {
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid(); block = block.next()) {
        top += blockBoundingRect(block).height();
        if (y < top) return block.blockNumber() + 1;
    }
    return 0;
}

void DescriptionEdit::clickMargin(const QPoint& place) {
    const int line = lineAt(place.y());
    if (counts_.contains(line) && place.x() >= margin_->width() - countWidth()) emit countClicked(line);
    else toggleBreakpoint(line);
}

void DescriptionEdit::askForCondition(int line) {
    if (line > 0 && (python_ || !ruleInLine(line).isEmpty())) emit conditionWanted(line);
}

void DescriptionEdit::toggleBreakpoint(int line) {
    if (python_) {
        if (line > 0) emit lineToggled(line);
        return;
    }
    if (const QString rule = ruleInLine(line); !rule.isEmpty()) emit breakpointToggled(rule);
}

QString DescriptionEdit::tipAt(const QPoint& place) const {
    const int line = lineAt(place.y());
    const auto count = counts_.find(line);
    if (count != counts_.end() && place.x() >= margin_->width() - countWidth()) return count->second.tip;
    const QString rule = ruleInLine(line);
    if (line <= 0 || (!python_ && rule.isEmpty())) return {};
    const auto breakpoint = breakpoints_.find(line);
    const bool asks = breakpoint != breakpoints_.end() && !breakpoint->second.isEmpty();
    const QString stops =
        python_ ? tr("Breakpoint on line %1: play stops at each call that reaches it (F9)").arg(line)
                : tr("Breakpoint on %1: play stops at each operator that it looks at (F9)").arg(shown_name(rule));
    return stops + QLatin1Char('\n') +
           (asks ? tr("Only where %1 (right button, Shift+F9)").arg(shown_name(breakpoint->second))
                 : tr("Right button, Shift+F9: only where a condition holds"));
}

QString DescriptionEdit::messageAt(const QPoint& place) const {
    const int at = cursorForPosition(place).position();
    for (const Mark& mark : marks_)
        if (at >= mark.begin && at <= mark.end) return mark.message;
    return {};
}

bool DescriptionEdit::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), messageAt(help->pos()), this);
    return true;
}

/// F9 and Ctrl+F are the editor's own while one writes, not the window's.
bool DescriptionEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F9 || key->matches(QKeySequence::Find)) event->accept();
    }
    return QPlainTextEdit::event(event);
}

void DescriptionEdit::keyPressEvent(QKeyEvent* event) {
    const bool offering = completer_->popup()->isVisible();
    if (event->matches(QKeySequence::Find)) {
        completer_->popup()->hide();
        emit findWanted();
        return;
    }
    switch (event->key()) {
        case Qt::Key_Enter:
        case Qt::Key_Return:
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
        case Qt::Key_Escape:
            if (offering) return event->ignore();  // the list takes it
            break;
        case Qt::Key_Space:
            if (event->modifiers() == Qt::ControlModifier) return complete();
            break;
        case Qt::Key_F9:
            return event->modifiers() & Qt::ShiftModifier ? askForCondition(cursorLine())
                                                          : toggleBreakpoint(cursorLine());
        default: break;
    }
    if (isReadOnly()) return QPlainTextEdit::keyPressEvent(event);
    if (event->key() == Qt::Key_Return && event->modifiers() == Qt::NoModifier) return newLine();
    if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier)
        return insertPlainText(QString(python_ ? 4 : 2, QLatin1Char(' ')));
    QPlainTextEdit::keyPressEvent(event);
    const QString typed = event->text();
    const bool word = !typed.isEmpty() &&
                      (typed[0].isLetterOrNumber() || typed[0] == QLatin1Char('_') || typed[0] == QLatin1Char('.'));
    const bool shortened = event->key() == Qt::Key_Backspace;
    if (word || (offering && shortened)) complete();
    else completer_->popup()->hide();
}

/// A new line begins under the one before.
void DescriptionEdit::newLine() {
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    qsizetype indent = 0;
    while (indent < line.size() && line[indent] == QLatin1Char(' ')) ++indent;
    const QString said = line.trimmed();
    const bool opens =
        python_ ? said.endsWith(QLatin1Char(':')) : said.endsWith(QLatin1Char('{')) || said.endsWith(QLatin1Char('['));
    insertPlainText(QLatin1Char('\n') + QString(indent + (opens ? (python_ ? 4 : 2) : 0), QLatin1Char(' ')));
    ensureCursorVisible();
}

void DescriptionEdit::complete() {
    if (python_) return;
    const QByteArray text = toPlainText().toUtf8();
    const int cursor = textCursor().position();
    const Completion found = complete_description({text.constData(), size_t(text.size())},
                                                  size_t(toPlainText().left(cursor).toUtf8().size()));
    words_->clear();
    if (found.items.empty()) return completer_->popup()->hide();
    completion_begin_ = int(QString::fromUtf8(text.left(qsizetype(found.begin))).size());
    for (const CompletionItem& item : found.items) {
        auto* word = new QStandardItem(QString::fromStdString(item.word));
        auto* detail = new QStandardItem(QString::fromStdString(item.detail));
        detail->setForeground(theme_.muted_text);
        detail->setFont(QApplication::font());
        word->setToolTip(detail->text());
        words_->appendRow({word, detail});
    }
    completer_->setCompletionPrefix(QString());
    auto* list = static_cast<QTreeView*>(completer_->popup());
    list->setFont(font());
    list->resizeColumnToContents(0);
    list->setColumnWidth(0, std::min(320, list->columnWidth(0) + 18));
    // The completer puts the list over the last pixels of what it is told to leave free.
    constexpr int kGap = 4;
    QRect place = cursorRect().translated(marginWidth(), 0).adjusted(0, -kGap, 0, kGap);
    place.setWidth(std::min(680, std::max(360, width() - place.left())));
    completer_->complete(place);
    list->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void DescriptionEdit::insertCompletion(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.setPosition(completion_begin_, QTextCursor::KeepAnchor);
    cursor.insertText(word);
    setTextCursor(cursor);
}

}  // namespace partita
