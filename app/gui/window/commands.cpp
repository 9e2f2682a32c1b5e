#include "app/gui/window/commands.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "app/gui/style/icons.h"
#include "app/gui/window/command_palette.h"

namespace partita {

namespace {

/// Whether a key is text outside the canvas: a letter, a digit, or Delete.
bool is_text_key(const QKeySequence& shortcut) {
    return shortcut.count() == 1 && shortcut[0].keyboardModifiers() == Qt::NoModifier &&
           (shortcut[0].key() < Qt::Key_Escape || shortcut[0].key() == Qt::Key_Delete);
}

}  // namespace

std::vector<Command> joined(std::initializer_list<std::vector<Command>> parts) {
    std::vector<Command> all;
    for (const std::vector<Command>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Commands::Commands(QMainWindow& window, QWidget& canvas) : QObject(&window), window_(window), canvas_(canvas) {}

void Commands::add(const std::vector<Command>& menus) {
    for (const Command& command : menus) {
        QMenu& menu = *window_.menuBar()->addMenu(command.text);
        ownLetters(menu);
        addTo(menu, command.menu);
    }
    update();
}

void Commands::ownLetters(QMenu& menu) { menu.installEventFilter(this); }

bool Commands::eventFilter(QObject* menu, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(menu, event);
    const auto* key = static_cast<const QKeyEvent*>(event);
    const bool letter = key->key() < Qt::Key_Escape && !(key->modifiers() & ~Qt::ShiftModifier);
    event->setAccepted(letter);
    return letter;
}

void Commands::addTo(QMenu& menu, const std::vector<Command>& commands) {
    QActionGroup* one_of_many = nullptr;
    for (const Command& command : commands) {
        if (command.apart) menu.addSeparator();
        QAction* action = command.isMenu() ? addMenu(menu, command) : addAction(menu, command);
        actions_.insert(command.id, action);
        entries_.push_back({command, action});
        if (!command.one_of_many) continue;
        if (!one_of_many) one_of_many = new QActionGroup(&menu);
        one_of_many->addAction(action);
    }
}

QAction* Commands::addMenu(QMenu& menu, const Command& command) {
    QMenu* inner = menu.addMenu(command.text);
    inner->setObjectName(command.id);
    inner->setToolTipsVisible(true);
    ownLetters(*inner);
    addTo(*inner, command.menu);
    if (command.fill) {
        const qsizetype fixed = inner->actions().size();
        connect(inner, &QMenu::aboutToShow, this, [inner, fixed, fill = command.fill] {
            while (inner->actions().size() > fixed) {
                QAction* old = inner->actions().back();
                inner->removeAction(old);
                // Later, for it may be the one that is triggered; a panel's switch is its own.
                if (old->parent() == inner) old->deleteLater();
            }
            fill(*inner);
        });
        command.fill(*inner);
    }
    return inner->menuAction();
}

QAction* Commands::addAction(QMenu& menu, const Command& command) {
    auto* action = new QAction(command.text, &window_);
    action->setObjectName(command.id);
    action->setShortcuts(command.keys);
    action->setCheckable(bool(command.checked));
    action->setProperty("group", without_mnemonic(menu.title()));
    action->setProperty("tip", command.tip);
    action->setStatusTip(command.tip);
    // Qt would leave the brackets.
    if (command.text.contains(QLatin1String("(&"))) action->setIconText(without_mnemonic(command.text));
    if (!command.keys.isEmpty() && is_text_key(command.keys.front())) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        canvas_.addAction(action);
    } else {
        window_.addAction(action);  // its key counts without the menu bar, too
    }
    menu.addAction(action);
    runnable_ << action;
    connect(action, &QAction::triggered, this, [this, run = command.run, id = command.id] {
        run();
        update(id);  // Qt turned a switch over, whatever became of it
    });
    return action;
}

void Commands::update() {
    for (const Entry& entry : entries_) update(entry);
}

void Commands::update(const QString& id) {
    for (const Entry& entry : entries_)
        if (id == entry.command.id) update(entry);
}

void Commands::update(const Entry& entry) {
    QAction& action = *entry.action;
    const QString obstacle = entry.command.obstacle ? entry.command.obstacle() : QString();
    if (entry.command.checked) action.setChecked(entry.command.checked());
    if (action.menu()) return action.menu()->setEnabled(obstacle.isEmpty());
    if (entry.command.follow) entry.command.follow(action);
    action.setEnabled(obstacle.isEmpty());
    action.setProperty("obstacle", obstacle);
    QString tip = action.property("tip").toString();
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    if (!key.isEmpty()) tip += QStringLiteral(" (%1)").arg(key);
    action.setToolTip(obstacle.isEmpty() ? tip : QStringLiteral("%1\n%2").arg(tip, obstacle));
}

void Commands::fill(const QString& id) {
    if (const QAction* action = this->action(id)) emit action->menu()->aboutToShow();
}

void Commands::setTheme(const Theme& theme) {
    for (const Entry& entry : entries_)
        if (*entry.command.icon) entry.action->setIcon(themed_icon(QLatin1String(entry.command.icon), theme));
}

}  // namespace partita
