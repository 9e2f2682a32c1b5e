// A ring round what has the keyboard's focus, wherever keys brought it there: styles show that on some widgets alone.
#pragma once

#include <QPointer>
#include <QWidget>

namespace partita {

class FocusRing : public QObject {
public:
    explicit FocusRing(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showAt(QWidget& widget);

    QPointer<QWidget> ring_;  ///< in the widget, with which it may go
};

}  // namespace partita
