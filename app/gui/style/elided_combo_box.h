// A combo box whose text may be longer than its room: it ends in "…", whole in the tooltip, and the list that opens is
// as wide as its texts.
#pragma once

#include <QComboBox>

namespace partita {

class ElidedComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit ElidedComboBox(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);
    /// What is written in the box now.
    QString shownText() const;
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    Qt::TextElideMode mode_;
};

}  // namespace partita
