// Back and Next below the page of a lesson, with its number between them.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace partita {

class PageTurner : public QWidget {
    Q_OBJECT

public:
    explicit PageTurner(QWidget* parent = nullptr);
    /// Pages count from 0. `obstacle`: why nothing comes after the last page; empty if another lesson does.
    void showPage(int page, int count, const QString& obstacle);
    /// Shows that there are no pages.
    void clear();

signals:
    void backWanted();
    void nextWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QPushButton* back_;
    QLabel* number_;
    QPushButton* next_;
};

}  // namespace partita
