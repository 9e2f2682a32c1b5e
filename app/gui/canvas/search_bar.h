// A line for a query, the number of hits, previous, next, close.
#pragma once

#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

class QLabel;

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
    /// Whether the hits are listed below the line.
    bool isListing() const { return list_->isChecked(); }
    void setListing(bool on) { list_->setChecked(on); }
    /// Keeps the query among those of before.
    void remember();
    /// As its button does.
    void leave() { emit closed(); }

signals:
    void queryChanged(const QString& query);
    void stepped(int by);
    void closed();
    /// Ctrl+Enter: the hits shall be selected.
    void selectionWanted();
    /// The list of hits is to be shown or hidden.
    void listingChanged(bool on);
    /// Down: the list is to have the keys.
    void listWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void recall(int by);

    QLineEdit* edit_;
    QLabel* count_;
    QToolButton *previous_, *next_, *select_, *list_;
    int recalled_ = -1;  ///< of the queries of before, the one that stands there; -1: none
};

}  // namespace partita
