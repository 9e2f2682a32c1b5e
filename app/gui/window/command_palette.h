// Ctrl+Shift+P: all commands by name or by what their tips say, with their shortcuts; type a part, press Enter.
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace partita {

/// What a menu calls it, without the key that is underlined there.
QString without_mnemonic(QString text);

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(QList<QAction*> actions, QWidget* parent);
    QLineEdit& edit() { return *edit_; }
    QListWidget& list() { return *list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter(const QString& text);
    QListWidgetItem* makeItem(int command) const;
    void trigger();

    QList<QAction*> actions_;
    QLineEdit* edit_;
    QListWidget* list_;
};

}  // namespace partita
