#include "app/gui/window/command_palette.h"

#include <algorithm>

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

namespace partita {

namespace {

QString plain_text(const QAction& action) {
    const QString text = without_mnemonic(action.text());
    return action.property("group").toString().isEmpty()
               ? text
               : QStringLiteral("%1: %2").arg(action.property("group").toString(), text);
}

constexpr int kRightRole = Qt::UserRole + 1;

/// At the right end of the line stands the key, or why the command can't be run, as far as there is room.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        constexpr int kMargin = 10;
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        const int taken = option.fontMetrics.horizontalAdvance(index.data().toString()) + 3 * kMargin;
        const QRect room = option.rect.adjusted(taken, 0, -kMargin, 0);
        painter->setPen(option.palette.color(enabled ? QPalette::Normal : QPalette::Disabled,
                                             enabled ? QPalette::PlaceholderText : QPalette::Text));
        painter->drawText(
            room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
            option.fontMetrics.elidedText(index.data(kRightRole).toString(), Qt::ElideRight, room.width()));
    }
};

}  // namespace

QString without_mnemonic(QString text) {
    static const QRegularExpression added(QStringLiteral("\\(&.\\)"));  // where the language's own letters are no keys
    text.remove(added);
    return text.remove(QLatin1Char('&'));
}

CommandPalette::CommandPalette(QList<QAction*> actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), actions_(std::move(actions)), edit_(new QLineEdit), list_(new QListWidget) {
    setAccessibleName(tr("Commands"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    edit_->setPlaceholderText(tr("Type a command"));
    edit_->setAccessibleName(tr("Command"));
    edit_->installEventFilter(this);
    list_->setUniformItemSizes(true);
    list_->setItemDelegate(new CommandDelegate(list_));
    column->addWidget(edit_);
    column->addWidget(list_);
    connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::trigger);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::trigger);
    column->setSizeConstraint(QLayout::SetFixedSize);
    list_->setFixedWidth(std::max(504, 64 * fontMetrics().averageCharWidth()));
    filter(QString());
    edit_->setFocus();
}

/// Each word of the query must be part of the command's name; behind those stand the commands that have the words in
/// what their tips say of them.
void CommandPalette::filter(const QString& text) {
    list_->clear();
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto fits = [&words](const QString& said) {
        return std::all_of(words.begin(), words.end(),
                           [&said](const QString& word) { return said.contains(word, Qt::CaseInsensitive); });
    };
    QList<int> by_name, by_tip;
    for (int i = 0; i < actions_.size(); ++i) {
        const QString name = plain_text(*actions_[i]);
        if (fits(name)) by_name << i;
        else if (fits(name + QLatin1Char(' ') + actions_[i]->property("tip").toString())) by_tip << i;
    }
    int first = -1;
    for (const int i : by_name + by_tip) {
        list_->addItem(makeItem(i));
        if (first < 0 && actions_[i]->isEnabled()) first = list_->count() - 1;
    }
    if (list_->count() == 0) {
        auto* nothing = new QListWidgetItem(tr("No command has these words in its name or its tip."), list_);
        nothing->setFlags(Qt::NoItemFlags);
    }
    list_->setCurrentRow(std::max(first, 0));  // Enter runs the first that can run
    constexpr int kMostRows = 15;
    list_->setFixedHeight(std::min(list_->count(), kMostRows) * list_->sizeHintForRow(0) + 2 * list_->frameWidth());
}

QListWidgetItem* CommandPalette::makeItem(int command) const {
    const QAction& action = *actions_[command];
    const QString name = plain_text(action);
    const QString obstacle = action.isEnabled() ? QString() : action.property("obstacle").toString();
    const QString right = obstacle.isEmpty() ? action.shortcut().toString(QKeySequence::NativeText) : obstacle;
    auto* item = new QListWidgetItem(name);
    item->setData(Qt::UserRole, command);
    item->setData(kRightRole, right);
    item->setData(Qt::AccessibleTextRole, right.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, right));
    item->setToolTip(action.toolTip());
    if (!action.isEnabled()) item->setFlags(Qt::NoItemFlags);
    return item;
}

/// A popup has no frame of the window manager, and stands on panels of its own colour.
void CommandPalette::paintEvent(QPaintEvent* event) {
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CommandPalette::trigger() {
    QListWidgetItem* item = list_->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
    QAction* action = actions_[item->data(Qt::UserRole).toInt()];
    accept();
    QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int row = list_->currentRow();
        switch (key->key()) {
            case Qt::Key_Down: list_->setCurrentRow(std::min(row + 1, list_->count() - 1)); return true;
            case Qt::Key_Up: list_->setCurrentRow(std::max(row - 1, 0)); return true;
            case Qt::Key_Return:
            case Qt::Key_Enter: trigger(); return true;
            default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace partita
