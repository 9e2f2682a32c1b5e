// Steps of a walk that nobody thought of: one of those that are possible now, by chance. Whoever records a walk writes
// `> by-chance SEED [ROOM]`; the step that was taken then stands in its place.
#pragma once

#include <random>

#include <QScrollBar>
#include <QToolButton>

#include "tests/app/walk_steps.h"

namespace partita {

class WalkChance {
public:
    /// In a room of the window ("timing", "canvas") most steps are taken there.
    static QString step(WindowFixture& fixture, uint32_t seed, const QString& room) {
        WalkChance chance(fixture, seed);
        chance.collect(room);
        return chance.steps_.isEmpty() ? QStringLiteral("key Esc")
                                       : chance.steps_[qsizetype(chance.dice_() % size_t(chance.steps_.size()))];
    }

private:
    WalkChance(WindowFixture& fixture, uint32_t seed) : fixture_(fixture), dice_(seed) {}

    size_t below(size_t bound) { return bound ? dice_() % bound : 0; }
    template <class List>
    auto any(const List& list) {
        return list[qsizetype(below(size_t(list.size())))];
    }

    /// What takes its time, leaves the window, or is somebody else's: files and folders of the desktop.
    static bool isLeftOut(const QString& name) {
        static const QRegularExpression out(
            QStringLiteral("about|browse|cancel|choose costs|close|commands|compare.regions|continue|copy-text|export|"
                           "folder|hand-?out|help|language|machine|measure|model|new|open|operator-sheet|picture|place|"
                           "predict|presentation|print|python|quit|recent|reload|run|sample|save|settings|tab|try|"
                           "window of its own"),
            QRegularExpression::CaseInsensitiveOption);
        return out.match(name).hasMatch();
    }
    static QString quoted(const QString& text) {
        return text.contains(' ') || text.isEmpty() ? '"' + text + '"' : text;
    }
    static bool canBeNamed(const QString& text) {
        return !text.isEmpty() && text.size() < 60 && !text.contains(QRegularExpression(QStringLiteral("[\"#/\\n]")));
    }

    void collect(const QString& room) {
        QWidget* popup = QApplication::activePopupWidget();
        QWidget* modal = QApplication::activeModalWidget();
        if (qobject_cast<QFileDialog*>(modal)) steps_ << QStringLiteral("close");
        else if (auto* menu = qobject_cast<QMenu*>(popup)) addMenu(*menu);
        else if (popup) steps_ << QStringLiteral("close");
        else if (modal) addWidgets(*modal, QString());
        else addWindow(room);
        if (modal) steps_ << QStringLiteral("close") << QStringLiteral("key Tab");
    }

    void addMenu(const QMenu& menu) {
        for (const QAction* action : menu.actions()) {
            const QString text = without_mnemonic(action->text()).section('\t', 0, 0);
            if (action->isEnabled() && action->isVisible() && !action->isSeparator() && !action->menu() &&
                canBeNamed(text) && !isLeftOut(text) && !isLeftOut(action->objectName()))
                steps_ << "choose " + quoted(text);
        }
        steps_ << QStringLiteral("close");
    }

    void addWindow(const QString& room) {
        const bool elsewhere = room.isEmpty() || below(6) == 0;
        if (room.isEmpty()) addWidgets(fixture_.shown(), QString());
        else if (!elsewhere && room != "canvas") addWidgets(fixture_.shown(), room);
        if (steps_.isEmpty() && !elsewhere && fixture_.shown().findChild<QDockWidget*>(room))
            return void(steps_ << "panel " + room);  // something else is in front of it
        if (elsewhere) addCommands(room.isEmpty());
        GraphPage* page = fixture_.shown().currentPage();
        if (page && page->view().hasGraph() && (elsewhere || room == "canvas"))
            for (int i = 0; i < (room == "canvas" ? 30 : 12); ++i) steps_ << ofCanvas(page->view());
        const char* const keys[] = {"Esc", "Tab", "Up", "Down", "Left", "Right", "Return", "Home", "End"};
        for (int i = 0; i < (elsewhere ? 2 : 1); ++i) steps_ << QStringLiteral("key ") + keys[below(std::size(keys))];
        if (room.isEmpty()) steps_ << QStringLiteral("key Ctrl+Z") << QStringLiteral("key Ctrl+Y");
    }

    /// Those that change what the others are about only where that is meant.
    void addCommands(bool that_change) {
        static const QRegularExpression change(QStringLiteral(
            "undo|redo|reset|backend|simplify|fold|lower|composite|non-call|flow|pass|annotate|merge|partition|"
            "attribute|insert|delete|exchange|rename|parameter|cut|extract|inline|paste|bind|split|join"));
        for (const QAction* action : fixture_.shown().commands().all())
            if ((that_change || !change.match(action->objectName()).hasMatch()) && action->isEnabled() &&
                action->isVisible() && !isLeftOut(action->objectName()))
                steps_ << "do " + action->objectName();
    }

    QString ofCanvas(GraphView& view) {
        const auto& nodes = view.model()->nodes;
        const auto title = [&]() -> QString {
            const size_t node = below(nodes.size());
            int before = 0;
            for (size_t i = 0; i < node; ++i) before += nodes[i].title == nodes[node].title;
            const QString text = nodes[node].title;
            return text.contains('#') ? QString()
                                      : quoted(before ? QStringLiteral("%1#%2").arg(text).arg(before + 1) : text);
        };
        const auto place = [&] {
            return QStringLiteral("%1,%2").arg(below(size_t(view.width()))).arg(below(size_t(view.height())));
        };
        const char* const verbs[] = {"click", "ctrl-click", "shift-click", "double-click", "right-click", "hover-node"};
        const char* const keys[] = {"Left", "Right",  "Up",     "Down",       "Space",      "Return",
                                    "+",    "-",      "Home",   "Ctrl+Right", "Shift+Down", "Ctrl+A",
                                    "Menu", "PgDown", "Delete", "Backspace"};
        const char* const modifiers[] = {"", " ctrl", " shift"};
        switch (below(8)) {
            case 0: return "drag " + title() + ' ' + title();
            case 1:
                return "drag-at canvas " + place() + ' ' + place() + any(QStringList{"", " shift", " middle", " ctrl"});
            case 2: return QStringLiteral("wheel canvas %1").arg(below(2) ? 120 : -120) + modifiers[below(3)];
            case 3: return QStringLiteral("key ") + keys[below(std::size(keys))] + " canvas";
            case 4: return "mouse canvas " + place() + any(QStringList{"", " double", " right", " move"});
            default: return QString(verbs[below(std::size(verbs))]) + ' ' + title();
        }
    }

    void addWidgets(QWidget& window, const QString& room) {
        QHash<QString, int> count;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->window() != window.window()) continue;
            const QString own = room_of(*widget), name = name_of(*widget);
            if (widget->objectName() == "qt_scrollarea_viewport" || !canBeNamed(name) || own.contains('#')) continue;
            const int number = ++count[own + '/' + name];
            if (!room.isEmpty() && own != room) continue;
            if (!widget->isEnabled() || widget->visibleRegion().isEmpty()) continue;
            QString called = own.isEmpty() ? name : own + '/' + name;
            if (number > 1) called += QStringLiteral("#%1").arg(number);
            addWidget(*widget, quoted(called));
        }
    }

    void addWidget(QWidget& widget, const QString& called) {
        if (auto* button = qobject_cast<QAbstractButton*>(&widget)) {
            auto* tool = qobject_cast<QToolButton*>(button);
            const QAction* action = tool ? tool->defaultAction() : nullptr;
            if (!isLeftOut(called) && !isLeftOut(button->text()) && !(action && isLeftOut(action->objectName())) &&
                !(tool && tool->menu()))
                steps_ << "press " + called;
        } else if (auto* box = qobject_cast<QComboBox*>(&widget)) {
            const QString entry = box->itemText(int(below(size_t(box->count()))));
            if (canBeNamed(entry) && !isLeftOut(called)) steps_ << "set " + called + ' ' + quoted(entry);
        } else if (auto* view = qobject_cast<QAbstractItemView*>(&widget)) {
            if (!qobject_cast<QHeaderView*>(view)) addRows(*view, called);
            else steps_ << QStringLiteral("mouse %1 %2,8").arg(called).arg(below(size_t(view->width())));
        } else if (auto* bar = qobject_cast<QTabBar*>(&widget)) {
            const QString text = without_mnemonic(bar->tabText(int(below(size_t(bar->count())))));
            if (canBeNamed(text)) steps_ << "tab " + quoted(text);
        } else if (qobject_cast<QLineEdit*>(&widget)) {
            steps_ << "set " + called + ' ' + any(QStringList{"add", "1", "nn", "\"\"", "op:add", "zz", "2, 2"});
        } else if (qobject_cast<QAbstractSpinBox*>(&widget)) {
            steps_ << any(QStringList{"key Up ", "key Down ", "key PgUp "}) + called;
        } else if (auto* slider = qobject_cast<QAbstractSlider*>(&widget)) {
            if (!qobject_cast<QScrollBar*>(slider))
                steps_ << any(QStringList{"key Left ", "key Right ", "key Home "}) + called;
        } else if (widget.focusPolicy() != Qt::NoFocus && widget.parentWidget() && class_of(widget) != "GraphView") {
            const QString at =
                QStringLiteral("%1,%2").arg(below(size_t(widget.width()))).arg(below(size_t(widget.height())));
            steps_ << "mouse " + called + ' ' + at << "hover " + called + ' ' + at
                   << any(QStringList{"key Down ", "key Right ", "key End ", "key Up "}) + called
                   << "wheel " + called + any(QStringList{" 120", " -120", " 120 ctrl"});
        }
    }

    void addRows(QAbstractItemView& view, const QString& called) {
        QStringList rows;
        for (int i = 0; i < 12; ++i) {
            const QModelIndex index = view.indexAt(
                QPoint(int(below(size_t(view.viewport()->width()))), int(below(size_t(view.viewport()->height())))));
            const QString text = index.siblingAtColumn(0).data().toString();
            if (index.isValid() && canBeNamed(text)) rows << quoted(text);
        }
        if (rows.isEmpty()) return;
        steps_ << "row " + called + ' ' + any(rows) << "double-row " + called + ' ' + any(rows)
               << "row-menu " + called + ' ' + any(rows)
               << any(QStringList{"key Down ", "key Up ", "key Return "}) + called;
        if (qobject_cast<QTreeView*>(&view)) steps_ << "expand " + called + ' ' + any(rows);
    }

    WindowFixture& fixture_;
    std::mt19937 dice_;
    QStringList steps_;
};

}  // namespace partita
