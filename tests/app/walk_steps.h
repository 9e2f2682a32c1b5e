// The steps of a walk: what a person does in the window, by the names that are on the screen.
#pragma once

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QNativeGestureEvent>
#include <QPlainTextEdit>
#include <QPointingDevice>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QTreeView>
#include <QWheelEvent>

#include "app/gui/document/autosave.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "tests/app/walk_record.h"
#include "tests/app/walk_times.h"
#include "tests/app/window_fixture.h"

namespace partita {

class WalkSteps {
public:
    WalkSteps(WindowFixture& fixture, QString folder, WalkRecord& record)
        : fixture_(fixture), folder_(std::move(folder)), record_(record) {}

    /// What takes its time before the step itself, which nothing may follow meanwhile.
    void prepare(const QString& step) {
        if (step.startsWith("wait ")) QTest::qWait(step.mid(5).toInt());
        if (step == "crash") startAgain();
        if (step == "tabs") fixture_.showTabs();
    }

    /// Does a step; returns why it can't be done, or "". May return only when a dialog that it opened is closed.
    QString run(const QString& step) {
        measures_ = step == "run";
        record_.setToolTip({});
        QStringList words = QProcess::splitCommand(step);
        const QString verb = words.isEmpty() ? QString() : words.takeFirst();
        words.resize(std::max<qsizetype>(words.size(), 4));
        fault_.clear();
        doStep(verb, words);
        return fault_;
    }

    /// What a step measured is replaced by what is the same in each run. Returns whether it did measure.
    bool fixTimes() {
        if (measures_) {
            window().document().blockSignals(false);
            const_cast<std::optional<MachineLimits>&>(window().panels().timing().machine()) = FixedTimes::machine();
            FixedTimes::put(window().document());
            emit window().document().problemsChanged();
        }
        return std::exchange(measures_, false);
    }

private:
    MainWindow& window() { return fixture_.shown(); }

    static bool isOneOf(const QString& verb, const char* all) {
        return QString::fromLatin1(all).split(' ').contains(verb);
    }

    void doStep(const QString& verb, const QStringList& words) {
        if (isOneOf(verb, "click double-click right-click ctrl-click shift-click drag hover-node"))
            return onCanvas(verb, words);
        if (isOneOf(verb, "mouse drag-at hover wheel pinch key type")) return byHand(verb, words);
        if (isOneOf(verb, "close-model-tab move-model-tab")) return onModelTabs(verb, words[0], words[1]);
        if (isOneOf(verb, "press set row double-row row-menu row-check tab menu choose link check expand line"))
            return onWidgets(verb, words);
        if (verb == "open") return window().opening().openFile(folder_ + '/' + words[0]);
        if (verb == "open-files")
            return window().opening().openFiles({folder_ + '/' + words[0], folder_ + '/' + words[1]});
        if (verb == "drop") return void(fixture_.drop({folder_ + '/' + words[0]}));
        if (verb == "do") return command(words[0]);
        if (verb == "run") return runUnnoticed();
        if (verb == "place") return fail(place_by_fixed_costs(window()));
        if (verb == "panel") return showPanel(words[0]);
        if (verb == "resize") return window().resize(words[0].toInt(), words[1].toInt());
        if (verb == "backends") return window().setBackends(words[0].split(','));
        if (verb == "settings") return changeSettings(words[0], words[1]);
        if (verb == "file-name") return nameFile(words[0]);
        if (verb == "clipboard") return QApplication::clipboard()->setText(words[0]);
        if (verb == "remove") return void(QFile::remove(folder_ + '/' + words[0]));
        if (verb == "leave") return void(window().close());
        if (verb == "crash") return void(window().opening().offerRecovery());
        if (verb == "close") return closeDialog();
        if (verb == "mask-times") return record_.maskTimes();
        if (isOneOf(verb, "wait tabs")) return;  // prepared
        fail("no such step: " + verb);
    }

    void fail(const QString& why) { fault_ = why; }

    void command(const QString& id) {
        QAction* action = window().action(id);
        if (!action) return fail("no command " + id);
        if (!action->isEnabled()) return fail("not now: " + id + ": " + action->toolTip());
        action->trigger();
    }

    /// As after the end of a process that took nothing away, whose work was kept from noon on.
    void startAgain() {
        window().document().autosave();
        (void)fixture_.settle();
        fixture_.startAgain();
        QDateTime noon(QDate(2024, 5, 1), QTime(12, 0));
        const QDir folder(Autosave::defaultFolder(), "*.partita", QDir::Time | QDir::Reversed, QDir::Files);
        for (const QFileInfo& kept : folder.entryInfoList()) {
            QFile file(kept.filePath());
            if (file.open(QIODevice::ReadWrite)) file.setFileTime(noon, QFileDevice::FileModificationTime);
            noon = noon.addSecs(60);
        }
    }

    /// Nobody hears of its end before it has times that are the same in each run.
    void runUnnoticed() {
        command("run");
        window().document().blockSignals(fault_.isEmpty());
    }

    void showPanel(const QString& name) {
        auto* dock = window().findChild<QDockWidget*>(name);
        if (!dock) return fail("no panel " + name);
        window().panels().show(dock->widget());
    }

    void changeSettings(const QString& key, const QString& value) {
        Settings settings = window().settings();
        if (key == "theme") settings.theme = value == "dark" ? ThemeChoice::Dark : ThemeChoice::Light;
        else if (key == "palette") settings.palette = PaletteChoice(value.toInt());
        else if (key == "animated") settings.canvas.animated = value == "on";
        else if (key == "text") settings.text_scale = value.toDouble() / 100;
        else if (key == "types") settings.canvas.model.show_types = value == "on";
        else if (key == "attributes") settings.canvas.model.show_attributes = value == "on";
        else if (key == "grouping") settings.canvas.grouping = Grouping(value.toInt());
        else if (key == "language") return load_language(*qApp, value);
        else return fail("no setting " + key);
        window().applySettings(settings);
    }

    // On the graph.

    GraphView* canvas() {
        GraphPage* page = window().currentPage();
        if (!page || !page->view().hasGraph()) fail("no graph");
        return page ? &page->view() : nullptr;
    }
    /// "add" or "add#2".
    int64_t node(const QString& title) {
        const int64_t found = fixture_.nodeOf(title.section('#', 0, 0), std::max(title.section('#', 1).toInt() - 1, 0));
        if (found < 0) fail("no node " + title);
        return found;
    }
    void onCanvas(const QString& verb, const QStringList& words) {
        GraphView* view = canvas();
        if (!fault_.isEmpty()) return;
        const int64_t at = node(words[0]);
        if (at < 0) return;
        view->reveal({uint32_t(at)});
        const QPoint place = fixture_.placeOf(at);
        if (verb == "click") QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, place);
        else if (verb == "ctrl-click") QTest::mouseClick(view, Qt::LeftButton, Qt::ControlModifier, place);
        else if (verb == "shift-click") QTest::mouseClick(view, Qt::LeftButton, Qt::ShiftModifier, place);
        else if (verb == "double-click") QTest::mouseDClick(view, Qt::LeftButton, Qt::NoModifier, place);
        else if (verb == "right-click") openContextMenu(*view, place);
        else if (verb == "hover-node") hover(*view, place);
        else if (verb == "drag") {
            const int64_t to = node(words[1]);
            if (to >= 0) drag(*view, place, fixture_.placeOf(to));
        }
    }
    static void openContextMenu(QWidget& widget, const QPoint& place) {
        QTest::mouseClick(&widget, Qt::RightButton, Qt::NoModifier, place);
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget.mapToGlobal(place));
        QApplication::sendEvent(&widget, &event);
    }
    void hover(QWidget& widget, const QPoint& place) {
        QTest::mouseMove(&widget, place);
        QHelpEvent event(QEvent::ToolTip, place, widget.mapToGlobal(place));
        QApplication::sendEvent(&widget, &event);
        record_.setToolTip(QToolTip::text());
        QToolTip::hideText();
    }
    static void drag(QWidget& widget, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {},
                     Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(&widget, button, modifiers, from);
        for (int i = 1; i <= 8; ++i) {
            const QPointF at = QPointF(from) + QPointF(to - from) * i / 8.0;
            QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(&widget, &move);
        }
        QTest::mouseRelease(&widget, button, modifiers, to);
    }

    // Widgets by their names: "Shares", "coverage/Shares", "OK#2".

    static QList<QWidget*> all() {
        QList<QWidget*> widgets;
        // What is modal comes first, then menus, other windows, the window itself.
        QWidgetList windows = QApplication::topLevelWidgets();
        std::stable_sort(windows.begin(), windows.end(), [](QWidget* a, QWidget* b) {
            const auto rank = [](QWidget* window) {
                return window == QApplication::activePopupWidget()   ? 0
                       : window == QApplication::activeModalWidget() ? 1
                       : qobject_cast<QMainWindow*>(window)          ? 3
                                                                     : 2;
            };
            return rank(a) < rank(b);
        });
        for (QWidget* window : windows) {
            if (!window->isVisible()) continue;
            widgets << window;
            for (QWidget* widget : window->findChildren<QWidget*>())
                if (widget->isVisible() && widget->window() == window) widgets << widget;
        }
        return widgets;
    }
    static bool isCalled(const QWidget& widget, const QString& name) {
        if (widget.objectName() == "qt_scrollarea_viewport") return false;
        if (name == name_of(widget) || name == widget.objectName() || name == class_of(widget)) return true;
        if (auto* button = qobject_cast<const QAbstractButton*>(&widget))
            return name == without_mnemonic(button->text()) ||
                   (!button->toolTip().isEmpty() && name == button->toolTip());
        if (auto* line = qobject_cast<const QLineEdit*>(&widget)) return name == line->placeholderText();
        return false;
    }
    template <class T = QWidget>
    T* find(QString name) {
        int skipped = 0;
        if (const qsizetype mark = name.lastIndexOf('#'); mark > 0 && name[mark - 1] != ' ') {  // no call's number
            skipped = std::max(name.mid(mark + 1).toInt() - 1, 0);
            name.truncate(mark);
        }
        const QString room = name.contains('/') ? name.section('/', 0, 0) : QString();
        if (!room.isEmpty()) name = name.section('/', 1);
        int count = 0;
        for (QWidget* widget : all()) {
            auto* typed = qobject_cast<T*>(widget);
            if (!typed || !isCalled(*widget, name) || (!room.isEmpty() && room_of(*widget) != room)) continue;
            if (count++ == skipped) return typed;
        }
        fail("no widget " + name);
        return nullptr;
    }

    void onWidgets(const QString& verb, const QStringList& words) {
        if (verb == "press" || verb == "check") {
            if (auto* button = find<QAbstractButton>(words[0])) {
                if (!button->isEnabled()) return fail("is off: " + words[0]);
                QTest::mouseClick(button, Qt::LeftButton, Qt::NoModifier,
                                  qobject_cast<QCheckBox*>(button) ? QPoint(8, button->height() / 2) : QPoint());
            }
        } else if (verb == "set") {
            if (QWidget* field = find<QWidget>(words[0])) set(*field, words[1]);
        } else if (verb == "tab") {
            chooseTab(words[0]);
        } else if (verb == "menu") {
            openMenu(words[0]);
        } else if (verb == "choose") {
            choose(words[0]);
        } else if (verb == "link") {
            if (auto* text = find<QTextBrowser>(words[0])) followLink(*text, words[1]);
        } else if (verb == "line") {
            if (auto* text = find<QPlainTextEdit>(words[0])) goToLine(*text, words[1]);
        } else {
            if (auto* view = find<QAbstractItemView>(words[0])) onRow(verb, *view, words[1], words[2].toInt());
        }
    }
    void set(QWidget& field, const QString& value) {
        if (auto* combo = qobject_cast<QComboBox*>(&field)) {
            const int index = combo->findText(value, Qt::MatchContains);
            if (index < 0 && !combo->isEditable()) return fail("no entry " + value);
            combo->setFocus();
            if (index < 0) return combo->setEditText(value);
            combo->setCurrentIndex(index);
            emit combo->activated(index);
            return;
        }
        field.setFocus();
        if (auto* line = qobject_cast<QLineEdit*>(&field)) line->selectAll();
        if (auto* number = qobject_cast<QAbstractSpinBox*>(&field)) number->selectAll();
        if (auto* text = qobject_cast<QPlainTextEdit*>(&field)) text->selectAll();
        if (value.isEmpty()) QTest::keyClick(&field, Qt::Key_Delete);
        else QTest::keyClicks(&field, value);
    }
    void chooseTab(const QString& text) {
        for (QWidget* widget : all()) {
            auto* bar = qobject_cast<QTabBar*>(widget);
            for (int i = 0; bar && i < bar->count(); ++i) {
                if (!without_mnemonic(bar->tabText(i)).startsWith(text)) continue;
                return QTest::mouseClick(bar, Qt::LeftButton, Qt::NoModifier, bar->tabRect(i).center());
            }
        }
        fail("no tab " + text);
    }
    void openMenu(const QString& path) {
        QMenuBar* bar = window().menuBar();
        for (QAction* action : bar->actions())
            if (without_mnemonic(action->text()) == path)
                return action->menu()->popup(bar->mapToGlobal(bar->actionGeometry(action).bottomLeft()));
        fail("no menu " + path);
    }
    void choose(const QString& text) {
        for (QWidget* widget : all()) {
            auto* menu = qobject_cast<QMenu*>(widget);
            if (!menu) continue;
            for (QAction* action : menu->actions()) {
                if (!without_mnemonic(action->text()).section('\t', 0, 0).startsWith(text)) continue;
                if (!action->isEnabled()) return fail("is off: " + text);
                if (action->menu()) menu->setActiveAction(action);
                return QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier, menu->actionGeometry(action).center());
            }
        }
        fail("no entry " + text);
    }
    void followLink(QTextBrowser& text, const QString& words) {
        const QTextCursor found = text.document()->find(words);
        if (found.isNull()) return fail("no link " + words);
        QTextCursor inside(found);
        inside.setPosition(found.selectionStart() + 1);
        text.setTextCursor(inside);
        text.ensureCursorVisible();
        const QPoint place = text.cursorRect(inside).center();
        QTest::mouseMove(text.viewport(), place);
        QTest::mouseClick(text.viewport(), Qt::LeftButton, Qt::NoModifier, place);
    }
    void goToLine(QPlainTextEdit& text, const QString& words) {
        const QTextCursor found = text.document()->find(words);
        if (found.isNull()) return fail("no words " + words);
        QTextCursor inside(found);
        inside.setPosition(found.selectionStart());
        text.setFocus();
        text.setTextCursor(inside);
        text.ensureCursorVisible();
    }
    static QModelIndex rowWith(const QAbstractItemModel& model, const QModelIndex& parent, const QString& text,
                               int& skipped) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                if (index.data().toString().contains(text) && skipped-- == 0) return index;
            }
            const QModelIndex below = rowWith(model, model.index(row, 0, parent), text, skipped);
            if (below.isValid()) return below;
        }
        return {};
    }
    void onRow(const QString& verb, QAbstractItemView& view, const QString& text, int column) {
        int skipped = std::max(text.section('#', 1).toInt() - 1, 0);
        QModelIndex index = rowWith(*view.model(), {}, text.section('#', 0, 0), skipped);
        if (!index.isValid()) return fail("no row " + text);
        if (column > 0) index = index.siblingAtColumn(column);
        view.scrollTo(index);
        const QPoint place = view.visualRect(index).center();
        view.setFocus();
        if (verb == "row") QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, place);
        else if (verb == "row-check")
            QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier,
                              view.visualRect(index).topLeft() + QPoint(10, 8));
        else if (verb == "double-row") {
            QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, place);
            QTest::mouseDClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, place);
        } else if (verb == "row-menu") openContextMenu(*view.viewport(), place);
        else if (auto* tree = qobject_cast<QTreeView*>(&view))
            tree->setExpanded(index.siblingAtColumn(0), !tree->isExpanded(index.siblingAtColumn(0)));
    }

    // Mouse and keys, at places of a widget.

    static QPoint point(const QString& text) { return {text.section(',', 0, 0).toInt(), text.section(',', 1).toInt()}; }
    QWidget* target(const QString& name) {
        if (name == "canvas") return canvas();
        QWidget* widget = find(name);
        if (auto* area = qobject_cast<QAbstractScrollArea*>(widget)) return area->viewport();
        return widget;
    }
    static Qt::KeyboardModifiers modifiersOf(const QString& name) {
        return name == "ctrl"    ? Qt::ControlModifier
               : name == "shift" ? Qt::ShiftModifier
               : name == "alt"   ? Qt::AltModifier
                                 : Qt::NoModifier;
    }
    void byHand(const QString& verb, const QStringList& words) {
        if (verb == "key" || verb == "type") {
            QWidget* focus = words[1].isEmpty() ? QApplication::focusWidget() : target(words[1]);
            if (!focus) focus = &window();
            if (QApplication::activePopupWidget() && words[1].isEmpty()) focus = QApplication::activePopupWidget();
            if (verb == "type") return QTest::keyClicks(focus, words[0]);
            return press(*focus, words[0]);
        }
        QWidget* widget = target(words[0]);
        if (!widget) return;
        if (verb == "hover") return hover(*widget, words[1].isEmpty() ? widget->rect().center() : point(words[1]));
        if (verb == "drag-at")
            return drag(*widget, point(words[1]), point(words[2]), modifiersOf(words[3]),
                        words[3] == "middle" ? Qt::MiddleButton : Qt::LeftButton);
        if (verb == "pinch") {
            const QPointF at = widget->rect().center();
            QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                                      widget->mapToGlobal(at), words[1].toDouble(), {});
            QApplication::sendEvent(widget, &event);
            return;
        }
        if (verb == "wheel") {
            const QPoint at = words[3].isEmpty() ? widget->rect().center() : point(words[3]);
            QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, words[1].toInt()), Qt::NoButton,
                              modifiersOf(words[2]), Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &event);
            return;
        }
        const QPoint at = point(words[1]);
        if (words[2] == "double") QTest::mouseDClick(widget, Qt::LeftButton, Qt::NoModifier, at);
        else if (words[2] == "right") openContextMenu(*widget, at);
        else if (words[2] == "move") QTest::mouseMove(widget, at);
        else QTest::mouseClick(widget, Qt::LeftButton, modifiersOf(words[2]), at);
    }
    /// A key sequence such as "Ctrl+Z", which a command may have.
    static void press(QWidget& widget, const QString& keys) {
        const QKeySequence sequence(keys);
        for (int i = 0; i < sequence.count(); ++i)
            QTest::keyClick(&widget, sequence[i].key(), sequence[i].keyboardModifiers());
    }

    // Tabs of models.

    void onModelTabs(const QString& verb, const QString& name, const QString& other) {
        auto* bar = find<QTabBar>(QStringLiteral("model-tabs"));
        if (!bar) return;
        const auto tabOf = [bar](const QString& text) {
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i).startsWith(text)) return i;
            return -1;
        };
        const int tab = tabOf(name), to = tabOf(other);
        if (tab < 0) return fail("no tab " + name);
        if (verb == "move-model-tab") return drag(*bar, bar->tabRect(tab).center(), bar->tabRect(to).center());
        QWidget* cross = bar->tabButton(tab, QTabBar::RightSide);
        if (!cross) return fail("no cross on " + name);
        QTest::mouseClick(cross, Qt::LeftButton);
    }

    // Dialogs.

    void nameFile(const QString& name) {
        for (QWidget* widget : all()) {
            auto* dialog = qobject_cast<QFileDialog*>(widget);
            if (!dialog) continue;
            auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            line->setText(folder_ + '/' + name);
            QTest::keyClick(line, Qt::Key_Return);
            return;
        }
        fail("no dialog for files");
    }
    void closeDialog() {
        QWidget* widget = QApplication::activePopupWidget();
        if (!widget) widget = QApplication::activeModalWidget();
        if (!widget)
            for (QWidget* window : QApplication::topLevelWidgets())
                if (window->isVisible() && qobject_cast<QDialog*>(window)) widget = window;
        if (!widget) return fail("nothing is open");
        QTest::keyClick(widget, Qt::Key_Escape);
    }

    WindowFixture& fixture_;
    QString folder_;
    WalkRecord& record_;
    QString fault_;
    bool measures_ = false;
};

}  // namespace partita
