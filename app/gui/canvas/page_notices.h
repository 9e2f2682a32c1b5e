// What a page says above its graph: that a layout is being made, and that groups are closed.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace partita {

struct GraphModel;

/// At the top of the canvas, over the graph.
class LayoutNotice : public QWidget {
    Q_OBJECT

public:
    explicit LayoutNotice(QWidget& view);
    /// `button` stays as it is where no other words are given.
    void tell(const QString& text, const QString& button = {});
    void place();

signals:
    void clicked();

private:
    QLabel* text_;
    QPushButton* button_;
};

class GroupsNotice : public QWidget {
    Q_OBJECT

public:
    GroupsNotice();
    /// Says how many groups are closed; null: there are none.
    void tell(const GraphModel* model);
    /// Returns the height that it takes at a width.
    int heightAt(int width) const;

signals:
    void allWanted();
    void noneWanted();

private:
    static QString textFor(int closed, size_t all);

    QLabel* text_;
};

}  // namespace partita
