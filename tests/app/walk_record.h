// What a person can see and hear of the program at one moment, as text: everything painted, tool tips, names for screen
// readers, commands that can be run, the document, settings and files.
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTextEdit>
#include <QToolBar>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/window/main_window.h"
#include "engine/frontends/relay/printer.h"
#include "tests/app/painted.h"
#include "tests/app/window_fixture.h"
#include "tests/digest.h"

namespace partita {

inline QString digest(const QByteArray& content) {
    return QStringLiteral("#%1").arg(fnv_digest({content.data(), size_t(content.size())}), 8, 16, QLatin1Char('0'));
}

inline QString class_of(const QWidget& widget) {
    return QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1);
}

inline QString without_mnemonic(QString text) { return text.replace(QRegularExpression("&(?!&)"), ""); }

/// The label beside a field of a form; null where there is none.
inline const QLabel* label_of(const QWidget& field) {
    const QWidget* parent = field.parentWidget();
    for (auto* form : parent ? parent->findChildren<QFormLayout*>() : QList<QFormLayout*>())
        if (form->indexOf(const_cast<QWidget*>(&field)) >= 0)
            return qobject_cast<const QLabel*>(form->labelForField(const_cast<QWidget*>(&field)));
    return nullptr;
}

/// What people call a widget: its name for screen readers, its text, else its kind.
inline QString name_of(const QWidget& widget) {
    if (!widget.accessibleName().isEmpty()) return widget.accessibleName();
    if (auto* button = qobject_cast<const QAbstractButton*>(&widget))
        if (!button->text().isEmpty()) return without_mnemonic(button->text());
    if (auto* part = widget.parentWidget(); part && widget.objectName() == "qt_scrollarea_viewport")
        return name_of(*part);
    if (!widget.objectName().isEmpty() && !widget.objectName().startsWith("qt_")) return widget.objectName();
    if (auto* label = label_of(widget)) return without_mnemonic(label->text());
    return class_of(widget);
}

/// The part of the window in which a widget stands.
inline QString room_of(const QWidget& widget) {
    for (const QWidget* at = widget.parentWidget(); at; at = at->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(at) || qobject_cast<const QToolBar*>(at)) return at->objectName();
        if (at->isWindow() && !qobject_cast<const QMainWindow*>(at)) return class_of(*at);
        if (class_of(*at).endsWith("Page")) return class_of(*at);
    }
    return {};
}

/// One thing that is told of, with a line for each of its properties.
struct RecordedPart {
    QString name, painted;
    QStringList lines;
    QStringList operations;  ///< behind `painted`, for whoever looks for a difference
};

class WalkRecord {
public:
    /// `folder` is the walk's own; its name differs from one run to the next.
    WalkRecord(WindowFixture& fixture, QString folder) : fixture_(fixture), folder_(std::move(folder)) {}

    /// Numbers with a unit of time are left out from now on, and the shapes of the widgets that show them.
    void maskTimes() { masks_times_ = true; }

    /// Said over what the mouse is on, in the step that is recorded next.
    void setToolTip(const QString& text) { tool_tip_ = text; }

    std::vector<RecordedPart> take() {
        parts_.clear();
        names_.clear();
        addState();
        addCommands();
        addDocument();
        addSettings();
        addFiles();
        for (QWidget* widget : topLevels()) addAll(*widget, *widget, widget->rect());
        return std::move(parts_);
    }

    /// What became different from one moment to the next.
    static QStringList difference(const std::vector<RecordedPart>& before, const std::vector<RecordedPart>& after) {
        QHash<QString, const RecordedPart*> known;
        for (const RecordedPart& part : before) known[part.name] = &part;
        QStringList lines;
        for (const RecordedPart& part : after) {
            const RecordedPart* old = known.take(part.name);
            QStringList changes = changed(old ? old->lines : QStringList(), part.lines);
            const bool painted = !old || old->painted != part.painted;
            if (changes.isEmpty() && !painted) continue;
            lines << part.name + (painted && !part.painted.isEmpty() ? ": " + part.painted : QString());
            for (const QString& change : joined(changes)) lines << "  " + change;
        }
        QStringList gone;
        for (const RecordedPart& part : before)
            if (known.contains(part.name)) gone << part.name + " gone";
        if (gone.size() > kFew) return lines << gone.front() + tally(gone.mid(1), QStringLiteral(" and %1 more %2"));
        return lines + gone;
    }

private:
    static constexpr qsizetype kFew = 2;  ///< so many lines are told one by one

    /// For lines of which it is enough to notice that they are others.
    static QString tally(const QStringList& lines, const QString& form) {
        return form.arg(lines.size()).arg(digest(lines.join('\n').toUtf8()));
    }

    static QStringList changed(const QStringList& before, const QStringList& after) {
        // Ends that agree are passed over, then lines that stand in both, in their order.
        QStringList lines;
        qsizetype i = 0;
        for (qsizetype k = 0; k < after.size(); ++k) {
            const qsizetype same = before.indexOf(after[k], i);
            if (same < 0 ||
                (same > i && after.indexOf(before[i], k) >= 0 && after.indexOf(before[i], k) - k < same - i)) {
                lines << "+ " + after[k];
                continue;
            }
            while (i < same) lines << "- " + before[i++];
            ++i;
        }
        while (i < before.size()) lines << "- " + before[i++];
        return lines;
    }

    /// Commands that can be run now, or can't any more, on one line; so are their tips, of which the new ones are told.
    static QStringList joined(const QStringList& changes) {
        QStringList lines;
        for (const QString& change : changes) {
            if (change.startsWith("- of ")) continue;
            const qsizetype kind = change.startsWith("+ of ") ? 5 : change.mid(2).startsWith("can ") ? 6 : 0;
            if (kind && !lines.isEmpty() && lines.last().startsWith(change.left(kind)))
                lines.last() += change.mid(kind - 1);
            else lines << change;
        }
        return withoutRuns(lines);
    }

    /// What was told before and is gone takes a line, not one for each.
    static QStringList withoutRuns(const QStringList& lines) {
        QStringList result;
        for (qsizetype i = 0; i < lines.size();) {
            qsizetype end = i;
            while (end < lines.size() && lines[end].startsWith("- ")) ++end;
            const QStringList gone = lines.mid(i, end - i);
            if (gone.size() > kFew) result << tally(gone, QStringLiteral("- %1 lines %2"));
            else result << gone;
            if (end < lines.size()) result << lines[end++];
            i = end;
        }
        return result;
    }

    static QList<QWidget*> topLevels() {
        QList<QWidget*> widgets;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->isVisible() && class_of(*widget) != "QTipLabel") widgets << widget;  // it hides by itself
        // Their order is no one's choice; a main window comes first.
        std::stable_sort(widgets.begin(), widgets.end(), [](const QWidget* a, const QWidget* b) {
            const auto key = [](const QWidget* widget) {
                return std::tuple(!qobject_cast<const QMainWindow*>(widget), class_of(*widget), name_of(*widget),
                                  widget->windowTitle());
            };
            return key(a) < key(b);
        });
        return widgets;
    }

    /// The same in each run.
    QString steady(QString text) const {
        text.replace(folder_, QStringLiteral("FOLDER"));
        text.replace(QStringLiteral(PARTITA_SOURCE_DIR), QStringLiteral("SOURCE"));
        static const QRegularExpression folder(QStringLiteral("\\d{2,8}(?=/)"));
        text.replace(folder, QStringLiteral("N"));
        if (masks_times_) text.replace(times(), QStringLiteral("TIME"));
        return text;
    }
    static const QRegularExpression& times() {
        static const QRegularExpression times(
            QStringLiteral("[+-]?\\d[\\d., ]*\u00a0?\u202f? ?(ns|µs|μs|us|ms|s|%|×)(?!\\w)"));
        return times;
    }

    /// On one line, and not too long.
    QString shown(const QString& text) const {
        QString line = steady(text);
        line.replace('\n', QStringLiteral("\\n")).replace('\t', QStringLiteral("\\t"));
        constexpr int kMost = 160;
        return line.size() > kMost ? line.left(kMost) + QStringLiteral("… ") + digest(line.toUtf8()) : line;
    }

    RecordedPart& add(QString name) {
        const int number = ++names_[name];
        if (number > 1) name += QStringLiteral(" #%1").arg(number);
        return parts_.emplace_back(RecordedPart{shown(name), {}, {}, {}});
    }

    void addState() {
        RecordedPart& part = add(QStringLiteral("window"));
        const MainWindow& window = fixture_.shown();
        part.lines << "title " + shown(window.windowTitle())
                   << QStringLiteral("size %1x%2").arg(window.width()).arg(window.height());
        if (const QWidget* focus = QApplication::focusWidget())
            part.lines << "focus " + shown(room_of(*focus) + '/' + name_of(*focus));
        for (const QWidget* dialog : topLevels())
            if (!qobject_cast<const QMainWindow*>(dialog) && dialog != fixture_.tabs.get())
                part.lines << "open " + shown(class_of(*dialog) + ' ' + dialog->windowTitle());
        if (!tool_tip_.isEmpty()) part.lines << "tool tip " + shown(tool_tip_);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        if (data && data->hasText()) part.lines << "clipboard " + shown(data->text());
        if (data && data->hasImage()) part.lines << "clipboard image";
    }

    void addCommands() {
        RecordedPart part, tips;
        part.name = QStringLiteral("commands");
        tips.name = QStringLiteral("tips of commands");
        for (const QAction* action : fixture_.shown().commands().all()) {
            const QString id = action->objectName();
            if (id == "continue") continue;  // the session is kept now and then
            if (action->isEnabled()) part.lines << "can " + id;
            if (action->isChecked()) part.lines << "on " + id;
            if (!action->isVisible()) part.lines << "hidden " + id;
            const QString tip = action->text() + '|' + action->toolTip() + '|' + action->statusTip() + '|' +
                                action->shortcut().toString() + '|' + action->property("obstacle").toString();
            tips.lines << "of " + id + digest(steady(tip).toUtf8());
            tips.operations << id + ": " + tip;
        }
        parts_.push_back(std::move(part));
        parts_.push_back(std::move(tips));
    }

    void addDocument() {
        Document& document = fixture_.shown().document();
        RecordedPart& part = add(QStringLiteral("document"));
        if (!document.isOpen()) return;
        RelayPrintOptions options;
        options.types = false;
        part.lines << "module " + digest(QByteArray::fromStdString(print_relay(*document.shownModule(), options)));
        QString backends;
        const size_t count = document.flow() ? document.flow()->backend_of.size() : 0;
        for (size_t i = 0; i < std::min<size_t>(count, 300); ++i) {
            const int backend = document.flow()->backend_of[i];
            backends += backend < 0 ? QStringLiteral("-") : QString::number(backend);
        }
        part.lines << "backends " + backends;
        if (document.flow()) part.lines << QStringLiteral("regions %1").arg(document.flow()->regions.size());
        if (document.partitioned())
            part.lines << "partitioned " +
                              digest(QByteArray::fromStdString(print_relay(*document.partitioned(), options)));
        part.lines << QStringLiteral("undo %1 of %2 \"%3\"")
                          .arg(document.undoStack().index())
                          .arg(document.undoStack().count())
                          .arg(shown(document.undoStack().undoText()));
        if (document.isUnsaved()) part.lines << QStringLiteral("unsaved");
        QString selection;
        for (const ExprId expression : document.selection()) selection += QStringLiteral(" %1").arg(expression.value);
        part.lines << "selection" + shown(selection);
        for (const Bookmark& bookmark : document.bookmarks())
            part.lines << QStringLiteral("bookmark %1 ").arg(bookmark.expression.value) +
                              shown(QString::fromStdString(bookmark.note));
        for (const InputFile& input : document.inputs())
            part.lines << "input " + shown(QString::fromStdString(input.parameter + " " + input.path));
    }

    void addSettings() {
        RecordedPart& part = add(QStringLiteral("settings"));
        const QSettings store;
        for (const QString& key : store.allKeys()) {
            if (key.startsWith("window/")) continue;
            const QVariant value = store.value(key);
            const QString text = value.typeId() == QMetaType::QVariantMap ? QStringList(value.toMap().keys()).join(',')
                                 : value.canConvert<QString>()            ? value.toString()
                                                               : value.toStringList().join(QStringLiteral(", "));
            part.lines << key + " = " + shown(text);
        }
    }

    void addFiles() {
        RecordedPart& part = add(QStringLiteral("files"));
        addFiles(QDir(folder_), {}, part);
    }
    void addFiles(const QDir& folder, const QString& prefix, RecordedPart& part) {
        for (const QFileInfo& file : folder.entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name)) {
            const QString name = prefix + file.fileName();
            if (name == "home") continue;
            if (file.isDir()) {
                addFiles(QDir(file.filePath()), name + '/', part);
                continue;
            }
            QFile content(file.filePath());
            const bool dated = name.endsWith(".pdf") || name.endsWith(".odt") || name.endsWith(".answers.json");
            part.lines << (dated || !content.open(QIODevice::ReadOnly)
                               ? name
                               : name + ' ' + digest(steady(QString::fromLatin1(content.readAll())).toLatin1()));
        }
    }

    /// The widget and what stands in it, as far as it lies in `sight`: docks behind others are beside the window.
    void addAll(QWidget& widget, const QWidget& window, const QRect& sight) {
        // Qt fades the button that clears a line in and out, and shows that of a full tool bar sooner or later.
        if (!widget.isVisible() || class_of(widget) == "QLineEditIconButton" || class_of(widget) == "QToolBarExtension")
            return;
        const QRect seen = sight & QRect(widget.mapTo(&window, QPoint()), widget.size());
        if (seen.isEmpty()) return;
        addWidget(widget, window);
        if (qobject_cast<QFileDialog*>(&widget)) return;  // made by Qt, with dates of files
        for (QObject* child : widget.children())
            if (auto* part = qobject_cast<QWidget*>(child); part && !part->isWindow()) addAll(*part, window, seen);
    }

    void addWidget(QWidget& widget, const QWidget& window) {
        RecordedPart part;
        const bool foreign = qobject_cast<QFileDialog*>(&widget);
        Painted painted(widget, foreign ? QWidget::RenderFlags() : QWidget::RenderFlags(QWidget::IgnoreMask));
        part.operations = painted.operations;
        for (QString& operation : part.operations) operation = steady(operation);
        const QAbstractItemView* rows = rowsOf(widget);
        const QStringList words = rows                            ? wordsOf(*rows)
                                  : qobject_cast<QMenu*>(&widget) ? wordsOf(*qobject_cast<QMenu*>(&widget))
                                                                  : lines(painted);
        part.lines = words + traitsOf(widget);
        const bool masked = masks_times_ && std::any_of(words.begin(), words.end(),
                                                        [](const QString& line) { return line.contains("TIME"); });
        if (painted.operations.isEmpty() && part.lines.isEmpty()) return;
        const QPoint place = &widget == &window ? QPoint() : widget.mapTo(&window, QPoint());
        part.painted =
            QStringLiteral("%1,%2 %3x%4").arg(place.x()).arg(place.y()).arg(widget.width()).arg(widget.height());
        // Tabs and menus look otherwise under the pointer, wherever it was left.
        const bool hovered = qobject_cast<QTabBar*>(&widget) || qobject_cast<QMenu*>(&widget);
        if (masked) part.painted.clear();
        else if (!painted.operations.isEmpty() && !hovered)
            part.painted += QStringLiteral(" %1 %2")
                                .arg(digest(part.operations.join('\n').toUtf8()))
                                .arg(painted.operations.size());
        const QString room = room_of(widget);
        RecordedPart& added = add(room.isEmpty() ? name_of(widget) : room + '/' + name_of(widget));
        part.name = added.name;
        added = std::move(part);
    }

    static const QAbstractItemView* rowsOf(const QWidget& widget) {
        auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
        return view && view->viewport() == &widget && !qobject_cast<const QHeaderView*>(view) ? view : nullptr;
    }

    /// Words on one line of the widget are one line.
    QStringList lines(const Painted& painted) const {
        QStringList all;
        double y = -1e9, right = 0;
        for (const PaintedWords& words : painted.words) {
            if (words.words.trimmed().isEmpty()) continue;
            const double middle = words.box.center().y();
            if (std::abs(middle - y) < 4 && words.box.left() >= right - 2)
                all.last() += (words.box.left() > right + 3 ? QStringLiteral(" | ") : QString()) + words.words;
            else all << words.words;
            y = middle;
            right = words.box.right();
        }
        for (QString& line : all) line = shown(line);
        return all;
    }

    QStringList wordsOf(const QAbstractItemView& view) const {
        QStringList all;
        if (view.model()) addRows(view, {}, 0, all);
        return all;
    }
    void addRows(const QAbstractItemView& view, const QModelIndex& parent, int depth, QStringList& all) const {
        constexpr int kMost = 80;
        const QAbstractItemModel& model = *view.model();
        const int rows = model.rowCount(parent);
        for (int row = 0; row < rows && all.size() < kMost; ++row) {
            QStringList cells;
            QString tips;
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                QString cell = index.data().toString();
                if (const QVariant check = index.data(Qt::CheckStateRole); check.isValid())
                    cell = (check.toInt() ? "[x] " : "[ ] ") + cell;
                if (!index.flags().testFlag(Qt::ItemIsEnabled)) cell += " (off)";
                if (const QString spoken = index.data(Qt::AccessibleTextRole).toString(); !spoken.isEmpty())
                    tips += " <" + spoken + '>';
                if (const QString tip = index.data(Qt::ToolTipRole).toString();
                    !tip.isEmpty() && tip != index.data().toString())
                    tips += " {" + shown(tip) + '}';
                cells << cell;
            }
            all << QString(depth * 2, ' ') + shown(cells.join(QStringLiteral(" | "))) + shown(tips);
            if (depth < 6) addRows(view, model.index(row, 0, parent), depth + 1, all);
        }
        if (rows > 0 && all.size() == kMost) all << QStringLiteral("… %1").arg(rows);
    }
    QStringList wordsOf(const QMenu& menu) const {
        QStringList all;
        for (const QAction* action : menu.actions())
            if (action->isVisible())
                all << shown(action->isSeparator()
                                 ? QStringLiteral("—")
                                 : QStringList{action->text(), action->shortcut().toString(),
                                               action->isEnabled() ? "" : "off", action->isChecked() ? "on" : ""}
                                       .join('|'));
        return all;
    }

    QStringList traitsOf(const QWidget& widget) const {
        QStringList all;
        if (!widget.toolTip().isEmpty()) all << "tip " + shown(widget.toolTip());
        if (!widget.statusTip().isEmpty()) all << "status tip " + shown(widget.statusTip());
        if (!widget.accessibleDescription().isEmpty()) all << "described " + shown(widget.accessibleDescription());
        if (widget.testAttribute(Qt::WA_SetCursor))
            all << QStringLiteral("cursor %1").arg(int(widget.cursor().shape()));
        if (auto* text = qobject_cast<const QTextEdit*>(&widget))
            all << "text " + digest(steady(text->toHtml()).toUtf8());
        if (auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
            all << "text " + digest(steady(text->toPlainText()).toUtf8());
        if (auto* label = qobject_cast<const QLabel*>(&widget); label && label->text().contains('<'))
            all << "text " + digest(steady(label->text()).toUtf8());
        if (auto* slider = qobject_cast<const QAbstractSlider*>(&widget))
            all << QStringLiteral("value %1 of %2-%3")
                       .arg(slider->value())
                       .arg(slider->minimum())
                       .arg(slider->maximum());
        if (!widget.isEnabled()) all << QStringLiteral("off");
        return all;
    }

    WindowFixture& fixture_;
    QString folder_, tool_tip_;
    bool masks_times_ = false;
    std::vector<RecordedPart> parts_;
    QHash<QString, int> names_;
};

}  // namespace partita
