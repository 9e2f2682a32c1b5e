// The window's commands: one table with a record for each. Menus, tool bars, keys, the command palette, the command
// line's
// --do and the tests read it.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace partita {

struct Theme;

struct Command {
    using Reason = std::function<QString()>;

    Command(QString its_id, QString its_text, QList<QKeySequence> its_keys, QString its_tip, std::function<void()> work)
        : id(std::move(its_id)), text(std::move(its_text)), keys(std::move(its_keys)), tip(std::move(its_tip)),
          run(std::move(work)) {}
    /// A menu of other commands; `filler` adds what is known only when it is shown.
    Command(QString its_id, QString its_text, std::vector<Command> inner, std::function<void(QMenu& menu)> filler = {})
        : id(std::move(its_id)), text(std::move(its_text)), menu(std::move(inner)), fill(std::move(filler)) {}

    QString id;                                   ///< "annotate"
    QString text;                                 ///< in its menu, with the key that is underlined there
    QList<QKeySequence> keys;                     ///< the first one is shown
    QString tip;                                  ///< what it does
    std::function<void()> run;                    ///< of a switch: turns it over
    Reason obstacle;                              ///< why it can't be run now; "" where it can
    const char* icon = "";                        ///< of style/icons.h
    std::function<bool()> checked;                ///< makes it a switch: whether it is on
    std::function<void(QAction& action)> follow;  ///< sets what changes: text, property "tip", whether it is shown
    bool one_of_many = false;                     ///< of this menu's switches one is on
    bool apart = false;                           ///< a line stands above it
    std::vector<Command> menu;
    std::function<void(QMenu& menu)> fill;

    bool isMenu() const { return !run; }
    Command&& unless(Reason reason) && { return obstacle = std::move(reason), std::move(*this); }
    Command&& withIcon(const char* name) && { return icon = name, std::move(*this); }
    Command&& checkedWhen(std::function<bool()> is_on) && { return checked = std::move(is_on), std::move(*this); }
    Command&& oneOfMany() && { return one_of_many = true, std::move(*this); }
    Command&& following(std::function<void(QAction&)> work) && { return follow = std::move(work), std::move(*this); }
    Command&& belowLine() && { return apart = true, std::move(*this); }
};

/// Joins parts of a menu.
std::vector<Command> joined(std::initializer_list<std::vector<Command>> parts);

class Commands : public QObject {
public:
    /// Keys that are text elsewhere count in `canvas` alone.
    Commands(QMainWindow& window, QWidget& canvas);

    /// Adds menus to the menu bar.
    void add(const std::vector<Command>& menus);
    /// Null where there is no command of that id.
    QAction* action(const QString& id) const { return actions_.value(id); }
    /// All that can be run, in the order of the menus.
    const QList<QAction*>& all() const { return runnable_; }
    /// Says what can be done now; where something can't, its tooltip and the palette say why.
    void update();
    void update(const QString& id);
    /// Fills a menu anew with what it did not know before.
    void fill(const QString& id);
    void setTheme(const Theme& theme);
    /// In an open menu a letter chooses from it, though it is a key of the canvas, too.
    void ownLetters(QMenu& menu);

protected:
    bool eventFilter(QObject* menu, QEvent* event) override;

private:
    struct Entry {
        Command command;
        QAction* action;
    };
    void addTo(QMenu& menu, const std::vector<Command>& commands);
    QAction* addMenu(QMenu& menu, const Command& command);
    QAction* addAction(QMenu& menu, const Command& command);
    void update(const Entry& entry);

    QMainWindow& window_;
    QWidget& canvas_;
    std::deque<Entry> entries_;
    QHash<QString, QAction*> actions_;
    QList<QAction*> runnable_;
};

}  // namespace partita
