// A line for a query, the number of hits, previous, next, close.
#pragma once

#include <QLineEdit>
#include <QWidget>

class QLabel;
class QToolButton;

namespace partita {

class SearchBar : public QWidget {
    Q_OBJECT

public:
    explicit SearchBar(QWidget* parent = nullptr);
    QString query() const { return edit_->text(); }
    QLineEdit* edit() { return edit_; }
    /// `hits` nodes were found and number `current` (from 0; -1: none) is shown.
    void showHits(int hits, int current);
    void open();
    /// As its button does.
    void leave() { emit closed(); }

signals:
    void queryChanged(const QString& query);
    void stepped(int by);
    void closed();
    /// Ctrl+Enter: the hits shall be selected.
    void selectionWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* edit_;
    QLabel* count_;
    QToolButton *previous_, *next_, *select_;
};

}  // namespace partita
