// Says that a description's file was changed on disk while its text was changed here, and offers either.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace partita {

class DescriptionConflict : public QWidget {
    Q_OBJECT

public:
    DescriptionConflict();
    /// Shows the conflict over a file; "" hides it.
    void tell(const QString& file);

signals:
    void theirsWanted();
    void mineWanted();

private:
    QLabel* text_;
    QToolButton* theirs_;
};

}  // namespace partita
