// Asks for a line of text. What it is for may be refused: then it stays open with what was typed, and says why below
// it.
#pragma once

#include <functional>

#include <QInputDialog>

class QLabel;

namespace partita {

class AskDialog : public QInputDialog {
    Q_OBJECT

public:
    AskDialog(const QString& title, const QString& label, const QString& text, QWidget* parent);
    /// What OK does with the answer. It calls `succeed` or `refuse` in the end; until then OK is not offered again.
    void setWork(std::function<void(const QString&)> work) { work_ = std::move(work); }
    void succeed();
    void refuse(const QString& why);
    /// Nothing came of it: OK is offered again.
    void stopWaiting() { setWaiting(false); }
    /// "" where nothing was refused.
    QString fault() const;
    void done(int result) override;

private:
    void setWaiting(bool waiting);
    void placeFault();

    std::function<void(const QString&)> work_;
    QLabel* fault_;
    bool waiting_ = false;
};

}  // namespace partita
