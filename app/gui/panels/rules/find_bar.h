// Finds words in the text of an editor: next, previous, how many there are.
#pragma once

#include <QPlainTextEdit>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace partita {

class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(QPlainTextEdit& edit, QWidget* parent = nullptr);
    /// Shows the bar with what is selected in the text, or what was looked for last.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Selects the next hit from the cursor (by 1), the one before it (by -1) or the one at it (by 0), round the ends.
    void step(int by);
    void leave();

    QPlainTextEdit& edit_;
    QLineEdit* words_;
    QLabel* count_;
    QToolButton *previous_, *next_;
};

}  // namespace partita
