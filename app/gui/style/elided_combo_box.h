// A combo box whose text may be longer than its room: sentences end in "…", names keep what tells them apart. The
// tooltip has the whole, and the list that opens is as wide as its texts.
#pragma once

#include <QComboBox>

namespace partita {

class ElidedComboBox : public QComboBox {
    Q_OBJECT

public:
    enum class Texts : uint8_t { Sentences, Names };
    explicit ElidedComboBox(Texts texts = Texts::Sentences, QWidget* parent = nullptr);
    /// What is written in the box now.
    QString shownText() const;
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Texts texts_;
};

}  // namespace partita
